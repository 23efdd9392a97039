/* The plugin's own interfaces, a group per file.

   plugin.cc shows the way of a region through all of them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_H
#define ACCRETE_H

#include "base/base.h"

/* arguments.cc: take the arguments of the plugin.  */
void plugin_parse_arguments (const struct plugin_name_args *args);

/* object.cc: the memory that a region is about.  */

/* An object is named by a variable and the number of pointers to follow from
   it: 0 is the variable's own storage, 1 what a pointer or reference leads
   to, and one more when a Fortran array descriptor is on the way.  The
   variable is one from before the region; pointers that are only copies of
   another are the other.  It may be an SSA name.  */
struct object_name
{
  tree var;
  int depth;
};

struct object
{
  object_name name;
  /* Bits of acr_access.  */
  unsigned access;
  /* Why access is ACR_ACCESS_UNKNOWN, else NULL.  */
  const char *why;
  /* An operand of the region covers it.  */
  bool mapped;
  /* Alias group, or ACR_ALIAS_ANY.  */
  int group;
  /* What proves the group, for the dump.  */
  const char *proof;
};

/* Index of the object that stands for every address of unknown origin.  */
static const unsigned anything = 0;

struct region;

/* Learn how the pointer variables of the function body BODY are set.  Names
   are valid until the next call.  */
void object_scan (gimple_seq body);

/* And of BODY, which is to be put into that one.  */
void object_scan_more (gimple_seq body);

/* Call NOTE (VAR, STMT, DATA) for each variable VAR that a statement STMT of
   BODY sets, once for each of them.  */
void object_each_set (gimple_seq body,
		      void (*note) (tree var, gimple *stmt, void *data),
		      void *data);

/* What does the address EXPR, computed before the region, point to?  VAR is
   NULL when unknown.  */
object_name object_pointed_to (tree expr);

/* What does REF, evaluated before the region, lie in?  */
object_name object_of_reference (tree ref);

/* What do addresses in the pointer or reference variable VAR point to at the
   start of a region?  */
object_name object_of_pointer (tree var);

/* The index of object NAME in R, entered when it is new.  */
unsigned object_index (region *r, object_name name);

/* The source's words for NAME, allocated.  */
char *object_text (object_name name);

/* Has object NAME been entered in R?  */
bool object_known_p (const region *r, object_name name);

/* The allocation that VAR, a pointer always set by that one, comes from; else
   NULL.  */
gimple *object_allocation (tree var);

/* The only statement that sets VAR, a variable or SSA name, or NULL.  */
gimple *object_setting (tree var);

/* The variable of the source that VAR, which may be NULL, is or is of: where
   VAR is the compiler's, for what a function returns, the one that is set to
   VAR alone.  NULL: none.  */
tree object_source_variable (tree var);

/* May something else than visible assignments change the pointer VAR?  */
bool object_address_taken (tree var);

/* Is the pointer variable VAR never set in the function?  */
bool object_never_set (tree var);

/* The same, or always to the same?  */
bool object_set_once_p (tree var);

/* Does nothing but its name lead to the variable VAR?  */
bool object_by_name_only_p (tree var);

/* slot.cc: operands.  */

/* What a clause of the directive maps.  */
struct operand
{
  /* The clause; compared only.  */
  tree clause;
  enum acr_map map;
  /* Index of the object that the tag's ACCESS and GROUP are about, or -1.  */
  int about;
  /* After slot_match: its slot, or -1.  */
  int slot;
  /* The slot leads through a copy of this pointer variable, or NULL.  */
  tree pointer;
  /* Allocated, or NULL.  */
  char *name;
  unsigned size;
  /* The source's word for the map kind, where R is a data construct.  */
  const char *how;
};

/* Before omp-low: what the clauses of R's directive map.  */
void operand_find (region *r);

/* After omp-low: OPS gets one entry per slot of R's argument block, or none
   when clauses and block cannot be matched for sure; then the result is the
   reason.  */
const char *slot_match (region *r, vec<acr_operand> *ops);

/* The same for the data construct R: OPS gets the names, each allocated, of
   what it maps, in its order; nothing where they are not sure.  */
void slot_names (const region *r, vec<acr_operand> *ops);

/* name.cc: what the source calls memory.  */

/* VAR's name, or of what the reference REF lies in, allocated; NULL when it
   has none.  */
char *name_of_variable (tree var);
char *name_of_reference (tree ref);

/* site.cc: site records of data constructs.  */

/* After omp-low: keep the record of R, and have it found.  */
void site_record (const region *r);

/* Does CALL say which record is the next construct's?  */
bool site_call_p (const gcall *call);

/* fuse-turn.cc: does CALL ask the runtime whether kernels are compiled?  */
bool fuse_ready_call_p (const gcall *call);

/* The record that is found by the address of VAR, or NULL.  */
const char *site_of (const_tree var);

/* Is there any in this translation unit?  */
bool site_any (void);

/* data.cc: constructs that map data and run nothing themselves.  */

/* Before omp-low: the operands of the data construct R.  */
void data_find (region *r);

/* What clause C of the construct STMT, which is in a data construct, does to
   the device's copies.  What the data construct maps is there already, so that
   only update and always copy; enter and exit may even end the mapping.  */
unsigned data_transfer (const gomp_target *stmt, tree c);

/* The dump's block and the remark about R.  */
void data_report (const region *r);

/* access.cc: what the body does to the objects of R, each by itself.  */
void access_find (region *r);

/* Or nothing is known, because of WHY.  */
void access_give_up (region *r, const char *why);

/* What is done to other objects counts for those that they may overlap; after
   alias_find.  */
void access_spread (region *r);

/* After that: is all memory that R accesses its operands' or the device's, and does
   no address of it get out?  */
bool access_closed_p (const region *r);

/* leak.cc: do addresses get out of R?  */
void leak_find (region *r);

/* alias.cc: which objects of R cannot overlap.  */
void alias_find (region *r);

/* May the object O, after alias_find, overlap the variable VAR, which is no
   operand?  */
bool alias_with_variable_p (const object *o, tree var);

/* After access_spread: is what object NAME has the same for as long as R
   runs?  */
bool alias_constant_p (region *r, object_name name);

/* overwrite.cc: after access_spread, let the host say what R stores in any
   case, of operands that it does not read.  */
void overwrite_find (region *r);

/* reach.cc: after access_spread, find which bytes of its operands R may access; when
   its slots are OPS, let the sections be those of slots.  */
void reach_find (region *r);
void reach_place (region *r, const vec<acr_operand> &ops);
void reach_release (region *r);

/* Does CALL say so?  */
bool overwrite_call_p (const gcall *call);

/* nest.cc: loops and reductions of R.  */
void nest_find (region *r);

/* How often dimension I of LOOP runs, or an ACR_TRIP_ number.  */
long long nest_trip_count (const gomp_for *loop, size_t i);

/* equal.cc: before omp-low, let the regions of FUN use one variable for all that
   gfortran has for the same strides and offsets.  */
void equal_unify (function *fun);

/* address.cc: before omp-low, let FUN's regions load variables by their names where they
   do so through an address.  */
void address_forward (function *fun);

/* private.cc: before omp-low, let the loops of FUN's regions have scalars of their
   own for mapped ones that each iteration sets before it reads them.  */
void private_of_iteration (function *fun);

/* section.cc: before omp-low, let pointers that FUN's OpenACC regions follow lead to
   the data on the device where these are present.  */
void section_pointers (function *fun);

/* value.cc: before omp-low, let the regions of FUN have copies of scalars that
   they map and only read.  */
void value_of_read (function *fun);

/* After it: have the firstprivate scalars of R, whose slots are OPS, in their
   slots.  OPS is kept true.  */
void value_pass (const region *r, vec<acr_operand> *ops);

/* constant.cc: in FUN's constructs with a body, what is defined const is copied to the
   device alone.  */
void constants_map (function *fun);

/* scalar.cc: what FUN's data constructs map; and before omp-low, behind all that looks
   for neighbours, let FUN's regions have local copies of firstprivate scalars that are
   in memory.  */
void scalar_scan (function *fun);
void scalar_copies (function *fun);

/* nested.cc: device directives met on the device.  */

/* Before omp-low, and before regions are looked at: give those of FUN a form
   for the device.  */
void nested_rewrite (function *fun);

/* After omp-low of the same function FUN.  */
void nested_finish (function *fun);

/* region.cc */

struct region
{
  /* The directive; valid until OMP expansion.  */
  gomp_target *stmt;
  const construct *what;
  location_t loc;
  vec<object> objects;
  vec<operand> operands;
  /* Their slots are operands, until reach_place.  */
  vec<acr_section> sections;
  vec<acr_loop> loops;
  vec<acr_reduction> reds;
  /* Is it an SPMD kernel on the device, to libgomp's plugin?  */
  enum acr_spmd spmd;
  int stock[GOMP_DIM_MAX];	/* as in acr_region */
  int row, share;		/* as in acr_region */
  int nest;			/* the same */
  bool tiles, exact, grids, sums; /* the same */
  int columns, words, coarse;	/* the same */
  int launches;			/* the same */
  int resident, chain;		/* the same */
  /* Its body is in two forms, one of them an SPMD kernel.  */
  bool two_forms;
  /* It may store addresses of the device's memory.  */
  bool leaks;
  /* It compares or subtracts addresses, of whatever.  */
  bool compares;
};

static inline bool
data_construct_p (const region *r)
{
  return !acr_kind_computes (r->what->kind);
}

void region_release (region *r);

/* Find the offloaded regions and data constructs of FUN, before omp-low.  They
   are known until region_forget.  */
vec<region> *region_find (function *fun);

/* Those that were found.  */
vec<region> *region_found (void);
void region_forget (void);

/* OPTION is not applied to the construct STMT because of WHY: the tag is to
   say so.  Until region_forget.  */
void region_refused (const gimple *stmt, enum acr_option option,
		     const char *why);

/* Has that been said?  */
bool region_refused_p (const gimple *stmt, enum acr_option option);

/* The construct STMT stands for FIRST and SECOND: the tag is to say so.  Until
   region_forget.  */
void region_fused (const gimple *stmt, const gimple *first,
		   const gimple *second);

/* So many constructs of the source does STMT stand for.  */
unsigned region_sources (const gimple *stmt);

/* Where the construct STMT is executed, the host has found that no byte which it
   accesses through the one of A and B is accessed through the other.  Until
   region_forget.  */
void region_tested (const gimple *stmt, object_name a, object_name b);

/* Call VISIT (A, B, DATA) for each such pair of STMT's.  */
void region_each_tested (const gimple *stmt,
			 void (*visit) (object_name a, object_name b,
					void *data),
			 void *data);

/* The host asks for the kernel of STMT by NUMBER before it launches it, and for others
   that have the same (abi.h, ready=N).  Until region_forget.  */
void region_asked (const gimple *stmt, int number);

/* That number, or 0.  */
int region_number (const gimple *stmt);
void region_forget_tested (void);

/* After omp-low: record, dump and report the facts about R, whose slots are OPS,
   or unknown because of WHY.  */
void region_record (const region *r, const vec<acr_operand> &ops,
		    const char *why);

/* The facts of the region outlined as the function FN, or NULL.  */
const struct acr_region *region_facts (tree fn);

/* Is there any complete region in this translation unit?  */
bool region_any (void);

/* copy.cc */

/* flatten.cc */

/* While functions are streamed to the device's compiler: tell it to inline those
   that SPMD kernels call.  At other times: forget that.  */
void flatten_streamed (void);

/* paths.cc */

/* While functions are streamed to the device's compiler: give them options by which
   loops have one way back (PATHS), and math functions set no errno (MATH).  At other
   times: take them back.  */
void options_streamed (bool paths, bool math);

/* math.cc */

/* While functions are streamed to the device's compiler: let math functions be values, if
   they may; whether they are.  At other times: no longer.  */
bool math_streamed (void);

/* lone.cc */

/* Let FUN execute its simd constructs as loops, where call_lone_p.  A pass's
   return value.  */
unsigned lone_resolve (function *fun);

/* While functions are streamed to the device's compiler: let loops of simd constructs
   be ordinary ones.  At other times: no longer.  */
void lone_streamed (void);

/* interchange.cc */

/* Let the last of collapsed loops in the constructs of FUN be one along which memory is
   contiguous.  */
void interchange_loops (function *fun);

/* result.cc */

/* While functions are streamed to the device's compiler: let them return structures
   that the host returns in registers.  At other times: forget that.  */
void results_streamed (void);

/* scan.cc */

/* Let loops of FUN that look for a bit begin with it, where FUN is offloaded.  */
unsigned scan_bits (function *fun);

/* unroll.cc */

/* Have GCC unroll the small constant loops of FUN, where it is offloaded.
   A pass's return value.  */
unsigned unroll_small_loops (function *fun);

/* guard.cc */

/* Have the host code between the constructs of FUN say what it looks at.  A
   pass's return value.  */
unsigned guard_host_code (function *fun);

/* tag.cc */

/* Tag the outlined functions of this translation unit.  */
void tag_emit (void);

#endif /* ACCRETE_H */

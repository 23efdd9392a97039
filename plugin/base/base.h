/* What every part of the plugin may use and nothing of which needs another
   part: options, remarks, and what GCC's statements, declarations and calls are.
   base/code.h has the statements that the plugin writes.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_BASE_H
#define ACCRETE_BASE_H

#include "compat.h"
#include "abi/abi.h"

/* option.cc: what the user has switched off.  */

enum acr_option
{
#define OPT_PLUGIN(id, name, alias, needs, help) ACR_OPTION_##id,
#include "abi/optimisations.def"
  ACR_OPTION_COUNT
};

/* Was it left on?  */
bool option_enabled (enum acr_option);

/* Disable what the comma-separated LIST names.  */
void option_disable (const char *list);

/* Remarks: when -fopt-info or a dump asks for them, say at LOC, as printf does
   but with GCC's formats, what was done, or what was not and why.  */
#define remark_done(loc, ...)						      \
  remark_as (MSG_OPTIMIZED_LOCATIONS, loc, __VA_ARGS__)
#define remark_missed(loc, ...)						      \
  remark_as (MSG_MISSED_OPTIMIZATION, loc, __VA_ARGS__)
#define remark_as(kind, loc, ...)					      \
  do									      \
    if (dump_enabled_p ())						      \
      dump_printf_loc (kind, dump_user_location_t::from_location_t (loc),     \
		       __VA_ARGS__);					      \
  while (0)

/* The end of a noun of which there are N.  */
static inline const char *
plural (unsigned n)
{
  return n == 1 ? "" : "s";
}

/* construct.cc: directives of the device.  */

struct construct
{
  int code;			/* GF_OMP_TARGET_KIND_* */
  enum acr_kind kind;
  /* A data construct with a body, which the host runs.  */
  bool body;
};

/* The directive of STMT, or NULL.  */
const construct *construct_of (const gomp_target *stmt);

/* What remarks call WHAT.  */
const char *construct_words (const construct *what);

/* Is STMT a construct with an outlined function?  */
bool construct_computes_p (const gimple *stmt);

/* Does the body of STMT set the variable VAR, or take its address?  Does it take
   that?  */
bool construct_stores_p (const gomp_target *stmt, tree var);
bool construct_points_p (const gomp_target *stmt, tree var);

/* Is VAR firstprivate of STMT?  */
bool construct_firstprivate_p (const gomp_target *stmt, tree var);

/* stmt.cc: statements and clauses.  */

/* The clauses of the construct STMT, of any kind; NULL when it is none.  */
tree stmt_clauses (const gimple *stmt);

/* A copy of the clause C alone.  */
tree clause_copy (tree c);

/* "a clause NAME" and WHOSE, for a remark that C is in the way.  Until the next
   one.  */
const char *clause_bar_text (const_tree c, const char *whose);

/* Is STMT a region that the device has run on the host?  */
bool stmt_reverse_p (const gimple *stmt);

/* May the assignment STMT trap, but for a bad address?  */
bool stmt_traps_p (gimple *stmt);

/* Do statements of SEQ mention the variable VAR?  EXCEPT and what is inside of
   it do not count.  */
bool stmt_mentions_p (gimple_seq seq, tree var, const gimple *except = NULL);

/* Is VAR an index of STMT, a loop directive?  */
bool stmt_index_p (const gimple *stmt, tree var);

/* The N-th label that STMT may jump to, or NULL.  */
tree stmt_jump_target (gimple *stmt, unsigned n);

/* Does STMT jump to LABEL?  */
bool stmt_jumps_to_p (gimple *stmt, tree label);

/* Nothing happens when STMT is executed.  */
bool stmt_empty_p (gimple *stmt);

/* Does STMT access what is volatile?  GCC's own mark comes with its SSA form.  */
bool stmt_volatile_p (const gimple *stmt);

/* STMT, when it does no more than to end lifetimes after it; else NULL.  */
gimple_seq stmt_scope_body (gimple *stmt);

/* Is STMT a try statement whose cleanup follows its body whatever happens, and
   control leaves neither by a jump or an exception?  Then it is the same as one
   behind the other.  */
bool stmt_sequence_p (const gimple *stmt);

/* Does BIND declare a variable that stands for an expression?  */
bool stmt_declares_expression_p (const gbind *bind);

/* Does one of CLAUSES make a variable private of which the size is not known
   yet?  The code speaks of a pointer to that, which is no such variable.  */
bool stmt_variable_size_p (tree clauses);

/* decl.cc: variables, types and references.  */

/* Is VAR a scalar that is not in memory, as far as the code can tell?  */
bool register_p (tree var);

/* Is the variable proper what VAR points to?  */
bool decl_by_reference_p (const_tree var);

/* The type of the variable proper.  */
tree decl_value_type (tree var);

/* Does VAR, of the gimplifier's making, hold a value for a few statements
   only?  */
bool decl_temporary_p (tree var);

/* The variables and functions of SET, or the keys of MAP, in the order of their numbers:
   what is made for one after the other must not depend on where these lie in memory, or
   a compiler does not compile alike twice.  Other trees are the last.  */
void decl_sort (vec<tree> *list);
void decl_sorted (hash_set<tree> *set, vec<tree> *list);
template<typename VALUE>
void
decl_sorted_keys (hash_map<tree, VALUE> *map, vec<tree> *list)
{
  for (typename hash_map<tree, VALUE>::iterator i = map->begin ();
       i != map->end (); ++i)
    list->safe_push ((*i).first);
  decl_sort (list);
}

/* Is REF a field of a Fortran array's descriptor?  No array is in there.  */
bool decl_in_descriptor_p (tree ref);

/* Does EXPR name the variable VAR, elsewhere than in types?  */
bool decl_named_p (tree expr, tree var);

/* Is EXPR made by operations of leaves that LEAF is true for, of DATA?  Leaves are
   constants, variables, references and addresses.  */
bool expr_made_of_p (tree expr, bool (*leaf) (tree, void *), void *data);

/* Does TYPE describe a Fortran array, its first field the address?  */
bool descriptor_type_p (const_tree type);

/* The variable or address at the bottom of the reference REF: a DECL, a
   MEM_REF or alike, or a constant.  */
tree reference_base (tree ref);

/* A new automatic variable of TYPE, otherwise like VAR.  */
tree decl_copy (tree var, tree type);

/* device.cc: functions and variables of the device and of the runtime.  */

/* Is the function FN compiled for the device, for the host as well or not?  */
bool offloaded_p (tree fn);

/* Let FN be that, too.  */
void offload_function (tree fn);

/* The function NAME of TYPE that the runtime may define, a weak symbol.  */
tree runtime_function (const char *name, tree type);

/* A new variable NAME of TYPE on the device; in the shared memory of a block when
   SHARED, else in global memory, and when COMMON the same one for all units.  */
tree device_variable (tree name, tree type, bool shared, bool common);

/* entry.cc: outlined functions that are SPMD kernels.  */

/* When all else is done to FN, outlined, an SPMD kernel: let the back end write
   it as one.  */
void entry_set (tree fn);

/* After .GOMP_USE_SIMT was resolved in FUN: take out the kernel, as without
   optimization nobody else does.  Returns what is to be done next.  */
unsigned entry_drop_kernel (function *fun);

/* query.cc: calls that ask where the thread is.  */

enum place_query
{
#define QUERY(name, id) QUERY_##id,
#include "base/query.def"
  QUERY_NONE
};

/* What a call of FN asks, if it does.  */
enum place_query query_of (const_tree fn);

/* Does it ask at all, or for the number of the thread or of the team?  */
static inline bool
call_query_p (const_tree fn)
{
  return query_of (fn) != QUERY_NONE;
}

static inline bool
call_number_query_p (const_tree fn)
{
  enum place_query q = query_of (fn);
  return q == QUERY_THREAD_NUM || q == QUERY_TEAM_NUM;
}

/* call.cc: calls on the device.  */

/* The body of FN in which constructs stand that run in place, or NULL.  */
typedef gimple_seq (*call_body_of) (tree fn);

/* Why CALL cannot be in a kernel without GCC's device runtime, or NULL.  Where
   BODY_OF is given, functions with constructs that run in place can, and these
   may call themselves: whether any function does goes to *RECURS.  */
const char *call_why_not (const gcall *call, call_body_of body_of = NULL,
			  bool *recurs = NULL);

/* Let the functions that calls in KERNEL lead to, for which that is NULL, be
   compiled for the device, and their simd constructs be loops of the thread's.  */
void call_offload (gimple *kernel);

/* The function that has the body of FN, which may be an alias.  */
tree call_target (tree fn);

/* Does such a kernel lead to FN, which has simd constructs?  */
bool call_lone_p (const_tree fn);

/* Is STMT a call of the function NAME?  */
bool call_named_p (const gimple *stmt, const char *name);

/* Is FN one of GCC's for atomic accesses?  */
bool call_atomic_p (tree fn);

/* May CALL lead to what looks at memory that other threads set meanwhile?  */
bool call_looks_p (const gcall *call);

/* Is memory whose address CALL is given only read, and the address not kept?  */
bool call_lends_p (const gcall *call);

/* lend.cc: what calls do with one of several variables.  */

enum call_lending
{
  CALL_UNKNOWN,
  /* It is only loaded from, and its address not kept.  */
  CALL_LENDS,
  /* The same, but the address may be what the call returns.  */
  CALL_GIVES_BACK
};

/* What CALL does with VAR where it is given that variable's address.  */
enum call_lending call_lending_of (const gcall *call, tree var);

/* Is what CALL returns, an address, only loaded from, or lent, in SEQ, the variables
   declared in which are OWN?  */
bool call_result_lent_p (const gcall *call, gimple_seq seq,
			 hash_set<tree> *own);

/* call.cc, too.  */

/* May CALL leave an address that it is given where others find it?  */
bool call_keeps_p (const gcall *call);

/* Does CALL touch no memory but the called functions' own and that which its
   arguments point into, and leave no address there, nor what is made of one?
   If so, *ACCESS is how it does, enum acr_access; and a pointer that comes
   back points there as well.  */
bool call_near_p (const gcall *call, unsigned *access);

/* What CALL may do to memory that is not the called functions' own, as far as
   these are in this file: enum acr_access.  */
unsigned call_access (const gcall *call);

/* Is FN a math function of GCC's that takes no pointer: which sets nothing but errno,
   and lgamma's sign?  */
bool call_math_p (tree fn);

/* Does CALL touch no memory but errno?  */
bool call_without_memory_p (const gcall *call);

/* copy.cc */

/* A copy of SEQ, with local variables of its own, that shares nothing with it.
   SEQ, unless empty, stays as it is.  */
gimple_seq copy_statements (gimple_seq seq);

/* Let SEQ, and CLAUSES unless that is NULL, name what MAP has for variables.  */
void replace_variables (gimple_seq *seq, hash_map<tree, tree> *map,
			tree *clauses = NULL);

/* Add to NAMES the variables and parameters that *TP names.  */
void collect_variables (tree *tp, hash_set<tree> *names);

/* Is VAR, in the construct STMT, a copy that each thread has, of what it was before
   the construct?  */
bool copy_of_thread_p (const gomp_target *stmt, tree var);

#endif /* ACCRETE_BASE_H */

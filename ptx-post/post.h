/* The post-processor: passes over a PTX unit, shared by the command ptx-post
   and the assembler wrapper.

   Every pass takes a unit that ptx_parse made, changes it through edit.c
   only, and leaves a unit that means the same for every launch a region's tag
   allows.  What a pass does not understand it leaves alone.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_POST_H
#define ACCRETE_POST_H

#include <config.h>

#include "abi/abi.h"
#include "abi/optimisations.h"
#include "library.h"
#include "ptx/ptx.h"

/* ---- Passes (OPT_PASS in optimisations.def) ---- */

enum post_pass
{
#define OPT_PASS(id, name, alias, needs, help) POST_PASS_##id,
#include "abi/optimisations.def"
  POST_PASS_COUNT
};

/* GPUs that may launch the result are at least of this architecture, when
   nobody says more: GCC's own default.  */
enum { POST_DEFAULT_SM = 35 };

/* How the pass shuffle chooses.  */
enum post_shuffle
{
#define POST_SHUFFLE(id, name, forms) POST_SHUFFLE_##id,
#include "pass/shuffle/shuffle.def"
};

/* Numbers of registers that forms of a kernel may have.  */
enum { POST_REGISTERS = 4 };

enum { POST_MAX_DELTA = 31 };	/* lanes of a warp, but one */
enum { POST_PROOF_MS = 1000 };	/* where nobody says more */

struct post_options
{
  unsigned passes;		/* set of enum post_pass, 1 << pass */
  unsigned sm;			/* the oldest GPU that will launch it */
  enum post_shuffle shuffle;
  unsigned registers[POST_REGISTERS];	/* of a thread; 0: none of it */
  bool limited_later;		/* the runtime makes forms with these */
  int max_delta;		/* lanes that a shuffle may bridge */
  unsigned proof_ms;		/* for the proofs of one kernel */
  FILE *explain;		/* why candidates were taken or left, or NULL */
  int dump_after;		/* enum post_pass, or -1 */
  FILE *dump;			/* where to, or NULL */
};

/* Told about what is wrong in WHERE ("--disable", "ACCRETE_SM" ...).  */
typedef acr_unknown_fn post_complain_fn;

/* Every pass, the default architecture, no output; then what the environment
   says (ACCRETE_DISABLE, which cannot take out the pass entry; ACCRETE_SM,
   ACCRETE_SHUFFLE, ACCRETE_REGISTERS).  */
void post_options_init (struct post_options *, post_complain_fn *);
/* The set of passes that the comma-separated NAMES name; "all" is every
   one.  */
unsigned post_names (const char *where, const char *names, post_complain_fn *);
/* "70" or "sm_70" into *SM.  */
bool post_parse_sm (const char *text, unsigned *sm);
/* "auto", "always" ... into *MODE.  */
bool post_parse_shuffle (const char *text, enum post_shuffle *mode);
/* "48,64" into N.  */
bool post_parse_registers (const char *text, unsigned n[POST_REGISTERS]);

/* What the passes see.  */
struct post
{
  struct ptx_unit *unit;
  const struct post_options *opt;
  enum post_pass pass;		/* running */
  struct tags *tags;
  struct post_limited *limited;	/* forms that are made at the end (forms.c) */
  unsigned taken[POST_PASS_COUNT];
};

/* Run the chosen passes over U; how many candidates they took.  */
unsigned post_run (struct ptx_unit *u, const struct post_options *);

/* ---- Each pass: pass/ID.c, pass/FOLDER/ID.c ---- */

#define OPT_PASS(id, name, alias, needs, help) void pass_##id (struct post *);
#include "abi/optimisations.def"

/* ---- pass/explain.c ---- */

/* Say that the running pass took or left the candidate S, and why.  */
void post_explain (struct post *, const struct ptx_stmt *s, bool taken,
		   const char *why, ...)
  __attribute__ ((format (printf, 4, 5)));

/* ---- pass/target.c ---- */

/* Whether the unit has, or may be given, the .version and .target that the
   instruction MNEMONIC needs; and give it them.  */
bool post_may_use (const struct post *, const char *mnemonic);
void post_use (struct post *, const char *mnemonic);

/* ---- clone.c ---- */

/* Is F the copy of the function NAME of LIBRARY?  */
bool post_is_copy (const struct post *, const struct ptx_func *f,
		   const char *name, enum library library);

/* ---- forms.c ---- */

/* Add a form (abi.h) of F as it is now: a kernel that the caller, or the passes
   that follow, make different.  NULL when there is to be none.  */
struct ptx_func *post_add_form (struct post *, const struct ptx_func *f);
/* There will be forms of F that are as its FORM is behind the last pass, with the
   numbers of registers that forms may have.  */
void post_limit_form (struct post *, const struct ptx_func *f,
		      const struct ptx_func *form);
/* Make them, or leave comments for the runtime.  */
void post_make_limited (struct post *);
/* Has F forms, will it have some, or is it one?  */
bool post_has_forms (const struct post *, const struct ptx_func *f);

/* ---- tags.c: the regions that the unit's comments describe ---- */

struct tags *tags_read (const struct ptx_unit *);
void tags_free (struct tags *);
/* The region whose body is F, when F's first parameter is the address of the
   region's argument block; else NULL.  */
const struct acr_region *tags_find (const struct tags *,
				    const struct ptx_func *f);
/* Is F an SPMD kernel; is it that of an OpenMP region?  */
bool tags_is_kernel (const struct tags *, const struct ptx_func *f);
bool tags_is_spmd (const struct tags *, const struct ptx_func *f);

/* ---- origin.c: where the addresses of a function come from ---- */

enum origin_kind
{
  ORIGIN_NONE,		/* no definition seen yet */
  ORIGIN_NULL,		/* the constant 0 */
  ORIGIN_INT,		/* no address */
  ORIGIN_ARGS,		/* address in the region's argument block, at OFF */
  ORIGIN_POINTER,	/* address OFF bytes from a pointer in global memory,
			   the first of HOPS that lead to the data of SLOT */
  ORIGIN_BCAST,		/* address in GCC's shared buffer for broadcasts
			   within a CTA, OFF from some base */
  ORIGIN_SPACE,		/* address in SPACE */
  ORIGIN_UNKNOWN
};

enum origin_part { ORIGIN_WHOLE, ORIGIN_LOW, ORIGIN_HIGH };

struct origin
{
  enum origin_kind kind;
  enum origin_part part;	/* which half a 32-bit register has */
  enum ptx_space space;		/* ORIGIN_SPACE */
  bool window;			/* offset in the window of its space, not a
				   generic address */
  int slot;			/* ORIGIN_SPACE: the operand whose data it
				   points into, or ORIGIN_NO_SLOT;
				   ORIGIN_POINTER: leads to */
  unsigned hops;		/* ORIGIN_POINTER: pointers to load, > 0 */
  int64_t off;
};

enum { ORIGIN_NO_SLOT = -1 };

struct origins;
/* NULL when F is no function to say anything about (no body, not understood,
   addresses of 32 bits, or too strange to be worth the time).  */
struct origins *origins_new (const struct ptx_func *f,
			     const struct acr_region *tag);
void origins_free (struct origins *);
/* What the address operand of memory instruction INSN points to; ORIGIN_ARGS,
   ORIGIN_POINTER and ORIGIN_BCAST are given as addresses in their space.  */
struct origin origin_of_access (const struct origins *,
				const struct ptx_insn *insn);
/* Whether what the load INSN loads does not change while lanes between two
   barriers of their warp load it: the region's argument block and pointers,
   GCC's buffer for broadcasts, and data that the region works on without
   atomic updates.  */
bool origin_is_steady (const struct origins *, const struct ptx_insn *insn);
/* The address operand of INSN, or NULL.  */
const struct ptx_opnd *ptx_insn_address (const struct ptx_insn *insn);

/* ---- statement.c ---- */

/* What INSN's operand I names: a variable, a function or the base of an
   address; or NULL.  Is that called NAME?  */
const struct ptx_sym *insn_named (const struct ptx_insn *insn, unsigned i);
bool insn_names (const struct ptx_insn *insn, unsigned i, const char *name);
/* Does INSN read the register REG; does it write it?  */
bool insn_uses (const struct ptx_insn *insn, const struct ptx_sym *reg);
bool insn_sets (const struct ptx_insn *insn, const struct ptx_sym *reg);
/* Does F, with a body, use the variable NAME?  */
bool func_mentions (const struct ptx_func *f, const char *name);
/* Has F variables in local memory?  */
bool func_has_frame (const struct ptx_func *f);
/* Does a statement of F but EXCEPT name LABEL, or has F a table of labels?  */
bool func_names_label (const struct ptx_func *f, const struct ptx_sym *label,
		       const struct ptx_stmt *except);
/* Call NOTE with each function that the initial values of VAR and the variables
   behind it name; that the function F names, in its body and its variables.  */
typedef void func_note (const struct ptx_func *f, void *closure);
void vars_each_named (const struct ptx_sym *var, func_note *note,
		      void *closure);
void func_each_named (const struct ptx_func *f, func_note *note,
		      void *closure);
/* The function that CALL calls; NULL when it is called by its address.  */
const struct ptx_sym *call_target (const struct ptx_insn *call);
/* The function with a body that S calls by its name, or NULL.  */
const struct ptx_func *called_function (const struct ptx_stmt *s);
/* Is there anything in the unit that may use a function without our
   knowing?  */
bool unit_is_opaque (const struct ptx_unit *);
/* The statement behind which a copy of F can be declared: whoever calls F may then
   call the copy.  */
struct ptx_stmt *func_declaration (const struct ptx_unit *,
				   const struct ptx_func *f);
/* Insert TEXT after AFTER in F, or at file level; it is ours, so it is
   right.  */
void post_insert (struct post *, struct ptx_func *f, struct ptx_stmt *after,
		  const char *text);
/* Let TEXT be F's body; scopes inside stay, empty.  */
void post_set_body (struct post *, struct ptx_func *f, const char *text);
/* Put TEXT, which has operands of S's, in the place of S; false when that cannot be
   read, and then S stays.  */
bool post_replace (struct post *, struct ptx_stmt *s, const char *text);
/* Let S, which sets a register from something, set it from VALUE.  */
void post_set_from (struct post *, struct ptx_stmt *s, const char *type,
		    const char *value);

/* ---- own.c: a thread's own memory ---- */

/* Let atomic operations of F, with a body, on local memory be plain instructions.  */
void own_atomics (struct post *p, struct ptx_func *f);

/* ---- stack.c: the stacks of OpenMP's device code ---- */

enum { STACK_ALIGN = 16 };

/* Bytes of stack that F, with a body, takes itself, and at the most the
   functions that it calls.  */
uint64_t stack_frame (const struct ptx_func *f);
uint64_t stack_below (const struct ptx_func *f);
/* Does S call a function of the device's libraries that says what is wrong and
   ends the kernel?  What such calls take at the most, which stack_below leaves
   out.  */
bool stack_ends (const struct ptx_stmt *s);
uint64_t stack_of_end (const struct ptx_func *f);
/* Does F, or what it calls, call itself?  In a kernel such calls are left out
   of stack_below.  */
bool stack_recurs (const struct ptx_func *f);
/* Does the function NAME outside of the unit need none?  */
bool stack_unneeded (const char *name);
/* Is what F, with a body, takes from the stack a frame of one size?  */
bool stack_is_frame (const struct ptx_func *f);
/* May what F calls ask which lanes of the warp work?  */
bool stack_lanes_below (const struct ptx_func *f);

/* Let F's frame, of one size, be a variable in local memory.  */
void stack_localise (struct post *, struct ptx_func *f);
/* Let all lanes work for themselves in F.  */
void stack_all_lanes (struct post *, struct ptx_func *f);
/* Let loads in F of what the variable NAME keeps for the thread give VALUE, of
   TYPE.  GCC makes one in the prologue, from a register with the address.  */
void stack_replace (struct post *, struct ptx_func *f, const char *name,
		    const char *type, const char *value);

/* ---- dispatch.c ---- */

/* Let branches of F on constants go where they must, without what nothing
   reaches.  */
void dispatch_resolve (struct post *, struct ptx_func *f);

/* ---- io.c ---- */

/* The whole of FILE ("-": standard input), NUL-terminated, to be freed.  NULL
   with errno set on failure.  */
char *read_all (const char *file, size_t *len);
/* The unit in FILE, or NULL after a message of ptx-post's.  */
struct ptx_unit *read_unit (const char *file);
/* Make FILE ("-": standard output) contain TEXT, completely or not at all.
   False with errno set on failure.  */
bool write_all (const char *file, const char *text, size_t len);

/* ---- mnemonic.c ---- */

/* INSN's mnemonic with state space SPACE and suffix EXTRA ("" or ".nc") added
   in the place that PTX wants them.  INSN is ld, st, atom or red and has no
   space; or has this one.  Lives as long as the unit.  */
const char *mnemonic_with_space (struct ptx_unit *, const struct ptx_insn *,
				 enum ptx_space space, const char *extra);

#endif /* ACCRETE_POST_H */

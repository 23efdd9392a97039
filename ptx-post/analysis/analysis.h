/* What the analyses of a function's code share: flow graph, values, symbolic
   emulation.  post.h has what they are for.

   Thread-safety: none of these structures is shared between threads.
   Memory: abort when it is exhausted, like ptx.h; what grows with the input
   has a limit, past which the analysis gives up and says so.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_ANALYSIS_H
#define ACCRETE_ANALYSIS_H

#include "post.h"

#include <stdlib.h>
#include <time.h>

/* Zeroed memory for N objects, at least one.  */
static inline void *
xcalloc (size_t n, size_t size)
{
  void *p = calloc (n ? n : 1, size);
  if (!p)
    abort ();
  return p;
}

/* Processor time, of which explanations say how much an analysis took.  */
static inline double
cpu_milliseconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* ---- cfg.c: the flow graph ---- */

enum { CFG_NONE = -1 };

struct cfg_block
{
  struct ptx_stmt *first, *last;	/* statements, both included */
  int nsucc, succ[2];			/* the branch's target comes first */
  int npred, *pred;
  int idom;				/* CFG_NONE: entry */
  int ipdom;				/* CFG_NONE: the function's end */
  int loop;				/* innermost, or CFG_NONE */
};

struct cfg_loop
{
  int header;
  int parent;				/* or CFG_NONE */
  int depth;				/* 1: outermost */
};

/* Blocks are numbered in reverse post-order: a forward edge leads to a larger
   number, block 0 is the entry, dead code has no block.  */
struct cfg
{
  const struct ptx_func *f;
  int nblocks, nloops;
  struct cfg_block *block;
  struct cfg_loop *loop;		/* parents after their children */
};

/* NULL when F has no flow graph that we analyse, in *WHY: no body, not
   understood, indirect branches, irreducible loops, or too large.  */
struct cfg *cfg_new (const struct ptx_func *f, const char **why);
void cfg_free (struct cfg *);
bool cfg_dominates (const struct cfg *, int a, int b);
/* Mark the blocks that BLOCK leads to without passing STOP, which were not
   marked and are not behind such.  STACK has room for all blocks.  */
void cfg_flood (const struct cfg *, int block, int stop, bool *mark,
		int *stack);
/* Whether block B is in LOOP or a loop inside; every block is in CFG_NONE.  */
bool cfg_in_loop (const struct cfg *, int loop, int b);
static inline bool
cfg_is_header (const struct cfg *g, int b)
{
  int loop = g->block[b].loop;
  return loop != CFG_NONE && g->loop[loop].header == b;
}
/* A back edge, from block A to a loop's header B.  */
static inline bool
cfg_is_back_edge (int a, int b)
{
  return a >= b;
}

/* ---- expr.c: values ----

   A term is a bit vector: CONSTANT + the sum of COEFFICIENT * ATOM over its
   parts, modulo 2^WIDTH.  What is not linear is an atom, an operation on
   terms that is known by its mnemonic only.  Terms and atoms are hash-consed:
   equal values of one expr_pool that the normal form makes equal are the same
   pointer.  Predicates have width 1.  */

enum atom_kind
{
  ATOM_SREG,		/* special register ID, component OPTION */
  ATOM_PARAM,		/* parameter SYM at offset ID */
  ATOM_SYMBOL,		/* address of SYM */
  ATOM_SIGN,		/* arg[0], sign-extended */
  ATOM_ZERO,		/* arg[0], zero-extended */
  ATOM_PRODUCT,		/* arg[0] * arg[1], each one atom */
  ATOM_OP,		/* MNEMONIC (arg...) */
  ATOM_LOAD,		/* load MNEMONIC from address arg[0] while memory is
			   in state arg[1] */
  ATOM_LANE0,		/* arg[0] in lane 0 */
  ATOM_JOIN,		/* register ID where flows meet in block OPTION;
			   arg[0], if there: what it is in lane 0 */
  ATOM_COUNT,		/* complete iterations of loop ID */
  ATOM_FRESH		/* result ID of an instruction, nothing known */
};

/* OP on integers of WIDTH bits; setp's comparison CMP.  WIDTH 0: none whose
   meaning is known.  */
struct operation
{
  enum ptx_op op;
  unsigned width;
  bool is_signed;
  unsigned cmp;
};

struct atom
{
  enum atom_kind kind;
  unsigned width;
  int id, option;
  const struct ptx_sym *sym;
  const char *mnemonic;
  struct operation operation;	/* follows from MNEMONIC and WIDTH */
  unsigned nargs;
  const struct term *arg[4];
  bool uniform;		/* the same in all active lanes of a warp */
  unsigned serial;	/* order of creation, and of parts in a term */
  unsigned hash;
  struct atom *next;
};

struct part { uint64_t coefficient; const struct atom *atom; };

struct term
{
  unsigned width;
  uint64_t constant;
  unsigned nparts;
  bool uniform;
  bool linear;		/* the lanes' values differ by STRIDE from one to the
			   next, modulo 2^WIDTH; unless some sign or zero
			   extension in it overflows between lanes */
  int64_t stride;
  const struct term *lane0;	/* what expr_lane0 says, and what that assumes, if */
  bool lane0_assumes;		/* it was asked */
  unsigned hash;
  struct term *next;
  struct part part[];
};

/* Operations that are no instructions: the low and the high half.  */
#define EXPR_CUT "cut"
#define EXPR_HIGH "high"

struct expr_pool;
struct expr_pool *expr_pool_new (void);
void expr_pool_free (struct expr_pool *);
/* Too many terms: what is made from now on means nothing.  */
bool expr_exhausted (const struct expr_pool *);

const struct term *expr_constant (struct expr_pool *, unsigned width,
				  uint64_t value);
/* MODEL interned, as a term.  UNIFORM follows from the kind, but for joins
   and fresh values.  */
const struct term *expr_atom (struct expr_pool *, const struct atom *model);
/* An interned atom as a term.  */
const struct term *expr_of (struct expr_pool *, const struct atom *);
/* A + FACTOR * B.  */
const struct term *expr_add (struct expr_pool *, const struct term *a,
			     const struct term *b, uint64_t factor);
const struct term *expr_multiply (struct expr_pool *, const struct term *a,
				  const struct term *b);
/* A in WIDTH bits: cut, or extended.  */
const struct term *expr_resize (struct expr_pool *, const struct term *a,
				unsigned width, bool is_signed);
/* A's value in lane 0, for all lanes, where lane 0 has %tid.x 0.  What relies on
   this sets *ASSUMES (which may be NULL).  */
const struct term *expr_lane0 (struct expr_pool *, const struct term *a,
			       bool *assumes);
static inline bool
expr_is_constant (const struct term *t)
{
  return t->nparts == 0;
}
/* A constant as signed number.  */
int64_t expr_signed (const struct term *);
/* A - B in *DISTANCE when that is a constant.  */
bool expr_distance (const struct term *a, const struct term *b,
		    int64_t *distance);
/* Whether A is the number of a lane: one more in the next.  */
bool expr_of_lane (const struct atom *a);
/* The largest value that the hardware allows for special register A.  */
bool expr_sreg_range (const struct atom *a, int64_t *high);
/* The numbers that T can be, read as signed or unsigned; false when T may
   overflow its width.  */
bool expr_range (const struct term *t, bool is_signed, int64_t *low,
		 int64_t *high);
void expr_print (FILE *, const struct term *);

/* ---- sym.c: symbolic emulation ---- */

/* A load or store, or anything else that memory is read or written by.  */
struct sym_access
{
  struct ptx_stmt *stmt;
  int block;
  const struct term *address;	/* of its space, or generic; NULL: no single
				   one (calls, barriers) */
};

/* A place where a sign or zero extension of ARG is computed from operand
   OPND of STMT.  */
struct sym_extension
{
  struct ptx_stmt *stmt;
  int block;
  const struct ptx_opnd *opnd;
  const struct term *arg;
};

/* Whether lanes that execute a statement of a loop together are in the same
   iteration of it.  */
enum sym_lockstep
{
  SYM_LOCKSTEP_NO,
  SYM_LOCKSTEP_LIKELY,		/* lanes that diverge in it meet again in the
				   same iteration, if they meet where GPUs
				   make them; to be checked */
  SYM_LOCKSTEP_YES
};

struct sym
{
  const struct cfg *cfg;
  struct expr_pool *pool;
  int naccesses, nextensions;
  struct sym_access *access;	/* in the order of blocks and statements */
  struct sym_extension *extension;
  enum sym_lockstep *lockstep;	/* by loop */
  bool assumes_rows_of_32;	/* all of it holds only where %ntid.x is 32 */
  int rounds;			/* that the fixpoint took */
  struct sym_state *state;	/* sym.c's own */
};

/* Emulate the function of CFG.  UNIFORM_PARAMS: all threads get the same
   arguments.  ORIGINS, or NULL, tells state spaces apart; it must outlive the
   result, like CFG.  NULL when that takes more than the limits allow, in
   *WHY.  */
struct sym *sym_new (const struct cfg *cfg, bool uniform_params,
		     struct origins *origins, const char **why);
void sym_free (struct sym *);

/* T, the value of an iteration of LOOP, as it is in the next one, in terms of
   this one; NULL when that is not known.  */
const struct term *sym_next_iteration (const struct sym *,
				       const struct term *t, int loop);

/* The predicate, as a term, under which control goes from block FROM to its
   successor K; NULL when it always does.  */
const struct term *sym_condition (const struct sym *, int from, int k);

/* For eval.c: the value of a register at the current statement, and a new
   one.  */
const struct term *sym_read (struct sym *, const struct ptx_sym *reg);
bool sym_is_defined_once (const struct sym *, const struct ptx_sym *reg);
void sym_define (struct sym *, const struct ptx_sym *reg,
		 const struct term *value);
/* An unknown value of register or purpose REG, from the current statement. */
const struct term *sym_fresh (struct sym *, const struct ptx_sym *reg,
			      unsigned width, bool uniform);
/* The state of memory that INSN reads.  */
const struct term *sym_memory (struct sym *, const struct ptx_insn *insn);
void sym_note_extension (struct sym *, const struct ptx_opnd *opnd,
			 const struct term *arg);
bool sym_uniform_params (const struct sym *);
/* VALUE of lane 0, given to all lanes.  */
const struct term *sym_broadcast (struct sym *, const struct term *value);

/* ---- eval.c: what an instruction computes ---- */

/* Emulate INSN, no branch; give its address, or NULL.  */
const struct term *eval_insn (struct sym *, const struct ptx_insn *insn);
/* The predicate under which INSN runs; constant 1 without a guard.  */
const struct term *eval_guard (struct sym *, const struct ptx_insn *insn);
unsigned eval_width (enum ptx_type type);
/* Whether special register R stays as it is while a thread runs.  */
bool eval_steady (enum ptx_sreg r);

/* ---- operation.c: what is inside atoms ---- */

/* The operation that INSN with NARGS operands is, or that on selected values of
   WIDTH bits.  */
struct operation operation_of (const struct ptx_insn *insn, unsigned nargs);
struct operation operation_select (unsigned width);

enum { TERM_LANES = 32, TERM_SEEDS = 4 };
/* T in each lane of a warp, for arbitrary inputs that SEED chooses, those below
   TERM_SEEDS for what goes wrong rarely; false when it is too large.  */
bool term_values (const struct term *t, unsigned seed,
		  uint64_t value[TERM_LANES]);

/* ---- solve.c: proofs by Z3 ---- */

struct solver;
/* MILLISECONDS: about how long all its answers may take together; 0: it proves
   nothing.  */
struct solver *solver_new (unsigned milliseconds);
void solver_free (struct solver *);
/* That time is over: from now on nothing is proved.  */
bool solver_is_spent (const struct solver *);
/* Whether A in the lane DELTA lanes on is B in this lane, for all lanes of a
   row of a block that have such a neighbour.  */
bool solver_same (struct solver *, const struct term *a, const struct term *b,
		  int delta);
/* Whether THERE is never 1 in the lane DELTA lanes on where the N predicates CONDITION
   are in both lanes, of the same row.  */
bool solver_excludes_there (struct solver *,
			    const struct term *const *condition, int n,
			    const struct term *there, int delta);
/* Whether the N predicates CONDITION are never 1 together.  */
bool solver_excludes (struct solver *, const struct term *const *condition,
		      int n);

/* ---- live.c: registers ---- */

/* What a change of the code does to a register: statement STMT reads USE too; or,
   with COPY, it is gone, and that is another name of USE; without USE, it is gone.  */
struct live_change
{
  const struct ptx_stmt *stmt;
  const struct ptx_sym *use, *copy;
};

/* The most registers of 32 bits that are live at once, with N changes; 0 where
   that is too much to find out.  */
unsigned live_pressure (const struct cfg *, const struct live_change *,
			int n);

/* ---- reuse.c: loads of what another load has fetched ---- */

enum { REUSE_MAX_WRAPS = 32 };

/* The extension of the 32-bit sum ARG, of which EXTENSION computes a value,
   must not overflow for ARG + LOW to ARG + HIGH, as a signed or an unsigned
   number; the lanes' parts of ARG taken off.  */
struct reuse_wrap
{
  const struct term *arg;
  bool is_signed;
  int64_t low, high;
  const struct sym_extension *extension;
};

struct reuse_load
{
  const struct sym_access *access;
  const struct term *key;	/* the address less its constant */
  int64_t offset;		/* that constant */
  bool candidate;		/* a load that we know how to move */
  int source;			/* index of another load, or -1 */
  int delta;			/* the source lane less this one */
  bool follows;			/* an earlier load within reach fetched the same,
				   be that a source or not */
  bool paper;			/* the paper has a source: one of these that
				   follows none itself */
  int previous;			/* index of a load that fetched the same for
				   this lane in the previous iteration of its
				   innermost loop, or -1 */
  unsigned wraps;		/* set of indices into reuse.wrap that must hold;
				   the source's are among them */
  bool proved;			/* by the solver: what is said about key,
				   offset and stride does not hold */
  bool check;			/* lanes are likely to be in the same iteration
				   of the loops around it, no more */
  const char *why;		/* there is no source */
  double proof_ms;		/* time that the search took */
};

struct reuse
{
  const struct sym *sym;
  int nloads, nwraps;
  struct reuse_load *load;	/* all loads but of parameters, in order */
  struct reuse_wrap wrap[REUSE_MAX_WRAPS];
  bool is_spent;		/* proofs took too long, there may be more */
};

/* Find for every load that has one the nearest source, no farther than
   MAX_DELTA lanes.  REGION may be NULL.  PROOF_MS: see solver_new.  */
struct reuse *reuse_find (const struct sym *, const struct origins *,
			  const struct acr_region *region, int max_delta,
			  unsigned proof_ms);
void reuse_free (struct reuse *);
/* The register that load INSN fetches element K of its vector to, NULL when that
   is none.  */
const struct ptx_sym *reuse_register (const struct ptx_insn *insn,
				      unsigned k);

#endif /* ACCRETE_ANALYSIS_H */

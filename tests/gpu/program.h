/* Random PTX programs over the instruction forms of tests/emu/semantics.def,
   and what they compute.

   A program is a tree of statements on registers.  Every statement has a
   result register of its own that is zero before and is written out in the
   end, so the first register that differs names the instruction at fault, and
   any statement may be left out to find the smallest program that shows it.

   What PTX leaves open never reaches a result: NaNs whose bits are not defined
   are replaced, approximations are not operands, lanes that shuffle and vote
   name exactly the lanes that get there, and what is written to memory of all
   threads commutes.

   One program is run by BLOCKS blocks of THREADS threads with inputs of their
   own.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TESTS_GPU_PROGRAM_H
#define ACCRETE_TESTS_GPU_PROGRAM_H

#include <stdio.h>

#include "rows.h"

enum
{
  BLOCKS = 2, THREADS = 64, LANES = BLOCKS * THREADS, WARP = 32,
  INPUTS = 20,			/* registers that start with an input */
  MAX_REGS = 96, MAX_STMTS = 64, MAX_PREDS = 16, MAX_FUNCS = 2,
  MAX_ARGS = 3,
  SCRATCH = 64,			/* bytes of a thread in each state space */
  CELLS = 8			/* 64-bit values that all threads update */
};

enum space
{
  SP_GLOBAL, SP_SHARED, SP_LOCAL, SPACES
};

enum stmt_kind
{
  S_ROW,			/* dst = row (src) */
  S_SREG,			/* dst = special register CHOICE */
  S_PRED,			/* pdst = (src & BITS) != 0 */
  S_IF,				/* if ((src & BITS) != 0) body; else other; */
  S_LOOP,			/* (src & BITS) times: body */
  S_LOAD, S_STORE,		/* thread's own scratch memory */
  S_ATOM,			/* dst = old value in scratch */
  S_RED,			/* combine src with cell BITS */
  S_SHFL, S_VOTE, S_MATCH, S_REDUX,
  S_EXCHANGE,			/* dst = src of another thread of the block */
  S_CALL,			/* dst = function CHOICE (src) */
  STMT_KINDS
};

struct operand
{
  bool imm;
  unsigned reg;
  uint64_t bits;		/* where IMM */
};

struct stmt
{
  enum stmt_kind kind;
  bool off;			/* left out */
  unsigned id;
  unsigned guard;		/* predicate + 1, or 0 */
  bool guard_neg;
  const struct row *row;	/* S_ROW */
  unsigned dst[4];
  struct operand src[4];	/* S_STORE: data; S_ATOM: b, c */
  unsigned pdst;		/* predicate + 1, or 0 */
  uint64_t bits;
  unsigned choice;		/* which operation, by kind */
  bool leader;			/* S_SHFL: from the first lane that is on */
  /* Memory.  */
  enum space space;
  bool generic;
  unsigned bytes, vec;		/* of an element; elements */
  bool is_signed;		/* load extends the sign */
  unsigned index;		/* register + 1 that moves the address, or 0 */
  unsigned offset;
  struct stmt *body, *other, *next;
};

struct reg
{
  unsigned bytes;		/* 2 4 8 */
  bool is_float;
  bool leaf;			/* not an operand of anything */
  bool in_func;			/* of a device function: not written out */
  const struct stmt *from;	/* whose result it is, or NULL */
};

/* A device function: straight-line code.  */
struct func
{
  unsigned nargs, arg[MAX_ARGS], result;
  struct stmt *body;
};

struct program
{
  struct reg reg[MAX_REGS];
  unsigned nregs;
  struct stmt stmt[MAX_STMTS];
  unsigned nstmts;
  unsigned npreds;
  struct func func[MAX_FUNCS];
  unsigned nfuncs;
  struct stmt *body;
  bool uses[SPACES];
  unsigned cell_op[CELLS];	/* how the threads combine it */
};

/* Memory of a run: what a kernel gets addresses of.  */
struct image
{
  uint64_t in[INPUTS][LANES];
  uint64_t out[MAX_REGS + 1][LANES];	/* registers, then predicates */
  unsigned char scratch[LANES][SCRATCH];
  uint64_t cells[CELLS];
};

/* Operands that an approximation had when it last ran.  */
struct trace
{
  uint64_t in[MAX_REGS][LANES][3];
};

/* generate.c */

/* The program that SEED, not 0, stands for.  */
void program_generate (struct program *, uint64_t seed);
/* Its inputs; the rest of the image is zero.  */
void program_inputs (const struct program *, uint64_t seed, struct image *);

/* print.c */

/* Write it as kernel "kID" of a unit.  */
void program_print (const struct program *, unsigned id, FILE *);
/* The statements alone, for messages.  */
void program_print_stmts (const struct program *, FILE *);

/* evaluate.c */

/* Run it on the host.  */
void program_evaluate (const struct program *, struct image *, struct trace *);

/* Tables of choices, by kind.  */
struct choice
{
  const char *text;
  unsigned bytes;		/* of operands */
};
extern const struct choice sreg_choice[], vote_choice[], redux_choice[],
  match_choice[], shfl_choice[], atom_choice[];
extern const unsigned n_sreg_choice, n_vote_choice, n_redux_choice, n_red_choice,
  n_match_choice, n_shfl_choice, n_atom_choice;

#endif /* ACCRETE_TESTS_GPU_PROGRAM_H */

/* What the files of the pass invariant share: invariant-find.c finds the operations of a
   resident loop that are the same in all rounds, invariant-pay.c chooses, invariant.c
   moves them, invariant-register.c knows operations and registers.

   Not thread-safe: a motion is its caller's.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_INVARIANT_INT_H
#define ACCRETE_INVARIANT_INT_H

#include "analysis/analysis.h"

/* How an operation leaves the loop.  */
enum way
{
  MOVES,			/* with its register */
  COPIES,			/* another register is set, and copied */
  SELECTED,			/* another register is set, of which a selection has
				   the value */
  SELECTS,			/* a selection of the two before it */
  REPEATS			/* what another register has */
};

/* An operation of the loop whose value is the same in all rounds.  */
struct item
{
  enum way way;
  int block;
  struct ptx_stmt *stmt;	/* SELECTS: the branch that the ways part by */
  struct ptx_sym *result;	/* in front of the loop; NULL: to be made */
  struct ptx_sym *reg;		/* what the operation sets */
  int of[2];			/* SELECTS: items, the branch's target first */
  struct ptx_sym *same;		/* REPEATS: that register */
  bool stays;
};

struct motion
{
  struct post *post;
  struct ptx_func *f;
  struct cfg *cfg;
  int loop;
  unsigned nregs;		/* of what follows */
  unsigned *ndefs;		/* by register: instructions that set it */
  bool *changes;		/* by register: set in the loop, or where not all ways
				   to it lead through */
  bool *inner;			/* by register: of a scope inside the function */
  int *item_of;			/* by register: the item that sets it, or -1 */
  struct ptx_sym **same;	/* by register: another one with its value, or NULL */
  bool *needed;			/* by register: by what stays */
  struct item *item;
  int nitems, room;
  unsigned nnames;
};

/* ---- invariant-register.c ---- */

bool invariant_register (const struct ptx_opnd *o);
bool invariant_predicate (const struct ptx_sym *reg);

/* The register that S alone sets, all of it and in any case; or NULL.  */
struct ptx_sym *invariant_result (const struct ptx_stmt *s);

/* Does S compute, from integers and predicates alone, the one that it sets, and nothing
   else?  */
bool invariant_operation (const struct ptx_stmt *s);

/* Find out what M says of registers; free that.  */
void invariant_registers (struct motion *m);
void invariant_forget (struct motion *m);

/* A new register of the type of LIKE; the largest number that such a register of M's
   function has.  */
struct ptx_sym *invariant_new_register (struct motion *m,
					const struct ptx_sym *like);
unsigned invariant_last_name (const struct motion *m);

/* Let S read TO where it reads REG.  */
void invariant_read_instead (struct motion *m, struct ptx_stmt *s,
			     const struct ptx_sym *reg, struct ptx_sym *to);

/* Give results that a block of the loop sets one after the other in one register
   registers of their own, but for the last.  */
void invariant_rename (struct motion *m);

/* ---- invariant-find.c ---- */

/* The register that stands for all that have REG's value.  */
struct ptx_sym *invariant_first (const struct motion *m, struct ptx_sym *reg);

/* Find M's items.  */
void invariant_find (struct motion *m);

/* ---- invariant-pay.c ---- */

/* Choose what moves.  Returns how many items do.  */
int invariant_choose (struct motion *m);

#endif /* ACCRETE_INVARIANT_INT_H */

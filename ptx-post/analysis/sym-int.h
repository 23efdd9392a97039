/* The state of a symbolic emulation, shared by sym.c (blocks and rounds),
   sym-loop.c (what registers hold at loops' headers) and sym-flow.c (which
   lanes go together).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_SYM_INT_H
#define ACCRETE_SYM_INT_H

#include "analysis/analysis.h"

/* Slots that are no registers: what has been stored to global memory, and to
   the others.  Their "values" only tell states apart.  */
enum { SLOT_GLOBAL, SLOT_OTHER, FIRST_REGISTER };

enum { NO_SLOT = -1 };

/* How a slot goes round a loop, from the best to the worst.  */
enum motion { MOTION_OPEN, MOTION_STEP, MOTION_UNIFORM, MOTION_ANY };

struct round_trip
{
  enum motion motion;
  const struct term *step;
  /* MOTION_ANY: the same for the value in lane 0, which never is
     MOTION_UNIFORM.  */
  enum motion motion0;
  const struct term *step0;
};

struct reg_info
{
  int slot;			/* NO_SLOT: one definition */
  int block, at;		/* of that definition */
};

struct sym_state
{
  bool uniform_params;
  struct origins *origins;
  int nslots;
  const struct ptx_sym **slot_reg;
  struct reg_info *reg;		/* by ptx_sym.index */
  const struct term **single;	/* values of registers without slot */
  const struct term **env;	/* current environment */
  const struct term **out;	/* by block and slot */
  bool *written;		/* by loop and slot */
  struct round_trip *trip;	/* by loop and slot */
  bool *reached, *reached0;	/* by block: in any lane; in lane 0 */
  bool *taken, *taken0;		/* by block and successor */
  const struct term **guard;	/* by block: predicate of its branch */
  bool *divergent;		/* by block: lanes may leave it separately */
  bool *meeting;		/* by block: lanes that diverged meet there */
  bool *syncs;			/* by block: has a barrier of the warp */
  int block;			/* current */
  int at;			/* current statement's number */
  int fresh;			/* unknown values that it has made */
  struct ptx_stmt *stmt;
  bool last_round, too_large;
  int access_room, extension_room;
};

/* ---- sym.c ---- */

/* What SLOT holds at the head of BLOCK; WHERE tells apart what a loop's header
   gets from outside (1), from inside (2), and the value of an iteration, also
   in lane 0 (3).  LANE0, or NULL: the value in lane 0.  */
const struct term *sym_join (struct sym *, int slot, int block, int where,
			     unsigned width, bool uniform,
			     const struct term *lane0);

/* ---- sym-loop.c ---- */

/* What SLOT holds at the head of BLOCK, where it comes from the edges that are
   back edges or not.  NULL: no such edge is taken.  */
const struct term *sym_incoming (struct sym *, int block, int slot, bool back);
/* What SLOT holds at the header BLOCK of LOOP, as far as we assume.  */
const struct term *sym_at_header (struct sym *, int block, int loop, int slot);
/* Check how SLOT went round LOOP; true when the assumption did not hold.  */
bool sym_check_trip (struct sym *, int loop, int slot);

/* ---- sym-flow.c ---- */

/* Whether a value of block FROM's loops, in SLOT or NO_SLOT, may differ between
   the lanes that meet in block TO, because they left one of these loops at
   different times.  */
bool sym_is_stale (const struct sym *, int from, int to, int slot);
/* Find branches on which lanes may disagree; true when there are new ones. */
bool sym_check_branches (struct sym *);

#endif /* ACCRETE_SYM_INT_H */

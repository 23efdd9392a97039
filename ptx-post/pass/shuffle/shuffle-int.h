/* What the files of the pass shuffle share: shuffle.c chooses,
   shuffle-write.c writes what becomes of loads, shuffle-carry.c what loops
   keep, shuffle-mask.c which lanes have no source.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_SHUFFLE_INT_H
#define ACCRETE_SHUFFLE_INT_H

#include "analysis/analysis.h"

/* Registers of a rewritten function start with this; no percent sign, which
   format strings would not let through.  */
#define PREFIX "$acr_"

/* What becomes of a load.  */
enum form
{
  FORM_LOAD,				/* it stays */
  FORM_COPY,				/* of what this lane has */
  FORM_KEPT,				/* of what it had an iteration ago */
  FORM_CORNER,				/* the paper's */
  FORM_HALO
};

/* Forms that may be used, 1 << enum form.  */
enum
{
  TAKE_COPY = 1 << FORM_COPY,
  TAKE_KEPT = 1 << FORM_KEPT,
  TAKE_CORNER = 1 << FORM_CORNER,
  TAKE_HALO = 1 << FORM_HALO
};

/* A load as a source.  */
struct source
{
  bool is_copied;			/* another load takes its value */
  bool is_kept;				/* ... an iteration later */
  int up, down;				/* lanes that its halo serves at either
					   end, 0: there is none */
};

/* A function that is being rewritten.  */
struct rewriter
{
  struct post *p;
  struct ptx_func *f;
  const struct reuse *r;
  enum form *form;			/* by load */
  const char **why;			/* by load: not a better form */
  struct source *source;		/* by load */
  bool failed;
};

/* ---- shuffle-write.c ---- */

/* Write the forms that were chosen.  */
void shuffle_write (struct rewriter *);
/* A stream into *TEXT, and its insertion behind AFTER.  */
FILE *shuffle_open (char **text, size_t *len);
void shuffle_insert (struct rewriter *, struct ptx_stmt *after, FILE *,
		     char **text);
/* Which deltas the loads of form FORM have, as a set by DELTA +
   POST_MAX_DELTA; the loads of block BLOCK only, unless that is CFG_NONE.  */
uint64_t shuffle_deltas (const struct rewriter *, enum form form, int block);
/* Declare a register of TYPE whose name PRINT gives for each delta of SET.  */
void shuffle_declare (FILE *, const char *type, uint64_t set,
		      void (*print) (FILE *, int));

/* The registers that load I fetches to, and their bits.  */
unsigned shuffle_count (const struct rewriter *, int i);
unsigned shuffle_bits (const struct rewriter *, int i);
/* The copy of register K of source load I.  */
void shuffle_print_source (FILE *, int i, unsigned k);

/* ---- shuffle-cost.c ---- */

enum { SHUFFLE_GPUS = 16 };	/* as many as gpu.def may have */
/* The time that loads take in the forms that are chosen, on each GPU; 0 where
   that is not known.  */
void shuffle_time (const struct rewriter *, unsigned time[SHUFFLE_GPUS]);
/* Whether they take much less than WAS, on every GPU for which the unit is.  */
bool shuffle_is_faster (const struct rewriter *,
			const unsigned was[SHUFFLE_GPUS]);
/* The registers that are live at once, about: in the code as it is, and with the
   forms that are chosen.  */
void shuffle_registers (const struct rewriter *, unsigned *before,
			unsigned *after);
/* Whether so many PERCENT of the warps of before fit on a multiprocessor of these
   GPUs.  */
bool shuffle_fits (const struct rewriter *, unsigned percent);

/* ---- shuffle-carry.c ---- */

/* Whether the lanes count LOOP's iterations, to compare them.  */
bool shuffle_counts (const struct rewriter *, int loop);
void shuffle_declare_loops (FILE *, const struct rewriter *);
/* What loops do at their entries and heads.  */
void shuffle_write_loops (struct rewriter *);
/* What becomes of load I.  */
void shuffle_print_kept_load (FILE *, const struct rewriter *, int i);

/* ---- shuffle-mask.c ---- */

/* A predicate's name: the lanes that have no source DELTA lanes on.  */
void shuffle_print_edge (FILE *, int delta);
/* Declare the predicates, and compute what is so once a kernel.  */
void shuffle_write_rows (FILE *, const struct rewriter *);
/* Conditions on overflow, behind the extensions that they are about.  */
void shuffle_write_wraps (struct rewriter *);

/* Where the masks stand that the next load may use.  */
struct masks
{
  int block;				/* or CFG_NONE */
  unsigned known;			/* their conditions, a set of wraps */
  const struct ptx_stmt *since;
};

/* Before load I, what it needs to know about the lanes, unless *M is that.  */
void shuffle_write_masks (struct rewriter *, int i, struct masks *m);

#endif /* ACCRETE_SHUFFLE_INT_H */

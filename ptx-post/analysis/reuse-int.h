/* What the files of the search for reusable loads share: reuse.c compares
   addresses, reuse-flow.c says which loads are available where.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_REUSE_INT_H
#define ACCRETE_REUSE_INT_H

#include "analysis/analysis.h"

/* In which sense the value that a load fetched is available.  */
enum reuse_sense
{
  REUSE_WARP,			/* nothing may have been stored there */
  REUSE_LANE,			/* this lane has not stored there: what others
				   store without a barrier is a race */
  REUSE_PREVIOUS,		/* as in REUSE_LANE, what it fetched in the
				   previous iteration of its innermost loop, if
				   there was one */
  REUSE_SENSES
};

typedef uint64_t reuse_word;

/* What the search works on.  A set has a bit for each load and sense.  */
struct search
{
  struct reuse *r;
  const struct origins *origins;
  const struct acr_region *region;
  int max_delta;
  int words;			/* of a set */
  reuse_word *in, *out;		/* by block: available loads */
  reuse_word *kill;		/* by access that writes: loads it changes */
  int *load_of;			/* by access: index of the load, or -1 */
  bool *dead;			/* by block: control never comes there */
  bool blocked;			/* a store kept a load from its source */
  struct solver *solver;
  struct reuse_values *values;	/* reuse-prove.c's own, by load */
  int pairs, unproved;		/* loads behind guards, and what is not proved */
};

/* Whether SET has load I in SENSE.  */
bool reuse_has (const struct search *, const reuse_word *set, int i,
		enum reuse_sense sense);
/* Find what is available at the head of every block; false when that is too
   much.  reuse_flow_free frees what it needs.  */
bool reuse_flow (struct search *);
void reuse_flow_free (struct search *);
/* What is available at the head of block B into SET, where control does not take
   the edges CUT, 2 * block + successor, on its way there in the same iteration of
   B's innermost loop.  */
void reuse_flow_to (const struct search *, int b, const bool *cut,
		    reuse_word *set);
/* The number of lanes between loads A and B; false when there is none.  */
bool reuse_delta (const struct search *, const struct reuse_load *a,
		  const struct reuse_load *b, int *delta);
/* What ACCESS does to the set of available loads.  */
void reuse_step (const struct search *, int access, reuse_word *set);
/* The state space that INSN accesses, or PTX_SP_NONE.  */
enum ptx_space reuse_space (const struct search *, const struct ptx_insn *);

/* ---- reuse-prove.c ---- */

/* Find a source for load B, that has none, among those that SET says are there;
   LOCKSTEP: lanes are in the same iterations of all loops.  */
void reuse_prove_source (struct search *, int b, const reuse_word *set,
			 bool lockstep);
/* Find stores that control never comes to; whether there are any.  */
bool reuse_prove_dead (struct search *);
/* Mark in CUT, see reuse_flow_to, the edges that exclude what holds in block B;
   whether there are any.  */
bool reuse_prove_ways (struct search *, int b, bool *cut);
/* The same for load B, in lockstep, of those behind other branches than B, where B's
   conditions in all lanes of a warp have the source's lane go there.  */
void reuse_prove_guarded (struct search *, int b);
/* Whether A and B load in the same way.  */
bool reuse_same_type (const struct ptx_insn *a, const struct ptx_insn *b);

#endif /* ACCRETE_REUSE_INT_H */

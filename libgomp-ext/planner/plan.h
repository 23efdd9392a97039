/* Inside the planner; graph.h is its public face.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_PLAN_H
#define ACCRETE_PLAN_H

#include "planner/graph.h"

#include <stddef.h>

/* plan-arena.c: memory that is released all at once.  The first failed malloc
   longjmps to the arena's handler, so that the algorithms need not look.  */

#include <setjmp.h>

struct acr_chunk;
struct acr_arena
{
  struct acr_chunk *chunks;
  jmp_buf nomem;
};

/* Zeroed memory for N objects of SIZE bytes.  */
void *acr_arena_alloc (struct acr_arena *a, size_t n, size_t size);
void acr_arena_free (struct acr_arena *a);

#define ACR_NEW(arena, type, n)                                               \
  ((type *)acr_arena_alloc ((arena), (n), sizeof (type)))

/* graph.c: the program.  */

struct acr_use
{
  unsigned kernel;
  unsigned access; /* ACR_ACCESS_* */
  unsigned vector;
};

struct acr_vector
{
  size_t bytes;
  enum acr_where entry, exit;
  unsigned defined; /* boundary from which it has a value, or UINT_MAX */
};

struct acr_graph
{
  struct acr_vector *vectors;
  unsigned nvectors, vector_room;
  enum acr_where *kernels;
  unsigned nkernels, kernel_room;
  struct acr_use *uses; /* in program order */
  unsigned nuses, use_room;
  size_t bytes; /* of all vectors */
};

/* The state of one planning.  Everything lives in ARENA.  */
struct acr_work
{
  struct acr_arena *arena;
  const struct acr_graph *g;
  const struct acr_plan_options *opt;
  unsigned nvectors, nsteps; /* boundaries are 0..nsteps */
  uint64_t moves;            /* of local search, left to this component */

  unsigned ntransfers;
  struct acr_transfer *transfers; /* by vector, then by time */
  unsigned *transfer_of;          /* [v], [v+1]: those of vector v */
  unsigned boundaries;            /* the fewest pairs of a direction and a boundary
                                     at which all transfers can be, before a cap */
  unsigned ncopies;
  struct acr_copy *copies;

  struct acr_use *uses; /* by vector, then by time */
  unsigned *use_of;

  unsigned ncomponents;
  unsigned *component; /* first place of each, and nvectors */
  unsigned *order;     /* vectors, component by component */
};

/* plan-window.c: versions of every vector, the copies of them on the device,
   and their transfers with windows.  Fills transfers, copies, uses.  */
void acr_work_analyse (struct acr_work *w);

/* plan-affinity.c: the affinity graph.  */

/* Connected components: fills ncomponents, component, order.  */
void acr_affinity_components (struct acr_work *w);

/* Do the windows of A and B meet, in the same direction?  */
static inline bool
acr_windows_meet (const struct acr_transfer *a, const struct acr_transfer *b)
{
  return a->dir == b->dir && a->earliest <= b->latest
         && b->earliest <= a->latest;
}

/* A symmetric matrix of weights between N vectors.  */
struct acr_weights
{
  unsigned n;
  const unsigned *v; /* a copy of what it was made for */
  unsigned *a;       /* n * n, indexed as V */
};

/* One unit of affinity, so that the paper's epsilon is 1 and all of them on
   a path stay below one unit.  */
enum
{
  ACR_AFFINITY_UNIT = 1 << 12,
  ACR_MATRIX_MAX = 1 << 10
};

/* Affinity: ACR_AFFINITY_UNIT for each pair of transfers of X and Y that may
   fuse.  The matrix adds epsilon for operands of the same kernel.  */
unsigned acr_affinity (const struct acr_work *w, unsigned x, unsigned y);
struct acr_weights acr_affinity_weights (struct acr_work *w, const unsigned *v,
                                         unsigned n);

/* How many transfers of X and Y happen at the same boundary: what adjacency
   saves once times are chosen.  */
unsigned acr_shared_times (const struct acr_work *w, unsigned x, unsigned y);
struct acr_weights acr_shared_weights (struct acr_work *w, const unsigned *v,
                                       unsigned n);

/* plan-path.c: heavy Hamiltonian paths.  A path is a permutation of 0..n-1;
   vectors without an edge between them may follow each other at weight 0.  */

uint64_t acr_path_weight (const struct acr_weights *a, const unsigned *path);

/* Exact dynamic programming, 0 < n <= ACR_EXACT_LIMIT.  best[mask * n + i]
   is the weight of the heaviest path that starts at i, then visits exactly
   the set MASK, which does not hold i.  */
unsigned *acr_path_table (struct acr_arena *arena,
                          const struct acr_weights *a);
void acr_path_exact (const struct acr_weights *a, const unsigned *table,
                     unsigned *path);

/* One affinity-biased randomised depth-first search.  */
void acr_path_search (struct acr_arena *arena, const struct acr_weights *a,
                      uint64_t *rng, unsigned *path);

/* Make PATH heavier by 2-opt and or-opt moves, until none helps or *MOVES
   ranges have been tried; counts *MOVES down.  */
void acr_path_improve (struct acr_arena *arena, const struct acr_weights *a,
                       uint64_t *moves, unsigned *path);

/* plan-emit.c: choosing times.  */

/* Times before places: choose a boundary for every transfer so that the
   number of (direction, boundary) pairs used is least; every plan of
   single-transfer components becomes optimal by this.  */
void acr_emit_times (struct acr_work *w, enum acr_plan_emit emit);

/* Times after places: choose boundaries for the transfers of the N vectors
   V, placed in that order.  Returns how many startups that saves.  */
unsigned acr_emit_ordered (struct acr_work *w, const unsigned *v, unsigned n,
                           enum acr_plan_emit emit);

/* How many startups V's order saves at the boundaries chosen.  */
unsigned acr_emit_saved (const struct acr_work *w, const unsigned *v,
                         unsigned n);

/* plan-exact.c: orders and times together, for small components.  A are the
   affinities of V, TABLE their acr_path_table; SAVED is what the caller has
   already, TARGET what nobody can exceed.  When more than SAVED can be had,
   V and the transfers change.  *DONE: the result is proved optimal.  */
unsigned acr_exact_improve (struct acr_work *w, unsigned *v,
                            const struct acr_weights *a, const unsigned *table,
                            unsigned saved, unsigned target, bool *done);

/* plan-cap.c: the memory cap.  */

/* The steps that copy C takes at the boundaries chosen.  */
void acr_cap_extent (const struct acr_work *w, const struct acr_copy *c,
                     int *first, int *last);

/* Bytes on the device in each step.  */
void acr_cap_live (const struct acr_work *w, size_t *live);

/* Split copies and choose boundaries such that no step holds more than CAP
   bytes.  Every step must fit on its own.  */
void acr_cap_times (struct acr_work *w, size_t cap);

#endif /* ACCRETE_PLAN_H */

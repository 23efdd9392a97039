/* OpenMP regions as plain kernels: what the files spmd*.cc share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_SPMD_H
#define ACCRETE_SPMD_H

#include "accrete.h"
#include "gimplify.h"
#include "tree-inline.h"
#include "omp-low.h"

/* spmd-nest.cc: the constructs of a region.  */

/* One variable declared between the target and the loop.  */
struct spmd_local
{
  tree var;
  /* Its scope is within this many constructs.  */
  unsigned depth;
};

/* A region of the form that can become a kernel: constructs one inside the
   other, of which the last is the loop, and on the way only statements that
   every thread may execute for itself.  */
struct spmd_nest
{
  gomp_target *target;
  /* Constructs inside the target, the outermost first; the last is LOOP.  */
  auto_vec<gimple *, 8> levels;
  gomp_for *loop;
  /* What is executed before the loop.  */
  auto_vec<gimple *, 16> before;
  auto_vec<spmd_local, 16> locals;
  /* Variables declared within fewer constructs than this belong to several
     threads.  */
  unsigned thread_depth;
};

/* Bring the region of TARGET into NEST.  The result is NULL, or why it is not
   of that form.  */
const char *spmd_find_nest (gomp_target *target, spmd_nest *nest);

/* The clauses of the construct STMT.  */
tree spmd_clauses (const gimple *stmt);

/* The construct of NEST with code CODE, or NULL.  */
gimple *spmd_level (const spmd_nest *nest, enum gimple_code code);

/* spmd-share.cc: what a thread's variables are.  */

/* A variable that every thread has for itself.  */
struct spmd_private
{
  tree var;
  /* The kernel's variable instead.  */
  tree own;
  /* It starts with VAR's value.  */
  bool copy_in;
  /* Both are pointers to the variable proper.  */
  bool by_reference;
  /* The clause, when it is a partial result; else NULL.  */
  tree reduction;
};

struct spmd_sharing
{
  auto_vec<spmd_private, 16> privates;
};

/* Decide about all variables of NEST.  The result is NULL, or why the kernel
   cannot have them.  */
const char *spmd_find_sharing (const spmd_nest *nest, spmd_sharing *sharing);

/* Give every private variable its OWN, declared in the bind BIND and set up in
   SEQ.  */
void spmd_make_own (spmd_sharing *sharing, gbind *bind, gimple_seq *seq);

/* A copy of SEQ with a thread's own variables and labels.  */
gimple_seq spmd_copy (const spmd_sharing *sharing, gimple_seq seq);

/* A copy of EXPR with a thread's own variables.  */
tree spmd_copy_expr (const spmd_sharing *sharing, tree expr);

/* spmd-space.cc: the iterations of a loop nest, numbered.  */

/* Why the iterations of LOOP cannot be numbered, or NULL.  */
const char *spmd_space_why_not (const gomp_for *loop);

/* How a thread comes from the number of an iteration to the loop variables.
   Numbers are unsigned 64-bit; variables and bounds are SHARING's.  */
struct spmd_space
{
  const gomp_for *loop;
  const spmd_sharing *sharing;
  /* Iterations of all loops, and of each.  */
  tree total;
  auto_vec<tree, 4> trips;
  /* Per loop, the position of the iteration in hand, and how far to step.
     Empty for a single loop, where the iteration's number is the position.  */
  auto_vec<tree, 4> at, by;
};

/* Add to SEQ the computation of the trip counts of LOOP.  */
void spmd_space_count (spmd_space *space, const gomp_for *loop,
		       const spmd_sharing *sharing, gimple_seq *seq);

/* Add to SEQ what goes to the iteration K, of which there is one, for a thread
   that will step by N.  */
void spmd_space_start (spmd_space *space, tree k, tree n, gimple_seq *seq);

/* Add to SEQ what sets the loop variables for iteration K.  */
void spmd_space_set (const spmd_space *space, tree k, gimple_seq *seq);

/* Add to SEQ the step.  */
void spmd_space_step (const spmd_space *space, gimple_seq *seq);

/* spmd-reduce.cc */

/* Why the clause C, for a variable of TYPE, cannot be done, or NULL.  */
const char *spmd_reduction_why_not (tree c, tree type);

/* Where a thread is; all are variables.  */
struct spmd_place
{
  /* In its block, and how many threads that has; unsigned int.  */
  tree id, block_size;
  /* Among those of the grid that take part, and their number; unsigned
     64-bit.  */
  tree global_id, threads;
};

/* Add to SEQ, which all threads of the block at PLACE execute, that P's partial
   results go into the variable.  */
void spmd_reduce (const spmd_private *p, const spmd_place *place,
		  gimple_seq *seq);

/* spmd-atomic.cc: atomic updates.  Before omp-low they are calls, since GCC
   wants no directive beside a teams construct.  */

/* Add to SEQ the start of the update of what the pointer ADDRESS leads to, of
   TYPE; the result is its value.  */
tree spmd_atomic_load (tree address, tree type, gimple_seq *seq);

/* Add to SEQ the end of the update: the new value is VALUE.  */
void spmd_atomic_store (tree value, gimple_seq *seq);

/* After omp-low: make the calls in BODY what they stand for.  */
void spmd_atomic_finish (gimple_seq *body);

/* spmd.cc: helpers for making statements.  */

tree spmd_label (void);
void spmd_add_label (tree label, gimple_seq *seq);
void spmd_add_goto (tree label, gimple_seq *seq);

/* Add to SEQ: go to YES when A CODE B, else to NO.  */
void spmd_add_branch (enum tree_code code, tree a, tree b, tree yes, tree no,
		      gimple_seq *seq);

/* A new variable of TYPE called after NAME, for the gimplify context.  */
tree spmd_temp (tree type, const char *name);

/* Add TO = EXPR to SEQ.  */
void spmd_set (tree to, tree expr, gimple_seq *seq);

/* Add a new variable with the value EXPR to SEQ.  */
tree spmd_value (tree expr, const char *name, gimple_seq *seq);

/* A statement that is DEVICE in the compiler for the device and HOST in the
   host's, once .GOMP_USE_SIMT has been resolved: the function must not have
   PROP_gimple_lomp_dev after omp-low.  */
gimple *spmd_two_forms (gimple *device, gimple_seq host);

#endif /* ACCRETE_SPMD_H */

/* The block form of regions: what the files block*.cc share.

   A team is a block, whose threads execute together what the team's one thread
   does in between parallel constructs, and each for itself what stands in
   those. block.cc says more.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_BLOCK_H
#define ACCRETE_BLOCK_H

#include "spmd/spmd.h"

/* A region of this form: a target construct with a teams construct, or without
   one, and in that any statements and parallel constructs.  */
struct block_region
{
  const region *r;
  gomp_target *target;
  /* All code of the region, or of the copy that becomes a kernel.  */
  gimple_seq *code;
  /* NULL when there is one team, the target's.  */
  gimple *teams;
  /* The constructs around a team's code and around a thread's, by which
     questions are answered; the second has the parallel construct as well.  */
  spmd_nest team, thread;
  /* Variables of which each team has one, and those of them that begin with
     the value of the target's.  */
  hash_set<tree> own, copied;
  /* Those of the loop over teams in hand that are the team's.  */
  hash_set<tree> lifted;
  /* References among them to what is the team's.  */
  hash_set<tree> referring;
  /* Those that lie in the shared memory of the block: several threads set
     them, or something has their address.  Each thread has the others for
     itself, and all the same value.  */
  hash_set<tree> shared;
  /* The clauses about partial results of the team, and those.  */
  auto_vec<tree, 4> reductions, results;
  /* There is a parallel construct.  */
  bool parallel;
  /* The team's code loads from shared memory: nobody may store there before
     all have.  */
  bool loads;
  /* There is a barrier inside a parallel construct.  */
  bool barriers;
  /* The program can tell which iterations a thread executes.  */
  bool tells;
  /* The static variables that stand for SHARED, and for what one thread tells
     the others.  */
  hash_set<tree> placed;
  /* Those by which one thread tells the others something, one for a type.  */
  auto_vec<tree, 4> slots;
};

/* block-find.cc: bring BODY, that of R or a copy of it, into B.  The result is
   NULL, or why it is not of the form.  */
const char *block_find (const region *r, gimple_seq body, block_region *b);

/* block-memory.cc: does memory at BASE, of a reference in the region B, belong
   to more than a team?  */
bool block_memory_p (const block_region *b, tree base);

/* Is REF the same as long as the region B runs, or the thread's or the
   team's?  */
bool block_constant_p (const block_region *b, tree ref);

/* block-race.cc: do the threads of PARALLEL, in B, set VAR without regard to each other, so
   that each may have its own?  UNORDERED: a team executes PARALLEL once at the
   most, and nothing in it orders threads.  */
bool block_races_p (const block_region *b, gimple *parallel, tree var,
		    bool unordered);

/* block-leak.cc: may a thread's address of one of the variables ADDRESSED, of
   threads, get from BODY, that of B, to where another finds it?  */
bool block_leaks_p (const block_region *b, gimple_seq body,
		    const hash_set<tree> *addressed);

/* Is STMT half of an atomic update?  */
static inline bool
block_atomic_p (const gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_OMP_ATOMIC_LOAD
	 || gimple_code (stmt) == GIMPLE_OMP_ATOMIC_STORE;
}

/* block-alone.cc: is STMT, of a team's code, a scope that one thread can go
   through for all?  */
bool block_alone_p (const block_region *b, gimple *stmt);

/* block-share.cc: the variables of threads in a construct.  */

/* The variables that the clauses of STMT, a parallel construct or one in it,
   give each thread.  The result is NULL, or why they cannot be had.  */
const char *block_privates (gimple *stmt, spmd_sharing *sharing);

/* Let the loop construct LOOP of a team, or of threads, be INNER, with what
   its threads have in SHARING.  If it is all that a parallel construct has,
   that is PARALLEL, else NULL.  The result is NULL, or why this cannot be.  */
const char *block_find_loop (const block_region *b, gomp_for *loop,
			     gimple *parallel, spmd_nest *inner,
			     spmd_sharing *sharing);

/* Let BODY, a copy which B is about, have the team's variables where they are
   to be: in shared memory, or declared in BIND.  SEQ gets what the block
   executes when a team of it begins.  */
void block_place_variables (block_region *b, gbind *bind,
			    const spmd_place *place, gimple_seq *body,
			    gimple_seq *seq);

/* A variable of TYPE in the shared memory of the block, called after NAME.  */
tree block_variable (tree type, const char *name);

/* block-meet.cc: barriers.  */

/* Threads of a block that execute a parallel construct.  */
struct block_party
{
  /* A variable: are they all of the block?  */
  tree whole;
  /* Do they meet before the end?  */
  bool meets;
};

/* Add to SEQ a barrier of the block.  */
void block_meet (gimple_seq *seq);

/* Add to SEQ one of the threads of PARTY alone.  */
void block_meet_party (const block_party *party, gimple_seq *seq);

/* Add to SEQ what ends PARTY, executed by its threads, and where the label
   IDLE is those that are not in it wait for them.  */
void block_end_party (const block_party *party, tree idle, gimple_seq *seq);

/* block-team.cc: let CODE, that of a team of B at PLACE, be what the threads
   of the block execute.  */
void block_team_code (block_region *b, const spmd_place *place,
		      gimple_seq *code);

/* block-thread.cc: what the block at PLACE executes instead of PARALLEL.  */
gimple *block_threads (block_region *b, const spmd_place *place,
		       gimple *parallel);

/* What it executes instead of LOOP, which is shared out among teams; its body
   is that of a kernel already.  */
gimple *block_teams_loop (const block_region *b, const spmd_place *place,
			  gomp_for *loop);

#endif /* ACCRETE_BLOCK_H */

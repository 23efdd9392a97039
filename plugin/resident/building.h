/* The construct that stands for a loop, while it is built: what the files
   resident-region.cc, resident-clause.cc and resident-copy.cc share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_RESIDENT_BUILDING_H
#define ACCRETE_RESIDENT_BUILDING_H

#include "fuse/fuse.h"
#include "resident/resident.h"

struct building
{
  resident *x;
  host_loop *l;
  host_entry *e;
  host_values *v;
  /* What is executed in front of the construct.  */
  gimple_seq *seq;
  /* The numbers of pointers, variables of a thread.  */
  auto_vec<tree> numbers;
  /* Variables for SSA names.  */
  hash_map<tree, tree> names;
  /* Values of statements that the host executes once.  */
  hash_map<int_hash<unsigned, -1U, -2U>, tree> steady;
  /* What the construct has by value.  */
  hash_set<tree> values;
  tree clauses = NULL_TREE;
  /* The statement at which a clause's operands are computed.  */
  hash_map<tree, unsigned> at;
};

/* ---- Clauses: resident-clause.cc ---- */

/* The clause CODE about VAR.  */
tree clause_about (omp_clause_code code, tree var);

/* VAR comes by value.  */
void building_add_value (building *b, tree var);

/* Let B have the clauses of region I of its loop, but for maps.  Why it
   cannot, or NULL.  */
const char *building_take_region (building *b, unsigned i);

/* Merge the maps of region I into the construct of F; the region's results
   come and go by value.  Why they cannot be merged, or NULL.  */
const char *building_merge_maps (building *b, fusion *f, unsigned i);

/* Is what the clause C of F's construct is about there in any case, as far as
   a data construct or C itself says?  */
bool building_there_p (const fusion *f, tree c);

/* ---- The copy: resident-copy.cc ---- */

/* The construct's body, a copy of the loop.  */
gimple_seq building_body (building *b);

#endif /* ACCRETE_RESIDENT_BUILDING_H */

/* A kernels construct as a list of parts.

   The line of a construct (loop.h) is cut into parts, in the order of the
   source: each is a loop nest that runs in parallel, or a run of statements
   that one thread executes.  What lies between parts is host code: assignments
   to scalars, tests of them and jumps; it is executed where it stands.

	 if (n > 0)		host code	if (n > 0)
	   for (...) ...	a nest		  #pragma acc parallel loop ...
	 s = n + 1;		host code	s = n + 1;
	 for (...) ... s ...	a nest		#pragma acc parallel loop ...
						  firstprivate(s)

   The host may execute that because a scalar of a kernels region is copied in
   and out by a mapping that is always new: its value between two parts is the
   host's, and each part takes it from there (firstprivate) and gives it back
   (a mapping of its own) where it is looked at afterwards.  Data that are no
   scalars stay on the device between parts: a data construct with the clauses
   of the kernels construct is around them, unless one of the source's is.

   All guards are evaluated before the first part, in terms of values at the
   start of the construct; where one fails, the whole construct runs in
   order.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_PARTS_H
#define ACCRETE_PARTS_H

#include "loop/loop.h"

/* Levels of parallelism that a directive can name, from the outside in.  */
static const omp_clause_code kernels_levels[]
  = { OMP_CLAUSE_GANG, OMP_CLAUSE_WORKER, OMP_CLAUSE_VECTOR };

/* The clauses by which a region says how wide each of them is.  */
static const omp_clause_code kernels_numbers[]
  = { OMP_CLAUSE_NUM_GANGS, OMP_CLAUSE_NUM_WORKERS,
      OMP_CLAUSE_VECTOR_LENGTH };

enum
{
  LEVELS = ARRAY_SIZE (kernels_levels)
};

struct part
{
  /* Its places on the line.  A nest may have statements in front of its loop
     that each thread executes for itself; among these may be places of the
     host, which it executes before.  */
  unsigned begin, end;
  /* The outermost loop of the nest, or NULL: one thread executes the part,
     because of WHY.  */
  line_loop *nest;
  const char *why;
  location_t loc;
  /* What must be true for the loops decided to run in parallel, and for the
     outermost one alone; boolean_true_node where nothing is left open.  */
  tree guard, outer_guard;
  /* Arguments of gang, worker and vector clauses, for the region.  */
  tree sizes[LEVELS];
  /* Scalars that the nest's last iteration stores for what comes after it.  */
  auto_vec<tree> stored;
};

/* What becomes of a place on the line.  */
enum place
{
  PLACE_HOST,
  PLACE_PART
};

#endif /* ACCRETE_PARTS_H */

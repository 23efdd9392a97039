/* Kernels constructs: what the files kernels*.cc share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_KERNELS_H
#define ACCRETE_KERNELS_H

#include "loop/loop.h"
#include "gimplify-me.h"
#include "tree-inline.h"
#include "gimple-expr.h"

/* From the outside in.  */
static const omp_clause_code kernels_levels[]
  = { OMP_CLAUSE_GANG, OMP_CLAUSE_WORKER, OMP_CLAUSE_VECTOR };

enum
{
  LEVELS = ARRAY_SIZE (kernels_levels)
};

/* The rewriting of one construct.  */
struct rewrite
{
  line l;
  gomp_target *stmt;
  /* The loop to run in parallel.  */
  line_loop *what;
  /* To be checked by the program: for all loops that run in parallel, and for
     WHAT alone.  */
  tree guard, outer_guard;
  /* Replacements of variables inside the new region.  */
  hash_map<tree, tree> *map;
  /* Variables of the host code around it, and those of the region.  */
  tree host_vars, region_vars;
  /* Arguments of gang, worker and vector clauses, for the region.  */
  tree sizes[LEVELS];
  /* Variables that the last iteration stores.  */
  auto_vec<tree> stored;
};

/* kernels.cc: clauses and values.  */

/* Is VAR in a clause CODE of the directive of L?  */
bool kernels_in_clause_p (const line_loop *l, omp_clause_code code, tree var);

/* The pointer variable that REF is just what it points to, or NULL.  */
tree kernels_dereferenced (tree ref);

/* The clause of the construct STMT that maps WHAT, or NULL.  */
tree kernels_map_of (const gomp_target *stmt, tree what);

/* Is the mapping of WHAT by STMT always a new one?  */
bool kernels_fresh_p (const gomp_target *stmt, tree what);

/* Can the host compute the value that EXPR has at the start of the region?  */
bool kernels_host_value_p (rewrite *w, tree expr);

/* kernels-last.cc: values after the region.  */

/* Is VAR mentioned in the function outside of the construct?  */
bool kernels_mentioned_elsewhere_p (const rewrite *w, tree var);

/* Set the index of L to its last value.  */
void kernels_emit_last_value (const line_loop *l, gimple_seq *seq);

/* Does the loop that runs in parallel reduce VAR?  */
bool kernels_reduced_p (const rewrite *w, tree var);

/* Does the region need a variable of its own for VAR, which was there before
   it and is set in the loop?  */
bool kernels_privatized_p (const rewrite *w, tree var);

/* The loop whose every iteration sets VAR, which is set nowhere else, and which
   is reached in the last iterations of the loops around it, if it is ever;
   else NULL.  */
const line_loop *kernels_storing_loop (const rewrite *w, tree var);

/* What keeps the last value of VAR, which the loop sets, from being known after
   the region?  Those that the last iteration is to store are entered in W.  */
const char *kernels_last_value_bar (rewrite *w, tree var);

/* kernels-code.cc: the new code.  */

/* All that takes the place of the construct.  */
gbind *kernels_make_code (rewrite *w);

#endif /* ACCRETE_KERNELS_H */

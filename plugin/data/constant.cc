/* Constants that a construct copies back.

   OpenACC maps the arrays that a region mentions "copy", and a program may say so of
   any variable.  At the end libgomp copies what is in read-only memory back to there,
   and the process dies: tables that are static const, Fortran's parameters, the function
   name that assert is given.  (OpenMP maps const variables "to", if no clause says
   otherwise.)

     acc parallel copy (a, t)   becomes   acc parallel copy (a) copyin (t)

   What is defined const has the value on the device that it has on the host, as no
   program may change it (C17 6.7.3, [dcl.type.cv], Fortran 2018 8.5.13).

   Needs: GIMPLE before omp-low.  Keeps: values.  Breaks: nothing.
   Source: oacc_default_clause and gimplify_adjust_omp_clauses_1 in GCC's gimplify.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "gomp-constants.h"

/* KIND without the copy back.  */
static gomp_map_kind
one_way (gomp_map_kind kind)
{
  switch (kind)
    {
    case GOMP_MAP_FROM:
      return GOMP_MAP_ALLOC;
    case GOMP_MAP_TOFROM:
      return GOMP_MAP_TO;
    case GOMP_MAP_FORCE_FROM:
      return GOMP_MAP_FORCE_ALLOC;
    case GOMP_MAP_FORCE_TOFROM:
      return GOMP_MAP_FORCE_TO;
    case GOMP_MAP_ALWAYS_TOFROM:
      return GOMP_MAP_ALWAYS_TO;
    case GOMP_MAP_ALWAYS_FROM:
      return GOMP_MAP_ALLOC;
    default:
      return kind;
    }
}

static tree
map_constants (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gomp_target *stmt = dyn_cast<gomp_target *> (gsi_stmt (*gsi));
  if (!stmt || !gimple_omp_body (stmt))
    return NULL_TREE;
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP)
      {
	tree base = get_base_address (OMP_CLAUSE_DECL (c));
	if (base && VAR_P (base) && TREE_READONLY (base)
	    && (TREE_STATIC (base) || DECL_EXTERNAL (base)))
	  OMP_CLAUSE_SET_MAP_KIND (c, one_way (OMP_CLAUSE_MAP_KIND (c)));
      }
  return NULL_TREE;
}

void
constants_map (function *fun)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq (gimple_body (fun->decl), map_constants, NULL, &wi);
}

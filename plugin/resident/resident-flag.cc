/* Flags: numbers of the host that regions of a loop have in memory, and store to.

     more = 0;
     #pragma acc parallel loop copy (more)
     for (...)
       if (...) more = 1;		what region_results does not know
     if (!more) break;

   The region stores to such a number in any way, also atomically, and the host's code
   looks at it, or sets it, or another region reduces to it.  So it is a number of the
   threads, as a result is, and in the region an element of the state, which is the
   thread's number in front of the region and becomes that behind it
   (resident-kernel.cc).

   Only integers: whether an element is what the number is, threads see by comparing
   the two, which says nothing of the bits of 0 and of what is no number.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: OpenMP 5.0, 2.19.7.1; OpenACC 3.2, 2.7.7.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"

/* Is VAR, which the region STMT maps by C, in its memory what it is on the host, in
   front of the region and behind it?  What is addressable, GIMPLE loads and
   stores by statements of their own, so that any other place may stand for it.  */
static bool
in_memory_p (const gomp_target *stmt, tree c, tree var)
{
  return OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_TOFROM && VAR_P (var)
	 && TREE_ADDRESSABLE (var) && INTEGRAL_TYPE_P (TREE_TYPE (var))
	 && host_number_p (var) && !region_sets_p (stmt, var)
	 && construct_stores_p (stmt, var);
}

/* Does the host's code of L name VAR?  */
static bool
host_mentions_p (const host_loop *l, tree var)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    {
      gimple *stmt = l->code[i];
      if (!is_gimple_assign (stmt) && gimple_code (stmt) != GIMPLE_COND)
	continue;
      for (unsigned k = 0; k < gimple_num_ops (stmt); k++)
	if (gimple_op (stmt, k) == var)
	  return true;
    }
  return false;
}

void
host_loop_find_flags (host_loop *l)
{
  for (unsigned i = 0; i < l->regions.length (); i++)
    {
      gomp_target *stmt = host_loop_region (l, i);
      for (tree c = gimple_omp_target_clauses (stmt); c;
	   c = OMP_CLAUSE_CHAIN (c))
	if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	    && in_memory_p (stmt, c, OMP_CLAUSE_DECL (c))
	    && (l->sets.contains (OMP_CLAUSE_DECL (c))
		|| host_mentions_p (l, OMP_CLAUSE_DECL (c))))
	  {
	    l->flags.add (OMP_CLAUSE_DECL (c));
	    l->sets.add (OMP_CLAUSE_DECL (c));
	  }
    }
}

void
region_flags (const host_loop *l, const gomp_target *stmt,
	      const gomp_target *same, vec<tree> *vars)
{
  tree its = gimple_omp_target_clauses (same);
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    {
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	  && CONST_CAST (host_loop *, l)->flags.contains (OMP_CLAUSE_DECL (c))
	  && in_memory_p (stmt, c, OMP_CLAUSE_DECL (c)))
	vars->safe_push (OMP_CLAUSE_DECL (its));
      its = OMP_CLAUSE_CHAIN (its);
    }
}

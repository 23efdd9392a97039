/* What the constructs of a nest and their clauses say.

   Needs: spmd_find_nest.
   Source: OpenMP 5.0, 2.19.1; OpenMP's clauses as gimplify.cc in GCC distributes
   them over the parts of a combined construct.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"
#include "langhooks.h"

gimple *
spmd_level (const spmd_nest *nest, enum gimple_code code)
{
  for (unsigned i = 0; i < nest->levels.length (); i++)
    if (gimple_code (nest->levels[i]) == code)
      return nest->levels[i];
  return NULL;
}

gomp_for *
spmd_loop_level (const spmd_nest *nest, int kind)
{
  for (unsigned i = 0; i < nest->levels.length (); i++)
    {
      gomp_for *loop = dyn_cast<gomp_for *> (nest->levels[i]);
      if (loop && gimple_omp_for_kind (loop) == kind)
	return loop;
    }
  return NULL;
}

bool
spmd_one_block_p (const spmd_nest *nest)
{
  gimple *parallel = spmd_level (nest, GIMPLE_OMP_PARALLEL);
  return !spmd_level (nest, GIMPLE_OMP_TEAMS)
	 && (!parallel || nest->several || nest->asks || nest->in_and_out
	     || omp_find_clause (stmt_clauses (parallel),
				 OMP_CLAUSE_NUM_THREADS)
	     || omp_find_clause (stmt_clauses (parallel), OMP_CLAUSE_IF));
}

bool
spmd_shared_on_target_p (const spmd_nest *nest, tree var)
{
  for (tree c = gimple_omp_target_clauses (nest->target); c;
       c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_IS_DEVICE_PTR:
      case OMP_CLAUSE_HAS_DEVICE_ADDR:
	if (OMP_CLAUSE_DECL (c) == var)
	  return false;
	break;
      case OMP_CLAUSE_MAP:
	/* The pointer that is the thread's own may be one to an array.  */
	if (OMP_CLAUSE_DECL (c) == var)
	  return TREE_CODE (TREE_TYPE (var)) == ARRAY_TYPE
		 || (OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FIRSTPRIVATE_POINTER
		     && OMP_CLAUSE_MAP_KIND (c)
			  != GOMP_MAP_FIRSTPRIVATE_REFERENCE);
	break;
      default:
	break;
      }
  return is_global_var (var);
}

bool
spmd_shared_p (const spmd_nest *nest, tree base)
{
  return !DECL_P (base) || spmd_shared_on_target_p (nest, base);
}

bool
spmd_set_before_p (const spmd_nest *nest, tree var)
{
  for (unsigned i = 0; i < nest->before.length (); i++)
    {
      tree lhs = gimple_get_lhs (nest->before[i]);
      if (lhs && get_base_address (lhs) == var)
	return true;
    }
  return false;
}

bool
spmd_private_reference_p (const spmd_nest *nest, tree ref)
{
  if (TREE_CODE (ref) != INDIRECT_REF
      && (TREE_CODE (ref) != MEM_REF || !integer_zerop (TREE_OPERAND (ref, 1))))
    return false;
  tree var = TREE_OPERAND (ref, 0);
  for (tree c = gimple_omp_target_clauses (nest->target); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	&& OMP_CLAUSE_DECL (c) == var)
      return decl_by_reference_p (var)
	     /* Not even there?  */
	     && !lang_hooks.decls.omp_check_optional_argument (var, false);
  return false;
}

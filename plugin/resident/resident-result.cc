/* What regions of a loop reduce to, which the host looks at.

   Such a variable is a number of the threads, who find what a region adds to
   the variable in the state (resident-kernel.cc).  So nobody else may have it
   on the device meanwhile.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: OpenMP 5.0, 2.19.5.4; OpenACC 3.2, 2.5.15.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"

/* The search for a reduction clause.  */
struct reduction_search
{
  tree var, found;
};

static tree
find_reduction (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  reduction_search *s = (reduction_search *) wi->info;
  for (tree c = stmt_clauses (gsi_stmt (*gsi)); c && !s->found;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	&& OMP_CLAUSE_DECL (c) == s->var)
      s->found = c;
  return NULL_TREE;
}

/* The reduction clause about VAR in the region STMT, or NULL.  */
static tree
reduction_of (const gomp_target *stmt, tree var)
{
  reduction_search s = { var, NULL_TREE };
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_omp_body (stmt), find_reduction, NULL, &wi);
  return s.found;
}

void
region_results (const gomp_target *stmt, vec<tree> *clauses)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    {
      tree var = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP ? OMP_CLAUSE_DECL (c)
						       : NULL_TREE;
      if (!var || !VAR_P (var) || !host_number_p (var)
	  || OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_TOFROM)
	continue;
      tree reduction = reduction_of (stmt, var);
      if (reduction && spmd_reduces_scalar_p (reduction, TREE_TYPE (var)))
	clauses->safe_push (reduction);
    }
}

bool
region_sets_p (const gomp_target *stmt, tree var)
{
  auto_vec<tree> clauses;
  region_results (stmt, &clauses);
  for (unsigned i = 0; i < clauses.length (); i++)
    if (OMP_CLAUSE_DECL (clauses[i]) == var)
      return true;
  return false;
}

bool
host_loop_number_p (host_loop *l, const gomp_target *stmt, tree c)
{
  tree var = OMP_CLAUSE_DECL (c);
  bool back = OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_TOFROM;
  if (!VAR_P (var) || !l->sets.contains (var) || !host_number_p (var)
      || (!back && OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_TO))
    return false;
  return region_sets_p (stmt, var) || !construct_stores_p (stmt, var)
	 || (back && l->flags.contains (var));
}

/* Other code that may put a result on the device for longer than a region
   runs, where its copies would be no copies.  */
struct exposure
{
  host_loop *l;
  /* This is a region's code, where addresses are those on the device, for as long as
     the region runs.  */
  bool within;
  const char *why;
};

static tree
exposing_operand (tree *tp, int *walk_subtrees, void *data)
{
  exposure *e = (exposure *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (TREE_CODE (*tp) != ADDR_EXPR)
    return NULL_TREE;
  tree base = get_base_address (TREE_OPERAND (*tp, 0));
  if (base && !e->within && e->l->mapped.contains (base))
    e->why = "the address of a region's result";
  return NULL_TREE;
}

/* Does STMT call a function of Fortran's library, which looks at what it is
   given?  */
static bool
prints_p (gimple *stmt)
{
  tree fn = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
  return fn && DECL_NAME (fn)
	 && startswith (IDENTIFIER_POINTER (DECL_NAME (fn)), "_gfortran_");
}

static tree
exposing_stmt (gimple_stmt_iterator *gsi, bool *handled,
	       struct walk_stmt_info *wi)
{
  exposure *e = (exposure *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  gomp_target *target = dyn_cast<gomp_target *> (stmt);
  *handled = prints_p (stmt);
  if (!target)
    return NULL_TREE;
  if (construct_computes_p (stmt))
    {
      *handled = true;
      for (tree c = gimple_omp_target_clauses (target); c;
	   c = OMP_CLAUSE_CHAIN (c))
	for (int i = 0; i < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; i++)
	  walk_tree (&OMP_CLAUSE_OPERAND (c, i), exposing_operand, wi, NULL);
      e->within = true;
      walk_gimple_seq (gimple_omp_body (target), exposing_stmt,
		       exposing_operand, wi);
      e->within = false;
      return NULL_TREE;
    }
  for (tree c = gimple_omp_target_clauses (target); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (omp_clause_num_ops[OMP_CLAUSE_CODE (c)] && OMP_CLAUSE_OPERAND (c, 0)
	&& e->l->mapped.contains (reference_base (OMP_CLAUSE_OPERAND (c, 0))))
      e->why = "a region's result that stays on the device";
  return NULL_TREE;
}

/* Find what regions of L map that are threads' numbers.  */
static void
find_mapped (host_loop *l)
{
  for (unsigned i = 0; i < l->regions.length (); i++)
    {
      gomp_target *stmt = host_loop_region (l, i);
      for (tree c = gimple_omp_target_clauses (stmt); c;
	   c = OMP_CLAUSE_CHAIN (c))
	if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	    && host_loop_number_p (l, stmt, c))
	  {
	    l->mapped.add (OMP_CLAUSE_DECL (c));
	    l->needed.add (OMP_CLAUSE_DECL (c));
	  }
    }
}

void
host_loop_find_results (host_loop *l)
{
  for (unsigned i = 0; i < l->regions.length (); i++)
    {
      auto_vec<tree> clauses;
      region_results (host_loop_region (l, i), &clauses);
      for (unsigned k = 0; k < clauses.length (); k++)
	l->sets.add (OMP_CLAUSE_DECL (clauses[k]));
    }
}

const char *
host_loop_results_bar (host_loop *l)
{
  find_mapped (l);
  if (l->mapped.is_empty ())
    return NULL;
  exposure e = { l, false, NULL };
  struct walk_stmt_info wi = {};
  wi.info = &e;
  walk_gimple_seq (gimple_body (current_function_decl), exposing_stmt,
		   exposing_operand, &wi);
  return e.why;
}

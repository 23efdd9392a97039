/* What the clauses of a kernels construct and of its loops say about
   variables.

   Source: OpenACC 3.2, 2.6 and 2.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

bool
kernels_in_clause_p (const line_loop *l, omp_clause_code code, tree var)
{
  for (tree c = l->directive ? gimple_omp_for_clauses (l->directive)
			     : NULL_TREE;
       c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == code && OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

tree
kernels_dereferenced (tree ref)
{
  if (TREE_CODE (ref) != INDIRECT_REF
      && (TREE_CODE (ref) != MEM_REF || !integer_zerop (TREE_OPERAND (ref, 1))))
    return NULL_TREE;
  return DECL_P (TREE_OPERAND (ref, 0)) ? TREE_OPERAND (ref, 0) : NULL_TREE;
}

tree
kernels_map_of (const gomp_target *stmt, tree what)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& (OMP_CLAUSE_DECL (c) == what
	    || (kernels_dereferenced (what)
		&& kernels_dereferenced (what)
		     == kernels_dereferenced (OMP_CLAUSE_DECL (c)))))
      return c;
  return NULL_TREE;
}

bool
kernels_fresh_p (const gomp_target *stmt, tree what)
{
  tree c = kernels_map_of (stmt, what);
  return c
	 && (OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FORCE_TOFROM
	     /* Nobody else can have mapped what has no address.  */
	     || (OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_TOFROM && DECL_P (what)
		 && register_p (what) && !POINTER_TYPE_P (TREE_TYPE (what))));
}

bool
kernels_host_field_p (const gomp_target *stmt, tree ref)
{
  if (!decl_in_descriptor_p (ref))
    return false;
  for (tree r = ref; handled_component_p (r); r = TREE_OPERAND (r, 0))
    if (TREE_CODE (r) == ARRAY_REF
	  ? TREE_CODE (TREE_OPERAND (r, 1)) != INTEGER_CST
	  : TREE_CODE (r) != COMPONENT_REF)
      return false;
  tree base = reference_base (ref), var = kernels_dereferenced (base);
  if (!DECL_P (base)
      && (!var || lang_hooks.decls.omp_check_optional_argument (var, false)))
    return false;
  for (tree c = gimple_omp_target_clauses (stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_TO_PSET
	&& (OMP_CLAUSE_DECL (c) == base
	    || (var && kernels_dereferenced (OMP_CLAUSE_DECL (c)) == var)))
      return true;
  return false;
}

/* What a condition of a region is made of.  DEVICE: its addresses are those that the host
   knows on the device, of deviceptr clauses; else they are the host's.  */
struct condition
{
  const rewrite *w;
  bool device;
};

static bool
host_value_leaf_p (tree expr, void *data)
{
  const condition *c = (const condition *) data;
  const gomp_target *stmt = c->w->stmt;
  if (CONSTANT_CLASS_P (expr))
    return true;
  if (TREE_CODE (expr) == SSA_NAME)
    return !c->device || !POINTER_TYPE_P (TREE_TYPE (expr));
  if (TREE_CODE (expr) == ADDR_EXPR)
    return !c->device
	   && (is_gimple_min_invariant (expr)
	       || DECL_P (TREE_OPERAND (expr, 0)));
  if (INTEGRAL_TYPE_P (TREE_TYPE (expr)) && kernels_host_field_p (stmt, expr))
    return true;
  tree map = kernels_map_of (stmt, expr);
  if (!map)
    return false;
  if (!POINTER_TYPE_P (TREE_TYPE (expr)) || !DECL_P (expr))
    return kernels_fresh_p (stmt, expr);
  switch (OMP_CLAUSE_MAP_KIND (map))
    {
    case GOMP_MAP_FORCE_DEVICEPTR:
      return c->device;
    case GOMP_MAP_FIRSTPRIVATE_POINTER:
    case GOMP_MAP_POINTER:
    case GOMP_MAP_FORCE_TOFROM:
      return !c->device;
    default:
      return false;
    }
}

/* Addresses of both kinds in one comparison would say nothing: what the host's leads to may
   be on the device where the other one leads.  */
bool
kernels_host_value_p (rewrite *w, tree expr)
{
  if (TREE_CODE (expr) == TRUTH_ANDIF_EXPR)
    return kernels_host_value_p (w, TREE_OPERAND (expr, 0))
	   && kernels_host_value_p (w, TREE_OPERAND (expr, 1));
  condition host = { w, false }, device = { w, true };
  return expr_made_of_p (expr, host_value_leaf_p, &host)
	 || expr_made_of_p (expr, host_value_leaf_p, &device);
}

bool
kernels_written_p (const rewrite *w, tree ref)
{
  tree base = reference_base (ref);
  if (!DECL_P (base))
    base = kernels_dereferenced (base);
  for (unsigned i = 0; base && i < w->l.accesses.length (); i++)
    {
      const line_access *a = &w->l.accesses[i];
      if (a->write && (a->object == anything || decl_named_p (a->ref, base)))
	return true;
    }
  return !base;
}

/* Memory is the device's: a part may write it by another name.  And the host's
   address, of a string for one, is not the device's.  */
static bool
host_operand_leaf_p (tree expr, void *data)
{
  rewrite *w = (rewrite *) data;
  if (CONSTANT_CLASS_P (expr))
    return true;
  return DECL_P (expr) && register_p (expr)
	 && (line_declares_p (&w->l, expr) || kernels_fresh_p (w->stmt, expr));
}

bool
kernels_host_operand_p (rewrite *w, tree expr)
{
  return expr_made_of_p (expr, host_operand_leaf_p, w);
}

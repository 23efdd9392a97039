/* Variables of equal value in a region are one.

   For an array whose bounds it computes, gfortran has variables of its own: a
   stride for each dimension, and the offset of the element whose subscripts are
   all 0.  They are set where the procedure begins, for each array anew, be the
   bounds the same or not.  In a region they are so many values from the host,
   and so many sums and products for what is one place in several arrays.

   Here the statements with which a function begins, as far as control does not
   part, are numbered: what is computed in the same way has the same number.
   Of the variables that have one then, are set nowhere else and come into a
   region as firstprivate, the region uses the first.

   Only the compiler's own variables: a debugger shows the others.  The clauses
   stay, so that every construct has what it had.

   Needs: GIMPLE before omp-low, kernels regions made parallel.  Keeps:
   clauses, and what every variable is worth outside regions.  Breaks: uses
   in a region of a variable whose value another one has.
   Source: P. Briggs, K. D. Cooper, L. T. Simpson, "Value Numbering", Software:
   Practice and Experience 27(6), 1997.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "data/number.h"

/* Count down for VAR, which is set: what is left is set at the beginning
   only.  */
static void
count_set (tree var, gimple *, void *data)
{
  numbering *n = (numbering *) data;
  if (history *h = n->variables.get (var))
    h->sets--;
}

/* Does C only copy a variable, in or back too?  A kernels region maps a scalar
   so, and nobody else sees the device's (kernels.cc); what its statements set
   has been counted.  */
static bool
copy_clause_p (const_tree c)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_SHARED
	 || (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	     && OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FORCE_TOFROM);
}

/* Forget what clauses do more to than to copy it.  */
static tree
forget_in_clauses (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  numbering *n = (numbering *) wi->info;
  for (tree c = stmt_clauses (gsi_stmt (*gsi)); c; c = OMP_CLAUSE_CHAIN (c))
    if (!copy_clause_p (c) && omp_clause_num_ops[OMP_CLAUSE_CODE (c)]
	&& OMP_CLAUSE_OPERAND (c, 0) && DECL_P (OMP_CLAUSE_OPERAND (c, 0)))
      n->variables.remove (OMP_CLAUSE_OPERAND (c, 0));
  return NULL_TREE;
}

/* The number of VAR's value from the beginning on; false when it may have
   others.  */
static bool
number_of_variable (numbering *n, tree var, unsigned *number)
{
  if (!VAR_P (var) || !DECL_ARTIFICIAL (var) || !register_p (var)
      || !INTEGRAL_TYPE_P (TREE_TYPE (var)))
    return false;
  const history *h = n->variables.get (var);
  if (!h || h->sets)
    return false;
  *number = h->number;
  return true;
}

/* ---- In a region ---- */

static bool
copied_in_p (const gimple *stmt, tree var)
{
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_SHARED)
	&& OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

/* A variable, and another one that is to stand for it.  */
struct pair
{
  tree var, other;
};

/* Is there a construct that has VAR and not the other one?  */
static tree
lacks_other (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  const pair *p = (const pair *) wi->info;
  const gimple *stmt = gsi_stmt (*gsi);
  *handled = copied_in_p (stmt, p->var) && !copied_in_p (stmt, p->other);
  return *handled ? integer_one_node : NULL_TREE;
}

static bool
may_stand_p (gomp_target *region, pair p)
{
  struct walk_stmt_info wi = {};
  wi.info = &p;
  return !walk_gimple_seq (gimple_omp_body (region), lacks_other, NULL, &wi);
}

static tree
replace_operand (tree *tp, int *walk_subtrees, void *data)
{
  hash_map<tree, tree> *others
    = (hash_map<tree, tree> *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp) || TREE_CODE (*tp) == OMP_CLAUSE)
    *walk_subtrees = 0;
  else if (tree *other = others->get (*tp))
    *tp = *other;
  return NULL_TREE;
}

static void
unify (numbering *n, gomp_target *region)
{
  hash_map<tree, tree> others;
  auto_vec<tree> first;
  for (tree c = gimple_omp_target_clauses (region); c;
       c = OMP_CLAUSE_CHAIN (c))
    {
      unsigned number, known;
      tree var = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
		   ? OMP_CLAUSE_DECL (c)
		   : NULL_TREE;
      if (!var || !number_of_variable (n, var, &number))
	continue;
      tree other = NULL_TREE;
      for (unsigned i = 0; i < first.length () && !other; i++)
	if (number_of_variable (n, first[i], &known) && known == number
	    && may_stand_p (region, { var, first[i] }))
	  other = first[i];
      if (other)
	others.put (var, other);
      else
	first.safe_push (var);
    }
  if (others.is_empty ())
    return;
  struct walk_stmt_info wi = {};
  wi.info = &others;
  walk_gimple_seq_mod (gimple_omp_body_ptr (region), NULL, replace_operand,
		       &wi);
  remark_done (gimple_location (region),
	       others.elements () == 1
		 ? "%s region: %u variable has the value of another\n"
		 : "%s region: %u variables have the values of others\n",
	       construct_words (construct_of (region)),
	       (unsigned) others.elements ());
}

static tree
list_region (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  if (construct_computes_p (stmt))
    ((auto_vec<gomp_target *> *) wi->info)
      ->safe_push (as_a<gomp_target *> (stmt));
  return NULL_TREE;
}

void
equal_unify (function *fun)
{
  gimple_seq body = gimple_body (fun->decl);
  auto_vec<gomp_target *> regions;
  struct walk_stmt_info wi = {};
  wi.info = &regions;
  walk_gimple_seq (body, list_region, NULL, &wi);
  if (regions.is_empty ())
    return;
  numbering n;
  number_statements (&n, body);
  object_each_set (body, count_set, &n);
  wi.info = &n;
  walk_gimple_seq (body, forget_in_clauses, NULL, &wi);
  for (unsigned i = 0; i < regions.length (); i++)
    unify (&n, regions[i]);
}

/* What keeps a kernels construct from being cut into parts.

   Several regions take the place of one.  Each evaluates the clauses again, so
   that their operands must not change between; each has pointers of its own to
   the data, and arrays of its own, so that no part may leave another one the
   address of what it has declared, or a pointer that is the construct's.

   Needs: the construct's parts.  Keeps: all code.
   Source: OpenACC 3.2, 2.5.3 and 2.7.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

/* Clauses whose meaning for several regions is known.  */
static const omp_clause_code understood[]
  = { OMP_CLAUSE_MAP, OMP_CLAUSE_FIRSTPRIVATE, OMP_CLAUSE_IF, OMP_CLAUSE_ASYNC,
      OMP_CLAUSE_WAIT, OMP_CLAUSE_NUM_GANGS, OMP_CLAUSE_NUM_WORKERS,
      OMP_CLAUSE_VECTOR_LENGTH, OMP_CLAUSE_DEFAULT };

static bool
understood_p (const_tree c)
{
  for (unsigned i = 0; i < ARRAY_SIZE (understood); i++)
    if (OMP_CLAUSE_CODE (c) == understood[i])
      return true;
  return false;
}

static tree
find_set (tree *tp, int *walk_subtrees, void *data)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return DECL_P (*tp) && line_sets_p ((const line *) data, *tp) ? *tp
								 : NULL_TREE;
}

/* Does the region set a variable in EXPR?  */
static bool
changes_p (const rewrite *w, tree expr)
{
  return expr
	 && walk_tree_without_duplicates (&expr, find_set,
					  CONST_CAST (line *, &w->l));
}

/* Does the region set a variable that the clause C evaluates, or one that
   each part has again with its first value?  The host keeps the operands of
   other clauses.  */
static bool
operand_changes_p (const rewrite *w, tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_MAP:
      return changes_p (w, OMP_CLAUSE_SIZE (c))
	     || (!kernels_fresh_p (w->stmt, OMP_CLAUSE_DECL (c))
		 && changes_p (w, OMP_CLAUSE_DECL (c)));
    case OMP_CLAUSE_FIRSTPRIVATE:
      return changes_p (w, OMP_CLAUSE_DECL (c));
    case OMP_CLAUSE_NUM_GANGS:
    case OMP_CLAUSE_NUM_WORKERS:
    case OMP_CLAUSE_VECTOR_LENGTH:
      return changes_p (w, OMP_CLAUSE_OPERAND (c, 0));
    default:
      return false;
    }
}

static const char *
clauses_bar (const rewrite *w)
{
  bool several = kernels_several_p (w);
  for (tree c = gimple_omp_target_clauses (w->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (several && !understood_p (c))
      return "a clause is for one region only";
    else if (operand_changes_p (w, c))
      return "the operand of a clause changes in the region";
  return several ? kernels_data_bar (w->stmt) : NULL;
}

/* Is VAR declared on L, but not in a loop?  */
static bool
declared_at_top_p (const line *l, tree var)
{
  for (unsigned i = 0; i < l->decls.length (); i++)
    if (l->decls[i].var == var)
      {
	for (unsigned k = 0; k < l->loops.length (); k++)
	  if (l->decls[i].at > l->loops[k]->begin
	      && l->decls[i].at < l->loops[k]->end)
	    return false;
	return true;
      }
  return false;
}

static tree
find_address (tree *tp, int *walk_subtrees, void *data)
{
  const line *l = (const line *) ((walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (TREE_CODE (*tp) != ADDR_EXPR)
    return NULL_TREE;
  tree var = reference_base (TREE_OPERAND (*tp, 0));
  return DECL_P (var) && declared_at_top_p (l, var) ? var : NULL_TREE;
}

/* Does the code take the address of a variable that is the region's own?  */
static bool
own_address_p (const rewrite *w)
{
  struct walk_stmt_info wi = {};
  wi.info = CONST_CAST (line *, &w->l);
  for (unsigned at = 0; at < w->l.code.length (); at++)
    if (w->l.code[at] && walk_gimple_op (w->l.code[at], find_address, &wi))
      return true;
  return false;
}

const char *
kernels_parts_bar (const rewrite *w)
{
  if (const char *why = clauses_bar (w))
    return why;
  if (w->parts.length () > 1 && own_address_p (w))
    return "parts may share an array of the region's own";
  return NULL;
}

/* Scalars that each iteration of one of the two loops has for itself, though no
   clause says so.

       #pragma acc parallel loop			for (i = 0; i < n; i++)
       for (i = 0; i < n; i++)				  {
	 {						    int own;
	   j = index[i];		  ->		    own = index[i];
	   y[j] = 2 * x[j];				    y[own] = 2 * x[own];
	 }						  }

   A variable that the construct has copies of, and that every iteration sets before
   it reads it, or not at all, brings no value from one iteration to another, nor from
   in front of the construct; and a copy's last value is lost.  So it makes no
   difference whether it is declared in the loop's body.  Each body has a variable of
   its own then, also where the other one only reads what the host has given it.  Of
   the loops inside, whose threads would share a row's, the innermost one that has all
   mentions declares it when each iteration of that loop, too, sets it first.

   Needs: flow_find of the one construct, a copy; replaces in that.  Keeps: values.
   Breaks: nothing.
   Source: P. Tu and D. Padua, "Automatic Array Privatization", LCPC 1993, for
   scalars; OpenACC 3.2, 2.5.13 (copies of a gang), and 2.9.10.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

/* ---- Iterations ---- */

/* Does each iteration of LOOP use no value of VAR but its own?  */
static bool
sets_first_p (const line_loop *loop, tree var)
{
  for (unsigned i = 0; i < loop->combined.length (); i++)
    if (loop->combined[i].var == var)
      return false;
  return !loop->exposed.contains (var);
}

/* The loop of L whose body is that of DIRECTIVE, or NULL.  */
static const line_loop *
loop_of (const line *l, const gomp_for *directive)
{
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (l->loops[i]->directive == directive
	&& l->loops[i]->dim + 1 == gimple_omp_for_collapse (directive))
      return l->loops[i];
  return NULL;
}

/* ---- Mentions ---- */

static tree
find_clause (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  for (tree c = stmt_clauses (gsi_stmt (*gsi)); c; c = OMP_CLAUSE_CHAIN (c))
    for (int i = 0; i < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; i++)
      if (tree operand = OMP_CLAUSE_OPERAND (c, i))
	*handled |= decl_named_p (operand, (tree) wi->info);
  return *handled ? integer_one_node : NULL_TREE;
}

/* Are clauses of constructs in BODY about VAR?  */
static bool
clause_within_p (gimple_seq body, tree var)
{
  struct walk_stmt_info wi = {};
  wi.info = var;
  return walk_gimple_seq (body, find_clause, NULL, &wi);
}

/* Are those of SHAPE's constructs, other than that threads share the copy?  */
static bool
clause_around_p (const fuse_shape *shape, tree var)
{
  for (unsigned i = 0; i < shape->levels.length (); i++)
    for (tree c = stmt_clauses (fuse_level (shape, i)); c;
	 c = OMP_CLAUSE_CHAIN (c))
      for (int k = 0; k < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; k++)
	if (OMP_CLAUSE_OPERAND (c, k)
	    && decl_named_p (OMP_CLAUSE_OPERAND (c, k), var)
	    && OMP_CLAUSE_CODE (c) != OMP_CLAUSE_SHARED)
	  return true;
  return false;
}

static tree
find_inner (gimple_stmt_iterator *gsi, bool *handled,
	    struct walk_stmt_info *wi)
{
  gomp_for *loop = dyn_cast<gomp_for *> (gsi_stmt (*gsi));
  *handled = is_gimple_omp (gsi_stmt (*gsi));
  if (loop && gimple_omp_for_kind (loop) == GF_OMP_FOR_KIND_OACC_LOOP)
    ((auto_vec<gomp_for *> *) wi->info)->safe_push (loop);
  return NULL_TREE;
}

/* Is VAR in the bounds of LOOP, or in what computes them?  */
static bool
header_mentions_p (const gomp_for *loop, tree var)
{
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    if (decl_named_p (gimple_omp_for_initial (loop, i), var)
	|| decl_named_p (gimple_omp_for_final (loop, i), var)
	|| decl_named_p (gimple_omp_for_incr (loop, i), var))
      return true;
  return stmt_mentions_p (gimple_omp_for_pre_body (loop), var);
}

/* The innermost loop in LOOP, or that, which may declare VAR.  */
static gomp_for *
home_of (const line *l, gomp_for *loop, tree var)
{
  auto_vec<gomp_for *> found;
  struct walk_stmt_info wi = {};
  wi.info = &found;
  gimple_seq body = gimple_omp_body (loop);
  walk_gimple_seq (body, find_inner, NULL, &wi);
  for (unsigned i = 0; i < found.length (); i++)
    {
      const line_loop *inner = loop_of (l, found[i]);
      if (inner && sets_first_p (inner, var)
	  && !stmt_mentions_p (body, var, found[i])
	  && !header_mentions_p (found[i], var))
	return home_of (l, found[i], var);
    }
  return loop;
}

/* ---- All ---- */

/* Has the construct of SHAPE copies of VAR, which nobody sees behind it?  */
static bool
copied_p (const fuse_shape *shape, tree var)
{
  for (tree c = gimple_omp_target_clauses (shape->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	&& OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

void
fuse_find_own (const line *l, const fuse_shape *shape, vec<fuse_own> *own)
{
  const line_loop *loop = loop_of (l, shape->loop);
  for (unsigned i = 0; loop && i < loop->assigned.length (); i++)
    {
      tree var = loop->assigned[i];
      if (copied_p (shape, var) && sets_first_p (loop, var)
	  && !fuse_index_p (shape, var) && !clause_around_p (shape, var)
	  && !clause_within_p (gimple_omp_body (shape->loop), var))
	own->safe_push ({ var, home_of (l, shape->loop, var) });
    }
}

/* Remove those of *CLAUSES that are about VAR.  */
static void
remove_clauses (tree *clauses, tree var)
{
  while (*clauses)
    if ((OMP_CLAUSE_CODE (*clauses) == OMP_CLAUSE_FIRSTPRIVATE
	 || OMP_CLAUSE_CODE (*clauses) == OMP_CLAUSE_SHARED)
	&& OMP_CLAUSE_DECL (*clauses) == var)
      *clauses = OMP_CLAUSE_CHAIN (*clauses);
    else
      clauses = &OMP_CLAUSE_CHAIN (*clauses);
}

/* The constructs of SHAPE have no copies of VAR any more, unless they still mention
   it.  */
static void
forget_copies (fuse_shape *shape, tree var)
{
  for (unsigned i = 0; i < shape->before.length (); i++)
    {
      gimple *stmt = gsi_stmt (shape->before[i].at);
      for (unsigned k = 0; k < gimple_num_ops (stmt); k++)
	if (gimple_op (stmt, k) && decl_named_p (gimple_op (stmt, k), var))
	  return;
    }
  for (unsigned i = 0; i < shape->levels.length (); i++)
    if (gomp_for *loop = dyn_cast<gomp_for *> (fuse_level (shape, i)))
      if (header_mentions_p (loop, var))
	return;
  for (unsigned i = 0; i < shape->levels.length (); i++)
    remove_clauses (fuse_clauses_of (fuse_level (shape, i)), var);
  remove_clauses (gimple_omp_target_clauses_ptr (shape->stmt), var);
}

void
fuse_make_own (fuse_shape *shape, const vec<fuse_own> &own)
{
  for (unsigned i = 0; i < own.length (); i++)
    {
      tree vars = NULL_TREE;
      hash_map<tree, tree> map;
      gimple_seq all = NULL, *body = gimple_omp_body_ptr (own[i].in);
      map.put (own[i].var, fuse_variable (TREE_TYPE (own[i].var), &vars));
      replace_variables (body, &map);
      gimple_seq_add_stmt_without_update (
	&all, gimple_build_bind (vars, *body, NULL_TREE));
      *body = all;
      forget_copies (shape, own[i].var);
    }
}

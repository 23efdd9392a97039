/* The constructs of a region that may be fused, taken apart and put together.

   A region is fused when it is one loop: constructs one inside the other, with
   scopes, and with assignments to variables of the region's own in front of the
   loop.  Copies of two regions of the same constructs become one by moving the
   second's variables, assignments and body to the same places in the first:

       target {				target {
	 D = n;				  int D, D'; D = n; D' = n;
	 teams distribute ...		  teams distribute ...
	   for (i < D) FIRST;	    ->	    for (i < D) { FIRST; border: SECOND; }
       }				}

   Needs: GIMPLE before omp-low.  Keeps: the source's constructs; only copies
   change.  Breaks: the second copy.
   Source: J. Filipovic et al., "Optimizing CUDA code by kernel fusion:
   application on BLAS", J. Supercomputing 71, 2015; OpenMP 5.0, 2.7 and 2.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"
#include "base/code.h"

/* ---- Apart ---- */

static const char *descend (fuse_shape *shape, gimple_seq *seq);

/* Is STMT a construct that shares out the iterations of a loop?  */
static bool
level_p (const gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_TEAMS:
    case GIMPLE_OMP_PARALLEL:
      return true;
    case GIMPLE_OMP_FOR:
      return gimple_omp_for_kind (stmt) != GF_OMP_FOR_KIND_TASKLOOP;
    default:
      return false;
    }
}

/* Does STMT, in front of the loop, set a variable of the region's own from
   others?  */
static bool
own_assignment_p (const fuse_shape *shape, gimple *stmt)
{
  if (!is_gimple_assign (stmt) || gimple_has_volatile_ops (stmt))
    return false;
  for (unsigned i = 0; i < shape->locals.length (); i++)
    if (shape->locals[i].var == gimple_assign_lhs (stmt))
      return register_p (shape->locals[i].var);
  return false;
}

static const char *
enter (fuse_shape *shape, gimple_stmt_iterator gsi)
{
  gimple *stmt = gsi_stmt (gsi);
  if (gomp_for *loop = dyn_cast<gomp_for *> (stmt))
    {
      if (const char *why
	  = descend (shape, gimple_omp_for_pre_body_ptr (loop)))
	return why;
      shape->levels.safe_push (gsi);
      if (gimple_omp_for_combined_p (loop))
	return descend (shape, gimple_omp_body_ptr (loop));
      shape->loop = loop;
      return NULL;
    }
  shape->levels.safe_push (gsi);
  return descend (shape, gimple_omp_body_ptr (stmt));
}

static const char *
descend (fuse_shape *shape, gimple_seq *seq)
{
  for (gimple_stmt_iterator gsi = gsi_start (*seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      unsigned depth = shape->levels.length ();
      const char *why = NULL;
      if (stmt_empty_p (stmt))
	continue;
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	{
	  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
	    shape->locals.safe_push ({ v, depth });
	  why = descend (shape, gimple_bind_body_ptr (bind));
	}
      else if (stmt_scope_body (stmt))
	why = descend (shape, gimple_try_eval_ptr (stmt));
      else if (shape->loop)
	why = "a statement after the loop";
      else if (level_p (stmt))
	why = enter (shape, gsi);
      else if (own_assignment_p (shape, stmt))
	shape->before.safe_push ({ gsi, depth });
      else
	why = "a statement before the loop";
      if (why)
	return why;
    }
  return NULL;
}

const char *
fuse_take (gomp_target *stmt, fuse_shape *shape)
{
  shape->stmt = stmt;
  shape->loop = NULL;
  if (const char *why = descend (shape, gimple_omp_body_ptr (stmt)))
    return why;
  if (!shape->loop)
    return "no loop construct";
  for (unsigned i = 0; i < shape->locals.length (); i++)
    if (!VAR_P (shape->locals[i].var) || !register_p (shape->locals[i].var))
      return "a variable of the region's own in memory";
  return NULL;
}

const char *
fuse_shapes_differ (const fuse_shape *a, const fuse_shape *b)
{
  static const char different[] = "other constructs than the one before";
  if (a->levels.length () != b->levels.length ())
    return different;
  for (unsigned i = 0; i < a->levels.length (); i++)
    {
      gimple *x = fuse_level (a, i), *y = fuse_level (b, i);
      if (gimple_code (x) != gimple_code (y))
	return different;
      if (gimple_code (x) != GIMPLE_OMP_FOR)
	continue;
      if (gimple_omp_for_kind (x) != gimple_omp_for_kind (y)
	  || gimple_omp_for_combined_p (x) != gimple_omp_for_combined_p (y))
	return different;
      if (gimple_omp_for_collapse (x) != gimple_omp_for_collapse (y))
	return "another number of loops than the one before";
    }
  return NULL;
}

gomp_target *
fuse_copy (const gomp_target *stmt)
{
  push_gimplify_context ();
  gimple_seq body = copy_statements (gimple_omp_body (stmt));
  pop_gimplify_context (NULL);
  gomp_target *copy
    = gimple_build_omp_target (body, gimple_omp_target_kind (stmt),
			       unshare_expr (gimple_omp_target_clauses (stmt)));
  gimple_set_location (copy, gimple_location (stmt));
  return copy;
}

/* ---- Together ---- */

bool
fuse_index_p (const fuse_shape *shape, tree var)
{
  for (unsigned i = 0; i < shape->levels.length (); i++)
    {
      gimple *level = fuse_level (shape, i);
      if (gimple_code (level) == GIMPLE_OMP_FOR)
	for (size_t k = 0; k < gimple_omp_for_collapse (level); k++)
	  if (gimple_omp_for_index (level, k) == var)
	    return true;
    }
  return false;
}

static tree
replace_op (tree *tp, int *walk_subtrees, void *data)
{
  hash_map<tree, tree> *map
    = (hash_map<tree, tree> *) ((struct walk_stmt_info *) data)->info;
  if (tree *to = map->get (*tp))
    *tp = *to;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* Let B's body count with A's indices.  */
static const char *
share_indices (fusion *f)
{
  hash_map<tree, tree> map;
  for (size_t k = 0; k < gimple_omp_for_collapse (f->b.loop); k++)
    {
      tree to = gimple_omp_for_index (f->a.loop, k);
      tree from = gimple_omp_for_index (f->b.loop, k);
      if (!DECL_P (to) || !DECL_P (from) || !register_p (to)
	  || !register_p (from)
	  || TYPE_MAIN_VARIANT (TREE_TYPE (to))
	       != TYPE_MAIN_VARIANT (TREE_TYPE (from)))
	return "its loop counts with another type";
      map.put (from, to);
    }
  struct walk_stmt_info wi = {};
  wi.info = &map;
  walk_gimple_seq_mod (gimple_omp_body_ptr (f->b.loop), NULL, replace_op, &wi);
  return NULL;
}

/* Move B's body behind A's.  */
static void
move_body (fusion *f)
{
  gimple_seq second = gimple_omp_body (f->b.loop), all = NULL;
  f->border = create_artificial_label (gimple_location (f->second));
  gimple_seq_add_stmt_without_update (
    &all, gimple_build_bind (NULL_TREE, gimple_omp_body (f->a.loop),
			     NULL_TREE));
  gimple_seq_add_stmt_without_update (&all, gimple_build_label (f->border));
  gimple_seq_add_stmt_without_update (
    &all, gimple_build_bind (NULL_TREE, second, NULL_TREE));
  gimple_omp_set_body (f->b.loop, NULL);
  gimple_omp_set_body (f->a.loop, all);
}

/* Move what B has in front of its construct at level I to the same place in
   A.  */
static void
move_level (fusion *f, unsigned i)
{
  tree vars = NULL_TREE;
  gimple_seq body = NULL;
  for (unsigned k = 0; k < f->b.locals.length (); k++)
    if (f->b.locals[k].depth == i)
      {
	tree var = f->b.locals[k].var;
	DECL_CHAIN (var) = vars;
	vars = var;
      }
  for (unsigned k = 0; k < f->b.before.length (); k++)
    if (f->b.before[k].depth == i)
      {
	gimple *stmt = gsi_stmt (f->b.before[k].at);
	gsi_remove (&f->b.before[k].at, false);
	gimple_seq_add_stmt_without_update (&body, stmt);
      }
  if (!vars && !body)
    return;
  gimple *level = fuse_level (&f->a, i);
  gbind *bind = gimple_build_bind (vars, NULL, NULL_TREE);
  gsi_replace (&f->a.levels[i], bind, false);
  gimple_seq_add_stmt_without_update (&body, level);
  gimple_bind_set_body (bind, body);
  f->a.levels[i] = gsi_last (*gimple_bind_body_ptr (bind));
}

/* No declaration may stand in two scopes.  */
static void
drop_scopes (fuse_shape *shape)
{
  for (unsigned i = 0; i < shape->locals.length (); i++)
    DECL_CHAIN (shape->locals[i].var) = NULL_TREE;
}

const char *
fuse_merge (fusion *f)
{
  if (const char *why = share_indices (f))
    return why;
  if (const char *why = fuse_merge_target (f))
    return why;
  for (unsigned i = 0; i < f->a.levels.length (); i++)
    if (const char *why = fuse_merge_level (f, i))
      return why;
  if (const char *why = fuse_keep_apart (f))
    return why;
  drop_scopes (&f->b);
  for (unsigned i = f->a.levels.length (); i-- > 0;)
    move_level (f, i);
  move_body (f);
  f->merged = f->a.stmt;
  return NULL;
}

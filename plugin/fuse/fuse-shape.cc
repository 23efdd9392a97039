/* The constructs of a region that may be fused, taken apart.

   A region is fused when it is one loop: constructs one inside the other, with
   scopes, and with assignments to variables of the region's own in front of the
   loop.  Constructs in the body of that loop make rows of its iterations
   (fuse-rows.cc).

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: OpenMP 5.0, 2.7 and 2.9; OpenACC 3.2, 2.11.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"
#include "base/code.h"

static bool descend (fuse_shape *shape, gimple_seq *seq);

bool
fuse_level_p (const gimple *stmt)
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
  if (!is_gimple_assign (stmt) || stmt_volatile_p (stmt))
    return false;
  for (unsigned i = 0; i < shape->locals.length (); i++)
    if (shape->locals[i].var == gimple_assign_lhs (stmt))
      return register_p (shape->locals[i].var);
  return false;
}

static bool
enter (fuse_shape *shape, gimple_stmt_iterator gsi)
{
  gimple *stmt = gsi_stmt (gsi);
  if (gomp_for *loop = dyn_cast<gomp_for *> (stmt))
    {
      if (!descend (shape, gimple_omp_for_pre_body_ptr (loop)))
	return false;
      shape->levels.safe_push (gsi);
      if (gimple_omp_for_combined_p (loop))
	return descend (shape, gimple_omp_body_ptr (loop));
      shape->loop = loop;
      return true;
    }
  shape->levels.safe_push (gsi);
  return descend (shape, gimple_omp_body_ptr (stmt));
}

/* STMT alone.  */
static bool
descend_into (fuse_shape *shape, gimple_stmt_iterator gsi)
{
  gimple *stmt = gsi_stmt (gsi);
  unsigned depth = shape->levels.length ();
  if (stmt_empty_p (stmt))
    return true;
  if (gbind *bind = dyn_cast<gbind *> (stmt))
    {
      for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
	shape->locals.safe_push ({ v, depth });
      return descend (shape, gimple_bind_body_ptr (bind));
    }
  if (stmt_scope_body (stmt))
    return descend (shape, gimple_try_eval_ptr (stmt));
  if (shape->loop)
    return false;
  if (fuse_level_p (stmt))
    return enter (shape, gsi);
  if (!own_assignment_p (shape, stmt))
    return false;
  shape->before.safe_push ({ gsi, depth });
  return true;
}

static bool
descend (fuse_shape *shape, gimple_seq *seq)
{
  for (gimple_stmt_iterator gsi = gsi_start (*seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    if (!descend_into (shape, gsi))
      return false;
  return true;
}

static tree
find_level (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  *handled = fuse_level_p (gsi_stmt (*gsi));
  return *handled ? integer_one_node : NULL_TREE;
}

bool
fuse_take (gomp_target *stmt, fuse_shape *shape)
{
  struct walk_stmt_info wi = {};
  shape->stmt = stmt;
  shape->loop = NULL;
  shape->levels.truncate (0);
  shape->locals.truncate (0);
  shape->before.truncate (0);
  if (!descend (shape, gimple_omp_body_ptr (stmt)) || !shape->loop)
    return false;
  shape->rows = walk_gimple_seq (gimple_omp_body (shape->loop), find_level,
				 NULL, &wi);
  for (unsigned i = 0; i < shape->locals.length (); i++)
    if (!VAR_P (shape->locals[i].var) || !register_p (shape->locals[i].var))
      return false;
  return true;
}

bool
fuse_alike_p (const fuse_shape *a, const fuse_shape *b)
{
  if (a->rows != b->rows || a->levels.length () != b->levels.length ())
    return false;
  for (unsigned i = 0; i < a->levels.length (); i++)
    {
      gimple *x = fuse_level (a, i), *y = fuse_level (b, i);
      if (gimple_code (x) != gimple_code (y))
	return false;
      if (gimple_code (x) == GIMPLE_OMP_FOR
	  && (gimple_omp_for_kind (x) != gimple_omp_for_kind (y)
	      || gimple_omp_for_combined_p (x) != gimple_omp_for_combined_p (y)
	      || gimple_omp_for_collapse (x) != gimple_omp_for_collapse (y)))
	return false;
    }
  return true;
}

/* A scope is nobody's copy.  */
static tree
forget_origin (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gbind *bind = dyn_cast<gbind *> (gsi_stmt (*gsi));
  if (bind && gimple_bind_block (bind))
    BLOCK_ABSTRACT_ORIGIN (gimple_bind_block (bind)) = NULL_TREE;
  return NULL_TREE;
}

gomp_target *
fuse_copy (const gomp_target *stmt)
{
  push_gimplify_context ();
  gimple_seq body = copy_statements (gimple_omp_body (stmt));
  pop_gimplify_context (NULL);
  /* Those of the original are in scopes of the host's, whose variables the
     device may not even have types for.  */
  struct walk_stmt_info wi = {};
  walk_gimple_seq (body, forget_origin, NULL, &wi);
  gomp_target *copy
    = gimple_build_omp_target (body, gimple_omp_target_kind (stmt),
			       unshare_expr (gimple_omp_target_clauses (stmt)));
  gimple_set_location (copy, gimple_location (stmt));
  return copy;
}

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

/* Copies of two regions of the same constructs become one.

   The second's variables, assignments and body go to the same places in the
   first:

       target {				target {
	 D = n;				  int D, D'; D = n; D' = n;
	 teams distribute ...		  teams distribute ...
	   for (i < D) FIRST;	    ->	    for (i < D) { FIRST; border: SECOND; }
       }				}

   Needs: fuse_take of both copies.  Keeps: the source's constructs; only copies
   change.  Breaks: the second copy.
   Source: J. Filipovic et al., "Optimizing CUDA code by kernel fusion:
   application on BLAS", J. Supercomputing 71, 2015; OpenMP 5.0, 2.7 and 2.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

/* ---- Equal values ---- */

static tree
note_set (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  fuse_add_sets (gsi_stmt (*gsi), (hash_set<tree> *) wi->info);
  return NULL_TREE;
}

/* Do both constructs only read VAR, a copy?  */
static bool
read_copy_p (hash_set<tree> *set, const_tree c)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	 && DECL_P (OMP_CLAUSE_DECL (c)) && register_p (OMP_CLAUSE_DECL (c))
	 && !set->contains (OMP_CLAUSE_DECL (c));
}

/* The one of A's copies that stands for VAR, one of B's: of the compiler's own the
   first that has the same value, as all with that value are this one in A
   (equal.cc); of the source's VAR itself, or whatever has the value.  NULL when there
   is none.  */
static tree
copy_like (fusion *f, hash_set<tree> *set, tree var)
{
  tree any = NULL_TREE;
  for (tree c = gimple_omp_target_clauses (f->a.stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    {
      tree own = read_copy_p (set, c) ? OMP_CLAUSE_DECL (c) : NULL_TREE;
      if (!own
	  || TYPE_MAIN_VARIANT (TREE_TYPE (own))
	       != TYPE_MAIN_VARIANT (TREE_TYPE (var))
	  || !fuse_same_value_p (f, own, var))
	continue;
      if (DECL_ARTIFICIAL (var) ? DECL_ARTIFICIAL (own) : own == var)
	return own;
      any = any ? any : own;
    }
  return any;
}

/* Let B have A's copies of what has the same value, so that bounds inside of
   both are seen to be the same.  */
static void
share_values (fusion *f)
{
  hash_set<tree> set;
  hash_map<tree, tree> map;
  struct walk_stmt_info wi = {};
  wi.info = &set;
  walk_gimple_seq (gimple_omp_body (f->a.stmt), note_set, NULL, &wi);
  walk_gimple_seq (gimple_omp_body (f->b.stmt), note_set, NULL, &wi);
  for (tree *c = gimple_omp_target_clauses_ptr (f->b.stmt); *c;)
    {
      tree same = read_copy_p (&set, *c)
		    ? copy_like (f, &set, OMP_CLAUSE_DECL (*c))
		    : NULL_TREE;
      if (same && same != OMP_CLAUSE_DECL (*c))
	{
	  map.put (OMP_CLAUSE_DECL (*c), same);
	  *c = OMP_CLAUSE_CHAIN (*c);
	}
      else
	c = &OMP_CLAUSE_CHAIN (*c);
    }
  replace_variables (gimple_omp_body_ptr (f->b.stmt), &map);
}

/* ---- Indices ---- */

/* Is an index of SHAPE seen outside of its construct?  */
static bool
index_seen_p (const fuse_shape *shape)
{
  for (tree c = gimple_omp_target_clauses (shape->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (omp_clause_num_ops[OMP_CLAUSE_CODE (c)] && OMP_CLAUSE_OPERAND (c, 0)
	&& fuse_index_p (shape, OMP_CLAUSE_OPERAND (c, 0)))
      return true;
  return false;
}

/* Declare VARS around B's body.  */
static void
declare_inside (fusion *f, tree vars)
{
  gimple_seq all = NULL;
  if (!vars)
    return;
  gimple_seq_add_stmt_without_update (
    &all,
    gimple_build_bind (vars, gimple_omp_body (f->b.loop), NULL_TREE));
  gimple_omp_set_body (f->b.loop, all);
}

/* Have variables that both bodies have as their iterations' own others in the
   second: enter them in MAP, and declare them there.  */
static void
rename_private (fusion *f, hash_map<tree, tree> *map)
{
  tree vars = NULL_TREE;
  for (unsigned i = 0; i < f->b.levels.length (); i++)
    for (tree c = stmt_clauses (fuse_level (&f->b, i)); c;
	 c = OMP_CLAUSE_CHAIN (c))
      {
	if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_PRIVATE)
	  continue;
	tree var = OMP_CLAUSE_DECL (c);
	if (VAR_P (var) && register_p (var) && !fuse_index_p (&f->b, var)
	    && !map->get (var)
	    && stmt_mentions_p (gimple_omp_body (f->a.loop), var))
	  map->put (var, fuse_variable (TREE_TYPE (var), &vars));
      }
  declare_inside (f, vars);
}

static tree
find_index (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  size_t loops = gimple_code (stmt) == GIMPLE_OMP_FOR
		   ? gimple_omp_for_collapse (stmt)
		   : 0;
  for (size_t k = 0; k < loops; k++)
    *handled |= gimple_omp_for_index (stmt, k) == (tree) wi->info;
  return *handled ? integer_one_node : NULL_TREE;
}

/* Loops in B's body that count with VAR, A's index, are to have another one: enter
   it in MAP, declared in *VARS.  */
static void
rename_inner (fusion *f, tree var, hash_map<tree, tree> *map, tree *vars)
{
  struct walk_stmt_info wi = {};
  wi.info = var;
  if (!map->get (var)
      && walk_gimple_seq (gimple_omp_body (f->b.loop), find_index, NULL, &wi))
    map->put (var, fuse_variable (TREE_TYPE (var), vars));
}

/* Let B's body count with A's indices.  */
static const char *
share_indices (fusion *f)
{
  if (index_seen_p (&f->a) || index_seen_p (&f->b))
    return "the index of a loop is seen outside";
  hash_map<tree, tree> map;
  tree vars = NULL_TREE;
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
  for (size_t k = 0; k < gimple_omp_for_collapse (f->a.loop); k++)
    rename_inner (f, gimple_omp_for_index (f->a.loop, k), &map, &vars);
  rename_private (f, &map);
  declare_inside (f, vars);
  replace_variables (gimple_omp_body_ptr (f->b.loop), &map);
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

/* The construct in front of which a thread sets what it needs for its
   iterations: the first one in a parallel construct, or the outermost loop.  */
static unsigned
prologue_level (const fusion *f)
{
  unsigned first = 0;
  for (unsigned i = 0; i + 1 < f->a.levels.length (); i++)
    if (gimple_code (fuse_level (&f->a, i)) == GIMPLE_OMP_PARALLEL)
      return i + 1;
  while (gimple_code (fuse_level (&f->a, first)) != GIMPLE_OMP_FOR)
    first++;
  return first;
}

/* Move what B has in front of its construct at level I to the same place in
   A.  */
static void
move_level (fusion *f, unsigned i)
{
  tree vars = NULL_TREE;
  gimple_seq body = NULL;
  bool prologue = i == prologue_level (f);
  if (prologue)
    vars = f->prologue_vars;
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
  if (prologue)
    gimple_seq_add_seq_without_update (&body, f->prologue);
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
  share_values (f);
  if (const char *why = share_indices (f))
    return why;
  if (const char *why = fuse_take_hull (f))
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

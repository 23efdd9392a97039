/* Loops inside of fused rows become one.

   The last loop of the first body and the first one of the second, which count
   the same, load what they have in common once, and more loads are under way at
   a time:

       HEAD;  for (j ...) FIRST;	       HEAD; UP;
       MIDDLE;				  ->   for (j ...) { FIRST; SECOND; }
       for (j ...) SECOND;  TAIL;	       DOWN; TAIL;

   MIDDLE parts into UP, which depends on nothing that it passes, and DOWN.
   SECOND must not depend on DOWN, nor SECOND (j) and FIRST (k) on each other
   but for j = k: depend.cc's question.  Only straight code is around the loops.

   A nest that is nothing but one loop in another is shared out among all
   threads.  So where one of two is such a nest, the fused one must be one as
   well.

   Needs: a fused construct.  Keeps: all code of the construct; a copy changes.
   Source: R. Allen and K. Kennedy, "Optimizing Compilers for Modern
   Architectures", 8.6 (loop fusion for reuse).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

/* ---- Perfect nests ---- */

void
fuse_flatten (gimple_seq seq, vec<gimple *> *stmts, tree *vars)
{
  for (gimple_stmt_iterator gsi = gsi_start (seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	{
	  for (tree v = gimple_bind_vars (bind), next; v && vars; v = next)
	    {
	      next = DECL_CHAIN (v);
	      DECL_CHAIN (v) = *vars;
	      *vars = v;
	    }
	  fuse_flatten (gimple_bind_body (bind), stmts, vars);
	}
      else if (gimple_seq inside = stmt_scope_body (stmt))
	fuse_flatten (inside, stmts, vars);
      else if (gimple_code (stmt) != GIMPLE_NOP && !is_gimple_debug (stmt)
	       && gimple_code (stmt) != GIMPLE_PREDICT)
	stmts->safe_push (stmt);
    }
}

/* May each iteration of the loop inside repeat STMT, in front of that?  */
static bool
repeats_p (gimple *stmt)
{
  return is_gimple_assign (stmt) && !gimple_store_p (stmt)
	 && !stmt_volatile_p (stmt);
}

bool
fuse_perfect_p (gomp_target *stmt)
{
  fuse_shape shape;
  auto_vec<gimple *> stmts;
  if (!fuse_take (stmt, &shape) || !shape.rows)
    return false;
  fuse_flatten (gimple_omp_body (shape.loop), &stmts, NULL);
  unsigned at = 0;
  while (repeats_p (stmts[at]))
    at++;
  return at + 1 == stmts.length () && fuse_level_p (stmts[at]);
}

/* ---- The two loops ---- */

/* A loop inside.  */
struct inner
{
  /* Its place among the row's statements.  */
  unsigned at;
  /* The construct, with a loop in it or one itself.  */
  gimple *stmt;
  gomp_for *loop;
  /* The threads' variables.  */
  tree vars;
};

struct jam
{
  fusion *f;
  fuse_shape shape;
  region r = {};
  line l = {};
  /* The row.  */
  auto_vec<gimple *> stmts;
  tree vars = NULL_TREE;
  inner first, second;
  /* What must be true.  */
  tree guard;
  /* Parts of what is between.  */
  auto_vec<gimple *> up, down;
};

/* Let what computes bounds of OpenACC's loops stand in front of these.  */
static void
lift_bounds (jam *w)
{
  auto_vec<gimple *> all;
  for (unsigned i = 0; i < w->stmts.length (); i++)
    {
      if (gomp_for *loop = dyn_cast<gomp_for *> (w->stmts[i]))
	{
	  fuse_flatten (gimple_omp_for_pre_body (loop), &all, &w->vars);
	  gimple_omp_for_set_pre_body (loop, NULL);
	}
      all.safe_push (w->stmts[i]);
    }
  w->stmts.truncate (0);
  w->stmts.safe_splice (all);
}

static bool
straight_p (const jam *w)
{
  for (unsigned i = 0; i < w->stmts.length (); i++)
    switch (gimple_code (w->stmts[i]))
      {
      case GIMPLE_ASSIGN:
      case GIMPLE_CALL:
      case GIMPLE_LABEL:
      case GIMPLE_OMP_FOR:
      case GIMPLE_OMP_PARALLEL:
	break;
      default:
	return false;
      }
  return true;
}

/* Take the loop inside at place AT.  */
static bool
take_inner (const jam *w, unsigned at, inner *to)
{
  gimple *stmt = w->stmts[at];
  to->at = at;
  to->stmt = stmt;
  to->vars = NULL_TREE;
  if (gimple_code (stmt) == GIMPLE_OMP_PARALLEL)
    {
      auto_vec<gimple *> stmts;
      fuse_flatten (gimple_omp_body (stmt), &stmts, &to->vars);
      if (stmts.length () != 1)
	return false;
      stmt = stmts[0];
    }
  to->loop = dyn_cast<gomp_for *> (stmt);
  return to->loop && gimple_omp_for_collapse (to->loop) == 1
	 && !gimple_omp_for_combined_p (to->loop)
	 && !gimple_omp_for_pre_body (to->loop);
}

/* Find the two loops on both sides of the last mark: it begins the second body,
   which is none that was fused.  */
static bool
find_two (jam *w)
{
  int mark = -1, first = -1, second = -1;
  for (unsigned i = 0; i < w->stmts.length (); i++)
    if (fuse_mark_p (w->stmts[i]))
      mark = i;
  for (int i = 0; i < (int) w->stmts.length (); i++)
    if (fuse_level_p (w->stmts[i]))
      {
	if (i < mark)
	  first = i;
	else if (second < 0)
	  second = i;
      }
  return mark >= 0 && first >= 0 && second >= 0
	 && take_inner (w, first, &w->first)
	 && take_inner (w, second, &w->second)
	 && gimple_code (w->first.stmt) == gimple_code (w->second.stmt)
	 && gimple_omp_for_kind (w->first.loop)
	      == gimple_omp_for_kind (w->second.loop);
}

static const line_loop *
line_loop_of (const line *l, const gomp_for *loop)
{
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (l->loops[i]->directive == loop)
      return l->loops[i];
  return NULL;
}

static bool
count_alike_p (const jam *w)
{
  const line_loop *a = line_loop_of (&w->l, w->first.loop);
  const line_loop *b = line_loop_of (&w->l, w->second.loop);
  tree x = gimple_omp_for_index (w->first.loop, 0);
  tree y = gimple_omp_for_index (w->second.loop, 0);
  return a && b && !a->broken && !a->dependent && !b->broken && !b->dependent
	 && fuse_count_alike_p (a, b) && DECL_P (x) && DECL_P (y)
	 && TYPE_MAIN_VARIANT (TREE_TYPE (x))
	      == TYPE_MAIN_VARIANT (TREE_TYPE (y));
}

/* ---- Scalars ---- */

/* Variables that statements set, and those that they name.  */
struct names
{
  hash_set<tree> set, named;
  bool converts = false;
};

static tree
name_op (tree *tp, int *walk_subtrees, void *data)
{
  names *n = (names *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (TREE_CODE (*tp) == OMP_CLAUSE
	   && (OMP_CLAUSE_CODE (*tp) == OMP_CLAUSE_REDUCTION
	       || OMP_CLAUSE_CODE (*tp) == OMP_CLAUSE_PRIVATE))
    n->set.add (OMP_CLAUSE_DECL (*tp));
  if (VAR_P (*tp) || TREE_CODE (*tp) == PARM_DECL)
    n->named.add (*tp);
  return NULL_TREE;
}

static void
add_sets (gimple *stmt, names *n)
{
  fuse_add_sets (stmt, &n->set);
  n->converts |= is_gimple_call (stmt)
		 || (is_gimple_assign (stmt)
		     && (gimple_assign_rhs_code (stmt) == FLOAT_EXPR
			 || gimple_assign_rhs_code (stmt)
			      == VIEW_CONVERT_EXPR));
}

static tree
name_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  add_sets (gsi_stmt (*gsi), (names *) wi->info);
  return NULL_TREE;
}

static void
add_names (gimple *stmt, names *n)
{
  struct walk_stmt_info wi = {};
  wi.info = n;
  add_sets (stmt, n);
  walk_gimple_op (stmt, name_op, &wi);
  if (fuse_level_p (stmt))
    walk_gimple_seq (gimple_omp_body (stmt), name_stmt, name_op, &wi);
}

static bool
meet_p (hash_set<tree> *a, hash_set<tree> *b, tree but)
{
  for (hash_set<tree>::iterator i = a->begin (); i != a->end (); ++i)
    if (*i != but && b->contains (*i))
      return true;
  return false;
}

/* Can the code that A is of and that which B is of change places, or be mixed,
   as far as variables are concerned?  */
static bool
names_apart_p (names *a, names *b, tree but = NULL_TREE)
{
  return !meet_p (&a->set, &b->named, but) && !meet_p (&b->set, &a->named, but)
	 && !meet_p (&a->set, &b->set, but);
}

/* ---- Memory ---- */

/* Accesses of so many statements.  */
static void
add_accesses (const jam *w, gimple *stmt, vec<const line_access *> *to)
{
  hash_set<gimple *> stmts;
  stmts.add (stmt);
  if (fuse_level_p (stmt))
    fuse_list_within (stmt, &stmts);
  for (unsigned i = 0; i < w->l.accesses.length (); i++)
    if (stmts.contains (w->l.accesses[i].stmt))
      to->safe_push (&w->l.accesses[i]);
}

/* Are the accesses A apart from B?  With a GUARD, if that holds.  */
static bool
memory_apart_p (jam *w, const vec<const line_access *> &a,
		const vec<const line_access *> &b, tree *guard = NULL)
{
  for (unsigned i = 0; i < a.length (); i++)
    for (unsigned k = 0; k < b.length (); k++)
      if ((a[i]->write || b[k]->write)
	  && !(guard ? depend_accesses_apart_p (&w->l, w->l.loops[0], a[i],
						b[k], guard)
		     : depend_objects_apart_p (&w->l, a[i], b[k])))
	return false;
  return true;
}

/* ---- What is between ---- */

/* Let what is between part into UP and DOWN.  False when the second loop cannot
   pass DOWN.  */
static bool
part (jam *w)
{
  names first, below, second;
  auto_vec<const line_access *> of_first, of_down, of_second;
  add_names (w->first.stmt, &first);
  add_accesses (w, w->first.stmt, &of_first);
  for (unsigned i = w->first.at + 1; i < w->second.at; i++)
    {
      gimple *stmt = w->stmts[i];
      names own;
      auto_vec<const line_access *> its;
      if (gimple_code (stmt) == GIMPLE_LABEL)
	continue;
      if (fuse_mark_p (stmt))
	{
	  w->down.safe_push (stmt);
	  continue;
	}
      if (!is_gimple_assign (stmt))
	return false;
      add_names (stmt, &own);
      add_accesses (w, stmt, &its);
      if (!gimple_store_p (stmt) && names_apart_p (&own, &first)
	  && names_apart_p (&own, &below) && memory_apart_p (w, its, of_first)
	  && memory_apart_p (w, its, of_down))
	{
	  w->up.safe_push (stmt);
	  continue;
	}
      w->down.safe_push (stmt);
      add_names (stmt, &below);
      of_down.safe_splice (its);
    }
  add_names (w->second.stmt, &second);
  add_accesses (w, w->second.stmt, &of_second);
  tree one = gimple_omp_for_index (w->first.loop, 0);
  return !second.converts && names_apart_p (&second, &below)
	 && names_apart_p (&second, &first,
			   one == gimple_omp_for_index (w->second.loop, 0)
			     ? one
			     : NULL_TREE)
	 && memory_apart_p (w, of_second, of_down, &w->guard);
}

/* ---- One loop ---- */

/* May the clause C be of one of the two?  */
static bool
variable_clause_p (const_tree c)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_SHARED
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE;
}

static bool
plain_clause_p (const_tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_NOWAIT:
    case OMP_CLAUSE_INDEPENDENT:
      return true;
    case OMP_CLAUSE_WORKER:
    case OMP_CLAUSE_VECTOR:
      return !OMP_CLAUSE_OPERAND (c, 0);
    default:
      return false;
    }
}

/* Add FROM, clauses of the second's, to *TO.  */
static bool
merge_clauses (tree *to, tree from, tree index)
{
  for (tree c = *to; c; c = OMP_CLAUSE_CHAIN (c))
    if (!variable_clause_p (c)
	&& (!plain_clause_p (c)
	    || !omp_find_clause (from, OMP_CLAUSE_CODE (c))))
      return false;
  for (tree c = from, next; c; c = next)
    {
      bool there = false;
      next = OMP_CLAUSE_CHAIN (c);
      if (!variable_clause_p (c))
	{
	  if (!plain_clause_p (c)
	      || !omp_find_clause (*to, OMP_CLAUSE_CODE (c)))
	    return false;
	  continue;
	}
      for (tree d = *to; d; d = OMP_CLAUSE_CHAIN (d))
	if (variable_clause_p (d) && OMP_CLAUSE_DECL (d) == OMP_CLAUSE_DECL (c))
	  {
	    if (OMP_CLAUSE_CODE (d) != OMP_CLAUSE_CODE (c)
		|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
	      return false;
	    there = true;
	  }
      if (there || OMP_CLAUSE_DECL (c) == index)
	continue;
      OMP_CLAUSE_CHAIN (c) = *to;
      *to = c;
    }
  return true;
}

/* Let the first loop have the body of the second.  */
static bool
merge_loops (jam *w)
{
  tree index = gimple_omp_for_index (w->second.loop, 0);
  hash_map<tree, tree> map;
  map.put (index, gimple_omp_for_index (w->first.loop, 0));
  if (!merge_clauses (gimple_omp_for_clauses_ptr (w->first.loop),
		      gimple_omp_for_clauses (w->second.loop), index))
    return false;
  if (gomp_parallel *parallel = dyn_cast<gomp_parallel *> (w->first.stmt))
    {
      if (!merge_clauses (gimple_omp_parallel_clauses_ptr (parallel),
			  gimple_omp_parallel_clauses (w->second.stmt), index))
	return false;
      gimple_seq body = NULL;
      tree vars = chainon (w->first.vars, w->second.vars);
      gimple_seq_add_stmt_without_update (&body, w->first.loop);
      gbind *bind = gimple_build_bind (vars, body, NULL_TREE);
      body = NULL;
      gimple_seq_add_stmt_without_update (&body, bind);
      gimple_omp_set_body (parallel, body);
    }
  replace_variables (gimple_omp_body_ptr (w->second.loop), &map);
  tree vars = NULL_TREE;
  gimple_seq all = NULL;
  gimple *mark = fuse_mark (&vars);
  gimple_seq_add_stmt_without_update (
    &all, gimple_build_bind (NULL_TREE, gimple_omp_body (w->first.loop),
			     NULL_TREE));
  gimple_seq_add_stmt_without_update (&all, mark);
  gimple_seq_add_stmt_without_update (
    &all, gimple_build_bind (NULL_TREE, gimple_omp_body (w->second.loop),
			     NULL_TREE));
  gbind *bind = gimple_build_bind (vars, all, NULL_TREE);
  all = NULL;
  gimple_seq_add_stmt_without_update (&all, bind);
  gimple_omp_set_body (w->second.loop, NULL);
  gimple_omp_set_body (w->first.loop, all);
  return true;
}

/* Is there nothing but marks in STMTS from FROM up to TO?  */
static bool
marks_only_p (const vec<gimple *> &stmts, unsigned from, unsigned to)
{
  for (unsigned i = from; i < to; i++)
    if (gimple_code (stmts[i]) != GIMPLE_LABEL
	&& !fuse_mark_p (stmts[i]))
      return false;
  return true;
}

/* Put the row together again.  Behind a last loop there is nothing.  */
static void
rebuild (jam *w)
{
  gimple_seq all = NULL;
  unsigned n = w->stmts.length ();
  bool last = marks_only_p (w->stmts, w->second.at + 1, n)
	      && marks_only_p (w->down, 0, w->down.length ());
  for (unsigned i = 0; i < w->first.at; i++)
    if (gimple_code (w->stmts[i]) != GIMPLE_LABEL)
      gimple_seq_add_stmt_without_update (&all, w->stmts[i]);
  if (!w->up.is_empty ())
    gimple_seq_add_stmt_without_update (&all, fuse_mark (&w->vars));
  for (unsigned i = 0; i < w->up.length (); i++)
    gimple_seq_add_stmt_without_update (&all, w->up[i]);
  gimple_seq_add_stmt_without_update (&all, w->first.stmt);
  for (unsigned i = 0; i < w->down.length () && !last; i++)
    gimple_seq_add_stmt_without_update (&all, w->down[i]);
  for (unsigned i = w->second.at + 1; i < n && !last; i++)
    if (gimple_code (w->stmts[i]) != GIMPLE_LABEL)
      gimple_seq_add_stmt_without_update (&all, w->stmts[i]);
  gbind *bind = gimple_build_bind (w->vars, all, NULL_TREE);
  all = NULL;
  gimple_seq_add_stmt_without_update (&all, bind);
  gimple_omp_set_body (w->shape.loop, all);
}

/* ---- Legality ---- */

static void
find_facts (gomp_target *stmt, region *r, line *l)
{
  r->stmt = stmt;
  r->what = construct_of (stmt);
  r->loc = gimple_location (stmt);
  operand_find (r);
  access_find (r);
  if (option_enabled (ACR_OPTION_ALIAS))
    alias_find (r);
  line_make_serial (l, r);
  if (!l->broken)
    flow_find (l);
}

/* Are iterations of the one loop that W has made independent, as far as the
   accesses of SECOND, statements, and the others are concerned?  If so values go
   from one body to the other in registers.  */
static bool
independent_p (jam *w, hash_set<gimple *> *second)
{
  region r = {};
  line l = {};
  find_facts (w->shape.stmt, &r, &l);
  const line_loop *loop = l.broken ? NULL : line_loop_of (&l, w->first.loop);
  unsigned border = 0;
  while (border < l.accesses.length ()
	 && !second->contains (l.accesses[border].stmt))
    border++;
  const line_access *pair[2];
  bool yes = loop && !loop->broken && !loop->dependent
	     && (border == l.accesses.length ()
		 || !depend_between (&l, loop, border, &w->guard, pair))
	     && fuse_guard_known_p (w->f, w->guard);
  if (yes && border < l.accesses.length ())
    fuse_forward_inside (w->f, &l, loop, border);
  line_release (&l);
  region_release (&r);
  return yes;
}

/* ---- All ---- */

/* Make one loop of two in W's copy.  */
static bool
try_jam (jam *w)
{
  hash_set<gimple *> second;
  find_facts (w->shape.stmt, &w->r, &w->l);
  if (w->l.broken)
    return false;
  fuse_flatten (gimple_omp_body (w->shape.loop), &w->stmts, &w->vars);
  lift_bounds (w);
  if (!straight_p (w) || !find_two (w) || !count_alike_p (w) || !part (w))
    return false;
  fuse_list_within (w->second.stmt, &second);
  if (!merge_loops (w))
    return false;
  rebuild (w);
  return independent_p (w, &second);
}

void
fuse_jam (fusion *f)
{
  jam w;
  w.f = f;
  w.guard = f->guard;
  gomp_target *copy = fuse_copy (f->merged);
  if (!fuse_take (copy, &w.shape) || !w.shape.rows)
    return;
  f->jammed = try_jam (&w);
  if (f->jammed)
    {
      f->merged = copy;
      f->guard = w.guard;
    }
  line_release (&w.l);
  region_release (&w.r);
}

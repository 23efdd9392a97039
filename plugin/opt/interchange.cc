/* Collapsed loops are in memory order.

     #pragma omp target teams distribute parallel for collapse (2)
     for (i = 0; i < n; i++)
       for (j = 0; j < n; j++)
	 a[j * n + i] = ...

   Neighbouring threads have neighbouring iterations of the last loop, here of j, and
   each of their accesses is one of its own.  Where memory lies side by side along
   another of the loops, and nothing does along the last, that one becomes the last.

   No program can tell.  The iterations of collapsed loops that are shared out among
   teams, or stand in a parallel construct of OpenACC, run in any order, and which thread
   has which is the implementation's choice: it is the program's only where a schedule
   with chunks says so, and of a loop over the threads of one team, where two loops with
   the same bounds have the same threads.  So loops are left alone that are not shared out
   among teams, or have such a clause, or one by which the order of iterations means
   something (ordered, linear, safelen, inscan, lastprivate with conditional), or sizes for
   each (tile).  In OpenACC's kernels and serial constructs loops are not independent by
   being there, and stay; of kernels constructs those that are have become parallel ones.  Bounds do not depend on other indices (rectangular loops).  A lastprivate
   variable has the value of the iteration that is last in all loops, whichever is
   inside.  Constructs become one kernel only behind this, as their parts may rely on
   having their loops in the same order.

   Needs: GIMPLE before omp-low.  Keeps: all iterations.  Breaks: the order in which a
   reduction adds.
   Source: K. McKinley, S. Carr and C.-W. Tseng, "Improving Data Locality with Loop
   Transformations", TOPLAS 1996 (memory order); OpenMP 5.0, 2.9.1, 2.9.2 and 2.9.4;
   OpenACC 2.6, 2.9.6 and 2.9.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "base/base.h"

/* Does DIRECTIVE leave open in which order its loops are?  */
static bool
open_p (const gomp_for *directive)
{
  static const omp_clause_code fixed[]
    = { OMP_CLAUSE_ORDERED, OMP_CLAUSE_LINEAR, OMP_CLAUSE_SAFELEN, OMP_CLAUSE_TILE,
	OMP_CLAUSE_SEQ, OMP_CLAUSE_AUTO, OMP_CLAUSE__CONDTEMP_, OMP_CLAUSE__SCANTEMP_ };
  tree clauses = gimple_omp_for_clauses (directive);
  for (unsigned i = 0; i < ARRAY_SIZE (fixed); i++)
    if (omp_find_clause (clauses, fixed[i]))
      return false;
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_SCHEDULE:
	if (OMP_CLAUSE_SCHEDULE_CHUNK_EXPR (c))
	  return false;
	break;
      case OMP_CLAUSE_DIST_SCHEDULE:
	if (OMP_CLAUSE_DIST_SCHEDULE_CHUNK_EXPR (c))
	  return false;
	break;
      case OMP_CLAUSE_LASTPRIVATE:
	if (OMP_CLAUSE_LASTPRIVATE_CONDITIONAL (c))
	  return false;
	break;
      case OMP_CLAUSE_REDUCTION:
	if (OMP_CLAUSE_REDUCTION_INSCAN (c))
	  return false;
	break;
      default:
	break;
      }
  for (unsigned i = 0; i < gimple_omp_for_collapse (directive); i++)
    if (TREE_CODE (gimple_omp_for_initial (directive, i)) == TREE_VEC
	|| TREE_CODE (gimple_omp_for_final (directive, i)) == TREE_VEC)
      return false;
  return true;
}

/* May the loops of DIRECTIVES, combined ones that have the same, be in another order?  */
static bool
may_interchange_p (const vec<gomp_for *> &directives)
{
  int kind = gimple_omp_for_kind (directives[0]);
  if (gimple_omp_for_collapse (directives[0]) < 2
      || (kind != GF_OMP_FOR_KIND_DISTRIBUTE && kind != GF_OMP_FOR_KIND_OACC_LOOP))
    return false;
  for (gomp_for *directive : directives)
    if (!open_p (directive)
	|| gimple_omp_for_collapse (directive)
	     != gimple_omp_for_collapse (directives[0]))
      return false;
  return true;
}

/* Directives whose loops may be in another order, each with those that it is combined
   with; OPEN is what is combined so far.  */
struct combination_walk
{
  auto_vec<gomp_for *> open;
  auto_vec<vec<gomp_for *> > found;
  ~combination_walk ()
  {
    for (vec<gomp_for *> &directives : found)
      directives.release ();
  }
};

static tree
find_loops (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  combination_walk *w = (combination_walk *) wi->info;
  *handled = gimple_code (gsi_stmt (*gsi)) == GIMPLE_OMP_TARGET;
  gomp_for *loop = dyn_cast<gomp_for *> (gsi_stmt (*gsi));
  if (!loop)
    return NULL_TREE;
  if (!gimple_omp_for_combined_into_p (loop))
    w->open.truncate (0);
  w->open.safe_push (loop);
  if (!gimple_omp_for_combined_p (loop))
    {
      if (may_interchange_p (w->open))
	w->found.safe_push (w->open.copy ());
      w->open.truncate (0);
    }
  return NULL_TREE;
}

/* The loop of DIRECTIVE with the number DIM on the line L, or NULL.  */
static const line_loop *
loop_of (const line *l, const gomp_for *directive, unsigned dim)
{
  for (const line_loop *loop : l->loops)
    if (loop->directive == directive && loop->dim == dim)
      return loop;
  return NULL;
}

static bool
inside_p (const line_loop *in, const line_loop *loop)
{
  while (in && in != loop)
    in = in->outer;
  return in;
}

/* Is another loop directive on the line L inside LOOP?  Its iterations are then what
   neighbouring threads have.  */
static bool
around_others_p (const line *l, const line_loop *loop)
{
  for (const line_loop *other : l->loops)
    if (other->directive && other != loop && inside_p (other->outer, loop))
      return true;
  return false;
}

/* Does memory lie side by side along OTHER, and nowhere along LAST?  */
static bool
better_p (const line *l, const line_loop *other, const line_loop *last)
{
  bool any = false;
  for (unsigned i = 0; i < l->accesses.length (); i++)
    {
      const line_access *a = &l->accesses[i];
      if (!inside_p (a->in, last) || !l->r->objects[a->object].mapped)
	continue;
      movement along = line_movement (a, last), over = line_movement (a, other);
      if (along == MOVE_NEXT && over != MOVE_NOT)
	return false;
      any |= over == MOVE_NEXT && along == MOVE_FAR;
    }
  return any && !line_short_p (other);
}

/* Let the loop DIM of DIRECTIVE be the last.  */
static void
make_last (gomp_for *directive, unsigned dim)
{
  gimple_omp_for_iter it = directive->iter[dim];
  for (; dim + 1 < directive->collapse; dim++)
    directive->iter[dim] = directive->iter[dim + 1];
  directive->iter[dim] = it;
}

/* The loop of DIRECTIVES on the line L that had better be the last, or -1.  */
static int
better_last (const line *l, const vec<gomp_for *> &directives)
{
  const gomp_for *directive = directives[directives.length () - 1];
  unsigned n = gimple_omp_for_collapse (directive);
  const line_loop *last = loop_of (l, directive, n - 1);
  if (!last || around_others_p (l, last))
    return -1;
  for (unsigned dim = n - 1; dim-- > 0;)
    {
      const line_loop *other = loop_of (l, directive, dim);
      if (other && better_p (l, other, last))
	return dim;
    }
  return -1;
}

static void
interchange (const region *r, const line *l, const vec<gomp_for *> &directives)
{
  int dim = better_last (l, directives);
  if (dim < 0)
    return;
  char *name = name_of_variable (loop_of (l, directives[directives.length () - 1], dim)->index);
  remark_done (r->loc,
	       "%s region: loops interchanged: neighbouring threads have neighbouring"
	       " iterations of the loop over %s\n",
	       construct_words (r->what), name ? name : "a variable");
  free (name);
  for (gomp_for *directive : directives)
    make_last (directive, dim);
}

/* Let R's loops that LOOPS are be in memory order.  */
static void
look_at (region *r, const vec<vec<gomp_for *> > &loops)
{
  line l = {};
  operand_find (r);
  affine_reset ();
  line_make_serial (&l, r);
  if (!l.broken)
    {
      flow_find (&l);
      for (const vec<gomp_for *> &directives : loops)
	interchange (r, &l, directives);
    }
  line_release (&l);
}

void
interchange_loops (function *fun)
{
  bool scanned = false;
  for (region &r : *region_find (fun))
    {
      struct walk_stmt_info wi = {};
      combination_walk w;
      if (r.what->kind != ACR_KIND_OMP_TARGET && r.what->kind != ACR_KIND_ACC_PARALLEL)
	continue;
      wi.info = &w;
      walk_gimple_seq (gimple_omp_body (r.stmt), find_loops, NULL, &wi);
      if (w.found.is_empty ())
	continue;
      if (!scanned)
	object_scan (gimple_body (fun->decl));
      scanned = true;
      look_at (&r, w.found);
    }
}

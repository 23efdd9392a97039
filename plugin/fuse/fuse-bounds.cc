/* Bounds of two loops that become one.

   Where they are not the same, but a constant apart, the loop goes over the
   hull of both ranges, and a body is executed when the index is in its own
   range:

       for (i = 1; i < n; i++)			for (i = 1; i < n + 1; i++)
	 FIRST;					  {
       for (i = 2; i < n + 1; i++)	   ->	    if (i < n) FIRST;
	 SECOND;				    if (i >= 2) SECOND;
						  }

   Needs: fuse_host_bar.  Keeps: the source's constructs; only copies change.
   Source: A. Darte, "On the complexity of loop fusion", PACT 1999.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"
#include "base/code.h"

/* The bounds of one loop, in terms of values before the construct.  */
struct bounds
{
  affine first, last;
  tree_code cond;
  HOST_WIDE_INT step;
};

/* Those of all loop directives of SHAPE's construct; and its iterations' OWN scalars.
   Are there N loops, or more?  */
static bool
find_bounds (const fuse_shape *shape, unsigned n, auto_vec<bounds> *to,
	     vec<fuse_own> *own)
{
  bool more = true;
  region r = {};
  line l = {};
  r.stmt = shape->stmt;
  r.what = construct_of (shape->stmt);
  operand_find (&r);
  line_make_serial (&l, &r);
  if (!l.broken)
    {
      flow_find (&l);
      for (unsigned i = 0; i < l.loops.length (); i++)
	if (l.loops[i]->directive)
	  to->safe_push ({ l.loops[i]->first, l.loops[i]->bound,
			   l.loops[i]->cond, l.loops[i]->step });
      more = l.loops.length () > n;
      fuse_find_own (&l, shape, own);
    }
  line_release (&l);
  region_release (&r);
  return more;
}

/* The host's variable whose value A is, or NULL.  */
static tree
variable_of (const affine *a)
{
  if (a->n != 1 || a->term[0].factor != 1
      || a->term[0].symbol[AFFINE_DEGREE - 1] < 0
      || a->term[0].symbol[AFFINE_DEGREE - 2] >= 0)
    return NULL_TREE;
  return affine_symbol_of (a->term[0].symbol[AFFINE_DEGREE - 1])->expr;
}

/* Which of A, before the first construct, and B, before the second, goes
   further in the direction UP, if that is known?  */
static bool
find_edge (fusion *f, const affine *a, const affine *b, bool up,
	   fuse_edge *edge)
{
  HOST_WIDE_INT further;
  affine distance = affine_add (*b, -1, *a);
  tree x = variable_of (a), y = variable_of (b);
  *edge = EDGE_SAME;
  if (affine_equal_p (a, b) || (x && y && fuse_same_value_p (f, x, y)))
    return true;
  if (!affine_constant_p (&distance, &further))
    return false;
  *edge = (further > 0) == up ? EDGE_SECOND : EDGE_FIRST;
  return true;
}

/* May loops that count like L be over other ranges?  */
static bool
hull_p (const bounds *l)
{
  return l->step == 1 ? l->cond == LT_EXPR || l->cond == LE_EXPR
		      : l->step == -1
			  && (l->cond == GT_EXPR || l->cond == GE_EXPR);
}

const char *
fuse_bounds_bar (fusion *f)
{
  auto_vec<bounds> first, second;
  unsigned n = gimple_omp_for_collapse (f->a.loop);
  affine_reset ();
  f->loops_inside = find_bounds (&f->a, n, &first, &f->a_own);
  f->loops_inside |= find_bounds (&f->b, n, &second, &f->b_own);
  if (first.length () < n || second.length () < n)
    return "its counting is not understood";
  for (unsigned i = 0; i < n; i++)
    {
      const bounds *a = &first[i], *b = &second[i];
      fuse_edge begin, end;
      if (a->first.n < 0 || b->first.n < 0 || a->last.n < 0 || b->last.n < 0)
	return "its bounds are not known";
      if (a->cond != b->cond || a->step != b->step
	  || !find_edge (f, &a->first, &b->first, a->step < 0, &begin)
	  || !find_edge (f, &a->last, &b->last, a->step > 0, &end)
	  || ((begin != EDGE_SAME || end != EDGE_SAME)
	      && (f->loops_inside || !hull_p (a))))
	return "other bounds than the one before";
      f->begins.safe_push (begin);
      f->ends.safe_push (end);
    }
  return NULL;
}

/* ---- The hull ---- */

/* Let *BODY be executed when INDEX HOW LIMIT.  */
static void
guard_body (gimple_seq *body, tree index, tree_code how, tree limit)
{
  gimple_seq seq = NULL;
  code c = &seq;
  c.if_ (test{ how, index, unshare_expr (limit) },
	 [&] { gimple_seq_add_seq_without_update (c, *body); });
  *body = seq;
}

/* Guard the body of the loop of OWN, whose index is now INDEX, by its bounds of
   dimension DIM where the hull is wider.  */
static void
guard_range (const fuse_shape *own, unsigned dim, tree index, bool begin,
	     bool end)
{
  gomp_for *loop = own->loop;
  gimple_seq *body = gimple_omp_body_ptr (loop);
  tree_code code = gimple_omp_for_cond (loop, dim);
  bool up = code == LT_EXPR || code == LE_EXPR;
  if (end)
    guard_body (body, index, code, gimple_omp_for_final (loop, dim));
  if (begin)
    guard_body (body, index, up ? GE_EXPR : LE_EXPR,
		gimple_omp_for_initial (loop, dim));
}

static tree
find_product (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  *handled = is_gimple_assign (stmt)
	     && gimple_assign_rhs_code (stmt) == MULT_EXPR
	     && FLOAT_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)));
  return *handled ? integer_one_node : NULL_TREE;
}

/* May BODY round otherwise under a test?  A product that is the same in all
   iterations is computed in front of a loop, but not where only some need
   it.  */
static bool
rounds_p (gimple_seq body)
{
  struct walk_stmt_info wi = {};
  return flag_fp_contract_mode == FP_CONTRACT_FAST
	 && walk_gimple_seq (body, find_product, NULL, &wi);
}

/* Take the wider bounds of dimension DIM from FROM into TO.  */
static void
take_bounds (const fusion *f, unsigned dim, gimple *to, gimple *from)
{
  if (f->begins[dim] == EDGE_SECOND)
    gimple_omp_for_set_initial (
      to, dim, unshare_expr (gimple_omp_for_initial (from, dim)));
  if (f->ends[dim] == EDGE_SECOND)
    gimple_omp_for_set_final (
      to, dim, unshare_expr (gimple_omp_for_final (from, dim)));
}

const char *
fuse_take_hull (fusion *f)
{
  for (unsigned dim = 0; dim < f->begins.length (); dim++)
    {
      fuse_edge begin = f->begins[dim], end = f->ends[dim];
      if (begin == EDGE_SAME && end == EDGE_SAME)
	continue;
      const gomp_for *loops[] = { f->a.loop, f->b.loop };
      for (int i = 0; i < 2; i++)
	if (!is_gimple_val (gimple_omp_for_initial (loops[i], dim))
	    || !is_gimple_val (gimple_omp_for_final (loops[i], dim)))
	  return "other bounds than the one before";
      bool first = begin == EDGE_SECOND || end == EDGE_SECOND;
      bool second = begin == EDGE_FIRST || end == EDGE_FIRST;
      if ((first && rounds_p (gimple_omp_body (f->a.loop)))
	  || (second && rounds_p (gimple_omp_body (f->b.loop))))
	return "other bounds, and products that might be rounded otherwise";
      tree index = gimple_omp_for_index (f->a.loop, dim);
      guard_range (&f->a, dim, index, begin == EDGE_SECOND,
		   end == EDGE_SECOND);
      guard_range (&f->b, dim, index, begin == EDGE_FIRST, end == EDGE_FIRST);
      for (unsigned i = 0; i < f->a.levels.length (); i++)
	if (gimple_code (fuse_level (&f->a, i)) == GIMPLE_OMP_FOR)
	  take_bounds (f, dim, fuse_level (&f->a, i), fuse_level (&f->b, i));
    }
  return NULL;
}

/* Rounds of other blocks that a block does not go through.

   Behind a round that it has executed a block has nothing to do until its next
   one.  Where each number that comes from one round to the next is a constant
   more in each, or is handed on, what it is there is known:

       for (t = 0; t < n; t++) {	test: if (t < n) {
	 ROUND (t);		   ->		if (t + ahead >= n) leave;
       }					t += ahead;
					      }
					      if (t < n) ...

   Round 0 is gone through by all; what begins there is the same everywhere.
   The test is asked for each round that is left out: it is one of a number that
   goes up or down, so the last one answers for all.

   Needs: chain-number.cc; that a round is one time through all of the loop's
   code.
   Keeps: all numbers of a round that a block executes.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 9.6.8.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/chain/turns.h"

/* What a number is behind a round: what FROM was in front of it, and MORE.  */
struct sum_from
{
  tree from;
  HOST_WIDE_INT more;
};

typedef hash_map<tree, sum_from> sums;

/* No sum of a round's is more.  */
static const HOST_WIDE_INT MOST = 1 << 30;

/* The place of LABEL in L, or -1.  */
static int
place_of (const host_loop *l, tree label)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    if (gimple_code (l->code[i]) == GIMPLE_LABEL
	&& gimple_label_label (as_a<glabel *> (l->code[i])) == label)
      return i;
  return -1;
}

/* Let WAY be the statements of L from the place AT on until the one at TEST, in
   the order in which they are executed.  False where control does not come
   there.  */
static bool
find_way (const host_loop *l, int at, int test, vec<unsigned> *way)
{
  while (at != test)
    {
      if (at < 0 || at >= (int) l->code.length ()
	  || way->length () > l->code.length ())
	return false;
      way->safe_push (at);
      tree label = stmt_jump_target (l->code[at], 0);
      at = label ? place_of (l, label) : at + 1;
    }
  return true;
}

/* Let *IS be T, a number of L's way so far: in front of it, and more.  */
static bool
sum_of (sums *known, tree t, sum_from *is)
{
  if (!host_name_p (t) || !INTEGRAL_TYPE_P (TREE_TYPE (t)))
    return false;
  sum_from *found = known->get (t);
  *is = found ? *found : sum_from { t, 0 };
  return is->from != NULL_TREE;
}

/* What STMT, an assignment, sets, in KNOWN; FROM is NULL_TREE where that is no
   such sum.  */
static sum_from
sum_set_by (sums *known, gimple *stmt)
{
  const sum_from none = { NULL_TREE, 0 };
  tree_code op = gimple_assign_rhs_code (stmt);
  tree to = gimple_assign_lhs (stmt), x = gimple_assign_rhs1 (stmt);
  sum_from is;
  if (!sum_of (known, x, &is)
      || TYPE_PRECISION (TREE_TYPE (x)) != TYPE_PRECISION (TREE_TYPE (to)))
    return none;
  if (gimple_assign_single_p (stmt) || CONVERT_EXPR_CODE_P (op))
    return is;
  if (gimple_num_ops (stmt) != 3 || (op != PLUS_EXPR && op != MINUS_EXPR)
      || TREE_CODE (gimple_assign_rhs2 (stmt)) != INTEGER_CST)
    return none;
  /* Of an unsigned number, the negative is a great one.  */
  HOST_WIDE_INT more
    = sext_hwi (TREE_INT_CST_LOW (gimple_assign_rhs2 (stmt)),
		TYPE_PRECISION (TREE_TYPE (to)));
  is.more += op == PLUS_EXPR ? more : -(unsigned HOST_WIDE_INT) more;
  return absu_hwi (more) < MOST && absu_hwi (is.more) < MOST ? is : none;
}

/* Let KNOWN have what the numbers of L are behind WAY.  False where it sets
   anything else.  */
static bool
find_sums (host_loop *l, const vec<unsigned> &way, sums *known)
{
  for (unsigned i = 0; i < way.length (); i++)
    {
      gimple *stmt = l->code[way[i]];
      if (gomp_target *target = dyn_cast<gomp_target *> (stmt))
	{
	  auto_vec<tree> results;
	  region_results (target, &results);
	  for (unsigned k = 0; k < results.length (); k++)
	    known->put (OMP_CLAUSE_DECL (results[k]), { NULL_TREE, 0 });
	}
      else if (is_gimple_assign (stmt) && host_loop_needs_p (l, way[i]))
	{
	  tree to = gimple_assign_lhs (stmt);
	  if (!host_name_p (to) || POINTER_TYPE_P (TREE_TYPE (to)))
	    return false;
	  known->put (to, sum_set_by (known, stmt));
	}
    }
  return true;
}

/* How much more VAR is in front of each round than in front of the one before,
   from the second one on; false where that is not known.  */
static bool
grows_by (sums *known, tree var, HOST_WIDE_INT *each)
{
  sum_from is, of;
  if (!sum_of (known, var, &is) || !sum_of (known, is.from, &of)
      || of.from != is.from)
    return false;
  *each = of.more;
  return true;
}

/* Is the test to go on where A OP B one that is true up to a round and false from
   there on?  Then C has its number.  An unsigned one is not to go past the width
   of its type by a step.  */
static bool
find_counter (chain *c, sums *known, tree_code op, tree a, tree b)
{
  HOST_WIDE_INT each, other = 0;
  if (!host_name_p (a) || !INTEGRAL_TYPE_P (TREE_TYPE (a))
      || !grows_by (known, a, &each)
      || (TYPE_UNSIGNED (TREE_TYPE (a)) && absu_hwi (each) > 1)
      || (TREE_CODE (b) != INTEGER_CST
	  && (!grows_by (known, b, &other) || other)))
    return false;
  c->counter = { a, each };
  switch (op)
    {
    case LT_EXPR:
    case LE_EXPR:
      return each > 0;
    case GT_EXPR:
    case GE_EXPR:
      return each < 0;
    case NE_EXPR:
      return each == 1 || each == -1;
    default:
      return false;
    }
}

/* Let C go by the test STMT, whose first label leads to the next round if IN,
   else its second one.  */
static bool
find_test (chain *c, sums *known, gimple *stmt, bool in)
{
  tree a = gimple_cond_lhs (stmt), b = gimple_cond_rhs (stmt);
  tree_code op = gimple_cond_code (stmt);
  if (!in)
    op = invert_tree_comparison (op, false);
  c->enters = in;
  c->counts_first = find_counter (c, known, op, a, b);
  c->goes_on = op;
  if (c->counts_first)
    return true;
  c->goes_on = swap_tree_comparison (op);
  return find_counter (c, known, c->goes_on, b, a);
}

/* Does a round take or hand on anything on WAY, in front of its first region?
   That is where the round before ends.  */
static bool
stops_before_p (const chain *c, host_loop *l, const vec<unsigned> &way)
{
  for (unsigned i = 0; i < way.length () && way[i] != l->regions[0]; i++)
    if (const_cast<chain *> (c)->points.contains (way[i])
	|| is_a<gomp_target *> (l->code[way[i]]))
      return true;
  return false;
}

/* Let WAY be the statements of a round of L from behind the test at place TEST,
   which leads there by its first label if *FIRST, else by its second one, and
   leaves the loop by the other.  False where that is not so.  */
static bool
find_round (const host_loop *l, int test, vec<unsigned> *way, bool *first)
{
  auto_vec<unsigned> other;
  int yes = place_of (l, stmt_jump_target (l->code[test], 0));
  int no = place_of (l, stmt_jump_target (l->code[test], 1));
  *first = find_way (l, yes, test, way);
  if (*first)
    return !find_way (l, no, test, &other);
  way->truncate (0);
  return find_way (l, no, test, way);
}

/* Let C have what is set where rounds of L are left out in front of the test
   at place TEST.  */
static bool
find_steps (chain *c, host_loop *l, int test)
{
  auto_vec<unsigned> way;
  auto_vec<tree> used;
  bool first;
  sums known;
  if (!find_round (l, test, &way, &first) || way.is_empty ()
      || stops_before_p (c, l, way) || !find_sums (l, way, &known)
      || !find_test (c, &known, l->code[test], first))
    return false;
  for (unsigned i = 0; i < l->regions.length (); i++)
    if (!way.contains (l->regions[i]))
      return false;
  chain_used_at (l, way[0], &used);
  if (!used.contains (c->counter.var))
    used.safe_push (c->counter.var);
  for (unsigned i = 0; i < used.length (); i++)
    {
      chain_step step = { used[i], 0 };
      if (c->carried.contains (step.var))
	continue;
      if (!grows_by (&known, step.var, &step.each))
	return false;
      if (step.each)
	c->steps.safe_push (step);
    }
  return true;
}

void
chain_find_skip (chain *c, host_loop *l)
{
  if (!chain_straight_p (l))
    return;
  for (unsigned i = 0; i < l->code.length (); i++)
    if (gimple_code (l->code[i]) == GIMPLE_COND && !c->points.contains (i)
	&& host_loop_needs_p (l, i) && find_steps (c, l, i))
      c->skips = i;
}

/* ---- The kernel ---- */

void
turns_skip (const turns *r, code c, writer<> end_round)
{
  gcond *stmt = as_a<gcond *> (r->x->code[r->c->skips]);
  tree leave = r->c->enters ? gimple_cond_false_label (stmt)
			    : gimple_cond_true_label (stmt);
  tree count = gimple_cond_lhs (stmt), bound = gimple_cond_rhs (stmt);
  if (!r->c->counts_first)
    std::swap (count, bound);
  HOST_WIDE_INT each = r->c->counter.each;
  tree_code op = r->c->goes_on;
  val ahead = c.let ("ahead", r->next - r->now - 1);
  val skips = c.var (unsigned_type_node, "skips", ahead);
  c.if_ (r->now == -1, [&] { c.set (skips, 0); });
  c.if_ (skips != 0, [&] {
    c.if_ (test { op, unshare_expr (count), unshare_expr (bound) }, [&] {
      end_round ();
      c.set (r->mine, 0);
      /* The test is true here, so this is less than 2 to the width.  */
      tree type = unsigned_type_for (TREE_TYPE (count));
      val from = fold_convert (type, unshare_expr (each > 0 ? count : bound));
      val to = fold_convert (type, unshare_expr (each > 0 ? bound : count));
      val left = c.let ("left", (to - from).as (uint64_type_node));
      val by = c.let ("by", ahead.as (uint64_type_node) * absu_hwi (each));
      bool equal = op == LE_EXPR || op == GE_EXPR;
      c.need (equal ? by <= left : by < left, leave);
      for (unsigned i = 0; i < r->c->steps.length (); i++)
	{
	  tree var = r->c->steps[i].var;
	  tree modulo = unsigned_type_for (TREE_TYPE (var));
	  val more = ahead.as (modulo) * r->c->steps[i].each;
	  c.set (var, (val (fold_convert (modulo, var)) + more)
			.as (TREE_TYPE (var)));
	}
      c.set (r->now, r->now + ahead);
    });
  });
}

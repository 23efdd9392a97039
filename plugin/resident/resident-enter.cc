/* How a loop begins: which regions are executed at least once.

   The construct maps what regions map even when the loop has no round, or when
   a test leaves a region out.  For data that are not on the device that would
   not be the same: a present clause would fail, a copy back would overwrite.
   So the host makes the loop's first tests before it begins the construct, and
   what only some rounds map must be there already.

   The way in is followed from the loop's top by way of tests of which one
   branch leads out of the loop, to a region, and on to the next test.

   Needs: host_loop_bar.  Keeps: all code.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 9.6 (loop inversion).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"

/* So many tests lead into a loop, at the most.  */
static const unsigned MOST_TESTS = 8;

struct way
{
  const host_loop *l;
  hash_map<tree, unsigned> labels;
  /* What variables have become on the way.  */
  hash_map<tree, tree> values;
  host_entry *e;
};

/* Where control goes from the statement I, which is no test, or one that makes
   no difference; -1: out of sight.  */
static int
next (way *w, unsigned i)
{
  gimple *stmt = w->l->code[i];
  if (gimple_code (stmt) == GIMPLE_GOTO)
    {
      unsigned *to = w->labels.get (gimple_goto_dest (stmt));
      return to ? (int) *to : -1;
    }
  if (gimple_code (stmt) == GIMPLE_COND)
    {
      /* An idle one.  */
      unsigned *to
	= w->labels.get (gimple_cond_true_label (as_a<gcond *> (stmt)));
      return to ? (int) *to : -1;
    }
  return i + 1 < w->l->code.length () ? (int) i + 1 : -1;
}

/* The first test or region from the statement I on, or -1.  */
static int
first_event (way *w, int i)
{
  for (unsigned n = w->l->code.length (); n && i >= 0; n--)
    if ((gimple_code (w->l->code[i]) == GIMPLE_COND
	 && host_loop_needs_p (w->l, i))
	|| construct_computes_p (w->l->code[i]))
      return i;
    else
      i = next (w, i);
  return -1;
}

static bool
region_p (const way *w, int i)
{
  return i >= 0 && construct_computes_p (w->l->code[i]);
}

/* The value of T on the way.  */
static tree
value_of (way *w, tree t)
{
  tree *value = w->values.get (t);
  return value ? *value : t;
}

/* Compute what the statements from I up to END set.  */
static void
compute (way *w, int i, int end)
{
  for (; i != end; i = next (w, i))
    {
      gimple *stmt = w->l->code[i];
      if (!is_gimple_assign (stmt) || !host_loop_needs_p (w->l, i))
	continue;
      gimple *copy = gimple_copy (stmt);
      for (unsigned k = 1; k < gimple_num_ops (copy); k++)
	gimple_set_op (copy, k, value_of (w, gimple_op (stmt, k)));
      tree lhs = gimple_assign_lhs (stmt);
      tree value = code_temp (TREE_TYPE (lhs), "first");
      gimple_set_op (copy, 0, value);
      gimple_seq_add_stmt (&w->e->seq, copy);
      w->values.put (lhs, value);
    }
}

/* Add to C that the loop is entered as far as this test says, by the branch
   that is taken where it is true, or else the other.  */
static void
add_test (way *w, gcond *cond, bool yes)
{
  tree says = build2 (gimple_cond_code (cond), boolean_type_node,
		      value_of (w, gimple_cond_lhs (cond)),
		      value_of (w, gimple_cond_rhs (cond)));
  says = code_value (says, "enters", &w->e->seq);
  if (!yes)
    says = fold_build1 (TRUTH_NOT_EXPR, boolean_type_node, says);
  w->e->test = w->e->test ? fold_build2 (TRUTH_AND_EXPR, boolean_type_node,
					 w->e->test, says)
			  : says;
}

/* The branch of COND that alone leads to a region, or else alone to anything,
   into *YES; where that begins, or -1.  */
static int
branch_of (way *w, gcond *cond, bool *yes)
{
  unsigned *to[] = { w->labels.get (gimple_cond_true_label (cond)),
		     w->labels.get (gimple_cond_false_label (cond)) };
  int event[2];
  for (unsigned i = 0; i < 2; i++)
    event[i] = to[i] ? first_event (w, *to[i]) : -1;
  bool regions[] = { region_p (w, event[0]), region_p (w, event[1]) };
  if (regions[0] != regions[1])
    *yes = regions[0];
  else if ((event[0] < 0) != (event[1] < 0))
    *yes = event[0] >= 0;
  else
    return -1;
  return *to[*yes ? 0 : 1];
}

void
host_loop_enter (const host_loop *l, host_entry *e)
{
  way w;
  w.l = l;
  w.e = e;
  for (unsigned i = 0; i < l->code.length (); i++)
    if (glabel *label = dyn_cast<glabel *> (l->code[i]))
      w.labels.put (gimple_label_label (label), i);
  int from = 0, at = first_event (&w, 0);
  for (unsigned tests = 0; at >= 0 && !region_p (&w, at); tests++)
    {
      bool yes = true;
      gcond *cond = as_a<gcond *> (l->code[at]);
      compute (&w, from, at);
      from = tests < MOST_TESTS ? branch_of (&w, cond, &yes) : -1;
      if (from < 0)
	return;
      add_test (&w, cond, yes);
      at = first_event (&w, from);
    }
  while (region_p (&w, at) && !e->regions.add (l->code[at]))
    {
      at = next (&w, at);
      at = at < 0 ? -1 : first_event (&w, at);
    }
}

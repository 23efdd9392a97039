/* How a loop begins: which regions are executed at least once.

   The construct maps what regions map even when the loop has no round, or when a
   test leaves a region out.  For data that are not on the device that would not be
   the same: a present clause would fail, a copy back would overwrite.  So the host
   makes the loop's first test before it begins the construct, and what only some
   rounds map must be there already.

   The way in is followed from the loop's top to its first test, of which one branch
   leads to a region, and on to the next test.

   Needs: host_loop_bar.  Keeps: all code.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 9.6 (loop inversion).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"

struct way
{
  const host_loop *l;
  hash_map<tree, unsigned> labels;
  /* What variables have become on the way.  */
  hash_map<tree, tree> values;
  host_entry *e;
};

/* Where control goes from the statement I, which is no test, or one that makes no
   difference; -1: out of sight.  */
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

/* The branch of the test AT that alone leads to a region, which is made true; or
   -1.  */
static int
decide (way *w, int at)
{
  gcond *cond = as_a<gcond *> (w->l->code[at]);
  unsigned *yes = w->labels.get (gimple_cond_true_label (cond));
  unsigned *no = w->labels.get (gimple_cond_false_label (cond));
  int to[] = { yes ? first_event (w, *yes) : -1,
	       no ? first_event (w, *no) : -1 };
  bool takes[] = { region_p (w, to[0]), region_p (w, to[1]) };
  if (takes[0] == takes[1])
    return -1;
  tree test = build2 (gimple_cond_code (cond), boolean_type_node,
		      value_of (w, gimple_cond_lhs (cond)),
		      value_of (w, gimple_cond_rhs (cond)));
  tree value = code_value (test, "enters", &w->e->seq);
  w->e->test = takes[0] ? value : fold_build1 (TRUTH_NOT_EXPR,
					       boolean_type_node, value);
  return takes[0] ? to[0] : to[1];
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
  int at = first_event (&w, 0);
  if (at >= 0 && !region_p (&w, at))
    {
      compute (&w, 0, at);
      at = decide (&w, at);
    }
  while (region_p (&w, at) && !e->regions.add (l->code[at]))
    {
      at = next (&w, at);
      at = at < 0 ? -1 : first_event (&w, at);
    }
}

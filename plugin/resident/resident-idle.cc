/* What of the host's code threads leave out.

   They have no need of what nothing in the regions or in their tests depends on.
   Tests that only code for clauses' operands depends on (resident-operand.cc)
   threads cannot make, and need not: between the test and where its ways meet
   stands nothing that a thread executes.

   Needs: what threads need of the loop.  Keeps: all code.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 9.1.6 (dead code).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"

bool
host_loop_needs_p (const host_loop *l, unsigned i)
{
  gimple *stmt = l->code[i];
  if (gimple_code (stmt) == GIMPLE_COND)
    return !CONST_CAST (host_loop *, l)->idle.contains (stmt);
  if (!is_gimple_assign (stmt))
    return !stmt_empty_p (stmt);
  return !gimple_clobber_p (stmt)
	 && CONST_CAST (host_loop *, l)
	      ->needed.contains (gimple_assign_lhs (stmt));
}

/* Where LABEL stands in L.  */
static unsigned
place_of_label (const host_loop *l, tree label)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    if (gimple_code (l->code[i]) == GIMPLE_LABEL
	&& gimple_label_label (as_a<glabel *> (l->code[i])) == label)
      return i;
  return 0;
}

/* The furthest place that STMT jumps to, or 0; 0 as well when it jumps to FROM
   or further up: then *UP.  */
static unsigned
furthest (const host_loop *l, gimple *stmt, unsigned from, bool *up)
{
  unsigned far = 0, n = 0;
  while (tree label = stmt_jump_target (stmt, n++))
    {
      unsigned place = place_of_label (l, label);
      *up |= place <= from;
      far = MAX (far, place);
    }
  return far;
}

/* Is there nothing for threads between the test AT of L and where its ways
   meet, to which control comes but from there?  */
static bool
idle_p (const host_loop *l, unsigned at)
{
  bool up = false;
  unsigned end = furthest (l, l->code[at], at, &up);
  for (unsigned i = at + 1; i < end && !up; i++)
    {
      gimple *stmt = l->code[i];
      end = MAX (end, furthest (l, stmt, at, &up));
      if (construct_computes_p (stmt)
	  || (is_gimple_assign (stmt) && host_loop_needs_p (l, i)))
	return false;
      if (gimple_code (stmt) != GIMPLE_LABEL)
	continue;
      tree label = gimple_label_label (as_a<glabel *> (stmt));
      for (unsigned k = 0; k < l->code.length (); k++)
	if ((k < at || k > end) && stmt_jumps_to_p (l->code[k], label))
	  return false;
    }
  return !up;
}

const char *
host_loop_tests_bar (host_loop *l)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    if (gimple_code (l->code[i]) == GIMPLE_COND
	&& !host_thread_stmt_p (l->code[i]))
      {
	if (!idle_p (l, i))
	  return "a test of what is no number of the host";
	l->idle.add (l->code[i]);
      }
  return NULL;
}

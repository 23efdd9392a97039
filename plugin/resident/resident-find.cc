/* Loops of the host with regions in them.

   Before omp-low a loop is labels and jumps in a sequence of statements, with
   scopes between.  A jump back, to a label in front of it, makes a loop of
   what is between; all that jumps from there lead to belongs to it, up to the
   label behind the loop, as does a jump in front of it that leads into it.
   What is complete in this way is entered at its top, as far as control falls
   into it, and left at its end.  (Jumps from elsewhere may lead into it: they
   find the host's loop, which stays.)

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 9.6.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"

/* A statement, in which child of the sequence.  */
struct placed
{
  gimple *stmt;
  unsigned top;
};

struct loop_range
{
  unsigned first, last;
};

struct loop_search
{
  host_loop_visit visit;
  void *data;
  /* The data constructs that are open.  */
  auto_vec<gomp_target *> around;
  /* What stands for loops, and what began loops that stay.  */
  hash_set<gimple *> done;
};

/* What is in the scope STMT, NULL when it is none.  */
static gimple_seq
scope_body (gimple *stmt)
{
  gbind *bind = dyn_cast<gbind *> (stmt);
  return bind ? gimple_bind_body (bind) : stmt_scope_body (stmt);
}

void
host_loop_flatten (gimple_seq seq, vec<gimple *> *code)
{
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    {
      code->safe_push (gsi_stmt (i));
      host_loop_flatten (scope_body (gsi_stmt (i)), code);
    }
}

/* ---- Jumps ---- */

/* A sequence that is searched.  */
struct searched
{
  auto_vec<placed> code;
  hash_map<tree, unsigned> labels;
};

static void
enter_sequence (searched *s, gimple_seq seq)
{
  unsigned top = 0;
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i);
       gsi_next (&i), top++)
    {
      auto_vec<gimple *> all;
      all.safe_push (gsi_stmt (i));
      host_loop_flatten (scope_body (gsi_stmt (i)), &all);
      for (unsigned k = 0; k < all.length (); k++)
	{
	  s->code.safe_push ({ all[k], top });
	  if (glabel *label = dyn_cast<glabel *> (all[k]))
	    s->labels.put (gimple_label_label (label), top);
	}
    }
}

/* Let RANGE have what the jumps of P lead to, when that is in it, or what
   jumps into it from right before.  False when control leaves the
   sequence.  */
static bool
widen (searched *s, const placed *p, loop_range *range, bool *wider)
{
  bool within = IN_RANGE (p->top, range->first, range->last);
  unsigned n = 0;
  while (tree to = stmt_jump_target (p->stmt, n++))
    {
      unsigned *top = s->labels.get (to);
      if (!top && within)
	return false;
      if (within && (*top < range->first || *top > range->last))
	{
	  range->first = MIN (range->first, *top);
	  range->last = MAX (range->last, *top);
	  *wider = true;
	}
      else if (!within && p->top + 1 == range->first && top
	       && IN_RANGE (*top, range->first, range->last))
	{
	  range->first = p->top;
	  *wider = true;
	  within = true;
	}
    }
  return true;
}

static bool
complete (searched *s, loop_range *range)
{
  bool wider;
  do
    {
      wider = false;
      for (unsigned i = 0; i < s->code.length (); i++)
	if (!widen (s, &s->code[i], range, &wider))
	  return false;
    }
  while (wider);
  return true;
}

static bool
has_region_p (const searched *s, const loop_range *range)
{
  for (unsigned i = 0; i < s->code.length (); i++)
    if (IN_RANGE (s->code[i].top, range->first, range->last)
	&& construct_computes_p (s->code[i].stmt))
      return true;
  return false;
}

static int
longest_first (const void *a, const void *b)
{
  const loop_range *x = (const loop_range *) a, *y = (const loop_range *) b;
  int n = (int) (y->last - y->first) - (int) (x->last - x->first);
  return n ? n : (int) x->first - (int) y->first;
}

/* The loops of S, the longest first.  */
static void
find_loops (searched *s, vec<loop_range> *found)
{
  for (unsigned i = 0; i < s->code.length (); i++)
    {
      const placed *p = &s->code[i];
      unsigned n = 0;
      while (tree to = stmt_jump_target (p->stmt, n++))
	{
	  unsigned *top = s->labels.get (to);
	  if (!top || *top >= p->top)
	    continue;
	  loop_range range = { *top, p->top };
	  if (complete (s, &range) && has_region_p (s, &range))
	    found->safe_push (range);
	}
    }
  found->qsort (longest_first);
}

/* ---- Search ---- */

static gimple *
child (gimple_seq seq, unsigned n)
{
  gimple_stmt_iterator i = gsi_start (seq);
  while (n--)
    gsi_next (&i);
  return gsi_stmt (i);
}

/* Visit the loop RANGE of SEQ.  */
static bool
visit (loop_search *s, gimple_seq *seq, const searched *in,
       const loop_range *range)
{
  gimple *first = child (*seq, range->first);
  if (s->done.contains (first))
    return false;
  host_loop l;
  l.seq = seq;
  l.first = range->first;
  l.last = range->last;
  l.around = &s->around;
  for (unsigned i = 0; i < in->code.length (); i++)
    if (IN_RANGE (in->code[i].top, range->first, range->last))
      {
	if (construct_computes_p (in->code[i].stmt))
	  l.regions.safe_push (l.code.length ());
	l.code.safe_push (in->code[i].stmt);
      }
  gimple *instead = s->visit (&l, s->data);
  s->done.add (instead ? instead : first);
  return instead;
}

/* Visit the loops of SEQ, until one is another.  */
static bool
visit_loops (loop_search *s, gimple_seq *seq)
{
  searched in;
  auto_vec<loop_range> found;
  enter_sequence (&in, *seq);
  find_loops (&in, &found);
  for (unsigned i = 0; i < found.length (); i++)
    if (visit (s, seq, &in, &found[i]))
      return true;
  return false;
}

static void
search_sequence (loop_search *s, gimple_seq *seq)
{
  while (visit_loops (s, seq))
    ;
  for (gimple_stmt_iterator i = gsi_start (*seq); !gsi_end_p (i);
       gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      if (s->done.contains (stmt))
	continue;
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	search_sequence (s, gimple_bind_body_ptr (bind));
      else if (gimple_code (stmt) == GIMPLE_TRY)
	search_sequence (s, gimple_try_eval_ptr (stmt));
      else if (gomp_target *target = dyn_cast<gomp_target *> (stmt))
	{
	  const construct *what = construct_of (target);
	  if (!what || acr_kind_computes (what->kind) || !what->body)
	    continue;
	  s->around.safe_push (target);
	  search_sequence (s, gimple_omp_body_ptr (target));
	  s->around.pop ();
	}
    }
}

void
host_loop_each (function *fun, host_loop_visit visit, void *data)
{
  loop_search s;
  s.visit = visit;
  s.data = data;
  gimple_seq body = gimple_body (fun->decl);
  search_sequence (&s, &body);
  gimple_set_body (fun->decl, body);
}

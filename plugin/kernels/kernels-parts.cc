/* Cut a kernels construct into parts (parts.h).

   Every outermost loop is a part.  An assignment outside of loops is the
   host's when it sets a scalar from scalars.  Others, which load from the
   device's data or compute addresses there, belong to the nest behind them,
   where each thread executes them, if the nest alone looks at what they set
   and stores nothing that they load; else one thread executes them, in a part
   of their own.  Tests and jumps between loops are the host's.

   Needs: flow_find of the construct's line.  Keeps: all code; the order of
   parts and host code is the source's.
   Source: OpenACC 3.2, 2.5.3; GCC's omp-oacc-kernels-decompose.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

/* ---- Statements ---- */

static bool
label_p (gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_LABEL;
}

/* Does STMT set a scalar that the host may have between parts?  */
static bool
sets_scalar_p (const rewrite *w, gimple *stmt)
{
  if (!is_gimple_assign (stmt) || stmt_volatile_p (stmt))
    return false;
  tree lhs = gimple_assign_lhs (stmt);
  return DECL_P (lhs) && register_p (lhs)
	 && (line_declares_p (&w->l, lhs) || kernels_fresh_p (w->stmt, lhs));
}

/* Can the host execute the assignment STMT where it stands?  */
static bool
host_statement_p (rewrite *w, gimple *stmt)
{
  if (!sets_scalar_p (w, stmt) || stmt_traps_p (stmt)
      || kernels_contracted_p (w, stmt))
    return false;
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    if (!kernels_host_operand_p (w, gimple_op (stmt, i)))
      return false;
  return true;
}

/* Can the host execute STMT, which is no assignment?  */
static bool
host_jump_p (rewrite *w, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_LABEL:
      return true;
    case GIMPLE_GOTO:
      return TREE_CODE (gimple_goto_dest (stmt)) == LABEL_DECL;
    case GIMPLE_COND:
      return kernels_host_operand_p (w, gimple_cond_lhs (stmt))
	     && kernels_host_operand_p (w, gimple_cond_rhs (stmt));
    case GIMPLE_SWITCH:
      return kernels_host_operand_p (w, gimple_switch_index (
					  as_a<gswitch *> (stmt)));
    default:
      return false;
    }
}

/* Do all loads of STMT give the same wherever a thread of NEST makes them?  */
static bool
loads_fixed_p (const line *l, gimple *stmt, const part *nest)
{
  for (unsigned i = 0; i < l->accesses.length (); i++)
    {
      const line_access *a = &l->accesses[i];
      if (a->stmt != stmt)
	continue;
      if (a->write)
	return false;
      for (unsigned j = 0; j < l->accesses.length (); j++)
	{
	  const line_access *b = &l->accesses[j];
	  const line_loop *in = b->in;
	  while (in && in->outer)
	    in = in->outer;
	  if (b->write && in == nest->nest && !depend_load_apart_p (l, a, b))
	    return false;
	}
    }
  return true;
}

/* Can every thread of NEST execute the statement STMT, in front of its
   loop, for itself?  */
static bool
threads_statement_p (const rewrite *w, gimple *stmt, const part *nest)
{
  return sets_scalar_p (w, stmt)
	 && !kernels_live_p (w, nest->nest->end, gimple_assign_lhs (stmt))
	 && loads_fixed_p (&w->l, stmt, nest);
}

/* ---- Parts ---- */

static part *
new_part (rewrite *w, unsigned begin, unsigned end, location_t loc)
{
  part *p = new part ();
  p->begin = begin;
  p->end = end;
  p->loc = loc;
  p->guard = p->outer_guard = boolean_true_node;
  w->parts.safe_push (p);
  return p;
}

/* The places from FROM up to TO belong to a part.  */
static void
take_places (rewrite *w, unsigned from, unsigned to)
{
  for (unsigned at = from; at < to; at++)
    w->places[at] = PLACE_PART;
}

/* One thread executes what is from FROM up to TO, because of WHY; together
   with the part before where no jump can be between them.  RUN is where the
   statements begin that are executed one after the other.  */
static void
add_sequential (rewrite *w, unsigned run, unsigned from, unsigned to,
		const char *why)
{
  part *last = w->parts.is_empty () ? NULL : w->parts.last ();
  if (!last || last->nest || last->end != run)
    {
      last = new_part (w, from, to, gimple_location (w->l.code[from]));
      last->why = why;
    }
  take_places (w, last->end < to ? MIN (from, last->end) : from, to);
  last->end = to;
}

/* The first place from RUN up to END that the host cannot execute; END if
   it can execute all.  */
static unsigned
first_of_device (rewrite *w, unsigned run, unsigned end)
{
  while (run < end && host_statement_p (w, w->l.code[run]))
    run++;
  return run;
}

/* The assignments from RUN up to END, which no loop follows.  */
static void
add_run (rewrite *w, unsigned run, unsigned end)
{
  unsigned from = first_of_device (w, run, end);
  if (from == end)
    return;
  while (host_statement_p (w, w->l.code[end - 1]))
    end--;
  add_sequential (w, run, from, end, "a statement needs the device's data");
}

/* Do the assignments A and B set or read what the other sets?  */
static bool
related_p (gimple *a, gimple *b)
{
  tree x = gimple_assign_lhs (a), y = gimple_assign_lhs (b);
  if (x == y)
    return true;
  for (unsigned i = 1; i < gimple_num_ops (a); i++)
    if (decl_named_p (gimple_op (a, i), y))
      return true;
  for (unsigned i = 1; i < gimple_num_ops (b); i++)
    if (decl_named_p (gimple_op (b, i), x))
      return true;
  return false;
}

/* Is the assignment at place AT, in front of the nest P, one that the host can
   execute before those that threads execute there?  */
static bool
before_prefix_p (rewrite *w, const part *p, unsigned at)
{
  gimple *stmt = w->l.code[at];
  if (!host_statement_p (w, stmt))
    return false;
  for (unsigned i = p->begin; i < p->nest->begin; i++)
    if (i != at && w->places[i] == PLACE_PART
	&& (i < at ? related_p (stmt, w->l.code[i])
		   : gimple_assign_lhs (w->l.code[i])
		       == gimple_assign_lhs (stmt)))
      return false;
  return true;
}

/* The loop L, and the assignments from RUN on in front of it.  The nest's
   decisions are made here.  */
static void
add_loop (rewrite *w, unsigned run, line_loop *l)
{
  part *p = new_part (w, l->begin, l->end, l->loc);
  p->nest = l;
  w->now = p;
  p->why = kernels_nest_bar (w);
  unsigned from = first_of_device (w, run, l->begin);
  bool inside = !p->why;
  for (unsigned at = from; at < l->begin; at++)
    inside &= threads_statement_p (w, w->l.code[at], p);
  if (inside)
    {
      p->begin = from;
      take_places (w, from, l->end);
      for (unsigned at = from; at < l->begin; at++)
	if (before_prefix_p (w, p, at))
	  w->places[at] = PLACE_HOST;
      return;
    }
  w->parts.pop ();
  if (p->why)
    {
      add_sequential (w, run, from, l->end, p->why);
      w->parts.last ()->why = p->why;
      w->parts.last ()->loc = p->loc;
      delete p;
      return;
    }
  add_run (w, run, l->begin);
  w->parts.safe_push (p);
  take_places (w, l->begin, l->end);
}

/* Cut the line.  */
static const char *
cut (rewrite *w)
{
  w->places.safe_grow_cleared (w->l.code.length (), true);
  unsigned run = 0;
  for (unsigned at = 0; at < w->l.code.length (); at++)
    {
      gimple *stmt = w->l.code[at];
      if (line_loop *l = line_loop_at (&w->l, NULL, at))
	{
	  add_loop (w, run, l);
	  at = l->end - 1;
	  run = l->end;
	}
      else if (!is_gimple_assign (stmt) && !is_gimple_call (stmt))
	{
	  add_run (w, run, at);
	  run = at + 1;
	  if (!host_jump_p (w, stmt))
	    return "a test between loops needs what only the device knows";
	}
    }
  add_run (w, run, w->l.code.length ());
  return NULL;
}

/* Do all jumps to place TO, and at least one, come from the part P?  */
static bool
reached_from_p (const rewrite *w, const part *p, unsigned to)
{
  bool any = false;
  for (unsigned at = 0; at < w->l.code.length (); at++)
    {
      int there;
      for (unsigned n = 0; (there = line_jump_target (&w->l, at, n)) != -1;
	   n++)
	if (there == (int) to)
	  {
	    if (kernels_part_at (w, at) != p)
	      return false;
	    any = true;
	  }
    }
  return any;
}

/* The labels behind P, which one thread executes, become its own where no
   other code jumps there.  */
static void
take_labels (rewrite *w, part *p)
{
  while (p->end < w->l.code.length () && w->places[p->end] == PLACE_HOST
	 && label_p (w->l.code[p->end]) && reached_from_p (w, p, p->end))
    w->places[p->end++] = PLACE_PART;
}

/* Is place TO, of the host, behind P's loop, which ends there?  */
static bool
ends_at_p (const rewrite *w, const part *p, unsigned to)
{
  for (unsigned at = p->end; at < to; at++)
    if (!w->l.code[at] || !label_p (w->l.code[at]))
      return false;
  return to >= p->end && !kernels_part_at (w, to);
}

/* Does a jump lead from a part to another one, or between host and parts?  */
static bool
jumps_out_p (rewrite *w)
{
  for (unsigned i = 0; i < w->parts.length (); i++)
    if (!w->parts[i]->nest)
      take_labels (w, w->parts[i]);
  for (unsigned at = 0; at < w->l.code.length (); at++)
    {
      int to;
      for (unsigned n = 0; (to = line_jump_target (&w->l, at, n)) != -1; n++)
	{
	  part *p = kernels_part_at (w, at), *q = kernels_part_at (w, to);
	  /* The end of a nest's loop is no jump of ours.  */
	  if (p != q && !(p && p->nest && ends_at_p (w, p, to)))
	    return true;
	}
    }
  return false;
}

/* ---- Variables ---- */

/* Who mentions the variables of the line: a part, NULL for the host.  */
struct homes
{
  part *here;
  hash_map<tree, part *> first;
  /* Those that more than one mentions.  */
  hash_set<tree> several;
};

static tree
note_home (tree *tp, int *walk_subtrees, void *data)
{
  homes *h = (homes *) ((walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (!VAR_P (*tp))
    return NULL_TREE;
  bool known;
  part *&home = h->first.get_or_insert (*tp, &known);
  if (!known)
    home = h->here;
  else if (home != h->here)
    h->several.add (*tp);
  return NULL_TREE;
}

/* Enter the variables that the host holds between parts.  */
static const char *
find_hosted (rewrite *w)
{
  homes h;
  struct walk_stmt_info wi = {};
  wi.info = &h;
  for (unsigned at = 0; at < w->l.code.length (); at++)
    if (w->l.code[at])
      {
	h.here = kernels_part_at (w, at);
	walk_gimple_op (w->l.code[at], note_home, &wi);
      }
  for (unsigned i = 0; i < w->l.decls.length (); i++)
    {
      tree var = w->l.decls[i].var;
      part **home = h.first.get (var);
      if (!home || (*home && !h.several.contains (var)))
	continue;
      if (!register_p (var))
	return "parts share an array of the region's own";
      w->hosted->put (var, var);
    }
  return NULL;
}

const char *
kernels_find_parts (rewrite *w)
{
  if (w->l.broken)
    return w->l.broken;
  flow_find (&w->l);
  if (w->l.loops.is_empty ())
    return "there is no loop";
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    if (kernels_named_twice_p (w->l.loops[i]))
      return "two loops inside each other use the same parallelism";
  if (const char *why = cut (w))
    return why;
  bool nest = false;
  for (unsigned i = 0; i < w->parts.length (); i++)
    nest |= w->parts[i]->nest != NULL;
  /* Without a parallel nest, what keeps the first part from being one is the
     reason.  */
  if (!nest)
    {
      w->now = w->parts[0];
      return w->now->why;
    }
  w->now = NULL;
  if (kernels_symbols_change_p (&w->l))
    return "a loop bound or subscript may change";
  if (kernels_host_decides_p (w) && !option_enabled (ACR_OPTION_PARTS))
    return "there is more in the region than one loop nest";
  if (const char *why = kernels_parts_bar (w))
    return why;
  if (jumps_out_p (w))
    return "a jump leaves a loop";
  return find_hosted (w);
}

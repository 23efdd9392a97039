/* The body of the construct that stands for a loop: a copy of the loop, in
   which threads do what the host does there.

   Of the host's code there remains what threads need; the host's SSA names are
   variables of a thread.  A region's body is a part, which resident-kernel.cc
   makes a kernel's code of.  Where the host copies a pointer, a thread copies
   the pointer's number as well, by which the host learns what it has become.

   Needs: host_loop_bar, the construct's clauses.  Keeps: the loop.
   Source: OpenMP 5.0, 2.19.7; OpenACC 3.2, 2.6 and 2.7.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/building.h"

/* ---- The copy ---- */

/* Take N statements out of SEQ from I on, and put them at the end of TO.  */
static void
move_statements (gimple_stmt_iterator *i, unsigned n, gimple_seq *to)
{
  while (n--)
    {
      gimple *stmt = gsi_stmt (*i);
      gsi_remove (i, false);
      gimple_seq_add_stmt_without_update (to, stmt);
    }
}

void
host_loop_take (host_loop *l, gimple_seq *to, gimple *instead)
{
  gimple_stmt_iterator i = gsi_start (*l->seq);
  for (unsigned n = 0; n < l->first; n++)
    gsi_next (&i);
  move_statements (&i, l->last - l->first + 1, to);
  if (!gsi_end_p (i))
    gsi_insert_before_without_update (&i, instead, GSI_SAME_STMT);
  else
    gimple_seq_add_stmt_without_update (l->seq, instead);
}

/* The loop, copied.  */
static gimple_seq
copy_loop (building *b)
{
  gimple *place = gimple_build_nop ();
  gimple_seq loop = NULL;
  host_loop_take (b->l, &loop, place);
  gimple_seq copy = copy_statements (loop);
  gimple_stmt_iterator to = gsi_start (*b->l->seq);
  while (gsi_stmt (to) != place)
    gsi_next (&to);
  for (gimple_stmt_iterator i = gsi_start (loop); !gsi_end_p (i);)
    {
      gimple *stmt = gsi_stmt (i);
      gsi_remove (&i, false);
      gsi_insert_before_without_update (&to, stmt, GSI_SAME_STMT);
    }
  gsi_remove (&to, false);
  return copy;
}

/* The number of the pointer NAME.  */
static tree
number_of (building *b, tree name)
{
  for (unsigned i = 0; i < b->l->pointers.length (); i++)
    if (b->l->pointers[i] == name)
      return b->numbers[i];
  gcc_unreachable ();
}

/* Let a copy of a pointer, at GSI, which is FROM in the loop, copy its number
   as well.  */
static void
turn_number (building *b, gimple_stmt_iterator *gsi, gimple *from)
{
  gimple *stmt = gsi_stmt (*gsi);
  gimple_seq seq = NULL;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gsi_replace (gsi, bind, false);
  gimple_seq_add_stmt (&seq, stmt);
  gimple_seq_add_stmt (
    &seq, gimple_build_assign (number_of (b, gimple_assign_lhs (from)),
			       number_of (b, gimple_assign_rhs1 (from))));
  gimple_bind_set_body (bind, seq);
}

static tree
replace_name (tree *tp, int *walk_subtrees, void *data)
{
  building *b = (building *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (TREE_CODE (*tp) != SSA_NAME)
    return NULL_TREE;
  tree &var = b->names.get_or_insert (*tp);
  if (!var)
    var = code_temp (TREE_TYPE (*tp), "value");
  *tp = var;
  return NULL_TREE;
}

/* The statements of a copy, and which ones of the loop they are.  */
struct finishing
{
  building *b;
  hash_map<gimple *, unsigned> numbers;
};

/* PLACE in B's construct stands for the region TARGET, a copy of that FROM the loop,
   whose results and flags get a place in the state.  */
static void
add_part (building *b, gomp_target *target, const gomp_target *from,
	  gimple *place)
{
  resident *x = b->x;
  resident_part *part = new resident_part ();
  auto_vec<tree> clauses, flags;
  part->target = target;
  part->place = place;
  region_results (target, &clauses);
  for (unsigned i = 0; i < clauses.length (); i++)
    {
      part->results.safe_push ({ clauses[i], x->size });
      x->size += RESIDENT_SLOTS;
    }
  region_flags (b->l, from, target, &flags);
  for (unsigned i = 0; i < flags.length (); i++)
    {
      /* One of the loop's own is not there in front of it.  */
      tree first = b->l->sets.contains (flags[i])
		     && !b->l->locals.contains (flags[i])
		     ? flags[i]
		     : build_zero_cst (TREE_TYPE (flags[i]));
      part->flags.safe_push ({ flags[i], first, x->size });
      x->size += RESIDENT_SLOTS;
    }
  x->parts.safe_push (part);
}

/* Let the copy have the statements that threads need, and of a region what is
   in it.  */
static tree
finish_stmt (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  finishing *f = (finishing *) wi->info;
  building *b = f->b;
  gimple *stmt = gsi_stmt (*gsi);
  unsigned *number = f->numbers.get (stmt);
  struct walk_stmt_info ops = {};
  ops.info = b;
  if (!number)
    return NULL_TREE;
  b->x->code[*number] = stmt;
  if (gomp_target *target = dyn_cast<gomp_target *> (stmt))
    {
      gbind *bind
	= gimple_build_bind (NULL_TREE, gimple_omp_body (target), NULL_TREE);
      gsi_replace (gsi, bind, false);
      gimple *from = b->l->code[*number];
      add_part (b, target, as_a<gomp_target *> (from), bind);
      *handled = true;
    }
  else if (gimple_code (stmt) == GIMPLE_COND
	   && !host_loop_needs_p (b->l, *number))
    gsi_replace (
      gsi, gimple_build_goto (gimple_cond_true_label (as_a<gcond *> (stmt))),
      false);
  else if (stmt_empty_p (stmt) || !host_loop_needs_p (b->l, *number))
    gsi_replace (gsi, gimple_build_nop (), false);
  else if (is_gimple_assign (stmt) || gimple_code (stmt) == GIMPLE_COND)
    {
      if (tree *value = b->steady.get (*number))
	{
	  stmt = gimple_build_assign (gimple_assign_lhs (stmt), *value);
	  gsi_replace (gsi, stmt, false);
	  b->x->code[*number] = stmt;
	}
      walk_gimple_op (stmt, replace_name, &ops);
      if (is_gimple_assign (stmt) && host_copy_p (b->l->code[*number]))
	{
	  turn_number (b, gsi, b->l->code[*number]);
	  *handled = true;
	}
    }
  return NULL_TREE;
}

static void
finish_copy (building *b, gimple_seq *body)
{
  finishing f;
  f.b = b;
  auto_vec<gimple *> code;
  host_loop_flatten (*body, &code);
  gcc_assert (code.length () == b->l->code.length ());
  for (unsigned i = 0; i < code.length (); i++)
    f.numbers.put (code[i], i);
  b->x->code.safe_grow_cleared (code.length ());
  struct walk_stmt_info wi = {};
  wi.info = &f;
  walk_gimple_seq_mod (body, finish_stmt, NULL, &wi);
}

/* ---- The body ---- */

tree
resident_state (const resident *x, unsigned i, tree type)
{
  bool rest = x->board && i >= x->own;
  return build2 (MEM_REF, TYPE_MAIN_VARIANT (type),
		 build_fold_addr_expr (rest ? x->board : x->state),
		 build_int_cst (ptr_type_node,
				8 * (rest ? i - x->own : i)));
}

/* What a thread does behind the loop: say what it has come to, after RAN
   regions.  */
static gimple *
epilogue_of (building *b, val ran)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code c = &seq;
  for (unsigned i = 0; i < b->l->out.length (); i++)
    c.set (
      resident_state (b->x, ACR_RESIDENT_VALUES + i, TREE_TYPE (b->l->out[i])),
      b->l->out[i]);
  for (unsigned i = 0; i < b->l->out_pointers.length (); i++)
    c.set (resident_state (b->x, b->x->turned + i, unsigned_type_node),
	   number_of (b, b->l->out_pointers[i]));
  c.set (resident_state (b->x, ACR_RESIDENT_DONE), ran + ACR_RESIDENT_RAN);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

/* Let each part of B count in RAN, and keep a place of its own.  */
static void
count_parts (building *b, val ran)
{
  for (unsigned i = 0; i < b->x->parts.length (); i++)
    {
      gbind *place = as_a<gbind *> (b->x->parts[i]->place);
      gbind *inner
	= gimple_build_bind (NULL_TREE, gimple_bind_body (place), NULL_TREE);
      gimple_seq counted = NULL;
      code_set (ran, ran + 1, &counted);
      gimple_seq_add_stmt (&counted, inner);
      gimple_bind_set_body (place, counted);
      b->x->parts[i]->place = inner;
    }
}

gimple_seq
building_body (building *b)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, make_node (BLOCK));
  gimple_seq seq = NULL, all = NULL;
  push_gimplify_context ();
  for (unsigned i = 0; i < b->l->pointers.length (); i++)
    b->numbers.safe_push (
      code (&seq).var (unsigned_type_node, "number", (int) i));
  gimple_seq loop = copy_loop (b);
  finish_copy (b, &loop);
  val ran = code (&seq).var (uint64_type_node, "ran", 0);
  count_parts (b, ran);
  gimple_seq_add_seq (&seq, loop);
  b->x->epilogue = epilogue_of (b, ran);
  gimple_seq_add_stmt (&seq, b->x->epilogue);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gimple_seq_add_stmt (&all, bind);
  return all;
}

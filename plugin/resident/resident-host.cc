/* What the host does between the regions of a loop, for every thread to do.

   A thread computes what the regions' parts and the tests of the loop depend
   on: numbers, with operations that give the same bits everywhere and never
   trap: arithmetic on integers, and what IEEE 754 rounds correctly, one
   operation at a time (resident-kernel.cc).  All threads begin with the same
   values, so they take the same way through the loop, and meet at the same
   barriers.  What others see behind the loop, the host gets back.

   The rest of the host's code computes operands of clauses
   (resident-operand.cc), which threads leave out, as they do tests that only
   such code depends on.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 9.1 (liveness).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"

/* ---- What is mentioned ---- */

/* What is mentioned, of the variables OF.  */
struct mentioned
{
  hash_set<tree> *of, *seen;
  hash_set<gimple *> skip;
};

static tree
see_operand (tree *tp, int *walk_subtrees, void *data)
{
  mentioned *m = (mentioned *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (host_name_p (*tp) && m->of->contains (*tp))
    m->seen->add (*tp);
  return NULL_TREE;
}

static tree
see_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  *handled = ((mentioned *) wi->info)->skip.contains (gsi_stmt (*gsi));
  return NULL_TREE;
}

static void
see (mentioned *m, gimple_seq seq)
{
  struct walk_stmt_info wi = {};
  wi.info = m;
  walk_gimple_seq (seq, see_stmt, see_operand, &wi);
}

/* ---- Statements ---- */

static const char *
scope_bar (host_loop *l, const gbind *bind)
{
  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
    {
      if (!VAR_P (v) || TREE_STATIC (v) || DECL_EXTERNAL (v)
	  || DECL_HAS_VALUE_EXPR_P (v) || TREE_THIS_VOLATILE (v)
	  || !DECL_SIZE (v) || TREE_CODE (DECL_SIZE (v)) != INTEGER_CST)
	return "a declaration in the loop";
      l->locals.add (v);
    }
  return NULL;
}

static const char *
assignment_bar (host_loop *l, gimple *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  if (gimple_clobber_p (stmt))
    return NULL;
  if (stmt_volatile_p (stmt))
    return "a volatile access of the host";
  if (!host_name_p (lhs)
      || (!host_number_p (lhs) && !host_copy_p (stmt)
	  && !(TREE_CODE (lhs) == SSA_NAME || decl_temporary_p (lhs))))
    return "the host stores what is no number of its own";
  l->sets.add (lhs);
  return NULL;
}

static const char *
jump_bar (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_LABEL:
      {
	tree label = gimple_label_label (as_a<glabel *> (stmt));
	return FORCED_LABEL (label) || DECL_NONLOCAL (label)
		 ? "a label whose address is taken"
		 : NULL;
      }
    case GIMPLE_GOTO:
      return TREE_CODE (gimple_goto_dest (stmt)) == LABEL_DECL
	       ? NULL
	       : "a computed jump";
    default:
      return NULL;
    }
}

static const char *
statement_bar (host_loop *l, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
      return scope_bar (l, as_a<gbind *> (stmt));
    case GIMPLE_ASSIGN:
      return assignment_bar (l, stmt);
    case GIMPLE_LABEL:
    case GIMPLE_GOTO:
    case GIMPLE_COND:
      return jump_bar (stmt);
    case GIMPLE_NOP:
    case GIMPLE_DEBUG:
    case GIMPLE_PREDICT:
      return NULL;
    case GIMPLE_CALL:
      return "a call";
    default:
      return construct_computes_p (stmt) || stmt_scope_body (stmt)
	       ? NULL
	       : "a statement that is neither arithmetic nor a region";
    }
}

/* ---- What is needed ---- */

/* The statements of L that are its top ones.  */
static void
skip_loop (mentioned *m, const host_loop *l)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    m->skip.add (l->code[i]);
}

static int
by_number (const void *a, const void *b)
{
  int m = DECL_UID (*(const tree *) a), n = DECL_UID (*(const tree *) b);
  return (m > n) - (m < n);
}

/* Find what is seen behind L, or before it in the next round of a loop around.
   Why that cannot be given back, or NULL.  */
static const char *
find_out (host_loop *l)
{
  hash_set<tree> seen;
  mentioned m;
  m.of = &l->sets;
  m.seen = &seen;
  skip_loop (&m, l);
  see (&m, gimple_body (current_function_decl));
  auto_vec<tree> sets;
  decl_sorted (&l->sets, &sets);
  for (unsigned i = 0; i < sets.length (); i++)
    {
      tree var = sets[i];
      if (l->locals.contains (var)
	  || (!seen.contains (var)
	      && !(DECL_P (var) && TREE_ADDRESSABLE (var))))
	continue;
      if (DECL_P (var) && host_number_p (var))
	l->out.safe_push (var);
      else if (DECL_P (var) && host_pointer_p (var) && !decl_temporary_p (var))
	l->out_pointers.safe_push (var);
      else if (!DECL_P (var) || !object_set_once_p (var))
	return "a value of the host that is no number is used behind the loop";
    }
  l->out.qsort (by_number);
  l->out_pointers.qsort (by_number);
  return NULL;
}

/* Need the operands of STMT from the one numbered FROM on.  */
static bool
need_operands (host_loop *l, gimple *stmt, unsigned from)
{
  bool more = false;
  for (unsigned i = from; i < gimple_num_ops (stmt); i++)
    {
      tree t = gimple_op (stmt, i);
      if (t && host_name_p (t) && l->sets.contains (t))
	more |= !l->needed.add (t);
    }
  return more;
}

static void
find_needed (host_loop *l)
{
  mentioned m;
  m.of = &l->sets;
  m.seen = &l->needed;
  for (unsigned i = 0; i < l->out.length (); i++)
    l->needed.add (l->out[i]);
  for (unsigned i = 0; i < l->out_pointers.length (); i++)
    l->needed.add (l->out_pointers[i]);
  for (unsigned i = 0; i < l->regions.length (); i++)
    see (&m, gimple_omp_body (host_loop_region (l, i)));
  bool more;
  do
    {
      more = false;
      for (unsigned i = 0; i < l->code.length (); i++)
	if (gimple_code (l->code[i]) == GIMPLE_COND)
	  more |= host_thread_stmt_p (l->code[i])
		  && need_operands (l, l->code[i], 0);
	else if (is_gimple_assign (l->code[i])
		 && l->needed.contains (gimple_assign_lhs (l->code[i])))
	  more |= need_operands (l, l->code[i], 1);
    }
  while (more);
}

/* ---- Pointers ---- */

static void
add_pointer (host_loop *l, tree var)
{
  if (!l->pointers.contains (var))
    l->pointers.safe_push (var);
}

/* Number the pointers that threads copy.  What sets one otherwise, or one that
   is not copied, bars that; the result is why, or NULL.  */
static const char *
number_pointers (host_loop *l)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    {
      gimple *stmt = l->code[i];
      if (!is_gimple_assign (stmt) || !host_loop_needs_p (l, i)
	  || !POINTER_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt))))
	continue;
      if (!host_copy_p (stmt))
	return "a pointer of the host that is computed";
      add_pointer (l, gimple_assign_lhs (stmt));
      add_pointer (l, gimple_assign_rhs1 (stmt));
    }
  return NULL;
}

/* ---- All ---- */

const char *
host_loop_bar (host_loop *l)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    if (const char *why = statement_bar (l, l->code[i]))
      return why;
  host_loop_find_results (l);
  host_loop_find_flags (l);
  if (const char *why = host_loop_results_bar (l))
    return why;
  if (const char *why = find_out (l))
    return why;
  find_needed (l);
  if (const char *why = number_pointers (l))
    return why;
  return host_loop_tests_bar (l);
}

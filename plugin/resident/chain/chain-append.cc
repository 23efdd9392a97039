/* Stores of a round behind those of the rounds before: stream compaction and the like.

       at = from + start[i];		from: how many elements there are
       if (...)
	 out[at++] = in[i];

   Nothing in the subscripts says that two rounds store different elements.  But each
   round can see it for itself before it takes what is handed on: subscripts have a
   constant multiple of that in them and nothing else depends on it.  So a copy of the
   part, without stores, is executed in advance, in which FROM is what the round adds
   to it; all stores must be in the round's window

       [begin + each * round, ... + factor * ADDED + each)

   which moves, by what comes from the rounds before, to where the window of the round
   before ended.  A round that finds another store stays behind all those before it
   (docs/chain.md).

   What depends on FROM is computed in 64 bits in that copy, for nothing says that FROM
   can be another number without an overflow.

   Needs: chain_find_numbers.  Keeps: all code.
   Source: C. Ding and Y. Zhong, "Compiler-directed run-time monitoring of program data
   access", MSP 2002 (inspection by a copy of the code); L. Rauchwerger and D. Padua,
   "The LRPD Test", PLDI 1995.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/chain/append.h"

/* ---- Sums ---- */

static void
add_term (append_sum *s, tree var, HOST_WIDE_INT factor)
{
  for (unsigned i = 0; i < s->terms.length (); i++)
    if (operand_equal_p (s->terms[i].var, var, 0))
      {
	s->terms[i].factor += factor;
	return;
      }
  s->terms.safe_push ({ var, factor });
}

static void
add_sum (append_sum *s, const append_sum *other, HOST_WIDE_INT factor)
{
  for (unsigned i = 0; i < other->terms.length (); i++)
    add_term (s, other->terms[i].var, factor * other->terms[i].factor);
}

static HOST_WIDE_INT
factor_of (const append_sum *s, tree var)
{
  for (unsigned i = 0; i < s->terms.length (); i++)
    if (operand_equal_p (s->terms[i].var, var, 0))
      return s->terms[i].factor;
  return 0;
}

/* ---- What depends on what is handed on ---- */

bool
append_code::moves_p (tree t)
{
  return moving.contains (t) || sums.get (t) != NULL;
}

/* Does a moving number occur in the expression *TP?  */
static tree
find_moving (tree *tp, int *walk_subtrees, void *data)
{
  append_code *a = (append_code *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return (DECL_P (*tp) || TREE_CODE (*tp) == SSA_NAME) && a->moves_p (*tp)
	 ? *tp
	 : NULL_TREE;
}

static bool
mentions_p (append_code *a, tree expr)
{
  return expr && walk_tree (&expr, find_moving, (void *) a, NULL);
}

/* May a moving number have TYPE?  Then it is exact, or it is modulo 2^64, as addresses
   are.  */
static bool
moving_type_p (tree type)
{
  if (POINTER_TYPE_P (type))
    return true;
  return INTEGRAL_TYPE_P (type)
	 && (TYPE_PRECISION (type) == 64
	     || (!TYPE_UNSIGNED (type) && TYPE_OVERFLOW_UNDEFINED (type)));
}

/* S gets FACTOR times what is known of the operand T in A.  */
static void
add_operand (append_code *a, append_sum *s, tree t, HOST_WIDE_INT factor)
{
  append_sum **known = a->sums.get (t);
  if (!known)
    known = a->others.get (t);
  if (known)
    add_sum (s, *known, factor);
  else if (TREE_CODE (t) == ADDR_EXPR || (DECL_P (t) && !a->set.contains (t)))
    add_term (s, t, factor);
}

/* Let S be what CODE makes of X and Y.  False where that is no sum.  */
static bool
sum_of (append_code *a, append_sum *s, tree_code code, tree x, tree y)
{
  switch (code)
    {
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
      add_operand (a, s, x, 1);
      add_operand (a, s, y, 1);
      return true;
    case MINUS_EXPR:
      add_operand (a, s, x, 1);
      add_operand (a, s, y, -1);
      return true;
    case NEGATE_EXPR:
      add_operand (a, s, x, -1);
      return true;
    case MULT_EXPR:
      if (!tree_fits_shwi_p (y) || absu_hwi (tree_to_shwi (y)) > INT_MAX)
	return false;
      add_operand (a, s, x, tree_to_shwi (y));
      return true;
    CASE_CONVERT:
    case VAR_DECL:
    case PARM_DECL:
    case SSA_NAME:
      add_operand (a, s, x, 1);
      return true;
    default:
      return false;
    }
}

/* Do X and Y move alike in A?  What else is in both stays in X.  */
static bool
merge_sums (append_code *a, append_sum *x, const append_sum *y)
{
  for (unsigned i = 0; i < a->moving.length (); i++)
    if (factor_of (x, a->moving[i]) != factor_of (y, a->moving[i]))
      return false;
  for (unsigned i = x->terms.length (); i-- > 0;)
    if (factor_of (y, x->terms[i].var) != x->terms[i].factor)
      x->terms.unordered_remove (i);
  return true;
}

/* The address that the reference REF begins with, and what its subscript is multiplied
   by: a pointer, or the address of an array.  False where it is of another kind.  */
static bool
split_reference (tree ref, tree *base, tree *subscript, HOST_WIDE_INT *each)
{
  *subscript = NULL_TREE;
  if (TREE_CODE (ref) == MEM_REF)
    {
      *base = TREE_OPERAND (ref, 0);
      return true;
    }
  if (TREE_CODE (ref) != ARRAY_REF || !DECL_P (TREE_OPERAND (ref, 0))
      || !integer_zerop (array_ref_low_bound (ref))
      || !tree_fits_shwi_p (array_ref_element_size (ref)))
    return false;
  *base = build_fold_addr_expr (TREE_OPERAND (ref, 0));
  *subscript = TREE_OPERAND (ref, 1);
  *each = tree_to_shwi (array_ref_element_size (ref));
  return true;
}

/* Let S be the address of REF.  */
static bool
address_sum (append_code *a, append_sum *s, tree ref)
{
  tree base, subscript;
  HOST_WIDE_INT each;
  if (!split_reference (ref, &base, &subscript, &each)
      || !tree_fits_uhwi_p (TYPE_SIZE_UNIT (TREE_TYPE (ref))))
    return false;
  add_operand (a, s, base, 1);
  if (subscript)
    add_operand (a, s, subscript, each);
  return true;
}

/* ---- Windows ---- */

/* The only pointer in S, or NULL.  */
static tree
pointer_in (const append_sum *s)
{
  tree pointer = NULL_TREE;
  for (unsigned i = 0; i < s->terms.length (); i++)
    if (POINTER_TYPE_P (TREE_TYPE (s->terms[i].var)))
      {
	if (pointer || s->terms[i].factor != 1)
	  return NULL_TREE;
	pointer = s->terms[i].var;
      }
  return pointer;
}

/* Let the store STMT be in a window of A.  */
static bool
add_store (append_code *a, gimple *stmt)
{
  append_sum sum;
  if (!address_sum (a, &sum, gimple_assign_lhs (stmt)))
    return false;
  tree pointer = pointer_in (&sum);
  if (!pointer)
    return false;
  unsigned w = 0;
  while (w < a->windows.length ()
	 && !operand_equal_p (a->windows[w]->pointer, pointer, 0))
    w++;
  if (w == a->windows.length ())
    {
      append_window *window = new append_window ();
      window->pointer = pointer;
      add_sum (&window->begin, &sum, 1);
      a->windows.safe_push (window);
    }
  else if (!merge_sums (a, &a->windows[w]->begin, &sum))
    return false;
  a->stores.put (stmt, w);
  return true;
}

/* ---- All statements ---- */

/* Is LHS a variable of a thread's own, or part of one?  */
static bool
own_p (tree lhs)
{
  tree base = get_base_address (lhs);
  return TREE_CODE (lhs) == SSA_NAME
	 || (base && DECL_P (base) && auto_var_p (base));
}

static bool
scalar_p (tree lhs)
{
  return TREE_CODE (lhs) == SSA_NAME
	 || (DECL_P (lhs) && auto_var_p (lhs) && !TREE_ADDRESSABLE (lhs)
	     && !TREE_THIS_VOLATILE (lhs));
}

/* LHS, which does not move, is what CODE makes of OP1 and OP2, as far as that is
   known.  */
static void
note_other (append_code *a, tree lhs, tree_code code, tree op1, tree op2)
{
  append_sum sum;
  if (!is_gimple_val (op1) || (op2 && !is_gimple_val (op2))
      || !sum_of (a, &sum, code, op1, op2))
    sum.terms.truncate (0);
  append_sum **known = a->others.get (lhs);
  if (known)
    {
      merge_sums (a, *known, &sum);
      return;
    }
  append_sum *fresh = new append_sum ();
  add_sum (fresh, &sum, 1);
  a->owned.safe_push (fresh);
  a->others.put (lhs, fresh);
}

/* Can STMT, an assignment, be executed in advance?  *MORE: it has told something
   new.  */
static bool
take_assign (append_code *a, gimple *stmt, bool *more)
{
  tree lhs = gimple_assign_lhs (stmt), op1 = gimple_assign_rhs1 (stmt);
  bool moves = false;
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    moves |= mentions_p (a, gimple_op (stmt, i));
  if (!own_p (lhs))
    {
      /* What is stored is of no interest; an address that is loaded from is.  */
      if (moves && !is_gimple_val (op1))
	return false;
      return true;
    }
  if (mentions_p (a, lhs) && !scalar_p (lhs))
    return false;
  tree op2 = gimple_num_ops (stmt) > 2 ? gimple_op (stmt, 2) : NULL_TREE;
  tree_code code = gimple_assign_rhs_code (stmt);
  if (!moves)
    {
      if (scalar_p (lhs) && gimple_num_ops (stmt) <= 3)
	note_other (a, lhs, code, op1, op2);
      return !a->sums.get (lhs);
    }
  append_sum sum;
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    if (!is_gimple_val (gimple_op (stmt, i)))
      return false;
  if (!scalar_p (lhs) || a->moving.contains (lhs)
      || !moving_type_p (TREE_TYPE (lhs)) || gimple_num_ops (stmt) > 3
      || (CONVERT_EXPR_CODE_P (code)
	  && TYPE_PRECISION (TREE_TYPE (lhs)) < TYPE_PRECISION (TREE_TYPE (op1)))
      || !sum_of (a, &sum, code, op1, op2))
    return false;
  if (append_sum **known = a->sums.get (lhs))
    return merge_sums (a, *known, &sum);
  append_sum *fresh = new append_sum ();
  add_sum (fresh, &sum, 1);
  a->owned.safe_push (fresh);
  a->sums.put (lhs, fresh);
  *more = true;
  return true;
}

/* Can STMT, of another kind?  */
static bool
take_other (append_code *a, gimple *stmt)
{
  if (gimple_code (stmt) == GIMPLE_ASM)
    return !gimple_asm_nclobbers (as_a<gasm *> (stmt));
  if (gcall *call = dyn_cast<gcall *> (stmt))
    {
      if (!(gimple_call_flags (call) & (ECF_CONST | ECF_PURE)))
	return false;
    }
  else if (gomp_for *loop = dyn_cast<gomp_for *> (stmt))
    {
      for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
	if (mentions_p (a, gimple_omp_for_initial (loop, i))
	    || mentions_p (a, gimple_omp_for_final (loop, i))
	    || mentions_p (a, gimple_omp_for_incr (loop, i)))
	  return false;
      return true;
    }
  else if (is_gimple_omp (stmt))
    return gimple_code (stmt) == GIMPLE_OMP_PARALLEL
	   || gimple_code (stmt) == GIMPLE_OMP_TEAMS
	   || gimple_code (stmt) == GIMPLE_OMP_RETURN
	   || gimple_code (stmt) == GIMPLE_OMP_CONTINUE;
  for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
    if (mentions_p (a, gimple_op (stmt, i)))
      return false;
  return true;
}

struct collecting
{
  append_code *a;
  vec<gimple *> *all;
};

static tree
collect_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  collecting *to = (collecting *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  to->all->safe_push (stmt);
  if (tree lhs = gimple_get_lhs (stmt))
    if (DECL_P (lhs))
      to->a->set.add (lhs);
  if (gomp_for *loop = dyn_cast<gomp_for *> (stmt))
    for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
      to->a->set.add (gimple_omp_for_index (loop, i));
  if (gasm *text = dyn_cast<gasm *> (stmt))
    for (unsigned i = 0; i < gimple_asm_noutputs (text); i++)
      to->a->set.add (TREE_VALUE (gimple_asm_output_op (text, i)));
  return NULL_TREE;
}

bool
append_find (append_code *a, gimple_seq seq)
{
  auto_vec<gimple *> all;
  collecting to = { a, &all };
  struct walk_stmt_info wi = {};
  wi.info = &to;
  walk_gimple_seq (seq, collect_stmt, NULL, &wi);
  bool more = true;
  while (more)
    {
      more = false;
      for (unsigned i = 0; i < all.length (); i++)
	if (is_gimple_assign (all[i]) && !take_assign (a, all[i], &more))
	  return false;
    }
  for (unsigned i = 0; i < all.length (); i++)
    if (!is_gimple_assign (all[i]) && !take_other (a, all[i]))
      return false;
  for (unsigned i = 0; i < all.length (); i++)
    if (is_gimple_assign (all[i]) && !own_p (gimple_assign_lhs (all[i]))
	&& mentions_p (a, gimple_assign_lhs (all[i]))
	&& !add_store (a, all[i]))
      return false;
  return !a->windows.is_empty ();
}

/* ---- In advance ---- */

/* Variables of 64 bits for moving numbers, and what is found of stores.  */
struct advancing
{
  append_code *a;
  hash_map<tree, tree> wide;
  const vec<val> *begin, *span;
  tree strays;
};

/* Add to C: T in 64 bits.  */
static val
wide_of (advancing *v, tree t, code c)
{
  if (!v->a->moves_p (t))
    return c.let ("wide", val (t).as (ssizetype));
  tree *wide = &v->wide.get_or_insert (t);
  if (!*wide)
    *wide = c.var (ssizetype, "wide");
  return *wide;
}

/* Add to C: the address of REF in 64 bits.  */
static val
wide_address (advancing *v, tree ref, code c)
{
  tree base, subscript;
  HOST_WIDE_INT each = 0;
  if (!split_reference (ref, &base, &subscript, &each))
    gcc_unreachable ();
  val at = wide_of (v, base, c);
  if (TREE_CODE (ref) == MEM_REF)
    return at + val (fold_convert (ssizetype, TREE_OPERAND (ref, 1)));
  return subscript ? at + wide_of (v, subscript, c) * each : at;
}

/* Add to C: STMT, in 64 bits.  */
static void
compute_wide (advancing *v, gimple *stmt, code c)
{
  val x = wide_of (v, gimple_assign_rhs1 (stmt), c), y;
  if (gimple_num_ops (stmt) > 2)
    y = wide_of (v, gimple_op (stmt, 2), c);
  val to = wide_of (v, gimple_assign_lhs (stmt), c);
  switch (gimple_assign_rhs_code (stmt))
    {
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
      c.set (to, x + y);
      break;
    case MINUS_EXPR:
      c.set (to, x - y);
      break;
    case MULT_EXPR:
      c.set (to, x * y);
      break;
    case NEGATE_EXPR:
      c.set (to, val (build_zero_cst (ssizetype)) - x);
      break;
    default:
      c.set (to, x);
      break;
    }
}

/* Let what stands for a store find out whether that is in its window.  */
static void
compare (advancing *v, gimple *stmt, unsigned w, code c)
{
  tree ref = gimple_assign_lhs (stmt);
  val size = TYPE_SIZE_UNIT (TREE_TYPE (ref));
  val at = wide_address (v, ref, c) - (*v->begin)[w];
  at = c.let ("at", at.as (uint64_type_node));
  val span = (*v->span)[w];
  val end = c.let ("end", at + size);
  c.if_ (at >= span, [&] { c.set (v->strays, 1); });
  c.if_ (end > span, [&] { c.set (v->strays, 1); });
}

static tree
advance_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  advancing *v = (advancing *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (!is_gimple_assign (stmt))
    return NULL_TREE;
  tree lhs = gimple_assign_lhs (stmt);
  *handled = true;
  unsigned *w = v->a->stores.get (stmt);
  if (!w && own_p (lhs) && !(scalar_p (lhs) && v->a->moves_p (lhs)))
    return NULL_TREE;
  gimple_seq seq = NULL;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  push_gimplify_context ();
  code c = &seq;
  if (w)
    compare (v, stmt, *w, c);
  else if (own_p (lhs))
    compute_wide (v, stmt, c);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gsi_replace (gsi, bind, false);
  return NULL_TREE;
}

void
append_advance (append_code *a, gimple_seq *seq, const vec<val> &begin,
		const vec<val> &span, tree strays, code c)
{
  advancing v;
  v.a = a;
  v.begin = &begin;
  v.span = &span;
  v.strays = strays;
  for (unsigned i = 0; i < a->moving.length (); i++)
    {
      tree var = a->moving[i];
      v.wide.put (var, c.var (ssizetype, "wide", val (var).as (ssizetype)));
    }
  /* Before statements want them.  */
  auto_vec<tree> sums;
  decl_sorted_keys (&a->sums, &sums);
  for (unsigned i = 0; i < sums.length (); i++)
    if (!v.wide.get (sums[i]))
      v.wide.put (sums[i], c.var (ssizetype, "wide", 0));
  struct walk_stmt_info wi = {};
  wi.info = &v;
  walk_gimple_seq_mod (seq, advance_stmt, NULL, &wi);
  gimple_seq_add_seq (c, *seq);
}

/* Do W and OTHER, a chain's, begin with the same pointer, and move alike?  */
static bool
same_window_p (append_code *a, const append_window *w,
	       const chain_window *other)
{
  if (!operand_equal_p (w->pointer, other->pointer, 0))
    return false;
  HOST_WIDE_INT factor = 0;
  for (unsigned i = 0; i < a->moving.length (); i++)
    factor += factor_of (&w->begin, a->moving[i]);
  return factor == other->factor;
}

bool
append_same_p (append_code *a, const chain *c, vec<unsigned> *numbers)
{
  for (unsigned w = 0; w < a->windows.length (); w++)
    {
      unsigned k = 0;
      while (k < c->windows.length ()
	     && !same_window_p (a, a->windows[w], c->windows[k]))
	k++;
      if (k == c->windows.length ())
	return false;
      numbers->safe_push (k);
    }
  return true;
}

HOST_WIDE_INT
append_factor (const append_window *w, tree var)
{
  return factor_of (&w->begin, var);
}

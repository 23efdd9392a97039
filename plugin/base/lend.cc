/* What a call does with one variable whose address it is given.

   C++ hands over references where C has values:

     clip (limit, x);			x = MIN (limit, y);
     clip (&limit, &x);			p = std::min (&limit, &y); x = *p;

   A callee may store through one parameter and only load through another, and may
   give one back.  A variable that is only loaded through stays what it was, as long
   as its address goes nowhere else.

   A parameter's address is followed through a callee's body, into local variables of
   pointer type that nobody points to, wherever these are set: none is taken for one
   that does not have it any more.  Each mention of such a variable must be that of a
   load, of a copy to another one, of an argument of a call for which the same holds,
   or of the result.  All else, such as a comparison, fails.  What a store through
   another pointer changes, or a load through a loaded one reaches, is no matter of
   this address.

   Needs: GIMPLE, or the front end's trees where a callee is not gimplified yet.
   Keeps: all code.
   Source: CAPTURED and READNONE as in GCC's ipa-modref.cc, which comes later.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"

enum
{
  /* Calls in calls that are followed.  */
  MOST_CALLS = 4
};

/* The search in one function.  */
struct search
{
  tree fn;
  unsigned depth;
  /* Variables that may have the address.  */
  hash_set<tree> holders;
  bool changed;
  /* The function may give it back; or do what is not known.  */
  bool back, fails;
};

static enum call_lending lending_of (tree fn, unsigned i, unsigned depth);

/* ---- Addresses ---- */

/* The address of which REF is a part, where REF is one of what a pointer leads to,
   or NULL.  */
static tree
address_of (tree ref)
{
  ref = reference_base (ref);
  return TREE_CODE (ref) == INDIRECT_REF || TREE_CODE (ref) == MEM_REF
	   ? TREE_OPERAND (ref, 0)
	   : NULL_TREE;
}

static bool
holder_p (search *s, tree t)
{
  return DECL_P (t) && s->holders.contains (t);
}

/* Is ADDRESS the one in hand, or one beside it?  */
static bool
points_p (search *s, tree address)
{
  STRIP_NOPS (address);
  if (TREE_CODE (address) == POINTER_PLUS_EXPR)
    return points_p (s, TREE_OPERAND (address, 0));
  if (TREE_CODE (address) == ADDR_EXPR)
    {
      tree in = TREE_OPERAND (address, 0);
      return (TREE_CODE (in) == INDIRECT_REF || TREE_CODE (in) == MEM_REF)
	     && points_p (s, TREE_OPERAND (in, 0));
    }
  return holder_p (s, address);
}

/* May LHS get the address?  Only a variable of the function's, to which nothing
   points.  */
static bool
may_hold_p (const search *s, tree lhs)
{
  return POINTER_TYPE_P (TREE_TYPE (lhs))
	 && (TREE_CODE (lhs) == RESULT_DECL
	     || (VAR_P (lhs) && !is_global_var (lhs) && !TREE_ADDRESSABLE (lhs)
		 && !DECL_HAS_VALUE_EXPR_P (lhs)
		 && auto_var_in_fn_p (lhs, s->fn)));
}

static void
give (search *s, tree lhs)
{
  if (!may_hold_p (s, lhs))
    s->fails = true;
  else
    s->changed |= !s->holders.add (lhs);
  s->back |= TREE_CODE (lhs) == RESULT_DECL;
}

/* ---- Expressions ---- */

static tree visit (tree *tp, int *walk_subtrees, void *data);

static void
visit_all (search *s, tree t)
{
  walk_tree_without_duplicates (&t, visit, s);
}

/* Visit what is besides the address in ADDRESS, which is one: subscripts.  */
static void
visit_offsets (search *s, tree address)
{
  STRIP_NOPS (address);
  if (TREE_CODE (address) == POINTER_PLUS_EXPR)
    {
      visit_all (s, TREE_OPERAND (address, 1));
      visit_offsets (s, TREE_OPERAND (address, 0));
    }
  else if (TREE_CODE (address) == ADDR_EXPR)
    visit_offsets (s, TREE_OPERAND (TREE_OPERAND (address, 0), 0));
}

/* Visit VALUE, which is assigned.  Is it the address?  */
static bool
visit_value (search *s, tree value)
{
  STRIP_NOPS (value);
  if (TREE_CODE (value) == COND_EXPR)
    {
      visit_all (s, TREE_OPERAND (value, 0));
      bool either = visit_value (s, TREE_OPERAND (value, 1));
      return visit_value (s, TREE_OPERAND (value, 2)) || either;
    }
  bool points = points_p (s, value);
  if (points)
    visit_offsets (s, value);
  else
    visit_all (s, value);
  return points;
}

/* REF is stored to.  */
static void
visit_store (search *s, tree ref)
{
  tree address = address_of (ref);
  s->fails |= address && points_p (s, address);
}

/* Visit argument I of a call of FN, VALUE.  Does the call give the address back?  */
static bool
visit_argument (search *s, tree fn, unsigned i, tree value)
{
  if (!visit_value (s, value))
    return false;
  enum call_lending lending
    = fn ? lending_of (fn, i, s->depth + 1) : CALL_UNKNOWN;
  s->fails |= lending == CALL_UNKNOWN;
  return lending == CALL_GIVES_BACK;
}

/* Visit the assignment T, in a tree.  */
static void
visit_assignment (search *s, tree t)
{
  tree lhs = TREE_OPERAND (t, 0);
  visit_store (s, lhs);
  bool points = visit_value (s, TREE_OPERAND (t, 1));
  if (points)
    give (s, lhs);
  if (!holder_p (s, lhs))
    visit_all (s, lhs);
}

/* Visit the declaration of VAR, in a tree.  */
static void
visit_declaration (search *s, tree var)
{
  if (!VAR_P (var))
    return;
  s->fails |= DECL_SIZE (var) && TREE_CODE (DECL_SIZE (var)) != INTEGER_CST;
  if (DECL_INITIAL (var) && visit_value (s, DECL_INITIAL (var)))
    give (s, var);
}

static void
visit_call (search *s, tree call)
{
  tree fn = get_callee_fndecl (call);
  for (int i = 0; i < call_expr_nargs (call); i++)
    s->fails |= visit_argument (s, fn, i, CALL_EXPR_ARG (call, i));
  if (!fn)
    visit_all (s, CALL_EXPR_FN (call));
  if (CALL_EXPR_STATIC_CHAIN (call))
    visit_all (s, CALL_EXPR_STATIC_CHAIN (call));
}

/* Trees, and operands of statements: all that is not said above fails where it
   mentions a variable with the address.  */
static tree
visit (tree *tp, int *walk_subtrees, void *data)
{
  search *s = (search *) data;
  tree t = *tp, address = NULL_TREE;
  *walk_subtrees = !TYPE_P (t);
  switch (TREE_CODE (t))
    {
    case MODIFY_EXPR:
    case INIT_EXPR:
      visit_assignment (s, t);
      *walk_subtrees = 0;
      break;
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      visit_store (s, TREE_OPERAND (t, 0));
      break;
    case CALL_EXPR:
      visit_call (s, t);
      *walk_subtrees = 0;
      break;
    case BIND_EXPR:
      visit_all (s, BIND_EXPR_BODY (t));
      *walk_subtrees = 0;
      break;
    case DECL_EXPR:
      visit_declaration (s, DECL_EXPR_DECL (t));
      *walk_subtrees = 0;
      break;
    case RETURN_EXPR:
      /* What is assigned to the result was seen there.  */
      if (TREE_OPERAND (t, 0)
	  && TREE_CODE (TREE_OPERAND (t, 0)) == RESULT_DECL)
	*walk_subtrees = 0;
      break;
    case INDIRECT_REF:
    case MEM_REF:
      address = TREE_OPERAND (t, 0);
      if (points_p (s, address))
	{
	  visit_offsets (s, address);
	  *walk_subtrees = 0;
	}
      break;
    case ADDR_EXPR:
      address = address_of (TREE_OPERAND (t, 0));
      s->fails |= address && points_p (s, address);
      break;
    case ASM_EXPR:
    case VA_ARG_EXPR:
      s->fails = true;
      break;
    default:
      s->fails |= holder_p (s, t)
		  || ((VAR_P (t) || TREE_CODE (t) == PARM_DECL)
		      && DECL_HAS_VALUE_EXPR_P (t));
    }
  return s->fails ? t : NULL_TREE;
}

/* ---- Statements ---- */

static tree
visit_operand (tree *tp, int *walk_subtrees, void *data)
{
  return visit (tp, walk_subtrees,
		((struct walk_stmt_info *) data)->info);
}

/* What the assignment STMT gives its left-hand side, if that is an address.  */
static bool
assigns_address_p (search *s, gimple *stmt)
{
  tree value = gimple_assign_rhs1 (stmt);
  if (gimple_assign_rhs_code (stmt) == POINTER_PLUS_EXPR)
    {
      visit_all (s, gimple_assign_rhs2 (stmt));
      return visit_value (s, value);
    }
  if (gimple_assign_single_p (stmt) || gimple_assign_cast_p (stmt))
    return visit_value (s, value);
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    visit_all (s, gimple_op (stmt, i));
  return false;
}

static void
visit_stmt (search *s, gimple *stmt)
{
  struct walk_stmt_info wi = {};
  bool points = false;
  tree lhs = gimple_get_lhs (stmt);
  wi.info = s;
  if (lhs)
    visit_store (s, lhs);
  if (is_gimple_assign (stmt))
    points = assigns_address_p (s, stmt);
  else if (gcall *call = dyn_cast<gcall *> (stmt))
    {
      for (unsigned i = 0; i < gimple_call_num_args (call); i++)
	points |= visit_argument (s, gimple_call_fndecl (call), i,
				  gimple_call_arg (call, i));
      if (!gimple_call_fndecl (call) && gimple_call_fn (call))
	visit_all (s, gimple_call_fn (call));
      if (gimple_call_chain (call))
	visit_all (s, gimple_call_chain (call));
    }
  else if (greturn *ret = dyn_cast<greturn *> (stmt))
    {
      tree value = gimple_return_retval (ret);
      s->back |= value && visit_value (s, value);
    }
  else if (gimple_code (stmt) == GIMPLE_ASM)
    s->fails = true;
  else
    walk_gimple_op (stmt, visit_operand, &wi);
  if (points && lhs)
    give (s, lhs);
  else if (lhs && !holder_p (s, lhs))
    visit_all (s, lhs);
}

static tree
visit_nested (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  search *s = (search *) wi->info;
  visit_stmt (s, gsi_stmt (*gsi));
  *handled = s->fails;
  return s->fails ? integer_one_node : NULL_TREE;
}

/* ---- Functions ---- */

/* Visit the body of S's function.  */
static void
visit_body (search *s)
{
  function *fun = DECL_STRUCT_FUNCTION (s->fn);
  basic_block bb;
  struct walk_stmt_info wi = {};
  wi.info = s;
  if (fun && fun->cfg)
    {
      FOR_EACH_BB_FN (bb, fun)
	for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i);
	     gsi_next (&i))
	  visit_stmt (s, gsi_stmt (i));
      s->fails |= (fun->curr_properties & PROP_ssa) != 0;
    }
  else if (gimple_seq body = gimple_body (s->fn))
    walk_gimple_seq (body, visit_nested, NULL, &wi);
  else if (DECL_SAVED_TREE (s->fn))
    visit_all (s, DECL_SAVED_TREE (s->fn));
  else
    s->fails = true;
}

/* What FN, called DEPTH calls deep, does with the address that is argument I.  */
static enum call_lending
lending_of (tree fn, unsigned i, unsigned depth)
{
  fn = call_target (fn);
  tree parameter = DECL_ARGUMENTS (fn);
  for (unsigned k = 0; parameter && k < i; k++)
    parameter = DECL_CHAIN (parameter);
  /* What a weak function does another may do in its place.  */
  if (!parameter || !POINTER_TYPE_P (TREE_TYPE (parameter))
      || depth > MOST_CALLS || (DECL_WEAK (fn) && !DECL_COMDAT (fn))
      || lookup_attribute ("omp declare variant base", DECL_ATTRIBUTES (fn)))
    return CALL_UNKNOWN;
  search s;
  s.fn = fn;
  s.depth = depth;
  s.back = s.fails = false;
  s.holders.add (parameter);
  do
    {
      s.changed = false;
      visit_body (&s);
    }
  while (s.changed && !s.fails);
  return s.fails ? CALL_UNKNOWN : s.back ? CALL_GIVES_BACK : CALL_LENDS;
}

enum call_lending
call_lending_of (const gcall *call, tree var)
{
  tree fn = gimple_call_fndecl (call);
  enum call_lending all = CALL_LENDS;
  if (!fn || gimple_call_internal_p (call) || gimple_call_chain (call)
      || call_looks_p (call))
    return CALL_UNKNOWN;
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      tree arg = gimple_call_arg (call, i);
      if (TREE_CODE (arg) != ADDR_EXPR
	  || get_base_address (TREE_OPERAND (arg, 0)) != var)
	continue;
      enum call_lending one = lending_of (fn, i, 0);
      if (one == CALL_UNKNOWN)
	return one;
      if (one == CALL_GIVES_BACK)
	all = one;
    }
  return all;
}

/* ---- What is given back ---- */

/* The search for mentions of a variable that has what calls give back.  */
struct back_search
{
  tree pointer;
  unsigned mentions, good, depth;
  gimple_seq seq;
  hash_set<tree> *own;
};

static bool back_lent_p (tree pointer, gimple_seq seq, hash_set<tree> *own,
			 unsigned depth);

static tree
count_mention (tree *tp, int *walk_subtrees, void *data)
{
  back_search *s = (back_search *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  s->mentions += *tp == s->pointer;
  return NULL_TREE;
}

/* Is the pointer only lent as argument I of CALL?  */
static bool
argument_lent_p (back_search *s, const gcall *call, unsigned i)
{
  tree fn = gimple_call_fndecl (call), lhs = gimple_call_lhs (call);
  if (!fn || gimple_call_chain (call) || call_looks_p (call))
    return false;
  enum call_lending lending = lending_of (fn, i, 0);
  return lending == CALL_LENDS
	 || (lending == CALL_GIVES_BACK
	     && (!lhs || back_lent_p (lhs, s->seq, s->own, s->depth + 1)));
}

static tree
count_good (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  back_search *s = (back_search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  gcall *call = dyn_cast<gcall *> (stmt);
  s->good += gimple_get_lhs (stmt) == s->pointer;
  if (gimple_assign_load_p (stmt) && !stmt_volatile_p (stmt))
    s->good += address_of (gimple_assign_rhs1 (stmt)) == s->pointer;
  else if (gimple_assign_single_p (stmt)
	   && gimple_assign_rhs1 (stmt) == s->pointer)
    s->good += back_lent_p (gimple_assign_lhs (stmt), s->seq, s->own,
			    s->depth + 1);
  for (unsigned i = 0; call && i < gimple_call_num_args (call); i++)
    if (gimple_call_arg (call, i) == s->pointer)
      s->good += argument_lent_p (s, call, i);
  return NULL_TREE;
}

static bool
back_lent_p (tree pointer, gimple_seq seq, hash_set<tree> *own, unsigned depth)
{
  back_search s = {};
  struct walk_stmt_info wi = {};
  if (depth > MOST_CALLS || !VAR_P (pointer) || !register_p (pointer)
      || !(decl_temporary_p (pointer) || own->contains (pointer)))
    return false;
  s.pointer = pointer;
  s.seq = seq;
  s.own = own;
  s.depth = depth;
  wi.info = &s;
  walk_gimple_seq (seq, count_good, count_mention, &wi);
  return s.good == s.mentions;
}

bool
call_result_lent_p (const gcall *call, gimple_seq seq, hash_set<tree> *own)
{
  tree lhs = gimple_call_lhs (call);
  return !lhs || back_lent_p (lhs, seq, own, 0);
}

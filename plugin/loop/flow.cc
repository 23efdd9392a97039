/* One walk over a line of statements: what integers and pointers are worth,
   which variables an iteration uses before it sets them, and every access to
   memory.

   The state at a label is what all jumps to it agree on.  At the start of a
   loop everything that the loop sets is unknown, its index is a symbol; so one
   visit is enough, and what is said holds in every iteration.

   Needs: line_make or one of its kind; object_scan.  Keeps: all code.
   Source: G. Kildall, "A Unified Approach to Global Program Optimization",
   POPL 1973.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"


struct value
{
  tree var;
  affine is;
  /* It has been set in the current iteration of so many of the loops around,
     counted from the outermost.  */
  int set;
};

struct state
{
  bool reachable;
  auto_vec<value> values;
};

struct waiting
{
  tree label;
  state *at;
};

struct flow
{
  line *l;
  line_loop *in;
  state now;
  auto_vec<waiting> jumps;
};

static int
open_loops (const flow *f)
{
  return f->in ? f->in->depth + 1 : 0;
}

static value *
find (state *s, tree var)
{
  for (unsigned i = 0; i < s->values.length (); i++)
    if (s->values[i].var == var)
      return &s->values[i];
  return NULL;
}

static void
set_value (flow *f, tree var, affine is, int set)
{
  if (value *v = find (&f->now, var))
    {
      v->is = is;
      v->set = set;
    }
  else
    f->now.values.safe_push ({ var, is, set });
}

/* The state TO is also reached from FROM.  */
static void
merge (state *to, state *from)
{
  for (unsigned i = 0; i < to->values.length (); i++)
    {
      value *v = &to->values[i], *other = find (from, v->var);
      if (!other || !affine_equal_p (&v->is, &other->is))
	v->is = affine_unknown ();
      v->set = MIN (v->set, other ? other->set : 0);
    }
  for (unsigned i = 0; i < from->values.length (); i++)
    if (!find (to, from->values[i].var))
      to->values.safe_push ({ from->values[i].var, affine_unknown (), 0 });
}

static void
copy (state *to, const state *from)
{
  to->reachable = from->reachable;
  to->values.truncate (0);
  to->values.safe_splice (from->values);
}

static void
jump_to (flow *f, tree label)
{
  for (unsigned i = 0; i < f->jumps.length (); i++)
    if (f->jumps[i].label == label)
      {
	merge (f->jumps[i].at, &f->now);
	return;
      }
  waiting w = { label, new state () };
  copy (w.at, &f->now);
  f->jumps.safe_push (w);
}

static void
arrive (flow *f, tree label)
{
  for (unsigned i = 0; i < f->jumps.length (); i++)
    if (f->jumps[i].label == label)
      {
	if (f->now.reachable)
	  merge (&f->now, f->jumps[i].at);
	else
	  copy (&f->now, f->jumps[i].at);
	f->now.reachable = true;
      }
  /* From further down only.  */
  if (!f->now.reachable)
    for (unsigned i = 0; i < f->now.values.length (); i++)
      {
	f->now.values[i].is = affine_unknown ();
	f->now.values[i].set = 0;
      }
  f->now.reachable = true;
}

/* Nothing that the loops around do can be proved independent, because of
   WHY.  */
static void
give_up (flow *f, const char *why)
{
  for (line_loop *l = f->in; l; l = l->outer)
    if (!l->dependent)
      l->dependent = why;
}

static void
add_once (auto_vec<tree> *to, tree var)
{
  if (!to->contains (var))
    to->safe_push (var);
}

/* Values.  */

static affine value_of (flow *f, tree expr);

/* The value of the variable VAR is used.  */
static void
note_read (flow *f, tree var)
{
  value *v = find (&f->now, var);
  int set = v ? v->set : 0;
  for (line_loop *l = f->in; l && l->depth >= set; l = l->outer)
    add_once (&l->exposed, var);
}

static affine
value_of_constant (tree c)
{
  tree type = TREE_TYPE (c);
  if (TYPE_PRECISION (type) > 64)
    return affine_unknown ();
  if (TYPE_UNSIGNED (type) && TYPE_PRECISION (type) < 64)
    return affine_constant (TREE_INT_CST_LOW (c));
  return affine_constant (int_cst_value (c));
}

static affine
value_of_variable (flow *f, tree var)
{
  if (f->l->changed.contains (var))
    return affine_unknown ();
  value *v = find (&f->now, var);
  return v ? v->is : affine_of_symbol (affine_symbol (var, NULL));
}

/* The bytes of an element of the array that REF is in: those of variable size have
   them in units of their alignment.  */
static affine
element_size_of (flow *f, tree ref)
{
  tree units = TREE_OPERAND (ref, 3);
  if (!units)
    return value_of (f, array_ref_element_size (ref));
  tree type = TREE_TYPE (TREE_TYPE (TREE_OPERAND (ref, 0)));
  return affine_multiply (value_of (f, units),
			  affine_constant (TYPE_ALIGN_UNIT (type)));
}

/* The byte address of REF.  */
static affine
address_of (flow *f, tree ref)
{
  tree inner = handled_component_p (ref) ? TREE_OPERAND (ref, 0) : NULL_TREE;
  switch (TREE_CODE (ref))
    {
    case VAR_DECL:
    case PARM_DECL:
    case RESULT_DECL:
      if (DECL_HAS_VALUE_EXPR_P (ref))
	return affine_unknown ();
      return affine_of_symbol (
	affine_symbol (build_fold_addr_expr (ref), NULL));
    case MEM_REF:
      return affine_add (value_of (f, TREE_OPERAND (ref, 0)), 1,
			 affine_constant (int_cst_value (
			   TREE_OPERAND (ref, 1))));
    case INDIRECT_REF:
      return value_of (f, TREE_OPERAND (ref, 0));
    case ARRAY_REF:
      {
	affine subscript
	  = affine_add (value_of (f, TREE_OPERAND (ref, 1)), -1,
			value_of (f, array_ref_low_bound (ref)));
	return affine_add (
	  address_of (f, inner), 1,
	  affine_multiply (subscript, element_size_of (f, ref)));
      }
    case COMPONENT_REF:
      {
	tree field = TREE_OPERAND (ref, 1);
	if (DECL_BIT_FIELD_TYPE (field)
	    || !tree_fits_shwi_p (component_ref_field_offset (ref)))
	  return affine_unknown ();
	return affine_add (address_of (f, inner), 1,
			   affine_constant (int_byte_position (field)));
      }
    case REALPART_EXPR:
    case VIEW_CONVERT_EXPR:
      return address_of (f, inner);
    case IMAGPART_EXPR:
      return affine_add (address_of (f, inner), 1,
			 value_of (f, TYPE_SIZE_UNIT (TREE_TYPE (ref))));
    default:
      return affine_unknown ();
    }
}

/* Has the pointer or variable at the bottom of REF, all else of which is
   constant, one value in the whole region as far as scalars go?  */
static bool
fixed_reference_p (flow *f, tree ref)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (TREE_CODE (ref) == ARRAY_REF
	  ? TREE_CODE (TREE_OPERAND (ref, 1)) != INTEGER_CST
	  : TREE_CODE (ref) != COMPONENT_REF)
      return false;
  if (TREE_CODE (ref) == MEM_REF || TREE_CODE (ref) == INDIRECT_REF)
    ref = TREE_OPERAND (ref, 0);
  return DECL_P (ref) && !find (&f->now, ref)
	 && !line_declares_p (f->l, ref);
}

static affine
value_of (flow *f, tree expr)
{
  /* A bound that depends on another loop's variable is a vector.  */
  if (!expr || TREE_CODE (expr) == TREE_VEC)
    return affine_unknown ();
  if (TREE_CODE (expr) == INTEGER_CST)
    return value_of_constant (expr);
  if (!INTEGRAL_TYPE_P (TREE_TYPE (expr)) && !POINTER_TYPE_P (TREE_TYPE (expr)))
    return affine_unknown ();
  if (DECL_P (expr) && register_p (expr))
    return value_of_variable (f, expr);
  if (TREE_CODE (expr) == ADDR_EXPR)
    return address_of (f, TREE_OPERAND (expr, 0));
  if (TREE_CODE (expr) == SSA_NAME)
    return affine_of_symbol (affine_symbol (expr, NULL));
  if (fixed_reference_p (f, expr))
    return affine_of_symbol (affine_symbol (expr, NULL));
  /* Multiples of what may be anything modulo 2^64 say nothing.  */
  if (f->l->loads && INTEGRAL_TYPE_P (TREE_TYPE (expr)) && !DECL_P (expr)
      && (!TYPE_UNSIGNED (TREE_TYPE (expr))
	  || TYPE_PRECISION (TREE_TYPE (expr)) < 64))
    {
      affine at = address_of (f, expr);
      if (at.n >= 0)
	return affine_of_symbol (affine_loaded_symbol (expr, &at));
    }
  return affine_unknown ();
}

/* Does arithmetic in TYPE give the integers' result, or that modulo 2^64,
   which is the same for addresses?  */
static bool
exact_p (tree type)
{
  return POINTER_TYPE_P (type) || TYPE_PRECISION (type) == 64
	 || TYPE_OVERFLOW_UNDEFINED (type);
}

/* The value of A, of type FROM, in the type TO.  */
static affine
converted (affine a, tree from, tree to)
{
  if (!INTEGRAL_TYPE_P (to) && !POINTER_TYPE_P (to))
    return affine_unknown ();
  if (!INTEGRAL_TYPE_P (from) && !POINTER_TYPE_P (from))
    return affine_unknown ();
  unsigned have = TYPE_PRECISION (from), want = TYPE_PRECISION (to);
  bool keeps_sign = TYPE_UNSIGNED (from) == TYPE_UNSIGNED (to);
  HOST_WIDE_INT c;
  if (want == have ? keeps_sign || want == 64
      : want > have ? want == 64 || (want < 64 && (keeps_sign
						   || TYPE_UNSIGNED (from)))
		    : false)
    return a;
  /* A small number is the same in all types.  */
  if (affine_constant_p (&a, &c) && IN_RANGE (c, 0, SCHAR_MAX))
    return a;
  return affine_unknown ();
}

/* An operation that we do not follow, on values that stay the same, is a
   symbol of its own.  */
static affine
opaque (tree_code code, tree type, affine a, tree a_type, affine b,
	tree b_type)
{
  bool trapping = code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR
		  || code == EXACT_DIV_EXPR;
  HOST_WIDE_INT divisor;
  if (a.n < 0 || affine_varies_p (&a) || !INTEGRAL_TYPE_P (type)
      || !INTEGRAL_TYPE_P (a_type))
    return affine_unknown ();
  tree x = affine_tree (&a, a_type), expr;
  if (CONVERT_EXPR_CODE_P (code))
    expr = build1 (NOP_EXPR, type, x);
  else if (b.n < 0 || affine_varies_p (&b) || !INTEGRAL_TYPE_P (b_type))
    return affine_unknown ();
  else if (code == MIN_EXPR || code == MAX_EXPR
	   || (trapping && affine_constant_p (&b, &divisor) && divisor > 0))
    expr = build2 (code, type, x, affine_tree (&b, b_type));
  else
    return affine_unknown ();
  return affine_of_symbol (affine_symbol (expr, NULL));
}

/* The value that the assignment STMT gives.  */
static affine
value_assigned (flow *f, gimple *stmt)
{
  tree type = TREE_TYPE (gimple_assign_lhs (stmt));
  tree_code code = gimple_assign_rhs_code (stmt);
  if (!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type))
    return affine_unknown ();
  tree a = gimple_assign_rhs1 (stmt), b = gimple_assign_rhs2 (stmt);
  affine x = value_of (f, a), y = value_of (f, b), result;
  if (gimple_assign_single_p (stmt))
    return x;
  switch (code)
    {
    CASE_CONVERT:
      result = converted (x, TREE_TYPE (a), type);
      break;
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
      result = affine_add (x, 1, y);
      break;
    case MINUS_EXPR:
      result = affine_add (x, -1, y);
      break;
    case MULT_EXPR:
      result = affine_multiply (x, y);
      break;
    case NEGATE_EXPR:
      result = affine_multiply (affine_constant (-1), x);
      break;
    default:
      result = affine_unknown ();
      break;
    }
  if (!CONVERT_EXPR_CODE_P (code) && !exact_p (type))
    result = affine_unknown ();
  if (result.n < 0)
    result = opaque (code, type, x, TREE_TYPE (a), y,
		     b ? TREE_TYPE (b) : NULL_TREE);
  return result;
}

/* Accesses.  */

/* The object that the address A lies in: there is one pointer in it.  */
static unsigned
object_at (flow *f, const affine *a)
{
  unsigned found = anything;
  for (int i = 0; i < a->n; i++)
    {
      const affine_term *t = &a->term[i];
      int s = t->symbol[AFFINE_DEGREE - 1];
      tree expr = s < 0 ? NULL_TREE : affine_symbol_of (s)->expr;
      if (!expr || !POINTER_TYPE_P (TREE_TYPE (expr)))
	continue;
      if (found != anything || t->factor != 1
	  || t->symbol[AFFINE_DEGREE - 2] >= 0)
	return anything;
      if (TREE_CODE (expr) == ADDR_EXPR)
	found = object_index (f->l->r, { TREE_OPERAND (expr, 0), 0 });
      else
	found = object_index (f->l->r, object_pointed_to (expr));
    }
  return found;
}

static void
note_access (flow *f, gimple *stmt, tree ref, bool write)
{
  line_access a = {};
  a.stmt = stmt;
  a.ref = ref;
  a.write = write;
  a.in = f->in;
  a.address = address_of (f, ref);
  a.object = object_at (f, &a.address);
  tree base = reference_base (ref);
  if (a.address.n < 0 && DECL_P (base))
    a.object = object_index (f->l->r, { base, 0 });
  tree size = TYPE_SIZE_UNIT (TREE_TYPE (ref));
  a.size = size && tree_fits_shwi_p (size) ? tree_to_shwi (size) : 0;
  a.symbolic = !write
	       && (INTEGRAL_TYPE_P (TREE_TYPE (ref))
		   || POINTER_TYPE_P (TREE_TYPE (ref)))
	       && fixed_reference_p (f, ref);
  tree root = ref;
  for (; TREE_CODE (root) == ARRAY_REF && a.dims < ACCESS_DIMS;
       root = TREE_OPERAND (root, 0))
    a.subscript[a.dims++] = value_of (f, TREE_OPERAND (root, 1));
  if (handled_component_p (root))
    a.dims = 0;
  else
    for (int i = 0; i < a.dims / 2; i++)
      std::swap (a.subscript[i], a.subscript[a.dims - 1 - i]);
  a.root = address_of (f, root);
  for (tree r = ref; handled_component_p (r); r = TREE_OPERAND (r, 0))
    if (TREE_THIS_VOLATILE (r))
      give_up (f, "volatile access");
  if (TREE_THIS_VOLATILE (ref) || TREE_THIS_VOLATILE (base))
    give_up (f, "volatile access");
  f->l->accesses.safe_push (a);
}

/* EXPR, an operand of STMT, is used.  */
static void
note_use (flow *f, gimple *stmt, tree expr)
{
  if (!expr || CONSTANT_CLASS_P (expr) || TREE_CODE (expr) == SSA_NAME)
    return;
  if (DECL_P (expr) && register_p (expr))
    {
      note_read (f, expr);
      return;
    }
  if (TREE_CODE (expr) == CONSTRUCTOR)
    {
      unsigned i;
      tree element;
      FOR_EACH_CONSTRUCTOR_VALUE (CONSTRUCTOR_ELTS (expr), i, element)
	note_use (f, stmt, element);
      return;
    }
  bool address = TREE_CODE (expr) == ADDR_EXPR;
  tree ref = address ? TREE_OPERAND (expr, 0) : expr;
  if (!DECL_P (ref) && !handled_component_p (ref)
      && TREE_CODE (ref) != MEM_REF && TREE_CODE (ref) != INDIRECT_REF)
    {
      if (EXPR_P (ref))
	for (int i = 0; i < TREE_OPERAND_LENGTH (ref); i++)
	  note_use (f, stmt, TREE_OPERAND (ref, i));
      return;
    }
  if (!address && TREE_CODE (ref) != CONST_DECL
      && TREE_CODE (ref) != LABEL_DECL && TREE_CODE (ref) != FUNCTION_DECL)
    note_access (f, stmt, ref, false);
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (TREE_CODE (ref) == ARRAY_REF)
      note_use (f, stmt, TREE_OPERAND (ref, 1));
  if (TREE_CODE (ref) == MEM_REF || TREE_CODE (ref) == INDIRECT_REF)
    note_use (f, stmt, TREE_OPERAND (ref, 0));
}

/* STMT sets LHS to IS.  */
static void
note_set (flow *f, gimple *stmt, tree lhs, affine is)
{
  if (!DECL_P (lhs) || !register_p (lhs))
    {
      /* What the address is made of is used.  */
      note_use (f, stmt, build_fold_addr_expr (lhs));
      note_access (f, stmt, lhs, true);
      return;
    }
  for (line_loop *l = f->in; l; l = l->outer)
    {
      add_once (&l->assigned, lhs);
      if (lhs == l->index && !l->broken)
	l->broken = "its index changes";
    }
  set_value (f, lhs, is, open_loops (f));
}

static void
note_combination (line_loop *l, tree var, tree_code op)
{
  for (unsigned i = 0; i < l->combined.length (); i++)
    if (l->combined[i].var == var)
      {
	if (l->combined[i].op != op)
	  l->combined[i].op = ERROR_MARK;
	return;
      }
  l->combined.safe_push ({ var, op });
}

/* Does STMT combine a variable with another value?  Then the loops that hand
   the variable from one iteration to the next are told, and nothing else
   becomes known about it.  */
static bool
combine (flow *f, gimple *stmt)
{
  tree_code op = gimple_assign_rhs_code (stmt);
  tree var = gimple_assign_lhs (stmt);
  if (!DECL_P (var) || !register_p (var) || gimple_num_ops (stmt) != 3)
    return false;
  tree a = gimple_assign_rhs1 (stmt), b = gimple_assign_rhs2 (stmt);
  bool left = a == var;
  if (left == (b == var))
    return false;
  for (const line_loop *l = f->in; l; l = l->outer)
    if (l->index == var)
      return false;
  switch (op)
    {
    case MINUS_EXPR:
      if (!left)
	return false;
      op = PLUS_EXPR;
      break;
    case PLUS_EXPR:
    case MULT_EXPR:
    case MIN_EXPR:
    case MAX_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
      break;
    default:
      return false;
    }
  note_use (f, stmt, left ? b : a);
  value *v = find (&f->now, var);
  int set = v ? v->set : 0;
  affine is = value_assigned (f, stmt);
  for (line_loop *l = f->in; l && l->depth >= set; l = l->outer)
    {
      note_combination (l, var, op);
      is = affine_unknown ();
    }
  set_value (f, var, is, set);
  return true;
}

/* Can loops around CALL be rewritten, and does it leave memory alone?  */
static void
note_call (flow *f, gcall *call)
{
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    note_use (f, call, gimple_call_arg (call, i));
  if (!call_without_memory_p (call))
    give_up (f, "it calls a function");
  tree fn = gimple_call_fndecl (call);
  bool ours = gimple_call_internal_p (call)
	      || (fn && fndecl_built_in_p (fn))
	      || (fn && oacc_get_fn_attrib (fn)
		  && oacc_fn_attrib_level (oacc_get_fn_attrib (fn))
		       == GOMP_DIM_MAX);
  for (line_loop *l = f->in; l && !ours; l = l->outer)
    if (!l->broken)
      l->broken = "it calls what is no sequential routine";
  if (tree lhs = gimple_call_lhs (call))
    note_set (f, call, lhs, affine_unknown ());
}

static void
note_statement (flow *f, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      if (combine (f, stmt))
	break;
      for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
	note_use (f, stmt, gimple_op (stmt, i));
      note_set (f, stmt, gimple_assign_lhs (stmt), value_assigned (f, stmt));
      break;
    case GIMPLE_CALL:
      note_call (f, as_a<gcall *> (stmt));
      break;
    case GIMPLE_LABEL:
      arrive (f, gimple_label_label (as_a<glabel *> (stmt)));
      break;
    case GIMPLE_GOTO:
      jump_to (f, gimple_goto_dest (stmt));
      f->now.reachable = false;
      break;
    case GIMPLE_COND:
      note_use (f, stmt, gimple_cond_lhs (stmt));
      note_use (f, stmt, gimple_cond_rhs (stmt));
      jump_to (f, gimple_cond_true_label (as_a<gcond *> (stmt)));
      jump_to (f, gimple_cond_false_label (as_a<gcond *> (stmt)));
      f->now.reachable = false;
      break;
    case GIMPLE_SWITCH:
      {
	gswitch *s = as_a<gswitch *> (stmt);
	note_use (f, stmt, gimple_switch_index (s));
	for (unsigned i = 0; i < gimple_switch_num_labels (s); i++)
	  jump_to (f, CASE_LABEL (gimple_switch_label (s, i)));
	f->now.reachable = false;
	break;
      }
    case GIMPLE_OMP_ATOMIC_LOAD:
      give_up (f, "atomic access");
      note_set (f, stmt,
		gimple_omp_atomic_load_lhs (as_a<gomp_atomic_load *> (stmt)),
		affine_unknown ());
      break;
    case GIMPLE_OMP_ATOMIC_STORE:
      note_use (f, stmt, gimple_omp_atomic_store_val (
			   as_a<gomp_atomic_store *> (stmt)));
      break;
    default:
      gcc_unreachable ();
    }
}

/* Loops.  */

static void walk_to (flow *f, unsigned from, unsigned to);

/* Everything that LOOP sets is unknown from now on.  */
static void
forget_assigned (flow *f, const line_loop *l)
{
  for (unsigned i = l->begin; i < l->end; i++)
    {
      gimple *stmt = f->l->code[i];
      tree lhs = stmt ? gimple_get_lhs (stmt) : NULL_TREE;
      if (stmt && gimple_code (stmt) == GIMPLE_OMP_ATOMIC_LOAD)
	lhs = gimple_omp_atomic_load_lhs (as_a<gomp_atomic_load *> (stmt));
      if (lhs && DECL_P (lhs) && register_p (lhs))
	{
	  value *v = find (&f->now, lhs);
	  set_value (f, lhs, affine_unknown (), v ? v->set : 0);
	}
    }
  for (unsigned i = 0; i < f->l->loops.length (); i++)
    {
      const line_loop *inner = f->l->loops[i];
      if (inner->directive && inner->depth >= l->depth
	  && inner->begin >= l->begin && inner->end <= l->end)
	set_value (f, inner->index, affine_unknown (), 0);
    }
}

/* Enter L, or the next of the loops that a directive collapses.  */
static void
enter (flow *f, line_loop *l)
{
  tree first = l->index;
  if (l->directive)
    {
      first = gimple_omp_for_initial (l->directive, l->dim);
      note_use (f, l->directive, gimple_omp_for_final (l->directive, l->dim));
    }
  if (!l->index)
    return;
  note_use (f, l->directive, first);
  l->first = value_of (f, first);
  for (line_loop *outer = l->outer; outer && !l->directive; outer = outer->outer)
    add_once (&outer->assigned, l->index);
}

/* After the walk of L's body: does it count as it seemed to?  */
static void
check_bounds (line_loop *l)
{
  affine coefficient, rest;
  bool known = l->index && l->cond
	       && affine_split (&l->bound, affine_index_symbol (l),
				&coefficient, &rest)
	       && coefficient.n == 0 && l->first.n >= 0
	       && !l->assigned.contains (l->index);
  if (!known)
    {
      l->first = l->bound = affine_unknown ();
      if (!l->broken && !l->directive)
	l->broken = "its bounds are not known";
    }
}

static void
walk_loop (flow *f, line_loop *l)
{
  state before;
  l->conditional = line_jumped_over_p (f->l, l->outer, l->begin, l->end);
  enter (f, l);
  copy (&before, &f->now);
  forget_assigned (f, l);
  line_loop *outer = f->in;
  f->in = l;
  if (l->index)
    set_value (f, l->index, affine_of_symbol (affine_index_symbol (l)),
	       open_loops (f));
  l->bound = affine_unknown ();
  unsigned from = l->body_begin, to = l->body_end;
  if (!l->index)
    {
      from = l->begin;
      to = l->end;
    }
  walk_to (f, l->test_begin, l->test_end);
  if (l->index)
    {
      if (!l->directive)
	note_use (f, NULL, l->bound_expr);
      l->bound = value_of (f, l->bound_expr);
    }
  bool single = true;
  if (l->directive && l->dim + 1 < gimple_omp_for_collapse (l->directive))
    {
      walk_loop (f, l->inner[0]);
      single = false;
    }
  else
    walk_to (f, from, to);
  for (unsigned i = 0; single && i < f->now.values.length (); i++)
    if (f->now.values[i].set == open_loops (f))
      l->certain.safe_push (f->now.values[i].var);

  /* Its iterations may be none.  */
  f->in = outer;
  copy (&f->now, &before);
  f->now.reachable = true;
  forget_assigned (f, l);
  check_bounds (l);
}

/* Walk the statements from FROM up to TO.  */
static void
walk_to (flow *f, unsigned from, unsigned to)
{
  for (unsigned at = from; at < to; at++)
    {
      line_loop *inner = line_loop_at (f->l, f->in, at);
      if (inner && inner != f->in)
	{
	  walk_loop (f, inner);
	  at = inner->end - 1;
	}
      else if (f->l->code[at])
	note_statement (f, f->l->code[at]);
    }
}

/* ---- What is loaded ---- */

struct load_question
{
  const line *l;
  bool (*apart) (const line_access *, const line_access *, void *);
  void *data;
};

/* May what the symbol S stands for, which is loaded, change in the construct?  */
static bool
changes_p (const load_question *q, const symbol *s)
{
  bool found = false;
  for (unsigned i = 0; i < q->l->accesses.length (); i++)
    {
      const line_access *a = &q->l->accesses[i];
      if (a->write || !affine_equal_p (&a->address, s->loaded))
	continue;
      found = true;
      for (unsigned k = 0; k < q->l->accesses.length (); k++)
	if (q->l->accesses[k].write
	    && !q->apart (a, &q->l->accesses[k], q->data))
	  return true;
    }
  return !found;
}

/* Is A made of what changes?  */
static bool
made_of_changes_p (const load_question *q, const affine *a)
{
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      {
	const symbol *s = a->term[i].symbol[k] < 0
			    ? NULL
			    : affine_symbol_of (a->term[i].symbol[k]);
	if (s && s->loaded
	    && (made_of_changes_p (q, s->loaded) || changes_p (q, s)))
	  return true;
      }
  return false;
}

static void
forget_made (const load_question *q, affine *a)
{
  if (made_of_changes_p (q, a))
    *a = affine_unknown ();
}

void
line_forget_loaded (line *l,
		    bool (*apart) (const line_access *, const line_access *,
				   void *),
		    void *data)
{
  load_question q = { l, apart, data };
  for (unsigned i = 0; i < l->loops.length (); i++)
    {
      forget_made (&q, &l->loops[i]->first);
      forget_made (&q, &l->loops[i]->bound);
    }
  auto_vec<affine> addresses;
  for (unsigned i = 0; i < l->accesses.length (); i++)
    {
      line_access *a = &l->accesses[i];
      forget_made (&q, &a->root);
      for (int d = 0; d < a->dims; d++)
	forget_made (&q, &a->subscript[d]);
      addresses.safe_push (a->address);
      forget_made (&q, &addresses[i]);
    }
  /* The loads are found by their addresses up to here.  */
  for (unsigned i = 0; i < l->accesses.length (); i++)
    l->accesses[i].address = addresses[i];
}

void
flow_find (line *l)
{
  flow f;
  f.l = l;
  f.in = NULL;
  f.now.reachable = true;
  walk_to (&f, 0, l->code.length ());
  for (unsigned i = 0; i < f.jumps.length (); i++)
    delete f.jumps[i].at;
}

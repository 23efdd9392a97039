/* Pointers that follow from one another.

   An access to a neighbour along the second or third dimension of an array is
   a stride away, which is a variable: its address is a computation of its own,
   with products that GCC takes out of the loop as registers of 64 bits each,
   per access.  In

       u(x, y, z - 1) + u(x, y, z) + u(x, y, z + 1)

   one pointer and the distance of two planes do for all three.  So the first
   access of an array keeps its address, and another one's is a pointer that is
   there already, and

     - a constant, which goes into the instruction, or
     - plus or minus a distance that is the same in all iterations, whose
       product GCC takes out of the loop once for all that use it.

   Several rows of a nest in one thread (jam.cc) have most of their pointers
   from the row before.

   Where a subscript is one number of 32 bits, as in C that does with i - row by
   hand, GCC's code takes fewer registers, and stays.

   Addresses are compared as sums (affine.cc); they are exact modulo 2^64, so
   any way to compute one is as good as another.  Only accesses that control
   always reaches take part: those before are then executed before.

   Needs: flow_find.  Keeps: the addresses, modulo 2^64.  Breaks: the form
   of addresses, which are pointers and distances then.
   Source: F. Allen, J. Cocke, K. Kennedy, "Reduction of Operator Strength",
   1981.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "spmd/spmd.h"

enum
{
  /* What fits an instruction of any GPU.  */
  MAX_DISPLACEMENT = 1 << 22,
  /* Terms of a distance: more are no cheaper than the address.  */
  MAX_TERMS = 2,
  /* Distances of all arrays.  Each takes two registers.  */
  MAX_DISTANCES = 8
};

/* ---- What can be shared ---- */

/* Is VAR a parameter that nothing changes, as those are which Fortran passes by
   reference?  It may be in memory.  */
static bool
constant_parameter_p (tree var)
{
  return TREE_CODE (var) == PARM_DECL && TREE_READONLY (var)
	 && !TREE_THIS_VOLATILE (var) && is_gimple_reg_type (TREE_TYPE (var));
}

/* Is *TP, part of a symbol, something else than a variable that keeps its value
   all along DATA, a line?  */
static tree
find_changing (tree *tp, int *walk_subtrees, void *data)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (DECL_P (*tp)
	     ? !constant_parameter_p (*tp)
		 && (!register_p (*tp) || line_sets_p ((const line *) data, *tp))
	     : REFERENCE_CLASS_P (*tp) || TREE_CODE (*tp) == ADDR_EXPR
		 || TREE_CODE (*tp) == SSA_NAME)
    return *tp;
  return NULL_TREE;
}

bool
line_computable_p (const line *l, const affine *a)
{
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      {
	int number = a->term[i].symbol[k];
	if (number < 0)
	  continue;
	const symbol *s = affine_symbol_of (number);
	tree expr = s->expr;
	if (s->counted
	      ? !s->counted->directive || !register_p (expr)
	      : walk_tree_without_duplicates (&expr, find_changing,
					      const_cast<line *> (l))
		  != NULL_TREE)
	  return false;
      }
  return a->n >= 0;
}

/* Is A, on the line L, a sum of few numbers that are the same in all
   iterations?  */
static bool
distance_p (const line *l, const affine *a)
{
  if (a->n > MAX_TERMS || !line_computable_p (l, a) || affine_varies_p (a))
    return false;
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      if (a->term[i].symbol[k] >= 0
	  && !INTEGRAL_TYPE_P (
	    TREE_TYPE (affine_symbol_of (a->term[i].symbol[k])->expr)))
	return false;
  return true;
}

/* The assignment that gives VAR its value for the statement USE on L; NULL when
   there is none, and VAR keeps its value.  */
static gimple *
find_set (const line *l, tree var, const gimple *use)
{
  gimple *found = NULL;
  for (unsigned i = 0; i < l->code.length () && l->code[i] != use; i++)
    if (l->code[i] && is_gimple_assign (l->code[i])
	&& gimple_assign_lhs (l->code[i]) == var)
      found = l->code[i];
  return found;
}

/* Is EXPR, an operand of USE, what it is but for constants, a base, and a
   number of less than 64 bits?  Then it takes a register and its neighbours an
   instruction each.  */
static bool
narrow_p (const line *l, tree expr, const gimple *use)
{
  if (CONSTANT_CLASS_P (expr))
    return true;
  if (!DECL_P (expr))
    return false;
  if (INTEGRAL_TYPE_P (TREE_TYPE (expr))
      && TYPE_PRECISION (TREE_TYPE (expr)) < 64)
    return true;
  gimple *set = find_set (l, expr, use);
  if (!set)
    return false;
  tree a = gimple_assign_rhs1 (set), b = gimple_assign_rhs2 (set);
  switch (gimple_assign_rhs_code (set))
    {
    CASE_CONVERT:
      return narrow_p (l, a, set);
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
      return CONSTANT_CLASS_P (b) && narrow_p (l, a, set);
    case POINTER_PLUS_EXPR:
      return (CONSTANT_CLASS_P (b) && narrow_p (l, a, set))
	     || (DECL_P (a) && !find_set (l, a, set) && narrow_p (l, b, set));
    default:
      return false;
    }
}

static bool
narrow_reference_p (const line *l, const line_access *a)
{
  tree ref = a->ref;
  while (TREE_CODE (ref) == COMPONENT_REF)
    ref = TREE_OPERAND (ref, 0);
  return TREE_CODE (ref) == ARRAY_REF
	   ? narrow_p (l, TREE_OPERAND (ref, 1), a->stmt)
	 : TREE_CODE (ref) == MEM_REF
	   ? narrow_p (l, TREE_OPERAND (ref, 0), a->stmt)
	   : true;
}

bool
pointer_access_p (const line *l, const line_access *a)
{
  tree ref = a->ref, type = TREE_TYPE (ref);
  return a->address.n > 0 && gimple_assign_single_p (a->stmt)
	 && (a->write ? gimple_assign_lhs (a->stmt)
		      : gimple_assign_rhs1 (a->stmt))
	      == ref
	 && is_gimple_reg_type (type)
	 && (TREE_CODE (ref) == ARRAY_REF || TREE_CODE (ref) == MEM_REF
	     || TREE_CODE (ref) == COMPONENT_REF)
	 && !DECL_P (get_base_address (ref))
	 && get_object_alignment (ref) >= TYPE_ALIGN (type)
	 && !narrow_reference_p (l, a);
}

/* ---- Rewriting ---- */

static tree
add_pointer (gimple_stmt_iterator *gsi, tree expr)
{
  gimple_seq seq = NULL;
  tree value = code_value (expr, "pointer", &seq);
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
  return value;
}

/* The access REF, at address A, is POINTER's and the constant AWAY.  */
static tree
access_at (tree ref, tree pointer, HOST_WIDE_INT away)
{
  tree made = build2 (MEM_REF, TREE_TYPE (ref), pointer,
		      build_int_cst (reference_alias_ptr_type (ref), away));
  TREE_THIS_VOLATILE (made) = TREE_THIS_VOLATILE (ref);
  return made;
}

/* A way from a known pointer to an address: SIGN times DISTANCE, of which
   there may be a number already, and a constant.  */
struct way
{
  const known_pointer *from;
  int sign;
  affine distance;
  tree number;
  HOST_WIDE_INT constant;
};

/* Is A shorter than B?  */
static bool
shorter_p (const way *a, const way *b)
{
  if (!b->from)
    return true;
  if ((a->distance.n == 0) != (b->distance.n == 0))
    return a->distance.n == 0;
  if ((a->number != NULL_TREE) != (b->number != NULL_TREE))
    return a->number != NULL_TREE;
  return a->distance.n < b->distance.n;
}

/* Take the constant out of the way W.  */
static void
split_constant (way *w)
{
  affine all = w->distance;
  w->constant = 0;
  w->sign = 1;
  w->distance = affine_constant (0);
  for (int i = 0; i < all.n; i++)
    if (all.term[i].symbol[AFFINE_DEGREE - 1] < 0)
      w->constant = all.term[i].factor;
    else
      w->distance.term[w->distance.n++] = all.term[i];
  if (w->distance.n && w->distance.term[0].factor < 0)
    {
      w->sign = -1;
      w->distance
	= affine_multiply (affine_constant (-1), w->distance);
    }
}

/* The shortest way to ADDRESS from what P knows; FROM is NULL when there is
   none.  */
static way
find_way (const pointers *p, const affine *address)
{
  way best = {};
  /* The latest first: it is in a register for sure.  */
  for (unsigned i = p->known.length (); i--;)
    {
      way w = {};
      w.from = &p->known[i];
      w.distance = affine_add (*address, -1, w.from->address);
      if (w.distance.n < 0)
	continue;
      split_constant (&w);
      if (!IN_RANGE (w.constant, -MAX_DISPLACEMENT, MAX_DISPLACEMENT)
	  || !distance_p (p->l, &w.distance))
	continue;
      for (unsigned k = 0; k < p->distances.length (); k++)
	if (affine_equal_p (&p->distances[k].is, &w.distance))
	  w.number = p->distances[k].number;
      if ((w.distance.n == 0 || w.number
	   || p->distances.length () < MAX_DISTANCES)
	  && shorter_p (&w, &best))
	best = w;
    }
  return best;
}

/* The pointer at the end of W's distance from its start.  */
static tree
go (pointers *p, gimple_stmt_iterator *gsi, way *w)
{
  tree from = w->from->pointer, type = TREE_TYPE (from);
  if (w->distance.n == 0)
    return from;
  if (!w->number)
    {
      w->number = add_pointer (gsi, affine_tree (&w->distance, sizetype));
      p->distances.safe_push ({ w->distance, w->number });
    }
  /* The negative number would be another register.  */
  return add_pointer (
    gsi, w->sign > 0
	   ? build2 (POINTER_PLUS_EXPR, type, from, w->number)
	   : build1 (NOP_EXPR, type,
		     build2 (MINUS_EXPR, sizetype,
			     build1 (NOP_EXPR, sizetype, from), w->number)));
}

/* A pointer to REF, the access A.  As one sum of unsigned numbers GCC orders it by
   the loops in which they change, and all but the innermost one's part is
   computed outside.  */
static tree
start (const pointers *p, gimple_stmt_iterator *gsi, tree ref,
       const line_access *a)
{
  tree pointer = build_fold_addr_expr (unshare_expr (ref));
  affine rest = affine_add (a->address, -1, a->root);
  tree array = ref;
  while (TREE_CODE (array) == ARRAY_REF)
    array = TREE_OPERAND (array, 0);
  if (array != ref && !affine_varies_p (&a->root)
      && line_computable_p (p->l, &rest))
    pointer = fold_convert (
      TREE_TYPE (pointer),
      fold_build2 (PLUS_EXPR, sizetype,
		   fold_convert (sizetype,
				 build_fold_addr_expr (unshare_expr (array))),
		   affine_tree (&rest, sizetype)));
  return add_pointer (gsi, pointer);
}

void
pointer_share (pointers *p, gimple_stmt_iterator *gsi, tree *ref,
	       const line_access *a, const affine *address)
{
  way w = find_way (p, address);
  if (!w.from)
    {
      tree pointer = start (p, gsi, *ref, a);
      p->known.safe_push ({ *address, pointer });
      *ref = access_at (*ref, pointer, 0);
      return;
    }
  p->follow += w.distance.n > 0;
  tree pointer = go (p, gsi, &w);
  if (pointer != w.from->pointer)
    p->known.safe_push (
      { affine_add (*address, -w.constant, affine_constant (1)), pointer });
  *ref = access_at (*ref, pointer, w.constant);
}

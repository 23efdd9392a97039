/* What a region overwrites need not be sent to it.

   An operand that is mapped tofrom is copied to the device although the region
   may store all of it and read nothing, as most programs have no other word at
   hand.  That it reads nothing is in the tag.  Here we find stores that every run
   of the region executes, for all values of the loops around them:

     for (j = 0; j < m; j++)
       for (i = 0; i < n; i++)
	 a[j * n + i] = ...

   Which bytes these are, and whether they are all that is mapped, is known when
   the program runs.  So the host, before the construct, says

     acr_overwrite (a, sizeof *a, 2, sizeof *a, 0, n, 1,
		    n * sizeof *a, 0, m, 1);

   and the runtime compares (abi.h).

   A store counts when
   - it is at the top level of its loop, and so are all loops on the way to it;
     they count from and to values that are the same throughout the region, and
     cannot be left early;
   - it is of a scalar all of whose bits are stored, so that no byte is left out;
     neighbours, as members of a structure are, count as one;
   - its address is a sum of those loops' variables with factors, of firstprivate
     variables and strides of Fortran arrays that the region does not change, and
     of the operand's address: the host computes the same.

   How many threads share the loops out, or all execute them, is no matter:
   each iteration is executed by one at least.

   Needs: access_find and access_spread.  Keeps: the region.  Breaks:
   nothing; a call is added in front of the construct.
   Source: gomp_map_vars_internal in libgomp's target.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "spmd/spmd.h"
#include "gimple-expr.h"

/* ---- Operands ---- */

/* Is the object I of R mapped as a whole, copied to the device, and only
   written there?  */
static bool
candidate_p (const region *r, unsigned i)
{
  if (r->objects[i].access != ACR_ACCESS_WRITE)
    return false;
  for (unsigned k = 0; k < r->operands.length (); k++)
    {
      const operand *op = &r->operands[k];
      if (op->about == (int) i && op->map == ACR_MAP_DATA
	  && GOMP_MAP_COPY_TO_P (OMP_CLAUSE_MAP_KIND (op->clause)))
	return true;
    }
  return false;
}

/* Does R start with the host's value of the variable VAR, or with its address on
   the device?  One that is mapped may be there from before.  */
static bool
same_value_p (const region *r, tree var)
{
  for (tree c = gimple_omp_target_clauses (r->stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
      {
	if (OMP_CLAUSE_DECL (c) == var)
	  return true;
      }
    else if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	     && OMP_CLAUSE_DECL (c) == var)
      switch (OMP_CLAUSE_MAP_KIND (c))
	{
	case GOMP_MAP_FIRSTPRIVATE_POINTER:
	  return true;
	case GOMP_MAP_POINTER:
	  return object_set_once_p (var);
	default:
	  break;
	}
  return false;
}

/* The same of the Fortran array descriptor VAR, which goes with its array: that
   keeps its place and shape as long as it is mapped, unless it is a pointer.  */
static bool
same_descriptor_p (const region *r, tree var)
{
  if (!DECL_P (var) || !descriptor_type_p (TREE_TYPE (var))
      || !TYPE_RESTRICT (TREE_TYPE (TYPE_FIELDS (TREE_TYPE (var)))))
    return false;
  for (tree c = gimple_omp_target_clauses (r->stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP && OMP_CLAUSE_DECL (c) == var)
      return OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_TO_PSET;
  return false;
}

/* Is the object NAME as the region of L found it, and no construct's own?  */
static bool
unchanged_p (const line *l, object_name name)
{
  unsigned i = object_index (l->r, name);
  return !(l->r->objects[i].access & ACR_ACCESS_WRITE)
	 && !l->privates.contains (name.var);
}

/* Has EXPR on the line the value that the host has for it before the region, but
   that addresses of operands are the device's?  */
static bool
host_value_p (const line *l, tree expr)
{
  tree base = reference_base (expr);
  if (CONSTANT_CLASS_P (expr))
    return true;
  if (TREE_CODE (expr) == ADDR_EXPR)
    return DECL_P (TREE_OPERAND (expr, 0))
	   && !l->privates.contains (TREE_OPERAND (expr, 0));
  if (DECL_P (expr))
    return same_value_p (l->r, expr) && unchanged_p (l, { expr, 0 });
  if (handled_component_p (expr))
    return same_descriptor_p (l->r, base) && unchanged_p (l, { base, 0 });
  if (TREE_CODE (expr) == MEM_REF)
    {
      /* A reference.  */
      tree var = TREE_OPERAND (expr, 0);
      return integer_zerop (TREE_OPERAND (expr, 1)) && DECL_P (var)
	     && lang_hooks.decls.omp_privatize_by_reference (var)
	     && same_value_p (l->r, var)
	     && unchanged_p (l, object_of_pointer (var))
	     && !l->privates.contains (var);
    }
  if (!UNARY_CLASS_P (expr) && !BINARY_CLASS_P (expr))
    return false;
  for (int i = 0; i < TREE_OPERAND_LENGTH (expr); i++)
    if (!host_value_p (l, TREE_OPERAND (expr, i)))
      return false;
  return true;
}

/* The same of A, which may depend on no loop.  */
static bool
host_sum_p (const line *l, const affine *a)
{
  if (a->n < 0 || affine_varies_p (a))
    return false;
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      if (a->term[i].symbol[k] >= 0
	  && !host_value_p (l, affine_symbol_of (a->term[i].symbol[k])->expr))
	return false;
  return true;
}

/* ---- Stores ---- */

/* Does the runtime, which counts in signed 64-bit numbers, see as many
   iterations of L as there are?  It may see none instead.  */
static bool
counted_alike_p (const line_loop *l)
{
  tree type = TREE_TYPE (l->index);
  HOST_WIDE_INT low;
  return !TYPE_UNSIGNED (type) || TYPE_PRECISION (type) < 64
	 || (affine_constant_p (l->step > 0 ? &l->first : &l->bound, &low)
	     && low >= 0);
}

/* Why are the values of L's variable not known to the host, or NULL?  */
static const char *
loop_bar (const line *l, const line_loop *loop)
{
  if (loop->broken)
    return loop->broken;
  if (loop->conditional)
    return "a loop is conditional";
  if (!loop->index || !host_sum_p (l, &loop->first)
      || !host_sum_p (l, &loop->bound) || !counted_alike_p (loop))
    return "the bounds of a loop are not known before";
  return NULL;
}

/* The object that A is in, also where a descriptor leads there.  */
static unsigned
object_of (const line *l, const line_access *a)
{
  tree pointer = NULL_TREE;
  for (int i = 0; i < a->address.n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      {
	int s = a->address.term[i].symbol[k];
	tree expr = s < 0 ? NULL_TREE : affine_symbol_of (s)->expr;
	if (!expr || !POINTER_TYPE_P (TREE_TYPE (expr)))
	  continue;
	if (pointer || a->address.term[i].factor != 1)
	  return anything;
	pointer = expr;
      }
  return a->object == anything && pointer
	   ? object_index (l->r, object_pointed_to (pointer))
	   : a->object;
}

/* Does a store to REF change each bit of its bytes?  */
static bool
whole_p (tree ref)
{
  tree type = TREE_TYPE (ref);
  return is_gimple_reg_type (type)
	 && known_eq (GET_MODE_PRECISION (TYPE_MODE (type)),
		      GET_MODE_BITSIZE (TYPE_MODE (type)));
}

/* Split the address in C into what each loop adds, from the innermost on, and
   the rest: false when that is no sum the host can compute.  */
static bool
strides (const line *l, const cover *c, vec<affine> *by, affine *rest)
{
  *rest = c->at;
  for (const line_loop *loop = c->in; loop; loop = loop->outer)
    {
      affine whole = *rest, factor;
      if (!affine_split (&whole, affine_index_symbol (loop), &factor, rest)
	  || !host_sum_p (l, &factor))
	return false;
      by->safe_push (factor);
    }
  return host_sum_p (l, rest);
}

/* Why does the store A not count, or NULL?  */
static const char *
store_bar (const line *l, const line_access *a)
{
  unsigned at = line_place (l, a->stmt);
  if (line_jumped_over_p (l, a->in, at, at + 1))
    return "a store is conditional";
  if (!whole_p (a->ref) || a->size <= 0)
    return "a store is not of whole bytes";
  for (const line_loop *loop = a->in; loop; loop = loop->outer)
    if (const char *why = loop_bar (l, loop))
      return why;
  cover c = { a->in, anything, a->address, a->size };
  auto_vec<affine> by;
  affine rest;
  return strides (l, &c, &by, &rest) ? NULL : "an address is not known before";
}

/* ---- The host's words ---- */

static const char entry_name[] = "acr_overwrite";

bool
overwrite_call_p (const gcall *call)
{
  return call_named_p (call, entry_name);
}

static tree
number (const affine *a, gimple_seq *seq)
{
  tree sum = fold_convert (long_integer_type_node, affine_tree (a, sizetype));
  return code_value (sum, "overwrite", seq);
}

/* Add to SEQ that C is stored.  */
static void
say (const line *l, const cover *c, tree fn, gimple_seq *seq)
{
  auto_vec<affine> by;
  affine rest;
  strides (l, c, &by, &rest);
  auto_vec<tree> args;
  tree at = fold_convert (ptr_type_node, affine_tree (&rest, sizetype));
  args.safe_push (code_value (at, "overwrite", seq));
  args.safe_push (build_int_cst (size_type_node, c->bytes));
  args.safe_push (build_int_cst (unsigned_type_node, by.length ()));
  const line_loop *loop = c->in;
  for (unsigned i = 0; i < by.length (); i++, loop = loop->outer)
    {
      /* The first value that is too far.  */
      bool less = loop->cond == LE_EXPR, more = loop->cond == GE_EXPR;
      affine bound
	= affine_add (loop->bound, 1, affine_constant (less - more));
      args.safe_push (number (&by[i], seq));
      args.safe_push (number (&loop->first, seq));
      args.safe_push (number (&bound, seq));
      args.safe_push (build_int_cst (long_integer_type_node, loop->step));
    }
  gimple_seq_add_stmt (seq, gimple_build_call_vec (fn, args));
}

/* Let the host say COVERS before the construct of L.  */
static void
say_all (const line *l, const vec<cover> &covers)
{
  tree type
    = build_varargs_function_type_list (void_type_node, const_ptr_type_node,
					size_type_node, unsigned_type_node,
					NULL_TREE);
  tree fn = runtime_function (entry_name, type);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code c = &seq;
  test there = { NE_EXPR, build_fold_addr_expr (fn), null_pointer_node };
  c.if_ (there, [&] {
    for (unsigned i = 0; i < covers.length (); i++)
      say (l, &covers[i], fn, c);
  });
  code_put_before (l->r->stmt, seq);
}

/* ---- All together ---- */

static void
report (const region *r, bool said, const char *why)
{
  const char *kind = construct_words (r->what);
  if (said)
    remark_done (r->loc,
		 "%s region: what it overwrites is not copied to the GPU\n",
		 kind);
  else if (why)
    {
      region_refused (r->stmt, ACR_OPTION_OVERWRITE, why);
      remark_missed (r->loc,
		     "%s region: what it writes is copied to the GPU first:"
		     " %s\n",
		     kind, why);
    }
}

void
overwrite_find (region *r)
{
  /* The walk enters objects that are none of the region's.  */
  unsigned n = r->objects.length (), candidates = 0;
  for (unsigned i = 1; i < n; i++)
    candidates += candidate_p (r, i);
  /* On the device there is no such runtime.  */
  if (!candidates || offloaded_p (current_function_decl))
    return;
  affine_reset ();
  line l = {};
  line_make_serial (&l, r);
  const char *why = l.broken;
  if (!why)
    flow_find (&l);
  auto_vec<cover> covers;
  for (unsigned i = 0; i < l.accesses.length (); i++)
    {
      const line_access *a = &l.accesses[i];
      unsigned object = object_of (&l, a);
      if (!a->write || object >= n || !candidate_p (r, object))
	continue;
      if (const char *bar = store_bar (&l, a))
	why = bar;
      else
	cover_add (&covers, { a->in, object, a->address, a->size });
    }
  if (covers.length () > ACR_STORES)
    covers.truncate (ACR_STORES);
  if (covers.length ())
    say_all (&l, covers);
  report (r, covers.length (), why);
  line_release (&l);
  r->objects.truncate (n);
}

/* The iterations of a region's loop, counted by the host in front of the region.

   Whoever launches an SPMD kernel starts as many threads as there are iterations
   (libgomp-ext/launch/geometry/geometry-model.c).  So the host computes the loop's
   bounds as the region does on its way to the loop, from what it knows there:

   - variables that the region gets by their values (firstprivate), and what a
     reference that it gets so refers to;
   - integers in memory that the region maps: members of a variable, of *this, of
     what a lambda captures or of what a reference refers to, among them the bounds
     of Fortran's arrays.  The language says that the host may read these.

   The device may have another copy of what is mapped, in which case the count is
   wrong; the kernel is right at every geometry.  A count of 0 is taken for a copy that
   nobody cares for, then, and no count is passed.  Scalars with a mapping of their
   own are left out: programs have them so that a number stays on the device.
   Pointers are as well: they may be addresses of the device.

   A variable may stand for an expression: one of the function around it for a
   member of that one's frame, one that a lambda captures for a member of the lambda.
   GCC writes that out inside regions only; in front of them the gimplifier does,
   through which all goes that the host is to execute.

   Needs: spmd_find_nest.  Keeps: all code.  Breaks: nothing; statements are
   added in front of the construct.
   Source: expand_omp_for_init_counts in GCC's omp-expand.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"
#include "cfgexpand.h"
#include "langhooks.h"

/* ---- What the host knows ---- */

/* Is there a clause in NEST between the target construct and the loop, by which
   VAR in the loop is another one?  */
static bool
replaced_p (const spmd_nest *nest, tree var)
{
  for (unsigned i = 0; i < nest->levels.length (); i++)
    for (tree c = stmt_clauses (nest->levels[i]); c; c = OMP_CLAUSE_CHAIN (c))
      switch (OMP_CLAUSE_CODE (c))
	{
	case OMP_CLAUSE_PRIVATE:
	case OMP_CLAUSE_LASTPRIVATE:
	case OMP_CLAUSE_LINEAR:
	case OMP_CLAUSE_REDUCTION:
	  if (OMP_CLAUSE_DECL (c) == var)
	    return true;
	  break;
	default:
	  break;
	}
  return false;
}

/* What REF, a reference through a pointer alone, goes through, or NULL.  */
static tree
dereferenced (tree ref)
{
  return INDIRECT_REF_P (ref)
	     || (TREE_CODE (ref) == MEM_REF
		 && integer_zerop (TREE_OPERAND (ref, 1)))
	   ? TREE_OPERAND (ref, 0)
	   : NULL_TREE;
}

/* Does the target construct copy WHAT to the device, a variable or, if THROUGH, what
   it leads to?  */
static bool
mapped_p (const spmd_nest *nest, tree what, bool through)
{
  for (tree c = gimple_omp_target_clauses (nest->target); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& (GOMP_MAP_COPY_TO_P (OMP_CLAUSE_MAP_KIND (c))
	    || OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_TO_PSET)
	&& (through ? dereferenced (OMP_CLAUSE_DECL (c))
		    : OMP_CLAUSE_DECL (c))
	     == what)
      return true;
  return false;
}

/* Does the target construct map what the pointer VAR leads to, and send VAR or
   make it there?  */
static bool
sent_p (const spmd_nest *nest, tree var)
{
  for (tree c = gimple_omp_target_clauses (nest->target); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP && OMP_CLAUSE_DECL (c) == var)
      switch (OMP_CLAUSE_MAP_KIND (c))
	{
	case GOMP_MAP_POINTER:
	case GOMP_MAP_FIRSTPRIVATE_POINTER:
	case GOMP_MAP_FIRSTPRIVATE_REFERENCE:
	  return true;
	default:
	  break;
	}
  return construct_firstprivate_p (nest->target, var)
	 || mapped_p (nest, var, true);
}

/* Does the language promise that there is an object where VAR points to?  */
static bool
refers_p (tree var)
{
  if (TREE_CODE (TREE_TYPE (var)) == REFERENCE_TYPE)
    return !lang_hooks.decls.omp_check_optional_argument (var, false);
  return TREE_CODE (var) == PARM_DECL && DECL_ARTIFICIAL (var)
	 && DECL_NAME (var)
	 && (id_equal (DECL_NAME (var), "this")
	     || id_equal (DECL_NAME (var), "__closure"));
}

/* Is there an element where REF, of an array, says?  */
static bool
within_p (tree ref)
{
  tree at = TREE_OPERAND (ref, 1), low = array_ref_low_bound (ref),
       high = array_ref_up_bound (ref);
  return TREE_CODE (at) == INTEGER_CST && TREE_CODE (low) == INTEGER_CST
	 && high && TREE_CODE (high) == INTEGER_CST
	 && !tree_int_cst_lt (at, low) && !tree_int_cst_lt (high, at);
}

/* Is REF a member of what the target construct maps or the way to the loop has
   computed, where the host can read it?  */
static bool
member_p (const spmd_nest *nest, tree ref)
{
  tree type = TREE_TYPE (ref), base = ref;
  if (TREE_THIS_VOLATILE (ref)
      || (!INTEGRAL_TYPE_P (type) && TREE_CODE (type) != REFERENCE_TYPE))
    return false;
  for (; handled_component_p (base); base = TREE_OPERAND (base, 0))
    if (TREE_CODE (base) == COMPONENT_REF)
      {
	if (TREE_OPERAND (base, 2))
	  return false;
      }
    else if (TREE_CODE (base) != ARRAY_REF || !within_p (base))
      return false;
  tree var = dereferenced (base);
  if (!var)
    return base != ref && DECL_P (base) && !replaced_p (nest, base)
	   && (spmd_set_before_p (nest, base)
	       || construct_firstprivate_p (nest->target, base)
	       || mapped_p (nest, base, false));
  return DECL_P (var) && refers_p (var) && !replaced_p (nest, var)
	 && (spmd_set_before_p (nest, var) || (base != ref && sent_p (nest, var)));
}

/* May the host read VAR as it is?  The compiler maps some of its own, such as
   bounds of arrays.  */
static bool
own_p (const spmd_nest *nest, tree var)
{
  if (TREE_CODE (TREE_TYPE (var)) == REFERENCE_TYPE)
    return refers_p (var) && sent_p (nest, var);
  return decl_temporary_p (var) && INTEGRAL_TYPE_P (TREE_TYPE (var))
	 && mapped_p (nest, var, false);
}

/* Is EXPR, an operand on the way to the loop of NEST, worth the same before the
   target construct, where what comes before it is computed there as well?  Where the
   device's copy might differ, *SURE becomes false.  */
static bool
known_p (const spmd_nest *nest, tree expr, bool *sure)
{
  if (CONSTANT_CLASS_P (expr))
    return true;
  /* A bound that depends on another variable of the loop.  */
  if (TREE_CODE (expr) == TREE_VEC)
    return known_p (nest, TREE_VEC_ELT (expr, 1), sure)
	   && known_p (nest, TREE_VEC_ELT (expr, 2), sure);
  if (DECL_P (expr) && replaced_p (nest, expr))
    return false;
  if (DECL_P (expr))
    return spmd_set_before_p (nest, expr)
	   || construct_firstprivate_p (nest->target, expr)
	   || own_p (nest, expr);
  if (TREE_CODE (expr) == CONSTRUCTOR)
    return !CONSTRUCTOR_NELTS (expr);
  if (spmd_private_reference_p (nest, expr))
    return !replaced_p (nest, TREE_OPERAND (expr, 0));
  if (!member_p (nest, expr))
    return false;
  *sure = false;
  return true;
}

/* Can the host execute STMT, which is on the way to the loop, as known_p says?
   LABELS are those that have been passed.  */
static bool
executable_p (const spmd_nest *nest, gimple *stmt, hash_set<tree> *labels,
	      bool *sure)
{
  unsigned first = 0;
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      {
	tree lhs = gimple_assign_lhs (stmt), base = get_base_address (lhs);
	if (!DECL_P (base) || TREE_THIS_VOLATILE (lhs)
	    || TREE_ADDRESSABLE (TREE_TYPE (base))
	    || TREE_CODE (TYPE_SIZE (TREE_TYPE (base))) != INTEGER_CST)
	  return false;
	first = 1;
	break;
      }
    case GIMPLE_LABEL:
      labels->add (gimple_label_label (as_a<glabel *> (stmt)));
      return true;
    case GIMPLE_GOTO:
      /* No loops.  */
      return !labels->contains (gimple_goto_dest (stmt));
    case GIMPLE_COND:
      {
	gcond *cond = as_a<gcond *> (stmt);
	if (labels->contains (gimple_cond_true_label (cond))
	    || labels->contains (gimple_cond_false_label (cond)))
	  return false;
	return known_p (nest, gimple_cond_lhs (cond), sure)
	       && known_p (nest, gimple_cond_rhs (cond), sure);
      }
    default:
      return false;
    }
  for (unsigned j = first; j < gimple_num_ops (stmt); j++)
    if (!known_p (nest, gimple_op (stmt, j), sure))
      return false;
  return true;
}

bool
spmd_countable_p (const spmd_nest *nest, bool *sure)
{
  *sure = true;
  bool traps = false;
  hash_set<tree> labels;
  for (unsigned i = 0; i < nest->before.length (); i++)
    {
      gimple *stmt = nest->before[i];
      if (!executable_p (nest, stmt, &labels, sure))
	return false;
      traps |= is_gimple_assign (stmt) && !gimple_assign_single_p (stmt)
	       && gimple_could_trap_p (stmt);
    }
  for (unsigned i = 0; i < gimple_omp_for_collapse (nest->loop); i++)
    {
      tree uses[] = { gimple_omp_for_initial (nest->loop, i),
		      gimple_omp_for_final (nest->loop, i),
		      TREE_OPERAND (gimple_omp_for_incr (nest->loop, i), 1) };
      for (unsigned j = 0; j < ARRAY_SIZE (uses); j++)
	if (!known_p (nest, uses[j], sure))
	  return false;
      /* The count divides by it.  */
      traps |= !CONSTANT_CLASS_P (uses[2]);
    }
  /* With other values it might.  */
  return *sure || !traps;
}

/* ---- Counting ---- */

/* The host's variable for VAR, of OUTSIDE.  */
static tree
host_variable (spmd_sharing *outside, tree var)
{
  if (const spmd_private *p = spmd_private_of (outside, var))
    return p->own;
  spmd_private p = {};
  p.var = var;
  p.own = code_temp (TREE_TYPE (var), "before");
  outside->privates.safe_push (p);
  return p.own;
}

/* LABEL for the host, by LABELS.  */
static tree
host_label (hash_map<tree, tree> *labels, tree label)
{
  tree &own = labels->get_or_insert (label);
  if (!own)
    own = code_label ();
  return own;
}

/* Add to SEQ that the host executes STMT, with its own variables of OUTSIDE and
   LABELS.  */
static void
execute_outside (spmd_sharing *outside, hash_map<tree, tree> *labels,
		 gimple *stmt, gimple_seq *seq)
{
  code c = seq;
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      {
	tree value = spmd_copy_expr (outside, gimple_assign_rhs_to_tree (stmt));
	host_variable (outside, get_base_address (gimple_assign_lhs (stmt)));
	c.set (spmd_copy_expr (outside, gimple_assign_lhs (stmt)), value);
	break;
      }
    case GIMPLE_LABEL:
      c.at (host_label (labels, gimple_label_label (as_a<glabel *> (stmt))));
      break;
    case GIMPLE_GOTO:
      c.go (host_label (labels, gimple_goto_dest (stmt)));
      break;
    default:
      {
	gcond *cond = as_a<gcond *> (stmt);
	val a = spmd_copy_expr (outside, gimple_cond_lhs (cond));
	val b = spmd_copy_expr (outside, gimple_cond_rhs (cond));
	a = c.let ("a", a);
	b = c.let ("b", b);
	c.branch (test{ gimple_cond_code (cond), a, b },
		  host_label (labels, gimple_cond_true_label (cond)),
		  host_label (labels, gimple_cond_false_label (cond)));
      }
    }
}

tree
spmd_count_before (const spmd_nest *nest, gimple_seq *seq)
{
  spmd_sharing outside;
  hash_map<tree, tree> labels;
  for (unsigned i = 0; i < nest->before.length (); i++)
    execute_outside (&outside, &labels, nest->before[i], seq);
  spmd_space space;
  spmd_space_count (&space, nest->loop, &outside, seq);
  return space.total;
}

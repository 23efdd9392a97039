/* Variables of equal value in a region are one.

   For an array whose bounds it computes, gfortran has variables of its own: a
   stride for each dimension, and the offset of the element whose subscripts are
   all 0.  They are set where the procedure begins, for each array anew, be the
   bounds the same or not.  In a region they are so many values from the host,
   and so many sums and products for what is one place in several arrays.

   Here the statements with which a function begins, as far as control does not
   part, are numbered: what is computed in the same way has the same number.
   Of the variables that have one then, are set nowhere else and come into a
   region as firstprivate, the region uses the first.

   Only the compiler's own variables: a debugger shows the others.  The clauses
   stay, so that every construct has what it had.

   Needs: GIMPLE before omp-low, kernels regions made parallel.  Keeps:
   clauses, and what every variable is worth outside regions.  Breaks: uses
   in a region of a variable whose value another one has.
   Source: P. Briggs, K. D. Cooper, L. T. Simpson, "Value Numbering", Software:
   Practice and Experience 27(6), 1997.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "spmd/spmd.h"

/* More values than a long list of arrays has; each is compared with all before
   it.  */
static const unsigned max_values = 1000;

/* A value: an operation on others, of which LEAF is none but a constant, or what
   a variable had at the beginning.  Loads are of memory after so many
   changes.  */
struct computed
{
  tree_code code;
  tree type, leaf;
  unsigned a, b;
};

struct history
{
  unsigned sets;
  /* The variable's value after the last of them.  */
  unsigned number;
};

struct numbering
{
  auto_vec<computed> values;
  hash_map<tree, history> variables;
  /* So often may memory have changed.  */
  unsigned changes = 0;
};

/* A new value, which is none of those before.  */
static unsigned
fresh (numbering *n)
{
  n->values.safe_push ({ ERROR_MARK, NULL_TREE, NULL_TREE, 0, 0 });
  return n->values.length () - 1;
}

static bool
same_leaf_p (tree a, tree b)
{
  return a == b || (a && b && operand_equal_p (a, b));
}

static unsigned
number_of_value (numbering *n, const computed &v)
{
  for (unsigned i = 0; i < n->values.length (); i++)
    {
      const computed &o = n->values[i];
      if (o.code == v.code && o.a == v.a && o.b == v.b
	  && same_leaf_p (o.leaf, v.leaf)
	  && useless_type_conversion_p (o.type, v.type)
	  && useless_type_conversion_p (v.type, o.type))
	return i;
    }
  n->values.safe_push (v);
  return n->values.length () - 1;
}

static unsigned
number_of_operand (numbering *n, tree expr)
{
  tree type = TREE_TYPE (expr);
  if (CONSTANT_CLASS_P (expr))
    return number_of_value (n, { TREE_CODE (expr), type, expr, 0, 0 });
  if (TREE_CODE (expr) == SSA_NAME || register_p (expr))
    {
      if (history *h = n->variables.get (expr))
	return h->number;
      return number_of_value (n, { VAR_DECL, type, expr, 0, 0 });
    }
  if (TREE_CODE (expr) == MEM_REF && !TREE_THIS_VOLATILE (expr))
    return number_of_value (n, { MEM_REF, type, TREE_OPERAND (expr, 1),
				 number_of_operand (n, TREE_OPERAND (expr, 0)),
				 n->changes });
  return fresh (n);
}

static unsigned
number_of_assignment (numbering *n, const gimple *stmt)
{
  tree_code code = gimple_assign_rhs_code (stmt);
  computed v = { code, TREE_TYPE (gimple_assign_lhs (stmt)), NULL_TREE, 0, 0 };
  switch (get_gimple_rhs_class (code))
    {
    case GIMPLE_BINARY_RHS:
      v.b = number_of_operand (n, gimple_assign_rhs2 (stmt));
      /* FALLTHRU */
    case GIMPLE_UNARY_RHS:
      v.a = number_of_operand (n, gimple_assign_rhs1 (stmt));
      return number_of_value (n, v);
    case GIMPLE_SINGLE_RHS:
      return number_of_operand (n, gimple_assign_rhs1 (stmt));
    default:
      return fresh (n);
    }
}

static void
set (numbering *n, tree to, unsigned number)
{
  if (TREE_CODE (to) != SSA_NAME && !register_p (to))
    {
      n->changes++;
      return;
    }
  history &h = n->variables.get_or_insert (to);
  h.sets++;
  h.number = number;
}

/* Number the values of SEQ; false when control parts before its end.  */
static bool
number_statements (numbering *n, gimple_seq seq)
{
  for (gimple_stmt_iterator gsi = gsi_start (seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (n->values.length () >= max_values)
	return false;
      switch (gimple_code (stmt))
	{
	case GIMPLE_ASSIGN:
	  if (!gimple_clobber_p (stmt))
	    set (n, gimple_assign_lhs (stmt), number_of_assignment (n, stmt));
	  break;
	case GIMPLE_CALL:
	  n->changes += !call_without_memory_p (as_a<gcall *> (stmt));
	  if (tree lhs = gimple_call_lhs (stmt))
	    set (n, lhs, fresh (n));
	  break;
	case GIMPLE_BIND:
	  if (!number_statements (n, gimple_bind_body (as_a<gbind *> (stmt))))
	    return false;
	  break;
	case GIMPLE_TRY:
	  number_statements (n, gimple_try_eval (stmt));
	  return false;
	case GIMPLE_DEBUG:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT:
	  break;
	default:
	  return false;
	}
    }
  return true;
}

/* Count down for VAR, which is set: what is left is set at the beginning
   only.  */
static void
count_set (tree var, gimple *, void *data)
{
  numbering *n = (numbering *) data;
  if (history *h = n->variables.get (var))
    h->sets--;
}

/* Does C only copy a variable, in or back too?  A kernels region maps a scalar
   so, and nobody else sees the device's (kernels.cc); what its statements set
   has been counted.  */
static bool
copy_clause_p (const_tree c)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_SHARED
	 || (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	     && OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FORCE_TOFROM);
}

/* Forget what clauses do more to than to copy it.  */
static tree
forget_in_clauses (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  numbering *n = (numbering *) wi->info;
  for (tree c = stmt_clauses (gsi_stmt (*gsi)); c; c = OMP_CLAUSE_CHAIN (c))
    if (!copy_clause_p (c) && omp_clause_num_ops[OMP_CLAUSE_CODE (c)]
	&& OMP_CLAUSE_OPERAND (c, 0) && DECL_P (OMP_CLAUSE_OPERAND (c, 0)))
      n->variables.remove (OMP_CLAUSE_OPERAND (c, 0));
  return NULL_TREE;
}

/* The number of VAR's value from the beginning on; false when it may have
   others.  */
static bool
number_of_variable (numbering *n, tree var, unsigned *number)
{
  if (!VAR_P (var) || !DECL_ARTIFICIAL (var) || !register_p (var)
      || !INTEGRAL_TYPE_P (TREE_TYPE (var)))
    return false;
  const history *h = n->variables.get (var);
  if (!h || h->sets)
    return false;
  *number = h->number;
  return true;
}

/* ---- In a region ---- */

static bool
copied_in_p (const gimple *stmt, tree var)
{
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_SHARED)
	&& OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

/* A variable, and another one that is to stand for it.  */
struct pair
{
  tree var, other;
};

/* Is there a construct that has VAR and not the other one?  */
static tree
lacks_other (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  const pair *p = (const pair *) wi->info;
  const gimple *stmt = gsi_stmt (*gsi);
  return copied_in_p (stmt, p->var) && !copied_in_p (stmt, p->other)
	   ? integer_one_node
	   : NULL_TREE;
}

static bool
may_stand_p (gomp_target *region, pair p)
{
  struct walk_stmt_info wi = {};
  wi.info = &p;
  return !walk_gimple_seq (gimple_omp_body (region), lacks_other, NULL, &wi);
}

static tree
replace_operand (tree *tp, int *walk_subtrees, void *data)
{
  hash_map<tree, tree> *others
    = (hash_map<tree, tree> *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp) || TREE_CODE (*tp) == OMP_CLAUSE)
    *walk_subtrees = 0;
  else if (tree *other = others->get (*tp))
    *tp = *other;
  return NULL_TREE;
}

static void
unify (numbering *n, gomp_target *region)
{
  hash_map<tree, tree> others;
  auto_vec<tree> first;
  for (tree c = gimple_omp_target_clauses (region); c;
       c = OMP_CLAUSE_CHAIN (c))
    {
      unsigned number, known;
      tree var = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
		   ? OMP_CLAUSE_DECL (c)
		   : NULL_TREE;
      if (!var || !number_of_variable (n, var, &number))
	continue;
      tree other = NULL_TREE;
      for (unsigned i = 0; i < first.length () && !other; i++)
	if (number_of_variable (n, first[i], &known) && known == number
	    && may_stand_p (region, { var, first[i] }))
	  other = first[i];
      if (other)
	others.put (var, other);
      else
	first.safe_push (var);
    }
  if (others.is_empty ())
    return;
  struct walk_stmt_info wi = {};
  wi.info = &others;
  walk_gimple_seq_mod (gimple_omp_body_ptr (region), NULL, replace_operand,
		       &wi);
  remark_done (gimple_location (region),
	       others.elements () == 1
		 ? "%s region: %u variable has the value of another\n"
		 : "%s region: %u variables have the values of others\n",
	       construct_words (construct_of (region)),
	       (unsigned) others.elements ());
}

static tree
list_region (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  if (construct_computes_p (stmt))
    ((auto_vec<gomp_target *> *) wi->info)
      ->safe_push (as_a<gomp_target *> (stmt));
  return NULL_TREE;
}

void
equal_unify (function *fun)
{
  gimple_seq body = gimple_body (fun->decl);
  auto_vec<gomp_target *> regions;
  struct walk_stmt_info wi = {};
  wi.info = &regions;
  walk_gimple_seq (body, list_region, NULL, &wi);
  if (regions.is_empty ())
    return;
  numbering n;
  number_statements (&n, body);
  object_each_set (body, count_set, &n);
  wi.info = &n;
  walk_gimple_seq (body, forget_in_clauses, NULL, &wi);
  for (unsigned i = 0; i < regions.length (); i++)
    unify (&n, regions[i]);
}

/* Registers for the scalars of kernels constructs.

   A scalar of a kernels region is copied in and out by a mapping that must be
   new (kernels.cc), so that the device's copy can be any variable:

       #pragma acc kernels map (*n)		v = *n;
       ... *n ...			->	#pragma acc kernels map (v)
						... v ...
						*n = v;

   Then arguments of Fortran, which are references, globals and variables
   whose address is taken are registers inside, of which loop/flow.cc knows the
   values.

   Needs: GIMPLE before omp-low.  Keeps: what the program computes.  Breaks:
   the construct's mapping of the scalar.
   Source: OpenACC 3.2, 2.6.2.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

/* A scalar of a construct.  */
struct own_scalar
{
  /* The reference that leads to it, or the variable itself.  */
  tree var;
  bool reference;
  /* Its new variable.  */
  tree own;
  bool written;
  /* It is mentioned in a way that is not understood.  */
  bool bad;
  /* Places of VAR in clauses.  */
  hash_set<tree *> *clauses;
};

/* Is *TP the scalar that S is about?  */
static bool
scalar_p (const own_scalar *s, tree *tp)
{
  if (s->clauses->contains (tp))
    return *tp == s->var;
  return s->reference ? kernels_dereferenced (*tp) == s->var
			  && useless_type_conversion_p (TREE_TYPE (s->own),
							TREE_TYPE (*tp))
		      : *tp == s->var;
}

/* Note the places of S's variable in the clause C.  */
static void
note_clause (own_scalar *s, tree c)
{
  if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
       || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
      && OMP_CLAUSE_DECL (c) == s->var)
    {
      s->clauses->add (&OMP_CLAUSE_DECL (c));
      s->written = true;
    }
}

static tree
look_op (tree *tp, int *walk_subtrees, void *data)
{
  walk_stmt_info *wi = (walk_stmt_info *) data;
  own_scalar *s = (own_scalar *) wi->info;
  if (TREE_CODE (*tp) == OMP_CLAUSE)
    note_clause (s, *tp);
  else if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (scalar_p (s, tp))
    {
      s->written |= wi->is_lhs;
      *walk_subtrees = 0;
    }
  else if (TREE_CODE (*tp) == ADDR_EXPR
	   && reference_base (TREE_OPERAND (*tp, 0)) == s->var)
    s->bad = true;
  else if (*tp == s->var)
    s->bad = true;
  else if (handled_component_p (*tp)
	   && reference_base (*tp) == s->var && !s->reference)
    s->bad = true;
  return NULL_TREE;
}

static tree
look_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  own_scalar *s = (own_scalar *) wi->info;
  tree lhs = gimple_get_lhs (gsi_stmt (*gsi));
  if (lhs && scalar_p (s, &lhs))
    s->written = true;
  return NULL_TREE;
}

static tree
replace_op (tree *tp, int *walk_subtrees, void *data)
{
  own_scalar *s = (own_scalar *) ((walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (scalar_p (s, tp))
    {
      *tp = s->own;
      *walk_subtrees = 0;
    }
  return NULL_TREE;
}

/* Is the clause after C, which maps what a reference leads to, about the
   reference VAR?  */
static bool
pointer_clause_p (tree c, tree var)
{
  tree next = OMP_CLAUSE_CHAIN (c);
  return next && OMP_CLAUSE_CODE (next) == OMP_CLAUSE_MAP
	 && OMP_CLAUSE_MAP_KIND (next) == GOMP_MAP_POINTER
	 && OMP_CLAUSE_DECL (next) == var;
}

/* Is the clause C of a kernels construct the mapping of a scalar that is no
   register?  Then S is that.  */
static bool
take_clause (own_scalar *s, tree c)
{
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP
      || OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FORCE_TOFROM)
    return false;
  tree what = OMP_CLAUSE_DECL (c), type = TREE_TYPE (what);
  if ((!INTEGRAL_TYPE_P (type) && !SCALAR_FLOAT_TYPE_P (type))
      || TYPE_VOLATILE (type) || TREE_THIS_VOLATILE (what))
    return false;
  s->reference = !DECL_P (what);
  s->var = s->reference ? kernels_dereferenced (what) : what;
  if (!s->var || DECL_HAS_VALUE_EXPR_P (s->var))
    return false;
  if (s->reference)
    return TREE_CODE (s->var) == PARM_DECL
	   && lang_hooks.decls.omp_privatize_by_reference (s->var)
	   /* It may be absent.  */
	   && !lang_hooks.decls.omp_check_optional_argument (s->var, false)
	   && pointer_clause_p (c, s->var);
  return VAR_P (what) && !register_p (what)
	 && !lookup_attribute ("omp declare target", DECL_ATTRIBUTES (what));
}

/* Let the construct STMT have a variable of its own for the scalar that
   clause C maps, where that is legal.  Statements go to BEFORE and AFTER.  */
static tree
own_scalar_of (gomp_target *stmt, tree c, gimple_seq *before,
	       gimple_seq *after)
{
  own_scalar s = {};
  if (!take_clause (&s, c))
    return NULL_TREE;
  tree what = OMP_CLAUSE_DECL (c);
  hash_set<tree *> places;
  s.clauses = &places;
  s.own = create_tmp_var_raw (TYPE_MAIN_VARIANT (TREE_TYPE (what)),
			      get_name (s.var));
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_omp_body (stmt), look_stmt, look_op, &wi);
  if (s.bad)
    return NULL_TREE;
  gimple_seq body = gimple_omp_body (stmt);
  walk_gimple_seq_mod (&body, NULL, replace_op, &wi);
  gimple_omp_set_body (stmt, body);
  /* Clauses have references that statements cannot have.  */
  tree from = s.reference ? build_simple_mem_ref (s.var) : what;
  gimple_seq_add_stmt_without_update (before,
				      gimple_build_assign (s.own, from));
  if (s.written)
    gimple_seq_add_stmt_without_update (
      after, gimple_build_assign (unshare_expr (from), s.own));
  OMP_CLAUSE_DECL (c) = s.own;
  OMP_CLAUSE_SIZE (c) = TYPE_SIZE_UNIT (TREE_TYPE (s.own));
  if (s.reference)
    OMP_CLAUSE_CHAIN (c) = OMP_CLAUSE_CHAIN (OMP_CLAUSE_CHAIN (c));
  DECL_CONTEXT (s.own) = current_function_decl;
  DECL_SEEN_IN_BIND_EXPR_P (s.own) = 1;
  return s.own;
}

static tree
own_scalars_of (gimple_stmt_iterator *gsi, bool *handled,
		struct walk_stmt_info *)
{
  gomp_target *stmt = kernels_construct (gsi_stmt (*gsi));
  *handled = stmt != NULL;
  if (!stmt)
    return NULL_TREE;
  /* A queue reads and writes scalars when the construct has been met.  */
  if (omp_find_clause (gimple_omp_target_clauses (stmt), OMP_CLAUSE_ASYNC))
    return NULL_TREE;
  tree vars = NULL_TREE;
  gimple_seq before = NULL, after = NULL;
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (tree own = own_scalar_of (stmt, c, &before, &after))
      {
	DECL_CHAIN (own) = vars;
	vars = own;
      }
  if (!vars)
    return NULL_TREE;
  gbind *bind = gimple_build_bind (vars, NULL, NULL_TREE);
  gsi_replace (gsi, bind, false);
  gimple_seq_add_stmt_without_update (&before, stmt);
  gimple_seq_add_seq_without_update (&before, after);
  gimple_bind_set_body (bind, before);
  return NULL_TREE;
}

void
kernels_own_scalars (function *fun)
{
  gimple_seq body = gimple_body (fun->decl);
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (&body, own_scalars_of, NULL, &wi);
  gimple_set_body (fun->decl, body);
}

/* Which variables a thread of the kernel has for itself.

   A variable is private when the innermost data-sharing clause about it says
   so, or when it is declared on the way to the loop.  All others stay what
   the target construct makes of them.  Where that is a copy on the device
   that exists once in a region (firstprivate), the kernel has one per thread
   instead, which cannot be told from it as long as nobody writes to it.

   Source: OpenMP 5.0, 2.19.1; clauses as gimplify.cc distributes them over the
   parts of a combined construct.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd.h"
#include "langhooks.h"

/* The search's state.  */
struct search
{
  const spmd_nest *nest;
  spmd_sharing *sharing;
  /* Seen already, or declared inside the loop.  */
  hash_set<tree> known;
  /* Variables that the loop's body sets, or whose address leaves it.  */
  hash_set<tree> written;
  const char *why;
};

static void
refuse (search *s, const char *why)
{
  if (!s->why)
    s->why = why;
}

/* Is the variable proper what VAR points to?  */
static bool
by_reference_p (tree var)
{
  return lang_hooks.decls.omp_privatize_by_reference (var);
}

/* ---- What the body does to variables ---- */

static bool
note_store (gimple *, tree base, tree, void *data)
{
  search *s = (search *) data;
  bool base_is_variable = DECL_P (base);
  if (TREE_CODE (base) == MEM_REF)
    base = TREE_OPERAND (base, 0);
  if (DECL_P (base) && (base_is_variable || by_reference_p (base)))
    s->written.add (base);
  return false;
}

static bool
note_address (gimple *, tree base, tree, void *data)
{
  if (DECL_P (base))
    ((search *) data)->written.add (base);
  return false;
}

/* Why a call of FN in the body bars the form, or NULL.  */
static const char *
call_why_not (gcall *call)
{
  if (gimple_call_internal_p (call))
    return NULL;
  tree fn = gimple_call_fndecl (call);
  if (!fn)
    return "an indirect call";
  if (fndecl_built_in_p (fn, BUILT_IN_NORMAL)
      && ((gimple_call_flags (call) & ECF_CONST)
	  || mathfn_built_in_type (as_combined_fn (DECL_FUNCTION_CODE (fn)))))
    return NULL;
  return "a call";
}

static tree
body_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  search *s = (search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      break;
    case GIMPLE_CALL:
      if (const char *why = call_why_not (as_a<gcall *> (stmt)))
	refuse (s, why);
      break;
    case GIMPLE_BIND:
      for (tree v = gimple_bind_vars (as_a<gbind *> (stmt)); v;
	   v = DECL_CHAIN (v))
	{
	  s->known.add (v);
	  if (VAR_P (v) && DECL_HAS_VALUE_EXPR_P (v))
	    refuse (s, "a variable that stands for an expression");
	}
      break;
    case GIMPLE_COND:
    case GIMPLE_DEBUG:
    case GIMPLE_GOTO:
    case GIMPLE_LABEL:
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
    case GIMPLE_SWITCH:
    case GIMPLE_TRY:
      break;
    default:
      refuse (s, is_gimple_omp (stmt) ? "a construct in the loop"
				      : "a statement that is not understood");
      break;
    }
  walk_stmt_load_store_addr_ops (stmt, s, NULL, note_store, note_address);
  return NULL_TREE;
}

/* ---- Sharing ---- */

/* The clause of CLAUSES that gives threads of their own VAR, or NULL.  */
static tree
privatizing_clause (tree clauses, tree var)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_LINEAR:
      case OMP_CLAUSE_REDUCTION:
	if (OMP_CLAUSE_DECL (c) == var)
	  return c;
	break;
      default:
	break;
      }
  return NULL_TREE;
}

static bool
loop_variable_p (const spmd_nest *nest, tree var)
{
  for (unsigned i = 0; i < gimple_omp_for_collapse (nest->loop); i++)
    if (gimple_omp_for_index (nest->loop, i) == var)
      return true;
  return false;
}

/* Does VAR in the target region stand for memory that all threads see?  */
static bool
shared_on_target_p (const spmd_nest *nest, tree var)
{
  for (tree c = gimple_omp_target_clauses (nest->target); c;
       c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_IS_DEVICE_PTR:
      case OMP_CLAUSE_HAS_DEVICE_ADDR:
	if (OMP_CLAUSE_DECL (c) == var)
	  return false;
	break;
      case OMP_CLAUSE_MAP:
	if (OMP_CLAUSE_DECL (c) == var)
	  return OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FIRSTPRIVATE_POINTER
		 && OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FIRSTPRIVATE_REFERENCE;
	break;
      default:
	break;
      }
  return is_global_var (var);
}

/* Does the language do more for a private VAR, by its clause C, than to make
   and to assign it?  */
static bool
constructed_p (tree c, tree var)
{
  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
    {
      tree copy = lang_hooks.decls.omp_clause_copy_ctor (c, var, var);
      return copy && TREE_CODE (copy) != MODIFY_EXPR;
    }
  return lang_hooks.decls.omp_clause_default_ctor (c, var, var) != NULL_TREE;
}

/* VAR is private, by the clause C or, when that is NULL, by the place of its
   declaration.  */
static void
add_private (search *s, tree var, tree c)
{
  tree type = TREE_TYPE (var);
  spmd_private p = {};
  p.var = var;
  if (c && OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
    p.reduction = c;
  p.copy_in = c && OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE;
  p.by_reference = c && by_reference_p (var);
  if (p.by_reference)
    type = TREE_TYPE (type);
  if (!TYPE_SIZE (type) || TREE_CODE (TYPE_SIZE (type)) != INTEGER_CST)
    refuse (s, "a private variable of variable size");
  else if (DECL_HAS_VALUE_EXPR_P (var))
    refuse (s, "a variable that stands for an expression");
  else if (TREE_ADDRESSABLE (type)
	   || (c && !p.reduction && constructed_p (c, var)))
    refuse (s, "a private object with constructors");
  else if (p.reduction && spmd_reduction_why_not (c, type))
    refuse (s, spmd_reduction_why_not (c, type));
  else
    s->sharing->privates.safe_push (p);
}

/* May the private copies of VAR, made by the construct at level I of NEST,
   start with VAR as the target knows it?  */
static bool
original_on_target_p (const spmd_nest *nest, unsigned i, tree var)
{
  while (i--)
    {
      tree c = privatizing_clause (spmd_clauses (nest->levels[i]), var);
      if (c && OMP_CLAUSE_CODE (c) != OMP_CLAUSE_FIRSTPRIVATE)
	return false;
    }
  return true;
}

/* Does the reduction of VAR by the clause C go on, where VAR is private
   further out, to the target's variable?  */
static bool
reduced_on_target_p (const spmd_nest *nest, tree c, tree var)
{
  for (unsigned i = 0; i < nest->levels.length (); i++)
    {
      tree other = privatizing_clause (spmd_clauses (nest->levels[i]), var);
      if (other
	  && (OMP_CLAUSE_CODE (other) != OMP_CLAUSE_REDUCTION
	      || OMP_CLAUSE_REDUCTION_CODE (other)
		   != OMP_CLAUSE_REDUCTION_CODE (c)))
	return false;
    }
  return shared_on_target_p (nest, var);
}

static void
decide (search *s, tree var)
{
  const spmd_nest *nest = s->nest;
  for (unsigned i = 0; i < nest->locals.length (); i++)
    if (nest->locals[i].var == var)
      {
	if (nest->locals[i].depth < nest->thread_depth
	    && s->written.contains (var))
	  refuse (s, "the loop sets a variable that its threads share");
	add_private (s, var, NULL_TREE);
	return;
      }
  for (unsigned i = nest->levels.length (); i--;)
    {
      tree c = privatizing_clause (spmd_clauses (nest->levels[i]), var);
      if (!c)
	continue;
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
	{
	  if (!reduced_on_target_p (nest, c, var))
	    refuse (s, "a reduction that does not reach the target");
	  add_private (s, var, c);
	  return;
	}
      bool copy_in = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE;
      if (!copy_in && OMP_CLAUSE_CODE (c) != OMP_CLAUSE_PRIVATE)
	refuse (s, "a clause");
      if (copy_in && !original_on_target_p (nest, i, var))
	refuse (s, "a private copy of a private variable");
      add_private (s, var, c);
      return;
    }
  if (loop_variable_p (nest, var))
    {
      add_private (s, var, NULL_TREE);
      return;
    }
  if (s->written.contains (var) && !shared_on_target_p (nest, var))
    refuse (s, "the loop sets a variable that its threads share");
}

static tree
find_variable (tree *tp, int *walk_subtrees, void *data)
{
  search *s = (search *) ((struct walk_stmt_info *) data)->info;
  tree t = *tp;
  if (TYPE_P (t))
    *walk_subtrees = 0;
  else if ((VAR_P (t) || TREE_CODE (t) == PARM_DECL
	    || TREE_CODE (t) == RESULT_DECL)
	   && !s->known.add (t))
    decide (s, t);
  return NULL_TREE;
}

static void
find_in_expr (search *s, tree expr)
{
  struct walk_stmt_info wi = {};
  wi.info = s;
  walk_tree (&expr, find_variable, &wi, NULL);
}

const char *
spmd_find_sharing (const spmd_nest *nest, spmd_sharing *sharing)
{
  search s;
  s.nest = nest;
  s.sharing = sharing;
  s.why = NULL;
  struct walk_stmt_info wi = {};
  wi.info = &s;
  gimple_seq body = gimple_omp_body (nest->loop);
  walk_gimple_seq (body, body_stmt, NULL, &wi);
  for (unsigned i = 0; i < nest->before.length (); i++)
    walk_stmt_load_store_addr_ops (nest->before[i], &s, NULL, NULL,
				   note_address);
  walk_gimple_seq (body, NULL, find_variable, &wi);
  for (unsigned i = 0; i < nest->before.length (); i++)
    walk_gimple_op (nest->before[i], find_variable, &wi);
  for (unsigned i = 0; i < gimple_omp_for_collapse (nest->loop); i++)
    {
      find_in_expr (&s, gimple_omp_for_index (nest->loop, i));
      find_in_expr (&s, gimple_omp_for_initial (nest->loop, i));
      find_in_expr (&s, gimple_omp_for_final (nest->loop, i));
      find_in_expr (&s, gimple_omp_for_incr (nest->loop, i));
    }
  return s.why;
}

/* ---- Making them ---- */

/* A new variable of TYPE that is otherwise like VAR.  */
static tree
copy_variable (tree var, tree type)
{
  tree copy = copy_var_decl (var, DECL_NAME (var), type);
  TREE_STATIC (copy) = TREE_PUBLIC (copy) = DECL_EXTERNAL (copy) = 0;
  DECL_SEEN_IN_BIND_EXPR_P (copy) = 1;
  return copy;
}

void
spmd_make_own (spmd_sharing *sharing, gbind *bind, gimple_seq *seq)
{
  tree vars = NULL_TREE;
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    {
      spmd_private *p = &sharing->privates[i];
      p->own = copy_variable (p->var, TREE_TYPE (p->var));
      DECL_CHAIN (p->own) = vars;
      vars = p->own;
      tree value = p->own, original = p->var;
      if (p->by_reference)
	{
	  value = copy_variable (p->var, TREE_TYPE (TREE_TYPE (p->var)));
	  TREE_ADDRESSABLE (value) = 1;
	  DECL_CHAIN (value) = vars;
	  vars = value;
	  original = build_simple_mem_ref (p->var);
	  spmd_set (p->own,
		    fold_convert (TREE_TYPE (p->own),
				  build_fold_addr_expr (value)),
		    seq);
	}
      if (p->copy_in)
	spmd_set (value, original, seq);
      if (p->reduction)
	spmd_set (value, omp_reduction_init (p->reduction, TREE_TYPE (value)),
		  seq);
    }
  gimple_bind_append_vars (bind, vars);
}

static tree
replace_variable (tree *tp, int *walk_subtrees, void *data)
{
  const spmd_sharing *sharing
    = (const spmd_sharing *) ((struct walk_stmt_info *) data)->info;
  tree t = *tp;
  if (TYPE_P (t) || DECL_P (t))
    {
      *walk_subtrees = 0;
      for (unsigned i = 0; i < sharing->privates.length (); i++)
	if (sharing->privates[i].var == t)
	  *tp = sharing->privates[i].own;
    }
  return NULL_TREE;
}

gimple_seq
spmd_copy (const spmd_sharing *sharing, gimple_seq seq)
{
  gimple_seq copy = copy_gimple_seq_and_replace_locals (seq);
  struct walk_stmt_info wi = {};
  wi.info = CONST_CAST (spmd_sharing *, sharing);
  walk_gimple_seq_mod (&copy, NULL, replace_variable, &wi);
  return copy;
}

tree
spmd_copy_expr (const spmd_sharing *sharing, tree expr)
{
  tree copy = unshare_expr (expr);
  struct walk_stmt_info wi = {};
  wi.info = CONST_CAST (spmd_sharing *, sharing);
  walk_tree (&copy, replace_variable, &wi, NULL);
  return copy;
}

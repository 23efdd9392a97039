/* Which variables a thread of the kernel has for itself.

   A variable is private when the innermost data-sharing clause about it says
   so, or when it is declared on the way to the loop.  All others stay what
   the target construct makes of them.  Where that is a copy on the device
   that exists once in a region (firstprivate), the kernel has one per thread
   instead, which cannot be told from it as long as nobody writes to it.

   Needs: spmd_find_nest.  Keeps: all code.
   Source: OpenMP 5.0, 2.19.1; clauses as gimplify.cc distributes them over the
   parts of a combined construct.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"
#include "langhooks.h"

/* The search's state.  */
struct search
{
  spmd_nest *nest;
  spmd_sharing *sharing;
  /* Seen already, or declared inside the loop.  */
  hash_set<tree> known;
  /* Variables that the loop's body sets, or whose address leaves it.  */
  hash_set<tree> written;
  /* All that it assigns to.  */
  hash_set<tree> assigned;
  /* Something in the loop orders threads.  */
  bool orders;
  /* Variables that mean another in the part of the body in hand.  */
  auto_vec<tree> hidden;
  /* Where what calls return is used, as far as that is looked for.  */
  gimple_seq body;
  const char *why;
};

static void
refuse (search *s, const char *why)
{
  if (!s->why)
    s->why = why;
}

/* ---- What the body does to variables ---- */

static void
note_written (search *s, tree var)
{
  s->assigned.add (var);
  for (unsigned i = 0; i < s->hidden.length (); i++)
    if (s->hidden[i] == var)
      return;
  s->written.add (var);
}

static bool
note_load (gimple *, tree base, tree, void *data)
{
  search *s = (search *) data;
  s->nest->touches_memory |= spmd_shared_p (s->nest, base);
  return false;
}

static bool
note_store (gimple *, tree base, tree, void *data)
{
  search *s = (search *) data;
  s->nest->touches_memory |= spmd_shared_p (s->nest, base);
  bool base_is_variable = DECL_P (base);
  if (TREE_CODE (base) == MEM_REF)
    base = TREE_OPERAND (base, 0);
  if (DECL_P (base) && (base_is_variable || decl_by_reference_p (base)))
    note_written (s, base);
  return false;
}

/* Does CALL only load from VAR, whose address it is given, and all that gets the
   address from it?  What it returns must be of S->body alone.  */
static bool
lends_p (search *s, const gcall *call, tree var)
{
  if (call_lends_p (call))
    return true;
  switch (call_lending_of (call, var))
    {
    case CALL_LENDS:
      return true;
    case CALL_GIVES_BACK:
      return s->body && call_result_lent_p (call, s->body, &s->known);
    default:
      return false;
    }
}

static bool
note_address (gimple *stmt, tree what, tree, void *data)
{
  search *s = (search *) data;
  /* It may be an element.  */
  tree base = get_base_address (what);
  if (!base || !DECL_P (base))
    return false;
  gcall *call = dyn_cast<gcall *> (stmt);
  if (call && lends_p (s, call, base))
    return false;
  note_written (s, base);
  if (s->nest->split && !spmd_shared_p (s->nest, base))
    refuse (s, "the address of a variable of the team");
  return false;
}

static tree body_stmt (gimple_stmt_iterator *, bool *,
		       struct walk_stmt_info *);

/* Look at LOOP in the body, which has variables of its own.  */
static void
enter_loop (search *s, gomp_for *loop, struct walk_stmt_info *wi)
{
  unsigned before = s->hidden.length ();
  for (tree c = gimple_omp_for_clauses (loop); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE)
      s->hidden.safe_push (OMP_CLAUSE_DECL (c));
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    note_written (s, gimple_omp_for_index (loop, i));
  walk_gimple_seq (gimple_omp_for_pre_body (loop), body_stmt, NULL, wi);
  walk_gimple_seq (gimple_omp_body (loop), body_stmt, NULL, wi);
  s->hidden.truncate (before);
}

static tree
body_stmt (gimple_stmt_iterator *gsi, bool *handled,
	   struct walk_stmt_info *wi)
{
  search *s = (search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  const char *why = s->nest->split ? spmd_team_why_not (stmt)
				   : spmd_body_why_not (stmt);
  if (!why && s->nest->split)
    why = spmd_once_why_not (s->nest, *gsi);
  if (why)
    {
      refuse (s, why);
      *handled = true;
      return NULL_TREE;
    }
  if (gcall *call = dyn_cast<gcall *> (stmt))
    {
      tree fn = gimple_call_fndecl (call);
      s->nest->asks |= fn && call_query_p (fn);
      s->nest->tells |= fn && call_number_query_p (fn);
      s->orders |= !call_query_p (fn) && call_looks_p (call);
      s->nest->touches_memory |= !call_without_memory_p (call)
				 && call_access (call) != ACR_ACCESS_NONE;
    }
  else if (gbind *bind = dyn_cast<gbind *> (stmt))
    for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
      {
	s->known.add (v);
	s->nest->team_variables.add (v);
      }
  else if (gimple_code (stmt) == GIMPLE_OMP_PARALLEL)
    {
      s->nest->inner.safe_push (stmt);
      *handled = true;
      return NULL_TREE;
    }
  else if (gomp_for *loop = dyn_cast<gomp_for *> (stmt))
    {
      *handled = true;
      enter_loop (s, loop, wi);
    }
  else if (gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt))
    {
      tree address = gimple_omp_atomic_load_rhs (load);
      tree base = TREE_CODE (address) == ADDR_EXPR
		    ? get_base_address (TREE_OPERAND (address, 0))
		    : address;
      if (base && DECL_P (base))
	note_written (s, base);
      s->orders |= gimple_omp_atomic_memory_order (load)
		   > OMP_MEMORY_ORDER_RELAXED;
      s->nest->touches_memory = true;
    }
  /* The walk below takes an operation's result for a register.  */
  tree lhs = gimple_get_lhs (stmt);
  if (lhs && DECL_P (lhs))
    note_written (s, lhs);
  s->nest->branches |= gimple_code (stmt) == GIMPLE_COND
		       || gimple_code (stmt) == GIMPLE_SWITCH;
  walk_stmt_load_store_addr_ops (stmt, s, note_load, note_store, note_address);
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
	if (OMP_CLAUSE_DECL (c) == var)
	  return c;
	break;
      case OMP_CLAUSE_REDUCTION:
	if (spmd_reduction_variable (c) == var)
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
  return stmt_index_p (nest->loop, var);
}

bool
spmd_constructed_p (tree c, tree var)
{
  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
    {
      tree copy = lang_hooks.decls.omp_clause_copy_ctor (c, var, var);
      return copy && TREE_CODE (copy) != MODIFY_EXPR;
    }
  return lang_hooks.decls.omp_clause_default_ctor (c, var, var) != NULL_TREE;
}

/* What calls do.  */
struct calls
{
  const char *why; /* threads cannot execute one, or NULL */
  bool keep;	   /* one keeps an argument */
  bool look;	   /* at what other threads set meanwhile */
};

static tree
look_at_call (tree *tp, int *walk_subtrees, void *data)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (TREE_CODE (*tp) != CALL_EXPR)
    return NULL_TREE;
  calls *found = (calls *) data;
  tree fn = get_callee_fndecl (*tp);
  gcall *call = fn ? gimple_build_call (fn, 0) : NULL;
  found->why = call ? spmd_body_why_not (call) : "an indirect call";
  found->keep |= !call || call_keeps_p (call);
  found->look |= !call || call_looks_p (call);
  return found->why ? *tp : NULL_TREE;
}

/* Why threads cannot execute what constructs the object VAR of the clause C, and
   destroys it, or NULL.  P gets what else that does.  */
static const char *
making_why_not (tree c, tree var, spmd_private *p)
{
  bool copies = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE;
  tree exprs[]
    = { copies ? lang_hooks.decls.omp_clause_copy_ctor (c, var, var)
	       : lang_hooks.decls.omp_clause_default_ctor (c, var, var),
	lang_hooks.decls.omp_clause_dtor (c, var) };
  calls found = {};
  for (unsigned i = 0; i < ARRAY_SIZE (exprs) && !found.why; i++)
    walk_tree_without_duplicates (&exprs[i], look_at_call, &found);
  p->kept = found.keep;
  p->looks = found.look;
  return found.why;
}

/* What the clauses about a variable at all levels say.  */
struct verdict
{
  /* The innermost, or NULL.  */
  tree clause;
  /* A clause of this kind, or NULL.  */
  tree reduction, last, linear;
  /* The variable is linear because the loop's variable is, from which every
     iteration computes it.  */
  bool follows;
  bool copy_in;
  /* What makes the last value out of the variable's in the last iteration.  */
  gimple_seq finish;
  /* The variable as the target knows it is out of reach.  */
  bool cut;
};

/* Does BODY begin by setting VAR, without a look at what it was?  */
static bool
sets_first_p (gimple_seq body, tree var)
{
  for (gimple_stmt_iterator i = gsi_start (body); !gsi_end_p (i);
       gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	return sets_first_p (gimple_bind_body (bind), var);
      if (stmt_empty_p (stmt))
	continue;
      if (!is_gimple_assign (stmt))
	return false;
      for (unsigned k = gimple_num_ops (stmt); k--;)
	if (k == 0 && gimple_assign_lhs (stmt) == var)
	  return true;
	else if (decl_named_p (gimple_op (stmt, k), var))
	  return false;
    }
  return false;
}

static verdict
consider (const spmd_nest *nest, tree var)
{
  verdict v = {};
  for (unsigned i = nest->levels.length (); i--;)
    {
      /* Combined firstprivate and lastprivate are two clauses.  */
      bool lost = false;
      for (tree c = stmt_clauses (nest->levels[i]);
	   (c = privatizing_clause (c, var)); c = OMP_CLAUSE_CHAIN (c))
	{
	  if (!v.clause)
	    v.clause = c;
	  /* The others are about variables that the loop does not see.  */
	  if (OMP_CLAUSE_CODE (v.clause) == OMP_CLAUSE_PRIVATE
	      && !loop_variable_p (nest, var))
	    return v;
	  switch (OMP_CLAUSE_CODE (c))
	    {
	    case OMP_CLAUSE_PRIVATE:
	      lost = v.clause != c;
	      break;
	    case OMP_CLAUSE_FIRSTPRIVATE:
	      v.copy_in = true;
	      break;
	    case OMP_CLAUSE_LASTPRIVATE:
	      v.last = c;
	      if (!v.finish)
		v.finish = OMP_CLAUSE_LASTPRIVATE_GIMPLE_SEQ (c);
	      break;
	    case OMP_CLAUSE_LINEAR:
	      v.linear = c;
	      v.follows = OMP_CLAUSE_LINEAR_GIMPLE_SEQ (c)
			  && sets_first_p (gimple_omp_body (nest->loop), var);
	      if (v.follows)
		v.finish = OMP_CLAUSE_LINEAR_GIMPLE_SEQ (c);
	      break;
	    default:
	      if (v.reduction
		  && OMP_CLAUSE_REDUCTION_CODE (v.reduction)
		       != OMP_CLAUSE_REDUCTION_CODE (c))
		lost = true;
	      v.reduction = c;
	      break;
	    }
	}
      v.cut |= lost;
    }
  return v;
}

/* Is NEST in a loop over teams, and VAR one of those a team's?  */
static bool
of_team_p (const spmd_nest *nest, tree var)
{
  return nest->outer
	 && CONST_CAST (spmd_nest *, nest->outer)->team_variables.contains (var);
}

/* Does the target region have a copy of its own of what VAR refers to?  */
static bool
referenced_copied_p (const spmd_nest *nest, tree var)
{
  for (tree c = gimple_omp_target_clauses (nest->target); c;
       c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE)
	&& OMP_CLAUSE_DECL (c) == var)
      return decl_by_reference_p (var);
  return false;
}

/* Why the clauses of V about VAR cannot be obeyed, or NULL.  */
static const char *
verdict_why_not (const search *s, const verdict *v, tree var)
{
  bool out = v->last || v->linear;
  bool team = of_team_p (s->nest, var);
  if (v->reduction
      && (out || v->copy_in || v->cut
	  || (!team && !s->nest->in_block && (POINTER_TYPE_P (TREE_TYPE (var))
			  ? referenced_copied_p (s->nest, var)
			  : !spmd_shared_on_target_p (s->nest, var)))))
    return "a reduction that does not reach the target";
  if (out && team && !loop_variable_p (s->nest, var))
    return "a last value for the team";
  if (v->cut && (v->copy_in || out))
    return "a private copy of a private variable";
  if (v->last && OMP_CLAUSE_LASTPRIVATE_CONDITIONAL (v->last))
    return "a conditional last value";
  if (v->linear && !v->follows && !loop_variable_p (s->nest, var)
      && (OMP_CLAUSE_LINEAR_ARRAY (v->linear)
	  || OMP_CLAUSE_LINEAR_GIMPLE_SEQ (v->linear)
	  || (!INTEGRAL_TYPE_P (TREE_TYPE (var))
	      && !POINTER_TYPE_P (TREE_TYPE (var)))))
    return "a linear clause";
  return NULL;
}

/* The clauses by which each thread has the object P (spmd_private), or NULL where that
   is not so simple: one that a team's threads share, for instance.  Of copies that
   teams have, of which threads have theirs, each thread may have its own.  */
static tree
making_clauses (const search *s, const spmd_private *p, const verdict *v)
{
  const spmd_nest *nest = s->nest;
  tree found = NULL_TREE;
  bool threads = false;
  if (!v || nest->acc || nest->outer || nest->split || nest->several
      || nest->in_block || p->reduction || p->linear || p->copy_out)
    return NULL_TREE;
  for (unsigned i = 0; i < nest->levels.length (); i++)
    for (tree c = stmt_clauses (nest->levels[i]);
	 (c = privatizing_clause (c, p->var)); c = OMP_CLAUSE_CHAIN (c))
      {
	threads = i + 1 >= nest->thread_depth;
	if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_CODE (v->clause)
	    || (found && OMP_CLAUSE_CODE (c) != OMP_CLAUSE_FIRSTPRIVATE))
	  return NULL_TREE;
	found = tree_cons (NULL_TREE, c, found);
      }
  return threads ? nreverse (found) : NULL_TREE;
}

/* VAR is private, by what V says or, when that is NULL, by the place of its
   declaration.  */
static void
add_private (search *s, tree var, const verdict *v)
{
  tree type = TREE_TYPE (var);
  spmd_private p = {};
  p.var = var;
  if (v)
    {
      p.reduction = v->reduction;
      p.copy_in = v->copy_in;
      p.iterator = loop_variable_p (s->nest, var);
      p.by_reference = decl_by_reference_p (var);
      if (v->linear && !v->follows && !p.iterator)
	p.linear = OMP_CLAUSE_LINEAR_STEP (v->linear);
      p.copy_out = v->last
		   || (v->linear && !OMP_CLAUSE_LINEAR_NO_COPYOUT (v->linear));
      p.finish = v->finish;
      /* Who would see it?  */
      if (p.copy_out && !s->nest->in_block
	  && !spmd_shared_on_target_p (s->nest, var))
	p.copy_out = false;
      if (p.copy_out && (p.copy_in || p.linear))
	{
	  s->nest->in_and_out = true;
	  /* One team may be through before another begins.  */
	  if (spmd_level (s->nest, GIMPLE_OMP_TEAMS) || s->nest->outer)
	    refuse (s, "a variable with a first and a last value");
	}
    }
  if (p.reduction)
    {
      p.section = TREE_CODE (OMP_CLAUSE_DECL (p.reduction)) == MEM_REF;
      /* The thread's pointer leads to the thread's section.  */
      p.by_reference |= p.section && POINTER_TYPE_P (type);
    }
  if (p.by_reference)
    type = p.section ? TREE_TYPE (OMP_CLAUSE_DECL (p.reduction))
		     : TREE_TYPE (type);
  if (p.reduction)
    p.object = p.section || !spmd_reduces_scalar_p (p.reduction, type);
  if (!TYPE_SIZE (type) || TREE_CODE (TYPE_SIZE (type)) != INTEGER_CST)
    refuse (s, "a private variable of variable size");
  else if (DECL_HAS_VALUE_EXPR_P (var))
    refuse (s, "a variable that stands for an expression");
  else if ((TREE_ADDRESSABLE (type)
	    && (v || !spmd_temporary_p (s->nest, var)))
	   || (v && (!p.reduction || p.object) && !p.section
	       && spmd_constructed_p (v->clause, var)))
    {
      p.made = making_clauses (s, &p, v);
      const char *why = p.made ? making_why_not (v->clause, var, &p)
			       : "a private object with constructors";
      if (why)
	refuse (s, why);
      s->nest->touches_memory = true;
      s->orders |= p.looks;
      s->sharing->privates.safe_push (p);
    }
  else if (p.object && (s->nest->split || s->nest->outer))
    refuse (s, "a team's reduction of what is no scalar");
  else if (p.object && spmd_object_why_not (p.reduction, type, true))
    refuse (s, spmd_object_why_not (p.reduction, type, true));
  else
    s->sharing->privates.safe_push (p);
}

/* In an OpenACC region, may VAR, which belongs to a gang, be each thread's?
   GCC does so with all that fits a register, in loops that do not say what
   is private.  */
static bool
thread_may_have_own_p (const spmd_nest *nest, tree var)
{
  return is_gimple_reg_type (TREE_TYPE (var))
	 && !spmd_address_taken_p (nest, var);
}

/* In an OpenACC region, has each thread of a gang, in GCC's form as well, the
   variable that C, the region's clause, is about?  That keeps copies in local
   memory, of which all begin with the same value.  */
static bool
thread_has_own_p (const spmd_nest *nest, tree c)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE && !nest->outer
	 && !nest->split;
}

/* In a team's loop of an OpenACC region, may each thread keep its copy of VAR,
   a gang's, to itself?  */
static bool
row_may_have_own_p (const spmd_nest *nest, tree var)
{
  return nest->outer && nest->outer->acc && thread_may_have_own_p (nest, var)
	 && spmd_only_here_p (var, gimple_omp_body (nest->loop),
			      gimple_omp_body (nest->outer->loop));
}

/* In an OpenMP region, may VAR, the target's own, which the loop sets, be each
   thread's?  One thread executes all, or several set the variable, or read it while
   one sets it, in a data race: nothing orders them (block-race.cc).  */
static bool
each_may_have_own_p (const search *s, tree var)
{
  const spmd_nest *nest = s->nest;
  if (!register_p (var))
    return false;
  return nest->once
	 || (!s->orders && !nest->outer && !nest->several && !nest->split
	     && spmd_only_here_p (var, gimple_omp_body (nest->loop),
				  gimple_omp_body (nest->target)));
}

/* VAR is a copy on the target, by the clause C there.  */
static void
add_target_private (search *s, tree var, tree c)
{
  verdict v = {};
  v.clause = c;
  v.copy_in = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE;
  add_private (s, var, &v);
}

static void
decide (search *s, tree var)
{
  const spmd_nest *nest = s->nest;
  verdict v = consider (nest, var);
  if (nest->in_block && !v.clause && !loop_variable_p (nest, var))
    return;
  for (unsigned i = 0; i < nest->locals.length (); i++)
    if (nest->locals[i].var == var)
      {
	/* Whatever a clause says: nobody sees it after the loop.  */
	if (!v.clause && nest->locals[i].depth < nest->thread_depth
	    && s->written.contains (var) && !spmd_temporary_p (nest, var)
	    && !(nest->acc && thread_may_have_own_p (nest, var)))
	  refuse (s, "the loop sets a variable that its threads share");
	add_private (s, var, NULL);
	return;
      }
  if (v.clause)
    {
      if (const char *why = verdict_why_not (s, &v, var))
	refuse (s, why);
      add_private (s, var, &v);
    }
  else if (loop_variable_p (nest, var))
    add_private (s, var, NULL);
  else if (nest->outer && s->written.contains (var)
	   && spmd_temporary_p (nest, var))
    add_private (s, var, NULL);
  else if (s->written.contains (var) && of_team_p (nest, var)
	   && row_may_have_own_p (nest, var))
    return;
  else if (s->written.contains (var) && of_team_p (nest, var))
    refuse (s, "the loop sets a variable that its threads share");
  else if (spmd_shared_on_target_p (nest, var))
    return;
  else if (s->written.contains (var))
    {
      tree clauses = gimple_omp_target_clauses (nest->target);
      tree c = privatizing_clause (clauses, var);
      /* Of each thread's copy only the one thread uses its own.  */
      if (c && nest->once)
	return;
      if (c && OMP_CLAUSE_CODE (c) != OMP_CLAUSE_REDUCTION
	  && (nest->acc || (nest->outer && nest->outer->acc)
		? (thread_may_have_own_p (nest, var)
		   || thread_has_own_p (nest, c))
		: each_may_have_own_p (s, var))
	  && !decl_by_reference_p (var))
	add_target_private (s, var, c);
      else
	refuse (s, "the loop sets a variable that its threads share");
    }
  else if (VAR_P (var) && DECL_HAS_VALUE_EXPR_P (var)
	   && is_gimple_reg_type (TREE_TYPE (var)))
    {
      /* Captured by a lambda: to the gimplifier a part of that, to the target
	 a variable.  */
      spmd_private p = {};
      p.var = var;
      p.copy_in = true;
      s->sharing->privates.safe_push (p);
    }
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

/* Does the loop of several in hand leave a last value in VAR, declared around all of
   them, that other code of the region sees?  */
static bool
leaves_last_value_p (const search *s, tree var)
{
  const spmd_nest *nest = s->nest;
  bool leaves = false;
  for (unsigned i = nest->common; i < nest->levels.length (); i++)
    for (tree c = stmt_clauses (nest->levels[i]); c; c = OMP_CLAUSE_CHAIN (c))
      leaves |= (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LASTPRIVATE
		 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LINEAR)
		&& OMP_CLAUSE_DECL (c) == var;
  return leaves && spmd_value_seen_p (var, gimple_omp_body (nest->target));
}

/* Does the loop of several in hand set VAR, declared around all of them, or made
   private there?  */
static bool
leaves_value_p (const search *s, tree var)
{
  const spmd_nest *nest = s->nest;
  if (leaves_last_value_p (s, var))
    return true;
  if (!CONST_CAST (search *, s)->assigned.contains (var)
      || decl_temporary_p (var))
    return false;
  for (unsigned i = nest->common; i < nest->levels.length (); i++)
    if (privatizing_clause (stmt_clauses (nest->levels[i]), var))
      return false;
  return true;
}

/* Does the loop of several in hand leave a value in a variable that STMT, around all of
   them, has by a clause?  */
static bool
leaves_values_of_p (const search *s, gimple *stmt)
{
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
	&& leaves_value_p (s, OMP_CLAUSE_DECL (c)))
      return true;
  return false;
}

/* May the loop of several in hand set a variable that its threads keep for the
   next one?  */
static bool
leaves_values_p (const search *s)
{
  const spmd_nest *nest = s->nest;
  if (leaves_values_of_p (s, nest->target))
    return true;
  for (unsigned i = 0; i < nest->common; i++)
    if (leaves_values_of_p (s, nest->levels[i]))
      return true;
  for (unsigned i = 0; i < nest->locals.length (); i++)
    if (nest->locals[i].depth <= nest->common
	&& leaves_value_p (s, nest->locals[i].var))
      return true;
  return false;
}

/* Does the loop set a variable of the thread that comes with a value?  Then an
   iteration may find what the thread's last one has left, unless it begins by
   setting the variable.  Others have no value to begin with; and what a reduction
   or a linear clause says has one that does not depend on it.  */
static bool
carries_p (search *s)
{
  for (unsigned i = 0; i < s->sharing->privates.length () && !s->nest->acc; i++)
    {
      const spmd_private *p = &s->sharing->privates[i];
      if (s->written.contains (p->var) && !p->iterator && !p->reduction
	  && !p->linear && !decl_temporary_p (p->var)
	  && !sets_first_p (gimple_omp_body (s->nest->loop), p->var)
	  && (p->copy_in || p->made
	      || spmd_set_before_p (s->nest, p->var)))
	return true;
    }
  return false;
}

/* Look at the parallel constructs in the loop of NEST, whose variables are
   known.  */
static const char *
inner_why_not (spmd_nest *nest, const spmd_sharing *sharing)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    nest->team_variables.add (sharing->privates[i].var);
  nest->touches_memory |= nest->inner.length () > 1;
  for (unsigned i = 0; i < nest->inner.length (); i++)
    {
      spmd_nest inner;
      spmd_sharing own;
      if (const char *why = spmd_find_inner (nest, nest->inner[i], &inner))
	return why;
      if (const char *why = spmd_find_sharing (&inner, &own))
	return why;
      if (inner.asks)
	return "a question about the thread's place in a team's loop";
      nest->tells |= inner.tells;
    }
  return NULL;
}

const char *
spmd_find_sharing (spmd_nest *nest, spmd_sharing *sharing)
{
  search s;
  s.nest = nest;
  s.sharing = sharing;
  s.why = NULL;
  s.orders = false;
  for (unsigned i = 0; i < nest->levels.length (); i++)
    if (stmt_variable_size_p (stmt_clauses (nest->levels[i])))
      refuse (&s, "a private variable of variable size");
  if (stmt_variable_size_p (gimple_omp_target_clauses (nest->target)))
    refuse (&s, "a private variable of variable size");
  nest->asks = nest->carries = nest->tells = nest->in_and_out = false;
  nest->touches_memory = nest->branches = false;
  struct walk_stmt_info wi = {};
  wi.info = &s;
  gimple_seq body = gimple_omp_body (nest->loop);
  s.body = body;
  walk_gimple_seq (body, body_stmt, NULL, &wi);
  /* What calls in front of the loop return may be used in it.  */
  s.body = nest->split ? gimple_omp_body (nest->target) : NULL;
  for (unsigned i = 0; i < nest->before.length (); i++)
    walk_stmt_load_store_addr_ops (nest->before[i], &s, NULL, NULL,
				   note_address);
  for (unsigned i = 0; i < nest->prefix.length (); i++)
    walk_stmt_load_store_addr_ops (nest->prefix[i], &s, NULL, note_store,
				   note_address);
  s.body = NULL;
  walk_gimple_seq (body, NULL, find_variable, &wi);
  for (unsigned i = 0; i < nest->before.length (); i++)
    walk_gimple_op (nest->before[i], find_variable, &wi);
  for (unsigned i = 0; i < nest->prefix.length (); i++)
    walk_gimple_op (nest->prefix[i], find_variable, &wi);
  for (unsigned i = 0; i < gimple_omp_for_collapse (nest->loop); i++)
    {
      find_in_expr (&s, gimple_omp_for_index (nest->loop, i));
      find_in_expr (&s, gimple_omp_for_initial (nest->loop, i));
      find_in_expr (&s, gimple_omp_for_final (nest->loop, i));
      find_in_expr (&s, gimple_omp_for_incr (nest->loop, i));
    }
  nest->carries = carries_p (&s);
  nest->tells |= nest->carries;
  /* How often objects are made, for instance.  */
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    nest->tells |= sharing->privates[i].looks;
  if (nest->split && !s.why)
    s.why = inner_why_not (nest, sharing);
  hash_set<tree> decide;
  nest->agrees = nest->split && spmd_find_agreed (nest, body, &decide);
  if (nest->several && leaves_values_p (&s))
    refuse (&s, "a variable that several loops share");
  if (spmd_space_varies_p (nest->loop) && !spmd_any_number_p (sharing))
    refuse (&s, "a last value of a loop whose bounds depend on another's");
  return s.why;
}

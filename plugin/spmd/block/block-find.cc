/* Is a region of the block form, and which variables do its teams have?

   A team's code is what stands outside of parallel constructs, a thread's what
   stands inside.  Every statement is looked at in the place that it has: who
   executes it, and what variables are to it.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: OpenMP 5.0, 2.6 (parallel), 2.7 (teams), 2.8 (worksharing), 2.16
   (master), 2.17 (synchronization), 2.19.1 (variables).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/block/block.h"

/* Bytes of shared memory that a kernel may have without more ado, less what
   reductions and broadcasts take.  */
static const HOST_WIDE_INT most_shared = 47 << 10;

/* Who executes a statement.  */
enum place
{
  IN_TEAM,
  /* In a scope that one thread goes through for the team.  */
  ALONE,
  IN_THREADS,
  /* In a loop that is shared out.  */
  IN_LOOP,
  /* In what one thread executes, or one at a time.  */
  IN_ONE
};

/* A variable that means another in the construct in hand.  */
struct hidden_variable
{
  tree var;
  /* It is the team's, of which each thread has a copy, and cannot have but
     that.  */
  bool of_team, fixed;
};

/* A variable of the team that threads set in a parallel construct.  */
struct set_variable
{
  tree var;
  gimple *parallel;
};

/* The search's state.  */
struct search
{
  block_region *b;
  enum place place;
  auto_vec<hidden_variable, 16> hidden;
  /* Declared where threads execute.  */
  hash_set<tree> inner;
  /* Read by the team's code.  */
  hash_set<tree> read;
  /* Declared in the loop in hand that is shared out, and where variables that
     it hides begin.  */
  hash_set<tree> in_loop;
  unsigned loop_hides;
  /* The parallel construct is one loop.  */
  bool combined;
  /* The parallel construct in hand, what threads set, and the constructs in
     which something orders threads.  */
  gimple *parallel;
  auto_vec<set_variable, 8> set;
  hash_set<gimple *> ordered;
  /* A team may execute a construct several times.  */
  bool repeats;
  /* In a critical construct; in a loop that is shared out among teams.  */
  bool critical, distributed;
  /* Variables of a thread whose addresses are taken.  */
  hash_set<tree> addressed;
  /* Those that count a simd construct's loop.  */
  hash_set<tree> counters;
  const char *why;
};

static void
refuse (search *s, const char *why)
{
  if (!s->why)
    s->why = why;
}

static bool
of_team_p (const search *s)
{
  return s->place == IN_TEAM || s->place == ALONE;
}

/* ---- Variables ---- */

static const hidden_variable *
find_hidden (const search *s, tree var)
{
  for (unsigned i = s->hidden.length (); i--;)
    if (s->hidden[i].var == var)
      return &s->hidden[i];
  return NULL;
}

/* Does the target construct give VAR no value?  */
static bool
without_value_p (const search *s, tree var)
{
  for (tree c = gimple_omp_target_clauses (s->b->target); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE && OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

/* Let the variable H of a loop over teams be the team's, in shared memory.  */
static void
lift (search *s, const hidden_variable *h)
{
  block_region *b = s->b;
  if (h->fixed || (b->own.contains (h->var) && !b->lifted.contains (h->var)))
    refuse (s, "threads share a variable of a loop over teams");
  b->own.add (h->var);
  b->shared.add (h->var);
  b->lifted.add (h->var);
}

/* Has the team a copy of VAR, which is declared as a static variable?  */
static bool
static_copy_p (const search *s, tree var)
{
  if (!is_global_var (var))
    return false;
  if (const hidden_variable *h = find_hidden (s, var))
    return h->of_team;
  for (tree c = s->b->teams ? stmt_clauses (s->b->teams) : NULL_TREE; c;
       c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
	&& OMP_CLAUSE_DECL (c) == var)
      return true;
  return !spmd_shared_on_target_p (&s->b->team, var);
}

/* VAR, a static variable, is set, or its address is taken.  A team's copy of one is not
   among the variables of block_region.  */
static void
bar_static_copy (search *s, tree var)
{
  if (static_copy_p (s, var))
    refuse (s, "a team sets its copy of a static variable");
}

/* VAR is set, or its ADDRESS is taken.  */
static void
note_change (search *s, tree var, bool address)
{
  block_region *b = s->b;
  const hidden_variable *h = find_hidden (s, var);
  b->tells |= s->place == IN_LOOP && !decl_temporary_p (var)
	      && !s->in_loop.contains (var)
	      && !(h && h >= s->hidden.begin () + s->loop_hides);
  if (h && h->of_team && (address || !of_team_p (s)))
    lift (s, h);
  if (h || s->inner.contains (var))
    {
      if (address)
	s->addressed.add (var);
      return;
    }
  if (!b->own.contains (var))
    {
      if (spmd_shared_on_target_p (&b->team, var))
	return;
      if (decl_temporary_p (var) && !of_team_p (s))
	refuse (s, "a temporary that threads would share");
      b->own.add (var);
      if (!without_value_p (s, var))
	b->copied.add (var);
    }
  if (address)
    b->shared.add (var);
  else if (!of_team_p (s))
    s->set.safe_push ({ var, s->parallel });
}

/* Threads come together to give VAR a value.  */
static void
note_joint (search *s, tree var)
{
  note_change (s, var, false);
  if (!find_hidden (s, var) && s->b->own.contains (var))
    s->b->shared.add (var);
}

/* What BASE, of a reference, refers to by a reference of the language, or
   NULL.  */
static tree
referring_variable (tree base)
{
  if (TREE_CODE (base) != MEM_REF)
    return NULL_TREE;
  tree var = TREE_OPERAND (base, 0);
  return DECL_P (var) && decl_by_reference_p (var) ? var : NULL_TREE;
}

/* Has the target a copy of its own of what VAR refers to?  */
static bool
target_copies_p (const search *s, tree var)
{
  for (tree c = gimple_omp_target_clauses (s->b->target); c;
       c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
	&& OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

static bool
note_load (gimple *, tree base, tree, void *data)
{
  search *s = (search *) data;
  if (DECL_P (base) && of_team_p (s))
    s->read.add (base);
  return false;
}

static bool
note_store (gimple *, tree base, tree, void *data)
{
  search *s = (search *) data;
  tree refers = referring_variable (base);
  if (refers && !find_hidden (s, refers) && target_copies_p (s, refers))
    refuse (s, "a team sets what a reference refers to");
  else if (DECL_P (base) && is_global_var (base))
    bar_static_copy (s, base);
  else if (DECL_P (base))
    note_change (s, base, false);
  return false;
}

static bool
note_address (gimple *stmt, tree what, tree, void *data)
{
  search *s = (search *) data;
  tree base = get_base_address (what);
  gcall *call = dyn_cast<gcall *> (stmt);
  if (!base || !DECL_P (base) || TREE_CODE (base) == FUNCTION_DECL
      || TREE_CODE (base) == LABEL_DECL)
    return false;
  if (is_global_var (base))
    {
      if (!call || !call_lends_p (call))
	bar_static_copy (s, base);
      return false;
    }
  if (of_team_p (s))
    s->read.add (base);
  if (!call || s->b->own.contains (base)
      || !(call_lends_p (call) || call_lending_of (call, base) == CALL_LENDS))
    note_change (s, base, true);
  return false;
}

/* The operands of STMT.  */
static tree
find_read (tree *tp, int *walk_subtrees, void *data)
{
  search *s = (search *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (VAR_P (*tp))
    s->read.add (*tp);
  return NULL_TREE;
}

/* ---- Statements ---- */

/* If ORDERS, something orders the threads of the construct in hand.  */
static void
order (search *s, bool orders)
{
  if (orders && !of_team_p (s))
    s->ordered.add (s->parallel);
}

/* Look at STMT, which has no others in it.  */
static void
find_simple (search *s, gimple *stmt)
{
  if (gimple_call_builtin_p (stmt, BUILT_IN_GOMP_BARRIER))
    {
      s->b->barriers |= s->place == IN_THREADS;
      order (s, true);
      if (s->place == IN_LOOP || s->place == IN_ONE)
	refuse (s, "a barrier where not all threads are");
      return;
    }
  if (const char *why = spmd_body_why_not (stmt))
    refuse (s, why);
  else if (s->place == IN_TEAM && stmt_volatile_p (stmt)
	   && !gimple_clobber_p (stmt))
    refuse (s, "a volatile access between the constructs");
  else if (s->place == IN_TEAM && block_atomic_p (stmt))
    refuse (s, "an atomic update between the constructs");
  s->repeats |= s->place == IN_TEAM && gimple_code (stmt) == GIMPLE_LABEL;
  if (gimple_clobber_p (stmt))
    return;
  if (gcall *call = dyn_cast<gcall *> (stmt))
    {
      tree fn = gimple_call_fndecl (call);
      s->b->tells |= !of_team_p (s) && fn && call_number_query_p (fn);
      order (s, !call_query_p (fn) && call_looks_p (call));
    }
  if (gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt))
    {
      tree address = gimple_omp_atomic_load_rhs (load);
      tree base = TREE_CODE (address) == ADDR_EXPR
		    ? get_base_address (TREE_OPERAND (address, 0))
		    : NULL_TREE;
      if (base && DECL_P (base) && is_global_var (base))
	bar_static_copy (s, base);
      else if (base && DECL_P (base))
	note_joint (s, base);
      order (s, gimple_omp_atomic_memory_order (load)
		  > OMP_MEMORY_ORDER_RELAXED);
      note_change (s, gimple_omp_atomic_load_lhs (load), false);
      return;
    }
  tree lhs = gimple_get_lhs (stmt);
  if (lhs && DECL_P (lhs) && is_global_var (lhs))
    bar_static_copy (s, lhs);
  else if (lhs && DECL_P (lhs))
    note_change (s, lhs, false);
  walk_stmt_load_store_addr_ops (stmt, s, note_load, note_store, note_address);
  struct walk_stmt_info wi = {};
  wi.info = s;
  if (of_team_p (s))
    walk_gimple_op (stmt, find_read, &wi);
}

static void find_seq (search *s, gimple_seq seq);

/* Look at BODY, in PLACE.  */
static void
find_in (search *s, enum place place, gimple_seq body)
{
  enum place before = s->place;
  s->place = place;
  find_seq (s, body);
  s->place = before;
}

/* ---- Scopes ---- */

static void
find_scope (search *s, gbind *bind)
{
  if (stmt_declares_expression_p (bind))
    refuse (s, "a variable that stands for an expression");
  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
    if (!VAR_P (v) || is_global_var (v))
      continue;
    else if (of_team_p (s))
      s->b->own.add (v);
    else
      {
	s->inner.add (v);
	if (s->place == IN_LOOP)
	  s->in_loop.add (v);
      }
  bool alone = s->place == IN_TEAM && block_alone_p (s->b, bind);
  find_in (s, alone ? ALONE : s->place, gimple_bind_body (bind));
}

/* ---- Constructs ---- */

/* Is STMT a simd construct by itself?  One that a loop is combined with is shared out as
   that is.  */
static bool
simd_p (const gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_OMP_FOR
	 && gimple_omp_for_kind (stmt) == GF_OMP_FOR_KIND_SIMD
	 && !gimple_omp_for_combined_into_p (stmt);
}

/* Hide the variables that STMT gives whoever executes it.  Those that others
   get a value in are set.  A simd construct whoever executes it goes through alone.  */
static void
hide (search *s, gimple *stmt, bool of_team)
{
  bool alone = simd_p (stmt);
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_LINEAR:
	{
	  tree decl = OMP_CLAUSE_DECL (c);
	  if (!DECL_P (decl))
	    refuse (s, "a reduction of an array section");
	  else if (alone)
	    note_change (s, decl, false);
	  else
	    note_joint (s, decl);
	}
	break;
      default:
	break;
      }
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_LINEAR:
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
	s->hidden.safe_push ({ OMP_CLAUSE_DECL (c), of_team,
			       OMP_CLAUSE_CODE (c) != OMP_CLAUSE_PRIVATE
				 || decl_by_reference_p (OMP_CLAUSE_DECL (c)) });
	break;
      case OMP_CLAUSE_COPYIN:
      case OMP_CLAUSE_COPYPRIVATE:
      case OMP_CLAUSE_ALLOCATE:
      case OMP_CLAUSE_IN_REDUCTION:
      case OMP_CLAUSE_TASK_REDUCTION:
      case OMP_CLAUSE__REDUCTEMP_:
	refuse (s, "a clause of a construct in a team");
	break;
      default:
	break;
      }
}

/* Look at the loop LOOP, by PLACE's rules inside.  */
static void
find_loop (search *s, gomp_for *loop, enum place inside)
{
  unsigned before = s->hidden.length ();
  bool of_team = inside == IN_TEAM;
  find_seq (s, gimple_omp_for_pre_body (loop));
  hide (s, loop, of_team);
  if (s->place == IN_THREADS && inside == IN_LOOP)
    {
      s->in_loop.empty ();
      s->loop_hides = before;
    }
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      tree index = gimple_omp_for_index (loop, i);
      s->hidden.safe_push ({ index, of_team, true });
      if (simd_p (loop))
	s->counters.add (index);
    }
  find_in (s, inside, gimple_omp_body (loop));
  s->hidden.truncate (before);
}

/* A loop that is shared out, among teams or threads.  */
static void
find_shared_loop (search *s, gomp_for *loop, enum place inside)
{
  spmd_nest nest;
  spmd_sharing sharing;
  gimple *parallel = s->place == IN_THREADS && s->combined ? s->parallel : NULL;
  if (const char *why = block_find_loop (s->b, loop, parallel, &nest, &sharing))
    refuse (s, why);
  else
    find_loop (s, loop, inside);
}

/* The search for variables of a loop elsewhere.  */
struct elsewhere
{
  search *s;
  gimple *loop;
};

static tree
elsewhere_stmt (gimple_stmt_iterator *gsi, bool *handled,
		struct walk_stmt_info *wi)
{
  *handled = gsi_stmt (*gsi) == ((elsewhere *) wi->info)->loop;
  return NULL_TREE;
}

static tree
elsewhere_operand (tree *tp, int *walk_subtrees, void *data)
{
  search *s = ((elsewhere *) ((struct walk_stmt_info *) data)->info)->s;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (DECL_P (*tp) && s->b->lifted.contains (*tp))
    refuse (s, "threads share a variable of a loop over teams");
  return NULL_TREE;
}

/* Nothing but LOOP may speak of variables that have become the team's.  */
static void
check_lifted (search *s, gimple *loop)
{
  elsewhere e = { s, loop };
  struct walk_stmt_info wi = {};
  wi.info = &e;
  if (!s->b->lifted.is_empty ())
    walk_gimple_seq (gimple_omp_body (s->b->teams), elsewhere_stmt,
		     elsewhere_operand, &wi);
  s->b->lifted.empty ();
}

static void
find_distribute (search *s, gomp_for *loop)
{
  if (gimple_omp_for_combined_p (loop))
    refuse (s, "a loop over all threads beside other code");
  else if (s->distributed || !s->b->teams)
    refuse (s, "a loop over teams in another");
  else if (omp_find_clause (gimple_omp_for_clauses (loop),
			    OMP_CLAUSE_LASTPRIVATE))
    refuse (s, "a last value for the team");
  else
    {
      s->distributed = true;
      find_shared_loop (s, loop, IN_TEAM);
      s->distributed = false;
      check_lifted (s, loop);
    }
}

/* There is a barrier at the end of STMT, unless it says nowait or is all that
   the parallel construct has.  */
static void
add_barrier (search *s, gimple *stmt)
{
  bool waits = !s->combined
	       && !omp_find_clause (stmt_clauses (stmt), OMP_CLAUSE_NOWAIT);
  s->b->barriers |= waits;
  order (s, waits);
}

static void
find_for (search *s, gomp_for *loop)
{
  switch (gimple_omp_for_kind (loop))
    {
    case GF_OMP_FOR_KIND_SIMD:
      /* One that is combined has been looked at with the loop around it.  */
      if (const char *why = simd_p (loop) ? spmd_body_why_not (loop) : NULL)
	refuse (s, why);
      else
	find_loop (s, loop, s->place);
      break;
    case GF_OMP_FOR_KIND_FOR:
      if (s->place != IN_THREADS)
	refuse (s, "a loop that every thread executes");
      add_barrier (s, loop);
      find_shared_loop (s, loop, IN_LOOP);
      break;
    case GF_OMP_FOR_KIND_DISTRIBUTE:
      if (s->place != IN_TEAM)
	refuse (s, "a loop over teams in a thread");
      else
	find_distribute (s, loop);
      break;
    default:
      refuse (s, "a construct without a form for all threads");
    }
}

static void
find_parallel (search *s, gimple *parallel)
{
  block_region *b = s->b;
  unsigned before = s->hidden.length ();
  spmd_sharing sharing;
  if (s->place != IN_TEAM)
    {
      refuse (s, "nested parallelism");
      return;
    }
  b->parallel = true;
  s->parallel = parallel;
  s->repeats |= s->distributed;
  s->place = IN_THREADS;
  s->combined = gimple_omp_parallel_combined_p (parallel);
  hide (s, parallel, false);
  if (const char *why = block_privates (parallel, &sharing))
    refuse (s, why);
  find_seq (s, gimple_omp_body (parallel));
  s->place = IN_TEAM;
  s->hidden.truncate (before);
}

/* What one of the threads executes.  */
static void
find_one (search *s, gimple *stmt)
{
  unsigned before = s->hidden.length ();
  spmd_sharing sharing;
  if (s->place != IN_THREADS)
    {
      refuse (s, "a construct for one thread where not all threads are");
      return;
    }
  hide (s, stmt, false);
  if (const char *why = block_privates (stmt, &sharing))
    refuse (s, why);
  if (gimple_code (stmt) == GIMPLE_OMP_SINGLE)
    add_barrier (s, stmt);
  find_in (s, IN_ONE, gimple_omp_body (stmt));
  s->hidden.truncate (before);
}

static void
find_critical (search *s, gimple *stmt)
{
  if (of_team_p (s) || s->place == IN_LOOP || s->critical)
    {
      refuse (s, "a critical construct in another");
      return;
    }
  s->critical = true;
  order (s, true);
  find_in (s, IN_ONE, gimple_omp_body (stmt));
  s->critical = false;
}

static void
find_stmt (search *s, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
      find_scope (s, as_a<gbind *> (stmt));
      break;
    case GIMPLE_TRY:
      find_seq (s, gimple_try_eval (stmt));
      find_seq (s, gimple_try_cleanup (stmt));
      break;
    case GIMPLE_OMP_PARALLEL:
      find_parallel (s, stmt);
      break;
    case GIMPLE_OMP_FOR:
      find_for (s, as_a<gomp_for *> (stmt));
      break;
    case GIMPLE_OMP_SINGLE:
    case GIMPLE_OMP_MASTER:
    case GIMPLE_OMP_MASKED:
      find_one (s, stmt);
      break;
    case GIMPLE_OMP_CRITICAL:
      find_critical (s, stmt);
      break;
    default:
      find_simple (s, stmt);
    }
}

static void
find_seq (search *s, gimple_seq seq)
{
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i) && !s->why;
       gsi_next (&i))
    find_stmt (s, gsi_stmt (i));
}

/* ---- The region ---- */

static bool
load_of_others (gimple *, tree, tree ref, void *data)
{
  return !block_constant_p ((const block_region *) data, ref);
}

/* May every block execute STMT, in front of the teams construct, for
   itself?  */
static bool
before_teams_p (const block_region *b, gimple *stmt)
{
  return stmt_empty_p (stmt)
	 || (is_gimple_assign (stmt) && register_p (gimple_assign_lhs (stmt))
	     && !spmd_shared_on_target_p (&b->team, gimple_assign_lhs (stmt))
	     && !stmt_volatile_p (stmt)
	     && !walk_stmt_load_store_addr_ops (stmt,
						CONST_CAST (block_region *, b),
						load_of_others, NULL, NULL));
}

/* Find the teams construct in SEQ, in front of which is nothing but
   computations for it.  */
static const char *
find_teams (block_region *b, gimple_seq seq)
{
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      const char *why = NULL;
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	why = find_teams (b, gimple_bind_body (bind));
      else if (gimple_seq inside = stmt_scope_body (stmt))
	why = find_teams (b, inside);
      else if (gimple_code (stmt) == GIMPLE_OMP_TEAMS && !b->teams)
	b->teams = stmt;
      else if (!before_teams_p (b, stmt))
	why = "a statement beside the teams construct";
      if (why)
	return why;
    }
  return NULL;
}

static tree
teams_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  *handled = gimple_code (gsi_stmt (*gsi)) == GIMPLE_OMP_TEAMS;
  return *handled ? integer_one_node : NULL_TREE;
}

/* The variables that the clauses of the teams construct give a team.  */
static void
enter_teams (search *s)
{
  block_region *b = s->b;
  for (tree c = gimple_omp_teams_clauses (b->teams); c;
       c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_REDUCTION:
	{
	  tree var = OMP_CLAUSE_DECL (c);
	  if (!DECL_P (var) || DECL_HAS_VALUE_EXPR_P (var)
	      || spmd_constructed_p (c, var))
	    {
	      refuse (s, "a team's variable that is no plain one");
	      break;
	    }
	  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
	    {
	      if (!spmd_reduces_scalar_p (c, decl_value_type (var)))
		refuse (s, "a team's reduction of what is no scalar");
	      else if (decl_by_reference_p (var)
			 ? target_copies_p (s, var)
			 : !spmd_shared_on_target_p (&b->team, var))
		refuse (s, "a reduction that does not reach the target");
	      b->reductions.safe_push (c);
	    }
	  else if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
	    b->copied.add (var);
	  b->own.add (var);
	  if (decl_by_reference_p (var))
	    b->referring.add (var);
	  break;
	}
      case OMP_CLAUSE_ALLOCATE:
	refuse (s, "an allocate clause");
	break;
      default:
	break;
      }
}

/* Which of the team's variables lie in shared memory, and whether they
   fit.  */
static void
place_variables (search *s)
{
  block_region *b = s->b;
  for (unsigned i = 0; i < s->set.length (); i++)
    {
      gimple *parallel = s->set[i].parallel;
      bool unordered = !s->repeats && !s->ordered.contains (parallel);
      if (!block_races_p (b, parallel, s->set[i].var, unordered))
	b->shared.add (s->set[i].var);
    }
  HOST_WIDE_INT size = 0;
  auto_vec<tree> own;
  decl_sorted (&b->own, &own);
  for (unsigned i = 0; i < own.length (); i++)
    {
      tree var = own[i];
      bool refers = b->referring.contains (var);
      tree type = refers ? decl_value_type (var) : TREE_TYPE (var);
      if (!TYPE_SIZE_UNIT (type) || !tree_fits_shwi_p (TYPE_SIZE_UNIT (type)))
	{
	  refuse (s, "a variable of variable size");
	  return;
	}
      if (TREE_THIS_VOLATILE (var) || TREE_ADDRESSABLE (var)
	  || !is_gimple_reg_type (type))
	b->shared.add (var);
      if (!b->shared.contains (var) && !refers)
	continue;
      if (s->counters.contains (var))
	refuse (s, "a simd construct that counts in memory");
      b->loads |= s->read.contains (var);
      size += tree_to_shwi (TYPE_SIZE_UNIT (type)) + DECL_ALIGN_UNIT (var);
    }
  if (size > most_shared)
    refuse (s, "variables of a team that exceed shared memory");
}

const char *
block_find (const region *r, gimple_seq body, block_region *b)
{
  search s;
  gomp_target *target = r->stmt;
  s.b = b;
  s.place = IN_TEAM;
  s.critical = s.distributed = s.combined = s.repeats = false;
  s.parallel = NULL;
  s.why = NULL;
  b->r = r;
  b->code = &body;
  b->target = b->team.target = b->thread.target = target;
  b->teams = NULL;
  b->parallel = b->loads = b->barriers = b->tells = false;
  struct walk_stmt_info wi = {};
  if (walk_gimple_seq (body, teams_stmt, NULL, &wi))
    {
      const char *why = find_teams (b, body);
      if (why || !b->teams)
	{
	  b->parallel = spmd_parallel_within_p (body);
	  return why ? why : "a statement beside the teams construct";
	}
      b->team.levels.safe_push (b->teams);
      b->thread.levels.safe_push (b->teams);
      enter_teams (&s);
      find_seq (&s, gimple_omp_body (b->teams));
    }
  else
    find_seq (&s, body);
  place_variables (&s);
  if (!s.why && !s.addressed.is_empty ()
      && block_leaks_p (b, body, &s.addressed))
    refuse (&s, "the address of a thread's variable may reach others");
  return s.why;
}

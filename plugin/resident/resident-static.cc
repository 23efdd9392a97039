/* Numbers of a file that the host counts in a loop over regions.

       static int rounds;	       number = rounds;
       for (...)		       for (...)
	 {			->	 {
	   rounds++;			   number++;
	   REGION;			   REGION;
	 }				 }
				       rounds = number;

   Threads compute with numbers of the function alone (resident-number.cc), so the
   loop gets one.  Nobody else sees the difference: the loop calls nothing, nobody
   has the variable's address, no region names it, nor calls a function that might,
   and control leaves the loop at its end alone.  Another thread of the host that
   looked meanwhile would have a data race.  A loop that stays the host's is as fast
   with it.

   Needs: GIMPLE before omp-low.  Keeps: all code but those names.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 9.5; J. Lu and K. Cooper, "Register
   Promotion in C Programs", PLDI 1997.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"

/* The search for what keeps L's variables of the file from being its own.  */
struct static_search
{
  auto_vec<tree> vars;
  bool calls = false;
};

/* Is VAR a number that code of this file alone knows, by its name?  */
static bool
number_of_file_p (tree var)
{
  return VAR_P (var) && TREE_STATIC (var) && !TREE_PUBLIC (var)
	 && !DECL_EXTERNAL (var) && !TREE_ADDRESSABLE (var)
	 && !TREE_THIS_VOLATILE (var) && !DECL_THREAD_LOCAL_P (var)
	 && !DECL_HAS_VALUE_EXPR_P (var) && !TREE_READONLY (var)
	 && !offloaded_p (var)
	 && (INTEGRAL_TYPE_P (TREE_TYPE (var))
	     || SCALAR_FLOAT_TYPE_P (TREE_TYPE (var)));
}

/* The variables of the file that L's own code sets.  False where its code does more
   than compute.  */
static bool
find_set (const host_loop *l, vec<tree> *vars)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    {
      gimple *stmt = l->code[i];
      switch (gimple_code (stmt))
	{
	case GIMPLE_ASSIGN:
	  if (stmt_volatile_p (stmt))
	    return false;
	  if (number_of_file_p (gimple_assign_lhs (stmt))
	      && !vars->contains (gimple_assign_lhs (stmt)))
	    vars->safe_push (gimple_assign_lhs (stmt));
	  break;
	case GIMPLE_BIND:
	case GIMPLE_LABEL:
	case GIMPLE_GOTO:
	case GIMPLE_COND:
	case GIMPLE_NOP:
	case GIMPLE_DEBUG:
	case GIMPLE_PREDICT:
	  break;
	default:
	  if (!construct_computes_p (stmt) && !stmt_scope_body (stmt))
	    return false;
	}
    }
  return true;
}

static tree
drop_named (tree *tp, int *walk_subtrees, void *data)
{
  static_search *s = (static_search *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else
    for (unsigned i = s->vars.length (); i--;)
      if (s->vars[i] == *tp)
	s->vars.ordered_remove (i);
  return NULL_TREE;
}

static tree
note_call (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  ((static_search *) wi->info)->calls
    |= gimple_code (stmt) == GIMPLE_ASM
       || (is_gimple_call (stmt) && !(gimple_call_flags (stmt) & ECF_CONST));
  return NULL_TREE;
}

/* Leave to S what no region of L has to do with.  */
static void
drop_regions (static_search *s, const host_loop *l)
{
  struct walk_stmt_info wi = {};
  wi.info = s;
  for (unsigned i = 0; i < l->regions.length () && !s->calls; i++)
    {
      gomp_target *stmt = host_loop_region (l, i);
      walk_gimple_op (stmt, drop_named, &wi);
      walk_gimple_seq (gimple_omp_body (stmt), note_call, drop_named, &wi);
    }
}

typedef hash_map<tree, tree> numbers;

static tree
replace_by_number (tree *tp, int *walk_subtrees, void *data)
{
  numbers *n = (numbers *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (VAR_P (*tp))
    if (tree *number = n->get (*tp))
      *tp = *number;
  return NULL_TREE;
}

/* L, in which numbers of the function stand for VARS, between what sets these and
   what gives them back.  */
static gimple *
with_numbers (host_loop *l, const vec<tree> &vars)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL, after = NULL;
  numbers n;
  push_gimplify_context ();
  for (unsigned i = 0; i < vars.length (); i++)
    {
      tree number
	= code_temp (TYPE_MAIN_VARIANT (TREE_TYPE (vars[i])), "number");
      gimple_seq_add_stmt (&seq, gimple_build_assign (number, vars[i]));
      gimple_seq_add_stmt (&after, gimple_build_assign (vars[i], number));
      n.put (vars[i], number);
    }
  struct walk_stmt_info wi = {};
  wi.info = &n;
  for (unsigned i = 0; i < l->code.length (); i++)
    if (is_gimple_assign (l->code[i]) || gimple_code (l->code[i]) == GIMPLE_COND)
      walk_gimple_op (l->code[i], replace_by_number, &wi);
  host_loop_take (l, &seq, bind);
  gimple_seq_add_seq (&seq, after);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

static gimple *
own_numbers (host_loop *l, void *)
{
  static_search s;
  if (!find_set (l, &s.vars) || s.vars.is_empty ())
    return NULL;
  drop_regions (&s, l);
  return s.calls || s.vars.is_empty () ? NULL : with_numbers (l, s.vars);
}

void
host_loops_own_numbers (function *fun)
{
  host_loop_each (fun, own_numbers, NULL);
}

/* Runs of host code in which constructs may be neighbours.

   A run is what is executed one after the other, but for jumps: a sequence of
   statements with the scopes that the compiler makes around a construct's
   operands.  Scopes of the source, handlers and the bodies of data constructs
   hold runs of their own; anything else with a body ends the run, and holds
   none.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: gimplify_omp_workshare in GCC's gimplify.cc;
   gfc_trans_oacc_construct in fortran/trans-openmp.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

struct run_search
{
  void (*visit) (host_run *, void *);
  void *data;
  /* The data constructs that are open.  */
  auto_vec<gomp_target *> around;
};

static void find_runs (run_search *s, gimple_seq *seq, gbind *scope);

/* Does BIND declare no variable of the source?  */
static bool
compiler_scope_p (const gbind *bind)
{
  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
    if (!VAR_P (v) || !decl_temporary_p (v) || DECL_HAS_VALUE_EXPR_P (v))
      return false;
  return true;
}

/* Look for runs inside of STMT.  */
static void
look_inside (run_search *s, gimple *stmt, gbind *scope)
{
  if (gbind *bind = dyn_cast<gbind *> (stmt))
    find_runs (s, gimple_bind_body_ptr (bind), bind);
  else if (gimple_code (stmt) == GIMPLE_TRY)
    find_runs (s, gimple_try_eval_ptr (stmt), scope);
  else if (gomp_target *target = dyn_cast<gomp_target *> (stmt))
    {
      const construct *what = construct_of (target);
      if (!what || acr_kind_computes (what->kind) || !what->body)
	return;
      s->around.safe_push (target);
      find_runs (s, gimple_omp_body_ptr (target), scope);
      s->around.pop ();
    }
}

static bool
simple_p (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
    case GIMPLE_COND:
    case GIMPLE_GOTO:
    case GIMPLE_LABEL:
    case GIMPLE_NOP:
    case GIMPLE_DEBUG:
    case GIMPLE_PREDICT:
    case GIMPLE_CALL:
      return true;
    default:
      return construct_computes_p (stmt);
    }
}

static void
end_run (run_search *s, host_run *run)
{
  unsigned constructs = 0;
  for (unsigned i = 0; i < run->places.length (); i++)
    constructs += construct_computes_p (gsi_stmt (run->places[i]));
  if (constructs > 1)
    {
      run->around.truncate (0);
      run->around.safe_splice (s->around);
      s->visit (run, s->data);
    }
  run->places.truncate (0);
  run->scopes.truncate (0);
}

/* Add SEQ, directly in SCOPE, to RUN.  */
static void
add_to_run (run_search *s, host_run *run, gimple_seq *seq, gbind *scope)
{
  for (gimple_stmt_iterator gsi = gsi_start (*seq); !gsi_end_p (gsi);)
    {
      gimple *stmt = gsi_stmt (gsi);
      gbind *bind = dyn_cast<gbind *> (stmt);
      if (simple_p (stmt))
	run->places.safe_push (gsi);
      else if (bind && scope && compiler_scope_p (bind))
	{
	  run->scopes.safe_push (bind);
	  add_to_run (s, run, gimple_bind_body_ptr (bind), bind);
	}
      else
	{
	  gimple_stmt_iterator next = gsi;
	  gsi_next (&next);
	  end_run (s, run);
	  look_inside (s, stmt, scope);
	  gsi = next;
	  continue;
	}
      gsi_next (&gsi);
    }
}

static void
find_runs (run_search *s, gimple_seq *seq, gbind *scope)
{
  host_run run;
  run.scope = scope;
  add_to_run (s, &run, seq, scope);
  end_run (s, &run);
}

void
fuse_each_run (function *fun, void (*visit) (host_run *, void *), void *data)
{
  run_search s;
  s.visit = visit;
  s.data = data;
  gimple_seq body = gimple_body (fun->decl);
  find_runs (&s, &body, NULL);
  gimple_set_body (fun->decl, body);
}

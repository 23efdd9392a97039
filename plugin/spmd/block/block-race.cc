/* Variables of a team that threads set without regard to each other.

   In a program that was ported from CUDA each thread sets a variable that it
   takes for its own, which in OpenMP is the team's:

     #pragma omp target teams        (p: firstprivate on the target)
     #pragma omp parallel
     {
       p += omp_get_thread_num () * n;
       ... p[i] ...
     }

   Where at least two threads do so, one sets the variable while another does,
   or reads it, and nothing orders them: a data race, after which OpenMP
   promises nothing.  Where there is one thread, a variable of its own does as
   well.  So each thread may have its own, if

   - every thread sets the variable on its way, whatever it does before or
     after; or the construct, which a team executes once, has nothing that
     orders threads, so that none can know what another has set; and
   - nothing else in the region speaks of it.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: OpenMP 5.0, 1.4.1, data races.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/block/block.h"

/* Does only the body of PARALLEL, in B, speak of VAR?  */
static bool
nowhere_else_p (const block_region *b, gimple *parallel, tree var)
{
  return spmd_only_here_p (var, gimple_omp_body (parallel), *b->code);
}

/* ---- On every thread's way ---- */

/* Is VAR set in SEQ before anything that could lead a thread elsewhere?  Then
   *MORE stays true if the end of SEQ is reached.  */
static bool
always_set_p (gimple_seq seq, tree var, bool *more)
{
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      gimple_seq inside = NULL;
      switch (gimple_code (stmt))
	{
	case GIMPLE_BIND:
	  inside = gimple_bind_body (as_a<gbind *> (stmt));
	  break;
	case GIMPLE_TRY:
	  inside = gimple_try_eval (stmt);
	  break;
	case GIMPLE_COND:
	case GIMPLE_SWITCH:
	case GIMPLE_GOTO:
	case GIMPLE_LABEL:
	  *more = false;
	  return false;
	case GIMPLE_ASSIGN:
	  if (gimple_assign_lhs (stmt) == var)
	    return true;
	  break;
	default:
	  break;
	}
      if (always_set_p (inside, var, more))
	return true;
      if (!*more)
	return false;
    }
  return false;
}

bool
block_races_p (const block_region *b, gimple *parallel, tree var,
	       bool unordered)
{
  bool more = true;
  return register_p (var)
	 && (unordered || always_set_p (gimple_omp_body (parallel), var, &more))
	 && nowhere_else_p (b, parallel, var);
}

/* Does the geometry of an SPMD kernel show in its results?

   Each iteration is executed once at every geometry.  But the order in which
   threads add to one place follows the geometry, which floating-point sums
   show, and so do answers about the thread.  Where there is neither, a launch
   may try different geometries from one time to the next.

   Integers add up to the same in every order, where nobody asks for what is
   there in between.

   What an iteration reduces the threads of a block reduce together, in an
   order that follows the block but not the grid.

   Who sees what of an integer that several threads access atomically is decided by
   the order in which they come there, and that no grid fixes: it differs from one launch
   to the next.  So a kernel in which nothing else shows may have any grid, too, where
   nobody promises the same bits (spmd_free_p).

   Needs: spmd_find_sharing, atomic updates that are not hidden.  Keeps: all
   code.
   Source: OpenMP 5.0, 2.19.5: the order of a reduction is open.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* What was found on the way.  */
struct exact_look
{
  const spmd_nest *nest;
  bool blocks;		/* every block counts */
  bool free;		/* the order of atomic accesses to integers does not */
  bool inner;		/* this is code of an iteration */
  enum tree_code update;	/* of integers, ERROR_MARK: none was found */
};

/* A function does not look at what other threads may set meanwhile, nor
   asks.  */
static bool
harmless_call_p (const gimple *call)
{
  return gimple_call_internal_p (call)
	 || (gimple_call_flags (call) & ECF_CONST)
	 || !call_looks_p (as_a<const gcall *> (call));
}

/* Is CALL an atomic access to an integer, by GCC's own functions?  */
static bool
integer_access_p (const gimple *call)
{
  tree fn = gimple_call_fndecl (call);
  if (!fn || !call_atomic_p (fn) || gimple_call_num_args (call) == 0)
    return false;
  tree to = TREE_TYPE (gimple_call_arg (call, 0));
  return POINTER_TYPE_P (to) && INTEGRAL_TYPE_P (TREE_TYPE (to));
}

/* What CODE is called where several updates of a place may mix, or ERROR_MARK
   when their order shows.  */
static enum tree_code
update_of (enum tree_code code)
{
  switch (code)
    {
    case PLUS_EXPR:
    case MINUS_EXPR:
      return PLUS_EXPR;
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
    case MIN_EXPR:
    case MAX_EXPR:
      return code;
    default:
      return ERROR_MARK;
    }
}

/* Does GSI, at an atomic load, begin an update of an integer whose order
   nobody sees, and all others in LOOK are alike?  */
static bool
update_p (gimple_stmt_iterator gsi, exact_look *look)
{
  gimple *load = gsi_stmt (gsi);
  tree old = gimple_omp_atomic_load_lhs (as_a<gomp_atomic_load *> (load));
  gsi_next (&gsi);
  gassign *change = gsi_end_p (gsi) ? NULL
				    : dyn_cast<gassign *> (gsi_stmt (gsi));
  if (!change || !INTEGRAL_TYPE_P (TREE_TYPE (old))
      || gimple_omp_atomic_need_value_p (load)
      || gimple_assign_rhs1 (change) != old
      || gimple_assign_rhs2 (change) == old)
    return false;
  gsi_next (&gsi);
  gomp_atomic_store *store
    = gsi_end_p (gsi) ? NULL : dyn_cast<gomp_atomic_store *> (gsi_stmt (gsi));
  if (!store || gimple_omp_atomic_need_value_p (store)
      || gimple_omp_atomic_store_val (store) != gimple_assign_lhs (change))
    return false;
  enum tree_code code = update_of (gimple_assign_rhs_code (change));
  bool same = look->update == ERROR_MARK || look->update == code;
  look->update = code;
  return code != ERROR_MARK && same;
}

/* Does every reduction that STMT has give integers the same in every order?  */
static bool
integers_only_p (gimple *stmt)
{
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
      {
	tree var = OMP_CLAUSE_DECL (c);
	tree type = DECL_P (var) ? TREE_TYPE (var) : NULL_TREE;
	if (type && TREE_CODE (type) == REFERENCE_TYPE)
	  type = TREE_TYPE (type);
	if (!type || !INTEGRAL_TYPE_P (type)
	    || update_of (OMP_CLAUSE_REDUCTION_CODE (c)) == ERROR_MARK)
	  return false;
      }
  return true;
}

/* May the reduction that STMT has, if any, show?  */
static bool
reduction_shows_p (gimple *stmt, const exact_look *look)
{
  if (look->free && integers_only_p (stmt))
    return false;
  return (look->blocks || !look->inner)
	 && omp_find_clause (stmt_clauses (stmt), OMP_CLAUSE_REDUCTION);
}

static bool
may_show_p (gimple_stmt_iterator gsi, exact_look *look)
{
  gimple *stmt = gsi_stmt (gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_ATOMIC_LOAD:
      if (look->free)
	return !INTEGRAL_TYPE_P (TREE_TYPE (gimple_omp_atomic_load_lhs (
	  as_a<gomp_atomic_load *> (stmt))));
      return !update_p (gsi, look);
    case GIMPLE_ASM:
      return true;
    case GIMPLE_CALL:
      return !(look->free && integer_access_p (stmt)) && !harmless_call_p (stmt);
    default:
      return stmt_volatile_p (stmt) || reduction_shows_p (stmt, look);
    }
}

/* Is STMT, in the target of NEST, its loop, or the innermost of those that
   became it?  */
static bool
loop_of_p (const gimple *stmt, const spmd_nest *nest)
{
  unsigned n = nest->levels.length ();
  return stmt == nest->loop || (n && stmt == nest->levels[n - 1]);
}

static tree
exact_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  exact_look *look = (exact_look *) wi->info;
  bool shows = may_show_p (*gsi, look);
  *handled = shows || (!look->inner && loop_of_p (gsi_stmt (*gsi), look->nest));
  return shows ? integer_one_node : NULL_TREE;
}

/* May SEQ show?  INNER: it is what an iteration executes.  */
static bool
shows_p (exact_look *look, gimple_seq seq, bool inner)
{
  struct walk_stmt_info wi = {};
  wi.info = look;
  look->inner = inner;
  return walk_gimple_seq (seq, exact_stmt, NULL, &wi);
}

/* Is NEST's kernel exact, or FREE?  */
static bool
exact_p (const spmd_nest *nest, bool blocks, bool free)
{
  exact_look look = { nest, blocks, free, false, ERROR_MARK };
  return !nest->asks && !nest->tells && (blocks || !nest->several)
	 && !shows_p (&look, gimple_omp_body (nest->target), false)
	 && !shows_p (&look, gimple_omp_body (nest->loop), true);
}

bool
spmd_exact_p (const spmd_nest *nest, bool blocks)
{
  return exact_p (nest, blocks, false);
}

bool
spmd_free_p (const spmd_nest *nest)
{
  return exact_p (nest, true, true);
}

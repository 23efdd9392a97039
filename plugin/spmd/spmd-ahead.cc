/* The next row of a team comes into the GPU's cache while the team has this one.

   In rows with sums that threads keep (spmd-sums.cc), a block is all that a
   multiprocessor has, as its threads need most registers.  So nobody loads while
   they wait for each other and add up what they have.  Before a row, each thread
   asks for one line of the next one of its team's,

     for (i ...)				teams
       {
	 prefetch a[i + teams][thread's number * elements of a line]
	 ...
	 for (j ...)				threads
	   ... a[i][j] ...
       }

   of what the loop with the sums loads for each i and j.  A team has as many threads
   as the longest row that it keeps sums for has lines.

   What is asked for is what an iteration of the next row loads, so it is there.  An
   instruction that only asks changes nothing, so what is no plain function of the
   two indices is left out.

   Needs: spmd_keeps_sums_p.  Keeps: all values.  Breaks: nothing.
   Source: T. Mowry, M. Lam and A. Gupta, "Design and evaluation of a compiler
   algorithm for prefetching", ASPLOS 1992; PTX ISA, prefetch.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

enum
{
  /* Bytes of a line, and of those that threads of a team ask for at most.  */
  LINE = 128,
  LINES = 2,
  /* Variables in an address.  */
  MOST_VARIABLES = 64
};

/* ---- What a row executes ---- */

struct row_code
{
  auto_vec<gimple *> stmts;
  /* It goes straight on, but for loops.  */
  bool straight = true;
};

static tree
list_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  row_code *row = (row_code *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_GOTO:
    case GIMPLE_TRY:
      row->straight = false;
      break;
    default:
      row->stmts.safe_push (stmt);
    }
  return NULL_TREE;
}

/* The only statement of ROW that sets VAR, or NULL; *MANY when there are several, or
   a loop counts by it.  */
static gimple *
setter_of (const row_code *row, tree var, bool *many)
{
  gimple *found = NULL;
  for (unsigned i = 0; i < row->stmts.length (); i++)
    {
      gimple *stmt = row->stmts[i];
      bool sets = gimple_get_lhs (stmt) == var;
      if (gimple_code (stmt) == GIMPLE_OMP_FOR)
	for (unsigned k = 0; k < gimple_omp_for_collapse (stmt); k++)
	  sets |= gimple_omp_for_index (stmt, k) == var;
      *many |= sets && found;
      if (sets)
	found = stmt;
    }
  *many |= found && !is_gimple_assign (found);
  return found;
}

/* ---- Addresses ---- */

/* An address as a function of what is there in front of the row.  */
struct row_address
{
  const row_code *row;
  tree inner, outer;
  bool has_inner, has_outer, fails;
  unsigned variables;
};

static tree expand (row_address *a, tree expr);

/* What STMT assigns.  */
static tree
assigned (row_address *a, gimple *stmt)
{
  tree type = TREE_TYPE (gimple_assign_lhs (stmt));
  tree_code code = gimple_assign_rhs_code (stmt);
  tree x = gimple_assign_rhs1 (stmt);
  if (gimple_assign_load_p (stmt) && !DECL_P (x))
    a->fails = true;
  if (a->fails)
    return x;
  switch (get_gimple_rhs_class (code))
    {
    case GIMPLE_SINGLE_RHS:
      return expand (a, unshare_expr (x));
    case GIMPLE_UNARY_RHS:
      return build1 (code, type, expand (a, unshare_expr (x)));
    case GIMPLE_BINARY_RHS:
      return build2 (code, type, expand (a, unshare_expr (x)),
		     expand (a, unshare_expr (gimple_assign_rhs2 (stmt))));
    default:
      a->fails = true;
      return x;
    }
}

static tree
expand_variable (tree *tp, int *walk_subtrees, void *data)
{
  row_address *a = (row_address *) data;
  bool many = false;
  tree var = *tp;
  if (TYPE_P (var))
    *walk_subtrees = 0;
  if (!DECL_P (var) || TREE_CODE (var) == FIELD_DECL)
    return NULL_TREE;
  a->has_inner |= var == a->inner;
  a->has_outer |= var == a->outer;
  if (var == a->inner || var == a->outer)
    return NULL_TREE;
  gimple *stmt = setter_of (a->row, var, &many);
  a->fails |= many || ++a->variables > MOST_VARIABLES
	      || (!stmt && !is_gimple_reg_type (TREE_TYPE (var)));
  if (stmt && !a->fails)
    *tp = assigned (a, stmt);
  *walk_subtrees = 0;
  return a->fails ? var : NULL_TREE;
}

/* EXPR, which is not shared, made of what is there in front of the row, and the two
   indices.  */
static tree
expand (row_address *a, tree expr)
{
  walk_tree (&expr, expand_variable, a, NULL);
  return expr;
}

/* ---- Asking ---- */

/* Find in ADDRESSES what each iteration of INNER loads at a place of its own for each
   iteration of OUTER, made of what is there in front of ROW.  */
static void
find_addresses (const row_code *row, const gomp_for *outer, gomp_for *inner,
		vec<tree> *addresses)
{
  row_code loop;
  struct walk_stmt_info wi = {};
  wi.info = &loop;
  walk_gimple_seq (gimple_omp_body (inner), list_stmt, NULL, &wi);
  for (unsigned i = 0; i < loop.stmts.length (); i++)
    {
      gimple *stmt = loop.stmts[i];
      if (!gimple_assign_load_p (stmt) || stmt_volatile_p (stmt)
	  || DECL_P (gimple_assign_rhs1 (stmt))
	  || DECL_P (get_base_address (gimple_assign_rhs1 (stmt))))
	continue;
      row_address a = {};
      a.row = row;
      a.inner = gimple_omp_for_index (inner, 0);
      a.outer = gimple_omp_for_index (outer, 0);
      tree ref = unshare_expr (gimple_assign_rhs1 (stmt));
      tree address = expand (&a, build_fold_addr_expr (ref));
      bool wanted = !a.fails && a.has_inner && a.has_outer
		    && addresses->length () < LINES;
      for (unsigned k = 0; k < addresses->length (); k++)
	wanted &= !operand_equal_p ((*addresses)[k], address, 0);
      if (wanted)
	addresses->safe_push (address);
    }
}

/* A bound B of the loop inside of ROW, in front of that; or NULL.  */
static tree
bound_of (const row_code *row, tree b)
{
  row_address a = {};
  a.row = row;
  tree value = expand (&a, unshare_expr (b));
  return a.fails ? NULL_TREE : value;
}

void
spmd_ask_for_next (const spmd_nest *nest, const gomp_for *inner_loop,
		   const spmd_place *place, const spmd_space *space, val k,
		   val n, val end, code c)
{
  gomp_for *inner = CONST_CAST (gomp_for *, inner_loop);
  auto_vec<tree> addresses;
  row_code row;
  struct walk_stmt_info wi = {};
  wi.info = &row;
  walk_gimple_seq (gimple_omp_body (nest->loop), list_stmt, NULL, &wi);
  tree index = gimple_omp_for_index (inner, 0), type = TREE_TYPE (index);
  tree first = bound_of (&row, gimple_omp_for_initial (inner, 0));
  tree last = bound_of (&row, gimple_omp_for_final (inner, 0));
  if (!row.straight || gimple_omp_for_collapse (nest->loop) > 1 || !first
      || !last)
    return;
  find_addresses (&row, nest->loop, inner, &addresses);
  if (addresses.is_empty ())
    return;
  val next = c.let ("next", k + n);
  c.if_ (next < end, [&] {
    spmd_space_set (space, next, c);
    gimple_seq seq = NULL;
    code own = &seq;
    val size = TYPE_SIZE_UNIT (TREE_TYPE (TREE_TYPE (addresses[0])));
    val each = val (size_int (LINE)) / size;
    val at = own.let ("at", val (first).as (type)
			      + val (place->team.rank).as (type)
				  * each.as (type));
    val limit = own.let ("limit", val (last).as (type));
    own.if_ (test{ gimple_omp_for_cond (inner, 0), at, limit }, [&] {
      hash_map<tree, tree> map;
      map.put (index, at);
      for (unsigned i = 0; i < addresses.length (); i++)
	{
	  gimple_seq asks = NULL;
	  tree line = code_value (addresses[i], "line", &asks);
	  spmd_add_asm ("prefetch.L2 [%0];", NULL_TREE, line, NULL_TREE,
			&asks);
	  replace_variables (&asks, &map);
	  gimple_seq_add_seq (own, asks);
	}
    });
    spmd_replace (space->sharing, &seq);
    gimple_seq_add_seq (c, seq);
    spmd_space_set (space, k, c);
  });
}

/* What the threads of a team have to agree about.

   All threads of a team execute its code, and come to the same barriers as long as
   they take the same branches.  They compute the same from the same, but what they load
   may be something that another team stores meanwhile, in a program with a data race
   that does not matter to it: a search by levels tests the level of a vertex while
   others set it.  Lanes of a warp load together and see the same; warps do not.  So
   where a branch depends on what is loaded, the first thread of a team of several warps
   tells the others what it has loaded.  What no branch depends on they need not
   agree about.

   DECIDE is a set of variables of the team: those that branches depend on, and those that
   these are set from.  All that set one are looked at, in any order.

   Needs: spmd_find_sharing.  Keeps: teams of one warp, which tell nobody anything.
   Source: OpenMP 5.0, 2.6, outside of parallel constructs a team has one thread.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

struct agree_walk
{
  const spmd_nest *nest;
  hash_set<tree> *decide;
  bool grown;
  /* A branch depends on what cannot be told.  */
  bool hard;
};

/* Branches depend on OP, an operand that is no load of what teams share.  */
static void
add_operand (agree_walk *w, tree op)
{
  if (!op || CONSTANT_CLASS_P (op))
    return;
  tree base = TREE_CODE (op) == ADDR_EXPR ? get_base_address (TREE_OPERAND (op, 0))
					  : op;
  if (TREE_CODE (op) == ADDR_EXPR)
    /* All threads have the same address of what is not theirs.  */
    w->hard |= !base || !DECL_P (base) || !is_global_var (base);
  else if (!DECL_P (op) || !register_p (op) || DECL_HAS_VALUE_EXPR_P (op)
	   || decl_by_reference_p (op) || spmd_shared_p (w->nest, op))
    w->hard = true;
  else
    w->grown |= !w->decide->add (op);
}

/* Does STMT set a register of the team's to what it loads from memory that teams
   share?  */
static bool
told_p (const spmd_nest *nest, gimple *stmt)
{
  if (!gimple_assign_load_p (stmt))
    return false;
  tree base = get_base_address (gimple_assign_rhs1 (stmt));
  tree lhs = gimple_assign_lhs (stmt);
  tree size = TYPE_SIZE_UNIT (TREE_TYPE (lhs));
  return base && spmd_shared_p (nest, base) && DECL_P (lhs) && register_p (lhs)
	 && !spmd_shared_p (nest, lhs) && TREE_CODE (size) == INTEGER_CST
	 && compare_tree_int (size, 8) <= 0;
}

/* STMT may set a variable of W's.  */
static void
look_at_setter (agree_walk *w, gimple *stmt)
{
  tree lhs = gimple_get_lhs (stmt);
  if (!lhs || !DECL_P (lhs) || !w->decide->contains (lhs) || told_p (w->nest, stmt))
    return;
  gcall *call = dyn_cast<gcall *> (stmt);
  if (call && call_without_memory_p (call))
    for (unsigned i = 0; i < gimple_call_num_args (call); i++)
      add_operand (w, gimple_call_arg (call, i));
  else if (is_gimple_assign (stmt) && !gimple_clobber_p (stmt))
    for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
      add_operand (w, gimple_op (stmt, i));
  else
    w->hard |= !gimple_clobber_p (stmt);
}

static tree
agree_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  agree_walk *w = (agree_walk *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_PARALLEL:
      /* A variable of the team's that this sets is what all threads come to
	 together.  */
      *handled = true;
      break;
    case GIMPLE_COND:
      add_operand (w, gimple_cond_lhs (stmt));
      add_operand (w, gimple_cond_rhs (stmt));
      break;
    case GIMPLE_SWITCH:
      add_operand (w, gimple_switch_index (as_a<gswitch *> (stmt)));
      break;
    default:
      w->hard |= is_gimple_omp (stmt);
      look_at_setter (w, stmt);
    }
  return NULL_TREE;
}

bool
spmd_find_agreed (const spmd_nest *nest, gimple_seq seq, hash_set<tree> *decide)
{
  agree_walk w = { nest, decide, true, false };
  while (w.grown && !w.hard)
    {
      w.grown = false;
      struct walk_stmt_info wi = {};
      wi.info = &w;
      walk_gimple_seq (seq, agree_stmt, NULL, &wi);
      for (unsigned i = 0; i < nest->prefix.length (); i++)
	look_at_setter (&w, nest->prefix[i]);
      for (unsigned i = 0; i < nest->before.length (); i++)
	{
	  look_at_setter (&w, nest->before[i]);
	  /* Nobody tells what is loaded there.  */
	  tree lhs = gimple_get_lhs (nest->before[i]);
	  w.hard |= lhs && decide->contains (lhs) && told_p (nest, nest->before[i]);
	}
    }
  return !w.hard;
}

bool
spmd_agreed_p (const spmd_nest *nest, gimple *stmt, hash_set<tree> *decide)
{
  return told_p (nest, stmt)
	 && (!decide || decide->contains (gimple_assign_lhs (stmt)));
}

void
spmd_agree (tree var, const spmd_group *team, gimple_seq *seq)
{
  code c = seq;
  val size = team->size;
  c.if_ (size > SPMD_WARP, [&] {
    tree slot = spmd_slot (TYPE_MAIN_VARIANT (TREE_TYPE (var)), team->first_warp, c);
    c.if_ (val (team->rank) == 0, [&] { c.set (slot, var); });
    spmd_meet (team, c);
    c.set (var, unshare_expr (slot));
    /* The slot is free again.  */
    spmd_meet (team, c);
  });
}

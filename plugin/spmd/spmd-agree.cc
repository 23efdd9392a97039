/* What the first thread of a team tells the others.

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

   What may happen once only, an atomic access or a call with effects, the first thread
   executes, and tells what comes of it, to the lanes of its own warp, too.

   Needs: spmd_find_sharing.  Keeps: loads of teams of one warp, which tell nobody
   anything.
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

/* Is VALUE a register of the team's that the first thread can tell the others?  */
static bool
tellable_p (const spmd_nest *nest, tree value)
{
  tree size = TYPE_SIZE_UNIT (TREE_TYPE (value));
  return DECL_P (value) && register_p (value) && !spmd_shared_p (nest, value)
	 && size && TREE_CODE (size) == INTEGER_CST && compare_tree_int (size, 8) <= 0;
}

/* Does STMT set a register of the team's to what it loads from memory that teams
   share?  */
static bool
told_p (const spmd_nest *nest, gimple *stmt)
{
  if (!gimple_assign_load_p (stmt))
    return false;
  tree base = get_base_address (gimple_assign_rhs1 (stmt));
  return base && spmd_shared_p (nest, base)
	 && tellable_p (nest, gimple_assign_lhs (stmt));
}

/* STMT may set a variable of W's.  */
static void
look_at_setter (agree_walk *w, gimple *stmt)
{
  tree lhs = gimple_get_lhs (stmt);
  if (!lhs || !DECL_P (lhs) || !w->decide->contains (lhs) || told_p (w->nest, stmt)
      || spmd_effects_p (stmt))
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
    case GIMPLE_OMP_ATOMIC_LOAD:
    case GIMPLE_OMP_ATOMIC_STORE:
      /* All are told what comes of it.  */
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
spmd_tell (tree var, const spmd_group *team, gimple_seq *seq)
{
  code c = seq;
  tree slot = spmd_slot (TYPE_MAIN_VARIANT (TREE_TYPE (var)), team->first_warp, c);
  c.if_ (val (team->rank) == 0, [&] { c.set (slot, var); });
  spmd_meet (team, c);
  c.set (var, unshare_expr (slot));
  /* The slot is free again.  */
  spmd_meet (team, c);
}

/* ---- What happens once ---- */

tree
spmd_told (const spmd_nest *nest, tree value)
{
  return value && tellable_p (nest, value) ? value : NULL_TREE;
}

/* Why a team of NEST cannot go on with VALUE, which its first thread alone has, or NULL:
   then that tells it, or others find it in memory, or know it.  */
static const char *
value_why_not (const spmd_nest *nest, tree value)
{
  return !value || CONSTANT_CLASS_P (value)
	     || spmd_shared_p (nest, get_base_address (value))
	     || tellable_p (nest, value)
	   ? NULL
	   : "a value between the loops that one thread cannot tell the others";
}

/* The end of the atomic access that begins at I, in the same sequence, or NULL.  */
static gomp_atomic_store *
end_of_access (gimple_stmt_iterator i)
{
  for (; !gsi_end_p (i); gsi_next (&i))
    if (gomp_atomic_store *end = dyn_cast<gomp_atomic_store *> (gsi_stmt (i)))
      return end;
  return NULL;
}

/* The same for the atomic access that begins at I.  */
static const char *
access_why_not (const spmd_nest *nest, gimple_stmt_iterator i)
{
  gomp_atomic_load *begin = as_a<gomp_atomic_load *> (gsi_stmt (i));
  gomp_atomic_store *end = end_of_access (i);
  tree address = gimple_omp_atomic_load_rhs (begin);
  tree base = TREE_CODE (address) == ADDR_EXPR
		? get_base_address (TREE_OPERAND (address, 0))
		: NULL_TREE;
  if (!end)
    return "a construct between the loops";
  if (base && !spmd_shared_p (nest, base))
    return "an atomic access to a variable of the team";
  if (gimple_omp_atomic_need_value_p (begin))
    return value_why_not (nest, gimple_omp_atomic_load_lhs (begin));
  return gimple_omp_atomic_need_value_p (end)
	   ? value_why_not (nest, gimple_omp_atomic_store_val (end))
	   : NULL;
}

const char *
spmd_once_why_not (const spmd_nest *nest, gimple_stmt_iterator i)
{
  gimple *stmt = gsi_stmt (i);
  if (gimple_code (stmt) == GIMPLE_OMP_ATOMIC_LOAD)
    return access_why_not (nest, i);
  return spmd_effects_p (stmt) ? value_why_not (nest, gimple_call_lhs (stmt)) : NULL;
}

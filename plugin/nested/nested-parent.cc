/* Parents: what the body of a region does besides the children in it.

   The launching thread waits for the others of its group, and they for it.  So
   a parent may not wait for another by itself: a child stays in place where the
   parent has a loop that tests what others may change.  Nor may a value lead to
   memory that only the launching thread has.

   A child behind which nothing is done that anybody notices may be executed after
   its parent.

   Needs: children that nested.cc has rewritten; spmd_find_sharing of the
   parent.  Keeps: everything.  Breaks: nothing.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested-parent.h"
#include "spmd/spmd.h"

/* ---- Children ---- */

/* A child as it was.  */
struct kept_child
{
  gimple *inplace;
  gomp_target *child;
};

/* Those of the function in work.  */
static vec<kept_child> children;

void
nested_note_child (gimple *inplace, gomp_target *child)
{
  children.safe_push ({ inplace, child });
}

static bool waits;

void
nested_note_wait (void)
{
  waits = true;
}

bool
nested_children_p (void)
{
  return !children.is_empty ();
}

bool
nested_waits_p (void)
{
  return waits;
}

void
nested_forget_children (void)
{
  waits = false;
  children.truncate (0);
  nested_forget_bodies ();
}

gomp_target *
nested_child_of (const gimple *inplace)
{
  for (unsigned i = 0; i < children.length (); i++)
    if (children[i].inplace == inplace)
      return children[i].child;
  return NULL;
}

static tree
find_child (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  *handled = nested_child_of (gsi_stmt (*gsi)) != NULL;
  return *handled ? integer_one_node : NULL_TREE;
}

bool
nested_parent_p (const gomp_target *stmt)
{
  struct walk_stmt_info wi = {};
  return !children.is_empty ()
	 && walk_gimple_seq (gimple_omp_body (stmt), find_child, NULL, &wi);
}

/* ---- The walk ---- */

bool
nested_parent_own_p (nested_parent *p, tree var)
{
  return p->declared.contains (var) || spmd_private_p (p->sharing, var);
}

static tree parent_stmt (gimple_stmt_iterator *, bool *,
			 struct walk_stmt_info *);

/* Enter what STMT, which threads do not leave by a jump, encloses.  */
static void
enter_closed (gimple *stmt, struct walk_stmt_info *wi)
{
  nested_parent *p = (nested_parent *) wi->info;
  p->closed++;
  if (gtry *t = dyn_cast<gtry *> (stmt))
    {
      walk_gimple_seq (gimple_try_eval (t), parent_stmt, NULL, wi);
      walk_gimple_seq (gimple_try_cleanup (t), parent_stmt, NULL, wi);
    }
  else
    walk_gimple_seq (gimple_omp_body (stmt), parent_stmt, NULL, wi);
  p->closed--;
}

/* What has been met since POINT is in a loop, children included.  */
static void
note_loop (nested_parent *p, const nested_parent_point *point)
{
  p->waits |= p->looks > point->looks;
  if (p->found.length () > point->found)
    p->tail = p->found.length ();
  if (p->tells > point->tells)
    p->silent = p->found.length ();
}

/* The parent does what another thread may be waiting for.  */
static void
note_telling (nested_parent *p)
{
  p->tells++;
  p->silent = p->found.length ();
}

/* Note a jump to LABEL.  Every loop has one back, beyond each of its
   statements.  */
static void
note_target (nested_parent *p, tree label)
{
  if (const nested_parent_point *point = p->labels.get (label))
    note_loop (p, point);
}

/* Is EXPR what no other thread can change or see?  */
static bool
unnoticed_operand_p (nested_parent *p, tree expr)
{
  return CONSTANT_CLASS_P (expr)
	 || (DECL_P (expr) && !TREE_ADDRESSABLE (expr)
	     && nested_parent_own_p (p, expr));
}

/* Does nobody but the thread itself notice when STMT is executed?  */
static bool
unnoticed_p (nested_parent *p, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
    case GIMPLE_GOTO:
    case GIMPLE_LABEL:
      return true;
    case GIMPLE_TRY:
      return stmt_sequence_p (stmt);
    case GIMPLE_COND:
      return unnoticed_operand_p (p, gimple_cond_lhs (stmt))
	     && unnoticed_operand_p (p, gimple_cond_rhs (stmt));
    case GIMPLE_ASSIGN:
      if (gimple_clobber_p (stmt))
	return true;
      for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
	if (!unnoticed_operand_p (p, gimple_op (stmt, i)))
	  return false;
      return true;
    default:
      return stmt_empty_p (stmt);
    }
}

static bool
launch_p (const nested_parent *p, const gimple *stmt)
{
  return nested_child_of (stmt)
	 || (p->fn && is_gimple_call (stmt)
	     && gimple_call_fndecl (stmt) == p->fn);
}

/* May another thread be waiting for what STMT, alone, does?  */
static bool
tells_p (gimple *stmt)
{
  gcall *call = dyn_cast<gcall *> (stmt);
  return stmt_volatile_p (stmt) || (call && call_looks_p (call))
	 || gimple_code (stmt) == GIMPLE_OMP_ATOMIC_STORE;
}

static tree
find_telling (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *)
{
  *handled = tells_p (gsi_stmt (*gsi));
  return *handled ? integer_one_node : NULL_TREE;
}

/* Note LAUNCH.  What it does it does when it is waited for.  */
static void
note_launch (nested_parent *p, gimple *launch)
{
  p->found.safe_push (launch);
  if (p->closed)
    p->barred.safe_push (launch);
  struct walk_stmt_info wi = {};
  gbind *bind = dyn_cast<gbind *> (launch);
  if (bind ? walk_gimple_seq (gimple_bind_body (bind), find_telling, NULL, &wi)
	     != NULL
	   : tells_p (launch))
    note_telling (p);
}

static tree
parent_stmt (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  nested_parent *p = (nested_parent *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  p->looks += stmt_volatile_p (stmt);
  bool launch = launch_p (p, stmt);
  if (launch || !unnoticed_p (p, stmt))
    p->tail = p->found.length ();
  if (launch)
    {
      note_launch (p, stmt);
      *handled = true;
      return NULL_TREE;
    }
  if (tells_p (stmt))
    note_telling (p);
  unsigned n = 0;
  while (tree label = stmt_jump_target (stmt, n++))
    note_target (p, label);
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
      for (tree v = gimple_bind_vars (as_a<gbind *> (stmt)); v;
	   v = DECL_CHAIN (v))
	p->declared.add (v);
      break;
    case GIMPLE_TRY:
      *handled = !stmt_scope_body (stmt) && !stmt_sequence_p (stmt);
      if (*handled)
	enter_closed (stmt, wi);
      return NULL_TREE;
    case GIMPLE_OMP_FOR:
      {
	nested_parent_point begin = { p->found.length (), p->looks, p->tells };
	*handled = true;
	enter_closed (stmt, wi);
	note_loop (p, &begin);
	return NULL_TREE;
      }
    case GIMPLE_LABEL:
      p->labels.put (gimple_label_label (as_a<glabel *> (stmt)),
		     { p->found.length (), p->looks, p->tells });
      break;
    case GIMPLE_CALL:
      /* A function may have loops.  */
      if (call_looks_p (as_a<gcall *> (stmt)))
	p->waits = true;
      break;
    case GIMPLE_OMP_ATOMIC_LOAD:
      p->looks += gimple_omp_atomic_need_value_p (stmt);
      break;
    case GIMPLE_OMP_ATOMIC_STORE:
      p->looks += gimple_omp_atomic_need_value_p (stmt);
      break;
    default:
      break;
    }
  return NULL_TREE;
}

static bool
own_p (tree var, void *data)
{
  return nested_parent_own_p ((nested_parent *) data, var);
}

static bool
parent_launch_p (const gimple *stmt, void *data)
{
  return launch_p ((nested_parent *) data, stmt);
}

void
nested_look_at_parent (nested_parent *p, const spmd_sharing *sharing,
		       gimple_seq body)
{
  p->sharing = sharing;
  p->settings = NULL;
  p->closed = p->looks = p->tells = p->tail = p->silent = 0;
  p->waits = false;
  struct walk_stmt_info wi = {};
  wi.info = p;
  walk_gimple_seq (body, parent_stmt, NULL, &wi);
  p->escapes = false;
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    {
      const spmd_private *own = &sharing->privates[i];
      p->escapes |= own->kept;
      /* A constructor may wait for what another thread's destructor does.  */
      if (own->looks)
	{
	  p->waits = true;
	  p->silent = p->found.length ();
	}
    }
  p->escapes |= !nested_find_holders (body, own_p, parent_launch_p, p,
				     &p->holders);
}

const char nested_takes_address[]
  = "its parent takes the address of a variable of its own";

/* A thread that waits, in a loop or
   in a function that nobody knows, waits for what one does behind the child that
   it launches: leaves a lock, for instance.  */
const char *
nested_parent_why_not (const nested_parent *p, unsigned i)
{
  if (p->waits && i < p->silent)
    return "its parent has a loop that may wait for another thread";
  return p->escapes ? nested_takes_address : NULL;
}

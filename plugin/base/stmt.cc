/* What statements are, to whoever looks for constructs among them.

   Source: gimple.def in GCC.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"

tree
stmt_clauses (const gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_TARGET:
      return gimple_omp_target_clauses (stmt);
    case GIMPLE_OMP_TEAMS:
      return gimple_omp_teams_clauses (stmt);
    case GIMPLE_OMP_PARALLEL:
      return gimple_omp_parallel_clauses (stmt);
    case GIMPLE_OMP_TASK:
      return gimple_omp_task_clauses (stmt);
    case GIMPLE_OMP_FOR:
      return gimple_omp_for_clauses (stmt);
    case GIMPLE_OMP_SECTIONS:
      return gimple_omp_sections_clauses (stmt);
    case GIMPLE_OMP_SINGLE:
      return gimple_omp_single_clauses (stmt);
    case GIMPLE_OMP_SCOPE:
      return gimple_omp_scope_clauses (stmt);
    case GIMPLE_OMP_MASKED:
      return gimple_omp_masked_clauses (stmt);
    default:
      return NULL_TREE;
    }
}

tree
clause_copy (tree c)
{
  tree next = OMP_CLAUSE_CHAIN (c);
  OMP_CLAUSE_CHAIN (c) = NULL_TREE;
  tree copy = unshare_expr (c);
  OMP_CLAUSE_CHAIN (c) = next;
  return copy;
}

const char *
clause_bar_text (const_tree c, const char *whose)
{
  static char text[80];
  snprintf (text, sizeof text, "a clause %s%s",
	    omp_clause_code_name[OMP_CLAUSE_CODE (c)], whose);
  for (char *s = text; *s; s++)
    *s = *s == '_' ? ' ' : *s;
  return text;
}

bool
stmt_reverse_p (const gimple *stmt)
{
  if (!COMPAT_REVERSE_OFFLOAD || gimple_code (stmt) != GIMPLE_OMP_TARGET)
    return false;
  tree c = omp_find_clause (gimple_omp_target_clauses (stmt),
			    OMP_CLAUSE_DEVICE);
  return c && OMP_CLAUSE_DEVICE_ANCESTOR (c);
}

bool
stmt_traps_p (gimple *stmt)
{
  switch (gimple_assign_rhs_code (stmt))
    {
    case TRUNC_DIV_EXPR:
    case TRUNC_MOD_EXPR:
    case FLOOR_DIV_EXPR:
    case FLOOR_MOD_EXPR:
    case CEIL_DIV_EXPR:
    case EXACT_DIV_EXPR:
      return !integer_nonzerop (gimple_assign_rhs2 (stmt));
    default:
      return false;
    }
}

struct mention
{
  tree var;
  const gimple *except;
  bool found;
};

static tree
mention_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  *handled = gsi_stmt (*gsi) == ((mention *) wi->info)->except;
  return NULL_TREE;
}

static tree
mention_op (tree *tp, int *walk_subtrees, void *data)
{
  mention *m = (mention *) ((struct walk_stmt_info *) data)->info;
  m->found |= *tp == m->var;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return NULL_TREE;
}

bool
stmt_mentions_p (gimple_seq seq, tree var, const gimple *except)
{
  mention m = { var, except, false };
  struct walk_stmt_info wi = {};
  wi.info = &m;
  walk_gimple_seq (seq, mention_stmt, mention_op, &wi);
  return m.found;
}

tree
stmt_jump_target (gimple *stmt, unsigned n)
{
  if (gimple_code (stmt) == GIMPLE_GOTO && n == 0)
    return gimple_goto_dest (stmt);
  if (gcond *cond = dyn_cast<gcond *> (stmt))
    return n == 0   ? gimple_cond_true_label (cond)
	   : n == 1 ? gimple_cond_false_label (cond)
		    : NULL_TREE;
  gswitch *all = dyn_cast<gswitch *> (stmt);
  return all && n < gimple_switch_num_labels (all)
	   ? CASE_LABEL (gimple_switch_label (all, n))
	   : NULL_TREE;
}

bool
stmt_jumps_to_p (gimple *stmt, tree label)
{
  unsigned n = 0;
  while (tree to = stmt_jump_target (stmt, n++))
    if (to == label)
      return true;
  return false;
}

bool
stmt_empty_p (gimple *stmt)
{
  return gimple_nop_p (stmt) || is_gimple_debug (stmt)
	 || gimple_clobber_p (stmt) || gimple_code (stmt) == GIMPLE_PREDICT;
}

/* Nothing but ends of lifetimes in SEQ.  */
static bool
all_empty_p (gimple_seq seq)
{
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    if (!stmt_empty_p (gsi_stmt (i)))
      return false;
  return true;
}

static tree
find_volatile (tree *tp, int *walk_subtrees, void *)
{
  tree t = *tp;
  /* An address is no access, nor is a clobber, which has that bit.  */
  if (TYPE_P (t) || TREE_CODE (t) == ADDR_EXPR)
    *walk_subtrees = 0;
  return (DECL_P (t) || REFERENCE_CLASS_P (t)) && TREE_THIS_VOLATILE (t) ? t : NULL_TREE;
}

bool
stmt_volatile_p (const gimple *stmt)
{
  if (!gimple_has_ops (stmt))
    return false;
  for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
    {
      tree op = gimple_op (stmt, i);
      if (op && walk_tree (&op, find_volatile, NULL, NULL))
	return true;
    }
  return false;
}

gimple_seq
stmt_scope_body (gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_TRY
	     && gimple_try_kind (stmt) == GIMPLE_TRY_FINALLY
	     && all_empty_p (gimple_try_cleanup (stmt))
	   ? gimple_try_eval (stmt)
	   : NULL;
}

/* Labels of a sequence, and those that are jumped to.  */
struct jumps
{
  hash_set<tree> labels, targets;
  bool unknown;
};

static tree
note_jumps (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  jumps *j = (jumps *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  unsigned n = 0;
  while (tree to = stmt_jump_target (stmt, n++))
    if (TREE_CODE (to) == LABEL_DECL)
      j->targets.add (to);
    else
      j->unknown = true;
  switch (gimple_code (stmt))
    {
    case GIMPLE_LABEL:
      j->labels.add (gimple_label_label (as_a<glabel *> (stmt)));
      break;
    case GIMPLE_CALL:
      j->unknown |= flag_exceptions
		    && !gimple_call_nothrow_p (as_a<gcall *> (stmt));
      break;
    case GIMPLE_RETURN:
    case GIMPLE_RESX:
    case GIMPLE_ASM:
    case GIMPLE_EH_ELSE:
    case GIMPLE_TRANSACTION:
      j->unknown = true;
      break;
    default:
      break;
    }
  return NULL_TREE;
}

/* Does control leave SEQ at its end alone?  */
static bool
falls_through_p (gimple_seq seq)
{
  jumps j;
  j.unknown = false;
  struct walk_stmt_info wi = {};
  wi.info = &j;
  walk_gimple_seq (seq, note_jumps, NULL, &wi);
  for (hash_set<tree>::iterator i = j.targets.begin ();
       i != j.targets.end (); ++i)
    j.unknown |= !j.labels.contains (*i);
  return !j.unknown;
}

bool
stmt_sequence_p (const gimple *stmt)
{
  gtry *t = dyn_cast<gtry *> (CONST_CAST (gimple *, stmt));
  return t && gimple_try_kind (t) == GIMPLE_TRY_FINALLY
	 && !flag_non_call_exceptions && falls_through_p (gimple_try_eval (t))
	 && falls_through_p (gimple_try_cleanup (t));
}

bool
stmt_variable_size_p (tree clauses)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
	if (OMP_CLAUSE_PRIVATE_DEBUG (c))
	  break;
	/* FALLTHRU */
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_LASTPRIVATE:
	if (tree size = DECL_SIZE (OMP_CLAUSE_DECL (c)))
	  if (TREE_CODE (size) != INTEGER_CST)
	    return true;
	break;
      default:
	break;
      }
  return false;
}

bool
stmt_declares_expression_p (const gbind *bind)
{
  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
    if (VAR_P (v) && DECL_HAS_VALUE_EXPR_P (v))
      return true;
  return false;
}

bool
stmt_index_p (const gimple *stmt, tree var)
{
  if (gimple_code (stmt) == GIMPLE_OMP_FOR)
    for (unsigned i = 0; i < gimple_omp_for_collapse (stmt); i++)
      if (gimple_omp_for_index (stmt, i) == var)
	return true;
  return false;
}

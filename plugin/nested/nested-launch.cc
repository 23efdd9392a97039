/* Children of an SPMD kernel that a group of its threads may execute together.

   A child that was rewritten to run in place is also kept as it was.  Where its
   parent becomes an SPMD kernel (spmd.cc) we look at it as at a region of its
   own: when it is a loop whose iterations any threads may share, and when what
   it takes from the launching thread are values, a launch can be a record of
   those values.  Variables of the region around are the same to all threads.

   Whether a child may be launched at all is a question to its parent
   (nested-parent.cc); how the launch is asked for, nested-request.cc says.

   Needs: children that nested.cc has rewritten; spmd_find_sharing of the
   parent.  Keeps: everything.  Breaks: nothing.
   Source: El Hajj et al., KLAP (MICRO 2016), section II.A.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested-parent.h"
#include "spmd/spmd.h"

/* 64-bit words of shared memory that the records of a kernel may take: on any
   GPU several blocks have room for as many.  */
static const unsigned max_words = 3072;

/* ---- The child ---- */

struct child_search
{
  nested_parent *p;
  nested_launch *launch;
  /* Variables that have been seen, or are declared in the child's body; those
     whose address is taken there; those that it sets.  */
  hash_set<tree> seen, addressed, set;
  /* What sets variables in it.  */
  nested_settings inside;
  const char *why;
};

/* Pass on VAR, whose value the child has when it begins and nobody sets in it,
   as what is the same to all threads.  False when that is not known.  */
static bool
add_uniform (child_search *s, tree var)
{
  if (!s->p->settings || s->inside.get (var) || s->addressed.contains (var)
      || !option_enabled (ACR_OPTION_COLLECT))
    return false;
  tree value = nested_uniform_value (s->p->region, s->p->settings, var,
				     s->launch->inplace);
  if (value)
    s->launch->uniforms.safe_push ({ var, value });
  return value;
}

/* Pass on VALUE, which the child calls VAR, as a cell or not.  */
static void
add_field (child_search *s, tree value, tree var, bool cell, tree reduction)
{
  tree type = TREE_TYPE (var);
  if (DECL_HAS_VALUE_EXPR_P (var))
    s->why = "a variable that stands for an expression";
  else if (lang_hooks.decls.omp_privatize_by_reference (var))
    s->why = "a thread's own variable that is used by reference";
  else if ((!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type)
	    && !SCALAR_FLOAT_TYPE_P (type))
	   || TYPE_PRECISION (type) > 64 || s->addressed.contains (var))
    s->why = "a variable of the launching thread that is no plain value";
  else
    s->launch->fields.safe_push ({ value, var, cell, reduction });
}

/* The child has threads' own P.  Does it begin with a value?  */
static bool
has_value_p (const spmd_nest *nest, const spmd_private *p)
{
  for (unsigned i = 0; i < nest->before.length (); i++)
    if (gimple_get_lhs (nest->before[i])
	&& get_base_address (gimple_get_lhs (nest->before[i])) == p->var)
      return true;
  return p->copy_in;
}

static void
use_variable (child_search *s, tree var)
{
  if (s->p->holders.contains (var))
    s->why = nested_takes_address;
  const vec<spmd_private> &privates = s->launch->sharing->privates;
  for (unsigned i = 0; i < privates.length (); i++)
    if (privates[i].var == var)
      {
	if (has_value_p (s->launch->nest, &privates[i])
	    && !(privates[i].copy_in && !privates[i].by_reference
		 && add_uniform (s, var)))
	  add_field (s, NULL_TREE, var, false, NULL_TREE);
	return;
      }
  /* What it shares with the launching thread, and only reads, is a value as
     well: nobody else knows where that is.  */
  bool cell = s->set.contains (var) && spmd_shared_p (s->launch->nest, var);
  if (nested_parent_own_p (s->p, var)
      && (cell || spmd_private_p (s->p->sharing, var)
	  || !add_uniform (s, var)))
    add_field (s, var, var, cell, NULL_TREE);
}

static tree
find_use (tree *tp, int *walk_subtrees, void *data)
{
  child_search *s = (child_search *) ((struct walk_stmt_info *) data)->info;
  tree t = *tp;
  if (TYPE_P (t))
    *walk_subtrees = 0;
  else if ((VAR_P (t) || TREE_CODE (t) == PARM_DECL
	    || TREE_CODE (t) == RESULT_DECL)
	   && !s->why && !s->seen.add (t))
    use_variable (s, t);
  return NULL_TREE;
}

static bool
note_child_address (gimple *, tree base, tree, void *data)
{
  base = get_base_address (base);
  if (base && DECL_P (base))
    ((child_search *) data)->addressed.add (base);
  return false;
}

static bool
note_child_store (gimple *, tree base, tree, void *data)
{
  base = get_base_address (base);
  if (base && DECL_P (base))
    ((child_search *) data)->set.add (base);
  return false;
}

/* Variables that the clauses of LOOP, in the child, make its own or set.  */
static void
note_child_loop (child_search *s, const gomp_for *loop)
{
  for (tree c = gimple_omp_for_clauses (loop); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
	s->seen.add (OMP_CLAUSE_DECL (c));
	break;
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_LINEAR:
      case OMP_CLAUSE_REDUCTION:
	s->set.add (OMP_CLAUSE_DECL (c));
	break;
      default:
	break;
      }
}

/* Variables of the body.  */
static tree
child_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  child_search *s = (child_search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (gbind *bind = dyn_cast<gbind *> (stmt))
    for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
      s->seen.add (v);
  else if (gomp_for *loop = dyn_cast<gomp_for *> (stmt))
    note_child_loop (s, loop);
  else if (gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt))
    {
      tree address = gimple_omp_atomic_load_rhs (load);
      if (TREE_CODE (address) == ADDR_EXPR)
	note_child_store (stmt, TREE_OPERAND (address, 0), NULL_TREE, s);
    }
  walk_stmt_load_store_addr_ops (stmt, s, NULL, note_child_store,
				 note_child_address);
  return NULL_TREE;
}

/* Why a thread's own variables in the child bar the form, or NULL.  */
static const char *
privates_why_not (child_search *s)
{
  const vec<spmd_private> &privates = s->launch->sharing->privates;
  for (unsigned i = 0; i < privates.length (); i++)
    {
      const spmd_private *p = &privates[i];
      if (p->linear || p->copy_out)
	return "a variable that goes out after the last iteration";
      if (p->object)
	return "a reduction of what is no scalar";
      if (p->made)
	return "a private object with constructors";
      if (p->by_reference
	  && (!p->reduction || nested_parent_own_p (s->p, p->var)))
	return "a thread's own variable that is used by reference";
      if (p->reduction && nested_parent_own_p (s->p, p->var))
	add_field (s, NULL_TREE, p->var, true, p->reduction);
    }
  return s->why;
}

/* Is VAR a variable of the launching thread's, and none of the child's?  */
static bool
launching_own_p (tree var, void *data)
{
  child_search *s = (child_search *) data;
  return nested_parent_own_p (s->p, var) && !s->seen.contains (var)
	 && !spmd_private_p (s->launch->sharing, var)
	 && !DECL_HAS_VALUE_EXPR_P (var)
	 && !s->p->holders.contains (var)
	 && !lang_hooks.decls.omp_privatize_by_reference (var);
}

/* Let variables stand for members of the launching thread's structures.  */
static void
split_members (child_search *s)
{
  unsigned first = s->launch->fields.length ();
  nested_split_members (s->launch->nest, launching_own_p, s, &s->set,
			&s->addressed, &s->launch->fields);
  for (unsigned i = first; i < s->launch->fields.length (); i++)
    s->seen.add (s->launch->fields[i].var);
}

static tree
find_holder (tree *tp, int *walk_subtrees, void *data)
{
  child_search *s = (child_search *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (s->p->holders.contains (*tp))
    s->why = nested_takes_address;
  return NULL_TREE;
}

/* Find the fields of S's launch.  */
static void
find_fields (child_search *s)
{
  spmd_nest *nest = s->launch->nest;
  struct walk_stmt_info wi = {};
  wi.info = s;
  walk_gimple_seq (gimple_omp_body (nest->loop), child_stmt, NULL, &wi);
  split_members (s);
  walk_gimple_seq (gimple_omp_body (nest->loop), NULL, find_use, &wi);
  for (unsigned i = 0; i < nest->before.length (); i++)
    walk_gimple_op (nest->before[i], find_holder, &wi);
  for (unsigned i = 0; i < nest->prefix.length (); i++)
    walk_gimple_op (nest->prefix[i], find_use, &wi);
  for (unsigned i = 0; i < gimple_omp_for_collapse (nest->loop); i++)
    {
      tree uses[] = { gimple_omp_for_initial (nest->loop, i),
		      gimple_omp_for_final (nest->loop, i),
		      gimple_omp_for_incr (nest->loop, i) };
      for (unsigned j = 0; j < ARRAY_SIZE (uses); j++)
	walk_tree (&uses[j], find_use, &wi, NULL);
    }
}

/* Bring the construct CHILD into L.  The result is NULL, or why threads cannot
   share it.  */
static const char *
find_child (nested_parent *p, gomp_target *child, nested_launch *l)
{
  region r = {};
  r.stmt = child;
  r.what = construct_of (child);
  spmd_nest *nest = l->nest;
  nest->launches = NULL;
  nest->acc = r.what->kind != ACR_KIND_OMP_TARGET;
  if (r.what->kind == ACR_KIND_ACC_KERNELS
      || r.what->kind == ACR_KIND_ACC_SERIAL)
    return "a loop that may not be independent";
  if (const char *why = nest->acc ? spmd_acc_find_nest (&r, nest)
				  : spmd_find_nest (child, 0, nest))
    return why;
  if (nest->several)
    return "several loops";
  if (nest->split)
    return "a loop over teams around others";
  if (const char *why = spmd_find_sharing (nest, l->sharing))
    return why;
  if (nest->asks)
    return "a question about the thread's place";
  child_search s;
  s.p = p;
  s.launch = l;
  s.why = NULL;
  nested_find_settings (child, &s.inside);
  s.why = privates_why_not (&s);
  if (!s.why)
    find_fields (&s);
  return s.why;
}

/* ---- Launches ---- */

/* May L, of CHILD, be executed after its parent?  Either that says so, or the
   parent does nothing behind it (TAIL): its iterations are in no order.  */
static bool
defers_p (const nested_launch *l, const gomp_target *child, bool tail)
{
  tree clauses = gimple_omp_target_clauses (child);
  for (unsigned j = 0; j < l->fields.length (); j++)
    if (l->fields[j].cell)
      return false;
  if (nested_waits_p () || omp_find_clause (clauses, OMP_CLAUSE_DEPEND)
      || omp_find_clause (clauses, OMP_CLAUSE_WAIT))
    return false;
  return tail || omp_find_clause (clauses, OMP_CLAUSE_NOWAIT)
	 || omp_find_clause (clauses, OMP_CLAUSE_ASYNC);
}

/* Does L, which defers, launch itself again?  It does when the last that an
   iteration of it does is to call the function whose body has taken it in.  */
static void
find_level (nested_launch *l)
{
  l->body = nested_body_around (l->inplace);
  if (!l->body)
    return;
  nested_parent p;
  p.fn = l->body->fn;
  for (unsigned i = 0; i < l->fields.length (); i++)
    p.declared.add (l->fields[i].var);
  nested_look_at_parent (&p, l->sharing, gimple_omp_body (l->nest->loop));
  unsigned n = p.found.length ();
  gcall *last = n ? as_a<gcall *> (p.found[n - 1]) : NULL;
  if (last && p.tail == n - 1 && !p.barred.contains (last)
      && !nested_parent_why_not (&p, n - 1) && nested_fits_p (l->body, last))
    l->call = last;
}

static void
report (const gomp_target *child, const char *why, const nested_launch *l)
{
  location_t loc = gimple_location (child);
  const char *kind = construct_words (construct_of (child));
  if (why)
    remark_missed (loc, "nested %s: not for several threads: %s\n", kind, why);
  else
    remark_done (loc, "nested %s: may run on a warp or block%s%s\n", kind,
		 l->defers ? ", or after its parent" : "",
		 l->call ? ", level by level" : "");
  if (!why && !l->uniforms.is_empty ())
    remark_done (loc, "nested %s: values that all threads have the same, and"
		 " compute: %u\n", kind, l->uniforms.length ());
}

static void
free_launch (nested_launch *l)
{
  delete l->nest;
  delete l->sharing;
  delete l;
}

nested_launches *
nested_find_launches (region *r, const spmd_nest *nest,
		      const spmd_sharing *sharing)
{
  if (!nested_children_p () || nest->split)
    return NULL;
  nested_parent p;
  p.fn = NULL_TREE;
  nested_look_at_parent (&p, sharing, gimple_omp_body (nest->loop));
  nested_settings settings;
  nested_find_settings (nest->target, &settings);
  p.settings = &settings;
  p.region = r;

  nested_launches *launches = new nested_launches ();
  unsigned fields = 0;
  for (unsigned i = 0; i < p.found.length (); i++)
    {
      gomp_target *child = nested_child_of (p.found[i]);
      nested_launch *l = new nested_launch ();
      l->inplace = as_a<gbind *> (p.found[i]);
      l->nest = new spmd_nest ();
      l->sharing = new spmd_sharing ();
      enum nested_how how = nested_how_at (gimple_location (child));
      const char *why = how == NESTED_INPLACE ? "the command line says so"
					      : nested_parent_why_not (&p, i);
      if (!why && p.barred.contains (l->inplace))
	why = "a scope that threads do not leave";
      if (!why)
	why = find_child (&p, child, l);
      unsigned most = MAX (fields, l->fields.length ());
      if (!why
	  && nested_queue_words (launches->all.length () + 1, most) > max_words)
	why = "more values of launching threads than there is room for";
      l->defers = !why && how == NESTED_ANY && !spmd_constructs_p (sharing)
		  && defers_p (l, child, i >= p.tail);
      if (l->defers)
	find_level (l);
      report (child, why, l);
      if (why)
	{
	  free_launch (l);
	  continue;
	}
      fields = most;
      launches->defers |= l->defers;
      launches->levels |= l->call != NULL;
      launches->all.safe_push (l);
    }
  if (launches->all.is_empty ())
    {
      delete launches;
      return NULL;
    }
  return launches;
}

static tree
find_recursion (gimple_stmt_iterator *gsi, bool *handled,
		struct walk_stmt_info *)
{
  gcall *call = dyn_cast<gcall *> (gsi_stmt (*gsi));
  bool recurs = false;
  if (call && !gimple_call_internal_p (call))
    call_why_not (call, nested_body_in_place, &recurs);
  *handled = recurs;
  return recurs ? integer_one_node : NULL_TREE;
}

const char *
nested_recursion_why_not (const spmd_nest *nest,
			  const nested_launches *launches)
{
  struct walk_stmt_info wi = {};
  return !nest->acc && !(launches && launches->levels)
		 && walk_gimple_seq (gimple_omp_body (nest->loop),
				     find_recursion, NULL, &wi)
	   ? "a recursive function"
	   : NULL;
}

int
nested_levels (const nested_launches *launches)
{
  return launches ? 1 + launches->defers + launches->levels : 0;
}

void
nested_free_launches (nested_launches *launches)
{
  for (unsigned i = 0; launches && i < launches->all.length (); i++)
    free_launch (launches->all[i]);
  delete launches;
}

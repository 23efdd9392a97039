/* Is the order of memory accesses kept when two loops become one?

   Before, all iterations of the first body are executed, then all of the
   second.  Afterwards each thread executes an iteration of the first and at
   once the same one of the second.  So the second's iteration j comes before
   the first's iteration i whenever the threads like, for all i and j but i =
   j.  That makes no difference if for i not equal to j neither body writes
   what the other one reads or writes: depend.cc's question, asked for pairs of
   accesses of which each is in another body.  Pairs in one body are as
   independent as the source says.

   Scalars that an iteration sets must be its own, or reduced by the body that
   sets them and not mentioned by the other one.

   Needs: the merged construct.  Keeps: all code.
   Source: K. Kennedy and K. S. McKinley, "Maximizing Loop Parallelism and
   Improving Data Locality via Loop Fusion and Distribution", LCPC 1993.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

/* ---- Scalars ---- */

static bool
local_p (const fuse_shape *shape, tree var)
{
  for (unsigned i = 0; i < shape->locals.length (); i++)
    if (shape->locals[i].var == var)
      return true;
  return false;
}

/* Is VAR in a clause CODE of the constructs inside of F's merged target?  */
static bool
level_clause_p (const fusion *f, omp_clause_code code, tree var)
{
  for (unsigned i = 0; i < f->a.levels.length (); i++)
    for (tree c = stmt_clauses (fuse_level (&f->a, i)); c;
	 c = OMP_CLAUSE_CHAIN (c))
      if (OMP_CLAUSE_CODE (c) == code && OMP_CLAUSE_DECL (c) == var)
	return true;
  return false;
}

/* Is VAR each iteration's own, if that sets it before it reads it?  */
static bool
own_p (const fusion *f, tree var)
{
  return local_p (&f->a, var) || local_p (&f->b, var)
	 || line_declares_p (&f->l, var)
	 || level_clause_p (f, OMP_CLAUSE_PRIVATE, var)
	 || fuse_row_private_p (f, var);
}

static const char *
scalars_bar (const fusion *f, const line_loop *l)
{
  for (unsigned i = 0; i < l->assigned.length (); i++)
    {
      tree var = l->assigned[i];
      if (level_clause_p (f, OMP_CLAUSE_REDUCTION, var))
	continue;
      if (!own_p (f, var))
	return "iterations set a scalar that is not their own";
      if (l->exposed.contains (var))
	return "an iteration uses a scalar of the one before";
    }
  for (unsigned i = 0; i < l->combined.length (); i++)
    if (!level_clause_p (f, OMP_CLAUSE_REDUCTION, l->combined[i].var))
      return "an iteration uses a scalar of the one before";
  return NULL;
}

/* ---- Conditions ---- */

/* Is VAR a pointer that the program has from the device?  */
static bool
device_pointer_p (const fusion *f, tree var)
{
  for (tree c = gimple_omp_target_clauses (f->merged); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_IS_DEVICE_PTR
	|| (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	    && OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FORCE_DEVICEPTR))
      if (decl_named_p (OMP_CLAUSE_DECL (c), var))
	return true;
  return false;
}

/* Has the variable VAR in the merged construct the value that the host has in
   front of it?  A pointer to mapped data is an address of the host's there;
   that two ranges do not overlap is true on the device if it is on the
   host.  */
static bool
host_variable_p (const fusion *f, tree var)
{
  if (!register_p (var) && !POINTER_TYPE_P (TREE_TYPE (var)))
    return false;
  for (tree c = gimple_omp_target_clauses (f->merged); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	&& OMP_CLAUSE_DECL (c) == var)
      return !POINTER_TYPE_P (TREE_TYPE (var));
    else if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	     && OMP_CLAUSE_DECL (c) == var)
      return OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FIRSTPRIVATE_POINTER
	     || OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_POINTER;
  return false;
}

/* Can the host compute the leaf EXPR in front of the merged construct?  */
static bool
host_leaf_p (tree expr, void *data)
{
  const fusion *f = (const fusion *) data;
  if (CONSTANT_CLASS_P (expr) || TREE_CODE (expr) == SSA_NAME)
    return true;
  if (TREE_CODE (expr) == ADDR_EXPR)
    return DECL_P (TREE_OPERAND (expr, 0));
  return DECL_P (expr) && host_variable_p (f, expr)
	 && !device_pointer_p (f, expr);
}

/* ---- Symbols ---- */

/* A thread that reads its copy of a variable accesses no memory that others
   write.  */
static void
forget_copies (fusion *f)
{
  for (unsigned i = 0; i < f->l.accesses.length (); i++)
    {
      line_access *a = &f->l.accesses[i];
      if (!a->write && DECL_P (a->ref) && copy_of_thread_p (f->merged, a->ref)
	  && !line_written_by_name_p (&f->l, a->ref))
	a->in = NULL;
    }
}

/* The reference that the access A is through, when clauses reduce what that
   leads to; else NULL.  */
static tree
reduced_reference (const fusion *f, const line_access *a)
{
  tree base = reference_base (a->ref);
  if (TREE_CODE (base) != MEM_REF && TREE_CODE (base) != INDIRECT_REF)
    return NULL_TREE;
  tree var = TREE_OPERAND (base, 0);
  return DECL_P (var) && decl_by_reference_p (var)
	     && level_clause_p (f, OMP_CLAUSE_REDUCTION, var)
	   ? var
	   : NULL_TREE;
}

/* A thread that reduces has a result of its own, too.  What is there
   afterwards must not be what the other body accesses.  */
static const char *
forget_results (fusion *f)
{
  for (unsigned i = 0; i < f->l.accesses.length (); i++)
    {
      line_access *a = &f->l.accesses[i], result = *a;
      tree var = reduced_reference (f, a);
      if (!var)
	continue;
      a->in = NULL;
      result.object = object_index (&f->r, object_of_pointer (var));
      for (unsigned k = 0; k < f->l.accesses.length (); k++)
	if ((i < f->border_access) != (k < f->border_access)
	    && !depend_objects_apart_p (&f->l, &result, &f->l.accesses[k]))
	  return "a result of one may be what the other one accesses";
    }
  return NULL;
}

/* May a store change what a symbol stands for?  */
static bool
symbols_change_p (const fusion *f)
{
  const line *l = &f->l;
  for (unsigned i = 0; i < l->accesses.length (); i++)
    for (unsigned k = 0; l->accesses[i].symbolic && k < l->accesses.length ();
	 k++)
      {
	const line_access *a = &l->accesses[i], *b = &l->accesses[k];
	if (!b->write)
	  continue;
	if (DECL_P (a->ref) && copy_of_thread_p (f->merged, a->ref)
	      ? reference_base (b->ref) == a->ref
	      : !depend_load_apart_p (l, a, b)
		  && !fuse_load_apart_p (f, a->ref, a, b))
	  return true;
      }
  return false;
}

/* Can STORE not change what LOAD gives?  DATA is the fusion.  */
static bool
load_apart_p (const line_access *load, const line_access *store, void *data)
{
  const fusion *f = (const fusion *) data;
  return depend_load_apart_p (&f->l, load, store)
	 || fuse_load_apart_p (f, load->ref, load, store);
}

/* ---- All ---- */

/* The number of the first access of the second body.  */
static bool
find_border (fusion *f)
{
  int at = line_label (&f->l, f->border);
  if (at < 0)
    return false;
  hash_set<gimple *> first;
  for (int i = 0; i < at; i++)
    if (f->l.code[i])
      first.add (f->l.code[i]);
  f->border_access = 0;
  while (f->border_access < f->l.accesses.length ()
	 && first.contains (f->l.accesses[f->border_access].stmt))
    f->border_access++;
  return true;
}

/* The line of the source that the access A is on.  */
static int
line_of (const line_access *a)
{
  return expand_location (gimple_location (a->stmt)).line;
}

/* depend.cc's answer for L, in words.  */
static const char *
between_bar (fusion *f, line_loop *l)
{
  static char text[200];
  const line_access *pair[2] = { NULL, NULL };
  const char *why
    = depend_between (&f->l, l, f->border_access, &f->guard, pair);
  if (!why || !pair[0])
    return why;
  char *name = object_text (f->r.objects[pair[0]->object].name);
  char *other = object_text (f->r.objects[pair[1]->object].name);
  bool same = pair[0]->object == pair[1]->object;
  snprintf (text, sizeof text,
	    "%s, stored on line %d, may be %s%s%s by another iteration on line"
	    " %d",
	    name, line_of (pair[0]), same ? "" : other, same ? "" : ", ",
	    pair[1]->write ? "stored" : "read", line_of (pair[1]));
  free (name);
  free (other);
  return text;
}

bool
fuse_guard_known_p (fusion *f, tree guard)
{
  return integer_onep (guard) || expr_made_of_p (guard, host_leaf_p, f);
}

static const char *
order_bar (fusion *f)
{
  line_loop *l = f->l.loops[0];
  for (unsigned i = 0; i < gimple_omp_for_collapse (f->a.loop); i++)
    {
      if (l->broken)
	return l->broken;
      if (l->dependent)
	return l->dependent;
      if (const char *why = scalars_bar (f, l))
	return why;
      if (const char *why = between_bar (f, l))
	return why;
      if (i + 1 < gimple_omp_for_collapse (f->a.loop))
	l = l->inner[0];
    }
  if (symbols_change_p (f))
    return "they store what subscripts are made of";
  return fuse_guard_known_p (f, f->guard)
	   ? NULL
	   : "it depends on values that only the device knows";
}

/* Does a body load a floating-point value that is the same for all iterations?
   In a loop of its own GCC may load it once, and what is computed of it round
   otherwise.  */
static bool
invariant_load_p (const fusion *f)
{
  for (unsigned i = 0; i < f->l.accesses.length (); i++)
    {
      const line_access *a = &f->l.accesses[i];
      if (a->write || !a->in || !FLOAT_TYPE_P (TREE_TYPE (a->ref))
	  || a->address.n < 0 || affine_varies_p (&a->address))
	continue;
      tree base = reference_base (a->ref);
      tree var = DECL_P (base) ? base : TREE_OPERAND (base, 0);
      if (!DECL_P (var)
	  || (!copy_of_thread_p (f->merged, var)
	      && !level_clause_p (f, OMP_CLAUSE_REDUCTION, var)))
	return true;
    }
  return false;
}

static const char *
needs_bar (const fusion *f)
{
  for (unsigned i = 0; i < f->needs.length (); i++)
    {
      const fuse_need *n = &f->needs[i];
      if ((n->first_writes_not
	   && fuse_written_p (f, n->clause, 0, f->border_access))
	  || (n->second_writes_not
	      && fuse_written_p (f, n->clause, f->border_access,
				 f->l.accesses.length ())))
	return "one of them changes a copy that the other does not have";
    }
  return NULL;
}

const char *
fuse_legal_bar (fusion *f)
{
  f->guard = boolean_true_node;
  f->r.stmt = f->merged;
  f->r.what = construct_of (f->merged);
  f->r.loc = gimple_location (f->merged);
  operand_find (&f->r);
  access_find (&f->r);
  fuse_enter_host_loads (f);
  if (option_enabled (ACR_OPTION_ALIAS))
    alias_find (&f->r);
  line_make_serial (&f->l, &f->r);
  if (f->l.broken)
    return f->l.broken;
  f->l.loads = true;
  flow_find (&f->l);
  line_forget_loaded (&f->l, load_apart_p, f);
  if (f->l.loops.is_empty () || !f->l.loops[0]->directive || !find_border (f))
    return "its loop is not understood";
  forget_copies (f);
  if (const char *why = forget_results (f))
    return why;
  if (const char *why = order_bar (f))
    return why;
  if (const char *why = needs_bar (f))
    return why;
  if (invariant_load_p (f))
    return "a value in memory that is the same for all iterations";
  return fuse_host_loads_bar (f);
}

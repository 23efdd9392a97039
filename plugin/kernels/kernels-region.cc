/* The clauses of the regions that a kernels construct becomes.

   A scalar whose mapping is new (parts.h) comes to a part by value, and is
   mapped where the part gives it back.  Other data are as the construct has
   them; where there are several parts, a data construct around these maps them
   first, so that each part finds them on the device.

   Needs: the construct's parts.  Keeps: the construct's own clauses.
   Source: OpenACC 3.2, 2.5.3, 2.6.2 and 2.6.5.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

tree
kernels_add_clause (tree clauses, location_t loc, omp_clause_code code,
		    tree decl)
{
  tree c = build_omp_clause (loc, code);
  if (decl)
    OMP_CLAUSE_DECL (c) = decl;
  OMP_CLAUSE_CHAIN (c) = clauses;
  return c;
}

/* Does the clause C belong to the one before?  */
static bool
follower_p (const_tree c)
{
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP)
    return false;
  switch (OMP_CLAUSE_MAP_KIND (c))
    {
    case GOMP_MAP_POINTER:
    case GOMP_MAP_TO_PSET:
    case GOMP_MAP_FIRSTPRIVATE_POINTER:
    case GOMP_MAP_FIRSTPRIVATE_REFERENCE:
    case GOMP_MAP_ATTACH:
      return true;
    default:
      return false;
    }
}

/* ---- Scalars ---- */

/* The reference, a parameter of Fortran, that the clause C after the mapping
   of what it leads to is about, or NULL.  */
static tree
reference_of (tree mapped, tree c)
{
  return c && OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	     && OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_POINTER
	     && OMP_CLAUSE_DECL (c) == kernels_dereferenced (mapped)
	     && lang_hooks.decls.omp_privatize_by_reference (
	       OMP_CLAUSE_DECL (c))
	   ? OMP_CLAUSE_DECL (c)
	   : NULL_TREE;
}

/* The variable of the scalar that the clause C maps anew, or NULL.
   *REFERENCE is whether it is a reference to that, which the clause behind
   C is about.  */
static tree
scalar_of (const gomp_target *stmt, tree c, bool *reference)
{
  *reference = false;
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP)
    return NULL_TREE;
  tree decl = OMP_CLAUSE_DECL (c);
  if (follower_p (c) || !kernels_fresh_p (stmt, decl))
    return NULL_TREE;
  if (tree var = reference_of (decl, OMP_CLAUSE_CHAIN (c)))
    {
      *reference = true;
      return var;
    }
  return DECL_P (decl) && register_p (decl) ? decl : NULL_TREE;
}

/* Does the part in work set VAR outside of its regions?  */
static bool
stores_p (rewrite *w, tree var)
{
  part *p = w->now;
  if (p->nest)
    return kernels_reduced_p (w, var) || p->stored.contains (var);
  for (unsigned at = p->begin; at < p->end; at++)
    if (w->l.code[at] && gimple_get_lhs (w->l.code[at]) == var)
      return true;
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    if (w->l.loops[i]->begin >= p->begin && w->l.loops[i]->end <= p->end
	&& w->l.loops[i]->index == var)
      return true;
  return false;
}

/* Does any part set a scalar outside of its region?  */
static bool
any_stored_p (rewrite *w)
{
  part *before = w->now;
  bool any = false, reference;
  for (unsigned i = 0; i < w->parts.length (); i++)
    {
      w->now = w->parts[i];
      for (tree c = gimple_omp_target_clauses (w->stmt); c;
	   c = OMP_CLAUSE_CHAIN (c))
	if (tree var = scalar_of (w->stmt, c, &reference))
	  any |= stores_p (w, var)
		 || (reference && kernels_written_p (w, OMP_CLAUSE_DECL (c)));
      for (hash_map<tree, tree>::iterator v = w->hosted->begin ();
	   v != w->hosted->end (); ++v)
	any |= stores_p (w, (*v).first);
    }
  w->now = before;
  return any;
}

/* ---- Data ---- */

/* The first clause behind C that does not belong to it.  */
static tree
group_end (tree c)
{
  do
    c = OMP_CLAUSE_CHAIN (c);
  while (c && follower_p (c));
  return c;
}

static bool
kind_p (const_tree c, unsigned kind)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	 && OMP_CLAUSE_MAP_KIND (c) == kind;
}

const char *
kernels_data_bar (const gomp_target *stmt)
{
  bool reference;
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP && !follower_p (c)
	&& DECL_P (OMP_CLAUSE_DECL (c)) && is_gimple_reg (OMP_CLAUSE_DECL (c))
	&& !scalar_of (stmt, c, &reference))
      return "a scalar is mapped in a way of its own";
    else if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP && !follower_p (c))
      switch (OMP_CLAUSE_MAP_KIND (c))
	{
	case GOMP_MAP_ALLOC:
	case GOMP_MAP_TO:
	case GOMP_MAP_FROM:
	case GOMP_MAP_TOFROM:
	case GOMP_MAP_FORCE_ALLOC:
	case GOMP_MAP_FORCE_TO:
	case GOMP_MAP_FORCE_FROM:
	case GOMP_MAP_FORCE_TOFROM:
	case GOMP_MAP_FORCE_PRESENT:
	case GOMP_MAP_FORCE_DEVICEPTR:
	case GOMP_MAP_IF_PRESENT:
	case GOMP_MAP_STRUCT:
	  break;
	default:
	  return "its data are mapped in a way of their own";
	}
  return NULL;
}

/* The variable that the clause C is about, or leads to what it is about; else
   NULL.  */
static tree
variable_of (tree c)
{
  tree base = reference_base (OMP_CLAUSE_DECL (c));
  if (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == INDIRECT_REF)
    base = TREE_OPERAND (base, 0);
  return DECL_P (base) ? base : NULL_TREE;
}

/* Do the clauses from C up to END map nothing that the code, which mentions
   USED, is about?  */
static bool
unused_p (tree c, tree end, hash_set<tree> *used)
{
  bool named = false;
  for (; c != end; c = OMP_CLAUSE_CHAIN (c))
    {
      tree var = variable_of (c);
      named |= var != NULL_TREE;
      if (var && used->contains (var))
	return false;
    }
  return named;
}

/* What the clause C of a part says when a data construct has mapped the
   data.  */
static tree
present_clause (tree c)
{
  tree copy = clause_copy (c);
  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP)
    switch (OMP_CLAUSE_MAP_KIND (c))
      {
      case GOMP_MAP_FORCE_ALLOC:
	OMP_CLAUSE_SET_MAP_KIND (copy, GOMP_MAP_ALLOC);
	break;
      case GOMP_MAP_FORCE_TO:
	OMP_CLAUSE_SET_MAP_KIND (copy, GOMP_MAP_TO);
	break;
      case GOMP_MAP_FORCE_FROM:
	OMP_CLAUSE_SET_MAP_KIND (copy, GOMP_MAP_FROM);
	break;
      case GOMP_MAP_FORCE_TOFROM:
	OMP_CLAUSE_SET_MAP_KIND (copy, GOMP_MAP_TOFROM);
	break;
      default:
	break;
      }
  return copy;
}

/* What data constructs around STMT map.  */
struct around
{
  const gomp_target *stmt;
  hash_set<tree> mapped;
};

static tree
find_construct (gimple_stmt_iterator *gsi, bool *handled,
		struct walk_stmt_info *wi)
{
  *handled = gsi_stmt (*gsi) == ((around *) wi->info)->stmt;
  return *handled ? integer_one_node : NULL_TREE;
}

static tree
note_data (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  around *a = (around *) wi->info;
  gomp_target *data = dyn_cast<gomp_target *> (gsi_stmt (*gsi));
  struct walk_stmt_info inside = {};
  inside.info = a;
  if (!data
      || gimple_omp_target_kind (data) != GF_OMP_TARGET_KIND_OACC_DATA
      || omp_find_clause (gimple_omp_target_clauses (data), OMP_CLAUSE_IF)
      || !walk_gimple_seq (gimple_omp_body (data), find_construct, NULL,
			   &inside))
    return NULL_TREE;
  for (tree c = gimple_omp_target_clauses (data); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP && variable_of (c))
      a->mapped.add (variable_of (c));
  return NULL_TREE;
}

/* Are the data that the clauses from C up to END copy in and out mapped by
   a data construct around the region?  Were they not, each part would copy
   them.  */
static bool
mapped_around_p (around *a, tree c, tree end)
{
  if (!kind_p (c, GOMP_MAP_TOFROM))
    return false;
  for (; c != end; c = OMP_CLAUSE_CHAIN (c))
    if (variable_of (c) && a->mapped.contains (variable_of (c)))
      return true;
  return false;
}

/* Does a data construct have to map what C does?  Else every part finds it, or
   does not, by itself.  */
static bool
data_needed_p (const_tree c)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	 && !kind_p (c, GOMP_MAP_FORCE_PRESENT)
	 && !kind_p (c, GOMP_MAP_FORCE_DEVICEPTR)
	 && !kind_p (c, GOMP_MAP_IF_PRESENT);
}

/* Is the clause C about a pointer that has no place in a data construct:
   one that regions have for themselves, or that is in a register?  */
static bool
pointer_itself_p (const_tree c)
{
  return kind_p (c, GOMP_MAP_FIRSTPRIVATE_POINTER)
	 || kind_p (c, GOMP_MAP_FIRSTPRIVATE_REFERENCE)
	 || (kind_p (c, GOMP_MAP_POINTER)
	     && is_gimple_reg (OMP_CLAUSE_DECL (c)));
}

tree
kernels_data_clauses (rewrite *w)
{
  tree clauses = NULL_TREE, *end = &clauses;
  around a;
  struct walk_stmt_info wi = {};
  a.stmt = w->stmt;
  wi.info = &a;
  walk_gimple_seq (gimple_body (current_function_decl), note_data, NULL, &wi);
  for (tree c = gimple_omp_target_clauses (w->stmt), next; c; c = next)
    {
      next = group_end (c);
      bool reference;
      if (!data_needed_p (c) || scalar_of (w->stmt, c, &reference)
	  || mapped_around_p (&a, c, next))
	continue;
      for (; c != next; c = OMP_CLAUSE_CHAIN (c))
	if (!pointer_itself_p (c))
	  {
	    *end = clause_copy (c);
	    end = &OMP_CLAUSE_CHAIN (*end);
	  }
    }
  if (clauses && w->condition)
    {
      clauses = kernels_add_clause (clauses, gimple_location (w->stmt),
				    OMP_CLAUSE_IF, NULL_TREE);
      OMP_CLAUSE_IF_EXPR (clauses) = unshare_expr (w->condition);
    }
  return clauses;
}

bool
kernels_queued_p (rewrite *w)
{
  return !kernels_several_p (w)
	 || (!kernels_data_clauses (w) && !any_stored_p (w));
}

/* ---- Regions ---- */

/* SIZE, of gangs or the like, in front of the region, or NULL when only the
   region computes it.  */
static tree
host_size (rewrite *w, tree size)
{
  if (!size || !DECL_P (size) || !line_declares_p (&w->l, size))
    return unshare_expr (size);
  if (tree *var = w->hosted->get (size))
    return *var;
  return NULL_TREE;
}

/* The clause for C, a part's own, of the construct, or NULL.  SEVERAL:
   there are other parts.  */
static tree
other_clause (rewrite *w, tree c, bool several)
{
  tree copy;
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_IF:
      copy = clause_copy (c);
      OMP_CLAUSE_IF_EXPR (copy) = unshare_expr (w->condition);
      return copy;
    case OMP_CLAUSE_ASYNC:
      if (!kernels_queued_p (w))
	return NULL_TREE;
      copy = clause_copy (c);
      OMP_CLAUSE_ASYNC_EXPR (copy) = unshare_expr (w->queue);
      return copy;
    /* The host has seen to it.  */
    case OMP_CLAUSE_WAIT:
      return kernels_host_decides_p (w) ? NULL_TREE : clause_copy (c);
    case OMP_CLAUSE_NUM_GANGS:
    case OMP_CLAUSE_NUM_WORKERS:
    case OMP_CLAUSE_VECTOR_LENGTH:
      return w->now->nest ? clause_copy (c) : NULL_TREE;
    default:
      return several ? present_clause (c) : clause_copy (c);
    }
}

/* How many gangs and the like the directives of the nest in work ask for.  */
static tree
add_sizes (rewrite *w, tree clauses)
{
  for (int i = 0; i < LEVELS && w->now->nest; i++)
    if (tree size = host_size (w, w->now->sizes[i]))
      if (!omp_find_clause (clauses, kernels_numbers[i]))
	{
	  clauses = kernels_add_clause (clauses, gimple_location (w->stmt),
					kernels_numbers[i], NULL_TREE);
	  OMP_CLAUSE_OPERAND (clauses, 0) = size;
	}
  return clauses;
}

/* The clause for VAR, which the host holds between parts as HOST.  */
static tree
add_hosted (rewrite *w, tree clauses, tree var, tree host)
{
  bool stored = stores_p (w, var);
  clauses = kernels_add_clause (clauses, gimple_location (w->stmt),
				stored ? OMP_CLAUSE_MAP
				       : OMP_CLAUSE_FIRSTPRIVATE,
				host);
  if (stored)
    {
      OMP_CLAUSE_SET_MAP_KIND (clauses, GOMP_MAP_FORCE_TOFROM);
      OMP_CLAUSE_SIZE (clauses) = TYPE_SIZE_UNIT (TREE_TYPE (host));
    }
  return clauses;
}

tree
kernels_region_clauses (rewrite *w, hash_set<tree> *used)
{
  bool several = kernels_several_p (w);
  bool structures = false;
  tree clauses = NULL_TREE, *end = &clauses;
  for (tree c = gimple_omp_target_clauses (w->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    structures |= kind_p (c, GOMP_MAP_STRUCT);
  for (tree c = gimple_omp_target_clauses (w->stmt), next; c; c = next)
    {
      next = OMP_CLAUSE_CHAIN (c);
      bool reference;
      tree var = scalar_of (w->stmt, c, &reference), copy;
      bool stored = var
		    && (stores_p (w, var)
			|| (reference
			    && kernels_written_p (w, OMP_CLAUSE_DECL (c))));
      if (var && !stored)
	{
	  if (reference)
	    next = OMP_CLAUSE_CHAIN (next);
	  if (!used->contains (var))
	    continue;
	  copy = build_omp_clause (OMP_CLAUSE_LOCATION (c),
				   OMP_CLAUSE_FIRSTPRIVATE);
	  OMP_CLAUSE_DECL (copy) = var;
	}
      else if (var)
	copy = clause_copy (c);
      else if (several && !structures && OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	       && !follower_p (c) && unused_p (c, group_end (c), used))
	{
	  next = group_end (c);
	  continue;
	}
      else if (!(copy = other_clause (w, c, several)))
	continue;
      *end = copy;
      end = &OMP_CLAUSE_CHAIN (copy);
    }
  clauses = add_sizes (w, clauses);
  auto_vec<tree> hosted;
  decl_sorted_keys (w->hosted, &hosted);
  for (unsigned i = 0; i < hosted.length (); i++)
    if (used->contains (*w->hosted->get (hosted[i])))
      clauses = add_hosted (w, clauses, hosted[i], *w->hosted->get (hosted[i]));
  return clauses;
}

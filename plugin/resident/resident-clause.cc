/* The regions' clauses, and the construct's that stands for all of them.

   What comes by value the construct has by value; what regions map it maps
   once, as fuse-map.cc merges maps.  How many teams and threads there are is
   the runtime's.

   Needs: host_loop_bar.  Keeps: the regions' clauses.
   Source: OpenMP 5.0, 2.19.7; OpenACC 3.2, 2.6 and 2.7.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/building.h"

/* ---- Clauses ---- */

enum treatment
{
  CLAUSE_BARS,
  CLAUSE_VALUE,
  CLAUSE_ONCE,
  CLAUSE_MAPS,
  CLAUSE_SPENT,
  CLAUSE_REDUCES,
  CLAUSE_OPEN
};

static const struct
{
  omp_clause_code code;
  treatment how;
} treatments[] = {
  { OMP_CLAUSE_MAP, CLAUSE_MAPS },
  { OMP_CLAUSE_FIRSTPRIVATE, CLAUSE_VALUE },
  { OMP_CLAUSE_IS_DEVICE_PTR, CLAUSE_ONCE },
  { OMP_CLAUSE_NUM_TEAMS, CLAUSE_OPEN },
  { OMP_CLAUSE_THREAD_LIMIT, CLAUSE_OPEN },
  { OMP_CLAUSE_REDUCTION, CLAUSE_REDUCES },
  { OMP_CLAUSE_DEFAULT, CLAUSE_SPENT },
  { OMP_CLAUSE_DEFAULTMAP, CLAUSE_SPENT },
  { OMP_CLAUSE_COLLAPSE, CLAUSE_SPENT },
  /* Numbers in OpenACC are advice.  */
  { OMP_CLAUSE_NUM_GANGS, CLAUSE_SPENT },
  { OMP_CLAUSE_NUM_WORKERS, CLAUSE_SPENT },
  { OMP_CLAUSE_VECTOR_LENGTH, CLAUSE_SPENT },
};

static treatment
treatment_of (const_tree c)
{
  for (unsigned i = 0; i < ARRAY_SIZE (treatments); i++)
    if (treatments[i].code == OMP_CLAUSE_CODE (c))
      return treatments[i].how;
  return CLAUSE_BARS;
}

tree
clause_about (omp_clause_code code, tree var)
{
  tree c = build_omp_clause (UNKNOWN_LOCATION, code);
  OMP_CLAUSE_DECL (c) = var;
  return c;
}

static void
add_clause (building *b, tree c)
{
  OMP_CLAUSE_CHAIN (c) = b->clauses;
  b->clauses = c;
}

void
building_add_value (building *b, tree var)
{
  if (!b->l->locals.contains (var) && !b->values.add (var))
    add_clause (b, clause_about (OMP_CLAUSE_FIRSTPRIVATE, var));
}

static bool
clause_there_p (const building *b, const_tree like)
{
  for (tree c = b->clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_CODE (like)
	&& omp_clause_num_ops[OMP_CLAUSE_CODE (c)] > 0
	&& OMP_CLAUSE_OPERAND (c, 0) == OMP_CLAUSE_OPERAND (like, 0))
      return true;
  return false;
}

/* ---- What regions set ---- */

/* Does the region STMT set a variable that it has by value, and that its part
   has no copy of (resident-kernel.cc)?  Such a variable of the thread would
   keep that.  */
static bool
sets_value_p (const gomp_target *stmt)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
      {
	tree var = OMP_CLAUSE_DECL (c), type = TREE_TYPE (var);
	bool copied = INTEGRAL_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type);
	if (copied ? construct_points_p (stmt, var) : construct_stores_p (stmt, var))
	  return true;
      }
  return false;
}

/* ---- Clauses of the regions ---- */

/* How many teams and threads there are is left open: a region's own numbers
   its part obeys, with threads that idle.  */
static void
add_open (building *b, omp_clause_code code)
{
  if (omp_find_clause (b->clauses, code))
    return;
  tree c = build_omp_clause (UNKNOWN_LOCATION, code);
  OMP_CLAUSE_OPERAND (c, 0) = integer_zero_node;
  add_clause (b, c);
}

/* Is VAR a result of a region of L?  */
static bool
result_p (const host_loop *l, tree var)
{
  for (unsigned i = 0; i < l->regions.length (); i++)
    if (region_sets_p (host_loop_region (l, i), var))
      return true;
  return false;
}

static const char *
take_clause (building *b, tree c)
{
  switch (treatment_of (c))
    {
    case CLAUSE_VALUE:
      building_add_value (b, OMP_CLAUSE_DECL (c));
      return NULL;
    case CLAUSE_ONCE:
      if (b->l->sets.contains (OMP_CLAUSE_DECL (c)))
	return "a device pointer that changes";
      if (!clause_there_p (b, c))
	add_clause (b, clause_copy (c));
      return NULL;
    case CLAUSE_OPEN:
      add_open (b, OMP_CLAUSE_CODE (c));
      return NULL;
    case CLAUSE_MAPS:
    case CLAUSE_SPENT:
      return NULL;
    case CLAUSE_REDUCES:
      return result_p (b->l, OMP_CLAUSE_DECL (c))
	       ? NULL
	       : clause_bar_text (c, " of a region");
    default:
      return clause_bar_text (c, " of a region");
    }
}

/* The variable that REF, of a clause, begins with: the object, or the pointer
   or descriptor that leads there.  */
static tree
bottom_of (tree ref)
{
  tree var = reference_base (ref);
  while (TREE_CODE (var) == MEM_REF || INDIRECT_REF_P (var)
	 || CONVERT_EXPR_P (var))
    var = reference_base (TREE_OPERAND (var, 0));
  return var;
}

/* The pointer, or the object proper, that a clause maps may not change, nor be
   what threads compute with.  */
static const char *
mapped_bar (building *b, const_tree c)
{
  tree var = bottom_of (OMP_CLAUSE_DECL (c));
  if (!DECL_P (var) && TREE_CODE (var) != SSA_NAME)
    return "a mapping that is not understood";
  if (b->l->locals.contains (var) && !decl_temporary_p (var))
    return "a region maps a variable of the loop's own";
  if (b->l->sets.contains (var) && !b->l->pointers.contains (var)
      && !(TREE_CODE (var) == SSA_NAME || decl_temporary_p (var)))
    return "a region maps a variable that the host sets";
  return b->values.contains (var) || b->v->looked.contains (var)
	   ? "a variable that only one of them maps"
	   : NULL;
}

const char *
building_take_region (building *b, unsigned i)
{
  gomp_target *stmt = host_loop_region (b->l, i);
  const construct *what = construct_of (stmt);
  if (stmt_reverse_p (stmt)
      || (what->kind != ACR_KIND_OMP_TARGET
	  && what->kind != ACR_KIND_ACC_PARALLEL))
    return "a region of another kind";
  if (gimple_omp_target_kind (stmt)
      != gimple_omp_target_kind (host_loop_region (b->l, 0)))
    return "regions of two models";
  if (sets_value_p (stmt))
    return "a region sets a variable that it has by value";
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& host_loop_number_p (b->l, stmt, c))
      building_add_value (b, OMP_CLAUSE_DECL (c));
    else if (const char *why = take_clause (b, c))
      return why;
  return NULL;
}

bool
building_there_p (const fusion *f, tree c)
{
  tree size = OMP_CLAUSE_SIZE (c), var = reference_base (OMP_CLAUSE_DECL (c));
  object_name name = object_of_reference (OMP_CLAUSE_DECL (c));
  return fuse_pointer_map_p (c) || (size && integer_zerop (size))
	 || (DECL_P (var) && fuse_present_p (f, var))
	 || (name.var && DECL_P (name.var) && fuse_present_p (f, name.var));
}

const char *
building_merge_maps (building *b, fusion *f, unsigned i)
{
  tree clauses
    = unshare_expr (gimple_omp_target_clauses (host_loop_region (b->l, i)));
  auto_vec<tree> maps;
  fuse_list_maps (clauses, &maps);
  for (unsigned k = maps.length (); k--;)
    if (host_loop_number_p (b->l, host_loop_region (b->l, i), maps[k]))
      maps.ordered_remove (k);
  for (unsigned k = 0; k < maps.length (); k++)
    {
      if (const char *why = mapped_bar (b, maps[k]))
	return why;
      if (!b->e->regions.contains (host_loop_region (b->l, i))
	  && !building_there_p (f, maps[k]))
	return "data that only some rounds map, and no data construct around";
      b->at.put (maps[k], b->l->regions[i]);
    }
  f->second = host_loop_region (b->l, i);
  return fuse_merge_maps (f, maps);
}

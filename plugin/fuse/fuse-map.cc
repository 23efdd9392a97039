/* What two constructs map, mapped once.

   Where data are on the device already, nothing is copied, whatever the
   clauses say.  Where they are not, the first construct's end and the second's
   beginning would copy them back and forth.  For one object, be T1, F1, T2 and
   F2 whether the first and second copy it to the device and back.  Mapped
   once, it is copied

       to the device if T1, or if T2 and not F1	(then the host has the new values)
       back if F1 or F2

   and all sees the same values but for two cases, which bar the fusion: not
   F1, T2, and the first body writes, which the second is not to see; F1, not
   F2, and the second body writes, which the host is not to see.

   To need more memory at once than each of both did could fail.  So what is not
   known to be there already must be mapped by one of them all alone, but for
   scalars; or the host asks libgomp whether what the second maps is there.

   Clauses come in groups: data, and the pointers or descriptors that lead to
   them.  Two groups are about one object when the last pointer is the same
   variable, with the same bias, that nobody sets between; or an array at whose
   begin both are.

   Needs: the clauses of both copies.  Breaks: those of the first.
   Source: OpenMP 5.0, 2.19.7.1; OpenACC 3.2, 2.6 and 2.7;
   gomp_map_vars_internal in libgomp's target.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

enum
{
  /* Of a clause that counts as a scalar.  */
  SCALAR_BYTES = 64,
  /* To libgomp, of which each takes a tenth of a microsecond: two constructs take
     several.  */
  MOST_QUESTIONS = 4
};

/* A clause about data and those about the way to them.  */
struct map_group
{
  auto_vec<tree, 4> clauses;
  /* The variable, or the pointer variable that leads there.  */
  tree key;
  /* It has its counterpart.  */
  bool matched;
};

struct map_groups
{
  auto_vec<map_group *> all;
  ~map_groups ()
  {
    for (unsigned i = 0; i < all.length (); i++)
      delete all[i];
  }
};

void
fuse_list_maps (tree clauses, vec<tree> *maps)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP)
      maps->safe_push (c);
}

/* ---- Groups ---- */

bool
fuse_pointer_map_p (const_tree c)
{
  switch (OMP_CLAUSE_MAP_KIND (c))
    {
    case GOMP_MAP_POINTER:
    case GOMP_MAP_TO_PSET:
    case GOMP_MAP_FIRSTPRIVATE_POINTER:
    case GOMP_MAP_FIRSTPRIVATE_REFERENCE:
      return true;
    default:
      return false;
    }
}

static bool
plain_kind_p (unsigned kind)
{
  return kind == GOMP_MAP_ALLOC || kind == GOMP_MAP_TO
	 || kind == GOMP_MAP_FROM || kind == GOMP_MAP_TOFROM
	 || kind == GOMP_MAP_FORCE_PRESENT;
}

/* The pointer variable that REF is just what it points to, or NULL.  */
static tree
dereferenced (tree ref)
{
  if (TREE_CODE (ref) != INDIRECT_REF
      && (TREE_CODE (ref) != MEM_REF || !integer_zerop (TREE_OPERAND (ref, 1))))
    return NULL_TREE;
  object_name name = object_of_reference (ref);
  return name.depth == 1 && DECL_P (name.var) ? name.var : NULL_TREE;
}

/* The array variable at whose begin REF, an element, is, or NULL.  */
static tree
begin_of (tree ref)
{
  while (TREE_CODE (ref) == ARRAY_REF && integer_zerop (TREE_OPERAND (ref, 1))
	 && integer_zerop (array_ref_low_bound (ref)))
    ref = TREE_OPERAND (ref, 0);
  return VAR_P (ref) && TREE_CODE (TREE_TYPE (ref)) == ARRAY_TYPE ? ref
								  : NULL_TREE;
}

/* The variable that G is about, or NULL.  */
static tree
key_of (const map_group *g)
{
  for (unsigned i = g->clauses.length (); i-- > 0;)
    if (DECL_P (OMP_CLAUSE_DECL (g->clauses[i])))
      return OMP_CLAUSE_DECL (g->clauses[i]);
  if (g->clauses.length () != 1)
    return NULL_TREE;
  tree ref = OMP_CLAUSE_DECL (g->clauses[0]);
  return TREE_CODE (ref) == ARRAY_REF ? begin_of (ref) : dereferenced (ref);
}

/* Bring MAPS into groups; why they cannot be, or NULL.  */
static const char *
find_groups (const vec<tree> &maps, map_groups *groups)
{
  static const char strange[] = "a mapping that is not understood";
  for (unsigned i = 0; i < maps.length (); i++)
    {
      tree c = maps[i];
      if (!fuse_pointer_map_p (c))
	{
	  if (!plain_kind_p (OMP_CLAUSE_MAP_KIND (c)))
	    return strange;
	  groups->all.safe_push (new map_group ());
	}
      else if (groups->all.is_empty ())
	return strange;
      groups->all.last ()->clauses.safe_push (c);
    }
  for (unsigned i = 0; i < groups->all.length (); i++)
    {
      map_group *g = groups->all[i];
      g->key = key_of (g);
      if (!g->key || TREE_THIS_VOLATILE (g->key))
	return strange;
    }
  return NULL;
}

/* Is G a search for data only, which may not be there?  */
static bool
lookup_p (const map_group *g)
{
  tree c = g->clauses[0];
  return OMP_CLAUSE_SIZE (c) && integer_zerop (OMP_CLAUSE_SIZE (c));
}

static bool
asserts_presence_p (const map_group *g)
{
  return OMP_CLAUSE_MAP_KIND (g->clauses[0]) == GOMP_MAP_FORCE_PRESENT;
}

/* Does G map no more than a scalar?  */
static bool
small_p (const map_group *g)
{
  tree size = OMP_CLAUSE_SIZE (g->clauses[0]);
  return size && tree_fits_uhwi_p (size)
	 && tree_to_uhwi (size) <= SCALAR_BYTES;
}

/* ---- What is there already ---- */

/* Does STMT leave it to the program whether it maps at all, or on which
   device?  */
static bool
elsewhere_p (const gomp_target *stmt)
{
  tree clauses = gimple_omp_target_clauses (stmt);
  return omp_find_clause (clauses, OMP_CLAUSE_IF)
	 || omp_find_clause (clauses, OMP_CLAUSE_DEVICE);
}

bool
fuse_present_p (const fusion *f, tree key)
{
  if (elsewhere_p (f->first)
      || (POINTER_TYPE_P (TREE_TYPE (key)) && !object_set_once_p (key)))
    return false;
  for (unsigned i = 0; i < f->run->around.length (); i++)
    for (tree c = elsewhere_p (f->run->around[i])
		    ? NULL_TREE
		    : gimple_omp_target_clauses (f->run->around[i]);
	 c; c = OMP_CLAUSE_CHAIN (c))
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	  && OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FIRSTPRIVATE_POINTER
	  && (OMP_CLAUSE_DECL (c) == key
	      || (reference_base (OMP_CLAUSE_DECL (c)) != key
		  && object_of_reference (OMP_CLAUSE_DECL (c)).depth > 0
		  && object_of_reference (OMP_CLAUSE_DECL (c)).var == key)))
	return true;
  return false;
}

/* Is nothing new allocated for G, as far as is known?  */
static bool
there_p (const fusion *f, const map_group *g)
{
  return lookup_p (g) || asserts_presence_p (g) || fuse_present_p (f, g->key);
}

/* ---- Two groups about one object ---- */

/* Does A, which no pointer leads to, begin where B's pointer points?  */
static bool
same_begin_p (const map_group *a, const map_group *b)
{
  return a->clauses.length () == 1 && b->clauses.length () == 2
	 && dereferenced (OMP_CLAUSE_DECL (a->clauses[0])) == a->key
	 && OMP_CLAUSE_MAP_KIND (b->clauses[1]) == GOMP_MAP_FIRSTPRIVATE_POINTER
	 && OMP_CLAUSE_SIZE (b->clauses[1])
	 && integer_zerop (OMP_CLAUSE_SIZE (b->clauses[1]));
}

/* Are the ways to the data of A and B the same?  */
static bool
same_way_p (fusion *f, const map_group *a, const map_group *b)
{
  if (same_begin_p (a, b) || same_begin_p (b, a))
    return true;
  if (a->clauses.length () != b->clauses.length ())
    return false;
  for (unsigned i = 1; i < a->clauses.length (); i++)
    {
      tree x = a->clauses[i], y = b->clauses[i];
      if (OMP_CLAUSE_MAP_KIND (x) != OMP_CLAUSE_MAP_KIND (y)
	  || !OMP_CLAUSE_SIZE (x) || !OMP_CLAUSE_SIZE (y)
	  || !fuse_same_value_p (f, OMP_CLAUSE_SIZE (x), OMP_CLAUSE_SIZE (y)))
	return false;
    }
  return true;
}

/* Are as many bytes of the data mapped?  */
static bool
same_size_p (fusion *f, const map_group *a, const map_group *b)
{
  return fuse_same_value_p (f, OMP_CLAUSE_SIZE (a->clauses[0]),
			    OMP_CLAUSE_SIZE (b->clauses[0]));
}

/* Let the kind of A's clause be that for both, and note what that needs.  */
static void
merge_kinds (fusion *f, map_group *a, const map_group *b)
{
  tree c = a->clauses[0];
  unsigned first = OMP_CLAUSE_MAP_KIND (c);
  unsigned second = OMP_CLAUSE_MAP_KIND (b->clauses[0]);
  if (first == GOMP_MAP_FORCE_PRESENT || second == GOMP_MAP_FORCE_PRESENT)
    {
      OMP_CLAUSE_SET_MAP_KIND (c, GOMP_MAP_FORCE_PRESENT);
      return;
    }
  bool to_1 = first & GOMP_MAP_TO, from_1 = first & GOMP_MAP_FROM;
  bool to_2 = second & GOMP_MAP_TO, from_2 = second & GOMP_MAP_FROM;
  unsigned kind = GOMP_MAP_ALLOC;
  if (to_1 || (to_2 && !from_1))
    kind |= GOMP_MAP_TO;
  if (from_1 || from_2)
    kind |= GOMP_MAP_FROM;
  OMP_CLAUSE_SET_MAP_KIND (c, (gomp_map_kind) kind);
  if (fuse_present_p (f, a->key))
    return;
  if (!from_1 && to_2)
    f->needs.safe_push ({ c, true, false });
  if (from_1 && !from_2)
    f->needs.safe_push ({ c, false, true });
}

/* Put the clauses of G at the end of F's first target's.  */
static void
add_group (fusion *f, const map_group *g)
{
  tree clauses = gimple_omp_target_clauses (f->a.stmt), *end = &clauses;
  while (*end)
    end = &OMP_CLAUSE_CHAIN (*end);
  for (unsigned i = 0; i < g->clauses.length (); i++)
    {
      *end = g->clauses[i];
      OMP_CLAUSE_CHAIN (*end) = NULL_TREE;
      end = &OMP_CLAUSE_CHAIN (*end);
    }
  gimple_omp_target_set_clauses (f->a.stmt, clauses);
}

static void
drop_group (fusion *f, const map_group *g)
{
  tree clauses = gimple_omp_target_clauses (f->a.stmt);
  for (tree *c = &clauses; *c;)
    if (g->clauses.contains (*c))
      *c = OMP_CLAUSE_CHAIN (*c);
    else
      c = &OMP_CLAUSE_CHAIN (*c);
  gimple_omp_target_set_clauses (f->a.stmt, clauses);
}

/* Merge B into A, which is about the same object.  */
static const char *
merge_groups (fusion *f, map_group *a, map_group *b)
{
  a->matched = b->matched = true;
  if (!same_way_p (f, a, b))
    return "parts of one object that begin elsewhere";
  if (lookup_p (b))
    return NULL;
  if (lookup_p (a))
    {
      drop_group (f, a);
      add_group (f, b);
      return NULL;
    }
  if (!same_size_p (f, a, b) && !(there_p (f, a) && there_p (f, b)))
    return "parts of one object that may differ";
  merge_kinds (f, a, b);
  /* The pointer is needed if one of them needs it.  */
  if (b->clauses.length () > a->clauses.length ())
    {
      tree data = b->clauses[0];
      OMP_CLAUSE_SET_MAP_KIND (data,
			       OMP_CLAUSE_MAP_KIND (a->clauses[0]));
      for (unsigned i = 0; i < f->needs.length (); i++)
	if (f->needs[i].clause == a->clauses[0])
	  f->needs[i].clause = data;
      drop_group (f, a);
      add_group (f, b);
    }
  return NULL;
}

/* ---- All ---- */

/* Is VAR a variable of another kind to the clauses of F's first target?  */
static bool
other_kind_p (const fusion *f, tree var)
{
  for (tree c = gimple_omp_target_clauses (f->a.stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_IS_DEVICE_PTR)
	&& OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

/* Does G, of one construct alone, take memory?  */
static bool
takes_memory_p (const fusion *f, const map_group *g)
{
  return !g->matched && !there_p (f, g) && !small_p (g);
}

/* Does any of GROUPS?  */
static bool
takes_memory_p (const fusion *f, const map_groups &groups)
{
  for (unsigned i = 0; i < groups.all.length (); i++)
    if (takes_memory_p (f, groups.all[i]))
      return true;
  return false;
}

/* A test for the host, in front of the first construct: is the data of G on the
   device?  NULL where G's pointer might be another there.  */
static tree
test_of_presence (const fusion *f, const map_group *g)
{
  if (POINTER_TYPE_P (TREE_TYPE (g->key)) && !object_set_once_p (g->key))
    return NULL_TREE;
  bool omp = construct_of (f->first)->kind == ACR_KIND_OMP_TARGET;
  tree data = unshare_expr (OMP_CLAUSE_DECL (g->clauses[0]));
  data = fold_convert (const_ptr_type_node, build_fold_addr_expr (data));
  /* Where a part is there libgomp ends the program, whoever asks.  */
  tree what = size_one_node, type = integer_type_node;
  if (omp)
    what = build_call_expr (
      runtime_function ("omp_get_default_device",
			build_function_type_list (type, NULL_TREE)), 0);
  tree fn = runtime_function (omp ? "omp_target_is_present" : "acc_is_present",
			      build_function_type_list (type,
							TREE_TYPE (data),
							TREE_TYPE (what),
							NULL_TREE));
  return build2 (NE_EXPR, boolean_type_node,
		 build_call_expr (fn, 2, data, what), integer_zero_node);
}

/* Let F's condition say that the data of G are there.  False where the host had
   more to ask, *ASKED times before, than that is worth.  */
static bool
ask_group (fusion *f, const map_group *g, unsigned *asked)
{
  tree test = test_of_presence (f, g);
  if (!test || ++*asked > MOST_QUESTIONS)
    return false;
  if (f->present)
    test = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, f->present, test);
  f->present = test;
  return true;
}

/* The same for all of GROUPS that takes memory.  */
static bool
ask_presence (fusion *f, const map_groups &groups)
{
  unsigned asked = 0;
  if (elsewhere_p (f->first))
    return false;
  for (unsigned i = 0; i < groups.all.length (); i++)
    if (takes_memory_p (f, groups.all[i])
	&& !ask_group (f, groups.all[i], &asked))
      return false;
  return true;
}

bool
fuse_need_present (fusion *f, const gomp_target *stmt)
{
  auto_vec<tree> maps;
  map_groups groups;
  unsigned asked = 0;
  fuse_list_maps (gimple_omp_target_clauses (stmt), &maps);
  if (elsewhere_p (stmt) || find_groups (maps, &groups))
    return false;
  for (unsigned i = 0; i < groups.all.length (); i++)
    if (!there_p (f, groups.all[i]) && !ask_group (f, groups.all[i], &asked))
      return false;
  return true;
}

const char *
fuse_merge_maps (fusion *f, const vec<tree> &maps)
{
  auto_vec<tree> own;
  map_groups first, second;
  fuse_list_maps (gimple_omp_target_clauses (f->a.stmt), &own);
  if (const char *why = find_groups (own, &first))
    return why;
  if (const char *why = find_groups (maps, &second))
    return why;
  for (unsigned i = 0; i < second.all.length (); i++)
    {
      map_group *b = second.all[i];
      if (other_kind_p (f, b->key))
	return "a variable that only one of them maps";
      for (unsigned k = 0; k < first.all.length (); k++)
	if (first.all[k]->key == b->key)
	  if (const char *why = merge_groups (f, first.all[k], b))
	    return why;
    }
  if (takes_memory_p (f, first) && takes_memory_p (f, second)
      && !ask_presence (f, second))
    return "both map data that the other does not: more memory at once";
  for (unsigned i = 0; i < second.all.length (); i++)
    if (!second.all[i]->matched)
      add_group (f, second.all[i]);
  return NULL;
}

/* May an access of F's line, from number FROM up to TO, write the object
   INDEX?  */
static bool
object_written_p (const fusion *f, unsigned index, unsigned from, unsigned to)
{
  line_access of = {};
  of.object = index;
  for (unsigned i = from; i < to; i++)
    {
      const line_access *a = &f->l.accesses[i];
      if (a->write
	  && (a->object == index || !depend_objects_apart_p (&f->l, a, &of)))
	return true;
    }
  return false;
}

bool
fuse_written_p (const fusion *f, tree c, unsigned from, unsigned to)
{
  object_name name = object_of_reference (OMP_CLAUSE_DECL (c));
  region *r = CONST_CAST (region *, &f->r);
  return object_written_p (f, object_index (r, name), from, to);
}

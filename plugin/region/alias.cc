/* Alias groups: which objects of a region cannot be the same memory.

   An object gets a group of its own when one of these holds:

   - It is a variable.  Variables are distinct; what shares storage in the
     source (unions, COMMON, EQUIVALENCE) is one variable to GCC.
   - It was allocated in this function for an automatic pointer that is set
     nowhere else (C11 7.22.3: a new object).
   - It is reached from a parameter with restrict that is never set (C11
     6.7.3.1; gfortran says restrict for dummies without TARGET and POINTER,
     Fortran 2018 15.5.2.13), or from a descriptor whose address has restrict
     (arrays without TARGET and POINTER).  The rule is about conflicts, not
     overlap, as is the tag's GROUP.

   Parameters without restrict that are never set share one group: they may
   overlap one another and variables with static storage, but nothing that
   the function made.  Where the host has tested that they do not (fuse.cc), the
   group falls apart.  All else may overlap anything.

   Needs: access_find, whose objects get groups.  Keeps: all code.
   Source: C11 6.7.3.1 and 7.22.3; Fortran 2018 15.5.2.13.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

enum origin
{
  ORIGIN_UNKNOWN,
  /* A group of its own.  */
  ORIGIN_DISTINCT,
  /* Static storage: distinct from one another, but a plain parameter may
     point there.  */
  ORIGIN_STATIC,
  ORIGIN_PARAMETER
};

/* Is VAR declared to be another name for something?  */
static bool
alias_declared_p (tree var)
{
  return lookup_attribute ("alias", DECL_ATTRIBUTES (var))
	 || lookup_attribute ("weakref", DECL_ATTRIBUTES (var));
}

static origin
variable_origin (tree var, const char **proof)
{
  if (alias_declared_p (var))
    return ORIGIN_UNKNOWN;
  *proof = "variable";
  return is_global_var (var) ? ORIGIN_STATIC : ORIGIN_DISTINCT;
}

/* Where the object NAME, reached through a pointer, comes from.  */
static origin
target_origin (object_name name, const char **proof)
{
  tree var = name.var;
  tree type = TREE_TYPE (var);
  if (name.depth > 2)
    return ORIGIN_UNKNOWN;
  if (name.depth == 2 || descriptor_type_p (type))
    {
      tree descriptor = name.depth == 2 ? TREE_TYPE (type) : type;
      if (!descriptor_type_p (descriptor)
	  || !TYPE_RESTRICT (TREE_TYPE (TYPE_FIELDS (descriptor)))
	  || (name.depth == 2 && !object_never_set (var)))
	return ORIGIN_UNKNOWN;
      *proof = "array without target";
      return ORIGIN_DISTINCT;
    }
  if (object_allocation (var))
    {
      *proof = "allocated here";
      return ORIGIN_DISTINCT;
    }
  if (TREE_CODE (var) != PARM_DECL || !object_never_set (var))
    return ORIGIN_UNKNOWN;
  if (TYPE_RESTRICT (type))
    {
      *proof = "restrict";
      return ORIGIN_DISTINCT;
    }
  *proof = "parameter";
  return ORIGIN_PARAMETER;
}

static origin
object_origin (const object *o, const char **proof)
{
  if (!o->name.var)
    return ORIGIN_UNKNOWN;
  return o->name.depth == 0 ? variable_origin (o->name.var, proof)
			    : target_origin (o->name, proof);
}

/* The group of parameters without restrict.  */
static const int shared = 0;

/* Can the variable VAR have several declarations?  GCC numbers local statics
   in the order in which their names are asked for, so we must not ask.  */
static bool
linkage_name_p (tree var)
{
  return TREE_PUBLIC (var) || DECL_EXTERNAL (var)
	 || DECL_ASSEMBLER_NAME_SET_P (var);
}

/* Do the variables A and B with static storage have one?  */
static bool
same_storage_p (tree a, tree b)
{
  return a == b
	 || (is_global_var (a) && is_global_var (b) && linkage_name_p (a)
	     && linkage_name_p (b)
	     && DECL_ASSEMBLER_NAME (a) == DECL_ASSEMBLER_NAME (b));
}

bool
alias_with_variable_p (const object *o, tree var)
{
  if (alias_declared_p (var))
    return true;
  const char *proof;
  if (o->name.depth == 0)
    return alias_declared_p (o->name.var)
	   || same_storage_p (o->name.var, var);
  return o->group == ACR_ALIAS_ANY
	 || object_origin (o, &proof) == ORIGIN_PARAMETER;
}

/* One declaration may stand for another's storage: COMMON blocks have a
   variable per scope.  */
static int
group_of_same_storage (const region *r, unsigned i)
{
  for (unsigned j = 1; j < i; j++)
    {
      const object *o = &r->objects[j];
      if (o->name.depth == 0
	  && same_storage_p (o->name.var, r->objects[i].name.var))
	return o->group;
    }
  return ACR_ALIAS_ANY;
}

/* Does the object O of R take part?  Those of a data construct all do: what is
   not mapped is the host's.  */
static bool
grouped_p (const region *r, const object *o)
{
  return o->mapped || (data_construct_p (r) && o->name.var);
}

/* ---- Groups that fall apart ---- */

/* Pairs of R's objects that the host has tested.  */
struct tested_pairs
{
  const region *r;
  auto_vec<const object *> a, b;
};

static const object *
object_named (const region *r, object_name name)
{
  for (unsigned i = 1; i < r->objects.length (); i++)
    if (r->objects[i].name.var == name.var
	&& r->objects[i].name.depth == name.depth)
      return &r->objects[i];
  return NULL;
}

static void
add_tested (object_name a, object_name b, void *data)
{
  tested_pairs *t = (tested_pairs *) data;
  t->a.safe_push (object_named (t->r, a));
  t->b.safe_push (object_named (t->r, b));
}

/* May what is accessed through A be written through B, or the other way round?  */
static bool
conflict_p (const tested_pairs *t, const object *a, const object *b)
{
  for (unsigned i = 0; i < t->a.length (); i++)
    if ((t->a[i] == a && t->b[i] == b) || (t->a[i] == b && t->b[i] == a))
      return false;
  return (a->access | b->access) & ACR_ACCESS_WRITE;
}

/* Let objects of R that share a group have others, which begin with number
   GROUPS, where nothing that may be in conflict is in two of them.  */
static void
part_shared (region *r, int groups)
{
  tested_pairs t;
  t.r = r;
  region_each_tested (r->stmt, add_tested, &t);
  if (t.a.is_empty ())
    return;
  auto_vec<object *> left, part;
  for (unsigned i = 1; i < r->objects.length (); i++)
    if (r->objects[i].group == shared)
      left.safe_push (&r->objects[i]);
  while (!left.is_empty ())
    {
      part.safe_push (left.pop ());
      while (!part.is_empty ())
	{
	  object *o = part.pop ();
	  o->group = groups;
	  for (unsigned i = left.length (); i-- > 0;)
	    if (conflict_p (&t, o, left[i]))
	      {
		part.safe_push (left[i]);
		left.unordered_remove (i);
	      }
	}
      groups++;
    }
}

/* ---- All ---- */

void
alias_find (region *r)
{
  bool parameters = false;
  const char *proof;
  for (unsigned i = 1; i < r->objects.length (); i++)
    parameters |= grouped_p (r, &r->objects[i])
		  && object_origin (&r->objects[i], &proof)
		       == ORIGIN_PARAMETER;

  int groups = shared + 1;
  for (unsigned i = 1; i < r->objects.length (); i++)
    {
      object *o = &r->objects[i];
      if (!grouped_p (r, o))
	continue;
      switch (object_origin (o, &o->proof))
	{
	case ORIGIN_UNKNOWN:
	  break;
	case ORIGIN_PARAMETER:
	  o->group = shared;
	  break;
	case ORIGIN_STATIC:
	  o->group = parameters ? shared : group_of_same_storage (r, i);
	  if (o->group == ACR_ALIAS_ANY)
	    o->group = groups++;
	  break;
	case ORIGIN_DISTINCT:
	  o->group = groups++;
	  break;
	}
    }
  part_shared (r, groups);
}

bool
alias_constant_p (region *r, object_name name)
{
  if (!name.var || !object_known_p (r, name))
    return false;
  const object *o = &r->objects[object_index (r, name)];
  if (!o->mapped || o->access != ACR_ACCESS_READ)
    return false;
  for (unsigned i = 0; i < r->objects.length (); i++)
    {
      const object *other = &r->objects[i];
      if ((other->access & ACR_ACCESS_WRITE)
	  && (o->group == ACR_ALIAS_ANY || other->group == ACR_ALIAS_ANY
	      || o->group == other->group))
	return false;
    }
  return true;
}

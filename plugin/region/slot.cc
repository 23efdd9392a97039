/* Operands: from the directive's clauses to the slots of the argument block.

   Before omp-low each clause is read for what it maps, because then its
   expressions still are the source's.  omp-low gives every clause that sends
   something one field of the block, in the order of the clauses; after it we
   repeat that count and compare the names of all fields with the clauses.
   One difference, and nothing is said about the region's data.

   Needs: the clauses before omp-low and the block after it.  Keeps: all
   code.
   Source: scan_sharing_clauses and lower_omp_target in GCC's omp-low.cc; the
   meaning of a map kind on the device: gomp_map_vars_internal in libgomp's
   target.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

/* Bytes of one element of TYPE.  */
static unsigned
element_size (tree type)
{
  if (VOID_TYPE_P (type))
    return 0;
  tree size = TYPE_SIZE_UNIT (strip_array_types (type));
  return size && tree_fits_uhwi_p (size) ? tree_to_uhwi (size) : 0;
}

/* Clause C sends MAP; the facts are about the object NAME with elements of
   TYPE.  */
static void
add_operand (region *r, tree c, enum acr_map map, object_name name, tree type)
{
  operand op = {};
  op.clause = c;
  op.map = map;
  op.about = op.slot = -1;
  op.size = type ? element_size (type) : 0;
  if (name.var)
    {
      op.about = object_index (r, name);
      op.name = name_of_variable (name.var);
      r->objects[op.about].mapped = true;
    }
  r->operands.safe_push (op);
}

static const object_name nothing = { NULL_TREE, 0 };

/* The region has its own copy of VAR; accesses to it reach no operand.  */
static void
add_private (region *r, tree var)
{
  if (DECL_P (var))
    r->objects[object_index (r, { var, 0 })].mapped = true;
}

/* The element type of what the pointer variable VAR leads to, through a
   descriptor or not.  */
static tree
target_type (tree var)
{
  tree type = TREE_TYPE (var);
  return POINTER_TYPE_P (type) ? TREE_TYPE (type) : NULL_TREE;
}

/* The slot holds the address of a copy of the pointer variable VAR.  */
static void
add_pointer (region *r, tree c, tree var)
{
  if (!DECL_P (var) || !POINTER_TYPE_P (TREE_TYPE (var)))
    {
      add_operand (r, c, ACR_MAP_OTHER, nothing, NULL_TREE);
      return;
    }
  object_name name = object_of_pointer (var);
  bool descriptor = descriptor_type_p (target_type (var));
  if (descriptor)
    name.depth++;
  add_private (r, var);
  add_operand (r, c, descriptor ? ACR_MAP_PTR2 : ACR_MAP_PTR, name,
	       descriptor ? NULL_TREE : target_type (var));
  r->operands.last ().pointer = var;
}

/* The slot holds the address of the descriptor REF.  */
static void
add_descriptor (region *r, tree c, tree ref)
{
  object_name name = object_of_reference (ref);
  if (!name.var || !descriptor_type_p (TREE_TYPE (ref)))
    {
      add_operand (r, c, ACR_MAP_OTHER, nothing, NULL_TREE);
      return;
    }
  r->objects[object_index (r, name)].mapped = true;
  name.depth++;
  add_operand (r, c, ACR_MAP_PTR, name, NULL_TREE);
}

/* The slot holds the address of REF on the device.  A section of no length is
   char to GCC; then the pointer knows better.  */
static void
add_data (region *r, tree c, tree ref)
{
  object_name name = object_of_reference (ref);
  tree type = TREE_TYPE (ref);
  if (TREE_CODE (ref) == MEM_REF && TYPE_MAIN_VARIANT (type) == char_type_node
      && name.var && name.depth == 1 && target_type (name.var))
    type = target_type (name.var);
  add_operand (r, c, ACR_MAP_DATA, name, type);
}

/* omp-low gives a mapped variable that lives on the device no field.  */
static bool
device_variable_p (tree c, tree decl)
{
  switch (OMP_CLAUSE_MAP_KIND (c))
    {
    case GOMP_MAP_ALWAYS_TO:
    case GOMP_MAP_ALWAYS_FROM:
    case GOMP_MAP_ALWAYS_TOFROM:
    case GOMP_MAP_TO_PSET:
      return false;
    default:
      if (compat_always_present_p (OMP_CLAUSE_MAP_KIND (c)))
	return false;
      break;
    }
  if (!is_global_var (decl)
      || lookup_attribute ("omp declare target link", DECL_ATTRIBUTES (decl)))
    return false;
  varpool_node *node = varpool_node::get (decl);
  return node && node->offloadable;
}

static void
add_map (region *r, tree c)
{
  tree decl = OMP_CLAUSE_DECL (c);
  if (DECL_P (decl) && device_variable_p (c, decl))
    return;
  switch (OMP_CLAUSE_MAP_KIND (c))
    {
    case GOMP_MAP_FIRSTPRIVATE_POINTER:
    case GOMP_MAP_FIRSTPRIVATE_REFERENCE:
      add_private (r, decl);
      break;
    case GOMP_MAP_POINTER:
    case GOMP_MAP_ALWAYS_POINTER:
    case GOMP_MAP_FORCE_DEVICEPTR:
      add_pointer (r, c, decl);
      break;
    case GOMP_MAP_TO_PSET:
      add_descriptor (r, c, decl);
      break;
    case GOMP_MAP_ALLOC:
    case GOMP_MAP_TO:
    case GOMP_MAP_FROM:
    case GOMP_MAP_TOFROM:
    case GOMP_MAP_ALWAYS_TO:
    case GOMP_MAP_ALWAYS_FROM:
    case GOMP_MAP_ALWAYS_TOFROM:
    case GOMP_MAP_IF_PRESENT:
    case GOMP_MAP_FORCE_ALLOC:
    case GOMP_MAP_FORCE_TO:
    case GOMP_MAP_FORCE_FROM:
    case GOMP_MAP_FORCE_TOFROM:
    case GOMP_MAP_FORCE_PRESENT:
      add_data (r, c, decl);
      break;
    default:
      if (compat_always_present_p (OMP_CLAUSE_MAP_KIND (c)))
	add_data (r, c, decl);
      else
	add_operand (r, c, ACR_MAP_OTHER, nothing, NULL_TREE);
      break;
    }
}

static void
add_firstprivate (region *r, tree c)
{
  tree decl = OMP_CLAUSE_DECL (c), type = TREE_TYPE (decl);
  bool by_reference = lang_hooks.decls.omp_privatize_by_reference (decl);
  if (by_reference)
    type = TREE_TYPE (type);
  add_private (r, decl);
  if (by_reference)
    r->objects[object_index (r, object_of_pointer (decl))].mapped = true;
  bool value = !is_gimple_omp_oacc (r->stmt)
	       && ((INTEGRAL_TYPE_P (type)
		    && TYPE_PRECISION (type) <= POINTER_SIZE)
		   || TREE_CODE (type) == POINTER_TYPE);
  object_name name = { decl, 0 };
  if (by_reference)
    name = object_of_pointer (decl);
  add_operand (r, c, value ? ACR_MAP_VALUE : ACR_MAP_COPY, name, type);
}

static void
add_device_pointer (region *r, tree c)
{
  tree decl = OMP_CLAUSE_DECL (c);
  if (TREE_CODE (TREE_TYPE (decl)) == POINTER_TYPE
      && !lang_hooks.decls.omp_privatize_by_reference (decl))
    {
      add_private (r, decl);
      add_operand (r, c, ACR_MAP_DEVPTR, object_of_pointer (decl),
		   target_type (decl));
    }
  else
    add_operand (r, c, ACR_MAP_OTHER, nothing, NULL_TREE);
}

void
operand_find (region *r)
{
  object all = {};
  all.group = ACR_ALIAS_ANY;
  r->objects.safe_push (all);
  for (tree c = gimple_omp_target_clauses (r->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_MAP:
	add_map (r, c);
	break;
      case OMP_CLAUSE_FIRSTPRIVATE:
	add_firstprivate (r, c);
	break;
      case OMP_CLAUSE_IS_DEVICE_PTR:
      case OMP_CLAUSE_HAS_DEVICE_ADDR:
	add_device_pointer (r, c);
	break;
      default:
	break;
      }
}

/* May clause C have a field?  */
static bool
maps_p (tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_MAP:
    case OMP_CLAUSE_TO:
    case OMP_CLAUSE_FROM:
    case OMP_CLAUSE_FIRSTPRIVATE:
    case OMP_CLAUSE_USE_DEVICE_PTR:
    case OMP_CLAUSE_USE_DEVICE_ADDR:
    case OMP_CLAUSE_IS_DEVICE_PTR:
    case OMP_CLAUSE_HAS_DEVICE_ADDR:
      return true;
    default:
      return false;
    }
}

/* What a clause names whose variable has no constant size: its pointer.  */
static tree
sized_decl (tree decl)
{
  if (DECL_P (decl) && DECL_SIZE (decl)
      && TREE_CODE (DECL_SIZE (decl)) != INTEGER_CST)
    decl = reference_base (decl);
  return DECL_P (decl) ? decl : TREE_OPERAND (decl, 0);
}

/* Does clause C have a field?  Then *NAME is the field's name, or NULL when
   it has none.  */
static bool
field_p (tree c, tree *name)
{
  tree decl = OMP_CLAUSE_DECL (c);
  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP)
    {
      if (OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FIRSTPRIVATE_POINTER
	  || OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FIRSTPRIVATE_REFERENCE)
	return false;
      if (!DECL_P (decl))
	{
	  *name = OMP_CLAUSE_MAP_ZERO_BIAS_ARRAY_SECTION (c)
		    ? DECL_NAME (OMP_CLAUSE_DECL (OMP_CLAUSE_CHAIN (c)))
		    : NULL_TREE;
	  return true;
	}
      if (device_variable_p (c, decl))
	return false;
      if (OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_ATTACH
	  || OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_DETACH)
	{
	  *name = NULL_TREE;
	  return true;
	}
      decl = sized_decl (decl);
    }
  else if (DECL_P (decl)
	   && (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_TO
	       || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FROM))
    decl = sized_decl (decl);
  *name = DECL_P (decl) ? DECL_NAME (decl) : NULL_TREE;
  return true;
}

static acr_operand
slot_facts (const region *r, const operand *op, int slot)
{
  acr_operand facts = {};
  facts.name = op->name ? op->name : "";
  facts.slot = slot;
  facts.map = op->map;
  facts.group = ACR_ALIAS_ANY;
  facts.size = op->size;
  if (op->map == ACR_MAP_VALUE)
    return facts;
  const object *o = &r->objects[op->about < 0 ? anything : op->about];
  facts.access = (enum acr_access) o->access;
  /* A private copy is read when the region's own variable is made.  */
  if (op->map == ACR_MAP_COPY)
    facts.access = (enum acr_access) (o->access | ACR_ACCESS_READ);
  facts.group = o->group;
  return facts;
}

static operand *
find_operand (const region *r, tree c)
{
  for (unsigned i = 0; i < r->operands.length (); i++)
    if (r->operands[i].clause == c)
      return CONST_CAST (operand *, &r->operands[i]);
  return NULL;
}

static const char mismatch[] = "clauses do not match the argument block";

/* Two clauses in one field?  */
static bool
field_of_two_p (tree c)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	 && OMP_CLAUSE_MAP_ZERO_BIAS_ARRAY_SECTION (c)
	 && !DECL_P (OMP_CLAUSE_DECL (c));
}

/* After omp-low: call NOTE (C, SLOT) for each clause C of R's directive that
   has the slot SLOT, or shares it with the one before.  The result is NULL, or
   why clauses and block cannot be matched for sure.  */
template <typename F>
static const char *
each_slot (const region *r, F note)
{
  tree data = gimple_omp_target_data_arg (r->stmt);
  tree field
    = data ? TYPE_FIELDS (TREE_TYPE (TREE_VEC_ELT (data, 0))) : NULL_TREE;
  int slot = 0;
  for (tree c = gimple_omp_target_clauses (r->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    {
      tree name;
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_IN_REDUCTION)
	return "in_reduction";
      if (!maps_p (c) || !field_p (c, &name))
	continue;
      if (!field || DECL_NAME (field) != name
	  || int_byte_position (field) != slot * 8)
	return mismatch;
      note (c, slot);
      if (field_of_two_p (c))
	{
	  c = OMP_CLAUSE_CHAIN (c);
	  note (c, slot);
	}
      field = DECL_CHAIN (field);
      slot++;
    }
  return field ? mismatch : NULL;
}

const char *
slot_match (region *r, vec<acr_operand> *ops)
{
  unsigned matched = 0;
  bool all = true;
  const char *why = each_slot (r, [&] (tree c, int slot) {
    operand *op = find_operand (r, c);
    matched += op != NULL;
    if (op)
      op->slot = slot;
    /* The second of two says nothing new.  */
    if ((int) ops->length () > slot)
      return;
    all &= op != NULL;
    if (op)
      ops->safe_push (slot_facts (r, op, slot));
  });
  return why				   ? why
	 : !all				   ? mismatch
	 : matched != r->operands.length () ? mismatch
					   : NULL;
}

void
slot_names (const region *r, vec<acr_operand> *ops)
{
  const char *why = each_slot (r, [&] (tree c, int slot) {
    if ((int) ops->length () > slot)
      return;
    tree decl = OMP_CLAUSE_DECL (c);
    char *name = name_of_reference (decl);
    acr_operand op = {};
    op.slot = slot;
    op.map = name ? ACR_MAP_DATA : ACR_MAP_OTHER;
    op.name = name ? name : xstrdup ("");
    op.access = ACR_ACCESS_UNKNOWN;
    op.group = ACR_ALIAS_ANY;
    op.size = element_size (TREE_TYPE (decl));
    ops->safe_push (op);
  });
  while (why && ops->length ())
    free (const_cast<char *> (ops->pop ().name));
}

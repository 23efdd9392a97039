/* What variables and references to them are, from their declarations alone.

   Source: OpenMP 5.0, 2.19.1 (references); gfortran's trans-types.cc (array
   descriptors); tree.def in GCC.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"
#include "langhooks.h"

bool
register_p (tree var)
{
  return VAR_P (var) ? is_gimple_reg_type (TREE_TYPE (var))
			 && !TREE_ADDRESSABLE (var) && !TREE_STATIC (var)
			 && !DECL_EXTERNAL (var) && !TREE_THIS_VOLATILE (var)
			 && !DECL_HAS_VALUE_EXPR_P (var)
		     : (TREE_CODE (var) == PARM_DECL
			&& is_gimple_reg_type (TREE_TYPE (var))
			&& !TREE_ADDRESSABLE (var)
			&& !TREE_THIS_VOLATILE (var));
}

bool
decl_by_reference_p (const_tree var)
{
  return lang_hooks.decls.omp_privatize_by_reference (var);
}

bool
decl_temporary_p (tree var)
{
  return DECL_ARTIFICIAL (var) && DECL_IGNORED_P (var)
	 && !TREE_ADDRESSABLE (var) && is_gimple_reg_type (TREE_TYPE (var));
}

tree
reference_base (tree ref)
{
  while (handled_component_p (ref))
    ref = TREE_OPERAND (ref, 0);
  if (VAR_P (ref) && DECL_HAS_VALUE_EXPR_P (ref))
    return reference_base (DECL_VALUE_EXPR (ref));
  return ref;
}

bool
descriptor_type_p (const_tree type)
{
  /* gfortran's GFC_DESCRIPTOR_TYPE_P.  */
  return type && TREE_CODE (type) == RECORD_TYPE && lang_GNU_Fortran ()
	 && TYPE_LANG_FLAG_1 (type) && TYPE_FIELDS (type)
	 && POINTER_TYPE_P (TREE_TYPE (TYPE_FIELDS (type)));
}

bool
decl_in_descriptor_p (tree ref)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (descriptor_type_p (TREE_TYPE (TREE_OPERAND (ref, 0))))
      return true;
  return false;
}

bool
expr_made_of_p (tree expr, bool (*leaf) (tree, void *), void *data)
{
  if (!EXPR_P (expr) || handled_component_p (expr)
      || TREE_CODE (expr) == ADDR_EXPR || TREE_CODE (expr) == MEM_REF
      || TREE_CODE (expr) == INDIRECT_REF)
    return leaf (expr, data);
  for (int i = 0; i < TREE_OPERAND_LENGTH (expr); i++)
    if (!expr_made_of_p (TREE_OPERAND (expr, i), leaf, data))
      return false;
  return true;
}

static tree
find_variable (tree *tp, int *walk_subtrees, void *var)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return *tp == (tree) var ? *tp : NULL_TREE;
}

bool
decl_named_p (tree expr, tree var)
{
  return walk_tree_without_duplicates (&expr, find_variable, var);
}

tree
decl_value_type (tree var)
{
  tree type = TREE_TYPE (var);
  return decl_by_reference_p (var) ? TREE_TYPE (type) : type;
}

tree
decl_copy (tree var, tree type)
{
  tree copy = copy_var_decl (var, DECL_NAME (var), type);
  TREE_STATIC (copy) = TREE_PUBLIC (copy) = DECL_EXTERNAL (copy) = 0;
  TREE_READONLY (copy) = 0;
  DECL_ATTRIBUTES (copy) = NULL_TREE;
  DECL_CONTEXT (copy) = current_function_decl;
  DECL_SEEN_IN_BIND_EXPR_P (copy) = 1;
  return copy;
}

/* ---- Order ---- */

/* A number that is the same each time the compiler runs.  */
static unsigned
number_of (const_tree t)
{
  return DECL_P (t) ? DECL_UID (t)
	 : TREE_CODE (t) == SSA_NAME ? SSA_NAME_VERSION (t) : UINT_MAX;
}

static int
by_number (const void *a, const void *b)
{
  unsigned x = number_of (*(const tree *) a), y = number_of (*(const tree *) b);
  return (x > y) - (x < y);
}

void
decl_sort (vec<tree> *list)
{
  list->qsort (by_number);
}

void
decl_sorted (hash_set<tree> *set, vec<tree> *list)
{
  for (hash_set<tree>::iterator i = set->begin (); i != set->end (); ++i)
    list->safe_push (*i);
  decl_sort (list);
}

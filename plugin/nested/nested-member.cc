/* Structures of the launching thread's, of which a child reads members: an array
   descriptor of Fortran's, for instance.

   A record of a launch has room for plain values.  So each member that the child
   reads, and neither it nor a function may set, is a value of its own, which the
   launching thread passes on.

   Needs: a child that is a copy, whose nest is known.  Keeps: what the child
   computes.  Breaks: its references to such members, which name variables then.
   Source: scalar replacement of aggregates (GCC's tree-sra.cc).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"
#include "spmd/spmd.h"

namespace {

struct member_search
{
  nested_own_p own_p;
  void *data;
  hash_set<tree> *set, *addressed;
  vec<nested_field> *fields;
};

} // namespace

/* The variable that REF is a member of, at a place that is known, or NULL.  */
static tree
structure_of (tree ref)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    switch (TREE_CODE (ref))
      {
      case COMPONENT_REF:
	if (TREE_OPERAND (ref, 2) || DECL_BIT_FIELD (TREE_OPERAND (ref, 1)))
	  return NULL_TREE;
	break;
      case ARRAY_REF:
	if (TREE_CODE (TREE_OPERAND (ref, 1)) != INTEGER_CST
	    || TREE_OPERAND (ref, 2) || TREE_OPERAND (ref, 3))
	  return NULL_TREE;
	break;
      default:
	return NULL_TREE;
      }
  return VAR_P (ref) || TREE_CODE (ref) == PARM_DECL ? ref : NULL_TREE;
}

static bool
plain_p (const_tree type)
{
  return (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)
	  || SCALAR_FLOAT_TYPE_P (type))
	 && TYPE_PRECISION (type) <= 64;
}

/* The variable that stands for REF.  */
static tree
variable_for (member_search *s, tree ref)
{
  for (unsigned i = 0; i < s->fields->length (); i++)
    {
      const nested_field *f = &(*s->fields)[i];
      if (f->value && operand_equal_p (f->value, ref, 0))
	return f->var;
    }
  tree var = create_tmp_var_raw (TYPE_MAIN_VARIANT (TREE_TYPE (ref)), "member");
  DECL_CONTEXT (var) = current_function_decl;
  s->fields->safe_push ({ unshare_expr (ref), var, false, NULL_TREE });
  return var;
}

static tree
replace_member (tree *tp, int *walk_subtrees, void *data)
{
  member_search *s
    = (member_search *) ((struct walk_stmt_info *) data)->info;
  tree t = *tp;
  if (TYPE_P (t) || DECL_P (t) || TREE_CODE (t) == ADDR_EXPR)
    {
      *walk_subtrees = 0;
      return NULL_TREE;
    }
  if (!handled_component_p (t))
    return NULL_TREE;
  tree var = structure_of (t);
  if (var && plain_p (TREE_TYPE (t)) && !TREE_THIS_VOLATILE (t)
      && s->own_p (var, s->data) && !s->set->contains (var)
      && !s->addressed->contains (var))
    {
      *tp = variable_for (s, t);
      *walk_subtrees = 0;
    }
  return NULL_TREE;
}

void
nested_split_members (spmd_nest *nest, nested_own_p own, void *data,
		      hash_set<tree> *set,
		      hash_set<tree> *addressed,
		      vec<nested_field> *fields)
{
  member_search s = { own, data, set, addressed, fields };
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq_mod (gimple_omp_body_ptr (nest->loop), NULL, replace_member,
		       &wi);
  for (unsigned i = 0; i < nest->prefix.length (); i++)
    walk_gimple_op (nest->prefix[i], replace_member, &wi);
}

/* What the source calls memory, for people.

   GCC has taken references apart: a clause may name what a temporary leads to.
   Then the statement that has set the temporary has the name.

   Needs: object_scan.  Keeps: all code.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

char *
name_of_variable (tree var)
{
  var = object_source_variable (var);
  if (!var)
    return NULL;
  /* GCC's own variables may be called after one of the source, with a dot and
     more behind.  */
  const char *name = IDENTIFIER_POINTER (DECL_NAME (var));
  size_t len = strcspn (name, ".");
  return len ? xstrndup (name, len) : NULL;
}

/* Definitions are followed this far.  */
static const int max_steps = 32;

static char *name_of (tree ref, int steps);

/* The name of what VAR, a temporary, was set to.  */
static char *
name_of_setting (tree var, int steps)
{
  gimple *stmt = object_setting (var);
  if (!stmt || !is_gimple_assign (stmt) || steps == max_steps)
    return NULL;
  enum tree_code code = gimple_assign_rhs_code (stmt);
  return gimple_assign_single_p (stmt) || CONVERT_EXPR_CODE_P (code)
	     || code == POINTER_PLUS_EXPR
	   ? name_of (gimple_assign_rhs1 (stmt), steps + 1)
	   : NULL;
}

/* An array descriptor, and the statement that sets the address in it.  */
struct described
{
  tree descriptor;
  gimple *stmt;
};

static tree
find_address (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  described *d = (described *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  tree to = gimple_assign_single_p (stmt) ? gimple_assign_lhs (stmt)
					  : NULL_TREE;
  if (!to || TREE_CODE (to) != COMPONENT_REF
      || TREE_OPERAND (to, 0) != d->descriptor
      || TREE_OPERAND (to, 1) != TYPE_FIELDS (TREE_TYPE (d->descriptor)))
    return NULL_TREE;
  d->stmt = stmt;
  *handled = true;
  return to;
}

/* The name of the array that VAR, gfortran's own descriptor of a section of
   it, is about.  */
static char *
name_of_section (tree var, int steps)
{
  described d = { var, NULL };
  struct walk_stmt_info wi = {};
  wi.info = &d;
  walk_gimple_seq (gimple_body (current_function_decl), find_address, NULL,
		   &wi);
  return d.stmt && steps < max_steps
	   ? name_of (gimple_assign_rhs1 (d.stmt), steps + 1)
	   : NULL;
}

/* Does REF lie in what a pointer of the source leads to?  */
static bool
through_pointer_p (tree ref)
{
  return (TREE_CODE (ref) == MEM_REF || INDIRECT_REF_P (ref))
	 && TREE_CODE (TREE_TYPE (TREE_OPERAND (ref, 0))) == POINTER_TYPE
	 && TREE_CODE (TREE_OPERAND (ref, 0)) != ADDR_EXPR;
}

/* The name of the member REF; what gfortran adds to arrays and classes has
   that of the variable.  */
static char *
name_of_member (tree ref, int steps)
{
  tree whole = TREE_OPERAND (ref, 0), field = TREE_OPERAND (ref, 1);
  char *name = name_of (whole, steps);
  bool fortran = lang_GNU_Fortran ();
  if (!name || !DECL_NAME (field) || descriptor_type_p (TREE_TYPE (whole))
      || (fortran && IDENTIFIER_POINTER (DECL_NAME (field))[0] == '_'))
    return name;
  const char *mark = fortran			  ? "%"
		     : through_pointer_p (whole) ? "->"
						  : ".";
  char *member
    = concat (name, mark, IDENTIFIER_POINTER (DECL_NAME (field)), NULL);
  free (name);
  return member;
}

static char *
name_of (tree ref, int steps)
{
  if (VAR_P (ref) && DECL_ARTIFICIAL (ref)
      && descriptor_type_p (TREE_TYPE (ref)))
    if (char *name = name_of_section (ref, steps))
      return name;
  if (DECL_P (ref) || TREE_CODE (ref) == SSA_NAME)
    {
      char *name = name_of_variable (ref);
      return name ? name : name_of_setting (ref, steps);
    }
  if (TREE_CODE (ref) == COMPONENT_REF)
    return name_of_member (ref, steps);
  if (handled_component_p (ref) || TREE_CODE (ref) == MEM_REF
      || INDIRECT_REF_P (ref) || TREE_CODE (ref) == ADDR_EXPR
      || CONVERT_EXPR_P (ref) || TREE_CODE (ref) == POINTER_PLUS_EXPR)
    return name_of (TREE_OPERAND (ref, 0), steps);
  return NULL;
}

char *
name_of_reference (tree ref)
{
  return name_of (ref, 0);
}

/* Names for memory: what the pointers of a function lead to when a region
   starts.

   Only pointers whose whole history is visible are followed: automatic
   variables and parameters whose address is not taken.  One that is always
   set to the same is that; all else stays a name of its own, about which alias.cc
   can prove nothing.

   C and C++ call each variable addressable that a clause maps.  Where that is
   a pointer which leads to what is mapped, as in map (p[0:n]), the device gets
   its value, or a copy with the device's address: the variable stays the
   host's, which sets it by its statements.  So for pointers of the function in
   hand it counts what its statements and the other clauses say.

   Needs: GIMPLE before omp-low.  Keeps: all code.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

/* The statement that sets a pointer variable of the function, or NULL when
   several do differently or it is hidden in another one.  */
static hash_map<tree, gimple *> *settings;

/* The function that was looked at, and its variables whose address it
   takes.  */
static tree scanned;
static hash_set<tree> *taken;

static bool
same_assignment_p (gimple *a, gimple *b)
{
  return a && b && is_gimple_assign (a) && is_gimple_assign (b)
	 && gimple_num_ops (a) == 2 && gimple_num_ops (b) == 2
	 && gimple_assign_rhs_code (a) == gimple_assign_rhs_code (b)
	 && operand_equal_p (gimple_assign_rhs1 (a), gimple_assign_rhs1 (b));
}

static void
note_set (tree var, gimple *stmt, void *)
{
  if (!POINTER_TYPE_P (TREE_TYPE (var)))
    return;
  /* Which of them it is, the statement does not say.  */
  if (!is_gimple_assign (stmt) && !is_gimple_call (stmt))
    stmt = NULL;
  bool again;
  gimple *&setting = settings->get_or_insert (var, &again);
  if (!again)
    setting = stmt;
  else if (!same_assignment_p (setting, stmt))
    setting = NULL;
}

/* What is done with each variable that a statement sets.  */
struct each_set
{
  void (*note) (tree var, gimple *stmt, void *data);
  void *data;
};

static tree
find_sets (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  const each_set *each = (const each_set *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  auto note = [&] (tree var) {
    if (var && DECL_P (var))
      each->note (var, stmt, each->data);
  };
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      if (!gimple_clobber_p (stmt))
	note (gimple_assign_lhs (stmt));
      break;
    case GIMPLE_CALL:
      note (gimple_call_lhs (stmt));
      break;
    case GIMPLE_ASM:
      for (unsigned i = 0; i < gimple_asm_noutputs (as_a<gasm *> (stmt)); i++)
	note (TREE_VALUE (gimple_asm_output_op (as_a<gasm *> (stmt), i)));
      break;
    case GIMPLE_OMP_FOR:
      for (size_t i = 0; i < gimple_omp_for_collapse (stmt); i++)
	note (gimple_omp_for_index (stmt, i));
      break;
    case GIMPLE_OMP_ATOMIC_LOAD:
      note (gimple_omp_atomic_load_lhs (as_a<gomp_atomic_load *> (stmt)));
      break;
    default:
      break;
    }
  return NULL_TREE;
}

void
object_each_set (gimple_seq body, void (*note) (tree, gimple *, void *),
		 void *data)
{
  each_set each = { note, data };
  struct walk_stmt_info wi = {};
  wi.info = &each;
  walk_gimple_seq (body, find_sets, NULL, &wi);
}

/* Does the clause C leave its variable, a pointer, what the function's
   statements make it?  */
static bool
pointer_kept_p (tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_SHARED:
    case OMP_CLAUSE_FIRSTPRIVATE:
    case OMP_CLAUSE_PRIVATE:
    case OMP_CLAUSE_IS_DEVICE_PTR:
      return true;
    case OMP_CLAUSE_MAP:
      switch (OMP_CLAUSE_MAP_KIND (c))
	{
	case GOMP_MAP_POINTER:
	case GOMP_MAP_FIRSTPRIVATE_POINTER:
	case GOMP_MAP_FORCE_DEVICEPTR:
	case GOMP_MAP_ATTACH:
	case GOMP_MAP_ATTACH_DETACH:
	case GOMP_MAP_DETACH:
	  return true;
	default:
	  return false;
	}
    default:
      return false;
    }
}

static tree
take_variable (tree *tp, int *, void *)
{
  if (DECL_P (*tp))
    taken->add (*tp);
  return NULL_TREE;
}

static tree
find_taken (tree *tp, int *, void *)
{
  tree t = *tp, base = NULL_TREE;
  if (TREE_CODE (t) == ADDR_EXPR)
    base = reference_base (TREE_OPERAND (t, 0));
  else if (TREE_CODE (t) == OMP_CLAUSE && !pointer_kept_p (t)
	   && omp_clause_num_ops[OMP_CLAUSE_CODE (t)])
    base = OMP_CLAUSE_OPERAND (t, 0);
  else if (VAR_P (t) && DECL_HAS_VALUE_EXPR_P (t))
    {
      tree value = DECL_VALUE_EXPR (t);
      walk_tree (&value, take_variable, NULL, NULL);
    }
  if (base && DECL_P (base))
    taken->add (base);
  return NULL_TREE;
}

void
object_scan (gimple_seq body)
{
  if (!settings)
    {
      settings = new hash_map<tree, gimple *>;
      taken = new hash_set<tree>;
    }
  settings->empty ();
  taken->empty ();
  scanned = current_function_decl;
  object_scan_more (body);
}

void
object_scan_more (gimple_seq body)
{
  object_each_set (body, note_set, NULL);
  struct walk_stmt_info wi = {};
  walk_gimple_seq (body, NULL, find_taken, &wi);
}

/* Is VAR a pointer of the function that was looked at, and its address not
   taken?  */
static bool
only_mapped_p (tree var)
{
  return POINTER_TYPE_P (TREE_TYPE (var))
	 && (TREE_CODE (var) == PARM_DECL || auto_var_p (var))
	 && DECL_CONTEXT (var) == scanned && !taken->contains (var);
}

bool
object_address_taken (tree var)
{
  if (TREE_CODE (var) == SSA_NAME
      || (!TREE_ADDRESSABLE (var) && !TREE_THIS_VOLATILE (var)))
    return false;
  if (!TREE_THIS_VOLATILE (var) && only_mapped_p (var))
    return false;
  /* Mapping takes the address of the pointers by which gfortran passes arrays
     and descriptors, but the language cannot.  */
  tree type = TREE_TYPE (var);
  return TREE_THIS_VOLATILE (var) || !lang_GNU_Fortran ()
	 || (TREE_CODE (var) != PARM_DECL && !DECL_ARTIFICIAL (var))
	 || (TREE_CODE (type) != REFERENCE_TYPE && !TYPE_RESTRICT (type));
}

/* Nobody has the address of VAR, nor of its copy on the device: what a pointer
   leads to is something else, and the function's own statements alone set VAR.  */
bool
object_by_name_only_p (tree var)
{
  return (TREE_CODE (var) == PARM_DECL || auto_var_p (var))
	 && !object_address_taken (var) && !DECL_HAS_VALUE_EXPR_P (var);
}

bool
object_never_set (tree var)
{
  return TREE_CODE (var) == PARM_DECL && object_by_name_only_p (var)
	 && !settings->get (var);
}

gimple *
object_setting (tree var)
{
  if (TREE_CODE (var) == SSA_NAME)
    return SSA_NAME_DEF_STMT (var);
  gimple **setting
    = VAR_P (var) && object_by_name_only_p (var) ? settings->get (var) : NULL;
  return setting ? *setting : NULL;
}

bool
object_set_once_p (tree var)
{
  return object_never_set (var) || object_setting (var);
}

gimple *
object_allocation (tree var)
{
  gimple *stmt = object_setting (var);
  if (!stmt || !is_gimple_call (stmt)
      || !(gimple_call_flags (stmt) & ECF_MALLOC))
    return NULL;
  return stmt;
}

static const object_name unknown = { NULL_TREE, 0 };

/* Copies are followed this far; chains are short, and a loop of copies has
   to end.  */
static const int max_copies = 32;

static object_name pointed_to (tree expr, int copies);

/* The object that the reference REF lies in.  */
static object_name
object_referred (tree ref, int copies)
{
  tree base = reference_base (ref);
  if (DECL_P (base))
    return { base, 0 };
  if (TREE_CODE (base) == MEM_REF || INDIRECT_REF_P (base))
    return pointed_to (TREE_OPERAND (base, 0), copies);
  return unknown;
}

/* What the pointer in the object that REF names points to: known only for the
   address in an array descriptor.  */
static object_name
loaded_from (tree ref, int copies)
{
  if (TREE_CODE (ref) != COMPONENT_REF)
    return unknown;
  tree type = TREE_TYPE (TREE_OPERAND (ref, 0));
  tree inner = TREE_OPERAND (ref, 0);
  if (handled_component_p (inner) || !descriptor_type_p (type)
      || TREE_OPERAND (ref, 1) != TYPE_FIELDS (type))
    return unknown;
  object_name descriptor = object_referred (inner, copies);
  if (descriptor.var)
    descriptor.depth++;
  return descriptor;
}

/* What VAR, a pointer variable or SSA name, points to.  */
static object_name
variable_target (tree var, int copies)
{
  gimple *stmt = copies < max_copies ? object_setting (var) : NULL;
  if (stmt && gimple_assign_single_p (stmt))
    {
      object_name target = pointed_to (gimple_assign_rhs1 (stmt), copies + 1);
      if (target.var)
	return target;
    }
  else if (stmt && is_gimple_assign (stmt)
	   && (CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (stmt))
	       || gimple_assign_rhs_code (stmt) == POINTER_PLUS_EXPR))
    {
      object_name target = pointed_to (gimple_assign_rhs1 (stmt), copies + 1);
      if (target.var)
	return target;
    }
  return { var, 1 };
}

static object_name
pointed_to (tree expr, int copies)
{
  while (CONVERT_EXPR_P (expr) || TREE_CODE (expr) == NON_LVALUE_EXPR
	 || TREE_CODE (expr) == POINTER_PLUS_EXPR)
    {
      if (!POINTER_TYPE_P (TREE_TYPE (expr)))
	return unknown;
      expr = TREE_OPERAND (expr, 0);
    }
  if (!POINTER_TYPE_P (TREE_TYPE (expr)))
    return unknown;
  switch (TREE_CODE (expr))
    {
    case SSA_NAME:
    case VAR_DECL:
    case PARM_DECL:
      return variable_target (expr, copies);
    case ADDR_EXPR:
      return object_referred (TREE_OPERAND (expr, 0), copies);
    default:
      return loaded_from (expr, copies);
    }
}

object_name
object_pointed_to (tree expr)
{
  return pointed_to (expr, 0);
}

object_name
object_of_reference (tree ref)
{
  return object_referred (ref, 0);
}

object_name
object_of_pointer (tree var)
{
  return variable_target (var, 0);
}

/* The variable of the source that is set to VAR alone, where that is the
   compiler's, for what a function returns; else VAR.  */
static tree
object_holder (tree var)
{
  tree named = TREE_CODE (var) == SSA_NAME ? SSA_NAME_VAR (var) : var;
  if ((named && (!VAR_P (named) || DECL_NAME (named))) || !settings)
    return var;
  tree holder = var;
  for (hash_map<tree, gimple *>::iterator i = settings->begin ();
       i != settings->end (); ++i)
    {
      tree to = (*i).first;
      gimple *stmt = (*i).second;
      if (stmt && DECL_NAME (to) && gimple_assign_single_p (stmt)
	  && gimple_assign_rhs1 (stmt) == var
	  && (holder == var || DECL_UID (to) < DECL_UID (holder)))
	holder = to;
    }
  return holder;
}

tree
object_source_variable (tree var)
{
  if (var)
    var = object_holder (var);
  if (var && TREE_CODE (var) == SSA_NAME)
    var = SSA_NAME_VAR (var);
  return var && DECL_NAME (var) ? var : NULL_TREE;
}

char *
object_text (object_name name)
{
  if (!name.var)
    return xstrdup ("anything");
  char *var = print_generic_expr_to_str (object_holder (name.var));
  char *text = concat (&"**"[2 - MIN (name.depth, 2)], var, NULL);
  free (var);
  return text;
}

/* The index of object NAME in R, or -1.  */
static int
find_object (const region *r, object_name name)
{
  for (unsigned i = 0; i < r->objects.length (); i++)
    {
      const object_name *have = &r->objects[i].name;
      if (have->var == name.var && have->depth == name.depth)
	return i;
    }
  return -1;
}

bool
object_known_p (const region *r, object_name name)
{
  return find_object (r, name) >= 0;
}

unsigned
object_index (region *r, object_name name)
{
  if (!name.var)
    return anything;
  int known = find_object (r, name);
  if (known >= 0)
    return known;
  object o = {};
  o.name = name;
  o.group = ACR_ALIAS_ANY;
  r->objects.safe_push (o);
  return r->objects.length () - 1;
}

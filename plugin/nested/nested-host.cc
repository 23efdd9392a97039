/* Regions inside regions that reach for what is on the host only.

   Data constructs on the device move nothing: what a child names has to be there.
   Nearly always that cannot be told from the source, and counts as present.  It is
   an error where a child's section is what a pointer leads to that the region
   around has as the host left it (firstprivate, or mapped as a variable, with no
   section that would attach it), and that never has another value than the address
   of a variable of the host's or of memory from its allocator.

   A virtual call leads through the table of an object that the host has made: to
   the host's code.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: OpenMP 5.0, 2.19.7.1; OpenACC 3.2, 2.6; gimplify_scan_omp_clauses in
   GCC's gimplify.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"
#include "spmd/spmd.h"

/* ---- What a pointer holds ---- */

/* The search for what the pointer VAR may hold.  */
struct values
{
  tree var;
  /* Addresses of the host's; anything else.  */
  bool host, other;
};

/* Is EXPR the address of a variable that the device has none of?  */
static bool
host_address_p (tree expr)
{
  STRIP_NOPS (expr);
  if (TREE_CODE (expr) != ADDR_EXPR)
    return false;
  tree base = get_base_address (TREE_OPERAND (expr, 0));
  return base && VAR_P (base)
	 && !lookup_attribute ("omp declare target", DECL_ATTRIBUTES (base))
	 && !lookup_attribute ("omp declare target link",
			       DECL_ATTRIBUTES (base));
}

/* Does STMT set a variable to an address of the host's?  */
static bool
sets_to_host_p (const gimple *stmt)
{
  if (gimple_call_builtin_p (stmt, BUILT_IN_MALLOC)
      || gimple_call_builtin_p (stmt, BUILT_IN_CALLOC)
      || gimple_call_builtin_p (stmt, BUILT_IN_ALIGNED_ALLOC))
    return true;
  if (!gimple_assign_single_p (stmt) && !gimple_assign_cast_p (stmt))
    return false;
  tree rhs = gimple_assign_rhs1 (stmt);
  if (TREE_CODE (rhs) == SSA_NAME && SSA_NAME_DEF_STMT (rhs))
    return sets_to_host_p (SSA_NAME_DEF_STMT (rhs));
  return host_address_p (rhs);
}

static bool
note_address (gimple *, tree base, tree, void *data)
{
  values *v = (values *) data;
  v->other |= base == v->var;
  return false;
}

/* Note what STMT sets the pointer to.  */
static tree
note_value (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  values *v = (values *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (gimple_clobber_p (stmt))
    return NULL_TREE;
  if (gimple_has_lhs (stmt) && gimple_get_lhs (stmt) == v->var)
    {
      bool host = sets_to_host_p (stmt);
      v->host |= host;
      v->other |= !host;
    }
  if (gimple_code (stmt) == GIMPLE_ASM)
    v->other = true;
  if (!is_gimple_omp (stmt))
    walk_stmt_load_store_addr_ops (stmt, v, NULL, NULL, note_address);
  return NULL_TREE;
}

/* Is VAR, of FUN, always an address of the host's?  */
static bool
points_to_host_p (function *fun, tree var)
{
  if (!VAR_P (var) || is_global_var (var) || DECL_HAS_VALUE_EXPR_P (var))
    return false;
  values v = { var, false, false };
  struct walk_stmt_info wi = {};
  wi.info = &v;
  walk_gimple_seq (gimple_body (fun->decl), note_value, NULL, &wi);
  return v.host && !v.other;
}

/* ---- Regions ---- */

/* Has the region AROUND the pointer VAR as the host left it?  */
static bool
unchanged_p (const gomp_target *around, tree var)
{
  bool as_it_was = false;
  for (tree c = gimple_omp_target_clauses (around); c;
       c = OMP_CLAUSE_CHAIN (c))
    {
      if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP)
	{
	  as_it_was |= OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
		       && OMP_CLAUSE_DECL (c) == var;
	  continue;
	}
      if (OMP_CLAUSE_DECL (c) != var)
	continue;
      switch (OMP_CLAUSE_MAP_KIND (c))
	{
	case GOMP_MAP_TO:
	case GOMP_MAP_TOFROM:
	case GOMP_MAP_FORCE_TO:
	case GOMP_MAP_FORCE_TOFROM:
	case GOMP_MAP_ALWAYS_TO:
	case GOMP_MAP_ALWAYS_TOFROM:
	  as_it_was = true;
	  break;
	default:
	  return false;
	}
    }
  return as_it_was;
}

/* The pointer that clause C says a section begins at, or NULL.  */
static tree
section_pointer (tree c)
{
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP
      || OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FIRSTPRIVATE_POINTER)
    return NULL_TREE;
  tree pointer = OMP_CLAUSE_DECL (c);
  return DECL_P (pointer) && POINTER_TYPE_P (TREE_TYPE (pointer)) ? pointer
								  : NULL_TREE;
}

bool
nested_virtual_call_p (const gimple *stmt)
{
  const gcall *call = dyn_cast<const gcall *> (stmt);
  return call && !gimple_call_internal_p (call)
	 && TREE_CODE (gimple_call_fn (call)) == OBJ_TYPE_REF;
}

static tree
check_call (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  if (nested_virtual_call_p (gsi_stmt (*gsi)))
    {
      error_at (gimple_location (gsi_stmt (*gsi)),
		"a virtual call inside a nested region: the object%'s table "
		"leads to the host%'s functions");
      *(bool *) wi->info = true;
    }
  return NULL_TREE;
}

bool
nested_reaches_host_p (function *fun, const gomp_target *around,
		       const gomp_target *stmt)
{
  bool reaches = false;
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    {
      tree pointer = section_pointer (c);
      if (pointer && unchanged_p (around, pointer)
	  && points_to_host_p (fun, pointer))
	{
	  error_at (OMP_CLAUSE_LOCATION (c),
		    "what %qD points to, in a nested region, is not on the "
		    "device: the region around has the host%'s address",
		    pointer);
	  reaches = true;
	}
    }
  struct walk_stmt_info wi = {};
  wi.info = &reaches;
  if (nested_region_p (stmt))
    walk_gimple_seq (gimple_omp_body (const_cast<gomp_target *> (stmt)),
		     check_call, NULL, &wi);
  return reaches;
}

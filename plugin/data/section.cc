/* Pointers of OpenACC regions lead to the data on the device.

   A pointer that no clause of an OpenACC construct names is a scalar like any other:
   GCC copies its value, the host's address, and a region that follows it fails, where
   default(present) or a data construct around promised that the data are there.  In
   OpenMP such a pointer is mapped as a section of length zero: where what it points
   to is present, the region gets the address on the device, else the pointer as it
   is.  So it becomes here, before omp-low, when the region follows the pointer and
   does not set it:

     parallel firstprivate (p)  ->  parallel map (alloc: *p [len: 0]) map (firstprivate: p)

   A region that was right stays so: it follows pointers to memory of the device only
   (acc_malloc, host_data), which no mapping of the host's memory has, so that they
   stay as they are; on the host nothing changes.

   Needs: GIMPLE before omp-low, and before kernels constructs are rewritten.  Keeps: all
   code.  Breaks: clauses about such pointers.
   Source: OpenMP 5.0, 2.19.7.1 (the last item but one); gimplify_adjust_omp_clauses_1
   in GCC's gimplify.cc; gomp_map_0len_lookup in libgomp's target.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"

/* What a region does with pointers.  */
struct search
{
  /* From a variable to the pointer that it leads to, itself or by an offset.  */
  hash_map<tree, tree> from;
  hash_set<tree> followed, fixed;
};

/* The pointer that the clause C copies for no other reason than that the region
   mentions it, or NULL.  */
static tree
copied_pointer (tree c)
{
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_FIRSTPRIVATE
      && (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP
	  || OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FORCE_TOFROM))
    return NULL_TREE;
  tree var = OMP_CLAUSE_DECL (c);
  if ((!VAR_P (var) && TREE_CODE (var) != PARM_DECL)
      || DECL_HAS_VALUE_EXPR_P (var) || decl_by_reference_p (var)
      || TREE_CODE (TREE_TYPE (var)) != POINTER_TYPE
      || TREE_CODE (TREE_TYPE (TREE_TYPE (var))) == FUNCTION_TYPE
      || TREE_THIS_VOLATILE (var))
    return NULL_TREE;
  return var;
}

static tree
origin_of (search *s, tree expr)
{
  tree *from = s->from.get (expr);
  return from ? *from : NULL_TREE;
}

static void
fix (search *s, tree expr)
{
  tree base = expr ? get_base_address (expr) : NULL_TREE;
  if (base && DECL_P (base))
    s->fixed.add (base);
}

static void
follow (search *s, tree expr)
{
  if (tree pointer = origin_of (s, expr))
    s->followed.add (pointer);
}

static tree
search_operand (tree *tp, int *, void *data)
{
  search *s = (search *) ((struct walk_stmt_info *) data)->info;
  if (TREE_CODE (*tp) == ADDR_EXPR)
    fix (s, TREE_OPERAND (*tp, 0));
  else if (TREE_CODE (*tp) == MEM_REF || TREE_CODE (*tp) == TARGET_MEM_REF)
    follow (s, TREE_OPERAND (*tp, 0));
  return NULL_TREE;
}

/* Variables that clauses of STMT, inside the region, are about mean others there.  */
static void
fix_clauses (search *s, gimple *stmt)
{
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (omp_clause_num_ops[OMP_CLAUSE_CODE (c)] && OMP_CLAUSE_OPERAND (c, 0))
      fix (s, OMP_CLAUSE_OPERAND (c, 0));
}

static tree
search_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  search *s = (search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  fix_clauses (s, stmt);
  if (gcall *call = dyn_cast<gcall *> (stmt))
    for (unsigned i = 0; i < gimple_call_num_args (call); i++)
      follow (s, gimple_call_arg (call, i));
  tree lhs = gimple_get_lhs (stmt);
  if (!lhs || !DECL_P (lhs) || gimple_clobber_p (stmt))
    return NULL_TREE;
  s->fixed.add (lhs);
  if (is_gimple_assign (stmt) && POINTER_TYPE_P (TREE_TYPE (lhs)))
    if (tree pointer = origin_of (s, gimple_assign_rhs1 (stmt)))
      s->from.put (lhs, pointer);
  return NULL_TREE;
}

/* The clauses that map what VAR points to, in place of C, which copies VAR.  */
static tree
section_clauses (tree c, tree var)
{
  tree section = build_omp_clause (OMP_CLAUSE_LOCATION (c), OMP_CLAUSE_MAP);
  OMP_CLAUSE_SET_MAP_KIND (section, GOMP_MAP_ALLOC);
  OMP_CLAUSE_MAP_MAYBE_ZERO_LENGTH_ARRAY_SECTION (section) = 1;
  OMP_CLAUSE_DECL (section)
    = build2 (MEM_REF, char_type_node, var,
	      build_int_cst (build_pointer_type (char_type_node), 0));
  OMP_CLAUSE_SIZE (section) = size_zero_node;
  tree pointer = build_omp_clause (OMP_CLAUSE_LOCATION (c), OMP_CLAUSE_MAP);
  OMP_CLAUSE_SET_MAP_KIND (pointer, GOMP_MAP_FIRSTPRIVATE_POINTER);
  OMP_CLAUSE_DECL (pointer) = var;
  OMP_CLAUSE_SIZE (pointer) = size_zero_node;
  OMP_CLAUSE_CHAIN (section) = pointer;
  OMP_CLAUSE_CHAIN (pointer) = OMP_CLAUSE_CHAIN (c);
  return section;
}

static void
rewrite (gomp_target *region)
{
  search s;
  tree clauses = gimple_omp_target_clauses (region);
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (tree var = copied_pointer (c))
      s.from.put (var, var);
  if (s.from.is_empty ())
    return;
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_omp_body (region), search_stmt, search_operand, &wi);
  unsigned n = 0;
  for (tree *c = &clauses; *c; c = &OMP_CLAUSE_CHAIN (*c))
    {
      tree var = copied_pointer (*c);
      if (!var || s.fixed.contains (var) || !s.followed.contains (var))
	continue;
      *c = section_clauses (*c, var);
      c = &OMP_CLAUSE_CHAIN (*c);
      n++;
    }
  if (!n)
    return;
  gimple_omp_target_set_clauses (region, clauses);
  remark_done (gimple_location (region),
	       "%s region: %u pointer%s lead%s to data on the GPU where these are"
	       " present\n",
	       construct_words (construct_of (region)), n, plural (n),
	       n == 1 ? "s" : "");
}

static tree
find_region (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  gomp_target *target = dyn_cast<gomp_target *> (gsi_stmt (*gsi));
  const construct *what = target ? construct_of (target) : NULL;
  if (!what || !construct_computes_p (target))
    return NULL_TREE;
  *handled = true;
  if (what->kind == ACR_KIND_ACC_PARALLEL || what->kind == ACR_KIND_ACC_SERIAL
      || what->kind == ACR_KIND_ACC_KERNELS)
    rewrite (target);
  return NULL_TREE;
}

void
section_pointers (function *fun)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq (gimple_body (fun->decl), find_region, NULL, &wi);
}

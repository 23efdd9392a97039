/* The regions of a function: found before omp-low, completed after it, kept
   for the tag.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

/* Regions of the function in work, between the two passes.  */
static vec<region> found;
/* Complete regions of the translation unit, in the order of completion.  */
static vec<region> complete;

/* The kind of the directive STMT, or ACR_KIND_COUNT when it has no outlined
   function on the device.  */
static enum acr_kind
region_kind (const gomp_target *stmt)
{
  switch (gimple_omp_target_kind (stmt))
    {
    case GF_OMP_TARGET_KIND_REGION:
      return ACR_KIND_OMP_TARGET;
    case GF_OMP_TARGET_KIND_OACC_PARALLEL:
      return ACR_KIND_ACC_PARALLEL;
    case GF_OMP_TARGET_KIND_OACC_KERNELS:
    case GF_OMP_TARGET_KIND_OACC_PARALLEL_KERNELS_PARALLELIZED:
    case GF_OMP_TARGET_KIND_OACC_PARALLEL_KERNELS_GANG_SINGLE:
      return ACR_KIND_ACC_KERNELS;
    case GF_OMP_TARGET_KIND_OACC_SERIAL:
      return ACR_KIND_ACC_SERIAL;
    default:
      return ACR_KIND_COUNT;
    }
}

/* The constant of launch clause CODE, or ACR_DIM_OPEN.  GCC itself adds
   num_teams and thread_limit clauses with 0 or less for "open".  */
static int
launch_dim (tree clauses, enum omp_clause_code code)
{
  tree c = omp_find_clause (clauses, code);
  tree n = c ? OMP_CLAUSE_OPERAND (c, 0) : NULL_TREE;
  if (n && tree_fits_shwi_p (n) && IN_RANGE (tree_to_shwi (n), 1, INT_MAX))
    return tree_to_shwi (n);
  return ACR_DIM_OPEN;
}

static void
launch_dims (const gomp_target *stmt, int dims[3])
{
  tree clauses = gimple_omp_target_clauses (stmt);
  dims[0] = dims[1] = dims[2] = ACR_DIM_OPEN;
  switch (region_kind (stmt))
    {
    case ACR_KIND_OMP_TARGET:
      dims[0] = launch_dim (clauses, OMP_CLAUSE_NUM_TEAMS);
      break;
    case ACR_KIND_ACC_SERIAL:
      dims[0] = dims[1] = dims[2] = 1;
      break;
    default:
      dims[0] = launch_dim (clauses, OMP_CLAUSE_NUM_GANGS);
      dims[1] = launch_dim (clauses, OMP_CLAUSE_NUM_WORKERS);
      dims[2] = launch_dim (clauses, OMP_CLAUSE_VECTOR_LENGTH);
      break;
    }
}

static tree
find_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gomp_target *stmt = dyn_cast<gomp_target *> (gsi_stmt (*gsi));
  if (stmt && region_kind (stmt) != ACR_KIND_COUNT)
    {
      region r = {};
      r.stmt = stmt;
      r.loc = gimple_location (stmt);
      found.safe_push (r);
    }
  return NULL_TREE;
}

void
region_find (function *fun)
{
  found.truncate (0);
  struct walk_stmt_info wi = {};
  walk_gimple_seq (gimple_body (fun->decl), find_stmt, NULL, &wi);
}

/* Settle what the tag of R will say.  */
static void
settle_facts (region *r)
{
  expanded_location where = expand_location (r->loc);
  tree fn = gimple_omp_target_child_fn (r->stmt);
  struct acr_region facts = {};
  facts.fn = IDENTIFIER_POINTER (DECL_NAME (fn));
  facts.file = remap_macro_filename (where.file ? where.file : "");
  facts.line = where.line;
  facts.kind = region_kind (r->stmt);
  launch_dims (r->stmt, facts.dims);

  char *text = acr_tag_format (&facts);
  r->facts = text ? acr_tag_parse (text, strlen (text)) : NULL;
  free (text);
}

void
region_complete (function *)
{
  for (unsigned i = 0; i < found.length (); i++)
    {
      region *r = &found[i];
      tree fn = gimple_omp_target_child_fn (r->stmt);
      if (!fn)
	continue;
      r->fn_uid = DECL_UID (fn);
      settle_facts (r);
      r->stmt = NULL;
      if (r->facts)
	complete.safe_push (*r);
    }
  found.truncate (0);
}

const struct region *
region_of (tree fn)
{
  for (unsigned i = 0; i < complete.length (); i++)
    if (complete[i].fn_uid == DECL_UID (fn))
      return &complete[i];
  return NULL;
}

bool
region_any (void)
{
  return !complete.is_empty ();
}

/* The directives of the device, as GCC's statements for them say.

   Source: gf_mask in GCC's gimple.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"

static const construct constructs[] = {
#define REGION(code, kind) \
  { GF_OMP_TARGET_KIND_##code, ACR_KIND_##kind, true }
#define DATA(code, kind, body) \
  { GF_OMP_TARGET_KIND_##code, ACR_KIND_##kind, body }
  REGION (REGION, OMP_TARGET),
  REGION (OACC_PARALLEL, ACC_PARALLEL),
  REGION (OACC_KERNELS, ACC_KERNELS),
  REGION (OACC_PARALLEL_KERNELS_PARALLELIZED, ACC_KERNELS),
  REGION (OACC_PARALLEL_KERNELS_GANG_SINGLE, ACC_KERNELS),
  REGION (OACC_SERIAL, ACC_SERIAL),
  DATA (DATA, OMP_TARGET_DATA, true),
  DATA (UPDATE, OMP_TARGET_UPDATE, false),
  DATA (ENTER_DATA, OMP_TARGET_ENTER_DATA, false),
  DATA (EXIT_DATA, OMP_TARGET_EXIT_DATA, false),
  DATA (OACC_DATA, ACC_DATA, true),
  DATA (OACC_HOST_DATA, ACC_HOST_DATA, true),
  /* Around the parts of a kernels region that GCC has cut up.  */
  DATA (OACC_DATA_KERNELS, ACC_KERNELS_DATA, true),
  DATA (OACC_UPDATE, ACC_UPDATE, false),
  DATA (OACC_ENTER_DATA, ACC_ENTER_DATA, false),
  DATA (OACC_EXIT_DATA, ACC_EXIT_DATA, false),
  DATA (OACC_DECLARE, ACC_DECLARE, false),
#undef REGION
#undef DATA
};

const construct *
construct_of (const gomp_target *stmt)
{
  for (unsigned i = 0; i < ARRAY_SIZE (constructs); i++)
    if (constructs[i].code == gimple_omp_target_kind (stmt))
      return &constructs[i];
  return NULL;
}

const char *
construct_words (const construct *what)
{
  static char text[ACR_KIND_COUNT][32];
  char *words = text[what->kind];
  if (!*words)
    for (const char *c = acr_kind_name (what->kind); *c; c++)
      *words++ = *c == '-' ? ' ' : *c;
  return text[what->kind];
}

bool
construct_computes_p (const gimple *stmt)
{
  const gomp_target *target = dyn_cast<const gomp_target *> (stmt);
  const construct *what = target ? construct_of (target) : NULL;
  return what && acr_kind_computes (what->kind);
}

bool
copy_of_thread_p (const gomp_target *stmt, tree var)
{
  for (tree c = gimple_omp_target_clauses (stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	 || (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	     && OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FIRSTPRIVATE_POINTER))
	&& OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

static tree
find_store (gimple_stmt_iterator *gsi, bool *handled,
	    struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  tree lhs = gimple_get_lhs (stmt);
  if (gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt))
    lhs = gimple_omp_atomic_load_lhs (load);
  tree base = lhs ? get_base_address (lhs) : NULL_TREE;
  *handled = base == (tree) wi->info;
  return *handled ? base : NULL_TREE;
}

static tree
find_address (tree *tp, int *walk_subtrees, void *data)
{
  tree var = (tree) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return TREE_CODE (*tp) == ADDR_EXPR
	     && get_base_address (TREE_OPERAND (*tp, 0)) == var
	   ? var
	   : NULL_TREE;
}

bool
construct_stores_p (const gomp_target *stmt, tree var)
{
  struct walk_stmt_info wi = {};
  wi.info = var;
  return walk_gimple_seq (gimple_omp_body (stmt), find_store, find_address,
			  &wi);
}

bool
construct_points_p (const gomp_target *stmt, tree var)
{
  struct walk_stmt_info wi = {};
  wi.info = var;
  return walk_gimple_seq (gimple_omp_body (stmt), NULL, find_address, &wi);
}

bool
construct_firstprivate_p (const gomp_target *stmt, tree var)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	&& OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

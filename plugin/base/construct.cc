/* The directives of the device, as GCC's statements for them say.

   Source: gf_mask in GCC's gimple.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"

static const construct constructs[] = {
#define REGION(code, kind) \
  { GF_OMP_TARGET_KIND_##code, ACR_KIND_##kind, NULL, true }
#define DATA(code, name, body) \
  { GF_OMP_TARGET_KIND_##code, ACR_KIND_COUNT, name, body }
  REGION (REGION, OMP_TARGET),
  REGION (OACC_PARALLEL, ACC_PARALLEL),
  REGION (OACC_KERNELS, ACC_KERNELS),
  REGION (OACC_PARALLEL_KERNELS_PARALLELIZED, ACC_KERNELS),
  REGION (OACC_PARALLEL_KERNELS_GANG_SINGLE, ACC_KERNELS),
  REGION (OACC_SERIAL, ACC_SERIAL),
  DATA (DATA, "omp-target-data", true),
  DATA (UPDATE, "omp-target-update", false),
  DATA (ENTER_DATA, "omp-target-enter-data", false),
  DATA (EXIT_DATA, "omp-target-exit-data", false),
  DATA (OACC_DATA, "acc-data", true),
  DATA (OACC_HOST_DATA, "acc-host-data", true),
  /* Around the parts of a kernels region that GCC has cut up.  */
  DATA (OACC_DATA_KERNELS, "acc-kernels-data", true),
  DATA (OACC_UPDATE, "acc-update", false),
  DATA (OACC_ENTER_DATA, "acc-enter-data", false),
  DATA (OACC_EXIT_DATA, "acc-exit-data", false),
  DATA (OACC_DECLARE, "acc-declare", false),
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
construct_name (const construct *what)
{
  return what->kind == ACR_KIND_COUNT ? what->name
				      : acr_kind_name (what->kind);
}

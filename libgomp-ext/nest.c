/* Where regions inside plain kernels run; see nest.h.

   The compiler leaves a variable in each program or library that has such
   regions, two 32-bit numbers: who executes a child together, and how many
   iterations a child must have for that.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "nest.h"

#include "ext.h"
#include "launch.h"

#include <limits.h>

static const char variable[] = "acr_nest";

/* First GPUs that let threads of a warp wait at different places.  */
static const int min_major = 7;

/* Whether the current context's GPU can do it.  */
static bool
able (void)
{
  CUdevice device;
  int major;
  return acr_driver.device_get_attribute
         && !acr_driver.ctx_get_device (&device)
         && !acr_driver.device_get_attribute (
             &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)
         && major >= min_major;
}

void
acr_nest_set_up (CUmodule module)
{
  static _Atomic CUmodule last;
  CUdeviceptr p;
  size_t n;
  /* The kernels of a module are asked for one after the other.  */
  if (acr_env.nest == ACR_NEST_INPLACE || acr_opt_off (ACR_OPT_nest)
      || atomic_exchange (&last, module) == module
      || !acr_driver.module_get_global
      || acr_driver.module_get_global (&p, &n, module, variable) || !able ())
    return;
  uint32_t least = acr_env.nest_min > UINT32_MAX ? UINT32_MAX
                                                 : acr_env.nest_min;
  uint32_t settings[] = { acr_env.nest, least };
  CUresult r = n < sizeof settings ? CUDA_ERROR_INVALID_VALUE
                                   : acr_driver.memcpy_h2d (p, settings,
                                                            sizeof settings);
  acr_debug (1, "children run by %s: status %d",
             acr_env.nest == ACR_NEST_WARP ? "warp" : "block", r);
}

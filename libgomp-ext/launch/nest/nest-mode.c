/* Modes of nested launches; see nest-mode.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/nest/nest-mode.h"

static const struct acr_nest_mode modes[ACR_NEST_COUNT] = {
  [ACR_NEST_INPLACE]
  = { ACR_NEST_BY_THREAD, { ACR_NEST_LAUNCHER_NONE, 0 }, "in place" },
  [ACR_NEST_WARP]
  = { ACR_NEST_BY_WARP, { ACR_NEST_LAUNCHER_NONE, 0 }, "by warps" },
  [ACR_NEST_BLOCK]
  = { ACR_NEST_BY_BLOCK, { ACR_NEST_LAUNCHER_NONE, 0 }, "by blocks" },
  [ACR_NEST_GRID] = { ACR_NEST_BY_BLOCK,
                      { ACR_NEST_LAUNCHER_NONE, 0 },
                      "behind the parent, or by blocks" },
  [ACR_NEST_AUTO] = { ACR_NEST_BY_THREAD,
                      { ACR_NEST_LAUNCHER_NONE, 0 },
                      "by whoever is fastest" },
  [ACR_NEST_ALL]
  = { ACR_NEST_BY_THREAD, { ACR_NEST_LAUNCHER_NONE, 0 }, "by all in turn" },
  [ACR_NEST_DEVICE_FORGET] = { ACR_NEST_BY_WARP,
                               { ACR_NEST_LAUNCHER_THREAD, 4 },
                               "by kernels that threads launch" },
  [ACR_NEST_DEVICE_NULL] = { ACR_NEST_BY_WARP,
                             { ACR_NEST_LAUNCHER_THREAD, 0 },
                             "by kernels that threads launch" },
  [ACR_NEST_DEVICE_TAIL] = { ACR_NEST_BY_WARP,
                             { ACR_NEST_LAUNCHER_THREAD, 3 },
                             "by kernels that threads launch" },
  [ACR_NEST_DEVICE_WARP] = { ACR_NEST_BY_WARP,
                             { ACR_NEST_LAUNCHER_GROUP, 4 },
                             "by kernels that warps launch" },
  [ACR_NEST_DEVICE_BLOCK] = { ACR_NEST_BY_BLOCK,
                              { ACR_NEST_LAUNCHER_GROUP, 4 },
                              "by kernels that blocks launch" },
};

const struct acr_nest_mode *
acr_nest_mode (enum acr_nest mode)
{
  return &modes[mode];
}

struct acr_nest_device
acr_nest_device (void)
{
  return acr_nest_mode (acr_opt_off (ACR_OPT_nest) ? ACR_NEST_INPLACE
                                                   : acr_env.nest)
      ->device;
}

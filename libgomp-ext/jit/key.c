/* The key of linked device code; see key.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "jit/key.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Where the driver is to put something does not matter.  */
static bool
is_output (CUjit_option o)
{
  return o == CU_JIT_WALL_TIME || o == CU_JIT_INFO_LOG_BUFFER
         || o == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES
         || o == CU_JIT_ERROR_LOG_BUFFER
         || o == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES || o == CU_JIT_LOG_VERBOSE;
}

bool
acr_jit_conditions_get (struct acr_jit_conditions *c, unsigned n,
                        const CUjit_option *options, void **values)
{
  CUdevice device;
  Dl_info info;
  memset (c, 0, sizeof *c);
  if (!acr_driver.device_get_name || !acr_driver.driver_get_version
      || acr_driver.ctx_get_device (&device)
      || acr_driver.driver_get_version (&c->driver)
      || acr_driver.device_get_name (c->gpu, sizeof c->gpu, device)
      || acr_driver.device_get_attribute (
          &c->major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)
      || acr_driver.device_get_attribute (
          &c->minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)
      || !dladdr ((void *)acr_driver.link_create, &info)
      || strlen (info.dli_fname) >= sizeof c->library)
    return false;
  strcpy (c->library, info.dli_fname);
  for (unsigned i = 0; i < n; i++)
    if (!is_output (options[i]))
      {
        if (c->noptions == ACR_JIT_OPTIONS)
          return false;
        c->options[c->noptions].id = options[i];
        c->options[c->noptions++].value = (uintptr_t)values[i];
      }
  return true;
}

uint64_t
acr_jit_key (const struct acr_jit_conditions *c, const struct acr_unit *u,
             unsigned n, void (*fn) (struct acr_jit_key, void *), void *arg)
{
  struct iovec *part = malloc ((2 * n + 1) * sizeof *part);
  if (!part)
    return 0;
  part[0] = (struct iovec){ (void *)c, sizeof *c };
  for (unsigned i = 0; i < n; i++)
    {
      part[2 * i + 1]
          = (struct iovec){ (void *)&u[i].bytes, sizeof u[i].bytes };
      part[2 * i + 2] = (struct iovec){ (void *)u[i].code, u[i].bytes };
    }
  uint64_t hash = acr_jit_disk_hash (part, 2 * n + 1);
  if (fn)
    fn ((struct acr_jit_key){ part, 2 * n + 1, hash }, arg);
  free (part);
  return hash;
}

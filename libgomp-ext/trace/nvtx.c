/* Ranges of NVTX; see nvtx.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "trace/nvtx.h"

#include <dlfcn.h>
#include <stdlib.h>

static int (*push) (const char *name);
static int (*pop) (void);

bool
acr_nvtx_start (void)
{
  const char *tool = secure_getenv ("NVTX_INJECTION64_PATH");
  void *nvtx = tool && *tool ? dlopen ("libnvToolsExt.so.1", RTLD_NOW) : NULL;
  if (!nvtx)
    return false;
  push = (int (*) (const char *))dlsym (nvtx, "nvtxRangePushA");
  pop = (int (*) (void))dlsym (nvtx, "nvtxRangePop");
  if (!push || !pop)
    push = NULL;
  return push;
}

void
acr_nvtx_push (const char *name)
{
  if (push)
    push (name);
}

void
acr_nvtx_pop (void)
{
  if (push)
    pop ();
}

/* GPUs behind their drivers; see device.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "driver/cuda-api.h"

#define ENTRIES(X)							      \
  X (cuInit, "")							      \
  X (cuGetErrorName, "")						      \
  X (cuDeviceGetName, "")						      \
  X (cuCtxCreate, "_v2")						      \
  X (cuCtxDestroy, "_v2")						      \
  X (cuCtxSynchronize, "")						      \
  X (cuModuleLoadDataEx, "")						      \
  X (cuModuleGetFunction, "")						      \
  X (cuModuleUnload, "")						      \
  X (cuMemAlloc, "_v2")							      \
  X (cuMemFree, "_v2")							      \
  X (cuMemcpyHtoD, "_v2")						      \
  X (cuMemcpyDtoH, "_v2")						      \
  X (cuLaunchKernel, "")

struct gpu
{
  bool emulated;
  char name[200];
  CUcontext ctx;
#define MEMBER(entry, version) __typeof__ (entry) *entry;
  ENTRIES (MEMBER)
};

/* Whether R is success; else say that WHAT failed.  */
static bool
check (struct gpu *g, CUresult r, const char *what)
{
  const char *name = "?";
  if (r == CUDA_SUCCESS)
    return true;
  g->cuGetErrorName (r, &name);
  fprintf (stderr, "%s: %s: %s (%d)\n", g->name, what, name, (int) r);
  return false;
}

bool
gpu_entry (const char *lib, const char *entry, void *fn)
{
  void *handle = dlopen (lib, RTLD_NOW | RTLD_LOCAL);
  void *p = handle ? dlsym (handle, entry) : NULL;
  if (!p)
    return fprintf (stderr, "%s\n", dlerror ()), false;
  memcpy (fn, &p, sizeof p);
  return true;
}

static bool
resolve (struct gpu *g)
{
#define RESOLVE(entry, version)						      \
  if (!gpu_entry (g->name, #entry version, &g->entry))			      \
    return false;
  ENTRIES (RESOLVE)
  return true;
}

struct gpu *
gpu_open (const char *lib, bool emulated)
{
  struct gpu *g = calloc (1, sizeof *g);
  if (!g)
    abort ();
  g->emulated = emulated;
  snprintf (g->name, sizeof g->name, "%s", lib);
  if (resolve (g) && check (g, g->cuInit (0), "cuInit")
      && check (g, g->cuCtxCreate (&g->ctx, 0, 0), "cuCtxCreate")
      && check (g, g->cuDeviceGetName (g->name, sizeof g->name - 20, 0),
		"cuDeviceGetName"))
    {
      if (emulated)
	strcat (g->name, ", emulated");
      return g;
    }
  free (g);
  return NULL;
}

void
gpu_close (struct gpu *g)
{
  g->cuCtxDestroy (g->ctx);
  free (g);
}

const char *
gpu_name (const struct gpu *g)
{
  return g->name;
}

bool
gpu_emulated (const struct gpu *g)
{
  return g->emulated;
}

static bool
load (struct gpu *g, const char *text, unsigned level, CUmodule *m)
{
  static char log[8192];
  CUjit_option options[] = { CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_ERROR_LOG_BUFFER,
			     CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[]
    = { (void *) (uintptr_t) level, log, (void *) (uintptr_t) sizeof log };
  log[0] = 0;
  if (check (g, g->cuModuleLoadDataEx (m, text, 3, options, values),
	     "loading a unit"))
    return true;
  fprintf (stderr, "%s\n", log);
  return false;
}

static bool
launch (struct gpu *g, CUmodule m, const struct launch *l, CUdeviceptr data)
{
  CUfunction f;
  CUdeviceptr param[4];
  void *params[4];
  for (unsigned k = 0; k < l->nparams; k++)
    {
      param[k] = data + l->param[k];
      params[k] = &param[k];
    }
  return check (g, g->cuModuleGetFunction (&f, m, l->kernel), l->kernel)
	 && check (g, g->cuLaunchKernel (f, l->grid, 1, 1, l->block, 1, 1, 0,
					 NULL, params, NULL),
		   l->kernel);
}

bool
gpu_run (struct gpu *g, const char *text, unsigned level,
	 const struct launch *launches, unsigned n, void *data, size_t bytes)
{
  CUmodule m;
  CUdeviceptr at;
  if (!load (g, text, level, &m))
    return false;
  bool done = check (g, g->cuMemAlloc (&at, bytes), "cuMemAlloc")
	      && check (g, g->cuMemcpyHtoD (at, data, bytes), "copying in");
  for (unsigned k = 0; done && k < n; k++)
    done = launch (g, m, &launches[k], at);
  done = done && check (g, g->cuCtxSynchronize (), "running")
	 && check (g, g->cuMemcpyDtoH (data, at, bytes), "copying out")
	 && check (g, g->cuMemFree (at), "cuMemFree")
	 && check (g, g->cuModuleUnload (m), "cuModuleUnload");
  return done;
}

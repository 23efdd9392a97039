/* What drivers make of wrong input: units and launches (errors.def), calls.

   A GPU's driver may give a process up after a kernel's fault, so these have a
   process each.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "driver/cuda-api.h"

#define CUDA_ERROR_NONE CUDA_SUCCESS
#define HEADER(version, target)						      \
  ".version " version "\n.target " target "\n.address_size 64\n"

static const struct unit
{
  const char *what, *text;
  CUresult loaded;
} units[] = {
#define UNIT(what, version, target, body, loaded)			      \
  { what, HEADER (version, target) body, CUDA_ERROR_##loaded },
#include "errors.def"
};

static const struct launch_case
{
  const char *what, *text;
  unsigned grid[3], block[3], shared;
  CUresult launched, run;
} launches[] = {
#define LAUNCH(what, body, grid, block, shared, launched, run)		      \
  { what, HEADER ("8.0", "sm_90") body, grid, block, shared,		      \
    CUDA_ERROR_##launched, CUDA_ERROR_##run },
#include "errors.def"
};

enum { NUNITS = sizeof units / sizeof *units,
       NLAUNCHES = sizeof launches / sizeof *launches };

#define ENTRIES(X)							      \
  X (cuGetErrorName, "") X (cuInit, "") X (cuCtxCreate, "_v2")		      \
  X (cuCtxSynchronize, "") X (cuCtxGetDevice, "") X (cuCtxSetLimit, "")	      \
  X (cuCtxPopCurrent, "_v2") X (cuDeviceGet, "") X (cuDeviceGetAttribute, "")  \
  X (cuModuleLoadData, "") X (cuModuleGetFunction, "")			      \
  X (cuModuleGetGlobal, "_v2") X (cuFuncSetAttribute, "") X (cuLaunchKernel, "") \
  X (cuLinkCreate, "_v2") X (cuLinkAddData, "_v2") X (cuLinkComplete, "")     \
  X (cuMemAlloc, "_v2") X (cuMemFree, "_v2") X (cuMemcpyHtoD, "_v2")	      \
  X (cuMemcpyDtoH, "_v2") X (cuMemsetD32, "_v2")			      \
  X (cuMemGetAddressRange, "_v2") X (cuMemHostRegister, "_v2")		      \
  X (cuMemHostUnregister, "") X (cuPointerGetAttribute, "")		      \
  X (cuStreamCreate, "") X (cuEventCreate, "") X (cuEventRecord, "")	      \
  X (cuEventQuery, "") X (cuEventElapsedTime, "")

/* The driver of this process, its results that were wrong.  */
static struct
{
#define MEMBER(entry, version) __typeof__ (entry) *entry;
  ENTRIES (MEMBER)
} cu;
static const char *driver;
static unsigned wrong;

static void
expect (const char *what, const char *step, CUresult got, CUresult want)
{
  const char *names[2] = { "?", "?" };
  if (got == want)
    return;
  cu.cuGetErrorName (got, &names[0]);
  cu.cuGetErrorName (want, &names[1]);
  printf ("%s: %s: %s gives %s (%d), want %s (%d)\n", driver, what, step,
	  names[0], (int) got, names[1], (int) want);
  wrong++;
}

static void
load_unit (const struct unit *u)
{
  CUmodule m;
  expect (u->what, "loading", cu.cuModuleLoadData (&m, u->text), u->loaded);
}

static void
run_launch (const struct launch_case *l)
{
  CUmodule m;
  CUfunction f;
  CUdeviceptr p = 0;
  void *params[] = { &p };
  expect (l->what, "loading", cu.cuModuleLoadData (&m, l->text), CUDA_SUCCESS);
  expect (l->what, "finding", cu.cuModuleGetFunction (&f, m, "k"),
	  CUDA_SUCCESS);
  cu.cuMemAlloc (&p, 4 << 20);
  expect (l->what, "launching",
	  cu.cuLaunchKernel (f, l->grid[0], l->grid[1], l->grid[2], l->block[0],
			     l->block[1], l->block[2], l->shared, NULL, params,
			     NULL),
	  l->launched);
  expect (l->what, "waiting", cu.cuCtxSynchronize (), l->run);
}

/* ---- Calls ---- */

#define CALL(what, call, want) expect (what, #call, cu.call, want)

static void
misuse_memory (void)
{
  static char host[1 << 16] __attribute__ ((aligned (4096)));
  CUdeviceptr p, base;
  size_t bytes;
  unsigned type;
  CALL ("memory", cuMemAlloc (&p, 0), CUDA_ERROR_INVALID_VALUE);
  CALL ("memory", cuMemAlloc (&p, (size_t) 1 << 50), CUDA_ERROR_OUT_OF_MEMORY);
  CALL ("memory", cuMemAlloc (&p, 4096), CUDA_SUCCESS);
  CALL ("memory", cuMemFree (p + 8), CUDA_ERROR_INVALID_VALUE);
  CALL ("memory", cuMemcpyHtoD (0, host, 8), CUDA_ERROR_INVALID_VALUE);
  CALL ("memory", cuMemcpyHtoD (p, host, 0), CUDA_SUCCESS);
  CALL ("memory", cuMemcpyHtoD (p, host, 8 << 20), CUDA_ERROR_INVALID_VALUE);
  CALL ("memory", cuMemcpyDtoH (NULL, p, 8), CUDA_ERROR_INVALID_VALUE);
  CALL ("memory", cuMemsetD32 (p + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
  CALL ("memory", cuMemGetAddressRange (&base, &bytes, 64),
	CUDA_ERROR_NOT_FOUND);
  CALL ("memory", cuMemFree (p), CUDA_SUCCESS);
  CALL ("memory", cuMemFree (p), CUDA_ERROR_INVALID_VALUE);
  CALL ("memory", cuMemFree (0), CUDA_SUCCESS);
  CALL ("host memory", cuMemHostRegister (host, sizeof host, 0), CUDA_SUCCESS);
  CALL ("host memory", cuMemHostRegister (host, sizeof host, 0),
	CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CALL ("host memory", cuMemHostUnregister (host + 4096),
	CUDA_ERROR_INVALID_VALUE);
  CALL ("host memory", cuMemHostUnregister (host), CUDA_SUCCESS);
  CALL ("host memory", cuMemHostUnregister (host),
	CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CALL ("host memory",
	cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
			       (uintptr_t) &p),
	CUDA_ERROR_INVALID_VALUE);
}

static void
misuse_modules (void)
{
  static const char text[]
    = HEADER ("8.0", "sm_90")
      ".visible .global .u32 x; .func f () { ret; }\n"
      ".visible .entry k () { .shared .b8 s[1024]; .reg .u32 %a;\n"
      "ld.volatile.shared.u32 %a, [s]; ret; }\n",
    caller[] = HEADER ("8.0", "sm_90")
	       ".extern .func gone ();\n"
	       ".visible .entry k () { call gone; ret; }\n";
  CUmodule m;
  CUfunction f;
  CUdeviceptr p;
  CUlinkState s;
  size_t bytes;
  void *image;
  CALL ("modules", cuModuleLoadData (&m, "no PTX"), CUDA_ERROR_INVALID_IMAGE);
  CALL ("modules", cuModuleLoadData (&m, ""), CUDA_ERROR_INVALID_IMAGE);
  CALL ("modules", cuModuleLoadData (&m, text), CUDA_SUCCESS);
  CALL ("modules", cuModuleGetFunction (&f, m, "none"), CUDA_ERROR_NOT_FOUND);
  CALL ("modules", cuModuleGetFunction (&f, m, "f"), CUDA_ERROR_NOT_FOUND);
  CALL ("modules", cuModuleGetGlobal (&p, &bytes, m, "none"),
	CUDA_ERROR_NOT_FOUND);
  CALL ("modules", cuModuleGetGlobal (&p, &bytes, m, "k"),
	CUDA_ERROR_INVALID_VALUE);
  CALL ("modules", cuModuleGetFunction (&f, m, "k"), CUDA_SUCCESS);
#define MAX_SHARED CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  CALL ("modules", cuFuncSetAttribute (f, MAX_SHARED, 232448),
	CUDA_ERROR_INVALID_VALUE);
  CALL ("modules", cuFuncSetAttribute (f, MAX_SHARED, 232448 - 1024),
	CUDA_SUCCESS);
  CALL ("modules",
	cuLaunchKernel (f, 1, 1, 1, 1, 1, 1, 232448 - 1024, NULL, NULL, NULL),
	CUDA_SUCCESS);
  CALL ("modules",
	cuLaunchKernel (f, 1, 1, 1, 1, 1, 1, 232448 - 1023, NULL, NULL, NULL),
	CUDA_ERROR_INVALID_VALUE);
  CALL ("modules", cuCtxSynchronize (), CUDA_SUCCESS);
  CALL ("linking", cuLinkCreate (0, NULL, NULL, &s), CUDA_SUCCESS);
  CALL ("linking",
	cuLinkAddData (s, CU_JIT_INPUT_PTX, (void *) ".version 8.0\n{", 15, "a",
		       0, NULL, NULL),
	CUDA_ERROR_INVALID_PTX);
  CALL ("linking", cuLinkCreate (0, NULL, NULL, &s), CUDA_SUCCESS);
  CALL ("linking",
	cuLinkAddData (s, CU_JIT_INPUT_PTX, (void *) caller, sizeof caller, "a",
		       0, NULL, NULL),
	CUDA_SUCCESS);
  CALL ("linking", cuLinkComplete (s, &image, &bytes), CUDA_ERROR_UNKNOWN);
}

static void
misuse_others (void)
{
  CUdevice d;
  CUevent a, b;
  float ms;
  int value;
  CALL ("devices", cuDeviceGet (&d, 1000), CUDA_ERROR_INVALID_DEVICE);
  CALL ("devices", cuDeviceGetAttribute (&value, 100000, 0),
	CUDA_ERROR_INVALID_VALUE);
  CALL ("limits", cuCtxSetLimit (1000, 1), CUDA_ERROR_INVALID_VALUE);
  cu.cuEventCreate (&a, 0);
  cu.cuEventCreate (&b, CU_EVENT_DISABLE_TIMING);
  CALL ("events", cuEventQuery (a), CUDA_SUCCESS);
  CALL ("events", cuEventElapsedTime (&ms, a, a), CUDA_ERROR_INVALID_HANDLE);
  CALL ("events", cuEventRecord (a, NULL), CUDA_SUCCESS);
  CALL ("events", cuEventRecord (b, NULL), CUDA_SUCCESS);
  CALL ("events", cuCtxSynchronize (), CUDA_SUCCESS);
  CALL ("events", cuEventElapsedTime (&ms, a, a), CUDA_SUCCESS);
  CALL ("events", cuEventElapsedTime (&ms, a, b), CUDA_ERROR_INVALID_HANDLE);
  CUcontext ctx;
  CALL ("contexts", cuCtxPopCurrent (&ctx), CUDA_SUCCESS);
  CALL ("contexts", cuCtxPopCurrent (&ctx), CUDA_ERROR_INVALID_CONTEXT);
  CALL ("contexts", cuCtxGetDevice (&d), CUDA_ERROR_INVALID_CONTEXT);
  CALL ("contexts", cuCtxSynchronize (), CUDA_ERROR_INVALID_CONTEXT);
}

/* ---- Processes ---- */

static bool
start (const char *lib)
{
  CUcontext ctx;
#define RESOLVE(entry, version)						      \
  if (!gpu_entry (lib, #entry version, &cu.entry))			      \
    return false;
  ENTRIES (RESOLVE)
  driver = lib;
  return cu.cuInit (0) == CUDA_SUCCESS
	 && cu.cuCtxCreate (&ctx, 0, 0) == CUDA_SUCCESS;
}

/* The launch that is all of process K; NULL for the first, which is to survive,
   and beyond the last.  */
static const struct launch_case *
part_launch (unsigned k)
{
  for (unsigned l = 0; k && l < NLAUNCHES; l++)
    if (launches[l].run != CUDA_SUCCESS && --k == 0)
      return &launches[l];
  return NULL;
}

static const char *
part_name (unsigned k)
{
  const struct launch_case *l = part_launch (k);
  return l ? l->what : k ? "none" : "all without faults";
}

/* What process K does; false: there is none.  */
static bool
run_part (unsigned k)
{
  const struct launch_case *l = part_launch (k);
  if (l)
    run_launch (l);
  else if (k == 0)
    {
      for (unsigned u = 0; u < NUNITS; u++)
	load_unit (&units[u]);
      for (unsigned l = 0; l < NLAUNCHES; l++)
	if (launches[l].run == CUDA_SUCCESS)
	  run_launch (&launches[l]);
      misuse_memory ();
      misuse_modules ();
      misuse_others ();
    }
  return l || k == 0;
}

unsigned
compare_errors (const char *lib)
{
  unsigned part = 0, bad = 0;
  enum { NO_PART = 77, MOST = 76, LONGEST = 30 };
  for (;; part++)
    {
      fflush (stdout);
      /* Should it take the machine along.  */
      fprintf (stderr, "part %u, %s\n", part, part_name (part));
      int status;
      pid_t child = fork ();
      if (child == 0)
	{
	  /* The emulated GPU says what went wrong; here that is wanted.  */
	  if (!freopen ("/dev/null", "w", stderr))
	    _exit (1);
	  alarm (LONGEST);
	  setvbuf (stdout, NULL, _IOLBF, 0);
	  bool is_part = start (lib) ? run_part (part) : (wrong++, true);
	  fflush (stdout);
	  _exit (!is_part ? NO_PART : wrong < MOST ? wrong : MOST);
	}
      if (child < 0 || waitpid (child, &status, 0) != child)
	return bad + 1;
      if (WIFEXITED (status) && WEXITSTATUS (status) == NO_PART)
	break;
      if (!WIFEXITED (status))
	printf ("%s: part %u, %s, ends by signal %d\n", lib, part,
		part_name (part), WTERMSIG (status));
      bad += WIFEXITED (status) ? WEXITSTATUS (status) : 1;
    }
  printf ("%s: %u units, %u launches, and calls: %u results differ\n", lib,
	  NUNITS, NLAUNCHES, bad);
  return bad;
}

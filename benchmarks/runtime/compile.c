/* How the driver compiles PTX: units of some kernels each, one after the other
   and by several threads at a time, each by a link of its own as the runtime
   makes them for variants (jit/variant.c); and what a launch costs while that
   goes on in another thread.  Prints milliseconds, and microseconds of
   launches. usage: compile [UNITS [KERNELS [STEPS]]]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../stopwatch.h"
#include "interpose/cuda-types.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUresult (*init) (unsigned);
static CUresult (*device_get) (CUdevice *, int);
static CUresult (*ctx_create) (CUcontext *, unsigned, CUdevice);
static CUresult (*ctx_set) (CUcontext);
static CUresult (*wait) (CUstream);
static CUresult (*link_create) (unsigned, CUjit_option *, void **,
                                CUlinkState *);
static CUresult (*link_add) (CUlinkState, CUjitInputType, void *, size_t,
                             const char *, unsigned, CUjit_option *, void **);
static CUresult (*link_complete) (CUlinkState, void **, size_t *);
static CUresult (*link_destroy) (CUlinkState);
static CUresult (*module_load) (CUmodule *, const void *);
static CUresult (*function_get) (CUfunction *, CUmodule, const char *);
static CUresult (*launch) (CUfunction, unsigned, unsigned, unsigned, unsigned,
                           unsigned, unsigned, unsigned, CUstream, void **,
                           void **);

static CUcontext ctx;
static unsigned units = 8, kernels = 4, steps = 400;

static void
must (CUresult r, const char *what)
{
  if (!r)
    return;
  fprintf (stderr, "compile: %s: error %d\n", what, r);
  exit (1);
}

#define MUST(call) must (call, #call)

/* PTX of N kernels of so many STEPS each; no two units are the same.  */
static char *
make_unit (unsigned n, unsigned s)
{
  static _Atomic unsigned serial;
  unsigned number = atomic_fetch_add (&serial, 1);
  char *text;
  size_t size;
  FILE *f = open_memstream (&text, &size);
  fputs (".version 6.0\n.target sm_50\n.address_size 64\n", f);
  for (unsigned k = 0; k < n; k++)
    {
      fprintf (f,
               ".visible .entry k%u (.param .u64 a)\n{\n.reg .u64 %%p;\n"
               ".reg .f64 %%x<9>;\n.reg .u32 %%i;\n.reg .pred %%q;\n"
               "ld.param.u64 %%p,[a];\nmov.u32 %%i,%u;\n",
               k, number);
      for (unsigned i = 0; i < s; i++)
        fprintf (
            f,
            "ld.global.f64 %%x%u,[%%p+%u];\n"
            "fma.rn.f64 %%x8,%%x%u,%%x%u,%%x8;\n"
            "setp.lt.u32 %%q,%%i,%u;\n@%%q st.global.f64 [%%p+%u],%%x8;\n",
            i % 8, 8 * i, i % 8, (i + 3) % 8, i * 7, 8 * (s - i));
      fputs ("ret;\n}\n", f);
    }
  fclose (f);
  return text;
}

/* Compile a unit by a link, and load what comes of it.  */
static CUmodule
compile_unit (char *text)
{
  CUlinkState link;
  CUmodule m;
  void *image;
  size_t n;
  MUST (link_create (0, NULL, NULL, &link));
  MUST (link_add (link, CU_JIT_INPUT_PTX, text, strlen (text) + 1, "unit", 0,
                  NULL, NULL));
  MUST (link_complete (link, &image, &n));
  MUST (module_load (&m, image));
  MUST (link_destroy (link));
  return m;
}

static char **text;
static _Atomic unsigned next;
static _Atomic bool done;

static void *
work (void *unused)
{
  ctx_set (ctx);
  for (unsigned i; (i = atomic_fetch_add (&next, 1)) < units;)
    compile_unit (text[i]);
  done = true;
  return unused;
}

/* Compile all units by N threads; milliseconds.  */
static double
compile_all (unsigned n)
{
  pthread_t t[64];
  for (unsigned i = 0; i < units; i++)
    text[i] = make_unit (kernels, steps);
  next = 0;
  double begin = (stopwatch_seconds () * 1e6);
  for (unsigned i = 0; i < n; i++)
    pthread_create (&t[i], NULL, work, NULL);
  for (unsigned i = 0; i < n; i++)
    pthread_join (t[i], NULL);
  return ((stopwatch_seconds () * 1e6) - begin) * 1e-3;
}

/* Print median, 99th percentile and most of the N times at US.  */
static void
print_launches (const char *when, double *us, size_t n)
{
  qsort (us, n, sizeof *us, stopwatch_compare);
  printf ("launch and wait, %s: median %.1f, 99 %% %.1f, most %.1f us (%zu)\n",
          when, us[n / 2], us[n * 99 / 100], us[n - 1], n);
}

enum
{
  LAUNCHES = 1 << 20
};

/* Launch F as long as others compile, or 2000 times.  */
static void
launch_all (CUfunction f, bool meanwhile)
{
  static double us[LAUNCHES];
  CUdeviceptr none = 0;
  void *params[] = { &none };
  size_t n = 0;
  while (n < LAUNCHES && (meanwhile ? !done : n < 2000))
    {
      double begin = (stopwatch_seconds () * 1e6);
      launch (f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
      wait (NULL);
      us[n++] = (stopwatch_seconds () * 1e6) - begin;
    }
  if (n)
    print_launches (meanwhile ? "another thread compiles" : "alone", us, n);
}

static void
find (void *driver, const char *name, void *to)
{
  *(void **)to = dlsym (driver, name);
  if (!*(void **)to)
    must (1, name);
}

int
main (int argc, char **argv)
{
  CUdevice device;
  CUfunction f;
  pthread_t t;
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW);
  if (!driver)
    must (1, "libcuda.so.1");
  if (argc > 1)
    units = atoi (argv[1]);
  if (argc > 2)
    kernels = atoi (argv[2]);
  if (argc > 3)
    steps = atoi (argv[3]);
  setenv ("CUDA_CACHE_DISABLE", "1", 1);
  find (driver, "cuInit", &init);
  find (driver, "cuDeviceGet", &device_get);
  find (driver, "cuCtxCreate_v2", &ctx_create);
  find (driver, "cuCtxSetCurrent", &ctx_set);
  find (driver, "cuStreamSynchronize", &wait);
  find (driver, "cuLinkCreate_v2", &link_create);
  find (driver, "cuLinkAddData_v2", &link_add);
  find (driver, "cuLinkComplete", &link_complete);
  find (driver, "cuLinkDestroy", &link_destroy);
  find (driver, "cuModuleLoadData", &module_load);
  find (driver, "cuModuleGetFunction", &function_get);
  find (driver, "cuLaunchKernel", &launch);
  MUST (init (0));
  MUST (device_get (&device, 0));
  MUST (ctx_create (&ctx, 0, device));
  text = calloc (units, sizeof *text);
  /* The first link has the driver load its compiler.  */
  char *empty = make_unit (1, 0);
  MUST (function_get (&f, compile_unit (empty), "k0"));
  printf ("%u units of %u kernels of %u steps\n", units, kernels, steps);
  for (unsigned n = 1; n <= 8; n *= 2)
    printf ("%u threads: %.0f ms\n", n, compile_all (n));
  launch_all (f, false);
  for (unsigned i = 0; i < units; i++)
    text[i] = make_unit (kernels, steps);
  next = 0;
  done = false;
  pthread_create (&t, NULL, work, NULL);
  launch_all (f, true);
  pthread_join (t, NULL);
  return 0;
}

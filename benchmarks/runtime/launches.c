/* What the driver takes for bare launches, the measure for what constructs.c
   prints: as many a round as constructs there, of a kernel that adds to 4Ki
   floats, and at the end a look.  Prints a row a way with the median time in
   microseconds of one kernel.  In "launch_measured" every other one is measured as
   nest-trial.c does it, which takes twice the difference to "launch_wait".
   usage: launches [REPEATS]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../stopwatch.h"
#include "interpose/cuda-types.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 4096,
  SEVERAL = 20,
  THREADS = 128
};

static CUresult (*init) (unsigned);
static CUresult (*device_get) (CUdevice *, int);
static CUresult (*ctx_create) (CUcontext *, unsigned, CUdevice);
static CUresult (*mem_alloc) (CUdeviceptr *, size_t);
static CUresult (*from_now) (void *, CUdeviceptr, size_t);
static CUresult (*wait) (CUstream);
static CUresult (*stream_create) (CUstream *, unsigned);
static CUresult (*module_load) (CUmodule *, const void *);
static CUresult (*function_get) (CUfunction *, CUmodule, const char *);
static CUresult (*launch) (CUfunction, unsigned, unsigned, unsigned, unsigned,
                           unsigned, unsigned, unsigned, CUstream, void **,
                           void **);

static CUresult (*event_create) (CUevent *, unsigned);
static CUresult (*event_record) (CUevent, CUstream);
static CUresult (*event_query) (CUevent);
static CUresult (*event_elapsed) (float *, CUevent, CUevent);
static CUresult (*host_alloc) (void **, size_t, unsigned);
static CUresult (*from_async) (void *, CUdeviceptr, size_t, CUstream);

static const char ptx[]
    = ".version 6.0\n.target sm_50\n.address_size 64\n"
      ".visible .entry add (.param .u64 at, .param .u64 n) {\n"
      " .reg .u64 %a, %o; .reg .u32 %b, %s, %t; .reg .f32 %x;\n"
      " mov.u32 %b, %ctaid.x; mov.u32 %s, %ntid.x; mov.u32 %t, %tid.x;\n"
      " mad.lo.u32 %t, %b, %s, %t; mul.wide.u32 %o, %t, 4;\n"
      " ld.param.u64 %a, [at]; add.u64 %a, %a, %o;\n"
      " ld.global.f32 %x, [%a]; add.f32 %x, %x, 0f40000000;\n"
      " st.global.f32 [%a], %x;\n ret;\n}\n";

static CUfunction add;
static CUdeviceptr device;
static CUstream stream;
static CUevent begun, ended, copied;
static void *counted;

static void
start (CUstream to)
{
  unsigned long long n = N;
  void *params[] = { &device, &n };
  CUresult r = launch (add, N / THREADS, 1, 1, THREADS, 1, 1, 0, to, params,
                       NULL);
  if (r)
    {
      fprintf (stderr, "launch: status %d\n", r);
      exit (1);
    }
}

static float
look (void)
{
  float x = 0;
  from_now (&x, device, sizeof x);
  return x;
}

static void
null_stream (void)
{
  for (int k = 0; k < SEVERAL; k++)
    start (NULL);
  (void)look ();
}

static void
own_stream (void)
{
  for (int k = 0; k < SEVERAL; k++)
    start (stream);
  wait (stream);
}

static void
each_waited_for (void)
{
  for (int k = 0; k < SEVERAL; k++)
    {
      start (NULL);
      wait (NULL);
    }
}

static void
every_other_measured (void)
{
  float ms;
  for (int k = 0; k < SEVERAL; k += 2)
    {
      event_record (begun, NULL);
      start (NULL);
      event_record (ended, NULL);
      wait (NULL);
      if (event_query (ended) || event_elapsed (&ms, begun, ended)
          || from_async (counted, device, sizeof (uint64_t), NULL)
          || event_record (copied, NULL))
        exit (1);
      start (NULL);
      wait (NULL);
      if (event_query (copied) || event_elapsed (&ms, begun, ended))
        exit (1);
    }
}

static void
look_alone (void)
{
  (void)look ();
}

static void
measure (int repeats, const char *name, void (*step) (void), int kernels)
{
  double *t = malloc (repeats * sizeof *t);
  for (int i = 0; i < repeats / 10 + 3; i++)
    step ();
  for (int i = 0; i < repeats; i++)
    {
      double begin = stopwatch_seconds ();
      step ();
      t[i] = 1e6 * (stopwatch_seconds () - begin);
    }
  printf ("%-8s %-15s %10.2f\n", "driver", name,
          stopwatch_median (t, repeats) / kernels);
  free (t);
}

#define FIND(fn, symbol) ((*(void **)&(fn) = dlsym (driver, symbol)) == NULL)

int
main (int argc, char **argv)
{
  int repeats = argc > 1 ? atoi (argv[1]) : 300;
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW);
  CUcontext ctx;
  CUdevice dev;
  CUmodule module;
  if (repeats < 1 || !driver || FIND (init, "cuInit")
      || FIND (device_get, "cuDeviceGet")
      || FIND (ctx_create, "cuCtxCreate_v2")
      || FIND (mem_alloc, "cuMemAlloc_v2")
      || FIND (from_now, "cuMemcpyDtoH_v2")
      || FIND (stream_create, "cuStreamCreate")
      || FIND (wait, "cuStreamSynchronize")
      || FIND (module_load, "cuModuleLoadData")
      || FIND (function_get, "cuModuleGetFunction")
      || FIND (launch, "cuLaunchKernel")
      || FIND (event_create, "cuEventCreate")
      || FIND (event_record, "cuEventRecord")
      || FIND (event_query, "cuEventQuery")
      || FIND (event_elapsed, "cuEventElapsedTime")
      || FIND (host_alloc, "cuMemHostAlloc")
      || FIND (from_async, "cuMemcpyDtoHAsync_v2") || init (0) || device_get (&dev, 0)
      || ctx_create (&ctx, 0, dev) || mem_alloc (&device, N * sizeof (float))
      || stream_create (&stream, 0) || event_create (&begun, 0)
      || event_create (&ended, 0)
      || event_create (&copied, CU_EVENT_DISABLE_TIMING)
      || host_alloc (&counted, sizeof (uint64_t), 0) || module_load (&module, ptx)
      || function_get (&add, module, "add"))
    {
      fprintf (stderr, "no device\n");
      return 1;
    }
  float before = look ();
  start (NULL);
  if (look () != before + 2)
    {
      fprintf (stderr, "wrong\n");
      return 1;
    }
  measure (repeats, "launch", null_stream, SEVERAL);
  measure (repeats, "launch_queued", own_stream, SEVERAL);
  measure (repeats, "launch_wait", each_waited_for, SEVERAL);
  measure (repeats, "launch_measured", every_other_measured, SEVERAL);
  measure (repeats, "look", look_alone, 1);
  return 0;
}

/* The emulated driver and machine together, as libcuda.so.1: a plain host
   program of the driver API.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <unistd.h>

#include "driver/cuda-api.h"
#include "tap.h"

static const char ptx[] =
  ".version 6.0\n.target sm_60\n.address_size 64\n"
  ".visible .global .align 4 .u32 count[4] = {1, 2, 3, 4};\n"
  /* y[i] += a * x[i] */
  ".visible .entry axpy (.param .u64 y, .param .u64 x, .param .f32 a,\n"
  "		         .param .u32 n)\n"
  "{ .reg .pred %p; .reg .u32 %i, %n, %t; .reg .u64 %y, %x, %o;\n"
  "  .reg .f32 %a, %u, %v;\n"
  "  ld.param.u32 %n, [n]; ld.param.u64 %y, [y]; ld.param.u64 %x, [x];\n"
  "  ld.param.f32 %a, [a];\n"
  "  mov.u32 %i, %ctaid.x; mov.u32 %t, %ntid.x; mul.lo.u32 %i, %i, %t;\n"
  "  mov.u32 %t, %tid.x; add.u32 %i, %i, %t;\n"
  "  setp.ge.u32 %p, %i, %n; @%p ret;\n"
  "  mul.wide.u32 %o, %i, 4; add.u64 %y, %y, %o; add.u64 %x, %x, %o;\n"
  "  ld.global.f32 %u, [%x]; ld.global.f32 %v, [%y];\n"
  "  fma.rn.f32 %v, %a, %u, %v; st.global.f32 [%y], %v; ret; }\n"
  ".visible .entry stray (.param .u64 p)\n"
  "{ .reg .u64 %p; ld.param.u64 %p, [p]; st.global.u64 [%p], %p; ret; }\n"
  ".visible .entry stop () { trap; }\n";

static CUcontext ctx;
static CUmodule module;

static CUfunction
start (const char *name)
{
  CUfunction fn = NULL;
  cuInit (0);
  cuCtxCreate (&ctx, 0, 0);
  CUresult r = cuModuleLoadData (&module, ptx);
  if (!r)
    r = cuModuleGetFunction (&fn, module, name);
  if (r)
    diag ("%s: error %d", name, r);
  return fn;
}

static void
axpy (void)
{
  enum { N = 1000 };
  float *x, *y;
  CUdeviceptr dx, dy;
  CUstream s[2];
  CUevent e;
  unsigned n = N;
  float a = 0.5;
  CUfunction fn = start ("axpy");
  cuMemHostAlloc ((void **) &x, N * 4, 0);
  cuMemHostAlloc ((void **) &y, N * 4, 0);
  cuMemAlloc (&dx, N * 4);
  cuMemAlloc (&dy, N * 4);
  cuStreamCreate (&s[0], CU_STREAM_NON_BLOCKING);
  cuStreamCreate (&s[1], CU_STREAM_NON_BLOCKING);
  cuEventCreate (&e, 0);
  for (int i = 0; i < N; i++)
    {
      x[i] = i;
      y[i] = 1;
    }
  /* Copies in one stream, kernels in the other, both ways of passing.  */
  struct { CUdeviceptr y, x; float a; unsigned n; } buffer = { dy, dx, 2, N };
  size_t size = sizeof buffer;
  void *params[] = { &dy, &dx, &a, &n };
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer,
		    CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
  cuMemcpyHtoDAsync (dx, x, N * 4, s[0]);
  cuMemcpyHtoDAsync (dy, y, N * 4, s[0]);
  cuEventRecord (e, s[0]);
  cuStreamWaitEvent (s[1], e, 0);
  ok_int (cuLaunchKernel (fn, (N + 127) / 128, 1, 1, 128, 1, 1, 0, s[1],
			  params, NULL),
	  CUDA_SUCCESS, "a launch");
  ok_int (cuLaunchKernel (fn, (N + 127) / 128, 1, 1, 128, 1, 1, 0, s[1], NULL,
			  extra),
	  CUDA_SUCCESS, "another");
  cuMemcpyDtoHAsync (y, dy, N * 4, s[1]);
  ok_int (cuStreamSynchronize (s[1]), CUDA_SUCCESS, "run");
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += y[i] != 1 + 2.5f * i;
  ok_int (wrong, 0, "every element is right");

  CUdeviceptr global, base;
  size_t bytes, all;
  unsigned values[4];
  ok_int (cuModuleGetGlobal (&global, &bytes, module, "count"), CUDA_SUCCESS,
	  "a variable");
  ok_int (bytes, 16, "its size");
  ok_int (cuMemcpyDtoH (values, global, bytes), CUDA_SUCCESS, "its value");
  ok (values[0] == 1 && values[3] == 4, "is its initialiser");
  ok_int (cuMemGetAddressRange (&base, &all, global + 4), CUDA_SUCCESS,
	  "it lies in an allocation");
  int regs, threads;
  cuFuncGetAttribute (&regs, CU_FUNC_ATTRIBUTE_NUM_REGS, fn);
  cuFuncGetAttribute (&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, fn);
  ok (regs > 0 && regs <= 255 && threads >= 32 && threads <= 1024,
      "attributes are plausible (%d registers, %d threads)", regs, threads);
  ok_int (cuLaunchKernel (fn, 1, 1, 1, 2048, 1, 1, 0, NULL, params, NULL),
	  CUDA_ERROR_INVALID_VALUE, "too large a block");
  ok_int (cuLaunchKernel (fn, 1, 70000, 1, 1, 1, 1, 0, NULL, params, NULL),
	  CUDA_ERROR_INVALID_VALUE, "too large a grid");
  ok_int (cuCtxDestroy (ctx), CUDA_SUCCESS, "the end");
}

static void
linking (void)
{
  static const char caller[]
    = ".version 6.0\n.target sm_60\n.address_size 64\n"
      ".extern .func (.param .u32 r) seven ();\n"
      ".visible .entry k (.param .u64 p)\n"
      "{ .reg .u64 %p; .reg .u32 %r; .param .u32 out;\n"
      "  ld.param.u64 %p, [p]; call (out), seven, ();\n"
      "  ld.param.u32 %r, [out]; st.global.u32 [%p], %r; ret; }\n",
    callee[] = ".version 6.0\n.target sm_60\n.address_size 64\n"
	       ".visible .func (.param .u32 r) seven ()\n"
	       "{ st.param.u32 [r], 7; ret; }\n";
  char log[256] = "";
  CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER,
			     CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { log, (void *) sizeof log };
  CUlinkState link;
  void *image;
  size_t size;
  CUmodule m;
  CUfunction fn;
  CUdeviceptr p;
  unsigned got = 0;
  start ("axpy");
  cuLinkCreate (2, options, values, &link);
  ok_int (cuLinkAddData (link, CU_JIT_INPUT_PTX, (void *) caller,
			 sizeof caller, "caller", 0, 0, 0),
	  CUDA_SUCCESS, "one unit");
  ok_int (cuLinkComplete (link, &image, &size), CUDA_ERROR_UNKNOWN,
	  "does not link alone");
  ok (strstr (log, "seven"), "and the log names what is missing");
  cuLinkDestroy (link);
  cuLinkCreate (2, options, values, &link);
  values[1] = (void *) sizeof log;
  ok_int (cuLinkAddData (link, CU_JIT_INPUT_PTX, (void *) ".version 6.0\n{",
			 14, "broken", 0, 0, 0),
	  CUDA_ERROR_INVALID_PTX, "a broken unit");
  ok (strstr (log, "broken") && strstr (log, "line 2"), "the log says where");
  cuLinkAddData (link, CU_JIT_INPUT_PTX, (void *) caller, sizeof caller, "a",
		 0, 0, 0);
  cuLinkAddData (link, CU_JIT_INPUT_PTX, (void *) callee, sizeof callee, "b",
		 0, 0, 0);
  ok_int (cuLinkComplete (link, &image, &size), CUDA_SUCCESS, "both link");
  ok_int (cuModuleLoadData (&m, image), CUDA_SUCCESS, "load");
  cuLinkDestroy (link);
  cuModuleGetFunction (&fn, m, "k");
  cuMemAlloc (&p, 4);
  void *params[] = { &p };
  cuLaunchKernel (fn, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
  cuMemcpyDtoH (&got, p, 4);
  ok_int (got, 7, "the call arrives");
  cuCtxDestroy (ctx);
}

static void
faults (void)
{
  CUfunction fn = start ("stray");
  unsigned long long nowhere = 64;
  void *params[] = { &nowhere };
  /* The machine says on stderr what went wrong; here that is wanted.  */
  fflush (stderr);
  if (!freopen ("/dev/null", "w", stderr))
    return;
  ok_int (cuLaunchKernel (fn, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL),
	  CUDA_SUCCESS, "a stray store");
  ok_int (cuCtxSynchronize (), CUDA_ERROR_ILLEGAL_ADDRESS, "is found");
  ok_int (cuCtxDestroy (ctx), CUDA_SUCCESS, "its context ends");
  fn = start ("stop");
  ok (fn != NULL, "a new context works");
  cuLaunchKernel (fn, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
  ok_int (cuCtxSynchronize (), CUDA_ERROR_LAUNCH_FAILED, "a trap");
  cuCtxDestroy (ctx);
}

int
main (void)
{
  axpy ();
  linking ();
  faults ();
  return done_testing ();
}

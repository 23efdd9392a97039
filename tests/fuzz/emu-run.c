/* Fuzzing of the emulated GPU's driver and machine.

   Property: any text that the driver loads can be launched, every kernel with the
   address of a buffer for each parameter; that ends in time, with a result.

   Run by mutate.c or, under libFuzzer, by run-libfuzzer.sh.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cuda-api.h"
#include "fuzz.h"
#include "ptx/ptx.h"

enum
{
  BUFFER = 64 << 10,
  MAX_PARAMS = 4096,		/* bytes */
  THREADS = 33			/* a warp and a lane */
};

static void
require (bool cond, const char *what)
{
  if (cond)
    return;
  fprintf (stderr, "emu-run: violated: %s\n", what);
  abort ();
}

/* BUFFER, full of its own address.  */
static CUdeviceptr
new_buffer (void)
{
  static CUdeviceptr own[BUFFER / 8];
  CUdeviceptr buffer;
  require (cuMemAlloc (&buffer, BUFFER) == CUDA_SUCCESS, "memory of the GPU");
  for (size_t k = 0; k < BUFFER / 8; k++)
    own[k] = buffer;
  require (cuMemcpyHtoD (buffer, own, BUFFER) == CUDA_SUCCESS, "a copy");
  return buffer;
}

/* Launch FN with BUFFER's address in every 8 bytes of its parameters.  False
   when that has spoilt the context, as faults do.  */
static bool
launch (CUfunction fn, CUdeviceptr buffer)
{
  CUdeviceptr params[MAX_PARAMS / 8];
  size_t size = 0, offset, bytes;
  for (size_t k = 0;
       cuFuncGetParamInfo (fn, k, &offset, &bytes) == CUDA_SUCCESS; k++)
    size = offset + bytes;
  if (size > sizeof params)
    return true;
  for (size_t k = 0; k < MAX_PARAMS / 8; k++)
    params[k] = buffer;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, params,
		    CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
  cuLaunchKernel (fn, 2, 1, 1, THREADS, 1, 1, 0, NULL, NULL, extra);
  return cuCtxSynchronize () == CUDA_SUCCESS;
}

/* Launch the kernels of TEXT, which the driver takes.  */
static void
launch_all (CUmodule m, const char *text, size_t size, CUdeviceptr buffer)
{
  struct ptx_error e;
  struct ptx_unit *u = ptx_parse ("fuzz", text, strnlen (text, size), &e);
  require (u != NULL, "what the driver takes is PTX");
  CUfunction fn;
  for (const struct ptx_func *f = u->funcs; f; f = f->next)
    if (f->is_entry
	&& cuModuleGetFunction (&fn, m, f->sym->name) == CUDA_SUCCESS
	&& !launch (fn, buffer))
      break;
  ptx_unit_free (u);
}

/* Once: a small GPU, on this thread, that gives up soon.  What kernels print
   is no matter.  */
static void
start (void)
{
  require (freopen ("/dev/null", "w", stdout) != NULL, "no /dev/null");
  setenv ("ACCRETE_EMU_GPU", "mini", 1);
  setenv ("ACCRETE_EMU_THREADS", "1", 1);
  setenv ("ACCRETE_EMU_TIMEOUT", "0.02", 1);
  require (cuInit (0) == CUDA_SUCCESS, "cuInit");
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static bool started;
  if (!started)
    start ();
  started = true;
  char *text = malloc (size + 1);
  require (text, "memory");
  memcpy (text, data, size);
  text[size] = 0;
  CUcontext ctx;
  CUmodule m;
  require (cuCtxCreate (&ctx, 0, 0) == CUDA_SUCCESS, "a context");
  CUdeviceptr buffer = new_buffer ();
  if (cuModuleLoadData (&m, text) == CUDA_SUCCESS)
    launch_all (m, text, size, buffer);
  require (cuCtxDestroy (ctx) == CUDA_SUCCESS, "the context ends");
  free (text);
  return 0;
}

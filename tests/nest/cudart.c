/* What the CUDA programs in benchmarks/nest use of CUDA's run-time library,
   over the driver's entries: NVIDIA's own library wants more of a driver than
   the emulated GPU is.  Device code is read from the PTX file that the
   environment variable CUDART_PTX names, and linked with CUDART_LIBRARY.

   Not thread-safe; any error ends the program.

   Source: crt/host_runtime.h and cuda_runtime_api.h of CUDA 13.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cuda-api.h"

typedef struct
{
  unsigned x, y, z;
} dim3;

/* A kernel or variable, by its address on the host.  */
struct symbol
{
  const void *host;
  const char *name;
};

enum
{
  MOST_SYMBOLS = 64, /* some are the device's run-time library's */
  TO_HOST = 2,		  /* cudaMemcpyDeviceToHost */
  PENDING_LAUNCHES = 4	  /* cudaLimitDevRuntimePendingLaunchCount */
};

static struct symbol symbols[MOST_SYMBOLS];
static int symbol_count;
static CUmodule module;

/* Of the launch that is being prepared.  */
static dim3 next_grid, next_block;
static size_t next_shared;
static CUstream next_stream;

static void
must (CUresult r, const char *what)
{
  const char *name = "?";
  if (r == CUDA_SUCCESS)
    return;
  cuGetErrorName (r, &name);
  fprintf (stderr, "%s: %s\n", what, name);
  exit (1);
}
#define MUST(call) must (call, #call)

static const char *
setting (const char *name)
{
  const char *value = getenv (name);
  if (!value)
    {
      fprintf (stderr, "%s is not set\n", name);
      exit (1);
    }
  return value;
}

static void
start (void)
{
  CUcontext ctx;
  CUlinkState link;
  void *image;
  size_t size;
  if (module)
    return;
  MUST (cuInit (0));
  MUST (cuCtxCreate (&ctx, 0, 0));
  MUST (cuLinkCreate (0, NULL, NULL, &link));
  MUST (cuLinkAddFile (link, CU_JIT_INPUT_PTX, setting ("CUDART_PTX"), 0, NULL,
		       NULL));
  MUST (cuLinkAddFile (link, CU_JIT_INPUT_LIBRARY, setting ("CUDART_LIBRARY"),
		       0, NULL, NULL));
  MUST (cuLinkComplete (link, &image, &size));
  MUST (cuModuleLoadData (&module, image));
}

static void
add_symbol (const void *host, const char *name)
{
  if (symbol_count == MOST_SYMBOLS)
    abort ();
  symbols[symbol_count].host = host;
  symbols[symbol_count++].name = name;
}

static const char *
name_of (const void *host)
{
  for (int s = 0; s < symbol_count; s++)
    if (symbols[s].host == host)
      return symbols[s].name;
  abort ();
}

/* ---- What nvcc calls ---- */

void **__cudaRegisterFatBinary (void *binary);
void __cudaRegisterFatBinaryEnd (void **handle);
void __cudaUnregisterFatBinary (void **handle);
void __cudaRegisterFunction (void **handle, const char *host, char *name,
			     const char *device_name, int limit, void *tid,
			     void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar (void **handle, char *host, char *address,
			const char *name, int ext, size_t size, int constant,
			int global);
int __cudaPushCallConfiguration (dim3 grid, dim3 block, size_t shared,
				 CUstream stream);
int __cudaPopCallConfiguration (dim3 *grid, dim3 *block, size_t *shared,
				CUstream *stream);
int __cudaGetKernel (const char **kernel, const void *host);
int __cudaLaunchKernel (const char *kernel, dim3 grid, dim3 block, void **args,
			size_t shared, CUstream stream);

void **
__cudaRegisterFatBinary (void *binary)
{
  static void *handle;
  handle = binary;
  return &handle;
}

void
__cudaRegisterFatBinaryEnd (void **handle)
{
  (void) handle;
}

void
__cudaUnregisterFatBinary (void **handle)
{
  (void) handle;
}

void
__cudaRegisterFunction (void **handle, const char *host, char *name,
			const char *device_name, int limit, void *tid,
			void *bid, void *block, void *grid, int *warp)
{
  (void) handle, (void) name, (void) limit, (void) tid, (void) bid;
  (void) block, (void) grid, (void) warp;
  add_symbol (host, device_name);
}

void
__cudaRegisterVar (void **handle, char *host, char *address, const char *name,
		   int ext, size_t size, int constant, int global)
{
  (void) handle, (void) address, (void) ext, (void) size, (void) constant;
  (void) global;
  add_symbol (host, name);
}

int
__cudaPushCallConfiguration (dim3 grid, dim3 block, size_t shared,
			     CUstream stream)
{
  next_grid = grid;
  next_block = block;
  next_shared = shared;
  next_stream = stream;
  return 0;
}

int
__cudaPopCallConfiguration (dim3 *grid, dim3 *block, size_t *shared,
			    CUstream *stream)
{
  *grid = next_grid;
  *block = next_block;
  *shared = next_shared;
  *stream = next_stream;
  return 0;
}

int
__cudaGetKernel (const char **kernel, const void *host)
{
  *kernel = name_of (host);
  return 0;
}

int
__cudaLaunchKernel (const char *kernel, dim3 grid, dim3 block, void **args,
		    size_t shared, CUstream stream)
{
  CUfunction function;
  start ();
  must (cuModuleGetFunction (&function, module, kernel), kernel);
  must (cuLaunchKernel (function, grid.x, grid.y, grid.z, block.x, block.y,
			block.z, shared, stream, args, NULL),
	kernel);
  return 0;
}

/* ---- What programs call; enumerations are int here ---- */

int cudaMalloc (void **p, size_t bytes);
int cudaFree (void *p);
int cudaMemcpy (void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyToSymbol (const void *symbol, const void *from, size_t bytes,
			size_t offset, int kind);
int cudaMemcpyFromSymbol (void *to, const void *symbol, size_t bytes,
			  size_t offset, int kind);
int cudaMemset (void *p, int value, size_t bytes);
int cudaDeviceSynchronize (void);
int cudaDeviceGetLimit (size_t *value, int limit);
int cudaDeviceSetLimit (int limit, size_t value);
int cudaGetLastError (void);
const char *cudaGetErrorString (int error);

int
cudaMalloc (void **p, size_t bytes)
{
  start ();
  MUST (cuMemAlloc ((CUdeviceptr *) p, bytes));
  return 0;
}

int
cudaFree (void *p)
{
  MUST (cuMemFree ((CUdeviceptr) p));
  return 0;
}

int
cudaMemcpy (void *to, const void *from, size_t bytes, int kind)
{
  if (kind == TO_HOST)
    MUST (cuMemcpyDtoH (to, (CUdeviceptr) from, bytes));
  else
    MUST (cuMemcpyHtoD ((CUdeviceptr) to, from, bytes));
  return 0;
}

static CUdeviceptr
address_of (const void *symbol)
{
  CUdeviceptr p;
  start ();
  MUST (cuModuleGetGlobal (&p, NULL, module, name_of (symbol)));
  return p;
}

int
cudaMemcpyToSymbol (const void *symbol, const void *from, size_t bytes,
		    size_t offset, int kind)
{
  (void) kind;
  MUST (cuMemcpyHtoD (address_of (symbol) + offset, from, bytes));
  return 0;
}

int
cudaMemcpyFromSymbol (void *to, const void *symbol, size_t bytes,
		      size_t offset, int kind)
{
  (void) kind;
  MUST (cuMemcpyDtoH (to, address_of (symbol) + offset, bytes));
  return 0;
}

int
cudaMemset (void *p, int value, size_t bytes)
{
  MUST (cuMemsetD8 ((CUdeviceptr) p, value, bytes));
  return 0;
}

int
cudaDeviceSynchronize (void)
{
  MUST (cuCtxSynchronize ());
  return 0;
}

int
cudaDeviceGetLimit (size_t *value, int limit)
{
  start ();
  if (limit != PENDING_LAUNCHES)
    abort ();
  MUST (cuCtxGetLimit (value, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT));
  return 0;
}

int
cudaDeviceSetLimit (int limit, size_t value)
{
  start ();
  if (limit != PENDING_LAUNCHES)
    abort ();
  MUST (cuCtxSetLimit (CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, value));
  return 0;
}

int
cudaGetLastError (void)
{
  return 0;
}

const char *
cudaGetErrorString (int error)
{
  (void) error;
  return "an error of the run-time library";
}

/* The emulated driver: modules, the linker and its logs, launches, occupancy.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdlib.h>

#include "driver/cuda-api.h"
#include "fake-machine.h"
#include "tap.h"

static void
modules (void)
{
  CUmodule m;
  CUfunction f, g;
  CUdeviceptr p;
  size_t size;
  const char *name;
  ok_int (cuModuleLoadData (&m, NULL), CUDA_ERROR_INVALID_VALUE, "no image");
  ok_int (cuModuleLoadData (&m, "hello"), CUDA_ERROR_INVALID_IMAGE,
	  "not an image");
  ok_int (cuModuleLoadData (&m, ""), CUDA_ERROR_INVALID_IMAGE, "nothing");
  ok_int (cuModuleLoadData (&m, "\177ELF junk"), CUDA_ERROR_NO_BINARY_FOR_GPU,
	  "machine code");
  ok_int (cuModuleLoadData (&m, ".nonsense"), CUDA_ERROR_INVALID_PTX,
	  "broken PTX");
  ok_int (cuModuleLoad (&m, "/dev/null/k.ptx"), CUDA_ERROR_FILE_NOT_FOUND,
	  "no file");
  ok_int (cuModuleLoadData (&m, fake_ptx), CUDA_SUCCESS, "PTX");
  ok_int (cuModuleGetFunction (&f, m, "missing"), CUDA_ERROR_NOT_FOUND,
	  "a missing function");
  ok_int (cuModuleGetFunction (&f, m, "add"), CUDA_SUCCESS, "a function");
  cuModuleGetFunction (&g, m, "add");
  ok (f == g, "is the same every time");
  ok_int (cuFuncGetName (&name, f), CUDA_SUCCESS, "knows its name");
  ok_str (name, "add", "as it was asked for");
  ok_int (cuModuleGetGlobal (&p, &size, m, "global"), CUDA_SUCCESS,
	  "a variable");
  ok_int (size, 4, "of this size");
  ok_int (cuModuleGetGlobal_v2 (NULL, NULL, m, "none"), CUDA_ERROR_NOT_FOUND,
	  "a missing one");
  ok_int (cuModuleUnload (m), CUDA_SUCCESS, "unload");
  ok_int (cuModuleUnload (m), CUDA_ERROR_INVALID_HANDLE, "not twice");
  ok_int (cuLaunchKernel (f, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0),
	  CUDA_ERROR_INVALID_HANDLE, "its functions are gone");
  ok_int (fake_modules, 0, "nothing is left");
}

static void
linker (void)
{
  char error[64] = "x", info[64] = "x", small[8];
  float ms;
  CUjit_option options[]
    = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
	CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
	CU_JIT_WALL_TIME, CU_JIT_OPTIMIZATION_LEVEL };
  void *values[] = { error, (void *) sizeof error, info,
		     (void *) sizeof info, NULL, (void *) 3 };
  CUlinkState link;
  CUmodule m, n;
  void *image, *copy;
  size_t size;
  ok_int (cuLinkCreate (6, options, values, &link), CUDA_SUCCESS, "a link");
  ok (!*error && !*info, "the logs are empty");
  ok_int (cuLinkAddData (link, CU_JIT_INPUT_PTX, (void *) fake_ptx,
			 strlen (fake_ptx) + 1, "a", 0, 0, 0),
	  CUDA_SUCCESS, "a unit with its null byte");
  ok_int (cuLinkAddData_v2 (link, CU_JIT_INPUT_PTX, (void *) fake_ptx,
			    strlen (fake_ptx), NULL, 0, 0, 0),
	  CUDA_SUCCESS, "one without");
  ok_int (cuLinkAddData (link, CU_JIT_INPUT_CUBIN, (void *) fake_ptx, 8, 0, 0,
			 0, 0),
	  CUDA_ERROR_NO_BINARY_FOR_GPU, "machine code");
  ok_int (cuLinkComplete (link, &image, &size), CUDA_SUCCESS, "link");
  memcpy (&ms, &values[4], sizeof ms);
  ok (ms >= 0 && ms < 1000, "takes a time");
  copy = malloc (size);
  memcpy (copy, image, size);
  ok_int (cuModuleLoadData (&m, image), CUDA_SUCCESS, "its image loads");
  ok_int (cuModuleLoadData (&n, image), CUDA_SUCCESS, "twice");
  ok_int (fake_modules, 2, "into two modules");
  cuModuleUnload (m);
  cuModuleUnload (n);
  ok_int (cuLinkDestroy (link), CUDA_SUCCESS, "the link ends");
  ok_int (fake_modules, 0, "and leaves no module");
  ok_int (cuModuleLoadData (&m, copy), CUDA_SUCCESS,
	  "a copy of its image loads");
  cuModuleUnload (m);
  free (copy);
  ok_int (cuLinkDestroy (link), CUDA_ERROR_INVALID_HANDLE, "not twice");

  values[1] = (void *) sizeof error;
  cuLinkCreate (6, options, values, &link);
  ok_int (cuLinkAddData (link, CU_JIT_INPUT_PTX, (void *) ".wrong", 6,
			 "b.ptx", 0, 0, 0),
	  CUDA_ERROR_INVALID_PTX, "an error in a unit");
  ok_str (error, "b.ptx:1: no .version", "is in the log");
  ok_int ((size_t) values[1], strlen (error) + 1, "with its length");
  cuLinkAddData (link, CU_JIT_INPUT_PTX, (void *) ".version .missing", 17,
		 "c.ptx", 0, 0, 0);
  ok_int (cuLinkComplete (link, &image, &size), CUDA_ERROR_UNKNOWN,
	  "an error of the whole");
  ok_str (error, "something is missing", "is too");
  cuLinkDestroy (link);

  values[0] = small;
  values[1] = (void *) sizeof small;
  ok_int (cuModuleLoadDataEx (&m, ".wrong", 2, options, values),
	  CUDA_ERROR_INVALID_PTX, "the same without a link");
  ok_str (small, "module:", "into a small buffer");
}

static void
launches (void)
{
  CUfunction add = fake_function ("add"), nothing = fake_function ("nothing");
  CUdeviceptr p;
  unsigned n = 4, value;
  struct { CUdeviceptr p; unsigned n; } buffer;
  size_t size = 12;
  cuMemAlloc (&p, 4);
  cuMemsetD32 (p, 0, 1);
  buffer.p = p;
  buffer.n = 30;
  void *params[] = { &p, &n };
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer,
		    CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
  ok_int (cuLaunchKernel (add, 1, 1, 1, 1, 1, 1, 0, 0, params, NULL),
	  CUDA_SUCCESS, "parameters one by one");
  ok_int (cuLaunchKernel (add, 1, 1, 1, 1, 1, 1, 0, 0, NULL, extra),
	  CUDA_SUCCESS, "as a buffer");
  n = 1000;
  buffer.n = 1000;
  cuMemcpyDtoH (&value, p, 4);
  ok_int (value, 34, "both read when the call was made");
  ok_int (cuLaunchKernel (add, 1, 1, 1, 1, 1, 1, 0, 0, params, extra),
	  CUDA_ERROR_INVALID_VALUE, "both at once");
  ok_int (cuLaunchKernel (add, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL),
	  CUDA_ERROR_INVALID_VALUE, "none");
  size = 24;
  ok_int (cuLaunchKernel (add, 1, 1, 1, 1, 1, 1, 0, 0, NULL, extra),
	  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many");
  size = 8;
  ok_int (cuLaunchKernel (add, 1, 1, 1, 1, 1, 1, 0, 0, NULL, extra),
	  CUDA_ERROR_INVALID_VALUE, "too few");
  ok_int (cuLaunchKernel (nothing, 1, 1, 1, 1025, 1, 1, 0, 0, NULL, NULL),
	  CUDA_ERROR_INVALID_VALUE, "too large a block");

  ok_int (cuLaunchKernel (nothing, 1, 1, 1, 1, 1, 1, 48 << 10, 0, NULL, NULL),
	  CUDA_ERROR_INVALID_VALUE,
	  "48 KiB with the kernel's own are too much shared memory");
  int limit;
  ok_int (cuFuncSetAttribute (nothing,
			      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			      100 << 10),
	  CUDA_SUCCESS, "unless the function opts in");
  ok_int (cuFuncGetAttribute (&limit,
			      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			      nothing),
	  CUDA_SUCCESS, "which it remembers");
  ok_int (limit, 100 << 10, "as given");
  ok_int (cuLaunchKernel (nothing, 7, 2, 3, 32, 4, 2, 48 << 10, 0, NULL, NULL),
	  CUDA_SUCCESS, "then it launches");
  cuCtxSynchronize ();
  ok (fake_last_launch.grid[0] == 7 && fake_last_launch.grid[2] == 3
      && fake_last_launch.block[1] == 4
      && fake_last_launch.dyn_shared == 48 << 10, "with this geometry");
  ok_int (cuFuncSetAttribute (nothing,
			      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			      1 << 20),
	  CUDA_ERROR_INVALID_VALUE, "more than the GPU has");
  size_t offset, bytes;
  ok_int (cuFuncGetParamInfo (add, 1, &offset, &bytes), CUDA_SUCCESS,
	  "about a parameter");
  ok (offset == 8 && bytes == 4, "where it lies");
  ok_int (cuFuncGetParamInfo (add, 2, &offset, &bytes),
	  CUDA_ERROR_INVALID_VALUE, "there is no third");
  cuMemFree (p);
}

/* H100 class: 2048 threads, 64 Ki registers, 228 KiB shared memory; the
   kernels take 32 registers and 1 KiB, and each block 1 KiB for itself.  */
static void
occupancy (void)
{
  CUfunction f = fake_function ("nothing");
  int blocks, grid, block;
  size_t shared;
  cuOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, f, 256, 0);
  ok_int (blocks, 8, "limited by threads");
  cuOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, f, 32, 0);
  ok_int (blocks, 32, "limited by blocks");
  cuOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, f, 32, 54 << 10);
  ok_int (blocks, 4, "limited by shared memory");
  cuOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, f, 2000, 0);
  ok_int (blocks, 0, "too large to run");
  cuOccupancyMaxPotentialBlockSize (&grid, &block, f, NULL, 0, 0);
  ok_int (block, 1024, "the best block");
  ok_int (grid, 2 * 132, "and its grid");
  cuOccupancyMaxPotentialBlockSize (&grid, &block, f, NULL, 0, 300);
  ok (block <= 300 && block % 32 == 0, "below a limit");
  ok_int (cuOccupancyAvailableDynamicSMemPerBlock (&shared, f, 8, 256),
	  CUDA_SUCCESS, "shared memory for eight blocks");
  cuFuncSetAttribute (f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
		      100 << 10);
  cuOccupancyAvailableDynamicSMemPerBlock (&shared, f, 8, 256);
  cuOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, f, 256, shared);
  ok_int (blocks, 8, "is what leaves eight resident");
  cuOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, f, 256, shared + 256);
  ok_int (blocks, 7, "and no more");
  ok_int (cuLaunchCooperativeKernel (f, 8 * 132, 1, 1, 256, 1, 1, 0, 0, NULL),
	  CUDA_SUCCESS, "a cooperative launch that fits");
  ok_int (cuLaunchCooperativeKernel (f, 8 * 132 + 1, 1, 1, 256, 1, 1, 0, 0,
				     NULL),
	  CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "one that does not");
  cuCtxSynchronize ();
}

int
main (void)
{
  fake_start ();
  modules ();
  linker ();
  launches ();
  occupancy ();
  return done_testing ();
}

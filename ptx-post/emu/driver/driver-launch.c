/* Functions, launches and occupancy.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"

/* ---- Functions --------------------------------------------------------- */

CUresult
emu_cuFuncGetAttribute (int *value, CUfunction_attribute attribute,
			CUfunction fn)
{
  if (!emu_object_is (fn, EMU_FUNCTION))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  switch (attribute)
    {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = fn->info.max_threads;
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = fn->info.shared;
      break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = fn->info.constant;
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = fn->info.local;
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = fn->info.regs;
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = emu_gpu ()->cc;
      break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = 0;
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = fn->max_dynamic_shared;
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = fn->carveout;
      break;
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
  return CUDA_SUCCESS;
}

CUresult
emu_cuFuncSetAttribute (CUfunction fn, CUfunction_attribute attribute,
			int value)
{
  if (!emu_object_is (fn, EMU_FUNCTION))
    return CUDA_ERROR_INVALID_HANDLE;
  switch (attribute)
    {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      if (value < 0
	  || value + fn->info.shared
	     > (size_t) emu_gpu ()->shared_per_block_optin)
	return CUDA_ERROR_INVALID_VALUE;
      fn->max_dynamic_shared = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100)
	return CUDA_ERROR_INVALID_VALUE;
      fn->carveout = value;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult
emu_cuKernelGetAttribute (int *value, CUfunction_attribute attribute,
			  CUkernel kernel, CUdevice dev)
{
  CUfunction fn;
  CUresult r = emu_cuKernelGetFunction (&fn, kernel);
  if (!r && !emu_device_valid (dev))
    r = CUDA_ERROR_INVALID_DEVICE;
  return r ? r : emu_cuFuncGetAttribute (value, attribute, fn);
}

CUresult
emu_cuKernelSetAttribute (CUfunction_attribute attribute, int value,
			  CUkernel kernel, CUdevice dev)
{
  CUfunction fn;
  CUresult r = emu_cuKernelGetFunction (&fn, kernel);
  if (!r && !emu_device_valid (dev))
    r = CUDA_ERROR_INVALID_DEVICE;
  return r ? r : emu_cuFuncSetAttribute (fn, attribute, value);
}

CUresult
emu_cuFuncSetCacheConfig (CUfunction fn, CUfunc_cache config)
{
  if (!emu_object_is (fn, EMU_FUNCTION))
    return CUDA_ERROR_INVALID_HANDLE;
  return config <= CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_SUCCESS
					      : CUDA_ERROR_INVALID_VALUE;
}

CUresult
emu_cuFuncGetModule (CUmodule *module, CUfunction fn)
{
  if (!emu_object_is (fn, EMU_FUNCTION))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!module)
    return CUDA_ERROR_INVALID_VALUE;
  *module = fn->module;
  return CUDA_SUCCESS;
}

CUresult
emu_cuFuncGetName (const char **name, CUfunction fn)
{
  if (!emu_object_is (fn, EMU_FUNCTION))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = fn->info.name;
  return CUDA_SUCCESS;
}

CUresult
emu_cuFuncGetParamInfo (CUfunction fn, size_t index, size_t *offset,
			size_t *size)
{
  size_t ignored;
  if (!emu_object_is (fn, EMU_FUNCTION))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!offset || index >= fn->info.nparams)
    return CUDA_ERROR_INVALID_VALUE;
  return emu_func_param (fn->func, index, offset, size ? size : &ignored);
}

/* All functions are there from the start.  */
CUresult
emu_cuFuncLoad (CUfunction fn)
{
  return emu_object_is (fn, EMU_FUNCTION) ? CUDA_SUCCESS
					  : CUDA_ERROR_INVALID_HANDLE;
}

CUresult
emu_cuFuncIsLoaded (CUfunctionLoadingState *state, CUfunction fn)
{
  if (!emu_object_is (fn, EMU_FUNCTION))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!state)
    return CUDA_ERROR_INVALID_VALUE;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return CUDA_SUCCESS;
}

/* ---- Launches ---------------------------------------------------------- */

struct launch_op
{
  struct emu_op op;
  struct emu_launch launch;
  char params[];
};

static CUresult
run_launch (struct emu_op *op, CUresult status)
{
  (void) status;
  return emu_launch_run (&((struct launch_op *) op)->launch);
}

/* Lay out the parameters at BLOCK from one pointer each.  */
static CUresult
pack_params (const struct CUfunc_st *fn, char *block, void **params)
{
  for (unsigned i = 0; i < fn->info.nparams; i++)
    {
      size_t offset, size;
      CUresult r = emu_func_param (fn->func, i, &offset, &size);
      if (r)
	return r;
      if (!params || !params[i])
	return CUDA_ERROR_INVALID_VALUE;
      memcpy (block + offset, params[i], size);
    }
  return CUDA_SUCCESS;
}

/* The same from the buffer that EXTRA describes.  A buffer longer than the
   parameters is too many of them, for the real driver too.  */
static CUresult
unpack_extra (const struct CUfunc_st *fn, char *block, void **extra)
{
  const void *buffer = NULL;
  size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
      size = *(size_t *) extra[1];
    else
      return CUDA_ERROR_INVALID_VALUE;
  if (size > fn->info.params)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (size < fn->info.params || (size && !buffer))
    return CUDA_ERROR_INVALID_VALUE;
  if (size)
    memcpy (block, buffer, size);
  return CUDA_SUCCESS;
}

CUresult
emu_launch_params (const struct CUfunc_st *fn, char *block, void **params,
		   void **extra)
{
  return extra ? unpack_extra (fn, block, extra)
	       : pack_params (fn, block, params);
}

CUresult
emu_launch_push (const struct CUfunc_st *fn, unsigned gx, unsigned gy,
		 unsigned gz, unsigned bx, unsigned by, unsigned bz,
		 unsigned shared, struct CUstream_st *s, void **params,
		 void **extra)
{
  if ((params && extra) || shared > fn->max_dynamic_shared)
    return CUDA_ERROR_INVALID_VALUE;
  struct launch_op *l
    = emu_op_new (sizeof *l + fn->info.params, run_launch);
  if (!l)
    return CUDA_ERROR_OUT_OF_MEMORY;
  l->launch = (struct emu_launch) { fn->func, { gx, gy, gz }, { bx, by, bz },
				    shared, l->params };
  CUresult r = emu_launch_check (&l->launch);
  if (!r)
    r = emu_launch_params (fn, l->params, params, extra);
  if (r)
    {
      emu_op_free (&l->op);
      return r;
    }
  return emu_stream_push (s, &l->op);
}

/* What HANDLE and STREAM stand for: a function is launched into streams of its
   own context only, whichever is current.  */
static CUresult
launch_operands (CUfunction handle, CUstream stream, CUfunction *fn,
		 struct CUstream_st **s)
{
  CUresult r = emu_function_of (handle, fn);
  if (r)
    return r;
  *s = emu_stream_of (stream);
  return *s && (*s)->object.ctx == (*fn)->object.ctx
	 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult
emu_cuLaunchKernel (CUfunction fn, unsigned gx, unsigned gy, unsigned gz,
		    unsigned bx, unsigned by, unsigned bz, unsigned shared,
		    CUstream stream, void **params, void **extra)
{
  struct CUstream_st *s;
  CUresult r = launch_operands (fn, stream, &fn, &s);
  return r ? r : emu_launch_push (fn, gx, gy, gz, bx, by, bz, shared, s,
				  params, extra);
}

/* ---- Occupancy --------------------------------------------------------- */

static unsigned
round_up (unsigned n, unsigned unit)
{
  return (n + unit - 1) / unit * unit;
}

/* Blocks of BLOCK_SIZE threads and SHARED dynamic bytes that fit into one
   multiprocessor.  Registers are given out per warp in units of 256, shared
   memory in units of 128 bytes plus what the system keeps per block (CUDA
   Occupancy Calculator).  */
static unsigned
blocks_per_sm (const struct CUfunc_st *fn, unsigned block_size, size_t shared)
{
  const struct emu_gpu *g = emu_gpu ();
  unsigned warps = (block_size + 31) / 32;
  if (!warps || block_size > (unsigned) fn->info.max_threads)
    return 0;
  unsigned blocks = g->max_blocks_per_sm;
  unsigned by_threads = g->max_threads_per_sm / 32 / warps;
  if (blocks > by_threads)
    blocks = by_threads;
  unsigned regs = round_up (fn->info.regs * 32, 256) * warps;
  if (regs && blocks > g->regs_per_sm / regs)
    blocks = g->regs_per_sm / regs;
  size_t bytes = fn->info.shared + shared;
  if (bytes > (size_t) g->shared_per_block_optin)
    return 0;
  bytes = round_up (bytes, 128) + (g->cc >= 80 ? 1024 : 0);
  if (bytes && blocks > g->shared_per_sm / bytes)
    blocks = g->shared_per_sm / bytes;
  return blocks;
}

CUresult
emu_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags (
  int *blocks, CUfunction fn, int block_size, size_t shared, unsigned flags)
{
  if (!emu_object_is (fn, EMU_FUNCTION))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!blocks || block_size <= 0 || flags > 1)
    return CUDA_ERROR_INVALID_VALUE;
  *blocks = blocks_per_sm (fn, block_size, shared);
  return CUDA_SUCCESS;
}

CUresult
emu_cuOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, CUfunction fn,
						 int block_size, size_t shared)
{
  return emu_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags (
    blocks, fn, block_size, shared, 0);
}

/* The block size that keeps most threads resident, the largest of equals.  */
CUresult
emu_cuOccupancyMaxPotentialBlockSizeWithFlags (int *grid, int *block,
					       CUfunction fn,
					       CUoccupancyB2DSize shared_of,
					       size_t shared, int limit,
					       unsigned flags)
{
  if (!emu_object_is (fn, EMU_FUNCTION))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!grid || !block || limit < 0 || flags > 1)
    return CUDA_ERROR_INVALID_VALUE;
  int largest = fn->info.max_threads;
  if (limit && limit < largest)
    largest = limit;
  unsigned best = 0;
  *grid = *block = 0;
  for (int size = largest; size > 0; size = (size - 1) / 32 * 32)
    {
      unsigned n = blocks_per_sm (fn, size,
				  shared_of ? shared_of (size) : shared);
      if (n * size > best)
	{
	  best = n * size;
	  *block = size;
	  *grid = n * emu_gpu ()->sms;
	}
    }
  return CUDA_SUCCESS;
}

CUresult
emu_cuOccupancyMaxPotentialBlockSize (int *grid, int *block, CUfunction fn,
				      CUoccupancyB2DSize shared_of,
				      size_t shared, int limit)
{
  return emu_cuOccupancyMaxPotentialBlockSizeWithFlags (
    grid, block, fn, shared_of, shared, limit, 0);
}

CUresult
emu_cuOccupancyAvailableDynamicSMemPerBlock (size_t *shared, CUfunction fn,
					     int blocks, int block_size)
{
  const struct emu_gpu *g = emu_gpu ();
  if (!emu_object_is (fn, EMU_FUNCTION))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!shared || blocks <= 0 || block_size <= 0
      || blocks_per_sm (fn, block_size, 0) < (unsigned) blocks)
    return CUDA_ERROR_INVALID_VALUE;
  size_t each = g->shared_per_sm / blocks;
  size_t taken = fn->info.shared + (g->cc >= 80 ? 1024 : 0);
  each = each > taken ? (each - taken) / 128 * 128 : 0;
  *shared = each < fn->max_dynamic_shared ? each : fn->max_dynamic_shared;
  return CUDA_SUCCESS;
}

/* All blocks have to be resident at once, so that they can wait for each
   other.  */
CUresult
emu_cuLaunchCooperativeKernel (CUfunction fn, unsigned gx, unsigned gy,
			       unsigned gz, unsigned bx, unsigned by,
			       unsigned bz, unsigned shared, CUstream stream,
			       void **params)
{
  struct CUstream_st *s;
  CUresult r = launch_operands (fn, stream, &fn, &s);
  if (r)
    return r;
  uint64_t room = (uint64_t) emu_gpu ()->sms
		  * blocks_per_sm (fn, bx * by * bz, shared);
  if ((uint64_t) gx * gy * gz > room)
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  return emu_launch_push (fn, gx, gy, gz, bx, by, bz, shared, s, params, NULL);
}

/* Attributes that make launches faster are taken and have no effect; clusters of
   blocks and what orders a launch otherwise are refused.  */
CUresult
emu_cuLaunchKernelEx (const CUlaunchConfig *c, CUfunction fn, void **params,
		      void **extra)
{
  if (!c || (c->numAttrs && !c->attrs))
    return CUDA_ERROR_INVALID_VALUE;
  bool cooperative = false;
  for (const CUlaunchAttribute *a = c->attrs; a < c->attrs + c->numAttrs; a++)
    switch (a->id)
      {
      case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
	cooperative = a->value.cooperative;
	break;
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
	if (a->value.clusterDim.x > 1 || a->value.clusterDim.y > 1
	    || a->value.clusterDim.z > 1)
	  return CUDA_ERROR_NOT_SUPPORTED;
	break;
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
	return CUDA_ERROR_NOT_SUPPORTED;
      case CU_LAUNCH_ATTRIBUTE_IGNORE:
      case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      case CU_LAUNCH_ATTRIBUTE_PRIORITY:
	break;
      default:
	return CUDA_ERROR_INVALID_VALUE;
      }
  if (cooperative && !extra)
    return emu_cuLaunchCooperativeKernel (
      fn, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY,
      c->blockDimZ, c->sharedMemBytes, c->hStream, params);
  return emu_cuLaunchKernel (fn, c->gridDimX, c->gridDimY, c->gridDimZ,
			     c->blockDimX, c->blockDimY, c->blockDimZ,
			     c->sharedMemBytes, c->hStream, params, extra);
}

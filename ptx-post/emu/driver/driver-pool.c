/* Stream-ordered allocation.

   Memory comes at once; what is ordered is its return, an operation of the
   stream.  Pools only count and keep their attributes: the machine's
   allocator has nothing to hold back.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdlib.h>

#include "driver/driver.h"

struct CUmemPoolHandle_st *
emu_pool_new (CUdevice dev)
{
  struct CUmemPoolHandle_st *p = emu_object_new (EMU_POOL, sizeof *p, NULL);
  if (p)
    {
      p->dev = dev;
      for (unsigned i = 0; i < 3; i++)
	p->reuse[i] = 1;
    }
  return p;
}

CUresult
emu_cuMemAllocFromPoolAsync (CUdeviceptr *addr, size_t bytes,
			     CUmemoryPool pool, CUstream stream)
{
  if (!emu_stream_of (stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!emu_object_is (pool, EMU_POOL))
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = emu_device_alloc ((struct emu_block) { .kind = EMU_POOLED,
						      .bytes = bytes,
						      .dev = pool->dev,
						      .pool = pool }, addr);
  if (r)
    return r;
  pool->used += bytes;
  if (pool->used > pool->used_high)
    pool->used_high = pool->used;
  return CUDA_SUCCESS;
}

CUresult
emu_cuMemAllocAsync (CUdeviceptr *addr, size_t bytes, CUstream stream)
{
  return emu_cuMemAllocFromPoolAsync (addr, bytes,
				      emu_devices[emu_context ()->dev].pool,
				      stream);
}

struct free_op
{
  struct emu_op op;
  CUdeviceptr addr;
};

static CUresult
run_free (struct emu_op *op, CUresult status)
{
  (void) status;
  emu_lock ();
  struct emu_block *b = emu_block_find (((struct free_op *) op)->addr);
  CUresult r = b ? emu_block_free (b) : CUDA_ERROR_ILLEGAL_ADDRESS;
  emu_unlock ();
  return r;
}

CUresult
emu_cuMemFreeAsync (CUdeviceptr addr, CUstream stream)
{
  struct CUstream_st *s = emu_stream_of (stream);
  if (!s)
    return CUDA_ERROR_INVALID_HANDLE;
  struct emu_block *b = emu_block_find (addr);
  if (!b || b->start != addr || b->kind > EMU_POOLED || b->freeing)
    return CUDA_ERROR_INVALID_VALUE;
  struct free_op *f = emu_op_new (sizeof *f, run_free);
  if (!f)
    return CUDA_ERROR_OUT_OF_MEMORY;
  f->addr = addr;
  CUresult r = emu_stream_push (s, &f->op);
  b->freeing = !r;
  return r;
}

/* ---- Pools ------------------------------------------------------------- */

static CUresult
device_pool (CUmemoryPool *pool, CUdevice dev, CUmemoryPool value)
{
  if (!pool)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  *pool = value;
  return CUDA_SUCCESS;
}

CUresult
emu_cuDeviceGetDefaultMemPool (CUmemoryPool *pool, CUdevice dev)
{
  return device_pool (pool, dev, emu_device_valid (dev)
				 ? emu_devices[dev].default_pool : NULL);
}

CUresult
emu_cuDeviceGetMemPool (CUmemoryPool *pool, CUdevice dev)
{
  return device_pool (pool, dev,
		      emu_device_valid (dev) ? emu_devices[dev].pool : NULL);
}

CUresult
emu_cuDeviceSetMemPool (CUdevice dev, CUmemoryPool pool)
{
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  if (!emu_object_is (pool, EMU_POOL) || pool->dev != dev)
    return CUDA_ERROR_INVALID_VALUE;
  emu_devices[dev].pool = pool;
  return CUDA_SUCCESS;
}

CUresult
emu_cuMemPoolCreate (CUmemoryPool *pool, const CUmemPoolProps *props)
{
  if (!pool || !props || props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED
      || props->location.type != CU_MEM_LOCATION_TYPE_DEVICE
      || !emu_device_valid (props->location.id))
    return CUDA_ERROR_INVALID_VALUE;
  if (props->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return CUDA_ERROR_NOT_SUPPORTED;
  *pool = emu_pool_new (props->location.id);
  return *pool ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* What was allocated from the pool lives on, as the default pool's.  */
CUresult
emu_cuMemPoolDestroy (CUmemoryPool pool)
{
  if (!emu_object_is (pool, EMU_POOL)
      || pool == emu_devices[pool->dev].default_pool)
    return CUDA_ERROR_INVALID_VALUE;
  struct emu_device *d = &emu_devices[pool->dev];
  if (d->pool == pool)
    d->pool = d->default_pool;
  emu_blocks_move (pool, d->default_pool);
  d->default_pool->used += pool->used;
  emu_object_retire (&pool->object);
  free (pool);
  return CUDA_SUCCESS;
}

/* Bounds of the attributes of each kind.  */
static bool
is_reuse (CUmemPool_attribute a)
{
  return a >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
	 && a <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

CUresult
emu_cuMemPoolSetAttribute (CUmemoryPool pool, CUmemPool_attribute attribute,
			   void *value)
{
  if (!emu_object_is (pool, EMU_POOL) || !value)
    return CUDA_ERROR_INVALID_VALUE;
  if (is_reuse (attribute))
    pool->reuse[attribute - 1] = *(int *) value;
  else if (attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    pool->threshold = *(uint64_t *) value;
  else if ((attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH
	    || attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
	   && !*(uint64_t *) value)
    pool->used_high = pool->used;
  else
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult
emu_cuMemPoolGetAttribute (CUmemoryPool pool, CUmemPool_attribute attribute,
			   void *value)
{
  if (!emu_object_is (pool, EMU_POOL) || !value)
    return CUDA_ERROR_INVALID_VALUE;
  if (is_reuse (attribute))
    *(int *) value = pool->reuse[attribute - 1];
  else if (attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    *(uint64_t *) value = pool->threshold;
  else if (attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT
	   || attribute == CU_MEMPOOL_ATTR_USED_MEM_CURRENT)
    *(uint64_t *) value = pool->used;
  else if (attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH
	   || attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH)
    *(uint64_t *) value = pool->used_high;
  else
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult
emu_cuMemPoolTrimTo (CUmemoryPool pool, size_t keep)
{
  (void) keep;
  return emu_object_is (pool, EMU_POOL) ? CUDA_SUCCESS
					: CUDA_ERROR_INVALID_VALUE;
}

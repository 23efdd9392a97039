/* The emulated driver: allocations, pinned memory, pointer attributes, pools.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdlib.h>

#include "driver/cuda-api.h"
#include "fake-machine.h"
#include "tap.h"

static CUcontext ctx;

static void
device_memory (void)
{
  CUdeviceptr p, q, base;
  size_t size, pitch, before, after, total;
  ok_int (cuMemAlloc (&p, 0), CUDA_ERROR_INVALID_VALUE, "no bytes");
  ok_int (cuMemAlloc (NULL, 4), CUDA_ERROR_INVALID_VALUE, "nowhere to tell");
  ok_int (cuMemAlloc (&p, (size_t) 1 << 40), CUDA_ERROR_OUT_OF_MEMORY,
	  "more than the GPU has");
  cuMemGetInfo (&before, &total);
  ok (total == (size_t) 141 << 30 && before == total, "all memory is free");
  ok_int (cuMemAlloc (&p, 1000), CUDA_SUCCESS, "cuMemAlloc");
  cuMemGetInfo (&after, &total);
  ok (after == before - 1000, "less is free");
  ok_int (cuMemGetAddressRange (&base, &size, p + 999), CUDA_SUCCESS,
	  "its last byte");
  ok (base == p && size == 1000, "leads to its range");
  ok_int (cuMemGetAddressRange (&base, NULL, p), CUDA_SUCCESS,
	  "either result may be left out");
  ok_int (cuMemGetAddressRange (&base, &size, (uintptr_t) &base),
	  CUDA_ERROR_NOT_FOUND, "no range for a host address");
  ok_int (cuMemFree (p + 4), CUDA_ERROR_INVALID_VALUE,
	  "only its start can be freed");
  ok_int (cuMemFree (p), CUDA_SUCCESS, "cuMemFree");
  ok_int (cuMemFree (p), CUDA_ERROR_INVALID_VALUE, "not twice");
  ok_int (cuMemFree (0), CUDA_SUCCESS, "nothing is always freed");
  ok_int (cuMemAllocPitch (&q, &pitch, 100, 10, 4), CUDA_SUCCESS,
	  "cuMemAllocPitch");
  ok (pitch >= 100 && pitch % 512 == 0, "rows start aligned");
  ok_int (cuMemAllocPitch (&p, &pitch, 100, 10, 3), CUDA_ERROR_INVALID_VALUE,
	  "odd elements");
  cuMemFree (q);
  ok_int (cuMemAllocManaged (&p, 64, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS,
	  "managed memory");
  *(int *) p = 5;
  ok_int (*(int *) p, 5, "is the host's too");
  cuMemFree (p);
  cuMemGetInfo (&after, &total);
  ok (after == total, "all memory is free again");
  ok_int (fake_allocations, 0, "nothing is left");
}

static void
host_memory (void)
{
  static char mine[8192];
  void *p;
  unsigned flags;
  CUdeviceptr d;
  ok_int (cuMemHostAlloc (&p, 100, 0x80), CUDA_ERROR_INVALID_VALUE,
	  "unknown flags");
  ok_int (cuMemHostAlloc (&p, 100, CU_MEMHOSTALLOC_PORTABLE), CUDA_SUCCESS,
	  "cuMemHostAlloc");
  memset (p, 1, 100);
  ok_int (cuMemHostGetFlags (&flags, p), CUDA_SUCCESS, "its flags");
  ok_int (flags, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP,
	  "are as given, and mapped");
  ok_int (cuMemHostGetDevicePointer (&d, (char *) p + 5, 0), CUDA_SUCCESS,
	  "its device address");
  ok (d == (uintptr_t) p + 5, "is the same");
  ok_int (cuMemFree ((uintptr_t) p), CUDA_ERROR_INVALID_VALUE,
	  "is not for cuMemFree");
  ok_int (cuMemFreeHost (p), CUDA_SUCCESS, "cuMemFreeHost");
  ok_int (cuMemFreeHost (mine), CUDA_ERROR_INVALID_VALUE,
	  "not what it did not give");
  ok_int (cuMemHostUnregister (mine), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
	  "not registered");
  ok_int (cuMemHostRegister (mine, 4096, 0), CUDA_SUCCESS, "register");
  ok_int (cuMemHostRegister (mine + 4000, 200, 0),
	  CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "overlaps");
  ok_int (cuMemHostRegister_v2 (mine + 4096, 4096, 0), CUDA_SUCCESS,
	  "its neighbour does not");
  ok_int (cuMemHostUnregister (mine), CUDA_SUCCESS, "unregister");
  ok_int (cuMemHostUnregister (mine), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
	  "not twice");
  ok_int (cuMemHostUnregister (mine + 4096), CUDA_SUCCESS, "the neighbour");
}

static void
pointers (void)
{
  CUdeviceptr p, start;
  CUcontext owner;
  void *host, *h;
  unsigned type;
  int dev, local;
  size_t size;
  cuMemAlloc (&p, 100);
  cuMemAllocHost (&host, 100);
  cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 9);
  ok_int (type, CU_MEMORYTYPE_DEVICE, "device memory is");
  cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
			 (uintptr_t) host);
  ok_int (type, CU_MEMORYTYPE_HOST, "pinned memory is the host's");
  cuPointerGetAttribute (&owner, CU_POINTER_ATTRIBUTE_CONTEXT, p);
  ok (owner == ctx, "its context");
  ok_int (cuPointerGetAttribute (&h, CU_POINTER_ATTRIBUTE_HOST_POINTER, p),
	  CUDA_ERROR_INVALID_VALUE, "device memory has no host address");
  ok_int (cuPointerGetAttribute (&h, CU_POINTER_ATTRIBUTE_HOST_POINTER,
				 (uintptr_t) host),
	  CUDA_SUCCESS, "pinned memory has");
  ok (h == host, "the same");
  ok_int (cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				 (uintptr_t) &local),
	  CUDA_ERROR_INVALID_VALUE, "nothing is known about the stack");
  CUpointer_attribute which[]
    = { CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
	CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL };
  void *values[] = { &start, &size, &dev };
  ok_int (cuPointerGetAttributes (3, which, values, p + 50), CUDA_SUCCESS,
	  "several at once");
  ok (start == p && size == 100 && dev == 0, "are right");
  ok_int (cuPointerGetAttributes (3, which, values, (uintptr_t) &local),
	  CUDA_SUCCESS, "of an unknown address");
  ok (!start && !size && dev == -2, "are none");
  cuMemFree (p);
  cuMemFreeHost (host);
}

static void
pools (void)
{
  CUmemoryPool pool, mine;
  CUdeviceptr p, q;
  CUstream s;
  uint64_t n = 1 << 20;
  CUmemPoolProps props
    = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
	.location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } };
  cuStreamCreate (&s, 0);
  ok_int (cuDeviceGetDefaultMemPool (&pool, 0), CUDA_SUCCESS, "default pool");
  ok_int (cuMemPoolSetAttribute (pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &n),
	  CUDA_SUCCESS, "its threshold");
  n = 0;
  cuMemPoolGetAttribute (pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &n);
  ok_int (n, 1 << 20, "is kept");
  ok_int (cuMemAllocAsync (&p, 100, s), CUDA_SUCCESS, "allocate");
  cuMemPoolGetAttribute (pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &n);
  ok_int (n, 100, "is counted");
  ok_int (cuMemsetD8Async (p, 1, 100, s), CUDA_SUCCESS, "use");
  ok_int (cuMemFreeAsync (p, s), CUDA_SUCCESS, "free");
  ok_int (cuMemFreeAsync (p, s), CUDA_ERROR_INVALID_VALUE, "not twice");
  cuStreamSynchronize (s);
  ok_int (fake_allocations, 0, "it is gone");
  cuMemPoolGetAttribute (pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &n);
  ok_int (n, 100, "the highest use is remembered");
  ok_int (cuMemPoolDestroy (pool), CUDA_ERROR_INVALID_VALUE,
	  "the default pool stays");

  ok_int (cuMemPoolCreate (&mine, &props), CUDA_SUCCESS, "a pool");
  ok_int (cuMemAllocFromPoolAsync (&p, 10, mine, s), CUDA_SUCCESS,
	  "allocate from it");
  cuDeviceSetMemPool (0, mine);
  cuMemAllocAsync (&q, 20, s);
  cuMemPoolGetAttribute (mine, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &n);
  ok_int (n, 30, "as the device's pool as well");
  ok_int (cuMemFree (p), CUDA_SUCCESS, "cuMemFree takes it too");
  ok_int (cuMemPoolDestroy (mine), CUDA_SUCCESS, "destroy the pool");
  ok_int (cuMemFreeAsync (q, NULL), CUDA_SUCCESS, "its memory lives on");
  cuCtxSynchronize ();
  ok_int (fake_allocations, 0, "until it is freed");
  cuStreamDestroy (s);
}

static void
owned (void)
{
  CUdeviceptr p;
  void *host;
  CUcontext other;
  cuCtxCreate (&other, 0, 0);
  cuMemAlloc (&p, 10);
  cuMemAllocHost (&host, 10);
  cuCtxDestroy (other);
  ok_int (fake_allocations, 0, "memory ends with its context");
  ok_int (cuMemFree (p), CUDA_ERROR_INVALID_VALUE, "and cannot be freed");
}

int
main (void)
{
  ctx = fake_start ();
  device_memory ();
  host_memory ();
  pointers ();
  pools ();
  owned ();
  return done_testing ();
}

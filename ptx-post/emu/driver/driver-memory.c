/* Device memory, pinned host memory and what pointers point to.

   All devices share one address space with the host (unified addressing), so
   the address of a byte is the same everywhere.  Which device and context an
   allocation belongs to is kept here, in a tree of disjoint ranges.

   Freeing waits for the work of the memory's context, as the real driver does:
   a program may rely on it, and kernels that still run never lose their
   memory.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <search.h>
#include <stdlib.h>
#include <unistd.h>

#include "driver/driver.h"

static void *blocks;		/* tree of struct emu_block */

/* Equal when the ranges touch: finds the block that holds an address.  */
static int
by_range (const void *a, const void *b)
{
  const struct emu_block *x = a, *y = b;
  if (x->start + x->bytes <= y->start)
    return -1;
  return x->start >= y->start + y->bytes;
}

static struct emu_block *
find_range (uint64_t start, size_t bytes)
{
  struct emu_block key = { .start = start, .bytes = bytes };
  struct emu_block **found = tfind (&key, &blocks, by_range);
  return found ? *found : NULL;
}

struct emu_block *
emu_block_find (uint64_t addr)
{
  return find_range (addr, 1);
}

static struct emu_block *
block_add (struct emu_block proto)
{
  static uint64_t last_id;
  struct emu_block *b = malloc (sizeof *b);
  if (!b)
    return NULL;
  *b = proto;
  b->id = ++last_id;
  if (!tsearch (b, &blocks, by_range))
    {
      free (b);
      return NULL;
    }
  return b;
}

static bool
on_device (const struct emu_block *b)
{
  return b->kind <= EMU_POOLED;
}

CUresult
emu_block_free (struct emu_block *b)
{
  CUresult r = CUDA_SUCCESS;
  tdelete (b, &blocks, by_range);
  if (on_device (b))
    {
      emu_devices[b->dev].used -= b->bytes;
      if (b->pool)
	b->pool->used -= b->bytes;
      r = emu_mem_free (b->start);
    }
  else
    {
      r = emu_host_unregister ((void *) b->start);
      if (b->kind == EMU_PINNED)
	free ((void *) b->start);
    }
  free (b);
  return r;
}

/* twalk_r's callback: look for a block that belongs to the owner.  */
struct search
{
  const struct CUctx_st *ctx;
  const struct CUmemPoolHandle_st *pool;
  struct emu_block *found;
};

static void
look_at (const void *node, VISIT visit, void *closure)
{
  struct emu_block *b = *(struct emu_block *const *) node;
  struct search *s = closure;
  if ((visit == postorder || visit == leaf) && b->ctx == s->ctx
      && b->pool == s->pool)
    s->found = b;
}

static struct emu_block *
find_owned (const struct CUctx_st *ctx, const struct CUmemPoolHandle_st *pool)
{
  struct search s = { ctx, pool, NULL };
  twalk_r (blocks, look_at, &s);
  return s.found;
}

/* twalk_r's callback; CLOSURE is the context, NULL for all.  */
static void
leaked (const void *node, VISIT visit, void *closure)
{
  const struct emu_block *b = *(struct emu_block *const *) node;
  if ((visit == postorder || visit == leaf) && on_device (b)
      && (!closure || b->ctx == closure))
    emu_check_leak (b->start);
}

void
emu_blocks_leaked (const struct CUctx_st *ctx)
{
  twalk_r (blocks, leaked, (void *) ctx);
}

void
emu_blocks_free_of (struct CUctx_st *ctx)
{
  struct emu_block *b;
  while ((b = find_owned (ctx, NULL)))
    emu_block_free (b);
}

void
emu_blocks_move (struct CUmemPoolHandle_st *from,
		 struct CUmemPoolHandle_st *to)
{
  struct emu_block *b;
  while ((b = find_owned (NULL, from)))
    b->pool = to;
}

/* ---- Device memory ----------------------------------------------------- */

CUresult
emu_device_alloc (struct emu_block proto, CUdeviceptr *addr)
{
  struct emu_device *d = &emu_devices[proto.dev];
  if (!addr || !proto.bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (proto.bytes > emu_gpu ()->memory - d->used)
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult r = emu_mem_alloc (&proto.start, proto.bytes);
  if (r)
    return r;
  if (!block_add (proto))
    {
      emu_mem_free (proto.start);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  if (proto.kind == EMU_MANAGED)
    emu_check_defined (proto.start, proto.bytes);
  d->used += proto.bytes;
  *addr = proto.start;
  return CUDA_SUCCESS;
}

CUresult
emu_cuMemGetInfo (size_t *free, size_t *total)
{
  if (!free || !total)
    return CUDA_ERROR_INVALID_VALUE;
  *total = emu_gpu ()->memory;
  *free = *total - emu_devices[emu_context ()->dev].used;
  return CUDA_SUCCESS;
}

static struct emu_block
proto_block (enum emu_block_kind kind, size_t bytes, unsigned flags)
{
  struct CUctx_st *ctx = emu_context ();
  return (struct emu_block) { .kind = kind, .bytes = bytes, .flags = flags,
			      .dev = ctx->dev, .ctx = ctx };
}

CUresult
emu_cuMemAlloc (CUdeviceptr *addr, size_t bytes)
{
  return emu_device_alloc (proto_block (EMU_DEVICE, bytes, 0), addr);
}

CUresult
emu_cuMemAllocPitch (CUdeviceptr *addr, size_t *pitch, size_t width,
		     size_t height, unsigned element)
{
  if (!pitch || (element != 4 && element != 8 && element != 16)
      || width > SIZE_MAX - 511)
    return CUDA_ERROR_INVALID_VALUE;
  size_t row = (width + 511) & ~(size_t) 511, bytes;
  if (__builtin_mul_overflow (row, height, &bytes))
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult r = emu_cuMemAlloc (addr, bytes);
  if (!r)
    *pitch = row;
  return r;
}

CUresult
emu_cuMemAllocManaged (CUdeviceptr *addr, size_t bytes, unsigned flags)
{
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
    return CUDA_ERROR_INVALID_VALUE;
  return emu_device_alloc (proto_block (EMU_MANAGED, bytes, flags), addr);
}

/* ---- Where managed memory is ------------------------------------------- */

/* It is everywhere: advice is checked and has no effect.  */

static bool
is_managed (CUdeviceptr addr, size_t bytes)
{
  const struct emu_block *b = emu_block_find (addr);
  return bytes && b && b->kind == EMU_MANAGED
	 && bytes <= b->bytes - (addr - b->start);
}

static CUresult
check_location (CUmemLocation l)
{
  return l.type == CU_MEM_LOCATION_TYPE_DEVICE
	   ? (emu_device_valid (l.id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE)
	 : l.type >= CU_MEM_LOCATION_TYPE_HOST
	     && l.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT
	   ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The older entries name a device, or CU_DEVICE_CPU.  */
static CUmemLocation
location_of (CUdevice dev)
{
  return (CUmemLocation) { dev == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST
						: CU_MEM_LOCATION_TYPE_DEVICE,
			   dev };
}

CUresult
emu_cuMemAdvise_v2 (CUdeviceptr addr, size_t bytes, CUmem_advise advice,
		    CUmemLocation location)
{
  if (!is_managed (addr, bytes) || advice < CU_MEM_ADVISE_SET_READ_MOSTLY
      || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
    return CUDA_ERROR_INVALID_VALUE;
  /* These have no location.  */
  if (advice == CU_MEM_ADVISE_SET_READ_MOSTLY
      || advice == CU_MEM_ADVISE_UNSET_READ_MOSTLY
      || advice == CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION)
    return CUDA_SUCCESS;
  return check_location (location);
}

CUresult
emu_cuMemAdvise (CUdeviceptr addr, size_t bytes, CUmem_advise advice,
		 CUdevice dev)
{
  return emu_cuMemAdvise_v2 (addr, bytes, advice, location_of (dev));
}

CUresult
emu_cuMemPrefetchAsync_v2 (CUdeviceptr addr, size_t bytes,
			   CUmemLocation location, unsigned flags,
			   CUstream stream)
{
  if (!emu_stream_of (stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (flags || !is_managed (addr, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  return check_location (location);
}

CUresult
emu_cuMemPrefetchAsync (CUdeviceptr addr, size_t bytes, CUdevice dev,
			CUstream stream)
{
  return emu_cuMemPrefetchAsync_v2 (addr, bytes, location_of (dev), 0, stream);
}

/* 0 bytes: all of the block.  */
CUresult
emu_cuStreamAttachMemAsync (CUstream stream, CUdeviceptr addr, size_t bytes,
			    unsigned flags)
{
  if (!emu_stream_of (stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if ((flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST
       && flags != CU_MEM_ATTACH_SINGLE)
      || !is_managed (addr, bytes ? bytes : 1))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult
emu_cuMemFree (CUdeviceptr addr)
{
  if (!addr)
    return CUDA_SUCCESS;
  struct emu_block *b = emu_block_find (addr);
  if (!b || b->start != addr || !on_device (b))
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = emu_context_wait (emu_context ());
  if (r)
    return r;
  /* Another thread may have freed it meanwhile.  */
  b = emu_block_find (addr);
  return b && b->start == addr ? emu_block_free (b) : CUDA_ERROR_INVALID_VALUE;
}

/* Of what another device has there is none.  Variables of modules have ranges as
   well.  */
CUresult
emu_cuMemGetAddressRange (CUdeviceptr *base, size_t *bytes, CUdeviceptr addr)
{
  struct emu_block *b = emu_block_find (addr);
  uint64_t start = b ? b->start : 0;
  size_t size = b ? b->bytes : 0;
  if (b ? b->ctx && b->dev != emu_context ()->dev
	: emu_mem_range (addr, &start, &size) != CUDA_SUCCESS)
    return CUDA_ERROR_NOT_FOUND;
  if (base)
    *base = start;
  if (bytes)
    *bytes = size;
  return CUDA_SUCCESS;
}

/* ---- Pinned host memory ------------------------------------------------ */

CUresult
emu_cuMemHostAlloc (void **p, size_t bytes, unsigned flags)
{
  const unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP
			 | CU_MEMHOSTALLOC_WRITECOMBINED;
  if (!p || !bytes || flags & ~known)
    return CUDA_ERROR_INVALID_VALUE;
  size_t page = sysconf (_SC_PAGESIZE);
  if (posix_memalign (p, page, bytes))
    return CUDA_ERROR_OUT_OF_MEMORY;
  struct emu_block proto = proto_block (EMU_PINNED, bytes, flags);
  proto.start = (uintptr_t) *p;
  CUresult r = emu_host_register (*p, bytes);
  if (!r && !block_add (proto))
    {
      emu_host_unregister (*p);
      r = CUDA_ERROR_OUT_OF_MEMORY;
    }
  if (r)
    free (*p);
  return r;
}

CUresult
emu_cuMemAllocHost (void **p, size_t bytes)
{
  return emu_cuMemHostAlloc (p, bytes, 0);
}

CUresult
emu_cuMemHostRegister (void *p, size_t bytes, unsigned flags)
{
  const unsigned known
    = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP
      | CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;
  if (!p || !bytes || flags & ~known)
    return CUDA_ERROR_INVALID_VALUE;
  if (find_range ((uintptr_t) p, bytes))
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  struct emu_block proto = proto_block (EMU_REGISTERED, bytes, flags);
  proto.start = (uintptr_t) p;
  CUresult r = emu_host_register (p, bytes);
  if (!r && !block_add (proto))
    {
      emu_host_unregister (p);
      r = CUDA_ERROR_OUT_OF_MEMORY;
    }
  return r;
}

static CUresult
host_free (void *p, enum emu_block_kind kind, CUresult otherwise)
{
  struct emu_block *b = emu_block_find ((uintptr_t) p);
  if (!b || b->start != (uintptr_t) p || b->kind != kind)
    return otherwise;
  CUresult r = emu_context_wait (emu_context ());
  if (r)
    return r;
  b = emu_block_find ((uintptr_t) p);
  return b && b->kind == kind ? emu_block_free (b) : otherwise;
}

CUresult
emu_cuMemFreeHost (void *p)
{
  return p ? host_free (p, EMU_PINNED, CUDA_ERROR_INVALID_VALUE)
	   : CUDA_SUCCESS;
}

CUresult
emu_cuMemHostUnregister (void *p)
{
  struct emu_block *b = emu_block_find ((uintptr_t) p);
  if (b && b->kind == EMU_REGISTERED && b->start != (uintptr_t) p)
    return CUDA_ERROR_INVALID_VALUE;
  return host_free (p, EMU_REGISTERED,
		    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

CUresult
emu_cuMemHostGetDevicePointer (CUdeviceptr *addr, void *p, unsigned flags)
{
  struct emu_block *b = emu_block_find ((uintptr_t) p);
  if (!addr || flags || !b || on_device (b))
    return CUDA_ERROR_INVALID_VALUE;
  *addr = (uintptr_t) p;
  return CUDA_SUCCESS;
}

CUresult
emu_cuMemHostGetFlags (unsigned *flags, void *p)
{
  struct emu_block *b = emu_block_find ((uintptr_t) p);
  if (!flags || !b || b->kind != EMU_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  /* With unified addressing all pinned memory is mapped.  */
  *flags = b->flags | CU_MEMHOSTALLOC_DEVICEMAP;
  return CUDA_SUCCESS;
}

/* ---- Pointer attributes ------------------------------------------------ */

CUresult
emu_cuPointerGetAttribute (void *value, CUpointer_attribute attribute,
			   CUdeviceptr addr)
{
  const struct emu_block *b = emu_block_find (addr);
  if (!value || !b)
    return CUDA_ERROR_INVALID_VALUE;
  switch (attribute)
    {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *(CUcontext *) value = b->ctx;
      break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *(unsigned *) value
	= on_device (b) ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *(CUdeviceptr *) value = addr;
      break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (on_device (b) && b->kind != EMU_MANAGED)
	return CUDA_ERROR_INVALID_VALUE;
      *(void **) value = (void *) (uintptr_t) addr;
      break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *(uint64_t *) value = b->id;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *(unsigned *) value = b->kind == EMU_MANAGED;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *(int *) value = b->dev;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *(CUdeviceptr *) value = b->start;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *(size_t *) value = b->bytes;
      break;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *(unsigned *) value = 1;
      break;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  return CUDA_SUCCESS;
}

/* Unlike the single form, what is unknown reads as zero.  */
CUresult
emu_cuPointerGetAttributes (unsigned n, CUpointer_attribute *attributes,
			    void **values, CUdeviceptr addr)
{
  if (!n || !attributes || !values)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < n; i++)
    switch (emu_cuPointerGetAttribute (values[i], attributes[i], addr))
      {
      case CUDA_SUCCESS:
	break;
      case CUDA_ERROR_NOT_SUPPORTED:
	return CUDA_ERROR_INVALID_VALUE;
      default:
	switch (attributes[i])
	  {
	  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
	    *(int *) values[i] = -2;
	    break;
	  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
	  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
	  case CU_POINTER_ATTRIBUTE_MAPPED:
	    *(unsigned *) values[i] = 0;
	    break;
	  default:
	    *(uint64_t *) values[i] = 0;
	  }
      }
  return CUDA_SUCCESS;
}

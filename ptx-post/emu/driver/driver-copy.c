/* Copies and fills.

   Every copy, of one, two or three dimensions, is one struct copy; where its
   ends lie decides how it behaves towards the calling thread (CUDA Driver
   API, "API synchronization behavior"):

     from pageable memory  the source is read before the call returns
     to pageable memory	   returns when the copy is done
     otherwise		   happens in stream order, any time later

   A synchronous call with an end on the host returns when the copy is done.
   Addresses being the same on host and device, each end is classified by
   where it points, whatever the call is named.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"

enum place { ON_DEVICE, IN_PINNED, IN_PAGEABLE };

/* Where [ADDR, ADDR + BYTES) lies.  Past the end of an allocation on the
   device or of pinned memory counts as pageable, which calls that want a
   device address refuse.  */
static enum place
place_of (uint64_t addr, size_t bytes)
{
  if (emu_mem_valid (addr, bytes))
    return ON_DEVICE;
  const struct emu_block *b = emu_block_find (addr);
  return b && addr + bytes <= b->start + b->bytes ? IN_PINNED : IN_PAGEABLE;
}

struct copy
{
  uint64_t dst, src;
  size_t width, rows, slices;		/* bytes, rows, slices of rows */
  size_t dst_pitch, src_pitch;		/* bytes from row to row */
  size_t dst_slice, src_slice;		/* bytes from slice to slice */
  enum place to, from;
};

struct copy_op
{
  struct emu_op op;
  struct copy copy;
  char staged[];			/* source read early: copy.src */
};

/* ---- One copy ---------------------------------------------------------- */

static CUresult
copy_row (const struct copy *c, uint64_t dst, uint64_t src, size_t bytes)
{
  if (c->to != ON_DEVICE && c->from != ON_DEVICE)
    memmove ((void *) dst, (const void *) src, bytes);
  else if (c->from != ON_DEVICE)
    return emu_copy_h2d (dst, (const void *) src, bytes);
  else if (c->to != ON_DEVICE)
    return emu_copy_d2h ((void *) dst, src, bytes);
  else
    return emu_copy_d2d (dst, src, bytes);
  return CUDA_SUCCESS;
}

static CUresult
copy_now (const struct copy *c)
{
  for (size_t z = 0; z < c->slices; z++)
    for (size_t y = 0; y < c->rows; y++)
      {
	CUresult r = copy_row (c, c->dst + z * c->dst_slice + y * c->dst_pitch,
			       c->src + z * c->src_slice + y * c->src_pitch,
			       c->width);
	if (r)
	  return r;
      }
  return CUDA_SUCCESS;
}

static CUresult
run_copy (struct emu_op *op, CUresult status)
{
  (void) status;
  return copy_now (&((struct copy_op *) op)->copy);
}

/* Run C when its turn comes and wait for it.  */
static CUresult
copy_and_wait (struct CUstream_st *s, const struct copy *c)
{
  struct copy_op o = { .op.run = run_copy, .copy = *c };
  return emu_stream_run (s, &o.op);
}

/* Queue C; EARLY: read its source now.  */
static CUresult
copy_later (struct CUstream_st *s, const struct copy *c, bool early)
{
  size_t bytes = early ? c->width * c->rows * c->slices : 0;
  struct copy_op *o = emu_op_new (sizeof *o + bytes, run_copy);
  if (!o)
    return CUDA_ERROR_OUT_OF_MEMORY;
  o->copy = *c;
  if (early)
    {
      struct copy in = *c;
      in.dst = (uintptr_t) o->staged;
      in.to = IN_PAGEABLE;
      in.dst_pitch = in.width;
      in.dst_slice = in.width * in.rows;
      emu_unlock ();
      CUresult r = copy_now (&in);
      emu_lock ();
      if (r)
	{
	  emu_op_free (&o->op);
	  return r;
	}
      o->copy.src = in.dst;
      o->copy.src_pitch = in.dst_pitch;
      o->copy.src_slice = in.dst_slice;
      o->copy.from = IN_PAGEABLE;
    }
  return emu_stream_push (s, &o->op);
}

/* ---- How the calls behave ---------------------------------------------- */

static CUresult
issue_async (const struct copy *c, struct CUstream_st *s)
{
  if (c->to == IN_PAGEABLE
      || (c->from == IN_PAGEABLE && emu_stream_ready (s)))
    return copy_and_wait (s, c);
  return copy_later (s, c, c->from == IN_PAGEABLE);
}

static CUresult
issue_sync (const struct copy *c)
{
  struct CUstream_st *s = emu_stream_of (NULL);
  if (c->to == ON_DEVICE && c->from == ON_DEVICE)
    return copy_later (s, c, false);
  return copy_and_wait (s, c);
}

static CUresult
issue (const struct copy *c, bool async, CUstream stream)
{
  if (!c->width || !c->rows || !c->slices)
    return CUDA_SUCCESS;
  if (!async)
    return issue_sync (c);
  struct CUstream_st *s = emu_stream_of (stream);
  return s ? issue_async (c, s) : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- One dimension ----------------------------------------------------- */

/* Which ends a call wants to be device addresses.  */
enum { DEVICE_DST = 1, DEVICE_SRC = 2 };

static CUresult
linear (struct copy *c, uint64_t dst, uint64_t src, size_t bytes,
	unsigned wanted)
{
  *c = (struct copy) { .dst = dst, .src = src, .width = bytes, .rows = 1,
		       .slices = 1 };
  if (!bytes)
    return CUDA_SUCCESS;
  c->to = place_of (dst, bytes);
  c->from = place_of (src, bytes);
  if (!dst || !src || (wanted & DEVICE_DST && c->to == IN_PAGEABLE)
      || (wanted & DEVICE_SRC && c->from == IN_PAGEABLE))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

static CUresult
copy_1d (uint64_t dst, uint64_t src, size_t bytes, unsigned wanted, bool async,
	 CUstream stream)
{
  struct copy c;
  CUresult r = linear (&c, dst, src, bytes, wanted);
  return r ? r : issue (&c, async, stream);
}

CUresult
emu_cuMemcpy (CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
  return copy_1d (dst, src, bytes, 0, false, NULL);
}

CUresult
emu_cuMemcpyHtoD (CUdeviceptr dst, const void *src, size_t bytes)
{
  return copy_1d (dst, (uintptr_t) src, bytes, DEVICE_DST, false, NULL);
}

CUresult
emu_cuMemcpyDtoH (void *dst, CUdeviceptr src, size_t bytes)
{
  return copy_1d ((uintptr_t) dst, src, bytes, DEVICE_SRC, false, NULL);
}

CUresult
emu_cuMemcpyDtoD (CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
  return copy_1d (dst, src, bytes, DEVICE_DST | DEVICE_SRC, false, NULL);
}

CUresult
emu_cuMemcpyAsync (CUdeviceptr dst, CUdeviceptr src, size_t bytes,
		   CUstream stream)
{
  return copy_1d (dst, src, bytes, 0, true, stream);
}

CUresult
emu_cuMemcpyHtoDAsync (CUdeviceptr dst, const void *src, size_t bytes,
		       CUstream stream)
{
  return copy_1d (dst, (uintptr_t) src, bytes, DEVICE_DST, true, stream);
}

CUresult
emu_cuMemcpyDtoHAsync (void *dst, CUdeviceptr src, size_t bytes,
		       CUstream stream)
{
  return copy_1d ((uintptr_t) dst, src, bytes, DEVICE_SRC, true, stream);
}

CUresult
emu_cuMemcpyDtoDAsync (CUdeviceptr dst, CUdeviceptr src, size_t bytes,
		       CUstream stream)
{
  return copy_1d (dst, src, bytes, DEVICE_DST | DEVICE_SRC, true, stream);
}

CUresult
emu_cuMemcpyPeer (CUdeviceptr dst, CUcontext dst_ctx, CUdeviceptr src,
		  CUcontext src_ctx, size_t bytes)
{
  if (!emu_object_is (dst_ctx, EMU_CONTEXT)
      || !emu_object_is (src_ctx, EMU_CONTEXT))
    return CUDA_ERROR_INVALID_CONTEXT;
  return emu_cuMemcpyDtoD (dst, src, bytes);
}

CUresult
emu_cuMemcpyPeerAsync (CUdeviceptr dst, CUcontext dst_ctx, CUdeviceptr src,
		       CUcontext src_ctx, size_t bytes, CUstream stream)
{
  if (!emu_object_is (dst_ctx, EMU_CONTEXT)
      || !emu_object_is (src_ctx, EMU_CONTEXT))
    return CUDA_ERROR_INVALID_CONTEXT;
  return emu_cuMemcpyDtoDAsync (dst, src, bytes, stream);
}

/* ---- Two and three dimensions ------------------------------------------ */

/* One end of a copy as the caller describes it.  */
struct end
{
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  size_t x, y, z, pitch, height;	/* bytes, rows, slices, bytes, rows */
};

/* Check E against the extent of C; its first byte, distances, and place.  */
static CUresult
resolve (const struct end *e, const struct copy *c, uint64_t *start,
	 size_t *pitch, size_t *slice, enum place *place)
{
  uint64_t base;
  switch (e->type)
    {
    case CU_MEMORYTYPE_HOST:
      base = (uintptr_t) e->host;
      break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      base = e->device;
      break;
    case CU_MEMORYTYPE_ARRAY:
      return CUDA_ERROR_NOT_SUPPORTED;
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
  size_t row = e->x + c->width;
  *pitch = !e->pitch && c->rows == 1 ? row : e->pitch;
  size_t height = !e->height && c->slices == 1 ? e->y + c->rows : e->height;
  if (!base || row > *pitch || e->y + c->rows > height)
    return CUDA_ERROR_INVALID_VALUE;
  *slice = *pitch * height;
  *start = base + e->z * *slice + e->y * *pitch + e->x;
  *place = place_of (*start, (c->slices - 1) * *slice
			     + (c->rows - 1) * *pitch + c->width);
  return e->type == CU_MEMORYTYPE_DEVICE && *place == IN_PAGEABLE
	 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult
copy_3d (const CUDA_MEMCPY3D *p, bool async, CUstream stream)
{
  if (!p || p->reserved0 || p->reserved1)
    return CUDA_ERROR_INVALID_VALUE;
  struct copy c
    = { .width = p->WidthInBytes, .rows = p->Height, .slices = p->Depth };
  if (!c.width || !c.rows || !c.slices)
    return CUDA_SUCCESS;
  const struct end from
    = { p->srcMemoryType, p->srcHost, p->srcDevice, p->srcXInBytes,
	p->srcY, p->srcZ, p->srcPitch, p->srcHeight };
  const struct end to
    = { p->dstMemoryType, p->dstHost, p->dstDevice, p->dstXInBytes,
	p->dstY, p->dstZ, p->dstPitch, p->dstHeight };
  CUresult r = resolve (&from, &c, &c.src, &c.src_pitch, &c.src_slice,
			&c.from);
  if (!r)
    r = resolve (&to, &c, &c.dst, &c.dst_pitch, &c.dst_slice, &c.to);
  return r ? r : issue (&c, async, stream);
}

static CUresult
copy_2d (const CUDA_MEMCPY2D *p, bool async, CUstream stream)
{
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D in_3d
    = { .srcXInBytes = p->srcXInBytes, .srcY = p->srcY,
	.srcMemoryType = p->srcMemoryType, .srcHost = p->srcHost,
	.srcDevice = p->srcDevice, .srcPitch = p->srcPitch,
	.dstXInBytes = p->dstXInBytes, .dstY = p->dstY,
	.dstMemoryType = p->dstMemoryType, .dstHost = p->dstHost,
	.dstDevice = p->dstDevice, .dstPitch = p->dstPitch,
	.WidthInBytes = p->WidthInBytes, .Height = p->Height, .Depth = 1 };
  return copy_3d (&in_3d, async, stream);
}

CUresult
emu_cuMemcpy2D (const CUDA_MEMCPY2D *copy)
{
  return copy_2d (copy, false, NULL);
}

CUresult
emu_cuMemcpy2DUnaligned (const CUDA_MEMCPY2D *copy)
{
  return copy_2d (copy, false, NULL);
}

CUresult
emu_cuMemcpy2DAsync (const CUDA_MEMCPY2D *copy, CUstream stream)
{
  return copy_2d (copy, true, stream);
}

CUresult
emu_cuMemcpy3D (const CUDA_MEMCPY3D *copy)
{
  return copy_3d (copy, false, NULL);
}

CUresult
emu_cuMemcpy3DAsync (const CUDA_MEMCPY3D *copy, CUstream stream)
{
  return copy_3d (copy, true, stream);
}

/* ---- Batches ----------------------------------------------------------- */

/* The attributes of copy I: FIRST has the first copy each entry is for.  */
static const CUmemcpyAttributes *
attributes_of (size_t i, const CUmemcpyAttributes *attributes,
	       const size_t *first, size_t n)
{
  while (n > 1 && first[n - 1] > i)
    n--;
  return &attributes[n - 1];
}

static bool
batch_attributes_valid (size_t n_copies, const CUmemcpyAttributes *attributes,
			const size_t *first, size_t n)
{
  if (!attributes || !first || !n || n > n_copies || first[0])
    return false;
  for (size_t i = 0; i < n; i++)
    if ((i && first[i] <= first[i - 1]) || first[i] >= n_copies
	|| attributes[i].srcAccessOrder < CU_MEMCPY_SRC_ACCESS_ORDER_STREAM
	|| attributes[i].srcAccessOrder > CU_MEMCPY_SRC_ACCESS_ORDER_ANY)
      return false;
  return true;
}

/* Nothing is copied unless everything is valid.  A batch never makes the
   caller wait; the source is read when its attribute says, at the latest
   time that permits.  */
CUresult
emu_cuMemcpyBatchAsync (CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes,
			size_t n, CUmemcpyAttributes *attributes,
			size_t *first, size_t n_attributes, size_t *failed,
			CUstream stream)
{
  struct CUstream_st *s = emu_stream_of (stream);
  if (failed)
    *failed = SIZE_MAX;
  if (!s)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!dsts || !srcs || !sizes || !n || s == s->object.ctx->legacy
      || !batch_attributes_valid (n, attributes, first, n_attributes))
    return CUDA_ERROR_INVALID_VALUE;
  struct copy c;
  for (size_t i = 0; i < n; i++)
    {
      CUresult r = sizes[i] ? linear (&c, dsts[i], srcs[i], sizes[i], 0)
			    : CUDA_ERROR_INVALID_VALUE;
      if (r)
	{
	  if (failed)
	    *failed = i;
	  return r;
	}
    }
  for (size_t i = 0; i < n; i++)
    {
      linear (&c, dsts[i], srcs[i], sizes[i], 0);
      bool early
	= attributes_of (i, attributes, first, n_attributes)->srcAccessOrder
	  == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
      CUresult r = copy_later (s, &c, early);
      if (r)
	return r;
    }
  return CUDA_SUCCESS;
}

CUresult
emu_cuMemcpyBatchAsync_v2 (CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes,
			   size_t n, CUmemcpyAttributes *attributes,
			   size_t *first, size_t n_attributes, CUstream stream)
{
  return emu_cuMemcpyBatchAsync (dsts, srcs, sizes, n, attributes, first,
				 n_attributes, NULL, stream);
}

/* ---- Fills ------------------------------------------------------------- */

struct fill_op
{
  struct emu_op op;
  uint64_t dst;
  size_t pitch, width, rows;	/* bytes, elements, rows */
  unsigned value, size;		/* bytes of an element */
};

static CUresult
run_fill (struct emu_op *op, CUresult status)
{
  (void) status;
  const struct fill_op *f = (struct fill_op *) op;
  for (size_t y = 0; y < f->rows; y++)
    {
      CUresult r = emu_memset (f->dst + y * f->pitch, f->value, f->size,
			       f->width);
      if (r)
	return r;
    }
  return CUDA_SUCCESS;
}

/* All fills return before they are done, but those of host memory.  */
static CUresult
fill (CUdeviceptr dst, size_t pitch, unsigned value, unsigned size,
      size_t width, size_t rows, CUstream stream, bool async)
{
  struct CUstream_st *s = emu_stream_of (stream);
  if (!s)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!width || !rows)
    return CUDA_SUCCESS;
  if (rows == 1)
    pitch = width * size;
  enum place place
    = place_of (dst, (rows - 1) * pitch + width * size);
  if (dst % size || pitch % size || width * size > pitch
      || place == IN_PAGEABLE)
    return CUDA_ERROR_INVALID_VALUE;
  struct fill_op *f = emu_op_new (sizeof *f, run_fill);
  if (!f)
    return CUDA_ERROR_OUT_OF_MEMORY;
  f->dst = dst;
  f->pitch = pitch;
  f->width = width;
  f->rows = rows;
  f->value = value;
  f->size = size;
  CUresult r = emu_stream_push (s, &f->op);
  return r || async || place == ON_DEVICE ? r : emu_stream_wait (s);
}

CUresult
emu_cuMemsetD8 (CUdeviceptr dst, unsigned char value, size_t n)
{
  return fill (dst, 0, value, 1, n, 1, NULL, false);
}

CUresult
emu_cuMemsetD16 (CUdeviceptr dst, unsigned short value, size_t n)
{
  return fill (dst, 0, value, 2, n, 1, NULL, false);
}

CUresult
emu_cuMemsetD32 (CUdeviceptr dst, unsigned value, size_t n)
{
  return fill (dst, 0, value, 4, n, 1, NULL, false);
}

CUresult
emu_cuMemsetD8Async (CUdeviceptr dst, unsigned char value, size_t n,
		     CUstream stream)
{
  return fill (dst, 0, value, 1, n, 1, stream, true);
}

CUresult
emu_cuMemsetD16Async (CUdeviceptr dst, unsigned short value, size_t n,
		      CUstream stream)
{
  return fill (dst, 0, value, 2, n, 1, stream, true);
}

CUresult
emu_cuMemsetD32Async (CUdeviceptr dst, unsigned value, size_t n,
		      CUstream stream)
{
  return fill (dst, 0, value, 4, n, 1, stream, true);
}

CUresult
emu_cuMemsetD2D8 (CUdeviceptr dst, size_t pitch, unsigned char value,
		  size_t width, size_t height)
{
  return fill (dst, pitch, value, 1, width, height, NULL, false);
}

CUresult
emu_cuMemsetD2D16 (CUdeviceptr dst, size_t pitch, unsigned short value,
		   size_t width, size_t height)
{
  return fill (dst, pitch, value, 2, width, height, NULL, false);
}

CUresult
emu_cuMemsetD2D32 (CUdeviceptr dst, size_t pitch, unsigned value,
		   size_t width, size_t height)
{
  return fill (dst, pitch, value, 4, width, height, NULL, false);
}

CUresult
emu_cuMemsetD2D8Async (CUdeviceptr dst, size_t pitch, unsigned char value,
			size_t width, size_t height, CUstream stream)
{
  return fill (dst, pitch, value, 1, width, height, stream, true);
}

CUresult
emu_cuMemsetD2D16Async (CUdeviceptr dst, size_t pitch, unsigned short value,
			size_t width, size_t height, CUstream stream)
{
  return fill (dst, pitch, value, 2, width, height, stream, true);
}

CUresult
emu_cuMemsetD2D32Async (CUdeviceptr dst, size_t pitch, unsigned value,
			size_t width, size_t height, CUstream stream)
{
  return fill (dst, pitch, value, 4, width, height, stream, true);
}

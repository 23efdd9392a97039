/* Rectangles and fills; see rectangle.h.

   What lies between the rows of a rectangle counts as written.

   Sources: the CUDA Driver API on cuMemcpy2D and cuMemcpy3D;
   libgomp/plugin/plugin-nvptx.c (GOMP_OFFLOAD_memcpy2d, ...3d, ...memset).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/events.h"
#include "interpose/submit.h"
#include "transfer/defer.h"
#include "transfer/rectangle.h"
#include "transfer/stream.h"

/* What a copy writes: N bytes from P on, of the device's memory or the host's;
   and how many bytes it copies.  */
struct written
{
  bool host, from_host;
  CUdeviceptr p;
  size_t n, bytes;
};

/* All that was asked for before, whose ends may be anywhere.  */
static CUresult
begin (void)
{
  acr_stream_drain (ACR_ARRIVALS);
  acr_events->passes (NULL);
  return acr_submit_ready ();
}

static void
count (const struct written *w)
{
  bool to_host = w->host, to_device = !w->host && w->from_host;
  bool within = !to_host && !to_device;
  acr_count (d2h_copies, to_host);
  acr_count (d2h_bytes, to_host * w->bytes);
  acr_count (stock_d2h_copies, to_host);
  acr_count (stock_d2h_bytes, to_host * w->bytes);
  acr_count (h2d_copies, to_device);
  acr_count (h2d_bytes, to_device * w->bytes);
  acr_count (stock_h2d_copies, to_device);
  acr_count (stock_h2d_bytes, to_device * w->bytes);
  acr_count (d2d_copies, within);
  acr_count (d2d_bytes, within * w->bytes);
  acr_count (blocking, !within);
  acr_count (stock_blocking, !within);
}

/* The driver's ENTRY has answered R.  */
static CUresult
end (const char *entry, const struct written *w, CUresult r)
{
  count (w);
  acr_events->status (r);
  if (!w->host)
    acr_events->changed (w->p, w->n);
  else if (!r)
    acr_defer_synced ();
  acr_debug (3, "%s %zu: status %d", entry, w->bytes, r);
  return r;
}

static struct written
written (const CUDA_MEMCPY3D *c)
{
  bool any = c->WidthInBytes && c->Height && c->Depth;
  size_t first = c->dstZ * c->dstHeight + c->dstY;
  size_t rows = any ? (c->Depth - 1) * c->dstHeight + c->Height : 0;
  return (struct written){
    .host = c->dstMemoryType == CU_MEMORYTYPE_HOST,
    .from_host = c->srcMemoryType == CU_MEMORYTYPE_HOST,
    .p = c->dstDevice + first * c->dstPitch + c->dstXInBytes,
    .n = any ? (rows - 1) * c->dstPitch + c->WidthInBytes : 0,
    .bytes = c->WidthInBytes * c->Height * c->Depth
  };
}

/* What C writes, as one plane of a copy with three dimensions.  */
static struct written
written_2d (const CUDA_MEMCPY2D *c)
{
  return written (&(CUDA_MEMCPY3D){ .srcMemoryType = c->srcMemoryType,
                                    .dstMemoryType = c->dstMemoryType,
                                    .dstDevice = c->dstDevice,
                                    .dstPitch = c->dstPitch,
                                    .dstXInBytes = c->dstXInBytes,
                                    .dstY = c->dstY,
                                    .WidthInBytes = c->WidthInBytes,
                                    .Height = c->Height,
                                    .Depth = 1 });
}

CUresult
acr_rectangle_2d (const CUDA_MEMCPY2D *copy)
{
  struct written w = written_2d (copy);
  CUresult r = begin ();
  return r ? r : end ("cuMemcpy2D", &w, acr_driver.memcpy_2d (copy));
}

CUresult
acr_rectangle_2d_unaligned (const CUDA_MEMCPY2D *copy)
{
  struct written w = written_2d (copy);
  CUresult r = begin ();
  return r ? r
           : end ("cuMemcpy2DUnaligned", &w,
                  acr_driver.memcpy_2d_unaligned (copy));
}

CUresult
acr_rectangle_3d (const CUDA_MEMCPY3D *copy)
{
  struct written w = written (copy);
  CUresult r = begin ();
  return r ? r : end ("cuMemcpy3D", &w, acr_driver.memcpy_3d (copy));
}

CUresult
acr_rectangle_fill (CUdeviceptr p, unsigned char value, size_t n)
{
  CUresult r = begin ();
  if (r)
    return r;
  r = acr_driver.memset_d8 (p, value, n);
  acr_events->status (r);
  acr_events->changed (p, n);
  acr_debug (3, "cuMemsetD8 %zu: status %d", n, r);
  return r;
}

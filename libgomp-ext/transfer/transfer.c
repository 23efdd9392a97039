/* Copies between host and device; see transfer.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/construct.h"
#include "interpose/events.h"
#include "interpose/submit.h"
#include "transfer/bulk.h"
#include "transfer/dead.h"
#include "transfer/defer.h"
#include "transfer/gather.h"
#include "transfer/late.h"
#include "transfer/readback.h"
#include "transfer/stream.h"
#include "transfer/transfer.h"
#include "transfer/unchanged.h"

#include <string.h>

static CUresult
send (CUdeviceptr dst, const void *src, size_t n)
{
  acr_record_note (ACR_EVENT_SEND, dst);
  if (acr_gather_copy (dst, src, n))
    return CUDA_SUCCESS;
  CUresult r = acr_submit_ready ();
  if (r)
    return r;
  if (!acr_bulk_send (&r, dst, src, n))
    r = acr_cuda_send (dst, src, n);
  acr_events->status (r);
  if (acr_construct_current ())
    acr_gather_wrote (acr_construct_current (), dst, n);
  acr_debug (3, "cuMemcpyHtoD %zu: status %d", n, r);
  return r;
}

CUresult
acr_transfer_send (CUdeviceptr dst, const void *src, size_t n)
{
  char *keep;
  acr_events->passes (NULL);
  acr_events->sends (dst, src, n);
  if (acr_unchanged_send (dst, src, n, &keep))
    return CUDA_SUCCESS;
  CUresult r = send (dst, keep ? keep : src, n);
  acr_unchanged_keep (dst, n, keep, !r);
  return r;
}

static CUresult
fetch (void *dst, CUdeviceptr src, size_t n)
{
  acr_stream_drain (ACR_ARRIVALS);
  CUresult r = acr_submit_flushed ();
  if (r)
    return r;
  if (acr_readback_copy (dst, src, n))
    {
      acr_defer_synced ();
      return CUDA_SUCCESS;
    }
  if (!acr_bulk_fetch (&r, dst, src, n))
    {
      acr_stream_drain (ACR_TAILS);
      r = acr_cuda_fetch (dst, src, n);
    }
  acr_events->status (r);
  if (!r)
    acr_defer_synced ();
  acr_debug (3, "cuMemcpyDtoH %zu: status %d", n, r);
  return r;
}

/* As a copy back does, wait for what comes before; a directive without a region
   has nothing to wait for but what was there when it began.  */
static CUresult
wait_as_a_copy (void)
{
  struct acr_construct *c = acr_construct_current ();
  if (c && c->waited && !c->call->region)
    return CUDA_SUCCESS;
  CUresult r = acr_cuda_wait (NULL);
  if (c)
    c->waited = !r;
  return r;
}

CUresult
acr_transfer_fetch (void *dst, CUdeviceptr src, size_t n)
{
  char *keep;
  if (acr_copy_is_dead (dst, src, n))
    return CUDA_SUCCESS;
  if (acr_unchanged_fetch (dst, src, n, &keep))
    return wait_as_a_copy ();
  acr_record_note (ACR_EVENT_FETCH, src);
  if (!keep)
    return acr_late_copy (dst, src, n) ? CUDA_SUCCESS : fetch (dst, src, n);
  CUresult r = fetch (keep, src, n);
  if (!r)
    memcpy (dst, keep, n);
  acr_unchanged_keep (src, n, keep, !r);
  return r;
}

bool
acr_transfer_free (CUdeviceptr p)
{
  return acr_late_freed (p);
}

/* Calls of the driver; see submit.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/events.h"
#include "interpose/fault.h"
#include "interpose/submit.h"
#include "memory/pool.h"

#include <stdlib.h>

bool acr_pooled;

static __thread bool in_callback __attribute__ ((tls_model ("initial-exec")));

bool
acr_cuda_in_callback (void)
{
  return in_callback;
}

CUresult
acr_submit_ready (void)
{
  acr_events->drains ();
  return acr_fault_status ();
}

CUresult
acr_submit_flushed (void)
{
  acr_events->flushes ();
  return acr_fault_status ();
}

void
acr_submitted (CUstream stream)
{
  if (stream && acr_pooled)
    acr_pool_submit (stream);
}

/* ---- Memory ------------------------------------------------------------ */

CUresult
acr_cuda_alloc (CUdeviceptr *p, size_t n)
{
  acr_count (allocs, 1);
  CUresult r = acr_driver.mem_alloc (p, n);
  acr_events->status (r);
  acr_debug (3, "cuMemAlloc %zu: %llx, status %d", n, r ? 0 : *p, r);
  return r;
}

CUresult
acr_cuda_free (CUdeviceptr p)
{
  acr_count (frees, 1);
  acr_events->returned ();
  CUresult r = acr_driver.mem_free (p);
  acr_events->status (r);
  acr_debug (3, "cuMemFree %llx: status %d", p, r);
  return r;
}

CUresult
acr_cuda_write (CUdeviceptr dst, const void *src, size_t n, CUstream stream)
{
  CUresult r = acr_submit_ready ();
  if (r)
    return r;
  acr_count (h2d_copies, 1);
  acr_count (h2d_bytes, n);
  r = acr_driver.memcpy_h2d_async (dst, src, n, stream);
  acr_events->status (r);
  acr_debug (3, "cuMemcpyHtoDAsync %zu: status %d", n, r);
  acr_submitted (stream);
  acr_events->copied (stream);
  acr_events->copies ();
  acr_events->changed (dst, n);
  return r;
}

/* ---- Copies that the host waits for ------------------------------------ */

CUresult
acr_cuda_send (CUdeviceptr dst, const void *src, size_t n)
{
  acr_count (h2d_copies, 1);
  acr_count (h2d_bytes, n);
  acr_count (blocking, 1);
  acr_events->copies ();
  return acr_driver.memcpy_h2d (dst, src, n);
}

CUresult
acr_cuda_fetch (void *dst, CUdeviceptr src, size_t n)
{
  acr_count (d2h_copies, 1);
  acr_count (d2h_bytes, n);
  acr_count (blocking, 1);
  return acr_driver.memcpy_d2h (dst, src, n);
}

/* ---- Waits ------------------------------------------------------------- */

/* A mark of STREAM, or of all when ALL.  */
static struct acr_mark
mark (CUstream stream, bool all)
{
  return !acr_pooled ? (struct acr_mark){ 0 }
         : all       ? acr_pool_mark_all ()
                     : acr_pool_mark (stream);
}

/* Wait for STREAM, or for all when ALL.  */
static CUresult
wait (CUstream stream, bool all)
{
  acr_count (syncs, 1);
  acr_debug (3, all ? "cuCtxSynchronize" : "cuStreamSynchronize");
  struct acr_mark m = mark (stream, all);
  all ? acr_events->parts () : acr_events->passes (stream);
  CUresult r = acr_submit_ready ();
  if (!r)
    r = all ? acr_driver.ctx_synchronize ()
            : acr_driver.stream_synchronize (stream);
  acr_events->status (r);
  if (!r)
    acr_events->waited (&m);
  if (!r && !stream)
    acr_events->synced ();
  return r;
}

CUresult
acr_cuda_wait (CUstream stream)
{
  return wait (stream, false);
}

CUresult
acr_cuda_wait_all (void)
{
  return wait (NULL, true);
}

CUresult
acr_cuda_query (CUstream stream)
{
  struct acr_mark m = mark (stream, false);
  CUresult r = acr_driver.stream_query (stream);
  acr_events->status (r == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : r);
  if (!r)
    {
      acr_events->passes (stream);
      acr_events->waited (&m);
    }
  return r;
}

/* ---- Callbacks --------------------------------------------------------- */

struct callback
{
  CUstreamCallback fn;
  void *data;
  bool plugin; /* it is libgomp's plugin's */
  struct acr_mark mark;
};

static void
call (CUstreamCallback fn, CUstream stream, CUresult status, void *data)
{
  in_callback = true;
  fn (stream, status, data);
  in_callback = false;
}

/* What was submitted before a callback is complete when it runs.  */
static void
run_callback (CUstream stream, CUresult status, void *data)
{
  struct callback c = *(struct callback *)data;
  free (data);
  if (!status)
    acr_events->passed (&c.mark);
  call (c.fn, stream, c.plugin ? acr_cuda_callback_status (status) : status,
        c.data);
}

CUresult
acr_cuda_callback_status (CUresult r)
{
  if (r)
    acr_fault ("cuda_callback_wrapper", r);
  return CUDA_SUCCESS;
}

static CUresult
add_callback (CUstream stream, CUstreamCallback fn, void *data, bool plugin)
{
  CUresult r = acr_submit_ready ();
  struct callback *c = r ? NULL : malloc (sizeof *c);
  if (!c)
    return r ? r : CUDA_ERROR_OUT_OF_MEMORY;
  acr_count (callbacks, 1);
  *c = (struct callback){ fn, data, plugin, mark (stream, false) };
  r = acr_driver.stream_add_callback (stream, run_callback, c, 0);
  if (r)
    free (c);
  return r;
}

CUresult
acr_cuda_add_callback (CUstream stream, CUstreamCallback fn, void *data)
{
  return add_callback (stream, fn, data, false);
}

void
acr_cuda_add_plugin_callback (CUstream stream, CUstreamCallback fn, void *data)
{
  if (!add_callback (stream, fn, data, true))
    return;
  /* The plugin would end the program, and libgomp may hold a lock (fault.c).  */
  CUresult r = acr_cuda_wait (stream);
  if (r)
    acr_fault ("cuStreamAddCallback", r);
  call (fn, stream, CUDA_SUCCESS, data);
}

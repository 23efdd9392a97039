/* Driver calls in the trace.

   These functions stand in for the driver's in acr_driver, so that all calls
   of the runtime are seen, its own included (those that measure, limit.c, are
   not in the report).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/kernel.h"
#include "launch/launch.h"
#include "trace/trace-int.h"

#include <stdio.h>
#include <string.h>

#define driver acr_trace_driver

__thread const struct acr_kernel *acr_trace_kernel
    __attribute__ ((tls_model ("initial-exec")));

/* A call that began at BEGIN has ended.  */
static void __attribute__ ((format (printf, 4, 5)))
slice (double begin, const char *category, const char *name, const char *fmt,
       ...)
{
  double end = acr_now_us ();
  char args[3 * ACR_TRACE_TEXT];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (args, sizeof args, fmt, ap);
  va_end (ap);
  acr_trace_event (
      "\"tid\":%d,\"ph\":\"X\",\"cat\":\"%s\",\"ts\":" ACR_TRACE_US ","
      "\"dur\":" ACR_TRACE_US ",\"name\":\"%s\",\"args\":{%s}",
      acr_trace_thread (), category, ACR_TRACE_TIME (begin),
      ACR_TRACE_TIME (end - begin), name, args);
}

/* ---- Copies ------------------------------------------------------------ */

static void
copied (double begin, const char *name, size_t bytes, bool async, CUresult r)
{
  slice (begin, "copy", name, "\"bytes\":%zu,\"async\":%s,\"status\":%d",
         bytes, async ? "true" : "false", r);
}

static CUresult
memcpy_h2d (CUdeviceptr dst, const void *src, size_t n)
{
  double begin = acr_now_us ();
  CUresult r = driver.memcpy_h2d (dst, src, n);
  copied (begin, "copy to device", n, false, r);
  return r;
}

static CUresult
memcpy_h2d_async (CUdeviceptr dst, const void *src, size_t n, CUstream stream)
{
  double begin = acr_now_us ();
  CUresult r = driver.memcpy_h2d_async (dst, src, n, stream);
  copied (begin, "copy to device", n, true, r);
  return r;
}

static CUresult
memcpy_d2h (void *dst, CUdeviceptr src, size_t n)
{
  acr_trace_flush ();
  double begin = acr_now_us ();
  CUresult r = driver.memcpy_d2h (dst, src, n);
  copied (begin, "copy from device", n, false, r);
  acr_trace_gpu_collect ();
  return r;
}

static CUresult
memcpy_d2h_async (void *dst, CUdeviceptr src, size_t n, CUstream stream)
{
  double begin = acr_now_us ();
  CUresult r = driver.memcpy_d2h_async (dst, src, n, stream);
  copied (begin, "copy from device", n, true, r);
  return r;
}

static CUresult
memcpy_d2d_async (CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream)
{
  double begin = acr_now_us ();
  CUresult r = driver.memcpy_d2d_async (dst, src, n, stream);
  copied (begin, "copy within device", n, true, r);
  return r;
}

/* ---- Waits ------------------------------------------------------------- */

/* Begin and end are events of their own, so that a program that is killed in a
   wait says so.  */
static void
wait_begins (const char *name)
{
  double now = acr_now_us ();
  acr_trace_event (
      "\"tid\":%d,\"ph\":\"B\",\"cat\":\"wait\",\"ts\":" ACR_TRACE_US ","
      "\"name\":\"%s\"",
      acr_trace_thread (), ACR_TRACE_TIME (now), name);
  acr_trace_flush ();
}

static CUresult
wait_ends (CUresult r)
{
  double now = acr_now_us ();
  acr_trace_event ("\"tid\":%d,\"ph\":\"E\",\"ts\":" ACR_TRACE_US
                   ",\"args\":{\"status\":%d}",
                   acr_trace_thread (), ACR_TRACE_TIME (now), r);
  acr_trace_gpu_collect ();
  /* No construct may be about to end that would do it.  */
  acr_trace_flush ();
  return r;
}

static CUresult
ctx_synchronize (void)
{
  wait_begins ("wait for device");
  return wait_ends (driver.ctx_synchronize ());
}

static CUresult
stream_synchronize (CUstream stream)
{
  wait_begins ("wait for stream");
  return wait_ends (driver.stream_synchronize (stream));
}

static CUresult
event_synchronize (CUevent event)
{
  wait_begins ("wait for event");
  return wait_ends (driver.event_synchronize (event));
}

/* ---- Kernels ----------------------------------------------------------- */

static CUresult
launch_kernel (CUfunction fn, unsigned gx, unsigned gy, unsigned gz,
               unsigned bx, unsigned by, unsigned bz, unsigned shared,
               CUstream stream, void **params, void **extra)
{
  const struct acr_kernel *k = acr_trace_kernel;
  const struct acr_region *region = k ? acr_kernel_region (k) : NULL;
  char place[ACR_TRACE_TEXT], name[ACR_TRACE_TEXT], args[3 * ACR_TRACE_TEXT];
  acr_trace_quote (name, k ? k->name : "kernel");
  if (region)
    acr_trace_place (place, region);
  else
    strcpy (place, name);
  snprintf (args, sizeof args,
            "\"kernel\":\"%s\",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],"
            "\"shared\":%u",
            name, gx, gy, gz, bx, by, bz, shared);
  struct acr_trace_run *run = acr_trace_gpu_begin (stream, place, args);
  double begin = acr_now_us ();
  CUresult r = driver.launch_kernel (fn, gx, gy, gz, bx, by, bz, shared,
                                     stream, params, extra);
  slice (begin, "launch", "launch", "\"construct\":\"%s\",%s,\"status\":%d",
         place, args, r);
  acr_trace_gpu_end (run, stream, r);
  return r;
}

/* ---- Memory, code, contexts -------------------------------------------- */

static CUresult
mem_alloc (CUdeviceptr *p, size_t n)
{
  double begin = acr_now_us ();
  CUresult r = driver.mem_alloc (p, n);
  slice (begin, "memory", "allocate", "\"bytes\":%zu,\"status\":%d", n, r);
  return r;
}

static CUresult
mem_free (CUdeviceptr p)
{
  double begin = acr_now_us ();
  CUresult r = driver.mem_free (p);
  slice (begin, "memory", "free", "\"status\":%d", r);
  return r;
}

static CUresult
link_complete (CUlinkState state, void **image, size_t *bytes)
{
  acr_trace_flush ();
  double begin = acr_now_us ();
  CUresult r = driver.link_complete (state, image, bytes);
  slice (begin, "code", "link device code", "\"status\":%d", r);
  return r;
}

static CUresult
module_load_data (CUmodule *module, const void *image)
{
  acr_trace_flush ();
  double begin = acr_now_us ();
  CUresult r = driver.module_load_data (module, image);
  slice (begin, "code", "load device code", "\"status\":%d", r);
  return r;
}

static CUresult
ctx_destroy (CUcontext ctx)
{
  acr_trace_gpu_forget (ctx);
  return driver.ctx_destroy (ctx);
}

void
acr_trace_attach (void)
{
  if (!acr_env.trace || !acr_driver.launch_kernel)
    return;
  driver = acr_driver;
  acr_trace_gpu_start ();
#define STAND_IN(name)                                                        \
  if (driver.name)                                                            \
  acr_driver.name = name
  STAND_IN (memcpy_h2d);
  STAND_IN (memcpy_h2d_async);
  STAND_IN (memcpy_d2h);
  STAND_IN (memcpy_d2h_async);
  STAND_IN (memcpy_d2d_async);
  STAND_IN (ctx_synchronize);
  STAND_IN (stream_synchronize);
  STAND_IN (event_synchronize);
  STAND_IN (launch_kernel);
  STAND_IN (mem_alloc);
  STAND_IN (mem_free);
  STAND_IN (link_complete);
  STAND_IN (module_load_data);
  STAND_IN (ctx_destroy);
#undef STAND_IN
}

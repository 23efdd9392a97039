/* Between libgomp's nvptx plugin and the CUDA driver.

   The plugin calls the driver through an exported table of functions that it
   has looked up, cuda_lib.  Entries are found by value, so that the layout of
   the table, which changes with the version of GCC, does not matter.  Each
   wrapper notes what is issued to the driver and passes it on; those for
   memory go through the pool.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/construct.h"
#include "interpose/fault.h"
#include "jit/jit.h"
#include "launch/launch.h"
#include "launch/queue.h"
#include "launch/run.h"
#include "launch/timer.h"
#include "memory/pool.h"
#include "memory/staging.h"
#include "trace/trace.h"
#include "transfer/args.h"
#include "transfer/dead.h"
#include "transfer/defer.h"
#include "transfer/gather.h"
#include "transfer/kept.h"
#include "transfer/late.h"
#include "transfer/lend.h"
#include "transfer/limit.h"
#include "transfer/readback.h"
#include "transfer/same.h"
#include "transfer/unchanged.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct acr_driver acr_driver;

/* Whether the pool stands between the plugin and the driver; constant once
   the table is patched.  */
static bool pooled;

/* Set while this thread runs a stream callback, where the driver refuses
   calls and libgomp's plugin relies on being refused.  */
static __thread bool in_callback __attribute__ ((tls_model ("initial-exec")));

CUresult
acr_cuda_alloc (CUdeviceptr *p, size_t n)
{
  acr_count (allocs, 1);
  CUresult r = acr_driver.mem_alloc (p, n);
  acr_defer_check (r);
  acr_debug (3, "cuMemAlloc %zu: %llx, status %d", n, r ? 0 : *p, r);
  return r;
}

CUresult
acr_cuda_free (CUdeviceptr p)
{
  acr_count (frees, 1);
  acr_kept_clear ();
  acr_gather_flush ();
  CUresult r = acr_driver.mem_free (p);
  acr_defer_check (r);
  acr_debug (3, "cuMemFree %llx: status %d", p, r);
  return r;
}

/* Set when this thread has destroyed a context.  */
static __thread bool ctx_destroyed
    __attribute__ ((tls_model ("initial-exec")));

void
acr_cuda_device_closed (void)
{
  /* A context that libgomp found there when it came lives on.  */
  CUcontext ctx;
  if (pooled && !ctx_destroyed)
    {
      if (!acr_driver.ctx_get_current (&ctx))
        {
          acr_run_forget (ctx);
          acr_timer_forget (ctx);
          acr_nest_forget (ctx);
          acr_args_forget (ctx);
          acr_unchanged_forget ();
          acr_staging_context_left (ctx, false);
        }
      acr_pool_context_left ();
    }
  ctx_destroyed = false;
}

const char *
acr_cuda_error (CUresult r)
{
  const char *text;
  return acr_driver.get_error_string && !acr_driver.get_error_string (r, &text)
             ? text
             : "unknown cuda error";
}

/* ---- Wrappers ---------------------------------------------------------- */

/* Work was submitted to STREAM.  The NULL stream needs no note, see
   inflight.h.  */
static inline void
note_work (CUstream stream)
{
  if (stream && pooled)
    acr_pool_submit (stream);
}

/* N bytes at P change.  */
static inline int
note_change (CUdeviceptr p, size_t n)
{
  acr_readback_changed (p, n);
  acr_gather_wrote (p, n);
  acr_same_changed (p, n);
  acr_unchanged_changes (p, n);
  return 0;
}

static void
record (enum acr_event_kind kind, CUdeviceptr p)
{
  struct acr_construct *c = acr_construct_self ();
  if (c)
    acr_record_event (c->record, kind, p);
}

/* What was submitted to the NULL stream up to now is done.  */
static void
note_synced (void)
{
  record (ACR_EVENT_LOOK, 0);
  acr_readback_synced ();
  acr_gather_synced ();
  acr_defer_synced ();
}

/* What the driver was not given yet is on its way.  */
static CUresult
flushed (void)
{
  acr_gather_flush ();
  return acr_fault_status ();
}

/* Before any call: so is what it may find or change.  */
static CUresult
ready (void)
{
  acr_late_fetch ();
  return flushed ();
}

#define COUNTED(name, symbol, params, args, note)                             \
  static CUresult wrap_##name params                                          \
  {                                                                           \
    CUresult r = ready ();                                                    \
    if (!r)                                                                   \
      r = acr_driver.name args;                                               \
    acr_defer_check (r);                                                      \
    (void)note;                                                               \
    acr_debug (3, "%s: status %d", symbol, r);                                \
    return r;                                                                 \
  }
#include "interpose/cuda.def"

static CUresult
send (CUdeviceptr dst, const void *src, size_t n)
{
  if (acr_same_copy (dst, src, n))
    {
      acr_gather_wrote (dst, n);
      return CUDA_SUCCESS;
    }
  record (ACR_EVENT_SEND, dst);
  if (acr_gather_copy (dst, src, n))
    return CUDA_SUCCESS;
  CUresult r = ready ();
  if (r)
    return r;
  acr_count (h2d_copies, 1);
  acr_count (h2d_bytes, n);
  r = acr_driver.memcpy_h2d (dst, src, n);
  acr_defer_check (r);
  acr_gather_wrote (dst, n);
  acr_debug (3, "cuMemcpyHtoD %zu: status %d", n, r);
  return r;
}

/* Set while libgomp's plugin loads device code.  It then ends the program, under
   libgomp's lock, when it cannot set a variable of its own.  */
static __thread bool loading __attribute__ ((tls_model ("initial-exec")));

void
acr_cuda_load (bool begins)
{
  loading = begins;
}

/* The driver's ENTRY has said R: what the plugin is told, which INSTEAD leads
   out of its load.  */
static CUresult
in_load (const char *entry, CUresult r, CUresult instead)
{
  if (!r || !loading)
    return r;
  acr_fault (entry, r);
  return instead;
}

static CUresult
wrap_module_get_global (CUdeviceptr *p, size_t *n, CUmodule module,
                        const char *name)
{
  CUresult r = acr_driver.module_get_global (p, n, module, name);
  return r == CUDA_ERROR_NOT_FOUND
             ? r
             : in_load ("cuModuleGetGlobal", r, CUDA_ERROR_NOT_FOUND);
}

static CUresult
wrap_memcpy_h2d (CUdeviceptr dst, const void *src, size_t n)
{
  CUresult r;
  char *keep;
  if (acr_args_write (&r, dst, src, n))
    return r;
  acr_late_reads (src, n);
  acr_late_changes (dst, n);
  acr_readback_changed (dst, n);
  if (acr_unchanged_send (dst, src, n, &keep))
    return CUDA_SUCCESS;
  r = send (dst, keep ? keep : src, n);
  acr_unchanged_keep (dst, n, keep, !r);
  return in_load ("cuMemcpyHtoD_v2", r, CUDA_SUCCESS);
}

static CUresult
fetch (void *dst, CUdeviceptr src, size_t n)
{
  acr_late_settle ();
  CUresult r = flushed ();
  if (r)
    return r;
  if (acr_readback_copy (dst, src, n))
    {
      acr_defer_synced ();
      return CUDA_SUCCESS;
    }
  acr_count (d2h_copies, 1);
  acr_count (d2h_bytes, n);
  r = acr_driver.memcpy_d2h (dst, src, n);
  acr_defer_check (r);
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

static CUresult
wrap_memcpy_d2h (void *dst, CUdeviceptr src, size_t n)
{
  char *keep;
  if (acr_copy_is_dead (dst, src, n))
    return CUDA_SUCCESS;
  if (acr_unchanged_fetch (dst, src, n, &keep))
    return wait_as_a_copy ();
  record (ACR_EVENT_FETCH, src);
  if (!keep)
    return acr_late_copy (dst, src, n) ? CUDA_SUCCESS : fetch (dst, src, n);
  CUresult r = fetch (keep, src, n);
  if (!r)
    memcpy (dst, keep, n);
  acr_unchanged_keep (src, n, keep, !r);
  return r;
}

static CUresult
wrap_launch_kernel (CUfunction fn, unsigned gx, unsigned gy, unsigned gz,
                    unsigned bx, unsigned by, unsigned bz, unsigned shared,
                    CUstream stream, void **params, void **extra)
{
  struct acr_launch l = { .kernel = acr_kernel_find (fn),
                          .fn = fn,
                          .grid = { gx, gy, gz },
                          .block = { bx, by, bz },
                          .shared = shared,
                          .waits = true,
                          .stream = stream,
                          .params = params,
                          .extra = extra };
  acr_launch_adjust (&l);
  CUresult r = acr_launch_issue (&l);
  note_work (stream);
  return r;
}

static CUresult
wrap_mem_alloc (CUdeviceptr *p, size_t n)
{
  if (acr_args_alloc (p, n))
    return CUDA_SUCCESS;
  if (!pooled)
    return acr_cuda_alloc (p, n);
  CUdeviceptr place = acr_construct_wants (n);
  if (place && acr_pool_alloc_at (place, n))
    {
      *p = place;
      acr_count (placed, 1);
      acr_construct_alloc (*p, n);
      return CUDA_SUCCESS;
    }
  CUresult r = acr_pool_alloc (p, n);
  /* What is not fetched or waited for yet may hold memory.  */
  if (r == CUDA_ERROR_OUT_OF_MEMORY
      && (acr_late_release () | acr_queue_wait () | acr_run_wait ()))
    r = acr_pool_alloc (p, n);
  if (!r)
    acr_construct_alloc (*p, n);
  return r;
}

/* Whether device memory is the program's as well, to work on by itself.  */
static _Atomic bool shared;

void
acr_cuda_share (void)
{
  shared = true;
}

static CUresult wrap_ctx_synchronize (void);

/* As cuMemFree does, wait for all work before the block at P goes, that of the
   program's own streams included.  It has none on what the construct allocated,
   and gives none while the construct runs.  A failure stays for the next call.  */
static void
wait_as_free (CUdeviceptr p)
{
  struct acr_construct *c = acr_construct_current ();
  if (!shared || in_callback
      || (c && (c->drained || acr_construct_place (c, p, 1).block)))
    return;
  CUresult r = wrap_ctx_synchronize ();
  if (c)
    c->drained = !r;
}

static CUresult
wrap_mem_free (CUdeviceptr p)
{
  if (acr_args_free (p))
    return CUDA_SUCCESS;
  /* Kernels that are held know what they use.  A failure is for others to
     report: libgomp's plugin also frees what libgomp does not ask for, and ends
     the program itself when that fails.  */
  if (!acr_gather_holds ())
    acr_gather_flush ();
  wait_as_free (p);
  acr_construct_freed (p);
  acr_unchanged_freed (p);
  if (acr_late_freed (p))
    return CUDA_SUCCESS;
  return pooled ? acr_pool_free (p) : acr_cuda_free (p);
}

CUresult
acr_cuda_write (CUdeviceptr dst, const void *src, size_t n, CUstream stream)
{
  CUresult r = ready ();
  if (r)
    return r;
  acr_count (h2d_copies, 1);
  acr_count (h2d_bytes, n);
  r = acr_driver.memcpy_h2d_async (dst, src, n, stream);
  acr_defer_check (r);
  acr_debug (3, "cuMemcpyHtoDAsync %zu: status %d", n, r);
  note_work (stream);
  note_change (dst, n);
  return r;
}

static CUresult
wrap_memcpy_h2d_async (CUdeviceptr dst, const void *src, size_t n,
                       CUstream stream)
{
  CUresult r;
  return acr_args_write (&r, dst, src, n)
             ? r
             : acr_cuda_write (dst, src, n, stream);
}

static CUresult
wrap_mem_get_address_range (CUdeviceptr *base, size_t *n, CUdeviceptr p)
{
  /* Of a freed block the driver says what it says of any address that it does
     not know.  */
  static const CUdeviceptr unknown = 1;
  bool found;
  if (acr_args_range (base, n, p))
    return CUDA_SUCCESS;
  if (pooled && !in_callback && acr_pool_range (&found, base, n, p))
    {
      if (found)
        return CUDA_SUCCESS;
      p = unknown;
    }
  return acr_driver.mem_get_address_range (base, n, p);
}

/* Memory that the pool keeps is there for the asking, and so is what libgomp has
   freed but copies back still read.  */
static CUresult
wrap_mem_get_info (size_t *idle, size_t *total)
{
  acr_late_release ();
  CUresult r = acr_driver.mem_get_info (idle, total);
  acr_defer_check (r);
  if (!r && idle && pooled)
    *idle += acr_pool_idle ();
  return r;
}

/* The plugin asks this in every thread that is new to it.  */
static CUresult
wrap_ctx_get_current (CUcontext *ctx)
{
  acr_construct_thread ();
  return acr_driver.ctx_get_current (ctx);
}

static CUresult
wrap_ctx_create (CUcontext *ctx, unsigned flags, CUdevice device)
{
  acr_construct_thread ();
  CUresult r = acr_driver.ctx_create (ctx, flags, device);
  if (!r && pooled)
    {
      acr_pool_context_created (*ctx);
      acr_limit_measure ();
    }
  return r;
}

static CUresult
wrap_ctx_destroy (CUcontext ctx)
{
  /* What is kept goes back one by one, as libgomp has freed it: tools that
     look for leaks would find it otherwise.  The rest dies with the context
     and is forgotten before its addresses can be handed out again.  */
  CUcontext current;
  acr_run_forget (ctx);
  acr_timer_forget (ctx);
  acr_nest_forget (ctx);
  acr_args_forget (ctx);
  acr_event_forget (ctx);
  if (pooled && !acr_driver.ctx_get_current (&current) && current == ctx)
    acr_pool_trim ();
  acr_staging_context_left (ctx, true);
  acr_pool_context_destroyed (ctx);
  acr_kept_clear ();
  acr_unchanged_forget ();
  ctx_destroyed = true;
  return acr_driver.ctx_destroy (ctx);
}

/* A deferred callback runs as the driver would run it: without a say about
   the current context.  */
static CUresult
wrap_ctx_get_device (CUdevice *device)
{
  return acr_queue_in_callback () ? CUDA_ERROR_NOT_PERMITTED
                                  : acr_driver.ctx_get_device (device);
}

/* M was taken before the driver said that all before is complete.  */
static void
passed (const struct acr_mark *m)
{
  acr_pool_passed (m);
  acr_args_passed (m);
  acr_queue_passed (m);
}

static CUresult
wrap_ctx_synchronize (void)
{
  acr_count (syncs, 1);
  acr_debug (3, "cuCtxSynchronize");
  struct acr_mark m = pooled ? acr_pool_mark_all () : (struct acr_mark){ 0 };
  CUresult r = ready ();
  if (!r)
    r = acr_driver.ctx_synchronize ();
  acr_defer_check (r);
  if (!r)
    {
      passed (&m);
      note_synced ();
    }
  return r;
}

CUresult
acr_cuda_wait (CUstream stream)
{
  acr_count (syncs, 1);
  acr_debug (3, "cuStreamSynchronize");
  struct acr_mark m = pooled ? acr_pool_mark (stream) : (struct acr_mark){ 0 };
  CUresult r = ready ();
  if (!r)
    r = acr_driver.stream_synchronize (stream);
  acr_defer_check (r);
  if (!r)
    passed (&m);
  if (!r && !stream)
    note_synced ();
  return r;
}

CUresult
acr_cuda_query (CUstream stream)
{
  struct acr_mark m = pooled ? acr_pool_mark (stream) : (struct acr_mark){ 0 };
  CUresult r = acr_driver.stream_query (stream);
  acr_defer_check (r == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : r);
  if (!r)
    passed (&m);
  return r;
}

/* The next wait of this thread for the NULL stream is for the kernel that it
   launches.  */
static __thread bool in_exec __attribute__ ((tls_model ("initial-exec")));

void
acr_cuda_exec (bool begins)
{
  in_exec = begins;
}

static CUresult
wrap_stream_synchronize (CUstream stream)
{
  bool exec = in_exec && !stream;
  in_exec = false;
  return exec ? acr_defer_wait ("cuStreamSynchronize")
              : acr_cuda_wait (stream);
}

static CUresult
wrap_stream_query (CUstream stream)
{
  return acr_cuda_query (stream);
}

static CUresult
wrap_stream_create (CUstream *stream, unsigned flags)
{
  CUresult r = acr_driver.stream_create (stream, flags);
  acr_defer_check (r);
  /* Other streams than the default kind are not ordered, see inflight.h.  */
  if (!r && pooled && !flags)
    acr_pool_stream_created (*stream);
  return r;
}

static CUresult
wrap_stream_destroy (CUstream stream)
{
  acr_queue_end (stream);
  if (pooled)
    acr_pool_stream_destroyed (stream);
  CUresult r = acr_driver.stream_destroy (stream);
  acr_defer_check (r);
  return r;
}

struct callback
{
  CUstreamCallback fn;
  void *data;
  bool plugin; /* it is libgomp's plugin's */
  struct acr_mark mark;
};

/* What was submitted before a callback is complete when it runs.  */
static void
run_callback (CUstream stream, CUresult status, void *data)
{
  struct callback c = *(struct callback *)data;
  free (data);
  if (!status)
    {
      acr_pool_passed (&c.mark);
      acr_args_passed (&c.mark);
    }
  in_callback = true;
  c.fn (stream, c.plugin ? acr_cuda_callback_status (status) : status, c.data);
  in_callback = false;
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
  CUresult r = ready ();
  struct callback *c = r ? NULL : malloc (sizeof *c);
  if (!c)
    return r ? r : CUDA_ERROR_OUT_OF_MEMORY;
  acr_count (callbacks, 1);
  *c = (struct callback){ fn, data, plugin,
                          pooled ? acr_pool_mark (stream)
                                 : (struct acr_mark){ 0 } };
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

/* FLAGS is 0, as the driver wants it.  */
static CUresult
wrap_stream_add_callback (CUstream stream, CUstreamCallback fn, void *data,
                          unsigned flags)
{
  (void)flags;
  /* During a launch it is the one that frees the argument block.  */
  if (acr_args_active ())
    {
      fn (stream, CUDA_SUCCESS, data);
      return CUDA_SUCCESS;
    }
  if (acr_queue_defer (stream, fn, data)
      || !add_callback (stream, fn, data, true))
    return CUDA_SUCCESS;
  /* The plugin would end the program, and libgomp may hold a lock (fault.c).  */
  CUresult r = acr_cuda_wait (stream);
  if (r)
    acr_fault ("cuStreamAddCallback", r);
  in_callback = true;
  fn (stream, CUDA_SUCCESS, data);
  in_callback = false;
  return CUDA_SUCCESS;
}

/* ---- Patching ---------------------------------------------------------- */

static const struct entry
{
  const char *symbol;
  void *real;    /* address of the acr_driver member */
  void *wrapper; /* NULL: not patched */
  bool optional; /* for the pool */
} entries[] = {
#define NEEDED(name, symbol, params) { symbol, &acr_driver.name, NULL, false },
#define COUNTED(name, symbol, params, args, note)                             \
  { symbol, &acr_driver.name, wrap_##name, false },
#define WRAPPED(name, symbol, params)                                         \
  { symbol, &acr_driver.name, wrap_##name, false },
#define OPTIONAL(name, symbol, params, wrapper)                               \
  { symbol, &acr_driver.name, wrapper, true },
#include "interpose/cuda.def"
};

#define NENTRIES (sizeof entries / sizeof *entries)

/* The slots of PLUGIN's table, or NULL.  */
static void *_Atomic *
find_table (void *plugin, size_t *n)
{
  void *table = dlsym (plugin, "cuda_lib");
  const ElfW (Sym) * sym;
  Dl_info info;
  if (!table || !dladdr1 (table, &info, (void **)&sym, RTLD_DL_SYMENT) || !sym)
    return NULL;
  *n = sym->st_size / sizeof (void *);
  return table;
}

/* Whether the pool can see everything that it must see.  */
static bool
can_pool (const bool found[NENTRIES])
{
  for (size_t i = 0; i < NENTRIES; i++)
    {
      void *real = *(void **)entries[i].real;
      if (!entries[i].optional
          && (!real || (entries[i].wrapper && !found[i])))
        {
          acr_debug (1, "driver table: no %s", entries[i].symbol);
          return false;
        }
    }
  return true;
}

static void
disable_transfers (const char *why)
{
  acr_opt_disable (ACR_OPT_readback, why);
  acr_opt_disable (ACR_OPT_gather, why);
  acr_opt_disable (ACR_OPT_lend, why);
  acr_opt_disable (ACR_OPT_defer, why);
  acr_opt_disable (ACR_OPT_dead, why);
  acr_opt_disable (ACR_OPT_hold, why);
  acr_opt_disable (ACR_OPT_late, why);
  acr_opt_disable (ACR_OPT_same, why);
  acr_opt_disable (ACR_OPT_unchanged, why);
}

static const char *
patch (void *plugin)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  size_t nslots = 0;
  void *_Atomic *slots = find_table (plugin, &nslots);
  if (!slots || !driver)
    {
      acr_opt_disable (ACR_OPT_pool, "the driver's table is out of reach");
      disable_transfers ("the driver's table is out of reach");
      return slots ? "the plugin's driver is not libcuda.so.1"
                   : "libgomp's plugin has no table of driver entry points";
    }

  bool found[NENTRIES] = { false };
  for (size_t i = 0; i < NENTRIES; i++)
    {
      void *real = dlsym (driver, entries[i].symbol);
      *(void **)entries[i].real = real;
      for (size_t s = 0; real && s < nslots && !found[i]; s++)
        found[i] = slots[s] == real;
    }
  if (!can_pool (found))
    acr_opt_disable (ACR_OPT_pool, "the driver's table lacks an entry");
  pooled = !acr_opt_off (ACR_OPT_pool);
  if (!pooled)
    disable_transfers ("the pool is off");
  else
    {
      acr_construct_follow ();
      acr_lend_follow ();
    }
  /* A driver may have one function under two names, old and new.  */
  for (size_t i = 0; i < NENTRIES; i++)
    for (size_t s = 0; found[i] && entries[i].wrapper && s < nslots; s++)
      if (slots[s] == *(void **)entries[i].real)
        atomic_store_explicit (&slots[s], entries[i].wrapper,
                               memory_order_release);
  acr_trace_attach ();
  return NULL;
}

const char *
acr_cuda_patch (void *plugin)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool done;
  static const char *why;
  pthread_mutex_lock (&lock);
  if (!done)
    why = patch (plugin);
  done = true;
  pthread_mutex_unlock (&lock);
  return why;
}

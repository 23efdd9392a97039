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
#include "interpose/events.h"
#include "interpose/fault.h"
#include "interpose/icv.h"
#include "interpose/submit.h"
#include "jit/jit.h"
#include "launch/args.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/queue.h"
#include "memory/pool.h"
#include "report/row.h"
#include "trace/trace.h"
#include "transfer/defer.h"
#include "transfer/rectangle.h"
#include "transfer/transfer.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Set when this thread has destroyed a context.  */
static __thread bool ctx_destroyed
    __attribute__ ((tls_model ("initial-exec")));

void
acr_cuda_device_closed (void)
{
  /* A context that libgomp found there when it came lives on.  */
  CUcontext ctx;
  if (acr_pooled && !ctx_destroyed)
    {
      if (!acr_driver.ctx_get_current (&ctx))
        acr_events->context_left (ctx);
      acr_pool_context_left ();
    }
  ctx_destroyed = false;
}

/* ---- What may be left to be done ----------------------------------------- */

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
  acr_opt_disable (ACR_OPT_unchanged, why);
}

void
acr_cuda_disable (const char *why)
{
  if (acr_pooled)
    acr_events->exposed ();
  disable_transfers (why);
}

/* ---- Wrappers ---------------------------------------------------------- */

/* libgomp asks to copy N bytes.  */
static void
asked_to_send (const void *src, size_t n)
{
  acr_row_asked (src, n, ACR_TO);
  acr_count (stock_h2d_copies, 1);
  acr_count (stock_h2d_bytes, n);
}

static void
asked_to_fetch (const void *dst, size_t n)
{
  acr_row_asked (dst, n, ACR_FROM);
  acr_count (stock_d2h_copies, 1);
  acr_count (stock_d2h_bytes, n);
}

#define COUNTED(name, symbol, params, args, note)                             \
  static CUresult wrap_##name params                                          \
  {                                                                           \
    CUresult r = acr_submit_ready ();                                         \
    if (!r)                                                                   \
      r = acr_driver.name args;                                               \
    acr_events->status (r);                                                   \
    (void)note;                                                               \
    acr_debug (3, "%s: status %d", symbol, r);                                \
    return r;                                                                 \
  }
#include "interpose/cuda.def"

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
  asked_to_send (src, n);
  acr_count (stock_blocking, 1);
  acr_icv_sent (dst, src, n);
  size_t kept = acr_args_write (dst, src, n);
  return kept == n ? CUDA_SUCCESS
                   : in_load ("cuMemcpyHtoD_v2",
                              acr_transfer_send (dst + kept,
                                                 (const char *)src + kept,
                                                 n - kept),
                              CUDA_SUCCESS);
}

static CUresult
wrap_memcpy_d2h (void *dst, CUdeviceptr src, size_t n)
{
  asked_to_fetch (dst, n);
  acr_count (stock_blocking, 1);
  acr_events->passes (NULL);
  return acr_icv_same (dst, src, n) ? CUDA_SUCCESS
                                    : acr_transfer_fetch (dst, src, n);
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
  acr_submitted (stream);
  return r;
}

/* As cuMemAlloc.  */
static CUresult
alloc (CUdeviceptr *p, size_t n)
{
  if (!acr_pooled)
    return acr_cuda_alloc (p, n);
  CUdeviceptr place = acr_record_wants (n);
  if (place && acr_pool_alloc_at (place, n))
    {
      *p = place;
      acr_count (placed, 1);
      acr_construct_alloc (*p, n);
      return CUDA_SUCCESS;
    }
  CUresult r = acr_pool_alloc (p, n);
  bool some = false;
  if (r == CUDA_ERROR_OUT_OF_MEMORY)
    acr_events->out_of_memory (&some);
  if (some)
    r = acr_pool_alloc (p, n);
  if (!r)
    acr_construct_alloc (*p, n);
  return r;
}

static CUresult
wrap_mem_alloc (CUdeviceptr *p, size_t n)
{
  acr_count (stock_allocs, 1);
  if (acr_args_alloc (p, n))
    return CUDA_SUCCESS;
  CUresult r = alloc (p, n);
  if (!r)
    acr_args_allocated (*p);
  return r;
}

/* Memory that host and device share, from GCC 15 on: the host sees what a kernel
   does without a copy.  */
static CUresult
wrap_mem_alloc_managed (CUdeviceptr *p, size_t n, unsigned flags)
{
  acr_cuda_disable ("the program has managed memory");
  CUresult r = acr_driver.mem_alloc_managed (p, n, flags);
  acr_events->status (r);
  return r;
}

/* Whether device memory is the program's as well, to work on by itself.  */
static _Atomic bool shared;

void
acr_cuda_share (void)
{
  shared = true;
}

/* As cuMemFree does, wait for all work before the block at P goes, that of the
   program's own streams included.  It has none on what the construct allocated,
   and gives none while the construct runs.  A failure stays for the next call.  */
static void
wait_as_free (CUdeviceptr p)
{
  struct acr_construct *c = acr_construct_current ();
  if (!shared || acr_cuda_in_callback ()
      || (c && (c->drained || acr_construct_place (c, p, 1).block)))
    return;
  CUresult r = acr_cuda_wait_all ();
  if (c)
    c->drained = !r;
}

static CUresult
wrap_mem_free (CUdeviceptr p)
{
  acr_count (stock_frees, 1);
  if (acr_args_range (NULL, NULL, p))
    return CUDA_SUCCESS;
  acr_args_freed (p);
  acr_events->frees (p);
  wait_as_free (p);
  if (acr_transfer_free (p))
    return CUDA_SUCCESS;
  return acr_pooled ? acr_pool_free (p) : acr_cuda_free (p);
}

static CUresult
wrap_memcpy_h2d_async (CUdeviceptr dst, const void *src, size_t n,
                       CUstream stream)
{
  asked_to_send (src, n);
  size_t kept = acr_args_write (dst, src, n);
  return kept == n ? CUDA_SUCCESS
                   : acr_cuda_write (dst + kept, (const char *)src + kept,
                                     n - kept, stream);
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
  if (acr_pooled && !acr_cuda_in_callback () && acr_pool_range (&found, base, n, p))
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
  acr_events->measured ();
  CUresult r = acr_driver.mem_get_info (idle, total);
  acr_events->status (r);
  if (!r && idle && acr_pooled)
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
  if (!r && acr_pooled)
    acr_events->context_opened (*ctx);
  return r;
}

static CUresult
wrap_ctx_destroy (CUcontext ctx)
{
  acr_events->context_dies (ctx);
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

static CUresult
wrap_ctx_synchronize (void)
{
  acr_count (stock_syncs, 1);
  return acr_cuda_wait_all ();
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
  acr_count (stock_syncs, 1);
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
  acr_events->status (r);
  /* Other streams than the default kind are not ordered, see inflight.h.  */
  if (!r && acr_pooled && !flags)
    acr_pool_stream_created (*stream);
  return r;
}

static CUresult
wrap_stream_destroy (CUstream stream)
{
  acr_queue_end (stream);
  if (acr_pooled)
    acr_pool_stream_destroyed (stream);
  CUresult r = acr_driver.stream_destroy (stream);
  acr_events->status (r);
  return r;
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
  if (!acr_queue_defer (stream, fn, data))
    acr_cuda_add_plugin_callback (stream, fn, data);
  return CUDA_SUCCESS;
}

/* ---- Blocks of arguments alone (args.h) -------------------------------- */

void *
acr_cuda_stand_in (int device, size_t n)
{
  CUdeviceptr p;
  if (!acr_args_stand_in (device, n, &p))
    return NULL;
  acr_count (stock_allocs, 1);
  acr_count (args_spared, 1);
  return (void *)p;
}

bool
acr_cuda_stand_in_send (void *dst, const void *src, size_t n, bool waits)
{
  if (!acr_args_stands_in ((CUdeviceptr)dst))
    return false;
  asked_to_send (src, n);
  acr_count (stock_blocking, waits);
  return acr_args_write ((CUdeviceptr)dst, src, n) == n;
}

bool
acr_cuda_stand_in_free (void *p)
{
  if (!acr_args_stands_in ((CUdeviceptr)p))
    return false;
  acr_count (stock_frees, 1);
  return true;
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
  acr_pooled = !acr_opt_off (ACR_OPT_pool);
  if (!acr_pooled)
    disable_transfers ("the pool is off");
  else
    acr_events->attached ();
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

/* Between libgomp's nvptx plugin and the CUDA driver.

   The plugin calls the driver through an exported table of functions that it
   has looked up, cuda_lib.  Entries are found by value, so that the layout of
   the table, which changes with the version of GCC, does not matter.  Each
   wrapper notes what is issued to the driver and passes it on; those for
   memory go through the pool.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "construct.h"
#include "dead.h"
#include "ext.h"
#include "gather.h"
#include "launch.h"
#include "pool.h"
#include "readback.h"
#include "staging.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>

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
  acr_debug (3, "cuMemAlloc %zu: %llx, status %d", n, r ? 0 : *p, r);
  return r;
}

CUresult
acr_cuda_free (CUdeviceptr p)
{
  acr_count (frees, 1);
  CUresult r = acr_driver.mem_free (p);
  acr_debug (3, "cuMemFree %llx: status %d", p, r);
  return r;
}

_Noreturn void
acr_cuda_fatal (CUresult r)
{
  const char *text = "unknown cuda error";
  void (*fatal) (const char *, ...) = NULL;
  void *libgomp = dlopen ("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  acr_driver.get_error_string (r, &text);
  if (libgomp)
    *(void **)&fatal = dlsym (libgomp, "GOMP_PLUGIN_fatal");
  if (fatal)
    fatal ("cuMemcpyHtoD_v2 error: %s", text);
  exit (EXIT_FAILURE);
}

/* Set when this thread has destroyed a context.  */
static __thread bool ctx_destroyed
    __attribute__ ((tls_model ("initial-exec")));

void
acr_cuda_device_closed (void)
{
  /* A context that libgomp found there when it came lives on.  */
  CUcontext current;
  if (pooled && !ctx_destroyed)
    {
      if (!acr_driver.ctx_get_current (&current))
        acr_staging_context_left (current);
      acr_pool_context_left ();
    }
  ctx_destroyed = false;
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
  return 0;
}

/* What was submitted to the NULL stream up to now is done.  */
static void
note_synced (void)
{
  acr_readback_synced ();
  acr_gather_synced ();
}

#define COUNTED(name, symbol, params, args, note)                             \
  static CUresult wrap_##name params                                          \
  {                                                                           \
    CUresult r = acr_gather_flush ();                                         \
    if (!r)                                                                   \
      r = acr_driver.name args;                                               \
    (void)note;                                                               \
    acr_debug (3, "%s: status %d", symbol, r);                                \
    return r;                                                                 \
  }
#include "cuda.def"

static CUresult
wrap_memcpy_h2d (CUdeviceptr dst, const void *src, size_t n)
{
  acr_readback_changed (dst, n);
  if (acr_gather_copy (dst, src, n))
    return CUDA_SUCCESS;
  CUresult r = acr_gather_flush ();
  if (r)
    return r;
  acr_count (h2d_copies, 1);
  acr_count (h2d_bytes, n);
  r = acr_driver.memcpy_h2d (dst, src, n);
  acr_gather_wrote (dst, n);
  acr_debug (3, "cuMemcpyHtoD %zu: status %d", n, r);
  return r;
}

static CUresult
wrap_memcpy_d2h (void *dst, CUdeviceptr src, size_t n)
{
  CUresult r = acr_gather_flush ();
  if (r)
    return r;
  if (acr_copy_is_dead (dst, src, n) || acr_readback_copy (dst, src, n))
    return CUDA_SUCCESS;
  acr_count (d2h_copies, 1);
  acr_count (d2h_bytes, n);
  r = acr_driver.memcpy_d2h (dst, src, n);
  acr_debug (3, "cuMemcpyDtoH %zu: status %d", n, r);
  return r;
}

static CUresult
wrap_launch_kernel (CUfunction fn, unsigned gx, unsigned gy, unsigned gz,
                    unsigned bx, unsigned by, unsigned bz, unsigned shared,
                    CUstream stream, void **params, void **extra)
{
  struct acr_launch l = { .fn = fn,
                          .grid = { gx, gy, gz },
                          .block = { bx, by, bz },
                          .shared = shared,
                          .stream = stream,
                          .params = params,
                          .extra = extra };
  CUresult r = acr_launch (&l);
  note_work (stream);
  return r;
}

static CUresult
wrap_mem_alloc (CUdeviceptr *p, size_t n)
{
  if (!pooled)
    return acr_cuda_alloc (p, n);
  CUresult r = acr_pool_alloc (p, n);
  if (!r)
    acr_construct_alloc (*p, n);
  return r;
}

static CUresult
wrap_mem_free (CUdeviceptr p)
{
  CUresult r = acr_gather_flush ();
  if (r)
    return r;
  acr_construct_freed (p);
  return pooled ? acr_pool_free (p) : acr_cuda_free (p);
}

static CUresult
wrap_mem_get_address_range (CUdeviceptr *base, size_t *n, CUdeviceptr p)
{
  /* Of a freed block the driver says what it says of any address that it does
     not know.  */
  static const CUdeviceptr unknown = 1;
  bool found;
  if (pooled && !in_callback && acr_pool_range (&found, base, n, p))
    {
      if (found)
        return CUDA_SUCCESS;
      p = unknown;
    }
  return acr_driver.mem_get_address_range (base, n, p);
}

/* Memory that the pool keeps is there for the asking.  */
static CUresult
wrap_mem_get_info (size_t *idle, size_t *total)
{
  CUresult r = acr_driver.mem_get_info (idle, total);
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
    acr_pool_context_created (*ctx);
  return r;
}

static CUresult
wrap_ctx_destroy (CUcontext ctx)
{
  /* What is kept goes back one by one, as libgomp has freed it: tools that
     look for leaks would find it otherwise.  The rest dies with the context
     and is forgotten before its addresses can be handed out again.  */
  CUcontext current;
  if (pooled && !acr_driver.ctx_get_current (&current) && current == ctx)
    acr_pool_trim ();
  acr_staging_context_left (ctx);
  acr_pool_context_destroyed (ctx);
  ctx_destroyed = true;
  return acr_driver.ctx_destroy (ctx);
}

static CUresult
wrap_ctx_synchronize (void)
{
  acr_count (syncs, 1);
  acr_debug (3, "cuCtxSynchronize");
  struct acr_mark m = pooled ? acr_pool_mark_all () : (struct acr_mark){ 0 };
  CUresult r = acr_gather_flush ();
  if (!r)
    r = acr_driver.ctx_synchronize ();
  if (!r)
    {
      acr_pool_passed (&m);
      note_synced ();
    }
  return r;
}

static CUresult
wrap_stream_synchronize (CUstream stream)
{
  acr_count (syncs, 1);
  acr_debug (3, "cuStreamSynchronize");
  struct acr_mark m = pooled ? acr_pool_mark (stream) : (struct acr_mark){ 0 };
  CUresult r = acr_gather_flush ();
  if (!r)
    r = acr_driver.stream_synchronize (stream);
  if (!r)
    acr_pool_passed (&m);
  if (!r && !stream)
    note_synced ();
  return r;
}

static CUresult
wrap_stream_query (CUstream stream)
{
  struct acr_mark m = pooled ? acr_pool_mark (stream) : (struct acr_mark){ 0 };
  CUresult r = acr_driver.stream_query (stream);
  if (!r)
    acr_pool_passed (&m);
  return r;
}

static CUresult
wrap_stream_create (CUstream *stream, unsigned flags)
{
  CUresult r = acr_driver.stream_create (stream, flags);
  /* Other streams than the default kind are not ordered, see inflight.h.  */
  if (!r && pooled && !flags)
    acr_pool_stream_created (*stream);
  return r;
}

static CUresult
wrap_stream_destroy (CUstream stream)
{
  if (pooled)
    acr_pool_stream_destroyed (stream);
  return acr_driver.stream_destroy (stream);
}

struct callback
{
  acr_stream_callback fn;
  void *data;
  struct acr_mark mark;
};

/* What was submitted before a callback is complete when it runs.  */
static void
run_callback (CUstream stream, CUresult status, void *data)
{
  struct callback c = *(struct callback *)data;
  free (data);
  if (!status)
    acr_pool_passed (&c.mark);
  in_callback = true;
  c.fn (stream, status, c.data);
  in_callback = false;
}

static CUresult
wrap_stream_add_callback (CUstream stream, acr_stream_callback fn, void *data,
                          unsigned flags)
{
  CUresult r = acr_gather_flush ();
  if (r)
    return r;
  struct callback *c = pooled ? malloc (sizeof *c) : NULL;
  if (!c)
    return acr_driver.stream_add_callback (stream, fn, data, flags);
  *c = (struct callback){ fn, data, acr_pool_mark (stream) };
  r = acr_driver.stream_add_callback (stream, run_callback, c, flags);
  if (r)
    free (c);
  return r;
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
#include "cuda.def"
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
  acr_opt_disable (ACR_OPT_dead, why);
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
    acr_construct_follow ();
  /* A driver may have one function under two names, old and new.  */
  for (size_t i = 0; i < NENTRIES; i++)
    for (size_t s = 0; found[i] && entries[i].wrapper && s < nslots; s++)
      if (slots[s] == *(void **)entries[i].real)
        atomic_store_explicit (&slots[s], entries[i].wrapper,
                               memory_order_release);
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

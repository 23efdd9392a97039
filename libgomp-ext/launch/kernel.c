/* Kernels by their handle; see kernel.h.

   The records are in an open-addressed hash, which is rebuilt when it is full
   and when a module goes.  LOCK guards it; a record stays where it is until
   its module is unloaded, which the plugin does when nothing runs.  A launch asks
   for its record several times: a thread takes what it has found as long as no
   record has come or gone, without the lock.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "base/hash.h"
#include "ext.h"
#include "interpose/events.h"
#include "interpose/image.h"
#include "jit/batch-code.h"
#include "jit/chunk.h"
#include "jit/jit.h"
#include "launch/form.h"
#include "launch/geometry/geometry-known.h"
#include "launch/geometry/geometry-word.h"
#include "launch/kernel.h"
#include "launch/lazy.h"

#include <stdlib.h>
#include <string.h>

/* Answers of cuOccupancyMaxPotentialBlockSize that are kept a kernel: a launch
   site asks with one limit.  */
#define OCCUPANCIES 8

/* What a thread has found last, of each place that handles share.  */
#define FOUND 8

struct occupancy
{
  int limit, grid, block;
};

struct record
{
  struct acr_kernel kernel;
  _Atomic unsigned noccupancies; /* the first of these are constant */
  struct occupancy occupancy[OCCUPANCIES];
  /* What acr_kernel_gangs has said last of each form: GANGS and the answer.  */
  _Atomic uint64_t gangs[ACR_FORMS + 1];
  struct acr_known known;
  struct acr_region *region; /* own copy, or NULL */
  struct acr_kernel_name stock;
  char name[];               /* and behind it stock GCC's */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record **records;
static size_t nslots, nrecords; /* nslots is 0 or a power of two > nrecords */
static _Atomic unsigned changes; /* records that have come, modules that have gone */

ACR_FORK_KEEPS (lock)

/* ---- Records ----------------------------------------------------------- */

static size_t
hash_of (CUfunction fn)
{
  return ((uintptr_t)fn >> 4) * 0x9e3779b97f4a7c15u >> 20;
}

static struct record **
slot_of (struct record **slots, size_t n, CUfunction fn)
{
  size_t h = hash_of (fn);
  while (slots[h & (n - 1)] && slots[h & (n - 1)]->kernel.fn != fn)
    h++;
  return &slots[h & (n - 1)];
}

/* R's context LIVES, or what was in it is gone.  */
static void
record_free (struct record *r, bool lives)
{
  if (r)
    {
      acr_lazy_free (&r->kernel, lives);
      acr_batch_free (r->kernel.batch);
      free (r->region);
    }
  free (r);
}

/* Move the records into a new index with room for one more, those of module
   GONE excepted.  False when memory is out.  */
static bool
rebuild (CUmodule gone)
{
  size_t n = 64, kept = 0;
  while (n < 2 * (nrecords + 1))
    n *= 2;
  struct record **to = calloc (n, sizeof *to);
  if (!to)
    return false;
  for (size_t i = 0; i < nslots; i++)
    if (records[i] && gone && records[i]->kernel.module == gone)
      record_free (records[i], true);
    else if (records[i])
      {
        *slot_of (to, n, records[i]->kernel.fn) = records[i];
        kept++;
      }
  free (records);
  records = to;
  nslots = n;
  nrecords = kept;
  return true;
}

static struct record *
record_find (CUfunction fn)
{
  static __thread struct
  {
    CUfunction fn;
    unsigned changes;
    struct record *record;
  } found[FOUND] __attribute__ ((tls_model ("initial-exec")));
  unsigned i = hash_of (fn) % FOUND;
  unsigned now = atomic_load_explicit (&changes, memory_order_acquire);
  if (found[i].fn == fn && found[i].changes == now)
    return found[i].record;
  found[i].fn = fn;
  found[i].changes = now;
  pthread_mutex_lock (&lock);
  found[i].record = nslots ? *slot_of (records, nslots, fn) : NULL;
  pthread_mutex_unlock (&lock);
  return found[i].record;
}

/* A handle that was there before is another kernel's by now: its module died
   with a context.  False for want of memory.  */
static bool
record_enter (struct record *r)
{
  pthread_mutex_lock (&lock);
  bool ok = 2 * (nrecords + 1) <= nslots || rebuild (NULL);
  if (ok)
    {
      struct record **slot = slot_of (records, nslots, r->kernel.fn);
      nrecords += !*slot;
      record_free (*slot, false);
      *slot = r;
      atomic_fetch_add (&changes, 1);
    }
  pthread_mutex_unlock (&lock);
  return ok;
}

/* The driver cannot know how deep recursive functions go, and gives each thread
   1 KiB.  It takes memory for all threads that the GPU can run.  */
static void
make_stack (void)
{
  size_t now;
  if (!acr_image_recursive () || !acr_driver.ctx_get_limit
      || !acr_driver.ctx_set_limit
      || acr_driver.ctx_get_limit (&now, CU_LIMIT_STACK_SIZE)
      || now >= acr_env.stack)
    return;
  CUresult r = acr_driver.ctx_set_limit (CU_LIMIT_STACK_SIZE, acr_env.stack);
  acr_debug (1, "device threads have %zu bytes of stack, for recursion%s",
             acr_env.stack, r ? ": no" : "");
}

/* ptx-post leaves a variable, K's name and SUFFIX, for the kernels that need what that
   stands for.  */
static bool
needs (const struct acr_kernel *k, const char *suffix)
{
  char name[strlen (k->name) + strlen (suffix) + 1];
  CUdeviceptr p;
  size_t n;
  stpcpy (stpcpy (name, k->name), suffix);
  return acr_driver.module_get_global
         && !acr_driver.module_get_global (&p, &n, k->module, name);
}

/* Find the region of R's kernel, and what follows from it.  */
static void
find_region (struct record *r)
{
  struct acr_kernel *k = &r->kernel;
  r->region = acr_region_of_kernel (k->name);
  if (!r->region)
    return;
  bool omp = r->region->kind == ACR_KIND_OMP_TARGET
             && r->region->spmd != ACR_SPMD_NO;
  k->along_y = omp && needs (k, ACR_STACK_SUFFIX);
  k->soft = omp && needs (k, ACR_SOFT_SUFFIX);
  /* The compiler has added a part (plugin/region/tag.cc).  */
  const char *added = strrchr (r->region->fn, '.');
  if (!added)
    return;
  char *to = r->name + strlen (r->name) + 1;
  size_t n = added - r->region->fn;
  memcpy (to, r->name, n);
  to[n] = '\0';
  k->stock->name = to;
}

/* What the driver knows of K.  It is asked again where that fails: libgomp's plugin
   asks as well, and says so.  */
static CUresult
ask (struct acr_kernel *k)
{
  CUresult r = CUDA_ERROR_UNKNOWN;
  for (unsigned times = 0; r && times < 2; times++)
    {
      r = acr_driver.func_get_attribute (&k->regs, CU_FUNC_ATTRIBUTE_NUM_REGS,
                                         k->fn);
      if (!r)
        r = acr_driver.func_get_attribute (
            &k->max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k->fn);
    }
  return r;
}

/* Fill in R, with room for two names, for FN, NAME in MODULE, that gets ARGS
   bytes.  */
static CUresult
fill (struct record *r, CUfunction fn, CUmodule module, const char *name,
      size_t args)
{
  struct acr_kernel *k = &r->kernel;
  strcpy (r->name, name);
  k->fn = fn;
  k->module = module;
  if (!acr_driver.ctx_get_device || acr_driver.ctx_get_device (&k->device))
    k->device = -1;
  k->name = r->stock.name = r->name;
  k->stock = &r->stock;
  k->known = &r->known;
  k->args = args;
  k->batch = acr_jit_batch (name);
  uint64_t code = acr_jit_code ();
  k->code = code ? acr_hash (code, name, strlen (name)) : 0;
  CUresult status = ask (k);
  if (status)
    return status;
  acr_count (aot, acr_jit_ahead ());
  acr_form_find (k);
  find_region (r);
  return CUDA_SUCCESS;
}

CUresult
acr_kernel_get (CUfunction *fn, CUmodule module, const char *name)
{
  CUresult status = acr_chunks_get (fn, module, name);
  if (status)
    return status;
  make_stack ();
  acr_events->module_loaded (module);
  size_t name_size = strlen (name) + 1, args = acr_jit_args (name);
  struct record *r = calloc (1, sizeof *r + 2 * name_size);
  status = r ? fill (r, *fn, module, name, args) : CUDA_ERROR_OUT_OF_MEMORY;
  /* What gets no address cannot be launched without what its record tells.  */
  if (!status && ((args && !r->region) || !record_enter (r)))
    status = CUDA_ERROR_OUT_OF_MEMORY;
  if (status)
    record_free (r, true);
  return args ? status : CUDA_SUCCESS;
}

CUresult
acr_kernels_unload (CUmodule module)
{
  acr_events->module_goes (module);
  pthread_mutex_lock (&lock);
  /* Without memory for a new index they stay, until their handles are seen
     again.  */
  if (nslots)
    rebuild (module);
  atomic_fetch_add (&changes, 1);
  pthread_mutex_unlock (&lock);
  acr_chunks_unload (module);
  return acr_driver.module_unload (module);
}

unsigned
acr_kernel_changes (void)
{
  return atomic_load_explicit (&changes, memory_order_acquire);
}

const struct acr_kernel *
acr_kernel_find (CUfunction fn)
{
  struct record *r = record_find (fn);
  return r ? &r->kernel : NULL;
}

const struct acr_region *
acr_kernel_region (const struct acr_kernel *k)
{
  return ((const struct record *)k)->region;
}

unsigned
acr_kernels_of (int number, const struct acr_kernel **to, unsigned most)
{
  unsigned n = 0;
  pthread_mutex_lock (&lock);
  for (size_t i = 0; i < nslots; i++)
    if (records[i] && records[i]->region && records[i]->region->ready == number
        && n++ < most)
      to[n - 1] = &records[i]->kernel;
  pthread_mutex_unlock (&lock);
  return n;
}

unsigned
acr_kernel_params (const struct acr_kernel *k)
{
  const struct acr_region *r = acr_kernel_region (k);
  return r && r->kind == ACR_KIND_OMP_TARGET ? 3 : 1;
}

/* ---- Occupancy --------------------------------------------------------- */

/* The answer for LIMIT that R, or NULL, has, or NULL.  */
static const struct occupancy *
occupancy_of (const struct record *r, int limit)
{
  unsigned n = r ? atomic_load_explicit (&r->noccupancies, memory_order_acquire)
                 : 0;
  for (unsigned i = 0; i < n; i++)
    if (r->occupancy[i].limit == limit)
      return &r->occupancy[i];
  return NULL;
}

/* Let R, or NULL, have O as well, if there is room.  */
static void
keep_occupancy (struct record *r, struct occupancy o)
{
  pthread_mutex_lock (&lock);
  unsigned n = r ? r->noccupancies : OCCUPANCIES;
  if (n < OCCUPANCIES)
    {
      r->occupancy[n] = o;
      atomic_store_explicit (&r->noccupancies, n + 1, memory_order_release);
    }
  pthread_mutex_unlock (&lock);
}

/* How many warps the GPU has room for; libgomp takes twice as many gangs (nvptx_exec in
   GCC's plugin-nvptx.c).  */
static unsigned
room_of (const struct occupancy *o)
{
  return o->grid * (o->block / ACR_WARP);
}

unsigned
acr_kernel_gangs (const struct acr_kernel *k, unsigned form, unsigned gangs)
{
  struct record *r = (struct record *)k;
  _Atomic uint64_t *known = &r->gangs[form];
  CUfunction fn = form ? k->form[form - 1].fn : k->itself.fn;
  uint64_t said = atomic_load_explicit (known, memory_order_relaxed);
  if (said >> 32 == gangs)
    return said;
  unsigned n = atomic_load_explicit (&r->noccupancies, memory_order_acquire);
  unsigned answer = gangs;
  for (unsigned i = 0; i < n && answer == gangs; i++)
    {
      struct occupancy o = r->occupancy[i];
      if (2 * room_of (&o) == gangs
          && !acr_driver.occupancy_max_block (
              &o.grid, &o.block, fn, NULL, 0, o.limit)
          && room_of (&o))
        answer = 2 * room_of (&o);
    }
  atomic_store_explicit (known, (uint64_t)gangs << 32 | answer,
                         memory_order_relaxed);
  return answer;
}

/* The driver takes a microsecond to say the same thing for every launch.  */
CUresult
acr_kernel_occupancy (int *grid, int *block, CUfunction fn,
                      CUoccupancyB2DSize shared_of, size_t shared, int limit)
{
  bool plain = !shared_of && !shared && !acr_opt_off (ACR_OPT_launch);
  struct record *r = plain ? record_find (fn) : NULL;
  const struct occupancy *o = occupancy_of (r, limit);
  if (o)
    {
      *grid = o->grid;
      *block = o->block;
      return CUDA_SUCCESS;
    }
  CUresult status = acr_driver.occupancy_max_block (grid, block, fn, shared_of,
                                                    shared, limit);
  acr_events->status (status);
  if (!status)
    keep_occupancy (r, (struct occupancy){ limit, *grid, *block });
  return status;
}

/* Small kernels launched as one; see batch.h.

   Why this gives what the kernels give one behind the other.  They are independent of each
   other: hold.c has asked what they may access.  Each has the blocks that it would have,
   with the same threads and numbers, and the same code (jit/batch-code.h), parameters and
   memory; blocks of a kernel do not tell how many of others there are.  Where the driver
   refuses anything nothing was launched, and the kernels are launched one by one.

   A batch has a place from the first time that its kernels come together; it is made by
   the thread of worker.h when they have come OFTEN, and kept on disk as all that the
   driver compiles, where it is looked for when they have come SOON times.  While the
   driver compiles, it takes longer for launches (an H200: 70 us for a step of 40 kernels,
   for .2 seconds and four batches, each of which saves 15 us then): a batch has won that
   back when it was launched about a thousand times.  STATE is MADE when the rest of a place
   does not change any more.  LOCK guards the places against modules and contexts that
   go.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/graph/batch.h"

#include "base/fork.h"
#include "base/hash.h"
#include "base/worker.h"
#include "ext.h"
#include "jit/batch-code.h"
#include "jit/build.h"
#include "launch/geometry/geometry.h"
#include "launch/graph/graph-may.h"
#include "launch/kernel.h"
#include "launch/launch.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PLACES = 256,
  WAYS = 4,  /* places that a hash points to */
  SOON = 64,
  OFTEN = 1024
};

static struct batch
{
  unsigned n; /* kernels; 0: nobody's place */
  unsigned times;
  const struct acr_kernel *kernel[ACR_BATCH_MOST];
  CUcontext ctx;
  _Atomic enum
  {
    COMES, /* some times */
    SOUGHT, /* on disk */
    WANTED,
    MADE,
    REFUSED
  } state;
  CUmodule module; /* NULL: none */
  CUfunction fn;
  int max_threads;
  struct acr_job job;
} batches[PLACES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What the parent has is not the child's.  */
static void
lose (void)
{
  memset (batches, 0, sizeof batches);
}

ACR_FORK_LOCKS (lock, lose, __attribute__ ((constructor)))

/* ---- Making ------------------------------------------------------------ */

/* Make the code of B, in its context; where it is sought, if it is on disk.  */
static bool
build (struct batch *b)
{
  const struct acr_batch_code *code[ACR_BATCH_MOST] = { NULL };
  for (unsigned i = 0; i < b->n; i++)
    code[i] = b->kernel[i]->batch;
  struct acr_unit u = acr_batch_make (code, b->n);
  const struct acr_jit_conditions *c = &code[0]->conditions;
  bool found;
  if (u.code && b->state == SOUGHT && !acr_jit_build_is_kept (c, &u))
    {
      free ((void *)u.code);
      return false;
    }
  CUresult r = u.code ? acr_jit_build (c, &u, ACR_BATCH_NAME, &b->module, &found)
                      : CUDA_ERROR_INVALID_PTX;
  free ((void *)u.code);
  if (!r
      && (acr_driver.module_get_function (&b->fn, b->module, ACR_BATCH_NAME)
          || acr_driver.func_get_attribute (
              &b->max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, b->fn)))
    {
      (void)acr_driver.module_unload (b->module);
      r = CUDA_ERROR_NOT_FOUND;
    }
  if (r)
    b->module = NULL;
  acr_debug (1, "batch of %u kernels from %s on: %s", b->n, b->kernel[0]->name,
             r ? acr_cuda_error (r) : "there");
  return !r;
}

static bool
run (struct acr_job *job)
{
  struct batch *b = (void *)((char *)job - offsetof (struct batch, job));
  CUcontext out;
  unsigned state = b->state;
  if (state != SOUGHT && state != WANTED)
    return false;
  bool made = !acr_driver.ctx_push_current (b->ctx);
  if (made)
    {
      made = build (b);
      (void)acr_driver.ctx_pop_current (&out);
    }
  atomic_store_explicit (&b->state,
                         made              ? MADE
                         : state == SOUGHT ? COMES
                                           : REFUSED,
                         memory_order_release);
  return false;
}

/* Let B be nobody's; its context LIVES.  */
static void
drop (struct batch *b, bool lives)
{
  if (b->module && lives)
    (void)acr_driver.module_unload (b->module);
  memset (b, 0, sizeof *b);
}

/* ---- Places ------------------------------------------------------------ */

static bool
is_of (const struct batch *b, const struct acr_launch *const *l, unsigned n)
{
  bool is = b->n == n;
  for (unsigned i = 0; is && i < n; i++)
    is = b->kernel[i] == l[i]->kernel;
  return is;
}

/* Whether another batch may have B's place.  Not where its job may wait.  */
static bool
is_idle (const struct batch *b)
{
  return !b->n || (b->state == COMES && b->times < SOON);
}

/* The place of L's N kernels, or NULL.  LOCK is held.  */
static struct batch *
place_of (const struct acr_launch *const *l, unsigned n)
{
  struct batch *none = NULL;
  uint64_t h = n;
  for (unsigned i = 0; i < n; i++)
    h = acr_hash_word (h, (uintptr_t)l[i]->kernel >> 4);
  for (unsigned i = 0; i < WAYS; i++)
    {
      struct batch *b = &batches[((h >> 40) + i) % PLACES];
      if (is_of (b, l, n))
        return b;
      if (is_idle (b) && (!none || b->times < none->times))
        none = b;
    }
  CUcontext ctx;
  if (!none || acr_driver.ctx_get_current (&ctx))
    return NULL;
  memset (none, 0, sizeof *none);
  none->n = n;
  none->ctx = ctx;
  none->job.run = run;
  for (unsigned i = 0; i < n; i++)
    none->kernel[i] = l[i]->kernel;
  return none;
}

/* ---- Launches ---------------------------------------------------------- */

bool
acr_batch_fills (const struct acr_launch *l)
{
  return l->kernel && l->processors && !acr_geometry_fits (l, 2);
}

/* Does L, an SPMD kernel, leave half of the GPU as it is?  */
static bool
leaves_room (const struct acr_launch *l)
{
  const struct acr_region *r = acr_kernel_region (l->kernel);
  return r && r->spmd != ACR_SPMD_NO && !r->launches && !r->resident
         && l->processors && !acr_batch_fills (l);
}

bool
acr_batch_may (const struct acr_launch *l)
{
  const struct acr_kernel *k = l->kernel;
  return acr_batch_wanted () && k && k->batch && l->fn == k->fn && l->params
         && !l->extra && !l->shared && !l->stacks && l->grid[1] == 1
         && l->grid[2] == 1 && k->batch->nparams == acr_kernel_params (k)
         && leaves_room (l) && acr_batch_can (k->batch);
}

bool
acr_batch_agrees (const struct acr_launch *first, const struct acr_launch *l)
{
  return l->kernel->device == first->kernel->device && l->stream == first->stream
         && !memcmp (l->block, first->block, sizeof l->block);
}

/* Hand the N launches of L to the driver as B.  */
static bool
hand_over (const struct batch *b, const struct acr_launch *const *l, unsigned n)
{
  void *params[ACR_BATCH_MOST * ACR_LAUNCH_PARAMS + ACR_BATCH_MOST];
  unsigned blocks = 0, nparams = 0;
  const unsigned *block = l[0]->block;
  for (unsigned i = 0; i < n; i++)
    {
      unsigned own = acr_kernel_params (l[i]->kernel);
      memcpy (params + nparams, l[i]->params, own * sizeof *params);
      nparams += own;
      blocks += l[i]->grid[0];
    }
  for (unsigned i = 0; i < n; i++)
    params[nparams + i] = (void *)&l[i]->grid[0];
  return block[0] * block[1] * block[2] <= (unsigned)b->max_threads
         && !acr_driver.launch_kernel (b->fn, blocks, 1, 1, block[0], block[1],
                                       block[2], 0, l[0]->stream, params, NULL);
}

/* The kernels of B have come once more: have it made when that is often enough.  */
static void
come (struct batch *b)
{
  bool now = acr_env.graphs == ACR_GRAPHS_ALWAYS;
  if (b->state == COMES)
    {
      b->times++;
      if (now || b->times >= OFTEN)
        b->state = WANTED;
      else if (b->times == SOON)
        b->state = SOUGHT;
    }
  unsigned state = b->state;
  if (state == WANTED && now)
    (void)run (&b->job);
  /* A job that waits may have been forgotten.  */
  else if ((state == SOUGHT || state == WANTED) && !acr_worker_give (&b->job))
    b->state = REFUSED;
}

static bool
is_made (const struct batch *b)
{
  return b && atomic_load_explicit (&b->state, memory_order_acquire) == MADE;
}

bool
acr_batch_comes (const struct acr_launch *const *l, unsigned n)
{
  pthread_mutex_lock (&lock);
  struct batch *b = place_of (l, n);
  if (b)
    come (b);
  bool made = is_made (b);
  pthread_mutex_unlock (&lock);
  return made;
}

bool
acr_batch_launch (const struct acr_launch *const *l, unsigned n)
{
  pthread_mutex_lock (&lock);
  struct batch *b = place_of (l, n);
  bool made = is_made (b), done = made && hand_over (b, l, n);
  if (made && !done)
    b->state = REFUSED;
  pthread_mutex_unlock (&lock);
  for (unsigned i = 0; done && i < n; i++)
    acr_count_for (l[i]->by, batched, 1);
  return done;
}

/* ---- The end ----------------------------------------------------------- */

static bool
has_module (const struct batch *b, CUmodule module)
{
  for (unsigned i = 0; i < b->n; i++)
    if (b->kernel[i]->module == module)
      return true;
  return false;
}

void
acr_batch_unload (CUmodule module)
{
  acr_worker_clear ();
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < PLACES; i++)
    if (has_module (&batches[i], module))
      drop (&batches[i], true);
  pthread_mutex_unlock (&lock);
}

void
acr_batch_forget (CUcontext ctx)
{
  acr_worker_clear ();
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < PLACES; i++)
    if (batches[i].n && batches[i].ctx == ctx)
      drop (&batches[i], false);
  pthread_mutex_unlock (&lock);
}

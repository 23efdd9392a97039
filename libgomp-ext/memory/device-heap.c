/* Memory that the device's malloc gives out; see device-heap.h.

   Everything is guarded by LOCK.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "memory/device-heap.h"

#include "base/fork.h"
#include "ext.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/queue.h>

/* What part of a GPU's memory a heap may be.  */
#define PART 64

/* A slot without a chunk: no piece fits.  */
#define NO_CHUNK (2 * (uint64_t)ACR_HEAP_CHUNK)

static_assert (ACR_HEAP_COUNTS + ACR_HEAP_MOST <= ACR_HEAP_HEAD,
               "the head has room for all counts");

struct module
{
  LIST_ENTRY (module) link;
  CUmodule module;
  CUdeviceptr words; /* its ACR_HEAP_NAME */
  bool allocates;    /* and all its units free by way of malloc.ptx */
  bool told;         /* of memory: its words are not 0, as loaded, any more */
};

struct heap
{
  LIST_ENTRY (heap) link;
  CUcontext ctx;
  CUdeviceptr memory; /* 0: none */
  uint64_t chunks;
  bool off; /* nobody takes from it, as somebody could not free that */
  LIST_HEAD (, module) modules;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static LIST_HEAD (, heap) heaps = LIST_HEAD_INITIALIZER (heaps);

ACR_FORK_KEEPS (lock)

/* The heap of the current context, a new one without memory if MAKE.  */
static struct heap *
current_heap (bool make)
{
  CUcontext ctx;
  struct heap *h = NULL;
  if (acr_driver.ctx_get_current (&ctx))
    return NULL;
  LIST_FOREACH (h, &heaps, link)
    if (h->ctx == ctx)
      break;
  if (!h && make && (h = calloc (1, sizeof *h)))
    {
      h->ctx = ctx;
      LIST_INSERT_HEAD (&heaps, h, link);
    }
  return h;
}

/* ---- Memory ------------------------------------------------------------ */

static CUdeviceptr
first_chunk (const struct heap *h)
{
  return h->memory + ACR_HEAP_HEAD * sizeof (uint64_t);
}

/* Let H's memory, which is new, be unused.  */
static CUresult
clear (const struct heap *h)
{
  uint64_t *head = calloc (ACR_HEAP_HEAD, sizeof *head);
  if (!head)
    return CUDA_ERROR_OUT_OF_MEMORY;
  head[ACR_HEAP_CHUNKS] = h->chunks;
  for (unsigned i = 0; i < ACR_HEAP_NSLOTS; i++)
    head[ACR_HEAP_SLOTS + i] = NO_CHUNK;
  CUresult r = acr_driver.memcpy_h2d (h->memory, head,
                                      ACR_HEAP_HEAD * sizeof *head);
  free (head);
  return r;
}

/* Give H memory, if there is enough.  */
static void
allocate (struct heap *h)
{
  size_t idle, total;
  if (acr_driver.mem_get_info (&idle, &total))
    return;
  h->chunks = total / PART / ACR_HEAP_CHUNK;
  if (h->chunks > ACR_HEAP_MOST)
    h->chunks = ACR_HEAP_MOST;
  if (!h->chunks
      || acr_driver.mem_alloc (&h->memory,
                               ACR_HEAP_HEAD * sizeof (uint64_t)
                                   + h->chunks * ACR_HEAP_CHUNK))
    h->memory = 0;
  else if (clear (h))
    {
      acr_driver.mem_free (h->memory);
      h->memory = 0;
    }
  acr_debug (1, "a heap of %llu chunks for the device's malloc: %s",
             (unsigned long long)h->chunks, h->memory ? "made" : "not made");
}

/* Are all pieces of H, whose head is at HEAD, free?  What is in a chunk in use
   has not been taken off its count.  */
static bool
is_unused (const struct heap *h, const uint64_t *head)
{
  int64_t pieces = 0;
  for (uint64_t i = 0; i < h->chunks; i++)
    pieces -= (int32_t)head[ACR_HEAP_COUNTS + i];
  for (unsigned i = 0; i < ACR_HEAP_NSLOTS; i++)
    {
      uint64_t slot = head[ACR_HEAP_SLOTS + i];
      if ((uint32_t)slot <= ACR_HEAP_CHUNK)
        pieces += (uint16_t)(slot >> 32);
    }
  return pieces == 0;
}

/* Copy H's head, behind all work, for the caller to free.  NULL when that does not
   work.  */
static uint64_t *
copy_head (const struct heap *h)
{
  uint64_t *head = h->memory ? malloc (ACR_HEAP_HEAD * sizeof *head) : NULL;
  if (head
      && (acr_driver.ctx_synchronize ()
          || acr_driver.memcpy_d2h (head, h->memory,
                                    ACR_HEAP_HEAD * sizeof *head)))
    {
      free (head);
      head = NULL;
    }
  return head;
}

/* Count what was given out of H.  */
static void
count_pieces (const struct heap *h)
{
  uint64_t *head = copy_head (h);
  if (!head)
    return;
  uint64_t pieces = head[ACR_HEAP_PIECES];
  for (unsigned i = 0; i < ACR_HEAP_NSLOTS; i++)
    if ((uint32_t)head[ACR_HEAP_SLOTS + i] <= ACR_HEAP_CHUNK)
      pieces += (uint16_t)(head[ACR_HEAP_SLOTS + i] >> 32);
  acr_count (mallocs, pieces);
  free (head);
}

/* ---- Modules ----------------------------------------------------------- */

/* Tell M, of H, where the heap is.  */
static CUresult
tell (const struct heap *h, struct module *m)
{
  if (!h->memory && !m->told)
    return CUDA_SUCCESS;
  m->told = true;
  const uint64_t words[ACR_HEAP_WORDS]
      = { m->allocates && !h->off ? h->memory : 0,
          h->memory ? first_chunk (h) : 0,
          h->memory ? h->chunks * ACR_HEAP_CHUNK : 0 };
  return acr_driver.memcpy_h2d (m->words, words, sizeof words);
}

static CUresult
tell_all (const struct heap *h)
{
  CUresult r = CUDA_SUCCESS;
  struct module *m;
  LIST_FOREACH (m, &h->modules, link)
    if (!r)
      r = tell (h, m);
  return r;
}

static struct module *
find_module (const struct heap *h, CUmodule module)
{
  struct module *m;
  LIST_FOREACH (m, &h->modules, link)
    if (m->module == module)
      break;
  return m;
}

/* Enter MODULE, which has WORDS, in H.  */
static void
enter (struct heap *h, CUmodule module, CUdeviceptr words,
       enum acr_device_malloc look)
{
  struct module *m = calloc (1, sizeof *m);
  if (!m)
    {
      h->off = true;
      return;
    }
  m->module = module;
  m->words = words;
  m->allocates = look != ACR_MALLOC_DRIVER;
  LIST_INSERT_HEAD (&h->modules, m, link);
  if (look == ACR_MALLOC_WANTED && !h->memory && !h->off)
    allocate (h);
}

void
acr_device_heap_set_up (CUmodule module, enum acr_device_malloc look)
{
  CUdeviceptr words;
  size_t n;
  if (acr_opt_off (ACR_OPT_device_malloc) || look == ACR_MALLOC_NONE
      || !acr_driver.module_get_global)
    return;
  pthread_mutex_lock (&lock);
  struct heap *h = current_heap (true);
  if (h && !find_module (h, module))
    {
      h->off |= look == ACR_MALLOC_DRIVER;
      if (!acr_driver.module_get_global (&words, &n, module, ACR_HEAP_NAME)
          && n == ACR_HEAP_WORDS * sizeof (uint64_t))
        enter (h, module, words, look);
      if (tell_all (h))
        h->off = true;
    }
  pthread_mutex_unlock (&lock);
}

/* Free H's memory, if nothing in it is in use.  Kernels may be on their way, of
   other threads as well: so first nobody takes from it any more, and then it is
   looked at, behind all work.  */
static bool
give_back (struct heap *h)
{
  bool off = h->off;
  h->off = true;
  uint64_t *head = tell_all (h) ? NULL : copy_head (h);
  bool unused = head && is_unused (h, head);
  acr_debug (1, "the heap of the device's malloc: %s",
             unused ? "given back" : head ? "in use" : "not known");
  free (head);
  if (!unused)
    {
      h->off = off;
      (void)tell_all (h);
      return false;
    }
  CUdeviceptr memory = h->memory;
  h->memory = 0;
  return !tell_all (h) && !acr_driver.mem_free (memory);
}

bool
acr_device_heap_release (void)
{
  pthread_mutex_lock (&lock);
  struct heap *h = current_heap (false);
  bool released = h && h->memory && give_back (h);
  pthread_mutex_unlock (&lock);
  return released;
}

/* Remove M, of H.  */
static void
drop (struct module *m)
{
  LIST_REMOVE (m, link);
  free (m);
}

void
acr_device_heap_unload (CUmodule module)
{
  pthread_mutex_lock (&lock);
  struct heap *h;
  LIST_FOREACH (h, &heaps, link)
    {
      struct module *m = find_module (h, module);
      if (m)
        drop (m);
    }
  pthread_mutex_unlock (&lock);
}

void
acr_device_heap_forget (CUcontext ctx)
{
  pthread_mutex_lock (&lock);
  struct heap *h = current_heap (false), *other;
  bool here = h && h->ctx == ctx;
  LIST_FOREACH (other, &heaps, link)
    if (other->ctx == ctx)
      h = other;
  if (h && h->ctx == ctx)
    {
      if (here && h->memory)
        {
          count_pieces (h);
          acr_driver.mem_free (h->memory);
        }
      while (!LIST_EMPTY (&h->modules))
        drop (LIST_FIRST (&h->modules));
      LIST_REMOVE (h, link);
      free (h);
    }
  pthread_mutex_unlock (&lock);
}

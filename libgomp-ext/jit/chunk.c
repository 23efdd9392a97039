/* Kernels that the driver compiles in modules of their own; see chunk.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/cpus.h"
#include "base/fork.h"
#include "base/thread.h"
#include "ext.h"
#include "jit/build.h"
#include "jit/chunk.h"
#include "jit/key.h"
#include "jit/split.h"
#include "jit/variant.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 8u

/* Of kernels in a chunk, in PTX: a part for each thread, but what takes the driver so
   long that links cost little beside it: 8 KiB some 20 ms, of which 6 are the link's.
   The number of CPUs does not count: chunks on the disk are found where there are
   fewer.  */
#define LEAST ((size_t)8 << 10)
#define MOST ((size_t)64 << 10)

struct chunk
{
  struct acr_unit unit;
  CUmodule module; /* NULL: there is none */
};

struct acr_chunks
{
  struct acr_chunks *next; /* attached */
  CUmodule main;           /* that they are attached to */
  CUcontext ctx;
  struct acr_jit_conditions conditions;
  struct chunk *chunks;
  unsigned n;
  _Atomic unsigned begun;
  pthread_t thread[THREADS];
  unsigned nthreads;
};

/* ---- Making modules ---------------------------------------------------- */

/* Make modules, in S's context, as long as there are chunks that nobody has
 * begun.  */
static void
work (struct acr_chunks *s)
{
  for (unsigned i; (i = atomic_fetch_add (&s->begun, 1)) < s->n;)
    {
      struct chunk *c = &s->chunks[i];
      bool found;
      CUresult r = acr_jit_build (&s->conditions, &c->unit, "kernels",
                                  &c->module, &found);
      if (r)
        {
          c->module = NULL;
          acr_debug (1, "kernels of a module of their own: %s",
                     acr_cuda_error (r));
        }
      acr_count (chunks_compiled, !r && !found);
    }
}

static void *
help (void *arg)
{
  struct acr_chunks *s = arg;
  CUcontext out;
  if (!acr_driver.ctx_push_current (s->ctx))
    {
      work (s);
      (void)acr_driver.ctx_pop_current (&out);
    }
  return NULL;
}

/* So few are not worth threads where they are on disk: each is a thread that the
   driver meets for the first time, for a module that is read and not compiled.  */
#define FEW 2u

/* Load what is on disk of few chunks.  The first that is not there ends it: the next
   are not either, but where a process was ended.  */
static void
load_few (struct acr_chunks *s)
{
  unsigned i = 0;
  while (s->n <= FEW && i < s->n
         && acr_jit_build_find (&s->conditions, &s->chunks[i].unit,
                                &s->chunks[i].module))
    i++;
  atomic_store (&s->begun, i);
}

/* The caller's thread is one of those that work.  */
static void
start (struct acr_chunks *s)
{
  load_few (s);
  unsigned most = acr_cpus () - 1, left = s->n - s->begun;
  if (most > left)
    most = left;
  while (s->nthreads < most && s->nthreads < THREADS
         && acr_thread_start_compiler (&s->thread[s->nthreads], help, s))
    s->nthreads++;
  acr_debug (1, "%u chunks of kernels, %u threads", s->n, s->nthreads);
}

/* ---- Taking out -------------------------------------------------------- */

/* Let S have the chunks of C.  */
static bool
add (struct acr_chunks *s, const struct acr_chunk_code *c)
{
  struct chunk *to = realloc (s->chunks, (s->n + c->nchunks) * sizeof *to);
  if (!to)
    return false;
  s->chunks = to;
  for (unsigned i = 0; i < c->nchunks; i++)
    to[s->n++] = (struct chunk){ .unit = c->chunks[i] };
  return true;
}

/* Take the chunks out of *TO, whose code is UNIT's where it was not adapted.  */
static void
take_out (struct acr_chunks *s, const struct acr_unit *unit,
          struct acr_unit *to)
{
  struct acr_chunk_code c;
  size_t part = to->bytes / THREADS;
  size_t least = part < LEAST ? LEAST : part > MOST ? MOST : part;
  if (!acr_split_chunks (to, least, &c))
    return;
  if (add (s, &c))
    {
      if (to->code != unit->code)
        free ((void *)to->code);
      *to = c.base;
    }
  else
    {
      for (unsigned i = 0; i < c.nchunks; i++)
        free ((void *)c.chunks[i].code);
      free ((void *)c.base.code);
    }
  free (c.chunks);
}

static void
chunks_free (struct acr_chunks *s)
{
  for (unsigned i = 0; i < s->n; i++)
    free ((void *)s->chunks[i].unit.code);
  free (s->chunks);
  free (s);
}

struct acr_chunks *
acr_chunks_begin (const struct acr_unit *unit, struct acr_unit **adapted,
                  unsigned n, const struct acr_jit_conditions *c)
{
  if (acr_opt_off (ACR_OPT_chunks) || !acr_variants_may_wait ()
      || acr_cpus () < 2)
    return NULL;
  struct acr_chunks *s = calloc (1, sizeof *s);
  struct acr_unit *to = *adapted;
  if (!to && (to = malloc (n * sizeof *to)))
    memcpy (to, unit, n * sizeof *to);
  *adapted = to;
  if (s && (acr_driver.ctx_get_current (&s->ctx) || !s->ctx))
    to = NULL;
  for (unsigned i = 0; s && to && i < n; i++)
    take_out (s, &unit[i], &to[i]);
  if (!s || !s->n)
    {
      free (s);
      return NULL;
    }
  s->conditions = *c;
  start (s);
  return s;
}

unsigned
acr_chunks_end (struct acr_chunks *s)
{
  unsigned failed = 0;
  work (s);
  for (unsigned i = 0; i < s->nthreads; i++)
    pthread_join (s->thread[i], NULL);
  s->nthreads = 0;
  for (unsigned i = 0; i < s->n; i++)
    failed += !s->chunks[i].module;
  return failed;
}

struct acr_unit
acr_chunks_failed (const struct acr_chunks *s, unsigned i)
{
  const struct chunk *c = s->chunks;
  while (c->module || i--)
    c++;
  return c->unit;
}

/* ---- Modules ----------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct acr_chunks *attached;

ACR_FORK_KEEPS (lock)

/* Take what goes with MODULE, or else with CTX, off the list.  */
static struct acr_chunks *
detach (CUmodule module, CUcontext ctx)
{
  pthread_mutex_lock (&lock);
  struct acr_chunks **link = &attached, *s;
  while ((s = *link) && s->main != module && (!ctx || s->ctx != ctx))
    link = &s->next;
  if (s)
    *link = s->next;
  pthread_mutex_unlock (&lock);
  return s;
}

void
acr_chunks_attach (struct acr_chunks *s, CUmodule module)
{
  s->main = module;
  pthread_mutex_lock (&lock);
  s->next = attached;
  attached = s;
  pthread_mutex_unlock (&lock);
}

void
acr_chunks_drop (struct acr_chunks *s)
{
  if (!s)
    return;
  (void)acr_chunks_end (s);
  for (unsigned i = 0; i < s->n; i++)
    if (s->chunks[i].module)
      (void)acr_driver.module_unload (s->chunks[i].module);
  chunks_free (s);
}

CUresult
acr_chunks_get (CUfunction *fn, CUmodule module, const char *name)
{
  CUresult r = acr_driver.module_get_function (fn, module, name);
  if (r != CUDA_ERROR_NOT_FOUND)
    return r;
  pthread_mutex_lock (&lock);
  struct acr_chunks *s = attached;
  while (s && s->main != module)
    s = s->next;
  for (unsigned i = 0; s && i < s->n && r == CUDA_ERROR_NOT_FOUND; i++)
    if (s->chunks[i].module)
      r = acr_driver.module_get_function (fn, s->chunks[i].module, name);
  pthread_mutex_unlock (&lock);
  return r;
}

void
acr_chunks_unload (CUmodule module)
{
  acr_chunks_drop (detach (module, NULL));
}

void
acr_chunks_forget (CUcontext ctx)
{
  for (struct acr_chunks *s; (s = detach (NULL, ctx));)
    chunks_free (s);
}

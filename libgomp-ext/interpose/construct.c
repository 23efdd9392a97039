/* Constructs; see construct.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/thread.h"
#include "ext.h"
#include "interpose/construct.h"
#include "interpose/events.h"
#include "memory/pool.h"

#include <pthread.h>
#include <stdlib.h>

static _Atomic bool follow;
static pthread_key_t key;

/* Threads that use devices.  One that there was no memory for stays.  */
static _Atomic unsigned threads;
static _Atomic unsigned arrivals; /* of such threads */

__thread struct acr_construct *acr_construct_mine
    __attribute__ ((tls_model ("initial-exec")));

/* The call that the thread is in, also when it is new; NULL in one of which nothing is
   known.  */
static __thread const struct acr_call *outer
    __attribute__ ((tls_model ("initial-exec")));

static void
part (struct acr_construct *c)
{
  acr_events->thread_parts (c);
}

void
acr_construct_part (void)
{
  if (acr_construct_mine)
    part (acr_construct_mine);
}

static void
thread_ends (void *arg)
{
  struct acr_construct *c = arg;
  acr_construct_mine = NULL;
  /* Threads that are cancelled end anywhere.  */
  part (c);
  atomic_fetch_sub (&threads, 1);
  acr_sites_clear (&c->sites);
  acr_events->thread_ends (c);
  free (c);
}

void
acr_construct_thread (void)
{
  if (acr_construct_mine
      || !atomic_load_explicit (&follow, memory_order_acquire))
    return;
  atomic_fetch_add (&arrivals, 1);
  atomic_fetch_add (&threads, 1);
  struct acr_construct *c = calloc (1, sizeof *c);
  if (c && !pthread_setspecific (key, c))
    acr_construct_mine = c;
  else
    free (c);
  acr_events->thread_arrives ();
}

bool
acr_construct_lone (void)
{
  return acr_construct_mine && atomic_load (&threads) == 1;
}

bool
acr_construct_alone (void)
{
  return acr_construct_lone ()
         && atomic_load (&arrivals) == acr_construct_mine->arrivals;
}

static void
after_fork (void)
{
  acr_events->forked ();
}

void
acr_construct_follow (void)
{
  if (pthread_key_create (&key, thread_ends))
    return;
  pthread_atfork (NULL, NULL, after_fork);
  atomic_store_explicit (&follow, true, memory_order_release);
  acr_construct_thread ();
}

/* The program's handlers may run within constructs, and look.  */
static _Atomic bool watched;

void
acr_construct_watched (void)
{
  watched = true;
}

bool
acr_construct_is_watched (void)
{
  return watched;
}

void
acr_construct_begin (const struct acr_call *call)
{
  outer = call;
  acr_construct_thread ();
  struct acr_construct *c = acr_construct_mine;
  if (!c)
    return;
  c->nallocs = 0;
  c->early = false;
  c->launched = false;
  c->waited = false;
  c->drained = false;
  c->apart = false;
  c->lendable = false;
  c->nlarge = 0;
  c->objects_of = NULL;
  c->at = 0;
  c->arrivals = arrivals;
  c->call = call;
  c->quiet = !call->region;
  c->site = NULL;
  uint64_t key = acr_site_key (call->from, call->n, call->sizes);
  if (!call->tasks)
    c->site = acr_site_begin (&c->sites, key);
  acr_events->construct_begins (c, key);
}

/* The construct C is over, or nothing can be foretold from here on.  */
static void
close (struct acr_construct *c)
{
  acr_events->construct_closes (c);
  c->site = NULL;
}

void
acr_construct_nested (void)
{
  struct acr_construct *c = acr_construct_current ();
  outer = NULL;
  if (!c)
    return;
  acr_site_doubt (c->site);
  acr_events->construct_nests (c);
  close (c);
}

void
acr_construct_end (void)
{
  struct acr_construct *c = acr_construct_current ();
  if (c)
    {
      acr_site_end (c->site);
      close (c);
    }
  outer = NULL;
  /* In the first one the thread became one that uses devices.  */
  if (acr_construct_mine && acr_construct_mine->call)
    acr_events->construct_ended (acr_construct_mine->call);
}

/* The least alignment of CALL's operands: libgomp allocates for some of them,
   with room to align to the largest of these.  Regions have blocks of other
   kinds as well.  */
static size_t
alignment (const struct acr_call *call)
{
  unsigned least = 8; /* 256, as the pool's blocks */
  if (call->region || !call->kinds || !call->n)
    return 1;
  for (size_t i = 0; i < call->n; i++)
    if (call->kinds[i] >> 8 < least)
      least = call->kinds[i] >> 8;
  return (size_t)1 << least;
}

void
acr_construct_alloc (CUdeviceptr p, size_t bytes)
{
  struct acr_construct *c = acr_construct_current ();
  if (outer)
    acr_events->mapped (outer, p);
  if (c)
    {
      acr_events->allocated (c, p, bytes);
      size_t padding = alignment (c->call) - 1;
      if (padding)
        acr_pool_padding (p, padding);
    }
  if (!c || c->nallocs == ACR_ALLOCS)
    return;
  struct acr_memory m = { 0 };
  acr_pool_memory (p, bytes, &m);
  c->allocs[c->nallocs++] = (struct acr_fresh){ p, bytes, m.end, p };
  c->lendable = !c->launched;
}

void
acr_construct_freed (struct acr_construct *c, CUdeviceptr p)
{
  for (unsigned i = 0; i < c->nallocs; i++)
    if (c->allocs[i].addr == p)
      c->allocs[i].end = 0;
}

bool
acr_construct_operand (struct acr_construct *c, const void *p, size_t n,
                       enum acr_way way)
{
  const struct acr_call *call = c->call;
  if (call->ends && way == ACR_FROM)
    return !watched;
  for (size_t k = 0, i = c->at; !watched && k < call->n; k++, i++)
    {
      i = i < call->n ? i : 0;
      size_t at = (const char *)p - (const char *)call->hostaddrs[i];
      if (at < call->sizes[i] && n <= call->sizes[i] - at
          && acr_call_copies (call, i, way))
        {
          c->at = i;
          return true;
        }
    }
  return false;
}

struct acr_place
acr_construct_place (const struct acr_construct *c, CUdeviceptr p,
                     size_t bytes)
{
  for (unsigned i = 0; i < c->nallocs; i++)
    if (p - c->allocs[i].addr < c->allocs[i].bytes)
      return (struct acr_place){ i + 1, p - c->allocs[i].addr, bytes };
  return (struct acr_place){ 0, p, bytes };
}

bool
acr_construct_resolve (const struct acr_construct *c, struct acr_place place,
                       CUdeviceptr *p)
{
  if (place.block > c->nallocs)
    return false;
  *p = place.addr + (place.block ? c->allocs[place.block - 1].addr : 0);
  return true;
}

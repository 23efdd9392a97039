/* memcpy by several threads.

   One thread copies at some 13 GB/s, a DMA runs at four times that.  Helpers
   are started with the first copy that is worth it.  They take slices of the
   copy at hand, as does the caller, who therefore never waits for a helper
   that did not come, only for slices that helpers have begun.  After a copy
   they look out for another for a short while, because copies come in rows,
   and then sleep.  To wake one takes longer than to copy a few slices: callers
   do so while they wait for the device (acr_copiers_call), and each helper
   that has woken wakes the next.

   STATE has the bit OPEN while there is work, and counts the helpers at it.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/thread.h"
#include "ext.h"
#include "memory/copier.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SLICE ((size_t)16 << 10)
#define WORTH (4 * SLICE)
#define WORTH_WAKING ((size_t)1 << 20)
#define COPIERS_MAX 3u
#define LOOK_OUT_NS 200000
#define VAIN_MAX 10u

enum
{
  OPEN = 1,
  HELPER = 2
};

static _Atomic unsigned state;
static _Atomic unsigned sleeping; /* helpers that must be woken */
static _Atomic unsigned bell;     /* futex */
static _Atomic bool taken;        /* by the copy at hand */
static _Atomic unsigned vain;     /* looks out since the last copy */
static unsigned nhelpers;

static struct
{
  const struct acr_span *spans;
  size_t n;            /* bytes */
  _Atomic size_t next; /* first byte that nobody has begun */
} job;

/* Copy slices of the job until all have been begun.  */
static void
work (void)
{
  const struct acr_span *s = job.spans;
  size_t at, start = 0; /* of S */
  while ((at = atomic_fetch_add (&job.next, SLICE)) < job.n)
    for (size_t end = job.n - at < SLICE ? job.n : at + SLICE; at < end;)
      {
        while (at - start >= s->n)
          start += s++->n;
        size_t k = at - start, n = s->n - k < end - at ? s->n - k : end - at;
        memcpy ((char *)s->dst + k, (const char *)s->src + k, n);
        at += n;
      }
}

static int64_t
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C (1000000000) + t.tv_nsec;
}

static void
pause_cpu (void)
{
#ifdef __x86_64__
  __builtin_ia32_pause ();
#endif
}

static void
wake (int n)
{
  atomic_fetch_add (&bell, 1);
  syscall (SYS_futex, &bell, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

/* Join the job at hand, if there is one.  */
static bool
join (void)
{
  unsigned s = atomic_load (&state);
  while (s & OPEN)
    if (atomic_compare_exchange_weak (&state, &s, s + HELPER))
      {
        work ();
        atomic_store (&vain, 0);
        atomic_fetch_sub (&state, HELPER);
        return true;
      }
  return false;
}

static void *
helper (void *arg)
{
  (void)arg;
  for (;;)
    {
      int64_t until = now_ns () + LOOK_OUT_NS;
      while (now_ns () < until)
        if (join ())
          until = now_ns () + LOOK_OUT_NS;
        else
          pause_cpu ();
      atomic_fetch_add (&vain, 1);
      unsigned b = atomic_load (&bell);
      atomic_fetch_add (&sleeping, 1);
      if (!(atomic_load (&state) & OPEN))
        syscall (SYS_futex, &bell, FUTEX_WAIT_PRIVATE, b, NULL, NULL, 0);
      if (atomic_fetch_sub (&sleeping, 1) > 1)
        wake (1);
    }
  return NULL;
}

/* A forked child has no helpers, and does without.  */
static _Atomic bool forked;

static void
after_fork (void)
{
  forked = true;
}

static size_t wanted;

static void
count (void)
{
  cpu_set_t cpus;
  wanted = acr_env.copiers;
  /* Programs have threads of their own to run.  */
  if (wanted == COPIERS_DEFAULT)
    wanted
        = sched_getaffinity (0, sizeof cpus, &cpus) ? 0 : CPU_COUNT (&cpus) / 4;
  wanted = wanted < COPIERS_MAX ? wanted : COPIERS_MAX;
}

unsigned
acr_copiers (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, count);
  return wanted;
}

static void
start (void)
{
  unsigned n = acr_copiers ();
  pthread_t t;
  while (nhelpers < n && acr_thread_start (&t, helper, NULL))
    {
      pthread_detach (t);
      nhelpers++;
    }
  pthread_atfork (NULL, NULL, after_fork);
  acr_debug (1, "copiers: %u threads help", nhelpers);
}

/* How many there are.  */
static unsigned
helpers (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, start);
  return forked ? 0 : nhelpers;
}

void
acr_copiers_call (void)
{
  static _Atomic unsigned calls;
  unsigned n = helpers ();
  if (!n || !atomic_load (&sleeping))
    return;
  unsigned v = atomic_load (&vain) / n;
  if (!(atomic_fetch_add (&calls, 1)
        & ((1u << (v < VAIN_MAX ? v : VAIN_MAX)) - 1)))
    wake (1);
}

void
acr_copy_all (const struct acr_span *spans, size_t count)
{
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    n += spans[i].n;
  if (n < WORTH || !helpers ()
      || (n < WORTH_WAKING && atomic_load (&sleeping) == nhelpers)
      || atomic_exchange (&taken, true))
    {
      for (size_t i = 0; i < count; i++)
        memcpy (spans[i].dst, spans[i].src, spans[i].n);
      return;
    }
  job.spans = spans;
  job.n = n;
  atomic_store (&job.next, 0);
  atomic_fetch_or (&state, OPEN);
  if (n >= WORTH_WAKING && atomic_load (&sleeping))
    wake (INT_MAX);
  work ();
  atomic_fetch_and (&state, ~(unsigned)OPEN);
  /* A slice takes some microseconds, unless its thread has lost its CPU.  */
  for (unsigned i = 0; atomic_load (&state); i++)
    if (i < 10000)
      pause_cpu ();
    else
      sched_yield ();
  atomic_store (&taken, false);
}

void
acr_copy (void *dst, const void *src, size_t n)
{
  acr_copy_all (&(struct acr_span){ dst, src, n }, 1);
}

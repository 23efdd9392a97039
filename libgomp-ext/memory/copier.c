/* memcpy by several threads.

   One thread copies at some 13 GB/s, a DMA runs at four times that.  Helpers
   are started with the first copy that is worth it.  They take slices of the
   copy at hand, as far as the caller allows, and so does the caller, who never
   waits for a helper that did not come, only for slices that helpers have
   begun. After a copy they look out for another for a short while, because
   copies come in rows, and then sleep.  To wake one takes longer than to copy
   a few slices: callers do so while they wait for the device
   (acr_copiers_call), and each helper that has woken wakes the next.

   Few helpers do so.  The others sleep and look out for themselves: they are
   for copies that go on for long (step by step), and touch nothing before.

   STATE has the bit OPEN while there is work, and counts the helpers at it.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/cpus.h"
#include "base/thread.h"
#include "ext.h"
#include "memory/copier.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define SLICE ((size_t)16 << 10)
#define SLICE_LARGE ((size_t)32 << 10) /* of what goes on for longer */
#define WORTH (4 * SLICE)
#define WORTH_WAKING ((size_t)1 << 20)
/* Helpers; where little is copied, more are in each other's way.  */
#define FEW 3u
#define COPIERS_MAX 7u
#define LOOK_OUT_US 200
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
static unsigned nhelpers;         /* the few */

/* The others: whether the copy at hand is for them; how many sleep; on what.  */
static _Alignas(64) _Atomic bool wide;
static _Atomic unsigned others_sleeping, others_bell;

static struct
{
  const struct acr_span *spans;
  size_t n;     /* bytes */
  size_t slice; /* that one takes */
  bool steps;   /* it is allowed span by span, and told by span when done */
  bool passing; /* what is written is not read here */
  _Alignas(64) _Atomic size_t next; /* first byte that nobody has begun */
  _Atomic size_t end;               /* up to here anybody may begin */
  _Alignas(64) _Atomic size_t done[ACR_COPY_SPANS]; /* bytes of each span */
} job;

/* memcpy, past the caches where the machine can: what only the device reads
   would push out of them what is to be copied next.  */
static void
copy_past_caches (char *dst, const char *src, size_t n)
{
#ifdef __SSE2__
  size_t head = -(uintptr_t)dst % sizeof (__m128i);
  if (n < head + sizeof (__m128i))
    head = n;
  memcpy (dst, src, head);
  __m128i *to = (__m128i *)(dst + head);
  const __m128i *from = (const __m128i *)(src + head);
  for (n -= head; n >= sizeof *to; n -= sizeof *to)
    _mm_stream_si128 (to++, _mm_loadu_si128 (from++));
  /* Before anybody is told that they are there.  */
  _mm_sfence ();
  memcpy (to, from, n);
#else
  memcpy (dst, src, n);
#endif
}

/* Copy the bytes of the job from AT up to END.  */
static void
copy_slice (size_t at, size_t end)
{
  const struct acr_span *s = job.spans;
  size_t start = 0; /* of S */
  while (at < end)
    {
      while (at - start >= s->n)
        start += s++->n;
      size_t k = at - start, n = s->n - k < end - at ? s->n - k : end - at;
      if (job.passing)
        copy_past_caches ((char *)s->dst + k, (const char *)s->src + k, n);
      else
        memcpy ((char *)s->dst + k, (const char *)s->src + k, n);
      if (job.steps)
        atomic_fetch_add_explicit (&job.done[s - job.spans], n,
                                   memory_order_release);
      at += n;
    }
}

/* Copy one slice.  False when none may be begun.  */
static bool
work (void)
{
  size_t at, end = job.n;
  if (!job.steps)
    at = atomic_fetch_add (&job.next, job.slice);
  else
    {
      at = atomic_load (&job.next);
      do
        if ((end = atomic_load (&job.end)) <= at)
          return false;
      while (!atomic_compare_exchange_weak (
          &job.next, &at, end - at > job.slice ? at + job.slice : end));
    }
  if (at >= end)
    return false;
  copy_slice (at, end - at > job.slice ? at + job.slice : end);
  return true;
}

static void
pause_cpu (void)
{
#ifdef __x86_64__
  __builtin_ia32_pause ();
#endif
}

/* Nothing to do, for the TIMES-th time: another thread may need the CPU for
   what is waited for.  */
static void
idle (unsigned times)
{
  if (times < 100)
    pause_cpu ();
  else
    sched_yield ();
}

static void
ring (_Atomic unsigned *futex, int n)
{
  atomic_fetch_add (futex, 1);
  syscall (SYS_futex, futex, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

static void
wake (int n)
{
  ring (&bell, n);
}

/* Join the job at hand, if there is one.  */
static bool
join (void)
{
  unsigned s = atomic_load (&state);
  while (s & OPEN)
    if (atomic_compare_exchange_weak (&state, &s, s + HELPER))
      {
        for (unsigned times = 0;
             atomic_load (&job.next) < job.n && atomic_load (&state) & OPEN;)
          if (work ())
            times = 0;
          else
            idle (times++);
        atomic_store (&vain, 0);
        atomic_fetch_sub (&state, HELPER);
        return true;
      }
  return false;
}

/* Do JOB whenever it finds something, for a short while behind the last time.
 */
static void
look_out (bool (*job_at_hand) (void))
{
  double until = acr_now_us () + LOOK_OUT_US;
  while (acr_now_us () < until)
    if (job_at_hand ())
      until = acr_now_us () + LOOK_OUT_US;
    else
      pause_cpu ();
}

static void *
helper (void *arg)
{
  (void)arg;
  for (;;)
    {
      look_out (join);
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

static bool
join_wide (void)
{
  return atomic_load (&wide) && join ();
}

static void *
other_helper (void *arg)
{
  (void)arg;
  for (;;)
    {
      unsigned b = atomic_load (&others_bell);
      atomic_fetch_add (&others_sleeping, 1);
      if (!atomic_load (&wide))
        syscall (SYS_futex, &others_bell, FUTEX_WAIT_PRIVATE, b, NULL, NULL,
                 0);
      atomic_fetch_sub (&others_sleeping, 1);
      look_out (join_wide);
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

/* Three keep up with a link of 55 GB/s in the middle of a large copy; more
   make its ends shorter.  Programs have threads of their own to run, but these
   sleep where nothing is copied.  */
static void
count (void)
{
  unsigned n = acr_cpus ();
  wanted = acr_env.copiers;
  if (wanted == COPIERS_DEFAULT)
    wanted = n >= 8 ? n / 2 - 1 : n > 3 ? 3 : n - 1;
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
  for (unsigned i = 0;
       i < n && acr_thread_start (&t, i < FEW ? helper : other_helper, NULL);
       i++)
    {
      pthread_detach (t);
      nhelpers += i < FEW;
    }
  pthread_atfork (NULL, NULL, after_fork);
  acr_debug (1, "copiers: %u threads help", n);
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

/* The calling thread has the job: to copy the COUNT spans, N bytes, in STEPS
   and PASSING the caches, or neither.  */
static void
open_job (const struct acr_span *spans, size_t count, size_t n, bool steps,
          bool passing)
{
  job.spans = spans;
  job.n = n;
  job.slice = steps ? SLICE_LARGE : SLICE;
  job.steps = steps;
  job.passing = passing;
  for (size_t i = 0; steps && i < count; i++)
    atomic_store_explicit (&job.done[i], 0, memory_order_relaxed);
  atomic_store (&job.end, 0);
  atomic_store (&job.next, 0);
  atomic_fetch_or (&state, OPEN);
  if (n >= WORTH_WAKING && atomic_load (&sleeping))
    wake (INT_MAX);
  if (!steps)
    return;
  atomic_store (&wide, true);
  if (atomic_load (&others_sleeping))
    ring (&others_bell, INT_MAX);
}

/* All has been begun, or nobody shall begin more.  */
static void
close_job (void)
{
  atomic_store (&wide, false);
  atomic_fetch_and (&state, ~(unsigned)OPEN);
  /* A slice takes some microseconds, unless its thread has lost its CPU.  */
  for (unsigned times = 0; atomic_load (&state); times++)
    idle (times / 100);
  atomic_store (&taken, false);
}

static size_t
bytes (const struct acr_span *spans, size_t count)
{
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    n += spans[i].n;
  return n;
}

void
acr_copy_all (const struct acr_span *spans, size_t count)
{
  size_t n = bytes (spans, count);
  if (n < WORTH || !helpers ()
      || (n < WORTH_WAKING && atomic_load (&sleeping) == nhelpers)
      || atomic_exchange (&taken, true))
    {
      for (size_t i = 0; i < count; i++)
        memcpy (spans[i].dst, spans[i].src, spans[i].n);
      return;
    }
  open_job (spans, count, n, false, false);
  while (work ())
    continue;
  close_job ();
}

void
acr_copy (void *dst, const void *src, size_t n)
{
  acr_copy_all (&(struct acr_span){ dst, src, n }, 1);
}

/* ---- Step by step ------------------------------------------------------ */

bool
acr_copy_begin (const struct acr_span *spans, size_t count, bool passing)
{
  if (!helpers () || atomic_exchange (&taken, true))
    return false;
  open_job (spans, count, bytes (spans, count), true, passing);
  return true;
}

void
acr_copy_allow (size_t span)
{
  atomic_fetch_add (&job.end, job.spans[span].n);
}

bool
acr_copy_done (size_t span)
{
  return atomic_load_explicit (&job.done[span], memory_order_acquire)
         == job.spans[span].n;
}

void
acr_copy_help (void)
{
  static __thread unsigned times __attribute__ ((tls_model ("initial-exec")));
  if (work ())
    times = 0;
  else
    idle (times++);
}

void
acr_copy_end (void)
{
  close_job ();
}

/* Helper threads; see helper.h.

   The team is that of a parallel region of a thread of our own.  The first to
   enter serves; the others go on to the barrier at the region's end, which is
   where libgomp's threads run what is ready.  The region ends with the thread
   that it belongs to, or with the program, after all tasks.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/thread.h"
#include "ext.h"
#include "interpose/fault.h"
#include "interpose/helper.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

enum
{
  NTHREADS = 2,
  SPINS = 1000 /* some 10 us */
};

struct helper
{
  pthread_t thread;
  sem_t asked, done;
  _Atomic bool served; /* somebody does */
  /* The request; FN is NULL for the last.  */
  void (*fn) (void);
  const uintptr_t *words;
  size_t n;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* ends the helpers with their thread */

static __thread struct helper *self
    __attribute__ ((tls_model ("initial-exec")));

/* The other side is often there within microseconds, which is what it takes
   to be woken.  */
static void
wait_sem (sem_t *s)
{
  for (unsigned i = 0; i < SPINS; i++)
    if (!sem_trywait (s))
      return;
  while (sem_wait (s))
    ;
}

/* ---- The team ---------------------------------------------------------- */

static void
serve (void *arg)
{
  struct helper *h = arg;
  if (atomic_exchange (&h->served, true))
    return;
  for (;;)
    {
      wait_sem (&h->asked);
      if (!h->fn)
        return;
      acr_call_words (h->fn, h->words, h->n);
      sem_post (&h->done);
    }
}

static void *
run_team (void *h)
{
  acr_libgomp.parallel (serve, h, NTHREADS, 0);
  return NULL;
}

/* ---- Start and end ----------------------------------------------------- */

/* Wait for the end of H's thread.  False when there was a failure meanwhile: its
   tasks may never end then.  */
static bool
join (struct helper *h)
{
  for (;;)
    {
      struct timespec t;
      clock_gettime (CLOCK_REALTIME, &t);
      t.tv_nsec += 10000000;
      t.tv_sec += t.tv_nsec / 1000000000;
      t.tv_nsec %= 1000000000;
      if (pthread_timedjoin_np (h->thread, NULL, &t) != ETIMEDOUT)
        return true;
      if (acr_fault_status ())
        return false;
    }
}

static void
stop (void *arg)
{
  struct helper *h = arg;
  self = NULL;
  h->fn = NULL;
  sem_post (&h->asked);
  if (join (h))
    free (h);
  acr_fault_tell ();
}

/* Of a program that ends with a failure, libgomp may be about to end it in the
   helper's thread, too; exit (glibc from 2.41 on) lets that wait for this one.  */
static void
stop_own (void)
{
  if (self && !acr_fault_status ())
    {
      acr_fault_leaving ();
      pthread_setspecific (key, NULL);
      stop (self);
    }
}

/* A child has no helpers, and none of their tasks.  */
static void
forget (void)
{
  if (self)
    pthread_setspecific (key, NULL);
  self = NULL;
}

static void
init (void)
{
  if (pthread_key_create (&key, stop))
    abort ();
  pthread_atfork (NULL, NULL, forget);
  /* Before libgomp closes its devices, which it has opened.  */
  atexit (stop_own);
}

static struct helper *
start (void)
{
  pthread_once (&once, init);
  struct helper *h = calloc (1, sizeof *h);
  if (!h)
    return NULL;
  sem_init (&h->asked, 0, 0);
  sem_init (&h->done, 0, 0);
  if (pthread_setspecific (key, h))
    {
      free (h);
      return NULL;
    }
  if (!acr_thread_start (&h->thread, run_team, h))
    {
      pthread_setspecific (key, NULL);
      free (h);
      return NULL;
    }
  return h;
}

/* ---- Requests ---------------------------------------------------------- */

static void
ask (void (*fn) (void), const uintptr_t *w, size_t n)
{
  self->fn = fn;
  self->words = w;
  self->n = n;
  sem_post (&self->asked);
  wait_sem (&self->done);
}

bool
acr_helper_call (void (*fn) (void), const uintptr_t *w, size_t n)
{
  if (!acr_device_async () || acr_libgomp.level ())
    return false;
  if (!self)
    self = start ();
  if (!self)
    return false;
  ask (fn, w, n);
  return true;
}

void
acr_helper_wait (void)
{
  static const uintptr_t words[6];
  if (self && !acr_libgomp.level ())
    ask (acr_libgomp.taskwait, words, 6);
}

void
acr_helper_wait_for (void **depend)
{
  const uintptr_t words[6] = { (uintptr_t)depend };
  if (self && depend && !acr_libgomp.level ())
    ask ((void (*) (void))acr_libgomp.taskwait_depend, words, 6);
}

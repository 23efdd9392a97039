/* The NULL stream, executed lazily; see stream.h and docs/commands.md.

   Why a command that stays here is seen by nobody.  What it does shows on the
   device and in host memory.  libgomp and its plugin get to the device by the
   driver, and each of their calls is an event (events.def) that drains, or
   passes by the one rule: neither writes what the other accesses.  This
   thread's code says by acr_look what it touches of the host's memory (abi.h),
   or nothing is left behind its construct's end.  Another thread could find a
   mapping by libgomp's locks alone; so nothing is here unless this thread is
   the only one that uses devices, which acr_stream_open looks at under the
   lock, and another one drains when it arrives, under the lock too.  Whoever
   calls the driver without libgomp needs an address: once the program may have
   one (address.h), what must be in front of its own streams leaves at once.

   That a command fails is found out late (fault.c).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/construct.h"
#include "interpose/cuda-context.h"
#include "interpose/fault.h"
#include "memory/staging.h"
#include "transfer/stream.h"

#include <pthread.h>

enum
{
  RANKS = 6
};
_Static_assert(1 << RANKS == ACR_ALL + 1, "one bit a rank");

#define FREE_LOCK PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP

static pthread_mutex_t lock = FREE_LOCK;
static const struct acr_rank *rank[RANKS]; /* that ever had commands */
static _Atomic unsigned here;              /* ranks that may have commands */
static unsigned leaving; /* those that are being handed over */
static struct acr_construct *owner;
static CUcontext context;

bool
acr_stream_has (unsigned ranks)
{
  return here & ranks;
}

static void
forget (unsigned ranks)
{
  for (unsigned i = 0; i < RANKS; i++)
    if (ranks >> i & 1 && rank[i] && rank[i]->forget)
      rank[i]->forget ();
  here &= ~ranks;
}

/* RANKS that are here, and the others that these must be behind.  */
static unsigned
closure (unsigned ranks)
{
  for (unsigned i = RANKS; i-- > 0;)
    if ((here & ranks) >> i & 1)
      ranks |= rank[i]->behind;
  return ranks & here & ~leaving;
}

static void
hand_over (unsigned ranks)
{
  for (unsigned i = 0; i < RANKS; i++)
    if (ranks >> i & 1)
      {
        leaving |= 1u << i;
        rank[i]->hand_over (owner, ranks);
        leaving &= ~(1u << i);
        here &= ~(1u << i);
      }
}

/* By whatever thread.  The lock is held.  */
static void
drain (unsigned ranks)
{
  bool pushed;
  ranks = closure (ranks);
  if (!ranks)
    return;
  if (acr_context_enter (context, &pushed))
    {
      hand_over (ranks);
      acr_context_leave (pushed);
    }
  else
    {
      acr_fault ("cuCtxPushCurrent_v2", CUDA_ERROR_INVALID_CONTEXT);
      forget (ranks);
    }
}

void
acr_stream_drain (unsigned ranks)
{
  if (!(here & ranks))
    return;
  pthread_mutex_lock (&lock);
  drain (ranks);
  pthread_mutex_unlock (&lock);
}

void
acr_stream_pass (const struct acr_effects *e, unsigned ranks)
{
  if (!(here & ranks))
    return;
  pthread_mutex_lock (&lock);
  unsigned conflicts = 0;
  for (unsigned i = 0; i < RANKS; i++)
    if ((here & ranks) >> i & 1 && rank[i]->conflicts
        && rank[i]->conflicts (e))
      conflicts |= 1u << i;
  drain (conflicts);
  pthread_mutex_unlock (&lock);
}

bool
acr_stream_open (struct acr_construct *c)
{
  CUcontext current;
  if (acr_driver.ctx_get_current (&current))
    return false;
  pthread_mutex_lock (&lock);
  if (!acr_construct_alone ())
    {
      pthread_mutex_unlock (&lock);
      return false;
    }
  if (context != current)
    drain (ACR_ALL);
  context = current;
  owner = c;
  return true;
}

void
acr_stream_add (const struct acr_rank *r)
{
  rank[__builtin_ctz (r->is)] = r;
  here |= r->is;
}

void
acr_stream_close (void)
{
  pthread_mutex_unlock (&lock);
}

/* Under the lock whatever is here: who holds it may be about to add.  */
void
acr_stream_other_thread (void)
{
  pthread_mutex_lock (&lock);
  drain (ACR_ALL);
  pthread_mutex_unlock (&lock);
}

void
acr_stream_exposed (void)
{
  acr_debug (1, "stream: the program has device addresses; copies wait");
  acr_stream_drain (ACR_ALL);
  /* What other threads have sent must be there as well.  */
  acr_staging_drain ();
}

void
acr_stream_forked (void)
{
  lock = (pthread_mutex_t)FREE_LOCK;
  leaving = 0;
  forget (ACR_ALL);
}

/* The driver call that a thread is in: the lock, which it holds, and the
   context that it works in.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <errno.h>

#include "driver/driver.h"

/* ---- The lock ---------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
emu_lock (void)
{
  pthread_mutex_lock (&lock);
}

void
emu_unlock (void)
{
  pthread_mutex_unlock (&lock);
}

void
emu_wait (pthread_cond_t *cond)
{
  pthread_cond_wait (cond, &lock);
}

bool
emu_wait_ms (pthread_cond_t *cond, unsigned ms)
{
  struct timespec until;
  clock_gettime (CLOCK_MONOTONIC, &until);
  until.tv_nsec += ms * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  return pthread_cond_clockwait (cond, &lock, CLOCK_MONOTONIC, &until)
	 != ETIMEDOUT;
}

/* ---- The context ------------------------------------------------------- */

_Thread_local bool emu_in_callback, emu_per_thread;
static _Thread_local struct CUctx_st *context;

struct CUctx_st *
emu_context (void)
{
  return emu_object_is (context, EMU_CONTEXT) ? context : NULL;
}

void
emu_set_context (struct CUctx_st *ctx)
{
  context = ctx;
}

/* Threads: those of ours, and the stack of any.

   A signal for the process goes to any thread that does not block it. Programs
   that take theirs by sigwait or signalfd block them in all threads that they
   know of, and others expect their handlers to interrupt one of these.  So
   threads of ours block all signals; but for those that a thread's own
   instructions raise, as a program may have a handler for them that gives
   memory which is copied.  A new thread begins with the mask of its creator.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/thread.h"

#include <signal.h>
#include <stdint.h>

#define COMPILER_STACK ((size_t)16 << 20)

/* Start FN with ATTR.  */
static bool
start (pthread_t *t, const pthread_attr_t *attr, void *(*fn) (void *),
       void *arg)
{
  static const int own[]
      = { SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP };
  sigset_t all, old;
  sigfillset (&all);
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset (&all, own[i]);
  if (pthread_sigmask (SIG_SETMASK, &all, &old))
    return false;
  bool started = !pthread_create (t, attr, fn, arg);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  return started;
}

bool
acr_thread_start (pthread_t *t, void *(*fn) (void *), void *arg)
{
  return start (t, NULL, fn, arg);
}

bool
acr_thread_start_compiler (pthread_t *t, void *(*fn) (void *), void *arg)
{
  pthread_attr_t attr;
  size_t stack;
  if (pthread_attr_init (&attr))
    return false;
  bool started = !pthread_attr_getstacksize (&attr, &stack)
                 && (stack >= COMPILER_STACK
                     || !pthread_attr_setstacksize (&attr, COMPILER_STACK))
                 && start (t, &attr, fn, arg);
  pthread_attr_destroy (&attr);
  return started;
}

bool
acr_thread_has_on_stack (const void *p)
{
  /* The main thread's is looked up in a file, so once; it grows downwards.  */
  static __thread uintptr_t end __attribute__ ((tls_model ("initial-exec")));
  pthread_attr_t attr;
  if (!end && !pthread_getattr_np (pthread_self (), &attr))
    {
      void *low;
      size_t n;
      if (!pthread_attr_getstack (&attr, &low, &n))
        end = (uintptr_t)low + n;
      pthread_attr_destroy (&attr);
    }
  uintptr_t here = (uintptr_t)__builtin_frame_address (0);
  return !end || (uintptr_t)p - here < end - here;
}

/* Threads of the emulated GPU's.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <signal.h>

#include "emu.h"

bool
emu_thread_start (void *(*fn) (void *), void *arg)
{
  sigset_t all, old;
  pthread_t t;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  bool started = !pthread_create (&t, NULL, fn, arg);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  if (started)
    pthread_detach (t);
  return started;
}

/* A lock that a fork leaves free, and what it guards whole, in the child.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FORK_H
#define ACCRETE_FORK_H

#include <pthread.h>

/* Stands once in a file, behind its LOCK, a static mutex: a fork waits for the
   lock, and parent and child go on with it free.  */
#define ACR_FORK_KEEPS(lock)                                                  \
  static void take_lock (void) { pthread_mutex_lock (&(lock)); }              \
  static void drop_lock (void) { pthread_mutex_unlock (&(lock)); }            \
  __attribute__ ((constructor)) static void handle_forks (void)               \
  {                                                                           \
    pthread_atfork (take_lock, drop_lock, drop_lock);                         \
  }

#endif /* ACCRETE_FORK_H */

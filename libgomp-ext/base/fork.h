/* A lock that a fork leaves free, and what it guards whole, in the child.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FORK_H
#define ACCRETE_FORK_H

#include <pthread.h>

#define ACR_FORK_LOCKS(lock, when)                                            \
  static void take_lock (void) { pthread_mutex_lock (&(lock)); }              \
  static void drop_lock (void) { pthread_mutex_unlock (&(lock)); }            \
  __attribute__ ((when)) static void handle_forks (void)                      \
  {                                                                           \
    pthread_atfork (take_lock, drop_lock, drop_lock);                         \
  }

/* Stands once in a file, behind its LOCK, a static mutex: a fork waits for the
   lock, and parent and child go on with it free.  */
#define ACR_FORK_KEEPS(lock) ACR_FORK_LOCKS (lock, constructor)

/* The same of a lock that is taken with such another one held.  A fork takes locks
   in the reverse order of these constructors, and so this one behind the other.  */
#define ACR_FORK_KEEPS_INNER(lock) ACR_FORK_LOCKS (lock, constructor (1000))

#endif /* ACCRETE_FORK_H */

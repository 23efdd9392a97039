/* A lock that a fork leaves free, and what it guards whole, in the child.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FORK_H
#define ACCRETE_FORK_H

#include <pthread.h>

#define ACR_FORK_LOCKS(lock, reset, ...)                                      \
  static void take_lock (void) { pthread_mutex_lock (&(lock)); }              \
  static void drop_lock (void) { pthread_mutex_unlock (&(lock)); }            \
  static void in_child (void) { reset (); drop_lock (); }                     \
  __VA_ARGS__ static void handle_forks (void)                                 \
  {                                                                           \
    pthread_atfork (take_lock, drop_lock, in_child);                          \
  }

static inline void
acr_fork_nothing (void)
{
}

/* Stands once in a file, behind its LOCK, a static mutex: a fork waits for the
   lock, and parent and child go on with it free.  */
#define ACR_FORK_KEEPS(lock)                                                  \
  ACR_FORK_LOCKS (lock, acr_fork_nothing, __attribute__ ((constructor)))

/* The same of a lock that is taken with such another one held.  A fork takes locks
   in the reverse order of these constructors, and so this one behind the other.  */
#define ACR_FORK_KEEPS_INNER(lock)                                            \
  ACR_FORK_LOCKS (lock, acr_fork_nothing, __attribute__ ((constructor (1000))))

/* The same from the time when the file calls handle_forks; and in the child, where
   what LOCK guards is of no use, RESET is called with the lock held.  */
#define ACR_FORK_RESETS(lock, reset) ACR_FORK_LOCKS (lock, reset, )

#endif /* ACCRETE_FORK_H */

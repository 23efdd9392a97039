/* Threads; see thread.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_THREAD_H
#define ACCRETE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Start FN with ARG in a thread of its own, T, which none of the program's
   signals reaches, nor the threads that it starts.  False when there can be
   none.  */
bool acr_thread_start (pthread_t *t, void *(*fn) (void *), void *arg);

/* The same with a stack for the driver's compiler, which a thread's may be too
   small for: where that of the process has no limit, threads have 2 MiB.  */
bool acr_thread_start_compiler (pthread_t *t, void *(*fn) (void *), void *arg);

/* Whether P is in the stack that the system has given the calling thread; true
   as well when that is not known.  */
bool acr_thread_has_on_stack (const void *p);

#endif /* ACCRETE_THREAD_H */

/* Helper threads: target nowait outside of parallel regions.

   libgomp gives a thread that is in no team one of its own for the first
   target nowait, and then frees the team of each parallel region while that
   region's threads may still be leaving it (GCC 12, gomp_team_end).  So such a
   thread has a team of helpers here, and its target tasks are created there:
   one helper does what it is asked to, the others complete tasks and start
   what depends on them.

   What orders tasks in the program must be said to the helpers (SYNC in
   entry.def).  They know all tasks of a thread as siblings, and wait for more
   than they must: for those of an outer task as well.  No target task waits
   for anything that comes after it, so that this ends.

   Functions act on the calling thread's helpers, and do nothing in a parallel
   region, which has a team.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_HELPER_H
#define ACCRETE_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Let a helper call libgomp's FN, which creates a task, with the N words at W
   (acr_call_words), and return when it has.  False: the caller has a team, or
   there can be no helpers.  */
bool acr_helper_call (void (*fn) (void), const uintptr_t *w, size_t n);

/* Wait for all tasks; or for those that DEPEND, a list of libgomp's, depends
   on, none when it is NULL.  */
void acr_helper_wait (void);
void acr_helper_wait_for (void **depend);

#endif /* ACCRETE_HELPER_H */

/* Long nowait regions that are no tasks, so that their kernels have a part of the GPU
   each (pair.h).

   A nowait region that takes long is a task of libgomp's (entry.c): a helper's thread
   launches its kernel, on a stream of the task's.  Of two tasks the kernels come in any
   order and from several threads, so that nothing can be foretold of them.  Where the
   first kernel fills the GPU anyway, and is not waited for even if it is no task
   (transfer/defer.h), the region can as well be launched by the program's thread: the
   next kernel is then launched beside it where both are independent.

   It is a task, as it would have been, from then on that

   - its kernel had no part in a pair for a while;
   - the construct waits, as it has something to copy back, or for another reason;
   - the program does anything else on a device before it waits for its tasks, which
     beside tasks would be on its way at once.

   Thread-safe.  Nothing here decides what is right, only what is faster.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_LEAVE_H
#define ACCRETE_LEAVE_H

#include <stdbool.h>

struct acr_call;
struct acr_image_region;

/* Is the long region R, of a construct that this thread is about to begin, to be
   launched here, and not as a task?  */
bool acr_leave_wants (const struct acr_image_region *r);

/* The construct C begins; it is the outermost.  */
void acr_leave_begin (const struct acr_call *c);

/* That of R, which was launched here for that, took so many MICROSECONDS.  */
void acr_leave_ended (struct acr_image_region *r, double microseconds);

/* This thread waits for its tasks.  */
void acr_leave_waited (void);

/* The kernel of the current construct may be one of two; FILLS: it leaves others no
   place to begin before it ends.  */
void acr_leave_fills (bool fills);

/* It is, or is not.  */
void acr_leave_paired (bool is);

#endif /* ACCRETE_LEAVE_H */

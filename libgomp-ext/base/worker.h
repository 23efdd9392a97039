/* A thread of ours for what can be done beside the program: jobs one after the
   other, at a low priority.  It sleeps where there are none.

   A forked child has no such thread, and is given none.

   Thread-safe; the lock is held by nobody who calls something.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_WORKER_H
#define ACCRETE_WORKER_H

#include <stdbool.h>

/* RUN is called by that thread, with the job; true: to be called again, behind
   the jobs that wait.  The rest is worker.c's.  */
struct acr_job
{
  bool (*run) (struct acr_job *);
  struct acr_job *next;
  bool waits;
};

/* Have J run, unless it is to be already.  False when it cannot be.  */
bool acr_worker_give (struct acr_job *j);

/* Forget all jobs that wait, and return when none runs.  */
void acr_worker_clear (void);

/* The same, and nothing is given from here on.  */
void acr_worker_end (void);

#endif /* ACCRETE_WORKER_H */

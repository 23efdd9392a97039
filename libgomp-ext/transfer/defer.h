/* Short kernels that are not waited for; see defer.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_DEFER_H
#define ACCRETE_DEFER_H

#include <stdbool.h>

#include "interpose/cuda-types.h"

/* This thread has launched a kernel on the NULL stream and should now wait for
   it, by the driver entry ENTRY, which lives for ever.  */
CUresult acr_defer_wait (const char *entry);

/* It is about to launch it.  Whether it will not wait for it, as nobody looks
   before the program says so.  */
bool acr_defer_launch (void);

/* Whether it will not wait for it, whatever comes: because of that, or since the
   program waits elsewhere (target nowait).  */
bool acr_defer_leaves (void);

/* The program waits for its target tasks: also for those that this thread has launched
   without making tasks of them.  */
void acr_defer_tasks (void);

/* Wait for the kernels that were not waited for; and let there be no more, as
   the program may see them.  WHY is not copied.  */
void acr_defer_settle (void);
void acr_defer_end (const char *why);

/* The program may look at anything: wait for the kernels that were not waited
   for because it would not.  */
void acr_defer_seen (void);

/* No kernel is owed: the process is a forked child, without a device.  */
void acr_defer_forget (void);

/* All work on the NULL stream up to now is done.  */
void acr_defer_synced (void);

/* The driver has said R.  An error may be that of a kernel that was not waited
   for (fault.h).  */
void acr_defer_check (CUresult r);

#endif /* ACCRETE_DEFER_H */

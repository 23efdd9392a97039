/* OpenMP target regions, launched in place of libgomp's plugin.

   libgomp's plugin holds a lock over each kernel, because all use one soft
   stack, waits for everything in the context, and cannot run a kernel without
   waiting (target nowait).  Here each launch has stacks of its own from the
   pool, waits for its stream only, and with nowait not at all.  The plugin's
   geometry, messages and exit statuses are kept.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_RUN_H
#define ACCRETE_RUN_H

#include <stdbool.h>

#include "interpose/cuda-types.h"

/* Bring this thread to device N, as the plugin does where it maps something: the
   device's context is current from here on.  False when it is not.  */
bool acr_run_attach (int n);

/* GOMP_OFFLOAD_run.  False: not for a kernel or device that is not known, or is
   left to the plugin, which must do it.  */
bool acr_run (int n, void *fn, void *vars, void **args);

/* GOMP_OFFLOAD_async_run: returns when the kernel is on its way; TASK is
   completed later, from a thread of the driver's, also when the kernel fails.
   False as above.  */
bool acr_run_async (int n, void *fn, void *vars, void **args, void *task);

/* Wait for what acr_run_async started in the current context, and free its
   memory.  Whether there was any.  */
bool acr_run_wait (void);

/* CTX is about to be destroyed, or left to the program.  */
void acr_run_forget (CUcontext ctx);

#endif /* ACCRETE_RUN_H */

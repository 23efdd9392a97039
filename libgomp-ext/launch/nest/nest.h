/* Where regions inside SPMD kernels run.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NEST_H
#define ACCRETE_NEST_H

#include "abi/nest-abi.h"
#include "interpose/cuda-types.h"

#include <stdbool.h>

/* Who executes a child; ACCRETE_NEST.  */
enum acr_nest
{
  ACR_NEST_INPLACE, /* the thread that launches it */
  ACR_NEST_WARP,    /* the threads of its warp, or block, together */
  ACR_NEST_BLOCK,
  ACR_NEST_GRID, /* a kernel behind the parent, where that is right; else as
                    BLOCK */
  ACR_NEST_AUTO, /* in place, until it is known by measurement what is faster
                    (nest-auto.h) */
  ACR_NEST_ALL,  /* the forms of AUTO in turn, for tests */
  /* The device launches a kernel for each child that may be deferred, in one of
     these streams; or one for those of a warp or block.  Others run in place.  */
  ACR_NEST_DEVICE_FORGET,
  ACR_NEST_DEVICE_NULL,
  ACR_NEST_DEVICE_TAIL,
  ACR_NEST_DEVICE_WARP,
  ACR_NEST_DEVICE_BLOCK,
  ACR_NEST_COUNT
};

struct acr_launch;
struct acr_nest_queue;

/* Tell the device code of MODULE, loaded in the current context, where the
   children of its kernels run: as the program's user says, on GPUs whose
   threads may wait for each other in diverged warps; else in place, as without
   this call.  */
void acr_nest_set_up (CUmodule module);

/* The queue for children of L, whose kernel has some and is about to be issued, or
   NULL; with "auto" for all, whose form it chooses.  Until
   acr_nest_close, when L has been issued with the result R, nobody else has it;
   that starts the children.  */
struct acr_nest_queue *acr_nest_open (const struct acr_launch *l);
CUresult acr_nest_close (struct acr_nest_queue *q, const struct acr_launch *l,
                         CUresult r);

/* Let L, whose kernel has children, have the grid and block that suit who
   executes them; and, when it has the queue Q, not NULL, dynamic shared memory,
   by whose size the kernel knows what to do.  */
void acr_nest_adjust (const struct acr_nest_queue *q, struct acr_launch *l);

/* Memory of the current context is short: give back what "auto" has for itself.
   Whether that was anything.  */
bool acr_nest_release (void);

/* MODULE, or all of CTX, is about to go.  */
void acr_nest_unload (CUmodule module);
void acr_nest_forget (CUcontext ctx);

#endif /* ACCRETE_NEST_H */

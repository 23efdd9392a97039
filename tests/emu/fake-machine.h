/* A machine without instructions, under the emulated driver, so that tests
   decide when kernels end and what they do.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_FAKE_MACHINE_H
#define ACCRETE_FAKE_MACHINE_H

#include <stdbool.h>

#include "driver/cuda-api.h"

/* "PTX" with every kernel of the machine:
     nothing ()
     add (u64 address, u32 n)	 adds N to the int at ADDRESS
     gate (u32 i)		 waits until gate I is open
     slow (u32 us)		 takes that long
     fault (u32 code)		 fails with that CUresult  */
extern const char fake_ptx[];

/* Let kernels at gate I pass from now on; close all gates.  */
void fake_gate_open (unsigned i);
void fake_gates_close (void);
/* Whether a kernel waits at gate I.  */
bool fake_gate_reached (unsigned i);

/* The last launch that ran.  */
extern struct fake_launch { unsigned grid[3], block[3], dyn_shared; }
  fake_last_launch;
/* Modules and allocations alive; calls that printed what kernels wrote.  */
extern int fake_modules, fake_allocations, fake_flushes;

/* cuInit, a context on device 0; fails the test program if that fails.  */
CUcontext fake_start (void);
/* Function NAME of a module with fake_ptx in the current context.  */
CUfunction fake_function (const char *name);

#endif /* ACCRETE_FAKE_MACHINE_H */

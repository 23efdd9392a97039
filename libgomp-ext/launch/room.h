/* How many blocks of a kernel a multiprocessor holds at a time: fewer than it could, by
   shared memory that each asks for and does not use.

   The kernel does what it does with all its blocks, and as these end others come, which a
   smaller grid has not; what is left of registers and threads is another kernel's.

   Thread-safe; the driver is called with the lock held that is theirs alone.

   Source: S. Pai and others, "Improving GPGPU Concurrency with Elastic Kernels", ASPLOS
   2013, which limits blocks by their resources.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ROOM_H
#define ACCRETE_ROOM_H

#include <stdbool.h>

struct acr_launch;

/* Let a multiprocessor hold so many QUARTERS, from 1 to 3, of the blocks of L that it
   could, at least one.  Whether it does: false where the driver does not say how, where
   the GPU has too little shared memory, or L asks for some itself.  */
bool acr_room_limit (struct acr_launch *l, unsigned quarters);

/* Functions may mean others from here on.  */
void acr_room_forget (void);

#endif /* ACCRETE_ROOM_H */

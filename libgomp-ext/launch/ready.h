/* Kernels that the program asks for before it launches them (abi.h, acr_ready), since
   other kernels do the same.

   They are not compiled as a program starts (jit/variant.h).  When the program has done
   without one for as long as the compiler takes, it is compiled beside the program, which
   launches it from then on; the next process finds it on disk.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_READY_H
#define ACCRETE_READY_H

#include <stdbool.h>

struct acr_launch;

/* L is to be made.  If its kernel is one of these, it is there then, though nobody may have
   asked for it on this GPU.  */
void acr_ready_take (struct acr_launch *l);

/* Is the kernel of L not there though it is needed?  */
bool acr_ready_lacks (const struct acr_launch *l);

#endif /* ACCRETE_READY_H */

/* Kernels of resident loops that are compiled while the host executes their loops.

   A program's first process would wait for the compiler, and most loops are over before
   that has paid.  So such a kernel is not there as the program starts (jit/variant.h).
   When loops that it would have executed have gone on for long enough, it is compiled
   beside the program, and executes the next one; the next process finds it on disk.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_RESIDENT_LATE_H
#define ACCRETE_RESIDENT_LATE_H

struct acr_kernel;

/* The calling thread's loop would have been executed by variant N of K, or K itself, 0,
   which is not there: the host does.  */
void acr_resident_late (const struct acr_kernel *k, unsigned n);

/* The calling thread has launched a kernel, maybe in that loop.  */
void acr_resident_goes_on (void);

#endif /* ACCRETE_RESIDENT_LATE_H */

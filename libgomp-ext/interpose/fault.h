/* Failures that are found out late; see fault.c.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FAULT_H
#define ACCRETE_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"

/* Work that libgomp takes for done has failed with R: in stock the driver's ENTRY
   would have said so.  The first failure counts, and is said at once.  */
void acr_fault (const char *entry, CUresult r);

/* The same for the copy of the N bytes at SRC to the host's memory at DST.  */
void acr_fault_copy (void *dst, CUdeviceptr src, size_t n, CUresult r);

/* What the driver's entries say to libgomp's plugin from the first failure on;
   success before.  */
CUresult acr_fault_status (void);

/* End the program, as libgomp does, if there was a failure.  The caller holds
   none of libgomp's locks, and none of ours.  */
void acr_fault_tell (void);

/* The calling thread is in exit: from here on it is who ends the program.  */
void acr_fault_leaving (void);

/* Let a thread of its own end the program, for who may not do that: the driver's
   threads.  False when there can be none.  */
bool acr_fault_tell_apart (void);

/* Whether there was a failure for which nobody has ended the program: the caller
   tells libgomp, which does, and acr_fault_tell does not from here on.  */
bool acr_fault_told (void);

#endif /* ACCRETE_FAULT_H */

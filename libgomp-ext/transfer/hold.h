/* Kernels that are handed to the driver later; see hold.c.  A rank of stream.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_HOLD_H
#define ACCRETE_HOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "launch/launch.h"

/* What hands N launches to the driver, in their order; the first failure.  */
typedef CUresult acr_issue (const struct acr_launch *const *l, unsigned n);

/* Keep L, which the thread's region launches, for ISSUE, where that pays and is known
   to be right.  False when it must be launched now.  */
bool acr_hold_launch (const struct acr_launch *l, acr_issue *issue);

/* Whether a copy to the device in C, in front of its launch, has company to wait for: a
   kernel that is here, or C's own, which is expected to stay.  */
bool acr_hold_expects (const struct acr_construct *c);

/* libgomp is about to free memory.  Kernels that are here know what they use; without
   them copies to the device leave.  A failure is for others to report: libgomp's
   plugin also frees what libgomp does not ask for, and ends the program itself when
   that fails.  */
void acr_hold_frees (void);

/* The stream is open from here on.  */

/* Whether there are any, and whether one of them may access one of the N bytes
   of device memory at P.  */
bool acr_hold_any (void);
bool acr_hold_uses (CUdeviceptr p, size_t n);

/* A copy to the device goes in front of all that are here.  */
void acr_hold_passed (void);

#endif /* ACCRETE_HOLD_H */

/* Kernels that are handed to the driver later; see hold.c.

   All of this is gather.c's, under its lock.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_HOLD_H
#define ACCRETE_HOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/construct.h"
#include "launch/launch.h"

/* What hands a launch to the driver.  */
typedef CUresult acr_issue (const struct acr_launch *l);

/* Keep L, which the region of C's launches, for ISSUE, where that pays and is known
   to be right.  False when it must be launched now.  */
bool acr_hold_add (struct acr_construct *c, const struct acr_launch *l,
                   acr_issue *issue);

/* Whether there are any, and whether one of them may access one of the N bytes
   of device memory at P.  */
bool acr_hold_any (void);
bool acr_hold_uses (CUdeviceptr p, size_t n);

/* A copy to the device goes in front of all that are held.  */
void acr_hold_passed (void);

/* Hand them to the driver, in their order and context; to be forgotten.  */
void acr_hold_issue (void);

/* They are no more.  */
void acr_hold_forget (void);

#endif /* ACCRETE_HOLD_H */

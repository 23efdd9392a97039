/* Limits of what copies are worth doing in another way than the driver's own,
   by a model of the machine that is measured once.

   A limit is a figure of the machine: of its memory, its bus and its driver.
   Where nothing is known about this GPU, driver and number of threads that copy
   (copier.h), a process behind one that took long measures both ways of doing such
   copies, at the limit of an H200, and halves or doubles it where the other way is
   faster each time.  The result is kept on disk (choice.h); where nothing can be
   kept, nothing is measured, nor with ACCRETE_LIMITS=0.

   What is above a limit is left to the driver, as in stock.

   Constant once the first context is open; thread-safe from then on.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_LIMIT_H
#define ACCRETE_LIMIT_H

#include <stddef.h>

enum acr_limit
{
#define LIMIT(name, bytes, most, what) ACR_LIMIT_##name,
#include "transfer/policy/limit.def"
  ACR_LIMITS
};

/* Constants, in bytes.  */
enum
{
#define SIZE(name, bytes, what) ACR_SIZE_##name = (bytes),
#include "transfer/policy/limit.def"
};

/* In bytes.  */
size_t acr_limit (enum acr_limit);

/* The first context is open and current: read or measure the limits.  */
void acr_limit_measure (void);

/* The first context dies, or any: is measuring worth it for the next process?  */
void acr_limit_end (void);

/* How many microseconds it takes to copy N bytes, or over a gap of N bytes, in
   our way or the driver's; negative when that failed.  */
typedef double acr_limit_time (void *data, size_t n, int ours);

enum
{
  ACR_LIMIT_STEPS = 2, /* of a factor of 2, up and down */
  ACR_LIMIT_ROUNDS = 3
};

/* By how many powers of two, more (or less, when negative) than BYTES, our way
   pays according to TIME, up to MOST bytes.  */
int acr_limit_decide (acr_limit_time *time, void *data, size_t bytes,
                      size_t most);

#endif /* ACCRETE_LIMIT_H */

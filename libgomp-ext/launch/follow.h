/* Which kernel follows which: what is launched next beside a kernel, foretold
   from what was the last times.

   A kernel is a number here, a hash of what makes it another one; 0 is none.
   It is foretold once it has come a few times in a row.  Each time that it
   does not come then, twice as many are asked for.

   Not thread-safe: the caller locks.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FOLLOW_H
#define ACCRETE_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

enum
{
  ACR_FOLLOW_SURE = 2,   /* times in a row */
  ACR_FOLLOW_MOST = 256, /* of one that was wrong again and again */
  ACR_FOLLOW_VAIN = 32,
  ACR_FOLLOW_AGAIN = 64
};

/* What will probably be launched beside KERNEL, or 0.  */
uint64_t acr_follow_next (uint64_t kernel);

/* NEXT was launched beside KERNEL; 0: nothing was.  */
void acr_follow_note (uint64_t kernel, uint64_t next);

/* Is it worth while to see what comes beside KERNEL?  Not each time where
   nothing did ACR_FOLLOW_VAIN times in a row, but once in ACR_FOLLOW_AGAIN. */
bool acr_follow_worth (uint64_t kernel);

#endif /* ACCRETE_FOLLOW_H */

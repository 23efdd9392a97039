/* What is known of the beginnings of the pool's free blocks; see same.c for
   what it is good for.

   An entry is made by who is about to free the block, and ends when the pool
   hands the block out, to whomever: that thread may ask for it right then.
   Entries for blocks of the same slot push each other out.  Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_KEPT_H
#define ACCRETE_KEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"

enum
{
  ACR_SMALL_MAX = 256
};

/* The first N bytes of the block at ADDR.  */
struct acr_small
{
  CUdeviceptr addr; /* 0: of none */
  size_t n;
  unsigned char bytes[ACR_SMALL_MAX];
};

void acr_kept_put (const struct acr_small *);

/* The pool hands out the block at P.  */
void acr_kept_handed_out (CUdeviceptr p);

/* What is known of the block that this thread got last, or NULL.  Lives until
   it gets another.  */
const struct acr_small *acr_kept_handed (CUdeviceptr p);

/* Device memory went back to the driver.  */
void acr_kept_clear (void);

#endif /* ACCRETE_KEPT_H */

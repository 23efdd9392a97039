/* What linked device code depends on: its key on disk (jit-disk.h).

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_KEY_H
#define ACCRETE_KEY_H

#include "interpose/cuda-types.h"
#include "interpose/image.h"
#include "jit/jit-disk.h"

#include <stdbool.h>
#include <stdint.h>

#define ACR_JIT_OPTIONS 16

/* What the result depends on besides the units.  Cleared as a whole, because
   it is compared as bytes.  */
struct acr_jit_conditions
{
  int driver, major, minor;
  unsigned noptions;
  struct
  {
    uint64_t id, value;
  } options[ACR_JIT_OPTIONS];
  char gpu[128];
  char library[256]; /* that is the driver */
};

/* Fill in *C for the current context and N options of a link.  False when not
   all is known.  */
bool acr_jit_conditions_get (struct acr_jit_conditions *c, unsigned n,
                             const CUjit_option *options, void **values);

/* The hash of the key of N units at U under C, which FN, unless it is NULL, is
   told with ARG.  0: for want of memory there is none.  */
uint64_t acr_jit_key (const struct acr_jit_conditions *c,
                      const struct acr_unit *u, unsigned n,
                      void (*fn) (struct acr_jit_key, void *), void *arg);

#endif /* ACCRETE_KEY_H */

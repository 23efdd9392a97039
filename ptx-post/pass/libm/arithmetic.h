/* Which arithmetic a function of libm has.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include "ptx/ptx.h"

#include <stdint.h>

/* A number for F, with a body: the same for the same operations with floating-point
   numbers on the same constants, and the same comparisons of bits, in whatever order
   and registers.  */
uint64_t arithmetic_of (const struct ptx_func *f);

#endif

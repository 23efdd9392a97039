/* The same in OpenACC.
   FLAGS: -fopenacc
   NESTED: 1
   LAUNCHES: 1
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "malloc.c"

/* FLAGS: -fopenmp
   KERNELS: 4

   The same in OpenMP.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "teams.c"

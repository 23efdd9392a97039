/* STREAM's triad in double precision.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "triad.h"

static void
triad (int n, const double *restrict a, const double *restrict b,
       double *restrict c)
{
#pragma omp target teams distribute parallel for                              \
    map(to : a[:n], b[:n]) map(tofrom : c[:n])
#pragma acc COMPUTE loop SINGLE present(a[:n], b[:n], c[:n])
  for (int i = 0; i < n; i++)
    c[i] = a[i] + SCALE * b[i];
}

static void
apply (const struct grid *g)
{
  triad (g->nx, on_device (g, 0), on_device (g, 1), on_device (g, 2));
}

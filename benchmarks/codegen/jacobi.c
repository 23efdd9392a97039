/* Jacobi iteration with the nine points of a square.  -DSPLIT: the OpenMP form
   with a loop over the teams around one over the threads.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "jacobi.h"

static void
jacobi (int ny, int nx, const float *restrict u, float *restrict v)
{
  int row = nx, n = ny * nx;
#ifdef SPLIT
#pragma omp target teams distribute map(to : u[:n]) map(tofrom : v[:n])
#else
#pragma omp target teams distribute parallel for collapse(2)                  \
    map(to : u[:n]) map(tofrom : v[:n])
#endif
#pragma acc COMPUTE loop GANG present(u[:n], v[:n])
  for (int y = 1; y < ny - 1; y++)
#ifdef SPLIT
#pragma omp parallel for
#endif
#pragma acc loop VECTOR
    for (int x = 1; x < nx - 1; x++)
      {
        int i = y * row + x;
        v[i] = C0 * u[i] + C1 * (u[i - 1] + u[i + 1] + u[i - row] + u[i + row])
               + C2
                     * (u[i - row - 1] + u[i - row + 1] + u[i + row - 1]
                        + u[i + row + 1]);
      }
}

static void
apply (const struct grid *g)
{
  jacobi (g->ny, g->nx, on_device (g, 0), on_device (g, 1));
}

/* Gaussian blur of 5x5 points.  25 loads a point.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gaussblur.h"

/* The five points around IN[I] along x.  */
#define BLUR_ROW(in, i)                                                       \
  (W2 * (in[(i)-2] + in[(i) + 2]) + W1 * (in[(i)-1] + in[(i) + 1])            \
   + W0 * in[i])

static void
gaussblur (int ny, int nx, const float *restrict in, float *restrict out)
{
  int row = nx, n = ny * nx;
#pragma omp target teams distribute parallel for collapse(2)                  \
    map(to : in[:n]) map(tofrom : out[:n])
#pragma acc COMPUTE loop GANG present(in[:n], out[:n])
  for (int y = 2; y < ny - 2; y++)
#pragma acc loop VECTOR
    for (int x = 2; x < nx - 2; x++)
      {
        int i = y * row + x;
        out[i] = W2 * (BLUR_ROW (in, i - 2 * row) + BLUR_ROW (in, i + 2 * row))
                 + W1 * (BLUR_ROW (in, i - row) + BLUR_ROW (in, i + row))
                 + W0 * BLUR_ROW (in, i);
      }
}

static void
apply (const struct grid *g)
{
  gaussblur (g->ny, g->nx, on_device (g, 0), on_device (g, 1));
}

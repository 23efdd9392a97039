/* The 5x5 Gaussian blur by hand in CUDA.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../shuffle/gaussblur.h"
#include "cuda-grid.h"

__global__ static void
gaussblur (int ny, int nx, const float *__restrict__ in,
           float *__restrict__ out)
{
  const float weight[] = { W2, W1, W0, W1, W2 };
  int x = CUDA_X, y = CUDA_Y;
  if (x < 2 || x >= nx - 2 || y < 2 || y >= ny - 2)
    return;
  float sum = 0;
#pragma unroll
  for (int dy = -2; dy <= 2; dy++)
#pragma unroll
    for (int dx = -2; dx <= 2; dx++)
      sum += weight[dy + 2] * weight[dx + 2] * in[(y + dy) * nx + x + dx];
  out[y * nx + x] = sum;
}

static void
apply (const struct grid *g)
{
  CUDA_LAUNCH (g, gaussblur, g->ny, g->nx, on_device (g, 0), on_device (g, 1));
}

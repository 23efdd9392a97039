/* The part of a compressible Navier-Stokes solver's hyperbolic term that works
   along the rows (ExaCT's CNS), in CUDA.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"
#include "../codegen/cuda-grid.h"

/* Arrays: momentum in three directions, energy; velocity along the rows,
   pressure.  */
enum { MX, MY, MZ, ENERGY, SPEED, PRESSURE, INPUTS, OUTPUTS = 5 };

#define ALPHA 0.8f
#define BETA -0.2f
#define GAMMA 0.0380952f
#define DELTA -0.00357143f

__global__ static void
hypterm (int nz, int ny, int nx, const float *__restrict__ mx,
         const float *__restrict__ my, const float *__restrict__ mz,
         const float *__restrict__ energy, const float *__restrict__ speed,
         const float *__restrict__ pressure, float *__restrict__ f0,
         float *__restrict__ f1, float *__restrict__ f2,
         float *__restrict__ f3, float *__restrict__ f4)
{
  const float c[] = { 0, ALPHA, BETA, GAMMA, DELTA };
  int x = CUDA_X, y = CUDA_Y, z = CUDA_Z;
  if (x < 4 || x >= nx - 4 || y < 4 || y >= ny - 4 || z < 4 || z >= nz - 4)
    return;
  long i = ((long) z * ny + y) * nx + x;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0;
#pragma unroll
  for (int k = 1; k <= 4; k++)
    {
      float up = speed[i + k], um = speed[i - k];
      float pp = pressure[i + k], pm = pressure[i - k];
      s0 += c[k] * (mx[i + k] - mx[i - k]);
      s1 += c[k] * (mx[i + k] * up - mx[i - k] * um + (pp - pm));
      s2 += c[k] * (my[i + k] * up - my[i - k] * um);
      s3 += c[k] * (mz[i + k] * up - mz[i - k] * um);
      s4 += c[k]
            * (energy[i + k] * up - energy[i - k] * um + (pp * up - pm * um));
    }
  f0[i] = -s0;
  f1[i] = -s1;
  f2[i] = -s2;
  f3[i] = -s3;
  f4[i] = -s4;
}

static void
apply (const struct grid *g)
{
#define A(a) on_device (g, a)
  CUDA_LAUNCH (g, hypterm, g->nz, g->ny, g->nx, A (MX), A (MY), A (MZ),
               A (ENERGY), A (SPEED), A (PRESSURE), A (INPUTS),
               A (INPUTS + 1), A (INPUTS + 2), A (INPUTS + 3), A (INPUTS + 4));
}

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  static const double c[] = { ALPHA, BETA, GAMMA, DELTA };
  static const int carried[] = { -1, MX, MY, MZ, ENERGY };
  out -= INPUTS;
  double sum = 0;
  for (int d = -4; d <= 4; d++)
    if (d)
      {
        double u = at (g, SPEED, z, y, x + d), p = at (g, PRESSURE, z, y, x + d);
        double flux = out == 0 ? at (g, MX, z, y, x + d)
                               : u * at (g, carried[out], z, y, x + d);
        flux += out == 1 ? p : out == 4 ? p * u : 0;
        sum += (d < 0 ? -1 : 1) * c[abs (d) - 1] * flux;
      }
  return -sum;
}

GRID_PROGRAM (.name = "hypterm", .dims = 3, .border = 4,
              .arrays = INPUTS + OUTPUTS, .outputs = OUTPUTS, .rotate = 0,
              .tolerance = 16)

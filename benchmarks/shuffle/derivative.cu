/* Derivatives along the rows of the elastic wave equation in curvilinear
   coordinates, of fourth order (the seismic code SW4), in CUDA.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "application.h"

/* Arrays: displacement in three directions, the two moduli, four metric terms;
   the stretching of rows, whose values are the first ones of an array.  */
enum { U, MU = 3, LAMBDA, METRIC, STRETCH = 9, INPUTS, OUTPUTS = 3 };

struct elastic
{
  const float *__restrict__ u[3];
  const float *__restrict__ mu;
  const float *__restrict__ lambda;
  const float *__restrict__ metric[4];
  const float *__restrict__ stretch;
  float *__restrict__ out[3];
};

/* d_x (m d_x u) of component A.  */
static __device__ __forceinline__ float
along (const struct elastic &e, long i, int x, int a)
{
  float m[5], u[5];
  OUTWARDS (o)
    {
      float mu = e.mu[i + o], t = e.metric[0][i + o];
      m[o + 2] = (a == 0 ? 2 * mu + e.lambda[i + o] : mu) * t * t
                 * e.stretch[x + o];
      u[o + 2] = e.u[a][i + o];
    }
  return e.stretch[x] * second_derivative (m, u);
}

__global__ static void
derivative (int nz, int ny, int nx, struct elastic e)
{
  int x = CUDA_X, y = CUDA_Y, z = CUDA_Z;
  if (x < 2 || x >= nx - 2 || y < 2 || y >= ny - 2 || z < 2 || z >= nz - 2)
    return;
  long row = nx, plane = (long) nx * ny, i = x + y * row + z * plane;
  float r[3];
#pragma unroll
  for (int a = 0; a < 3; a++)
    r[a] = along (e, i, x, a);
#pragma unroll
  for (int a = 0; a < 3; a++)
    DERIVATIVE (p, DERIVATIVE (q, {
      float t = e.metric[0][i + p];
      /* d_x (m d_y u), and the same down the planes; what is behind a plane
         has its own metric.  */
      float m = (a == 0 ? e.lambda : e.mu)[i + p];
      r[a] += weight (p) * weight (q) * m * t
              * (t * e.u[a][i + p + q * row]
                 + e.metric[a + 1][i + p] * e.u[a][i + p + q * plane]);
      t = e.metric[0][i + q * plane];
      m = (a == 0 ? e.lambda : e.mu)[i + q * plane];
      r[a] += weight (p) * weight (q) * m * t
              * e.metric[a + 1][i + q * plane] * e.u[a][i + p + q * plane];
    }))
#pragma unroll
  for (int a = 0; a < 3; a++)
    e.out[a][i] = r[a];
}

static void
apply (const struct grid *g)
{
  struct elastic e;
  for (int a = 0; a < 3; a++)
    {
      e.u[a] = on_device (g, U + a);
      e.out[a] = on_device (g, INPUTS + a);
    }
  for (int k = 0; k < 4; k++)
    e.metric[k] = on_device (g, METRIC + k);
  e.mu = on_device (g, MU);
  e.lambda = on_device (g, LAMBDA);
  e.stretch = on_device (g, STRETCH);
  CUDA_LAUNCH (g, derivative, g->nz, g->ny, g->nx, e);
}

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  double m[5], u[5], r;
  int a = out - INPUTS;
  for (int o = -2; o <= 2; o++)
    {
      double t = at (g, METRIC, z, y, x + o), mu = at (g, MU, z, y, x + o);
      double lambda = at (g, LAMBDA, z, y, x + o);
      m[o + 2] = (a == 0 ? 2 * mu + lambda : mu) * t * t
                 * at (g, STRETCH, 0, 0, x + o);
      u[o + 2] = at (g, U + a, z, y, x + o);
    }
  r = at (g, STRETCH, 0, 0, x) * second_derivative (m, u);
  int modulus = a == 0 ? LAMBDA : MU;
  for (int p = -2; p <= 2; p++)
    for (int q = -2; q <= 2; q++)
      if (p && q)
        {
          double w = weight (p) * (double) weight (q);
          double t = at (g, METRIC, z, y, x + p);
          double down = at (g, U + a, z + q, y, x + p);
          r += w * at (g, modulus, z, y, x + p) * t
               * (t * at (g, U + a, z, y + q, x + p)
                  + at (g, METRIC + a + 1, z, y, x + p) * down);
          r += w * at (g, modulus, z + q, y, x) * at (g, METRIC, z + q, y, x)
               * at (g, METRIC + a + 1, z + q, y, x) * down;
        }
  return r;
}

GRID_PROGRAM (.name = "derivative", .dims = 3, .border = 2,
              .arrays = INPUTS + OUTPUTS, .outputs = OUTPUTS, .rotate = 0,
              .tolerance = 256)

/* The elastic wave equation's right-hand side with stretched coordinates, of
   fourth order, away from boundaries (the seismic code SW4), in CUDA.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "application.h"

/* Arrays: displacement in three directions, the two moduli; the stretching in
   each direction, whose values are the first ones of an array; what the result is
   added to.  */
enum { U, MU = 3, LAMBDA, STRETCH, FORCE = 8, INPUTS = 11, OUTPUTS = 3 };

struct elastic
{
  const float *__restrict__ u[3];
  const float *__restrict__ mu;
  const float *__restrict__ lambda;
  const float *__restrict__ stretch[3];
  const float *__restrict__ force[3];
  float *__restrict__ out[3];
};

/* d (m d u) in direction D of component A.  */
static __device__ __forceinline__ float
along (const struct elastic &e, long i, const long *step, const int *at, int d,
       int a)
{
  float m[5], u[5];
  OUTWARDS (o)
    {
      long p = i + o * step[d];
      float mu = e.mu[p];
      m[o + 2] = (a == d ? 2 * mu + e.lambda[p] : mu)
                 * e.stretch[d][at[d] + o];
      u[o + 2] = e.u[a][p];
    }
  return e.stretch[d][at[d]] * second_derivative (m, u);
}

/* d_a (lambda d_b u_b) + d_b (mu d_a u_b).  */
static __device__ __forceinline__ float
across (const struct elastic &e, long i, const long *step, int a, int b)
{
  float sum = 0;
  DERIVATIVE (p, DERIVATIVE (q, {
    float w = weight (p) * weight (q);
    sum += w * e.u[b][i + p * step[a] + q * step[b]]
           * (e.lambda[i + p * step[a]] + e.mu[i + q * step[b]]);
  }))
  return sum;
}

__global__ static void
rhs4th3fort (int nz, int ny, int nx, struct elastic e)
{
  int at[3] = { CUDA_X, CUDA_Y, CUDA_Z };
  if (at[0] < 2 || at[0] >= nx - 2 || at[1] < 2 || at[1] >= ny - 2 || at[2] < 2
      || at[2] >= nz - 2)
    return;
  long step[3] = { 1, nx, (long) nx * ny };
  long i = at[0] + at[1] * step[1] + at[2] * step[2];
  float r[3] = { 0 };
#pragma unroll
  for (int a = 0; a < 3; a++)
#pragma unroll
    for (int d = 0; d < 3; d++)
      r[a] += along (e, i, step, at, d, a);
#pragma unroll
  for (int a = 0; a < 3; a++)
#pragma unroll
    for (int d = 0; d < 3; d++)
      if (d != a)
        r[a] += e.stretch[a][at[a]] * e.stretch[d][at[d]]
                * across (e, i, step, a, d);
#pragma unroll
  for (int a = 0; a < 3; a++)
    e.out[a][i] = e.force[a][i] + r[a];
}

static void
apply (const struct grid *g)
{
  struct elastic e;
  for (int a = 0; a < 3; a++)
    {
      e.u[a] = on_device (g, U + a);
      e.stretch[a] = on_device (g, STRETCH + a);
      e.force[a] = on_device (g, FORCE + a);
      e.out[a] = on_device (g, INPUTS + a);
    }
  e.mu = on_device (g, MU);
  e.lambda = on_device (g, LAMBDA);
  CUDA_LAUNCH (g, rhs4th3fort, g->nz, g->ny, g->nx, e);
}

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  int here[3] = { x, y, z }, a = out - INPUTS;
  double r = 0;
  auto value = [&] (int array, int d, int o, int f, int p) {
    int c[3] = { x, y, z };
    c[d] += o;
    c[f] += p;
    return at (g, array, c[2], c[1], c[0]);
  };
  auto stretch = [&] (int d, int o) {
    int n = here[d] + o;
    return at (g, STRETCH + d, n / g->nx / g->ny, n / g->nx % g->ny,
               n % g->nx);
  };
  for (int d = 0; d < 3; d++)
    {
      double m[5], u[5];
      for (int o = -2; o <= 2; o++)
        {
          double mu = value (MU, d, o, d, 0);
          m[o + 2] = (a == d ? 2 * mu + value (LAMBDA, d, o, d, 0) : mu)
                     * stretch (d, o);
          u[o + 2] = value (U + a, d, o, d, 0);
        }
      r += stretch (d, 0) * second_derivative (m, u);
      for (int p = -2; p <= 2 && d != a; p++)
        for (int q = -2; q <= 2; q++)
          if (p && q)
            r += stretch (a, 0) * stretch (d, 0) * weight (p) * weight (q)
                 * value (U + d, a, p, d, q)
                 * (value (LAMBDA, a, p, d, 0) + value (MU, a, 0, d, q));
    }
  return r + at (g, FORCE + a, z, y, x);
}

GRID_PROGRAM (.name = "rhs4th3fort", .dims = 3, .border = 2,
              .arrays = INPUTS + OUTPUTS, .outputs = OUTPUTS, .rotate = 0,
              .tolerance = 256)

/* Light in a whispering-gallery resonator: one time step of Maxwell's
   equations in two dimensions (TM mode, finite differences in the time
   domain), the magnetic and the electric field in one sweep: each point
   also computes what it needs of its neighbours' new magnetic field.
   A material has the coefficients DA, DB (magnetic) and CA, CB (electric).
   19 loads a point: 18 places, and the electric field once more after the
   stores where the compiler does not see that they leave it alone.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#define INITIAL(u) (0.5 * (u)) /* keeps the fields bounded */
#include "../grid.h"

static void
whispering (int ny, int nx, const float *restrict da, const float *restrict db,
            const float *restrict ca, const float *restrict cb,
            const float *restrict current, const float *restrict ez,
            const float *restrict hx, const float *restrict hy,
            float *restrict ez1, float *restrict hx1, float *restrict hy1)
{
  int row = nx, n = ny * nx;
#pragma omp target teams distribute parallel for collapse(2)                  \
    map(to : da[:n], db[:n], ca[:n], cb[:n], current[:n])                     \
    map(to : ez[:n], hx[:n], hy[:n])                                          \
    map(tofrom : ez1[:n], hx1[:n], hy1[:n])
#pragma acc COMPUTE loop GANG                                                 \
    present(da[:n], db[:n], ca[:n], cb[:n], current[:n], ez[:n], hx[:n])      \
    present(hy[:n], ez1[:n], hx1[:n], hy1[:n])
  for (int y = 1; y < ny - 1; y++)
#pragma acc loop VECTOR
    for (int x = 1; x < nx - 1; x++)
      {
        int i = y * row + x, west = i - 1, south = i - row;
        float hx_here = da[i] * hx[i] + db[i] * (ez[i] - ez[i + row]);
        float hx_south
            = da[south] * hx[south] + db[south] * (ez[south] - ez[i]);
        float hy_here = da[i] * hy[i] + db[i] * (ez[i + 1] - ez[i]);
        float hy_west = da[west] * hy[west] + db[west] * (ez[i] - ez[west]);
        hx1[i] = hx_here;
        hy1[i] = hy_here;
        ez1[i]
            = ca[i] * ez[i]
              + cb[i] * (hy_here - hy_west + hx_south - hx_here - current[i]);
      }
}

static void
apply (const struct grid *g)
{
  whispering (g->ny, g->nx, on_device (g, 0), on_device (g, 1),
              on_device (g, 2), on_device (g, 3), on_device (g, 4),
              on_device (g, 5), on_device (g, 6), on_device (g, 7),
              on_device (g, 8), on_device (g, 9), on_device (g, 10));
}

enum
{
  DA,
  DB,
  CA,
  CB,
  CURRENT,
  EZ,
  HX,
  HY,
  EZ1,
  HX1,
  HY1
};

static double
new_hx (const struct grid *g, int y, int x)
{
  return at (g, DA, 0, y, x) * at (g, HX, 0, y, x)
         - at (g, DB, 0, y, x)
               * (at (g, EZ, 0, y + 1, x) - at (g, EZ, 0, y, x));
}

static double
new_hy (const struct grid *g, int y, int x)
{
  return at (g, DA, 0, y, x) * at (g, HY, 0, y, x)
         + at (g, DB, 0, y, x)
               * (at (g, EZ, 0, y, x + 1) - at (g, EZ, 0, y, x));
}

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  if (out == HX1)
    return new_hx (g, y, x);
  if (out == HY1)
    return new_hy (g, y, x);
  double curl = new_hy (g, y, x) - new_hy (g, y, x - 1) - new_hx (g, y, x)
                + new_hx (g, y - 1, x);
  return at (g, CA, z, y, x) * at (g, EZ, z, y, x)
         + at (g, CB, z, y, x) * (curl - at (g, CURRENT, z, y, x));
}

GRID_PROGRAM (.name = "whispering", .dims = 2, .border = 1, .arrays = 11,
              .outputs = 3, .rotate = 6, .tolerance = 8)

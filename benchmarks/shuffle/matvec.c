/* Product of a matrix and a vector: one parallel loop over the rows, a serial
   one along each.  2 loads an iteration (a compiler that unrolls by three and
   has one iteration left over makes the paper's 7).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../bench.h"

static void
matvec (int rows, int columns, const float *restrict a,
        const float *restrict x, float *restrict y)
{
  int n = rows * columns;
#pragma omp target teams distribute parallel for                              \
    map(to : a[:n], x[:columns]) map(tofrom : y[:rows])
#pragma acc parallel loop GANG VECTOR                                         \
    present(a[:n], x[:columns], y[:rows])
  for (int r = 0; r < rows; r++)
    {
      float sum = 0;
#pragma acc loop seq
      for (int c = 0; c < columns; c++)
        sum += a[r * columns + c] * x[c];
      y[r] = sum;
    }
}

static float *
make (unsigned seed, size_t count)
{
  float *p = bench_alloc (count, sizeof *p);
  for (size_t i = 0; i < count; i++)
    p[i] = bench_uniform (seed, i) - 0.5;
  return device_in (p, count * sizeof *p);
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 131, 67 };
  struct bench b;
  bench_begin (&b, "matvec", 2, sizes, argc, argv);
  int rows = b.size[0], columns = b.size[1];
  float *a = make (0, (size_t)rows * columns), *x = make (1, columns),
        *y = make (2, rows);

  for (int step = 0; step < 2; step++)
    matvec (rows, columns, a, x, y);
  device_out (y, y, rows * sizeof *y);
  for (int r = rows; r-- > 0;)
    {
      double want = 0, magnitude = 1;
      for (int c = columns; c-- > 0;)
        {
          double term = (double)x[c] * a[(size_t)r * columns + c];
          want += term;
          magnitude += fabs (term);
        }
      b.checksum += y[r];
      /* Rounding follows the partial sums; their order is not fixed.  */
      if (!bench_check (&b, y[r], want, 2 * magnitude, FLT_EPSILON))
        fprintf (stderr, "matvec: row %d: %.9g, should be %.9g\n", r, y[r],
                 want);
    }
  while (bench_repeat (&b))
    matvec (rows, columns, a, x, y);

  device_drop (a, a, (size_t)rows * columns * sizeof *a);
  device_drop (x, x, columns * sizeof *x);
  device_drop (y, y, rows * sizeof *y);
  free (a);
  free (x);
  free (y);
  return bench_end (&b);
}

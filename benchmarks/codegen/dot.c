/* Dot product in double precision.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../bench.h"

static double
dot (int n, const double *restrict a, const double *restrict b)
{
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)           \
    map(to : a[:n], b[:n]) map(tofrom : sum)
#pragma acc parallel loop reduction(+ : sum) present(a[:n], b[:n]) copy(sum)
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static double *
make (unsigned seed, int count)
{
  double *p = bench_alloc (count, sizeof *p);
  for (int i = 0; i < count; i++)
    p[i] = bench_uniform (seed, i);
  return device_in (p, count * sizeof *p);
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 1031 };
  struct bench b;
  bench_begin (&b, "dot", 1, sizes, argc, argv);
  int n = b.size[0];
  double *u = make (1, n), *v = make (2, n);

  long double want = 0;
  for (int i = 0; i < n; i++)
    want += (long double)u[i] * v[i];
  b.any_order = true;
  b.checksum = dot (n, u, v);
  /* Rounding is a random walk.  */
  if (!bench_check (&b, b.checksum, want, sqrt (n) + 4, DBL_EPSILON))
    fprintf (stderr, "dot: %.17g, should be %.17Lg\n", b.checksum, want);
  while (bench_repeat (&b))
    dot (n, u, v);

  device_drop (u, u, n * sizeof *u);
  device_drop (v, v, n * sizeof *v);
  free (u);
  free (v);
  return bench_end (&b);
}

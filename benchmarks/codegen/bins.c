/* Atomic sums of numbers in single precision: 64 bins, in which each element adds 1,
   so that all sums are exact.  ptx-post's pass atomics is what it measures
   (ACCRETE_DISABLE=atomics when it is linked leaves it out).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../bench.h"

enum { BINS = 64 };

static void
fill (int n, const float *restrict weight, float *restrict bin)
{
#pragma omp target teams distribute parallel for                              \
    map(to : weight[:n]) map(tofrom : bin[:BINS])
#pragma acc parallel loop present(weight[:n], bin[:BINS])
  for (int i = 0; i < n; i++)
    {
#pragma omp atomic
#pragma acc atomic
      bin[i % BINS] += weight[i];
    }
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 1031 };
  struct bench b;
  bench_begin (&b, "bins", 1, sizes, argc, argv);
  int n = b.size[0];
  float *weight = bench_alloc (n, sizeof *weight);
  float *bin = bench_alloc (BINS, sizeof *bin);
  for (int i = 0; i < n; i++)
    weight[i] = 1;
  for (int i = 0; i < BINS; i++)
    bin[i] = 0;
  device_in (weight, n * sizeof *weight);
  device_in (bin, BINS * sizeof *bin);
  fill (n, weight, bin);
  device_out (bin, bin, BINS * sizeof *bin);
  for (int i = 0; i < BINS; i++)
    b.checksum += (i + 1) * bin[i];
  for (int i = 0; i < BINS; i++)
    if (!bench_check (&b, bin[i], (n - i + BINS - 1) / BINS, 0, FLT_EPSILON))
      fprintf (stderr, "bins: [%d] is %g\n", i, bin[i]);
  while (bench_repeat (&b))
    fill (n, weight, bin);

  device_drop (weight, weight, n * sizeof *weight);
  device_drop (bin, bin, BINS * sizeof *bin);
  free (weight);
  free (bin);
  return bench_end (&b);
}

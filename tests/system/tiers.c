/* A kernel whose threads can compute several rows, launched N times, of which the host
   looks at a result each time, and one that is launched once.
   usage: tiers N SIZE

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define ROW(p) ((p)[-1] + (p)[0] + (p)[1])
#define SQUARE(p) (ROW ((p) - n) + ROW (p) + ROW ((p) + n))

int
main (int argc, char **argv)
{
  int times = atoi (argv[1]), n = atoi (argv[2]);
  float *restrict a = malloc (n * n * sizeof *a);
  float *restrict b = calloc (n * n, sizeof *b);
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    a[i] = i % 7;
#pragma omp target data map(to: a[:n * n]) map(tofrom: b[:n * n])
  {
    for (int t = 0; t < times; t++)
      {
#pragma omp target teams distribute parallel for collapse(2) \
    map(to: a[:n * n]) map(tofrom: b[:n * n])
	for (int i = 1; i < n - 1; i++)
	  for (int k = 1; k < n - 1; k++)
	    b[i * n + k] = b[i * n + k] / 2 + SQUARE (&a[i * n + k]);
#pragma omp target update from(b[2 * n:n])
	sum = sum / 2 + b[2 * n + t % n];
      }
#pragma omp target teams distribute parallel for collapse(2) \
    map(to: a[:n * n]) map(tofrom: b[:n * n])
    for (int i = 1; i < n - 1; i++)
      for (int k = 1; k < n - 1; k++)
	b[i * n + k] += SQUARE (&a[i * n + k]) / 4;
  }
  for (int i = 0; i < n * n; i++)
    sum += b[i];
  printf ("%.9g\n", sum);
  free (a);
  free (b);
  return 0;
}

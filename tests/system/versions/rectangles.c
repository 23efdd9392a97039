/* Rectangles between host and device, in turn with kernels on the same memory.
   Prints how many values are wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 64

static int a[N][N], b[N][N];
int
main (void)
{
  int bad = 0, dev = omp_get_default_device ();
  int host = omp_get_initial_device ();
  int *d = omp_target_alloc (sizeof a, dev);
  size_t vol[2] = { 20, 30 }, doff[2] = { 3, 4 }, soff[2] = { 5, 6 };
  size_t dims[2] = { N, N };
  for (int k = 1; k < 4; k++)
    {
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          a[i][j] = i * 100 + j + k;
#pragma omp target teams distribute parallel for is_device_ptr(d)
      for (int i = 0; i < N * N; i++)
        d[i] = -k;
      bad += omp_target_memcpy_rect (d, a, sizeof (int), 2, vol, doff, soff,
                                     dims, dims, dev, host)
             != 0;
#pragma omp target teams distribute parallel for is_device_ptr(d)
      for (int i = 0; i < N * N; i++)
        d[i] *= 2;
      memset (b, 0, sizeof b);
      bad += omp_target_memcpy_rect (b, d, sizeof (int), 2, vol, soff, doff,
                                     dims, dims, host, dev)
             != 0;
      for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++)
          bad += b[5 + i][6 + j] != 2 * a[5 + i][6 + j];
      bad += b[0][0] != 0;
    }
  omp_target_free (d, dev);
  printf ("%d\n", bad);
  return bad != 0;
}

/* Managed memory: the host reads what kernels wrote, and the reverse, with nothing
   between.  Prints how many values are wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>

enum
{
  N = 500
};

int
main (void)
{
  int bad = 0, *a = omp_alloc (N * sizeof *a, ompx_gnu_managed_mem_alloc);
  for (int k = 0; a && k < 5; k++)
    {
      for (int i = 0; i < N; i++)
        a[i] = i + k;
#pragma omp target teams distribute parallel for is_device_ptr(a)
      for (int i = 0; i < N; i++)
        a[i] *= 3;
      for (int i = 0; i < N; i++)
        bad += a[i] != 3 * (i + k);
      a[1] = 1;
      a[2] = 2;
#pragma omp target is_device_ptr(a)
      a[3] = a[1] + a[2];
      bad += a[3] != 3;
    }
  omp_free (a, ompx_gnu_managed_mem_alloc);
  printf ("%d\n", bad);
  return bad != 0;
}

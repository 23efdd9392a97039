/* Device memory that the host sets: behind kernels that wrote it, and in front of
   such that read it.  Prints how many values are wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>

enum
{
  N = 600
};

static char a[N];

int
main (void)
{
  int bad = 0, dev = omp_get_default_device ();
  char *d;
#pragma omp target data map(tofrom : a)
  {
#pragma omp target data use_device_addr(a)
    d = a;
    for (int k = 1; k < 4; k++)
      {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
          a[i] = k;
        bad += omp_target_memset (d + 100, 10 * k, 50, dev) != d + 100;
        omp_target_memset_async (d + 300, 7, 100, dev, 0, NULL);
#pragma omp taskwait
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
          a[i]++;
#pragma omp target update from(a)
        for (int i = 0; i < N; i++)
          bad += a[i]
                 != (i >= 100 && i < 150   ? 10 * k
                     : i >= 300 && i < 400 ? 7
                                           : k)
                        + 1;
      }
    omp_target_memset (d, 0, N / 2, dev);
  }
  for (int i = 0; i < N; i++)
    bad += a[i] != (i < N / 2 ? 0 : i < 400 ? 8 : 4);
  printf ("%d\n", bad);
  return bad != 0;
}

/* OpenACC: what the second construct has a copy of is, in a loop inside, the
   index, and has the value of what the first one has a copy of.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 100 };

static float a[N * N], x[N], y[N], q[N], z[N];

__attribute__ ((noipa)) static void
products (int n, int m)
{
  int j = n;
#pragma acc parallel loop gang present(a, x, q)
  for (int i = 0; i < m; i++)
    {
      float s = 0;
#pragma acc loop vector reduction(+:s)
      for (int k = 0; k < n; k++)
	s += a[i * N + k] * x[k];
      q[i] = s;
    }
/* REMARK: fused with the one at index.c:16$ */
#pragma acc parallel loop gang present(a, y, q, z) firstprivate(j)
  for (int i = 0; i < m; i++)
    {
      float s = j;
#pragma acc loop vector reduction(+:s)
      for (j = 1; j < n; j++)
	s += a[i * N + j] * y[j] * n;
      z[i] = s + q[i];
    }
}

int
main (void)
{
  for (int i = 0; i < N * N; i++)
    a[i] = 1;
  for (int i = 0; i < N; i++)
    x[i] = 1, y[i] = 2;
#pragma acc data copyin(a, x, y) copyout(q, z)
  products (N, N);
  printf ("%g %g\n", q[3], z[3]);
  return 0;
}

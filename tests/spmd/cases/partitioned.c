/* OpenACC regions in the form that GCC gives them, where one lane computes what
   all of its warp need, and all do so by the pass uniform.
   FLAGS: -fopenacc -fplugin-arg-accrete-disable=spmd

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#define N 200
static int row[N + 1], col[20 * N];
static double a[20 * N], x[N], y[N], want[N];
static int h[N], hw[N];
int main (void)
{
  int n = N, bad = 0;
  for (int i = 0; i < n; i++)
    row[i + 1] = row[i] + (i * 7) % 20;
  for (int k = 0; k < row[n]; k++)
    { col[k] = (k * 13) % n; a[k] = k % 17 - 3; }
  for (int i = 0; i < n; i++) x[i] = i % 5 + 1;
  for (int i = 0; i < n; i++)
    { want[i] = 0; for (int k = row[i]; k < row[i+1]; k++) want[i] += a[k] * x[col[k]]; }
#pragma acc data copyin(a,x,row,col) copyout(y)
  {
#pragma acc parallel num_gangs(3)
#pragma acc loop gang worker
  for (int i = 0; i < n; i++)
    {
      double s = 0;
      int b = row[i], e = row[i+1];
#pragma acc loop vector reduction(+:s)
      for (int k = b; k < e; k++)
	s += a[k] * x[col[k]];
      y[i] = s;
    }
  }
  for (int i = 0; i < n; i++) bad += y[i] != want[i];

  /* What lanes write, lane 0 reads, and the other way round.  */
  for (int i = 0; i < n; i++) { h[i] = i; hw[i] = i; }
#pragma acc parallel loop gang copy(h) num_gangs(4) num_workers(2)
  for (int i = 0; i < n / 8; i++)
    {
      int base = i * 8, t = h[base] & 3;
      h[base] = t + 5;
#pragma acc loop vector
      for (int k = 0; k < 8; k++)
        h[base + k] += t + k;
      int u = h[base + 3] & 7;
#pragma acc loop worker vector
      for (int k = 0; k < 8; k++)
        h[base + k] += u;
      if (u > 3)
        h[base + 7] = t;
    }
  for (int i = 0; i < n / 8; i++)
    {
      int base = i * 8, t = hw[base] & 3;
      hw[base] = t + 5;
      for (int k = 0; k < 8; k++) hw[base + k] += t + k;
      int u = hw[base + 3] & 7;
      for (int k = 0; k < 8; k++) hw[base + k] += u;
      if (u > 3) hw[base + 7] = t;
    }
  for (int i = 0; i < n; i++) bad += h[i] != hw[i];

  /* Two loops for the vector, one behind the other; an atomic update.  */
  static int g[16 * 64], count[16];
  for (int i = 0; i < 16 * 64; i++)
    g[i] = i;
#pragma acc parallel loop gang copy(g, count) num_gangs(4)
  for (int i = 0; i < 16; i++)
    {
      int seen, first = g[i * 64] & 1;
#pragma acc loop vector
      for (int k = 0; k < 32; k++)
        g[i * 64 + k] += i + first;
#pragma acc loop vector
      for (int k = 0; k < 32; k++)
        {
          g[i * 64 + 32 + k] = g[i * 64 + 31 - k];
#pragma acc atomic
          count[i & 3]++;
        }
#pragma acc atomic capture
      seen = count[4 + (i & 1)]++;
#pragma acc loop vector
      for (int k = 0; k < 32; k++)
        g[i * 64 + k] += seen < 8 ? first : 1000;
    }
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 32; k++)
      {
        bad += g[i * 64 + 32 + k] != i * 64 + 31 - k + i;
        bad += g[i * 64 + k] != i * 64 + k + i;
      }
  for (int i = 0; i < 4; i++)
    bad += count[i] != 128;
  bad += count[4] != 8 || count[5] != 8;
  printf ("%d wrong\n", bad);
  return bad != 0;
}

/* Variables of variable size: mapped ones may be in an SPMD kernel, private
   ones may not.

   ACCEPT: 2
   REJECT: a private variable of variable size
   REJECT: a private variable of variable size
   REJECT: a private variable of variable size
   REJECT: a private variable of variable size
   REJECT: a private variable of variable size
   REJECT: a private variable of variable size
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 300, M = 8 };

/* What an iteration's own variable makes of I.  */
#define FILL(V, I) for (int k = 0; k < m; k++) V[(k + I) % m] = I + k
#define SUM(S, V) for (int k = 0; k < m; k++) S += V[k] * (k + 1)

static void
mapped (int n, int m)
{
  int a[n], b[n][m], want[n];
  for (int i = 0; i < n; i++)
    {
      want[i] = 3 * i + i % m;
      a[i] = i;
      for (int j = 0; j < m; j++)
        b[i][j] = i + j;
    }
#pragma omp target teams distribute parallel for map (tofrom: a) map (to: b)
  for (int i = 0; i < n; i++)
    a[i] += i + b[i][i % m];
  check_ints ("mapped", a, want, n);
#pragma omp target teams distribute parallel for collapse (2) map (tofrom: b)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] *= 2;
  for (int i = 0; i < n; i++)
    check_long ("mapped, two dimensions", b[i][i % m], 2 * (i + i % m));
}

static void
private (int n, int m)
{
  int a[n], v[m], want[n], start[n];
  for (int i = 0; i < n; i++)
    {
      a[i] = want[i] = start[i] = 0;
      FILL (v, i);
      SUM (want[i], v);
    }
  for (int k = 0; k < m; k++)
    v[k] = 1;
  for (int i = 0; i < n; i++)
    start[i] = m * (m + 1) / 2;

#pragma omp target teams distribute parallel for private (v) map (tofrom: a)
  for (int i = 0; i < n; i++)
    {
      FILL (v, i);
      SUM (a[i], v);
    }
  check_ints ("private", a, want, n);

#pragma omp target teams distribute parallel for firstprivate (v)             \
    map (from: a) num_teams (n) thread_limit (1)
  for (int i = 0; i < n; i++)
    {
      a[i] = 0;
      SUM (a[i], v);
      FILL (v, i);
      FILL (v, 1);
      for (int k = 0; k < m; k++)
        v[k] = 1;
    }
  check_ints ("firstprivate", a, start, n);

#pragma omp target teams distribute parallel for lastprivate (v)              \
    map (from: v) map (tofrom: a)
  for (int i = 0; i < n; i++)
    {
      a[i] = 0;
      FILL (v, i);
      SUM (a[i], v);
    }
  check_ints ("lastprivate, within", a, want, n);
  long sum = 0;
  SUM (sum, v);
  check_long ("lastprivate, behind", sum, want[n - 1]);

#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 0; i < n; i++)
    {
      int s = 0;
#pragma omp simd private (v)
      for (int j = 0; j < 3; j++)
        {
          v[0] = i + j;
          s += v[0];
        }
      a[i] = s - 3 * i;
    }
  for (int i = 0; i < n; i++)
    want[i] = 3;
  check_ints ("private of a simd loop", a, want, n);

#pragma omp target parallel map (tofrom: a) firstprivate (v)
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      {
        v[1] = i;
        a[i] += v[1];
      }
#pragma omp for
    for (int i = 0; i < n; i++)
      {
        v[1] = -i;
        a[i] += v[1];
      }
  }
  check_ints ("firstprivate of several loops", a, want, n);

#pragma omp target map (tofrom: a) private (v)
  {
    v[m - 1] = 4;
    a[0] += v[m - 1];
  }
  check_long ("private of the target", a[0], 7);
}

int
main (void)
{
  mapped (N, M);
  private (N, M);
  return check_status ();
}

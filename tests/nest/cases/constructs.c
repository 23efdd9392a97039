/* Every construct and clause that a nested OpenMP region may have.
   NESTED: 17
   LAUNCHES: 7
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <string.h>

enum { N = 40, W = 24 };

struct pair
{
  int x;
  double y;
};

static int row[N], out[N * W], sums[N], lasts[N], more[N];
static double reals[N];
static int total, most, bits, both = 1;

/* A number of all that a region may have changed.  */
static void
show (const char *what)
{
  unsigned sum = 0;
  for (int i = 0; i < N; i++)
    sum = sum * 31 + sums[i] * 7 + lasts[i] * 3 + more[i] + (int) reals[i];
  for (int i = 0; i < N * W; i++)
    sum = sum * 31 + out[i];
  printf ("%s: %u, %d %d %d %d\n", what, sum, total, most, bits, both);
}

static void
loops (void)
{
  struct pair p = { 3, 0.5 };
  int table[4] = { 1, 10, 100, 1000 };
#pragma omp target teams distribute parallel for map (tofrom : out, sums)     \
  map (to : row)
  for (int i = 0; i < N; i++)
    {
      int n = row[i], own[2] = { i, -i }, *mine = out + i * W;
      /* Up, down, in steps, in a rectangle, with unequal bounds.  */
#pragma omp target teams distribute parallel for
      for (int j = 0; j < n; j++)
        mine[j] += own[0] + p.x + table[j & 3];
#pragma omp target teams distribute parallel for simd map (tofrom            \
                                                           : mine[0 : n])
      for (int j = n - 1; j >= 0; j -= 3)
        mine[j] += own[1] + (int) (4 * p.y);
#pragma omp target teams distribute
      for (long j = -n; j <= n; j += 2)
        mine[(j + n) / 2] ^= 5;
#pragma omp target parallel for collapse (2)
      for (unsigned j = 0; j < 4; j++)
        for (int k = 5; k != 0; k--)
          mine[j * 5 + k - 1] += j * k;
#pragma omp target parallel for simd collapse (2)
      for (int j = 0; j < 5; j++)
        for (int k = 0; k <= j; k++)
          mine[j * (j + 1) / 2 + k] += 1;
#pragma omp target teams distribute parallel for
      for (int *q = mine; q < mine + n; q += 2)
        *q += 1;
#pragma omp target parallel for
      for (unsigned char c = 240; c < 250; c += 3)
        mine[c - 240] += c;
#pragma omp target simd
      for (int j = 0; j < n; j++)
        mine[j] -= j;
#pragma omp target
      sums[i] = n;
    }
  show ("loops");
}

static void
clauses (void)
{
  struct pair p = { 1, 2 };
#pragma omp target teams distribute parallel for map (                        \
  tofrom : out, sums, lasts, more, reals, total, most, bits, both)            \
  map (to : row)
  for (int i = 0; i < N; i++)
    {
      int n = row[i], sum = 0, last = -1, x = i, lin = 2, j = 9, arr[3] = { 0 };
      double real = 0;
#pragma omp target teams distribute parallel for map (tofrom : sum)           \
  reduction (+ : sum, total) reduction (max : most) reduction (| : bits)      \
  reduction (&& : both) firstprivate (x)
      for (int k = 0; k < n; k++)
        {
          sum += x + k;
          total++;
          if (most < x + k)
            most = x + k;
          bits |= 1 << (k & 7);
          both = both && x >= k;
        }
#pragma omp target map (tofrom : last, j, p)
#pragma omp parallel for lastprivate (last, j) firstprivate (p)
      for (j = n + 1; j > 0; j -= 2)
        {
          p.x += j;
          last = j + p.x;
        }
#pragma omp target map (tofrom : lin, real, arr)
#pragma omp simd linear(lin : 3) reduction (+ : real) reduction (- : arr)
      for (int k = 0; k < n; k++)
        {
          real += 0.25 * lin;
          arr[k % 3] -= lin;
          lin += 3;
        }
#pragma omp target teams distribute private(x) nowait depend (in : n) if (n > 4)
      for (int k = 0; k < n; k++)
        {
          x = k * 2;
#pragma omp atomic
          more[i] += x;
        }
#pragma omp target firstprivate(x, arr) map (tofrom : sum)
      {
        x++;
        arr[0] += 1000 * x;
        sum += x + arr[0];
      }
      sums[i] = sum + x + arr[0] + 2 * arr[1] + 3 * arr[2];
      lasts[i] = last + 100 * j + 10000 * lin + p.x;
      reals[i] = real;
    }
  show ("clauses");
}

static void
parts (void)
{
#pragma omp target teams distribute parallel for map (tofrom                  \
                                                      : out, sums, more)
  for (int i = 0; i < N; i++)
    {
      int a = 0, b = 0, n = row[i];
#pragma omp target map (tofrom : a, b)
#pragma omp parallel
      {
#pragma omp sections lastprivate (b)
        {
#pragma omp section
          a += 1;
#pragma omp section
          {
            b = 7;
            a += 10;
          }
        }
#pragma omp single
        a += 100;
#pragma omp master
        a += 1000;
#pragma omp barrier
#pragma omp critical (more)
        more[0] += i;
#pragma omp atomic
        more[1] += n;
#pragma omp for ordered
        for (int k = 0; k < n; k++)
          {
#pragma omp ordered
            a += k;
          }
#pragma omp task shared (a) firstprivate (b)
        {
          b++;
          a += b;
        }
#pragma omp taskwait
      }
      /* A region of a region of a region.  */
#pragma omp target teams distribute parallel for
      for (int k = 0; k < 3; k++)
        {
          int below = 0;
#pragma omp target data map (tofrom : below)
          {
#pragma omp target enter data map (to : below)
#pragma omp target parallel for map (tofrom : below) reduction (+ : below)
            for (int l = 0; l < k; l++)
              {
                int deep = 0;
#pragma omp target map (tofrom : deep)
                for (int m = 0; m <= l; m++)
                  deep += m;
                below += deep + 1;
              }
#pragma omp target exit data map (from : below)
          }
          out[i * W + k] += below;
        }
      sums[i] = a + b;
    }
  show ("parts");
}

/* The launching thread is alone wherever it is.  */
static void
scan (void)
{
#pragma omp target map (tofrom : out)
  {
    int sum = 0;
#pragma omp target map (tofrom : sum)
#pragma omp parallel for reduction (inscan, + : sum)
    for (int k = 0; k < N; k++)
      {
        out[k] = sum;
#pragma omp scan exclusive(sum)
        sum += k;
      }
    out[N] = sum;
  }
  show ("scan");
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    row[i] = i * 7 % 23;
  loops ();
  clauses ();
  parts ();
  scan ();
  return 0;
}

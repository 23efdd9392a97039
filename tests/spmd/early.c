/* Loops of one thread: prints the bits of what each leaves, for several lengths.  Those
   marked T have loads that may begin together, those marked F have not.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 1200 };

static float x[N], y[N], out[N];
static double dx[N], dout[N];
static int k[N], kout[N], order[N];
static uint64_t all;

static void
note (const char *name, int n, const void *what, size_t bytes)
{
  uint64_t h = 1469598103934665603u;
  for (size_t i = 0; i < bytes; i++)
    h = (h ^ ((const unsigned char *) what)[i]) * 1099511628211u;
  printf ("%s %d %016llx\n", name, n, (unsigned long long) h);
  all = all * 31 + h;
}

/* T */
static void
in_place (float *e, int n)
{
#pragma omp target
  for (int i = 1; i < n; i++)
    e[0] += e[i];
}

/* T */
static void
own_sum (const float *p, float *to, int n)
{
#pragma omp target
  {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += p[i];
    to[0] = sum;
  }
}

/* F: the first addition changes what is loaded in it.  */
static void
with_itself (float *e, int n)
{
#pragma omp target
  for (int i = 0; i < n; i++)
    e[0] += e[i];
}

/* T: products with the next iteration's operand, and a load twice.  */
static void
products (const float *p, float *to, int n)
{
#pragma omp target
  {
    float sum = .5f, other = 0;
    for (int i = 1; i < n; i++)
      {
        sum += p[i] * p[i - 1];
        other = p[i] * p[i] - other;
      }
    to[0] = sum;
    to[1] = other;
  }
}

/* F: what a product is contracted with is in the next iteration.  */
static void
left_product (const float *p, float *to, int n)
{
#pragma omp target
  {
    float sum = .5f;
    for (int i = 0; i < n; i++)
      sum = (sum + p[i]) * .99f;
    to[0] = sum;
  }
}

/* F: a number of the index, which iterations may share.  */
static void
weighted (const float *p, float *to, int n)
{
#pragma omp target
  {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += p[i] * i - p[i] * (i + 1);
    to[0] = sum;
  }
}

/* T: down, by more than one, doubles.  */
static void
down (const double *p, double *to, int n)
{
#pragma omp target
  {
    double sum = 0;
    for (int i = n - 1; i >= 0; i -= 3)
      sum = sum * .875 + p[i];
    to[0] = sum;
  }
}

/* T */
static void
unsigned_index (const double *p, double *to, unsigned n)
{
#pragma omp target
  {
    double sum = 0, last = 1;
    for (unsigned i = 0; i < n; i++)
      {
        sum += p[i] * last;
        last = p[i];
      }
    to[0] = sum;
    to[1] = last;
  }
}

/* F: it branches.  */
static void
least (const double *p, double *to, int n)
{
#pragma omp target
  {
    double found = 1e9;
    for (int i = 0; i < n; i++)
      found = p[i] < found ? p[i] : found;
    to[0] = found;
  }
}

/* F: the recurrence stores what the next iteration loads.  */
static void
recurrence (float *e, int n)
{
#pragma omp target
  for (int i = 1; i < n; i++)
    e[i] = e[i - 1] * .5f + e[i];
}

/* T: what is loaded is another object than what is stored.  */
static void
prefix (const float *restrict p, float *restrict to, int n)
{
#pragma omp target
  {
    float sum = 0;
    for (int i = 0; i < n; i++)
      to[i] = sum += p[i];
  }
}

/* F: those may be one.  */
static void
may_overlap (float *p, float *to, int n)
{
#pragma omp target
  for (int i = 0; i < n; i++)
    to[i] += p[i];
}

/* T: the places, not the numbers, which nobody knows.  */
static void
indirect (const float *restrict p, const int *restrict where, float *to, int n)
{
#pragma omp target
  {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += p[where[i]];
    to[0] = sum;
  }
}

/* T: integers, and numbers of what is loaded.  */
static void
numbers (const int *p, float *to, int *count, int n)
{
#pragma omp target
  {
    float sum = 0;
    int c = 0;
    for (int i = 0; i < n; i++)
      {
        sum += p[i] * .125f;
        c = c * 3 + p[i];
      }
    to[0] = sum;
    count[0] = c;
  }
}

/* F: the bound is stored to.  */
static void
own_bound (int *p, int n)
{
  p[0] = n;
#pragma omp target update to(p[0:1])
#pragma omp target
  for (int i = 1; i < p[0]; i++)
    {
      p[0] -= i & 1;
      p[1] += p[i];
    }
}

/* T, twice: rows, and a sum of their sums.  */
static void
rows (const float *p, float *to, int n)
{
#pragma omp target
  {
    float sum = 0;
    for (int i = 0; i < 7; i++)
      {
        float row = 0;
        for (int j = i; j < n; j++)
          row += p[j];
        to[i] = row;
        sum += row;
      }
    for (int j = 3; j <= n - 4; j++)
      sum += p[j + 2];
    to[7] = sum;
  }
}

/* F: all is written out.  */
static void
few (const float *p, float *to)
{
#pragma omp target
  {
    float sum = 0;
    for (int i = 0; i < 40; i++)
      sum = sum * .5f + p[i];
    to[0] = sum;
  }
}

/* T: variables of an iteration's own, and what is stored behind them.  */
static void
own_variables (const float *restrict p, float *restrict to, int n)
{
#pragma omp target
  for (int i = 0; i < n; i++)
    {
      float a = p[i];
      {
        float b = a * a;
        to[0] = to[0] * .75f + b;
        to[1] += b - a;
      }
    }
}

/* F: the test computes what the body loads.  */
static void
by_the_test (const float *p, float *to, int n)
{
#pragma omp target
  {
    float sum = 0;
    for (int i = 0, at; at = i * 2 % 700, i < n; i++)
      sum += p[at];
    for (int i = 0, at; at = i + 1, i < n; i++)
      sum += p[at - 1] * p[i];
    to[0] = sum;
  }
}

/* F: it may end before.  */
static void
found (const float *p, float *to, int n)
{
#pragma omp target
  {
    int i;
    for (i = 0; i < n; i++)
      if (p[i] < .002f)
        break;
    to[0] = i;
  }
}

/* F */
static void
changes (volatile float *p, float *to, int n)
{
#pragma omp target
  {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += p[i];
    to[0] = sum;
  }
}

static void
begin (void)
{
  for (int i = 0; i < N; i++)
    {
      x[i] = 1 / (float) (i + 3);
      y[i] = 1 / (float) (2 * i + 5);
      dx[i] = 1 / (double) (3 * i + 7);
      k[i] = i * 2654435761u >> 20;
      order[i] = i * 7 % N;
      out[i] = dout[i] = kout[i] = 0;
    }
#pragma omp target update to(x, y, dx, k, order, out, dout, kout)
}

#define RUN(name, array, ...)						      \
  do									      \
    {									      \
      begin ();								      \
      name (__VA_ARGS__);						      \
      _Pragma ("omp target update from(x, out, dout, kout, k)")	      \
      note (#name, n, array, sizeof array);				      \
    }									      \
  while (0)

int
main (void)
{
  static const int lengths[]
    = { 0, 1, 2, 4, 31, 32, 33, 34, 35, 63, 64, 65, 66, 96, 97, 98, 500, N };
#pragma omp target enter data map(to: x, y, dx, k, order, out, dout, kout)
  for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++)
    {
      int n = lengths[l];
      RUN (in_place, x, x, n);
      RUN (own_sum, out, x, out, n);
      RUN (with_itself, x, x, n);
      RUN (products, out, x, out, n);
      RUN (left_product, out, x, out, n);
      RUN (weighted, out, x, out, n);
      RUN (down, dout, dx, dout, n);
      RUN (unsigned_index, dout, dx, dout, n);
      RUN (least, dout, dx, dout, n);
      RUN (recurrence, x, x, n);
      RUN (prefix, out, x, out, n);
      RUN (may_overlap, x, x, x + 1, n - 1);
      RUN (indirect, out, x, order, out, n);
      RUN (numbers, out, k, out, kout, n);
      note ("numbers", n, kout, sizeof kout);
      RUN (own_bound, k, k, n);
      RUN (rows, out, x, out, n);
      RUN (few, out, x, out);
      RUN (own_variables, out, x, out, n);
      RUN (by_the_test, out, x, out, n);
      RUN (found, out, x, out, n);
      RUN (changes, out, x, out, n);
    }
#pragma omp target exit data map(delete: x, y, dx, k, order, out, dout, kout)
  printf ("%llx\n", (unsigned long long) all);
  return 0;
}

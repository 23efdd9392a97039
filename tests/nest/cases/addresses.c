/* Parents that take addresses of their own variables, which no child gets; of the
   last child's a function that keeps one might.
   FLAGS: -fopenacc
   NESTED: 4
   LAUNCHES: 3
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 96
};

struct range
{
  int begin, end, *of;
};

static int out[4][N][64];

#pragma acc routine seq
static void __attribute__ ((noinline))
find (int i, struct range *r)
{
  r->begin = i % 7;
  r->end = 8 + i % 40;
}

#pragma acc routine seq
static int *__attribute__ ((noinline))
larger (int *a, int *b)
{
  return *a < *b ? b : a;
}

int
main (void)
{
  /* A function sets a structure, of which the child reads members.  */
#pragma acc parallel loop gang vector copy(out)
  for (int i = 0; i < N; i++)
    {
      struct range r;
      find (i, &r);
#pragma acc parallel loop
      for (int k = r.begin; k < r.end; k++)
        out[0][i][k] = k + i + r.end;
      out[0][i][0]++;
    }
  /* A pointer to one's own variable, which is read; its value goes on.  */
#pragma acc parallel loop gang vector copy(out)
  for (int i = 0; i < N; i++)
    {
      int a = i % 13, b = i % 11, *p = larger (&a, &b), n = *p;
      *p += 3;
#pragma acc parallel loop
      for (int k = 0; k < n; k++)
        out[1][i][k] = k + a * b;
      out[1][i][0]++;
    }
  /* It is the pointer that the child gets.  */
#pragma acc parallel loop gang vector copy(out)
  for (int i = 0; i < N; i++)
    {
      int a = i % 13, b = i % 11, *p = larger (&a, &b);
#pragma acc parallel loop
      for (int k = 0; k < 8; k++)
        out[2][i][k] = k + *p;
      out[2][i][0]++;
    }
  /* A structure that leads there: a member that does not.  */
#pragma acc parallel loop gang vector copy(out)
  for (int i = 0; i < N; i++)
    {
      struct range r = { i % 3, 9 + i % 9, out[3][i] };
#pragma acc parallel loop
      for (int k = r.begin; k < r.end; k++)
        r.of[k] = k * i;
      out[3][i][0]++;
    }
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < N; i++)
      {
        long s = 0;
        for (int k = 0; k < 64; k++)
          s += out[j][i][k] * (k + 1L);
        printf ("%ld\n", s);
      }
  return 0;
}

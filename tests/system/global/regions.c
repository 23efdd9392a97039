/* A region that calls a global function, which has a frame and no result; in a library
   where FUNCTION says what to call from outside.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#ifdef _OPENACC
# define GLOBAL _Pragma ("acc routine seq")
# define REGION _Pragma ("acc parallel loop copyout (got)")
#else
# define GLOBAL _Pragma ("omp declare target")
# define REGION                                                                \
   _Pragma ("omp target teams distribute parallel for map (from : got)")
#endif

enum
{
  N = 500
};

GLOBAL
void
spread (int n, int out[5])
{
  int sum[5] = { 0 };
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 5; k++)
      sum[k] += (n ^ i) % (k + 3);
  for (int k = 0; k < 5; k++)
    out[k] += sum[k];
}
#ifndef _OPENACC
# pragma omp end declare target
#endif

int
wrong (void)
{
  static int got[N];
  int bad = 0;
  REGION
  for (int i = 0; i < N; i++)
    {
      int out[5] = { 1, 2, 3, 4, 5 };
      spread (i % 40, out);
      got[i] = out[0] + 3 * out[1] + 5 * out[2] + 7 * out[3] + 9 * out[4];
    }
  for (int i = 0; i < N; i++)
    {
      int out[5] = { 1, 2, 3, 4, 5 };
      spread (i % 40, out);
      bad += got[i] != out[0] + 3 * out[1] + 5 * out[2] + 7 * out[3] + 9 * out[4];
    }
  return bad;
}

#ifndef LIBRARY
int
main (void)
{
  printf ("%d wrong\n", wrong ());
  return wrong () != 0;
}
#endif

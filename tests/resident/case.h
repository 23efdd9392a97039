/* Two arrays that the cases' loops go over.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 300 };
static int a[N], b[N];

static unsigned
hash (void)
{
  unsigned h = 0;
  for (int i = 0; i < N; i++)
    h = h * 31 + a[i] * 7 + b[i];
  return h;
}

static void
fill (void)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = i;
      b[i] = N - i;
    }
}

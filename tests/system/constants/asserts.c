/* assert in a loop, in a function that a loop calls, in a condition: prints how many
   results are wrong.  With an argument the iteration of that number fails.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };

static int a[N], b[N];

#pragma acc routine seq
#pragma omp declare target
static int
half (int x)
{
  assert (x % 2 == 0 && "even");
  return x / 2;
}
#pragma omp end declare target

int
main (int argc, char **argv)
{
  int bad = argc > 1 ? atoi (argv[1]) : -1, wrong = 0;
  for (int i = 0; i < N; i++)
    a[i] = i == bad ? 1 << 20 : i;
#pragma acc parallel loop copy (a) copyout (b)
#pragma omp target teams distribute parallel for map (tofrom: a) map (from: b)
  for (int i = 0; i < N; i++)
    {
      assert (a[i] < N);
      if (i % 3 == 0)
	assert (a[i] % 3 == 0);
      b[i] = half (2 * a[i]);
      a[i]++;
    }
  for (int i = 0; i < N; i++)
    wrong += a[i] != i + 1 || b[i] != i;
  printf ("%d\n", wrong);
  return 0;
}

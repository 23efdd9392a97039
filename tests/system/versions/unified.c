/* A program that requires unified shared memory: it walks the host's lists on the
   device, or runs on the host where the GPU has no such memory.  Prints how many
   values are wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#pragma omp requires unified_shared_memory

struct node
{
  int value;
  struct node *next;
};

int
main (void)
{
  enum
  {
    N = 500
  };
  struct node *list = NULL;
  int bad = 0, sum = 0, *a = malloc (N * sizeof *a);
  for (int i = 0; i < 10; i++)
    {
      struct node *n = malloc (sizeof *n);
      *n = (struct node){ i, list };
      list = n;
    }
  for (int k = 1; k < 4; k++)
    {
#pragma omp target map(tofrom : sum)
      for (struct node *n = list; n; n = n->next)
        sum += n->value;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        a[i] = i + k;
      for (int i = 0; i < N; i++)
        bad += a[i] != i + k;
      bad += sum != 45 * k;
    }
  printf ("%d\n", bad);
  return bad != 0;
}

/* Constructs whose kernels want the addresses of their argument blocks, a critical
   section each, so that they stay in generic mode: the same arguments again and again;
   others now and then; the same while somebody else, this thread or another one, has
   had the block between them.
   Prints how many sums are wrong.
   usage: blocks same|others|between|thread ROUNDS
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  N = 64
};

static int a[N], b[N];

/* One site, for both arrays.  */
__attribute__ ((noinline, noclone)) static void
add (int *p)
{
#pragma omp target teams distribute parallel for map(tofrom : p[:N])
  for (int i = 0; i < N; i++)
    {
      if (i == 0)
#pragma omp critical
        p[N - 1] += 3;
      p[i] += 1;
    }
}

/* Memory of the size of a block, with other bytes, again free.  */
static void *
take_block (void *unused)
{
  int host = omp_get_initial_device (), device = omp_get_default_device ();
  static const char junk[N] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  for (size_t n = sizeof (void *); n <= N; n *= 2)
    {
      void *p = omp_target_alloc (n, device);
      omp_target_memcpy (p, junk, n, 0, 0, device, host);
      omp_target_free (p, device);
    }
  return unused;
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  int rounds = atoi (argv[2]), times[2] = { 0, 0 };
#pragma omp target data map(tofrom : a, b)
  for (int k = 0; k < rounds; k++)
    {
      int other = !strcmp (argv[1], "others") && k % 3 == 0;
      add (other ? b : a);
      times[other]++;
      if (!strcmp (argv[1], "between"))
        take_block (NULL);
      pthread_t t;
      if (!strcmp (argv[1], "thread")
          && !pthread_create (&t, NULL, take_block, NULL))
        pthread_join (t, NULL);
    }
  int wrong = 0;
  for (int i = 0; i < N; i++)
    {
      int more = i == N - 1 ? 4 : 1;
      wrong += (a[i] != more * times[0]) + (b[i] != more * times[1]);
    }
  printf ("%d wrong\n", wrong);
  return 0;
}

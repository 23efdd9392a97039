/* OpenMP regions that start teams of the device's libgomp: what each computes
   is printed, the same for any number of teams and threads.
   usage: forkjoin [REPEATS]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 256

static int data[N], seen[N];

static long
total (void)
{
  long sum = 0;
  for (int i = 0; i < N; i++)
    sum += (long)data[i] * (i + 1) + seen[i];
  return sum;
}

/* A lock that all teams share.  */
static long
critical (void)
{
  long sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : sum, data)
  for (int i = 0; i < N; i++)
    {
      data[i] += i;
      if (i % 8 == 0)
#pragma omp critical
        sum += i;
    }
  return sum + total ();
}

/* What one thread writes, all read behind a barrier.  */
static long
barrier (void)
{
#pragma omp target parallel map(tofrom : data, seen)
  for (int step = 0; step < 5; step++)
    {
#pragma omp for
      for (int i = 0; i < N; i++)
        data[i] = i * step + 1;
#pragma omp single
      data[step] = 7;
#pragma omp for schedule(dynamic, 3)
      for (int i = 0; i < N; i++)
        seen[i] += data[(i + 1) % N];
    }
  return total ();
}

/* Teams of one block that differ in size, and are freed in between.  */
static long
sizes (void)
{
#pragma omp target teams num_teams(3) map(tofrom : data)
#pragma omp distribute
  for (int k = 0; k < 6; k++)
    for (int n = 1; n <= 8; n++)
#pragma omp parallel num_threads(n)
#pragma omp for
      for (int i = k; i < N; i += 6)
        data[i] += n;
  return total ();
}

/* A team in each thread.  */
static long
nested (void)
{
#pragma omp target teams num_teams(2) map(tofrom : data)
#pragma omp distribute parallel for
  for (int k = 0; k < 16; k++)
    {
      int sum = 0;
#pragma omp parallel reduction(+ : sum)
      for (int i = k; i < N; i += 16 * omp_get_num_threads ())
        sum += i;
      data[k] = sum;
    }
  return total ();
}

static long
tasks (void)
{
  long sum = 0;
#pragma omp target parallel map(tofrom : sum) map(to : data)
#pragma omp single
  for (int k = 0; k < 16; k++)
#pragma omp task firstprivate(k)
    {
      long part = 0;
      for (int i = k; i < N; i += 16)
        part += data[i] % 100;
#pragma omp atomic
      sum += part;
    }
  return sum;
}

static long
ordered (void)
{
  int last = -1, wrong = 0;
#pragma omp target parallel for ordered schedule(static, 1)                   \
    map(tofrom : last, wrong)
  for (int i = 0; i < 64; i++)
#pragma omp ordered
    {
      wrong += last != i - 1;
      last = i;
    }
  return last + 1000 * wrong;
}

/* A lock of the program's, and a limit that makes libgomp keep a task for each
   block.  */
static long
locks (void)
{
  long sum = 0;
  omp_lock_t lock;
#pragma omp target data map(alloc : lock) map(tofrom : sum)
  {
#pragma omp target
    omp_init_lock (&lock);
#pragma omp target teams num_teams(4) thread_limit(4)
#pragma omp distribute parallel for
    for (int i = 0; i < 64; i++)
      {
        omp_set_lock (&lock);
        sum += i;
        omp_unset_lock (&lock);
      }
  }
  return sum;
}

int
main (int argc, char **argv)
{
  static long (*const regions[]) (void)
      = { critical, barrier, sizes, nested, tasks, ordered, locks };
  int repeats = argc > 1 ? atoi (argv[1]) : 1;
  for (int i = 0; i < N; i++)
    data[i] = i * 3 % 17;
  for (int k = 0; k < repeats; k++)
    for (unsigned i = 0; i < sizeof regions / sizeof *regions; i++)
      printf ("%ld\n", regions[i]());
  return 0;
}

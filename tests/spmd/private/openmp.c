/* The same in OpenMP: a scalar that is mapped and that each iteration of a loop
   over teams sets, lets threads reduce, and reads.
   FLAGS: -fopenmp
   OWN: 4
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rows.h"

#pragma omp declare target
static double device_sum;
#pragma omp end declare target

/* Every team has a copy of a scalar without a clause.  */
static void
implicit (void)
{
  double sum = 3;
#pragma omp target teams distribute map(to: a) map(from: y)
  for (int j = 0; j < N; j++)
    {
      sum = 0;
#pragma omp parallel for reduction(+: sum)
      for (int k = 0; k < K; k++)
	sum += a[j * K + k] * (k % 7);
      y[j] = sum;
    }
  check ("implicit", 1);
  left ("implicit", sum, 3);
}

static double
mapped (int n)
{
  double sum = 5;
#pragma omp target teams distribute map(to: a) map(tofrom: y, sum)
  for (int j = 0; j < n; j++)
    {
      sum = 0;
#pragma omp parallel for reduction(+: sum)
      for (int k = 0; k < K; k++)
	sum += a[j * K + k] * (k % 7);
      y[j] = sum;
    }
  return sum;
}

/* Also where the loops are not all combined, and in a data construct; T is
   firstprivate there.  */
static void
separate (void)
{
  double sum, t = 2;
#pragma omp target data map(to: a) map(from: y) map(tofrom: t)
  {
#pragma omp target map(from: sum)
#pragma omp teams num_teams(7) thread_limit(32)
#pragma omp distribute dist_schedule(static, 2)
    for (int j = N - 1; j >= 0; j--)
      {
	t = 1;
#pragma omp parallel reduction(+: t)
#pragma omp for
	for (int k = 0; k < K; k++)
	  t += a[j * K + k] * (k % 7);
	sum = t;
	y[j] = sum - 1;
      }
  }
  check ("separate", 1);
  left ("separate", t, 2);
}

/* Threads take it from each other as well.  */
static void
threads (void)
{
  double sum = 6;
#pragma omp target teams distribute parallel for map(to: a) map(from: y) \
  map(tofrom: sum)
  for (int j = 0; j < N; j++)
    {
      sum = 0;
      for (int k = 0; k < K; k++)
	sum += a[j * K + k] * (k % 7);
      y[j] = sum;
    }
  check ("threads", 1);
  left ("threads", sum, row (N - 1));
}

/* On the device always.  */
static void
declared (void)
{
  device_sum = 4;
#pragma omp target update to(device_sum)
#pragma omp target teams distribute map(to: a) map(from: y)
  for (int j = 0; j < N; j++)
    {
      device_sum = 0;
#pragma omp parallel for reduction(+: device_sum)
      for (int k = 0; k < K; k++)
	device_sum += a[j * K + k] * (k % 7);
      y[j] = device_sum;
    }
#pragma omp target update from(device_sum)
  check ("declared", 1);
  left ("declared", device_sum, row (N - 1));
}

/* One team hands it on, which is its right.  */
static void
handed (void)
{
  double sum = 0;
#pragma omp target teams distribute num_teams(1) map(to: a) map(from: y) \
  map(tofrom: sum)
  for (int j = 0; j < N; j++)
    {
      y[j] = sum;
      sum = a[j * K];
    }
  for (int j = 0; j < N; j++)
    bad += y[j] != (j ? a[(j - 1) * K] : 0);
  left ("handed on", sum, a[(N - 1) * K]);
}

int
main (void)
{
  fill ();
  implicit ();
  left ("mapped", mapped (N), row (N - 1));
  check ("mapped", 1);
  left ("none", mapped (0), 5);
  separate ();
  threads ();
  declared ();
  handed ();
  return bad != 0;
}

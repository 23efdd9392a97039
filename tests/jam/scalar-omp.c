/* Firstprivate scalars of OpenMP regions that are in memory: GCC has integers in the
   argument block, and sends others behind it.

   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "value.h"

static float a[N];
double scale;
static float shift;
volatile float changing;
static _Complex double z;

static void
globals (int k)
{
#pragma omp target data map(tofrom : a)
  for (int t = 0; t < 4; t++)
    {
      scale = k / 4. + t;
      shift = t - k;
      /* REMARK: region: 2 scalars in the argument block */
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	a[i] += scale * i + shift;
    }
}

/* In tasks, of which each has the value from when it was met.  */
static void
tasks (int k)
{
#pragma omp target data map(tofrom : a)
  {
    for (int t = 0; t < 4; t++)
      {
	scale = k / 4. + t;
	/* REMARK: region: 1 scalar in the argument block */
#pragma omp target teams distribute parallel for nowait depend(inout : a)
	for (int i = 0; i < N; i++)
	  a[i] += scale * i;
	scale = -1;
      }
#pragma omp taskwait
  }
}

/* Each thread of the host has its own.  */
static void
threads (int k)
{
  float sums[3];
  shift = k;
#pragma omp parallel for num_threads(3) firstprivate(shift) schedule(static)
  for (int t = 0; t < 3; t++)
    {
      float sum = 0;
      shift += t;
#pragma omp target map(tofrom : sum)
      for (int i = 0; i < 8; i++)
	sum += shift;
      sums[t] = sum;
    }
  a[3] += sums[0] + 2 * sums[1] + 3 * sums[2] + shift;
}

/* A copy that the region sets, and one that code inside shares or copies again.  */
static void
written (int k)
{
  scale = k;
  shift = 2 * k;
  /* REMARK: region: 2 scalars in the argument block */
#pragma omp target map(tofrom : a) firstprivate(scale, shift)
  {
    scale += 2;
#pragma omp parallel for num_threads(4) shared(scale) firstprivate(shift)
    for (int i = 0; i < N; i++)
      a[i] += scale + shift;
  }
  a[1] += scale;
  changing = k;
#pragma omp target teams distribute parallel for map(tofrom : a) firstprivate(changing)
  for (int i = 0; i < N; i++)
    a[i] += changing;
}

/* Copies that stay what they are: a team sets its own, which all of its threads see.  */
static void
of_teams (int k)
{
  z = k;
#pragma omp target map(tofrom : a) firstprivate(z)
  {
    z += 2 + 1i * k;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < N; i++)
      a[i] += __real__ z + __imag__ z;
  }
#pragma omp target teams num_teams(2) map(tofrom : a) firstprivate(z)
  {
    z += 3;
#pragma omp distribute parallel for
    for (int i = 0; i < N; i++)
      a[i] -= __real__ z;
  }
#pragma omp target map(tofrom : z, a)
  {
    z += 4;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < N; i++)
      a[i] += __real__ z;
  }
  a[1] += __real__ z;
}

int
main (void)
{
  void (*step[]) (int) = { globals, tasks, threads, written, of_teams };
  for (int k = 0; k < 6; k++)
    for (unsigned i = 0; i < sizeof step / sizeof *step; i++)
      {
	step[i] (k);
	show (i, k, a);
      }
  return 0;
}

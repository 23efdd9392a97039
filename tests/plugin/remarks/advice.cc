// What -fopt-info-omp says about C++; see advice.c.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>

struct grid
{
  int n;
  float *v;

  void
  step (float &sum)
  {
    float *w = v;
    // MISSED: probable race on sum, which all its threads
    // MISSED: stays in (generic|GCC's partitioned) mode: the loop sets a variable that its threads share$
#pragma acc parallel loop copy(sum) copyin(w[0:n])
#pragma omp target teams distribute parallel for map(tofrom: sum) map(to: w[0:n])
    for (int i = 0; i < n; i++)
      sum += w[i];
  }

  // The same variable as a reduction.
  void
  sum (float &sum)
  {
    float *w = v;
    // MISSED: -acc: nothing known about its data: reduction
    // SAYS: becomes an SPMD kernel: the loop over i is shared out among all GPU threads$
#pragma acc parallel loop reduction(+: sum) copyin(w[0:n])
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: w[0:n])
    for (int i = 0; i < n; i++)
      sum += w[i];
  }
};

template <typename T>
void
rows (T *x, T *y, int n)
{
  // MISSED: in each iteration of the loop around it copies x and y, at which nothing
  // MISSED: uncoalesced access to x: neighbouring threads differ in i, but memory is contiguous along j
  for (int t = 0; t < 10; t++)
#pragma acc parallel loop copyin(x[0:n * n]) copy(y[0:n])
#pragma omp target teams distribute parallel for map(to: x[0:n * n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
      {
	T sum = 0;
	for (int j = 0; j < n; j++)
	  sum += x[i * n + j];
	y[i] += sum;
      }
}

void
use (grid &g, float *sum)
{
  g.step (*sum);
  g.sum (*sum);
  rows (g.v, sum, g.n);
}

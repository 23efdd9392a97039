/* References, and templates: the variable is what they lead to.
   FLAGS: -fopenacc
   OWN: 3
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

enum { N = 60, K = 37 };

static double a[N * K], y[N];

static double
row (int j)
{
  double s = 0;
  for (int k = 0; k < K; k++)
    s += a[j * K + k] * (k % 7);
  return s;
}

static void
reference (double &__restrict sum)
{
#pragma acc parallel loop gang copyin(a) copyout(y)
  for (int j = 0; j < N; j++)
    {
      sum = 0;
#pragma acc loop vector reduction(+: sum)
      for (int k = 0; k < K; k++)
	sum += a[j * K + k] * (k % 7);
      y[j] = sum;
    }
}

template <typename T>
static T
generic (int n)
{
  T sum = 8, twice;
#pragma acc parallel loop gang copyin(a) copyout(y)
  for (int j = 0; j < n; j++)
    {
      sum = 0;
      twice = 0;
#pragma acc loop vector reduction(+: sum, twice)
      for (int k = 0; k < K; k++)
	{
	  sum += a[j * K + k] * (k % 7);
	  twice += 2 * a[j * K + k] * (k % 7);
	}
      y[j] = twice - sum;
    }
  return sum;
}

static int
check (const char *what, double sum)
{
  int wrong = sum != row (N - 1);
  for (int j = 0; j < N; j++)
    wrong += y[j] != row (j);
  if (wrong)
    std::printf ("%s: %d are wrong, %g is left\n", what, wrong, sum);
  return wrong != 0;
}

int
main ()
{
  double sum = 4;
  for (int i = 0; i < N * K; i++)
    a[i] = i % 5;
  reference (sum);
  int bad = check ("reference", sum);
  double last = generic<double> (N);
  return (bad + check ("generic", last)) != 0;
}

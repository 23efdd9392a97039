/* References, and templates: the variable is what they lead to.
   FLAGS: -fopenacc
   OWN: 3
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rows.h"

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

int
main ()
{
  double sum = 4;
  fill ();
  reference (sum);
  check ("reference", 1);
  left ("reference", sum, row (N - 1));
  double last = generic<double> (N);
  check ("generic", 1);
  left ("generic", last, row (N - 1));
  return bad != 0;
}

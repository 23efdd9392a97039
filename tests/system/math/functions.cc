// Functions of libm in a region; prints how many results differ from the host's.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdio>

int
main ()
{
  const int n = 100;
  double a[n];
  float b[n];
  int wrong = 0;
#ifdef _OPENACC
# pragma acc parallel loop copyout(a, b)
#else
# pragma omp target teams distribute parallel for map(from : a, b)
#endif
  for (int i = 0; i < n; i++)
    {
      double x = i * 0.01;
      a[i] = exp (x) + sin (x) + fmax (x, 0.5);
      b[i] = fmaxf (x, 0.5f) + tanhf (x);
    }
  for (int i = 0; i < n; i++)
    {
      double x = i * 0.01;
      double d = std::exp (x) + std::sin (x) + std::fmax (x, 0.5);
      float f = fmaxf (x, 0.5f) + tanhf (x);
      wrong += std::fabs (a[i] - d) > 1e-9 * d;
      wrong += std::fabs (b[i] - f) > 1e-5f * f;
    }
  std::printf ("%d\n", wrong);
  return wrong;
}

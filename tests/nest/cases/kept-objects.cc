/* A constructor may leave the address of the object anywhere, in the object for
   instance: other threads could not follow it, as each has the object for itself.
   FLAGS: -fopenmp -O1
   NESTED: 1
   SAYS: its parent takes the address of a variable of its own
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

#pragma omp declare target
struct small
{
  int own[48], *p;
  small () : p (own) {}
  small (const small &) : p (own) {}
  ~small () { p = 0; }
};
#pragma omp end declare target

int
main ()
{
  long sums[100];
  small s;
#pragma omp target teams distribute parallel for private(s) map (from : sums)
  for (int i = 0; i < 100; i++)
    {
      int n = 8 + i % 40, *p = s.p;
#pragma omp target teams distribute parallel for
      for (int k = 0; k < n; k++)
        p[k] = k + i;
      long sum = 0;
      for (int k = 0; k < n; k++)
        sum = sum * 3 + s.own[k];
      sums[i] = sum;
    }
  for (int i = 0; i < 100; i++)
    std::printf ("%ld\n", sums[i]);
  return 0;
}

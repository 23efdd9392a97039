/* The sum of 0 to 99, by OpenMP; with LOADS, in a program that loads libraries.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <cstdio>
#ifdef LOADS
# include <dlfcn.h>
#endif

int
main ()
{
  int a[100], sum = 0;
#ifdef LOADS
  if (!dlopen ("libm.so.6", RTLD_LAZY))
    return 1;
#endif
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp target teams distribute parallel for map(to : a) reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += a[i];
  std::printf ("%d\n", sum);
}

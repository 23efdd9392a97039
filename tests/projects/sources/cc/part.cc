// A part of the program, as an archive.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "part.h"

int
part (const int *a, int n)
{
  int sum = 0;
#pragma omp target teams distribute parallel for map(to : a[ : n]) \
  reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

/* A library's region.
   SPDX-License-Identifier: GPL-3.0-or-later  */
int part (int n);

int
part (int n)
{
  int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}

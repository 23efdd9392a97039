/* Constructs that no thread can execute by itself.
   SPDX-License-Identifier: GPL-3.0-or-later  */

void
f (int *a, int n)
{
#pragma omp target map (tofrom : a[0 : n])
  {
    a[0] = 1;
#pragma omp target map (tofrom : a[0 : n]) /* ERROR: cannot run on the device: a taskloop */
    {
#pragma omp taskloop
      for (int i = 0; i < n; i++)
        a[i] = i;
    }
  }
}

void
scan (int *a, int n)
{
  int sum = 0;
#pragma omp target map (tofrom : a[0 : n])
  {
    a[0] = 1;
#pragma omp target map (tofrom : a[0 : n], sum) /* ERROR: cannot run on the device: an inscan reduction of a simd */
    {
#pragma omp simd reduction (inscan, + : sum)
      for (int i = 0; i < n; i++)
        {
          sum += a[i];
#pragma omp scan inclusive (sum)
          a[i] = sum;
        }
    }
  }
}

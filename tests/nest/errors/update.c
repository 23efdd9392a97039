/* What a region cannot have inside it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

void
f (int *a, int n)
{
#pragma omp target map (tofrom : a[0 : n])
  {
    a[0] = 1;
#pragma omp target update to(a[0 : n]) /* ERROR: memory cannot be reached */
  }
}

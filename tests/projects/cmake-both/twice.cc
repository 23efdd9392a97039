/* SPDX-License-Identifier: GPL-3.0-or-later  */
extern "C" void
twice (int *a, int n)
{
#pragma acc parallel loop copy (a [0:n])
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}

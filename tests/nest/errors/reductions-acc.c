/* A sum that OpenACC has no way to add up to by several threads.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* FLAGS: -fopenacc */

void
f (_Complex double *sums, int n)
{
  _Complex double sum = 0;
#pragma acc parallel loop gang vector copy (sum)
  for (int i = 0; i < n; i++)
    {
#pragma acc parallel loop reduction(+ : sum) copy (sum) /* ERROR: cannot run on the device: a reduction of what is no number */
      for (int j = 0; j < i; j++)
        sum += j;
    }
  sums[0] = sum;
}

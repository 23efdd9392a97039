/* OpenACC children that the lanes of a warp share.
   FLAGS: -fopenacc
   NESTED: 4
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
enum { N = 70 };
int row[N + 1], out[N * 40], sums[N], total, most;
int main ()
{
  for (int i = 0; i < N; i++) row[i + 1] = row[i] + i % 37;
#pragma acc parallel loop copyin(row) copy(out, sums, total, most)
  for (int i = 0; i < N; i++)
    {
      int s = 0, t[3] = { 1, i, 2 }, x = i;
      if (i & 1)
        {
#pragma acc parallel loop reduction(+: s) copy(s)
      for (int k = row[i]; k < row[i + 1]; k++)
        {
          s += k * t[1] + x;
          out[k] += i;
        }
#pragma acc parallel loop collapse(2) reduction(+: total) reduction(max: most) copy(total, most) firstprivate(x)
      for (int k = 0; k < 5; k++)
        for (long l = 9; l >= 2; l -= 2)
          { total += l; most = most > l * x ? most : l * x; }
        }
#pragma acc parallel copy (s)
      {
        int y = s;
#pragma acc loop
        for (int k = row[i]; k < row[i + 1]; k++)
          {
            int z = 0;
#pragma acc loop reduction(+: z)
            for (int l = 0; l < 3; l++) z += l + y;
            out[k] += z;
          }
#pragma acc loop seq
        for (int k = 0; k < 3; k++) s = s * 3 + k;
      }
#pragma acc serial loop reduction(+: s) copy(s)
      for (int k = 0; k < 3; k++) s = s + k;
      sums[i] = s;
    }
  unsigned r = 0, q = 0;
  for (int i = 0; i < N; i++) q = q * 5 + sums[i];
  for (int i = 0; i < row[N]; i++) r = r * 3 + out[i];
  printf ("%d %d %u %u\n", total, most, r, q);
}

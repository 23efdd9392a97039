/* A child's data that is on the host only.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

extern void use (int *);

void
firstprivate_pointer (void)
{
  int here[10], *p = here;
#pragma omp target firstprivate (p)
  {
#pragma omp target map (tofrom : p[0 : 10]) /* ERROR: .p. points to.*not on the device */
    p[0] = 1;
  }
}

void
mapped_pointer (int n)
{
  int *p = malloc (n * sizeof *p);
#pragma omp target teams distribute parallel for map (tofrom : p)
  for (int i = 0; i < n; i++)
    {
#pragma omp target map (tofrom : p[i : 1]) /* ERROR: not on the device */
      p[i] = i;
    }
  use (p);
}

/* Of these nobody knows.  */
void
unknown (int *q, int n)
{
  int *p = malloc (n * sizeof *p), *other = malloc (n * sizeof *p);
  use (other);
  if (n > 10)
    other = q;
#pragma omp target firstprivate (q, other) map (tofrom : p[0 : n])
  {
#pragma omp target map (tofrom : q[0 : n], p[0 : n], other[0 : n])
    q[0] = p[0] + other[0];
  }
}

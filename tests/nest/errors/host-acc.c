/* A child's data that is on the host only, and what a region cannot have inside,
   in OpenACC.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* FLAGS: -fopenacc */

void
firstprivate_pointer (void)
{
  int here[10], *p = here;
#pragma acc parallel firstprivate (p)
  {
#pragma acc parallel copy (p[0 : 10]) /* ERROR: .p. points to.*not on the device */
    p[0] = 1;
  }
}

void
update (int *a, int n)
{
#pragma acc parallel copy (a[0 : n])
  {
    a[0] = 1;
#pragma acc update device (a[0 : n]) /* ERROR: .update. construct inside of .parallel. */
  }
}

/* Regions that the device has run on the host, in a region and in a function.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma omp requires reverse_offload

#pragma omp declare target
static int seen;

static void
tell (int k)
{
#pragma omp target device(ancestor : 1) map(always, to : k)
  seen += k;
}
#pragma omp end declare target

int
main (void)
{
  int a[4] = { 0 };
#pragma omp target map(tofrom : a)
  {
    a[1] = 2;
#pragma omp target device(ancestor : 1) map(always, to : a)
    seen += a[1];
  }
#pragma omp target
  tell (3);
  return seen != 5;
}

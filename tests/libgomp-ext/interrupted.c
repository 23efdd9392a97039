/* Host code behind a construct that a signal interrupts, for good: the program
   goes on elsewhere, with what the construct gave back, and changes it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

enum
{
  N = 64
};

static int a[N];
static int *forbidden;
static sigjmp_buf back;

static void
on_signal (int number)
{
  (void)number;
  siglongjmp (back, 1);
}

__attribute__ ((noipa)) static int
work (int k)
{
#pragma acc parallel loop copy (a)
#pragma omp target parallel for map (tofrom : a)
  for (int i = 0; i < N; i++)
    a[i] += i + k;
  *forbidden = k;
  return 0;
}

int
main (void)
{
  signal (SIGSEGV, on_signal);
  forbidden = mmap (NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (volatile int k = 1; k < 5; k++)
    {
      if (!sigsetjmp (back, 1))
        work (k);
      printf ("%d", a[k]);
      a[k] *= 3;
      a[k + 1] = k;
      printf (" %d\n", a[k]);
    }
  return 0;
}

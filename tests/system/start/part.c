/* A library's region that is not waited for there, and (PROGRAM) who calls it, waits,
   and looks; with LATER, the library is loaded then.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <dlfcn.h>
#include <stdio.h>

enum
{
  N = 4096
};

#ifndef PROGRAM
void
part (float *a)
{
#pragma omp target teams distribute parallel for nowait map(tofrom : a[0 : N])
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 20; j++)
      a[i] += 1;
}
#else
float a[N];

# ifndef LATER
void part (float *);
# endif

int
main (void)
{
# ifdef LATER
  void *lib = dlopen ("./liba.so", RTLD_NOW);
  void (*part) (float *);
  *(void **) &part = lib ? dlsym (lib, "part") : NULL;
# endif
  for (int k = 0; k < 4; k++)
    {
      part (a);
# pragma omp taskwait
      for (int i = 0; i < N; i++)
	if (a[i] != 20 * (k + 1))
	  return printf ("a[%d] = %g\n", i, a[i]), 1;
    }
  puts ("right");
}
#endif

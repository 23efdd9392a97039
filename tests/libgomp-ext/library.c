/* A shared library with a region, and a program that loads libraries.
   usage: program LIBRARY...

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifdef LIBRARY

int
answer (int x)
{
  int a[100];
  for (int i = 0; i < 100; i++)
    a[i] = x;
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 100; i++)
    a[i] += 0;
  return a[99];
}

#else

#include <dlfcn.h>
#include <stdio.h>

int
main (int argc, char **argv)
{
  int wrong = 0;
  void *open[8];
  /* One after the other, then all at a time.  */
  for (int together = 0; together < 2; together++)
    for (int i = 1; i < argc && i < 8; i++)
      {
        open[i] = dlopen (argv[i], RTLD_NOW | RTLD_LOCAL);
        if (!open[i])
          {
            puts (dlerror ());
            return 1;
          }
        int (*answer) (int);
        *(void **)&answer = dlsym (open[i], "answer");
        for (int x = 0; x < 3; x++)
          wrong += answer (x) != x;
        if (!together)
          dlclose (open[i]);
      }
  for (int i = 1; i < argc && i < 8; i++)
    {
      int (*answer) (int);
      *(void **)&answer = dlsym (open[i], "answer");
      wrong += answer (i) != i;
    }
  printf ("%d wrong\n", wrong);
  return wrong != 0;
}

#endif

/* An OpenACC kernel that is launched N times on an array of SIZE bytes, in a queue
   when there is a third argument (it runs on no GPU).
   usage: forms N [SIZE [async]]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

int
main (int argc, char **argv)
{
  int n = atoi (argv[1]), size = argc > 2 ? atoi (argv[2]) : 1000;
  int queue = argc > 3 ? 1 : -1;
  char *a = calloc (size, 1);
#pragma acc data copy(a[:size])
  for (int i = 0; i < n; i++)
    {
      if (queue < 0)
#pragma acc parallel present(a[:size])
	a[0] = i;
      else
	{
#pragma acc parallel present(a[:size]) async(queue)
	  a[0] = i;
#pragma acc wait(queue)
	}
    }
  free (a);
  return 0;
}

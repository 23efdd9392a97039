/* Jacobi relaxation of Laplace's equation on the unit square, OpenACC C.
   Usage: jacobi [N [STEPS]]; prints the residual and a checksum.

   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 128;
  int steps = argc > 2 ? atoi (argv[2]) : 20;
  float *u = calloc ((size_t) n * n, sizeof *u);
  float *v = calloc ((size_t) n * n, sizeof *v);
  float residual = 0;

  if (!u || !v || n < 3)
    return 1;
  for (int j = 0; j < n; j++)
    u[j] = v[j] = 1.0f;		/* one hot edge */

#pragma acc data copy(u[0:n*n]) copyin(v[0:n*n])
  for (int step = 0; step < steps; step++)
    {
      residual = 0;
#pragma acc parallel loop collapse(2) reduction(max:residual)
      for (int i = 1; i < n - 1; i++)
	for (int j = 1; j < n - 1; j++)
	  {
	    float x = 0.25f * (u[i * n + j - 1] + u[i * n + j + 1]
			       + u[(i - 1) * n + j] + u[(i + 1) * n + j]);
	    float d = x - u[i * n + j];
	    v[i * n + j] = x;
	    residual = (d < 0 ? -d : d) > residual ? (d < 0 ? -d : d) : residual;
	  }
#pragma acc parallel loop collapse(2)
      for (int i = 1; i < n - 1; i++)
	for (int j = 1; j < n - 1; j++)
	  u[i * n + j] = v[i * n + j];
    }

  double sum = 0;
  for (int k = 0; k < n * n; k++)
    sum += u[k];
  printf ("residual %.8g checksum %.10g\n", residual, sum);
  free (u);
  free (v);
  return 0;
}

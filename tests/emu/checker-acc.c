/* For checker.sh: OpenACC, all levels of parallelism, reductions of every level
   and of a type that needs a lock.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <complex.h>
#include <openacc.h>
#include <stdlib.h>

enum { N = 500 };

int
main (void)
{
  float *restrict a = malloc (N * sizeof *a);
  float *restrict b = malloc (N * sizeof *b);
  int *restrict count = malloc (N * sizeof *count);
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data copyin (a[0:N]) copyout (b[0:N]) create (count[0:N])
  {
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      {
	count[i] = i % 7;
	b[i] = 0;
      }
#pragma acc parallel loop vector_length (64)
    for (int i = 1; i < N - 1; i++)
      b[i] = a[i - 1] + a[i + 1];			/* stencil */
#pragma acc parallel loop gang worker num_workers (4)
    for (int i = 0; i < N; i++)
      {
	float sum = 0;
#pragma acc loop vector reduction (+ : sum)
	for (int j = 0; j < count[i]; j++)		/* inner */
	  sum += a[j];
	b[i] += sum;
      }
  }

  float sum = 0;
  double _Complex product = 1;
#pragma acc parallel loop gang worker vector reduction (+ : sum) copyin (a[0:N])
  for (int i = 0; i < N; i++)
    sum += a[i];
#pragma acc parallel loop gang worker vector reduction (* : product)
  for (int i = 0; i < N; i++)
    product *= i % 4 ? 1 : -1;
  int top = 0;
#pragma acc parallel loop copy (top) copyin (a[0:N])
  for (int i = 0; i < N; i++)
    {
#pragma acc atomic update
      top += a[i] > N / 2;
    }

  int bad = sum != N * (N - 1) / 2 || creal (product) != -1 || top != N - N / 2 - 1
	    || b[100] != 200 + 1;
  free (a);
  free (b);
  free (count);
  return bad;
}

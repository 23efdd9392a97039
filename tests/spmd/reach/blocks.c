/* The same of OpenMP alone: atomic accesses; where teams are blocks, copies that a
   parallel construct has.
   SPDX-License-Identifier: GPL-3.0-or-later  */

void
copies (double *a, double *b, int n, int m)
{
  /* none */
#pragma omp target teams distribute
  for (int i = 0; i < n; i++)
    {
      int k = 1;
#pragma omp parallel firstprivate(k)
      {
	k = 5;
#pragma omp for
	for (int j = 0; j < 100; j++)
	  b[i * 100 + j] = k;
      }
      a[i * 10 + k] = 2;
    }
  /* b,w,8,0,8,0,100,1,800,0,1:n,1 a,w,8,16,80,0,1:n,1 */
#pragma omp target teams distribute
  for (int i = 0; i < n; i++)
    {
#pragma omp parallel firstprivate(m)
      {
#pragma omp for
	for (int j = 0; j < 100; j++)
	  b[i * 100 + j] = m;
      }
      a[i * 10 + 2] = 2;
    }
}

void
atomic (int *at, int *out, int n)
{
  /* at,r,4,0,4,0,1:n,1 */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    {
      int x = at[i] + out[1];
#pragma omp atomic
      out[0] += x;
    }
}

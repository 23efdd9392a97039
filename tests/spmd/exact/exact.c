/* Regions and what their kernels' results follow: EXACT nothing, GRIDS the
   block but not the grid, SHOWS the grid.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifdef _OPENACC
#define ROUTINE _Pragma ("acc routine seq")
#define LOOP _Pragma ("acc parallel loop present(a[0:n], b[0:n], k[0:n])")
#define SUM _Pragma ("acc parallel loop present(a[0:n]) reduction(+ : sum)")
#define TEAMS _Pragma ("acc parallel loop gang present(a[0:n], b[0:n])")
#define TEAM _Pragma ("acc loop vector reduction(+ : sum)")
#define TEAMS_SUM                                                             \
  _Pragma ("acc parallel loop gang present(a[0:n], b[0:n]) reduction(+ : all)")
#define ATOMIC _Pragma ("acc atomic update")
#define CAPTURE _Pragma ("acc atomic capture")
#define WRITE _Pragma ("acc atomic write")
#else
#define ROUTINE
#define LOOP _Pragma ("omp target teams distribute parallel for map(a[0:n], \
b[0:n], k[0:n])")
#define SUM _Pragma ("omp target teams distribute parallel for map(a[0:n]) \
reduction(+ : sum)")
#define TEAMS _Pragma ("omp target teams distribute map(a[0:n], b[0:n])")
#define TEAM _Pragma ("omp parallel for reduction(+ : sum)")
#define TEAMS_SUM                                                             \
  _Pragma ("omp target teams distribute map(a[0:n], b[0:n]) reduction(+ : all)")
#define ATOMIC _Pragma ("omp atomic update")
#define CAPTURE _Pragma ("omp atomic capture")
#define WRITE _Pragma ("omp atomic write")
#endif

#pragma omp declare target
ROUTINE static double
square (double x)
{
  return x * x;
}

ROUTINE static void
count (unsigned *p)
{
ATOMIC
  *p += 1;
}

ROUTINE static double
volatile_read (volatile double *p)
{
  return *p;
}
#pragma omp end declare target

void
regions (int n, double *a, double *b, unsigned *k)
{
  /* EXACT */
  LOOP
  for (int i = 0; i < n; i++)
    a[i] = 2 * b[i];
  /* EXACT */
  LOOP
  for (int i = 0; i < n; i++)
    a[i] = square (b[i]);
  /* EXACT */
  LOOP
  for (int i = 0; i < n; i++)
    {
      ATOMIC
      k[i % 7] += i;
    }
  /* EXACT */
  LOOP
  for (int i = 0; i < n; i++)
    {
      ATOMIC
      k[i % 7] |= i;
    }
  /* SHOWS */
  LOOP
  for (int i = 0; i < n; i++)
    {
      ATOMIC
      a[i % 7] += i;
    }
  /* SHOWS */
  LOOP
  for (int i = 0; i < n; i++)
    {
      ATOMIC
      k[i % 7] += i;
      ATOMIC
      k[i % 3] ^= i;
    }
  /* SHOWS */
  LOOP
  for (int i = 0; i < n; i++)
    {
      ATOMIC
      k[i % 7] = i - k[i % 7];
    }
  /* SHOWS */
  LOOP
  for (int i = 0; i < n; i++)
    {
      ATOMIC
      k[i % 7] <<= 1;
    }
  /* SHOWS */
  LOOP
  for (int i = 0; i < n; i++)
    {
      unsigned old;
      CAPTURE
      old = k[0]++;
      a[old] = i;
    }
  /* SHOWS */
  LOOP
  for (int i = 0; i < n; i++)
    {
      unsigned now;
      CAPTURE
      now = ++k[0];
      a[now] = i;
    }
  /* SHOWS */
  LOOP
  for (int i = 0; i < n; i++)
    {
      WRITE
      k[i % 7] = i;
    }
  /* SHOWS */
  LOOP
  for (int i = 0; i < n; i++)
    count (&k[i % 7]);
  /* SHOWS */
  LOOP
  for (int i = 0; i < n; i++)
    a[i] = volatile_read (&b[0]);
  double sum = 0;
  /* SHOWS */
  SUM
  for (int i = 0; i < n; i++)
    sum += a[i];
  b[0] = sum;
  /* GRIDS */
  TEAMS
  for (int i = 0; i < n / 50; i++)
    {
      double sum = 0;
      TEAM
      for (int j = 0; j < 50; j++)
	sum += a[50 * i + j];
      b[i] = sum;
    }
  double all = 0;
  /* SHOWS */
  TEAMS_SUM
  for (int i = 0; i < n / 50; i++)
    {
      double sum = 0;
      TEAM
      for (int j = 0; j < 50; j++)
	sum += a[50 * i + j];
      all += sum;
    }
  b[0] = all;
}

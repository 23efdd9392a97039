/* Regions whose launches stock GCC, and the plugin of its libgomp, say or refuse;
   see stock.sh.  With a macro, one that is refused.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 12
};

static int a[N * N * N];

/* Regions of a nest, and what is left open in them.  */
#define STR(text) #text
#define ACC(text) _Pragma (STR (acc text))
#define OMP(text) _Pragma (STR (omp text))
#define FOR(i) for (int i = 0; i < N; i++)
#define NEST1(region, x)                                                      \
  ACC (parallel copy (a) region) ACC (loop x) FOR (i) a[i]++;
#define NEST2(region, x, y)                                                   \
  ACC (parallel copy (a) region)                                              \
  ACC (loop x) FOR (i) ACC (loop y) FOR (j) a[N * i + j]++;
#define NEST3(region, x, y, z)                                                \
  ACC (parallel copy (a) region)                                              \
  ACC (loop x)                                                                \
  FOR (i) ACC (loop y) FOR (j) ACC (loop z) FOR (k) a[N * (N * i + j) + k]++;
#define TILED(region, x, y)                                                   \
  ACC (parallel copy (a) region)                                              \
  ACC (loop x)                                                                \
  FOR (i) FOR (j) ACC (loop y) FOR (k) a[N * (N * i + j) + k]++;

int
main (int argc, char **argv)
{
  int n = argc + 1;
  (void)argv;
#ifdef REFUSED
  REFUSED;
#elif defined WIDE
  /* Stock's launch of any of them is refused for lack of barriers.  */
  int workers = argc > 1 ? 16 : 15, lanes = 64;
  NEST2 (num_workers (workers) vector_length (lanes), gang worker, vector)
  NEST2 (num_workers (workers) vector_length (64), gang worker, vector)
  NEST2 (num_workers (16) vector_length (lanes * (argc > 1) / 2 + 32),
	 gang worker, vector)
  NEST3 (num_gangs (n) num_workers (workers) vector_length (lanes), gang,
	 worker, vector)
#elif defined _OPENACC
  NEST1 (, )
  NEST1 (, gang)
  NEST1 (, worker)
  NEST1 (, vector)
  NEST1 (, gang worker)
  NEST1 (, worker vector)
  NEST1 (, auto independent)
  NEST1 (num_gangs (5), gang)
  NEST1 (num_gangs (n), gang vector)
  NEST1 (num_workers (2), worker)
  NEST1 (vector_length (64), gang vector)
  NEST1 (num_workers (40), worker)
  NEST1 (num_workers (40) vector_length (64), gang worker vector)
  NEST1 (num_workers (20) vector_length (64), gang worker vector)
  NEST1 (vector_length (96), worker vector)
  NEST2 (, , )
  NEST2 (, gang, )
  NEST2 (, , vector)
  NEST2 (, worker, vector)
  NEST2 (num_gangs (3) num_workers (2), gang, vector)
  NEST3 (, , , )
  NEST3 (, gang, , )
  NEST3 (, , worker, )
  NEST3 (, gang worker, , vector)
  NEST3 (, gang, seq, vector)
  TILED (, tile (2, 3), )
  TILED (, tile (2, 3) gang, )
  TILED (, tile (2, 3) gang vector, seq)
  TILED (, collapse (2), vector)
#else
#pragma omp target teams distribute parallel for num_teams (3) thread_limit (4)
  FOR (i) a[i]++;
#pragma omp target teams distribute num_teams (n) thread_limit (2)
  FOR (i) a[i]++;
#pragma omp target map(a)
  FOR (i) a[i]++;
#pragma omp target teams num_teams (2) thread_limit (1)
#pragma omp parallel
#pragma omp critical
  a[0] |= 1 << 20;
#endif
  unsigned sum = 0;
  for (int i = 0; i < N * N * N; i++)
    sum = 31 * sum + a[i];
  printf ("%u\n", sum);
  return 0;
}

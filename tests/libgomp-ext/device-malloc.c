/* Kernels that allocate, and free what other threads have allocated, in any
   order; every piece has what was put into it until then.

   random SEED ROUNDS	sizes, divergence and who frees what are random
   all			allocate until there is nothing left, twice; prints both
   short SEED ROUNDS PIECES  the host takes so many 8 MiB of the GPU in between

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef _OPENACC
#include <openacc.h>
#endif

enum
{
  N = 3000,
  MOST = 1000
};

static uint64_t piece[N], size[N];
static long wrong, given, refused;

#pragma omp declare target
#pragma acc routine seq
static uint64_t
mix (uint64_t x)
{
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ x >> 32;
}

/* Fill the N bytes at P, or look whether they are not as they were filled.  */
#pragma acc routine seq
static void
fill (unsigned char *p, uint64_t n, uint64_t key)
{
  for (uint64_t k = 0; k < n; k += n > 64 ? 37 : 1)
    p[k] = key + k;
  if (n)
    p[n - 1] = key;
}

/* Of N bytes that were filled, the first KEPT are at P.  */
#pragma acc routine seq
static int
begin_differs (const unsigned char *p, uint64_t n, uint64_t kept, uint64_t key)
{
  int bad = n && n <= kept && p[n - 1] != (unsigned char)key;
  for (uint64_t k = 0; k + 1 < n && k < kept; k += n > 64 ? 37 : 1)
    bad |= p[k] != (unsigned char)(key + k);
  return bad;
}

#pragma acc routine seq
static int
differs (const unsigned char *p, uint64_t n, uint64_t key)
{
  return begin_differs (p, n, n, key);
}
#pragma omp end declare target

/* Bytes of the piece that number R asks for.  */
#define BYTES(r)                                                              \
  ((r) % 16 == 0 ? (r) / 16 % 9000 : (r) % 16 < 6 ? 0 + (r) / 16 % 40         \
                                                  : (r) / 16 % 2100)

/* Thread I has piece J for itself in a round.  */
static void
round_of (uint64_t seed, uint64_t odd)
{
  uint64_t shift = seed % N;
#pragma omp target teams distribute parallel for map(tofrom: piece, size)     \
  map(tofrom: wrong, given, refused)
#pragma acc parallel loop copy(piece, size, wrong, given, refused)
  for (uint64_t i = 0; i < N; i++)
    {
      uint64_t j = (i * odd + shift) % N, r = mix (seed + i);
      unsigned char *p = (unsigned char *)piece[j];
      if (p)
        {
          if (differs (p, size[j], j))
            {
#pragma omp atomic
#pragma acc atomic
              wrong++;
            }
          if (r % 4 == 0)
            continue;
          uint64_t more = BYTES (r / 4);
          unsigned char *q = r % 4 == 1 && more ? realloc (p, more) : NULL;
          if (q)
            {
              if (begin_differs (q, size[j], more, j))
                {
#pragma omp atomic
#pragma acc atomic
                  wrong++;
                }
              fill (q, more, j);
              piece[j] = (uint64_t)q;
              size[j] = more;
              continue;
            }
          free (p);
          piece[j] = 0;
          if (r % 3)
            continue;
        }
      uint64_t n = BYTES (r / 8), zeros = 0;
      p = r % 5 ? malloc (n) : calloc (n, 1);
      if (p && r % 5 == 0)
        for (uint64_t k = 0; k < n; k++)
          zeros |= p[k];
      if (zeros || (uintptr_t)p % 8)
        {
#pragma omp atomic
#pragma acc atomic
          wrong++;
        }
      piece[j] = (uint64_t)p;
      size[j] = n;
      if (p)
        {
          fill (p, n, j);
#pragma omp atomic
#pragma acc atomic
          given++;
        }
      else
        {
#pragma omp atomic
#pragma acc atomic
          refused++;
        }
    }
}

static void
free_all (void)
{
#pragma omp target teams distribute parallel for map(tofrom: piece, size)     \
  map(tofrom: wrong)
#pragma acc parallel loop copy(piece, size, wrong)
  for (uint64_t i = 0; i < N; i++)
    {
      if (piece[i] && differs ((unsigned char *)piece[i], size[i], i))
        {
#pragma omp atomic
#pragma acc atomic
          wrong++;
        }
      free ((void *)piece[i]);
      piece[i] = 0;
    }
}

/* Each thread allocates pieces in a list until there are no more.  */
static void
take_all (void)
{
#pragma omp target teams distribute parallel for map(tofrom: piece, given)
#pragma acc parallel loop copy(piece, given)
  for (uint64_t i = 0; i < N; i++)
    {
      uint64_t *last = NULL, *p;
      long n = 0;
      for (uint64_t k = 0; (p = malloc (1000 + i % 9 * 100)); last = p, n++)
        {
          p[0] = (uint64_t)last;
          p[1] = i;
        }
      piece[i] = (uint64_t)last;
#pragma omp atomic
#pragma acc atomic
      given += n;
    }
}

static void
free_lists (void)
{
#pragma omp target teams distribute parallel for map(tofrom: piece, wrong)
#pragma acc parallel loop copy(piece, wrong)
  for (uint64_t i = 0; i < N; i++)
    for (uint64_t *p = (uint64_t *)piece[i], *next; p; p = next)
      {
        next = (uint64_t *)p[0];
        if (p[1] != i)
          {
#pragma omp atomic
#pragma acc atomic
            wrong++;
          }
        free (p);
      }
}

static void *
take (size_t n)
{
#ifdef _OPENACC
  return acc_malloc (n);
#else
  return omp_target_alloc (n, omp_get_default_device ());
#endif
}

static void
give_back (void *p)
{
#ifdef _OPENACC
  acc_free (p);
#else
  omp_target_free (p, omp_get_default_device ());
#endif
}

/* Pieces of 8 MiB of the GPU's memory that there are, up to MOST.  */
static int
take_memory (int most)
{
  void *p[MOST];
  int n = 0;
  while (n < most && n < MOST && (p[n] = take (8 << 20)))
    n++;
  for (int i = 0; i < n; i++)
    give_back (p[i]);
  return n;
}

int
main (int argc, char **argv)
{
  static const uint64_t odd[] = { 1, 7, 1009, 2999 };
  const char *what = argc > 1 ? argv[1] : "random";
  uint64_t seed = argc > 2 ? strtoul (argv[2], NULL, 0) : 1;
  if (!strcmp (what, "all"))
    {
      for (int turn = 0; turn < 2; turn++)
        {
          given = 0;
          take_all ();
          free_lists ();
          printf ("%ld ", given);
        }
      printf ("%ld wrong\n", wrong);
      return 0;
    }
  int rounds = argc > 3 ? atoi (argv[3]) : 4, taken = 0;
  for (int r = 0; r < rounds; r++)
    {
      round_of (mix (seed * 1000 + r), odd[r % 4]);
      /* With pieces in use, and without.  */
      if (!strcmp (what, "short") && r % 2)
        {
          (void)take_memory (MOST);
          free_all ();
          taken = take_memory (argc > 4 ? atoi (argv[4]) : MOST);
        }
    }
  free_all ();
  printf ("%d taken, %ld given, %ld refused, %ld wrong\n", taken, given,
          refused, wrong);
  return 0;
}

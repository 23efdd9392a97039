/* Large copies of any size and place, both ways, by one thread or several:
   every byte is compared.  Built with -fopenacc or -fopenmp. usage: bulk
   THREADS SEED [BYTES]   (a copy of as many at the end; alone without threads)

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))

#ifdef _OPENACC
#define ENTER(...) DO (acc enter data create (__VA_ARGS__))
#define EXIT(...) DO (acc exit data delete (__VA_ARGS__))
#define TO(...) DO (acc update device (__VA_ARGS__))
#define FROM(...) DO (acc update self (__VA_ARGS__))
#define LOOP(...) DO (acc parallel loop present (__VA_ARGS__))
#define COPY(...) DO (acc parallel loop copy (__VA_ARGS__))
#else
#define ENTER(...) DO (omp target enter data map (alloc : __VA_ARGS__))
#define EXIT(...) DO (omp target exit data map (delete : __VA_ARGS__))
#define TO(...) DO (omp target update to (__VA_ARGS__))
#define FROM(...) DO (omp target update from (__VA_ARGS__))
#define LOOP(...) DO (omp target teams distribute parallel for)
#define COPY(...)                                                             \
  DO (omp target teams distribute parallel for map (tofrom : __VA_ARGS__))
#endif

enum
{
  LARGE = 9 << 20,
  KERNEL = 2000, /* bytes that kernels change */
  ROUNDS = 12
};

static uint32_t
next (uint32_t *x)
{
  *x = *x * 1664525 + 1013904223;
  return *x >> 8;
}

static void
fill (unsigned char *p, size_t n, uint32_t *x)
{
  uint32_t k = next (x);
  for (size_t i = 0; i < n; i++)
    p[i] = k + i * 7 + (i >> 12);
}

/* Sizes about those of chunks, and others.  */
static size_t
some_bytes (uint32_t *x)
{
  size_t n = ((size_t)1 << 19) << next (x) % 5;
  switch (next (x) % 4)
    {
    case 0:
      return n - 1 + next (x) % 3;
    case 1:
      return n + next (x) % n;
    default:
      return next (x) % LARGE + 1;
    }
}

/* How many bytes are wrong after N bytes have gone there, been changed, and
   come back.  */
static size_t
there_and_back (unsigned char *a, unsigned char *must, size_t size,
                uint32_t *x)
{
  size_t n = some_bytes (x), bad = 0;
  n = n > size ? size : n;
  size_t at = next (x) % (size - n + 1);
  size_t change = n < KERNEL ? n : KERNEL, from = at + n - change;
  fill (a + at, n, x);
  memcpy (must + at, a + at, n);
  unsigned char *p = a + at;
  TO (p[:n])
  memset (a + at, 0, n);
  unsigned char *q = a + from;
  LOOP (q[:change])
  for (size_t i = 0; i < change; i++)
    q[i] ^= 0x5a;
  for (size_t i = 0; i < change; i++)
    must[from + i] ^= 0x5a;
  FROM (p[:n])
  for (size_t i = 0; i < n; i++)
    bad += a[at + i] != must[at + i];
  return bad;
}

/* The same of four operands of one construct, of N bytes, side by side.  */
static size_t
several (unsigned char *a, unsigned char *must, const size_t n[4], uint32_t *x)
{
  size_t at = 0, bad = 0;
  for (int i = 0; i < 4; i++)
    {
      fill (a + at, n[i], x);
      memcpy (must + at, a + at, n[i]);
      for (size_t k = 0; k < KERNEL; k++)
        must[at + k] ^= 0x33 + i;
      at += n[i];
    }
  unsigned char *p = a, *q = p + n[0], *r = q + n[1], *s = r + n[2];
  COPY (p[:n[0]], q[:n[1]], r[:n[2]], s[:n[3]])
  for (size_t k = 0; k < KERNEL; k++)
    {
      p[k] ^= 0x33;
      q[k] ^= 0x34;
      r[k] ^= 0x35;
      s[k] ^= 0x36;
    }
  for (size_t i = 0; i < at; i++)
    bad += a[i] != must[i];
  return bad;
}

/* Of all sizes that four in SIZE bytes may have.  */
static size_t
several_sizes (unsigned char *a, unsigned char *must, size_t size, uint32_t *x)
{
  size_t n[4];
  for (int i = 0; i < 4; i++)
    {
      n[i] = some_bytes (x);
      n[i] = n[i] > size / 4 ? size / 4 : n[i] < KERNEL ? KERNEL : n[i];
    }
  return several (a, must, n, x);
}

static unsigned seed;
static size_t bytes;

static void *
thread (void *arg)
{
  uint32_t x = seed * 977 + (uintptr_t)arg * 31;
  size_t bad = 0;
  unsigned char *a = malloc (LARGE), *must = malloc (LARGE);
  ENTER (a[:LARGE])
  for (int i = 0; i < ROUNDS; i++)
    bad += there_and_back (a, must, LARGE, &x);
  EXIT (a[:LARGE])
  for (int i = 0; i < ROUNDS / 2; i++)
    bad += several_sizes (a, must, LARGE, &x);
  free (a);
  free (must);
  return (void *)bad;
}

/* More chunks than go step by step.  */
static size_t
very_large (size_t n)
{
  uint32_t x = seed;
  size_t bad = 0;
  unsigned char *a = malloc (n), *must = malloc (n);
  fill (a, n, &x);
  memcpy (must, a, n);
  ENTER (a[:n])
  TO (a[:n])
  memset (a, 0, n);
  FROM (a[:n])
  for (size_t i = 0; i < n; i++)
    bad += a[i] != must[i];
  EXIT (a[:n])
  /* Two operands of more chunks than there are buffers, of which the second one comes
     into those of the first.  */
  size_t each[4] = { KERNEL, n / 2 - KERNEL, n / 2 - KERNEL, KERNEL };
  for (int i = 0; i < ROUNDS / 4; i++)
    bad += several (a, must, each, &x);
  free (a);
  free (must);
  return bad;
}

int
main (int argc, char **argv)
{
  enum
  {
    MANY = 16
  };
  unsigned threads = argc > 1 ? atoi (argv[1]) : 1;
  pthread_t t[MANY];
  size_t bad = 0;
  seed = argc > 2 ? atoi (argv[2]) : 1;
  bytes = argc > 3 ? strtoull (argv[3], NULL, 0) : 0;
  threads = threads > MANY ? MANY : threads;
  if (threads)
    bad += (size_t)thread (NULL);
  for (uintptr_t i = 1; i < threads; i++)
    if (pthread_create (&t[i], NULL, thread, (void *)i))
      return 2;
  for (unsigned i = 1; i < threads; i++)
    {
      void *result;
      pthread_join (t[i], &result);
      bad += (size_t)result;
    }
  if (bytes)
    bad += very_large (bytes);
  printf ("%zu bytes wrong\n", bad);
  return bad != 0;
}

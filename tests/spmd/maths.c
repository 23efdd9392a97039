/* Functions of libm in kernels: sums of the bits of their results, over numbers of
   every exponent, special ones, and those at which functions overflow.  With
   -DREADS somebody reads errno in the kernel.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 40000 };
static float f[N], g[N], to_f[N];
static double d[N], e[N], to_d[N];
static uint64_t state = 88172645463325252u;

static uint64_t
next (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static void
begin (void)
{
  static const double special[]
    = { 0., -0., 1, -1, .5, 2, INFINITY, -INFINITY, NAN, 88.7, -103.9, 709.7,
	-745.1, 1024, -1074, 0x1p-149, 0x1p-126, 0x1p-1022, 0x1p-1074 };
  enum { SPECIAL = sizeof special / sizeof *special };
  for (int i = 0; i < N; i++)
    {
      uint64_t bits = next ();
      uint32_t half = bits >> 20;
      memcpy (&f[i], &half, sizeof half);
      memcpy (&d[i], &bits, sizeof bits);
      /* Half of them are not too large.  */
      if (i % 2)
	{
	  f[i] = (int) (next () % 20001 - 10000) / 64.f;
	  d[i] = (int) (next () % 2000001 - 1000000) / 1024.;
	}
    }
  for (int i = 0; i < SPECIAL * SPECIAL; i++)
    {
      d[i] = special[i / SPECIAL];
      f[i] = special[i / SPECIAL];
    }
  for (int i = 0; i < N; i++)
    {
      g[i] = f[(i * 7919ll + 1) % N];
      e[i] = d[(i * 7919ll + 1) % N];
      if (i < SPECIAL * SPECIAL)
	g[i] = e[i] = special[i % SPECIAL];
    }
}

static void
say (const char *what)
{
  uint64_t sum = 0;
  for (int i = 0; i < N; i++)
    {
      uint32_t a;
      uint64_t b;
      memcpy (&a, &to_f[i], sizeof a);
      memcpy (&b, &to_d[i], sizeof b);
      sum = (sum ^ a) * 1099511628211u;
      sum = (sum ^ b) * 1099511628211u;
    }
  printf ("%s %016llx\n", what, (unsigned long long) sum);
}

#define KERNEL                                                                \
  "omp target teams distribute parallel for map(to : f, g, d, e) map(from : to_f, to_d)"
#define PRAGMA(text) _Pragma (text)
#define EACH(name, in_f, in_d)                                                \
  static void name##_all (void)                                               \
  {                                                                           \
    PRAGMA (KERNEL)                                                           \
    for (int i = 0; i < N; i++)                                               \
      {                                                                       \
	to_f[i] = in_f;                                                       \
	to_d[i] = in_d;                                                       \
      }                                                                       \
    say (#name);                                                              \
  }
#define UNARY(name) EACH (name, name##f (f[i]), name (d[i]))
#define BINARY(name) EACH (name, name##f (f[i], g[i]), name (d[i], e[i]))

UNARY (exp)
UNARY (exp2)
UNARY (expm1)
UNARY (log)
UNARY (log2)
UNARY (log10)
UNARY (log1p)
UNARY (sin)
UNARY (tan)
UNARY (acos)
UNARY (atanh)
UNARY (sinh)
UNARY (tanh)
UNARY (erf)
UNARY (sqrt)
BINARY (pow)
BINARY (hypot)
BINARY (fmod)
BINARY (atan2)

#ifdef READS
/* The device's errno; errno.h is the host's.  */
#pragma omp declare target
int *__errno (void);
#pragma omp end declare target

static void
reads_all (void)
{
#pragma omp target teams distribute parallel for map(to : d) \
  map(from : to_d) num_teams(1) thread_limit(1)
  for (int i = 0; i < N; i++)
    {
      *__errno () = 0;
      double y = exp (d[i]);
      to_d[i] = y + *__errno ();
    }
  say ("errno");
}
#endif

int
main (void)
{
  begin ();
  exp_all ();
  exp2_all ();
  expm1_all ();
  log_all ();
  log2_all ();
  log10_all ();
  log1p_all ();
  sin_all ();
  tan_all ();
  acos_all ();
  atanh_all ();
  sinh_all ();
  tanh_all ();
  erf_all ();
  sqrt_all ();
  pow_all ();
  hypot_all ();
  fmod_all ();
  atan2_all ();
#ifdef READS
  reads_all ();
#endif
  return 0;
}

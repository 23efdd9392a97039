/* A row for each form, clause, operator and type that becomes a kernel.

   FLAGS: -fopenmp -foffload-options=-lm
   ACCEPT: 134
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <math.h>
#include <omp.h>
#include <stdbool.h>

enum { N = 320 };
static int a[N] __attribute__ ((aligned (16))), want[N], in[N];
struct pair { int x; double y[2]; };
static struct pair p;
static struct { int n; int *v; int w[N]; } s;
#pragma omp declare reduction(add : struct pair : omp_out.x += omp_in.x,     \
                              omp_out.y[1] += omp_in.y[1])                   \
    initializer(omp_priv = { 0 })
#pragma omp declare target
static int
twice (int x)
{
  return x + x;
}
#pragma omp end declare target

static void
expect (const char *what)
{
  check_ints (what, a, want, N);
  for (int i = 0; i < N; i++)
    a[i] = 0;
}

/* Run BODY under DIRECTIVE, for which all elements of A are to become what they
   are to be.  */
#define DO(TEXT) _Pragma (#TEXT)
#define ROW(WHAT, DIRECTIVE, BODY)                                            \
  {                                                                           \
    DO (DIRECTIVE)                                                            \
    for (int i = 0; i < n; i++)                                               \
      {                                                                       \
        a[i] = 2 * i;                                                         \
        BODY;                                                                 \
      }                                                                       \
    expect (WHAT);                                                            \
  }
#define FORM(DIRECTIVE) ROW (#DIRECTIVE, DIRECTIVE, )

static void
forms (int n)
{
  FORM (omp target teams distribute parallel for)
  FORM (omp target teams distribute parallel for simd)
  FORM (omp target teams loop)
  FORM (omp target teams distribute)
  FORM (omp target teams distribute simd)
  FORM (omp target parallel for)
  FORM (omp target parallel for simd)
  FORM (omp target parallel loop)
  FORM (omp target simd)

#pragma omp target teams distribute map(tofrom : a)
  for (int i = 0; i < n / 10; i++)
    {
      int from = 10 * i;
#pragma omp parallel for
      for (int j = 0; j < 10; j++)
        a[from + j] = from + j;
      a[from] += 1;
#pragma omp parallel for simd
      for (int j = 0; j < 10; j++)
        a[from + j] += from + j - (j == 0);
    }
  expect ("teams distribute around parallel for [simd]");

#pragma omp target teams distribute parallel for collapse(3)
  for (int i = 0; i < n / 40; i++)
    for (long j = 7; j >= 0; j -= 2)
      for (short k = 0; k != 10; k++)
        a[i * 40 + (7 - j) / 2 * 10 + k] = 2 * (i * 40 + (7 - j) / 2 * 10 + k);
  expect ("collapse");
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j <= i; j++)
      a[i * 16 % n + j % 16] = 2 * (i * 16 % n + j % 16);
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      a[i * 16 + j] = 2 * (i * 16 + j);
  expect ("collapse of a triangle");
}

#define LOOP(TYPE, FIRST, TEST, STEP)                                         \
  {                                                                           \
    DO (omp target teams distribute parallel for)                             \
    for (TYPE k = FIRST; k TEST; STEP)                                        \
      {                                                                       \
        a[(int)k * 2] = 4 * (int)k;                                           \
        a[(int)k * 2 + 1] = 4 * (int)k + 2;                                   \
      }                                                                       \
    expect (#TYPE ", " #TEST ", " #STEP);                                     \
  }

static void
loops (int n)
{
  int half = n / 2, by = 1;
  LOOP (int, 0, < half, k++)
  LOOP (unsigned, 0, <= half - 1u, ++k)
  LOOP (long, half - 1, >= 0, k--)
  LOOP (unsigned long, 0, < half + 0, k += by)
  LOOP (short, 0, != half, k += 1)
  LOOP (unsigned short, 0, < half, k = k + by)
  LOOP (unsigned char, 0, < half, k++)
  LOOP (long long, half - 1, > -1, k = k - 1)
  LOOP (unsigned long long, 0, < (unsigned)half, k += by)
  /* (GCC 12 breaks down over it with teams, on the host.)  */
#pragma omp target parallel for map(tofrom : a)
  for (int *q = a; q < a + n; q += 2)
    {
      q[0] = 2 * (q - a);
      q[1] = 2 * (q - a) + 2;
    }
  expect ("a pointer");
}

static void
data (int n)
{
  int t = 3, f = 4, last = -1, x = 0, y[4] = { 1, 2, 3, 4 };
  double d = 0.5;
  ROW ("private", omp target teams distribute parallel for private (t),
       t = i; a[i] = 2 * t)
  ROW ("firstprivate", omp target teams distribute parallel for
       firstprivate (f, y, d), f = 2 * i + (int)d; y[1] = f; a[i] = y[1])
  ROW ("lastprivate", omp target teams distribute parallel for
       lastprivate (last) map (tofrom : last), last = i)
  check_long ("lastprivate", last, n - 1);
  ROW ("firstprivate and lastprivate", omp target parallel for
       firstprivate (f) lastprivate (f) map (tofrom : f), f = i)
  check_long ("firstprivate and lastprivate", f, n - 1);
  ROW ("linear", omp target parallel for linear (x : 2) map (tofrom : x),
       a[i] = x; x += 2)
  check_long ("linear", x, 2 * n);
  ROW ("simd linear", omp target parallel for simd linear (x : 2)
       map (tofrom : x), a[i] = x - 2 * n; x += 2)
  check_long ("simd linear", x, 4 * n);
  ROW ("a structure", omp target teams distribute parallel for map (to : p),
       a[i] += p.x)
  int *v = s.v = s.w;
  ROW ("a member", omp target teams distribute parallel for map (to : s.n),
       a[i] += s.n)
  ROW ("a member array", omp target teams distribute parallel for
       map (to : s.w[:n]), a[i] += s.w[i])
  ROW ("a pointer member", omp target teams distribute parallel for
       map (to : s.v[:n]), a[i] += s.v[i])
  ROW ("a section", omp target teams distribute parallel for
       map (to : v[:n]), a[i] += v[i])
  int *device = omp_target_alloc (sizeof *device, omp_get_default_device ());
  ROW ("is_device_ptr", omp target teams distribute parallel for
       is_device_ptr (device), a[i] += device == 0)
  omp_target_free (device, omp_get_default_device ());
  ROW ("part of a section", omp target teams distribute parallel for
       map (tofrom : a[0:n]) map (alloc : in[5:1]), )
}

static void
launch (int n)
{
  int teams = 3, threads = 5, yes = n > 0;
  FORM (omp target parallel for schedule (static))
  FORM (omp target parallel for schedule (static, 7))
  FORM (omp target parallel for schedule (dynamic))
  FORM (omp target parallel for schedule (dynamic, teams))
  FORM (omp target parallel for schedule (guided, 2))
  FORM (omp target parallel for schedule (auto))
  FORM (omp target parallel for schedule (runtime))
  FORM (omp target parallel for schedule (nonmonotonic : dynamic))
  FORM (omp target teams distribute dist_schedule (static, 4))
  FORM (omp target teams distribute parallel for dist_schedule (static, teams)
	schedule (static, 2))
  FORM (omp target teams distribute parallel for num_teams (teams))
  FORM (omp target teams distribute parallel for thread_limit (threads))
  FORM (omp target teams distribute parallel for num_threads (threads))
  FORM (omp target teams distribute parallel for if (yes))
  FORM (omp target teams distribute parallel for if (target : yes))
  FORM (omp target teams distribute parallel for if (parallel : !yes))
  FORM (omp target teams distribute parallel for simd if (simd : !yes))
  FORM (omp target teams distribute parallel for device (0))
  FORM (omp target parallel for proc_bind (close))
  FORM (omp target teams distribute parallel for default (shared))
  FORM (omp target teams distribute parallel for order (concurrent))
  FORM (omp target teams distribute parallel for simd simdlen (8))
  FORM (omp target teams distribute parallel for simd safelen (8))
  FORM (omp target teams distribute parallel for simd aligned (a : 16))
  FORM (omp target teams distribute parallel for defaultmap (tofrom : scalar))
#pragma omp target teams distribute parallel for nowait map(tofrom : a)
  for (int i = 0; i < n; i++)
    a[i] = 2 * i;
#pragma omp taskwait
  expect ("nowait");
#pragma omp target teams distribute parallel for nowait depend(out : a)      \
    map(tofrom : a)
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp target teams distribute parallel for depend(inout : a)           \
    map(tofrom : a)
  for (int i = 0; i < n; i++)
    a[i] *= 2;
#pragma omp taskwait
  expect ("depend");
}

#define REDUCTION(TYPE, OPERATOR, START, UPDATE, RESULT)                      \
  {                                                                           \
    TYPE r = START;                                                           \
    ROW (#TYPE " " #OPERATOR, omp target teams distribute parallel for        \
	 reduction (OPERATOR : r) map (tofrom : r), UPDATE)                   \
    check_double (#TYPE " " #OPERATOR, r, RESULT);                            \
  }
#define ARITHMETIC(TYPE)                                                      \
  REDUCTION (TYPE, +, 3, r += i % 3 == 0, n / 3 + 4)                          \
  REDUCTION (TYPE, -, 120, r -= i % 3 == 0, 119 - n / 3)                       \
  REDUCTION (TYPE, *, 1, r *= i % 64 == 0 ? 2 : 1, 32)                        \
  REDUCTION (TYPE, max, 1, r = r > i % 100 ? r : i % 100, 99)                 \
  REDUCTION (TYPE, min, 100, r = r < i % 100 + 9 ? r : i % 100 + 9, 9)        \
  REDUCTION (TYPE, &&, 1, r = r && i != 7, 0)                                 \
  REDUCTION (TYPE, ||, 0, r = r || i == 7, 1)
#define BITS(TYPE)                                                            \
  REDUCTION (TYPE, &, 127, r &= i == 7 ? 120 : 127, 120)                      \
  REDUCTION (TYPE, |, 1, r |= i == 9 ? 64 : 0, 65)                            \
  REDUCTION (TYPE, ^, 5, r ^= i % 8 == 1, 5)

static void
reductions (int n)
{
  ARITHMETIC (int)
  ARITHMETIC (unsigned)
  ARITHMETIC (long)
  ARITHMETIC (unsigned long long)
  ARITHMETIC (short)
  ARITHMETIC (float)
  ARITHMETIC (double)
  REDUCTION (unsigned char, +, 3, r += i % 3 == 0, n / 3 + 4)
  REDUCTION (_Bool, ||, 0, r = r || i == 7, 1)
  BITS (int)
  BITS (unsigned long)
  BITS (unsigned char)
  _Complex double c = 1;
  ROW ("_Complex +", omp target teams distribute parallel for
       reduction (+ : c) map (tofrom : c), c += i + 2.0i)
  check_double ("_Complex +", __real__ c, n * (n - 1) / 2 + 1);
  check_double ("_Complex +", __imag__ c, 2 * n);
  int bins[8] = { 1 }, *q = bins;
  ROW ("an array", omp target teams distribute parallel for
       reduction (+ : bins) map (tofrom : bins), bins[i % 8]++)
  check_long ("an array", bins[0], n / 8 + 1);
  ROW ("a section", omp target teams distribute parallel for
       reduction (max : q[2 : 3]) map (tofrom : q[:8]),
       q[2 + i % 3] = q[2 + i % 3] > i ? q[2 + i % 3] : i)
  check_long ("a section", bins[2] + bins[3] + bins[4], 3 * n - 6);
  struct pair u = { 1, { 2, 3 } };
  ROW ("declared", omp target teams distribute parallel for
       reduction (add : u) map (tofrom : u), u.x += 2; u.y[1] += i)
  check_double ("declared", u.x + u.y[1], 2 * n + 1 + n * (n - 1) / 2 + 3);
}

static void
bodies (int n)
{
  int count = 0, got = 0;
  ROW ("atomic", omp target teams distribute parallel for map (tofrom : count),
       DO (omp atomic) count += 2)
  check_long ("atomic", count, 2 * n);
  ROW ("atomic capture", omp target teams distribute parallel for
       map (tofrom : count), int old; DO (omp atomic capture) old = count++;
       a[i] += old < 0)
  ROW ("atomic read and write", omp target teams distribute parallel for
       map (tofrom : count, got), int old; DO (omp atomic read) old = count;
       DO (omp atomic write) got = old)
  ROW ("a declare target function", omp target teams distribute parallel for,
       a[i] = twice (i))
  ROW ("math functions", omp target teams distribute parallel for,
       a[i] = (int)(sqrt (4.0 * i * i) + fabs (pow (0.0, i + 1)) + 0.5))
  ROW ("questions", omp target teams distribute parallel for,
       a[i] += omp_get_team_num () >= omp_get_num_teams ()
	       || omp_get_thread_num () >= omp_get_num_threads ()
	       || omp_get_level () > 1)
  ROW ("omp_in_parallel", omp target parallel for num_threads (4),
       a[i] += !omp_in_parallel () && !omp_is_initial_device ())
}

int
main (void)
{
  int n = N;
  for (int i = 0; i < n; i++)
    want[i] = 2 * i;
  forms (n);
  loops (n);
  data (n);
  launch (n);
  reductions (n);
  bodies (n);
  return check_status ();
}

/* Regions that store some or all of what they map, each called several times with
   what the host has changed meanwhile.  Prints a checksum a form; and on stderr
   the form's name with the number of operands that need no copy to the device.
   Also valid C++.
   usage: overwrite

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 240
#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))
#ifdef _OPENACC
#define REGION(...) DO (acc serial copy (__VA_ARGS__))
#define TO(...) DO (acc serial copyin (__VA_ARGS__))
#define LOOP(...) DO (acc parallel loop copy (__VA_ARGS__))
#define COLLAPSE(...) DO (acc parallel loop collapse (2) copy (__VA_ARGS__))
#define DATA(...) DO (acc data copy (__VA_ARGS__))
#define ATOMIC DO (acc atomic)
#define SEQUENTIAL DO (acc loop seq)
#else
#define REGION(...) DO (omp target map (tofrom : __VA_ARGS__))
#define TO(...) DO (omp target map (to : __VA_ARGS__))
#define LOOP(...)                                                             \
  DO (omp target teams distribute parallel for map (tofrom : __VA_ARGS__))
#define COLLAPSE(...)                                                         \
  DO (omp target teams distribute parallel for collapse (2)                   \
        map (tofrom : __VA_ARGS__))
#define DATA(...) DO (omp target data map (tofrom : __VA_ARGS__))
#define ATOMIC DO (omp atomic)
#define SEQUENTIAL
#endif

static int a[N], b[N], c[N], x;
static volatile int v[N];

struct pair
{
  int x, y;
};

struct hole
{
  char c;
  int i;
};

static struct pair pairs[N];
static struct hole holes[N];

static void
change (int t)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = i * t + 1;
      b[i] = i - t;
      c[i] = (i * 7 + t) % N;
      v[i] = t - 3 * i;
      pairs[i].x = i + t;
      pairs[i].y = i * t;
      memset (&holes[i], i + t, sizeof *holes);
    }
  x = t + 5;
}

/* ---- Stored as a whole ------------------------------------------------- */

static void
loop (int *p, int n, int t)
{
  LOOP (p [0:n])
  for (int i = 0; i < n; i++)
    p[i] = i + t;
}

static void
global (int t)
{
  LOOP (a)
  for (int i = 0; i < N; i++)
    a[i] = i ^ t;
}

static void
section (int *p, int first, int n, int t)
{
  LOOP (p [first:n])
  for (int i = first; i < first + n; i++)
    p[i] = i * t;
}

static void
nest (int *p, int n, int m, int t)
{
  COLLAPSE (p [0:n * m])
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      p[j * n + i] = i * j + t;
}

static void
rows (int *p, int n, int m, int t)
{
  LOOP (p [0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = m - 1; j >= 0; j--)
      p[j * n + i] = i - j + t;
}

static void
matrix (int t)
{
  static int m[12][20];
  memset (m, t, sizeof m);
  LOOP (m)
  for (int j = 0; j < 12; j++)
    {
      SEQUENTIAL
      for (int i = 0; i < 20; i++)
        m[j][i] = i + j * t;
    }
  memcpy (a, m, sizeof m);
}

static void
downward (int *p, long n, int t)
{
  LOOP (p [0:n])
  for (long i = n - 1; i >= 0; i--)
    p[i] = i + t;
}

static void
size (int *p, size_t n, int t)
{
  LOOP (p [0:n])
  for (size_t i = 0; i <= n - 1; i++)
    p[i] = i - t;
}

static void
several (int n, int t)
{
  int *p = a, *q = b;
  LOOP (p [0:n], q [0:n])
  for (int i = 0; i < n; i++)
    {
      p[i] = t + i;
      q[i] = t - i;
    }
}

/* Three loops that leave no gap.  */
static void
parts (int *p, int n, int t)
{
  REGION (p [0:n])
  {
    p[0] = t;
    for (int i = n / 2; i < n; i++)
      p[i] = 2 * i;
    for (int i = 1; i < n / 2; i++)
      p[i] = 3 * i;
  }
}

static void
unrolled (int *p, int n, int t)
{
  REGION (p [0:2 * n])
  for (int i = 0; i < 2 * n; i += 2)
    {
      p[i + 1] = i;
      p[i] = t;
    }
}

static void
members (int t)
{
  LOOP (pairs)
  for (int i = 0; i < N; i++)
    {
      pairs[i].x = i;
      pairs[i].y = t;
    }
}

static void
scalar (int t)
{
  REGION (x)
  x = t * t;
}

/* Only sent.  */
static void
to (int t)
{
  TO (a)
  for (int i = 0; i < N; i++)
    a[i] = t;
}

static void
bytes (int t)
{
  unsigned char *p = (unsigned char *) a;
  LOOP (p [0:sizeof a])
  for (unsigned i = 0; i < sizeof a; i++)
    p[i] = i % 3 + t;
}

/* What it reads is elsewhere.  */
static void
copies (int *p, int *q, int n)
{
  LOOP (p [0:n], q [0:n])
  for (int i = 0; i < n; i++)
    p[i] = 2 * q[i];
}

/* All of one operand, and most of another: as many bytes as either has.  */
static void
most (int *p, int *q, int n, int t)
{
  LOOP (p [0:n], q [0:n - 2])
  for (int i = 0; i < n - 2; i++)
    {
      p[i] = i + t;
      q[i] = i - t;
    }
}

/* Each stores a part of what is mapped for both.  */
static void
overlap (int n, int t)
{
  int *p = a, *q = a + n / 2;
  REGION (q [0:n / 2], p [0:n])
  {
    for (int i = 0; i < n / 2; i++)
      p[i] = t;
    for (int i = 0; i < n / 2; i++)
      q[i] = i;
  }
}

#ifdef _OPENACC
static void
kernels (int *p, int n, int t)
{
#pragma acc kernels loop independent copy(p [0:n])
  for (int i = 0; i < n; i++)
    p[i] = i + t;
}
#endif

static void
steps (int n, int steps, int t)
{
  int *p = a;
  REGION (p [0:n])
  for (int s = 0; s < steps; s++)
    for (int i = 0; i < n; i++)
      p[i] = i * s + t;
}

/* The copy is never made before the queue, or the task, gets to it.  */
static void
behind (int n, int t)
{
  int *p = a;
#ifdef _OPENACC
#pragma acc parallel loop copy(p [0:n]) async(1)
#else
#pragma omp target teams distribute parallel for map(tofrom : p [0:n]) nowait
#endif
  for (int i = 0; i < n; i++)
    p[i] = i + t;
#ifdef _OPENACC
#pragma acc wait
#else
#pragma omp taskwait
#endif
}

static void
on_host (int n, int t)
{
  int *p = a;
#ifdef _OPENACC
#pragma acc parallel loop copy(p [0:n]) if (t < 0)
#else
#pragma omp target teams distribute parallel for map(tofrom : p [0:n]) if (t < 0)
#endif
  for (int i = 0; i < n; i++)
    p[i] += i + t;
}

/* ---- Not, or not for sure ---------------------------------------------- */

static void
range (int *p, int n, int from, int to, int t)
{
  LOOP (p [0:n])
  for (int i = from; i < to; i++)
    p[i] = t;
}

static void
every_second (int *p, int n, int t)
{
  REGION (p [0:n])
  for (int i = 0; i < n; i += 2)
    p[i] = t;
}

static void
condition (int *p, int n, int t)
{
  LOOP (p [0:n])
  for (int i = 0; i < n; i++)
    if (i % 5 != t)
      p[i] = t;
}

static void
whole_condition (int *p, int n, int t)
{
  REGION (p [0:n])
  if (t % 2)
    for (int i = 0; i < n; i++)
      p[i] = t;
}

static void
skip (int *p, int n, int t)
{
  LOOP (p [0:n])
  for (int i = 0; i < n; i++)
    {
      if (i == t)
        continue;
      p[i] = t;
    }
}

static void
leave (int *p, int n, int t)
{
  REGION (p [0:n])
  for (int i = 0; i < n; i++)
    {
      if (i == n - t)
        break;
      p[i] = t;
    }
}

static void
leave_behind (int *p, int n, int t)
{
  REGION (p [0:n])
  for (int i = 0; i < n; i++)
    {
      p[i] = t;
      if (i == n - t - 1)
        break;
    }
}

static void
adds (int *p, int n, int t)
{
  LOOP (p [0:n])
  for (int i = 0; i < n; i++)
    p[i] += t;
}

static void
reads_before (int *p, int n, int t)
{
  REGION (p [0:n], x)
  {
    x += p[t];
    for (int i = 0; i < n; i++)
      p[i] = i;
  }
}

static void
atomic (int *p, int n)
{
  REGION (p [0:n])
  for (int i = 0; i < n; i++)
    {
      ATOMIC
      p[i]++;
    }
}

static void
indirect (int *p, int n, int t)
{
  LOOP (p [0:n], c)
  for (int i = 0; i < n; i++)
    p[c[i]] = t;
}

static void
triangle (int *p, int n, int t)
{
  REGION (p [0:n * n])
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++)
      p[j * n + i] = t;
}

/* Rows that are longer than what is stored of them.  */
static void
border (int *p, int n, int m, int t)
{
  COLLAPSE (p [0:n * m])
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n - 1; i++)
      p[j * n + i] = t;
}

/* Through another pointer, in the same memory.  */
static void
through (int *p, int *q, int n, int m, int t)
{
  REGION (q [0:m], p [0:n], x)
  {
    x += q[t];
    for (int i = 0; i < n; i++)
      p[i] = t * i;
  }
}

/* The same, by way of memory.  */
static void
stray (int t)
{
  struct
  {
    int *p;
  } s = { a };
  int *p = a;
  DATA (a)
  {
#ifdef _OPENACC
#pragma acc serial copy(s.p [0:N]) copy(p [0:N]) copy(x)
#else
#pragma omp target map(tofrom : s.p, s.p [0:N], p [0:N], x)
#endif
    {
      x += s.p[t];
      for (int i = 0; i < N; i++)
        p[i] = t;
    }
  }
}

/* One element more is mapped at either end.  */
static void
longer (int *p, int n, int t)
{
  LOOP (p [0:n + 2])
  for (int i = 1; i <= n; i++)
    p[i] = t;
}

static void
narrow (int t)
{
  unsigned char *p = (unsigned char *) a;
  LOOP (p [0:sizeof a])
  for (int i = 0; i < N; i++)
    p[i] = t;
}

/* The bytes between the members are the host's.  */
static void
padding (int t)
{
  LOOP (holes)
  for (int i = 0; i < N; i++)
    {
      holes[i].c = t;
      holes[i].i = i;
    }
}

/* Where the compiler stores them as it likes, holes and all.  */
static void
structures (int t)
{
  LOOP (pairs)
  for (int i = 0; i < N; i++)
    {
      struct pair p = { i, t };
      pairs[i] = p;
    }
}

static void
member (int t)
{
  LOOP (pairs)
  for (int i = 0; i < N; i++)
    pairs[i].y = t;
}

static void
wrapped (int *p, unsigned from, unsigned n, int t)
{
  REGION (p [0:n])
  for (unsigned i = from; i < from + n; i++)
    p[i - from] = t;
}

static void
wrapped_long (int *p, size_t from, size_t to, int n, int t)
{
  REGION (p [0:n])
  for (size_t i = from; i < to; i++)
    p[i - from] = t;
}

/* The region's bound is another than the host's.  */
static void
changes (int *p, int n, int t)
{
  REGION (p [0:n])
  {
    n -= t;
    for (int i = 0; i < n; i++)
      p[i] = t;
  }
}

static void
stale (int *p, int n, int t)
{
  int m = n - t;
#ifdef _OPENACC
#pragma acc data copyin(m)
#else
#pragma omp target data map(to : m)
#endif
  {
    m = n;
#ifdef _OPENACC
#pragma acc serial copy(p [0:n]) present(m)
#else
#pragma omp target map(tofrom : p [0:n]) map(to : m)
#endif
    for (int i = 0; i < m; i++)
      p[i] = t;
    m = n;
  }
}

/* The same by way of its address.  */
static void
behind_back (int *p, int n, int t)
{
#ifdef _OPENACC
#pragma acc serial copy(p [0:n]) firstprivate(n)
#else
#pragma omp target map(tofrom : p [0:n]) firstprivate(n)
#endif
  {
    int *m = &n;
    *m -= t;
    for (int i = 0; i < n; i++)
      p[i] = t;
  }
}

/* What the loop stores is not what is mapped.  */
static void
privates (int t)
{
  REGION (b, c)
  {
    b[1] = t;
#ifdef _OPENACC
#pragma acc loop private(b)
#else
#pragma omp parallel for private(b)
#endif
    for (int i = 0; i < 2; i++)
      {
        for (int j = 0; j < N; j++)
          b[j] = t;
        c[i] = t;
      }
  }
}

static void
pointer_moves (int *p, int n, int t)
{
  REGION (p [0:n])
  {
    p += t;
    for (int i = 0; i < n - t; i++)
      p[i] = t;
  }
}

static void
volatiles (int t)
{
  REGION (v)
  for (int i = 0; i < N; i++)
    v[i] = t;
}

/* Their sum starts with what the host has.  */
static void
reduction (int n)
{
#ifdef _OPENACC
#pragma acc parallel loop copy(x) reduction(+ : x)
#else
#pragma omp target teams distribute parallel for map(tofrom : x) reduction(+ : x)
#endif
  for (int i = 0; i < n; i++)
    x += i;
}

#ifndef _OPENACC
/* In the region K is -I.  */
static void
linear (int *p, int n, int t)
{
#pragma omp target map(tofrom : p [0:n])
  {
    int k = 0;
#pragma omp parallel for linear(k : -1) num_threads(1)
    for (int i = 0; i < n; i++)
      p[i + k] = t;
  }
}

/* And here K is 0.  */
static void
reduced (int *p, int n, int t)
{
#pragma omp target map(tofrom : p [0:n])
  {
    int k = 1;
#pragma omp parallel for reduction(+ : k) num_threads(1)
    for (int i = 0; i < n; i++)
      p[i * k] = t;
  }
}
#endif

/* There already, with what an earlier region made of it.  */
static void
present (int n, int t)
{
  int *p = a;
  DATA (a)
  {
    adds (a, n, t);
    LOOP (p [0:n / 2])
    for (int i = 0; i < n / 2; i++)
      p[i] = i;
  }
}

/* Sent whether it is there or not.  */
static void
always (int t)
{
#ifdef _OPENACC
  TO (a)
#else
#pragma omp target map(always, tofrom : a)
#endif
  for (int i = 0; i < N; i++)
    a[i] = t;
}

#ifdef _OPENACC
#pragma acc routine seq
#else
#pragma omp declare target
#endif
__attribute__ ((noinline)) static int
sees (const int *p, int i)
{
  return p[i];
}
#ifndef _OPENACC
#pragma omp end declare target
#endif

static void
calls (int *p, int n, int t)
{
  REGION (p [0:n], x)
  {
    x += sees (p, t);
    for (int i = 0; i < n; i++)
      p[i] = t;
  }
}

static unsigned
sum (void)
{
  unsigned h = x;
  const unsigned char *bytes = (const unsigned char *) holes;
  for (int i = 0; i < N; i++)
    h = h * 31 + a[i] + 7 * b[i] + 13 * c[i] + v[i] + pairs[i].x * 3
        + pairs[i].y;
  for (size_t i = 0; i < sizeof holes; i++)
    h = h * 33 + bytes[i];
  return h;
}

#define FORM(name, operands, ...)                                             \
  {                                                                           \
    unsigned h = 0;                                                           \
    fprintf (stderr, "form %s %d\n", name, 3 * (operands));                    \
    for (int t = 1; t < 4; t++)                                               \
      {                                                                       \
        change (t);                                                           \
        __VA_ARGS__;                                                          \
        h = h * 17 + sum ();                                                  \
      }                                                                       \
    printf ("%s %08x\n", name, h);                                            \
  }

int
main (void)
{
  /* Nothing is known of a program that has not used a device.  */
  REGION (x) x++;
  FORM ("loop", 1, loop (a, N, t))
  FORM ("global", 1, global (t))
  FORM ("section", 1, section (a, 10, N - 30, t))
  FORM ("nest", 1, nest (a, 12, 20, t))
  FORM ("rows", 1, rows (a, 12, 20, t))
  FORM ("matrix", 1, matrix (t))
  FORM ("downward", 1, downward (a, N, t))
  FORM ("size", 1, size (a, N, t))
  FORM ("several", 2, several (N, t))
  FORM ("parts", 1, parts (a, N, t))
  FORM ("unrolled", 1, unrolled (a, N / 2, t))
  FORM ("members", 1, members (t))
  FORM ("scalar", 1, scalar (t))
  FORM ("to", 1, to (t))
  FORM ("bytes", 1, bytes (t))
  FORM ("copies", 1, copies (a, b, N))
  FORM ("copies-next", 1, copies (a, a + N / 2, N / 2))
  FORM ("overlap", 2, overlap (N, t))
  FORM ("most", 1, most (a, b, N, t))
#ifdef _OPENACC
  FORM ("kernels", 1, kernels (a, N, t))
#endif
  FORM ("steps", 1, steps (N, 2, t))
  FORM ("behind", 1, behind (N, t))

  FORM ("on-host", 0, on_host (N, t))
  FORM ("none", 0, loop (a, 0, t))
  FORM ("no-steps", 0, steps (N, 0, t))
  FORM ("no-rows", 0, border (a, 1, N, t))
  FORM ("first-missing", 0, range (a, N, 1, N, t))
  FORM ("last-missing", 0, range (a, N, 0, N - 1, t))
  FORM ("every-second", 0, every_second (a, N, t))
  FORM ("condition", 0, condition (a, N, t))
  FORM ("whole-condition", 0, whole_condition (a, N, t))
  FORM ("skip", 0, skip (a, N, t))
  FORM ("leave", 0, leave (a, N, t))
  FORM ("leave-behind", 0, leave_behind (a, N, t))
  FORM ("adds", 0, adds (a, N, t))
  FORM ("reads-before", 0, reads_before (a, N, t))
  FORM ("atomic", 0, atomic (a, N))
  FORM ("indirect", 0, indirect (a, N, t))
  FORM ("triangle", 0, triangle (a, 15, t))
  FORM ("border", 0, border (a, 12, 20, t))
  FORM ("through", 0, through (a, a, N, N, t))
  FORM ("through-part", 0, through (a, a + N / 2, N, N / 2, t))
  FORM ("through-end", 0, through (a, a + N - 4, N, 4, t))
  FORM ("stray", 0, stray (t))
  FORM ("copies-same", 0, copies (a, a, N))
  FORM ("longer", 0, longer (a, N - 2, t))
  FORM ("narrow", 0, narrow (t))
  FORM ("padding", 0, padding (t))
  FORM ("structures", 0, structures (t))
  FORM ("member", 0, member (t))
  FORM ("wrapped", 0, wrapped (a, -5u, N, t))
  FORM ("wrapped-long", 0, wrapped_long (a, -5ul, N - 5, N, t))
  FORM ("changes", 0, changes (a, N, t))
  FORM ("behind-back", 0, behind_back (a, N, t))
  FORM ("privates", 0, privates (t))
  FORM ("stale", 0, stale (a, N, t))
  FORM ("pointer-moves", 0, pointer_moves (a, N, t))
  FORM ("volatile", 0, volatiles (t))
  FORM ("reduction", 0, reduction (N))
#ifdef _OPENACC
  FORM ("always", 1, always (t))
#else
  FORM ("linear", 0, linear (a, N, t))
  FORM ("reduced", 0, reduced (a, N, t))
  FORM ("always", 0, always (t))
#endif
  FORM ("calls", 0, calls (a, N, t))
  FORM ("present", 1, present (N, t))
  return 0;
}

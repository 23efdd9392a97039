/* Ways in which the host may look at what a construct gave back, or use its
   memory for something else, other than those of late-program.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))
#ifdef _OPENACC
#define OUT(...) DO (acc parallel loop copyout (__VA_ARGS__))
#define UPDATE(...) DO (acc parallel loop copy (__VA_ARGS__))
#else
#define OUT(...) DO (omp target parallel for map (from: __VA_ARGS__))
#define UPDATE(...) DO (omp target parallel for map (tofrom: __VA_ARGS__))
#endif

enum
{
  N = 64,
  LARGE = 1 << 16 /* more than what is left (join, limit.def) */
};

static int a[N], sum;
static const int weight[4] = { 1, 3, 5, 7 };

__attribute__ ((always_inline)) static inline void
give (int k)
{
  OUT (a)
  for (int i = 0; i < N; i++)
    a[i] = i + k;
}

/* A region that the host runs, on what is owed.  */
static int
on_host (int k)
{
  give (k);
#pragma acc parallel loop copyout (a) if (k & 1)
#pragma omp target parallel for map (from : a) if (k & 1)
  for (int i = 0; i < N; i++)
    a[i] = i * k * 5;
  return a[k];
}

/* A directive that sends what it has just got.  */
static int
there_and_back (int k)
{
  int *p = a, *q = a;
#pragma acc data copy (p [0:N])
#pragma omp target data map (tofrom : p [0:N])
  {
#pragma acc parallel loop present (p [0:N])
#pragma omp target parallel for map (alloc : p [0:N])
    for (int i = 0; i < N; i++)
      p[i] += i + k;
#pragma acc update device(q [0:N]) self(p [0:N])
#pragma omp target update to(q [0:N]) from(p [0:N])
#pragma acc parallel loop present (p [0:N])
#pragma omp target parallel for map (alloc : p [0:N])
    for (int i = 0; i < N; i++)
      p[i] *= 3;
  }
  return a[k];
}

/* What is copied back at once, as it is large, and what is owed of a part of it:
   the end of a data construct names no operands.  */
static int
whole (int k)
{
  static int b[LARGE];
#pragma acc data copy (b)
#pragma omp target data map (tofrom : b)
  {
#pragma acc parallel loop present (b)
#pragma omp target parallel for map (alloc : b)
    for (int i = 0; i < N; i++)
      b[i] += i + k;
#pragma acc update self(b [0:N])
#pragma omp target update from(b [0:N])
#pragma acc parallel loop present (b)
#pragma omp target parallel for map (alloc : b)
    for (int i = 0; i < N; i++)
      b[i] *= 3;
  }
  return b[k];
}

/* Operands that libgomp reads itself, to send them as one.  */
static int
merged (int k)
{
  static int b[N];
  b[k] = k;
  give (k);
#pragma acc parallel loop copy (a, b)
#pragma omp target parallel for map (tofrom : a, b)
  for (int i = 0; i < N; i++)
    {
      b[i] += a[i] * k;
      a[i] ^= k;
    }
  return b[k] + a[k + 1];
}

/* Locals whose place in the frame serves another when their scope ends.  */
static int
scopes (int k)
{
  int s = 0;
  {
    int t[N];
    OUT (t)
    for (int i = 0; i < N; i++)
      t[i] = i * k;
  }
  {
    int u[N];
    for (int i = 0; i < N; i++)
      u[i] = k;
    for (int i = 0; i < N; i += k)
      s += u[i] * (i ^ k);
    memset (u, k, sizeof u);
    s += u[k];
  }
  return s;
}

/* A local that only constructs and this function know.  */
static int
own (int k)
{
  int t[N], s = 0;
  for (int i = 0; i < N; i++)
    t[i] = i;
  UPDATE (t)
  for (int i = 0; i < N; i++)
    t[i] += k;
  for (int i = 0; i < N; i += 2)
    s += t[i];
  t[k] = 5;
  UPDATE (t)
  for (int i = 0; i < N; i++)
    t[i] *= 2;
  return s + t[k] + t[N - 1];
}

/* Memory that calls return or take.  */
struct block
{
  int v[N];
};

__attribute__ ((const, noipa)) static struct block
filled (int k)
{
  struct block b;
  for (int i = 0; i < N; i++)
    b.v[i] = k - i;
  return b;
}

static struct block shared;

__attribute__ ((noipa)) static struct block
returned (int k)
{
  struct block b;
  OUT (b)
  for (int i = 0; i < N; i++)
    b.v[i] = i * k;
  return b;
}

static int
aggregates (int k)
{
  OUT (shared)
  for (int i = 0; i < N; i++)
    shared.v[i] = i;
  if (k & 1)
    shared = filled (k);
  struct block copy = shared;
  struct block other = returned (k);
  return copy.v[k] + other.v[k + 1];
}

static int
of_a_variable_size (int k)
{
  int s = 0;
  for (int r = 1; r < 4; r++)
    {
      int t[N / r];
      int *u = alloca (sizeof t);
      OUT (t)
      for (int i = 0; i < N / r; i++)
        t[i] = i + k;
      OUT (u [0:N / r])
      for (int i = 0; i < N / r; i++)
        u[i] = i - k;
      s += t[r] - u[N / r - 1];
    }
  return s;
}

static union
{
  int word[N];
  unsigned char byte[4 * N];
  struct
  {
    unsigned low : 3, high : 29;
  } bits[N];
} both;

static int
parts (int k)
{
  OUT (both)
  for (int i = 0; i < N; i++)
    both.word[i] = i * 77 + k;
  int s = both.byte[4 * k] + both.bits[k + 1].high;
  both.bits[3].low = k;
  give (k);
  return s + both.word[3] + weight[a[k] & 3];
}

static jmp_buf back;

__attribute__ ((noipa)) static void
leave (int k)
{
  give (k);
  longjmp (back, 1 + (a[2] > 2));
}

static int
jumps (int k)
{
  if (!setjmp (back))
    leave (k);
  return a[k];
}

static volatile sig_atomic_t seen;

static void
on_signal (int number)
{
  (void)number;
  seen = a[5];
}

static void *
other (void *arg)
{
  return (void *)(intptr_t)(a[*(int *)arg]);
}

static int
compare (const void *x, const void *y)
{
  return (*(const int *)y & 7) - (*(const int *)x & 7);
}

static int
others (int k)
{
  pthread_t t;
  void *result;
  give (k);
  raise (SIGUSR1);
  give (k + 1);
  if (pthread_create (&t, NULL, other, &k))
    return -1;
  pthread_join (t, &result);
  give (k + 2);
  qsort (a, 8, sizeof *a, compare);
  return seen + (int)(intptr_t)result + a[0];
}

static int
asm_and_volatile (int k)
{
  int s;
  give (k);
  s = *(volatile int *)&a[k];
  give (k + 1);
  __asm__ volatile ("addl %1, %0" : "+r"(s) : "m"(a[k]));
  give (k + 2);
  s += __atomic_load_n (&a[k + 1], __ATOMIC_RELAXED);
  give (k + 3);
  __atomic_fetch_add (&a[k], 1, __ATOMIC_RELAXED);
  return s + a[k];
}

/* Loops that begin beside what is owed, upwards, where the compiler gives their
   count with a condition, and downwards.  */
__attribute__ ((noipa)) static int
walks (int k)
{
  int s = 0, *p = a, *end = a + k * 12;
  OUT (a [20:30])
  for (int i = 20; i < 50; i++)
    a[i] = i * k;
  do
    s = s * 3 + *p++;
  while (p < end);
  OUT (a [20:30])
  for (int i = 20; i < 50; i++)
    a[i] = i - k;
  for (int i = N - 1; i >= k; i--)
    s = s * 3 + a[i];
  return s;
}

static int
variadic (int k, ...)
{
  va_list ap;
  va_start (ap, k);
  give (k);
  int s = *va_arg (ap, int *) + a[k];
  va_end (ap);
  return s;
}

int
main (void)
{
  signal (SIGUSR1, on_signal);
  for (int k = 1; k < 6; k++)
    {
      printf ("%d %d %d %d %d %d", scopes (k), own (k), aggregates (k),
              of_a_variable_size (k), parts (k), jumps (k));
      printf (" %d %d %d", on_host (k), walks (k), others (k));
      printf (" %d %d %d", there_and_back (k), whole (k), merged (k));
      printf (" %d %d\n", asm_and_volatile (k), variadic (k, &a[k + 1]));
      sum += a[k];
    }
  printf ("%d\n", sum);
  return 0;
}

/* Regions that write some of what they map, each called several times with
   what the host has changed meanwhile.  Prints a checksum a form.  With
   -DTHREADS, a second thread uses the device as well.
   usage: dead

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <string.h>
#ifdef THREADS
#include <pthread.h>
#endif

#define N 300
#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))
#ifdef _OPENACC
#define REGION(...) DO (acc parallel num_gangs (1) copy (__VA_ARGS__))
#define DATA(...) DO (acc data copy (__VA_ARGS__))
#define ENTER(...) DO (acc enter data copyin (__VA_ARGS__))
#define EXIT(...) DO (acc exit data copyout (__VA_ARGS__))
#define ATOMIC DO (acc atomic)
#else
#define REGION(...) DO (omp target map (tofrom : __VA_ARGS__))
#define DATA(...) DO (omp target data map (tofrom : __VA_ARGS__))
#define ENTER(...) DO (omp target enter data map (to : __VA_ARGS__))
#define EXIT(...) DO (omp target exit data map (from : __VA_ARGS__))
#define ATOMIC DO (omp atomic)
#endif

static int a[N], b[N], c[N];

static void
change (int t)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = i * t + 1;
      b[i] = i - t;
      c[i] = t;
    }
}

/* A and B are only read.  */
static void
reads (int t)
{
  int k = t + 3;
  REGION (a, b, c, k)
  for (int i = 0; i < N; i++)
    c[i] += a[i] * b[i] + k;
}

/* A scalar inside a data region.  */
static void
scalar (int t)
{
  DATA (a)
  {
    int k = t;
    REGION (a, k)
    for (int i = 0; i < N; i++)
      a[i] += k;
    a[0] += k;
  }
}

/* Q may be P, or in it.  */
static void
alias (int *p, int n, int *q, int m)
{
  REGION (q [0:m], p [0:n])
  for (int i = 0; i < m; i++)
    q[i] = p[i] * 2;
}

/* A part is mapped and only read, the whole is written.  */
static void
part (int t)
{
  int *whole = a, *piece = a + 10;
  REGION (piece [0:20], whole [0:N])
  for (int i = 0; i < N; i++)
    whole[i] = t + (i < 20 ? piece[i] : 0);
}

/* Written through a pointer in a structure.  */
static void
member (int t)
{
  struct
  {
    int *p;
  } s = { b };
#ifdef _OPENACC
#pragma acc data copyin(s)
#pragma acc parallel num_gangs(1) copy(s.p [0:N])
#else
#pragma omp target map(tofrom : s.p, s.p [0:N])
#endif
  for (int i = 0; i < N; i++)
    s.p[i] += t;
}

static void
atomic (int t)
{
  int n = t;
  REGION (n, a)
  {
    ATOMIC
    n += a[5];
  }
  b[0] += n;
}

/* Already there: written by another region before.  */
static void
present (int t)
{
  ENTER (a)
  REGION (a)
  for (int i = 0; i < N; i++)
    a[i] = t;
  REGION (a, c)
  for (int i = 0; i < N; i++)
    c[i] = a[i];
  EXIT (a)
}

/* Small data that is the same every time but once, and that a region changes
   only then.  */
static void
same (int t)
{
  int k = 7 + (t == 4), v[4] = { 1, 2, 3, 4 };
  DATA (a)
  {
    for (int i = 0; i < 3; i++)
      REGION (a, k)
      for (int j = 0; j < N; j++)
        a[j] += k;
    if (t == 2)
      REGION (a, k)
      {
        a[1] += k;
        k++;
      }
    REGION (a, k)
    a[2] = a[2] * 3 + k;
    for (int i = 0; i < 3; i++)
      REGION (a, v)
      a[0] += v[i]++;
  }
  b[1] += k + v[0];
}

/* The same, with memory of the same size in other hands between.  */
static void
hands (int t)
{
  int k = 5, x[2] = { t, t };
  DATA (a)
  for (int i = 0; i < 3; i++)
    {
      REGION (a, k)
      for (int j = 0; j < N; j++)
        a[j] += k;
      ENTER (x)
      REGION (x)
      x[0] += x[1];
      EXIT (x)
    }
  b[2] += x[0];
}

static unsigned
sum (void)
{
  unsigned h = 0;
  for (int i = 0; i < N; i++)
    h = h * 31 + a[i] + 7 * b[i] + 13 * c[i];
  return h;
}

#define FORM(name, ...)                                                       \
  {                                                                           \
    unsigned h = 0;                                                           \
    for (int t = 1; t < 6; t++)                                               \
      {                                                                       \
        change (t);                                                           \
        __VA_ARGS__;                                                          \
        h = h * 17 + sum ();                                                  \
      }                                                                       \
    printf ("%s %08x\n", name, h);                                            \
  }

#ifdef THREADS
static void *
other (void *arg)
{
  int x = 0;
  REGION (x)
  x++;
  (void)arg;
  return NULL;
}
#endif

int
main (void)
{
#ifdef THREADS
  pthread_t thread;
  REGION (a)
  a[0]++;
  pthread_create (&thread, NULL, other, NULL);
#endif
  FORM ("reads", reads (t))
  FORM ("scalar", scalar (t))
  FORM ("apart", alias (a, N, b, N))
  FORM ("same", alias (a, N, a, N))
  FORM ("within", alias (a, N, a + 9, N - 9))
  FORM ("part", part (t))
  FORM ("member", member (t))
  FORM ("atomic", atomic (t))
  FORM ("present", present (t))
  FORM ("same", same (t))
  FORM ("hands", hands (t))
#ifdef THREADS
  pthread_join (thread, NULL);
#endif
  return 0;
}

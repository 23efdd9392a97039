/* What -fopt-info-omp says about the directives below each of these comments:
     SAYS: what was done (ERE)	MISSED: what could be better; nothing else is
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000
extern float a[N][N], b[N][N], g[N];
float *gp;

/* A function without directives, the first one.  */
float
host (const float *x, int n)
{
  const float *at = x + n;
  return n ? *at : 0;
}

/* ---- Mapping and copies ---- */

void
mapping (float *x, float *restrict y, int n)
{
  /* SAYS: becomes an SPMD kernel: the loop over i is shared out among all GPU threads$ */
  /* SAYS: region: copies x to the GPU and back, y to the GPU where absent; y only read$ */
#pragma acc parallel loop copy(x[0:n]) copyin(y[0:n])
#pragma omp target teams distribute parallel for map(tofrom: x[0:n]) map(to: y[0:n])
  for (int i = 0; i < n; i++)
    x[i] += y[i];
  /* SAYS: becomes an SPMD kernel: the loops over i and j are shared out together among all GPU threads$ */
  /* SAYS: region: copies a back where absent$ */
#pragma acc parallel loop collapse(2) copyout(a)
#pragma omp target teams distribute parallel for collapse(2) map(from: a)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = 1;
  /* SAYS: data region: copies g to the GPU where absent$ */
#pragma acc data copyin(g)
#pragma omp target data map(to: g)
  {
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      g[i] += 1;
    /* SAYS: update region: copies g back$ */
#pragma acc update self(g)
#pragma omp target update from(g)
  }
}

/* ---- One thread ---- */

void
one_thread (float *x, float *y, int n)
{
  /* One thread's where a check fails alone.  */
  /* SAYS: -acc: kernels region: its loop runs in parallel after a check$ */
#pragma acc kernels copy(x[0:n]) copyin(y[0:n])
#pragma omp target teams distribute parallel for map(tofrom: x[0:n]) map(to: y[0:n])
  for (int i = 0; i < n; i++)
    x[i] += y[i];
  /* MISSED: runs on one GPU thread: no directive shares its loops among threads$ */
#pragma acc parallel copy(x[0:n])
#pragma omp target map(tofrom: x[0:n])
  for (int i = 1; i < n; i++)
    x[i] += x[i - 1];
  /* No loop, and a shared one.  */
#pragma acc parallel copy(x[0:n])
#pragma omp target map(tofrom: x[0:n])
  x[0] = 1;
#pragma acc parallel copy(x[0:n])
#pragma omp target teams map(tofrom: x[0:n])
  {
#pragma acc loop
#pragma omp distribute parallel for
    for (int i = 0; i < n; i++)
      x[i] += 1;
  }
}

/* ---- Data that come and go ---- */

void
moved (float *p, int n, int k)
{
  float *q = malloc (n * sizeof *q), l[N];
  /* MISSED: in each iteration of the loop around it copies g, p, gp, q and l, at which nothing else in the loop looks: put (acc|omp target) data around the loop$ */
  for (int t = 0; t < 10; t++)
#pragma acc parallel loop copy(g, p[0:n], gp[0:n]) copyout(q[0:n], l)
#pragma omp target teams distribute parallel for map(tofrom: g, p[0:n], gp[0:n]) map(from: q[0:n], l)
    for (int i = 0; i < N; i++)
      {
	g[i] += p[i] + gp[i];
	q[i] = 1;
	l[i] = 2;
      }
  /* The host looks.  */
  for (int t = 0; t < 10; t++)
    {
#pragma acc parallel loop copy(g, p[0:n], gp[0:n]) copyout(q[0:n], l)
#pragma omp target teams distribute parallel for map(tofrom: g, p[0:n], gp[0:n]) map(from: q[0:n], l)
      for (int i = 0; i < N; i++)
	{
	  g[i] += p[i] + gp[i];
	  q[i] = 1;
	  l[i] = 2;
	}
      g[1] += p[0] + gp[1] + q[k] + l[k];
    }
  /* Other code may.  */
  for (int t = 0; t < 10; t++)
    {
#pragma acc parallel loop copy(g, p[0:n])
#pragma omp target teams distribute parallel for map(tofrom: g, p[0:n])
      for (int i = 0; i < N; i++)
	g[i] += p[i];
      printf ("%d\n", t);
    }
  /* They stay there.  */
#pragma acc data copy(g, p[0:n])
#pragma omp target data map(tofrom: g, p[0:n])
  for (int t = 0; t < 10; t++)
#pragma acc parallel loop copy(g, p[0:n])
#pragma omp target teams distribute parallel for map(tofrom: g, p[0:n])
    for (int i = 0; i < N; i++)
      g[i] += p[i];
  /* No clause says so: a caller may have mapped it.  And one that does.  */
  for (int t = 0; t < 10; t++)
    {
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	g[i] += 1;
      /* MISSED: -omp: not fused with the one at .* one of them changes a copy */
#pragma acc parallel loop present(g)
#pragma omp target teams distribute parallel for map(alloc: g)
      for (int i = 0; i < N; i++)
	g[i] += sqrt (2);
    }
  /* MISSED: in each iteration of the loop around it copies l, */
  for (int t = 0; t < 10; t++)
#pragma acc data copy(l)
#pragma omp target data map(tofrom: l)
    {
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	l[i] += 1;
    }
  printf ("%g\n", l[k]);
  free (q);
}

/* Entered here, and left elsewhere.  */
void
entered (void)
{
#pragma acc enter data copyin(g)
#pragma omp target enter data map(to: g)
  for (int t = 0; t < 10; t++)
#pragma acc parallel loop copy(g)
#pragma omp target teams distribute parallel for map(tofrom: g)
    for (int i = 0; i < N; i++)
      g[i] += 1;
}

/* ---- Coalescing ---- */

void
far_apart (float *restrict x, float *restrict y, int n)
{
  /* MISSED: uncoalesced access to a and b: neighbouring threads differ in i, but memory is contiguous along j: make the loop over j the innermost parallel one$ */
#pragma acc parallel loop gang vector copy(a) copyin(b)
#pragma omp target teams distribute parallel for map(tofrom: a) map(to: b)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] += b[i][j];
  /* MISSED: uncoalesced access to a: neighbouring threads differ in j, but memory is contiguous along i: */
  /* MISSED: loop nest: a thread computes one row: its rows have few loads in common */
#pragma acc parallel loop collapse(2) copy(a) copyin(b)
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a) map(to: b)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[j][i] += b[i][j];
  /* MISSED: uncoalesced access to x: neighbouring threads differ in i, */
#pragma acc parallel loop copyin(x[0:n * n]) copyout(y[0:n])
#pragma omp target teams distribute parallel for map(to: x[0:n * n]) map(from: y[0:n])
  for (int i = 0; i < n; i++)
    {
      float sum = 0;
      for (int j = 0; j < n; j++)
	sum += x[i * n + j];
      y[i] = sum;
    }
  /* Side by side; of all threads the same; few in a row; private.  */
  /* MISSED: not fused .* a value in memory that is the same for all iterations */
#pragma acc parallel loop copyin(x[0:n * n]) copyout(y[0:n])
#pragma omp target teams distribute parallel for map(to: x[0:n * n]) map(from: y[0:n])
  for (int i = 0; i < n; i++)
    {
      float sum = 0, few[64];
      for (int j = 0; j < n; j++)
	sum += x[j * n + i] + x[j];
      for (int j = 0; j < 16; j++)
	{
	  sum += x[16 * i + j];
	  few[j] = sum;
	}
      y[i] = sum + few[n];
    }
}

/* ---- Races ---- */

void
race (float *restrict x, int n)
{
  float s = 0, m = 0;
  int c = 0, found = 0;
  /* MISSED: probable race on s and m, which all its threads read and write: make it a reduction, private or atomic$ */
  /* MISSED: what it writes is copied to the GPU first: a store is conditional */
#pragma acc parallel loop copy(s, m, c, found) copyin(x[0:n])
#pragma omp target teams distribute parallel for map(tofrom: s, m, c, found) map(to: x[0:n])
  for (int i = 0; i < n; i++)
    {
      s += x[i];
      if (x[i] > m)
	m = x[i];
      found = 1;
#pragma acc atomic
#pragma omp atomic
      c++;
    }
  /* MISSED: not fused with the one at .*: it reduces or reads what the one before reduces$ */
#pragma acc parallel loop reduction(+: s) reduction(max: m) copyin(x[0:n])
#pragma omp target teams distribute parallel for reduction(+: s) reduction(max: m) map(to: x[0:n])
  for (int i = 0; i < n; i++)
    {
      float own = x[i];
      own += 1;
      s += own;
      m = own > m ? own : m;
    }
  /* Nor does the thread of the only team.  */
  /* MISSED: -acc: not fused with the one at .* reduces$ */
  /* MISSED: -acc: runs on one GPU thread: no directive */
#pragma acc parallel loop seq copy(s) copyin(x[0:n]) num_gangs(1)
#pragma omp target teams distribute num_teams(1) map(tofrom: s) map(to: x[0:n])
  for (int i = 0; i < n; i++)
    s = x[i] - s;
  float t = 0;
  /* One thread does not race with itself.  */
  /* MISSED: -acc: runs on one GPU thread: so says its directive$ */
  /* MISSED: -omp: runs on one GPU thread: no directive */
#pragma acc serial copy(t) copyin(x[0:n])
#pragma omp target map(tofrom: t) map(to: x[0:n])
  for (int i = 0; i < n; i++)
    t += x[i];
  printf ("%g %g %d %d %g\n", s, m, c, found, t);
}

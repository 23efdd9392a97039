/* Data constructs of all kinds, by OpenACC or OpenMP: behind each, what the report is
   to say of the bytes of its variables.  The numbers are those of all executions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, SMALL = 1000 };

struct grid
{
  int n;
  float *a, *b;
};

#ifndef MAIN_ONLY
static float x[N], y[SMALL];

/* Inlined and cloned, it is one directive.  */
static inline void
fetch (float *p, int n)
{
#pragma acc update self(p[0:n]) // FROM p 4400 B
#pragma omp target update from(p[0:n]) // FROM p 4400 B
}

void
members (struct grid *g)
{
#pragma acc enter data copyin(g[0:1]) // TO g 24 B
#pragma acc enter data copyin(g->a[0:N]) create(g->b[0:N]) // TO g->a 80000 B
#pragma omp target enter data map(to: g->a[0:N]) map(alloc: g->b[0:N]) // TO g->a 80000 B
#pragma acc exit data copyout(g->a[0:N]) delete(g->b[0:N]) // FROM g->a 80000 B
#pragma omp target exit data map(from: g->a[0:N]) map(release: g->b[0:N]) // FROM g->a 80000 B
}

float
work (float *p, int n)
{
  float seen = 0;
#pragma acc data copy(p[0:n]) copyin(x, y) // TO y 4000 B x 80000 B p 80000 B FROM p 80000 B
#pragma omp target data map(tofrom: p[0:n]) map(to: x, y) // TO y 4000 B x 80000 B p 80000 B FROM p 80000 B
  {
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      p[i] += x[i] + 1;
    fetch (p, 100);
    fetch (y, SMALL);
#pragma acc update device(x[0:n]) self(y) // TO x 80000 B FROM y 4000 B
#pragma omp target update to(x[0:n]) from(y) // TO x 80000 B FROM y 4000 B
#pragma acc host_data use_device(p) // NOTHING
#pragma omp target data use_device_ptr(p) // NOTHING
    seen += p != NULL;
    /* In one another, and one in a loop.  */
    for (int t = 0; t < 3; t++)
#pragma acc data present(p[0:n]) copyin(y) // NOTHING
#pragma omp target data map(to: y) // NOTHING
#pragma acc data copyin(seen) // TO seen 12 B
#pragma omp target data map(to: seen) // TO seen 12 B
      {
#pragma acc update device(x[0:10]) // TO x 120 B
#pragma omp target update to(x[0:10]) // TO x 120 B
      }
  }
  return seen;
}
#else
float work (float *p, int n);
void members (struct grid *g);
#endif

#ifndef WORK_ONLY
int
main (void)
{
  struct grid g = { N, calloc (N, 4), calloc (N, 4) };
  float *p = calloc (N, sizeof *p);
  float seen = work (p, N);
  members (&g);
  printf ("%g %g %g\n", p[10], seen, g.a[10]);
  return 0;
}
#endif

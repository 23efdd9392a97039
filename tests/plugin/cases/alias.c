/* Which operands cannot be the same memory.
   FLAGS: -fopenmp  */

#include <stdlib.h>

extern int printf (const char *, ...);
static float s[100], t[100];
extern float twin[100] __attribute__ ((alias ("real_one")));
float real_one[100];
struct two { float a[50], b[50]; };

void
parameters (int n, float *p, float *q, float *restrict r,
	    float *restrict moved)
{
  /* Parameters may overlap each other.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,q,data,r,0,4 op=2,p,data,w,0,4 closed=1 */
  /* CONSTANT: */
#pragma omp target map(tofrom: p[0:n], q[0:n])
  for (int i = 0; i < n; i++)
    p[i] = q[i];
  /* And variables with static storage.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,s,data,r,0,4 op=2,p,data,w,0,4 closed=1 */
  /* CONSTANT: */
#pragma omp target map(tofrom: p[0:n], s)
  for (int i = 0; i < n; i++)
    p[i] = s[i];
  /* Not what restrict says is apart.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,r,data,r,2,4 op=2,p,data,w,0,4 closed=1 */
  /* CONSTANT: r */
#pragma omp target map(tofrom: p[0:n], r[0:n])
  for (int i = 0; i < n; i++)
    p[i] = r[i];
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,r,data,w,2,4 op=2,q,data,r,0,4 closed=1 */
  /* CONSTANT: q */
#pragma omp target map(tofrom: q[0:n], r[0:n])
  for (int i = 0; i < n; i++)
    r[i] = q[i];
  /* A parameter that is set may be anything, restrict or not.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,r,data,r,2,4 op=2,moved,data,w,?,4 closed=1 */
  /* CONSTANT: */
#pragma omp target map(tofrom: moved[0:n], r[0:n])
  for (int i = 0; i < n; i++)
    moved[i] = r[i];
  moved = r + 1;
  /* But names for a parameter are that parameter.  */
  float *const other = p + 10;
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,r,data,r,2,4 op=2,p,data,w,0,4 closed=1 */
  /* CONSTANT: r */
#pragma omp target map(tofrom: other[0:n], r[0:n])
  for (int i = 0; i < n; i++)
    other[i] = r[i];
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,r,data,rw,2,4 op=2,r,data,rw,2,4 closed=1 */
  /* CONSTANT: */
  float *const more = r + 10;
#pragma omp target map(tofrom: more[0:n], r[0:n])
  for (int i = 0; i < n; i++)
    more[i] = r[i];
  printf ("%p", (void *) moved);
}

void
swapped (int n, float *restrict a, float *restrict b)
{
  for (int k = 0; k < 10; k++)
    {
      /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,b,data,r,?,4 op=2,a,data,w,?,4 closed=1 */
      /* CONSTANT: */
#pragma omp target map(tofrom: a[0:n], b[0:n])
      for (int i = 0; i < n; i++)
	a[i] = b[i];
      float *c = a;
      a = b;
      b = c;
    }
}

void
variables (int n, struct two *two)
{
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,t,data,r,2,4 op=2,s,data,w,3,4 closed=1 */
  /* CONSTANT: t */
#pragma omp target map(tofrom: s, t)
  for (int i = 0; i < n; i++)
    s[i] = t[i];
  float automatic[100], vla[n];
  automatic[0] = vla[0] = n;
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,t,data,r,2,4 op=2,vla,data,rw,3,4 op=3,automatic,data,w,5,4 closed=1 */
  /* CONSTANT: t */
#pragma omp target map(tofrom: automatic, vla, t)
  for (int i = 0; i < n; i++)
    automatic[i] = vla[i] = t[i];
  /* Two names, one array.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,real_one,data,r,2,4 op=2,twin,data,w,?,4 closed=1 */
  /* CONSTANT: */
#pragma omp target map(tofrom: twin, real_one)
  for (int i = 0; i < n; i++)
    twin[i] = real_one[i];
  /* Parts of one variable are one object.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,,other,-,?,0 op=2,two,data,rw,0,4 op=3,two,data,rw,0,4 closed=1 */
  /* CONSTANT: */
#pragma omp target map(tofrom: two->a, two->b)
  for (int i = 0; i < n; i++)
    two->a[i] = two->b[i];
}

void
allocations (int n, float *p)
{
  float *a = malloc (n * sizeof *a), *b = calloc (n, sizeof *b);
  float *c = malloc (n * sizeof *c), *d = n > 10 ? a : c;
  float *e = a;
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,s,data,r,0,4 op=2,p,data,r,0,4 op=3,b,data,r,3,4 op=4,a,data,w,5,4 closed=1 */
  /* CONSTANT: s p b */
#pragma omp target map(tofrom: a[0:n], b[0:n], p[0:n], s)
  for (int i = 0; i < n; i++)
    a[i] = b[i] + p[i] + s[i];
  /* GCC 15: REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,d,data,r,?,4 op=2,a,data,w,3,4 closed=1 */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,iftmp,data,r,?,4 op=2,a,data,w,3,4 closed=1 */
  /* CONSTANT: */
#pragma omp target map(tofrom: a[0:n], d[0:n])
  for (int i = 0; i < n; i++)
    a[i] = d[i];
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,a,data,rw,2,4 op=2,a,data,rw,2,4 closed=1 */
  /* CONSTANT: */
#pragma omp target map(tofrom: a[0:n], e[0:n])
  for (int i = 0; i < n; i++)
    a[i] = e[i];
  /* The address of a pointer ends what we know of it.  */
  float *f = malloc (n * sizeof *f), **pf = &f;
  *pf = c;
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,f,data,r,?,4 op=2,c,data,rw,3,4 */
  /* CONSTANT: */
#pragma omp target map(tofrom: c[0:n], f[0:n])
  for (int i = 0; i < n; i++)
    c[i] = f[i];
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */

/* Pointers of the function that clauses map, and those that others may change.
   FLAGS: -fopenmp
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

void take (float **p);

/* REGION: kind=omp-target dims=?,?,? op=0,b,data,r,1,0 op=1,a,data,rw,3,0 op=2,n,value,-,?,4 loop=gv,s closed=1
   CONSTANT: b
   DATA: omp-target-data to *b: r, group 1 (allocated here); tofrom *a: rw, group 2 (allocated here) */
void
around (int n)
{
  float *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b);
#pragma omp target data map (tofrom : a[0:n]) map (to : b[0:n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      a[i] += b[i];
  }
  free (a);
  free (b);
}

/* REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,a,data,rw,2,4 op=2,b,data,r,4,4 loop=gv,s closed=1
   CONSTANT: b
   DATA: omp-target-enter-data to *b, group 1 (restrict); to *a, group 2 (restrict)
   DATA: omp-target-exit-data from *a, group 1 (restrict); release *b, group 2 (restrict) */
void
elsewhere (float *restrict a, const float *restrict b, int n)
{
#pragma omp target enter data map (to : a[0:n], b[0:n])
#pragma omp target teams distribute parallel for map (a[0:n], b[0:n])
  for (int i = 0; i < n; i++)
    a[i] += b[i];
#pragma omp target exit data map (from : a[0:n]) map (release : b[0:n])
}

/* Somebody else has the address.
   REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,a,data,rw,2,4 op=2,b,data,r,?,4 loop=gv,s
   CONSTANT: */
void
taken (int n)
{
  float *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b);
  take (&b);
#pragma omp target teams distribute parallel for map (a[0:n], b[0:n])
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}

/* In the region.
   REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,b,data,r,?,4 op=2,a,data,rw,3,4
   CONSTANT: */
void
set_inside (int n)
{
  float *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b);
#pragma omp target map (a[0:n], b[0:n])
  {
    float **p = &b;
    *p = a;
    for (int i = 0; i < n; i++)
      a[i] += b[i];
  }
}

/* The pointer itself comes back.
   REGION: kind=omp-target dims=1,?,? op=0,c,data,r,1,8 op=1,b,data,w,2,8
   CONSTANT: c
   REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,a,data,rw,2,4 op=2,b,data,r,?,4 loop=gv,s
   CONSTANT: */
void
comes_back (float *restrict a, float *restrict b, float *c, int n)
{
#pragma omp target map (tofrom : b) map (to : c)
  b = c;
#pragma omp target teams distribute parallel for map (a[0:n], b[0:n])
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}

/* Set twice.
   REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,a,data,rw,2,4 op=2,b,data,r,?,4 loop=gv,s closed=1
   CONSTANT:
   DATA: omp-target-data tofrom *a: -, group 1 (restrict) */
void
either (float *restrict a, float *c, int n)
{
  float *b = malloc (n * sizeof *b);
#pragma omp target data map (a[0:n])
  if (n > 5)
    b = c;
#pragma omp target teams distribute parallel for map (a[0:n], b[0:n])
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}

/* OpenMP's data constructs: map kinds, and what is done inside.
   FLAGS: -fopenmp  */

#define N 100
extern void unknown (float *);
static float a[N], b[N], c[N], d[N];

void
bodies (int n)
{
  /* The value of n goes into the region by way of the host.  */
  /* DATA: omp-target-data to b: r, group 1 (variable); tofrom n: ? (accessed on the host), group 2 (variable); tofrom a: rw, group 3 (variable); alloc c: -, group 4 (variable) */
  /* REMARK: optimized: omp target data region: copies n and a to the GPU and back, b to the GPU where absent; b only read; c not used */
#pragma omp target data map(tofrom: a, n) map(to: b) map(alloc: c)
  for (int t = 0; t < 10; t++)
    {
      /* REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,b,data,r,2,4 op=2,a,data,rw,3,4 loop=gv,100 closed=1 */
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	a[i] += b[i] * n;
    }
  /* DATA: omp-target-data always-tofrom d: rw, group 1 (variable); always-from c: r, group 2 (variable); always-to b: w, group 3 (variable); from a: w, group 4 (variable) */
#pragma omp target data map(from: a) map(always, to: b) map(always, from: c) map(always, tofrom: d)
  {
    /* DATA: omp-target-data always-to b: -, group 1 (variable) */
#pragma omp target data map(always, to: b)
    /* REGION: kind=omp-target dims=1,?,? op=0,a,data,w,1,4 op=1,c,data,-,2,4 closed=1 */
#pragma omp target map(always, from: c)
    a[0] = 1;
  /* DATA: omp-target-update to d, group 1 (variable) */
    /* REMARK: optimized: omp target update region: copies d to the GPU */
#pragma omp target update to(d)
  /* DATA: omp-target-update from d, group 1 (variable) */
#pragma omp target update from(d)
  }
  /* DATA: omp-target-enter-data to a, group 1 (variable); alloc b, group 2 (variable) */
#pragma omp target enter data map(to: a) map(alloc: b)
  /* DATA: omp-target-exit-data from a, group 1 (variable); release c, group 2 (variable); delete b, group 3 (variable) */
#pragma omp target exit data map(from: a) map(delete: b) map(release: c)
}

void
pointers (float *x)
{
  /* DATA: omp-target-data use_device_ptr *x: w, group 0 (parameter) */
#pragma omp target data use_device_ptr(x)
  /* REGION: kind=omp-target dims=1,?,? op=0,x,devptr,w,0,4 closed=1 */
#pragma omp target is_device_ptr(x)
  x[0] = 1;
  /* DATA: omp-target-data use_device_addr a: ? (calls a function), group 1 (variable) */
#pragma omp target data use_device_addr(a)
  unknown (a);
  /* DATA: omp-target-update from *x, group 0 (parameter) */
#pragma omp target update from(x[0:5])
}

void
cannot_tell (int n)
{
  /* DATA: omp-target-data tofrom b: r, group 1 (variable); tofrom a: ? (accessed on the host), group 2 (variable) */
#pragma omp target data map(a, b)
  {
    /* REGION: kind=omp-target dims=1,?,? op=0,b,data,r,1,4 op=1,a,data,w,2,4 closed=1 */
#pragma omp target
    a[0] = b[0];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      a[i] = i;
  }
  /* DATA: omp-target-data tofrom b: ? (mapped anew), group 1 (variable); tofrom a: w, group 2 (variable) */
#pragma omp target data map(a, b)
  {
    /* DATA: omp-target-exit-data delete b, group 1 (variable) */
#pragma omp target exit data map(delete: b)
    /* REGION: kind=omp-target dims=1,?,? op=0,a,data,w,1,4 closed=1 */
#pragma omp target
    a[0] = 1;
  }
  float sum = 0;
  /* DATA: omp-target-data tofrom sum: ? (reduction), group 1 (variable); tofrom a: r, group 2 (variable) */
#pragma omp target data map(a, sum)
  /* REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,a,data,r,2,4 op=2,sum,data,?,3,4 loop=gv,s red=+,sum closed=1 */
#pragma omp target teams distribute parallel for reduction(+: sum)
  for (int i = 0; i < n; i++)
    sum += a[i];
  /* DATA: omp-target-data tofrom b: ? (calls a function), group 1 (variable); tofrom a: ? (calls a function), group 2 (variable) */
  /* REMARK: missed: omp target data region: nothing known about its data: calls a function */
#pragma omp target data map(a, b)
  unknown (0);
  /* Volatile.  */
  /* DATA: omp-target-data tofrom b: r, group 1 (variable); tofrom a: ? (volatile access), group 2 (variable) */
#pragma omp target data map(a, b)
  /* REGION: kind=omp-target dims=1,?,? op=0,b,data,r,1,4 op=1,a,data,?,2,4 closed=1 */
#pragma omp target
  *(volatile float *) a = b[0];
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */

// Calls of functions that touch only what they are given.
// FLAGS: -fopenmp
// SPDX-License-Identifier: GPL-3.0-or-later
#include <complex>
#include <algorithm>

typedef std::complex<float> number;

// A function that sets one of its arguments may set each.
// REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,c,data,w,2,8 op=2,a,data,rw,4,8 op=3,b,data,rw,6,8 loop=gv,s
// CONSTANT:
void
operators (number *__restrict__ c, const number *__restrict__ a,
	   const number *__restrict__ b, int n)
{
#pragma omp target teams distribute parallel for map (c[0:n], a[0:n], b[0:n])
  for (int i = 0; i < n; i++)
    {
      number sum = 0;
      sum += a[i] * b[i];
      c[i] = sum;
    }
}

// What comes back is one of the two.
// REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,c,data,rw,2,4 op=2,a,data,r,4,4 op=3,b,data,rw,6,4 loop=gv,s closed=1
// CONSTANT: a
void
references (int *__restrict__ c, const int *__restrict__ a,
	    int *__restrict__ b, int n)
{
#pragma omp target teams distribute parallel for map (c[0:n], a[0:n], b[0:n])
  for (int i = 0; i < n; i++)
    {
      c[i] = std::max (a[i], 5);
      std::swap (b[i], c[i]);
    }
}

#pragma omp declare target
static int table[10];
static int *hidden;
static void through (int *p, int x) { *p = x; }
static void by_name (int *p, int x) { table[x % 10] = *p; }
static void loaded (int **p, int x) { **p = x; }
static void of_number (unsigned long p, int x) { *(int *) p = x; }
static void of_bytes (int *p, unsigned long x)
{
  int *q;
  __builtin_memcpy (&q, &x, sizeof q);
  *q = *p;
}
struct box { int *inside; };
static void in_box (const box &b, int x) { b.inside[x] = 1; }
static int *global (int *) { return hidden; }
#pragma omp end declare target

// REGION: kind=omp-target dims=1,?,? op=0,b,data,r,1,4 op=1,a,data,rw,3,4 closed=1
// CONSTANT: b
void
stored (int *__restrict__ a, int *__restrict__ b, int n)
{
#pragma omp target map (a[0:n], b[0:n])
  through (a, b[0]);
}

// By other ways.
// REGION: kind=omp-target dims=1,?,? op=0,b,data,?,1,4 op=1,a,data,?,3,4
// CONSTANT:
// REGION: kind=omp-target dims=1,?,? op=0,b,data,?,1,4 op=1,a,data,?,3,4
// CONSTANT:
// REGION: kind=omp-target dims=1,?,? op=0,l,value,-,?,8 op=1,b,data,?,2,4 op=2,a,data,?,4,4
// CONSTANT:
// REGION: kind=omp-target dims=1,?,? op=0,b,data,?,1,4 op=1,a,data,?,3,4
// CONSTANT:
// REGION: kind=omp-target dims=1,?,? op=0,x,data,?,1,8 op=1,b,data,?,2,4 op=2,a,data,?,4,4
// CONSTANT:
// REGION: kind=omp-target dims=1,?,? op=0,b,data,?,1,4 op=1,a,data,?,3,4
// CONSTANT:
void
others (int *__restrict__ a, int *__restrict__ b, unsigned long l, box x, int n)
{
#pragma omp target map (a[0:n], b[0:n])
  by_name (a, b[0]);
#pragma omp target map (a[0:n], b[0:n])
  {
    int *p = a;
    loaded (&p, b[0]);
  }
#pragma omp target map (a[0:n], b[0:n])
  of_number (l, b[0]);
#pragma omp target map (a[0:n], b[0:n])
  of_bytes (a, b[0]);
#pragma omp target map (a[0:n], b[0:n])
  in_box (x, b[0]);
#pragma omp target map (a[0:n], b[0:n])
  *global (a) = b[0];
}

// A lambda's variables are members of its closure: what is loaded from there may
// lead anywhere.
// GCC 13: REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,f,data,?,2,16 op=2,,data,?,?,4 op=3,,data,?,?,4 op=4,,other,?,?,0 op=5,,other,?,?,0 loop=gv,s
// REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,f,data,?,2,16 op=2,,other,?,?,0 op=3,,other,?,?,0 op=4,,data,?,?,4 op=5,,data,?,?,4 loop=gv,s
// CONSTANT:
// REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,f,data,?,2,8 op=2,,data,?,?,8 op=3,,other,?,?,0 loop=gv,s
// CONSTANT:
template <typename body>
static void
each (int n, body f)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    f (i);
}

void
lambdas (int *a, int *b, int n)
{
  each (n, [=] (int i) { a[i] = b[i]; });
  each (n, [&] (int i) { a[i] += 2; });
}

// C++: classes, references, lambdas, templates, operator new.
// FLAGS: -fopenmp

struct counted
{
  static int n;
  counted ();
  counted (const counted &);
  ~counted ();
  float v;
};

template <class T> struct array
{
  T *p;
  int n;

  void
  scale (T k)
  {
    T *q = p;
    int m = n;
    // The pointer is a copy of one in memory.
    // REGION: kind=omp-target dims=1,?,? op=0,m,value,-,?,4 op=1,k,copy,r,2,8 op=2,q,data,rw,?,8 closed=1
    // CONSTANT: k
#pragma omp target map(tofrom: q[0:m])
    for (int i = 0; i < m; i++)
      q[i] *= k;
  }
};

template struct array<double>;

void
references (float &r, float (&a)[100], float *__restrict__ p, int n)
{
  // REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,a,data,w,0,4 op=2,r,data,r,0,4 closed=1
  // CONSTANT:
#pragma omp target map(tofrom: r, a)
  for (int i = 0; i < n; i++)
    a[i] = r;
  // REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,p,data,r,2,4 op=2,r,data,rw,0,4 closed=1
  // CONSTANT: p
#pragma omp target map(tofrom: r) map(to: p[0:n])
  for (int i = 0; i < n; i++)
    r += p[i];
}

float
fresh (int n, float *q)
{
  float *a = new float[n], *b = new float[n];
  // REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,q,data,r,0,4 op=2,b,data,r,3,4 op=3,a,data,w,5,4 closed=1
  // CONSTANT: q b
#pragma omp target map(tofrom: a[0:n]) map(to: b[0:n], q[0:n])
  for (int i = 0; i < n; i++)
    a[i] = b[i] + q[i];
  auto f = [=] (float *x, float *__restrict__ y) {
    // GCC 14: REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,__closure,data,r,0,4 op=2,y,data,r,2,4 op=3,x,data,w,0,4 closed=1
    // REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,__closure,data,r,0,4 op=2,y,data,r,3,4 op=3,x,data,w,0,4 closed=1
    // CONSTANT: y
#pragma omp target map(tofrom: x[0:n]) map(to: y[0:n])
    for (int i = 0; i < n; i++)
      x[i] = y[i];
  };
  f (a, b);
  return a[0];
}

void
privates (int n, float *a, float *__restrict__ b)
{
  counted c;
  // The copy constructor may do anything.
  // REGION: kind=omp-target dims=1,?,? op=0,a,data,?,0,4 op=1,b,data,?,2,4 op=2,c,copy,?,4,4
  // CONSTANT:
#pragma omp target parallel map(tofrom: a[0:n], b[0:n]) firstprivate(c)
  a[0] = b[0] + c.v;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */

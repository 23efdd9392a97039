// Data constructs in members, templates and lambdas; references.
// FLAGS: -fopenacc

extern void unknown ();

template <class T> struct grid
{
  T *p;
  int n;
  void
  enter ()
  {
  // GCC 13: DATA: acc-enter-data create *this, group 0 (parameter); copyin *_: ? (address of unknown origin); attach *this, group 0 (parameter)
  // DATA: acc-enter-data copyin *_: ? (address of unknown origin); attach *this, group 0 (parameter)
    // REMARK: optimized: acc enter data region: copies this->p to the GPU where absent
#pragma acc enter data copyin(p[0:n])
  }
};

template <class T>
void
add (int n, T *__restrict x, const T *__restrict y)
{
  // DATA: acc-data copyin *y: r, group 1 (restrict); copy *x: rw, group 2 (restrict)
  // REMARK: optimized: acc data region: copies x to the GPU and back, y to the GPU where absent; y only read
#pragma acc data copy(x[0:n]) copyin(y[0:n])
  // REGION: kind=acc-parallel dims=?,?,? op=0,y,data,r,1,4 op=1,x,data,rw,3,4 op=2,n,copy,r,5,4 loop=a,s closed=1
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    x[i] += y[i];
}

void
use (int n, float *__restrict x, float *__restrict y, int &r)
{
  grid<float> g = { x, n };
  g.enter ();
  add (n, x, y);
  // DATA: acc-data copy *r: w, group 0 (parameter)
#pragma acc data copy(r)
  // GCC 14: REGION: kind=acc-parallel dims=?,?,? op=0,r,copy,rw,0,4 closed=1
  // REGION: kind=acc-parallel dims=?,?,? op=0,r,data,w,0,4 closed=1
#pragma acc parallel
  r = 1;
  // DATA: acc-data copy n: ? (calls a function), group 1 (variable); copy *r: ? (calls a function), group 0 (parameter)
#pragma acc data copy(r, n)
  {
    // GCC 14: REGION: kind=acc-parallel dims=?,?,? op=0,r,copy,r,0,4 op=1,n,data,w,2,4 closed=1
    // REGION: kind=acc-parallel dims=?,?,? op=0,r,data,r,0,4 op=1,n,data,w,2,4 closed=1
#pragma acc parallel
    n = r;
    // A reference is read where it is used.
    unknown ();
  }
  auto f = [] (int m, float *__restrict z) {
    // DATA: acc-data copyout *z: w, group 1 (restrict)
#pragma acc data copyout(z[0:m])
    // REGION: kind=acc-parallel dims=?,?,? op=0,z,data,w,1,4 op=1,m,copy,r,3,4 loop=a,s closed=1
#pragma acc parallel loop
    for (int i = 0; i < m; i++)
      z[i] = i;
  };
  f (n, y);
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */

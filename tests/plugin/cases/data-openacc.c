/* OpenACC's data constructs: map kinds, and what is done inside.
   FLAGS: -fopenacc  */

#define N 100
extern void unknown (float *);
extern float pure (const float *) __attribute__ ((pure));
static float a[N], b[N], c[N];
struct s
{
  int n;
  float *p;
};

void
bodies (int n, float *restrict x, float *restrict y, float *restrict z)
{
  /* DATA: acc-data create *z: -, group 1 (restrict); copyin *y: r, group 2 (restrict); copy *x: rw, group 3 (restrict) */
  /* REMARK: optimized: acc data region: copies x to the GPU and back, y to the GPU where absent; y only read; z not used */
#pragma acc data copy(x[0:n]) copyin(y[0:n]) create(z[0:n])
  for (int t = 0; t < 10; t++)
    {
      /* REGION: kind=acc-parallel dims=?,?,? op=0,x,data,rw,1,4 op=1,y,data,r,3,4 op=2,n,copy,r,5,4 loop=a,s closed=1 */
#pragma acc parallel loop present(x[0:n], y[0:n])
      for (int i = 0; i < n; i++)
	x[i] += y[i];
    }
  /* DATA: acc-data no_create *z: w, group 1 (restrict); present *y: r, group 2 (restrict); copyout *x: w, group 3 (restrict) */
#pragma acc data copyout(x[0:n]) present(y[0:n]) no_create(z[0:n])
  {
    /* REGION: kind=acc-kernels dims=?,?,? op=0,y,data,r,1,4 op=1,x,data,w,3,4 op=2,n,data,r,5,4 closed=1 */
#pragma acc kernels
    for (int i = 0; i < n; i++)
      x[i] = y[i];
    /* REGION: kind=acc-serial dims=1,1,1 op=0,z,data,w,1,4 closed=1 */
#pragma acc serial
    z[0] = 0;
  }
  /* One data construct in another.  */
  /* DATA: acc-data copy b: w, group 1 (variable); copy a: r, group 2 (variable) */
#pragma acc data copy(a, b)
  {
    /* DATA: acc-data copy c: w, group 1 (variable) */
#pragma acc data copy(c)
    {
      /* REGION: kind=acc-parallel dims=?,?,? op=0,c,data,w,1,4 op=1,a,data,r,2,4 closed=1 */
#pragma acc parallel
      c[0] = a[0];
    }
    /* REGION: kind=acc-parallel dims=?,?,? op=0,b,data,w,1,4 closed=1 */
#pragma acc parallel
    b[0] = 1;
  }
}

void
device_pointer (float *restrict x)
{
  /* DATA: acc-data deviceptr *x: ? (writes through a pointer of unknown origin) */
#pragma acc data deviceptr(x)
  /* REGION: kind=acc-parallel dims=?,?,? op=0,x,data,?,1,8 */
#pragma acc parallel
  x[0] = 1;
}

void
transfers (int n, float *restrict x, float *restrict y)
{
  /* DATA: acc-data create a: ? (mapped anew), group 1 (variable); create *y: w, group 2 (restrict); copy *x: r, group 3 (restrict) */
#pragma acc data copy(x[0:n]) create(y[0:n], a)
  {
  /* DATA: acc-update device *y, group 1 (restrict); self *x, group 2 (restrict) */
    /* REMARK: optimized: acc update region: copies y to the GPU, x back */
#pragma acc update self(x[0:n]) device(y[0:n])
  /* DATA: acc-enter-data copyin a, group 1 (variable) */
#pragma acc enter data copyin(a)
  /* DATA: acc-exit-data delete a, group 1 (variable) */
#pragma acc exit data delete(a)
  }
  /* DATA: acc-enter-data create *y, group 1 (restrict); copyin *x, group 2 (restrict) */
  /* REMARK: optimized: acc enter data region: copies x to the GPU where absent */
#pragma acc enter data copyin(x[0:n]) create(y[0:n])
  /* DATA: acc-exit-data delete *y, group 1 (restrict); copyout *x, group 2 (restrict) */
#pragma acc exit data copyout(x[0:n]) delete(y[0:n])
  /* DATA: acc-exit-data copyout *x, group 1 (restrict) */
#pragma acc exit data copyout(x[0:n]) finalize
}

void
cannot_tell (int n, float *restrict x, float *restrict y, struct s *s)
{
  /* The host reads the one, writes the other.  */
  /* DATA: acc-data copyin *y: ? (accessed on the host), group 1 (restrict); copy *x: ? (accessed on the host), group 2 (restrict) */
  /* REMARK: missed: acc data region: nothing known about its data: accessed on the host */
#pragma acc data copy(x[0:n]) copyin(y[0:n])
  {
    /* REGION: kind=acc-parallel dims=?,?,? op=0,x,data,rw,1,4 op=1,n,copy,r,3,4 loop=a,s closed=1 */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      x[i] += 1;
    y[0] = x[0];
  }
  /* One only.  */
  /* DATA: acc-data copyin *y: r, group 1 (restrict); copy *x: ? (accessed on the host), group 2 (restrict) */
#pragma acc data copy(x[0:n]) copyin(y[0:n])
  {
    /* REGION: kind=acc-parallel dims=?,?,? op=0,y,data,r,1,4 op=1,x,data,rw,3,4 op=2,n,copy,r,5,4 loop=a,s closed=1 */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      x[i] += y[i];
    c[0] = x[0];
  }
  /* DATA: acc-data copyin a: ? (calls a function), group 1 (variable); copy *x: ? (calls a function), group 2 (restrict) */
  /* REMARK: missed: acc data region: nothing known about its data: calls a function */
#pragma acc data copy(x[0:n]) copyin(a)
  {
    /* REGION: kind=acc-parallel dims=?,?,? op=0,x,data,w,1,4 op=1,a,data,r,3,4 closed=1 */
#pragma acc parallel
    x[0] = a[0];
    unknown (0);
  }
  /* Even a pure one may read what the host has.  */
  /* DATA: acc-data copy a: ? (accessed on the host), group 1 (variable) */
#pragma acc data copy(a)
  {
    /* REGION: kind=acc-parallel dims=?,?,? op=0,a,data,w,1,4 closed=1 */
#pragma acc parallel
    a[0] = 1;
    b[0] = pure (0);
  }
  /* DATA: acc-data copy a: ? (inline asm), group 1 (variable) */
#pragma acc data copy(a)
  {
    /* REGION: kind=acc-parallel dims=?,?,? op=0,a,data,w,1,4 closed=1 */
#pragma acc parallel
    a[0] = 1;
    __asm__ ("");
  }
  /* On the device.  */
  /* DATA: acc-data copy b: ? (calls a function), group 1 (variable); copy a: ? (calls a function), group 2 (variable) */
#pragma acc data copy(a, b)
  /* REGION: kind=acc-parallel dims=?,?,? op=0,b,data,?,1,4 op=1,a,data,?,2,4 */
#pragma acc parallel
  {
    a[0] = 1;
    unknown (b);
  }
  /* DATA: acc-data copy b: r, group 1 (variable); copy a: ? (atomic access), group 2 (variable) */
#pragma acc data copy(a, b)
  /* REGION: kind=acc-parallel dims=?,?,? op=0,b,data,r,1,4 op=1,a,data,?,2,4 closed=1 */
#pragma acc parallel
#pragma acc atomic
  a[0] += b[0];
  /* Pointers out of memory.  */
  /* DATA: acc-update self *_: ? (address of unknown origin) */
  /* REMARK: missed: acc update region: nothing known about its data: address of unknown origin */
#pragma acc update self(s->p[0:n])
}

void
may_overlap (int n, float *x, float *y)
{
  /* DATA: acc-data copyin *x: ? (stores through a pointer that may lead anywhere) */
#pragma acc data copyin(x[0:n])
  /* REGION: kind=acc-parallel dims=?,?,? op=0,y,data,w,0,4 op=1,x,data,r,?,4 op=2,n,copy,r,3,4 loop=a,s closed=1 */
#pragma acc parallel loop copyout(y[0:n])
  for (int i = 0; i < n; i++)
    y[i] = x[i];
  /* What the pointer leads to changes inside.  */
  /* DATA: acc-data copyin a: rw, group 1 (variable); copyin *x: rw */
#pragma acc data copyin(x[0:n], a)
  {
    /* REGION: kind=acc-parallel dims=?,?,? op=0,x,data,w,?,4 closed=1 */
#pragma acc parallel present(x[0:n])
    x[0] = 1;
    x = a;
    /* REGION: kind=acc-parallel dims=?,?,? op=0,x,data,rw,?,4 closed=1 */
#pragma acc parallel present(x[0:n])
    x[0] += 1;
  }
  /* Only the pointer is the host's.  */
  /* DATA: acc-data copyin a: w, group 1 (variable) */
#pragma acc data copyin(a)
  {
    float *p = a;
    for (int i = 0; i < n; i++)
      p++;
    /* REGION: kind=acc-parallel dims=?,?,? op=0,p,data,w,?,4 op=1,n,copy,r,2,4 loop=a,s closed=1 */
#pragma acc parallel loop present(p[0:1])
    for (int i = 0; i < n; i++)
      p[0] = i;
  }
}

void
host_data (float *restrict x)
{
  /* DATA: acc-host_data use_device *x: ? (calls a function), group 1 (restrict) */
  /* REMARK: missed: acc host_data region: nothing known about its data: calls a function */
#pragma acc host_data use_device(x)
  unknown (x);
  /* DATA: acc-host_data use_device a: -, group 1 (variable) */
#pragma acc host_data use_device(a)
  {
    static float *p;
    p = a;
  }
}

float
declare (void)
{
  float d[N];
  /* DATA: acc-declare create d, group 1 (variable) */
#pragma acc declare create(d)
  /* Names of local statics must not depend on us.  */
  static float s[N], t[N];
  /* DATA: acc-data copy s: r, group 1 (variable); copy t: w, group 2 (variable) */
#pragma acc data copy(t, s)
  /* REGION: kind=acc-parallel dims=?,?,? op=0,d,data,r,1,4 op=1,t,data,w,2,4 op=2,s,data,r,3,4 closed=1 */
#pragma acc parallel present(d)
  t[0] = s[0] + d[0];
  return t[0] + s[1];
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */

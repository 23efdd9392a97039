// Addresses of operands that are used, and those that get out: the latter regions
// are not closed.
// FLAGS: -fopenacc

#include <stdint.h>

struct pair
{
  float *p;
  int n;
};
union word
{
  float *p;
  uintptr_t bits;
};
float *known;
float x[100];
#pragma acc declare create (known)

void
used (float *p, float *q, int n, long *d)
{
// REGION: kind=acc-parallel dims=?,?,? op=0,d,data,w,0,8 op=1,q,data,r,0,4 op=2,p,data,rw,0,4 closed=1 compares=1
#pragma acc parallel copy (p [0:n], q [0:n]) copyout (d [0:1])
  {
    float *r = p, *end;
    for (end = r; *end; end++)
      *end += q[0];
    d[0] = end - r;
  }
}

void
compared (float *p, int n, int *out)
{
// REGION: kind=acc-parallel dims=?,?,? op=0,out,data,w,0,4 op=1,p,data,-,0,4 closed=1 compares=1
#pragma acc parallel copy (p [0:n]) copyout (out [0:1])
  out[0] = p < (float *)4096 ? 1 : 2;
// REGION: kind=acc-parallel dims=?,?,? op=0,out,data,w,0,4 op=1,p,data,-,0,4 closed=1
#pragma acc parallel copy (p [0:n]) copyout (out [0:1])
  out[0] = p ? 1 : 2;
}

void
stored (float *p, int n)
{
// REGION: kind=acc-parallel dims=?,?,? op=0,p,data,-,0,4 op=1,known,copy,rw,0,8
#pragma acc parallel copy (p [0:n])
  known = p + 1;
}

void
converted (float *p, int n, uintptr_t *out)
{
// REGION: kind=acc-parallel dims=?,?,? op=0,out,data,w,0,8 op=1,p,data,-,0,4
#pragma acc parallel copy (p [0:n]) copyout (out [0:1])
  out[0] = (uintptr_t)p + 8;
}

void
through_union (uintptr_t *out)
{
// REGION: kind=acc-parallel dims=?,?,? op=0,out,data,w,0,8 op=1,x,data,-,0,4
#pragma acc parallel copy (x) copyout (out [0:1])
  {
    union word w;
    w.p = &x[3];
    out[0] = w.bits;
  }
}

void
through_pointer (uintptr_t *out)
{
// REGION: kind=acc-parallel dims=?,?,? op=0,out,data,w,0,8 op=1,x,data,-,0,4
#pragma acc parallel copy (x) copyout (out [0:1])
  {
    float *p = &x[3];
    out[0] = *(uintptr_t *)&p;
  }
}

void
in_structure (struct pair *out)
{
// REGION: kind=acc-parallel dims=?,?,? op=0,out,data,w,0,16 op=1,x,data,-,0,4
#pragma acc parallel copy (x) copyout (out [0:1])
  {
    struct pair own;
    own.p = x;
    own.n = 100;
    out[0] = own;
  }
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */

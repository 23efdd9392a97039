/* What a body does to its operands, and what keeps us from knowing.
   FLAGS: -fopenmp  */

extern float sqrtf (float);
extern void known_nothing (float *);
#pragma omp declare target
float on_device[100];
float *device_pointer;
#pragma omp end declare target
static float x[100], y[100], z[100];

void
simple (int n)
{
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,y,data,r,2,4 op=2,x,data,w,3,4 closed=1 */
  /* CONSTANT: y */
  /* REMARK: optimized: omp target region: copies y to the GPU, x back where absent; y only read */
#pragma omp target map(from: x) map(to: y)
  for (int i = 0; i < n; i++)
    x[i] = sqrtf (y[i]);
  /* REGION: kind=omp-target dims=1,?,? op=0,y,data,rw,1,4 op=1,x,data,r,2,4 closed=1 */
  /* CONSTANT: x */
#pragma omp target map(tofrom: x, y)
  y[3] += x[4];
}

void
cannot_tell (int n)
{
  /* A call may do anything to x, whose address it gets, and all else.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,y,data,?,1,4 op=1,x,data,?,2,4 */
  /* CONSTANT: */
  /* REMARK: missed: omp target region: nothing known about its data: calls a function */
#pragma omp target map(tofrom: x, y)
  known_nothing (x + (int) y[0]);
  /* REGION: kind=omp-target dims=1,?,? op=0,y,data,?,1,4 op=1,x,data,?,2,4 */
  /* CONSTANT: */
  /* REMARK: missed: .* inline asm */
#pragma omp target map(tofrom: x, y)
  {
    x[0] = y[0];
    __asm__ ("");
  }
  /* REGION: kind=omp-target dims=1,?,? op=0,y,data,r,1,4 op=1,x,data,?,2,4 closed=1 */
  /* CONSTANT: y */
#pragma omp target map(tofrom: x, y)
#pragma omp atomic
  x[0] += y[1];
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,y,data,r,2,4 op=2,x,data,?,3,4 closed=1 */
  /* CONSTANT: y */
#pragma omp target map(tofrom: x, y)
  {
    volatile float *v = x;
    x[1] = y[1];
    x[n] = v[n];
  }
  /* REGION: kind=omp-target dims=1,?,? op=0,n,data,?,1,4 op=1,y,data,r,2,4 red=+,n closed=1 */
  /* CONSTANT: y */
#pragma omp target parallel map(tofrom: n, y) reduction(+: n)
  n += y[0] > 0;
}

void
through_pointers (int n)
{
  /* p is x or y, but not z.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,z,data,r,2,4 op=2,y,data,w,3,4 op=3,x,data,w,4,4 closed=1 */
  /* CONSTANT: z */
#pragma omp target map(tofrom: x, y, z)
  {
    float *p = n > 3 ? x : y;
    p[n] = z[n];
  }
  /* p only is a copy of y.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,y,data,w,2,4 op=2,x,data,r,3,4 closed=1 */
  /* CONSTANT: x */
#pragma omp target map(tofrom: x, y)
  {
    float *p = y + 1, *q = p + n;
    q[1] = x[n];
  }
  /* Through an integer.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,y,data,?,2,4 op=2,x,data,?,3,4 */
  /* CONSTANT: */
#pragma omp target map(tofrom: x, y)
  {
    long k = (long) y;
    float *p = (float *) k;
    p[n] = x[n];
  }
  /* Through memory.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,y,data,?,2,4 op=2,x,data,?,3,4 */
  /* CONSTANT: */
#pragma omp target map(tofrom: x, y)
  {
    float *both[2] = { x, y };
    both[n & 1][n] = 3;
  }
  /* Through a pointer to a pointer.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,y,data,?,1,4 op=1,x,data,?,2,4 */
  /* CONSTANT: */
#pragma omp target map(tofrom: x, y)
  {
    float *p = x, **q = &p;
    *q = y;
    p[0] = 1;
  }
}

void
device_variables (int n, float *p, float *restrict r)
{
  /* on_device may be what p points to, but neither x nor r.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,x,data,r,0,4 op=2,r,data,r,2,4 op=3,p,data,?,0,4 closed=1 */
  /* CONSTANT: r */
#pragma omp target map(tofrom: p[0:n], r[0:n], x)
  for (int i = 0; i < n; i++)
    on_device[i] = p[i] + r[i] + x[i];
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,x,data,?,0,4 op=2,r,data,?,2,4 op=3,p,data,?,0,4 */
  /* CONSTANT: */
  /* REMARK: missed: .* stores through a pointer that may lead anywhere */
#pragma omp target map(tofrom: p[0:n], r[0:n], x)
  for (int i = 0; i < n; i++)
    device_pointer[i] = p[i] + r[i] + x[i];
  /* The value of a pointer is no operand.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,p,value,-,?,8 op=1,n,value,-,?,4 op=2,x,data,?,3,4 */
  /* CONSTANT: */
#pragma omp target map(tofrom: x) firstprivate(p)
  p[n] = x[n];
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */

/* What regions do through functions of the same file.

   FLAGS: -fopenmp
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma omp declare target
static int factor;

static int
twice (int x)
{
  int y[2] = { x, x };
  y[1] += y[0];
  return y[1];
}

static int
scaled (const int *p, int i)
{
  return p[i] * factor + twice (i);
}

static void
set (int *p, int i)
{
  p[i] = twice (i);
}

static int
counted (int x)
{
  static int count;
  count++;
  return x + count;
}

__attribute__ ((weak)) int
weak (int x)
{
  return x;
}

static int
fibonacci (int n)
{
  return n < 2 ? n : fibonacci (n - 1) + fibonacci (n - 2);
}
#pragma omp end declare target

void
calls (int n, int *restrict x, const int *restrict y)
{
  /* Nothing but its own variables.  */
  /* REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,x,data,w,2,4 op=2,y,data,r,4,4 loop=gv,s closed=1 */
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])       \
    map(to : y[ : n])
  for (int i = 0; i < n; i++)
    x[i] = twice (y[i]);

  /* Any memory may be read.  */
  /* REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,x,data,rw,2,4 op=2,y,data,r,4,4 loop=gv,s */
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])       \
    map(to : y[ : n])
  for (int i = 0; i < n; i++)
    x[i] = scaled (y, i);

  /* What it is given is set.  */
  /* REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,x,data,rw,2,4 op=2,y,data,-,4,4 loop=gv,s closed=1 */
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])       \
    map(to : y[ : n])
  for (int i = 0; i < n; i++)
    set (x, i);

  /* And what is set is not known.  */
  /* REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,x,data,?,2,4 op=2,y,data,?,4,4 loop=gv,s */
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])       \
    map(to : y[ : n])
  for (int i = 0; i < n; i++)
    x[i] = counted (y[i]);
  /* REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,x,data,?,2,4 op=2,y,data,?,4,4 loop=gv,s */
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])       \
    map(to : y[ : n])
  for (int i = 0; i < n; i++)
    x[i] = weak (y[i]);
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,y,data,?,2,4 op=2,x,data,?,4,4 */
#pragma omp target map(tofrom : x[ : n]) map(to : y[ : n])
  for (int i = 0; i < n; i++)
    x[i] = fibonacci (y[i]);
}

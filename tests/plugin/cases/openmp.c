/* OpenMP constructs, loops and clauses.
   FLAGS: -fopenmp  */

#define N 512
static float a[N][N], b[N][N], c[N];
typedef struct { float *p; int n; } box;

void
loops (int n, int m)
{
  int last = 0;
  float sum = 0;
  /* REGION: kind=omp-target dims=32,?,? op=0,n,value,-,?,4 op=1,b,data,r,2,4 op=2,a,data,w,3,4 loop=gv,512 loop=gv,s closed=1 */
  /* CONSTANT: b */
#pragma omp target teams distribute parallel for collapse(2) num_teams(32)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b[i][j];
  /* REGION: kind=omp-target dims=?,?,? op=0,m,value,-,?,4 op=1,b,data,r,2,4 op=2,a,data,w,3,4 loop=g,4 loop=v,s closed=1 */
  /* CONSTANT: b */
#pragma omp target teams distribute
  for (int i = 10; i > 0; i -= 3)
#pragma omp parallel for simd
    for (int j = 0; j < m; j += 2)
      a[i][j] = b[i][j];
  /* REGION: kind=omp-target dims=?,?,? op=0,c,data,r,1,4 op=1,sum,data,?,2,4 op=2,last,data,?,3,4 loop=gv,512 red=+,sum red=max,last closed=1 */
  /* CONSTANT: c */
#pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum) reduction(max: last)
  for (int i = 0; i < N; i++)
    {
      sum += c[i];
      last = last > i ? last : i;
    }
  /* REGION: kind=omp-target dims=1,?,? op=0,c,data,r,1,4 op=1,last,data,?,2,4 loop=v,512 closed=1 */
  /* CONSTANT: c */
#pragma omp target parallel for lastprivate(last) map(tofrom: last)
  for (int i = 0; i < N; i++)
    last = c[i] > 0;
  /* The elements of an array section are combined.  */
  /* GCC 13: REGION: kind=omp-target dims=1,?,? op=0,b,data,r,1,4 op=1,c,data,?,2,4 loop=v,512 red=+,c closed=1 */
  /* REGION: kind=omp-target dims=1,?,? op=0,b,data,r,1,4 op=1,c,data,?,2,4 op=2,c,data,?,2,4 loop=v,512 red=+,c closed=1 */
  /* CONSTANT: b */
#pragma omp target parallel for map(tofrom: c) reduction(+: c[0:10])
  for (int i = 0; i < N; i++)
    c[i % 10] += b[i][0];
  /* A barrier changes nothing.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,a,data,w,1,4 op=1,b,data,r,2,4 closed=1 */
  /* CONSTANT: b */
#pragma omp target parallel map(tofrom: a) map(to: b)
  {
    a[1][1] = b[1][1];
#pragma omp barrier
    a[2][2] = b[2][2];
  }
}

float
operands (int n, box *s, float *p)
{
  /* The pointer in a structure is loaded: it may lead anywhere.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,n,value,-,?,4 op=1,p,data,?,0,4 op=2,s,data,?,0,16 op=3,,data,?,?,4 op=4,,other,?,?,0 */
  /* CONSTANT: */
#pragma omp target map(to: s[0:1]) map(tofrom: s->p[0:n]) map(to: p[0:n])
  for (int i = 0; i < n; i++)
    s->p[i] = p[i];
  /* A device pointer from outside is none of our variables, unless static.  */
  float d[N];
  /* REGION: kind=omp-target dims=1,?,? op=0,d,data,w,1,4 op=1,p,devptr,r,0,4 closed=1 */
  /* CONSTANT: p */
#pragma omp target is_device_ptr(p) map(from: d)
  for (int i = 0; i < N; i++)
    d[i] = p[i];
  /* Firstprivate copies: the region's own, but read once.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,f,copy,r,1,8 op=1,c,data,w,2,4 closed=1 */
  /* CONSTANT: f */
  double f = n;
#pragma omp target map(from: c)
  c[0] = f;
  /* A section of an array that starts in the middle.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,b,data,r,1,4 op=1,c,data,w,2,4 closed=1 */
  /* CONSTANT: b */
#pragma omp target map(from: c[100:50]) map(to: b[3:2])
  c[120] = b[3][4];
  /* A target inside a target.  */
  /* REGION: kind=omp-target dims=1,?,? op=0,b,data,?,1,4 op=1,c,data,?,2,4 */
  /* CONSTANT: */
#pragma omp target map(tofrom: c) map(to: b)
  {
    c[0] = b[0][0];
    /* DATA: omp-target-update to b, group 1 (variable) */
#pragma omp target update to(b)
  }
  return d[0];
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */

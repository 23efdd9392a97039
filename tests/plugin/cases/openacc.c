/* OpenACC constructs, their launch clauses, loops and reductions.
   FLAGS: -fopenacc  */

#define N 512
static float a[N][N], b[N][N];

float
constructs (int n, float *restrict x, const float *restrict y)
{
  float sum = 0;
  /* REGION: kind=acc-parallel dims=64,?,128 op=0,b,data,r,1,4 op=1,a,data,w,2,4 loop=g,510 loop=v,510 closed=1 */
  /* CONSTANT: b */
#pragma acc parallel loop gang num_gangs(64) vector_length(128)
  for (int i = 1; i < N - 1; i++)
#pragma acc loop vector
    for (int j = 1; j < N - 1; j++)
      a[i][j] = b[i - 1][j] + b[i + 1][j];
  /* REGION: kind=acc-parallel dims=?,?,? op=0,sum,data,?,1,4 op=1,a,data,r,2,4 op=2,b,data,r,3,4 loop=a,256 loop=a,512 red=+,sum closed=1 */
  /* CONSTANT: a b */
#pragma acc parallel loop collapse(2) reduction(+: sum) copyin(a, b)
  for (int i = 0; i < N; i += 2)
    for (int j = N - 1; j >= 0; j--)
      sum += a[i][j] - b[i][j];
  /* REGION: kind=acc-kernels dims=?,?,? op=0,y,data,r,1,4 op=1,x,data,w,3,4 op=2,n,data,r,5,4 closed=1 */
  /* CONSTANT: y n */
#pragma acc kernels copy(x[0:n]) copyin(y[0:n])
  for (int i = 0; i < n; i++)
    x[i] = y[i];
  /* REGION: kind=acc-serial dims=1,1,1 op=0,y,data,r,1,4 op=1,x,data,w,3,4 closed=1 */
  /* CONSTANT: y */
#pragma acc serial copy(x[0:n]) copyin(y[0:n])
  x[0] = y[1];
  /* REGION: kind=acc-parallel dims=?,4,? op=0,y,data,r,1,4 op=1,x,data,w,3,4 op=2,n,copy,r,5,4 loop=gw,s loop=s,4 closed=1 */
  /* CONSTANT: y n */
#pragma acc parallel num_workers(4) copy(x[0:n]) copyin(y[0:n])
  {
#pragma acc loop gang worker
    for (int i = 0; i < n; i++)
      {
	float s = 0;
#pragma acc loop seq
	for (int j = 0; j < 4; j++)
	  s += y[i + j];
	x[i] = s;
      }
  }
  return sum;
}

void
data (int n, float *restrict x, float *restrict y)
{
  /* DATA: acc-data copyin *y: r, group 1 (restrict); copy *x: rw, group 2 (restrict) */
#pragma acc data copy(x[0:n]) copyin(y[0:n])
  {
    /* REGION: kind=acc-parallel dims=?,?,? op=0,x,data,rw,1,4 op=1,y,data,r,3,4 op=2,n,copy,r,5,4 loop=a,s closed=1 */
    /* CONSTANT: y n */
#pragma acc parallel loop present(x[0:n], y[0:n]) async(1)
    for (int i = 0; i < n; i++)
      x[i] += y[i];
    /* REGION: kind=acc-parallel dims=?,?,? op=0,y,data,r,1,4 op=1,x,data,rw,3,4 op=2,n,copy,r,5,4 loop=a,s closed=1 */
    /* CONSTANT: y n */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      x[i] += y[i];
    /* DATA: acc-update self *x, group 1 (restrict) */
#pragma acc update self(x[0:n])
  }
  /* REGION: kind=acc-parallel dims=?,?,? op=0,x,data,?,1,4 op=1,y,copy,?,3,8 op=2,n,copy,?,4,4 loop=a,s */
  /* CONSTANT: */
#pragma acc parallel loop copy(x[0:n])
  for (int i = 0; i < n; i++)
    {
      float old;
#pragma acc atomic capture
      {
	old = x[0];
	x[0] += 1;
      }
      y[0] = old;
    }
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */

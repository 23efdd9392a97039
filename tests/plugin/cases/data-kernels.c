/* The data construct that GCC makes of a kernels region it cuts up.
   FLAGS: -fopenacc --param=openacc-kernels=decompose  */

void
kernels (int n, float *restrict x, float *restrict y)
{
  /* DATA: acc-kernels-data copyin *y: r, group 1 (restrict); copy *x: w, group 2 (restrict); copy n: r, group 3 (variable) */
  /* REMARK: optimized: acc kernels data region: copies x and n to the GPU and back, y to the GPU where absent; y and n only read */
#pragma acc kernels copy(x[0:n]) copyin(y[0:n])
  {
    /* REGION: kind=acc-kernels dims=?,?,? op=0,y,data,r,1,4 op=1,x,data,w,3,4 op=2,n,data,r,5,4 loop=a,s closed=1 */
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      x[i] = y[i];
  }
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */

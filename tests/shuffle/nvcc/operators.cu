/* The sixteen operators of the paper's Table 2 as CUDA, in the shape that an
   OpenACC compiler gives such loops: gangs go over the outer dimensions and
   vector lanes over the rows, each in strides, so that any launch covers the
   grid; an element of the innermost loop a thread and iteration; base pointers
   and one linear index of 64 bits.

   operators.ptx is what nvcc makes of it (see table2.sh).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define GANG_Z(z, first, end)                                                 \
  for (int z = (first) + blockIdx.y; z < (end); z += gridDim.y)
#define GANG(y, first, end)                                                   \
  for (int y = (first) + blockIdx.x; y < (end); y += gridDim.x)
#define VECTOR(x, first, end)                                                 \
  for (int x = (first) + threadIdx.x; x < (end); x += blockDim.x)

#define IN const float *__restrict__
#define OUT float *__restrict__
/* C's sincos is another.  */
#define KERNEL(name) extern "C" __global__ void acc_##name

KERNEL (divergence) (int nz, int ny, int nx, IN ux, IN uy, IN uz, OUT div)
{
  long row = nx, plane = row * ny;
  GANG_Z (z, 1, nz - 1) GANG (y, 1, ny - 1) VECTOR (x, 1, nx - 1)
    {
      long i = z * plane + y * row + x;
      div[i] = 0.5f * (ux[i + 1] - ux[i - 1])
	       + 0.25f * (uy[i + row] - uy[i - row])
	       + 0.125f * (uz[i + plane] - uz[i - plane]);
    }
}

KERNEL (gameoflife) (int ny, int nx, const int *__restrict__ now,
	    int *__restrict__ next)
{
  long row = nx;
  GANG (y, 1, ny - 1) VECTOR (x, 1, nx - 1)
    {
      long i = y * row + x;
      int around = now[i - row - 1] + now[i - row + 1] + now[i - row]
		   + now[i - 1] + now[i + 1] + now[i + row - 1]
		   + now[i + row + 1] + now[i + row];
      int alive = now[i];
      next[i] = around == 3 || (alive && around == 2);
    }
}

#define BLUR(p) (0.0625f * (p)[-2] + 0.25f * (p)[-1] + 0.375f * (p)[0]        \
		 + 0.25f * (p)[1] + 0.0625f * (p)[2])

KERNEL (gaussblur) (int ny, int nx, IN in, OUT out)
{
  long row = nx;
  GANG (y, 2, ny - 2) VECTOR (x, 2, nx - 2)
    {
      IN p = in + y * row + x;
      out[y * row + x]
	= 0.0625f * (BLUR (p - 2 * row) + BLUR (p + 2 * row))
	  + 0.25f * (BLUR (p - row) + BLUR (p + row)) + 0.375f * BLUR (p);
    }
}

KERNEL (gradient) (int nz, int ny, int nx, IN u, OUT ux, OUT uy, OUT uz)
{
  long row = nx, plane = row * ny;
  GANG_Z (z, 1, nz - 1) GANG (y, 1, ny - 1) VECTOR (x, 1, nx - 1)
    {
      long i = z * plane + y * row + x;
      ux[i] = 0.5f * (u[i + 1] - u[i - 1]);
      uy[i] = 0.25f * (u[i + row] - u[i - row]);
      uz[i] = 0.125f * (u[i + plane] - u[i - plane]);
    }
}

KERNEL (jacobi) (int ny, int nx, IN u, OUT v)
{
  long row = nx;
  GANG (y, 1, ny - 1) VECTOR (x, 1, nx - 1)
    {
      long i = y * row + x;
      v[i] = 0.05f * (u[i - 1 - row] + u[i - 1 + row] + u[i + 1 - row]
		      + u[i + 1 + row])
	     + 0.15f * (u[i + 1] + u[i - row] + u[i - 1] + u[i + row])
	     + 0.2f * u[i];
    }
}

KERNEL (lapgsrb) (int nz, int ny, int nx, IN u, OUT v)
{
  long row = nx, plane = row * ny;
  GANG_Z (z, 2, nz - 2) GANG (y, 2, ny - 2) VECTOR (x, 2, nx - 2)
    {
      long i = z * plane + y * row + x;
      v[i] = 0.01f * (u[i - 2] + u[i + 2] + u[i - 2 * row] + u[i + 2 * row]
		      + u[i - 2 * plane] + u[i + 2 * plane])
	     + 0.02f * (u[i - row - 1] + u[i - row + 1] + u[i + row - 1]
			+ u[i + row + 1] + u[i - plane - 1] + u[i - plane + 1]
			+ u[i + plane - 1] + u[i + plane + 1]
			+ u[i - plane - row] + u[i - plane + row]
			+ u[i + plane - row] + u[i + plane + row])
	     + 0.05f * (u[i - 1] + u[i + 1] + u[i - row] + u[i + row]
			+ u[i - plane] + u[i + plane])
	     + 0.4f * u[i];
    }
}

KERNEL (laplacian) (int nz, int ny, int nx, IN u, OUT v)
{
  long row = nx, plane = row * ny;
  GANG_Z (z, 1, nz - 1) GANG (y, 1, ny - 1) VECTOR (x, 1, nx - 1)
    {
      long i = z * plane + y * row + x;
      v[i] = 0.1f * (u[i - 1] + u[i + 1] + u[i - row] + u[i + row]
		     + u[i - plane] + u[i + plane])
	     + 0.4f * u[i];
    }
}

/* The paper's 8 loads are four iterations of the sum.  */
KERNEL (matmul) (int n, IN a, IN b, OUT c)
{
  long row = n;
  GANG (y, 0, n) VECTOR (x, 0, n)
    {
      float sum = 0;
#pragma unroll 1
      for (long k = 0; k < row; k += 4)
#pragma unroll
	for (int m = 0; m < 4; m++)
	  sum += a[(k + m) * row + x] * b[y * row + k + m];
      c[y * row + x] = sum;
    }
}

/* The paper's 7 loads are three iterations of the sum, and what it is added
   to.  */
KERNEL (matvec) (int n, int m, IN a, IN x, OUT y)
{
  long row = m;
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
       r += gridDim.x * blockDim.x)
    {
      float sum = y[r];
#pragma unroll 1
      for (long k = 0; k < row; k += 3)
#pragma unroll
	for (int c = 0; c < 3; c++)
	  sum += a[r * row + k + c] * x[k + c];
      y[r] = sum;
    }
}

KERNEL (sincos) (int nz, int ny, int nx, IN a, IN b, OUT c)
{
  long row = nx, plane = row * ny;
  GANG_Z (z, 0, nz) GANG (y, 0, ny) VECTOR (x, 0, nx)
    {
      long i = z * plane + y * row + x;
      c[i] = __sinf (a[i]) + __cosf (b[i]);
    }
}

/* Catmull-Rom weights of the points at -1, 0, 1 and 2.  */
#define SPLINE0(t) (0.5f * (t) * ((2 - (t)) * (t)-1))
#define SPLINE1(t) (0.5f * ((t) * (t) * (3 * (t)-5) + 2))
#define SPLINE2(t) (0.5f * (t) * ((4 - 3 * (t)) * (t) + 1))
#define SPLINE3(t) (0.5f * (t) * (t) * ((t)-1))
#define SPLINE(t) { SPLINE0 (t), SPLINE1 (t), SPLINE2 (t), SPLINE3 (t) }

KERNEL (tricubic) (int nz, int ny, int nx, IN a, IN b, IN c, IN u, OUT v)
{
  long row = nx, plane = row * ny;
  GANG_Z (z, 2, nz - 2) GANG (y, 2, ny - 2) VECTOR (x, 2, nx - 2)
    {
      long i = z * plane + y * row + x;
      float s = a[i], t = b[i], r = c[i], sum = 0;
      float wa[] = SPLINE (s), wb[] = SPLINE (t), wc[] = SPLINE (r);
#define ROW(dz, dy, p)                                                        \
  sum += wc[dz] * wb[dy]                                                      \
	 * (wa[0] * (p)[-1] + wa[1] * (p)[0] + wa[2] * (p)[1] + wa[3] * (p)[2]);
#define PLANE(dz, p)                                                          \
  ROW (dz, 0, (p)-row) ROW (dz, 1, p) ROW (dz, 2, (p) + row)                  \
  ROW (dz, 3, (p) + 2 * row)
      PLANE (0, u + i - plane)
      PLANE (1, u + i)
      PLANE (2, u + i + plane)
      PLANE (3, u + i + 2 * plane)
      v[i] = sum;
    }
}

/* The same with loops.  */
KERNEL (tricubic2) (int nz, int ny, int nx, IN a, IN b, IN c, IN u, OUT v)
{
  long row = nx, plane = row * ny;
  GANG_Z (z, 2, nz - 2) GANG (y, 2, ny - 2) VECTOR (x, 2, nx - 2)
    {
      long i = z * plane + y * row + x;
      float s = a[i], t = b[i], r = c[i], sum = 0;
      float wa[] = SPLINE (s), wb[] = SPLINE (t), wc[] = SPLINE (r);
      for (int dz = 0; dz < 4; dz++)
	for (int dy = 0; dy < 4; dy++)
	  for (int dx = 0; dx < 4; dx++)
	    sum += wc[dz] * wb[dy] * wa[dx]
		   * u[i + (dz - 1) * plane + (dy - 1) * row + dx - 1];
      v[i] = sum;
    }
}

KERNEL (uxx1) (int nz, int ny, int nx, IN density, IN xx, IN xy, IN xz, IN u, OUT next)
{
  long row = nx, plane = row * ny;
  GANG_Z (z, 2, nz - 2) GANG (y, 2, ny - 2) VECTOR (x, 2, nx - 2)
    {
      long i = z * plane + y * row + x;
      float mean = 0.25f
		   * (density[i] + density[i - row] + density[i - plane]
		      + density[i - row - plane]);
      float force = -0.04f * (xx[i + 1] - xx[i - 2])
		    + 1.125f * (xx[i] - xx[i - 1])
		    + 1.125f * (xy[i] - xy[i - row])
		    - 0.04f * (xy[i + row] - xy[i - 2 * row])
		    + 1.125f * (xz[i] - xz[i - plane])
		    - 0.04f * (xz[i + plane] - xz[i - 2 * plane]);
      next[i] = u[i] + 0.1f / mean * force;
    }
}

KERNEL (vecadd) (int nz, int ny, int nx, IN a, IN b, OUT c)
{
  long row = nx, plane = row * ny;
  GANG_Z (z, 0, nz) GANG (y, 0, ny) VECTOR (x, 0, nx)
    {
      long i = z * plane + y * row + x;
      c[i] = a[i] + b[i];
    }
}

KERNEL (wave13pt) (int nz, int ny, int nx, IN before, IN u, OUT next)
{
  long row = nx, plane = row * ny;
  GANG_Z (z, 2, nz - 2) GANG (y, 2, ny - 2) VECTOR (x, 2, nx - 2)
    {
      long i = z * plane + y * row + x;
      float far = u[i - 2] + u[i + 2] + u[i - 2 * row] + u[i + 2 * row]
		  + u[i - 2 * plane] + u[i + 2 * plane];
      float near = u[i - 1] + u[i + 1] + u[i - row] + u[i + row]
		   + u[i - plane] + u[i + plane];
      next[i] = 1.6f * u[i] - before[i] + 0.06f * near - 0.004f * far;
    }
}

/* Without __restrict__ on EZ it is loaded once more behind the stores.  */
KERNEL (whispering) (int ny, int nx, IN da, IN db, IN ca, IN cb, IN current,
	    const float *ez, IN hx, IN hy, float *ez1, float *hx1, float *hy1)
{
  long row = nx;
  GANG (y, 1, ny - 1) VECTOR (x, 1, nx - 1)
    {
      long i = y * row + x, west = i - 1, south = i - row;
      float hx_here = da[i] * hx[i] + db[i] * (ez[i] - ez[i + row]);
      float hy_here = da[i] * hy[i] + db[i] * (ez[i + 1] - ez[i]);
      float hy_west = da[west] * hy[west] + db[west] * (ez[i] - ez[west]);
      float hx_south
	= da[south] * hx[south] + db[south] * (ez[south] - ez[i]);
      hx1[i] = hx_here;
      hy1[i] = hy_here;
      ez1[i] = ca[i] * ez[i]
	       + cb[i] * (hy_here - hy_west + hx_south - hx_here - current[i]);
    }
}

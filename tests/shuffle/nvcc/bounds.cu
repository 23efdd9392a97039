/* A stencil on arrays whose bounds are arguments, as Fortran's and the seismic
   code SW4's are: an index of 32 bits is a sum of dozens of products, the lane
   being one of its terms.
   SPDX-License-Identifier: GPL-3.0-or-later  */

/* The derivative along x of row J of plane K, by the fourth order.  */
#define ROW(j, k) (U (i - 2, j, k) - 8 * U (i - 1, j, k)                      \
		   + 8 * U (i + 1, j, k) - U (i + 2, j, k))

/* Elements [I2, I3] x [J2, J3] x [K2, K3] of arrays with bounds
   [I0, I1] x [J0, J1] x [K0, ...].  */
extern "C" __global__ void
bounds (int k3, int j3, int i3, int i0, int i1, int i2, int j0, int j1, int j2,
	int k0, int k2, const double *__restrict__ u, double *__restrict__ v)
{
  int ni = i1 - i0 + 1, nij = ni * (j1 - j0 + 1);
  int base = -(i0 + ni * j0 + nij * k0);
#define AT(i, j, k) (base + (i) + ni * (j) + nij * (k))
#define U(i, j, k) u[AT (i, j, k)]
  int i = i2 + threadIdx.x + blockIdx.x * blockDim.x;
  int j = j2 + threadIdx.y + blockIdx.y * blockDim.y;
  int k = blockIdx.z + 2;
  if (i > i3 || j > j3 || k < k2 || k > k3)
    return;
  v[AT (i, j, k)] = ROW (j - 2, k) - 8 * ROW (j - 1, k) + 8 * ROW (j + 1, k)
		    - ROW (j + 2, k) + ROW (j, k - 2) - 8 * ROW (j, k - 1)
		    + 8 * ROW (j, k + 1) - ROW (j, k + 2);
}

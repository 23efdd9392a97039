/* Kernels for nvcc and for clang, which has no CUDA headers here: statistics of a
   batch by shuffles and shared memory, a histogram in dynamic shared memory, a copy
   into columns, a matrix product of tiles, and threads that leave early.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifdef __clang__
#define __global__ __attribute__ ((global))
#define __device__ __attribute__ ((device))
#define __shared__ __attribute__ ((shared))
#define TX __nvvm_read_ptx_sreg_tid_x ()
#define TY __nvvm_read_ptx_sreg_tid_y ()
#define NX __nvvm_read_ptx_sreg_ntid_x ()
#define NY __nvvm_read_ptx_sreg_ntid_y ()
#define BX __nvvm_read_ptx_sreg_ctaid_x ()
#define BY __nvvm_read_ptx_sreg_ctaid_y ()
#define GX __nvvm_read_ptx_sreg_nctaid_x ()
#define SYNC() __syncthreads ()
#define SHUFFLE(x, m) __nvvm_shfl_sync_bfly_i32 (~0u, x, m, 31)
#define ADD(p, x) __nvvm_atom_add_gen_i (p, x)
#define COUNT(x) __nvvm_bar0_popc (x)
#else
#define TX threadIdx.x
#define TY threadIdx.y
#define NX blockDim.x
#define NY blockDim.y
#define BX blockIdx.x
#define BY blockIdx.y
#define GX gridDim.x
#define SYNC() __syncthreads ()
#define SHUFFLE(x, m) __shfl_xor_sync (~0u, x, m)
#define ADD(p, x) atomicAdd (p, x)
#define COUNT(x) __syncthreads_count (x)
#endif

__device__ int calls = 3;
extern __shared__ int piece[];

extern "C" __global__ void
statistics (int *out, const int *in, int n)
{
  __shared__ int partial[32];
  int sum = 0, lane = TX & 31;
  for (int i = BX * NX + TX; i < n; i += NX * GX)
    sum += in[i] & 1023;
  for (int m = 16; m; m >>= 1)
    sum += SHUFFLE (sum, m);
  if (!lane)
    partial[TX >> 5] = sum;
  SYNC ();
  if (TX < 32)
    {
      sum = TX < NX / 32 ? partial[TX] : 0;
      for (int m = 16; m; m >>= 1)
	sum += SHUFFLE (sum, m);
      if (!TX)
	partial[0] = sum;
    }
  SYNC ();
  out[BX * NX + TX] = partial[0] + COUNT (in[TX] & 1);
}

extern "C" __global__ void
histogram (int *out, const int *in, int n)
{
  for (int i = TX; i < 64; i += NX)
    piece[i] = 0;
  SYNC ();
  for (int i = BX * NX + TX; i < n; i += NX * GX)
    ADD (&piece[in[i] & 63], i);
  SYNC ();
  for (int i = TX; i < 64; i += NX)
    ADD (&out[i], piece[i]);
}

extern "C" __global__ void
columns (int *out, const int *in, int n)
{
  int x = BX * NX + TX, y = BY * NY + TY, w = NX * GX;
  if (x * 3 + y < n)
    out[y * w + x] = in[x * 3 + y] + calls;
}

__device__ __attribute__ ((noinline)) int
step (const int *a, const int *b, int x, int y, int k)
{
  __shared__ int ta[8][8], tb[8][8];
  int sum = 0;
  ta[TY][TX] = a[y * 32 + k + TX];
  tb[TY][TX] = b[(k + TY) * 32 + x];
  SYNC ();
  for (int i = 0; i < 8; i++)
    sum += ta[TY][i] * tb[i][TX];
  SYNC ();
  return sum;
}

extern "C" __global__ void
product (int *out, const int *a, const int *b)
{
  int x = BX * 8 + TX, y = BY * 8 + TY, sum = 0;
  for (int k = 0; k < 32; k += 8)
    sum += step (a, b, x, y, k);
  out[y * 32 + x] = sum;
}

extern "C" __global__ void
leave (int *out, const int *in, int n)
{
  __shared__ int last[256];
  int i = BX * NX + TX;
  if (i >= n)
    return;
  last[TX] = in[i];
  SYNC ();
  if (in[i] & 1)
    return;
  out[i] = last[0];
  SYNC ();
  last[TX] = out[i] + 1;
  SYNC ();
  out[i] = last[TX & ~31] + i;
}

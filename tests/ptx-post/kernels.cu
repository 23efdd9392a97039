/* CUDA kernels for nvcc: what plain C++ device code makes it emit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cassert>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__constant__ float coefficients[4] = { 1, 2, 3, 4 };
__device__ int value = 5;
__device__ int *pointer = &value;
extern __shared__ float dynamic[];

struct record { int a; double b; char c[3]; };
__device__ record initialised = { 1, 2.5, { 1, 2, 3 } };

__device__ __noinline__ record
bump (record r, int k)
{
  r.a += k;
  return r;
}

typedef int (*function) (int);
__device__ __noinline__ int triple (int x) { return x * 3; }
__device__ __noinline__ int flip (int x) { return x ^ 5; }
__device__ function functions[2] = { triple, flip };

__device__ int
lane_operations (int i, int n, float x)
{
  int all_equal;
  int r = __ballot_sync (~0u, i > 3) + __any_sync (~0u, i)
	  + __all_sync (~0u, n) + __match_any_sync (~0u, i)
	  + __match_all_sync (~0u, i, &all_equal) + __reduce_add_sync (~0u, i)
	  + __activemask () + __shfl_up_sync (~0u, i, 1);
  r += __float_as_int (__shfl_xor_sync (~0u, x, 4));
  __syncwarp ();
  return r + __syncthreads_or (i) + __syncthreads_count (i) + all_equal;
}

__device__ int
bit_operations (int i, int n)
{
  return __popc (i) + __ffs (i) + __clz (i) + __brev (i)
	 + __byte_perm (i, n, 0x1234) + __funnelshift_l (i, n, 3)
	 + __dp4a (i, n, 3) + __vadd4 (i, n) + __mul24 (i, n)
	 + __sad (i, n, 3) + __umulhi (i, n);
}

__device__ float
math (const float *a, int i)
{
  return sinf (a[i]) + __expf (a[i]) + powf (a[i], 3) + sqrtf (a[i])
	 + rsqrtf (a[i]) + fmodf (a[i], 3) + (float) sin ((double) a[i]);
}

extern "C" __global__ void __launch_bounds__ (128, 2)
memory (float *__restrict__ o, const float *__restrict__ a, int n, __half *h,
	__nv_bfloat16 *b, unsigned long long *u)
{
  __shared__ float sh[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sh[threadIdx.x] = a[i];
  __syncthreads ();
  dynamic[i] = sh[3];
  o[i] = sh[threadIdx.x ^ 1] + coefficients[i & 3];
  h[i] = __hadd (h[i], h[i + 1]);
  b[i] = __hmul (b[i], b[i + 1]);
  atomicAdd (u, 1ull);
  atomicCAS (u, 1ull, 2ull);
  atomicMax ((int *) u, 3);
  atomicAdd (o, 1.f);
  atomicExch ((int *) u, 2);
  __threadfence ();
  __threadfence_block ();
  __threadfence_system ();
  __nanosleep (3);
  o[i] += __ldg (a + i) + __ldcg (a + i + 1) + __ldcs (a + 2) + __ldlu (a + 5);
  __stcs (o + 3, 1.f);
  __stwt (o + 4, 2.f);
  *(float4 *) (o + 4 * i) = *(const float4 *) (a + 4 * i);
  __int128 w = (__int128) u[1] * u[2];
  u[5] = w >> 64;
  w += u[6];
  u[7] = w + lane_operations (i, n, a[i]) + bit_operations (i, n);
  u[8] = clock () + clock64 () + __isShared (o);
  asm volatile ("prefetch.global.L1 [%0];" ::"l"(a));
  o[5] = math (a, i);
}

extern "C" __global__ void
control (float *o, int n)
{
  int i = threadIdx.x;
  record r = bump (initialised, i);
  o[9] = r.a + r.b + r.c[2];
  o[10] = functions[i & 1](i);
  printf ("%d %f\n", i, o[1]);
  value = *pointer;
  if (n == 77)
    __trap ();
  assert (n > 3);
  char *m = (char *) malloc (30);
  m[3] = 4;
  free (m);
  switch (n)
    {
    case 1: o[1] = 2; break;
    case 2: o[2] = 3; break;
    case 3: o[5] = 2; break;
    case 4: o[6] = 6; break;
    case 5: o[8] = 7; break;
    case 6: o[20] = 5; break;
    }
}

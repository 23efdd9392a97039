/* Measure what ptx-post/pass/gpu.def says about a GPU, and print its line: the time
   that a multiprocessor full of warps takes for an instruction of each kind,
   relative to a load that hits the first cache.

   Every kind runs in two loops that differ in how many of it an iteration has;
   the difference leaves out what else a loop does.  The median of several runs
   counts.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <algorithm>
#include <cstdio>
#include <cstdlib>

enum { FEW = 8, MANY = 24, ITERATIONS = 2000, RUNS = 9, WORDS = 64 };

#define CHECK(call)                                                           \
  do                                                                          \
    {                                                                         \
      cudaError_t error = (call);                                             \
      if (error)                                                              \
        {                                                                     \
          fprintf (stderr, "calibrate: %s\n", cudaGetErrorString (error));    \
          exit (1);                                                           \
        }                                                                     \
    }                                                                         \
  while (0)

enum kind { LOAD, SHUFFLE, CORNER, OFF, ALU, KINDS };

/* One instruction of kind K, and another one that takes its result, without
   which the assembler would leave it out.  LANES is how many of a warp a
   predicated load has.  */
template <kind K>
static __device__ __forceinline__ float
one (float sum, int i, const float *p, unsigned lane, unsigned lanes)
{
  float value = i;
  switch (K)
    {
    case LOAD:
      asm volatile ("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(p + i));
      break;
    case SHUFFLE:
      /* Of what has changed since the last one, or the assembler makes all of them
         one.  */
      asm volatile ("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;"
                    : "=f"(value)
                    : "f"(sum));
      break;
    case CORNER:
    case OFF:
      asm volatile ("{ .reg .pred %%p; setp.lt.u32 %%p, %2, %3;\n"
                    "@%%p ld.global.ca.f32 %0, [%1]; }"
                    : "+f"(value)
                    : "l"(p + i), "r"(lane), "r"(lanes));
      break;
    case ALU:
    case KINDS:
      break;
    }
  return fmaf (sum, 0.5f, value);
}

/* The data moves with each iteration, or loads would be made once for all.  */
template <kind K, int N>
static __global__ void
loop (const float *data, float *out, unsigned lanes)
{
  unsigned lane = threadIdx.x % 32;
  float sum = lane;
  for (int t = 0; t < ITERATIONS; t++)
    {
      const float *p = data + lane + t % WORDS;
#pragma unroll
      for (int i = 0; i < N; i++)
        sum = one<K> (sum, i, p, lane, lanes);
    }
  if (sum == -1)
    *out = sum;
}

template <kind K, int N>
static double
milliseconds (const float *data, float *out, unsigned lanes, int blocks)
{
  double times[RUNS];
  cudaEvent_t from, to;
  CHECK (cudaEventCreate (&from));
  CHECK (cudaEventCreate (&to));
  for (int r = -1; r < RUNS; r++)
    {
      float ms;
      CHECK (cudaEventRecord (from));
      loop<K, N><<<blocks, 256>>> (data, out, lanes);
      CHECK (cudaEventRecord (to));
      CHECK (cudaEventSynchronize (to));
      CHECK (cudaEventElapsedTime (&ms, from, to));
      if (r >= 0)
        times[r] = ms;
    }
  std::sort (times, times + RUNS);
  return times[RUNS / 2];
}

template <kind K>
static double
cost (const float *data, float *out, unsigned lanes, int blocks)
{
  return milliseconds<K, MANY> (data, out, lanes, blocks)
         - milliseconds<K, FEW> (data, out, lanes, blocks);
}

int
main ()
{
  cudaDeviceProp gpu;
  float *data, *out;
  CHECK (cudaGetDeviceProperties (&gpu, 0));
  CHECK (cudaMalloc (&data, 4 * WORDS * sizeof *data));
  CHECK (cudaMemset (data, 0, 4 * WORDS * sizeof *data));
  CHECK (cudaMalloc (&out, sizeof *out));
  int blocks = gpu.multiProcessorCount * (gpu.maxThreadsPerMultiProcessor / 256);
  double alu = cost<ALU> (data, out, 0, blocks);
  /* Predicated loads leave a value as it was, which has to be put there.  */
  double each[KINDS] = { cost<LOAD> (data, out, 0, blocks) - alu,
                         cost<SHUFFLE> (data, out, 0, blocks) - alu,
                         cost<CORNER> (data, out, 2, blocks) - 2 * alu,
                         cost<OFF> (data, out, 0, blocks) - 2 * alu, alu };
  printf ("GPU_COST (%d, \"%s\", 100", 10 * gpu.major + gpu.minor, gpu.name);
  for (int k = SHUFFLE; k < KINDS; k++)
    printf (", %.0f", std::max (1.0, 100 * each[k] / each[LOAD]));
  printf (", %d, %d)\n", gpu.regsPerMultiprocessor,
          gpu.maxThreadsPerMultiProcessor / 32);
  return 0;
}

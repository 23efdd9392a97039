/* The forms of the CUDA programs in this folder; a build chooses:
     (default)		a warp for each parent, its lanes for the children
     -DFLAT		a thread for each parent, which does its children in
   turn -DNESTED=STREAM	a thread for each parent, which launches a grid for its
                        children into STREAM of the device's: 0,
                        cudaStreamFireAndForget or cudaStreamTailLaunch

     LAUNCH_PARENTS (kernel, parents, threads, (arguments...))
     int p = PARENT;
     children<THREADS> (begin, end, body);	calls body (begin) ...

   A launch that finds the buffer for pending ones full is lost without a word:
   there is room for all, and one that is lost ends the program.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CUDA_FORMS_H
#define CUDA_FORMS_H

#include "../bench.h"

#if defined NESTED || defined FLAT
enum
{
  PARENT_THREADS = 1
};
#else
enum
{
  PARENT_THREADS = 32
};
#endif

/* A kernel with blocks of THREADS for so many PARENTS, and its end.  */
#define LAUNCH_PARENTS(kernel, parents, threads, arguments)                   \
  do                                                                          \
    {                                                                         \
      size_t all = (size_t)(parents)*PARENT_THREADS;                          \
      expect_launches (parents);                                              \
      kernel<<<(all + (threads) - 1) / (threads), threads>>> arguments;       \
      CUDA_CHECK (cudaDeviceSynchronize ());                                  \
    }                                                                         \
  while (0)

#define PARENT                                                                \
  ((int)((blockIdx.x * (size_t)blockDim.x + threadIdx.x) / PARENT_THREADS))

#ifdef NESTED

static __device__ cudaStream_t its_stream;

static void
choose_stream (void)
{
  const char *name = getenv ("STREAM");
  cudaStream_t stream = cudaStreamFireAndForget;
  if (name && !strcmp (name, "null"))
    stream = 0;
  else if (name && !strcmp (name, "tail"))
    stream = cudaStreamTailLaunch;
  CUDA_CHECK (cudaMemcpyToSymbol (its_stream, &stream, sizeof stream));
}

/* Make room for COUNT launches.  */
static void
expect_launches (size_t count)
{
  static bool chosen;
  size_t room;
  if (!chosen)
    choose_stream ();
  chosen = true;
  CUDA_CHECK (
      cudaDeviceGetLimit (&room, cudaLimitDevRuntimePendingLaunchCount));
  if (room < count)
    CUDA_CHECK (
        cudaDeviceSetLimit (cudaLimitDevRuntimePendingLaunchCount, count));
}

template <class body>
__global__ void
child (int begin, int end, body work)
{
  int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < end)
    work (i);
}

template <int threads, class body>
__device__ void
children (int begin, int end, body work)
{
  if (begin >= end)
    return;
  child<<<(end - begin + threads - 1) / threads, threads, 0, its_stream>>> (
      begin, end, work);
  if (cudaGetLastError () != cudaSuccess)
    __trap ();
}

#else

static void
expect_launches (size_t)
{
}

template <int, class body>
__device__ void
children (int begin, int end, body work)
{
  for (int i = begin + threadIdx.x % PARENT_THREADS; i < end;
       i += PARENT_THREADS)
    work (i);
}

#endif

#endif /* CUDA_FORMS_H */

/* Launch geometry of the hand-written CUDA forms: one thread a point, a row of
   the block along x.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CUDA_GRID_H
#define CUDA_GRID_H

/* Call KERNEL (SHAPE..., the device arrays...) with a thread for each point
   of G.  Blocks of 32 x 8 threads; 256 x 1 in one dimension.  */
#define CUDA_LAUNCH(g, kernel, ...)                                           \
  do                                                                          \
    {                                                                         \
      dim3 block ((g)->ny > 1 ? 32 : 256, (g)->ny > 1 ? 8 : 1);               \
      dim3 blocks (((g)->nx + block.x - 1) / block.x,                         \
                   ((g)->ny + block.y - 1) / block.y, (g)->nz);               \
      kernel<<<blocks, block>>> (__VA_ARGS__);                                \
    }                                                                         \
  while (0)

/* The point of this thread.  */
#define CUDA_X ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define CUDA_Y ((int)(blockIdx.y * blockDim.y + threadIdx.y))
#define CUDA_Z ((int)blockIdx.z)

#endif /* CUDA_GRID_H */

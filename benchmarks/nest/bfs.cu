/* Breadth-first search by levels in CUDA: the vertices on the frontier are
   parents, the edges of each its children.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cuda-forms.h"
#include "bfs.h"

static __device__ volatile int grown;

struct follow
{
  const int *target;
  volatile int *level;
  int depth;

  __device__ void
  operator() (int e)
  {
    int t = target[e];
    if (level[t] == UNREACHED)
      {
        level[t] = depth + 1;
        grown = 1;
      }
  }
};

static __global__ void
begin (int vertices, int *level)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < vertices)
    level[v] = v == 0 ? 0 : UNREACHED;
}

static __global__ void
expand (int vertices, const int *row, follow edge)
{
  int v = PARENT;
  if (v < vertices && edge.level[v] == edge.depth)
    children<32> (row[v], row[v + 1], edge);
}

static void
search (const struct graph *g, int *const *array)
{
  static const int none = 0;
  int more = 1;

  begin<<<(g->vertices + 255) / 256, 256>>> (g->vertices, array[0]);
  for (int depth = 0; more; depth++)
    {
      follow edge = { g->target, array[0], depth };
      CUDA_CHECK (cudaMemcpyToSymbol (grown, &none, sizeof none));
      LAUNCH_PARENTS (expand, g->vertices, 1024, (g->vertices, g->row, edge));
      CUDA_CHECK (cudaMemcpyFromSymbol (&more, grown, sizeof more));
    }
}

/* Single-source shortest paths by Bellman and Ford in CUDA: vertices whose
   distance has shrunk are parents, their edges children.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cuda-forms.h"
#include "sssp.h"

static __device__ volatile int shorter;

struct relax
{
  const int *target, *weight;
  volatile int *distance, *next;
  int here;

  __device__ void
  operator() (int e)
  {
    int t = target[e], d = here + weight[e];
    if (d < distance[t] && d < atomicMin ((int *)&distance[t], d))
      {
        next[t] = 1;
        shorter = 1;
      }
  }
};

static __global__ void
begin (int vertices, int *distance, int *shrunk, int *next)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < vertices)
    {
      distance[v] = v == 0 ? 0 : FAR;
      shrunk[v] = v == 0;
      next[v] = 0;
    }
}

static __global__ void
round (int vertices, const int *row, int *shrunk, relax edge)
{
  int v = PARENT;
  bool mine = v < vertices && shrunk[v];
  /* All lanes of a parent have seen that.  */
  __syncwarp ();
  if (mine)
    {
      /* A later, shorter one is for the next round.  */
      edge.here = edge.distance[v];
      shrunk[v] = 0;
      children<128> (row[v], row[v + 1], edge);
    }
}

static void
search (const struct graph *g, int *const *array)
{
  static const int none = 0;
  int *distance = array[0], *shrunk = array[1], *next = array[2];
  int more = 1;

  begin<<<(g->vertices + 255) / 256, 256>>> (g->vertices, distance, shrunk,
                                             next);
  while (more)
    {
      relax edge = { g->target, g->weight, distance, next, 0 };
      CUDA_CHECK (cudaMemcpyToSymbol (shorter, &none, sizeof none));
      LAUNCH_PARENTS (round, g->vertices, 128,
                      (g->vertices, g->row, shrunk, edge));
      CUDA_CHECK (cudaMemcpyFromSymbol (&more, shorter, sizeof more));
      int *now = next;
      next = shrunk;
      shrunk = now;
    }
}

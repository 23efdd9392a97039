/* Single-source shortest paths by Bellman and Ford, over a graph in compressed
   rows: vertices whose distance has shrunk are parents, their edges children.
   Sizes: vertices, average degree.  The timed call is a whole search.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "forms.h"
#include "graph.h"

#include <limits.h>

enum { FAR = INT_MAX / 2 };

/* Weights from 1 to 16.  */
static int *
make_weights (const struct graph *g)
{
  int *weight = bench_alloc (g->edges + 1, sizeof *weight);
  for (int e = 0; e < g->edges; e++)
    weight[e] = 1 + (int)(bench_uniform (4, e) * 16);
  return weight;
}

/* The distance of every vertex from vertex 0 into DISTANCE, FAR where there is
   no way.  DISTANCE, SHRUNK and NEXT are on the device.  */
static void
sssp (int vertices, int edges, const int *restrict row,
      const int *restrict target, const int *restrict weight,
      int *restrict distance, int *restrict shrunk, int *restrict next)
{
  int more = 1;

#pragma omp target teams distribute parallel for                              \
    map(tofrom : distance[:vertices], shrunk[:vertices], next[:vertices])
#pragma acc parallel loop present(distance[:vertices], shrunk[:vertices],     \
                                  next[:vertices])
  for (int v = 0; v < vertices; v++)
    {
      distance[v] = v == 0 ? 0 : FAR;
      shrunk[v] = v == 0;
      next[v] = 0;
    }

  while (more)
    {
      more = 0;
      PARENTS (SCALAR (more) SECTION (row, vertices + 1)
                 SECTION (target, edges) SECTION (weight, edges)
                   SECTION (distance, vertices) SECTION (shrunk, vertices)
                     SECTION (next, vertices))
      for (int v = 0; v < vertices; v++)
        if (shrunk[v])
          {
            /* A later, shorter one is for the next round.  */
            int here;
            ATOMIC (read)
            here = distance[v];
            shrunk[v] = 0;
            CHILDREN (SCALAR (more))
            for (int e = row[v]; e < row[v + 1]; e++)
              {
                int t = target[e], d = here + weight[e];
                int old = __atomic_load_n (&distance[t], __ATOMIC_RELAXED);
                while (d < old
                       && !__atomic_compare_exchange_n (&distance[t], &old, d,
                                                        0, __ATOMIC_RELAXED,
                                                        __ATOMIC_RELAXED))
                  ;
                if (d < old)
                  {
                    ATOMIC (write)
                    next[t] = 1;
                    ATOMIC (write)
                    more = 1;
                  }
              }
          }
      int *now = next;
      next = shrunk;
      shrunk = now;
    }
}

/* The same with a queue of vertices.  */
static int *
expected_distances (const struct graph *g, const int *weight)
{
  int n = g->vertices;
  int *distance = bench_alloc (n, sizeof *distance);
  int *queue = bench_alloc (n, sizeof *queue);
  char *queued = bench_alloc (n, 1);
  int head = 0, length = 1;
  for (int v = 1; v < n; v++)
    distance[v] = FAR;
  while (length)
    {
      int v = queue[head];
      head = (head + 1) % n;
      length--;
      queued[v] = 0;
      for (int e = g->row[v]; e < g->row[v + 1]; e++)
        {
          int t = g->target[e];
          if (distance[v] + weight[e] >= distance[t])
            continue;
          distance[t] = distance[v] + weight[e];
          if (!queued[t])
            queue[(head + length++) % n] = t;
          queued[t] = 1;
        }
    }
  free (queued);
  free (queue);
  return distance;
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 1031, 8 };
  struct bench b;
  bench_begin (&b, "sssp", 2, sizes, argc, argv);
  struct graph g = make_graph (b.size[0], b.size[1]);
  int *weight = make_weights (&g);
  size_t bytes = g.vertices * sizeof (int);
  int *distance = bench_alloc (1, bytes);
  int *shrunk = bench_alloc (1, bytes), *next = bench_alloc (1, bytes);
  graph_in (&g);
  device_in (weight, (g.edges + 1) * sizeof *weight);
  device_in (distance, bytes);
  device_in (shrunk, bytes);
  device_in (next, bytes);

  sssp (g.vertices, g.edges, g.row, g.target, weight, distance, shrunk, next);
  device_out (distance, distance, bytes);
  int *want = expected_distances (&g, weight);
  for (int v = 0; v < g.vertices; v++)
    {
      b.checksum += distance[v];
      if (!bench_check (&b, distance[v], want[v], 0, 1) && b.failures <= 5)
        fprintf (stderr, "sssp: vertex %d at distance %d, should be %d\n", v,
                 distance[v], want[v]);
    }
  while (bench_repeat (&b))
    sssp (g.vertices, g.edges, g.row, g.target, weight, distance, shrunk,
          next);

  device_drop (next, next, bytes);
  device_drop (shrunk, shrunk, bytes);
  device_drop (distance, distance, bytes);
  device_drop (weight, weight, (g.edges + 1) * sizeof *weight);
  graph_drop (&g);
  free (want);
  free (next);
  free (shrunk);
  free (distance);
  free (weight);
  return bench_end (&b);
}

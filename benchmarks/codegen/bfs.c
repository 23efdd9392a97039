/* Breadth-first search by levels over a graph in compressed rows: a parallel
   loop over the vertices, one over the edges of those on the frontier.
   Sizes: vertices, average degree.  The timed call is a whole search.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../bench.h"

struct graph
{
  int vertices, edges;
  int *row;    /* vertices + 1: where the edges of a vertex begin */
  int *target; /* edges */
};

/* Degrees from 0 to twice the average; three quarters of the edges stay near
   their vertex, which gives the search some depth.  */
static struct graph
make_graph (int vertices, int degree)
{
  struct graph g = { .vertices = vertices };
  g.row = bench_alloc (vertices + 1, sizeof *g.row);
  for (int v = 0; v < vertices; v++)
    g.row[v + 1] = g.row[v] + (int)(bench_uniform (1, v) * (2 * degree + 1));
  g.edges = g.row[vertices];
  g.target = bench_alloc (g.edges + 1, sizeof *g.target);
  for (int v = 0; v < vertices; v++)
    for (int e = g.row[v]; e < g.row[v + 1]; e++)
      {
        double u = bench_uniform (2, e);
        int reach = bench_uniform (3, e) < 0.75 ? 64 : vertices;
        g.target[e] = (v + 1 + (int)(u * reach)) % vertices;
      }
  return g;
}

/* The distance of every vertex from vertex 0 into LEVEL, -1 where there is no
   way.  LEVEL is on the device.  */
static void
bfs (int vertices, int edges, const int *restrict row,
     const int *restrict target, int *restrict level)
{
  int grown = 1;

#pragma omp target teams distribute parallel for map(tofrom : level[:vertices])
#pragma acc parallel loop present(level[:vertices])
  for (int v = 0; v < vertices; v++)
    level[v] = v == 0 ? 0 : -1;

  for (int depth = 0; grown; depth++)
    {
      grown = 0;
#pragma omp target teams distribute map(tofrom : grown)                       \
    map(to : row[:vertices + 1], target[:edges]) map(tofrom : level[:vertices])
#pragma acc parallel loop gang copy(grown)                                    \
    present(row[:vertices + 1], target[:edges], level[:vertices])
      for (int v = 0; v < vertices; v++)
        if (level[v] == depth)
          {
#pragma omp parallel for
#pragma acc loop vector
            for (int e = row[v]; e < row[v + 1]; e++)
              {
                int next;
#pragma omp atomic read
#pragma acc atomic read
                next = level[target[e]];
                if (next == -1)
                  {
#pragma omp atomic write
#pragma acc atomic write
                    level[target[e]] = depth + 1;
#pragma omp atomic write
#pragma acc atomic write
                    grown = 1;
                  }
              }
          }
    }
}

/* The same with a queue.  */
static int *
expected_levels (const struct graph *g)
{
  int *level = bench_alloc (g->vertices, sizeof *level);
  int *queue = bench_alloc (g->vertices, sizeof *queue);
  int head = 0, tail = 1;
  for (int v = 1; v < g->vertices; v++)
    level[v] = -1;
  for (; head < tail; head++)
    for (int e = g->row[queue[head]]; e < g->row[queue[head] + 1]; e++)
      if (level[g->target[e]] < 0)
        {
          level[g->target[e]] = level[queue[head]] + 1;
          queue[tail++] = g->target[e];
        }
  free (queue);
  return level;
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 1031, 8 };
  struct bench b;
  bench_begin (&b, "bfs", 2, sizes, argc, argv);
  struct graph g = make_graph (b.size[0], b.size[1]);
  int *level = bench_alloc (g.vertices, sizeof *level);
  device_in (g.row, (g.vertices + 1) * sizeof *g.row);
  device_in (g.target, (g.edges + 1) * sizeof *g.target);
  device_in (level, g.vertices * sizeof *level);

  bfs (g.vertices, g.edges, g.row, g.target, level);
  device_out (level, level, g.vertices * sizeof *level);
  int *want = expected_levels (&g);
  for (int v = 0; v < g.vertices; v++)
    {
      b.checksum += level[v];
      if (!bench_check (&b, level[v], want[v], 0, 1) && b.failures <= 5)
        fprintf (stderr, "bfs: vertex %d at level %d, should be %d\n", v,
                 level[v], want[v]);
    }
  while (bench_repeat (&b))
    bfs (g.vertices, g.edges, g.row, g.target, level);

  device_drop (level, level, g.vertices * sizeof *level);
  device_drop (g.target, g.target, (g.edges + 1) * sizeof *g.target);
  device_drop (g.row, g.row, (g.vertices + 1) * sizeof *g.row);
  free (want);
  free (level);
  free (g.target);
  free (g.row);
  return bench_end (&b);
}

/* Breadth-first search by levels over a graph in compressed rows: the vertices
   on the frontier are parents, the edges of each its children.
   Sizes: vertices, average degree.  The timed call is a whole search.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "forms.h"
#include "graph.h"

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
      PARENTS (SCALAR (grown) SECTION (row, vertices + 1)
                 SECTION (target, edges) SECTION (level, vertices))
      for (int v = 0; v < vertices; v++)
        if (level[v] == depth)
          {
            CHILDREN (SCALAR (grown))
            for (int e = row[v]; e < row[v + 1]; e++)
              {
                int next;
                ATOMIC (read)
                next = level[target[e]];
                if (next == -1)
                  {
                    ATOMIC (write)
                    level[target[e]] = depth + 1;
                    ATOMIC (write)
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
  graph_in (&g);
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
  graph_drop (&g);
  free (want);
  free (level);
  return bench_end (&b);
}

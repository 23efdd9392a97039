/* Breadth-first search, all but the search on the device: the distance of
   every vertex from vertex 0, UNREACHED where there is no way.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "vertices.h"

enum
{
  UNREACHED = -1
};

/* Defined by the program.  */
static void search (const struct graph *g, int *const *array);

/* With a queue.  */
static int *
expected_levels (const struct graph *g)
{
  int *level = (int *)bench_alloc (g->vertices, sizeof *level);
  int *queue = (int *)bench_alloc (g->vertices, sizeof *queue);
  int head = 0, tail = 1;
  for (int v = 1; v < g->vertices; v++)
    level[v] = UNREACHED;
  for (; head < tail; head++)
    for (int e = g->row[queue[head]]; e < g->row[queue[head] + 1]; e++)
      if (level[g->target[e]] == UNREACHED)
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
  static const struct vertex_program bfs
      = { "bfs", GRAPH_RANDOM, 1, search, expected_levels };
  return vertex_main (&bfs, argc, argv);
}

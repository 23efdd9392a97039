/* Single-source shortest paths, all but the search on the device: the distance
   of every vertex from vertex 0, FAR where there is no way.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "vertices.h"

#include <limits.h>

enum
{
  FAR = INT_MAX / 2
};

/* Defined by the program.  */
static void search (const struct graph *g, int *const *array);

/* With a queue of vertices.  */
static int *
expected_distances (const struct graph *g)
{
  int n = g->vertices;
  int *distance = (int *)bench_alloc (n, sizeof *distance);
  int *queue = (int *)bench_alloc (n, sizeof *queue);
  char *queued = (char *)bench_alloc (n, 1);
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
          if (distance[v] + g->weight[e] >= distance[t])
            continue;
          distance[t] = distance[v] + g->weight[e];
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
  static const struct vertex_program sssp
      = { "sssp", GRAPH_RMAT, 3, search, expected_distances };
  return vertex_main (&sssp, argc, argv);
}

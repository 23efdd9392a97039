/* Random graphs in compressed rows.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GRAPH_H
#define GRAPH_H

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

static void
graph_in (const struct graph *g)
{
  device_in (g->row, (g->vertices + 1) * sizeof *g->row);
  device_in (g->target, (g->edges + 1) * sizeof *g->target);
}

static void
graph_drop (struct graph *g)
{
  device_drop (g->target, g->target, (g->edges + 1) * sizeof *g->target);
  device_drop (g->row, g->row, (g->vertices + 1) * sizeof *g->row);
  free (g->target);
  free (g->row);
}

#endif /* GRAPH_H */

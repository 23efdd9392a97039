/* Seeded random graphs in compressed rows, of the two kinds that the paper's
   programs take (papers of KLAP, Table I):

     GRAPH_RANDOM  the edges of a vertex, from none to twice the average, lead
                   anywhere
     GRAPH_RMAT	   recursive matrices with the parameters of Graph 500: few
                   vertices have most of the edges, and most have few; each
   edge is there in both directions

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GRAPH_H
#define GRAPH_H

#include "../bench.h"

enum graph_kind
{
  GRAPH_RANDOM = 1,
  GRAPH_RMAT = 2
};

struct graph
{
  int vertices, edges;
  int *row;    /* vertices + 1: where the edges of a vertex begin */
  int *target; /* edges */
  int *weight; /* edges; from 1 to 16 */
};

/* One of the ends of edge E of an R-MAT graph; those of both go through the
   quadrants together.  */
static void
rmat_ends (int vertices, int e, int end[2])
{
  end[0] = end[1] = 0;
  for (int bit = 0; 1u << bit < (unsigned)vertices; bit++)
    {
      double u = bench_uniform (10 + bit, e);
      end[0] = 2 * end[0] + (u >= 0.76);
      end[1] = 2 * end[1] + ((u >= 0.57 && u < 0.76) || u >= 0.95);
    }
  /* Who has many edges is not to be seen from the number.  */
  for (int i = 0; i < 2; i++)
    end[i] = (int)(end[i] * (uint64_t)2654435761u % vertices);
}

/* All edges of G in rows, for which ENDS has memory, two numbers an edge.  */
static void
fill_rmat (struct graph *g, int (*ends)[2])
{
  int *next = (int *)bench_alloc (g->vertices, sizeof *next);
  for (int e = 0; e < g->edges / 2; e++)
    {
      rmat_ends (g->vertices, e, ends[e]);
      for (int i = 0; i < 2; i++)
        g->row[ends[e][i] + 1]++;
    }
  for (int v = 0; v < g->vertices; v++)
    {
      g->row[v + 1] += g->row[v];
      next[v] = g->row[v];
    }
  for (int e = 0; e < g->edges / 2; e++)
    for (int i = 0; i < 2; i++)
      g->target[next[ends[e][i]]++] = ends[e][!i];
  free (next);
}

static void
fill_random (struct graph *g)
{
  for (int e = 0; e < g->edges; e++)
    g->target[e] = (int)(bench_uniform (2, e) * g->vertices);
}

/* A graph with DEGREE edges a vertex on average.  */
static struct graph
make_graph (enum graph_kind kind, int vertices, int degree)
{
  struct graph g = { 0 };
  g.vertices = vertices;
  g.edges = vertices * degree & ~1;
  g.row = (int *)bench_alloc (vertices + 1, sizeof *g.row);
  if (kind == GRAPH_RANDOM)
    {
      for (int v = 0; v < vertices; v++)
        g.row[v + 1]
            = g.row[v] + (int)(bench_uniform (1, v) * (2 * degree + 1));
      g.edges = g.row[vertices];
    }
  g.target = (int *)bench_alloc (g.edges + 1, sizeof *g.target);
  if (kind == GRAPH_RANDOM)
    fill_random (&g);
  else
    {
      int (*ends)[2] = (int (*)[2])bench_alloc (g.edges / 2 + 1, sizeof *ends);
      fill_rmat (&g, ends);
      free (ends);
    }
  g.weight = (int *)bench_alloc (g.edges + 1, sizeof *g.weight);
  for (int e = 0; e < g.edges; e++)
    g.weight[e] = 1 + (int)(bench_uniform (4, e) * 16);
  return g;
}

/* G as it is on the device.  */
static struct graph
graph_in (const struct graph *g)
{
  struct graph device = *g;
  size_t edges = (g->edges + 1) * sizeof (int);
  device.row = (int *)device_in (g->row, (g->vertices + 1) * sizeof (int));
  device.target = (int *)device_in (g->target, edges);
  device.weight = (int *)device_in (g->weight, edges);
  return device;
}

/* Release G and what graph_in placed at DEVICE.  */
static void
graph_drop (struct graph *g, struct graph *device)
{
  size_t edges = (g->edges + 1) * sizeof (int);
  device_drop (g->weight, device->weight, edges);
  device_drop (g->target, device->target, edges);
  device_drop (g->row, device->row, (g->vertices + 1) * sizeof (int));
  free (g->weight);
  free (g->target);
  free (g->row);
}

#endif /* GRAPH_H */

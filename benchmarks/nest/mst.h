/* What the two steps of Boruvka's minimum spanning tree share: a graph with
   weights, whose vertices are in components, and the lightest edge that leaves
   each of those.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef MST_H
#define MST_H

#include "forms.h"
#include "graph.h"

typedef unsigned long long key;

/* No edge.  */
#define NO_EDGE (~0ull)

/* Edges of equal weight are in the order of their numbers.  */
#define KEY(weight, edge) ((key)(weight) << 32 | (unsigned)(edge))

struct mst
{
  struct graph g;
  int components;
  int *component; /* vertices */
};

static struct mst
make_mst (int vertices, int degree)
{
  struct mst m = { .g = make_graph (GRAPH_RMAT, vertices, degree) };
  m.components = vertices / 8 + 1;
  m.component = bench_alloc (vertices, sizeof *m.component);
  for (int v = 0; v < vertices; v++)
    m.component[v] = (int)(bench_uniform (6, v) * m.components);
  return m;
}

/* The lightest edge out of each component.  */
static key *
lightest (const struct mst *m)
{
  key *best = bench_alloc (m->components, sizeof *best);
  for (int c = 0; c < m->components; c++)
    best[c] = NO_EDGE;
  for (int v = 0; v < m->g.vertices; v++)
    for (int e = m->g.row[v]; e < m->g.row[v + 1]; e++)
      if (m->component[m->g.target[e]] != m->component[v]
          && KEY (m->g.weight[e], e) < best[m->component[v]])
        best[m->component[v]] = KEY (m->g.weight[e], e);
  return best;
}

/* Returns the graph as it is on the device.  */
static struct graph
mst_in (const struct mst *m)
{
  device_in (m->component, m->g.vertices * sizeof *m->component);
  return graph_in (&m->g);
}

static void
mst_drop (struct mst *m, struct graph *device)
{
  graph_drop (&m->g, device);
  device_drop (m->component, m->component,
               m->g.vertices * sizeof *m->component);
  free (m->component);
}

#endif /* MST_H */

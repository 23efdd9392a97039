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
  int *weight;    /* edges */
  int *component; /* vertices */
};

static struct mst
make_mst (int vertices, int degree)
{
  struct mst m = { .g = make_graph (vertices, degree) };
  m.components = vertices / 8 + 1;
  m.weight = bench_alloc (m.g.edges + 1, sizeof *m.weight);
  m.component = bench_alloc (vertices, sizeof *m.component);
  for (int e = 0; e < m.g.edges; e++)
    m.weight[e] = 1 + (int)(bench_uniform (5, e) * 1000);
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
          && KEY (m->weight[e], e) < best[m->component[v]])
        best[m->component[v]] = KEY (m->weight[e], e);
  return best;
}

static void
mst_in (const struct mst *m)
{
  graph_in (&m->g);
  device_in (m->weight, (m->g.edges + 1) * sizeof *m->weight);
  device_in (m->component, m->g.vertices * sizeof *m->component);
}

static void
mst_drop (struct mst *m)
{
  device_drop (m->component, m->component,
               m->g.vertices * sizeof *m->component);
  device_drop (m->weight, m->weight, (m->g.edges + 1) * sizeof *m->weight);
  graph_drop (&m->g);
  free (m->component);
  free (m->weight);
}

#endif /* MST_H */

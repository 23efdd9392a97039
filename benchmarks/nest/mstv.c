/* Minimum spanning tree, verification: has a vertex the edge that was
   found for its component, and is none of its edges lighter?  Vertices are
   parents, their edges children.
   Sizes: vertices, average degree.  The timed call looks at all edges once.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mst.h"

/* Whether a vertex has an edge in BEST into CHOSEN, and how many that should
   have been there into LIGHTER.  All is on the device.  */
static void
verify (int vertices, int edges, int components, const int *restrict row,
        const int *restrict target, const int *restrict weight,
        const int *restrict component, const key *restrict best,
        int *restrict chosen, int *restrict lighter)
{
  PARENTS (SECTION (row, vertices + 1) SECTION (target, edges)
             SECTION (weight, edges) SECTION (component, vertices)
               SECTION (best, components) SECTION (chosen, vertices)
                 SECTION (lighter, vertices))
  for (int v = 0; v < vertices; v++)
    {
      int own = component[v];
      key least = best[own];
      chosen[v] = 0;
      lighter[v] = 0;
      CHILDREN ()
      for (int e = row[v]; e < row[v + 1]; e++)
        if (component[target[e]] != own)
          {
            key mine = KEY (weight[e], e);
            if (mine == least)
              chosen[v] = 1;
            else if (mine < least)
              {
                ATOMIC (update)
                lighter[v]++;
              }
          }
    }
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 1031, 8 };
  struct bench b;
  bench_begin (&b, "mstv", 2, sizes, argc, argv);
  struct mst m = make_mst (b.size[0], b.size[1]);
  key *best = lightest (&m);
  int *chosen = bench_alloc (m.g.vertices, sizeof *chosen);
  int *lighter = bench_alloc (m.g.vertices, sizeof *lighter);
  /* Every fifth component got an edge too heavy.  */
  for (int c = 0; c < m.components; c += 5)
    best[c] += best[c] == NO_EDGE ? 0 : (key)40 << 32;
  struct graph device = mst_in (&m);
  device_in (best, m.components * sizeof *best);
  device_in (chosen, m.g.vertices * sizeof *chosen);
  device_in (lighter, m.g.vertices * sizeof *lighter);

  bench_take_turn (&b);
  verify (m.g.vertices, m.g.edges, m.components, m.g.row, m.g.target, m.g.weight,
          m.component, best, chosen, lighter);
  device_out (chosen, chosen, m.g.vertices * sizeof *chosen);
  device_out (lighter, lighter, m.g.vertices * sizeof *lighter);
  bench_pass_turn (&b);
  for (int v = 0; v < m.g.vertices; v++)
    {
      int equal = 0, less = 0, own = m.component[v];
      for (int e = m.g.row[v]; e < m.g.row[v + 1]; e++)
        if (m.component[m.g.target[e]] != own)
          {
            equal += KEY (m.g.weight[e], e) == best[own];
            less += KEY (m.g.weight[e], e) < best[own];
          }
      b.checksum += chosen[v] + 3 * lighter[v];
      bench_check (&b, chosen[v], equal, 0, 1);
      bench_check (&b, lighter[v], less, 0, 1);
    }
  while (bench_repeat (&b))
    verify (m.g.vertices, m.g.edges, m.components, m.g.row, m.g.target,
            m.g.weight, m.component, best, chosen, lighter);

  device_drop (lighter, lighter, m.g.vertices * sizeof *lighter);
  device_drop (chosen, chosen, m.g.vertices * sizeof *chosen);
  device_drop (best, best, m.components * sizeof *best);
  mst_drop (&m, &device);
  free (lighter);
  free (chosen);
  free (best);
  return bench_end (&b);
}

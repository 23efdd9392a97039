/* Minimum spanning tree, finding: the lightest edge out of each component.
   Vertices are parents, their edges children.
   Sizes: vertices, average degree.  The timed call finds all edges once.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mst.h"

/* The keys of the edges into BEST.  All is on the device.  */
static void
find (int vertices, int edges, int components, const int *restrict row,
      const int *restrict target, const int *restrict weight,
      const int *restrict component, key *restrict best)
{
  ALONE (SECTION (best, components))
  for (int c = 0; c < components; c++)
    best[c] = NO_EDGE;

  PARENTS (SECTION (row, vertices + 1) SECTION (target, edges)
             SECTION (weight, edges) SECTION (component, vertices)
               SECTION (best, components))
  for (int v = 0; v < vertices; v++)
    {
      int own = component[v];
      CHILDREN ()
      for (int e = row[v]; e < row[v + 1]; e++)
        if (component[target[e]] != own)
          {
            key mine = KEY (weight[e], e);
            key old = __atomic_load_n (&best[own], __ATOMIC_RELAXED);
            while (mine < old
                   && !__atomic_compare_exchange_n (&best[own], &old, mine, 0,
                                                    __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED))
              ;
          }
    }
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 1031, 8 };
  struct bench b;
  bench_begin (&b, "mstf", 2, sizes, argc, argv);
  struct mst m = make_mst (b.size[0], b.size[1]);
  key *best = bench_alloc (m.components, sizeof *best);
  struct graph device = mst_in (&m);
  device_in (best, m.components * sizeof *best);

  bench_take_turn (&b);
  find (m.g.vertices, m.g.edges, m.components, m.g.row, m.g.target, m.g.weight,
        m.component, best);
  device_out (best, best, m.components * sizeof *best);
  bench_pass_turn (&b);
  key *want = lightest (&m);
  for (int c = 0; c < m.components; c++)
    {
      b.checksum += best[c] >> 32;
      /* A key has more digits than a double.  */
      if (!bench_check (&b, best[c] == want[c], 1, 0, 1) && b.failures <= 5)
        fprintf (stderr, "mstf: component %d: %llx, should be %llx\n", c,
                 best[c], want[c]);
    }
  while (bench_repeat (&b))
    find (m.g.vertices, m.g.edges, m.components, m.g.row, m.g.target, m.g.weight,
          m.component, best);

  device_drop (best, best, m.components * sizeof *best);
  mst_drop (&m, &device);
  free (want);
  free (best);
  return bench_end (&b);
}

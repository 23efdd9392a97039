/* Single-source shortest paths by Bellman and Ford, over a graph in compressed
   rows: vertices whose distance has shrunk are parents, their edges children.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sssp.h"
#include "forms.h"

/* The distance of every vertex from vertex 0 into DISTANCE.  DISTANCE, SHRUNK and NEXT are on the device.  */
static void
sssp (int vertices, int edges, const int *restrict row,
      const int *restrict target, const int *restrict weight,
      int *restrict distance, int *restrict shrunk, int *restrict next)
{
  int more = 1;

  ALONE (SECTION (distance, vertices) SECTION (shrunk, vertices)
           SECTION (next, vertices))
  for (int v = 0; v < vertices; v++)
    {
      distance[v] = v == 0 ? 0 : FAR;
      shrunk[v] = v == 0;
      next[v] = 0;
    }

  while (more)
    {
      more = 0;
      PARENTS (SCALAR (more) SECTION (row, vertices + 1)
                 SECTION (target, edges) SECTION (weight, edges)
                   SECTION (distance, vertices) SECTION (shrunk, vertices)
                     SECTION (next, vertices))
      for (int v = 0; v < vertices; v++)
        if (shrunk[v])
          {
            /* A later, shorter one is for the next round.  */
            int here;
            ATOMIC (read)
            here = distance[v];
            shrunk[v] = 0;
            CHILDREN (SCALAR (more))
            for (int e = row[v]; e < row[v + 1]; e++)
              {
                int t = target[e], d = here + weight[e];
                int old = __atomic_load_n (&distance[t], __ATOMIC_RELAXED);
                while (d < old
                       && !__atomic_compare_exchange_n (&distance[t], &old, d,
                                                        0, __ATOMIC_RELAXED,
                                                        __ATOMIC_RELAXED))
                  ;
                if (d < old)
                  {
                    ATOMIC (write)
                    next[t] = 1;
                    ATOMIC (write)
                    more = 1;
                  }
              }
          }
      int *now = next;
      next = shrunk;
      shrunk = now;
    }
}

static void
search (const struct graph *g, int *const *array)
{
  sssp (g->vertices, g->edges, g->row, g->target, g->weight, array[0],
        array[1], array[2]);
}

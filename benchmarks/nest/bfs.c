/* Breadth-first search by levels over a graph in compressed rows: the vertices
   on the frontier are parents, the edges of each its children.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bfs.h"
#include "forms.h"

/* The distance of every vertex from vertex 0 into LEVEL, which is on the
   device.  */
static void
bfs (int vertices, int edges, const int *restrict row,
     const int *restrict target, int *restrict level)
{
  int grown = 1;

  ALONE (SECTION (level, vertices))
  for (int v = 0; v < vertices; v++)
    level[v] = v == 0 ? 0 : UNREACHED;

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
                if (next == UNREACHED)
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

static void
search (const struct graph *g, int *const *array)
{
  bfs (g->vertices, g->edges, g->row, g->target, array[0]);
}

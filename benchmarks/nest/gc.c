/* Graph colouring by Jones and Plassmann, over a graph in compressed rows: in
   each round those vertices get its colour that have a higher priority than all
   neighbours without one.  Vertices without a colour are parents, their edges
   children.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "forms.h"
#include "vertices.h"

enum { NONE = -1 };

/* Different for every vertex, and in no order.  */
#define PRIORITY(v) ((unsigned)(v) * 2654435761u)

/* The colours of all vertices into COLOUR.  Neighbours are those that edges lead
   to.  LAST_LOW is for the last round in which one of them had no colour and a
   higher priority.  Both are on the device.  */
static void
colour_all (int vertices, int edges, const int *restrict row,
            const int *restrict target, int *restrict colour,
            int *restrict last_low)
{
  int left = 1;

  ALONE (SECTION (colour, vertices) SECTION (last_low, vertices))
  for (int v = 0; v < vertices; v++)
    {
      colour[v] = NONE;
      last_low[v] = NONE;
    }

  for (int round = 0; left; round++)
    {
      PARENTS (SECTION (row, vertices + 1) SECTION (target, edges)
                 SECTION (colour, vertices) SECTION (last_low, vertices))
      for (int v = 0; v < vertices; v++)
        if (colour[v] == NONE)
          {
            CHILDREN ()
            for (int e = row[v]; e < row[v + 1]; e++)
              if (colour[target[e]] == NONE
                  && PRIORITY (target[e]) > PRIORITY (v))
                {
                  ATOMIC (write)
                  last_low[v] = round;
                }
          }
      left = 0;
      ALONE (SCALAR (left) SECTION (colour, vertices)
               SECTION (last_low, vertices))
      for (int v = 0; v < vertices; v++)
        if (colour[v] == NONE)
          {
            if (last_low[v] != round)
              colour[v] = round;
            else
              {
                ATOMIC (write)
                left = 1;
              }
          }
    }
}

/* The same, a vertex after the other: the colour is the first round in which no
   vertex with a higher priority is left.  */
static int *
expected_colours (const struct graph *g)
{
  int *colour = bench_alloc (g->vertices, sizeof *colour);
  bool left = true;
  for (int v = 0; v < g->vertices; v++)
    colour[v] = NONE;
  for (int round = 0; left; round++)
    {
      left = false;
      for (int v = 0; v < g->vertices; v++)
        {
          bool highest = colour[v] == NONE;
          for (int e = g->row[v]; highest && e < g->row[v + 1]; e++)
            {
              int its = colour[g->target[e]];
              highest = (its != NONE && its != round)
                        || PRIORITY (g->target[e]) <= PRIORITY (v);
            }
          left |= colour[v] == NONE && !highest;
          if (highest)
            colour[v] = round;
        }
    }
  return colour;
}

static void
colour_graph (const struct graph *g, int *const *array)
{
  colour_all (g->vertices, g->edges, g->row, g->target, array[0], array[1]);
}

int
main (int argc, char **argv)
{
  static const struct vertex_program gc
      = { "gc", GRAPH_RANDOM, 2, colour_graph, expected_colours };
  return vertex_main (&gc, argc, argv);
}

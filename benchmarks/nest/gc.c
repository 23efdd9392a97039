/* Graph colouring by Jones and Plassmann, over a graph in compressed rows: in
   each round those vertices get its colour that have a higher priority than all
   neighbours without one.  Vertices without a colour are parents, their edges
   children, whose result the parent uses.
   Sizes: vertices, average degree.  The timed call is a whole colouring.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "forms.h"
#include "graph.h"

enum { NONE = -1 };

/* Different for every vertex, and in no order.  */
#define PRIORITY(v) ((unsigned)(v) * 2654435761u)

/* The colours of all vertices into COLOUR, which is on the device; the number of
   colours.  Neighbours are those that edges lead to.  */
static int
colour_all (int vertices, int edges, const int *restrict row,
            const int *restrict target, int *restrict colour)
{
  int left = 1, round = 0;

  PARENTS (SECTION (colour, vertices))
  for (int v = 0; v < vertices; v++)
    colour[v] = NONE;

  for (; left; round++)
    {
      left = 0;
      PARENTS (SCALAR (left) SECTION (row, vertices + 1)
                 SECTION (target, edges) SECTION (colour, vertices))
      for (int v = 0; v < vertices; v++)
        {
          int own;
          ATOMIC (read)
          own = colour[v];
          if (own == NONE)
            {
              int higher = 0;
              CHILDREN_REDUCING (+, higher)
              for (int e = row[v]; e < row[v + 1]; e++)
                {
                  int t = target[e], its;
                  ATOMIC (read)
                  its = colour[t];
                  /* Some get their colour meanwhile.  */
                  higher += (its == NONE || its == round)
                            && PRIORITY (t) > PRIORITY (v);
                }
              if (higher == 0)
                {
                  ATOMIC (write)
                  colour[v] = round;
                }
              else
                {
                  ATOMIC (write)
                  left = 1;
                }
            }
        }
    }
  return round;
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

int
main (int argc, char **argv)
{
  static const int sizes[] = { 1031, 8 };
  struct bench b;
  bench_begin (&b, "gc", 2, sizes, argc, argv);
  struct graph g = make_graph (b.size[0], b.size[1]);
  int *colour = bench_alloc (g.vertices, sizeof *colour);
  graph_in (&g);
  device_in (colour, g.vertices * sizeof *colour);

  colour_all (g.vertices, g.edges, g.row, g.target, colour);
  device_out (colour, colour, g.vertices * sizeof *colour);
  int *want = expected_colours (&g);
  for (int v = 0; v < g.vertices; v++)
    {
      b.checksum += colour[v];
      if (!bench_check (&b, colour[v], want[v], 0, 1) && b.failures <= 5)
        fprintf (stderr, "gc: vertex %d has colour %d, should have %d\n", v,
                 colour[v], want[v]);
    }
  while (bench_repeat (&b))
    colour_all (g.vertices, g.edges, g.row, g.target, colour);

  device_drop (colour, colour, g.vertices * sizeof *colour);
  graph_drop (&g);
  free (want);
  free (colour);
  return bench_end (&b);
}

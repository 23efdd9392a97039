/* Programs that find a number for every vertex of a graph.  Sizes: vertices,
   average degree, an enum graph_kind.  The timed call finds all numbers.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef VERTICES_H
#define VERTICES_H

#include "graph.h"

enum
{
  MOST_ARRAYS = 3
};

struct vertex_program
{
  const char *name;
  /* Unless the command line says so.  */
  enum graph_kind kind;
  /* How many arrays of a number for each vertex it needs on the device; the
     first is for the result.  */
  int arrays;
  /* All is on the device.  */
  void (*run) (const struct graph *g, int *const *array);
  /* The right numbers, allocated.  */
  int *(*expected) (const struct graph *g);
};

static int
vertex_main (const struct vertex_program *p, int argc, char **argv)
{
  const int sizes[] = { 1031, 8, p->kind };
  struct bench b;
  bench_begin (&b, p->name, 3, sizes, argc, argv);
  struct graph g
      = make_graph ((enum graph_kind)b.size[2], b.size[0], b.size[1]);
  struct graph device = graph_in (&g);
  size_t bytes = g.vertices * sizeof (int);
  int *host[MOST_ARRAYS], *array[MOST_ARRAYS];
  for (int a = 0; a < p->arrays; a++)
    {
      host[a] = (int *)bench_alloc (1, bytes);
      array[a] = (int *)device_in (host[a], bytes);
    }

  bench_take_turn (&b);
  p->run (&device, array);
  device_out (host[0], array[0], bytes);
  bench_pass_turn (&b);
  int *want = p->expected (&g);
  for (int v = 0; v < g.vertices; v++)
    {
      b.checksum += host[0][v];
      if (!bench_check (&b, host[0][v], want[v], 0, 1) && b.failures <= 5)
        fprintf (stderr, "%s: vertex %d: %d, should be %d\n", p->name, v,
                 host[0][v], want[v]);
    }
  while (bench_repeat (&b))
    p->run (&device, array);

  for (int a = 0; a < p->arrays; a++)
    {
      device_drop (host[a], array[a], bytes);
      free (host[a]);
    }
  graph_drop (&g, &device);
  free (want);
  return bench_end (&b);
}

#endif /* VERTICES_H */

/* A quadtree over points, recursive: the two children of a node, one after the
   other, count the points of its quadrants and move them there; then a third
   one, of four iterations, does the same for the quadrants.  Without nesting,
   the nodes of a level are parents, their points children, and the host goes
   from level to level.
   Sizes: points, most levels, most points of a node that is not divided.  The
   timed call grows the tree.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../bench.h"
#include "forms.h"

enum
{
  QUADRANTS = 4
};

struct point
{
  float x, y;
};

struct node
{
  float x, y, half;    /* its middle, and how far it reaches from there */
  int first, count;    /* its points in the order of its level */
  int child;           /* the first of four nodes, or 0 */
  int next[QUADRANTS]; /* how many points a quadrant has, and then where the
                          next one goes */
};

/* Divide node N: its points are in the order FROM, those of its quadrants will
   be in the order TO.  NODES counts those in use.  */
CHILDREN_ROUTINE
#pragma omp declare target
static void
divide (const struct point *restrict point, struct node *restrict node,
        int *restrict nodes, int n, const int *restrict from, int *restrict to)
{
  struct node *one = &node[n];
  float x = one->x, y = one->y, half = one->half / 2;
  int first = one->first, last = first + one->count, child;

  CHILDREN ()
  for (int i = first; i < last; i++)
    {
      int q = (point[from[i]].x >= x) + 2 * (point[from[i]].y >= y);
      ATOMIC (update)
      one->next[q]++;
    }

  ATOMIC (capture)
  {
    child = *nodes;
    *nodes += QUADRANTS;
  }
  one->child = child;
  for (int q = 0, begin = first; q < QUADRANTS; q++)
    {
      struct node quadrant = { x + (q & 1 ? half : -half),
                               y + (q & 2 ? half : -half),
                               half,
                               begin,
                               one->next[q],
                               0,
                               { 0 } };
      node[child + q] = quadrant;
      one->next[q] = begin;
      begin += quadrant.count;
    }

  CHILDREN ()
  for (int i = first; i < last; i++)
    {
      int q = (point[from[i]].x >= x) + 2 * (point[from[i]].y >= y), place;
      ATOMIC (capture)
      place = one->next[q]++;
      to[place] = from[i];
    }
}
#pragma omp end declare target

#ifdef NESTED

/* Node N and all that will be below it, on at most LEVELS levels.  */
#pragma acc routine seq
#pragma omp declare target
static void
grow (const struct point *point, struct node *node, int *nodes, int n,
      int *from, int *to, int levels, int few)
{
  if (node[n].count <= few || levels == 0)
    return;
  divide (point, node, nodes, n, from, to);
  int child = node[n].child;
  CHILDREN ()
  for (int q = 0; q < QUADRANTS; q++)
    grow (point, node, nodes, child + q, to, from, levels - 1, few);
}
#pragma omp end declare target

#endif

/* The tree of all points below node 0.  */
static void
grow_tree (int points, int room, int levels, int few,
           const struct point *restrict point, struct node *restrict node,
           int *restrict nodes, int *restrict even, int *restrict odd)
{
  int *from = even, *to = odd;

  ALONE (SECTION (node, room) SECTION (nodes, 1) SECTION (even, points))
  for (int i = 0; i < points; i++)
    {
      even[i] = i;
      if (i == 0)
        {
          struct node root = { 0.5f, 0.5f, 0.5f, 0, points, 0, { 0 } };
          node[0] = root;
          nodes[0] = 1;
        }
    }

#ifdef NESTED
  PARENTS (SECTION (point, points) SECTION (node, room) SECTION (nodes, 1)
               SECTION (from, points) SECTION (to, points))
  for (int n = 0; n < 1; n++)
    grow (point, node, nodes, n, from, to, levels, few);
#else
  for (int begin = 0, end = 1; levels > 0 && begin < end; levels--)
    {
      PARENTS (SECTION (point, points) SECTION (node, room) SECTION (nodes, 1)
                   SECTION (from, points) SECTION (to, points))
      for (int n = begin; n < end; n++)
        if (node[n].count > few)
          divide (point, node, nodes, n, from, to);
      begin = end;
      device_out (nodes, nodes, sizeof *nodes);
      end = nodes[0];
      int *now = to;
      to = from;
      from = now;
    }
#endif
}

/* How many nodes there are at most.  */
static int
most_nodes (int points, int levels, int few)
{
  double room = 1, divided = 1;
  for (int l = 0; l < levels; l++)
    {
      room += QUADRANTS * divided;
      divided = fmin (QUADRANTS * divided, points / (few + 1) + 1);
    }
  return (int)room;
}

struct check
{
  struct bench *bench;
  const struct point *point;
  const struct node *node;
  const int *order[2]; /* of even and odd levels */
  int *leaf;           /* which one should have a point */
  int levels, few;
};

/* Move those of the COUNT points P to the front that are not in QUADRANT
   around the middle of ONE; how many these are.  */
static int
split_off (const struct check *c, const struct node *one, int quadrant, int *p,
           int count)
{
  int others = 0;
  for (int i = 0; i < count; i++)
    {
      const struct point *at = &c->point[p[i]];
      if ((at->x >= one->x) + 2 * (at->y >= one->y) != quadrant)
        {
          int other = p[i];
          p[i] = p[others];
          p[others++] = other;
        }
    }
  return others;
}

/* Are node N of level LEVEL and those below right?  It should have the COUNT
   points P, around (X, Y), not further from there than HALF.  */
static void
check_node (struct check *c, int n, int level, int *p, int count, float x,
            float y, float half)
{
  struct bench *b = c->bench;
  const struct node *one = &c->node[n];
  bool divided = count > c->few && level < c->levels;
  b->checksum += (level + 1.) * count;
  bench_check (b, one->count, count, 0, 1);
  bench_check (b, one->child != 0, divided, 0, 1);
  bench_check (b, one->x, x, 0, 1);
  bench_check (b, one->y, y, 0, 1);
  bench_check (b, one->half, half, 0, 1);
  if (b->failures)
    return;
  for (int i = 0; !divided && i < count; i++)
    c->leaf[p[i]] = n;
  for (int i = 0; !divided && i < count; i++)
    {
      int *leaf = &c->leaf[c->order[level % 2][one->first + i]];
      bench_check (b, *leaf, n, 0, 1);
      *leaf = 0; /* no point is there twice */
    }
  for (int q = QUADRANTS - 1; divided && q >= 0; q--)
    {
      int others = split_off (c, one, q, p, count);
      check_node (c, one->child + q, level + 1, p + others, count - others,
                  q & 1 ? x + half / 2 : x - half / 2,
                  q & 2 ? y + half / 2 : y - half / 2, half / 2);
      count = others;
    }
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 301, 12, 1 };
  struct bench b;
  bench_begin (&b, "qt", 3, sizes, argc, argv);
  int points = b.size[0], levels = b.size[1], few = b.size[2], nodes = 0;
  int room = most_nodes (points, levels, few);
  struct point *point = bench_alloc (points, sizeof *point);
  struct node *node = bench_alloc (room, sizeof *node);
  int *order[3];
  for (int i = 0; i < 3; i++)
    order[i] = bench_alloc (points, sizeof **order);
  for (int i = 0; i < points; i++)
    {
      order[2][i] = i;
      point[i].x = bench_uniform (16, i);
      point[i].y = bench_uniform (17, i);
    }
  device_in (point, points * sizeof *point);
  device_in (node, room * sizeof *node);
  device_in (&nodes, sizeof nodes);
  device_in (order[0], points * sizeof **order);
  device_in (order[1], points * sizeof **order);

  bench_take_turn (&b);
  grow_tree (points, room, levels, few, point, node, &nodes, order[0],
             order[1]);
  device_out (node, node, room * sizeof *node);
  device_out (order[0], order[0], points * sizeof **order);
  device_out (order[1], order[1], points * sizeof **order);
  bench_pass_turn (&b);
  struct check c = { &b,
                     point,
                     node,
                     { order[0], order[1] },
                     bench_alloc (points, sizeof (int)),
                     levels,
                     few };
  check_node (&c, 0, 0, order[2], points, 0.5f, 0.5f, 0.5f);
  while (bench_repeat (&b))
    grow_tree (points, room, levels, few, point, node, &nodes, order[0],
               order[1]);

  device_drop (order[1], order[1], points * sizeof **order);
  device_drop (order[0], order[0], points * sizeof **order);
  device_drop (&nodes, &nodes, sizeof nodes);
  device_drop (node, node, room * sizeof *node);
  device_drop (point, point, points * sizeof *point);
  free (c.leaf);
  for (int i = 0; i < 3; i++)
    free (order[i]);
  free (node);
  free (point);
  return bench_end (&b);
}

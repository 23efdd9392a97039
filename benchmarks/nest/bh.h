/* Barnes-Hut: the accelerations of bodies in a cluster by Plummer's model,
   over a tree of cubes; all but that sum on the device. Sizes: bodies, most
   bodies of a group.  The program makes STEPS steps in time and checks each;
   the timed call computes all accelerations once.

   Source: Barnes and Hut, "A hierarchical O(N log N) force-calculation
   algorithm", Nature 324, 1986; Aarseth, Henon and Wielen, 1974, for the
   model.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef BH_H
#define BH_H

#include "../bench.h"

enum
{
  STEPS = 4,
  LEAF = 8,   /* most bodies of a leaf */
  DEPTH = 40, /* of cubes; what is not apart then stays together */
  OCTANTS = 8
};

/* A cube counts as one body from so many of its edges away.  */
#define THETA 0.5
/* Bodies are that large, squared.  */
#define SOFT 0.0025

struct vec
{
  double x, y, z;
};

struct body
{
  struct vec at;
  double mass;
};

/* Those of a tree are in the order of a walk from the root, so that what is
   below a cube follows it.  */
struct cube
{
  struct body all;   /* as one */
  double near2;      /* nearer than that, squared, one has to look inside */
  int next;          /* the cube behind all that is below this one */
  int first, bodies; /* those of a leaf; none in other cubes */
};

struct tree
{
  int bodies, cubes, groups;
  struct body *body; /* in the order of leaves */
  struct vec *speed; /* of the same bodies */
  struct cube *cube; /* room for cube_room of them */
  int *group;        /* groups + 1: bodies that are below one cube */
};

static int
cube_room (const struct tree *t)
{
  return 2 * t->bodies + DEPTH;
}

static void
make_bodies (struct tree *t)
{
  for (int i = 0; i < t->bodies; i++)
    {
      double inside = 0.001 + 0.998 * bench_uniform (11, i);
      double r = 1 / sqrt (pow (inside, -2. / 3) - 1);
      double z = 2 * bench_uniform (12, i) - 1;
      double angle = 2 * 3.14159265358979 * bench_uniform (13, i);
      double flat = sqrt (1 - z * z);
      struct body b
          = { { r * flat * cos (angle), r * flat * sin (angle), r * z },
              1. / t->bodies };
      t->body[i] = b;
    }
}

static int
octant_of (const struct vec *at, const struct vec *centre)
{
  return (at->x >= centre->x) + 2 * (at->y >= centre->y)
         + 4 * (at->z >= centre->z);
}

/* Put bodies FIRST to FIRST + COUNT in the order of their octants around
   CENTRE; where those begin into BEGIN.  */
static void
sort_octants (struct tree *t, int first, int count, const struct vec *centre,
              int begin[OCTANTS + 1])
{
  struct body *body = (struct body *)bench_alloc (count, sizeof *body);
  struct vec *speed = (struct vec *)bench_alloc (count, sizeof *speed);
  int next = first;
  memcpy (body, t->body + first, count * sizeof *body);
  memcpy (speed, t->speed + first, count * sizeof *speed);
  for (int o = 0; o < OCTANTS; o++)
    {
      begin[o] = next;
      for (int i = 0; i < count; i++)
        if (octant_of (&body[i].at, centre) == o)
          {
            t->body[next] = body[i];
            t->speed[next++] = speed[i];
          }
    }
  begin[OCTANTS] = next;
  free (speed);
  free (body);
}

/* All of BODY, COUNT of them, as one.  */
static struct body
together (const struct body *body, int count)
{
  struct body sum = { { 0, 0, 0 }, 0 };
  for (int i = 0; i < count; i++)
    {
      sum.mass += body[i].mass;
      sum.at.x += body[i].mass * body[i].at.x;
      sum.at.y += body[i].mass * body[i].at.y;
      sum.at.z += body[i].mass * body[i].at.z;
    }
  sum.at.x /= sum.mass;
  sum.at.y /= sum.mass;
  sum.at.z /= sum.mass;
  return sum;
}

/* Add the cube around CENTRE, that reaches HALF from there and has COUNT
   bodies from FIRST on.  MOST is that of a group, 0 in one.  */
static void
add_cube (struct tree *t, int first, int count, struct vec centre, double half,
          int depth, int most)
{
  if (t->cubes == cube_room (t))
    bench_die ("too many cubes");
  struct cube *c = &t->cube[t->cubes++];
  c->all = together (t->body + first, count);
  c->near2 = 4 * half * half / (THETA * THETA);
  c->first = first;
  c->bodies = 0;
  if (count <= most)
    {
      t->group[t->groups++] = first;
      most = 0;
    }
  if (count <= LEAF || depth == DEPTH)
    c->bodies = count;
  else
    {
      int begin[OCTANTS + 1];
      sort_octants (t, first, count, &centre, begin);
      for (int o = 0; o < OCTANTS; o++)
        {
          double h = half / 2;
          struct vec middle
              = { centre.x + (o & 1 ? h : -h), centre.y + (o & 2 ? h : -h),
                  centre.z + (o & 4 ? h : -h) };
          if (begin[o + 1] > begin[o])
            add_cube (t, begin[o], begin[o + 1] - begin[o], middle, h,
                      depth + 1, most);
        }
    }
  c->next = t->cubes;
}

/* The tree of the bodies where they are now, groups of at most MOST.  */
static void
grow_tree (struct tree *t, int most)
{
  struct vec origin = { 0, 0, 0 };
  double half = 0;
  for (int i = 0; i < t->bodies; i++)
    half = fmax (half,
                 fmax (fabs (t->body[i].at.x),
                       fmax (fabs (t->body[i].at.y), fabs (t->body[i].at.z))));
  t->cubes = t->groups = 0;
  add_cube (t, 0, t->bodies, origin, half, 0, most < LEAF ? LEAF : most);
  t->group[t->groups] = t->bodies;
}

/* How much all bodies together pull one that is AT.  */
#pragma acc routine seq
#pragma omp declare target
static inline struct vec
pull (const struct cube *cube, int cubes, const struct body *body,
      struct vec at)
{
  struct vec sum = { 0, 0, 0 };
  int c = 0;
  while (c < cubes)
    {
      const struct body *one = &cube[c].all;
      double x = one->at.x - at.x, y = one->at.y - at.y, z = one->at.z - at.z;
      int bodies = 1;
      if (cube[c].bodies)
        {
          bodies = cube[c].bodies;
          one = &body[cube[c].first];
        }
      else if (x * x + y * y + z * z < cube[c].near2)
        {
          c++;
          continue;
        }
      for (int i = 0; i < bodies; i++)
        {
          x = one[i].at.x - at.x;
          y = one[i].at.y - at.y;
          z = one[i].at.z - at.z;
          double r2 = x * x + y * y + z * z + SOFT;
          double f = one[i].mass / (r2 * sqrt (r2));
          sum.x += f * x;
          sum.y += f * y;
          sum.z += f * z;
        }
      c = cube[c].next;
    }
  return sum;
}
#pragma omp end declare target

/* The accelerations of all bodies of T into ACCELERATION.  All but T itself is
   on the device.  Defined by the program.  */
static void accelerate (const struct tree *t, struct vec *acceleration);

/* A step in time.  */
static void
advance (struct tree *t, const struct vec *acceleration)
{
  const double step = 0.025;
  for (int i = 0; i < t->bodies; i++)
    {
      struct vec *v = &t->speed[i], *at = &t->body[i].at;
      v->x += step * acceleration[i].x;
      v->y += step * acceleration[i].y;
      v->z += step * acceleration[i].z;
      at->x += step * v->x;
      at->y += step * v->y;
      at->z += step * v->z;
    }
}

static void
check_accelerations (struct bench *b, const struct tree *t,
                     const struct vec *acceleration)
{
  for (int i = 0; i < t->bodies; i++)
    {
      struct vec want = pull (t->cube, t->cubes, t->body, t->body[i].at);
      const struct vec *got = &acceleration[i];
      b->checksum += fabs (got->x) + fabs (got->y) + fabs (got->z);
      /* A sum of some hundreds, in the same order; products may have been
         rounded or not.  */
      bench_check (b, got->x, want.x, 256, DBL_EPSILON);
      bench_check (b, got->y, want.y, 256, DBL_EPSILON);
      bench_check (b, got->z, want.z, 256, DBL_EPSILON);
    }
}

static void
tree_in (const struct tree *t)
{
  device_in (t->body, t->bodies * sizeof *t->body);
  device_in (t->cube, t->cubes * sizeof *t->cube);
  device_in (t->group, (t->groups + 1) * sizeof *t->group);
}

static void
tree_drop (const struct tree *t)
{
  device_drop (t->group, t->group, (t->groups + 1) * sizeof *t->group);
  device_drop (t->cube, t->cube, t->cubes * sizeof *t->cube);
  device_drop (t->body, t->body, t->bodies * sizeof *t->body);
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 301, 64 };
  struct bench b;
  bench_begin (&b, "bh", 2, sizes, argc, argv);
  struct tree t = { 0 };
  t.bodies = b.size[0];
  t.body = (struct body *)bench_alloc (t.bodies, sizeof *t.body);
  t.speed = (struct vec *)bench_alloc (t.bodies, sizeof *t.speed);
  t.cube = (struct cube *)bench_alloc (cube_room (&t), sizeof *t.cube);
  t.group = (int *)bench_alloc (t.bodies + 1, sizeof *t.group);
  struct vec *acceleration
      = (struct vec *)bench_alloc (t.bodies, sizeof *acceleration);
  size_t bytes = t.bodies * sizeof *acceleration;
  make_bodies (&t);
  device_in (acceleration, bytes);

  for (int step = 0; step < STEPS; step++)
    {
      grow_tree (&t, b.size[1]);
      tree_in (&t);
      bench_take_turn (&b);
      accelerate (&t, acceleration);
      device_out (acceleration, acceleration, bytes);
      bench_pass_turn (&b);
      check_accelerations (&b, &t, acceleration);
      if (step == STEPS - 1)
        while (bench_repeat (&b))
          accelerate (&t, acceleration);
      tree_drop (&t);
      advance (&t, acceleration);
    }
  b.any_order = true;

  device_drop (acceleration, acceleration, bytes);
  free (acceleration);
  free (t.group);
  free (t.cube);
  free (t.speed);
  free (t.body);
  return bench_end (&b);
}

#endif /* BH_H */

/* Barnes-Hut in C++, otherwise as bh.c, with a walk of its own through the
   tree that visitors follow.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bh.h"
#include "forms.h"

namespace
{

#pragma omp declare target
#pragma acc routine seq
inline vec
operator- (const vec &a, const vec &b)
{
  return { a.x - b.x, a.y - b.y, a.z - b.z };
}

#pragma acc routine seq
inline double
squared (const vec &a)
{
  return a.x * a.x + a.y * a.y + a.z * a.z;
}

/* How much those bodies pull one that it meets.  */
struct gravity
{
  vec at, sum;
};

#pragma acc routine seq
inline bool
near (const gravity &g, const cube &c)
{
  return squared (c.all.at - g.at) < c.near2;
}

#pragma acc routine seq
inline void
meet (gravity &g, const body &b)
{
  vec way = b.at - g.at;
  double r2 = squared (way) + SOFT, f = b.mass / (r2 * sqrt (r2));
  g.sum.x += f * way.x;
  g.sum.y += f * way.y;
  g.sum.z += f * way.z;
}

/* Let VISITOR meet the bodies of leaves that are near it, and others as one.
 */
#pragma acc routine seq
template <class visitor>
inline void
walk (const cube *tree, int cubes, const body *all, visitor &v)
{
  for (int c = 0; c < cubes;)
    if (tree[c].bodies)
      {
        for (int i = 0; i < tree[c].bodies; i++)
          meet (v, all[tree[c].first + i]);
        c = tree[c].next;
      }
    else if (near (v, tree[c]))
      c++;
    else
      {
        meet (v, tree[c].all);
        c = tree[c].next;
      }
}
#pragma omp end declare target

void
accelerate_groups (int groups, int bodies, int cubes,
                   const int *__restrict group, const body *__restrict all,
                   const cube *__restrict tree, vec *__restrict acceleration)
{
  PARENTS (SECTION (group, groups + 1) SECTION (all, bodies)
               SECTION (tree, cubes) SECTION (acceleration, bodies))
  for (int g = 0; g < groups; g++)
    {
      CHILDREN ()
      for (int i = group[g]; i < group[g + 1]; i++)
        {
          gravity one = { all[i].at, { 0, 0, 0 } };
          walk (tree, cubes, all, one);
          acceleration[i] = one.sum;
        }
    }
}

}

static void
accelerate (const struct tree *t, struct vec *acceleration)
{
  accelerate_groups (t->groups, t->bodies, t->cubes, t->group, t->body,
                     t->cube, acceleration);
}

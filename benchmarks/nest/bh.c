/* Barnes-Hut: groups of bodies that are near each other are parents, their
   bodies children.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bh.h"
#include "forms.h"

static void
accelerate_groups (int groups, int bodies, int cubes,
                   const int *restrict group, const struct body *restrict body,
                   const struct cube *restrict cube,
                   struct vec *restrict acceleration)
{
  PARENTS (SECTION (group, groups + 1) SECTION (body, bodies)
               SECTION (cube, cubes) SECTION (acceleration, bodies))
  for (int g = 0; g < groups; g++)
    {
      CHILDREN ()
      for (int i = group[g]; i < group[g + 1]; i++)
        acceleration[i] = pull (cube, cubes, body, body[i].at);
    }
}

static void
accelerate (const struct tree *t, struct vec *acceleration)
{
  accelerate_groups (t->groups, t->bodies, t->cubes, t->group, t->body,
                     t->cube, acceleration);
}

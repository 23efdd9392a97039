/* What the host has tested about the objects of constructs, before it executes these.

   Needs: fuse.cc, which makes the tests.  Keeps: all code.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

/* Objects of a construct that are apart.  */
struct tested_pair
{
  const gimple *stmt;
  object_name a, b;
};
static vec<tested_pair> tested;

void
region_tested (const gimple *stmt, object_name a, object_name b)
{
  tested.safe_push ({ stmt, a, b });
}

void
region_each_tested (const gimple *stmt,
		    void (*visit) (object_name a, object_name b, void *data),
		    void *data)
{
  for (unsigned i = 0; i < tested.length (); i++)
    if (tested[i].stmt == stmt)
      visit (tested[i].a, tested[i].b, data);
}

void
region_forget_tested (void)
{
  tested.truncate (0);
}

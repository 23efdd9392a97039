/* What the host has tested about constructs before it executes these: which of their
   objects are apart, and whether their kernels are compiled.

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

/* A construct with the number of its kernel.  */
struct asked_kernel
{
  const gimple *stmt;
  int number;
};
static vec<asked_kernel> asked;

void
region_asked (const gimple *stmt, int number)
{
  asked.safe_push ({ stmt, number });
}

int
region_number (const gimple *stmt)
{
  for (unsigned i = 0; i < asked.length (); i++)
    if (asked[i].stmt == stmt)
      return asked[i].number;
  return 0;
}

void
region_forget_tested (void)
{
  tested.truncate (0);
  asked.truncate (0);
}

/* Which kernel follows which: when one is foretold, and when no more.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "launch/follow.h"
#include "tap.h"

#include <stdlib.h>

static void
come (uint64_t kernel, uint64_t next, unsigned times)
{
  while (times--)
    acr_follow_note (kernel, next);
}

/* How often NEXT has to come behind KERNEL until it is foretold.  */
static unsigned
until (uint64_t kernel, uint64_t next)
{
  unsigned n = 0;
  while (acr_follow_next (kernel) != next && n < 1000)
    {
      acr_follow_note (kernel, next);
      n++;
    }
  return n;
}

static void
test_sure (void)
{
  ok (!acr_follow_next (1), "nothing is known");
  come (1, 2, ACR_FOLLOW_SURE - 1);
  ok (!acr_follow_next (1), "once is chance");
  come (1, 2, 1);
  ok (acr_follow_next (1) == 2, "foretold");
  ok (!acr_follow_next (2), "the one, not the other");
  come (1, 3, 1);
  ok (!acr_follow_next (1), "another one came");
  come (4, 0, 100);
  ok (!acr_follow_next (4), "nothing is not foretold");
  come (5, 6, 1);
  come (5, 0, 1);
  come (5, 6, ACR_FOLLOW_SURE - 1);
  ok (!acr_follow_next (5), "in a row");
}

/* The more often it was wrong, the more it takes.  */
static void
test_wrong (void)
{
  unsigned before = 0, n = 0;
  for (unsigned i = 0; i < 4; i++)
    {
      n = until (10, 11);
      ok (n >= 2 * before, "wrong %u times: asked for %u", i, n);
      before = n;
      come (10, 0, 1);
    }
  for (unsigned i = 0; i < 100; i++)
    {
      n = until (10, 11);
      come (10, 0, 1);
    }
  ok_int (n, ACR_FOLLOW_MOST, "but there is an end");
  come (10, 11, 10);
  come (10, 12, 1);
  ok (until (10, 12) <= ACR_FOLLOW_MOST, "another one may be foretold");
}

/* More kernels than there is room for: some are forgotten, none is mixed
   up.  */
static void
test_many (void)
{
  unsigned known = 0, wrong = 0;
  for (uint64_t k = 100; k < 1100; k++)
    come (k, k + 1, ACR_FOLLOW_SURE);
  for (uint64_t k = 100; k < 1100; k++)
    {
      uint64_t next = acr_follow_next (k);
      known += next != 0;
      wrong += next && next != k + 1;
    }
  ok (known > 100 && !wrong, "%u of 1000 are known, %u wrong", known, wrong);
}

/* The few kernels of a loop are known at once, whatever their numbers are.  */
static void
test_loop (void)
{
  enum
  {
    LOOPS = 2000,
    KERNELS = 4
  };
  unsigned forgotten = 0;
  uint64_t seed = 1;
  for (unsigned loop = 0; loop < LOOPS; loop++)
    {
      uint64_t k[KERNELS];
      for (unsigned i = 0; i < KERNELS; i++)
	k[i] = seed = seed * 6364136223846793005u + 1442695040888963407u;
      for (unsigned turn = 0; turn < ACR_FOLLOW_SURE; turn++)
	for (unsigned i = 0; i < KERNELS; i++)
	  come (k[i], k[(i + 1) % KERNELS], 1);
      for (unsigned i = 0; i < KERNELS; i++)
	forgotten += acr_follow_next (k[i]) != k[(i + 1) % KERNELS];
    }
  ok_int (forgotten, 0, "of %u loops' kernels none is forgotten", LOOPS);
}

int
main (void)
{
  test_sure ();
  test_wrong ();
  test_many ();
  test_loop ();
  return done_testing ();
}

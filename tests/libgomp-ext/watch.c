/* Pairs of kernels that make a program slower, by a clock of the test's.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include "ext.h"
#include "launch/watch.h"
#include "tap.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What the tested part needs from the rest of the runtime ----------- */

struct acr_env acr_env = { .jit_cache_max = 1 << 20 };
struct acr_counters acr_counters;

void
acr_warn (const char *fmt, ...)
{
  (void)fmt;
}

/* ---- Tests ------------------------------------------------------------- */

enum
{
  ALL = 2 * ACR_WATCH_ROUNDS * (ACR_WATCH_TIMES + 2) /* pairs that are watched */
};

static double now = 1000;

/* N pairs PAIR, each SHARED microseconds behind the last one where it takes
   choice 3, else APART; how many took it.  */
static unsigned
launch (uint64_t pair, unsigned n, double shared, double apart)
{
  unsigned took = 0;
  for (unsigned i = 0; i < n; i++)
    {
      bool takes = acr_watch_allows (pair, 3, now);
      took += takes;
      now += takes ? shared : apart;
    }
  return took;
}

static void
test_verdicts (void)
{
  ok_int (launch (1, ALL, 100, 120), ALL / 2, "half of them are as they were");
  ok_int (launch (1, 50, 500, 120), 50, "faster: it stays");
  launch (2, ALL, 120, 100);
  ok_int (launch (2, 50, 1, 100), 0, "slower: it does not");
  launch (3, ALL, 1004, 1000);
  ok_int (launch (3, 50, 100, 100), 50, "a part of a hundredth is noise");
  launch (4, ALL, 4.5, 4);
  ok_int (launch (4, 50, 4, 4), 50, "so is what launches differ by");
  launch (5, ALL, 1010, 1000);
  ok_int (launch (5, 50, 100, 100), 0, "a hundredth is not");
}

/* Something else comes in between, in each window but one.  */
static void
test_disturbed (void)
{
  for (unsigned i = 0; i < 2 * ACR_WATCH_ROUNDS; i++)
    {
      if (i / 2 != 2)
	now += 1e6;
      launch (6, 5, 100, 200);
      if (i / 2 != 2)
	now += i % 2 ? 10 : 1e6;
      launch (6, ACR_WATCH_TIMES + 2 - 5, 100, 200);
    }
  ok_int (launch (6, 50, 100, 200), 50, "the shortest window counts");
}

/* The first pair of each window is behind one of the other kind.  */
static void
test_change (void)
{
  for (unsigned i = 0; i < 2 * ACR_WATCH_ROUNDS; i++)
    {
      launch (7, 1, 100, 100);
      now += i % 2 ? 0 : 1000;
      launch (7, ACR_WATCH_TIMES + 1, 100, 100);
    }
  ok_int (launch (7, 50, 100, 100), 50, "the first pair does not count");
}

static void
test_kept (void)
{
  /* Others take the slots.  */
  for (uint64_t pair = 1000; pair < 3000; pair++)
    launch (pair, 1, 1, 1);
  ok_int (launch (2, 50, 1, 100), 0, "known from the disk: slower");
  ok_int (launch (1, 50, 100, 1), 50, "known from the disk: it stays");
}

int
main (void)
{
  char folder[PATH_MAX + 16], command[sizeof folder + 16];
  if (!getcwd (folder, PATH_MAX) || !mkdtemp (strcat (folder, "/watch-XXXXXX")))
    return 99;
  setenv ("XDG_CACHE_HOME", folder, 1);
  test_verdicts ();
  test_disturbed ();
  test_change ();
  test_kept ();
  snprintf (command, sizeof command, "rm -rf %s", folder);
  return system (command) ? 99 : done_testing ();
}

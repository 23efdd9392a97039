/* Limits of copies: which one is chosen on machines with a model.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include "ext.h"
#include "tap.h"
#include "transfer/policy/limit.h"

#include <stdlib.h>

/* ---- What the tested part needs from the rest of the runtime ----------- */

struct acr_env acr_env = { .copiers = 0 };
struct acr_counters acr_counters;
struct acr_driver acr_driver;

void
acr_warn (const char *fmt, ...)
{
  (void)fmt;
}

/* ---- Tests ------------------------------------------------------------- */

/* Microseconds are START + bytes / RATE, by our way and by the driver's.  */
struct machine
{
  double start[2], rate[2];
  double noise;  /* up to this part of a time, more */
  size_t broken; /* copies of so many bytes fail */
  size_t most;   /* that was tried */
};

static double
model (void *data, size_t n, int ours)
{
  struct machine *m = data;
  if (m->most < n)
    m->most = n;
  if (m->broken && n >= m->broken)
    return -1;
  double us = m->start[!ours] + n / m->rate[!ours];
  return us * (1 + m->noise * rand () / RAND_MAX);
}

static int
decided (struct machine m)
{
  return acr_limit_decide (model, &m, 1 << 20, 4 << 20);
}

int
main (void)
{
  /* Our way takes as long as the driver's at START / (1/OURS - 1/DRIVER).  */
  struct machine even = { .start = { 10, 10 }, .rate = { 1e4, 1e4 } };
  struct machine m = even;
  ok (decided (m) == 0, "nothing to gain");
  m.noise = .09;
  int moved = 0;
  for (unsigned i = 0; i < 1000; i++)
    moved += decided (m) != 0;
  ok (!moved, "noise is no reason (%d of 1000)", moved);

  m = even;
  m.rate[0] = 5e3;
  ok (decided (m) == -ACR_LIMIT_STEPS, "slow copies: as far down as it goes");
  m.rate[0] = 2e4;
  ok (decided (m) == ACR_LIMIT_STEPS, "fast copies: as far up as it goes");
  ok (acr_limit_decide (model, &m, 1 << 20, 2 << 20) == 1
          && acr_limit_decide (model, &m, 4 << 20, 4 << 20) == 0,
      "but not above the most");
  m.most = 0;
  acr_limit_decide (model, &m, 3 << 18, 2 << 20);
  ok (m.most == 3 << 19, "nor is more tried (%zu)", m.most);

  /* As long at 700 KiB: above, the driver is faster.  */
  m = even;
  m.start[0] = 0;
  m.start[1] = 100;
  m.rate[0] = 4e3;
  m.rate[1] = 4e3 * 716800 / (716800 - 4e5);
  ok (decided (m) == -1, "one step down, where our way pays");
  /* At 3 MiB.  */
  m.start[1] = 400;
  m.rate[1] = 4e3 * 3145728 / (3145728 - 16e5);
  ok (decided (m) == 1, "one step up, as long as our way pays");

  m = even;
  m.rate[0] = 2e4;
  m.broken = 1;
  ok (decided (m) == 0, "what fails says nothing");
  m.broken = 3 << 20;
  ok (decided (m) == 1, "nor does it undo what was found before");

  ok (acr_limit (ACR_LIMIT_send) == 384 << 10
          && acr_limit (ACR_LIMIT_fetch) == 512 << 10,
      "the limits of an H200, as long as nothing is measured");
  return done_testing ();
}

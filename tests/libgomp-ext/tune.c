/* Measured geometry with a clock of the test's: which candidate is taken, and
   when launches are timed.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "launch/tune.h"
#include "config.h"
#include "ext.h"
#include "tap.h"

#include <stdlib.h>

/* ---- What the tested part needs from the rest of the runtime ----------- */

struct acr_env acr_env = { .jit_cache_max = 1 << 20 };
struct acr_counters acr_counters;

void
acr_warn (const char *fmt, ...)
{
  (void)fmt;
}

/* ---- Launches ---------------------------------------------------------- */

enum
{
  N = 4
};

static unsigned timed; /* launches */

/* Launch kernel CODE, whose candidates take such times; the candidate.  */
static unsigned
launch (uint64_t code, unsigned trips, const float us[N])
{
  struct acr_trial t = acr_tune_pick (code, trips, N, ACR_TUNE_ALL, true);
  timed += t.timed;
  if (t.timed)
    acr_tune_note (&t, us[t.candidate]);
  return t.candidate;
}

/* Launch it so often; the last candidate.  */
static unsigned
repeat (uint64_t code, unsigned trips, const float us[N], unsigned times)
{
  unsigned last = 0;
  timed = 0;
  while (times--)
    last = launch (code, trips, us);
  return last;
}

static uint64_t
count (_Atomic uint64_t *c)
{
  return atomic_exchange (c, 0);
}

static void
test_choice (void)
{
  static const float third[N] = { 100, 80, 60, 100 };
  ok (repeat (1, 1000, third, ACR_TUNE_REPEATED - 1) == 0 && !timed,
      "few launches: the model's, not timed");
  ok (repeat (1, 1000, third, 50) == 2, "the fastest is taken");
  ok (timed == 4 + 3 + 3, "a loser is tried once, others in each round");
  ok (repeat (1, 1000, third, 50) == 2 && !timed, "from then on without timing");
  ok (count (&acr_counters.geometry_measured) == 1, "one kernel is measured");

  static const float close[N] = { 100, 99.5f, 98.5f, 103 };
  ok (repeat (9, 1000, close, 50) == 2, "one and a half percent are worth it");
  count (&acr_counters.geometry_measured);

  static const float quick[N] = { 20, 19.2f, 19.5f, 19.4f };
  ok (repeat (10, 1000, quick, 50) == 0, "less than the clock tells is not");

  static const float same[N] = { 100, 99.3f, 104, 99.5f };
  ok (repeat (2, 1000, same, 50) == 0, "noise does not beat the model");
  ok (timed == 4, "one round is enough for that");

  static const float tiny[N] = { 5, 1, 1, 1 };
  ok (repeat (3, 1000, tiny, 50) == 0 && timed == 1, "short kernels are left");
}

/* Other numbers of iterations, whose times do not compare.  */
static void
test_trips (void)
{
  static const float half[N] = { 100, 50, 100, 100 };
  timed = 0;
  for (unsigned trips = 1; trips < 1000; trips++)
    launch (4, trips, half);
  ok (!timed, "each number of iterations is a kernel of its own");
  count (&acr_counters.geometry_measured);
}

/* As many kernels as a large program has, by turns.  */
static void
test_many (void)
{
  enum { KERNELS = 500 };
  static const float half[N] = { 100, 50, 100, 100 };
  unsigned found = 0;
  for (unsigned round = 0; round < 30; round++)
    for (uint64_t code = 0; code < KERNELS; code++)
      found += launch (1000 + code, 9, half) == 1 && round == 29;
  ok_int (found, KERNELS, "kernels that alternate do not forget each other");
  count (&acr_counters.geometry_measured);
}

/* A candidate that is fast once only.  */
static void
test_luck (void)
{
  float us[N] = { 100, 100, 100, 100 };
  unsigned last = 0;
  for (unsigned i = 0; i < 60; i++)
    {
      us[1] = i == ACR_TUNE_REPEATED ? 20 : 100;
      last = launch (5, 7, us);
    }
  ok (last == 0, "one good time is not enough");
}

/* Candidates that are nearly as fast as each other, where single times lie.  */
static void
test_final (void)
{
  float us[N] = { 100, 97, 98, 80 };
  unsigned last = 0, before = 0;
  timed = 0;
  for (unsigned i = 0; i < 200; i++)
    {
      /* In the first rounds the second one seems to be the best, and the last one is
         out; later it takes once twice as long, and is the best after all but for
         that.  */
      before = timed;
      us[1] = timed < 11 ? 94 : timed == 20 ? 194 : 97;
      us[3] = timed < 4 ? 101 : 80;
      us[2] = timed < 11 ? 95 : 96;
      last = launch (30, 7, us);
    }
  ok (last == 2, "of those that are near further rounds tell");
  ok (before == timed && timed == 4 + 3 + 3 + 3 * ACR_TUNE_FINAL,
      "they and the first have so many");

  /* What three rounds have found is no faster than the first.  */
  us[2] = us[3] = 101;
  timed = 0;
  for (unsigned i = 0; i < 200; i++)
    {
      us[1] = timed < 10 ? 98.5f : 100.5f;
      last = launch (31, 7, us);
    }
  ok (last == 0, "the first is one of them");
  /* The worst time of each does not count.  */
  timed = 0;
  for (unsigned i = 0; i < 200; i++)
    {
      us[0] = 100;
      us[1] = timed == 12 || timed == 13 ? 300 : 98;
      last = launch (32, 7, us);
    }
  ok (last == 1, "a pause does not count");
  count (&acr_counters.geometry_measured);
}

static void
test_timing (void)
{
  static const float half[N] = { 100, 50, 100, 100 };
  for (unsigned i = 0; i < ACR_TUNE_REPEATED; i++)
    acr_tune_pick (6, 7, N, ACR_TUNE_ALL, false);
  struct acr_trial t = acr_tune_pick (6, 7, N, ACR_TUNE_ALL, true);
  ok (t.timed, "it is tried");
  struct acr_trial u = acr_tune_pick (6, 7, N, ACR_TUNE_ALL, true);
  ok (!u.timed && u.candidate == 0, "not two launches at a time");
  acr_tune_note (&t, -1);
  t = acr_tune_pick (6, 7, N, ACR_TUNE_ALL, true);
  ok (t.timed && t.candidate == 0, "an unknown time is asked for again");
  acr_tune_note (&t, 100);
  for (unsigned i = 0; i < 20; i++)
    {
      t = acr_tune_pick (6, 7, N, ACR_TUNE_ALL, false);
      if (t.timed || t.candidate)
        break;
    }
  ok (!t.timed && !t.candidate, "what is not waited for takes what is known");
  ok (repeat (6, 7, half, 20) == 1, "and tries go on");
  struct acr_trial one = acr_tune_pick (7, 7, 1, ACR_TUNE_ALL, true);
  for (unsigned i = 0; i < 20; i++)
    one = acr_tune_pick (7, 7, 1, ACR_TUNE_ALL, true);
  ok (!one.timed && !one.candidate, "one candidate is not tried");
}

/* Candidates that have to be made.  */
static void
test_made (void)
{
  static const float half[N] = { 100, 50, 100, 100 };
  static const unsigned all = (1u << N) - 1;
  unsigned have = 1, wants = 0, launches = 0, others = 0, first = 0;
  double spent = 0;
  for (; !wants && launches < 1000; launches++)
    {
      struct acr_trial t = acr_tune_pick (20, 7, N, have, true);
      others += t.candidate || t.settled;
      first += t.timed;
      if (t.timed)
        acr_tune_note (&t, half[t.candidate]);
      wants = t.wants;
      spent = t.spent;
    }
  ok (!others && first == 1, "as long as there is one, only that is timed, once");
  ok (wants == all - 1 && launches == ACR_TUNE_WORTH / 100,
      "the others are wanted when the kernel has taken long");
  ok (spent == launches * 100., "%g us by then", spent);
  have |= 2;
  struct acr_trial t = acr_tune_pick (20, 7, N, have, true);
  ok (!t.timed && !t.candidate && t.wants == (all & ~have),
      "there are tries when all are there");
  have = all;
  t = acr_tune_pick (20, 7, N, have, true);
  ok (t.timed && !t.candidate && !t.wants, "which begin with the first again");
  acr_tune_note (&t, 100);
  for (unsigned i = 0; i < 20 && !t.settled; i++)
    {
      t = acr_tune_pick (20, 7, N, have, true);
      if (t.timed)
        acr_tune_note (&t, half[t.candidate]);
    }
  ok (t.settled && t.candidate == 1, "the fastest is found");
  t = acr_tune_pick (20, 7, N, 1, true);
  ok (!t.candidate && t.wants == 2 && !t.settled && t.spent > 1e9,
      "of a known one that is not there, only that is wanted, at any price");

  static const float tiny[N] = { 5, 1, 1, 1 };
  for (unsigned i = 0; i < 100000; i++)
    {
      t = acr_tune_pick (21, 7, N, 1, true);
      if (t.timed)
        acr_tune_note (&t, tiny[t.candidate]);
      if (t.wants)
        break;
    }
  ok (!t.wants && t.settled, "none is made for short kernels");
}

/* Candidates that may take much longer than the first.  */
static void
test_dear (void)
{
  static const float part[N] = { 100, 300, 50, 400 };
  unsigned launches = 0, early = 0;
  struct acr_trial t = { .code = 0 };
  for (timed = 0; !t.candidate && launches < 2 * ACR_TUNE_LATE; launches++)
    {
      t = acr_tune_pick (22, 7, N, ACR_TUNE_DEAR, true);
      if (t.timed)
        acr_tune_note (&t, part[t.candidate]);
      early += t.timed && launches < ACR_TUNE_LATE - 1;
    }
  ok (early == 0 && launches == ACR_TUNE_LATE + 1,
      "dear candidates are tried after %d launches", ACR_TUNE_LATE);
  timed = 0;
  for (unsigned i = 0; i < 20; i++)
    {
      t = acr_tune_pick (22, 7, N, ACR_TUNE_DEAR, true);
      timed += t.timed;
      if (t.timed)
        acr_tune_note (&t, part[t.candidate]);
    }
  ok (t.settled && t.candidate == 2, "the fastest of them is taken");
  ok (timed == 2 + 2 + 2, "and a loser was tried once");
  count (&acr_counters.geometry_measured);
}

/* What one process has found, the next one takes.  */
static void
test_disk (bool known)
{
  static const float first[N] = { 100, 70, 100, 100 };
  static const float last[N] = { 100, 100, 100, 70 };
  unsigned best = repeat (8, 9, known ? last : first, 60);
  ok (best == 1, known ? "found on disk" : "found");
  ok (!timed == known, "timed or not");
  ok (count (&acr_counters.geometry_known) == known, "counted");
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    test_disk (atoi (argv[1]));
  else
    {
      test_choice ();
      test_trips ();
      test_many ();
      test_luck ();
      test_final ();
      test_timing ();
      test_made ();
      test_dear ();
    }
  return done_testing ();
}

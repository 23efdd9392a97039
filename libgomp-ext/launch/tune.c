/* Geometry and form by measurement; see tune.h.

   Records are in sets, which a hash of kernel and number of iterations points to.
   A kernel for which there is none takes over the one of its set that was not
   asked for the longest, whose tries begin anew or come from the disk.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "base/hash.h"
#include "ext.h"
#include "launch/choice.h"
#include "launch/tune.h"

#include <math.h>
#include <string.h>

enum
{
  SETS = 256,
  WAYS = 8
};

/* A candidate wins a round by more than this part of the first one's time, and by
   more than two steps of an event's clock, in microseconds.  */
#define MARGIN 0.01f
#define CLOCK_STEP 0.5f

/* What is not slower than the fastest by more than this part has further rounds.  */
#define NEAR 0.03f

enum state
{
  FEW,     /* not launched often */
  TRYING,
  FINAL,   /* those that are near the fastest */
  SETTLED
};

struct record
{
  uint64_t code;
  unsigned trips, n;
  enum state state;
  unsigned launches, round;
  uint64_t used; /* when it was asked for */
  bool waits; /* for candidates, with all that is known of the round */
  unsigned at;      /* candidate whose turn it is, or which was found best */
  unsigned out;     /* set of candidates */
  float first;      /* microseconds of candidate 0 in this round */
  /* To FIRST, or in further rounds to the first time of these: the sum over the rounds;
     the largest of further ones.  */
  float ratio[ACR_TUNE_MOST], worst[ACR_TUNE_MOST];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record records[SETS][WAYS];
static uint64_t now; /* launches, ever */
static bool timing; /* a launch */

ACR_FORK_KEEPS_INNER (lock)

/* ---- On disk ----------------------------------------------------------- */

static struct acr_choice_key
key_of (const struct record *r)
{
  return (struct acr_choice_key){
    "geometry 6", r->code, { r->trips }, (1u << r->n) - 1
  };
}

/* Settle R as it was before, if it was.  */
static bool
recall (struct record *r)
{
  struct acr_choice_key key = key_of (r);
  if (!acr_choice_find (&key, &r->at))
    return false;
  r->state = SETTLED;
  acr_count (geometry_known, 1);
  return true;
}

/* R is settled by measurement.  */
static void
settle (struct record *r, unsigned best)
{
  struct acr_choice_key key = key_of (r);
  r->state = SETTLED;
  r->at = best;
  acr_choice_keep (&key, best);
  acr_count (geometry_measured, 1);
  acr_debug (1, "geometry: candidate %u of %u for %u iterations", best, r->n,
             r->trips);
}

/* ---- Tries ------------------------------------------------------------- */

static bool
is_of (const struct record *r, uint64_t code, unsigned trips)
{
  return r->code == code && r->trips == trips;
}

/* The record of these, or the one to take for them.  */
static struct record *
record_of (uint64_t code, unsigned trips)
{
  struct record *set = records[acr_hash (code, &trips, sizeof trips) % SETS];
  struct record *oldest = set;
  for (struct record *r = set; r < set + WAYS; r++)
    if (is_of (r, code, trips))
      return r;
    else if (r->used < oldest->used)
      oldest = r;
  return oldest;
}

/* The candidate that a launch takes when it is not R's turn to learn.  */
static unsigned
known (const struct record *r)
{
  return r->state == SETTLED ? r->at : 0;
}

static bool
is_learning (const struct record *r)
{
  return r->state == TRYING || r->state == FINAL;
}

/* Candidates of R, out of those that are not in HAVE, that launches need.  */
static unsigned
missing (const struct record *r, unsigned have)
{
  unsigned need = is_learning (r)       ? ((1u << r->n) - 1) & ~r->out
                  : r->state == SETTLED ? 1u << r->at
                                        : 0;
  return need & ~have;
}

/* How long R's kernel has taken in this process, in microseconds.  What another one has
   settled is worth anything.  */
static double
spent (const struct record *r)
{
  return r->state == SETTLED ? INFINITY : (double)r->launches * r->first;
}

/* Is it too early for R's candidates that may take much longer?  */
static bool
is_early (const struct record *r)
{
  return r->state != SETTLED && r->launches < ACR_TUNE_LATE;
}

/* Let R's further rounds begin.  */
static void
begin_final (struct record *r)
{
  r->state = FINAL;
  r->round = 0;
  memset (r->ratio, 0, sizeof r->ratio);
  memset (r->worst, 0, sizeof r->worst);
}

/* Whether it is R's turn to learn, where candidates are MISSING: of the first, so
   as not to make others of kernels that are too short; and that again when all are
   there, as much may have changed meanwhile.  */
static bool
may_learn (struct record *r, bool missing)
{
  if (!is_learning (r))
    return false;
  if (missing)
    {
      r->waits |= r->at > 0;
      return r->at == 0;
    }
  if (r->waits && r->state == FINAL)
    begin_final (r);
  if (r->waits)
    r->at = 0;
  r->waits = false;
  return true;
}

struct acr_trial
acr_tune_pick (uint64_t code, unsigned trips, unsigned n, unsigned have,
               bool may)
{
  struct acr_trial t = { .code = code, .trips = trips };
  if (n > ACR_TUNE_MOST)
    n = ACR_TUNE_MOST;
  pthread_mutex_lock (&lock);
  struct record *r = record_of (code, trips);
  if (!is_of (r, code, trips) || r->n != n)
    *r = (struct record){ .code = code, .trips = trips, .n = n };
  r->used = ++now;
  if (++r->launches >= ACR_TUNE_REPEATED && r->state == FEW && !recall (r))
    r->state = n > 1 ? TRYING : SETTLED;
  t.later = have == ACR_TUNE_DEAR && is_early (r);
  unsigned lacks = missing (r, have);
  t.timed = !t.later && may_learn (r, lacks) && may && !timing;
  t.candidate = t.timed ? r->at : lacks ? 0 : known (r);
  t.settled = r->state == SETTLED && !lacks;
  t.spent = spent (r);
  t.wants = t.spent >= ACR_TUNE_WORTH ? lacks : 0;
  timing |= t.timed;
  pthread_mutex_unlock (&lock);
  return t;
}

/* The candidate of R with the least sum that is not out.  */
static unsigned
best_of (const struct record *r)
{
  unsigned best = 0;
  for (unsigned i = 1; i < r->n; i++)
    if (!(r->out >> i & 1) && r->ratio[i] < r->ratio[best])
      best = i;
  return best;
}

/* R has had its rounds: who is near the fastest, and the first in any case, has further
   ones; none where the fastest is alone.  A few launches do not tell one percent.  */
static void
end_rounds (struct record *r)
{
  unsigned best = best_of (r);
  float near = r->ratio[best] * (1 + NEAR);
  unsigned others = 0;
  for (unsigned i = 1; i < r->n; i++)
    if (i != best && !(r->out >> i & 1))
      {
        if (r->ratio[i] > near)
          r->out |= 1u << i;
        else
          others++;
      }
  if (!best || (!others && r->ratio[0] > near))
    {
      settle (r, best);
      return;
    }
  begin_final (r);
}

/* The same of further rounds.  The worst time of each does not count: another program, or
   a pause of this one's, may have been in it.  */
static void
end_final (struct record *r)
{
  for (unsigned i = 0; i < r->n; i++)
    r->ratio[i] -= r->worst[i];
  settle (r, best_of (r));
}

/* All candidates of R that are not out have had their turn.  */
static void
end_round (struct record *r)
{
  r->at = 0;
  r->round++;
  if (r->state == FINAL)
    {
      if (r->round == ACR_TUNE_FINAL)
        end_final (r);
    }
  else if (r->round == ACR_TUNE_ROUNDS || r->out == (1u << r->n) - 2)
    {
      r->ratio[0] = r->round;
      end_rounds (r);
    }
}

/* Is a candidate's time less than FIRST by more than noise?  */
static bool
faster (float microseconds, float first)
{
  float margin = MARGIN * first;
  if (margin < 2 * CLOCK_STEP)
    margin = 2 * CLOCK_STEP;
  return microseconds < first - margin;
}

/* What is to be known of CANDIDATE, which took so many MICROSECONDS.  */
static void
note_round (struct record *r, unsigned candidate, float microseconds)
{
  if (candidate == 0)
    r->first = microseconds;
  else if (faster (microseconds, r->first))
    r->ratio[candidate] += microseconds / r->first;
  else
    r->out |= 1u << candidate;
}

static void
note_final (struct record *r, unsigned candidate, float microseconds)
{
  if (candidate == 0 && r->round == 0)
    r->first = microseconds;
  float ratio = microseconds / r->first;
  r->ratio[candidate] += ratio;
  if (ratio > r->worst[candidate])
    r->worst[candidate] = ratio;
}

static void
learn (struct record *r, unsigned candidate, float microseconds)
{
  if (r->state == FINAL)
    note_final (r, candidate, microseconds);
  else
    note_round (r, candidate, microseconds);
  if (candidate == 0 && microseconds < ACR_TUNE_SHORT)
    {
      r->state = SETTLED;
      return;
    }
  do
    r->at++;
  while (r->at < r->n && r->out >> r->at & 1);
  if (r->at == r->n)
    end_round (r);
}

void
acr_tune_note (const struct acr_trial *t, float microseconds)
{
  pthread_mutex_lock (&lock);
  struct record *r = record_of (t->code, t->trips);
  timing = false;
  if (is_of (r, t->code, t->trips) && is_learning (r)
      && r->at == t->candidate && microseconds >= 0)
    learn (r, t->candidate, microseconds);
  pthread_mutex_unlock (&lock);
}

/* Whether pairs make the program slower; see watch.h.

   What was found is kept on disk (choice.h).  A pair that is forgotten is
   watched anew.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/watch.h"

#include "base/fork.h"
#include "base/sets.h"
#include "launch/choice.h"

#include <assert.h>

enum
{
  SETS = 32
};

/* A choice has to be slower by more than this part, and by more microseconds
   for each pair than launches differ.  */
#define MARGIN 0.005
#define LAUNCH 0.5

enum verdict
{
  OPEN,
  SLOWER,
  KEPT
};

struct slot
{
  uint64_t pair;
  unsigned choice;
  enum verdict verdict;
  unsigned window; /* odd ones are without the choice */
  unsigned seen;   /* pairs in this window */
  double begin;
  double best[2]; /* microseconds of the shortest window with it, without */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot slots[SETS * ACR_SETS_WAYS];

static_assert (sizeof *slots <= ACR_SETS_LARGEST, "a slot of sets.h");

ACR_FORK_KEEPS (lock)

static struct acr_choice_key
key_of (const struct slot *s)
{
  return (struct acr_choice_key){
    "pair 2", s->pair, { s->choice }, 1u << SLOWER | 1u << KEPT
  };
}

/* S is that of PAIR and CHOICE from here on.  */
static void
begin (struct slot *s, uint64_t pair, unsigned choice)
{
  *s = (struct slot){ .pair = pair, .choice = choice };
  struct acr_choice_key key = key_of (s);
  unsigned known;
  if (acr_choice_find (&key, &known))
    s->verdict = known;
}

/* All windows of S are over.  */
static void
judge (struct slot *s)
{
  double most = s->best[1] * (1 + MARGIN) + ACR_WATCH_TIMES * LAUNCH;
  s->verdict = s->best[0] > most ? SLOWER : KEPT;
  struct acr_choice_key key = key_of (s);
  acr_choice_keep (&key, s->verdict);
}

/* A pair of S comes NOW.  The first one of a window is behind one that was
   launched in the other way; the time from the second one on counts.  */
static void
note (struct slot *s, double now)
{
  unsigned side = s->window % 2;
  if (s->seen++ == 1)
    s->begin = now;
  if (s->seen < ACR_WATCH_TIMES + 2)
    return;
  double time = now - s->begin;
  if (!s->best[side] || time < s->best[side])
    s->best[side] = time;
  s->seen = 0;
  if (++s->window == 2 * ACR_WATCH_ROUNDS)
    judge (s);
}

bool
acr_watch_allows (uint64_t pair, unsigned choice, double now)
{
  pthread_mutex_lock (&lock);
  struct slot *s = acr_sets_first (slots, SETS, sizeof *slots, pair);
  if (s->choice != choice)
    begin (s, pair, choice);
  if (s->verdict == OPEN)
    note (s, now);
  bool allows = s->verdict == KEPT || (s->verdict == OPEN && !(s->window % 2));
  pthread_mutex_unlock (&lock);
  return allows;
}

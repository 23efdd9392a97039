/* The form in which the children of a kernel are executed, by measurement; see
   nest-auto.h.

   Records are in a table that a hash of the site points into; where there is no
   place in the next few, another site takes one over.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "base/hash.h"
#include "ext.h"
#include "launch/choice.h"
#include "launch/nest/nest-auto.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 64
#define PROBES 8

/* A form is out when what it was seen with takes so much longer than all does in
   another: at once, and when it has had two turns, of which one may have waited for
   others.  */
#define FAR_SLOWER 8
#define SLOWER 2

/* And when all launches take so much longer than in the best one, by the form's
   number of turns with an amount of work, of which the fastest counts.  */
static const float slack[] = { 0, 0, 1.5f, 1.25f, 1.12f };

/* What is known of less than this part of all time does not decide.  */
#define COVERED .75

/* A form whose fastest turns took less than this part of what the best one usually
   does may be better after all: both get more turns, of which the last ones
   count.  */
#define CLOSE .95f
#define CLOSE_TURNS 15
#define CLOSE_ALL 96

/* What was gained before a form is kept on disk that may not be the best: in
   microseconds, more than the file takes.  */
#define WORTH_A_FILE 300
/* On disk, such a form is so much more than its number.  */
#define UNSETTLED ACR_NEST_AUTO_MOST

/* Amounts of work are the same that differ by less than such a part of the larger
   one: the first, while there are not too many of them, and the last.  */
#define FINE (1 / 32.)
#define COARSE (1 / 8.)
#define AMOUNTS 32
/* What most kernels have.  */
#define FEW 4

/* A smaller part of all time does not matter.  */
#define MATTERS (1 / 16.)

/* What is known of a form.  */
struct form
{
  unsigned turns;
  /* Microseconds for a unit of work: the least of all turns, the last ones, and
     what it usually takes: their mean without the highest fifth, which may have waited
     for somebody else.  (No median: of two kinds of launches that have the same work it
     is one's or the other's.)  */
  float least, rate[CLOSE_TURNS], usual;
};

/* Launches with about the same work.  */
struct amount
{
  uint64_t about; /* that of the first one */
  double work;    /* of all together */
  double time;    /* that this takes in the fastest form, about */
  struct form form[ACR_NEST_AUTO_MOST];
};

/* What is known of launches by how much work they have.  */
struct detail
{
  struct amount amount[AMOUNTS];
};

struct record
{
  struct acr_nest_site site;
  bool begun, settled, measured;
  bool waited; /* the last launch, which might not be measured */
  unsigned best; /* form so far, once launches were learnt from */
  /* Forms, or ACR_NEST_AUTO_MOST: the best one of a process before, which had
     no time to settle; the one on disk.  */
  unsigned prior, kept;
  /* Launches of all behind the first, and those that were learnt from: what
     these took in place, or would have taken, and how much longer they did in
     each form, and all.  */
  unsigned launches, noted;
  float timed; /* what the first one took, in place or less */
  double inplace, lost, loss[ACR_NEST_AUTO_MOST];
  unsigned out;    /* set of forms, those that are too slow */
  unsigned wanted; /* and those that are still to have turns */
  unsigned turns[ACR_NEST_AUTO_MOST];
  unsigned n;      /* amounts of work */
  uint32_t matter; /* set of those that do */
  double same; /* FINE to COARSE: what is one of them */
  struct detail *detail;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record records[SLOTS];
/* Those that a record has, in the order in which records came to use.  */
static struct detail details[SLOTS];
static unsigned taken;

ACR_FORK_KEEPS_INNER (lock)

/* ---- On disk ----------------------------------------------------------- */

static struct acr_choice_key
key_of (const struct record *r)
{
  return (struct acr_choice_key){
    "nest 11",
    r->site.code,
    { r->site.threads | (uint64_t)acr_env.nest_coarse << 32, acr_env.nest_min },
    r->site.forms | (uint64_t)r->site.forms << UNSETTLED
  };
}

/* Settle R as it was before, if it was, or begin with what was the best.  */
static void
recall (struct record *r)
{
  struct acr_choice_key key = key_of (r);
  unsigned found;
  if (!acr_choice_find (&key, &found))
    return;
  if (found >= UNSETTLED)
    {
      r->prior = r->kept = found - UNSETTLED;
      return;
    }
  r->best = found;
  r->settled = true;
  acr_count (nest_known, 1);
}

/* ---- Amounts of work --------------------------------------------------- */

/* How far A is from WORK, as a part of the larger one.  */
static double
apart (const struct amount *a, uint64_t work)
{
  double less = a->about < work ? a->about : work,
         more = a->about < work ? work : a->about;
  return 1 - less / more;
}

/* ---- Tries ------------------------------------------------------------- */

static bool
open_p (const struct record *r, unsigned f)
{
  return (r->site.forms & ~r->out) >> f & 1;
}

static int
by_size (const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* What a unit of work takes in the fastest FORM so far.  */
static float
least_rate (const struct form *form)
{
  float least = 0;
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    if (form[f].turns && (!least || form[f].least < least))
      least = form[f].least;
  return least;
}

/* Find which of R's amounts matter: those that take a 16th of all time, and where that
   is little of all, others.  The part of all time that the former take.  */
static double
find_what_matters (struct record *r)
{
  static_assert (AMOUNTS <= 32, "a set");
  double all = 0, matter = 0, first = 0;
  r->matter = 0;
  for (unsigned i = 0; i < r->n; i++)
    {
      struct amount *a = &r->detail->amount[i];
      all += a->time = least_rate (a->form) * a->work;
    }
  for (double least = all * MATTERS; matter < all * COVERED; least /= 2)
    {
      for (unsigned i = 0; i < r->n; i++)
        if (r->detail->amount[i].time >= least && !(r->matter >> i & 1))
          {
            r->matter |= UINT32_C (1) << i;
            matter += r->detail->amount[i].time;
          }
      if (least == all * MATTERS)
        first = matter / all;
    }
  return first;
}

/* Has form F of R had so many TURNS with each of the amounts that matter, or so many
   in ALL?  */
static bool
had_p (const struct record *r, unsigned f, unsigned turns, unsigned all)
{
  if (r->turns[f] >= all)
    return true;
  for (unsigned i = 0; i < r->n; i++)
    if (r->matter >> i & 1 && r->detail->amount[i].form[f].turns < turns)
      return false;
  return r->n;
}

/* How many times as long the launches of R that matter take in form F as in B,
   of those amounts of work that both were seen with; 0 when there are none.  *SEEN:
   the part of all time that these take.  */
static double
ratio_of (const struct record *r, unsigned f, unsigned b, double *seen)
{
  double all = 0, part = 0, mine = 0, other = 0;
  for (unsigned i = 0; i < r->n; i++)
    {
      const struct amount *a = &r->detail->amount[i];
      if (!(r->matter >> i & 1))
        continue;
      all += a->time;
      if (!a->form[f].turns || !a->form[b].turns)
        continue;
      part += a->time;
      mine += a->form[f].usual * a->work;
      other += a->form[b].usual * a->work;
    }
  *seen = all > 0 ? part / all : 0;
  return other > 0 ? mine / other : 0;
}

/* Is form F of R better than B?  Where they were not both seen with most of what
   matters, B stays.  */
static bool
better_p (const struct record *r, unsigned f, unsigned b)
{
  double seen, ratio = ratio_of (r, f, b, &seen);
  return seen >= COVERED ? ratio < 1 : !r->turns[b] && r->turns[f];
}

/* The best form of R.  Two are compared at a time: what a third one was not seen
   with decides between them, too.  */
static unsigned
best_of (const struct record *r)
{
  unsigned best = ACR_NEST_AUTO_MOST;
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    if (open_p (r, f)
        && (best == ACR_NEST_AUTO_MOST || better_p (r, f, best)))
      best = f;
  return best;
}

/* How many times as long as in form B all launches of R take in F, at the
   least, by amounts of work that both were seen with; 0 when these are not
   most of what matters.  *TURNS is how often F was seen with each of them.  */
static float
times_as_long (const struct record *r, unsigned f, unsigned b, unsigned *turns)
{
  double all = 0, mine = 0, best = 0;
  *turns = UINT_MAX;
  for (unsigned i = 0; i < r->n; i++)
    {
      const struct amount *a = &r->detail->amount[i];
      const struct form *here = &a->form[f], *there = &a->form[b];
      if (!(r->matter >> i & 1))
        continue;
      all += a->time;
      if (!here->turns || !there->turns)
        continue;
      mine += here->least * a->work;
      best += there->usual * a->work;
      *turns = here->turns < *turns ? here->turns : *turns;
    }
  return best >= all * COVERED && best > 0 ? mine / best : 0;
}

/* The forms of R between which a few turns do not decide: the best one and those
   that may be better.  */
static unsigned
close_forms (const struct record *r)
{
  unsigned best = best_of (r), set = 1u << best, turns;
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    if (f != best && open_p (r, f))
      {
        float times = times_as_long (r, f, best, &turns);
        if (times > 0 && times < CLOSE)
          set |= 1u << f;
      }
  return set & (set - 1) ? set : 0;
}

/* The forms of R that are still to have turns.  */
static unsigned
wanted_forms (const struct record *r)
{
  unsigned wanted = 0;
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    if (open_p (r, f)
        && !had_p (r, f, ACR_NEST_AUTO_TURNS, ACR_NEST_AUTO_ALL))
      wanted |= 1u << f;
  if (wanted)
    return wanted;
  unsigned close = close_forms (r);
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    if (close >> f & 1 && !had_p (r, f, CLOSE_TURNS, CLOSE_ALL))
      wanted |= 1u << f;
  return wanted;
}

/* ---- What tries may lose ----------------------------------------------- */

/* What R's launches take in place, on average; 0 when that is not known.  */
static double
mean_inplace (const struct record *r)
{
  return r->noted ? r->inplace / r->noted : r->timed;
}

/* What WORK takes R in place, by launches with about as much.  */
static double
time_inplace (const struct record *r, uint64_t work)
{
  const struct amount *nearest = NULL;
  for (unsigned i = 0; i < r->n; i++)
    {
      const struct amount *a = &r->detail->amount[i];
      if (a->form[ACR_NEST_AUTO_INPLACE].turns
          && (!nearest || apart (a, work) < apart (nearest, work)))
        nearest = a;
    }
  return nearest ? nearest->form[ACR_NEST_AUTO_INPLACE].usual * work : 0;
}

/* May R lose COST microseconds more?  */
static bool
may_lose_p (const struct record *r, double cost)
{
  return cost + r->lost
         <= r->launches * mean_inplace (r) / ACR_NEST_AUTO_SHARE;
}

/* What a turn of R's in form F loses.  Never tried, that takes RISK times as
   long as in place, and another launch.  */
static double
cost_of (const struct record *r, unsigned f, float risk)
{
  double loss = 0;
  if (r->turns[f])
    loss = r->loss[f] / r->turns[f];
  else if (f != ACR_NEST_AUTO_INPLACE)
    loss = ACR_NEST_AUTO_LAUNCH
           + (risk > 1 ? risk - 1 : 0) * mean_inplace (r);
  return loss + ACR_NEST_AUTO_COST;
}

/* The form in which R begins.  */
static unsigned
first_form (const struct record *r)
{
  return r->prior < ACR_NEST_AUTO_MOST ? r->prior : ACR_NEST_AUTO_INPLACE;
}

/* May R be tried in form F, by RISK?  The first one is for the time alone, and
   what it takes in place is known before others are tried.  */
static bool
affordable_p (const struct record *r, unsigned f, float risk)
{
  if (!mean_inplace (r))
    return f == first_form (r);
  return (r->noted || f == ACR_NEST_AUTO_INPLACE || f == first_form (r))
         && may_lose_p (r, cost_of (r, f, risk));
}

/* The fewest turns that any form of R has had which is to have more.  */
static unsigned
fewest_turns (const struct record *r)
{
  unsigned least = UINT_MAX;
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    if (r->wanted >> f & 1 && r->turns[f] < least)
      least = r->turns[f];
  return least;
}

/* How many turns R's forms have had.  */
static unsigned
all_turns (const struct record *r)
{
  unsigned turns = 0;
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    turns += r->turns[f];
  return turns;
}

/* Is the launch in hand one that R's next turn is for?  Where the launch behind a
   measured one may not be, as what was counted comes later, one half would be seen
   of launches that come round in an even number.  So the next turn is for an even
   launch or an odd one by chance.  */
static bool
in_step_p (const struct record *r)
{
  unsigned turns = all_turns (r);
  return !r->waited
         || acr_hash (r->site.code, &turns, sizeof turns) >> 40 & 1;
}

/* The form of R whose turn it is; ACR_NEST_AUTO_MOST: none that is affordable
   by RISK.  The first of those that were never tried, then any of those that
   have had the fewest turns: launches have a rhythm of their own, the levels
   of a search.  None is far ahead of others: what a form needs is saved for
   it.  */
static unsigned
next_of (const struct record *r, float risk)
{
  unsigned least = UINT_MAX, n = 0, next[ACR_NEST_AUTO_MOST];
  unsigned turns = all_turns (r);
  unsigned fewest = fewest_turns (r);
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    {
      if (!open_p (r, f) || !(r->wanted >> f & 1) || r->turns[f] > fewest + 1
          || !affordable_p (r, f, risk))
        continue;
      if (r->turns[f] < least)
        {
          least = r->turns[f];
          n = 0;
        }
      if (r->turns[f] == least)
        next[n++] = f;
    }
  return !n ? ACR_NEST_AUTO_MOST
         : least ? next[acr_hash (r->site.code, &turns, sizeof turns) % n]
                 : next[0];
}

/* The best form of R so far, in which a launch has its usual loss; one that
   has lost time is none.  */
static unsigned
take_best (struct record *r)
{
  unsigned f = r->noted ? r->best : first_form (r);
  if (r->loss[f] > 0)
    f = ACR_NEST_AUTO_INPLACE;
  if (r->turns[f])
    r->lost += r->loss[f] / r->turns[f];
  return f;
}

/* ---- Records ----------------------------------------------------------- */

static struct record *
record_of (const struct acr_nest_site *site)
{
  uint64_t hash = acr_hash (site->code, site, sizeof *site);
  struct record *free = NULL;
  for (unsigned i = 0; i < PROBES; i++)
    {
      struct record *r = &records[(hash + i) % SLOTS];
      if (!memcmp (&r->site, site, sizeof *site))
        return r;
      if (!free && !r->site.code)
        free = r;
    }
  if (!free)
    free = &records[hash % SLOTS];
  struct detail *detail = free->detail;
  if (!detail)
    detail = &details[taken++];
  *free = (struct record){ .site = *site,
                           .wanted = site->forms,
                           .prior = ACR_NEST_AUTO_MOST,
                           .kept = ACR_NEST_AUTO_INPLACE,
                           .same = FINE,
                           .detail = detail };
  recall (free);
  return free;
}

/* Have N bytes at P be there.  */
static void
touch (volatile char *p, size_t n)
{
  enum
  {
    PAGE = 4096
  };
  for (size_t i = 0; i < n; i += PAGE)
    p[i] = p[i];
  p[n - 1] = p[n - 1];
}

void
acr_nest_auto_prepare (void)
{
  pthread_mutex_lock (&lock);
  touch ((char *)records, sizeof records);
  if (taken < SLOTS)
    touch ((char *)&details[taken], offsetof (struct detail, amount[FEW]));
  pthread_mutex_unlock (&lock);
}

unsigned
acr_nest_auto_pick (const struct acr_nest_site *site, bool may, float risk,
                    bool *learns)
{
  pthread_mutex_lock (&lock);
  struct record *r = record_of (site);
  bool turn = may && r->begun && !r->settled && in_step_p (r);
  unsigned form = turn ? next_of (r, risk) : ACR_NEST_AUTO_MOST;
  r->waited = !may;
  r->launches += r->begun;
  r->begun = true;
  *learns = form < ACR_NEST_AUTO_MOST;
  if (r->settled)
    form = r->best;
  else if (!*learns)
    form = take_best (r);
  pthread_mutex_unlock (&lock);
  return form;
}

/* A launch in F took RATE.  */
static void
add_turn (struct form *f, float rate)
{
  float sorted[CLOSE_TURNS];
  f->rate[f->turns % CLOSE_TURNS] = rate;
  if (!f->turns++ || rate < f->least)
    f->least = rate;
  unsigned n = f->turns < CLOSE_TURNS ? f->turns : CLOSE_TURNS;
  memcpy (sorted, f->rate, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, by_size);
  float sum = 0;
  unsigned most = n - n / 5;
  for (unsigned i = 0; i < most; i++)
    sum += sorted[i];
  f->usual = sum / most;
}

/* Let B be a part of A.  */
static void
add_amount (struct amount *a, const struct amount *b)
{
  a->work += b->work;
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    {
      struct form *to = &a->form[f];
      const struct form *from = &b->form[f];
      unsigned n = from->turns < CLOSE_TURNS ? from->turns : CLOSE_TURNS;
      float least = !to->turns || (n && from->least < to->least) ? from->least
                                                                 : to->least;
      for (unsigned i = 0; i < n; i++)
        add_turn (to, from->rate[i]);
      to->turns += from->turns - n;
      to->least = least;
    }
}

/* Tell fewer amounts of R apart: those half as far again are one.  */
static void
merge_amounts (struct record *r)
{
  struct amount *a = r->detail->amount;
  r->same *= 2;
  for (unsigned i = 0; i < r->n; i++)
    for (unsigned j = i + 1; j < r->n;)
      if (apart (&a[i], a[j].about) < r->same)
        {
          add_amount (&a[i], &a[j]);
          a[j] = a[--r->n];
        }
      else
        j++;
}

/* The same where R has so many amounts that few of them matter, or more than can have
   their turns.  */
static void
merge_many (struct record *r)
{
  enum
  {
    ENOUGH = ACR_NEST_AUTO_ALL / ACR_NEST_AUTO_TURNS
  };
  while ((find_what_matters (r) < COVERED
          || __builtin_popcount (r->matter) > ENOUGH)
         && r->same < COARSE)
    merge_amounts (r);
}

/* The launches of R that have about so much WORK.  */
static struct amount *
amount_of (struct record *r, uint64_t work)
{
  for (;; merge_amounts (r))
    {
      struct amount *a = r->detail->amount, *nearest = a;
      for (unsigned i = 1; i < r->n; i++)
        if (apart (&a[i], work) < apart (nearest, work))
          nearest = &a[i];
      if (r->n && apart (nearest, work) < r->same)
        return nearest;
      if (r->n < AMOUNTS)
        {
          a[r->n] = (struct amount){ .about = work };
          return &a[r->n++];
        }
      if (r->same >= COARSE)
        return nearest;
    }
}

/* What the launches of R that matter take in BEST, where that was seen with them, and
   else in any.  */
static double
time_of_best (const struct record *r, unsigned best)
{
  double sum = 0;
  for (unsigned i = 0; i < r->n; i++)
    {
      const struct amount *a = &r->detail->amount[i];
      float rate = a->form[best].usual, most = 0;
      for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
        most = a->form[f].turns && a->form[f].usual > most ? a->form[f].usual
                                                            : most;
      if (r->matter >> i & 1)
        sum += (a->form[best].turns ? rate : most) * a->work;
    }
  return sum;
}

/* What those take at the least with which form F was seen for TURNS.  */
static double
time_seen (const struct record *r, unsigned f, unsigned turns)
{
  double sum = 0;
  for (unsigned i = 0; i < r->n; i++)
    {
      const struct amount *a = &r->detail->amount[i];
      if (r->matter >> i & 1 && a->form[f].turns >= turns)
        sum += a->form[f].least * a->work;
    }
  return sum;
}

/* Leave out forms of R that take much longer for a part than BEST for all.  */
static void
leave_out_slow (struct record *r, unsigned best)
{
  double all = time_of_best (r, best);
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    if (f != best && open_p (r, f)
        && (time_seen (r, f, 1) > FAR_SLOWER * all
            || time_seen (r, f, 2) > SLOWER * all))
      r->out |= 1u << f;
}

/* Leave out those that are slower than BEST altogether.  */
static void
leave_out_worse (struct record *r, unsigned best)
{
  enum
  {
    MOST_TURNS = sizeof slack / sizeof *slack - 1
  };
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    {
      unsigned turns;
      if (!open_p (r, f) || f == best)
        continue;
      float times = times_as_long (r, f, best, &turns);
      if (times && turns > 1
          && times > slack[turns < MOST_TURNS ? turns : MOST_TURNS])
        r->out |= 1u << f;
    }
}

/* Has R nothing left to learn?  */
static bool
learnt_p (const struct record *r)
{
  unsigned forms = r->site.forms & ~r->out;
  return !(forms & (forms - 1)) || !r->wanted;
}

/* BEST is the best form of R so far.  Keep that on disk, lest the next process
   begin anew, when it has gained more than that takes.  */
static void
keep_best (struct record *r, unsigned best)
{
  if (best == r->kept || r->turns[best] < 2 || -r->lost < WORTH_A_FILE)
    return;
  struct acr_choice_key key = key_of (r);
  acr_choice_keep (&key, best + UNSETTLED);
  r->kept = best;
}

/* Say what the forms of R take.  */
static void
say_times (const struct record *r)
{
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    if (r->site.forms >> f & 1)
      {
        double seen, ratio = ratio_of (r, f, r->best, &seen);
        acr_debug (2, "children: form %u: %u turns%s, %.3f times as long", f,
                   r->turns[f], r->out >> f & 1 ? " and out" : "", ratio);
      }
}

/* Leave out what is too slow, and settle R when the others have had their
   turns.  */
static void
decide (struct record *r)
{
  r->out = 0;
  merge_many (r);
  leave_out_slow (r, best_of (r));
  leave_out_worse (r, best_of (r));
  unsigned best = r->best = best_of (r);
  r->wanted = wanted_forms (r);
  if (!learnt_p (r))
    {
      keep_best (r, best);
      return;
    }
  struct acr_choice_key key = key_of (r);
  r->settled = r->measured = true;
  acr_choice_keep (&key, r->best);
  acr_count (nest_measured, 1);
  acr_debug (1, "children: form %u for 2^%u threads", r->best,
             r->site.threads);
  say_times (r);
}

/* A launch of R in FORM took so long for its WORK.  What is far longer than in
   place has waited for somebody else, or is out.  */
static void
add_loss (struct record *r, unsigned form, double microseconds, uint64_t work)
{
  double inplace = time_inplace (r, work), loss = 0;
  r->lost += ACR_NEST_AUTO_COST;
  if (!inplace)
    return;
  if (form != ACR_NEST_AUTO_INPLACE)
    loss = microseconds - inplace;
  if (loss > FAR_SLOWER * inplace)
    loss = FAR_SLOWER * inplace;
  r->noted++;
  r->inplace += inplace;
  r->lost += loss;
  r->loss[form] += loss;
}

bool
acr_nest_auto_wants (const struct acr_nest_site *site, unsigned form,
                     float microseconds)
{
  pthread_mutex_lock (&lock);
  struct record *r = record_of (site);
  if (!r->noted && (!r->timed || form == ACR_NEST_AUTO_INPLACE))
    r->timed = microseconds;
  bool first = form == ACR_NEST_AUTO_INPLACE || form == first_form (r);
  bool wants = !r->settled && (!first || may_lose_p (r, ACR_NEST_AUTO_COST));
  pthread_mutex_unlock (&lock);
  return wants;
}

void
acr_nest_auto_note (const struct acr_nest_site *site, unsigned form,
                    float microseconds, uint64_t work)
{
  pthread_mutex_lock (&lock);
  struct record *r = record_of (site);
  if (!r->settled && work)
    {
      struct amount *a = amount_of (r, work);
      float rate = microseconds / work;
      a->work += work;
      add_turn (&a->form[form], rate);
      r->turns[form]++;
      add_loss (r, form, microseconds, work);
      decide (r);
    }
  pthread_mutex_unlock (&lock);
}

void
acr_nest_auto_lose (const struct acr_nest_site *site, float microseconds)
{
  pthread_mutex_lock (&lock);
  record_of (site)->lost += microseconds;
  pthread_mutex_unlock (&lock);
}

bool
acr_nest_auto_settled (const struct acr_nest_site *site, bool *measured)
{
  pthread_mutex_lock (&lock);
  const struct record *r = record_of (site);
  bool settled = r->settled;
  *measured = r->measured;
  pthread_mutex_unlock (&lock);
  return settled;
}

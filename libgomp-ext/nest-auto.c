/* The form in which the children of a kernel are executed, by measurement; see
   nest-auto.h.

   Records are in a table that a hash of the site points into; another site of
   the same place takes it over.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "choice.h"
#include "ext.h"
#include "fork.h"
#include "hash.h"
#include "nest-auto.h"

#include <string.h>

#define SLOTS 64

/* A form is out when a unit of work takes so much longer than in another: at
   once, and when it has had two turns, of which one may have waited for
   others.  */
#define FAR_SLOWER 8
#define SLOWER 2

struct record
{
  struct acr_nest_site site;
  bool settled;
  unsigned best;
  unsigned out;  /* set of forms */
  unsigned idle; /* launches of too little work since the last that counted */
  uint64_t most; /* work of a launch */
  struct
  {
    unsigned turns;
    double rate; /* least microseconds for a unit of work */
  } form[ACR_NEST_AUTO_MOST];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record records[SLOTS];

ACR_FORK_KEEPS (lock)

/* ---- On disk ----------------------------------------------------------- */

static struct acr_choice_key
key_of (const struct record *r)
{
  return (struct acr_choice_key){ "nest 4",
                                  r->site.code,
                                  { r->site.threads, acr_env.nest_min },
                                  r->site.forms };
}

/* Settle R as it was before, if it was.  */
static void
recall (struct record *r)
{
  struct acr_choice_key key = key_of (r);
  if (!acr_choice_find (&key, &r->best))
    return;
  r->settled = true;
  acr_count (nest_known, 1);
}

/* ---- Tries ------------------------------------------------------------- */

static bool
open_p (const struct record *r, unsigned f)
{
  return (r->site.forms & ~r->out) >> f & 1;
}

/* The best form of R so far; without any, its first.  */
static unsigned
best_of (const struct record *r)
{
  unsigned best = ACR_NEST_AUTO_MOST, first = ACR_NEST_AUTO_MOST;
  for (unsigned f = ACR_NEST_AUTO_MOST; f--;)
    if (open_p (r, f))
      {
        first = f;
        if (r->form[f].turns
            && (best == ACR_NEST_AUTO_MOST
                || r->form[f].rate <= r->form[best].rate))
          best = f;
      }
  return best < ACR_NEST_AUTO_MOST ? best : first;
}

/* The form of R whose turn it is; ACR_NEST_AUTO_MOST: none.  Any of those that
   have had the fewest turns: launches have a rhythm of their own, the levels of a
   search.  */
static unsigned
next_of (const struct record *r)
{
  unsigned least = ACR_NEST_AUTO_TURNS, n = 0, turns = 0;
  unsigned next[ACR_NEST_AUTO_MOST];
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    if (open_p (r, f))
      {
        turns += r->form[f].turns;
        if (r->form[f].turns < least)
          {
            least = r->form[f].turns;
            n = 0;
          }
        if (r->form[f].turns == least)
          next[n++] = f;
      }
  if (least == ACR_NEST_AUTO_TURNS)
    return ACR_NEST_AUTO_MOST;
  return next[acr_hash (r->site.code, &turns, sizeof turns) % n];
}

static struct record *
record_of (const struct acr_nest_site *site)
{
  struct record *r
      = &records[acr_hash (site->code, site, sizeof *site) % SLOTS];
  if (memcmp (&r->site, site, sizeof *site))
    {
      *r = (struct record){ .site = *site };
      recall (r);
    }
  return r;
}

unsigned
acr_nest_auto_pick (const struct acr_nest_site *site, bool *learns)
{
  pthread_mutex_lock (&lock);
  struct record *r = record_of (site);
  unsigned next = r->settled ? ACR_NEST_AUTO_MOST : next_of (r);
  *learns = next < ACR_NEST_AUTO_MOST;
  unsigned form = *learns ? next : r->settled ? r->best : best_of (r);
  pthread_mutex_unlock (&lock);
  return form;
}

/* Leave out forms of R that are much slower than the best, and settle R when
   the others have had their turns.  */
static void
decide (struct record *r)
{
  unsigned best = best_of (r);
  for (unsigned f = 0; f < ACR_NEST_AUTO_MOST; f++)
    if (open_p (r, f) && r->form[f].turns
        && r->form[f].rate > (r->form[f].turns > 1 ? SLOWER : FAR_SLOWER)
                                 * r->form[best].rate)
      r->out |= 1u << f;
  if (next_of (r) < ACR_NEST_AUTO_MOST)
    return;
  struct acr_choice_key key = key_of (r);
  r->best = best;
  r->settled = true;
  acr_choice_keep (&key, best);
  acr_count (nest_measured, 1);
  acr_debug (1, "children: form %u for 2^%u threads", best, r->site.threads);
}

/* Does a launch of R with so much WORK count?  */
static bool
counts (struct record *r, uint64_t work)
{
  if (work > 2 * r->most || r->idle == ACR_NEST_AUTO_IDLE)
    {
      /* What came before was something else.  */
      r->most = work;
      r->out = 0;
      memset (r->form, 0, sizeof r->form);
    }
  else if (work < r->most / 2)
    {
      r->idle++;
      return false;
    }
  r->idle = 0;
  return true;
}

void
acr_nest_auto_note (const struct acr_nest_site *site, unsigned form,
                    float microseconds, uint64_t work)
{
  pthread_mutex_lock (&lock);
  struct record *r = record_of (site);
  if (!r->settled && work && counts (r, work))
    {
      /* What is longer has waited for somebody else.  */
      double rate = (double)microseconds / work;
      if (!r->form[form].turns++ || rate < r->form[form].rate)
        r->form[form].rate = rate;
      decide (r);
    }
  pthread_mutex_unlock (&lock);
}

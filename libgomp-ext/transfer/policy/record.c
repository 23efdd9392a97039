/* Recorded sequences of constructs.

   A program that iterates runs the same constructs in the same order.  When a
   sequence has come round often enough, one time of it is recorded: what its
   constructs allocate, what they copy, what kernels use and where the host
   waits.  From that the planner tells (layout.c) which blocks should lie side
   by side, and which kernels should be held until later copies have passed
   them.

   From then on it is followed, construct by construct.  Where the program
   deviates (another call site, other sizes, another order, other blocks)
   nothing is planned until a construct comes that is in the sequence.  When
   none does for as long as the sequence is, or deviations are many, the plan
   is dropped, and the search begins anew, for a longer time where the plan was
   of little use.

   Nothing rests on the record being right: a place is a free block like any
   other, and what may be held, and what is to be handed over when, is decided
   by gather.c, hold.c and late.c as without.

   Source: C. Kessler, "Global optimization of operand transfer fusion in
   heterogeneous computing", section 7, on iterative programs.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/construct.h"
#include "transfer/policy/record.h"

#include <stdlib.h>

enum
{
  HISTORY = 2 * ACR_STEPS,
  TIMES_FIRST = 2, /* that a sequence is seen before it is recorded */
  TIMES_MAX = 1 << 16,
  LEAST = 16, /* constructs, likewise */
  FEW = 4     /* there is a deviation in so many constructs at the most */
};

enum state
{
  SEARCHING,
  RECORDING,
  FOLLOWING
};

struct acr_record
{
  enum state state;
  unsigned times;
  /* Searching: the constructs before, of which the last SAME equal those
     PERIOD before them.  */
  uint64_t keys[HISTORY];
  unsigned nkeys, period, same;
  /* Following: the step and its blocks so far, or the constructs since the
     last that was in the sequence; constructs since the plan, and how many
     were not as planned.  */
  unsigned at, nblocks, lost;
  uint64_t followed, missed;
  struct acr_log log;
};

/* Nothing is known.  */
static void
drop (struct acr_record *r)
{
  if (r->state == FOLLOWING)
    {
      acr_debug (2, "plan: dropped after %llu constructs",
                 (unsigned long long)r->followed);
      acr_layout_drop (&r->log);
      if (r->followed < (uint64_t)r->times * r->log.nsteps
          && r->times < TIMES_MAX)
        r->times *= 4;
    }
  r->state = SEARCHING;
  r->nkeys = r->period = r->same = 0;
}

static void
miss (struct acr_record *r)
{
  acr_count (deviations, 1);
  r->missed++;
}

void
acr_record_break (struct acr_record *r)
{
  if (!r)
    return;
  if (r->state != FOLLOWING)
    drop (r);
  else if (!r->lost)
    {
      r->lost = 1;
      miss (r);
    }
}

void
acr_record_free (struct acr_record *r)
{
  if (r)
    drop (r);
  free (r);
}

/* ---- Searching --------------------------------------------------------- */

/* KEY comes next.  */
static void
note_key (struct acr_record *r, uint64_t key)
{
  unsigned i = r->nkeys++;
  r->keys[i % HISTORY] = key;
  if (r->period && r->keys[(i - r->period) % HISTORY] == key)
    {
      r->same++;
      return;
    }
  r->period = r->same = 0;
  for (unsigned d = 1; d <= ACR_STEPS && d <= i && !r->period; d++)
    if (r->keys[(i - d) % HISTORY] == key)
      {
        r->period = d;
        r->same = 1;
      }
}

/* ---- Recording --------------------------------------------------------- */

static void
next_step (struct acr_log *log, uint64_t key)
{
  log->steps[log->nsteps++]
      = (struct acr_step){ .key = key, .first = log->nblocks };
  log->steps[log->nsteps].first = log->nblocks;
}

static bool
is_recording (const struct acr_record *r)
{
  return r && r->state == RECORDING;
}

static unsigned
block_at (const struct acr_log *log, CUdeviceptr p)
{
  for (unsigned i = log->nblocks; i-- > 0;)
    if (p - log->blocks[i].addr < log->blocks[i].bytes)
      return i;
  return ACR_NO_BLOCK;
}

void
acr_record_alloc (struct acr_record *r, CUdeviceptr p, size_t bytes)
{
  if (!is_recording (r))
    return;
  struct acr_log *log = &r->log;
  if (log->nblocks == ACR_BLOCKS)
    {
      acr_record_break (r);
      return;
    }
  log->blocks[log->nblocks++]
      = (struct acr_logged_block){ .addr = p, .bytes = bytes };
  log->steps[log->nsteps].first = log->nblocks;
}

void
acr_record_note (enum acr_event_kind kind, CUdeviceptr p)
{
  struct acr_construct *c = acr_construct_self ();
  struct acr_record *r = c ? c->record : NULL;
  if (!is_recording (r))
    return;
  struct acr_log *log = &r->log;
  if (log->nevents == ACR_EVENTS)
    acr_record_break (r);
  else
    log->events[log->nevents++]
        = (struct acr_event){ log->nsteps - 1, block_at (log, p), kind };
}

/* ---- Following --------------------------------------------------------- */

static bool
is_following (const struct acr_record *r)
{
  return r && r->state == FOLLOWING && !r->lost;
}

CUdeviceptr
acr_record_wants (size_t bytes)
{
  struct acr_construct *c = acr_construct_current ();
  struct acr_record *r = c ? c->record : NULL;
  if (!is_following (r))
    return 0;
  const struct acr_step *step = &r->log.steps[r->at];
  unsigned i = step->first + r->nblocks++;
  return i < step[1].first && r->log.blocks[i].bytes == bytes
             ? r->log.blocks[i].place
             : 0;
}

int
acr_record_holds (const struct acr_record *r)
{
  return is_following (r) ? r->log.steps[r->at].hold : -1;
}

/* The construct with KEY comes: the next time of a step with that key, counted
   from the one behind the last.  */
static void
follow (struct acr_record *r, uint64_t key)
{
  unsigned n = r->log.nsteps, ahead = 0;
  while (ahead < n && r->log.steps[(r->at + 1 + ahead) % n].key != key)
    ahead++;
  r->followed++;
  if (ahead == n)
    r->lost++;
  else
    {
      r->at = (r->at + 1 + ahead) % n;
      r->nblocks = r->lost = 0;
    }
  if (ahead)
    miss (r);
  if (r->lost > n || (r->followed > 2 * n && r->missed > r->followed / FEW))
    drop (r);
}

/* ---- Constructs -------------------------------------------------------- */

/* The sequence that RECORDING is about begins anew.  */
static void
plan (struct acr_record *r)
{
  double begin = acr_now_us ();
  acr_layout_make (&r->log);
  acr_debug (2, "plan: %u constructs, %u blocks, in %.0f us", r->log.nsteps,
             r->log.nblocks, acr_now_us () - begin);
  acr_count (plans, 1);
  r->state = FOLLOWING;
  r->at = r->nblocks = r->lost = 0;
  r->followed = r->missed = 0;
}

void
acr_record_begin (struct acr_record **record, uint64_t key)
{
  struct acr_record *r = *record;
  if (acr_opt_off (ACR_OPT_plan) || !acr_construct_alone ())
    {
      acr_record_break (r);
      return;
    }
  if (!r)
    {
      r = *record = calloc (1, sizeof *r);
      if (!r)
        return;
      r->times = TIMES_FIRST;
    }
  if (r->state == FOLLOWING)
    {
      follow (r, key);
      if (r->state == FOLLOWING)
        return;
    }
  unsigned period = r->period;
  note_key (r, key);
  if (r->state == RECORDING && r->period != period)
    r->state = SEARCHING;
  if (r->state == RECORDING && r->log.nsteps == period)
    plan (r);
  else if (r->state == RECORDING)
    next_step (&r->log, key);
  else if (r->period && r->same >= LEAST
           && r->same >= (uint64_t)r->times * r->period)
    {
      r->state = RECORDING;
      r->log.nsteps = r->log.nblocks = r->log.nevents = 0;
      next_step (&r->log, key);
    }
}

/* Kernels that run beside each other; see pair.h.

   Why this gives what stock gives.  Nothing here runs a kernel earlier than
   the program says: each is launched when it comes, on its own stream, behind
   what is there.  What changes is

   - its grid, of kernels whose results are the same to the last bit at every
     grid (abi.h, exact or grids), and whose number of blocks the program
     leaves open;
   - that one kernel waits for another one that was launched before it, on
     another stream (`serial'), or for all of those (a span that is measured).
     All of them are on their way by then, so the new order has no circle.  A
     program could tell by a kernel that waits for another one's store: it
     would have to read volatile memory, or by an atomic operation, and then is
     neither.

   A first kernel is in WAITING from its launch until the next launch, whoever
   makes it.  Whether that one is really beside it nobody asks the driver:
   waits, orders of streams and copies on the NULL stream take the first one
   out.  What is not noticed, such as a long copy in front of the second one,
   shows in the time.

   LOCK guards WAITING and what follow.h knows.  It is taken in callbacks of
   the driver's, so the driver is not called with it held.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/pair.h"

#include "abi/abi.h"
#include "base/fork.h"
#include "base/hash.h"
#include "ext.h"
#include "launch/follow.h"
#include "launch/geometry.h"
#include "launch/geometry-word.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/pair-choice.h"
#include "launch/span.h"
#include "launch/watch.h"
#include "report/row.h"

/* A kernel that was launched, and beside which the next may be.  */
struct waiting
{
  struct acr_pairing first; /* key 0: none */
  int device;
  CUstream stream;
  bool ordered; /* with the NULL stream, as OpenACC's queues are */
  bool fits; /* its grid leaves half of the GPU as it is */
  struct acr_tally *by;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiting waiting;
/* Whether there is one, so that nobody takes the lock for nothing.  */
static atomic_bool any;
/* The code of the kernel that was launched last.  */
static _Atomic uint64_t before;
/* Of streams but the NULL stream the last one with a launch, and how many in a
   row were there.  */
static _Atomic CUstream stream_before;
static atomic_uint in_a_row;

ACR_FORK_KEEPS (lock)

/* What lets a second kernel be behind a first: recorded by the one, waited for
   by the other; of CONTEXT.  Guarded by LOCK, but for the driver's calls.  */
static struct
{
  CUcontext context;
  CUevent event;
} order;

static bool
is_off (void)
{
  return acr_env.pair == ACR_PAIR_WORD_OFF || acr_opt_off (ACR_OPT_pair);
}

/* ---- What may have a part ---------------------------------------------- */

/* So many launches in a row on one stream, and nobody is expected beside the
   next: what a program with one queue pays is to find that out.  */
enum
{
  LONELY = 256
};

/* Does the program launch on STREAM alone?  Threads that ask at once may get an
   answer of either.  */
static bool
is_lonely (CUstream stream)
{
  unsigned n = atomic_load_explicit (&in_a_row, memory_order_relaxed);
  if (atomic_load_explicit (&stream_before, memory_order_relaxed) != stream)
    {
      atomic_store_explicit (&stream_before, stream, memory_order_relaxed);
      n = 0;
    }
  else if (n == LONELY)
    return true;
  atomic_store_explicit (&in_a_row, n + 1, memory_order_relaxed);
  return false;
}

/* 8 and more iterations are in four classes for each power of two.  */
static unsigned
class_of (unsigned trips)
{
  unsigned log = 31 - __builtin_clz (trips | 1);
  return trips < 8 ? trips : 4 * log + (trips >> (log - 2) & 3);
}

static bool
is_pinned (const struct acr_launch *l)
{
  struct acr_word w;
  return acr_env.geometry
         && acr_word_pins (acr_env.geometry, l->kernel->name, &w);
}

/* Is L's own form or geometry still being looked for?  */
static bool
is_learning (const struct acr_launch *l)
{
  return l->trial.timed || (l->trial.code && !l->trial.settled);
}

/* Whether L may have any grid.  */
static bool
may_cut (const struct acr_launch *l)
{
  const struct acr_region *r = l->kernel ? acr_kernel_region (l->kernel) : NULL;
  if (!r || r->spmd == ACR_SPMD_NO || r->launches || r->resident
      || l->kernel->soft || !l->kernel->code)
    return false;
  if (!r->exact && !r->grids)
    acr_row_refuse (ACR_WHY_INEXACT);
  else if (!l->trips || is_pinned (l))
    acr_row_refuse (ACR_WHY_GRID);
  else
    return true;
  return false;
}

static uint64_t
key_of (const struct acr_launch *l)
{
  uint64_t h = acr_hash_word (l->kernel->code,
                              l->form | (uint64_t)l->kernel->device << 32);
  h = acr_hash_word (h, l->block[0] | (uint64_t)l->block[1] << 32);
  h = acr_hash_word (h, l->block[2] | (uint64_t)class_of (l->teams) << 32);
  return h ? h : 1;
}

/* ---- Grids ------------------------------------------------------------- */

static bool
fits (const struct acr_launch *l, unsigned quarters)
{
  return !quarters || l->grid[0] <= acr_geometry_part (l, quarters);
}

/* Let L have the part of the GPU that its choice gives it.  */
static void
cut (struct acr_launch *l)
{
  struct acr_pairing *p = &l->pairing;
  unsigned quarters
      = acr_pair_quarters (p->choice, p->turn == ACR_PAIR_FOLLOWS);
  p->cut = !fits (l, quarters);
  if (p->cut)
    l->grid[0] = acr_geometry_part (l, quarters);
}

/* ---- Who is beside whom ------------------------------------------------ */

/* Take the kernel that waits, if any, to W.  */
static void
take (struct waiting *w)
{
  w->first.key = 0;
  if (!atomic_load_explicit (&any, memory_order_relaxed))
    return;
  pthread_mutex_lock (&lock);
  *w = waiting;
  waiting.first.key = 0;
  atomic_store_explicit (&any, false, memory_order_relaxed);
  pthread_mutex_unlock (&lock);
}

/* The kernel W has got NEXT beside it, or 0.  */
static void
note (const struct waiting *w, uint64_t next)
{
  const struct acr_pairing *p = &w->first;
  if (!p->key)
    return;
  pthread_mutex_lock (&lock);
  acr_follow_note (p->place, next);
  pthread_mutex_unlock (&lock);
  if (!p->expects || p->expects == next)
    return;
  acr_span_drop (p->span);
  acr_count_for (w->by, pairs_missed, p->cut);
}

/* Is L, which may have a part, beside W?  */
static bool
is_beside (const struct waiting *w, const struct acr_launch *l)
{
  return w->first.key && w->device == l->kernel->device
         && w->stream != l->stream;
}

/* Let L be the second of two behind W; false when it was not foretold.  */
static bool
follow (struct acr_launch *l, const struct waiting *w)
{
  struct acr_pairing *p = &l->pairing;
  const struct acr_pairing *first = &w->first;
  if (first->expects != p->key)
    return false;
  p->turn = ACR_PAIR_FOLLOWS;
  p->choice = first->choice;
  p->span = first->span;
  cut (l);
  if (first->cut || p->cut)
    {
      acr_count_for (w->by, paired, 1);
      acr_count_for (l->by, paired, 1);
    }
  return true;
}

/* The choice for L and what is foretold beside it, which may be measured.  */
static unsigned
choice_of (struct acr_launch *l)
{
  struct acr_pairing *p = &l->pairing;
  if (acr_env.pair >= ACR_PAIR_WORD_PIN)
    return acr_env.pair - ACR_PAIR_WORD_PIN;
  if (acr_opt_off (ACR_OPT_tune))
    return ACR_PAIR_STREAMS;
  /* The other way round it is another pair.  */
  uint64_t pair = acr_hash_word (acr_hash_word (0, p->key), p->expects);
  p->trial = acr_tune_pick (pair, 0, ACR_PAIR_CHOICES, ACR_TUNE_ALL,
                            acr_span_can ());
  unsigned choice = p->trial.candidate;
  if (p->trial.settled && choice != ACR_PAIR_STREAMS
      && !acr_watch_allows (pair, choice, acr_now_us ()))
    choice = ACR_PAIR_STREAMS;
  if (p->trial.settled && choice == ACR_PAIR_STREAMS)
    acr_row_refuse (ACR_WHY_STREAMS);
  return choice;
}

/* Let L be the first of two if another one is foretold.  */
static void
lead (struct acr_launch *l)
{
  struct acr_pairing *p = &l->pairing;
  p->turn = ACR_PAIR_LEADS;
  pthread_mutex_lock (&lock);
  p->expects = acr_follow_next (p->place);
  pthread_mutex_unlock (&lock);
  if (!p->expects)
    return;
  p->choice = choice_of (l);
  cut (l);
}

void
acr_pair_choose (struct acr_launch *l)
{
  struct waiting w;
  struct acr_pairing *p = &l->pairing;
  if (is_off ())
    return;
  take (&w);
  uint64_t last = atomic_load_explicit (&before, memory_order_relaxed);
  atomic_store_explicit (&before, l->kernel ? l->kernel->code : 0,
                         memory_order_relaxed);
  if (l->stream && !is_lonely (l->stream) && !is_learning (l) && may_cut (l))
    {
      p->key = key_of (l);
      p->place = acr_hash_word (p->key, last);
    }
  if (!p->key || !is_beside (&w, l))
    {
      note (&w, 0);
      if (p->key)
        lead (l);
      return;
    }
  bool room = w.fits && fits (l, 2);
  if (room)
    acr_row_refuse (ACR_WHY_ROOM);
  note (&w, room ? 0 : p->key);
  if (room || !follow (l, &w))
    p->key = 0;
}

/* ---- Launches ---------------------------------------------------------- */

/* The current context's event, or NULL.  */
static CUevent
order_event (void)
{
  CUcontext ctx;
  CUevent event = NULL;
  if (!acr_span_can () || acr_driver.ctx_get_current (&ctx))
    return NULL;
  pthread_mutex_lock (&lock);
  if (order.context == ctx)
    event = order.event;
  pthread_mutex_unlock (&lock);
  if (event || acr_driver.event_create (&event, CU_EVENT_DISABLE_TIMING))
    return event;
  pthread_mutex_lock (&lock);
  order.context = ctx;
  order.event = event;
  pthread_mutex_unlock (&lock);
  return event;
}

void
acr_pair_begin (struct acr_launch *l)
{
  struct acr_pairing *p = &l->pairing;
  if (!p->key)
    return;
  if (p->turn == ACR_PAIR_LEADS && p->trial.timed)
    p->span = acr_span_begin (&p->trial, l->stream);
  if (p->turn != ACR_PAIR_FOLLOWS || p->choice != ACR_PAIR_SERIAL)
    return;
  CUevent event = order_event ();
  if (event)
    (void)acr_driver.stream_wait_event (l->stream, event, 0);
}

/* L, the first of two, was launched: the next may be beside it.  */
static void
wait_for_second (const struct acr_launch *l)
{
  const struct acr_pairing *p = &l->pairing;
  struct waiting before;
  acr_span_made (p->span, false, l->stream);
  CUevent event = p->choice == ACR_PAIR_SERIAL ? order_event () : NULL;
  if (event)
    (void)acr_driver.event_record (event, l->stream);
  take (&before);
  note (&before, 0);
  pthread_mutex_lock (&lock);
  waiting = (struct waiting){
    .first = *p,
    .device = l->kernel->device,
    .stream = l->stream,
    .ordered = acr_kernel_region (l->kernel)->kind != ACR_KIND_OMP_TARGET,
    .fits = !p->cut && fits (l, 2),
    .by = l->by
  };
  atomic_store_explicit (&any, true, memory_order_relaxed);
  pthread_mutex_unlock (&lock);
}

void
acr_pair_end (const struct acr_launch *l, CUresult r)
{
  const struct acr_pairing *p = &l->pairing;
  if (!p->key)
    return;
  if (r)
    acr_span_drop (p->span);
  else if (p->turn == ACR_PAIR_FOLLOWS)
    acr_span_made (p->span, true, l->stream);
  else
    wait_for_second (l);
}

/* ---- What parts them --------------------------------------------------- */

void
acr_pair_part (void)
{
  struct waiting w;
  take (&w);
  note (&w, 0);
}

/* Is what waits behind STREAM's next work, or done with it?  */
static bool
is_on (CUstream stream)
{
  pthread_mutex_lock (&lock);
  bool on = waiting.first.key
            && (waiting.stream == stream || (!stream && waiting.ordered));
  pthread_mutex_unlock (&lock);
  return on;
}

void
acr_pair_done (CUstream stream)
{
  if (atomic_load_explicit (&any, memory_order_relaxed) && is_on (stream))
    acr_pair_part ();
}

void
acr_pair_forget (CUcontext ctx)
{
  acr_pair_part ();
  acr_span_forget (ctx);
  pthread_mutex_lock (&lock);
  CUevent event = order.context == ctx ? order.event : NULL;
  if (event)
    order.event = NULL;
  pthread_mutex_unlock (&lock);
  if (event)
    acr_driver.event_destroy (event);
}

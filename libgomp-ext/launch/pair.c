/* Kernels that run beside each other; see pair.h.

   Why this gives what stock gives.  Nothing here runs a kernel earlier than
   the program says: each is launched when it comes, on its own stream, behind
   what is there.  What changes is

   - its grid, of kernels whose results are the same to the last bit at every
     grid (abi.h, exact or grids), and whose number of blocks the program
     leaves open;
   - how many of its blocks are there at a time (room.h);
   - that one kernel waits for another one that was launched before it, on
     another stream (`serial'), or for all of those (a span that is measured).
     All of them are on their way by then, so the new order has no circle.  A
     program could tell by a kernel that waits for another one's store: it
     would have to read volatile memory, or by an atomic operation, and then is
     neither;
   - that one kernel does not wait for the one before it in its queue (may_pass).
     Neither writes what the other accesses: as the tags say they access their
     operands alone (abi.h, closed), but for static variables, of which there
     are none.  Nothing else has come to the queue since the first one, and
     what comes later is behind both.  Nobody sees the one without the other:
     both return and print nothing, and the program has no addresses to look at
     memory with on streams of its own.  Work for the NULL stream that the driver was not
     given yet (stream.h) would come between: there must be none.

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
#include "interpose/construct.h"
#include "interpose/leave.h"
#include "launch/aside.h"
#include "launch/follow.h"
#include "launch/geometry/geometry.h"
#include "launch/geometry/geometry-word.h"
#include "launch/graph/batch.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/pair-choice.h"
#include "launch/room.h"
#include "launch/span.h"
#include "launch/watch.h"
#include "report/row.h"
#include "transfer/defer.h"
#include "transfer/stream.h"
#include "transfer/uses.h"

/* What a launch may access, and at how many places at most; N of them, 0: not
   known.  */
enum
{
  USES = 16
};

struct accesses
{
  unsigned n;
  struct acr_use use[USES];
};

/* A kernel that was launched, and beside which the next may be.  */
struct waiting
{
  struct acr_pairing first; /* key 0: none */
  int device;
  CUstream stream;
  bool ordered; /* with the NULL stream, as OpenACC's queues are */
  bool fits;    /* its grid leaves half of the GPU as it is */
  bool last;    /* its stream has got nothing since */
  struct accesses accesses;
  struct acr_tally *by;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiting waiting;
/* Whether there is one, so that nobody takes the lock for nothing.  */
static atomic_bool any;
/* The code of the kernel that was launched last.  */
static _Atomic uint64_t before;

ACR_FORK_KEEPS (lock)

/* What lets a second kernel be behind a first: recorded by the one, waited for
   by the other; of CONTEXT.  Guarded by LOCK, but for the driver's calls.  */
static struct
{
  CUcontext context;
  CUevent event;
} order;

/* ---- What may have a part ---------------------------------------------- */

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
  const struct acr_trial *t = &l->trial;
  return t->timed || (t->code && !t->settled && !t->later);
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

/* What tells L, which FILLS more than half of the GPU or does not, from others: even.  */
static uint64_t
key_of (const struct acr_launch *l, bool fills)
{
  uint64_t h = acr_hash_word (l->kernel->code,
                              l->form | (uint64_t)l->kernel->device << 32);
  h = acr_hash_word (h, l->block[0] | (uint64_t)l->block[1] << 32);
  h = acr_hash_word (h, l->block[2] | (uint64_t)class_of (l->teams) << 32);
  h = acr_hash_word (h, fills) & ~(uint64_t)1;
  return h ? h : 2;
}

/* Note in TO what L may access, if that is known and L may then be passed.  */
static void
note_uses (struct accesses *to, const struct acr_launch *l)
{
  struct acr_construct *c = acr_construct_current ();
  struct acr_uses uses = { to->use, 0, USES, true };
  bool known = c && acr_uses_tell_all (c) && acr_uses_add (&uses, c, l);
  to->n = known ? uses.n : 0;
}

/* ---- Grids ------------------------------------------------------------- */

/* Let L have the part of the GPU that its choice gives it.  */
static void
cut (struct acr_launch *l)
{
  struct acr_pairing *p = &l->pairing;
  bool second = p->turn == ACR_PAIR_FOLLOWS;
  unsigned quarters = acr_pair_quarters (p->choice, second);
  p->cut = !acr_geometry_fits (l, quarters);
  if (p->cut && !second && acr_pair_rooms (p->choice))
    p->cut = acr_room_limit (l, quarters);
  else if (p->cut)
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
  if (p->aside && p->expects != next)
    acr_aside_close ();
  pthread_mutex_lock (&lock);
  acr_follow_note (p->place, next);
  pthread_mutex_unlock (&lock);
  if (!p->expects || p->expects == next)
    return;
  acr_span_drop (p->span);
  acr_count_for (w->by, pairs_missed, p->cut);
}

/* Whether something would come to STREAM in front of a launch that is made now.  */
static bool
has_owed (CUstream stream)
{
  return !stream && acr_stream_has (ACR_SUBMITS | ACR_FETCHES);
}

/* May L be launched aside of W, in whose queue it is?  */
static bool
may_pass (const struct waiting *w, const struct acr_launch *l)
{
  const struct accesses *a = &w->accesses;
  struct accesses b;
  if (!w->last || !a->n || has_owed (l->stream))
    return false;
  note_uses (&b, l);
  return b.n && !acr_uses_conflict (a->use, a->n, b.use, b.n);
}

/* What L, which may have a part, is beside W: its key, odd in the same queue;
   or 0.  */
static uint64_t
beside (const struct waiting *w, const struct acr_launch *l)
{
  uint64_t key = l->pairing.key;
  if (!key || !w->first.key || w->device != l->kernel->device)
    return 0;
  if (w->stream == l->stream)
    return may_pass (w, l) ? key | 1 : 0;
  /* The NULL stream has an order with others.  */
  if (!w->stream || !l->stream)
    return 0;
  /* They run beside each other as they are.  */
  if (w->fits && acr_geometry_fits (l, 2))
    {
      acr_row_refuse (ACR_WHY_ROOM);
      return 0;
    }
  return key;
}

/* Let L be the second of two behind W, which has foretold it.  */
static void
follow (struct acr_launch *l, const struct waiting *w)
{
  struct acr_pairing *p = &l->pairing;
  const struct acr_pairing *first = &w->first;
  p->turn = ACR_PAIR_FOLLOWS;
  p->choice = first->choice;
  p->span = first->span;
  p->expects = first->expects;
  p->aside = first->aside;
  cut (l);
  acr_debug (3, "pair: %s is the second one: %s", l->kernel->name,
             acr_pair_text (p->choice));
  if (first->cut || p->cut || p->aside)
    {
      acr_count_for (w->by, paired, 1);
      acr_count_for (l->by, paired, 1);
    }
}

/* Which of pair-choice.def candidate N is: the first is what the program says,
   which in one QUEUE is one behind the other.  */
static unsigned
choice_of (unsigned n, bool queue)
{
  if (!queue || n > ACR_PAIR_SERIAL)
    return n;
  return n == ACR_PAIR_STREAMS ? ACR_PAIR_SERIAL : ACR_PAIR_STREAMS;
}

/* The choice for L and what is foretold beside it, which may be measured.  */
static unsigned
choose (struct acr_launch *l)
{
  struct acr_pairing *p = &l->pairing;
  bool queue = p->expects & 1;
  if (acr_env.pair >= ACR_PAIR_WORD_PIN)
    return acr_env.pair - ACR_PAIR_WORD_PIN;
  if (acr_opt_off (ACR_OPT_tune))
    return choice_of (0, queue);
  /* The other way round it is another pair.  */
  uint64_t pair = acr_hash_word (acr_hash_word (0, p->key), p->expects);
  p->trial = acr_tune_pick (pair, 0,
                            queue ? ACR_PAIR_CHOICES : ACR_PAIR_CHOICES_QUEUES,
                            ACR_TUNE_ALL, acr_span_can ());
  unsigned n = p->trial.candidate;
  if (p->trial.settled && n && !acr_watch_allows (pair, n, acr_now_us ()))
    n = 0;
  if (p->trial.settled && !n)
    acr_row_refuse (ACR_WHY_STREAMS);
  return choice_of (n, queue);
}

/* The first of two, P, has the other one behind it after all.  */
static void
give_up (struct acr_pairing *p)
{
  p->choice = ACR_PAIR_SERIAL;
  acr_span_drop (p->span);
  if (p->trial.timed && !p->span)
    acr_tune_note (&p->trial, -1);
  p->trial.timed = false;
  p->span = 0;
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
  p->choice = choose (l);
  if (p->expects & 1 && p->choice != ACR_PAIR_SERIAL)
    {
      p->aside = acr_aside_claim ();
      if (!p->aside)
        give_up (p);
    }
  cut (l);
}

/* Whether another launch may come before L has ended.  */
static bool
may_lead (const struct acr_launch *l)
{
  return l->stream || acr_defer_leaves ();
}

/* Whether somebody looks what comes beside P.  */
static bool
is_worth (const struct acr_pairing *p)
{
  pthread_mutex_lock (&lock);
  bool worth = acr_follow_worth (p->place);
  pthread_mutex_unlock (&lock);
  return worth;
}

/* Whether L has no part, but may be one with others of a list (hold.c).  */
static bool
is_listed (const struct acr_launch *l)
{
  return !l->stream && acr_batch_may (l);
}

/* Let L, launched behind the kernel LAST, have a part, if it may.  */
static void
begin (struct acr_launch *l, uint64_t last)
{
  struct acr_pairing *p = &l->pairing;
  bool may = may_cut (l), fills = may && !acr_geometry_fits (l, 2);
  acr_leave_fills (fills);
  if (!may || is_learning (l) || is_listed (l))
    return;
  p->key = key_of (l, fills);
  p->place = acr_hash_word (p->key, last);
}

void
acr_pair_choose (struct acr_launch *l)
{
  struct waiting w;
  struct acr_pairing *p = &l->pairing;
  if (acr_opt_off (ACR_OPT_pair))
    return;
  take (&w);
  uint64_t last = atomic_load_explicit (&before, memory_order_relaxed);
  atomic_store_explicit (&before, l->kernel ? l->kernel->code : 0,
                         memory_order_relaxed);
  begin (l, last);
  bool worth = p->key && is_worth (p);
  uint64_t is = beside (&w, l);
  note (&w, is);
  if (is && w.first.expects == is)
    follow (l, &w);
  else if (!is && worth && may_lead (l))
    lead (l);
  else
    p->key = 0;
  if (worth)
    acr_leave_paired (p->key && p->expects);
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

/* Does the second one of P, in another queue, wait for the first?  */
static bool
is_ordered (const struct acr_pairing *p)
{
  return p->choice == ACR_PAIR_SERIAL && !(p->expects & 1);
}

/* L is about to be launched as the first of two.  */
static void
begin_first (struct acr_launch *l)
{
  struct acr_pairing *p = &l->pairing;
  if (p->trial.timed)
    p->span = acr_span_begin (&p->trial, l->stream);
  if (!p->aside || acr_aside_open (l->stream))
    return;
  acr_aside_close ();
  p->aside = false;
  give_up (p);
}

/* L is, as the second one.  */
static void
begin_second (struct acr_launch *l)
{
  struct acr_pairing *p = &l->pairing;
  CUstream stream = p->aside ? acr_aside_enter () : NULL;
  if (stream)
    {
      p->left = true;
      p->queue = l->stream;
      l->stream = stream;
    }
  CUevent event = is_ordered (p) ? order_event () : NULL;
  if (event)
    (void)acr_driver.stream_wait_event (l->stream, event, 0);
}

void
acr_pair_begin (struct acr_launch *l)
{
  l->pairing.turn == ACR_PAIR_LEADS ? begin_first (l) : begin_second (l);
}

/* L, the first of two, was launched: the next may be beside it.  */
static void
wait_for_second (const struct acr_launch *l)
{
  const struct acr_pairing *p = &l->pairing;
  struct waiting before;
  struct accesses accesses;
  note_uses (&accesses, l);
  acr_span_made (p->span, false, l->stream);
  CUevent event = is_ordered (p) ? order_event () : NULL;
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
    .fits = !p->cut && acr_geometry_fits (l, 2),
    .last = true,
    .accesses = accesses,
    .by = l->by
  };
  atomic_store_explicit (&any, true, memory_order_relaxed);
  pthread_mutex_unlock (&lock);
}

/* L, the second one, was launched, with status R.  */
static void
end_second (const struct acr_launch *l, CUresult r)
{
  const struct acr_pairing *p = &l->pairing;
  r ? acr_span_drop (p->span) : acr_span_made (p->span, true, l->stream);
  if (p->left)
    acr_aside_leave (p->queue);
  if (p->aside)
    acr_aside_close ();
}

void
acr_pair_end (const struct acr_launch *l, CUresult r)
{
  const struct acr_pairing *p = &l->pairing;
  if (p->turn == ACR_PAIR_FOLLOWS)
    end_second (l, r);
  else if (!r)
    wait_for_second (l);
  else
    {
      acr_span_drop (p->span);
      if (p->aside)
        acr_aside_close ();
    }
}

void
acr_pair_leave (struct acr_launch *l)
{
  struct acr_pairing *p = &l->pairing;
  if (!p->key)
    return;
  give_up (p);
  if (p->aside)
    acr_aside_close ();
  p->key = 0;
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
acr_pair_copied (CUstream stream)
{
  if (!atomic_load_explicit (&any, memory_order_relaxed))
    return;
  pthread_mutex_lock (&lock);
  if (waiting.stream == stream)
    waiting.last = false;
  pthread_mutex_unlock (&lock);
}

void
acr_pair_forget (CUcontext ctx)
{
  acr_pair_part ();
  acr_span_forget (ctx);
  acr_aside_forget (ctx);
  pthread_mutex_lock (&lock);
  CUevent event = order.context == ctx ? order.event : NULL;
  if (event)
    order.event = NULL;
  pthread_mutex_unlock (&lock);
  if (event)
    acr_driver.event_destroy (event);
}

/* What the planner says of a recorded sequence (record.h).

   Where copies happen is bounded by what is known to be legal, and that is
   what the planner is told.  The host's waits cut the sequence into parts.
   Within a part copies to the device may pass the kernels before them
   (hold.c), but not the wait, as what the host sends behind it may depend on
   what it saw; and copies back may be left until the next wait (late.c), not
   longer.  So at each wait stands a kernel of the host's, which reads what was
   copied back since the last, and makes what is sent until the next, and
   between two waits one of the device's.

   The planner's order of the blocks becomes places in memory reserved for
   that, where blocks of one size lie side by side in that order: a construct's
   block goes to its place when that is free, and what leaves or arrives
   together is one DMA.  Where the blocks happen to lie as well already, they
   stay.  A kernel is held when a copy to the device comes before and one behind it in
   its part.

   Source: C. Kessler, "Global optimization of operand transfer fusion in
   heterogeneous computing", section 4.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "memory/pool.h"
#include "memory/store.h"
#include "planner/graph.h"
#include "transfer/policy/limit.h"
#include "transfer/policy/record.h"

#include <limits.h>
#include <string.h>

/* ---- The graph --------------------------------------------------------- */

struct builder
{
  const struct acr_log *log;
  struct acr_graph *g;
  unsigned nvectors;
  size_t bytes;
  unsigned block[ACR_BLOCKS];      /* of each vector */
  unsigned vector[ACR_BLOCKS + 1]; /* of each block, or UINT_MAX */
  enum acr_plan_status status;
};

static void
expect (struct builder *b, enum acr_plan_status s)
{
  if (!b->status)
    b->status = s;
}

static bool
is_copy (const struct acr_event *e)
{
  return e->kind == ACR_EVENT_SEND || e->kind == ACR_EVENT_FETCH;
}

/* The blocks that are copied are vectors.  What is not sent first has been on
   the device.  */
static void
add_vectors (struct builder *b)
{
  for (unsigned i = 0; i <= ACR_BLOCKS; i++)
    b->vector[i] = UINT_MAX;
  for (unsigned i = 0; i < b->log->nevents; i++)
    {
      const struct acr_event *e = &b->log->events[i];
      if (!is_copy (e) || e->block == ACR_NO_BLOCK
          || b->vector[e->block] != UINT_MAX
          || b->log->blocks[e->block].bytes > ACR_SIZE_join)
        continue;
      size_t bytes = acr_store_round (b->log->blocks[e->block].bytes);
      b->bytes += bytes;
      b->block[b->nvectors++] = e->block;
      expect (b, acr_graph_vector (b->g, bytes,
                                   e->kind == ACR_EVENT_SEND ? ACR_HOST
                                                             : ACR_DEVICE,
                                   ACR_NOWHERE, &b->vector[e->block]));
    }
}

/* A kernel run by WHERE, with operands for the events FROM..TO-1, which are
   copies of a part: with access SENT to what is sent, FETCHED to what is
   fetched.  */
static void
add_kernel (struct builder *b, enum acr_where where, unsigned from,
            unsigned to, unsigned sent, unsigned fetched)
{
  expect (b, acr_graph_kernel (b->g, where));
  for (unsigned i = from; i < to; i++)
    {
      const struct acr_event *e = &b->log->events[i];
      unsigned access = e->kind == ACR_EVENT_SEND    ? sent
                        : e->kind == ACR_EVENT_FETCH ? fetched
                                                     : 0;
      if (access && b->vector[e->block] != UINT_MAX)
        expect (b, acr_graph_operand (b->g, b->vector[e->block], access));
    }
}

/* The end of the part that begins at event FROM.  */
static unsigned
part_end (const struct acr_log *log, unsigned from)
{
  while (from < log->nevents && log->events[from].kind != ACR_EVENT_LOOK)
    from++;
  return from;
}

static void
add_parts (struct builder *b)
{
  for (unsigned from = 0, to; from < b->log->nevents; from = to + 1)
    {
      to = part_end (b->log, from);
      add_kernel (b, ACR_HOST, from, to, ACR_ACCESS_WRITE, 0);
      add_kernel (b, ACR_DEVICE, from, to, ACR_ACCESS_READ, ACR_ACCESS_WRITE);
      add_kernel (b, ACR_HOST, from, to, 0, ACR_ACCESS_READ);
    }
}

/* ---- Without a plan ---------------------------------------------------- */

/* Whether event I, a copy, was a startup where the blocks lay: none in its
   part was right in front of it; or it had to wait, as the part had used that
   memory for another block.  */
static bool
is_startup (const struct builder *b, unsigned i)
{
  const struct acr_log *log = b->log;
  const struct acr_event *e = log->events;
  const struct acr_logged_block *x = &log->blocks[e[i].block];
  unsigned from = i, to = part_end (log, i);
  while (from && e[from - 1].kind != ACR_EVENT_LOOK)
    from--;
  bool alone = true;
  for (unsigned k = from; k < to; k++)
    {
      const struct acr_logged_block *y = &log->blocks[e[k].block];
      if (b->vector[e[k].block] == UINT_MAX || x == y)
        continue;
      if (k < i && e[i].kind == ACR_EVENT_SEND
          && acr_overlap (x->addr, x->bytes, y->addr, y->bytes))
        return true;
      alone &= e[k].kind != e[i].kind
               || y->addr + acr_store_round (y->bytes) != x->addr;
    }
  return alone;
}

static unsigned
startups (const struct builder *b)
{
  unsigned n = 0;
  for (unsigned i = 0; i < b->log->nevents; i++)
    {
      const struct acr_event *e = &b->log->events[i];
      n += is_copy (e) && b->vector[e->block] != UINT_MAX
           && is_startup (b, i);
    }
  return n;
}

/* ---- Places ------------------------------------------------------------ */

/* Put the vectors into memory in the order of PLAN.  */
static void
place (struct acr_log *log, const struct builder *b,
       const struct acr_plan *plan)
{
  for (unsigned i = 0; i < plan->nvectors; i++)
    {
      size_t bytes
          = acr_store_round (log->blocks[b->block[plan->order[i]]].bytes);
      unsigned like = 0, n = 0;
      for (unsigned k = 0; k < plan->nvectors; k++)
        {
          bool same
              = acr_store_round (log->blocks[b->block[plan->order[k]]].bytes)
                == bytes;
          like += same && k < i;
          n += same;
        }
      CUdeviceptr base = like ? 0 : acr_pool_reserve (bytes, n);
      for (unsigned k = i; base && k < plan->nvectors; k++)
        {
          struct acr_logged_block *x = &log->blocks[b->block[plan->order[k]]];
          if (acr_store_round (x->bytes) != bytes)
            continue;
          x->place = base;
          base += bytes;
        }
    }
}

void
acr_layout_drop (struct acr_log *log)
{
  for (unsigned i = 0; i < log->nblocks; i++)
    if (log->blocks[i].place)
      acr_pool_unreserve (log->blocks[i].place);
}

/* ---- Kernels that are held --------------------------------------------- */

/* E comes, where *SENT says whether a copy to the device came in its part; a kernel is
   held only if so, and where it is AGAIN, if it was to be.  */
static void
choose (struct acr_log *log, const struct acr_event *e, bool *sent, bool again)
{
  bool *hold = &log->steps[e->step].hold;
  if (e->kind == ACR_EVENT_KERNEL)
    *hold = *sent && (*hold || !again);
  else if (e->kind != ACR_EVENT_FETCH)
    *sent = e->kind == ACR_EVENT_SEND;
}

/* A kernel between two copies to the device, which then leave together.  */
static void
choose_held (struct acr_log *log)
{
  /* Without a wait what is sent at the end is in front of what comes round.  */
  bool behind = false, before = part_end (log, 0) == log->nevents;
  for (unsigned i = log->nevents; i-- > 0;)
    choose (log, &log->events[i], &behind, false);
  for (unsigned i = 0; i < log->nevents; i++)
    choose (log, &log->events[i], &before, true);
}

/* Let the events begin behind a wait: they go round.  */
static void
turn (struct acr_log *log)
{
  struct acr_event last[ACR_EVENTS];
  unsigned n = log->nevents, from = n;
  while (from && log->events[from - 1].kind != ACR_EVENT_LOOK)
    from--;
  if (!from || from == n)
    return;
  memcpy (last, log->events + from, (n - from) * sizeof *last);
  memmove (log->events + n - from, log->events, from * sizeof *last);
  memcpy (log->events, last, (n - from) * sizeof *last);
}

void
acr_layout_make (struct acr_log *log)
{
  struct builder b = { .log = log, .g = acr_graph_new () };
  struct acr_plan *plan = NULL;
  if (!b.g)
    return;
  turn (log);
  choose_held (log);
  add_vectors (&b);
  if (b.nvectors > 1 && b.bytes <= ACR_SIZE_places)
    add_parts (&b);
  if (b.nvectors > 1 && b.bytes <= ACR_SIZE_places && !b.status)
    b.status = acr_plan_make (b.g, &acr_plan_defaults, &plan);
  if (plan)
    {
      unsigned now = startups (&b);
      acr_debug (2, "plan: %u startups for %u transfers, now %u",
                 plan->startups_after, plan->startups_before, now);
      if (plan->startups_after < now)
        place (log, &b, plan);
      acr_plan_free (plan);
    }
  else
    acr_debug (2, "plan: none for %u blocks: %s", b.nvectors,
               acr_plan_strerror (b.status));
  acr_graph_free (b.g);
}

/* Copies back to the host that wait until the host looks.

   Between two constructs the host often looks at little of what the first gave
   back, or at nothing.  Where the compiler has seen all of the code there, the
   program passes ACR_UNSEEN to the first construct and says by acr_look what
   it is about to touch (abi.h, plugin/data/guard.cc).  So a copy back is only noted;
   all that were noted are fetched into pinned memory without waiting, neighbours
   by one DMA, when device memory that one of them reads is about to change; and
   the host waits once, and copies all, when it looks at one of them.

   Why this gives what stock gives.  Each copy reads what the device held at its
   place in the order of the NULL stream, as it is fetched before anything else may
   change that (is_changed): a launch on the NULL stream, unless its
   region's tag says that it writes nothing there; copies to the device; memory that
   libgomp frees goes back to the pool behind the fetch; before all other calls of
   the driver all is fetched.  The program's own streams are not in that order;
   nothing is noted once it may have device addresses to use there
   (acr_address_known).

   And it is in the host's memory before anybody looks (is_looked_at): this
   thread's code, which says so or leaves nothing here (acr_late_end); libgomp, where
   a construct's operands are; another copy to the same place comes behind this
   one.  What other threads see they see after something that this thread did, which
   is a call, an atomic or a volatile access, and so behind an acr_look.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/events.h"
#include "interpose/fault.h"
#include "memory/copier.h"
#include "memory/pool.h"
#include "memory/staging.h"
#include "transfer/address.h"
#include "transfer/defer.h"
#include "transfer/fetch.h"
#include "transfer/gather.h"
#include "transfer/late.h"
#include "transfer/policy/limit.h"
#include "transfer/object.h"
#include "transfer/stream.h"

#include <stdint.h>

#define BUFFER ACR_STAGING_USUAL

enum
{
  MANY = 64
};

static struct acr_piece copies[MANY];
static unsigned ncopies, nfetched; /* the first NFETCHED are in the buffer, or
                                      will be */
static CUdeviceptr freed[MANY]; /* blocks that go back behind them */
static _Atomic unsigned nfreed;
static struct acr_staging *buffer;
static struct acr_fetch_layout layout; /* of it */
static size_t pending;  /* bytes that have no place there yet */
static unsigned behind; /* how much the owner had sent by then */

/* Whether C changes one of the N bytes at P.  */
static bool
reaches (const struct acr_piece *c, const void *p, size_t n)
{
  return acr_overlap ((uintptr_t)c->dst, c->n, (uintptr_t)p, n);
}

static void
fail (const struct acr_piece *c, CUresult r)
{
  acr_events->status (r);
  acr_fault_copy (c->dst, c->src, c->n, r);
}

/* ---- Fetching ---------------------------------------------------------- */

/* Put what is not fetched in the order of the device's memory.  Copies to one
   place stay in theirs: the later one has made the first come.  */
static void
sort (struct acr_piece *v, unsigned n)
{
  for (unsigned i = 1; i < n; i++)
    {
      struct acr_piece c = v[i];
      unsigned k = i;
      for (; k && v[k - 1].src > c.src; k--)
        v[k] = v[k - 1];
      v[k] = c;
    }
}

/* Fetch all that is noted, to a buffer of LENDER's if there is one.  False when the
   driver will not.  */
static bool
submit (struct acr_construct *lender)
{
  struct acr_piece *first = copies + nfetched, *end = copies + ncopies;
  if (!buffer && lender)
    buffer = acr_gather_borrow (lender);
  if (!buffer)
    buffer = acr_staging_get (BUFFER);
  if (!buffer)
    return false;
  sort (first, end - first);
  for (struct acr_piece *c = first; c < end; c++)
    {
      pending -= acr_fetch_room (c->n);
      if (!acr_fetch_place (&layout, c, buffer->bytes - pending))
        return false;
    }
  /* What comes later does not join these.  */
  layout.dma.base = 0;
  return !acr_fetch_issue (first, end - first, buffer);
}

/* Make the copies from number FROM on as the plugin would.  */
static void
copy_now (unsigned from)
{
  for (unsigned i = from; i < ncopies; i++)
    {
      const struct acr_piece *c = &copies[i];
      acr_count_for (c->by, d2h_copies, 1);
      acr_count_for (c->by, d2h_bytes, c->n);
      acr_count_for (c->by, blocking, 1);
      CUresult r = acr_driver.memcpy_d2h (c->dst, c->src, c->n);
      if (r)
        fail (c, r);
    }
}

/* ---- The ranks --------------------------------------------------------- */

static void
fetch (struct acr_construct *c, unsigned ranks)
{
  bool lends = ranks & ACR_ARRIVALS && c == acr_construct_self ();
  behind = c->nsent;
  if (submit (lends ? c : NULL))
    nfetched = ncopies;
  else
    {
      copy_now (nfetched);
      ncopies = nfetched;
    }
  pending = 0;
  while (nfreed)
    acr_pool_free (freed[--nfreed]);
}

static void
arrive (struct acr_construct *c, unsigned ranks)
{
  struct acr_construct *self = c == acr_construct_self () ? c : NULL;
  (void)ranks;
  if (self)
    acr_record_note (ACR_EVENT_LOOK, 0);
  CUresult r = nfetched ? acr_staging_wait (buffer) : CUDA_SUCCESS;
  if (r)
    fail (&copies[0], r);
  if (self)
    acr_gather_passed (behind);
  struct acr_span spans[MANY];
  for (unsigned i = 0; i < nfetched && !r; i++)
    spans[i] = (struct acr_span){ copies[i].dst, buffer->mem + copies[i].at,
                                  copies[i].n };
  if (nfetched && !r)
    acr_copy_all (spans, nfetched);
  /* It has a use for the buffer, when nothing is on its way there.  */
  if (self && nfetched && !r)
    acr_gather_give_back (self, buffer);
  else
    acr_staging_part (&buffer);
  buffer = NULL;
  layout = (struct acr_fetch_layout){ 0 };
  ncopies = nfetched = 0;
}

static void
forget (void)
{
  ncopies = nfetched = nfreed = 0;
  layout = (struct acr_fetch_layout){ 0 };
  pending = 0;
  buffer = NULL;
}

/* Whether the region of CALL may write what C reads.  Operands may be parts of what
   was mapped (object.h).  */
static bool
may_write (const struct acr_call *call, const struct acr_piece *c)
{
  const struct acr_region *r = acr_call_closed (call);
  return !r || acr_region_may_write (r, call, c->host);
}

static bool
is_changed (const struct acr_effects *e)
{
  bool conflicts = e->unknown;
  for (unsigned i = nfetched; i < ncopies && !conflicts; i++)
    conflicts = acr_overlap (e->device, e->n, copies[i].src, copies[i].n)
                || (e->region && may_write (e->region, &copies[i]));
  return conflicts;
}

static bool
is_looked_at (const struct acr_effects *e)
{
  bool conflicts = false;
  for (unsigned i = 0; i < ncopies && !conflicts; i++)
    conflicts = reaches (&copies[i], e->host, e->m)
                || (e->maps
                    && acr_call_maps (e->maps, copies[i].dst, copies[i].n));
  return conflicts;
}

static const struct acr_rank fetches
    = { ACR_FETCHES, ACR_SUBMITS, fetch, is_changed, forget };
static const struct acr_rank arrivals
    = { ACR_ARRIVALS, ACR_FETCHES, arrive, is_looked_at, NULL };

/* ---- Hooks ------------------------------------------------------------- */

/* Whether what is noted leaves room for C.  A copy to the same place is in the
   way, as all are made at once.  */
static bool
has_room (const struct acr_piece *c)
{
  if (ncopies == MANY
      || acr_fetch_room (layout.used) + pending + acr_fetch_room (c->n)
             > BUFFER)
    return false;
  for (unsigned i = 0; i < ncopies; i++)
    if (reaches (&copies[i], c->dst, c->n))
      return false;
  return true;
}

bool
acr_late_copy (void *dst, CUdeviceptr src, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  struct acr_memory m;
  if (!c || !c->call->unseen || !c->quiet || !n || n > ACR_SIZE_join
      || acr_opt_off (ACR_OPT_late) || acr_address_known ()
      || !acr_construct_operand (c, dst, n, ACR_FROM)
      || !acr_pool_memory (src, n, &m) || !acr_stream_open (c))
    return false;
  struct acr_piece new = { .src = src,
                           .base = m.base,
                           .n = n,
                           .by = acr_tally_kept (),
                           .dst = dst,
                           .host = acr_object_around (c, dst, src, &m) };
  if (!has_room (&new))
    acr_stream_drain (ACR_ARRIVALS);
  copies[ncopies++] = new;
  pending += acr_fetch_room (n);
  acr_stream_add (&fetches);
  acr_stream_add (&arrivals);
  acr_stream_close ();
  acr_count (d2h_late, 1);
  return true;
}

bool
acr_late_freed (CUdeviceptr p)
{
  struct acr_construct *c = acr_construct_self ();
  CUdeviceptr base;
  size_t n;
  bool found, kept = false;
  if (!acr_stream_has (ACR_FETCHES) || !c || !acr_stream_open (c))
    return false;
  if (acr_pool_range (&found, &base, &n, p) && found)
    for (unsigned i = nfetched; i < ncopies && !kept; i++)
      kept = copies[i].src - base < n;
  if (kept)
    freed[nfreed++] = p;
  acr_stream_close ();
  return kept;
}

bool
acr_late_release (void)
{
  bool some = nfreed;
  acr_stream_drain (ACR_FETCHES);
  return some;
}

void
acr_late_sends (CUdeviceptr dst, const void *src, size_t n)
{
  struct acr_effects a = { .device = dst, .n = n, .host = src, .m = n };
  acr_stream_pass (&a, ACR_FETCHES | ACR_ARRIVALS);
}

void
acr_late_launch (const struct acr_launch *l)
{
  struct acr_construct *c = acr_construct_current ();
  struct acr_effects a = { .region = c ? c->call : NULL, .unknown = !c };
  /* Other streams need not be ordered with the NULL stream.  */
  if (l->stream)
    acr_stream_drain (ACR_ARRIVALS);
  else
    acr_stream_pass (&a, ACR_FETCHES);
}

void
acr_late_begin (const struct acr_call *call)
{
  if (call->tasks)
    acr_stream_drain (ACR_ARRIVALS);
  else
    acr_stream_pass (&(struct acr_effects){ .maps = call }, ACR_ARRIVALS);
}

/* The program may look at anything.  */
static void
look_at_all (void)
{
  /* One wait is for both.  */
  acr_stream_drain (ACR_FETCHES);
  acr_defer_seen ();
  acr_stream_drain (ACR_ARRIVALS);
}

void
acr_late_end (const struct acr_call *call)
{
  if (!call->unseen)
    look_at_all ();
}

/* ---- The program ------------------------------------------------------- */

/* The thread's next construct is as one with ACR_UNSEEN.  */
static __thread bool next_unseen __attribute__ ((tls_model ("initial-exec")));

bool
acr_look_next (void)
{
  bool unseen = next_unseen;
  next_unseen = false;
  return unseen;
}

__attribute__ ((visibility ("default"))) void
acr_look (const void *p, size_t n)
{
  if (!p && !n)
    {
      next_unseen = true;
      return;
    }
  /* To other threads nothing is owed.  */
  if (!acr_construct_self ())
    return;
  if (n == SIZE_MAX)
    look_at_all ();
  else
    acr_stream_pass (&(struct acr_effects){ .host = p, .m = n }, ACR_ARRIVALS);
  acr_fault_tell ();
}

/* Copies back to the host that wait until the host looks.

   Between two constructs the host often looks at little of what the first gave
   back, or at nothing.  Where the compiler has seen all of the code there, the
   program passes ACR_UNSEEN to the first construct and says by acr_look what
   it is about to touch (abi.h, plugin/data/guard.cc).  So a copy back is only noted;
   all that were noted are fetched into pinned memory without waiting, neighbours
   by one DMA, when device memory that one of them reads is about to change; and
   the host waits once, and copies all, when it looks at one of them.

   Why this gives what stock gives.  Each copy reads what the device held at its
   place in the order of the NULL stream, as it is fetched before anything else
   may change that:
   - a launch on the NULL stream, unless its region's tag says that it writes
     nothing there; copies to it by libgomp's plugin (acr_late_sends); memory
     that libgomp frees goes back to the pool behind the fetch;
   - before all other calls of the driver (cuda.c, ready).
   The program's own streams are not in that order; nothing is noted once it may
   have device addresses to use there (acr_address_known).

   And it is in the host's memory before anybody looks:
   - this thread's code says so by acr_look, or has no ACR_UNSEEN to its last
     construct, and then nothing is left behind (acr_late_end);
   - libgomp reads and writes host memory where a construct's operands are
     (acr_late_begin); another copy to the same place comes behind this one;
   - other threads: what they see they see after something that this thread
     did, which is a call, an atomic or a volatile access, and so behind an
     acr_look.  But of libgomp's locks and counts of references the program
     knows nothing; so nothing is noted unless this thread is the only one that
     uses devices, and one that begins to pays before it goes on.

   That a copy fails is found out late (fault.c).

   LOCK guards all of it; ANY can be read without: who finds it false finds what
   was copied, too.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/cuda-context.h"
#include "interpose/events.h"
#include "interpose/fault.h"
#include "memory/copier.h"
#include "memory/pool.h"
#include "memory/staging.h"
#include "transfer/address.h"
#include "transfer/defer.h"
#include "transfer/gather.h"
#include "transfer/hold.h"
#include "transfer/late.h"
#include "transfer/limit.h"

#include <pthread.h>
#include <stdint.h>

#define BUFFER ACR_STAGING_USUAL
#define ALIGN ((size_t)64)

enum
{
  MANY = 64
};

struct copy
{
  char *dst;
  CUdeviceptr src;
  size_t n;
  size_t at; /* in the buffer, once it is fetched */
  CUdeviceptr base; /* of the driver's allocation */
  /* Where the host has what else is in the block of SRC, if that is one
     variable.  */
  struct acr_bytes host;
  struct acr_tally *by; /* of its construct */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool any;
static struct copy copies[MANY];
static unsigned ncopies, nfetched; /* the first NFETCHED are in the buffer, or
                                      will be */
static CUdeviceptr freed[MANY]; /* blocks that go back behind them */
static unsigned nfreed;
static struct acr_construct *owner;
static CUcontext context;
static struct acr_staging *buffer;
static size_t used;    /* of it */
static size_t pending; /* bytes that will be */
static unsigned behind; /* how much the owner had sent by then */

static bool
overlap (const void *p, size_t n, const void *q, size_t m)
{
  return acr_overlap ((uintptr_t)p, n, (uintptr_t)q, m);
}

static void
fail (const struct copy *c, CUresult r)
{
  acr_events->status (r);
  acr_fault_copy (c->dst, c->src, c->n, r);
}

/* ---- Fetching ---------------------------------------------------------- */

/* Put what is not fetched in the order of the device's memory.  Copies to one
   place stay in theirs: the later one has made the first come.  */
static void
sort (struct copy *v, unsigned n)
{
  for (unsigned i = 1; i < n; i++)
    {
      struct copy c = v[i];
      unsigned k = i;
      for (; k && v[k - 1].src > c.src; k--)
        v[k] = v[k - 1];
      v[k] = c;
    }
}

static size_t
aligned (size_t n)
{
  return (n + ALIGN - 1) & -ALIGN;
}

/* Whether one DMA brings D with C, which begins it, and all between them, of
   which END is the end, and leaves room for the others.  */
static bool
joins (const struct copy *c, CUdeviceptr end, const struct copy *d)
{
  return (d->src <= end || d->src - end <= acr_limit (ACR_LIMIT_gap_from))
         && d->src + d->n - c->src + pending <= buffer->bytes - used
         && c->base == d->base;
}

/* Fetch all that is noted, in its context, to a buffer of LENDER's if there is
   one.  False when the driver will not.  */
static bool
submit (struct acr_construct *lender)
{
  struct copy *c = copies + nfetched, *end = copies + ncopies;
  if (!buffer)
    {
      used = 0;
      if (lender)
        buffer = acr_gather_borrow (lender, context);
      if (!buffer)
        buffer = acr_staging_get (BUFFER);
    }
  if (!buffer)
    return false;
  sort (c, end - c);
  for (struct copy *next; c < end; c = next)
    {
      CUdeviceptr tail = c->src + c->n;
      pending -= aligned (c->n);
      for (next = c + 1; next < end && joins (c, tail, next); next++)
        {
          pending -= aligned (next->n);
          if (tail < next->src + next->n)
            tail = next->src + next->n;
        }
      size_t n = tail - c->src;
      CUresult r = acr_driver.memcpy_d2h_async (buffer->mem + used, c->src, n,
                                                NULL);
      acr_debug (3, "late: %zu bytes for %u copies: status %d", n,
                 (unsigned)(next - c), r);
      if (r)
        return false;
      acr_count_for (c->by, d2h_copies, 1);
      acr_count_for (c->by, d2h_bytes, n);
      for (struct copy *d = c; d < next; d++)
        d->at = used + (d->src - c->src);
      used += aligned (n);
      nfetched = next - copies;
    }
  behind = owner->nsent;
  return !acr_staging_submitted (buffer, NULL);
}

/* Make the copies from number FROM on as the plugin would.  */
static void
copy_now (unsigned from)
{
  for (unsigned i = from; i < ncopies; i++)
    {
      const struct copy *c = &copies[i];
      acr_count_for (c->by, d2h_copies, 1);
      acr_count_for (c->by, d2h_bytes, c->n);
      acr_count_for (c->by, blocking, 1);
      CUresult r = acr_driver.memcpy_d2h (c->dst, c->src, c->n);
      if (r)
        fail (c, r);
    }
}

/* The lock is held from here on.  */

static void
fetch_to (struct acr_construct *lender)
{
  if (nfetched == ncopies)
    return;
  /* They come behind what is on its way.  */
  acr_gather_flush ();
  if (!submit (lender))
    {
      copy_now (nfetched);
      ncopies = nfetched;
    }
  pending = 0;
  while (nfreed)
    acr_pool_free (freed[--nfreed]);
}

static void
fetch (void)
{
  fetch_to (NULL);
}

/* Part with the buffer; SELF, if any, has a use for it.  When it has not PASSED
   that nothing is on its way there, that is waited for before the next use.  */
static void
put_buffer (struct acr_construct *self, bool passed)
{
  if (buffer && passed && self)
    acr_gather_give_back (self, buffer, context);
  else if (buffer)
    {
      if (!passed)
        acr_staging_submitted (buffer, NULL);
      acr_staging_put (buffer);
    }
  buffer = NULL;
}

static void
settle (void)
{
  struct acr_construct *self
      = owner == acr_construct_self () ? owner : NULL;
  fetch_to (self);
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
  acr_copy_all (spans, r ? 0 : nfetched);
  put_buffer (self, nfetched && !r);
  ncopies = nfetched = 0;
  used = 0;
  owner = NULL;
  any = false;
}

/* Do FN in the context of what is noted, by whatever thread.  */
static void
with_context (void (*fn) (void))
{
  bool pushed;
  if (!acr_context_enter (context, &pushed))
    {
      acr_fault ("cuCtxPushCurrent_v2", CUDA_ERROR_INVALID_CONTEXT);
      return;
    }
  fn ();
  acr_context_leave (pushed);
}

/* ---- Hooks ------------------------------------------------------------- */

#define LOCKED(...)                                                           \
  do                                                                          \
    {                                                                         \
      if (!any)                                                               \
        break;                                                                \
      pthread_mutex_lock (&lock);                                             \
      if (any)                                                                \
        {                                                                     \
          __VA_ARGS__;                                                        \
        }                                                                     \
      pthread_mutex_unlock (&lock);                                           \
    }                                                                         \
  while (0)

/* Whether what is noted leaves room for C.  A copy to the same place is in the
   way, as all are made at once.  */
static bool
has_room (const struct copy *c)
{
  if (ncopies == MANY || used + pending + aligned (c->n) > BUFFER)
    return false;
  for (unsigned i = 0; i < ncopies; i++)
    if (overlap (copies[i].dst, copies[i].n, c->dst, c->n))
      return false;
  return true;
}

bool
acr_late_copy (void *dst, CUdeviceptr src, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  CUcontext current;
  struct acr_memory m;
  if (!c || !c->call->unseen || !c->quiet || !n || n > ACR_SIZE_join
      || acr_opt_off (ACR_OPT_late) || acr_address_known ()
      || !acr_construct_operand (c, dst, n, ACR_FROM)
      || !acr_pool_memory (src, n, &m)
      || acr_driver.ctx_get_current (&current))
    return false;
  uintptr_t host = (uintptr_t)dst - (src - m.begin);
  struct copy new
      = { dst, src, n, 0, m.base, { host, host + m.bytes }, acr_tally_kept () };
  pthread_mutex_lock (&lock);
  if (ncopies && (context != current || !has_room (&new)))
    with_context (settle);
  /* In this order: another thread that arrives is seen here, or sees ANY.  */
  any = true;
  bool noted = acr_construct_alone ();
  if (noted)
    {
      copies[ncopies++] = new;
      pending += aligned (n);
      owner = c;
      context = current;
    }
  any = ncopies > 0;
  pthread_mutex_unlock (&lock);
  acr_count (d2h_late, noted);
  return noted;
}

void
acr_late_fetch (void)
{
  LOCKED (with_context (fetch));
}

void
acr_late_settle (void)
{
  LOCKED (with_context (settle));
}

/* Libgomp, or the program, reads N bytes of the host's at P.  */
static void
reads (const void *p, size_t n)
{
  LOCKED (for (unsigned i = 0; i < ncopies; i++)
            if (overlap (p, n, copies[i].dst, copies[i].n))
              {
                with_context (settle);
                break;
              });
}

/* N bytes of device memory at P are about to change.  */
static void
changes (CUdeviceptr p, size_t n)
{
  LOCKED (for (unsigned i = nfetched; i < ncopies; i++)
            if (acr_overlap (p, n, copies[i].src, copies[i].n))
              {
                with_context (fetch);
                break;
              });
}

void
acr_late_sends (CUdeviceptr dst, const void *src, size_t n)
{
  reads (src, n);
  changes (dst, n);
}

bool
acr_late_freed (CUdeviceptr p)
{
  CUdeviceptr base;
  size_t n;
  bool found, kept = false;
  LOCKED (
      if (acr_pool_range (&found, &base, &n, p) && found)
        for (unsigned i = nfetched; i < ncopies && !kept; i++)
          kept = copies[i].src - base < n;
      if (kept) freed[nfreed++] = p);
  return kept;
}

bool
acr_late_release (void)
{
  bool some = false;
  LOCKED (some = nfreed > 0; with_context (fetch));
  return some;
}

/* Whether the region of CALL may write what one of the noted copies reads.
   Operands may be parts of what was mapped.  */
static bool
may_write (const struct acr_call *call)
{
  const struct acr_region *r = acr_call_closed (call);
  unsigned i = nfetched;
  while (r && i < ncopies && !acr_region_may_write (r, call, copies[i].host))
    i++;
  return !r || i < ncopies;
}

void
acr_late_launch (const struct acr_launch *l)
{
  struct acr_construct *c = acr_construct_current ();
  /* Other streams need not be ordered with the NULL stream.  */
  LOCKED (if (l->stream) with_context (settle);
          else if (!c || may_write (c->call)) with_context (fetch));
}

void
acr_late_begin (const struct acr_call *call)
{
  LOCKED (bool touched = call->tasks;
          for (unsigned k = 0; k < ncopies && !touched; k++)
            touched = acr_call_maps (call, copies[k].dst, copies[k].n);
          if (touched) with_context (settle));
}

/* The program may look at anything.  */
static void
look_at_all (void)
{
  /* One wait is for both.  */
  acr_late_fetch ();
  acr_defer_seen ();
  acr_late_settle ();
}

void
acr_late_end (const struct acr_call *call)
{
  if (!call->unseen)
    look_at_all ();
}

void
acr_late_forked (void)
{
  pthread_mutex_init (&lock, NULL);
  ncopies = nfetched = nfreed = 0;
  used = pending = 0;
  buffer = NULL;
  owner = NULL;
  any = false;
}

/* ---- The program ------------------------------------------------------- */

__attribute__ ((visibility ("default"))) void
acr_look (const void *p, size_t n)
{
  /* To other threads nothing is owed.  */
  if (!acr_construct_self ())
    return;
  if (n == SIZE_MAX)
    look_at_all ();
  else
    reads (p, n);
  acr_fault_tell ();
}

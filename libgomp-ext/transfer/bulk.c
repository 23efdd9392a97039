/* Large copies between pageable host memory and the device.

   The driver copies pageable memory by one thread through pinned memory of its
   own: 4 to 17 GB/s where the link makes 55 (H200, 2026-11).  Here several
   threads do it (copier.h), chunk by chunk: while DMAs are under way the next
   chunks are copied to pinned memory, or the last ones from there.  The
   calling thread talks to the driver, and copies slices meanwhile.  Chunks
   begin small and grow, so that the link starts early, and those that are
   fetched get smaller towards the end, as nothing else is done while the last
   one is copied.

   What is fetched for an operand at the end of a construct is followed by the next
   operand's, for which the device would wait until the last chunks have left pinned
   memory.  So these are left behind (the tail), as what readback.c owes is, for the
   same reasons and in the same cases: the next fetch begins beside them, and who could
   see that they are not there yet finds them copied.

   The buffers are few and go round; a thread keeps them from construct to
   construct.  To pin them costs as much as a copy of some megabytes: so it is
   not done before a program has copied as much.

   What fails in our way is the driver's to do, from the first byte on that is
   not there; what it says is what stock would have heard.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/construct.h"
#include "interpose/submit.h"
#include "memory/copier.h"
#include "memory/staging.h"
#include "transfer/address.h"
#include "transfer/bulk.h"
#include "transfer/policy/limit.h"
#include "transfer/stream.h"

#include <unistd.h>

#define ALIGN ((size_t)4096)

enum
{
  PATIENCE = 1000
};

/* Bytes of large copies so far, up to what makes pinning worth while.  */
static _Atomic size_t seen;

static bool
applies (size_t n)
{
  if (n < ACR_SIZE_bulk || !acr_copiers () || acr_opt_off (ACR_OPT_bulk))
    return false;
  if (seen < ACR_SIZE_pin)
    seen += n;
  return seen >= ACR_SIZE_pin;
}

/* How much of LEFT bytes goes next, behind AT; ENDS when the last one should
   be small.  */
static size_t
chunk (size_t at, size_t left, bool ends)
{
  size_t n = at < ACR_SIZE_chunk_least ? (size_t)ACR_SIZE_chunk_least : at;
  n = n < ACR_SIZE_chunk ? n : (size_t)ACR_SIZE_chunk;
  if (ends && n > left / 2)
    n = left / 2 < ACR_SIZE_chunk_least ? (size_t)ACR_SIZE_chunk_least
                                        : (left / 2 + ALIGN - 1) & -ALIGN;
  return n < left ? n : left;
}

/* Have the buffers of C in the current context.  */
static bool
reserve (struct acr_construct *c)
{
  unsigned i = 0;
  while (i < ACR_RING && acr_staging_keep (&c->ring[i], ACR_SIZE_chunk))
    i++;
  return i == ACR_RING;
}

/* A part of a copy, as many chunks as go step by step.  */
struct part
{
  struct acr_construct *c;
  CUdeviceptr device;
  unsigned count;
  unsigned asked; /* of a fetch: those on their way, or there */
  size_t reached; /* bytes of them */
  unsigned vain; /* questions in a row */
  bool failed;
  struct acr_span spans[ACR_COPY_SPANS];
};

/* A fetch that is done but for the last spans, which the copiers have.  Of the thread
   that is alone; guarded by the lock of stream.h, as all that is drained there.  */
static struct
{
  struct part part[2]; /* that one and the next in turn */
  unsigned at;
  unsigned copied;
  pid_t process;
  bool open;
} tail;

static struct acr_staging *
buffer (const struct part *p, unsigned i)
{
  return p->c->ring[(p->c->ring_at + i) % ACR_RING];
}

/* Whether nothing is on its way to or from S any more.  Asked PATIENCE times
   it waits: there may be a kernel in front.  */
static bool
is_free (struct part *p, struct acr_staging *s)
{
  CUresult r = !s->busy ? CUDA_SUCCESS
               : p->vain++ < PATIENCE
                   ? acr_driver.event_query (s->event)
                   : acr_driver.event_synchronize (s->event);
  p->failed |= r && r != CUDA_ERROR_NOT_READY;
  if (r)
    return false;
  acr_staging_passed (s);
  p->vain = 0;
  return true;
}

/* Lay out the first of the N bytes at HOST, AT bytes behind the beginning of
   all, to be sent or fetched.  How many they are.  */
static size_t
lay_out (struct part *p, char *host, size_t at, size_t n, bool to)
{
  size_t end = 0;
  for (p->count = 0; end < n && p->count < ACR_COPY_SPANS; p->count++)
    {
      char *mem = buffer (p, p->count)->mem;
      size_t k = chunk (at + end, n - end, !to);
      p->spans[p->count] = to ? (struct acr_span){ mem, host + end, k }
                              : (struct acr_span){ host + end, mem, k };
      end += k;
    }
  return end;
}

/* Send P.  How many bytes of it were.  */
static size_t
send (struct part *p)
{
  unsigned allowed = 0, sent = 0;
  size_t at = 0;
  while (sent < p->count && !p->failed)
    {
      while (allowed < p->count && allowed < sent + ACR_RING
             && is_free (p, buffer (p, allowed)))
        acr_copy_allow (allowed++);
      if (sent == allowed || !acr_copy_done (sent))
        {
          acr_copy_help ();
          continue;
        }
      struct acr_staging *s = buffer (p, sent);
      size_t n = p->spans[sent].n;
      if (acr_driver.memcpy_h2d_async (p->device + at, s->mem, n, NULL)
          || acr_staging_submitted (s))
        p->failed = true;
      else
        {
          acr_count (h2d_copies, 1);
          acr_count (h2d_bytes, n);
          at += n;
          sent++;
        }
    }
  return at;
}

/* Have the device send spans of P, as far as there is ROOM for.  */
static void
ask (struct part *p, unsigned room)
{
  for (; p->asked < p->count && p->asked < room && !p->failed; p->asked++)
    {
      struct acr_staging *s = buffer (p, p->asked);
      size_t n = p->spans[p->asked].n;
      p->failed
          = acr_driver.memcpy_d2h_async (s->mem, p->device + p->reached, n,
                                         NULL)
            || acr_staging_submitted (s);
      acr_count (d2h_copies, 1);
      acr_count (d2h_bytes, n);
      p->reached += n;
    }
}

/* ---- The tail ---------------------------------------------------------- */

/* The spans of P, which has the copiers, up to COPIED are copied: how many are by now.  */
static unsigned
see_copied (const struct part *p, unsigned copied)
{
  while (copied < p->count && acr_copy_done (copied))
    copied++;
  return copied;
}

static void
finish_tail (struct acr_construct *c, unsigned ranks)
{
  const struct part *p = &tail.part[tail.at];
  (void)c, (void)ranks;
  if (!tail.open)
    return;
  while ((tail.copied = see_copied (p, tail.copied)) < p->count)
    acr_copy_help ();
  acr_copy_end ();
  tail.open = false;
}

/* The memory that it goes to is there whatever has become of the device; but in a forked
   child nobody copies.  */
static void
forget_tail (void)
{
  if (tail.open && tail.process == getpid ())
    finish_tail (NULL, 0);
  tail.open = false;
}

static const struct acr_rank rank
    = { ACR_TAILS, 0, finish_tail, NULL, forget_tail };

/* Whether the last spans of what is fetched for C to HOST, N bytes, may be left.  */
static bool
may_leave (struct acr_construct *c, const void *host, size_t n)
{
  return c == acr_construct_current () && c->quiet && acr_construct_alone ()
         && acr_construct_operand (c, host, n, ACR_FROM);
}

/* Leave what is not copied yet of P, the next of the tail's, of which COPIED spans are.
   False when that must not be.  */
static bool
leave (const struct part *p, unsigned copied)
{
  if (!acr_stream_open (p->c))
    return false;
  tail.at = p - tail.part;
  tail.copied = copied;
  tail.process = getpid ();
  tail.open = true;
  acr_stream_add (&rank);
  acr_stream_close ();
  return true;
}

/* Let what P fetches be on its way, in buffers that the tail does not need, until that is
   copied.  */
static void
pass_tail (struct part *p)
{
  if (!tail.open || !acr_stream_open (p->c))
    return;
  acr_count (tails, tail.open);
  while (tail.open && tail.copied < tail.part[tail.at].count)
    {
      const struct part *t = &tail.part[tail.at];
      ask (p, ACR_RING - (t->count - tail.copied));
      acr_copy_help ();
      tail.copied = see_copied (t, tail.copied);
    }
  finish_tail (NULL, 0);
  acr_stream_close ();
}

/* ------------------------------------------------------------------------ */

/* Fetch P.  How many bytes of it are there, or LEAVES for there.  */
static size_t
fetch (struct part *p, bool leaves, bool *left)
{
  unsigned arrived = 0, copied = 0;
  size_t at = 0;
  *left = false;
  while (copied < p->count && !p->failed)
    {
      ask (p, copied + ACR_RING);
      while (arrived < p->asked && is_free (p, buffer (p, arrived)))
        acr_copy_allow (arrived++);
      if (leaves && arrived == p->count && !p->failed)
        {
          *left = leave (p, copied);
          if (*left)
            return p->reached;
          leaves = false;
        }
      for (; copied < arrived && acr_copy_done (copied); copied++)
        at += p->spans[copied].n;
      acr_copy_help ();
    }
  return at;
}

/* Copy N bytes between HOST and DEVICE.  How many were, from the first on;
   they are N where nothing fails.  */
static size_t
copy (struct acr_construct *c, char *host, CUdeviceptr device, size_t n,
      bool to)
{
  size_t at = 0, laid_out, done;
  bool leaves = !to && may_leave (c, host, n), left = false;
  do
    {
      /* What is left lives on.  */
      struct part own, *p = leaves ? &tail.part[!tail.at] : &own;
      *p = (struct part){ .c = c, .device = device + at };
      laid_out = lay_out (p, host + at, at, n - at, to);
      if (leaves)
        pass_tail (p);
      else
        acr_stream_drain (ACR_TAILS);
      if (!acr_copy_begin (p->spans, p->count, to))
        break;
      done = to ? send (p) : fetch (p, leaves && at + laid_out == n, &left);
      if (!left)
        acr_copy_end ();
      c->ring_at += p->count;
      at += done;
    }
  while (at < n && done == laid_out);
  return at;
}

/* Whether N bytes are copied here, for the construct *C.  */
static bool
begin (struct acr_construct **c, size_t n)
{
  *c = acr_construct_self ();
  if (!*c || !applies (n))
    return false;
  /* A part of the buffers is of no use, but may be to others.  */
  if (!reserve (*c))
    {
      acr_bulk_part (*c);
      return false;
    }
  acr_count (bulk, 1);
  return true;
}

bool
acr_bulk_send (CUresult *status, CUdeviceptr dst, const void *src, size_t n)
{
  struct acr_construct *c;
  if (!begin (&c, n))
    return false;
  size_t at = copy (c, (char *)src, dst, n, true);
  *status = CUDA_SUCCESS;
  /* The program may use it on streams of its own.  */
  if (at == n && acr_address_known ())
    *status = acr_driver.stream_synchronize (NULL);
  else if (at < n)
    *status = acr_cuda_send (dst + at, (const char *)src + at, n - at);
  acr_debug (3, "bulk: %zu bytes to the device, %zu by the driver: status %d",
             n, n - at, *status);
  return true;
}

bool
acr_bulk_fetch (CUresult *status, void *dst, CUdeviceptr src, size_t n)
{
  struct acr_construct *c;
  if (!begin (&c, n))
    return false;
  size_t at = copy (c, dst, src, n, false);
  *status = CUDA_SUCCESS;
  if (at < n)
    *status = acr_cuda_fetch ((char *)dst + at, src + at, n - at);
  acr_debug (3, "bulk: %zu bytes to the host, %zu by the driver: status %d", n,
             n - at, *status);
  return true;
}

void
acr_bulk_part (struct acr_construct *c)
{
  acr_stream_drain (ACR_TAILS);
  for (unsigned i = 0; i < ACR_RING; i++)
    acr_staging_part (&c->ring[i]);
}

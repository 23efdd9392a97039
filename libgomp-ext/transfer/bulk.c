/* Large copies between pageable host memory and the device.

   The driver copies pageable memory by one thread through pinned memory of its
   own: 4 to 17 GB/s where the link makes 55 (H200, 2026-11).  Here several
   threads do it (copier.h), chunk by chunk: while DMAs are under way the next
   chunks are copied to pinned memory, or the last ones from there.  The
   calling thread talks to the driver, and copies slices meanwhile.  Chunks
   begin small and grow, so that the link starts early, and those that are
   fetched get smaller towards the end, as nothing else is done while the last
   one is copied.

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
  unsigned vain; /* questions in a row */
  bool failed;
  struct acr_span spans[ACR_COPY_SPANS];
};

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

/* Fetch P.  How many bytes of it are there.  */
static size_t
fetch (struct part *p)
{
  unsigned asked = 0, arrived = 0, copied = 0;
  CUdeviceptr from = p->device;
  size_t at = 0;
  while (copied < p->count && !p->failed)
    {
      for (; asked < p->count && asked < copied + ACR_RING && !p->failed;
           asked++)
        {
          struct acr_staging *s = buffer (p, asked);
          size_t n = p->spans[asked].n;
          p->failed = acr_driver.memcpy_d2h_async (s->mem, from, n, NULL)
                      || acr_staging_submitted (s);
          acr_count (d2h_copies, 1);
          acr_count (d2h_bytes, n);
          from += n;
        }
      while (arrived < asked && is_free (p, buffer (p, arrived)))
        acr_copy_allow (arrived++);
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
  do
    {
      struct part p = { .c = c, .device = device + at };
      laid_out = lay_out (&p, host + at, at, n - at, to);
      if (!acr_copy_begin (p.spans, p.count, to))
        break;
      done = to ? send (&p) : fetch (&p);
      acr_copy_end ();
      c->ring_at += p.count;
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
  for (unsigned i = 0; i < ACR_RING; i++)
    acr_staging_part (&c->ring[i]);
}

/* Copies to the device, by way of pinned memory.

   libgomp copies operand by operand with a driver call that waits until the
   data has left for the device.  Here data is copied to pinned memory of our
   own and sent from there on the NULL stream, without waiting; what lies side
   by side on the device goes by one DMA.  Larger operands go in pieces, so
   that the DMA of one runs while the next is copied.  The first large
   one of a construct, most often the only one, where libgomp has merged small
   operands, is the driver's: it does the same, and with less to set up.

   A copy may stay here to join the next (stream.h, ACR_SENDS); all else is handed to
   the driver at once, which is what cuMemcpyHtoD from pageable memory does: when it
   returns the source has been read, and work that the NULL stream orders comes after
   it (CUDA Driver API, "API synchronization behavior").

   Why a copy that stays gives what stock gives.  What is sent is what the host's
   memory held when libgomp copied, or may be taken to: within the construct no
   code of the program's runs (construct.quiet), and at its end a copy is made
   (acr_gather_end).  It is sent before the thread asks the driver for anything
   but memory, so that nothing on the device can miss it (stream.c).

   A little may thus stay from one construct to the next (defer): operands that
   several directives send before a kernel leave by one DMA.  Between them nobody
   looks at device memory but who calls the driver without libgomp (foreign.h) and
   knows an address there; when that may be so, the program counts as having
   addresses (address.h).

   Bytes between two pieces of a DMA are overwritten with anything.  They may
   only be such as nobody has written: in blocks that a construct allocated, around
   all that it had written there when it sent (struct acr_fresh); or such as belong to
   nobody.  Who could write there before the DMA leaves finds it sent, or is a kernel
   that is kept, which comes behind it; none that was kept by then has a use for these
   bytes (struct acr_run, BEGIN and END).

   Streams that the NULL stream does not order are the program's own.  Once it
   may have device addresses to use there (acr_address_known), a construct
   waits for its copies before it ends, as stock does; and before a region is
   launched, when the program's code may run in its place, only memory that the
   construct allocated for it is written this way.

   Where libgomp merges small operands itself, it does so in pinned memory
   (lend.h), from which they are sent as they are.

   What stays of the program's own memory is not even copied before it is sent: all
   of it is then copied at once, with help.  What libgomp sends of its own is
   copied at once.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/events.h"
#include "interpose/fault.h"
#include "memory/copier.h"
#include "memory/pool.h"
#include "memory/staging.h"
#include "transfer/address.h"
#include "transfer/gather.h"
#include "transfer/hold.h"
#include "transfer/lend.h"
#include "transfer/policy/limit.h"
#include "transfer/stream.h"

#include <string.h>

#define BUFFER ACR_STAGING_USUAL
#define ALIGN ((size_t)64)

/* ---- Fresh memory ------------------------------------------------------ */

static struct acr_fresh *
fresh_at (struct acr_construct *c, CUdeviceptr p)
{
  for (unsigned i = c->nallocs; i-- > 0;)
    {
      struct acr_fresh *f = &c->allocs[i];
      if (p - f->addr < f->bytes)
        return f->end ? f : NULL;
    }
  return NULL;
}

void
acr_gather_wrote (struct acr_construct *c, CUdeviceptr p, size_t n)
{
  struct acr_fresh *f = fresh_at (c, p);
  if (f && f->written < p + n)
    f->written = p + n;
}

void
acr_gather_wrote_all (struct acr_construct *c)
{
  for (unsigned i = 0; i < c->nallocs; i++)
    c->allocs[i].end = 0;
}

/* Whether nobody has written to C's block F from P on up to END, nor will before what
   is sent now: kernels that are here have no use for these bytes.  */
static bool
is_unwritten (const struct acr_fresh *f, CUdeviceptr p, CUdeviceptr end)
{
  return f->written <= p && !acr_hold_uses (p, end - p);
}

/* Down to where the bytes in front of P, in C's block, belong to nobody.  */
static CUdeviceptr
unwritten_before (struct acr_construct *c, CUdeviceptr p)
{
  struct acr_fresh *f = fresh_at (c, p);
  return f && is_unwritten (f, f->addr, p) ? f->addr : p;
}

/* Up to where those from P on, in block M, belong to nobody.  The end of a block does:
   libgomp asks for as many more bytes than it needs as aligning may take
   (libgomp/target.c, gomp_map_vars_internal), and the pool's blocks are aligned.  Of
   the program's own device memory that is not so.  */
static CUdeviceptr
unwritten_behind (struct acr_construct *c, CUdeviceptr p,
                  const struct acr_memory *m)
{
  struct acr_fresh *f = fresh_at (c, p - 1);
  bool slack = m->base && p >= m->data_end && !acr_address_known ();
  return slack || (f && is_unwritten (f, p, f->end)) ? m->end : p;
}

/* How many bytes from TAIL up to P may be overwritten, where those up to END and from
   BEGIN on belong to nobody; 0 when not all of them.  */
static size_t
dead_gap (CUdeviceptr tail, CUdeviceptr end, CUdeviceptr begin, CUdeviceptr p)
{
  return p > tail && p - tail <= acr_limit (ACR_LIMIT_gap_to) && begin <= end
             ? p - tail
             : 0;
}

/* ---- Runs -------------------------------------------------------------- */

static void
copy_spans (struct acr_construct *c)
{
  acr_copy_all (c->spans, c->nspans);
  c->nspans = 0;
}

/* Put the runs of C in the order of the device's memory, to V.  False when they
   overlap: then they stay as they came.  */
static bool
sort_runs (const struct acr_construct *c, struct acr_run *v)
{
  for (unsigned i = 0; i < c->nruns; i++)
    {
      unsigned k = i;
      for (; k && v[k - 1].dma.from > c->runs[i].dma.from; k--)
        v[k] = v[k - 1];
      v[k] = c->runs[i];
    }
  for (unsigned i = 1; i < c->nruns; i++)
    if (v[i - 1].dma.tail > v[i].dma.from)
      return false;
  return true;
}

/* What came in another order than it lies in on the device is put into that:
   neighbours become one run, where they lie in the buffer as they do there or
   are little.  */
static void
join_runs (struct acr_construct *c)
{
  struct acr_run run[ACR_RUNS];
  size_t bytes = 0, at = (c->out_at + ALIGN - 1) & -ALIGN;
  if (!sort_runs (c, run))
    return;
  for (unsigned i = 0; i < c->nruns; i++)
    bytes += acr_dma_bytes (&run[i].dma);
  size_t gaps = c->nruns * acr_limit (ACR_LIMIT_gap_to);
  bool little = bytes <= ACR_SIZE_wait && at + bytes + gaps <= c->out->bytes;

  unsigned n = 0;
  for (unsigned i = 0, j; i < c->nruns; i = j)
    {
      struct acr_run *to = &c->runs[n++];
      bool placed = true;
      *to = run[i];
      for (j = i + 1; j < c->nruns; j++)
        {
          const struct acr_dma *d = &run[j].dma;
          bool here = run[j].at - to->at == d->from - to->dma.from;
          size_t dead = dead_gap (to->dma.tail, run[j - 1].end, run[j].begin,
                                  d->from);
          if ((!here && !little)
              || !acr_dma_takes (&to->dma, d->from, acr_dma_bytes (d),
                                 d->base, dead, SIZE_MAX))
            break;
          placed &= here;
        }
      if (placed)
        continue;
      for (unsigned k = i; k < j; k++)
        memcpy (c->out->mem + at + (run[k].dma.from - to->dma.from),
                c->out->mem + run[k].at, acr_dma_bytes (&run[k].dma));
      to->at = at;
      c->out_at = at + acr_dma_bytes (&to->dma);
      at = (c->out_at + ALIGN - 1) & -ALIGN;
    }
  c->nruns = n;
}

/* Remember for the next time where on the device the runs of C lie that leave
   together, and let others begin.  */
static void
close_window (struct acr_construct *c)
{
  CUdeviceptr from = c->runs[0].dma.from, end = from;
  for (unsigned i = 0; i < c->nruns; i++)
    {
      const struct acr_dma *d = &c->runs[i].dma;
      from = from < d->from ? from : d->from;
      end = end > d->tail ? end : d->tail;
    }
  bool joins = c->nruns > 1 && end - from <= ACR_SIZE_window;
  c->leader->window.from = joins ? from : 0;
  c->leader->window.bytes = joins ? end - from : 0;
  c->leader = NULL;
  c->window.bytes = 0;
}

/* Hand the runs of C to the driver, in its context.  A copy that cannot be
   submitted is tried as the plugin would have done it.  */
static void
issue (struct acr_construct *c, unsigned ranks)
{
  (void)ranks;
  copy_spans (c);
  if (c->leader)
    close_window (c);
  if (c->nruns > 1)
    join_runs (c);
  for (unsigned i = 0; i < c->nruns; i++)
    {
      const struct acr_run *run = &c->runs[i];
      const char *mem = c->out->mem + run->at;
      CUdeviceptr dst = run->dma.from;
      size_t n = acr_dma_bytes (&run->dma);
      acr_count_for (run->by, h2d_copies, 1);
      acr_count_for (run->by, h2d_bytes, n);
      CUresult r = acr_driver.memcpy_h2d_async (dst, mem, n, NULL);
      acr_events->copied (NULL);
      acr_debug (3, "gather: %zu bytes: status %d", n, r);
      if (r)
        r = acr_driver.memcpy_h2d (dst, mem, n);
      acr_events->status (r);
      if (r)
        acr_fault ("cuMemcpyHtoD_v2", r);
    }
  if (c->nruns)
    {
      acr_events->copies ();
      c->out->sent = true;
    }
  c->nsent += c->nruns;
  c->nruns = 0;
}

static const struct acr_rank sends = { ACR_SENDS, 0, issue, NULL, NULL };

/* Leave nothing of this thread's here, for a copy that must come behind.  */
static void
flush (void)
{
  acr_stream_drain (ACR_SUBMITS);
}

/* ---- The buffer -------------------------------------------------------- */

struct acr_staging *
acr_gather_borrow (struct acr_construct *c)
{
  struct acr_staging *s = c->out;
  if (c->nruns || !acr_staging_serves (s, 0))
    return NULL;
  c->out = NULL;
  return s;
}

void
acr_gather_give_back (struct acr_construct *c, struct acr_staging *s)
{
  if (c->out)
    {
      acr_staging_put (s);
      return;
    }
  c->out = s;
  c->out_at = 0;
}

/* N bytes at SRC go to AT in the buffer.  */
static void
add_span (struct acr_construct *c, size_t at, const void *src, size_t n)
{
  c->spans[c->nspans++] = (struct acr_span){ c->out->mem + at, src, n };
  if (c->nspans == ACR_SPANS || !acr_construct_operand (c, src, n, ACR_TO))
    copy_spans (c);
}

/* Make room for N bytes at an aligned place of the buffer.  */
static bool
reserve (struct acr_construct *c, size_t n)
{
  c->out_at = (c->out_at + ALIGN - 1) & -ALIGN;
  if (acr_staging_serves (c->out, c->out_at + n))
    return true;
  if (c->out)
    issue (c, ACR_SENDS);
  acr_staging_part (&c->out);
  c->out_at = 0;
  return acr_staging_keep (&c->out, BUFFER);
}

/* The first of the copies that leave together comes, for N bytes at DST.  Where
   the others of them went the last time, there is a place in the buffer for
   each: a window on the device's memory.  */
static void
open_window (struct acr_construct *c, CUdeviceptr dst, size_t n)
{
  const struct acr_window *w = &c->site->window;
  if (dst - w->from < w->bytes && n <= w->bytes - (dst - w->from)
      && reserve (c, w->bytes))
    {
      c->window = *w;
      c->window_at = c->out_at;
      c->out_at += w->bytes;
    }
  c->leader = c->site;
}

/* A new run of C's, of the N bytes at AT, for DST in block M, which are not there
   yet.  */
static struct acr_run *
add_run (struct acr_construct *c, CUdeviceptr dst, size_t n, size_t at,
         const struct acr_memory *m)
{
  struct acr_run *run = &c->runs[c->nruns++];
  *run = (struct acr_run){ .dma = { dst, dst + n, m->base },
                           .at = at,
                           .begin = unwritten_before (c, dst),
                           .by = acr_tally_kept () };
  return run;
}

/* The N bytes at SRC, for DST in block M, are RUN's, where there is room for them.  What
   belongs to nobody behind them stays so until they leave, whoever gets the block: all
   that could write there finds them sent, or is behind them (a kernel that is kept).  */
static void
fill (struct acr_construct *c, struct acr_run *run, CUdeviceptr dst,
      const void *src, size_t n, const struct acr_memory *m)
{
  add_span (c, run->at + (dst - run->dma.from), src, n);
  acr_gather_wrote (c, dst, n);
  run->end = unwritten_behind (c, run->dma.tail, m);
}

/* Append N bytes at SRC to the runs of C, for DST in block M, in its window.  */
static bool
append_placed (struct acr_construct *c, CUdeviceptr dst, const void *src,
               size_t n, const struct acr_memory *m)
{
  size_t off = dst - c->window.from;
  if (off >= c->window.bytes || n > c->window.bytes - off
      || c->nruns == ACR_RUNS)
    return false;
  for (unsigned i = 0; i < c->nruns; i++)
    if (acr_overlap (dst, n, c->runs[i].dma.from,
                     acr_dma_bytes (&c->runs[i].dma)))
      return false;
  struct acr_run *run = add_run (c, dst, n, c->window_at + off, m);
  fill (c, run, dst, src, n, m);
  return true;
}

/* Append N bytes at SRC to the runs of C, for DST.  */
static bool
append (struct acr_construct *c, CUdeviceptr dst, const void *src, size_t n)
{
  struct acr_memory m = { 0 };
  acr_pool_memory (dst, n, &m);
  if (append_placed (c, dst, src, n, &m))
    return true;
  struct acr_run *run = c->nruns ? &c->runs[c->nruns - 1] : NULL;
  if (!run || run->at + acr_dma_bytes (&run->dma) != c->out_at
      || dst < run->dma.tail
      || !acr_dma_takes (&run->dma, dst, n, m.base,
                         dead_gap (run->dma.tail, run->end,
                                   unwritten_before (c, dst), dst),
                         c->out->bytes - run->at))
    {
      if (c->nruns == ACR_RUNS)
        issue (c, ACR_SENDS);
      if (!reserve (c, n))
        return false;
      run = add_run (c, dst, n, c->out_at, &m);
    }
  c->out_at = run->at + acr_dma_bytes (&run->dma);
  fill (c, run, dst, src, n, &m);
  return true;
}

/* ---- Copies ------------------------------------------------------------ */

/* Let N bytes at SRC stay here, for DST.  False when they must not or cannot.  */
static bool
hold (struct acr_construct *c, CUdeviceptr dst, const void *src, size_t n)
{
  if (!acr_stream_open (c))
    return false;
  acr_stream_pass (&(struct acr_effects){ .device = dst, .n = n },
                   ACR_KERNELS);
  if (!c->nruns)
    open_window (c, dst, n);
  bool done = append (c, dst, src, n);
  if (done)
    acr_hold_passed ();
  if (c->nruns)
    acr_stream_add (&sends);
  acr_stream_close ();
  return done;
}

/* Send N bytes of what libgomp was lent.  False when the driver must do it.  */
static bool
send_lent (struct acr_construct *c, CUdeviceptr dst, const void *src, size_t n)
{
  flush ();
  if (acr_driver.memcpy_h2d_async (dst, src, n, NULL))
    return false;
  acr_debug (3, "gather: %zu bytes that libgomp has merged", n);
  acr_events->copies ();
  acr_count (h2d_copies, 1);
  acr_count (h2d_bytes, n);
  acr_count (h2d_lent, 1);
  c->lent->sent = true;
  c->nsent++;
  acr_gather_wrote (c, dst, n);
  return true;
}

/* Whether a copy of C's to DST may stay here, if that is of use.  Before a region is
   launched only what goes to memory that libgomp has got for it: then it runs on the
   device.  It pays where the region's kernel stays as well, or others are here.  */
static bool
may_stay (struct acr_construct *c, CUdeviceptr dst, size_t n)
{
  return n <= ACR_SIZE_wait
         && (c->quiet || (fresh_at (c, dst) && acr_hold_expects (c)));
}

/* Whether a copy of C's of N bytes to DST, one of several, stays here until there is
   enough for a DMA.  One by one they would be copied to the buffer by as few threads as
   one is worth, with a call of the driver each.  What may stay is what may_stay says.  */
static bool
collects (struct acr_construct *c, CUdeviceptr dst, size_t n)
{
  return n >= ACR_SIZE_lone && c->site && c->site->nlarge > 1
         && (c->quiet || fresh_at (c, dst));
}

/* Let N bytes at SRC stay here, for DST, one of several; enough of them leave.  */
static bool
collect (struct acr_construct *c, CUdeviceptr dst, const void *src, size_t n)
{
  if (c->nlarge == 1)
    acr_copiers_call ();
  if (!hold (c, dst, src, n))
    return false;
  size_t bytes = 0;
  for (unsigned i = 0; i < c->nspans; i++)
    bytes += c->spans[i].n;
  if (bytes >= ACR_SIZE_collect)
    flush ();
  return true;
}

bool
acr_gather_copy (CUdeviceptr dst, const void *src, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  if (!c || !n || acr_opt_off (ACR_OPT_gather)
      || (!c->quiet && !fresh_at (c, dst)
          && acr_address_known ()))
    return false;
  bool lent = acr_lend_holds (c, src);
  if (!lent && n > acr_limit (ACR_LIMIT_send))
    return false;
  c->nlarge += n >= ACR_SIZE_lone;
  bool several = !lent && collects (c, dst, n);
  if (several ? collect (c, dst, src, n)
              : (!lent || !c->quiet) && may_stay (c, dst, n) && hold (c, dst, src, n))
    {
      acr_count (h2d_staged, 1);
      return true;
    }
  if (lent)
    return send_lent (c, dst, src, n);
  if (n > ACR_SIZE_lone)
    {
      if (c->nlarge == 1)
        return false;
      if (c->nlarge == 2)
        acr_copiers_call ();
    }
  flush ();
  size_t npieces = n < 2 * ACR_SIZE_piece ? 1 : n / ACR_SIZE_piece;
  size_t piece = (n / npieces + ALIGN) & -ALIGN;
  for (size_t at = 0; at < n && !acr_fault_status (); at += piece)
    {
      if (!append (c, dst + at, (const char *)src + at,
                   n - at < piece ? n - at : piece))
        return false;
      issue (c, ACR_SENDS);
    }
  bool sent = !acr_fault_status ();
  acr_count (h2d_staged, sent);
  return sent;
}

void
acr_gather_synced (void)
{
  struct acr_construct *c = acr_construct_self ();
  if (c && c->lent && c->lent->sent && acr_staging_serves (c->lent, 0))
    acr_staging_passed (c->lent);
  if (c && c->out_at && !c->nruns && acr_staging_serves (c->out, 0))
    {
      acr_staging_passed (c->out);
      c->out_at = 0;
    }
}

void
acr_gather_passed (unsigned nsent)
{
  struct acr_construct *c = acr_construct_self ();
  if (c && c->nsent == nsent)
    acr_gather_synced ();
}

/* Whether what C has here may stay for the next construct, and it is not better to
   send it.  */
static bool
keep (struct acr_construct *c)
{
  size_t bytes = 0;
  if (acr_opt_off (ACR_OPT_defer) || acr_address_known ()
      || !acr_stream_has (ACR_SUBMITS) || !acr_stream_open (c))
    return false;
  for (unsigned i = 0; i < c->nruns; i++)
    bytes += acr_dma_bytes (&c->runs[i].dma);
  bool kept
      = bytes <= (acr_hold_any () ? ACR_SIZE_pass : ACR_SIZE_wait);
  if (kept)
    copy_spans (c);
  acr_stream_close ();
  return kept;
}

void
acr_gather_end (struct acr_construct *c)
{
  if (c->site)
    c->site->nlarge = c->nlarge;
  if (keep (c))
    return;
  flush ();
  bool lent = c->lent && c->lent->sent, out = c->out && c->out->sent;
  if (!acr_address_known () || !(lent || out))
    return;
  /* One wait is for both, in one context.  */
  CUresult r = CUDA_SUCCESS;
  if (lent)
    r = acr_staging_wait (c->lent);
  if (!r && out && !(lent && c->lent->context == c->out->context))
    r = acr_staging_wait (c->out);
  if (!r)
    acr_gather_synced ();
  else
    acr_fault ("cuMemcpyHtoD_v2", r);
}

void
acr_gather_part (struct acr_construct *c)
{
  acr_stream_drain (ACR_ALL);
  acr_staging_part (&c->out);
}

/* Copies to the device, by way of pinned memory.

   libgomp copies operand by operand with a driver call that waits until the
   data has left for the device.  Here data is copied to pinned memory of our
   own and sent from there on the NULL stream, without waiting; what lies side
   by side on the device goes by one DMA.  Larger operands go in pieces, so
   that the DMA of one runs while the next is copied.  The first large
   one of a construct, most often the only one, where libgomp has merged small
   operands, is the driver's: it does the same, and with less to set up.

   A copy may be held back to join the next (construct.quiet, below); all else
   is handed to the driver at once, which is what cuMemcpyHtoD from pageable
   memory does: when it returns the source has been read, and work that the
   NULL stream orders comes after it (CUDA Driver API, "API synchronization
   behavior").

   Why holding back gives what stock gives.  What is sent is what the host's
   memory held when libgomp copied, or may be taken to: within the construct no
   code of the program's runs (construct.quiet), and at its end a copy is made
   (acr_gather_end).  It is sent before the thread asks the driver for anything
   but memory, so that nothing on the device can miss it.  Other threads could
   find the mapping, and so the device memory, before: so nothing is held back
   unless this thread is the only one that uses devices; another shows up before
   it can look (acr_construct_thread) and then sends what is held back.

   A little may thus be held from one construct to the next (defer): operands
   that several directives send before a kernel leave by one DMA.  Between them
   nobody looks at device memory but who calls the driver without libgomp
   (foreign.h) and knows an address there; when that may be so, the program counts
   as having addresses (address.h).

   Bytes between two pieces of a DMA are overwritten with anything.  They may
   only be such as nobody has written: in blocks that this construct allocated,
   behind all that it wrote there (struct acr_fresh), up to the next block; or
   such as belong to nobody (struct acr_run, END).

   Streams that the NULL stream does not order are the program's own.  Once it
   may have device addresses to use there (acr_address_known), a construct
   waits for its copies before it ends, as stock does; and before a region is
   launched, when the program's code may run in its place, only memory that the
   construct allocated for it is written this way.

   Where libgomp merges small operands itself, it does so in pinned memory
   (lend.h), from which they are sent as they are.

   What is held back of the program's own memory is not even copied before it
   is sent: all of it is then copied at once, with help.  What libgomp sends of
   its own is copied at once.

   That a copy fails is found out late (fault.c).

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
#include "transfer/gather.h"
#include "transfer/hold.h"
#include "transfer/lend.h"
#include "transfer/limit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER ACR_STAGING_USUAL
#define ALIGN ((size_t)64)

/* Guards HELD and the runs of its construct while it holds some back.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct acr_construct *_Atomic held;

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

static void
mark_written (struct acr_construct *c, CUdeviceptr p, size_t n)
{
  struct acr_fresh *f = fresh_at (c, p);
  if (f && f->written < p + n)
    f->written = p + n;
}

void
acr_gather_wrote (CUdeviceptr p, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  if (c)
    mark_written (c, p, n);
}

void
acr_gather_wrote_all (void)
{
  struct acr_construct *c = acr_construct_current ();
  for (unsigned i = 0; c && i < c->nallocs; i++)
    c->allocs[i].end = 0;
}

/* Whether the bytes from RUN's end, TAIL, to P, in the driver's allocation at
   BASE, as a copy must be, may be overwritten.  The end of its block, up to
   RUN->end, belongs to nobody: libgomp asks for as many more bytes than it needs
   as aligning may take (libgomp/target.c, gomp_map_vars_internal), and the pool's
   blocks are aligned.  Of the program's own device memory that is not so.  */
static bool
gap_is_dead (struct acr_construct *c, const struct acr_run *run,
             CUdeviceptr tail, CUdeviceptr p, CUdeviceptr base)
{
  if (p < tail || p - tail > acr_limit (ACR_LIMIT_gap_to) || !base
      || run->memory != base)
    return false;
  if (p == tail || (p == run->end && !acr_address_known ()))
    return true;
  struct acr_fresh *from = fresh_at (c, tail - 1), *to = fresh_at (c, p);
  return from && to && from->written == tail
         && (from == to || (to->written == to->addr && to->addr == from->end));
}

/* ---- Runs -------------------------------------------------------------- */

/* Bytes in block M were added to RUN.  What belongs to nobody behind them stays so
   until they leave, whoever gets the block: all that could write there finds them
   sent.  */
static void
note_end (struct acr_run *run, const struct acr_memory *m)
{
  CUdeviceptr tail = run->dst + run->bytes;
  run->memory = m->base;
  run->end = m->base && tail >= m->data_end ? m->end : tail;
}

static void
copy_spans (struct acr_construct *c)
{
  acr_copy_all (c->spans, c->nspans);
  c->nspans = 0;
}

/* What came in another order than it lies in on the device is put into that:
   neighbours become one run, where they lie in the buffer as they do there or
   are little.  Those that overlap stay as they came.  */
static void
join_runs (struct acr_construct *c)
{
  struct acr_run run[ACR_RUNS];
  size_t bytes = 0, at = (c->out_at + ALIGN - 1) & -ALIGN;
  for (unsigned i = 0; i < c->nruns; i++)
    {
      unsigned k = i;
      for (; k && run[k - 1].dst > c->runs[i].dst; k--)
        run[k] = run[k - 1];
      run[k] = c->runs[i];
      bytes += c->runs[i].bytes;
    }
  for (unsigned i = 1; i < c->nruns; i++)
    if (run[i - 1].dst + run[i - 1].bytes > run[i].dst)
      return;
  size_t gaps = c->nruns * acr_limit (ACR_LIMIT_gap_to);
  bool little = bytes <= ACR_SIZE_wait && at + bytes + gaps <= c->out->bytes;

  unsigned n = 0;
  for (unsigned i = 0, j; i < c->nruns; i = j)
    {
      struct acr_run *to = &c->runs[n++];
      size_t end = run[i].bytes;
      bool placed = true;
      for (j = i + 1; j < c->nruns; j++)
        {
          CUdeviceptr tail = run[i].dst + end;
          bool here = run[j].at - run[i].at == run[j].dst - run[i].dst;
          if ((run[j].dst != tail
               && (run[j].dst != run[j - 1].end || acr_address_known ()))
              || !run[j].memory || run[j].memory != run[i].memory
              || (!here && !little))
            break;
          placed &= here;
          end = run[j].dst + run[j].bytes - run[i].dst;
        }
      *to = run[i];
      to->bytes = end;
      if (placed)
        continue;
      for (unsigned k = i; k < j; k++)
        memcpy (c->out->mem + at + (run[k].dst - run[i].dst),
                c->out->mem + run[k].at, run[k].bytes);
      to->at = at;
      at = (at + end + ALIGN - 1) & -ALIGN;
      c->out_at = at;
    }
  c->nruns = n;
}

/* Remember for the next time where on the device the runs of C lie that leave
   together, and let others begin.  */
static void
close_window (struct acr_construct *c)
{
  CUdeviceptr from = c->runs[0].dst, end = from;
  for (unsigned i = 0; i < c->nruns; i++)
    {
      const struct acr_run *run = &c->runs[i];
      from = from < run->dst ? from : run->dst;
      end = end > run->dst + run->bytes ? end : run->dst + run->bytes;
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
issue (struct acr_construct *c)
{
  copy_spans (c);
  if (c->leader)
    close_window (c);
  if (c->nruns > 1)
    join_runs (c);
  for (unsigned i = 0; i < c->nruns; i++)
    {
      const struct acr_run *run = &c->runs[i];
      const char *mem = c->out->mem + run->at;
      acr_count_for (run->by, h2d_copies, 1);
      acr_count_for (run->by, h2d_bytes, run->bytes);
      CUresult r
          = acr_driver.memcpy_h2d_async (run->dst, mem, run->bytes, NULL);
      acr_debug (3, "gather: %zu bytes: status %d", run->bytes, r);
      if (r)
        r = acr_driver.memcpy_h2d (run->dst, mem, run->bytes);
      acr_events->status (r);
      if (r)
        acr_fault ("cuMemcpyHtoD_v2", r);
    }
  c->out_sent |= c->nruns > 0;
  c->nsent += c->nruns;
  c->nruns = 0;
}

/* Send what is held back by whatever thread.  The lock is held.  */
static void
send_held (void)
{
  struct acr_construct *c = held;
  if (!c)
    return;
  bool pushed;
  if (acr_context_enter (c->out_context, &pushed))
    {
      issue (c);
      acr_hold_issue ();
      acr_context_leave (pushed);
    }
  else
    acr_fault ("cuCtxPushCurrent_v2", CUDA_ERROR_INVALID_CONTEXT);
  acr_hold_forget ();
  held = NULL;
}

static void
release (void)
{
  pthread_mutex_lock (&lock);
  send_held ();
  pthread_mutex_unlock (&lock);
}

void
acr_gather_exposed (void)
{
  acr_debug (1, "gather: the program has device addresses; copies wait");
  release ();
  /* So does it for those of all threads by now.  */
  acr_staging_drain ();
}

/* Under the lock: who holds it may be about to set HELD.  */
void
acr_gather_other_thread (void)
{
  release ();
}

void
acr_gather_forked (void)
{
  pthread_mutex_init (&lock, NULL);
  acr_hold_forget ();
  held = NULL;
}

void
acr_gather_flush (void)
{
  if (held)
    release ();
}

/* ---- The buffer -------------------------------------------------------- */

/* Part with the buffer; the driver may still read it.  */
static void
put_buffer (struct acr_construct *c)
{
  if (c->out_sent)
    acr_staging_submitted (c->out, NULL);
  acr_staging_put (c->out);
  c->out = NULL;
  c->out_sent = false;
}

struct acr_staging *
acr_gather_borrow (struct acr_construct *c, CUcontext context)
{
  if (held == c || c->nruns || !c->out
      || !acr_staging_is_of (c->out, context))
    return NULL;
  struct acr_staging *s = c->out;
  c->out = NULL;
  c->out_sent = false;
  return s;
}

void
acr_gather_give_back (struct acr_construct *c, struct acr_staging *s,
                      CUcontext context)
{
  /* What is held has a context of its own.  */
  if (c->out || held == c)
    {
      acr_staging_put (s);
      return;
    }
  c->out = s;
  c->out_context = context;
  c->out_at = 0;
  c->out_sent = false;
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
  CUcontext current;
  if (acr_driver.ctx_get_current (&current) || !current)
    return false;
  c->out_at = (c->out_at + ALIGN - 1) & -ALIGN;
  if (c->out
      && (!acr_staging_is_of (c->out, current)
          || n > c->out->bytes - c->out_at))
    {
      issue (c);
      put_buffer (c);
    }
  if (!c->out)
    {
      c->out = acr_staging_get (BUFFER);
      c->out_context = current;
      c->out_at = 0;
    }
  return c->out;
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
    if (c->runs[i].dst - dst < n || dst - c->runs[i].dst < c->runs[i].bytes)
      return false;
  c->runs[c->nruns] = (struct acr_run){ dst, n, c->window_at + off, 0, 0,
                                        acr_tally_kept () };
  note_end (&c->runs[c->nruns++], m);
  add_span (c, c->window_at + off, src, n);
  mark_written (c, dst, n);
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
  CUdeviceptr tail = run ? run->dst + run->bytes : 0;
  size_t gap = dst - tail;
  if (!run || run->at + run->bytes != c->out_at
      || !gap_is_dead (c, run, tail, dst, m.base)
      || acr_hold_uses (tail, gap) || gap + n > c->out->bytes - c->out_at)
    {
      if (c->nruns == ACR_RUNS)
        issue (c);
      if (!reserve (c, n))
        return false;
      run = &c->runs[c->nruns++];
      *run = (struct acr_run){ dst, 0, c->out_at, 0, 0, acr_tally_kept () };
      gap = 0;
    }
  add_span (c, c->out_at + gap, src, n);
  c->out_at += gap + n;
  run->bytes += gap + n;
  note_end (run, &m);
  mark_written (c, dst, n);
  return true;
}

/* ---- Copies ------------------------------------------------------------ */

/* Hold N bytes at SRC back, for DST.  False when it must not or cannot be.  */
static bool
hold (struct acr_construct *c, CUdeviceptr dst, const void *src, size_t n)
{
  struct acr_memory m;
  pthread_mutex_lock (&lock);
  /* Kernels may use all static variables.  */
  if (acr_hold_any ()
      && (!acr_pool_memory (dst, n, &m) || acr_hold_uses (dst, n)))
    send_held ();
  bool done = acr_construct_alone ();
  if (done && !c->nruns)
    open_window (c, dst, n);
  done = done && append (c, dst, src, n);
  if (done)
    acr_hold_passed ();
  if (c->nruns)
    held = c;
  pthread_mutex_unlock (&lock);
  return done;
}

/* Send N bytes of what libgomp was lent.  False when the driver must do it.  */
static bool
send_lent (struct acr_construct *c, CUdeviceptr dst, const void *src, size_t n)
{
  if (held == c)
    release ();
  if (acr_driver.memcpy_h2d_async (dst, src, n, NULL))
    return false;
  acr_debug (3, "gather: %zu bytes that libgomp has merged", n);
  acr_count (h2d_copies, 1);
  acr_count (h2d_bytes, n);
  acr_count (h2d_lent, 1);
  c->lent_sent = true;
  c->nsent++;
  mark_written (c, dst, n);
  return true;
}

bool
acr_gather_hold (const struct acr_launch *l, acr_issue *issue_launch)
{
  struct acr_construct *c = acr_construct_current ();
  CUcontext current;
  if (!c || acr_opt_off (ACR_OPT_gather) || acr_address_known ()
      || acr_driver.ctx_get_current (&current)
      || ((c->out || held) && c->out_context != current))
    return false;
  pthread_mutex_lock (&lock);
  bool done = acr_construct_alone () && acr_hold_add (c, l, issue_launch);
  if (done)
    {
      c->out_context = current;
      held = c;
    }
  pthread_mutex_unlock (&lock);
  return done;
}

void
acr_gather_frees (void)
{
  if (!acr_hold_any ())
    acr_gather_flush ();
}

bool
acr_gather_copy (CUdeviceptr dst, const void *src, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  if (!c || !n || acr_opt_off (ACR_OPT_gather)
      || (!c->quiet && !fresh_at (c, dst)
          && acr_address_known ()))
    return false;
  if (acr_lend_holds (c, src))
    return send_lent (c, dst, src, n);
  if (n > acr_limit (ACR_LIMIT_send))
    return false;
  if (held == c && !acr_context_is_current (c->out_context))
    release ();
  if (c->quiet && n <= ACR_SIZE_wait && hold (c, dst, src, n))
    {
      acr_count (h2d_staged, 1);
      return true;
    }
  if (n > ACR_SIZE_lone)
    {
      if (!c->nlarge++)
        return false;
      if (c->nlarge == 2)
        acr_copiers_call ();
    }
  if (held == c)
    release ();
  size_t npieces = n < 2 * ACR_SIZE_piece ? 1 : n / ACR_SIZE_piece;
  size_t piece = (n / npieces + ALIGN) & -ALIGN;
  for (size_t at = 0; at < n && !acr_fault_status (); at += piece)
    {
      if (!append (c, dst + at, (const char *)src + at,
                   n - at < piece ? n - at : piece))
        return false;
      issue (c);
    }
  acr_count (h2d_staged, !acr_fault_status ());
  return !acr_fault_status ();
}

void
acr_gather_synced (void)
{
  struct acr_construct *c = acr_construct_self ();
  CUcontext current;
  if (!c || !(c->lent_sent || c->out_at)
      || acr_driver.ctx_get_current (&current))
    return;
  if (c->lent_sent && acr_staging_is_of (c->lent, current))
    c->lent_sent = false;
  if (c->out && held != c && acr_staging_is_of (c->out, current))
    {
      c->out_at = 0;
      c->out_sent = false;
    }
}

void
acr_gather_passed (unsigned nsent)
{
  struct acr_construct *c = acr_construct_self ();
  if (c && c->nsent == nsent)
    acr_gather_synced ();
}

/* Keep what C holds back, for the next construct.  False when it is better, or
   necessary, to send it.  */
static bool
keep (struct acr_construct *c)
{
  size_t bytes = 0;
  if (acr_opt_off (ACR_OPT_defer)
      || acr_address_known ())
    return false;
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < c->nruns; i++)
    bytes += c->runs[i].bytes;
  bool kept = held == c && bytes <= (acr_hold_any () ? ACR_SIZE_pass : ACR_SIZE_wait);
  if (kept)
    copy_spans (c);
  pthread_mutex_unlock (&lock);
  return kept;
}

/* Wait for what was sent from S.  */
static CUresult
wait_for (struct acr_staging *s)
{
  acr_staging_submitted (s, NULL);
  return acr_staging_wait (s);
}

void
acr_gather_end (struct acr_construct *c)
{
  if (keep (c))
    return;
  acr_gather_flush ();
  if (!acr_address_known () || !(c->lent_sent || c->out_sent))
    return;
  /* One wait is for both, in one context.  */
  CUresult r = CUDA_SUCCESS;
  if (c->lent_sent)
    r = wait_for (c->lent);
  if (!r && c->out_sent
      && !(c->lent_sent && c->lent->context == c->out->context))
    r = wait_for (c->out);
  if (!r)
    acr_gather_synced ();
  else
    acr_fault ("cuMemcpyHtoD_v2", r);
}

void
acr_gather_part (struct acr_construct *c)
{
  if (held == c)
    release ();
  if (c->out)
    put_buffer (c);
}

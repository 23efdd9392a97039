/* Copies back to the host, several at a time.

   At the end of a construct libgomp copies operands back one after the other,
   each with a driver call that waits.  Here one construct's copies are
   foretold from what its call site did before (site.h).  What they will read
   is fetched into pinned memory, behind the kernel on the NULL stream or when
   the first of them comes, neighbours by one DMA, and each copy is then
   served from there.

   Why this gives what stock gives.  The fetch reads the very addresses that
   libgomp asks for later, in NULL stream order.  Between the fetch and a copy,

   - this thread is inside one public entry in which no code of the program's
     runs (construct.quiet: not before a launch, as the region may run on the
     host instead, and never when the entry may run other tasks), and its own
     driver calls pass through the hooks here, which discard what they change;

   - other threads may do what they like after the first copy: libgomp makes
   all copies of a construct under one lock, and nothing else tells how far it
   has come with them.  So what is ordered before a later copy is ordered
   before the first as well.  (acc update takes the lock for each item, but
   then copies whatever the counts of references are, so that nothing done to a
     later item meanwhile is ordered with its copy.)

   - before the first copy that is not so: another construct with the same
   data, begun and ended meanwhile, leaves the copy to this one.  So nothing is
     fetched behind the kernel unless this thread is the only one that uses
     devices, and that is looked at again when it is served; the other thread
     shows up before it can take the lock.

   If a fetch fails, the copy is done, and fails, as in stock.

   The last step, from pinned memory to an operand, is left to the end of the
   construct, or of its wave, where it is done for all of them with help
   (copier.h).  Nobody can look before: the memory is the program's, not
   libgomp's (acr_construct_operand), none of the program's code runs in this
   thread before that end, what another thread sees without a device it sees
   after something that this thread does then, and another thread that begins
   to use a device pays the debt itself before it goes on.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "memory/copier.h"
#include "memory/pool.h"
#include "memory/staging.h"
#include "transfer/gather.h"
#include "transfer/policy/limit.h"
#include "transfer/readback.h"
#include "transfer/stream.h"

#include <stdlib.h>

/* What has arrived, and is told to have been copied, but was not yet.  */
static struct acr_span owed[64];
static unsigned nowed;

static void
pay (struct acr_construct *c, unsigned ranks)
{
  (void)c, (void)ranks;
  acr_copy_all (owed, nowed);
  nowed = 0;
}

static void
forget_owed (void)
{
  nowed = 0;
}

static const struct acr_rank rank = { ACR_COPIES, 0, pay, NULL, forget_owed };

/* Owe the copy of PIECE to DST.  */
static bool
owe (struct acr_construct *c, const struct acr_piece *piece, void *dst)
{
  if (!acr_stream_open (c))
    return false;
  if (nowed == sizeof owed / sizeof *owed)
    acr_stream_drain (ACR_COPIES);
  owed[nowed++] = (struct acr_span){
    dst, c->waves[piece->wave].staging->mem + piece->at, piece->n
  };
  acr_stream_add (&rank);
  acr_stream_close ();
  return true;
}

void
acr_readback_drop (struct acr_construct *c)
{
  unsigned unused = 0;
  acr_stream_drain (ACR_ARRIVED);
  for (unsigned i = 0; i < c->nwaves; i++)
    {
      struct acr_wave *w = &c->waves[i];
      for (unsigned k = w->first; w->staging && k < w->end; k++)
        unused += !c->pieces[k].asked;
      acr_staging_part (&w->staging);
    }
  c->nwaves = 0;
  if (unused)
    {
      acr_count (d2h_unused, unused);
      acr_site_doubt (c->site);
    }
}

/* Put the places of the record from FROM on into C's pieces and waves.  */
static void
lay_out (struct acr_construct *c, unsigned from)
{
  const struct acr_site *s = c->site;
  if (c->room < s->n)
    {
      struct acr_piece *v = realloc (c->pieces, s->n * sizeof *v);
      if (!v)
        return;
      c->pieces = v;
      c->room = s->n;
    }
  size_t max = acr_limit (ACR_LIMIT_fetch);
  struct acr_fetch_layout layout = { 0 };
  CUcontext current;
  if (acr_driver.ctx_get_current (&current))
    return;
  struct acr_wave *w = NULL;
  c->npieces = c->next = 0;
  for (unsigned i = from; i < s->n; i++)
    {
      struct acr_memory m;
      struct acr_piece p = { .n = s->places[i].bytes, .by = acr_tally };
      if (p.n > max || !acr_construct_resolve (c, s->places[i], &p.src)
          || !acr_pool_memory (p.src, p.n, &m) || m.context != current)
        continue;
      p.base = m.base;
      if (!w || !acr_fetch_place (&layout, &p, ACR_SIZE_wave))
        {
          if (c->nwaves == ACR_WAVES)
            break;
          w = &c->waves[c->nwaves++];
          *w = (struct acr_wave){ .first = c->npieces };
          layout = (struct acr_fetch_layout){ 0 };
          acr_fetch_place (&layout, &p, SIZE_MAX);
        }
      p.wave = w - c->waves;
      c->pieces[c->npieces++] = p;
      w->end = c->npieces;
      w->bytes = layout.used;
    }
}

/* Fetch the pieces of W.  */
static void
fetch (struct acr_construct *c, struct acr_wave *w)
{
  if (w->staging || !(w->staging = acr_staging_get (w->bytes)))
    return;
  w->behind = c->nsent;
  if (acr_fetch_issue (c->pieces + w->first, w->end - w->first, w->staging))
    acr_staging_part (&w->staging);
}

static bool
foretold (const struct acr_construct *c)
{
  return acr_site_believed (c->site) && !acr_opt_off (ACR_OPT_readback);
}

void
acr_readback_launched (struct acr_construct *c, CUstream stream)
{
  acr_readback_drop (c);
  c->quiet = true;
  /* Nothing is fetched in front of a kernel that is kept (hold.c): the first copy hands
     that one over.  */
  if (!stream && !c->call->unseen && !acr_stream_has (ACR_KERNELS) && foretold (c)
      && acr_construct_alone ())
    {
      c->early = true;
      lay_out (c, c->site->at);
      if (c->nwaves)
        fetch (c, &c->waves[0]);
    }
  /* Less is copied as fast by the thread that has it in its caches.  */
  if (c->nlarge > 1 || c->nwaves > 1)
    acr_copiers_call ();
}

void
acr_readback_synced (struct acr_construct *c)
{
  for (unsigned i = 0; i < c->nwaves; i++)
    if (c->waves[i].staging)
      acr_staging_passed (c->waves[i].staging);
}

/* The piece that holds N bytes at P, or NULL.  They come in order.  */
static struct acr_piece *
piece_at (struct acr_construct *c, CUdeviceptr p, size_t n)
{
  for (unsigned k = 0; c->nwaves && k < c->npieces; k++)
    {
      unsigned i = (c->next + k) % c->npieces;
      struct acr_piece *piece = &c->pieces[i];
      if (!piece->gone && p - piece->src < piece->n
          && n <= piece->n - (p - piece->src))
        {
          c->next = i + 1;
          return piece;
        }
    }
  return NULL;
}

/* The first copy has come: fetch all that the record foretells from place FROM
   on and that was not fetched early.  */
static void
first_copy (struct acr_construct *c, unsigned from)
{
  if (c->early && !acr_construct_alone ())
    acr_readback_drop (c);
  bool called = c->nwaves; /* the copiers, at the launch */
  if (!called)
    lay_out (c, from);
  c->early = false;
  for (unsigned i = 0; i < c->nwaves; i++)
    fetch (c, &c->waves[i]);
  if (!called && c->nwaves > 1)
    acr_copiers_call ();
}

bool
acr_readback_copy (void *dst, CUdeviceptr src, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  if (!c || !c->quiet || !n)
    return false;
  unsigned at = c->site->at;
  bool believed = foretold (c);
  acr_site_note (c->site, acr_construct_place (c, src, n));
  /* STREAK tells whether this one is as foretold.  */
  if (c->early || (!at && believed && c->site->streak && c->site->n > 1))
    first_copy (c, at);
  struct acr_piece *piece = piece_at (c, src, n);
  struct acr_wave *w = piece ? &c->waves[piece->wave] : NULL;
  if (!w || !w->staging || w->staging->busy)
    acr_stream_drain (ACR_COPIES);
  if (!w || !w->staging)
    return false;
  if (acr_staging_wait (w->staging))
    {
      acr_readback_drop (c);
      return false;
    }
  acr_gather_passed (w->behind);
  if (piece->asked || n != piece->n
      || !acr_construct_operand (c, dst, n, ACR_FROM) || !owe (c, piece, dst))
    {
      acr_stream_drain (ACR_ARRIVED);
      acr_copy (dst, w->staging->mem + piece->at + (src - piece->src), n);
    }
  piece->asked = true;
  acr_count (d2h_staged, 1);
  return true;
}

static void
forget (struct acr_construct *c, CUdeviceptr p, size_t n)
{
  for (unsigned i = 0; c->nwaves && i < c->npieces; i++)
    {
      struct acr_piece *piece = &c->pieces[i];
      piece->gone |= acr_overlap (piece->src, piece->n, p, n);
    }
}

void
acr_readback_changed (struct acr_construct *c, CUdeviceptr p, size_t n)
{
  acr_stream_drain (ACR_ARRIVED);
  forget (c, p, n);
}

void
acr_readback_freed (struct acr_construct *c, CUdeviceptr p)
{
  CUdeviceptr base;
  size_t n;
  bool found;
  if (c->nwaves && acr_pool_range (&found, &base, &n, p) && found)
    forget (c, base, n);
}

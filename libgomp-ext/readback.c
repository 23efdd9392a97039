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

   - other threads may do what they like after the first copy: libgomp makes all
     copies of a construct under one lock, and nothing else tells how far it has
     come with them.  So what is ordered before a later copy is ordered before
     the first as well.  (acc update takes the lock for each item, but then
     copies whatever the counts of references are, so that nothing done to a
     later item meanwhile is ordered with its copy.)

   - before the first copy that is not so: another construct with the same data,
     begun and ended meanwhile, leaves the copy to this one.  So nothing is
     fetched behind the kernel unless this thread is the only one that uses
     devices, and that is looked at again when it is served; the other thread
     shows up before it can take the lock.

   Each copy is complete when libgomp's call returns.  If a fetch fails, the
   copy is done, and fails, as in stock.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "pool.h"
#include "readback.h"
#include "staging.h"

#include <stdlib.h>
#include <string.h>

/* What pays; figures of an H200.  A
   separate DMA costs as much as to bring GAP_MAX bytes nobody wants.  Copying
   more than PIECE_MAX twice costs more than the driver's wait.  */
#define GAP_MAX ((size_t)64 << 10)
#define PIECE_MAX ((size_t)256 << 10)
#define FETCH_MAX ((size_t)4 << 20)
#define ALIGN ((size_t)64)

void
acr_readback_drop (struct acr_construct *c)
{
  if (!c->staging)
    return;
  unsigned unused = 0;
  for (unsigned i = 0; i < c->npieces; i++)
    unused += !c->pieces[i].asked;
  if (unused)
    {
      acr_count (d2h_unused, unused);
      acr_site_doubt (c->site);
    }
  acr_staging_put (c->staging);
  c->staging = NULL;
}

/* Put the places of the record from FROM on into C's pieces, and where each
   goes in a staging buffer.  Returns the size of that, 0 for none.  */
static size_t
lay_out (struct acr_construct *c, unsigned from)
{
  const struct acr_site *s = c->site;
  if (c->room < s->n)
    {
      struct acr_piece *v = realloc (c->pieces, s->n * sizeof *v);
      if (!v)
        return 0;
      c->pieces = v;
      c->room = s->n;
    }
  size_t end = 0;                   /* in the staging buffer */
  CUdeviceptr last = 0, memory = 0; /* end of the last piece, what it is in */
  c->npieces = c->next = 0;
  for (unsigned i = from; i < s->n; i++)
    {
      CUdeviceptr p, base;
      size_t n = s->places[i].bytes;
      if (n > PIECE_MAX || !acr_construct_resolve (c, s->places[i], &p)
          || !acr_pool_memory (p, n, &base))
        continue;
      bool first = base != memory || p < last || p - last > GAP_MAX;
      size_t at = first ? (end + ALIGN - 1) & -ALIGN : end + (p - last);
      if (at + n > FETCH_MAX)
        break;
      c->pieces[c->npieces++] = (struct acr_piece){ p, n, at, first, false };
      end = at + n;
      last = p + n;
      memory = base;
    }
  return end;
}

/* Fetch what the record foretells from place FROM on.  EARLY: before the
   first copy.  */
static void
fetch (struct acr_construct *c, unsigned from, bool early)
{
  c->early = early;
  size_t bytes = lay_out (c, from);
  if (!bytes || !(c->staging = acr_staging_get (bytes)))
    return;
  CUresult r = CUDA_SUCCESS;
  for (unsigned i = 0, j; i < c->npieces && !r; i = j)
    {
      const struct acr_piece *first = &c->pieces[i], *last = first;
      for (j = i + 1; j < c->npieces && !c->pieces[j].first; j++)
        last++;
      size_t n = last->addr + last->bytes - first->addr;
      acr_count (d2h_copies, 1);
      acr_count (d2h_bytes, n);
      r = acr_driver.memcpy_d2h_async (c->staging->mem + first->at,
                                       first->addr, n, NULL);
      acr_debug (3, "readback: %zu bytes for %u copies: status %d", n, j - i,
                 r);
    }
  CUresult submitted = acr_staging_submitted (c->staging, NULL);
  if (r || submitted)
    {
      acr_staging_put (c->staging);
      c->staging = NULL;
    }
}

void
acr_readback_launched (CUstream stream)
{
  struct acr_construct *c = acr_construct_current ();
  if (!c)
    return;
  acr_readback_drop (c);
  c->quiet = true;
  if (!stream && acr_site_believed (c->site) && acr_construct_alone ())
    fetch (c, c->site->at, true);
}

void
acr_readback_synced (void)
{
  struct acr_construct *c = acr_construct_current ();
  if (c && c->staging)
    acr_staging_passed (c->staging);
}

/* The piece that holds N bytes at P, or NULL.  They come in order.  */
static struct acr_piece *
piece_at (struct acr_construct *c, CUdeviceptr p, size_t n)
{
  for (unsigned k = 0; k < c->npieces; k++)
    {
      unsigned i = (c->next + k) % c->npieces;
      struct acr_piece *piece = &c->pieces[i];
      if (p - piece->addr < piece->bytes
          && n <= piece->bytes - (p - piece->addr))
        {
          c->next = i + 1;
          return piece;
        }
    }
  return NULL;
}

bool
acr_readback_copy (void *dst, CUdeviceptr src, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  if (!c || !c->quiet || !n)
    return false;
  unsigned at = c->site->at;
  bool believed = acr_site_believed (c->site);
  acr_site_note (c->site, acr_construct_place (c, src, n));
  if (c->staging && c->early && !acr_construct_alone ())
    acr_readback_drop (c);
  /* Later copies of the record, when this one is as foretold.  */
  if (!c->staging && believed && c->site->streak && c->site->n - at > 1)
    fetch (c, at, false);
  struct acr_piece *piece = c->staging ? piece_at (c, src, n) : NULL;
  if (!piece)
    return false;
  if (acr_staging_wait (c->staging))
    {
      acr_readback_drop (c);
      return false;
    }
  memcpy (dst, c->staging->mem + piece->at + (src - piece->addr), n);
  piece->asked = true;
  acr_count (d2h_staged, 1);
  return true;
}

void
acr_readback_changed (CUdeviceptr p, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  if (!c || !c->staging)
    return;
  for (unsigned i = 0; i < c->npieces; i++)
    {
      struct acr_piece *piece = &c->pieces[i];
      if (piece->addr < p + n && p < piece->addr + piece->bytes)
        piece->bytes = 0;
    }
}

void
acr_readback_freed (CUdeviceptr p)
{
  struct acr_construct *c = acr_construct_current ();
  CUdeviceptr base;
  size_t n;
  bool found;
  if (c && c->staging && acr_pool_range (&found, &base, &n, p) && found)
    acr_readback_changed (base, n);
}

/* Copies from the device, several at a time; see fetch.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/events.h"
#include "memory/staging.h"
#include "transfer/fetch.h"
#include "transfer/policy/limit.h"

#define ALIGN ((size_t)64)

size_t
acr_fetch_room (size_t n)
{
  return (n + ALIGN - 1) & -ALIGN;
}

bool
acr_fetch_place (struct acr_fetch_layout *l, struct acr_piece *p, size_t room)
{
  p->first = !acr_dma_takes (&l->dma, p->src, p->n, p->base,
                             acr_limit (ACR_LIMIT_gap_from), room - l->at);
  if (p->first)
    {
      size_t at = acr_fetch_room (l->used);
      if (at > room || p->n > room - at)
        return false;
      l->dma = (struct acr_dma){ p->src, p->src + p->n, p->base };
      l->at = at;
    }
  p->at = l->at + (p->src - l->dma.from);
  l->used = l->at + acr_dma_bytes (&l->dma);
  return true;
}

CUresult
acr_fetch_issue (const struct acr_piece *v, unsigned n, struct acr_staging *to)
{
  CUresult r = CUDA_SUCCESS;
  to->sent = true;
  for (unsigned i = 0, j; i < n && !r; i = j)
    {
      CUdeviceptr tail = v[i].src + v[i].n;
      for (j = i + 1; j < n && !v[j].first; j++)
        if (tail < v[j].src + v[j].n)
          tail = v[j].src + v[j].n;
      size_t bytes = tail - v[i].src;
      r = acr_driver.memcpy_d2h_async (to->mem + v[i].at, v[i].src, bytes, NULL);
      acr_events->copied (NULL);
      acr_debug (3, "fetch: %zu bytes for %u copies: status %d", bytes, j - i,
                 r);
      acr_events->copies ();
      acr_count_for (v[i].by, d2h_copies, 1);
      acr_count_for (v[i].by, d2h_bytes, bytes);
    }
  return r ? r : acr_staging_submitted (to);
}

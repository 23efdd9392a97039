/* Which work may still be running; see inflight.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "memory/inflight.h"

#include <stdlib.h>

struct acr_stream *
acr_inflight_find (const struct acr_inflight *f, CUstream handle)
{
  struct acr_stream *s = f->streams;
  while (s && s->handle != handle)
    s = s->next;
  return s;
}

bool
acr_inflight_create (struct acr_inflight *f, CUstream handle)
{
  struct acr_stream *s = calloc (1, sizeof *s);
  if (!s)
    return false;
  s->handle = handle;
  s->next = f->streams;
  f->streams = s;
  return true;
}

static void
unlink_stream (struct acr_inflight *f, struct acr_stream *s)
{
  struct acr_stream **link = &f->streams;
  while (*link != s)
    link = &(*link)->next;
  *link = s->next;
  free (s);
}

void
acr_inflight_destroy (struct acr_inflight *f, struct acr_stream *s)
{
  if (s->since)
    s->handle = NULL;
  else
    unlink_stream (f, s);
}

void
acr_inflight_submit (struct acr_inflight *f, struct acr_stream *s)
{
  s->last = ++f->now;
  if (!s->since)
    {
      s->since = s->last;
      f->busy++;
    }
}

void
acr_inflight_passed (struct acr_inflight *f, struct acr_stream *s,
                     uint64_t mark)
{
  if (!s->since || s->since > mark)
    return;
  if (s->last > mark)
    {
      s->since = mark + 1;
      return;
    }
  s->since = 0;
  f->busy--;
  if (!s->handle)
    unlink_stream (f, s);
}

void
acr_inflight_passed_all (struct acr_inflight *f, uint64_t mark)
{
  for (struct acr_stream *s = f->streams, *next; s; s = next)
    {
      next = s->next;
      acr_inflight_passed (f, s, mark);
    }
}

uint64_t
acr_inflight_horizon (const struct acr_inflight *f)
{
  uint64_t horizon = UINT64_MAX;
  if (f->busy)
    for (const struct acr_stream *s = f->streams; s; s = s->next)
      if (s->since && s->since < horizon)
        horizon = s->since;
  return horizon;
}

void
acr_inflight_clear (struct acr_inflight *f)
{
  while (f->streams)
    unlink_stream (f, f->streams);
  *f = (struct acr_inflight){ 0 };
}

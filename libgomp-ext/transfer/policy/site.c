/* Records of call sites; see site.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "transfer/policy/site.h"

#include <stdlib.h>

enum
{
  WANTED_FIRST = 2,
  WANTED_MAX = 1 << 12,
  PLACES_MAX = 1 << 10 /* longer lists gain little */
};

static uint64_t
mix (uint64_t h, uint64_t x)
{
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

uint64_t
acr_site_key (const void *ra, size_t n, const size_t *sizes)
{
  uint64_t h = mix (n, (uintptr_t)ra);
  for (size_t i = 0; i < n; i++)
    h = mix (h, sizes[i]);
  return h ? h : 1;
}

static void
forget (struct acr_site *s)
{
  free (s->places);
  *s = (struct acr_site){ .wanted = WANTED_FIRST };
}

struct acr_site *
acr_site_begin (struct acr_sites *t, uint64_t key)
{
  struct acr_site *set = t->v[key >> 40 & (ACR_SITE_SETS - 1)], *s = set;
  for (unsigned i = 0; i < ACR_SITE_WAYS && s->key != key; i++)
    if (set[i].key == key || set[i].used < s->used)
      s = &set[i];
  if (s->key != key)
    {
      forget (s);
      s->key = key;
    }
  s->used = ++t->runs;
  s->at = 0;
  return s;
}

static bool
same_place (struct acr_place a, struct acr_place b)
{
  return a.block == b.block && a.addr == b.addr && a.bytes == b.bytes;
}

bool
acr_site_note (struct acr_site *s, struct acr_place p)
{
  if (s->at < s->n && same_place (s->places[s->at], p))
    {
      s->at++;
      return true;
    }
  s->n = s->at;
  s->streak = 0;
  if (s->at == PLACES_MAX)
    return false;
  if (s->at == s->room)
    {
      unsigned room = s->room ? 2 * s->room : 4;
      struct acr_place *v = realloc (s->places, room * sizeof *v);
      if (!v)
        return false;
      s->places = v;
      s->room = room;
    }
  s->places[s->at++] = p;
  s->n = s->at;
  return true;
}

void
acr_site_end (struct acr_site *s)
{
  if (s->at < s->n)
    s->streak = 0;
  s->n = s->at;
  if (s->streak < WANTED_MAX)
    s->streak++;
}

void
acr_site_doubt (struct acr_site *s)
{
  s->streak = 0;
  if (s->wanted < WANTED_MAX)
    s->wanted *= 4;
}

void
acr_sites_clear (struct acr_sites *t)
{
  for (unsigned i = 0; i < ACR_SITE_SETS; i++)
    for (unsigned k = 0; k < ACR_SITE_WAYS; k++)
      forget (&t->v[i][k]);
}

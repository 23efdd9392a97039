/* A map from pointers to numbers: open addressing, at most half full.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#include "machine/map.h"

struct slot
{
  const void *key;
  uint64_t value;
};

struct map
{
  struct slot *slot;
  size_t n, size;		/* SIZE is a power of two */
};

struct map *
map_new (void)
{
  struct map *m = calloc (1, sizeof *m);
  if (m && !(m->slot = calloc (m->size = 64, sizeof *m->slot)))
    {
      free (m);
      return NULL;
    }
  return m;
}

void
map_free (struct map *m)
{
  if (m)
    free (m->slot);
  free (m);
}

static struct slot *
find (const struct map *m, const void *key)
{
  size_t h = (size_t) ((uintptr_t) key * 0x9e3779b97f4a7c15u >> 20);
  for (;; h++)
    {
      struct slot *s = &m->slot[h & (m->size - 1)];
      if (!s->key || s->key == key)
	return s;
    }
}

bool
map_put (struct map *m, const void *key, uint64_t value)
{
  if (2 * m->n >= m->size)
    {
      struct map big = { calloc (2 * m->size, sizeof *big.slot), 0,
			 2 * m->size };
      if (!big.slot)
	return false;
      for (size_t i = 0; i < m->size; i++)
	if (m->slot[i].key)
	  *find (&big, m->slot[i].key) = m->slot[i];
      free (m->slot);
      m->slot = big.slot;
      m->size = big.size;
    }
  struct slot *s = find (m, key);
  m->n += !s->key;
  *s = (struct slot){ key, value };
  return true;
}

uint64_t
map_get (const struct map *m, const void *key)
{
  return find (m, key)->value;
}

/* Memory that is released all at once: the arena of a unit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Chunks start small, so that tiny units stay tiny, and double up to a size
   where the allocator's overhead no longer shows.  */
enum { CHUNK_MIN = 16 << 10, CHUNK_MAX = 1 << 20 };

struct chunk
{
  struct chunk *next;
  alignas (max_align_t) char data[];
};

struct ptx_arena
{
  struct chunk *chunks;
  char *free, *end;		/* rest of the first chunk */
  size_t chunk_size;
};

struct ptx_arena *
ptx_arena_new (void)
{
  struct ptx_arena *a = calloc (1, sizeof *a);
  if (!a)
    abort ();
  a->chunk_size = CHUNK_MIN;
  return a;
}

void
ptx_arena_free (struct ptx_arena *a)
{
  for (struct chunk *c = a->chunks, *next; c; c = next)
    {
      next = c->next;
      free (c);
    }
  free (a);
}

/* Start a chunk that has room for BYTES.  */
static void
grow (struct ptx_arena *a, size_t bytes)
{
  size_t size = a->chunk_size > bytes ? a->chunk_size : bytes;
  struct chunk *c;
  if (size > SIZE_MAX - sizeof *c || !(c = malloc (sizeof *c + size)))
    abort ();
  c->next = a->chunks;
  a->chunks = c;
  a->free = c->data;
  a->end = c->data + size;
  if (a->chunk_size < CHUNK_MAX)
    a->chunk_size *= 2;
}

void *
ptx_arena_alloc (struct ptx_arena *a, size_t bytes)
{
  const size_t align = alignof (max_align_t);
  if (bytes > SIZE_MAX - align)
    abort ();
  bytes = (bytes + align - 1) & ~(align - 1);
  if (bytes > (size_t) (a->end - a->free))
    grow (a, bytes);
  void *p = a->free;
  a->free += bytes;
  return memset (p, 0, bytes);
}

/* Strings need no alignment, but mixing both kinds keeps one free list: the
   rounding is cheaper than a second chunk.  */
char *
ptx_arena_strdup (struct ptx_arena *a, const char *s, size_t len)
{
  char *p = ptx_arena_alloc (a, len + 1);
  memcpy (p, s, len);
  return p;
}

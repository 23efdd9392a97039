/* Memory of one planning: allocated in chunks, released all at once, or
   kept by the plan that came out of it.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "planner/plan.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct acr_chunk
{
  struct acr_chunk *next;
  size_t used, size;
  alignas (max_align_t) char data[];
};

enum
{
  CHUNK = 1 << 16
};

void *
acr_arena_alloc (struct acr_arena *a, size_t n, size_t size)
{
  const size_t align = alignof (max_align_t);
  if (n > (SIZE_MAX / 2) / size)
    longjmp (a->nomem, 1);
  size_t need = (n * size + align - 1) / align * align;
  struct acr_chunk *c = a->chunks;
  if (!c || c->size - c->used < need)
    {
      size_t room = need > CHUNK ? need : CHUNK;
      c = malloc (sizeof *c + room);
      if (!c)
        longjmp (a->nomem, 1);
      *c = (struct acr_chunk){ .next = a->chunks, .size = room };
      a->chunks = c;
    }
  void *p = c->data + c->used;
  c->used += need;
  return memset (p, 0, need);
}

void
acr_arena_free (struct acr_arena *a)
{
  for (struct acr_chunk *c = a->chunks, *next; c; c = next)
    {
      next = c->next;
      free (c);
    }
  a->chunks = NULL;
}

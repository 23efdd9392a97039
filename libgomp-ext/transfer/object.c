/* Objects; see object.h.

   Why an object is no larger than what is said here.  What libgomp maps anew in a
   construct is one of its operands, from the operand's address on, as many bytes as
   it has, and what it allocates there holds no others (libgomp/target.c,
   gomp_map_vars_internal); objects of a device do not overlap.  So the object that
   has a byte of a block is one of the operands with that byte that the block's
   construct had, however often it was looked up since.  Members of structures may be
   mapped with what is between them, and kinds that are not known in any way: of a
   construct with such an operand nothing is noted.  Nor is anything of what routines
   map.  Then all that fits into the block around the byte is taken for the object,
   as one that begins with the block and ends with it.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "transfer/object.h"

#include <pthread.h>
#include <string.h>

enum
{
  BLOCKS = 64,    /* a power of two */
  BLOCK_SHIFT = 8 /* blocks are as far apart, or further */
};

/* The operands of the construct that has allocated the block at ADDR; one of each
   place that addresses share.  */
static struct block
{
  _Atomic CUdeviceptr addr; /* 0: none */
  unsigned n;
  struct acr_bytes object[ACR_OBJECTS];
} blocks[BLOCKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct block *
place_of (CUdeviceptr p)
{
  return &blocks[p >> BLOCK_SHIFT & (BLOCKS - 1)];
}

static struct acr_bytes
meet (struct acr_bytes a, struct acr_bytes b)
{
  return (struct acr_bytes){ a.begin > b.begin ? a.begin : b.begin,
                             a.end < b.end ? a.end : b.end };
}

/* The hull of those of the N OBJECTS that have the byte at HOST; empty where
   there is none.  */
static struct acr_bytes
around (const struct acr_bytes *object, unsigned n, uintptr_t host)
{
  struct acr_bytes all = { host, host };
  for (unsigned i = 0; i < n; i++)
    if (host - object[i].begin < object[i].end - object[i].begin)
      {
        if (object[i].begin < all.begin)
          all.begin = object[i].begin;
        if (object[i].end > all.end)
          all.end = object[i].end;
      }
  return all;
}

/* Have the operands of CALL, the construct that C's thread is in, as C's
   objects; how many there are, or 0 where not all that it maps is among them.
   Every copy asks.  */
static unsigned
operands (struct acr_construct *c, const struct acr_call *call)
{
  if (c->objects_of == call)
    return c->nobjects;
  c->objects_of = call;
  c->nobjects = 0;
  if (!call->kinds || call->n > ACR_OBJECTS)
    return 0;
  for (size_t i = 0; i < call->n; i++)
    if (!acr_call_object (call, i, &c->objects[i]))
      return 0;
  return c->nobjects = call->n;
}

void
acr_object_mapped (const struct acr_call *call, CUdeviceptr p)
{
  struct acr_construct *c = acr_construct_self ();
  /* Those of a region with operands of its own end with it, most often.  */
  unsigned n = c && !call->region ? operands (c, call) : 0;
  if (!n)
    return;
  pthread_mutex_lock (&lock);
  if (acr_construct_lone ())
    {
      struct block *b = place_of (p);
      b->addr = p;
      b->n = n;
      memcpy (b->object, c->objects, n * sizeof *b->object);
    }
  pthread_mutex_unlock (&lock);
}

void
acr_object_freed (CUdeviceptr p)
{
  /* Who frees a block finds what was noted when it was allocated.  */
  if (place_of (p)->addr != p)
    return;
  pthread_mutex_lock (&lock);
  if (place_of (p)->addr == p)
    place_of (p)->addr = 0;
  pthread_mutex_unlock (&lock);
}

/* Whoever adds to them looks, under the lock, whether he is alone.  */
void
acr_object_forget (void)
{
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < BLOCKS; i++)
    blocks[i].addr = 0;
  pthread_mutex_unlock (&lock);
}

void
acr_object_forked (void)
{
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  acr_object_forget ();
}

/* The object of the block at P that has the byte at HOST; empty when that is not
   known.  Nobody writes meanwhile but to ADDR: the calling thread uses devices, and who
   notes objects is the only one that does.  */
static struct acr_bytes
noted (CUdeviceptr p, uintptr_t host)
{
  const struct block *b = place_of (p);
  return around (b->object, b->addr == p ? b->n : 0, host);
}

struct acr_bytes
acr_object_around (struct acr_construct *c, const void *host, CUdeviceptr p,
                   const struct acr_memory *m)
{
  uintptr_t at = (uintptr_t)host, begin = at - (p - m->begin);
  struct acr_bytes all = { begin, begin + m->bytes }, o;
  if (c->call->region && acr_construct_place (c, p, 1).block)
    {
      unsigned n = operands (c, c->call);
      o = around (c->objects, n, at);
    }
  else
    o = noted (m->begin, at);
  return o.begin < o.end ? meet (o, all) : all;
}

/* Copies between host and device of what the other side has already.

   A program updates what it may have changed, and often has not.  Here some of
   what update directives copy is kept: ranges of the device's memory, and what
   they hold.  Data that is equal is not sent, and nothing is fetched that is
   known.

   What must hold for a range to hold what it did, from one copy to the next:

   - The copies are on the NULL stream, in whose order a range is looked at, too:
     all other streams of libgomp's are ordered with it (inflight.h).
   - Nobody has written there meanwhile.  All that libgomp copies is seen
     (cuda.c), and where it frees the block.  Of a kernel, its region's tag says
     that it writes to its operands alone (abi.h, closed), and none of these
     shares a byte, on the host, with the variable of the range.  So the range
     must be what an operand has there, in a block of the pool's: kernels may
     write static variables.
   - Nobody else can write there: no other thread has used devices since
     (acr_construct_alone), and the program knows no address of the block.  It may
     have got one from libgomp, or in any way by which it can use it without
     libgomp (acr_address_known); or from a kernel of which we do not know what
     it stores (abi.h, closed), launched since the block was handed out.

   What is kept was sent from the very copy, or fetched to it: if the host's memory
   changes meanwhile, this is still what the device holds.  Data is fetched by a
   copy from there, behind all work that stock would wait for.

   To keep data costs one more copy of it, and to look at it what a copy costs.  So
   it is kept only when the range was not written between two copies and, of data
   that is sent, a sample was the same; and for each guess that did not pay the
   range is left alone for longer.

   LOCK guards all of it.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "memory/pool.h"
#include "transfer/address.h"
#include "transfer/policy/limit.h"
#include "transfer/object.h"
#include "transfer/readback.h"
#include "transfer/stream.h"
#include "transfer/unchanged.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum
{
  SETS = 32,
  WAYS = 4,
  WATCHED = 64,
  SAMPLES = 8, /* words */
  PAUSE_FIRST = 1,
  PAUSE_MAX = 1 << 8
};

enum state
{
  NEW,    /* nothing is known */
  SEEN,   /* not written since it was copied */
  HELD,   /* nor that, and BYTES is what it holds */
  WRITTEN /* it was SEEN or HELD */
};

struct range
{
  CUdeviceptr addr;
  size_t n;
  uint64_t block; /* it is in */
  enum state state;
  struct acr_bytes host; /* what may be of its variable on the host */
  char *bytes;
  bool sampled;
  uint64_t sample; /* of what was sent */
  bool paid;       /* a copy of what is kept was left out */
  unsigned rest;   /* copies that it is left alone for */
  unsigned pause;  /* how many next time */
  uint64_t used;
  unsigned place; /* in WATCHED, when it is SEEN or HELD */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range ranges[SETS][WAYS];
static struct range *watched[WATCHED];
static _Atomic unsigned nwatched;
static size_t total; /* bytes kept, or about to be */
static uint64_t copies;

/* The newest block that the program may know the address of.  */
static _Atomic uint64_t known_to;

/* ---- Ranges ------------------------------------------------------------ */

static void
drop_bytes (struct range *r)
{
  if (r->bytes)
    total -= r->n;
  free (r->bytes);
  r->bytes = NULL;
}

static bool
is_watched (const struct range *r)
{
  return r->state == SEEN || r->state == HELD;
}

/* R is in STATE, which is not watched.  */
static void
leave (struct range *r, enum state state)
{
  if (is_watched (r))
    {
      watched[r->place] = watched[--nwatched];
      watched[r->place]->place = r->place;
    }
  drop_bytes (r);
  r->state = state;
}

/* R, of which nothing is known, is what C copies from DATA, or to there, in block M.  */
static void
watch (struct range *r, struct acr_construct *c, const void *data,
       const struct acr_memory *m)
{
  if (nwatched == WATCHED)
    return;
  r->host = acr_object_around (c, data, r->addr, m);
  r->sampled = false;
  r->place = nwatched;
  r->state = SEEN;
  watched[nwatched++] = r;
}

/* To look at R did not pay.  */
static void
doubt (struct range *r)
{
  leave (r, NEW);
  r->rest = r->pause;
  if (r->pause < PAUSE_MAX)
    r->pause *= 4;
}

/* The N bytes at P of block number BLOCK.  */
static struct range *
find (CUdeviceptr p, size_t n, uint64_t block)
{
  uint64_t h = (p ^ n) * UINT64_C (0x9e3779b97f4a7c15);
  struct range *set = ranges[h >> 40 & (SETS - 1)], *r = set;
  for (unsigned i = 0; i < WAYS && (r->addr != p || r->n != n); i++)
    if ((set[i].addr == p && set[i].n == n) || set[i].used < r->used)
      r = &set[i];
  if (r->addr != p || r->n != n || r->block != block)
    {
      leave (r, NEW);
      *r = (struct range){ .addr = p,
                           .n = n,
                           .block = block,
                           .pause = PAUSE_FIRST };
    }
  r->used = ++copies;
  return r;
}

/* Something writes the N bytes at P.  The lock is held.  */
static void
changes (CUdeviceptr p, size_t n, const struct range *except)
{
  for (unsigned i = nwatched; i-- > 0;)
    if (watched[i] != except
        && acr_overlap (p, n, watched[i]->addr, watched[i]->n))
      leave (watched[i], WRITTEN);
}

/* ---- What is known of a range ------------------------------------------ */

/* Whether C copies an operand that was there, N bytes at P, in a block M that nobody
   else may write to, which are at DATA on the host, so that it may be worth to look.
   What is about to be freed is not.  */
static bool
applies (struct acr_construct *c, CUdeviceptr p, size_t n, const void *data,
         enum acr_way way, struct acr_memory *m)
{
  return c && n && n <= acr_limit (ACR_LIMIT_same)
         && !acr_opt_off (ACR_OPT_unchanged) && !acr_address_known ()
         && !acr_construct_place (c, p, n).block && !c->call->unmaps
         && acr_construct_operand (c, data, n, way)
         && acr_pool_memory (p, n, m) && m->serial > known_to;
}

/* Some of the N bytes at DATA.  */
static uint64_t
sample (const char *data, size_t n)
{
  uint64_t h = 0, word = 0;
  size_t each = n < sizeof word ? n : sizeof word;
  for (unsigned i = 0; i < SAMPLES; i++)
    {
      memcpy (&word, data + (n - each) / (SAMPLES - 1) * i, each);
      h = (h ^ word) * UINT64_C (0x9e3779b97f4a7c15);
      h ^= h >> 29;
    }
  return h;
}

/* Room for the bytes of R, or NULL.  */
static char *
make_room (const struct range *r)
{
  if (r->n > acr_env.unchanged_max - total)
    return NULL;
  char *copy = malloc (r->n);
  if (copy)
    total += r->n;
  return copy;
}

/* R, not watched, is copied.  Whether it is left alone.  */
static bool
rests (struct range *r)
{
  if (r->state == WRITTEN)
    doubt (r);
  if (!r->rest)
    return false;
  r->rest--;
  return true;
}

/* ---- Copies ------------------------------------------------------------ */

/* Data at SRC is sent to R, which is watched, or is there, when this is true.  What
   changes and then does not may do so again: then a copy to keep becomes *KEEP, if
   there is room.  */
static bool
send (struct range *r, const char *src, char **keep)
{
  bool held = r->state == HELD;
  if (held && !memcmp (r->bytes, src, r->n))
    {
      r->paid = true;
      r->pause = PAUSE_FIRST;
      return true;
    }
  uint64_t now = sample (src, r->n);
  if (held ? !r->paid : r->sampled && now != r->sample)
    {
      doubt (r);
      return false;
    }
  drop_bytes (r);
  r->state = SEEN;
  r->paid &= !held;
  if (held || r->sampled)
    *keep = make_room (r);
  if (*keep)
    memcpy (*keep, src, r->n);
  r->sampled = true;
  r->sample = now;
  return false;
}

/* R, which is watched, is fetched to DST; it has been copied there when this is true,
   else there may be room for it at *KEEP.  */
static bool
fetch (struct range *r, void *dst, char **keep)
{
  if (r->state == SEEN)
    {
      *keep = make_room (r);
      return false;
    }
  /* Behind what is still to be copied there.  */
  acr_stream_drain (ACR_ARRIVALS);
  acr_readback_changed (acr_construct_self (), r->addr, r->n);
  memcpy (dst, r->bytes, r->n);
  r->pause = PAUSE_FIRST;
  return true;
}

/* N bytes at P on the device are copied WAY, from DATA or to there.  Whether they need
   not be.  */
static bool
is_there (CUdeviceptr p, size_t n, void *data, enum acr_way way, char **keep)
{
  struct acr_construct *c = acr_construct_current ();
  struct acr_memory m;
  *keep = NULL;
  if (!applies (c, p, n, data, way, &m))
    {
      if (way == ACR_TO)
        acr_unchanged_changes (p, n);
      return false;
    }
  bool there = false;
  pthread_mutex_lock (&lock);
  struct range *r = acr_construct_alone () ? find (p, n, m.serial) : NULL;
  if (r && !is_watched (r) && !rests (r))
    {
      watch (r, c, data, &m);
      if (is_watched (r) && way == ACR_TO)
        send (r, data, keep);
    }
  else if (r && is_watched (r))
    there = way == ACR_TO ? send (r, data, keep) : fetch (r, data, keep);
  if (way == ACR_TO && !there)
    changes (p, n, r);
  pthread_mutex_unlock (&lock);
  return there;
}

bool
acr_unchanged_send (CUdeviceptr dst, const void *src, size_t n, char **keep)
{
  bool there = is_there (dst, n, (void *)src, ACR_TO, keep);
  acr_count (h2d_unchanged, there);
  return there;
}

bool
acr_unchanged_fetch (void *dst, CUdeviceptr src, size_t n, char **keep)
{
  bool there = is_there (src, n, dst, ACR_FROM, keep);
  acr_count (d2h_unchanged, there);
  return there;
}

void
acr_unchanged_keep (CUdeviceptr p, size_t n, char *copy, bool ok)
{
  if (!copy)
    return;
  struct acr_memory m = { 0 };
  acr_pool_memory (p, n, &m);
  pthread_mutex_lock (&lock);
  struct range *r = find (p, n, m.serial);
  if (ok && r->state == SEEN)
    {
      r->state = HELD;
      r->bytes = copy;
    }
  else
    {
      leave (r, NEW);
      total -= n;
      free (copy);
    }
  pthread_mutex_unlock (&lock);
}

/* ---- Changes ----------------------------------------------------------- */

void
acr_unchanged_changes (CUdeviceptr p, size_t n)
{
  if (!nwatched)
    return;
  pthread_mutex_lock (&lock);
  changes (p, n, NULL);
  pthread_mutex_unlock (&lock);
}

void
acr_unchanged_freed (CUdeviceptr p)
{
  struct acr_memory m;
  if (nwatched && acr_pool_memory (p, 1, &m))
    acr_unchanged_changes (m.begin, m.end - m.begin);
}

void
acr_unchanged_launch (void)
{
  if (acr_opt_off (ACR_OPT_unchanged))
    return;
  struct acr_construct *c = acr_construct_current ();
  const struct acr_region *r = c ? acr_call_closed (c->call) : NULL;
  if (!r)
    {
      uint64_t serial = acr_pool_serial ();
      pthread_mutex_lock (&lock);
      if (known_to < serial)
        known_to = serial;
      pthread_mutex_unlock (&lock);
      acr_unchanged_forget ();
      return;
    }
  if (!nwatched)
    return;
  pthread_mutex_lock (&lock);
  for (unsigned i = nwatched; i-- > 0;)
    if (acr_region_may_write (r, c->call, watched[i]->host))
      leave (watched[i], WRITTEN);
  pthread_mutex_unlock (&lock);
}

void
acr_unchanged_forget (void)
{
  acr_unchanged_changes (0, SIZE_MAX);
}

void
acr_unchanged_forked (void)
{
  pthread_mutex_init (&lock, NULL);
  memset (ranges, 0, sizeof ranges);
  nwatched = 0;
  total = 0;
}

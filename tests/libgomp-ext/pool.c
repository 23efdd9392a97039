/* The pool against a model of the driver.

   The model hands out addresses without memory behind them, has limited room,
   and completes work on streams only when it is waited for.  A random walk
   checks what the pool promises: blocks in use never overlap, ranges are as
   requested, memory is out only when the driver's is, and no block comes back
   while work that was submitted before its free is still running.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "interpose/submit.h"
#include "memory/pool.h"
#include "config.h"
#include "ext.h"
#include "tap.h"

#include <pthread.h>
#include <stdlib.h>

/* ---- What pool.c needs from the rest of the runtime ------------------------
 */

struct acr_env acr_env = { .pool_max = POOL_MAX_DEFAULT };
struct acr_counters acr_counters;
struct acr_driver acr_driver;

void
acr_warn (const char *fmt, ...)
{
  (void)fmt;
}

CUresult
acr_cuda_alloc (CUdeviceptr *p, size_t n)
{
  acr_count (allocs, 1);
  return acr_driver.mem_alloc (p, n);
}

CUresult
acr_cuda_free (CUdeviceptr p)
{
  acr_count (frees, 1);
  return acr_driver.mem_free (p);
}

/* ---- The model -------------------------------------------------------------
 */

#define NSTREAMS 4
#define MAXBLOCKS 4096

static pthread_mutex_t model = PTHREAD_MUTEX_INITIALIZER;
static struct
{
  CUdeviceptr p;
  size_t n;
} owned[MAXBLOCKS];
static unsigned nowned;
static size_t room, used;
static CUdeviceptr next_addr;
static __thread CUcontext context;

/* Work on stream S up to DONE[S] of SUBMITTED[S] is complete.  */
static unsigned submitted[NSTREAMS], done[NSTREAMS];

static void
complete_all (void)
{
  for (unsigned s = 0; s < NSTREAMS; s++)
    done[s] = submitted[s];
}

static CUresult
model_alloc (CUdeviceptr *p, size_t n)
{
  CUresult r = CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_lock (&model);
  if (!n)
    r = CUDA_ERROR_INVALID_VALUE;
  else if (n <= room - used && nowned < MAXBLOCKS)
    {
      owned[nowned].p = *p = next_addr;
      owned[nowned++].n = n;
      next_addr += (n + 511) & -512ul;
      used += n;
      r = CUDA_SUCCESS;
    }
  pthread_mutex_unlock (&model);
  return r;
}

static CUresult
model_free (CUdeviceptr p)
{
  CUresult r = CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock (&model);
  complete_all ();
  for (unsigned i = 0; i < nowned; i++)
    if (owned[i].p == p)
      {
        used -= owned[i].n;
        owned[i] = owned[--nowned];
        r = CUDA_SUCCESS;
        break;
      }
  pthread_mutex_unlock (&model);
  return r;
}

static CUresult
model_info (size_t *idle, size_t *total)
{
  pthread_mutex_lock (&model);
  *total = room;
  *idle = room - used;
  pthread_mutex_unlock (&model);
  return CUDA_SUCCESS;
}

static CUresult
model_current (CUcontext *c)
{
  *c = context;
  return CUDA_SUCCESS;
}

static unsigned context_waits;

static CUresult
model_wait (void)
{
  context_waits++;
  complete_all ();
  return CUDA_SUCCESS;
}

static uint64_t seed;

static unsigned
rnd (unsigned n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (seed >> 33) % n;
}

static CUstream
stream (unsigned s)
{
  return (CUstream)(uintptr_t)(0x1000 + s);
}

static void
reset (size_t bytes)
{
  acr_pool_context_destroyed (context);
  context = (CUcontext)0xc0;
  nowned = 0;
  used = 0;
  room = bytes;
  acr_pool_context_created (context);
  next_addr = 0x7f0000000000;
  memset (submitted, 0, sizeof submitted);
  memset (done, 0, sizeof done);
  acr_counters = (struct acr_counters){ 0 };
}

/* ---- Tests -----------------------------------------------------------------
 */

static void
test_reuse (void)
{
  CUdeviceptr a, b, first[8], again[8];
  reset ((size_t)4 << 30);
  ok_int (acr_pool_alloc (&a, 100), CUDA_SUCCESS, "a small block");
  ok_int (a % 256, 0, "aligned as the driver's");
  ok_int (acr_pool_free (a), CUDA_SUCCESS, "freed");
  acr_pool_alloc (&b, 300);
  ok (a == b, "handed out again to a request of the same class");
  acr_pool_free (b);
  ok_int (acr_counters.allocs, 1, "one driver allocation");
  ok_int (acr_counters.frees, 0, "no driver free");

  /* What an iteration of a program does, twice.  */
  static const size_t size[8]
      = { 24, 24, 4096, 16391, 98304 + 7, 98304 + 7, 3 << 20, 264 << 20 };
  for (int round = 0; round < 2; round++)
    {
      for (int i = 0; i < 8; i++)
        acr_pool_alloc (round ? &again[i] : &first[i], size[i]);
      for (int i = 0; i < 8; i++)
        acr_pool_free (round ? again[i] : first[7 - i]);
      if (!round)
        acr_counters.allocs = 0;
    }
  ok (!memcmp (first, again, sizeof first),
      "a repeated trace meets the same addresses");
  ok_int (acr_counters.allocs, 0, "and the driver sees none of it");

  /* Large blocks: a smaller request takes the cached one, a larger cannot.  */
  reset (1 << 30);
  acr_pool_alloc (&a, 200 << 20);
  acr_pool_free (a);
  acr_pool_alloc (&b, 180 << 20);
  ok (a == b, "a large block serves a somewhat smaller request");
  acr_pool_free (b);
  acr_pool_alloc (&b, 210 << 20);
  ok (a != b, "but not a larger one");
  acr_pool_free (b);
  acr_pool_alloc (&b, 120 << 20);
  ok (a != b, "nor one much smaller");
}

static void
test_range (void)
{
  CUdeviceptr a, base = 0;
  size_t n = 0;
  bool found;
  reset (1 << 30);
  acr_pool_alloc (&a, 1000);
  ok (acr_pool_range (&found, &base, &n, a + 999) && found && base == a
          && n == 1000,
      "an inner address gives the block as requested");
  ok (acr_pool_range (&found, NULL, NULL, a) && found,
      "both results are optional");
  ok (acr_pool_range (&found, &base, &n, a + 1000) && !found,
      "the slack behind a block is not in it");
  ok (!acr_pool_range (&found, &base, &n, 0x1234),
      "strangers are the driver's");
  ok_int (acr_pool_free (a + 8), CUDA_ERROR_INVALID_VALUE,
          "free inside a block");
  acr_pool_free (a);
  ok_int (acr_pool_free (a), CUDA_ERROR_INVALID_VALUE, "double free");
  ok (acr_pool_range (&found, &base, &n, a) && !found,
      "a freed block is gone");
  ok_int (acr_pool_free (0x1234), CUDA_ERROR_INVALID_VALUE,
          "freeing a stranger is the driver's to judge");
  ok_int (acr_pool_free (0), CUDA_SUCCESS, "freeing nothing");
  ok_int (acr_pool_alloc (&a, 0), CUDA_ERROR_INVALID_VALUE,
          "nothing to allocate");
  ok_int (acr_pool_alloc (&a, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY, "too much");
}

static void
test_limits (void)
{
  CUdeviceptr a[8], b;
  struct acr_pool_stats s0 = acr_pool_stats (), s;
  reset (800 << 20); /* keeps a quarter */
  for (int i = 0; i < 4; i++)
    acr_pool_alloc (&a[i], 100 << 20);
  for (int i = 0; i < 4; i++)
    acr_pool_free (a[i]);
  ok_int (used, 200 << 20, "a quarter of the device is kept");
  ok_int (acr_pool_idle (), 200 << 20, "and reported as free");
  s = acr_pool_stats ();
  ok_int (s.trims - s0.trims, 2, "the rest was given back");
  acr_pool_alloc (&b, 100 << 20);
  ok (b == a[2], "those longest idle went first");
  acr_pool_free (b);

  acr_pool_alloc (&b, 700 << 20);
  ok_int (used, 700 << 20,
          "out of memory gives the cache back and tries again");
  ok_int (acr_pool_alloc (&a[0], 200 << 20), CUDA_ERROR_OUT_OF_MEMORY,
          "then memory is really out");
  ok_int (acr_pool_alloc (&a[0], 100 << 20), CUDA_SUCCESS,
          "not for what is left");
  ok_int (acr_pool_alloc (&a[1], 8), CUDA_ERROR_OUT_OF_MEMORY,
          "to the last byte");
  acr_pool_free (b);
  acr_pool_free (a[0]);
  ok_int (used, 100 << 20, "a block above the limit goes back alone");
  acr_pool_trim ();
  ok_int (used, 0, "a trim gives everything back");

  reset (1000 << 10);
  ok_int (acr_pool_alloc (&a[0], 1000000), CUDA_SUCCESS,
          "what fits only unrounded is still served");
  ok_int (acr_pool_alloc (&a[1], 20000), CUDA_SUCCESS,
          "a small block where a slab has no room");
}

static void
test_order (void)
{
  CUdeviceptr a, b;
  struct acr_mark m;
  reset (1 << 30);
  acr_pool_stream_created (stream (0));
  acr_pool_stream_created (stream (1));

  acr_pool_alloc (&a, 1 << 20);
  acr_pool_submit (stream (0));
  acr_pool_free (a);
  acr_pool_alloc (&b, 1 << 20);
  ok (a != b, "no reuse under work in flight");
  acr_pool_free (b);
  m = acr_pool_mark (stream (0));
  acr_pool_submit (stream (0));
  acr_pool_passed (&m);
  acr_pool_alloc (&b, 1 << 20);
  ok (a == b, "reuse once the stream has passed, though it goes on");
  acr_pool_free (b);

  acr_pool_submit (stream (1));
  m = acr_pool_mark (stream (0));
  acr_pool_passed (&m);
  acr_pool_alloc (&a, 2 << 20);
  acr_pool_free (a);
  acr_pool_alloc (&b, 2 << 20);
  ok (a != b, "waiting for one stream says nothing about another");
  acr_pool_free (b);
  acr_pool_stream_destroyed (stream (1));
  acr_pool_alloc (&b, 2 << 20);
  ok (a != b, "nor does destroying it");
  acr_pool_free (b);
  m = acr_pool_mark_all ();
  acr_pool_passed (&m);
  acr_pool_alloc (&b, 2 << 20);
  ok (a == b, "waiting for the context does");
  acr_pool_free (b);

  context_waits = 0;
  acr_pool_alloc (&a, 4 << 20);
  acr_pool_free (a);
  ok_int (context_waits, 0, "frees do not wait");
  acr_pool_submit ((CUstream)0xbad);
  acr_pool_alloc (&a, 4 << 20);
  acr_pool_free (a);
  ok_int (context_waits, 1,
          "but they do once a stream of the program's was used");
}

static void
test_contexts (void)
{
  CUdeviceptr a, b;
  reset (1 << 30);
  acr_pool_alloc (&a, 1 << 20);
  acr_pool_free (a);
  context = (CUcontext)0xc1;
  acr_pool_context_created (context);
  acr_pool_alloc (&b, 1 << 20);
  ok (a != b, "contexts do not share memory");
  ok_int (acr_pool_idle (), 0, "nor what they keep");
  acr_pool_context_destroyed ((CUcontext)0xc1);
  bool found;
  ok (!acr_pool_range (&found, NULL, NULL, b),
      "a destroyed context is forgotten");
  context = (CUcontext)0xc0;
  acr_pool_alloc (&b, 1 << 20);
  ok (a == b, "the other one is not");

  /* A context that libgomp shares with the program, and leaves.  */
  context = (CUcontext)0xc2;
  context_waits = 0;
  CUdeviceptr c[3];
  for (int i = 0; i < 3; i++)
    acr_pool_alloc (&c[i], i ? 100 : 1 << 20);
  acr_pool_free (c[0]);
  acr_pool_free (c[1]);
  ok_int (context_waits, 2, "in a context of the program's frees wait");
  size_t before = used;
  acr_pool_context_left ();
  ok_int (before - used, 1 << 20,
          "what is kept goes back when libgomp leaves");
  ok (acr_pool_range (&found, NULL, NULL, c[2]) && found,
      "what is in use stays known");
  acr_pool_alloc (&c[1], 100);
  ok (c[1] - c[2] > 4096 && c[2] - c[1] > 4096,
      "but nothing of it is handed out again");
  acr_pool_free (c[2]);
  acr_pool_context_left ();
  acr_pool_free (c[1]);

  /* Addresses of a context that died unseen.  */
  acr_pool_alloc (&c[0], 1 << 20);
  nowned = 0;
  next_addr = c[0] - (1 << 20);
  context = (CUcontext)0xc3;
  acr_pool_alloc (&c[1], 3 << 20);
  CUdeviceptr base;
  ok (acr_pool_range (&found, &base, NULL, c[0]) && found && base == c[1],
      "belong to whom the driver gave them last");

  acr_pool_context_destroyed ((CUcontext)0xc2);
  acr_pool_context_destroyed (context);
  context = NULL;
  acr_driver.ctx_get_current = model_current;
  ok_int (acr_pool_alloc (&a, 100), CUDA_SUCCESS,
          "without a context the driver answers");
}

/* The random walk.  */

struct held
{
  CUdeviceptr p;
  size_t n;
};

/* Memory that was freed, and how far each stream had been submitted to.  */
struct gone
{
  CUdeviceptr p;
  size_t n;
  unsigned upto[NSTREAMS];
};

static size_t
random_size (void)
{
  switch (rnd (4))
    {
    case 0:
      return 1 + rnd (600);
    case 1:
      return 1 + rnd (70000);
    case 2:
      return 1 + rnd (5 << 20);
    default:
      return 1 + (size_t)rnd (100) * rnd (1 << 20);
    }
}

static void
test_walk (unsigned steps)
{
  enum
  {
    HELD = 200,
    GONE = 2000
  };
  static struct held held[HELD];
  static struct gone gone[GONE];
  unsigned nheld = 0, ngone = 0, wrong = 0, failed = 0, hits0;
  bool exists[NSTREAMS] = { false };
  /* Places, NPLACES of PLACE bytes, that were reserved once.  */
  CUdeviceptr places = 0;
  size_t place = 0;
  unsigned nplaces = 1, placed = 0;
  reset (600 << 20);
  hits0 = acr_pool_stats ().hits;

  for (unsigned step = 0; step < steps && !wrong; step++)
    {
      unsigned s = rnd (NSTREAMS);
      struct acr_mark m;
      struct held h;
      CUresult r;
      switch (rnd (15))
        {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4:
          if (nheld == HELD)
            break;
          h.n = random_size ();
          r = acr_pool_alloc (&h.p, h.n);
          if (r)
            {
              failed++;
              wrong += r != CUDA_ERROR_OUT_OF_MEMORY || h.n <= room - used;
              if (wrong)
                diag ("alloc %zu: %d, room %zu", h.n, r, room - used);
              break;
            }
        handed_out:
          for (unsigned i = 0; i < nheld; i++)
            wrong += h.p < held[i].p + held[i].n && held[i].p < h.p + h.n;
          for (unsigned i = 0; i < ngone; i++)
            if (h.p < gone[i].p + gone[i].n && gone[i].p < h.p + h.n)
              for (unsigned k = 0; k < NSTREAMS; k++)
                wrong += done[k] < gone[i].upto[k];
          if (wrong)
            diag ("step %u: %zu bytes overlap", step, h.n);
          held[nheld++] = h;
          break;
        case 12:
        case 13:
          h.p = places + rnd (nplaces) * place;
          h.n = 1 + rnd (2 * place + 1);
          if (nheld < HELD && acr_pool_alloc_at (h.p, h.n))
            {
              wrong += h.n > place;
              placed++;
              goto handed_out;
            }
          break;
        case 14:
          if (rnd (20))
            break;
          acr_pool_unreserve (places);
          place = (size_t)512 << rnd (10);
          nplaces = 1 + rnd (20);
          places = acr_pool_reserve (place, nplaces);
          break;
        case 5:
        case 6:
        case 7:
        case 8:
          if (!nheld)
            break;
          unsigned i = rnd (nheld);
          struct gone g = { held[i].p, held[i].n, { 0 } };
          memcpy (g.upto, submitted, sizeof submitted);
          gone[ngone % GONE] = g;
          ngone = ngone < GONE ? ngone + 1 : GONE;
          if (ngone == GONE)
            memmove (gone, gone + 1, --ngone * sizeof *gone);
          wrong += acr_pool_free (held[i].p) != CUDA_SUCCESS;
          held[i] = held[--nheld];
          break;
        case 9:
          if (!exists[s])
            acr_pool_stream_created (stream (s));
          exists[s] = true;
          submitted[s]++;
          acr_pool_submit (stream (s));
          break;
        case 10:
          /* Sometimes the stream goes on while it is waited for.  */
          m = acr_pool_mark (stream (s));
          unsigned now = submitted[s];
          if (exists[s] && rnd (2))
            {
              submitted[s]++;
              acr_pool_submit (stream (s));
            }
          done[s] = now;
          acr_pool_passed (&m);
          break;
        case 11:
          if (rnd (8) == 0)
            {
              m = acr_pool_mark_all ();
              complete_all ();
              acr_pool_passed (&m);
            }
          else if (exists[s] && rnd (4) == 0)
            {
              acr_pool_stream_destroyed (stream (s));
              exists[s] = false;
            }
          else if (nheld)
            {
              CUdeviceptr base;
              size_t n, k = rnd (nheld);
              bool found;
              wrong += !acr_pool_range (&found, &base, &n,
                                        held[k].p + rnd (held[k].n))
                       || !found || base != held[k].p || n != held[k].n;
            }
          break;
        }
    }
  ok_int (wrong, 0, "random walk of %u steps", steps);
  diag ("%u out of memory, %u hits", failed,
        (unsigned)(acr_pool_stats ().hits - hits0));
  ok (failed && acr_pool_stats ().hits > hits0 && placed > steps / 1000,
      "it went everywhere, and %u times to a place", placed);
  while (nheld)
    acr_pool_free (held[--nheld].p);
  acr_pool_trim ();
  ok_int (used, 0, "nothing is lost");
}

/* Threads with a device each, and two that share one.  */

static void *
worker (void *arg)
{
  uintptr_t id = (uintptr_t)arg;
  struct held held[16] = { { 0 } };
  uint64_t x = id * 0x9e3779b97f4a7c15u + 1;
  uintptr_t wrong = 0;
  context = (CUcontext)(0xd0 + id / 2);
  acr_pool_context_created (context);
  for (unsigned step = 0; step < 20000; step++)
    {
      x = x * 6364136223846793005u + 1442695040888963407u;
      struct held *h = &held[x >> 60];
      CUdeviceptr base;
      size_t n;
      bool found;
      if (!h->n)
        {
          h->n = 1 + (x >> 33) % (x >> 32 & 1 ? 4000 : 300000);
          if (acr_pool_alloc (&h->p, h->n))
            h->n = 0;
        }
      else if (x >> 32 & 1)
        {
          wrong += !acr_pool_range (&found, &base, &n, h->p + h->n - 1)
                   || !found || base != h->p || n != h->n;
        }
      else
        {
          wrong += acr_pool_free (h->p) != CUDA_SUCCESS;
          h->n = 0;
        }
    }
  for (unsigned i = 0; i < 16; i++)
    if (held[i].n)
      wrong += acr_pool_free (held[i].p) != CUDA_SUCCESS;
  acr_pool_trim ();
  return (void *)wrong;
}

static void
test_threads (void)
{
  enum
  {
    N = 4
  };
  pthread_t t[N];
  uintptr_t wrong = 0;
  reset (40 << 20);
  for (uintptr_t i = 0; i < N; i++)
    pthread_create (&t[i], NULL, worker, (void *)i);
  for (unsigned i = 0; i < N; i++)
    {
      void *w;
      pthread_join (t[i], &w);
      wrong += (uintptr_t)w;
    }
  ok_int (wrong, 0, "threads");
  for (unsigned i = 0; i < N / 2; i++)
    {
      context = (CUcontext)(uintptr_t)(0xd0 + i);
      acr_pool_trim ();
      acr_pool_context_destroyed (context);
    }
  ok_int (used, 0, "nothing is lost");
}

int
main (int argc, char **argv)
{
  unsigned steps = argc > 1 ? atoi (argv[1]) : 200000;
  seed = argc > 2 ? atoi (argv[2]) : 1;
  acr_driver.mem_alloc = model_alloc;
  acr_driver.mem_free = model_free;
  acr_driver.mem_get_info = model_info;
  acr_driver.ctx_get_current = model_current;
  acr_driver.ctx_synchronize = model_wait;
  test_reuse ();
  test_range ();
  test_limits ();
  test_order ();
  test_contexts ();
  test_walk (steps);
  test_threads ();
  return done_testing ();
}

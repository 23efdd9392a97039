/* Whether a host loop over regions is executed by its kernel or by the host; see
   resident-choice.h.

   The kernel gains the launches and what the host waits for between them.  It
   loses where the regions' own kernels are faster: these have forms and
   geometries of their own, and blocks that need not all be on the GPU at once.
   On an H200 a region of the kernel's took 2.5 us and half as long again as the
   region's own kernel; the host needs 5 us for a region, or 15 where it waits for
   a result.  So before anything is known, the kernel is taken where the regions'
   data fit into the GPU's second-level cache, or, where the host need not wait
   between regions, into a part of that.  A chain's regions are so small that the kernel
   is taken in any case.

   A loop that comes again is measured: after some executions, the host and the
   kernel take turns.  The first turn of each is not counted, as its kernels
   may be new to the GPU; the best time of a region is.  Then the kernel has other grids
   (grid-walk.h), where the results are the same to the last bit, if it is not so much
   slower than the host that no grid would make up for that.  What was found is kept
   on disk (choice.h).  Sizes of data are part of what is known of a loop, as
   levels of a grid hierarchy are one loop in the program.

   Where the host is the choice again and again, the construct of the kernel is
   not even begun, but for once in a while.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/resident/resident-choice.h"

#include "base/fork.h"
#include "base/hash.h"
#include "ext.h"
#include "interpose/construct.h"
#include "interpose/events.h"
#include "interpose/submit.h"
#include "launch/choice.h"
#include "launch/gpu.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/resident/resident-late.h"
#include "memory/pool.h"
#include "transfer/object.h"

enum
{
  LOOPS = 64,
  SITES = 64, /* a power of two */
  FEW = 3,    /* executions that nothing is learned of */
  TURNS = 4,  /* of each way; the first is not counted */
  PARTS = 5, /* of the cache */
  IN_A_ROW = 8,
  ONCE_IN = 64
};

/* What is not the first choice is taken when it takes less than this part of the time
   of that.  */
#define MARGIN 0.98

/* A grid is not looked for where the kernel takes as many times as long as the host.  */
#define HOPELESS 2

/* A choice is one of 64 (choice.h).  */
_Static_assert (ACR_LOOP_WAYS <= 64, "too many ways");

struct loop
{
  uint64_t code, data; /* of its kernel, and sizes of what it accesses */
  bool looked;         /* for what is on disk of it */
  unsigned executions, without; /* while its kernel was there, and was not */
  bool grids;          /* there are others */
  unsigned first;      /* choice */
  bool settled;
  unsigned at;         /* choice when settled */
  double best[ACR_LOOP_GRIDS]; /* microseconds a region; 0: not known */
  struct acr_walk walk;
  uint64_t used;
};

/* How often the host was the settled choice where SITE was asked for last.  */
struct site
{
  const void *site;
  unsigned row, left_out;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loop loops[LOOPS];
static struct site sites[SITES];
static uint64_t now; /* executions, ever */

ACR_FORK_KEEPS (lock)

/* A loop that the thread has come to.  */
struct loop_turn
{
  const void *state, *site;
  uint64_t code, data;
  unsigned way;
  bool timed;
  double start; /* microseconds */
  unsigned long long launches;
};

/* The last two: where rounds may be executed beside each other, there are two kernels
   for a loop, and the second is what the choice of the first one may leave it to.  */
static __thread struct loop_turn turns[2]
    __attribute__ ((tls_model ("initial-exec")));
static __thread struct loop_turn *current
    __attribute__ ((tls_model ("initial-exec")));

static __thread unsigned long long launches
    __attribute__ ((tls_model ("initial-exec")));

void
acr_resident_counts (unsigned long long regions)
{
  launches += regions;
  acr_resident_goes_on ();
}

/* Let the loop of STATE be the current one, which it may not have been yet.  */
static void
turn_to (const void *state)
{
  struct loop_turn *other = current == turns ? turns + 1 : turns;
  if (current && current->state == state)
    return;
  if (other->state != state)
    *other = (struct loop_turn){ .state = state };
  current = other;
}

/* ---- What is known of a loop ------------------------------------------- */

/* The record of these, or a new one in place of that not used for the longest.  */
static struct loop *
loop_of (uint64_t code, uint64_t data)
{
  struct loop *oldest = loops;
  for (struct loop *l = loops; l < loops + LOOPS; l++)
    if (l->code == code && l->data == data)
      return l;
    else if (l->used < oldest->used)
      oldest = l;
  *oldest = (struct loop){ .code = code, .data = data };
  return oldest;
}

static struct acr_choice_key
key_of (const struct loop *l)
{
  unsigned ways = l->grids ? ACR_LOOP_WAYS : ACR_LOOP_GRIDS;
  return (struct acr_choice_key){
    "resident 3", l->code, { l->data }, ((uint64_t)1 << ways) - 1
  };
}

/* What the kernel of L takes a region, by the fastest of its grids.  */
static double
best_of_kernel (const struct loop *l)
{
  return l->walk.begun ? l->walk.best[l->walk.at] : l->best[ACR_LOOP_KERNEL];
}

/* Settle L by what was measured.  */
static void
settle (struct loop *l)
{
  double host = l->best[ACR_LOOP_HOST], kernel = best_of_kernel (l);
  bool hosts = l->first == ACR_LOOP_HOST ? !(kernel < MARGIN * host)
                                         : host < MARGIN * kernel;
  bool grid = l->walk.begun && kernel < MARGIN * l->best[ACR_LOOP_KERNEL];
  l->settled = true;
  l->at = hosts ? ACR_LOOP_HOST
          : grid ? ACR_LOOP_GRIDS + l->walk.at
                 : ACR_LOOP_KERNEL;
  struct acr_choice_key key = key_of (l);
  acr_choice_keep (&key, l->at);
  acr_debug (1, "resident: the %s%s, %.2f us a region by the kernel, %.2f by the host,"
             " %.2f by the best of %u grids",
             hosts ? "host's loop" : "kernel", grid && !hosts ? ", with another grid" : "",
             l->best[ACR_LOOP_KERNEL], host, kernel, l->walk.grids + 1);
}

/* What executes L now, whose first ways have taken their turns.  */
static unsigned
turn_of_grid (struct loop *l, bool *timed)
{
  double kernel = l->best[ACR_LOOP_KERNEL], host = l->best[ACR_LOOP_HOST];
  unsigned grid;
  if (kernel <= 0 || host <= 0)
    return l->first;
  if (l->grids && kernel < HOPELESS * host)
    {
      if (!l->walk.begun)
        acr_walk_begin (&l->walk, kernel);
      *timed = acr_walk_next (&l->walk, &grid);
      if (*timed)
        return ACR_LOOP_GRIDS + grid;
    }
  settle (l);
  return l->at;
}

/* What executes L now; whether it is timed to *TIMED.  */
static unsigned
turn_of (struct loop *l, bool *timed)
{
  *timed = false;
  if (l->settled)
    return l->at;
  if (l->executions <= FEW)
    return l->first;
  unsigned turn = l->executions - FEW - 1;
  if (turn >= ACR_LOOP_GRIDS * TURNS)
    return turn_of_grid (l, timed);
  *timed = turn >= ACR_LOOP_GRIDS;
  return turn % ACR_LOOP_GRIDS;
}

/* Would the kernel of L, which is not there, execute it, now or in its turn?  */
static bool
is_wanted (struct loop *l)
{
  return l->settled ? l->at != ACR_LOOP_HOST
                    : l->first != ACR_LOOP_HOST || ++l->without > FEW;
}

/* ---- What a loop depends on -------------------------------------------- */

/* The bytes of the objects that the construct of L accesses; of each of them,
   the size to *HASH.  */
static uint64_t
data_of (const struct acr_launch *l, uint64_t *hash)
{
  struct acr_construct *c = acr_construct_current ();
  uint64_t all = 0;
  *hash = 0;
  for (size_t i = 0; c && l->words && i < l->nwords && i < c->call->n; i++)
    {
      struct acr_memory m;
      if (!acr_pool_memory (l->words[i], 1, &m))
        continue;
      struct acr_bytes o
          = acr_object_around (c, c->call->hostaddrs[i], l->words[i], &m);
      uint64_t bytes = o.end - o.begin;
      all += bytes;
      *hash = acr_hash (*hash, &bytes, sizeof bytes);
    }
  return all;
}

bool
acr_resident_has_many (const struct acr_launch *l)
{
  /* Of numbers of four bytes.  */
  uint64_t hash;
  return data_of (l, &hash) / 4 >= l->kernel->trips;
}

/* Does so much fit into one of PARTS equal parts of the current GPU's second-level
   cache?  */
static bool
is_cached (uint64_t bytes, unsigned parts)
{
  int cache;
  return !acr_gpu_attribute (&cache, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)
         || bytes <= (unsigned)cache / parts;
}

/* ---- Sites -------------------------------------------------------------- */

static struct site *
site_of (const void *site)
{
  return &sites[acr_hash (0, &site, sizeof site) & (SITES - 1)];
}

bool
acr_resident_asks (const void *state, const void *site)
{
  bool worth = true;
  turn_to (state);
  current->site = site;
  current->timed = false;
  pthread_mutex_lock (&lock);
  struct site *s = site_of (site);
  if (s->site != site)
    *s = (struct site){ .site = site };
  else if (s->row >= IN_A_ROW)
    worth = ++s->left_out % ONCE_IN == 0;
  pthread_mutex_unlock (&lock);
  return worth;
}

/* The site that was asked for has HOST as the settled choice, or not.  */
static void
note_site (bool host)
{
  struct site *s = site_of (current->site);
  if (s->site == current->site)
    s->row = host ? s->row + 1 : 0;
}

/* ---- Time --------------------------------------------------------------- */

/* Let the GPU have nothing else to do when the clock is read.  */
static bool
wait (void)
{
  acr_events->flushes ();
  return !acr_cuda_wait (NULL);
}

static void
start (void)
{
  current->timed &= wait ();
  current->launches = launches;
  current->start = acr_now_us ();
}

unsigned
acr_resident_work (void)
{
  /* The construct has begun: the host's copy of the state is as it went.  */
  const unsigned long long *state = current ? current->state : NULL;
  return state ? state[ACR_RESIDENT_COUNT] >> 32 : 0;
}

enum acr_loop_way
acr_resident_picks (const struct acr_launch *l, bool there, bool others)
{
  uint64_t code = l->kernel->code;
  if (!current)
    return ACR_LOOP_KERNEL;
  uint64_t bytes = data_of (l, &current->data);
  const struct acr_region *r = acr_kernel_region (l->kernel);
  unsigned parts = r->resident > 1 ? 1 : PARTS;
  unsigned first = r->chain || is_cached (bytes, parts) ? ACR_LOOP_KERNEL
                                                        : ACR_LOOP_HOST;
  current->way = first;
  current->code = code;
  if (!code || acr_opt_off (ACR_OPT_tune))
    return first;
  pthread_mutex_lock (&lock);
  struct loop *loop = loop_of (code, current->data);
  loop->used = ++now;
  loop->first = first;
  loop->grids = others;
  if (!loop->looked)
    {
      struct acr_choice_key key = key_of (loop);
      loop->looked = true;
      loop->settled = acr_choice_find (&key, &loop->at);
    }
  if (!there)
    {
      bool would = is_wanted (loop);
      current->way = ACR_LOOP_HOST;
      pthread_mutex_unlock (&lock);
      return would ? ACR_LOOP_KERNEL : ACR_LOOP_HOST;
    }
  loop->executions++;
  current->way = turn_of (loop, &current->timed);
  note_site (loop->settled && current->way == ACR_LOOP_HOST);
  pthread_mutex_unlock (&lock);
  if (current->timed && current->way != ACR_LOOP_HOST)
    start ();
  return current->way;
}

enum acr_loop_way
acr_resident_picks_again (void)
{
  pthread_mutex_lock (&lock);
  struct loop *l = loop_of (current->code, current->data);
  acr_walk_cannot (&l->walk, current->way - ACR_LOOP_GRIDS);
  /* What was on disk is of another driver's.  */
  if (l->settled)
    l->at = ACR_LOOP_KERNEL;
  current->way = turn_of (l, &current->timed);
  pthread_mutex_unlock (&lock);
  if (current->timed && current->way != ACR_LOOP_HOST)
    start ();
  return current->way;
}

void
acr_resident_is_refused (void)
{
  if (!current || !current->code)
    return;
  pthread_mutex_lock (&lock);
  struct loop *l = loop_of (current->code, current->data);
  if (current->way >= ACR_LOOP_GRIDS && !l->settled)
    acr_walk_cannot (&l->walk, current->way - ACR_LOOP_GRIDS);
  else
    {
      /* In this process: another one may have more room.  */
      l->settled = true;
      l->at = ACR_LOOP_HOST;
    }
  current->timed = false;
  pthread_mutex_unlock (&lock);
}

bool
acr_resident_left (const void *state)
{
  turn_to (state);
  bool timed = current->timed && current->way == ACR_LOOP_HOST;
  current->timed = timed;
  if (timed)
    start ();
  return current->timed;
}

void
acr_resident_ended (const void *state, unsigned long long regions)
{
  turn_to (state);
  if (!current->timed)
    return;
  current->timed = false;
  if (current->way == ACR_LOOP_HOST && !wait ())
    return;
  double us = acr_now_us () - current->start;
  if (!regions)
    regions = launches - current->launches;
  if (!regions)
    return;
  pthread_mutex_lock (&lock);
  struct loop *l = loop_of (current->code, current->data);
  us /= regions;
  if (current->way >= ACR_LOOP_GRIDS)
    acr_walk_took (&l->walk, current->way - ACR_LOOP_GRIDS, us);
  else if (!l->best[current->way] || us < l->best[current->way])
    l->best[current->way] = us;
  pthread_mutex_unlock (&lock);
}

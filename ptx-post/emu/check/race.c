/* Data races: two accesses to one byte by different threads of a launch, one
   of them a write, neither an operation that orders, and nothing that orders
   the two.  A write that changes nothing, or writes what another thread writes
   as well, is let be: libgomp's teams set global variables so, and programs
   set flags.

   An access belongs to a segment: what a warp does from one barrier or release
   to the next.  A segment knows its block, warp, and two times: the warp's
   clock, which counts these, and a time that moves with every release of any
   warp.  A cell of shadow memory
   names, for 4 bytes, the segment, instruction and lane of the last write and
   of two reads.

   What orders an earlier access A with a later one B (`ordered'):
   - In a warp, always: lanes are taken to run in step and to meet again behind
     what they did apart, as GCC does; all that can race are lanes that store
     at once (check.c).
   - In a block, barriers: each warp knows up to which clock of every other
     warp it has been told (a vector clock).
   - Anywhere, operations that order (atomic, volatile, relaxed or stronger):
     each is an acquire and a release.  Exact clocks for all locations would be
     large; instead, B is after A when A has been released, by its warp or one
     that was told (another block: when A's block has released anything since),
     and B's warp has acquired something that was released after A.  This says
     `ordered' in some cases where it is not so (locks that have nothing to do
     with one another), never the other way round.

   Operations that order race with nothing, nor do plain accesses to a word
   that the launch uses so (emu_race_orders).  Launches that run at once may
   take that mark of the word from each other; so a record says by itself that
   it was such an access.

   Data that a launch loads through the read-only path (ld.global.nc) it must
   not write at all, ordered or not: the cache there is not told.

   Accesses of different launches are not compared, nor those that are both in
   units without a kernel.  These are libraries: GCC compiles a program to one
   unit and links libgomp's to it, whose thread pool and tasks have races that
   C forbids and that its users can do nothing about.

   After: Flanagan and Freund, "FastTrack: efficient and precise dynamic race
   detection", PLDI 2009; the PTX ISA's memory consistency model (chapter 8).

   Owner and lock: a block's watch belongs to the thread that runs the block.
   Cells are read and written without a lock, each record in one piece; a
   record that another thread has just replaced may be missed.  Segments never
   change once they are in a cell.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check/check.h"
#include "ptx/ptx.h"

enum
{
  MAX_WARPS = 32,
  CHUNK = 4096,			/* segments */
  CHUNKS = 1 << 20,
  MAX_SITES = 1 << 21,
  STUCK_SECONDS = 5
};

struct segment
{
  uint64_t time;
  uint32_t cta, warp, clock;
};

/* Segments by number, CHUNK at a time; 0 is none.  A chunk goes with its
   launch, its numbers are not used again.  */
static struct chunk
{
  uint64_t launch;		/* gridid */
  struct segment *segment;
} chunks[CHUNKS];
static uint32_t nchunks = 1;

static uint64_t last_release;	/* time, of all launches; atomic */

/* Of one launch.  */
struct emu_launch_watch
{
  uint64_t *released;		/* by block: time of its last release */
  size_t bytes;			/* of RELEASED */
  uint64_t moved;		/* worked's: somebody made progress */
  struct own_chunk { struct own_chunk *next; uint32_t n; } *own; /* atomic */
};

struct knowledge
{
  uint32_t clock[MAX_WARPS];	/* of each warp: what it did up to then */
  uint64_t acquired;		/* time of the latest release known */
};

struct warp_watch
{
  uint32_t segment;		/* that runs, or 0 */
  uint32_t clock;		/* its own */
  struct knowledge known;
  struct emu_pending pending;
};

/* Of one block after the other.  */
struct emu_watch
{
  struct emu_shadow shared;
  size_t shared_bytes;
  bool touched;			/* the block has used its shared memory */
  uint32_t next, end;		/* segments to be used */
  uint64_t changes, seen;	/* of memory; those up to the last look */
  struct knowledge at[BARRIERS]; /* of those who have arrived */
  struct knowledge released;	/* by anyone in the block */
  struct warp_watch warp[MAX_WARPS];
};

/* ---- Sites ------------------------------------------------------------- */

/* By number; 0 is unknown.  The statements may be gone for those of launches
   that have ended.  */
static struct site
{
  const struct ptx_stmt *stmt;
  bool library;
  bool readonly;		/* a load through the read-only path */
} *sites;
static uint32_t nsites;

uint32_t
emu_check_site (const struct ptx_stmt *stmt, bool library)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock (&lock);
  if (!sites)
    sites = emu_zalloc (MAX_SITES * sizeof *sites);
  uint32_t n = 0;
  if (sites && nsites + 1 < MAX_SITES)
    sites[n = ++nsites]
      = (struct site){ stmt, library, ptx_insn_has (stmt->insn, PTX_M_NC) };
  pthread_mutex_unlock (&lock);
  return n;
}

/* ---- Launches and blocks ----------------------------------------------- */

/* How long the process has worked, nanoseconds: who is to say that nobody can go
   on must not count what a loaded machine gives to others.  */
static uint64_t
worked (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

void
emu_check_launch (struct launch *launch)
{
  if (!emu_checking ())
    return;
  emu_shadow_begin ();
  struct emu_launch_watch *lw = calloc (1, sizeof *lw);
  if (lw && launch->ctas <= UINT32_MAX)
    {
      lw->bytes = launch->ctas * sizeof *lw->released;
      lw->released = emu_zalloc (lw->bytes);
    }
  if (lw && lw->released)
    {
      lw->moved = worked ();
      launch->watch = lw;
    }
  else
    free (lw);
}

void
emu_check_launched (struct launch *launch)
{
  struct emu_launch_watch *lw = launch->watch;
  if (!emu_checking ())
    return;
  while (lw && lw->own)
    {
      struct own_chunk *o = lw->own;
      lw->own = o->next;
      free (chunks[o->n].segment);
      chunks[o->n] = (struct chunk){ 0 };
      free (o);
    }
  if (lw)
    emu_zfree (lw->released, lw->bytes);
  free (lw);
  emu_shadow_end ();
}

static size_t
bits_bytes (size_t shared)
{
  return (shared + 63) / 64 * sizeof (uint64_t);
}

static size_t
cells_bytes (size_t shared)
{
  return (shared + 3) / 4 * sizeof (struct emu_cell);
}

struct emu_watch *
emu_check_cta (const struct cta *cta)
{
  if (!cta->launch->watch)
    return NULL;
  assert (cta->nwarps <= MAX_WARPS);
  struct emu_watch *v = calloc (1, sizeof *v);
  if (!v)
    return NULL;
  v->shared_bytes = cta->shared_bytes;
  v->shared.written = emu_zalloc (bits_bytes (v->shared_bytes));
  v->shared.cell = emu_zalloc (cells_bytes (v->shared_bytes));
  if (v->shared.written)
    return v;
  emu_check_cta_end (v);
  return NULL;
}

void
emu_check_cta_end (struct emu_watch *v)
{
  if (!v)
    return;
  emu_zfree (v->shared.written, bits_bytes (v->shared_bytes));
  emu_zfree (v->shared.cell, cells_bytes (v->shared_bytes));
  free (v);
}

void
emu_check_cta_begin (struct cta *cta)
{
  struct emu_watch *v = cta->watch;
  if (!v)
    return;
  if (v->touched)
    {
      memset (v->shared.written, 0, bits_bytes (v->shared_bytes));
      if (v->shared.cell)
	memset (v->shared.cell, 0, cells_bytes (v->shared_bytes));
      v->touched = false;
    }
  memset (v->at, 0, sizeof v->at);
  memset (&v->released, 0, sizeof v->released);
  memset (v->warp, 0, sizeof v->warp);
  for (unsigned k = 0; k < cta->nwarps; k++)
    v->warp[k].clock = 1;
  emu_race_progress (cta->warp);
}

struct emu_shadow *
emu_watch_shared (const struct cta *cta)
{
  cta->watch->touched = true;
  return &cta->watch->shared;
}

struct emu_pending *
emu_watch_pending (const struct warp *w)
{
  return &w->cta->watch->warp[w->id].pending;
}

/* ---- Segments ---------------------------------------------------------- */

static uint64_t
load (const uint64_t *p)
{
  return __atomic_load_n (p, __ATOMIC_RELAXED);
}

static struct segment *
segment (uint32_t n)
{
  return &chunks[n / CHUNK].segment[n % CHUNK];
}

/* Give V more segments; false: there are none.  */
static bool
more_segments (struct emu_watch *v, struct launch *launch)
{
  struct emu_launch_watch *lw = launch->watch;
  if (__atomic_load_n (&nchunks, __ATOMIC_RELAXED) >= CHUNKS)
    return false;
  struct own_chunk *o = malloc (sizeof *o);
  struct segment *s = malloc (CHUNK * sizeof *s);
  uint32_t n = o && s ? __atomic_fetch_add (&nchunks, 1, __ATOMIC_RELAXED)
		      : CHUNKS;
  if (n >= CHUNKS)
    {
      free (o);
      free (s);
      return false;
    }
  chunks[n] = (struct chunk){ launch->gridid, s };
  o->n = n;
  o->next = __atomic_load_n (&lw->own, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n (&lw->own, &o->next, o, true,
				       __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
  v->next = n * CHUNK;
  v->end = v->next + CHUNK;
  return true;
}

/* The segment that W is in; 0: no more.  */
static uint32_t
own_segment (struct warp *w)
{
  struct emu_watch *v = w->cta->watch;
  struct warp_watch *ww = &v->warp[w->id];
  if (ww->segment)
    {
      const struct segment *s = segment (ww->segment);
      if (s->clock == ww->clock)
	return ww->segment;
    }
  if (v->next == v->end && !more_segments (v, w->cta->launch))
    return 0;
  ww->segment = v->next++;
  *segment (ww->segment)
    = (struct segment){ load (&last_release), (uint32_t) w->cta->index, w->id,
			ww->clock };
  return ww->segment;
}

/* ---- Records ----------------------------------------------------------- */

/* One of several writes of the same value; an operation that orders, or counted
   as one.  */
#define EQUAL ((uint64_t) 1 << 9)
#define ORDERS ((uint64_t) 1 << 10)

/* Segment, site, lane and set of bytes.  */
static uint64_t
record (uint32_t segment, uint32_t site, unsigned lane, unsigned bytes)
{
  return (uint64_t) segment << 32 | (uint64_t) site << 11 | lane << 4 | bytes;
}

static uint32_t
record_site (uint64_t r)
{
  return r >> 11 & (MAX_SITES - 1);
}

static unsigned
record_lane (uint64_t r)
{
  return r >> 4 & 31;
}

/* Add what B knows to A.  */
static void
join (struct knowledge *a, const struct knowledge *b)
{
  for (unsigned k = 0; k < MAX_WARPS; k++)
    if (b->clock[k] > a->clock[k])
      a->clock[k] = b->clock[k];
  if (b->acquired > a->acquired)
    a->acquired = b->acquired;
}

/* ---- Order ------------------------------------------------------------- */

/* Whether R is a record, and of the launch that W is in.  */
static bool
of_launch (const struct warp *w, uint64_t r)
{
  uint32_t n = (uint32_t) (r >> 32);
  return chunks[n / CHUNK].launch == w->cta->launch->gridid;
}

/* Whether what R says happened before what W does now; also when it was in
   another launch, or R is none.  */
static bool
ordered (const struct warp *w, uint64_t r)
{
  const struct launch *launch = w->cta->launch;
  const struct emu_watch *v = w->cta->watch;
  uint32_t n = (uint32_t) (r >> 32);
  if (!of_launch (w, r))
    return true;
  const struct segment *s = segment (n);
  const struct knowledge *known = &v->warp[w->id].known;
  if (s->cta != w->cta->index)
    return known->acquired > s->time
	   && load (&launch->watch->released[s->cta]) > s->time;
  if (s->warp == w->id || known->clock[s->warp] >= s->clock)
    return true;
  return known->acquired > s->time && v->released.clock[s->warp] >= s->clock;
}

static struct emu_conflict
conflict_with (enum emu_finding kind, uint64_t r, bool write)
{
  const struct segment *s = segment ((uint32_t) (r >> 32));
  return (struct emu_conflict){ kind, write, sites[record_site (r)].stmt,
				s->cta, s->warp, record_lane (r) };
}

/* Whether what W does at site I->f races with what R says, *C.  */
static bool
conflict (const struct warp *w, const struct insn *i, uint64_t r,
	  unsigned bytes, bool write, struct emu_conflict *c)
{
  if (!(r & bytes) || r & ORDERS || ordered (w, r))
    return false;
  *c = conflict_with (EMU_RACE, r, write);
  return !(sites[record_site (r)].library && sites[i->f].library);
}

/* Whether one of I and what the launch of W did before, according to CELL, is
   a load of BYTES through the read-only path and the other one changes them.  */
static bool
stale (const struct warp *w, const struct insn *i, const struct emu_cell *cell,
       unsigned bytes, struct emu_conflict *c)
{
  uint64_t r = load (&cell->write);
  bool found = sites[i->f].readonly && !(r & EQUAL) && (r & bytes)
	       && of_launch (w, r);
  if (found)
    *c = conflict_with (EMU_STALE, r, true);
  for (unsigned k = 0; k < 2 && !found && i->flags & CHECK_WRITE; k++)
    {
      r = load (&cell->read[k]);
      found = (r & bytes) && of_launch (w, r) && sites[record_site (r)].readonly;
      if (found)
	*c = conflict_with (EMU_STALE, r, false);
    }
  return found;
}

static void
note_write (struct emu_cell *cell, uint64_t r, uint32_t value)
{
  __atomic_store_n (&cell->value, value, __ATOMIC_RELAXED);
  __atomic_store_n (&cell->write, r, __ATOMIC_RELEASE);
}

bool
emu_race (struct warp *w, const struct insn *i, unsigned l, struct emu_cell *cell,
	  unsigned bytes, uint32_t value, bool same, struct emu_conflict *c)
{
  uint32_t mine = own_segment (w);
  if (!mine || !i->f)
    return false;
  uint64_t r = record (mine, i->f, l, bytes);
  uint64_t before = __atomic_load_n (&cell->write, __ATOMIC_ACQUIRE);
  bool race = conflict (w, i, before, bytes, true, c);
  if (i->flags & CHECK_WRITE)
    {
      uint32_t there = __atomic_load_n (&cell->value, __ATOMIC_RELAXED);
      same |= race && !((there ^ value) & emu_bits_of (bytes & before));
      for (unsigned k = 0; k < 2; k++)
	race = race || conflict (w, i, load (&cell->read[k]), bytes, false, c);
      note_write (cell, same ? r | EQUAL : r, value);
      if (same)
	return false;
    }
  else
    {
      /* In the place of a read that this one follows, else of the other one. */
      uint64_t *place = &cell->read[!ordered (w, load (&cell->read[0]))];
      __atomic_store_n (place, r, __ATOMIC_RELAXED);
      race = race && !(before & EQUAL);
    }
  /* An operation that orders may have come since the caller asked.  */
  return (race && !emu_race_ordering (w, cell)) || stale (w, i, cell, bytes, c);
}

bool
emu_race_orders (struct warp *w, const struct insn *i, unsigned l,
		 struct emu_cell *cell, unsigned bytes, struct emu_conflict *c)
{
  __atomic_store_n (&cell->orders, (uint32_t) w->cta->launch->gridid,
		    __ATOMIC_RELAXED);
  uint32_t mine = own_segment (w);
  if (!mine || !i->f)
    return false;
  bool found = stale (w, i, cell, bytes, c);
  uint64_t r = record (mine, i->f, l, bytes) | ORDERS;
  if (i->flags & CHECK_WRITE)
    __atomic_store_n (&cell->write, r, __ATOMIC_RELEASE);
  else if (sites[i->f].readonly)
    __atomic_store_n (&cell->read[0], r, __ATOMIC_RELAXED);
  return found;
}

bool
emu_race_ordering (const struct warp *w, const struct emu_cell *cell)
{
  return __atomic_load_n (&cell->orders, __ATOMIC_RELAXED)
	 == (uint32_t) w->cta->launch->gridid;
}

void
emu_race_release (struct warp *w, struct emu_cell *cell)
{
  uint64_t t = __atomic_add_fetch (&last_release, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n (&w->cta->launch->watch->released[w->cta->index], t,
		    __ATOMIC_RELAXED);
  __atomic_store_n (&cell->time, t, __ATOMIC_RELEASE);
  struct emu_watch *v = w->cta->watch;
  struct warp_watch *ww = &v->warp[w->id];
  ww->known.clock[w->id] = ww->clock++;
  join (&v->released, &ww->known);
}

void
emu_race_acquire (struct warp *w, const struct emu_cell *cell)
{
  uint64_t t = __atomic_load_n (&cell->time, __ATOMIC_ACQUIRE);
  struct knowledge *known = &w->cta->watch->warp[w->id].known;
  if (t > known->acquired)
    known->acquired = t;
}

/* ---- Barriers ---------------------------------------------------------- */

void
emu_race_arrive (struct warp *w, unsigned id)
{
  struct emu_watch *v = w->cta->watch;
  struct warp_watch *ww = &v->warp[w->id];
  ww->known.clock[w->id] = ww->clock++;
  join (&v->at[id], &ww->known);
}

void
emu_race_barrier (struct cta *cta, unsigned id)
{
  struct emu_watch *v = cta->watch;
  for (unsigned k = 0; k < cta->nwarps; k++)
    if (cta->warp[k].at[id])
      join (&v->warp[k].known, &v->at[id]);
  memset (&v->at[id], 0, sizeof v->at[id]);
  emu_race_progress (cta->warp);
}

/* ---- Progress ---------------------------------------------------------- */

void
emu_race_progress (struct warp *w)
{
  w->cta->watch->changes++;
}

/* Every thread may spin on memory that nobody will ever change.  */
bool
emu_check_stuck (struct cta *cta)
{
  struct emu_watch *v = cta->watch;
  struct emu_launch_watch *lw = cta->launch->watch;
  if (!v)
    return false;
  bool moves = !cta->spins || v->changes != v->seen;
  v->seen = v->changes;
  uint64_t t = worked ();
  if (moves)
    __atomic_store_n (&lw->moved, t, __ATOMIC_RELAXED);
  uint64_t moved = __atomic_load_n (&lw->moved, __ATOMIC_RELAXED);
  return t > moved && t - moved > (uint64_t) STUCK_SECONDS * 1000000000;
}

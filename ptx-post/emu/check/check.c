/* The checker's look at each access before it happens, and at barriers.

   What the driver would make of an access stays: one that is out of bounds,
   misaligned or to freed memory ends the launch, the rest is reported and goes
   on.  Local memory is left to the machine: no other thread reaches it.

   A load is reported as uninitialised when none of its bytes was ever
   written, since compilers copy padding, and unless it only copies a variable
   within the frame, since they do so before the variable is set as well.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>
#include <string.h>

#include "check/check.h"
#include "machine/mem.h"
#include "ptx/ptx.h"

enum { MAX_ELEMENTS = 4 };	/* of a vector */

/* One lane's part of an access.  */
struct access
{
  uint64_t addr;		/* generic, or in shared space */
  unsigned bytes;
  struct emu_alloc *alloc;	/* NULL: shared memory, or none */
  struct emu_shadow *shadow;	/* NULL: nothing is known of it */
  uint64_t offset;		/* in the shadow */
};

static const char *
verb (const struct insn *i)
{
  return !(i->flags & CHECK_WRITE)  ? "read"
	 : i->flags & CHECK_READ ? "update" : "write";
}

/* Begin a report on A, done by lane L at I; NULL: not again.  */
static FILE *
report (struct warp *w, const struct insn *i, unsigned l,
	enum emu_finding kind, const struct access *a)
{
  FILE *f = emu_finding (kind, i->stmt);
  if (!f)
    return NULL;
  fprintf (f, "%s of %u bytes at %s0x%llx\n", verb (i), a->bytes,
	   a->shadow && !a->alloc ? "shared " : "", (unsigned long long) a->addr);
  emu_finding_thread (f, "by", w->cta->launch, i->stmt, w->cta->index, w->id, l);
  if (a->alloc)
    emu_shadow_print (f, a->alloc, a->addr);
  return f;
}

/* The same for an access that ends the launch.  */
static void
stop (struct warp *w, const struct insn *i, unsigned l, enum emu_finding kind,
      const struct access *a)
{
  if (report (w, i, l, kind, a))
    emu_finding_end ();
  emu_stop (w, kind == EMU_MISALIGNED ? CUDA_ERROR_MISALIGNED_ADDRESS
				      : CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* ---- Where it goes ----------------------------------------------------- */

static bool
aligned (struct warp *w, const struct insn *i, unsigned l,
	 const struct access *a)
{
  if (!(a->addr & (a->bytes - 1)))
    return true;
  stop (w, i, l, EMU_MISALIGNED, a);
  return false;
}

static bool
find_shared (struct warp *w, const struct insn *i, unsigned l, struct access *a,
	     uint64_t offset)
{
  const struct cta *cta = w->cta;
  a->shadow = emu_watch_shared (cta);
  a->offset = a->addr = offset;
  if (offset < cta->shared_bytes && a->bytes <= cta->shared_bytes - offset)
    return aligned (w, i, l, a);
  FILE *f = report (w, i, l, EMU_BOUNDS, a);
  if (f)
    {
      fprintf (f, "  the block has %zu bytes of shared memory\n",
	       cta->shared_bytes);
      emu_finding_end ();
    }
  emu_stop (w, CUDA_ERROR_ILLEGAL_ADDRESS);
  return false;
}

static bool
find_global (struct warp *w, const struct insn *i, unsigned l,
	     struct access *a)
{
  a->alloc = emu_shadow_find (a->addr);
  if (!a->alloc && emu_host_valid (a->addr, a->bytes))
    return aligned (w, i, l, a);
  if (a->alloc && !a->alloc->live)
    {
      stop (w, i, l, EMU_FREED, a);
      return false;
    }
  uint64_t offset = a->alloc ? a->addr - a->alloc->addr : 0;
  if (!a->alloc || offset > a->alloc->bytes
      || a->bytes > a->alloc->bytes - offset)
    {
      if (!a->alloc)
	a->alloc = emu_shadow_near (a->addr);
      stop (w, i, l, EMU_BOUNDS, a);
      return false;
    }
  a->shadow = &a->alloc->shadow;
  a->offset = offset;
  return aligned (w, i, l, a);
}

/* Fill in A for its address ADDR; false after a fault.  */
static bool
find (struct warp *w, const struct insn *i, unsigned l, struct access *a,
      uint64_t addr)
{
  *a = (struct access){
    .addr = addr,
    .bytes = (i->flags & CHECK_BYTES) * i->mode,
  };
  if (i->flags & CHECK_SHARED)
    return find_shared (w, i, l, a, addr);
  if (addr - EMU_SHARED_WINDOW < EMU_WINDOW_BYTES)
    return find_shared (w, i, l, a, addr - EMU_SHARED_WINDOW);
  if (addr - EMU_LOCAL_WINDOW < EMU_WINDOW_BYTES)
    return true;
  return find_global (w, i, l, a);
}

/* ---- Races ------------------------------------------------------------- */

static void
report_conflict (struct warp *w, const struct insn *i, unsigned l,
		 const struct access *a, const struct emu_conflict *c)
{
  FILE *f = report (w, i, l, c->kind, a);
  if (!f)
    return;
  bool race = c->kind == EMU_RACE;
  emu_finding_thread (f,
		      c->write ? race ? "not ordered with the write by"
				      : "changed by the write by"
		      : race   ? "not ordered with the read by"
			       : "changes the read-only data of the read by",
		      w->cta->launch, c->stmt, c->cta, c->warp, c->lane);
  emu_finding_end ();
}

/* The bytes of A in its first word, as a set.  */
static unsigned
bytes_in_word (const struct access *a)
{
  return a->bytes < 4 ? ((1u << a->bytes) - 1) << a->offset % 4 : 15;
}

/* Where the host has A's memory.  */
static const void *
host_of (const struct warp *w, const struct access *a)
{
  return a->alloc ? (const void *) (uintptr_t) a->addr
		  : w->cta->shared + a->offset;
}

/* What lane L stores, at most VALUE_BYTES.  */
enum { VALUE_BYTES = MAX_ELEMENTS * 8 };

static void
stored (const struct warp *w, const struct insn *i, unsigned l, char *value)
{
  const opref data[MAX_ELEMENTS] = { i->d, i->b, i->c, i->e };
  unsigned bytes = i->flags & CHECK_BYTES;
  for (unsigned n = 0; n < i->mode; n++)
    memcpy (value + n * bytes,
	    bytes == 8 ? (const void *) &OPERAND (u64, data[n])[l]
		       : (const void *) &OPERAND (u32, data[n])[l],
	    bytes);
}

static void
races (struct warp *w, const struct insn *i, unsigned l, const struct access *a)
{
  struct emu_cell *cell = &a->shadow->cell[a->offset / 4];
  struct emu_conflict c;
  unsigned in_word = a->offset % 4;
  const char *host = (const char *) host_of (w, a) - in_word;
  unsigned set = bytes_in_word (a);
  char value[VALUE_BYTES + 4] = { 0 };
  if (i->flags & CHECK_WRITE)
    stored (w, i, l, value + in_word);
  for (unsigned k = 0; 4 * k < a->bytes; k++)
    {
      uint32_t word, now;
      memcpy (&word, value + 4 * k, 4);
      memcpy (&now, host + 4 * k, 4);
      bool same = !((word ^ now) & emu_bits_of (set));
      if (emu_race (w, i, l, cell + k, set, word, same, &c))
	{
	  report_conflict (w, i, l, a, &c);
	  return;
	}
    }
}

static bool
same_value (const struct warp *w, const struct insn *i, unsigned l, unsigned k)
{
  char a[VALUE_BYTES], b[VALUE_BYTES];
  stored (w, i, l, a);
  stored (w, i, k, b);
  return !memcmp (a, b, (i->flags & CHECK_BYTES) * i->mode);
}

/* Lanes of one store that write different values to one place.  Mostly the
   places rise with the lanes, or are all one.  */
static void
store_races (struct warp *w, const struct insn *i, uint32_t mask)
{
  const u64 *addr = OPERAND (u64, i->a);
  unsigned first = (unsigned) __builtin_ctz (mask);
  uint64_t last = addr[first];
  bool rising = true, one = true;
  uint32_t rest = mask & (mask - 1);
  for (uint32_t m = rest; m; m &= m - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (m);
      rising &= addr[l] > last;
      one &= addr[l] == last;
      last = addr[l];
    }
  if (rising)
    return;
  EACH_LANE (l)
    {
      rest &= ~((uint32_t) 1 << l);
      for (uint32_t m = rest; m; m &= m - 1)
	{
	  unsigned k = (unsigned) __builtin_ctz (m);
	  struct access a;
	  if (addr[k] != addr[l] || same_value (w, i, l, k)
	      || !find (w, i, k, &a, addr[k] + (uint64_t) i->imm) || !a.shadow)
	    continue;
	  struct emu_conflict c
	    = { EMU_RACE, true, i->stmt, w->cta->index, w->id, (unsigned) l };
	  report_conflict (w, i, k, &a, &c);
	  return;
	}
      if (one)
	return;
    }
}

/* ---- Operations that order --------------------------------------------- */

/* Whether lane L's update of A changes memory, as far as can be told before
   it is done.  */
static bool
changes (const struct warp *w, const struct insn *i, unsigned l,
	 const struct access *a)
{
  unsigned bytes = i->flags & CHECK_BYTES;
  if ((bytes != 4 && bytes != 8) || !i->b)
    return true;
  const void *p = host_of (w, a);
  bool wide = bytes == 8;
  uint64_t now = wide ? __atomic_load_n ((const u64 *) p, __ATOMIC_RELAXED)
		      : __atomic_load_n ((const u32 *) p, __ATOMIC_RELAXED);
  uint64_t b = wide ? OPERAND (u64, i->b)[l] : OPERAND (u32, i->b)[l];
  if (!(i->flags & CHECK_SWAP))
    return b != 0;
  if (!i->c)
    return now != b;
  uint64_t c = wide ? OPERAND (u64, i->c)[l] : OPERAND (u32, i->c)[l];
  return now == b && b != c;
}

/* What it reads is known behind it; what it releases, before it.  */
static void
order (struct warp *w, const struct insn *i, unsigned l, const struct access *a)
{
  struct emu_cell *cell = &a->shadow->cell[a->offset / 4];
  struct emu_conflict c;
  if (emu_race_orders (w, i, l, cell, bytes_in_word (a), &c))
    report_conflict (w, i, l, a, &c);
  if (i->flags & CHECK_READ)
    {
      struct emu_pending *p = emu_watch_pending (w);
      p->lanes |= (uint32_t) 1 << l;
      p->cell[l] = cell;
    }
  if (i->flags & CHECK_WRITE)
    {
      emu_race_release (w, cell);
      if (!(i->flags & CHECK_READ) || changes (w, i, l, a))
	emu_race_progress (w);
    }
}

void
emu_check_acquire (struct warp *w, const struct insn *i, uint32_t mask)
{
  (void) i;
  if (!w->cta->watch)
    return;
  struct emu_pending *p = emu_watch_pending (w);
  mask &= p->lanes;
  p->lanes &= ~mask;
  EACH_LANE (l)
    emu_race_acquire (w, p->cell[l]);
}

/* ---- Accesses ---------------------------------------------------------- */

void
emu_check_access (struct warp *w, const struct insn *i, uint32_t mask)
{
  if (!w->cta->watch)
    return;
  /* Nothing comes between this and the access.  */
  w->budget += w->budget < 2;
  const u64 *addr = OPERAND (u64, i->a);
  bool strong = i->flags & CHECK_STRONG;
  unsigned before = LANES;
  EACH_LANE (l)
    {
      struct access a;
      /* Lanes that run together count as one.  */
      if (!strong && before < LANES && addr[l] == addr[before])
	continue;
      before = l;
      if (!find (w, i, l, &a, addr[l] + (uint64_t) i->imm))
	return;
      if (!a.shadow)
	continue;
      FILE *f;
      if ((i->flags & (CHECK_READ | CHECK_COPY)) == CHECK_READ
	  && emu_unwritten (a.shadow, a.offset, a.bytes)
	  && (f = report (w, i, l, EMU_UNWRITTEN, &a)))
	emu_finding_end ();
      if (i->flags & CHECK_WRITE)
	emu_write (a.shadow, a.offset, a.bytes);
      if (!a.shadow->cell)
	continue;
      if (strong || emu_race_ordering (w, &a.shadow->cell[a.offset / 4]))
	order (w, i, l, &a);
      else
	races (w, i, l, &a);
    }
  if (!strong && (i->flags & CHECK_WRITE))
    {
      emu_race_progress (w);
      store_races (w, i, mask);
    }
}

/* ---- Barriers ---------------------------------------------------------- */

/* A lane of W at I, and what it does there.  */
static void
print_lane (FILE *f, const char *what, const struct warp *w,
	    const struct insn *i, unsigned l)
{
  emu_finding_thread (f, what, w->cta->launch, i->stmt, w->cta->index, w->id, l);
}

void
emu_check_arrive (struct warp *w, const struct insn *i, uint32_t mask,
		  unsigned id, unsigned count)
{
  struct cta *cta = w->cta;
  if (!cta->watch)
    return;
  const struct barrier *b = &cta->barrier[id];
  bool begun = b->arrived || (cta->waited >> id & 1);
  FILE *f;
  if (begun && b->expected != count
      && (f = emu_finding (EMU_DIVERGENCE, i->stmt)))
    {
      fprintf (f, "barrier %u for %u threads, where others wait for %u (0 is "
		  "all)\n", id, count, b->expected);
      print_lane (f, "by", w, i, (unsigned) __builtin_ctz (mask));
      emu_finding_end ();
    }
  emu_race_arrive (w, id);
}

/* Lanes of a warp must be at one instruction if it is aligned (PTX ISA,
   bar.sync); warps need not.  */
void
emu_check_barrier (struct cta *cta, unsigned id)
{
  if (!cta->watch)
    return;
  for (unsigned k = 0; k < cta->nwarps && cta->barrier[id].aligned; k++)
    {
      const struct warp *w = &cta->warp[k];
      uint32_t mask = w->at[id];
      if (!mask)
	continue;
      unsigned first = (unsigned) __builtin_ctz (mask);
      EACH_LANE (l)
	if (w->lane_ip[l] != w->lane_ip[first])
	  {
	    FILE *f = emu_finding (EMU_DIVERGENCE, w->lane_ip[l]->stmt);
	    if (!f)
	      continue;
	    fprintf (f, "lanes of a warp meet at barrier %u from different "
			"instructions\n", id);
	    print_lane (f, "by", w, w->lane_ip[first], first);
	    print_lane (f, "and by", w, w->lane_ip[l], l);
	    emu_finding_end ();
	    break;
	  }
    }
  emu_race_barrier (cta, id);
}

/* PTX leaves open what a lane gets that its own mask does not name.  */
void
emu_check_members (struct warp *w, const struct insn *i, uint32_t mask)
{
  const u32 *named = OPERAND (u32, i->f);
  if (!w->cta->watch)
    return;
  EACH_LANE (l)
    if (!(named[l] >> l & 1))
      {
	FILE *f = emu_finding (EMU_MEMBERS, i->stmt);
	if (!f)
	  return;
	fprintf (f, "lane %u is not in its mask 0x%08x\n", l, named[l]);
	print_lane (f, "by", w, i, l);
	emu_finding_end ();
	return;
      }
}

/* Nobody in CTA can go on: name one thread for each place where some are.  */
void
emu_check_deadlock (struct cta *cta)
{
  enum { PLACES = 8 };
  const struct insn *place[PLACES];
  const struct warp *warp[PLACES];
  unsigned lane[PLACES], n = 0;
  bool barriers = true;
  for (unsigned k = 0; k < cta->nwarps; k++)
    {
      const struct warp *w = &cta->warp[k];
      uint32_t mask = w->live;
      barriers &= !(mask & ~w->cta_wait);
      EACH_LANE (l)
	{
	  unsigned j = 0;
	  while (j < n && place[j] != w->lane_ip[l])
	    j++;
	  if (j < n || n == PLACES)
	    continue;
	  place[n] = w->lane_ip[l];
	  warp[n] = w;
	  lane[n++] = l;
	}
    }
  FILE *f = n ? emu_finding (barriers && n > 1 ? EMU_DIVERGENCE : EMU_DEADLOCK,
			     place[0]->stmt) : NULL;
  if (f)
    {
      fprintf (f, "no thread of the block can go on\n");
      for (unsigned j = 0; j < n; j++)
	{
	  const struct warp *w = warp[j];
	  print_lane (f, (w->cta_wait | w->warp_wait) >> lane[j] & 1
			   ? "waits:" : "spins:",
		      w, place[j], lane[j]);
	}
      emu_finding_end ();
    }
  emu_stop (cta->warp, CUDA_ERROR_LAUNCH_FAILED);
}

/* ---- Leaks ------------------------------------------------------------- */

void
emu_check_leak (uint64_t addr)
{
  const struct emu_alloc *a = emu_checking () ? emu_shadow_find (addr) : NULL;
  FILE *f = a ? emu_finding (EMU_LEAK, NULL) : NULL;
  if (!f)
    return;
  fprintf (f, "%zu bytes never freed\n", a->bytes);
  emu_shadow_print (f, a, addr);
  emu_finding_end ();
}

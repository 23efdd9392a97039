/* The checker (ACCRETE_EMU_CHECK): what the machine tells it, and what its
   own files share.

     check.c	the access before it happens: bounds, alignment, race, value
     shadow.c	what is known of device memory: allocations, bytes written,
		who touched a word last
     race.c	what orders two accesses
     finding.c	reports

   The decoder puts emu_check_access in front of every load, store and atomic
   operation (dec_checked), so that code which is not checked has no trace of
   it.  A block has a watch when checking, else NULL: the machine's hooks test
   that.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_CHECK_H
#define ACCRETE_EMU_CHECK_H

#include <stdio.h>

#include "ops/lanes.h"

/* ---- The machine's side ------------------------------------------------ */

/* Whether this process checks; constant.  */
bool emu_checking (void);

/* In front of an access, and behind one that orders others.  */
extern emu_handler emu_check_access, emu_check_acquire;

/* Flags of emu_check_access; the low bits are the bytes of an element.  Its
   operands and mode are those of a load or store, f is the site.  */
enum check_flag
{
  CHECK_BYTES = 31,
  CHECK_READ = 32,
  CHECK_WRITE = 64,
  CHECK_STRONG = 128,		/* atomic, volatile, relaxed ...: it orders
				   and is no part of a race */
  CHECK_SHARED = 256,		/* the address is in shared space */
  CHECK_COPY = 1024,		/* the value is only copied nearby */
  CHECK_SWAP = 512		/* writes something else only if ... (exch);
				   with c, cas */
};
/* The number of a new site: an instruction that accesses memory.  LIBRARY: it
   is in a unit without kernels.  */
uint32_t emu_check_site (const struct ptx_stmt *, bool library);

/* A launch, before its first block and behind its last one, and its blocks.
   Without memory they go unwatched.  */
void emu_check_launch (struct launch *);
void emu_check_launched (struct launch *);
struct emu_watch *emu_check_cta (const struct cta *);
void emu_check_cta_end (struct emu_watch *);
void emu_check_cta_begin (struct cta *);

/* The lanes of MASK are at barrier ID; everybody it waits for is there.  */
void emu_check_arrive (struct warp *, const struct insn *, uint32_t mask,
		       unsigned id, unsigned count);
void emu_check_barrier (struct cta *, unsigned id);
/* The lanes of MASK are at I, a .sync instruction for the lanes that operand f
   names.  */
void emu_check_members (struct warp *, const struct insn *, uint32_t mask);
/* CTA has been running for a while; true after a fault: nobody makes
   progress.  */
bool emu_check_stuck (struct cta *);
void emu_check_deadlock (struct cta *);

/* Memory that the machine allocates, frees, writes or copies.  */
void emu_check_alloc (uint64_t addr, size_t bytes);
void emu_check_free (uint64_t addr);
void emu_check_undefined (uint64_t addr, size_t bytes);
void emu_check_copied (uint64_t dst, uint64_t src, size_t bytes);
/* Statements of a module go: forget what was reported of them.  */
void emu_check_unload (void);

/* ---- finding.c --------------------------------------------------------- */

#define EMU_FINDINGS(X)							      \
  X (BOUNDS, "out of bounds")						      \
  X (MISALIGNED, "misaligned")						      \
  X (FREED, "use after free")						      \
  X (UNWRITTEN, "uninitialised")					      \
  X (RACE, "race")							      \
  X (STALE, "stale read")						      \
  X (DIVERGENCE, "barrier divergence")					      \
  X (MEMBERS, "membermask")						      \
  X (DEADLOCK, "deadlock")						      \
  X (LEAK, "leak")

enum emu_finding
{
#define X(id, text) EMU_##id,
  EMU_FINDINGS (X)
#undef X
};

/* Begin a report at statement AT (or NULL); NULL when that has been reported.
   The header line is begun and to be ended by the caller, who then writes
   lines of details.  Other reports wait until emu_finding_end.  */
FILE *emu_finding (enum emu_finding, const struct ptx_stmt *at);
void emu_finding_end (void);
/* Details: who, for lane LANE of warp number WARP of block CTA.  */
void emu_finding_thread (FILE *, const char *verb, const struct launch *,
			 const struct ptx_stmt *, uint64_t cta, unsigned warp,
			 unsigned lane);

/* ---- shadow.c ---------------------------------------------------------- */

/* Who touched a word of 4 bytes last (race.c), 0: nobody in this launch.  */
struct emu_cell
{
  uint64_t write, read[2];
  uint64_t time;		/* of the last release here */
  uint32_t value;		/* the bytes that were written, in place */
  uint32_t orders;		/* launch with an operation that orders here */
};

/* Bytes of memory and what is known of them.  */
struct emu_shadow
{
  uint64_t *written;		/* a bit a byte */
  struct emu_cell *cell;	/* one for 4 bytes; NULL: races unknown */
};

/* A driver call, from 1, as ACCRETE_EMU_FAIL counts; NULL: none.  */
struct emu_call
{
  const char *entry;
  unsigned long n;
};

struct emu_alloc
{
  uint64_t addr;
  size_t bytes;
  bool live;
  struct emu_call made, freed;
  struct emu_shadow shadow;
};

/* The allocation that ADDR is or was in, also the slack behind it; NULL:
   none.  Good until the launch that asks has ended.  */
struct emu_alloc *emu_shadow_find (uint64_t addr);
/* The live allocation nearest to ADDR, or NULL.  */
struct emu_alloc *emu_shadow_near (uint64_t addr);
/* Print where ADDR lies relative to A.  */
void emu_shadow_print (FILE *, const struct emu_alloc *a, uint64_t addr);

/* Between these, what a launch may read of the shadow stays.  */
void emu_shadow_begin (void);
void emu_shadow_end (void);

/* Large zeroed memory that costs what is touched.  */
void *emu_zalloc (size_t bytes);
void emu_zfree (void *, size_t bytes);

/* Whether none of BYTES, a power of two, at OFFSET has been written.  */
static inline bool
emu_unwritten (const struct emu_shadow *s, uint64_t offset, unsigned bytes)
{
  uint64_t bits = (((uint64_t) 2 << (bytes - 1)) - 1) << offset % 64;
  return !(__atomic_load_n (&s->written[offset / 64], __ATOMIC_RELAXED) & bits);
}

static inline void
emu_write (struct emu_shadow *s, uint64_t offset, unsigned bytes)
{
  uint64_t bits = (((uint64_t) 2 << (bytes - 1)) - 1) << offset % 64;
  uint64_t *p = &s->written[offset / 64];
  if (bits & ~__atomic_load_n (p, __ATOMIC_RELAXED))
    __atomic_fetch_or (p, bits, __ATOMIC_RELAXED);
}

/* ---- race.c ------------------------------------------------------------ */

/* An access that the one in work must not meet.  */
struct emu_conflict
{
  enum emu_finding kind;	/* EMU_RACE or EMU_STALE */
  bool write;
  const struct ptx_stmt *stmt;
  uint64_t cta;
  unsigned warp, lane;
};

/* Note a plain access by lane L of W, its site I->f, to the BYTES (set of
   4) of a cell; VALUE is what a write makes of them, SAME that they are so
   already.  True when it conflicts with an earlier one, *C.  */
bool emu_race (struct warp *w, const struct insn *i, unsigned l,
	       struct emu_cell *, unsigned bytes, uint32_t value, bool same,
	       struct emu_conflict *c);
/* The bits of a word in a set of its bytes.  */
static inline uint32_t
emu_bits_of (unsigned bytes)
{
  static const uint32_t half[] = { 0, 0xff, 0xff00, 0xffff };
  return half[bytes & 3] | half[bytes >> 2] << 16;
}
/* An operation that orders accesses the cell; or did so before, in this
   launch: then plain ones count as such, since that is what compilers make of
   relaxed atomic loads and stores.  True when it and an earlier access, *C,
   change what is loaded through the read-only path.  */
bool emu_race_orders (struct warp *w, const struct insn *i, unsigned l,
		      struct emu_cell *, unsigned bytes,
		      struct emu_conflict *c);
bool emu_race_ordering (const struct warp *w, const struct emu_cell *);
/* An operation on the cell that orders, before and after it is done.  */
void emu_race_release (struct warp *w, struct emu_cell *);
void emu_race_acquire (struct warp *w, const struct emu_cell *);
/* W arrives at barrier ID, the barrier of CTA lets those who wait go on.  */
void emu_race_arrive (struct warp *w, unsigned id);
void emu_race_barrier (struct cta *, unsigned id);
/* Memory has changed: somebody makes progress.  */
void emu_race_progress (struct warp *w);
/* The shared memory of CTA.  */
struct emu_shadow *emu_watch_shared (const struct cta *);
/* The cells of lanes' operations that order and are not done, and which
   lanes these are.  */
struct emu_pending
{
  uint32_t lanes;
  struct emu_cell *cell[LANES];
} *emu_watch_pending (const struct warp *);

#endif /* ACCRETE_EMU_CHECK_H */

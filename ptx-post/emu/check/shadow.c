/* What the checker knows of device memory: which allocation a byte is or was
   in, whether it has been written, who touched its word last.

   Blocks of the allocator start at multiples of 512 bytes, so a table with an
   entry for 512 bytes of address space leads to the allocation; pages of the
   table that nothing points from cost nothing.  Freed allocations stay in it,
   to be named when they are used, until their addresses are given out again
   or KEEP others have been freed since.

   What a bit is set for and what a cell holds is in memory that grows as it
   is touched.  It goes when its allocation is freed, but not before the
   launches that run then have ended.

   Owner and lock: LOCK guards the table's changes and everything else here;
   kernels read the table without it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check/check.h"
#include "machine/mem.h"

enum
{
  GRAIN = 512,			/* bytes an entry of the table stands for */
  KEEP = 4096,			/* freed allocations that are remembered */
  LARGE = 64 << 10		/* from here memory is mapped, not allocated */
};

struct record
{
  struct emu_alloc a;
  struct record *next;		/* freed later */
};

/* Shadow memory that running kernels may still read.  */
struct retired
{
  struct retired *next;
  void *p;
  size_t bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record **owner;	/* by (address - emu_space.base) / GRAIN */
static struct record *oldest, **newest = &oldest;
static unsigned nfreed;
static struct retired *retired;
static unsigned running;	/* launches */

static _Thread_local struct emu_call caller;

void
emu_check_caller (const char *entry, unsigned long n)
{
  caller = (struct emu_call){ entry, n };
}

void *
emu_zalloc (size_t bytes)
{
  if (bytes < LARGE)
    return calloc (1, bytes ? bytes : 1);
  void *p = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

void
emu_zfree (void *p, size_t bytes)
{
  if (!p || bytes < LARGE)
    free (p);
  else
    munmap (p, bytes);
}

/* ---- Allocations ------------------------------------------------------- */

static size_t
bits_bytes (size_t bytes)
{
  return (bytes + 63) / 64 * sizeof (uint64_t);
}

static size_t
cells_bytes (size_t bytes)
{
  return (bytes + 3) / 4 * sizeof (struct emu_cell);
}

static struct record **
owner_of (uint64_t addr)
{
  uint64_t off = addr - emu_space.base;
  return owner && off < emu_space.end - emu_space.base ? &owner[off / GRAIN]
						       : NULL;
}

static struct record *
find (uint64_t addr)
{
  struct record **o = owner_of (addr);
  return o ? __atomic_load_n (o, __ATOMIC_ACQUIRE) : NULL;
}

struct emu_alloc *
emu_shadow_find (uint64_t addr)
{
  struct record *r = find (addr);
  return r ? &r->a : NULL;
}

/* Let what leads to FROM lead to TO, in the memory of A.  */
static void
point (const struct emu_alloc *a, struct record *from, struct record *to)
{
  struct record **o = owner_of (a->addr),
		**end = o + (a->bytes + GRAIN - 1) / GRAIN;
  for (; o < end; o++)
    if (!from || *o == from)
      __atomic_store_n (o, to, __ATOMIC_RELEASE);
}

void
emu_check_alloc (uint64_t addr, size_t bytes)
{
  if (!emu_checking ())
    return;
  pthread_mutex_lock (&lock);
  if (!owner)
    owner = emu_zalloc ((emu_space.end - emu_space.base) / GRAIN
			* sizeof *owner);
  struct record *r = owner ? calloc (1, sizeof *r) : NULL;
  if (r)
    {
      r->a = (struct emu_alloc){
	addr, bytes, true, caller, { NULL, 0 },
	{ emu_zalloc (bits_bytes (bytes)), emu_zalloc (cells_bytes (bytes)) }
      };
      if (r->a.shadow.written)
	point (&r->a, NULL, r);
      else
	{
	  emu_zfree (r->a.shadow.cell, cells_bytes (bytes));
	  free (r);
	}
    }
  pthread_mutex_unlock (&lock);
}

/* Free BYTES at P, of a launch that runs perhaps when it has ended.  */
static void
retire (void *p, size_t bytes)
{
  struct retired *old = running && p ? malloc (sizeof *old) : NULL;
  if (old)
    {
      *old = (struct retired){ retired, p, bytes };
      retired = old;
    }
  else if (!running)
    emu_zfree (p, bytes);
}

void
emu_check_free (uint64_t addr)
{
  if (!emu_checking ())
    return;
  pthread_mutex_lock (&lock);
  struct record *r = find (addr);
  if (r && r->a.live)
    {
      r->a.live = false;
      r->a.freed = caller;
      retire (r->a.shadow.written, bits_bytes (r->a.bytes));
      retire (r->a.shadow.cell, cells_bytes (r->a.bytes));
      *newest = r;
      newest = &r->next;
      if (++nfreed > KEEP)
	{
	  r = oldest;
	  oldest = r->next;
	  nfreed--;
	  point (&r->a, r, NULL);
	  retire (r, 0);
	}
    }
  pthread_mutex_unlock (&lock);
}

void
emu_shadow_begin (void)
{
  pthread_mutex_lock (&lock);
  running++;
  pthread_mutex_unlock (&lock);
}

void
emu_shadow_end (void)
{
  pthread_mutex_lock (&lock);
  if (!--running)
    while (retired)
      {
	struct retired *r = retired;
	retired = r->next;
	emu_zfree (r->p, r->bytes);
	free (r);
      }
  pthread_mutex_unlock (&lock);
}

/* ---- Contents ---------------------------------------------------------- */

/* The live allocation with [ADDR, ADDR + BYTES), or NULL; the lock is held.  */
static struct emu_alloc *
live_range (uint64_t addr, size_t bytes)
{
  struct record *r = find (addr);
  return r && r->a.live && addr - r->a.addr <= r->a.bytes
	     && bytes <= r->a.bytes - (addr - r->a.addr)
	   ? &r->a : NULL;
}

/* Set or clear the bits of [FROM, END).  */
static void
mark (uint64_t *bits, uint64_t from, uint64_t end, bool set)
{
  for (; from < end && (from % 64 || end - from < 64); from++)
    if (set)
      __atomic_fetch_or (&bits[from / 64], (uint64_t) 1 << from % 64,
			 __ATOMIC_RELAXED);
    else
      __atomic_fetch_and (&bits[from / 64], ~((uint64_t) 1 << from % 64),
			  __ATOMIC_RELAXED);
  if (from == end)
    return;
  memset (&bits[from / 64], set ? 0xff : 0, (end - from) / 64 * 8);
  mark (bits, end & -(uint64_t) 64, end, set);
}

static void
mark_range (uint64_t addr, size_t bytes, bool set)
{
  if (!emu_checking () || !bytes)
    return;
  pthread_mutex_lock (&lock);
  struct emu_alloc *a = live_range (addr, bytes);
  if (a)
    {
      uint64_t from = addr - a->addr;
      mark (a->shadow.written, from, from + bytes, set);
      if (!set && a->shadow.cell)
	memset (&a->shadow.cell[from / 4], 0, cells_bytes (bytes));
    }
  pthread_mutex_unlock (&lock);
}

void
emu_check_defined (uint64_t addr, size_t bytes)
{
  mark_range (addr, bytes, true);
}

void
emu_check_undefined (uint64_t addr, size_t bytes)
{
  mark_range (addr, bytes, false);
}

/* Bits that do not lie alike in their words are taken as set, and so are
   those at the ends.  */
void
emu_check_copied (uint64_t dst, uint64_t src, size_t bytes)
{
  if (!emu_checking () || !bytes)
    return;
  pthread_mutex_lock (&lock);
  struct emu_alloc *to = live_range (dst, bytes);
  const struct emu_alloc *from = live_range (src, bytes);
  if (to)
    {
      uint64_t d = dst - to->addr, end = d + bytes;
      uint64_t first = (d + 63) / 64, n = end / 64 - first;
      if (from && first < end / 64 && (src - from->addr) % 64 == d % 64)
	{
	  memmove (&to->shadow.written[first],
		   &from->shadow.written[(src - from->addr + 63) / 64], n * 8);
	  mark (to->shadow.written, d, first * 64, true);
	  d = (first + n) * 64;
	}
      mark (to->shadow.written, d, end, true);
    }
  pthread_mutex_unlock (&lock);
}

/* ---- Descriptions ------------------------------------------------------ */

struct emu_alloc *
emu_shadow_near (uint64_t addr)
{
  enum { NEAR = 16 << 20 };	/* bytes; further away says nothing */
  for (uint64_t d = 0; d < NEAR; d += GRAIN)
    for (int sign = 0; sign < 2; sign++)
      {
	struct record *r = find (sign ? addr + d : addr - d);
	if (r && r->a.live)
	  return &r->a;
      }
  return NULL;
}

static void
print_call (FILE *f, const char *verb, const struct emu_call *c)
{
  if (c->entry)
    fprintf (f, ", %s by %s (call %lu)", verb, c->entry, c->n);
}

void
emu_shadow_print (FILE *f, const struct emu_alloc *a, uint64_t addr)
{
  uint64_t end = a->addr + a->bytes;
  const char *where = addr < a->addr ? "before" : addr < end ? "into" : "after";
  uint64_t distance = addr < a->addr ? a->addr - addr
		      : addr < end   ? addr - a->addr : addr - end;
  fprintf (f, "  address 0x%llx is %llu bytes %s the %zu bytes at 0x%llx",
	   (unsigned long long) addr, (unsigned long long) distance, where,
	   a->bytes, (unsigned long long) a->addr);
  print_call (f, "allocated", &a->made);
  print_call (f, "freed", &a->freed);
  fputc ('\n', f);
}

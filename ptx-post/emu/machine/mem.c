/* Device memory: one reserved region of the host's address space, so that a
   global address is a host address and a bounds check is a compare.

   The region is as large as the GPU model's memory; the host commits a page
   when it is first touched, so an allocation costs nothing by its size.  The
   allocator keeps the live blocks in address order and takes the first gap
   that fits: blocks up to 1 MiB share 2 MiB pages, larger ones own theirs, as
   with NVIDIA's driver.  emu_space.page counts the blocks on each page; a
   page without one is unmapped to kernels.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check/check.h"
#include "emu.h"
#include "machine/mem.h"

enum
{
  SMALL_ALIGN = 512,		/* what cuMemAlloc promises and more */
  SMALL_MAX = 1 << 20
};

struct block
{
  uint64_t addr;
  size_t bytes;			/* rounded */
  size_t wanted;		/* as asked for */
};

struct range
{
  uint64_t addr, end;
};

struct emu_space emu_space;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; /* all below */
static struct block *blocks;	/* in address order */
static size_t nblocks, maxblocks;
static uint64_t search_from;	/* checking: no block below is taken */
static unsigned allocs;		/* since that was the base */
static struct range *host;	/* registered host memory, in address order */
static size_t nhost, maxhost;

/* Reserve the region; less than the model has where the host's limits want
   it so.  */
static void
reserve (void)
{
  size_t bytes = emu_gpu ()->memory & -(size_t) EMU_PAGE;
  void *p = MAP_FAILED;
  for (; bytes >= EMU_PAGE; bytes = bytes / 2 & -(size_t) EMU_PAGE)
    {
      p = mmap (NULL, bytes + EMU_PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p != MAP_FAILED)
	break;
    }
  if (p == MAP_FAILED)
    return;
  madvise (p, bytes + EMU_PAGE, MADV_DONTDUMP);
  uint16_t *page = calloc (bytes / EMU_PAGE, sizeof *page);
  if (!page)
    return;
  emu_space.base = ((uintptr_t) p + EMU_PAGE - 1) & -(uint64_t) EMU_PAGE;
  emu_space.end = emu_space.base + bytes;
  emu_space.page = page;
  search_from = emu_space.base;
}

void
emu_mem_init (void)
{
  pthread_once (&once, reserve);
}

/* Grow the array *P of elements of SIZE bytes to hold one more than N.  */
static bool
room (void **p, size_t *max, size_t n, size_t size)
{
  if (n < *max)
    return true;
  size_t m = *max ? 2 * *max : 64;
  void *q = realloc (*p, m * size);
  if (!q)
    return false;
  *p = q;
  *max = m;
  return true;
}

/* Index of the first block above ADDR.  */
static size_t
block_above (uint64_t addr)
{
  size_t lo = 0, hi = nblocks;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (blocks[mid].addr <= addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

/* The live block that holds ADDR, or NULL.  */
static struct block *
block_of (uint64_t addr)
{
  size_t i = block_above (addr);
  if (i == 0 || addr - blocks[i - 1].addr >= blocks[i - 1].bytes)
    return NULL;
  return &blocks[i - 1];
}

/* Add DELTA to the counts of the pages of B; unmapped pages go back to the
   host.  */
static void
count_pages (const struct block *b, int delta)
{
  size_t first = (b->addr - emu_space.base) / EMU_PAGE;
  size_t last = (b->addr + b->bytes - 1 - emu_space.base) / EMU_PAGE;
  bool gone = false;
  for (size_t i = first; i <= last; i++)
    {
      uint16_t n = __atomic_add_fetch (&emu_space.page[i], delta,
				       __ATOMIC_RELAXED);
      gone |= n == 0;
    }
  if (gone && b->bytes >= EMU_PAGE)
    madvise ((void *) (uintptr_t) b->addr, b->bytes, MADV_DONTNEED);
}

/* The first gap from START on that holds ROUNDED bytes becomes a block at
 *ADDR; the lock is held, and there is room for it.  */
static bool
take_gap (uint64_t start, uint64_t *addr, size_t bytes, size_t rounded,
	  uint64_t align)
{
  uint64_t at = start;
  for (size_t i = 0; i <= nblocks; i++)
    {
      uint64_t gap_end = i < nblocks ? blocks[i].addr : emu_space.end;
      at = (at + align - 1) & -align;
      if (at <= gap_end && rounded <= gap_end - at)
	{
	  memmove (blocks + i + 1, blocks + i, (nblocks - i) * sizeof *blocks);
	  nblocks++;
	  blocks[i] = (struct block){ at, rounded, bytes };
	  count_pages (&blocks[i], 1);
	  *addr = at;
	  return true;
	}
      if (i < nblocks && blocks[i].addr + blocks[i].bytes > at)
	at = blocks[i].addr + blocks[i].bytes;
    }
  return false;
}

/* When checking, there is a gap behind every block, and freed memory is not
   given out again for a while.  */
CUresult
emu_mem_alloc (uint64_t *addr, size_t bytes)
{
  enum { RESTART = 4096 };	/* allocations until the search starts over */
  if (bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  emu_mem_init ();
  if (bytes > emu_space.end - emu_space.base)
    return CUDA_ERROR_OUT_OF_MEMORY;
  uint64_t align = bytes > SMALL_MAX ? EMU_PAGE : SMALL_ALIGN;
  size_t gap = emu_checking () ? SMALL_ALIGN : 0;
  size_t rounded = (bytes + gap + align - 1) & -align;

  pthread_rwlock_wrlock (&lock);
  if (!gap || ++allocs % RESTART == 0)
    search_from = emu_space.base;
  bool found = room ((void **) &blocks, &maxblocks, nblocks, sizeof *blocks)
	       && (take_gap (search_from, addr, bytes, rounded, align)
		   || take_gap (emu_space.base, addr, bytes, rounded, align));
  if (found)
    {
      search_from = *addr + rounded;
      emu_check_alloc (*addr, bytes);
    }
  pthread_rwlock_unlock (&lock);
  return found ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult
emu_mem_free (uint64_t addr)
{
  CUresult r = CUDA_ERROR_INVALID_VALUE;
  pthread_rwlock_wrlock (&lock);
  struct block *b = block_of (addr);
  if (b && b->addr == addr)
    {
      emu_check_free (addr);
      count_pages (b, -1);
      nblocks--;
      memmove (b, b + 1, (blocks + nblocks - b) * sizeof *b);
      r = CUDA_SUCCESS;
    }
  pthread_rwlock_unlock (&lock);
  return r;
}

CUresult
emu_mem_range (uint64_t addr, uint64_t *base, size_t *bytes)
{
  pthread_rwlock_rdlock (&lock);
  const struct block *b = block_of (addr);
  bool found = b && addr - b->addr < b->wanted;
  if (found && base)
    *base = b->addr;
  if (found && bytes)
    *bytes = b->wanted;
  pthread_rwlock_unlock (&lock);
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

bool
emu_mem_valid (uint64_t addr, size_t bytes)
{
  uint64_t base;
  size_t size;
  return emu_mem_range (addr, &base, &size) == CUDA_SUCCESS
	 && bytes <= size - (addr - base);
}

/* Index of the first registered range that ends above ADDR.  */
static size_t
host_at (uint64_t addr)
{
  size_t i = 0;
  while (i < nhost && host[i].end <= addr)
    i++;
  return i;
}

CUresult
emu_host_register (void *p, size_t bytes)
{
  uint64_t addr = (uintptr_t) p;
  if (!p || bytes == 0 || addr + bytes < addr)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = CUDA_SUCCESS;
  pthread_rwlock_wrlock (&lock);
  size_t i = host_at (addr);
  if (i < nhost && host[i].addr < addr + bytes)
    r = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  else if (!room ((void **) &host, &maxhost, nhost, sizeof *host))
    r = CUDA_ERROR_OUT_OF_MEMORY;
  else
    {
      memmove (host + i + 1, host + i, (nhost - i) * sizeof *host);
      nhost++;
      host[i] = (struct range){ addr, addr + bytes };
    }
  pthread_rwlock_unlock (&lock);
  return r;
}

CUresult
emu_host_unregister (void *p)
{
  CUresult r = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  pthread_rwlock_wrlock (&lock);
  size_t i = host_at ((uintptr_t) p);
  if (i < nhost && host[i].addr == (uintptr_t) p)
    {
      nhost--;
      memmove (host + i, host + i + 1, (nhost - i) * sizeof *host);
      r = CUDA_SUCCESS;
    }
  pthread_rwlock_unlock (&lock);
  return r;
}

bool
emu_host_valid (uint64_t addr, size_t bytes)
{
  pthread_rwlock_rdlock (&lock);
  size_t i = host_at (addr);
  bool yes = i < nhost && host[i].addr <= addr && bytes <= host[i].end - addr;
  pthread_rwlock_unlock (&lock);
  return yes;
}

/* Whether the driver may copy from or to [ADDR, ADDR + N).  */
static bool
copyable (uint64_t addr, size_t n)
{
  return n == 0 || emu_mem_valid (addr, n) || emu_host_valid (addr, n);
}

CUresult
emu_copy_h2d (uint64_t dst, const void *src, size_t n)
{
  if (!copyable (dst, n))
    return CUDA_ERROR_INVALID_VALUE;
  memcpy ((void *) (uintptr_t) dst, src, n);
  emu_check_defined (dst, n);
  return CUDA_SUCCESS;
}

CUresult
emu_copy_d2h (void *dst, uint64_t src, size_t n)
{
  if (!copyable (src, n))
    return CUDA_ERROR_INVALID_VALUE;
  memcpy (dst, (const void *) (uintptr_t) src, n);
  return CUDA_SUCCESS;
}

CUresult
emu_copy_d2d (uint64_t dst, uint64_t src, size_t n)
{
  if (!copyable (dst, n) || !copyable (src, n))
    return CUDA_ERROR_INVALID_VALUE;
  memmove ((void *) (uintptr_t) dst, (const void *) (uintptr_t) src, n);
  emu_check_copied (dst, src, n);
  return CUDA_SUCCESS;
}

CUresult
emu_memset (uint64_t dst, unsigned value, unsigned width, size_t count)
{
  if ((width != 1 && width != 2 && width != 4) || dst % width
      || count > SIZE_MAX / width || !copyable (dst, count * width))
    return CUDA_ERROR_INVALID_VALUE;
  char *p = (char *) (uintptr_t) dst;
  emu_check_defined (dst, count * width);
  if (width == 1)
    memset (p, (int) value, count);
  else
    for (size_t i = 0; i < count; i++)
      memcpy (p + i * width, &value, width); /* low bytes: little endian */
  return CUDA_SUCCESS;
}

/* Addresses that are not plain mapped device memory: the shared and local
   windows, registered host memory, and everything that faults.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "machine/mem.h"
#include "machine/table.h"
#include "ops/lanes.h"

static void *
misaligned (struct warp *w, const struct insn *i, unsigned lane, uint64_t addr,
	    unsigned bytes)
{
  emu_fault (w, i, lane, CUDA_ERROR_MISALIGNED_ADDRESS,
	     "misaligned address 0x%llx of %u bytes",
	     (unsigned long long) addr, bytes);
  return NULL;
}

static void *
illegal (struct warp *w, const struct insn *i, unsigned lane, uint64_t addr,
	 unsigned bytes, const char *space)
{
  emu_fault (w, i, lane, CUDA_ERROR_ILLEGAL_ADDRESS,
	     "illegal %saddress 0x%llx of %u bytes", space,
	     (unsigned long long) addr, bytes);
  return NULL;
}

void *
emu_shared (struct warp *w, const struct insn *i, unsigned lane, uint64_t addr,
	    unsigned bytes)
{
  struct cta *cta = w->cta;
  if (addr >= cta->shared_bytes || bytes > cta->shared_bytes - addr)
    return illegal (w, i, lane, addr, bytes, "shared ");
  if (addr & (bytes - 1))
    return misaligned (w, i, lane, addr, bytes);
  return cta->shared + addr;
}

void *
emu_local (struct warp *w, const struct insn *i, unsigned lane, uint64_t addr,
	   unsigned bytes)
{
  if (addr >= w->local_stride || bytes > w->local_stride - addr)
    return illegal (w, i, lane, addr, bytes, "local ");
  if (addr & (bytes - 1))
    return misaligned (w, i, lane, addr, bytes);
  return w->local + (size_t) lane * w->local_stride + addr;
}

void *
emu_generic (struct warp *w, const struct insn *i, unsigned lane, uint64_t addr,
	     unsigned bytes)
{
  bool window = addr - EMU_SHARED_WINDOW < EMU_WINDOW_BYTES
		|| addr - EMU_LOCAL_WINDOW < EMU_WINDOW_BYTES;
  if (window && i->flags & IF_GLOBAL)
    return illegal (w, i, lane, addr, bytes, "global ");
  if (addr - EMU_SHARED_WINDOW < EMU_WINDOW_BYTES)
    return emu_shared (w, i, lane, addr - EMU_SHARED_WINDOW, bytes);
  if (addr - EMU_LOCAL_WINDOW < EMU_WINDOW_BYTES)
    return emu_local (w, i, lane, addr - EMU_LOCAL_WINDOW, bytes);
  if (!emu_mapped (addr) && !emu_host_valid (addr, bytes))
    return illegal (w, i, lane, addr, bytes, "");
  if (addr & (bytes - 1))
    return misaligned (w, i, lane, addr, bytes);
  return (void *) (uintptr_t) addr;
}

/* In front of an access that is performed in parts: as a whole, its MODE bytes
   at a + imm, it is aligned.  */
static void
op_aligned (struct warp *w, const struct insn *i, uint32_t mask)
{
  const u64 *a = OPERAND (u64, i->a);
  EACH_LANE (l)
    if ((a[l] + (u64) i->imm) & (i->mode - 1u))
      {
	misaligned (w, i, l, a[l] + (u64) i->imm, i->mode);
	return;
      }
}

const struct emu_row emu_memory_rows[] = {
  { "aligned", op_aligned }, { NULL, NULL }
};

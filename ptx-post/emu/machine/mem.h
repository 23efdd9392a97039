/* Device memory as the executing half of the emulated GPU sees it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_MEM_H
#define ACCRETE_EMU_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EMU_PAGE = 2 << 20 };

/* The region of device memory.  PAGE counts the live blocks on each page: a
   kernel may touch a page exactly when its count is not zero.  */
struct emu_space
{
  uint64_t base, end;		/* multiples of EMU_PAGE; both 0: none */
  uint16_t *page;
};
extern struct emu_space emu_space;

/* Reserve the region; any later call does nothing.  */
void emu_mem_init (void);

/* Whether [ADDR, ADDR + BYTES) is registered host memory.  */
bool emu_host_valid (uint64_t addr, size_t bytes);

/* Whether the page of ADDR is mapped device memory.  An aligned access never
   crosses a page.  */
static inline bool
emu_mapped (uint64_t addr)
{
  uint64_t off = addr - emu_space.base;
  return off < emu_space.end - emu_space.base
	 && __atomic_load_n (&emu_space.page[off / EMU_PAGE], __ATOMIC_RELAXED);
}

#endif /* ACCRETE_EMU_MEM_H */

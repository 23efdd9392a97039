/* Builtin device functions: how they read their arguments and return.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_BUILTIN_H
#define ACCRETE_EMU_BUILTIN_H

#include "ops/lanes.h"

/* Word WORD of argument K of lane L; 0 where the call has none.  */
static inline uint32_t
emu_argument_word (const struct warp *w, const struct insn *i, unsigned k,
		   unsigned word, unsigned l)
{
  const struct call *c = i->call;
  if (k >= c->nargs || word >= c->slot[c->nrets + k].chunks)
    return 0;
  opref r = c->slot[c->nrets + k].ref;
  const u32 *row = (const u32 *) (w->base[r & 3] + (r & ~(opref) 3));
  return row[word * LANES + l];
}

/* Argument K of lane L.  */
static inline uint64_t
emu_argument (const struct warp *w, const struct insn *i, unsigned k,
	      unsigned l)
{
  return (uint64_t) emu_argument_word (w, i, k, 1, l) << 32
	 | emu_argument_word (w, i, k, 0, l);
}

/* Lane L gets VALUE.  */
static inline void
emu_result (struct warp *w, const struct insn *i, unsigned l, uint64_t value)
{
  if (!i->call->nrets)
    return;
  opref r = i->call->slot[0].ref;
  u32 *row = (u32 *) (w->base[r & 3] + (r & ~(opref) 3));
  row[l] = (u32) value;
  if (i->call->slot[0].chunks > 1)
    row[LANES + l] = (u32) (value >> 32);
}

/* cudaError_t of the device runtime (CUDA's driver_types.h).  */
enum emu_cuda_error
{
  EMU_CUDA_SUCCESS = 0,
  EMU_CUDA_INVALID_VALUE = 1,
  EMU_CUDA_MEMORY_ALLOCATION = 2,
  EMU_CUDA_INVALID_CONFIGURATION = 9,
  EMU_CUDA_MAX_DEPTH_EXCEEDED = 65,
  EMU_CUDA_PENDING_COUNT_EXCEEDED = 69,
  EMU_CUDA_INVALID_DEVICE_FUNCTION = 98,
  EMU_CUDA_INVALID_RESOURCE_HANDLE = 400
};

/* The device runtime's launch entries (nested.c).  */
extern emu_builtin emu_cdp_parameter_buffer, emu_cdp_launch,
  emu_cdp_last_error, emu_cdp_peek_error, emu_cdp_new_handle,
  emu_cdp_use_handle;

#endif /* ACCRETE_EMU_BUILTIN_H */

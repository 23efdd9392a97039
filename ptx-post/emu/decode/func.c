/* The functions of a linked module, as the machine and the driver see them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "decode/module.h"

struct emu_func *
emu_func_at (const struct emu_module *m, uint64_t addr)
{
  uint64_t k = (addr - EMU_FUNC_WINDOW) / EMU_FUNC_STEP;
  return addr % EMU_FUNC_STEP == 0 && k < m->nfuncs ? m->func[k] : NULL;
}

uint64_t
emu_dynamic_shared (const struct emu_func *f)
{
  size_t end = f->module->shared;
  /* A device function does not know its kernel: the dynamic part starts after
     the largest one's variables.  */
  for (size_t k = 0; k < f->module->nfuncs; k++)
    if (f->module->shared + f->module->func[k]->shared > end)
      end = f->module->shared + f->module->func[k]->shared;
  return (end + 15) & -(size_t) 16;
}

void
emu_func_info (const struct emu_func *f, struct emu_func_info *info)
{
  const struct emu_gpu *gpu = emu_gpu ();
  /* PTX names values, not registers: a quarter of them live at once, within
     what compilers usually end at.  */
  int regs = (int) (f->reg_bytes / 16);
  regs = regs < 16 ? 16 : regs > 64 ? 64 : (regs + 7) & -8;
  int threads = gpu->regs_per_block / regs & -LANES;
  if (threads > gpu->max_threads_per_block)
    threads = gpu->max_threads_per_block;
  if (f->maxntid && (int) f->maxntid < threads)
    threads = (int) f->maxntid;
  size_t local = 0;
  for (const struct ptx_sym *s = f->ptx->locals; s; s = s->next)
    if (s->kind == PTX_SYM_VAR && s->space == PTX_SP_LOCAL)
      local += s->size;
  *info = (struct emu_func_info){
    .name = f->name,
    .regs = regs,
    .shared = f->module->shared + f->shared,
    .local = local,
    .constant = f->module->const_bytes,
    .nparams = f->ptx->nparams,
    .params = f->params,
    .max_threads = threads,
  };
}

CUresult
emu_func_param (const struct emu_func *f, unsigned i, size_t *offset,
		size_t *size)
{
  size_t at = 0;
  for (const struct ptx_sym *s = f->ptx->params; s; s = s->next)
    {
      at = (at + s->align - 1) & -(size_t) s->align;
      if (i-- == 0)
	{
	  *offset = at;
	  *size = s->size;
	  return CUDA_SUCCESS;
	}
      at += s->size;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

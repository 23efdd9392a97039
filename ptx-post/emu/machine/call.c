/* Calls: frames on the warp's register stack, parameters and results, local
   memory.

   A callee's frame lies behind its caller's, or behind what other lanes of the
   warp have there.  Local memory is a stack of each lane's own, which the
   frame's header knows (machine.h): a function's variables, and what alloca
   takes.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>

#include "machine/table.h"
#include "ops/lanes.h"

enum
{
  MAX_STACK = 256 << 20,	/* bytes of a warp's register stack */
  MAX_LOCAL = 512 << 10,	/* bytes of a thread's local memory */
  LOCAL_ALIGN = 16,		/* of a function's part of it */
  MIN_LOCAL = 16		/* that ptxas takes for a call without variables;
				   registers that it saves come on top */
};

/* ---- Frames ------------------------------------------------------------ */

/* The frame that lane L's frame at FP returns to.  */
static uint32_t
caller_frame (const struct warp *w, unsigned l, uint32_t fp)
{
  return ((const u32 *) (w->stack + fp + FRAME_FP))[l];
}

/* The function whose frame that is.  */
static const struct emu_func *
frame_func (const struct warp *w, unsigned l, uint32_t fp)
{
  const struct insn *i
    = ((const struct insn *const *) (w->stack + fp + FRAME_IP))[l] - 1;
  if (i->call->callee)
    return i->call->callee;
  const char *row = ((i->a & 3) == OB_FRAME ? w->stack + caller_frame (w, l, fp)
					    : w->base[i->a & 3])
		    + (i->a & ~(opref) 3);
  return emu_func_at (w->cta->launch->func->module, ((const u64 *) row)[l]);
}

uint32_t
emu_frame_end (const struct warp *w, unsigned l, uint32_t fp)
{
  return fp + (fp ? frame_func (w, l, fp) : w->cta->launch->func)->frame;
}

/* Make room for a frame that ends at END.  */
static bool
grow_stack (struct warp *w, const struct insn *i, size_t end)
{
  if (end <= w->stack_bytes)
    return true;
  size_t bytes = w->stack_bytes;
  while (bytes < end)
    bytes *= 2;
  char *p = end <= MAX_STACK ? aligned_alloc (4096, bytes) : NULL;
  if (!p)
    {
      emu_fault (w, i, (unsigned) __builtin_ctz (w->active),
		 CUDA_ERROR_LAUNCH_FAILED, "stack overflow");
      return false;
    }
  memcpy (p, w->stack, w->stack_bytes);
  memset (p + w->stack_bytes, 0, bytes - w->stack_bytes);
  free (w->stack);
  w->stack = p;
  w->stack_bytes = bytes;
  w->base[OB_FRAME] = p + w->fp;
  return true;
}

/* Where the active group puts its frame of F: at FP, unless other lanes have
   left frames there in the middle of other functions; then behind all of
   theirs.  Lanes in F for the same caller share its frame.  */
static uint32_t
place_frame (const struct warp *w, const struct emu_func *f, uint32_t fp)
{
  uint32_t mask = w->live & ~w->active, top = fp;
  bool clear = true;
  EACH_LANE (l)
    for (uint32_t at = w->lane_fp[l]; at > w->fp; at = caller_frame (w, l, at))
      {
	const struct emu_func *g = frame_func (w, l, at);
	if (g == f && caller_frame (w, l, at) == w->fp)
	  return at;
	if (at < fp + f->frame && fp < at + g->frame)
	  clear = false;
	if (at + g->frame > top)
	  top = at + g->frame;
      }
  return clear ? fp : top;
}

/* ---- Local memory ------------------------------------------------------ */

bool
emu_grow_local (struct warp *w, const struct insn *i, uint32_t end)
{
  if (end <= w->local_stride)
    return true;
  uint32_t stride = w->local_stride ? w->local_stride : 1024;
  while (stride < end && stride < MAX_LOCAL)
    stride *= 2;
  char *p = end <= stride ? calloc (LANES, stride) : NULL;
  if (!p)
    {
      emu_fault (w, i, (unsigned) __builtin_ctz (w->active),
		 CUDA_ERROR_ILLEGAL_ADDRESS, "local memory exhausted");
      return false;
    }
  for (unsigned l = 0; l < LANES && w->local; l++)
    memcpy (p + (size_t) l * stride, w->local + (size_t) l * w->local_stride,
	    w->local_stride);
  free (w->local);
  w->local = p;
  w->local_stride = stride;
  return true;
}

/* Whether lane L, which calls F, has more local memory from its first call of
   F on than the stack allows.  The driver finds room for frames that come once;
   for functions that call themselves it cannot know, and there is what
   CU_LIMIT_STACK_SIZE says.  */
static bool
overflows (const struct warp *w, const struct emu_func *f, unsigned l,
	   uint32_t top)
{
  uint32_t first = top;
  for (uint32_t at = w->fp; at; at = caller_frame (w, l, at))
    if (frame_func (w, l, at) == f)
      first = ((const u32 *) (w->stack + at + FRAME_LOCAL))[l];
  return top - first > w->cta->launch->stack_limit;
}

/* Address of a local variable at imm in the function's part.  */
static void
op_local_addr (struct warp *w, const struct insn *i, uint32_t mask)
{
  u64 *d = OPERAND (u64, i->d);
  const u32 *local = (const u32 *) (w->base[OB_FRAME] + FRAME_LOCAL);
  FOR_LANES (d, (u64) local[l] + (u64) i->imm);
}

/* Operand a bytes more of local memory, aligned to imm.  */
static void
op_alloca (struct warp *w, const struct insn *i, uint32_t mask)
{
  u64 *d = OPERAND (u64, i->d);
  const u64 *bytes = OPERAND (u64, i->a);
  u32 *top = (u32 *) (w->base[OB_FRAME] + FRAME_TOP);
  EACH_LANE (l)
    {
      u32 at = (top[l] + (u32) i->imm - 1) & -(u32) i->imm;
      u32 end = bytes[l] <= MAX_LOCAL ? at + (u32) bytes[l] : UINT32_MAX;
      if (!emu_grow_local (w, i, end))
	return;
      d[l] = at;
      top[l] = end;
    }
}

static void
op_stacksave (struct warp *w, const struct insn *i, uint32_t mask)
{
  u64 *d = OPERAND (u64, i->d);
  const u32 *top = (const u32 *) (w->base[OB_FRAME] + FRAME_TOP);
  FOR_LANES (d, top[l]);
}

static void
op_stackrestore (struct warp *w, const struct insn *i, uint32_t mask)
{
  const u64 *a = OPERAND (u64, i->a);
  u32 *top = (u32 *) (w->base[OB_FRAME] + FRAME_TOP);
  FOR_LANES (top, (u32) (a[l] < MAX_LOCAL ? a[l] : MAX_LOCAL));
}

/* ---- Calls ------------------------------------------------------------- */

/* Fill in the header at FRAME, of F, for the lanes of MASK that call it at I, and
   make room for its variables.  False after a fault.  */
static bool
make_header (struct warp *w, const struct insn *i, uint32_t mask,
	     const struct emu_func *f, char *frame)
{
  const u32 *top = (u32 *) (w->base[OB_FRAME] + FRAME_TOP);
  u32 *local_to = (u32 *) (frame + FRAME_LOCAL);
  u32 *top_to = (u32 *) (frame + FRAME_TOP);
  u32 *fp_to = (u32 *) (frame + FRAME_FP);
  const struct insn **ip_to = (const struct insn **) (frame + FRAME_IP);
  uint32_t local_end = 0;
  unsigned deepest = 0;
  EACH_LANE (l)
    {
      local_to[l] = (top[l] + LOCAL_ALIGN - 1) & -LOCAL_ALIGN;
      top_to[l] = local_to[l] + (f->local ? f->local : MIN_LOCAL);
      fp_to[l] = w->fp;
      ip_to[l] = w->ip;
      if (top_to[l] > local_end)
	{
	  local_end = top_to[l];
	  deepest = l;
	}
    }
  if (local_end > w->cta->launch->stack_limit
      && overflows (w, f, deepest, local_end))
    {
      emu_fault (w, i, deepest, CUDA_ERROR_LAUNCH_FAILED,
		 "stack overflow (CU_LIMIT_STACK_SIZE)");
      return false;
    }
  return !f->local || emu_grow_local (w, i, local_end);
}

/* Copy N rows of chunks for the lanes of MASK.  */
static void
copy_rows (char *to, const char *from, unsigned n, uint32_t mask)
{
  for (; n > 0; n--, to += ROW, from += ROW)
    {
      u32 *d = (u32 *) to;
      const u32 *s = (const u32 *) from;
      FOR_LANES (d, s[l]);
    }
}

/* Enter F for the lanes of MASK: header, parameters, first instruction.  */
static void
enter (struct warp *w, const struct insn *i, uint32_t mask, struct emu_func *f)
{
  const struct call *call = i->call;
  const struct insn *code = emu_func_code (f);
  if (!code)
    {
      emu_fault (w, i, (unsigned) __builtin_ctz (mask),
		 CUDA_ERROR_OUT_OF_MEMORY, "no memory to decode %s", f->name);
      return;
    }
  uint32_t fp = place_frame (w, f, w->fp + call->frame);
  if (!grow_stack (w, i, (size_t) fp + f->frame)
      || !make_header (w, i, mask, f, w->stack + fp))
    return;

  char *to = w->stack + fp + FRAME_HEADER + call->ret_chunks * ROW;
  const struct call_slot *arg = call->slot + call->nrets;
  for (unsigned k = 0; k < call->nargs; k++)
    {
      copy_rows (to, w->base[arg[k].ref & 3] + (arg[k].ref & ~(opref) 3),
		 arg[k].chunks, mask);
      to += arg[k].chunks * ROW;
    }

  if (mask == w->active)
    {
      emu_go_on (w, code, fp);
      return;
    }
  emu_park (w);
  EACH_LANE (l)
    {
      w->lane_fp[l] = fp;
      w->lane_ip[l] = code;
    }
  emu_rechoose (w);
}

static void
op_call (struct warp *w, const struct insn *i, uint32_t mask)
{
  struct emu_func *f = i->call->callee;
  if (f->builtin)
    f->builtin (w, i, mask);
  else
    enter (w, i, mask, f);
}

/* The lanes that have the same target in operand a call together, one target
   after the other.  A lane that has to wait comes back to this instruction. */
static void
op_call_indirect (struct warp *w, const struct insn *i, uint32_t mask)
{
  const u64 *target = OPERAND (u64, i->a);
  unsigned first = (unsigned) __builtin_ctz (mask);
  uint64_t addr = target[first];
  uint32_t same = 0;
  EACH_LANE (l)
    if (target[l] == addr)
      same |= (uint32_t) 1 << l;
  struct emu_func *f = emu_func_at (w->cta->launch->func->module, addr);
  if (!f)
    {
      emu_fault (w, i, first, CUDA_ERROR_INVALID_PC,
		 "call of 0x%llx, which is no function",
		 (unsigned long long) addr);
      return;
    }
  if (!f->builtin
      && (f->ret_chunks != i->call->ret_chunks
	  || f->arg_chunks != i->call->arg_chunks))
    {
      emu_fault (w, i, first, CUDA_ERROR_LAUNCH_FAILED,
		 "call of %s through a prototype that does not fit it",
		 f->name);
      return;
    }
  uint32_t rest = mask & ~same;
  if (rest)
    {
      /* Leave the others here; they call when this group waits or is done. */
      const struct insn *next = w->ip;
      uint32_t active = w->active;
      w->active = rest;
      w->ip = i;
      emu_park (w);
      w->active = active & ~rest;
      w->ip = next;
      emu_rechoose (w);
    }
  if (f->builtin)
    f->builtin (w, i, same);
  else
    enter (w, i, same, f);
  if (rest)
    emu_rechoose (w);
}

/* ---- Returns ----------------------------------------------------------- */

/* Results of the lanes of MASK from FRAME to the frame at FP that CALL stands
   in.  */
static void
copy_results (struct warp *w, const struct call *call, uint32_t mask,
	      const char *frame, uint32_t fp)
{
  const char *from = frame + FRAME_HEADER;
  for (unsigned k = 0; k < call->nrets; k++)
    {
      copy_rows (w->stack + fp + (call->slot[k].ref & ~(opref) 3), from,
		 call->slot[k].chunks, mask);
      from += call->slot[k].chunks * ROW;
    }
}

static void
op_ret (struct warp *w, const struct insn *i, uint32_t mask)
{
  (void) i;
  if (w->fp == 0)
    {
      emu_exit (w, mask);
      return;
    }
  const char *frame = w->base[OB_FRAME];
  const struct insn *const *ip = (const struct insn *const *) (frame + FRAME_IP);
  const u32 *fp = (const u32 *) (frame + FRAME_FP);
  unsigned first = (unsigned) __builtin_ctz (mask);
  bool same = mask == w->active;
  EACH_LANE (l)
    same &= ip[l] == ip[first] && fp[l] == fp[first];
  if (same)
    {
      copy_results (w, ip[first][-1].call, mask, frame, fp[first]);
      emu_go_on (w, ip[first], fp[first]);
      return;
    }
  EACH_LANE (l)
    {
      copy_results (w, ip[l][-1].call, (uint32_t) 1 << l, frame, fp[l]);
      w->lane_ip[l] = ip[l];
      w->lane_fp[l] = fp[l];
    }
  w->active &= ~mask;
  if (!w->active)
    emu_rechoose (w);
}

const struct emu_row emu_call_rows[] = {
  { "call", op_call }, { "call_indirect", op_call_indirect },
  { "ret", op_ret }, { "local_addr", op_local_addr },
  { "alloca", op_alloca }, { "stacksave", op_stacksave },
  { "stackrestore", op_stackrestore }, { NULL, NULL }
};

/* Running a warp: groups of lanes, control flow, calls.

   Lanes that agree in program counter and frame form a group.  The group to
   run is the one in the deepest frame, and of those the one with the smallest
   program counter: code after a branch is laid out after it, so the group that
   is behind catches up with the others where they meet again (the limit).
   A group that uses up its budget steps back until the others have used up
   theirs, so lanes that spin on a lock do not starve the lane that holds it.

   Code for a .target below sm_70 relies on more: there a warp has one program
   counter, lanes that are ahead wait for the others however long these take,
   and newer hardware runs such code the same way (Volta tuning guide,
   "Independent Thread Scheduling").  GCC's partitioned loops end without a
   barrier for that reason.  Lanes that wait for one that is ahead hang on this
   hardware; here they step back as well (`spins'), until that one has done
   something that they may have waited for.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>

#include "lanes.h"

enum
{
  GROUP_BUDGET = 20000,		/* instructions of a group at a time */
  SPIN_LOOP = 512,		/* the longest loop that is seen to spin */
  HELPS = 64,			/* turns of a group for others that spin */
  MAX_STACK = 256 << 20,	/* bytes of a warp's register stack */
  MAX_LOCAL = 512 << 10,	/* bytes of a thread's local memory */
  LOCAL_ALIGN = 16,		/* of a function's part of it */
  MIN_LOCAL = 16		/* that ptxas takes for a call without variables;
				   registers that it saves come on top */
};

/* The largest program counter: no other group to be met.  */
#define NO_LIMIT ((const struct insn *) UINTPTR_MAX)

static inline uint32_t
waiting (const struct warp *w)
{
  return w->warp_wait | w->cta_wait;
}

void
emu_park (struct warp *w)
{
  uint32_t mask = w->active;
  EACH_LANE (l)
    {
      w->lane_ip[l] = w->ip;
      w->lane_fp[l] = w->fp;
    }
  w->active = 0;
}

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

/* Make the best group of the lanes that can run the active one.  False when
   there is none.  */
static bool
choose (struct warp *w)
{
  uint32_t ready = w->live & ~waiting (w);
  if (!ready)
    return false;
  uint32_t mask = ready & ~w->yielded;
  if (!mask)
    w->yielded = 0;
  if (!mask || w->retry)
    mask = ready;
  const struct insn *ip = NO_LIMIT;
  uint32_t fp = 0;
  EACH_LANE (l)
    if (w->lane_fp[l] > fp || (w->lane_fp[l] == fp && w->lane_ip[l] < ip))
      {
	fp = w->lane_fp[l];
	ip = w->lane_ip[l];
      }
  uint32_t active = 0;
  const struct insn *limit = NO_LIMIT;
  mask = ready;
  EACH_LANE (l)
    if (w->lane_fp[l] == fp)
      {
	if (w->lane_ip[l] == ip)
	  active |= (uint32_t) 1 << l;
	else if (w->lane_ip[l] > ip && w->lane_ip[l] < limit)
	  limit = w->lane_ip[l];
      }
  w->active = active;
  w->yielded &= ~active;
  w->ip = ip;
  w->fp = fp;
  w->base[OB_FRAME] = w->stack + fp;
  w->limit = limit;
  return true;
}

/* The running instruction is the last one of this turn.  */
static void
give_way (struct warp *w)
{
  w->skipped += w->budget - 1;
  w->budget = 1;
}

/* Run the group until its budget is used up or it meets another group; not
   beyond BACK, unless NULL, and when it HELPS, no more than one write.  */
static inline void
run_group (struct warp *w, const struct insn *back, bool helps)
{
  do
    {
      const struct insn *i = w->ip++;
      uint32_t mask = w->active;
      if (i->guard)
	{
	  mask &= PRED (i->guard) ^ i->guard_xor;
	  if (!mask)
	    continue;
	}
      i->fn (w, i, mask);
      if (helps && i->flags & IF_WRITES)
	give_way (w);
    }
  while (--w->budget > 0 && w->ip < w->limit && (!back || w->ip != back));
}

/* Whether the group comes back to where it is with the same registers: unless
   another lane does something, it will do so for ever.  */
static bool
spins (struct warp *w)
{
  const struct insn *ip = w->ip;
  uint32_t active = w->active, fp = w->fp;
  if (!(w->live & ~waiting (w) & ~active) || !active)
    return false;
  const struct emu_func *f
    = fp ? frame_func (w, (unsigned) __builtin_ctz (active), fp)
	 : w->cta->launch->func;
  size_t bytes = fp + f->frame;
  char *before = malloc (bytes);
  if (!before)
    return false;
  memcpy (before, w->stack, bytes);
  bool back = false;
  w->budget += SPIN_LOOP;
  w->skipped -= SPIN_LOOP;
  do
    {
      run_group (w, ip, false);
      back = w->ip == ip && w->fp == fp && w->active == active;
      emu_park (w);
    }
  while (!back && w->budget > 0 && choose (w) && w->active & active);
  back = back && !memcmp (before, w->stack, bytes);
  free (before);
  return back;
}

/* The group has had its turn: whose is the next?  */
static void
end_turn (struct warp *w, bool helps)
{
  uint32_t ran = w->active;
  if (helps)
    w->yielded |= ++w->helped % HELPS ? 0 : ran;
  else if (w->cta->launch->lockstep && !spins (w))
    w->yielded = 0;
  else
    w->yielded |= ran;
  w->retry = helps;
  emu_park (w);
}

int
emu_warp_run (struct warp *w)
{
  w->budget = GROUP_BUDGET;
  w->skipped = 0;
  while (choose (w))
    {
      bool helps = w->cta->launch->lockstep && w->yielded && !w->retry;
      if (helps)
	run_group (w, NULL, true);
      else
	run_group (w, NULL, false);
      if (w->budget <= 0)
	{
	  end_turn (w, helps);
	  break;
	}
      emu_park (w);
    }
  return GROUP_BUDGET - w->budget;
}

/* The active lanes of MASK go on at TARGET, the others where they are; the
   group that is behind runs first.  */
static void
diverge (struct warp *w, uint32_t mask, const struct insn *target)
{
  uint32_t rest = w->active & ~mask;
  const struct insn *ahead;
  if (target < w->ip)
    {
      ahead = w->ip;
      w->ip = target;
      w->active = mask;
      mask = rest;
    }
  else
    {
      ahead = target;
      w->active = rest;
    }
  EACH_LANE (l)
    {
      w->lane_ip[l] = ahead;
      w->lane_fp[l] = w->fp;
    }
  if (ahead < w->limit)
    w->limit = ahead;
}

void
emu_op_bra (struct warp *w, const struct insn *i, uint32_t mask)
{
  if (mask == w->active)
    w->ip = i->target;
  else
    diverge (w, mask, i->target);
}

/* ---- Calls --------------------------------------------------------------- */

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

/* Enter F for the lanes of MASK: parameters, header, first instruction.  */
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
  if (!grow_stack (w, i, (size_t) fp + f->frame))
    return;

  char *frame = w->stack + fp;
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
      return;
    }
  if (f->local && !emu_grow_local (w, i, local_end))
    return;

  char *to = frame + FRAME_HEADER + call->ret_chunks * ROW;
  const struct call_slot *arg = call->slot + call->nrets;
  for (unsigned k = 0; k < call->nargs; k++)
    {
      const char *from = w->base[arg[k].ref & 3] + (arg[k].ref & ~(opref) 3);
      for (unsigned c = 0; c < arg[k].chunks; c++, to += ROW, from += ROW)
	{
	  u32 *d = (u32 *) to;
	  const u32 *s = (const u32 *) from;
	  FOR_LANES (d, s[l]);
	}
    }

  if (mask == w->active)
    {
      w->limit = mask == (w->live & ~waiting (w)) ? NO_LIMIT : NULL;
      w->fp = fp;
      w->base[OB_FRAME] = frame;
      w->ip = code;
    }
  else
    {
      emu_park (w);
      EACH_LANE (l)
	{
	  w->lane_fp[l] = fp;
	  w->lane_ip[l] = code;
	}
      emu_rechoose (w);
    }
}

void
emu_op_call (struct warp *w, const struct insn *i, uint32_t mask)
{
  struct emu_func *f = i->call->callee;
  if (f->builtin)
    f->builtin (w, i, mask);
  else
    enter (w, i, mask, f);
}

/* The lanes that have the same target in operand a call together, one target
   after the other.  A lane that has to wait comes back to this instruction. */
void
emu_op_call_indirect (struct warp *w, const struct insn *i, uint32_t mask)
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

/* Results of the lanes of MASK from FRAME to the frame at FP that CALL stands
   in.  */
static void
copy_results (struct warp *w, const struct call *call, uint32_t mask,
	      const char *frame, uint32_t fp)
{
  const char *from = frame + FRAME_HEADER;
  for (unsigned k = 0; k < call->nrets; k++)
    {
      char *to = w->stack + fp + (call->slot[k].ref & ~(opref) 3);
      for (unsigned c = 0; c < call->slot[k].chunks; c++, to += ROW, from += ROW)
	{
	  u32 *d = (u32 *) to;
	  const u32 *s = (const u32 *) from;
	  FOR_LANES (d, s[l]);
	}
    }
}

void
emu_op_ret (struct warp *w, const struct insn *i, uint32_t mask)
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
      w->ip = ip[first];
      w->fp = fp[first];
      w->base[OB_FRAME] = w->stack + w->fp;
      w->limit = mask == (w->live & ~waiting (w)) ? NO_LIMIT : NULL;
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

/* ---- Ends ------------------------------------------------------------------ */

void
emu_exit (struct warp *w, uint32_t mask)
{
  w->live &= ~mask;
  w->active &= ~mask;
  w->cta->threads -= (unsigned) __builtin_popcount (mask);
  if (!w->live)
    w->cta->live_warps--;
  if (!w->active)
    emu_rechoose (w);
  emu_sync_exited (w);
}

void
emu_op_exit (struct warp *w, const struct insn *i, uint32_t mask)
{
  (void) i;
  emu_exit (w, mask);
}

void
emu_op_trap (struct warp *w, const struct insn *i, uint32_t mask)
{
  emu_fault (w, i, (unsigned) __builtin_ctz (mask), CUDA_ERROR_LAUNCH_FAILED,
	     "trap");
}

/* Unknown instructions fault when they run, not when they are loaded: a
   library may hold some that are never reached.  */
void
emu_op_unknown (struct warp *w, const struct insn *i, uint32_t mask)
{
  emu_fault (w, i, (unsigned) __builtin_ctz (mask),
	     CUDA_ERROR_ILLEGAL_INSTRUCTION, "not emulated");
}

/* ---- Values that are not in a row ---------------------------------------- */

/* Clocks advance at the model's frequency; imm is how far a half of 32 bits
   is shifted.  */
static uint64_t
clock_cycles (void)
{
  return (uint64_t) ((unsigned __int128) emu_now ()
		     * (unsigned) emu_gpu ()->clock_khz / 1000000);
}

/* Handlers that give all lanes one VALUE.  */
#define SAME(name, T, value)						      \
  void									      \
  emu_op_##name (struct warp *w, const struct insn *i, uint32_t mask)	      \
  {									      \
    T *d = OPERAND (T, i->d);						      \
    T v = (T) (value);							      \
    FOR_LANES (d, v);							      \
  }
SAME (clock, u32, clock_cycles () >> i->imm)
SAME (clock64, u64, clock_cycles ())
SAME (timer, u32, emu_now () >> i->imm)
SAME (timer64, u64, emu_now ())
SAME (activemask, u32, mask)
/* Address of an entry's parameter.  */
SAME (kparam_addr, u64, w->cta->launch->params + (u64) i->imm)

/* Address of a local variable at imm in the function's part.  */
void
emu_op_local_addr (struct warp *w, const struct insn *i, uint32_t mask)
{
  u64 *d = OPERAND (u64, i->d);
  const u32 *local = (const u32 *) (w->base[OB_FRAME] + FRAME_LOCAL);
  FOR_LANES (d, (u64) local[l] + (u64) i->imm);
}

/* Operand a bytes more of local memory, aligned to imm.  */
void
emu_op_alloca (struct warp *w, const struct insn *i, uint32_t mask)
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

void
emu_op_stacksave (struct warp *w, const struct insn *i, uint32_t mask)
{
  u64 *d = OPERAND (u64, i->d);
  const u32 *top = (const u32 *) (w->base[OB_FRAME] + FRAME_TOP);
  FOR_LANES (d, top[l]);
}

void
emu_op_stackrestore (struct warp *w, const struct insn *i, uint32_t mask)
{
  const u64 *a = OPERAND (u64, i->a);
  u32 *top = (u32 *) (w->base[OB_FRAME] + FRAME_TOP);
  FOR_LANES (top, (u32) (a[l] < MAX_LOCAL ? a[l] : MAX_LOCAL));
}

void
emu_op_nanosleep (struct warp *w, const struct insn *i, uint32_t mask)
{
  (void) i, (void) mask;
  emu_spin (w);
  give_way (w);
}

void
emu_op_spin (struct warp *w, const struct insn *i, uint32_t mask)
{
  (void) i, (void) mask;
  emu_spin (w);
}

void
emu_op_fence (struct warp *w, const struct insn *i, uint32_t mask)
{
  (void) i, (void) mask;
  emu_spin (w);
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
}

void
emu_op_wide_fence (struct warp *w, const struct insn *i, uint32_t mask)
{
  emu_note (&emu_work.fences, 1);
  emu_op_fence (w, i, mask);
}

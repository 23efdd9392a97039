/* Running a warp: groups of lanes, branches, ends.

   Lanes that agree in program counter and frame form a group.  The group to
   run is the one in the deepest frame, and of those the one with the smallest
   program counter: code after a branch is laid out after it (decode/decode-order.c), so
   the group that is behind catches up with the others where they meet again (the limit).
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

#include "machine/table.h"
#include "ops/lanes.h"

enum
{
  GROUP_BUDGET = 20000,		/* instructions of a group at a time */
  SPIN_LOOP = 512,		/* the longest loop that is seen to spin */
  HELPS = 64			/* turns of a group for others that spin */
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
  size_t bytes = emu_frame_end (w, (unsigned) __builtin_ctz (active), fp);
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

static void
op_bra (struct warp *w, const struct insn *i, uint32_t mask)
{
  if (mask == w->active)
    w->ip = i->target;
  else
    diverge (w, mask, i->target);
}

/* The active lanes go on at IP in the frame at FP: with others that could be
   met, they are chosen again.  */
void
emu_go_on (struct warp *w, const struct insn *ip, uint32_t fp)
{
  w->ip = ip;
  w->fp = fp;
  w->base[OB_FRAME] = w->stack + fp;
  w->limit = w->active == (w->live & ~waiting (w)) ? NO_LIMIT : NULL;
}

/* ---- Ends -------------------------------------------------------------- */

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

static void
op_exit (struct warp *w, const struct insn *i, uint32_t mask)
{
  (void) i;
  emu_exit (w, mask);
}

static void
op_trap (struct warp *w, const struct insn *i, uint32_t mask)
{
  emu_fault (w, i, (unsigned) __builtin_ctz (mask), CUDA_ERROR_LAUNCH_FAILED,
	     "trap");
}

/* Unknown instructions fault when they run, not when they are loaded: a
   library may hold some that are never reached.  */
static void
op_unknown (struct warp *w, const struct insn *i, uint32_t mask)
{
  emu_fault (w, i, (unsigned) __builtin_ctz (mask),
	     CUDA_ERROR_ILLEGAL_INSTRUCTION, "not emulated");
}

/* ---- Values that are not in a row -------------------------------------- */

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
  static void								      \
  op_##name (struct warp *w, const struct insn *i, uint32_t mask)	      \
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

static void
op_nanosleep (struct warp *w, const struct insn *i, uint32_t mask)
{
  (void) i, (void) mask;
  emu_spin (w);
  give_way (w);
}

static void
op_spin (struct warp *w, const struct insn *i, uint32_t mask)
{
  (void) i, (void) mask;
  emu_spin (w);
}

static void
op_fence (struct warp *w, const struct insn *i, uint32_t mask)
{
  (void) i, (void) mask;
  emu_spin (w);
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
}

static void
op_wide_fence (struct warp *w, const struct insn *i, uint32_t mask)
{
  emu_note (&emu_work.fences, 1);
  op_fence (w, i, mask);
}

const struct emu_row emu_warp_rows[] = {
  { "bra", op_bra }, { "exit", op_exit }, { "trap", op_trap },
  { "unknown", op_unknown }, { "clock", op_clock },
  { "clock64", op_clock64 }, { "timer", op_timer },
  { "timer64", op_timer64 }, { "kparam_addr", op_kparam_addr },
  { "activemask", op_activemask }, { "nanosleep", op_nanosleep },
  { "spin", op_spin }, { "fence", op_fence },
  { "wide_fence", op_wide_fence }, { NULL, NULL }
};

/* Synchronisation and exchange between lanes (PTX ISA 9.7.13).

   A .sync instruction names the lanes that take part: a lane that comes early
   is parked at the instruction itself, in warp_wait, and the last one to come
   performs it for all.  When lanes exit, the waiting ones run the instruction
   again, as they may now be complete.

   Barriers of the block count threads.  Lanes wait in cta_wait, parked at the
   instruction, until their barrier is complete.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>
#include <string.h>

#include "check/check.h"
#include "machine/table.h"
#include "ops/lanes.h"
#include "ptx/ptx.h"

/* The lanes of MASK have a value in ROW equal to that of the first one.  */
static uint32_t
equal_lanes (const u32 *row, uint32_t mask)
{
  u32 first = row[__builtin_ctz (mask)];
  uint32_t r = 0;
  for (unsigned l = 0; l < LANES; l++)
    r |= row[l] == first ? (uint32_t) 1 << l : 0;
  return r & mask;
}

/* The active lanes of MASK wait at I.  */
static void
wait_at (struct warp *w, const struct insn *i, uint32_t mask, uint32_t why)
{
  w->active &= ~mask;
  EACH_LANE (l)
    {
      w->lane_ip[l] = i;
      w->lane_fp[l] = w->fp;
      w->lane_wait[l] = why;
    }
  if (!w->active)
    emu_rechoose (w);
}

/* The active lanes MASK are at I and need all NAMED lanes there.  The lanes
   to perform I for, or 0: MASK waits.  */
static uint32_t
gather (struct warp *w, const struct insn *i, uint32_t mask, uint32_t named)
{
  uint32_t arrived = mask;
  if (named & w->live & ~mask)
    {
      uint32_t all = mask;
      mask = w->warp_wait & named;
      EACH_LANE (l)
	if (w->lane_ip[l] == i && w->lane_fp[l] == w->fp)
	  arrived |= (uint32_t) 1 << l;
      if (named & w->live & ~arrived)
	{
	  wait_at (w, i, all, named);
	  w->warp_wait |= all;
	  return 0;
	}
      w->warp_wait &= ~arrived;
      w->active |= arrived;
    }
  return arrived;
}

/* Call PERFORM for each set of lanes that names the same lanes in operand
   f; no operand: an old form without .sync, for whoever is here.  */
static void
with_named (struct warp *w, const struct insn *i, uint32_t mask,
	    emu_handler *perform)
{
  if (!i->f)
    {
      perform (w, i, mask);
      return;
    }
  const u32 *named = OPERAND (u32, i->f);
  emu_check_members (w, i, mask);
  while (mask)
    {
      uint32_t same = equal_lanes (named, mask);
      uint32_t lanes = gather (w, i, same, named[__builtin_ctz (mask)]);
      if (lanes)
	perform (w, i, lanes);
      mask &= ~same;
    }
}

#define SYNC_HANDLER(name)						      \
  HANDLER (do_##name);							      \
  HANDLER (name) { with_named (w, i, mask, do_##name); }		      \
  HANDLER (do_##name)

/* ---- Exchange ---------------------------------------------------------- */

/* shfl: d = a of lane j, predicate e = whether j is in range.  */
#define SHUFFLE(name, source, in_range)					      \
  SYNC_HANDLER (name)							      \
  {									      \
    u32 from[LANES], to[LANES];						      \
    memcpy (from, OPERAND (u32, i->a), sizeof from);			      \
    u32 *d = OPERAND (u32, i->d);					      \
    const u32 *b = OPERAND (u32, i->b), *c = OPERAND (u32, i->c);	      \
    uint32_t valid = 0;							      \
    for (int lane = 0; lane < LANES; lane++)				      \
      {									      \
	int delta = b[lane] & 31, clamp = c[lane] & 31;			      \
	int segment = c[lane] >> 8 & 31;				      \
	int max = (lane & segment) | (clamp & ~segment);		      \
	int j = (source);						      \
	bool p = (in_range);						      \
	to[lane] = from[p ? j : lane];					      \
	valid |= (uint32_t) p << lane;					      \
      }									      \
    FOR_LANES (d, to[l]);						      \
    if (i->e)								      \
      SET_PRED (i->e, valid);						      \
  }
SHUFFLE (shfl_up, lane - delta, j >= max)
SHUFFLE (shfl_down, lane + delta, j <= max)
SHUFFLE (shfl_bfly, lane ^ delta, j <= max)
SHUFFLE (shfl_idx, (lane & segment) | (delta & ~segment), j <= max)

SYNC_HANDLER (vote_all)
{
  uint32_t p = PRED (i->a) & mask;
  SET_PRED (i->d, p == mask ? (uint32_t) -1 : 0);
}

SYNC_HANDLER (vote_any)
{
  uint32_t p = PRED (i->a) & mask;
  SET_PRED (i->d, p ? (uint32_t) -1 : 0);
}

SYNC_HANDLER (vote_uni)
{
  uint32_t p = PRED (i->a) & mask;
  SET_PRED (i->d, p == mask || !p ? (uint32_t) -1 : 0);
}

SYNC_HANDLER (vote_ballot)
{
  u32 *d = OPERAND (u32, i->d);
  u32 p = PRED (i->a) & mask;
  FOR_LANES (d, p);
}

#define MATCH(suffix, T)						      \
  SYNC_HANDLER (match_any_##suffix)					      \
  {									      \
    u32 *d = OPERAND (u32, i->d);					      \
    T a[LANES];								      \
    memcpy (a, OPERAND (T, i->a), sizeof a);				      \
    EACH_LANE (l)							      \
      {									      \
	u32 r = 0;							      \
	for (unsigned k = 0; k < LANES; k++)				      \
	  r |= a[k] == a[l] ? (u32) 1 << k : 0;				      \
	d[l] = r & mask;						      \
      }									      \
  }									      \
  SYNC_HANDLER (match_all_##suffix)					      \
  {									      \
    u32 *d = OPERAND (u32, i->d);					      \
    const T *a = OPERAND (T, i->a);					      \
    bool same = true;							      \
    T first = a[__builtin_ctz (mask)];					      \
    EACH_LANE (l)							      \
      same &= a[l] == first;						      \
    u32 r = same ? mask : 0;						      \
    FOR_LANES (d, r);							      \
    if (i->e)								      \
      SET_PRED (i->e, same ? (uint32_t) -1 : 0);			      \
  }
MATCH (b32, u32)
MATCH (b64, u64)

#define REDUX(name, T, combine)						      \
  SYNC_HANDLER (redux_##name)						      \
  {									      \
    T *d = OPERAND (T, i->d);						      \
    const T *a = OPERAND (T, i->a);					      \
    T x = a[__builtin_ctz (mask)];					      \
    uint32_t first = mask & -mask, all = mask;				      \
    mask &= ~first;							      \
    EACH_LANE (l)							      \
      {									      \
	T y = a[l];							      \
	x = (combine);							      \
      }									      \
    mask = all;								      \
    FOR_LANES (d, x);							      \
  }
REDUX (add, u32, x + y)
REDUX (min_u32, u32, y < x ? y : x)
REDUX (min_s32, s32, y < x ? y : x)
REDUX (max_u32, u32, y > x ? y : x)
REDUX (max_s32, s32, y > x ? y : x)
REDUX (and, u32, x & y)
REDUX (or, u32, x | y)
REDUX (xor, u32, x ^ y)

SYNC_HANDLER (elect)
{
  u32 leader = (u32) __builtin_ctz (mask);
  if (i->d)
    {
      u32 *d = OPERAND (u32, i->d);
      FOR_LANES (d, leader);
    }
  SET_PRED (i->e, (uint32_t) 1 << leader);
}

/* bar.warp.sync: the lanes may be at different ones of these.  */
HANDLER (bar_warp)
{
  const u32 *row = OPERAND (u32, i->f);
  emu_check_members (w, i, mask);
  while (mask)
    {
      uint32_t same = equal_lanes (row, mask);
      uint32_t named = row[__builtin_ctz (mask)];
      uint32_t rest = mask & ~same;
      mask = named & w->live & ~same;
      if (mask)
	{
	  uint32_t there = 0;
	  uint32_t need = mask;
	  mask &= w->warp_wait;
	  EACH_LANE (l)
	    if (w->lane_ip[l]->fn == bar_warp && w->lane_wait[l] == named)
	      there |= (uint32_t) 1 << l;
	  if (need & ~there)
	    {
	      wait_at (w, i, same, named);
	      w->warp_wait |= same;
	    }
	  else
	    {
	      mask = there;
	      EACH_LANE (l)
		w->lane_ip[l]++;
	      w->warp_wait &= ~there;
	      emu_rechoose (w);
	    }
	}
      mask = rest;
    }
}

/* ---- Barriers of the block --------------------------------------------- */

static bool
complete (const struct cta *cta, unsigned id)
{
  const struct barrier *b = &cta->barrier[id];
  unsigned count = b->arrived;
  for (unsigned k = 0; k < cta->nwarps; k++)
    {
      const struct warp *w = &cta->warp[k];
      bool full = !(w->live & ~w->at[id]);
      if (!b->expected && !full)
	return false;
      if (!b->aligned)
	count += (unsigned) __builtin_popcount (w->at[id]);
      else if (full && w->at[id])
	count += LANES;
    }
  return !b->expected || count >= b->expected;
}

/* Let the lanes at barrier ID of the block go on.  */
static void
release (struct cta *cta, unsigned id)
{
  struct barrier *b = &cta->barrier[id];
  emu_check_barrier (cta, id);
  for (unsigned k = 0; k < cta->nwarps; k++)
    {
      struct warp *w = &cta->warp[k];
      uint32_t mask = w->at[id];
      EACH_LANE (l)
	{
	  const struct insn *i = w->lane_ip[l]++;
	  char *d = w->stack + w->lane_fp[l] + (i->d & ~(opref) 3);
	  uint32_t bit = (uint32_t) 1 << l;
	  if (i->mode == PTX_M_POPC)
	    ((u32 *) d)[l] = b->red_true;
	  else if (i->mode)
	    {
	      bool yes = i->mode == PTX_M_AND ? b->red_true == b->red_all
					      : b->red_true != 0;
	      *(u32 *) d = (*(u32 *) d & ~bit) | (yes ? bit : 0);
	    }
	}
      w->cta_wait &= ~w->at[id];
      w->at[id] = 0;
    }
  *b = (struct barrier){ 0 };
  cta->waited &= ~(1u << id);
}

/* Id and count of the barrier that MASK is at; ~0 after a fault.  */
static unsigned
barrier_at (struct warp *w, const struct insn *i, uint32_t mask)
{
  unsigned first = (unsigned) __builtin_ctz (mask);
  unsigned id = OPERAND (u32, i->a)[first];
  unsigned count = i->b ? OPERAND (u32, i->b)[first] : 0;
  if (id >= BARRIERS)
    {
      emu_fault (w, i, first, CUDA_ERROR_ILLEGAL_INSTRUCTION,
		 "barrier %u of %d", id, BARRIERS);
      return ~0u;
    }
  emu_check_arrive (w, i, mask, id, count);
  struct barrier *b = &w->cta->barrier[id];
  b->expected = count;
  b->aligned = i->flags & IF_ALIGNED;
  return id;
}

/* bar.sync and bar.red (insn.mode: what to reduce with).  */
HANDLER (bar_sync)
{
  unsigned id = barrier_at (w, i, mask);
  if (id == ~0u)
    return;
  if (i->mode)
    {
      struct barrier *b = &w->cta->barrier[id];
      uint32_t p = PRED (i->c) & mask;
      b->red_true += (unsigned) __builtin_popcount (p);
      b->red_all += (unsigned) __builtin_popcount (mask);
    }
  wait_at (w, i, mask, id);
  w->cta_wait |= mask;
  w->at[id] |= mask;
  w->cta->waited |= 1u << id;
  if (complete (w->cta, id))
    {
      release (w->cta, id);
      emu_rechoose (w);
    }
}

HANDLER (bar_arrive)
{
  unsigned id = barrier_at (w, i, mask);
  if (id == ~0u)
    return;
  struct barrier *b = &w->cta->barrier[id];
  b->arrived += b->aligned && mask == w->live
		  ? (unsigned) LANES
		  : (unsigned) __builtin_popcount (mask);
  if (complete (w->cta, id))
    {
      release (w->cta, id);
      emu_rechoose (w);
    }
}

void
emu_sync_exited (struct warp *w)
{
  if (w->warp_wait)
    {
      w->warp_wait = 0;
      emu_rechoose (w);
    }
  for (uint32_t ids = w->cta->waited; ids; ids &= ids - 1)
    {
      unsigned id = (unsigned) __builtin_ctz (ids);
      if (complete (w->cta, id))
	{
	  release (w->cta, id);
	  emu_rechoose (w);
	}
    }
}

const struct emu_row emu_sync_rows[]
  = { { "shfl_up", shfl_up },	      { "shfl_down", shfl_down },
      { "shfl_bfly", shfl_bfly },     { "shfl_idx", shfl_idx },
      { "vote_all", vote_all },	      { "vote_any", vote_any },
      { "vote_uni", vote_uni },	      { "vote_ballot", vote_ballot },
      { "match_any.b32", match_any_b32 }, { "match_any.b64", match_any_b64 },
      { "match_all.b32", match_all_b32 }, { "match_all.b64", match_all_b64 },
      { "redux_add.u32", redux_add }, { "redux_add.s32", redux_add },
      { "redux_min.u32", redux_min_u32 }, { "redux_min.s32", redux_min_s32 },
      { "redux_max.u32", redux_max_u32 }, { "redux_max.s32", redux_max_s32 },
      { "redux_and.b32", redux_and }, { "redux_or.b32", redux_or },
      { "redux_xor.b32", redux_xor }, { "elect", elect },
      { "bar_warp", bar_warp },	      { "bar_sync", bar_sync },
      { "bar_arrive", bar_arrive },   { NULL, NULL } };

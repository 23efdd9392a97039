/* Atomic operations on memory (PTX ISA 9.7.13.15, atom and red): other blocks
   run on other host threads, so these are the host's atomics, lane after lane.

   Operand a is the address row, imm the offset, b and c the sources, d the
   old value's row or none (red).  insn.mode: the address is in shared space.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>
#include <string.h>

#include "machine/mem.h"
#include "machine/table.h"
#include "ops/half.h"

static inline void *
resolve (struct warp *w, const struct insn *i, unsigned l, unsigned bytes)
{
  uint64_t p = OPERAND (u64, i->a)[l] + (uint64_t) i->imm;
  if (i->mode)
    return emu_shared (w, i, l, p, bytes);
  if (emu_mapped (p) && !(p & (bytes - 1)))
    return (void *) (uintptr_t) p;
  /* The hardware does something, but not this (9.7.13.15: atom and red are of global and
     shared memory).  */
  if (p - EMU_LOCAL_WINDOW < EMU_WINDOW_BYTES && !(i->flags & IF_GLOBAL))
    {
      emu_fault (w, i, l, CUDA_ERROR_INVALID_ADDRESS_SPACE,
		 "atomic operation on local memory, 0x%llx",
		 (unsigned long long) p);
      return NULL;
    }
  return emu_generic (w, i, l, p, bytes);
}

/* NEW: the value to store, from X (old), Y and Z (sources), all of T; ROW_T
   is the row's element.  */
#define ATOM(name, T, ROW_T, new)					      \
  HANDLER (atom_##name)							      \
  {									      \
    const ROW_T *b = OPERAND (ROW_T, i->b);				      \
    const ROW_T *c = OPERAND (ROW_T, i->c ? i->c : i->b);		      \
    ROW_T *d = OPERAND (ROW_T, i->d);					      \
    emu_spin (w);							      \
    EACH_LANE (l)							      \
      {									      \
	T *p = resolve (w, i, l, sizeof (T));				      \
	if (!p)								      \
	  return;							      \
	T y = (T) b[l], z = (T) c[l], x = __atomic_load_n (p, __ATOMIC_RELAXED), \
	  n;								      \
	(void) y, (void) z;						      \
	do								      \
	  n = (new);							      \
	while (!__atomic_compare_exchange_n (p, &x, n, true, __ATOMIC_SEQ_CST, \
					     __ATOMIC_RELAXED));	      \
	if (i->d)							      \
	  d[l] = (ROW_T) x;						      \
      }									      \
  }

static inline float
as_f32 (u32 x)
{
  float f;
  memcpy (&f, &x, 4);
  return f;
}

static inline double
as_f64 (u64 x)
{
  double f;
  memcpy (&f, &x, 8);
  return f;
}

static inline u32
f32_bits (float f)
{
  u32 x;
  memcpy (&x, &f, 4);
  return f != f ? 0x7fffffff : x;
}

static inline u64
f64_bits (double f)
{
  u64 x;
  memcpy (&x, &f, 8);
  return x;
}

/* Subnormal numbers become zeros of the same sign.  */
static inline u32
flush (u32 x)
{
  return x & 0x7f800000 ? x : x & 0x80000000;
}

/* In global memory the hardware's adder flushes subnormals.  */
static inline u32
add_f32 (u32 x, u32 y, bool flushes)
{
  if (!flushes)
    return f32_bits (as_f32 (x) + as_f32 (y));
  return flush (f32_bits (as_f32 (flush (x)) + as_f32 (flush (y))));
}

#define BOTH(X, op, new)						      \
  X (op##_u32, u32, u32, new) X (op##_u64, u64, u64, new)
BOTH (ATOM, add, x + y)
BOTH (ATOM, and, x & y)
BOTH (ATOM, or, x | y)
BOTH (ATOM, xor, x ^ y)
BOTH (ATOM, exch, y)
BOTH (ATOM, cas, x == y ? z : x)
BOTH (ATOM, min, y < x ? y : x)
BOTH (ATOM, max, y > x ? y : x)
ATOM (min_s32, s32, s32, y < x ? y : x)
ATOM (max_s32, s32, s32, y > x ? y : x)
ATOM (min_s64, s64, s64, y < x ? y : x)
ATOM (max_s64, s64, s64, y > x ? y : x)
ATOM (inc_u32, u32, u32, x >= y ? 0 : x + 1)
ATOM (dec_u32, u32, u32, x == 0 || x > y ? y : x - 1)
ATOM (add_f32, u32, u32, add_f32 (x, y, !i->mode && emu_mapped ((uintptr_t) p)))
ATOM (add_f64, u64, u64, f64_bits (as_f64 (x) + as_f64 (y)))
ATOM (cas_b16, u16, u32, x == y ? z : x)
ATOM (exch_b16, u16, u32, y)

#define HALF(op, T)							      \
  ATOM (op##_##T, u16, u32, emu_##op##_##T (x, y))			      \
  ATOM (op##_##T##x2, u32, u32,						      \
	(u32) emu_##op##_##T ((u16) x, (u16) y)				      \
	  | (u32) emu_##op##_##T ((u16) (x >> 16), (u16) (y >> 16)) << 16)
HALF (add, f16) HALF (min, f16) HALF (max, f16)
HALF (add, bf16) HALF (min, bf16) HALF (max, bf16)

/* 128 bits: two rows an operand, the lower half first.  */
typedef unsigned __int128 u128;

static u128
wide (const struct warp *w, opref r, unsigned l)
{
  const u64 *low = OPERAND (u64, r), *high = OPERAND (u64, r + 2 * ROW);
  return (u128) high[l] << 64 | low[l];
}

#ifdef __x86_64__
__attribute__ ((target ("cx16")))
#endif
static u128
swap_if (u128 *p, u128 old, u128 new)
{
  return __sync_val_compare_and_swap (p, old, new);
}

/* cas with operand c, else exch.  */
HANDLER (atom_b128)
{
  emu_spin (w);
  EACH_LANE (l)
    {
      u128 *p = resolve (w, i, l, sizeof *p);
      if (!p)
	return;
      u128 new = wide (w, i->c ? i->c : i->b, l);
      u128 old = i->c ? wide (w, i->b, l) : 0, x;
      while ((x = swap_if (p, old, new)) != old && !i->c)
	old = x;
      if (i->d)
	{
	  OPERAND (u64, i->d)[l] = (u64) x;
	  OPERAND (u64, i->d + 2 * ROW)[l] = (u64) (x >> 64);
	}
    }
}

#define ROW3(op, t, fn) { "atom_" #op "." #t, atom_##op##_##fn },
#define HALF_ROWS(t) ROW3 (add, t, t) ROW3 (min, t, t) ROW3 (max, t, t)
#define ROWS(op) ROW3 (op, u32, u32) ROW3 (op, u64, u64)

const struct emu_row emu_atom_rows[] = {
  ROWS (add) ROWS (and) ROWS (or) ROWS (xor) ROWS (exch) ROWS (cas)
  ROWS (min) ROWS (max)
  ROW3 (min, s32, s32) ROW3 (max, s32, s32)
  ROW3 (min, s64, s64) ROW3 (max, s64, s64)
  ROW3 (inc, u32, u32) ROW3 (dec, u32, u32)
  ROW3 (add, f32, f32) ROW3 (add, f64, f64)
  ROW3 (cas, u16, b16) ROW3 (exch, u16, b16)
  HALF_ROWS (f16) HALF_ROWS (bf16) HALF_ROWS (f16x2) HALF_ROWS (bf16x2)
  { "atom_cas.b128", atom_b128 }, { "atom_exch.b128", atom_b128 },
  { NULL, NULL }
};

/* Arithmetic on 16-bit floating point: f16 and bf16, alone and in pairs.

   Operands become f32, exactly.  One operation on them in f64 followed by one
   rounding is exact rounding for sums and products; for fma the f64 sum is
   rounded to odd first.  Flushing, saturation and the like are operations of
   their own on the bits.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>

#include "machine/table.h"
#include "ops/half.h"

enum
{
  SIGN = 0x8000,
  NAN_BITS = 0x7fff,		/* of both types: the one NaN of results */
  INF_f16 = 0x7c00,
  INF_bf16 = 0x7f80,
  ONE_f16 = 0x3c00,
  ONE_bf16 = 0x3f80
};

static f32
number_min (f32 a, f32 b)
{
  return a != a ? b : b != b ? a : a == b ? (signbit (a) ? a : b)
	 : a < b ? a : b;
}

static f32
number_max (f32 a, f32 b)
{
  return a != a ? b : b != b ? a : a == b ? (signbit (a) ? b : a)
	 : a > b ? a : b;
}

static f32
fma_odd (f32 a, f32 b, f32 c)
{
  f64 p = (f64) a * b, s = p + c;
  if (isfinite (s))
    {
      /* What the sum lost, exactly.  */
      f64 t = s - p, lost = (p - (s - t)) + (c - t);
      uint64_t u;
      memcpy (&u, &s, sizeof u);
      if (lost != 0 && !(u & 1))
	{
	  u += (lost > 0) == (s > 0) ? 1 : (uint64_t) -1;
	  memcpy (&s, &u, sizeof s);
	}
    }
  return emu_to_odd (s);
}

/* OPS (X, T): X (operation, T, value from A, B and C as f32).  BIT_OPS: from
   the bits a, b and c, where NAN (x) tells a NaN.  */
#define OPS(X, T)							      \
  X (add, T, emu_to_odd ((f64) A + B))					      \
  X (sub, T, emu_to_odd ((f64) A - B))					      \
  X (mul, T, emu_to_odd ((f64) A * B))					      \
  X (fma, T, fma_odd (A, B, C))						      \
  X (min, T, number_min (A, B))						      \
  X (max, T, number_max (A, B))						      \
  X (min_nan, T, A != A || B != B ? NAN : number_min (A, B))		      \
  X (max_nan, T, A != A || B != B ? NAN : number_max (A, B))		      \
  X (ex2_approx, T, (f32) exp2 (A))					      \
  X (tanh_approx, T, (f32) tanh (A))
#define IS_NAN(T, x) (((x) & ~SIGN) > INF_##T)
#define BIT_OPS(X, T)							      \
  X (neg, T, a ^ SIGN)							      \
  X (abs, T, a & ~SIGN)							      \
  X (flush, T, a & INF_##T ? a : a & SIGN)				      \
  X (saturate, T, a & SIGN || IS_NAN (T, a) ? 0 : a > ONE_##T ? ONE_##T : a)  \
  X (relu, T, IS_NAN (T, a) ? NAN_BITS : a & SIGN ? 0 : a)		      \
  X (satfinite, T, (a & ~SIGN) == INF_##T ? a - 1 : a)			      \
  X (xorsign, T, IS_NAN (T, c) ? c : (c & ~SIGN) | ((a ^ b) & SIGN))

#define A from (a)
#define B from (b)
#define C from (c)
#define FUNCTION(op, T, value)						      \
  static u16 op##_##T (u16 a, u16 b, u16 c)				      \
  {									      \
    f32 (*const from) (u16) = from_##T;					      \
    (void) b, (void) c;							      \
    return emu_to_##T (value, HALF_RN);					      \
  }
#define BIT_FUNCTION(op, T, value)					      \
  static u16 op##_##T (u16 a, u16 b, u16 c)				      \
  {									      \
    (void) b, (void) c;							      \
    return (u16) (value);						      \
  }
#define HANDLERS(op, T, value)						      \
  HANDLER (do_##op##_##T)						      \
  {									      \
    u32 *d = OPERAND (u32, i->d);					      \
    const u32 *a = OPERAND (u32, i->a), *b = OPERAND (u32, i->b);	      \
    const u32 *c = OPERAND (u32, i->c);					      \
    EACH_LANE (l)							      \
      d[l] = op##_##T ((u16) a[l], (u16) b[l], (u16) c[l]);		      \
  }									      \
  HANDLER (do_##op##_##T##x2)						      \
  {									      \
    u32 *d = OPERAND (u32, i->d);					      \
    const u32 *a = OPERAND (u32, i->a), *b = OPERAND (u32, i->b);	      \
    const u32 *c = OPERAND (u32, i->c);					      \
    EACH_LANE (l)							      \
      d[l] = (u32) op##_##T ((u16) a[l], (u16) b[l], (u16) c[l])	      \
	     | (u32) op##_##T ((u16) (a[l] >> 16), (u16) (b[l] >> 16),	      \
			       (u16) (c[l] >> 16)) << 16;		      \
  }
OPS (FUNCTION, f16) OPS (FUNCTION, bf16)
BIT_OPS (BIT_FUNCTION, f16) BIT_OPS (BIT_FUNCTION, bf16)
OPS (HANDLERS, f16) OPS (HANDLERS, bf16)
BIT_OPS (HANDLERS, f16) BIT_OPS (HANDLERS, bf16)
#undef A
#undef B
#undef C

#define FOR_ATOM(op, T)							      \
  u16 emu_##op##_##T (u16 a, u16 b) { return op##_##T (a, b, 0); }
FOR_ATOM (add, f16) FOR_ATOM (min, f16) FOR_ATOM (max, f16)
FOR_ATOM (add, bf16) FOR_ATOM (min, bf16) FOR_ATOM (max, bf16)

#define COMPARE(name, T, condition)					      \
  HANDLER (setp_##name##_##T)						      \
  {									      \
    const u32 *ra = OPERAND (u32, i->a), *rb = OPERAND (u32, i->b);	      \
    u32 r = 0;								      \
    EACH_LANE (l)							      \
      {									      \
	f32 a = from_##T ((u16) ra[l]), b = from_##T ((u16) rb[l]);	      \
	r |= (u32) (condition) << l;					      \
      }									      \
    SET_PRED (i->d, r);							      \
  }
#define COMPARISONS(X, T)						      \
  X (eq, T, a == b) X (ne, T, a < b || a > b) X (lt, T, a < b)		      \
  X (le, T, a <= b) X (gt, T, a > b) X (ge, T, a >= b)			      \
  X (equ, T, !(a < b || a > b)) X (neu, T, a != b) X (ltu, T, !(a >= b))      \
  X (leu, T, !(a > b)) X (gtu, T, !(a <= b)) X (geu, T, !(a < b))	      \
  X (num, T, a == a && b == b) X (nan, T, a != a || b != b)
COMPARISONS (COMPARE, f16)
COMPARISONS (COMPARE, bf16)

#define OP_ROW(op, T, value)						      \
  { #op "." #T, do_##op##_##T }, { #op "." #T "x2", do_##op##_##T##x2 },
#define COMPARE_ROW(name, T, condition)					      \
  { "setp_" #name "." #T, setp_##name##_##T },

const struct emu_row emu_half_rows[] = {
  OPS (OP_ROW, f16) OPS (OP_ROW, bf16)
  BIT_OPS (OP_ROW, f16) BIT_OPS (OP_ROW, bf16)
  COMPARISONS (COMPARE_ROW, f16) COMPARISONS (COMPARE_ROW, bf16)
  { NULL, NULL }
};

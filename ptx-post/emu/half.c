/* 16-bit floating point: f16 and bf16, alone and in pairs.

   Operands become f32, exactly.  One operation on them in f32 or f64 followed
   by one rounding is exact rounding for sums, products and conversions; for
   fma the f64 sum is rounded to odd first, so that the second rounding sees
   what was cut off.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "lanes.h"
#include "table.h"

static inline f32
word_f32 (u32 x)
{
  f32 f;
  memcpy (&f, &x, sizeof f);
  return f;
}

static inline u32
f32_word (f32 f)
{
  u32 x;
  memcpy (&x, &f, sizeof x);
  return x;
}

/* X rounded to odd: to f32 with the last bit set when X is not one.  */
static f32
to_odd (f64 x)
{
  f32 f = (f32) x;
  if (x != x || (f64) f == x || isinf (f))
    return f;
  u32 u = f32_word (f);
  if (fabs ((f64) f) > fabs (x))
    u--;			/* towards zero */
  return word_f32 (u | 1);
}

static f32
from_f16 (u16 x)
{
  u32 sign = (u32) (x & 0x8000) << 16, e = x >> 10 & 31, m = x & 0x3ff;
  if (e == 31)
    return word_f32 (sign | 0x7f800000 | m << 13);
  f32 f = e ? word_f32 ((e + 112) << 23 | m << 13) : (f32) m * 0x1p-24f;
  return sign ? -f : f;
}

static f32
from_bf16 (u16 x)
{
  return word_f32 ((u32) x << 16);
}

/* F rounded to nearest even, or towards zero.  */
static u16
to_f16 (f32 f, bool zero)
{
  u32 u = f32_word (f), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
  if (a > 0x7f800000)
    return 0x7fff;
  if (a == 0x7f800000)
    return (u16) (sign | 0x7c00);
  if (a >= 0x47800000)		/* 65536 */
    return (u16) (sign | (zero ? 0x7bff : 0x7c00));
  u32 m, cut, shift;
  if (a >= 0x38800000)		/* normal, from 2^-14 */
    {
      m = (a - 0x38000000) >> 13;
      shift = 13;
      cut = a & 0x1fff;
    }
  else
    {
      u32 e = a >> 23, frac = (a & 0x7fffff) | (e ? 0x800000 : 0);
      shift = 126 - (e ? e : 1);
      if (shift > 25)
	return (u16) sign;
      m = frac >> shift;
      cut = frac & ((1u << shift) - 1);
    }
  u32 half = 1u << (shift - 1);
  if (!zero && (cut > half || (cut == half && (m & 1))))
    m++;
  return (u16) (sign | m);
}

static u16
to_bf16 (f32 f, bool zero)
{
  u32 u = f32_word (f);
  if (f != f)
    return 0x7fff;
  if (!zero)
    u += 0x7fff + (u >> 16 & 1);
  return (u16) (u >> 16);
}

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
  return to_odd (s);
}

#define ELEMENTS(T)							      \
  static u16 add_##T (u16 a, u16 b, u16 c)				      \
  {									      \
    (void) c;								      \
    return to_##T (to_odd ((f64) from_##T (a) + from_##T (b)), false);	      \
  }									      \
  static u16 sub_##T (u16 a, u16 b, u16 c)				      \
  {									      \
    (void) c;								      \
    return to_##T (to_odd ((f64) from_##T (a) - from_##T (b)), false);	      \
  }									      \
  static u16 mul_##T (u16 a, u16 b, u16 c)				      \
  {									      \
    (void) c;								      \
    return to_##T (to_odd ((f64) from_##T (a) * from_##T (b)), false);	      \
  }									      \
  static u16 fma_##T (u16 a, u16 b, u16 c)				      \
  {									      \
    return to_##T (fma_odd (from_##T (a), from_##T (b), from_##T (c)), false); \
  }									      \
  static u16 min_##T (u16 a, u16 b, u16 c)				      \
  {									      \
    (void) c;								      \
    return to_##T (number_min (from_##T (a), from_##T (b)), false);	      \
  }									      \
  static u16 max_##T (u16 a, u16 b, u16 c)				      \
  {									      \
    (void) c;								      \
    return to_##T (number_max (from_##T (a), from_##T (b)), false);	      \
  }									      \
  static u16 neg_##T (u16 a, u16 b, u16 c)				      \
  {									      \
    (void) b, (void) c;							      \
    return a ^ 0x8000;							      \
  }									      \
  static u16 abs_##T (u16 a, u16 b, u16 c)				      \
  {									      \
    (void) b, (void) c;							      \
    return a & 0x7fff;							      \
  }
ELEMENTS (f16)
ELEMENTS (bf16)

#define OPS(X, T)							      \
  X (add, T) X (sub, T) X (mul, T) X (fma, T) X (min, T) X (max, T)	      \
  X (neg, T) X (abs, T)

#define HANDLERS(op, T)							      \
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
OPS (HANDLERS, f16)
OPS (HANDLERS, bf16)

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

/* ---- Conversions ------------------------------------------------------------- */

#define WIDEN(T, to)							      \
  HANDLER (cvt_##to##_##T)						      \
  {									      \
    to *d = OPERAND (to, i->d);						      \
    const u32 *a = OPERAND (u32, i->a);					      \
    EACH_LANE (l)							      \
      d[l] = from_##T ((u16) a[l]);					      \
  }
WIDEN (f16, f32)
WIDEN (f16, f64)
WIDEN (bf16, f32)
WIDEN (bf16, f64)

#define NARROW(T, from, name, zero, value)				      \
  HANDLER (cvt_##name##_##T##_##from)					      \
  {									      \
    u32 *d = OPERAND (u32, i->d);					      \
    const from *a = OPERAND (from, i->a);				      \
    EACH_LANE (l)							      \
      d[l] = to_##T (value, zero);					      \
  }
#define NARROWS(X)							      \
  X (f16, f32, rn, false, a[l]) X (f16, f32, rz, true, a[l])		      \
  X (bf16, f32, rn, false, a[l]) X (bf16, f32, rz, true, a[l])		      \
  X (f16, f64, rn, false, to_odd (a[l]))				      \
  X (bf16, f64, rn, false, to_odd (a[l]))				      \
  X (f16, u32, rn, false, to_odd (a[l])) X (f16, s32, rn, false, to_odd (a[l])) \
  X (f16, u64, rn, false, to_odd ((f64) (a[l] >> 32 ? 1u << 31 : a[l])))      \
  X (f16, s64, rn, false,						      \
     to_odd ((f64) (a[l] > INT32_MAX   ? INT32_MAX			      \
		    : a[l] < INT32_MIN ? INT32_MIN : a[l])))
NARROWS (NARROW)

/* Two f32 to a pair; the first operand is the upper half.  */
#define PAIR(T, name, zero)						      \
  HANDLER (cvt_##name##_##T##x2)					      \
  {									      \
    u32 *d = OPERAND (u32, i->d);					      \
    const f32 *a = OPERAND (f32, i->a), *b = OPERAND (f32, i->b);	      \
    EACH_LANE (l)							      \
      d[l] = (u32) to_##T (a[l], zero) << 16 | to_##T (b[l], zero);	      \
  }
PAIR (f16, rn, false)
PAIR (f16, rz, true)
PAIR (bf16, rn, false)
PAIR (bf16, rz, true)

#define TO_INT(to, mode, round, min, max)				      \
  HANDLER (cvt_##mode##_##to##_f16)					      \
  {									      \
    to *d = OPERAND (to, i->d);						      \
    const u32 *a = OPERAND (u32, i->a);					      \
    EACH_LANE (l)							      \
      {									      \
	f32 x = round (from_f16 ((u16) a[l]));				      \
	d[l] = x != x ? (to) (sizeof (to) == 8 ? (u64) 1 << 63 : 0)	      \
	       : x <= (f32) min ? (to) min			      \
	       : x >= (f32) max ? (to) max : (to) x;			      \
      }									      \
  }
#define TO_INTS(X, to, min, max)					      \
  X (to, rni, rintf, min, max) X (to, rzi, truncf, min, max)		      \
  X (to, rmi, floorf, min, max) X (to, rpi, ceilf, min, max)
TO_INTS (TO_INT, u32, 0, UINT32_MAX)
TO_INTS (TO_INT, s32, INT32_MIN, INT32_MAX)
TO_INTS (TO_INT, u64, 0, UINT64_MAX)
TO_INTS (TO_INT, s64, INT64_MIN, INT64_MAX)

#define OP_ROW(op, T)							      \
  { #op "." #T, do_##op##_##T }, { #op "." #T "x2", do_##op##_##T##x2 },
#define COMPARE_ROW(name, T, condition)					      \
  { "setp_" #name "." #T, setp_##name##_##T },
#define WIDEN_ROW(T, to) { "cvt." #to "." #T, cvt_##to##_##T },
#define NARROW_ROW(T, from, name, zero, value)				      \
  { "cvt_" #name "." #T "." #from, cvt_##name##_##T##_##from },
#define PAIR_ROW(T, name) { "cvt_" #name "." #T "x2.f32", cvt_##name##_##T##x2 },
#define TO_INT_ROW(to, mode, round, min, max)				      \
  { "cvt_" #mode "." #to ".f16", cvt_##mode##_##to##_f16 },

const struct emu_row emu_half_rows[] = {
  OPS (OP_ROW, f16) OPS (OP_ROW, bf16)
  COMPARISONS (COMPARE_ROW, f16) COMPARISONS (COMPARE_ROW, bf16)
  WIDEN_ROW (f16, f32) WIDEN_ROW (f16, f64)
  WIDEN_ROW (bf16, f32) WIDEN_ROW (bf16, f64)
  NARROWS (NARROW_ROW)
  PAIR_ROW (f16, rn) PAIR_ROW (f16, rz) PAIR_ROW (bf16, rn) PAIR_ROW (bf16, rz)
  TO_INTS (TO_INT_ROW, u32, 0, 0) TO_INTS (TO_INT_ROW, s32, 0, 0)
  TO_INTS (TO_INT_ROW, u64, 0, 0) TO_INTS (TO_INT_ROW, s64, 0, 0)
  { NULL, NULL }
};

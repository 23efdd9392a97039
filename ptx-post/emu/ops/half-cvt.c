/* Conversions from and to 16-bit floating point, and to tf32.

   Results are rounded from f32 or f64; from what else a value comes is for
   the decoder (dec_cvt), which widens it exactly or, from 64-bit integers,
   to odd.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>

#include "machine/table.h"
#include "ops/half.h"

f32
emu_to_odd (f64 x)
{
  f32 f = (f32) x;
  if (x != x || (f64) f == x)
    return f;
  if (isinf (f))
    return copysignf (0x1.fffffep127f, f);
  u32 u = f32_word (f);
  if (fabs ((f64) f) > fabs (x))
    u--;			/* towards zero */
  return word_f32 (u | 1);
}

/* Whether a value of SIGN whose last kept bit is ODD is rounded away from
   zero, when the bits cut off are CUT of HALF times two.  */
static bool
away (enum half_round round, bool sign, bool odd, u32 cut, u32 half)
{
  switch (round)
    {
    case HALF_RN:
      return cut > half || (cut == half && odd);
    case HALF_RM:
      return cut && sign;
    case HALF_RP:
      return cut && !sign;
    default:
      return false;
    }
}

u16
emu_to_f16 (f32 f, enum half_round round)
{
  u32 u = f32_word (f), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
  if (a > 0x7f800000)
    return 0x7fff;
  if (a == 0x7f800000)
    return (u16) (sign | 0x7c00);
  if (a >= 0x47800000)		/* 65536 */
    return (u16) (sign | (0x7bff + away (round, sign, true, 1, 0)));
  u32 m, shift = 13;
  if (a >= 0x38800000)		/* normal, from 2^-14 */
    m = a - 0x38000000;
  else
    {
      u32 e = a >> 23;
      m = (a & 0x7fffff) | (e ? 0x800000 : 0);
      shift = 126 - (e ? e : 1);
      if (shift > 25)		/* below half of the smallest number */
	return (u16) (sign | (a && away (round, sign, false, 1, 2)));
    }
  u32 cut = m & ((1u << shift) - 1), half = 1u << (shift - 1);
  m >>= shift;
  return (u16) (sign | (m + away (round, sign, m & 1, cut, half)));
}

u16
emu_to_bf16 (f32 f, enum half_round round)
{
  u32 u = f32_word (f);
  if (f != f)
    return 0x7fff;
  u32 m = u >> 16;
  return (u16) (m + away (round, u >> 31, m & 1, u & 0xffff, 0x8000));
}

#define WIDEN(T, to)							      \
  HANDLER (cvt_##to##_##T)						      \
  {									      \
    to *d = OPERAND (to, i->d);						      \
    const u32 *a = OPERAND (u32, i->a);					      \
    EACH_LANE (l)							      \
      d[l] = from_##T ((u16) a[l]);					      \
  }
#define WIDENINGS(X) X (f16, f32) X (f16, f64) X (bf16, f32) X (bf16, f64)
WIDENINGS (WIDEN)

/* From 64-bit integers: what f64 cannot hold goes into its last bit.  */
#define ODD(from)						      \
  HANDLER (cvt_odd_##from)						      \
  {									      \
    f64 *d = OPERAND (f64, i->d);					      \
    const from *a = OPERAND (from, i->a);				      \
    EACH_LANE (l)							      \
      {									      \
	from x = a[l];							      \
	if (x / ((from) 1 << 53))					      \
	  x = (x & ~(from) 0x7ff) | ((x & 0x7ff) != 0) << 11;		      \
	d[l] = (f64) x;							      \
      }									      \
  }
ODD (u64)
ODD (s64)

/* The bits that a NaN keeps: the sign and the first DIGITS.  */
static u16
nan_bits (f64 x, u32 inf, unsigned digits)
{
  uint64_t u;
  memcpy (&u, &x, sizeof u);
  return (u16) ((u >> 48 & 0x8000) | inf | 1u << (digits - 1)
		| (u >> (52 - digits) & ((1u << digits) - 1)));
}

static u16
f64_to_f16 (f64 x, enum half_round round)
{
  return x != x ? nan_bits (x, 0x7c00, 10) : emu_to_f16 (emu_to_odd (x), round);
}

static u16
f64_to_bf16 (f64 x, enum half_round round)
{
  return x != x ? nan_bits (x, 0x7f80, 7) : emu_to_bf16 (emu_to_odd (x), round);
}

#define NARROW(T, from, name, round, function)				      \
  HANDLER (cvt_##name##_##T##_##from)					      \
  {									      \
    u32 *d = OPERAND (u32, i->d);					      \
    const from *a = OPERAND (from, i->a);				      \
    EACH_LANE (l)							      \
      d[l] = function (a[l], round);					      \
  }
#define ROUNDINGS(X, T, from, function)					      \
  X (T, from, rn, HALF_RN, function) X (T, from, rz, HALF_RZ, function)	      \
  X (T, from, rm, HALF_RM, function) X (T, from, rp, HALF_RP, function)
#define NARROWINGS(X)							      \
  ROUNDINGS (X, f16, f32, emu_to_f16) ROUNDINGS (X, f16, f64, f64_to_f16)    \
  ROUNDINGS (X, bf16, f32, emu_to_bf16)				      \
  ROUNDINGS (X, bf16, f64, f64_to_bf16)
NARROWINGS (NARROW)

/* Two f32 to a pair; the first operand is the upper half.  */
#define PAIR(T, name, round)						      \
  HANDLER (cvt_##name##_##T##x2)					      \
  {									      \
    u32 *d = OPERAND (u32, i->d);					      \
    const f32 *a = OPERAND (f32, i->a), *b = OPERAND (f32, i->b);	      \
    EACH_LANE (l)							      \
      d[l] = (u32) emu_to_##T (a[l], round) << 16 | emu_to_##T (b[l], round); \
  }
#define PAIRS(X)							      \
  X (f16, rn, HALF_RN) X (f16, rz, HALF_RZ) X (bf16, rn, HALF_RN)	      \
  X (bf16, rz, HALF_RZ)
PAIRS (PAIR)

/* tf32: f32 whose last 13 bits are zero.  MORE is added before they are cut
   off.  NAN is a NaN's result.  */
#define TF32(name, more, nan)						      \
  HANDLER (cvt_##name##_tf32)						      \
  {									      \
    u32 *d = OPERAND (u32, i->d);					      \
    const u32 *a = OPERAND (u32, i->a);					      \
    FOR_LANES (d, (a[l] & 0x7fffffff) > 0x7f800000 ? (nan)		      \
	       : (a[l] + (more)) & ~(u32) 0x1fff);			      \
  }
TF32 (rna, 0x1000, a[l] & ~(u32) 0x1fff)
TF32 (rn, 0xfff + (a[l] >> 13 & 1), 0x7fffffff)
TF32 (rz, 0, 0x7fffffff)

HANDLER (relu_tf32)
{
  u32 *d = OPERAND (u32, i->d);
  const u32 *a = OPERAND (u32, i->a);
  FOR_LANES (d, a[l] >> 31 ? 0 : a[l]);
}

HANDLER (satfinite_tf32)
{
  u32 *d = OPERAND (u32, i->d);
  const u32 *a = OPERAND (u32, i->a);
  FOR_LANES (d, (a[l] & 0x7fffffff) == 0x7f800000 ? a[l] - 0x2000 : a[l]);
}

#define WIDEN_ROW(T, to) { "cvt." #to "." #T, cvt_##to##_##T },
#define NARROW_ROW(T, from, name, round, function)				      \
  { "cvt_" #name "." #T "." #from, cvt_##name##_##T##_##from },
#define PAIR_ROW(T, name, round)					      \
  { "cvt_" #name "." #T "x2.f32", cvt_##name##_##T##x2 },

const struct emu_row emu_half_cvt_rows[] = {
  WIDENINGS (WIDEN_ROW) NARROWINGS (NARROW_ROW) PAIRS (PAIR_ROW)
  { "cvt_odd.f64.u64", cvt_odd_u64 },
  { "cvt_odd.f64.s64", cvt_odd_s64 },
  { "cvt_rna.tf32.f32", cvt_rna_tf32 },
  { "cvt_rn.tf32.f32", cvt_rn_tf32 },
  { "cvt_rz.tf32.f32", cvt_rz_tf32 },
  { "relu.tf32", relu_tf32 },
  { "satfinite.tf32", satfinite_tf32 },
  { NULL, NULL }
};

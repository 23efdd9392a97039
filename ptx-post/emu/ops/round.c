/* Floating-point instructions with directed rounding, and the steps around
   plain ones: flushing subnormals, saturation, NaN-preserving min and max.

   The host's rounding mode is set around each warp instruction; this file is
   compiled with -frounding-math.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <fenv.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "machine/table.h"
#include "ops/lanes.h"

static inline f32
canon_f32 (f32 x)
{
  u32 nan = 0x7fffffff;
  if (x != x)
    memcpy (&x, &nan, sizeof x);
  return x;
}

static inline f64
canon_f64 (f64 x)
{
  return x;
}

#define MODES(X, ...)							      \
  X (rz, FE_TOWARDZERO, __VA_ARGS__)					      \
  X (rm, FE_DOWNWARD, __VA_ARGS__)					      \
  X (rp, FE_UPWARD, __VA_ARGS__)

/* CANON gives a NaN its bits.  */
#define DIRECTED(mode, fe, name, canon, to, from, value)		      \
  HANDLER (name##_##mode)						      \
  {									      \
    to *d = OPERAND (to, i->d);						      \
    const from *a = OPERAND (from, i->a);				      \
    const from *b = OPERAND (from, i->b), *c = OPERAND (from, i->c);	      \
    int old = fegetround ();						      \
    (void) b, (void) c;							      \
    fesetround (fe);							      \
    EACH_LANE (l)							      \
      d[l] = canon ((to) (value));					      \
    fesetround (old);							      \
  }

#define ARITH(mode, fe, T, suffix)					      \
  DIRECTED (mode, fe, add_##T, canon_##T, T, T, a[l] + b[l])			      \
  DIRECTED (mode, fe, sub_##T, canon_##T, T, T, a[l] - b[l])			      \
  DIRECTED (mode, fe, mul_##T, canon_##T, T, T, a[l] * b[l])			      \
  DIRECTED (mode, fe, fma_##T, canon_##T, T, T, fma##suffix (a[l], b[l], c[l]))	      \
  DIRECTED (mode, fe, div_##T, canon_##T, T, T, a[l] / b[l])			      \
  DIRECTED (mode, fe, rcp_##T, canon_##T, T, T, 1 / a[l])			      \
  DIRECTED (mode, fe, sqrt_##T, canon_##T, T, T, sqrt##suffix (a[l]))		      \
  DIRECTED (mode, fe, cvt_##T##_u32, canon_##T, T, u32, a[l])			      \
  DIRECTED (mode, fe, cvt_##T##_s32, canon_##T, T, s32, a[l])			      \
  DIRECTED (mode, fe, cvt_##T##_u64, canon_##T, T, u64, a[l])			      \
  DIRECTED (mode, fe, cvt_##T##_s64, canon_##T, T, s64, a[l])

MODES (ARITH, f32, f)
MODES (ARITH, f64, )
/* A NaN keeps its sign and upper bits: what hosts do as well.  */
MODES (DIRECTED, cvt_f32_f64, , f32, f64, a[l])

HANDLER (flush)
{
  u32 *d = OPERAND (u32, i->d);
  const u32 *a = OPERAND (u32, i->a);
  FOR_LANES (d, a[l] & 0x7f800000 ? a[l] : a[l] & 0x80000000);
}

/* The result a of an operation is zero where b, the same 2^48 times as large,
   is below the smallest normal number: where that of no least exponent is.  */
HANDLER (flush_tiny)
{
  u32 *d = OPERAND (u32, i->d);
  const u32 *a = OPERAND (u32, i->a), *b = OPERAND (u32, i->b);
  const u32 least = (1 + 48) << 23;
  FOR_LANES (d, (b[l] & 0x7fffffff) < least ? a[l] & 0x80000000 : a[l]);
}

/* Sign of a times sign of b, on c unless that is a NaN.  */
HANDLER (xorsign_f32)
{
  u32 *d = OPERAND (u32, i->d);
  const u32 *a = OPERAND (u32, i->a), *b = OPERAND (u32, i->b);
  const u32 *c = OPERAND (u32, i->c);
  FOR_LANES (d, (c[l] & 0x7fffffff) > 0x7f800000
		  ? c[l] : (c[l] & 0x7fffffff) | ((a[l] ^ b[l]) & 0x80000000));
}

/* NaN becomes 0, as does -0.  */
HANDLER (saturate_f32)
{
  f32 *d = OPERAND (f32, i->d);
  const f32 *a = OPERAND (f32, i->a);
  FOR_LANES (d, a[l] > 0 ? a[l] < 1 ? a[l] : 1 : 0);
}

HANDLER (saturate_f64)
{
  f64 *d = OPERAND (f64, i->d);
  const f64 *a = OPERAND (f64, i->a);
  FOR_LANES (d, a[l] > 0 ? a[l] < 1 ? a[l] : 1 : 0);
}

static f32
pick (f32 a, f32 b, bool less)
{
  if (a != a || b != b)
    return canon_f32 (a + b);
  if (a == b)
    return !signbit (a) == less ? b : a; /* -0 is below +0 */
  return (a < b) == less ? a : b;
}

HANDLER (min_nan_f32)
{
  f32 *d = OPERAND (f32, i->d);
  const f32 *a = OPERAND (f32, i->a), *b = OPERAND (f32, i->b);
  EACH_LANE (l)
    d[l] = pick (a[l], b[l], true);
}

HANDLER (max_nan_f32)
{
  f32 *d = OPERAND (f32, i->d);
  const f32 *a = OPERAND (f32, i->a), *b = OPERAND (f32, i->b);
  EACH_LANE (l)
    d[l] = pick (a[l], b[l], false);
}

#define OP_ROW(mode, fe, op, T) { #op "_" #mode "." #T, op##_##T##_##mode },
#define CVT_ROW(mode, fe, to, from)					      \
  { "cvt_" #mode "." #to "." #from, cvt_##to##_##from##_##mode },
#define T_ROWS(T)							      \
  MODES (OP_ROW, add, T) MODES (OP_ROW, sub, T) MODES (OP_ROW, mul, T)	      \
  MODES (OP_ROW, fma, T) MODES (OP_ROW, div, T) MODES (OP_ROW, rcp, T)	      \
  MODES (OP_ROW, sqrt, T) MODES (CVT_ROW, T, u32) MODES (CVT_ROW, T, s32)     \
  MODES (CVT_ROW, T, u64) MODES (CVT_ROW, T, s64)

const struct emu_row emu_round_rows[] = {
  T_ROWS (f32) T_ROWS (f64) MODES (CVT_ROW, f32, f64)
  { "flush.f32", flush },
  { "flush_tiny.f32", flush_tiny },
  { "xorsign.f32", xorsign_f32 },
  { "saturate.f32", saturate_f32 },
  { "saturate.f64", saturate_f64 },
  { "min_nan.f32", min_nan_f32 },
  { "max_nan.f32", max_nan_f32 },
  { NULL, NULL }
};

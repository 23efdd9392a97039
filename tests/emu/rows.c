/* References of semantics.def's rows, and edge values.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;
typedef _Float16 f16;
typedef uint16_t bf16;	/* its bits: C has no such type */
typedef unsigned __int128 u128;
typedef __int128 s128;

#define TYPE(name, ptx, bytes, class)					      \
  static const struct row_type type_##name = { ptx, bytes, class, false };
TYPE (u8, "b32", 1, 'u')
TYPE (s8, "b32", 1, 's')
TYPE (u16, "b16", 2, 'u')
TYPE (s16, "b16", 2, 's')
TYPE (u32, "b32", 4, 'u')
TYPE (s32, "b32", 4, 's')
TYPE (u64, "b64", 8, 'u')
TYPE (s64, "b64", 8, 's')
TYPE (f32, "f32", 4, 'f')
TYPE (f64, "f64", 8, 'f')
TYPE (f16, "b16", 2, 'f')
static const struct row_type type_bf16 = { "b16", 2, 'f', true };

/* ---- References --------------------------------------------------------------- */

static u32
brev32 (u32 x)
{
  u32 r = 0;
  for (int i = 0; i < 32; i++)
    r |= (x >> i & 1) << (31 - i);
  return r;
}

static u64
brev64 (u64 x)
{
  return (u64) brev32 ((u32) x) << 32 | brev32 ((u32) (x >> 32));
}

/* Bit by bit, as PTX ISA 9.7.1.22's pseudo-code has it.  */
static u64
bfe (u64 a, u32 b, u32 c, int msb, bool is_signed)
{
  u32 pos = b & 255, len = c & 255;
  u64 d = 0;
  u32 edge = pos + len - 1 < (u32) msb ? pos + len - 1 : (u32) msb;
  int sbit = !is_signed || len == 0 ? 0 : (int) (a >> edge & 1);
  for (u32 i = 0; i <= (u32) msb; i++)
    d |= (u64) (i < len && pos + i <= (u32) msb ? a >> (pos + i) & 1
						 : (u64) sbit) << i;
  return d;
}

static u64
bfi (u64 a, u64 b, u32 c, u32 d, int msb)
{
  u32 pos = c & 255, len = d & 255;
  for (u32 i = 0; i < len && pos + i <= (u32) msb; i++)
    b = (b & ~((u64) 1 << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}

/* GPUs look at all of the position and length of a 64-bit field, where more than
   255 is as good as that.  */
static u32
up_to_255 (u32 x)
{
  return x < 255 ? x : 255;
}

static u32
prmt (u32 a, u32 b, u32 c)
{
  u32 r = 0;
  for (int k = 0; k < 4; k++)
    {
      u32 s = c >> 4 * k & 15, n = s & 7;
      u32 byte = (n < 4 ? a >> 8 * n : b >> 8 * (n - 4)) & 255;
      if (s & 8)
	byte = byte & 128 ? 255 : 0;
      r |= byte << 8 * k;
    }
  return r;
}

static u32
lop3 (u32 a, u32 b, u32 c, unsigned lut)
{
  u32 r = 0;
  for (int i = 0; i < 32; i++)
    {
      unsigned n = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
      r |= (u32) (lut >> n & 1) << i;
    }
  return r;
}

/* PTX ISA 9.7.1.23, 9.7.1.24 and 9.7.1.18 in C.  */
static u32
bmsk (u32 a, u32 b, bool clamp)
{
  u32 from = a & 31, to = from + (b & 31);
  u32 above = clamp && a > 31 ? 0 : ~0u << from;
  return above & ~(to > 31 || (clamp && (a > 31 || b > 31)) ? 0 : ~0u << to);
}

static u32
szext (u32 a, u32 b, bool clamp, bool is_signed)
{
  u32 n = b & 31;
  if (clamp && b > 31)
    return a;
  u32 mask = ~0u << n;
  bool sign = is_signed && n && (a >> (n - 1) & 1);
  return (a & ~mask) | (sign ? mask : 0);
}

static u32
fns (u32 mask, u32 base, s32 offset)
{
  if (offset == INT32_MIN)	/* not defined; what GPUs give */
    return 0;
  if (offset == 0)
    return mask >> base & 1 ? base : ~0u;
  s64 left = offset < 0 ? -(s64) offset : offset;
  for (int at = (int) base; at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
    if ((mask >> at & 1) && --left == 0)
      return (u32) at;
  return ~0u;
}

/* C plus the products of N parts of A with the low bytes of B.  */
static u32
dp (u32 a, u32 b, u32 c, int n, bool a_signed, bool b_signed)
{
  int bits = 32 / n;
  for (int k = 0; k < n; k++)
    {
      s64 x = a >> bits * k & ((1u << bits) - 1), y = b >> 8 * k & 255;
      if (a_signed && x >> (bits - 1))
	x -= 1 << bits;
      if (b_signed && y >> 7)
	y -= 256;
      c += (u32) (x * y);
    }
  return c;
}

/* volatile: evaluated at run time, in the rounding mode that is set.  */
#define ROUNDED(mode, T, expr)						      \
  ({									      \
    fesetround (mode);							      \
    volatile T rounded_v = (expr);					      \
    fesetround (FE_TONEAREST);						      \
    rounded_v;								      \
  })

/* f16 and its bits; the hardware's one NaN.  */
static _Float16
half (u16 bits)
{
  _Float16 f;
  memcpy (&f, &bits, sizeof f);
  return f;
}

static u16
half_bits (_Float16 f)
{
  u16 bits;
  memcpy (&bits, &f, sizeof bits);
  return f != f ? 0x7fff : bits;
}

static u32
f32_bits (f32 f)
{
  u32 bits;
  memcpy (&bits, &f, sizeof bits);
  return bits;
}

/* BITS of a float with DIGITS behind the point that X was converted to; a NaN
   keeps the sign and as many digits.  */
static u32
kept_nan (f64 x, int digits, u32 bits)
{
  u64 from;
  memcpy (&from, &x, sizeof from);
  if (x == x)
    return bits;
  u32 top = (u32) (from >> 63) << (digits == 23 ? 31 : 15);
  u32 exponent = digits == 10 ? 31 : 255;
  return top | exponent << digits | 1u << (digits - 1)
	 | (u32) (from >> (52 - digits) & ((1u << digits) - 1));
}

/* The same for the upper half of a register of two.  */
#define PAIR(value)							      \
  ({									      \
    u32 pair_r = 0;							      \
    for (int pair_k = 0; pair_k < 32; pair_k += 16)			      \
      {									      \
	u16 x = (u16) (a >> pair_k), y = (u16) (b >> pair_k);		      \
	(void) x, (void) y;						      \
	pair_r |= (u32) (u16) (value) << pair_k;			      \
      }									      \
    pair_r;								      \
  })

static s64
clamped (s64 x, s64 min, s64 max)
{
  return x < min ? min : x > max ? max : x;
}

static f32
ftz (f32 x)
{
  return fpclassify (x) == FP_SUBNORMAL ? copysignf (0, x) : x;
}

/* Whether X, rounded to f32's 24 digits in MODE, is below the smallest normal
   number: the bounds are where the next digit rounds up to it.  */
static bool
is_tiny (__float128 x, int mode)
{
  __float128 size = x < 0 ? -x : x, least = 0x1p-126;
  bool away = mode == (x < 0 ? FE_DOWNWARD : FE_UPWARD);
  return mode == FE_TONEAREST ? size < least - 0x1p-151
	 : away		      ? size <= least - 0x1p-150
			      : size < least;
}

/* a * b + c, or what is on the same side of all numbers of few digits.  */
static __float128
fma_near (f32 a, f32 b, f32 c)
{
  __float128 p = (__float128) a * b, s = p + c, t = s - p;
  __float128 tail = (p - (s - t)) + (c - t);
  return tail == 0 || tail != tail ? s : s + ((tail < 0) == (s < 0) ? s : -s) * 0x1p-112;
}

/* VALUE, computed in MODE, with .ftz; EXACT is what is rounded to it.  */
#define FTZ(mode, exact, value)						      \
  ({									      \
    f32 ftz_r = ROUNDED (mode, f32, value);				      \
    is_tiny ((exact), mode) ? copysignf (0, ftz_r) : ftz_r;		      \
  })

/* Video instructions are sequences of others on today's GPUs.  What .sat leaves
   of an unsigned sum, and of one in a part of a word.  */
static u32
no_less (s64 x)
{
  return x < 0 ? 0 : (u32) x;
}

static u32
no_more (s64 x, u32 max)
{
  return x < 0 || x > max ? max : (u32) x;
}

/* A shifted up by N, to 34 bits, the last one the sign.  */
static s64
shifted (s64 a, u32 n, s64 min, s64 max)
{
  s64 x = (s64) ((u64) a << (n < 32 ? n : 32) << 30) >> 30;
  return clamped (x, min, max);
}

static f64
sat (f64 x)
{
  return x > 0 ? x < 1 ? x : 1 : 0;
}

/* A number over a NaN; -0 below +0.  */
#define MIN(T, a, b)							      \
  (isnan (a) ? (b) : isnan (b) ? (a)					      \
   : (a) == (b) ? (signbit (a) ? (a) : (b)) : (a) < (b) ? (a) : (b))
#define MAX(T, a, b)							      \
  (isnan (a) ? (b) : isnan (b) ? (a)					      \
   : (a) == (b) ? (signbit (a) ? (b) : (a)) : (a) > (b) ? (a) : (b))

/* bf16 is the upper half of an f32.  */
static f32
from_bf16 (bf16 x)
{
  u32 bits = (u32) x << 16;
  f32 f;
  memcpy (&f, &bits, 4);
  return f;
}

static bf16
cut_bf16 (f32 x)
{
  u32 bits;
  memcpy (&bits, &x, 4);
  return isnan (x) ? 0x7fff : (bf16) (bits >> 16);
}

/* X, and TAIL less than its last bit, to the nearest one, the even one of two:
   the middle between X's neighbours decides.  */
static bf16
round_bf16 (__float128 x, __float128 tail)
{
  f32 down = ROUNDED (FE_TOWARDZERO, f32, (f32) x);
  bf16 low = cut_bf16 (down), high = (bf16) (low + 1);
  if (isnan (down) || (low & 0x7f80) == 0x7f80)
    return low;
  bool negative = low & 0x8000;
  __float128 above = (high & 0x7f80) != 0x7f80 ? from_bf16 (high)
		     : negative		       ? -0x1p128
					       : 0x1p128;
  __float128 past = x - (from_bf16 (low) + above) / 2;
  if (past == 0)
    past = tail;
  return past == 0 ? (low & 1 ? high : low) : (past < 0) == negative ? high : low;
}

static bf16
to_bf16 (__float128 x)
{
  return round_bf16 (x, 0);
}

/* The product is exact; the sum may lose a tail.  */
static bf16
fma_bf16 (bf16 a, bf16 b, bf16 c)
{
  __float128 p = (__float128) from_bf16 (a) * from_bf16 (b);
  __float128 z = from_bf16 (c), s = p + z, t = s - p;
  return round_bf16 (s, (p - (s - t)) + (z - t));
}

/* Pairs in a register.  */
static f32
half_f16 (u32 x, int k)
{
  u16 bits = (u16) (x >> 16 * k);
  f16 h;
  memcpy (&h, &bits, 2);
  return h;
}

static f32
half_bf16 (u32 x, int k)
{
  return from_bf16 ((bf16) (x >> 16 * k));
}

static u32
pack_f16 (__float128 low, __float128 high)
{
  f16 h[2] = { (f16) low, (f16) high };
  u16 bits[2];
  memcpy (bits, h, 4);
  for (int k = 0; k < 2; k++)
    if ((bits[k] & 0x7fff) > 0x7c00)
      bits[k] = 0x7fff;
  return (u32) bits[1] << 16 | bits[0];
}

static u32
pack_bf16 (__float128 low, __float128 high)
{
  return (u32) to_bf16 (high) << 16 | to_bf16 (low);
}

static u32
fma2_f16 (u32 a, u32 b, u32 c)
{
  return pack_f16 ((__float128) half_f16 (a, 0) * half_f16 (b, 0)
		     + half_f16 (c, 0),
		   (__float128) half_f16 (a, 1) * half_f16 (b, 1)
		     + half_f16 (c, 1));
}

static u32
fma2_bf16 (u32 a, u32 b, u32 c)
{
  return (u32) fma_bf16 ((bf16) (a >> 16), (bf16) (b >> 16), (bf16) (c >> 16))
	   << 16
	 | fma_bf16 ((bf16) a, (bf16) b, (bf16) c);
}

/* The bits of SIZE, unless it is a NaN, with the product of A's and B's signs. */
static u32
xorsign_f32 (f32 a, f32 b, f32 size)
{
  return isnan (size) ? 0x7fffffff
		      : f32_bits (size) | ((f32_bits (a) ^ f32_bits (b)) & 0x80000000);
}

static u16
xorsign_16 (u16 a, u16 b, u16 size)
{
  return size == 0x7fff ? size : (u16) (size | ((a ^ b) & 0x8000));
}

static bf16
relu_bf16 (bf16 x)
{
  return from_bf16 (x) <= 0 ? 0 : x;
}

/* X rounded to 10 digits behind the point of a normal number.  */
static f32
tf32 (f32 x, long double (*round) (long double))
{
  if (x == 0 || isinf (x))
    return x;
  int unit = (ilogbf (x) < -126 ? -126 : ilogbf (x)) - 10;
  return (f32) copysignl (ldexpl (round (ldexpl (x, -unit)), unit), x);
}

static u32
max_f16x2 (u32 a, u32 b)
{
  return pack_f16 (MAX (f32, half_f16 (a, 0), half_f16 (b, 0)),
		   MAX (f32, half_f16 (a, 1), half_f16 (b, 1)));
}

/* Whether none of the four f16 in X is a zero.  */
static bool
no_zero_halves (u64 x)
{
  for (int k = 0; k < 64; k += 16)
    if (!(x >> k & 0x7fff))
      return false;
  return true;
}

static f32
half_f32 (u64 pair, int k)
{
  u32 bits = (u32) (pair >> k);
  f32 f;
  memcpy (&f, &bits, sizeof f);
  return f;
}

/* VALUE for the halves x, y, z of a, b, c.  */
#define F32X2_EACH(value)						      \
  for (int pair_k = 0; pair_k < 64; pair_k += 32)			      \
    {									      \
      f32 x = half_f32 (a, pair_k), y = half_f32 (b, pair_k);		      \
      f32 z = half_f32 (c, pair_k);					      \
      (void) x, (void) y, (void) z;					      \
      value;								      \
    }
#define F32X2(value)							      \
  ({									      \
    u64 pair_r = 0;							      \
    F32X2_EACH (f32 f = (value);					      \
		pair_r |= (u64) (isnan (f) ? 0x7fffffff : f32_bits (f))	      \
			  << pair_k)					      \
    pair_r;								      \
  })
#define F32X2_ALL(condition)						      \
  ({									      \
    bool pair_all = true;						      \
    F32X2_EACH (pair_all &= (condition))				      \
    pair_all;								      \
  })

/* Float to integer after rounding to X, clamped.  */
#define TO_INT(T, x, nan, min, max)					      \
  ({									      \
    long double to_x = (x);						      \
    isnan (to_x) ? (T) (nan) : to_x <= (long double) (min) ? (T) (min)	      \
      : to_x >= (long double) (max) ? (T) (max) : (T) to_x;		      \
  })

/* A row becomes a function, then an entry of the table.  */
#define ROW(...) ROW_ (__LINE__, __VA_ARGS__)
#define ROW_(line, ...) ROW__ (line, __VA_ARGS__)
#define APPROX(...) APPROX_ (__LINE__, __VA_ARGS__)
#define APPROX_(line, ...) APPROX__ (line, __VA_ARGS__)

#define OPERANDS(ta, tb, tc)						      \
  ta a;									      \
  tb b;									      \
  tc c;									      \
  memcpy (&a, &in[0], sizeof a);					      \
  memcpy (&b, &in[1], sizeof b);					      \
  memcpy (&c, &in[2], sizeof c);					      \
  (void) a, (void) b, (void) c;
#define ROW__(line, text, td, ta, tb, tc, ulps, expr)			      \
  static uint64_t ref_##line (const uint64_t *in)			      \
  {									      \
    OPERANDS (ta, tb, tc)						      \
    volatile td r = (td) (expr);					      \
    uint64_t bits = 0;							      \
    td copy = r;							      \
    memcpy (&bits, &copy, sizeof copy);					      \
    return bits;							      \
  }
#define APPROX__(line, text, td, ta, tb, tc, ulps, error, bound, domain, expr) \
  ROW__ (line, text, td, ta, tb, tc, ulps, expr)			      \
  static bool domain_##line (const uint64_t *in)			      \
  {									      \
    OPERANDS (ta, tb, tc)						      \
    return domain;							      \
  }
#include "semantics.def"
#undef ROW__
#undef APPROX__
#define ROW__(line, text, td, ta, tb, tc, ulps, expr)			      \
  { text, &type_##td, &type_##ta, &type_##tb, &type_##tc, ref_##line, ulps,   \
    ROW_EXACT, 0, NULL },
#define APPROX__(line, text, td, ta, tb, tc, ulps, error, bound, domain, expr) \
  { text, &type_##td, &type_##ta, &type_##tb, &type_##tc, ref_##line, ulps,   \
    ROW_##error, bound, domain_##line },

const struct row rows[] = {
#include "semantics.def"
};
const unsigned nrows = sizeof rows / sizeof *rows;

/* ---- Inputs ------------------------------------------------------------------------ */

static const uint64_t int_edges[]
  = { 0, 1, 2, 3, 5, 7, 8, 15, 16, 24, 31, 32, 33, 63, 64, 65, 0x7f, 0x80,
      0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000,
      0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x100000000,
      0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffffe,
      0xffffffffffffffff, 0xaaaaaaaaaaaaaaaa, 0x123456789abcdef0,
      0xffffffff00000000, 0xffffffff80000000 };
static const double float_edges[]
  = { 0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 0.1, -0.3, 1e-3, 255,
      256, 127.5, -128.5, 32767.5, 65535.5, 16777216, 16777217, 2147483520.0,
      2147483647.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967040.0,
      4294967295.0, 4294967296.0, 9223371487098961920.0,
      9223372036854775808.0, -9223372036854775808.0, 18446744073709551616.0,
      1e19, -1e19, 0x1p-126, 0x1.fffffep-127, 0x1p-149, -0x1p-149, 0x1p-150,
      0x1.fffffep127, -0x1.fffffep127, 0x1.ffffffp127, 0x1p-1022, 0x1p-1074,
      -0x1p-1074, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, INFINITY,
      -INFINITY, NAN, -NAN, 0x1.000002p0, 0x1.0000000000001p0, 3.14159265,
      0x1.ffffffp-127, -0x1.fffffe0001p-127, 0x1.000002p-126, 0x1.fffffcp-1 };
enum { EDGES = sizeof float_edges / sizeof *float_edges };
_Static_assert (EDGES * EDGES <= ROW_CASES, "all pairs of edges");

uint64_t
random_bits (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

uint64_t
row_edge (const struct row_type *t, unsigned k)
{
  uint64_t bits = 0;
  if (t->class != 'f')
    return int_edges[k % (sizeof int_edges / sizeof *int_edges)];
  double x = float_edges[k % EDGES];
  float y = (float) x;
  f16 z = (f16) x;
  if (t->bytes == 8)
    memcpy (&bits, &x, 8);
  else if (t->brain)
    bits = cut_bf16 (y);
  else if (t->bytes == 2)
    memcpy (&bits, &z, 2);
  else
    memcpy (&bits, &y, 4);
  return bits;
}

/* Random bits; floats of moderate size three times out of four, as two random
   exponents rarely meet.  */
uint64_t
row_random (const struct row_type *t, uint64_t *state)
{
  uint64_t r = random_bits (state);
  if (t->class != 'f' || (r & 3) == 0)
    return t->class != 'f' && (r & 4) ? r >> (r >> 8 & 63) : r;
  if (t->bytes == 2)
    return r & 0xffff;
  return t->bytes == 8 ? (r & 0x801fffffffffffff) | (u64) (1010 + (r >> 55 & 31)) << 52
		       : (r & 0x807fffff) | (u64) (115 + (r >> 40 & 31)) << 23;
}

/* ---- Kernels --------------------------------------------------------------------- */

void
row_print_header (unsigned target, FILE *f)
{
  fprintf (f,
	   ".version %s\n.target sm_%u\n.address_size 64\n"
	   ".shared .align 16 .b8 row_cells[4096];\n",
	   target > 90 ? "8.8" : "8.6", target);
}

unsigned
row_target (const struct row *r)
{
  return strstr (r->insn, "f32x2") ? 100 : 90;
}

void
row_print_kernel (const struct row *r, const char *name, FILE *f)
{
  fprintf (f,
	   ".visible .entry %s (.param .u64 in, .param .u64 out, .param .u64 all)\n"
	   "{\n"
	   ".reg .%s %%a; .reg .%s %%b; .reg .%s %%c; .reg .%s %%d;\n"
	   ".reg .b64 %%in, %%out, %%all, %%i; .reg .pred %%q, %%on, %%p;\n"
	   ".reg .b32 %%t, %%n, %%k, %%x; .reg .b64 %%w; .reg .b16 %%h, %%l;\n"
	   ".reg .b128 %%e, %%g, %%u;\n"
	   "ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
	   "ld.param.u64 %%all, [all]; ld.global.u64 %%all, [%%all];\n"
	   "mov.u32 %%t, %%tid.x; mov.u32 %%n, %%ntid.x; mov.u32 %%k, %%ctaid.x;\n"
	   "mad.lo.u32 %%t, %%k, %%n, %%t;\n"
	   "mul.wide.u32 %%i, %%t, 24; add.u64 %%in, %%in, %%i;\n"
	   "mul.wide.u32 %%i, %%t, 8; add.u64 %%out, %%out, %%i;\n"
	   "ld.global.%s %%a, [%%in]; ld.global.%s %%b, [%%in+8];\n"
	   "ld.global.%s %%c, [%%in+16];\n"
	   /* Lanes off: those whose bit of %all is clear.  */
	   "mov.u32 %%k, %%laneid; shr.u64 %%all, %%all, %%k;\n"
	   "and.b64 %%all, %%all, 1; setp.ne.u64 %%on, %%all, 0;\n"
	   "@!%%on bra DONE;\n"
	   "%s;\n"
	   "st.global.%s [%%out], %%d;\n"
	   "DONE: ret;\n}\n",
	   name, r->a->ptx, r->b->ptx, r->c->ptx, r->d->ptx, r->a->ptx, r->b->ptx,
	   r->c->ptx, r->insn, r->d->ptx);
}

void
row_inputs (const struct row *r, uint64_t in[ROW_CASES][3], uint64_t *state)
{
  for (unsigned k = 0; k < ROW_CASES; k++)
    {
      bool edges = k < EDGES * EDGES;
      in[k][0] = edges ? row_edge (r->a, k / EDGES) : row_random (r->a, state);
      in[k][1] = edges ? row_edge (r->b, k % EDGES) : row_random (r->b, state);
      in[k][2] = edges ? row_edge (r->c, (unsigned) random_bits (state) % EDGES)
		       : row_random (r->c, state);
    }
}

/* ---- Judging --------------------------------------------------------------------- */

uint64_t
row_result (const struct row *r, const uint64_t in[3])
{
  uint64_t bits = r->ref (in);
  if (r->d->bytes == 1)		/* extended: the register is a b32 */
    return r->d->class == 's' ? (u32) (s32) (s8) bits : (u8) bits;
  return bits;
}

unsigned
row_result_bytes (const struct row *r)
{
  return r->d->bytes == 1 ? 4 : r->d->bytes;
}

/* BITS of T as a number; only for T of class f.  */
static f64
number (const struct row_type *t, uint64_t bits)
{
  f16 h;
  f32 x;
  f64 y;
  memcpy (&h, &bits, 2);
  memcpy (&x, &bits, 4);
  memcpy (&y, &bits, 8);
  return t->brain ? from_bf16 ((bf16) bits) : t->bytes == 2 ? h
	 : t->bytes == 4			    ? x
						    : y;
}

/* Distance in units of the last place, for numbers of one sign.  */
static f64
distance (uint64_t x, uint64_t y)
{
  return x > y ? (f64) (x - y) : (f64) (y - x);
}

bool
row_agrees (const struct row *r, uint64_t got, uint64_t want)
{
  if (r->d->class != 'f')
    return got == want;
  if (isnan (number (r->d, want)))
    /* Short arithmetic has one NaN; what else gives is not documented.  */
    return r->d->bytes < 8 && r->ulps >= 0
	     ? got == (r->d->bytes == 4 ? 0x7fffffff : 0x7fff)
	     : isnan (number (r->d, got));
  return got == want || distance (got, want) <= r->ulps;
}

bool
row_allowed (const struct row *r, const uint64_t in[3], uint64_t got,
	     uint64_t want)
{
  if (r->error == ROW_EXACT)
    return row_agrees (r, got, want);
  if (got == want || !r->in_domain (in))
    return true;
  if (r->d->class != 'f')
    return false;
  f64 g = number (r->d, got), w = number (r->d, want);
  if (isnan (w))
    return isnan (g);
  if (r->error == ROW_ULPS)
    return distance (got, want) <= r->bound;
  /* The reference is rounded itself.  */
  f64 rounded = fabs (number (r->d, want ^ 1) - w) / 2;
  return fabs (g - w) <= (r->error == ROW_ABSOLUTE ? 1 : fabs (w)) * r->bound
			   + rounded;
}

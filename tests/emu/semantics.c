/* What instructions compute: every row of semantics.def becomes a kernel that
   runs on pairs of edge values and on random bits, with all lanes and with
   some lanes off, and is compared with the host compiler's evaluation of the
   same operation.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "machine-run.h"

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
typedef unsigned __int128 u128;
typedef __int128 s128;

/* A type of operands: its PTX name for registers and memory, size, class.  */
struct type
{
  const char *ptx;
  unsigned bytes;
  char class;			/* u s f */
};
static const struct type type_u8 = { "b32", 1, 'u' };
static const struct type type_s8 = { "b32", 1, 's' };
static const struct type type_u16 = { "b16", 2, 'u' };
static const struct type type_s16 = { "b16", 2, 's' };
static const struct type type_u32 = { "b32", 4, 'u' };
static const struct type type_s32 = { "b32", 4, 's' };
static const struct type type_u64 = { "b64", 8, 'u' };
static const struct type type_s64 = { "b64", 8, 's' };
static const struct type type_f32 = { "f32", 4, 'f' };
static const struct type type_f64 = { "f64", 8, 'f' };

struct row
{
  const char *insn;		/* of %a %b %c to %d; %q is a predicate */
  const struct type *d, *a, *b, *c;
  uint64_t (*ref) (const uint64_t *);
  double ulps;			/* allowed error of a float result */
};

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

/* volatile: evaluated at run time, in the rounding mode that is set.  */
#define ROUNDED(mode, T, expr)						      \
  ({									      \
    fesetround (mode);							      \
    volatile T rounded_v = (expr);					      \
    fesetround (FE_TONEAREST);						      \
    rounded_v;								      \
  })

static f32
ftz (f32 x)
{
  return fpclassify (x) == FP_SUBNORMAL ? copysignf (0, x) : x;
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

/* Float to integer after rounding to X, clamped.  */
#define TO_INT(T, x, nan, min, max)					      \
  ({									      \
    long double to_x = (x);						      \
    isnan (to_x) ? (T) (nan) : to_x <= (long double) (min) ? (T) (min)	      \
      : to_x >= (long double) (max) ? (T) (max) : (T) to_x;		      \
  })

#define ROW(text, td, ta, tb, tc, ulps, expr)				      \
  ROW_ (__LINE__, text, td, ta, tb, tc, ulps, expr)
#define ROW_(line, text, td, ta, tb, tc, ulps, expr)			      \
  ROW__ (line, text, td, ta, tb, tc, ulps, expr)
#define ROW__(line, text, td, ta, tb, tc, ulps, expr)			      \
  static uint64_t ref_##line (const uint64_t *in)			      \
  {									      \
    ta a;								      \
    tb b;								      \
    tc c;								      \
    memcpy (&a, &in[0], sizeof a);					      \
    memcpy (&b, &in[1], sizeof b);					      \
    memcpy (&c, &in[2], sizeof c);					      \
    (void) a, (void) b, (void) c;					      \
    volatile td r = (td) (expr);					      \
    uint64_t bits = 0;							      \
    td copy = r;							      \
    memcpy (&bits, &copy, sizeof copy);					      \
    return bits;							      \
  }
#include "semantics.def"
#undef ROW__
#define ROW__(line, text, td, ta, tb, tc, ulps, expr)			      \
  { text, &type_##td, &type_##ta, &type_##tb, &type_##tc, ref_##line, ulps },

static const struct row rows[] = {
#include "semantics.def"
};

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
      -INFINITY, NAN, -NAN, 0x1.000002p0, 0x1.0000000000001p0, 3.14159265 };

static uint64_t seed = 88172645463325252u;

static uint64_t
random_bits (void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

static uint64_t
edge (const struct type *t, unsigned k)
{
  uint64_t bits = 0;
  if (t->class != 'f')
    return int_edges[k % (sizeof int_edges / sizeof *int_edges)];
  double x = float_edges[k % (sizeof float_edges / sizeof *float_edges)];
  float y = (float) x;
  if (t->bytes == 8)
    memcpy (&bits, &x, 8);
  else
    memcpy (&bits, &y, 4);
  return bits;
}

/* Random bits; floats of moderate size three times out of four, as two random
   exponents rarely meet.  */
static uint64_t
random_of (const struct type *t)
{
  uint64_t r = random_bits ();
  if (t->class != 'f' || (r & 3) == 0)
    return t->class != 'f' && (r & 4) ? r >> (r >> 8 & 63) : r;
  return t->bytes == 8 ? (r & 0x801fffffffffffff) | (u64) (1010 + (r >> 55 & 31)) << 52
		       : (r & 0x807fffff) | (u64) (115 + (r >> 40 & 31)) << 23;
}

enum { CASES = 4096, SENTINEL = 0x5a };

/* ---- Running ---------------------------------------------------------------------------- */

static char *
kernel_text (const struct row *r)
{
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  fprintf (f,
	   PTX_HEADER
	   ".visible .entry k (.param .u64 in, .param .u64 out, .param .u64 all)\n"
	   "{\n"
	   ".reg .%s %%a; .reg .%s %%b; .reg .%s %%c; .reg .%s %%d;\n"
	   ".reg .b64 %%in, %%out, %%all, %%i; .reg .pred %%q, %%on, %%p;\n"
	   ".reg .b32 %%t, %%n, %%k, %%x; .reg .b64 %%w;\n"
	   "ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
	   "ld.param.u64 %%all, [all];\n"
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
	   r->a->ptx, r->b->ptx, r->c->ptx, r->d->ptx, r->a->ptx, r->b->ptx,
	   r->c->ptx, r->insn, r->d->ptx);
  fclose (f);
  return text;
}

/* Distance in units of the last place, for numbers of one sign.  */
static double
distance (uint64_t x, uint64_t y)
{
  return x > y ? (double) (x - y) : (double) (y - x);
}

static bool
agree (const struct row *r, uint64_t got, uint64_t want)
{
  if (r->d->class != 'f')
    return got == want;
  if (r->d->bytes == 4)
    {
      f32 w;
      memcpy (&w, &want, 4);
      /* The hardware's one NaN.  */
      if (isnan (w))
	return r->ulps < 0 ? (got & 0x7fffffff) > 0x7f800000 : got == 0x7fffffff;
    }
  else
    {
      f64 g, w;
      memcpy (&g, &got, 8);
      memcpy (&w, &want, 8);
      if (isnan (w))
	return isnan (g);
    }
  return got == want || distance (got, want) <= r->ulps;
}

/* The register that a result of less than 32 bits lies in is extended.  */
static uint64_t
in_memory (const struct type *t, uint64_t bits)
{
  if (t->bytes == 1)
    return t->class == 's' ? (u32) (s32) (s8) bits : (u8) bits;
  return bits;
}

static void
test_row (const struct row *r)
{
  static uint64_t *in, *out;
  if (!in)
    {
      in = device (CASES * 24);
      out = device (CASES * 8);
    }
  for (unsigned k = 0; k < CASES; k++)
    {
      bool edges = k < 55 * 55;
      in[3 * k] = edges ? edge (r->a, k / 55) : random_of (r->a);
      in[3 * k + 1] = edges ? edge (r->b, k % 55) : random_of (r->b);
      in[3 * k + 2] = edges ? edge (r->c, (unsigned) random_bits () % 55)
			    : random_of (r->c);
    }
  char *text = kernel_text (r);
  struct emu_module *m = load_ptx (text);
  bool same = m;
  static const uint64_t masks[] = { 0xffffffff, 0x5a5a1248 };
  for (unsigned pass = 0; same && pass < 2; pass++)
    {
      const uint64_t params[] = { (uintptr_t) in, (uintptr_t) out, masks[pass] };
      memset (out, SENTINEL, CASES * 8);
      if (launch (m, "k", CASES / 256, 256, 0, 3, params) != CUDA_SUCCESS)
	same = false;
      for (unsigned k = 0; same && k < CASES; k++)
	{
	  bool on = masks[pass] >> (k % 32) & 1;
	  unsigned bytes = r->d->bytes == 1 ? 4 : r->d->bytes;
	  uint64_t got = 0, want = 0;
	  memcpy (&got, &out[k], bytes);
	  if (on)
	    want = in_memory (r->d, r->ref (&in[3 * k]));
	  else
	    memset (&want, SENTINEL, bytes);
	  if (on ? !agree (r, got, want) : got != want)
	    {
	      same = false;
	      diag ("lane %u %s: a=%#llx b=%#llx c=%#llx: got %#llx, want %#llx",
		    k % 32, on ? "on" : "off", (long long) in[3 * k],
		    (long long) in[3 * k + 1], (long long) in[3 * k + 2],
		    (long long) got, (long long) want);
	    }
	}
    }
  ok (same, "%s", r->insn);
  emu_module_unload (m);
  free (text);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    test_row (&rows[k]);
  return done_testing ();
}

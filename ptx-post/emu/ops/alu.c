/* Handlers of arithmetic, logic, comparison and conversion instructions, made
   from alu_int.def and alu_float.def.

   This file is compiled once for every instruction set (EMU_ISA); isa.c
   picks the best one that the host has.  No contraction: a multiply and an
   add stay two roundings (-ffp-contract=off in Makefile.am).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stddef.h>

#include "machine/table.h"
#include "ops/lanes.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

/* The element of the row that holds a type.  */
typedef u32 row_u8, row_s8, row_u16, row_s16, row_u32, row_s32;
typedef u32 u16x2, s16x2, row_u16x2, row_s16x2;
typedef u64 row_u64, row_s64;
typedef f32 row_f32;
typedef f64 row_f64;

#define MIN_u8 0
#define MIN_u16 0
#define MIN_u32 0
#define MIN_u64 0
#define MIN_s8 INT8_MIN
#define MIN_s16 INT16_MIN
#define MIN_s32 INT32_MIN
#define MIN_s64 INT64_MIN
#define MAX_u8 UINT8_MAX
#define MAX_u16 UINT16_MAX
#define MAX_u32 UINT32_MAX
#define MAX_u64 UINT64_MAX
#define MAX_s8 INT8_MAX
#define MAX_s16 INT16_MAX
#define MAX_s32 INT32_MAX
#define MAX_s64 INT64_MAX

/* The first value of T that is too large for an integer type, or the last
   one that is not.  */
#define LIMIT_u8(T) ((T) 255)
#define LIMIT_s8(T) ((T) 127)
#define LIMIT_u16(T) ((T) 65535)
#define LIMIT_s16(T) ((T) 32767)
#define LIMIT_u32(T) ((T) 0x1p32)
#define LIMIT_s32(T) ((T) 0x1p31)
#define LIMIT_u64(T) ((T) 0x1p64)
#define LIMIT_s64(T) ((T) 0x1p63)

/* What a NaN converts to: 0 from f32 to at most 32 bits, else the top bit. */
#define TOP_BIT(to) ((to) ((uint64_t) 1 << (8 * sizeof (to) - 1)))
#define NAN_f32(to) (sizeof (to) < 8 ? 0 : TOP_BIT (to))
#define NAN_f64(to) TOP_BIT (to)

/* ---- Helpers of the expressions in the tables -------------------------- */

static inline s32
clamp_s32 (s64 x)
{
  return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : (s32) x;
}

static inline u32
find_msb (u64 x)
{
  return x ? 63 - (u32) __builtin_clzll (x) : (u32) -1;
}

static inline u32
shift_amount (u64 x, unsigned bits)
{
  return x ? bits - 1 - find_msb (x) : (u32) -1;
}

static inline u64
reverse (u64 x)
{
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
  return __builtin_bswap64 (x);
}

/* Bits [POS, POS + LEN) of X, which has BITS; IS_SIGNED: the field's top bit,
   or that of X when the field reaches past it, fills the rest.  */
static inline u64
extract (u64 x, unsigned pos, unsigned len, unsigned bits, bool is_signed)
{
  unsigned top = (u64) pos + len < bits ? pos + len - 1 : bits - 1;
  if (len == 0)
    return 0;
  u64 fill = is_signed && (x >> top & 1) ? (u64) -1 : 0;
  u64 v = pos < bits ? x >> pos : fill;
  unsigned have = pos < bits ? bits - pos : 0;
  unsigned n = len < have ? len : have;
  if (n == 0)
    return fill;
  return n == 64 ? v : (v & (((u64) 1 << n) - 1)) | fill << n;
}

static inline u64
insert (u64 x, u64 into, unsigned pos, unsigned len, unsigned bits)
{
  if (pos >= bits || len == 0)
    return into;
  u64 field = len >= 64 ? (u64) -1 : ((u64) 1 << len) - 1;
  u64 m = field << pos;
  return (into & ~m) | (x << pos & m);
}

/* The position of the set bit of MASK that is the N-th from BASE on, upwards
   for positive N, downwards for negative N.  The smallest N has no opposite:
   GPUs give 0.  */
static inline u32
find_nth (u32 mask, u32 base, s32 n)
{
  if (n == INT32_MIN)
    return 0;
  if (base > 31)
    return (u32) -1;
  if (n == 0)
    return mask >> base & 1 ? base : (u32) -1;
  int step = n > 0 ? 1 : -1;
  unsigned left = n > 0 ? (u32) n : 0 - (u32) n;
  for (int at = (int) base; at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && --left == 0)
      return (u32) at;
  return (u32) -1;
}

static inline u32
bit_mask (u32 pos, u32 len)
{
  u32 to_pos = pos < 32 ? (u32) -1 << pos : 0;
  u64 end = (u64) pos + len;
  u32 from_end = end < 32 ? (u32) -1 << end : 0;
  return to_pos & ~from_end;
}

/* A with bit N - 1 copied to all above it.  */
static inline s32
sign_extend (s32 a, u32 n)
{
  return n ? (s32) ((u32) a << (32 - n)) >> (32 - n) : 0;
}

/* Bytes of B:A picked by four nibbles of SELECTOR; the top bit of a nibble
   asks for the sign of the byte instead.  */
static inline u32
permute (u32 a, u32 b, u64 selector)
{
  u64 both = (u64) b << 32 | a;
  u32 r = 0;
  for (int k = 0; k < 4; k++)
    {
      unsigned s = selector >> 4 * k & 15;
      u32 byte = both >> 8 * (s & 7) & 255;
      if (s & 8)
	byte = byte >> 7 ? 255 : 0;
      r |= byte << 8 * k;
    }
  return r;
}

static inline u32
dot4 (u32 a, u32 b, bool a_signed, bool b_signed)
{
  s32 sum = 0;
  for (int k = 0; k < 4; k++)
    {
      s32 x = a_signed ? (s8) (a >> 8 * k) : (s32) (a >> 8 * k & 255);
      s32 y = b_signed ? (s8) (b >> 8 * k) : (s32) (b >> 8 * k & 255);
      sum += x * y;
    }
  return (u32) sum;
}

/* Two 16-bit elements of A times the low two bytes of B.  */
static inline u32
dot2 (u32 a, u32 b, bool a_signed, bool b_signed)
{
  s32 sum = 0;
  for (int k = 0; k < 2; k++)
    {
      s32 x = a_signed ? (s16) (a >> 16 * k) : (s32) (a >> 16 * k & 0xffff);
      s32 y = b_signed ? (s8) (b >> 8 * k) : (s32) (b >> 8 * k & 255);
      sum += x * y;
    }
  return (u32) sum;
}

static const u32 sign_f32 = 0x80000000, inf_f32 = 0x7f800000;
static const u64 sign_f64 = 0x8000000000000000, inf_f64 = 0x7ff0000000000000;

#define FLOAT_HELPERS(T, U, suffix)					      \
  static inline U word_##T (T x)					      \
  {									      \
    union { T t; U u; } v = { .t = x };					      \
    return v.u;								      \
  }									      \
  static inline T bits_##T (U x)					      \
  {									      \
    union { U u; T t; } v = { .u = x };					      \
    return v.t;								      \
  }									      \
  static inline T fma_##T (T a, T b, T c) { return fma##suffix (a, b, c); }   \
  static inline T sqrt_##T (T a) { return __builtin_sqrt##suffix (a); }	      \
  static inline T round_rni_##T (T a) { return __builtin_rint##suffix (a); }  \
  static inline T round_rzi_##T (T a) { return __builtin_trunc##suffix (a); } \
  static inline T round_rmi_##T (T a) { return __builtin_floor##suffix (a); } \
  static inline T round_rpi_##T (T a) { return __builtin_ceil##suffix (a); }  \
  /* A number wins over a NaN; -0 is below +0.  */			      \
  static inline T min_##T (T a, T b)					      \
  {									      \
    T zeros = bits_##T (word_##T (a) | word_##T (b));			      \
    T r = a < b ? a : b < a ? b : zeros;				      \
    return a != a ? b : b != b ? a : r;					      \
  }									      \
  static inline T max_##T (T a, T b)					      \
  {									      \
    T zeros = bits_##T (word_##T (a) & word_##T (b));			      \
    T r = a > b ? a : b > a ? b : zeros;				      \
    return a != a ? b : b != b ? a : r;					      \
  }
FLOAT_HELPERS (f32, u32, f)
FLOAT_HELPERS (f64, u64, )

static inline f32
canon_f32 (f32 x)
{
  return x != x ? bits_f32 (0x7fffffff) : x;
}

static inline f64
canon_f64 (f64 x)
{
  return x;
}

/* ---- The handlers ------------------------------------------------------ */

#define A ((T) a[l])
#define B ((T2) b[l])
#define C ((T3) c[l])
#define D (e[l])
#define CIN (w->cc >> l & 1)

#define FN(op, t) op_##op##_##t
#define TYPES(t, t2, t3) typedef t T; typedef t2 T2; typedef t3 T3;	      \
  (void) sizeof (T); (void) sizeof (T2); (void) sizeof (T3)
#define ROW_OF(t, ref) OPERAND (row_##t, ref)

#define OP1(op, t, value)						      \
  HANDLER (FN (op, t))							      \
  {									      \
    TYPES (t, t, t);							      \
    row_##t *d = ROW_OF (t, i->d);					      \
    const row_##t *a = ROW_OF (t, i->a);				      \
    FOR_LANES (d, (T) (value));						      \
  }
#define OP2_(op, t, t2, value)						      \
  HANDLER (FN (op, t))							      \
  {									      \
    TYPES (t, t2, t);							      \
    row_##t *d = ROW_OF (t, i->d);					      \
    const row_##t *a = ROW_OF (t, i->a);				      \
    const row_##t2 *b = ROW_OF (t2, i->b);				      \
    FOR_LANES (d, (T) (value));						      \
  }
#define OP2(op, t, value) OP2_ (op, t, t, value)
#define SHIFT(op, t, value) OP2_ (op, t, u32, value)
#define OP3_(op, t, t2, t3, value)					      \
  HANDLER (FN (op, t))							      \
  {									      \
    TYPES (t, t2, t3);							      \
    row_##t *d = ROW_OF (t, i->d);					      \
    const row_##t *a = ROW_OF (t, i->a);				      \
    const row_##t2 *b = ROW_OF (t2, i->b);				      \
    const row_##t3 *c = ROW_OF (t3, i->c);				      \
    FOR_LANES (d, (T) (value));						      \
  }
#define OP3(op, t, value) OP3_ (op, t, t, t, value)
#define FIELD(op, t, value) OP3_ (op, t, u32, u32, value)
#define INSERT(op, t, value)						      \
  HANDLER (FN (op, t))							      \
  {									      \
    TYPES (t, t, u32);							      \
    row_##t *d = ROW_OF (t, i->d);					      \
    const row_##t *a = ROW_OF (t, i->a), *b = ROW_OF (t, i->b);		      \
    const u32 *c = OPERAND (u32, i->c), *e = OPERAND (u32, i->e);	      \
    FOR_LANES (d, (T) (value));						      \
  }
/* The type named is the operands'; mul.wide has no C.  */
#define WIDE(op, t, wide, value)					      \
  HANDLER (FN (op, t))							      \
  {									      \
    TYPES (t, t, wide);							      \
    row_##wide *d = ROW_OF (wide, i->d);				      \
    const row_##t *a = ROW_OF (t, i->a), *b = ROW_OF (t, i->b);		      \
    const row_##wide *c = ROW_OF (wide, i->c);				      \
    (void) c;								      \
    FOR_LANES (d, (wide) (value));					      \
  }
#define COUNT(op, t, value)						      \
  HANDLER (FN (op, t))							      \
  {									      \
    TYPES (t, t, t);							      \
    u32 *d = OPERAND (u32, i->d);					      \
    const row_##t *a = ROW_OF (t, i->a);				      \
    FOR_LANES (d, (value));						      \
  }
#define CVT(op, to, from, value)					      \
  HANDLER (FN (op##_##to, from))					      \
  {									      \
    TYPES (from, from, from);						      \
    row_##to *d = ROW_OF (to, i->d);					      \
    const row_##from *a = ROW_OF (from, i->a);				      \
    FOR_LANES (d, (to) (value));					      \
  }
#define CMP_(op, t, condition)						      \
  HANDLER (FN (op, t))							      \
  {									      \
    TYPES (t, t, t);							      \
    const row_##t *a = ROW_OF (t, i->a), *b = ROW_OF (t, i->b);		      \
    u32 r = 0;								      \
    (void) b;								      \
    for (unsigned l = 0; l < LANES; l++)				      \
      r |= (condition) ? (u32) 1 << l : 0;				      \
    SET_PRED (i->d, r);							      \
  }
#define CMP(op, t, condition) CMP_ (setp_##op, t, condition)
#define TEST(op, t, condition) CMP_ (testp_##op, t, condition)
#define SELECT(op, t)							      \
  HANDLER (FN (op, t))							      \
  {									      \
    row_##t *d = ROW_OF (t, i->d);					      \
    const row_##t *a = ROW_OF (t, i->a), *b = ROW_OF (t, i->b);		      \
    const u32 p = PRED (i->c);						      \
    FOR_LANES (d, p >> l & 1 ? a[l] : b[l]);				      \
  }
#define PACK(t, half, bits)						      \
  HANDLER (FN (pack, t))						      \
  {									      \
    row_##t *d = ROW_OF (t, i->d);					      \
    const row_##half *a = ROW_OF (half, i->a), *b = ROW_OF (half, i->b);      \
    FOR_LANES (d, (t) ((t) (half) a[l] | (row_##t) (half) b[l] << bits));     \
  }									      \
  HANDLER (FN (unpack, t))						      \
  {									      \
    row_##half *d = ROW_OF (half, i->d), *b = ROW_OF (half, i->b);	      \
    const row_##t *a = ROW_OF (t, i->a);				      \
    FOR_LANES (d, (half) a[l]);						      \
    FOR_LANES (b, (half) (a[l] >> bits));				      \
  }
/* The table is an immediate in struct insn.imm.  */
#define LUT(op, t)							      \
  HANDLER (FN (op, t))							      \
  {									      \
    row_##t *d = ROW_OF (t, i->d);					      \
    const row_##t *a = ROW_OF (t, i->a), *b = ROW_OF (t, i->b),		      \
		  *c = ROW_OF (t, i->c);				      \
    u32 m[8];								      \
    for (int k = 0; k < 8; k++)						      \
      m[k] = i->imm >> k & 1 ? (u32) -1 : 0;				      \
    FOR_LANES (d, (~a[l] & ~b[l] & ~c[l] & m[0])			      \
		    | (~a[l] & ~b[l] & c[l] & m[1])			      \
		    | (~a[l] & b[l] & ~c[l] & m[2])			      \
		    | (~a[l] & b[l] & c[l] & m[3])			      \
		    | (a[l] & ~b[l] & ~c[l] & m[4])			      \
		    | (a[l] & ~b[l] & c[l] & m[5])			      \
		    | (a[l] & b[l] & ~c[l] & m[6])			      \
		    | (a[l] & b[l] & c[l] & m[7]));			      \
  }
/* KEEP: the instruction reads the carry flag but does not write it.  */
#define CARRY(op, t, wide, value, keep)					      \
  HANDLER (FN (op, t))							      \
  {									      \
    TYPES (t, t, t);							      \
    row_##t *d = ROW_OF (t, i->d);					      \
    const row_##t *a = ROW_OF (t, i->a), *b = ROW_OF (t, i->b);		      \
    const row_##t *c = ROW_OF (t, i->c);				      \
    u32 cc = 0;								      \
    (void) c;								      \
    EACH_LANE (l)							      \
      {									      \
	wide r = (value);						      \
	d[l] = (t) r;							      \
	cc |= (u32) (r >> 8 * sizeof (t) & 1) << l;			      \
      }									      \
    if (!(keep))							      \
      w->cc = (w->cc & ~mask) | cc;					      \
  }
#define P PRED (i->a)
#define Q PRED (i->b)
#define PRED1(op, value)						      \
  HANDLER (FN (op, pred)) { SET_PRED (i->d, value); }
#define PRED2(op, value) PRED1 (op, value)

#include "ops/alu_int.def"
#include "ops/alu_float.def"

#undef A
#undef B
#undef C
#undef D
#undef P
#undef Q
#undef OP1
#undef OP2
#undef OP3
#undef SHIFT
#undef FIELD
#undef INSERT
#undef WIDE
#undef COUNT
#undef CVT
#undef CMP
#undef TEST
#undef SELECT
#undef PACK
#undef LUT
#undef CARRY
#undef PRED1
#undef PRED2

/* ---- The table --------------------------------------------------------- */

#define ENTRY(op, t) { #op "." #t, FN (op, t) },
#define OP1(op, t, value) ENTRY (op, t)
#define OP2(op, t, value) ENTRY (op, t)
#define OP3(op, t, value) ENTRY (op, t)
#define SHIFT(op, t, value) ENTRY (op, t)
#define FIELD(op, t, value) ENTRY (op, t)
#define INSERT(op, t, value) ENTRY (op, t)
#define WIDE(op, t, wide, value) ENTRY (op, t)
#define COUNT(op, t, value) ENTRY (op, t)
#define CVT(op, to, from, value) { #op "." #to "." #from, FN (op##_##to, from) },
#define CMP(op, t, condition) { "setp_" #op "." #t, FN (setp_##op, t) },
#define TEST(op, t, condition) { "testp_" #op "." #t, FN (testp_##op, t) },
#define SELECT(op, t) ENTRY (op, t)
#define PACK(t, half, bits) ENTRY (pack, t) ENTRY (unpack, t)
#define LUT(op, t) ENTRY (op, t)
#define CARRY(op, t, wide, value, keep) ENTRY (op, t)
#define PRED1(op, value) ENTRY (op, pred)
#define PRED2(op, value) ENTRY (op, pred)

const struct emu_row ISA_NAME (emu_alu_rows)[] = {
#include "ops/alu_int.def"
#include "ops/alu_float.def"
  { NULL, NULL }
};

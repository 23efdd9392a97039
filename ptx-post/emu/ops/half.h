/* 16-bit floating point as f32: what half.c, half-cvt.c and atom.c share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_HALF_H
#define ACCRETE_EMU_HALF_H

#include <math.h>
#include <string.h>

#include "ops/lanes.h"

enum half_round { HALF_RN, HALF_RZ, HALF_RM, HALF_RP };

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

static inline f32
from_f16 (u16 x)
{
  u32 sign = (u32) (x & 0x8000) << 16, e = x >> 10 & 31, m = x & 0x3ff;
  if (e == 31)
    return word_f32 (sign | 0x7f800000 | m << 13);
  f32 f = e ? word_f32 ((e + 112) << 23 | m << 13) : (f32) m * 0x1p-24f;
  return sign ? -f : f;
}

static inline f32
from_bf16 (u16 x)
{
  return word_f32 ((u32) x << 16);
}

/* X rounded to odd: to f32 with the last bit set when X is not one, so that a
   second rounding to fewer bits sees what was cut off.  */
f32 emu_to_odd (f64 x);

u16 emu_to_f16 (f32, enum half_round);
u16 emu_to_bf16 (f32, enum half_round);

/* What atomic operations need.  */
u16 emu_add_f16 (u16, u16), emu_min_f16 (u16, u16), emu_max_f16 (u16, u16);
u16 emu_add_bf16 (u16, u16), emu_min_bf16 (u16, u16), emu_max_bf16 (u16, u16);

#endif /* ACCRETE_EMU_HALF_H */

/* Scalar video instructions on whole words (PTX ISA 9.7.17): two operands of
   either signedness, an exact result, clamped or cut to 32 bits, and a second
   operation with a third operand.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>

#include "lanes.h"
#include "ptx.h"
#include "table.h"

static s64
value (u32 x, bool is_signed)
{
  return is_signed ? (s64) (s32) x : (s64) x;
}

static u32
finish (const struct insn *i, s64 x, u32 c)
{
  bool is_signed = i->flags & IF_D_SIGNED;
  if (i->flags & IF_SAT)
    {
      s64 min = is_signed ? INT32_MIN : 0;
      s64 max = is_signed ? INT32_MAX : UINT32_MAX;
      x = x < min ? min : x > max ? max : x;
    }
  s64 a = value ((u32) x, is_signed), b = value (c, is_signed);
  switch (i->mode)
    {
    case PTX_M_ADD:
      return (u32) x + c;
    case PTX_M_MIN:
      return (u32) (a < b ? a : b);
    case PTX_M_MAX:
      return (u32) (a > b ? a : b);
    default:
      return (u32) x;
    }
}

#define VIDEO(name, result)						      \
  HANDLER (name)							      \
  {									      \
    u32 *d = OPERAND (u32, i->d);					      \
    const u32 *ra = OPERAND (u32, i->a), *rb = OPERAND (u32, i->b);	      \
    const u32 *rc = OPERAND (u32, i->c);				      \
    EACH_LANE (l)							      \
      {									      \
	s64 a = value (ra[l], i->flags & IF_A_SIGNED);			      \
	s64 b = value (rb[l], i->flags & IF_B_SIGNED);			      \
	u32 n = rb[l];							      \
	(void) b, (void) n;						      \
	d[l] = finish (i, (result), i->mode ? rc[l] : 0);		      \
      }									      \
  }
VIDEO (vadd, a + b)
VIDEO (vsub, a - b)
VIDEO (vabsdiff, a > b ? a - b : b - a)
VIDEO (vmin, a < b ? a : b)
VIDEO (vmax, a > b ? a : b)
VIDEO (vshl, (s64) ((u64) a << (n < 32 ? n : 32)))
VIDEO (vshl_wrap, (s64) ((u64) a << (n & 31)))
VIDEO (vshr, a >> (n < 32 ? n : 32))
VIDEO (vshr_wrap, a >> (n & 31))

const struct emu_row emu_video_rows[]
  = { { "vadd", vadd },		{ "vsub", vsub },
      { "vabsdiff", vabsdiff }, { "vmin", vmin },
      { "vmax", vmax },		{ "vshl", vshl },
      { "vshl_wrap", vshl_wrap }, { "vshr", vshr },
      { "vshr_wrap", vshr_wrap }, { NULL, NULL } };

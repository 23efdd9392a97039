/* Video instructions (PTX ISA 9.7.17): see video.h.

   No GPU since Kepler has them: what they compute is what ptxas (CUDA 13.0)
   makes of them, and that is not always what the ISA says.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "machine/table.h"
#include "ops/lanes.h"
#include "ops/video.h"
#include "ptx/ptx.h"

typedef __int128 s128;

static s128
extend (u64 x, unsigned width, bool is_signed)
{
  x &= ((u64) 1 << width) - 1;
  return is_signed && x >> (width - 1) ? (s128) x - ((s128) 1 << width)
				       : (s128) x;
}

static s128
clamp (s128 x, unsigned width, bool is_signed)
{
  s128 max = ((s128) 1 << (width - is_signed)) - 1;
  s128 min = is_signed ? -max - 1 : 0;
  return x < min ? min : x > max ? max : x;
}

static bool
compared (enum ptx_mod cmp, s128 a, s128 b)
{
  switch (cmp)
    {
    case PTX_M_EQ:
      return a == b;
    case PTX_M_NE:
      return a != b;
    case PTX_M_LT:
      return a < b;
    case PTX_M_LE:
      return a <= b;
    case PTX_M_GT:
      return a > b;
    default:
      return a >= b;
    }
}

/* a * b + c with the negations that the form has: one's complement, and 1 is
   added in the end.  c is signed.  */
static s128
vmad (const struct video *v, s128 a, s128 b, u32 c)
{
  s128 product = a * b;
  if (v->negate_product)
    product = ~product;
  s128 addend = extend (v->negate_c ? ~c : c, 32, true);
  s128 x = product + addend
	   + (v->plus_one || v->negate_product || v->negate_c);
  if (v->shift && !v->d_signed)
    x = (u64) x;
  return x >> v->shift;
}

/* T for a field of WIDTH bits with .sat.  An unsigned sum has no upper bound, a
   part of a word no lower one, and shifts give 34 bits that are clamped to
   32.  */
static s128
saturated (const struct video *v, s128 t, unsigned width)
{
  if (v->op == PTX_OP_VSHL || v->op == PTX_OP_VSHR)
    return clamp (extend ((u64) t, 34, true), 32, v->d_signed);
  if (v->lanes > 1 || v->op == PTX_OP_VMAD)
    return clamp (t, width, v->d_signed);
  s128 max = ((s128) 1 << (width - v->d_signed)) - 1;
  if (width < 32)
    return t < 0 || t > max ? max : t;
  return v->d_signed ? clamp (t, width, true) : t < 0 ? 0 : t;
}

static s128
computed (const struct video *v, s128 a, s128 b, u32 c)
{
  unsigned n = v->wrap ? (unsigned) b & 31 : b < 32 ? (unsigned) b : 32;
  switch (v->op)
    {
    case PTX_OP_VADD:
      return a + b;
    case PTX_OP_VSUB:
      return a - b;
    case PTX_OP_VABSDIFF:
      return a > b ? a - b : b - a;
    case PTX_OP_VMIN:
      return a < b ? a : b;
    case PTX_OP_VMAX:
      return a > b ? a : b;
    case PTX_OP_VAVRG2:
      return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case PTX_OP_VSET:
      return compared (v->cmp, a, b);
    case PTX_OP_VSHL:
      return (s128) ((unsigned __int128) a << n);
    case PTX_OP_VSHR:
      return a >> n;
    default:
      return vmad (v, a, b, c);
    }
}

static u32
combined (const struct video *v, u32 t, u32 c)
{
  s128 x = extend (t, 32, v->d_signed), y = extend (c, 32, v->d_signed);
  switch (v->combine)
    {
    case PTX_M_ADD:
      return t + c;
    case PTX_M_MIN:
      return x < y ? t : c;
    default:
      return x > y ? t : c;
    }
}

static void
op_video (struct warp *w, const struct insn *i, uint32_t mask)
{
  const struct video *v = i->video;
  u32 *d = OPERAND (u32, i->d);
  const u32 *a = OPERAND (u32, i->a), *b = OPERAND (u32, i->b);
  const u32 *c = OPERAND (u32, i->c);
  EACH_LANE (l)
    {
      u64 both = (u64) b[l] << 32 | a[l];
      u32 r = c[l];
      for (unsigned k = 0; k < v->lanes; k++)
	{
	  if (!(v->mask >> k & 1))
	    continue;
	  s128 x = extend (both >> v->a[k].at, v->a[k].width, v->a_signed);
	  s128 y = extend (both >> v->b[k].at, v->b[k].width, v->b_signed);
	  unsigned width = v->d[k].width;
	  s128 t = computed (v, x, y, c[l]);
	  if (v->sat)
	    t = saturated (v, t, width);
	  u32 field = (u32) (((u64) 1 << width) - 1) << v->d[k].at;
	  if (v->combine)
	    r = combined (v, (u32) t, r);
	  else
	    r = (r & ~field) | ((u32) t >> v->taken << v->d[k].at & field);
	}
      d[l] = r;
    }
}

const struct emu_row emu_video_rows[] = {
  { "video", op_video }, { NULL, NULL }
};

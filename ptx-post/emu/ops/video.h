/* A video instruction, decoded (decode-video.c) and performed (video.c).

   All of them work on 1, 2 or 4 lanes of a thread's registers: each takes a
   field of operand a or b twice, extended to an exact number, and computes.
   What comes out is combined with operand c or replaces a field of it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_VIDEO_H
#define ACCRETE_EMU_VIDEO_H

#include <stdbool.h>
#include <stdint.h>

/* WIDTH bits from bit AT on, of 64 bits: operand b above operand a.  */
struct video_field
{
  uint8_t at, width;
};

struct video
{
  uint16_t op;			/* enum ptx_op, of the scalar form */
  uint16_t cmp;			/* enum ptx_mod: of vset */
  uint16_t combine;		/* enum ptx_mod: add, min, max with c; or 0 */
  uint8_t lanes;
  uint8_t mask;			/* of lanes whose result counts */
  uint8_t shift;		/* vmad: of the result */
  uint8_t taken;		/* first bit of the result that goes to d */
  bool d_signed, a_signed, b_signed;
  bool sat, wrap, plus_one;
  bool negate_product, negate_c;	/* vmad */
  struct video_field a[4], b[4], d[4];
};

#endif /* ACCRETE_EMU_VIDEO_H */

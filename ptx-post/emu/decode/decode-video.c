/* Decoding video instructions (PTX ISA 9.7.17): see video.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>

#include "decode/decode.h"
#include "ops/video.h"

/* The scalar operation and the number of lanes.  */
static const struct form
{
  enum ptx_op op, scalar;
  unsigned lanes;
} forms[] = {
#define SIMD(op)							      \
  { PTX_OP_##op, PTX_OP_##op, 1 }, { PTX_OP_##op##2, PTX_OP_##op, 2 },	      \
  { PTX_OP_##op##4, PTX_OP_##op, 4 }
  SIMD (VADD), SIMD (VSUB), SIMD (VABSDIFF), SIMD (VMIN), SIMD (VMAX),
  SIMD (VSET),
#undef SIMD
  { PTX_OP_VAVRG2, PTX_OP_VAVRG2, 2 },
  { PTX_OP_VAVRG4, PTX_OP_VAVRG2, 4 },
  { PTX_OP_VSHL, PTX_OP_VSHL, 1 },
  { PTX_OP_VSHR, PTX_OP_VSHR, 1 },
  { PTX_OP_VMAD, PTX_OP_VMAD, 1 },
};

static const struct form *
form_of (struct decoder *d, enum ptx_op op)
{
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
    if (forms[k].op == op)
      return &forms[k];
  dec_unknown (d);
}

/* Field number DIGIT of those with the width that SEL begins with.  */
static struct video_field
field_at (struct decoder *d, const char *sel, char digit, unsigned limit)
{
  unsigned width = sel[0] == 'b' ? 8 : 16, n = (unsigned) (digit - '0');
  if (digit < '0' || n >= limit / width)
    dec_unknown (d);
  return (struct video_field){ (uint8_t) (n * width), (uint8_t) width };
}

/* The fields of a source with selector SEL, or NULL.  In scalar forms it
   selects from its own operand, from bit BASE on; in the others from both,
   and without one from its own.  */
static void
source_fields (struct decoder *d, struct video_field *f, const char *sel,
	       unsigned lanes, unsigned base)
{
  char fit = lanes == 4 ? 'b' : 'h';
  if (lanes > 1 && sel && (sel[0] != fit || strlen (sel) != lanes + 1))
    dec_unknown (d);
  for (unsigned k = 0; k < lanes; k++)
    if (lanes > 1)
      f[k] = sel ? field_at (d, sel, sel[lanes - k], 64)
		 : (struct video_field){ (uint8_t) (base + k * 32 / lanes),
					 (uint8_t) (32 / lanes) };
    else
      {
	f[k] = sel ? field_at (d, sel, sel[1], 32)
		   : (struct video_field){ 0, 32 };
	f[k].at = (uint8_t) (f[k].at + base);
      }
}

/* And of the result: in scalar forms the part of c that it replaces, in the
   others a list of the lanes that count.

   PTX ISA 9.7.17 puts the result's lower half into d.h1.  Every scalar form
   that ptxas (CUDA 13.0) makes of it for sm_90 puts the upper half there, of
   saturated results as well, and that is what an H200 was seen to give.  */
static void
result_fields (struct decoder *d, struct video *v, const char *sel)
{
  v->mask = (uint8_t) ((1 << v->lanes) - 1);
  if (v->lanes == 1)
    {
      v->d[0] = sel ? field_at (d, sel, sel[1], 32)
		    : (struct video_field){ 0, 32 };
      v->taken = v->d[0].at == 16 && v->d[0].width == 16 ? 16 : 0;
      return;
    }
  for (unsigned k = 0; k < v->lanes; k++)
    v->d[k] = (struct video_field){ (uint8_t) (k * 32 / v->lanes),
				    (uint8_t) (32 / v->lanes) };
  if (!sel)
    return;
  v->mask = 0;
  for (const char *s = sel + 1; *s; s++)
    v->mask |= (uint8_t) (1 << field_at (d, sel, *s, 32).at / v->d[0].width);
}

void
dec_video (struct decoder *d, const struct ptx_insn *in)
{
  const struct form *form = form_of (d, in->op);
  bool set = form->scalar == PTX_OP_VSET;
  if (in->ntypes != (set ? 2 : 3) || in->nopnds < 3)
    dec_unknown (d);
  const enum ptx_type *from = in->type + !set;
  bool has_c = in->nopnds > 3;
  struct ptx_opnd src[3] = { *in->opnd[1], *in->opnd[2] };
  src[2] = has_c ? *in->opnd[3]
		 : (struct ptx_opnd){ .kind = PTX_O_INT };
  struct video *v = emu_module_alloc (d->f->module, sizeof *v);
  if (!v)
    longjmp (d->no_memory, 1);
  *v = (struct video){
    .op = form->scalar,
    .cmp = in->mod[PTX_MC_CMP],
    .combine = in->mod[PTX_MC_SUBOP],
    .lanes = (uint8_t) form->lanes,
    .shift = in->mod[PTX_MC_MODE] == PTX_M_SHR7	   ? 7
	     : in->mod[PTX_MC_MODE] == PTX_M_SHR15 ? 15 : 0,
    .d_signed = !set && in->type[0] == PTX_T_S32,
    .a_signed = from[0] == PTX_T_S32,
    .b_signed = from[1] == PTX_T_S32,
    .sat = ptx_insn_has (in, PTX_M_SAT),
    .wrap = in->mod[PTX_MC_WRAP] == PTX_M_WRAP,
    .plus_one = ptx_insn_has (in, PTX_M_PO),
  };
  if (form->scalar == PTX_OP_VMAD)
    {
      /* Whole words are signed (video.c).  */
      v->a_signed |= !src[0].sel;
      v->b_signed |= !src[1].sel;
      v->negate_product = src[0].neg != src[1].neg;
      v->negate_c = src[2].neg;
      src[0].neg = src[1].neg = src[2].neg = false;
    }
  /* What is left over of c is only of use with one of these.  */
  const char *to = in->opnd[0]->sel;
  if (form->lanes == 1 && form->scalar != PTX_OP_VMAD
      && has_c != (v->combine || to))
    dec_unknown (d);
  source_fields (d, v->a, src[0].sel, form->lanes, 0);
  source_fields (d, v->b, src[1].sel, form->lanes, 32);
  result_fields (d, v, to);
  opref row[3];
  for (unsigned k = 0; k < 3; k++)
    row[k] = dec_src (d, &src[k], PTX_T_U32);
  opref dst = dec_dst (d, in->opnd[0], PTX_T_U32);
  struct insn *i = dec_emit_named (d, "video");
  i->d = dst;
  i->a = row[0];
  i->b = row[1];
  i->c = row[2];
  i->video = v;
}

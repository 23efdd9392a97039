/* Decoding operands, and the frame that their rows are in.

   The frame grows as registers are met.  An operand that does not have the
   form its handler wants (a wider register, a special register, a symbol's
   address) is brought into a temporary row by instructions before, and a
   result goes out by instructions after, all under the same guard.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"

/* ---- Code -------------------------------------------------------------- */

_Noreturn void
dec_unknown (struct decoder *d)
{
  longjmp (d->unknown, 1);
}

/* Make room for one more of the N elements of SIZE bytes at P.  */
static void *
grow (struct decoder *d, void *p, size_t n, size_t *max, size_t size)
{
  if (n < *max)
    return p;
  size_t m = *max ? 2 * *max : 64;
  void *q = realloc (p, m * size);
  if (!q)
    longjmp (d->no_memory, 1);
  *max = m;
  return q;
}

struct insn *
dec_emit (struct decoder *d, emu_handler *fn)
{
  d->code = grow (d, d->code, d->n, &d->max, sizeof *d->code);
  struct insn *i = &d->code[d->n++];
  *i = (struct insn){ .fn = fn, .guard = d->guard, .guard_xor = d->guard_xor,
		      .stmt = d->stmt };
  return i;
}

static emu_handler *
handler_v (struct decoder *d, const char *fmt, va_list ap)
{
  char name[64];
  bool whole = !strchr (fmt, '%');	/* most are */
  if (!whole)
    vsnprintf (name, sizeof name, fmt, ap);
  emu_handler *fn = emu_find_handler (whole ? fmt : name);
  if (!fn)
    dec_unknown (d);
  return fn;
}

emu_handler *
dec_handler (struct decoder *d, const char *fmt, ...)
{
  va_list ap;
  va_start (ap, fmt);
  emu_handler *fn = handler_v (d, fmt, ap);
  va_end (ap);
  return fn;
}

struct insn *
dec_emit_named (struct decoder *d, const char *fmt, ...)
{
  va_list ap;
  va_start (ap, fmt);
  emu_handler *fn = handler_v (d, fmt, ap);
  va_end (ap);
  return dec_emit (d, fn);
}

void
dec_jump (struct decoder *d, size_t at, const struct ptx_sym *label)
{
  d->fixup = grow (d, d->fixup, d->nfixup, &d->maxfixup, sizeof *d->fixup);
  d->fixup[d->nfixup++] = (struct fixup){ at, label };
}

static void
put (struct decoder *d, const void *key, uint64_t value)
{
  if (!map_put (d->place, key, value))
    longjmp (d->no_memory, 1);
}

/* ---- The frame --------------------------------------------------------- */

enum { MAX_FRAME = 16 << 20 };

static opref
new_rows (struct decoder *d, unsigned n)
{
  opref r = d->frame;
  if (n > (MAX_FRAME - d->frame) / ROW)
    longjmp (d->no_memory, 1);
  d->frame += n * ROW;
  return r;			/* OB_FRAME is 0 */
}

static opref
new_pred (struct decoder *d)
{
  if (!d->pred_left)
    {
      d->pred_row = new_rows (d, 1);
      d->pred_left = LANES;
    }
  return d->pred_row + 4 * --d->pred_left;
}

opref
dec_temp (struct decoder *d, enum ptx_type type)
{
  enum layout k = type == PTX_T_PRED  ? LAYOUT_PRED
		  : dec_wide (type) ? LAYOUT_LONG
				    : LAYOUT_WORD;
  if (d->ntemp[k] == sizeof d->temp[k] / sizeof *d->temp[k])
    dec_unknown (d);
  opref *t = &d->temp[k][d->ntemp[k]++];
  if (!*t)
    *t = new_rows (d, 2);
  return *t;
}

/* The rows of register SYM, a vector or not.  */
static opref
reg_rows (struct decoder *d, const struct ptx_sym *sym)
{
  if (sym->kind != PTX_SYM_REG || sym->index >= d->f->ptx->nregs)
    dec_unknown (d);
  opref *r = &d->reg[sym->index];
  if (!*r)
    *r = sym->type == PTX_T_PRED
	   ? new_pred (d)
	   : new_rows (d, (ptx_type_info[sym->type].bytes + 3) / 4 * sym->vec);
  return *r;
}

/* The row of register SYM, or of its component COMP ('x' ...).  */
static opref
reg_ref (struct decoder *d, const struct ptx_sym *sym, char comp)
{
  unsigned rows = dec_wide (sym->type) ? 2 : 1;
  unsigned k = comp == 'w' ? 3 : comp ? (unsigned) (comp - 'x') : 0;
  if ((sym->vec > 1) != (comp != 0) || k >= sym->vec
      || ptx_type_info[sym->type].bytes > 8)
    dec_unknown (d);
  return reg_rows (d, sym) + k * rows * ROW;
}

/* The lower of the two 64-bit rows of a register of 128 bits; the other one
   follows.  */
opref
dec_b128 (struct decoder *d, const struct ptx_opnd *o)
{
  if (o->kind != PTX_O_REG || o->sym->type != PTX_T_B128 || o->sym->vec > 1)
    dec_unknown (d);
  return reg_rows (d, o->sym);
}

struct ptx_opnd
dec_element (struct decoder *d, const struct ptx_opnd *o, unsigned n,
	     unsigned k)
{
  if (o->kind == PTX_O_VEC && o->nelt == n)
    return *o->elt[k];
  if (o->kind != PTX_O_REG || o->sym->vec != n || o->comp)
    dec_unknown (d);
  struct ptx_opnd e = *o;
  e.comp = "xyzw"[k];
  return e;
}

opref
dec_const (struct decoder *d, uint64_t bits, bool wide)
{
  opref r = emu_constant (d->f->module, bits, wide);
  if (!r)
    longjmp (d->no_memory, 1);
  return r;
}

static unsigned
chunks (uint64_t bytes)
{
  return (unsigned) ((bytes + 3) / 4);
}

/* ---- Types ------------------------------------------------------------- */

bool
dec_wide (enum ptx_type t)
{
  return ptx_type_info[t].bytes == 8;
}

bool
dec_is_float (enum ptx_type t)
{
  return ptx_type_info[t].cls & PTX_TC_FLOAT;
}

const char *
dec_bits (enum ptx_type t)
{
  switch (ptx_type_info[t].bytes)
    {
    case 1:
      return "u8";
    case 2:
      return "u16";
    case 4:
      return "u32";
    case 8:
      return "u64";
    default:
      return "none";
    }
}

const char *
dec_mod (const struct ptx_insn *in, enum ptx_mod_class c)
{
  return ptx_mod_info[in->mod[c]].text;
}

const char *
dec_type (enum ptx_type t)
{
  return ptx_type_info[t].text;
}

/* Fail unless IN has N or more operands.  */
void
dec_need (struct decoder *d, const struct ptx_insn *in, unsigned n)
{
  if (in->nopnds < n)
    dec_unknown (d);
}

struct insn *
dec_emit1 (struct decoder *d, const char *name, enum ptx_type t, opref to, opref a)
{
  struct insn *i = dec_emit_named (d, "%s.%s", name, dec_type (t));
  i->d = to;
  i->a = a;
  return i;
}

struct insn *
dec_emit2 (struct decoder *d, const char *name, opref to, opref a, opref b)
{
  struct insn *i = dec_emit_named (d, "%s", name);
  i->d = to;
  i->a = a;
  i->b = b;
  return i;
}

/* The handler of NAME for type T: where the signed and untyped operations are
   the unsigned one, only that has a row.  */
emu_handler *
dec_typed_handler (struct decoder *d, const char *name, enum ptx_type t)
{
  char full[64];
  snprintf (full, sizeof full, "%s.%s", name, dec_type (t));
  emu_handler *fn = emu_find_handler (full);
  if (fn || (ptx_type_info[t].cls & (PTX_TC_PACKED | PTX_TC_FLOAT)))
    return fn ? fn : (dec_unknown (d), NULL);
  return dec_handler (d, "%s.%s", name, dec_bits (t));
}

/* ---- Operands ---------------------------------------------------------- */

/* Special registers that have a row.  */
static const struct
{
  enum ptx_sreg sreg;
  enum sreg_row row;
  bool vec;			/* three rows */
} sreg_rows[] = {
  { PTX_SR_TID, SROW_TID_X, true },
  { PTX_SR_NTID, SROW_NTID_X, true },
  { PTX_SR_CTAID, SROW_CTAID_X, true },
  { PTX_SR_NCTAID, SROW_NCTAID_X, true },
  { PTX_SR_LANEID, SROW_LANEID, false },
  { PTX_SR_WARPID, SROW_WARPID, false },
  { PTX_SR_NWARPID, SROW_NWARPID, false },
  { PTX_SR_SMID, SROW_SMID, false },
  { PTX_SR_NSMID, SROW_NSMID, false },
  { PTX_SR_GRIDID, SROW_GRIDID, false },
  { PTX_SR_LANEMASK_EQ, SROW_MASK_EQ, false },
  { PTX_SR_LANEMASK_LE, SROW_MASK_LE, false },
  { PTX_SR_LANEMASK_LT, SROW_MASK_LT, false },
  { PTX_SR_LANEMASK_GE, SROW_MASK_GE, false },
  { PTX_SR_LANEMASK_GT, SROW_MASK_GT, false },
  { PTX_SR_DYNAMIC_SMEM_SIZE, SROW_DYN_SMEM, false },
  { PTX_SR_TOTAL_SMEM_SIZE, SROW_TOTAL_SMEM, false },
  { PTX_SR_AGGR_SMEM_SIZE, SROW_TOTAL_SMEM, false },
};

/* And those that are computed: the handler and a shift.  */
static const struct
{
  enum ptx_sreg sreg;
  const char *handler;
  int shift;
} sreg_ops[] = {
  { PTX_SR_CLOCK, "clock", 0 },
  { PTX_SR_CLOCK_HI, "clock", 32 },
  { PTX_SR_CLOCK64, "clock64", 0 },
  { PTX_SR_GLOBALTIMER, "timer64", 0 },
  { PTX_SR_GLOBALTIMER_LO, "timer", 0 },
  { PTX_SR_GLOBALTIMER_HI, "timer", 32 },
};

static opref
sreg_ref (struct decoder *d, const struct ptx_opnd *o)
{
  for (size_t k = 0; k < sizeof sreg_rows / sizeof *sreg_rows; k++)
    if (sreg_rows[k].sreg == o->sreg)
      {
	unsigned row = sreg_rows[k].row;
	if (sreg_rows[k].vec)
	  {
	    if (o->comp == 'w')
	      row = SROW_ZERO;
	    else if (o->comp)
	      row += (unsigned) (o->comp - 'x');
	    else
	      dec_unknown (d);
	  }
	return row * ROW | OB_SREG;
      }
  for (size_t k = 0; k < sizeof sreg_ops / sizeof *sreg_ops; k++)
    if (sreg_ops[k].sreg == o->sreg)
      {
	opref t = dec_temp (d, ptx_sreg_info[o->sreg].type);
	struct insn *i = dec_emit_named (d, "%s", sreg_ops[k].handler);
	i->d = t;
	i->imm = sreg_ops[k].shift;
	return t;
      }
  dec_unknown (d);
}

/* Bring ROW of type FROM to the row of type TO.  */
static opref
convert (struct decoder *d, opref row, enum ptx_type from, enum ptx_type to)
{
  if (dec_wide (from) == dec_wide (to))
    return row;
  opref t = dec_temp (d, to);
  struct insn *i = dec_emit_named (d, dec_wide (to) ? "cvt.u64.u32"
						    : "cvt.u32.u64");
  i->d = t;
  i->a = row;
  return t;
}

static uint64_t
literal (const struct ptx_opnd *o, enum ptx_type t)
{
  if (o->kind == PTX_O_INT || t == PTX_T_F64 || o->ftype == PTX_T_F32
      || ptx_type_info[t].bytes == 8)
    return o->bits;
  double x;
  memcpy (&x, &o->bits, 8);
  float y = (float) x;
  uint32_t bits;
  memcpy (&bits, &y, 4);
  return bits;
}

opref
dec_src (struct decoder *d, const struct ptx_opnd *o, enum ptx_type t)
{
  switch (o->kind)
    {
    case PTX_O_REG:
      if (o->neg || o->sym->type == PTX_T_PRED)
	dec_unknown (d);
      return convert (d, reg_ref (d, o->sym, o->comp), o->sym->type, t);
    case PTX_O_SREG:
      return convert (d, sreg_ref (d, o), ptx_sreg_info[o->sreg].type, t);
    case PTX_O_INT:
    case PTX_O_FLOAT:
      return dec_const (d, literal (o, t), dec_wide (t));
    case PTX_O_SYM:
      return convert (d, dec_sym_addr (d, o->sym, o->off), PTX_T_U64, t);
    default:
      dec_unknown (d);
    }
}

opref
dec_dst (struct decoder *d, const struct ptx_opnd *o, enum ptx_type t)
{
  if (o->kind == PTX_O_SINK)
    return dec_temp (d, t);
  if (o->kind != PTX_O_REG || o->sym->type == PTX_T_PRED)
    dec_unknown (d);
  opref r = reg_ref (d, o->sym, o->comp);
  bool wide = dec_wide (o->sym->type);
  if (wide == dec_wide (t))
    return r;
  if (!wide)
    dec_unknown (d);
  opref temp = dec_temp (d, t);
  bool is_signed = ptx_type_info[t].cls & PTX_TC_SIGNED;
  d->after[d->nafter++] = (struct insn){
    .fn = dec_handler (d, is_signed ? "cvt.s64.s32" : "cvt.u64.u32"),
    .guard = d->guard, .guard_xor = d->guard_xor, .stmt = d->stmt,
    .d = r, .a = temp
  };
  return temp;
}

opref
dec_pred (struct decoder *d, const struct ptx_opnd *o)
{
  if (o->kind == PTX_O_INT)
    return dec_const (d, (o->bits != 0) != o->neg ? 0xffffffff : 0, false);
  if (o->kind != PTX_O_REG || o->sym->type != PTX_T_PRED)
    dec_unknown (d);
  opref r = reg_ref (d, o->sym, 0);
  if (!o->neg)
    return r;
  opref t = dec_temp (d, PTX_T_PRED);
  struct insn *i = dec_emit_named (d, "not.pred");
  i->d = t;
  i->a = r;
  return t;
}

void
dec_guard (struct decoder *d, const struct ptx_insn *in)
{
  if (in->guard->kind != PTX_SYM_REG || in->guard->type != PTX_T_PRED)
    dec_unknown (d);
  d->guard = reg_ref (d, in->guard, 0);
  d->guard_xor = in->guard_neg ? 0xffffffff : 0;
}

opref
dec_pred_dst (struct decoder *d, const struct ptx_opnd *o)
{
  if (o->kind == PTX_O_SINK)
    return dec_temp (d, PTX_T_PRED);
  if (o->kind != PTX_O_REG || o->sym->type != PTX_T_PRED)
    dec_unknown (d);
  return reg_ref (d, o->sym, 0);
}

/* ---- Symbols ----------------------------------------------------------- */

static bool
of_entry (const struct decoder *d, const struct ptx_sym *sym, uint64_t *offset)
{
  if (!d->f->ptx->is_entry)
    return false;
  uint64_t at = 0;
  for (const struct ptx_sym *p = d->f->ptx->params; p; p = p->next)
    {
      at = (at + p->align - 1) & -(uint64_t) p->align;
      if (p == sym)
	{
	  *offset = at;
	  return true;
	}
      at += p->size;
    }
  return false;
}

/* The operand that names the symbol of address O.  */
static const struct ptx_opnd *
base_of (const struct ptx_opnd *o)
{
  return o->kind == PTX_O_ADDR && o->nelt ? o->elt[0] : o;
}

bool
dec_kparam (const struct decoder *d, const struct ptx_opnd *o,
	    uint64_t *offset)
{
  const struct ptx_opnd *b = base_of (o);
  if (b->kind != PTX_O_SYM || !of_entry (d, b->sym, offset))
    return false;
  *offset += (uint64_t) (o->off + (b == o ? 0 : b->off));
  return true;
}

opref
dec_fparam (struct decoder *d, const struct ptx_opnd *o)
{
  const struct ptx_opnd *b = base_of (o);
  if (b->kind != PTX_O_SYM || !b->sym || b->sym->space != PTX_SP_PARAM)
    return 0;
  opref r = (opref) map_get (d->place, b->sym);
  if (r)
    return r;
  uint64_t offset;
  if (of_entry (d, b->sym, &offset) || b->sym->size > MAX_FRAME)
    return 0;
  r = new_rows (d, chunks (b->sym->size));
  put (d, b->sym, r);
  return r;
}

opref
dec_sym_addr (struct decoder *d, const struct ptx_sym *sym, int64_t off)
{
  struct ptx_opnd name = { .kind = PTX_O_SYM, .sym = (struct ptx_sym *) sym };
  uint64_t at;
  if (!sym)
    dec_unknown (d);
  if (dec_kparam (d, &name, &at))
    {
      opref t = dec_temp (d, PTX_T_U64);
      struct insn *i = dec_emit_named (d, "kparam_addr");
      i->d = t;
      i->imm = (int64_t) at + off;
      return t;
    }
  if (sym->kind == PTX_SYM_VAR && sym->space == PTX_SP_LOCAL)
    {
      uint64_t k = map_get (d->place, sym);
      if (!k)
	{
	  uint64_t align = sym->align ? sym->align : 1;
	  uint64_t start = (d->local + align - 1) & -align;
	  if (sym->size > MAX_FRAME || start + sym->size > MAX_FRAME)
	    longjmp (d->no_memory, 1);
	  d->local = (uint32_t) (start + sym->size);
	  put (d, sym, k = start + 1);
	}
      opref t = dec_temp (d, PTX_T_U64);
      struct insn *i = dec_emit_named (d, "local_addr");
      i->d = t;
      i->imm = (int64_t) (k - 1) + off;
      return t;
    }
  struct place p = emu_place (d->f, sym);
  if (p.kind == PLACE_NONE)
    dec_unknown (d);
  return dec_const (d, p.addr + (uint64_t) off, true);
}

opref
dec_addr (struct decoder *d, const struct ptx_opnd *o, int64_t *off)
{
  if (o->kind != PTX_O_ADDR)
    dec_unknown (d);
  *off = o->off;
  if (!o->nelt)
    {
      *off = 0;
      return dec_const (d, (uint64_t) o->off, true);
    }
  const struct ptx_opnd *b = o->elt[0];
  if (b->kind == PTX_O_SYM)
    {
      *off = 0;
      return dec_sym_addr (d, b->sym, o->off + b->off);
    }
  return dec_src (d, b, PTX_T_U64);
}

/* ---- Parameters and labels --------------------------------------------- */

/* Place results and parameters at the start of the frame.  Parameters that
   are registers get a copy instruction.  */
void
dec_params (struct decoder *d)
{
  const struct ptx_func *p = d->f->ptx;
  if (p->is_entry)
    return;
  for (int pass = 0; pass < 2; pass++)
    for (const struct ptx_sym *s = pass ? p->params : p->rets; s; s = s->next)
      {
	if (s->size > MAX_FRAME)
	  longjmp (d->no_memory, 1);
	opref r = new_rows (d, chunks (s->kind == PTX_SYM_REG
					 ? ptx_type_info[s->type].bytes
					 : s->size));
	put (d, s, r);
      }
  for (const struct ptx_sym *s = p->params; s; s = s->next)
    if (s->kind == PTX_SYM_REG)
      {
	struct insn *i = dec_emit_named (d, "ld_fparam.%s", dec_bits (s->type));
	i->mode = 1;
	i->a = (opref) map_get (d->place, s);
	i->d = reg_ref (d, s, 0);
      }
}

void
dec_reg_results (struct decoder *d)
{
  for (const struct ptx_sym *s = d->f->ptx->rets; s; s = s->next)
    if (s->kind == PTX_SYM_REG)
      {
	struct insn *i = dec_emit_named (d, "st_fparam.%s", dec_bits (s->type));
	i->mode = 1;
	i->a = (opref) map_get (d->place, s);
	i->d = reg_ref (d, s, 0);
      }
}

void
dec_label (struct decoder *d, const struct ptx_sym *label)
{
  put (d, label, d->n + 1);
}

/* What an instruction computes, as terms (PTX ISA 9.7).

   Integer addition, multiplication, shifts by constants, copies, conversions
   and broadcasts are evaluated; any other operation without side effects is
   an atom with its mnemonic, so that the same operation on the same values
   gives the same term.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <string.h>

unsigned
eval_width (enum ptx_type type)
{
  if (ptx_type_info[type].cls & PTX_TC_PRED)
    return 1;
  unsigned bytes = ptx_type_info[type].bytes;
  return 8 * (bytes < 8 ? bytes : 8);
}

static bool
is_signed (enum ptx_type type)
{
  return ptx_type_info[type].cls & PTX_TC_SIGNED;
}

static bool
is_float (enum ptx_type type)
{
  return ptx_type_info[type].cls & PTX_TC_FLOAT;
}

bool
eval_steady (enum ptx_sreg r)
{
  switch (r)
    {
    case PTX_SR_TID:
    case PTX_SR_NTID:
    case PTX_SR_LANEID:
    case PTX_SR_CTAID:
    case PTX_SR_NCTAID:
      return true;
    default:
      return false;
    }
}

/* A register or immediate O read as WIDTH bits.  */
static const struct term *
value (struct sym *s, const struct ptx_opnd *o, unsigned width)
{
  struct expr_pool *p = s->pool;
  switch (o->kind)
    {
    case PTX_O_REG:
      {
	if (o->comp || o->sel)
	  break;
	const struct term *t
	  = expr_resize (p, sym_read (s, o->sym), width, false);
	if (!o->neg)
	  return t;
	return expr_add (p, expr_constant (p, width, width == 1), t, -1);
      }
    case PTX_O_SREG:
      {
	unsigned w = eval_width (ptx_sreg_info[o->sreg].type);
	struct atom model = { .kind = ATOM_SREG, .width = w, .id = o->sreg,
			      .option = o->comp };
	if (!eval_steady (o->sreg) || (ptx_sreg_info[o->sreg].vec && !o->comp))
	  break;
	return expr_resize (p, expr_atom (p, &model), width, false);
      }
    case PTX_O_INT:
    case PTX_O_FLOAT:
      return expr_constant (p, width, o->bits);
    case PTX_O_SYM:
      {
	struct atom model = { .kind = ATOM_SYMBOL, .width = width,
			      .sym = o->sym };
	return expr_add (p, expr_atom (p, &model),
			 expr_constant (p, width, o->off), 1);
      }
    default:
      break;
    }
  return sym_fresh (s, NULL, width, false);
}

/* Give the register in O the value T of type TYPE.  */
static void
set (struct sym *s, const struct ptx_opnd *o, const struct term *t,
     enum ptx_type type)
{
  if (o->kind != PTX_O_REG || o->sym->kind != PTX_SYM_REG)
    return;
  unsigned width = eval_width (o->sym->type) * o->sym->vec;
  if (o->comp || o->sym->vec > 1 || width > 64)
    t = sym_fresh (s, o->sym, width > 64 ? 64 : width, false);
  sym_define (s, o->sym,
	      expr_resize (s->pool, t, width > 64 ? 64 : width,
			   is_signed (type)));
}

/* INSN on ARG as an atom.  */
static const struct term *
operation (struct sym *s, const struct ptx_insn *insn, unsigned width,
	   const struct term *const *arg, unsigned n)
{
  struct atom model = { .kind = ATOM_OP, .width = width,
			.mnemonic = insn->mnemonic, .nargs = n,
			.operation = operation_of (insn, n) };
  memcpy (model.arg, arg, n * sizeof *arg);
  return expr_atom (s->pool, &model);
}

/* Integer arithmetic that wraps around: no float, saturation or carry.  */
static bool
is_plain_integer (const struct ptx_insn *insn)
{
  return !is_float (insn->type[0]) && !insn->flags
	 && !(ptx_type_info[insn->type[0]].cls & PTX_TC_PACKED);
}

/* mul and mad, or NULL.  */
static const struct term *
multiplication (struct sym *s, const struct ptx_insn *insn)
{
  struct expr_pool *p = s->pool;
  unsigned half = insn->mod[PTX_MC_HALF];
  enum ptx_type type = insn->type[0];
  unsigned width = eval_width (type);
  if (!is_plain_integer (insn) || half == PTX_M_HI)
    return NULL;
  const struct term *a = value (s, insn->opnd[1], width);
  const struct term *b = value (s, insn->opnd[2], width);
  if (half == PTX_M_WIDE)
    {
      sym_note_extension (s, insn->opnd[1], a);
      sym_note_extension (s, insn->opnd[2], b);
      width *= 2;
      a = expr_resize (p, a, width, is_signed (type));
      b = expr_resize (p, b, width, is_signed (type));
    }
  const struct term *r = expr_multiply (p, a, b);
  if (insn->op == PTX_OP_MAD)
    r = expr_add (p, r, value (s, insn->opnd[3], width), 1);
  return r;
}

/* The lowest bit that T may have set, as a number; 0 when it is 0.  */
static uint64_t
lowest_bit (const struct term *t)
{
  uint64_t all = t->constant;
  for (unsigned i = 0; i < t->nparts; i++)
    all |= t->part[i].coefficient;
  return all & -all;
}

/* Whether B has only bits below the lowest of A.  */
static bool
is_below (const struct term *b, const struct term *a)
{
  int64_t low, high;
  uint64_t bit = lowest_bit (a);
  return expr_is_constant (b) ? b->constant < bit
			      : expr_range (b, false, &low, &high) && low >= 0
				  && (uint64_t) high < bit;
}

/* and, or, xor of A and B where that is a sum, or NULL.  Compilers write sums so
   where no bit carries.  */
static const struct term *
bitwise (struct sym *s, enum ptx_op op, const struct term *a,
	 const struct term *b)
{
  struct expr_pool *p = s->pool;
  if (op != PTX_OP_AND && (is_below (a, b) || is_below (b, a)))
    return expr_add (p, a, b, 1);
  if (expr_is_constant (a))
    {
      const struct term *swap = a;
      a = b;
      b = swap;
    }
  /* B has all bits from one on: -2^k.  */
  uint64_t bit = lowest_bit (b), lowest = lowest_bit (a);
  bool is_mask = expr_is_constant (b) && bit && (uint64_t) expr_signed (b) == -bit;
  if (!is_mask || (lowest && lowest < bit))
    return NULL;
  switch (op)
    {
    case PTX_OP_AND:
      return a;
    case PTX_OP_XOR:
      return expr_add (p, b, a, -1);
    default:
      return NULL;
    }
}

/* A comparison of constants, or of values that differ by a constant; NULL
   when it is open.  */
static const struct term *
comparison (struct sym *s, const struct ptx_insn *insn, const struct term *a,
	    const struct term *b)
{
  struct expr_pool *p = s->pool;
  unsigned cmp = insn->mod[PTX_MC_CMP];
  if (is_float (insn->type[0]))
    return NULL;
  const struct term *d = expr_add (p, a, b, -1);
  if (!expr_is_constant (d))
    return NULL;
  if (cmp == PTX_M_EQ || cmp == PTX_M_NE)
    return expr_constant (p, 1, (d->constant == 0) == (cmp == PTX_M_EQ));
  if (!expr_is_constant (a) || !expr_is_constant (b)
      || !is_signed (insn->type[0]))
    return NULL;
  int64_t x = expr_signed (a), y = expr_signed (b);
  switch (cmp)
    {
    case PTX_M_LT:
      return expr_constant (p, 1, x < y);
    case PTX_M_LE:
      return expr_constant (p, 1, x <= y);
    case PTX_M_GT:
      return expr_constant (p, 1, x > y);
    case PTX_M_GE:
      return expr_constant (p, 1, x >= y);
    default:
      return NULL;
    }
}

/* Whether vadd INSN adds three integers of 32 bits, as GCC has it.  */
static bool
is_sum_of_three (const struct ptx_insn *insn)
{
  return insn->nopnds == 4 && !insn->flags
	 && insn->mod[PTX_MC_SUBOP] == PTX_M_ADD;
}

/* The value of an operation without side effects on its operands.  */
static const struct term *
computation (struct sym *s, const struct ptx_insn *insn)
{
  struct expr_pool *p = s->pool;
  struct ptx_opnd **o = insn->opnd;
  enum ptx_type type = insn->type[0];
  unsigned width = eval_width (type), n = insn->nopnds - 1;
  const struct term *r = NULL, *arg[4];

  switch (insn->op)
    {
    case PTX_OP_ADD:
    case PTX_OP_SUB:
      if (is_plain_integer (insn))
	return expr_add (p, value (s, o[1], width), value (s, o[2], width),
			 insn->op == PTX_OP_ADD ? 1 : -1);
      break;
    case PTX_OP_NEG:
      if (is_plain_integer (insn))
	return expr_add (p, expr_constant (p, width, 0),
			 value (s, o[1], width), -1);
      break;
    case PTX_OP_NOT:
      return expr_add (p, expr_constant (p, width, -1), value (s, o[1], width),
		       -1);
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
      if (width > 1)
	r = bitwise (s, insn->op, value (s, o[1], width),
		     value (s, o[2], width));
      break;
    case PTX_OP_VADD:
      if (is_sum_of_three (insn))
	return expr_add (p, value (s, o[1], width),
			 expr_add (p, value (s, o[2], width),
				   value (s, o[3], width), 1),
			 1);
      break;
    case PTX_OP_MUL:
    case PTX_OP_MAD:
      r = multiplication (s, insn);
      break;
    case PTX_OP_SHL:
      if (o[2]->kind == PTX_O_INT && o[2]->bits < width)
	return expr_add (p, expr_constant (p, width, 0),
			 value (s, o[1], width), (uint64_t) 1 << o[2]->bits);
      break;
    case PTX_OP_MOV:
      return value (s, o[1], width);
    case PTX_OP_CVTA:
      if (insn->space == PTX_SP_GLOBAL)
	return value (s, o[1], width);
      break;
    case PTX_OP_CVT:
      if (!is_float (type) && !is_float (insn->type[1]) && !insn->flags)
	{
	  r = value (s, o[1], eval_width (insn->type[1]));
	  if (width > r->width)
	    sym_note_extension (s, o[1], r);
	  return expr_resize (p, r, width, is_signed (insn->type[1]));
	}
      break;
    case PTX_OP_SETP:
      if (n == 2)
	r = comparison (s, insn, value (s, o[1], width),
			value (s, o[2], width));
      break;
    case PTX_OP_SELP:
      {
	const struct term *a = value (s, o[1], width);
	const struct term *b = value (s, o[2], width);
	const struct term *c = value (s, o[3], 1);
	if (a == b || (expr_is_constant (c) && c->constant))
	  return a;
	if (expr_is_constant (c))
	  return b;
	break;
      }
    default:
      break;
    }
  if (r)
    return r;

  /* The mnemonic says how registers of other widths are read.  */
  unsigned result = eval_width (o[0]->sym->type);
  if (n > 4)
    return sym_fresh (s, NULL, result, false);
  for (unsigned i = 0; i < n; i++)
    arg[i] = value (s, o[i + 1],
		    o[i + 1]->kind == PTX_O_REG ? eval_width (o[i + 1]->sym->type)
		    : width		? width
					: 64);
  return operation (s, insn, result, arg, n);
}

/* mov between a register and a pair of its halves.  */
static bool
split_or_join (struct sym *s, const struct ptx_insn *insn)
{
  struct expr_pool *p = s->pool;
  struct ptx_opnd *d = insn->opnd[0], *a = insn->opnd[1];
  unsigned width = eval_width (insn->type[0]);
  if (d->kind == PTX_O_VEC)
    {
      const struct term *x = value (s, a, width);
      for (unsigned i = 0; i < d->nelt; i++)
	{
	  struct atom high = { .kind = ATOM_OP, .width = width / 2,
			       .mnemonic = EXPR_HIGH, .nargs = 1, .arg = { x } };
	  if (d->nelt != 2)
	    set (s, d->elt[i],
		 sym_fresh (s, NULL, width / d->nelt, x->uniform), PTX_T_B32);
	  else
	    set (s, d->elt[i],
		 i ? expr_atom (p, &high)
		   : expr_resize (p, x, width / 2, false),
		 PTX_T_B32);
	}
      return true;
    }
  if (a->kind != PTX_O_VEC)
    return false;
  bool uniform = true;
  const struct term *half[2] = { NULL };
  for (unsigned i = 0; i < a->nelt; i++)
    {
      const struct term *x = value (s, a->elt[i], width / a->nelt);
      uniform &= x->uniform;
      half[i & 1] = x;
    }
  const struct term *r = NULL;
  if (a->nelt == 2 && half[1]->nparts == 1 && half[1]->constant == 0)
    {
      const struct part *h = &half[1]->part[0];
      if (h->coefficient == 1 && h->atom->kind == ATOM_OP
	  && strcmp (h->atom->mnemonic, EXPR_HIGH) == 0
	  && expr_resize (p, h->atom->arg[0], width / 2, false) == half[0])
	r = h->atom->arg[0];
    }
  set (s, d, r ? r : sym_fresh (s, NULL, width, uniform), insn->type[0]);
  return true;
}

/* Whether the last operand, a mask of lanes, names all of them.  */
static bool
names_all_lanes (const struct ptx_insn *insn)
{
  const struct ptx_opnd *o = insn->opnd[insn->nopnds - 1];
  return !ptx_insn_has (insn, PTX_M_SYNC)
	 || (o->kind == PTX_O_INT && (uint32_t) o->bits == UINT32_MAX);
}

/* Operations between lanes: what all lanes get is uniform.  */
static void
communicate (struct sym *s, const struct ptx_insn *insn)
{
  struct ptx_opnd *d = insn->opnd[0], *p = NULL;
  if (d->kind == PTX_O_PAIR)
    {
      p = d->elt[1];
      d = d->elt[0];
    }
  const struct term *r = NULL;
  bool uniform = false;
  switch (insn->op)
    {
    case PTX_OP_SHFL:
      {
	const struct ptx_opnd *lane = insn->opnd[2], *c = insn->opnd[3];
	uniform = insn->mod[PTX_MC_MODE] == PTX_M_IDX && names_all_lanes (insn)
		  && c->kind == PTX_O_INT && c->bits == 31
		  && value (s, lane, 32)->uniform;
	if (uniform && lane->kind == PTX_O_INT && lane->bits == 0)
	  r = sym_broadcast (s, value (s, insn->opnd[1], 32));
	break;
      }
    case PTX_OP_VOTE:
    case PTX_OP_REDUX:
      uniform = names_all_lanes (insn);
      break;
    case PTX_OP_ACTIVEMASK:
      uniform = true;
      break;
    default:
      break;
    }
  enum ptx_type type = insn->op == PTX_OP_VOTE
			   && insn->mod[PTX_MC_MODE] != PTX_M_BALLOT
			 ? PTX_T_PRED
			 : PTX_T_B32;
  if (d->kind == PTX_O_REG)
    set (s, d, r ? r : sym_fresh (s, d->sym, eval_width (type), uniform),
	 type);
  if (p && p->kind == PTX_O_REG)
    set (s, p, sym_fresh (s, p->sym, 1, false), PTX_T_PRED);
}

/* The address in operand A; shared memory may have one of 32 bits.  */
static const struct term *
address (struct sym *s, const struct ptx_opnd *a)
{
  struct expr_pool *p = s->pool;
  unsigned width = a->nelt && a->elt[0]->kind == PTX_O_REG
		     ? eval_width (a->elt[0]->sym->type)
		     : 64;
  const struct term *base = a->nelt ? value (s, a->elt[0], width)
				    : expr_constant (p, width, 0);
  return expr_add (p, base, expr_constant (p, width, a->off), 1);
}

/* The value of a parameter, or NULL.  */
static const struct term *
parameter (struct sym *s, const struct ptx_insn *insn)
{
  const struct ptx_opnd *a = insn->opnd[1];
  if (insn->space != PTX_SP_PARAM || insn->vec != 1 || a->kind != PTX_O_ADDR
      || !a->nelt || a->elt[0]->kind != PTX_O_SYM)
    return NULL;
  struct ptx_sym *sym = a->elt[0]->sym;
  for (struct ptx_sym *q = s->cfg->f->params; q; q = q->next)
    if (q == sym)
      {
	struct atom model = { .kind = ATOM_PARAM, .sym = sym, .id = a->off,
			      .width = eval_width (insn->type[0]),
			      .uniform = sym_uniform_params (s) };
	return expr_atom (s->pool, &model);
      }
  return NULL;
}

static const struct term *
load (struct sym *s, const struct ptx_insn *insn)
{
  struct ptx_opnd *d = insn->opnd[0];
  enum ptx_type type = insn->type[0];
  const struct term *a = address (s, insn->opnd[1]);
  const struct term *r = parameter (s, insn);
  if (r)
    {
      set (s, d, r, type);
      return a;
    }
  const struct term *memory = sym_memory (s, insn);
  struct atom model = { .kind = ATOM_LOAD, .width = eval_width (type),
			.mnemonic = ptx_type_info[type].text, .nargs = 2 };
  if (model.width > 64)
    model.width = 64;
  for (unsigned i = 0; i < insn->vec; i++)
    {
      struct ptx_opnd *to = insn->vec == 1 ? d
			    : d->kind == PTX_O_VEC && i < d->nelt
			      ? d->elt[i]
			      : NULL;
      if (!to || to->kind != PTX_O_REG)
	continue;
      model.arg[0]
	= expr_add (s->pool, a,
		    expr_constant (s->pool, a->width,
				   i * ptx_type_info[type].bytes),
		    1);
      model.arg[1] = memory;
      set (s, to,
	   memory ? expr_atom (s->pool, &model)
		  : sym_fresh (s, to->sym, model.width, false),
	   type);
    }
  return a;
}

struct definition { struct sym *s; };

static void
define_unknown (struct ptx_sym *reg, void *closure)
{
  struct definition *d = closure;
  unsigned width = eval_width (reg->type) * reg->vec;
  sym_define (d->s, reg,
	      sym_fresh (d->s, reg, width > 64 ? 64 : width, false));
}

static const struct term *
evaluate (struct sym *s, const struct ptx_insn *insn)
{
  unsigned flags = ptx_op_info[insn->op].flags;
  const struct ptx_opnd *a = ptx_insn_address (insn);
  if (insn->op == PTX_OP_LD)
    return load (s, insn);
  if (insn->op == PTX_OP_MOV && split_or_join (s, insn))
    return NULL;
  if ((flags & PTX_OF_CONVERGENT) && !(flags & PTX_OF_WRITES_MEM)
      && insn->nopnds)
    communicate (s, insn);
  else if (flags == 0 && insn->nopnds > 1
	   && insn->opnd[0]->kind == PTX_O_REG)
    {
      enum ptx_type type = insn->op == PTX_OP_SETP ? PTX_T_PRED
						   : insn->type[0];
      set (s, insn->opnd[0], computation (s, insn), type);
    }
  else
    {
      struct definition d = { s };
      ptx_insn_defs (insn, define_unknown, &d);
    }
  return a ? address (s, a) : NULL;
}

const struct term *
eval_guard (struct sym *s, const struct ptx_insn *insn)
{
  const struct term *one = expr_constant (s->pool, 1, 1);
  if (!insn->guard)
    return one;
  const struct term *p = sym_read (s, insn->guard);
  return insn->guard_neg ? expr_add (s->pool, one, p, -1) : p;
}

/* The values that a guarded instruction would replace.  */
struct guarded
{
  struct sym *s;
  unsigned n;
  const struct ptx_sym *reg[8];
  const struct term *old[8];
};

static void
remember (struct ptx_sym *reg, void *closure)
{
  struct guarded *g = closure;
  /* Without another definition it has no old value.  */
  if (g->n < 8 && !sym_is_defined_once (g->s, reg))
    {
      g->reg[g->n] = reg;
      g->old[g->n++] = sym_read (g->s, reg);
    }
}

const struct term *
eval_insn (struct sym *s, const struct ptx_insn *insn)
{
  const struct term *guard = eval_guard (s, insn);
  if (expr_is_constant (guard))
    return guard->constant ? evaluate (s, insn) : NULL;
  struct guarded g = { .s = s };
  ptx_insn_defs (insn, remember, &g);
  const struct term *a = evaluate (s, insn);
  for (unsigned i = 0; i < g.n; i++)
    {
      const struct term *new = sym_read (s, g.reg[i]);
      struct atom model = { .kind = ATOM_OP, .width = new->width,
			    .mnemonic = "selp", .nargs = 3,
			    .operation = operation_select (new->width),
			    .arg = { new, g.old[i], guard } };
      if (new != g.old[i])
	sym_define (s, g.reg[i], expr_atom (s->pool, &model));
    }
  return a;
}

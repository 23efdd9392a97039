/* Where the addresses of a function come from: a flow-insensitive analysis
   over its registers.

   The origin of a register is the join of what all its definitions give.
   Definitions are evaluated until nothing changes, starting from "no
   definition": then a pointer that a loop moves along an array, or that GCC
   broadcasts from one lane or warp to the others, keeps the origin it came
   with.  That is sound because all lanes run the same function, so that the
   value of another lane has one of these definitions as well.

   What it relies on:
   - Address arithmetic stays inside an object (C and Fortran; GCC's own alias
     analysis takes the same for granted).  Hence pointer + integer points to
     where the pointer did.  The difference of two addresses counts as
     unknown, so it cannot lead from one object to another.
   - An address is not made of smaller pieces, but for the two halves that a
     64-bit mov takes apart and puts together (GCC's shuffles).
   - The argument block of a tagged region is global memory, and its slots
     do not change while the region runs.
   - A slot leads to its operand's data as abi.h says: at once, or over one or
     two pointers in global memory, which stay as they are unless ACCESS is
     "?".  An origin remembers how many of them are still to be loaded.  When
     the function stores to one of them, the tag is wrong, and none is
     followed.
   - __oacc_bcast, GCC's buffer for broadcasts between warps: what is read
     back was stored there by the same function at the same offset (GCC
     config/nvptx/nvptx.cc, nvptx_wpropagate and nvptx_vpropagate; base
     and part of the warp are recomputed, offsets are constants).

   Anything else is ORIGIN_UNKNOWN.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* More rounds than any compiler's output takes; past it we give up.  */
enum { MAX_ROUNDS = 64 };

/* What the function stores at one offset of the broadcast buffer.  */
struct cell
{
  int64_t off;
  struct origin origin;
};

struct origins
{
  const struct ptx_func *f;
  const struct acr_region *tag;
  struct origin *reg;		/* by ptx_sym.index */
  struct cell *cell;
  size_t ncells;
  bool pointers_change;		/* a store to an ORIGIN_POINTER was seen */
  bool changed;
};

static const struct origin none, null = { .kind = ORIGIN_NULL },
				 integer = { .kind = ORIGIN_INT },
				 unknown = { .kind = ORIGIN_UNKNOWN };

static struct origin
in_space (enum ptx_space space, bool window, int slot)
{
  return (struct origin) { .kind = ORIGIN_SPACE, .space = space,
			   .window = window && space != PTX_SP_GLOBAL,
			   .slot = slot };
}

/* The address from which HOPS pointers lead to the data of SLOT.  */
static struct origin
on_the_way (int slot, unsigned hops)
{
  if (hops == 0)
    return in_space (PTX_SP_GLOBAL, false, slot);
  return (struct origin) { .kind = ORIGIN_POINTER, .slot = slot, .hops = hops };
}

static bool
same (struct origin a, struct origin b)
{
  return a.kind == b.kind && a.part == b.part && a.space == b.space
	 && a.window == b.window && a.slot == b.slot && a.hops == b.hops
	 && a.off == b.off;
}

static bool
is_address (struct origin o)
{
  return o.kind == ORIGIN_ARGS || o.kind == ORIGIN_POINTER
	 || o.kind == ORIGIN_BCAST || o.kind == ORIGIN_SPACE;
}

/* Forget the offset of A, an address.  */
static struct origin
anywhere (struct origin a)
{
  struct origin r = a;
  if (a.kind == ORIGIN_ARGS || a.kind == ORIGIN_POINTER)
    r = in_space (PTX_SP_GLOBAL, false, ORIGIN_NO_SLOT);
  else if (a.kind == ORIGIN_BCAST)
    r = in_space (PTX_SP_SHARED, a.window, ORIGIN_NO_SLOT);
  r.part = a.part;
  return r;
}

static struct origin
join (struct origin a, struct origin b)
{
  if (a.kind == ORIGIN_NONE || same (a, b))
    return b;
  if (b.kind == ORIGIN_NONE)
    return a;
  if (a.part != b.part)
    return integer;	/* 32 bits that mean different things */
  if (a.kind == ORIGIN_NULL && (is_address (b) || b.kind == ORIGIN_INT))
    return b;
  if (b.kind == ORIGIN_NULL && (is_address (a) || a.kind == ORIGIN_INT))
    return a;
  struct origin r = unknown;
  if (is_address (a) && is_address (b))
    {
      a = anywhere (a);
      b = anywhere (b);
      if (a.space == b.space && a.window == b.window)
	{
	  r = a;
	  if (a.slot != b.slot)
	    r.slot = ORIGIN_NO_SLOT;
	}
    }
  r.part = a.part;
  return r;
}

/* A + B, or A - B.  */
static struct origin
sum (struct origin a, struct origin b, bool subtract)
{
  if (a.kind == ORIGIN_NONE || b.kind == ORIGIN_NONE)
    return none;
  bool a_int = a.kind == ORIGIN_INT || a.kind == ORIGIN_NULL;
  bool b_int = b.kind == ORIGIN_INT || b.kind == ORIGIN_NULL;
  if (a_int && b_int)
    return integer;
  if (is_address (a) && b_int)
    {
      /* The base of broadcasts within a warp: offsets start anew.  */
      if (a.kind != ORIGIN_BCAST)
	return anywhere (a);
      a.off = 0;
      return a;
    }
  if (a_int && is_address (b) && !subtract)
    return sum (b, a, false);
  return unknown;
}

/* A plus the constant N.  */
static struct origin
displace (struct origin a, int64_t n)
{
  if (a.kind == ORIGIN_ARGS || a.kind == ORIGIN_POINTER
      || a.kind == ORIGIN_BCAST)
    {
      if (__builtin_add_overflow (a.off, n, &a.off))
	return anywhere (a);
    }
  else if (a.kind == ORIGIN_NULL && n)
    return integer;
  return a;
}

/* ---- Operands ---- */

static struct origin
of_symbol (const struct ptx_sym *s)
{
  if (s->kind != PTX_SYM_VAR)
    return unknown;
  switch (s->space)
    {
    case PTX_SP_SHARED:
      if (strcmp (s->name, "__oacc_bcast") == 0)
	return (struct origin) { .kind = ORIGIN_BCAST, .window = true };
      return in_space (s->space, true, ORIGIN_NO_SLOT);
    case PTX_SP_GLOBAL:
    case PTX_SP_LOCAL:
    case PTX_SP_CONST:
      return in_space (s->space, true, ORIGIN_NO_SLOT);
    default:
      return unknown;
    }
}

static struct origin
of_register (const struct origins *o, const struct ptx_sym *s)
{
  if (s->kind != PTX_SYM_REG || s->index >= o->f->nregs
      || o->f->regs[s->index] != s)
    return unknown;
  return o->reg[s->index];
}

static struct origin
of_operand (const struct origins *o, const struct ptx_opnd *op)
{
  switch (op->kind)
    {
    case PTX_O_REG:
      return op->neg || op->comp || op->sel ? unknown
					    : of_register (o, op->sym);
    case PTX_O_INT:
      return op->bits ? integer : null;
    case PTX_O_FLOAT:
    case PTX_O_SREG:
      return integer;
    case PTX_O_SYM:
      return displace (of_symbol (op->sym), op->off);
    default:
      return unknown;
    }
}

/* The sum of operands A and B, where the constant may be either.  */
static struct origin
of_sum (const struct origins *o, const struct ptx_opnd *a,
	const struct ptx_opnd *b, bool subtract)
{
  if (a->kind == PTX_O_INT && !subtract)
    {
      const struct ptx_opnd *t = a;
      a = b;
      b = t;
    }
  struct origin x = of_operand (o, a);
  if (b->kind == PTX_O_INT)
    return displace (x, subtract ? -(uint64_t) b->bits : b->bits);
  return sum (x, of_operand (o, b), subtract);
}

/* The generic or window address in "[base + off]".  Half of an address, in a
   register of 32 bits, is none.  */
static struct origin
of_address (const struct origins *o, const struct ptx_opnd *a)
{
  if (a->kind != PTX_O_ADDR || a->nelt == 0)
    return unknown;
  struct origin x = displace (of_operand (o, a->elt[0]), a->off);
  return x.part == ORIGIN_WHOLE ? x : unknown;
}

const struct ptx_opnd *
ptx_insn_address (const struct ptx_insn *insn)
{
  for (unsigned i = 0; i < insn->nopnds; i++)
    if (insn->opnd[i]->kind == PTX_O_ADDR)
      return insn->opnd[i];
  return NULL;
}

/* ---- The broadcast buffer ---- */

static bool
is_word64 (const struct ptx_insn *insn)
{
  return insn->vec == 1 && insn->ntypes == 1
	 && ptx_type_info[insn->type[0]].bytes == 8;
}

/* Whether INSN accesses the broadcast buffer as a whole 64-bit word at the
   offset stored in *OFF.  */
static bool
at_broadcast (const struct origins *o, const struct ptx_insn *insn,
	      int64_t *off)
{
  const struct ptx_opnd *a = ptx_insn_address (insn);
  if (!a || !is_word64 (insn))
    return false;
  struct origin x = of_address (o, a);
  *off = x.off;
  return x.kind == ORIGIN_BCAST
	 && insn->space == (x.window ? PTX_SP_SHARED : PTX_SP_NONE);
}

static struct cell *
find_cell (const struct origins *o, int64_t off)
{
  for (size_t i = 0; i < o->ncells; i++)
    if (o->cell[i].off == off)
      return &o->cell[i];
  return NULL;
}

static void
broadcast_store (struct origins *o, int64_t off, struct origin value)
{
  struct cell *c = find_cell (o, off);
  if (!c)
    {
      o->cell = realloc (o->cell, (o->ncells + 1) * sizeof *o->cell);
      if (!o->cell)
	abort ();
      c = &o->cell[o->ncells++];
      *c = (struct cell) { off, none };
    }
  struct origin x = join (c->origin, value);
  if (!same (x, c->origin))
    {
      c->origin = x;
      o->changed = true;
    }
}

/* ---- Definitions ---- */

static unsigned
type_bytes (const struct ptx_insn *insn, unsigned i)
{
  return i < insn->ntypes ? ptx_type_info[insn->type[i]].bytes : 0;
}

/* What slot SLOT of the argument block holds.  */
static struct origin
of_slot (const struct origins *o, int64_t slot)
{
  const struct acr_operand *op
    = slot <= INT_MAX ? acr_region_slot (o->tag, slot) : NULL;
  if (!op)
    return unknown;
  switch (op->map)
    {
    case ACR_MAP_DATA:
    case ACR_MAP_COPY:
    case ACR_MAP_DEVPTR:
      return on_the_way (op->slot, 0);
    case ACR_MAP_PTR:
    case ACR_MAP_PTR2:
      if (op->access == ACR_ACCESS_UNKNOWN)
	return unknown;		/* the pointers may change */
      return on_the_way (op->slot, op->map == ACR_MAP_PTR ? 1 : 2);
    default:
      return unknown;
    }
}

/* What a load gives: an argument, a pointer to data, or a broadcast value.  */
static struct origin
of_load (const struct origins *o, const struct ptx_insn *insn)
{
  const struct ptx_opnd *a = insn->opnd[1];
  int64_t off;
  if (!is_word64 (insn) || a->kind != PTX_O_ADDR || !a->nelt)
    return unknown;
  if (insn->space == PTX_SP_PARAM)
    return o->tag && a->off == 0 && a->elt[0]->kind == PTX_O_SYM
		   && a->elt[0]->sym == o->f->params
	     ? (struct origin) { .kind = ORIGIN_ARGS }
	     : unknown;
  if (at_broadcast (o, insn, &off))
    {
      struct cell *c = find_cell (o, off);
      return c ? c->origin : none;
    }
  struct origin x = of_address (o, a);
  if (x.kind == ORIGIN_NONE)
    return none;
  if (insn->space != PTX_SP_NONE && insn->space != PTX_SP_GLOBAL)
    return unknown;
  if (x.kind == ORIGIN_ARGS && x.off >= 0 && x.off % 8 == 0)
    return of_slot (o, x.off / 8);
  if (x.kind == ORIGIN_POINTER && x.off == 0 && !o->pointers_change)
    return on_the_way (x.slot, x.hops - 1);
  return unknown;
}

/* mov.b64 d, {low, high}  */
static struct origin
of_pair (const struct origins *o, const struct ptx_opnd *v)
{
  if (v->nelt != 2)
    return unknown;
  struct origin lo = of_operand (o, v->elt[0]);
  struct origin hi = of_operand (o, v->elt[1]);
  if (lo.kind == ORIGIN_NONE || hi.kind == ORIGIN_NONE)
    return none;
  if (lo.part != ORIGIN_LOW || hi.part != ORIGIN_HIGH)
    return unknown;
  lo.part = hi.part = ORIGIN_WHOLE;
  return same (lo, hi) ? lo : unknown;
}

static struct origin
of_cvta (const struct origins *o, const struct ptx_insn *insn)
{
  const struct ptx_opnd *src = insn->opnd[1];
  if (type_bytes (insn, 0) != 8)
    return unknown;
  struct origin x = of_operand (o, src);
  if (x.kind == ORIGIN_NONE)
    return none;
  /* The space follows from the instruction; what else is known stays.  */
  if (is_address (x) && x.part == ORIGIN_WHOLE
      && anywhere (x).space == insn->space)
    {
      x.window = insn->to && insn->space != PTX_SP_GLOBAL;
      return x;
    }
  return in_space (insn->space, insn->to, ORIGIN_NO_SLOT);
}

/* The 64-bit value that INSN computes.  */
static struct origin
of_value (const struct origins *o, const struct ptx_insn *insn)
{
  struct ptx_opnd **op = insn->opnd;
  switch (insn->op)
    {
    case PTX_OP_MOV:
      if (op[1]->kind == PTX_O_VEC)
	return of_pair (o, op[1]);
      return of_operand (o, op[1]);

    case PTX_OP_ADD:
    case PTX_OP_SUB:
      if (ptx_insn_has (insn, PTX_M_CC))
	return unknown;
      return of_sum (o, op[1], op[2], insn->op == PTX_OP_SUB);

    case PTX_OP_NEG:
    case PTX_OP_NOT:
      return sum (integer, of_operand (o, op[1]), true);

    case PTX_OP_MAD:
      if (insn->mod[PTX_MC_HALF] == PTX_M_HI || ptx_insn_has (insn, PTX_M_CC))
	return unknown;
      return sum (of_operand (o, op[3]), integer, false);

    case PTX_OP_AND:
    case PTX_OP_OR:
      {
	/* Alignment: the upper bits of an address stay.  */
	struct origin a = of_operand (o, op[1]), b = of_operand (o, op[2]);
	if (a.kind == ORIGIN_NONE || b.kind == ORIGIN_NONE)
	  return none;
	bool upper_stay = op[2]->kind == PTX_O_INT
			  && (insn->op == PTX_OP_AND
				? (int64_t) op[2]->bits < 0
				: op[2]->bits < 4096);
	if (is_address (a) && upper_stay)
	  return anywhere (a);
	if (insn->op == PTX_OP_AND && op[2]->kind == PTX_O_INT
	    && op[2]->bits < 4096)
	  return integer;
	return sum (a, b, true).kind == ORIGIN_INT ? integer : unknown;
      }

    case PTX_OP_SELP:
    case PTX_OP_MIN:
    case PTX_OP_MAX:
      return join (of_operand (o, op[1]), of_operand (o, op[2]));

    case PTX_OP_CVT:
      if (type_bytes (insn, 0) == 8 && type_bytes (insn, 1) == 8
	  && !((ptx_type_info[insn->type[0]].cls
		| ptx_type_info[insn->type[1]].cls)
	       & PTX_TC_FLOAT))
	return of_operand (o, op[1]);
      return integer;

    case PTX_OP_CVTA:
      return of_cvta (o, insn);

    case PTX_OP_LD:
      return of_load (o, insn);

    /* A scaled or shifted address is none any more.  */
    case PTX_OP_MUL:
    case PTX_OP_SHL:
    case PTX_OP_SHR:
    case PTX_OP_DIV:
    case PTX_OP_REM:
    case PTX_OP_POPC:
    case PTX_OP_BFE:
      return integer;

    default:
      return unknown;
    }
}

static void
define (struct origins *o, const struct ptx_sym *r, struct origin value)
{
  if (r->kind != PTX_SYM_REG || r->index >= o->f->nregs
      || o->f->regs[r->index] != r)
    return;
  /* Two or four values in one register are more than we follow.  */
  if (r->vec != 1)
    value = unknown;
  struct origin x = join (o->reg[r->index], value);
  if (!same (x, o->reg[r->index]))
    {
      o->reg[r->index] = x;
      o->changed = true;
    }
}

/* A 32-bit register holds an integer, unless it is half of an address that
   mov takes apart or that shfl or mov copies.  */
static struct origin
of_narrow (const struct origins *o, const struct ptx_insn *insn)
{
  if ((insn->op == PTX_OP_MOV || insn->op == PTX_OP_SHFL)
      && insn->opnd[1]->kind == PTX_O_REG && insn->opnd[1]->sym->vec == 1)
    {
      struct origin x = of_operand (o, insn->opnd[1]);
      if (x.kind == ORIGIN_NONE || x.part != ORIGIN_WHOLE)
	return x;
    }
  return integer;
}

struct definition
{
  struct origins *o;
  const struct ptx_insn *insn;
};

static void
define_from (struct ptx_sym *reg, void *closure)
{
  const struct definition *d = closure;
  bool wide = ptx_type_info[reg->type].bytes == 8
	      && !(ptx_type_info[reg->type].cls & PTX_TC_FLOAT);
  define (d->o, reg,
	  wide ? of_value (d->o, d->insn) : of_narrow (d->o, d->insn));
}

/* Whether INSN writes a pointer that leads to data, or what is around it.  */
static bool
writes_pointer (const struct origins *o, const struct ptx_insn *insn)
{
  const struct ptx_opnd *a = ptx_insn_address (insn);
  return a && (ptx_op_info[insn->op].flags & PTX_OF_WRITES_MEM)
	 && of_address (o, a).kind == ORIGIN_POINTER;
}

static void
transfer (struct origins *o, const struct ptx_insn *insn)
{
  int64_t off;
  /* mov.b64 {low, high}, s  */
  if (insn->op == PTX_OP_MOV && insn->opnd[0]->kind == PTX_O_VEC
      && insn->opnd[0]->nelt == 2 && type_bytes (insn, 0) == 8)
    {
      struct origin x = of_operand (o, insn->opnd[1]);
      if (x.kind == ORIGIN_NONE)
	return;
      for (unsigned i = 0; i < 2; i++)
	if (insn->opnd[0]->elt[i]->kind == PTX_O_REG)
	  {
	    x.part = i ? ORIGIN_HIGH : ORIGIN_LOW;
	    define (o, insn->opnd[0]->elt[i]->sym, x);
	  }
      return;
    }
  if (!o->pointers_change && writes_pointer (o, insn))
    o->pointers_change = o->changed = true;
  if (insn->op == PTX_OP_ST && at_broadcast (o, insn, &off))
    {
      struct origin x = of_operand (o, insn->opnd[1]);
      if (x.kind != ORIGIN_NONE)
	broadcast_store (o, off, x);
    }
  /* A load of several registers gives addresses of nobody knows what.  */
  struct definition d = { o, insn };
  ptx_insn_defs (insn, define_from, &d);
}

struct origins *
origins_new (const struct ptx_func *f, const struct acr_region *tag)
{
  if (!f->has_body || f->opaque || f->unit->address_size != 64)
    return NULL;
  struct origins *o = calloc (1, sizeof *o);
  if (!o || !(o->reg = calloc (f->nregs + 1, sizeof *o->reg)))
    abort ();
  o->f = f;
  o->tag = tag;
  unsigned round = 0;
  do
    {
      o->changed = false;
      for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
	if (s->kind == PTX_S_INSN)
	  transfer (o, s->insn);
    }
  while (o->changed && ++round < MAX_ROUNDS);
  if (o->changed)
    {
      origins_free (o);
      return NULL;
    }
  return o;
}

void
origins_free (struct origins *o)
{
  if (!o)
    return;
  free (o->reg);
  free (o->cell);
  free (o);
}

struct origin
origin_of_access (const struct origins *o, const struct ptx_insn *insn)
{
  const struct ptx_opnd *a = ptx_insn_address (insn);
  struct origin x = a ? anywhere (of_address (o, a)) : unknown;
  return x.kind == ORIGIN_SPACE ? x : unknown;
}

bool
origin_is_steady (const struct origins *o, const struct ptx_insn *insn)
{
  const struct ptx_opnd *a = ptx_insn_address (insn);
  struct origin x = a ? of_address (o, a) : unknown;
  switch (x.kind)
    {
    case ORIGIN_ARGS:
    case ORIGIN_BCAST:
      return true;
    case ORIGIN_SPACE:
    case ORIGIN_POINTER:
      {
	const struct acr_operand *op
	  = o->tag && x.slot != ORIGIN_NO_SLOT ? acr_region_slot (o->tag, x.slot)
					       : NULL;
	return op && op->access != ACR_ACCESS_UNKNOWN;
      }
    default:
      return false;
    }
}

/* The operations inside atoms, for whoever has to look into them: what they
   are, and what a term is in each lane for some arbitrary inputs.

   Equal in all lanes for arbitrary inputs is no proof, but different in one is:
   so most questions never reach the solver.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <string.h>

/* Larger terms have no values.  */
enum { MAX_VISITS = 4096 };

struct operation
operation_select (unsigned width)
{
  return (struct operation) { .op = PTX_OP_SELP, .width = width };
}

struct operation
operation_of (const struct ptx_insn *insn, unsigned nargs)
{
  unsigned cls = ptx_type_info[insn->type[0]].cls, want = 2;
  struct operation o = { .op = insn->op, .cmp = insn->mod[PTX_MC_CMP],
			 .is_signed = cls & PTX_TC_SIGNED };
  if (insn->flags || insn->ntypes != 1
      || (cls & (PTX_TC_FLOAT | PTX_TC_PACKED)))
    return o;
  switch (insn->op)
    {
    case PTX_OP_MIN:
    case PTX_OP_MAX:
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
    case PTX_OP_SHL:
    case PTX_OP_SHR:
      break;
    case PTX_OP_SETP:
      if (o.cmp < PTX_M_EQ || o.cmp > PTX_M_GE)
	return o;
      break;
    case PTX_OP_SELP:
      want = 3;
      break;
    default:
      return o;
    }
  o.width = nargs == want ? eval_width (insn->type[0]) : 0;
  return o;
}

static uint64_t
low_bits (uint64_t v, unsigned width)
{
  return width >= 64 ? v : v & (((uint64_t) 1 << width) - 1);
}

static int64_t
extended (uint64_t v, unsigned width)
{
  return (int64_t) (v << (64 - width)) >> (64 - width);
}

static bool
compare (const struct operation *o, uint64_t a, uint64_t b)
{
  int order = o->is_signed
		? (extended (a, o->width) > extended (b, o->width))
		    - (extended (a, o->width) < extended (b, o->width))
		: (a > b) - (a < b);
  switch (o->cmp)
    {
    case PTX_M_EQ:
      return order == 0;
    case PTX_M_NE:
      return order != 0;
    case PTX_M_LT:
      return order < 0;
    case PTX_M_LE:
      return order <= 0;
    case PTX_M_GT:
      return order > 0;
    default:
      return order >= 0;
    }
}

static uint64_t
compute (const struct operation *o, const uint64_t *arg)
{
  uint64_t a = low_bits (arg[0], o->width), b = low_bits (arg[1], o->width);
  struct operation less = *o;
  less.cmp = PTX_M_LT;
  switch (o->op)
    {
    case PTX_OP_AND:
      return a & b;
    case PTX_OP_OR:
      return a | b;
    case PTX_OP_XOR:
      return a ^ b;
    case PTX_OP_MIN:
      return compare (&less, a, b) ? a : b;
    case PTX_OP_MAX:
      return compare (&less, a, b) ? b : a;
    case PTX_OP_SHL:
      return (uint32_t) arg[1] >= o->width ? 0 : a << (uint32_t) arg[1];
    case PTX_OP_SHR:
      {
	unsigned n = (uint32_t) arg[1] >= o->width ? o->width - 1
						   : (uint32_t) arg[1];
	if (o->is_signed)
	  return extended (a, o->width) >> n;
	return (uint32_t) arg[1] >= o->width ? 0 : a >> n;
      }
    case PTX_OP_SETP:
      return compare (o, a, b);
    default:			/* selp */
      return arg[2] & 1 ? a : b;
    }
}

/* ---- Values ---- */

/* All lanes are computed together, so that a term is visited once.  */
typedef uint64_t lanes[TERM_LANES];

struct visit { unsigned seed, n; };

/* %tid.x of the first lane, and numbers of 32 bits, 0 for any: seeds for the
   first and last threads of a block, and for what overflows between lanes.  */
struct seed { unsigned tid; uint32_t word; };

static const struct seed *
seed_of (unsigned n)
{
  static const struct seed seeds[TERM_SEEDS] = {
    { 64, 0 }, { 128, 0 }, { 992, INT32_MAX - 15 }, { 0, UINT32_MAX - 15 }
  };
  return &seeds[n < TERM_SEEDS ? n : 0];
}

/* An arbitrary number, in LANE.  */
static uint64_t
arbitrary (const struct visit *v, const struct atom *a, int lane)
{
  int64_t high;
  uint32_t word = seed_of (v->seed)->word;
  if (word && a->width == 32 && a->kind != ATOM_SREG)
    return word + (a->uniform ? 0 : lane);
  uint64_t h = a->serial * 0x9e3779b97f4a7c15u + v->seed;
  if (!a->uniform)
    h += (uint64_t) (lane + 1) << 40;
  for (int i = 0; i < 3; i++)
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
  h ^= h >> 32;
  return a->kind == ATOM_SREG && expr_sreg_range (a, &high)
	   ? h % ((uint64_t) high + 1)
	   : h;
}

static void term_value (struct visit *v, const struct term *t, lanes value);

/* Lanes to compute: one for all when they agree.  */
static int
distinct (bool uniform)
{
  return uniform ? 1 : TERM_LANES;
}

/* Let all lanes of VALUE be what the distinct ones are.  */
static void
spread (lanes value, bool uniform)
{
  for (int lane = distinct (uniform); lane < TERM_LANES; lane++)
    value[lane] = value[0];
}

/* A's value in LANE, when those of its arguments, if it is DEEP, are ARG.  */
static uint64_t
lane_value (const struct visit *v, const struct atom *a, bool deep,
	    const uint64_t arg[], int lane)
{
  if (a->operation.width)
    return compute (&a->operation, arg);
  switch (a->kind)
    {
    case ATOM_SREG:
      if (a->id == PTX_SR_LANEID)
	return lane;
      if (a->id == PTX_SR_TID && a->option == 'x')
	return seed_of (v->seed)->tid + lane;
      return arbitrary (v, a, lane);
    case ATOM_SIGN:
      return extended (arg[0], a->arg[0]->width);
    case ATOM_ZERO:
      return arg[0];
    case ATOM_PRODUCT:
      return arg[0] * arg[1];
    case ATOM_OP:
      if (deep)
	return strcmp (a->mnemonic, EXPR_CUT) == 0 ? arg[0]
						   : arg[0] >> a->width;
      return arbitrary (v, a, lane);
    default:
      return arbitrary (v, a, lane);
    }
}

static void
atom_value (struct visit *v, const struct atom *a, lanes value)
{
  lanes arg[4] = { 0 };
  bool hidden = a->uniform && a->width == 32 && seed_of (v->seed)->word;
  bool deep = a->operation.width || a->kind == ATOM_SIGN
	      || a->kind == ATOM_ZERO || a->kind == ATOM_PRODUCT
	      || (a->kind == ATOM_OP
		  && (strcmp (a->mnemonic, EXPR_CUT) == 0
		      || strcmp (a->mnemonic, EXPR_HIGH) == 0));
  for (unsigned i = 0; deep && !hidden && i < a->nargs; i++)
    term_value (v, a->arg[i], arg[i]);
  for (int lane = 0; lane < distinct (a->uniform); lane++)
    {
      uint64_t own[] = { arg[0][lane], arg[1][lane], arg[2][lane],
			 arg[3][lane] };
      value[lane] = hidden ? arbitrary (v, a, lane)
			   : lane_value (v, a, deep, own, lane);
    }
  spread (value, a->uniform);
}

static void
term_value (struct visit *v, const struct term *t, lanes value)
{
  bool stop = ++v->n > MAX_VISITS;
  int n = distinct (t->uniform);
  for (int lane = 0; lane < n; lane++)
    value[lane] = t->constant;
  for (unsigned i = 0; i < t->nparts && !stop; i++)
    {
      lanes part;
      const struct atom *a = t->part[i].atom;
      atom_value (v, a, part);
      for (int lane = 0; lane < n; lane++)
	value[lane] += t->part[i].coefficient * low_bits (part[lane], a->width);
    }
  for (int lane = 0; lane < n; lane++)
    value[lane] = low_bits (value[lane], t->width);
  spread (value, t->uniform);
}

bool
term_values (const struct term *t, unsigned seed, lanes value)
{
  struct visit v = { seed, 0 };
  term_value (&v, t, value);
  return v.n <= MAX_VISITS;
}

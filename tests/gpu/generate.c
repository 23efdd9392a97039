/* Random programs; see program.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <assert.h>
#include <string.h>

#include "program.h"

/* What registers start with.  */
static const struct
{
  unsigned count, bytes;
  bool is_float;
} inputs[] = { { 2, 2, false }, { 2, 2, true },  { 5, 4, false }, { 4, 4, true },
	       { 4, 8, false }, { 3, 8, true } };

struct generator
{
  struct program *p;
  uint64_t state;
  unsigned depth;		/* of nested bodies */
  unsigned first;		/* register that may be an operand */
  bool in_func;
};

static unsigned
below (struct generator *g, unsigned n)
{
  return (unsigned) ((random_bits (&g->state) >> 20) % n);
}

static bool
chance (struct generator *g, unsigned percent)
{
  return below (g, 100) < percent;
}

/* ---- Registers -------------------------------------------------------------- */

static unsigned
new_reg (struct generator *g, unsigned bytes, bool is_float,
	 const struct stmt *from)
{
  struct program *p = g->p;
  assert (p->nregs < MAX_REGS);
  p->reg[p->nregs] = (struct reg){ .bytes = bytes, .is_float = is_float,
				   .in_func = g->in_func, .from = from };
  return p->nregs++;
}

/* A register of BYTES that may be read here, rather a float where IS_FLOAT,
   rather one written lately.  All sizes are among a kernel's inputs and a
   function's arguments.  */
static unsigned
pick_reg (struct generator *g, unsigned bytes, bool is_float)
{
  const struct program *p = g->p;
  unsigned found[MAX_REGS], n = 0;
  bool any = chance (g, 12);
  for (unsigned k = g->first; k < p->nregs; k++)
    {
      const struct reg *r = &p->reg[k];
      if (r->bytes == bytes && !r->leaf && r->in_func == g->in_func
	  && (any || r->is_float == is_float))
	found[n++] = k;
    }
  if (!n)
    for (unsigned k = g->first; k < p->nregs; k++)
      if (p->reg[k].bytes == bytes && !p->reg[k].leaf
	  && p->reg[k].in_func == g->in_func)
	found[n++] = k;
  assert (n);
  return n > 6 && chance (g, 50) ? found[n - 1 - below (g, 6)]
				 : found[below (g, n)];
}

static struct operand
reg_operand (struct generator *g, unsigned bytes, bool is_float)
{
  return (struct operand){ .reg = pick_reg (g, bytes, is_float) };
}

static struct operand
typed_operand (struct generator *g, const struct row_type *t, bool may_be_imm)
{
  if (may_be_imm && chance (g, 12))
    return (struct operand){ .imm = true,
			     .bits = chance (g, 50)
				       ? row_edge (t, below (g, 64))
				       : row_random (t, &g->state) };
  return reg_operand (g, t->bytes == 1 ? 4 : t->bytes, t->class == 'f');
}

static bool
is_number (const struct reg *r)
{
  return r->is_float
	 || (r->from && r->from->row && strstr (r->from->row->insn, "f16"));
}

/* A register of BYTES that no floating-point operation computed.  */
static unsigned
pick_plain (struct generator *g, unsigned bytes)
{
  unsigned k;
  do
    k = pick_reg (g, bytes, false);
  while (is_number (&g->p->reg[k]));
  return k;
}

/* ---- What is left out ---------------------------------------------------------- */

/* Programs that ptxas (CUDA 13.0) translates to something else, seen in what it
   makes of them:
   - it takes the absolute value or the negation of the s16 -32768 for 32768
     where it is extended;
   - it makes min and max of a register with itself a move, which keeps a NaN's
     bits; print.c replaces that NaN where the row is of a float's type;
   - it narrows a conversion of floats to s16 where the result is the amount of
     a 16-bit shift;
   - it takes 16 bits of an amount that stands in a 16-bit shift (a row of
     semantics.def for that has them);
   - it adds another word's upper half where what an atomic adds in shared memory
     are the lower 32 of 64 bits;
   - it converts a number that a floating-point operation computed to an integer
     where part of its register is stored (make_memory).  */

static bool
starts (const struct row *r, const char *with)
{
  return r && !strncmp (r->insn, with, strlen (with));
}

/* Whether nothing may read the result of R.  */
static bool
is_leaf (const struct row *r)
{
  return r->error != ROW_EXACT || starts (r, "abs.s16 ") || starts (r, "neg.s16 ");
}

static bool
left_out (const struct generator *g, const struct stmt *s)
{
  const struct row *r = s->row;
  /* Kernels have no result's address and no registers of 128 bits.  */
  if (strstr (r->insn, "%out") || strstr (r->insn, "b128")
      || row_target (r) > 90)
    return true;
  bool shift16 = starts (r, "shr.s16 ") || starts (r, "shr.u16 ")
		 || starts (r, "shl.b16 ");
  if (s->src[1].imm)
    return shift16 && s->src[1].bits > 0xffff;
  const struct stmt *from = g->p->reg[s->src[1].reg].from;
  if (from && shift16 && starts (from->row, "cvt."))
    return true;
  if (from && from->row && strstr (r->insn, "atom.shared.add.noftz.f16x2")
      && strstr (from->row->insn, "64"))
    return true;
  return (starts (r, "min.") || starts (r, "max.")) && strstr (r->insn, "f16")
	 && s->src[0].reg == s->src[1].reg;
}

/* ---- Statements --------------------------------------------------------------- */

static struct stmt *
new_stmt (struct generator *g, enum stmt_kind kind)
{
  struct program *p = g->p;
  if (p->nstmts == MAX_STMTS)
    return NULL;
  struct stmt *s = &p->stmt[p->nstmts];
  *s = (struct stmt){ .kind = kind, .id = p->nstmts++ };
  return s;
}

static unsigned
new_pred (struct generator *g)
{
  return g->p->npreds < MAX_PREDS ? ++g->p->npreds : 0;
}

static void
maybe_guard (struct generator *g, struct stmt *s)
{
  if (g->in_func || !g->p->npreds || !chance (g, 15))
    return;
  s->guard = 1 + below (g, g->p->npreds);
  s->guard_neg = chance (g, 50);
}

/* The row of S and its operands.  */
static void
pick_row (struct generator *g, struct stmt *s)
{
  const struct row *r = s->row = &rows[below (g, nrows)];
  /* Constants may stand in single instructions, but not for 16-bit floats and
     pairs, nor for or beside parts of registers; ptxas checks those of bfe and
     bfi.  */
  bool plain = !strchr (r->insn, ';') && !strchr (r->insn, '{')
	       && !strstr (r->insn, "f16") && !strstr (r->insn, "16x2")
	       && !starts (r, "bf") && !starts (r, "v");
  const struct row_type *t[] = { r->a, r->b, r->c };
  static const char *const names[] = { "%a", "%b", "%c" };
  for (unsigned k = 0; k < 3; k++)
    if (strstr (r->insn, names[k]))
      s->src[k] = typed_operand (g, t[k], plain && k
					    && (t[k]->class != 'f'
						|| t[k]->bytes > 2));
}

static struct stmt *
make_row (struct generator *g)
{
  struct stmt *s = new_stmt (g, S_ROW);
  if (!s)
    return NULL;
  do
    pick_row (g, s);
  while (left_out (g, s));
  const struct row *r = s->row;
  maybe_guard (g, s);
  s->dst[0] = new_reg (g, row_result_bytes (r), r->d->class == 'f', s);
  g->p->reg[s->dst[0]].leaf = is_leaf (r);
  return s;
}

static enum space
any_space (struct generator *g, struct stmt *s)
{
  s->space = (enum space) below (g, SPACES);
  s->generic = chance (g, 30);
  g->p->uses[s->space] = true;
  return s->space;
}

/* Where S accesses BYTES times VEC.  */
static void
place (struct generator *g, struct stmt *s, unsigned bytes, unsigned vec)
{
  unsigned all = bytes * vec;
  any_space (g, s);
  s->bytes = bytes;
  s->vec = vec;
  s->offset = below (g, SCRATCH / all) * all;
  if (chance (g, 40))
    {
      s->index = 1 + pick_reg (g, 4, false);
      s->offset = 0;
    }
}

static struct stmt *
make_memory (struct generator *g)
{
  bool store = chance (g, 50);
  struct stmt *s = new_stmt (g, store ? S_STORE : S_LOAD);
  if (!s)
    return NULL;
  unsigned bytes = 1u << below (g, 4), vec = 1u << below (g, 3);
  if (vec == 4 && bytes == 8)
    vec = 2;
  place (g, s, bytes, vec);
  s->is_signed = bytes < 8 && chance (g, 40);
  s->bits = below (g, 2);
  maybe_guard (g, s);
  /* Registers may be wider than what is moved.  */
  unsigned size = bytes < 2 ? 2 : bytes;
  while (size < 8 && chance (g, 35))
    size *= 2;
  for (unsigned k = 0; k < vec; k++)
    {
      if (store)
	s->src[k].reg = size > bytes ? pick_plain (g, size)
				     : pick_reg (g, size, chance (g, 50));
      else
	s->dst[k] = new_reg (g, size, chance (g, 30), s);
    }
  return s;
}

static struct stmt *
make_atom (struct generator *g)
{
  struct stmt *s = new_stmt (g, S_ATOM);
  if (!s)
    return NULL;
  s->choice = below (g, n_atom_choice);
  unsigned bytes = atom_choice[s->choice].bytes;
  place (g, s, bytes, 1);
  if (s->space == SP_LOCAL)	/* has no atomics */
    s->space = SP_GLOBAL;
  g->p->uses[s->space] = true;
  s->src[0] = reg_operand (g, bytes, false);
  s->src[1] = reg_operand (g, bytes, false);
  maybe_guard (g, s);
  s->dst[0] = new_reg (g, bytes, false, s);
  return s;
}

static struct stmt *
make_red (struct generator *g)
{
  struct stmt *s = new_stmt (g, S_RED);
  if (!s)
    return NULL;
  s->bits = below (g, CELLS);
  s->choice = g->p->cell_op[s->bits];
  s->src[0] = reg_operand (g, atom_choice[s->choice].bytes, false);
  maybe_guard (g, s);
  return s;
}

static struct stmt *
make_pred (struct generator *g)
{
  struct stmt *s = new_stmt (g, S_PRED);
  if (!s || !(s->pdst = new_pred (g)))
    return NULL;
  s->src[0] = reg_operand (g, 4, false);
  s->bits = random_bits (&g->state) & random_bits (&g->state) & 0xffffffff;
  return s;
}

static struct stmt *
make_sreg (struct generator *g)
{
  struct stmt *s = new_stmt (g, S_SREG);
  if (!s)
    return NULL;
  s->choice = below (g, n_sreg_choice);
  s->dst[0] = new_reg (g, 4, false, s);
  return s;
}

/* Between the lanes of a warp.  Where lanes are off, only the first that is on
   is read from: reading from the others is not defined.  */
static struct stmt *
make_lanes (struct generator *g)
{
  struct stmt *s
    = new_stmt (g, (enum stmt_kind) (S_SHFL + below (g, S_REDUX - S_SHFL + 1)));
  if (!s)
    return NULL;
  unsigned bytes = 4;
  switch (s->kind)
    {
    case S_SHFL:
      s->leader = g->depth != 0;
      s->choice = s->leader ? 3 : below (g, n_shfl_choice);
      s->bits = s->leader ? 31 : (uint64_t) (32 - (1u << below (g, 6))) << 8
				  | (s->choice == 0 ? 0 : 31);
      s->src[1] = reg_operand (g, 4, false);
      s->pdst = chance (g, 50) ? new_pred (g) : 0;
      break;
    case S_VOTE:
      s->choice = below (g, n_vote_choice);
      s->bits = 1u << below (g, 32);
      break;
    case S_MATCH:
      s->choice = below (g, n_match_choice);
      bytes = match_choice[s->choice].bytes;
      s->bits = chance (g, 50);	/* compare one bit only */
      break;
    default:
      s->choice = below (g, n_redux_choice);
    }
  s->src[0] = reg_operand (g, bytes, false);
  s->dst[0] = new_reg (g, 4, false, s);
  return s;
}

static struct stmt *
make_exchange (struct generator *g)
{
  struct stmt *s = new_stmt (g, S_EXCHANGE);
  if (!s)
    return NULL;
  s->src[0] = reg_operand (g, 4, false);
  s->choice = below (g, THREADS);
  s->dst[0] = new_reg (g, 4, false, s);
  return s;
}

static struct stmt *
make_call (struct generator *g)
{
  if (!g->p->nfuncs)
    return make_row (g);
  struct stmt *s = new_stmt (g, S_CALL);
  if (!s)
    return NULL;
  s->choice = below (g, g->p->nfuncs);
  const struct func *f = &g->p->func[s->choice];
  for (unsigned k = 0; k < f->nargs; k++)
    {
      const struct reg *r = &g->p->reg[f->arg[k]];
      s->src[k] = reg_operand (g, r->bytes, r->is_float);
    }
  const struct reg *r = &g->p->reg[f->result];
  s->dst[0] = new_reg (g, r->bytes, r->is_float, s);
  return s;
}

static struct stmt *make_body (struct generator *g, unsigned n);

static struct stmt *
make_branch (struct generator *g)
{
  struct stmt *s = new_stmt (g, chance (g, 60) ? S_IF : S_LOOP);
  if (!s)
    return NULL;
  s->src[0] = reg_operand (g, 4, false);
  g->depth++;
  if (s->kind == S_IF)
    {
      s->bits = 1u << below (g, 32);
      s->body = make_body (g, 1 + below (g, 4));
      s->other = chance (g, 60) ? make_body (g, 1 + below (g, 4)) : NULL;
    }
  else
    {
      s->bits = chance (g, 70) ? 3 : 5;
      s->body = make_body (g, 1 + below (g, 4));
    }
  g->depth--;
  return s;
}

static struct stmt *
make_stmt (struct generator *g)
{
  if (g->in_func)
    return make_row (g);
  unsigned k = below (g, 100);
  if (k < 55)
    return make_row (g);
  if (k < 66)
    return make_memory (g);
  if (k < 70)
    return make_atom (g);
  if (k < 73)
    return make_red (g);
  if (k < 77)
    return make_pred (g);
  if (k < 78)
    return make_sreg (g);
  if (k < 86)
    return make_lanes (g);
  if (k < 90)
    return make_call (g);
  if (k < 93 && !g->depth)
    return make_exchange (g);
  return g->depth < 3 ? make_branch (g) : make_row (g);
}

/* Up to N statements; fewer when the program is full.  */
static struct stmt *
make_body (struct generator *g, unsigned n)
{
  struct stmt *first = NULL, **end = &first;
  while (n-- && g->p->nregs + 8 < MAX_REGS)
    {
      struct stmt *s = make_stmt (g);
      if (!s)
	continue;
      *end = s;
      end = &s->next;
    }
  return first;
}

static void
make_func (struct generator *g)
{
  struct func *f = &g->p->func[g->p->nfuncs];
  unsigned first = g->first;
  g->in_func = true;
  g->first = g->p->nregs;
  /* Arguments of all sizes, so that every form finds operands.  */
  f->nargs = MAX_ARGS;
  f->arg[0] = new_reg (g, 4, chance (g, 30), NULL);
  f->arg[1] = new_reg (g, 8, chance (g, 50), NULL);
  f->arg[2] = new_reg (g, 2, false, NULL);
  f->body = make_body (g, 2 + below (g, 4));
  f->result = pick_reg (g, chance (g, 50) ? 4 : 8, false);
  g->in_func = false;
  g->first = first;
  g->p->nfuncs++;
}

void
program_generate (struct program *p, uint64_t seed)
{
  memset (p, 0, sizeof *p);
  struct generator g = { .p = p, .state = seed * 0x9e3779b97f4a7c15 | 1 };
  for (unsigned k = 0; k < 8; k++)
    random_bits (&g.state);
  for (unsigned k = 0; k < sizeof inputs / sizeof *inputs; k++)
    for (unsigned n = 0; n < inputs[k].count; n++)
      new_reg (&g, inputs[k].bytes, inputs[k].is_float, NULL);
  assert (p->nregs == INPUTS);
  for (unsigned k = 0; k < CELLS; k++)
    p->cell_op[k] = below (&g, n_red_choice);
  unsigned nfuncs = below (&g, MAX_FUNCS + 1);
  for (unsigned k = 0; k < nfuncs; k++)
    make_func (&g);
  p->body = make_body (&g, 10 + below (&g, 20));
}

void
program_inputs (const struct program *p, uint64_t seed, struct image *m)
{
  uint64_t state = seed * 0x9e3779b97f4a7c15 | 1;
  memset (m, 0, sizeof *m);
  for (unsigned k = 0; k < INPUTS; k++)
    {
      const struct reg *r = &p->reg[k];
      const struct row_type t = { .bytes = r->bytes,
				  .class = r->is_float ? 'f' : 'u' };
      uint64_t mask = r->bytes == 8 ? ~(uint64_t) 0
				    : ((uint64_t) 1 << 8 * r->bytes) - 1;
      for (unsigned l = 0; l < LANES; l++)
	m->in[k][l]
	  = mask & (random_bits (&state) >> 40 & 1
		      ? row_edge (&t, (unsigned) random_bits (&state))
		      : row_random (&t, &state));
    }
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned k = 0; k < SCRATCH; k++)
      m->scratch[l][k] = (unsigned char) (random_bits (&state) >> 30);
  for (unsigned k = 0; k < CELLS; k++)
    m->cells[k] = random_bits (&state);
}

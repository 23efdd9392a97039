/* Pass window: addresses in shared memory are computed in 32 bits, and what is
   constant is added last.

   A generic address of an array's element is a base and an extended subscript,
   whose constant stands inside the extension:

     cvta.shared.u64 %b, array;		mov.u32 %w, array;
     add.u32 %i, %x, 1;			shl.b32 %t, %x, 2;
     cvt.s64.s32 %l, %i;		add.u32 %w, %w, %t;
     shl.b64 %l, %l, 2;			add.u32 %w, %w, 4;
     add.u64 %a, %b, %l;
     cvta.to.shared.u64 %v, %a;
     ld.shared.f32 %f, [%v];		ld.shared.f32 %f, [%w];

   The window of shared memory is smaller than 2^32 bytes, so that the address of
   an access is what its low half is, and low halves of sums and products follow
   from low halves: no question whether the subscript overflows.  ptxas leaves the
   constant in the extension, so that neighbours have an address, and a register,
   each.  Behind the rest it takes it into the instruction: here it must not stand
   there, [%w+4], because %w alone may be below 0, and PTX extends it by zeros.

   %w is set behind %a, wherever that is, from registers that have the value there
   that went into %a: those set once, before, or in the same block and not again.
   Equal ones are ptxas' to find.

   Needs: cvta.to.shared in front of accesses (addrspace.c), so it comes last.
   Keeps: all accesses.  Breaks: nothing.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <string.h>

enum
{
  MAX_LEAVES = 3,		/* registers of an address */
  MAX_DEPTH = 12		/* instructions from it to them */
};

/* A register times FACTOR, modulo 2^32.  */
struct leaf
{
  const struct ptx_sym *reg;
  uint32_t factor;
};

/* An offset in the window: the place of VAR, a constant, and leaves.  */
struct sum
{
  const struct ptx_sym *var;
  uint32_t constant;
  unsigned n;
  struct leaf leaf[MAX_LEAVES];
};

/* Where a register of the function is set.  */
struct setting
{
  unsigned n;			/* how often */
  struct ptx_stmt *stmt;	/* the last of them */
  int block, order;		/* of STMT */
  bool place;			/* each time to the same place in a variable */
  bool outside;			/* declared outside of inner blocks */
  unsigned window;		/* the address's number when it has a new
				   register, or 0 */
  struct sum sum;		/* what that has, but for the constant */
};

struct windows
{
  struct ptx_func *f;
  struct cfg *cfg;
  unsigned nregs;		/* without the new ones */
  struct setting *reg;		/* by ptx_sym.index */
  unsigned *uses;		/* likewise: how often they are read */
  unsigned first, n;		/* new registers have numbers above FIRST, up to
				   N */
  /* For the walk over statements.  */
  struct ptx_stmt *stmt;
  int block, order;
};

static struct setting *
setting_of (const struct windows *w, const struct ptx_sym *s)
{
  return s->kind == PTX_SYM_REG && s->index < w->nregs
	     && w->f->regs[s->index] == s
	   ? &w->reg[s->index]
	   : NULL;
}

/* Does I set a register to a place in a variable?  */
static bool
is_place (const struct ptx_insn *i)
{
  return i->op == PTX_OP_CVTA && !i->to && i->space == PTX_SP_SHARED
	 && !i->guard && i->opnd[1]->kind == PTX_O_SYM
	 && i->opnd[1]->sym->kind == PTX_SYM_VAR;
}

static bool
same_place (const struct ptx_insn *a, const struct ptx_insn *b)
{
  return a->opnd[1]->sym == b->opnd[1]->sym
	 && a->opnd[1]->off == b->opnd[1]->off;
}

static void
note_setting (struct ptx_sym *s, void *closure)
{
  struct windows *w = closure;
  struct setting *r = setting_of (w, s);
  if (!r)
    return;
  r->place = is_place (w->stmt->insn)
	     && (r->n == 0
		 || (r->place && same_place (r->stmt->insn, w->stmt->insn)));
  r->n++;
  r->stmt = w->stmt;
  r->block = w->block;
  r->order = w->order;
}

static void
note_use (struct ptx_sym *s, void *closure)
{
  struct windows *w = closure;
  if (setting_of (w, s))
    w->uses[s->index]++;
}

/* Which registers are declared outside of inner blocks, so that they can be named
   behind any statement that is not in one?  */
static void
note_declarations (struct windows *w)
{
  unsigned depth = 0;
  for (unsigned i = 0; i < w->nregs; i++)
    {
      unsigned number;
      w->reg[i].outside = true;
      if (sscanf (w->f->regs[i]->name, "%%acr_window%u", &number) == 1
	  && number > w->n)
	w->n = number;
    }
  w->first = w->n;
  for (const struct ptx_stmt *s = w->f->first; s != w->f->last; s = s->next)
    {
      depth += s->kind == PTX_S_OPEN;
      depth -= s->kind == PTX_S_CLOSE;
      for (unsigned i = 0; s->kind == PTX_S_DECL && i < s->nsyms; i++)
	if (depth > 1 && setting_of (w, s->syms[i]))
	  setting_of (w, s->syms[i])->outside = false;
    }
}

static void
note_settings (struct windows *w)
{
  note_declarations (w);
  w->order = 0;
  for (w->block = 0; w->block < w->cfg->nblocks; w->block++)
    for (w->stmt = w->cfg->block[w->block].first;; w->stmt = w->stmt->next)
      {
	w->order++;
	if (w->stmt->kind == PTX_S_INSN)
	  {
	    ptx_insn_defs (w->stmt->insn, note_setting, w);
	    ptx_insn_uses (w->stmt->insn, note_use, w);
	  }
	if (w->stmt == w->cfg->block[w->block].last)
	  break;
      }
}

/* Has setting A been executed whenever B is?  */
static bool
comes_before (const struct windows *w, const struct setting *a,
	      const struct setting *b)
{
  return a->block == b->block ? a->order < b->order
			      : cfg_dominates (w->cfg, a->block, b->block);
}

/* Does REG have behind AT, which sets the address, the value that FROM was computed
   with?  Both are executed where they are set alone, FROM before AT or the same.  */
static bool
is_stable (const struct windows *w, const struct ptx_sym *reg,
	   const struct setting *from, const struct setting *at)
{
  const struct setting *r = setting_of (w, reg);
  if (!r || r->n == 0)
    return false;
  if (r->n == 1 && comes_before (w, r, from))
    return true;
  if (from->block != at->block)
    return false;
  for (const struct ptx_stmt *s = from->stmt;; s = s->next)
    if (s->kind == PTX_S_INSN && insn_sets (s->insn, reg))
      return false;
    else if (s == at->stmt)
      return true;
}

static bool
is_word (enum ptx_type t)
{
  return t == PTX_T_U32 || t == PTX_T_S32 || t == PTX_T_B32 || t == PTX_T_U64
	 || t == PTX_T_S64 || t == PTX_T_B64;
}

static bool
add_leaf (struct sum *sum, const struct ptx_sym *reg, uint32_t factor)
{
  unsigned i = 0;
  while (i < sum->n && sum->leaf[i].reg != reg)
    i++;
  if (i == MAX_LEAVES)
    return false;
  if (i == sum->n)
    sum->leaf[sum->n++] = (struct leaf) { .reg = reg };
  sum->leaf[i].factor += factor;
  return true;
}

static bool add_register (const struct windows *w, struct sum *sum,
			  const struct ptx_sym *reg, uint32_t factor,
			  const struct setting *from, const struct setting *at,
			  unsigned depth);

/* Add operand O of FROM, times FACTOR.  */
static bool
add_operand (const struct windows *w, struct sum *sum,
	     const struct ptx_opnd *o, uint32_t factor,
	     const struct setting *from, const struct setting *at,
	     unsigned depth)
{
  if (o->kind == PTX_O_INT)
    {
      sum->constant += (uint32_t) o->bits * factor;
      return true;
    }
  return o->kind == PTX_O_REG && !o->neg && !o->sel && !o->comp
	 && add_register (w, sum, o->sym, factor, from, at, depth);
}

/* Add what FROM computes, times FACTOR.  */
static bool
add_result (const struct windows *w, struct sum *sum, uint32_t factor,
	    const struct setting *from, const struct setting *at,
	    unsigned depth)
{
  const struct ptx_insn *i = from->stmt->insn;
  if (i->guard || i->flags || i->vec != 1 || i->nopnds < 2)
    return false;
  for (unsigned t = 0; t < i->ntypes; t++)
    if (!is_word (i->type[t]))
      return false;
  struct ptx_opnd *const *o = i->opnd;
  bool low = i->mod[PTX_MC_HALF] == PTX_M_LO
	     || i->mod[PTX_MC_HALF] == PTX_M_WIDE;
  switch (i->op)
    {
    case PTX_OP_ADD:
      return add_operand (w, sum, o[1], factor, from, at, depth)
	     && add_operand (w, sum, o[2], factor, from, at, depth);
    case PTX_OP_SUB:
      return add_operand (w, sum, o[1], factor, from, at, depth)
	     && add_operand (w, sum, o[2], -factor, from, at, depth);
    case PTX_OP_SHL:
      return o[2]->kind == PTX_O_INT && o[2]->bits < 32
	     && add_operand (w, sum, o[1], factor << o[2]->bits, from, at,
			     depth);
    case PTX_OP_MUL:
      return low && o[2]->kind == PTX_O_INT
	     && add_operand (w, sum, o[1], factor * (uint32_t) o[2]->bits,
			     from, at, depth);
    case PTX_OP_MAD:
      return low && o[2]->kind == PTX_O_INT
	     && add_operand (w, sum, o[1], factor * (uint32_t) o[2]->bits,
			     from, at, depth)
	     && add_operand (w, sum, o[3], factor, from, at, depth);
    case PTX_OP_MOV:
    case PTX_OP_CVT:
      return i->nopnds == 2 && add_operand (w, sum, o[1], factor, from, at, depth);
    case PTX_OP_CVTA:
      if (!is_place (i) || sum->var || factor != 1)
	return false;
      sum->var = o[1]->sym;
      sum->constant += (uint32_t) o[1]->off;
      return true;
    default:
      return false;
    }
}

/* Add REG, an operand of FROM, times FACTOR: as what it was computed from, or else
   itself.  */
static bool
add_register (const struct windows *w, struct sum *sum,
	      const struct ptx_sym *reg, uint32_t factor,
	      const struct setting *from, const struct setting *at,
	      unsigned depth)
{
  const struct setting *r = setting_of (w, reg);
  if (!r || !is_word (reg->type))
    return false;
  /* GCC computes the place of an array anew where it wants it.  */
  if (r->place && add_result (w, sum, factor, r, at, depth))
    return true;
  if (!is_stable (w, reg, from, at))
    return false;
  if (r->n == 1 && depth > 0 && comes_before (w, r, from))
    {
      struct sum with = *sum;
      if (add_result (w, &with, factor, r, at, depth - 1))
	{
	  *sum = with;
	  return true;
	}
    }
  return r->outside && add_leaf (sum, reg, factor);
}

/* Find out what the address in register A is a sum of; false when that is not
   known to be a place in a variable.  */
static bool
decompose (struct windows *w, struct setting *a)
{
  if (a->window)
    return true;
  if (a->n != 1 || !a->outside)
    return false;
  struct sum sum = { 0 };
  if (!add_result (w, &sum, 1, a, a, MAX_DEPTH) || !sum.var)
    return false;
  a->sum = sum;
  a->window = ++w->n;
  return true;
}

/* The register with the address that the access behind S, a conversion, has by
   it; or NULL when S is none.  */
static struct setting *
is_candidate (const struct windows *w, const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->kind == PTX_S_INSN ? s->insn : NULL;
  if (!i || i->op != PTX_OP_CVTA || !i->to || i->space != PTX_SP_SHARED
      || i->guard || i->opnd[0]->kind != PTX_O_REG
      || i->opnd[1]->kind != PTX_O_REG || s->next->kind != PTX_S_INSN)
    return NULL;
  const struct ptx_insn *access = s->next->insn;
  const struct ptx_sym *window = i->opnd[0]->sym;
  const struct setting *r = setting_of (w, window);
  if (access->space != PTX_SP_SHARED || !r || r->n != 1
      || w->uses[window->index] != 1)
    return NULL;
  switch (access->op)
    {
    case PTX_OP_LD:
    case PTX_OP_ST:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
      break;
    default:
      return NULL;
    }
  const struct ptx_opnd *a = ptx_insn_address (access);
  if (!a || a->nelt != 1 || a->elt[0]->kind != PTX_O_REG
      || a->elt[0]->sym != window)
    return NULL;
  return setting_of (w, i->opnd[1]->sym);
}

/* Let the access behind S, a conversion of the address A, have its new register.  */
static void
take (struct post *p, struct ptx_stmt *s, const struct setting *a)
{
  struct ptx_stmt *access = s->next;
  struct ptx_insn insn = *access->insn;
  struct ptx_opnd *opnd[8];
  if (insn.nopnds > 8)
    return;
  char name[40], *text;
  snprintf (name, sizeof name, "%%acr_window%u", a->window);
  struct ptx_sym window = { .name = name };
  struct ptx_opnd base, *bases[] = { &base }, address;
  for (unsigned i = 0; i < insn.nopnds; i++)
    {
      opnd[i] = insn.opnd[i];
      if (opnd[i]->kind != PTX_O_ADDR)
	continue;
      base = *opnd[i]->elt[0];
      base.sym = &window;
      address = *opnd[i];
      address.elt = bases;
      opnd[i] = &address;
    }
  insn.opnd = opnd;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  if (!f)
    return;
  fputc ('\t', f);
  ptx_print_insn (&insn, f);
  if (fclose (f) == 0 && post_replace (p, access, text))
    {
      post_explain (p, s, true, "32 bits, with the constant %d last",
		    (int32_t) a->sum.constant);
      ptx_remove (p->unit, s);
    }
  free (text);
}

/* Set the new register of A, behind A.  */
static void
compute (struct post *p, struct windows *w, const struct setting *a)
{
  char *text;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  if (!f)
    abort ();
  unsigned n = a->window;
  fprintf (f, "{\n\t.reg.u32 %%acr_part;\n\tmov.u32 %%acr_window%u, %s;\n", n,
	   a->sum.var->name);
  for (unsigned i = 0; i < a->sum.n; i++)
    {
      const struct leaf *l = &a->sum.leaf[i];
      const char *from = l->reg->name;
      if (l->factor == 0)
	continue;
      if (ptx_type_info[l->reg->type].bytes == 8)
	{
	  fprintf (f, "\tcvt.u32.u64 %%acr_part, %s;\n", from);
	  from = "%acr_part";
	}
      if (l->factor == 1)
	fprintf (f, "\tadd.u32 %%acr_window%u, %%acr_window%u, %s;\n", n, n,
		 from);
      else if ((l->factor & (l->factor - 1)) == 0)
	fprintf (f,
		 "\tshl.b32 %%acr_part, %s, %d;\n"
		 "\tadd.u32 %%acr_window%u, %%acr_window%u, %%acr_part;\n",
		 from, __builtin_ctz (l->factor), n, n);
      else
	fprintf (f, "\tmad.lo.s32 %%acr_window%u, %s, %d, %%acr_window%u;\n",
		 n, from, (int32_t) l->factor, n);
    }
  if (a->sum.constant)
    fprintf (f, "\tadd.u32 %%acr_window%u, %%acr_window%u, %d;\n", n, n,
	     (int32_t) a->sum.constant);
  fputs ("}", f);
  if (fclose (f) != 0)
    abort ();
  post_insert (p, w->f, a->stmt, text);
  free (text);
}

static void
in_function (struct post *p, struct windows *w)
{
  note_settings (w);
  for (const struct ptx_stmt *s = w->f->first; s != w->f->last; s = s->next)
    {
      struct setting *a = is_candidate (w, s);
      if (a && !decompose (w, a))
	post_explain (p, s, false, "the address is not known as a sum");
    }
  if (w->n == w->first)
    return;
  for (unsigned i = 0; i < w->nregs; i++)
    if (w->reg[i].window)
      compute (p, w, &w->reg[i]);
  char text[60];
  for (unsigned i = w->first + 1; i <= w->n; i++)
    {
      snprintf (text, sizeof text, "\t.reg.u32 %%acr_window%u;", i);
      post_insert (p, w->f, w->f->first, text);
    }
  for (struct ptx_stmt *s = w->f->first, *next; s != w->f->last; s = next)
    {
      next = s->next;
      const struct setting *a = is_candidate (w, s);
      if (!a || !a->window)
	continue;
      next = s->next->next;
      take (p, s, a);
    }
}

void
pass_window (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      const char *why;
      struct windows w = { .f = f, .cfg = cfg_new (f, &why) };
      if (!w.cfg)
	continue;
      w.nregs = f->nregs;
      w.reg = xcalloc (w.nregs, sizeof *w.reg);
      w.uses = xcalloc (w.nregs, sizeof *w.uses);
      in_function (p, &w);
      free (w.reg);
      free (w.uses);
      cfg_free (w.cfg);
    }
}

/* Pass atomics: atomic updates are the GPU's.

   GCC has an instruction for atomic updates of integers, but not where the new value is
   of another type before it is stored (int += unsigned), nor for the least and the
   largest of two; those and other types it updates by compare-and-swap, until nobody
   came in between:

     bra $first;
     $again: mov.u32 %old, %seen;
     $first: mov.b32 %f, %old;  add.f32 %g, %x, %f;  mov.b32 %new, %g;
     atom.cas.b32 %seen, [%p], %old, %new;
     setp.ne.u32 %q, %old, %seen;  @%q bra $again;

   Of threads that update one place, one succeeds each time, after a way to
   memory and back.  Where nobody wants the sum, the loop becomes

     red.add.f32 [%p], %x;

   The loop swaps once, whatever it expects first, and leaves old + x rounded to
   nearest; so does the instruction, but for this: on global memory red.add.f32
   takes subnormal numbers, and gives them, as zero.  With |x| >= 2^-101 that cannot
   be seen.  A subnormal old is below 2^-126, less than a quarter of x's last
   place, 2^-124, and less than half of the one below: old + x is x.  And where x
   and old cancel, old is at least |x| / 2, so that the sum is a multiple of
   2^-125: zero, or normal.  For a smaller x, zero, or none (NaN), the loop stays
   beside the instruction, but for a number that it would not change, as zero does: to
   read it is all there is to do, as others cannot tell that from a swap.  Shared memory
   has no such rule, and doubles have none.  Nor have integers, of 32 bits or sums of 64
   (the rest of 64 bits came with sm_32).

   Lanes in which the swap's guard is false do not swap; GCC's code then gives
   them by a shuffle what another lane has seen, which nobody wants either.

   Needs: the loop in GCC's form, its header with all of it and a block that
   makes the seen value the expected one; no register that it sets is live
   behind it.
   Keeps: what memory has, and how often it is updated.  Breaks: nothing.
   Source: PTX ISA 9.7.13 (red, and what it says of subnormal numbers);
   P. Sterbenz, "Floating-Point Computation", 1974, for sums that cancel;
   expand_omp_atomic_pipeline in GCC's omp-expand.cc and nvptx_reorg_uniform_simt
   in its nvptx back end for the loop.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include "abi/addition.h"

#include <string.h>

/* What a register that the loop sets has.  */
enum role
{
  OUTSIDE,			/* it does not set it */
  OLD,				/* the expected value */
  NEW,				/* the sum */
  SEEN,				/* what memory had */
  HALF,				/* one half of that, on its way to other lanes */
  AGAIN,			/* whether somebody came in between */
  WINDOW			/* the address, in its space */
};

enum { MAX_ROLES = 24 };

/* What updates memory: an instruction, and what atomic one does the same.  */
static const struct atomic_form
{
  const char *mnemonic, *atomic, *type;
} forms[] = {
  { "add.f32", "add", "f32" }, { "add.rn.f32", "add", "f32" },
  { "sub.f32", "add", "f32" }, { "sub.rn.f32", "add", "f32" },
  { "add.f64", "add", "f64" }, { "add.rn.f64", "add", "f64" },
  { "sub.f64", "add", "f64" }, { "sub.rn.f64", "add", "f64" },
  { "add.u32", "add", "u32" }, { "add.s32", "add", "u32" },
  { "sub.u32", "add", "u32" }, { "sub.s32", "add", "u32" },
  { "add.u64", "add", "u64" }, { "add.s64", "add", "u64" },
  { "sub.u64", "add", "u64" }, { "sub.s64", "add", "u64" },
  { "and.b32", "and", "b32" }, { "or.b32", "or", "b32" }, { "xor.b32", "xor", "b32" },
  { "min.u32", "min", "u32" }, { "max.u32", "max", "u32" },
  { "min.s32", "min", "s32" }, { "max.s32", "max", "s32" },
};

struct update
{
  const struct cfg *cfg;
  int header, latch, exit;
  const struct ptx_stmt *swap;
  const struct ptx_stmt *sum;
  const struct atomic_form *form;	/* SUM's */
  unsigned by;			/* the operand of SUM that is added */
  const struct ptx_insn *window;	/* the conversion of the address, or NULL */
  const struct ptx_sym *beside;	/* guard of what other lanes are given */
  unsigned nroles;
  struct { const struct ptx_sym *reg; enum role role; } roles[MAX_ROLES];
};

/* ---- Roles ---- */

static enum role
role_of (const struct update *u, const struct ptx_sym *reg)
{
  for (unsigned i = 0; i < u->nroles; i++)
    if (u->roles[i].reg == reg)
      return u->roles[i].role;
  return OUTSIDE;
}

static bool
is_register (const struct ptx_opnd *o)
{
  return o->kind == PTX_O_REG && !o->neg && !o->sel && !o->comp;
}

static bool
has_role (const struct update *u, const struct ptx_opnd *o, enum role role)
{
  return is_register (o) && role_of (u, o->sym) == role;
}

/* Let the register O have ROLE, and no other anywhere in the loop.  */
static bool
give_role (struct update *u, const struct ptx_opnd *o, enum role role)
{
  if (!is_register (o) || u->nroles == MAX_ROLES)
    return false;
  enum role had = role_of (u, o->sym);
  if (had == OUTSIDE)
    {
      u->roles[u->nroles].reg = o->sym;
      u->roles[u->nroles++].role = role;
    }
  return had == OUTSIDE || had == role;
}

/* ---- The loop's instructions ---- */

/* A copy, or a half of what other lanes are given.  */
static bool
read_move (struct update *u, const struct ptx_insn *i)
{
  const struct ptx_opnd *to = i->opnd[0], *from = i->opnd[1];
  if (to->kind == PTX_O_VEC)
    return i->guard && to->nelt == 2 && has_role (u, from, SEEN)
	   && give_role (u, to->elt[0], HALF) && give_role (u, to->elt[1], HALF);
  if (from->kind == PTX_O_VEC)
    return i->guard && from->nelt == 2 && has_role (u, to, SEEN)
	   && has_role (u, from->elt[0], HALF)
	   && has_role (u, from->elt[1], HALF);
  enum role role = is_register (from) ? role_of (u, from->sym) : OUTSIDE;
  return !i->guard && (role == OLD || role == NEW || role == SEEN)
	 && give_role (u, to, role);
}

/* What other lanes are given.  */
static bool
read_shuffle (struct update *u, const struct ptx_insn *i)
{
  return i->guard && i->nopnds >= 2 && is_register (i->opnd[0])
	 && is_register (i->opnd[1]) && i->opnd[0]->sym == i->opnd[1]->sym
	 && (has_role (u, i->opnd[0], SEEN) || has_role (u, i->opnd[0], HALF));
}

static const struct atomic_form *
atomic_form_of (const struct ptx_insn *i)
{
  for (unsigned n = 0; n < sizeof forms / sizeof *forms; n++)
    if (strcmp (i->mnemonic, forms[n].mnemonic) == 0)
      return &forms[n];
  return NULL;
}

static bool
read_sum (struct update *u, const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->insn;
  if (i->guard || u->sum || !(u->form = atomic_form_of (i)))
    return false;
  u->sum = s;
  u->by = has_role (u, i->opnd[1], OLD) ? 2 : 1;
  const struct ptx_opnd *by = i->opnd[u->by];
  return has_role (u, i->opnd[3 - u->by], OLD)
	 && (u->by == 2 || i->op != PTX_OP_SUB)
	 && (is_register (by) ? role_of (u, by->sym) == OUTSIDE
			      : by->kind == PTX_O_FLOAT || by->kind == PTX_O_INT)
	 && give_role (u, i->opnd[0], NEW);
}

/* The address of shared memory, which pass addrspace has converted.  */
static bool
read_window (struct update *u, const struct ptx_insn *i)
{
  if (!i->to || i->guard || u->window || !is_register (i->opnd[1])
      || role_of (u, i->opnd[1]->sym) != OUTSIDE)
    return false;
  u->window = i;
  return give_role (u, i->opnd[0], WINDOW);
}

static bool
read_swap (struct update *u, const struct ptx_stmt *s)
{
  static const char *const swaps[]
    = { "atom.cas.b32", "atom.global.cas.b32", "atom.shared.cas.b32",
	"atom.cas.b64", "atom.global.cas.b64", "atom.shared.cas.b64" };
  const struct ptx_insn *i = s->insn;
  bool known = false;
  for (unsigned n = 0; n < sizeof swaps / sizeof *swaps; n++)
    known |= strcmp (i->mnemonic, swaps[n]) == 0;
  if (!known || u->swap || i->nopnds != 4 || !u->sum
      || u->sum->insn->opnd[0]->sym == i->opnd[0]->sym
      || ptx_type_info[i->type[0]].bytes
	   != ptx_type_info[u->sum->insn->type[0]].bytes)
    return false;
  u->swap = s;
  const struct ptx_opnd *address = i->opnd[1];
  return address->kind == PTX_O_ADDR && address->nelt == 1
	 && has_role (u, i->opnd[2], OLD) && has_role (u, i->opnd[3], NEW)
	 && give_role (u, i->opnd[0], SEEN);
}

/* Are all bits of the expected value and the seen one compared?  */
static bool
read_test (struct update *u, const struct ptx_insn *i)
{
  const struct ptx_opnd *a = i->opnd[1], *b = i->opnd[2];
  return u->swap && !i->guard && i->nopnds == 3
	 && i->mod[PTX_MC_CMP] == PTX_M_NE && i->ntypes == 1
	 && !(ptx_type_info[i->type[0]].cls & PTX_TC_FLOAT)
	 && ptx_type_info[i->type[0]].bytes
	      == ptx_type_info[u->swap->insn->type[0]].bytes
	 && ((has_role (u, a, OLD) && has_role (u, b, SEEN))
	     || (has_role (u, a, SEEN) && has_role (u, b, OLD)))
	 && give_role (u, i->opnd[0], AGAIN);
}

/* Do lanes that need not swap get what others have seen by S?  All such have one
   guard.  */
static bool
is_beside (struct update *u, const struct ptx_insn *i)
{
  if (i->guard_neg || (u->beside && u->beside != i->guard))
    return false;
  u->beside = i->guard;
  return true;
}

static bool
read_insn (struct update *u, const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->insn;
  switch (i->op)
    {
    case PTX_OP_MOV:
      return (!i->guard || is_beside (u, i)) && read_move (u, i);
    case PTX_OP_SHFL:
      return is_beside (u, i) && read_shuffle (u, i);
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
    case PTX_OP_MIN:
    case PTX_OP_MAX:
      return read_sum (u, s);
    case PTX_OP_CVTA:
      return read_window (u, i);
    case PTX_OP_ATOM:
      return read_swap (u, s);
    case PTX_OP_SETP:
      return read_test (u, i);
    case PTX_OP_BRA:
      return s == u->cfg->block[u->header].last && i->guard && !i->guard_neg
	     && role_of (u, i->guard) == AGAIN;
    default:
      return false;
    }
}

/* The one instruction of the block B but for an unconditional branch, or
   NULL.  */
static const struct ptx_insn *
only_insn (const struct cfg_block *b)
{
  const struct ptx_insn *only = NULL;
  for (const struct ptx_stmt *s = b->first;; s = s->next)
    {
      if (s->kind == PTX_S_INSN && s->insn->op != PTX_OP_BRA)
	{
	  if (only)
	    return NULL;
	  only = s->insn;
	}
      else if (s->kind != PTX_S_INSN && s->kind != PTX_S_LABEL)
	return NULL;
      if (s == b->last)
	return only;
    }
}

/* Is the block of U's header all of the loop but a block that makes what was
   seen what is expected?  The header's branch leads there.  */
static bool
read_loop (struct update *u)
{
  const struct cfg_block *b = &u->cfg->block[u->header];
  if (b->nsucc != 2 || b->first->kind != PTX_S_LABEL)
    return false;
  u->latch = b->succ[0];
  u->exit = b->succ[1];
  const struct cfg_block *latch = &u->cfg->block[u->latch];
  const struct ptx_insn *next = only_insn (latch);
  if (latch->nsucc != 1 || latch->succ[0] != u->header || latch->npred != 1
      || u->exit == u->header || !next || next->op != PTX_OP_MOV || next->guard
      || !give_role (u, next->opnd[0], OLD))
    return false;
  for (const struct ptx_stmt *s = b->first;; s = s->next)
    {
      if (s->kind == PTX_S_INSN ? !read_insn (u, s)
				: s->kind == PTX_S_DIRECTIVE
				    || s->kind == PTX_S_RAW)
	return false;
      if (s == b->last)
	break;
    }
  /* Nothing of the sum, the address and the guards may change in the loop.  */
  const struct ptx_insn *swap = u->swap ? u->swap->insn : NULL;
  const struct ptx_opnd *base = swap ? swap->opnd[1]->elt[0] : NULL;
  const struct ptx_opnd *by = swap ? u->sum->insn->opnd[u->by] : NULL;
  return swap && b->last->insn->op == PTX_OP_BRA
	 && has_role (u, next->opnd[1], SEEN)
	 && (base->kind == PTX_O_SYM
	     || has_role (u, base, u->window ? WINDOW : OUTSIDE))
	 && (!u->window || role_of (u, u->window->opnd[1]->sym) == OUTSIDE)
	 && (!is_register (by) || role_of (u, by->sym) == OUTSIDE)
	 && (!swap->guard || role_of (u, swap->guard) == OUTSIDE)
	 && (!u->beside || role_of (u, u->beside) == OUTSIDE);
}

/* ---- Is what the loop sets wanted? ---- */

/* Does the block B use REG before it sets it?  What is used under a guard may
   have been set under it.  *OVER: it sets it in any case.  */
static bool
block_wants (const struct cfg_block *b, const struct ptx_sym *reg, bool *over)
{
  const struct ptx_sym *under = NULL;
  *over = false;
  for (const struct ptx_stmt *s = b->first;; s = s->next)
    {
      if (s->kind == PTX_S_INSN)
	{
	  const struct ptx_insn *i = s->insn;
	  if (insn_uses (i, reg)
	      && (i->guard == reg || !under || i->guard != under
		  || i->guard_neg))
	    return true;
	  if (under && insn_sets (i, under))
	    under = NULL;
	  if (insn_sets (i, reg))
	    {
	      if (!i->guard)
		{
		  *over = true;
		  return false;
		}
	      under = i->guard_neg ? NULL : i->guard;
	    }
	}
      if (s == b->last)
	return false;
    }
}

/* Is the value that REG has where block B begins used?  MARK: blocks that have
   been looked at.  */
static bool
is_wanted (const struct cfg *g, int b, const struct ptx_sym *reg, bool *mark)
{
  bool over;
  if (mark[b])
    return false;
  mark[b] = true;
  if (block_wants (&g->block[b], reg, &over))
    return true;
  for (int k = 0; !over && k < g->block[b].nsucc; k++)
    if (is_wanted (g, g->block[b].succ[k], reg, mark))
      return true;
  return false;
}

static bool
nothing_wanted (const struct update *u)
{
  bool *mark = xcalloc (u->cfg->nblocks, sizeof *mark), wanted = false;
  for (unsigned i = 0; i < u->nroles && !wanted; i++)
    {
      memset (mark, 0, u->cfg->nblocks * sizeof *mark);
      /* The next time it is another loop, which is replaced as well.  */
      mark[u->header] = mark[u->latch] = true;
      wanted = is_wanted (u->cfg, u->exit, u->roles[i].reg, mark);
    }
  free (mark);
  return !wanted;
}

/* ---- The instruction ---- */

/* Write to OUT that %acr_at is the address of U.  */
static void
write_address (FILE *out, const struct update *u)
{
  const struct ptx_opnd *address = u->swap->insn->opnd[1];
  if (u->window)
    fprintf (out, "\t%s %%acr_at, %s;\n", u->window->mnemonic,
	     u->window->opnd[1]->sym->name);
  else
    fprintf (out, "\tmov.u64 %%acr_at, %s;\n", address->elt[0]->sym->name);
  if (address->off)
    fprintf (out, "\tadd.u64 %%acr_at, %%acr_at, %lld;\n",
	     (long long) address->off);
}

/* Write to OUT that %acr_by is what U adds, of TYPE.  */
static void
write_value (FILE *out, const struct update *u, const char *type)
{
  const struct ptx_insn *sum = u->sum->insn;
  const struct ptx_opnd *by = sum->opnd[u->by];
  if (is_register (by))
    fprintf (out, "\tmov.%s %%acr_by, %s;\n", type, by->sym->name);
  else if (by->kind == PTX_O_INT)
    fprintf (out, "\tmov.%s %%acr_by, %lld;\n", type, (long long) by->bits);
  else if (by->ftype == PTX_T_F32)
    fprintf (out, "\tmov.%s %%acr_by, 0f%08llX;\n", type,
	     (unsigned long long) by->bits);
  else
    fprintf (out, "\tmov.%s %%acr_by, 0d%016llX;\n", type,
	     (unsigned long long) by->bits);
  if (sum->op == PTX_OP_SUB)
    fprintf (out, "\tneg.%s %%acr_by, %%acr_by;\n",
	     *type != 'u' ? type : type[1] == '6' ? "s64" : "s32");
}

/* Write to OUT the loop for numbers in single precision that the instruction
   might take as zero, at an address in SPACE.  */
static void
write_small (FILE *out, const char *space)
{
  fprintf (out,
	   "\tabs.f32 %%acr_sum, %%acr_by;\n"
	   "\tsetp.ge.f32 %%acr_again, %%acr_sum, 0f0D000000;\n"
	   "\t@%%acr_again bra $acr_add;\n"
	   "\tld.volatile%s.b32 %%acr_seen, [%%acr_at];\n"
	   "$acr_small:\n"
	   "\tmov.b32 %%acr_old, %%acr_seen;\n"
	   "\tmov.b32 %%acr_sum, %%acr_old;\n"
	   "\tadd.f32 %%acr_sum, %%acr_sum, %%acr_by;\n"
	   "\tmov.b32 %%acr_new, %%acr_sum;\n"
	   "\tsetp.eq.b32 %%acr_again, %%acr_new, %%acr_old;\n"
	   "\t@%%acr_again bra $acr_done;\n"
	   "\tatom%s.cas.b32 %%acr_seen, [%%acr_at], %%acr_old, %%acr_new;\n"
	   "\tsetp.ne.b32 %%acr_again, %%acr_old, %%acr_seen;\n"
	   "\t@%%acr_again bra $acr_small;\n"
	   "\tbra $acr_done;\n"
	   "$acr_add:\n",
	   space, space);
}

/* Write to OUT the operation of U, at an address in SPACE.  */
static void
write_operation (struct post *p, FILE *out, const struct update *u, const char *space)
{
  const char *type = u->form->type;
  bool adds_doubles = strcmp (type, "f64") == 0;
  if (strcmp (type, "f32") == 0 && u->swap->insn->space != PTX_SP_SHARED)
    write_small (out, space);
  if (!adds_doubles || post_may_use (p, ACR_ADDITION))
    fprintf (out, "\tred%s.%s.%s [%%acr_at], %%acr_by;\n", space,
	     u->form->atomic, type);
  else
    fprintf (out, ACR_ADDITION_LOOP, space, "%acr_at", "%acr_by");
  if (adds_doubles && post_may_use (p, ACR_ADDITION))
    post_use (p, ACR_ADDITION);
}

/* Write to OUT what stands for the loop of U.  */
static void
write_update (struct post *p, FILE *out, const struct update *u)
{
  const struct ptx_insn *swap = u->swap->insn;
  const char *type = u->form->type;
  const char *bits = ptx_type_info[swap->type[0]].bytes == 8 ? "b64" : "b32";
  const char *space = swap->space == PTX_SP_GLOBAL   ? ".global"
		      : swap->space == PTX_SP_SHARED ? ".shared"
						     : "";
  fprintf (out,
	   "\n{\n\t.reg .u64 %%acr_at;\n"
	   "\t.reg .%s %%acr_old, %%acr_seen, %%acr_new;\n"
	   "\t.reg .%s %%acr_by, %%acr_sum;\n\t.reg .pred %%acr_again;\n",
	   bits, type);
  if (swap->guard)
    fprintf (out, "\t@%s%s bra $acr_done;\n", swap->guard_neg ? "" : "!",
	     swap->guard->name);
  write_address (out, u);
  write_value (out, u, type);
  write_operation (p, out, u, space);
  fputs ("$acr_done:\n}\n", out);
}

/* Does F use REG anywhere?  */
static bool
func_uses (const struct ptx_func *f, const struct ptx_sym *reg)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN && insn_uses (s->insn, reg))
      return true;
  return false;
}

/* Take out what F loads as the value that U's loop expects first.  */
static void
drop_first_load (struct post *p, struct ptx_func *f, const struct ptx_sym *reg)
{
  if (func_uses (f, reg))
    return;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_LD
	  && s->insn->vec == 1 && s->insn->mod[PTX_MC_SEM] == PTX_M_NONE
	  && insn_sets (s->insn, reg))
	ptx_remove (p->unit, s);
    }
}

/* Put the update in the place of U's loop, in F.  */
static void
put_update (struct post *p, struct ptx_func *f, const struct update *u)
{
  const struct cfg_block *b = &u->cfg->block[u->header];
  const struct cfg_block *latch = &u->cfg->block[u->latch];
  const struct ptx_sym *expected = u->roles[0].reg;
  char *text;
  size_t len;
  FILE *out = open_memstream (&text, &len);
  if (!out)
    abort ();
  write_update (p, out, u);
  fclose (out);
  post_explain (p, u->swap, true, "a loop around it is one update of memory");
  struct ptx_stmt *s = b->first, *next = s->next;
  while (s != b->last)
    {
      s = next;
      next = s->next;
      if (s->kind == PTX_S_INSN)
	ptx_remove (p->unit, s);
    }
  post_insert (p, f, b->first, text);
  free (text);
  for (s = latch->first; s->kind != PTX_S_INSN; s = s->next)
    ;
  ptx_remove (p->unit, s);
  drop_first_load (p, f, expected);
}

/* ---- The pass ---- */

/* Rewrite one loop of F that is an update; false when there is none.  */
static bool
rewrite_one (struct post *p, struct ptx_func *f)
{
  const char *why;
  struct cfg *g = cfg_new (f, &why);
  bool found = false;
  for (int b = 0; g && b < g->nblocks && !found; b++)
    {
      struct update u = { .cfg = g, .header = b };
      if (!cfg_is_header (g, b) || !read_loop (&u))
	continue;
      found = nothing_wanted (&u);
      if (found)
	put_update (p, f, &u);
    }
  if (g)
    cfg_free (g);
  return found;
}

static bool
has_swap (const struct ptx_func *f)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_ATOM
	&& s->insn->mod[PTX_MC_SUBOP] == PTX_M_CAS)
      return true;
  return false;
}

void
pass_atomics (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    if (f->has_body && !f->opaque && has_swap (f))
      while (rewrite_one (p, f))
	;
}

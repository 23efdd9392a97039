/* Pass base: addresses that differ by a constant share one base register.

     add.u64 %r3, %r1, %r2;			%r2 is 8 * %n - 4
     ld.global.f32 %f1, [%r4];			%r4 is %r1 + 8 * %n
     ld.global.f32 %f2, [%r3];	->		ld.global.f32 %f2, [%r4 + -4];

   GCC finds that where it sees one sum; where parts of the sums come from
   different places, the loop's front or an array's descriptor, it keeps them
   apart and adds each up: half of the instructions of a stencil in Fortran.
   What no longer is needed the assembler leaves out.

   Needs: nothing.  Keeps: every address.  Breaks: nothing.  Addresses are
   compared as the sums that the symbolic emulation gives (expr.c), which are
   exact.

   An access takes the base of an earlier one that dominates it, from inside the
   same loops, whose register has one definition, inside the same loops as well:
   so the register has not been written in between.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis.h"

enum
{
  /* Bases that are remembered; more are not looked at.  */
  MAX_BASES = 256,
  /* Offsets that every GPU's loads have room for.  */
  MAX_OFFSET = 1 << 22
};

/* REG had the value ADDRESS at an access in block BLOCK.  */
struct base
{
  struct ptx_sym *reg;
  const struct term *address;
  int block;
  enum ptx_space space;
};

/* The register in the address of A that may be a base, or NULL.  */
static struct ptx_sym *
register_of (const struct sym *s, const struct sym_access *a)
{
  const struct ptx_opnd *o = ptx_insn_address (a->stmt->insn);
  if (!a->address || !o || o->kind != PTX_O_ADDR || !o->nelt
      || o->elt[0]->kind != PTX_O_REG || o->elt[0]->comp)
    return NULL;
  struct ptx_sym *reg = o->elt[0]->sym;
  return reg->kind == PTX_SYM_REG && sym_is_defined_once (s, reg) ? reg : NULL;
}

/* Whether what B's register had in its access it still has in block BLOCK.  */
static bool
still_holds (const struct sym *s, const struct base *b, int block)
{
  const struct cfg *g = s->cfg;
  int def = sym_definition (s, b->reg);
  return cfg_dominates (g, b->block, block)
	 && cfg_in_loop (g, g->block[b->block].loop, block)
	 && cfg_in_loop (g, g->block[def].loop, b->block);
}

/* The base among the N of LIST that access A of register REG may take, and
   where A is from there.  */
static const struct base *
find_base (const struct sym *s, const struct base *list, int n,
	   const struct sym_access *a, const struct ptx_sym *reg,
	   int64_t *offset)
{
  for (int i = 0; i < n; i++)
    if (list[i].space == a->stmt->insn->space
	&& (list[i].reg == reg
	    || (expr_distance (a->address, list[i].address, offset)
		&& *offset < MAX_OFFSET && *offset > -MAX_OFFSET))
	&& still_holds (s, &list[i], a->block))
      return &list[i];
  return NULL;
}

static void
rewrite (struct post *p, const struct sym *s)
{
  struct base list[MAX_BASES];
  int n = 0;
  for (int i = 0; i < s->naccesses; i++)
    {
      const struct sym_access *a = &s->access[i];
      struct ptx_sym *reg = register_of (s, a);
      if (!reg)
	continue;
      int64_t offset;
      const struct base *b = find_base (s, list, n, a, reg, &offset);
      if (b && b->reg != reg)
	{
	  ptx_set_address (a->stmt, b->reg, offset);
	  post_explain (p, a->stmt, true, "%s, %+lld", b->reg->name,
			(long long) offset);
	}
      else if (!b && n < MAX_BASES)
	list[n++] = (struct base) {
	  .reg = reg, .block = a->block, .space = a->stmt->insn->space,
	  .address = expr_add (
	    s->pool, a->address, expr_constant (s->pool, a->address->width, 1),
	    -(uint64_t) ptx_insn_address (a->stmt->insn)->off)
	};
    }
}

void
pass_base (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      const char *why;
      struct cfg *g = f->has_body ? cfg_new (f, &why) : NULL;
      struct sym *s = g ? sym_new (g, f->is_entry, NULL, &why) : NULL;
      if (s)
	rewrite (p, s);
      sym_free (s);
      cfg_free (g);
    }
}

/* Atomic operations on a thread's own memory are plain instructions.

   There are none for local memory, and a generic one does not reach it: on an H200 it
   changes something else, without a word (PTX ISA 9.7.13.5: atom operates on global and
   shared memory).  GCC makes some all the same, of variables that have an address, such
   as a parent's which its children update and it executes in place.  In stock's OpenMP
   these are in the soft stack, in global memory, which SPMD kernels do without.
   Nobody else can have them, so plain instructions do the same.

   Needs: the stack as it will be.  Keeps: what memory has, and all results.  Breaks:
   nothing.  A generic address that may be of either memory stays.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdio.h>
#include <stdlib.h>

static bool
generic_atomic_p (const struct ptx_stmt *s)
{
  return s->kind == PTX_S_INSN && s->insn->space == PTX_SP_NONE
	 && (s->insn->op == PTX_OP_ATOM || s->insn->op == PTX_OP_RED);
}

/* The plain instruction for what an atomic one does with what was there and its
   operand, or NULL; of an exchange, nothing.  */
static const char *
plain_op (const struct ptx_insn *i)
{
  bool real = ptx_type_info[i->type[0]].cls & PTX_TC_FLOAT;
  switch (i->mod[PTX_MC_SUBOP])
    {
    case PTX_M_ADD:
      return real ? "add.rn." : "add.";
    case PTX_M_AND:
      return "and.";
    case PTX_M_OR:
      return "or.";
    case PTX_M_XOR:
      return "xor.";
    case PTX_M_MIN:
      return "min.";
    case PTX_M_MAX:
      return "max.";
    case PTX_M_EXCH:
    case PTX_M_CAS:
      return "";
    default:
      return NULL;
    }
}

/* Print OP.TYPE with OPND, as GUARD says for LIKE.  */
static void
print_like (const struct ptx_insn *like, const char *op, const char *type,
	    unsigned n, struct ptx_opnd **opnd, FILE *f)
{
  char mnemonic[40];
  snprintf (mnemonic, sizeof mnemonic, "%s%s", op, type);
  struct ptx_insn i = { .mnemonic = mnemonic, .guard = like->guard,
			.guard_neg = like->guard_neg, .nopnds = n,
			.opnd = opnd };
  fputs ("\n\t", f);
  ptx_print_insn (&i, f);
}

/* S, an atomic operation on local memory, becomes plain instructions.  */
static bool
make_plain (struct post *p, struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->insn;
  const struct ptx_opnd *a = ptx_insn_address (i);
  bool red = i->op == PTX_OP_RED, cas = i->mod[PTX_MC_SUBOP] == PTX_M_CAS;
  const char *type = ptx_type_info[i->type[0]].text, *op = plain_op (i);
  unsigned bytes = ptx_type_info[i->type[0]].bytes;
  if (a->elt[0]->kind != PTX_O_REG || !op || i->ntypes != 1 || i->vec != 1
      || (bytes != 4 && bytes != 8)
      || (ptx_type_info[i->type[0]].cls & PTX_TC_PACKED))
    return false;

  char *text;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  if (!f)
    return false;
  fprintf (f,
	   "{\n\t.reg.u64 %%acr_window;\n\t.reg.pred %%acr_same;\n"
	   "\t.reg.%s %%acr_old, %%acr_new;\n"
	   "\tcvta.to.local.u64 %%acr_window, %s;",
	   type, a->elt[0]->sym->name);
  struct ptx_sym window = { .name = "%acr_window" }, was = { .name = "%acr_old" },
		 will = { .name = "%acr_new" }, same = { .name = "%acr_same" };
  struct ptx_opnd base = *a->elt[0], *bases[] = { &base }, at = *a;
  base.sym = &window;
  at.elt = bases;
  struct ptx_opnd old = { .kind = PTX_O_REG, .sym = &was },
		  new = { .kind = PTX_O_REG, .sym = &will },
		  equal = { .kind = PTX_O_REG, .sym = &same };
  struct ptx_opnd *value = i->opnd[red ? 1 : 2];
  print_like (i, "ld.local.", type, 2, (struct ptx_opnd *[]){ &old, &at }, f);
  if (cas)
    {
      char bits[8];
      snprintf (bits, sizeof bits, "b%u", 8 * bytes);
      print_like (i, "setp.eq.", bits, 3,
		  (struct ptx_opnd *[]){ &equal, &old, value }, f);
      print_like (i, "selp.", type, 4,
		  (struct ptx_opnd *[]){ &new, i->opnd[3], &old, &equal }, f);
    }
  else if (*op)
    print_like (i, op, type, 3, (struct ptx_opnd *[]){ &new, &old, value }, f);
  else
    print_like (i, "mov.", type, 2, (struct ptx_opnd *[]){ &new, value }, f);
  print_like (i, "st.local.", type, 2, (struct ptx_opnd *[]){ &at, &new }, f);
  if (!red && i->opnd[0]->kind != PTX_O_SINK)
    print_like (i, "mov.", type, 2, (struct ptx_opnd *[]){ i->opnd[0], &old },
		f);
  fputs ("\n}", f);
  if (fclose (f) != 0)
    return false;
  struct ptx_error e;
  bool done = ptx_insert_after (p->unit, s->func, s, text, &e);
  free (text);
  if (done)
    ptx_remove (p->unit, s);
  return done;
}

void
own_atomics (struct post *p, struct ptx_func *f)
{
  struct origins *o = NULL;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (!generic_atomic_p (s)
	  || (!o && !(o = origins_new (f, tags_find (p->tags, f)))))
	continue;
      struct origin x = origin_of_access (o, s->insn);
      if (x.kind != ORIGIN_SPACE || x.space != PTX_SP_LOCAL || x.window)
	continue;
      bool plain = make_plain (p, s);
      post_explain (p, s, plain, "an atomic operation on the thread's own memory");
    }
  origins_free (o);
}

/* Atomic operations on a thread's own memory are plain instructions.

   There are none for local memory, and what a generic one does there is not defined
   (PTX ISA 9.7.13.15: atom and red are of global and shared memory); programs that have
   some computed something else on an H200, without a word.  GCC makes them of variables
   whose address is taken: those of a parent, for instance, that updates by children
   change, where the parent executes its children in place.  In stock's OpenMP such
   variables are in the soft stack, in global memory, which SPMD kernels do without.
   No other thread can have their addresses, so plain instructions do the same.

   Where a function has local memory, and the address is not known to lead elsewhere (at
   -O0, or as it is one of two), the GPU is asked: isspacep.

   Needs: the stack as it will be.  Keeps: what memory has, and all results.  Breaks:
   nothing.  What a function without local memory gets from another one stays.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  static const char *const plain[] = {
    [PTX_M_ADD] = "add.", [PTX_M_AND] = "and.", [PTX_M_OR] = "or.",
    [PTX_M_XOR] = "xor.", [PTX_M_MIN] = "min.", [PTX_M_MAX] = "max.",
    [PTX_M_EXCH] = "",    [PTX_M_CAS] = "",
  };
  unsigned mod = i->mod[PTX_MC_SUBOP];
  /* Not to be one operation with a product (PTX ISA, add).  */
  if (mod == PTX_M_ADD && ptx_type_info[i->type[0]].cls & PTX_TC_FLOAT)
    return "add.rn.";
  return mod < sizeof plain / sizeof *plain ? plain[mod] : NULL;
}

/* Print OP.TYPE with OPND, under the guard that LIKE has.  */
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

/* Can plain instructions do what I does?  */
static bool
plain_p (const struct ptx_insn *i)
{
  unsigned bytes = ptx_type_info[i->type[0]].bytes;
  const struct ptx_opnd *a = ptx_insn_address (i);
  return a->nelt && a->elt[0]->kind == PTX_O_REG && plain_op (i)
	 && i->ntypes == 1 && i->vec == 1 && (bytes == 4 || bytes == 8)
	 && !(ptx_type_info[i->type[0]].cls & PTX_TC_PACKED);
}

/* Print the plain instructions for I, which is on local memory.  */
static void
print_plain (const struct ptx_insn *i, FILE *f)
{
  const struct ptx_opnd *a = ptx_insn_address (i);
  bool red = i->op == PTX_OP_RED, cas = i->mod[PTX_MC_SUBOP] == PTX_M_CAS;
  const char *type = ptx_type_info[i->type[0]].text, *op = plain_op (i);
  unsigned bytes = ptx_type_info[i->type[0]].bytes;
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
      char bits[16];
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
}

static const char others[] = "%acr_others";

/* Print I in both forms: the plain one for lanes whose address is in local memory.  */
static void
print_both (const struct ptx_insn *i, FILE *f)
{
  const struct ptx_opnd *a = ptx_insn_address (i);
  struct ptx_sym own = { .name = "%acr_own" }, other = { .name = others };
  struct ptx_insn here = *i, there = *i;
  here.guard = &own;
  there.guard = &other;
  here.guard_neg = there.guard_neg = false;
  fprintf (f,
	   "{\n\t.reg.pred %%acr_own, %s, %%acr_does;\n"
	   "\tisspacep.local %%acr_own, %s;\n\tnot.pred %s, %%acr_own;\n",
	   others, a->elt[0]->sym->name, others);
  if (i->guard)
    fprintf (f,
	     "\t%s.pred %%acr_does, %s;\n"
	     "\tand.pred %%acr_own, %%acr_own, %%acr_does;\n"
	     "\tand.pred %s, %s, %%acr_does;\n",
	     i->guard_neg ? "not" : "mov", i->guard->name, others, others);
  print_plain (&here, f);
  fputs ("\n\t", f);
  ptx_print_insn (&there, f);
  fputs ("\n}", f);
}

/* S, an atomic operation that can be plain, becomes what PRINT makes of it.  */
static bool
replace (struct post *p, struct ptx_stmt *s,
	 void (*print) (const struct ptx_insn *, FILE *))
{
  char *text;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  if (!f)
    return false;
  print (s->insn, f);
  if (fclose (f) != 0)
    return false;
  bool done = post_replace (p, s, text);
  free (text);
  return done;
}

void
own_atomics (struct post *p, struct ptx_func *f)
{
  struct origins *o = NULL;
  bool local = func_has_frame (f);
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (!local || !generic_atomic_p (s)
	  || (!o && !(o = origins_new (f, tags_find (p->tags, f)))))
	continue;
      struct origin x = origin_of_access (o, s->insn);
      bool known = x.kind == ORIGIN_SPACE;
      if (x.window || (known && x.space != PTX_SP_LOCAL)
	  || (s->insn->guard && !strcmp (s->insn->guard->name, others)))
	continue;
      bool plain = plain_p (s->insn)
		   && replace (p, s, known ? print_plain : print_both);
      post_explain (p, s, plain, "an atomic operation on the thread's own memory%s",
		    known ? "" : ", perhaps");
    }
  origins_free (o);
}

/* Atomic operations on a thread's own memory are plain instructions.

   There are none for local memory, and a generic one does not reach it: on an H200 it
   changes something else, without a word (PTX ISA 9.7.13.5: atom operates on global and
   shared memory).  GCC makes some all the same, of variables that have an address, such
   as a parent's which its children update and it executes in place.  In stock's OpenMP
   these are in the soft stack, in global memory, which SPMD kernels do without.
   Nobody else can have them, so plain instructions do the same.

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
  struct ptx_error e;
  bool done = ptx_insert_after (p->unit, s->func, s, text, &e);
  free (text);
  if (done)
    ptx_remove (p->unit, s);
  return done;
}

static bool
has_local_memory (const struct ptx_func *f)
{
  for (const struct ptx_sym *v = f->locals; v; v = v->next)
    if (v->kind == PTX_SYM_VAR && v->space == PTX_SP_LOCAL)
      return true;
  return false;
}


void
own_atomics (struct post *p, struct ptx_func *f)
{
  struct origins *o = NULL;
  bool local = has_local_memory (f);
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

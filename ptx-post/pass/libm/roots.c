/* Pass roots: libm's own square root is the instruction.

   Functions of the device's libm that need a square root (acos, hypot, pow) call
   one that is written for machines without: 25 rounds of a loop for a float, 54
   for a double, bit by bit.  What it gives is the root rounded to nearest, and so
   is what sqrt.rn gives: the same bits for every number from zero on, subnormal
   ones too, zero of its own sign, and infinity.

   What else it is called with cannot make a difference.  The function that users
   call (sqrt) looks for numbers below zero and for NaN itself, and takes nothing
   from this one for the former; acos, hypot and pow ask for roots of what they
   know to be positive, or zero.  For NaN both give NaN.

   Where nobody reads errno, sqrt itself is no more than that: for a number
   below zero it divides zero by zero, which is NaN as the root is.  GCC calls
   it behind a test, for errno's sake,

     setp.geu.f64 %p, %x, 0d0000000000000000;
     @!%p bra $slow;
     sqrt.rn.f64 %y, %x;                       sqrt.rn.f64 %y, %x;
     bra $on;
     $slow: call (%r), sqrt, (%x);
     mov.f64 %y, %r;
     $on:                                      $on:

   and both ways set the same register to the same value, and go on at one
   place; so nobody has to test.  The block ends no more at each root, and the
   call is gone.

   Needs: pass clone to be over, which brings functions of libm into the unit.
   Keeps: all values.  Breaks: nothing.
   Source: IEEE 754, 5.4.1, 7.2; newlib's e_sqrt.c and ef_sqrt.c, "correctly
   rounded", w_sqrt.c and wf_sqrt.c; GCC's tree-call-cdce.cc, which writes the
   test.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdio.h>
#include <string.h>

static const struct root
{
  const char *own, *user;	/* for machines without, and its caller */
  enum ptx_type type;
} roots[] = { { "__ieee754_sqrt", "sqrt", PTX_T_F64 },
	      { "__ieee754_sqrtf", "sqrtf", PTX_T_F32 } };

/* ---- Functions ---- */

static bool
is_copy_of (const struct post *p, const struct ptx_func *f, const char *name)
{
  return post_is_copy (p, f, name, LIBRARY_M);
}

/* Is F, with a body, one value of TYPE from another?  */
static bool
is_plain (const struct ptx_func *f, enum ptx_type type)
{
  return !f->opaque && f->nparams == 1 && f->nrets == 1
	 && f->params->type == type && f->rets->type == type;
}

/* Let F's body be the instruction.  */
static void
replace (struct post *p, struct ptx_func *f)
{
  const char *type = ptx_type_info[f->rets->type].text;
  char text[1000];
  int len = snprintf (text, sizeof text,
		      "\t.reg .%s %%acr_root;\n"
		      "\tld.param.%s %%acr_root, [%s];\n"
		      "\tsqrt.rn.%s %%acr_root, %%acr_root;\n"
		      "\tst.param.%s [%s], %%acr_root;\n"
		      "\tret;\n",
		      type, type, f->params->name, type, type, f->rets->name);
  if (len >= (int) sizeof text)
    return;
  post_set_body (p, f, text);
  post_explain (p, f->header, true, "%s is an instruction", f->sym->name);
}

/* Is F, the copy of what users call, ROOT's own function and nothing that
   anybody else could tell, as errno or a mode?  */
static bool
is_wrapper (const struct post *p, const struct ptx_func *f,
	    const struct root *root)
{
  unsigned calls = 0;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      if (s->kind != PTX_S_INSN)
	continue;
      const struct ptx_insn *i = s->insn;
      if (i->op == PTX_OP_CALL)
	{
	  const struct ptx_func *called = called_function (s);
	  if (!called || !is_copy_of (p, called, root->own))
	    return false;
	  calls++;
	}
      else if (i->op == PTX_OP_LD || i->op == PTX_OP_ST
		 ? i->space != PTX_SP_PARAM
		 : ptx_op_info[i->op].flags
		     & (PTX_OF_READS_MEM | PTX_OF_WRITES_MEM))
	return false;
    }
  return calls == 1;
}

/* ---- What calls them behind a test ---- */

/* The statements of F's that both give the same root.  */
struct pair
{
  struct ptx_stmt *test, *leave, *slow, *on;
  struct ptx_stmt *part[4];	/* of the call: argument, call, result, copy */
};

/* The first statement from S on that does something, or is a label.  */
static struct ptx_stmt *
at_work (struct ptx_stmt *s)
{
  while (s->kind == PTX_S_DIRECTIVE || s->kind == PTX_S_DECL
	 || s->kind == PTX_S_OPEN || (s->kind == PTX_S_CLOSE && s->next
				      && s != s->func->last))
    s = s->next;
  return s;
}

static bool
is_op (const struct ptx_stmt *s, enum ptx_op op)
{
  return s->kind == PTX_S_INSN && s->insn->op == op;
}

/* Where S, a branch or a label that is next, goes on; or NULL.  */
static struct ptx_stmt *
next_place (struct ptx_stmt *s)
{
  if (s->kind == PTX_S_LABEL)
    return s;
  if (!is_op (s, PTX_OP_BRA) || s->insn->guard
      || s->insn->opnd[0]->kind != PTX_O_SYM)
    return NULL;
  return s->insn->opnd[0]->sym->stmt;
}

/* Is S INSN's plain form, with the registers TO and FROM?  */
static bool
is_plain_copy (const struct ptx_stmt *s, enum ptx_op op,
	       const struct ptx_sym *to, const struct ptx_sym *from)
{
  return is_op (s, op) && !s->insn->guard && s->insn->nopnds == 2
	 && s->insn->vec == 1 && insn_named (s->insn, 0) == to
	 && insn_named (s->insn, 1) == from;
}

/* Are F's only uses of REG those of S?  */
static bool
only_used_in (const struct ptx_func *f, const struct ptx_sym *reg,
	      const struct ptx_stmt *only)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s != only && s->kind == PTX_S_INSN && insn_uses (s->insn, reg))
      return false;
  return true;
}

/* Is F, a copy of sqrt, the instruction?  */
static bool
is_instruction (const struct ptx_func *f)
{
  const struct ptx_stmt *load = at_work (f->first);
  return is_op (load, PTX_OP_LD) && is_op (load->next, PTX_OP_SQRT);
}

/* Does the call of F at PAIR->slow set TO to the root of FROM, and go on where
   PAIR does?  */
static bool
is_same_root (const struct post *p, const struct ptx_func *f,
	      struct pair *pair, const struct ptx_sym *to,
	      const struct ptx_sym *from)
{
  struct ptx_stmt *s = pair->slow;
  for (unsigned k = 0; k < 3; k++)
    pair->part[k] = s = at_work (s->next);
  const struct ptx_func *called = called_function (pair->part[1]);
  if (!called || !called->has_body || pair->part[1]->insn->guard
      || pair->part[1]->insn->nopnds != 3)
    return false;
  bool known = false;
  for (unsigned i = 0; i < sizeof roots / sizeof *roots; i++)
    known |= is_copy_of (p, called, roots[i].user) && is_instruction (called);
  const struct ptx_opnd *in = pair->part[1]->insn->opnd[2];
  const struct ptx_opnd *out = pair->part[1]->insn->opnd[0];
  if (!known || in->kind != PTX_O_LIST || in->nelt != 1
      || out->kind != PTX_O_LIST || out->nelt != 1
      || !is_plain_copy (pair->part[0], PTX_OP_ST, in->elt[0]->sym, from)
      || !is_op (pair->part[2], PTX_OP_LD))
    return false;
  const struct ptx_sym *value = insn_named (pair->part[2]->insn, 0);
  if (!is_plain_copy (pair->part[2], PTX_OP_LD, value, out->elt[0]->sym))
    return false;
  s = at_work (s->next);
  if (value != to)
    {
      pair->part[3] = s;
      if (!is_plain_copy (s, PTX_OP_MOV, to, value)
	  || !only_used_in (f, value, s))
	return false;
      s = at_work (s->next);
    }
  return next_place (s) == pair->on;
}

/* Is S, of F, the test of such a pair?  */
static bool
find_pair (const struct post *p, const struct ptx_func *f,
	   struct ptx_stmt *s, struct pair *pair)
{
  *pair = (struct pair) { .test = s };
  if (!is_op (s, PTX_OP_BRA) || !s->insn->guard
      || s->insn->opnd[0]->kind != PTX_O_SYM)
    return false;
  const struct ptx_stmt *root = s->next;
  if (!is_op (root, PTX_OP_SQRT) || root->insn->guard || root->insn->flags
      || root->insn->mod[PTX_MC_ROUND] != PTX_M_RN)
    return false;
  const struct ptx_sym *to = insn_named (root->insn, 0);
  const struct ptx_sym *from = insn_named (root->insn, 1);
  pair->leave = root->next;
  pair->on = next_place (pair->leave);
  pair->slow = s->insn->opnd[0]->sym->stmt;
  return to && from && pair->on && pair->slow
	 && is_same_root (p, f, pair, to, from);
}

/* Let F do what PAIR's root does without its test; and without its call, where
   that stands behind the root and nothing leads there any more.  */
static void
join (struct post *p, struct ptx_func *f, const struct pair *pair)
{
  post_explain (p, pair->test, true, "a root needs no test");
  ptx_remove (p->unit, pair->test);
  if (at_work (pair->leave->next) != pair->slow
      || func_names_label (f, pair->slow->sym, NULL))
    return;
  ptx_remove (p->unit, pair->leave);
  ptx_remove (p->unit, pair->slow);
  for (unsigned k = 0; k < 4; k++)
    if (pair->part[k])
      ptx_remove (p->unit, pair->part[k]);
}

static void
join_all (struct post *p, struct ptx_func *f)
{
  struct pair pair;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      /* What goes with it comes behind the root.  */
      next = s->next;
      if (find_pair (p, f, s, &pair))
	join (p, f, &pair);
    }
}

/* ---- The pass ---- */

/* Let the copies of libm's functions that are roots be instructions: its own
   ones, or those of USERS, when its own are.  */
static void
replace_all (struct post *p, bool users)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    for (unsigned i = 0; i < sizeof roots / sizeof *roots; i++)
      if (f->has_body
	  && is_copy_of (p, f, users ? roots[i].user : roots[i].own)
	  && is_plain (f, roots[i].type)
	  && (!users || is_wrapper (p, f, &roots[i])))
	replace (p, f);
}

void
pass_roots (struct post *p)
{
  replace_all (p, false);
  replace_all (p, true);
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    if (f->has_body && !f->opaque)
      join_all (p, f);
}

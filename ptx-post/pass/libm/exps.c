/* Pass exps: libm's exp, log and pow have no branches, no table and no division that
   looks for special numbers, on the way that most arguments go.

   newlib's are fdlibm's: they branch on the size of the argument up to twenty times,
   take constants from tables, and divide.  Lanes of a warp go several ways, one
   after the other; tables are in memory, and ptxas makes a branch and a call of a
   division.  The same arithmetic does without; how is said where it stands
   (body-*.c).

   Each operation there says how it rounds, so that ptxas joins none; in libm's own
   form it cannot where ways meet in between.

   Which arithmetic a function has is known by its instructions with floating-point
   numbers and their constants, in whatever order: those of newlib as GCC 12 to 15
   compile it.  Others stay.  The functions that users call (exp) ask once more
   whether the result is one, for errno's sake.  Where nobody reads errno they are as
   their own, with their bounds.

   Needs: pass clone to be over, which brings functions of libm into the unit, pass
   errno, without which they store something, and pass roots, which leaves no other
   root to pow.
   Keeps: all values.  Breaks: nothing.
   Source: newlib's e_*.c, ef_*.c, w_*.c and wf_*.c; P. Markstein, Computation of
   elementary functions on the IBM RISC System/6000, IBM J. Res. Dev. 34 (1990), for
   quotients.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "arithmetic.h"
#include "bodies.h"
#include "post.h"

#include <stdio.h>
#include <string.h>

/* A function by its NAME and its arithmetic_of, its
   body (that of OWN where it has none), and a constant of that.  */
static const struct elementary
{
  const char *name, *own;	/* OWN: what it calls, or NULL */
  enum ptx_type type;
  unsigned arguments;
  uint64_t instructions;
  const char *body, *constant;
} functions[]
  = { { "__ieee754_expf", NULL, PTX_T_F32, 1, 0xb8a26c958e2c6a27, exp_single,
	"0f42b17217" },
      { "__ieee754_exp", NULL, PTX_T_F64, 1, 0x2a2d12e8907ee4ec, exp_double,
	"0d40862e42fefa39ef" },
      { "__ieee754_logf", NULL, PTX_T_F32, 1, 0xc6e6ec6554ea4ace, log_single,
	"0f7fffffff" },
      { "__ieee754_log", NULL, PTX_T_F64, 1, 0x3341b7914e2cc201, log_double,
	"0dfff8000000000000" },
      /* GCC 12 to 14 have other ways to the same operations.  */
      { "__ieee754_powf", NULL, PTX_T_F32, 2, 0x9eba2f9c501a075a, pow_single,
	"" },
      { "__ieee754_powf", NULL, PTX_T_F32, 2, 0x1145173efccc2008, pow_single,
	"" },
      { "__ieee754_powf", NULL, PTX_T_F32, 2, 0x78bff02a9fa549ed, pow_single,
	"" },
      /* From GCC 15's newlib on.  */
      { "__ieee754_powf", NULL, PTX_T_F32, 2, 0xf32c30d7a2d0b0b9,
	pow_single_late, "" },
      { "__ieee754_powf", NULL, PTX_T_F32, 2, 0xa15ba3ecc5429af1,
	pow_single_late, "" },
      { "expf", "__ieee754_expf", PTX_T_F32, 1, 0xa1f644f0a4a0baec, NULL,
	"0f42b17180" },
      /* From GCC 13's newlib on.  */
      { "expf", "__ieee754_expf", PTX_T_F32, 1, 0xa1f4d5f0a4b9bb4f, NULL,
	"0f42b17217" },
      { "exp", "__ieee754_exp", PTX_T_F64, 1, 0xdb9ae773b5dee4d0, NULL,
	"0d40862e42fefa39ef" },
      { "logf", "__ieee754_logf", PTX_T_F32, 1, 0x6101c1502796e16c, NULL,
	"0f7fc00000" },
      { "log", "__ieee754_log", PTX_T_F64, 1, 0xa6faf14fb9f43365, NULL,
	"0d7ff8000000000000" },
      { "log2f", "logf", PTX_T_F32, 1, 0x4e753004888b9821, log2_single,
	"0f7fc00000" },
      { "log2", "log", PTX_T_F64, 1, 0xf7a90d727fdd05e3, log2_double,
	"0d7ff8000000000000" },
      { "powf", "__ieee754_powf", PTX_T_F32, 2, 0x42e893ce18819e0b, NULL,
	"" } };

/* ---- Functions ---- */

/* Does F call OWN's copy, which becomes *FUNC, and what asks whether a number is
   finite, or is none; or where OWN is NULL, nothing but parts of the arithmetic; and
   does it store nothing but its result?  */
static bool
calls_only (const struct post *p, const struct ptx_func *f, const char *own,
	    const struct ptx_func **func)
{
  static const char *const of_users[] = { "finite", "finitef", "nan", "nanf" };
  static const char *const of_own[]
    = { "__math_oflow", "__math_oflowf", "__math_uflow", "__math_uflowf",
	"__ieee754_sqrtf", "fabsf", "scalbnf" };
  const char *const *others = own ? of_users : of_own;
  const unsigned n = own ? sizeof of_users / sizeof *of_users
			 : sizeof of_own / sizeof *of_own;
  *func = NULL;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      if (s->kind != PTX_S_INSN)
	continue;
      if (s->insn->op == PTX_OP_ST && s->insn->space != PTX_SP_PARAM)
	return false;
      if (s->insn->op != PTX_OP_CALL)
	continue;
      const struct ptx_func *called = called_function (s);
      if (!called)
	return false;
      bool known = own && post_is_copy (p, called, own, LIBRARY_M);
      if (known)
	*func = called;
      for (unsigned k = 0; k < n; k++)
	known |= post_is_copy (p, called, others[k], LIBRARY_M);
      if (!known)
	return false;
    }
  return (*func != NULL) == (own != NULL);
}

/* Has F E's name and form?  What it calls of its own becomes *OWN.  */
static bool
is_elementary (const struct post *p, const struct ptx_func *f,
	       const struct elementary *e, const struct ptx_func **own)
{
  return f->has_body && !f->opaque && f->nparams == e->arguments
	 && f->nrets == 1 && f->params->type == e->type
	 && (e->arguments == 1 || f->params->next->type == e->type)
	 && f->rets->type == e->type && post_is_copy (p, f, e->name, LIBRARY_M)
	 && calls_only (p, f, e->own, own);
}

/* What F is; or NULL.  *BODY is what it becomes, and *NAMED whether it is called as
   one of them.  */
static const struct elementary *
find (const struct post *p, const struct ptx_func *f, const char **body,
      bool *named)
{
  const struct ptx_func *own;
  const char *below;
  bool ignored;
  *named = false;
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
    {
      const struct elementary *e = &functions[k];
      if (!is_elementary (p, f, e, &own))
	continue;
      *named = true;
      if (arithmetic_of (f) != e->instructions
	  || (own && !find (p, own, &below, &ignored)))
	continue;
      *body = e->body ? e->body : below;
      return e;
    }
  return NULL;
}

static void
replace (struct post *p, struct ptx_func *f, const struct elementary *e,
	 const char *body)
{
  const char *last = e->arguments == 2 ? f->params->next->name : e->constant,
	     *result = f->rets->name, *first = f->params->name;
  int len = snprintf (NULL, 0, body, result, first, last);
  char *text = ptx_alloc (p->unit, len + 1);
  sprintf (text, body, result, first, last);
  post_set_body (p, f, text);
  post_explain (p, f->header, true, "%s has no branches", f->sym->name);
}

/* Does anything in UNIT still ask where errno is?  */
static bool
stores_errno (const struct ptx_unit *unit)
{
  for (const struct ptx_func *f = unit->funcs; f; f = f->next)
    if (f->has_body && func_mentions (f, "__errno"))
      return true;
  return false;
}

/* A function of libm, and what it becomes.  */
struct finding
{
  struct finding *next;
  struct ptx_func *f;
  const struct elementary *e;
  const char *body;
};

/* All are looked at before one is replaced: they are known by whom they call.  */
void
pass_exps (struct post *p)
{
  struct finding *all = NULL, found;
  bool named;
  if (stores_errno (p->unit))
    return;
  for (found.f = p->unit->funcs; found.f; found.f = found.f->next)
    {
      found.e = find (p, found.f, &found.body, &named);
      if (found.e)
	{
	  found.next = all;
	  all = ptx_alloc (p->unit, sizeof *all);
	  *all = found;
	}
      else if (named)
	post_explain (p, found.f->header, false, "%s has other arithmetic",
		      found.f->sym->name);
    }
  for (; all; all = all->next)
    replace (p, all->f, all->e, all->body);
}

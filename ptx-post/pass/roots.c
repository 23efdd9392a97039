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

   Needs: pass clone to be over, which brings functions of libm into the unit.
   Keeps: all values.  Breaks: nothing.
   Source: IEEE 754, 5.4.1; newlib's e_sqrt.c and ef_sqrt.c, "correctly rounded".
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"
#include "library.h"

#include <stdio.h>
#include <string.h>

/* Is F the copy of libm's function NAME?  */
static bool
is_copy_of (const struct post *p, const struct ptx_func *f, const char *name)
{
  size_t len = strlen (name);
  const char *rest = f->sym->name + len;
  if (strncmp (f->sym->name, name, len) != 0
      || strncmp (rest, ACR_LOCAL_SUFFIX, strlen (ACR_LOCAL_SUFFIX)) != 0)
    return false;
  /* The program may have a function of this name, and a copy of that.  */
  const struct ptx_sym *own = ptx_lookup (p->unit, name);
  enum library from;
  return !(own && (own->kind != PTX_SYM_FUNC || own->func->has_body))
	 && library_function (name, &from) && from == LIBRARY_M;
}

/* Is F, with a body, one value of TYPE from another, without scopes inside?  */
static bool
is_plain (const struct ptx_func *f, enum ptx_type type)
{
  if (f->opaque || f->nparams != 1 || f->nrets != 1 || f->params->type != type
      || f->rets->type != type)
    return false;
  for (const struct ptx_stmt *s = f->first->next; s != f->last; s = s->next)
    if (s->kind == PTX_S_OPEN || s->kind == PTX_S_CLOSE)
      return false;
  return true;
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
  struct ptx_stmt *before = f->last->prev;
  post_insert (p, f, before, text);
  for (struct ptx_stmt *s = before, *prev; s != f->first; s = prev)
    {
      prev = s->prev;
      ptx_remove (p->unit, s);
    }
  post_explain (p, f->header, true, "%s is an instruction", f->sym->name);
}

void
pass_roots (struct post *p)
{
  static const struct
  {
    const char *name;
    enum ptx_type type;
  } roots[] = { { "__ieee754_sqrt", PTX_T_F64 },
		{ "__ieee754_sqrtf", PTX_T_F32 } };
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    for (unsigned i = 0; i < sizeof roots / sizeof *roots; i++)
      if (f->has_body && is_copy_of (p, f, roots[i].name)
	  && is_plain (f, roots[i].type))
	replace (p, f);
}

/* Pass trigs: libm's sin and cos, and sincos, have no branches on the way that most
   arguments go, and no array in memory.

   newlib's are fdlibm's: six ways by the argument's size, an array for what is left of
   it, and four ways by its multiple of pi/2.  The same arithmetic does without; how
   is said in body-trig.c.  What is too large for it goes on to libm's own function,
   of which a copy remains.

   Which arithmetic a function has is known as in pass exps, of all functions that take
   part.  Others stay.  (ptxas joins no product and sum of libm's own: the one that it
   might, of n and the second part of pi/2, has another use.)

   Needs: pass clone to be over, which brings functions of libm into the unit.
   Keeps: all values.  Breaks: nothing.
   Source: newlib's s_sin.c, k_sin.c, e_rem_pio2.c, w_sincos.c and their like.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "arithmetic.h"
#include "bodies.h"
#include "post.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a function of one argument has to be.  */
struct known
{
  const char *name;
  enum ptx_type type;
  uint64_t arithmetic;
};

/* What sin and cos call.  */
static const struct known parts[]
  = { { "__kernel_sin", PTX_T_F64, 0x6bb54a91e8898b05 },
      { "__kernel_cos", PTX_T_F64, 0xac77bc871e88fc46 },
      /* GCC 12 and 13, 14, 15 and 16 have other ways to the same operations.  */
      { "__ieee754_rem_pio2", PTX_T_F64, 0xec32a0caf610417f },
      { "__ieee754_rem_pio2", PTX_T_F64, 0x77c3f0845d1852de },
      { "__ieee754_rem_pio2", PTX_T_F64, 0x77c3f0825d1852de },
      { "__kernel_sinf", PTX_T_F32, 0x30f5937e2cafae62 },
      { "__kernel_cosf", PTX_T_F32, 0x9e7d2a0a8279d925 },
      { "__ieee754_rem_pio2f", PTX_T_F32, 0x7a29a26c148a615c },
      { "__ieee754_rem_pio2f", PTX_T_F32, 0x5b106257bb15426 },
      { "__ieee754_rem_pio2f", PTX_T_F32, 0x5b102c17bb14b6a } };

static const struct single
{
  struct known known;
  const char *body;
} singles[] = { { { "sin", PTX_T_F64, 0x3e791e1df36b8fb }, sin_double },
		{ { "cos", PTX_T_F64, 0x3e791e1df36b8fb }, cos_double },
		{ { "sinf", PTX_T_F32, 0xf3db5ee456d2a2d9 }, sin_single },
		{ { "cosf", PTX_T_F32, 0xf3db5ee456d2a2d9 }, cos_single } };

/* What calls two of these, and stores what they give.  */
static const struct pair
{
  struct known known;
  const char *sine, *cosine, *body;
} pairs[]
  = { { { "sincos", PTX_T_F64, 0 }, "sin", "cos", sincos_double },
      { { "sincosf", PTX_T_F32, 0 }, "sinf", "cosf", sincos_single } };

#define COUNT(ARRAY) (sizeof (ARRAY) / sizeof *(ARRAY))

/* Is F a copy of libm's K; has it the arithmetic, too?  */
static bool
is_named (const struct post *p, const struct ptx_func *f, const struct known *k)
{
  return f->has_body && !f->opaque && f->nparams && f->params->type == k->type
	 && post_is_copy (p, f, k->name, LIBRARY_M);
}

static bool
is_known (const struct post *p, const struct ptx_func *f, const struct known *k)
{
  return is_named (p, f, k) && arithmetic_of (f) == k->arithmetic;
}

/* Is F one of PARTS?  */
static bool
is_part (const struct post *p, const struct ptx_func *f)
{
  for (size_t k = 0; k < COUNT (parts); k++)
    if (is_known (p, f, &parts[k]))
      return true;
  return false;
}

/* Which of SINGLES is F?  It calls nothing but PARTS.  */
static const struct single *
find_single (const struct post *p, const struct ptx_func *f)
{
  const struct single *found = NULL;
  for (size_t k = 0; k < COUNT (singles); k++)
    if (is_known (p, f, &singles[k].known) && f->nparams == 1 && f->nrets == 1)
      found = &singles[k];
  for (const struct ptx_stmt *s = f->first; found && s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL)
      {
	const struct ptx_func *called = called_function (s);
	if (!called || !is_part (p, called))
	  return NULL;
      }
  return found;
}

/* The function called NAME that F calls, which is one of SINGLES; or NULL.  */
static const struct ptx_func *
single_of (const struct post *p, const struct ptx_func *f, const char *name)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      const struct ptx_func *called
	= s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL
	    ? called_function (s) : NULL;
      const struct single *one = called ? find_single (p, called) : NULL;
      if (one && strcmp (one->known.name, name) == 0)
	return called;
    }
  return NULL;
}

/* What F becomes: what stands in BODY's places is said in bodies.h.  */
struct finding
{
  struct finding *next;
  struct ptx_func *f;
  const char *body;
  const struct ptx_func *sine, *cosine;	/* of a pair; else F, and NULL */
};

/* What F, one of PAIRS or of SINGLES, becomes.  */
static bool
find (const struct post *p, struct ptx_func *f, struct finding *found)
{
  const struct single *one = find_single (p, f);
  *found = (struct finding) { .f = f, .sine = f };
  if (one)
    found->body = one->body;
  for (size_t k = 0; k < COUNT (pairs); k++)
    if (is_known (p, f, &pairs[k].known) && f->nparams == 3 && !f->nrets)
      {
	found->sine = single_of (p, f, pairs[k].sine);
	found->cosine = single_of (p, f, pairs[k].cosine);
	if (found->sine && found->cosine)
	  found->body = pairs[k].body;
      }
  return found->body;
}

/* Has F the name of one of them?  */
static bool
is_called_so (const struct post *p, const struct ptx_func *f)
{
  for (size_t k = 0; k < COUNT (singles); k++)
    if (is_named (p, f, &singles[k].known))
      return true;
  for (size_t k = 0; k < COUNT (pairs); k++)
    if (is_named (p, f, &pairs[k].known))
      return true;
  return false;
}

/* ---- libm's own ---- */

/* What libm's own F is called from now on.  */
static char *
far_name (struct post *p, const struct ptx_func *f)
{
  char *name = ptx_alloc (p->unit, strlen (f->sym->name) + sizeof "$far");
  sprintf (name, "%s$far", f->sym->name);
  return name;
}

static void
write_head (FILE *out, struct post *p, const struct ptx_func *f, const char *what)
{
  const char *type = ptx_type_info[f->rets->type].text, *name = far_name (p, f);
  fprintf (out, "\n// BEGIN FUNCTION %s: %s\n.func (.param .%s %s) %s (.param .%s %s)",
	   what, name, type, f->rets->name, name, type, f->params->name);
}

/* Let a copy of F, one of SINGLES, stand in front of F, and be declared where F is: a
   pair, which will call it, may come before it.  */
static void
keep_far (struct post *p, const struct ptx_func *f)
{
  char *text, *declaration;
  size_t len;
  FILE *out = open_memstream (&declaration, &len);
  if (!out)
    abort ();
  write_head (out, p, f, "DECL");
  fputs (";\n", out);
  fclose (out);
  out = open_memstream (&text, &len);
  if (!out)
    abort ();
  write_head (out, p, f, "DEF");
  fputs ("\n", out);
  for (const struct ptx_stmt *s = f->first;; s = s->next)
    {
      ptx_print_stmt (s, out);
      if (s == f->last)
	break;
    }
  fputs ("\n", out);
  fclose (out);
  post_insert (p, NULL, func_declaration (p->unit, f), declaration);
  post_insert (p, NULL, f->header->prev, text);
  free (text);
  free (declaration);
}

static void
replace (struct post *p, const struct finding *found)
{
  const struct ptx_sym *x = found->f->params;
  const bool pair = found->cosine;
  const char *result = pair ? x->next->name : found->f->rets->name,
	     *second = pair ? x->next->next->name : "",
	     *sine = far_name (p, found->sine),
	     *cosine = pair ? far_name (p, found->cosine) : "";
  int len = snprintf (NULL, 0, found->body, result, x->name, sine, cosine, second);
  char *text = ptx_alloc (p->unit, len + 1);
  sprintf (text, found->body, result, x->name, sine, cosine, second);
  post_set_body (p, found->f, text);
  post_explain (p, found->f->header, true, "%s has two branches",
		found->f->sym->name);
}

/* All are looked at before one is replaced: they are known by whom they call.  */
void
pass_trigs (struct post *p)
{
  struct finding *all = NULL, found;
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    if (find (p, f, &found))
      {
	struct finding *one = ptx_alloc (p->unit, sizeof *one);
	*one = found;
	one->next = all;
	all = one;
      }
    else if (is_called_so (p, f))
      post_explain (p, f->header, false, "%s has other arithmetic", f->sym->name);
  for (struct finding *k = all; k; k = k->next)
    if (!k->cosine)
      keep_far (p, k->f);
  for (struct finding *k = all; k; k = k->next)
    replace (p, k);
}

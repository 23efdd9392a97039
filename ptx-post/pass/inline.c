/* Pass inline: functions that SPMD kernels call become part of them.

   ptxas keeps calls as they are, with parameters in fixed registers and what
   lives across a call in saved ones, or on the stack.  The device's libm is
   written for a host: exp calls three functions for each result, pow seven.

   The body comes in a scope of its own in the call's place, so that its names
   hide those around it:

     {                                  {
     .param.f64 %value_in;              .reg.f64 %acr_in0, %acr_out;
     .param.f64 %out_arg1;              mov.f64 %acr_in0, %r26;
     st.param.f64 [%out_arg1], %r26;    {
     call (%value_in), f, (%out_arg1);  ... mov.f64 %ar0, %acr_in0; ...
     ld.param.f64 %r28, [%value_in];    ... mov.f64 %acr_out, %value;
     }                                  }
                                        mov.f64 %r28, %acr_out;
                                        }

   What is not so is left: frames, arrays as parameters, several returns, calls
   by an address, recursion; what asks where it runs or meets other threads; and
   what is too large, or makes the kernel so.

   Needs: a tag that says that a kernel is an SPMD kernel.  Keeps: each
   instruction of a function, with its operands and order.
   Breaks: nothing.
   Source: R. Scheifler, "An Analysis of Inline Substitution for a Structured
   Programming Language", CACM 1977; nvptx_declare_function_name and
   nvptx_output_call_insn in GCC's config/nvptx/nvptx.cc for the form of calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MAX_CALLEE = 400,		/* instructions of a function */
  MAX_ADDED = 1500,		/* of all in a kernel */
  MAX_PARAMS = 8
};

/* A function that has been looked at.  */
struct function
{
  const struct ptx_func *f;
  bool fits;
  unsigned insns;
  struct function *next;
};

struct inlining
{
  struct post *post;
  struct function *functions;
};

static struct function *look_at (struct inlining *in, struct ptx_func *f);

/* ---- May a function become part of another? ---- */

/* The type that values of the parameter P are moved as, or NULL.  */
static const char *
type_of (const struct ptx_sym *p)
{
  static const enum ptx_type moved[]
    = { PTX_T_U32, PTX_T_S32, PTX_T_B32, PTX_T_U64, PTX_T_S64,
	PTX_T_B64, PTX_T_F32, PTX_T_F64 };
  for (unsigned i = 0; i < sizeof moved / sizeof *moved; i++)
    if (!p->is_array && p->type == moved[i])
      return ptx_type_info[p->type].text;
  return NULL;
}

/* Is S an access OP of a parameter that is not an element of it, of the
   parameter's own type?  Which one.  */
static const struct ptx_sym *
accessed (const struct ptx_stmt *s, enum ptx_op op)
{
  const struct ptx_insn *i = s->kind == PTX_S_INSN ? s->insn : NULL;
  if (!i || i->op != op || i->space != PTX_SP_PARAM || i->guard || i->vec != 1
      || i->ntypes != 1 || i->nopnds != 2)
    return NULL;
  unsigned at = op == PTX_OP_LD;
  const struct ptx_sym *p = insn_named (i, at);
  return p && p->type == i->type[0] && !i->opnd[at]->off
		 && (op == PTX_OP_ST || i->opnd[0]->kind == PTX_O_REG)
	   ? p
	   : NULL;
}

static bool
is_in (const struct ptx_sym *list, const struct ptx_sym *sym)
{
  while (list && list != sym)
    list = list->next;
  return list;
}

/* Does INSN name one of F's parameters, or its result?  */
static bool
names_parameter (const struct ptx_func *f, const struct ptx_insn *insn)
{
  for (unsigned i = 0; i < insn->nopnds; i++)
    {
      const struct ptx_sym *sym = insn_named (insn, i);
      if (sym && (is_in (f->params, sym) || is_in (f->rets, sym)))
	return true;
    }
  return false;
}

/* Does INSN ask for the place of its thread in the block, or the block's size?
   In kernels these may be others (pass entry).  */
static bool
asks_where (const struct ptx_insn *insn)
{
  for (unsigned i = 0; i < insn->nopnds; i++)
    if (insn->opnd[i]->kind == PTX_O_SREG
	&& (insn->opnd[i]->sreg == PTX_SR_TID
	    || insn->opnd[i]->sreg == PTX_SR_NTID))
      return true;
  return false;
}

/* Is S, at DEPTH of F's scopes, what a function may have inside?  */
static bool
fits_inside (const struct ptx_func *f, const struct ptx_stmt *s,
	     unsigned depth)
{
  if (s->kind == PTX_S_DECL)
    {
      for (unsigned i = 0; i < s->nsyms; i++)
	if (s->syms[i]->kind == PTX_SYM_TABLE
	    || s->syms[i]->kind == PTX_SYM_PROTO
	    || (s->syms[i]->kind == PTX_SYM_VAR
		&& s->syms[i]->space != PTX_SP_PARAM))
	  return false;
      return true;
    }
  if (s->kind != PTX_S_INSN)
    return s->kind != PTX_S_RAW;
  const struct ptx_insn *i = s->insn;
  if (i->op == PTX_OP_CALL)
    return call_target (i);
  if (i->op == PTX_OP_RET || i->op == PTX_OP_EXIT)
    return i->op == PTX_OP_RET && !i->guard && s->next == f->last;
  /* What a function has allocated goes when it returns.  */
  if ((ptx_op_info[i->op].flags & PTX_OF_CONVERGENT) || asks_where (i)
      || i->op == PTX_OP_ALLOCA)
    return false;
  if (!names_parameter (f, i))
    return true;
  if (depth == 1 && is_in (f->params, accessed (s, PTX_OP_LD)))
    return true;
  /* The result is known at the end alone.  */
  return is_in (f->rets, accessed (s, PTX_OP_ST)) && s->next->next == f->last;
}

/* Is F a copy of a function of libm?  */
static bool
is_of_libm (const struct post *p, const struct ptx_func *f)
{
  const char *name = f->sym->name, *end = strstr (name, ACR_LOCAL_SUFFIX);
  char *own = end ? strndup (name, end - name) : NULL;
  bool is = own && post_is_copy (p, f, own, LIBRARY_M);
  free (own);
  return is;
}

/* Has F parameters and a result that registers have?  Of functions without a result
   libm's store two (sincos); libgcc's are for numbers that are rare, as products of
   complex numbers that are none, and would cost registers.  */
static bool
has_plain_head (const struct post *post, const struct ptx_func *f)
{
  if (f->nparams > MAX_PARAMS || f->nrets > 1
      || (f->nrets ? !type_of (f->rets) : !is_of_libm (post, f)))
    return false;
  for (const struct ptx_sym *p = f->params; p; p = p->next)
    if (!type_of (p))
      return false;
  return true;
}

static bool
fits (const struct post *p, const struct ptx_func *f, unsigned *insns)
{
  if (f->is_entry || f->opaque || f->noreturn || !has_plain_head (p, f)
      || stack_recurs (f) || func_mentions (f, "__nvptx_stacks")
      || func_mentions (f, "__nvptx_uni"))
    return false;
  unsigned depth = 0;
  *insns = 0;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      depth += s->kind == PTX_S_OPEN;
      depth -= s->kind == PTX_S_CLOSE;
      *insns += s->kind == PTX_S_INSN;
      if (!fits_inside (f, s, depth))
	return false;
    }
  return *insns && *insns <= MAX_CALLEE && f->last->prev->kind == PTX_S_INSN
	 && f->last->prev->insn->op == PTX_OP_RET;
}

/* Is SYM, of the unit, known in front of HEADER?  */
static bool
is_declared (const struct ptx_sym *sym, const struct ptx_stmt *header)
{
  for (const struct ptx_stmt *s = header; s; s = s->prev)
    {
      if (s->kind == PTX_S_FUNC && s->sym == sym)
	return true;
      for (unsigned i = 0; s->kind == PTX_S_DECL && i < s->nsyms; i++)
	if (s->syms[i] == sym)
	  return true;
    }
  return false;
}

/* Is what F names outside of itself known in CALLER as well?  */
static bool
is_understood (const struct ptx_func *f, const struct ptx_func *caller)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    for (unsigned i = 0; s->kind == PTX_S_INSN && i < s->insn->nopnds; i++)
      {
	const struct ptx_sym *sym = s->insn->op == PTX_OP_CALL
				      ? call_target (s->insn)
				      : insn_named (s->insn, i);
	if (sym && ptx_lookup (f->unit, sym->name) == sym
	    && !is_declared (sym, caller->header))
	  return false;
      }
  return true;
}

/* ---- A call ---- */

/* A call and what GCC writes around it.  */
struct call
{
  struct ptx_stmt *call, *open;
  const struct ptx_func *f;
  struct ptx_stmt *set[MAX_PARAMS];	/* st.param of each argument */
  struct ptx_stmt *get;		/* ld.param of the result, or NULL */
};

/* The operand of CALL that lists arguments, or results.  */
static const struct ptx_opnd *
list_of (const struct ptx_insn *call, bool results)
{
  bool has = call->opnd[0]->kind == PTX_O_LIST;
  unsigned i = results ? 0 : has + 1;
  return (results && !has) || i >= call->nopnds
	     || call->opnd[i]->kind != PTX_O_LIST
	   ? NULL
	   : call->opnd[i];
}

/* The place of SYM in LIST, or -1.  */
static int
place_in (const struct ptx_opnd *list, const struct ptx_sym *sym)
{
  for (unsigned i = 0; list && i < list->nelt; i++)
    if (list->elt[i]->sym == sym)
      return i;
  return -1;
}

/* Note what S, beside C's call, does.  False when it is something else.  */
static bool
read_beside (struct call *c, struct ptx_stmt *s)
{
  const struct ptx_insn *call = c->call->insn;
  if (s == c->call)
    return true;
  if (s->kind == PTX_S_DECL)
    {
      bool all = s->nsyms > 0;
      for (unsigned i = 0; i < s->nsyms; i++)
	all &= s->syms[i]->space == PTX_SP_PARAM && type_of (s->syms[i]);
      return all;
    }
  const struct ptx_sym *to = accessed (s, PTX_OP_ST);
  int at = to ? place_in (list_of (call, false), to) : -1;
  if (at >= 0 && !c->set[at] && s->insn->opnd[1]->kind != PTX_O_VEC)
    {
      c->set[at] = s;
      return true;
    }
  const struct ptx_sym *from = accessed (s, PTX_OP_LD);
  if (!from || c->get || place_in (list_of (call, true), from) < 0)
    return false;
  c->get = s;
  return true;
}

/* Is S a call of F in GCC's form, then *C?  */
static bool
read_call (struct call *c, struct ptx_stmt *s, const struct ptx_func *f)
{
  const struct ptx_opnd *args = list_of (s->insn, false);
  const struct ptx_opnd *results = list_of (s->insn, true);
  *c = (struct call) { .call = s, .f = f };
  if (s->insn->guard || (results ? results->nelt : 0) != f->nrets
      || (args ? args->nelt : 0) != f->nparams)
    return false;
  struct ptx_stmt *at = s;
  while (at->kind == PTX_S_INSN || at->kind == PTX_S_DECL)
    at = at->prev;
  c->open = at;
  if (at->kind != PTX_S_OPEN || at == s->func->first)
    return false;
  for (at = at->next; at->kind != PTX_S_CLOSE; at = at->next)
    if (!read_beside (c, at))
      return false;
  const struct ptx_sym *p = f->params;
  for (unsigned i = 0; i < f->nparams; i++, p = p->next)
    if (!c->set[i] || c->set[i]->insn->type[0] != p->type)
      return false;
  return !c->get || c->get->insn->type[0] == f->rets->type;
}

/* ---- Text ---- */

/* Write to OUT what S, which stores it as a parameter, stores.  */
static void
write_stored (FILE *out, const struct ptx_stmt *s)
{
  char *text;
  size_t len;
  FILE *one = open_memstream (&text, &len);
  if (!one)
    abort ();
  ptx_print_insn (s->insn, one);
  fclose (one);
  const char *value = memchr (text, ']', len);
  value += strspn (value, "], ");
  fprintf (out, "%.*s", (int) strcspn (value, ";"), value);
  free (text);
}

/* Write to OUT that the argument I of C is moved to a register.  */
static void
write_argument (FILE *out, const struct call *c, unsigned i)
{
  const char *type = ptx_type_info[c->set[i]->insn->type[0]].text;
  fprintf (out, "\t.reg .%s %%acr_in%u;\n\tmov.%s %%acr_in%u, ", type, i, type,
	   i);
  write_stored (out, c->set[i]);
  fputs (";\n", out);
}

/* Write to OUT what stands for S of the function F.  */
static void
write_inside (FILE *out, const struct ptx_func *f, const struct ptx_stmt *s)
{
  const struct ptx_sym *from = accessed (s, PTX_OP_LD);
  const struct ptx_sym *to = accessed (s, PTX_OP_ST);
  if (from && is_in (f->params, from))
    fprintf (out, "\n\tmov.%s %s, %%acr_in%u;", type_of (from),
	     s->insn->opnd[0]->sym->name, from->index);
  else if (to && is_in (f->rets, to))
    {
      fprintf (out, "\n\tmov.%s %%acr_out, ", type_of (to));
      write_stored (out, s);
      fputs (";", out);
    }
  else if (s->kind != PTX_S_DIRECTIVE
	   && !(s->kind == PTX_S_INSN && s->insn->op == PTX_OP_RET))
    ptx_print_stmt (s, out);
}

/* Let the function of C be where it is called.  */
static void
put_in_place (struct post *p, const struct call *c)
{
  char *text;
  size_t len;
  FILE *out = open_memstream (&text, &len);
  if (!out)
    abort ();
  const char *type = c->f->nrets ? type_of (c->f->rets) : NULL;
  fputs ("\n{\n", out);
  if (type)
    fprintf (out, "\t.reg .%s %%acr_out;\n", type);
  for (unsigned i = 0; i < c->f->nparams; i++)
    write_argument (out, c, i);
  for (const struct ptx_stmt *s = c->f->first; s != c->f->last; s = s->next)
    write_inside (out, c->f, s);
  fputs ("\n}\n", out);
  if (c->get)
    fprintf (out, "\tmov.%s %s, %%acr_out;\n", type,
	     c->get->insn->opnd[0]->sym->name);
  fputs ("}\n", out);
  fclose (out);
  post_insert (p, c->call->func, c->call, text);
  free (text);
  for (struct ptx_stmt *s = c->open->next, *next; s->kind != PTX_S_OPEN;
       s = next)
    {
      next = s->next;
      if (s != c->get)
	ptx_remove (p->unit, s);
    }
  if (c->get)
    ptx_remove (p->unit, c->get);
}

/* ---- The pass ---- */

/* Let functions that F calls become part of it, as long as it grows by no more
   than MOST instructions; by how many it grows.  */
static unsigned
inline_calls (struct inlining *in, struct ptx_func *f, unsigned most)
{
  unsigned added = 0;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      const struct ptx_func *callee = called_function (s);
      struct function *g = callee ? look_at (in, call_target (s->insn)->func)
				  : NULL;
      struct call c;
      if (!g || !g->fits || added + g->insns > most
	  || !read_call (&c, s, callee) || !is_understood (callee, f))
	continue;
      while (next->kind != PTX_S_CLOSE)
	next = next->next;
      post_explain (in->post, f->header, true, "%s becomes part of %s",
		    callee->sym->name, f->sym->name);
      added += g->insns;
      put_in_place (in->post, &c);
    }
  return added;
}

/* What is known about F, which has a body.  What it calls becomes part of it
   first.  */
static struct function *
look_at (struct inlining *in, struct ptx_func *f)
{
  for (struct function *g = in->functions; g; g = g->next)
    if (g->f == f)
      return g;
  struct function *g = calloc (1, sizeof *g);
  if (!g)
    abort ();
  g->f = f;
  g->next = in->functions;
  in->functions = g;
  g->fits = fits (in->post, f, &g->insns);
  if (g->fits && inline_calls (in, f, MAX_CALLEE - g->insns))
    g->fits = fits (in->post, f, &g->insns);
  return g;
}

void
pass_inline (struct post *p)
{
  struct inlining in = { .post = p };
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    if (f->has_body && !f->opaque && tags_is_kernel (p->tags, f))
      inline_calls (&in, f, MAX_ADDED);
  for (struct function *g = in.functions, *next; g; g = next)
    {
      next = g->next;
      free (g);
    }
}

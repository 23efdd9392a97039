/* Pass clone: what SPMD kernels call has copies that keep their frames in local
   memory.

   OpenMP's device code has its frames on a stack of the warp, in which one lane
   works (stack.c).  In an SPMD kernel all lanes work, so without this pass
   only 32 threads of a block could call a function with a frame (pass entry).
   In the copies a frame is a variable in local memory, of which each thread has
   its own, as in OpenACC's code; and all lanes work for themselves.

   Functions of the device's libraries come into the unit: their copies are
   compiled together with the kernel, which then needs no library.  Stock's
   program would link the very same code.  That is why kernels of OpenACC regions
   have copies too, from the libraries for OpenMP: these differ in their frames
   alone, and what has none may become part of the kernel (inline.c).

   A kernel is left alone when something that it calls cannot be copied:
   what is called by its address, recursive functions (whose frames lie on the
   GPU's own stack then, for which the driver leaves little), functions with
   frames of variable size, what is found nowhere, and functions of libraries
   that keep variables of their own.

   Needs: a tag that says that a kernel is an SPMD kernel.  Keeps: all other
   functions; where a frame lies is not seen by them.
   Breaks: nothing.
   Source: "function cloning" of interprocedural optimisers; GCC's OpenACC
   code for the frames (init_frame in config/nvptx/nvptx.cc).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char stacks[] = "__nvptx_stacks", lanes[] = "__nvptx_uni";

/* What becomes of calls of a function.  */
enum fate
{
  BUSY,				/* being looked at */
  STAYS,			/* needs no copy */
  COPIED,
  REFUSED			/* cannot be copied, and would have to be */
};

/* A name in the text of a copy, and what stands for it.  */
struct renaming
{
  const char *from, *to;
  struct renaming *next;
};

struct function
{
  const struct ptx_func *f;
  bool library;
  bool math;			/* of libm */
  enum fate fate;
  bool wanted, written;
  char *name;			/* of the copy */
  struct renaming *renamings;
  struct function *next;
};

/* A constant of a library.  */
struct constant
{
  const struct ptx_sym *var;
  char *name;
  bool written;
  struct constant *next;
};

struct cloning
{
  struct post *post;
  struct function *functions;
  struct constant *constants;
  unsigned n;
  const char *culprit;		/* cannot be copied; NULL: none yet */
};

static void *
room (size_t bytes)
{
  void *p = calloc (1, bytes);
  if (!p)
    abort ();
  return p;
}

/* A new name for the copy of NAME.  */
static char *
new_name (struct cloning *c, const char *name)
{
  size_t size = strlen (name) + 30;
  char *text = room (size);
  do
    snprintf (text, size, "%s" ACR_LOCAL_SUFFIX "%u", name, c->n++);
  while (ptx_lookup (c->post->unit, text));
  return text;
}

static void
add_renaming (struct function *in, const char *from, const char *to)
{
  struct renaming *r = room (sizeof *r);
  *r = (struct renaming) { from, to, in->renamings };
  in->renamings = r;
}

/* ---- May a function be copied? ---- */

static bool
is_local (const struct ptx_func *f, const struct ptx_sym *var)
{
  for (const struct ptx_sym *s = f->locals; s; s = s->next)
    if (s == var)
      return true;
  return var->kind == PTX_SYM_PARAM;
}

/* Is VAR a constant whose value needs no other symbol?  From GCC 15 on constants
   are where other variables are; libm has no variables that are its files' own
   but constants (MATH).  */
static bool
is_plain_constant (const struct ptx_sym *var, bool math)
{
  bool own = math && var->space == PTX_SP_GLOBAL && var->linkage == PTX_LK_NONE
	     && var->init;
  if (var->space != PTX_SP_CONST && !own)
    return false;
  for (const struct ptx_init *i = var->init; i; i = i->next)
    if (i->sym)
      return false;
  return true;
}

static const char *
constant_name (struct cloning *c, const struct ptx_sym *var)
{
  struct constant **link = &c->constants;
  for (; *link; link = &(*link)->next)
    if ((*link)->var == var)
      return (*link)->name;
  *link = room (sizeof **link);
  (*link)->var = var;
  return (*link)->name = new_name (c, var->name);
}

/* May F, of a library, use VAR where the user's unit is?  Constants come
   along.  */
static bool
take_variable (struct cloning *c, struct function *f,
	       const struct ptx_sym *var)
{
  enum library from;
  if (var->linkage == PTX_LK_EXTERN)
    {
      const struct ptx_unit *u = library_variable (var->name, &from);
      const struct ptx_sym *def = u ? ptx_lookup (u, var->name) : NULL;
      if (!def || def->kind != PTX_SYM_VAR)
	return false;
      /* It stays where it is, for there must be one.  */
      if (!is_plain_constant (def, false))
	return true;
      var = def;
    }
  if (!is_plain_constant (var, f->math))
    return false;
  add_renaming (f, var->name, constant_name (c, var));
  return true;
}

static struct function *look_at (struct cloning *c, const struct ptx_func *f,
				 bool library, bool math);

static bool
same_kind (const struct ptx_func *a, const struct ptx_func *b)
{
  const struct ptx_sym *x = a->params, *y = b->params;
  if (a->nparams != b->nparams || a->nrets != b->nrets)
    return false;
  for (; x && y; x = x->next, y = y->next)
    if (x->size != y->size || x->type != y->type)
      return false;
  return !a->nrets || a->rets->type == b->rets->type;
}

/* What becomes of calls of the function DECLARED, of which a caller, in a
   LIBRARY or not, knows no body; its copy is *COPY.  */
static enum fate
look_outside (struct cloning *c, const struct ptx_func *declared, bool library,
	      struct function **copy)
{
  const char *name = declared->sym->name;
  enum fate otherwise = stack_unneeded (name) ? STAYS : REFUSED;
  const struct ptx_sym *own = library ? ptx_lookup (c->post->unit, name)
				      : NULL;
  /* The program has another.  */
  if (own && (own->kind != PTX_SYM_FUNC || own->func->has_body))
    return REFUSED;
  enum library from;
  const struct ptx_unit *u = library_function (name, &from);
  const struct ptx_sym *def = u ? ptx_lookup (u, name) : NULL;
  if (!def || def->kind != PTX_SYM_FUNC || !def->func->has_body
      || (from == LIBRARY_C && otherwise == STAYS)
      || !same_kind (def->func, declared))
    return otherwise;
  *copy = look_at (c, def->func, true, from == LIBRARY_M);
  return (*copy)->fate == COPIED ? COPIED
	 : (*copy)->fate == BUSY ? REFUSED
				 : otherwise;
}

/* What becomes of the call CALL in F.  */
static enum fate
look_at_call (struct cloning *c, struct function *f,
	      const struct ptx_insn *call)
{
  const struct ptx_sym *target = call_target (call);
  struct function *copy = NULL;
  if (!target)
    return REFUSED;
  enum fate fate;
  if (target->func->has_body)
    {
      copy = look_at (c, target->func, f->library, f->math);
      fate = copy->fate == BUSY ? REFUSED : copy->fate;
    }
  else
    fate = look_outside (c, target->func, f->library, &copy);
  if (fate == COPIED)
    add_renaming (f, target->name, copy->name);
  return fate;
}

/* May the operands of INSN, in F of a library, stand in the user's unit?  */
static bool
takes_operands (struct cloning *c, struct function *f,
		const struct ptx_insn *insn)
{
  for (unsigned i = 0; i < insn->nopnds; i++)
    {
      const struct ptx_sym *sym = insn_named (insn, i);
      if (!sym || insn->op == PTX_OP_CALL || sym->kind == PTX_SYM_LABEL
	  || sym->kind == PTX_SYM_REG || is_local (f->f, sym)
	  || strcmp (sym->name, stacks) == 0 || strcmp (sym->name, lanes) == 0)
	continue;
      if (sym->kind != PTX_SYM_VAR || !take_variable (c, f, sym))
	return false;
    }
  return true;
}

static enum fate
find_fate (struct cloning *c, struct function *f)
{
  const struct ptx_func *func = f->f;
  if (func->opaque || !stack_is_frame (func))
    return REFUSED;
  bool copied = f->library || func_mentions (func, stacks)
		|| func_mentions (func, lanes);
  for (const struct ptx_stmt *s = func->first; s != func->last; s = s->next)
    {
      if (s->kind != PTX_S_INSN)
	continue;
      if (f->library && !takes_operands (c, f, s->insn))
	return REFUSED;
      if (s->insn->op != PTX_OP_CALL)
	continue;
      enum fate fate = look_at_call (c, f, s->insn);
      if (fate == REFUSED)
	return REFUSED;
      copied |= fate == COPIED;
    }
  return copied ? COPIED : STAYS;
}

/* What is known about the function F, of a LIBRARY or not, of libm (MATH) or not,
   which has a body.  */
static struct function *
look_at (struct cloning *c, const struct ptx_func *f, bool library, bool math)
{
  struct function **link = &c->functions;
  for (; *link; link = &(*link)->next)
    if ((*link)->f == f)
      return *link;
  struct function *known = *link = room (sizeof *known);
  *known = (struct function) { .f = f, .library = library, .math = math,
			       .fate = BUSY };
  known->name = new_name (c, f->sym->name);
  known->fate = find_fate (c, known);
  if (known->fate == REFUSED && !c->culprit)
    c->culprit = f->sym->name;
  return known;
}

/* ---- Text of copies ---- */

static bool
in_name (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
	 || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* Write [TEXT, END) to OUT with the names of F's copy.  */
static void
write_renamed (FILE *out, const struct function *f, const char *text,
	       const char *end)
{
  for (const char *p = text; p < end;)
    {
      const char *word = p;
      /* Registers, directives and suffixes are no names of ours.  */
      bool other = *p == '%' || *p == '.';
      p += other;
      while (p < end && in_name (*p))
	p++;
      const struct renaming *r = other || p == word ? NULL : f->renamings;
      while (r
	     && (strlen (r->from) != (size_t) (p - word)
		 || memcmp (r->from, word, p - word) != 0))
	r = r->next;
      /* A name with a dot behind it is an instruction.  */
      if (r && (p == end || *p != '.'))
	fputs (r->to, out);
      else
	fwrite (word, 1, p - word, out);
      if (p == word && p < end)
	putc (*p++, out);
    }
}

/* Write to OUT the head of F's copy.  */
static void
write_head (FILE *out, const struct function *f)
{
  const struct ptx_stmt *h = f->f->header;
  const char *end = h->text + h->len;
  const char *head = memmem (h->text + h->lead, h->len - h->lead, ".func", 5);
  struct function named = { .renamings
			    = &(struct renaming) { f->f->sym->name, f->name,
						   NULL } };
  assert (head);
  while (end > head && strchr (" \t\r\n", end[-1]))
    end--;
  write_renamed (out, &named, head, end);
}

static void
write_declaration (FILE *out, const struct function *f)
{
  fprintf (out, "\n// BEGIN FUNCTION DECL: %s\n", f->name);
  write_head (out, f);
  fputs (";\n", out);
}

static void
write_definition (FILE *out, const struct function *f)
{
  fprintf (out, "\n// BEGIN FUNCTION DEF: %s\n", f->name);
  write_head (out, f);
  for (const struct ptx_stmt *s = f->f->first;; s = s->next)
    {
      char *text;
      size_t len;
      FILE *one = open_memstream (&text, &len);
      if (!one)
	abort ();
      ptx_print_stmt (s, one);
      fclose (one);
      /* Numbers of files are the library's.  */
      if (!f->library || s->kind != PTX_S_DIRECTIVE)
	write_renamed (out, f, text, text + len);
      free (text);
      if (s == f->f->last)
	break;
    }
  putc ('\n', out);
}

/* Write to OUT the constant K.  */
static void
write_constant (FILE *out, const struct constant *k)
{
  const struct ptx_stmt *s = k->var->stmt;
  const char *space = k->var->space == PTX_SP_CONST ? ".const" : ".global";
  const char *head
    = memmem (s->text + s->lead, s->len - s->lead, space, strlen (space));
  struct function named
    = { .renamings = &(struct renaming) { k->var->name, k->name, NULL } };
  assert (head);
  fprintf (out, "\n// BEGIN VAR DEF: %s\n", k->name);
  write_renamed (out, &named, head, s->text + s->len);
}

/* ---- Copies ---- */

/* The statement of U behind which what all functions may use can stand.  */
static struct ptx_stmt *
find_top (struct ptx_unit *u)
{
  struct ptx_stmt *s = u->first;
  while (s->next && s->kind == PTX_S_DIRECTIVE)
    s = s->next;
  /* A declaration, behind GCC's marks of the preamble; else what comes before
     the first function's head.  */
  return s->kind == PTX_S_FUNC && s->next && s->next->kind == PTX_S_OPEN
	   ? s->prev
	   : s;
}

/* Want the copies that F's calls.  */
static void
want (struct cloning *c, struct function *f)
{
  if (f->wanted)
    return;
  f->wanted = true;
  for (const struct renaming *r = f->renamings; r; r = r->next)
    for (struct function *g = c->functions; g; g = g->next)
      if (g->name == r->to)
	want (c, g);
}

/* Does a function that is wanted use the constant K?  */
static bool
constant_wanted (const struct cloning *c, const struct constant *k)
{
  for (const struct function *f = c->functions; f; f = f->next)
    for (const struct renaming *r = f->renamings; r && f->wanted; r = r->next)
      if (r->to == k->name)
	return true;
  return false;
}

/* What is to be inserted at the top of the unit, or elsewhere.  */
struct text
{
  char *text;
  size_t len;
  FILE *out;
};

static void
open_text (struct text *t)
{
  t->out = open_memstream (&t->text, &t->len);
  if (!t->out)
    abort ();
}

static void
insert_text (struct cloning *c, struct text *t, struct ptx_stmt *after)
{
  fclose (t->out);
  post_insert (c->post, NULL, after, t->text);
  free (t->text);
}

/* Has F's copy, of a LIBRARY or not, still to be written?  */
static bool
is_new (const struct function *f, bool library)
{
  return f->wanted && !f->written && f->library == library;
}

static const struct renaming *
find_renaming (const struct function *f, const char *name)
{
  const struct renaming *r = f->renamings;
  while (r && strcmp (r->from, name) != 0)
    r = r->next;
  return r;
}

/* Has T, or the unit, the symbol that MARK declares?  */
static bool
is_declared (struct text *t, const char *mark)
{
  fflush (t->out);
  return t->text && strstr (t->text, mark);
}

/* Declare in T what the copy of F, of a library, uses under its own name.  */
static void
declare_others (struct text *t, const struct cloning *c,
		const struct function *f)
{
  for (const struct ptx_stmt *s = f->f->first; s != f->f->last; s = s->next)
    for (unsigned i = 0; s->kind == PTX_S_INSN && i < s->insn->nopnds; i++)
      {
	const struct ptx_sym *sym = insn_named (s->insn, i);
	char mark[300];
	if (!sym || (sym->kind != PTX_SYM_VAR && sym->kind != PTX_SYM_FUNC)
	    || is_local (f->f, sym) || ptx_lookup (c->post->unit, sym->name)
	    || strcmp (sym->name, stacks) == 0
	    || strcmp (sym->name, lanes) == 0 || find_renaming (f, sym->name))
	  continue;
	snprintf (mark, sizeof mark, "// BEGIN GLOBAL %s DECL: %s\n",
		  sym->kind == PTX_SYM_VAR ? "VAR" : "FUNCTION", sym->name);
	if (is_declared (t, mark))
	  continue;
	const struct ptx_stmt *d = sym->stmt;
	fprintf (t->out, "\n%s%.*s\n", mark, (int) (d->len - d->lead),
		 d->text + d->lead);
      }
}

/* Insert at the top of the unit what comes from libraries.  */
static void
insert_libraries (struct cloning *c)
{
  struct text t;
  open_text (&t);
  for (const struct function *f = c->functions; f; f = f->next)
    if (is_new (f, true))
      declare_others (&t, c, f);
  for (const struct function *f = c->functions; f; f = f->next)
    if (is_new (f, true))
      write_declaration (t.out, f);
  for (struct constant *k = c->constants; k; k = k->next)
    if (!k->written && constant_wanted (c, k))
      {
	write_constant (t.out, k);
	k->written = true;
      }
  for (const struct function *f = c->functions; f; f = f->next)
    if (is_new (f, true))
      write_definition (t.out, f);
  insert_text (c, &t, find_top (c->post->unit));
}

/* Insert the copies of functions of the unit: declared where they are, then
   defined behind them.  */
static void
insert_own (struct cloning *c)
{
  struct text t;
  for (const struct function *f = c->functions; f; f = f->next)
    if (is_new (f, false))
      {
	open_text (&t);
	write_declaration (t.out, f);
	insert_text (c, &t, func_declaration (c->post->unit, f->f));
      }
  for (const struct function *f = c->functions; f; f = f->next)
    if (is_new (f, false))
      {
	open_text (&t);
	write_definition (t.out, f);
	insert_text (c, &t, f->f->last);
      }
}

static void
finish_copy (struct cloning *c, struct function *f)
{
  struct ptx_sym *sym = ptx_lookup (c->post->unit, f->name);
  assert (sym && sym->kind == PTX_SYM_FUNC && sym->func->has_body);
  f->written = true;
  if (func_mentions (sym->func, stacks))
    stack_localise (c->post, sym->func);
  stack_all_lanes (c->post, sym->func);
  post_explain (c->post, sym->func->header, true, "a copy of %s%s",
		f->f->sym->name, f->library ? ", of a library" : "");
}

/* Let F's calls be of copies.  */
static void
redirect (struct cloning *c, struct ptx_func *f, const struct function *known)
{
  for (struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      if (s->kind != PTX_S_INSN || s->insn->op != PTX_OP_CALL)
	continue;
      const struct ptx_sym *target = call_target (s->insn);
      const struct renaming *r = find_renaming (known, target->name);
      if (!r)
	continue;
      unsigned i = s->insn->opnd[0]->kind == PTX_O_LIST;
      struct ptx_opnd *to = ptx_alloc (c->post->unit, sizeof *to);
      *to = *s->insn->opnd[i];
      to->sym = ptx_lookup (c->post->unit, r->to);
      s->insn->opnd[i] = to;
      s->changed = true;
    }
}

/* ---- The pass ---- */

static void
clone_callees (struct cloning *c, struct ptx_func *kernel)
{
  c->culprit = NULL;
  struct function *known = look_at (c, kernel, false, false);
  if (known->fate == STAYS || known->fate == REFUSED)
    {
      if (known->fate == REFUSED)
	post_explain (c->post, kernel->header, false,
		      "no copies: not of what %s calls, or of itself",
		      c->culprit ? c->culprit : known->f->sym->name);
      return;
    }
  want (c, known);
  known->written = true;
  insert_libraries (c);
  insert_own (c);
  for (struct function *f = c->functions; f; f = f->next)
    if (f->wanted && !f->written)
      finish_copy (c, f);
  redirect (c, kernel, known);
}

static void
free_all (struct cloning *c)
{
  for (struct function *f = c->functions, *next; f; f = next)
    {
      next = f->next;
      for (struct renaming *r = f->renamings, *after; r; r = after)
	{
	  after = r->next;
	  free (r);
	}
      free (f->name);
      free (f);
    }
  for (struct constant *k = c->constants, *next; k; k = next)
    {
      next = k->next;
      free (k->name);
      free (k);
    }
}

void
pass_clone (struct post *p)
{
  struct cloning c = { .post = p };
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      if (!f->has_body || !tags_is_kernel (p->tags, f))
	continue;
      if (tags_is_spmd (p->tags, f))
	dispatch_resolve (p, f);
      clone_callees (&c, f);
    }
  free_all (&c);
}

bool
post_is_copy (const struct post *p, const struct ptx_func *f,
	      const char *name, enum library library)
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
	 && library_function (name, &from) && from == library;
}

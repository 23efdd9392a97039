/* Declarations: registers, variables with initialisers, functions (PTX ISA
   5.4, 7.1, 11.1-11.6).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <string.h>

/* What stands before the names of a declaration.  */
struct declspec
{
  enum ptx_linkage linkage;
  enum ptx_space space;
  enum ptx_type type;
  unsigned vec, align;
  bool is_func, is_entry;
};

/* "(" ... ")" whose content says nothing to us.  */
static bool
skip_parens (struct ptx_parser *p)
{
  if (!ptx_accept (p, '('))
    return false;
  for (unsigned depth = 1; depth; ptx_next (p))
    if (p->tok.kind == PTX_TK_EOF || ptx_at (p, ';') || ptx_at (p, '{')
	|| ptx_at (p, '}'))
      return false;
    else if (ptx_at (p, '('))
      depth++;
    else if (ptx_at (p, ')'))
      depth--;
  return true;
}

static bool
parse_align (struct ptx_parser *p, unsigned *align)
{
  int64_t n;
  if (!ptx_parse_integer (p, &n) || n <= 0 || n > 1 << 20 || (n & (n - 1)))
    return false;
  *align = n;
  return true;
}

/* Dotted words up to the first token of another kind.  */
static bool
parse_declspec (struct ptx_parser *p, struct declspec *d)
{
  static const char *const linkage[]
    = { [PTX_LK_EXTERN] = ".extern", [PTX_LK_VISIBLE] = ".visible",
	[PTX_LK_WEAK] = ".weak", [PTX_LK_COMMON] = ".common" };
  *d = (struct declspec) { .vec = 1 };
  while (p->tok.kind == PTX_TK_DOT)
    {
      const char *s = p->tok.text + 1;
      size_t len = p->tok.len - 1;
      enum ptx_space space = ptx_space_of (s, len);
      enum ptx_type type = ptx_type_of (s, len);
      if (ptx_accept_word (p, ".align"))
	{
	  if (!parse_align (p, &d->align))
	    return false;
	  continue;
	}
      if (ptx_accept_word (p, ".attribute"))
	{
	  if (!skip_parens (p))
	    return false;
	  continue;
	}
      if (ptx_accept_word (p, ".ptr"))
	{
	  /* What a pointer parameter points to: a promise of the compiler we
	     do not use.  */
	  if (p->tok.kind == PTX_TK_DOT
	      && ptx_space_of (p->tok.text + 1, p->tok.len - 1))
	    ptx_next (p);
	  unsigned align;
	  if (ptx_accept_word (p, ".align") && !parse_align (p, &align))
	    return false;
	  continue;
	}
      if (space && !d->space)
	d->space = space;
      else if (type && !d->type)
	d->type = type;
      else if (len == 2 && *s == 'v' && strchr ("248", s[1]) && d->vec == 1)
	d->vec = s[1] - '0';
      else if (ptx_token_is (&p->tok, ".func"))
	d->is_func = true;
      else if (ptx_token_is (&p->tok, ".entry"))
	d->is_func = d->is_entry = true;
      else
	{
	  unsigned i;
	  for (i = 1; i < sizeof linkage / sizeof *linkage; i++)
	    if (ptx_token_is (&p->tok, linkage[i]))
	      break;
	  if (i == sizeof linkage / sizeof *linkage || d->linkage)
	    return false;
	  d->linkage = i;
	}
      ptx_next (p);
      if (d->is_func)
	break;
    }
  return true;
}

/* ---- Variables ---- */

/* "[n][m]..." after a name; "[]" may be the first.  */
static bool
parse_dimensions (struct ptx_parser *p, struct ptx_sym *sym)
{
  sym->nelem = 1;
  while (ptx_accept (p, '['))
    {
      int64_t n = 0;
      if (!ptx_at (p, ']') && (!ptx_parse_integer (p, &n) || n < 0))
	return false;
      if (__builtin_mul_overflow (sym->nelem, (uint64_t) n, &sym->nelem)
	  || !ptx_accept (p, ']'))
	return false;
      sym->is_array = true;
    }
  unsigned element = ptx_type_info[sym->type].bytes * sym->vec;
  if (!sym->align)
    sym->align = element;
  return !__builtin_mul_overflow (sym->nelem, (uint64_t) element, &sym->size);
}

struct initialiser
{
  struct ptx_sym *sym;
  unsigned element;		/* bytes */
  uint64_t offset;
  const struct ptx_init **tail;
};

/* BITS of type FROM as the pattern of type TO.  */
static uint64_t
convert_float (uint64_t bits, enum ptx_type from, enum ptx_type to)
{
  float f;
  double d;
  if (from == PTX_T_F64 && to == PTX_T_F32)
    {
      memcpy (&d, &bits, sizeof d);
      f = d;
      uint32_t b;
      memcpy (&b, &f, sizeof b);
      return b;
    }
  if (from == PTX_T_F32 && to == PTX_T_F64)
    {
      uint32_t b = bits;
      memcpy (&f, &b, sizeof f);
      d = f;
      memcpy (&bits, &d, sizeof d);
    }
  return bits;
}

/* The address of a symbol: name, generic(name), or mask(name), with an
   offset.  */
static bool
parse_init_address (struct ptx_parser *p, struct ptx_init *v)
{
  v->generic = ptx_accept_word (p, "generic");
  bool parens = (v->generic || v->mask) && ptx_accept (p, '(');
  if ((v->generic || v->mask) && !parens)
    return false;
  if (p->tok.kind != PTX_TK_WORD
      || memchr (p->tok.text, '.', p->tok.len))
    return false;
  v->sym = ptx_scope_get (p->arena, p->scope, p->tok.text, p->tok.len);
  if (!v->sym)
    ptx_resolve_later (p, &v->sym, p->tok.text, p->tok.len);
  ptx_next (p);
  /* generic(s)+8 and mask(s+8) both exist.  */
  for (unsigned i = 0; i < 2; i++)
    {
      int64_t off = 0;
      if ((ptx_at (p, '+') || ptx_at (p, '-'))
	  && !ptx_parse_integer (p, &off))
	return false;
      v->bits += off;
      if (i == 0 && parens && !ptx_accept (p, ')'))
	return false;
    }
  return true;
}

static bool
parse_init_value (struct ptx_parser *p, struct initialiser *in)
{
  struct ptx_init *v = ptx_arena_alloc (p->arena, sizeof *v);
  v->offset = in->offset;
  v->size = in->element;
  in->offset += in->element;
  if (p->tok.kind == PTX_TK_WORD)
    {
      if (!parse_init_address (p, v))
	return false;
    }
  else
    {
      struct ptx_opnd o = { 0 };
      if (!ptx_parse_literal (p, &o))
	return false;
      v->bits = o.bits;
      if (o.kind == PTX_O_FLOAT)
	v->bits = convert_float (o.bits, o.ftype, in->sym->type);
      else if (ptx_type_info[in->sym->type].cls & PTX_TC_FLOAT)
	{
	  double d = (int64_t) o.bits;
	  memcpy (&v->bits, &d, sizeof d);
	  v->bits = convert_float (v->bits, PTX_T_F64, in->sym->type);
	}
      else if (ptx_at (p, '('))
	{
	  v->mask = o.bits;
	  v->bits = 0;
	  if (!parse_init_address (p, v))
	    return false;
	}
    }
  *in->tail = v;
  in->tail = &v->next;
  return true;
}

/* A value or "{...}"; inner braces of an array of arrays start on a
   row of their own, but a row may be short only in the end, which is all
   that compilers write.  */
static bool
parse_init (struct ptx_parser *p, struct initialiser *in, unsigned depth)
{
  if (!ptx_accept (p, '{'))
    return parse_init_value (p, in);
  if (depth > 4)
    return false;
  if (ptx_accept (p, '}'))
    return true;
  do
    if (!parse_init (p, in, depth + 1))
      return false;
  while (ptx_accept (p, ','));
  return ptx_accept (p, '}');
}

static bool
at_plain_name (const struct ptx_parser *p)
{
  return p->tok.kind == PTX_TK_WORD && !memchr (p->tok.text, '.', p->tok.len);
}

/* A file-scope variable like SYM, whose name may be declared already: that
   symbol then takes over what a definition adds.  */
static struct ptx_sym *
declare_global (struct ptx_parser *p, const struct ptx_sym *sym)
{
  struct ptx_unit *u = p->unit;
  struct ptx_sym *old = ptx_lookup (u, sym->name);
  if (old && old->kind == PTX_SYM_VAR)
    {
      struct ptx_sym *next = old->next;
      if (sym->linkage != PTX_LK_EXTERN || old->linkage == PTX_LK_EXTERN)
	*old = *sym;
      old->next = next;
      return old;
    }
  struct ptx_sym *new = ptx_arena_alloc (p->arena, sizeof *new);
  *new = *sym;
  *(u->last_var ? &u->last_var->next : &u->vars) = new;
  u->last_var = new;
  ptx_scope_put (p->arena, p->scope, new);
  return new;
}

/* Make register or variable SYM known.  */
static struct ptx_sym *
declare (struct ptx_parser *p, const struct ptx_sym *sym)
{
  if (sym->kind == PTX_SYM_VAR && p->scope == p->unit->scope)
    return declare_global (p, sym);
  struct ptx_sym *new = ptx_arena_alloc (p->arena, sizeof *new);
  *new = *sym;
  if (p->func && sym->kind == PTX_SYM_REG)
    ptx_func_add_reg (p->arena, p->func, new);
  else if (p->func)
    ptx_func_add_local (p->func, new);
  ptx_scope_put (p->arena, p->scope, new);
  return new;
}

/* "<COUNT>" behind a name: a range of names like SYM.  */
static bool
parse_range (struct ptx_parser *p, const struct ptx_sym *sym)
{
  int64_t n;
  if (p->scope == p->unit->scope || !ptx_parse_integer (p, &n) || n < 0
      || !ptx_accept (p, '>'))
    return false;
  struct ptx_sym *model = ptx_arena_alloc (p->arena, sizeof *model);
  *model = *sym;
  ptx_scope_put_range (p->arena, p->scope, model, n);
  return true;
}

/* One register or variable like MODEL, at its name, or a range of them
   (*RESULT is then NULL).  */
static bool
parse_declarator (struct ptx_parser *p, const struct ptx_sym *model,
		  struct ptx_sym **result)
{
  struct ptx_sym sym = *model;
  *result = NULL;
  if (!at_plain_name (p))
    return false;
  sym.name = ptx_arena_strdup (p->arena, p->tok.text, p->tok.len);
  ptx_next (p);
  bool range = ptx_accept (p, '<');
  if (!range && !parse_dimensions (p, &sym))
    return false;
  if (range)
    {
      sym.nelem = 1;
      sym.size = ptx_type_info[sym.type].bytes * sym.vec;
      sym.align = sym.align ? sym.align : sym.size;
      return parse_range (p, &sym);
    }
  *result = declare (p, &sym);
  if (ptx_accept (p, '='))
    {
      struct initialiser in
	= { *result, ptx_type_info[sym.type].bytes, 0, &(*result)->init };
      if (!parse_init (p, &in, 0))
	return false;
      /* The initialiser gives an open array its size.  */
      if (sym.is_array && !sym.nelem)
	{
	  (*result)->nelem = in.offset / in.element / sym.vec;
	  (*result)->size = in.offset;
	}
    }
  return true;
}

static bool
parse_variables (struct ptx_parser *p, const struct declspec *d)
{
  const struct ptx_sym model
    = { .kind = d->space == PTX_SP_REG ? PTX_SYM_REG : PTX_SYM_VAR,
	.linkage = d->linkage, .space = d->space, .type = d->type,
	.vec = d->vec, .align = d->align, .stmt = p->stmt };
  unsigned room = 0;
  p->stmt->kind = PTX_S_DECL;
  do
    {
      struct ptx_sym *sym;
      if (!parse_declarator (p, &model, &sym))
	return false;
      if (!sym)
	continue;
      if (p->stmt->nsyms == room)
	{
	  room = room ? 2 * room : 1;
	  struct ptx_sym **syms
	    = ptx_arena_alloc (p->arena, room * sizeof *syms);
	  if (p->stmt->nsyms)
	    memcpy (syms, p->stmt->syms, p->stmt->nsyms * sizeof *syms);
	  p->stmt->syms = syms;
	}
      p->stmt->syms[p->stmt->nsyms++] = sym;
      p->stmt->sym = p->stmt->syms[0];
    }
  while (ptx_accept (p, ','));
  return ptx_at (p, ';');
}

/* ---- Functions ---- */

/* "(" parameter, ... ")" into *LIST and SCOPE.  A prototype's parameters are
   called "_", and its scope is NULL.  */
static bool
parse_parameters (struct ptx_parser *p, struct ptx_scope *scope,
		  struct ptx_func *f, struct ptx_sym **list, unsigned *count)
{
  *list = NULL;
  *count = 0;
  if (!ptx_accept (p, '('))
    return true;
  if (ptx_accept (p, ')'))
    return true;
  do
    {
      struct declspec d;
      if (!parse_declspec (p, &d) || d.is_func || !at_plain_name (p)
	  || (d.space != PTX_SP_PARAM && d.space != PTX_SP_REG) || !d.type)
	return false;
      struct ptx_sym *sym = ptx_arena_alloc (p->arena, sizeof *sym);
      *sym = (struct ptx_sym) {
	.kind = d.space == PTX_SP_REG ? PTX_SYM_REG : PTX_SYM_PARAM,
	.name = ptx_arena_strdup (p->arena, p->tok.text, p->tok.len),
	.space = d.space, .type = d.type, .vec = d.vec, .align = d.align,
	.stmt = p->stmt, .index = *count };
      ptx_next (p);
      if (!parse_dimensions (p, sym))
	return false;
      if (scope)
	{
	  ptx_scope_put (p->arena, scope, sym);
	  if (sym->kind == PTX_SYM_REG)
	    ptx_func_add_reg (p->arena, f, sym);
	}
      *list = sym;
      list = &sym->next;
      ++*count;
    }
  while (ptx_accept (p, ','));
  return ptx_accept (p, ')');
}

/* N numbers at most, separated by commas.  */
static bool
parse_numbers (struct ptx_parser *p, unsigned n, unsigned *to)
{
  for (unsigned i = 0; i < n && (i == 0 || ptx_accept (p, ',')); i++)
    {
      int64_t v;
      if (!ptx_parse_integer (p, &v) || v < 0 || v > UINT32_MAX)
	return false;
      to[i] = v;
    }
  return true;
}

/* Directives between the parameters and '{' or ';'.  */
static bool
parse_func_directives (struct ptx_parser *p, struct ptx_func *f)
{
  while (p->tok.kind == PTX_TK_DOT)
    {
      unsigned ignored[3];
      if (ptx_accept_word (p, ".noreturn"))
	f->noreturn = true;
      else if (ptx_accept_word (p, ".pragma"))
	{
	  do
	    if (p->tok.kind != PTX_TK_STRING)
	      return false;
	    else
	      ptx_next (p);
	  while (ptx_accept (p, ','));
	  if (!ptx_accept (p, ';'))
	    return false;
	}
      else
	{
	  const struct { const char *word; unsigned n, *to; } row[] = {
	    { ".maxntid", 3, f->maxntid }, { ".reqntid", 3, f->reqntid },
	    { ".minnctapersm", 1, &f->minnctapersm },
	    { ".maxnctapersm", 1, ignored }, { ".maxnreg", 1, ignored },
	    { ".maxclusterrank", 1, ignored },
	    { ".reqnctapercluster", 3, ignored },
	    { ".explicitcluster", 0, ignored },
	    { ".blocksareclusters", 0, ignored }, { ".unified", 0, ignored },
	    { ".abi_preserve", 1, ignored },
	    { ".abi_preserve_control", 1, ignored }
	  };
	  unsigned i;
	  for (i = 0; i < sizeof row / sizeof *row; i++)
	    if (ptx_accept_word (p, row[i].word))
	      break;
	  if (i == sizeof row / sizeof *row
	      || !parse_numbers (p, row[i].n, row[i].to))
	    return false;
	}
    }
  return true;
}

/* The function called NAME, new or declared before.  */
static struct ptx_func *
declare_func (struct ptx_parser *p, const char *name, size_t len,
	      const struct declspec *d)
{
  struct ptx_sym *sym
    = ptx_scope_get_here (p->arena, p->unit->scope, name, len);
  if (!sym || sym->kind != PTX_SYM_FUNC)
    {
      sym = ptx_arena_alloc (p->arena, sizeof *sym);
      sym->kind = PTX_SYM_FUNC;
      sym->name = ptx_arena_strdup (p->arena, name, len);
      sym->stmt = p->stmt;
      sym->linkage = d->linkage;
      struct ptx_func *f = sym->func = ptx_arena_alloc (p->arena, sizeof *f);
      f->sym = sym;
      f->unit = p->unit;
      f->is_entry = d->is_entry;
      ptx_scope_put (p->arena, p->unit->scope, sym);
      if (p->unit->last_func)
	p->unit->last_func->next = f;
      else
	p->unit->funcs = f;
      p->unit->last_func = f;
    }
  return sym->func;
}

/* After ".func" or ".entry".  What a header says counts until the one of the
   definition is read.  */
static bool
parse_func (struct ptx_parser *p, const struct declspec *d)
{
  struct ptx_scope *scope = ptx_scope_new (p->arena, p->unit->scope, NULL);
  /* The name comes after the results, so collect everything first.  */
  struct ptx_func h = { .unit = p->unit };
  while (ptx_accept_word (p, ".attribute"))
    if (!skip_parens (p))
      return false;
  if (!parse_parameters (p, scope, &h, &h.rets, &h.nrets)
      || !at_plain_name (p))
    return false;
  struct ptx_token name = p->tok;
  ptx_next (p);
  if (!parse_parameters (p, scope, &h, &h.params, &h.nparams)
      || !parse_func_directives (p, &h))
    return false;
  bool body = ptx_at (p, '{');
  if (!body && !ptx_at (p, ';'))
    return false;

  struct ptx_func *f = declare_func (p, name.text, name.len, d);
  p->stmt->kind = PTX_S_FUNC;
  p->stmt->sym = f->sym;
  if (f->has_body)
    {
      /* A second body is an error that ptxas reports; it stays unknown. */
      p->pending = NULL;
      return !body;
    }
  h.sym = f->sym;
  h.is_entry = d->is_entry;
  h.header = p->stmt;
  h.noreturn |= f->noreturn;
  h.next = f->next;
  h.scope = scope;
  ptx_scope_set_func (scope, f);
  *f = h;
  f->sym->stmt = p->stmt;
  if (d->linkage || body)
    f->sym->linkage = d->linkage;
  if (body)
    p->pending = f;
  return true;
}

/* "NAME: .callprototype (result) _ (parameters) ;", from the parameters.  */
bool
ptx_parse_prototype (struct ptx_parser *p, struct ptx_sym *sym)
{
  struct ptx_func *f = ptx_arena_alloc (p->arena, sizeof *f);
  f->sym = sym;
  f->unit = p->unit;
  f->header = p->stmt;
  sym->func = f;
  if (!parse_parameters (p, NULL, f, &f->rets, &f->nrets)
      || !ptx_accept_word (p, "_")
      || !parse_parameters (p, NULL, f, &f->params, &f->nparams)
      || !parse_func_directives (p, f))
    return false;
  return ptx_at (p, ';');
}

bool
ptx_parse_decl (struct ptx_parser *p)
{
  struct declspec d;
  if (!parse_declspec (p, &d))
    return false;
  if (d.is_func)
    return p->scope == p->unit->scope && parse_func (p, &d);
  return d.space && d.type && d.space != PTX_SP_SREG && d.space != PTX_SP_TEX
	 && parse_variables (p, &d);
}

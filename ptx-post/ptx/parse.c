/* Parser of PTX (PTX ISA 4.3): splits a unit into statements and dispatches
   on their first token.  A statement that its parser function does not
   understand is skipped up to its end and kept as text (PTX_S_RAW); only what
   breaks the structure of the unit is an error.

   Invariant: the texts of all statements, in order, and the unit's tail are
   the source.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <stdlib.h>
#include <string.h>

/* Deeper nesting of braces than any compiler writes.  */
enum { MAX_DEPTH = 1000 };

/* ---- Tokens ---- */

void
ptx_next (struct ptx_parser *p)
{
  p->prev_end = p->tok.text + p->tok.len;
  ptx_lex (&p->lexer, &p->tok);
}

bool
ptx_token_is (const struct ptx_token *t, const char *text)
{
  return strncmp (text, t->text, t->len) == 0 && text[t->len] == 0;
}

bool
ptx_accept (struct ptx_parser *p, char c)
{
  if (!ptx_at (p, c))
    return false;
  ptx_next (p);
  return true;
}

bool
ptx_accept_word (struct ptx_parser *p, const char *text)
{
  if ((p->tok.kind != PTX_TK_WORD && p->tok.kind != PTX_TK_DOT)
      || !ptx_token_is (&p->tok, text))
    return false;
  ptx_next (p);
  return true;
}

/* ---- Names that are used before they are declared ---- */

void
ptx_resolve_later (struct ptx_parser *p, struct ptx_sym **slot,
		   const char *name, size_t len)
{
  struct ptx_fixup *f = ptx_arena_alloc (p->arena, sizeof *f);
  *f = (struct ptx_fixup) { slot, name, len, p->scope, p->fixups };
  p->fixups = f;
}

void
ptx_settle (struct ptx_parser *p)
{
  for (struct ptx_fixup *f = p->fixups; f; f = f->next)
    {
      *f->slot = ptx_scope_get (p->arena, f->scope, f->name, f->len);
      if (*f->slot)
	continue;
      struct ptx_sym *sym = ptx_arena_alloc (p->arena, sizeof *sym);
      sym->kind = PTX_SYM_UNKNOWN;
      sym->name = ptx_arena_strdup (p->arena, f->name, f->len);
      ptx_scope_put (p->arena, f->scope, sym);
      *f->slot = sym;
    }
  p->fixups = NULL;
}

/* A unit has many instructions and few different mnemonics.  */
const struct ptx_insn *
ptx_mnemonic (struct ptx_parser *p, const char *s, size_t len)
{
  unsigned h = len;
  for (size_t i = 0; i < len; i++)
    h = h * 31 + (unsigned char) s[i];
  struct ptx_mnemonic **head
    = &p->unit->memo[(h ^ h >> 8)
		     % (sizeof p->unit->memo / sizeof *p->unit->memo)];
  for (struct ptx_mnemonic *m = *head; m; m = m->next)
    if (m->len == len && memcmp (m->insn.mnemonic, s, len) == 0)
      return &m->insn;
  struct ptx_mnemonic *m = ptx_arena_alloc (p->arena, sizeof *m);
  m->len = len;
  m->insn.mnemonic = ptx_arena_strdup (p->arena, s, len);
  ptx_decode_mnemonic (m->insn.mnemonic, &m->insn);
  m->next = *head;
  *head = m;
  return &m->insn;
}

/* ---- Directives ---- */

/* ".version 6.0" */
static bool
parse_version (struct ptx_parser *p)
{
  const char *s = p->tok.text, *dot = memchr (s, '.', p->tok.len);
  if (p->tok.kind != PTX_TK_FLOAT || !dot || dot - s > 3
      || p->tok.len - (dot - s) != 2)
    return false;
  p->unit->version = strtoul (s, NULL, 10) * 10 + strtoul (dot + 1, NULL, 10);
  p->unit->version_stmt = p->stmt;
  ptx_next (p);
  return true;
}

/* In front of a directive a name ends, where a dot would belong to an opcode:
   mkoffload writes ".target sm_35.file 1" for reverse offload.  */
static void
end_at_dot (struct ptx_parser *p)
{
  const char *dot = memchr (p->tok.text, '.', p->tok.len);
  if (!dot)
    return;
  p->tok.len = dot - p->tok.text;
  p->lexer.pos = dot;
}

/* ".target sm_90a, debug" */
static bool
parse_target (struct ptx_parser *p)
{
  const char *start = p->tok.text;
  unsigned sm = p->unit->target;
  do
    {
      if (p->tok.kind != PTX_TK_WORD)
	return false;
      end_at_dot (p);
      if (p->tok.len > 3 && memcmp (p->tok.text, "sm_", 3) == 0)
	sm = strtoul (p->tok.text + 3, NULL, 10);
      ptx_next (p);
    }
  while (ptx_accept (p, ','));
  p->unit->target = sm;
  p->unit->target_text
    = ptx_arena_strdup (p->arena, start, p->prev_end - start);
  p->unit->target_stmt = p->stmt;
  return true;
}

static bool
parse_address_size (struct ptx_parser *p)
{
  int64_t n;
  if (!ptx_parse_integer (p, &n))
    return false;
  p->unit->address_size = n;
  return true;
}

/* ".file 1 ["folder"] "x.c" [, time, size]" */
static bool
parse_file (struct ptx_parser *p)
{
  int64_t n, ignored;
  if (!ptx_parse_integer (p, &n) || p->tok.kind != PTX_TK_STRING)
    return false;
  struct ptx_token name = p->tok;
  ptx_next (p);
  if (p->tok.kind == PTX_TK_STRING)
    {
      name = p->tok;
      ptx_next (p);
    }
  struct ptx_unit *u = p->unit;
  /* A number out of all proportion is not worth a table.  */
  if (n >= 0 && n < 1 << 16)
    {
      if (n >= u->nfiles)
	{
	  unsigned room = 2 * n + 8;
	  const char **files
	    = ptx_arena_alloc (p->arena, room * sizeof *files);
	  if (u->nfiles)
	    memcpy (files, u->files, u->nfiles * sizeof *files);
	  u->files = files;
	  u->nfiles = room;
	}
      u->files[n] = ptx_arena_strdup (p->arena, name.text + 1, name.len - 2);
    }
  while (ptx_accept (p, ','))
    if (!ptx_parse_integer (p, &ignored))
      return false;
  return true;
}

/* ".loc 1 7 40 [, function_name l [+ n], inlined_at 1 9 41]" */
static bool
parse_loc (struct ptx_parser *p)
{
  int64_t n[3], ignored;
  for (unsigned i = 0; i < 3; i++)
    if (!ptx_parse_integer (p, &n[i]))
      return false;
  while (ptx_accept (p, ','))
    if (ptx_accept_word (p, "function_name"))
      {
	if (p->tok.kind != PTX_TK_WORD)
	  return false;
	ptx_next (p);
	if (ptx_at (p, '+') && !ptx_parse_integer (p, &ignored))
	  return false;
      }
    else if (ptx_accept_word (p, "inlined_at"))
      {
	for (unsigned i = 0; i < 3; i++)
	  if (!ptx_parse_integer (p, &ignored))
	    return false;
      }
    else
      return false;
  struct ptx_loc *loc = ptx_arena_alloc (p->arena, sizeof *loc);
  *loc = (struct ptx_loc) { n[0], n[1], n[2] };
  p->loc = loc;
  return true;
}

/* Consume "{...}" with everything inside.  */
static void
skip_braces (struct ptx_parser *p)
{
  struct ptx_token open = p->tok;
  unsigned depth = 0;
  do
    {
      if (p->tok.kind == PTX_TK_EOF)
	ptx_lex_error (&p->lexer, &open, "'{' without '}'");
      depth += ptx_at (p, '{');
      depth -= ptx_at (p, '}');
      ptx_next (p);
    }
  while (depth);
}

/* ".section .debug_info { ... }": bytes of DWARF.  */
static bool
parse_section (struct ptx_parser *p)
{
  if (p->tok.kind != PTX_TK_DOT && p->tok.kind != PTX_TK_WORD)
    return false;
  ptx_next (p);
  if (!ptx_at (p, '{'))
    return false;
  skip_braces (p);
  return true;
}

/* Up to ';'; its content matters to nobody here.  */
static bool
parse_to_semicolon (struct ptx_parser *p)
{
  while (p->tok.kind == PTX_TK_STRING || p->tok.kind == PTX_TK_WORD
	 || p->tok.kind == PTX_TK_INT || ptx_at (p, ','))
    ptx_next (p);
  return ptx_accept (p, ';');
}

/* ".alias name, target;": functions declared before or behind it.  */
static bool
parse_alias (struct ptx_parser *p)
{
  struct ptx_token name = p->tok;
  ptx_next (p);
  if (name.kind != PTX_TK_WORD || !ptx_accept (p, ',')
      || p->tok.kind != PTX_TK_WORD)
    return false;
  struct ptx_token target = p->tok;
  ptx_next (p);
  if (!ptx_accept (p, ';'))
    return false;
  struct ptx_alias *a = ptx_arena_alloc (p->arena, sizeof *a);
  ptx_resolve_later (p, &a->name, name.text, name.len);
  ptx_resolve_later (p, &a->target, target.text, target.len);
  a->next = p->unit->aliases;
  p->unit->aliases = a;
  return true;
}

static const struct directive
{
  const char *word;
  bool (*parse) (struct ptx_parser *);
  bool one_line;		/* else it ends with ';' or '}' */
} directives[] = {
  { ".loc", parse_loc, true },
  { ".file", parse_file, true },
  { ".version", parse_version, true },
  { ".target", parse_target, true },
  { ".address_size", parse_address_size, true },
  { ".section", parse_section, false },
  { ".pragma", parse_to_semicolon, false },
  { ".alias", parse_alias, false }
};

/* ---- Statements ---- */

/* "NAME:", and what NAME stands for.  */
static bool
parse_label (struct ptx_parser *p, struct ptx_token name)
{
  struct ptx_sym *sym = ptx_arena_alloc (p->arena, sizeof *sym);
  sym->kind = PTX_SYM_LABEL;
  sym->name = ptx_arena_strdup (p->arena, name.text, name.len);
  sym->stmt = p->stmt;
  p->stmt->kind = PTX_S_LABEL;
  p->stmt->sym = sym;
  ptx_scope_put (p->arena, p->scope, sym);
  if (p->tok.kind != PTX_TK_DOT)
    return true;
  if (ptx_token_is (&p->tok, ".callprototype"))
    {
      sym->kind = PTX_SYM_PROTO;
      p->stmt->kind = PTX_S_DIRECTIVE;
      p->stmt->directive = ".callprototype";
      ptx_next (p);
      return ptx_parse_prototype (p, sym) && ptx_accept (p, ';');
    }
  bool branch = ptx_token_is (&p->tok, ".branchtargets");
  if (branch || ptx_token_is (&p->tok, ".calltargets"))
    {
      sym->kind = PTX_SYM_TABLE;
      p->stmt->kind = PTX_S_DIRECTIVE;
      p->stmt->directive = branch ? ".branchtargets" : ".calltargets";
      ptx_next (p);
      return ptx_parse_targets (p, sym) && ptx_accept (p, ';');
    }
  return true;
}

static bool
open_brace (struct ptx_parser *p)
{
  if (p->depth == MAX_DEPTH)
    ptx_lex_error (&p->lexer, &p->tok, "braces nested too deeply");
  p->depth++;
  if (p->pending)
    {
      struct ptx_func *f = p->func = p->pending;
      p->pending = NULL;
      p->func_depth = p->depth;
      f->has_body = true;
      f->first = p->stmt;
      p->scope = f->scope;
      p->loc = NULL;
    }
  else
    p->scope = ptx_scope_new (p->arena, p->scope, p->func);
  p->stmt->kind = PTX_S_OPEN;
  p->stmt->func = p->func;
  p->stmt->scope = p->scope;
  ptx_next (p);
  return true;
}

static bool
close_brace (struct ptx_parser *p)
{
  if (p->depth == 0)
    ptx_lex_error (&p->lexer, &p->tok, "'}' without '{'");
  p->stmt->kind = PTX_S_CLOSE;
  p->stmt->scope = p->scope = ptx_scope_parent (p->scope);
  if (p->func && p->depth == p->func_depth)
    {
      p->func->last = p->stmt;
      p->func = NULL;
      p->loc = NULL;
    }
  p->depth--;
  ptx_next (p);
  return true;
}

/* A statement that begins with a dotted word.  */
static bool
parse_dotted (struct ptx_parser *p)
{
  for (const struct directive *d = directives;
       d < directives + sizeof directives / sizeof *directives; d++)
    if (ptx_token_is (&p->tok, d->word))
      {
	p->stmt->kind = PTX_S_DIRECTIVE;
	p->stmt->directive = d->word;
	ptx_next (p);
	return d->parse (p);
      }
  if (!ptx_parse_decl (p))
    return false;
  ptx_accept (p, ';');		/* else the body of a function follows */
  return true;
}

/* Whether the token is the name of a label: a ':' follows.  */
static bool
at_label (const struct ptx_parser *p)
{
  const char *s = p->lexer.pos;	/* the text ends with a NUL */
  while (*s == ' ' || *s == '\t')
    s++;
  return p->tok.kind == PTX_TK_WORD && *s == ':' && s[1] != ':'
	 && !memchr (p->tok.text, '.', p->tok.len);
}

/* Skip from the first token of a statement to its end.  Braces within an
   instruction or behind '=' belong to it; other ones end it.  */
static void
skip_statement (struct ptx_parser *p)
{
  struct ptx_token first = p->tok;
  for (const struct directive *d = directives;
       d < directives + sizeof directives / sizeof *directives; d++)
    if (d->one_line && ptx_token_is (&first, d->word))
      {
	while (p->tok.kind != PTX_TK_EOF && p->tok.line == first.line)
	  ptx_next (p);
	return;
      }
  bool takes_braces = first.kind != PTX_TK_DOT;
  do
    {
      if (p->tok.kind == PTX_TK_EOF)
	ptx_lex_error (&p->lexer, &first, "end of file inside a statement");
      if (ptx_at (p, '{') && takes_braces)
	skip_braces (p);
      else
	{
	  takes_braces |= ptx_at (p, '=');
	  ptx_next (p);
	}
      if (p->prev_end[-1] == ';')
	return;
    }
  while (!ptx_at (p, '}') && !(ptx_at (p, '{') && !takes_braces));
}

static bool
parse_by_first_token (struct ptx_parser *p)
{
  if (at_label (p))
    {
      struct ptx_token name = p->tok;
      ptx_next (p);
      ptx_next (p);
      return parse_label (p, name);
    }
  if (p->tok.kind == PTX_TK_DOT)
    return parse_dotted (p);
  if (ptx_at (p, '{'))
    return open_brace (p);
  if (ptx_at (p, '}'))
    return close_brace (p);
  if (ptx_accept (p, ';'))
    {
      p->stmt->kind = PTX_S_DIRECTIVE;
      p->stmt->directive = ";";
      return true;
    }
  return ptx_parse_insn (p) && p->stmt->insn->op && ptx_accept (p, ';');
}

static void
append (struct ptx_parser *p, struct ptx_stmt *s)
{
  s->prev = p->last;
  if (p->last)
    p->last->next = s;
  else
    p->first = s;
  p->last = s;
}

static void
parse_statement (struct ptx_parser *p)
{
  struct ptx_stmt *s = p->stmt = ptx_arena_alloc (p->arena, sizeof *s);
  s->text = p->prev_end;
  s->lead = p->tok.text - s->text;
  s->line = p->tok.line;
  s->func = p->func;
  s->scope = p->scope;
  s->loc = p->loc;
  const struct ptx_token tok = p->tok;
  const struct ptx_lexer lexer = p->lexer;
  if (!parse_by_first_token (p))
    {
      /* Not understood: again from the start, for the end only.  What was an
	 instruction stays one (OPAQUE), so that users can name it.  */
      if (s->kind != PTX_S_INSN)
	s->kind = PTX_S_RAW;
      if (s->func)
	s->func->opaque = true;
      p->tok = tok;
      p->lexer.pos = lexer.pos;
      p->lexer.line = lexer.line;
      skip_statement (p);
    }
  s->len = p->prev_end - s->text;
  append (p, s);
}

void
ptx_parse_statements (struct ptx_parser *p)
{
  p->tok.text = p->lexer.pos;	/* prev_end of the first statement */
  p->tok.len = 0;
  ptx_next (p);
  while (p->tok.kind != PTX_TK_EOF)
    parse_statement (p);
  if (p->depth)
    ptx_lex_error (&p->lexer, &p->tok, "end of file inside '{'");
  ptx_settle (p);
}

struct ptx_unit *
ptx_parse (const char *name, const char *text, size_t len,
	   struct ptx_error *e)
{
  struct ptx_arena *a = ptx_arena_new ();
  struct ptx_unit *u = ptx_arena_alloc (a, sizeof *u);
  u->arena = a;
  u->name = ptx_arena_strdup (a, name, strlen (name));
  u->text = ptx_arena_strdup (a, text, len);
  u->len = len;
  u->scope = ptx_scope_new (a, NULL, NULL);

  struct ptx_parser *p = ptx_arena_alloc (a, sizeof *p);
  jmp_buf fail;
  *p = (struct ptx_parser) {
    .unit = u, .arena = a, .scope = u->scope,
    .lexer = { u->text, u->text, u->text + len, 1, e, &fail } };
  if (setjmp (fail))
    {
      ptx_arena_free (a);
      return NULL;
    }
  ptx_parse_statements (p);
  u->first = p->first;
  u->last = p->last;
  u->tail = p->prev_end;
  u->tail_len = u->text + len - p->prev_end;
  return u;
}

void
ptx_unit_free (struct ptx_unit *u)
{
  if (u)
    ptx_arena_free (u->arena);
}

struct ptx_sym *
ptx_lookup (const struct ptx_unit *u, const char *name)
{
  return ptx_scope_get_here (u->arena, u->scope, name, strlen (name));
}

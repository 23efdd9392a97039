/* How passes change a unit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void *
ptx_alloc (struct ptx_unit *u, size_t bytes)
{
  return ptx_arena_alloc (u->arena, bytes);
}

char *
ptx_strdup (struct ptx_unit *u, const char *s, size_t len)
{
  return ptx_arena_strdup (u->arena, s, len);
}

void
ptx_set_mnemonic (struct ptx_unit *u, struct ptx_stmt *s, const char *mnemonic)
{
  assert (s->kind == PTX_S_INSN && s->insn->op != PTX_OP_OPAQUE);
  s->insn->mnemonic = ptx_strdup (u, mnemonic, strlen (mnemonic));
  bool known = ptx_decode_mnemonic (s->insn->mnemonic, s->insn);
  assert (known && ptx_roles_fit (s->insn->op, s->insn->nopnds));
  (void) known;
  s->changed = true;
}

/* Give S the text LEAD + REST.  */
static void
set_text (struct ptx_unit *u, struct ptx_stmt *s, const char *lead,
	  size_t lead_len, const char *rest, size_t rest_len)
{
  char *text = ptx_alloc (u, lead_len + rest_len + 1);
  memcpy (text, lead, lead_len);
  memcpy (text + lead_len, rest, rest_len);
  s->text = text;
  s->len = lead_len + rest_len;
}

void
ptx_set_target (struct ptx_unit *u, unsigned version, unsigned sm)
{
  char buf[100];
  if (version > u->version && u->version_stmt)
    {
      int n = snprintf (buf, sizeof buf, ".version %u.%u", version / 10,
			version % 10);
      set_text (u, u->version_stmt, u->version_stmt->text,
		u->version_stmt->lead, buf, n);
      u->version = version;
    }
  if (sm > u->target && u->target_stmt)
    {
      /* Options behind the architecture stay.  */
      const char *options = strchrnul (u->target_text, ',');
      int n = snprintf (buf, sizeof buf, "sm_%u", sm);
      char *text = ptx_alloc (u, n + strlen (options) + 1);
      strcat (strcpy (text, buf), options);
      u->target_text = text;
      u->target = sm;
      n = snprintf (buf, sizeof buf, ".target ");
      struct ptx_stmt *s = u->target_stmt;
      set_text (u, s, s->text, s->lead, buf, n);
      set_text (u, s, s->text, s->len, text, strlen (text));
    }
}

void
ptx_add_params (struct ptx_unit *u, struct ptx_func *f, const char *text)
{
  for (struct ptx_stmt *s = u->first; s; s = s->next)
    if (s->kind == PTX_S_FUNC && s->sym == f->sym)
      {
	const char *end = memrchr (s->text, ')', s->len);
	assert (end);
	size_t before = end - s->text;
	char *head = ptx_strdup (u, s->text, before);
	char *rest = ptx_alloc (u, strlen (text) + s->len - before + 1);
	memcpy (stpcpy (rest, text), end, s->len - before);
	set_text (u, s, head, before, rest, strlen (rest));
      }
}

void
ptx_add_directive (struct ptx_unit *u, struct ptx_func *f, const char *text)
{
  struct ptx_stmt *s = f->header;
  size_t before = s->len;
  while (before > s->lead && strchr (" \t\r\n", s->text[before - 1]))
    before--;
  char *head = ptx_strdup (u, s->text, before);
  char *rest = ptx_alloc (u, strlen (text) + s->len - before + 1);
  memcpy (stpcpy (rest, text), s->text + before, s->len - before);
  set_text (u, s, head, before, rest, strlen (rest));
}

static void
unlink_stmt (struct ptx_unit *u, struct ptx_stmt *s)
{
  *(s->prev ? &s->prev->next : &u->first) = s->next;
  *(s->next ? &s->next->prev : &u->last) = s->prev;
}

/* Take out S; comments in front of it stay.  */
static void
take_out (struct ptx_unit *u, struct ptx_stmt *s)
{
  unlink_stmt (u, s);
  if (!memchr (s->text, '/', s->lead))
    return;
  /* Comments may be GCC's marks: they move to what follows.  */
  struct ptx_stmt *n = s->next;
  if (n)
    {
      set_text (u, n, s->text, s->lead, n->text, n->len);
      n->lead += s->lead;
      return;
    }
  char *tail = ptx_alloc (u, s->lead + u->tail_len + 1);
  memcpy (tail, s->text, s->lead);
  memcpy (tail + s->lead, u->tail, u->tail_len);
  u->tail = tail;
  u->tail_len += s->lead;
}

void
ptx_remove (struct ptx_unit *u, struct ptx_stmt *s)
{
  assert (s->kind != PTX_S_OPEN && s->kind != PTX_S_CLOSE
	  && s->kind != PTX_S_FUNC);
  take_out (u, s);
}

/* Does the line [LINE, END) say that the function NAME begins here?  */
static bool
is_mark (const char *line, const char *end, const char *name)
{
  static const char begin[] = "// BEGIN ", middle[] = " FUNCTION ";
  size_t len = strlen (name);
  while (line < end && (*line == ' ' || *line == '\t'))
    line++;
  return (size_t) (end - line) > sizeof begin + len
	 && memcmp (line, begin, sizeof begin - 1) == 0
	 && memmem (line + sizeof begin - 2, end - line - sizeof begin + 2,
		    middle, sizeof middle - 1)
	 && end[-(ptrdiff_t) len - 1] == ' '
	 && memcmp (end - len, name, len) == 0;
}

/* What stands before the header S stays, but for GCC's marks of the function
   NAME.  */
static void
drop_marks (struct ptx_unit *u, struct ptx_stmt *s, const char *name)
{
  char *kept = ptx_alloc (u, s->lead + 1);
  size_t n = 0;
  for (const char *line = s->text, *end = line + s->lead, *next; line < end;
       line = next)
    {
      const char *stop = memchr (line, '\n', end - line);
      stop = stop ? stop : end;
      next = stop < end ? stop + 1 : end;
      if (!is_mark (line, stop, name))
	{
	  memcpy (kept + n, line, next - line);
	  n += next - line;
	}
    }
  s->text = kept;
  s->lead = s->len = n;
}

void
ptx_remove_decls (struct ptx_unit *u,
		  bool (*which) (const struct ptx_func *f, void *closure),
		  void *closure)
{
  for (struct ptx_stmt *s = u->first, *next; s; s = next)
    {
      next = s->next;
      const struct ptx_func *f = s->kind == PTX_S_FUNC ? s->sym->func : NULL;
      if (!f || !f->has_body || s == f->header || !which (f, closure))
	continue;
      drop_marks (u, s, f->sym->name);
      take_out (u, s);
    }
}

void
ptx_remove_func (struct ptx_unit *u, struct ptx_func *f)
{
  struct ptx_func **link = &u->funcs;
  struct ptx_func *before = NULL;
  for (; *link != f; link = &(*link)->next)
    before = *link;
  *link = f->next;
  if (u->last_func == f)
    u->last_func = before;

  /* Comments in its body are its own.  Those in front of it stay, and move to what
     is behind it then.  */
  for (struct ptx_stmt *s = u->first; s; s = s->next)
    if (s->func == f && s->kind != PTX_S_FUNC)
      unlink_stmt (u, s);
  for (struct ptx_stmt *s = u->first, *next; s; s = next)
    {
      next = s->next;
      if (s->kind != PTX_S_FUNC || s->sym != f->sym)
	continue;
      drop_marks (u, s, f->sym->name);
      take_out (u, s);
    }
}

bool
ptx_insert_after (struct ptx_unit *u, struct ptx_func *f,
		  struct ptx_stmt *after, const char *text,
		  struct ptx_error *e)
{
  /* Start on a line of its own, also when TEXT does not.  */
  size_t len = strlen (text);
  char *copy = ptx_alloc (u, len + 2);
  copy[0] = '\n';
  memcpy (copy + 1, text, len);
  copy += text[0] == '\n';

  struct ptx_parser *p = ptx_alloc (u, sizeof *p);
  jmp_buf fail;
  *p = (struct ptx_parser) {
    .unit = u, .arena = u->arena, .func = f, .loc = after->loc,
    .scope = after->scope ? after->scope : u->scope,
    .lexer = { copy, copy, copy + strlen (copy), 0, e, &fail } };
  if (setjmp (fail))
    return false;
  ptx_parse_statements (p);
  if (!p->first)
    return true;
  for (struct ptx_stmt *s = p->first; s; s = s->next)
    s->line = 0;
  p->first->prev = after;
  p->last->next = after->next;
  *(after->next ? &after->next->prev : &u->last) = p->last;
  after->next = p->first;
  return true;
}

/* The text of a copy of the entry F, called NAME, with DIRECTIVE in front of its
   body, of *LEN bytes, to be freed; NULL when that is no name, or not a new one.  */
static char *
copy_of_entry (const struct ptx_unit *u, const struct ptx_func *f,
	       const char *name, const char *directive, size_t *len)
{
  const struct ptx_stmt *header = f->header;
  const char *head = header->text + header->lead;
  const char *end = header->text + header->len;
  const char *entry = memmem (head, end - head, ".entry", strlen (".entry"));
  size_t old = strlen (f->sym->name);
  const char *at = entry ? memmem (entry + strlen (".entry"),
				   end - entry - strlen (".entry"),
				   f->sym->name, old)
			 : NULL;
  if (!at || !f->has_body || ptx_lookup (u, name))
    return NULL;
  char *text;
  FILE *out = open_memstream (&text, len);
  if (!out)
    abort ();
  const char *last = end;
  while (strchr (" \t\r\n", last[-1]))
    last--;
  fprintf (out, "\n\n// BEGIN FUNCTION DEF: %s\n", name);
  fwrite (head, 1, at - head, out);
  fputs (name, out);
  fwrite (at + old, 1, last - at - old, out);
  fputs (directive, out);
  fwrite (last, 1, end - last, out);
  for (const struct ptx_stmt *s = f->first;; s = s->next)
    {
      ptx_print_stmt (s, out);
      if (s == f->last)
	break;
    }
  if (fclose (out) != 0)
    abort ();
  return text;
}

struct ptx_func *
ptx_copy_entry (struct ptx_unit *u, const struct ptx_func *f, const char *name)
{
  size_t len;
  struct ptx_error e;
  char *text = copy_of_entry (u, f, name, "", &len);
  const struct ptx_sym *sym = NULL;
  if (text && ptx_insert_after (u, NULL, f->last, text, &e))
    sym = ptx_lookup (u, name);
  free (text);
  return sym && sym->kind == PTX_SYM_FUNC && sym->func->has_body ? sym->func
								  : NULL;
}

/* Insert TEXT, of LEN bytes, for the printer behind AFTER.  */
static void
write_after (struct ptx_unit *u, struct ptx_stmt *after, const char *text,
	     size_t len)
{
  struct ptx_stmt *s = ptx_alloc (u, sizeof *s);
  *s = (struct ptx_stmt) { .kind = PTX_S_RAW, .prev = after,
			   .next = after->next, .len = len,
			   .text = ptx_strdup (u, text, len) };
  *(after->next ? &after->next->prev : &u->last) = s;
  after->next = s;
}

void
ptx_write_copy (struct ptx_unit *u, const struct ptx_func *f, const char *name,
		const char *directive)
{
  size_t len;
  char *text = copy_of_entry (u, f, name, directive, &len);
  if (text)
    write_after (u, f->last, text, len);
  free (text);
}

void
ptx_write_comment (struct ptx_unit *u, const struct ptx_func *f,
		   const char *text)
{
  struct ptx_stmt *after = f->first;
  while (after->next->kind == PTX_S_RAW)
    after = after->next;
  char line[strlen (text) + 3];
  write_after (u, after, line, sprintf (line, "\n%s\n", text));
}

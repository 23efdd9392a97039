/* Pass unused: functions that nothing uses any more go.

   An SPMD kernel leaves behind the functions of the form that it had before
   (plugin/spmd/spmd.cc), and with them references to GCC's device runtime, which
   would be linked, loaded and compiled at run time for nothing.

   GCC writes .file into the function that has the file's first line; it goes to
   file level, so that others keep their lines, also where the runtime takes
   functions out of a unit (libgomp-ext/jit/split.c).

   Needs: SPMD kernels in the unit.  Keeps: entries, visible functions, names of
   aliases with the functions that they stand for, and what these reach.
   Breaks: nothing; what goes is local to the unit, or a declaration.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdlib.h>
#include <string.h>

/* The functions that are used; room for all of the unit.  */
struct used
{
  const struct ptx_func **func;
  size_t n;
};

static bool
is_used (const struct used *u, const struct ptx_func *f)
{
  for (size_t i = 0; i < u->n; i++)
    if (u->func[i] == f)
      return true;
  return false;
}

static void
use (const struct ptx_func *f, void *closure)
{
  struct used *u = closure;
  if (!is_used (u, f))
    u->func[u->n++] = f;
}

static void
use_symbol (const struct ptx_sym *s, struct used *u)
{
  if (s->kind == PTX_SYM_FUNC && s->func)
    use (s->func, u);
}

/* Are there SPMD kernels?  */
static bool
has_plain_kernels (const struct post *p)
{
  for (const struct ptx_func *f = p->unit->funcs; f; f = f->next)
    if (tags_is_kernel (p->tags, f))
      return true;
  return false;
}

static bool
goes (const struct ptx_func *f, const struct used *u)
{
  enum ptx_linkage linkage = f->sym->linkage;
  return !f->is_entry && !is_used (u, f)
	 && (f->has_body ? linkage == PTX_LK_NONE : true);
}

static bool
is_file (const struct ptx_stmt *s)
{
  return s->kind == PTX_S_DIRECTIVE && strcmp (s->directive, ".file") == 0;
}

/* What is at file level in front of all functions: the last .file, or else the
   last directive.  NULL when there is none.  */
static struct ptx_stmt *
end_of_preamble (struct ptx_unit *unit)
{
  struct ptx_stmt *last = NULL;
  for (struct ptx_stmt *s = unit->first; s && s->kind != PTX_S_FUNC;
       s = s->next)
    if (s->kind == PTX_S_DIRECTIVE && (!last || !is_file (last) || is_file (s)))
      last = s;
  return last;
}

/* Move each .file of a function to file level.  */
static void
hoist_files (struct ptx_unit *unit)
{
  struct ptx_stmt *to = end_of_preamble (unit);
  for (struct ptx_stmt *s = unit->first, *next; to && s; s = next)
    {
      struct ptx_error e;
      next = s->next;
      if (!s->func || !is_file (s) || s->len == 0)
	continue;
      char *text;
      if (asprintf (&text, "\t%.*s", (int) (s->len - s->lead),
		    s->text + s->lead)
	  < 0)
	abort ();
      if (ptx_insert_after (unit, NULL, to, text, &e))
	{
	  ptx_remove (unit, s);
	  to = to->next;
	}
      free (text);
    }
}

void
pass_unused (struct post *p)
{
  struct ptx_unit *unit = p->unit;
  size_t n = 0;
  for (const struct ptx_func *f = unit->funcs; f; f = f->next)
    n++;
  struct used used = { calloc (n + 1, sizeof *used.func), 0 };
  if (!used.func)
    abort ();
  if (has_plain_kernels (p) && !unit_is_opaque (unit))
    {
      hoist_files (unit);
      vars_each_named (unit->vars, use, &used);
      for (const struct ptx_func *f = unit->funcs; f; f = f->next)
	if (f->has_body && (f->is_entry || f->sym->linkage != PTX_LK_NONE))
	  use (f, &used);
      for (const struct ptx_alias *a = unit->aliases; a; a = a->next)
	{
	  use_symbol (a->name, &used);
	  use_symbol (a->target, &used);
	}
      for (size_t i = 0; i < used.n; i++)
	func_each_named (used.func[i], use, &used);
      for (struct ptx_func *f = unit->funcs; f; f = f->next)
	if (goes (f, &used))
	  {
	    post_explain (p, f->header, true, "nothing uses %s",
			  f->sym->name);
	    ptx_remove_func (unit, f);
	  }
    }
  free (used.func);
}

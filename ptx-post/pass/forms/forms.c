/* Pass forms: kernels of which it is not known in which form they are fastest
   stand in the unit in several; the runtime measures them
   (libgomp-ext/launch/form.h).

   Here that is how many rows of a loop nest a thread computes, for which the
   plugin has left a register and what it may be set to (ACR_ROWS_MAGIC in
   abi.h).  It goes by the register wherever that matters, so that each form is left
   without what is for other numbers, and without the registers that took; the driver's
   compiler would find that out as well, and take longer.  The pass shuffle adds forms
   of its own.

   ptxas takes as few registers as let a multiprocessor have all its threads, or
   far more, and either can be slower: more registers are more loads under way in
   a thread, and fewer threads, which may find more in the caches.  So there are
   also forms with a number of registers that is given (--registers).  Kernels that
   sum up columns are limited to what lets there be all threads, those that sum up rows
   to what they load together and a few, and those whose threads keep sums have what
   one block may have.  What passes do does not depend
   on such a number: these forms are made behind the last pass, of what is there
   then, so that no pass looks at the same kernel several times.  In a program the
   runtime makes them (libgomp-ext/jit/limited.h), and there are comments here.

   Only kernels that call nothing: ptxas refuses to link a kernel whose number is
   below that of a function which it calls.

   Needs: the pass entry before, so that forms have the parameters.  Keeps:
   every kernel.  Breaks: nothing.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"
#include "post.h"

#include <stdio.h>
#include <string.h>

enum
{
  NAME = 1000,		/* bytes of a form's, at most */
  ALL_THREADS = 32,	/* registers with which a multiprocessor has all of its */
  /* Those of a multiprocessor, for one block with sums.  */
  SUMS_REGISTERS = 65536 / ACR_SUMS_ROW,
  /* Those of a row of threads, besides what is loaded.  */
  ROW_REGISTERS = 24,
  /* Loads of a column that are begun together, of which two or three go with each
     element.  */
  MOST_LOADS = 16
};

/* A form that is to be as LIKE, a kernel or a form of it, but for how many
   registers it may have.  Its name is taken already.  */
struct post_limited
{
  struct post_limited *next;	/* in the order in which they are made */
  const struct ptx_func *like;
  unsigned registers, number;
  const char *name;
};

/* The name of F's form N into NAME.  */
static bool
form_name (const struct ptx_func *f, unsigned n, char name[NAME])
{
  return snprintf (name, NAME, "%s" ACR_FORM_SUFFIX "%u", f->sym->name, n)
	 < NAME;
}

static bool
is_form (const struct ptx_func *f)
{
  return strstr (f->sym->name, ACR_FORM_SUFFIX);
}

/* Is NAME that of something in the unit, or will it be?  */
static bool
is_taken (const struct post *p, const char *name)
{
  if (ptx_lookup (p->unit, name))
    return true;
  for (const struct post_limited *l = p->limited; l; l = l->next)
    if (strcmp (l->name, name) == 0)
      return true;
  return false;
}

bool
post_has_forms (const struct post *p, const struct ptx_func *f)
{
  char name[NAME];
  return is_form (f) || (form_name (f, 1, name) && is_taken (p, name));
}

/* The number of one more form of F, and its name into NAME; 0: there is to be none.  */
static unsigned
new_name (const struct post *p, const struct ptx_func *f, char name[NAME])
{
  if (!f->is_entry || is_form (f)
      || !(p->opt->passes & 1u << POST_PASS_forms))
    return 0;
  for (unsigned n = 1; n <= ACR_FORMS && form_name (f, n, name); n++)
    if (!is_taken (p, name))
      return n;
  return 0;
}

struct ptx_func *
post_add_form (struct post *p, const struct ptx_func *f)
{
  char name[NAME];
  return new_name (p, f, name) ? ptx_copy_entry (p->unit, f, name) : NULL;
}

/* What the plugin says about rows.  */
struct rows
{
  struct ptx_stmt *stmt;	/* behind its comment */
  char reg[32];
  unsigned n, others[ACR_FORMS];
};

/* Read the comment whose rest is TEXT.  */
static bool
read_rows (struct rows *r, const char *text)
{
  int used;
  unsigned own;
  if (sscanf (text, " %31s %u%n", r->reg, &own, &used) != 2)
    return false;
  for (r->n = 0; r->n < ACR_FORMS; r->n++)
    {
      text += used;
      if (sscanf (text, " %u%n", &r->others[r->n], &used) != 1)
	break;
    }
  return true;
}

/* Find that in F; false when there is none.  All threads have to agree, so
   GCC must not have made two of it.  */
static bool
find_rows (const struct ptx_func *f, struct rows *r)
{
  r->stmt = NULL;
  for (struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      const char *at
	= memmem (s->text, s->lead, ACR_ROWS_MAGIC, strlen (ACR_ROWS_MAGIC));
      if (!at)
	continue;
      if (r->stmt || !read_rows (r, at + strlen (ACR_ROWS_MAGIC)))
	return false;
      r->stmt = s;
    }
  return r->stmt;
}

/* Let REG be set to N in FORM, in front of R's comment: in place of what GCC has there,
   the register's only value mostly, so that the other one is in the code no more.  */
static bool
set_rows (struct post *p, struct ptx_func *form, const struct rows *r,
	  const struct ptx_sym *reg, unsigned n)
{
  char text[100];
  struct ptx_error e;
  struct ptx_stmt *before = r->stmt->prev;
  snprintf (text, sizeof text, "\tmov.b%u %s, %u;",
	    8 * ptx_type_info[reg->type].bytes, r->reg, n);
  if (!ptx_insert_after (p->unit, form, before, text, &e))
    return false;
  if (before->kind == PTX_S_INSN && before->insn->op == PTX_OP_MOV
      && !before->insn->guard && insn_sets (before->insn, reg))
    ptx_remove (p->unit, before);
  return true;
}

/* Add a form of F with N rows; NULL when it cannot be.  */
static struct ptx_func *
add_rows (struct post *p, const struct ptx_func *f, unsigned n)
{
  struct rows r;
  struct ptx_func *form = post_add_form (p, f);
  if (!form || !find_rows (form, &r))
    return NULL;
  for (unsigned i = 0; i < form->nregs; i++)
    if (strcmp (form->regs[i]->name, r.reg) == 0)
      return set_rows (p, form, &r, form->regs[i], n) ? form : NULL;
  return NULL;
}

/* Has the header of F a limit of registers?  There is one.  */
static bool
is_limited (const struct ptx_func *f)
{
  static const char limit[] = ".maxnreg";
  return memmem (f->header->text, f->header->len, limit, strlen (limit));
}

/* The directive for N registers at the most.  */
struct limit { char text[32]; };

static struct limit
limit_to (unsigned n)
{
  struct limit l;
  snprintf (l.text, sizeof l.text, " .maxnreg %u", n);
  return l;
}

/* Say that a form of F has such a limit.  */
static void
explain_limit (struct post *p, const struct ptx_func *f, unsigned n)
{
  post_explain (p, f->header, true, "a form with%s", limit_to (n).text);
}

/* There will be a form of F that is as LIKE, with N registers.  */
static void
plan_limited (struct post *p, const struct ptx_func *f,
	      const struct ptx_func *like, unsigned n)
{
  char name[NAME];
  unsigned number = is_limited (like) ? 0 : new_name (p, f, name);
  if (!number)
    return;
  struct post_limited *l = ptx_alloc (p->unit, sizeof *l), **end = &p->limited;
  while (*end)
    end = &(*end)->next;
  *end = l;
  *l = (struct post_limited) {
    .like = like, .registers = n, .number = number,
    .name = ptx_strdup (p->unit, name, strlen (name)) };
  explain_limit (p, f, n);
}

/* Let a comment stand for L.  */
static void
note_limited (struct ptx_unit *u, const struct post_limited *l)
{
  char text[100];
  snprintf (text, sizeof text, "// " ACR_LIMITED_MAGIC " %u %u", l->number,
	    l->registers);
  ptx_write_comment (u, l->like, text);
}

void
post_make_limited (struct post *p)
{
  for (const struct post_limited *l = p->limited; l; l = l->next)
    if (p->opt->limited_later)
      note_limited (p->unit, l);
    else
      ptx_write_copy (p->unit, l->like, l->name, limit_to (l->registers).text);
  p->limited = NULL;
}

static bool
has_calls (const struct ptx_func *f)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL)
      return true;
  return false;
}

static bool
is_plain (const struct post *p, const struct ptx_func *f)
{
  const struct acr_region *region = tags_find (p->tags, f);
  return region && region->spmd != ACR_SPMD_NO;
}

/* Let F itself have N registers a thread, unless it calls or has a number.  */
static void
limit (struct post *p, struct ptx_func *f, unsigned n)
{
  if (has_calls (f) || is_limited (f))
    return;
  ptx_add_directive (p->unit, f, limit_to (n).text);
  explain_limit (p, f, n);
}

/* Let F, when that sums up columns, some rows of a thread at a time, have so few
   registers that a multiprocessor has all its threads: what counts there are loads
   under way.  Without a limit ptxas has the addresses of all eight at a time: 56
   registers, and half the threads.  On an H200, 16384 x 16384 floats took .31 ms with
   the limit and .39 without (with the geometry that is best then).  Other bodies may
   need more.  */
static void
limit_columns (struct post *p, struct ptx_func *f)
{
  const struct acr_region *region = tags_find (p->tags, f);
  if (region && region->columns > 1 && region->columns <= MOST_LOADS)
    limit (p, f, ALL_THREADS);
}

/* Let F, when its threads keep sums, have all registers that a row's threads may have.
   Left alone ptxas may take fewer, so that others could run beside it, of which there
   are none, and have loads wait for each other.  */
static void
limit_sums (struct post *p, struct ptx_func *f)
{
  const struct acr_region *region = tags_find (p->tags, f);
  if (region && region->sums)
    limit (p, f, SUMS_REGISTERS);
}

/* Registers that F has live at once at the most, about; 0 when that is not known.  */
static unsigned
pressure_of (const struct ptx_func *f)
{
  const char *why;
  struct cfg *g = cfg_new (f, &why);
  if (!g)
    return 0;
  unsigned n = live_pressure (g, NULL, 0);
  cfg_free (g);
  return n;
}

/* Let F, when threads share its rows and begin loads together, have the registers for
   these and a few, if that is enough: left alone ptxas has them wait for each other,
   or takes more registers than threads are worth.  On an H200 the products of 16384 x
   16384 floats with a vector take 259 us with 40, as many as this gives, 274 without a
   limit and 317 with 48; of doubles, with 56, they take 571 us and 552 without a limit,
   so these have none.  GCC keeps much that ptxas computes again, or has no register
   for: of 58 to 66 that are live in such kernels it takes 31 to 40.  */
static void
limit_rows (struct post *p, struct ptx_func *f)
{
  const struct acr_region *region = tags_find (p->tags, f);
  if (!region || !region->words || region->words > MOST_LOADS)
    return;
  unsigned n = ROW_REGISTERS + (region->words + 7) / 8 * 8, live = pressure_of (f);
  if (live && live * 4 <= n * 7)
    limit (p, f, n);
}

void
post_limit_form (struct post *p, const struct ptx_func *f,
		 const struct ptx_func *form)
{
  for (unsigned k = 0; k < POST_REGISTERS; k++)
    if (p->opt->registers[k] && !has_calls (form))
      plan_limited (p, f, form, p->opt->registers[k]);
}

/* Add forms of F with the other numbers of rows that R says, and forms of all these
   with the numbers of registers.  */
static void
add_all (struct post *p, struct ptx_func *f, const struct rows *r)
{
  struct ptx_func *form[ACR_FORMS + 1] = { f };
  unsigned n = 1;
  for (unsigned i = 0; i < r->n; i++)
    if ((form[n] = add_rows (p, f, r->others[i])))
      {
	post_explain (p, f->header, true, "a form with %u rows a thread",
		      r->others[i]);
	n++;
      }
  for (unsigned i = 0; i < n; i++)
    dispatch_resolve (p, form[i]);
  for (unsigned k = 0; k < POST_REGISTERS; k++)
    for (unsigned i = 0; i < n; i++)
      if (p->opt->registers[k] && is_plain (p, f) && !has_calls (f))
	plan_limited (p, f, form[i], p->opt->registers[k]);
}

void
pass_forms (struct post *p)
{
  /* Forms are added at the end of the list.  */
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      struct rows r;
      if (!f->is_entry || !f->has_body || f->opaque || post_has_forms (p, f))
	continue;
      limit_columns (p, f);
      limit_sums (p, f);
      limit_rows (p, f);
      if (find_rows (f, &r))
	add_all (p, f, &r);
    }
}

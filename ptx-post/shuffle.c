/* Pass shuffle: loads of what another lane of the warp has loaded become
   shuffles (PTX ISA 9.7.9.6), and loads of what this lane has, copies.

   Needs: nothing; tags tell more.  Keeps: every value.  Breaks: nothing.
   Paper: Matsumura, Garcia De Gonzalo, Pena, "A Symbolic Emulator for Shuffle
   Synthesis on the NVIDIA PTX Code", CC 2023, section 5.

   reuse.c finds the pairs; this file chooses among them, shuffle-write.c writes
   the code.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "shuffle-int.h"

#include <string.h>
#include <time.h>

static const char *const mode_name[] = {
#define POST_SHUFFLE(id, name) name,
#include "shuffle.def"
};

bool
post_parse_shuffle (const char *text, enum post_shuffle *mode)
{
  for (unsigned i = 0; i < sizeof mode_name / sizeof *mode_name; i++)
    if (strcmp (text, mode_name[i]) == 0)
      {
	*mode = i;
	return true;
      }
  return false;
}

/* ---- Choosing ---- */

/* Whether a register that INSN loads is in its own address.  */
static bool
overwrites_address (const struct ptx_insn *insn)
{
  const struct ptx_opnd *a = insn->opnd[1];
  if (a->kind != PTX_O_ADDR || !a->nelt || a->elt[0]->kind != PTX_O_REG)
    return false;
  for (unsigned k = 0; k < insn->vec; k++)
    if (reuse_register (insn, k) == a->elt[0]->sym)
      return true;
  return false;
}

/* Why load L stays although it has a source, or NULL.  */
static const char *
why_left (const struct rewriter *w, const struct reuse_load *l)
{
  if (l->delta == 0)
    return NULL;
  if (overwrites_address (l->access->stmt->insn))
    return "it overwrites its address";
  if (w->p->opt->shuffle == POST_SHUFFLE_AUTO)
    return "the cost model does not know this GPU";
  return NULL;
}

static void
explain (const struct rewriter *w, const struct reuse_load *l, bool taken,
	 const char *why)
{
  char *address = NULL;
  size_t len;
  FILE *f = w->p->opt->explain ? open_memstream (&address, &len) : NULL;
  if (f)
    {
      expr_print (f, l->access->address);
      fclose (f);
    }
  struct ptx_stmt *s = l->access->stmt;
  if (l->source >= 0)
    post_explain (w->p, s, taken, "[%s]: the load of line %u, %d lanes on%s%s",
		  address ? address : "",
		  w->r->load[l->source].access->stmt->line, l->delta,
		  why ? ": " : "", why ? why : "");
  else
    post_explain (w->p, s, false, "[%s]: %s", address ? address : "", why);
  free (address);
}

/* The form of load L, which has a source.  */
static enum form
form_of (const struct rewriter *w, const struct reuse_load *l)
{
  if (l->delta == 0)
    return FORM_COPY;
  const struct sym_access *source = w->r->load[l->source].access;
  return w->p->opt->shuffle == POST_SHUFFLE_HALO
	     && source->block == l->access->block
	     && !overwrites_address (source->stmt->insn)
	   ? FORM_HALO
	   : FORM_CORNER;
}

/* Note what load L wants of its source.  */
static void
note_source (struct rewriter *w, const struct reuse_load *l, enum form form)
{
  struct source *s = &w->source[l->source];
  s->is_copied = true;
  if (form == FORM_HALO && l->delta > s->down)
    s->down = l->delta;
  if (form == FORM_HALO && -l->delta > s->up)
    s->up = -l->delta;
}

/* Decide about every load; how many are taken.  */
static int
choose (struct rewriter *w)
{
  int n = 0;
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      const char *why = l->source >= 0 ? why_left (w, l) : l->why;
      w->form[i] = why ? FORM_LOAD : form_of (w, l);
      n += !why;
      if (!why)
	note_source (w, l, w->form[i]);
      explain (w, l, !why, why);
    }
  return n;
}
/* ---- The pass ---- */

static bool
is_rewritten (const struct ptx_func *f)
{
  for (unsigned i = 0; i < f->nregs; i++)
    if (strncmp (f->regs[i]->name, PREFIX, strlen (PREFIX)) == 0)
      return true;
  return false;
}

static double
milliseconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* Say how many loads of F have a source, as the paper's Table 2 does.  */
static void
summarise (const struct rewriter *w, int taken, double start)
{
  int shuffles = 0, copies = 0, lanes = 0, loads = 0;
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      loads += l->candidate
	       && (l->source >= 0
		   || (l->access->address->linear
		       && l->access->address->stride != 0));
      shuffles += l->source >= 0 && l->delta;
      copies += l->source >= 0 && !l->delta;
      lanes += abs (l->delta);
    }
  if (w->p->opt->explain && loads)
    fprintf (w->p->opt->explain,
	     "%s:%u: shuffle: %s: %d shuffles and %d copies of %d loads, mean "
	     "delta %.2f, %d taken, %.1f ms\n",
	     w->p->unit->name, w->f->header->line, w->f->sym->name, shuffles,
	     copies, loads, shuffles ? (double) lanes / shuffles : 0.0, taken,
	     milliseconds () - start);
}

static void
rewrite (struct post *p, struct ptx_func *f)
{
  const struct acr_region *region = tags_find (p->tags, f);
  double start = milliseconds ();
  const char *why;
  struct sym *sym = NULL;
  struct cfg *g = cfg_new (f, &why);
  struct origins *o = g ? origins_new (f, region) : NULL;
  if (g)
    sym = sym_new (g, f->is_entry || region, o, &why);
  if (sym)
    {
      struct reuse *r = reuse_find (sym, o, region, p->opt->max_delta);
      struct rewriter w = { .p = p, .f = f, .r = r };
      w.form = calloc (r->nloads + 1, sizeof *w.form);
      w.source = calloc (r->nloads + 1, sizeof *w.source);
      if (!w.form || !w.source)
	abort ();
      int taken = choose (&w);
      summarise (&w, taken, start);
      if (taken)
	shuffle_write (&w);
      free (w.form);
      free (w.source);
      reuse_free (r);
    }
  else
    post_explain (p, f->header, false, "%s: %s", f->sym->name, why);
  sym_free (sym);
  origins_free (o);
  cfg_free (g);
}

void
pass_shuffle (struct post *p)
{
  if (p->opt->shuffle == POST_SHUFFLE_NEVER || p->unit->address_size != 64
      || !p->unit->version_stmt || !p->unit->target_stmt)
    return;
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    if (f->has_body && !is_rewritten (f))
      rewrite (p, f);
}

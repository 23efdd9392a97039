/* Pass shuffle: loads of what another lane of the warp has loaded become
   shuffles (PTX ISA 9.7.9.6), and loads of what this lane has, copies.

   Needs: nothing; tags tell more.  Keeps: every value.  Breaks: nothing.
   Paper: Matsumura, Garcia De Gonzalo, Pena, "A Symbolic Emulator for Shuffle
   Synthesis on the NVIDIA PTX Code", CC 2023, section 5.

   reuse.c finds the pairs; this file chooses among them, shuffle-write.c writes
   the code.  What the model is not sure of is written as another form of the
   kernel, and measured at run time (forms.c).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pass/shuffle/shuffle-int.h"

#include <string.h>

static const struct { const char *name; unsigned take; } modes[] = {
#define POST_SHUFFLE(id, name, forms) { name, forms },
#include "pass/shuffle/shuffle.def"
};

bool
post_parse_shuffle (const char *text, enum post_shuffle *mode)
{
  for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
    if (strcmp (text, modes[i].name) == 0)
      {
	*mode = i;
	return true;
      }
  return false;
}

/* ---- Choosing ---- */

/* Percent of a kernel's loads that a form must take more than another: on an H100
   the paper's form of uxx1 is 9 % faster, which takes 3 of 17.  */
enum { MIN_MORE = 15 };

/* Percent of the warps that have to run as before: all, where nobody measures; else
   half, as fewer warps with less to wait for may well be faster: on an H100 the
   paper's form of lapgsrb, with 58 registers for 55 and 28 warps for 32, takes .81 of
   the time.  */
enum { ALL_WARPS = 100, MEASURED_WARPS = 50 };

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

/* Pick L's form from the set TAKE; *WHY says why no better form applies.  */
static enum form
form_of (const struct rewriter *w, const struct reuse_load *l, unsigned take,
	 const char **why)
{
  *why = l->why;
  if (l->source >= 0 && l->delta == 0 && (take & TAKE_COPY))
    return FORM_COPY;
  if (l->previous >= 0 && (take & TAKE_KEPT))
    return FORM_KEPT;
  if (l->source < 0)
    return FORM_LOAD;
  const struct sym_access *source = w->r->load[l->source].access;
  *why = "it overwrites its address";
  if (overwrites_address (l->access->stmt->insn))
    return FORM_LOAD;
  *why = "the loads are expected to be no slower";
  if ((take & TAKE_HALO) && !l->proved && source->block == l->access->block
      && !overwrites_address (source->stmt->insn))
    return FORM_HALO;
  return take & TAKE_CORNER ? FORM_CORNER : FORM_LOAD;
}

/* Note what load L wants of its source.  */
static void
note_source (struct rewriter *w, const struct reuse_load *l, enum form form)
{
  struct source *s
    = &w->source[form == FORM_KEPT ? l->previous : l->source];
  s->is_copied = true;
  s->is_kept |= form == FORM_KEPT;
  if (form == FORM_HALO && l->delta > s->down)
    s->down = l->delta;
  if (form == FORM_HALO && -l->delta > s->up)
    s->up = -l->delta;
}

/* Choose forms for all loads from the set TAKE; how many loads are taken.  */
static int
choose (struct rewriter *w, unsigned take)
{
  int n = 0;
  memset (w->source, 0, w->r->nloads * sizeof *w->source);
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      w->form[i] = form_of (w, l, take, &w->why[i]);
      if (w->form[i] == FORM_LOAD)
	continue;
      note_source (w, l, w->form[i]);
      n++;
    }
  return n;
}

/* Choose by what forms cost; how many loads are taken.  */
static int
choose_cheapest (struct rewriter *w)
{
  static const unsigned sets[] = {
    TAKE_COPY | TAKE_KEPT, TAKE_COPY | TAKE_KEPT | TAKE_CORNER,
    TAKE_COPY | TAKE_KEPT | TAKE_CORNER | TAKE_HALO
  };
  unsigned best = TAKE_COPY, time[SHUFFLE_GPUS];
  choose (w, best);
  shuffle_time (w, time);
  for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++)
    {
      choose (w, sets[i]);
      if (shuffle_is_faster (w, time) && shuffle_fits (w, ALL_WARPS))
	{
	  shuffle_time (w, time);
	  best = sets[i];
	}
    }
  return choose (w, best);
}

/* Say for each load what its address is, where it comes from, how long the
   search took, and what becomes of it.  */
static void
explain (const struct rewriter *w)
{
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      bool kept = w->form[i] == FORM_KEPT, taken = w->form[i] != FORM_LOAD;
      int from = kept ? l->previous : l->source;
      char *text;
      size_t len;
      if (!w->p->opt->explain)
	{
	  post_explain (w->p, l->access->stmt, taken, "%s", "");
	  continue;
	}
      FILE *f = shuffle_open (&text, &len);
      fputc ('[', f);
      expr_print (f, l->access->address);
      fputs ("]: ", f);
      if (from >= 0)
	{
	  fprintf (f, "the load of line %u, ",
		   w->r->load[from].access->stmt->line);
	  if (kept)
	    fputs ("an iteration ago", f);
	  else
	    fprintf (f, "%d lanes on", l->delta);
	}
      fprintf (f, "%s%s (%.2f ms)", from >= 0 && !taken ? ": " : "",
	       taken ? "" : w->why[i], l->proof_ms);
      fclose (f);
      post_explain (w->p, l->access->stmt, taken, "%s", text);
      free (text);
    }
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

/* Whether T is the same in all threads of a launch, as it is put together from
   arguments alone.  */
static bool
is_argument (const struct term *t)
{
  for (unsigned i = 0; i < t->nparts; i++)
    {
      const struct atom *a = t->part[i].atom;
      unsigned nargs = a->kind == ATOM_LOAD ? 1 : a->nargs;
      bool same = a->kind == ATOM_PARAM || a->kind == ATOM_SYMBOL || nargs > 0;
      for (unsigned k = 0; k < nargs && same; k++)
	same = is_argument (a->arg[k]);
      if (!same)
	return false;
    }
  return true;
}

/* Whether load L counts: not of an argument that is passed in memory.  */
static bool
counts (const struct reuse_load *l)
{
  return l->candidate && !is_argument (l->access->address);
}

/* Say how many loads of F have a source, as the paper's Table 2 does; and how many
   the paper's method gives one, which takes no value of a load that could do
   without itself.  */
static void
summarise (const struct rewriter *w, int taken, double start)
{
  int shuffles = 0, copies = 0, lanes = 0, loads = 0, paper = 0;
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      loads += counts (l);
      paper += l->paper;
      shuffles += l->source >= 0 && l->delta;
      copies += l->source >= 0 && !l->delta;
      lanes += abs (l->delta);
    }
  if (!w->p->opt->explain || !loads)
    return;
  double spent = cpu_milliseconds () - start;
  unsigned before, after;
  shuffle_registers (w, &before, &after);
  fprintf (w->p->opt->explain,
	   "%s:%u: shuffle: %s: %d shuffles and %d copies of %d loads, mean "
	   "delta %.2f, %d as in the paper, %d taken, %u registers, %u before, "
	   "%.1f ms\n",
	   w->p->unit->name, w->f->header->line, w->f->sym->name, shuffles,
	   copies, loads, shuffles ? (double) lanes / shuffles : 0.0, paper,
	   taken, after, before, spent);
}

static void rewrite (struct post *p, struct ptx_func *f, unsigned take);

/* Forms of W's kernel (forms.c) in which more loads are taken than the model is
   sure of, TAKEN: the runtime will see.  */
static void
add_forms (struct rewriter *w, int taken)
{
  static const unsigned sets[] = {
    TAKE_COPY | TAKE_KEPT, TAKE_COPY | TAKE_CORNER | TAKE_HALO,
    TAKE_COPY | TAKE_CORNER
  };
  int loads = 0;
  for (int i = 0; i < w->r->nloads; i++)
    loads += counts (&w->r->load[i]);
  for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++)
    {
      int more = choose (w, sets[i]) - taken;
      /* Without a single halo the second set is the third.  */
      bool same = sets[i] & TAKE_HALO
		  && !shuffle_deltas (w, FORM_HALO, CFG_NONE);
      struct ptx_func *form
	= more > 0 && !same && more * 100 >= loads * MIN_MORE
	      && shuffle_fits (w, MEASURED_WARPS)
	    ? post_add_form (w->p, w->f)
	    : NULL;
      if (form)
	rewrite (w->p, form, sets[i]);
    }
}

/* Take in W's kernel the forms TAKE, or, when that is 0, what the options say; how
   many loads are taken.  */
static int
take_forms (struct rewriter *w, unsigned take)
{
  const struct post_options *opt = w->p->opt;
  if (w->r->is_spent)
    {
      post_explain (w->p, w->f->header, false, "%s: proofs take more than %u ms",
		    w->f->sym->name, opt->proof_ms);
      return choose (w, 0);
    }
  if (take || opt->shuffle != POST_SHUFFLE_AUTO)
    return choose (w, take ? take : modes[opt->shuffle].take);
  if (tags_find (w->p->tags, w->f))
    add_forms (w, choose_cheapest (w));
  return choose_cheapest (w);
}

/* The same in the function F, of whose addresses SYM and O know; the search began
   at START.  */
static void
rewrite_loads (struct post *p, struct ptx_func *f, struct sym *sym,
	       struct origins *o, unsigned take, double start)
{
  const struct acr_region *region = tags_find (p->tags, f);
  /* In a library's functions proofs cost more than they can bring.  */
  bool is_kernel = f->is_entry || region;
  struct reuse *r = reuse_find (sym, o, region, p->opt->max_delta,
				is_kernel ? p->opt->proof_ms : 0);
  struct rewriter w = { .p = p, .f = f, .r = r };
  w.form = xcalloc (r->nloads, sizeof *w.form);
  w.why = xcalloc (r->nloads, sizeof *w.why);
  w.source = xcalloc (r->nloads, sizeof *w.source);
  int taken = take_forms (&w, take);
  explain (&w);
  summarise (&w, taken, start);
  if (taken)
    shuffle_write (&w);
  free (w.form);
  free (w.why);
  free (w.source);
  reuse_free (r);
}

static void
rewrite (struct post *p, struct ptx_func *f, unsigned take)
{
  const struct acr_region *region = tags_find (p->tags, f);
  double start = cpu_milliseconds ();
  const char *why;
  /* No lane loads what another one has, and what a thread has loaded twice ptxas
     sees.  */
  if (region && region->sums)
    {
      post_explain (p, f->header, false, "%s: threads have columns of their own",
		    f->sym->name);
      return;
    }
  struct sym *sym = NULL;
  struct cfg *g = cfg_new (f, &why);
  struct origins *o = g ? origins_new (f, region) : NULL;
  if (g)
    sym = sym_new (g, f->is_entry || region, o, &why);
  if (sym)
    rewrite_loads (p, f, sym, o, take, start);
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
      rewrite (p, f, 0);
}

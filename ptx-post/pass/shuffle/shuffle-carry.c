/* Pass shuffle: what loops keep, values for the next iteration and its number.

   The form of load B of what load A fetched an iteration before:

     mov.pred %runs, 0;				on every way into the loop
   HEADER:
     mov.pred %again, %runs;
     mov.pred %runs, -1;
     mov.b32 %kept, %source;
     ...
     @!%again ld.global.f32 %b, [B];		in the first iteration
     @%again mov.b32 %b, %kept;
     ...
     ld.global.f32 %a, [A];
     mov.b32 %source, %a;

   No lane takes a value of another one, so nothing is asked of the warp.

   Shuffles whose lanes are only likely to be in the same iterations compare the
   numbers of these, of all loops around (shuffle-mask.c):

     mov.u32 %count, 0;				on every way into the loop
   HEADER:
     add.sat.s32 %count, %count, 1;
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pass/shuffle/shuffle-int.h"

static int
loop_of (const struct rewriter *w, int i)
{
  const struct cfg *g = w->r->sym->cfg;
  return g->block[w->r->load[i].access->block].loop;
}

/* Whether a load of LOOP is kept.  */
static bool
keeps (const struct rewriter *w, int loop)
{
  for (int i = 0; i < w->r->nloads; i++)
    if (w->source[i].is_kept && loop_of (w, i) == loop)
      return true;
  return false;
}

bool
shuffle_counts (const struct rewriter *w, int loop)
{
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      if (w->form[i] >= FORM_CORNER && l->check
	  && cfg_in_loop (w->r->sym->cfg, loop, l->access->block))
	return true;
    }
  return false;
}

static void
print_kept (FILE *f, int i, unsigned k)
{
  fprintf (f, PREFIX "k%d_%u", i, k);
}

/* What LOOP starts with.  */
static void
print_start (FILE *f, const struct rewriter *w, int loop)
{
  if (keeps (w, loop))
    fprintf (f, "\tmov.pred " PREFIX "runs%d, 0;\n", loop);
  if (shuffle_counts (w, loop))
    fprintf (f, "\tmov.u32 " PREFIX "count%d, 0;\n", loop);
}

void
shuffle_declare_loops (FILE *f, const struct rewriter *w)
{
  for (int i = 0; i < w->r->nloads; i++)
    for (unsigned k = 0; w->source[i].is_kept && k < shuffle_count (w, i); k++)
      {
	fprintf (f, "\t.reg.b%u ", shuffle_bits (w, i));
	print_kept (f, i, k);
	fputs (";\n", f);
      }
  for (int l = 0; l < w->r->sym->cfg->nloops; l++)
    {
      if (keeps (w, l))
	fprintf (f, "\t.reg.pred " PREFIX "runs%d, " PREFIX "again%d;\n", l, l);
      if (shuffle_counts (w, l))
	fprintf (f, "\t.reg.u32 " PREFIX "count%d;\n", l);
      print_start (f, w, l);
    }
}

/* At the end of block B, which leads into LOOP.  */
static void
write_entry (struct rewriter *w, int b, int loop)
{
  struct ptx_stmt *last = w->r->sym->cfg->block[b].last;
  bool branches = last->kind == PTX_S_INSN
		  && (ptx_op_info[last->insn->op].flags & PTX_OF_CONTROL);
  char *text;
  size_t len;
  FILE *f = shuffle_open (&text, &len);
  print_start (f, w, loop);
  shuffle_insert (w, branches ? last->prev : last, f, &text);
}

/* At the head of LOOP, whose first block is B.  */
static void
write_header (struct rewriter *w, int b, int loop)
{
  struct ptx_stmt *first = w->r->sym->cfg->block[b].first;
  char *text;
  size_t len;
  FILE *f = shuffle_open (&text, &len);
  if (keeps (w, loop))
    fprintf (f, "\tmov.pred " PREFIX "again%d, " PREFIX "runs%d;\n"
		"\tmov.pred " PREFIX "runs%d, -1;\n",
	     loop, loop, loop);
  if (shuffle_counts (w, loop))
    fprintf (f, "\tadd.sat.s32 " PREFIX "count%d, " PREFIX "count%d, 1;\n",
	     loop, loop);
  for (int i = 0; i < w->r->nloads; i++)
    for (unsigned k = 0; w->source[i].is_kept && loop_of (w, i) == loop
			 && k < shuffle_count (w, i);
	 k++)
      {
	fprintf (f, "\tmov.b%u ", shuffle_bits (w, i));
	print_kept (f, i, k);
	fputs (", ", f);
	shuffle_print_source (f, i, k);
	fputs (";\n", f);
      }
  shuffle_insert (w, first->kind == PTX_S_LABEL ? first : first->prev, f,
		  &text);
}

void
shuffle_write_loops (struct rewriter *w)
{
  const struct cfg *g = w->r->sym->cfg;
  for (int l = 0; l < g->nloops; l++)
    if (keeps (w, l) || shuffle_counts (w, l))
      {
	int header = g->loop[l].header;
	for (int k = 0; k < g->block[header].npred; k++)
	  if (!cfg_is_back_edge (g->block[header].pred[k], header))
	    write_entry (w, g->block[header].pred[k], l);
	write_header (w, header, l);
      }
}

void
shuffle_print_kept_load (FILE *f, const struct rewriter *w, int i)
{
  const struct reuse_load *l = &w->r->load[i];
  const struct ptx_insn *insn = l->access->stmt->insn;
  int loop = loop_of (w, l->previous);
  fprintf (f, "\t@!" PREFIX "again%d ", loop);
  ptx_print_insn (insn, f);
  for (unsigned k = 0; k < shuffle_count (w, i); k++)
    {
      fprintf (f, "\n\t@" PREFIX "again%d mov.b%u %s, ", loop,
	       shuffle_bits (w, i), reuse_register (insn, k)->name);
      print_kept (f, l->previous, k);
      fputc (';', f);
    }
  fputc ('\n', f);
}

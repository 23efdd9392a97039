/* Pass shuffle: what loads become.

   The paper's form of load B from lane + 2, the predicate from shuffle-mask.c:

     mov.b32 %source, %a;			behind the source load
     shfl.sync.down.b32 %b, %source, 2, 31, %mask;
     @%edge ld.global.f32 %b, [B];		the corner case

   The form with a halo, for several loads with one source in a block.  One
   load fetches what the edges' lanes need, into the lanes at the other end, and
   then values rotate through the warp:

     setp.lt.and.u32 %few, %lane, 4, !%partial;	the largest delta
     @%few ld.global.f32 %halo, [A + 32 * stride];
     selp.b32 %low, %halo, %source, %in2;	lanes 0 and 1
     shfl.sync.idx.b32 %b, %low, %turn2, 31, %mask;	lane + 2 modulo 32
     @%partial ld.global.f32 %b, [B];		never, in complete warps

   Lane 1's halo is what the last load of lane 29 fetches, so it is there to be
   loaded.  Registers of 64 bits take two shuffles, vectors one for each.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pass/shuffle/shuffle-int.h"

#include <inttypes.h>

void
shuffle_insert (struct rewriter *w, struct ptx_stmt *after, FILE *f,
		char **text)
{
  struct ptx_error e;
  if (fclose (f) != 0
      || !ptx_insert_after (w->p->unit, w->f, after, *text, &e))
    w->failed = true;
  free (*text);
}

FILE *
shuffle_open (char **text, size_t *len)
{
  FILE *f = open_memstream (text, len);
  if (!f)
    abort ();
  return f;
}

uint64_t
shuffle_deltas (const struct rewriter *w, enum form form, int block)
{
  uint64_t set = 0;
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      if (w->form[i] == form
	  && (block == CFG_NONE || l->access->block == block))
	set |= (uint64_t) 1 << (l->delta + POST_MAX_DELTA);
    }
  return set;
}

void
shuffle_declare (FILE *f, const char *type, uint64_t set,
		 void (*print) (FILE *, int))
{
  for (int d = -POST_MAX_DELTA; d <= POST_MAX_DELTA; d++)
    if (set >> (d + POST_MAX_DELTA) & 1)
      {
	fprintf (f, "\t.reg.%s ", type);
	print (f, d);
	fputs (";\n", f);
      }
}

/* ---- Registers ---- */

static const char *
register_of (const struct reuse_load *l, unsigned k)
{
  return reuse_register (l->access->stmt->insn, k)->name;
}

unsigned
shuffle_bits (const struct rewriter *w, int i)
{
  const struct ptx_insn *insn = w->r->load[i].access->stmt->insn;
  return eval_width (reuse_register (insn, 0)->type);
}

unsigned
shuffle_count (const struct rewriter *w, int i)
{
  return w->r->load[i].access->stmt->insn->vec;
}

void
shuffle_print_source (FILE *f, int i, unsigned k)
{
  fprintf (f, PREFIX "s%d_%u", i, k);
}

/* Its halo, in the direction of DELTA.  */
static void
print_halo (FILE *f, int i, unsigned k, int delta)
{
  fprintf (f, PREFIX "h%s%d_%u", delta < 0 ? "up" : "down", i, k);
}

/* A predicate's name: the lanes that have their source DELTA lanes on in the
   halo; and the number of that lane.  */
static void
print_inner (FILE *f, int delta)
{
  fprintf (f, PREFIX "in%s%d", delta < 0 ? "up" : "down", abs (delta));
}

static void
print_turn (FILE *f, int delta)
{
  fprintf (f, PREFIX "turn%s%d", delta < 0 ? "up" : "down", abs (delta));
}

static void
declare_sources (FILE *f, const struct rewriter *w)
{
  for (int i = 0; i < w->r->nloads; i++)
    for (unsigned k = 0; w->source[i].is_copied && k < shuffle_count (w, i); k++)
      {
	const struct source *s = &w->source[i];
	fprintf (f, "\t.reg.b%u ", shuffle_bits (w, i));
	shuffle_print_source (f, i, k);
	for (int d = -1; d <= 1; d += 2)
	  if (d < 0 ? s->up : s->down)
	    {
	      fputs (", ", f);
	      print_halo (f, i, k, d);
	    }
	fputs (";\n", f);
      }
}

/* What the lanes of a halo do for each delta of SET.  */
static void
write_turns (FILE *f, uint64_t set)
{
  shuffle_declare (f, "pred", set, print_inner);
  shuffle_declare (f, "u32", set, print_turn);
  for (int d = -POST_MAX_DELTA; d <= POST_MAX_DELTA; d++)
    if (set >> (d + POST_MAX_DELTA) & 1)
      {
	fputs ("\tadd.u32 ", f);
	print_turn (f, d);
	fprintf (f, ", " PREFIX "lane, %d;\n\tand.b32 ", d & 31);
	print_turn (f, d);
	fputs (", ", f);
	print_turn (f, d);
	fprintf (f, ", 31;\n\tsetp.%s.u32 ", d < 0 ? "ge" : "lt");
	print_inner (f, d);
	fprintf (f, ", " PREFIX "lane, %d;\n", d < 0 ? 32 + d : d);
      }
}

/* Declarations, and what is computed once.  */
static void
write_head (struct rewriter *w)
{
  char *text;
  size_t len;
  FILE *f = shuffle_open (&text, &len);
  uint64_t corners = shuffle_deltas (w, FORM_CORNER, CFG_NONE);
  uint64_t halos = shuffle_deltas (w, FORM_HALO, CFG_NONE);
  declare_sources (f, w);
  shuffle_declare_loops (f, w);
  if (corners | halos)
    {
      shuffle_write_rows (f, w);
      write_turns (f, halos);
    }
  shuffle_insert (w, w->f->first, f, &text);
}

/* ---- Sources ---- */

/* The halo of source load I in the direction of DELTA, its largest.  */
static void
print_halo_load (FILE *f, const struct rewriter *w, int i, int delta)
{
  const struct reuse_load *l = &w->r->load[i];
  const struct ptx_insn *insn = l->access->stmt->insn;
  const struct ptx_opnd *a = insn->opnd[1];
  fprintf (f, "\tsetp.%s.and.u32 " PREFIX "few, " PREFIX "lane, %d, !" PREFIX
	      "partial;\n\t@" PREFIX "few %s %s",
	   delta < 0 ? "ge" : "lt", delta < 0 ? 32 + delta : delta,
	   insn->mnemonic, insn->vec > 1 ? "{" : "");
  for (unsigned k = 0; k < insn->vec; k++)
    {
      fputs (k ? ", " : "", f);
      print_halo (f, i, k, delta);
    }
  fprintf (f, "%s, [%s + %" PRId64 "];\n", insn->vec > 1 ? "}" : "",
	   a->elt[0]->sym->name,
	   a->off + (delta < 0 ? -32 : 32) * l->key->stride);
}

/* The copy of source load I behind it, and its halo.  */
static void
write_source (struct rewriter *w, int i)
{
  const struct reuse_load *l = &w->r->load[i];
  char *text;
  size_t len;
  FILE *f = shuffle_open (&text, &len);
  for (unsigned k = 0; k < shuffle_count (w, i); k++)
    {
      fprintf (f, "\tmov.b%u ", shuffle_bits (w, i));
      shuffle_print_source (f, i, k);
      fprintf (f, ", %s;\n", register_of (l, k));
    }
  if (w->source[i].down)
    print_halo_load (f, w, i, w->source[i].down);
  if (w->source[i].up)
    print_halo_load (f, w, i, -w->source[i].up);
  shuffle_insert (w, l->access->stmt, f, &text);
}

/* ---- What takes from them ---- */

/* A shuffle of 32 bits for load I.  */
static void
print_shuffle (FILE *f, const struct rewriter *w, int i, const char *to,
	       const char *from)
{
  int delta = w->r->load[i].delta;
  if (w->form[i] == FORM_CORNER)
    fprintf (f, "\tshfl.sync.%s.b32 %s, %s, %d, %d, " PREFIX "mask;\n",
	     delta < 0 ? "up" : "down", to, from, abs (delta),
	     delta < 0 ? 0 : 31);
  else
    {
      fprintf (f, "\tshfl.sync.idx.b32 %s, %s, ", to, from);
      print_turn (f, delta);
      fputs (", 31, " PREFIX "mask;\n", f);
    }
}

/* Load I, in place of which something stands, for the lanes that have no
   source.  */
static void
print_exception (FILE *f, const struct rewriter *w, int i)
{
  fputs ("\t@", f);
  if (w->form[i] == FORM_CORNER)
    shuffle_print_edge (f, w->r->load[i].delta);
  else
    fputs (PREFIX "partial", f);
  fputc (' ', f);
  ptx_print_insn (w->r->load[i].access->stmt->insn, f);
  fputc ('\n', f);
}

/* Register TO, K of load I, as shuffles of its BITS from SOURCE.  */
static void
print_shuffles (FILE *f, const struct rewriter *w, int i, unsigned k,
		unsigned bits, const char *to, const char *source)
{
  const struct reuse_load *l = &w->r->load[i];
  if (w->form[i] == FORM_HALO)
    {
      fprintf (f, "\tselp.b%u %s, ", bits, to);
      print_halo (f, l->source, k, l->delta);
      fprintf (f, ", %s, ", source);
      print_inner (f, l->delta);
      fputs (";\n", f);
      source = to;
    }
  switch (bits)
    {
    case 16:
      fprintf (f, "\tmov.b16 " PREFIX "half, %s;\n"
		  "\tcvt.u32.u16 " PREFIX "low, " PREFIX "half;\n",
	       source);
      print_shuffle (f, w, i, PREFIX "low", PREFIX "low");
      fprintf (f, "\tcvt.u16.u32 " PREFIX "half, " PREFIX "low;\n"
		  "\tmov.b16 %s, " PREFIX "half;\n",
	       to);
      break;
    case 32:
      print_shuffle (f, w, i, to, source);
      break;
    case 64:
      fprintf (f, "\tmov.b64 {" PREFIX "low, " PREFIX "high}, %s;\n", source);
      print_shuffle (f, w, i, PREFIX "low", PREFIX "low");
      print_shuffle (f, w, i, PREFIX "high", PREFIX "high");
      fprintf (f, "\tmov.b64 %s, {" PREFIX "low, " PREFIX "high};\n", to);
      break;
    }
}

/* Load I as a shuffle or a copy.  */
static void
write_reuse (struct rewriter *w, int i)
{
  const struct reuse_load *l = &w->r->load[i];
  struct ptx_stmt *s = l->access->stmt;
  bool copy = w->form[i] == FORM_COPY
	      || (w->form[i] >= FORM_CORNER
		  && w->p->opt->shuffle == POST_SHUFFLE_NO_LOAD);
  unsigned bits = shuffle_bits (w, i);
  char *text, *source;
  size_t len;
  FILE *f = shuffle_open (&text, &len);
  if (w->form[i] == FORM_KEPT)
    shuffle_print_kept_load (f, w, i);
  for (unsigned k = 0; w->form[i] != FORM_KEPT && k < shuffle_count (w, i);
       k++)
    {
      FILE *g = shuffle_open (&source, &len);
      shuffle_print_source (g, l->source, k);
      fclose (g);
      if (copy)
	fprintf (f, "\tmov.b%u %s, %s;\n", bits, register_of (l, k), source);
      else
	print_shuffles (f, w, i, k, bits, register_of (l, k), source);
      free (source);
    }
  if (!copy && w->form[i] >= FORM_CORNER
      && w->p->opt->shuffle != POST_SHUFFLE_NO_CORNER)
    print_exception (f, w, i);
  shuffle_insert (w, s, f, &text);
  if (!w->failed)
    ptx_remove (w->p->unit, s);
}

void
shuffle_write (struct rewriter *w)
{
  struct masks masks = { .block = CFG_NONE };
  write_head (w);
  shuffle_write_loops (w);
  shuffle_write_wraps (w);
  for (int i = 0; i < w->r->nloads; i++)
    {
      shuffle_write_masks (w, i, &masks);
      if (w->source[i].is_copied)
	write_source (w, i);
      if (w->form[i] != FORM_LOAD)
	write_reuse (w, i);
    }
  if (shuffle_deltas (w, FORM_CORNER, CFG_NONE)
      | shuffle_deltas (w, FORM_HALO, CFG_NONE))
    post_use (w->p, "activemask.b32");
}

/* Pass shuffle: loads of what another lane of the warp has loaded become
   shuffles (PTX ISA 9.7.9.6), and loads of what this lane has, copies.

   Needs: nothing; tags tell more.  Keeps: every value.  Breaks: nothing.
   Paper: Matsumura, Garcia De Gonzalo, Pena, "A Symbolic Emulator for Shuffle
   Synthesis on the NVIDIA PTX Code", CC 2023, section 5.

   reuse.c finds the pairs; this file chooses among them and writes the code.
   The paper's form of load B from lane + 2:

     mov.b32 %source, %a;			behind the source load
     activemask.b32 %mask;			once per block of code
     setp.ne.or.u32 %partial, %mask, -1, %odd;
     setp.gt.or.u32 %edge, %lane, 29, %partial;	once per delta
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
   loaded.

   A lane's neighbours in the sense of the addresses, those with the next
   %tid.x, are its neighbours in the warp only when no warp has pieces of
   two rows of a block: %odd says where one may have, once per kernel.  Where
   an index may overflow between lanes, %odd is set as well (reuse_wrap).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* activemask came with PTX 6.2, shfl.sync with 6.0, both for sm_30.  */
enum { SHUFFLE_VERSION = 62, SHUFFLE_SM = 30 };

/* Registers of a rewritten function start with this; no percent sign, which
   format strings would not let through.  */
#define PREFIX "$acr_"

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

/* What becomes of a load.  */
enum form
{
  FORM_LOAD,				/* it stays */
  FORM_COPY,				/* of what this lane has */
  FORM_CORNER,				/* the paper's */
  FORM_HALO
};

/* A load as a source.  */
struct source
{
  bool is_copied;			/* another load takes its value */
  int up, down;				/* lanes that its halo serves at either
					   end, 0: there is none */
};

/* A function that is being rewritten.  */
struct rewriter
{
  struct post *p;
  struct ptx_func *f;
  const struct reuse *r;
  enum form *form;			/* by load */
  struct source *source;		/* by load */
  bool failed;
};

/* ---- Choosing ---- */

/* Whether the register that load I fetches to is in its own address.  */
static bool
overwrites_address (const struct ptx_insn *insn)
{
  const struct ptx_opnd *a = insn->opnd[1];
  return a->kind == PTX_O_ADDR && a->nelt && a->elt[0]->kind == PTX_O_REG
	 && a->elt[0]->sym == insn->opnd[0]->sym;
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

/* ---- Writing ---- */

/* Insert what was written to F, whose text is *TEXT, behind AFTER.  */
static void
insert (struct rewriter *w, struct ptx_stmt *after, FILE *f, char **text)
{
  struct ptx_error e;
  if (fclose (f) != 0
      || !ptx_insert_after (w->p->unit, w->f, after, *text, &e))
    w->failed = true;
  free (*text);
}

static FILE *
open_text (char **text, size_t *len)
{
  FILE *f = open_memstream (text, len);
  if (!f)
    abort ();
  return f;
}

static unsigned
bytes_of (const struct reuse_load *l)
{
  enum ptx_type reg = l->access->stmt->insn->opnd[0]->sym->type;
  return ptx_type_info[reg].bytes;
}

static const char *
register_of (const struct reuse_load *l)
{
  return l->access->stmt->insn->opnd[0]->sym->name;
}

/* The copy of source load I.  */
static void
print_source (FILE *f, const struct rewriter *w, int i)
{
  fprintf (f, PREFIX "s%u_%d", 8 * bytes_of (&w->r->load[i]), i);
}

/* A predicate's name: the lanes that have no source DELTA lanes on.  */
static void
print_edge (FILE *f, int delta)
{
  fprintf (f, PREFIX "%s%d", delta < 0 ? "up" : "down", abs (delta));
}

/* Which deltas the loads of form FORM have, as a set by DELTA +
   POST_MAX_DELTA; the loads of block BLOCK only, unless that is CFG_NONE.  */
static uint64_t
deltas (const struct rewriter *w, enum form form, int block)
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

/* Conditions on overflow that the shuffled loads of BLOCK have, or all.  */
static unsigned
wraps (const struct rewriter *w, int block)
{
  unsigned set = 0;
  for (int i = 0; i < w->r->nloads; i++)
    if (w->form[i] >= FORM_CORNER
	&& (block == CFG_NONE || w->r->load[i].access->block == block))
      set |= w->r->load[i].wraps;
  return set;
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

/* The register of the halo of source load I, in the direction of DELTA.  */
static void
print_halo (FILE *f, const struct rewriter *w, int i, int delta)
{
  fprintf (f, PREFIX "h%s%u_%d", delta < 0 ? "up" : "down",
	   8 * bytes_of (&w->r->load[i]), i);
}

/* Declare a register of TYPE whose name PRINT gives for each delta of SET.  */
static void
declare_deltas (FILE *f, const char *type, uint64_t set,
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

static void
declare_sources (FILE *f, const struct rewriter *w)
{
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct source *s = &w->source[i];
      unsigned bits = s->is_copied ? 8 * bytes_of (&w->r->load[i]) : 0;
      if (s->is_copied)
	{
	  fprintf (f, "\t.reg.b%u ", bits);
	  print_source (f, w, i);
	  fputs (";\n", f);
	}
      for (int d = -1; d <= 1; d += 2)
	if (d < 0 ? s->up : s->down)
	  {
	    fprintf (f, "\t.reg.b%u ", bits);
	    print_halo (f, w, i, d);
	    fputs (";\n", f);
	  }
    }
}

/* What the lanes of a halo do for each delta of SET.  */
static void
write_turns (FILE *f, uint64_t set)
{
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
  FILE *f = open_text (&text, &len);
  uint64_t corners = deltas (w, FORM_CORNER, CFG_NONE);
  uint64_t halos = deltas (w, FORM_HALO, CFG_NONE);
  declare_sources (f, w);
  if (corners | halos)
    {
      fputs ("\t.reg.u32 " PREFIX "lane, " PREFIX "mask, " PREFIX "low, "
	     PREFIX "high;\n\t.reg.pred " PREFIX "odd, " PREFIX "partial, "
	     PREFIX "few;\n",
	     f);
      declare_deltas (f, "pred", corners, print_edge);
      declare_deltas (f, "pred", halos, print_inner);
      declare_deltas (f, "u32", halos, print_turn);
      for (int i = 0; i < w->r->nwraps; i++)
	if (wraps (w, CFG_NONE) >> i & 1)
	  fprintf (f, "\t.reg.pred " PREFIX "wrap%d;\n", i);
      if (w->r->sym->assumes_rows_of_32)
	fputs ("\tmov.u32 " PREFIX "low, %ntid.x;\n"
	       "\tsetp.ne.u32 " PREFIX "odd, " PREFIX "low, 32;\n",
	       f);
      else
	/* Rows that are not whole warps, and more than one.  */
	fputs ("\tmov.u32 " PREFIX "low, %ntid.y;\n"
	       "\tmov.u32 " PREFIX "high, %ntid.z;\n"
	       "\tmul.lo.u32 " PREFIX "high, " PREFIX "low, " PREFIX "high;\n"
	       "\tsetp.ne.u32 " PREFIX "odd, " PREFIX "high, 1;\n"
	       "\tmov.u32 " PREFIX "low, %ntid.x;\n"
	       "\tand.b32 " PREFIX "low, " PREFIX "low, 31;\n"
	       "\tsetp.ne.and.u32 " PREFIX "odd, " PREFIX "low, 0, " PREFIX
	       "odd;\n",
	       f);
      fputs ("\tmov.u32 " PREFIX "lane, %laneid;\n", f);
      write_turns (f, halos);
    }
  insert (w, w->f->first, f, &text);
}

/* The halo of source load I in the direction of DELTA, its largest.  */
static void
print_halo_load (FILE *f, const struct rewriter *w, int i, int delta)
{
  const struct reuse_load *l = &w->r->load[i];
  const struct ptx_insn *insn = l->access->stmt->insn;
  const struct ptx_opnd *a = insn->opnd[1];
  fprintf (f, "\tsetp.%s.and.u32 " PREFIX "few, " PREFIX "lane, %d, !" PREFIX
	      "partial;\n\t@" PREFIX "few %s ",
	   delta < 0 ? "ge" : "lt", delta < 0 ? 32 + delta : delta,
	   insn->mnemonic);
  print_halo (f, w, i, delta);
  fprintf (f, ", [%s + %" PRId64 "];\n", a->elt[0]->sym->name,
	   a->off + (delta < 0 ? -32 : 32) * l->key->stride);
}

/* The copy of source load I behind it, and its halo.  */
static void
write_source (struct rewriter *w, int i)
{
  const struct reuse_load *l = &w->r->load[i];
  char *text;
  size_t len;
  FILE *f = open_text (&text, &len);
  fprintf (f, "\tmov.b%u ", 8 * bytes_of (l));
  print_source (f, w, i);
  fprintf (f, ", %s;\n", register_of (l));
  if (w->source[i].down)
    print_halo_load (f, w, i, w->source[i].down);
  if (w->source[i].up)
    print_halo_load (f, w, i, -w->source[i].up);
  insert (w, l->access->stmt, f, &text);
}

/* Condition I behind the extension whose operand it is about.  With T that
   operand, C its constant: T - C - stride * lane is the same B in all lanes;
   sums from B + LOW to B + HIGH may not overflow, the lanes' parts among
   them.  */
static void
write_wrap (struct rewriter *w, int i)
{
  const struct reuse_wrap *c = &w->r->wrap[i];
  const struct sym_extension *e = c->extension;
  int64_t stride = c->arg->stride, reach = 31 * stride;
  int64_t low = c->low + (reach < 0 ? reach : 0);
  int64_t high = c->high + (reach > 0 ? reach : 0);
  int64_t first = (c->is_signed ? INT32_MIN : 0) - low;
  int64_t last = (c->is_signed ? INT32_MAX : (int64_t) UINT32_MAX) - high;
  char *text;
  size_t len;
  FILE *f = open_text (&text, &len);
  fprintf (f, "\tmad.lo.u32 " PREFIX "low, " PREFIX "lane, %" PRId64 ", %s;\n",
	   -stride, e->opnd->sym->name);
  fprintf (f, "\tadd.u32 " PREFIX "low, " PREFIX "low, %" PRId64 ";\n",
	   (int64_t) (int32_t) (uint32_t) (-expr_signed (e->arg) - first));
  fprintf (f, "\tsetp.gt.u32 " PREFIX "wrap%d, " PREFIX "low, %" PRId64 ";\n",
	   i, last - first);
  insert (w, e->stmt, f, &text);
}

/* The conditions of SET that are computed before statement S of block BLOCK.  */
static unsigned
known_wraps (const struct rewriter *w, unsigned set, const struct ptx_stmt *s,
	     int block)
{
  const struct ptx_stmt *t = w->r->sym->cfg->block[block].first;
  unsigned known = set;
  for (int i = 0; i < w->r->nwraps; i++)
    if ((set >> i & 1) && w->r->wrap[i].extension->block == block)
      known &= ~(1u << i);
  for (; t != s; t = t->next)
    for (int i = 0; i < w->r->nwraps; i++)
      if ((set >> i & 1) && w->r->wrap[i].extension->stmt == t)
	known |= 1u << i;
  return known;
}

/* The lanes that are here, and those at the edges: before L, for all loads of
   its block, whose conditions that are known by now are CONDITIONS.  AGAIN:
   as there were some in the block already; what was partial then remains so,
   because it has no halos.  */
static void
write_masks (struct rewriter *w, const struct reuse_load *l,
	     unsigned conditions, bool again)
{
  struct ptx_stmt *s = l->access->stmt;
  int block = l->access->block;
  char *text;
  size_t len;
  FILE *f = open_text (&text, &len);
  uint64_t set = deltas (w, FORM_CORNER, block);
  fputs ("\tactivemask.b32 " PREFIX "mask;\n", f);
  if (w->p->opt->shuffle != POST_SHUFFLE_NO_CORNER)
    {
      const char *base = s->insn->opnd[1]->elt[0]->sym->name;
      fprintf (f, "\tsetp.ne.or.u32 " PREFIX "partial, " PREFIX
		  "mask, -1, " PREFIX "%s;\n",
	       again ? "partial" : "odd");
      if (l->check)
	fprintf (f,
		 "\tcvt.u32.u64 " PREFIX "low, %s;\n\tmad.lo.u32 " PREFIX
		 "low, " PREFIX "lane, %d, " PREFIX "low;\n\tshfl.sync.idx.b32 "
		 PREFIX "high, " PREFIX "low, 0, 31, " PREFIX "mask;\n"
		 "\tsetp.ne.or.u32 " PREFIX "partial, " PREFIX "low, " PREFIX
		 "high, " PREFIX "partial;\n"
		 /* A lane's source may be the one that is elsewhere.  */
		 "\tvote.sync.any.pred " PREFIX "partial, " PREFIX
		 "partial, " PREFIX "mask;\n",
		 base, (int) -l->key->stride);
      for (int i = 0; i < w->r->nwraps; i++)
	if (conditions >> i & 1)
	  fprintf (f, "\tor.pred " PREFIX "partial, " PREFIX "partial, " PREFIX
		      "wrap%d;\n",
		   i);
      for (int d = -POST_MAX_DELTA; d <= POST_MAX_DELTA; d++)
	if (set >> (d + POST_MAX_DELTA) & 1)
	  {
	    fprintf (f, "\tsetp.%s.or.u32 ", d < 0 ? "lt" : "gt");
	    print_edge (f, d);
	    fprintf (f, ", " PREFIX "lane, %d, " PREFIX "partial;\n",
		     d < 0 ? -d : 31 - d);
	  }
    }
  insert (w, s->prev, f, &text);
}

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
    print_edge (f, w->r->load[i].delta);
  else
    fputs (PREFIX "partial", f);
  fputc (' ', f);
  ptx_print_insn (w->r->load[i].access->stmt->insn, f);
  fputc ('\n', f);
}

/* Load I as shuffles.  */
static void
print_shuffles (FILE *f, const struct rewriter *w, int i, const char *source)
{
  const struct reuse_load *l = &w->r->load[i];
  const char *to = register_of (l);
  if (w->form[i] == FORM_HALO)
    {
      fprintf (f, "\tselp.b%u %s, ", 8 * bytes_of (l), to);
      print_halo (f, w, l->source, l->delta);
      fprintf (f, ", %s, ", source);
      print_inner (f, l->delta);
      fputs (";\n", f);
      source = to;
    }
  if (bytes_of (l) == 4)
    print_shuffle (f, w, i, to, source);
  else
    {
      fprintf (f, "\tmov.b64 {" PREFIX "low, " PREFIX "high}, %s;\n", source);
      print_shuffle (f, w, i, PREFIX "low", PREFIX "low");
      print_shuffle (f, w, i, PREFIX "high", PREFIX "high");
      fprintf (f, "\tmov.b64 %s, {" PREFIX "low, " PREFIX "high};\n", to);
    }
}

/* Load I as a shuffle or a copy.  */
static void
write_reuse (struct rewriter *w, int i)
{
  const struct reuse_load *l = &w->r->load[i];
  struct ptx_stmt *s = l->access->stmt;
  char *text, *source;
  size_t len;
  FILE *f = open_text (&source, &len);
  print_source (f, w, l->source);
  fclose (f);

  f = open_text (&text, &len);
  if (w->form[i] == FORM_COPY || w->p->opt->shuffle == POST_SHUFFLE_NO_LOAD)
    fprintf (f, "\tmov.b%u %s, %s;\n", 8 * bytes_of (l), register_of (l),
	     source);
  else
    {
      print_shuffles (f, w, i, source);
      if (w->p->opt->shuffle != POST_SHUFFLE_NO_CORNER)
	print_exception (f, w, i);
    }
  free (source);
  insert (w, s, f, &text);
  if (!w->failed)
    ptx_remove (w->p->unit, s);
}

/* Whether load I needs the masks of its block.  */
static bool
needs_masks (const struct rewriter *w, int i)
{
  return (w->form[i] >= FORM_CORNER
	  && w->p->opt->shuffle != POST_SHUFFLE_NO_LOAD)
	 || w->source[i].up || w->source[i].down;
}

/* Conditions on overflow that load I has, as a load or as a source.  */
static unsigned
own_wraps (const struct rewriter *w, int i)
{
  unsigned set = w->form[i] >= FORM_CORNER ? w->r->load[i].wraps : 0;
  for (int k = i + 1; k < w->r->nloads; k++)
    if (w->form[k] == FORM_HALO && w->r->load[k].source == i)
      set |= w->r->load[k].wraps;
  return set;
}

static void
write_all_of (struct rewriter *w)
{
  int masks = CFG_NONE;		/* block whose masks are there */
  unsigned known = 0;		/* their conditions */
  const struct ptx_stmt *since = NULL;
  unsigned conditions = wraps (w, CFG_NONE);
  write_head (w);
  for (int i = 0; i < w->r->nwraps; i++)
    if (conditions >> i & 1)
      write_wrap (w, i);
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      struct ptx_stmt *s = l->access->stmt;
      int block = l->access->block;
      if (needs_masks (w, i))
	{
	  bool again = masks == block, ends = false;
	  /* A called function may let lanes end.  */
	  for (const struct ptx_stmt *t = since; again && t != s; t = t->next)
	    ends |= t->kind == PTX_S_INSN && t->insn->op == PTX_OP_CALL;
	  if (!again || ends || (own_wraps (w, i) & ~known))
	    {
	      known = known_wraps (w, wraps (w, block), s, block);
	      write_masks (w, l, known, again);
	    }
	  masks = block;
	  since = s->prev;
	}
      if (w->source[i].is_copied)
	write_source (w, i);
      if (w->form[i] != FORM_LOAD)
	write_reuse (w, i);
    }
  if (deltas (w, FORM_CORNER, CFG_NONE) | deltas (w, FORM_HALO, CFG_NONE))
    ptx_set_target (w->p->unit, SHUFFLE_VERSION, SHUFFLE_SM);
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
	write_all_of (&w);
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

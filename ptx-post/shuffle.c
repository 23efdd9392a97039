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

/* A function that is being rewritten.  */
struct rewriter
{
  struct post *p;
  struct ptx_func *f;
  const struct reuse *r;
  bool *taken;				/* by load */
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

/* Decide about every load; how many are taken.  */
static int
choose (struct rewriter *w)
{
  int n = 0;
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      const char *why = l->source >= 0 ? why_left (w, l) : l->why;
      w->taken[i] = !why;
      n += !why;
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

/* Which deltas the taken loads have, as a set by DELTA + POST_MAX_DELTA; the
   loads of block BLOCK only, unless that is CFG_NONE.  */
static uint64_t
deltas (const struct rewriter *w, int block)
{
  uint64_t set = 0;
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      if (w->taken[i] && l->delta
	  && (block == CFG_NONE || l->access->block == block))
	set |= (uint64_t) 1 << (l->delta + POST_MAX_DELTA);
    }
  return set;
}

/* Conditions on overflow that the taken loads of BLOCK have, or all.  */
static unsigned
wraps (const struct rewriter *w, int block)
{
  unsigned set = 0;
  for (int i = 0; i < w->r->nloads; i++)
    if (w->taken[i] && w->r->load[i].delta
	&& (block == CFG_NONE || w->r->load[i].access->block == block))
      set |= w->r->load[i].wraps;
  return set;
}

/* Declarations, and what is computed once.  */
static void
write_head (struct rewriter *w)
{
  char *text;
  size_t len;
  FILE *f = open_text (&text, &len);
  uint64_t all = deltas (w, CFG_NONE);
  for (int i = 0; i < w->r->nloads; i++)
    if (w->taken[i])
      w->r->load[w->r->load[i].source].is_copied = true;
  for (int i = 0; i < w->r->nloads; i++)
    if (w->r->load[i].is_copied)
      {
	fprintf (f, "\t.reg.b%u ", 8 * bytes_of (&w->r->load[i]));
	print_source (f, w, i);
	fputs (";\n", f);
      }
  if (all)
    {
      fputs ("\t.reg.u32 " PREFIX "lane, " PREFIX "mask, " PREFIX "low, "
	     PREFIX "high;\n\t.reg.pred " PREFIX "odd, " PREFIX "partial;\n",
	     f);
      for (int d = -POST_MAX_DELTA; d <= POST_MAX_DELTA; d++)
	if (all >> (d + POST_MAX_DELTA) & 1)
	  {
	    fputs ("\t.reg.pred ", f);
	    print_edge (f, d);
	    fputs (";\n", f);
	  }
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
    }
  insert (w, w->f->first, f, &text);
}

/* The copy of source load I behind it.  */
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

/* The lanes that are here, and those at the edges: before L, for all loads of
   its block.  */
static void
write_masks (struct rewriter *w, const struct reuse_load *l)
{
  struct ptx_stmt *s = l->access->stmt;
  int block = l->access->block;
  char *text;
  size_t len;
  FILE *f = open_text (&text, &len);
  uint64_t set = deltas (w, block);
  unsigned conditions = wraps (w, block);
  fputs ("\tactivemask.b32 " PREFIX "mask;\n", f);
  if (w->p->opt->shuffle != POST_SHUFFLE_NO_CORNER)
    {
      const char *base = s->insn->opnd[1]->elt[0]->sym->name;
      fputs ("\tsetp.ne.or.u32 " PREFIX "partial, " PREFIX "mask, -1, " PREFIX
	     "odd;\n",
	     f);
      if (l->check)
	fprintf (f,
		 "\tcvt.u32.u64 " PREFIX "low, %s;\n\tmad.lo.u32 " PREFIX
		 "low, " PREFIX "lane, %d, " PREFIX "low;\n\tshfl.sync.idx.b32 "
		 PREFIX "high, " PREFIX "low, 0, 31, " PREFIX "mask;\n"
		 "\tsetp.ne.or.u32 " PREFIX "partial, " PREFIX "low, " PREFIX
		 "high, " PREFIX "partial;\n",
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

/* One shuffle of 32 bits.  */
static void
print_shuffle (FILE *f, const char *to, const char *from, int delta)
{
  fprintf (f, "\tshfl.sync.%s.b32 %s, %s, %d, %d, " PREFIX "mask;\n",
	   delta < 0 ? "up" : "down", to, from, abs (delta),
	   delta < 0 ? 0 : 31);
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
  unsigned bytes = bytes_of (l);
  const char *to = register_of (l);
  if (l->delta == 0 || w->p->opt->shuffle == POST_SHUFFLE_NO_LOAD)
    fprintf (f, "\tmov.b%u %s, %s;\n", 8 * bytes, to, source);
  else
    {
      if (bytes == 4)
	print_shuffle (f, to, source, l->delta);
      else
	{
	  fprintf (f, "\tmov.b64 {" PREFIX "low, " PREFIX "high}, %s;\n",
		   source);
	  print_shuffle (f, PREFIX "low", PREFIX "low", l->delta);
	  print_shuffle (f, PREFIX "high", PREFIX "high", l->delta);
	  fprintf (f, "\tmov.b64 %s, {" PREFIX "low, " PREFIX "high};\n", to);
	}
      if (w->p->opt->shuffle != POST_SHUFFLE_NO_CORNER)
	{
	  fputs ("\t@", f);
	  print_edge (f, l->delta);
	  fputc (' ', f);
	  ptx_print_insn (s->insn, f);
	  fputc ('\n', f);
	}
    }
  free (source);
  insert (w, s, f, &text);
  if (!w->failed)
    ptx_remove (w->p->unit, s);
}

static void
write_all_of (struct rewriter *w)
{
  int masks = CFG_NONE;		/* block whose masks are there */
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
      if (l->is_copied)
	write_source (w, i);
      if (!w->taken[i])
	continue;
      if (l->delta && w->p->opt->shuffle != POST_SHUFFLE_NO_LOAD)
	{
	  /* A called function may let lanes end.  */
	  for (const struct ptx_stmt *t = since; t && t != s; t = t->next)
	    if (t->kind == PTX_S_INSN && t->insn->op == PTX_OP_CALL)
	      masks = CFG_NONE;
	  if (masks != l->access->block)
	    write_masks (w, l);
	  masks = l->access->block;
	  since = s->prev;
	}
      write_reuse (w, i);
    }
  if (deltas (w, CFG_NONE))
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
      w.taken = calloc (r->nloads + 1, sizeof *w.taken);
      if (!w.taken)
	abort ();
      int taken = choose (&w);
      summarise (&w, taken, start);
      if (taken)
	write_all_of (&w);
      free (w.taken);
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

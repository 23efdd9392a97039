/* Pass shuffle: which lanes have no source for a shuffle.

   Once per kernel, how many lanes in front of this one and behind it are
   its neighbours in a row of the block, those whose %tid.x goes on from its
   own: a warp may have pieces of several rows.

     min.u32 %before, %tid.x, %lane;
     min.u32 %after, %ntid.x - 1 - %tid.x, 31 - %lane;

   Once per block of code, whether the warp is complete; with what the analysis
   left open for the code to check: that an index does not overflow from one
   lane to the next (reuse_wrap), that lanes are in the same iteration of the
   loops around it (shuffle-carry.c counts them).  Then once per delta the lanes
   at the edges:

     activemask.b32 %mask;
     setp.ne.u32 %partial, %mask, -1;
     setp.lt.or.u32 %edge, %after, 2, %partial;
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pass/shuffle/shuffle-int.h"

#include <inttypes.h>

void
shuffle_print_edge (FILE *f, int delta)
{
  fprintf (f, PREFIX "%s%d", delta < 0 ? "up" : "down", abs (delta));
}

/* ---- Once per kernel ---- */

/* Whether no warp may be treated as complete in some kinds of blocks: %odd says
   whether this block is of them.  Halos need rows that are whole warps.  */
static bool
has_odd_blocks (const struct rewriter *w)
{
  return w->r->sym->assumes_rows_of_32
	 || shuffle_deltas (w, FORM_HALO, CFG_NONE) != 0;
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

void
shuffle_write_rows (FILE *f, const struct rewriter *w)
{
  fputs ("\t.reg.u32 " PREFIX "lane, " PREFIX "mask, " PREFIX "low, " PREFIX
	 "high, " PREFIX "before, " PREFIX "after;\n"
	 "\t.reg.b16 " PREFIX "half;\n"
	 "\t.reg.pred " PREFIX "odd, " PREFIX "partial, " PREFIX "few;\n",
	 f);
  shuffle_declare (f, "pred", shuffle_deltas (w, FORM_CORNER, CFG_NONE),
		   shuffle_print_edge);
  for (int i = 0; i < w->r->nwraps; i++)
    if (wraps (w, CFG_NONE) >> i & 1)
      fprintf (f, "\t.reg.pred " PREFIX "wrap%d;\n", i);
  if (w->r->sym->assumes_rows_of_32)
    fputs ("\tmov.u32 " PREFIX "low, %ntid.x;\n"
	   "\tsetp.ne.u32 " PREFIX "odd, " PREFIX "low, 32;\n",
	   f);
  else if (has_odd_blocks (w))
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
  fputs ("\tmov.u32 " PREFIX "lane, %laneid;\n"
	 "\tmov.u32 " PREFIX "before, %tid.x;\n"
	 "\tmov.u32 " PREFIX "after, %ntid.x;\n"
	 "\tsub.u32 " PREFIX "after, " PREFIX "after, " PREFIX "before;\n"
	 "\tsub.u32 " PREFIX "after, " PREFIX "after, 1;\n"
	 "\txor.b32 " PREFIX "low, " PREFIX "lane, 31;\n"
	 "\tmin.u32 " PREFIX "after, " PREFIX "after, " PREFIX "low;\n"
	 "\tmin.u32 " PREFIX "before, " PREFIX "before, " PREFIX "lane;\n",
	 f);
}

/* ---- Conditions on overflow ---- */

/* Condition I behind the extension whose operand it is about.  With T that
   operand, C its constant: T - C - stride * before is the same B in all lanes
   of a row; sums from B + LOW to B + HIGH may not overflow, the lanes' parts
   among them.  */
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
  FILE *f = shuffle_open (&text, &len);
  /* GCC extends the low half of registers of 64 bits, too.  */
  bool wide = eval_width (e->opnd->sym->type) == 64;
  fprintf (f, "\t%s " PREFIX "low, %s;\n", wide ? "cvt.u32.u64" : "mov.u32",
	   e->opnd->sym->name);
  fprintf (f,
	   "\tmad.lo.u32 " PREFIX "low, " PREFIX "before, %" PRId64
	   ", " PREFIX "low;\n",
	   -stride);
  fprintf (f, "\tadd.u32 " PREFIX "low, " PREFIX "low, %" PRId64 ";\n",
	   (int64_t) (int32_t) (uint32_t) (-expr_signed (e->arg) - first));
  fprintf (f, "\tsetp.gt.u32 " PREFIX "wrap%d, " PREFIX "low, %" PRId64 ";\n",
	   i, last - first);
  shuffle_insert (w, e->stmt, f, &text);
}

void
shuffle_write_wraps (struct rewriter *w)
{
  unsigned set = wraps (w, CFG_NONE);
  for (int i = 0; i < w->r->nwraps; i++)
    if (set >> i & 1)
      write_wrap (w, i);
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

/* ---- Once per block of code ---- */

/* Whether lanes of the warp are in different iterations of the loops around
   block BLOCK, as their counts tell; a lane's source may be the one that is
   elsewhere.  A count that has come to its end says nothing.  */
static void
print_lockstep (FILE *f, const struct rewriter *w, int block)
{
  const struct cfg *g = w->r->sym->cfg;
  for (int l = g->block[block].loop; l != CFG_NONE; l = g->loop[l].parent)
    if (shuffle_counts (w, l))
      fprintf (f,
	       "\tshfl.sync.idx.b32 " PREFIX "low, " PREFIX "count%d, 0, 31, "
	       PREFIX "mask;\n"
	       "\tsetp.ne.or.u32 " PREFIX "partial, " PREFIX "low, " PREFIX
	       "count%d, " PREFIX "partial;\n"
	       "\tsetp.eq.or.u32 " PREFIX "partial, " PREFIX "count%d, %d, "
	       PREFIX "partial;\n",
	       l, l, l, INT32_MAX);
  fputs ("\tvote.sync.any.pred " PREFIX "partial, " PREFIX "partial, " PREFIX
	 "mask;\n",
	 f);
}

/* Emit, before L, the active mask and the edge-lane predicates of all loads of
   its block.  CONDITIONS: overflow conditions that are computed before L.
   AGAIN: masks of the block exist already; a warp that was partial then stays
   partial, because it loaded no halos.  */
static void
write_masks (struct rewriter *w, const struct reuse_load *l,
	     unsigned conditions, bool again)
{
  char *text;
  size_t len;
  FILE *f = shuffle_open (&text, &len);
  uint64_t set = shuffle_deltas (w, FORM_CORNER, l->access->block);
  fputs ("\tactivemask.b32 " PREFIX "mask;\n", f);
  if (w->p->opt->shuffle != POST_SHUFFLE_NO_CORNER)
    {
      const char *more = again		     ? ", " PREFIX "partial"
			 : has_odd_blocks (w) ? ", " PREFIX "odd"
					      : "";
      fprintf (f, "\tsetp.ne%s.u32 " PREFIX "partial, " PREFIX "mask, -1%s;\n",
	       *more ? ".or" : "", more);
      if (l->check)
	print_lockstep (f, w, l->access->block);
      for (int i = 0; i < w->r->nwraps; i++)
	if (conditions >> i & 1)
	  fprintf (f, "\tor.pred " PREFIX "partial, " PREFIX "partial, " PREFIX
		      "wrap%d;\n",
		   i);
      for (int d = -POST_MAX_DELTA; d <= POST_MAX_DELTA; d++)
	if (set >> (d + POST_MAX_DELTA) & 1)
	  {
	    fputs ("\tsetp.lt.or.u32 ", f);
	    shuffle_print_edge (f, d);
	    fprintf (f, ", " PREFIX "%s, %d, " PREFIX "partial;\n",
		     d < 0 ? "before" : "after", abs (d));
	  }
    }
  shuffle_insert (w, l->access->stmt->prev, f, &text);
}

/* Whether load I needs the masks of its block.  */
static bool
needs_masks (const struct rewriter *w, int i)
{
  return (w->form[i] >= FORM_CORNER
	  && w->p->opt->shuffle != POST_SHUFFLE_NO_LOAD)
	 || w->source[i].up || w->source[i].down;
}

void
shuffle_write_masks (struct rewriter *w, int i, struct masks *m)
{
  const struct reuse_load *l = &w->r->load[i];
  struct ptx_stmt *s = l->access->stmt;
  int block = l->access->block;
  bool again = m->block == block, ends = false;
  if (!needs_masks (w, i))
    return;
  /* A called function may let lanes end.  */
  for (const struct ptx_stmt *t = m->since; again && t != s; t = t->next)
    ends |= t->kind == PTX_S_INSN && t->insn->op == PTX_OP_CALL;
  if (!again || ends || (own_wraps (w, i) & ~m->known))
    {
      m->known = known_wraps (w, wraps (w, block), s, block);
      write_masks (w, l, m->known, again);
    }
  m->block = block;
  m->since = s->prev;
}

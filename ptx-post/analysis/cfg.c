/* The flow graph of a function: blocks in reverse post-order, dominators,
   natural loops.

   Dominators by the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast
   Dominance Algorithm").
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 1 << 14 };

/* ---- Blocks ---- */

/* Whether control does not simply go on behind S.  */
static bool
ends_block (const struct ptx_stmt *s)
{
  if (s->kind != PTX_S_INSN)
    return false;
  switch (s->insn->op)
    {
    case PTX_OP_BRA:
    case PTX_OP_BRX:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_TRAP:
      return true;
    default:
      return false;
    }
}

/* Blocks in source order, while they are being found.  */
struct draft
{
  struct cfg_block *block;
  int n, room;
  const char *why;
};

static void
draft_blocks (struct draft *d, const struct ptx_func *f)
{
  bool open = false;
  for (struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      if (!open || s->kind == PTX_S_LABEL)
	{
	  if (d->n == MAX_BLOCKS)
	    {
	      d->why = "the function is too large";
	      return;
	    }
	  if (d->n == d->room)
	    {
	      d->room = d->room ? 2 * d->room : 64;
	      d->block = realloc (d->block, d->room * sizeof *d->block);
	      if (!d->block)
		abort ();
	    }
	  d->block[d->n++] = (struct cfg_block) { .first = s };
	}
      d->block[d->n - 1].last = s;
      open = !ends_block (s);
    }
}

struct label { const struct ptx_sym *sym; int block; };

static int
compare_labels (const void *a, const void *b)
{
  const struct label *x = a, *y = b;
  return (x->sym > y->sym) - (x->sym < y->sym);
}

static int
find_label (const struct label *label, int n, const struct ptx_sym *sym)
{
  struct label key = { sym, 0 };
  const struct label *l
    = bsearch (&key, label, n, sizeof *label, compare_labels);
  return l ? l->block : CFG_NONE;
}

/* Successors of block I, whose last statement is S.  */
static void
draft_edges (struct draft *d, int i, const struct label *label, int nlabels)
{
  struct cfg_block *b = &d->block[i];
  const struct ptx_insn *insn
    = ends_block (b->last) ? b->last->insn : NULL;
  if (insn && insn->op == PTX_OP_BRX)
    d->why = "it has indirect branches";
  if (insn && insn->op == PTX_OP_BRA)
    {
      int to = find_label (label, nlabels, insn->opnd[0]->sym);
      if (to == CFG_NONE)
	d->why = "a branch leads nowhere";
      b->succ[b->nsucc++] = to;
    }
  if ((!insn || insn->guard) && i + 1 < d->n)
    b->succ[b->nsucc++] = i + 1;
}

static void
connect (struct draft *d)
{
  int n = 0;
  struct label *label = xcalloc (d->n, sizeof *label);
  for (int i = 0; i < d->n; i++)
    if (d->block[i].first->kind == PTX_S_LABEL)
      label[n++] = (struct label) { d->block[i].first->sym, i };
  qsort (label, n, sizeof *label, compare_labels);
  for (int i = 0; i < d->n && !d->why; i++)
    draft_edges (d, i, label, n);
  free (label);
}

/* ---- Order ---- */

/* ORDER[i] becomes the draft's number of block i; returns how many can be
   reached.  */
static int
reverse_post_order (const struct draft *d, int *order)
{
  int *stack = xcalloc (d->n, sizeof *stack), depth = 0, n = 0;
  int *visited = xcalloc (d->n, sizeof *visited);	/* 1 + edges taken */
  if (d->n)
    visited[stack[depth++] = 0] = 1;
  while (depth)
    {
      int b = stack[depth - 1], edge = visited[b]++ - 1;
      if (edge == d->block[b].nsucc)
	{
	  order[n++] = b;
	  depth--;
	  continue;
	}
      int to = d->block[b].succ[edge];
      if (!visited[to])
	visited[stack[depth++] = to] = 1;
    }
  for (int i = 0; i < n / 2; i++)
    {
      int t = order[i];
      order[i] = order[n - 1 - i];
      order[n - 1 - i] = t;
    }
  free (stack);
  free (visited);
  return n;
}

static void
renumber (struct cfg *g, const struct draft *d)
{
  int *order = xcalloc (d->n, sizeof *order);
  int *number = xcalloc (d->n, sizeof *number);
  g->nblocks = reverse_post_order (d, order);
  g->block = xcalloc (g->nblocks, sizeof *g->block);
  for (int i = 0; i < g->nblocks; i++)
    number[order[i]] = i;
  for (int i = 0; i < g->nblocks; i++)
    {
      struct cfg_block *b = &g->block[i];
      *b = d->block[order[i]];
      for (int k = 0; k < b->nsucc; k++)
	b->succ[k] = number[b->succ[k]];
    }
  free (order);
  free (number);

  for (int i = 0; i < g->nblocks; i++)
    for (int k = 0; k < g->block[i].nsucc; k++)
      g->block[g->block[i].succ[k]].npred++;
  for (int i = 0; i < g->nblocks; i++)
    {
      g->block[i].pred = xcalloc (g->block[i].npred, sizeof (int));
      g->block[i].npred = 0;
    }
  for (int i = 0; i < g->nblocks; i++)
    for (int k = 0; k < g->block[i].nsucc; k++)
      {
	struct cfg_block *to = &g->block[g->block[i].succ[k]];
	to->pred[to->npred++] = i;
      }
}

/* ---- Dominators ---- */

static void
find_dominators (struct cfg *g)
{
  for (int i = 0; i < g->nblocks; i++)
    g->block[i].idom = CFG_NONE;
  for (bool changed = true; changed;)
    {
      changed = false;
      for (int i = 1; i < g->nblocks; i++)
	{
	  int dom = CFG_NONE;
	  for (int k = 0; k < g->block[i].npred; k++)
	    {
	      int p = g->block[i].pred[k];
	      if (p != 0 && g->block[p].idom == CFG_NONE)
		continue;
	      if (dom == CFG_NONE)
		dom = p;
	      while (dom != p)
		if (dom > p)
		  dom = g->block[dom].idom;
		else
		  p = g->block[p].idom;
	    }
	  if (g->block[i].idom != dom)
	    {
	      g->block[i].idom = dom;
	      changed = true;
	    }
	}
    }
}

/* Whether control may leave the function behind B.  */
static bool
leaves (const struct cfg_block *b)
{
  return b->nsucc == 0
	 || (b->nsucc == 1 && ends_block (b->last)
	     && b->last->insn->op != PTX_OP_BRA);
}

/* Post-dominators: the same, backwards, over blocks numbered in post-order
   from the end.  Block N stands for the end; an endless loop counts as if its
   last block led there.  */
static void
find_post_dominators (struct cfg *g)
{
  int n = g->nblocks, end = n;
  int *order = xcalloc (n + 1, sizeof *order);	/* from the end backwards */
  int *rank = xcalloc (n + 1, sizeof *rank);
  int *dom = xcalloc (n + 1, sizeof *dom);
  int *stack = xcalloc (n + 1, sizeof *stack);
  int *edges = xcalloc (n + 1, sizeof *edges);	/* 1 + edges taken */
  bool *exits = xcalloc (n + 1, sizeof *exits);
  int count = 0;

  /* Depth-first searches against the edges: from every block that ends the
     function, then from the last of those that none of them reaches.  */
  for (int i = 0; i < n; i++)
    exits[i] = leaves (&g->block[i]);
  for (int pass = 0; pass < 2; pass++)
    for (int root = n - 1; root >= 0; root--)
      {
	if (edges[root] || (pass == 0 && !exits[root]))
	  continue;
	exits[root] = true;
	int depth = 0;
	edges[stack[depth++] = root] = 1;
	while (depth)
	  {
	    int b = stack[depth - 1], edge = edges[b]++ - 1;
	    if (edge == g->block[b].npred)
	      {
		order[count++] = b;
		depth--;
		continue;
	      }
	    int to = g->block[b].pred[edge];
	    if (!edges[to])
	      edges[stack[depth++] = to] = 1;
	  }
      }
  for (int i = 0; i < count; i++)
    rank[order[i]] = i;
  rank[end] = n;
  for (int i = 0; i <= n; i++)
    dom[i] = CFG_NONE;
  dom[end] = end;
  for (bool changed = true; changed;)
    {
      changed = false;
      for (int i = count - 1; i >= 0; i--)
	{
	  int b = order[i], d = exits[b] ? end : CFG_NONE;
	  for (int k = 0; k < g->block[b].nsucc; k++)
	    {
	      int s = g->block[b].succ[k];
	      if (dom[s] == CFG_NONE)
		continue;
	      if (d == CFG_NONE)
		d = s;
	      while (d != s)
		if (rank[d] < rank[s])
		  d = dom[d];
		else
		  s = dom[s];
	    }
	  if (dom[b] != d)
	    {
	      dom[b] = d;
	      changed = true;
	    }
	}
    }
  for (int i = 0; i < n; i++)
    g->block[i].ipdom = dom[i] == end ? CFG_NONE : dom[i];
  free (order);
  free (rank);
  free (dom);
  free (stack);
  free (edges);
  free (exits);
}

bool
cfg_dominates (const struct cfg *g, int a, int b)
{
  while (b > a)
    b = g->block[b].idom;
  return a == b;
}

void
cfg_flood (const struct cfg *g, int block, int stop, bool *mark, int *stack)
{
  int depth = 0;
  if (block != stop && !mark[block])
    {
      mark[block] = true;
      stack[depth++] = block;
    }
  while (depth)
    {
      const struct cfg_block *b = &g->block[stack[--depth]];
      for (int k = 0; k < b->nsucc; k++)
	if (b->succ[k] != stop && !mark[b->succ[k]])
	  {
	    mark[b->succ[k]] = true;
	    stack[depth++] = b->succ[k];
	  }
    }
}

/* ---- Loops ---- */

bool
cfg_in_loop (const struct cfg *g, int loop, int b)
{
  int l = g->block[b].loop;
  while (l != loop && l != CFG_NONE)
    l = g->loop[l].parent;
  return l == loop;
}

static bool
is_loop_header (const struct cfg *g, int b)
{
  for (int k = 0; k < g->block[b].npred; k++)
    if (cfg_is_back_edge (g->block[b].pred[k], b))
      return true;
  return false;
}

/* Put the blocks from which LOOP's latch LATCH can be reached into it; what
   is in a loop already is that loop's, which becomes a child.  */
static void
collect (struct cfg *g, int loop, int latch, int *stack)
{
  int depth = 0;
  stack[depth++] = latch;
  while (depth)
    {
      int b = stack[--depth], inner = g->block[b].loop;
      if (inner != CFG_NONE)
	{
	  while (inner != loop && g->loop[inner].parent != CFG_NONE)
	    inner = g->loop[inner].parent;
	  if (inner == loop)
	    continue;
	  g->loop[inner].parent = loop;
	  b = g->loop[inner].header;
	}
      else
	g->block[b].loop = loop;
      if (b == g->loop[loop].header)
	continue;
      for (int k = 0; k < g->block[b].npred; k++)
	if (inner == CFG_NONE || !cfg_is_back_edge (g->block[b].pred[k], b))
	  stack[depth++] = g->block[b].pred[k];
    }
}

/* False when the flow graph is irreducible.  */
static bool
find_loops (struct cfg *g)
{
  size_t edges = 0;
  for (int i = 0; i < g->nblocks; i++)
    {
      g->block[i].loop = CFG_NONE;
      edges += g->block[i].nsucc;
      for (int k = 0; k < g->block[i].nsucc; k++)
	if (cfg_is_back_edge (i, g->block[i].succ[k])
	    && !cfg_dominates (g, g->block[i].succ[k], i))
	  return false;
    }
  int *stack = xcalloc (edges + 1, sizeof *stack);
  g->loop = xcalloc (g->nblocks, sizeof *g->loop);
  for (int h = g->nblocks - 1; h >= 0; h--)
    if (is_loop_header (g, h))
      {
	int loop = g->nloops++;
	g->loop[loop] = (struct cfg_loop) { .header = h, .parent = CFG_NONE };
	g->block[h].loop = loop;
	for (int k = 0; k < g->block[h].npred; k++)
	  if (cfg_is_back_edge (g->block[h].pred[k], h))
	    collect (g, loop, g->block[h].pred[k], stack);
      }
  for (int l = g->nloops - 1; l >= 0; l--)
    {
      int parent = g->loop[l].parent;
      g->loop[l].depth = parent == CFG_NONE ? 1 : g->loop[parent].depth + 1;
    }
  free (stack);
  return true;
}

struct cfg *
cfg_new (const struct ptx_func *f, const char **why)
{
  if (!f->has_body || f->opaque)
    {
      *why = f->has_body ? "it has instructions that are not understood"
			 : "it has no body";
      return NULL;
    }
  struct draft d = { 0 };
  struct cfg *g = xcalloc (1, sizeof *g);
  g->f = f;
  draft_blocks (&d, f);
  if (!d.why)
    connect (&d);
  if (!d.why)
    {
      renumber (g, &d);
      find_dominators (g);
      find_post_dominators (g);
      if (!find_loops (g))
	d.why = "it has irreducible loops";
    }
  free (d.block);
  if (!d.why)
    return g;
  *why = d.why;
  cfg_free (g);
  return NULL;
}

void
cfg_free (struct cfg *g)
{
  if (!g)
    return;
  for (int i = 0; i < g->nblocks; i++)
    free (g->block[i].pred);
  free (g->block);
  free (g->loop);
  free (g);
}

/* Which lanes of a warp go together: branches that diverge, where the ways
   meet, and loops whose iterations lanes count together (see sym.c).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/sym-int.h"

#include <stdlib.h>

/* Whether lanes may have left LOOP in different iterations.  */
static bool
leaves_apart (const struct sym *s, int loop)
{
  const struct cfg *g = s->cfg;
  if (s->lockstep[loop] == SYM_LOCKSTEP_NO)
    return true;
  for (int b = g->loop[loop].header; b < g->nblocks; b++)
    if (s->state->divergent[b] && cfg_in_loop (g, loop, b))
      for (int k = 0; k < g->block[b].nsucc; k++)
	if (!cfg_in_loop (g, loop, g->block[b].succ[k]))
	  return true;
  return false;
}

bool
sym_is_stale (const struct sym *s, int from, int to, int slot)
{
  const struct cfg *g = s->cfg;
  for (int l = g->block[from].loop; l != CFG_NONE && !cfg_in_loop (g, l, to);
       l = g->loop[l].parent)
    if ((slot == NO_SLOT || s->state->written[l * s->state->nslots + slot])
	&& leaves_apart (s, l))
      return true;
  return false;
}

/* Lanes that go separate ways at BLOCK may meet where both lead.  */
static void
spread_divergence (struct sym *s, int block)
{
  const struct cfg *g = s->cfg;
  const struct cfg_block *b = &g->block[block];
  bool *mark[2];
  int *stack = xcalloc (g->nblocks, sizeof *stack);
  for (int k = 0; k < 2; k++)
    {
      mark[k] = xcalloc (g->nblocks, sizeof *mark[k]);
      if (k < b->nsucc)
	cfg_flood (g, b->succ[k], b->ipdom, mark[k], stack);
    }
  for (int i = 0; i < g->nblocks; i++)
    s->state->meeting[i] |= (mark[0][i] && mark[1][i]) || i == b->ipdom;
  free (mark[0]);
  free (mark[1]);
  free (stack);
}

/* Whether an iteration of LOOP can pass no barrier of the warp.  */
static bool
has_free_cycle (const struct sym *s, int loop)
{
  const struct cfg *g = s->cfg;
  int header = g->loop[loop].header, depth = 0;
  bool *mark = xcalloc (g->nblocks, sizeof *mark), found = false;
  int *stack = xcalloc (g->nblocks, sizeof *stack);
  if (!s->state->syncs[header])
    mark[stack[depth++] = header] = true;
  while (depth && !found)
    {
      const struct cfg_block *b = &g->block[stack[--depth]];
      for (int k = 0; k < b->nsucc; k++)
	{
	  int to = b->succ[k];
	  found |= to == header;
	  if (cfg_in_loop (g, loop, to) && !mark[to] && !s->state->syncs[to])
	    mark[stack[depth++] = to] = true;
	}
    }
  free (mark);
  free (stack);
  return found;
}

/* Whether lanes that go separate ways at BLOCK meet again before LOOP's next
   iteration: at the block where all ways meet, none around the loop.  */
static bool
meet_again (const struct sym *s, int block, int loop)
{
  const struct cfg *g = s->cfg;
  const struct cfg_block *b = &g->block[block];
  if (b->ipdom == CFG_NONE || !cfg_in_loop (g, loop, b->ipdom))
    return false;
  bool *mark = xcalloc (g->nblocks, sizeof *mark);
  int *stack = xcalloc (g->nblocks, sizeof *stack);
  for (int k = 0; k < b->nsucc; k++)
    cfg_flood (g, b->succ[k], b->ipdom, mark, stack);
  bool around = mark[g->loop[loop].header];
  free (mark);
  free (stack);
  return !around && b->ipdom != g->loop[loop].header;
}

/* Branch BLOCK diverges: loops in which it goes both ways, lanes disagreeing,
   lose their lockstep.  */
static void
lose_lockstep (struct sym *s, int block)
{
  const struct cfg *g = s->cfg;
  for (int l = g->block[block].loop; l != CFG_NONE; l = g->loop[l].parent)
    {
      bool stays = true;
      for (int k = 0; k < g->block[block].nsucc; k++)
	stays &= cfg_in_loop (g, l, g->block[block].succ[k]);
      if (!stays || s->lockstep[l] == SYM_LOCKSTEP_NO
	  || !has_free_cycle (s, l))
	continue;
      s->lockstep[l] = meet_again (s, block, l) ? SYM_LOCKSTEP_LIKELY
						: SYM_LOCKSTEP_NO;
    }
}

bool
sym_check_branches (struct sym *s)
{
  struct sym_state *st = s->state;
  bool changed = false;
  for (int b = 0; b < s->cfg->nblocks; b++)
    {
      const struct ptx_stmt *last = s->cfg->block[b].last;
      if (!st->reached[b] || !st->guard[b] || st->guard[b]->uniform
	  || st->divergent[b]
	  || (last->insn->op == PTX_OP_BRA
	      && last->insn->mod[PTX_MC_MODE] == PTX_M_UNI))
	continue;
      st->divergent[b] = changed = true;
      spread_divergence (s, b);
      lose_lockstep (s, b);
    }
  return changed;
}

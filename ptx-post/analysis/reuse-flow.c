/* Which loads are available where: a data-flow problem like available
   expressions.  A load is available where every path has it and no possible
   store to it after it.  A loop's header and its exits drop the loads of its
   body, whose last instance is of another iteration; behind the header they
   are those of the previous iteration, which the first one does not have: the
   rewriter checks that when the code runs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/reuse-int.h"

#include <string.h>

enum { WORD_BITS = 64, MAX_WORDS = 1 << 22 };

static bool
get (const reuse_word *set, int i)
{
  return set[i / WORD_BITS] >> i % WORD_BITS & 1;
}

static void
put (reuse_word *set, int i, bool value)
{
  reuse_word bit = (reuse_word) 1 << i % WORD_BITS;
  set[i / WORD_BITS] = value ? set[i / WORD_BITS] | bit
			     : set[i / WORD_BITS] & ~bit;
}

static int
bit_of (const struct search *s, int i, enum reuse_sense sense)
{
  return sense * s->r->nloads + i;
}

bool
reuse_has (const struct search *s, const reuse_word *set, int i,
	   enum reuse_sense sense)
{
  return get (set, bit_of (s, i, sense));
}

/* ---- Memory ---- */

enum ptx_space
reuse_space (const struct search *s, const struct ptx_insn *insn)
{
  if (insn->space != PTX_SP_NONE || !s->origins)
    return insn->space;
  struct origin o = origin_of_access (s->origins, insn);
  return o.kind == ORIGIN_SPACE ? o.space : PTX_SP_NONE;
}

static const struct acr_operand *
operand_of (const struct search *s, const struct ptx_insn *insn)
{
  if (!s->region || !s->origins)
    return NULL;
  struct origin o = origin_of_access (s->origins, insn);
  return o.kind == ORIGIN_SPACE && o.slot != ORIGIN_NO_SLOT
	   ? acr_region_slot (s->region, o.slot)
	   : NULL;
}

/* Whether nothing writes what INSN reads while the kernel runs.  */
static bool
reads_constant (const struct search *s, const struct ptx_insn *insn)
{
  const struct acr_operand *op = operand_of (s, insn);
  return ptx_insn_has (insn, PTX_M_NC)
	 || (op && acr_region_constant (s->region, op->slot));
}

static unsigned
bytes_of (const struct ptx_insn *insn)
{
  return insn->vec * ptx_type_info[insn->type[0]].bytes;
}

/* Whether the store A and the load L, for REUSE_PREVIOUS that of the iteration
   before, are known to access different bytes: of the same lane, and of lanes
   that go together with it, for programs that take that for granted.  */
static bool
are_apart (const struct search *s, const struct sym_access *a,
	   const struct sym_access *l, enum reuse_sense sense)
{
  const struct sym *sym = s->r->sym;
  const struct ptx_insn *store = a->stmt->insn, *load = l->stmt->insn;
  const struct term *to = a->address;
  /* Atomic operations order what is around them.  */
  if (store->op != PTX_OP_ST || store->space != load->space
      || (store->mod[PTX_MC_SEM] && store->mod[PTX_MC_SEM] != PTX_M_WEAK))
    return false;
  if (sense == REUSE_PREVIOUS)
    to = sym_next_iteration (sym, to, sym->cfg->block[l->block].loop);
  int64_t distance;
  if (!to || !to->linear || !expr_distance (l->address, to, &distance))
    return false;
  for (int lanes = -31; lanes <= 31; lanes++)
    {
      int64_t d = (uint64_t) distance + lanes * (uint64_t) to->stride;
      if (d < (int64_t) bytes_of (store) && d > -(int64_t) bytes_of (load))
	return false;
    }
  return true;
}

/* Whether the access A, which writes, may change what load L reads, in SENSE.  */
static bool
may_change (const struct search *s, const struct sym_access *a,
	    const struct sym_access *l, enum reuse_sense sense)
{
  const struct ptx_insn *write = a->stmt->insn, *insn = l->stmt->insn;
  if (reads_constant (s, insn))
    return false;
  if (!a->address)
    return true;
  enum ptx_space from = reuse_space (s, write), to = reuse_space (s, insn);
  if (from != PTX_SP_NONE && to != PTX_SP_NONE && from != to)
    return false;
  if (sense != REUSE_WARP && are_apart (s, a, l, sense))
    return false;
  const struct acr_operand *x = operand_of (s, write);
  const struct acr_operand *y = operand_of (s, insn);
  return !x || !y || x->group == ACR_ALIAS_ANY || y->group == ACR_ALIAS_ANY
	 || x->group == y->group;
}

/* ---- Available loads ---- */

void
reuse_step (const struct search *s, int access, reuse_word *set)
{
  int load = s->load_of[access];
  const struct sym_access *a = &s->r->sym->access[access];
  if (ptx_op_info[a->stmt->insn->op].flags & PTX_OF_WRITES_MEM)
    for (int i = 0; i < s->words; i++)
      set[i] &= ~s->kill[(size_t) access * s->words + i];
  if (load >= 0 && s->r->load[load].candidate)
    for (enum reuse_sense sense = REUSE_WARP; sense <= REUSE_LANE; sense++)
      put (set, bit_of (s, load, sense), true);
}

/* Whether each edge back to the header B of load I's loop brings what I got in
   the iteration that ends.  */
static bool
comes_back (const struct search *s, int i, int b)
{
  const struct cfg_block *block = &s->r->sym->cfg->block[b];
  bool comes = true;
  for (int k = 0; k < block->npred; k++)
    if (cfg_is_back_edge (block->pred[k], b))
      comes &= reuse_has (s, s->out + (size_t) block->pred[k] * s->words, i,
			  REUSE_LANE);
  return comes;
}

/* At the head of block B, loads of loops that control is no longer in, or whose
   next iteration begins, are those of another iteration.  */
static void
change_iterations (const struct search *s, int b, reuse_word *set)
{
  const struct cfg *g = s->r->sym->cfg;
  bool header = cfg_is_header (g, b);
  for (int i = 0; i < s->r->nloads; i++)
    {
      int from = s->r->load[i].access->block;
      int loop = g->block[from].loop;
      bool left = !cfg_in_loop (g, loop, b);
      bool next = header && cfg_in_loop (g, g->block[b].loop, from);
      if (left || next)
	for (enum reuse_sense sense = 0; sense <= REUSE_LANE; sense++)
	  put (set, bit_of (s, i, sense), false);
      if (next && g->block[b].loop == loop)
	put (set, bit_of (s, i, REUSE_PREVIOUS), comes_back (s, i, b));
      else if (left || loop == CFG_NONE)
	put (set, bit_of (s, i, REUSE_PREVIOUS), false);
    }
}

/* Index of the first access of block B or a later one.  */
static int
first_access (const struct sym *sym, int b)
{
  int low = 0, high = sym->naccesses;
  while (low < high)
    {
      int mid = (low + high) / 2;
      if (sym->access[mid].block < b)
	low = mid + 1;
      else
	high = mid;
    }
  return low;
}

static void
find_available (struct search *s)
{
  const struct sym *sym = s->r->sym;
  const struct cfg *g = sym->cfg;
  size_t words = s->words;
  reuse_word *set = xcalloc (words, sizeof *set);
  memset (s->out, 0xff, g->nblocks * words * sizeof *s->out);
  for (bool changed = true; changed;)
    {
      changed = false;
      for (int b = 0; b < g->nblocks; b++)
	{
	  memset (set, b == 0 ? 0 : 0xff, words * sizeof *set);
	  for (int k = 0; k < g->block[b].npred; k++)
	    for (size_t i = 0; i < words; i++)
	      set[i] &= s->out[g->block[b].pred[k] * words + i];
	  change_iterations (s, b, set);
	  memcpy (s->in + b * words, set, words * sizeof *set);
	  for (int a = first_access (sym, b);
	       a < sym->naccesses && sym->access[a].block == b; a++)
	    reuse_step (s, a, set);
	  if (memcmp (s->out + b * words, set, words * sizeof *set) != 0)
	    {
	      memcpy (s->out + b * words, set, words * sizeof *set);
	      changed = true;
	    }
	}
    }
  free (set);
}

/* How far reuse_flow_to has come with a block.  */
enum visit { VISIT_NOT, VISIT_DONE, VISIT_NEVER };

/* Intersect SET with what block P brings to block B, whose loads are OUT for blocks
   that are done; unless control never comes from P to B, by CUT.  Whether it
   does.  */
static bool
meet (const struct search *s, int p, int b, const reuse_word *out,
      const enum visit *visit, const bool *cut, reuse_word *set)
{
  const struct cfg_block *block = &s->r->sym->cfg->block[p];
  bool comes = false;
  if (visit[p] == VISIT_NEVER)
    return false;
  for (int k = 0; k < block->nsucc; k++)
    comes |= block->succ[k] == b && !cut[2 * p + k];
  for (int i = 0; i < s->words && comes; i++)
    set[i] &= (visit[p] ? out : s->out)[(size_t) p * s->words + i];
  return comes;
}

void
reuse_flow_to (const struct search *s, int b, const bool *cut,
	       reuse_word *set)
{
  const struct sym *sym = s->r->sym;
  const struct cfg *g = sym->cfg;
  int loop = g->block[b].loop;
  int from = loop == CFG_NONE ? 0 : g->loop[loop].header;
  size_t bytes = s->words * sizeof *set;
  reuse_word *out = xcalloc (g->nblocks, bytes);
  enum visit *visit = xcalloc (g->nblocks, sizeof *visit);
  memcpy (set, s->in + (size_t) from * s->words, bytes);
  for (int i = from; i <= b; i++)
    {
      if (!cfg_in_loop (g, loop, i))
	continue;
      if (i > from)
	{
	  bool comes = false;
	  memset (set, 0xff, bytes);
	  for (int k = 0; k < g->block[i].npred; k++)
	    comes |= meet (s, g->block[i].pred[k], i, out, visit, cut, set);
	  visit[i] = comes ? VISIT_DONE : VISIT_NEVER;
	  if (!comes && i < b)
	    continue;
	  change_iterations (s, i, set);
	}
      if (i == b)
	break;
      for (int a = first_access (sym, i);
	   a < sym->naccesses && sym->access[a].block == i; a++)
	reuse_step (s, a, set);
      memcpy (out + (size_t) i * s->words, set, bytes);
      visit[i] = VISIT_DONE;
    }
  free (out);
  free (visit);
}

static void
find_kills (struct search *s)
{
  const struct sym *sym = s->r->sym;
  for (int a = 0; a < sym->naccesses; a++)
    if (!s->dead[sym->access[a].block]
	&& (ptx_op_info[sym->access[a].stmt->insn->op].flags
	    & PTX_OF_WRITES_MEM))
      for (int i = 0; i < s->r->nloads; i++)
	if (s->r->load[i].candidate)
	  for (enum reuse_sense sense = 0; sense < REUSE_SENSES; sense++)
	    put (s->kill + (size_t) a * s->words, bit_of (s, i, sense),
		 may_change (s, &sym->access[a], s->r->load[i].access, sense));
}

bool
reuse_flow (struct search *s)
{
  const struct sym *sym = s->r->sym;
  size_t sets = (size_t) sym->naccesses + 2 * sym->cfg->nblocks;
  s->words = (REUSE_SENSES * s->r->nloads + WORD_BITS - 1) / WORD_BITS;
  if (!s->words || sets * s->words > MAX_WORDS)
    return false;
  s->kill = xcalloc ((size_t) sym->naccesses * s->words, sizeof *s->kill);
  s->in = xcalloc ((size_t) sym->cfg->nblocks * s->words, sizeof *s->in);
  s->out = xcalloc ((size_t) sym->cfg->nblocks * s->words, sizeof *s->out);
  find_kills (s);
  find_available (s);
  return true;
}

void
reuse_flow_free (struct search *s)
{
  free (s->kill);
  free (s->in);
  free (s->out);
}

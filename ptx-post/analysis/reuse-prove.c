/* Reuse that the normal form of addresses does not show: arbitrary inputs
   suggest the number of lanes between two loads, the solver proves it.  Ways
   through the code that exclude each other are none: stores on them do not count,
   and a load that all others pass is there (the paper, section 4.2).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/reuse-int.h"

#include <string.h>

enum
{
  MAX_WAYS = 256,		/* blocks on the ways to a load */
  MAX_LOADS = 256,		/* of a function whose loads are compared */
  MAX_CONDITIONS = 16,
  MAX_GUARDS = 24,		/* that are not proved of a function */
  MAX_PAIRS = 256		/* of loads of a function behind guards */
};

/* ---- Addresses ---- */

/* A load's address in each lane.  */
struct reuse_values
{
  enum { VALUES_NEW, VALUES_NONE, VALUES_THERE } state;
  uint64_t lane[TERM_SEEDS][TERM_LANES];
};

/* Whether the normal form leaves open how T's lanes differ.  */
static bool
is_hard (const struct term *t)
{
  return !t->linear;
}

/* Those of load I, or NULL.  */
static const struct reuse_values *
values_of (struct search *s, int i)
{
  if (!s->values)
    s->values = xcalloc (s->r->nloads, sizeof *s->values);
  struct reuse_values *v = &s->values[i];
  const struct term *t = s->r->load[i].access->address;
  if (v->state == VALUES_NEW)
    v->state = VALUES_THERE;
  else
    return v->state == VALUES_THERE ? v : NULL;
  for (int seed = 0; seed < TERM_SEEDS; seed++)
    if (!term_values (t, seed, v->lane[seed]))
      v->state = VALUES_NONE;
  return v->state == VALUES_THERE ? v : NULL;
}

/* Whether, as far as we see, A in the lane DELTA lanes on is B.  */
static bool
look_alike (const struct reuse_values *a, const struct reuse_values *b,
	    int delta)
{
  int first = delta < 0 ? -delta : 0;
  int last = TERM_LANES - 1 - (delta > 0 ? delta : 0);
  for (int i = 0; i < TERM_SEEDS; i++)
    for (int lane = first; lane <= last; lane++)
      if (a->lane[i][lane + delta] != b->lane[i][lane])
	return false;
  return true;
}

void
reuse_prove_source (struct search *s, int b, const reuse_word *set,
		    bool lockstep)
{
  struct reuse_load *load = s->r->load, *to = &load[b];
  const struct term *address = to->access->address;
  int reach = lockstep ? s->max_delta : 0;
  if (s->r->nloads > MAX_LOADS || address->uniform || !is_hard (address)
      || !values_of (s, b))
    return;
  for (int n = 0; n <= 2 * reach && to->source < 0; n++)
    for (int a = b - 1; a >= 0 && to->source < 0; a--)
      {
	const struct reuse_load *from = &load[a];
	int delta = n & 1 ? (n + 1) / 2 : -n / 2;
	if (from->candidate && !(delta && from->source >= 0)
	    && reuse_has (s, set, a, delta ? REUSE_WARP : REUSE_LANE)
	    && reuse_same_type (from->access->stmt->insn,
				to->access->stmt->insn)
	    && values_of (s, a)
	    && look_alike (values_of (s, a), values_of (s, b), delta)
	    && solver_same (s->solver, from->access->address, address, delta))
	  {
	    to->source = a;
	    to->delta = delta;
	    to->follows = true;
	    to->paper = !from->follows;
	    to->proved = true;
	    to->wraps = 0;
	    to->why = NULL;
	  }
      }
}

/* ---- Ways ---- */

/* Whether control only comes to block B from block FROM by its successor K.  */
static bool
comes_by (const struct cfg *g, int b, int from, int k)
{
  int to = g->block[from].succ[k];
  return g->block[to].npred == 1 && cfg_dominates (g, to, b);
}

/* What holds in block B: the conditions of the branches that lead there.  */
static int
conditions_of (const struct sym *sym, int b, const struct term **condition)
{
  const struct cfg *g = sym->cfg;
  int n = 0;
  for (int d = g->block[b].idom; d != CFG_NONE; d = g->block[d].idom)
    for (int k = 0; k < g->block[d].nsucc && n < MAX_CONDITIONS; k++)
      if (comes_by (g, b, d, k)
	  && (condition[n] = sym_condition (sym, d, k)))
	n++;
  return n;
}

/* Whether all N of CONDITION hold for some arbitrary inputs: nothing to prove
   then.  */
static bool
hold_together (const struct term *const *condition, int n)
{
  enum { TRIES = 32 };
  uint64_t value[TERM_LANES];
  for (unsigned seed = 0; seed < TRIES; seed++)
    {
      uint32_t lanes = UINT32_MAX;
      for (int i = 0; i < n && lanes; i++)
	{
	  if (!term_values (condition[i], seed, value))
	    return true;
	  for (int lane = 0; lane < TERM_LANES; lane++)
	    lanes &= ~((uint32_t) !(value[lane] & 1) << lane);
	}
      if (lanes)
	return true;
    }
  return false;
}

/* The comparison that condition T is, or the opposite of; NULL for others.  */
static const struct atom *
comparison_of (const struct term *t)
{
  const struct atom *a = t->nparts == 1 ? t->part[0].atom : NULL;
  return a && a->operation.op == PTX_OP_SETP && a->operation.width ? a : NULL;
}

/* Whether A and B are the same, and no constant.  */
static bool
is_shared (const struct term *a, const struct term *b)
{
  return a == b && a->nparts;
}

/* Whether conditions A and B compare something with different things: one may
   follow from the other.  */
static bool
are_related (const struct term *a, const struct term *b)
{
  const struct atom *x = comparison_of (a), *y = comparison_of (b);
  return x && y
	 && (is_shared (x->arg[0], y->arg[0]) || is_shared (x->arg[0], y->arg[1])
	     || is_shared (x->arg[1], y->arg[0])
	     || is_shared (x->arg[1], y->arg[1]));
}

/* Whether any two of the N of CONDITION are related.  */
static bool
any_related (const struct term *const *condition, int n)
{
  for (int i = 1; i < n; i++)
    for (int k = 0; k < i; k++)
      if (are_related (condition[i], condition[k]))
	return true;
  return false;
}

bool
reuse_prove_dead (struct search *s)
{
  const struct sym *sym = s->r->sym;
  const struct term *condition[MAX_CONDITIONS];
  bool found = false;
  int block = CFG_NONE;
  for (int a = 0; a < sym->naccesses; a++)
    {
      const struct sym_access *access = &sym->access[a];
      if (access->block == block
	  || !(ptx_op_info[access->stmt->insn->op].flags
	       & PTX_OF_WRITES_MEM))
	continue;
      block = access->block;
      int n = conditions_of (sym, block, condition);
      if (any_related (condition, n) && !hold_together (condition, n)
	  && solver_excludes (s->solver, condition, n))
	s->dead[block] = found = true;
    }
  return found;
}

/* Whether the N of CONDITION exclude the one behind them.  */
static bool
exclude_last (struct search *s, const struct term *const *condition, int n)
{
  const struct term *last = condition[n];
  bool related = false;
  for (int i = 0; i < n; i++)
    {
      int64_t distance;
      /* A predicate and its opposite differ by 1.  */
      if (expr_distance (condition[i], last, &distance) && distance != 0)
	return true;
      related |= are_related (condition[i], last);
    }
  return related && !hold_together (condition, n + 1)
	 && solver_excludes (s->solver, condition, n + 1);
}

bool
reuse_prove_ways (struct search *s, int b, bool *cut)
{
  const struct sym *sym = s->r->sym;
  const struct cfg *g = sym->cfg;
  const struct term *condition[MAX_CONDITIONS + 1];
  int loop = g->block[b].loop, n = conditions_of (sym, b, condition);
  int from = loop == CFG_NONE ? 0 : g->loop[loop].header;
  bool found = false;
  if (n == 0 || b - from > MAX_WAYS)
    return false;
  memset (cut, 0, 2 * g->nblocks * sizeof *cut);
  /* In another loop a branch may go both ways before control comes to B.  */
  for (int d = from; d < b; d++)
    for (int k = 0; k < g->block[d].nsucc && g->block[d].loop == loop; k++)
      if (!comes_by (g, b, d, 0) && !comes_by (g, b, d, 1)
	  && (condition[n] = sym_condition (sym, d, k))
	  && exclude_last (s, condition, n))
	cut[2 * d + k] = found = true;
  return found;
}

/* ---- Guards ---- */

/* Whether the N of CONDITION in a lane and in that DELTA lanes on, and THERE in the
   latter, hold for some arbitrary inputs.  */
static bool
hold_apart (const struct term *const *condition, int n,
	    const struct term *there, int delta)
{
  uint64_t value[TERM_LANES];
  for (unsigned seed = 0; seed < TERM_SEEDS; seed++)
    {
      uint32_t lanes = UINT32_MAX, all = 0;
      for (int i = 0; i <= n; i++)
	{
	  if (!term_values (i < n ? condition[i] : there, seed, value))
	    return true;
	  all = 0;
	  for (int lane = 0; lane < TERM_LANES; lane++)
	    all |= (uint32_t) (value[lane] & 1) << lane;
	  uint32_t from = delta < 0 ? all << -delta : all >> delta;
	  lanes &= i < n ? all & from : from;
	}
      if (lanes)
	return true;
    }
  return false;
}

/* Mark in CUT the edges that lead around block A on the way to block B, those that can
   be asked about.  */
static void
mark_around (const struct sym *sym, int a, int b, bool *cut)
{
  const struct cfg *g = sym->cfg;
  memset (cut, 0, 2 * g->nblocks * sizeof *cut);
  for (int d = g->block[a].idom; d != CFG_NONE; d = g->block[d].idom)
    {
      for (int k = 0; k < g->block[d].nsucc && g->block[d].nsucc == 2; k++)
	cut[2 * d + !k] |= comes_by (g, a, d, k)
			   && g->block[d].loop == g->block[b].loop
			   && sym_condition (sym, d, !k);
      if (cfg_dominates (g, d, b))
	return;
    }
}

/* Leave in CUT the edges of the lane DELTA lanes on that are excluded by what holds in
   block B in both lanes; whether there are any.  */
static bool
leave_excluded (struct search *s, int b, int delta, bool *cut)
{
  const struct sym *sym = s->r->sym;
  const struct term *condition[MAX_CONDITIONS];
  int n = conditions_of (sym, b, condition);
  bool found = false;
  for (int i = 0; i < 2 * b; i++)
    if (cut[i])
      {
	const struct term *around = sym_condition (sym, i / 2, i % 2);
	cut[i] = n > 0 && s->unproved < MAX_GUARDS
		 && !hold_apart (condition, n, around, delta)
		 && solver_excludes_there (s->solver, condition, n, around,
					   delta);
	s->unproved += !cut[i];
	found |= cut[i];
      }
  return found;
}

/* Whether load A is there for load B by the edges CUT.  */
static bool
is_there (struct search *s, int a, int b, const bool *cut)
{
  const struct sym *sym = s->r->sym;
  int block = s->r->load[b].access->block;
  reuse_word *set = xcalloc (s->words, sizeof *set);
  reuse_flow_to (s, block, cut, set);
  int i = s->r->load[b].access - sym->access;
  while (i > 0 && sym->access[i - 1].block == block)
    i--;
  for (; &sym->access[i] != s->r->load[b].access; i++)
    reuse_step (s, i, set);
  bool is = reuse_has (s, set, a, REUSE_WARP);
  free (set);
  return is;
}

/* Whether load A, which other lanes have, may be a source for load B, behind another
   branch: *DELTA lanes on, and nearer than the one that B has.  */
static bool
may_follow (const struct search *s, int a, int b, int *delta)
{
  const struct cfg *g = s->r->sym->cfg;
  const struct reuse_load *from = &s->r->load[a], *to = &s->r->load[b];
  int other = from->access->block, block = to->access->block;
  return from->candidate && from->source < 0 && other < block
	 && !cfg_dominates (g, other, block)
	 && g->block[other].loop == g->block[block].loop
	 && block - other <= MAX_WAYS && reuse_delta (s, from, to, delta)
	 && *delta && (to->source < 0 || abs (*delta) < abs (to->delta))
	 && reuse_same_type (from->access->stmt->insn, to->access->stmt->insn);
}

/* Whether what holds in B's block has the lane DELTA lanes on go to load A.  CUT is room
   for edges.  */
static bool
goes_there (struct search *s, int a, int b, int delta, bool *cut)
{
  int block = s->r->load[b].access->block;
  mark_around (s->r->sym, s->r->load[a].access->block, block, cut);
  return is_there (s, a, b, cut) && leave_excluded (s, block, delta, cut)
	 && is_there (s, a, b, cut);
}

/* The rewriter takes values from other lanes where all of a warp are there: so what
   leads to B holds in the source's lane, and in B's.  */
void
reuse_prove_guarded (struct search *s, int b)
{
  const struct cfg *g = s->r->sym->cfg;
  struct reuse_load *load = s->r->load, *to = &load[b];
  /* What is taken itself is no source.  */
  for (int i = 0; i < s->r->nloads; i++)
    if (load[i].source == b)
      return;
  if (s->r->nloads > MAX_LOADS)
    return;
  bool *cut = xcalloc (2 * g->nblocks, sizeof *cut);
  for (int a = b - 1; a >= 0; a--)
    {
      int delta;
      if (may_follow (s, a, b, &delta) && s->pairs++ < MAX_PAIRS
	  && s->unproved < MAX_GUARDS && goes_there (s, a, b, delta, cut))
	{
	  to->source = a;
	  to->delta = delta;
	  to->follows = true;
	  to->paper |= !load[a].follows;
	  to->proved = true;
	  to->why = NULL;
	}
    }
  if (to->source >= 0)
    to->wraps |= load[to->source].wraps;
  free (cut);
}

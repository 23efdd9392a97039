/* Whether two kernels can be paired, and how: sizes of blocks, who keeps to
   barriers, what memory is moved.

   choose_target, choose_names, choose_blocks -> reach, settle_drain, for each
   side -> settle_* -> name_side -> assign_barriers
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include <string.h>

/* From this PTX on, lanes of a warp may come to barriers one by one.  */
enum { LANES_VERSION = 60 };
/* What ptxas gives static shared memory.  */
enum { STATIC_SHARED = 48 << 10 };

/* Does the header of SIDE's kernel have the directive WORD?  */
static bool
has_directive (const struct pair_side *side, const char *word)
{
  const struct ptx_stmt *h = side->kernel->header;
  return memmem (h->text + h->lead, h->len - h->lead, word, strlen (word));
}

static bool
forms_clusters (const struct pair_side *side)
{
  return has_directive (side, ".reqnctapercluster")
	 || has_directive (side, ".explicitcluster")
	 || has_directive (side, ".blocksareclusters")
	 || has_directive (side, ".maxclusterrank");
}

/* The size of SIDE's block: what the user says, or what the kernel wants.  */
static bool
choose_block (const struct pair *p, struct pair_side *side)
{
  const unsigned *given = p->opt->block[side->index];
  const unsigned *wanted = side->kernel->reqntid;
  memcpy (side->block, given[0] ? given : wanted, sizeof side->block);
  for (unsigned d = 1; side->block[0] && d < 3; d++)
    if (!side->block[d])
      side->block[d] = 1;
  for (unsigned d = 0; wanted[0] && d < 3; d++)
    if (side->block[d] != (wanted[d] ? wanted[d] : 1))
      return pair_refuse (side, side->kernel->header,
			  "it wants other blocks (.reqntid)");
  if (side->block[0] && p->opt->partition == PAIR_SHARES)
    return pair_refuse (side, side->kernel->header,
			"the size of its blocks is fixed, which leaves no "
			"shares: use --partition=thread");
  return true;
}

static bool
choose_blocks (struct pair *p)
{
  unsigned sum = 0;
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    {
      if (forms_clusters (&p->side[k]))
	return pair_refuse (&p->side[k], p->side[k].kernel->header,
			    "its blocks form clusters");
      if (!choose_block (p, &p->side[k]))
	return false;
      sum += pair_warps_up (pair_threads (&p->side[k]));
    }
  return !pair_by_threads (p) || sum <= PAIR_THREADS
	 || pair_refuse (&p->side[1], NULL,
			 "blocks of %u threads, with the other kernel's", sum);
}

/* Does SIDE read the size of its dynamic shared memory?  */
static bool
reads_size (const struct pair_side *side)
{
  for (const struct pair_func *f = side->funcs; f; f = f->next)
    if (f->reads >> PAIR_V_DYNAMIC & 1)
      return true;
  return false;
}

static bool
settle_dynamic (struct pair *p)
{
  bool both = p->side[0].dynamic && p->side[1].dynamic;
  p->moves_dynamic = both && pair_by_threads (p);
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    {
      struct pair_side *side = &p->side[k];
      if (!side->align)
	side->align = 1;
      if (both && !p->moves_dynamic && reads_size (side))
	return pair_refuse (side, NULL,
			    "%%dynamic_smem_size: shared memory is that of "
			    "both");
    }
  return true;
}

/* Must threads of SIDE that leave keep to its barriers?  */
static bool
settle_drain (struct pair *p, struct pair_side *side)
{
  bool ragged = side->unaligned && pair_threads (side) % PAIR_WARP;
  side->drains = pair_by_threads (p) && (ragged || pair_leaves_early (side));
  if (!side->drains)
    return true;
  if (side->several_full)
    return pair_refuse (side, NULL,
			"threads leave early, and barriers of the whole "
			"block have several numbers");
  if (side->full_id >= 0 && side->id_counted[side->full_id])
    return pair_refuse (side, NULL,
			"threads leave early, and barrier %d is of the whole "
			"block and has a count, too",
			side->full_id);
  if (side->red)
    return pair_refuse (side, side->red,
			"threads leave early, and others reduce over the "
			"whole block");
  if (side->unit->target < PAIR_LANES_SM)
    return pair_refuse (side, NULL,
			"threads leave early while others meet at barriers, "
			"which takes sm_%d",
			PAIR_LANES_SM);
  if (p->version < LANES_VERSION)
    p->version = LANES_VERSION;
  return true;
}

static bool
settle_parameters (const struct pair *p)
{
  uint64_t bytes = 2 * (12 + 12) + 4;
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    for (const struct ptx_sym *s = p->side[k].kernel->params; s; s = s->next)
      bytes = (bytes + s->align - 1) / s->align * s->align + s->size;
  unsigned most = p->version >= 81 && p->side[0].unit->target >= PAIR_LANES_SM
		    ? PAIR_PARAMS_81
		    : PAIR_PARAMS;
  return bytes <= most
	 || pair_refuse (&p->side[1], NULL,
			 "parameters of both take more than %u bytes", most);
}

/* Static shared memory of SIDE, without what alignment takes.  */
static uint64_t
static_shared (const struct pair_side *side)
{
  uint64_t bytes = 0;
  for (const struct pair_var *v = side->vars; v; v = v->next)
    bytes += v->sym->size;
  for (const struct pair_func *f = side->funcs; f; f = f->next)
    for (const struct ptx_sym *v = f->f->locals; v; v = v->next)
      if (pair_is_shared (v))
	bytes += v->size;
  return bytes;
}

static bool
settle_static (const struct pair *p)
{
  uint64_t a = static_shared (&p->side[0]), b = static_shared (&p->side[1]);
  return !pair_by_threads (p) || a + b <= STATIC_SHARED
	 || pair_refuse (&p->side[1], NULL,
			 "together they have %llu bytes of static shared "
			 "memory, of %d",
			 (unsigned long long) (a + b), STATIC_SHARED);
}

/* Can what is called by its address be the side's own?  */
static bool
settle_indirect (const struct pair_side *side)
{
  for (const struct pair_func *f = side->funcs->next; f; f = f->next)
    if (side->indirect && f->copy)
      return pair_refuse (side, NULL,
			  "it calls functions by their addresses, and %s "
			  "depends on the block",
			  f->f->sym->name);
  return true;
}

bool
pair_settle (struct pair *p)
{
  if (!pair_choose_target (p) || !pair_choose_names (p) || !choose_blocks (p))
    return false;
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    if (!pair_reach (p, &p->side[k]) || !settle_drain (p, &p->side[k]))
      return false;
  if (!settle_dynamic (p) || !settle_static (p) || !settle_parameters (p))
    return false;
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    {
      if (p->side[k].unit == p->unit[1])
	p->side[k].names.outer = &p->renamed;
      pair_name_side (p, &p->side[k]);
      if (!settle_indirect (&p->side[k]))
	return false;
    }
  return !pair_by_threads (p) || pair_assign_barriers (p);
}

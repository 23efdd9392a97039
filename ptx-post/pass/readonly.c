/* Pass readonly: loads of data that a region only reads become
   ld.global.nc, which goes through the read-only (texture) path (PTX ISA
   9.7.9.9).

   Needs: a tag for the function.  Keeps: everything, instruction by
   instruction.  Breaks: nothing.

   .nc asks that nobody writes the data while the kernel runs.  The tag says
   so for this kernel (acr_region_constant); another kernel or the host that
   writes it at the same time is a data race of the program.  The tag was made
   from the source, so the code is held against it: a store to an address that
   may be the data's, or a call that leads out of the unit, stops the pass for
   the whole function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CALL_DEPTH = 8 };
static const char nc_load[] = "ld.global.nc.b32";

/* What F may write, in the terms of REGION (NULL in called functions).  */
static const char *why_unsafe (const struct ptx_func *f,
			       const struct origins *o,
			       const struct acr_region *region,
			       unsigned depth);

/* Why the call INSN may write a region's data, or NULL.  */
static const char *
why_call_unsafe (const struct ptx_insn *insn, unsigned depth)
{
  const struct ptx_sym *target = call_target (insn);
  if (!target)
    return "the function has an indirect call";
  const struct ptx_func *f = target->func;
  /* The driver's, which does not return.  */
  if (!f->has_body && strcmp (target->name, "__assertfail") == 0)
    return NULL;
  if (!f->has_body)
    return "the function calls something outside the unit";
  if (depth == MAX_CALL_DEPTH)
    return "the function has deep or recursive calls";
  struct origins *o = origins_new (f, NULL);
  const char *why
    = o ? why_unsafe (f, o, NULL, depth + 1) : "the function calls one that is not understood";
  origins_free (o);
  return why;
}

/* Why INSN may write a region's data other than an operand that REGION says
   it writes, or NULL.  */
static const char *
why_write_unsafe (const struct ptx_insn *insn, const struct origins *o,
		  const struct acr_region *region)
{
  enum ptx_space space = insn->space;
  struct origin x = origin_of_access (o, insn);
  if (space == PTX_SP_NONE && x.kind == ORIGIN_SPACE)
    space = x.space;
  if (space == PTX_SP_SHARED || space == PTX_SP_LOCAL || space == PTX_SP_PARAM)
    return NULL;
  if (!region || x.kind != ORIGIN_SPACE || x.slot == ORIGIN_NO_SLOT)
    return "the function writes to an unknown address";
  const struct acr_operand *op = acr_region_slot (region, x.slot);
  if (!op || !(op->access & ACR_ACCESS_WRITE))
    return "the function writes an operand that the tag calls read-only";
  return NULL;
}

static const char *
why_unsafe (const struct ptx_func *f, const struct origins *o,
	    const struct acr_region *region, unsigned depth)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      const char *why = NULL;
      if (s->kind != PTX_S_INSN)
	continue;
      if (s->insn->op == PTX_OP_CALL)
	why = why_call_unsafe (s->insn, depth);
      else if ((ptx_op_info[s->insn->op].flags
		& (PTX_OF_WRITES_MEM | PTX_OF_ADDRESS))
	       == (PTX_OF_WRITES_MEM | PTX_OF_ADDRESS))
	why = why_write_unsafe (s->insn, o, region);
      if (why)
	return why;
    }
  return NULL;
}

/* A plain load from memory that may be global.  */
static bool
is_candidate (const struct ptx_stmt *s)
{
  if (s->kind != PTX_S_INSN || s->insn->op != PTX_OP_LD)
    return false;
  const struct ptx_insn *i = s->insn;
  return (i->space == PTX_SP_NONE || i->space == PTX_SP_GLOBAL)
	 && !i->mod[PTX_MC_SEM] && !i->mod[PTX_MC_SCOPE]
	 && !i->mod[PTX_MC_CACHE] && !i->flags
	 && ptx_type_info[i->type[0]].bytes <= 8;
}

/* Treat F, the function of REGION.  */
static void
rewrite_loads (struct post *p, struct ptx_func *f, const struct origins *o,
	       const struct acr_region *region)
{
  const char *why = why_unsafe (f, o, region, 0);
  if (!why && !post_may_use (p, nc_load))
    why = "PTX 3.1 and sm_35 are not to be had";
  for (struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      if (!is_candidate (s))
	continue;
      struct origin x = origin_of_access (o, s->insn);
      if (x.kind != ORIGIN_SPACE || x.slot == ORIGIN_NO_SLOT)
	continue;
      const struct acr_operand *op = acr_region_slot (region, x.slot);
      if (why)
	post_explain (p, s, false, "%s: %s", op->name, why);
      else if (!acr_region_constant (region, x.slot))
	post_explain (p, s, false,
		      "%s: the region may write it or what overlaps it",
		      op->name);
      else
	{
	  ptx_set_mnemonic (p->unit, s,
			    mnemonic_with_space (p->unit, s->insn,
						 PTX_SP_GLOBAL, ".nc"));
	  post_use (p, nc_load);
	  post_explain (p, s, true, "%s: the region only reads it", op->name);
	}
    }
}

void
pass_readonly (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      const struct acr_region *region = tags_find (p->tags, f);
      struct origins *o = region ? origins_new (f, region) : NULL;
      if (o)
	rewrite_loads (p, f, o, region);
      origins_free (o);
    }
}

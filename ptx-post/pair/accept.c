/* What may stand in a pair, and why the rest may not.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include <string.h>

struct rule { const char *what, *why; };

/* Instructions that depend on more than their side has.  */
static const struct rule refused[] = {
  { "barrier.cluster", "its blocks form clusters" },
  { "mapa", "its blocks form clusters" },
  { "getctarank", "its blocks form clusters" },
  { "clusterlaunchcontrol", "its blocks form clusters" },
  { "griddepcontrol", "it is part of a dependent launch" },
  { "setmaxnreg", "it moves registers between warps" },
};

/* Those of four warps at a time, which a side need not begin with.  */
static const struct rule refused_by_threads[] = {
  { "wgmma", "it is for warps in fours" },
  { "tcgen05", "it is for warps in fours" },
};

/* Instructions that the tables do not know (op.def), but which have no
   meaning of their own in a pair: textures and surfaces, matrices of a
   warp, asynchronous copies, barriers in shared memory, cache hints.  */
static const char *const opaque[] = {
  "tex", "tld4", "txq", "istypep", "suld", "sust", "sured", "suq", "mma",
  "wmma", "ldmatrix", "stmatrix", "movmatrix", "cp", "mbarrier", "multimem",
  "createpolicy", "discard", "applypriority", "tensormap",
};

/* Special registers whose values would be the pair's, not the kernel's.  */
static const struct rule registers[] = {
  { "%gridid", "the grid is the pair's" },
  { "%total_smem_size", "shared memory is that of both" },
  { "%aggr_smem_size", "shared memory is that of both" },
  { "%current_graph_exec", "the launch is the pair's" },
  { "%is_explicit_cluster", "its blocks form clusters" },
  { "%clusterid", "its blocks form clusters" },
  { "%nclusterid", "its blocks form clusters" },
  { "%cluster_ctaid", "its blocks form clusters" },
  { "%cluster_nctaid", "its blocks form clusters" },
  { "%cluster_ctarank", "its blocks form clusters" },
  { "%cluster_nctarank", "its blocks form clusters" },
  { "%tid", "a vector of special registers" },
  { "%ntid", "a vector of special registers" },
  { "%ctaid", "a vector of special registers" },
  { "%nctaid", "a vector of special registers" },
};

/* Functions of the driver whose work does not depend on the block.  */
static const char *const outside[]
  = { "vprintf", "malloc", "free", "__assertfail" };

#define COUNT(table) (sizeof (table) / sizeof *(table))

/* Does MNEMONIC begin with the components WHAT?  */
static bool
begins (const char *mnemonic, const char *what)
{
  size_t len = strlen (what);
  return strncmp (mnemonic, what, len) == 0
	 && (!mnemonic[len] || mnemonic[len] == '.');
}

static const char *
find_rule (const struct rule *rules, size_t n, const char *mnemonic)
{
  for (size_t i = 0; i < n; i++)
    if (begins (mnemonic, rules[i].what))
      return rules[i].why;
  return NULL;
}

/* Does an instruction that was not understood only compute or access
   memory?  */
static bool
accepts_opaque (const char *mnemonic)
{
  for (size_t i = 0; i < COUNT (opaque); i++)
    if (begins (mnemonic, opaque[i]))
      return !strstr (mnemonic, ".multicast");
  for (unsigned op = PTX_OP_OPAQUE + 1; op < PTX_OP_COUNT; op++)
    if (begins (mnemonic, ptx_op_info[op].text))
      return !(ptx_op_info[op].flags & (PTX_OF_CONVERGENT | PTX_OF_CONTROL));
  return false;
}

/* A name in O that nothing declares, such as a special register that is new;
   or NULL.  */
static const struct ptx_sym *
find_unknown (const struct ptx_opnd *o)
{
  if (o->sym && o->sym->kind == PTX_SYM_UNKNOWN)
    return o->sym;
  for (unsigned i = 0; i < o->nelt; i++)
    {
      const struct ptx_sym *sym = find_unknown (o->elt[i]);
      if (sym)
	return sym;
    }
  return NULL;
}

bool
pair_accepts (const struct pair *p, const struct pair_side *side,
	      const struct ptx_stmt *s)
{
  if (s->kind == PTX_S_RAW)
    return pair_refuse (side, s, "a statement that is not understood");
  if (s->kind != PTX_S_INSN)
    return true;
  const char *mnemonic = s->insn->mnemonic;
  const char *why = find_rule (refused, COUNT (refused), mnemonic);
  if (!why && pair_by_threads (p))
    why = find_rule (refused_by_threads, COUNT (refused_by_threads), mnemonic);
  if (why)
    return pair_refuse (side, s, "%s: %s", mnemonic, why);
  if (s->insn->op == PTX_OP_OPAQUE && !accepts_opaque (mnemonic))
    return pair_refuse (side, s, "%s is not understood", mnemonic);
  for (unsigned i = 0; i < s->insn->nopnds; i++)
    {
      const struct ptx_sym *sym = find_unknown (s->insn->opnd[i]);
      if (sym)
	return pair_refuse (side, s, "%s: nothing is known of it", sym->name);
    }
  return true;
}

bool
pair_accepts_word (const struct pair_side *side, const struct ptx_stmt *s,
		   const struct pair_word *w, unsigned *reads)
{
  static const char *const values[] = {
#define PAIR_VALUE(id, sreg, name, slot) sreg,
#include "pair/values.def"
  };
  if (*w->text != '%')
    return true;
  for (unsigned v = 0; v < PAIR_VALUES; v++)
    if (strlen (values[v]) == w->len
	&& memcmp (values[v], w->text, w->len) == 0)
      {
	*reads |= 1u << v;
	return true;
      }
  for (size_t i = 0; i < COUNT (registers); i++)
    if (pair_word_is (w, registers[i].what))
      return pair_refuse (side, s, "%s: %s", registers[i].what,
			  registers[i].why);
  return true;
}

bool
pair_accepts_outside (const char *name)
{
  for (size_t i = 0; i < COUNT (outside); i++)
    if (strcmp (name, outside[i]) == 0)
      return true;
  return false;
}

/* Parsing units for the emulated GPU: errors as ptxas words them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/unit.h"

/* What drivers of CUDA 13.0 (driver.c) know.  */
enum { NEWEST_VERSION = 90 };

/* Operations of PTX ISA 9.0 that op.def does not have.  A unit may have them:
   they fault when they run.  */
static const char *const others[] = {
  "applypriority", "clusterlaunchcontrol", "cp", "createpolicy", "discard",
  "istypep", "ldmatrix", "mbarrier", "mma", "movmatrix", "multimem",
  "stmatrix", "suld", "suq", "sured", "sust", "tcgen05", "tensormap", "tex",
  "tld4", "txq", "wgmma", "wmma",
};

/* The first statement of U with an operation that PTX does not have.  */
static const struct ptx_stmt *
unknown (const struct ptx_unit *u)
{
  for (const struct ptx_stmt *s = u->first; s; s = s->next)
    {
      if (s->kind != PTX_S_INSN || s->insn->op != PTX_OP_OPAQUE)
	continue;
      const char *name = s->insn->mnemonic;
      size_t len = strcspn (name, "."), k = 0, n;
      for (n = sizeof others / sizeof *others; k < n; k++)
	if (strlen (others[k]) == len && !strncmp (others[k], name, len))
	  break;
      for (int op = PTX_OP_OPAQUE + 1; k == n && op < PTX_OP_COUNT; op++)
	if (strcspn (ptx_op_info[op].text, ".") == len
	    && !strncmp (ptx_op_info[op].text, name, len))
	  k = 0;
      if (k == n)
	return s;
    }
  return NULL;
}

/* Write a line to LOG for each instruction of U that its .version or .target
   does not have, or not any more; whether there are any.  */
static bool
print_unmet_needs (const struct ptx_unit *u, FILE *log)
{
  bool any = false;
  for (const struct ptx_stmt *s = u->first; s; s = s->next)
    {
      if (s->kind != PTX_S_INSN)
	continue;
      struct ptx_need need = ptx_insn_need (s->insn);
      struct ptx_need lost = ptx_insn_lost (s->insn);
      bool gone = lost.version && u->version >= lost.version
		  && u->target >= lost.sm;
      const char *what = s->insn->mnemonic;
      if (need.version > u->version)
	fprintf (log, "ptxas %s, line %u; error   : Feature '%s' requires PTX ISA "
		      ".version %u.%u or later\n",
		 u->name, s->line, what, need.version / 10, need.version % 10);
      if (need.sm > u->target)
	fprintf (log, "ptxas %s, line %u; error   : Feature '%s' requires .target "
		      "sm_%u or higher\n",
		 u->name, s->line, what, need.sm);
      if (gone)
	fprintf (log, "ptxas %s, line %u; error   : Instruction '%s' without "
		      "'.sync' is not supported on .target sm_%u and higher from "
		      "PTX ISA version %u.%u\n",
		 u->name, s->line, ptx_op_info[s->insn->op].text, lost.sm,
		 lost.version / 10, lost.version % 10);
      any |= gone || need.version > u->version || need.sm > u->target;
    }
  return any;
}

/* Operations of which all operands have the instruction's type.  */
static bool
has_one_type (const struct ptx_insn *in)
{
  switch (in->op)
    {
    case PTX_OP_ADD: case PTX_OP_SUB: case PTX_OP_ADDC: case PTX_OP_SUBC:
    case PTX_OP_MUL: case PTX_OP_MAD: case PTX_OP_MADC: case PTX_OP_DIV:
    case PTX_OP_REM: case PTX_OP_ABS: case PTX_OP_NEG: case PTX_OP_MIN:
    case PTX_OP_MAX: case PTX_OP_FMA: case PTX_OP_RCP: case PTX_OP_SQRT:
    case PTX_OP_RSQRT: case PTX_OP_SIN: case PTX_OP_COS: case PTX_OP_LG2:
    case PTX_OP_EX2: case PTX_OP_AND: case PTX_OP_OR: case PTX_OP_XOR:
    case PTX_OP_NOT:
      return in->mod[PTX_MC_HALF] != PTX_M_WIDE;
    default:
      return false;
    }
}

/* Whether IN's registers are of the size that its type says, where that is
   simple.  */
static bool
sizes_match (const struct ptx_insn *in)
{
  for (unsigned k = 0; has_one_type (in) && k < in->nopnds; k++)
    {
      const struct ptx_opnd *o = in->opnd[k];
      if (o->kind == PTX_O_REG && o->sym && o->sym->vec <= 1
	  && ptx_type_info[o->sym->type].bytes
	       != ptx_type_info[in->type[0]].bytes)
	return false;
    }
  return true;
}

/* Write a line to LOG for each call in U of a function that nothing in front of it
   declares; whether there are any.  */
static bool
print_undeclared (const struct ptx_unit *u, FILE *log)
{
  unsigned n = 0;
  bool any = false;
  for (const struct ptx_stmt *s = u->first; s; s = s->next)
    n += s->kind == PTX_S_FUNC;
  const struct ptx_sym **known = calloc (n + 1, sizeof *known);
  if (!known)
    {
      fprintf (log, "ptxas %s; fatal   : Memory allocation failure\n", u->name);
      return true;
    }
  n = 0;
  for (const struct ptx_stmt *s = u->first; s; s = s->next)
    {
      if (s->kind == PTX_S_FUNC)
	known[n++] = s->sym;
      if (s->kind != PTX_S_INSN || s->insn->op != PTX_OP_CALL)
	continue;
      for (unsigned k = 0; k < s->insn->nopnds; k++)
	{
	  const struct ptx_opnd *o = s->insn->opnd[k];
	  bool declared = o->kind != PTX_O_SYM || o->sym->kind != PTX_SYM_FUNC;
	  for (unsigned i = n; !declared && i-- > 0;)
	    declared = known[i] == o->sym;
	  if (!declared)
	    fprintf (log, "ptxas %s, line %u; error   : Call to '%s' requires call "
			  "prototype\n", u->name, s->line, o->sym->name);
	  any |= !declared;
	}
    }
  free (known);
  return any;
}

/* Write a line to LOG for each instruction of U whose operands are not what it
   takes; whether there are any.  */
static bool
print_mismatches (const struct ptx_unit *u, FILE *log)
{
  bool any = false;
  for (const struct ptx_stmt *s = u->first; s; s = s->next)
    if (s->kind == PTX_S_INSN && !(sizes_match (s->insn) && ptx_access_fits (s->insn)))
      {
	fprintf (log, "ptxas %s, line %u; error   : Arguments mismatch for "
		      "instruction '%s'\n",
		 u->name, s->line, ptx_op_info[s->insn->op].text);
	any = true;
      }
  return any;
}

/* Whether the GPU, or one of its .version, has U's .target; else say to LOG
   why not.  An "a" behind the number means this architecture alone, an "f" its
   family.  */
static CUresult
check_target (const struct ptx_unit *u, FILE *log)
{
  const unsigned cc = (unsigned) emu_gpu ()->cc;
  const char *name = strstr (u->target_text, "sm_");
  if (!name)
    name = u->target_text;	/* of a second .target */
  const int len = (int) strcspn (name, ", \t\n");
  const char end = len ? name[len - 1] : '\0';
  const char suffix = end >= '0' && end <= '9' ? '\0' : end;
  unsigned version;
  if (!ptx_target_known (u->target, &version)
      || (suffix && !(suffix == 'a' && u->target >= 90)
	  && !(suffix == 'f' && u->target >= 100)))
    {
      fprintf (log, "ptxas %s, line %u; fatal   : Unsupported .target '%.*s'\n",
	       u->name, u->target_stmt->line, len, name);
      return CUDA_ERROR_INVALID_PTX;
    }
  if (u->version < version)
    {
      fprintf (log, "ptxas %s, line %u; error   : PTX .version %u.%u does not "
		    "support .target %.*s\n",
	       u->name, u->target_stmt->line, u->version / 10,
	       u->version % 10, len, name);
      return CUDA_ERROR_INVALID_PTX;
    }
  if (u->target > cc)
    fputs ("ptxas fatal   : SM version specified by .target is higher than "
	   "default SM version assumed\n", log);
  else if (suffix == 'a' && u->target != cc)
    fprintf (log, "ptxas fatal   : Program with .target '%.*s' cannot be "
		  "compiled to future architecture\n", len, name);
  else if (suffix == 'f' && u->target / 10 != cc / 10)
    fprintf (log, "ptxas fatal   : Program with .target '%.*s' cannot be "
		  "compiled to different SM-family architecture\n", len, name);
  else
    return CUDA_SUCCESS;
  return CUDA_ERROR_INVALID_PTX;
}

/* Write what is wrong with U, or why there is none, to LOG.  */
static CUresult
print_errors (const struct ptx_unit *u, const char *name,
	      const struct ptx_error *e, FILE *log)
{
  const struct ptx_stmt *odd;
  CUresult r;
  if (!u)
    fprintf (log, "ptxas %s, line %u; fatal   : %s\n", name, e->line, e->message);
  else if (!u->version || !u->target)
    fprintf (log, "ptxas %s; fatal   : Missing .%s directive\n", name,
	     u->version ? "target" : "version");
  else if (u->version > NEWEST_VERSION)
    {
      fprintf (log, "ptxas %s, line %u; fatal   : Unsupported .version %u.%u; "
		    "current version is '%u.%u'\n",
	       name, u->version_stmt->line, u->version / 10, u->version % 10,
	       NEWEST_VERSION / 10, NEWEST_VERSION % 10);
      return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    }
  else if ((r = check_target (u, log)))
    return r;
  else if ((odd = unknown (u)))
    fprintf (log, "ptxas %s, line %u; error   : Not a name of any known "
		  "instruction: '%.*s'\n",
	     name, odd->line, (int) strcspn (odd->insn->mnemonic, "."),
	     odd->insn->mnemonic);
  else if (!(print_unmet_needs (u, log) | print_mismatches (u, log)
	     | print_undeclared (u, log)))
    return CUDA_SUCCESS;
  return CUDA_ERROR_INVALID_PTX;
}

CUresult
emu_unit_parse (const struct emu_source *src, struct ptx_unit **unit,
		char **log)
{
  const char *name = src->name ? src->name : "ptx";
  struct ptx_error e = { 0 };
  *unit = NULL;
  *log = NULL;
  size_t len;
  FILE *f = open_memstream (log, &len);
  if (!f)
    return CUDA_ERROR_OUT_OF_MEMORY;
  struct ptx_unit *u
    = ptx_parse (name, src->text, strnlen (src->text, src->len), &e);
  CUresult r = print_errors (u, name, &e, f);
  if (fclose (f) || r == CUDA_SUCCESS)
    {
      free (*log);
      *log = NULL;
    }
  if (r == CUDA_SUCCESS)
    *unit = u;
  else if (u)
    ptx_unit_free (u);
  return r;
}

CUresult
emu_unit_check (const struct emu_source *src, char **log)
{
  struct ptx_unit *u;
  CUresult r = emu_unit_parse (src, &u, log);
  if (u)
    ptx_unit_free (u);
  return r;
}

/* The tables of PTX, and what follows from a mnemonic through them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <string.h>

const struct ptx_type_info ptx_type_info[PTX_T_COUNT] = {
#define PTX_TYPE(id, text, bytes, cls) [PTX_T_##id] = { text, bytes, cls },
#include "ptx/type.def"
};

const struct ptx_op_info ptx_op_info[PTX_OP_COUNT] = {
  [PTX_OP_OPAQUE] = { "", "", "", 0 },
#define PTX_OP(id, text, roles, classes, flags)                               \
  [PTX_OP_##id] = { text, roles, classes, flags },
#include "ptx/op.def"
};

const struct ptx_mod_info ptx_mod_info[PTX_M_COUNT] = {
#define PTX_MOD(id, text, cls) [PTX_M_##id] = { text, PTX_MC_##cls },
#include "ptx/mod.def"
};

const struct ptx_sreg_info ptx_sreg_info[PTX_SR_COUNT] = {
#define PTX_SREG(id, text, type, vec, version, sm)			      \
  [PTX_SR_##id] = { text, type, vec },
#include "ptx/sreg.def"
};

static const char class_letter[PTX_MC_COUNT] = {
#define PTX_MOD_CLASS(id, letter) [PTX_MC_##id] = letter,
#include "ptx/mod.def"
};

const char *const ptx_space_text[PTX_SP_COUNT] = {
  [PTX_SP_REG] = "reg", [PTX_SP_SREG] = "sreg", [PTX_SP_CONST] = "const",
  [PTX_SP_GLOBAL] = "global", [PTX_SP_LOCAL] = "local",
  [PTX_SP_PARAM] = "param", [PTX_SP_SHARED] = "shared", [PTX_SP_TEX] = "tex"
};

static bool
same (const char *text, const char *s, size_t len)
{
  return text && len && *text == *s && strncmp (text, s, len) == 0
	 && text[len] == 0;
}

enum ptx_type
ptx_type_of (const char *s, size_t len)
{
  for (unsigned i = 1; i < PTX_T_COUNT; i++)
    if (same (ptx_type_info[i].text, s, len))
      return i;
  return PTX_T_NONE;
}

enum ptx_space
ptx_space_of (const char *s, size_t len)
{
  /* This CTA's own window is what the plain names mean.  */
  static const struct { const char *text; enum ptx_space space; } alias[] = {
    { "shared::cta", PTX_SP_SHARED }, { "param::entry", PTX_SP_PARAM },
    { "param::func", PTX_SP_PARAM }
  };
  for (unsigned i = 1; i < PTX_SP_COUNT; i++)
    if (same (ptx_space_text[i], s, len))
      return i;
  for (unsigned i = 0; i < sizeof alias / sizeof *alias; i++)
    if (same (alias[i].text, s, len))
      return alias[i].space;
  return PTX_SP_NONE;
}

enum ptx_sreg
ptx_sreg_of (const char *s, size_t len)
{
  for (unsigned i = 1; i < PTX_SR_COUNT; i++)
    if (same (ptx_sreg_info[i].text, s, len))
      return i;
  return PTX_SR_NONE;
}

/* The modifier S that an operation with CLASSES takes.  */
static enum ptx_mod
mod_of (const char *s, size_t len, const char *classes)
{
  for (unsigned i = 1; i < PTX_M_COUNT; i++)
    if (same (ptx_mod_info[i].text, s, len)
	&& strchr (classes, class_letter[ptx_mod_info[i].cls]))
      return i;
  return PTX_M_NONE;
}

static enum ptx_op
op_of (const char *s, size_t len)
{
  for (unsigned i = 1; i < PTX_OP_COUNT; i++)
    if (same (ptx_op_info[i].text, s, len))
      return i;
  return PTX_OP_OPAQUE;
}

/* Give INSN the suffix S.  False if its operation does not take it.  */
static bool
decode_suffix (const char *s, size_t len, const char *classes,
	       struct ptx_insn *insn)
{
  enum ptx_mod m = mod_of (s, len, classes);
  if (m)
    {
      enum ptx_mod_class cls = ptx_mod_info[m].cls;
      if (cls == PTX_MC_FLAG)
	{
	  if (ptx_insn_has (insn, m))
	    return false;
	  insn->flags |= ptx_flag_bit (m);
	  return true;
	}
      if (insn->mod[cls])
	return false;
      insn->mod[cls] = m;
      return true;
    }
  enum ptx_type t = ptx_type_of (s, len);
  if (t && insn->ntypes < sizeof insn->type / sizeof *insn->type)
    {
      insn->type[insn->ntypes++] = t;
      return true;
    }
  enum ptx_space sp = ptx_space_of (s, len);
  if (sp && strchr (classes, 'A') && !insn->space)
    {
      insn->space = sp;
      return true;
    }
  if (len == 2 && s[0] == 'v' && strchr ("248", s[1]) && strchr (classes, 'v')
      && insn->vec == 1)
    {
      insn->vec = s[1] - '0';
      return true;
    }
  return false;
}

/* Whether N types are what CLASSES asks for: one for each 't', "t?" none
   or one.  */
static bool
types_fit (const char *classes, unsigned n)
{
  unsigned least = 0, most = 0;
  for (const char *c = classes; (c = strchr (c, 't')); c++)
    {
      most++;
      least += c[1] != '?';
    }
  return least <= n && n <= most;
}

static bool
decode (const char *mnemonic, struct ptx_insn *insn)
{
  const char *dot = strchrnul (mnemonic, '.');
  if (*dot)
    {
      const char *second = strchrnul (dot + 1, '.');
      insn->op = op_of (mnemonic, second - mnemonic);
      if (insn->op)
	dot = second;
    }
  if (!insn->op)
    insn->op = op_of (mnemonic, dot - mnemonic);
  if (!insn->op)
    return false;

  const char *classes = ptx_op_info[insn->op].classes;
  while (*dot)
    {
      const char *s = dot + 1;
      dot = strchrnul (s, '.');
      if (!decode_suffix (s, dot - s, classes, insn))
	return false;
    }
  insn->to = insn->op == PTX_OP_CVTA && ptx_insn_has (insn, PTX_M_TO);
  return types_fit (classes, insn->ntypes);
}

bool
ptx_decode_mnemonic (const char *mnemonic, struct ptx_insn *insn)
{
  insn->op = PTX_OP_OPAQUE;
  insn->space = PTX_SP_NONE;
  insn->to = false;
  insn->vec = 1;
  insn->ntypes = 0;
  insn->flags = 0;
  memset (insn->type, 0, sizeof insn->type);
  memset (insn->mod, 0, sizeof insn->mod);
  if (decode (mnemonic, insn))
    return true;
  insn->op = PTX_OP_OPAQUE;
  return false;
}

bool
ptx_roles_fit (enum ptx_op op, unsigned n)
{
  unsigned least = 0, most = 0;
  for (const char *r = ptx_op_info[op].roles; *r; r++)
    if (*r == '?')
      least--;
    else
      {
	least++;
	most++;
      }
  return least <= n && n <= most;
}

/* Call FN for the registers of O.  */
static void
each_reg (const struct ptx_opnd *o, ptx_reg_fn *fn, void *closure)
{
  switch (o->kind)
    {
    case PTX_O_REG:
    case PTX_O_SYM:		/* target of a call */
      if (o->sym->kind == PTX_SYM_REG)
	fn (o->sym, closure);
      break;
    case PTX_O_ADDR:
    case PTX_O_VEC:
    case PTX_O_PAIR:
    case PTX_O_LIST:
      for (unsigned i = 0; i < o->nelt; i++)
	each_reg (o->elt[i], fn, closure);
      break;
    case PTX_O_SREG:
    case PTX_O_INT:
    case PTX_O_FLOAT:
    case PTX_O_SINK:
      break;
    }
}

/* The operands of a call stand for: results, if there are any; target;
   arguments; prototype.  */
static bool
call_operand_is_result (const struct ptx_insn *insn, unsigned i)
{
  return i == 0 && insn->nopnds > 1 && insn->opnd[0]->kind == PTX_O_LIST;
}

static void
each_operand (const struct ptx_insn *insn, bool defs, ptx_reg_fn *fn,
	      void *closure)
{
  const char *r = ptx_op_info[insn->op].roles;
  for (unsigned i = 0; i < insn->nopnds; i++)
    {
      char role = *r;
      bool written, read;
      if (role == 'c')
	{
	  written = call_operand_is_result (insn, i);
	  read = !written;
	}
      else
	{
	  written = role == 'd' || role == 'm';
	  read = role != 'd';
	  r += r[0] && r[1] == '?' ? 2 : 1;
	}
      if (defs ? written : read)
	each_reg (insn->opnd[i], fn, closure);
    }
}

void
ptx_insn_defs (const struct ptx_insn *insn, ptx_reg_fn *fn, void *closure)
{
  each_operand (insn, true, fn, closure);
}

void
ptx_insn_uses (const struct ptx_insn *insn, ptx_reg_fn *fn, void *closure)
{
  if (insn->guard && insn->guard->kind == PTX_SYM_REG)
    fn (insn->guard, closure);
  each_operand (insn, false, fn, closure);
}

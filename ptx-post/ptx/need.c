/* What instructions need of .version and .target (need.def, sreg.def).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <string.h>

struct row
{
  enum ptx_op op;		/* PTX_OP_OPAQUE: any */
  const char *form;
  struct ptx_need need;
};

#define ROW(op, form, version, sm) { PTX_OP_##op, form, { version, sm } },
static const struct row needs[] = {
#define PTX_NEED ROW
#include "ptx/need.def"
};
static const struct row lost[] = {
#define PTX_NEED(op, form, version, sm)
#define PTX_LOST ROW
#include "ptx/need.def"
};
static const struct { unsigned sm, version; } targets[] = {
#define PTX_NEED(op, form, version, sm)
#define PTX_TARGET(sm, version) { sm, version },
#include "ptx/need.def"
};

static const struct ptx_need sreg_need[PTX_SR_COUNT] = {
#define PTX_SREG(id, text, type, vec, version, sm)			      \
  [PTX_SR_##id] = { version, sm },
#include "ptx/sreg.def"
};

/* The text behind the next suffix of MNEMONIC that is the LEN characters at
   S, which may end in '*'; NULL: there is none.  */
static const char *
behind_suffix (const char *mnemonic, const char *s, size_t len)
{
  bool open = s[len - 1] == '*';
  len -= open;
  for (const char *m = mnemonic; (m = strchr (m, '.'));)
    {
      size_t n = strcspn (++m, ".");
      if ((open ? n >= len : n == len) && !strncmp (m, s, len))
	return m + n;
    }
  return NULL;
}

/* Whether INSN is of FORM.  */
static bool
has_form (const struct ptx_insn *insn, const char *form)
{
  const char *rest = insn->mnemonic;
  while (*form)
    {
      char kind = *form++;
      size_t len = strcspn (form, ".!#");
      if (kind == '.' && !(rest = behind_suffix (rest, form, len)))
	return false;
      if (kind == '!' && behind_suffix (insn->mnemonic, form, len))
	return false;
      if (kind == '#' && insn->nopnds != (unsigned) (*form - '0'))
	return false;
      form += len;
    }
  return true;
}

static void
raise (struct ptx_need *to, struct ptx_need by)
{
  if (to->version < by.version)
    to->version = by.version;
  if (to->sm < by.sm)
    to->sm = by.sm;
}

static void
raise_by_rows (struct ptx_need *to, const struct ptx_insn *insn,
	       const struct row *rows, size_t n)
{
  for (size_t k = 0; k < n; k++)
    if ((rows[k].op == insn->op || rows[k].op == PTX_OP_OPAQUE)
	&& has_form (insn, rows[k].form))
      raise (to, rows[k].need);
}

struct ptx_need
ptx_insn_need (const struct ptx_insn *insn)
{
  struct ptx_need n = { 0, 0 };
  if (insn->op == PTX_OP_OPAQUE)
    return n;
  raise_by_rows (&n, insn, needs, sizeof needs / sizeof *needs);
  for (unsigned k = 0; k < insn->nopnds; k++)
    if (insn->opnd[k]->kind == PTX_O_SREG)
      raise (&n, sreg_need[insn->opnd[k]->sreg]);
  return n;
}

struct ptx_need
ptx_mnemonic_need (const char *mnemonic)
{
  struct ptx_insn insn = { .mnemonic = mnemonic };
  ptx_decode_mnemonic (mnemonic, &insn);
  return ptx_insn_need (&insn);
}

struct ptx_need
ptx_insn_lost (const struct ptx_insn *insn)
{
  struct ptx_need n = { 0, 0 };
  if (insn->op != PTX_OP_OPAQUE)
    raise_by_rows (&n, insn, lost, sizeof lost / sizeof *lost);
  return n;
}

bool
ptx_target_known (unsigned sm, unsigned *version)
{
  for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
    if (targets[k].sm == sm)
      {
	*version = targets[k].version;
	return true;
      }
  return false;
}

bool
ptx_access_fits (const struct ptx_insn *in)
{
  if ((in->op != PTX_OP_LD && in->op != PTX_OP_ST) || in->vec != 1 || in->nopnds != 2)
    return true;
  const struct ptx_opnd *o = in->opnd[in->op == PTX_OP_ST];
  unsigned type = ptx_type_info[in->type[0]].cls;
  if (o->kind != PTX_O_REG || !o->sym || (type & PTX_TC_BITS))
    return true;
  unsigned reg = ptx_type_info[o->sym->type].cls;
  return (reg & PTX_TC_BITS) || (type & PTX_TC_FLOAT) == (reg & PTX_TC_FLOAT);
}

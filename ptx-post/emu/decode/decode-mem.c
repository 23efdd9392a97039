/* Decoding instructions on addresses and memory.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "decode/decode.h"

/* Add the base of window SPACE to A, or take it away.  */
void
dec_cvta (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  bool to = in->to || ptx_insn_has (in, PTX_M_TO);
  if (in->type[0] != PTX_T_U64)
    dec_unknown (d);
  opref a = dec_src (d, in->opnd[1], PTX_T_U64);
  opref row = dec_dst (d, in->opnd[0], PTX_T_U64);
  uint64_t base = in->space == PTX_SP_SHARED  ? EMU_SHARED_WINDOW
		  : in->space == PTX_SP_LOCAL ? EMU_LOCAL_WINDOW
					      : 0;
  if (base)
    dec_emit2 (d, to ? "sub.u64" : "add.u64", row, a, dec_const (d, base, true));
  else
    dec_emit1 (d, "mov", PTX_T_U64, row, a);
}

void
dec_isspacep (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  opref a = dec_src (d, in->opnd[1], PTX_T_U64), t = dec_temp (d, PTX_T_U64);
  opref p = dec_pred_dst (d, in->opnd[0]);
  switch (in->space)
    {
    case PTX_SP_SHARED:
    case PTX_SP_LOCAL:
      dec_emit2 (d, "sub.u64", t, a,
	     dec_const (d, in->space == PTX_SP_SHARED ? EMU_SHARED_WINDOW
						      : EMU_LOCAL_WINDOW,
			true));
      dec_emit2 (d, "setp_lt.u64", p, t, dec_const (d, EMU_WINDOW_BYTES, true));
      break;
    case PTX_SP_GLOBAL:
      /* The windows lie above all that the host can map.  */
      dec_emit2 (d, "setp_lt.u64", p, a, dec_const (d, EMU_SHARED_WINDOW, true));
      break;
    default:
      dec_emit1 (d, "mov", PTX_T_PRED, p, dec_const (d, 0, false));
    }
}

/* alloca d, bytes {, align}; stacksave d; stackrestore a.  Local addresses
   are not generic ones.  */
void
dec_stack (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0];
  enum { DEFAULT_ALIGN = 8, MAX_ALIGN = 1 << 16 };
  uint64_t align = DEFAULT_ALIGN;
  dec_need (d, in, in->op == PTX_OP_ALLOCA ? 2 : 1);
  if (in->op == PTX_OP_ALLOCA && in->nopnds > 2)
    align = in->opnd[2]->kind == PTX_O_INT ? in->opnd[2]->bits : 0;
  if ((t != PTX_T_U32 && t != PTX_T_U64) || align == 0 || align > MAX_ALIGN
      || (align & (align - 1)))
    dec_unknown (d);
  if (in->op == PTX_OP_STACKRESTORE)
    {
      opref a = dec_src (d, in->opnd[0], PTX_T_U64);
      dec_emit_named (d, "stackrestore")->a = a;
      return;
    }
  opref bytes = in->op == PTX_OP_ALLOCA ? dec_src (d, in->opnd[1], PTX_T_U64) : 0;
  opref to = dec_dst (d, in->opnd[0], t);
  opref wide = t == PTX_T_U64 ? to : dec_temp (d, PTX_T_U64);
  struct insn *i = dec_emit_named (d, bytes ? "alloca" : "stacksave");
  i->d = wide;
  i->a = bytes;
  i->imm = (int64_t) align;
  if (wide != to)
    dec_emit1 (d, "cvt.u32", PTX_T_U64, to, wide);
}

/* The type of the handler that moves a T; signed where a wider register asks
   for the sign.  */
static const char *
memory_type (enum ptx_type t)
{
  return t == PTX_T_S8 ? "s8" : t == PTX_T_S16 ? "s16" : dec_bits (t);
}

static const char *
memory_space (struct decoder *d, enum ptx_space s)
{
  switch (s)
    {
    case PTX_SP_NONE:
    case PTX_SP_GLOBAL:
    case PTX_SP_CONST:
    case PTX_SP_PARAM:		/* through a register: a generic address */
      return "generic";
    case PTX_SP_SHARED:
      return "shared";
    case PTX_SP_LOCAL:
      return "local";
    default:
      dec_unknown (d);
    }
}

/* The space IN accesses: as written, else that of the variable that ADDR
   names, as ptxas has it, else any.  */
static enum ptx_space
space_of (const struct ptx_insn *in, const struct ptx_opnd *addr)
{
  const struct ptx_opnd *base = addr->nelt ? addr->elt[0] : NULL;
  if (in->space == PTX_SP_NONE && base && base->kind == PTX_O_SYM
      && base->sym && base->sym->kind == PTX_SYM_VAR)
    return base->sym->space;
  return in->space;
}

static bool
weak (const struct ptx_insn *in)
{
  enum ptx_mod sem = in->mod[PTX_MC_SEM];
  return !sem || sem == PTX_M_WEAK;
}

static void
ordered (struct decoder *d, const struct ptx_insn *in, bool store, bool before)
{
  enum ptx_mod sem = in->mod[PTX_MC_SEM];
  if (weak (in))
    return;
  bool fence = store ? before && sem == PTX_M_RELEASE
		     : !before && sem == PTX_M_ACQUIRE;
  if (fence)
    dec_emit_named (d, "fence");
  else if (before)
    dec_emit_named (d, "spin");
}

/* What a load or store goes to: handlers for SPACE, the address in row AT plus
   OFF.  */
struct target
{
  const char *space;
  opref at;
  int64_t off;
  bool memory;			/* else a parameter */
  bool others;			/* other threads may reach it */
};

/* The target ADDR in space SP for BYTES, made of elements of SIZE.  */
static struct target
target_of (struct decoder *d, const struct ptx_opnd *addr, enum ptx_space sp,
	   unsigned size, unsigned bytes, bool store)
{
  struct target to = { .memory = false };
  uint64_t kparam;
  if (sp == PTX_SP_PARAM && !store && dec_kparam (d, addr, &kparam))
    {
      to.space = "kparam";
      to.off = (int64_t) kparam;
      if (kparam % size || kparam + bytes > d->f->params)
	dec_unknown (d);
    }
  else if (sp == PTX_SP_PARAM && (to.at = dec_fparam (d, addr)))
    {
      const struct ptx_sym *sym = addr->nelt ? addr->elt[0]->sym : NULL;
      to.space = "fparam";
      to.off = addr->off;
      if (!sym || to.off < 0 || (uint64_t) to.off + bytes > sym->size
	  || to.off % size)
	dec_unknown (d);
    }
  else
    {
      to.space = memory_space (d, sp);
      to.at = dec_addr (d, addr, &to.off);
      to.memory = true;
      to.others = sp != PTX_SP_LOCAL;
    }
  return to;
}

/* One access for more elements than a handler takes: their alignment is that of
   all, and the first half may overwrite the address.  */
static void
emit_aligned (struct decoder *d, struct target *to, unsigned bytes, bool store)
{
  if (!store)
    {
      opref copy = dec_temp (d, PTX_T_U64);
      dec_emit1 (d, "mov", PTX_T_U64, copy, to->at);
      to->at = copy;
    }
  struct insn *i = dec_emit_named (d, "aligned");
  i->a = to->at;
  i->imm = to->off;
  i->mode = (uint8_t) bytes;
}

/* ld and st: DATA is the operand with the registers, ADDR the address.  */
static void
access (struct decoder *d, const struct ptx_insn *in,
	const struct ptx_opnd *data, const struct ptx_opnd *addr, bool store)
{
  enum ptx_type t = in->type[0];
  unsigned n = in->vec ? in->vec : 1, bytes = n * ptx_type_info[t].bytes;
  enum ptx_space sp = space_of (in, addr);
  if (n > MAX_ELEMENTS || (t == PTX_T_B128 && n > 1))
    dec_unknown (d);
  ordered (d, in, store, true);
  struct target to
    = target_of (d, addr, sp, ptx_type_info[t].bytes, bytes, store);
  opref row[MAX_ELEMENTS] = { 0 };
  if (t == PTX_T_B128)
    {
      row[0] = dec_b128 (d, data);
      row[1] = row[0] + 2 * ROW;
      t = PTX_T_B64;
      n = 2;
    }
  else
    for (unsigned k = 0; k < n; k++)
      {
	struct ptx_opnd o = n > 1 ? dec_element (d, data, n, k) : *data;
	row[k] = store ? dec_src (d, &o, t) : dec_dst (d, &o, t);
      }
  if (n > MAX_VEC && to.memory)
    emit_aligned (d, &to, bytes, store);
  bool strong = !weak (in) || dec_fenced (d->stmt, store);
  for (unsigned k = 0; k < n; k += MAX_VEC)
    {
      struct insn *i = dec_emit_named (d, "%s_%s.%s", store ? "st" : "ld",
				       to.space, memory_type (t));
      i->a = to.at;
      i->imm = to.off + k * ptx_type_info[t].bytes;
      i->mode = (uint8_t) (n - k < MAX_VEC ? n - k : MAX_VEC);
      i->d = row[k];
      i->b = row[k + 1];
      i->c = row[k + 2];
      i->e = row[k + 3];
      i->flags = (sp == PTX_SP_GLOBAL ? IF_GLOBAL : 0)
		 | (store && to.others ? IF_WRITES : 0);
      if (to.others)
	dec_checked (d, ptx_type_info[t].bytes
			  | (store ? CHECK_WRITE : CHECK_READ)
			  | (sp == PTX_SP_SHARED ? CHECK_SHARED : 0)
			  | (strong ? CHECK_STRONG : 0));
    }
  ordered (d, in, store, false);
}

void
dec_ld (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  access (d, in, in->opnd[0], in->opnd[1], false);
}

void
dec_st (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  access (d, in, in->opnd[1], in->opnd[0], true);
}

static opref
atomic_src (struct decoder *d, const struct ptx_opnd *o, enum ptx_type t)
{
  return t == PTX_T_B128 ? dec_b128 (d, o) : dec_src (d, o, t);
}

/* atom d, [a], b {, c} and red [a], b: HAS_RESULT.  */
static void
atomic (struct decoder *d, const struct ptx_insn *in, bool has_result)
{
  enum ptx_type t = in->type[0];
  unsigned n = in->vec ? in->vec : 1;
  struct ptx_opnd *const *o = in->opnd + has_result;
  dec_need (d, in, 2 + (unsigned) has_result);
  enum ptx_space sp = space_of (in, o[0]);
  if (n > MAX_ELEMENTS
      || (sp != PTX_SP_NONE && sp != PTX_SP_GLOBAL && sp != PTX_SP_SHARED))
    dec_unknown (d);
  int64_t off;
  opref at = dec_addr (d, o[0], &off);
  char name[24];
  snprintf (name, sizeof name, "atom_%s", dec_mod (in, PTX_MC_SUBOP));
  emu_handler *fn = t == PTX_T_B128 ? dec_handler (d, "%s.b128", name)
				    : dec_typed_handler (d, name, t);
  enum ptx_mod op = in->mod[PTX_MC_SUBOP];
  /* The elements of a vector are operations of their own.  */
  for (unsigned k = 0; k < n; k++)
    {
      struct ptx_opnd to = { .kind = PTX_O_SINK }, from = *o[1];
      if (n > 1)
	from = dec_element (d, o[1], n, k);
      if (has_result)
	to = n > 1 ? dec_element (d, in->opnd[0], n, k) : *in->opnd[0];
      opref b = atomic_src (d, &from, t);
      opref c = in->mod[PTX_MC_SUBOP] == PTX_M_CAS
		  ? (dec_need (d, in, 4), atomic_src (d, o[2], t)) : 0;
      opref row = to.kind == PTX_O_SINK ? 0
		  : t == PTX_T_B128	? dec_b128 (d, &to)
					: dec_dst (d, &to, t);
      struct insn *i = dec_emit (d, fn);
      i->d = row;
      i->a = at;
      i->b = b;
      i->c = c;
      i->imm = off + k * ptx_type_info[t].bytes;
      i->mode = sp == PTX_SP_SHARED;
      i->flags = (sp == PTX_SP_GLOBAL ? IF_GLOBAL : 0) | IF_WRITES;
      dec_checked (d, ptx_type_info[t].bytes | CHECK_READ | CHECK_WRITE
			| CHECK_STRONG
			| (sp == PTX_SP_SHARED ? CHECK_SHARED : 0)
			| (op == PTX_M_CAS || op == PTX_M_EXCH ? CHECK_SWAP : 0));
    }
}

void
dec_atom (struct decoder *d, const struct ptx_insn *in)
{
  atomic (d, in, true);
}

void
dec_red (struct decoder *d, const struct ptx_insn *in)
{
  atomic (d, in, false);
}

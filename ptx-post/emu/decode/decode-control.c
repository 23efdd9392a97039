/* Decoding branches, calls and synchronisation.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "decode/decode.h"

/* ---- Control ----------------------------------------------------------- */

void
dec_bra (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 1);
  dec_jump (d, d->n, in->opnd[0]->sym);
  dec_emit_named (d, "bra");
}

/* brx.idx: a compare and a branch for each target.  */
void
dec_brx (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  const struct ptx_sym *table = in->opnd[1]->sym;
  if (!table || table->kind != PTX_SYM_TABLE || !table->targets)
    dec_unknown (d);
  for (unsigned k = 0; k < table->targets->nelt; k++)
    if (!table->targets->elt[k]->sym
	|| table->targets->elt[k]->sym->kind != PTX_SYM_LABEL)
      dec_unknown (d);
  opref index = dec_src (d, in->opnd[0], PTX_T_U32);
  opref p = dec_temp (d, PTX_T_PRED), not_guard = 0;
  opref guard = d->guard;
  uint32_t guard_xor = d->guard_xor;
  for (unsigned k = 0; k < table->targets->nelt; k++)
    {
      d->guard = d->guard_xor = 0;
      dec_emit2 (d, "setp_eq.u32", p, index, dec_const (d, k, false));
      if (guard)
	{
	  if (guard_xor && !not_guard)
	    not_guard = dec_temp (d, PTX_T_PRED);
	  if (guard_xor)
	    dec_emit1 (d, "not", PTX_T_PRED, not_guard, guard);
	  dec_emit2 (d, "and.pred", p, p, guard_xor ? not_guard : guard);
	}
      d->guard = p;
      dec_jump (d, d->n, table->targets->elt[k]->sym);
      dec_emit_named (d, "bra");
    }
  d->guard = guard;
  d->guard_xor = guard_xor;
  dec_emit_named (d, "unknown");	/* an index past the table */
}

static unsigned
chunks (uint64_t bytes)
{
  return (unsigned) ((bytes + 3) / 4);
}

/* Rows of one argument or result O of a call.  A register or a constant goes
   through a temporary; FORMAL is the parameter it stands for, if known.  */
static struct call_slot
call_slot (struct decoder *d, const struct ptx_opnd *o,
	   const struct ptx_sym *formal, bool result)
{
  struct call_slot s;
  if (o->kind == PTX_O_SYM && o->sym && (s.ref = dec_fparam (d, o)))
    {
      s.chunks = chunks (o->sym->size);
      return s;
    }
  enum ptx_type t = formal ? formal->type
		    : o->kind == PTX_O_REG ? o->sym->type : PTX_T_NONE;
  if (ptx_type_info[t].bytes < 2)
    dec_unknown (d);
  s.ref = dec_temp (d, PTX_T_U32);	/* chunks of 4 bytes */
  s.chunks = chunks (ptx_type_info[t].bytes);
  if (result)
    {
      opref to = dec_dst (d, o, t);
      d->after[d->nafter++] = (struct insn){
	.fn = dec_handler (d, "ld_fparam.%s", dec_bits (t)),
	.guard = d->guard, .guard_xor = d->guard_xor, .stmt = d->stmt,
	.mode = 1, .a = s.ref, .d = to
      };
    }
  else
    {
      opref from = dec_src (d, o, t);
      struct insn *i = dec_emit_named (d, "st_fparam.%s", dec_bits (t));
      i->mode = 1;
      i->a = s.ref;
      i->d = from;
    }
  return s;
}

void
dec_call (struct decoder *d, const struct ptx_insn *in)
{
  const struct ptx_opnd *rets = NULL, *args = NULL, *target;
  const struct ptx_sym *proto = NULL;
  unsigned k = 0;
  dec_need (d, in, 1);
  if (in->opnd[0]->kind == PTX_O_LIST)
    rets = in->opnd[k++];
  dec_need (d, in, k + 1);
  target = in->opnd[k++];
  if (k < in->nopnds && in->opnd[k]->kind == PTX_O_LIST)
    args = in->opnd[k++];
  if (k < in->nopnds)
    proto = in->opnd[k]->sym;

  struct emu_func *callee = NULL;
  const struct ptx_func *formal = NULL;
  if (target->kind == PTX_O_SYM && target->sym)
    {
      callee = emu_place (d->f, target->sym).func;
      formal = target->sym->func;
      if (!callee)
	dec_unknown (d);
    }
  else if (proto && proto->kind == PTX_SYM_PROTO)
    formal = proto->func;

  unsigned nrets = rets ? rets->nelt : 0, nargs = args ? args->nelt : 0;
  struct call *c = emu_module_alloc (d->f->module,
				     sizeof *c
				       + (nrets + nargs) * sizeof *c->slot);
  if (!c)
    longjmp (d->no_memory, 1);
  *c = (struct call){ .next = d->calls, .callee = callee, .nrets = nrets,
		      .nargs = nargs, .slot = (struct call_slot *) (c + 1) };
  opref at = callee ? 0 : dec_src (d, target, PTX_T_U64);
  const struct ptx_sym *f = formal ? formal->rets : NULL;
  for (unsigned n = 0; n < nrets; n++, f = f ? f->next : NULL)
    {
      c->slot[n] = call_slot (d, rets->elt[n], f, true);
      c->ret_chunks += c->slot[n].chunks;
    }
  f = formal ? formal->params : NULL;
  for (unsigned n = 0; n < nargs; n++, f = f ? f->next : NULL)
    {
      c->slot[nrets + n] = call_slot (d, args->elt[n], f, false);
      c->arg_chunks += c->slot[nrets + n].chunks;
    }
  if (callee && !callee->builtin
      && (c->ret_chunks != callee->ret_chunks
	  || c->arg_chunks != callee->arg_chunks))
    dec_unknown (d);
  struct insn *i
    = dec_emit_named (d, callee ? "call" : "call_indirect");
  i->a = at;
  i->call = d->calls = c;
}

void
dec_ret (struct decoder *d, const struct ptx_insn *in)
{
  (void) in;
  dec_reg_results (d);
  dec_emit_named (d, "ret");
}

void
dec_simple (struct decoder *d, const struct ptx_insn *in)
{
  static const struct
  {
    enum ptx_op op;
    const char *handler, *wide;	/* WIDE: beyond the block */
  } ops[] = {
    { PTX_OP_EXIT, "exit", "exit" },
    { PTX_OP_TRAP, "trap", "trap" },
    { PTX_OP_BRKPT, "trap", "trap" },
    { PTX_OP_MEMBAR, "fence", "wide_fence" },
    { PTX_OP_FENCE, "fence", "wide_fence" },
    { PTX_OP_NANOSLEEP, "nanosleep", "nanosleep" },
  };
  for (unsigned k = 0; k < sizeof ops / sizeof *ops; k++)
    if (ops[k].op == in->op)
      {
	bool wide = in->mod[PTX_MC_SCOPE] != PTX_M_CTA;
	dec_emit_named (d, "%s", wide ? ops[k].wide : ops[k].handler);
	return;
      }
}

/* Hints, which change nothing here.  */
void
dec_hint (struct decoder *d, const struct ptx_insn *in)
{
  (void) d, (void) in;
}

/* ---- Synchronisation --------------------------------------------------- */

void
dec_bar (struct decoder *d, const struct ptx_insn *in)
{
  bool reduces = in->op == PTX_OP_BAR_RED || in->op == PTX_OP_BARRIER_RED;
  bool aligned = in->op == PTX_OP_BAR || in->op == PTX_OP_BAR_RED
		 || ptx_insn_has (in, PTX_M_ALIGNED);
  unsigned k = reduces;
  dec_need (d, in, reduces ? 3 : 1);
  opref id = dec_src (d, in->opnd[k], PTX_T_U32);
  bool counted = in->nopnds > (reduces ? 3 : 1);
  opref count = counted ? dec_src (d, in->opnd[k + 1], PTX_T_U32) : 0;
  opref c = reduces ? dec_pred (d, in->opnd[in->nopnds - 1]) : 0;
  opref to = 0;
  if (reduces)
    to = in->mod[PTX_MC_SUBOP] == PTX_M_POPC
	   ? dec_dst (d, in->opnd[0], PTX_T_U32)
	   : dec_pred_dst (d, in->opnd[0]);
  struct insn *i = dec_emit_named (d, "%s",
				   in->mod[PTX_MC_MODE] == PTX_M_ARRIVE
				     ? "bar_arrive" : "bar_sync");
  i->a = id;
  i->b = count;
  i->c = c;
  i->d = to;
  i->mode = reduces ? in->mod[PTX_MC_SUBOP] : 0;
  i->flags = aligned ? IF_ALIGNED : 0;
}

void
dec_bar_warp (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 1);
  opref m = dec_src (d, in->opnd[0], PTX_T_U32);
  dec_emit_named (d, "bar_warp")->f = m;
}

/* The membermask, operand K, of a .sync instruction; 0 for old forms.  */
static opref
members (struct decoder *d, const struct ptx_insn *in, unsigned k)
{
  if (!ptx_insn_has (in, PTX_M_SYNC))
    return 0;
  dec_need (d, in, k + 1);
  return dec_src (d, in->opnd[k], PTX_T_U32);
}

void
dec_shfl (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 4);
  const struct ptx_opnd *to = in->opnd[0], *p = NULL;
  if (to->kind == PTX_O_PAIR)
    {
      p = to->elt[1];
      to = to->elt[0];
    }
  opref a = dec_src (d, in->opnd[1], PTX_T_B32);
  opref b = dec_src (d, in->opnd[2], PTX_T_B32);
  opref c = dec_src (d, in->opnd[3], PTX_T_B32);
  opref m = members (d, in, 4);
  opref row = dec_dst (d, to, PTX_T_B32);
  opref e = p ? dec_pred_dst (d, p) : 0;
  struct insn *i = dec_emit_named (d, "shfl_%s", dec_mod (in, PTX_MC_MODE));
  i->d = row;
  i->a = a;
  i->b = b;
  i->c = c;
  i->e = e;
  i->f = m;
}

void
dec_vote (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  opref a = dec_pred (d, in->opnd[1]), m = members (d, in, 2);
  bool ballot = in->mod[PTX_MC_MODE] == PTX_M_BALLOT;
  opref to = ballot ? dec_dst (d, in->opnd[0], PTX_T_B32)
		    : dec_pred_dst (d, in->opnd[0]);
  struct insn *i = dec_emit_named (d, "vote_%s", dec_mod (in, PTX_MC_MODE));
  i->d = to;
  i->a = a;
  i->f = m;
}

void
dec_match (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 3);
  const struct ptx_opnd *to = in->opnd[0], *p = NULL;
  if (to->kind == PTX_O_PAIR)
    {
      p = to->elt[1];
      to = to->elt[0];
    }
  opref a = dec_src (d, in->opnd[1], in->type[0]), m = members (d, in, 2);
  opref row = dec_dst (d, to, PTX_T_B32);
  opref e = p ? dec_pred_dst (d, p) : 0;
  struct insn *i = dec_emit_named (d, "match_%s.%s", dec_mod (in, PTX_MC_MODE),
				   dec_type (in->type[0]));
  i->d = row;
  i->a = a;
  i->e = e;
  i->f = m;
}

void
dec_redux (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 3);
  opref a = dec_src (d, in->opnd[1], in->type[0]), m = members (d, in, 2);
  opref to = dec_dst (d, in->opnd[0], in->type[0]);
  struct insn *i = dec_emit_named (d, "redux_%s.%s",
				   dec_mod (in, PTX_MC_SUBOP),
				   dec_type (in->type[0]));
  i->d = to;
  i->a = a;
  i->f = m;
}

void
dec_elect (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  const struct ptx_opnd *to = in->opnd[0];
  if (to->kind != PTX_O_PAIR)
    dec_unknown (d);
  opref m = members (d, in, 1);
  opref row = to->elt[0]->kind == PTX_O_SINK
		? 0 : dec_dst (d, to->elt[0], PTX_T_B32);
  opref e = dec_pred_dst (d, to->elt[1]);
  struct insn *i = dec_emit_named (d, "elect");
  i->d = row;
  i->e = e;
  i->f = m;
}

void
dec_activemask (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 1);
  opref to = dec_dst (d, in->opnd[0], PTX_T_B32);
  dec_emit_named (d, "activemask")->d = to;
}

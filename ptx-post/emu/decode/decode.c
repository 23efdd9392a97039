/* Decoding a function: its parameters, body and labels.

   A function is decoded when it is called for the first time.  The decoder
   names handlers (table.h) and knows none of them, so it lies below the
   machine.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/module.h"

/* Decode D->stmt's instruction; what is not emulated becomes an instruction
   that says so when it runs.  */
static void
decode_insn (struct decoder *d)
{
  size_t start = d->n, fixups = d->nfixup;
  const struct ptx_insn *in = d->stmt->insn;
  memset (d->ntemp, 0, sizeof d->ntemp);
  d->nafter = 0;
  d->guard = d->guard_xor = 0;
  if (setjmp (d->unknown))
    {
      d->n = start;
      d->nfixup = fixups;
      dec_emit_named (d, "unknown");
      return;
    }
  if (in && in->guard)
    dec_guard (d, in);
  if (!in || in->op == PTX_OP_OPAQUE)
    dec_unknown (d);
  dec_insn (d);
  for (unsigned k = 0; k < d->nafter; k++)
    *dec_emit (d, NULL) = d->after[k];
}

static void
decode_stmt (struct decoder *d, const struct ptx_stmt *s)
{
  d->stmt = s;
  if (s->kind == PTX_S_LABEL)
    dec_label (d, s->sym);
  else if (s->kind == PTX_S_INSN || s->kind == PTX_S_RAW)
    decode_insn (d);
}

/* Decode the blocks of D->away that belong in front of LABEL, which comes next; what is
   in front of them jumps there.  */
static void
decode_away (struct decoder *d, const struct ptx_sym *label)
{
  const struct dec_block *b = dec_away_to (&d->away, NULL, label);
  if (b)
    {
      d->stmt = b->last;
      d->guard = d->guard_xor = 0;
      dec_jump (d, d->n, label);
      dec_emit_named (d, "bra");
    }
  for (; b; b = dec_away_to (&d->away, b, label))
    for (const struct ptx_stmt *s = b->first; s != b->last->next; s = s->next)
      decode_stmt (d, s);
}

static void
decode_body (struct decoder *d)
{
  const struct ptx_func *p = d->f->ptx;
  d->stmt = p->first;
  dec_params (d);
  dec_find_away (&d->away, p);
  const struct dec_block *away = d->away.block, *end = away + d->away.n;
  for (const struct ptx_stmt *s = p->first; s && s != p->last; s = s->next)
    if (away < end && away->first == s)
      s = away++->last;
    else
      {
	if (s->kind == PTX_S_LABEL)
	  decode_away (d, s->sym);
	decode_stmt (d, s);
      }
  /* The end of a body returns.  */
  d->guard = d->guard_xor = 0;
  d->stmt = p->last ? p->last : p->first;
  dec_reg_results (d);
  dec_emit_named (d, "ret");
}

/* Jumps to labels that are not there fault when they run.  */
static void
resolve_jumps (struct decoder *d)
{
  for (size_t k = 0; k < d->nfixup; k++)
    {
      struct insn *i = &d->code[d->fixup[k].at];
      uint64_t at = map_get (d->place, d->fixup[k].label);
      if (at && d->fixup[k].label->kind == PTX_SYM_LABEL)
	i->target = d->code + (at - 1);
      else
	i->fn = emu_find_handler ("unknown");
    }
}

static bool
decode (struct emu_func *f)
{
  struct decoder *d = calloc (1, sizeof *d);
  if (!d)
    return false;
  d->f = f;
  d->frame = FRAME_HEADER;
  d->reg = calloc (f->ptx->nregs + 1, sizeof *d->reg);
  d->place = map_new ();
  bool done = d->reg && d->place && !setjmp (d->no_memory);
  if (done)
    {
      decode_body (d);
      resolve_jumps (d);
      f->frame = d->frame;
      f->local = (d->local + 15) & -16u;
      for (struct call *c = d->calls; c; c = c->next)
	c->frame = f->frame;
      f->ncode = d->n;
      __atomic_store_n (&f->code, d->code, __ATOMIC_RELEASE);
    }
  else
    free (d->code);
  map_free (d->place);
  free (d->reg);
  free (d->use);
  free (d->fixup);
  free (d->away.block);
  free (d);
  return done;
}

const struct insn *
emu_func_code (struct emu_func *f)
{
  struct insn *code = __atomic_load_n (&f->code, __ATOMIC_ACQUIRE);
  if (code)
    return code;
  pthread_mutex_lock (&f->module->lock);
  if (f->code || decode (f))
    code = f->code;
  pthread_mutex_unlock (&f->module->lock);
  return code;
}

/* Printing a unit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <inttypes.h>

static void print_opnd (const struct ptx_opnd *, FILE *);

static void
print_list (const struct ptx_opnd *o, const char *open, const char *separator,
	    const char *close, FILE *f)
{
  fputs (open, f);
  for (unsigned i = 0; i < o->nelt; i++)
    {
      if (i)
	fputs (separator, f);
      print_opnd (o->elt[i], f);
    }
  fputs (close, f);
}

static void
print_offset (int64_t off, FILE *f)
{
  if (off)
    fprintf (f, "+%" PRId64, off);	/* "-4" would not be PTX */
}

static void
print_opnd (const struct ptx_opnd *o, FILE *f)
{
  if (o->neg)
    fputc (o->kind == PTX_O_REG && o->sym->type == PTX_T_PRED ? '!' : '-', f);
  switch (o->kind)
    {
    case PTX_O_REG:
    case PTX_O_SYM:
      fputs (o->sym->name, f);
      print_offset (o->off, f);
      if (o->sel)
	fprintf (f, ".%s", o->sel);
      break;
    case PTX_O_SREG:
      fputs (ptx_sreg_info[o->sreg].text, f);
      break;
    case PTX_O_INT:
      fprintf (f, "%" PRId64, (int64_t) o->bits);
      break;
    case PTX_O_FLOAT:
      if (o->ftype == PTX_T_F32)
	fprintf (f, "0f%08" PRIx64, o->bits);
      else
	fprintf (f, "0d%016" PRIx64, o->bits);
      break;
    case PTX_O_ADDR:
      fputc ('[', f);
      if (o->nelt)
	{
	  print_opnd (o->elt[0], f);
	  print_offset (o->off, f);
	}
      else
	fprintf (f, "%" PRId64, o->off);
      fputc (']', f);
      break;
    case PTX_O_VEC:
      print_list (o, "{", ",", "}", f);
      break;
    case PTX_O_PAIR:
      print_list (o, "", "|", "", f);
      break;
    case PTX_O_LIST:
      print_list (o, "(", ",", ")", f);
      break;
    case PTX_O_SINK:
      fputc ('_', f);
      break;
    }
  if (o->comp)
    fprintf (f, ".%c", o->comp);
}

void
ptx_print_insn (const struct ptx_insn *insn, FILE *f)
{
  if (insn->guard)
    fprintf (f, "@%s%s ", insn->guard_neg ? "!" : "", insn->guard->name);
  fputs (insn->mnemonic, f);
  for (unsigned i = 0; i < insn->nopnds; i++)
    {
      fputs (i ? "," : " ", f);
      print_opnd (insn->opnd[i], f);
    }
  fputc (';', f);
}

void
ptx_print_stmt (const struct ptx_stmt *s, FILE *f)
{
  fwrite (s->text, 1, s->changed ? s->lead : s->len, f);
  if (s->changed)
    ptx_print_insn (s->insn, f);
}

void
ptx_print (const struct ptx_unit *u, FILE *f)
{
  /* Neighbours in the source go out in one piece.  */
  const char *from = u->text, *to = from;
  for (const struct ptx_stmt *s = u->first; s; s = s->next)
    {
      if (s->text != to)
	{
	  fwrite (from, 1, to - from, f);
	  from = s->text;
	}
      to = s->text + s->len;
      if (s->changed)
	{
	  fwrite (from, 1, s->text + s->lead - from, f);
	  ptx_print_insn (s->insn, f);
	  from = to;
	}
    }
  if (u->tail != to)
    {
      fwrite (from, 1, to - from, f);
      from = u->tail;
    }
  fwrite (from, 1, u->tail + u->tail_len - from, f);
}

/* The text of a pair.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include <inttypes.h>
#include <string.h>

/* ---- Bodies ---- */

void
pair_write_guard (const struct pair *p, const struct pair_side *side,
		  const struct ptx_insn *i)
{
  fputs ("\n\t", p->out);
  if (i->guard)
    fprintf (p->out, "@%s%s ", i->guard_neg ? "!" : "",
	     pair_name (&side->names, i->guard->name));
}

/* A move or conversion of the address of dynamic shared memory, which
   stands in a register of 64 bits.  */
static bool
write_dynamic_move (const struct pair *p, const struct pair_side *side,
		    const struct ptx_insn *i)
{
  const struct ptx_opnd *from = pair_dynamic_operand (i);
  if (!from || !p->moves_dynamic)
    return false;
  if (i->op == PTX_OP_CVTA)
    {
      pair_emit (p, "add.u64 #w, #dynamic, %" PRId64 ";", from->off);
      pair_write_guard (p, side, i);
      fprintf (p->out, "%s %s, %%%s_w;", i->mnemonic,
	       pair_name (&side->names, i->opnd[0]->sym->name), p->prefix);
      return true;
    }
  const char *to = pair_name (&side->names, i->opnd[0]->sym->name);
  bool wide = ptx_type_info[i->type[0]].bytes == 8;
  pair_write_guard (p, side, i);
  fprintf (p->out, "%s %s, %%%s_dynamic;", wide ? "mov.u64" : "cvt.u32.u64",
	   to, p->prefix);
  if (!from->off)
    return true;
  pair_write_guard (p, side, i);
  fprintf (p->out, "add.u%d %s, %s, %" PRId64 ";", wide ? 64 : 32, to, to,
	   from->off);
  return true;
}

/* A thread of the kernel ends.  */
static bool
write_leave (const struct pair *p, const struct pair_side *side,
	     const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->insn;
  if (!side->drains || s->func != side->kernel
      || (i->op != PTX_OP_RET && i->op != PTX_OP_EXIT))
    return false;
  pair_write_guard (p, side, i);
  fprintf (p->out, "bra %s_drain;", p->prefix);
  return true;
}

static void
write_statement (const struct pair *p, const struct pair_side *side,
		 const struct ptx_stmt *s)
{
  if (s->kind == PTX_S_DIRECTIVE && strcmp (s->directive, ".loc") == 0)
    return;
  if (s->kind == PTX_S_INSN)
    {
      if (pair_by_threads (p) && pair_is_barrier (s->insn))
	{
	  pair_write_barrier (p, side, s);
	  return;
	}
      if (write_leave (p, side, s) || write_dynamic_move (p, side, s->insn))
	return;
    }
  pair_write (p->out, s->text, s->text + s->len, &side->names);
}

/* The body of F from behind its opening brace to its closing one.  */
static void
write_body (const struct pair *p, const struct pair_side *side,
	    const struct ptx_func *f)
{
  for (const struct ptx_stmt *s = f->first->next;; s = s->next)
    {
      write_statement (p, side, s);
      if (s == f->last)
	break;
    }
}

/* ---- Functions and variables of a side ---- */

static void
write_head (const struct pair *p, const struct pair_side *side,
	    const struct pair_func *f)
{
  const struct ptx_stmt *h = f->f->header;
  const char *text = h->text + h->lead;
  const char *head = memmem (text, h->text + h->len - text, ".func", 5);
  const char *end = h->text + h->len;
  while (end > head && strchr (" \t\r\n", end[-1]))
    end--;
  putc ('\n', p->out);
  pair_write (p->out, head, end, &side->names);
}

static void
write_functions (const struct pair *p, const struct pair_side *side)
{
  for (const struct pair_func *f = side->funcs; f; f = f->next)
    if (f->copy)
      {
	write_head (p, side, f);
	putc (';', p->out);
      }
  for (const struct pair_func *f = side->funcs; f; f = f->next)
    if (f->copy)
      {
	write_head (p, side, f);
	fputs ("\n{", p->out);
	pair_write_begin_func (p, side, f);
	write_body (p, side, f->f);
      }
}

static void
write_variables (const struct pair *p, const struct pair_side *side)
{
  for (const struct pair_var *v = side->vars; v; v = v->next)
    if (pair_by_threads (p))
      {
	const struct ptx_sym *s = v->sym;
	fprintf (p->out, "\n.shared .align %u ", s->align);
	if (s->vec > 1)
	  fprintf (p->out, ".v%u ", s->vec);
	fprintf (p->out, ".%s %s", ptx_type_info[s->type].text,
		 pair_name (&side->names, s->name));
	if (s->is_array)
	  fprintf (p->out, "[%" PRIu64 "]", s->nelem);
	putc (';', p->out);
      }
  if (side->record)
    fprintf (p->out, "\n.shared .align 4 .b32 %s_record%u[%d];", p->prefix,
	     side->index + 1, PAIR_SLOTS);
}

/* ---- The entry ---- */

/* The parameters of SIDE's kernel, as its header declares them.  */
static void
write_parameters (const struct pair *p, const struct pair_side *side)
{
  const struct ptx_stmt *h = side->kernel->header;
  const char *end = h->text + h->len;
  const char *name = side->kernel->sym->name;
  const char *open = memmem (h->text + h->lead, h->len - h->lead, name,
			     strlen (name));
  open = open ? memchr (open, '(', end - open) : NULL;
  if (!side->kernel->nparams || !open)
    return;
  unsigned depth = 0;
  const char *s = open;
  do
    {
      depth += *s == '(';
      depth -= *s == ')';
      s++;
    }
  while (depth && s < end);
  pair_write (p->out, open + 1, s - 1, &side->names);
  fputs ("\n\t,", p->out);
}

static void
write_entry_head (const struct pair *p)
{
  const char *x = p->prefix;
  fprintf (p->out, "\n.visible .entry %s (", p->entry);
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    write_parameters (p, &p->side[k]);
  fprintf (p->out,
	   "\n\t.param .align 4 .b8 %s_grid1[12],"
	   "\n\t.param .align 4 .b8 %s_grid2[12]",
	   x, x);
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    if (pair_block_is_param (p, &p->side[k]))
      fprintf (p->out, ",\n\t.param .align 4 .b8 %s_block%u[12]", x, k + 1);
  if (p->moves_dynamic)
    fprintf (p->out, ",\n\t.param .u32 %s_dynamic1", x);
  fputs ("\n)\n", p->out);
  unsigned threads = pair_most_threads (p);
  if (threads)
    fprintf (p->out, ".%s %u, 1, 1\n",
	     pair_is_exact (p) ? "reqntid" : "maxntid", threads);
  if (p->opt->registers)
    fprintf (p->out, ".maxnreg %u\n", p->opt->registers);
}

static void
write_side (const struct pair *p, const struct pair_side *side)
{
  if (side->index)
    fprintf (p->out, "\n%s_second:", p->prefix);
  fputs ("\n{", p->out);
  pair_write_begin (p, side);
  fputs ("\n{", p->out);
  write_body (p, side, side->kernel);
  if (side->drains)
    pair_write_drain (p, side);
  else
    fputs ("\n\tret;\n", p->out);
  fputs ("}\n", p->out);
}

void
pair_write_all (struct pair *p)
{
  pair_write_protocol (p, p->out, "// accrete pair: ");
  fprintf (p->out, "\n.version %u.%u\n.target %s\n.address_size %u\n",
	   p->version / 10, p->version % 10, p->target,
	   p->unit[0]->address_size);
  pair_write_units (p);
  if (p->moves_dynamic)
    fprintf (p->out, "\n.extern .shared .align %u .b8 %s_memory[];",
	     pair_alignment (p), p->prefix);
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    {
      write_variables (p, &p->side[k]);
      write_functions (p, &p->side[k]);
    }
  putc ('\n', p->out);
  write_entry_head (p);
  fputs ("{", p->out);
  pair_write_split (p);
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    write_side (p, &p->side[k]);
  fputs ("}\n", p->out);
}

/* How a pair is launched, for people and programs to read: lines of KEY=VALUE.
   docs/pairing.md explains them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

unsigned
pair_alignment (const struct pair *p)
{
  unsigned a = p->side[0].align, b = p->side[1].align, least = 16;
  a = a > b ? a : b;
  return a > least ? a : least;
}

static void
write_partition (const struct pair *p, FILE *out)
{
  if (p->opt->partition == PAIR_SHARES)
    fprintf (out, "thread:%u/%u", p->opt->share[0], p->opt->share[1]);
  else
    fputs (pair_by_threads (p) ? "thread" : "block", out);
}

/* Where the size of SIDE's block comes from.  */
static void
write_block (const struct pair *p, const struct pair_side *side, FILE *out)
{
  const unsigned *b = side->block, *share = p->opt->share;
  if (b[0])
    fprintf (out, " block=%u,%u,%u", b[0], b[1], b[2]);
  else if (p->opt->partition == PAIR_SHARES)
    fprintf (out, " block=%u/%u", share[side->index], share[0] + share[1]);
  else
    fprintf (out, " block=block%u%s", side->index + 1,
	     pair_wants_warps (p, side) ? " threads=32n" : "");
}

static void
write_barriers (const struct pair_side *side, FILE *out)
{
  const char *separator = " barriers=";
  for (unsigned i = 0; i < PAIR_BARRIERS; i++)
    if (side->id_used[i])
      {
	fprintf (out, "%s%u:%u", separator, i, side->id[i]);
	separator = ",";
      }
  if (side->drains)
    fputs (" early-exits=kept", out);
}

static void
write_sides (const struct pair *p, FILE *out, const char *lead)
{
  unsigned at = 0;
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    {
      const struct pair_side *side = &p->side[k];
      fprintf (out, "%sside=%u kernel=%s file=%s parameters=%u+%u", lead,
	       k + 1, side->name, side->file, at, side->kernel->nparams);
      at += side->kernel->nparams;
      write_block (p, side, out);
      write_barriers (side, out);
      putc ('\n', out);
    }
}

static void
write_parameters (const struct pair *p, FILE *out, const char *lead)
{
  unsigned at = p->side[0].kernel->nparams + p->side[1].kernel->nparams;
  static const char line[] = "%sparameter=%u name=%s%u type=%s\n";
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    fprintf (out, line, lead, at++, "grid", k + 1, "dim3");
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    if (pair_block_is_param (p, &p->side[k]))
      fprintf (out, line, lead, at++, "block", k + 1, "dim3");
  if (p->moves_dynamic)
    fprintf (out, line, lead, at++, "dynamic", 1, "unsigned");
}

static void
write_launch (const struct pair *p, FILE *out, const char *lead)
{
  const struct pair_side *a = &p->side[0], *b = &p->side[1];
  bool threads = pair_by_threads (p);
  fprintf (out, "%slaunch grid=%s", lead,
	   threads ? "max(grid1,grid2)" : "grid1+grid2");
  if (p->opt->partition == PAIR_SHARES)
    fputs (" block=32n", out);
  else if (pair_threads (a) && pair_threads (b))
    fprintf (out, " block=%u", pair_most_threads (p));
  else
    fputs (threads ? " block=warps(block1)+warps(block2)"
		   : " block=max(block1,block2)",
	   out);
  if (p->moves_dynamic)
    fprintf (out, " dynamic=align(dynamic1,%u)+dynamic2", b->align);
  else if (a->dynamic && b->dynamic)
    fputs (" dynamic=max(dynamic1,dynamic2)", out);
  else if (a->dynamic || b->dynamic)
    fprintf (out, " dynamic=dynamic%u", a->dynamic ? 1 : 2);
  putc ('\n', out);
}

void
pair_write_protocol (const struct pair *p, FILE *out, const char *lead)
{
  fprintf (out, "%skernel=%s partition=", lead, p->entry);
  write_partition (p, out);
  if (p->opt->registers)
    fprintf (out, " registers=%u", p->opt->registers);
  putc ('\n', out);
  write_sides (p, out, lead);
  write_parameters (p, out, lead);
  write_launch (p, out, lead);
  for (const struct pair_name *n = p->renamed.first; n; n = n->next)
    fprintf (out, "%srenamed file=%s from=%s to=%s\n", lead, p->side[1].file,
	     n->from, n->to);
}

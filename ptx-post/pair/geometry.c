/* The geometry of a side: which threads and blocks of the pair are its own,
   and what its kernel reads in place of the special registers.

   A pair is launched with blocks and a grid along x.  The threads of a side,
   and the blocks of its grid, count from 0 in the order of their numbers; its
   kernel's x, y and z follow from that.  What is not fixed when the pair is
   made comes as parameters.  A launch that does not keep to the protocol
   traps.

   Functions find what their side knows of its block in a record in shared
   memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; int slot; } values[] = {
#define PAIR_VALUE(id, sreg, name, slot) { name, slot },
#include "pair/values.def"
};
static const char axis[] = "xyz";

void
pair_emit (const struct pair *p, const char *format, ...)
{
  char line[400];
  va_list args;
  va_start (args, format);
  vsnprintf (line, sizeof line, format, args);
  va_end (args);
  putc ('\n', p->out);
  if (!strchr (line, ':'))
    putc ('\t', p->out);
  for (const char *s = line; *s; s++)
    if (*s == '#' || *s == '$')
      fprintf (p->out, "%s%s_", *s == '#' ? "%" : "", p->prefix);
    else
      putc (*s, p->out);
}

unsigned
pair_threads (const struct pair_side *side)
{
  return side->block[0] * side->block[1] * side->block[2];
}

bool
pair_block_is_param (const struct pair *p, const struct pair_side *side)
{
  return !side->block[0] && p->opt->partition != PAIR_SHARES;
}

/* Barriers that take lanes one by one count lanes, of which the last warp may
   lack some.  */
bool
pair_wants_warps (const struct pair *p, const struct pair_side *side)
{
  return pair_by_threads (p) && pair_block_is_param (p, side)
	 && side->unaligned && !side->drains;
}

/* The most threads of SIDE's block in whole warps; 0: not known.  */
static unsigned
most_threads (const struct pair_side *side)
{
  const unsigned *most = side->kernel->maxntid;
  unsigned n = pair_threads (side);
  if (!n && most[0])
    n = most[0] * (most[1] ? most[1] : 1) * (most[2] ? most[2] : 1);
  return pair_warps_up (n);
}

unsigned
pair_most_threads (const struct pair *p)
{
  unsigned a = most_threads (&p->side[0]), b = most_threads (&p->side[1]);
  unsigned n = !a || !b ? 0 : pair_by_threads (p) ? a + b : a > b ? a : b;
  return n < PAIR_THREADS ? n : PAIR_THREADS;
}

bool
pair_is_exact (const struct pair *p)
{
  return pair_by_threads (p) && pair_threads (&p->side[0])
	 && pair_threads (&p->side[1]);
}

/* Is SIDE's block known to be a line along x?  */
static bool
is_line (const struct pair *p, const struct pair_side *side)
{
  return p->opt->partition == PAIR_SHARES
	 || (side->block[0] && side->block[1] == 1 && side->block[2] == 1);
}

/* Trap where the comparison CMP of A and B holds.  */
static void
trap_if (const struct pair *p, const char *cmp, const char *a, const char *b)
{
  pair_emit (p, "setp.%s.u32 #q, %s, %s;", cmp, a, b);
  pair_emit (p, "@#q trap;");
}

/* Let PRODUCT be the product of the three parameters NAME of SIDE, which
   registers INTO_x, y and z keep.  */
static void
load_dims (const struct pair *p, const struct pair_side *side,
	   const char *name, const char *into, const char *product)
{
  for (unsigned d = 0; d < 3; d++)
    pair_emit (p, "ld.param.u32 #%s_%c, [$%s%u+%u];", into, axis[d], name,
	       side->index + 1, 4 * d);
  pair_emit (p, "mul.lo.u32 %s, #%s_x, #%s_y;", product, into, into);
  pair_emit (p, "mul.lo.u32 %s, %s, #%s_z;", product, product, into);
}

/* Let COUNT be N threads in whole warps.  */
static void
round_up (const struct pair *p, const char *count, const char *n)
{
  pair_emit (p, "add.u32 %s, %s, %d;", count, n, PAIR_WARP - 1);
  pair_emit (p, "and.b32 %s, %s, %d;", count, count, -PAIR_WARP);
}

/* Let COUNT be the threads that SIDE's block takes of the pair's.  */
static void
write_taken (const struct pair *p, const struct pair_side *side,
	     const char *count)
{
  unsigned n = pair_threads (side);
  if (n)
    pair_emit (p, "mov.u32 %s, %u;", count, pair_warps_up (n));
  else
    {
      load_dims (p, side, "block", "ntid", count);
      round_up (p, count, count);
    }
}

/* Let x, y and z of NAME be the place of NUMBER in a box of UNITS.  */
static void
write_place (const struct pair *p, const char *name, const char *number,
	     const char *units)
{
  pair_emit (p, "rem.u32 #%s_x, %s, #%s_x;", name, number, units);
  pair_emit (p, "div.u32 #t, %s, #%s_x;", number, units);
  pair_emit (p, "rem.u32 #%s_y, #t, #%s_y;", name, units);
  pair_emit (p, "div.u32 #%s_z, #t, #%s_y;", name, units);
}

/* The same in a line.  */
static void
write_line (const struct pair *p, const char *name, const char *number)
{
  pair_emit (p, "mov.u32 #%s_x, %s;", name, number);
  pair_emit (p, "mov.u32 #%s_y, 0;", name);
  pair_emit (p, "mov.u32 #%s_z, 0;", name);
}

/* The same, where N units are in the box, which may be a line.  */
static void
write_place_or_line (const struct pair *p, const char *name,
		     const char *number, const char *units, const char *n)
{
  write_line (p, name, number);
  pair_emit (p, "setp.eq.u32 #q, %s, #%s_x;", n, units);
  pair_emit (p, "@#q bra $%s_known;", name);
  write_place (p, name, number, units);
  pair_emit (p, "$%s_known:", name);
}

/* The warp of a thread among its side's.  */
static void
write_warp (const struct pair *p)
{
  pair_emit (p, "shr.u32 #warpid, #thread, 5;");
}

void
pair_declare_values (const struct pair *p)
{
  pair_emit (p, ".reg .pred #q, #more, #here;");
  pair_emit (p, ".reg .b32 #t, #u, #n, #count, #offset;");
  pair_emit (p, ".reg .b64 #dynamic, #w;");
  for (unsigned v = 0; v < PAIR_VALUES; v++)
    pair_emit (p, ".reg .b32 #%s;", values[v].name);
}

/* ---- Who works for which side ---- */

/* The first threads are the first side's: #first of them.  */
static void
split_threads (const struct pair *p)
{
  const unsigned *share = p->opt->share;
  pair_emit (p, "mov.u32 #n, %%ntid.x;");
  if (p->opt->partition == PAIR_SHARES)
    {
      pair_emit (p, "shr.u32 #t, #n, 5;");
      pair_emit (p, "mul.lo.u32 #t, #t, %u;", share[0]);
      pair_emit (p, "div.u32 #t, #t, %u;", share[0] + share[1]);
      pair_emit (p, "shl.b32 #first, #t, 5;");
      pair_emit (p, "and.b32 #u, #n, %d;", PAIR_WARP - 1);
      trap_if (p, "ne", "#u", "0");
      trap_if (p, "eq", "#first", "0");
    }
  else
    {
      write_taken (p, &p->side[0], "#first");
      if (!pair_is_exact (p))
	{
	  write_taken (p, &p->side[1], "#u");
	  pair_emit (p, "add.u32 #u, #u, #first;");
	  trap_if (p, "ne", "#u", "#n");
	}
    }
  pair_emit (p, "setp.ge.u32 #q, #thread, #first;");
  pair_emit (p, "@#q bra $second;");
}

/* Of the blocks, number i is the first side's where i * grid1 / both is
   smaller than (i + 1) * grid1 / both. #first: how many of them are
   before.  */
static void
split_blocks (const struct pair *p)
{
  load_dims (p, &p->side[0], "grid", "nctaid", "#n");
  load_dims (p, &p->side[1], "grid", "nctaid", "#u");
  pair_emit (p, "add.u32 #u, #u, #n;");
  pair_emit (p, "mov.u32 #t, %%nctaid.x;");
  trap_if (p, "ne", "#u", "#t");
  pair_emit (p, "mul.wide.u32 #w, #block, #n;");
  pair_emit (p, "cvt.u64.u32 #both, #u;");
  pair_emit (p, "div.u64 #before, #w, #both;");
  pair_emit (p, "cvt.u32.u64 #first, #before;");
  pair_emit (p, "mul.lo.u64 #before, #before, #both;");
  pair_emit (p, "sub.u64 #w, #w, #before;");
  pair_emit (p, "cvt.u32.u64 #t, #w;");
  pair_emit (p, "add.u32 #t, #t, #n;");
  pair_emit (p, "setp.lt.u32 #q, #t, #u;");
  pair_emit (p, "@#q bra $second;");
  pair_emit (p, "mov.u32 #block, #first;");
}

void
pair_write_split (const struct pair *p)
{
  static const char *const lines[] = { "%ntid", "%nctaid" };
  pair_emit (p, ".reg .b32 #thread, #block, #first;");
  pair_emit (p, ".reg .b64 #both, #before;");
  pair_declare_values (p);
  for (unsigned k = pair_is_exact (p); k < 2; k++)
    {
      pair_emit (p, "mov.u32 #t, %s.y;", lines[k]);
      pair_emit (p, "mov.u32 #u, %s.z;", lines[k]);
      pair_emit (p, "mul.lo.u32 #t, #t, #u;");
      trap_if (p, "ne", "#t", "1");
    }
  pair_emit (p, "mov.u32 #thread, %%tid.x;");
  pair_emit (p, "mov.u32 #block, %%ctaid.x;");
  (pair_by_threads (p) ? split_threads : split_blocks) (p);
}

/* ---- How a side begins ---- */

/* The block's place in the grid; blocks that SIDE's grid does not have
   end.  */
static void
write_grid (const struct pair *p, const struct pair_side *side)
{
  load_dims (p, side, "grid", "nctaid", "#n");
  if (pair_by_threads (p))
    {
      pair_emit (p, "mov.u32 #t, %%nctaid.x;");
      trap_if (p, "lt", "#t", "#n");
      pair_emit (p, "setp.ge.u32 #q, #block, #n;");
      pair_emit (p, "@#q ret;");
    }
  write_place_or_line (p, "ctaid", "#block", "nctaid", "#n");
}

/* #n: the threads of SIDE's block; #count: in whole warps.  */
static void
write_block_size (const struct pair *p, const struct pair_side *side)
{
  unsigned n = pair_threads (side);
  if (n)
    {
      for (unsigned d = 0; d < 3; d++)
	pair_emit (p, "mov.u32 #ntid_%c, %u;", axis[d], side->block[d]);
      pair_emit (p, "mov.u32 #n, %u;", n);
      pair_emit (p, "mov.u32 #count, %u;", pair_warps_up (n));
    }
  else if (p->opt->partition == PAIR_SHARES)
    {
      pair_emit (p, "mov.u32 #t, %%ntid.x;");
      pair_emit (p, side->index ? "sub.u32 #n, #t, #first;"
				: "mov.u32 #n, #first;");
      pair_emit (p, "mov.u32 #ntid_x, #n;");
      pair_emit (p, "mov.u32 #ntid_y, 1;");
      pair_emit (p, "mov.u32 #ntid_z, 1;");
      pair_emit (p, "mov.u32 #count, #n;");
    }
  else
    {
      load_dims (p, side, "block", "ntid", "#n");
      round_up (p, "#count", "#n");
    }
}

static void
write_block (const struct pair *p, const struct pair_side *side)
{
  write_block_size (p, side);
  if (!pair_by_threads (p))
    {
      pair_emit (p, "mov.u32 #t, %%ntid.x;");
      trap_if (p, "lt", "#t", "#n");
    }
  if (pair_by_threads (p) && side->index)
    pair_emit (p, "sub.u32 #thread, #thread, #first;");
  write_warp (p);
  if (is_line (p, side))
    write_line (p, "tid", "#thread");
  else
    write_place_or_line (p, "tid", "#thread", "ntid", "#n");
  if (pair_wants_warps (p, side))
    trap_if (p, "ne", "#n", "#count");
}

/* #dynamic: where SIDE's dynamic shared memory begins, #offset behind the
   first side's.  */
static void
write_dynamic_address (const struct pair *p)
{
  pair_emit (p, "mov.u64 #dynamic, $memory;");
  pair_emit (p, "cvt.u64.u32 #w, #offset;");
  pair_emit (p, "add.u64 #dynamic, #dynamic, #w;");
}

static void
write_dynamic (const struct pair *p, const struct pair_side *side)
{
  if (!p->moves_dynamic)
    return;
  pair_emit (p, "ld.param.u32 #dynamic_size, [$dynamic1];");
  pair_emit (p, "mov.u32 #offset, 0;");
  if (side->index)
    {
      pair_emit (p, "add.u32 #offset, #dynamic_size, %u;", side->align - 1);
      pair_emit (p, "and.b32 #offset, #offset, %d;", -(int) side->align);
      pair_emit (p, "mov.u32 #t, %%dynamic_smem_size;");
      trap_if (p, "lt", "#t", "#offset");
      pair_emit (p, "sub.u32 #dynamic_size, #t, #offset;");
    }
  write_dynamic_address (p);
}

/* Is slot S of a record known in the pair, in register *NAME?  */
static bool
slot_name (const struct pair *p, int s, const char **name)
{
  *name = s == PAIR_SLOT_FIRST	 ? "first"
	  : s == PAIR_SLOT_COUNT ? "count"
				 : "offset";
  for (unsigned v = 0; v < PAIR_VALUES; v++)
    if (values[v].slot == s)
      *name = values[v].name;
  bool dynamic = s == PAIR_SLOT_OFFSET || s == values[PAIR_V_DYNAMIC].slot;
  return !dynamic || p->moves_dynamic;
}

/* Thread 0 writes the record of SIDE, and all wait for it.  */
static void
write_record (const struct pair *p, const struct pair_side *side)
{
  const char *name;
  pair_emit (p, "setp.eq.u32 #q, #thread, 0;");
  for (int s = 0; s < PAIR_SLOTS; s++)
    if (s == PAIR_SLOT_FIRST && (!side->index || !pair_by_threads (p)))
      pair_emit (p, "@#q st.shared.u32 [$record%u+%d], 0;", side->index + 1,
		 4 * s);
    else if (slot_name (p, s, &name))
      pair_emit (p, "@#q st.shared.u32 [$record%u+%d], #%s;",
		 side->index + 1, 4 * s, name);
  if (pair_by_threads (p))
    pair_emit (p, "bar.sync %u, #count;", side->id[side->full_id]);
  else
    pair_emit (p, "bar.sync 0;");
}

/* Threads that SIDE's block does not have end.  */
static void
write_surplus (const struct pair *p, const struct pair_side *side)
{
  if (p->opt->partition == PAIR_SHARES
      || (pair_by_threads (p) && pair_threads (side)
	  && pair_threads (side) % PAIR_WARP == 0))
    return;
  pair_emit (p, "setp.ge.u32 #q, #thread, #n;");
  pair_emit (p, side->drains ? "@#q bra $drain;" : "@#q ret;");
}

void
pair_write_begin (const struct pair *p, const struct pair_side *side)
{
  if (!pair_by_threads (p) && side->index)
    pair_emit (p, "sub.u32 #block, #block, #first;");
  write_grid (p, side);
  write_block (p, side);
  write_dynamic (p, side);
  if (side->record)
    write_record (p, side);
  write_surplus (p, side);
  pair_emit (p, "setp.eq.u32 #here, #block, #block;");
}

/* ---- How a function of a side begins ---- */

void
pair_write_begin_func (const struct pair *p, const struct pair_side *side,
		       const struct pair_func *f)
{
  const char *name;
  pair_emit (p, ".reg .b32 #thread, #first;");
  pair_declare_values (p);
  pair_emit (p, "setp.eq.u32 #here, 0, 0;");
  if (!pair_reads_record (p, side, f))
    return;
  for (int s = 0; s < PAIR_SLOTS; s++)
    if (slot_name (p, s, &name))
      pair_emit (p, "ld.shared.u32 #%s, [$record%u+%d];", name,
		 side->index + 1, 4 * s);
  pair_emit (p, "mov.u32 #thread, %%tid.x;");
  pair_emit (p, "sub.u32 #thread, #thread, #first;");
  write_warp (p);
  if (is_line (p, side))
    write_line (p, "tid", "#thread");
  else
    write_place (p, "tid", "#thread", "ntid");
  if (p->moves_dynamic)
    write_dynamic_address (p);
}

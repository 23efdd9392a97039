/* May one kernel take longer than two?

   Fused is what saves memory traffic: the bodies must have elements in common,
   those of loops in them when the loops count the same, or lines that such loops
   go along.  A loop comes to its end before the next begins, so that no more is
   in the caches at a time than before.  Bodies that need so many registers
   together that few threads are left to wait for memory are left to kernels of
   their own.

   What a thread keeps through all its iterations are pointers and
   floating-point constants; arithmetic needs no more registers in many bodies
   than in one.  Measured with ptxas 13.0 for sm_90, chains of 1 to 8 maps of
   doubles: 22 registers for 3 arrays, 32 for 9, 48 for 17, 80 for 33, 128 for
   57, and 254 for 89, with up to 60 operations a body; with 40 constants of 64
   bits instead of one, 128 for 33.  That is 14 registers, 2 a pointer, and those
   of the constants.

   Needs: the line of the merged construct.  Keeps: all code.
   Source: J. Filipovic et al., "Optimizing CUDA code by kernel fusion:
   application on BLAS", J. Supercomputing 71, 2015, section 4.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

enum
{
  /* What is further apart is taken to be in another array.  */
  NEAR_BYTES = 1024,
  /* With these 512 threads fit a multiprocessor, a quarter of what it holds at
     most, and each has many loads under way.  */
  MOST_REGISTERS = 128,
  FIRST_REGISTERS = 14,
  POINTER_REGISTERS = 2,
  /* GCC takes time that grows with the square of the accesses: at 600
     statements with 88 arrays a unit takes 1.25 times as long to compile.  */
  MOST_STATEMENTS = 600
};

/* ---- Registers ---- */

/* Floating-point constants, each once.  */
struct constants
{
  auto_vec<tree> found;
  unsigned registers;
};

static tree
find_constant (tree *tp, int *walk_subtrees, void *data)
{
  constants *c = (constants *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (TREE_CODE (*tp) != REAL_CST)
    return NULL_TREE;
  for (unsigned i = 0; i < c->found.length (); i++)
    if (operand_equal_p (c->found[i], *tp))
      return NULL_TREE;
  c->found.safe_push (*tp);
  c->registers += tree_to_uhwi (TYPE_SIZE_UNIT (TREE_TYPE (*tp))) / 4;
  return NULL_TREE;
}

static unsigned
constant_registers (const line *l)
{
  constants c;
  c.registers = 0;
  for (unsigned at = 0; at < l->code.length (); at++)
    for (unsigned i = 0; l->code[at] && i < gimple_num_ops (l->code[at]); i++)
      walk_tree (gimple_op_ptr (l->code[at], i), find_constant, &c, NULL);
  return c.registers;
}

/* How many pointers L's accesses are through.  */
static unsigned
pointers_of (const line *l)
{
  hash_set<int_hash<unsigned, ~0U, ~0U - 1> > objects;
  unsigned unknown = 0;
  for (unsigned i = 0; i < l->accesses.length (); i++)
    if (l->accesses[i].object == anything)
      unknown++;
    else if (l->accesses[i].in)
      objects.add (l->accesses[i].object);
  return objects.elements () + unknown;
}

static unsigned
registers_of (const line *l)
{
  return FIRST_REGISTERS + POINTER_REGISTERS * pointers_of (l)
	 + constant_registers (l);
}

/* ---- Elements ---- */

/* Does the access A move with the loops' indices?  Not all loops have one.  */
static bool
moves_p (const fusion *f, const line_access *a)
{
  for (unsigned i = 0; i < f->l.loops.length (); i++)
    if (f->l.loops[i]->index
	&& affine_mentions_p (&a->address,
			      affine_index_symbol (f->l.loops[i])))
      return true;
  return false;
}

bool
fuse_count_alike_p (const line_loop *a, const line_loop *b)
{
  return a->index && b->index && a->cond == b->cond && a->step == b->step
	 && affine_equal_p (&a->first, &b->first)
	 && affine_equal_p (&a->bound, &b->bound);
}

/* The loops around A, the outermost first.  */
static void
loops_around (const line_access *a, vec<line_loop *> *to)
{
  for (line_loop *l = a->in; l; l = l->outer)
    to->safe_insert (0, l);
}

/* May what is as far apart as T, a term of a distance, be on one line that loops
   go along, inside of the outermost DEPTH of LOOPS?  */
static bool
along_p (const affine_term *t, const vec<line_loop *> &loops, unsigned depth)
{
  if (t->symbol[AFFINE_DEGREE - 1] < 0)
    return absu_hwi (t->factor) <= NEAR_BYTES;
  for (int k = 0; k < AFFINE_DEGREE; k++)
    {
      const symbol *s
	= t->symbol[k] < 0 ? NULL : affine_symbol_of (t->symbol[k]);
      if (s && !s->counted && POINTER_TYPE_P (TREE_TYPE (s->expr)))
	return false;
      for (unsigned i = 0; s && i < depth; i++)
	if (s->counted == loops[i])
	  return false;
    }
  return true;
}

/* Are A and B at one place when loops around them that count the same do so
   together?  Where others are inside of these, somewhere in what they go
   over.  */
static bool
meet_p (const line_access *a, const line_access *b)
{
  if (a->in == b->in)
    return affine_equal_p (&a->address, &b->address);
  auto_vec<line_loop *> to, from;
  affine address = b->address, factor, rest;
  unsigned depth = 0;
  loops_around (a, &to);
  loops_around (b, &from);
  for (; depth < to.length () && depth < from.length (); depth++)
    if (to[depth] == from[depth])
      continue;
    else if (!fuse_count_alike_p (to[depth], from[depth])
	     || !affine_split (&address, affine_index_symbol (from[depth]),
			       &factor, &rest))
      break;
    else
      address = affine_add (
	rest, 1,
	affine_multiply (factor, affine_of_symbol (
				   affine_index_symbol (to[depth]))));
  affine between = affine_add (a->address, -1, address);
  for (int i = 0; i < between.n; i++)
    if ((depth == to.length () && depth == from.length ())
	|| !along_p (&between.term[i], to, depth))
      return false;
  return between.n >= 0;
}

/* Is there an element that both bodies access?  */
static bool
common_element_p (const fusion *f)
{
  for (unsigned i = 0; i < f->border_access; i++)
    {
      const line_access *a = &f->l.accesses[i];
      if (a->address.n < 0 || !moves_p (f, a))
	continue;
      for (unsigned k = f->border_access; k < f->l.accesses.length (); k++)
	if (meet_p (a, &f->l.accesses[k]))
	  return true;
    }
  return false;
}

bool
fuse_pays_p (fusion *f)
{
  return f->l.code.length () <= MOST_STATEMENTS
	 && common_element_p (f) && registers_of (&f->l) <= MOST_REGISTERS;
}

/* May one kernel take longer than two?

   Fused is what saves memory traffic: the bodies must have elements in common,
   those of loops in them when the loops count the same.  Such a loop comes to
   its end before the next begins, so that no more is in the caches at a time
   than before.  Bodies that need so many registers together that few threads
   are left to wait for memory are left to kernels of their own.

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

/* Does the access A move with the loops' indices?  */
static bool
moves_p (const fusion *f, const line_access *a)
{
  for (unsigned i = 0; i < f->l.loops.length (); i++)
    if (affine_mentions_p (&a->address, affine_index_symbol (f->l.loops[i])))
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

/* The address of B with the indices of the loops around A, which count the
   same, instead of its own; not known when there are none.  */
static affine
address_for (const line_access *a, const line_access *b)
{
  affine address = b->address, factor, rest;
  line_loop *to = a->in, *from = b->in;
  for (; to != from; to = to->outer, from = from->outer)
    if (!to || !from || !fuse_count_alike_p (to, from)
	|| !affine_split (&address, affine_index_symbol (from), &factor, &rest))
      return affine_unknown ();
    else
      address = affine_add (
	rest, 1,
	affine_multiply (factor,
			 affine_of_symbol (affine_index_symbol (to))));
  return address;
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
	{
	  affine address = address_for (a, &f->l.accesses[k]);
	  if (affine_equal_p (&a->address, &address))
	    return true;
	}
    }
  return false;
}

bool
fuse_pays_p (fusion *f)
{
  return f->l.code.length () <= MOST_STATEMENTS
	 && common_element_p (f) && registers_of (&f->l) <= MOST_REGISTERS;
}

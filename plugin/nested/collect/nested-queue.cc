/* Queues of launches, in memory.

   A queue's head counts launches in its upper bits and their iterations in its
   lower ones, so that one atomic addition gives a launch its place in the queue
   and its first iteration, in the same order (the paper's scan without zeros).
   So the launch that an iteration belongs to is found by binary search.

   Source: El Hajj et al., KLAP (MICRO 2016), sections II.A and II.B.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/collect/nested-queue.h"

tree
nested_device_array (const char *name, unsigned n, bool shared)
{
  return device_variable (get_identifier (name),
			  build_array_type_nelts (uint64_type_node, n), shared,
			  !shared);
}

/* ---- Words ---- */

static val
word_address (const nested_store *s, val i, code c)
{
  val offset = i.as (sizetype) * 8;
  return c.let ("word", fold_build_pointer_plus (unshare_expr (s->base),
						 offset));
}

tree
nested_field_at (tree type, tree address, unsigned j)
{
  return build2 (MEM_REF, TYPE_MAIN_VARIANT (type), address,
		 build_int_cst (ptr_type_node, 8 * j));
}

val
nested_word (const nested_store *s, tree type, val i, code c)
{
  return nested_field_at (type, word_address (s, i, c), 0);
}

val
nested_entry (const nested_store *s, const nested_queue *q, val r, code c)
{
  return nested_word (s, uint64_type_node, val (unshare_expr (q->entries)) + r,
		      c);
}

val
nested_head (const nested_store *s, const nested_queue *q, code c)
{
  return nested_word (s, uint64_type_node, unshare_expr (q->head), c);
}

val
nested_record (const nested_store *s, const nested_queue *q, val number,
	       code c)
{
  val words = number.as (sizetype) * q->width;
  return word_address (s, val (unshare_expr (q->records)) + words, c);
}

/* ---- Heads and entries ---- */

static val
low_bits (val word, int n)
{
  return word & HOST_WIDE_INT ((HOST_WIDE_INT_1U << n) - 1);
}

val
nested_count (const nested_store *s, val head)
{
  return (head >> u64 (s->total_bits)).as (unsigned_type_node);
}

val
nested_total (const nested_store *s, val head)
{
  return low_bits (head, s->total_bits);
}

val
nested_first (const nested_store *s, val entry)
{
  return entry >> u64 (s->number_bits);
}

val
nested_number (const nested_store *s, val entry, val r)
{
  return s->number_bits ? low_bits (entry, s->number_bits) : r;
}

val
nested_add (const nested_store *s, const nested_queue *q, val add, code c)
{
  /* The variable is the first, in the order of declarations.  */
  val old = c.var (uint64_type_node, "old");
  c.fetch_add (old, word_address (s, unshare_expr (q->head), c), add);
  return old;
}

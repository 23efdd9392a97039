/* Queues of launches, in memory.

   A queue's head counts launches in its upper bits and their iterations in its
   lower ones, so that one atomic addition gives a launch its place in the queue
   and its first iteration, in the same order (the paper's scan without zeros).
   So the launch that an iteration belongs to is found by binary search.

   Source: El Hajj et al., KLAP (MICRO 2016), sections II.A and II.B.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested-queue.h"

void
nested_only_if (enum tree_code code, tree a, tree b, tree elsewhere,
		gimple_seq *seq)
{
  tree go_on = code_label ();
  code_add_branch (code, a, b, go_on, elsewhere, seq);
  code_add_label (go_on, seq);
}

tree
nested_device_array (const char *name, unsigned n, bool shared)
{
  return device_variable (get_identifier (name),
			  build_array_type_nelts (uint64_type_node, n), shared,
			  !shared);
}

/* ---- Words ---- */

static tree
word_address (const nested_store *s, tree i, gimple_seq *seq)
{
  tree offset = fold_build2 (MULT_EXPR, sizetype, fold_convert (sizetype, i),
			     size_int (8));
  tree address = fold_build_pointer_plus (unshare_expr (s->base), offset);
  return code_value (address, "word", seq);
}

tree
nested_field_at (tree type, tree address, unsigned j)
{
  return build2 (MEM_REF, TYPE_MAIN_VARIANT (type), address,
		 build_int_cst (ptr_type_node, 8 * j));
}

tree
nested_word (const nested_store *s, tree type, tree i, gimple_seq *seq)
{
  return nested_field_at (type, word_address (s, i, seq), 0);
}

tree
nested_entry (const nested_store *s, const nested_queue *q, tree r,
	      gimple_seq *seq)
{
  return nested_word (s, uint64_type_node,
		      binary (PLUS_EXPR, unshare_expr (q->entries), r),
		      seq);
}

tree
nested_record (const nested_store *s, const nested_queue *q, tree number,
	       gimple_seq *seq)
{
  tree words = fold_build2 (MULT_EXPR, sizetype,
			    fold_convert (sizetype, number),
			    size_int (q->width));
  return word_address (s, binary (PLUS_EXPR, unshare_expr (q->records),
					 words),
		       seq);
}

/* ---- Heads and entries ---- */

static tree
low_bits (tree word, int n)
{
  return binary (BIT_AND_EXPR, word,
			u64 ((HOST_WIDE_INT_1U << n) - 1));
}

tree
nested_count (const nested_store *s, tree head)
{
  return fold_convert (unsigned_type_node,
		       binary (RSHIFT_EXPR, head,
				      u64 (s->total_bits)));
}

tree
nested_total (const nested_store *s, tree head)
{
  return low_bits (head, s->total_bits);
}

tree
nested_first (const nested_store *s, tree entry)
{
  return binary (RSHIFT_EXPR, entry, u64 (s->number_bits));
}

tree
nested_number (const nested_store *s, tree entry, tree r)
{
  return s->number_bits ? low_bits (entry, s->number_bits) : r;
}

tree
nested_add (const nested_store *s, const nested_queue *q, tree add,
	    gimple_seq *seq)
{
  tree old = code_temp (uint64_type_node, "old");
  gcall *call
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_FETCH_ADD_8), 3,
			 word_address (s, unshare_expr (q->head), seq), add,
			 build_int_cst (integer_type_node, MEMMODEL_RELAXED));
  gimple_call_set_lhs (call, old);
  gimple_seq_add_stmt (seq, call);
  return old;
}

/* Where launches are kept until they are executed: the words of a block's queues
   in shared memory, and those of the program's.

   Needs: the fields of all launches.
   Source: El Hajj et al., KLAP (MICRO 2016), section II.B.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested-collect.h"

unsigned
nested_queue_words (unsigned launches, unsigned fields)
{
  return (launches + HEADS_MORE) * 2 * MAX_WARPS
	 + (launches + fields) * NESTED_MAX_THREADS;
}

/* Records of one launch in the program's queue, at the most.  A head may count
   one more for each thread that the GPU runs at a time.  */
static const HOST_WIDE_INT max_records = 1 << 19;

/* The words of all records with their entries, one of each launch.  */
static unsigned
record_words (const nested_launches *launches)
{
  unsigned width = 0;
  for (unsigned i = 0; i < launches->all.length (); i++)
    if (launches->all[i]->defers)
      width += 1 + launches->all[i]->fields.length ();
  return width;
}

static unsigned
halves (const nested_launches *launches)
{
  return launches->levels ? 2 : 1;
}

tree
nested_far_words (const nested_launches *launches, tree n)
{
  /* One entry more.  */
  tree each = binary (PLUS_EXPR, n, u64 (1));
  each = binary (MULT_EXPR, each,
		 u64 (halves (launches) * record_words (launches)));
  return binary (PLUS_EXPR, each, u64 (ACR_NEST_QUEUE_BEGIN));
}

tree
nested_far_blocks (const nested_store *s, gimple_seq *seq)
{
  return nested_word (s, uint64_type_node, size_int (ACR_NEST_QUEUE_BLOCKS),
		      seq);
}

tree
nested_lay_out_far (const nested_launches *launches, nested_store *s,
		    tree words, tree base, tree half, gimple_seq *seq)
{
  tree n = uint64_type_node;
  tree each = binary (TRUNC_DIV_EXPR,
		      binary (MINUS_EXPR, words, u64 (ACR_NEST_QUEUE_BEGIN)),
		      u64 (halves (launches) * record_words (launches)));
  each = binary (MIN_EXPR, each, u64 (max_records));
  each = code_value (each, "each", seq);
  tree begin = u64 (ACR_NEST_QUEUE_BEGIN), heads = size_int (0);
  if (launches->levels)
    {
      tree size = binary (MULT_EXPR, each, u64 (record_words (launches)));
      size = binary (MULT_EXPR, fold_convert (n, half), size);
      begin = code_value (binary (PLUS_EXPR, size, begin), "begin", seq);
      heads = word (binary (MULT_EXPR, half, u32 (ACR_NEST_QUEUE_HEADS)));
      heads = code_value (heads, "heads", seq);
    }
  unsigned width = 0;
  for (unsigned i = 0; i < launches->all.length (); i++)
    {
      nested_queue q = {};
      q.width = launches->all[i]->fields.length ();
      q.head = size_binop (PLUS_EXPR, heads, size_int (i));
      if (launches->all[i]->defers)
	{
	  tree entries = binary (MULT_EXPR, each, u64 (width));
	  entries = binary (PLUS_EXPR, entries, begin);
	  q.entries = code_value (word (entries), "entries", seq);
	  q.records = code_value (size_binop (PLUS_EXPR, q.entries,
					      word (each)),
				  "records", seq);
	  width += 1 + q.width;
	}
      s->queues.safe_push (q);
    }
  s->total_bits = FAR_TOTAL_BITS;
  s->number_bits = 0;
  s->most = HOST_WIDE_INT_1 << 25;
  s->base = base;
  return code_value (binary (MINUS_EXPR, each, u64 (1)), "room", seq);
}

tree
nested_far_size (gimple_seq *seq)
{
  return nested_setting (ACR_NEST_SETTING_WORDS, seq);
}

tree
nested_far_queue (gimple_seq *seq)
{
  return code_value (fold_convert (ptr_type_node,
				   nested_setting (ACR_NEST_SETTING_QUEUE, seq)),
		     "far", seq);
}

/* Where launches are kept until they are executed: the words of a block's queues
   in shared memory, and those of the program's.

   Needs: the fields of all launches.
   Source: El Hajj et al., KLAP (MICRO 2016), section II.B.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/collect/nested-collect.h"

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

val
nested_far_words (const nested_launches *launches, val n)
{
  /* One entry more.  */
  val each = (n + 1) * HOST_WIDE_INT (halves (launches)
				       * record_words (launches));
  return each + ACR_NEST_QUEUE_BEGIN;
}

val
nested_far_blocks (const nested_store *s, code c)
{
  return nested_word (s, uint64_type_node, size_int (ACR_NEST_QUEUE_BLOCKS),
		      c);
}

val
nested_lay_out_far (const nested_launches *launches, nested_store *s,
		    val words, val base, val half, code c)
{
  HOST_WIDE_INT one = record_words (launches);
  val each = (words - ACR_NEST_QUEUE_BEGIN)
	     / HOST_WIDE_INT (halves (launches) * one);
  each = c.let ("each", min_of (each, max_records));
  val begin = u64 (ACR_NEST_QUEUE_BEGIN), heads = size_int (0);
  if (launches->levels)
    {
      val size = half.as (uint64_type_node) * (each * one);
      begin = c.let ("begin", size + begin);
      heads = c.let ("heads", word (half * ACR_NEST_QUEUE_HEADS));
    }
  unsigned width = 0;
  for (unsigned i = 0; i < launches->all.length (); i++)
    {
      nested_queue q = {};
      q.width = launches->all[i]->fields.length ();
      q.head = size_binop (PLUS_EXPR, heads, size_int (i));
      if (launches->all[i]->defers)
	{
	  val entries = each * width + begin;
	  q.entries = c.let ("entries", word (entries));
	  q.records = c.let ("records", size_binop (PLUS_EXPR, q.entries,
						    word (each)));
	  width += 1 + q.width;
	}
      s->queues.safe_push (q);
    }
  s->total_bits = FAR_TOTAL_BITS;
  s->number_bits = 0;
  s->most = HOST_WIDE_INT_1 << 25;
  s->base = base;
  return c.let ("room", each - 1);
}

val
nested_far_size (code c)
{
  return nested_setting (ACR_NEST_SETTING_WORDS, c);
}

val
nested_far_queue (code c)
{
  val queue = nested_setting (ACR_NEST_SETTING_QUEUE, c);
  return c.let ("far", queue.as (ptr_type_node));
}

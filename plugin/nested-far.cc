/* Launches that are executed after their parent, by a kernel.

   A launch that may be deferred, when it has many iterations, goes into the
   program's queue.  The runtime starts the same kernel again behind the parent,
   with a grid of two rows; its threads share the iterations of all records, and
   the last block clears the queue.  A launch that finds no room there is the
   group's, like others.

   Kernels that the device starts itself (nested-device.cc) find a queue of their
   own.

   Source: El Hajj et al., KLAP (MICRO 2016), section II.B.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested-collect.h"

/* The first words of the program's queue: a head for each launch, and how many
   blocks are through with it.  */
enum
{
  MAX_FAR = 15,
  FAR_BLOCKS = MAX_FAR,
  FAR_BEGIN
};

/* Records of one launch in the program's queue, at the most.  A head may count
   one more for each thread that the GPU runs at a time.  */
static const HOST_WIDE_INT max_records = 1 << 19;

/* ---- The queue ---- */

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

tree
nested_far_words (const nested_launches *launches, tree n)
{
  /* One entry more.  */
  tree each = binary (PLUS_EXPR, n, u64 (1));
  each = binary (MULT_EXPR, each, u64 (record_words (launches)));
  return binary (PLUS_EXPR, each, u64 (FAR_BEGIN));
}

tree
nested_far_blocks (const nested_store *s, gimple_seq *seq)
{
  return nested_word (s, uint64_type_node, size_int (FAR_BLOCKS), seq);
}

tree
nested_lay_out_far (const nested_launches *launches, nested_store *s,
		    tree words, tree base, gimple_seq *seq)
{
  tree each = binary (TRUNC_DIV_EXPR,
		      binary (MINUS_EXPR, words, u64 (FAR_BEGIN)),
		      u64 (record_words (launches)));
  each = binary (MIN_EXPR, each, u64 (max_records));
  each = spmd_value (each, "each", seq);
  unsigned width = 0;
  for (unsigned i = 0; i < launches->all.length (); i++)
    {
      nested_queue q = {};
      q.width = launches->all[i]->fields.length ();
      q.head = size_int (i);
      if (launches->all[i]->defers)
	{
	  tree entries = binary (MULT_EXPR, each, u64 (width));
	  entries = binary (PLUS_EXPR, entries, u64 (FAR_BEGIN));
	  q.entries = spmd_value (word (entries), "entries", seq);
	  q.records = spmd_value (size_binop (PLUS_EXPR, q.entries,
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
  return spmd_value (binary (MINUS_EXPR, each, u64 (1)), "room", seq);
}

tree
nested_far_size (gimple_seq *seq)
{
  return nested_setting (SETTING_WORDS, seq);
}

tree
nested_far_queue (gimple_seq *seq)
{
  return spmd_value (fold_convert (ptr_type_node,
				   nested_setting (SETTING_QUEUE, seq)),
		     "far", seq);
}

void
nested_begin_far (const nested_launches *launches, tree kind, gimple_seq *seq)
{
  nested_collection *c = launches->collection;
  tree n = uint64_type_node, without = spmd_label (), its = spmd_label (),
       rows_say = spmd_label (), first = spmd_label ();
  c->far_limit = spmd_temp (n, "far_limit");
  c->pool = spmd_temp (unsigned_type_node, "pool");
  c->drain = spmd_label ();
  c->words = spmd_temp (n, "words");
  c->base = spmd_temp (ptr_type_node, "far");
  spmd_set (c->far_limit, build_minus_one_cst (n), seq);
  spmd_set (c->pool, u32 (0), seq);
  nested_only_if (NE_EXPR, nested_device_form (seq), u64 (DEVICE_NOBODY),
		  rows_say, seq);
  nested_only_if (EQ_EXPR, c->shared, u32 (SHARED_LAUNCHED), rows_say, seq);
  nested_find_launched (c->words, c->base, seq);
  spmd_add_goto (c->drain, seq);
  spmd_add_label (rows_say, seq);
  tree rows = spmd_special_register ("nctaid.y", seq);
  spmd_add_branch (GT_EXPR, rows, u32 (1), its, first, seq);
  spmd_add_label (its, seq);
  spmd_set (c->words, nested_far_size (seq), seq);
  spmd_set (c->base, nested_far_queue (seq), seq);
  spmd_add_goto (c->drain, seq);
  spmd_add_label (first, seq);
  nested_only_if (NE_EXPR, kind, u64 (GROUP_NONE), without, seq);
  nested_only_if (NE_EXPR, c->shared, u32 (0), without, seq);
  spmd_set (c->far_limit, nested_form_setting (c, FORM_FAR, seq), seq);
  spmd_set (c->pool, u32 (1), seq);
  spmd_add_label (without, seq);
}

/* ---- Launches ---- */

void
nested_put_far (const nested_launches *launches, unsigned i, tree add,
		gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  tree n = uint64_type_node, far = spmd_temp (n, "far"), out = spmd_label (),
       near = spmd_label (), end = spmd_label ();
  spmd_set (far, u64 (0), seq);
  /* The same for all lanes.  */
  nested_only_if (NE_EXPR, c->far_limit, build_minus_one_cst (n), end, seq);
  /* Only here, lest all of it takes registers everywhere.  */
  nested_store store;
  tree room = nested_lay_out_far (launches, &store, nested_far_size (seq),
				  nested_far_queue (seq), seq);
  const nested_store *s = &store;
  const nested_queue *q = &s->queues[i];
  /* A look, lest counts run over.  */
  tree head = spmd_temp (n, "head");
  tree address = nested_word (s, n, q->head, seq);
  gcall *load
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_LOAD_8), 2,
			 TREE_OPERAND (address, 0),
			 build_int_cst (integer_type_node, MEMMODEL_RELAXED));
  gimple_call_set_lhs (load, head);
  gimple_seq_add_stmt (seq, load);
  nested_only_if (NE_EXPR, add, u64 (0), out, seq);
  nested_only_if (GE_EXPR, c->total, c->far_limit, out, seq);
  nested_only_if (LE_EXPR, c->total, u64 (s->most), out, seq);
  tree count = fold_convert (n, nested_count (s, head));
  nested_only_if (LT_EXPR, spmd_value (count, "count", seq), room, out, seq);
  nested_only_if (LT_EXPR, spmd_value (nested_total (s, head), "all", seq),
		  u64 (HOST_WIDE_INT_1U << (s->total_bits - 1)), out, seq);
  spmd_set (far, nested_one_launch (s, c->total), seq);
  spmd_add_label (out, seq);
  nested_meet_warp (seq);
  tree old = nested_add_together (c, s, q, far, seq);
  nested_only_if (NE_EXPR, far, u64 (0), near, seq);
  tree r = fold_convert (n, nested_count (s, old));
  r = spmd_value (r, "place", seq);
  nested_only_if (LE_EXPR, r, room, near, seq);
  /* Behind the last one, too: the iterations end there.  */
  spmd_set (nested_entry (s, q, r, seq), nested_total (s, old), seq);
  nested_only_if (LT_EXPR, r, room, near, seq);
  tree record = nested_record (s, q, r, seq);
  nested_copy_fields (launches->all[i], c->mine, record, seq);
  spmd_set (add, u64 (0), seq);
  spmd_add_label (near, seq);
  nested_meet_warp (seq);
  spmd_add_label (end, seq);
}

/* ---- Execution ---- */

void
nested_add_drain (const nested_launches *launches, const spmd_place *place,
		  tree done, gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  tree u = unsigned_type_node, n = uint64_type_node;
  spmd_add_label (c->drain, seq);
  nested_store store;
  tree room = nested_lay_out_far (launches, &store, c->words, c->base, seq);
  tree records = spmd_value (fold_convert (u, room), "room", seq);
  const nested_store *s = &store;
  tree columns = spmd_special_register ("nctaid.x", seq);
  tree rows = spmd_special_register ("nctaid.y", seq);
  tree block = binary (MULT_EXPR, spmd_special_register ("ctaid.y", seq),
		       columns);
  block = binary (PLUS_EXPR, block, spmd_special_register ("ctaid.x", seq));
  tree rank = binary (MULT_EXPR, fold_convert (n, block), place->block_size);
  rank = spmd_value (binary (PLUS_EXPR, rank, place->id), "rank", seq);
  tree blocks = spmd_value (binary (MULT_EXPR, columns, rows), "blocks", seq);
  tree size = spmd_value (binary (MULT_EXPR, fold_convert (n, blocks),
				  place->block_size),
			  "size", seq);
  for (unsigned i = 0; i < launches->all.length (); i++)
    {
      const nested_queue *q = &s->queues[i];
      if (!launches->all[i]->defers)
	continue;
      tree head = spmd_value (nested_word (s, n, q->head, seq), "head", seq);
      tree count = spmd_temp (u, "count"), total = spmd_temp (n, "total");
      tree known = spmd_label ();
      spmd_set (count, nested_count (s, head), seq);
      spmd_set (total, nested_total (s, head), seq);
      nested_only_if (GT_EXPR, count, records, known, seq);
      spmd_set (count, records, seq);
      spmd_set (total, nested_entry (s, q, room, seq), seq);
      spmd_add_label (known, seq);
      nested_execute (launches, i, s, count, total, rank, size, place, seq);
    }

  /* The last block clears the heads, and the number of blocks.  */
  tree only = spmd_label ();
  spmd_meet (&place->group, seq);
  spmd_add_branch (EQ_EXPR, place->id, u32 (0), only, done, seq);
  spmd_add_label (only, seq);
  tree through = nested_far_blocks (s, seq);
  tree before = spmd_temp (n, "before");
  spmd_add_asm ("membar.gl;", NULL_TREE, NULL_TREE, NULL_TREE, seq);
  gcall *add
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_FETCH_ADD_8), 3,
			 TREE_OPERAND (through, 0), u64 (1),
			 build_int_cst (integer_type_node, MEMMODEL_RELAXED));
  gimple_call_set_lhs (add, before);
  gimple_seq_add_stmt (seq, add);
  tree last = binary (MINUS_EXPR, fold_convert (n, blocks), u64 (1));
  nested_only_if (EQ_EXPR, before, spmd_value (last, "last", seq), done, seq);
  for (unsigned i = 0; i < launches->all.length (); i++)
    spmd_set (nested_word (s, n, size_int (i), seq), u64 (0), seq);
  spmd_set (unshare_expr (through), u64 (0), seq);
  spmd_add_goto (done, seq);
}

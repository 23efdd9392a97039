/* Launches that are executed after their parent, by a kernel.

   A launch that may be deferred, when it has many iterations, goes into the
   program's queue.  The runtime starts the same kernel again behind the parent,
   with a grid of two rows; its threads share the iterations of all records, and
   the last block clears the queue.  A launch that finds no room there is the
   group's, like others.

   Where a launch launches itself, the queue has two halves.  Such a kernel
   executes what is in one and fills the other, and the runtime starts it until
   both are empty: once for each level of the recursion.  Its threads share that
   launch's iterations one by one, first one in each block, then one in each
   warp: what they launch themselves is for their blocks or warps.

   Kernels that the device starts itself (nested-device.cc) find a queue of their
   own.

   Source: El Hajj et al., KLAP (MICRO 2016), section II.B.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested-collect.h"

/* ---- The queue ---- */

/* Go to HERE when the device has launched the kernel for a queue of its own, or
   to ELSEWHERE.  */
static void
branch_launched (const nested_collection *c, tree here, tree elsewhere,
		 gimple_seq *seq)
{
  nested_only_if (NE_EXPR, nested_device_form (seq),
		  u64 (ACR_NEST_LAUNCHER_NONE), elsewhere, seq);
  code_add_branch (EQ_EXPR, c->shared, u32 (ACR_NEST_SHARED_LAUNCHED), here,
		   elsewhere, seq);
}

/* Is the kernel one that the runtime has started for the program's queue?  32
   bits.  */
static tree
rows_say (gimple_seq *seq)
{
  tree rows = spmd_special_register ("nctaid.y", seq);
  tree more = fold_build2 (GT_EXPR, boolean_type_node, rows, u32 (1));
  return code_value (fold_convert (unsigned_type_node, more), "drains", seq);
}

/* The half of the program's queue that is to be executed.  */
static tree
half_to_execute (const nested_launches *launches, gimple_seq *seq)
{
  if (!launches->levels)
    return u32 (0);
  tree half = nested_field_at (uint64_type_node, nested_far_queue (seq),
			       ACR_NEST_QUEUE_HALF);
  return code_value (fold_convert (unsigned_type_node, half), "half", seq);
}

void
nested_if_drains (const nested_launches *launches, tree elsewhere,
		  gimple_seq *seq)
{
  tree here = code_label (), rows = code_label ();
  branch_launched (launches->collection, here, rows, seq);
  code_add_label (rows, seq);
  code_add_branch (NE_EXPR, rows_say (seq), u32 (0), here, elsewhere, seq);
  code_add_label (here, seq);
}

void
nested_begin_far (const nested_launches *launches, tree kind, gimple_seq *seq)
{
  nested_collection *c = launches->collection;
  tree n = uint64_type_node, without = code_label ();
  c->far_limit = code_temp (n, "far_limit");
  c->pool = code_temp (unsigned_type_node, "pool");
  c->drain = code_label ();
  c->through = code_label ();
  code_set (c->far_limit, build_minus_one_cst (n), seq);
  code_set (c->pool, u32 (0), seq);
  if (!launches->levels)
    {
      tree first = code_label ();
      nested_if_drains (launches, first, seq);
      code_add_goto (c->drain, seq);
      code_add_label (first, seq);
    }
  nested_only_if (NE_EXPR, kind, u64 (ACR_NEST_BY_THREAD), without, seq);
  nested_only_if (NE_EXPR, c->shared, u32 (0), without, seq);
  code_set (c->far_limit, nested_form_setting (c, ACR_NEST_FORM_FAR, seq), seq);
  code_set (c->pool, u32 (1), seq);
  code_add_label (without, seq);
}

/* ---- Launches ---- */

void
nested_put_far (const nested_launches *launches, unsigned i, tree add,
		gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  tree n = uint64_type_node, far = code_temp (n, "far"), out = code_label (),
       near = code_label (), end = code_label ();
  code_set (far, u64 (0), seq);
  /* The same for all lanes.  */
  nested_only_if (NE_EXPR, c->far_limit, build_minus_one_cst (n), end, seq);
  /* Only here, lest all of it takes registers everywhere.  */
  nested_store store;
  tree half = half_to_execute (launches, seq);
  if (launches->levels)
    half = code_value (binary (BIT_XOR_EXPR, half, rows_say (seq)), "half",
		       seq);
  tree room = nested_lay_out_far (launches, &store, nested_far_size (seq),
				  nested_far_queue (seq), half, seq);
  const nested_store *s = &store;
  const nested_queue *q = &s->queues[i];
  /* A look, lest counts run over.  */
  tree head = code_temp (n, "head");
  tree address = nested_word (s, n, unshare_expr (q->head), seq);
  gcall *load
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_LOAD_8), 2,
			 TREE_OPERAND (address, 0),
			 build_int_cst (integer_type_node, MEMMODEL_RELAXED));
  gimple_call_set_lhs (load, head);
  gimple_seq_add_stmt (seq, load);
  nested_only_if (NE_EXPR, add, u64 (0), out, seq);
  if (!launches->all[i]->call)
    nested_only_if (GE_EXPR, c->total, c->far_limit, out, seq);
  nested_only_if (LE_EXPR, c->total, u64 (s->most), out, seq);
  tree count = fold_convert (n, nested_count (s, head));
  nested_only_if (LT_EXPR, code_value (count, "count", seq), room, out, seq);
  nested_only_if (LT_EXPR, code_value (nested_total (s, head), "all", seq),
		  u64 (HOST_WIDE_INT_1U << (s->total_bits - 1)), out, seq);
  code_set (far, nested_one_launch (s, c->total), seq);
  code_add_label (out, seq);
  spmd_meet_warp (seq);
  tree old = nested_add_together (c, s, q, far, seq);
  nested_only_if (NE_EXPR, far, u64 (0), near, seq);
  tree r = fold_convert (n, nested_count (s, old));
  r = code_value (r, "place", seq);
  nested_only_if (LE_EXPR, r, room, near, seq);
  /* Behind the last one, too: the iterations end there.  */
  code_set (nested_entry (s, q, r, seq), nested_total (s, old), seq);
  nested_only_if (LT_EXPR, r, room, near, seq);
  tree record = nested_record (s, q, r, seq);
  nested_copy_fields (launches->all[i], c->mine, record, seq);
  code_set (add, u64 (0), seq);
  code_add_label (near, seq);
  spmd_meet_warp (seq);
  code_add_label (end, seq);
}

/* ---- Execution ---- */

/* The grid of a kernel that executes the queue.  */
struct drain
{
  const spmd_place *place;
  tree block, blocks;
  /* All threads, and the thread's number among them, 64 bits: those of a warp
     follow each other, or those of different blocks.  */
  tree size, rank, apart;
};

static void
find_grid (drain *d, gimple_seq *seq)
{
  tree n = uint64_type_node, id = d->place->id;
  tree columns = spmd_special_register ("nctaid.x", seq);
  tree rows = spmd_special_register ("nctaid.y", seq);
  tree block = binary (MULT_EXPR, spmd_special_register ("ctaid.y", seq),
		       columns);
  block = binary (PLUS_EXPR, block, spmd_special_register ("ctaid.x", seq));
  d->block = code_value (fold_convert (n, block), "block", seq);
  tree rank = binary (MULT_EXPR, d->block, d->place->block_size);
  d->rank = code_value (binary (PLUS_EXPR, rank, id), "rank", seq);
  d->blocks = code_value (binary (MULT_EXPR, columns, rows), "blocks", seq);
  d->size = code_value (binary (MULT_EXPR, fold_convert (n, d->blocks),
				d->place->block_size),
			"size", seq);
}

/* Add to SEQ the thread's number APART: in the order of lanes, of warps, of
   blocks.  */
static void
find_number_apart (drain *d, gimple_seq *seq)
{
  tree n = uint64_type_node, whole = code_label (), known = code_label (),
       order = code_temp (n, "order");
  tree id = fold_convert (n, d->place->id);
  tree part = binary (BIT_AND_EXPR, d->place->block_size, u32 (SPMD_WARP - 1));
  code_set (order, id, seq);
  code_add_branch (EQ_EXPR, code_value (part, "part", seq), u32 (0), whole,
		   known, seq);
  code_add_label (whole, seq);
  tree warps = binary (RSHIFT_EXPR, fold_convert (n, d->place->block_size),
		       u64 (exact_log2 (SPMD_WARP)));
  tree lane = binary (BIT_AND_EXPR, id, u64 (SPMD_WARP - 1));
  tree warp = binary (RSHIFT_EXPR, id, u64 (exact_log2 (SPMD_WARP)));
  code_set (order,
	    binary (PLUS_EXPR, binary (MULT_EXPR, lane, warps), warp), seq);
  code_add_label (known, seq);
  tree first = binary (MULT_EXPR, order, fold_convert (n, d->blocks));
  d->apart = code_value (binary (PLUS_EXPR, first, d->block), "apart", seq);
}

/* Add to SEQ that D's threads share the iterations of launch I in S.  */
static void
drain_launch (const nested_launches *launches, unsigned i,
	      const nested_store *s, tree room, const drain *d,
	      gimple_seq *seq)
{
  const nested_queue *q = &s->queues[i];
  tree u = unsigned_type_node, n = uint64_type_node, known = code_label ();
  tree head = code_value (nested_word (s, n, unshare_expr (q->head), seq),
			  "head", seq);
  tree count = code_temp (u, "count"), total = code_temp (n, "total");
  code_set (count, nested_count (s, head), seq);
  code_set (total, nested_total (s, head), seq);
  tree records = code_value (fold_convert (u, room), "records", seq);
  nested_only_if (GT_EXPR, count, records, known, seq);
  code_set (count, records, seq);
  code_set (total, nested_entry (s, q, room, seq), seq);
  code_add_label (known, seq);
  if (launches->all[i]->call)
    nested_execute_apart (launches, i, s, count, total, d->apart, d->size,
			  d->place, seq);
  else
    nested_execute (launches, i, s, count, total, d->rank, d->size, d->place,
		    seq);
}

/* Lay out the queue, or HALF of it, that the kernel executes, as S.  The result
   is its room.  */
static tree
lay_out_drained (const nested_launches *launches, nested_store *s, tree half,
		 gimple_seq *seq)
{
  tree words = code_temp (uint64_type_node, "words"),
       base = code_temp (ptr_type_node, "far"), here = code_label (),
       program = code_label (), known = code_label ();
  branch_launched (launches->collection, here, program, seq);
  code_add_label (here, seq);
  nested_find_launched (words, base, seq);
  code_set (half, u32 (0), seq);
  code_add_goto (known, seq);
  code_add_label (program, seq);
  code_set (words, nested_far_size (seq), seq);
  code_set (base, nested_far_queue (seq), seq);
  code_set (half, half_to_execute (launches, seq), seq);
  code_add_label (known, seq);
  return nested_lay_out_far (launches, s, words, base, half, seq);
}

void
nested_add_drain (nested_launches *launches, const spmd_place *place,
		  gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  tree end = code_label ();
  nested_store s;
  drain d;
  d.place = place;
  code_add_goto (end, seq);
  code_add_label (c->drain, seq);
  tree half = code_temp (unsigned_type_node, "half");
  tree room = lay_out_drained (launches, &s, half, seq);
  find_grid (&d, seq);
  /* What threads must be together for comes first.  */
  for (unsigned i = 0; i < launches->all.length (); i++)
    if (launches->all[i]->defers && !launches->all[i]->call)
      drain_launch (launches, i, &s, room, &d, seq);
  if (launches->levels)
    find_number_apart (&d, seq);
  else
    code_add_goto (c->through, seq);
  for (unsigned i = 0; i < launches->all.length (); i++)
    if (launches->all[i]->call)
      drain_launch (launches, i, &s, room, &d, seq);
  code_add_label (end, seq);
}

void
nested_end_drain (const nested_launches *launches, const spmd_place *place,
		  gimple_seq *seq)
{
  tree n = uint64_type_node, end = code_label ();
  code_add_label (launches->collection->through, seq);
  nested_if_drains (launches, end, seq);
  nested_store s;
  tree half = code_temp (unsigned_type_node, "half");
  lay_out_drained (launches, &s, half, seq);
  drain d;
  d.place = place;
  find_grid (&d, seq);
  /* The last block clears the heads, and the number of blocks.  */
  spmd_meet (&place->group, seq);
  nested_only_if (EQ_EXPR, place->id, u32 (0), end, seq);
  tree through = nested_far_blocks (&s, seq);
  tree before = code_temp (n, "before");
  spmd_add_asm ("membar.gl;", NULL_TREE, NULL_TREE, NULL_TREE, seq);
  gcall *add
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_FETCH_ADD_8), 3,
			 TREE_OPERAND (through, 0), u64 (1),
			 build_int_cst (integer_type_node, MEMMODEL_RELAXED));
  gimple_call_set_lhs (add, before);
  gimple_seq_add_stmt (seq, add);
  tree last = binary (MINUS_EXPR, fold_convert (n, d.blocks), u64 (1));
  nested_only_if (EQ_EXPR, before, code_value (last, "last", seq), end, seq);
  for (unsigned i = 0; i < launches->all.length (); i++)
    code_set (nested_word (&s, n, unshare_expr (s.queues[i].head), seq),
	      u64 (0), seq);
  code_set (unshare_expr (through), u64 (0), seq);
  if (launches->levels)
    {
      tree next = binary (BIT_XOR_EXPR, half, u32 (1));
      code_set (nested_word (&s, n, size_int (ACR_NEST_QUEUE_HALF), seq),
		fold_convert (n, next), seq);
    }
  code_add_label (end, seq);
}

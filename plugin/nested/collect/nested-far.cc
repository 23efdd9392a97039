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

   Needs: nested_begin.  Keeps: the group's queues.  Breaks: nothing.
   Source: El Hajj et al., KLAP (MICRO 2016), section II.B.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/collect/nested-collect.h"

/* ---- The queue ---- */

/* Go to HERE when the device has launched the kernel for a queue of its own, or
   to ELSEWHERE.  */
static void
branch_launched (const nested_collection *of, tree here, tree elsewhere,
		 code c)
{
  c.need (nested_device_form (c) != ACR_NEST_LAUNCHER_NONE, elsewhere);
  c.branch (of->shared == ACR_NEST_SHARED_LAUNCHED, here, elsewhere);
}

/* Is the kernel one that the runtime has started for the program's queue?  32
   bits.  */
static val
rows_say (code c)
{
  val rows = spmd_special_register ("nctaid.y", c);
  return c.let ("drains", val (rows > 1).as (unsigned_type_node));
}

/* The half of the program's queue that is to be executed.  */
static val
half_to_execute (const nested_launches *launches, code c)
{
  if (!launches->levels)
    return u32 (0);
  val half = nested_field_at (uint64_type_node, nested_far_queue (c),
			      ACR_NEST_QUEUE_HALF);
  return c.let ("half", half.as (unsigned_type_node));
}

void
nested_if_drains (const nested_launches *launches, writer<> body, code c)
{
  tree here = code_label (), rows = code_label (), elsewhere = code_label ();
  branch_launched (launches->collection, here, rows, c);
  c.at (rows);
  c.branch (rows_say (c) != 0, here, elsewhere);
  c.at (here);
  body ();
  c.at (elsewhere);
}

void
nested_begin_far (const nested_launches *launches, val kind, code c)
{
  nested_collection *of = launches->collection;
  tree n = uint64_type_node;
  of->far_limit = c.var (n, "far_limit");
  of->pool = c.var (unsigned_type_node, "pool");
  of->drain = code_label ();
  of->through = code_label ();
  c.set (of->far_limit, build_minus_one_cst (n));
  c.set (of->pool, 0);
  if (!launches->levels)
    nested_if_drains (launches, [&] { c.go (of->drain); }, c);
  tree without = code_label ();
  c.need (kind != ACR_NEST_BY_THREAD, without);
  c.need (of->shared != 0, without);
  c.set (of->far_limit, nested_form_setting (of, ACR_NEST_FORM_FAR, c));
  c.set (of->pool, 1);
  c.at (without);
}

/* ---- Launches ---- */

/* The head of Q in S, as it is at this moment.  */
static val
look_at_head (const nested_store *s, const nested_queue *q, code c)
{
  val head = c.var (uint64_type_node, "head");
  tree word = nested_head (s, q, c);
  gcall *load
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_LOAD_8), 2,
			 TREE_OPERAND (word, 0),
			 build_int_cst (integer_type_node, MEMMODEL_RELAXED));
  gimple_call_set_lhs (load, head);
  gimple_seq_add_stmt (c, load);
  return head;
}

/* Add to C that FAR becomes what launch I adds to its queue in S, when HEAD and
   the ROOM say that there is a place for it.  */
static void
want_far (const nested_launches *launches, unsigned i, const nested_store *s,
	  val head, val room, val add, val far, code c)
{
  const nested_collection *of = launches->collection;
  tree out = code_label ();
  c.need (add != 0, out);
  if (!launches->all[i]->call)
    c.need (of->total >= of->far_limit, out);
  c.need (of->total <= s->most, out);
  val count = c.let ("count", nested_count (s, head).as (uint64_type_node));
  c.need (count < room, out);
  val all = c.let ("all", nested_total (s, head));
  c.need (all < HOST_WIDE_INT (HOST_WIDE_INT_1U << (s->total_bits - 1)), out);
  c.set (far, nested_one_launch (s, of->total));
  c.at (out);
}

/* Add to C that the launch I of a thread goes to its place behind OLD in S, which
   has ROOM for so many records; then ADD becomes 0.  */
static void
store_far (const nested_launches *launches, unsigned i, const nested_store *s,
	   val old, val room, val add, code c)
{
  const nested_queue *q = &s->queues[i];
  tree near = code_label ();
  val r = c.let ("place", nested_count (s, old).as (uint64_type_node));
  c.need (r <= room, near);
  /* Behind the last one, too: the iterations end there.  */
  c.set (nested_entry (s, q, r, c), nested_total (s, old));
  c.need (r < room, near);
  nested_copy_fields (launches->all[i], launches->collection->mine,
		      nested_record (s, q, r, c), c);
  c.set (add, 0);
  c.at (near);
}

void
nested_put_far (const nested_launches *launches, unsigned i, val add, code c)
{
  const nested_collection *of = launches->collection;
  tree n = uint64_type_node;
  val far = c.var (n, "far", 0);
  /* The same for all lanes.  */
  c.if_ (of->far_limit != build_minus_one_cst (n), [&] {
    /* Only here, lest all of it takes registers everywhere.  */
    nested_store s;
    val half = half_to_execute (launches, c);
    if (launches->levels)
      half = c.let ("half", half ^ rows_say (c));
    val queue = nested_far_queue (c);
    val room = nested_lay_out_far (launches, &s, nested_far_size (c), queue,
				   half, c);
    /* A look, lest counts run over.  */
    val head = look_at_head (&s, &s.queues[i], c);
    want_far (launches, i, &s, head, room, add, far, c);
    spmd_meet_warp (c);
    val old = nested_add_together (of, &s, &s.queues[i], far, c);
    c.if_ (far != 0,
	   [&] { store_far (launches, i, &s, old, room, add, c); });
    spmd_meet_warp (c);
  });
}

/* ---- Execution ---- */

/* The grid of a kernel that executes the queue.  */
struct drain
{
  const spmd_place *place;
  val block, blocks;
  /* All threads, and the thread's number among them, 64 bits: those of a warp
     follow each other, or those of different blocks.  */
  val size, rank, apart;
};

static void
find_grid (drain *d, code c)
{
  tree n = uint64_type_node;
  val columns = spmd_special_register ("nctaid.x", c);
  val rows = spmd_special_register ("nctaid.y", c);
  val row = spmd_special_register ("ctaid.y", c);
  val column = spmd_special_register ("ctaid.x", c);
  d->block = c.let ("block", (row * columns + column).as (n));
  d->rank = c.let ("rank", d->block * d->place->block_size + d->place->id);
  d->blocks = c.let ("blocks", columns * rows);
  d->size = c.let ("size", d->blocks.as (n) * d->place->block_size);
}

/* Add to C the thread's number APART: in the order of lanes, of warps, of
   blocks.  */
static void
find_number_apart (drain *d, code c)
{
  tree n = uint64_type_node;
  val order = c.var (n, "order"), block_size = d->place->block_size;
  val id = val (d->place->id).as (n);
  int log = exact_log2 (SPMD_WARP);
  c.set (order, id);
  val part = c.let ("part", block_size & (SPMD_WARP - 1));
  c.if_ (part == 0, [&] {
    val warps = block_size.as (n) >> log;
    c.set (order, (id & (SPMD_WARP - 1)) * warps + (id >> log));
  });
  d->apart = c.let ("apart", order * d->blocks.as (n) + d->block);
}

/* Add to C that D's threads share the iterations of launch I in S.  */
static void
drain_launch (const nested_launches *launches, unsigned i,
	      const nested_store *s, val room, const drain *d, code c)
{
  const nested_queue *q = &s->queues[i];
  tree u = unsigned_type_node, n = uint64_type_node;
  val head = c.let ("head", nested_head (s, q, c));
  val count = c.var (u, "count"), total = c.var (n, "total");
  c.set (count, nested_count (s, head));
  c.set (total, nested_total (s, head));
  val records = c.let ("records", room.as (u));
  c.if_ (count > records, [&] {
    c.set (count, records);
    c.set (total, nested_entry (s, q, room, c));
  });
  nested_count_executed (launches->collection, ACR_NEST_SETTING_FAR, count,
			 total, d->rank, c);
  if (launches->all[i]->call)
    nested_execute_apart (launches, i, s, count, total, d->apart, d->size,
			  d->place, c);
  else
    nested_execute (launches, i, s, count, total, d->rank, d->size, d->place,
		    c);
}

/* Lay out the queue, or HALF of it, that the kernel executes, as S.  The result
   is its room.  */
static val
lay_out_drained (const nested_launches *launches, nested_store *s, val half,
		 code c)
{
  val words = c.var (uint64_type_node, "words");
  val base = c.var (ptr_type_node, "far");
  tree here = code_label (), program = code_label (), known = code_label ();
  branch_launched (launches->collection, here, program, c);
  c.at (here);
  nested_find_launched (words, base, c);
  c.set (half, 0);
  c.go (known);
  c.at (program);
  c.set (words, nested_far_size (c));
  c.set (base, nested_far_queue (c));
  c.set (half, half_to_execute (launches, c));
  c.at (known);
  return nested_lay_out_far (launches, s, words, base, half, c);
}

void
nested_add_drain (nested_launches *launches, const spmd_place *place,
		  gimple_seq *seq)
{
  code c = seq;
  const nested_collection *of = launches->collection;
  tree end = code_label ();
  nested_store s;
  drain d;
  d.place = place;
  c.go (end);
  c.at (of->drain);
  val half = c.var (unsigned_type_node, "half");
  val room = lay_out_drained (launches, &s, half, c);
  find_grid (&d, c);
  /* What threads must be together for comes first.  */
  for (unsigned i = 0; i < launches->all.length (); i++)
    if (launches->all[i]->defers && !launches->all[i]->call)
      drain_launch (launches, i, &s, room, &d, c);
  if (launches->levels)
    find_number_apart (&d, c);
  else
    c.go (of->through);
  for (unsigned i = 0; i < launches->all.length (); i++)
    if (launches->all[i]->call)
      drain_launch (launches, i, &s, room, &d, c);
  c.at (end);
}

/* Add to C that the half of S which was executed, HALF, is the next to be filled:
   what was in it is gone for whoever sees that.  */
static void
flip_halves (const nested_store *s, val half, code c)
{
  val next = nested_word (s, uint64_type_node, size_int (ACR_NEST_QUEUE_HALF), c);
  spmd_add_asm ("membar.gl;", NULL_TREE, NULL_TREE, NULL_TREE, c);
  val other = c.let ("other", half ^ 1);
  other = c.let ("other", other.as (uint64_type_node));
  spmd_add_asm ("st.volatile.u64 [%0], %1;", NULL_TREE,
		TREE_OPERAND (next.t, 0), other, c);
}

/* Add to C, for all threads of PLACE's block, where all blocks are on the GPU at
   once: when they are all through with HALF of S, and the other one is not
   empty, they execute that.  */
static void
go_to_next_level (const nested_launches *launches, const nested_store *s,
		  const spmd_place *place, val half, code c)
{
  const nested_collection *of = launches->collection;
  tree n = uint64_type_node, end = code_label ();
  c.need (c.let ("stays", of->shared & ACR_NEST_SHARED_RESIDENT) != 0, end);
  c.if_ (val (place->id) == 0, [&] {
    val word = nested_word (s, n, size_int (ACR_NEST_QUEUE_HALF), c);
    val address = TREE_OPERAND (word.t, 0), now = c.var (n, "now");
    val old = c.let ("old", half.as (n));
    c.loop_ ([&] (tree seen) {
      spmd_add_asm ("ld.volatile.u64 %0, [%1];", now, address, NULL_TREE, c);
      c.need (now == old, seen);
    });
    spmd_add_asm ("membar.gl;", NULL_TREE, NULL_TREE, NULL_TREE, c);
  });
  spmd_meet (&place->group, c);
  nested_store next;
  val more = c.var (n, "more", 0), other = c.var (unsigned_type_node, "other");
  lay_out_drained (launches, &next, other, c);
  for (unsigned i = 0; i < launches->all.length (); i++)
    c.set (more, more | val (nested_head (&next, &next.queues[i], c)));
  c.need (more != 0, end);
  c.go (of->drain);
  c.at (end);
}

/* Add to C what the threads of PLACE do after the execution of the queue: the
   last block clears the heads, and the number of blocks.  */
static void
leave_drain (const nested_launches *launches, const spmd_place *place, code c)
{
  tree n = uint64_type_node;
  nested_store s;
  val half = c.var (unsigned_type_node, "half");
  lay_out_drained (launches, &s, half, c);
  drain d;
  d.place = place;
  find_grid (&d, c);
  spmd_meet (&place->group, c);
  c.if_ (val (place->id) == 0, [&] {
    val through = nested_far_blocks (&s, c), before = c.var (n, "before");
    spmd_add_asm ("membar.gl;", NULL_TREE, NULL_TREE, NULL_TREE, c);
    c.fetch_add (before, TREE_OPERAND (through.t, 0), u64 (1));
    val last = c.let ("last", d.blocks.as (n) - 1);
    c.if_ (before == last, [&] {
      for (unsigned i = 0; i < launches->all.length (); i++)
	c.set (nested_head (&s, &s.queues[i], c), 0);
      c.set (unshare_expr (through), 0);
      if (launches->levels)
	flip_halves (&s, half, c);
    });
  });
  if (launches->levels)
    go_to_next_level (launches, &s, place, half, c);
}

void
nested_end_drain (const nested_launches *launches, const spmd_place *place,
		  code c)
{
  c.at (launches->collection->through);
  nested_if_drains (launches, [&] { leave_drain (launches, place, c); }, c);
}

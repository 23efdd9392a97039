/* Launches by the device itself: one kernel for each child, or one for those
   that a warp or block has collected.

   This is what programs with nested launches do in CUDA, and what aggregation is
   measured against.  The kernel is the parent's own, which executes the queue
   that it is given, as it does with the program's (nested-far.cc): a block of
   words from a pool that the runtime has reserved,

     the parent's argument, for the kernel to begin with;
     the words of the queue;
     what became of the launch: 0 when it has been accepted;
     the queue.

   Neither GCC nor the stock device plugin knows CUDA's device runtime.  So the
   code has a comment where the launch is to be, and another one where it says
   that there are none; the runtime, when it is asked for launches by the device
   and libcudadevrt is there, edits both as it loads the code
   (libgomp-ext/jit/nest-ptx.c).  Otherwise the driver's compiler finds that nothing
   leads here.  A launch that is not accepted leaves the child to the launching
   threads.

   Only children that nobody waits for are launched so: on sm_90 a kernel cannot
   wait for another one.

   Needs: nested_begin_far.  Keeps: the group's queues.  Breaks: nothing.
   Source: El Hajj et al., KLAP (MICRO 2016), sections I and II.A; CUDA C++
   Programming Guide, "CUDA Dynamic Parallelism".

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/collect/nested-collect.h"

/* Words of such a block.  */
enum
{
  BLOCK_ARGUMENT,
  BLOCK_WORDS,
  BLOCK_STATUS,
  BLOCK_QUEUE
};

/* The first words of the pool count what has been taken from the rest, and
   launches that have failed.  */
enum
{
  POOL_TAKEN,
  POOL_FAILED,
  POOL_BEGIN
};

/* Word I of the block at ADDRESS.  */
static tree
block_word (tree address, unsigned i)
{
  return nested_field_at (uint64_type_node, address, i);
}

static val
queue_address (tree address, code c)
{
  return c.let ("queue", fold_build_pointer_plus_hwi (address,
						      8 * BLOCK_QUEUE));
}

/* The kernel's argument, as it was passed.  */
static val
argument (tree type, code c)
{
  val value = c.var (type, "argument");
  spmd_add_asm ("ld.param.u64 %0, [%%in_ar0];", value, NULL_TREE, NULL_TREE,
		c);
  return value;
}

void
nested_find_launched (val words, val base, code c)
{
  val address = argument (ptr_type_node, c);
  c.set (words, block_word (address, BLOCK_WORDS));
  c.set (base, queue_address (address, c));
}

/* Add to C: BODY is for when FORM is asked for, and the kernel has a pool.  That the
   form is a constant must be seen here.  */
static void
if_form (const nested_collection *of, enum acr_nest_launcher form,
	 writer<> body, code c)
{
  tree end = code_label ();
  c.need (nested_device_form (c) == form, end);
  c.need (of->pool != 0, end);
  body ();
  c.at (end);
}

/* Add to C that N is added to word I of the pool.  The result is what it was
   before.  */
static val
note (unsigned i, val n, code c)
{
  val old = c.var (uint64_type_node, "old"), pool = nested_far_queue (c);
  val word = c.let ("word", fold_build_pointer_plus_hwi (pool, 8 * i));
  c.fetch_add (old, word, n);
  return old;
}

/* Add to C that ADDRESS becomes that of a block for N launches of each, or
   0.  */
static void
take_block (const nested_launches *launches, val address, val n, code c)
{
  tree room = code_label (), full = code_label (), end = code_label ();
  c.set (address, null_pointer_node);
  val words = c.let ("words", nested_far_words (launches, n) + BLOCK_QUEUE);
  val taken = note (POOL_TAKEN, words, c);
  val from = c.let ("from", taken + POOL_BEGIN);
  val to = c.let ("to", from + words);
  c.branch (to <= nested_far_size (c), room, full);
  c.at (full);
  note (POOL_FAILED, u64 (1), c);
  c.go (end);
  c.at (room);
  c.set (address, fold_build_pointer_plus (nested_far_queue (c),
					   from.as (sizetype) * 8));
  c.at (end);
}

/* Lay out S in the block at ADDRESS, for N launches of each.  */
static void
lay_out (const nested_launches *launches, nested_store *s, val address,
	 val n, code c)
{
  val words = c.let ("words", nested_far_words (launches, n));
  nested_lay_out_far (launches, s, words, queue_address (address, c), u32 (0),
		      c);
}

/* What the kernel that the runtime has started has as its argument; the device
   launches others with a block that begins with it.  */
static val
first_argument (const nested_collection *of, code c)
{
  val first = argument (uint64_type_node, c);
  c.if_ (of->shared == ACR_NEST_SHARED_LAUNCHED, [&] {
    val block = c.let ("block", first.as (ptr_type_node));
    c.set (first, block_word (block, BLOCK_ARGUMENT));
  });
  return first;
}

/* Add to C that a kernel is launched for the block at ADDRESS, laid out as S,
   whose queue has COUNT launches of I with TOTAL iterations.  The result is 0
   when that is accepted.  */
static val
launch (const nested_launches *launches, const nested_store *s, val address,
	unsigned i, val count, val total, code c)
{
  tree n = uint64_type_node;
  val head = (count.as (n) << u64 (s->total_bits)) + total;
  for (unsigned j = 0; j < launches->all.length (); j++)
    c.set (nested_head (s, &s->queues[j], c), j == i ? head : u64 (0));
  c.set (nested_far_blocks (s, c), 0);
  c.set (block_word (address, BLOCK_ARGUMENT),
	 first_argument (launches->collection, c));
  c.set (block_word (address, BLOCK_WORDS),
	 nested_far_words (launches, count.as (n)));
  spmd_add_asm ("{\n\t.reg .b64 %%acr_block, %%acr_total;\n\t"
		".reg .b64 %%acr_status;\n\t"
		"mov.b64 %%acr_block, %0;\n\tmov.b64 %%acr_total, %1;\n\t"
		"mov.b64 %%acr_status, 1;\n\t"
		ACR_NEST_LAUNCH_MARK "\t"
		"st.u64 [%%acr_block+16], %%acr_status;\n\t}",
		NULL_TREE, address, total, c);
  val status = c.let ("status", block_word (address, BLOCK_STATUS));
  c.if_ (status != 0, [&] { note (POOL_FAILED, u64 (1), c); });
  return status;
}

/* Add to C that a thread which has launched I has the device do so, for the block
   whose ADDRESS it takes; to REFUSE when that is not accepted, else to END.  */
static void
launch_one (const nested_launches *launches, unsigned i, val address,
	    tree refuse, tree end, code c)
{
  const nested_collection *of = launches->collection;
  c.set (of->launch, 0);
  take_block (launches, address, u64 (1), c);
  c.need (address != null_pointer_node, refuse);
  nested_store s;
  lay_out (launches, &s, address, u64 (1), c);
  const nested_queue *q = &s.queues[i];
  c.set (nested_entry (&s, q, u64 (0), c), 0);
  nested_copy_fields (launches->all[i], of->mine,
		      nested_record (&s, q, u64 (0), c), c);
  val status = launch (launches, &s, address, i, u64 (1), of->total, c);
  c.branch (status == 0, end, refuse);
}

void
nested_launch_own (const nested_launches *launches, unsigned i, code c)
{
  const nested_collection *of = launches->collection;
  val address = c.var (ptr_type_node, "block");
  /* The same for all threads.  */
  if_form (of, ACR_NEST_LAUNCHER_THREAD, [&] {
    tree refuse = code_label (), end = code_label ();
    c.need (of->launch == i + 1, end);
    launch_one (launches, i, address, refuse, end, c);
    c.at (refuse);
    c.set (of->refused, 1);
    c.at (end);
  }, c);
}

/* Add to C that the first thread of the group tells the others WORD, by
   MAIL.  */
static val
tell (const nested_collection *of, val mail, val word, code c)
{
  val told = c.var (TREE_TYPE (word.t), "told");
  c.if_ (val (of->group.rank) == 0, [&] { c.set (mail, word); });
  nested_meet (of, c);
  c.set (told, unshare_expr (mail));
  nested_meet (of, c);
  return told;
}

/* Add to C that the group copies its COUNT launches of I to S.  */
static void
copy_launches (const nested_launches *launches, const nested_store *s,
	       unsigned i, val count, code c)
{
  const nested_collection *of = launches->collection;
  const nested_queue *from = &of->near.queues[i], *to = &s->queues[i];
  val r = c.var (unsigned_type_node, "r");
  c.set (r, of->group.rank);
  c.while_ (r < count, [&] {
    val entry = c.let ("entry", nested_entry (&of->near, from, r, c));
    val first = nested_first (&of->near, entry);
    c.set (nested_entry (s, to, r, c), first);
    val number = nested_number (&of->near, entry, r);
    val copy = nested_record (s, to, r, c);
    val record = nested_record (&of->near, from, number, c);
    nested_copy_fields (launches->all[i], record, copy, c);
    c.set (r, r + of->group.size);
  });
}

/* Add to C that the device launches COUNT children of the group, TOTAL iterations
   of launch I; both become 0 when that is accepted.  */
static void
launch_collected (const nested_launches *launches, unsigned i, val count,
		  val total, code c)
{
  const nested_collection *of = launches->collection;
  tree n = uint64_type_node;
  val all = count.as (n), rank = of->group.rank;
  val mail = nested_mail (launches, c);
  val address = c.var (ptr_type_node, "block");
  c.set (address, null_pointer_node);
  c.if_ (rank == 0, [&] { take_block (launches, address, all, c); });
  val word = tell (of, mail, c.let ("word", address.as (n)), c);
  address = c.let ("block", word.as (ptr_type_node));
  c.if_ (address != null_pointer_node, [&] {
    nested_store s;
    lay_out (launches, &s, address, all, c);
    copy_launches (launches, &s, i, count, c);
    spmd_add_asm ("membar.gl;", NULL_TREE, NULL_TREE, NULL_TREE, c);
    nested_meet (of, c);
    val status = c.var (n, "status", 1);
    c.if_ (rank == 0, [&] {
      c.set (status, launch (launches, &s, address, i, count, total, c));
    });
    status = tell (of, unshare_expr (mail), status, c);
    c.if_ (status == 0, [&] {
      c.set (count, 0);
      c.set (total, 0);
    });
  });
}

void
nested_launch_group (const nested_launches *launches, unsigned i, val count,
		     val total, code c)
{
  HOST_WIDE_INT least_too_many = HOST_WIDE_INT_1 << (FAR_TOTAL_BITS - 1);
  /* The same for all threads of the group.  */
  if_form (launches->collection, ACR_NEST_LAUNCHER_GROUP, [&] {
    tree end = code_label ();
    c.need (count != 0, end);
    c.need (total < least_too_many, end);
    launch_collected (launches, i, count, total, c);
    c.at (end);
  }, c);
}

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

   Source: El Hajj et al., KLAP (MICRO 2016), sections I and II.A; CUDA C++
   Programming Guide, "CUDA Dynamic Parallelism".

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested-collect.h"

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

static tree
queue_address (tree address, gimple_seq *seq)
{
  return code_value (fold_build_pointer_plus_hwi (address, 8 * BLOCK_QUEUE),
		     "queue", seq);
}

/* The kernel's argument, as it was passed.  */
static tree
argument (tree type, gimple_seq *seq)
{
  tree value = code_temp (type, "argument");
  spmd_add_asm ("ld.param.u64 %0, [%%in_ar0];", value, NULL_TREE, NULL_TREE,
		seq);
  return value;
}

void
nested_find_launched (tree words, tree base, gimple_seq *seq)
{
  tree address = argument (ptr_type_node, seq);
  code_set (words, block_word (address, BLOCK_WORDS), seq);
  code_set (base, queue_address (address, seq), seq);
}

/* Add to SEQ: go on when FORM is asked for, and the kernel has a pool; else to
   ELSEWHERE.  That the form is a constant must be seen here.  */
static void
only_if_form (const nested_collection *c, enum acr_nest_launcher form,
	      tree elsewhere, gimple_seq *seq)
{
  nested_only_if (EQ_EXPR, nested_device_form (seq), u64 (form), elsewhere,
		  seq);
  nested_only_if (NE_EXPR, c->pool, u32 (0), elsewhere, seq);
}

/* Add to SEQ that N is added to word I of the pool.  The result is what it was
   before.  */
static tree
note (unsigned i, tree n, gimple_seq *seq)
{
  tree old = code_temp (uint64_type_node, "old");
  tree word
    = code_value (fold_build_pointer_plus_hwi (nested_far_queue (seq), 8 * i),
		  "word", seq);
  gcall *add
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_FETCH_ADD_8), 3,
			 word, n,
			 build_int_cst (integer_type_node, MEMMODEL_RELAXED));
  gimple_call_set_lhs (add, old);
  gimple_seq_add_stmt (seq, add);
  return old;
}

/* Add to SEQ that ADDRESS becomes that of a block for N launches of each, or
   0.  */
static void
take_block (const nested_launches *launches, tree address, tree n,
	    gimple_seq *seq)
{
  tree end = code_label (), room = code_label (), full = code_label ();
  code_set (address, null_pointer_node, seq);
  tree words = binary (PLUS_EXPR, nested_far_words (launches, n),
		       u64 (BLOCK_QUEUE));
  words = code_value (words, "words", seq);
  tree taken = note (POOL_TAKEN, words, seq);
  tree from = code_value (binary (PLUS_EXPR, taken, u64 (POOL_BEGIN)), "from",
			  seq);
  tree to = code_value (binary (PLUS_EXPR, from, words), "to", seq);
  code_add_branch (LE_EXPR, to, nested_far_size (seq), room, full, seq);
  code_add_label (full, seq);
  note (POOL_FAILED, u64 (1), seq);
  code_add_goto (end, seq);
  code_add_label (room, seq);
  tree offset = fold_build2 (MULT_EXPR, sizetype,
			     fold_convert (sizetype, from), size_int (8));
  code_set (address, fold_build_pointer_plus (nested_far_queue (seq), offset),
	    seq);
  code_add_label (end, seq);
}

/* Lay out S in the block at ADDRESS, for N launches of each.  */
static void
lay_out (const nested_launches *launches, nested_store *s, tree address,
	 tree n, gimple_seq *seq)
{
  tree words = code_value (nested_far_words (launches, n), "words", seq);
  nested_lay_out_far (launches, s, words, queue_address (address, seq), u32 (0),
		      seq);
}

/* What the kernel that the runtime has started has as its argument; the device
   launches others with a block that begins with it.  */
static tree
first_argument (const nested_collection *c, gimple_seq *seq)
{
  tree first = argument (uint64_type_node, seq), end = code_label ();
  nested_only_if (EQ_EXPR, c->shared, u32 (ACR_NEST_SHARED_LAUNCHED),
		  end, seq);
  tree block = code_value (fold_convert (ptr_type_node, first), "block", seq);
  code_set (first, block_word (block, BLOCK_ARGUMENT), seq);
  code_add_label (end, seq);
  return first;
}

/* Add to SEQ that a kernel is launched for the block at ADDRESS, laid out as S,
   whose queue has COUNT launches of I with TOTAL iterations.  The result is 0
   when that is accepted.  */
static tree
launch (const nested_launches *launches, const nested_store *s, tree address,
	unsigned i, tree count, tree total, gimple_seq *seq)
{
  tree n = uint64_type_node;
  tree head = binary (LSHIFT_EXPR, fold_convert (n, count),
		      u64 (s->total_bits));
  head = binary (PLUS_EXPR, head, total);
  for (unsigned j = 0; j < launches->all.length (); j++)
    code_set (nested_word (s, n, unshare_expr (s->queues[j].head), seq),
	      j == i ? val (head) : u64 (0), seq);
  code_set (nested_far_blocks (s, seq), u64 (0), seq);
  code_set (block_word (address, BLOCK_ARGUMENT),
	    first_argument (launches->collection, seq), seq);
  code_set (block_word (address, BLOCK_WORDS),
	    nested_far_words (launches, fold_convert (n, count)), seq);
  spmd_add_asm ("{\n\t.reg .b64 %%acr_block, %%acr_total;\n\t"
		".reg .b64 %%acr_status;\n\t"
		"mov.b64 %%acr_block, %0;\n\tmov.b64 %%acr_total, %1;\n\t"
		"mov.b64 %%acr_status, 1;\n\t"
		ACR_NEST_LAUNCH_MARK "\t"
		"st.u64 [%%acr_block+16], %%acr_status;\n\t}",
		NULL_TREE, address, total, seq);
  tree status = code_value (block_word (address, BLOCK_STATUS), "status", seq);
  tree end = code_label ();
  nested_only_if (NE_EXPR, status, u64 (0), end, seq);
  note (POOL_FAILED, u64 (1), seq);
  code_add_label (end, seq);
  return status;
}

void
nested_launch_own (const nested_launches *launches, unsigned i,
		   gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  tree end = code_label (), refuse = code_label (),
       address = code_temp (ptr_type_node, "block");
  /* The same for all threads.  */
  only_if_form (c, ACR_NEST_LAUNCHER_THREAD, end, seq);
  nested_only_if (EQ_EXPR, c->launch, u32 (i + 1), end, seq);
  code_set (c->launch, u32 (0), seq);
  take_block (launches, address, u64 (1), seq);
  nested_only_if (NE_EXPR, address, null_pointer_node, refuse, seq);
  nested_store s;
  lay_out (launches, &s, address, u64 (1), seq);
  const nested_queue *q = &s.queues[i];
  code_set (nested_entry (&s, q, u64 (0), seq), u64 (0), seq);
  nested_copy_fields (launches->all[i], c->mine,
		      nested_record (&s, q, u64 (0), seq), seq);
  tree status = launch (launches, &s, address, i, u64 (1), c->total, seq);
  code_add_branch (EQ_EXPR, status, u64 (0), end, refuse, seq);
  code_add_label (refuse, seq);
  code_set (c->refused, u32 (1), seq);
  code_add_label (end, seq);
}

/* Add to SEQ that the first thread of the group tells the others WORD, by
   MAIL.  */
static tree
tell (const nested_collection *c, tree mail, tree word, gimple_seq *seq)
{
  tree others = code_label (), told = code_temp (TREE_TYPE (word), "told");
  nested_only_if (EQ_EXPR, c->group.rank, u32 (0), others, seq);
  code_set (mail, word, seq);
  code_add_label (others, seq);
  nested_meet (c, seq);
  code_set (told, unshare_expr (mail), seq);
  nested_meet (c, seq);
  return told;
}

/* Add to SEQ that the group copies its COUNT launches of I to S.  */
static void
copy_launches (const nested_launches *launches, const nested_store *s,
	       unsigned i, tree count, gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  const nested_queue *from = &c->near.queues[i], *to = &s->queues[i];
  tree r = code_temp (unsigned_type_node, "r"), test = code_label (),
       some = code_label (), done = code_label ();
  code_set (r, c->group.rank, seq);
  code_add_label (test, seq);
  code_add_branch (LT_EXPR, r, count, some, done, seq);
  code_add_label (some, seq);
  tree entry = code_value (nested_entry (&c->near, from, r, seq), "entry",
			   seq);
  code_set (nested_entry (s, to, r, seq), nested_first (&c->near, entry), seq);
  tree number = nested_number (&c->near, entry, r);
  nested_copy_fields (launches->all[i],
		      nested_record (&c->near, from, number, seq),
		      nested_record (s, to, r, seq), seq);
  code_set (r, binary (PLUS_EXPR, r, c->group.size), seq);
  code_add_goto (test, seq);
  code_add_label (done, seq);
}

void
nested_launch_group (const nested_launches *launches, unsigned i, tree count,
		     tree total, gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  tree n = uint64_type_node, end = code_label (), taken = code_label (),
       launched = code_label (), all = fold_convert (n, count);
  /* The same for all threads of the group.  */
  only_if_form (c, ACR_NEST_LAUNCHER_GROUP, end, seq);
  nested_only_if (NE_EXPR, count, u32 (0), end, seq);
  nested_only_if (LT_EXPR, total,
		  u64 (HOST_WIDE_INT_1U << (FAR_TOTAL_BITS - 1)), end, seq);
  tree mail = nested_mail (launches, seq);
  tree address = code_temp (ptr_type_node, "block");
  code_set (address, null_pointer_node, seq);
  nested_only_if (EQ_EXPR, c->group.rank, u32 (0), taken, seq);
  take_block (launches, address, all, seq);
  code_add_label (taken, seq);
  tree word = code_value (fold_convert (n, address), "word", seq);
  word = tell (c, mail, word, seq);
  address = code_value (fold_convert (ptr_type_node, word), "block", seq);
  nested_only_if (NE_EXPR, address, null_pointer_node, end, seq);
  nested_store s;
  lay_out (launches, &s, address, all, seq);
  copy_launches (launches, &s, i, count, seq);
  spmd_add_asm ("membar.gl;", NULL_TREE, NULL_TREE, NULL_TREE, seq);
  nested_meet (c, seq);
  tree status = code_temp (n, "status");
  code_set (status, u64 (1), seq);
  nested_only_if (EQ_EXPR, c->group.rank, u32 (0), launched, seq);
  code_set (status, launch (launches, &s, address, i, count, total, seq), seq);
  code_add_label (launched, seq);
  status = tell (c, unshare_expr (mail), status, seq);
  nested_only_if (EQ_EXPR, status, u64 (0), end, seq);
  code_set (count, u32 (0), seq);
  code_set (total, u64 (0), seq);
  code_add_label (end, seq);
}

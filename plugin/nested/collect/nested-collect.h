/* Threads that launch and collect children: what nested-collect.cc, -group, -layout,
   -far and -device share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_NESTED_COLLECT_H
#define ACCRETE_NESTED_COLLECT_H

#include "abi/nest-abi.h"
#include "nested/collect/nested-queue.h"

/* What a child is besides its iterations, for the counters of work.  */
enum
{
  NESTED_CHILD_WORK = 16
};

/* N as an index or offset.  */
static inline tree
word (tree n)
{
  return fold_convert (sizetype, n);
}

/* Bits that count iterations in the heads of such a queue.  */
enum
{
  FAR_TOTAL_BITS = 44
};

/* Warps of a block that there is room for.  */
enum
{
  MAX_WARPS = NESTED_MAX_THREADS / SPMD_WARP
};

/* Queues that have only a head, behind those of the launches.  */
enum
{
  HEAD_COUNT,
  HEAD_MAIL,
  HEADS_MORE
};

/* The launching and collecting threads of a kernel.  */
struct nested_collection
{
  /* The dynamic shared memory, and the form.  */
  val shared, form;
  /* A thread's variables.  Iterations of all its children, and something for
     each, 64 bits.  */
  val work;
  /* Children with fewer iterations than LIMIT run in place, those with FAR_LIMIT
     are deferred; 64 bits.  */
  val limit, far_limit;
  /* The group, and its launches.  There are two queues more that have only a
     head: one counts warps that have launched something, the other passes a word
     from the first thread to all.  */
  spmd_group group;
  nested_store near;
  /* The thread's lane.  Its record in NEAR: the number, and the address.  */
  val lane, number, mine;
  /* Which of the two heads; which place to go back to; 1 more than the index of
     what was launched there, and its iterations; whether the child is to run in
     place after all.  */
  val turn, state, launch, total, refused;
  tree collect;
  /* Places to go back to.  */
  auto_vec<tree, 8> after;

  /* Where threads go to execute what is in a queue outside the block, and behind
     that.  */
  tree drain, through;
  /* Not 0: the program's queue may be a pool for launches by the device.  */
  val pool;
};

/* nested-group.cc: what launching and collecting threads do together.  */

/* Word I of what the runtime sets.  */
val nested_setting_word (val i);

/* Setting I, and word I of the form of OF's kernel.  */
val nested_setting (enum acr_nest_setting i, code c);
val nested_form_setting (const nested_collection *of,
			 enum acr_nest_form_word i, code c);

/* Add to C, for all lanes of a warp, that the runtime learns, where it asks
   for that, that COUNT children with TOTAL iterations are executed: I counts
   them, by threads whose RANK is 0.  */
void nested_count_executed (const nested_collection *of,
			    enum acr_nest_setting i, val count, val total,
			    val rank, code c);

/* An enum acr_nest_launcher, for the kernel.  */
val nested_device_form (code c);

/* Add to C: nobody goes on before all of OF's group are here, and the lanes of
   a warp go on together.  */
void nested_meet (const nested_collection *of, code c);

/* Add to C, for all lanes of a warp, that those with ADD, not 0, add that to
   the head of Q in S.  The result is the head that a lane's own was added to.  */
val nested_add_together (const nested_collection *of, const nested_store *s,
			 const nested_queue *q, val add, code c);

/* What a launch of TOTAL iterations adds to a head of S.  */
val nested_one_launch (const nested_store *s, val total);

/* Add to C that the record at TO gets the fields of L's at FROM.  */
void nested_copy_fields (const nested_launch *l, tree from, tree to, code c);

/* A word by which the first thread of the group tells others something.  */
val nested_mail (const nested_launches *launches, code c);

/* nested-layout.cc: the words of queues.  */

/* The words and the address of the program's queue.  */
val nested_far_size (code c);
val nested_far_queue (code c);

/* Lay out S, of so many WORDS at BASE, for LAUNCHES that defer.  The result is
   its room for records of each.  Where launches launch themselves, that is one
   HALF of two, by number, 32 bits.  */
val nested_lay_out_far (const nested_launches *launches, nested_store *s,
			val words, val base, val half, code c);

/* The words of a store with room for N records of each.  */
val nested_far_words (const nested_launches *launches, val n);

/* The head that counts the blocks which are through with S's queues.  */
val nested_far_blocks (const nested_store *s, code c);

/* nested-far.cc: launches that are executed after their parent.  */

/* Add to C: BODY is for when the kernel is for what is in a queue outside the
   block.  */
void nested_if_drains (const nested_launches *launches, writer<> body, code c);

/* Add to C what the runtime says about deferred launches: who are to be
   executed by this kernel, or where they go.  KIND is an enum acr_nest_group.  */
void nested_begin_far (const nested_launches *launches, val kind, code c);

/* Add to C that ADD becomes 0 where launch I goes into the program's queue.  */
void nested_put_far (const nested_launches *launches, unsigned i, val add,
		     code c);

/* Add to C, for all threads of the block, that the queue is as it was found
   when they were to execute what is in it, and are all through.  */
void nested_end_drain (const nested_launches *launches,
		       const spmd_place *place, code c);

/* nested-device.cc: launches by the device.  */

/* Add to C where a kernel that the device has launched finds its queue: its
   words and address go into WORDS and BASE.  */
void nested_find_launched (val words, val base, code c);

/* Add to C that threads which have launched I have the device do so, each for
   itself.  */
void nested_launch_own (const nested_launches *launches, unsigned i, code c);

/* Add to C that the device does so once for the group's COUNT launches of I,
   TOTAL iterations, which become 0.  */
void nested_launch_group (const nested_launches *launches, unsigned i,
			  val count, val total, code c);

#endif /* ACCRETE_NESTED_COLLECT_H */

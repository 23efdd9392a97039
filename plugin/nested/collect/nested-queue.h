/* Queues of launches: what the files that keep, execute and collect them share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_NESTED_QUEUE_H
#define ACCRETE_NESTED_QUEUE_H

#include "nested/nested.h"
#include "spmd/spmd.h"

enum
{
  /* Of a block, where there are any queues.  */
  NESTED_MAX_THREADS = ACR_QUEUEING
};

/* nested-queue.cc */

/* A new array of N 64-bit words on the device, called NAME: in the shared memory
   of a block, or in that of the program, the same one for all units.  */
tree nested_device_array (const char *name, unsigned n, bool shared);

/* The queue of one launch, as words of its store; sizetype expressions.  */
struct nested_queue
{
  /* Counts launches in its upper bits, and their iterations.  */
  val head;
  /* A word for each launch, in their order: where it begins among the
     iterations, then, in the lower bits, the number of its record.  */
  val entries;
  /* Words of all and of one record.  */
  val records;
  unsigned width;
};

/* Where the launches of a kernel are kept.  */
struct nested_store
{
  /* The address of its first word.  */
  tree base;
  /* Bits of a head that count iterations, of an entry that are the record's
     number.  When these are 0, it is the entry's.  */
  int total_bits, number_bits;
  /* Iterations that one launch may have.  */
  HOST_WIDE_INT most;
  auto_vec<nested_queue, 4> queues;
};

/* Word I of S as a variable of TYPE.  */
val nested_word (const nested_store *s, tree type, val i, code c);

/* The head of S's queue Q, and its Rth entry.  */
val nested_head (const nested_store *s, const nested_queue *q, code c);
val nested_entry (const nested_store *s, const nested_queue *q, val r,
		  code c);

/* The address of record NUMBER.  */
val nested_record (const nested_store *s, const nested_queue *q, val number,
		   code c);

/* Field J of the record at ADDRESS, as a variable of TYPE.  */
tree nested_field_at (tree type, tree address, unsigned j);

/* Of a head or entry of S: launches, iterations; where it begins, the number of
   its record when it is the Rth.  */
val nested_count (const nested_store *s, val head);
val nested_total (const nested_store *s, val head);
val nested_first (const nested_store *s, val entry);
val nested_number (const nested_store *s, val entry, val r);

/* Add ADD to the head of Q; the result is what it was before.  */
val nested_add (const nested_store *s, const nested_queue *q, val add,
		code c);

/* nested-update.cc: atomic updates of a warp's lanes together.  */

struct update_kind;

/* The address of the variable, 0 when there is none, and by what it is updated.
   The address of the warp's words in shared memory, for such values.  */
struct nested_update
{
  location_t loc;
  const update_kind *kind;
  tree address, value;
  tree values;
};

/* Does BODY, an iteration's, end with an update that is better done for several
   lanes at once?  If so, bring it into U; BODY only sets U's variables then.  */
bool nested_take_update (gimple_seq *body, nested_update *u);

/* Add to SEQ where U's warp has its words; ID is the thread's number in its
   block.  */
void nested_place_update (nested_update *u, tree id, gimple_seq *seq);

/* Add to SEQ that the lane has none yet.  */
void nested_begin_update (const nested_update *u, gimple_seq *seq);

/* Add to SEQ, for all lanes of a warp, the updates of those that have one.  */
void nested_end_update (const nested_update *u, gimple_seq *seq);

/* nested-execute.cc */

/* Add to SEQ the iterations of launch I of LAUNCHES that are thread RANK's among
   SIZE, 64-bit variables, of whole warps; S keeps COUNT of them with TOTAL
   iterations.  PLACE is the thread's.  */
void nested_execute (const nested_launches *launches, unsigned i,
		     const nested_store *s, tree count, tree total, tree rank,
		     tree size, const spmd_place *place, gimple_seq *seq);

/* The same for a launch that launches itself, with requests in its body: each
   thread executes every SIZEth iteration from number RANK on, whatever others
   do.  */
void nested_execute_apart (const nested_launches *launches, unsigned i,
			   const nested_store *s, tree count, tree total,
			   tree rank, tree size, const spmd_place *place,
			   gimple_seq *seq);

#endif /* ACCRETE_NESTED_QUEUE_H */

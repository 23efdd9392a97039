/* Children that a warp or a block of a plain kernel executes together, or a
   kernel of their own.

   A thread that comes to a launch leaves a record of it in shared memory and
   goes to where its group collects; so does one that is through with its own
   work.  When all are there they share the iterations of all records, and those
   that launched something go back to where they were:

     work: ... STATE = n; goto collect; after_n: ...
	   STATE = 0;
     collect:
	   put what this thread has launched into a queue;
	   meet;
	   if nobody has launched anything: goto done;
	   for k = rank, rank + size, ... < iterations of all records:
	     iteration k - first of the record that it falls into;
	   meet;
	   goto after_STATE, or collect when it is 0;
     done:

   So a launch may stand anywhere in the parent's code, in loops and branches,
   and its results are there behind it: jumps do what the paper's conversion of
   control flow to predicates does.  The lanes of a warp add up what they have
   before one of them adds it to a queue's head.  There are two heads for a queue,
   used in turn: the other one is cleared while nobody looks at it.

   A launch that may be deferred, when it has many iterations, goes into the
   program's queue instead.  The runtime starts the same kernel again
   behind the parent, with a grid of two rows; its threads share the iterations
   of all records, and the last block clears the queue.  A launch that finds no
   room there is the group's, too.

   What a group is, and which children are worth it, says a variable that the
   runtime sets; otherwise all run in place.  Threads that wait for each other
   in diverged warps need sm_70.

   Source: El Hajj et al., KLAP (MICRO 2016), sections II.A and II.B; PTX ISA,
   barrier and bar.warp.sync.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested-queue.h"

/* Threads of a block, and warps, that there is room for.  */
enum
{
  WARP = 32,
  MAX_THREADS = 256,
  MAX_WARPS = MAX_THREADS / WARP
};

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

/* What the runtime sets; libgomp-ext/nest.h.  */
static const char settings_name[] = "acr_nest";
enum
{
  SETTING_GROUP,
  SETTING_LEAST,
  SETTING_FAR,
  SETTING_WORDS,
  SETTING_QUEUE,
  SETTINGS
};
enum
{
  GROUP_NONE,
  GROUP_WARP,
  GROUP_BLOCK
};

static const char request_name[] = "acr_launch";
static const char answer_name[] = "acr_answer";

/* The launching and collecting threads of a kernel.  */
struct nested_collection
{
  /* A thread's variables.  Children with fewer iterations than LIMIT run in
     place, those with FAR_LIMIT are deferred; 64 bits.  */
  tree limit, far_limit;
  /* The group, and its launches.  One queue more has only a head: it counts
     warps that have launched something.  */
  spmd_group group;
  nested_store near;
  /* The thread's lane, its record in NEAR, that one's number and address.  */
  tree lane, number, mine;
  /* Which of the two heads; which place to go back to; 1 more than the index of
     what was launched there, and its iterations.  */
  tree turn, state, launch, total;
  tree collect;
  /* Places to go back to.  */
  auto_vec<tree, 8> after;

  /* The program's queue, and its room for records of a launch; 64 bits.  Where
     threads go to execute what is in it.  */
  nested_store far;
  tree room, drain;
};

static tree
u32 (HOST_WIDE_INT n)
{
  return nested_u32 (n);
}

static tree
u64 (HOST_WIDE_INT n)
{
  return nested_u64 (n);
}

static tree
binary (enum tree_code code, tree a, tree b)
{
  return nested_binary (code, a, b);
}

static tree
word (tree n)
{
  return fold_convert (sizetype, n);
}

/* Setting I, a 64-bit number.  */
static tree
setting (unsigned i, gimple_seq *seq)
{
  static tree settings;
  if (!settings)
    settings = nested_device_array (settings_name, SETTINGS, false);
  tree value = build4 (ARRAY_REF, uint64_type_node, settings,
		       build_int_cst (integer_type_node, i), NULL_TREE,
		       NULL_TREE);
  return spmd_value (value, "setting", seq);
}

unsigned
nested_queue_words (unsigned launches, unsigned fields)
{
  return (launches + 1) * 2 * MAX_WARPS + (launches + fields) * MAX_THREADS;
}

/* ---- Requests ---- */

/* A call of NAME that stands for TO = something, until nested_collect.  */
static gcall *
placeholder (const char *name, tree to, const vec<tree> &args)
{
  tree fn = build_fn_decl (name, build_function_type (TREE_TYPE (to),
						      NULL_TREE));
  TREE_NOTHROW (fn) = 1;
  gcall *call = gimple_build_call_vec (fn, args);
  gimple_call_set_lhs (call, to);
  return call;
}

gcall *
nested_build_request (unsigned i, tree total, const vec<nested_field> &fields,
		      tree done)
{
  auto_vec<tree, 16> args;
  args.safe_push (u32 (i));
  args.safe_push (total);
  for (unsigned j = 0; j < fields.length (); j++)
    args.safe_push (fields[j].value);
  return placeholder (request_name, done, args);
}

gcall *
nested_build_answer (unsigned j, tree to)
{
  auto_vec<tree, 1> args;
  args.safe_push (u32 (j));
  return placeholder (answer_name, to, args);
}

/* Is STMT a call of NAME, about launch or field *I?  */
static bool
calls_p (const gimple *stmt, const char *name, unsigned *i)
{
  tree fn = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
  if (!fn || !DECL_NAME (fn) || !id_equal (DECL_NAME (fn), name))
    return false;
  *i = tree_to_uhwi (gimple_call_arg (stmt, 0));
  return true;
}

/* Add to SEQ that the record at ADDRESS gets the fields of the request CALL.  */
static void
set_fields (const gimple *call, tree address, gimple_seq *seq)
{
  for (unsigned j = 2; j < gimple_call_num_args (call); j++)
    {
      tree value = gimple_call_arg (call, j);
      spmd_set (nested_field_at (TREE_TYPE (value), address, j - 2), value,
		seq);
    }
}

/* What the thread does that makes the request CALL, of launch I.  */
static gimple_seq
obey (nested_launches *launches, const gimple *call, unsigned i)
{
  nested_collection *c = launches->collection;
  gimple_seq seq = NULL;
  tree total = gimple_call_arg (call, 1), done = gimple_call_lhs (call);
  tree end = spmd_label (), after = spmd_label ();
  spmd_set (done, boolean_false_node, &seq);
  nested_only_if (GE_EXPR, total, c->limit, end, &seq);
  nested_only_if (LE_EXPR, total, u64 (c->near.most), end, &seq);
  set_fields (call, c->mine, &seq);
  c->after.safe_push (after);
  spmd_set (c->state, u32 (c->after.length ()), &seq);
  spmd_set (c->launch, u32 (i + 1), &seq);
  spmd_set (c->total, total, &seq);
  spmd_add_goto (c->collect, &seq);
  spmd_add_label (after, &seq);
  spmd_set (done, boolean_true_node, &seq);
  spmd_add_label (end, &seq);
  return seq;
}

static tree
obey_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  nested_launches *launches = (nested_launches *) wi->info;
  gimple *stmt = gsi_stmt (*gsi), *to = NULL;
  unsigned i;
  /* A thread leaves scopes and comes back to them, where its variables must
     be what they were.  */
  if (gimple_seq inside = spmd_scope_body (stmt))
    gsi_replace (gsi, gimple_build_bind (NULL_TREE, inside, NULL), false);
  else if (calls_p (stmt, answer_name, &i))
    {
      tree lhs = gimple_call_lhs (stmt);
      to = gimple_build_assign (
	lhs, nested_field_at (TREE_TYPE (lhs), launches->collection->mine, i));
    }
  else if (calls_p (stmt, request_name, &i))
    to = gimple_build_bind (NULL_TREE, obey (launches, stmt, i), NULL);
  *handled = to != NULL;
  if (to)
    gsi_replace (gsi, to, false);
  return NULL_TREE;
}

/* ---- Groups ---- */

/* Add to SEQ: the lanes of a warp go on together.  */
static void
meet_warp (gimple_seq *seq)
{
  spmd_add_asm ("bar.warp.sync -1;", NULL_TREE, NULL_TREE, NULL_TREE, seq);
}

/* Add to SEQ: nobody goes on before all of C's group are here, and the lanes of
   a warp go on together.  */
static void
meet (const nested_collection *c, gimple_seq *seq)
{
  spmd_meet (&c->group, seq);
  meet_warp (seq);
}

/* Add to SEQ: the first thread of the group clears the heads for the turn that
   is not now when OTHER.  */
static void
clear_heads (const nested_launches *launches, bool other, gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  tree end = spmd_label (), turn = c->turn;
  nested_only_if (EQ_EXPR, c->group.rank, u32 (0), end, seq);
  if (other)
    spmd_set (c->turn, binary (BIT_XOR_EXPR, turn, u32 (1)), seq);
  for (unsigned i = 0; i < c->near.queues.length (); i++)
    spmd_set (nested_word (&c->near, uint64_type_node,
			   unshare_expr (c->near.queues[i].head), seq),
	      u64 (0), seq);
  if (other)
    spmd_set (c->turn, binary (BIT_XOR_EXPR, turn, u32 (1)), seq);
  spmd_add_label (end, seq);
}

/* An array of N words at least in shared memory: one for all kernels of this
   translation unit, of which each block runs one.  */
static tree
shared_words (unsigned n)
{
  static tree memory;
  static unsigned size;
  if (!memory)
    memory = nested_device_array (
      IDENTIFIER_POINTER (create_tmp_var_name ("acr_queue")), n, true);
  else if (n > size)
    {
      TREE_TYPE (memory) = build_array_type_nelts (uint64_type_node, n);
      relayout_decl (memory);
    }
  size = MAX (size, n);
  return memory;
}

/* Lay out the queues of LAUNCHES in shared memory; WARP is the number of the
   group's first warp, its threads follow those of the warps before.  */
static void
lay_out (const nested_launches *launches, tree warp)
{
  nested_collection *c = launches->collection;
  nested_store *s = &c->near;
  unsigned n = launches->all.length (), width = 0;
  for (unsigned i = 0; i < n; i++)
    width = MAX (width, launches->all[i]->fields.length ());
  unsigned begin = 2 * MAX_WARPS * (n + 1);
  for (unsigned i = 0; i <= n; i++)
    {
      nested_queue q = {};
      tree turn = binary (MULT_EXPR, c->turn, u32 (MAX_WARPS));
      tree head = binary (PLUS_EXPR, binary (PLUS_EXPR, warp, turn),
			  u32 (2 * MAX_WARPS * i));
      q.head = word (head);
      tree entries = binary (PLUS_EXPR,
			     binary (MULT_EXPR, warp, u32 (WARP)),
			     u32 (begin + MAX_THREADS * i));
      q.entries = word (entries);
      q.records = size_int (begin + MAX_THREADS * n);
      q.width = width;
      s->queues.safe_push (q);
    }
  s->total_bits = 48;
  s->number_bits = 16;
  s->most = HOST_WIDE_INT_1 << 40;
  s->base = build_fold_addr_expr_with_type (
    shared_words (nested_queue_words (n, width)), ptr_type_node);
}

/* Add to SEQ how the program's queue, of so many WORDS at BASE, is laid out for
   LAUNCHES.  */
static void
lay_out_far (const nested_launches *launches, tree words, tree base,
	     gimple_seq *seq)
{
  nested_collection *c = launches->collection;
  nested_store *s = &c->far;
  unsigned width = 0;
  for (unsigned i = 0; i < launches->all.length (); i++)
    if (launches->all[i]->defers)
      width += 1 + launches->all[i]->fields.length ();
  tree each = binary (TRUNC_DIV_EXPR,
		      binary (MINUS_EXPR, words, u64 (FAR_BEGIN)),
		      u64 (width));
  each = binary (MIN_EXPR, each, u64 (max_records));
  each = spmd_value (each, "each", seq);
  /* One entry more.  */
  c->room = spmd_value (binary (MINUS_EXPR, each, u64 (1)), "room", seq);
  width = 0;
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
  s->total_bits = 44;
  s->number_bits = 0;
  s->most = HOST_WIDE_INT_1 << 25;
  s->base = base;
}

/* Add to SEQ that KIND becomes that of the group for the threads at PLACE: none
   unless they are whole warps, and not too many.  */
static tree
find_kind (const spmd_place *place, gimple_seq *seq)
{
  tree kind = spmd_temp (uint64_type_node, "kind");
  tree none = spmd_label (), known = spmd_label ();
  tree size = place->group.size;
  spmd_set (kind, setting (SETTING_GROUP, seq), seq);
  tree part = spmd_value (binary (BIT_AND_EXPR, size, u32 (WARP - 1)), "part",
			  seq);
  nested_only_if (LE_EXPR, size, u32 (MAX_THREADS), none, seq);
  nested_only_if (GE_EXPR, size, u32 (WARP), none, seq);
  spmd_add_branch (EQ_EXPR, part, u32 (0), known, none, seq);
  spmd_add_label (none, seq);
  spmd_set (kind, u64 (GROUP_NONE), seq);
  spmd_add_label (known, seq);
  return kind;
}

/* Add to SEQ what the runtime says about the program's queue, when it has
   started the kernel with that.  */
static void
begin_far (const nested_launches *launches, tree kind, gimple_seq *seq)
{
  nested_collection *c = launches->collection;
  tree n = uint64_type_node, without = spmd_label ();
  c->far_limit = spmd_temp (n, "far_limit");
  c->drain = spmd_label ();
  tree words = spmd_temp (n, "words"), base = spmd_temp (ptr_type_node, "far");
  spmd_set (c->far_limit, build_minus_one_cst (n), seq);
  spmd_set (words, setting (SETTING_WORDS, seq), seq);
  spmd_set (base, fold_convert (ptr_type_node, setting (SETTING_QUEUE, seq)),
	    seq);
  lay_out_far (launches, words, base, seq);
  tree rows = spmd_special_register ("nctaid.y", seq);
  tree first = spmd_label ();
  spmd_add_branch (GT_EXPR, rows, u32 (1), c->drain, first, seq);
  spmd_add_label (first, seq);
  nested_only_if (NE_EXPR, kind, u64 (GROUP_NONE), without, seq);
  tree shared = spmd_special_register ("dynamic_smem_size", seq);
  nested_only_if (NE_EXPR, shared, u32 (0), without, seq);
  spmd_set (c->far_limit, setting (SETTING_FAR, seq), seq);
  spmd_add_label (without, seq);
}

void
nested_begin (nested_launches *launches, const spmd_place *place, tree works,
	      tree idle, gimple_seq *seq)
{
  nested_collection *c = launches->collection = new nested_collection ();
  tree u = unsigned_type_node, n = uint64_type_node;
  c->collect = spmd_label ();
  c->turn = spmd_temp (u, "turn");
  c->state = spmd_temp (u, "state");
  c->launch = spmd_temp (u, "launch");
  c->total = spmd_temp (n, "launched");
  c->limit = spmd_temp (n, "limit");
  c->group.rank = spmd_temp (u, "rank");
  c->group.size = spmd_temp (u, "size");
  c->group.first_warp = c->group.barrier = u32 (0);
  tree first = spmd_temp (u, "first_warp");
  lay_out (launches, first);
  spmd_set (c->turn, u32 (0), seq);
  spmd_set (c->state, u32 (0), seq);
  spmd_set (c->launch, u32 (0), seq);
  spmd_set (c->total, u64 (0), seq);
  spmd_set (c->limit, build_minus_one_cst (n), seq);
  spmd_set (c->group.rank, place->group.rank, seq);
  spmd_set (c->group.size, place->group.size, seq);
  spmd_set (first, u32 (0), seq);
  tree kind = find_kind (place, seq);
  if (launches->defers)
    begin_far (launches, kind, seq);

  tree some = spmd_label (), ready = spmd_label (), warp = spmd_label (),
       clear = spmd_label ();
  c->lane = spmd_value (binary (BIT_AND_EXPR, place->group.rank,
				u32 (WARP - 1)),
			"lane", seq);
  c->number = spmd_value (fold_convert (n, place->group.rank), "number", seq);
  c->mine = nested_record (&c->near, &c->near.queues[0], place->group.rank,
			   seq);
  spmd_add_branch (NE_EXPR, kind, u64 (GROUP_NONE), some, ready, seq);
  spmd_add_label (some, seq);
  spmd_set (c->limit,
	    binary (MAX_EXPR, setting (SETTING_LEAST, seq), u64 (1)), seq);
  spmd_add_branch (EQ_EXPR, kind, u64 (GROUP_WARP), warp, clear, seq);
  spmd_add_label (warp, seq);
  spmd_set (first, binary (TRUNC_DIV_EXPR, place->group.rank, u32 (WARP)),
	    seq);
  spmd_set (c->group.rank, c->lane, seq);
  spmd_set (c->group.size, u32 (WARP), seq);
  spmd_add_label (clear, seq);
  clear_heads (launches, false, seq);
  meet (c, seq);
  spmd_add_label (ready, seq);
  nested_only_if (NE_EXPR, works, boolean_false_node, idle, seq);
}

/* ---- Queues ---- */

/* Add to SEQ: the sum of VALUE, 64 bits, over the lanes of the warp up to this
   one.  */
static tree
sum_up (tree value, gimple_seq *seq)
{
  tree sum = value;
  for (int way = 1; way < WARP; way *= 2)
    {
      tree next = spmd_temp (uint64_type_node, "sum");
      spmd_add_asm ("{\n\t.reg .b32 %%acr_l, %%acr_h, %%acr_a, %%acr_b;\n\t"
		    ".reg .b64 %%acr_w;\n\t.reg .pred %%acr_p;\n\t"
		    "mov.b64 {%%acr_l, %%acr_h}, %1;\n\t"
		    "shfl.sync.up.b32 %%acr_a|%%acr_p, %%acr_l, %2, 0, -1;\n\t"
		    "shfl.sync.up.b32 %%acr_b, %%acr_h, %2, 0, -1;\n\t"
		    "mov.b64 %%acr_w, {%%acr_a, %%acr_b};\n\t"
		    "mov.b64 %0, %1;\n\t"
		    "@%%acr_p add.u64 %0, %0, %%acr_w;\n\t}",
		    next, sum, u32 (way), seq);
      sum = next;
    }
  return sum;
}

/* Add to SEQ: the value of VALUE, 64 bits, in lane LANE.  */
static tree
from_lane (tree value, int lane, gimple_seq *seq)
{
  tree its = spmd_temp (uint64_type_node, "its");
  spmd_add_asm ("{\n\t.reg .b32 %%acr_l, %%acr_h;\n\t"
		"mov.b64 {%%acr_l, %%acr_h}, %1;\n\t"
		"shfl.sync.idx.b32 %%acr_l, %%acr_l, %2, 31, -1;\n\t"
		"shfl.sync.idx.b32 %%acr_h, %%acr_h, %2, 31, -1;\n\t"
		"mov.b64 %0, {%%acr_l, %%acr_h};\n\t}",
		its, value, u32 (lane), seq);
  return its;
}

/* Add to SEQ, for all lanes of a warp, that those with ADD, not 0, add that to
   the head of Q in S.  The result is the head that a lane's own was added to; the
   sum of all goes into SUM.  */
static tree
add_together (const nested_collection *c, const nested_store *s,
	      const nested_queue *q, tree add, tree *sum, gimple_seq *seq)
{
  tree upto = sum_up (add, seq);
  *sum = from_lane (upto, WARP - 1, seq);
  tree base = spmd_temp (uint64_type_node, "base"), others = spmd_label ();
  spmd_set (base, u64 (0), seq);
  nested_only_if (EQ_EXPR, c->lane, u32 (0), others, seq);
  nested_only_if (NE_EXPR, *sum, u64 (0), others, seq);
  spmd_set (base, nested_add (s, q, *sum, seq), seq);
  spmd_add_label (others, seq);
  base = from_lane (base, 0, seq);
  tree old = binary (PLUS_EXPR, base, upto);
  return spmd_value (binary (MINUS_EXPR, old, add), "old", seq);
}

/* What a launch of TOTAL iterations adds to a head of S.  */
static tree
one_launch (const nested_store *s, tree total)
{
  return binary (PLUS_EXPR, u64 (HOST_WIDE_INT_1U << s->total_bits), total);
}

/* Add to SEQ that ADD becomes 0 where launch I goes into the program's queue;
   the sum of what warps have tried to put there goes into SUM.  */
static void
put_far (const nested_launches *launches, unsigned i, tree add, tree *sum,
	 gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  const nested_store *s = &c->far;
  const nested_queue *q = &s->queues[i];
  tree n = uint64_type_node, far = spmd_temp (n, "far"), out = spmd_label (),
       near = spmd_label (), end = spmd_label ();
  spmd_set (far, u64 (0), seq);
  *sum = spmd_temp (n, "sum");
  spmd_set (*sum, u64 (0), seq);
  /* The same for all lanes.  */
  nested_only_if (NE_EXPR, c->far_limit, build_minus_one_cst (n), end, seq);
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
  nested_only_if (LT_EXPR, spmd_value (count, "count", seq), c->room, out, seq);
  nested_only_if (LT_EXPR, spmd_value (nested_total (s, head), "all", seq),
		  u64 (HOST_WIDE_INT_1U << (s->total_bits - 1)), out, seq);
  spmd_set (far, one_launch (s, c->total), seq);
  spmd_add_label (out, seq);
  meet_warp (seq);
  tree all, old = add_together (c, s, q, far, &all, seq);
  spmd_set (*sum, all, seq);
  nested_only_if (NE_EXPR, far, u64 (0), near, seq);
  tree r = fold_convert (n, nested_count (s, old));
  r = spmd_value (r, "place", seq);
  nested_only_if (LE_EXPR, r, c->room, near, seq);
  /* Behind the last one, too: the iterations end there.  */
  spmd_set (nested_entry (s, q, r, seq), nested_total (s, old), seq);
  nested_only_if (LT_EXPR, r, c->room, near, seq);
  tree record = nested_record (s, q, r, seq);
  for (unsigned j = 0; j < launches->all[i]->fields.length (); j++)
    {
      tree type = TREE_TYPE (launches->all[i]->fields[j].var);
      tree field = spmd_value (nested_field_at (type, c->mine, j), "field",
			       seq);
      spmd_set (nested_field_at (type, record, j), field, seq);
    }
  spmd_set (add, u64 (0), seq);
  spmd_add_label (near, seq);
  meet_warp (seq);
  spmd_add_label (end, seq);
}

/* Add to SEQ, for all threads of a group, that what they have launched is in a
   queue.  */
static void
put_launches (const nested_launches *launches, gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  const nested_store *s = &c->near;
  tree n = uint64_type_node, any = spmd_temp (n, "any");
  unsigned i;
  spmd_set (any, u64 (0), seq);
  for (i = 0; i < launches->all.length (); i++)
    {
      tree add = spmd_temp (n, "add"), sum, none = spmd_label (),
	   end = spmd_label ();
      spmd_set (add, u64 (0), seq);
      nested_only_if (EQ_EXPR, c->launch, u32 (i + 1), none, seq);
      spmd_set (add, one_launch (s, c->total), seq);
      spmd_add_label (none, seq);
      meet_warp (seq);
      if (launches->all[i]->defers)
	{
	  put_far (launches, i, add, &sum, seq);
	  spmd_set (any, binary (BIT_IOR_EXPR, any, sum), seq);
	}
      tree old = add_together (c, s, &s->queues[i], add, &sum, seq);
      spmd_set (any, binary (BIT_IOR_EXPR, any, sum), seq);
      nested_only_if (NE_EXPR, add, u64 (0), end, seq);
      tree first = binary (LSHIFT_EXPR, old, u64 (s->number_bits));
      tree r = spmd_value (nested_count (s, old), "place", seq);
      spmd_set (nested_entry (s, &s->queues[i], r, seq),
		binary (BIT_IOR_EXPR, first, c->number), seq);
      spmd_add_label (end, seq);
      meet_warp (seq);
    }
  tree others = spmd_label ();
  nested_only_if (EQ_EXPR, c->lane, u32 (0), others, seq);
  nested_only_if (NE_EXPR, any, u64 (0), others, seq);
  nested_add (s, &s->queues[i], u64 (1), seq);
  spmd_add_label (others, seq);
}

/* ---- Execution ---- */

/* Add to SEQ what threads do that execute the program's queue, before they go
   to DONE.  */
static void
add_drain (const nested_launches *launches, const spmd_place *place, tree done,
	   gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  const nested_store *s = &c->far;
  tree u = unsigned_type_node, n = uint64_type_node;
  spmd_add_label (c->drain, seq);
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
      tree room = spmd_value (fold_convert (u, c->room), "room", seq);
      nested_only_if (GT_EXPR, count, room, known, seq);
      spmd_set (count, room, seq);
      spmd_set (total, nested_entry (s, q, c->room, seq), seq);
      spmd_add_label (known, seq);
      nested_execute (launches, i, s, count, total, rank, size, place, seq);
    }

  /* The last block clears the heads, and the number of blocks.  */
  tree only = spmd_label ();
  spmd_meet (&place->group, seq);
  spmd_add_branch (EQ_EXPR, place->id, u32 (0), only, done, seq);
  spmd_add_label (only, seq);
  tree through = nested_word (s, n, size_int (FAR_BLOCKS), seq);
  tree before = spmd_temp (n, "before");
  gcall *add
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_FETCH_ADD_8), 3,
			 TREE_OPERAND (through, 0), u64 (1),
			 build_int_cst (integer_type_node, MEMMODEL_ACQ_REL));
  gimple_call_set_lhs (add, before);
  gimple_seq_add_stmt (seq, add);
  tree last = binary (MINUS_EXPR, fold_convert (n, blocks), u64 (1));
  nested_only_if (EQ_EXPR, before, spmd_value (last, "last", seq), done, seq);
  for (unsigned i = 0; i < launches->all.length (); i++)
    spmd_set (nested_word (s, n, size_int (i), seq), u64 (0), seq);
  spmd_set (unshare_expr (through), u64 (0), seq);
  spmd_add_goto (done, seq);
}

void
nested_collect (nested_launches *launches, const spmd_place *place,
		gimple_seq *seq)
{
  nested_collection *c = launches->collection;
  const nested_store *s = &c->near;
  tree n = uint64_type_node;
  struct walk_stmt_info wi = {};
  wi.info = launches;
  walk_gimple_seq_mod (seq, obey_stmt, NULL, &wi);

  tree done = spmd_label ();
  spmd_set (c->state, u32 (0), seq);
  spmd_set (c->launch, u32 (0), seq);
  nested_only_if (NE_EXPR, c->limit, build_minus_one_cst (n), done, seq);
  spmd_add_goto (c->collect, seq);
  spmd_add_label (c->collect, seq);
  meet_warp (seq);
  put_launches (launches, seq);
  meet (c, seq);
  clear_heads (launches, true, seq);
  auto_vec<tree, 4> heads;
  for (unsigned i = 0; i < s->queues.length (); i++)
    {
      tree head = nested_word (s, n, unshare_expr (s->queues[i].head), seq);
      heads.safe_push (spmd_value (head, "head", seq));
    }
  nested_only_if (NE_EXPR, heads.last (), u64 (0), done, seq);
  tree rank = spmd_value (fold_convert (n, c->group.rank), "rank", seq);
  tree size = spmd_value (fold_convert (n, c->group.size), "size", seq);
  for (unsigned i = 0; i < launches->all.length (); i++)
    {
      /* GCC's copies of atomic updates share operands.  */
      spmd_atomic_hide (gimple_omp_body_ptr (launches->all[i]->nest->loop));
      tree count = spmd_value (nested_count (s, heads[i]), "count", seq);
      tree total = spmd_value (nested_total (s, heads[i]), "total", seq);
      nested_execute (launches, i, s, count, total, rank, size, place, seq);
    }
  meet (c, seq);
  spmd_set (c->turn, binary (BIT_XOR_EXPR, c->turn, u32 (1)), seq);
  for (unsigned i = 0; i < c->after.length (); i++)
    {
      tree no = spmd_label ();
      spmd_add_branch (EQ_EXPR, c->state, u32 (i + 1), c->after[i], no, seq);
      spmd_add_label (no, seq);
    }
  spmd_add_goto (c->collect, seq);
  if (launches->defers)
    add_drain (launches, place, done, seq);
  spmd_add_label (done, seq);
  delete c;
  launches->collection = NULL;
}

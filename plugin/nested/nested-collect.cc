/* Children that a warp or a block of a plain kernel executes together.

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
   before one of them adds it to a queue's head; a warp none of whose lanes has
   launched anything only meets the others of its group, if any.  There are two
   heads for a queue, used in turn: the other one is cleared while nobody looks at
   it.

   A launch that may be deferred goes elsewhere instead, when the runtime wants
   that: into a queue for all the program (nested-far.cc), or to a kernel that the
   device launches (nested-device.cc).

   What a group is, and which children are worth it, says a variable that the
   runtime sets; otherwise all run in place.  Threads that wait for each other
   in diverged warps need sm_70.

   Source: El Hajj et al., KLAP (MICRO 2016), sections II.A and II.B; PTX ISA,
   barrier and bar.warp.sync.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested-collect.h"

/* What a child is besides its iterations, for the counter of work.  */
static const int child_work = 16;

static const char request_name[] = "acr_launch";
static const char answer_name[] = "acr_answer";

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
      code_set (nested_field_at (TREE_TYPE (value), address, j - 2), value,
		seq);
    }
}

/* How many iterations launch I must have, lest it run in place.  */
static tree
least_of (const nested_launches *launches, unsigned i, gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  if (!launches->all[i]->call)
    return c->limit;
  /* Each of them may do anything.  */
  tree n = uint64_type_node, least = code_temp (n, "least"),
       device = code_label (), any = code_label (), end = code_label ();
  code_set (least, c->limit, seq);
  code_add_branch (NE_EXPR, c->far_limit, build_minus_one_cst (n), any, device,
		   seq);
  code_add_label (device, seq);
  nested_only_if (NE_EXPR, c->pool, u32 (0), end, seq);
  nested_only_if (NE_EXPR, nested_device_form (seq),
		  u64 (ACR_NEST_LAUNCHER_NONE), end, seq);
  code_add_goto (any, seq);
  code_add_label (any, seq);
  code_set (least, u64 (1), seq);
  code_add_label (end, seq);
  return least;
}

/* What the thread does that makes the request CALL, of launch I.  */
static gimple_seq
obey (nested_launches *launches, const gimple *call, unsigned i)
{
  nested_collection *c = launches->collection;
  gimple_seq seq = NULL;
  tree total = gimple_call_arg (call, 1), done = gimple_call_lhs (call);
  tree end = code_label (), after = code_label ();
  code_set (done, boolean_false_node, &seq);
  tree work = binary (PLUS_EXPR, total, u64 (child_work));
  code_set (c->work, binary (PLUS_EXPR, c->work, work), &seq);
  nested_only_if (GE_EXPR, total, least_of (launches, i, &seq), end, &seq);
  nested_only_if (LE_EXPR, total, u64 (c->near.most), end, &seq);
  set_fields (call, c->mine, &seq);
  c->after.safe_push (after);
  code_set (c->state, u32 (c->after.length ()), &seq);
  code_set (c->launch, u32 (i + 1), &seq);
  code_set (c->total, total, &seq);
  code_set (c->refused, u32 (0), &seq);
  code_add_goto (c->collect, &seq);
  code_add_label (after, &seq);
  if (launches->defers)
    code_set (done,
	      fold_build2 (EQ_EXPR, boolean_type_node, c->refused, u32 (0)),
	      &seq);
  else
    code_set (done, boolean_true_node, &seq);
  code_add_label (end, &seq);
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
  if (gimple_seq inside = stmt_scope_body (stmt))
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

/* Add to SEQ: the first thread of the group clears the heads for the turn that
   is not now when OTHER.  */
static void
clear_heads (const nested_launches *launches, bool other, gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  tree end = code_label (), turn = c->turn;
  nested_only_if (EQ_EXPR, c->group.rank, u32 (0), end, seq);
  if (other)
    code_set (c->turn, binary (BIT_XOR_EXPR, turn, u32 (1)), seq);
  for (unsigned i = 0; i < c->near.queues.length (); i++)
    code_set (nested_word (&c->near, uint64_type_node,
			   unshare_expr (c->near.queues[i].head), seq),
	      u64 (0), seq);
  if (other)
    code_set (c->turn, binary (BIT_XOR_EXPR, turn, u32 (1)), seq);
  code_add_label (end, seq);
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
  unsigned begin = 2 * MAX_WARPS * (n + HEADS_MORE);
  for (unsigned i = 0; i < n + HEADS_MORE; i++)
    {
      nested_queue q = {};
      tree turn = binary (MULT_EXPR, c->turn, u32 (MAX_WARPS));
      tree head = binary (PLUS_EXPR, binary (PLUS_EXPR, warp, turn),
			  u32 (2 * MAX_WARPS * i));
      q.head = word (head);
      tree entries = binary (PLUS_EXPR,
			     binary (MULT_EXPR, warp, u32 (SPMD_WARP)),
			     u32 (begin + NESTED_MAX_THREADS * i));
      q.entries = word (entries);
      q.records = size_int (begin + NESTED_MAX_THREADS * n);
      q.width = width;
      s->queues.safe_push (q);
    }
  s->total_bits = 48;
  s->number_bits = 16;
  s->most = HOST_WIDE_INT_1 << 40;
  s->base = build_fold_addr_expr_with_type (
    shared_words (nested_queue_words (n, width)), ptr_type_node);
}

/* Add to SEQ that KIND becomes that of the group for the threads at PLACE: none
   unless they are whole warps, and not too many.  */
static tree
find_kind (const nested_collection *c, const spmd_place *place,
	   gimple_seq *seq)
{
  tree kind = code_temp (uint64_type_node, "kind");
  tree none = code_label (), known = code_label ();
  tree size = place->group.size;
  code_set (kind, nested_form_setting (c, ACR_NEST_FORM_GROUP, seq), seq);
  tree part = code_value (binary (BIT_AND_EXPR, size, u32 (SPMD_WARP - 1)),
			  "part", seq);
  nested_only_if (LE_EXPR, size, u32 (NESTED_MAX_THREADS), none, seq);
  nested_only_if (GE_EXPR, size, u32 (SPMD_WARP), none, seq);
  code_add_branch (EQ_EXPR, part, u32 (0), known, none, seq);
  code_add_label (none, seq);
  code_set (kind, u64 (ACR_NEST_BY_THREAD), seq);
  code_add_label (known, seq);
  return kind;
}

void
nested_begin (nested_launches *launches, const spmd_place *place, tree works,
	      tree idle, gimple_seq *seq)
{
  nested_collection *c = launches->collection = new nested_collection ();
  /* GCC's copies of atomic updates share operands.  */
  for (unsigned i = 0; i < launches->all.length (); i++)
    spmd_atomic_hide (gimple_omp_body_ptr (launches->all[i]->nest->loop));
  tree u = unsigned_type_node, n = uint64_type_node;
  c->collect = code_label ();
  c->turn = code_temp (u, "turn");
  c->state = code_temp (u, "state");
  c->launch = code_temp (u, "launch");
  c->total = code_temp (n, "launched");
  c->refused = code_temp (u, "refused");
  c->limit = code_temp (n, "limit");
  c->group.rank = code_temp (u, "rank");
  c->group.size = code_temp (u, "size");
  c->group.first_warp = c->group.barrier = u32 (0);
  tree first = code_temp (u, "first_warp");
  lay_out (launches, first);
  code_set (c->turn, u32 (0), seq);
  code_set (c->state, u32 (0), seq);
  code_set (c->launch, u32 (0), seq);
  code_set (c->total, u64 (0), seq);
  code_set (c->refused, u32 (0), seq);
  code_set (c->limit, build_minus_one_cst (n), seq);
  code_set (c->group.rank, place->group.rank, seq);
  code_set (c->group.size, place->group.size, seq);
  code_set (first, u32 (0), seq);
  c->work = code_temp (n, "work");
  code_set (c->work, u64 (0), seq);
  c->shared = spmd_special_register ("dynamic_smem_size", seq);
  tree form = binary (TRUNC_DIV_EXPR, c->shared, u32 (ACR_NEST_SHARED_FORM));
  form = binary (MIN_EXPR, form, u32 (ACR_NEST_FORMS - 1));
  c->form = code_value (form, "form", seq);
  tree kind = find_kind (c, place, seq);
  if (launches->defers)
    nested_begin_far (launches, kind, seq);

  tree some = code_label (), ready = code_label (), warp = code_label (),
       clear = code_label ();
  c->lane = code_value (binary (BIT_AND_EXPR, place->group.rank,
				u32 (SPMD_WARP - 1)),
			"lane", seq);
  c->number = code_value (fold_convert (n, place->group.rank), "number", seq);
  c->mine = nested_record (&c->near, &c->near.queues[0], place->group.rank,
			   seq);
  code_add_branch (NE_EXPR, kind, u64 (ACR_NEST_BY_THREAD), some, ready, seq);
  code_add_label (some, seq);
  code_set (c->limit,
	    binary (MAX_EXPR, nested_form_setting (c, ACR_NEST_FORM_LEAST, seq),
		    u64 (1)),
	    seq);
  code_add_branch (EQ_EXPR, kind, u64 (ACR_NEST_BY_WARP), warp, clear, seq);
  code_add_label (warp, seq);
  code_set (first, binary (TRUNC_DIV_EXPR, place->group.rank, u32 (SPMD_WARP)),
	    seq);
  code_set (c->group.rank, c->lane, seq);
  code_set (c->group.size, u32 (SPMD_WARP), seq);
  code_add_label (clear, seq);
  clear_heads (launches, false, seq);
  nested_meet (c, seq);
  code_add_label (ready, seq);
  if (launches->levels)
    {
      tree own = code_label ();
      nested_if_drains (launches, own, seq);
      code_add_goto (c->drain, seq);
      code_add_label (own, seq);
    }
  nested_only_if (NE_EXPR, works, boolean_false_node, idle, seq);
}

/* ---- Queues ---- */

/* Add to SEQ, for all lanes of a warp, some of which have launched something, that
   it is in a queue.  */
static void
put_launches (const nested_launches *launches, gimple_seq *seq)
{
  const nested_collection *c = launches->collection;
  const nested_store *s = &c->near;
  tree n = uint64_type_node;
  unsigned i;
  for (i = 0; i < launches->all.length (); i++)
    {
      tree add = code_temp (n, "add"), none = code_label (),
	   end = code_label ();
      if (launches->all[i]->defers)
	nested_launch_own (launches, i, seq);
      code_set (add, u64 (0), seq);
      nested_only_if (EQ_EXPR, c->launch, u32 (i + 1), none, seq);
      code_set (add, nested_one_launch (s, c->total), seq);
      code_add_label (none, seq);
      spmd_meet_warp (seq);
      if (launches->all[i]->defers)
	nested_put_far (launches, i, add, seq);
      tree old = nested_add_together (c, s, &s->queues[i], add, seq);
      nested_only_if (NE_EXPR, add, u64 (0), end, seq);
      tree first = binary (LSHIFT_EXPR, old, u64 (s->number_bits));
      tree r = code_value (nested_count (s, old), "place", seq);
      code_set (nested_entry (s, &s->queues[i], r, seq),
		binary (BIT_IOR_EXPR, first, c->number), seq);
      code_add_label (end, seq);
      spmd_meet_warp (seq);
    }
  tree others = code_label ();
  nested_only_if (EQ_EXPR, c->lane, u32 (0), others, seq);
  nested_add (s, &s->queues[i + HEAD_COUNT], u64 (1), seq);
  code_add_label (others, seq);
}

/* ---- Execution ---- */

/* Add to SEQ, for all threads of the block, that the runtime learns what they
   have done when it asks for that, and then the warps are whole.  */
static void
count_work (const nested_collection *c, gimple_seq *seq)
{
  tree end = code_label ();
  tree counts = binary (BIT_AND_EXPR, c->shared, u32 (ACR_NEST_SHARED_COUNTS));
  nested_only_if (NE_EXPR, code_value (counts, "counts", seq), u32 (0), end,
		  seq);
  spmd_meet_warp (seq);
  tree sum = spmd_shuffle ("idx", spmd_sum_up (c->work, seq),
			   u32 (SPMD_WARP - 1), seq);
  nested_only_if (EQ_EXPR, c->lane, u32 (0), end, seq);
  nested_only_if (NE_EXPR, sum, u64 (0), end, seq);
  tree counter = nested_setting_word (u32 (ACR_NEST_SETTING_WORK));
  counter = build_fold_addr_expr (counter);
  gcall *add
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_FETCH_ADD_8), 3,
			 counter, sum,
			 build_int_cst (integer_type_node, MEMMODEL_RELAXED));
  gimple_seq_add_stmt (seq, add);
  code_add_label (end, seq);
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

  tree done = code_label ();
  code_set (c->state, u32 (0), seq);
  code_set (c->launch, u32 (0), seq);
  nested_only_if (NE_EXPR, c->limit, build_minus_one_cst (n), done, seq);
  code_add_goto (c->collect, seq);
  code_add_label (c->collect, seq);
  spmd_meet_warp (seq);
  tree some = code_label (), none = code_label (), ready = code_label ();
  code_add_branch (NE_EXPR, spmd_ballot (c->launch, seq), u32 (0), some, none,
		   seq);
  code_add_label (none, seq);
  code_add_branch (GT_EXPR, c->group.size, u32 (SPMD_WARP), ready, done, seq);
  code_add_label (some, seq);
  put_launches (launches, seq);
  code_add_label (ready, seq);
  nested_meet (c, seq);
  clear_heads (launches, true, seq);
  auto_vec<tree, 4> heads;
  for (unsigned i = 0; i < s->queues.length (); i++)
    {
      tree head = nested_word (s, n, unshare_expr (s->queues[i].head), seq);
      heads.safe_push (code_value (head, "head", seq));
    }
  unsigned nlaunches = launches->all.length ();
  nested_only_if (NE_EXPR, heads[nlaunches + HEAD_COUNT], u64 (0), done, seq);
  tree rank = code_value (fold_convert (n, c->group.rank), "rank", seq);
  tree size = code_value (fold_convert (n, c->group.size), "size", seq);
  for (unsigned i = 0; i < launches->all.length (); i++)
    {
      tree count = code_value (nested_count (s, heads[i]), "count", seq);
      tree total = code_value (nested_total (s, heads[i]), "total", seq);
      if (launches->all[i]->defers)
	nested_launch_group (launches, i, count, total, seq);
      nested_execute (launches, i, s, count, total, rank, size, place, seq);
    }
  nested_meet (c, seq);
  code_set (c->turn, binary (BIT_XOR_EXPR, c->turn, u32 (1)), seq);
  for (unsigned i = 0; i < c->after.length (); i++)
    {
      tree no = code_label ();
      code_add_branch (EQ_EXPR, c->state, u32 (i + 1), c->after[i], no, seq);
      code_add_label (no, seq);
    }
  code_add_goto (c->collect, seq);
  code_add_label (done, seq);
  if (launches->defers)
    nested_end_drain (launches, place, seq);
  count_work (c, seq);
  delete c;
  launches->collection = NULL;
}

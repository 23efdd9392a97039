/* Children that a warp or a block of an SPMD kernel executes together.

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

   Needs: nested_find_launches; requests in the code of the parent.  Keeps:
   the parent's order for a child that does not defer.  Breaks: scopes that
   only end lifetimes, in the parent's code.
   Source: El Hajj et al., KLAP (MICRO 2016), sections II.A and II.B; PTX ISA,
   barrier and bar.warp.sync.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/collect/nested-collect.h"

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
  if (!call_named_p (stmt, name))
    return false;
  *i = tree_to_uhwi (gimple_call_arg (stmt, 0));
  return true;
}

/* Add to C that the record at ADDRESS gets the fields of the request CALL.  */
static void
set_fields (const gimple *call, tree address, code c)
{
  for (unsigned j = 2; j < gimple_call_num_args (call); j++)
    {
      tree value = gimple_call_arg (call, j);
      c.set (nested_field_at (TREE_TYPE (value), address, j - 2), value);
    }
}

/* How many iterations launch I must have, lest it run in place.  */
static val
least_of (const nested_launches *launches, unsigned i, code c)
{
  const nested_collection *of = launches->collection;
  if (!launches->all[i]->call)
    return of->limit;
  /* Each of them may do anything.  */
  tree n = uint64_type_node;
  val least = c.var (n, "least", of->limit);
  tree any = code_label (), device = code_label (), end = code_label ();
  c.branch (of->far_limit != build_minus_one_cst (n), any, device);
  c.at (device);
  c.need (of->pool != 0, end);
  c.need (nested_device_form (c) != ACR_NEST_LAUNCHER_NONE, end);
  c.go (any);
  c.at (any);
  c.set (least, 1);
  c.at (end);
  return least;
}

/* What the thread does that makes the request CALL, of launch I.  */
static gimple_seq
obey (nested_launches *launches, const gimple *call, unsigned i)
{
  nested_collection *of = launches->collection;
  gimple_seq seq = NULL;
  code c = &seq;
  val total = gimple_call_arg (call, 1), done = gimple_call_lhs (call);
  tree end = code_label (), after = code_label ();
  c.set (done, boolean_false_node);
  c.set (of->work, of->work + (total + NESTED_CHILD_WORK));
  c.need (total >= least_of (launches, i, c), end);
  c.need (total <= of->near.most, end);
  set_fields (call, of->mine, c);
  of->after.safe_push (after);
  c.set (of->state, of->after.length ());
  c.set (of->launch, i + 1);
  c.set (of->total, total);
  c.set (of->refused, 0);
  c.go (of->collect);
  c.at (after);
  if (launches->defers)
    c.set (done, of->refused == 0);
  else
    c.set (done, boolean_true_node);
  c.at (end);
  return seq;
}

/* The body and the cleanup of STMT, one behind the other.  */
static gbind *
in_sequence (gimple *stmt)
{
  gimple_seq seq = NULL;
  gimple_seq_add_seq (&seq, gimple_try_eval (stmt));
  gimple_seq_add_seq (&seq, gimple_try_cleanup (stmt));
  return gimple_build_bind (NULL_TREE, seq, NULL);
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
  else if (stmt_sequence_p (stmt))
    gsi_replace (gsi, in_sequence (stmt), false);
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

/* Add to C: the first thread of the group clears the heads for the turn that
   is not now when OTHER.  */
static void
clear_heads (const nested_launches *launches, bool other, code c)
{
  const nested_collection *of = launches->collection;
  val turn = of->turn;
  c.if_ (val (of->group.rank) == 0, [&] {
    if (other)
      c.set (turn, turn ^ 1);
    for (unsigned i = 0; i < of->near.queues.length (); i++)
      c.set (nested_head (&of->near, &of->near.queues[i], c), 0);
    if (other)
      c.set (turn, turn ^ 1);
  });
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
lay_out (const nested_launches *launches, val warp)
{
  nested_collection *of = launches->collection;
  nested_store *s = &of->near;
  unsigned n = launches->all.length (), width = 0;
  for (unsigned i = 0; i < n; i++)
    width = MAX (width, launches->all[i]->fields.length ());
  unsigned begin = 2 * MAX_WARPS * (n + HEADS_MORE);
  for (unsigned i = 0; i < n + HEADS_MORE; i++)
    {
      nested_queue q = {};
      q.head = word (warp + of->turn * MAX_WARPS + 2 * MAX_WARPS * i);
      q.entries = word (warp * SPMD_WARP + (begin + NESTED_MAX_THREADS * i));
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

/* Add to C that KIND becomes that of the group for the threads at PLACE: none
   unless they are whole warps, and not too many.  */
static val
find_kind (const nested_collection *of, const spmd_place *place, code c)
{
  val kind = c.var (uint64_type_node, "kind"), size = place->group.size;
  tree none = code_label (), known = code_label ();
  c.set (kind, nested_form_setting (of, ACR_NEST_FORM_GROUP, c));
  val part = c.let ("part", size & (SPMD_WARP - 1));
  c.need (size <= NESTED_MAX_THREADS, none);
  c.need (size >= SPMD_WARP, none);
  c.branch (part == 0, known, none);
  c.at (none);
  c.set (kind, ACR_NEST_BY_THREAD);
  c.at (known);
  return kind;
}

/* Make the variables of OF, a group of the threads at PLACE; FIRST_WARP is its
   first warp.  */
static void
begin_variables (nested_launches *launches, const spmd_place *place,
		 val first_warp, code c)
{
  nested_collection *of = launches->collection;
  lay_out (launches, first_warp);
  c.set (of->turn, 0);
  c.set (of->state, 0);
  c.set (of->launch, 0);
  c.set (of->total, 0);
  c.set (of->refused, 0);
  c.set (of->limit, build_minus_one_cst (uint64_type_node));
  c.set (of->group.rank, place->group.rank);
  c.set (of->group.size, place->group.size);
  c.set (first_warp, 0);
  of->work = c.var (uint64_type_node, "work");
  c.set (of->work, 0);
  of->shared = spmd_special_register ("dynamic_smem_size", c);
  val form = of->shared / ACR_NEST_SHARED_FORM;
  of->form = c.let ("form", min_of (form, ACR_NEST_FORMS - 1));
}

/* Add to C what the threads at PLACE do where there are groups, of KIND.  */
static void
begin_group (nested_launches *launches, const spmd_place *place, val kind,
	     val first_warp, code c)
{
  nested_collection *of = launches->collection;
  val rank = place->group.rank;
  val least = nested_form_setting (of, ACR_NEST_FORM_LEAST, c);
  c.set (of->limit, max_of (least, 1));
  c.if_ (kind == ACR_NEST_BY_WARP, [&] {
    c.set (first_warp, rank / SPMD_WARP);
    c.set (of->group.rank, of->lane);
    c.set (of->group.size, SPMD_WARP);
  });
  clear_heads (launches, false, c);
  nested_meet (of, c);
}

void
nested_begin (nested_launches *launches, const spmd_place *place, tree works,
	      tree idle, gimple_seq *seq)
{
  code c = seq;
  nested_collection *of = launches->collection = new nested_collection ();
  /* GCC's copies of atomic updates share operands.  */
  for (unsigned i = 0; i < launches->all.length (); i++)
    spmd_atomic_hide (gimple_omp_body_ptr (launches->all[i]->nest->loop));
  tree u = unsigned_type_node, n = uint64_type_node;
  of->collect = code_label ();
  of->turn = c.var (u, "turn");
  of->state = c.var (u, "state");
  of->launch = c.var (u, "launch");
  of->total = c.var (n, "launched");
  of->refused = c.var (u, "refused");
  of->limit = c.var (n, "limit");
  of->group.rank = c.var (u, "rank");
  of->group.size = c.var (u, "size");
  of->group.first_warp = of->group.barrier = u32 (0);
  val first_warp = c.var (u, "first_warp"), rank = place->group.rank;
  begin_variables (launches, place, first_warp, c);
  val kind = find_kind (of, place, c);
  if (launches->defers)
    nested_begin_far (launches, kind, c);

  of->lane = c.let ("lane", rank & (SPMD_WARP - 1));
  of->number = c.let ("number", rank.as (n));
  of->mine = nested_record (&of->near, &of->near.queues[0], rank, c);
  c.if_ (kind != ACR_NEST_BY_THREAD,
	 [&] { begin_group (launches, place, kind, first_warp, c); });
  if (launches->levels)
    nested_if_drains (launches, [&] { c.go (of->drain); }, c);
  c.need (val (works) != boolean_false_node, idle);
}

/* ---- Queues ---- */

/* Add to C, for all lanes of a warp, that those with launch I are in its queue.  */
static void
put_launch (const nested_launches *launches, unsigned i, code c)
{
  const nested_collection *of = launches->collection;
  const nested_store *s = &of->near;
  const nested_queue *q = &s->queues[i];
  val add = c.var (uint64_type_node, "add");
  if (launches->all[i]->defers)
    nested_launch_own (launches, i, c);
  c.set (add, 0);
  c.if_ (of->launch == i + 1,
	 [&] { c.set (add, nested_one_launch (s, of->total)); });
  spmd_meet_warp (c);
  if (launches->all[i]->defers)
    nested_put_far (launches, i, add, c);
  val old = nested_add_together (of, s, q, add, c);
  c.if_ (add != 0, [&] {
    val first = old << u64 (s->number_bits);
    val r = c.let ("place", nested_count (s, old));
    c.set (nested_entry (s, q, r, c), first | of->number);
  });
  spmd_meet_warp (c);
}

/* Add to C, for all lanes of a warp, some of which have launched something, that
   it is in a queue.  */
static void
put_launches (const nested_launches *launches, code c)
{
  const nested_collection *of = launches->collection;
  unsigned n = launches->all.length ();
  for (unsigned i = 0; i < n; i++)
    put_launch (launches, i, c);
  c.if_ (of->lane == 0, [&] {
    nested_add (&of->near, &of->near.queues[n + HEAD_COUNT], u64 (1), c);
  });
}

/* ---- Execution ---- */

/* Add to C, for all threads of the block, that the runtime learns what they
   have done when it asks for that, and then the warps are whole.  */
static void
count_work (const nested_collection *of, code c)
{
  tree end = code_label ();
  c.need (c.let ("counts", of->shared & ACR_NEST_SHARED_COUNTS) != 0, end);
  spmd_meet_warp (c);
  val sum = spmd_shuffle ("idx", spmd_sum_up (of->work, c),
			  u32 (SPMD_WARP - 1), c);
  c.need (of->lane == 0, end);
  c.need (sum != 0, end);
  val counter = nested_setting_word (u32 (ACR_NEST_SETTING_WORK));
  c.fetch_add (NULL_TREE, build_fold_addr_expr (counter.t), sum);
  c.at (end);
}

/* Add to C that the group executes what is in its queues, of which HEADS are the
   heads.  */
static void
execute_all (const nested_launches *launches, const vec<tree> &heads,
	     const spmd_place *place, code c)
{
  const nested_collection *of = launches->collection;
  const nested_store *s = &of->near;
  tree n = uint64_type_node;
  val rank = c.let ("rank", val (of->group.rank).as (n));
  val size = c.let ("size", val (of->group.size).as (n));
  for (unsigned i = 0; i < launches->all.length (); i++)
    {
      val count = c.let ("count", nested_count (s, heads[i]));
      val total = c.let ("total", nested_total (s, heads[i]));
      if (launches->all[i]->defers)
	nested_launch_group (launches, i, count, total, c);
      nested_count_executed (of, ACR_NEST_SETTING_NEAR, count, total,
			     of->group.rank, c);
      nested_execute (launches, i, s, count, total, rank, size, place, c);
    }
}

/* Add to C that threads go back to where they have launched something.  */
static void
go_back (const nested_collection *of, code c)
{
  c.set (of->turn, of->turn ^ 1);
  for (unsigned i = 0; i < of->after.length (); i++)
    {
      tree no = code_label ();
      c.branch (of->state == i + 1, of->after[i], no);
      c.at (no);
    }
  c.go (of->collect);
}

void
nested_collect (nested_launches *launches, const spmd_place *place,
		gimple_seq *seq)
{
  code c = seq;
  nested_collection *of = launches->collection;
  const nested_store *s = &of->near;
  struct walk_stmt_info wi = {};
  wi.info = launches;
  walk_gimple_seq_mod (seq, obey_stmt, NULL, &wi);

  tree done = code_label (), some = code_label (), none = code_label (),
       ready = code_label ();
  c.set (of->state, 0);
  c.set (of->launch, 0);
  c.need (of->limit != build_minus_one_cst (uint64_type_node), done);
  c.go (of->collect);
  c.at (of->collect);
  spmd_meet_warp (c);
  c.branch (val (spmd_ballot (of->launch, c)) != 0, some, none);
  c.at (none);
  c.branch (val (of->group.size) > SPMD_WARP, ready, done);
  c.at (some);
  put_launches (launches, c);
  c.at (ready);
  nested_meet (of, c);
  clear_heads (launches, true, c);
  auto_vec<tree, 4> heads;
  for (unsigned i = 0; i < s->queues.length (); i++)
    heads.safe_push (c.let ("head", nested_head (s, &s->queues[i], c)));
  val launched = heads[launches->all.length () + HEAD_COUNT];
  c.need (launched != 0, done);
  execute_all (launches, heads, place, c);
  nested_meet (of, c);
  go_back (of, c);
  c.at (done);
  if (launches->defers)
    nested_end_drain (launches, place, c);
  count_work (of, c);
  delete of;
  launches->collection = NULL;
}

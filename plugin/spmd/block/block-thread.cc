/* A parallel construct, executed by threads of the block.

   As many threads as the clauses allow execute its body, each for itself; the
   others wait at its end.  Loops are shared out among those, what is for one
   thread the first executes, and critical constructs are entered by one thread
   of the GPU at a time.

   Needs: block_find.  Keeps: which thread has which iteration, where the
   program can tell.  Breaks: the order of a reduction, in which warps or
   threads update the variable one after the other.
   Source: OpenMP 5.0, 2.6, 2.8, 2.9.2, 2.16, 2.17 and 2.19.5.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/block/block.h"

/* The walk over a thread's code.  */
struct thread_walk
{
  block_region *b;
  /* A thread's, in the construct.  */
  const spmd_place *place;
  const block_party *party;
  /* The construct is one loop.  */
  bool combined;
};

/* Add to C that the threads of PARTY, of which one is at PLACE, update the
   variable of P, of which they have partial results: a thread of each warp
   where all threads of the block are there, and these are whole warps.  */
static void
add_result (const spmd_private *p, const spmd_place *place,
	    const block_party *party, code c)
{
  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (p->value));
  val value = c.var (type, "partial", p->value);
  val rest = c.let ("rest", val (place->group.size) % SPMD_WARP);
  val full = rest == 0, whole = val (party->whole) != 0;
  val warps = c.let ("warps", full & whole);
  val lane = c.let ("lane", val (place->id) % SPMD_WARP);
  spmd_group warp = { lane, u32 (SPMD_WARP), u32 (0), u32 (0), false };
  c.if_ (warps != boolean_false_node,
	 [&] { spmd_reduce (p->reduction, value, &warp, c); });
  val leads = lane == 0, alone = warps == boolean_false_node;
  val updates = c.let ("updates", leads | alone);
  c.if_ (updates != boolean_false_node, [&] {
    val address = p->by_reference ? p->var : spmd_address_of (p->var, c);
    address = c.let ("address", address.as (build_pointer_type (type)));
    spmd_update (p->reduction, address, value, c);
  });
}

/* The same for all partial results in SHARING.  */
static void
add_results (const spmd_sharing *sharing, const spmd_place *place,
	     const block_party *party, gimple_seq *seq)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    if (sharing->privates[i].reduction)
      add_result (&sharing->privates[i], place, party, seq);
}

/* ---- Constructs in a thread's code ---- */

static bool
waits_p (gimple *stmt)
{
  return !omp_find_clause (stmt_clauses (stmt), OMP_CLAUSE_NOWAIT);
}

/* A scope with what WRITE writes.  */
static gimple *
scope_of (writer<gbind *, gimple_seq *> write)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  write (bind, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

static gimple *
shared_loop (const thread_walk *w, gomp_for *loop)
{
  return scope_of ([&] (gbind *bind, gimple_seq *seq) {
    spmd_nest inner;
    spmd_sharing sharing;
    gimple *parallel = w->combined ? w->b->thread.levels.last () : NULL;
    const char *why = block_find_loop (w->b, loop, parallel, &inner, &sharing);
    gcc_assert (!why);
    spmd_make_own (&sharing, bind, seq);
    gimple_seq_add_seq (seq, spmd_copy (&sharing,
					gimple_omp_for_pre_body (loop)));
    spmd_copy_before (&inner, &sharing, seq);
    spmd_add_loop (&inner, inner.loop, w->place, &sharing, seq);
    add_results (&sharing, w->place, w->party, seq);
    if (waits_p (loop) && !w->combined)
      block_meet_party (w->party, seq);
  });
}

/* The number of the thread that executes STMT.  */
static val
executor (gimple *stmt)
{
  tree c = gimple_code (stmt) == GIMPLE_OMP_MASKED
	     ? omp_find_clause (stmt_clauses (stmt), OMP_CLAUSE_FILTER)
	     : NULL_TREE;
  return c ? val (OMP_CLAUSE_OPERAND (c, 0)).as (unsigned_type_node) : u32 (0);
}

static gimple *
for_one (const thread_walk *w, gimple *stmt)
{
  return scope_of ([&] (gbind *bind, gimple_seq *seq) {
    code c = seq;
    spmd_sharing sharing;
    block_privates (stmt, &sharing);
    val one = c.let ("one", executor (stmt));
    c.if_ (val (w->place->id) == one, [&] {
      spmd_make_own (&sharing, bind, seq);
      gimple_seq_add_seq (seq, spmd_copy (&sharing, gimple_omp_body (stmt)));
    });
    if (gimple_code (stmt) == GIMPLE_OMP_SINGLE && waits_p (stmt))
      block_meet_party (w->party, seq);
  });
}

/* One lane of a warp after the other.  */
static gimple *
one_by_one (const thread_walk *w, gimple *stmt)
{
  return scope_of ([&] (gbind *, gimple_seq *seq) {
    code c = seq;
    val lane = c.let ("lane", val (w->place->id) % SPMD_WARP);
    c.times_ (u32 (SPMD_WARP), [&] (val turn) {
      c.if_ (turn == lane, [&] {
	spmd_lock (seq);
	gimple_seq_add_seq (seq, gimple_omp_body (stmt));
	spmd_unlock (seq);
      });
    });
  });
}

static gimple *
barrier (const thread_walk *w)
{
  return scope_of ([&] (gbind *, gimple_seq *seq) {
    block_meet_party (w->party, seq);
  });
}

/* ---- The walk ---- */

static void thread_code (const thread_walk *w, gimple_seq *code);

/* What a thread executes instead of STMT, or NULL for the same.  */
static gimple *
thread_form (const thread_walk *w, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_FOR:
      /* One that another is combined with stays the loop of that one.  */
      if (gimple_omp_for_combined_into_p (stmt))
	return NULL;
      thread_code (w, gimple_omp_for_pre_body_ptr (stmt));
      thread_code (w, gimple_omp_body_ptr (stmt));
      return gimple_omp_for_kind (stmt) == GF_OMP_FOR_KIND_SIMD
	       ? spmd_serial_loop (as_a<gomp_for *> (stmt))
	       : shared_loop (w, as_a<gomp_for *> (stmt));
    case GIMPLE_OMP_SINGLE:
    case GIMPLE_OMP_MASTER:
    case GIMPLE_OMP_MASKED:
      thread_code (w, gimple_omp_body_ptr (stmt));
      return for_one (w, stmt);
    case GIMPLE_OMP_CRITICAL:
      thread_code (w, gimple_omp_body_ptr (stmt));
      return one_by_one (w, stmt);
    case GIMPLE_CALL:
      return gimple_call_builtin_p (stmt, BUILT_IN_GOMP_BARRIER) ? barrier (w)
								 : NULL;
    default:
      return NULL;
    }
}

static tree
thread_stmt (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  const thread_walk *w = (const thread_walk *) wi->info;
  spmd_answer_call (&w->b->thread, w->place, gsi);
  gimple *form = thread_form (w, gsi_stmt (*gsi));
  *handled = form != NULL;
  if (form)
    gsi_replace (gsi, form, false);
  return NULL_TREE;
}

static void
thread_code (const thread_walk *w, gimple_seq *code)
{
  struct walk_stmt_info wi = {};
  wi.info = CONST_CAST (thread_walk *, w);
  walk_gimple_seq_mod (code, thread_stmt, NULL, &wi);
}

/* Does a thread's variable in SHARING begin with the value of one that threads
   may change?  */
static bool
copies_memory_p (block_region *b, const spmd_sharing *sharing)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    {
      const spmd_private *p = &sharing->privates[i];
      if (p->copy_in
	  && (p->by_reference || b->placed.contains (p->var)
	      || block_memory_p (b, p->var)))
	return true;
    }
  return false;
}

gimple *
block_threads (block_region *b, const spmd_place *place, gimple *parallel)
{
  return scope_of ([&] (gbind *bind, gimple_seq *seq) {
    code c = seq;
    spmd_sharing sharing, none;
    tree idle = code_label ();
    if (b->loads)
      block_meet (c);
    block_privates (parallel, &sharing);
    spmd_make_own (&sharing, bind, seq);
    if (copies_memory_p (b, &sharing))
      block_meet (c);
    b->thread.levels.safe_push (parallel);
    spmd_place own = spmd_find_team_place (&b->thread, &none, place, idle, seq);
    val all = val (own.threads) == val (place->block_size);
    block_party party = { c.let ("whole", all.as (unsigned_type_node)),
			  b->barriers };
    thread_walk w = { b, &own, &party,
		      (bool) gimple_omp_parallel_combined_p (parallel) };
    gimple_seq body = spmd_copy (&sharing, gimple_omp_body (parallel));
    thread_code (&w, &body);
    gimple_seq_add_seq (seq, body);
    add_results (&sharing, &own, &party, seq);
    block_end_party (&party, idle, seq);
    b->thread.levels.pop ();
  });
}

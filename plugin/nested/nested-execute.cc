/* The iterations of the launches in a queue, shared out evenly.

   A warp takes a part of the iterations of all launches together, numbered, its
   lanes those that follow each other; so they load neighbours.  Where its part
   begins its lanes search for together; from then on they find the launches of the
   warp's next 32 iterations together, for these are among 32 that follow each
   other, as none is without iterations: each lane looks at one.  Launches of few
   iterations, the usual ones, cost little so; and in one of many the lanes stay
   without looking until 32 more are beyond it.  What a lane has reduced goes into
   the variable when it leaves a launch, together with what its neighbours have that
   do so.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested-queue.h"

/* More than there are.  */
static const HOST_WIDE_INT no_launch = 0xffffffff;

/* No launch is looked for so many iterations from here.  */
static const HOST_WIDE_INT far_behind = 1 << 30;

/* The thread's variables in the iterations of one launch.  */
struct execution
{
  const nested_launch *l;
  const nested_store *s;
  const nested_queue *q;
  /* Launches, and iterations of all.  */
  tree count, total;
  /* The warp's: the number of the first of its next iterations, its last launch
     that begins there or before, the end of its part; up to where its lanes stay
     in that launch when all are there, or 0.  */
  tree base, at, stop, until;
  /* The lane, its launch or no_launch, the first iteration of that.  */
  tree lane, in, first;
  spmd_space space;
  /* Per field, the address of the cell, or NULL.  */
  auto_vec<tree, 8> cells;
};

/* A variable that stands for the cell at ADDRESS, called after VAR.  */
static tree
cell_variable (tree var, tree address)
{
  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (var));
  tree cell = build_decl (DECL_SOURCE_LOCATION (var), VAR_DECL,
			  DECL_NAME (var), type);
  DECL_CONTEXT (cell) = current_function_decl;
  DECL_ARTIFICIAL (cell) = TREE_ADDRESSABLE (cell) = 1;
  DECL_SEEN_IN_BIND_EXPR_P (cell) = 1;
  SET_DECL_VALUE_EXPR (cell, nested_field_at (type, address, 0));
  DECL_HAS_VALUE_EXPR_P (cell) = 1;
  return cell;
}

/* Give the child's variables that are passed on, and its private ones, copies
   in BIND, set up in SEQ: SHARING gets them.  */
static void
make_variables (execution *e, spmd_sharing *sharing, gbind *bind,
		gimple_seq *seq)
{
  const vec<nested_field> &fields = e->l->fields;
  gimple_seq none = NULL;
  for (unsigned j = 0; j < fields.length (); j++)
    if (!fields[j].cell && !spmd_private_p (sharing, fields[j].var))
      {
	spmd_private p = {};
	p.var = fields[j].var;
	sharing->privates.safe_push (p);
      }
  /* They begin with the record's values.  */
  spmd_make_own (sharing, bind, &none);
  for (unsigned j = 0; j < sharing->privates.length (); j++)
    {
      const spmd_private *p = &sharing->privates[j];
      if (p->by_reference)
	code_set (p->own,
		  fold_convert (TREE_TYPE (p->own),
				build_fold_addr_expr (p->value)),
		  seq);
    }
  for (unsigned j = 0; j < fields.length (); j++)
    {
      tree address = NULL_TREE;
      if (fields[j].cell)
	address = code_temp (ptr_type_node, "cell");
      e->cells.safe_push (address);
      if (fields[j].cell && !fields[j].reduction)
	{
	  spmd_private p = {};
	  p.var = fields[j].var;
	  p.own = cell_variable (p.var, address);
	  sharing->privates.safe_push (p);
	}
    }
}

/* Add to SEQ the address of what P, a reduction of E's, goes into.  */
static tree
target_of (const execution *e, const spmd_private *p, gimple_seq *seq)
{
  const vec<nested_field> &fields = e->l->fields;
  for (unsigned j = 0; j < fields.length (); j++)
    if (fields[j].reduction == p->reduction)
      return e->cells[j];
  return p->by_reference ? p->var : spmd_address_of (p->var, seq);
}

/* Add to SEQ that PARTIAL, results of E's reductions, goes into the variables.  */
static void
update_variables (const execution *e, const vec<tree> &partial,
		  gimple_seq *seq)
{
  const vec<spmd_private> &privates = e->l->sharing->privates;
  for (unsigned i = 0, j = 0; j < privates.length (); j++)
    if (tree c = privates[j].reduction)
      {
	tree type = TYPE_MAIN_VARIANT (TREE_TYPE (partial[i]));
	tree address = fold_convert (build_pointer_type (type),
				     target_of (e, &privates[j], seq));
	address = code_value (address, "address", seq);
	spmd_update (c, address, partial[i++], seq);
      }
}

/* The thread's partial results of E's reductions, or copies of them.  */
static void
get_partial (const execution *e, bool copies, vec<tree> *partial,
	     gimple_seq *seq)
{
  const vec<spmd_private> &privates = e->l->sharing->privates;
  for (unsigned j = 0; j < privates.length (); j++)
    if (privates[j].reduction)
      {
	tree value = privates[j].value;
	if (copies)
	  {
	    tree copy = code_temp (TYPE_MAIN_VARIANT (TREE_TYPE (value)),
				   "partial");
	    code_set (copy, value, seq);
	    value = copy;
	  }
	partial->safe_push (value);
      }
}

/* Add to SEQ that the thread's partial results go into the variables, when it has
   any.  */
static void
flush (const execution *e, gimple_seq *seq)
{
  tree end = code_label ();
  nested_only_if (NE_EXPR, e->in, u32 (no_launch), end, seq);
  auto_vec<tree, 4> partial;
  get_partial (e, false, &partial, seq);
  update_variables (e, partial, seq);
  code_add_label (end, seq);
}

/* Add to SEQ: is this the first of the lanes that follow each other and have the
   same KEY?  *BEYOND becomes the first one behind these.  */
static tree
find_run (const execution *e, tree key, tree *beyond, gimple_seq *seq)
{
  tree u = unsigned_type_node, first = code_temp (u, "first"),
       test = code_label (), known = code_label ();
  tree before = spmd_shuffle ("up", key, u32 (1), seq);
  code_set (first, u32 (1), seq);
  code_add_branch (EQ_EXPR, e->lane, u32 (0), known, test, seq);
  code_add_label (test, seq);
  tree differs = fold_build2 (NE_EXPR, boolean_type_node, before, key);
  code_set (first, fold_convert (u, differs), seq);
  code_add_label (known, seq);
  tree upto = binary (LSHIFT_EXPR, u32 (2), e->lane);
  upto = binary (MINUS_EXPR, upto, u32 (1));
  tree above = binary (BIT_AND_EXPR, spmd_ballot (first, seq),
			      fold_build1 (BIT_NOT_EXPR, u, upto));
  *beyond = code_temp (u, "beyond");
  spmd_add_asm ("{\n\t.reg .b32 %%acr_r;\n\tbrev.b32 %%acr_r, %1;\n\t"
		"clz.b32 %0, %%acr_r;\n\t}",
		*beyond, code_value (above, "above", seq), NULL_TREE, seq);
  return first;
}

/* Add to SEQ: PARTIAL becomes what the lanes from this one to the one in front of
   BEYOND have.  */
static void
combine_run (const execution *e, tree beyond, const vec<tree> &partial,
	     gimple_seq *seq)
{
  const vec<spmd_private> &privates = e->l->sharing->privates;
  for (int way = 1; way < SPMD_WARP; way *= 2)
    {
      auto_vec<tree, 4> other;
      for (unsigned i = 0; i < partial.length (); i++)
	other.safe_push (spmd_shuffle ("down", partial[i], u32 (way),
				       seq));
      tree its = binary (PLUS_EXPR, e->lane, u32 (way)),
	   end = code_label ();
      nested_only_if (LT_EXPR, code_value (its, "its", seq), beyond, end, seq);
      for (unsigned i = 0, j = 0; j < privates.length (); j++)
	if (tree c = privates[j].reduction)
	  {
	    code_set (partial[i], spmd_combine (c, partial[i], other[i]), seq);
	    i++;
	  }
      code_add_label (end, seq);
    }
}

/* Add to SEQ, for all lanes of a warp, that the partial results of those that
   leave launch KEY, not no_launch, go into the variables: those of neighbours
   together.  */
static void
flush_together (const execution *e, tree key, gimple_seq *seq)
{
  auto_vec<tree, 4> partial;
  tree end = code_label (), beyond;
  tree leaves = binary (PLUS_EXPR, key, u32 (1));
  leaves = spmd_ballot (code_value (leaves, "leaves", seq), seq);
  nested_only_if (NE_EXPR, leaves, u32 (0), end, seq);
  get_partial (e, true, &partial, seq);
  tree first = find_run (e, key, &beyond, seq);
  combine_run (e, beyond, partial, seq);
  nested_only_if (NE_EXPR, key, u32 (no_launch), end, seq);
  nested_only_if (NE_EXPR, first, u32 (0), end, seq);
  update_variables (e, partial, seq);
  code_add_label (end, seq);
}

/* Has E any reductions?  */
static bool
reduces_p (const execution *e)
{
  const vec<spmd_private> &privates = e->l->sharing->privates;
  for (unsigned j = 0; j < privates.length (); j++)
    if (privates[j].reduction)
      return true;
  return false;
}

/* Add to SEQ, for all lanes of a warp, that those which have an iteration K before
   the end, of launch R, are through with another one.  */
static void
leave_launches (const execution *e, tree k, tree r, gimple_seq *seq)
{
  tree key = code_temp (unsigned_type_node, "key"), stay = code_label ();
  code_set (key, u32 (no_launch), seq);
  nested_only_if (LT_EXPR, k, e->stop, stay, seq);
  nested_only_if (NE_EXPR, e->in, r, stay, seq);
  code_set (key, e->in, seq);
  code_add_label (stay, seq);
  flush_together (e, key, seq);
}

/* Add to SEQ: how many lanes of the warp have VALUE, not 0.  */
static tree
lanes_with (tree value, gimple_seq *seq)
{
  gcall *count = gimple_build_call (builtin_decl_explicit (BUILT_IN_POPCOUNT),
				    1, spmd_ballot (value, seq));
  tree lanes = code_temp (integer_type_node, "lanes");
  gimple_call_set_lhs (count, lanes);
  gimple_seq_add_stmt (seq, count);
  return code_value (fold_convert (unsigned_type_node, lanes), "lanes", seq);
}

/* Add to SEQ the search for the launch at which the warp begins: each lane looks
   at one of 32 that divide those in question evenly.  */
static void
find_start (execution *e, gimple_seq *seq)
{
  tree u = unsigned_type_node, span = code_temp (u, "span"),
       begun = code_temp (u, "begun"), test = code_label (),
       more = code_label (), beyond = code_label (), found = code_label ();
  code_set (e->at, u32 (0), seq);
  code_set (span, e->count, seq);
  nested_only_if (NE_EXPR, e->base, u64 (0), found, seq);
  code_add_label (test, seq);
  code_add_branch (GT_EXPR, span, u32 (1), more, found, seq);
  code_add_label (more, seq);
  tree up = binary (PLUS_EXPR, span, u32 (SPMD_WARP - 1));
  tree step = binary (TRUNC_DIV_EXPR, up, u32 (SPMD_WARP));
  step = code_value (step, "step", seq);
  tree i = binary (MULT_EXPR, e->lane, step);
  i = code_value (i, "i", seq);
  code_set (begun, u32 (0), seq);
  nested_only_if (LT_EXPR, i, span, beyond, seq);
  i = code_value (binary (PLUS_EXPR, e->at, i), "i", seq);
  tree first = nested_first (e->s, nested_entry (e->s, e->q, i, seq));
  first = code_value (first, "first", seq);
  code_set (begun,
	    fold_convert (u, fold_build2 (LE_EXPR, boolean_type_node, first,
					  e->base)),
	    seq);
  code_add_label (beyond, seq);
  tree passed = binary (MINUS_EXPR, lanes_with (begun, seq),
			       u32 (1));
  passed = binary (MULT_EXPR, passed, step);
  passed = code_value (passed, "passed", seq);
  code_set (e->at, binary (PLUS_EXPR, e->at, passed), seq);
  code_set (span,
	    binary (MIN_EXPR, step,
			   binary (MINUS_EXPR, span, passed)),
	    seq);
  code_add_goto (test, seq);
  code_add_label (found, seq);
}

/* Add to SEQ: where launch AT + 1 + LANE begins, counted from the warp's next
   iteration, or something large.  */
static tree
look_behind (const execution *e, gimple_seq *seq)
{
  tree behind = code_temp (unsigned_type_node, "behind");
  tree none = code_label ();
  code_set (behind, u32 (far_behind), seq);
  tree next = binary (PLUS_EXPR, e->at, u32 (1));
  next = binary (PLUS_EXPR, next, e->lane);
  next = code_value (next, "next", seq);
  nested_only_if (LT_EXPR, next, e->count, none, seq);
  tree first = nested_first (e->s, nested_entry (e->s, e->q, next, seq));
  first = binary (MINUS_EXPR, code_value (first, "first", seq), e->base);
  first = binary (MIN_EXPR, first, u64 (far_behind));
  code_set (behind, fold_convert (unsigned_type_node, first), seq);
  code_add_label (none, seq);
  return behind;
}

/* Add to SEQ: how many of the launches that the lanes look at, which begin
   BEHIND, have begun at the lane's iteration.  */
static tree
begun_of (const execution *e, tree behind, gimple_seq *seq)
{
  tree begun = code_temp (unsigned_type_node, "begun");
  spmd_add_asm ("{\n\t.reg .u32 %%acr_a, %%acr_b;\n\t"
		/* A bit for each iteration: does a launch begin there?  */
		"shl.b32 %%acr_a, 1, %1;\n\t"
		"shfl.sync.bfly.b32 %%acr_b, %%acr_a, 16, 31, -1;\n\t"
		"or.b32 %%acr_a, %%acr_a, %%acr_b;\n\t"
		"shfl.sync.bfly.b32 %%acr_b, %%acr_a, 8, 31, -1;\n\t"
		"or.b32 %%acr_a, %%acr_a, %%acr_b;\n\t"
		"shfl.sync.bfly.b32 %%acr_b, %%acr_a, 4, 31, -1;\n\t"
		"or.b32 %%acr_a, %%acr_a, %%acr_b;\n\t"
		"shfl.sync.bfly.b32 %%acr_b, %%acr_a, 2, 31, -1;\n\t"
		"or.b32 %%acr_a, %%acr_a, %%acr_b;\n\t"
		"shfl.sync.bfly.b32 %%acr_b, %%acr_a, 1, 31, -1;\n\t"
		"or.b32 %%acr_a, %%acr_a, %%acr_b;\n\t"
		/* Those up to the lane's own.  */
		"shl.b32 %%acr_b, 2, %2;\n\t"
		"sub.u32 %%acr_b, %%acr_b, 1;\n\t"
		"and.b32 %%acr_a, %%acr_a, %%acr_b;\n\t"
		"popc.b32 %0, %%acr_a;\n\t}",
		begun, behind, e->lane, seq);
  return begun;
}

/* Add to SEQ: UNTIL becomes where launch AT + 1 begins, which lane 0 looks at, or
   the warp's part ends.  */
static void
stay_until_next (const execution *e, tree behind, gimple_seq *seq)
{
  tree first = spmd_shuffle ("idx", behind, u32 (0), seq);
  first = code_value (binary (PLUS_EXPR, e->base, first), "first", seq);
  code_set (e->until, binary (MIN_EXPR, e->stop, first), seq);
}

/* Add to SEQ the number of the launch that the lane's iteration is of, and that
   the warp goes on behind those that end.  */
static tree
find_launch (const execution *e, gimple_seq *seq)
{
  tree u = unsigned_type_node, r = code_temp (u, "r"), last = code_label (),
       stays = code_label (), leaves = code_label ();
  code_set (r, e->at, seq);
  code_set (e->until, e->stop, seq);
  tree next = code_value (binary (PLUS_EXPR, e->at, u32 (1)),
			  "next", seq);
  nested_only_if (LT_EXPR, next, e->count, last, seq);
  tree behind = look_behind (e, seq);
  code_set (r, binary (PLUS_EXPR, e->at, begun_of (e, behind, seq)),
	    seq);
  /* How many have begun at the warp's iterations after these.  */
  tree begun = fold_build2 (LE_EXPR, boolean_type_node, behind,
			    u32 (SPMD_WARP));
  begun = code_value (fold_convert (u, begun), "begun", seq);
  begun = lanes_with (begun, seq);
  code_set (e->until, u64 (0), seq);
  code_add_branch (EQ_EXPR, begun, u32 (0), stays, leaves, seq);
  code_add_label (stays, seq);
  stay_until_next (e, behind, seq);
  code_add_label (leaves, seq);
  code_set (e->at, binary (PLUS_EXPR, e->at, begun), seq);
  code_add_label (last, seq);
  return r;
}

/* Add to SEQ that the thread's variables become what the record at ADDRESS
   says.  */
static void
take_fields (const execution *e, tree address, gimple_seq *seq)
{
  const nested_launch *l = e->l;
  for (unsigned j = 0; j < l->fields.length (); j++)
    {
      tree var = l->fields[j].var;
      tree field = nested_field_at (TREE_TYPE (var), address, j);
      if (tree cell = e->cells[j])
	code_set (cell, build_fold_addr_expr_with_type (field, ptr_type_node),
		  seq);
      else
	code_set (spmd_copy_expr (l->sharing, var), field, seq);
    }
  const vec<spmd_private> &privates = l->sharing->privates;
  for (unsigned j = 0; j < privates.length (); j++)
    if (tree c = privates[j].reduction)
      {
	tree own = privates[j].value;
	code_set (own, omp_reduction_init (c, TREE_TYPE (own)), seq);
      }
}

/* Add to SEQ that the thread goes to launch R.  */
static void
enter_launch (execution *e, tree r, gimple_seq *seq)
{
  code_set (e->in, r, seq);
  tree entry = code_value (nested_entry (e->s, e->q, r, seq), "entry", seq);
  code_set (e->first, nested_first (e->s, entry), seq);
  tree number = nested_number (e->s, entry, r);
  take_fields (e, nested_record (e->s, e->q, number, seq), seq);
  spmd_space_count (&e->space, e->l->nest->loop, e->l->sharing, seq);
}

/* Add to SEQ: BASE becomes the first iteration of the warp of thread RANK among
   SIZE, whole warps, and STOP that behind its last.  */
static void
find_part (execution *e, tree rank, tree size, gimple_seq *seq)
{
  tree n = uint64_type_node, many = code_label (), known = code_label ();
  e->base = code_temp (n, "base");
  e->stop = code_temp (n, "stop");
  code_set (e->base, u64 (0), seq);
  code_set (e->stop, e->total, seq);
  code_add_branch (GT_EXPR, size, u64 (SPMD_WARP), many, known, seq);
  code_add_label (many, seq);
  tree up = binary (MINUS_EXPR, size, u64 (1));
  up = binary (PLUS_EXPR, e->total, up);
  tree each = binary (TRUNC_DIV_EXPR, up, size);
  each = code_value (binary (MULT_EXPR, each, u64 (SPMD_WARP)),
		     "each", seq);
  tree warp = binary (TRUNC_DIV_EXPR, rank, u64 (SPMD_WARP));
  code_set (e->base, binary (MULT_EXPR, warp, each), seq);
  code_set (e->stop,
	    binary (MIN_EXPR, e->total,
			   binary (PLUS_EXPR, e->base, each)),
	    seq);
  code_add_label (known, seq);
}

/* What a thread at PLACE does in an iteration of E's.  */
static gimple_seq
copy_body (const execution *e, const spmd_place *place)
{
  const nested_launch *l = e->l;
  gimple_seq body = NULL;
  spmd_copy_prefix (l->nest, l->sharing, &body);
  gimple_seq_add_seq (&body, spmd_copy (l->sharing,
					gimple_omp_body (l->nest->loop)));
  spmd_execute (l->nest, place, &body);
  return body;
}

/* Add to SEQ iteration K of all, of which BODY is the copy.  */
static void
add_iteration (execution *e, tree k, gimple_seq body, gimple_seq *seq)
{
  k = code_value (binary (MINUS_EXPR, k, e->first), "k", seq);
  spmd_space_start (&e->space, k, u64 (1), seq);
  spmd_space_set (&e->space, k, seq);
  tree none = code_label ();
  spmd_space_inside (&e->space, none, seq);
  gimple_seq_add_seq (seq, body);
  code_add_label (none, seq);
}

/* Begin E, launch I of LAUNCHES with COUNT records in S, TOTAL iterations; the
   thread's variables are made in BIND and SEQ.  */
static void
begin (execution *e, const nested_launches *launches, unsigned i,
       const nested_store *s, tree count, tree total, gbind *bind,
       gimple_seq *seq)
{
  tree u = unsigned_type_node;
  e->l = launches->all[i];
  e->s = s;
  e->q = &s->queues[i];
  e->count = count;
  e->total = total;
  make_variables (e, e->l->sharing, bind, seq);
  e->at = code_temp (u, "at");
  e->until = code_temp (uint64_type_node, "until");
  e->in = code_temp (u, "in");
  e->first = code_temp (uint64_type_node, "first");
  code_set (e->in, u32 (no_launch), seq);
  code_set (e->first, u64 (0), seq);
}

/* Say that L's iterations end with an update, unless that has been said.  */
static void
note_update (nested_launch *l, const nested_update *u)
{
  if (!l->updates)
    remark_done (u->loc, "atomic updates: by one lane for its warp\n");
  l->updates = true;
}

/* Add to SEQ that the lanes of a warp do E's iterations, of which BODY is the copy,
   with UPDATE at its end unless that is NULL; then they go on at DONE.  They stay
   together but for the iterations.  */
static void
add_iterations (execution *e, gimple_seq body, const nested_update *update,
		tree done, gimple_seq *seq)
{
  tree test = code_label (), some = code_label (), ready = code_label (),
       inside = code_label (), idle = code_label ();
  code_add_label (test, seq);
  code_add_branch (LT_EXPR, e->base, e->stop, some, done, seq);
  code_add_label (some, seq);
  if (update)
    nested_begin_update (update, seq);
  tree r = find_launch (e, seq), k = code_temp (uint64_type_node, "k");
  code_set (k, binary (PLUS_EXPR, e->base, e->lane), seq);
  if (reduces_p (e))
    leave_launches (e, k, r, seq);
  nested_only_if (LT_EXPR, k, e->stop, idle, seq);
  nested_only_if (NE_EXPR, e->in, r, ready, seq);
  enter_launch (e, r, seq);
  code_add_label (ready, seq);
  spmd_meet_warp (seq);
  code_add_goto (inside, seq);
  code_add_label (inside, seq);
  add_iteration (e, k, body, seq);
  if (update)
    {
      tree together = code_label ();
      code_add_goto (together, seq);
      code_add_label (idle, seq);
      spmd_meet_warp (seq);
      code_add_goto (together, seq);
      code_add_label (together, seq);
      nested_end_update (update, seq);
    }
  tree warp = u64 (SPMD_WARP);
  code_set (e->base, binary (PLUS_EXPR, e->base, warp), seq);
  tree beyond = binary (PLUS_EXPR, e->base, warp);
  beyond = code_value (beyond, "beyond", seq);
  nested_only_if (LE_EXPR, beyond, e->until, test, seq);
  if (update)
    nested_begin_update (update, seq);
  code_set (k, binary (PLUS_EXPR, k, warp), seq);
  code_add_goto (inside, seq);
  if (!update)
    {
      /* Only the last ones are too many.  They leave the loop inside a launch to
	 the others: with one way in it is one that GCC moves code out of.  */
      code_add_label (idle, seq);
      spmd_meet_warp (seq);
      code_add_goto (done, seq);
    }
}

void
nested_execute (const nested_launches *launches, unsigned i,
		const nested_store *s, tree count, tree total, tree rank,
		tree size, const spmd_place *place, gimple_seq *seq)
{
  spmd_sharing *sharing = launches->all[i]->sharing;
  unsigned privates = sharing->privates.length ();
  execution e;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq all = NULL;
  begin (&e, launches, i, s, count, total, bind, &all);
  e.lane = binary (BIT_AND_EXPR, fold_convert (unsigned_type_node, rank),
			  u32 (SPMD_WARP - 1));
  e.lane = code_value (e.lane, "lane", &all);
  tree done = code_label ();
  find_part (&e, rank, size, &all);
  nested_only_if (LT_EXPR, e.base, e.stop, done, &all);
  find_start (&e, &all);

  gimple_seq body = copy_body (&e, place);
  nested_update update;
  bool updates = option_enabled (ACR_OPTION_UPDATE)
		 && nested_take_update (&body, &update);
  if (updates)
    {
      note_update (launches->all[i], &update);
      nested_place_update (&update, place->id, &all);
    }
  add_iterations (&e, body, updates ? &update : NULL, done, &all);
  code_add_label (done, &all);
  if (reduces_p (&e))
    flush_together (&e, e.in, &all);
  gimple_bind_set_body (bind, all);
  gimple_seq_add_stmt (seq, bind);
  sharing->privates.truncate (privates);
}

/* ---- Launches that launch themselves ---- */

/* Add to SEQ the search for the launch that the thread's iteration is of.  */
static void
find_own (execution *e, gimple_seq *seq)
{
  tree beyond = code_temp (unsigned_type_node, "beyond"),
       test = code_label (), more = code_label (), up = code_label (),
       down = code_label (), found = code_label ();
  code_set (e->at, u32 (0), seq);
  code_set (beyond, e->count, seq);
  code_add_label (test, seq);
  tree left = code_value (binary (MINUS_EXPR, beyond, e->at), "left",
			  seq);
  code_add_branch (GT_EXPR, left, u32 (1), more, found, seq);
  code_add_label (more, seq);
  tree half = binary (RSHIFT_EXPR, left, u32 (1));
  tree middle = code_value (binary (PLUS_EXPR, e->at, half), "middle",
			    seq);
  tree first = nested_first (e->s, nested_entry (e->s, e->q, middle, seq));
  first = code_value (first, "first", seq);
  code_add_branch (LE_EXPR, first, e->base, up, down, seq);
  code_add_label (up, seq);
  code_set (e->at, middle, seq);
  code_add_goto (test, seq);
  code_add_label (down, seq);
  code_set (beyond, middle, seq);
  code_add_goto (test, seq);
  code_add_label (found, seq);
}

/* Replace the first of two statements by the second.  */
static tree
swap_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  gimple **swap = (gimple **) wi->info;
  *handled = gsi_stmt (*gsi) == swap[0];
  if (*handled)
    gsi_replace (gsi, swap[1], false);
  return NULL_TREE;
}

static void
swap (gimple_seq *body, gimple *from, gimple *to)
{
  gimple *pair[] = { from, to };
  struct walk_stmt_info wi = {};
  wi.info = pair;
  walk_gimple_seq_mod (body, swap_stmt, NULL, &wi);
}

void
nested_execute_apart (const nested_launches *launches, unsigned i,
		      const nested_store *s, tree count, tree total, tree rank,
		      tree size, const spmd_place *place, gimple_seq *seq)
{
  nested_launch *l = launches->all[i];
  unsigned privates = l->sharing->privates.length ();
  gimple_seq *body = gimple_omp_body_ptr (l->nest->loop);
  gbind *again = nested_copy_body (l->body, l->call);
  swap (body, l->call, again);

  execution e;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq all = NULL;
  begin (&e, launches, i, s, count, total, bind, &all);
  tree test = code_label (), some = code_label (), inside = code_label (),
       done = code_label ();
  e.base = code_temp (uint64_type_node, "base");
  code_set (e.base, rank, &all);
  code_add_label (test, &all);
  code_add_branch (LT_EXPR, e.base, total, some, done, &all);
  code_add_label (some, &all);
  find_own (&e, &all);
  nested_only_if (NE_EXPR, e.in, e.at, inside, &all);
  flush (&e, &all);
  enter_launch (&e, e.at, &all);
  code_add_label (inside, &all);
  add_iteration (&e, e.base, copy_body (&e, place), &all);
  code_set (e.base, binary (PLUS_EXPR, e.base, size), &all);
  code_add_goto (test, &all);
  code_add_label (done, &all);
  flush (&e, &all);
  gimple_bind_set_body (bind, all);
  gimple_seq_add_stmt (seq, bind);
  l->sharing->privates.truncate (privates);
  swap (body, again, l->call);
}

/* The iterations of the launches in a queue, shared out evenly.

   A warp takes a part of the iterations of all launches together, numbered, its
   lanes those that follow each other; so they load neighbours.  Where its part
   begins its lanes search for together; from then on they find the launches of the
   warp's next 32 iterations together, for these are among 32 that follow each
   other, as none is without iterations: each lane looks at one.  Launches of few
   iterations, the usual ones, cost little so; and in one of many the lanes stay
   without looking until 32 more are beyond it.  What a lane has reduced goes into
   the variable when it leaves a launch, together with what its neighbours have that
   do so.  Where the runtime wants that, parts have a least size, so that fewer warps
   search (coarsening).

   Needs: a store with launches, whole warps; spmd_find_sharing of the
   child.  Keeps: the child's code, of which this is a copy.  Breaks:
   nothing.
   Source: El Hajj et al., KLAP (MICRO 2016), sections II.A and II.B; Olabi et
   al., A Compiler Framework for Optimizing Dynamic Parallelism on GPUs (CGO
   2022), for coarsening.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/collect/nested-collect.h"

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
  val count, total;
  /* The warp's: the number of the first of its next iterations, its last launch
     that begins there or before, the end of its part; up to where its lanes stay
     in that launch when all are there, or 0.  */
  val base, at, stop, until;
  /* The lane, its launch or no_launch, the first iteration of that.  */
  val lane, in, first;
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
  const vec<nested_uniform> &uniforms = e->l->uniforms;
  for (unsigned j = 0; j < uniforms.length (); j++)
    if (!spmd_private_p (sharing, uniforms[j].var))
      {
	spmd_private p = {};
	p.var = uniforms[j].var;
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

/* Add to C that the thread's partial results go into the variables, when it has
   any.  */
static void
flush (const execution *e, code c)
{
  c.if_ (e->in != no_launch, [&] {
    auto_vec<tree, 4> partial;
    get_partial (e, false, &partial, c);
    update_variables (e, partial, c);
  });
}

/* Add to C: is this the first of the lanes that follow each other and have the
   same KEY?  *BEYOND becomes the first one behind these.  */
static val
find_run (const execution *e, val key, val *beyond, code c)
{
  tree u = unsigned_type_node;
  val first = c.var (u, "first");
  val before = spmd_shuffle ("up", key, u32 (1), c);
  c.set (first, 1);
  c.unless_ (e->lane == 0,
	     [&] { c.set (first, val (before != key).as (u)); });
  val upto = (u32 (2) << e->lane) - 1;
  val others = fold_build1 (BIT_NOT_EXPR, u, upto);
  val above = val (spmd_ballot (first, c)) & others;
  *beyond = c.var (u, "beyond");
  spmd_add_asm ("{\n\t.reg .b32 %%acr_r;\n\tbrev.b32 %%acr_r, %1;\n\t"
		"clz.b32 %0, %%acr_r;\n\t}",
		*beyond, c.let ("above", above), NULL_TREE, c);
  return first;
}

/* Add to C: PARTIAL becomes what the lanes from this one to the one in front of
   BEYOND have.  */
static void
combine_run (const execution *e, val beyond, const vec<tree> &partial, code c)
{
  const vec<spmd_private> &privates = e->l->sharing->privates;
  for (int way = 1; way < SPMD_WARP; way *= 2)
    {
      auto_vec<tree, 4> other;
      for (unsigned i = 0; i < partial.length (); i++)
	other.safe_push (spmd_shuffle ("down", partial[i], u32 (way), c));
      val its = c.let ("its", e->lane + way);
      c.if_ (its < beyond, [&] {
	for (unsigned i = 0, j = 0; j < privates.length (); j++)
	  if (tree clause = privates[j].reduction)
	    {
	      c.set (partial[i], spmd_combine (clause, partial[i], other[i]));
	      i++;
	    }
      });
    }
}

/* Add to C, for all lanes of a warp, that the partial results of those that
   leave launch KEY, not no_launch, go into the variables: those of neighbours
   together.  */
static void
flush_together (const execution *e, val key, code c)
{
  auto_vec<tree, 4> partial;
  tree end = code_label ();
  val beyond, leaves = spmd_ballot (c.let ("leaves", key + 1), c);
  c.need (leaves != 0, end);
  get_partial (e, true, &partial, c);
  val first = find_run (e, key, &beyond, c);
  combine_run (e, beyond, partial, c);
  c.need (key != no_launch, end);
  c.need (first != 0, end);
  update_variables (e, partial, c);
  c.at (end);
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

/* Add to C, for all lanes of a warp, that those which have an iteration K before
   the end, of launch R, are through with another one.  */
static void
leave_launches (const execution *e, val k, val r, code c)
{
  val key = c.var (unsigned_type_node, "key", no_launch);
  tree stay = code_label ();
  c.need (k < e->stop, stay);
  c.need (e->in != r, stay);
  c.set (key, e->in);
  c.at (stay);
  flush_together (e, key, c);
}

/* Add to C: how many lanes of the warp have VALUE, not 0.  */
static val
lanes_with (val value, code c)
{
  val lanes = c.call (BUILT_IN_POPCOUNT, integer_type_node, "lanes",
		      spmd_ballot (value, c));
  return c.let ("lanes", lanes.as (unsigned_type_node));
}

/* Add to C the search for the launch at which the warp begins: each lane looks
   at one of 32 that divide those in question evenly.  */
static void
find_start (execution *e, code c)
{
  tree u = unsigned_type_node;
  val span = c.var (u, "span"), begun = c.var (u, "begun");
  c.set (e->at, 0);
  c.set (span, e->count);
  c.if_ (e->base != 0, [&] {
    c.while_ (span > 1, [&] {
      val step = c.let ("step", (span + (SPMD_WARP - 1)) / SPMD_WARP);
      val i = c.let ("i", e->lane * step);
      c.set (begun, 0);
      c.if_ (i < span, [&] {
	val r = c.let ("i", e->at + i);
	val entry = nested_entry (e->s, e->q, r, c);
	val first = c.let ("first", nested_first (e->s, entry));
	c.set (begun, val (first <= e->base).as (u));
      });
      val passed = c.let ("passed", (lanes_with (begun, c) - 1) * step);
      c.set (e->at, e->at + passed);
      c.set (span, min_of (step, span - passed));
    });
  });
}

/* Add to C: where launch AT + 1 + LANE begins, counted from the warp's next
   iteration, or something large.  */
static val
look_behind (const execution *e, code c)
{
  tree u = unsigned_type_node;
  val behind = c.var (u, "behind", far_behind);
  val next = c.let ("next", e->at + 1 + e->lane);
  c.if_ (next < e->count, [&] {
    val entry = nested_entry (e->s, e->q, next, c);
    val first = c.let ("first", nested_first (e->s, entry)) - e->base;
    c.set (behind, min_of (first, far_behind).as (u));
  });
  return behind;
}

/* Add to C: how many of the launches that the lanes look at, which begin
   BEHIND, have begun at the lane's iteration.  */
static val
begun_of (const execution *e, val behind, code c)
{
  val begun = c.var (unsigned_type_node, "begun");
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
		begun, behind, e->lane, c);
  return begun;
}

/* Add to C: UNTIL becomes where launch AT + 1 begins, which lane 0 looks at, or
   the warp's part ends.  */
static void
stay_until_next (const execution *e, val behind, code c)
{
  val first = spmd_shuffle ("idx", behind, u32 (0), c);
  first = c.let ("first", e->base + first);
  c.set (e->until, min_of (e->stop, first));
}

/* Add to C the number of the launch that the lane's iteration is of, and that
   the warp goes on behind those that end.  */
static val
find_launch (const execution *e, code c)
{
  tree u = unsigned_type_node;
  val r = c.var (u, "r", e->at);
  c.set (e->until, e->stop);
  val next = c.let ("next", e->at + 1);
  c.if_ (next < e->count, [&] {
    val behind = look_behind (e, c);
    c.set (r, e->at + begun_of (e, behind, c));
    /* How many have begun at the warp's iterations after these.  */
    val begun = c.let ("begun", val (behind <= SPMD_WARP).as (u));
    begun = lanes_with (begun, c);
    c.set (e->until, 0);
    c.if_ (begun == 0, [&] { stay_until_next (e, behind, c); });
    c.set (e->at, e->at + begun);
  });
  return r;
}

/* Add to C that the thread's variables become what the record at ADDRESS
   says.  */
static void
take_fields (const execution *e, tree address, code c)
{
  const nested_launch *l = e->l;
  for (unsigned j = 0; j < l->fields.length (); j++)
    {
      tree var = l->fields[j].var;
      tree field = nested_field_at (TREE_TYPE (var), address, j);
      if (tree cell = e->cells[j])
	c.set (cell, build_fold_addr_expr_with_type (field, ptr_type_node));
      else
	c.set (spmd_copy_expr (l->sharing, var), field);
    }
  const vec<spmd_private> &privates = l->sharing->privates;
  for (unsigned j = 0; j < privates.length (); j++)
    if (tree clause = privates[j].reduction)
      {
	tree own = privates[j].value;
	c.set (own, omp_reduction_init (clause, TREE_TYPE (own)));
      }
}

/* Add to C that the thread's variables become what all threads compute the same,
   where there is a launch.  */
static void
take_uniforms (const execution *e, code c)
{
  const vec<nested_uniform> &uniforms = e->l->uniforms;
  for (unsigned j = 0; j < uniforms.length (); j++)
    c.set (spmd_copy_expr (e->l->sharing, uniforms[j].var),
	   fold_convert (TREE_TYPE (uniforms[j].var),
			 unshare_expr (uniforms[j].value)));
}

/* Add to C that the thread goes to launch R.  */
static void
enter_launch (execution *e, val r, code c)
{
  c.set (e->in, r);
  val entry = c.let ("entry", nested_entry (e->s, e->q, r, c));
  c.set (e->first, nested_first (e->s, entry));
  val number = nested_number (e->s, entry, r);
  take_fields (e, nested_record (e->s, e->q, number, c), c);
  spmd_space_count (&e->space, e->l->nest->loop, e->l->sharing, c);
}

/* Add to C: BASE becomes the first iteration of the warp of thread RANK among
   SIZE, whole warps, and STOP that behind its last; a lane has COARSE of them at
   least, when it has any.  */
static void
find_part (execution *e, val rank, val size, val coarse, code c)
{
  tree n = uint64_type_node;
  e->base = c.var (n, "base");
  e->stop = c.var (n, "stop");
  c.set (e->base, 0);
  c.set (e->stop, e->total);
  c.if_ (size > SPMD_WARP, [&] {
    val each = (e->total + (size - 1)) / size;
    each = c.let ("each", max_of (each, coarse.as (n)));
    each = c.let ("each", each * SPMD_WARP);
    c.set (e->base, rank / SPMD_WARP * each);
    c.set (e->stop, min_of (e->total, e->base + each));
  });
}

/* How many iterations a thread of OF's is to execute at least.  */
static val
least_each (const nested_collection *of, code c)
{
  val log = c.let ("log", of->shared / ACR_NEST_SHARED_COARSE
			    & ACR_NEST_COARSE_MOST);
  return c.let ("coarse", u32 (1) << log);
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

/* Add to C iteration K of all, of which BODY is the copy.  */
static void
add_iteration (execution *e, val k, gimple_seq body, code c)
{
  k = c.let ("k", k - e->first);
  spmd_space_start (&e->space, k, u64 (1), c);
  spmd_space_set (&e->space, k, c);
  tree none = code_label ();
  spmd_space_inside (&e->space, none, c);
  gimple_seq_add_seq (c, body);
  c.at (none);
}

/* Begin E, launch I of LAUNCHES with COUNT records in S, TOTAL iterations; the
   thread's variables are made in BIND and C.  */
static void
begin (execution *e, const nested_launches *launches, unsigned i,
       const nested_store *s, val count, val total, gbind *bind, code c)
{
  tree u = unsigned_type_node;
  e->l = launches->all[i];
  e->s = s;
  e->q = &s->queues[i];
  e->count = count;
  e->total = total;
  make_variables (e, e->l->sharing, bind, c);
  e->at = c.var (u, "at");
  e->until = c.var (uint64_type_node, "until");
  e->in = c.var (u, "in");
  e->first = c.var (uint64_type_node, "first");
  c.set (e->in, no_launch);
  c.set (e->first, 0);
}

/* Say that L's iterations end with an update, unless that has been said.  */
static void
note_update (nested_launch *l, const nested_update *u)
{
  if (!l->updates)
    remark_done (u->loc, "atomic updates: by one lane for its warp\n");
  l->updates = true;
}

/* Add to C that the lanes of a warp do E's iterations, of which BODY is the copy,
   with UPDATE at its end unless that is NULL; then they go on at DONE.  They stay
   together but for the iterations.  */
static void
add_iterations (execution *e, gimple_seq body, const nested_update *update,
		tree done, code c)
{
  tree test = code_label (), inside = code_label (), idle = code_label ();
  c.at (test);
  c.need (e->base < e->stop, done);
  if (update)
    nested_begin_update (update, c);
  val r = find_launch (e, c), k = c.var (uint64_type_node, "k");
  c.set (k, e->base + e->lane);
  if (reduces_p (e))
    leave_launches (e, k, r, c);
  c.need (k < e->stop, idle);
  c.if_ (e->in != r, [&] { enter_launch (e, r, c); });
  spmd_meet_warp (c);
  c.go (inside);
  c.at (inside);
  add_iteration (e, k, body, c);
  if (update)
    {
      tree together = code_label ();
      c.go (together);
      c.at (idle);
      spmd_meet_warp (c);
      c.go (together);
      c.at (together);
      nested_end_update (update, c);
    }
  c.set (e->base, e->base + SPMD_WARP);
  val beyond = c.let ("beyond", e->base + SPMD_WARP);
  c.need (beyond <= e->until, test);
  if (update)
    nested_begin_update (update, c);
  c.set (k, k + SPMD_WARP);
  c.go (inside);
  if (!update)
    {
      /* Only the last ones are too many.  They leave the loop inside a launch to
	 the others: with one way in it is one that GCC moves code out of.  */
      c.at (idle);
      spmd_meet_warp (c);
      c.go (done);
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
  code c = &all;
  begin (&e, launches, i, s, count, total, bind, c);
  val thread = val (rank).as (unsigned_type_node);
  e.lane = c.let ("lane", thread & (SPMD_WARP - 1));
  tree done = code_label ();
  val coarse = least_each (launches->collection, c);
  find_part (&e, rank, size, coarse, c);
  c.need (e.base < e.stop, done);
  take_uniforms (&e, c);
  find_start (&e, c);

  gimple_seq body = copy_body (&e, place);
  nested_update update;
  bool updates = option_enabled (ACR_OPTION_UPDATE)
		 && nested_take_update (&body, &update);
  if (updates)
    {
      note_update (launches->all[i], &update);
      nested_place_update (&update, place->id, c);
    }
  add_iterations (&e, body, updates ? &update : NULL, done, c);
  c.at (done);
  if (reduces_p (&e))
    flush_together (&e, e.in, c);
  gimple_bind_set_body (bind, all);
  gimple_seq_add_stmt (seq, bind);
  sharing->privates.truncate (privates);
}

/* ---- Launches that launch themselves ---- */

/* Add to C the search for the launch that the thread's iteration is of.  */
static void
find_own (execution *e, code c)
{
  val beyond = c.var (unsigned_type_node, "beyond");
  c.set (e->at, 0);
  c.set (beyond, e->count);
  c.loop_ ([&] (tree found) {
    val left = c.let ("left", beyond - e->at);
    c.need (left > 1, found);
    val middle = c.let ("middle", e->at + (left >> 1));
    val entry = nested_entry (e->s, e->q, middle, c);
    val first = c.let ("first", nested_first (e->s, entry));
    c.if_ (first <= e->base, [&] { c.set (e->at, middle); },
	   [&] { c.set (beyond, middle); });
  });
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
  code c = &all;
  begin (&e, launches, i, s, count, total, bind, c);
  e.base = c.var (uint64_type_node, "base", rank);
  c.if_ (e.base < total, [&] { take_uniforms (&e, c); });
  c.while_ (e.base < total, [&] {
    find_own (&e, c);
    c.if_ (e.in != e.at, [&] {
      flush (&e, c);
      enter_launch (&e, e.at, c);
    });
    add_iteration (&e, e.base, copy_body (&e, place), c);
    c.set (e.base, e.base + size);
  });
  flush (&e, c);
  gimple_bind_set_body (bind, all);
  gimple_seq_add_stmt (seq, bind);
  l->sharing->privates.truncate (privates);
  swap (body, again, l->call);
}

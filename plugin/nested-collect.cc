/* Children that a warp or a block of a plain kernel executes together.

   A thread that comes to a launch leaves a record of it in shared memory and
   goes to where its group collects; so does one that is through with its own
   work.  When all are there they share the iterations of all records, and those
   that launched something go back to where they were:

     work: ... STATE = n; goto collect; after_n: ...
	   STATE = 0;
     collect:
	   meet;
	   if no records: goto done;
	   for k = rank, rank + size, ... < iterations of all records:
	     iteration k - first of the record that it falls into;
	   meet;
	   goto after_STATE, or collect when it is 0;
     done:

   So a launch may stand anywhere in the parent's code, in loops and branches,
   and its results are there behind it: jumps do what the paper's conversion of
   control flow to predicates does.

   A thread has one record, for what it passes on.  Launches of one place go into
   one queue, of words that tell the record and where its iterations begin among
   all.  A queue's head counts launches in its upper bits and their iterations in
   its lower ones, so that one atomic addition gives a launch its place in the
   queue and its first iteration, in the same order (the paper's scan without
   zeros).  There are two heads, used in turn: the other one is cleared while
   nobody looks at it.

   What a group is, and which children are worth it, says a variable that the
   runtime sets; otherwise all run in place.  Threads that wait for each other
   in diverged warps need sm_70.

   Source: El Hajj et al., KLAP (MICRO 2016), sections II.A and II.C; PTX ISA,
   barrier and bar.warp.sync.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested.h"
#include "spmd.h"

/* Threads of a block, and warps, that there is room for.  */
enum
{
  WARP = 32,
  MAX_THREADS = 256,
  MAX_WARPS = MAX_THREADS / WARP
};

/* Bits of a head that count iterations; a launch has at most
   2^MAX_TOTAL_BITS.  The lower bits of a word in the queue are the record's
   number.  */
enum
{
  TOTAL_BITS = 48,
  MAX_TOTAL_BITS = TOTAL_BITS - 8,
  RECORD_BITS = 64 - TOTAL_BITS
};

/* What the runtime sets: of what kind a group is, and the iterations that a
   child must have.  See libgomp-ext/nest.h.  */
static const char settings_name[] = "acr_nest";
enum
{
  GROUP_NONE,
  GROUP_WARP,
  GROUP_BLOCK
};

static const char request_name[] = "acr_launch";
static const char answer_name[] = "acr_answer";

/* The queues of a kernel.  */
struct nested_queue
{
  /* An array of 64-bit words in shared memory.  */
  tree memory;
  /* Per launch, the word its queue begins at; the word that the records begin
     at, and the words of each.  */
  auto_vec<unsigned, 4> first;
  unsigned records, width;

  /* A thread's variables.  Children with fewer iterations than LIMIT run in
     place; 64 bits.  */
  tree limit;
  /* The group; the first word of its heads, and of its queues.  */
  spmd_group group;
  tree heads, queues;
  /* The thread's record, its number and address.  */
  tree number, mine;
  /* Which of the two heads; which place to go back to.  */
  tree turn, state;
  tree collect;
  /* Places to go back to.  */
  auto_vec<tree, 8> after;
};

/* ---- Expressions ---- */

static tree
u32 (HOST_WIDE_INT n)
{
  return build_int_cst (unsigned_type_node, n);
}

static tree
u64 (HOST_WIDE_INT n)
{
  return build_int_cst (uint64_type_node, n);
}

static tree
binary (enum tree_code code, tree a, tree b)
{
  return fold_build2 (code, TREE_TYPE (a), a, fold_convert (TREE_TYPE (a), b));
}

/* Add to SEQ: go on when A CODE B, else to ELSEWHERE.  */
static void
only_if (enum tree_code code, tree a, tree b, tree elsewhere, gimple_seq *seq)
{
  tree go_on = spmd_label ();
  spmd_add_branch (code, a, b, go_on, elsewhere, seq);
  spmd_add_label (go_on, seq);
}

/* ---- Memory ---- */

static tree
device_variable (const char *name, tree type, bool shared)
{
  tree var = build_decl (UNKNOWN_LOCATION, VAR_DECL, get_identifier (name),
			 type);
  TREE_USED (var) = TREE_ADDRESSABLE (var) = 1;
  DECL_ARTIFICIAL (var) = DECL_IGNORED_P (var) = 1;
  if (shared)
    TREE_STATIC (var) = 1;
  else
    TREE_STATIC (var) = TREE_PUBLIC (var) = DECL_COMMON (var) = 1;
  varpool_node *node = varpool_node::get_create (var);
  node->offloadable = 1;
  /* Only now: the host's table of offloaded variables is not for it.  */
  tree attributes = tree_cons (get_identifier ("omp declare target"),
			       NULL_TREE, NULL_TREE);
  if (shared)
    attributes = tree_cons (get_identifier ("shared"), NULL_TREE, attributes);
  DECL_ATTRIBUTES (var) = attributes;
  varpool_node::finalize_decl (var);
  return var;
}

/* Word I, of the 32-bit ones, of the runtime's settings.  */
static tree
setting (unsigned i, gimple_seq *seq)
{
  static tree settings;
  tree type = build_array_type_nelts (unsigned_type_node, 2);
  if (!settings)
    settings = device_variable (settings_name, type, false);
  tree word = build4 (ARRAY_REF, unsigned_type_node, settings,
		      build_int_cst (integer_type_node, i), NULL_TREE,
		      NULL_TREE);
  return spmd_value (word, "setting", seq);
}

/* The address of word I of Q.  */
static tree
word_address (const nested_queue *q, tree i, gimple_seq *seq)
{
  tree offset = fold_build2 (MULT_EXPR, sizetype, fold_convert (sizetype, i),
			     size_int (8));
  tree address = build_fold_addr_expr_with_type (q->memory, ptr_type_node);
  return spmd_value (fold_build_pointer_plus (address, offset), "word", seq);
}

static tree
at_address (tree type, tree address, unsigned word)
{
  return build2 (MEM_REF, type, address,
		 build_int_cst (ptr_type_node, 8 * word));
}

/* The address of the head of launch I for the turn TURN.  */
static tree
head_address (const nested_queue *q, unsigned i, tree turn, gimple_seq *seq)
{
  tree word = binary (PLUS_EXPR, q->heads,
		      binary (MULT_EXPR, turn, u32 (MAX_WARPS)));
  return word_address (q, binary (PLUS_EXPR, word, u32 (2 * MAX_WARPS * i)),
		       seq);
}

unsigned
nested_queue_words (unsigned launches, unsigned fields)
{
  return launches * (2 * MAX_WARPS + MAX_THREADS) + MAX_THREADS * fields;
}

/* The word of the group's queue I for its Rth launch.  */
static tree
entry_at (const nested_queue *q, unsigned i, tree r, gimple_seq *seq)
{
  tree word = binary (PLUS_EXPR, binary (PLUS_EXPR, q->queues, r),
		      u32 (q->first[i]));
  return at_address (uint64_type_node, word_address (q, word, seq), 0);
}

/* The address of record NUMBER of the block.  */
static tree
record_address (const nested_queue *q, tree number, gimple_seq *seq)
{
  tree word = binary (MULT_EXPR, number, u32 (q->width));
  return word_address (q, binary (PLUS_EXPR, word, u32 (q->records)), seq);
}

/* Field J of the record at ADDRESS, as a variable of TYPE.  */
static tree
field_at (tree type, tree address, unsigned j)
{
  return at_address (TYPE_MAIN_VARIANT (type), address, j);
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
  args.safe_push (build_int_cst (unsigned_type_node, i));
  args.safe_push (total);
  for (unsigned j = 0; j < fields.length (); j++)
    args.safe_push (fields[j].value);
  return placeholder (request_name, done, args);
}

gcall *
nested_build_answer (unsigned j, tree to)
{
  auto_vec<tree, 1> args;
  args.safe_push (build_int_cst (unsigned_type_node, j));
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

/* What the thread does that makes the request CALL, of launch I.  */
static gimple_seq
obey (nested_launches *launches, const gimple *call, unsigned i)
{
  nested_queue *q = launches->queue;
  gimple_seq seq = NULL;
  tree total = gimple_call_arg (call, 1), done = gimple_call_lhs (call);
  tree end = spmd_label (), after = spmd_label ();
  spmd_set (done, boolean_false_node, &seq);
  only_if (GE_EXPR, total, q->limit, end, &seq);
  only_if (LE_EXPR, total, u64 (HOST_WIDE_INT_1U << MAX_TOTAL_BITS), end,
	   &seq);
  tree old = spmd_temp (uint64_type_node, "old");
  tree one = u64 (HOST_WIDE_INT_1U << TOTAL_BITS);
  gcall *add
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_FETCH_ADD_8), 3,
			 head_address (q, i, q->turn, &seq),
			 spmd_value (binary (PLUS_EXPR, one, total), "add",
				     &seq),
			 build_int_cst (integer_type_node, MEMMODEL_RELAXED));
  gimple_call_set_lhs (add, old);
  gimple_seq_add_stmt (&seq, add);
  tree r = binary (RSHIFT_EXPR, old, u64 (TOTAL_BITS));
  r = spmd_value (fold_convert (unsigned_type_node, r), "place", &seq);
  tree first = binary (LSHIFT_EXPR, old, u64 (RECORD_BITS));
  spmd_set (entry_at (q, i, r, &seq),
	    binary (BIT_IOR_EXPR, first, q->number), &seq);
  for (unsigned j = 2; j < gimple_call_num_args (call); j++)
    {
      tree value = gimple_call_arg (call, j);
      spmd_set (field_at (TREE_TYPE (value), q->mine, j - 2), value, &seq);
    }
  q->after.safe_push (after);
  spmd_set (q->state, u32 (q->after.length ()), &seq);
  spmd_add_goto (q->collect, &seq);
  spmd_add_label (after, &seq);
  spmd_set (done, boolean_true_node, &seq);
  spmd_add_label (end, &seq);
  return seq;
}

static tree
obey_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  nested_launches *launches = (nested_launches *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  unsigned i;
  /* A thread leaves scopes and comes back to them, where its variables must
     be what they were.  */
  if (gimple_seq inside = spmd_scope_body (stmt))
    gsi_replace (gsi, gimple_build_bind (NULL_TREE, inside, NULL), false);
  else if (calls_p (stmt, answer_name, &i))
    {
      tree to = gimple_call_lhs (stmt);
      gsi_replace (gsi,
		   gimple_build_assign (to, field_at (TREE_TYPE (to),
						      launches->queue->mine,
						      i)),
		   false);
    }
  else if (calls_p (stmt, request_name, &i))
    {
      gsi_replace (gsi,
		   gimple_build_bind (NULL_TREE, obey (launches, stmt, i),
				      NULL),
		   false);
      *handled = true;
    }
  return NULL_TREE;
}

/* ---- Groups ---- */

/* Add to SEQ: nobody goes on before all of Q's group are here, and the lanes of
   a warp go on together.  */
static void
meet (const nested_queue *q, gimple_seq *seq)
{
  spmd_meet (&q->group, seq);
  spmd_add_asm ("bar.warp.sync -1;", NULL_TREE, NULL_TREE, NULL_TREE, seq);
}

/* Add to SEQ: the first thread of the group clears the heads for TURN.  */
static void
clear_heads (const nested_launches *launches, tree turn, gimple_seq *seq)
{
  const nested_queue *q = launches->queue;
  tree end = spmd_label ();
  only_if (EQ_EXPR, q->group.rank, u32 (0), end, seq);
  for (unsigned i = 0; i < launches->all.length (); i++)
    spmd_set (at_address (uint64_type_node, head_address (q, i, turn, seq), 0),
	      u64 (0), seq);
  spmd_add_label (end, seq);
}

/* Give the queues of LAUNCHES their places.  */
static void
lay_out (nested_launches *launches)
{
  nested_queue *q = launches->queue;
  unsigned n = launches->all.length ();
  q->width = 0;
  for (unsigned i = 0; i < n; i++)
    {
      q->first.safe_push (2 * MAX_WARPS * n + MAX_THREADS * i);
      q->width = MAX (q->width, launches->all[i]->fields.length ());
    }
  q->records = 2 * MAX_WARPS * n + MAX_THREADS * n;
  unsigned words = nested_queue_words (n, q->width);
  tree type = build_array_type_nelts (uint64_type_node, words);
  q->memory = device_variable (IDENTIFIER_POINTER (
				 create_tmp_var_name ("acr_queue")),
			       type, true);
}

void
nested_begin (nested_launches *launches, const spmd_place *place, tree works,
	      tree idle, gimple_seq *seq)
{
  nested_queue *q = launches->queue = new nested_queue ();
  tree u = unsigned_type_node, n = uint64_type_node;
  lay_out (launches);
  q->collect = spmd_label ();
  q->turn = spmd_temp (u, "turn");
  q->state = spmd_temp (u, "state");
  spmd_set (q->turn, u32 (0), seq);
  spmd_set (q->state, u32 (0), seq);

  /* Whole warps, and not too many.  */
  tree kind = spmd_temp (u, "kind"), some = spmd_label (),
       none = spmd_label (), known = spmd_label ();
  spmd_set (kind, setting (0, seq), seq);
  tree part = spmd_value (binary (BIT_AND_EXPR, place->group.size,
				  u32 (WARP - 1)),
			  "part", seq);
  only_if (LE_EXPR, place->group.size, u32 (MAX_THREADS), none, seq);
  only_if (GE_EXPR, place->group.size, u32 (WARP), none, seq);
  spmd_add_branch (EQ_EXPR, part, u32 (0), known, none, seq);
  spmd_add_label (none, seq);
  spmd_set (kind, u32 (GROUP_NONE), seq);
  spmd_add_label (known, seq);

  q->limit = spmd_temp (n, "limit");
  q->group.rank = spmd_temp (u, "rank");
  q->group.size = spmd_temp (u, "size");
  q->group.first_warp = q->group.barrier = u32 (0);
  q->heads = spmd_temp (u, "heads");
  q->queues = spmd_temp (u, "queues");
  q->number = spmd_value (fold_convert (n, place->group.rank), "number", seq);
  q->mine = record_address (q, place->group.rank, seq);
  spmd_set (q->limit, build_minus_one_cst (n), seq);
  spmd_set (q->group.rank, place->group.rank, seq);
  spmd_set (q->group.size, place->group.size, seq);
  spmd_set (q->heads, u32 (0), seq);
  spmd_set (q->queues, u32 (0), seq);
  tree ready = spmd_label (), warp = spmd_label (), clear = spmd_label ();
  spmd_add_branch (NE_EXPR, kind, u32 (GROUP_NONE), some, ready, seq);
  spmd_add_label (some, seq);
  spmd_set (q->limit,
	    binary (MAX_EXPR, fold_convert (n, setting (1, seq)), u64 (1)),
	    seq);
  spmd_add_branch (EQ_EXPR, kind, u32 (GROUP_WARP), warp, clear, seq);
  spmd_add_label (warp, seq);
  spmd_set (q->heads,
	    binary (TRUNC_DIV_EXPR, place->group.rank, u32 (WARP)), seq);
  spmd_set (q->queues, binary (MULT_EXPR, q->heads, u32 (WARP)), seq);
  spmd_set (q->group.rank,
	    binary (BIT_AND_EXPR, place->group.rank, u32 (WARP - 1)), seq);
  spmd_set (q->group.size, u32 (WARP), seq);
  spmd_add_label (clear, seq);
  clear_heads (launches, u32 (0), seq);
  meet (q, seq);
  spmd_add_label (ready, seq);
  only_if (NE_EXPR, works, boolean_false_node, idle, seq);
}

/* ---- Execution ---- */

/* The thread's variables in the iterations of one launch.  */
struct execution
{
  const nested_launches *launches;
  unsigned i;
  nested_launch *l;
  /* The number of the iteration among all, the first one of the launch and the
     first one beyond it; the launch.  */
  tree k, first, end, at;
  /* Launches, and iterations of all.  */
  tree count, total;
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
  SET_DECL_VALUE_EXPR (cell, at_address (type, address, 0));
  DECL_HAS_VALUE_EXPR_P (cell) = 1;
  return cell;
}

/* Give the child's variables that are passed on, and its private ones, copies
   in BIND.  */
static void
make_variables (execution *e, gbind *bind)
{
  spmd_sharing *sharing = e->l->sharing;
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
  for (unsigned j = 0; j < fields.length (); j++)
    {
      tree address = NULL_TREE;
      if (fields[j].cell)
	address = spmd_temp (ptr_type_node, "cell");
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
  return spmd_address_of (p->var, seq);
}

/* Add to SEQ that the partial results of reductions go into the variables, when
   the thread has any.  */
static void
flush (const execution *e, gimple_seq *seq)
{
  const vec<spmd_private> &privates = e->l->sharing->privates;
  tree end = spmd_label ();
  only_if (NE_EXPR, e->end, u64 (0), end, seq);
  for (unsigned j = 0; j < privates.length (); j++)
    if (tree c = privates[j].reduction)
      {
	tree own = privates[j].own;
	tree type = TYPE_MAIN_VARIANT (TREE_TYPE (own));
	tree address = fold_convert (build_pointer_type (type),
				     target_of (e, &privates[j], seq));
	address = spmd_value (address, "address", seq);
	spmd_update (c, address, own, seq);
      }
  spmd_add_label (end, seq);
}

/* Add to SEQ the search for the last launch that begins at K or before, at
   E->AT or behind.  */
static void
find_launch (execution *e, gimple_seq *seq)
{
  const nested_queue *q = e->launches->queue;
  tree u = unsigned_type_node;
  tree beyond = spmd_temp (u, "beyond"), test = spmd_label (),
       more = spmd_label (), up = spmd_label (), down = spmd_label (),
       found = spmd_label ();
  spmd_set (beyond, e->count, seq);
  spmd_add_label (test, seq);
  tree left = spmd_value (binary (MINUS_EXPR, beyond, e->at), "left", seq);
  spmd_add_branch (GT_EXPR, left, u32 (1), more, found, seq);
  spmd_add_label (more, seq);
  tree middle = binary (PLUS_EXPR, e->at, binary (RSHIFT_EXPR, left, u32 (1)));
  middle = spmd_value (middle, "middle", seq);
  tree first = binary (RSHIFT_EXPR, entry_at (q, e->i, middle, seq),
		       u64 (RECORD_BITS));
  first = spmd_value (first, "first", seq);
  spmd_add_branch (LE_EXPR, first, e->k, up, down, seq);
  spmd_add_label (up, seq);
  spmd_set (e->at, middle, seq);
  spmd_add_goto (test, seq);
  spmd_add_label (down, seq);
  spmd_set (beyond, middle, seq);
  spmd_add_goto (test, seq);
  spmd_add_label (found, seq);
}

/* Add to SEQ that the thread goes to the launch of K.  */
static void
enter_launch (execution *e, gimple_seq *seq)
{
  nested_launch *l = e->l;
  const nested_queue *q = e->launches->queue;
  flush (e, seq);
  find_launch (e, seq);
  tree entry = spmd_value (entry_at (q, e->i, e->at, seq), "entry", seq);
  spmd_set (e->first, binary (RSHIFT_EXPR, entry, u64 (RECORD_BITS)), seq);
  spmd_set (e->end, e->total, seq);
  tree next = binary (PLUS_EXPR, e->at, u32 (1)), last = spmd_label ();
  next = spmd_value (next, "next", seq);
  only_if (LT_EXPR, next, e->count, last, seq);
  spmd_set (e->end,
	    binary (RSHIFT_EXPR, entry_at (q, e->i, next, seq),
		    u64 (RECORD_BITS)),
	    seq);
  spmd_add_label (last, seq);
  tree number = binary (BIT_AND_EXPR, entry, u64 ((1 << RECORD_BITS) - 1));
  tree record = record_address (q, fold_convert (unsigned_type_node, number),
				seq);
  for (unsigned j = 0; j < l->fields.length (); j++)
    {
      if (tree cell = e->cells[j])
	{
	  spmd_set (cell,
		    build_fold_addr_expr_with_type (
		      field_at (TREE_TYPE (l->fields[j].var), record, j),
		      ptr_type_node),
		    seq);
	  continue;
	}
      tree own = spmd_copy_expr (l->sharing, l->fields[j].var);
      spmd_set (own, field_at (TREE_TYPE (own), record, j), seq);
    }
  const vec<spmd_private> &privates = l->sharing->privates;
  for (unsigned j = 0; j < privates.length (); j++)
    if (tree c = privates[j].reduction)
      {
	tree own = privates[j].own;
	spmd_set (own, omp_reduction_init (c, TREE_TYPE (own)), seq);
      }
}

/* Add to SEQ iteration K.  */
static void
add_iteration (execution *e, const spmd_place *place, gimple_seq *seq)
{
  nested_launch *l = e->l;
  tree k = spmd_value (binary (MINUS_EXPR, e->k, e->first), "k", seq);
  spmd_space_start (&e->space, k, u64 (1), seq);
  spmd_space_set (&e->space, k, seq);
  gimple_seq body = NULL;
  spmd_copy_prefix (l->nest, l->sharing, &body);
  gimple_seq_add_seq (&body, spmd_copy (l->sharing,
					gimple_omp_body (l->nest->loop)));
  spmd_execute (l->nest, place, &body);
  gimple_seq_add_seq (seq, body);
}

/* Add to SEQ the iterations of launch I, whose head is HEAD, that the thread
   has among those of its group.  */
static void
execute (const nested_launches *launches, unsigned i, tree head,
	 const spmd_place *place, gimple_seq *seq)
{
  const nested_queue *q = launches->queue;
  tree u = unsigned_type_node, n = uint64_type_node;
  execution e;
  e.launches = launches;
  e.i = i;
  e.l = launches->all[i];
  /* GCC's copies of atomic updates share operands.  */
  spmd_atomic_hide (gimple_omp_body_ptr (e.l->nest->loop));
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  make_variables (&e, bind);
  gimple_seq all = NULL;
  e.k = spmd_temp (n, "k");
  e.first = spmd_temp (n, "first");
  e.end = spmd_temp (n, "end");
  e.at = spmd_temp (u, "at");
  tree mask = u64 ((HOST_WIDE_INT_1U << TOTAL_BITS) - 1);
  e.total = spmd_value (binary (BIT_AND_EXPR, head, mask), "total", &all);
  e.count = binary (RSHIFT_EXPR, head, u64 (TOTAL_BITS));
  e.count = spmd_value (fold_convert (u, e.count), "count", &all);
  spmd_set (e.k, fold_convert (n, q->group.rank), &all);
  spmd_set (e.first, u64 (0), &all);
  spmd_set (e.end, u64 (0), &all);
  spmd_set (e.at, u32 (0), &all);

  tree test = spmd_label (), some = spmd_label (), enter = spmd_label (),
       inside = spmd_label (), done = spmd_label ();
  spmd_add_label (test, &all);
  spmd_add_branch (LT_EXPR, e.k, e.total, some, done, &all);
  spmd_add_label (some, &all);
  spmd_add_branch (GE_EXPR, e.k, e.end, enter, inside, &all);
  spmd_add_label (enter, &all);
  enter_launch (&e, &all);
  spmd_space_count (&e.space, e.l->nest->loop, e.l->sharing, &all);
  spmd_add_label (inside, &all);
  add_iteration (&e, place, &all);
  spmd_set (e.k, binary (PLUS_EXPR, e.k, fold_convert (n, q->group.size)),
	    &all);
  spmd_add_goto (test, &all);
  spmd_add_label (done, &all);
  flush (&e, &all);
  gimple_bind_set_body (bind, all);
  gimple_seq_add_stmt (seq, bind);
}

void
nested_collect (nested_launches *launches, const spmd_place *place,
		gimple_seq *seq)
{
  nested_queue *q = launches->queue;
  struct walk_stmt_info wi = {};
  wi.info = launches;
  walk_gimple_seq_mod (seq, obey_stmt, NULL, &wi);

  tree done = spmd_label ();
  spmd_set (q->state, u32 (0), seq);
  only_if (NE_EXPR, q->limit, build_minus_one_cst (uint64_type_node), done,
	   seq);
  spmd_add_goto (q->collect, seq);
  spmd_add_label (q->collect, seq);
  meet (q, seq);
  tree other = spmd_value (binary (BIT_XOR_EXPR, q->turn, u32 (1)), "other",
			   seq);
  clear_heads (launches, other, seq);
  auto_vec<tree, 4> heads;
  tree any = u64 (0);
  for (unsigned i = 0; i < launches->all.length (); i++)
    {
      tree head = at_address (uint64_type_node,
			      head_address (q, i, q->turn, seq), 0);
      heads.safe_push (spmd_value (head, "head", seq));
      any = binary (BIT_IOR_EXPR, any, heads[i]);
    }
  only_if (NE_EXPR, spmd_value (any, "any", seq), u64 (0), done, seq);
  for (unsigned i = 0; i < launches->all.length (); i++)
    execute (launches, i, heads[i], place, seq);
  meet (q, seq);
  spmd_set (q->turn, other, seq);
  for (unsigned i = 0; i < q->after.length (); i++)
    {
      tree no = spmd_label ();
      spmd_add_branch (EQ_EXPR, q->state, u32 (i + 1), q->after[i], no, seq);
      spmd_add_label (no, seq);
    }
  spmd_add_goto (q->collect, seq);
  spmd_add_label (done, seq);
  delete q;
  launches->queue = NULL;
}

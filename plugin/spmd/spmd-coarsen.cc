/* Thread coarsening: in a loop over elements a thread begins the loads of several
   iterations before it stores the first.

   A thread of

     #pragma omp target teams distribute parallel for
     for (i = 0; i < n; i++)
       y[i] = a * x[i] + y[i];

   has one iteration when there are as many threads, and so two loads under way: less
   than a GPU's memory needs to be busy.  In a grid of fewer threads, blocks of
   ACR_COARSE_BLOCK have tiles of several times as many iterations, of which neighbours
   have neighbouring ones, and a thread those that many apart:

     for (k = tile's first + thread; k + 3 * 256 < n; k += tiles)
       {
	 x0 = x[k], x1 = x[k + 256], ...; y0 = y[k], ...;
	 y[k] = a * x0 + y0; y[k + 256] = a * x1 + y1; ...
       }

   Statements of the iterations take turns: the first of each, the second of each, and
   so on.  So those of one iteration stay in their order, and memory sees another order
   of iterations only, which the directive allows: any thread may have any of them at
   any time.  That is not so where clauses say which thread has which (jam.cc asks the
   same).  Each iteration has its own of all variables that it sets; it sets all before
   it uses them, and nobody uses them behind the loop.  Bodies are straight code of
   assignments.  What iterations reduce is one variable of the thread's, which each
   updates in one statement, one iteration after the other.

   Rounding.  GCC contracts a product with a sum in its block of code, depending on who
   else uses the product; so arithmetic of one iteration must not be shared with
   another's.  What it is about is loaded from places that move with the loop, which
   an opaque copy hides from other iterations, or is the same for all, in every form of
   the loop.  Within an iteration a copy must not hide that two numbers are one: each
   that moves is loaded through a pointer of its own, through which nothing has been
   stored before.  No number is made of an integer that moves.

   Needs: iterations that clauses deal out to no thread.  Keeps: what each iteration
   computes, in its order.  Breaks: the order of iterations.
   Source: V. Volkov, "Better performance at lower occupancy", GTC 2010; A. Magni and
   others, "A large-scale cross-architecture evaluation of thread-coarsening", SC 2013.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

enum
{
  /* Iterations of a thread at a time; words of 32 bits that one loads at the most, with
     which ptxas takes no more than the 32 registers that let a multiprocessor have all
     its threads (with four of 32 bits it takes 40, also for two iterations at a time,
     and with two of 64 bits 34; sm_90); and statements of a body.  */
  TIMES = 4,
  MOST_WORDS = 3,
  MOST_STATEMENTS = 60,
  WORD_BYTES = 4
};

/* ---- Is it possible? ---- */

/* A body, as far as it has been seen.  */
struct body
{
  const spmd_nest *nest;
  const spmd_sharing *sharing;
  unsigned words = 0, stores = 0;
  auto_vec<gimple *> stmts;
  /* What an iteration has set so far, and what it uses and has not set.  */
  hash_set<tree> set, used;
  /* Of what it has set, and the loop's variable, what differs by iteration.  */
  hash_set<tree> moving;
  /* Pointers, and objects, that it has loaded moving numbers through, or has stored
     through.  */
  hash_set<tree> through;
};

/* Does EXPR mention one of VARS?  */
static bool
mentions_p (tree *expr, hash_set<tree> *vars)
{
  hash_set<tree> all;
  collect_variables (expr, &all);
  for (hash_set<tree>::iterator i = all.begin (); i != all.end (); ++i)
    if (vars->contains (*i))
      return true;
  return false;
}

/* Let MOVING, variables that differ by iteration, have the one that STMT sets if that
   is so as well.  */
static void
note_moving (gimple *stmt, hash_set<tree> *moving)
{
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    if (mentions_p (gimple_op_ptr (stmt, i), moving))
      {
	moving->add (gimple_assign_lhs (stmt));
	return;
      }
}

/* Does STMT make a floating-point number of what is none and differs by iteration, as
   MOVING, variables, do?  */
static bool
converts_moving_p (gimple *stmt, hash_set<tree> *moving)
{
  tree rhs = gimple_assign_rhs1 (stmt);
  return FLOAT_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)))
	 && (!FLOAT_TYPE_P (TREE_TYPE (rhs))
	     || TREE_CODE (rhs) == VIEW_CONVERT_EXPR)
	 && mentions_p (gimple_assign_rhs1_ptr (stmt), moving);
}

/* Does STMT load a floating-point number from a place that differs by iteration, as
   MOVING, variables, do?  */
static bool
loads_moving_p (gimple *stmt, hash_set<tree> *moving)
{
  tree rhs = gimple_assign_rhs1 (stmt);
  return gimple_assign_load_p (stmt) && !(DECL_P (rhs) && register_p (rhs))
	 && FLOAT_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)))
	 && mentions_p (gimple_assign_rhs1_ptr (stmt), moving);
}

/* Add to ROOTS the pointers and objects that EXPR, a reference to memory or a part of
   its address, is made of, in front of statement AT of B.  */
static void
find_roots (const body *b, tree *expr, unsigned at, hash_set<tree> *roots)
{
  hash_set<tree> all;
  collect_variables (expr, &all);
  for (hash_set<tree>::iterator i = all.begin (); i != all.end (); ++i)
    {
      unsigned k = at;
      while (k > 0 && gimple_assign_lhs (b->stmts[k - 1]) != *i)
	k--;
      for (unsigned n = 1; k > 0 && n < gimple_num_ops (b->stmts[k - 1]); n++)
	find_roots (b, gimple_op_ptr (b->stmts[k - 1], n), k - 1, roots);
      if (k == 0 && (POINTER_TYPE_P (TREE_TYPE (*i)) || !register_p (*i)))
	roots->add (*i);
    }
}

/* Let B's pointers have those of REF, to which its last statement refers.  False where
   it LOADS and they have some of them already, or there is none.  */
static bool
add_roots (body *b, tree *ref, bool loads)
{
  hash_set<tree> roots;
  find_roots (b, ref, b->stmts.length () - 1, &roots);
  for (hash_set<tree>::iterator i = roots.begin (); i != roots.end (); ++i)
    if (b->through.add (*i) && loads)
      return false;
  return !loads || !roots.is_empty ();
}

/* Has REF a place in memory that other threads see as well?  */
static bool
in_memory_p (const spmd_nest *nest, tree ref)
{
  tree base = get_base_address (ref);
  return base && (!DECL_P (base) || spmd_shared_p (nest, base));
}

/* Does VAR, of the source or of the kernel, have a partial result of SHARING's?  */
static bool
reduced_p (const spmd_sharing *sharing, const_tree var)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    {
      const spmd_private *p = &sharing->privates[i];
      if (p->reduction && (p->var == var || p->own == var))
	return true;
    }
  return false;
}

/* Is STMT all that B has done with the partial result that it sets: VAR = VAR OP
   something else?  */
static bool
updates_p (body *b, gimple *stmt)
{
  tree var = gimple_assign_lhs (stmt);
  if (gimple_assign_rhs_class (stmt) != GIMPLE_BINARY_RHS)
    return false;
  tree x = gimple_assign_rhs1 (stmt), y = gimple_assign_rhs2 (stmt);
  return (x == var) != (y == var) && !b->set.contains (var);
}

static tree
note_use (tree *tp, int *walk_subtrees, void *data)
{
  body *b = (body *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (DECL_P (*tp) && !b->set.contains (*tp))
    b->used.add (*tp);
  return NULL_TREE;
}

/* Does STMT divide?  ptxas makes branches of that, and has all that other iterations
   have loaded in registers meanwhile: 44 for 28.  */
static bool
divides_p (const gimple *stmt)
{
  switch (gimple_assign_rhs_code (stmt))
    {
    case RDIV_EXPR:
    case TRUNC_DIV_EXPR:
    case TRUNC_MOD_EXPR:
      return true;
    default:
      return false;
    }
}

/* Add STMT, an assignment, to B; whether it may take turns with others.  */
static bool
add_assignment (body *b, gimple *stmt)
{
  if (!is_gimple_assign (stmt) || stmt_volatile_p (stmt)
      || divides_p (stmt) || b->stmts.length () == MOST_STATEMENTS)
    return false;
  b->stmts.safe_push (stmt);
  tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
  if (!is_gimple_reg_type (TREE_TYPE (lhs))
      || TREE_CODE (TREE_TYPE (lhs)) == COMPLEX_TYPE
      || VECTOR_TYPE_P (TREE_TYPE (lhs)))
    return false;
  bool sets = DECL_P (lhs) && register_p (lhs);
  struct walk_stmt_info wi = {};
  wi.info = b;
  bool updates = sets && reduced_p (b->sharing, lhs);
  if (updates && !updates_p (b, stmt))
    return false;
  for (unsigned i = sets; i < gimple_num_ops (stmt); i++)
    if (!updates || gimple_op (stmt, i) != lhs)
      walk_tree (gimple_op_ptr (stmt, i), note_use, &wi, NULL);
  if (sets && !updates
      && (b->used.contains (lhs) || spmd_shared_p (b->nest, lhs)))
    return false;
  if (sets)
    {
      b->set.add (lhs);
      if (converts_moving_p (stmt, &b->moving))
	return false;
      if (loads_moving_p (stmt, &b->moving)
	  && !add_roots (b, gimple_assign_rhs1_ptr (stmt), true))
	return false;
      note_moving (stmt, &b->moving);
    }
  else
    {
      b->stores++;
      add_roots (b, gimple_assign_lhs_ptr (stmt), false);
    }
  if (!sets && !in_memory_p (b->nest, lhs))
    return false;
  if (!gimple_assign_load_p (stmt) || (DECL_P (rhs) && register_p (rhs)))
    return true;
  /* Pointers of Fortran's are loaded once for all.  */
  if (!POINTER_TYPE_P (TREE_TYPE (lhs)))
    b->words += CEIL (int_size_in_bytes (TREE_TYPE (lhs)), WORD_BYTES);
  return in_memory_p (b->nest, rhs);
}

/* Is STMT nothing that is executed?  No body that is taken jumps, so that nobody comes to
   a label but from the statement in front of it.  */
static bool
idle_p (gimple *stmt)
{
  const glabel *label = dyn_cast<glabel *> (stmt);
  return stmt_empty_p (stmt)
	 || (label && !DECL_NONLOCAL (gimple_label_label (label))
	     && !FORCED_LABEL (gimple_label_label (label)));
}

static tree
add_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  bool simple = true;
  if (gbind *bind = dyn_cast<gbind *> (stmt))
    for (tree var = gimple_bind_vars (bind); var; var = DECL_CHAIN (var))
      simple &= !VAR_P (var) || register_p (var);
  else if (!idle_p (stmt))
    simple = add_assignment ((body *) wi->info, stmt);
  *handled = !simple;
  return simple ? NULL_TREE : integer_one_node;
}

/* May each of several iterations have variables of its own for SHARING's, but for what
   they reduce?  */
static bool
variables_p (const spmd_sharing *sharing)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    {
      const spmd_private *p = &sharing->privates[i];
      if (p->by_reference || p->copy_out || p->linear || p->made
	  || p->object || !register_p (p->var))
	return false;
    }
  return true;
}

int
spmd_coarsening (const spmd_nest *nest, const spmd_sharing *sharing)
{
  if (optimize < 2 || optimize_size || !option_enabled (ACR_OPTION_COARSEN)
      || nest->split || nest->outer || nest->several || nest->alone
      || nest->launches || nest->asks || nest->in_and_out
      || gimple_omp_for_collapse (nest->loop) > 1
      || spmd_space_varies_p (nest->loop) || spmd_dealt_p (nest)
      || spmd_constructs_p (sharing) || !variables_p (sharing)
      || jam_barred_by_clauses (nest, sharing))
    return 0;
  body b;
  b.nest = nest;
  b.sharing = sharing;
  b.set.add (gimple_omp_for_index (nest->loop, 0));
  b.moving.add (gimple_omp_for_index (nest->loop, 0));
  for (unsigned i = 0; i < nest->prefix.length (); i++)
    if (!idle_p (nest->prefix[i])
	&& !add_assignment (&b, nest->prefix[i]))
      return 0;
  struct walk_stmt_info wi = {};
  wi.info = &b;
  if (walk_gimple_seq (gimple_omp_body (nest->loop), add_stmt, NULL, &wi)
      || !b.words || !b.stores)
    return 0;
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    if (sharing->privates[i].reduction && b.used.contains (sharing->privates[i].var))
      return 0;
  return b.words <= MOST_WORDS ? TIMES : 0;
}

/* ---- Taking turns ---- */

/* An iteration's statements, its own variables for those of the body, and which of
   that differ by iteration.  */
struct iteration
{
  const spmd_sharing *sharing;
  auto_vec<gimple *> stmts;
  hash_map<tree, tree> own;
  hash_set<tree> moving;
};

static tree
take_own (tree *tp, int *walk_subtrees, void *data)
{
  iteration *it = (iteration *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (DECL_P (*tp))
    if (tree *own = it->own.get (*tp))
      *tp = *own;
  return NULL_TREE;
}

/* Let IT have its own variable for VAR, which it sets, if it has none; not for what
   iterations reduce.  */
static void
make_own (iteration *it, tree var)
{
  if (it->own.get (var) || reduced_p (it->sharing, var))
    return;
  tree own = create_tmp_var (TREE_TYPE (var), "own");
  /* What such a variable is for (fuse-exact.cc).  */
  DECL_ATTRIBUTES (own) = DECL_ATTRIBUTES (var);
  it->own.put (var, own);
}

/* Add STMT to IT, with its own variables.  */
static void
take_assignment (iteration *it, gimple *stmt)
{
  tree lhs = gimple_assign_lhs (stmt), copy = NULL_TREE;
  bool sets = DECL_P (lhs) && register_p (lhs);
  if (sets)
    {
      if (loads_moving_p (stmt, &it->moving))
	copy = create_tmp_var (TREE_TYPE (lhs), "again");
      note_moving (stmt, &it->moving);
      make_own (it, lhs);
    }
  struct walk_stmt_info wi = {};
  wi.info = it;
  walk_gimple_op (stmt, take_own, &wi);
  it->stmts.safe_push (stmt);
  if (!copy)
    return;
  it->stmts.safe_push (code_opaque_copy (copy, gimple_assign_lhs (stmt)));
  it->own.put (lhs, copy);
}

/* Add to IT the statements of SEQ, each with its own variables.  */
static void
take_statements (iteration *it, gimple_seq seq)
{
  for (gimple_stmt_iterator gsi = gsi_start (seq); !gsi_end_p (gsi);)
    {
      gimple *stmt = gsi_stmt (gsi);
      gsi_remove (&gsi, false);
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	take_statements (it, gimple_bind_body (bind));
      else if (!idle_p (stmt))
	take_assignment (it, stmt);
    }
}

/* Add to C iterations of SPACE, TIMES of them from K on, ACR_COARSE_BLOCK apart.  */
static void
add_turns (const spmd_space *space, val k, writer<gimple_seq *> body, code c)
{
  iteration all[TIMES];
  for (int i = 0; i < TIMES; i++)
    {
      gimple_seq seq = NULL;
      val at = c.let ("k", k + i * ACR_COARSE_BLOCK);
      all[i].sharing = space->sharing;
      all[i].moving.add (at.t);
      spmd_space_set (space, at.t, &seq);
      body (&seq);
      take_statements (&all[i], seq);
    }
  for (unsigned s = 0; s < all[0].stmts.length (); s++)
    for (int i = 0; i < TIMES; i++)
      gimple_seq_add_stmt (c, all[i].stmts[s]);
}

void
spmd_add_coarse (const spmd_space *space, const spmd_place *place, val k, val n,
		 writer<gimple_seq *> body, code c)
{
  val total = space->total;
  tree type = TREE_TYPE (k.t);
  val whole = c.let ("whole", select (val (place->threads) == ACR_COARSE_BLOCK,
				      val (place->block_size), u32 (0)));
  val tiled = c.let ("tiled", select (n < total, whole, u32 (0)));
  c.if_ (tiled == ACR_COARSE_BLOCK, [&] {
    val tile = u64 (TIMES * ACR_COARSE_BLOCK);
    val way = c.let ("way", val (place->blocks).as (type) * tile);
    c.set (k, val (place->block).as (type) * tile + val (place->id).as (type));
    c.set (n, u64 (ACR_COARSE_BLOCK));
    c.loop_ ([&] (tree done) {
      c.need (k < total, done);
      val left = c.let ("left", total - k);
      c.need (left > u64 ((TIMES - 1) * ACR_COARSE_BLOCK), done);
      add_turns (space, k, body, c);
      c.set (k, k + way);
    });
  });
}

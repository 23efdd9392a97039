/* Unroll-and-jam: a thread of a parallel loop nest computes several rows.

   Neighbouring rows of a stencil load mostly the same places.  Where loops of
   an OpenACC region may run in any order, as its directives say, each
   iteration of the loop next to the innermost one takes on ROWS rows:

       #pragma acc loop gang			rows = device and many rows ? 4 : 1;
       for (y = 1; y < n; y = y + 1)		#pragma acc loop gang
	 #pragma acc loop vector	->	for (y = 1; y < n; y = y + rows)
	 for (x = 1; x < m; x = x + 1)		  if (rows == 4 && y + 3 < n)
	   BODY (y);				    #pragma acc loop vector
						    for (x = 1; x < m; x = x + 1)
						      for (r = 0; r < 4; r++)
							BODY (y + r);
						  else
						    for (r = 0; r < rows && y + r < n; r++)
						      #pragma acc loop vector
						      for (x = 1; x < m; x = x + 1)
							BODY (y + r);

   The loop over a fixed number of rows is written out, and what an earlier row
   has loaded is not loaded again but kept in a variable (scalar replacement).
   That two addresses are equal follows from the source's arithmetic, whose
   signed integers do not overflow.

   Iterations of such loops are independent, so neither the order of rows and
   points matters, nor can one store where another one loads.  On the host, and
   where so few iterations are left that the device would be idle, ROWS is 1.
   It is done only where counting the addresses says that a good part of the
   loads goes away.

   Source: S. Carr, K. Kennedy, "Improving the ratio of memory operations to
   floating-point operations in loops", TOPLAS 16(6), 1994.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop.h"
#include "tree-inline.h"

/* The most rows that a thread takes on, a power of 2.  */
static int max_rows = 4;

enum
{
  /* Loads of one iteration, after the change: more would take registers from
     other threads.  */
  MAX_LOADS = 96,
  /* Statements of a point; they are repeated for every row.  */
  MAX_STATEMENTS = 1000,
  /* At least so many percent of the loads must go away.  */
  MIN_SAVED = 20,
  /* Iterations of the outer directive that keep a large GPU busy.  */
  MIN_ITERATIONS = 1024
};

/* A load that every point makes.  */
struct load
{
  /* Its number among the statements of the body.  */
  unsigned place;
  affine address;
  tree type;
};

/* A nest in work: the points X of the rows Y.  */
struct nest
{
  line *l;
  line_loop *x, *y;
  /* How many a thread takes on.  */
  int rows;
  /* Why it stays one, or NULL.  */
  const char *why;
  auto_vec<load> loads;
};

/* ---- Is it worth it? ---- */

static tree
list_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  ((auto_vec<gimple *> *) wi->info)->safe_push (gsi_stmt (*gsi));
  return NULL_TREE;
}

/* All statements of SEQ, in order.  */
static void
list_statements (gimple_seq seq, auto_vec<gimple *> *to)
{
  struct walk_stmt_info wi = {};
  wi.info = to;
  walk_gimple_seq (seq, list_stmt, NULL, &wi);
}

/* Is STMT one where control may go another way, or come from one?  */
static bool
control_p (const gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_GOTO:
    case GIMPLE_LABEL:
    case GIMPLE_TRY:
      return true;
    default:
      return false;
    }
}

static bool
within_p (const line_loop *l, const line_loop *outer)
{
  while (l && l != outer)
    l = l->outer;
  return l;
}

/* A known load of N's points in row ROW: where from.  */
static affine
address_in_row (const nest *n, const load *l, int row)
{
  affine coefficient, rest;
  if (!affine_split (&l->address, affine_index_symbol (n->y), &coefficient,
		     &rest))
    return affine_unknown ();
  return affine_add (l->address, row, coefficient);
}

/* Note the loads of N's points that are always made; how many others there
   are.  What is the same for all points does not count.  */
static unsigned
find_loads (nest *n)
{
  auto_vec<gimple *> stmts;
  unsigned others = 0, straight = 0;
  int points = affine_index_symbol (n->x);
  list_statements (gimple_omp_body (n->x->directive), &stmts);
  while (straight < stmts.length () && !control_p (stmts[straight]))
    straight++;
  for (unsigned i = 0; i < n->l->accesses.length (); i++)
    {
      const line_access *a = &n->l->accesses[i];
      if (!within_p (a->in, n->x) || a->write
	  || (a->address.n >= 0 && !affine_mentions_p (&a->address, points)))
	continue;
      load l = { 0, a->address, TREE_TYPE (a->ref) };
      while (l.place < straight && stmts[l.place] != a->stmt)
	l.place++;
      if (l.place < straight && a->address.n >= 0
	  && address_in_row (n, &l, 1).n >= 0
	  && gimple_assign_single_p (a->stmt)
	  && gimple_assign_rhs1 (a->stmt) == a->ref
	  && DECL_P (gimple_assign_lhs (a->stmt))
	  && is_gimple_reg_type (l.type))
	n->loads.safe_push (l);
      else
	others++;
    }
  return others;
}

/* A value that has been loaded.  */
struct loaded
{
  affine address;
  tree type;
  /* The variable that it is kept in.  */
  tree var;
};

static loaded *
find_loaded (auto_vec<loaded> *all, const affine *address, tree type)
{
  for (unsigned i = 0; i < all->length (); i++)
    if (affine_equal_p (&(*all)[i].address, address)
	&& useless_type_conversion_p ((*all)[i].type, type))
      return &(*all)[i];
  return NULL;
}

/* How many places the known loads of ROWS rows are from.  */
static unsigned
count_loads (const nest *n, int rows)
{
  auto_vec<loaded> all;
  for (int row = 0; row < rows; row++)
    for (unsigned i = 0; i < n->loads.length (); i++)
      {
	const load *l = &n->loads[i];
	affine a = address_in_row (n, l, row);
	if (!find_loaded (&all, &a, l->type))
	  all.safe_push ({ a, l->type, NULL_TREE });
      }
  return all.length ();
}

/* Choose the number of rows, or say why there is to be one only.  */
static const char *
choose_rows (nest *n)
{
  unsigned others = find_loads (n);
  unsigned once = count_loads (n, 1) + others;
  for (n->rows = max_rows; n->rows > 1; n->rows /= 2)
    {
      unsigned all = count_loads (n, n->rows) + n->rows * others;
      if (all <= MAX_LOADS
	  && (n->rows * once - all) * 100 >= n->rows * once * MIN_SAVED)
	return NULL;
    }
  return "its rows have few loads in common";
}

/* ---- Is it possible? ---- */

/* Why the clauses of DIRECTIVE bar it, or NULL.  */
static const char *
clauses_bar (const gomp_for *directive)
{
  for (tree c = gimple_omp_for_clauses (directive); c;
       c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_GANG:
      case OMP_CLAUSE_WORKER:
      case OMP_CLAUSE_VECTOR:
      case OMP_CLAUSE_INDEPENDENT:
      case OMP_CLAUSE_COLLAPSE:
      case OMP_CLAUSE_PRIVATE:
	break;
      default:
	return "a clause of its directives";
      }
  return NULL;
}

struct mention
{
  tree var;
  /* Whose body does not count.  */
  const gimple *except;
};

static tree
mention_op (tree *tp, int *, void *data)
{
  struct walk_stmt_info *wi = (struct walk_stmt_info *) data;
  return *tp == ((mention *) wi->info)->var ? *tp : NULL_TREE;
}

static tree
mention_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  mention *m = (mention *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (stmt != m->except)
    return NULL_TREE;
  *handled = true;
  gomp_for *f = as_a<gomp_for *> (stmt);
  for (unsigned i = 0; i < gimple_omp_for_collapse (f); i++)
    {
      tree parts[] = { gimple_omp_for_initial (f, i),
		       gimple_omp_for_final (f, i), gimple_omp_for_incr (f, i) };
      for (unsigned k = 0; k < ARRAY_SIZE (parts); k++)
	if (tree t = walk_tree (&parts[k], mention_op, wi, NULL))
	  return t;
    }
  return walk_gimple_seq (gimple_omp_for_pre_body (f), NULL, mention_op, wi)
	   ? m->var
	   : NULL_TREE;
}

/* Why the statements around N's inner directive, within the outer one, bar
   that they are executed once for several rows; or NULL.  */
static const char *
surroundings_bar (const nest *n)
{
  if (n->x->directive == n->y->directive)
    return "its rows are not a loop of their own";
  for (unsigned at = n->y->body_begin; at < n->y->body_end; at++)
    {
      gimple *stmt = n->l->code[at];
      if (at == n->x->begin)
	at = n->x->end - 1;
      else if (stmt && gimple_code (stmt) != GIMPLE_LABEL
	       && (!is_gimple_assign (stmt)
		   || !DECL_P (gimple_assign_lhs (stmt))
		   || !register_p (gimple_assign_lhs (stmt))))
	return "there is more than its inner loop in it";
    }
  mention m = { n->y->index, n->x->directive };
  struct walk_stmt_info wi = {};
  wi.info = &m;
  if (walk_gimple_seq (gimple_omp_body (n->y->directive), mention_stmt,
		       mention_op, &wi))
    return "its inner loop depends on it otherwise than by its body";
  return NULL;
}

/* May every thread repeat STMT of the body?  */
static bool
simple_p (gimple *stmt)
{
  return !stmt
	 || (!is_gimple_omp (stmt)
	     && (gimple_code (stmt) != GIMPLE_CALL
		 || gimple_call_builtin_p (stmt)));
}

static const char *
bar (nest *n)
{
  line_loop *y = n->y, *x = n->x;
  if (n->l->broken)
    return n->l->broken;
  if (y->step != 1 || y->broken || !register_p (y->index)
      || (gimple_omp_for_cond (y->directive, y->dim) != LT_EXPR
	  && gimple_omp_for_cond (y->directive, y->dim) != LE_EXPR))
    return "its counting is not understood";
  if (x->dependent)
    return x->dependent;
  if (x->body_end - x->body_begin > MAX_STATEMENTS)
    return "its body is large";
  for (unsigned at = x->body_begin; at < x->body_end; at++)
    if (!simple_p (n->l->code[at]))
      return "a statement in it";
  if (const char *why = clauses_bar (x->directive))
    return why;
  if (const char *why = clauses_bar (y->directive))
    return why;
  if (const char *why = surroundings_bar (n))
    return why;
  return choose_rows (n);
}

/* ---- Rewriting ---- */

static tree
new_label (void)
{
  return create_artificial_label (UNKNOWN_LOCATION);
}

static void
add_label (tree label, gimple_seq *seq)
{
  gimple_seq_add_stmt (seq, gimple_build_label (label));
}

static void
add_branch (enum tree_code code, tree a, tree b, tree yes, tree no,
	    gimple_seq *seq)
{
  gimple_seq_add_stmt (seq, gimple_build_cond (code, a, b, yes, no));
}

/* Add TO = EXPR.  */
static void
set (tree to, tree expr, gimple_seq *seq)
{
  gimplify_assign (to, expr, seq);
}

static tree
replace_op (tree *tp, int *walk_subtrees, void *data)
{
  struct walk_stmt_info *wi = (struct walk_stmt_info *) data;
  tree *pair = (tree *) wi->info;
  if (*tp == pair[0])
    *tp = pair[1];
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* Replace the variable FROM by TO in SEQ.  */
static void
replace (gimple_seq *seq, tree from, tree to)
{
  tree pair[] = { from, to };
  struct walk_stmt_info wi = {};
  wi.info = pair;
  walk_gimple_seq_mod (seq, NULL, replace_op, &wi);
}

static tree
find_directive (gimple_stmt_iterator *gsi, bool *handled,
		struct walk_stmt_info *wi)
{
  *handled = is_a<gomp_for *> (gsi_stmt (*gsi));
  if (*handled)
    *(gomp_for **) wi->info = as_a<gomp_for *> (gsi_stmt (*gsi));
  return NULL_TREE;
}

/* The loads of N's points in row ROW.  */
struct reuse
{
  const nest *n;
  int row;
  /* The number of the next statement.  */
  unsigned place;
  /* What is loaded, and how much of it by the rows before.  */
  auto_vec<loaded> *all;
  unsigned before;
};

/* Take what is loaded already, and keep what is loaded first.  */
static tree
reuse_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  reuse *r = (reuse *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  unsigned place = r->place++;
  for (unsigned i = 0; i < r->n->loads.length (); i++)
    {
      const load *l = &r->n->loads[i];
      if (l->place != place)
	continue;
      affine a = address_in_row (r->n, l, r->row);
      loaded *known = find_loaded (r->all, &a, l->type);
      if (!known)
	{
	  tree var = create_tmp_var (l->type, "loaded");
	  gimple *first = gimple_build_assign (var, gimple_assign_rhs1 (stmt));
	  gimple_set_location (first, gimple_location (stmt));
	  gsi_insert_before (gsi, first, GSI_SAME_STMT);
	  gimple_assign_set_rhs1 (stmt, var);
	  r->all->safe_push ({ a, l->type, var });
	}
      else if (known < r->all->address () + r->before)
	gimple_assign_set_rhs1 (stmt, known->var);
    }
  return NULL_TREE;
}

/* Let each point of the directive in SEQ, a copy of N's rows, compute N->rows
   rows.  */
static void
take_rows (const nest *n, gimple_seq seq)
{
  gomp_for *x = NULL;
  struct walk_stmt_info wi = {};
  wi.info = &x;
  walk_gimple_seq (seq, find_directive, NULL, &wi);

  tree y = n->y->index, type = TREE_TYPE (y);
  gimple_seq body = gimple_omp_body (x), points = NULL;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, make_node (BLOCK));
  auto_vec<loaded> all;
  push_gimplify_context ();
  for (int i = 0; i < n->rows; i++)
    {
      gimple_seq one = copy_gimple_seq_and_replace_locals (body);
      tree row = create_tmp_var (type, "row");
      reuse r = { n, i, 0, &all, all.length () };
      struct walk_stmt_info points_wi = {};
      points_wi.info = &r;
      walk_gimple_seq_mod (&one, reuse_stmt, NULL, &points_wi);
      replace (&one, y, row);
      set (row, fold_build2 (PLUS_EXPR, type, y, build_int_cst (type, i)),
	   &points);
      gimple_seq_add_seq (&points, one);
    }
  gimple_bind_set_body (bind, points);
  pop_gimplify_context (bind);
  body = NULL;
  gimple_seq_add_stmt (&body, bind);
  gimple_omp_set_body (x, body);
}

/* The body of N's outer directive.  ROWS is how many rows it takes on.  */
static gimple *
build_body (const nest *n, tree rows)
{
  gomp_for *outer = n->y->directive;
  tree y = n->y->index, type = TREE_TYPE (y);
  tree final = gimple_omp_for_final (outer, n->y->dim);
  tree_code cond = gimple_omp_for_cond (outer, n->y->dim);
  tree full = new_label (), all = new_label (), some = new_label ();
  tree again = new_label (), more = new_label (), end = new_label ();
  gimple_seq seq = NULL, body = gimple_omp_body (outer);
  gimple_seq copy = copy_gimple_seq_and_replace_locals (body);
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, make_node (BLOCK));
  push_gimplify_context ();

  tree last = create_tmp_var (type, "last");
  add_branch (EQ_EXPR, rows, build_int_cst (type, n->rows), full, some, &seq);
  add_label (full, &seq);
  set (last, fold_build2 (PLUS_EXPR, type, y,
			  build_int_cst (type, n->rows - 1)), &seq);
  add_branch (cond, last, final, all, some, &seq);

  add_label (all, &seq);
  take_rows (n, copy);
  gimple_seq_add_seq (&seq, copy);
  gimple_seq_add_stmt (&seq, gimple_build_goto (end));

  add_label (some, &seq);
  tree row = create_tmp_var (type, "row"), left = create_tmp_var (type, "left");
  set (row, y, &seq);
  set (left, rows, &seq);
  add_label (again, &seq);
  replace (&body, y, row);
  gimple_seq_add_seq (&seq, body);
  set (row, fold_build2 (PLUS_EXPR, type, row, build_one_cst (type)), &seq);
  set (left, fold_build2 (MINUS_EXPR, type, left, build_one_cst (type)), &seq);
  add_branch (NE_EXPR, left, build_zero_cst (type), more, end, &seq);
  add_label (more, &seq);
  add_branch (cond, row, final, again, end, &seq);
  add_label (end, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

/* Add to SEQ: ROWS gets the number of rows of an iteration.  */
static void
count_rows (const nest *n, tree rows, gimple_seq *seq)
{
  gomp_for *outer = n->y->directive;
  tree count = long_long_unsigned_type_node, type = TREE_TYPE (rows);
  tree product = build_one_cst (count);
  for (unsigned i = 0; i <= n->y->dim; i++)
    {
      tree distance
	= fold_build2 (MINUS_EXPR, count,
		       fold_convert (count, gimple_omp_for_final (outer, i)),
		       fold_convert (count, gimple_omp_for_initial (outer, i)));
      product = fold_build2 (MULT_EXPR, count, product, distance);
    }
  tree on_device = create_tmp_var (integer_type_node, "on_device");
  gcall *call
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ACC_ON_DEVICE), 1,
			 build_int_cst (integer_type_node,
					GOMP_DEVICE_NOT_HOST));
  gimple_call_set_lhs (call, on_device);
  gimple_seq_add_stmt (seq, call);
  tree device = fold_build2 (NE_EXPR, boolean_type_node, on_device,
			     integer_zero_node);
  tree enough = fold_build2 (GE_EXPR, boolean_type_node, product,
			     build_int_cst (count, MIN_ITERATIONS * n->rows));
  set (rows,
       fold_build3 (COND_EXPR, type,
		    fold_build2 (BIT_AND_EXPR, boolean_type_node, device,
				 enough),
		    build_int_cst (type, n->rows), build_one_cst (type)),
       seq);
}

/* Rewrite N, whose outer directive is at GSI.  */
static void
rewrite (const nest *n, gimple_stmt_iterator *gsi)
{
  gomp_for *outer = n->y->directive;
  tree y = n->y->index;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL, body = NULL;
  push_gimplify_context ();
  tree rows = create_tmp_var (TREE_TYPE (y), "rows");
  count_rows (n, rows, &seq);
  gimple_seq_add_stmt (&body, build_body (n, rows));
  gimple_omp_set_body (outer, body);
  gimple_omp_for_set_incr (outer, n->y->dim,
			   build2 (PLUS_EXPR, TREE_TYPE (y), y, rows));
  /* A statement is in one sequence at a time.  */
  gsi_replace (gsi, bind, false);
  gimple_seq_add_stmt (&seq, outer);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
}

/* ---- Interface ---- */

static void
remark (const nest *n)
{
  if (!dump_enabled_p ())
    return;
  dump_user_location_t loc
    = dump_user_location_t::from_location_t (n->y->loc);
  if (n->why)
    dump_printf_loc (MSG_MISSED_OPTIMIZATION, loc,
		     "loop nest: a thread computes one row: %s\n",
		     n->why);
  else
    dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, loc,
		     "loop nest: a thread computes %d rows\n", n->rows);
}

/* Has L a directive inside?  */
static bool
innermost_p (const line *l, const line_loop *what)
{
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (l->loops[i] != what && l->loops[i]->directive
	&& within_p (l->loops[i], what))
      return false;
  return true;
}

/* Rewrite the nests of a construct, when their outer directives come.  */
static tree
rewrite_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  const auto_vec<nest *> *nests = (const auto_vec<nest *> *) wi->info;
  for (unsigned i = 0; i < nests->length () && !*handled; i++)
    if (!(*nests)[i]->why && gsi_stmt (*gsi) == (*nests)[i]->y->directive)
      {
	rewrite ((*nests)[i], gsi);
	*handled = true;
      }
  return NULL_TREE;
}

static void
jam_construct (gomp_target *stmt)
{
  region r = {};
  r.stmt = stmt;
  r.what = construct_of (stmt);
  r.loc = gimple_location (stmt);
  operand_find (&r);
  affine_reset ();
  line l = {};
  line_make (&l, &r);
  if (!l.broken)
    flow_find (&l);

  auto_vec<nest *> nests;
  for (unsigned i = 0; i < l.loops.length (); i++)
    {
      line_loop *x = l.loops[i], *y = x->outer;
      if (!x->directive || !y || !y->directive || !innermost_p (&l, x))
	continue;
      nest *n = new nest ();
      n->l = &l;
      n->x = x;
      n->y = y;
      nests.safe_push (n);
      n->why = bar (n);
      remark (n);
    }
  struct walk_stmt_info wi = {};
  wi.info = &nests;
  walk_gimple_seq_mod (gimple_omp_body_ptr (stmt), rewrite_stmt, NULL, &wi);
  for (unsigned i = 0; i < nests.length (); i++)
    delete nests[i];
  line_release (&l);
  region_release (&r);
}

static tree
jam_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  gomp_target *stmt = dyn_cast<gomp_target *> (gsi_stmt (*gsi));
  *handled = stmt
	     && gimple_omp_target_kind (stmt)
		  == GF_OMP_TARGET_KIND_OACC_PARALLEL;
  if (*handled)
    jam_construct (stmt);
  return NULL_TREE;
}

bool
jam_set_rows (const char *text)
{
  char *end;
  long n = strtol (text, &end, 10);
  if (*end || n < 1 || n > 16 || (n & (n - 1)))
    return false;
  max_rows = n;
  return true;
}

void
jam_rewrite (function *fun)
{
  gimple_seq body = gimple_body (fun->decl);
  object_scan (body);
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (&body, jam_stmt, NULL, &wi);
  gimple_set_body (fun->decl, body);
}

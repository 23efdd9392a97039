/* Unroll-and-jam: a thread of an SPMD kernel computes several rows at once.

   Neighbouring rows of a stencil load mostly the same places.  In the iteration
   space of a nest, the loop next to the innermost one is made to step by
   ROWS, and an iteration does that many points, one in each row:

       for (y = 1; y < n; y++)		rows = many points ? 4 : 1;
	 for (x = 1; x < m; x++)	for (y = 1; y < n; y += rows)
	   POINT (y, x);	   ->	  for (x = 1; x < m; x++)
					    if (rows == 4 && y + 3 < n)
					      POINT (y, x); ... POINT (y + 3, x);
					    else if (rows == 2 && y + 1 < n)
					      POINT (y, x); POINT (y + 1, x);
					    else
					      for (r = y; r < n && r < y + rows; r++)
						POINT (r, x);

   In the written out form, what an earlier row has loaded is not loaded again
   but kept in a variable (scalar replacement).  That two addresses are equal
   follows from the source's arithmetic, whose signed integers do not overflow.

   How many rows are best depends on the GPU, the size and the registers that are
   left.  So one is written out too, and twice as many when they load little; by
   which a kernel goes is up to a variable that ptx-post can set to something else
   (forms.c there), for forms of the kernel among which the runtime chooses.

   The iterations of such a nest are independent, so neither the order of rows
   and points matters, nor can one store where another one loads.  Where so few
   threads were left that a GPU would be idle, ROWS is 1.  It is done only
   where counting the addresses says that a good part of the loads goes away.

   Needs: independent iterations; flow_find of the nest's line.  Keeps: what
   each point computes, in its order.  Breaks: the order of points.
   Source: S. Carr, K. Kennedy, "Improving the ratio of memory operations to
   floating-point operations in loops", TOPLAS 16(6), 1994.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "spmd/spmd.h"

/* The most rows that a thread takes on, a power of 2; and more than usual only
   where the last doubling saves a good part, too.  */
static int max_rows = 8, usual_rows = 4;

/* Why nothing is done to what is no nest.  */
static const char single_loop[] = "a single loop";

enum
{
  /* Loads of one iteration, after the change: more would take registers from
     other threads.  */
  MAX_LOADS = 96,
  /* So few that twice as many rows may do as well.  */
  FEW_LOADS = 64,
  /* Statements of a point; they are repeated for every row.  */
  MAX_STATEMENTS = 2000,
  /* At least so many percent of the loads must go away.  */
  MIN_SAVED = 20
};

/* A load that every point makes.  */
struct load
{
  /* Its number among the statements of the body.  */
  unsigned place;
  affine address;
  tree type;
};

/* An access that every point makes.  */
struct place
{
  /* Its statement's number in the body.  */
  unsigned at;
  const line_access *access;
};

/* A nest in work: the points X of the rows Y.  */
struct nest
{
  const spmd_nest *from;
  line l;
  line_loop *x, *y;
  /* How many a thread takes on, and may take on in other forms of the kernel;
     in this one it is MOST, a variable.  */
  int rows;
  auto_vec<int> others;
  tree most;
  auto_vec<load> loads;
  auto_vec<place> places;
  /* So many addresses of a point follow from others.  */
  unsigned follow;
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

/* The ADDRESS of an access of N's points, in row ROW.  */
static affine
address_in_row (const nest *n, const affine *address, int row)
{
  affine coefficient, rest;
  if (!affine_split (address, affine_index_symbol (n->y), &coefficient, &rest))
    return affine_unknown ();
  return affine_add (*address, row, coefficient);
}

/* Note the accesses of N's points that are always made.  */
static void
find_places (nest *n)
{
  auto_vec<gimple *> stmts;
  unsigned straight = 0;
  list_statements (gimple_omp_body (n->from->loop), &stmts);
  while (straight < stmts.length () && !control_p (stmts[straight]))
    straight++;
  for (unsigned i = 0; i < n->l.accesses.length (); i++)
    for (unsigned at = 0; at < straight; at++)
      if (n->l.accesses[i].stmt == stmts[at])
	n->places.safe_push ({ at, &n->l.accesses[i] });
}

static const place *
find_place (const nest *n, const line_access *a)
{
  for (unsigned i = 0; i < n->places.length (); i++)
    if (n->places[i].access == a)
      return &n->places[i];
  return NULL;
}

/* Note the loads of N's points that are always made; how many others there
   are.  What is the same for all points does not count.  */
static unsigned
find_loads (nest *n)
{
  unsigned others = 0;
  int points = affine_index_symbol (n->x);
  for (unsigned i = 0; i < n->l.accesses.length (); i++)
    {
      const line_access *a = &n->l.accesses[i];
      if (!within_p (a->in, n->x) || a->write
	  || (a->address.n >= 0 && !affine_mentions_p (&a->address, points)))
	continue;
      const place *p = find_place (n, a);
      tree type = TREE_TYPE (a->ref);
      if (p && a->address.n >= 0 && address_in_row (n, &a->address, 1).n >= 0
	  && gimple_assign_single_p (a->stmt)
	  && gimple_assign_rhs1 (a->stmt) == a->ref
	  && DECL_P (gimple_assign_lhs (a->stmt)) && is_gimple_reg_type (type)
	  && (SCALAR_FLOAT_TYPE_P (type) || INTEGRAL_TYPE_P (type)
	      || POINTER_TYPE_P (type)))
	n->loads.safe_push ({ p->at, a->address, type });
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
	affine a = address_in_row (n, &l->address, row);
	if (!find_loaded (&all, &a, l->type))
	  all.safe_push ({ a, l->type, NULL_TREE });
      }
  return all.length ();
}

/* Is it a good part of BEFORE loads that go away when there are AFTER?  */
static bool
saves_p (unsigned before, unsigned after)
{
  return before >= after
	 && (before - after) * 100 >= before * MIN_SAVED;
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
      unsigned half = count_loads (n, n->rows / 2) + n->rows / 2 * others;
      if (all <= MAX_LOADS && saves_p (n->rows * once, all)
	  && (n->rows <= usual_rows || saves_p (2 * half, all)))
	break;
    }
  if (n->rows == 1)
    return "its rows have few loads in common";
  if (2 * n->rows <= max_rows
      && count_loads (n, 2 * n->rows) + 2 * n->rows * others <= FEW_LOADS)
    n->others.safe_push (2 * n->rows);
  n->others.safe_push (1);
  return NULL;
}

/* ---- Is it possible? ---- */

/* A single thread may execute iterations in order, and that be what the program is
   about.  */
const char *
jam_barred_by_clauses (const spmd_nest *nest, const spmd_sharing *sharing)
{
  static const omp_clause_code about_threads[]
    = { OMP_CLAUSE_SCHEDULE, OMP_CLAUSE_DIST_SCHEDULE, OMP_CLAUSE_NUM_THREADS,
	OMP_CLAUSE_THREAD_LIMIT, OMP_CLAUSE_NUM_TEAMS, OMP_CLAUSE_IF };
  for (unsigned i = 0; i < nest->levels.length () && !nest->acc; i++)
    for (unsigned k = 0; k < ARRAY_SIZE (about_threads); k++)
      if (omp_find_clause (stmt_clauses (nest->levels[i]), about_threads[k]))
	return "a clause about its threads";
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    if (sharing->privates[i].linear || sharing->privates[i].copy_out)
      return "values that follow from an iteration's number";
  return NULL;
}

/* May STMT be repeated?  */
static bool
simple_p (gimple *stmt)
{
  return !stmt
	 || (!is_gimple_omp (stmt)
	     && (gimple_code (stmt) != GIMPLE_CALL
		 || gimple_call_builtin_p (stmt)));
}

static const char *
bar (nest *n, const spmd_sharing *sharing)
{
  const gomp_for *loop = n->from->loop;
  unsigned loops = gimple_omp_for_collapse (loop);
  if (loops < 2)
    return single_loop;
  if (const char *why = jam_barred_by_clauses (n->from, sharing))
    return why;
  if (n->l.broken)
    return n->l.broken;
  for (unsigned i = 0; i < n->l.loops.length (); i++)
    if (n->l.loops[i]->directive == loop && n->l.loops[i]->dim == loops - 1)
      n->x = n->l.loops[i];
  n->y = n->x->outer;
  if (n->y->step != 1 || n->y->broken || !register_p (n->y->index)
      || (gimple_omp_for_cond (loop, loops - 2) != LT_EXPR
	  && gimple_omp_for_cond (loop, loops - 2) != LE_EXPR))
    return "its counting is not understood";
  if (n->x->dependent)
    return n->x->dependent;
  if (n->x->body_end - n->x->body_begin > MAX_STATEMENTS)
    return "its body is large";
  for (unsigned at = n->x->body_begin; at < n->x->body_end; at++)
    if (!simple_p (n->l.code[at]))
      return "a statement in it";
  return NULL;
}

/* ---- Rewriting ---- */

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
  /* What there is to compute addresses from.  */
  pointers *known;
};

/* Let STMT, at GSI, take the value of VAR.  Arithmetic of several rows on one
   value would be shared, and then products be fused with other sums than in a
   single row, which rounds differently: floating-point values go through an
   opaque copy.  */
static void
take_value (gimple_stmt_iterator *gsi, gimple *stmt, tree var)
{
  if (FLOAT_TYPE_P (TREE_TYPE (var)))
    {
      tree copy = create_tmp_var (TREE_TYPE (var), "again");
      gsi_insert_before (gsi, code_opaque_copy (copy, var), GSI_SAME_STMT);
      var = copy;
    }
  gimple_assign_set_rhs1 (stmt, var);
}

/* Give the access that STMT, at GSI, makes at PLACE an address that follows
   from those before it.  */
static void
share_pointer (const reuse *r, gimple_stmt_iterator *gsi, gimple *stmt,
	       unsigned at)
{
  if (!option_enabled (ACR_OPTION_POINTER))
    return;
  for (unsigned i = 0; i < r->n->places.length (); i++)
    {
      const line_access *a = r->n->places[i].access;
      if (r->n->places[i].at != at || !pointer_access_p (&r->n->l, a))
	continue;
      affine address = address_in_row (r->n, &a->address, r->row);
      if (address.n >= 0)
	pointer_share (r->known, gsi,
		       a->write ? gimple_assign_lhs_ptr (stmt)
				: gimple_assign_rhs1_ptr (stmt),
		       a, &address);
    }
}

/* Take what is loaded already, and keep what is loaded first.  */
static tree
reuse_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  reuse *r = (reuse *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  unsigned place = r->place++;
  for (unsigned i = 0; r->all && i < r->n->loads.length (); i++)
    {
      const load *l = &r->n->loads[i];
      if (l->place != place)
	continue;
      affine a = address_in_row (r->n, &l->address, r->row);
      loaded *known = find_loaded (r->all, &a, l->type);
      if (known && known < r->all->address () + r->before)
	{
	  take_value (gsi, stmt, known->var);
	  return NULL_TREE;
	}
      share_pointer (r, gsi, stmt, place);
      if (!known)
	{
	  tree var = create_tmp_var (l->type, "loaded");
	  gimple *first = gimple_build_assign (var, gimple_assign_rhs1 (stmt));
	  gimple_set_location (first, gimple_location (stmt));
	  gsi_insert_before (gsi, first, GSI_SAME_STMT);
	  take_value (gsi, stmt, var);
	  r->all->safe_push ({ a, l->type, var });
	}
      return NULL_TREE;
    }
  share_pointer (r, gsi, stmt, place);
  return NULL_TREE;
}

/* A copy of the body of N's points in row ROW, which takes from ALL, unless NULL,
   what rows before have loaded, and from KNOWN their pointers.  */
static gimple_seq
copy_body (const nest *n, int row, auto_vec<loaded> *all, pointers *known)
{
  gimple_seq body
    = copy_statements (gimple_omp_body (n->from->loop));
  reuse r = { n, row, 0, all, all ? all->length () : 0, known };
  struct walk_stmt_info wi = {};
  wi.info = &r;
  walk_gimple_seq_mod (&body, reuse_stmt, NULL, &wi);
  return body;
}

/* One point of N in row ROW, a variable.  */
static gimple_seq
point (const nest *n, tree row, gimple_seq body)
{
  gimple_seq seq = NULL;
  for (unsigned i = 0; i < n->from->prefix.length (); i++)
    gimple_seq_add_stmt (&seq, gimple_copy (n->from->prefix[i]));
  gimple_seq_add_seq (&seq, body);
  replace (&seq, n->y->index, row);
  return seq;
}

/* EXPR + I, which does not overflow.  */
static tree
plus (tree expr, int i)
{
  tree type = TREE_TYPE (expr), u = unsigned_type_for (type);
  return fold_convert (type, fold_build2 (PLUS_EXPR, u, fold_convert (u, expr),
					  build_int_cst (u, i)));
}

/* Add to SEQ ROWS points.  Where they begin is kept from GCC: what it found to
   have in common with other numbers of rows would take registers in all.  */
static void
add_all_rows (const nest *n, int rows, gimple_seq *seq)
{
  tree y = code_temp (TREE_TYPE (n->y->index), "first");
  gimple_seq_add_stmt (seq, code_opaque_copy (y, n->y->index));
  auto_vec<loaded> all;
  pointers known (&n->l);
  for (int i = 0; i < rows; i++)
    {
      gimple_seq body = copy_body (n, i, &all, &known);
      tree row = code_temp (TREE_TYPE (y), "row");
      code_set (row, plus (y, i), seq);
      gimple_seq_add_seq (seq, point (n, row, body));
    }
}

/* Add to SEQ the points of as many rows as LEFT says.  For the most part that
   is one row.  Where each one is, is kept from GCC, which would set up a pointer
   for every access, and takes long to choose them; and would share code with the
   form that has one row.  */
static void
add_some_rows (nest *n, tree left, gimple_seq *seq)
{
  code c = seq;
  tree y = n->y->index, row = code_temp (TREE_TYPE (y), "row");
  gimple_seq_add_stmt (c, code_opaque_copy (row, y));
  pointers known (&n->l);
  c.do_ ([&] {
    gimple_seq_add_seq (c, point (n, row, copy_body (n, 0, NULL, &known)));
    tree next = c.let ("row", plus (row, 1));
    gimple_seq_add_stmt (c, code_opaque_copy (row, next));
    c.set (left, plus (left, -1));
  }, val (left) != 0);
  n->follow = known.follow;
}

/* A point of N in the row where an iteration begins.  */
static gimple_seq
single (nest *n)
{
  pointers known (&n->l);
  gimple_seq seq = point (n, n->y->index, copy_body (n, 0, NULL, &known));
  n->follow = known.follow;
  return seq;
}

/* What an iteration does when it takes on as many rows as N->most says, in the
   forms that N may have.  Each iteration asks anew: GCC would make loops of each
   form's own that share their beginnings and ends.  */
static void
add_forms (nest *n, tree rows, gimple_seq *seq)
{
  code c = seq;
  const gomp_for *loop = n->from->loop;
  tree y = n->y->index, u = TREE_TYPE (rows);
  tree some = code_label (), done = code_label ();
  tree most = code_temp (u, "most");
  gimple_seq_add_stmt (c, code_opaque_copy (most, n->most));
  val final = fold_convert (TREE_TYPE (y),
			    gimple_omp_for_final (loop, n->y->dim));
  val left = final.as (u) - fold_convert (u, y);
  if (gimple_omp_for_cond (loop, n->y->dim) == LE_EXPR)
    left = left + 1;
  left = c.let ("left", min_of (left, rows));
  for (unsigned i = 0; i <= n->others.length (); i++)
    {
      int count = i ? n->others[i - 1] : n->rows;
      c.if_ (val (most) == count, [&] {
	if (count == 1)
	  gimple_seq_add_seq (c, single (n));
	else
	  {
	    c.need (left == count, some);
	    add_all_rows (n, count, c);
	  }
	c.go (done);
      });
    }
  c.at (some);
  add_some_rows (n, left, c);
  c.at (done);
}

/* What an iteration does when it takes on ROWS rows; one where that is NULL.  */
static gimple *
iteration (nest *n, tree rows)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, make_node (BLOCK));
  gimple_seq seq = NULL;
  push_gimplify_context ();
  if (rows)
    add_forms (n, rows, &seq);
  else
    seq = single (n);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

/* N's loop with steps of ROWS rows; of one where that is NULL.  */
static gomp_for *
jammed (nest *n, tree rows)
{
  const gomp_for *loop = n->from->loop;
  unsigned loops = gimple_omp_for_collapse (loop);
  gimple_seq body = NULL;
  gimple_seq_add_stmt (&body, iteration (n, rows));
  gomp_for *made = gimple_build_omp_for (body, gimple_omp_for_kind (loop),
					 NULL_TREE, loops, NULL);
  for (unsigned i = 0; i < loops; i++)
    {
      tree index = gimple_omp_for_index (loop, i);
      tree incr = gimple_omp_for_incr (loop, i);
      if (i == n->y->dim && rows)
	incr = build2 (PLUS_EXPR, TREE_TYPE (index), index,
		       fold_convert (TREE_TYPE (index), rows));
      gimple_omp_for_set_index (made, i, index);
      gimple_omp_for_set_initial (made, i, gimple_omp_for_initial (loop, i));
      gimple_omp_for_set_final (made, i, gimple_omp_for_final (loop, i));
      gimple_omp_for_set_cond (made, i, gimple_omp_for_cond (loop, i));
      gimple_omp_for_set_incr (made, i, incr);
    }
  return made;
}

/* A variable of TYPE, set in SEQ to the rows of a thread of N, or to others in
   other forms of the kernel.  */
static tree
add_most (const nest *n, tree type, gimple_seq *seq)
{
  tree most = code_temp (type, "most");
  code_set (most, build_int_cst (type, n->rows), seq);
  char text[100];
  int len = sprintf (text, "/* " ACR_ROWS_MAGIC " %%0 %d", n->rows);
  for (unsigned i = 0; i < n->others.length (); i++)
    len += sprintf (text + len, " %d", n->others[i]);
  strcpy (text + len, " */");
  gimple_seq_add_stmt (seq, code_opaque_copy (most, most, text));
  return most;
}

/* ---- Interface ---- */

static void
report (const region *r, const nest *n, const spmd_place *place,
	const char *why)
{
  if (place->ahead)
    remark_done (r->loc, "tiles begin where lines of the cache do\n");
  if (n->follow)
    remark_done (r->loc,
		 "strength reduction: of the addresses of a point, %u follow%s"
		 " from others\n",
		 n->follow, n->follow == 1 ? "s" : "");
  /* A single loop has no rows.  */
  if (!option_enabled (ACR_OPTION_JAM) || why == single_loop)
    return;
  if (why)
    remark_missed (r->loc, "loop nest: a thread computes one row: %s\n", why);
  else
    remark_done (r->loc, "loop nest: a thread computes %d rows\n", n->rows);
}

gomp_for *
jam_loop (const region *r, const spmd_nest *nest_of,
	  const spmd_sharing *sharing, spmd_place *place, gimple_seq *seq)
{
  if (optimize < 2 || optimize_size)
    return NULL;
  region scratch = {};
  scratch.stmt = r->stmt;
  scratch.what = r->what;
  scratch.loc = r->loc;
  operand_find (&scratch);
  affine_reset ();
  nest n = {};
  n.from = nest_of;
  line_make_nest (&n.l, &scratch, nest_of->before, nest_of->loop,
		  nest_of->prefix);
  if (!n.l.broken)
    flow_find (&n.l);

  bool jam = option_enabled (ACR_OPTION_JAM);
  const char *barred = bar (&n, sharing), *why = barred;
  if (!barred)
    find_places (&n);
  if (!barred && jam)
    why = choose_rows (&n);
  gomp_for *made = NULL;
  if (!why && jam)
    {
      spmd_space space;
      spmd_space_count (&space, nest_of->loop, sharing, seq);
      tree u = unsigned_type_for (TREE_TYPE (n.y->index));
      tree type = TREE_TYPE (space.total);
      n.most = add_most (&n, u, seq);
      tree threads = fold_build2 (MULT_EXPR, type, fold_convert (type, n.most),
				  build_int_cst (type, ACR_ROWS_THREADS));
      tree enough = fold_build2 (GE_EXPR, boolean_type_node, space.total,
				 code_value (threads, "threads", seq));
      tree rows = code_value (fold_build3 (COND_EXPR, u, enough, n.most,
					   build_one_cst (u)),
			      "rows", seq);
      made = jammed (&n, rows);
    }
  else if (!barred && option_enabled (ACR_OPTION_POINTER))
    made = jammed (&n, NULL_TREE);
  if (!barred && option_enabled (ACR_OPTION_ALIGN))
    place->ahead = align_tiles (&n.l, n.x, sharing, seq);
  report (r, &n, place, why);
  line_release (&n.l);
  region_release (&scratch);
  return made;
}

bool
jam_set_rows (const char *text)
{
  char *end;
  long n = strtol (text, &end, 10);
  if (*end || n < 1 || n > 16 || (n & (n - 1)))
    return false;
  max_rows = usual_rows = n;
  return true;
}

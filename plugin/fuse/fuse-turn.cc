/* Sums of columns are added up row by row, so that they can be fused with rows.

   A loop over columns, each of which is a sum along its rows, reads a matrix in
   the other order than its neighbour, a loop over rows.  As a sum may be added
   in any order where the program declares it as a reduction, its loops change
   places:

       for (j ...)	gang		    BEFORE  for (j ...)
	 {					      s[j] = 0;
	   t = 0;			    ROWS    for (i ...)	gang
	   for (i ...)	vector			      for (j ...)	vector
	     t += a[i][j] * r[i];	->		s[j] += a[i][j] * r[i];
	   s[j] = F (t, j);		    AFTER   for (j ...)
	 }					      s[j] = F (s[j], j);

   ROWS has the neighbour's form, and is fused with it by the rules for rows.
   BEFORE goes in front of both, AFTER behind both.

   Why that is the same, but for the order of the sum:

   - s[j] is another place for each j, since iterations of the loop over columns
     are independent and each stores there.  So between BEFORE and AFTER it is a
     variable of column j alone.
   - Neither of the fused bodies accesses it but by these sums: all other accesses
     are to other objects, by proof or by a test in front (sums_bar).  So what is
     in the way of BEFORE and AFTER, which pass the neighbour, are only these, and
     F, which loads nothing.
   - The bounds of either loop do not depend on the other.
   - Several threads add to one s[j]: atomically.
   - All three constructs find the same memory on the device, as all that they map
     is there before (fuse_need_present): nothing is copied between them.

   Needs: fuse_take.  Keeps: the source's construct; copies are made.  Breaks: the
   order in which declared reductions add.
   Source: R. Allen and K. Kennedy, "Optimizing Compilers for Modern
   Architectures", 5.2 (loop interchange); J. Filipovic et al., "Optimizing CUDA
   code by kernel fusion: application on BLAS", J. Supercomputing 71, 2015.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"
#include "base/code.h"
#include "spmd/spmd.h"

/* A loop over columns, taken apart.  */
struct columns
{
  fuse_shape shape;
  /* What an iteration executes: in front of the loop inside, and behind it.  */
  auto_vec<gimple *> head, tail;
  tree vars = NULL_TREE;
  /* The construct inside, and its loop.  */
  gimple *inner = NULL;
  gomp_for *loop = NULL;
  auto_vec<gimple *> body;
  tree body_vars = NULL_TREE;
  /* The variable that adds up, and what it begins with.  */
  tree sum, start = NULL_TREE;
  /* The store at the end of TAIL, and those of TAIL that its address needs.  */
  gimple *store = NULL;
  auto_vec<gimple *> address;
};

/* ---- Statements ---- */

struct use_search
{
  tree var;
  unsigned uses;
};

static tree
count_use (tree *tp, int *walk_subtrees, void *data)
{
  use_search *s = (use_search *) ((struct walk_stmt_info *) data)->info;
  s->uses += *tp == s->var;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* How often STMT names VAR.  */
static unsigned
uses_of (gimple *stmt, tree var)
{
  use_search s = { var, 0 };
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_op (stmt, count_use, &wi);
  return s.uses;
}

static bool
sets_p (const vec<gimple *> &stmts, tree var)
{
  for (unsigned i = 0; i < stmts.length (); i++)
    if (gimple_assign_lhs (stmts[i]) == var)
      return true;
  return false;
}

/* Does STMT only compute, or load if it may?  */
static bool
plain_p (gimple *stmt, bool loads)
{
  return is_gimple_assign (stmt) && !stmt_volatile_p (stmt)
	 && DECL_P (gimple_assign_lhs (stmt))
	 && register_p (gimple_assign_lhs (stmt))
	 && (loads || !gimple_assign_single_p (stmt)
	     || CONSTANT_CLASS_P (gimple_assign_rhs1 (stmt))
	     || (DECL_P (gimple_assign_rhs1 (stmt))
		 && register_p (gimple_assign_rhs1 (stmt))));
}

static bool
number_p (const_tree type)
{
  machine_mode mode = TYPE_MODE (type);
  return mode == SFmode || mode == DFmode
	 || (TREE_CODE (type) == INTEGER_TYPE
	     && (mode == SImode || mode == DImode));
}

/* ---- Taking apart ---- */

/* Sort the statements of C's outer loop.  */
static bool
take_outer (columns *c)
{
  auto_vec<gimple *> all;
  fuse_flatten (gimple_omp_body (c->shape.loop), &all, &c->vars);
  for (unsigned i = 0; i < all.length (); i++)
    if (gimple_code (all[i]) == GIMPLE_LABEL)
      continue;
    else if (fuse_level_p (all[i]))
      {
	if (c->inner)
	  return false;
	c->inner = all[i];
	if (gomp_for *loop = dyn_cast<gomp_for *> (all[i]))
	  {
	    fuse_flatten (gimple_omp_for_pre_body (loop), &c->head, &c->vars);
	    gimple_omp_for_set_pre_body (loop, NULL);
	  }
      }
    else if (c->store)
      return false;
    else if (!c->inner)
      c->head.safe_push (all[i]);
    else if (gimple_store_p (all[i]) || !plain_p (all[i], false))
      {
	if (!gimple_assign_single_p (all[i]) || !gimple_store_p (all[i])
	    || stmt_volatile_p (all[i])
	    || DECL_P (gimple_assign_lhs (all[i])))
	  return false;
	c->store = all[i];
      }
    else
      c->tail.safe_push (all[i]);
  for (unsigned i = 0; i < c->head.length (); i++)
    if (!plain_p (c->head[i], false) || !gimple_assign_single_p (c->head[i]))
      return false;
  return c->inner && c->store;
}

static bool
count_by_one_p (const gomp_for *loop)
{
  tree incr = gimple_omp_for_incr (loop, 0);
  tree_code cond = gimple_omp_for_cond (loop, 0);
  return gimple_omp_for_collapse (loop) == 1
	 && !gimple_omp_for_combined_p (loop)
	 && TREE_CODE (incr) == PLUS_EXPR && integer_onep (TREE_OPERAND (incr, 1))
	 && (cond == LT_EXPR || cond == LE_EXPR);
}

/* Find the loop inside of C's, its body and its reduction.  */
static bool
take_inside (columns *c)
{
  if (gimple_code (c->inner) == GIMPLE_OMP_PARALLEL)
    {
      auto_vec<gimple *> stmts;
      fuse_flatten (gimple_omp_body (c->inner), &stmts, NULL);
      c->loop = stmts.length () == 1 ? dyn_cast<gomp_for *> (stmts[0]) : NULL;
    }
  else
    c->loop = dyn_cast<gomp_for *> (c->inner);
  if (!c->loop || gimple_omp_for_pre_body (c->loop) || !count_by_one_p (c->loop)
      || !count_by_one_p (c->shape.loop))
    return false;
  tree clause = omp_find_clause (stmt_clauses (c->inner), OMP_CLAUSE_REDUCTION);
  if (!clause || OMP_CLAUSE_REDUCTION_CODE (clause) != PLUS_EXPR
      || OMP_CLAUSE_REDUCTION_PLACEHOLDER (clause)
      || omp_find_clause (OMP_CLAUSE_CHAIN (clause), OMP_CLAUSE_REDUCTION)
      || (c->inner != c->loop
	  && omp_find_clause (stmt_clauses (c->loop), OMP_CLAUSE_REDUCTION)))
    return false;
  c->sum = OMP_CLAUSE_DECL (clause);
  auto_vec<gimple *> all;
  fuse_flatten (gimple_omp_body (c->loop), &all, &c->body_vars);
  for (unsigned i = 0; i < all.length (); i++)
    if (gimple_code (all[i]) != GIMPLE_LABEL)
      c->body.safe_push (all[i]);
  return VAR_P (c->sum) && register_p (c->sum) && number_p (TREE_TYPE (c->sum))
	 && !c->body.is_empty ();
}

/* Does C's body add to the sum, once, at its end?  */
static bool
adds_up_p (const columns *c)
{
  unsigned last = c->body.length () - 1;
  for (unsigned i = 0; i <= last; i++)
    if (!plain_p (c->body[i], true)
	|| uses_of (c->body[i], c->sum) != (i == last ? 2 : 0))
      return false;
  gimple *add = c->body[last];
  return gimple_assign_lhs (add) == c->sum
	 && gimple_assign_rhs_code (add) == PLUS_EXPR;
}

/* What the sum begins with: a constant.  */
static bool
take_start (columns *c)
{
  for (unsigned i = 0; i < c->head.length (); i++)
    if (gimple_assign_lhs (c->head[i]) == c->sum)
      {
	if (c->start)
	  return false;
	c->start = gimple_assign_rhs1 (c->head[i]);
      }
    else if (uses_of (c->head[i], c->sum))
      return false;
  return c->start && CONSTANT_CLASS_P (c->start) && !sets_p (c->tail, c->sum);
}

/* Find the statements that compute where C stores.  False when that is made of
   more than the index and what is the same for all iterations.  */
static bool
take_address (columns *c)
{
  hash_set<tree> needed;
  collect_variables (gimple_assign_lhs_ptr (c->store), &needed);
  for (unsigned i = c->tail.length (); i-- > 0;)
    {
      gimple *stmt = c->tail[i];
      tree lhs = gimple_assign_lhs (stmt);
      if (!needed.contains (lhs))
	continue;
      needed.remove (lhs);
      c->address.safe_insert (0, stmt);
      for (unsigned k = 1; k < gimple_num_ops (stmt); k++)
	collect_variables (gimple_op_ptr (stmt, k), &needed);
    }
  for (hash_set<tree>::iterator i = needed.begin (); i != needed.end (); ++i)
    if (*i == c->sum || *i == gimple_omp_for_index (c->loop, 0)
	|| sets_p (c->head, *i) || sets_p (c->body, *i) || sets_p (c->tail, *i))
      return false;
  return TYPE_MAIN_VARIANT (TREE_TYPE (gimple_assign_lhs (c->store)))
	 == TYPE_MAIN_VARIANT (TREE_TYPE (c->sum));
}

/* What the bound B of C's loop inside is in front of both loops, or NULL.  */
static tree
outer_value (const columns *c, tree b)
{
  for (unsigned i = 0; i < c->head.length (); i++)
    if (gimple_assign_lhs (c->head[i]) == b)
      {
	tree from = gimple_assign_rhs1 (c->head[i]);
	if (!useless_type_conversion_p (TREE_TYPE (b), TREE_TYPE (from)))
	  return NULL_TREE;
	b = from;
	break;
      }
  if (CONSTANT_CLASS_P (b))
    return b;
  return DECL_P (b) && register_p (b) && !sets_p (c->head, b)
	     && !sets_p (c->tail, b) && !sets_p (c->body, b)
	     && !fuse_index_p (&c->shape, b)
	     && b != gimple_omp_for_index (c->loop, 0)
	   ? b
	   : NULL_TREE;
}

/* Does the code of C but for bounds use what is set in front of its loop
   inside?  That goes.  */
static bool
uses_head_p (const columns *c)
{
  for (unsigned i = 0; i < c->head.length (); i++)
    {
      tree var = gimple_assign_lhs (c->head[i]);
      for (unsigned k = 0; var != c->sum && k < c->body.length (); k++)
	if (uses_of (c->body[k], var))
	  return true;
      for (unsigned k = 0; var != c->sum && k < c->tail.length (); k++)
	if (uses_of (c->tail[k], var))
	  return true;
    }
  return false;
}

/* Take STMT, a copy, apart.  */
static bool
take (gomp_target *stmt, columns *c)
{
  if (!fuse_take (stmt, &c->shape) || !c->shape.rows || !take_outer (c)
      || !take_inside (c) || !adds_up_p (c) || !take_start (c)
      || !take_address (c) || uses_head_p (c))
    return false;
  tree x = gimple_omp_for_index (c->shape.loop, 0);
  tree y = gimple_omp_for_index (c->loop, 0);
  return DECL_P (x) && DECL_P (y) && register_p (x) && register_p (y)
	 && TYPE_MAIN_VARIANT (TREE_TYPE (x)) == TYPE_MAIN_VARIANT (TREE_TYPE (y))
	 && outer_value (c, gimple_omp_for_initial (c->loop, 0))
	 && outer_value (c, gimple_omp_for_final (c->loop, 0))
	 && !sets_p (c->body, x) && !sets_p (c->tail, x) && !sets_p (c->head, x);
}

/* ---- Putting together ---- */

/* Let C's outer loop have the body SEQ.  */
static void
set_body (columns *c, gimple_seq seq)
{
  gimple_seq all = NULL;
  gimple_seq_add_stmt_without_update (
    &all, gimple_build_bind (c->vars, seq, NULL_TREE));
  gimple_omp_set_body (c->shape.loop, all);
}

static void
add_copies (const vec<gimple *> &stmts, gimple_seq *seq)
{
  for (unsigned i = 0; i < stmts.length (); i++)
    gimple_seq_add_stmt_without_update (seq, gimple_copy (stmts[i]));
}

static tree
place_of (const columns *c)
{
  return unshare_expr (gimple_assign_lhs (c->store));
}

/* The construct that sets what the sums of C's begin with.  */
static gomp_target *
make_before (columns *c)
{
  gimple_seq seq = NULL;
  add_copies (c->address, &seq);
  gimple_seq_add_stmt_without_update (
    &seq, gimple_build_assign (place_of (c), c->start));
  set_body (c, seq);
  return c->shape.stmt;
}

/* The construct that makes results of C's sums.  */
static gomp_target *
make_after (columns *c)
{
  gimple_seq seq = NULL;
  add_copies (c->address, &seq);
  gimple_seq_add_stmt_without_update (
    &seq, gimple_build_assign (c->sum, place_of (c)));
  add_copies (c->tail, &seq);
  gimple_seq_add_stmt_without_update (&seq, gimple_copy (c->store));
  set_body (c, seq);
  return c->shape.stmt;
}

/* Let CONSTRUCT share VAR with the code around it.  */
static void
share (gimple *construct, tree var)
{
  gomp_parallel *parallel = dyn_cast<gomp_parallel *> (construct);
  if (!parallel)
    return;
  tree *clauses = gimple_omp_parallel_clauses_ptr (parallel);
  for (tree c = *clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (omp_clause_num_ops[OMP_CLAUSE_CODE (c)]
	&& OMP_CLAUSE_OPERAND (c, 0) == var)
      return;
  tree c = build_omp_clause (gimple_location (construct), OMP_CLAUSE_SHARED);
  OMP_CLAUSE_DECL (c) = var;
  OMP_CLAUSE_CHAIN (c) = *clauses;
  *clauses = c;
}

/* CONSTRUCT, C's inside, no longer reduces.  */
static void
drop_reduction (gimple *construct)
{
  gomp_parallel *parallel = dyn_cast<gomp_parallel *> (construct);
  tree *c = parallel ? gimple_omp_parallel_clauses_ptr (parallel)
		     : gimple_omp_for_clauses_ptr (construct);
  while (OMP_CLAUSE_CODE (*c) != OMP_CLAUSE_REDUCTION)
    c = &OMP_CLAUSE_CHAIN (*c);
  *c = OMP_CLAUSE_CHAIN (*c);
}

/* Let C's loops change places: each index counts what the other did.  */
static void
swap_bounds (columns *c)
{
  gomp_for *outer = c->shape.loop, *inner = c->loop;
  tree first = outer_value (c, gimple_omp_for_initial (inner, 0));
  tree last = outer_value (c, gimple_omp_for_final (inner, 0));
  tree_code cond = gimple_omp_for_cond (inner, 0);
  tree own[] = { gimple_omp_for_initial (outer, 0),
		 gimple_omp_for_final (outer, 0) };
  gimple_omp_for_set_initial (inner, 0, own[0]);
  gimple_omp_for_set_final (inner, 0, own[1]);
  gimple_omp_for_set_cond (inner, 0, gimple_omp_for_cond (outer, 0));
  gimple_omp_for_set_initial (outer, 0, first);
  gimple_omp_for_set_final (outer, 0, last);
  gimple_omp_for_set_cond (outer, 0, cond);
  for (unsigned i = 0; i < 2; i++)
    if (DECL_P (own[i]))
      share (c->inner, own[i]);
}

/* Add to SEQ, with variables in *VARS, where C stores, in code of the loop
   inside: the result is the place.  */
static tree
address_inside (columns *c, gimple_seq *seq, tree *vars)
{
  hash_map<tree, tree> map;
  hash_set<tree> outer;
  gimple_seq code = NULL;
  add_copies (c->address, &code);
  gimple *last = gimple_build_assign (place_of (c), c->start);
  gimple_seq_add_stmt_without_update (&code, last);
  for (unsigned i = 0; i < c->address.length (); i++)
    {
      tree var = gimple_assign_lhs (c->address[i]);
      if (!map.get (var))
	map.put (var, fuse_variable (TREE_TYPE (var), vars));
    }
  replace_variables (&code, &map);
  /* What it is made of besides.  */
  for (gimple_stmt_iterator gsi = gsi_start (code); !gsi_end_p (gsi);
       gsi_next (&gsi))
    for (unsigned k = 0; k < gimple_num_ops (gsi_stmt (gsi)); k++)
      collect_variables (gimple_op_ptr (gsi_stmt (gsi), k), &outer);
  for (hash_map<tree, tree>::iterator i = map.begin (); i != map.end (); ++i)
    outer.remove ((*i).second);
  outer.remove (gimple_omp_for_index (c->shape.loop, 0));
  auto_vec<tree> shared;
  decl_sorted (&outer, &shared);
  for (unsigned i = 0; i < shared.length (); i++)
    share (c->inner, shared[i]);
  gimple_stmt_iterator end = gsi_last (code);
  tree place = gimple_assign_lhs (last);
  gsi_remove (&end, false);
  gimple_seq_add_seq_without_update (seq, code);
  return place;
}

/* The construct that goes along the rows of C.  */
static gomp_target *
make_rows (columns *c)
{
  tree vars = c->body_vars, type = TREE_TYPE (c->sum);
  gimple_seq seq = NULL, all = NULL;
  gimple *add = c->body.pop ();
  tree place = address_inside (c, &seq, &vars);
  for (unsigned i = 0; i < c->body.length (); i++)
    gimple_seq_add_stmt_without_update (&seq, c->body[i]);
  tree old = fuse_sum_variable (type, &vars);
  tree sum = fuse_sum_variable (type, &vars);
  gimple_seq_add_stmt_without_update (&seq,
				      gimple_build_assign (old, place));
  hash_map<tree, tree> names;
  names.put (c->sum, old);
  gimple_seq adds = NULL;
  gimple_assign_set_lhs (add, sum);
  gimple_seq_add_stmt_without_update (&adds, add);
  replace_variables (&adds, &names);
  gimple_seq_add_seq_without_update (&seq, adds);
  gimple_seq_add_stmt_without_update (
    &seq, gimple_build_assign (unshare_expr (place), sum));
  tree x = gimple_omp_for_index (c->shape.loop, 0);
  tree y = gimple_omp_for_index (c->loop, 0);
  hash_map<tree, tree> indices;
  indices.put (x, y);
  indices.put (y, x);
  replace_variables (&seq, &indices);
  drop_reduction (c->inner);
  swap_bounds (c);
  gimple_seq_add_stmt_without_update (&all,
				      gimple_build_bind (vars, seq, NULL_TREE));
  gimple_omp_set_body (c->loop, all);
  all = NULL;
  gimple_seq_add_stmt_without_update (&all, c->inner);
  set_body (c, all);
  return c->shape.stmt;
}

static gomp_target *
make (gomp_target *stmt, gomp_target *(*make_one) (columns *))
{
  columns c;
  gomp_target *copy = fuse_copy (stmt);
  return take (copy, &c) ? make_one (&c) : NULL;
}

bool
fuse_turn (gomp_target *stmt, fuse_turned *to)
{
  to->source = stmt;
  to->rows = make (stmt, make_rows);
  if (!to->rows)
    return false;
  to->before = make (stmt, make_before);
  to->after = make (stmt, make_after);
  return to->before && to->after;
}

/* ---- Legality ---- */

/* Is A an access to the place of a sum?  */
static bool
sum_p (const line_access *a)
{
  return gimple_assign_single_p (a->stmt)
	 && (fuse_sum_p (gimple_assign_lhs (a->stmt))
	     || fuse_sum_p (gimple_assign_rhs1 (a->stmt)));
}

const char *
fuse_sums_bar (fusion *f)
{
  for (unsigned i = 0; i < f->l.accesses.length (); i++)
    {
      const line_access *a = &f->l.accesses[i];
      for (unsigned k = 0; sum_p (a) && k < f->l.accesses.length (); k++)
	{
	  const line_access *b = &f->l.accesses[k];
	  if (b->in && !sum_p (b)
	      && !depend_accesses_apart_p (&f->l, f->l.loops[0], a, b,
					   &f->guard))
	    return "sums of columns may be where one of them reads or stores";
	}
    }
  return fuse_guard_known_p (f, f->guard)
	   ? NULL
	   : "it depends on values that only the device knows";
}

/* ---- Is it worth it? ---- */

enum
{
  /* Bytes of sums that a team's threads keep, at the most.  */
  MOST_BYTES = SPMD_SUM_BYTES * ACR_SUMS_ROW,
  /* From so many bytes of a matrix and of its rows on, no sequence that was measured
     is slower (docs/fusion.md).  */
  LARGE_BYTES = 1 << 29,
  LONG_ROW = 48 << 10,
  /* A matrix of fewer bytes may be in the GPU's cache when it is read again, and the
     two constructs more are not worth it.  */
  USUAL_BYTES = 1 << 26
};

/* How many bytes a matrix and its rows must have at least.  */
static HOST_WIDE_INT least_bytes = LARGE_BYTES, least_row = LONG_ROW;

bool
fuse_turn_want (const char *text)
{
  char *end = NULL;
  least_bytes = text ? strtol (text, &end, 10) : (long) USUAL_BYTES;
  least_row = 1;
  return least_bytes > 0 && (!end || !*end);
}

/* Does an access of F that moves with both loops around it lie side by side along
   the one inside?  Threads that are neighbours have neighbouring iterations of
   that.  */
static bool
along_rows_p (const fusion *f, const line_access *a)
{
  affine along, over, rest;
  HOST_WIDE_INT bytes;
  const line_loop *inner = a->in, *outer = f->l.loops[0];
  if (!inner || inner == outer || !inner->index || a->address.n < 0)
    return true;
  if (!affine_split (&a->address, affine_index_symbol (inner), &along, &rest)
      || !affine_split (&a->address, affine_index_symbol (outer), &over, &rest))
    return false;
  return along.n == 0 || over.n == 0
	 || (affine_constant_p (&along, &bytes) && bytes == a->size);
}

/* The iterations of L, as the host computes them, or NULL.  */
static tree
trips_of (const line_loop *l)
{
  if (!l->index || l->first.n < 0 || l->bound.n < 0
      || affine_varies_p (&l->first) || affine_varies_p (&l->bound))
    return NULL_TREE;
  tree n = fold_build2 (MINUS_EXPR, ssizetype, affine_tree (&l->bound, ssizetype),
			affine_tree (&l->first, ssizetype));
  return l->cond == LE_EXPR
	   ? fold_build2 (PLUS_EXPR, ssizetype, n, ssize_int (1))
	   : n;
}

const char *
fuse_sums_pay_bar (fusion *f)
{
  for (unsigned i = 0; i < f->l.accesses.length (); i++)
    if (!along_rows_p (f, &f->l.accesses[i]))
      return "the matrix is not contiguous along the rows";
  for (unsigned i = 0; i < f->l.accesses.length (); i++)
    {
      const line_access *a = &f->l.accesses[i];
      if (!sum_p (a) || !a->in)
	continue;
      tree rows = trips_of (f->l.loops[0]), columns = trips_of (a->in);
      if (!rows || !columns)
	break;
      tree few = build2 (LE_EXPR, boolean_type_node, columns,
			 ssize_int (MOST_BYTES / a->size));
      tree enough = build2 (GE_EXPR, boolean_type_node, unshare_expr (columns),
			    ssize_int (CEIL (least_row, a->size)));
      tree bytes = fold_build2 (MULT_EXPR, ssizetype, rows,
				fold_build2 (MULT_EXPR, ssizetype,
					     unshare_expr (columns),
					     ssize_int (a->size)));
      tree large = build2 (GE_EXPR, boolean_type_node, bytes,
			   ssize_int (least_bytes));
      tree all = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, few, enough);
      all = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, all, large);
      if (!fuse_guard_known_p (f, all))
	break;
      f->guard = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, all, f->guard);
      return NULL;
    }
  return "the host does not know how large the matrix is";
}

/* ---- Are the kernels there? ---- */

/* Most programs have no such matrix: so these kernels are compiled when the program has
   come with one.  A number is one program's, or another's of a source of that name: then
   all kernels that have it are asked for, and it is as right.  */
static int
new_number (void)
{
  static unsigned made;
  unsigned file = htab_hash_string (remap_macro_filename (main_input_filename));
  int number = (file + ++made * 0x9E3779B9) & INT_MAX;
  return number ? number : 1;
}

static const char entry_name[] = "acr_ready";

bool
fuse_ready_call_p (const gcall *call)
{
  return call_named_p (call, entry_name);
}

tree
fuse_sums_ready (const fusion *f)
{
  int number = new_number ();
  region_asked (f->turned->before, number);
  region_asked (f->merged, number);
  region_asked (f->turned->after, number);
  tree fn = runtime_function (entry_name,
			      build_function_type_list (integer_type_node,
							integer_type_node,
							NULL_TREE));
  tree there = build2 (NE_EXPR, boolean_type_node, build_fold_addr_expr (fn),
		       null_pointer_node);
  tree says = build_call_expr (fn, 1, build_int_cst (integer_type_node, number));
  return build2 (TRUTH_ANDIF_EXPR, boolean_type_node, there,
		 build2 (NE_EXPR, boolean_type_node, says, integer_zero_node));
}

/* ---- Atomic updates ---- */

/* The address of REF, a pointer that SEQ may set, with a variable in *VARS.  */
static tree
pointer_to (tree ref, gimple_seq *seq, tree *vars)
{
  if (TREE_CODE (ref) == MEM_REF && integer_zerop (TREE_OPERAND (ref, 1))
      && DECL_P (TREE_OPERAND (ref, 0)))
    return TREE_OPERAND (ref, 0);
  tree address = build_fold_addr_expr (unshare_expr (ref));
  tree var = fuse_variable (TREE_TYPE (address), vars);
  gimple_seq_add_stmt_without_update (seq, gimple_build_assign (var, address));
  return var;
}

/* Let *GSI, which loads or stores a sum, be half of an atomic update.  */
static tree
make_atomic (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi), *half = NULL;
  gimple_seq seq = NULL;
  tree vars = NULL_TREE;
  if (!gimple_assign_single_p (stmt))
    return NULL_TREE;
  if (fuse_sum_p (gimple_assign_lhs (stmt)))
    half = gimple_build_omp_atomic_load (
      gimple_assign_lhs (stmt),
      pointer_to (gimple_assign_rhs1 (stmt), &seq, &vars),
      OMP_MEMORY_ORDER_RELAXED);
  else if (fuse_sum_p (gimple_assign_rhs1 (stmt)))
    half = gimple_build_omp_atomic_store (gimple_assign_rhs1 (stmt),
					  OMP_MEMORY_ORDER_RELAXED);
  if (!half)
    return NULL_TREE;
  gimple_set_location (half, gimple_location (stmt));
  gimple_seq_add_stmt_without_update (&seq, half);
  gsi_replace (gsi, vars ? gimple_build_bind (vars, seq, NULL_TREE) : half,
	       false);
  return NULL_TREE;
}

void
fuse_sums_finish (gomp_target *stmt)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (gimple_omp_body_ptr (stmt), make_atomic, NULL, &wi);
}

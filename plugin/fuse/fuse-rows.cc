/* Rows: loops whose iterations several threads share.

   The iterations of a loop over gangs or teams may have loops for the threads
   of one, and what stands beside these is done once for a row:

       #pragma acc parallel loop gang		      for (i ...)	gang
       for (i ...)					{
	 {						  s = 0;
	   s = 0;					  for (j ...)	vector
	   #pragma acc loop vector reduction (+:s)	    s += a[i][j] * x[j];
	   for (j ...)					  q[i] = s;
	     s += a[i][j] * x[j];		  ->	border:
	   q[i] = s;					  y[i] = q[i] + y[i];
	 }						}
       #pragma acc parallel loop
       for (i ...)
	 y[i] = q[i] + y[i];

   Two such loops are fused as others are: the directives inside stay, and the
   threads of a row come to the end of one before they go on.  A loop without
   rows behind one with rows gets its constructs; then it is for gangs or teams
   too, and each iteration is executed once.  That is as the source says, as any
   thread may execute any iteration; but it is slow where no SPMD kernel becomes
   of it.  So there must be one.  In front of one with rows it stays apart: a
   row's threads would wait for its first one before they begin (y = b y, then
   y += A x of 16384^2 floats took .372 ms on an H200 and .447 as one kernel).

   There, the first thread stores, which is a block of code of its own.  GCC
   moves arithmetic into it, and contracts products with sums in one block alone,
   and of two products in a sum the one that comes first.  So each product of a
   loop that becomes one of rows must have one use, at most with one sum of which
   the other operand is no product: then both move together or not at all.

   Needs: fuse_take of both.  Keeps: the source's constructs; only copies
   change.
   Source: OpenACC 3.2, 2.9.2 to 2.9.4 and 2.5; OpenMP 5.0, 2.7 to 2.9 and
   2.13.5.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"
#include "base/code.h"
#include "spmd/spmd.h"

/* ---- Levels ---- */

/* The place of the loop over teams or gangs among the constructs of SHAPE.  */
static unsigned
first_loop (const fuse_shape *shape)
{
  unsigned i = 0;
  while (gimple_code (fuse_level (shape, i)) != GIMPLE_OMP_FOR)
    i++;
  return i;
}

bool
fuse_rows_alike_p (const fuse_shape *a, const fuse_shape *b)
{
  if (!a->rows || b->rows)
    return false;
  unsigned n = first_loop (a);
  if (a->levels.length () != n + 1 || b->levels.length () <= n
      || first_loop (b) != n)
    return false;
  for (unsigned i = 0; i < n; i++)
    if (gimple_code (fuse_level (a, i)) != gimple_code (fuse_level (b, i)))
      return false;
  gimple *x = fuse_level (a, n), *y = fuse_level (b, n);
  return gimple_omp_for_kind (x) == gimple_omp_for_kind (y)
	 && gimple_omp_for_collapse (x) == gimple_omp_for_collapse (y);
}

/* Is C a clause about who executes a loop, that leaves the rest open?  */
static bool
who_p (const_tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_GANG:
    case OMP_CLAUSE_WORKER:
    case OMP_CLAUSE_VECTOR:
      return !OMP_CLAUSE_OPERAND (c, 0)
	     && (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_GANG
		 || !OMP_CLAUSE_OPERAND (c, 1));
    case OMP_CLAUSE_INDEPENDENT:
      return true;
    default:
      return false;
    }
}

/* Let the OpenACC loop MAP be for whom LIKE is.  */
static void
take_who (gimple *map, const gimple *like)
{
  tree *to = gimple_omp_for_clauses_ptr (map);
  while (*to)
    if (who_p (*to))
      *to = OMP_CLAUSE_CHAIN (*to);
    else
      to = &OMP_CLAUSE_CHAIN (*to);
  for (tree c = gimple_omp_for_clauses (like); c; c = OMP_CLAUSE_CHAIN (c))
    if (who_p (c))
      {
	*to = clause_copy (c);
	to = &OMP_CLAUSE_CHAIN (*to);
      }
  *to = NULL_TREE;
}

/* What becomes of a clause of a construct that goes.  */
enum fate
{
  FATE_BARS,
  FATE_GOES,
  /* It goes to the loop that stays, once.  */
  FATE_STAYS
};

static fate
fate_of (const fuse_shape *map, const_tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_SHARED:
    case OMP_CLAUSE_FIRSTPRIVATE:
    case OMP_CLAUSE_NOWAIT:
    case OMP_CLAUSE_DEFAULT:
      return FATE_GOES;
    case OMP_CLAUSE_COLLAPSE:
    case OMP_CLAUSE_PRIVATE:
      return FATE_STAYS;
    case OMP_CLAUSE_LINEAR:
      return fuse_index_p (map, OMP_CLAUSE_DECL (c)) ? FATE_GOES : FATE_BARS;
    default:
      return FATE_BARS;
    }
}

/* Is the clause C among CLAUSES?  */
static bool
there_p (tree clauses, tree c)
{
  for (; clauses; clauses = OMP_CLAUSE_CHAIN (clauses))
    if (OMP_CLAUSE_CODE (clauses) == OMP_CLAUSE_CODE (c)
	&& (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_COLLAPSE
	    || OMP_CLAUSE_DECL (clauses) == OMP_CLAUSE_DECL (c)))
      return true;
  return false;
}

/* Let TO have the clauses of CONSTRUCT, which goes.  False when it must not
   go.  */
static bool
take_clauses (const fuse_shape *map, gimple *construct, tree *to)
{
  for (tree c = stmt_clauses (construct), next; c; c = next)
    {
      next = OMP_CLAUSE_CHAIN (c);
      switch (fate_of (map, c))
	{
	case FATE_BARS:
	  return false;
	case FATE_GOES:
	  break;
	case FATE_STAYS:
	  if (there_p (*to, c))
	    break;
	  OMP_CLAUSE_CHAIN (c) = *to;
	  *to = c;
	}
    }
  return true;
}

/* Move what is declared inside of the construct at level N of MAP in front of
   it.  */
static void
move_locals (fuse_shape *map, unsigned n)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  tree vars = NULL_TREE;
  for (unsigned i = 0; i < map->locals.length (); i++)
    if (map->locals[i].depth > n)
      {
	DECL_CHAIN (map->locals[i].var) = vars;
	vars = map->locals[i].var;
      }
  gimple *loop = fuse_level (map, n);
  gsi_replace (&map->levels[n], bind, false);
  gimple_bind_set_vars (bind, vars);
  gimple_seq body = NULL;
  gimple_seq_add_stmt_without_update (&body, loop);
  gimple_bind_set_body (bind, body);
}

/* ---- Rounding ---- */

struct products
{
  /* Variables that products are in, and how often these are used.  */
  hash_map<tree, unsigned> uses;
  bool bars;
};

static bool
product_p (gimple *stmt)
{
  return is_gimple_assign (stmt)
	 && FLOAT_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)))
	 && (gimple_assign_rhs_code (stmt) == MULT_EXPR
	     || gimple_assign_rhs_code (stmt) == RDIV_EXPR);
}

static tree
note_product (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  products *p = (products *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (product_p (stmt) && p->uses.put (gimple_assign_lhs (stmt), 0))
    p->bars = true;
  return NULL_TREE;
}

/* May STMT use a product and give the same wherever it is moved?  */
static bool
harmless_p (products *p, gimple *stmt)
{
  if (!is_gimple_assign (stmt))
    return true;
  switch (gimple_assign_rhs_code (stmt))
    {
    case MULT_EXPR:
    case RDIV_EXPR:
    case FIX_TRUNC_EXPR:
      return true;
    case PLUS_EXPR:
    case MINUS_EXPR:
      return !p->uses.get (gimple_assign_rhs1 (stmt))
	     || !p->uses.get (gimple_assign_rhs2 (stmt));
    default:
      return gimple_store_p (stmt);
    }
}

static tree
note_uses (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  products *p = (products *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  for (unsigned i = is_gimple_assign (stmt); i < gimple_num_ops (stmt); i++)
    if (tree op = gimple_op (stmt, i))
      if (unsigned *uses = p->uses.get (op))
	if (++*uses > 1 || !harmless_p (p, stmt))
	  p->bars = true;
  return NULL_TREE;
}

/* May products in BODY be rounded otherwise where one thread of a row
   stores?  */
static bool
rounds_p (gimple_seq body)
{
  products p;
  p.bars = false;
  struct walk_stmt_info wi = {};
  wi.info = &p;
  walk_gimple_seq (body, note_product, NULL, &wi);
  walk_gimple_seq (body, note_uses, NULL, &wi);
  return p.bars;
}

/* ---- The same levels ---- */

/* Let the loop at level N of MAP, a copy, be over the body of the last one,
   which counts the same, without the constructs between.  */
static const char *
drop_levels (fuse_shape *map, unsigned n)
{
  static const char bar[] = "a clause about threads";
  gomp_for *loop = as_a<gomp_for *> (fuse_level (map, n));
  for (unsigned i = 0; i < map->before.length (); i++)
    if (map->before[i].depth > n)
      return "a statement between its constructs";
  tree kept = NULL_TREE;
  for (unsigned i = n; i < map->levels.length (); i++)
    if (!take_clauses (map, fuse_level (map, i), &kept))
      return bar;
  gimple_omp_for_set_clauses (loop, kept);
  gimple_omp_for_set_combined_p (loop, false);
  for (unsigned k = 0; k < gimple_omp_for_collapse (loop); k++)
    {
      gomp_for *last = map->loop;
      gimple_omp_for_set_index (loop, k, gimple_omp_for_index (last, k));
      gimple_omp_for_set_initial (loop, k, gimple_omp_for_initial (last, k));
      gimple_omp_for_set_final (loop, k, gimple_omp_for_final (last, k));
      gimple_omp_for_set_cond (loop, k, gimple_omp_for_cond (last, k));
      gimple_omp_for_set_incr (loop, k, gimple_omp_for_incr (last, k));
    }
  gimple_seq body = gimple_omp_body (map->loop);
  gimple_omp_set_body (map->loop, NULL);
  gimple_omp_set_body (loop, body);
  move_locals (map, n);
  return NULL;
}

static tree
find_bar (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  *handled = gimple_code (stmt) == GIMPLE_OMP_TEAMS
	     || (gimple_code (stmt) == GIMPLE_OMP_PARALLEL
		 && !gimple_omp_parallel_combined_p (stmt));
  return *handled ? integer_one_node : NULL_TREE;
}

const char *
fuse_level_rows (fusion *f)
{
  struct walk_stmt_info wi = {};
  if (!f->a.rows)
    return NULL;
  if (walk_gimple_seq (gimple_omp_body (f->a.loop), find_bar, NULL, &wi)
      || walk_gimple_seq (gimple_omp_body (f->b.loop), find_bar, NULL, &wi))
    return "constructs in its loop that are no loops";
  if (f->b.rows)
    return NULL;
  fuse_shape *rows = &f->a, *map = &f->b;
  unsigned n = first_loop (rows);
  if (rounds_p (gimple_omp_body (map->loop)))
    return "products that might be rounded otherwise";
  if (gimple_omp_for_kind (map->loop) == GF_OMP_FOR_KIND_OACC_LOOP)
    take_who (map->loop, rows->loop);
  else if (map->levels.length () > n + 1)
    {
      if (const char *why = drop_levels (map, n))
	return why;
      fuse_take (map->stmt, map);
    }
  return NULL;
}

/* ---- Variables of the threads ---- */

struct private_search
{
  tree var;
  bool is_private, elsewhere;
};

static tree
find_var (tree *tp, int *walk_subtrees, void *data)
{
  private_search *s
    = (private_search *) ((struct walk_stmt_info *) data)->info;
  s->elsewhere |= *tp == s->var;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return NULL_TREE;
}

static tree
find_private (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  private_search *s = (private_search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (!fuse_level_p (stmt))
    return NULL_TREE;
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
	&& OMP_CLAUSE_DECL (c) == s->var)
      s->is_private = *handled = true;
  return NULL_TREE;
}

bool
fuse_row_private_p (const fusion *f, tree var)
{
  private_search s = { var, false, false };
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_omp_body (f->a.loop), find_private, find_var, &wi);
  return s.is_private && !s.elsewhere;
}

/* ---- Statements of several threads ---- */

static tree
list_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  ((hash_set<gimple *> *) wi->info)->add (gsi_stmt (*gsi));
  return NULL_TREE;
}

void
fuse_list_within (gimple *construct, hash_set<gimple *> *stmts)
{
  struct walk_stmt_info wi = {};
  wi.info = stmts;
  if (gimple_code (construct) == GIMPLE_OMP_FOR)
    walk_gimple_seq (gimple_omp_for_pre_body (construct), list_stmt, NULL, &wi);
  walk_gimple_seq (gimple_omp_body (construct), list_stmt, NULL, &wi);
}

static tree
list_inside (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  *handled = fuse_level_p (gsi_stmt (*gsi));
  if (*handled)
    fuse_list_within (gsi_stmt (*gsi), (hash_set<gimple *> *) wi->info);
  return NULL_TREE;
}

void
fuse_list_shared (gimple_seq body, hash_set<gimple *> *stmts)
{
  struct walk_stmt_info wi = {};
  wi.info = stmts;
  walk_gimple_seq (body, list_inside, NULL, &wi);
}

/* ---- The kernel ---- */

const char *
fuse_rows_kernel_bar (fusion *f)
{
  if (!f->a.rows)
    return NULL;
  const spmd_nest *lone = NULL;
  spmd_loops loops;
  if (!option_enabled (ACR_OPTION_SPMD))
    return "no SPMD kernels are made";
  if (const char *why = spmd_compiler_why_not ())
    return why;
  access_spread (&f->r);
  return spmd_find_loops (&f->r, &loops, &lone);
}

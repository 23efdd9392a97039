/* Sums of columns that a team's threads keep in registers.

   In rows whose loop inside adds to one place for each of its iterations,

     for (i ...)				teams
       {
	 ...
	 for (j ...)				threads
	   s[j] += a[i][j] * r[i];		atomic
       }

   a thread has the same j in all of its team's rows: its own number, and so many
   threads further each time.  What it adds for the first of them, of SPMD_SUM_BYTES, stays
   in registers until the team has no more rows; then it is added to memory, once.
   Whatever comes behind these is added at once.

   As registers have no numbers, the iterations are written out; as many as there
   are begin together, so that their loads are under way at the same time.  Teams
   have ACR_SUMS_ROW threads for that: addresses are one with constant offsets then,
   and need no registers (with any number of threads, GCC keeps an address for each
   iteration: 255 registers and spills for BiCGK on sm_90).  Such teams, one a block,
   have the rows' code for themselves (spmd-kernel.cc); in teams of other sizes all is
   added at once.

   Only sums that the program has declared as reductions are marked (fuse-turn.cc),
   so that they may be added in any order.  No one else accesses the places
   meanwhile, by the same proof.  That the loop inside counts the same in each
   row, and by one, is said there, too.

   Needs: spmd_keeps_sums_p; atomic updates hidden.  Keeps: what is added to each
   place.  Breaks: the order of sums.
   Source: J. Filipovic et al., "Optimizing CUDA code by kernel fusion:
   application on BLAS", J. Supercomputing 71, 2015.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "spmd/spmd.h"

enum
{
  /* Bytes of a matrix that begin together, with 512 threads 32 KiB for a
     multiprocessor; and down to how many where there are fewer.  */
  BYTES_TOGETHER = 64,
  LEAST_BYTES = 16
};

/* ---- The marked update ---- */

/* The address that STMT is the beginning of a marked update for, or NULL; OLD
   becomes what it sets.  Updates in copies are not hidden.  */
static tree
sum_loaded (gimple *stmt, tree *old)
{
  gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt);
  tree address = load ? gimple_omp_atomic_load_rhs (load)
		      : spmd_atomic_loaded (stmt, old);
  if (load)
    *old = gimple_omp_atomic_load_lhs (load);
  return address && fuse_sum_p (*old) ? address : NULL_TREE;
}

/* The value that STMT is the end of one with, or NULL.  */
static tree
sum_stored (gimple *stmt)
{
  gomp_atomic_store *store = dyn_cast<gomp_atomic_store *> (stmt);
  tree value = store ? gimple_omp_atomic_store_val (store)
		     : spmd_atomic_stored (stmt);
  return fuse_sum_p (value) ? value : NULL_TREE;
}

/* The loop of a team's threads that has one.  */
struct sum_search
{
  gomp_for *loop;
  unsigned found;
  /* What the update begins with.  */
  gimple *load;
};

static tree
find_sum (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  sum_search *s = (sum_search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  tree old = NULL_TREE;
  if (gomp_for *loop = dyn_cast<gomp_for *> (stmt))
    {
      unsigned before = s->found;
      walk_gimple_seq (gimple_omp_body (loop), find_sum, NULL, wi);
      if (s->found > before)
	s->loop = loop;
    }
  else if (sum_loaded (stmt, &old))
    {
      s->load = stmt;
      s->found++;
    }
  return NULL_TREE;
}

static tree
find_sums (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  *handled = gimple_code (gsi_stmt (*gsi)) == GIMPLE_OMP_FOR;
  return find_sum (gsi, handled, wi);
}

/* Find the marked update in SEQ, which is not in a loop of a team's threads, or
   inside of one.  */
static sum_search
search (gimple_seq seq)
{
  sum_search s = {};
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (seq, find_sums, NULL, &wi);
  return s;
}

bool
spmd_keeps_sums_p (const spmd_nest *nest)
{
  if (!nest->split || nest->asks || nest->several || nest->launches)
    return false;
  sum_search s = search (gimple_omp_body (nest->loop));
  return s.found == 1 && s.loop;
}

bool
spmd_has_sum_p (const gomp_for *loop)
{
  return search (gimple_omp_body (loop)).found;
}

const gomp_for *
spmd_sum_loop (const spmd_nest *nest)
{
  return search (gimple_omp_body (nest->loop)).loop;
}

/* ---- What a thread has ---- */

void
spmd_start_sums (const spmd_nest *nest, spmd_sums *sums, gimple_seq *seq)
{
  code c = seq;
  sum_search s = search (gimple_omp_body (nest->loop));
  tree old = NULL_TREE;
  sum_loaded (s.load, &old);
  tree index = gimple_omp_for_index (s.loop, 0);
  tree type = TREE_TYPE (old);
  unsigned kept = SPMD_SUM_BYTES / tree_to_uhwi (TYPE_SIZE_UNIT (type));
  for (unsigned i = 0; i < kept; i++)
    sums->kept.safe_push (c.var (type, "sum", val (build_zero_cst (type))));
  sums->k = c.var (uint64_type_node, "k", 0);
  /* No row yet.  */
  sums->total = c.var (uint64_type_node, "total", 0);
  sums->first = c.var (TREE_TYPE (index), "first", 0);
}

/* ---- Iterations ---- */

static tree
keep_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  tree kept = (tree) wi->info, old = NULL_TREE;
  gimple *stmt = gsi_stmt (*gsi), *to = NULL;
  tree stored = sum_stored (stmt);
  if (sum_loaded (stmt, &old))
    to = gimple_build_assign (old, kept);
  else if (stored)
    to = gimple_build_assign (kept, stored);
  if (to)
    gsi_replace (gsi, to, true);
  return NULL_TREE;
}

/* The iterations of a loop, and who writes one.  */
struct sum_loop
{
  const spmd_space *space;
  const spmd_sums *sums;
  writer<gimple_seq *> body;
  val k, n, end;
  tree done;
  /* The bytes of one.  */
  unsigned size;
};

/* Add to C the iteration that adds to sum number I.  */
static void
add_one (const sum_loop *l, unsigned i, code c)
{
  struct walk_stmt_info wi = {};
  wi.info = l->sums->kept[i];
  gimple_seq own = NULL;
  spmd_space_set (l->space, l->k, c);
  l->body (&own);
  walk_gimple_seq_mod (&own, keep_stmt, NULL, &wi);
  gimple_seq_add_seq (c, own);
  c.set (l->k, l->k + l->n);
}

/* Add to C the iterations for the sums from number I on, of COUNT.  */
static void
add_some (const sum_loop *l, unsigned i, unsigned count, code c)
{
  if (count == 1)
    {
      c.need (l->k < l->end, l->done);
      add_one (l, i, c);
      return;
    }
  val last = c.let ("last", l->k + l->n * (count - 1));
  c.if_ (
    last < l->end,
    [&] {
      for (unsigned k = 0; k < count; k++)
	add_one (l, i + k, c);
    },
    [&] {
      unsigned part = count * l->size > LEAST_BYTES ? count / 2 : 1;
      for (unsigned k = 0; k < count; k += part)
	add_some (l, i + k, part, c);
    });
}

void
spmd_add_sums (const spmd_space *space, const spmd_place *place,
	       writer<gimple_seq *> body, code c)
{
  const spmd_sums *sums = place->sums;
  val k = c.var (uint64_type_node, "k", val (place->global_id));
  val width = place->all, end = space->total;
  c.loop_ ([&] (tree done) {
    c.if_ (width == ACR_SUMS_ROW, [&] {
      unsigned kept = sums->kept.length ();
      unsigned size = SPMD_SUM_BYTES / kept, count = BYTES_TOGETHER / size;
      sum_loop l
	= { space, sums, body, k, u64 (ACR_SUMS_ROW), end, done, size };
      c.set (sums->k, k);
      c.set (sums->total, end);
      c.set (sums->first, val (space->ranges[0].first)
			    .as (TREE_TYPE (sums->first)));
      for (unsigned i = 0; i < kept; i += count)
	add_some (&l, i, count, c);
    });
    c.while_ (k < end, [&] {
      spmd_space_set (space, k, c);
      body (c);
      c.set (k, k + width);
    });
    c.go (done);
  });
}

/* ---- The end ---- */

static tree
list_assignment (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  if (is_gimple_assign (gsi_stmt (*gsi)))
    ((auto_vec<gimple *> *) wi->info)->safe_push (gsi_stmt (*gsi));
  return NULL_TREE;
}

/* Add to C the computation of the address that LOAD, in LOOP of NEST, adds to when
   the loop's index is INDEX.  */
static tree
add_address (const spmd_sharing *sharing, const gomp_for *loop, gimple *load,
	     tree index, code c)
{
  auto_vec<gimple *> stmts, needed;
  hash_set<tree> names;
  hash_map<tree, tree> map;
  struct walk_stmt_info wi = {};
  tree old, address = sum_loaded (load, &old);
  wi.info = &stmts;
  walk_gimple_seq (gimple_omp_body (loop), list_assignment, NULL, &wi);
  collect_variables (&address, &names);
  for (unsigned i = stmts.length (); i-- > 0;)
    {
      tree lhs = gimple_assign_lhs (stmts[i]);
      if (!names.contains (lhs))
	continue;
      names.remove (lhs);
      needed.safe_insert (0, stmts[i]);
      for (unsigned k = 1; k < gimple_num_ops (stmts[i]); k++)
	collect_variables (gimple_op_ptr (stmts[i], k), &names);
    }
  map.put (gimple_omp_for_index (loop, 0), index);
  gimple_seq seq = NULL;
  for (unsigned i = 0; i < needed.length (); i++)
    {
      tree lhs = gimple_assign_lhs (needed[i]);
      if (!map.get (lhs))
	map.put (lhs, code_temp (TREE_TYPE (lhs), "at"));
      gimple_seq_add_stmt_without_update (&seq, gimple_copy (needed[i]));
    }
  tree at = code_temp (TREE_TYPE (address), "at");
  gimple_seq_add_stmt_without_update (
    &seq, gimple_build_assign (at, unshare_expr (address)));
  replace_variables (&seq, &map);
  spmd_replace (sharing, &seq);
  gimple_seq_add_seq (c, seq);
  return at;
}

void
spmd_end_sums (const spmd_nest *nest, const spmd_sharing *sharing,
	       const spmd_sums *sums, gimple_seq *seq)
{
  code c = seq;
  sum_search s = search (gimple_omp_body (nest->loop));
  tree clause = build_omp_clause (UNKNOWN_LOCATION, OMP_CLAUSE_REDUCTION);
  OMP_CLAUSE_REDUCTION_CODE (clause) = PLUS_EXPR;
  tree type = TREE_TYPE (sums->first);
  val k = sums->k;
  c.loop_ ([&] (tree done) {
    for (unsigned i = 0; i < sums->kept.length (); i++)
      {
	c.need (k < sums->total, done);
	val index = c.let ("index", val (sums->first) + k.as (type));
	tree address = add_address (sharing, s.loop, s.load, index, c);
	spmd_update (clause, address, sums->kept[i], c);
	c.set (k, k + ACR_SUMS_ROW);
      }
    c.go (done);
  });
}

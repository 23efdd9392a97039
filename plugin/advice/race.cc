/* Mapped scalars that the threads of a region take from each other.

   A scalar that a region maps is one variable for all its threads.  Where
   iterations of a shared loop both read and write it, other than by an atomic
   or a reduction, threads see each other's values, which is hardly meant.

   Scalars that are only set are left alone: often all threads set them to the
   same.  So are those of which private.cc has given each iteration its own.

   Needs: GIMPLE before omp-low; object_scan.  Keeps: all code.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice/advice.h"

struct search
{
  /* Scalars that the region maps, or pointers to them.  */
  hash_set<tree> mapped;
  /* Those that a construct around the current statement makes others.  */
  hash_map<tree, unsigned> hidden;
  /* Shared loops around it, and constructs that let one thread in.  */
  unsigned shared = 0, alone = 0;
  /* The clauses let one team work, which may hand values on.  */
  bool one_team = false;
  hash_set<tree> read, written;
};

/* The variable that stands for the scalar REF, or NULL.  */
static tree
scalar_of (tree ref)
{
  if (!is_gimple_reg_type (TREE_TYPE (ref)))
    return NULL_TREE;
  if (VAR_P (ref) || TREE_CODE (ref) == PARM_DECL)
    return ref;
  if (TREE_CODE (ref) != MEM_REF && !INDIRECT_REF_P (ref))
    return NULL_TREE;
  tree at = object_of_reference (ref).var;
  return at && DECL_P (at) && TREE_CODE (TREE_TYPE (at)) == REFERENCE_TYPE
	   ? at
	   : NULL_TREE;
}

static void
find_mapped (search *s, const gomp_target *stmt)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP)
      if (tree var = scalar_of (OMP_CLAUSE_DECL (c)))
	if (!POINTER_TYPE_P (TREE_TYPE (OMP_CLAUSE_DECL (c))))
	  s->mapped.add (var);
}

static void
note (search *s, tree ref, bool write)
{
  tree var = ref ? scalar_of (ref) : NULL_TREE;
  unsigned *hidden = var ? s->hidden.get (var) : NULL;
  if (var && s->shared && !s->alone && s->mapped.contains (var)
      && (!hidden || !*hidden))
    (write ? s->written : s->read).add (var);
}

static void
note_statement (search *s, gimple *stmt)
{
  if (is_gimple_assign (stmt) && !gimple_clobber_p (stmt))
    for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
      note (s, gimple_op (stmt, i), false);
  else if (gcond *cond = dyn_cast<gcond *> (stmt))
    {
      note (s, gimple_cond_lhs (cond), false);
      note (s, gimple_cond_rhs (cond), false);
    }
  else if (is_gimple_call (stmt))
    for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
      note (s, gimple_call_arg (stmt, i), false);
  if (!gimple_clobber_p (stmt))
    note (s, gimple_get_lhs (stmt), true);
}

/* STMT begins, or with BY -1 ends, to make its clauses' variables others.  */
static void
hide (search *s, gimple *stmt, int by)
{
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_LINEAR:
      case OMP_CLAUSE_REDUCTION:
	if (DECL_P (OMP_CLAUSE_DECL (c)))
	  s->hidden.get_or_insert (OMP_CLAUSE_DECL (c)) += by;
	break;
      default:
	break;
      }
}

static bool
shared_loop_p (const search *s, gimple *stmt)
{
  gomp_for *loop = dyn_cast<gomp_for *> (stmt);
  if (!loop)
    return false;
  tree clauses = gimple_omp_for_clauses (loop);
  switch (gimple_omp_for_kind (loop))
    {
    case GF_OMP_FOR_KIND_OACC_LOOP:
      return !omp_find_clause (clauses, OMP_CLAUSE_SEQ)
	     && !omp_find_clause (clauses, OMP_CLAUSE_AUTO);
    case GF_OMP_FOR_KIND_DISTRIBUTE:
      return !s->one_team;
    case GF_OMP_FOR_KIND_FOR:
      return true;
    default:
      return false;
    }
}

static bool
one_at_a_time_p (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_CRITICAL:
    case GIMPLE_OMP_MASKED:
    case GIMPLE_OMP_MASTER:
    case GIMPLE_OMP_ORDERED:
    case GIMPLE_OMP_SINGLE:
      return true;
    default:
      return false;
    }
}

static tree
look_at (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  search *s = (search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (!is_gimple_omp (stmt))
    {
      note_statement (s, stmt);
      return NULL_TREE;
    }
  bool loop = shared_loop_p (s, stmt), alone = one_at_a_time_p (stmt);
  if (!gimple_has_substatements (stmt))
    return NULL_TREE;
  hide (s, stmt, 1);
  s->shared += loop;
  s->alone += alone;
  struct walk_stmt_info inner = {};
  inner.info = s;
  walk_gimple_seq (gimple_omp_body (stmt), look_at, NULL, &inner);
  s->alone -= alone;
  s->shared -= loop;
  hide (s, stmt, -1);
  *handled = true;
  return NULL_TREE;
}

void
advise_race (const region *r)
{
  search s;
  find_mapped (&s, r->stmt);
  tree teams = omp_find_clause (gimple_omp_target_clauses (r->stmt),
				OMP_CLAUSE_NUM_TEAMS);
  s.one_team = teams && integer_onep (OMP_CLAUSE_OPERAND (teams, 0));
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_omp_body (r->stmt), look_at, NULL, &wi);
  name_list names;
  for (tree c = gimple_omp_target_clauses (r->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    {
      tree var = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
		   ? scalar_of (OMP_CLAUSE_DECL (c))
		   : NULL_TREE;
      if (var && s.read.contains (var) && s.written.contains (var))
	names.add (name_of_variable (var));
    }
  if (!names.any ())
    return;
  char *text = names.text ();
  remark_missed (r->loc,
		 "%s region: probable race on %s, which all its threads read"
		 " and write: make it a reduction, private or atomic\n",
		 construct_words (r->what), text);
  free (text);
}

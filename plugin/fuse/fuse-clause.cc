/* Clauses of two constructs that become one.

   A clause that shares a variable is there once.  Clauses about who executes
   what must say the same twice.  What may be seen by others, or asks for
   numbers of threads, bars the fusion, as does every clause that is not in the
   tables.

   Needs: copies of both constructs.  Breaks: the clauses of the first copy.
   Source: OpenMP 5.0, 2.7 to 2.9, 2.12.5 and 2.19; OpenACC 3.2, 2.5 and 2.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

enum treatment
{
  /* Bars the fusion; also all that is in no table.  */
  CLAUSE_BARS,
  /* About a variable; one remains.  */
  CLAUSE_SHARES,
  /* A reduction; of other variables than the other construct's.  */
  CLAUSE_REDUCES,
  /* There in both, with the same operands.  */
  CLAUSE_SAME,
  /* An upper limit that GCC adds itself, when it is no number.  */
  CLAUSE_OPEN,
  /* Says nothing any more.  */
  CLAUSE_SPENT,
  /* About the loop's own variable.  */
  CLAUSE_COUNTS,
  /* fuse-map.cc's.  */
  CLAUSE_MAPS
};

struct clause_row
{
  omp_clause_code code;
  treatment how;
};

static const clause_row of_levels[] = {
  { OMP_CLAUSE_SHARED, CLAUSE_SHARES },
  { OMP_CLAUSE_PRIVATE, CLAUSE_SHARES },
  { OMP_CLAUSE_FIRSTPRIVATE, CLAUSE_SHARES },
  { OMP_CLAUSE_REDUCTION, CLAUSE_REDUCES },
  { OMP_CLAUSE_LINEAR, CLAUSE_COUNTS },
  { OMP_CLAUSE_COLLAPSE, CLAUSE_SAME },
  { OMP_CLAUSE_BIND, CLAUSE_SAME },
  { OMP_CLAUSE_ORDER, CLAUSE_SAME },
  { OMP_CLAUSE_INDEPENDENT, CLAUSE_SAME },
  { OMP_CLAUSE_GANG, CLAUSE_SAME },
  { OMP_CLAUSE_WORKER, CLAUSE_SAME },
  { OMP_CLAUSE_VECTOR, CLAUSE_SAME },
  { OMP_CLAUSE_SCHEDULE, CLAUSE_SAME },
  { OMP_CLAUSE_DIST_SCHEDULE, CLAUSE_SAME },
  { OMP_CLAUSE_NUM_TEAMS, CLAUSE_OPEN },
  { OMP_CLAUSE_THREAD_LIMIT, CLAUSE_OPEN },
  { OMP_CLAUSE_NOWAIT, CLAUSE_SPENT },
  { OMP_CLAUSE_DEFAULT, CLAUSE_SPENT },
};

static const clause_row of_targets[] = {
  { OMP_CLAUSE_MAP, CLAUSE_MAPS },
  { OMP_CLAUSE_FIRSTPRIVATE, CLAUSE_SHARES },
  { OMP_CLAUSE_IS_DEVICE_PTR, CLAUSE_SHARES },
  { OMP_CLAUSE_REDUCTION, CLAUSE_REDUCES },
  { OMP_CLAUSE_NUM_TEAMS, CLAUSE_OPEN },
  { OMP_CLAUSE_THREAD_LIMIT, CLAUSE_OPEN },
  { OMP_CLAUSE_NUM_GANGS, CLAUSE_SAME },
  { OMP_CLAUSE_NUM_WORKERS, CLAUSE_SAME },
  { OMP_CLAUSE_VECTOR_LENGTH, CLAUSE_SAME },
  { OMP_CLAUSE_ASYNC, CLAUSE_SAME },
  { OMP_CLAUSE_IF, CLAUSE_SAME },
  { OMP_CLAUSE_DEVICE, CLAUSE_SAME },
  { OMP_CLAUSE_DEFAULT, CLAUSE_SPENT },
  { OMP_CLAUSE_DEFAULTMAP, CLAUSE_SPENT },
};

/* The rows of one kind of construct.  */
struct clause_table
{
  const clause_row *rows;
  unsigned n;
};

static const clause_table levels = { of_levels, ARRAY_SIZE (of_levels) };
static const clause_table targets = { of_targets, ARRAY_SIZE (of_targets) };

static treatment
treatment_of (const clause_table &t, const_tree c)
{
  for (unsigned i = 0; i < t.n; i++)
    if (t.rows[i].code == OMP_CLAUSE_CODE (c))
      return t.rows[i].how;
  return CLAUSE_BARS;
}

/* ---- Questions ---- */

/* Do the clauses A and B, of one code, have the same operands?  */
static bool
same_operands_p (fusion *f, tree a, tree b)
{
  for (int i = 0; i < omp_clause_num_ops[OMP_CLAUSE_CODE (a)]; i++)
    {
      tree x = OMP_CLAUSE_OPERAND (a, i), y = OMP_CLAUSE_OPERAND (b, i);
      if ((!x != !y) || (x && !fuse_same_value_p (f, x, y)))
	return false;
    }
  switch (OMP_CLAUSE_CODE (a))
    {
    case OMP_CLAUSE_IF:
      return OMP_CLAUSE_IF_MODIFIER (a) == OMP_CLAUSE_IF_MODIFIER (b);
    case OMP_CLAUSE_BIND:
      return OMP_CLAUSE_BIND_KIND (a) == OMP_CLAUSE_BIND_KIND (b);
    case OMP_CLAUSE_SCHEDULE:
      return OMP_CLAUSE_SCHEDULE_KIND (a) == OMP_CLAUSE_SCHEDULE_KIND (b);
    case OMP_CLAUSE_ORDER:
      return OMP_CLAUSE_ORDER_UNCONSTRAINED (a)
	     == OMP_CLAUSE_ORDER_UNCONSTRAINED (b);
    default:
      return true;
    }
}

/* Is the number in C left open?  */
static bool
open_p (const_tree c)
{
  for (int i = 0; i < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; i++)
    if (tree n = OMP_CLAUSE_OPERAND (c, i))
      if (!tree_fits_shwi_p (n) || tree_to_shwi (n) > 0)
	return false;
  return true;
}

/* The clause among CLAUSES that says what VAR is, or NULL.  */
static tree
sharing_of (tree clauses, tree var)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_SHARED:
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_IS_DEVICE_PTR:
      case OMP_CLAUSE_MAP:
      case OMP_CLAUSE_LINEAR:
	if (OMP_CLAUSE_DECL (c) == var)
	  return c;
	break;
      default:
	break;
      }
  return NULL_TREE;
}

/* ---- Merging ---- */

struct merging
{
  fusion *f;
  const clause_table *table;
  tree *to;
  tree from;
};

static void
add_clause (merging *m, tree c)
{
  OMP_CLAUSE_CHAIN (c) = *m->to;
  *m->to = c;
}

/* Take the clause C, which shares a variable.  */
static const char *
take_sharing (merging *m, tree c)
{
  tree var = OMP_CLAUSE_DECL (c), other = sharing_of (*m->to, var);
  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
      && fuse_index_p (&m->f->b, var))
    return NULL;
  if (!other)
    add_clause (m, c);
  else if (OMP_CLAUSE_CODE (other) != OMP_CLAUSE_CODE (c))
    return "a variable that is the threads' own in one of them";
  return NULL;
}

static const char reduced[] = "it reduces or reads what the one before reduces";

/* Why the clause C of the construct that SHAPE is about bars the fusion,
   whatever the other construct says.  */
static const char *
clause_bar (const merging *m, const fuse_shape *shape, tree c)
{
  switch (treatment_of (*m->table, c))
    {
    case CLAUSE_BARS:
      return clause_bar_text (c, "");
    case CLAUSE_OPEN:
      return open_p (c) ? NULL : clause_bar_text (c, "");
    case CLAUSE_COUNTS:
      return fuse_index_p (shape, OMP_CLAUSE_DECL (c)) ? NULL
						       : clause_bar_text (c, "");
    case CLAUSE_REDUCES:
      return OMP_CLAUSE_REDUCTION_PLACEHOLDER (c)
		 || !DECL_P (OMP_CLAUSE_DECL (c))
	       ? "a reduction by the program's own code, or of an array"
	       : NULL;
    default:
      return NULL;
    }
}

/* Why the clause C of the first construct bars the fusion.  */
static const char *
first_bar (const merging *m, tree c)
{
  if (const char *why = clause_bar (m, &m->f->a, c))
    return why;
  treatment how = treatment_of (*m->table, c);
  if (how == CLAUSE_SAME && !omp_find_clause (m->from, OMP_CLAUSE_CODE (c)))
    return clause_bar_text (c, "");
  return how == CLAUSE_REDUCES && sharing_of (m->from, OMP_CLAUSE_DECL (c))
	   ? reduced
	   : NULL;
}

/* Take the clause C of the second.  */
static const char *
take_clause (merging *m, tree c)
{
  if (const char *why = clause_bar (m, &m->f->b, c))
    return why;
  tree other;
  switch (treatment_of (*m->table, c))
    {
    case CLAUSE_SHARES:
      return take_sharing (m, c);
    case CLAUSE_REDUCES:
      if (sharing_of (*m->to, OMP_CLAUSE_DECL (c)))
	return reduced;
      add_clause (m, c);
      return NULL;
    case CLAUSE_SAME:
      other = omp_find_clause (*m->to, OMP_CLAUSE_CODE (c));
      return other && same_operands_p (m->f, other, c) ? NULL
						       : clause_bar_text (c, "");
    default:
      return NULL;
    }
}

static const char *
merge_clauses (merging *m)
{
  for (tree c = *m->to; c; c = OMP_CLAUSE_CHAIN (c))
    if (const char *why = first_bar (m, c))
      return why;
  for (tree c = m->from, next; c; c = next)
    {
      next = OMP_CLAUSE_CHAIN (c);
      if (const char *why = take_clause (m, c))
	return why;
    }
  return NULL;
}

tree *
fuse_clauses_of (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_TEAMS:
      return gimple_omp_teams_clauses_ptr (as_a<gomp_teams *> (stmt));
    case GIMPLE_OMP_PARALLEL:
      return gimple_omp_parallel_clauses_ptr (as_a<gomp_parallel *> (stmt));
    case GIMPLE_OMP_FOR:
      return gimple_omp_for_clauses_ptr (stmt);
    default:
      return gimple_omp_target_clauses_ptr (stmt);
    }
}

const char *
fuse_merge_level (fusion *f, unsigned i)
{
  merging m = { f, &levels, fuse_clauses_of (fuse_level (&f->a, i)),
		*fuse_clauses_of (fuse_level (&f->b, i)) };
  return merge_clauses (&m);
}

const char *
fuse_merge_target (fusion *f)
{
  /* Maps first have a chain of their own: the others are taken away.  */
  auto_vec<tree> maps;
  fuse_list_maps (*fuse_clauses_of (f->b.stmt), &maps);
  merging m = { f, &targets, fuse_clauses_of (f->a.stmt),
		*fuse_clauses_of (f->b.stmt) };
  const char *why = merge_clauses (&m);
  return why ? why : fuse_merge_maps (f, maps);
}

/* The loop nest of a region and its reductions.

   The nest is the first chain of loops that directives speak of: a loop, the
   next such loop inside it, and so on.  Combined constructs (distribute
   parallel for simd) are several loops to GCC over one and the same range;
   they count once, with the parallelism of all.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: OpenMP 5.0, 2.9; OpenACC 3.2, 2.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

/* Add the letter C to the set PAR.  */
static void
add_letter (char *par, char c)
{
  if (!strchr (par, c))
    {
      size_t len = strlen (par);
      par[len] = c;
      par[len + 1] = '\0';
    }
}

/* What the directive of LOOP says about its parallelism, added to PAR.  */
static void
add_parallelism (const gomp_for *loop, char *par)
{
  switch (gimple_omp_for_kind (loop))
    {
    case GF_OMP_FOR_KIND_DISTRIBUTE:
      add_letter (par, 'g');
      return;
    case GF_OMP_FOR_KIND_FOR:
    case GF_OMP_FOR_KIND_SIMD:
    case GF_OMP_FOR_KIND_TASKLOOP:
      add_letter (par, 'v');
      return;
    default:
      break;
    }
  static const struct
  {
    omp_clause_code code;
    char letter;
  } letters[] = {
    { OMP_CLAUSE_GANG, 'g' },	 { OMP_CLAUSE_WORKER, 'w' },
    { OMP_CLAUSE_VECTOR, 'v' },	 { OMP_CLAUSE_SEQ, 's' },
  };
  tree clauses = gimple_omp_for_clauses (loop);
  bool said = false;
  for (unsigned i = 0; i < ARRAY_SIZE (letters); i++)
    if (omp_find_clause (clauses, letters[i].code))
      {
	add_letter (par, letters[i].letter);
	said = true;
      }
  if (!said)
    add_letter (par, 'a');
}

static bool
invariant_p (tree expr)
{
  STRIP_NOPS (expr);
  return CONSTANT_CLASS_P (expr) || DECL_P (expr)
	 || TREE_CODE (expr) == SSA_NAME;
}

long long
nest_trip_count (const gomp_for *loop, size_t i)
{
  tree first = gimple_omp_for_initial (loop, i);
  tree last = gimple_omp_for_final (loop, i);
  tree incr = gimple_omp_for_incr (loop, i);
  if (!BINARY_CLASS_P (incr) && TREE_CODE (incr) != POINTER_PLUS_EXPR)
    return ACR_TRIP_UNKNOWN;
  tree step_expr = TREE_OPERAND (incr, 1);
  if (!tree_fits_shwi_p (first) || !tree_fits_shwi_p (last)
      || !tree_fits_shwi_p (step_expr))
    return invariant_p (first) && invariant_p (last) && invariant_p (step_expr)
	     ? ACR_TRIP_SYMBOLIC
	     : ACR_TRIP_UNKNOWN;

  /* Bounds this large are not worth the care about overflow.  */
  const HOST_WIDE_INT big = HOST_WIDE_INT_1 << 61;
  HOST_WIDE_INT lo = tree_to_shwi (first), hi = tree_to_shwi (last);
  HOST_WIDE_INT step = tree_to_shwi (step_expr);
  if (TREE_CODE (incr) == MINUS_EXPR)
    step = -step;
  if (!IN_RANGE (lo, -big, big) || !IN_RANGE (hi, -big, big) || step == 0
      || !IN_RANGE (step, -big, big))
    return ACR_TRIP_UNKNOWN;
  switch (gimple_omp_for_cond (loop, i))
    {
    case LT_EXPR:
      hi--;
      break;
    case GT_EXPR:
      hi++;
      break;
    case LE_EXPR:
    case GE_EXPR:
      break;
    default:
      return ACR_TRIP_UNKNOWN;
    }
  HOST_WIDE_INT count = (hi - lo) / step + 1;
  return (step > 0 ? hi < lo : hi > lo) ? 0 : count;
}

struct nest_walk
{
  region *r;
  /* Letters of the combined constructs around.  */
  char par[sizeof (acr_loop::par)];
};

static tree
nest_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  nest_walk *w = (nest_walk *) wi->info;
  gomp_for *loop = dyn_cast<gomp_for *> (gsi_stmt (*gsi));
  if (!loop)
    return NULL_TREE;
  *handled = true;
  add_parallelism (loop, w->par);
  if (!gimple_omp_for_combined_p (loop))
    {
      for (size_t i = 0; i < gimple_omp_for_collapse (loop); i++)
	{
	  acr_loop l = {};
	  memcpy (l.par, w->par, sizeof l.par);
	  l.trip = nest_trip_count (loop, i);
	  w->r->loops.safe_push (l);
	}
      w->par[0] = '\0';
    }
  struct walk_stmt_info inner = {};
  inner.info = w;
  walk_gimple_seq (gimple_omp_body (loop), nest_stmt, NULL, &inner);
  /* The first chain only.  */
  return integer_one_node;
}

static void
add_reductions (region *r, tree clauses)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    {
      if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_REDUCTION)
	continue;
      tree base = reference_base (OMP_CLAUSE_DECL (c));
      if (TREE_CODE (base) == MEM_REF || INDIRECT_REF_P (base))
	base = TREE_OPERAND (base, 0);
      if (TREE_CODE (base) == ADDR_EXPR)
	base = TREE_OPERAND (base, 0);
      acr_reduction red = { op_symbol_code (OMP_CLAUSE_REDUCTION_CODE (c)),
			    DECL_P (base) && DECL_NAME (base)
			      ? IDENTIFIER_POINTER (DECL_NAME (base))
			      : "" };
      bool known = false;
      for (unsigned i = 0; i < r->reds.length (); i++)
	known |= !strcmp (r->reds[i].op, red.op)
		 && !strcmp (r->reds[i].name, red.name);
      if (!known)
	r->reds.safe_push (red);
    }
}

static tree
reduction_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  region *r = (region *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_FOR:
      add_reductions (r, gimple_omp_for_clauses (stmt));
      break;
    case GIMPLE_OMP_PARALLEL:
      add_reductions (r, gimple_omp_parallel_clauses (stmt));
      break;
    case GIMPLE_OMP_TEAMS:
      add_reductions (r, gimple_omp_teams_clauses (as_a<gomp_teams *> (stmt)));
      break;
    default:
      break;
    }
  return NULL_TREE;
}

void
nest_find (region *r)
{
  nest_walk w = { r, "" };
  struct walk_stmt_info wi = {};
  wi.info = &w;
  walk_gimple_seq (gimple_omp_body (r->stmt), nest_stmt, NULL, &wi);

  add_reductions (r, gimple_omp_target_clauses (r->stmt));
  struct walk_stmt_info all = {};
  all.info = r;
  walk_gimple_seq (gimple_omp_body (r->stmt), reduction_stmt, NULL, &all);
}

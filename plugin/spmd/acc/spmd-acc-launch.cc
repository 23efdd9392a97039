/* What the SPMD kernel of an OpenACC region is launched with.

   The launch is GCC's, with all numbers from the program, none from the device
   code, where GCC puts constant ones: those of clauses, or what suits a plain
   kernel.  The host counts the iterations.

   Needs: spmd_set_forms.  Keeps: numbers that the source gives.  Breaks:
   clauses about gangs, workers, lanes and reductions.
   Source: oacc_set_fn_attrib in GCC's omp-offload.cc, nvptx_apply_dim_limits in
   its config/nvptx/nvptx.cc, nvptx_exec in libgomp's plugin-nvptx.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* The launch, where the program leaves it open; libgomp-ext makes another of it
   (libgomp-ext/launch/geometry/geometry-gangs.c), for which the gangs say how many
   iterations there are.  Blocks with a reduction take turns at their end, so there are few.  */
enum
{
  WORKERS = 8,
  MAX_GANGS = 1 << 22,
  MAX_REDUCING_GANGS = 640,
  /* Limits of a gang, and of its workers of more lanes than a warp.  */
  MAX_BLOCK = 1024,
  MAX_LONG_WORKERS = 15
};

/* Add to SEQ that the host finds out how many gangs of SIZE threads have
   something to do in the region of NEST, but MOST at most.  NULL when it
   cannot.  */
static tree
count_gangs (const spmd_nest *nest, int size, int most, gimple_seq *seq)
{
  bool sure;
  if (!spmd_countable_p (nest, &sure))
    return NULL_TREE;
  tree gangs = code_temp (integer_type_node, "gangs");
  tree total = spmd_count_before (nest, seq), type = TREE_TYPE (total);
  tree n = fold_build2 (MIN_EXPR, type, total,
			build_int_cst (type, (HOST_WIDE_INT) size * most));
  n = fold_build2 (PLUS_EXPR, type, n, build_int_cst (type, size - 1));
  n = fold_build2 (TRUNC_DIV_EXPR, type, n, build_int_cst (type, size));
  /* None leaves the choice to libgomp.  */
  if (sure)
    n = fold_build2 (MAX_EXPR, type, n, build_one_cst (type));
  code_set (gangs, fold_convert (integer_type_node, n), seq);
  return gangs;
}

/* The clause CODE of CLAUSES; when there is none, or its operand is no constant
   though that is WANTED, one with OPEN instead.  */
static tree
dimension_clause (tree *clauses, omp_clause_code code, bool wanted, int open)
{
  tree c = omp_find_clause (*clauses, code);
  if (!c)
    {
      c = build_omp_clause (UNKNOWN_LOCATION, code);
      OMP_CLAUSE_OPERAND (c, 0) = build_int_cst (integer_type_node, open);
      OMP_CLAUSE_CHAIN (c) = *clauses;
      *clauses = c;
    }
  else if (wanted && !tree_fits_shwi_p (OMP_CLAUSE_OPERAND (c, 0)))
    OMP_CLAUSE_OPERAND (c, 0) = build_int_cst (integer_type_node, open);
  return c;
}

/* Add to SEQ what makes the number of clause C, VALUE, known at run time only:
   otherwise it were to be found in the device code.  */
static void
set_dimension (tree c, tree value, gimple_seq *seq)
{
  tree variable = code_temp (integer_type_node, "dim");
  code_set (variable, fold_convert (integer_type_node, value), seq);
  OMP_CLAUSE_OPERAND (c, 0) = variable;
}

/* Choose the workers and lanes of a gang, as CLAUSES want them and GCC would
   limit them, and add to SEQ what sets them.  Returns the threads of a gang, or 0
   when that is not constant.  */
static int
set_block (tree *clauses, gimple_seq *seq)
{
  tree vector = dimension_clause (clauses, OMP_CLAUSE_VECTOR_LENGTH, true,
				  SPMD_WARP);
  HOST_WIDE_INT lanes = tree_to_shwi (OMP_CLAUSE_OPERAND (vector, 0));
  if (lanes <= 0 || lanes % SPMD_WARP)
    lanes = SPMD_WARP;
  lanes = MIN (lanes, MAX_BLOCK);
  tree worker = dimension_clause (clauses, OMP_CLAUSE_NUM_WORKERS, false,
				  MAX (WORKERS * SPMD_WARP / lanes, 1));
  tree n = OMP_CLAUSE_OPERAND (worker, 0);
  HOST_WIDE_INT workers = tree_fits_shwi_p (n) ? tree_to_shwi (n) : 0;
  if (workers > 0)
    {
      workers = MIN (workers, MAX_BLOCK / SPMD_WARP);
      if (workers * lanes > MAX_BLOCK)
	lanes = SPMD_WARP;
      if (lanes > SPMD_WARP)
	workers = MIN (workers, MAX_LONG_WORKERS);
      n = build_int_cst (integer_type_node, workers);
    }
  set_dimension (worker, n, seq);
  set_dimension (vector, build_int_cst (integer_type_node, lanes), seq);
  return workers > 0 ? workers * lanes : 0;
}

/* CLAUSES say how many gangs there are, and leave the workers to us: add to SEQ that
   these are no more than the iterations of the region of NEST need.  They may be
   fewer, not more, than set_block has chosen.  */
static void
bound_workers (const spmd_nest *nest, tree clauses, gimple_seq *seq)
{
  bool sure;
  if (!spmd_countable_p (nest, &sure) || !sure)
    return;
  tree worker = omp_find_clause (clauses, OMP_CLAUSE_NUM_WORKERS);
  tree vector = omp_find_clause (clauses, OMP_CLAUSE_VECTOR_LENGTH);
  tree gangs = omp_find_clause (clauses, OMP_CLAUSE_NUM_GANGS);
  code c = seq;
  val total = spmd_count_before (nest, c);
  val one = build_one_cst (TREE_TYPE (total.t));
  val rows = max_of (one, OMP_CLAUSE_OPERAND (gangs, 0));
  val n = ceiling_of (total, c.let ("gangs", rows));
  n = ceiling_of (n, OMP_CLAUSE_OPERAND (vector, 0));
  n = min_of (n, OMP_CLAUSE_OPERAND (worker, 0));
  set_dimension (worker, max_of (n, one), c);
}

void
spmd_acc_launch_open (gomp_target *target)
{
  gimple_seq before = NULL;
  tree clauses = gimple_omp_target_clauses (target);
  push_gimplify_context ();
  set_block (&clauses, &before);
  tree c = build_omp_clause (gimple_location (target), OMP_CLAUSE_NUM_GANGS);
  set_dimension (c, integer_one_node, &before);
  OMP_CLAUSE_CHAIN (c) = clauses;
  gimple_omp_target_set_clauses (target, c);
  code_put_before (target, before);
}

enum acr_spmd
spmd_acc_launch (const spmd_nest *nest)
{
  gomp_target *target = nest->target;
  tree clauses = gimple_omp_target_clauses (target);
  bool reduces = false;
  bool any_workers = !omp_find_clause (clauses, OMP_CLAUSE_NUM_WORKERS);
  bool open = any_workers
	      && !omp_find_clause (clauses, OMP_CLAUSE_VECTOR_LENGTH);
  enum acr_spmd spmd = ACR_SPMD_GANGS;
  /* The kernel combines results with the variable itself, and on the host
     there is one gang.  */
  for (tree *c = &clauses; *c;)
    if (OMP_CLAUSE_CODE (*c) == OMP_CLAUSE_REDUCTION)
      *c = OMP_CLAUSE_CHAIN (*c);
    else
      {
	if (OMP_CLAUSE_CODE (*c) == OMP_CLAUSE_MAP)
	  OMP_CLAUSE_MAP_IN_REDUCTION (*c) = 0;
	c = &OMP_CLAUSE_CHAIN (*c);
      }
  for (unsigned i = 0; i < nest->levels.length (); i++)
    reduces |= omp_find_clause (stmt_clauses (nest->levels[i]),
				OMP_CLAUSE_REDUCTION)
	       != NULL_TREE;

  gimple_seq before = NULL;
  push_gimplify_context ();
  int size = set_block (&clauses, &before);
  if (tree gangs = omp_find_clause (clauses, OMP_CLAUSE_NUM_GANGS))
    {
      set_dimension (gangs, OMP_CLAUSE_OPERAND (gangs, 0), &before);
      if (any_workers)
	bound_workers (nest, clauses, &before);
    }
  else if (size > 0)
    if (tree n = count_gangs (nest, size,
			      reduces ? MAX_REDUCING_GANGS : MAX_GANGS,
			      &before))
      {
	tree c = build_omp_clause (gimple_location (target),
				   OMP_CLAUSE_NUM_GANGS);
	OMP_CLAUSE_OPERAND (c, 0) = n;
	OMP_CLAUSE_CHAIN (c) = clauses;
	clauses = c;
	spmd = open ? ACR_SPMD_OPEN : ACR_SPMD_BLOCKS;
      }
  gimple_omp_target_set_clauses (target, clauses);
  code_put_before (target, before);
  return spmd;
}

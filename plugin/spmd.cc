/* OpenMP regions as plain kernels.

   GCC runs an OpenMP region on the device as it does on the host: a thread per
   team starts, wakes others for each parallel construct and waits for them.
   Where the region is one loop whose iterations may run at once, a kernel
   needs none of that: each thread computes from its place in the grid which
   iterations are its own.  We put that form beside the original one,

     if (.GOMP_USE_SIMT ()) KERNEL; else ORIGINAL;

   inside the target construct, so that data environment, host fallback and
   everything else about the construct stay what they were.  The condition is
   GCC's own: a late pass makes it true in the compiler for nvptx and false in
   the host's, so that each is left with one form; the host's must be, for the
   kernel reads the GPU's registers.  After omp-low the outlined
   function gets the attribute "oacc function", upon which the nvptx back end
   writes a plain entry instead of one that starts libgomp's device runtime.

   KERNEL gives the same result for every grid and block, and obeys the clauses
   about numbers of teams and threads by letting the threads beyond them idle.

   What the iterations' number says about a good grid is told to whoever
   launches: where the source leaves the number of teams open, we pass the
   number of iterations in its place (stock libgomp cuts it to what the GPU
   holds).

   All checks come first; a region that fails one stays as it was, and a
   remark says why.

   Source: scan_omp_simd in GCC's omp-low.cc for the two forms; write_omp_entry
   and nvptx_declare_function_name in its config/nvptx/nvptx.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd.h"

/* ---- Making statements ---- */

tree
spmd_temp (tree type, const char *name)
{
  return create_tmp_var (type, name);
}

void
spmd_set (tree to, tree expr, gimple_seq *seq)
{
  gimplify_assign (to, expr, seq);
}

tree
spmd_value (tree expr, const char *name, gimple_seq *seq)
{
  if (CONSTANT_CLASS_P (expr))
    return expr;
  tree value = spmd_temp (TREE_TYPE (expr), name);
  spmd_set (value, expr, seq);
  return value;
}

tree
spmd_label (void)
{
  return create_artificial_label (UNKNOWN_LOCATION);
}

void
spmd_add_label (tree label, gimple_seq *seq)
{
  gimple_seq_add_stmt (seq, gimple_build_label (label));
}

void
spmd_add_goto (tree label, gimple_seq *seq)
{
  gimple_seq_add_stmt (seq, gimple_build_goto (label));
}

void
spmd_add_branch (enum tree_code code, tree a, tree b, tree yes, tree no,
		 gimple_seq *seq)
{
  gimple_seq_add_stmt (seq, gimple_build_cond (code, a, b, yes, no));
}

/* ---- A thread's place in the grid ---- */

/* Add to SEQ a read of the special register REG.  */
static tree
special_register (const char *reg, gimple_seq *seq)
{
  tree value = spmd_temp (unsigned_type_node, reg);
  char *text = xasprintf ("mov.u32 %%0, %%%%%s;", reg);
  tree constraint = build_tree_list (NULL_TREE, build_string (3, "=r"));
  vec<tree, va_gc> *outputs = NULL;
  vec_safe_push (outputs, build_tree_list (constraint, value));
  gasm *stmt = gimple_build_asm_vec (text, NULL, outputs, NULL, NULL);
  free (text);
  gimple_asm_set_volatile (stmt, false);
  gimple_seq_add_stmt (seq, stmt);
  return value;
}

/* Add to SEQ the value of clause CODE of STMT, in SHARING's variables; NULL
   when there is none.  */
static tree
clause_value (const gimple *stmt, enum omp_clause_code code,
	      const spmd_sharing *sharing)
{
  tree c = stmt ? omp_find_clause (spmd_clauses (stmt), code) : NULL_TREE;
  return c ? spmd_copy_expr (sharing, OMP_CLAUSE_OPERAND (c, 0)) : NULL_TREE;
}

/* Add to SEQ: N is at most LIMIT, if there is one.  */
static void
limit (tree n, tree limit, gimple_seq *seq)
{
  if (limit)
    spmd_set (n,
	      fold_build2 (MIN_EXPR, unsigned_type_node, n,
			   fold_convert (unsigned_type_node, limit)),
	      seq);
}

/* Add to SEQ the computation of a thread's place; to IDLE go those that do not
   take part.  */
static spmd_place
find_place (const spmd_nest *nest, const spmd_sharing *sharing, tree idle,
	    gimple_seq *seq)
{
  tree u = unsigned_type_node;
  static const char axes[] = "xyz";
  spmd_place place;
  place.id = place.block_size = NULL_TREE;
  for (int i = 2; i >= 0; i--)
    {
      char tid[] = "tid.?", ntid[] = "ntid.?";
      tid[4] = ntid[5] = axes[i];
      tree t = special_register (tid, seq), n = special_register (ntid, seq);
      place.id = place.id ? fold_build2 (PLUS_EXPR, u,
					 fold_build2 (MULT_EXPR, u, place.id,
						      n),
					 t)
			  : t;
      place.block_size
	= place.block_size ? fold_build2 (MULT_EXPR, u, place.block_size, n)
			   : n;
    }
  place.id = spmd_value (place.id, "id", seq);
  place.block_size = spmd_value (place.block_size, "block_size", seq);
  tree threads = spmd_value (place.block_size, "threads", seq);
  tree block = special_register ("ctaid.x", seq);
  tree blocks = special_register ("nctaid.x", seq);

  gimple *teams = spmd_level (nest, GIMPLE_OMP_TEAMS);
  gimple *parallel = spmd_level (nest, GIMPLE_OMP_PARALLEL);
  limit (blocks, clause_value (teams, OMP_CLAUSE_NUM_TEAMS, sharing), seq);
  limit (threads, clause_value (teams, OMP_CLAUSE_THREAD_LIMIT, sharing), seq);
  limit (threads, clause_value (parallel, OMP_CLAUSE_NUM_THREADS, sharing),
	 seq);
  if (tree cond = clause_value (parallel, OMP_CLAUSE_IF, sharing))
    limit (threads,
	   fold_build3 (COND_EXPR, u,
			fold_build2 (NE_EXPR, boolean_type_node, cond,
				     build_zero_cst (TREE_TYPE (cond))),
			build_minus_one_cst (u), build_one_cst (u)),
	   seq);

  tree in_block = spmd_label (), in_grid = spmd_label ();
  spmd_add_branch (LT_EXPR, place.id, threads, in_block, idle, seq);
  spmd_add_label (in_block, seq);
  spmd_add_branch (LT_EXPR, block, blocks, in_grid, idle, seq);
  spmd_add_label (in_grid, seq);

  tree n = uint64_type_node;
  tree before = fold_build2 (MULT_EXPR, n, fold_convert (n, block),
			     fold_convert (n, threads));
  place.global_id = spmd_value (fold_build2 (PLUS_EXPR, n, before,
					     fold_convert (n, place.id)),
				"id", seq);
  place.threads = spmd_value (fold_build2 (MULT_EXPR, n,
					   fold_convert (n, blocks),
					   fold_convert (n, threads)),
			      "threads", seq);
  return place;
}

/* ---- The kernel ---- */

/* Add to SEQ what is executed before the loop.  */
static void
add_before (const spmd_nest *nest, const spmd_sharing *sharing,
	    gimple_seq *seq)
{
  gimple_seq before = NULL;
  for (unsigned i = 0; i < nest->before.length (); i++)
    gimple_seq_add_stmt (&before, gimple_copy (nest->before[i]));
  gimple_seq_add_seq (seq, spmd_copy (sharing, before));
}

/* The kernel form of NEST.  */
static gimple *
build_kernel (const spmd_nest *nest, spmd_sharing *sharing)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  spmd_make_own (sharing, bind, &seq);
  tree end = spmd_label (), body = spmd_label (), test = spmd_label ();

  add_before (nest, sharing, &seq);
  spmd_place place = find_place (nest, sharing, end, &seq);
  spmd_space space;
  spmd_space_count (&space, nest->loop, sharing, &seq);
  tree k = spmd_value (place.global_id, "k", &seq), start = spmd_label ();
  spmd_add_branch (LT_EXPR, k, space.total, start, end, &seq);
  spmd_add_label (start, &seq);
  spmd_space_start (&space, k, place.threads, &seq);
  spmd_add_label (body, &seq);
  spmd_space_set (&space, k, &seq);
  gimple_seq_add_seq (&seq,
		      spmd_copy (sharing, gimple_omp_body (nest->loop)));
  spmd_set (k, fold_build2 (PLUS_EXPR, TREE_TYPE (k), k, place.threads), &seq);
  spmd_add_branch (LT_EXPR, k, space.total, test, end, &seq);
  spmd_add_label (test, &seq);
  spmd_space_step (&space, &seq);
  spmd_add_goto (body, &seq);
  spmd_add_label (end, &seq);
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    if (sharing->privates[i].reduction)
      spmd_reduce (&sharing->privates[i], &place, &seq);

  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

gimple *
spmd_two_forms (gimple *device, gimple_seq host)
{
  /* Outlining moves the block of the first bind.  */
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, make_node (BLOCK));
  gimple_seq seq = NULL;
  push_gimplify_context ();
  gcall *test = gimple_build_call_internal (IFN_GOMP_USE_SIMT, 0);
  tree on_device = spmd_temp (integer_type_node, "on_device");
  gimple_call_set_lhs (test, on_device);
  gimple_seq_add_stmt (&seq, test);
  tree yes = spmd_label (), no = spmd_label (), end = spmd_label ();
  spmd_add_branch (NE_EXPR, on_device, integer_zero_node, yes, no, &seq);
  spmd_add_label (yes, &seq);
  gimple_seq_add_stmt (&seq, device);
  spmd_add_goto (end, &seq);
  spmd_add_label (no, &seq);
  gimple_seq_add_seq (&seq, host);
  spmd_add_label (end, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

/* Give the target construct of NEST the two forms.  */
static void
set_forms (const spmd_nest *nest, gimple *kernel)
{
  gomp_target *target = nest->target;
  gimple_seq seq = NULL;
  gimple_seq_add_stmt (&seq,
		       spmd_two_forms (kernel, gimple_omp_body (target)));
  gimple_omp_set_body (target, seq);
}

/* ---- The number of iterations, for the launch ---- */

/* ---- Interface ---- */

/* Is there a device compiler that understands the kernel?  */
static bool
offloading_p (void)
{
  const char *targets = getenv ("OFFLOAD_TARGET_NAMES");
  return targets && strstr (targets, "nvptx");
}

static const char *
rewrite (region *r)
{
  if (!offloading_p ())
    return "no device";
  /* Which the post-processor knows them by.  */
  if (!option_enabled (ACR_OPTION_TAG))
    return "tags are disabled";
  /* Then the host's form would keep the kernel's instructions.  */
  if (flag_lto && !optimize)
    return "link-time compilation without optimization";
  spmd_nest nest;
  if (const char *why = spmd_find_nest (r->stmt, &nest))
    return why;
  if (const char *why = spmd_space_why_not (nest.loop))
    return why;
  spmd_sharing sharing;
  if (const char *why = spmd_find_sharing (&nest, &sharing))
    return why;
  set_forms (&nest, build_kernel (&nest, &sharing));
  r->spmd = ACR_SPMD_TEAMS;
  return NULL;
}

void
spmd_rewrite (region *r)
{
  const char *why = rewrite (r);
  if (!dump_enabled_p ())
    return;
  dump_user_location_t loc = dump_user_location_t::from_location_t (r->loc);
  if (why)
    dump_printf_loc (MSG_MISSED_OPTIMIZATION, loc,
		     "omp-target region: keeps the fork-join form: %s\n",
		     why);
  else
    dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, loc,
		     "omp-target region: made a plain kernel\n");
}

void
spmd_finish (const region *r, function *fun)
{
  tree fn = gimple_omp_target_child_fn (r->stmt);
  /* Gangs are open; one worker, one lane: nobody is held back.  */
  tree dims = NULL_TREE;
  for (int i = GOMP_DIM_MAX; i--;)
    dims = tree_cons (NULL_TREE, build_int_cst (integer_type_node, i != 0),
		      dims);
  DECL_ATTRIBUTES (fn)
    = tree_cons (get_identifier ("oacc function"), dims, DECL_ATTRIBUTES (fn));
  spmd_atomic_finish (gimple_omp_body_ptr (r->stmt));
  /* For the passes that resolve .GOMP_USE_SIMT: outlined functions inherit
     it.  */
  fun->curr_properties &= ~PROP_gimple_lomp_dev;
}

unsigned
spmd_drop_kernel (function *fun)
{
  basic_block bb;
  unsigned todo = 0;
  if (!oacc_get_fn_attrib (fun->decl))
    return todo;
  FOR_EACH_BB_FN (bb, fun)
    {
      gcond *cond = safe_dyn_cast<gcond *> (last_stmt (bb));
      tree test = cond ? gimple_cond_lhs (cond) : NULL_TREE;
      gimple *def = test && TREE_CODE (test) == SSA_NAME
		      ? SSA_NAME_DEF_STMT (test)
		      : NULL;
      if (def && gimple_assign_single_p (def)
	  && integer_zerop (gimple_assign_rhs1 (def))
	  && gimple_cond_code (cond) == NE_EXPR
	  && integer_zerop (gimple_cond_rhs (cond)))
	{
	  gimple_cond_make_false (cond);
	  todo = TODO_cleanup_cfg;
	}
    }
  return todo;
}

/* OpenMP regions as plain kernels.

   GCC runs an OpenMP region on the device as it does on the host: a thread per
   team starts, wakes others for each parallel construct and waits for them.
   Where the region is one loop whose iterations may run at once, or one over
   teams with others inside (spmd-split.cc), a kernel needs none of that: each
   thread computes from its place in the grid which iterations are its own.  We
   put that form beside the original one,

     if (.GOMP_USE_SIMT ()) KERNEL; else ORIGINAL;

   inside the target construct, so that data environment, host fallback and
   everything else about the construct stay what they were.  The condition is
   GCC's own: a late pass makes it true in the compiler for nvptx and false in
   the host's, so that each is left with one form; the host's must be, for the
   kernel reads the GPU's registers.  Before it is streamed to the device's
   compiler the outlined function gets the attribute "kernel", upon which the
   nvptx back end writes a plain entry instead of one that starts libgomp's
   device runtime, or of one with OpenACC's gangs, workers and lanes.

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

#include "nested/nested.h"
#include "spmd/spmd.h"

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

/* ---- The two forms ---- */

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

/* ---- The launch ---- */

struct placing
{
  gimple *target;
  gimple_seq before;
};

/* Put statements before the target construct, which stays the same one.  */
static tree
put_before (gimple_stmt_iterator *gsi, bool *handled,
	    struct walk_stmt_info *wi)
{
  placing *p = (placing *) wi->info;
  if (gsi_stmt (*gsi) != p->target)
    return NULL_TREE;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gsi_replace (gsi, bind, false);
  gimple_seq_add_stmt (&p->before, p->target);
  gimple_bind_set_body (bind, p->before);
  pop_gimplify_context (bind);
  *handled = true;
  return integer_zero_node;
}

void
spmd_put_before (gimple *target, gimple_seq seq)
{
  placing p = { target, seq };
  gimple_seq body = gimple_body (current_function_decl);
  struct walk_stmt_info wi = {};
  wi.info = &p;
  walk_gimple_seq_mod (&body, put_before, NULL, &wi);
  gimple_set_body (current_function_decl, body);
}

void
spmd_pass_trips (const spmd_nest *nest, bool sure, tree teams)
{
  gimple_seq before = NULL;
  push_gimplify_context ();
  tree total = spmd_count_before (nest, &before), type = TREE_TYPE (total);
  tree most = fold_convert (type, TYPE_MAX_VALUE (integer_type_node));
  tree n = fold_build2 (MIN_EXPR, type, total, most);
  if (sure)
    n = fold_build2 (MAX_EXPR, type, n, build_one_cst (type));
  OMP_CLAUSE_OPERAND (teams, 0)
    = spmd_value (fold_convert (integer_type_node, n), "teams", &before);
  spmd_put_before (nest->target, before);
}

/* Say what the launch of NEST's kernel is to pass as the number of teams.  */
static enum acr_spmd
set_teams (const spmd_nest *nest)
{
  tree teams = omp_find_clause (gimple_omp_target_clauses (nest->target),
				OMP_CLAUSE_NUM_TEAMS);
  if (!teams)
    return ACR_SPMD_TEAMS;
  if (spmd_one_block_p (nest) || nest->several)
    return ACR_SPMD_TEAMS;
  if (!spmd_level (nest, GIMPLE_OMP_TEAMS))
    OMP_CLAUSE_OPERAND (teams, 0) = integer_zero_node;
  bool sure;
  if (!integer_zerop (OMP_CLAUSE_OPERAND (teams, 0))
      || !spmd_countable_p (nest, &sure))
    return ACR_SPMD_TEAMS;
  spmd_pass_trips (nest, sure, teams);
  return ACR_SPMD_TRIPS;
}

/* ---- Interface ---- */

/* Is there a device compiler that understands the kernel?  */
static bool
offloading_p (void)
{
  const char *targets = getenv ("OFFLOAD_TARGET_NAMES");
  return targets && strstr (targets, "nvptx");
}

/* One of the loops of a region.  */
struct part
{
  spmd_nest nest;
  spmd_sharing sharing;
};

/* Find all loops of R.  The result is NULL, or why they are not of the form.  */
static const char *
find_parts (region *r, auto_delete_vec<part> *parts)
{
  bool acc = r->what->kind != ACR_KIND_OMP_TARGET;
  do
    {
      part *p = new part;
      unsigned before = parts->length ();
      parts->safe_push (p);
      p->nest.acc = acc;
      const char *why;
      if (acc)
	why = spmd_acc_find_nest (r, &p->nest);
      else if (spmd_serial_p (r->stmt))
	why = spmd_find_serial (r->stmt, &p->nest);
      else
	why = spmd_find_nest (r->stmt, before, &p->nest);
      if (why)
	return why;
      if (const char *why = spmd_find_sharing (&p->nest, &p->sharing))
	{
	  if (!p->nest.several)
	    r->share = fork_pass_trips (&p->nest);
	  return why;
	}
    }
  while (parts->last ()->nest.more);
  return NULL;
}

/* The kernel that executes PARTS of R one after the other.  What one block
   executes it has finished before the next begins; several teams do not wait for
   each other in any case.  */
static gimple *
build_parts (const region *r, const auto_delete_vec<part> &parts)
{
  gimple_seq seq = NULL;
  for (unsigned i = 0; i < parts.length (); i++)
    {
      if (i && spmd_one_block_p (&parts[i]->nest))
	spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE,
		      &seq);
      gimple_seq_add_stmt (&seq, spmd_build_thread (r, &parts[i]->nest,
						    &parts[i]->sharing));
    }
  return gimple_build_bind (NULL_TREE, seq, NULL);
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
  auto_delete_vec<part> parts;
  if (const char *why = find_parts (r, &parts))
    return why;
  spmd_nest &nest = parts[0]->nest;
  unsigned loops = gimple_omp_for_collapse (nest.loop);
  r->nest = loops > 1 && !nest.several ? loops : 0;
  r->exact = true;
  for (unsigned i = 0; i < parts.length (); i++)
    r->exact &= spmd_exact_p (&parts[i]->nest);
  if (option_enabled (ACR_OPTION_COLLECT) && !nest.several)
    nest.launches = nested_find_launches (&nest, &parts[0]->sharing);
  gimple *kernel = build_parts (r, parts);
  if (nest.acc)
    {
      spmd_acc_stock (&nest, r->stock);
      spmd_acc_host_form (nest.target);
    }
  set_forms (&nest, kernel);
  r->tiles = r->nest && spmd_tiles_p (&nest, &parts[0]->sharing);
  r->spmd = nest.acc ? spmd_acc_launch (&nest) : set_teams (&nest);
  r->row = nest.split ? spmd_row_limit (&nest) : 0;
  r->two_forms = true;
  r->launches
    = nest.launches ? 1 + nest.launches->defers + nest.launches->levels : 0;
  nested_free_launches (nest.launches);
  return NULL;
}

void
spmd_rewrite (region *r)
{
  const char *why = rewrite (r);
  if (!dump_enabled_p ())
    return;
  dump_user_location_t loc = dump_user_location_t::from_location_t (r->loc);
  const char *kind = acr_kind_name (r->what->kind);
  if (r->share)
    dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, loc,
		     "%s region: no more teams than its loop can use\n", kind);
  if (why)
    dump_printf_loc (MSG_MISSED_OPTIMIZATION, loc,
		     "%s region: keeps the %s form: %s\n", kind,
		     r->what->kind == ACR_KIND_OMP_TARGET ? "fork-join"
							   : "partitioned",
		     why);
  else
    dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, loc,
		     "%s region: made a plain kernel\n", kind);
}

void
spmd_finish (const region *r, function *fun)
{
  if (r->what->kind != ACR_KIND_OMP_TARGET)
    spmd_acc_finish (r->stmt);
  spmd_atomic_finish (gimple_omp_body_ptr (r->stmt));
  /* For the passes that resolve .GOMP_USE_SIMT: outlined functions inherit
     it.  */
  fun->curr_properties &= ~PROP_gimple_lomp_dev;
}

/* The back end's word for an entry.  */
static const char entry_name[] = "kernel";

void
spmd_set_entry (tree fn)
{
  tree attributes = DECL_ATTRIBUTES (fn);
  attributes = remove_attribute ("oacc function", attributes);
  attributes = remove_attribute ("omp target entrypoint", attributes);
  /* For the device compiler's passes over offloaded functions: one puts what the
     host has linked in the place of "declare target link" variables.  */
  attributes = tree_cons (get_identifier ("omp declare target"), NULL_TREE,
			  attributes);
  DECL_ATTRIBUTES (fn)
    = tree_cons (get_identifier (entry_name), NULL_TREE, attributes);
}

unsigned
spmd_drop_kernel (function *fun)
{
  basic_block bb;
  unsigned todo = 0;
  if (!lookup_attribute (entry_name, DECL_ATTRIBUTES (fun->decl)))
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

/* Device directives met on the device.

   GCC compiles an OpenMP target construct inside a target region, with a
   warning, to a call that does nothing on the device, and refuses an OpenACC
   compute construct inside a compute region.  We give both a meaning: the
   child region runs where it is met, by the launching thread, on the data that
   is on the device already (nested-inplace.cc).  On the host the same code
   computes the same.

   A declare target function or an acc routine may have such constructs as
   well, and then is called from the host and from the device.  There a
   construct gets two forms,

     if (.GOMP_USE_SIMT ()) IN PLACE; else ORIGINAL;

   of which GCC leaves one to the device and the other to the host, where
   nothing changes.  GCC refuses a compute construct in a routine: it must not
   see that the function is one while it lowers constructs.  Where it must, for
   loops of the routine itself, both host and device execute in place.

   What could reach the host's memory only, an update or what nested-host.cc
   finds, is an error inside a region; so is what one thread cannot execute.  In a
   function it ends the kernel when it is met there on the device.

   This runs before regions are looked at: to all others, children are code
   like any.

   Needs: GIMPLE before omp-low, before anything looks at regions.  Keeps:
   what the host computes.  Breaks: constructs that are met on the device.
   Source: OpenMP 5.0, 2.12.5 (target inside target is unspecified); OpenACC
   3.2, 2.5; check_omp_nesting_restrictions in GCC's omp-low.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"
#include "spmd/spmd.h"
#include "gimplify-me.h"

/* The walk over a function.  */
struct visit
{
  function *fun;
  nested_place place;
  /* The region around, or NULL.  */
  gomp_target *region;
  /* Is the function one of the device?  */
  bool device_function;
  /* Omp-low must see that it is a routine, and so no region in it.  */
  bool device_only;
  /* Is there a loop construct around, in the region?  */
  bool in_loop;
  /* Was a construct given two forms?  */
  bool two_forms;
  /* The region is a copy of one about which all has been said.  */
  bool quiet;
  /* What is around will run in place, with other names for its variables.  */
  bool inner;
};

/* Was a construct of the function in work given two forms?  */
static bool any_two_forms;

/* ---- The forms ---- */

/* Is STMT, met on the device, one that we know a meaning for?  */
static bool
known_p (const gomp_target *stmt)
{
  switch (gimple_omp_target_kind (stmt))
    {
    case GF_OMP_TARGET_KIND_REGION:
    case GF_OMP_TARGET_KIND_DATA:
    case GF_OMP_TARGET_KIND_UPDATE:
    case GF_OMP_TARGET_KIND_ENTER_DATA:
    case GF_OMP_TARGET_KIND_EXIT_DATA:
    case GF_OMP_TARGET_KIND_OACC_PARALLEL:
    case GF_OMP_TARGET_KIND_OACC_KERNELS:
    case GF_OMP_TARGET_KIND_OACC_SERIAL:
    case GF_OMP_TARGET_KIND_OACC_DATA:
      return true;
    default:
      return false;
    }
}

static void visit_seq (gimple_seq *seq, visit *v);

/* Is the thread that executes the body of STMT the only one of its block at
   work, when the one that meets it is?  */
static bool
keeps_alone_p (const gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_OMP_TARGET
	 || gimple_code (stmt) == GIMPLE_OMP_TEAMS
	 || (gimple_code (stmt) == GIMPLE_OMP_FOR
	     && gimple_omp_for_kind (stmt) == GF_OMP_FOR_KIND_DISTRIBUTE);
}

/* Do the other lanes wait while one executes the body of STMT, met at V's
   place?  They do in a loop of a parallel region that is not for them, and in
   code of a region met there.  */
static bool
lanes_wait_p (const gimple *stmt, const visit *v)
{
  if (gimple_code (stmt) != GIMPLE_OMP_FOR)
    return v->place.lanes_wait;
  return v->region
	 && gimple_omp_target_kind (v->region)
	      == GF_OMP_TARGET_KIND_OACC_PARALLEL
	 && nested_independent_p (stmt)
	 && !omp_find_clause (gimple_omp_for_clauses (stmt),
			      OMP_CLAUSE_VECTOR)
	 && (v->place.lanes_wait || !v->in_loop);
}

/* Enter the construct STMT, none that begins a region.  */
static void
visit_inside (gimple *stmt, visit *v)
{
  /* Threads share what was one's own, but for private variables.  */
  bool threads = gimple_code (stmt) == GIMPLE_OMP_PARALLEL
		 || gimple_code (stmt) == GIMPLE_OMP_TEAMS
		 || gimple_code (stmt) == GIMPLE_OMP_TASK;
  visit inside = {};
  inside.fun = v->fun;
  inside.region = v->region;
  inside.device_function = v->device_function;
  inside.device_only = v->device_only;
  inside.quiet = v->quiet;
  inside.inner = v->inner;
  inside.in_loop = v->in_loop || gimple_code (stmt) == GIMPLE_OMP_FOR;
  inside.place.alone = v->place.alone && keeps_alone_p (stmt);
  inside.place.lanes_wait = lanes_wait_p (stmt, v);
  if (!threads)
    inside.place.own.safe_splice (v->place.own);
  nested_note_private (stmt, &inside.place);
  visit_seq (gimple_omp_body_ptr (stmt), &inside);
  v->two_forms |= inside.two_forms;
}

static gomp_target *
copy_construct (gomp_target *stmt)
{
  gomp_target *copy = as_a<gomp_target *> (gimple_copy (stmt));
  /* The clauses are about what is outside, SSA names included, which stay.  */
  gimple_omp_target_set_clauses (copy, gimple_omp_target_clauses (stmt));
  gimple_omp_set_body (copy, copy_statements (gimple_omp_body (stmt)));
  return copy;
}

/* A copy of STMT in which all regions run in place.  */
static gomp_target *
copy_child (gomp_target *stmt, const visit *v)
{
  gomp_target *copy = copy_construct (stmt);
  visit inside = {};
  inside.fun = v->fun;
  inside.region = copy;
  inside.quiet = true;
  nested_note_private (copy, &inside.place);
  visit_seq (gimple_omp_body_ptr (copy), &inside);
  return copy;
}

static void
cannot_run (const gomp_target *stmt, const char *why)
{
  error_at (gimple_location (stmt),
	    "nested region cannot run on the device: %s", why);
}

/* STMT, the construct at GSI, is in a region.  */
static void
rewrite_in_region (gimple_stmt_iterator *gsi, gomp_target *stmt, visit *v)
{
  const char *why = nested_inplace_why_not (stmt);
  if (why && v->quiet)
    return;
  if (gimple_omp_target_kind (stmt) == GF_OMP_TARGET_KIND_UPDATE)
    {
      error_at (gimple_location (stmt),
		"%<target update%> inside a target region: the host%'s memory "
		"cannot be reached from the device");
      gsi_replace (gsi, gimple_build_nop (), false);
      return;
    }
  if (why)
    {
      /* GCC would leave it out, with a warning.  */
      cannot_run (stmt, why);
      gsi_replace (gsi, gimple_build_nop (), false);
      return;
    }
  if (!v->quiet && nested_reaches_host_p (v->fun, v->region, stmt))
    {
      gsi_replace (gsi, gimple_build_nop (), false);
      return;
    }
  /* Loops of kernels and serial constructs may not be independent.  */
  bool lanes_wait = v->place.lanes_wait;
  if (gimple_omp_target_kind (stmt) != GF_OMP_TARGET_KIND_OACC_PARALLEL)
    v->place.lanes_wait = false;
  gomp_target *child = NULL;
  if (v->place.alone || v->place.lanes_wait)
    {
      bool inner = v->inner;
      v->inner = true;
      visit_inside (stmt, v);
      v->inner = inner;
    }
  else if (!v->quiet && !v->inner && nested_region_p (stmt))
    child = copy_child (stmt, v);
  gbind *inplace = nested_inplace (stmt, &v->place);
  gsi_replace (gsi, inplace, false);
  v->place.lanes_wait = lanes_wait;
  if (v->place.why && !v->quiet)
    cannot_run (stmt, v->place.why);
  else if (!v->quiet)
    remark_done (gimple_location (stmt), "nested %s: runs in place\n",
		 construct_words (construct_of (stmt)));
  v->place.why = NULL;
  if (child)
    nested_note_child (inplace, child);
}

/* What a device meeting STMT executes: it can only stop.  */
static gimple *
trap (gomp_target *stmt, const char *why)
{
  remark_missed (gimple_location (stmt), "nested %s: %s\n",
		 construct_words (construct_of (stmt)), why);
  return gimple_build_call (builtin_decl_explicit (BUILT_IN_TRAP), 0);
}

static tree
find_expression (tree *tp, int *walk_subtrees, void *)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return VAR_P (*tp) && DECL_HAS_VALUE_EXPR_P (*tp) ? *tp : NULL_TREE;
}

/* Omp-low replaces variables that stand for expressions in constructs only.  */
static tree
replace_expressions (gimple_stmt_iterator *gsi, bool *,
		     struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  struct walk_stmt_info wi = {};
  if (!gimple_has_substatements (stmt)
      && walk_gimple_op (stmt, find_expression, &wi))
    gimple_regimplify_operands (stmt, gsi);
  return NULL_TREE;
}

static tree
find_virtual_call (gimple_stmt_iterator *gsi, bool *handled,
		   struct walk_stmt_info *)
{
  *handled = nested_virtual_call_p (gsi_stmt (*gsi));
  return *handled ? integer_one_node : NULL_TREE;
}

/* What the device executes for STMT in a function that the host may call.  */
static gimple *
device_form (gomp_target *stmt, visit *v)
{
  struct walk_stmt_info none = {};
  if (gimple_omp_target_kind (stmt) == GF_OMP_TARGET_KIND_UPDATE)
    return trap (stmt, "reaches for the host's memory");
  if (const char *why = nested_inplace_why_not (stmt))
    return trap (stmt, why);
  if (walk_gimple_seq (gimple_omp_body (stmt), find_virtual_call, NULL, &none))
    return trap (stmt, "a virtual call");
  gomp_target *copy = copy_construct (stmt);
  gbind *form = nested_inplace (copy, &v->place);
  if (v->place.why)
    {
      const char *why = v->place.why;
      v->place.why = NULL;
      return trap (stmt, why);
    }
  struct walk_stmt_info wi = {};
  push_gimplify_context ();
  walk_gimple_seq_mod (gimple_bind_body_ptr (form), replace_expressions, NULL,
		       &wi);
  pop_gimplify_context (form);
  remark_done (gimple_location (stmt), "nested %s: runs in place on the device\n",
	       construct_words (construct_of (stmt)));
  return form;
}

/* Enter the region STMT.  */
static void
visit_region (gomp_target *stmt, visit *v)
{
  visit inside = {};
  inside.fun = v->fun;
  inside.region = stmt;
  inside.place.alone = !is_gimple_omp_oacc (stmt);
  nested_note_private (stmt, &inside.place);
  if (option_enabled (ACR_OPTION_SPLICE))
    nested_splice (stmt);
  visit_seq (gimple_omp_body_ptr (stmt), &inside);
}

/* STMT, the construct at GSI, is outside any region in a function that both
   the host and the device may call.  */
static void
rewrite_in_function (gimple_stmt_iterator *gsi, gomp_target *stmt, visit *v)
{
  gimple *device = device_form (stmt, v);
  if (v->device_only)
    {
      gsi_replace (gsi, device, false);
      return;
    }
  if (nested_region_p (stmt))
    visit_region (stmt, v);
  /* A statement is in one sequence at a time.  */
  gsi_replace (gsi, gimple_build_nop (), false);
  gimple_seq host = NULL;
  gimple_seq_add_stmt (&host, stmt);
  gsi_replace (gsi, code_two_forms (device, host), false);
  v->two_forms = true;
}

/* The call at GSI waits for what OpenACC's queues hold.  The device has no such
   function, and all is done there: in a region, or a function's form for it.  */
static void
rewrite_wait (gimple_stmt_iterator *gsi, visit *v)
{
  gimple *call = gsi_stmt (*gsi), *nothing = gimple_build_nop ();
  gsi_replace (gsi, nothing, false);
  if (v->region || v->device_only)
    {
      nested_note_wait ();
      return;
    }
  gimple_seq host = NULL;
  gimple_seq_add_stmt (&host, call);
  gsi_replace (gsi, code_two_forms (gimple_build_nop (), host), false);
  v->two_forms = true;
}

/* ---- The walk ---- */

static tree
visit_stmt (gimple_stmt_iterator *gsi, bool *handled,
	    struct walk_stmt_info *wi)
{
  visit *v = (visit *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (gbind *bind = dyn_cast<gbind *> (stmt))
    nested_note_locals (bind, &v->place);
  if (gimple_call_builtin_p (stmt, BUILT_IN_GOACC_WAIT)
      && (v->region || v->device_function))
    {
      rewrite_wait (gsi, v);
      *handled = true;
      return NULL_TREE;
    }
  if (!is_gimple_omp (stmt) || !gimple_has_substatements (stmt))
    return NULL_TREE;
  *handled = true;
  gomp_target *target = dyn_cast<gomp_target *> (stmt);
  /* The host's code.  */
  if (stmt_reverse_p (stmt))
    return NULL_TREE;
  if (target && v->region
      && is_gimple_omp_oacc (target) == is_gimple_omp_oacc (v->region)
      && known_p (target))
    rewrite_in_region (gsi, target, v);
  else if (target && !v->region && v->device_function && known_p (target))
    rewrite_in_function (gsi, target, v);
  else if (target && !v->region && nested_region_p (target))
    visit_region (target, v);
  else
    visit_inside (stmt, v);
  return NULL_TREE;
}

static void
visit_seq (gimple_seq *seq, visit *v)
{
  struct walk_stmt_info wi = {};
  wi.info = v;
  walk_gimple_seq_mod (seq, visit_stmt, NULL, &wi);
}

/* ---- Interface ---- */

/* What GCC calls an acc routine's attribute, and what we call it while
   constructs are lowered.  */
static const char routine_name[] = "oacc function",
		  hidden_name[] = "accrete oacc function";

/* Rename an attribute of FN.  */
static void
rename_attribute (tree fn, const char *from, const char *to)
{
  if (tree attribute = lookup_attribute (from, DECL_ATTRIBUTES (fn)))
    TREE_PURPOSE (attribute) = get_identifier (to);
}

/* Is there a loop construct outside all regions?  */
static tree
find_orphan (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  bool loop = gimple_code (stmt) == GIMPLE_OMP_FOR;
  *handled = loop || nested_region_p (stmt);
  return loop ? integer_one_node : NULL_TREE;
}

void
nested_rewrite (function *fun)
{
  nested_forget_children ();
  if (option_enabled (ACR_OPTION_SPLICE))
    nested_keep_body (fun->decl);
  visit v = {};
  v.fun = fun;
  tree attributes = DECL_ATTRIBUTES (fun->decl);
  v.device_function = lookup_attribute ("omp declare target", attributes)
		      && !lookup_attribute ("omp declare target host",
					    attributes);
  gimple_seq body = gimple_body (fun->decl);
  struct walk_stmt_info wi = {};
  v.device_only = oacc_get_fn_attrib (fun->decl)
		  && walk_gimple_seq (body, find_orphan, NULL, &wi);
  for (tree p = DECL_ARGUMENTS (fun->decl); p; p = DECL_CHAIN (p))
    if (!lang_hooks.decls.omp_privatize_by_reference (p))
      v.place.own.safe_push (p);
  visit_seq (&body, &v);
  gimple_set_body (fun->decl, body);
  any_two_forms = v.two_forms;
  if (v.two_forms)
    rename_attribute (fun->decl, routine_name, hidden_name);
}

/* Let FN be optimized as far as it takes to be rid of the form that is not
   for the compiler in question: libgomp for the device lacks OpenACC's
   launches.  */
static void
drop_dead_form (tree fn)
{
  struct gcc_options saved = global_options;
  global_options.x_optimize = 1;
  global_options.x_flag_tree_ccp = 1;
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (fn)
    = build_optimization_node (&global_options, &global_options_set);
  global_options = saved;
}

/* Leave out the ends of life of what omp-low made.  In a simd construct that
   such a function is inlined into, GCC fails for one at the end of a block.  */
static tree
leave_out_clobber (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  tree var = gimple_clobber_p (stmt) ? gimple_assign_lhs (stmt) : NULL_TREE;
  if (var && VAR_P (var) && DECL_NAMELESS (var))
    gsi_replace (gsi, gimple_build_nop (), true);
  return NULL_TREE;
}

void
nested_finish (function *fun)
{
  if (!any_two_forms)
    return;
  gimple_seq body = gimple_body (fun->decl);
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (&body, leave_out_clobber, NULL, &wi);
  gimple_set_body (fun->decl, body);
  /* For the passes that resolve .GOMP_USE_SIMT.  */
  fun->curr_properties &= ~PROP_gimple_lomp_dev;
  rename_attribute (fun->decl, hidden_name, routine_name);
  if (!optimize && oacc_get_fn_attrib (fun->decl))
    drop_dead_form (fun->decl);
  any_two_forms = false;
}

/* The GCC plugin: every step of the way of a device construct through the
   compiler, in the order in which they are taken.

   Before omp-low a body still speaks of the source's variables; there the steps
   rewrite constructs, learn about regions and give them the form of a kernel.
   After omp-low the outlined function and its argument block exist; there what
   was learnt is recorded.  The table of passes at the end says where the other
   steps are.

   loader.cc brings us here only with -fopenacc or -fopenmp.

   Source: passes.def in GCC.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice/advice.h"
#include "advice/mapping.h"
#include "loop/loop.h"
#include "nested/nested.h"
#include "opt/columns.h"
#include "spmd/spmd.h"

int plugin_is_GPL_compatible;

/* ---- Before omp-low ---- */

/* Constructs of FUN become others.  */
static void
rewrite_constructs (function *fun)
{
  /* Before anything is rewritten.  */
  scalar_scan (fun);
  /* Constants are not copied back.  */
  if (option_enabled (ACR_OPTION_CONSTANT))
    constants_map (fun);
  /* Regions that are met in regions become plain code.  */
  if (option_enabled (ACR_OPTION_NESTED))
    nested_rewrite (fun);
  /* No address is taken where a name says as much.  */
  if (option_enabled (ACR_OPTION_SPMD))
    address_forward (fun);
  /* Pointers lead to the data on the device.  */
  if (flag_openacc && option_enabled (ACR_OPTION_SECTION))
    section_pointers (fun);
  /* Kernels regions become parallel ones.  */
  if (flag_openacc && option_enabled (ACR_OPTION_KERNELS))
    kernels_rewrite (fun);
  /* Mapped scalars become an iteration's own, or come by value: those of kernels
     regions as well.  */
  if (option_enabled (ACR_OPTION_PRIVATE))
    private_of_iteration (fun);
  if (option_enabled (ACR_OPTION_VALUE))
    value_of_read (fun);
  /* Of firstprivate scalars with equal values one remains.  */
  if (optimize >= 2 && option_enabled (ACR_OPTION_EQUAL))
    equal_unify (fun);
  /* Collapsed loops are in memory order.  */
  if (optimize && option_enabled (ACR_OPTION_INTERCHANGE))
    interchange_loops (fun);
  /* Neighbours become one.  */
  if (option_enabled (ACR_OPTION_FUSE))
    fuse_constructs (fun);
  /* Loops over constructs are executed by one kernel.  */
  if (option_enabled (ACR_OPTION_RESIDENT))
    resident_loops (fun);
  /* Neighbours that read a matrix along rows and columns.  */
  if (option_enabled (ACR_OPTION_FUSE))
    fuse_columns (fun);
  /* Firstprivate scalars that are in memory come by value.  */
  if (option_enabled (ACR_OPTION_VALUE))
    scalar_copies (fun);
}

/* What clauses and body of R say; the code stays, but for what the host says in
   front of it.  */
static void
learn (region *r)
{
  bool runs = !data_construct_p (r);
  /* The operands: what the clauses map.  */
  if (runs)
    operand_find (r);
  else
    data_find (r);
  /* What is done to the objects that they lie in.  */
  if (option_enabled (ACR_OPTION_ACCESS))
    access_find (r);
  else
    access_give_up (r, "disabled");
  /* Addresses that get out.  */
  leak_find (r);
  /* Objects that may overlap, and what that means for accesses.  */
  if (option_enabled (ACR_OPTION_ALIAS))
    alias_find (r);
  access_spread (r);
  /* What is overwritten need not be sent.  */
  runs = runs && !resident_p (r->stmt);
  if (runs && option_enabled (ACR_OPTION_TAG)
      && option_enabled (ACR_OPTION_OVERWRITE))
    overwrite_find (r);
  /* What of an operand is accessed.  */
  if (runs && option_enabled (ACR_OPTION_TAG))
    reach_find (r);
  /* Loops and reductions.  */
  if (runs && option_enabled (ACR_OPTION_NEST))
    nest_find (r);
}

/* Let R have the form of the KERNEL beside its own.  */
static void
set_kernel (region *r, gimple *kernel)
{
  /* Functions that it calls without a directive.  */
  call_offload (kernel);
  spmd_set_forms (r->stmt, kernel);
  r->two_forms = true;
}

/* The same where teams have code around parallel constructs: a team is a block.
   The result is NULL, or why not, which is WHY when R is not of that kind.  */
static const char *
make_blocks (region *r, const char *why)
{
  const char *blocks;
  if (r->what->kind != ACR_KIND_OMP_TARGET || !spmd_block_p (r, &blocks))
    return why;
  if (blocks)
    return blocks;
  set_kernel (r, spmd_build_block (r));
  r->spmd = spmd_set_threads (r->stmt);
  return NULL;
}

/* Give R the form of an SPMD kernel beside its own, and *MAPPING words,
   allocated, for who executes which iterations.  The result is NULL, or why R
   stays as it is.  All checks come first.  */
static const char *
make_kernel (region *r, char **mapping)
{
  if (const char *why = spmd_compiler_why_not ())
    return why;
  /* The loops, and the variables of those who execute them.  */
  spmd_loops loops;
  const spmd_nest *lone = NULL;
  if (const char *why = spmd_find_loops (r, &loops, &lone))
    {
      why = make_blocks (r, why);
      /* The fork-join form then, with no more teams than it can use.  */
      if (why && lone)
	r->share = fork_pass_trips (lone);
      return why;
    }
  *mapping = mapping_text (loops);
  spmd_nest *nest = &loops[0]->nest;
  unsigned collapsed = gimple_omp_for_collapse (nest->loop);
  r->nest = collapsed > 1 && !nest->several ? collapsed : 0;
  r->exact = spmd_all_exact_p (loops, true);
  r->grids = !r->exact && spmd_all_exact_p (loops, false);
  /* Regions inside that several threads may execute.  */
  if (option_enabled (ACR_OPTION_COLLECT) && !nest->several)
    nest->launches = nested_find_launches (r, nest, &loops[0]->sharing);
  if (const char *why = nested_recursion_why_not (nest, nest->launches))
    {
      nested_free_launches (nest->launches);
      return why;
    }
  /* Whose threads are neighbours.  */
  if (option_enabled (ACR_OPTION_COLUMNS) && loops.length () == 1
      && !nest->launches && columns_p (r, nest, &loops[0]->sharing))
    {
      nest->columns = true;
      remark_done (r->loc, "%s region: neighbouring threads have iterations of"
			   " its outer loop\n", construct_words (r->what));
    }
  nest->coarse
    = loops.length () == 1 ? spmd_coarsening (nest, &loops[0]->sharing) : 0;
  if (nest->coarse)
    remark_done (r->loc, "%s region: in long loops a thread loads for %d iterations"
			 " at a time\n", construct_words (r->what), nest->coarse);
  nest->sums = loops.length () == 1 && spmd_keeps_sums_p (nest);
  spmd_added early;
  if (nest->once)
    if (int n = spmd_add_early_loads (r, nest, &early))
      remark_done (r->loc, "%s region: the loads of %d iterations of a loop begin"
			   " together\n", construct_words (r->what), n);
  /* The kernel's code.  */
  gimple *kernel = spmd_build_kernel (r, loops);
  spmd_remove_early_loads (nest, &early);
  if (region_sources (r->stmt) > 1)
    fuse_finish (gimple_bind_body_ptr (as_a<gbind *> (kernel)));
  /* The host's form of an OpenACC region has no directives either.  */
  if (nest->acc)
    {
      spmd_acc_stock (nest, r->stock);
      spmd_acc_host_form (nest->target);
    }
  /* The two forms, side by side.  */
  set_kernel (r, kernel);
  /* What the region is launched with.  */
  r->tiles = r->nest && spmd_tiles_p (nest, &loops[0]->sharing);
  r->spmd = nest->acc ? spmd_acc_launch (nest) : spmd_set_teams (nest);
  r->row = nest->split ? spmd_row_limit (nest) : 0;
  r->sums = nest->sums;
  r->columns = nest->columns ? MAX (nest->loads, 1) : 0;
  r->words = nest->columns || nest->sums || nest->one_by_one ? 0 : nest->words;
  r->coarse = nest->coarse;
  r->launches = nested_levels (nest->launches);
  nested_free_launches (nest->launches);
  return NULL;
}

/* Give R, which stands for a host loop, the form of a kernel; for the host it has none.
   Why it has none at all, or NULL.  */
static const char *
make_resident (region *r)
{
  gimple *kernel;
  if (const char *why = resident_make (r, &kernel))
    return why;
  set_kernel (r, kernel);
  r->resident = resident_waits_p (r->stmt) ? 2 : 1;
  r->spmd = ACR_SPMD_TEAMS;
  if (r->what->kind != ACR_KIND_OMP_TARGET)
    {
      spmd_acc_launch_open (r->stmt);
      r->spmd = ACR_SPMD_GANGS;
    }
  return NULL;
}

/* The same, if R is of a kind that may have one, and a remark about it.  */
static void
try_kernel (region *r)
{
  bool omp = r->what->kind == ACR_KIND_OMP_TARGET;
  if (!option_enabled (ACR_OPTION_SPMD)
      || (!omp && r->what->kind != ACR_KIND_ACC_PARALLEL))
    return;
  if (resident_p (r->stmt))
    {
      if (const char *why = make_resident (r))
	remark_missed (r->loc, "loop over regions: stays on the host: %s\n", why);
      return;
    }
  char *mapping = NULL;
  spmd_inactive inactive;
  spmd_replace_inactive (r, &inactive);
  const char *why = make_kernel (r, &mapping);
  spmd_restore_inactive (r, &inactive);
  if (region_sources (r->stmt) > 1 && (why || fuse_host_contracts_p ()))
    fuse_finish (gimple_omp_body_ptr (r->stmt));
  const char *kind = construct_words (r->what);
  if (r->share)
    remark_done (r->loc, "%s region: no more teams than its loop can use\n",
		 kind);
  if (why)
    {
      region_refused (r->stmt, ACR_OPTION_SPMD, why);
      remark_missed (r->loc, "%s region: stays in %s mode: %s\n", kind,
		     omp ? "generic" : "GCC's partitioned", why);
    }
  else
    remark_done (r->loc, "%s region: becomes an SPMD kernel%s%s\n", kind,
		 mapping ? ": " : "", mapping ? mapping : "");
  free (mapping);
}

/* Say what to change in R, for those who ask for remarks.  */
static void
advise (region *r)
{
  if (data_construct_p (r) || resident_p (r->stmt))
    return;
  advise_one_thread (r);
  advise_race (r);
  advise_coalescing (r);
}

static unsigned
before_lowering (function *fun)
{
  rewrite_constructs (fun);
  vec<region> *regions = region_find (fun);
  if (regions->is_empty ())
    return 0;
  object_scan (gimple_body (fun->decl));
  if (dump_enabled_p ())
    advise_around (fun, *regions);
  for (unsigned i = 0; i < regions->length (); i++)
    {
      learn (&(*regions)[i]);
      if (dump_enabled_p ())
	advise (&(*regions)[i]);
      try_kernel (&(*regions)[i]);
    }
  return 0;
}

/* ---- After omp-low ---- */

/* Match what was learnt about R with its argument block, and record it.  */
static void
complete (region *r)
{
  if (!gimple_omp_target_child_fn (r->stmt))
    return;
  auto_vec<acr_operand> slots;
  const char *why = slot_match (r, &slots);
  if (why)
    slots.truncate (0);
  /* Firstprivate scalars move into the block.  */
  else if (option_enabled (ACR_OPTION_VALUE))
    value_pass (r, &slots);
  reach_place (r, slots);
  region_record (r, slots, why);
}

static unsigned
after_lowering (function *fun)
{
  nested_finish (fun);
  vec<region> *regions = region_found ();
  for (unsigned i = 0; i < regions->length (); i++)
    {
      region *r = &(*regions)[i];
      if (data_construct_p (r))
	{
	  data_report (r);
	  if (option_enabled (ACR_OPTION_TAG))
	    site_record (r);
	  continue;
	}
      if (r->two_forms)
	spmd_finish (r, fun);
      complete (r);
    }
  region_forget ();
  resident_forget ();
  return 0;
}

/* ---- Passes ---- */

static bool
without_optimization_p (void)
{
  return !optimize;
}

static bool
unrolls_p (void)
{
  return optimize >= 2 && !optimize_size && option_enabled (ACR_OPTION_UNROLL);
}

static bool
scans_p (void)
{
  return optimize && option_enabled (ACR_OPTION_SCAN);
}

static bool
guards_p (void)
{
  return option_enabled (ACR_OPTION_TAG) && option_enabled (ACR_OPTION_GUARD);
}

static bool
tags_p (void)
{
  return (region_any () || site_any ()) && option_enabled (ACR_OPTION_TAG);
}

static unsigned
tag (function *)
{
  tag_emit ();
  return 0;
}

static bool
streams_p (void)
{
  return optimize;
}

static unsigned
stream (function *)
{
  results_streamed ();
  if (optimize < 2 || optimize_size)
    return 0;
  if (tags_p () && option_enabled (ACR_OPTION_FLATTEN))
    flatten_streamed ();
  bool math = option_enabled (ACR_OPTION_MATH) && math_streamed ();
  options_streamed (option_enabled (ACR_OPTION_PATHS), math);
  if (option_enabled (ACR_OPTION_UNROLL))
    lone_streamed ();
  return 0;
}

static const unsigned in_ssa = PROP_cfg | PROP_ssa;

/* The passes, and where they stand among GCC's.  The last comes after GCC has
   dropped functions that nobody calls, which its table would keep alive, and has
   looked for parallel loops in kernels regions, where a function in the table
   counts as one that anybody may call.  */
static const struct pass_row
{
  pass_data data;
  bool (*gate) (void);
  unsigned (*execute) (function *);
  const char *beside;
  enum pass_positioning_ops where;
} passes[] = {
#define GIMPLE(name, group, needs)					      \
  { GIMPLE_PASS, name, OPTGROUP_##group, TV_NONE, needs, 0, 0, 0, 0 }
#define IPA(name)							      \
  { SIMPLE_IPA_PASS, name, OPTGROUP_OMP, TV_NONE, 0, 0, 0, 0, 0 }
#define STREAM(name)							      \
  { IPA_PASS, name, OPTGROUP_OMP, TV_NONE, 0, 0, 0, 0, 0 }
  /* Rewrite constructs, learn about regions, give them the form of kernels.  */
  { GIMPLE ("accrete_find", OMP, PROP_gimple_any), NULL, before_lowering,
    "omplower", PASS_POS_INSERT_BEFORE },
  /* Operands and slots; remarks and the dump.  */
  { GIMPLE ("accrete", OMP, PROP_gimple_any), NULL, after_lowering,
    "omplower", PASS_POS_INSERT_AFTER },
  /* Take the kernels out of the host's code, which optimization does as well.  */
  { GIMPLE ("accrete_host", OMP, in_ssa), without_optimization_p,
    entry_drop_kernel, "ompdevlow", PASS_POS_INSERT_AFTER },
  /* What kernels call takes simd constructs for loops.  */
  { GIMPLE ("accrete_lone", OMP, in_ssa), NULL, lone_resolve, "ssa",
    PASS_POS_INSERT_AFTER },
  /* Loops in device code that look for a bit, before others are unrolled.  */
  { GIMPLE ("accrete_scan", LOOP, in_ssa), scans_p, scan_bits,
    "profile_estimate", PASS_POS_INSERT_AFTER },
  /* Small constant loops in device code.  */
  { GIMPLE ("accrete_unroll", LOOP, in_ssa), unrolls_p, unroll_small_loops,
    "profile_estimate", PASS_POS_INSERT_AFTER },
  /* Host code between constructs says what it looks at.  */
  { GIMPLE ("accrete_guard", OMP, in_ssa), guards_p, guard_host_code,
    "pre", PASS_POS_INSERT_BEFORE },
  /* Unique names, tags, the host's table.  */
  { IPA ("accrete_tag"), tags_p, tag, "targetclone",
    PASS_POS_INSERT_BEFORE },
  /* What the device's compiler is to do otherwise than the host's.  */
  { STREAM ("accrete_stream"), streams_p, stream, "whole-program",
    PASS_POS_INSERT_BEFORE },
#undef GIMPLE
#undef IPA
#undef STREAM
};

/* A pass of GCC's class BASE that does what ROW says.  */
template <typename base> struct row_pass : base
{
  const pass_row *row;
  row_pass (const pass_row *r) : base (r->data, g), row (r) {}
  bool
  gate (function *) final override
  {
    return !row->gate || row->gate ();
  }
  unsigned
  execute (function *fun) final override
  {
    return row->execute (fun);
  }
};

/* One that also runs before functions are streamed.  */
struct stream_pass : ipa_opt_pass_d
{
  static const pass_row *row;
  stream_pass (const pass_row *r)
    : ipa_opt_pass_d (r->data, g, NULL, stream, NULL, NULL, NULL, NULL, 0, NULL,
		      NULL)
  {
    row = r;
  }
  static void
  stream (void)
  {
    row->execute (NULL);
  }
  bool
  gate (function *) final override
  {
    return row->gate ();
  }
  unsigned
  execute (function *fun) final override
  {
    return row->execute (fun);
  }
};

const pass_row *stream_pass::row;

static opt_pass *
make_pass (const pass_row *row)
{
  if (row->data.type == IPA_PASS)
    return new stream_pass (row);
  if (row->data.type == SIMPLE_IPA_PASS)
    return new row_pass<simple_ipa_opt_pass> (row);
  return new row_pass<gimple_opt_pass> (row);
}

int
plugin_init (struct plugin_name_args *args, struct plugin_gcc_version *)
{
  /* In a link-time compilation all is done already.  */
  if (in_lto_p)
    return 0;
  for (unsigned i = 0; i < ARRAY_SIZE (passes); i++)
    {
      struct register_pass_info info
	= { make_pass (&passes[i]), passes[i].beside, 1, passes[i].where };
      register_callback (args->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL,
			 &info);
    }
  spmd_body_in_place = nested_body_in_place;
  register_callback (args->base_name, PLUGIN_GGC_MARKING, nested_mark_bodies,
		     NULL);
  plugin_parse_arguments (args);
  return 0;
}

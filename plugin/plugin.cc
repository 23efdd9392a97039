/* The GCC plugin: what it is asked and where it works.

     before omplower	accrete_find	find the regions of a function, look at
					their bodies; before, regions in regions
					become plain code and kernels constructs
					parallel ones
     after omplower	accrete		match operands with slots; remarks and
					the dump
     after profile_estimate
			accrete_unroll	small constant loops
     before targetclone	accrete_tag	unique names, tags, host table
     after ompdevlow	accrete_host	take the kernels out of the host's code
     before pre		accrete_guard	host code between constructs says what
					it looks at

   Before omp-low a body still speaks of the source's variables; after it the
   outlined function and its argument block exist.  targetclone comes after
   GCC has dropped functions that nobody calls, which the table would keep
   alive, and after it has looked for parallel loops in kernels regions, where
   a function in the table counts as one that anybody may call.

   loader.cc brings us here only with -fopenacc or -fopenmp.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "nested/nested.h"
#include "spmd/spmd.h"

int plugin_is_GPL_compatible;

/* GCC looks at -fdump-tree-accrete before it loads plugins and refuses it.  So
   there is -fplugin-arg-accrete-dump[=FILE] for the same; the specs file turns
   the one into the other.  Needs the pass to be registered.  */
static void
switch_dump_on (const char *file)
{
  char *arg = file ? concat ("tree-accrete=", file, NULL)
		   : xstrdup ("tree-accrete");
  g->get_dumps ()->dump_switch_p (arg);
  free (arg);
}

static void
parse_arguments (const struct plugin_name_args *args)
{
  for (int i = 0; i < args->argc; i++)
    {
      const struct plugin_argument *arg = &args->argv[i];
      if (!strcmp (arg->key, "disable") && arg->value)
	option_disable (arg->value);
      else if (!strcmp (arg->key, "rows") && arg->value)
	{
	  if (!jam_set_rows (arg->value))
	    warning (0, "%<-fplugin-arg-accrete-rows=%>: not 1, 2, 4, 8 or 16");
	}
      else if (!strcmp (arg->key, "nest") && arg->value)
	{
	  if (!nested_set_sites (arg->value))
	    warning (0, "%<-fplugin-arg-accrete-nest=%>: not a list of %qs",
		     "[FILE:]LINE:inplace, group or any");
	}
      else if (!strcmp (arg->key, "dump"))
	switch_dump_on (arg->value);
      else
	warning (0, "unknown plugin argument %<-fplugin-arg-%s-%s%>",
		 args->base_name, arg->key);
    }
}

static const pass_data find_data = {
  GIMPLE_PASS, "accrete_find", OPTGROUP_OMP, TV_NONE,
  PROP_gimple_any, 0, 0, 0, 0
};

struct find_pass : gimple_opt_pass
{
  find_pass (gcc::context *ctxt) : gimple_opt_pass (find_data, ctxt) {}
  unsigned int
  execute (function *fun) final override
  {
    if (option_enabled (ACR_OPTION_NESTED))
      nested_rewrite (fun);
    if (flag_openacc && option_enabled (ACR_OPTION_KERNELS))
      kernels_rewrite (fun);
    /* Those that kernels regions have become map their scalars as well.  */
    if (option_enabled (ACR_OPTION_PRIVATE))
      private_of_iteration (fun);
    if (option_enabled (ACR_OPTION_VALUE))
      value_of_read (fun);
    /* After kernels regions have become parallel ones, whose scalars are
       firstprivate.  */
    if (optimize >= 2 && option_enabled (ACR_OPTION_EQUAL))
      equal_unify (fun);
    region_find (fun);
    return 0;
  }
};

static const pass_data complete_data = {
  GIMPLE_PASS, "accrete", OPTGROUP_OMP, TV_NONE,
  PROP_gimple_any, 0, 0, 0, 0
};

struct complete_pass : gimple_opt_pass
{
  complete_pass (gcc::context *ctxt) : gimple_opt_pass (complete_data, ctxt) {}
  unsigned int
  execute (function *fun) final override
  {
    nested_finish (fun);
    region_complete (fun);
    return 0;
  }
};

static const pass_data host_data = {
  GIMPLE_PASS, "accrete_host", OPTGROUP_OMP, TV_NONE,
  PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

struct host_pass : gimple_opt_pass
{
  host_pass (gcc::context *ctxt) : gimple_opt_pass (host_data, ctxt) {}
  bool
  gate (function *) final override
  {
    return !optimize;
  }
  unsigned int
  execute (function *fun) final override
  {
    return spmd_drop_kernel (fun);
  }
};

static const pass_data unroll_data = {
  GIMPLE_PASS, "accrete_unroll", OPTGROUP_LOOP, TV_NONE,
  PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

struct unroll_pass : gimple_opt_pass
{
  unroll_pass (gcc::context *ctxt) : gimple_opt_pass (unroll_data, ctxt) {}
  bool
  gate (function *) final override
  {
    return optimize >= 2 && !optimize_size
	   && option_enabled (ACR_OPTION_UNROLL);
  }
  unsigned int
  execute (function *fun) final override
  {
    return unroll_small_loops (fun);
  }
};

static const pass_data guard_data = {
  GIMPLE_PASS, "accrete_guard", OPTGROUP_OMP, TV_NONE,
  PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

struct guard_pass : gimple_opt_pass
{
  guard_pass (gcc::context *ctxt) : gimple_opt_pass (guard_data, ctxt) {}
  bool
  gate (function *) final override
  {
    return option_enabled (ACR_OPTION_TAG)
	   && option_enabled (ACR_OPTION_GUARD);
  }
  unsigned int
  execute (function *fun) final override
  {
    return guard_host_code (fun);
  }
};

static const pass_data tag_data = {
  SIMPLE_IPA_PASS, "accrete_tag", OPTGROUP_OMP, TV_NONE, 0, 0, 0, 0, 0
};

struct tag_pass : simple_ipa_opt_pass
{
  tag_pass (gcc::context *ctxt) : simple_ipa_opt_pass (tag_data, ctxt) {}
  bool
  gate (function *) final override
  {
    return region_any () && option_enabled (ACR_OPTION_TAG);
  }
  unsigned int
  execute (function *) final override
  {
    tag_emit ();
    return 0;
  }
};

static void
register_pass (const char *plugin, opt_pass *pass, const char *reference,
	       pass_positioning_ops where)
{
  struct register_pass_info info = { pass, reference, 1, where };
  register_callback (plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

static void
register_passes (const char *plugin)
{
  register_pass (plugin, new find_pass (g), "omplower",
		 PASS_POS_INSERT_BEFORE);
  register_pass (plugin, new complete_pass (g), "omplower",
		 PASS_POS_INSERT_AFTER);
  register_pass (plugin, new host_pass (g), "ompdevlow",
		 PASS_POS_INSERT_AFTER);
  register_pass (plugin, new unroll_pass (g), "profile_estimate",
		 PASS_POS_INSERT_AFTER);
  register_pass (plugin, new guard_pass (g), "pre", PASS_POS_INSERT_BEFORE);
  register_pass (plugin, new tag_pass (g), "targetclone",
		 PASS_POS_INSERT_BEFORE);
}

int
plugin_init (struct plugin_name_args *args, struct plugin_gcc_version *)
{
  /* In a link-time compilation all is done already.  */
  if (in_lto_p)
    return 0;
  register_passes (args->base_name);
  register_callback (args->base_name, PLUGIN_GGC_MARKING, nested_mark_bodies,
		     NULL);
  parse_arguments (args);
  return 0;
}

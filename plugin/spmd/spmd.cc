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

/* ---- The two forms ---- */

/* Give the target construct of NEST the two forms.  */
static void
set_forms (const spmd_nest *nest, gimple *kernel)
{
  gomp_target *target = nest->target;
  gimple_seq seq = NULL;
  gimple_seq_add_stmt (&seq,
		       code_two_forms (kernel, gimple_omp_body (target)));
  gimple_omp_set_body (target, seq);
}

/* ---- The launch ---- */

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
  r->spmd = nest.acc ? spmd_acc_launch (&nest) : spmd_set_teams (&nest);
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

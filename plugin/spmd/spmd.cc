/* OpenMP regions as SPMD kernels.

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
   kernel reads the GPU's registers.

   KERNEL gives the same result for every grid and block, and obeys the clauses
   about numbers of teams and threads by letting the threads beyond them idle.

   All checks come first; a region that fails one stays as it was, and a
   remark says why.

   Needs: access_find, alias_find and access_spread of the region.
   Keeps: what the region does on the host.
   Source: scan_omp_simd in GCC's omp-low.cc for the two forms.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

const char *
spmd_compiler_why_not (void)
{
  const char *targets = getenv ("OFFLOAD_TARGET_NAMES");
  if (!targets || !strstr (targets, "nvptx"))
    return "no device";
  /* Which the post-processor knows them by.  */
  if (!option_enabled (ACR_OPTION_TAG))
    return "tags are disabled";
  /* Then the host's form would keep the kernel's instructions.  */
  if (flag_lto && !optimize)
    return "link-time compilation without optimization";
  return NULL;
}

/* The loop of R that SKIPPED come before.  */
static const char *
find_nest (const region *r, unsigned skipped, spmd_nest *nest)
{
  nest->acc = r->what->kind != ACR_KIND_OMP_TARGET;
  if (nest->acc)
    return spmd_acc_find_nest (r, nest);
  if (spmd_serial_p (r->stmt))
    return spmd_find_serial (r->stmt, nest);
  return spmd_find_nest (r->stmt, skipped, nest);
}

const char *
spmd_find_loops (const region *r, spmd_loops *loops, const spmd_nest **lone)
{
  do
    {
      spmd_loop *loop = new spmd_loop;
      unsigned before = loops->length ();
      loops->safe_push (loop);
      if (const char *why = find_nest (r, before, &loop->nest))
	return why;
      if (const char *why = spmd_find_sharing (&loop->nest, &loop->sharing))
	{
	  if (!loop->nest.several)
	    *lone = &loop->nest;
	  return why;
	}
    }
  while (loops->last ()->nest.more);
  return NULL;
}

bool
spmd_all_exact_p (const spmd_loops &loops, bool blocks)
{
  for (unsigned i = 0; i < loops.length (); i++)
    if (!spmd_exact_p (&loops[i]->nest, blocks))
      return false;
  return true;
}

/* What one block executes it has finished before the next loop begins; several
   teams do not wait for each other in any case.  */
gimple *
spmd_build_kernel (const region *r, const spmd_loops &loops)
{
  gimple_seq seq = NULL;
  for (unsigned i = 0; i < loops.length (); i++)
    {
      if (i && spmd_one_block_p (&loops[i]->nest))
	spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE,
		      &seq);
      gimple_seq_add_stmt (&seq, spmd_build_thread (r, &loops[i]->nest,
						    &loops[i]->sharing));
    }
  return gimple_build_bind (NULL_TREE, seq, NULL);
}

void
spmd_set_forms (gomp_target *target, gimple *kernel)
{
  gimple_seq seq = NULL;
  gimple_seq_add_stmt (&seq,
		       code_two_forms (kernel, gimple_omp_body (target)));
  gimple_omp_set_body (target, seq);
}

void
spmd_finish (const region *r, function *fun)
{
  if (r->what->kind != ACR_KIND_OMP_TARGET)
    spmd_acc_finish (r->stmt);
  /* Only kernels have calls still: what they stand for is back in the originals.  */
  spmd_atomic_store (gimple_omp_body_ptr (r->stmt));
  spmd_atomic_finish (gimple_omp_body_ptr (r->stmt));
  /* For the passes that resolve .GOMP_USE_SIMT: outlined functions inherit
     it.  */
  fun->curr_properties &= ~PROP_gimple_lomp_dev;
}

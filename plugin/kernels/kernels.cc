/* Kernels constructs whose loops run in parallel.

   GCC runs a kernels region on one thread.  Where its loops are marked
   independent or proved so, it becomes a parallel region with loop
   directives:

       #pragma acc kernels			m = n - 1;
       {					#pragma acc parallel firstprivate(m)
	 for (i = 1; i < n - 1; i++)	->	#pragma acc loop private(i')
	   ...					for (i' = 1; i' < m; i' = i' + 1)
       }					  ...
						i = MAX (1, m);

   Scalars of a kernels region are copied in and out by a mapping that must be
   new (GOMP_MAP_FORCE_TOFROM: the run-time library stops the program when
   the variable is on the device already), so nobody else sees the device's
   copy: one that is only read becomes firstprivate, what precedes the loop
   may run on the host, and the host can set the indices to their last
   values.  All else keeps its clause.

   Where the proof needs a condition (depend.cc), the program checks it.  What
   does not hold for the loops inside may hold for the outermost, which then
   runs in parallel alone; else the nest runs in order, on one thread.  GCC's
   own form of a kernels region is not good for that: it runs the outermost
   loop in parallel where strides are variables, whatever their values
   (add_multivariate_self_dist in tree-data-ref.cc takes back no more than
   DDR_AFFINE_P, and lambda_transform_legal_p does not look at that).

   Needs: GIMPLE before omp-low; operand_find, access_find and alias_find of
   the construct.  Keeps: what a program that runs it in order leaves
   behind.  Breaks: the construct, of which a parallel one or a check of
   both remains.
   Source: OpenACC 3.2, 2.5.3, 2.6.2 and 2.9; GCC's
   omp-oacc-kernels-decompose.cc for what a region of several loops means.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

/* What became of a construct of several parts; those that one thread executes
   are named.  */
static void
report_parts (const rewrite *w, unsigned parallel, const char *after)
{
  remark_done (gimple_location (w->stmt),
	       "acc kernels region: %u parts: %u of %u loops run in"
	       " parallel%s\n",
	       w->parts.length (), parallel, w->l.loops.length (), after);
  for (unsigned i = 0; i < w->parts.length (); i++)
    if (!w->parts[i]->nest)
      remark_missed (w->parts[i]->loc,
		     "acc kernels region: a part of it runs on one GPU thread:"
		     " %s\n",
		     w->parts[i]->why);
}

/* What became of the construct, or WHY nothing did.  */
static void
report (const rewrite *w, const char *why)
{
  location_t loc = gimple_location (w->stmt);
  if (why)
    {
      region_refused (w->stmt, ACR_OPTION_KERNELS, why);
      remark_missed (w->now && w->now->loc ? w->now->loc : loc,
		     "acc kernels region: runs on one GPU thread: %s\n", why);
      return;
    }
  unsigned parallel = 0;
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    parallel += w->l.loops[i]->parallel;
  unsigned n = w->l.loops.length ();
  bool checked = !integer_onep (w->assumed);
  for (unsigned i = 0; i < w->parts.length (); i++)
    checked |= !integer_onep (w->parts[i]->guard);
  const char *after = checked ? " after a check" : "";
  if (w->parts.length () > 1)
    report_parts (w, parallel, after);
  else if (n == 1)
    remark_done (loc, "acc kernels region: its loop runs in parallel%s\n",
		 after);
  else
    remark_done (loc, "acc kernels region: %u of %u loops run in parallel%s\n",
		 parallel, n, after);
}

/* Write the line of W for R, without what is assumed not to be executed.  */
static void
make_line (rewrite *w, region *r)
{
  hash_set<gimple *> left_out;
  w->assumed = boolean_true_node;
  if (lang_GNU_Fortran ())
    {
      line all = {};
      line_make (&all, r);
      if (!all.broken)
	w->assumed = kernels_leave_out_cold (&all, w->stmt, &left_out);
      line_release (&all);
    }
  w->l.left_out = &left_out;
  line_make (&w->l, r);
  w->l.left_out = NULL;
}

/* The code for the kernels construct STMT, or NULL when it stays.  */
static gbind *
rewrite_construct (gomp_target *stmt)
{
  region r = {};
  r.stmt = stmt;
  r.what = construct_of (stmt);
  r.loc = gimple_location (stmt);
  operand_find (&r);
  access_find (&r);
  if (option_enabled (ACR_OPTION_ALIAS))
    alias_find (&r);
  affine_reset ();

  rewrite w = {};
  hash_map<tree, tree> hosted;
  w.stmt = stmt;
  w.hosted = &hosted;
  make_line (&w, &r);
  const char *why = kernels_find_parts (&w);
  report (&w, why);
  gbind *code = why ? NULL : kernels_make_code (&w);
  for (unsigned i = 0; i < w.parts.length (); i++)
    delete w.parts[i];
  line_release (&w.l);
  region_release (&r);
  return code;
}

static tree
rewrite_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *)
{
  gomp_target *stmt = kernels_construct (gsi_stmt (*gsi));
  *handled = stmt != NULL;
  if (stmt)
    if (gbind *code = rewrite_construct (stmt))
      gsi_replace (gsi, code, false);
  return NULL_TREE;
}

static tree
find_kernels (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *)
{
  *handled = kernels_construct (gsi_stmt (*gsi)) != NULL;
  return *handled ? integer_one_node : NULL_TREE;
}

void
kernels_rewrite (function *fun)
{
  struct walk_stmt_info wi = {};
  if (!walk_gimple_seq (gimple_body (fun->decl), find_kernels, NULL, &wi))
    return;
  kernels_own_scalars (fun);
  gimple_seq body = gimple_body (fun->decl);
  object_scan (body);
  wi = {};
  walk_gimple_seq_mod (&body, rewrite_stmt, NULL, &wi);
  gimple_set_body (fun->decl, body);
}

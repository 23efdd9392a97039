/* Regions that one GPU thread executes, though they have loops.

   A region's loop runs on one thread when no directive shares it out: `acc
   serial', `acc parallel' without `acc loop', `omp target' without teams or
   parallel.  What is no loop is soon done by one thread.

   Needs: GIMPLE before omp-low.  Keeps: all code.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice/advice.h"

struct search
{
  bool shares = false, loops = false;
  hash_set<tree> labels;
};

static bool
jumps_back_p (const search *s, gimple *stmt)
{
  auto back = [&] (tree label) {
    return label && const_cast<search *> (s)->labels.contains (label);
  };
  if (ggoto *jump = dyn_cast<ggoto *> (stmt))
    return back (gimple_goto_dest (jump));
  if (gcond *cond = dyn_cast<gcond *> (stmt))
    return back (gimple_cond_true_label (cond))
	   || back (gimple_cond_false_label (cond));
  return false;
}

static bool
shares_p (gimple *stmt)
{
  gomp_for *loop = dyn_cast<gomp_for *> (stmt);
  if (!loop)
    return gimple_code (stmt) == GIMPLE_OMP_PARALLEL
	   || gimple_code (stmt) == GIMPLE_OMP_TARGET;
  return gimple_omp_for_kind (loop) != GF_OMP_FOR_KIND_OACC_LOOP
	 || !omp_find_clause (gimple_omp_for_clauses (loop), OMP_CLAUSE_SEQ);
}

static tree
look_at (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  search *s = (search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (glabel *label = dyn_cast<glabel *> (stmt))
    s->labels.add (gimple_label_label (label));
  s->loops |= jumps_back_p (s, stmt)
	      || gimple_code (stmt) == GIMPLE_OMP_FOR;
  s->shares |= shares_p (stmt);
  return NULL_TREE;
}

void
advise_one_thread (const region *r)
{
  /* Of kernels regions that stay what they are, kernels.cc tells why, and of the
     others that a check decides.  */
  if (r->what->kind == ACR_KIND_ACC_KERNELS
      || region_refused_p (r->stmt, ACR_OPTION_KERNELS))
    return;
  search s;
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_omp_body (r->stmt), look_at, NULL, &wi);
  bool serial = r->what->kind == ACR_KIND_ACC_SERIAL;
  if (s.loops && (serial || !s.shares))
    remark_missed (r->loc, "%s region: runs on one GPU thread: %s\n",
		   construct_words (r->what),
		   serial ? "so says its directive"
			  : "no directive shares its loops among threads");
}

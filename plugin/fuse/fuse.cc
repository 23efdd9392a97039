/* Vertical fusion: neighbouring constructs that loop over the same elements
   become one construct, and so one kernel.

       #pragma acc parallel loop		#pragma acc parallel loop
       for (i = 0; i < n; i++)			for (i = 0; i < n; i++)
	 w[i] = 2 * x[i];		->	  {
       #pragma acc parallel loop		    w[i] = 2 * x[i];
       for (j = 0; j < n; j++)			    y[i] = w[i] + y[i];
	 y[j] = w[j] + y[j];			  }

   The host gives one launch instead of two, and what both bodies access is
   loaded into the caches once.  docs/fusion.md has the rule by which that is
   legal, and its proof.  Where it depends on values of the program, the host
   tests them,

       if (GUARD) the fused construct; else { the first; the second }

   in front of which stands the host code from between.

   Constructs are taken from left to right; a fused one may be fused again,
   until there are FUSE_CHAIN in it.  All guards of a chain are tested in front
   of it.

   Sums of columns that could go along rows (fuse-turn.cc) come later, when loops
   over constructs have become kernels (resident.cc): these cannot have the tests of
   data and kernels in them.  Such a loop remains as the host's beside its kernel, which
   the runtime takes where the data are too large for the cache, as these matrices are;
   and in that one the constructs are found then.

   Needs: GIMPLE before omp-low, kernels regions made parallel, scalars that
   are only read by value.  Keeps: what a program leaves behind, but for the
   order in which reductions add.  Breaks: the constructs that it fuses.
   Source: J. Filipovic et al., "Optimizing CUDA code by kernel fusion:
   application on BLAS", J. Supercomputing 71, 2015.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"
#include "base/code.h"

/* The constructs that the last one stands for, when that is a fused one, and
   what must be true for it.  */
struct chain
{
  auto_vec<gomp_target *, FUSE_CHAIN> sources;
  tree guard;
  /* The place of the first of them.  */
  unsigned begin;
  /* Where sums of columns went along rows: what comes in front of the fused one,
     and behind; else NULL.  Then nothing is fused with it any more.  */
  gomp_target *before = NULL, *after = NULL;
};

/* ---- Candidates ---- */

/* The function in hand has had all its pairs; columns are looked for.  */
static bool turning;

/* Constructs that are left for when a test fails: they are not tried again.  */
static vec<const gomp_target *> left;

/* The construct at place I of RUN, when it is of a kind that may be fused.  */
static gomp_target *
candidate (const host_run *run, unsigned i)
{
  gomp_target *stmt = dyn_cast<gomp_target *> (gsi_stmt (run->places[i]));
  const construct *what
    = stmt && !stmt_reverse_p (stmt) ? construct_of (stmt) : NULL;
  return what && !left.contains (stmt) && !resident_p (stmt)
	     && (what->kind == ACR_KIND_OMP_TARGET
		 || what->kind == ACR_KIND_ACC_PARALLEL)
	   ? stmt
	   : NULL;
}

/* Are the constructs of F loops of one form, executed one after the other?  */
static bool
alike_p (fusion *f)
{
  fuse_shape first, second;
  return gimple_omp_target_kind (f->first) == gimple_omp_target_kind (f->second)
	 && fuse_take (f->first, &first) && fuse_take (f->second, &second)
	 && (fuse_alike_p (&first, &second)
	     || fuse_rows_alike_p (&first, &second))
	 && fuse_in_line_p (f);
}

/* Why the constructs of F, which are alike, cannot become one, or NULL; then F
   has the one.  */
static const char *
try_pair (fusion *f)
{
  if (region_sources (f->first) + region_sources (f->second) > FUSE_CHAIN)
    return "enough of them are one already";
  if (const char *why = fuse_host_bar (f))
    return why;
  fuse_take (fuse_copy (f->first), &f->a);
  fuse_take (fuse_copy (f->second), &f->b);
  fuse_rename (f, f->a.stmt);
  if (const char *why = fuse_level_rows (f))
    return why;
  if (const char *why = fuse_bounds_bar (f))
    return why;
  fuse_make_own (&f->a, f->a_own);
  fuse_make_own (&f->b, f->b_own);
  if (const char *why = fuse_merge (f))
    return why;
  return fuse_legal_bar (f);
}

/* ---- In place ---- */

/* Let the run's scope have the variables of all scopes in it: a construct goes
   from one to another.  */
static void
dissolve_scopes (host_run *run)
{
  for (unsigned i = 0; i < run->scopes.length (); i++)
    {
      gbind *scope = run->scopes[i];
      tree vars = gimple_bind_vars (scope);
      gimple_bind_set_vars (scope, NULL_TREE);
      if (tree block = gimple_bind_block (scope))
	BLOCK_VARS (block) = NULL_TREE;
      gimple_bind_append_vars (run->scope, vars);
    }
  run->scopes.truncate (0);
}

/* Where the first construct stands: keep what the code between sets again.  */
static void
save_operands (fusion *f, host_run *run)
{
  for (unsigned i = 0; i < f->saved.length (); i++)
    {
      gimple *copy = gimple_build_assign (f->saved[i], f->renamed[i]);
      gsi_insert_before (&run->places[f->from], copy, GSI_SAME_STMT);
      gimple_bind_append_vars (run->scope, f->saved[i]);
    }
}

/* Add C's fused construct, FUSED, to SEQ, with what belongs to it.  */
static void
add_fused (const chain *c, gomp_target *fused, gimple_seq *seq)
{
  if (c->before)
    gimple_seq_add_stmt_without_update (seq, c->before);
  gimple_seq_add_stmt_without_update (seq, fused);
  if (c->after)
    gimple_seq_add_stmt_without_update (seq, c->after);
}

/* The FUSED construct when C's guard holds, else its sources.  */
static gbind *
two_forms (const chain *c, gomp_target *fused)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code to = &seq;
  to.if_ (
    unshare_expr (c->guard),
    [&] { add_fused (c, fused, to); },
    [&] {
      for (unsigned i = 0; i < c->sources.length (); i++)
	{
	  gimple_seq_add_stmt_without_update (to, c->sources[i]);
	  left.safe_push (c->sources[i]);
	}
    });
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

/* Where F has sums of columns that go along rows: from now on they are atomic, and
   the source is what it was.  */
static void
take_sums (fusion *f, chain *c)
{
  if (!f->turned)
    return;
  fuse_sums_finish (f->merged);
  c->before = f->turned->before;
  c->after = f->turned->after;
  fuse_rename (f, c->before);
  fuse_rename (f, c->after);
  (f->first == f->turned->rows ? f->first : f->second) = f->turned->source;
}

/* ---- What the host tests ---- */

/* Is all that F's construct accesses through the object O in the loop IN?  */
static bool
all_within_p (const fusion *f, unsigned o, const line_loop *in)
{
  for (unsigned i = 0; i < f->l.accesses.length (); i++)
    {
      const line_loop *l = f->l.accesses[i].in;
      while (l && l != in)
	l = l->outer;
      if (f->l.accesses[i].object == o && !l)
	return false;
    }
  return true;
}

static void
keep_tested (object_name a, object_name b, void *data)
{
  const fusion *f = (const fusion *) data;
  a.var = fuse_renamed (f, a.var);
  b.var = fuse_renamed (f, b.var);
  region_tested (f->merged, a, b);
}

/* Objects that F's guard says are apart are so in the fused construct: that is about
   all accesses in a loop.  So are those that the guard of its first construct says
   are, as the second's accesses to one of them are compared with the first's to
   the other.  */
static void
note_tested (fusion *f)
{
  region_each_tested (f->first, keep_tested, f);
  for (unsigned i = 0; i < f->l.apart.length (); i++)
    {
      const object_pair *p = &f->l.apart[i];
      if (all_within_p (f, p->a, p->in) && all_within_p (f, p->b, p->in))
	region_tested (f->merged, f->r.objects[p->a].name,
		       f->r.objects[p->b].name);
    }
}

/* Put the result in place of the two.  */
static void
apply (fusion *f, host_run *run, chain *c)
{
  take_sums (f, c);
  region_fused (f->merged, f->first, f->second);
  note_tested (f);
  dissolve_scopes (run);
  save_operands (f, run);
  if (c->sources.is_empty ())
    {
      c->sources.safe_push (f->first);
      c->guard = boolean_true_node;
      c->begin = f->from;
    }
  for (unsigned i = 0; i < c->sources.length (); i++)
    fuse_rename (f, c->sources[i]);
  c->guard = fuse_renamed (f, c->guard);
  c->sources.safe_push (f->second);
  if (integer_onep (c->guard))
    c->guard = f->guard;
  else if (!integer_onep (f->guard))
    c->guard = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, c->guard,
		       f->guard);
  gsi_remove (&run->places[f->from], false);
  gsi_replace (&run->places[f->to], f->merged, false);
  gimple_set_location (f->merged, gimple_location (f->first));
  run->places.ordered_remove (f->from);
}

/* The chain C ends at place AT of RUN.  */
static void
end_chain (chain *c, host_run *run, unsigned at)
{
  gimple_stmt_iterator *gsi = &run->places[at];
  if (!c->sources.is_empty () && !integer_onep (c->guard))
    {
      gomp_target *fused = as_a<gomp_target *> (gsi_stmt (*gsi));
      location_t loc = gimple_location (fused);
      /* It leaves its sequence before it is put into another one.  */
      gsi_replace (gsi, gimple_build_nop (), false);
      gsi_replace (gsi, two_forms (c, fused), false);
      gimple_set_location (fused, loc);
    }
  c->sources.truncate (0);
  c->before = c->after = NULL;
}

/* ---- Remarks ---- */

/* Why a construct was not fused with the one before, which is known when columns have
   been looked for as well.  */
struct miss
{
  const gomp_target *second;
  location_t first;
  char *why; /* allocated */
};
static vec<miss> misses;

/* F's second construct in the source.  */
static const gomp_target *
second_of (const fusion *f)
{
  return f->turned && f->second == f->turned->rows ? f->turned->source : f->second;
}

/* The second construct of F stays apart because of WHY, allocated, unless that is
   said.  */
static void
note_miss (const fusion *f, char *why)
{
  for (unsigned i = 0; i < misses.length (); i++)
    if (misses[i].second == second_of (f))
      {
	free (why);
	return;
      }
  misses.safe_push ({ second_of (f), gimple_location (f->first), why });
}

/* The second construct of F does not stay apart.  */
static void
forget_miss (const fusion *f)
{
  for (unsigned i = 0; i < misses.length (); i++)
    if (misses[i].second == second_of (f))
      {
	free (misses[i].why);
	misses.ordered_remove (i);
	return;
      }
}

/* Say what was noted.  */
static void
report_misses (void)
{
  for (unsigned i = 0; i < misses.length (); i++)
    {
      const miss *m = &misses[i];
      expanded_location with = expand_location (m->first);
      remark_missed (gimple_location (m->second),
		     "%s region: not fused with the one at %s:%d: %s\n",
		     construct_words (construct_of (m->second)),
		     with.file ? lbasename (with.file) : "", with.line, m->why);
      free (m->why);
    }
  misses.truncate (0);
}

/* F's two are one.  */
static void
report (const fusion *f)
{
  location_t loc = gimple_location (f->second);
  expanded_location with = expand_location (gimple_location (f->first));
  const char *kind = construct_words (construct_of (f->second));
  remark_done (loc, "%s region: fused with the one at %s:%d%s\n", kind,
	       with.file ? lbasename (with.file) : "", with.line,
	       integer_onep (f->guard) ? "" : " after a check");
  if (f->forwarded || f->dropped)
    remark_done (loc, "%s region: %u %s what registers have, %u %s dropped\n",
		 kind, f->forwarded, f->forwarded == 1 ? "load takes" : "loads take",
		 f->dropped, f->dropped == 1 ? "store is" : "stores are");
  if (f->jammed)
    remark_done (loc, "%s region: two loops inside became one\n", kind);
}

/* ---- All ---- */

/* Has object_scan seen the function in hand?  Most functions have no two
   neighbours.  */
static bool scanned;

static void
scan_once (void)
{
  if (!scanned)
    object_scan (gimple_body (current_function_decl));
  scanned = true;
}

/* All threads together share out a nest of a loop and nothing else in a loop.
   That must not end; sums that go along rows never were one.  */
static const char *
nest_bar (const fusion *f)
{
  const gomp_target *sums = f->turned ? f->turned->rows : NULL;
  bool perfect = (f->first != sums && fuse_perfect_p (f->first))
		 || (f->second != sums && fuse_perfect_p (f->second));
  if (perfect && !fuse_perfect_p (f->merged))
    return "the loops inside cannot be one";
  return sums && fuse_perfect_p (f->merged)
	   ? "no team would keep the sums of columns"
	   : NULL;
}

/* Let F's condition say TEST, unless that is NULL, when all else is true.  */
static void
need (fusion *f, tree test)
{
  if (test)
    f->guard = integer_onep (f->guard)
		 ? test
		 : build2 (TRUTH_ANDIF_EXPR, boolean_type_node, f->guard, test);
}

/* Try the two constructs of F, with C's.  When they stay the result is false, and
   *WHY, unless there is one, why they do though it would pay; allocated.  */
static bool
fuse_two (fusion *f, host_run *run, chain *c, char **why_not)
{
  scan_once ();
  const char *why = alike_p (f) ? try_pair (f) : NULL;
  /* Whether it pays is known together with whether it is legal.  */
  bool pays = f->l.code.is_empty () ? why != NULL : fuse_pays_p (f);
  if (pays && !why && f->turned)
    why = fuse_sums_bar (f);
  if (pays && !why && f->turned)
    why = fuse_sums_pay_bar (f);
  if (pays && !why)
    why = fuse_rows_kernel_bar (f);
  if (pays && !why)
    {
      fuse_forward (f);
      fuse_jam (f);
      why = nest_bar (f);
    }
  bool fused = pays && !why;
  if (fused)
    {
      need (f, f->present);
      if (f->turned)
	need (f, fuse_sums_ready (f));
      report (f);
      forget_miss (f);
      apply (f, run, c);
    }
  else if (pays && !*why_not)
    *why_not = xstrdup (why);
  line_release (&f->l);
  region_release (&f->r);
  return fused;
}

/* Let F be about the constructs at FROM, which is C, and TO of RUN.  False when
   there is none.  */
static bool
take_two (fusion *f, host_run *run, unsigned from, unsigned to, const chain *c)
{
  f->run = run;
  f->from = from;
  f->to = to;
  f->begin = c->sources.is_empty () ? from : c->begin;
  f->first = candidate (run, from);
  f->second = candidate (run, to);
  return f->first && f->second;
}

/* Try those with sums of columns, which the SECOND is or the first, going along
   rows.  */
static bool
fuse_turned_pair (host_run *run, unsigned from, unsigned to, chain *c,
		  bool second, char **why)
{
  fusion f;
  fuse_turned sums;
  if (!take_two (&f, run, from, to, c) || (!second && !c->sources.is_empty ())
      || !fuse_turn (second ? f.second : f.first, &sums))
    return false;
  scan_once ();
  if (!fuse_need_present (&f, sums.source))
    return false;
  f.turned = &sums;
  (second ? f.second : f.first) = sums.rows;
  return fuse_two (&f, run, c, why);
}

/* Try the constructs at FROM, which is C, and TO of RUN.  False when they
   stay.  */
static bool
fuse_pair (host_run *run, unsigned from, unsigned to, chain *c)
{
  fusion f;
  char *why = NULL;
  if (c->before || !take_two (&f, run, from, to, c))
    return false;
  bool fused = turning ? fuse_turned_pair (run, from, to, c, true, &why)
			   || fuse_turned_pair (run, from, to, c, false, &why)
		       : fuse_two (&f, run, c, &why);
  if (!fused && why)
    note_miss (&f, why);
  else
    free (why);
  return fused;
}

static void
fuse_run (host_run *run, void *)
{
  chain c;
  int last = -1;
  for (unsigned i = 0; run->scope && i < run->places.length (); i++)
    {
      if (!construct_computes_p (gsi_stmt (run->places[i])))
	continue;
      if (last >= 0 && fuse_pair (run, last, i, &c))
	/* Both are at the place before, now.  */
	i--;
      else if (last >= 0)
	end_chain (&c, run, last);
      last = i;
    }
  if (last >= 0)
    end_chain (&c, run, last);
}

/* May constructs of FUN be fused?  */
static bool
fuses_p (const function *fun)
{
  return optimize >= 2 && !optimize_size && !fun->calls_setjmp
	 && !offloaded_p (fun->decl) && !flag_non_call_exceptions;
}

void
fuse_constructs (function *fun)
{
  left.truncate (0);
  scanned = turning = false;
  if (fuses_p (fun))
    fuse_each_run (fun, fuse_run, NULL);
}

void
fuse_columns (function *fun)
{
  scanned = false;
  turning = true;
  if (fuses_p (fun) && option_enabled (ACR_OPTION_TURN))
    fuse_each_run (fun, fuse_run, NULL);
  report_misses ();
}

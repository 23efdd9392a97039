/* Resident loops: a loop of launches becomes one launch.

   A host loop whose body is regions, and arithmetic on numbers, is executed by
   the threads of one kernel, which stay on the GPU until the loop is done.
   Beside its construct the loop stays as it was:

     state[1] = 0;
     if (the loop has no round) goto host;
     acr_resident (state);
     if (state[1] == TRY) { state = ...; the construct; acr_resident (state); }
     if (state[1] >= RAN) { t = state[2]; ... }
     else
       {
	 host: for (t...) { regions }
	 if (state[1] == TIMED) acr_resident (state);
       }

   Where rounds may be executed beside each other (chain.cc), another construct, with a
   state of its own, is tried before: what is left to it then is this one, or the host.

   Whatever keeps the kernel from being launched (no runtime, no cooperative
   launch, a GPU that does not hold its blocks at once, no GPU at all) leaves
   the state as it was, and the host executes its loop.  So the construct's
   form for the host is empty.

   Needs: GIMPLE before omp-low, constructs rewritten otherwise.  Keeps: what a
   program leaves behind.
   Source: I. El Hajj et al., "KLAP", MICRO 2016 (promotion); L. Zhang et al.,
   "PERKS", ICS 2023.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"
#include "resident/chain/chain.h"
#include "nested/nested.h"

resident::~resident ()
{
  delete promoted;
}

static const char entry_name[] = "acr_resident";

/* The constructs of the function in work that stand for loops.  */
static vec<resident *> known;

static resident *
find (const gomp_target *stmt)
{
  for (unsigned i = 0; i < known.length (); i++)
    if (known[i]->stmt == stmt)
      return known[i];
  return NULL;
}

bool
resident_p (const gomp_target *stmt)
{
  return find (stmt) != NULL;
}

bool
resident_waits_p (const gomp_target *stmt)
{
  const resident *x = find (stmt);
  bool waits = false;
  for (unsigned i = 0; i < x->parts.length (); i++)
    waits |= !x->parts[i]->results.is_empty ()
	     || !x->parts[i]->flags.is_empty ();
  return waits;
}

/* ---- The site ---- */

/* Add to C a call of the runtime about X, where there is one.  */
static void
call_runtime (const resident *x, code c)
{
  tree type = build_function_type_list (
    void_type_node, build_pointer_type (long_long_unsigned_type_node),
    NULL_TREE);
  tree fn = runtime_function (entry_name, type);
  test there = { NE_EXPR, build_fold_addr_expr (fn), null_pointer_node };
  c.if_ (there, [&] {
    tree state = build_fold_addr_expr (resident_state (x, 0));
    tree arg = code_value (fold_convert (ptr_type_node, state), "state", c);
    gimple_seq_add_stmt (c, gimple_build_call (fn, 1, arg));
  });
}

/* Add to C that the elements of the flag F of X are what that is.  */
static void
clear_flag (const resident *x, const resident_flag *f, code c)
{
  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (f->var));
  val now = c.let ("now", f->first);
  for (unsigned n = 0; n < RESIDENT_SLOTS; n++)
    c.set (resident_state (x, f->slot + n, type), now);
}

/* Add to C what clears the state of X: where results come together is nothing
   yet.  */
static void
clear_state (const resident *x, code c)
{
  for (unsigned i = 0; i < x->size; i++)
    c.set (resident_state (x, i), 0);
  for (unsigned i = 0; i < x->parts.length (); i++)
    for (unsigned k = 0; k < x->parts[i]->results.length (); k++)
      {
	const resident_result *r = &x->parts[i]->results[k];
	tree type = TREE_TYPE (OMP_CLAUSE_DECL (r->clause));
	tree nothing
	  = omp_reduction_init (r->clause, TYPE_MAIN_VARIANT (type));
	for (unsigned n = 0; n < RESIDENT_SLOTS; n++)
	  c.set (resident_state (x, r->slot + n, type), nothing);
      }
  for (unsigned i = 0; i < x->parts.length (); i++)
    for (unsigned k = 0; k < x->parts[i]->flags.length (); k++)
      clear_flag (x, &x->parts[i]->flags[k], c);
  if (!x->promoted || !x->promoted->words)
    return;
  /* No word is of a round.  */
  tree words = build_fold_addr_expr (resident_state (x, x->promoted->slots));
  words = code_value (fold_convert (ptr_type_node, words), "words", c);
  gimple_seq_add_stmt (
    c, gimple_build_call (builtin_decl_explicit (BUILT_IN_MEMSET), 3, words,
			  integer_zero_node,
			  size_int (8 * chain_slots (x->promoted))));
}

/* Add to C what takes L's variables from the state of X.  */
static void
take_values (const resident *x, const host_loop *l, code c)
{
  for (unsigned i = 0; i < l->out.length (); i++)
    {
      val value = c.let ("value", resident_state (x, ACR_RESIDENT_VALUES + i,
						  TREE_TYPE (l->out[i])));
      c.set (l->out[i], value);
    }
}

/* Add to C that L's pointers are FIRST, those of the loop's beginning, by the
   numbers that the state of X has.  */
static void
take_pointers (const resident *x, const host_loop *l, const vec<tree> &first,
	       code c)
{
  for (unsigned i = 0; i < l->out_pointers.length (); i++)
    {
      tree var = l->out_pointers[i];
      val number = c.let (
	"number", resident_state (x, x->turned + i, unsigned_type_node));
      for (unsigned k = 0; k < first.length (); k++)
	if (first[k])
	  c.if_ (number == k, [&] {
	    c.set (var, fold_convert (TREE_TYPE (var), first[k]));
	  });
    }
}

/* Add to C what keeps L's pointers, into FIRST: those that a clause of X is
   about.  Others are set in the loop before they are copied.  */
static void
keep_pointers (const resident *x, const host_loop *l, vec<tree> *first, code c)
{
  first->safe_grow_cleared (l->pointers.length ());
  for (tree clause = gimple_omp_target_clauses (x->stmt); clause;
       clause = OMP_CLAUSE_CHAIN (clause))
    for (unsigned i = 0; i < l->pointers.length (); i++)
      if (OMP_CLAUSE_CODE (clause) == OMP_CLAUSE_MAP
	  && OMP_CLAUSE_DECL (clause) == l->pointers[i])
	(*first)[i] = code_value (l->pointers[i], "was", c);
}

/* A construct that may execute a loop: what computes its operands, and pointers of
   the loop's beginning.  */
struct attempt
{
  resident *x = NULL;
  host_values values;
  auto_vec<tree> first;
};

/* Nobody has executed the loop of X yet, nor measures it.  */
static val
done_of (const resident *x)
{
  return resident_state (x, ACR_RESIDENT_DONE);
}

/* Add to C that A's construct executes L, where the runtime wants that; otherwise
   control goes to OTHERWISE.  */
static void
add_attempt (attempt *a, const host_loop *l, tree otherwise, code c)
{
  const resident *x = a->x;
  call_runtime (x, c);
  val done = c.let ("done", done_of (x));
  c.if_ (done == ACR_RESIDENT_TRY, [&] {
    clear_state (x, c);
    c.set (done_of (x), ACR_RESIDENT_TRY);
    gimple_seq_add_seq (c, a->values.seq);
    tree apart = code_label (), tried = code_label ();
    if (x->promoted && !integer_onep (x->promoted->guard))
      c.need (val (code_value (x->promoted->guard, "apart", c))
		!= boolean_false_node,
	      apart);
    gimple_seq_add_stmt (c, x->stmt);
    call_runtime (x, c);
    c.go (tried);
    c.at (apart);
    c.set (done_of (x), 0);
    c.at (tried);
  });
  val came = c.let ("done", done_of (x));
  c.need (came >= ACR_RESIDENT_RAN, otherwise);
  take_values (x, l, c);
  take_pointers (x, l, a->first, c);
}

/* Add to C that the runtime learns that L has ended, where it measures who executes
   it in place of X.  */
static void
tell_end (const resident *x, code c)
{
  val timed = c.let ("done", done_of (x));
  c.if_ (timed == ACR_RESIDENT_TIMED, [&] { call_runtime (x, c); });
}

/* What stands in the place of L: the first of the N constructs ALL that the runtime
   takes, or the loop.  */
static void
add_site (attempt *all, unsigned n, host_loop *l, host_entry *e, gbind *bind,
	  gimple_seq *seq)
{
  code c = seq;
  tree host = code_label ();
  auto_vec<tree> through;
  for (unsigned i = 0; i < n; i++)
    {
      c.set (done_of (all[i].x), 0);
      keep_pointers (all[i].x, l, &all[i].first, c);
      through.safe_push (code_label ());
    }
  gimple_seq_add_seq (seq, e->seq);
  if (e->test)
    c.need (val (code_value (e->test, "enters", seq)) != boolean_false_node,
	    host);
  for (unsigned i = 0; i < n; i++)
    {
      tree otherwise = i + 1 < n ? code_label () : host;
      add_attempt (&all[i], l, otherwise, c);
      c.go (through[i]);
      if (i + 1 < n)
	c.at (otherwise);
    }
  c.at (host);
  host_loop_take (l, seq, bind);
  for (unsigned i = n; i--;)
    {
      tell_end (all[i].x, c);
      c.at (through[i]);
    }
}

/* ---- All ---- */

/* Why no kernel executes the construct of A, which stands for L, or NULL.  Where one
   does and it is no chain, *IN_LINE says why.  */
static const char *
kernel_bar (attempt *a, const host_loop *l, const char **in_line)
{
  resident *x = a->x;
  region r = {};
  if (x->promoted)
    object_scan_more (gimple_omp_body (x->stmt));
  r.stmt = x->stmt;
  r.what = construct_of (x->stmt);
  r.loc = gimple_location (x->stmt);
  operand_find (&r);
  access_find (&r);
  leak_find (&r);
  if (option_enabled (ACR_OPTION_ALIAS))
    alias_find (&r);
  access_spread (&r);
  const char *why = resident_kernel_bar (x, &r);
  for (unsigned i = 0; i < x->constant.length (); i++)
    if (r.objects[object_index (&r, x->constant[i])].access & ACR_ACCESS_WRITE)
      why = "a region changes a copy that another one does not have";
  if (!why && x->promoted && (*in_line = chain_judge (x, l, &r)))
    {
      delete x->promoted;
      x->promoted = NULL;
    }
  if (!why && !x->promoted)
    resident_pass_trips (x, &r, l, &a->values.seq);
  region_release (&r);
  return why;
}

/* What became of L: WHY is NULL if a kernel, the rounds of which are IN_LINE for
   that reason, or which is PROMOTED.  */
static void
report (const host_loop *l, const char *why, const char *in_line,
	const chain *promoted)
{
  const char *rounds = !promoted		? ""
		       : !promoted->looks	? ", of rounds beside each other"
		       : promoted->appends == -1U
			 ? ", of rounds beside each other, which look back"
			 : ", of rounds beside each other, which look back and append";
  location_t loc = gimple_location (host_loop_region (l, 0));
  unsigned n = l->regions.length ();
  if (why)
    remark_missed (loc, "loop over regions: stays on the host: %s\n", why);
  else
    remark_done (loc, "loop over %u region%s: becomes one kernel%s\n", n,
		 plural (n), rounds);
  if (!why && in_line)
    remark_missed (loc, "loop over regions: its rounds stay one behind the other:"
		   " %s\n", in_line);
}

/* Do regions of L launch others?  Each thread would execute its own.  */
static bool
parents_p (const host_loop *l)
{
  for (unsigned i = 0; i < l->regions.length (); i++)
    if (nested_parent_p (host_loop_region (l, i)))
      return true;
  return false;
}

/* Let A's construct be one for L, which begins with E, of rounds beside each other
   where they may be, if PROMOTE; else *IN_LINE says why they may not.  The result is
   NULL, or why there is none.  */
static const char *
build_attempt (attempt *a, host_loop *l, host_entry *e, bool promote,
	       const char **in_line)
{
  resident *x = a->x = new resident ();
  a->values.l = l;
  if (promote && !l->flags.is_empty ())
    *in_line = "a region sets a number in memory";
  else if (promote)
    x->promoted = chain_find (l, in_line);
  const char *why = resident_build (x, l, e, &a->values);
  if (!why)
    why = kernel_bar (a, l, in_line);
  if (!why)
    return NULL;
  delete x;
  a->x = NULL;
  return why;
}

static gimple *
try_loop (host_loop *l, void *)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  host_entry entry;
  attempt all[2];
  unsigned n = 0;
  const char *in_line = NULL;
  const char *why
    = parents_p (l) ? "regions in its regions" : host_loop_bar (l);
  if (!why)
    {
      host_loop_enter (l, &entry);
      why = build_attempt (&all[n++], l, &entry, true, &in_line);
    }
  report (l, why, in_line, why ? NULL : all[0].x->promoted);
  if (why)
    {
      pop_gimplify_context (NULL);
      return NULL;
    }
  if (all[0].x->promoted
      && !build_attempt (&all[n], l, &entry, false, &in_line))
    n++;
  add_site (all, n, l, &entry, bind, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  for (unsigned i = 0; i < n; i++)
    known.safe_push (all[i].x);
  return bind;
}

void
resident_loops (function *fun)
{
  resident_forget ();
  if (optimize < 2 || optimize_size || fun->calls_setjmp
      || offloaded_p (fun->decl) || flag_non_call_exceptions
      || !option_enabled (ACR_OPTION_SPMD))
    return;
  host_loops_own_numbers (fun);
  object_scan (gimple_body (fun->decl));
  host_loop_each (fun, try_loop, NULL);
}

void
resident_forget (void)
{
  for (unsigned i = 0; i < known.length (); i++)
    delete known[i];
  known.truncate (0);
}

const char *
resident_make (region *r, gimple **kernel)
{
  resident *x = find (r->stmt);
  if (const char *why = resident_kernel_bar (x, r))
    {
      gimple_omp_set_body (x->stmt, NULL);
      return why;
    }
  r->exact = true;
  *kernel = x->promoted ? chain_kernel (x, r) : resident_kernel (x, r);
  if (x->promoted)
    r->chain = x->promoted->threads;
  return NULL;
}

/* Promotion: the rounds of a resident loop that blocks may execute beside each
   other.

       for (t = 0; t < tiles; t++)	    blocks, one for each t:
	 {				      REGION (t);
	   REGION (t);		    ->	      wait for round t - 1;
	   REGION (t, carry);		      REGION (t, carry);
	   carry = ...			      carry = ...
	   REGION (t);			      let round t + 1 go on;
	 }				      REGION (t);

   A round begins with the loop's first region.  It is executed by one block;
   those behind it may have begun already.  Two things must not come before
   the round before has let this one go on:

   - what uses or sets a number that the round before hands on (chain-number.cc).
     All other numbers each thread computes, for rounds of other blocks as well, as
     it does in any resident loop.  So the way through the loop may depend on such
     numbers alone;

   - regions that touch memory which another round may touch, one of them to
     store.  depend.cc answers that: the host's loop is a loop around those of
     its regions, and rounds are its iterations.  A region none of whose accesses
     conflicts with an access of another round is free: the block executes it
     when it comes to it.

   Needs: host_loop_bar; the construct, which has a copy of the loop.  Keeps:
   all code.
   Source: I. El Hajj et al., "KLAP", MICRO 2016, III (promotion, aggregation and
   overlap).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/chain/append.h"
#include "fuse/fuse.h"

/* A block executes no region with more iterations than that.  */
static const int MOST_ITERATIONS = 1 << 16;
static const unsigned MOST_THREADS = 1024;

/* A loop with fewer rounds is not worth a chain's state, of some 10 KB, which goes to
   the device and back.  */
static const int FEW_ROUNDS = 8;

/* Has the program's compilation asked for chains wherever they are legal?  */
static bool chain_wanted;

void
chain_want (void)
{
  chain_wanted = true;
}

chain *
chain_find (host_loop *l, const char **why)
{
  *why = NULL;
  if (!option_enabled (ACR_OPTION_CHAIN))
    return NULL;
  chain *c = new chain ();
  *why = chain_find_numbers (c, l);
  if (*why)
    {
      delete c;
      return NULL;
    }
  chain_find_skip (c, l);
  return c;
}

/* Words for all that C hands on.  */
unsigned
chain_words (const chain *c)
{
  unsigned words = 0;
  for (unsigned i = 0; i < c->carried.length (); i++)
    words += chain_number_words (c->carried[i]);
  return words;
}

static unsigned
rows (const chain *c)
{
  return c->looks ? 2 * CHAIN_RING : CHAIN_WORDS;
}

unsigned
chain_slots (const chain *c)
{
  return chain_words (c) * rows (c);
}

unsigned
chain_reserved (const chain *c)
{
  return (chain_words (c) + c->looks) * rows (c);
}

unsigned
chain_elements (const chain *c, const host_loop *l)
{
  unsigned results = 0;
  for (unsigned i = 0; i < l->regions.length (); i++)
    {
      auto_vec<tree> clauses;
      region_results (host_loop_region (l, i), &clauses);
      results += clauses.length ();
    }
  return chain_reserved (c) + results * ACR_CHAIN_BLOCKS;
}

/* ---- Memory ---- */

/* The judgement of a chain.  */
struct judging
{
  resident *x;
  const host_loop *host;
  chain *c;
  line l = {};
  fusion f;
  /* The host's loop.  */
  line_loop *rounds;
  /* The part that a statement is in.  */
  hash_map<gimple *, unsigned> part;
  /* Accesses that keep the first part that is not free from being so.  */
  const line_access *pair[2] = { NULL, NULL };
  /* A part that stores behind what rounds before have stored.  */
  append_code *appending = NULL;
};

struct entering
{
  judging *j;
  unsigned part;
};

static tree
enter_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  entering *e = (entering *) wi->info;
  e->j->part.put (gsi_stmt (*gsi), e->part);
  return NULL_TREE;
}

/* The part that the statement of the access A is in, or -1.  */
static int
part_of (judging *j, const line_access *a)
{
  unsigned *part = a->stmt ? j->part.get (a->stmt) : NULL;
  return part ? (int) *part : -1;
}

/* Does the access A only read a thread's copy of a variable?  */
static bool
reads_copy_p (const judging *j, const line_access *a)
{
  return !a->write && DECL_P (a->ref) && copy_of_thread_p (j->x->stmt, a->ref)
	 && !line_written_by_name_p (&j->l, a->ref);
}

/* Does the access A name what a region reduces to?  That is a number of threads,
   which nobody else has on the device (resident-result.cc).  */
static bool
names_result_p (const judging *j, const line_access *a)
{
  if (!DECL_P (a->ref))
    return false;
  for (unsigned i = 0; i < j->x->parts.length (); i++)
    {
      const vec<resident_result> &results = j->x->parts[i]->results;
      for (unsigned k = 0; k < results.length (); k++)
	if (OMP_CLAUSE_DECL (results[k].clause) == a->ref)
	  return true;
    }
  return false;
}

/* May a store change what a symbol stands for?  */
static bool
symbols_change_p (const judging *j)
{
  const line *l = &j->l;
  for (unsigned i = 0; i < l->accesses.length (); i++)
    for (unsigned k = 0; l->accesses[i].symbolic && k < l->accesses.length ();
	 k++)
      if (l->accesses[k].write && !reads_copy_p (j, &l->accesses[i])
	  && !depend_load_apart_p (l, &l->accesses[i], &l->accesses[k]))
	return true;
  return false;
}

/* What STMT, a copy of a host's statement, sets.  */
static tree
set_by (gimple *stmt)
{
  return stmt && is_gimple_assign (stmt) ? gimple_assign_lhs (stmt) : NULL_TREE;
}

/* The construct has copies of the variables that the loop declares: that of VAR,
   which a statement of L sets, or a region.  */
static tree
copy_of (tree var, const resident *x, const host_loop *l)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    if (set_by (l->code[i]) == var)
      return set_by (x->code[i]);
  for (unsigned i = 0; i < l->regions.length (); i++)
    {
      auto_vec<tree> results;
      region_results (host_loop_region (l, i), &results);
      for (unsigned k = 0; k < results.length (); k++)
	if (OMP_CLAUSE_DECL (results[k]) == var)
	  return OMP_CLAUSE_DECL (x->parts[i]->results[k].clause);
    }
  gcc_unreachable ();
}

/* Does the host's code set VAR?  */
static bool
host_sets_p (const judging *j, tree var)
{
  for (unsigned k = 0; k < j->x->code.length (); k++)
    if (set_by (j->x->code[k]) == var)
      return true;
  return false;
}

/* Do a region's own variables have names that the host's code has?  The line
   makes no difference between them.  */
static bool
names_meet_p (const judging *j)
{
  for (unsigned i = 0; i < j->l.privates.length (); i++)
    if (copy_of_thread_p (j->x->stmt, j->l.privates[i])
	|| host_sets_p (j, j->l.privates[i]))
      return true;
  return false;
}

/* Is the loop INNER, of the host's code, around the first region?  */
static bool
around_first_p (judging *j, const line_loop *inner)
{
  if (inner->directive || inner == j->rounds
      || (j->l.code[inner->begin]
	  && j->part.get (j->l.code[inner->begin])))
    return false;
  for (unsigned i = inner->begin; i < inner->end; i++)
    {
      unsigned *part = j->l.code[i] ? j->part.get (j->l.code[i]) : NULL;
      if (part && *part == 0)
	return true;
    }
  return false;
}

/* Why J's line is not that of a loop whose iterations are rounds, or NULL.  */
static const char *
rounds_bar (judging *j)
{
  if (j->l.broken)
    return j->l.broken;
  if (j->l.loops.is_empty ())
    return "no counted loop";
  j->rounds = j->l.loops[0];
  if (j->rounds->directive || !j->rounds->index)
    return "no counted loop";
  if (j->rounds->broken)
    return j->rounds->broken;
  if (j->rounds->dependent)
    return j->rounds->dependent;
  for (unsigned i = 1; i < j->l.loops.length (); i++)
    if (around_first_p (j, j->l.loops[i]))
      return "rounds within rounds";
  if (names_meet_p (j))
    return "a region's own variable is the host's as well";
  return symbols_change_p (j) ? "regions store what subscripts are made of"
			      : NULL;
}

static bool
inside_p (const line_loop *inner, const line_loop *outer)
{
  while (inner && inner != outer)
    inner = inner->outer;
  return inner != NULL;
}

/* Are A and B stores in the same window?  */
static bool
in_window_p (const judging *j, const line_access *a, const line_access *b)
{
  if (!j->appending || !a->write || !b->write)
    return false;
  unsigned *v = j->appending->stores.get (a->stmt);
  unsigned *w = j->appending->stores.get (b->stmt);
  return v && w && *v == *w;
}

/* Are all accesses of part I apart from those of other rounds?  Then J's guard
   has what that takes.  */
static bool
free_p (judging *j, int i)
{
  tree guard = j->c->guard;
  for (unsigned m = 0; m < j->l.accesses.length (); m++)
    {
      const line_access *a = &j->l.accesses[m];
      if (part_of (j, a) != i || reads_copy_p (j, a) || names_result_p (j, a))
	continue;
      for (unsigned k = 0; k < j->l.accesses.length (); k++)
	{
	  const line_access *b = &j->l.accesses[k];
	  if ((a->write || b->write) && inside_p (b->in, j->rounds)
	      && !reads_copy_p (j, b) && !names_result_p (j, b)
	      && !in_window_p (j, a, b)
	      && !depend_iterations_apart_p (&j->l, j->rounds, a, b, &guard))
	    {
	      if (!j->pair[0])
		{
		  j->pair[0] = a->write ? a : b;
		  j->pair[1] = a->write ? b : a;
		}
	      return false;
	    }
	}
    }
  if (!fuse_guard_known_p (&j->f, guard))
    return false;
  j->c->guard = guard;
  return true;
}

static int
line_of (const line_access *a)
{
  return expand_location (gimple_location (a->stmt)).line;
}

/* Why no part is free, in words.  */
static const char *
order_text (const judging *j)
{
  static char text[200];
  const line_access *const *pair = j->pair;
  if (!pair[0])
    return "it depends on values that only the device knows";
  char *name = object_text (j->l.r->objects[pair[0]->object].name);
  char *other = object_text (j->l.r->objects[pair[1]->object].name);
  bool same = pair[0]->object == pair[1]->object;
  snprintf (text, sizeof text,
	    "%s, stored on line %d, may be %s%s%s by another round on line %d",
	    name, line_of (pair[0]), same ? "" : other, same ? "" : ", ",
	    pair[1]->write ? "stored" : "read", line_of (pair[1]));
  free (name);
  free (other);
  return text;
}

/* Accesses at addresses that the line does not know are known by their pointers.  */
static void
find_objects (line *l)
{
  for (unsigned i = 0; i < l->accesses.length (); i++)
    {
      line_access *a = &l->accesses[i];
      if (a->object == anything)
	a->object = object_index (l->r, object_of_reference (a->ref));
    }
}

/* ---- Sizes ---- */

/* How far the loop L counts, in J; unknown where that varies.  */
static affine
extent_of (const line_loop *l)
{
  affine extent = l->step > 0 ? affine_add (l->bound, -1, l->first)
			      : affine_add (l->first, -1, l->bound);
  return affine_varies_p (&extent) ? affine_unknown () : extent;
}

/* Let C's guard say that the loop L, outermost in its region, has few iterations.
   Why that cannot be known, or NULL.  */
static const char *
few_bar (judging *j, const line_loop *l)
{
  HOST_WIDE_INT trips = 1, n;
  for (; l && l->directive; l = l->inner.is_empty () ? NULL : l->inner[0])
    {
      affine extent = extent_of (l);
      HOST_WIDE_INT step = absu_hwi (l->step);
      HOST_WIDE_INT more = l->cond == LE_EXPR || l->cond == GE_EXPR ? step : 0;
      if (extent.n < 0)
	return "the iterations of a region are not known";
      if (affine_constant_p (&extent, &n))
	{
	  trips *= MAX ((n + more + step - 1) / step, 1);
	  if (trips > MOST_ITERATIONS)
	    return "too many iterations of a region for one block";
	  continue;
	}
      tree few = fold_build2 (LE_EXPR, boolean_type_node,
			      affine_tree (&extent, ssizetype),
			      ssize_int (MOST_ITERATIONS * step));
      tree guard = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, j->c->guard,
			   few);
      if (!fuse_guard_known_p (&j->f, guard))
	return "the iterations of a region are not known";
      j->c->guard = guard;
      j->c->threads = MOST_THREADS;
    }
  unsigned threads = MIN ((unsigned) trips, MOST_THREADS);
  j->c->threads = MAX (j->c->threads, threads);
  return NULL;
}

static const char *
sizes_bar (judging *j)
{
  for (unsigned i = 0; i < j->l.loops.length (); i++)
    {
      const line_loop *l = j->l.loops[i];
      bool inner = false;
      for (const line_loop *o = l->outer; o; o = o->outer)
	inner |= o->directive != NULL;
      if (l->directive && !inner)
	if (const char *why = few_bar (j, l))
	  return why;
    }
  return NULL;
}

/* Let J's guard ask for TEST as well.  False where it cannot be answered in front of
   the loop, or is known to be false.  */
static bool
also_guard (judging *j, tree test)
{
  if (integer_zerop (test))
    return false;
  if (integer_nonzerop (test))
    return true;
  tree guard
    = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, j->c->guard, test);
  if (!fuse_guard_known_p (&j->f, guard))
    return false;
  j->c->guard = guard;
  return true;
}

/* The iterations of L, as known in front of the rounds, or NULL.  */
static tree
iterations_of (const line_loop *l)
{
  affine extent = extent_of (l);
  HOST_WIDE_INT step = absu_hwi (l->step), known;
  if (extent.n < 0)
    return NULL_TREE;
  tree far = affine_constant_p (&extent, &known)
	       ? ssize_int (known)
	       : affine_tree (&extent, ssizetype);
  tree n = fold_build2 (PLUS_EXPR, ssizetype, far, ssize_int (step - 1));
  return fold_build2 (TRUNC_DIV_EXPR, ssizetype, n, ssize_int (step));
}

/* The iterations of part I, which are not more than there are numbers for
   (sizes_bar), or NULL.  */
static tree
iterations_of_part (judging *j, int i)
{
  tree all = NULL_TREE;
  for (unsigned k = 0; k < j->l.loops.length (); k++)
    {
      const line_loop *l = j->l.loops[k];
      gimple *begin = j->l.code[l->begin];
      unsigned *part = begin ? j->part.get (begin) : NULL;
      if (!l->directive || !part || *part != (unsigned) i)
	continue;
      tree n = iterations_of (l);
      if (!n)
	return NULL_TREE;
      all = all ? fold_build2 (MULT_EXPR, ssizetype, all, n) : n;
    }
  return all;
}

/* Before anything is measured, J's loop is a chain where that gives the GPU as much to
   do at a time as a resident loop does, whose rounds have all blocks: N iterations a
   region against those of R rounds, of which each is executed by 1024 threads.
   A region that waits for the round before has to be one for as many threads as a
   block has.  Why it is not, or NULL.  */
static const char *
pays_bar (judging *j)
{
  static const char few[] = "there are few of them for what regions do, or it is not"
			    " known how many";
  if (chain_wanted)
    return NULL;
  tree rounds = iterations_of (j->rounds);
  if (!rounds
      || !also_guard (j, fold_build2 (GE_EXPR, boolean_type_node, rounds,
				      ssize_int (FEW_ROUNDS))))
    return few;
  for (unsigned i = 0; i < j->c->parts.length (); i++)
    {
      tree n = iterations_of_part (j, i), most = ssize_int (MOST_THREADS);
      if (!j->c->parts[i]->ordered)
	most = fold_build2 (MULT_EXPR, ssizetype, most,
			    fold_build2 (MIN_EXPR, ssizetype, rounds,
					 ssize_int (ACR_CHAIN_BLOCKS)));
      if (!n || !also_guard (j, fold_build2 (LE_EXPR, boolean_type_node, n, most)))
	return j->c->parts[i]->ordered
		 ? "a region that waits for the round before has much to do"
		 : few;
    }
  return NULL;
}

/* Does J's guard say that there are few enough rounds for their numbers?  */
static bool
few_rounds_p (judging *j)
{
  if (TYPE_PRECISION (TREE_TYPE (j->rounds->index)) <= 32)
    return true;
  affine extent = extent_of (j->rounds);
  if (extent.n < 0)
    return false;
  tree few = fold_build2 (LE_EXPR, boolean_type_node,
			  affine_tree (&extent, ssizetype),
			  ssize_int (INT_MAX));
  tree guard
    = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, j->c->guard, few);
  if (!fuse_guard_known_p (&j->f, guard))
    return false;
  j->c->guard = guard;
  return true;
}

/* ---- Stores behind those of the rounds before ---- */

/* Does the access A read a variable of a thread's own by its name, which B does not
   access by that, as a region does with what it has by value?  */
static bool
reads_own_p (const judging *j, const line_access *a, const line_access *b)
{
  return !a->write && DECL_P (a->ref) && !TREE_ADDRESSABLE (a->ref)
	 && (copy_of_thread_p (j->x->stmt, a->ref) || host_sets_p (j, a->ref))
	 && reference_base (b->ref) != a->ref;
}

/* Do stores of part I leave what it reads as it is?  */
static bool
stores_unread_p (judging *j, int i)
{
  const vec<line_access> &all = j->l.accesses;
  for (unsigned m = 0; m < all.length (); m++)
    for (unsigned k = 0; k < all.length (); k++)
      if (part_of (j, &all[m]) == i && part_of (j, &all[k]) == i
	  && !all[m].write && all[k].write && !reads_own_p (j, &all[m], &all[k])
	  && !depend_load_apart_p (&j->l, &all[m], &all[k]))
	return false;
  return true;
}

/* Let *EACH be how much more VAR is in each round than in the one before.  False where
   that is not known, or may depend on what only one block knows.  */
static bool
grows_by (const judging *j, tree var, HOST_WIDE_INT *each, int depth = 0)
{
  gimple *setter = NULL;
  *each = 0;
  if (TREE_CODE (var) == INTEGER_CST || TREE_CODE (var) == ADDR_EXPR)
    return true;
  if (var == j->rounds->index)
    {
      *each = j->rounds->step;
      return true;
    }
  for (unsigned i = 0; i < j->x->parts.length (); i++)
    for (unsigned k = 0; k < j->x->parts[i]->results.length (); k++)
      if (OMP_CLAUSE_DECL (j->x->parts[i]->results[k].clause) == var)
	return false;
  for (unsigned i = 0; i < j->x->code.length (); i++)
    if (set_by (j->x->code[i]) == var)
      {
	if (setter)
	  return false;
	setter = j->x->code[i];
      }
  if (!setter)
    return true;
  HOST_WIDE_INT a, b = 0;
  tree y = gimple_num_ops (setter) > 2 ? gimple_op (setter, 2) : NULL_TREE;
  if (depth > 4 || gimple_num_ops (setter) > 3
      || !grows_by (j, gimple_assign_rhs1 (setter), &a, depth + 1)
      || (y && !grows_by (j, y, &b, depth + 1)))
    return false;
  switch (gimple_assign_rhs_code (setter))
    {
    case PLUS_EXPR:
      *each = a + b;
      return true;
    case MINUS_EXPR:
      *each = a - b;
      return true;
    case MULT_EXPR:
      if (!tree_fits_shwi_p (y) || absu_hwi (tree_to_shwi (y)) > INT_MAX)
	return false;
      *each = a * tree_to_shwi (y);
      return true;
    CASE_CONVERT:
    case VAR_DECL:
    case PARM_DECL:
      *each = a;
      return true;
    default:
      return false;
    }
}

/* How often does a round of J add to what carried[OF] stands for?  What it adds once,
   in an int, is all that.  */
static unsigned
times_added (const judging *j, unsigned of)
{
  const chain *c = j->c;
  unsigned times = 0;
  for (unsigned v = 0; v < c->relatives.length (); v++)
    {
      tree var = c->relatives[v].var;
      if (c->relatives[v].of != of)
	continue;
      for (unsigned i = 0; i < j->host->code.length (); i++)
	times += set_by (j->host->code[i]) == var
		 && gimple_num_ops (j->host->code[i]) > 2;
      for (unsigned i = 0; i < j->host->regions.length (); i++)
	times += region_sets_p (host_loop_region (j->host, i), var);
    }
  return times;
}

/* Let J's chain have the window FROM.  False where it does not move by what is added
   to one number that is handed on.  */
static bool
add_window (judging *j, const append_window *from)
{
  chain *c = j->c;
  chain_window *w = new chain_window ();
  bool found = false;
  w->pointer = from->pointer;
  c->windows.safe_push (w);
  for (unsigned v = 0; v < c->relatives.length (); v++)
    if (HOST_WIDE_INT factor
	= append_factor (from, j->appending->moving[v]))
      {
	if (found && w->of != c->relatives[v].of)
	  return false;
	found = true;
	w->of = c->relatives[v].of;
	w->factor += factor;
      }
  for (unsigned i = 0; i < from->begin.terms.length (); i++)
    {
      const chain_term *term = &from->begin.terms[i];
      HOST_WIDE_INT each;
      if (j->appending->moving.contains (term->var))
	continue;
      if (POINTER_TYPE_P (TREE_TYPE (term->var)))
	w->begin.safe_push (*term);
      else if (grows_by (j, term->var, &each)
	       && host_number_p (term->var))
	{
	  w->begin.safe_push (*term);
	  w->each += term->factor * each;
	}
    }
  /* The least number that a round may have added makes a window of less than 0 bytes,
     also where its negative was meant.  */
  return found && absu_hwi (w->each) < 1u << 30 && c->ops[w->of] == PLUS_EXPR
	 && times_added (j, w->of) <= 1;
}

/* May rounds execute part I, all of whose stores are in windows that the rounds find
   to be apart, in any order?  Then J's chain has the windows.  */
static bool
appends_p (judging *j, unsigned i)
{
  chain *c = j->c;
  const chain_part *part = c->parts[i];
  if (!c->looks || !part->asks || !part->settled || c->appends != -1U
      || !j->x->parts[i]->results.is_empty () || !chain_straight_p (j->host)
      || !stores_unread_p (j, i))
    return false;
  for (unsigned k = 0; k < i; k++)
    if (c->parts[k]->asks)
      return false;
  append_code code;
  for (unsigned v = 0; v < c->relatives.length (); v++)
    code.moving.safe_push (copy_of (c->relatives[v].var, j->x, j->host));
  bool fits = append_find (
    &code, gimple_bind_body (as_a<gbind *> (j->x->parts[i]->place)));
  j->appending = &code;
  for (unsigned w = 0; w < code.windows.length () && fits; w++)
    fits = add_window (j, code.windows[w]);
  fits = fits && free_p (j, i);
  j->appending = NULL;
  if (fits)
    c->appends = i;
  return fits;
}

/* ---- When a round lets the next one go on ---- */

/* Find C's last statement of L that has to do with other rounds.  */
static void
find_last (chain *c, const host_loop *l)
{
  unsigned first = l->regions[0];
  bool before = false;
  for (unsigned i = 0; i < l->code.length (); i++)
    if (c->points.contains (i))
      {
	before |= i < first;
	c->last = i;
      }
  for (unsigned i = 0; i < c->parts.length (); i++)
    if (c->parts[i]->uses || c->parts[i]->combines || c->parts[i]->ordered
	|| (c->looks && c->parts[i]->asks))
      c->last = MAX (c->last, (int) l->regions[i]);
  c->hands_on = c->last >= 0;
  if (before
      || (c->hands_on
	  && (gimple_code (l->code[c->last]) == GIMPLE_COND
	      || chain_comes_back_p (l, first, c->last))))
    c->last = -1;
  for (unsigned i = 0; i < c->parts.length (); i++)
    if ((int) l->regions[i] == c->last)
      c->last_part = i;
}

/* ---- The copy ---- */

static void
take_copies (chain *c, const resident *x, const host_loop *l)
{
  for (unsigned i = 0; i < c->carried.length (); i++)
    c->carried[i] = copy_of (c->carried[i], x, l);
  for (unsigned i = 0; i < c->relatives.length (); i++)
    c->relatives[i].var = copy_of (c->relatives[i].var, x, l);
  for (unsigned i = 0; i < c->steps.length (); i++)
    c->steps[i].var = copy_of (c->steps[i].var, x, l);
}

/* Let rounds of C hand on whether one of them has stored outside its windows.  */
static void
hand_on_strays (chain *c)
{
  tree strays = create_tmp_var_raw (unsigned_type_node, "strays");
  c->relatives.safe_push ({ strays, c->carried.length () });
  c->carried.safe_push (strays);
  c->ops.safe_push (BIT_IOR_EXPR);
}

/* ---- All ---- */

static const char *
judge (judging *j, region *r)
{
  for (unsigned i = 0; i < j->x->parts.length (); i++)
    {
      entering e = { j, i };
      struct walk_stmt_info wi = {};
      gimple_seq seq = gimple_bind_body (as_a<gbind *> (j->x->parts[i]->place));
      wi.info = &e;
      walk_gimple_seq (seq, enter_stmt, NULL, &wi);
    }
  affine_reset ();
  line_make_serial (&j->l, r);
  if (!j->l.broken)
    flow_find (&j->l);
  find_objects (&j->l);
  if (const char *why = rounds_bar (j))
    return why;
  if (const char *why = sizes_bar (j))
    return why;
  bool any = false;
  for (unsigned i = 0; i < j->c->parts.length (); i++)
    {
      j->c->parts[i]->ordered = !free_p (j, i) && !appends_p (j, i);
      any |= !j->c->parts[i]->ordered;
    }
  j->c->words = !j->c->carried.is_empty ();
  for (unsigned i = 0; i < j->c->parts.length (); i++)
    j->c->words &= !j->c->parts[i]->ordered;
  j->c->looks &= j->c->words && few_rounds_p (j);
  if (!j->c->looks && j->c->appends != -1U)
    {
      j->c->parts[j->c->appends]->ordered = true;
      j->c->appends = -1U;
      j->c->words = false;
    }
  return any ? pays_bar (j) : order_text (j);
}

const char *
chain_judge (resident *x, const host_loop *l, region *r)
{
  judging j;
  j.x = x;
  j.host = l;
  j.c = x->promoted;
  j.f.merged = x->stmt;
  x->promoted->guard = boolean_true_node;
  const char *why = judge (&j, r);
  line_release (&j.l);
  if (!why)
    {
      find_last (x->promoted, l);
      take_copies (x->promoted, x, l);
      if (x->promoted->appends != -1U)
	hand_on_strays (x->promoted);
    }
  return why;
}

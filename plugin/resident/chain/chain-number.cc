/* The numbers of a chain: what a round hands to the next one.

   Such a number depends on what a region reduced in an earlier round, and is used
   before it is set again: two facts about each place of the host's code, one found
   along the loop and one against it.

   Where a round only adds to such numbers, or takes the greater of them and one of
   its own, and the like, it need not know them to compute what it adds: each number
   that depends on one of them is, in the round, what that is where the round
   begins, combined with something of the round's own.

       kept				C
       from = kept;			C + 0
       kept = kept + found;		C + found

   The operation is associative and commutative to the last bit.

   Needs: host_loop_bar.  Keeps: all code.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 9.2; G. E. Blelloch, "Prefix Sums
   and Their Applications", CMU-CS-90-190, 1.4.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/chain/chain.h"
#include "sbitmap.h"

/* ---- Along the loop and against it ---- */

struct numbers
{
  host_loop *l;
  /* The loop's statements, and the place behind them.  */
  unsigned end;
  hash_map<tree, unsigned> labels;
  /* Numbers that the loop sets.  */
  auto_vec<tree> vars;
  hash_map<tree, unsigned> place;
};

/* Order names as the source has them: declared ones, then values of the
   compiler's.  */
static int
by_name (const void *a, const void *b)
{
  tree x = *(tree const *) a, y = *(tree const *) b;
  bool ssa_x = TREE_CODE (x) == SSA_NAME, ssa_y = TREE_CODE (y) == SSA_NAME;
  if (ssa_x != ssa_y)
    return ssa_x ? 1 : -1;
  unsigned m = ssa_x ? SSA_NAME_VERSION (x) : DECL_UID (x);
  unsigned n = ssa_y ? SSA_NAME_VERSION (y) : DECL_UID (y);
  return (m > n) - (m < n);
}

static void
list_numbers (numbers *n, host_loop *l)
{
  n->l = l;
  n->end = l->code.length ();
  for (unsigned i = 0; i < n->end; i++)
    if (glabel *label = dyn_cast<glabel *> (l->code[i]))
      n->labels.put (gimple_label_label (label), i);
  for (hash_set<tree>::iterator i = l->sets.begin (); i != l->sets.end (); ++i)
    if (host_number_p (*i))
      n->vars.safe_push (*i);
  n->vars.qsort (by_name);
  for (unsigned i = 0; i < n->vars.length (); i++)
    n->place.put (n->vars[i], i);
}

/* Where control may go from the statement I.  */
static void
successors (numbers *n, unsigned i, unsigned to[2])
{
  to[0] = to[1] = i + 1;
  for (unsigned k = 0; k < 2; k++)
    if (tree label = stmt_jump_target (n->l->code[i], k))
      {
	unsigned *at = n->labels.get (label);
	to[k] = at ? *at : n->end;
	if (k == 0)
	  to[1] = to[0];
      }
}

/* The place of T among the numbers of N, or -1.  */
static int
number_place (numbers *n, tree t)
{
  unsigned *at = t && host_name_p (t) ? n->place.get (t) : NULL;
  return at ? (int) *at : -1;
}

/* Is an operand of STMT, from the one numbered FROM on, in SET?  */
static bool
operand_in_p (numbers *n, gimple *stmt, unsigned from, const_sbitmap set)
{
  for (unsigned i = from; i < gimple_num_ops (stmt); i++)
    {
      int at = number_place (n, gimple_op (stmt, i));
      if (at >= 0 && bitmap_bit_p (set, at))
	return true;
    }
  return false;
}

/* Do threads execute the statement I, an assignment?  */
static bool
assigns_p (const numbers *n, unsigned i)
{
  return is_gimple_assign (n->l->code[i]) && host_loop_needs_p (n->l, i);
}

/* Does the region STMT of L have the number VAR by value?  */
static bool
by_value_p (host_loop *l, const gomp_target *stmt, tree var)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	 || (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	     && host_loop_number_p (l, stmt, c)))
	&& OMP_CLAUSE_DECL (c) == var)
      return !region_sets_p (stmt, var);
  return false;
}

/* SET has the numbers that depend on regions' results in front of the statement I:
   let it be those behind.  */
static void
step_along (numbers *n, unsigned i, sbitmap set)
{
  gimple *stmt = n->l->code[i];
  if (gomp_target *target = dyn_cast<gomp_target *> (stmt))
    {
      for (unsigned k = 0; k < n->vars.length (); k++)
	if (region_sets_p (target, n->vars[k]))
	  bitmap_set_bit (set, k);
    }
  else if (assigns_p (n, i))
    {
      bool depends = operand_in_p (n, stmt, 1, set);
      int at = number_place (n, gimple_assign_lhs (stmt));
      if (at >= 0 && depends)
	bitmap_set_bit (set, at);
      else if (at >= 0)
	bitmap_clear_bit (set, at);
    }
}

/* SET has those that are used behind the statement I before they are set: let it
   be those in front.  */
static void
step_against (numbers *n, unsigned i, sbitmap set)
{
  gimple *stmt = n->l->code[i];
  if (gomp_target *target = dyn_cast<gomp_target *> (stmt))
    {
      for (unsigned k = 0; k < n->vars.length (); k++)
	if (region_sets_p (target, n->vars[k])
	    || by_value_p (n->l, target, n->vars[k]))
	  bitmap_set_bit (set, k);
      return;
    }
  bool assigns = assigns_p (n, i);
  if (!assigns
      && !(gimple_code (stmt) == GIMPLE_COND && host_loop_needs_p (n->l, i)))
    return;
  if (assigns)
    {
      int at = number_place (n, gimple_assign_lhs (stmt));
      if (at >= 0)
	bitmap_clear_bit (set, at);
    }
  for (unsigned k = assigns; k < gimple_num_ops (stmt); k++)
    {
      int at = number_place (n, gimple_op (stmt, k));
      if (at >= 0)
	bitmap_set_bit (set, at);
    }
}

/* Find, for each statement, the numbers that depend on results in front of it.  */
static void
find_dependent (numbers *n, sbitmap *in)
{
  auto_sbitmap set (n->vars.length ());
  bool more = true;
  while (more)
    {
      more = false;
      for (unsigned i = 0; i < n->end; i++)
	{
	  unsigned to[2];
	  bitmap_copy (set, in[i]);
	  step_along (n, i, set);
	  successors (n, i, to);
	  more |= bitmap_ior (in[to[0]], in[to[0]], set);
	  more |= bitmap_ior (in[to[1]], in[to[1]], set);
	}
    }
}

/* And those that are used from there on.  */
static void
find_used (numbers *n, sbitmap *in)
{
  auto_sbitmap set (n->vars.length ());
  for (unsigned i = 0; i < n->l->out.length (); i++)
    {
      int at = number_place (n, n->l->out[i]);
      if (at >= 0)
	bitmap_set_bit (in[n->end], at);
    }
  bool more = true;
  while (more)
    {
      more = false;
      for (unsigned i = n->end; i-- > 0;)
	{
	  unsigned to[2];
	  successors (n, i, to);
	  bitmap_ior (set, in[to[0]], in[to[1]]);
	  step_against (n, i, set);
	  more |= bitmap_ior (in[i], in[i], set);
	}
    }
}

/* Let C have the numbers that a round of N's loop hands on.  Why it may not, or
   NULL.  */
static const char *
find_carried (chain *c, numbers *n)
{
  unsigned size = n->vars.length (), first = n->l->regions[0];
  const char *why = NULL;
  sbitmap *dependent = sbitmap_vector_alloc (n->end + 1, size);
  sbitmap *used = sbitmap_vector_alloc (n->end + 1, size);
  bitmap_vector_clear (dependent, n->end + 1);
  bitmap_vector_clear (used, n->end + 1);
  find_dependent (n, dependent);
  find_used (n, used);
  for (unsigned i = 0; i < n->end && !why; i++)
    if (gimple_code (n->l->code[i]) == GIMPLE_COND
	&& host_loop_needs_p (n->l, i)
	&& operand_in_p (n, n->l->code[i], 0, dependent[i]))
      why = "a test of what a region gives";
  for (unsigned i = 0; i < size; i++)
    if (bitmap_bit_p (dependent[first], i) && bitmap_bit_p (used[first], i))
      c->carried.safe_push (n->vars[i]);
  sbitmap_vector_free (dependent);
  sbitmap_vector_free (used);
  return why;
}

void
chain_used_at (host_loop *l, unsigned at, vec<tree> *vars)
{
  numbers n;
  list_numbers (&n, l);
  sbitmap *used = sbitmap_vector_alloc (n.end + 1, n.vars.length ());
  bitmap_vector_clear (used, n.end + 1);
  find_used (&n, used);
  for (unsigned i = 0; i < n.vars.length (); i++)
    if (bitmap_bit_p (used[at], i))
      vars->safe_push (n.vars[i]);
  sbitmap_vector_free (used);
}

bool
chain_straight_p (const host_loop *l)
{
  unsigned tests = 0;
  for (unsigned i = 0; i < l->code.length (); i++)
    tests += gimple_code (l->code[i]) == GIMPLE_COND
	     || gimple_code (l->code[i]) == GIMPLE_SWITCH;
  return tests == 1;
}

/* Let C have what uses or sets such numbers.  Why that may not be, or NULL.  */
static const char *
find_points (chain *c, numbers *n)
{
  host_loop *l = n->l;
  for (unsigned i = 0; i < n->end; i++)
    {
      gimple *stmt = l->code[i];
      if (!assigns_p (n, i)
	  && !(gimple_code (stmt) == GIMPLE_COND && host_loop_needs_p (l, i)))
	continue;
      for (unsigned k = 0; k < gimple_num_ops (stmt); k++)
	if (gimple_op (stmt, k) && c->carried.contains (gimple_op (stmt, k)))
	  c->points.add (i);
    }
  for (unsigned i = 0; i < l->regions.length (); i++)
    {
      const gomp_target *stmt = host_loop_region (l, i);
      chain_part *part = new chain_part ();
      for (unsigned k = 0; k < c->carried.length (); k++)
	{
	  part->uses |= by_value_p (l, stmt, c->carried[k]);
	  part->combines |= region_sets_p (stmt, c->carried[k]);
	}
      c->parts.safe_push (part);
      for (tree clause = gimple_omp_target_clauses (stmt); clause;
	   clause = OMP_CLAUSE_CHAIN (clause))
	if (OMP_CLAUSE_CODE (clause) == OMP_CLAUSE_FIRSTPRIVATE
	    && construct_stores_p (stmt, OMP_CLAUSE_DECL (clause)))
	  return "a region sets what it has by value";
    }
  return NULL;
}

/* ---- What a round adds ---- */

/* The numbers of N that depend on those that C's rounds hand on: in each of them the
   number of that one, or -1.  */
struct relation
{
  numbers *n;
  chain *c;
  auto_vec<int> of;
};

/* What OP is as an operation of rounds on numbers of TYPE, in any order, or
   ERROR_MARK.  Floating-point sums depend on it; the greatest of numbers does not,
   as PTX orders zeros, too.  */
static tree_code
operation_of (tree_code op, tree type)
{
  if (op == MINUS_EXPR)
    op = PLUS_EXPR;
  bool real = SCALAR_FLOAT_TYPE_P (type);
  switch (op)
    {
    case MIN_EXPR:
    case MAX_EXPR:
      return op;
    case PLUS_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
      return real ? ERROR_MARK : op;
    default:
      return ERROR_MARK;
    }
}

/* Is the number I of R combined by OP, and by no other operation?  */
static bool
combined_by_p (relation *r, unsigned i, tree_code op)
{
  op = operation_of (op, TREE_TYPE (r->c->carried[i]));
  if (r->c->ops[i] == ERROR_MARK)
    r->c->ops[i] = op;
  return op != ERROR_MARK && r->c->ops[i] == op;
}

/* Which of what is handed on does T follow from, in R?  */
static int
follows_from (relation *r, tree t)
{
  int at = number_place (r->n, t);
  return at < 0 ? -1 : r->of[at];
}

/* Let what is assigned by STMT follow from what its operands do, and *MORE say
   whether that is news.  False where it is no combination of one that follows with a
   number of the round's own; MORE is NULL when all are known.  */
static bool
relate_stmt (relation *r, gimple *stmt, bool *more)
{
  int lhs = number_place (r->n, gimple_assign_lhs (stmt)), of = -1;
  for (unsigned k = 1; k < gimple_num_ops (stmt); k++)
    {
      int from = follows_from (r, gimple_op (stmt, k));
      if (from < 0)
	continue;
      if (of >= 0 || !types_compatible_p (TREE_TYPE (gimple_op (stmt, k)),
					  TREE_TYPE (gimple_op (stmt, 0))))
	return false;
      of = from;
    }
  if (of < 0)
    return more || lhs < 0 || r->of[lhs] < 0;
  if (lhs < 0 || (r->of[lhs] >= 0 && r->of[lhs] != of))
    return false;
  if (r->of[lhs] < 0)
    {
      r->of[lhs] = of;
      *more = true;
    }
  tree_code code = gimple_assign_rhs_code (stmt);
  if (gimple_assign_single_p (stmt) || CONVERT_EXPR_CODE_P (code))
    return true;
  return gimple_num_ops (stmt) == 3
	 && combined_by_p (r, of, code)
	 && (code != MINUS_EXPR
	     || follows_from (r, gimple_assign_rhs1 (stmt)) >= 0);
}

/* Are results of the region STMT that follow from what is handed on combined with it
   by its operation?  */
static bool
relate_results (relation *r, const gomp_target *stmt)
{
  auto_vec<tree> results;
  region_results (stmt, &results);
  for (unsigned i = 0; i < results.length (); i++)
    {
      int of = follows_from (r, OMP_CLAUSE_DECL (results[i]));
      if (of >= 0
	  && !combined_by_p (r, of, OMP_CLAUSE_REDUCTION_CODE (results[i])))
	return false;
    }
  return true;
}

/* Do all numbers that depend on those handed on follow from one of them each?  */
static bool
relate (relation *r)
{
  host_loop *l = r->n->l;
  bool more = true;
  while (more)
    {
      more = false;
      for (unsigned i = 0; i < r->n->end; i++)
	if (assigns_p (r->n, i) && !relate_stmt (r, l->code[i], &more))
	  return false;
    }
  for (unsigned i = 0; i < r->n->end; i++)
    if (assigns_p (r->n, i) && !relate_stmt (r, l->code[i], NULL))
      return false;
  for (unsigned i = 0; i < l->regions.length (); i++)
    if (!relate_results (r, host_loop_region (l, i)))
      return false;
  return !r->c->ops.contains (ERROR_MARK);
}

/* Has a number of TYPE all bits of its words?  */
static bool
whole_p (tree type)
{
  if (SCALAR_FLOAT_TYPE_P (type))
    return true;
  return TREE_CODE (type) == INTEGER_TYPE
	 && TYPE_PRECISION (type) == tree_to_uhwi (TYPE_SIZE (type));
}

static bool
relative_p (const chain *c, tree var)
{
  for (unsigned i = 0; i < c->relatives.length (); i++)
    if (c->relatives[i].var == var)
      return true;
  return false;
}

/* Does the statement I set such a number of C?  */
static bool
sets_relative_p (const chain *c, const numbers *n, unsigned i)
{
  return assigns_p (n, i) && relative_p (c, gimple_assign_lhs (n->l->code[i]));
}

/* Does one stand in front of the first region?  It is executed where a round
   ends.  */
static bool
begins_with_relatives_p (const chain *c, const numbers *n)
{
  for (unsigned i = 0; i < n->l->regions[0]; i++)
    if (sets_relative_p (c, n, i))
      return true;
  return false;
}

/* Let C have what rounds add to the numbers that they hand on, if they only add.  */
static void
find_relatives (chain *c, numbers *n)
{
  relation r;
  r.n = n;
  r.c = c;
  for (unsigned i = 0; i < n->vars.length (); i++)
    r.of.safe_push (-1);
  bool whole = c->carried.length () <= CHAIN_LOOKS;
  for (unsigned i = 0; i < c->carried.length (); i++)
    {
      whole &= whole_p (TREE_TYPE (c->carried[i]));
      r.of[number_place (n, c->carried[i])] = i;
      c->ops.safe_push (ERROR_MARK);
    }
  c->looks = whole && !c->carried.is_empty () && relate (&r);
  for (unsigned i = 0; c->looks && i < n->vars.length (); i++)
    if (r.of[i] >= 0)
      c->relatives.safe_push ({ n->vars[i], (unsigned) r.of[i] });
  c->looks &= !begins_with_relatives_p (c, n);
}

/* ---- What a round is going to add ---- */

bool
chain_comes_back_p (const host_loop *l, unsigned first, unsigned last)
{
  for (unsigned i = last; i < l->code.length (); i++)
    {
      unsigned n = 0;
      while (tree label = stmt_jump_target (l->code[i], n++))
	for (unsigned k = first; k <= last; k++)
	  if (gimple_code (l->code[k]) == GIMPLE_LABEL
	      && gimple_label_label (as_a<glabel *> (l->code[k])) == label)
	    return true;
    }
  return false;
}

/* Does a statement of N from FROM up to TO set VAR?  */
static bool
set_between_p (numbers *n, unsigned from, unsigned to, tree var)
{
  for (unsigned i = from; i < to; i++)
    if (gomp_target *target = dyn_cast<gomp_target *> (n->l->code[i]))
      {
	if (region_sets_p (target, var))
	  return true;
      }
    else if (assigns_p (n, i) && gimple_assign_lhs (n->l->code[i]) == var)
      return true;
  return false;
}

/* Is what the statement AT of N adds, behind FROM, known there?  */
static bool
known_before_p (const chain *c, numbers *n, unsigned from, unsigned at)
{
  gimple *stmt = n->l->code[at];
  for (unsigned k = 1; k < gimple_num_ops (stmt); k++)
    {
      tree op = gimple_op (stmt, k);
      if (number_place (n, op) >= 0 && !relative_p (c, op)
	  && set_between_p (n, from, at, op))
	return false;
    }
  return true;
}

/* Let the part I of C say whether it uses such numbers, and have the statements behind it that add to what is handed on, if
   all that these do is known where the part begins.  */
static void
find_rest (chain *c, numbers *n, unsigned i)
{
  unsigned from = n->l->regions[i];
  const gomp_target *stmt = host_loop_region (n->l, i);
  chain_part *part = c->parts[i];
  for (unsigned v = 0; v < c->relatives.length (); v++)
    part->asks |= by_value_p (n->l, stmt, c->relatives[v].var);
  part->settled = !chain_comes_back_p (n->l, n->l->regions[0], from);
  bool straight = true;
  for (unsigned k = from; k < n->end && part->settled; k++)
    if (sets_relative_p (c, n, k))
      {
	part->settled = straight && known_before_p (c, n, from, k);
	part->rest.safe_push (k);
      }
    else if (gomp_target *target = dyn_cast<gomp_target *> (n->l->code[k]))
      for (unsigned v = 0; v < c->relatives.length (); v++)
	part->settled &= !region_sets_p (target, c->relatives[v].var);
    else
      straight &= is_gimple_assign (n->l->code[k])
		  || stmt_empty_p (n->l->code[k])
		  || gimple_code (n->l->code[k]) == GIMPLE_BIND;
}

/* ---- All ---- */

const char *
chain_find_numbers (chain *c, host_loop *l)
{
  numbers n;
  list_numbers (&n, l);
  const char *why = find_carried (c, &n);
  if (!why)
    why = find_points (c, &n);
  if (why)
    return why;
  find_relatives (c, &n);
  for (unsigned i = 0; c->looks && i < c->parts.length (); i++)
    find_rest (c, &n, i);
  return NULL;
}

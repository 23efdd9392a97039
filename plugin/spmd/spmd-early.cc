/* A loop that one thread executes begins the loads of several iterations before the
   first of these.

   A sum of floating-point numbers has an order, so that one thread adds

     #pragma omp target
     for (i = 1; i < n; i++)
       e[0] += e[i];

   and waits for a load, the addition and the store in each iteration, as the driver's
   compiler does not know that the next load may come before the store.  No other thread
   needs registers, so that the kernel loads what many iterations are about first:

     while (n - i > 31)
       {
	 t0 = e[i]; t1 = e[i + 1]; ... t31 = e[i + 31];
	 e[0] += t0; e[0] += t1; ...
	 i += 32;
       }

   and then goes through what is left.  Bodies are straight code that does not change the
   bound: all of these iterations are executed and make these loads in any case.  None of
   them stores what is loaded early: it is another object, or other bytes, as far as the
   bounds of the loop tell.  Values and their order stay.

   Rounding.  GCC contracts a product with a sum where it sees both in one block of code,
   depending on who else uses the product.  So nothing of an iteration may be seen in
   another: what it loads, and floating-point variables that come from the one before, are
   hidden by opaque copies; no iteration leaves a product for the next one, and no
   floating-point number is made of an integer that moves.  Within an iteration two loads
   of one place remain one value, and none is of what is stored there before.

   Needs: alias_find of the region, whose construct is NEST's; no constructs in it.
   Keeps: what each iteration computes, in its order.  Breaks: the order of loads.
   Source: J. Dongarra and A. Hinds, "Unrolling loops in FORTRAN", Software: Practice
   and Experience 9, 1979.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "spmd/spmd.h"

enum
{
  /* Loads that begin together, iterations, and their statements.  A line of the GPU's
     cache has 32 words.  */
  LOADS = 32,
  MOST_TIMES = 32,
  LEAST_TIMES = 4,
  MOST_STATEMENTS = 640,
  /* Loops of no more iterations may be written out.  */
  MOST_WRITTEN_OUT = 64
};

/* A loop, and what of its body comes early.  */
struct early_loop
{
  const line *l;
  const line_loop *loop;
  int times;
  /* For each place on the line: whether the statement comes early; and for a load whose
     value the iteration gets, the first one from the same address, else -1.  */
  auto_vec<bool> early;
  auto_vec<int> same;
};

/* The assignment at AT, in the body; NULL: a label, to which nothing jumps.  */
static gimple *
assignment (const early_loop *e, unsigned at)
{
  gimple *stmt = e->l->code[at];
  return is_gimple_assign (stmt) ? stmt : NULL;
}

/* ---- Is it possible? ---- */

/* Is A, in the loop, an access by the statement STMT?  */
static bool
access_of_p (const early_loop *e, const line_access *a, const gimple *stmt)
{
  return a->in == e->loop && a->stmt == stmt;
}

/* Does what LOAD loads, in whatever iteration, lie beside what STORE stores?  */
static bool
beside_p (const early_loop *e, const line_access *load, const line_access *store)
{
  if (depend_objects_apart_p (e->l, load, store))
    return true;
  affine between = affine_add (load->address, -1, store->address);
  if (between.n < 0 || !load->size || !store->size
      || affine_mentions_p (&store->address, affine_index_symbol (e->loop)))
    return false;
  tree low = affine_extreme (&between, false);
  tree high = affine_extreme (&between, true);
  return (low && tree_fits_shwi_p (low) && tree_to_shwi (low) >= store->size)
	 || (high && tree_fits_shwi_p (high)
	     && tree_to_shwi (high) <= -load->size);
}

/* Is what LOAD loads beside all that the loop stores, where ONLY_BEFORE in front of
   LOAD?  */
static bool
untouched_p (const early_loop *e, const line_access *load, bool only_before)
{
  for (unsigned i = 0; i < e->l->accesses.length (); i++)
    {
      const line_access *store = &e->l->accesses[i];
      if (only_before && store == load)
	return true;
      if (store->in == e->loop && store->write && !beside_p (e, load, store))
	return false;
    }
  return true;
}

/* Is all that STMT loads untouched, as untouched_p says?  */
static bool
loads_untouched_p (const early_loop *e, const gimple *stmt, bool only_before)
{
  for (unsigned i = 0; i < e->l->accesses.length (); i++)
    {
      const line_access *a = &e->l->accesses[i];
      if (access_of_p (e, a, stmt) && !a->write
	  && !untouched_p (e, a, only_before))
	return false;
    }
  return true;
}

/* The place of the last statement of the body before AT that sets VAR, or -1.  */
static int
set_before (const early_loop *e, tree var, unsigned at)
{
  while (at-- > e->loop->body_begin)
    if (gimple_get_lhs (e->l->code[at]) == var)
      return at;
  return -1;
}

static bool
set_in_body_p (const early_loop *e, tree var)
{
  return set_before (e, var, e->loop->body_end) >= 0;
}

struct operands
{
  early_loop *e;
  unsigned at;
};

static bool enter_early (early_loop *e, unsigned at);

/* Find a register that is not known early.  What the body has not set in front of its
   use it does not set: else flow.cc would know no address.  */
static tree
find_late (tree *tp, int *walk_subtrees, void *data)
{
  operands *o = (operands *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (!DECL_P (*tp) || *tp == o->e->loop->index)
    return NULL_TREE;
  int at = set_before (o->e, *tp, o->at);
  return at >= 0 && !enter_early (o->e, at) ? *tp : NULL_TREE;
}

/* Can the statement at AT, and those that it needs, be executed before other
   iterations?  Then it is entered that they are.  */
static bool
enter_early (early_loop *e, unsigned at)
{
  if (e->early[at])
    return true;
  gimple *stmt = e->l->code[at];
  tree lhs = gimple_assign_lhs (stmt);
  if (!DECL_P (lhs) || !register_p (lhs) || !loads_untouched_p (e, stmt, false))
    return false;
  operands o = { e, at };
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    {
      tree op = gimple_op (stmt, i);
      if (op && walk_tree_without_duplicates (&op, find_late, &o))
	return false;
    }
  e->early[at] = true;
  return true;
}

/* May an opaque copy be of TYPE?  */
static bool
hidden_type_p (const_tree type)
{
  HOST_WIDE_INT bytes = int_size_in_bytes (type);
  return (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)
	  || SCALAR_FLOAT_TYPE_P (type))
	 && (bytes == 4 || bytes == 8);
}

/* The only access of the statement at AT, when it loads into a register from a place
   that moves with the loop; else NULL.  */
static const line_access *
moving_load (const early_loop *e, unsigned at)
{
  gimple *stmt = assignment (e, at);
  const line_access *load = NULL;
  if (!stmt || !gimple_assign_load_p (stmt)
      || !hidden_type_p (TREE_TYPE (gimple_assign_lhs (stmt))))
    return NULL;
  for (unsigned i = 0; i < e->l->accesses.length (); i++)
    if (access_of_p (e, &e->l->accesses[i], stmt))
      {
	if (load)
	  return NULL;
	load = &e->l->accesses[i];
      }
  return load && !load->write && load->address.n >= 0
	     && affine_mentions_p (&load->address, affine_index_symbol (e->loop))
	   ? load : NULL;
}

/* Enter the loads that come early; how many there are.  */
static int
find_loads (early_loop *e)
{
  int n = 0;
  for (unsigned at = e->loop->body_begin; at < e->loop->body_end; at++)
    {
      const line_access *load = moving_load (e, at);
      if (!load || !enter_early (e, at))
	continue;
      e->same[at] = at;
      for (unsigned before = e->loop->body_begin; before < at; before++)
	if (e->same[before] == (int) before)
	  {
	    const line_access *other = moving_load (e, before);
	    if (affine_equal_p (&other->address, &load->address)
		&& useless_type_conversion_p (TREE_TYPE (load->ref),
					      TREE_TYPE (other->ref)))
	      e->same[at] = before;
	  }
      n += e->same[at] == (int) at;
    }
  return n;
}

/* Does the body make a floating-point number of an integer that moves, other than a
   hidden one?  */
static bool
makes_number_p (const early_loop *e, unsigned at)
{
  gimple *stmt = e->l->code[at];
  if (gimple_assign_rhs_code (stmt) != FLOAT_EXPR)
    return false;
  tree from = gimple_assign_rhs1 (stmt);
  int set = set_before (e, from, at);
  return set >= 0 ? e->same[set] < 0
		  : from == e->loop->index || set_in_body_p (e, from);
}

/* Is VAR a floating-point variable?  */
static bool
number_p (const_tree var)
{
  return FLOAT_TYPE_P (TREE_TYPE (var));
}

/* Does GCC write out all iterations of LOOP?  */
static bool
written_out_p (const line_loop *loop)
{
  HOST_WIDE_INT distance;
  affine way = affine_add (loop->bound, -1, loop->first);
  return affine_constant_p (&way, &distance)
	 && absu_hwi (distance) <= MOST_WRITTEN_OUT * absu_hwi (loop->step);
}

/* Does the body mention VAR?  */
static bool
mentioned_p (const early_loop *e, tree var)
{
  for (unsigned at = e->loop->body_begin; at < e->loop->body_end; at++)
    if (gimple *stmt = assignment (e, at))
      for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
	if (decl_named_p (gimple_op (stmt, i), var))
	  return true;
  return false;
}

/* Is the test one that may be made for several iterations at a time?  */
static bool
test_p (const early_loop *e)
{
  for (unsigned at = e->loop->test_begin; at < e->loop->test_end; at++)
    {
      gimple *stmt = e->l->code[at];
      if (stmt_volatile_p (stmt) || !loads_untouched_p (e, stmt, false)
	  || mentioned_p (e, gimple_assign_lhs (stmt)))
	return false;
    }
  return true;
}

/* Is the body what it has to be?  */
static bool
body_p (const early_loop *e)
{
  const line_loop *loop = e->loop;
  if (loop->directive || loop->broken || !loop->index || !loop->inner.is_empty ()
      || written_out_p (loop))
    return false;
  for (unsigned at = loop->body_begin; at < loop->body_end; at++)
    {
      gimple *stmt = e->l->code[at];
      if (!stmt
	  || (gimple_code (stmt) != GIMPLE_LABEL
	      && (!is_gimple_assign (stmt) || stmt_volatile_p (stmt))))
	return false;
    }
  return test_p (e);
}

/* Does the statement at AT load a floating-point number in its iteration?  */
static bool
loads_late_p (const early_loop *e, unsigned at)
{
  gimple *stmt = assignment (e, at);
  bool loads = false;
  for (unsigned i = 0; i < e->l->accesses.length (); i++)
    loads |= access_of_p (e, &e->l->accesses[i], stmt)
	     && !e->l->accesses[i].write;
  return stmt && loads && e->same[at] < 0 && number_p (gimple_assign_lhs (stmt));
}

/* Is VALUE, as it is in front of the statement at AT, a product that the body
   makes?  */
static bool
product_p (const early_loop *e, tree value, unsigned at)
{
  int set = DECL_P (value) ? set_before (e, value, at) : -1;
  if (set < 0 || !number_p (value))
    return false;
  gimple *stmt = e->l->code[set];
  tree_code code = gimple_assign_rhs_code (stmt);
  return code == MULT_EXPR
	 || ((code == VAR_DECL || code == PARM_DECL || code == NEGATE_EXPR
	      || CONVERT_EXPR_CODE_P (code))
	     && product_p (e, gimple_assign_rhs1 (stmt), set));
}

/* Does an iteration leave a product for the next one, in a variable or in memory?  What
   GCC makes of that depends on how it writes the loop.  */
static bool
leaves_product_p (const early_loop *e)
{
  const line_loop *loop = e->loop;
  bool late = false;
  for (unsigned at = loop->body_begin; at < loop->body_end; at++)
    late |= loads_late_p (e, at);
  for (unsigned at = loop->body_begin; late && at < loop->body_end; at++)
    {
      gimple *stmt = assignment (e, at);
      if (stmt && gimple_store_p (stmt) && gimple_assign_single_p (stmt)
	  && product_p (e, gimple_assign_rhs1 (stmt), at))
	return true;
    }
  for (unsigned i = 0; i < loop->exposed.length (); i++)
    if (product_p (e, loop->exposed[i], loop->body_end))
      return true;
  for (unsigned i = 0; i < loop->combined.length (); i++)
    if (product_p (e, loop->combined[i].var, loop->body_end))
      return true;
  return false;
}

/* Can numbers be rounded as they are in the loop?  */
static bool
rounds_alike_p (const early_loop *e)
{
  if (leaves_product_p (e))
    return false;
  for (unsigned at = e->loop->body_begin; at < e->loop->body_end; at++)
    {
      gimple *stmt = assignment (e, at);
      tree lhs = stmt ? gimple_assign_lhs (stmt) : NULL_TREE;
      if (!stmt)
	continue;
      if ((number_p (lhs) && !hidden_type_p (TREE_TYPE (lhs)))
	  || makes_number_p (e, at))
	return false;
      if (loads_late_p (e, at) && !loads_untouched_p (e, stmt, true))
	return false;
    }
  return true;
}

/* How many iterations of E's loop begin together, or 0; E gets what comes early.  */
static int
together (early_loop *e)
{
  e->early.safe_grow_cleared (e->l->code.length (), true);
  for (unsigned at = 0; at < e->l->code.length (); at++)
    e->same.safe_push (-1);
  if (!body_p (e))
    return 0;
  int loads = find_loads (e), times = MOST_TIMES;
  if (!loads || !rounds_alike_p (e))
    return 0;
  int statements = e->loop->body_end - e->loop->body_begin;
  while (times * loads > LOADS || times * statements > MOST_STATEMENTS)
    times /= 2;
  return times < LEAST_TIMES ? 0 : times;
}

/* ---- The loop ---- */

/* Add to C a copy of STMT.  */
static void
add_copy (gimple *stmt, code c)
{
  gimple_seq_add_stmt (c, gimple_copy (stmt));
}

/* Add to C what comes early of the iteration in which the index is INDEX; VALUES gets
   what it loads, for each place.  */
static void
add_early (const early_loop *e, tree index, auto_vec<tree> *values, code c)
{
  hash_map<tree, tree> map;
  map.put (e->loop->index, index);
  for (unsigned at = e->loop->body_begin; at < e->loop->body_end; at++)
    {
      values->safe_push (NULL_TREE);
      if (!e->early[at])
	continue;
      gimple *copy = gimple_copy (e->l->code[at]);
      tree lhs = gimple_assign_lhs (copy);
      tree own = create_tmp_var (TREE_TYPE (lhs), "early");
      gimple_assign_set_lhs (copy, own);
      gimple_seq one = copy;
      replace_variables (&one, &map);
      gimple_seq_add_seq (c, one);
      if (e->same[at] == (int) at)
	{
	  tree hidden = create_tmp_var (TREE_TYPE (lhs), "loaded");
	  gimple_seq_add_stmt (c, code_opaque_copy (hidden, own));
	  values->last () = own = hidden;
	}
      map.put (lhs, own);
    }
}

/* Hide in C what VAR is.  */
static void
hide (tree var, code c)
{
  gimple_seq_add_stmt (c, code_opaque_copy (var, var));
}

/* Add to C the iteration, which has VALUES already.  */
static void
add_iteration (const early_loop *e, const auto_vec<tree> *values, code c)
{
  const line_loop *loop = e->loop;
  for (unsigned at = loop->body_begin; at < loop->body_end; at++)
    {
      gimple *stmt = assignment (e, at);
      if (stmt && e->same[at] >= 0)
	c.set (gimple_assign_lhs (stmt),
	       (*values)[e->same[at] - loop->body_begin]);
      else if (stmt)
	add_copy (stmt, c);
      if (loads_late_p (e, at))
	hide (gimple_assign_lhs (stmt), c);
    }
  add_copy (e->l->code[loop->body_end], c);
  for (unsigned i = 0; i < loop->assigned.length (); i++)
    if (number_p (loop->assigned[i]) && loop->exposed.contains (loop->assigned[i]))
      hide (loop->assigned[i], c);
  for (unsigned i = 0; i < loop->combined.length (); i++)
    if (number_p (loop->combined[i].var))
      hide (loop->combined[i].var, c);
}

/* Add to C the iterations that begin together.  */
static void
add_together (const early_loop *e, code c)
{
  const line_loop *loop = e->loop;
  tree index = loop->index, bound = loop->bound_expr;
  bool up = loop->step > 0;
  bool inclusive = loop->cond == LE_EXPR || loop->cond == GE_EXPR;
  val last = u64 (absu_hwi (loop->step) * (e->times - 1) + !inclusive);
  c.loop_ ([&] (tree done) {
    for (unsigned at = loop->test_begin; at < loop->test_end; at++)
      add_copy (e->l->code[at], c);
    c.need ({ loop->cond, index, bound }, done);
    val from = val (up ? index : bound).as (uint64_type_node);
    val to = val (up ? bound : index).as (uint64_type_node);
    val left = c.let ("left", to - from);
    c.need (left >= last, done);
    auto_vec<tree> values[MOST_TIMES];
    for (int i = 0; i < e->times; i++)
      {
	val ahead = c.let ("index", val (index) + i * loop->step);
	add_early (e, ahead, &values[i], c);
      }
    for (int i = 0; i < e->times; i++)
      add_iteration (e, &values[i], c);
  });
}

/* ---- Where it stands ---- */

struct placing
{
  gimple *before, *code;
};

static tree
insert (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  placing *p = (placing *) wi->info;
  *handled = gsi_stmt (*gsi) == p->before;
  if (!*handled)
    return NULL_TREE;
  gsi_insert_before (gsi, p->code, GSI_SAME_STMT);
  return integer_one_node;
}

static tree
take_out (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  *handled = gsi_stmt (*gsi) == wi->info;
  if (!*handled)
    return NULL_TREE;
  gsi_remove (gsi, false);
  return integer_one_node;
}

/* Put CODE in front of the statement BEFORE in NEST's body; false when that is its
   first one, which the target's body begins with as well.  */
static bool
put (const spmd_nest *nest, gimple *before, gimple *code)
{
  placing p = { before, code };
  struct walk_stmt_info wi = {};
  wi.info = &p;
  if (before == gimple_seq_first_stmt (gimple_omp_body (nest->loop)))
    return false;
  walk_gimple_seq_mod (gimple_omp_body_ptr (nest->loop), insert, NULL, &wi);
  return true;
}

int
spmd_add_early_loads (region *r, const spmd_nest *nest, spmd_added *added)
{
  int most = 0;
  if (optimize < 2 || optimize_size || !option_enabled (ACR_OPTION_UNROLL))
    return 0;
  line l = {};
  affine_reset ();
  line_make (&l, r);
  if (!l.broken)
    flow_find (&l);
  for (unsigned i = 0; !l.broken && i < l.loops.length (); i++)
    {
      early_loop e = {};
      e.l = &l;
      e.loop = l.loops[i];
      e.times = together (&e);
      if (!e.times)
	continue;
      gimple_seq seq = NULL;
      gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
      push_gimplify_context ();
      add_together (&e, &seq);
      gimple_bind_set_body (bind, seq);
      pop_gimplify_context (bind);
      if (!put (nest, l.code[e.loop->begin], bind))
	continue;
      added->safe_push (bind);
      most = MAX (most, e.times);
    }
  line_release (&l);
  return most;
}

void
spmd_remove_early_loads (const spmd_nest *nest, const spmd_added *added)
{
  for (unsigned i = 0; i < added->length (); i++)
    {
      struct walk_stmt_info wi = {};
      wi.info = (*added)[i];
      walk_gimple_seq_mod (gimple_omp_body_ptr (nest->loop), take_out, NULL, &wi);
    }
}

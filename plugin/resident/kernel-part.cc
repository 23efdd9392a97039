/* What kernels of loops are made of: regions' parts, and the host's code around
   them; see kernel.h.

   Needs: spmd_find_loops of each part.  Keeps: the parts' results, which are
   the same at every geometry.  Breaks: the body of the construct, which
   becomes the kernel's.
   Source: IEEE 754-2019, 5.4.1; PTX ISA, "add" (.rn).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/kernel.h"

/* ---- Parts ---- */

/* R's facts are those of all parts; its constructs, for a while, those of the
   region TARGET.  */
static const char *
find_part (region *r, gomp_target *target, spmd_loops *loops)
{
  gomp_target *whole = r->stmt;
  const spmd_nest *lone = NULL;
  r->stmt = target;
  const char *why = spmd_find_loops (r, loops, &lone);
  r->stmt = whole;
  for (unsigned i = 0; !why && i < loops->length (); i++)
    if ((*loops)[i]->nest.asks)
      why = "a part asks for a thread's place";
  return why;
}

/* Why the result of CLAUSE is not that of the loop of LOOPS alone, or
   NULL.  */
static const char *
result_bar (const spmd_loops &loops, tree clause)
{
  static const char other[]
    = "a region does more with a result than to reduce";
  tree var = OMP_CLAUSE_DECL (clause);
  if (loops.length () != 1)
    return other;
  const spmd_loop *loop = loops[0];
  for (unsigned i = 0; i < loop->nest.before.length (); i++)
    for (unsigned k = 0; k < gimple_num_ops (loop->nest.before[i]); k++)
      if (tree op = gimple_op (loop->nest.before[i], k))
	if (decl_named_p (op, var))
	  return other;
  for (unsigned i = 0; i < loop->sharing.privates.length (); i++)
    {
      const spmd_private *p = &loop->sharing.privates[i];
      if (p->var == var && p->reduction && !p->object && !p->by_reference)
	return NULL;
    }
  return other;
}

const char *
resident_kernel_bar (const resident *x, region *r)
{
  if (const char *why = spmd_compiler_why_not ())
    return why;
  for (unsigned i = 0; i < x->parts.length (); i++)
    {
      spmd_loops loops;
      const resident_part *part = x->parts[i];
      if (const char *why = find_part (r, part->target, &loops))
	return why;
      for (unsigned k = 0; k < part->results.length (); k++)
	if (const char *why = result_bar (loops, part->results[k].clause))
	  return why;
    }
  return NULL;
}

/* ---- How much a part has to do ---- */

/* Code of the host's that counts iterations: what it sets, and whether all else that it
   names is as the construct WHOLE has it, which L does not change.  */
struct counting
{
  const gomp_target *whole;
  const host_loop *l;
  hash_set<tree> own;
  bool steady;
};

static bool
steady_p (const counting *k, tree var)
{
  if (CONST_CAST (host_loop *, k->l)->sets.contains (var)
      || CONST_CAST (host_loop *, k->l)->locals.contains (var))
    return false;
  return construct_firstprivate_p (k->whole, var);
}

static tree
note_set (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  tree lhs = gimple_get_lhs (gsi_stmt (*gsi));
  if (lhs && host_name_p (lhs))
    ((counting *) wi->info)->own.add (lhs);
  return NULL_TREE;
}

static tree
look_at_name (tree *tp, int *walk_subtrees, void *data)
{
  counting *k = (counting *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (host_name_p (*tp) && !k->own.contains (*tp))
    k->steady &= steady_p (k, *tp);
  return NULL_TREE;
}

/* Add to C how many threads LOOP of L, in the construct WHOLE, has work for, or return
   NULL: an unsigned number of 64 bits.  */
static val
count_threads (const gomp_target *whole, const host_loop *l,
	       const spmd_loop *loop, code c)
{
  bool sure;
  gimple_seq seq = NULL;
  if (!spmd_countable_p (&loop->nest, &sure))
    return val ();
  val total = spmd_count_before (&loop->nest, &seq);
  counting k;
  k.whole = whole;
  k.l = l;
  k.steady = true;
  struct walk_stmt_info wi = {};
  wi.info = &k;
  walk_gimple_seq (seq, note_set, NULL, &wi);
  walk_gimple_seq (seq, NULL, look_at_name, &wi);
  if (!k.steady)
    return val ();
  gimple_seq_add_seq (c, seq);
  /* Teams are warps (libgomp-ext/launch/resident/resident.c).  */
  return loop->nest.split ? c.let ("threads", total * SPMD_WARP) : total;
}

void
resident_pass_trips (const resident *x, region *r, const host_loop *l, code c)
{
  gimple_seq seq = NULL;
  code inner = &seq;
  val most = inner.var (uint64_type_node, "most", 0);
  for (unsigned i = 0; i < x->parts.length (); i++)
    {
      spmd_loops loops;
      if (find_part (r, x->parts[i]->target, &loops))
	return;
      for (unsigned k = 0; k < loops.length (); k++)
	{
	  val n = count_threads (x->stmt, l, loops[k], inner);
	  if (!n)
	    return;
	  inner.set (most, max_of (most, n));
	}
    }
  val bound = build_int_cst (uint64_type_node, UINT_MAX);
  most = inner.let ("most", min_of (most, bound));
  inner.set (resident_state (x, ACR_RESIDENT_COUNT), most << 32);
  gimple_seq_add_seq (c, seq);
}

gimple *
kernel_part (region *r, gomp_target *target, bool alone)
{
  spmd_loops loops;
  gomp_target *whole = r->stmt;
  const char *why = find_part (r, target, &loops);
  gcc_assert (!why);
  for (unsigned i = 0; i < loops.length (); i++)
    {
      spmd_nest *nest = &loops[i]->nest;
      r->exact &= spmd_free_p (nest);
      nest->alone = alone;
      if (nest->split)
	r->row = MIN (r->row ? r->row : INT_MAX, spmd_row_limit (nest));
    }
  r->stmt = target;
  gimple *part = spmd_build_kernel (r, loops);
  r->stmt = whole;
  return part;
}

val
kernel_rank (code c)
{
  static const char axes[] = "zyx";
  val rank;
  for (int i = 0; i < 3; i++)
    {
      char tid[] = "tid.?", ntid[] = "ntid.?";
      tid[4] = ntid[5] = axes[i];
      val t = spmd_special_register (tid, c),
	  n = spmd_special_register (ntid, c);
      rank = rank ? rank * n + t : t;
    }
  return c.let ("rank", rank);
}

/* ---- Rounding ---- */

static tree
replace_value (tree *tp, int *walk_subtrees, void *data)
{
  part_values *p = (part_values *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (DECL_P (*tp))
    if (tree *own = p->own.get (*tp))
      *tp = unshare_expr (*own);
  return NULL_TREE;
}

/* Does the clause C of a part mean a variable that threads of the construct
   WHOLE have for themselves?  */
static bool
by_value_p (const gomp_target *whole, tree c)
{
  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
    return true;
  for (tree d = gimple_omp_target_clauses (whole); d; d = OMP_CLAUSE_CHAIN (d))
    if (OMP_CLAUSE_CODE (d) == OMP_CLAUSE_MAP
	&& OMP_CLAUSE_DECL (d) == OMP_CLAUSE_DECL (c))
      return false;
  return true;
}

/* Add to P copies of what comes by value to the region TARGET of WHOLE that
   GCC does not see through, which C makes.  Compilers fuse products with sums
   depending on who else uses the product, so no value is to be shared by two
   parts, nor to be computed in front of the loop: then each part rounds as its
   region would by itself.  */
void
kernel_keep_apart (const gomp_target *whole, const gomp_target *target,
	    part_values *p, code c)
{
  for (tree clause = gimple_omp_target_clauses (target); clause;
       clause = OMP_CLAUSE_CHAIN (clause))
    {
      if (OMP_CLAUSE_CODE (clause) != OMP_CLAUSE_FIRSTPRIVATE
	  && OMP_CLAUSE_CODE (clause) != OMP_CLAUSE_MAP)
	continue;
      tree var = OMP_CLAUSE_DECL (clause), type = TREE_TYPE (var);
      if (!DECL_P (var)
	  || (!INTEGRAL_TYPE_P (type) && !SCALAR_FLOAT_TYPE_P (type))
	  || !by_value_p (whole, clause))
	continue;
      val own = c.var (TYPE_MAIN_VARIANT (type), "own");
      val value = c.let ("value", var);
      gasm *copy = code_opaque_copy (own, value);
      gimple_asm_set_volatile (copy, true);
      gimple_seq_add_stmt (c, copy);
      p->own.put (var, own);
    }
}

void
kernel_replace_values (part_values *p, gimple *part)
{
  gimple_seq seq = NULL;
  gimple_seq_add_stmt_without_update (&seq, part);
  struct walk_stmt_info wi = {};
  wi.info = p;
  walk_gimple_seq_mod (&seq, NULL, replace_value, &wi);
}

/* The instruction for CODE, or NULL.  */
static const char *
rounding_instruction (tree_code code)
{
  switch (code)
    {
    case PLUS_EXPR:
      return "add";
    case MINUS_EXPR:
      return "sub";
    case MULT_EXPR:
      return "mul";
    case RDIV_EXPR:
      return "div";
    default:
      return NULL;
    }
}

/* A thread rounds what the host computes with real numbers as that does:
   neither GCC nor the driver may make one operation of two.  Parts, which are
   replaced, are done.  */
static tree
round_as_host (gimple_stmt_iterator *gsi, bool *handled,
	       struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  *handled = ((hash_set<gimple *> *) wi->info)->contains (stmt);
  if (!is_gimple_assign (stmt)
      || !SCALAR_FLOAT_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt))))
    return NULL_TREE;
  const char *name = rounding_instruction (gimple_assign_rhs_code (stmt));
  if (!name)
    return NULL_TREE;
  gimple_seq seq = NULL;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  push_gimplify_context ();
  code c = &seq;
  tree lhs = gimple_assign_lhs (stmt);
  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (lhs));
  val a = c.var (type, "a", gimple_assign_rhs1 (stmt));
  val b = c.var (type, "b", gimple_assign_rhs2 (stmt));
  val result = c.var (type, "rounded");
  char *text = xasprintf ("%s.rn.f%d %%0, %%1, %%2;", name,
			  (int) tree_to_uhwi (TYPE_SIZE (type)));
  spmd_add_asm (text, result, a, b, c);
  free (text);
  c.set (lhs, result);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gsi_replace (gsi, bind, false);
  *handled = true;
  return NULL_TREE;
}

void
kernel_round_as_host (const resident *x, gimple_seq *body)
{
  hash_set<gimple *> parts;
  parts.add (x->epilogue);
  for (unsigned i = 0; i < x->parts.length (); i++)
    parts.add (x->parts[i]->place);
  struct walk_stmt_info wi = {};
  wi.info = &parts;
  walk_gimple_seq_mod (body, round_as_host, NULL, &wi);
}

/* ---- The loop's code ---- */

static tree
replace_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  gimple **by = ((kernel_stmts *) wi->info)->get (gsi_stmt (*gsi));
  if (!by)
    return NULL_TREE;
  gsi_replace (gsi, *by, false);
  *handled = true;
  return NULL_TREE;
}

void
kernel_replace (gimple_seq *body, kernel_stmts *with)
{
  struct walk_stmt_info wi = {};
  wi.info = with;
  walk_gimple_seq_mod (body, replace_stmt, NULL, &wi);
}

gimple *
kernel_epilogue (const resident *x, test t)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code c = &seq;
  c.if_ (t, [&] {
    gimple_seq_add_stmt (
      &seq, gimple_build_bind (NULL_TREE,
			       gimple_bind_body (as_a<gbind *> (x->epilogue)),
			       NULL_TREE));
  });
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gimple_bind_set_vars (
    bind, chainon (gimple_bind_vars (bind),
		   gimple_bind_vars (as_a<gbind *> (x->epilogue))));
  return bind;
}

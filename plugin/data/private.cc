/* Scalars that each iteration of a loop has for itself.

     sum = 0;				sum' = 0;
     #pragma acc loop reduction(+:sum)	#pragma acc loop reduction(+:sum')
     for (k = 0; k < m; k++)	   ->	...
       sum += a[j][k];
     y[j] = sum;			y[j] = sum';
					if (last iteration) sum = sum';

   What a region maps is one variable for all gangs, or teams: when each of them
   sets, reduces and reads it, they take it from each other.  OpenACC maps a scalar
   also where no clause names it, as soon as a loop reduces it (2.9.11 of OpenACC
   2.6 lets the result be seen behind the region; omp_add_variable in GCC's
   gimplify.cc makes firstprivate a copy).

   Before omp-low, such a variable becomes one of the loop's body when

   - every iteration sets it before it reads it, or not at all, so no iteration
     has a value from another one or from before the loop;
   - nothing else in the region mentions it, and nothing in it reaches the
     variable by another way: it is a local one whose address nobody takes, or all
     that the region accesses is known to be something else;
   - behind the region either nobody looks at it, or the last iteration sets it
     for certain, and stores it then, as it would be the last to do in order.

   So a program that one gang executes in order leaves the same behind, and one
   that several execute leaves that as well.

   Needs: GIMPLE before omp-low; object_scan.  Keeps: what is left behind
   the region, by any number of gangs.  Breaks: names of such scalars in the
   loop.
   Source: OpenACC 2.6, 2.9.9 and 2.9.11; OpenMP 5.0, 2.19.1.1.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "spmd/spmd.h"
#include "gimplify-me.h"

/* ---- Loops ---- */

/* Are the iterations of LOOP shared out among threads?  */
static bool
shared_out_p (const gomp_for *loop)
{
  tree clauses = gimple_omp_for_clauses (loop);
  switch (gimple_omp_for_kind (loop))
    {
    case GF_OMP_FOR_KIND_OACC_LOOP:
      return !omp_find_clause (clauses, OMP_CLAUSE_SEQ)
	     && (!omp_find_clause (clauses, OMP_CLAUSE_AUTO)
		 || omp_find_clause (clauses, OMP_CLAUSE_INDEPENDENT));
    case GF_OMP_FOR_KIND_DISTRIBUTE:
    case GF_OMP_FOR_KIND_FOR:
      return true;
    default:
      return false;
    }
}

/* Enter the loops of a region whose iterations may run at once, the outermost; of
   combined ones that in which the body is.  */
static tree
find_loop (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  gomp_for *loop = dyn_cast<gomp_for *> (gsi_stmt (*gsi));
  if (!loop)
    {
      *handled = gimple_code (gsi_stmt (*gsi)) == GIMPLE_OMP_TARGET;
      return NULL_TREE;
    }
  if (gimple_omp_for_combined_p (loop) || !shared_out_p (loop))
    return NULL_TREE;
  ((auto_vec<gomp_for *> *) wi->info)->safe_push (loop);
  *handled = true;
  return NULL_TREE;
}

/* ---- Variables ---- */

/* A variable that an iteration may have for itself.  */
struct candidate
{
  /* The variable, or the reference that leads to it.  */
  tree var;
  bool by_reference;
  /* The new one, of the loop in hand.  */
  tree own;
};

/* What a body does to the candidate C, and what is replaced there.  */
struct body_walk
{
  candidate *c;
  /* Put C->own in its place.  */
  bool replace;
  /* With its value, in clauses that cannot be about a variable of the body, by
     parts or by its address.  */
  bool mentioned, bad;
};

static tree
value_type (const candidate *c)
{
  tree type = TREE_TYPE (c->var);
  return c->by_reference ? TREE_TYPE (type) : type;
}

/* Is REF the variable of C?  */
static bool
place_p (const candidate *c, tree ref)
{
  if (!c->by_reference)
    return ref == c->var;
  return (TREE_CODE (ref) == INDIRECT_REF
	  || (TREE_CODE (ref) == MEM_REF
	      && integer_zerop (TREE_OPERAND (ref, 1))))
	 && TREE_OPERAND (ref, 0) == c->var
	 && useless_type_conversion_p (value_type (c), TREE_TYPE (ref));
}

/* May the clause CLAUSE of a construct in the body be about a variable of the
   body?  */
static bool
movable_clause_p (tree clause)
{
  return OMP_CLAUSE_CODE (clause) == OMP_CLAUSE_SHARED
	 || (OMP_CLAUSE_CODE (clause) == OMP_CLAUSE_REDUCTION
	     && !OMP_CLAUSE_REDUCTION_PLACEHOLDER (clause)
	     && DECL_P (OMP_CLAUSE_DECL (clause)));
}

static tree
walk_operand (tree *tp, int *walk_subtrees, void *data)
{
  body_walk *b = (body_walk *) ((struct walk_stmt_info *) data)->info;
  tree t = *tp;
  if (TYPE_P (t))
    *walk_subtrees = 0;
  else if (TREE_CODE (t) == OMP_CLAUSE)
    {
      if (!omp_clause_num_ops[OMP_CLAUSE_CODE (t)]
	  || OMP_CLAUSE_OPERAND (t, 0) != b->c->var)
	return NULL_TREE;
      b->mentioned = true;
      b->bad |= !movable_clause_p (t);
      if (b->replace)
	OMP_CLAUSE_OPERAND (t, 0) = b->c->own;
      else
	{
	  /* Only this operand is done with.  */
	  *walk_subtrees = 0;
	  if (OMP_CLAUSE_CHAIN (t))
	    walk_tree (&OMP_CLAUSE_CHAIN (t), walk_operand, data, NULL);
	}
    }
  else if (place_p (b->c, t))
    {
      b->mentioned = true;
      if (b->replace)
	*tp = b->c->own;
      *walk_subtrees = 0;
    }
  else if (t == b->c->var)
    b->mentioned = b->bad = true;
  else if (TREE_CODE (t) == ADDR_EXPR || handled_component_p (t))
    {
      tree base = TREE_OPERAND (t, 0);
      while (handled_component_p (base))
	base = TREE_OPERAND (base, 0);
      b->bad |= place_p (b->c, base);
    }
  else if (VAR_P (t) && DECL_HAS_VALUE_EXPR_P (t)
	   && decl_named_p (DECL_VALUE_EXPR (t), b->c->var))
    b->mentioned = b->bad = true;
  return NULL_TREE;
}

static void
walk_body (body_walk *b, gimple_seq *body)
{
  struct walk_stmt_info wi = {};
  wi.info = b;
  walk_gimple_seq_mod (body, NULL, walk_operand, &wi);
}

/* ---- What an iteration does ---- */

/* In a copy of a body: what a construct reduces it reads, wherever its own
   statements set it.  */
static tree
read_reduced (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  tree own = (tree) wi->info;
  for (tree c = stmt_clauses (gsi_stmt (*gsi)); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	&& OMP_CLAUSE_DECL (c) == own)
      {
	tree read = create_tmp_var_raw (TREE_TYPE (own));
	gsi_insert_before (gsi, gimple_build_assign (read, own),
			   GSI_SAME_STMT);
      }
  return NULL_TREE;
}

/* A loop like LOOP with BODY.  */
static gomp_for *
loop_with_body (const gomp_for *loop, gimple_seq body)
{
  size_t n = gimple_omp_for_collapse (loop);
  gomp_for *made = gimple_build_omp_for (body, gimple_omp_for_kind (loop),
					 NULL_TREE, n, NULL);
  for (size_t i = 0; i < n; i++)
    {
      gimple_omp_for_set_index (made, i, gimple_omp_for_index (loop, i));
      gimple_omp_for_set_initial (made, i, gimple_omp_for_initial (loop, i));
      gimple_omp_for_set_final (made, i, gimple_omp_for_final (loop, i));
      gimple_omp_for_set_cond (made, i, gimple_omp_for_cond (loop, i));
      gimple_omp_for_set_incr (made, i, gimple_omp_for_incr (loop, i));
    }
  return made;
}

static bool
combined_p (const line_loop *l, tree var)
{
  for (unsigned i = 0; i < l->combined.length (); i++)
    if (l->combined[i].var == var)
      return true;
  return false;
}

/* Does each iteration of LOOP, in R, use no value of C but its own?  *CERTAIN:
   each ends with one.  A copy of the body tells, with a variable of its own.  */
static bool
own_value_p (region *r, const gomp_for *loop, candidate *c, bool *certain)
{
  gimple_seq body = copy_statements (gimple_omp_body (loop));
  c->own = create_tmp_var_raw (value_type (c));
  body_walk b = { c, true, false, false };
  walk_body (&b, &body);
  struct walk_stmt_info wi = {};
  wi.info = c->own;
  walk_gimple_seq_mod (&body, read_reduced, NULL, &wi);

  line l = {};
  l.threads = true;
  affine_reset ();
  line_make_nest (&l, r, vNULL, loop_with_body (loop, body), vNULL);
  bool own = !l.broken;
  if (own)
    flow_find (&l);
  const line_loop *in = own ? l.loops[0] : NULL;
  while (own && in->dim + 1 < gimple_omp_for_collapse (loop))
    in = in->inner[0];
  own = own && !in->broken && !in->exposed.contains (c->own)
	&& !combined_p (in, c->own);
  *certain = own && in->certain.contains (c->own);
  line_release (&l);
  return own;
}

/* ---- Who else knows the variable ---- */

struct elsewhere
{
  const candidate *c;
  const gimple *except;
  bool mentioned, address;
};

static tree
elsewhere_stmt (gimple_stmt_iterator *gsi, bool *handled,
		struct walk_stmt_info *wi)
{
  *handled = gsi_stmt (*gsi) == ((elsewhere *) wi->info)->except
	     || gimple_clobber_p (gsi_stmt (*gsi));
  return NULL_TREE;
}

static tree
elsewhere_operand (tree *tp, int *walk_subtrees, void *data)
{
  elsewhere *e = (elsewhere *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  e->mentioned |= *tp == e->c->var;
  e->address |= TREE_CODE (*tp) == ADDR_EXPR
		&& get_base_address (TREE_OPERAND (*tp, 0)) == e->c->var;
  if (VAR_P (*tp) && DECL_HAS_VALUE_EXPR_P (*tp) && *tp != e->c->var)
    e->address |= decl_named_p (DECL_VALUE_EXPR (*tp), e->c->var);
  return NULL_TREE;
}

static elsewhere
look_elsewhere (const candidate *c, const gimple *except)
{
  elsewhere e = { c, except, false, false };
  struct walk_stmt_info wi = {};
  wi.info = &e;
  walk_gimple_seq (gimple_body (current_function_decl), elsewhere_stmt,
		   elsewhere_operand, &wi);
  return e;
}

/* A variable that only this function can name.  */
static bool
local_p (const candidate *c)
{
  return !c->by_reference && auto_var_p (c->var)
	 && !DECL_HAS_VALUE_EXPR_P (c->var);
}

/* Learn what the region STMT accesses.  */
static void
learn (region *r, gomp_target *stmt)
{
  r->stmt = stmt;
  r->what = construct_of (stmt);
  r->loc = gimple_location (stmt);
  operand_find (r);
  access_find (r);
  alias_find (r);
}

/* May the object O of a region be what a reference leads to, SELF?  A variable
   that is not mapped is the region's own.  */
static bool
referred_p (const object *o, const object *self)
{
  if (o->name.depth == 0 && !o->mapped && !is_global_var (o->name.var))
    return false;
  return o->group == ACR_ALIAS_ANY || self->group == ACR_ALIAS_ANY
	 || o->group == self->group;
}

/* Do all accesses in R, which names C nowhere, lead elsewhere than to C?  */
static bool
others_apart_p (region *r, const candidate *c)
{
  if (r->objects[anything].access)
    return false;
  unsigned self = c->by_reference
		    ? object_index (r, object_of_pointer (c->var))
		    : 0;
  if (c->by_reference && self == anything)
    return false;
  for (unsigned i = 1; i < r->objects.length (); i++)
    {
      const object *o = &r->objects[i];
      if (o->access
	  && (c->by_reference ? referred_p (o, &r->objects[self])
			      : alias_with_variable_p (o, c->var)))
	return false;
    }
  return true;
}

/* The same for the region STMT, when its LOOPS have another variable for C.  */
static bool
alone_p (gomp_target *stmt, const vec<gomp_for *> &loops, candidate *c)
{
  auto_vec<gimple_seq> bodies;
  c->own = create_tmp_var_raw (value_type (c));
  body_walk b = { c, true, false, false };
  for (unsigned i = 0; i < loops.length (); i++)
    {
      bodies.safe_push (gimple_omp_body (loops[i]));
      gimple_seq copy = copy_statements (bodies[i]);
      walk_body (&b, &copy);
      gimple_omp_set_body (loops[i], copy);
    }
  region r = {};
  object_scan (gimple_body (current_function_decl));
  learn (&r, stmt);
  bool alone = others_apart_p (&r, c);
  region_release (&r);
  for (unsigned i = 0; i < loops.length (); i++)
    gimple_omp_set_body (loops[i], bodies[i]);
  object_scan (gimple_body (current_function_decl));
  return alone;
}

/* ---- Candidates ---- */

static bool
scalar_type_p (tree type)
{
  return is_gimple_reg_type (type) && !VECTOR_TYPE_P (type)
	 && !TYPE_VOLATILE (type) && !TYPE_ATOMIC (type);
}

/* Does the construct STMT map C, or is it on the device in any case?  */
static bool
mapped_p (const gomp_target *stmt, const candidate *c)
{
  bool named = false;
  for (tree clause = gimple_omp_target_clauses (stmt); clause;
       clause = OMP_CLAUSE_CHAIN (clause))
    if (OMP_CLAUSE_CODE (clause) == OMP_CLAUSE_MAP)
      {
	if (place_p (c, OMP_CLAUSE_DECL (clause)))
	  return OMP_CLAUSE_MAP_KIND (clause) != GOMP_MAP_FIRSTPRIVATE_POINTER
		 && !OMP_CLAUSE_MAP_IN_REDUCTION (clause);
      }
    else if (omp_clause_num_ops[OMP_CLAUSE_CODE (clause)])
      named |= OMP_CLAUSE_OPERAND (clause, 0) == c->var;
  return !named && !c->by_reference && is_global_var (c->var);
}

/* Is C what a scalar on the device may be, for all gangs of STMT?  */
static bool
candidate_p (const gomp_target *stmt, const candidate *c)
{
  return !TREE_THIS_VOLATILE (c->var) && scalar_type_p (value_type (c))
	 && !(VAR_P (c->var) && DECL_THREAD_LOCAL_P (c->var))
	 && mapped_p (stmt, c);
}

struct candidates
{
  const gomp_target *stmt;
  auto_vec<candidate> all;
};

/* What STMT sets may be one.  */
static tree
note_candidate (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  candidates *s = (candidates *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  tree lhs = gimple_clobber_p (stmt) ? NULL_TREE : gimple_get_lhs (stmt);
  candidate c = { lhs, false, NULL_TREE };
  if (lhs && (TREE_CODE (lhs) == INDIRECT_REF || TREE_CODE (lhs) == MEM_REF))
    {
      c.var = TREE_OPERAND (lhs, 0);
      c.by_reference = true;
    }
  if (!lhs || (!VAR_P (c.var) && TREE_CODE (c.var) != PARM_DECL)
      || c.by_reference != decl_by_reference_p (c.var) || !place_p (&c, lhs))
    return NULL_TREE;
  for (unsigned i = 0; i < s->all.length (); i++)
    if (s->all[i].var == c.var)
      return NULL_TREE;
  if (candidate_p (s->stmt, &c))
    s->all.safe_push (c);
  return NULL_TREE;
}

/* ---- The rewriting ---- */

/* Can the last iteration of LOOP be told from the others in its body?  */
static bool
last_known_p (const gomp_for *loop)
{
  for (size_t i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      tree index = gimple_omp_for_index (loop, i);
      tree final = gimple_omp_for_final (loop, i);
      if (!DECL_P (index) || !INTEGRAL_TYPE_P (TREE_TYPE (index))
	  || TYPE_PRECISION (TREE_TYPE (index)) > 64
	  || TREE_CODE (final) == TREE_VEC
	  || TREE_CODE (gimple_omp_for_initial (loop, i)) == TREE_VEC
	  || !INTEGRAL_TYPE_P (TREE_TYPE (final)))
	return false;
    }
  return !omp_find_clause (gimple_omp_for_clauses (loop), OMP_CLAUSE_TILE);
}

/* Add to SEQ that the last iteration of LOOP stores OWN.  */
static void
add_last_store (const gomp_for *loop, const candidate *own, gimple_seq *seq)
{
  code c = seq;
  tree not_last = code_label ();
  for (size_t i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      tree_code cond = gimple_omp_for_cond (loop, i);
      tree incr = gimple_omp_for_incr (loop, i), last = code_label ();
      tree index = fold_convert (ssizetype, gimple_omp_for_index (loop, i));
      tree step = fold_convert (ssizetype, TREE_OPERAND (incr, 1));
      val next = c.let ("next", fold_build2 (TREE_CODE (incr), ssizetype, index,
					     unshare_expr (step)));
      val bound = unshare_expr (gimple_omp_for_final (loop, i));
      bound = c.let ("bound", bound.as (ssizetype));
      c.branch (test{ cond, next, bound }, not_last, last);
      c.at (last);
    }
  tree place = own->by_reference ? build_simple_mem_ref (own->var) : own->var;
  gimple_seq_add_stmt (c, gimple_build_assign (place, own->own));
  c.at (not_last);
}

/* Give each iteration of LOOP a C of its own; with STORE the last one leaves its
   behind.  */
static void
privatize (gomp_for *loop, candidate *c, bool store)
{
  gimple_seq body = gimple_omp_body (loop);
  c->own = create_tmp_var_raw (value_type (c), get_name (c->var));
  DECL_CONTEXT (c->own) = current_function_decl;
  DECL_SEEN_IN_BIND_EXPR_P (c->own) = 1;
  body_walk b = { c, true, false, false };
  walk_body (&b, &body);
  push_gimplify_context ();
  gbind *bind = gimple_build_bind (c->own, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  gimple_seq_add_stmt (&seq, gimple_build_bind (NULL_TREE, body, NULL_TREE));
  if (store)
    add_last_store (loop, c, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gimple_seq whole = NULL;
  gimple_seq_add_stmt (&whole, bind);
  gimple_omp_set_body (loop, whole);
}

/* Do the constructs of the region STMT around LOOPS, and the statements beside
   them, leave C alone?  A clause that lets it be shared does.  */
static bool
only_in_loops_p (const gomp_target *stmt, const vec<gomp_for *> &loops,
		 candidate *c)
{
  /* The loops' bodies are out of sight for the while.  */
  auto_vec<gimple_seq> bodies;
  for (unsigned i = 0; i < loops.length (); i++)
    {
      bodies.safe_push (gimple_omp_body (loops[i]));
      gimple_omp_set_body (loops[i], NULL);
    }
  bool only = true;
  struct walk_stmt_info wi = {};
  body_walk b = { c, false, false, false };
  wi.info = &b;
  gimple_seq rest = gimple_omp_body (stmt);
  auto other_than_shared
    = [] (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *info) -> tree {
    body_walk *walk = (body_walk *) info->info;
    tree clauses = stmt_clauses (gsi_stmt (*gsi));
    for (tree cl = clauses; cl; cl = OMP_CLAUSE_CHAIN (cl))
      if (OMP_CLAUSE_CODE (cl) != OMP_CLAUSE_SHARED
	  && omp_clause_num_ops[OMP_CLAUSE_CODE (cl)]
	  && OMP_CLAUSE_OPERAND (cl, 0) == walk->c->var)
	walk->bad = true;
    return NULL_TREE;
  };
  auto mentions = [] (tree *tp, int *walk_subtrees, void *data) -> tree {
    body_walk *walk = (body_walk *) ((struct walk_stmt_info *) data)->info;
    if (TYPE_P (*tp) || TREE_CODE (*tp) == OMP_CLAUSE)
      *walk_subtrees = 0;
    walk->bad |= *tp == walk->c->var;
    return NULL_TREE;
  };
  walk_gimple_seq (rest, other_than_shared, mentions, &wi);
  only = !b.bad;
  for (unsigned i = 0; i < loops.length (); i++)
    gimple_omp_set_body (loops[i], bodies[i]);
  return only;
}

/* Privatize C in LOOPS of the region R if that cannot be told.  */
static bool
try_candidate (region *r, const vec<gomp_for *> &loops, candidate *c)
{
  elsewhere e = look_elsewhere (c, r->stmt);
  bool local = local_p (c) && !e.address;
  bool store = !local || e.mentioned;
  if (!only_in_loops_p (r->stmt, loops, c))
    return false;
  auto_vec<gomp_for *> in;
  for (unsigned i = 0; i < loops.length (); i++)
    {
      gimple_seq body = gimple_omp_body (loops[i]);
      body_walk b = { c, false, false, false };
      bool certain;
      walk_body (&b, &body);
      if (!b.mentioned)
	continue;
      if (b.bad || !own_value_p (r, loops[i], c, &certain)
	  || (store && (!certain || !last_known_p (loops[i]))))
	return false;
      in.safe_push (loops[i]);
    }
  /* Nothing orders the last iterations of two loops.  */
  if (store && in.length () > 1)
    return false;
  if (!local && !alone_p (r->stmt, in, c))
    return false;
  for (unsigned i = 0; i < in.length (); i++)
    privatize (in[i], c, store);
  return true;
}

static void
rewrite_region (gomp_target *stmt)
{
  auto_vec<gomp_for *> loops;
  candidates found;
  found.stmt = stmt;
  struct walk_stmt_info wi = {};
  wi.info = &loops;
  walk_gimple_seq (gimple_omp_body (stmt), find_loop, NULL, &wi);
  for (unsigned i = 0; i < loops.length (); i++)
    {
      wi.info = &found;
      walk_gimple_seq (gimple_omp_body (loops[i]), note_candidate, NULL,
		       &wi);
    }
  if (found.all.is_empty ())
    return;

  region r = {};
  learn (&r, stmt);
  for (unsigned i = 0; i < found.all.length (); i++)
    if (try_candidate (&r, loops, &found.all[i]))
      remark_done (r.loc, "%s region: each iteration has its own %T\n",
		   construct_words (r.what), found.all[i].var);
  region_release (&r);
}

static tree
find_region (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  gomp_target *stmt = dyn_cast<gomp_target *> (gsi_stmt (*gsi));
  const construct *what = stmt ? construct_of (stmt) : NULL;
  if (what
      && (what->kind == ACR_KIND_ACC_PARALLEL
	  || what->kind == ACR_KIND_OMP_TARGET))
    {
      ((auto_vec<gomp_target *> *) wi->info)->safe_push (stmt);
      *handled = true;
    }
  return NULL_TREE;
}

void
private_of_iteration (function *fun)
{
  auto_vec<gomp_target *> regions;
  struct walk_stmt_info wi = {};
  wi.info = &regions;
  walk_gimple_seq (gimple_body (fun->decl), find_region, NULL, &wi);
  if (regions.is_empty ())
    return;
  object_scan (gimple_body (fun->decl));
  for (unsigned i = 0; i < regions.length (); i++)
    rewrite_region (regions[i]);
}

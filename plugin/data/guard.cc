/* What the host code between device constructs looks at is announced.

   A construct ends with its results in the host's memory, as any code may be
   next.  Most often the next thing that looks at them is far behind, or the
   next construct comes first.  So in a function with constructs

   - a construct's call gets the flag ACR_UNSEEN (abi.h): from its end on, no
     code of the program's touches memory that may be mapped, or is called,
     until another construct begins or acr_look has been called for it;
   - acr_look is called before each access to memory by the host code that such
     a construct may precede: in front of a loop without constructs for all of
     it, with the range of addresses, or, where that is not known, for all
     memory; before calls; and where the function ends, by an exception as
     well;
   - the function of a region, which the host may run in place of a kernel,
     begins with such a call, and so does what follows a setjmp.

   What needs none are statements that touch no memory, variables whose address
   nobody knows, and the arrays in which constructs get their operands.

   This happens after inlining, and before loops become something else.
   acr_look is a function that the compiler knows nothing about, so no later
   pass moves an access of other memory across it.  It is weak: without
   libgomp-ext there is neither call nor flag.

   Needs: SSA, after inlining, before loops change; tags.  Keeps: what the
   host computes.  Breaks: nothing; memory may be anything behind acr_look.
   Source: T. B. Jablin et al., "Automatic CPU-GPU Communication Management
   and Optimization", PLDI 2011.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "cfganal.h"
#include "cfghooks.h"
#include "cfgloop.h"
#include "dumpfile.h"
#include "gimple-fold.h"
#include "gimplify-me.h"
#include "ssa.h"
#include "tree-chrec.h"
#include "tree-eh.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-alias.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssanames.h"

/* More ranges than that are one of all memory.  */
static const unsigned max_ranges = 8;

/* LEN bytes at LO, both of sizetype.  */
struct range
{
  tree lo, len;
};

/* Memory that a piece of code touches.  */
struct touched
{
  bool all;
  auto_vec<range> ranges;	/* not when ALL */

  void
  add (range r)
  {
    for (unsigned i = 0; i < ranges.length () && !all; i++)
      if (operand_equal_p (ranges[i].lo, r.lo)
	  && operand_equal_p (ranges[i].len, r.len))
	return;
    all |= ranges.length () == max_ranges;
    ranges.safe_push (r);
  }
  bool any () const { return all || ranges.length (); }
};

/* A loop that has no construct in it, inside none that has none.  */
struct host_loop
{
  class loop *loop;
  touched memory;
};

enum step
{
  STEP_NONE,
  STEP_TOUCH,			/* some memory */
  STEP_ANY,			/* all of it, or other code */
  STEP_MARKED,			/* a construct that gets the flag */
  STEP_CONSTRUCT		/* and one that cannot */
};

/* ---- Constructs -------------------------------------------------------- */

/* The entries of libgomp's, where their flags stand, and the operand vectors,
   with addresses first.  */
struct entry
{
  built_in_function fn;
  int flags;			/* -1: none */
  int operands;			/* -1: none */
  bool openacc;
};

static const entry entries[] = {
  { BUILT_IN_GOACC_PARALLEL, 0, 3, true },
  { BUILT_IN_GOACC_UPDATE, 0, 2, true },
  { BUILT_IN_GOACC_ENTER_DATA, 0, 2, true },
  { BUILT_IN_GOACC_EXIT_DATA, 0, 2, true },
  { BUILT_IN_GOACC_DATA_START, 0, 2, true },
  { BUILT_IN_GOACC_DATA_END, -1, -1, true },
  { BUILT_IN_GOMP_TARGET, 6, 3, false },
  { BUILT_IN_GOMP_TARGET_UPDATE, 5, 2, false },
  { BUILT_IN_GOMP_TARGET_ENTER_EXIT_DATA, 5, 2, false },
  { BUILT_IN_GOMP_TARGET_DATA, -1, 2, false },
  { BUILT_IN_GOMP_TARGET_END_DATA, -1, -1, false },
};

static const entry *
entry_of (gimple *stmt)
{
  /* GCC does not call all of them by their declared types.  */
  tree fn = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
  for (unsigned i = 0; fn && i < ARRAY_SIZE (entries); i++)
    if (fndecl_built_in_p (fn, entries[i].fn))
      return &entries[i];
  return NULL;
}

/* Whether the construct CALL, of E, can be told.  One that runs tasks, or is one, is
   found out when it begins.  */
static bool
markable_p (gimple *call, const entry *e)
{
  if (e->flags < 0)
    return true;
  /* Those of OpenACC are computed where there is an if clause.  */
  return e->openacc
	 || TREE_CODE (gimple_call_arg (call, e->flags)) == INTEGER_CST;
}

/* ---- Private memory ---------------------------------------------------- */

static bool
note_address (gimple *, tree place, tree, void *known)
{
  /* An element's address leads to all of it.  */
  tree base = get_base_address (place);
  if (base && DECL_P (base))
    bitmap_set_bit ((bitmap) known, DECL_UID (base));
  return false;
}

/* Set in KNOWN the variables whose addresses are used for more than to give
   constructs their operands.  */
static void
find_known (function *fun, bitmap known)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    {
      for (gphi_iterator i = gsi_start_phis (bb); !gsi_end_p (i);
	   gsi_next (&i))
	walk_stmt_load_store_addr_ops (i.phi (), known, NULL, NULL,
				       note_address);
      for (gimple_stmt_iterator i = gsi_start_nondebug_bb (bb); !gsi_end_p (i);
	   gsi_next_nondebug (&i))
	{
	  gimple *stmt = gsi_stmt (i);
	  const entry *e = entry_of (stmt);
	  if (!e)
	    {
	      walk_stmt_load_store_addr_ops (stmt, known, NULL, NULL,
					     note_address);
	      continue;
	    }
	  for (int arg = 0; arg < (int) gimple_call_num_args (stmt); arg++)
	    {
	      tree value = gimple_call_arg (stmt, arg);
	      if (TREE_CODE (value) == ADDR_EXPR
		  && !(e->operands >= 0 && IN_RANGE (arg, e->operands,
						     e->operands + 2)))
		note_address (stmt, TREE_OPERAND (value, 0), value, known);
	    }
	}
    }
}

/* Whether REF can be no memory that a construct maps.  Interprocedural
   points-to analysis follows operands into a region, and says that they go
   nowhere else.  */
static bool
private_p (tree ref, bitmap known)
{
  tree base = get_base_address (ref);
  if (base && DECL_P (base))
    return auto_var_p (base) ? !bitmap_bit_p (known, DECL_UID (base))
			     : !may_be_aliased (base)
				 || (VAR_P (base) && DECL_HARD_REGISTER (base));
  return !flag_ipa_pta && !ref_may_alias_global_p (ref, true);
}

/* ---- What a statement does --------------------------------------------- */

/* The memory that STMT, an assignment or a clobber, touches: up to two
   references.  */
static unsigned
references (gimple *stmt, tree ref[2], bitmap known)
{
  unsigned n = 0;
  if (gimple_store_p (stmt) || gimple_clobber_p (stmt))
    ref[n++] = gimple_get_lhs (stmt);
  if (gimple_assign_load_p (stmt))
    ref[n++] = gimple_assign_rhs1 (stmt);
  unsigned left = 0;
  for (unsigned i = 0; i < n; i++)
    if (!private_p (ref[i], known))
      ref[left++] = ref[i];
  return left;
}

/* Whether CALL computes with registers only, and comes back.  */
static bool
pure_call_p (gcall *call)
{
  tree lhs = gimple_call_lhs (call);
  bool pure = call_without_memory_p (call) && (!lhs || is_gimple_reg (lhs))
	      && !stmt_could_throw_p (cfun, call);
  for (unsigned i = 0; pure && i < gimple_call_num_args (call); i++)
    pure = is_gimple_reg (gimple_call_arg (call, i))
	   || is_gimple_min_invariant (gimple_call_arg (call, i));
  return pure;
}

/* Whether CALL asks libgomp if memory is mapped (scalar.cc, fuse-map.cc, and the
   program): that looks at the table of what is, which is always up to date, and not
   at the memory.  */
static bool
presence_call_p (const gcall *call)
{
  tree fn = gimple_call_fndecl (call);
  if (!fn || !DECL_EXTERNAL (fn) || !TREE_PUBLIC (fn)
      || stmt_could_throw_p (cfun, const_cast<gcall *> (call)))
    return false;
  tree name = DECL_ASSEMBLER_NAME (fn);
  return id_equal (name, "acc_is_present")
	 || id_equal (name, "omp_target_is_present")
	 || id_equal (name, "omp_get_default_device");
}

/* Whether STMT ends the function, or may: an exception goes on.  */
static bool
leaves_p (gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_RETURN || gimple_code (stmt) == GIMPLE_RESX;
}

static step
step_of (gimple *stmt, bitmap known)
{
  tree ref[2];
  if (is_gimple_debug (stmt) || leaves_p (stmt))
    return STEP_NONE;
  if (const entry *e = entry_of (stmt))
    return markable_p (stmt, e) ? STEP_MARKED : STEP_CONSTRUCT;
  if (gcall *call = dyn_cast<gcall *> (stmt))
    return pure_call_p (call) || overwrite_call_p (call) || site_call_p (call)
	       || presence_call_p (call) || fuse_ready_call_p (call)
	       || gimple_call_builtin_p (call, BUILT_IN_UNREACHABLE)
	     ? STEP_NONE
	     : STEP_ANY;
  if (gimple_has_volatile_ops (stmt) && !gimple_clobber_p (stmt))
    return STEP_ANY;
  if (!gimple_vuse (stmt))
    return gimple_code (stmt) == GIMPLE_ASM ? STEP_ANY : STEP_NONE;
  if (!is_gimple_assign (stmt))
    return STEP_ANY;
  return references (stmt, ref, known) ? STEP_TOUCH : STEP_NONE;
}

/* ---- Ranges ------------------------------------------------------------ */

/* The evolution of EXPR, used in LOOP, in OUTER and the loops in it.  */
static tree
evolution (class loop *outer, class loop *loop, tree expr)
{
  if (TREE_CODE (expr) == SSA_NAME)
    expr = analyze_scalar_evolution (loop, expr);
  return instantiate_scev (loop_preheader_edge (outer), loop, expr);
}

/* Widen R by the values that EXPR takes in LOOP while OUTER runs.  A loop that
   is said to go on for too long, as it does not run at all, does no harm.  */
static bool
widen (class loop *outer, class loop *loop, tree expr, range *r)
{
  tree ev = evolution (outer, loop, expr);
  while (TREE_CODE (ev) == POLYNOMIAL_CHREC)
    {
      tree n = number_of_latch_executions (get_chrec_loop (ev));
      tree step = CHREC_RIGHT (ev);
      /* 0 on some condition, which folding may have turned round.  */
      if (TREE_CODE (n) == COND_EXPR)
	n = TREE_OPERAND (n, integer_zerop (TREE_OPERAND (n, 1)) ? 2 : 1);
      if (chrec_contains_undetermined (n) || tree_contains_chrecs (step, NULL)
	  || !expr_invariant_in_loop_p (outer, n)
	  || !expr_invariant_in_loop_p (outer, step))
	return false;
      tree zero = ssize_int (0);
      tree extent = fold_build2 (MULT_EXPR, ssizetype,
				 fold_convert (ssizetype, n),
				 fold_convert (ssizetype, step));
      tree less = fold_build2 (MIN_EXPR, ssizetype, extent, zero);
      tree size = fold_build1 (ABS_EXPR, ssizetype, extent);
      r->lo = size_binop (PLUS_EXPR, r->lo, fold_convert (sizetype, less));
      r->len = size_binop (PLUS_EXPR, r->len, fold_convert (sizetype, size));
      ev = CHREC_LEFT (ev);
    }
  if (chrec_contains_undetermined (ev) || tree_contains_chrecs (ev, NULL)
      || !expr_invariant_in_loop_p (outer, ev))
    return false;
  r->lo = size_binop (PLUS_EXPR, r->lo, fold_convert (sizetype, ev));
  return true;
}

/* The memory that REF is, or, with OUTER, all that it is while that loop
   runs; LOOP is the innermost loop that it is in.  */
static bool
range_of (tree ref, class loop *outer, class loop *loop, range *r)
{
  poly_int64 bits, at;
  tree offset;
  machine_mode mode;
  int sign, reverse, is_volatile;
  HOST_WIDE_INT from, n;
  tree base = get_inner_reference (ref, &bits, &at, &offset, &mode, &sign,
				   &reverse, &is_volatile);
  if (!at.is_constant (&from) || !bits.is_constant (&n) || n <= 0)
    return false;
  tree address;
  r->lo = size_int (from >= 0 ? from / 8 : 0);
  r->len = size_int ((from % 8 + n + 7) / 8);
  /* Addresses in other spaces are not those of the memory.  */
  if (from < 0 || !ADDR_SPACE_GENERIC_P (TYPE_ADDR_SPACE (TREE_TYPE (base))))
    return false;
  if (TREE_CODE (base) == MEM_REF)
    {
      address = TREE_OPERAND (base, 0);
      r->lo = size_binop (PLUS_EXPR, r->lo,
			  fold_convert (sizetype, TREE_OPERAND (base, 1)));
    }
  else if (DECL_P (base))
    address = build_fold_addr_expr (base);
  else
    return false;
  if (outer)
    return widen (outer, loop, address, r)
	   && (!offset
	       || widen (outer, loop, fold_convert (sizetype, offset), r));
  r->lo = size_binop (PLUS_EXPR, r->lo, fold_convert (sizetype, address));
  if (offset)
    r->lo = size_binop (PLUS_EXPR, r->lo, fold_convert (sizetype, offset));
  return true;
}

/* Add to TO the memory of STMT, and of all its executions in OUTER.  */
static void
touch (touched *to, gimple *stmt, class loop *outer, bitmap known)
{
  tree ref[2];
  unsigned n = references (stmt, ref, known);
  for (unsigned i = 0; i < n && !to->all; i++)
    {
      range r;
      if (range_of (ref[i], outer, gimple_bb (stmt)->loop_father, &r))
	to->add (r);
      else
	to->all = true;
    }
}

/* ---- The function ------------------------------------------------------ */

struct guards
{
  function *fun;
  auto_bitmap known;
  /* By loop number: has a construct in it; by block index: the host loop that
     it is in, or NULL, and whether a marked construct may precede it.  */
  auto_bitmap busy;
  auto_vec<host_loop *> loops;
  auto_vec<host_loop *> home;
  auto_vec<bool> dirty;
  /* What a block outside of host loops makes of that: 1 sets, 0 clears, -1
     keeps it.  */
  auto_vec<signed char> effect;
  unsigned marked;
  tree look;			/* the function */
};

static bool
has_marked (function *fun)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i);
	 gsi_next (&i))
      if (const entry *e = entry_of (gsi_stmt (i)))
	if (markable_p (gsi_stmt (i), e))
	  return true;
  return false;
}

/* The outermost loop around BB that has no construct in it, or NULL.  */
static class loop *
free_loop (guards *g, basic_block bb)
{
  class loop *found = NULL;
  for (class loop *l = bb->loop_father; loop_outer (l); l = loop_outer (l))
    if (!bitmap_bit_p (g->busy, l->num))
      found = l;
  return found;
}

static void
find_loops (guards *g)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, g->fun)
    for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i);
	 gsi_next (&i))
      if (entry_of (gsi_stmt (i)))
	for (class loop *l = bb->loop_father; l; l = loop_outer (l))
	  bitmap_set_bit (g->busy, l->num);

  auto_vec<host_loop *> of;
  of.safe_grow_cleared (number_of_loops (g->fun));
  g->home.safe_grow_cleared (last_basic_block_for_fn (g->fun));
  g->dirty.safe_grow_cleared (last_basic_block_for_fn (g->fun));
  FOR_EACH_BB_FN (bb, g->fun)
    {
      class loop *l = free_loop (g, bb);
      if (!l)
	continue;
      if (!of[l->num])
	{
	  of[l->num] = new host_loop ();
	  of[l->num]->loop = l;
	  g->loops.safe_push (of[l->num]);
	}
      host_loop *h = g->home[bb->index] = of[l->num];
      for (gimple_stmt_iterator i = gsi_start_bb (bb);
	   !gsi_end_p (i) && !h->memory.all; gsi_next (&i))
	switch (step_of (gsi_stmt (i), g->known))
	  {
	  case STEP_TOUCH:
	    touch (&h->memory, gsi_stmt (i), l, g->known);
	    break;
	  case STEP_NONE:
	    break;
	  default:
	    h->memory.all = true;
	  }
    }
}

/* What STEP makes of DIRTY, when acr_look is called where it must be.  */
static bool
after (step what, bool dirty)
{
  switch (what)
    {
    case STEP_MARKED:
      return true;
    case STEP_CONSTRUCT:
    case STEP_ANY:
      return false;
    default:
      return dirty;
    }
}

static bool
dirty_behind (guards *g, basic_block bb)
{
  bool dirty = g->dirty[bb->index];
  if (host_loop *h = g->home[bb->index])
    return dirty && !h->memory.all;
  int effect = g->effect[bb->index];
  return effect < 0 ? dirty : effect;
}

static void
find_effects (guards *g)
{
  basic_block bb;
  g->effect.safe_grow_cleared (last_basic_block_for_fn (g->fun));
  FOR_EACH_BB_FN (bb, g->fun)
    {
      bool was_clean = false, was_dirty = true;
      for (gimple_stmt_iterator i = gsi_start_bb (bb);
	   !g->home[bb->index] && !gsi_end_p (i); gsi_next (&i))
	{
	  step what = step_of (gsi_stmt (i), g->known);
	  was_clean = after (what, was_clean);
	  was_dirty = after (what, was_dirty);
	}
      g->effect[bb->index] = was_clean == was_dirty ? was_clean : -1;
    }
}

/* Find out which blocks a marked construct may precede.  */
static void
find_dirty (guards *g)
{
  bool changed;
  do
    {
      basic_block bb;
      changed = false;
      FOR_EACH_BB_FN (bb, g->fun)
	{
	  edge e;
	  edge_iterator i;
	  if (g->dirty[bb->index])
	    continue;
	  FOR_EACH_EDGE (e, i, bb->preds)
	    if (e->src != ENTRY_BLOCK_PTR_FOR_FN (g->fun)
		&& dirty_behind (g, e->src)
		&& !(g->home[bb->index] && g->home[bb->index]->memory.all))
	      g->dirty[bb->index] = changed = true;
	}
    }
  while (changed);
}

/* ---- Calls of acr_look ------------------------------------------------- */

/* A call to be made before STMT, or in front of LOOP.  */
struct place
{
  gimple *stmt;
  class loop *loop;
  touched *memory;
  bool owned;
};

static tree
look_decl (void)
{
  tree type = build_function_type_list (void_type_node, const_ptr_type_node,
					size_type_node, NULL_TREE);
  return runtime_function ("acr_look", type);
}

static void
add_call (gimple_seq *seq, tree look, tree lo, tree len)
{
  gimple_seq stmts;
  tree p = force_gimple_operand (unshare_expr (fold_convert (const_ptr_type_node,
							    lo)),
				 &stmts, true, NULL_TREE);
  gimple_seq_add_seq (seq, stmts);
  tree n
    = force_gimple_operand (unshare_expr (fold_convert (size_type_node, len)),
			    &stmts, true, NULL_TREE);
  gimple_seq_add_seq (seq, stmts);
  gimple_seq_add_stmt (seq, gimple_build_call (look, 2, p, n));
}

/* Where acr_look is there, call it for MEMORY behind the statement that I is
   at, in front of the next.  */
static void
insert_look (guards *g, gimple_stmt_iterator i, const touched *memory)
{
  gimple_seq seq = NULL;
  if (memory->all)
    add_call (&seq, g->look, null_pointer_node, TYPE_MAX_VALUE (size_type_node));
  else
    for (unsigned k = 0; k < memory->ranges.length (); k++)
      add_call (&seq, g->look, memory->ranges[k].lo, memory->ranges[k].len);
  gimple *there = gimple_build_cond (NE_EXPR, build_fold_addr_expr (g->look),
				     null_pointer_node, NULL_TREE, NULL_TREE);
  basic_block bb
    = insert_cond_bb (gsi_bb (i), gsi_stmt (i), there,
		      profile_probability::very_likely ());
  gimple_stmt_iterator in = gsi_start_bb (bb);
  gsi_insert_seq_after (&in, seq, GSI_CONTINUE_LINKING);
}

static void
insert_at (guards *g, const place &p)
{
  gimple *anchor = gimple_build_nop ();
  gimple_stmt_iterator i;
  if (p.stmt)
    {
      i = gsi_for_stmt (p.stmt);
      gsi_insert_before (&i, anchor, GSI_SAME_STMT);
    }
  else
    {
      i = gsi_last_bb (loop_preheader_edge (p.loop)->src);
      gsi_insert_after (&i, anchor, GSI_NEW_STMT);
    }
  insert_look (g, gsi_for_stmt (anchor), p.memory);
  i = gsi_for_stmt (anchor);
  gsi_remove (&i, true);
}

/* ---- Flags ------------------------------------------------------------- */

/* Say so before the construct CALL, of an entry without flags.  */
static void
say_unseen (guards *g, gimple *call)
{
  touched nothing = { false, {} };
  nothing.add ({ null_pointer_node, size_int (0) });
  insert_at (g, { call, NULL, &nothing, false });
}

/* Give the construct CALL, of E, the flag if acr_look is there.  */
static void
mark (guards *g, gimple *call, const entry *e)
{
  g->marked++;
  if (e->flags < 0)
    {
      say_unseen (g, call);
      return;
    }
  tree plain = gimple_call_arg (call, e->flags), type = TREE_TYPE (plain);
  gimple_stmt_iterator i = gsi_for_stmt (call);
  gimple_seq stmts = NULL;
  /* OpenACC's are inverted (gomp-constants.h).  */
  tree marked = gimple_build (&stmts, e->openacc ? BIT_AND_EXPR : BIT_IOR_EXPR,
			      type, plain,
			      build_int_cst (type, e->openacc ? ~ACR_UNSEEN
							      : ACR_UNSEEN));
  gsi_insert_seq_before (&i, stmts, GSI_SAME_STMT);
  tree there = make_ssa_name (boolean_type_node), value = make_ssa_name (type);
  gsi_insert_before (&i, gimple_build_assign (there, NE_EXPR,
					      build_fold_addr_expr (g->look),
					      null_pointer_node),
		     GSI_SAME_STMT);
  gsi_insert_before (&i, gimple_build_assign (value, COND_EXPR, there, marked,
					      plain),
		     GSI_SAME_STMT);
  gimple_call_set_arg (call, e->flags, value);
  update_stmt (call);
}

/* ---- All together ------------------------------------------------------ */

static const touched everything = { true, {} };

/* The places in BB, outside of host loops.  */
static void
places_in (guards *g, basic_block bb, vec<place> *places, vec<gimple *> *marks)
{
  bool dirty = g->dirty[bb->index];
  for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i);
       gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      step what = step_of (stmt, g->known);
      if (what == STEP_MARKED)
	marks->safe_push (stmt);
      if (dirty && (what == STEP_ANY || leaves_p (stmt)))
	places->safe_push ({ stmt, NULL, CONST_CAST (touched *, &everything),
			     false });
      if (dirty && what == STEP_TOUCH)
	{
	  touched *memory = new touched ();
	  touch (memory, stmt, NULL, g->known);
	  dirty = !memory->all;
	  places->safe_push ({ stmt, NULL, memory, true });
	}
      dirty = after (what, dirty);
    }
}

/* N constructs of FUN are marked, and the host says in so many PLACES that it
   looks.  */
static void
report (function *fun, unsigned n, unsigned places)
{
  dump_user_location_t loc
    = dump_user_location_t::from_function_decl (fun->decl);
  if (n && places)
    dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, loc,
		     "results of %u device construct%s may stay on the GPU"
		     " until the host looks at them, in %u place%s\n",
		     n, plural (n), places, plural (places));
  else if (n)
    dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, loc,
		     "results of %u device construct%s may stay on the GPU\n",
		     n, plural (n));
}

static unsigned
guard_constructs (function *fun)
{
  guards g;
  g.fun = fun;
  g.marked = 0;
  loop_optimizer_init (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  scev_initialize ();
  find_known (fun, g.known);
  find_loops (&g);
  find_effects (&g);
  find_dirty (&g);

  auto_vec<place> places;
  auto_vec<gimple *> marks;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    if (!g.home[bb->index])
      places_in (&g, bb, &places, &marks);
  for (unsigned i = 0; i < g.loops.length (); i++)
    {
      host_loop *h = g.loops[i];
      basic_block before = loop_preheader_edge (h->loop)->src;
      if (h->memory.any () && before != ENTRY_BLOCK_PTR_FOR_FN (fun)
	  && dirty_behind (&g, before))
	places.safe_push ({ NULL, h->loop, &h->memory, false });
    }

  g.look = look_decl ();
  for (unsigned i = 0; i < marks.length (); i++)
    mark (&g, marks[i], entry_of (marks[i]));
  for (unsigned i = 0; i < places.length (); i++)
    insert_at (&g, places[i]);
  if (dump_enabled_p ())
    report (fun, g.marked, places.length ());

  for (unsigned i = 0; i < places.length (); i++)
    if (places[i].owned)
      delete places[i].memory;
  for (unsigned i = 0; i < g.loops.length (); i++)
    delete g.loops[i];
  scev_finalize ();
  free_dominance_info (CDI_DOMINATORS);
  loop_optimizer_finalize ();
  return TODO_update_ssa_only_virtuals;
}

/* FUN is what the host runs in place of a kernel.  */
static unsigned
guard_region (function *fun)
{
  guards g;
  g.fun = fun;
  g.look = look_decl ();
  gimple *anchor = gimple_build_nop ();
  gimple_stmt_iterator i
    = gsi_after_labels (single_succ (ENTRY_BLOCK_PTR_FOR_FN (fun)));
  gsi_insert_before (&i, anchor, GSI_SAME_STMT);
  insert_look (&g, gsi_for_stmt (anchor), &everything);
  i = gsi_for_stmt (anchor);
  gsi_remove (&i, true);
  return TODO_update_ssa_only_virtuals;
}

/* FUN may be gone back to from other host code that a signal has interrupted,
   behind a construct: what that gave back must be there.  */
static unsigned
guard_returns (function *fun)
{
  guards g;
  g.fun = fun;
  g.look = look_decl ();
  auto_vec<basic_block> twice;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    if (gcall *call = safe_dyn_cast<gcall *> (last_stmt (bb)))
      if (gimple_call_flags (call) & ECF_RETURNS_TWICE)
	twice.safe_push (bb);
  for (unsigned i = 0; i < twice.length (); i++)
    if (edge e = find_fallthru_edge (twice[i]->succs))
      {
	gimple *anchor = gimple_build_nop ();
	gsi_insert_on_edge_immediate (e, anchor);
	insert_look (&g, gsi_for_stmt (anchor), &everything);
	gimple_stmt_iterator at = gsi_for_stmt (anchor);
	gsi_remove (&at, true);
      }
  return twice.is_empty () ? 0 : TODO_update_ssa_only_virtuals;
}

unsigned
guard_host_code (function *fun)
{
  /* Plain kernels have the second alone.  */
  tree attributes = DECL_ATTRIBUTES (fun->decl);
  if (lookup_attribute ("omp target entrypoint", attributes)
      || lookup_attribute ("oacc function", attributes)
      || region_facts (fun->decl))
    return guard_region (fun);
  if (fun->calls_setjmp)
    return guard_returns (fun);
  /* Handlers would come from anywhere.  */
  if (fun->has_nonlocal_label
      || fun->can_throw_non_call_exceptions || !has_marked (fun))
    return 0;
  return guard_constructs (fun);
}

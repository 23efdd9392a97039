/* Loops that look for a bit of a number begin where they end.

   CUDA's programs ask __ffsll for the lowest bit that is set; as long as C++ has no
   portable name for that, ports write a loop:

     for (i = 0; i < 64; i++)
       if ((x >> i) & 1)
	 return i + 1;

   Each lane of a warp leaves it in another iteration, so that a warp takes as long as
   the slowest, where the GPU has an instruction.  Here i begins with the lowest bit of
   x, or with 64 where there is none: the first test that is made is the last.  So it
   is for loops that look from above.

   Right because iterations that do not leave do nothing: the loop has no other
   variable than i, stores nothing and calls nothing, and leaves by its bound or by the
   bit alone.  As it stays a loop, what follows it needs no change.

   Needs: SSA and loops, before loops are rotated.  Keeps: all values behind the loop.
   Source: LLVM's LoopIdiomRecognize.cpp (recognizeAndInsertFFS); GCC's
   number_of_iterations_cltz, which knows of shifts by one, from GCC 13 on.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "cfgloop.h"
#include "ssa.h"
#include "gimple-fold.h"

/* A loop that looks for a bit of X: its variable begins with BEGIN, a constant, and
   has the value END where there is no bit.  */
struct bit_scan
{
  gphi *phi;
  edge entry;
  tree x;
  int step;
  HOST_WIDE_INT begin, end;
};

static gimple *
def_of (tree name, tree_code code)
{
  gimple *def = TREE_CODE (name) == SSA_NAME ? SSA_NAME_DEF_STMT (name) : NULL;
  return def && is_gimple_assign (def) && gimple_assign_rhs_code (def) == code
	   ? def : NULL;
}

/* Does LOOP do nothing but compute?  */
static bool
only_computes_p (class loop *loop)
{
  bool right = true;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; right && i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (body[i]);
	 right && !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	right = gimple_code (stmt) == GIMPLE_COND
		|| gimple_code (stmt) == GIMPLE_LABEL
		|| gimple_nop_p (stmt) || gimple_code (stmt) == GIMPLE_PREDICT
		|| (is_gimple_assign (stmt) && !gimple_vuse (stmt)
		    && !gimple_could_trap_p (stmt));
      }
  free (body);
  return right;
}

/* Find S's variable: the only one of LOOP, which goes up or down by one.  */
static bool
find_variable (class loop *loop, bit_scan *s)
{
  s->phi = NULL;
  for (gphi_iterator psi = gsi_start_phis (loop->header); !gsi_end_p (psi);
       gsi_next (&psi))
    {
      if (virtual_operand_p (gimple_phi_result (psi.phi ())))
	continue;
      if (s->phi)
	return false;
      s->phi = psi.phi ();
    }
  if (!s->phi)
    return false;
  s->entry = loop_preheader_edge (loop);
  tree begin = PHI_ARG_DEF_FROM_EDGE (s->phi, s->entry);
  gimple *next = def_of (PHI_ARG_DEF_FROM_EDGE (s->phi, loop_latch_edge (loop)),
			 PLUS_EXPR);
  if (!next || gimple_assign_rhs1 (next) != gimple_phi_result (s->phi)
      || !tree_fits_shwi_p (gimple_assign_rhs2 (next))
      || TREE_CODE (begin) != INTEGER_CST || !tree_fits_shwi_p (begin))
    return false;
  s->step = tree_to_shwi (gimple_assign_rhs2 (next));
  s->begin = tree_to_shwi (begin);
  return s->step == 1 || s->step == -1;
}

/* Is NAME S's variable, whatever type it has been converted to?  */
static bool
is_variable_p (tree name, const bit_scan *s)
{
  for (gimple *def; (def = def_of (name, NOP_EXPR));)
    {
      tree from = gimple_assign_rhs1 (def);
      if (!INTEGRAL_TYPE_P (TREE_TYPE (from))
	  || TYPE_PRECISION (TREE_TYPE (from)) > TYPE_PRECISION (TREE_TYPE (name)))
	return false;
      name = from;
    }
  return name == gimple_phi_result (s->phi);
}

/* The number of which NAME is the bit with the number of S's variable, alone; or
   NULL.  */
static tree
scanned_by (tree name, const bit_scan *s)
{
  gimple *a = def_of (name, BIT_AND_EXPR);
  if (!a)
    return NULL_TREE;
  tree left = gimple_assign_rhs1 (a), right = gimple_assign_rhs2 (a);
  gimple *shift;
  for (gimple *def; (def = def_of (left, NOP_EXPR)) && integer_onep (right);)
    left = gimple_assign_rhs1 (def);
  if (integer_onep (right) && (shift = def_of (left, RSHIFT_EXPR)))
    return is_variable_p (gimple_assign_rhs2 (shift), s)
	     ? gimple_assign_rhs1 (shift) : NULL_TREE;
  for (int turn = 0; turn < 2; turn++, std::swap (left, right))
    if ((shift = def_of (right, LSHIFT_EXPR))
	&& integer_onep (gimple_assign_rhs1 (shift))
	&& is_variable_p (gimple_assign_rhs2 (shift), s))
      return left;
  return NULL_TREE;
}

/* Does LOOP leave by E where S's bit is set?  */
static bool
leaves_by_bit_p (class loop *loop, edge e, bit_scan *s)
{
  gcond *cond = safe_dyn_cast<gcond *> (last_stmt (e->src));
  if (!cond || !integer_zerop (gimple_cond_rhs (cond)))
    return false;
  tree_code code = gimple_cond_code (cond);
  if (code != ((e->flags & EDGE_TRUE_VALUE) ? NE_EXPR : EQ_EXPR))
    return false;
  s->x = scanned_by (gimple_cond_lhs (cond), s);
  return s->x && INTEGRAL_TYPE_P (TREE_TYPE (s->x))
	 && (TREE_CODE (s->x) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (s->x)
	     || !flow_bb_inside_loop_p (loop,
					gimple_bb (SSA_NAME_DEF_STMT (s->x))));
}

/* Does a loop leave by E where S's variable comes to its bound?  */
static bool
leaves_by_bound_p (edge e, bit_scan *s)
{
  gcond *cond = safe_dyn_cast<gcond *> (last_stmt (e->src));
  if (!cond || gimple_cond_lhs (cond) != gimple_phi_result (s->phi)
      || !tree_fits_shwi_p (gimple_cond_rhs (cond)))
    return false;
  tree_code code = gimple_cond_code (cond);
  if (!(e->flags & EDGE_TRUE_VALUE))
    code = invert_tree_comparison (code, false);
  HOST_WIDE_INT bound = tree_to_shwi (gimple_cond_rhs (cond));
  if (code == (s->step > 0 ? GT_EXPR : LT_EXPR))
    bound += s->step;
  else if (code != (s->step > 0 ? GE_EXPR : LE_EXPR) && code != EQ_EXPR)
    return false;
  s->end = bound;
  return s->step > 0 ? bound > s->begin : bound < s->begin;
}

/* Is LOOP, whose header has the test of its bound, such a loop?  */
static bool
find_scan (class loop *loop, bit_scan *s)
{
  if (!only_computes_p (loop) || !find_variable (loop, s))
    return false;
  bool bit = false, bound = false, other = false;
  for (edge e : get_loop_exit_edges (loop))
    if (!bound && e->src == loop->header && leaves_by_bound_p (e, s))
      bound = true;
    else if (!bit && leaves_by_bit_p (loop, e, s))
      bit = true;
    else
      other = true;
  if (!bit || !bound || other)
    return false;
  /* The bits are all there are to a border.  */
  int bits = TYPE_PRECISION (TREE_TYPE (s->x));
  return (bits == 32 || bits == 64)
	 && (s->step > 0 ? s->begin == 0 && s->end <= bits
			 : s->end == -1 && s->begin < bits);
}

/* The number of the bit that S looks for, of those of AMONG that it looks at, where
   there is one; to SEQ.  */
static tree
number_of_bit (const bit_scan *s, tree among, gimple_seq *seq)
{
  tree type = TREE_TYPE (among);
  bool up = s->step > 0, wide = TYPE_PRECISION (type) == 64;
  /* The instructions are defined for all but 0.  */
  wide_int last = wi::set_bit_in_zero (up ? TYPE_PRECISION (type) - 1 : 0,
				       TYPE_PRECISION (type));
  tree some = gimple_build (seq, BIT_IOR_EXPR, type, among,
			    wide_int_to_tree (type, last));
  tree called = builtin_decl_explicit (up ? wide ? BUILT_IN_CTZLL : BUILT_IN_CTZ
					  : wide ? BUILT_IN_CLZLL : BUILT_IN_CLZ);
  gcall *call = gimple_build_call (called, 1, some);
  tree number = make_ssa_name (integer_type_node);
  gimple_call_set_lhs (call, number);
  gimple_seq_add_stmt (seq, call);
  return up ? number
	    : gimple_build (seq, MINUS_EXPR, integer_type_node,
			    build_int_cst (integer_type_node,
					   TYPE_PRECISION (type) - 1),
			    number);
}

/* Let S's variable begin with the bit.  */
static void
begin_with_bit (const bit_scan *s)
{
  tree variable = TREE_TYPE (gimple_phi_result (s->phi));
  bool wide = TYPE_PRECISION (TREE_TYPE (s->x)) == 64;
  tree type = wide ? long_long_unsigned_type_node : unsigned_type_node;
  unsigned looked = s->step > 0 ? s->end : s->begin + 1;
  gimple_seq seq = NULL;
  tree among = gimple_convert (&seq, type, s->x);
  if (looked < TYPE_PRECISION (type))
    among = gimple_build (&seq, BIT_AND_EXPR, type, among,
			  wide_int_to_tree (type, wi::mask (looked, false,
							    TYPE_PRECISION (type))));
  tree number = gimple_convert (&seq, variable, number_of_bit (s, among, &seq));
  tree any = gimple_build (&seq, NE_EXPR, boolean_type_node, among,
			   build_zero_cst (type));
  tree first = make_ssa_name (variable);
  gimple_seq_add_stmt (&seq,
		       gimple_build_assign (first, COND_EXPR, any, number,
					    build_int_cst (variable, s->end)));
  gsi_insert_seq_on_edge_immediate (s->entry, seq);
  SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (s->phi, s->entry), first);
}

unsigned
scan_bits (function *fun)
{
  if (!offloaded_p (fun->decl))
    return 0;
  loop_optimizer_init (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  for (class loop *loop : loops_list (fun, LI_ONLY_INNERMOST))
    {
      bit_scan s;
      if (find_scan (loop, &s))
	begin_with_bit (&s);
    }
  loop_optimizer_finalize ();
  return 0;
}

/* Reductions of SPMD kernels.

   Each thread has a partial result, which starts as the operation's neutral
   element.  The threads of a group bring theirs together: those of a warp by
   shuffles, then the warps through shared memory, so that all know the
   result.  A group is a block, at the kernel's end, when one thread of each
   combines the result with the variable by an atomic update; or the threads
   of a team, after a loop of theirs.  OpenMP leaves the order open.

   All threads of a group take part, those included that had nothing to do.  A
   group is whole warps, or one thread.

   Needs: all threads of a group to come there.  Breaks: the order of a
   reduction.
   Source: OpenMP 5.0, 2.19.5; lower_reduction_clauses in GCC's omp-low.cc for
   what an operator means; PTX ISA, shfl.sync and barrier.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* Warps of a block, at most.  */
static const int max_warps = 32;

enum
{
  /* Warps whose results a thread goes through one by one.  */
  FEW_WARPS = 4
};

/* The shared array of this translation unit and its lock, or NULL.  The symbol
   table keeps them.  */
static tree array, lock;

bool
spmd_reduces_scalar_p (tree c, tree type)
{
  /* Other sizes have no atomic updates on the device.  */
  return !OMP_CLAUSE_REDUCTION_PLACEHOLDER (c)
	 && (INTEGRAL_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type))
	 && (tree_int_cst_equal (TYPE_SIZE_UNIT (type), size_int (4))
	     || tree_int_cst_equal (TYPE_SIZE_UNIT (type), size_int (8)));
}

tree
spmd_combine (tree c, tree a, tree b)
{
  tree type = TREE_TYPE (a);
  enum tree_code code = OMP_CLAUSE_REDUCTION_CODE (c);
  switch (code)
    {
    case MINUS_EXPR:
      code = PLUS_EXPR;
      break;
    case TRUTH_ANDIF_EXPR:
    case TRUTH_ORIF_EXPR:
      {
	tree zero = build_zero_cst (type);
	a = fold_build2 (NE_EXPR, boolean_type_node, a, zero);
	b = fold_build2 (NE_EXPR, boolean_type_node, b, zero);
	code = code == TRUTH_ANDIF_EXPR ? TRUTH_AND_EXPR : TRUTH_OR_EXPR;
	return fold_convert (type, fold_build2 (code, boolean_type_node, a, b));
      }
    default:
      break;
    }
  return fold_build2 (code, type, a, b);
}

tree
spmd_slot (tree type, tree i, gimple_seq *seq)
{
  if (!array)
    array = device_variable (create_tmp_var_name ("acr_partial"),
			     build_array_type_nelts (uint64_type_node,
						     max_warps),
			     true, false);
  tree offset = fold_build2 (MULT_EXPR, sizetype, fold_convert (sizetype, i),
			     size_int (8));
  tree address = build_fold_addr_expr_with_type (array, ptr_type_node);
  address = code_value (fold_build_pointer_plus (address, offset), "slot",
			seq);
  return build2 (MEM_REF, type, address, build_int_cst (ptr_type_node, 0));
}

/* Barriers may stand in several copies of the code after them, so they are not
   the aligned kind.  */
static void
meet_at_any (const spmd_group *g, gimple_seq *seq)
{
  spmd_add_asm ("{\n\t.reg .pred %%acr_p;\n\t"
	   "setp.eq.u32 %%acr_p, %1, 32;\n\t"
	   "@%%acr_p bar.warp.sync -1;\n\t"
	   "setp.gt.u32 %%acr_p, %1, 32;\n\t"
	   "@%%acr_p barrier.sync %0, %1;\n\t}",
	   NULL_TREE, g->barrier, g->size, seq);
}

/* The same where G's barrier is one of a few.  A block whose code names a barrier
   by a register is given all 16, and from Hopper on a multiprocessor has 64 for its
   blocks.  */
static void
meet_at_few (const spmd_group *g, gimple_seq *seq)
{
#define MEET(n) "setp.eq.u32 %%acr_p, %0, " #n ";\n\t"                       \
		"@%%acr_p barrier.sync " #n ", %1;\n\t"
  static_assert (ACR_WIDE_ROWS == 4, "one for each");
  spmd_add_asm ("{\n\t.reg .pred %%acr_p;\n\t"
	   "setp.eq.u32 %%acr_p, %1, 32;\n\t"
	   "@%%acr_p bar.warp.sync -1;\n\t"
	   "setp.le.u32 %%acr_p, %1, 32;\n\t"
	   "@%%acr_p bra $acr_met;\n\t" MEET (1) MEET (2) MEET (3) MEET (4)
	   "$acr_met:\n\t}",
	   NULL_TREE, g->barrier, g->size, seq);
#undef MEET
}

/* The same at the block's barrier.  */
static void
meet_at_first (const spmd_group *g, gimple_seq *seq)
{
  spmd_add_asm ("{\n\t.reg .pred %%acr_p;\n\t"
	   "setp.eq.u32 %%acr_p, %0, 32;\n\t"
	   "@%%acr_p bar.warp.sync -1;\n\t"
	   "setp.gt.u32 %%acr_p, %0, 32;\n\t"
	   "@%%acr_p barrier.sync 0, %0;\n\t}",
	   NULL_TREE, g->size, NULL_TREE, seq);
}

void
spmd_meet (const spmd_group *g, gimple_seq *seq)
{
  (g->few			? meet_at_few
   : integer_zerop (g->barrier) ? meet_at_first
				: meet_at_any) (g, seq);
}

bool
spmd_meet_p (const gimple *stmt)
{
  const gasm *a = dyn_cast<const gasm *> (stmt);
  return a && strstr (gimple_asm_string (a), "@%%acr_p bar.warp.sync -1;")
	 && strstr (gimple_asm_string (a), "@%%acr_p barrier.sync");
}

static tree
lock_address (gimple_seq *seq)
{
  if (!lock)
    lock = device_variable (create_tmp_var_name ("acr_lock"),
			    unsigned_type_node, false, false);
  tree address = build_fold_addr_expr_with_type (lock, ptr_type_node);
  tree value = code_temp (ptr_type_node, "lock");
  code_set (value, address, seq);
  return value;
}

void
spmd_lock (gimple_seq *seq)
{
  spmd_add_asm ("{\n\t.reg .pred %%acr_p;\n\t.reg .u32 %%acr_r;\n"
		"$acr_again:\n\tatom.cas.b32 %%acr_r, [%0], 0, 1;\n\t"
		"setp.ne.u32 %%acr_p, %%acr_r, 0;\n\t"
		"@%%acr_p bra $acr_again;\n\tmembar.gl;\n\t}",
		NULL_TREE, lock_address (seq), NULL_TREE, seq);
}

void
spmd_unlock (gimple_seq *seq)
{
  spmd_add_asm ("{\n\t.reg .u32 %%acr_r;\n\tmembar.gl;\n\t"
		"atom.exch.b32 %%acr_r, [%0], 0;\n\t}",
		NULL_TREE, lock_address (seq), NULL_TREE, seq);
}

/* Add to C: VALUE becomes that of the warp.  */
static void
reduce_warp (tree clause, val value, code c)
{
  for (int way = SPMD_WARP / 2; way; way /= 2)
    {
      val other = spmd_shuffle ("bfly", value, u32 (way), c);
      c.set (value, spmd_combine (clause, value, other));
    }
}

/* Add to C: VALUE, that of the warp, becomes that of G's warps.  Where these are few,
   each thread goes through them; else the lanes of each warp take one each.  */
static void
reduce_warps (tree clause, val value, const spmd_group *g, bool meets, code c)
{
  tree type = TREE_TYPE (value.t);
  val rank = g->rank, first = g->first_warp, size = g->size;
  val warp = c.let ("warp", first + rank / SPMD_WARP);
  val lane = c.let ("lane", rank % SPMD_WARP);
  c.if_ (lane == 0, [&] { c.set (spmd_slot (type, warp, c), value); });
  spmd_meet (g, c);

  val end = c.let ("end", first + size / SPMD_WARP);
  c.if_ (
    size > FEW_WARPS * SPMD_WARP,
    [&] {
      val i = c.let ("i", first + lane);
      c.set (value, omp_reduction_init (clause, type));
      c.if_ (i < end, [&] { c.set (value, spmd_slot (type, i, c)); });
      reduce_warp (clause, value, c);
    },
    [&] {
      c.set (value, spmd_slot (type, first, c));
      val i = c.var (unsigned_type_node, "i", first + 1);
      c.while_ (i < end, [&] {
	val other = c.let ("other", spmd_slot (type, i, c));
	c.set (value, spmd_combine (clause, value, other));
	c.set (i, i + 1);
      });
    });
  /* The slots are free again.  */
  if (!meets)
    spmd_meet (g, c);
}

void
spmd_reduce (tree clause, tree value, const spmd_group *g, gimple_seq *seq,
	     bool meets)
{
  code c = seq;
  val size = g->size;
  c.if_ (size >= SPMD_WARP, [&] {
    reduce_warp (clause, value, c);
    c.if_ (size > SPMD_WARP,
	   [&] { reduce_warps (clause, value, g, meets, c); });
  });
}

/* The instruction that combines memory with a register of TYPE as CODE says,
   without suffix for the type; NULL when there is none on the oldest GPUs that
   GCC makes code for (sm_30).  KIND gets the letter of that suffix.  */
static const char *
update_instruction (enum tree_code code, tree type, char *kind)
{
  bool real = SCALAR_FLOAT_TYPE_P (type);
  *kind = real ? 'f' : 'u';
  if (code == PLUS_EXPR || code == MINUS_EXPR)
    return "add";
  if (real || !tree_int_cst_equal (TYPE_SIZE_UNIT (type), size_int (4)))
    return NULL;
  switch (code)
    {
    case MIN_EXPR:
    case MAX_EXPR:
      *kind = TYPE_UNSIGNED (type) ? 'u' : 's';
      return code == MIN_EXPR ? "min" : "max";
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
      *kind = 'b';
      return code == BIT_AND_EXPR	? "and"
	     : code == BIT_IOR_EXPR	? "or"
					: "xor";
    default:
      return NULL;
    }
}

/* Does a value that CODE has combined with another one before change nothing when it
   does so again?  */
static bool
idempotent_p (enum tree_code code)
{
  return code == MIN_EXPR || code == MAX_EXPR || code == BIT_AND_EXPR
	 || code == BIT_IOR_EXPR || code == TRUTH_ANDIF_EXPR
	 || code == TRUTH_ORIF_EXPR;
}

/* Add to C the bits of the variable A, by which zeros of two signs differ.  */
static val
bits_of (val a, code c)
{
  tree type = TREE_TYPE (a.t);
  if (!SCALAR_FLOAT_TYPE_P (type))
    return a;
  tree bits = build_nonstandard_integer_type (TYPE_PRECISION (type), 1);
  return c.let ("bits", build1 (VIEW_CONVERT_EXPR, bits, a.t));
}

/* Add to SEQ an atomic update of what is at ADDRESS, a loop of exchanges.  */
static void
update_by_exchange (tree clause, tree address, tree value, gimple_seq *seq)
{
  tree old = code_temp (TREE_TYPE (value), "old");
  gimple_seq_add_stmt (seq,
		       gimple_build_omp_atomic_load (old, address,
						     OMP_MEMORY_ORDER_RELAXED));
  value = code_value (spmd_combine (clause, old, value), "new", seq);
  gimple_seq_add_stmt (seq,
		       gimple_build_omp_atomic_store (value,
						      OMP_MEMORY_ORDER_RELAXED));
}

void
spmd_update (tree clause, tree address, tree value, gimple_seq *seq)
{
  tree type = TREE_TYPE (value);
  enum tree_code op_code = OMP_CLAUSE_REDUCTION_CODE (clause);
  char kind;
  if (const char *op = update_instruction (op_code, type, &kind))
    {
      char *text = xasprintf ("red.%s.%c%d [%%0], %%1;", op, kind,
			      (int) tree_to_uhwi (TYPE_SIZE (type)));
      spmd_add_asm (text, NULL_TREE, address, value, seq);
      free (text);
      return;
    }
  if (!idempotent_p (op_code))
    {
      update_by_exchange (clause, address, value, seq);
      return;
    }
  /* Most values are no news: an exchange of each would wait for all others.  What
     is seen may be old, and says too often that a value is news.  */
  code c = seq;
  tree place = build2 (MEM_REF, type, address,
		       build_int_cst (TREE_TYPE (address), 0));
  val seen = c.let ("seen", place);
  val next = c.let ("next", spmd_combine (clause, seen, value));
  c.if_ (bits_of (next, c) != bits_of (seen, c),
	 [&] { update_by_exchange (clause, address, value, c); });
}

tree
spmd_address_of (tree var, gimple_seq *seq)
{
  tree address = build_fold_addr_expr (var);
  tree value = code_temp (TREE_TYPE (address), "address");
  gimple_seq_add_stmt (seq, gimple_build_assign (value, address));
  return value;
}

void
spmd_reduce_grid (const spmd_private *p, tree leads, const spmd_group *block,
		  gimple_seq *seq)
{
  code c = seq;
  tree clause = p->reduction;
  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (p->value));
  val value = c.var (type, "partial", p->value);
  if (leads)
    c.unless_ (val (leads) != boolean_false_node,
	       [&] { c.set (value, omp_reduction_init (clause, type)); });
  spmd_reduce (clause, value, block, c);

  /* A block that is no whole warps is no group: each of its threads is.  */
  val alone = val (block->size) < SPMD_WARP, leader = val (block->rank) == 0;
  val updates = c.let ("updates", alone | leader);
  c.if_ (updates != boolean_false_node, [&] {
    val address = p->by_reference ? p->var : spmd_address_of (p->var, c);
    address = c.let ("address", address.as (build_pointer_type (type)));
    spmd_update (clause, address, value, c);
  });
}

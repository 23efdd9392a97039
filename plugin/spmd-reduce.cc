/* Reductions of plain kernels.

   Each thread has a partial result, which starts as the operation's neutral
   element.  At the kernel's end the threads of a block combine theirs in shared
   memory, as a tree, and the block's first thread combines the result with
   the variable by one atomic update.  OpenMP leaves the order open.

   The tree is over all threads of the block, those included that had nothing
   to do, so that all meet at the barriers.

   Source: OpenMP 5.0, 2.19.5; lower_reduction_clauses in GCC's omp-low.cc for
   what an operator means.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd.h"

/* Threads of a block, at most.  */
static const int max_threads = 1024;

/* The shared array of this translation unit, or NULL.  The symbol table keeps
   it.  */
static tree array;

const char *
spmd_reduction_why_not (tree c, tree type)
{
  if (OMP_CLAUSE_REDUCTION_PLACEHOLDER (c))
    return "a reduction that is not of a scalar by an operator";
  if (OMP_CLAUSE_REDUCTION_TASK (c) || OMP_CLAUSE_REDUCTION_INSCAN (c))
    return "a task or scan reduction";
  /* Other sizes have no atomic updates on the device.  */
  if ((!INTEGRAL_TYPE_P (type) && !SCALAR_FLOAT_TYPE_P (type))
      || (!tree_int_cst_equal (TYPE_SIZE_UNIT (type), size_int (4))
	  && !tree_int_cst_equal (TYPE_SIZE_UNIT (type), size_int (8))))
    return "the type of a reduction";
  return NULL;
}

/* A and B combined as the clause C says.  */
static tree
combine (tree c, tree a, tree b)
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

/* The array in shared memory with a slot for each thread.  */
static tree
shared_array (void)
{
  if (array)
    return array;
  array = build_decl (UNKNOWN_LOCATION, VAR_DECL,
		      create_tmp_var_name ("acr_partial"),
		      build_array_type_nelts (uint64_type_node, max_threads));
  TREE_STATIC (array) = TREE_USED (array) = TREE_ADDRESSABLE (array) = 1;
  DECL_ARTIFICIAL (array) = DECL_IGNORED_P (array) = 1;
  varpool_node *node = varpool_node::get_create (array);
  node->offloadable = 1;
  /* Only now: the host's table of offloaded variables is not for it.  */
  DECL_ATTRIBUTES (array)
    = tree_cons (get_identifier ("shared"), NULL_TREE,
		 tree_cons (get_identifier ("omp declare target"), NULL_TREE,
			    NULL_TREE));
  varpool_node::finalize_decl (array);
  return array;
}

/* The slot of thread I as a variable of TYPE.  */
static tree
slot (tree type, tree i, gimple_seq *seq)
{
  tree offset = fold_build2 (MULT_EXPR, sizetype, fold_convert (sizetype, i),
			     size_int (8));
  tree address = build_fold_addr_expr_with_type (shared_array (),
						 ptr_type_node);
  address = spmd_value (fold_build_pointer_plus (address, offset), "slot",
			seq);
  return build2 (MEM_REF, type, address, build_int_cst (ptr_type_node, 0));
}

/* Add to SEQ a barrier of the block.  It may stand in several copies of the
   code after it, so it is not the aligned kind.  */
static void
add_barrier (gimple_seq *seq)
{
  vec<tree, va_gc> *clobbers = NULL;
  vec_safe_push (clobbers, build_tree_list (NULL_TREE,
					    build_string (6, "memory")));
  gasm *stmt
    = gimple_build_asm_vec ("barrier.sync 0;", NULL, NULL, clobbers, NULL);
  gimple_asm_set_volatile (stmt, true);
  gimple_seq_add_stmt (seq, stmt);
}

/* Add to SEQ the tree over the block's partial results of TYPE.  The result is
   in the first thread's slot.  */
static void
reduce_block (tree c, tree type, const spmd_place *place, gimple_seq *seq)
{
  tree u = unsigned_type_node;
  tree way = spmd_temp (u, "way");
  spmd_set (way, build_int_cst (u, max_threads / 2), seq);
  tree step = spmd_label (), inside = spmd_label (), add = spmd_label (),
       meet = spmd_label (), next = spmd_label (), done = spmd_label ();
  spmd_add_label (step, seq);
  spmd_add_branch (LT_EXPR, way, place->block_size, inside, next, seq);
  spmd_add_label (inside, seq);
  tree other = spmd_value (fold_build2 (PLUS_EXPR, u, place->id, way), "other",
			   seq);
  tree one = fold_build2 (LT_EXPR, boolean_type_node, place->id, way);
  tree two = fold_build2 (LT_EXPR, boolean_type_node, other,
			  place->block_size);
  tree both = spmd_value (fold_build2 (BIT_AND_EXPR, boolean_type_node, one,
				       two),
			  "both", seq);
  spmd_add_branch (NE_EXPR, both, boolean_false_node, add, meet, seq);
  spmd_add_label (add, seq);
  tree a = spmd_value (slot (type, place->id, seq), "a", seq);
  tree b = spmd_value (slot (type, other, seq), "b", seq);
  spmd_set (slot (type, place->id, seq), combine (c, a, b), seq);
  spmd_add_label (meet, seq);
  add_barrier (seq);
  spmd_add_label (next, seq);
  spmd_set (way, fold_build2 (RSHIFT_EXPR, u, way, build_one_cst (u)), seq);
  spmd_add_branch (NE_EXPR, way, build_zero_cst (u), step, done, seq);
  spmd_add_label (done, seq);
}

/* Add to SEQ: the variable at ADDRESS is combined with VALUE, atomically.  */
static void
update (tree c, tree address, tree value, gimple_seq *seq)
{
  tree type = TREE_TYPE (value);
  enum tree_code code = OMP_CLAUSE_REDUCTION_CODE (c);
  if ((code == PLUS_EXPR || code == MINUS_EXPR)
      && (TYPE_MODE (type) == DFmode || TYPE_MODE (type) == SFmode))
    {
      bool wide = TYPE_MODE (type) == DFmode;
      vec<tree, va_gc> *inputs = NULL, *clobbers = NULL;
      tree r = build_tree_list (NULL_TREE, build_string (1, "r"));
      vec_safe_push (inputs, build_tree_list (r, address));
      tree d = build_tree_list (NULL_TREE, build_string (1, "r"));
      vec_safe_push (inputs, build_tree_list (d, value));
      vec_safe_push (clobbers,
		     build_tree_list (NULL_TREE, build_string (6, "memory")));
      gasm *stmt = gimple_build_asm_vec (wide ? "red.add.f64 [%0], %1;"
					      : "red.add.f32 [%0], %1;",
					 inputs, NULL, clobbers, NULL);
      gimple_asm_set_volatile (stmt, true);
      gimple_seq_add_stmt (seq, stmt);
      return;
    }
  tree old = spmd_temp (type, "old");
  gimple_seq_add_stmt (seq,
		       gimple_build_omp_atomic_load (old, address,
						     OMP_MEMORY_ORDER_RELAXED));
  value = spmd_value (combine (c, old, value), "new", seq);
  gimple_seq_add_stmt (seq,
		       gimple_build_omp_atomic_store (value,
						      OMP_MEMORY_ORDER_RELAXED));
}

/* Add to SEQ the address of VAR, a variable of the target.  It may be a register
   as yet, to the gimplifier, but omp-low puts memory in its place.  */
static tree
address_of (tree var, gimple_seq *seq)
{
  tree address = build_fold_addr_expr (var);
  tree value = spmd_temp (TREE_TYPE (address), "address");
  gimple_seq_add_stmt (seq, gimple_build_assign (value, address));
  return value;
}

void
spmd_reduce (const spmd_private *p, const spmd_place *place, gimple_seq *seq)
{
  tree c = p->reduction;
  tree own = spmd_own (p);
  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (own));
  spmd_set (slot (type, place->id, seq), own, seq);
  add_barrier (seq);
  reduce_block (c, type, place, seq);

  tree first = spmd_label (), end = spmd_label ();
  spmd_add_branch (EQ_EXPR, place->id, build_zero_cst (unsigned_type_node),
		   first, end, seq);
  spmd_add_label (first, seq);
  tree pointer = build_pointer_type (type);
  tree address = p->by_reference ? p->var : address_of (p->var, seq);
  address = spmd_value (fold_convert (pointer, address), "address", seq);
  update (c, address,
	  spmd_value (slot (type, build_zero_cst (unsigned_type_node), seq),
		      "result", seq),
	  seq);
  spmd_add_label (end, seq);
}

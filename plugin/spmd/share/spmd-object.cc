/* Reductions of what is no 32- or 64-bit scalar: arrays, structures and small
   or complex numbers, by an operator, element by element, or by what the
   program declares.

   Each thread has a partial result in its own memory.  The lanes of a warp
   exchange theirs word by word and combine them; then the warps do, through
   shared memory, whose words one warp combines in the same way.  No
   instruction adds such an object to the variable, so the block's result goes
   there under a lock, of which there is one for the translation unit.

   A block that is no whole warps has threads that each take the lock, one
   after the other, since a lane could wait for ever for another of its warp.

   Source: OpenMP 5.0, 2.19.5; lower_rec_input_clauses and
   lower_reduction_clauses in GCC's omp-low.cc; PTX ISA, memory consistency.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

enum
{
  /* Of local memory, which the GPU sets aside for every thread it holds.  */
  MOST_BYTES = 1024
};

/* ---- What can be done ---- */

/* The address of the section that the clause C is about, in parts: a variable
   and how far from there.  False when it is another expression.  */
static bool
section_parts (tree c, tree *base, HOST_WIDE_INT *bias)
{
  tree ref = OMP_CLAUSE_DECL (c);
  if (TREE_CODE (ref) != MEM_REF || !tree_fits_shwi_p (TREE_OPERAND (ref, 1)))
    return false;
  *base = TREE_OPERAND (ref, 0);
  *bias = tree_to_shwi (TREE_OPERAND (ref, 1));
  if (TREE_CODE (*base) == POINTER_PLUS_EXPR)
    {
      tree way = TREE_OPERAND (*base, 1);
      if (TREE_CODE (way) != INTEGER_CST)
	return false;
      *bias += wi::to_wide (way).to_shwi ();
      *base = TREE_OPERAND (*base, 0);
    }
  tree var = TREE_CODE (*base) == ADDR_EXPR ? TREE_OPERAND (*base, 0) : *base;
  return DECL_P (var) && !DECL_HAS_VALUE_EXPR_P (var)
	 && !decl_by_reference_p (var);
}

tree
spmd_reduction_variable (tree c)
{
  tree base = OMP_CLAUSE_DECL (c);
  HOST_WIDE_INT bias;
  if (TREE_CODE (base) == MEM_REF && !section_parts (c, &base, &bias))
    return NULL_TREE;
  return TREE_CODE (base) == ADDR_EXPR ? TREE_OPERAND (base, 0) : base;
}

tree
spmd_section_pointer (tree c, tree address)
{
  tree base;
  HOST_WIDE_INT bias;
  section_parts (c, &base, &bias);
  return fold_build_pointer_plus_hwi (fold_convert (ptr_type_node, address),
				      -bias);
}

/* What an element is, of an object of TYPE that the clause C is about: all
   that its operator is applied to.  */
static tree
element_type (tree c, tree type)
{
  return OMP_CLAUSE_REDUCTION_PLACEHOLDER (c) ? type : strip_array_types (type);
}

static tree
uses_placeholder (tree *tp, int *, void *data)
{
  tree what = (tree) ((struct walk_stmt_info *) data)->info;
  return *tp == what ? what : NULL_TREE;
}

/* The search of a declared reduction's statements.  */
struct code_search
{
  tree clause;
  /* They are for a plain kernel.  */
  bool plain;
  hash_set<tree> own;
  const char *why;
};

static tree
code_stmt (gimple_stmt_iterator *gsi, bool *handled,
	   struct walk_stmt_info *wi)
{
  code_search *s = (code_search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  s->why = is_gimple_omp (stmt) ? "a construct in the reduction"
	   : s->plain		? spmd_body_why_not (stmt)
				: NULL;
  if (gbind *bind = dyn_cast<gbind *> (stmt))
    for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
      s->own.add (v);
  *handled = s->why != NULL;
  return *handled ? integer_one_node : NULL_TREE;
}

static tree
code_operand (tree *tp, int *walk_subtrees, void *data)
{
  code_search *s = (code_search *) ((struct walk_stmt_info *) data)->info;
  tree t = *tp;
  if (TYPE_P (t))
    *walk_subtrees = 0;
  else if ((VAR_P (t) || TREE_CODE (t) == PARM_DECL) && !is_global_var (t)
	   && t != OMP_CLAUSE_DECL (s->clause)
	   && t != OMP_CLAUSE_REDUCTION_PLACEHOLDER (s->clause)
	   && !s->own.contains (t))
    s->why = "a variable in the reduction";
  return s->why ? t : NULL_TREE;
}

/* Why the statements of the declared reduction C bar the form, or NULL.  */
static const char *
code_why_not (tree c, bool plain)
{
  code_search s;
  s.clause = c;
  s.plain = plain;
  s.why = NULL;
  struct walk_stmt_info wi = {};
  wi.info = &s;
  gimple_seq codes[] = { OMP_CLAUSE_REDUCTION_GIMPLE_INIT (c),
			 OMP_CLAUSE_REDUCTION_GIMPLE_MERGE (c) };
  for (unsigned i = 0; i < ARRAY_SIZE (codes) && !s.why; i++)
    {
      walk_gimple_seq (codes[i], code_stmt, NULL, &wi);
      if (!s.why)
	walk_gimple_seq (codes[i], NULL, code_operand, &wi);
    }
  if (s.why)
    return s.why;
  /* Blocks begin when others have changed it.  */
  wi.info = OMP_CLAUSE_REDUCTION_PLACEHOLDER (c);
  return walk_gimple_seq (codes[0], NULL, uses_placeholder, &wi)
	   ? "a reduction that starts from the original"
	   : NULL;
}

const char *
spmd_object_why_not (tree c, tree type, bool plain)
{
  if (!tree_fits_uhwi_p (TYPE_SIZE_UNIT (type)))
    return "a reduction of variable size";
  if (tree_to_uhwi (TYPE_SIZE_UNIT (type)) > MOST_BYTES)
    return "a reduction of more than 1 KiB";
  if (OMP_CLAUSE_REDUCTION_PLACEHOLDER (c))
    return OMP_CLAUSE_REDUCTION_DECL_PLACEHOLDER (c)
	     ? "a declared reduction of an array section"
	     : code_why_not (c, plain);
  tree element = element_type (c, type);
  return !INTEGRAL_TYPE_P (element) && !SCALAR_FLOAT_TYPE_P (element)
	     && TREE_CODE (element) != COMPLEX_TYPE
	   ? "the type of a reduction"
	   : NULL;
}

/* ---- Statements ---- */

/* A loop that is open.  */
struct counting
{
  tree i, test, done;
};

/* Add to SEQ the start of a loop over 0 to N - 1; N is unsigned int.  */
static void
count_open (counting *l, tree n, gimple_seq *seq)
{
  tree u = unsigned_type_node, body = code_label ();
  l->i = code_temp (u, "i");
  l->test = code_label ();
  l->done = code_label ();
  code_set (l->i, build_zero_cst (u), seq);
  code_add_label (l->test, seq);
  code_add_branch (LT_EXPR, l->i, n, body, l->done, seq);
  code_add_label (body, seq);
}

static void
count_close (const counting *l, gimple_seq *seq)
{
  tree u = unsigned_type_node;
  code_set (l->i, fold_build2 (PLUS_EXPR, u, l->i, build_one_cst (u)), seq);
  code_add_goto (l->test, seq);
  code_add_label (l->done, seq);
}

/* Element I of the variable OBJECT, elements of TYPE.  */
static tree
element (tree object, tree type, tree i, gimple_seq *seq)
{
  tree way = fold_build2 (MULT_EXPR, sizetype, fold_convert (sizetype, i),
			  fold_convert (sizetype, TYPE_SIZE_UNIT (type)));
  tree address = build_fold_addr_expr_with_type (object, ptr_type_node);
  address = code_value (fold_build_pointer_plus (address, way), "element",
			seq);
  return build2 (MEM_REF, type, address, build_int_cst (ptr_type_node, 0));
}

/* How many there are.  */
static tree
elements (tree object, tree type)
{
  return build_int_cst (unsigned_type_node,
			tree_to_uhwi (TYPE_SIZE_UNIT (TREE_TYPE (object)))
			  / tree_to_uhwi (TYPE_SIZE_UNIT (type)));
}

/* A variable of TYPE in memory.  */
static tree
memory (tree type, const char *name)
{
  tree var = create_tmp_var_raw (TYPE_MAIN_VARIANT (type), name);
  TREE_ADDRESSABLE (var) = 1;
  SET_DECL_ALIGN (var, MAX (DECL_ALIGN (var), 32));
  gimple_add_tmp_var (var);
  return var;
}

/* ---- What the clause says ---- */

/* Add to SEQ a copy of CODE, statements of the declared reduction of P, about
   the variables IN and OUT, which may be NULL.  */
static void
add_code (const spmd_private *p, gimple_seq code, tree in, tree out,
	  gimple_seq *seq)
{
  tree placeholder = OMP_CLAUSE_REDUCTION_PLACEHOLDER (p->reduction);
  struct { tree var, object; } parts[]
    = { { p->var, in }, { placeholder, out } };
  spmd_sharing sharing;
  gimple_seq back = NULL;
  for (unsigned i = 0; i < ARRAY_SIZE (parts); i++)
    {
      spmd_private q = {};
      tree object = parts[i].object;
      if (!object)
	continue;
      q.var = parts[i].var;
      if (POINTER_TYPE_P (TREE_TYPE (q.var))
	  && !useless_type_conversion_p (TREE_TYPE (q.var),
					 TREE_TYPE (object)))
	q.own = code_value (fold_convert (TREE_TYPE (q.var),
					  build_fold_addr_expr (object)),
			    "reference", seq);
      else if (is_gimple_reg_type (TREE_TYPE (object)))
	{
	  /* The statements take it for a register.  */
	  q.own = code_temp (TYPE_MAIN_VARIANT (TREE_TYPE (object)), "value");
	  TREE_ADDRESSABLE (q.own) = TREE_ADDRESSABLE (q.var);
	  code_set (q.own, object, seq);
	  code_set (object, q.own, &back);
	}
      else
	q.own = object;
      sharing.privates.safe_push (q);
    }
  gimple_seq_add_seq (seq, spmd_copy (&sharing, code));
  gimple_seq_add_seq (seq, back);
}

void
spmd_start_object (const spmd_private *p, tree object, gimple_seq *seq)
{
  tree c = p->reduction;
  if (OMP_CLAUSE_REDUCTION_PLACEHOLDER (c))
    {
      add_code (p, OMP_CLAUSE_REDUCTION_GIMPLE_INIT (c), object, NULL_TREE,
		seq);
      return;
    }
  tree type = element_type (c, TREE_TYPE (object));
  counting l;
  if (is_gimple_reg_type (TREE_TYPE (object)))
    {
      code_set (object, omp_reduction_init (c, type), seq);
      return;
    }
  count_open (&l, elements (object, type), seq);
  code_set (element (object, type, l.i, seq), omp_reduction_init (c, type),
	    seq);
  count_close (&l, seq);
}

/* Add to SEQ: OUT becomes OUT and IN combined.  */
static void
merge (const spmd_private *p, tree out, tree in, gimple_seq *seq)
{
  tree c = p->reduction;
  if (OMP_CLAUSE_REDUCTION_PLACEHOLDER (c))
    {
      add_code (p, OMP_CLAUSE_REDUCTION_GIMPLE_MERGE (c), in, out, seq);
      return;
    }
  tree type = TYPE_MAIN_VARIANT (element_type (c, TREE_TYPE (out)));
  counting l;
  count_open (&l, elements (out, type), seq);
  tree to = element (out, type, l.i, seq);
  tree a = code_temp (type, "a"), b = code_temp (type, "b");
  code_set (a, to, seq);
  code_set (b, element (in, type, l.i, seq), seq);
  code_set (unshare_expr (to), spmd_combine (c, a, b), seq);
  count_close (&l, seq);
}

/* ---- Bringing together ---- */

/* In which an object of that size is exchanged.  */
static tree
word_type (tree object)
{
  return tree_to_uhwi (TYPE_SIZE_UNIT (TREE_TYPE (object))) % 4
	   ? unsigned_char_type_node
	   : unsigned_type_node;
}

/* Add to SEQ: all lanes' MINE become that of the warp, by way of OTHER.  */
static void
merge_lanes (const spmd_private *p, tree mine, tree other, gimple_seq *seq)
{
  tree u = unsigned_type_node, word = word_type (mine);
  tree way = code_temp (u, "way");
  tree test = code_label (), body = code_label (), done = code_label ();
  code_set (way, build_int_cst (u, SPMD_WARP / 2), seq);
  code_add_label (test, seq);
  code_add_branch (NE_EXPR, way, build_zero_cst (u), body, done, seq);
  code_add_label (body, seq);
  counting l;
  count_open (&l, elements (mine, word), seq);
  tree value = code_temp (u, "word");
  code_set (value, fold_convert (u, element (mine, word, l.i, seq)), seq);
  code_set (element (other, word, l.i, seq),
	    fold_convert (word, spmd_shuffle ("bfly", value, way, seq)), seq);
  count_close (&l, seq);
  merge (p, mine, other, seq);
  code_set (way, fold_build2 (RSHIFT_EXPR, u, way, build_one_cst (u)), seq);
  code_add_goto (test, seq);
  code_add_label (done, seq);
}

/* Add to SEQ: MINE of the first warp becomes that of all warps of BLOCK.  */
static void
merge_warps (const spmd_private *p, tree mine, tree other,
	     const spmd_group *block, gimple_seq *seq)
{
  tree u = unsigned_type_node, word = word_type (mine);
  tree size = build_int_cst (u, SPMD_WARP), rank = block->rank;
  tree warps = code_value (fold_build2 (TRUNC_DIV_EXPR, u, block->size, size),
			   "warps", seq);
  tree warp = code_value (fold_build2 (TRUNC_DIV_EXPR, u, rank, size), "warp",
			  seq);
  tree lane = code_value (fold_build2 (TRUNC_MOD_EXPR, u, rank, size), "lane",
			  seq);
  counting l;
  count_open (&l, elements (mine, word), seq);
  tree leader = code_label (), stored = code_label (), one = code_label (),
       taken = code_label (), first = code_label (), fresh = code_label (),
       ready = code_label (), done = code_label ();
  code_add_branch (EQ_EXPR, lane, build_zero_cst (u), leader, stored, seq);
  code_add_label (leader, seq);
  code_set (spmd_slot (word, warp, seq), element (mine, word, l.i, seq), seq);
  code_add_label (stored, seq);
  spmd_meet (block, seq);
  code_add_branch (LT_EXPR, rank, warps, one, taken, seq);
  code_add_label (one, seq);
  code_set (element (mine, word, l.i, seq), spmd_slot (word, rank, seq), seq);
  code_add_label (taken, seq);
  spmd_meet (block, seq);
  count_close (&l, seq);

  code_add_branch (LT_EXPR, rank, size, first, done, seq);
  code_add_label (first, seq);
  code_add_branch (GE_EXPR, rank, warps, fresh, ready, seq);
  code_add_label (fresh, seq);
  spmd_start_object (p, mine, seq);
  code_add_label (ready, seq);
  merge_lanes (p, mine, other, seq);
  code_add_label (done, seq);
}

/* The variable that P stands for.  */
static tree
original (const spmd_private *p, gimple_seq *seq)
{
  tree base, type = TREE_TYPE (OMP_CLAUSE_DECL (p->reduction));
  HOST_WIDE_INT bias;
  if (p->by_reference && !p->section)
    return build_simple_mem_ref (p->var);
  if (!p->section)
    return p->var;
  section_parts (p->reduction, &base, &bias);
  if (TREE_CODE (base) == ADDR_EXPR)
    base = spmd_address_of (p->var, seq);
  base = code_value (fold_convert (ptr_type_node, base), "base", seq);
  return build2 (MEM_REF, type, base, build_int_cst (ptr_type_node, bias));
}

/* Add to SEQ: the variable of P becomes that and MINE combined, by way of
   OTHER.  */
static void
update (const spmd_private *p, tree mine, tree other, gimple_seq *seq)
{
  code_set (other, original (p, seq), seq);
  merge (p, other, mine, seq);
  code_set (original (p, seq), other, seq);
}

/* A thread's partial result for P.  */
static tree
partial (const spmd_private *p, gimple_seq *seq)
{
  tree type = TREE_TYPE (p->value), base;
  HOST_WIDE_INT bias = 0;
  bool part = p->section && section_parts (p->reduction, &base, &bias)
	      && TREE_CODE (base) == ADDR_EXPR;
  if (part)
    type = TREE_TYPE (OMP_CLAUSE_DECL (p->reduction));
  tree mine = memory (type, "partial"), own = p->value;
  if (part)
    {
      TREE_ADDRESSABLE (own) = 1;
      base = build_fold_addr_expr_with_type (own, ptr_type_node);
      own = build2 (MEM_REF, type, code_value (base, "own", seq),
		    build_int_cst (ptr_type_node, bias));
    }
  code_set (mine, own, seq);
  return mine;
}

void
spmd_merge_object (const spmd_private *p, gimple_seq *seq)
{
  tree mine = partial (p, seq);
  update (p, mine, memory (TREE_TYPE (mine), "other"), seq);
}

void
spmd_reduce_object (const spmd_private *p, const spmd_group *block,
		    gimple_seq *seq)
{
  tree u = unsigned_type_node, size = build_int_cst (u, SPMD_WARP);
  tree mine = partial (p, seq), other = memory (TREE_TYPE (mine), "other");
  tree lanes = code_label (), warps = code_label (), some = code_label (),
       result = code_label (), turn = code_label (), next = code_label ();
  code_add_branch (GE_EXPR, block->size, size, lanes, result, seq);
  code_add_label (lanes, seq);
  merge_lanes (p, mine, other, seq);
  code_add_goto (some, seq);
  code_add_label (some, seq);
  code_add_branch (GT_EXPR, block->size, size, warps, result, seq);
  code_add_label (warps, seq);
  merge_warps (p, mine, other, block, seq);
  code_add_label (result, seq);

  tree alone = fold_build2 (LT_EXPR, boolean_type_node, block->size, size);
  tree turns = code_value (fold_build3 (COND_EXPR, u, alone, size,
					build_one_cst (u)),
			   "turns", seq);
  counting l;
  count_open (&l, turns, seq);
  code_add_branch (EQ_EXPR, block->rank, l.i, turn, next, seq);
  code_add_label (turn, seq);
  spmd_lock (seq);
  update (p, mine, other, seq);
  spmd_unlock (seq);
  code_add_label (next, seq);
  count_close (&l, seq);
}

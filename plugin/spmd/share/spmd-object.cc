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

   Needs: spmd_object_why_not to be NULL.  Keeps: each thread's partial
   result until it is merged.  Breaks: the order of a reduction.
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
  /* They are for an SPMD kernel.  */
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
static val
elements (tree object, tree type)
{
  return u32 (tree_to_uhwi (TYPE_SIZE_UNIT (TREE_TYPE (object)))
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
  code to = seq;
  if (is_gimple_reg_type (TREE_TYPE (object)))
    to.set (object, omp_reduction_init (c, type));
  else
    to.times_ (elements (object, type), [&] (val i) {
      to.set (element (object, type, i, to), omp_reduction_init (c, type));
    });
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
  code to = seq;
  to.times_ (elements (out, type), [&] (val i) {
    tree result = element (out, type, i, to);
    val a = to.var (type, "a"), b = to.var (type, "b");
    to.set (a, result);
    to.set (b, element (in, type, i, to));
    to.set (unshare_expr (result), spmd_combine (c, a, b));
  });
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

/* Add to C: all lanes' MINE become that of the warp, by way of OTHER.  */
static void
merge_lanes (const spmd_private *p, tree mine, tree other, code c)
{
  tree u = unsigned_type_node, word = word_type (mine);
  val way = c.var (u, "way", SPMD_WARP / 2);
  c.while_ (way != 0, [&] {
    c.times_ (elements (mine, word), [&] (val i) {
      val value = c.var (u, "word");
      c.set (value, val (element (mine, word, i, c)).as (u));
      val its = spmd_shuffle ("bfly", value, way, c);
      c.set (element (other, word, i, c), its.as (word));
    });
    merge (p, mine, other, c);
    c.set (way, way >> 1);
  });
}

/* Add to C: MINE of the first warp becomes that of all warps of BLOCK.  */
static void
merge_warps (const spmd_private *p, tree mine, tree other,
	     const spmd_group *block, code c)
{
  tree word = word_type (mine);
  val rank = block->rank;
  val warps = c.let ("warps", val (block->size) / SPMD_WARP);
  val warp = c.let ("warp", rank / SPMD_WARP);
  val lane = c.let ("lane", rank % SPMD_WARP);
  c.times_ (elements (mine, word), [&] (val i) {
    c.if_ (lane == 0, [&] {
      tree own = element (mine, word, i, c);
      c.set (spmd_slot (word, warp, c), own);
    });
    spmd_meet (block, c);
    c.if_ (rank < warps, [&] {
      tree of_warp = spmd_slot (word, rank, c);
      c.set (element (mine, word, i, c), of_warp);
    });
    spmd_meet (block, c);
  });
  c.if_ (rank < SPMD_WARP, [&] {
    c.if_ (rank >= warps, [&] { spmd_start_object (p, mine, c); });
    merge_lanes (p, mine, other, c);
  });
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
  code c = seq;
  val size = block->size;
  tree mine = partial (p, seq), other = memory (TREE_TYPE (mine), "other");
  c.if_ (size >= SPMD_WARP, [&] {
    merge_lanes (p, mine, other, c);
    c.if_ (size > SPMD_WARP,
	   [&] { merge_warps (p, mine, other, block, c); });
  });
  /* One after the other: the first of the block, or all when it is no group.  */
  val turns = c.let ("turns", select (size < SPMD_WARP, u32 (SPMD_WARP), 1));
  c.times_ (turns, [&] (val i) {
    c.if_ (val (block->rank) == i, [&] {
      spmd_lock (c);
      update (p, mine, other, c);
      spmd_unlock (c);
    });
  });
}

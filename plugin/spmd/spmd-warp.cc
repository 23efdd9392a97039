/* What the lanes of a warp do together, and other instructions that GIMPLE has
   no statements for.

   Needs: whole warps.  Breaks: nothing.
   Source: PTX ISA, shfl.sync, vote.sync, bar.warp.sync.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"
#include "internal-fn.h"

static tree
operand (const char *constraint, tree value)
{
  return build_tree_list (build_tree_list (NULL_TREE,
					   build_string (strlen (constraint),
							 constraint)),
			  value);
}

void
spmd_add_asm (const char *text, tree output, tree input0, tree input1,
	      gimple_seq *seq, tree input2)
{
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL, *clobbers = NULL;
  if (output)
    vec_safe_push (outputs, operand ("=r", output));
  else
    vec_safe_push (clobbers, build_tree_list (NULL_TREE,
					      build_string (6, "memory")));
  if (input0)
    vec_safe_push (inputs, operand ("r", input0));
  if (input1)
    vec_safe_push (inputs, operand ("r", input1));
  if (input2)
    vec_safe_push (inputs, operand ("r", input2));
  gasm *stmt = gimple_build_asm_vec (text, inputs, outputs, clobbers, NULL);
  gimple_asm_set_volatile (stmt, true);
  gimple_seq_add_stmt (seq, stmt);
}

void
spmd_meet_warp (gimple_seq *seq)
{
  spmd_add_asm ("bar.warp.sync -1;", NULL_TREE, NULL_TREE, NULL_TREE, seq);
}

void
spmd_stay_one (gimple_seq *seq)
{
  tree kind = build_int_cst (integer_type_node, IFN_UNIQUE_UNSPEC);
  gimple_seq_add_stmt (seq, gimple_build_call_internal (IFN_UNIQUE, 1, kind));
}

tree
spmd_ballot (tree value, gimple_seq *seq)
{
  static const char vote[]
    = "{\n\t.reg .pred %%%%acr_p;\n\tsetp.ne.u%d %%%%acr_p, %%1, 0;\n\t"
      "vote.sync.ballot.b32 %%0, %%%%acr_p, -1;\n\t}";
  tree lanes = code_temp (unsigned_type_node, "lanes");
  char *text = xasprintf (vote, (int) TYPE_PRECISION (TREE_TYPE (value)));
  spmd_add_asm (text, lanes, value, NULL_TREE, seq);
  free (text);
  return lanes;
}

tree
spmd_shuffle (const char *mode, tree value, tree lane, gimple_seq *seq)
{
  static const char narrow[] = "shfl.sync.%s.b32 %%0, %%1, %%2, %d, -1;";
  static const char wide[]
    = "{\n\t.reg .b32 %%%%acr_l, %%%%acr_h;\n\t"
      "mov.b64 {%%%%acr_l, %%%%acr_h}, %%1;\n\t"
      "shfl.sync.%s.b32 %%%%acr_l, %%%%acr_l, %%2, %d, -1;\n\t"
      "shfl.sync.%s.b32 %%%%acr_h, %%%%acr_h, %%2, %d, -1;\n\t"
      "mov.b64 %%0, {%%%%acr_l, %%%%acr_h};\n\t}";
  tree its = code_temp (TREE_TYPE (value), "its");
  int last = strcmp (mode, "up") == 0 ? 0 : SPMD_WARP - 1;
  char *text = tree_int_cst_equal (TYPE_SIZE_UNIT (TREE_TYPE (value)),
				   size_int (8))
		 ? xasprintf (wide, mode, last, mode, last)
		 : xasprintf (narrow, mode, last);
  spmd_add_asm (text, its, value, lane, seq);
  free (text);
  return its;
}

tree
spmd_sum_up (tree value, gimple_seq *seq)
{
  tree sum = value;
  for (int way = 1; way < SPMD_WARP; way *= 2)
    {
      tree next = code_temp (uint64_type_node, "sum");
      spmd_add_asm ("{\n\t.reg .b32 %%acr_l, %%acr_h, %%acr_a, %%acr_b;\n\t"
		    ".reg .b64 %%acr_w;\n\t.reg .pred %%acr_p;\n\t"
		    "mov.b64 {%%acr_l, %%acr_h}, %1;\n\t"
		    "shfl.sync.up.b32 %%acr_a|%%acr_p, %%acr_l, %2, 0, -1;\n\t"
		    "shfl.sync.up.b32 %%acr_b, %%acr_h, %2, 0, -1;\n\t"
		    "mov.b64 %%acr_w, {%%acr_a, %%acr_b};\n\t"
		    "mov.b64 %0, %1;\n\t"
		    "@%%acr_p add.u64 %0, %0, %%acr_w;\n\t}",
		    next, sum, build_int_cst (unsigned_type_node, way), seq);
      sum = next;
    }
  return sum;
}

tree
spmd_special_register (const char *reg, gimple_seq *seq)
{
  tree value = code_temp (unsigned_type_node, reg);
  char *text = xasprintf ("mov.u32 %%0, %%%%%s;", reg);
  tree constraint = build_tree_list (NULL_TREE, build_string (3, "=r"));
  vec<tree, va_gc> *outputs = NULL;
  vec_safe_push (outputs, build_tree_list (constraint, value));
  gasm *stmt = gimple_build_asm_vec (text, NULL, outputs, NULL, NULL);
  free (text);
  gimple_asm_set_volatile (stmt, false);
  gimple_seq_add_stmt (seq, stmt);
  return value;
}

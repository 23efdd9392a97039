/* Threads that collect launches together: what they read and count, and how they
   wait for each other.

   Source: El Hajj et al., KLAP (MICRO 2016), section II.B; PTX ISA, barrier and
   bar.warp.sync.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested-collect.h"

tree
nested_setting_word (tree i)
{
  static tree settings;
  if (!settings)
    settings = nested_device_array (ACR_NEST_SETTINGS, ACR_NEST_WORDS, false);
  return build4 (ARRAY_REF, uint64_type_node, settings, i, NULL_TREE,
		 NULL_TREE);
}

tree
nested_setting (enum acr_nest_setting i, gimple_seq *seq)
{
  return code_value (nested_setting_word (u32 (i)), "setting", seq);
}

tree
nested_form_setting (const nested_collection *c, enum acr_nest_form_word i,
		     gimple_seq *seq)
{
  tree at = binary (MULT_EXPR, c->form, u32 (ACR_NEST_FORM_WORDS));
  at = binary (PLUS_EXPR, at, u32 (ACR_NEST_SETTING_FORMS + i));
  at = code_value (at, "at", seq);
  return code_value (nested_setting_word (at), "setting", seq);
}

void
nested_meet (const nested_collection *c, gimple_seq *seq)
{
  spmd_meet (&c->group, seq);
  spmd_meet_warp (seq);
}

tree
nested_add_together (const nested_collection *c, const nested_store *s,
		     const nested_queue *q, tree add, gimple_seq *seq)
{
  tree n = uint64_type_node, lanes = spmd_ballot (add, seq);
  tree base = code_temp (n, "base"), upto = code_temp (n, "upto");
  tree several = code_label (), one = code_label (), others = code_label (),
       none = code_label ();
  code_set (base, u64 (0), seq);
  code_set (upto, add, seq);
  nested_only_if (NE_EXPR, lanes, u32 (0), none, seq);
  tree rest = binary (BIT_AND_EXPR, lanes,
		      binary (MINUS_EXPR, lanes, u32 (1)));
  code_add_branch (NE_EXPR, code_value (rest, "rest", seq), u32 (0), several,
		   one, seq);
  code_add_label (several, seq);
  code_set (upto, spmd_sum_up (add, seq), seq);
  code_add_label (one, seq);
  /* The last of them has the sum of all.  */
  tree last = code_temp (unsigned_type_node, "last");
  spmd_add_asm ("bfind.u32 %0, %1;", last, lanes, NULL_TREE, seq);
  nested_only_if (EQ_EXPR, c->lane, last, others, seq);
  code_set (base, nested_add (s, q, upto, seq), seq);
  code_add_label (others, seq);
  code_set (base, spmd_shuffle ("idx", base, last, seq), seq);
  code_add_label (none, seq);
  tree old = binary (PLUS_EXPR, base, upto);
  return code_value (binary (MINUS_EXPR, old, add), "old", seq);
}

tree
nested_one_launch (const nested_store *s, tree total)
{
  return binary (PLUS_EXPR, u64 (HOST_WIDE_INT_1U << s->total_bits), total);
}

void
nested_copy_fields (const nested_launch *l, tree from, tree to,
		    gimple_seq *seq)
{
  for (unsigned j = 0; j < l->fields.length (); j++)
    {
      tree type = TREE_TYPE (l->fields[j].var);
      tree field = code_value (nested_field_at (type, from, j), "field", seq);
      code_set (nested_field_at (type, to, j), field, seq);
    }
}

tree
nested_mail (const nested_launches *launches, gimple_seq *seq)
{
  const nested_store *s = &launches->collection->near;
  unsigned i = launches->all.length () + HEAD_MAIL;
  return nested_word (s, uint64_type_node, unshare_expr (s->queues[i].head),
		      seq);
}

tree
nested_device_form (gimple_seq *seq)
{
  tree form = code_temp (uint64_type_node, "form");
  spmd_add_asm ("{\n\t.reg .b64 %%acr_form;\n\tmov.b64 %%acr_form, 0;\n\t"
		ACR_NEST_FORM_MARK "\tmov.b64 %0, %%acr_form;\n\t}",
		form, NULL_TREE, NULL_TREE, seq);
  return form;
}

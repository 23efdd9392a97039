/* Threads that collect launches together: what they read and count, and how they
   wait for each other.

   Source: El Hajj et al., KLAP (MICRO 2016), section II.B; PTX ISA, barrier and
   bar.warp.sync.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/collect/nested-collect.h"

val
nested_setting_word (val i)
{
  static tree settings;
  if (!settings)
    settings = nested_device_array (ACR_NEST_SETTINGS, ACR_NEST_WORDS, false);
  return build4 (ARRAY_REF, uint64_type_node, settings, i.t, NULL_TREE,
		 NULL_TREE);
}

val
nested_setting (enum acr_nest_setting i, code c)
{
  return c.let ("setting", nested_setting_word (u32 (i)));
}

val
nested_form_setting (const nested_collection *of, enum acr_nest_form_word i,
		     code c)
{
  val form = of->form * ACR_NEST_FORM_WORDS;
  val at = c.let ("at", form + (ACR_NEST_SETTING_FORMS + i));
  return c.let ("setting", nested_setting_word (at));
}

void
nested_count_executed (const nested_collection *of, enum acr_nest_setting i,
		       val count, val total, val rank, code c)
{
  tree end = code_label ();
  /* The same for all threads of the block.  */
  c.need (c.let ("counts", of->shared & ACR_NEST_SHARED_COUNTS) != 0, end);
  c.if_ (rank == 0, [&] {
    val some = count.as (uint64_type_node) * NESTED_CHILD_WORK;
    val counter = nested_setting_word (u32 (i));
    c.fetch_add (NULL_TREE, build_fold_addr_expr (counter.t),
		 c.let ("some", some + total));
  });
  spmd_meet_warp (c);
  c.at (end);
}

val
nested_device_form (code c)
{
  val form = c.var (uint64_type_node, "form");
  spmd_add_asm ("{\n\t.reg .b64 %%acr_form;\n\tmov.b64 %%acr_form, 0;\n\t"
		ACR_NEST_FORM_MARK "\tmov.b64 %0, %%acr_form;\n\t}",
		form, NULL_TREE, NULL_TREE, c);
  return form;
}

void
nested_meet (const nested_collection *of, code c)
{
  spmd_meet (&of->group, c);
  spmd_meet_warp (c);
}

val
nested_add_together (const nested_collection *of, const nested_store *s,
		     const nested_queue *q, val add, code c)
{
  tree n = uint64_type_node;
  val lanes = spmd_ballot (add, c);
  val base = c.var (n, "base"), upto = c.var (n, "upto");
  c.set (base, 0);
  c.set (upto, add);
  c.if_ (lanes != 0, [&] {
    val rest = c.let ("rest", lanes & (lanes - 1));
    c.if_ (rest != 0, [&] { c.set (upto, spmd_sum_up (add, c)); });
    /* The last of them has the sum of all.  */
    val last = c.var (unsigned_type_node, "last");
    spmd_add_asm ("bfind.u32 %0, %1;", last, lanes, NULL_TREE, c);
    c.if_ (of->lane == last, [&] { c.set (base, nested_add (s, q, upto, c)); });
    c.set (base, spmd_shuffle ("idx", base, last, c));
  });
  return c.let ("old", base + upto - add);
}

val
nested_one_launch (const nested_store *s, val total)
{
  return u64 (HOST_WIDE_INT_1U << s->total_bits) + total;
}

void
nested_copy_fields (const nested_launch *l, tree from, tree to, code c)
{
  for (unsigned j = 0; j < l->fields.length (); j++)
    {
      tree type = TREE_TYPE (l->fields[j].var);
      val field = c.let ("field", nested_field_at (type, from, j));
      c.set (nested_field_at (type, to, j), field);
    }
}

val
nested_mail (const nested_launches *launches, code c)
{
  const nested_store *s = &launches->collection->near;
  return nested_head (s, &s->queues[launches->all.length () + HEAD_MAIL], c);
}

/* What has been executed when a thread comes to a statement.

   The statements of a body stand in a row, with those inside of them; a thread goes
   from each to the next, or where it jumps to.  Inside of what need not be executed,
   a construct or a handler, it may also go to the end at once.

   Needs: GIMPLE before omp-low.
   Keeps: all code.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"

/* A place in the row: a statement, or NULL for the end of what need not be
   executed, to which the thread may go from PASSES.  */
struct order_place
{
  gimple *stmt;
  unsigned passes;
};

struct order_row
{
  auto_vec<order_place, 64> places;
  hash_map<tree, unsigned> labels;
  /* There are ways that are not known.  */
  bool unknown;
};

static void add_row (order_row *row, gimple_seq seq);

/* Add SEQ, which need not be executed.  */
static void
add_part (order_row *row, gimple_seq seq)
{
  unsigned begin = row->places.length ();
  row->places.safe_push ({ NULL, 0 });
  add_row (row, seq);
  row->places[begin].passes = row->places.length ();
  row->places.safe_push ({ NULL, 0 });
}

static void
add_inside (order_row *row, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
      add_row (row, gimple_bind_body (as_a<gbind *> (stmt)));
      return;
    case GIMPLE_TRY:
      if (gimple_try_kind (stmt) == GIMPLE_TRY_FINALLY)
	add_row (row, gimple_try_eval (stmt));
      else
	add_part (row, gimple_try_eval (stmt));
      add_part (row, gimple_try_cleanup (stmt));
      return;
    case GIMPLE_CATCH:
      add_part (row, gimple_catch_handler (as_a<gcatch *> (stmt)));
      return;
    case GIMPLE_EH_FILTER:
      add_part (row, gimple_eh_filter_failure (stmt));
      return;
    default:
      if (is_gimple_omp (stmt) && gimple_has_substatements (stmt))
	add_part (row, gimple_omp_body (stmt));
      else
	row->unknown |= gimple_has_substatements (stmt);
      return;
    }
}

static void
add_row (order_row *row, gimple_seq seq)
{
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      if (glabel *label = dyn_cast<glabel *> (stmt))
	row->labels.put (gimple_label_label (label), row->places.length ());
      row->unknown |= gimple_code (stmt) == GIMPLE_ASM
		      && gimple_asm_nlabels (as_a<gasm *> (stmt)) > 0;
      row->places.safe_push ({ stmt, 0 });
      add_inside (row, stmt);
    }
}

/* Add to NEXT the places that a thread may go to from place I of ROW.  */
static void
add_next (order_row *row, unsigned i, vec<unsigned> *next)
{
  gimple *stmt = row->places[i].stmt;
  unsigned n = 0;
  if (!stmt)
    {
      next->safe_push (i + 1);
      if (row->places[i].passes)
	next->safe_push (row->places[i].passes);
      return;
    }
  while (tree to = stmt_jump_target (stmt, n))
    {
      unsigned *label = row->labels.get (to);
      row->unknown |= !label;
      if (label)
	next->safe_push (*label);
      n++;
    }
  if (n == 0 && gimple_code (stmt) != GIMPLE_RETURN)
    next->safe_push (i + 1);
}

bool
nested_always_before_p (gimple_seq body, const gimple *first,
			const gimple *last)
{
  order_row row;
  row.unknown = false;
  add_row (&row, body);
  auto_sbitmap seen (row.places.length () + 1);
  bitmap_clear (seen);
  auto_vec<unsigned, 64> next;
  next.safe_push (0);
  bool met = false, other = false;
  while (!next.is_empty ())
    {
      unsigned i = next.pop ();
      if (i >= row.places.length () || bitmap_bit_p (seen, i))
	continue;
      bitmap_set_bit (seen, i);
      const gimple *stmt = row.places[i].stmt;
      met |= stmt && stmt == first;
      other |= stmt && stmt == last;
      if (!stmt || stmt != first)
	add_next (&row, i, &next);
    }
  return met && !other && !row.unknown;
}

/* Accesses of neighbouring threads that are far apart.

   Threads of a warp take neighbouring iterations of the innermost shared loop.
   Their accesses to memory are one when these lie side by side; where side by
   side lie those of another loop, that one had better be the innermost shared
   one.

   Needs: GIMPLE before omp-low.  Keeps: all code, and R.
   Source: NVIDIA, CUDA C++ Best Practices Guide, 9.2.1 (coalesced access).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice/advice.h"
#include "loop/loop.h"

/* Bytes between neighbours, from which on each thread's access is one of its
   own: a sector of the cache.  */
static const int far_apart = 32;

static bool
shared_p (const line_loop *loop)
{
  if (!loop->directive)
    return false;
  tree clauses = gimple_omp_for_clauses (loop->directive);
  return gimple_omp_for_kind (loop->directive) != GF_OMP_FOR_KIND_OACC_LOOP
	 || (!omp_find_clause (clauses, OMP_CLAUSE_SEQ)
	     && !omp_find_clause (clauses, OMP_CLAUSE_AUTO));
}

/* The innermost shared loop around A, or NULL.  */
static line_loop *
neighbours_loop (const line_access *a)
{
  line_loop *loop = a->in;
  while (loop && !shared_p (loop))
    loop = loop->outer;
  return loop;
}

/* The loop along which A's memory lies side by side, where that is another
   than X, in which neighbours are far apart; else NULL.  */
static line_loop *
better_loop (const line_access *a, const line_loop *x)
{
  HOST_WIDE_INT bytes;
  if (a->size <= 0 || !line_stride (a, x, &bytes) || bytes < far_apart)
    return NULL;
  for (line_loop *y = a->in; y; y = y->outer)
    if (y != x && line_movement (a, y) == MOVE_NEXT && !line_short_p (y))
      return y;
  return NULL;
}

static void
report (const region *r, const line_loop *x, const line_loop *y,
	const name_list &names)
{
  char *along = name_of_variable (y->index);
  char *over = name_of_variable (x->index);
  if (along && over && names.any ())
    {
      char *text = names.text ();
      remark_missed (r->loc,
		     "%s region: uncoalesced access to %s: neighbouring"
		     " threads differ in %s, but memory is contiguous along %s: make"
		     " the loop over %s the innermost parallel one\n",
		     construct_words (r->what), text, over, along, along);
      free (text);
    }
  free (along);
  free (over);
}

/* One remark for the loops of the first access that is uncoalesced, and all
   others like it.  */
static void
look_at (const line *l)
{
  const line_loop *x = NULL, *y = NULL;
  name_list names;
  for (unsigned i = 0; i < l->accesses.length (); i++)
    {
      const line_access *a = &l->accesses[i];
      const line_loop *over = neighbours_loop (a);
      const object *o = &l->r->objects[a->object];
      const line_loop *along
	= over && o->mapped ? better_loop (a, over) : NULL;
      if (!along || (x && (x != over || y != along)))
	continue;
      x = over;
      y = along;
      names.add (name_of_variable (o->name.var));
    }
  if (x)
    report (l->r, x, y, names);
}

void
advise_coalescing (region *r)
{
  /* The walk enters objects that are none of the region's.  */
  unsigned n = r->objects.length ();
  affine_reset ();
  line l = {};
  line_make_serial (&l, r);
  if (!l.broken)
    {
      flow_find (&l);
      look_at (&l);
    }
  line_release (&l);
  r->objects.truncate (n);
}

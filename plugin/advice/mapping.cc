/* How the loops of an SPMD kernel are shared out, in words.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice/mapping.h"
#include "advice/advice.h"

/* The indices of LOOP and what it collapses, in words, allocated: those that
   the source has.  */
static char *
indices (const gomp_for *loop)
{
  name_list names;
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    names.add (name_of_variable (gimple_omp_for_index (loop, i)));
  return names.text ();
}

char *
mapping_text (const spmd_loops &loops)
{
  const spmd_nest *nest = &loops[0]->nest;
  if (nest->once)
    return xstrdup ("one GPU thread executes it");
  if (loops.length () > 1)
    return xasprintf ("its %u loops, one after the other, are shared out among"
		      " all GPU threads",
		      loops.length ());
  char *names = indices (nest->loop);
  bool several = gimple_omp_for_collapse (nest->loop) > 1;
  char *text
    = xasprintf ("%s%s%s %s", several ? "the loops" : "the loop",
		 *names ? " over " : "", names,
		 nest->split
		   ? "is shared out among teams, those inside among their"
		     " threads"
		 : several ? "are shared out together among all GPU threads"
			   : "is shared out among all GPU threads");
  free (names);
  return text;
}

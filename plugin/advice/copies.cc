/* What a construct copies each way, by name, and what it does with that.

   Needs: the facts about R.  Keeps: all code.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice/advice.h"

/* What clause C of the source copies: a set of GOMP_MAP_FLAG_TO and _FROM.  */
static unsigned
ways_of (tree c)
{
  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_TO)
    return GOMP_MAP_FLAG_TO;
  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FROM)
    return GOMP_MAP_FLAG_FROM;
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP)
    return 0;
  unsigned kind = OMP_CLAUSE_MAP_KIND (c) & ~GOMP_MAP_FLAG_FORCE;
  if (GOMP_MAP_ALWAYS_P (kind))
    return (GOMP_MAP_ALWAYS_TO_P (kind) ? GOMP_MAP_FLAG_TO : 0)
	   | (GOMP_MAP_ALWAYS_FROM_P (kind) ? GOMP_MAP_FLAG_FROM : 0);
  return kind <= GOMP_MAP_TOFROM ? kind : 0;
}

/* Add to *TEXT, allocated, MARK where there is some, and WORDS with NAMES.  */
static void
add (char **text, const char *mark, const name_list &names, const char *words)
{
  if (!names.any ())
    return;
  char *list = names.text ();
  char *longer
    = concat (*text, **text ? mark : "", list, words, NULL);
  free (list);
  free (*text);
  *text = longer;
}

/* "a to the GPU and back, b to the GPU", or "nothing"; allocated.  */
static char *
copies (const region *r)
{
  name_list ways[GOMP_MAP_TOFROM + 1];
  for (tree c = gimple_omp_target_clauses (r->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (unsigned w = ways_of (c))
      ways[w].add (name_of_reference (OMP_CLAUSE_DECL (c)));
  char *text = xstrdup ("");
  add (&text, ", ", ways[GOMP_MAP_TOFROM], " to the GPU and back");
  add (&text, ", ", ways[GOMP_MAP_TO], " to the GPU");
  add (&text, ", ", ways[GOMP_MAP_FROM], " back");
  if (*text)
    return text;
  free (text);
  return xstrdup ("nothing");
}

/* Does a copy of R's depend on what is on the device?  */
static bool
where_absent_p (const region *r)
{
  int code = r->what->code;
  return code != GF_OMP_TARGET_KIND_UPDATE
	 && code != GF_OMP_TARGET_KIND_OACC_UPDATE
	 && code != GF_OMP_TARGET_KIND_EXIT_DATA
	 && code != GF_OMP_TARGET_KIND_OACC_EXIT_DATA;
}

void
copies_report (const region *r, const name_list &read, const name_list &unused)
{
  char *text = copies (r);
  bool any = strcmp (text, "nothing");
  if (any && where_absent_p (r))
    {
      char *longer = concat (text, " where absent", NULL);
      free (text);
      text = longer;
    }
  char *facts = xstrdup ("");
  add (&facts, "", read, " only read");
  add (&facts, "; ", unused, " not used");
  remark_done (r->loc, "%s region: copies %s%s%s\n",
	       construct_words (r->what), text, *facts ? "; " : "", facts);
  free (text);
  free (facts);
}

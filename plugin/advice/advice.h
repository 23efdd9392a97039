/* Remarks that say what to change in the source.

   All of it is done only where somebody asks for remarks, and changes no code.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_ADVICE_H
#define ACCRETE_ADVICE_H

#include "accrete.h"

/* Names, each once, in the order in which they came; not owned.  */
struct name_list
{
  auto_vec<char *> names;
  ~name_list ();
  /* Take NAME, allocated or NULL.  */
  void add (char *name);
  bool any () const { return !names.is_empty (); }
  /* "a, b and c", allocated.  */
  char *text () const;
};

/* copies.cc: say what R copies each way, and that of it READ is only read and
   UNUSED not used.  */
void copies_report (const region *r, const name_list &read,
		    const name_list &unused);

/* thread.cc: regions that one GPU thread executes.  */
void advise_one_thread (const region *r);

/* race.cc: mapped scalars that the threads of R take from each other.  */
void advise_race (const region *r);

/* coalesce.cc: accesses of neighbouring threads that are far apart.  */
void advise_coalescing (region *r);

/* around.cc: data that REGIONS of the function FUN move in each iteration of a
   host loop around them.  */
void advise_around (function *fun, const vec<region> &regions);

#endif /* ACCRETE_ADVICE_H */

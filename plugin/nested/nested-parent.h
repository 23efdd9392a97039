/* What the body of a parent does besides its children: whether a child may be
   launched at all, and whether the parent notices when.

   Needs: children that nested.cc has rewritten.  Keeps: everything.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_NESTED_PARENT_H
#define ACCRETE_NESTED_PARENT_H

#include "nested/nested.h"

/* The construct that INPLACE was, or NULL.  */
gomp_target *nested_child_of (const gimple *inplace);

/* Have parents in the function in work children?  Does one wait for its own?  */
bool nested_children_p (void);
bool nested_waits_p (void);

/* What the walk over a parent's body had met somewhere.  */
struct nested_parent_point
{
  unsigned found, looks, tells;
};

/* What the parent's body, besides the children, does.  */
struct nested_parent
{
  const spmd_sharing *sharing;
  /* Variables declared in it, those that may have the address of one that the
     thread has for itself; may anything else have one?  */
  hash_set<tree> declared, holders;
  bool escapes;
  /* Children that the walk has met; those met where nobody may leave are in
     BARRED as well.  */
  auto_vec<gimple *, 4> found, barred;
  unsigned closed;
  /* Calls of this function are like children.  */
  tree fn;
  /* Labels met, with how many children, looks at what another thread may set,
     and stores that it may look at, had been met before.  */
  hash_map<tree, nested_parent_point> labels;
  unsigned looks, tells;
  /* A loop looks.  */
  bool waits;
  /* Behind the children from this one on nothing is done; nothing that another
     thread may be waiting for.  */
  unsigned tail, silent;
  /* The region around, and its settings, or NULL.  */
  struct region *region;
  nested_settings *settings;
};

/* Does every thread that executes the body of P have VAR for itself?  */
bool nested_parent_own_p (nested_parent *p, tree var);

/* Look at BODY, of the parent P, whose variables SHARING tells.  */
void nested_look_at_parent (nested_parent *p, const spmd_sharing *sharing,
			    gimple_seq body);

/* Why child I of P may not be launched, or NULL.  */
const char *nested_parent_why_not (const nested_parent *p, unsigned i);

/* As one that holds the address of what its thread has for itself.  */
extern const char nested_takes_address[];

#endif /* ACCRETE_NESTED_PARENT_H */

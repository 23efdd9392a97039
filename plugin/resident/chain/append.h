/* Stores behind those of the rounds before: chain-append.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_APPEND_H
#define ACCRETE_APPEND_H

#include "resident/chain/chain.h"

/* A sum of terms and of what a thread has of its own, which is not in it.  */
struct append_sum
{
  auto_vec<chain_term> terms;
};

/* Stores to what POINTER leads to; what their addresses have in common.  */
struct append_window
{
  tree pointer;
  append_sum begin;
};

/* The code of a part, of which MOVING are numbers that depend on what is handed
   on.  */
struct append_code
{
  auto_vec<tree> moving;
  /* What is set in it; of that, what depends on MOVING.  */
  hash_set<tree> set;
  hash_map<tree, append_sum *> sums;
  /* What is known of what does not; that is used to guess where windows begin.  */
  hash_map<tree, append_sum *> others;
  auto_delete_vec<append_sum> owned;
  auto_delete_vec<append_window> windows;
  /* Stores, and their windows' numbers.  */
  hash_map<gimple *, unsigned> stores;

  /* Does the number T depend on MOVING, or is it one?  */
  bool moves_p (tree t);
};

/* Let A be SEQ.  False where that cannot be executed in advance.  */
bool append_find (append_code *a, gimple_seq seq);

/* What addresses of W have of VAR.  */
HOST_WIDE_INT append_factor (const append_window *w, tree var);

/* Are the windows of A, by the same MOVING, among those of C?  Then NUMBERS says which
   each is.  */
bool append_same_p (append_code *a, const chain *c, vec<unsigned> *numbers);

/* Add to C: SEQ, which is A, without stores; STRAYS becomes 1 where one is not in its
   window, from BEGIN on, SPAN bytes long.  */
void append_advance (append_code *a, gimple_seq *seq, const vec<val> &begin,
		     const vec<val> &span, tree strays, code c);

#endif /* ACCRETE_APPEND_H */

/* Chains: what the files chain*.cc and resident*.cc share of them.

   A chain is a resident loop whose rounds are executed by one block each, many
   rounds at a time: chain.cc finds what a round hands to the next one and what
   it may do before and behind that, chain-kernel.cc makes the kernel.
   docs/chain.md has the rule and its proof.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_CHAIN_H
#define ACCRETE_CHAIN_H

#include "resident/resident.h"

/* A region of a chain's loop.  */
struct chain_part
{
  /* It uses by value what rounds hand on; its result is combined with such a
     number; it touches memory that another round's may conflict with.  */
  bool uses = false, combines = false, ordered = false;
};

struct chain
{
  /* Numbers that depend on the results of earlier rounds where a round begins,
     and are used in it.  */
  auto_vec<tree> carried;
  /* Statements of the loop, by their places, that use or set one.  */
  hash_set<int_hash<unsigned, -1U, -2U> > points;
  /* The loop's regions, in its order.  */
  auto_vec<chain_part> parts;
  /* The statement of the loop behind which a round has nothing to hand on any
     more, or -1: at the next round's beginning only.  */
  int last = -1;
  /* The part that this is, or no part's number.  */
  unsigned last_part = -1U;
  /* Does a round hand on anything?  */
  bool hands_on = false;
  /* Rounds are apart if this is true in front of the loop.  */
  tree guard = NULL_TREE;
  /* Threads that a round has work for, at most.  */
  unsigned threads = 0;
  /* All that is handed on are numbers of 32 bits at the most, and no region is
     ordered: each number goes in one word with the round's.  */
  bool words = false;
  /* Elements of the state: what is handed on, CHAIN_SLOTS or CHAIN_WORDS of each
     number, and the blocks' results.  */
  unsigned slots = 0, results = 0;
};

enum
{
  CHAIN_SLOTS = 2,
  /* When a round stores its words, all threads of that whose words these were have
     read them: another round of their block has begun since.  */
  CHAIN_WORDS = ACR_CHAIN_BLOCKS + 2
};

/* How many elements of the state C has for what is handed on.  */
unsigned chain_slots (const chain *c);

/* Loops may become chains: -fplugin-arg-accrete-chain.  */
void chain_want (void);

/* What L would be as a chain, as far as its host's code says; NULL, and *WHY, where
   it is none.  To be called after host_loop_bar.  */
chain *chain_find (host_loop *l, const char **why);

/* How many elements of the state C has for itself.  */
unsigned chain_elements (const chain *c, const host_loop *l);

/* Is the construct of X, which stands for L and is R, a chain, as far as memory is
   concerned?  Then X->promoted says which; the result is NULL, or why not.  */
const char *chain_judge (resident *x, const host_loop *l, region *r);

/* The kernel of X, a chain, which is R: chain-kernel.cc.  */
gimple *chain_kernel (resident *x, region *r);

#endif /* ACCRETE_CHAIN_H */

/* Chains: what the files of this folder and resident*.cc share of them.

   A chain is a resident loop whose rounds are executed by one block each, many
   rounds at a time: chain-number.cc finds what a round hands to the next one, chain.cc
   what it may do before and behind that, chain-append.cc which stores rounds may make
   in any order if they find so themselves; chain-kernel.cc makes the kernel, and
   chain-hand.cc how its rounds hand on.  docs/chain.md has the rules and their
   proofs.

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
  /* It uses by value a number that depends on them.  */
  bool asks = false;
  /* Where it begins, what its round adds to what is handed on is known: the
     statements REST behind it have still to say so.  */
  bool settled = false;
  auto_vec<unsigned> rest;
};

/* A number that is, in a round, what carried[OF] is where the round begins, combined
   with something of the round's own.  */
struct chain_relative
{
  tree var;
  unsigned of;
};

/* FACTOR times VAR, a variable, or the address of one.  */
struct chain_term
{
  tree var;
  HOST_WIDE_INT factor;
};

/* Where the stores of a part to what POINTER leads to are to be in a round: BEGIN, of
   what variables are in round 0, and EACH bytes more for each round, and FACTOR for
   each that carried[OF] has become more; up to where that of the next round begins.  */
struct chain_window
{
  tree pointer;
  auto_vec<chain_term> begin;
  unsigned of = 0;
  HOST_WIDE_INT factor = 0, each = 0;
};

/* A number that is EACH more in each round than in the one before, modulo its
   width, from the second round on.  */
struct chain_step
{
  tree var;
  HOST_WIDE_INT each;
};

struct chain
{
  /* Numbers that depend on the results of earlier rounds where a round begins,
     and are used in it.  */
  auto_vec<tree> carried;
  /* Rounds only combine them, by these operations, with numbers of their own: they
     look back at what rounds before them add.  All numbers that depend on those.  */
  bool looks = false;
  auto_vec<tree_code> ops;
  auto_vec<chain_relative> relatives;
  /* Statements of the loop, by their places, that use or set one.  */
  hash_set<int_hash<unsigned, -1U, -2U> > points;
  /* The loop's regions, in its order.  */
  auto_delete_vec<chain_part> parts;
  /* The part that stores behind what the rounds before have stored, or no part's
     number; where.  Then the last number that is handed on says whether there was a
     round whose stores were not in its windows.  */
  unsigned appends = -1U;
  auto_delete_vec<chain_window> windows;
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
  /* No region is ordered: each half of a number goes in one word with the round's
     number.  */
  bool words = false;
  /* The loop's test, by its place, in front of which a block may leave out rounds of
     others, or -1: then STEPS is what is set instead.  */
  int skips = -1;
  auto_vec<chain_step> steps;
  /* The number that is tested: the test's first operand or its second one, to go on
     where it is in this relation to the other, by the first label or the second.  */
  chain_step counter = { NULL_TREE, 0 };
  bool counts_first = false, enters = false;
  tree_code goes_on = ERROR_MARK;
  /* Elements of the state: what is handed on, and the blocks' results.  */
  unsigned slots = 0, results = 0;
};

/* How many places there are for what is handed on; they are taken in turn.  */
enum
{
  CHAIN_SLOTS = 2,
  /* When a round stores its words, all threads of that whose words these were have
     read them: another round of their block has begun since.  */
  CHAIN_WORDS = ACR_CHAIN_BLOCKS + 2,
  /* The same where rounds look back (docs/chain.md).  */
  CHAIN_RING = 4 * ACR_CHAIN_BLOCKS,
  /* Numbers that rounds look back for, at the most.  */
  CHAIN_LOOKS = 16
};

/* Words for the number VAR.  */
static inline unsigned
chain_number_words (tree var)
{
  return tree_to_uhwi (TYPE_SIZE (TREE_TYPE (var))) > 32 ? 2 : 1;
}

/* And for all that C hands on.  */
unsigned chain_words (const chain *c);

/* How many elements of the state C has for what is handed on, and how many are kept
   for that before chain_judge.  */
unsigned chain_slots (const chain *c);
unsigned chain_reserved (const chain *c);

/* Loops become chains wherever they may: -fplugin-arg-accrete-chain.  */
void chain_want (void);

/* chain.cc: what L would be as a chain, as far as its host's code says; NULL, and *WHY, where
   it is none.  To be called after host_loop_bar.  */
chain *chain_find (host_loop *l, const char **why);

/* How many elements of the state C has for itself.  */
unsigned chain_elements (const chain *c, const host_loop *l);

/* Is the construct of X, which stands for L and is R, a chain, as far as memory is
   concerned?  Then X->promoted says which; the result is NULL, or why not.  */
const char *chain_judge (resident *x, const host_loop *l, region *r);

/* chain-number.cc: let C have what rounds of L hand on, and what uses or sets that.
   Why L is no chain, or NULL.  */
const char *chain_find_numbers (chain *c, host_loop *l);

/* The numbers that L sets and that are used from its statement AT on, before they are
   set.  */
void chain_used_at (host_loop *l, unsigned at, vec<tree> *vars);

/* Is each round one time through all of the loop's code?  */
bool chain_straight_p (const host_loop *l);

/* chain-skip.cc: find out whether blocks may leave out rounds of others.  */
void chain_find_skip (chain *c, host_loop *l);

/* Does control go from behind the statement LAST of L back to one from FIRST to
   it?  */
bool chain_comes_back_p (const host_loop *l, unsigned first, unsigned last);

/* The kernel of X, a chain, which is R: chain-kernel.cc.  */
gimple *chain_kernel (resident *x, region *r);

#endif /* ACCRETE_CHAIN_H */

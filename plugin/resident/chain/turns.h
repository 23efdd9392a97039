/* Rounds of a chain in its kernel: what chain-kernel.cc and chain-hand.cc share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TURNS_H
#define ACCRETE_TURNS_H

#include "resident/chain/chain.h"
#include "resident/kernel.h"

/* What a thread knows of rounds.  */
struct turns
{
  const resident *x;
  const chain *c;
  /* Its number in the block, the block's, and how many there are.  */
  val rank, block, blocks;
  /* The round in which the thread is; the block's next one, or this.  */
  val now, next;
  /* Is it the block's; has it still to take, or to hand on, what rounds do?  */
  val mine, takes, hands;
  /* What is handed on where the first round begins, if rounds look back.  */
  auto_vec<tree> first;
  /* Where a part stores behind what rounds before have stored: is all in its windows?
     Where those begin in round 0.  */
  val fine;
  auto_vec<val> begin;
};

/* Add to C: the threads of a block meet.  */
void turns_meet (code c);

/* What the numbers of R's chain that are handed on begin with, where rounds look
   back: nothing is combined with them yet.  */
tree turns_nothing (const turns *r, unsigned i);

/* Where a part of R's chain stores behind what rounds before have stored: has one of
   them, or this, stored outside its windows?  */
tree turns_strays (const turns *r);

/* Add to C: a round of this block waits for the one before, unless it has done so,
   and takes what that hands on.  Where rounds look back, statements REST of the round
   have still to be executed, and the round lets the next one go on, for all else that
   it adds is known; REST is NULL where it is not.  */
void turns_take (const turns *r, code c, const vec<unsigned> *rest);

/* Add to C: the same round lets the next one go on, unless it has done so.  */
void turns_hand (const turns *r, code c);

/* Add to C: SUMS are what is handed on when the statements REST have been executed as
   well, but for what comes from rounds before.  */
void turns_foresee (const turns *r, const vec<unsigned> &rest, vec<tree> *sums,
		    code c);

/* Add to C: all stores of the block's round are done, and others may know.  */
void turns_finish (const turns *r, code c);

/* Add to C: wait until all rounds before have finished, and see what they stored.  */
void turns_await_finished (const turns *r, code c);

/* Add to C, in front of the test of R's loop: a block leaves out the rounds of others
   between its own, which END_ROUND ends.  */
void turns_skip (const turns *r, code c, writer<> end_round);

#endif /* ACCRETE_TURNS_H */

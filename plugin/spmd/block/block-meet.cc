/* Barriers of a block whose threads execute parallel constructs.

   Where all threads of the block execute a construct, a barrier in it is one
   of the block.  Otherwise the others wait at its end; as lanes of one warp
   may be among both, they take part in every barrier and learn from it whether
   that was the last: those who end the construct say so.

   Needs: threads that come to a barrier in any order of lanes (sm_70).  Keeps:
   all else.
   Source: PTX ISA, barrier.sync and barrier.red; OpenMP 5.0, 2.17.2.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/block/block.h"

void
block_meet (gimple_seq *seq)
{
  spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE, seq);
}

/* Add to SEQ a barrier that is the last one of PARTY if LAST.  */
static void
meet (const block_party *party, bool last, gimple_seq *seq)
{
  if (!party->meets)
    {
      block_meet (seq);
      return;
    }
  spmd_add_asm ("{\n\t.reg .pred %%acr_p, %%acr_q;\n\t"
		"setp.ne.u32 %%acr_p, %0, 0;\n\t"
		"@%%acr_p barrier.sync 0;\n\t"
		"setp.ne.u32 %%acr_q, %1, 0;\n\t"
		"@!%%acr_p barrier.red.or.pred %%acr_q, 0, %%acr_q;\n\t}",
		NULL_TREE, party->whole, u32 (last), seq);
}

void
block_meet_party (const block_party *party, gimple_seq *seq)
{
  meet (party, false, seq);
}

void
block_end_party (const block_party *party, tree idle, gimple_seq *seq)
{
  code c = seq;
  if (!party->meets)
    {
      c.at (idle);
      block_meet (c);
      return;
    }
  tree done = code_label ();
  meet (party, true, c);
  c.go (done);
  c.at (idle);
  spmd_add_asm ("{\n\t.reg .pred %%acr_p;\n$acr_wait:\n\t"
		"setp.ne.u32 %%acr_p, %0, 0;\n\t"
		"barrier.red.or.pred %%acr_p, 0, %%acr_p;\n\t"
		"@!%%acr_p bra $acr_wait;\n\t}",
		NULL_TREE, u32 (0), NULL_TREE, c);
  c.at (done);
}

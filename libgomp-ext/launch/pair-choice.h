/* How two kernels on different streams may share the GPU, and ACCRETE_PAIR.

   Thread-safe: no state.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_PAIR_CHOICE_H
#define ACCRETE_PAIR_CHOICE_H

#include <stdbool.h>

enum acr_pair_choice
{
#define PAIR(id, word, first, second, room) ACR_PAIR_##id,
#include "launch/pair-choice.def"
  ACR_PAIR_CHOICES,
  /* Of two queues.  */
  ACR_PAIR_CHOICES_QUEUES = ACR_PAIR_SECOND_QUARTER
};

/* ACCRETE_PAIR.  */
enum acr_pair_word
{
  ACR_PAIR_WORD_OFF,
  ACR_PAIR_WORD_AUTO, /* measured */
  ACR_PAIR_WORD_PIN   /* and the choice */
};

/* Read ACCRETE_PAIR's value TEXT to *WORD; false, and *WORD as it was, when it
   is none.  */
bool acr_pair_word (const char *text, unsigned *word);

/* The value of ACCRETE_PAIR that stands for CHOICE.  */
const char *acr_pair_text (enum acr_pair_choice choice);

/* Quarters of a multiprocessor for the first or the SECOND of two with CHOICE;
   0: there is no limit.  */
unsigned acr_pair_quarters (enum acr_pair_choice choice, bool second);

/* Whether these are of the first one's blocks that are there at a time, not of all.  */
bool acr_pair_rooms (enum acr_pair_choice choice);

#endif /* ACCRETE_PAIR_CHOICE_H */

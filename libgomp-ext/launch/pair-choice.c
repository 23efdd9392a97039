/* How two kernels may share the GPU; see pair-choice.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/pair-choice.h"

#include <string.h>

static const struct
{
  const char *word;
  unsigned char quarters[2];
  bool room;
} choices[] = {
#define PAIR(id, word, first, second, room) { word, { first, second }, room },
#include "launch/pair-choice.def"
};

bool
acr_pair_word (const char *text, unsigned *word)
{
  if (!strcmp (text, "off"))
    *word = ACR_PAIR_WORD_OFF;
  else if (!strcmp (text, "auto"))
    *word = ACR_PAIR_WORD_AUTO;
  else
    {
      unsigned i = 0;
      while (i < ACR_PAIR_CHOICES && strcmp (text, choices[i].word))
        i++;
      if (i == ACR_PAIR_CHOICES)
        return false;
      *word = ACR_PAIR_WORD_PIN + i;
    }
  return true;
}

const char *
acr_pair_text (enum acr_pair_choice choice)
{
  return choices[choice].word;
}

unsigned
acr_pair_quarters (enum acr_pair_choice choice, bool second)
{
  return choices[choice].quarters[second];
}

bool
acr_pair_rooms (enum acr_pair_choice choice)
{
  return choices[choice].room;
}

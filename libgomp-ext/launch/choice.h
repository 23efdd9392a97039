/* Choices that were made by measurement, on disk (jit-disk.h): for the next
   time that a program of the same device code runs on such a GPU.

   A choice is a number out of a set; what it depends on is its key, compared
   as bytes.  What is damaged, or not out of that set, is not known.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_CHOICE_H
#define ACCRETE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

struct acr_choice_key
{
  char what[16];  /* is chosen, and a version of that; padded by 0 */
  uint64_t code;  /* hash of the kernel, all code and the GPU */
  uint64_t of[2]; /* anything else */
  uint64_t set;   /* bit N: N can be chosen */
};

/* What was chosen for KEY, to *CHOICE, when that is known.  */
bool acr_choice_find (const struct acr_choice_key *key, unsigned *choice);

/* CHOICE was made for KEY.  False when it cannot be kept.  */
bool acr_choice_keep (const struct acr_choice_key *key, unsigned choice);

#endif /* ACCRETE_CHOICE_H */

/* The words of ACCRETE_GEOMETRY.

   Thread-safe: no state.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GEOMETRY_WORD_H
#define ACCRETE_GEOMETRY_WORD_H

#include <stdbool.h>
#include <stddef.h>

enum
{
  ACR_WARP = 32,       /* threads */
  ACR_MAX_BLOCK = 1024 /* the same */
};

struct acr_word
{
  enum acr_word_what
  {
    ACR_WORD_PRINT,
    ACR_WORD_MODEL,
    ACR_WORD_ALL,
    ACR_WORD_PIN
  } what;
  const char *kernel; /* N bytes that its name starts with */
  size_t n;
  unsigned grid; /* 0: open */
  unsigned block, rows;
};

/* Read the word that *TEXT starts with, and go on to the next.  */
bool acr_word_take (const char **text, struct acr_word *w);

/* Is there a word in TEXT, or NULL, that is WHAT?  */
bool acr_word_has (const char *text, enum acr_word_what what);

/* The last word in TEXT, or NULL, that pins the geometry of KERNEL, in *W;
   false: there is none.  */
bool acr_word_pins (const char *text, const char *kernel, struct acr_word *w);

/* Threads along x of the blocks that W pins: whole warps.  */
unsigned acr_word_row (const struct acr_word *w);

/* Are there only words in TEXT?  */
bool acr_geometry_valid (const char *text);

#endif /* ACCRETE_GEOMETRY_WORD_H */

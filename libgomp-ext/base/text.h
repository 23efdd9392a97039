/* Text of PTX that is edited as it is loaded.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_TEXT_H
#define ACCRETE_TEXT_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What the line begins with in front of each part of a unit.  */
#define ACR_TEXT_PART "// BEGIN "

/* A unit in the making: owned text, or still the program's.  */
struct acr_text
{
  const char *p;
  size_t n;
  char *own;
  bool failed; /* for want of memory; then it is not edited any more */
};

/* As memmem, for long texts: where the N bytes at TEXT have WHAT, of K bytes, at least
   one, or NULL.  */
const char *acr_find (const char *text, size_t n, const char *what, size_t k);

/* Does the text from P to END begin with WITH?  */
static inline bool
acr_text_starts (const char *p, const char *end, const char *with)
{
  size_t n = strlen (with);
  return (size_t)(end - p) >= n && !memcmp (p, with, n);
}

/* May C be in the name of a function, a variable or a register?  */
static inline bool
acr_text_in_name (char c)
{
  return isalnum ((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* What is behind the block whose brace is at OPEN, or NULL when the block does not end
   before END.  */
const char *acr_text_block_end (const char *open, const char *end);

/* Where T has WHAT from FROM on, or NULL.  */
const char *acr_text_find (const struct acr_text *t, size_t from,
                           const char *what);

/* Put WITH in the place of the N bytes at AT of T.  */
void acr_text_splice (struct acr_text *t, const char *at, size_t n,
                      const char *with);

/* Replace WHAT by WITH in all of T from FROM.  */
void acr_text_replace (struct acr_text *t, size_t from, const char *what,
                       const char *with);

#endif /* ACCRETE_TEXT_H */

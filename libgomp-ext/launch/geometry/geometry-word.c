/* The words of ACCRETE_GEOMETRY; see geometry-word.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/geometry/geometry-word.h"

#include <string.h>

/* The number that *TEXT starts with, behind which it then stands; 0: none.  */
static unsigned
take_number (const char **text)
{
  unsigned n = 0;
  for (; **text >= '0' && **text <= '9' && n < 100000000; ++*text)
    n = 10 * n + (**text - '0');
  return n;
}

bool
acr_word_take (const char **text, struct acr_word *w)
{
  size_t n = strcspn (*text, ",");
  const char *end = *text + n, *equals = memchr (*text, '=', n);
  *w = (struct acr_word){ ACR_WORD_PIN, *text, 0, 0, 0, 1 };
  if (n == 5 && !memcmp (*text, "print", n))
    w->what = ACR_WORD_PRINT;
  else if (n == 5 && !memcmp (*text, "model", n))
    w->what = ACR_WORD_MODEL;
  else if (n == 3 && !memcmp (*text, "all", n))
    w->what = ACR_WORD_ALL;
  else
    {
      if (equals)
        {
          w->n = equals - *text;
          *text = equals + 1;
        }
      w->block = take_number (text);
      if (**text == 'x')
        {
          ++*text;
          w->grid = w->block;
          w->block = take_number (text);
        }
      if (**text == '*')
        {
          ++*text;
          w->rows = take_number (text);
        }
      if (*text != end || !w->block || !w->rows || w->rows > ACR_MAX_BLOCK)
        return false;
    }
  *text = end + (*end == ',');
  return true;
}

bool
acr_geometry_valid (const char *text)
{
  struct acr_word w;
  while (*text)
    if (!acr_word_take (&text, &w))
      return false;
  return true;
}

bool
acr_word_has (const char *text, enum acr_word_what what)
{
  struct acr_word w;
  while (text && *text)
    if (acr_word_take (&text, &w) && w.what == what)
      return true;
  return false;
}

bool
acr_word_pins (const char *text, const char *kernel, struct acr_word *w)
{
  bool pins = false;
  struct acr_word word;
  while (text && *text)
    if (acr_word_take (&text, &word) && word.what == ACR_WORD_PIN
        && !strncmp (kernel, word.kernel, word.n))
      {
        *w = word;
        pins = true;
      }
  return pins;
}

unsigned
acr_word_row (const struct acr_word *w)
{
  return (w->block + ACR_WARP - 1) / ACR_WARP * ACR_WARP;
}

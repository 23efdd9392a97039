/* Text of PTX that is edited as it is loaded; see text.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes side by side.  */
typedef signed char bytes __attribute__ ((vector_size (16)));
#define STEP (2 * sizeof (bytes))

/* Where the 16 bytes at P are C, each.  */
static inline bytes
are (const char *p, char c)
{
  bytes a;
  memcpy (&a, p, sizeof a);
  return a == (bytes){ 0 } + (signed char)c;
}

/* Whether WHAT, of K bytes, may begin at one of the 16 bytes from P on.  */
static inline bytes
may_begin (const char *p, const char *what, size_t k)
{
  return are (p, what[0]) & are (p + k - 1, what[k - 1]);
}

/* Where WHAT begins in a step from P on, or NULL.  */
static const char *
find_in_step (const char *p, const char *what, size_t k)
{
  for (unsigned j = 0; j < STEP; j++)
    if (p[j] == what[0] && !memcmp (p + j, what, k))
      return p + j;
  return NULL;
}

/* Many places at once: where the first and the last letter are right, the rest is
   looked at.  Device code is searched for a score of names before it is loaded, which
   took memmem, with two instructions a byte, longer than loading it.  */
const char *
acr_find (const char *text, size_t n, const char *what, size_t k)
{
  const char *p = text, *end = text + n, *found;
  for (; (size_t)(end - p) >= k + STEP; p += STEP)
    {
      bytes hit = may_begin (p, what, k)
                  | may_begin (p + sizeof (bytes), what, k);
      uint64_t any[sizeof hit / sizeof (uint64_t)];
      memcpy (any, &hit, sizeof any);
      if ((any[0] | any[1]) && (found = find_in_step (p, what, k)))
        return found;
    }
  return memmem (p, end - p, what, k);
}

const char *
acr_text_block_end (const char *open, const char *end)
{
  const char *p = open, *close;
  size_t depth = 0;
  do
    {
      if (!(close = memchr (p, '}', end - p)))
        return NULL;
      for (; open && open < close;
           open = memchr (open + 1, '{', end - open - 1))
        depth++;
      p = close + 1;
    }
  while (--depth);
  return p;
}

const char *
acr_text_find (const struct acr_text *t, size_t from, const char *what)
{
  return acr_find (t->p + from, t->n - from, what, strlen (what));
}

void
acr_text_splice (struct acr_text *t, const char *at, size_t n,
                 const char *with)
{
  size_t before = at - t->p, k = strlen (with);
  char *to = t->failed ? NULL : malloc (t->n - n + k);
  if (!to)
    {
      t->failed = true;
      return;
    }
  memcpy (to, t->p, before);
  memcpy (to + before, with, k);
  memcpy (to + before + k, at + n, t->n - before - n);
  free (t->own);
  t->p = t->own = to;
  t->n += k - n;
}

void
acr_text_replace (struct acr_text *t, size_t from, const char *what,
                  const char *with)
{
  size_t n = strlen (what), k = strlen (with);
  size_t most = k > n ? t->n / n * (k - n) : 0; /* that it grows by */
  const char *at, *rest = t->p;
  char *to = t->failed ? NULL : malloc (t->n + most), *out = to;
  if (!to)
    {
      t->failed = true;
      return;
    }
  for (; (at = acr_text_find (t, from, what)); rest = at + n, from = rest - t->p)
    out = mempcpy (mempcpy (out, rest, at - rest), with, k);
  out = mempcpy (out, rest, t->p + t->n - rest);
  free (t->own);
  t->p = t->own = to;
  t->n = out - to;
}

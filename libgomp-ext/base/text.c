/* Text of PTX that is edited as it is loaded; see text.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const char *
acr_text_find (const struct acr_text *t, size_t from, const char *what)
{
  return memmem (t->p + from, t->n - from, what, strlen (what));
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

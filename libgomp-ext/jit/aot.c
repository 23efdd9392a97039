/* Machine code that comes with a program; see aot.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/hash.h"
#include "jit/aot.h"
#include "jit/pack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "\n// ACCRETE-CODE 1 ";

enum
{
  COLUMNS = 1000
}; /* characters of a line */

uint64_t
acr_aot_hash (const struct acr_unit *u, unsigned n)
{
  uint64_t h = n;
  for (unsigned i = 0; i < n; i++)
    {
      h = acr_hash_word (h, u[i].bytes);
      h = acr_hash (h, u[i].code, u[i].bytes);
    }
  return h;
}

/* ---- Reading ----------------------------------------------------------- */

/* Machine code that a unit has.  */
struct code
{
  unsigned sm;  /* 90 */
  char variant; /* of that, 'a' or 'f', which runs there alone, or NUL */
  uint64_t hash;
  size_t bytes, packed;
  const char *text;
};

/* Where the next mark of U is from FROM on, or NULL.  */
static const char *
next_mark (const struct acr_unit *u, const char *from)
{
  return memmem (from, u->code + u->bytes - from, mark, sizeof mark - 1);
}

bool
acr_aot_is (const struct acr_unit *u)
{
  /* It is among the first lines.  */
  struct acr_unit first = { u->code, u->bytes < 500 ? u->bytes : 500 };
  return next_mark (&first, first.code);
}

struct acr_unit
acr_aot_start (const struct acr_unit *u)
{
  size_t n = next_mark (u, u->code) - u->code;
  return (struct acr_unit){ strndup (u->code, n), n + 1 };
}

/* Read the line at AT, a mark of U.  */
static bool
read_code (struct code *c, const struct acr_unit *u, const char *at)
{
  char line[120], arch[16] = "";
  const char *end = u->code + u->bytes, *eol;
  at += sizeof mark - 1;
  eol = memchr (at, '\n', end - at);
  if (!eol || eol - at >= (ptrdiff_t)sizeof line)
    return false;
  memcpy (line, at, eol - at);
  line[eol - at] = '\0';
  c->text = eol;
  c->variant = '\0';
  return sscanf (line, "%15s %" SCNx64 " %zu %zu", arch, &c->hash, &c->bytes,
                 &c->packed)
             == 4
         && sscanf (arch, "sm_%u%c", &c->sm, &c->variant) >= 1;
}

/* Does code for SM of C run on MAJOR.MINOR?  */
static bool
runs_on (const struct code *c, unsigned major, unsigned minor)
{
  return c->sm / 10 == major
         && (c->variant ? c->sm % 10 == minor : c->sm % 10 <= minor);
}

void *
acr_aot_find (const struct acr_unit *u, int major, int minor, uint64_t hash,
              size_t *bytes)
{
  struct code best = { .sm = 0 };
  for (const char *at = u->code; (at = next_mark (u, at)); at++)
    {
      struct code c;
      if (read_code (&c, u, at) && c.hash == hash && runs_on (&c, major, minor)
          && c.sm >= best.sm)
        best = c;
    }
  *bytes = best.bytes;
  return best.sm ? acr_unpack (best.text, u->code + u->bytes, best.packed,
                               best.bytes)
                 : NULL;
}

/* ---- Writing ----------------------------------------------------------- */

void
acr_aot_begin (FILE *out, const struct acr_unit *u)
{
  static const char end[] = "// END PREAMBLE";
  const char *to = memmem (u->code, u->bytes, end, sizeof end - 1);
  fwrite (u->code, 1, to ? to - u->code : 0, out);
  fputs (end, out);
}

bool
acr_aot_add (FILE *out, const char *arch, uint64_t hash, const void *bytes,
             size_t n)
{
  size_t packed, chars;
  char *text = acr_pack (bytes, n, &packed, &chars);
  if (!text)
    return false;
  fprintf (out, "%s%s %016" PRIx64 " %zu %zu", mark, arch, hash, n, packed);
  for (size_t i = 0; i < chars; i += COLUMNS)
    fprintf (out, "\n// %.*s",
             chars - i < COLUMNS ? (int)(chars - i) : COLUMNS, text + i);
  free (text);
  return true;
}

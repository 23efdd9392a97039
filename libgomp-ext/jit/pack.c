/* Bytes as text; see pack.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "jit/pack.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Compression ------------------------------------------------------- */

enum
{
  SHORTEST = 4, /* match */
  FARTHEST = 65535,
  NIBBLE = 15, /* a length that goes on */
  SLOTS = 1 << 14
};

static uint32_t
word_at (const unsigned char *p)
{
  uint32_t w;
  memcpy (&w, p, sizeof w);
  return w;
}

/* What a nibble cannot hold of a length N.  */
static unsigned char *
put_length (unsigned char *to, size_t n)
{
  if (n < NIBBLE)
    return to;
  for (n -= NIBBLE; n >= 255; n -= 255)
    *to++ = 255;
  *to++ = n;
  return to;
}

/* A sequence: N literals, and MATCH bytes from FAR bytes back, or the end.  */
static unsigned char *
put_sequence (unsigned char *to, const unsigned char *literals, size_t n,
              size_t match, size_t far)
{
  size_t more = match ? match - SHORTEST : 0;
  *to++ = (n < NIBBLE ? n : NIBBLE) << 4 | (more < NIBBLE ? more : NIBBLE);
  to = mempcpy (put_length (to, n), literals, n);
  if (!match)
    return to;
  *to++ = far & 255;
  *to++ = far >> 8;
  return put_length (to, more);
}

static size_t
match_length (const unsigned char *a, const unsigned char *b,
              const unsigned char *end)
{
  const unsigned char *start = b;
  while (b < end && *a == *b)
    a++, b++;
  return b - start;
}

/* Compress N bytes at DATA to TO, which has room for the worst case.  */
static size_t
compress (const unsigned char *data, size_t n, unsigned char *to,
          const unsigned char *slot[SLOTS])
{
  const unsigned char *p = data, *done = data, *end = data + n;
  unsigned char *out = to;
  while (p + SHORTEST <= end)
    {
      uint32_t h = word_at (p) * 2654435761u >> 18;
      const unsigned char *q = slot[h];
      slot[h] = p;
      if (!q || p - q > FARTHEST || word_at (p) != word_at (q))
        {
          p++;
          continue;
        }
      size_t match = match_length (q, p, end);
      out = put_sequence (out, done, p - done, match, p - q);
      done = p += match;
    }
  return put_sequence (out, done, end - done, 0, 0) - to;
}

/* Read a length that the nibble N begins.  */
static bool
get_length (const unsigned char **from, const unsigned char *end, size_t *n)
{
  if (*n < NIBBLE)
    return true;
  for (;;)
    {
      if (*from == end)
        return false;
      unsigned char more = *(*from)++;
      *n += more;
      if (more < 255)
        return true;
    }
}

/* The other way round, to N bytes at TO exactly.  */
static bool
expand (const unsigned char *from, size_t packed, unsigned char *to, size_t n)
{
  const unsigned char *end = from + packed;
  unsigned char *out = to, *full = to + n;
  while (from < end)
    {
      size_t literals = *from >> 4, match = *from & 15, far;
      from++;
      if (!get_length (&from, end, &literals)
          || literals > (size_t)(end - from)
          || literals > (size_t)(full - out))
        return false;
      out = mempcpy (out, from, literals);
      from += literals;
      if (from == end)
        break;
      if (end - from < 2)
        return false;
      far = from[0] | from[1] << 8;
      from += 2;
      if (!get_length (&from, end, &match))
        return false;
      match += SHORTEST;
      if (!far || far > (size_t)(out - to) || match > (size_t)(full - out))
        return false;
      for (; match; match--, out++)
        *out = out[-far];
    }
  return out == full;
}

/* ---- Characters -------------------------------------------------------- */

static const char digit[85 + 1]
    = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
      ".-:+=^!/*~&<>()[]_;@|$#";

enum
{
  BASE = 85,
  NONE = 255
};

static void
put_digits (char to[5], const unsigned char from[4])
{
  uint32_t w
      = (uint32_t)from[0] << 24 | from[1] << 16 | from[2] << 8 | from[3];
  for (int i = 4; i >= 0; i--, w /= BASE)
    to[i] = digit[w % BASE];
}

char *
acr_pack (const void *data, size_t n, size_t *packed, size_t *chars)
{
  const unsigned char **slot = calloc (SLOTS, sizeof *slot);
  unsigned char *bytes = malloc (n + n / 255 + 16 + 4);
  char *text = NULL;
  if (slot && bytes)
    {
      *packed = compress (data, n, bytes, slot);
      memset (bytes + *packed, 0, 4);
      *chars = (*packed + 3) / 4 * 5;
      text = malloc (*chars + 1);
    }
  for (size_t i = 0; text && i < *chars / 5; i++)
    put_digits (text + 5 * i, bytes + 4 * i);
  free (slot);
  free (bytes);
  return text;
}

/* Read PACKED bytes to TO, which has room for three more.  */
static bool
get_digits (const char *from, const char *end, unsigned char *to,
            size_t packed)
{
  unsigned char value[256];
  uint64_t w = 0;
  unsigned have = 0;
  size_t n = 0;
  memset (value, NONE, sizeof value);
  for (unsigned i = 0; i < BASE; i++)
    value[(unsigned char)digit[i]] = i;
  while (from < end && n < packed)
    {
      if (*from == '\n')
        {
          from++;
          if (end - from >= 3 && !memcmp (from, "// ", 3))
            from += 3;
          continue;
        }
      unsigned char v = value[(unsigned char)*from++];
      if (v == NONE)
        return false;
      w = w * BASE + v;
      if (++have < 5)
        continue;
      if (w > UINT32_MAX)
        return false;
      for (int i = 3; i >= 0; i--)
        *to++ = w >> 8 * i;
      n += 4;
      w = have = 0;
    }
  return n >= packed;
}

void *
acr_unpack (const char *from, const char *end, size_t packed, size_t n)
{
  if (packed > (size_t)(end - from))
    return NULL;
  unsigned char *bytes = malloc (packed + 4), *to = malloc (n ? n : 1);
  bool ok = bytes && to && get_digits (from, end, bytes, packed)
            && expand (bytes, packed, to, n);
  free (bytes);
  if (ok)
    return to;
  free (to);
  return NULL;
}

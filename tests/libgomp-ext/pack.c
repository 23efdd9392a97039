/* Bytes as text and back, whatever they are; and text that is damaged.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "jit/pack.h"
#include "config.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 18 };

static unsigned char data[MOST];
static uint64_t seed = 1;

static unsigned
next (unsigned n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (seed >> 33) % n;
}

/* Do N bytes of DATA come back?  */
static bool
returns (size_t n)
{
  size_t packed, chars;
  char *text = acr_pack (data, n, &packed, &chars);
  void *back = text ? acr_unpack (text, text + chars, packed, n) : NULL;
  bool ok = back && !memcmp (back, data, n);
  for (size_t i = 0; ok && i < chars; i++)
    ok = text[i] > ' ' && text[i] < 127 && !strchr ("\\\"'?%{},`", text[i]);
  /* Neither more nor less of it.  */
  for (size_t other = n ? n - 1 : 1; text && ok && other <= n + 1; other += 2)
    ok = !acr_unpack (text, text + chars, packed, other);
  if (text && ok && chars)
    ok = !acr_unpack (text, text + chars - 1, packed, n);
  free (back);
  free (text);
  return ok;
}

static void
test_sizes (void)
{
  bool all = true;
  for (size_t n = 0; n < 700; n++)
    {
      for (size_t i = 0; i < n; i++)
	data[i] = next (n % 7 + 1);
      all = all && returns (n);
    }
  ok (all, "sizes up to 700");
  for (unsigned i = 0; i < MOST; i++)
    data[i] = 0;
  ok (returns (MOST), "all the same");
  size_t packed, chars;
  char *text = acr_pack (data, MOST, &packed, &chars);
  ok (packed < MOST / 200, "is small");
  free (text);
  for (unsigned i = 0; i < MOST; i++)
    data[i] = next (256);
  ok (returns (MOST), "noise");
  memcpy (data + MOST / 2, data, MOST / 2);
  ok (returns (MOST), "what was there 128 KiB before");
  memcpy (data + 65535, data, 65535);
  memcpy (data + 3 * 65535 - 200, data, 65535);
  ok (returns (MOST), "and just within reach");
}

static void
test_random (void)
{
  bool all = true;
  for (unsigned t = 0; t < 300; t++)
    {
      size_t n = 0, most = next (20000) + 1;
      while (n < most)
	if (n && next (2))
	  {
	    size_t far = next (n) + 1, len = next (next (2) ? 20 : 600);
	    for (; len && n < most; len--, n++)
	      data[n] = data[n - far];
	  }
	else
	  data[n++] = next (256);
      all = all && returns (n);
    }
  ok (all, "random sequences");
}

/* Damaged text is refused, or gives other bytes, but no access beyond them.  */
static void
test_damage (void)
{
  size_t n = 3000, packed, chars;
  for (size_t i = 0; i < n; i++)
    data[i] = next (3);
  char *text = acr_pack (data, n, &packed, &chars);
  unsigned refused = 0;
  for (unsigned t = 0; t < 20000; t++)
    {
      char *copy = strndup (text, chars);
      for (unsigned k = next (3) + 1; k; k--)
	copy[next (chars)] = next (95) + 32;
      void *back = acr_unpack (copy, copy + chars, packed, n);
      refused += !back;
      free (back);
      free (copy);
    }
  ok (refused > 1000, "damage is noticed %u times", refused);
  ok (!acr_unpack (text, text + chars, chars + 1, n), "more than there is");

  char *lines = malloc (2 * chars + 1), *to = lines;
  for (size_t i = 0; i < chars; i++)
    {
      if (i % 7 == 0)
	to = stpcpy (to, "\n// ");
      *to++ = text[i];
    }
  void *back = acr_unpack (lines, to, packed, n);
  ok (back && !memcmp (back, data, n), "in lines");
  free (back);
  free (lines);
  free (text);
}

int
main (void)
{
  test_sizes ();
  test_random ();
  test_damage ();
  return done_testing ();
}

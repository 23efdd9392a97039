/* A unit of machine code: what is found in it, for which GPU, and where it is
   damaged.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "jit/aot.h"
#include "config.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define PREAMBLE                                                              \
  "// BEGIN PREAMBLE\n.version 6.0\n.target sm_35\n.address_size 64\n"        \
  "// END PREAMBLE"

static const char user[] = PREAMBLE "\n.entry k\n{\nret;\n}\n";
static struct acr_unit u;

static void
make (void)
{
  static const struct
  {
    const char *arch, *code;
    uint64_t hash;
  } rows[] = { { "sm_80", "code of 80", 1 },   { "sm_86", "code of 86", 1 },
	       { "sm_90", "code of 90", 1 },   { "sm_90", "other of 90", 2 },
	       { "sm_100a", "code of 100a", 1 }, { "sm_120", "code of 120", 1 } };
  char *text;
  size_t n;
  FILE *out = open_memstream (&text, &n);
  struct acr_unit beside = { user, sizeof user };
  acr_aot_begin (out, &beside);
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    acr_aot_add (out, rows[i].arch, rows[i].hash, rows[i].code,
		 strlen (rows[i].code) + 1);
  putc ('\n', out);
  putc ('\0', out);
  fclose (out);
  u = (struct acr_unit){ text, n };
}

/* Is WANT what U has of HASH for MAJOR.MINOR?  */
static bool
has (int major, int minor, uint64_t hash, const char *want)
{
  size_t n;
  char *found = acr_aot_find (&u, major, minor, hash, &n);
  bool ok = want ? found && n == strlen (want) + 1 && !strcmp (found, want)
		 : !found;
  free (found);
  return ok;
}

static void
test_damage (void)
{
  size_t n;
  unsigned lost = 0;
  for (size_t i = strlen (PREAMBLE); i < u.bytes - 1; i++)
    {
      char *copy = malloc (u.bytes);
      memcpy (copy, u.code, u.bytes);
      copy[i] = copy[i] == '7' ? '8' : '7';
      char *found
	  = acr_aot_find (&(struct acr_unit){ copy, u.bytes }, 9, 0, 2, &n);
      lost += !found;
      free (found);
      char *part = malloc (i + 1);
      memcpy (part, u.code, i);
      part[i] = '\0';
      free (acr_aot_find (&(struct acr_unit){ part, i + 1 }, 9, 0, 2, &n));
      free (part);
      free (copy);
    }
  ok (lost > 20, "damage: %u times not found", lost);
}

int
main (void)
{
  make ();
  ok (acr_aot_is (&u), "it is known");
  ok (!acr_aot_is (&(struct acr_unit){ user, sizeof user }), "and others are not");
  ok (has (9, 0, 1, "code of 90"), "the GPU's own");
  ok (has (9, 0, 2, "other of 90"), "of other PTX");
  ok (has (9, 0, 3, NULL), "of unknown PTX there is none");
  ok (has (8, 0, 1, "code of 80") && has (8, 6, 1, "code of 86"), "the nearest");
  ok (has (8, 9, 1, "code of 86") && has (8, 2, 1, "code of 80"),
      "older ones run on newer GPUs of a generation");
  ok (has (7, 5, 1, NULL) && has (9, 0, 1, "code of 90") && has (11, 0, 1, NULL),
      "not in another generation");
  ok (has (10, 0, 1, "code of 100a") && has (10, 3, 1, NULL),
      "what is for one GPU is for no other");
  ok (has (12, 1, 1, "code of 120"), "three digits");
  struct acr_unit start = acr_aot_start (&u);
  ok (start.bytes == strlen (PREAMBLE) + 1 && !strcmp (start.code, PREAMBLE),
      "without machine code");
  free ((void *)start.code);
  struct acr_unit two[] = { { "a", 2 }, { "b", 2 } },
		  one[] = { { "b", 2 }, { "a", 2 } };
  ok (acr_aot_hash (two, 2) != acr_aot_hash (one, 2)
	  && acr_aot_hash (two, 1) != acr_aot_hash (two, 2)
	  && acr_aot_hash (two, 1) == acr_aot_hash (&one[1], 1),
      "the hash is of units in their order");
  test_damage ();
  free ((void *)u.code);
  return done_testing ();
}

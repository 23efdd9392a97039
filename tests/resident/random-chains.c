/* Random host loops over regions that work on a tile each round.
   usage: random-chains SEED LOOPS acc|omp

   The program that is written prints a line for each loop: a hash of all that it
   leaves behind, scalars included.  Two builds of it, by whatever compilers, print the
   same, as every region is deterministic.  Rounds work on tiles of their own, read
   what none stores, hand on numbers that regions reduce to or that follow from those,
   use them to compute or to subscript with, append to what rounds before have stored, or
   nearly so, and read what the round before has
   stored, or keep it where the next one finds it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST = 40,  /* elements of a tile */
  ALL = 512,  /* and of an array, a power of 2 (directive has the number as well) */
  EDGE = 64   /* in front of it */
};

static bool omp;
static const char *model;
static unsigned tile;

static const char *const arrays[] = { "a", "b", "c", "d" };
static const char *const numbers[] = { "carry", "other", "found", "prev" };

static const char *
array (void)
{
  return arrays[below (4)];
}

/* Rounds only combine what they hand on with numbers of their own, by OPERATION.  */
static bool adds;
static const char *operation;

static const char *
number (void)
{
  return adds ? PICK ("carry", "other", "carry", "found") : numbers[below (4)];
}

static const char *
not_this (const char *x)
{
  const char *y = array ();
  while (y == x)
    y = array ();
  return y;
}

/* The directive, which reduces VAR by OP, unless that is NULL.  */
static void
directive (const char *op, const char *var)
{
  fputs (omp ? "#pragma omp target teams distribute parallel for"
             : "#pragma acc parallel loop present (in[0:512], a[0:512], b[0:512],"
               " c[0:512], d[0:512], e[0:512])",
         stdout);
  if (op)
    printf (omp ? " reduction (%s: %s) map (tofrom: %s)" : " reduction (%s: %s)", op,
            var, var);
  printf ("\n    for (int i = 0; i < %s; i++)\n", model);
}

static void
print_region (void)
{
  static char count[16];
  const char *x = array (), *y = not_this (x), *n = number ();
  snprintf (count, sizeof count, "%u", tile);
  model = chance (80) ? count : "size";
  /* Where no region is ordered, rounds may look back.  */
  switch (below (adds && chance (85) ? 7 : 10))
    {
    case 0:
    case 1:
      directive (NULL, NULL);
      printf ("      %s[base + i] = in[base + i %+d] * %u + %s[base + i];\n", x,
              (int)below (9) - 4, 1 + below (5), y);
      break;
    case 2:
      directive (NULL, NULL);
      printf ("      {\n\tunsigned sum = 0;\n"
              "\tfor (int j = 0; j < %u; j++)\n\t  sum += j <= i ? %s[base + j] : 0;\n"
              "\t%s[base + i] = sum;\n      }\n",
              tile, y, x);
      break;
    case 3:
    case 4:
      {
        const char *op = PICK ("+", "^", "max", "+");
        if (adds)
          {
            n = PICK ("carry", "carry", "found");
            op = !strcmp (n, "carry") ? operation : "+";
          }
        directive (op, n);
        if (!strcmp (op, "max"))
          printf ("      %s = %s[base + i] > %s ? %s[base + i] : %s;\n", n, x, n, x, n);
        else
          printf ("      %s %s= %s[base + i] & 255;\n", n, op, x);
        break;
      }
    case 5:
    case 6:
      directive (NULL, NULL);
      printf ("      %s[base + i] = %s[base + i] * 3 + %s;\n", x, y, n);
      break;
    case 7:
      directive (NULL, NULL);
      printf ("      e[(%s + i) & %d] = %s[base + i] + e[(%s + i) & %d];\n", n, ALL - 1,
              x, n, ALL - 1);
      break;
    case 8:
      directive (NULL, NULL);
      printf ("      %s[base + i] = %s[base + i - %u] + %s[base + i];\n", x, y,
              1 + below (MOST), x);
      break;
    default:
      directive (NULL, NULL);
      printf ("      e[i] = %s[base + i];\n", x);
      directive (NULL, NULL);
      printf ("      %s[base + i] = e[%u - i] ^ %s;\n", y, tile - 1, n);
      break;
    }
}

/* A number of the round's own is combined with what is handed on, or has what that
   is now.  */
static void
print_adding (void)
{
  const char *by = PICK ("found", "other", "(unsigned)t * 77");
  if (chance (30))
    puts ("    prev = carry;");
  else if (!strcmp (operation, "max"))
    printf ("    carry = carry > %s ? carry : %s;\n", by, by);
  else
    printf ("    carry %s= %s;\n", operation, by);
}

static void
print_number (void)
{
  if (adds)
    {
      print_adding ();
      return;
    }
  switch (below (20) ? below (5) : 5)
    {
    case 0:
      puts ("    prev = carry;");
      break;
    case 1:
      puts ("    carry += found;");
      break;
    case 2:
      puts ("    found = 0;");
      break;
    case 3:
      puts ("    other = base * 7 + t;");
      break;
    case 4:
      printf ("    %s = %s * 5 + %s;\n", number (), number (), number ());
      break;
    default:
      puts ("    carry = carry > other ? carry - other : other;");
      break;
    }
}

static void
print_body (unsigned depth)
{
  for (unsigned i = 2 + below (4); i--;)
    if (chance (60))
      print_region ();
    else if (chance (70) || depth > 1)
      print_number ();
    else if (chance (50))
      {
        puts ("    if (t & 1)\n    {");
        print_body (depth + 1);
        puts ("    }");
      }
    else
      {
        puts ("    for (int k = 0; k < 2; k++)\n    {");
        print_body (depth + 1);
        puts ("    }");
      }
}

/* What is kept of each tile goes behind what was kept before, or nearly so.  */
static void
print_append (void)
{
  unsigned drop = 2 + below (3);
  bool late = chance (50), parts = chance (40);
  const char *stray = chance (70) ? "" : PICK (" + (t & 3)", " - t % 3", " + t % 2");
  printf ("  int kept = 0, t;\n  for (t = 0; t < tiles; t++)\n  {\n"
          "    int base = t * %u, found = 0;\n",
          tile);
  directive ("+", "found");
  printf ("      {\n\tunsigned before = 0;\n"
          "\tfor (int j = 0; j < %u; j++)\n"
          "\t  before += j < i && in[base + j] %% %u;\n"
          "\ta[base + i] = before;\n\tfound += in[base + i] %% %u != 0;\n      }\n",
          tile, drop, drop);
  puts (late ? "    int from = kept;" : "    int from = kept;\n    kept += found;");
  directive (NULL, NULL);
  printf ("      {\n\tint at = from + (int) a[base + i]%s;\n"
          "\tif (in[base + i] %% %u)\n\t  e[at++] = in[base + i] + t;\n",
          stray, drop);
  if (parts)
    puts ("\telse\n\t  b[base + i - at] = in[base + i] * 3;");
  puts (late ? "      }\n    kept += found;\n  }" : "      }\n  }");
}

static void
print_case (unsigned which)
{
  const char *how = chance (75) ? "restrict " : "";
  tile = 4 + below (MOST - 3);
  if (chance (30))
    {
      static char count[16];
      snprintf (count, sizeof count, "%u", tile);
      model = count;
      printf ("static void\nloop%u (const unsigned *%sin, unsigned *%sa, unsigned"
              " *%sb,\n\tunsigned *%sc, unsigned *%sd, unsigned *%se, int tiles,"
              " int size)\n{\n",
              which, how, how, how, how, how, how);
      print_append ();
      printf ("  report (%u, kept, 0, 0, 0, t);\n}\n\n", which);
      return;
    }
  adds = chance (50);
  operation = PICK ("+", "^", "max", "+");
  bool own = adds || chance (40);
  const char *type = PICK ("unsigned", "int", "unsigned long long", "unsigned");
  if (!adds || (!strcmp (type, "int") && !strcmp (operation, "+")))
    type = "unsigned";
  printf ("static void\nloop%u (const unsigned *%sin, unsigned *%sa, unsigned *%sb,\n"
          "\tunsigned *%sc, unsigned *%sd, unsigned *%se, int tiles, int size)\n{\n"
          "  %s carry = %u, prev = 2;\n  unsigned other = 1, along = %u;\n%s"
          "  int t = 0;\n",
          which, how, how, how, how, how, how, type, below (9), below (50),
          own ? "" : "  unsigned found = 3;\n");
  const char *step = PICK ("along += 3", "along -= 7", "", "along = along * 5 + 1");
  if (chance (50))
    puts ("  for (t = 0; t < tiles; t++)\n  {");
  else
    puts ("  for (t = tiles - 1; t >= 0; t--)\n  {");
  if (own)
    puts ("    unsigned found = 0;");
  printf ("    int base = t * %u;\n", tile);
  if (adds)
    puts ("    other = base * 7 + along;");
  else if (chance (40))
    print_number ();
  print_region ();
  print_body (0);
  printf ("    %s;\n  }\n", step);
  printf ("  report (%u, carry, other + along, prev, %s, t);\n}\n\n", which,
          own ? "0" : "found");
}

int
main (int argc, char **argv)
{
  if (argc != 4)
    return 2;
  state += strtoull (argv[1], NULL, 10) * 0x9E3779B97F4A7C15;
  for (int i = 0; i < 20; i++)
    below (2);
  unsigned loops = strtoul (argv[2], NULL, 10);
  omp = !strcmp (argv[3], "omp");
  printf ("#include <stdio.h>\n"
          "enum { EDGE = %d, ALL = %d };\n"
          "unsigned in[EDGE + ALL], a[EDGE + ALL], b[EDGE + ALL], c[EDGE + ALL];\n"
          "unsigned d[EDGE + ALL], e[EDGE + ALL];\n\n",
          EDGE, ALL);
  puts ("static void\nfill (void)\n{\n"
        "  for (int i = 0; i < EDGE + ALL; i++)\n    {\n"
        "      in[i] = i * 7 % 61;\n      a[i] = i * 3;\n      b[i] = 50 - i;\n"
        "      c[i] = i % 11;\n      d[i] = i ^ 9;\n      e[i] = i;\n    }\n}\n");
  puts ("static void\nreport (int n, unsigned x, unsigned y, unsigned z, unsigned v, int t)\n{\n"
        "  printf (\"loop %d: %x %x %x %x %d\", n, x, y, z, v, t);\n}\n");
  puts ("static void\nprint (void)\n{\n  unsigned h = 0;\n"
        "  for (int i = 0; i < EDGE + ALL; i++)\n"
        "    h = h * 31 + a[i] * 3 + b[i] * 5 + c[i] * 7 + d[i] * 11 + e[i] * 13;\n"
        "  printf (\" %08x\\n\", h);\n  fflush (stdout);\n}\n");
  for (unsigned i = 0; i < loops; i++)
    print_case (i);
  puts ("int\nmain (int argc, char **argv)\n{");
  for (unsigned i = 0; i < loops; i++)
    {
      unsigned tiles = below (10);
      printf ("  fill ();\n%s\n  loop%u (in + EDGE, a + EDGE, b + EDGE, c + EDGE,"
              " d + EDGE, e + EDGE, %u * argc, %u * argc);\n  print ();\n",
              omp ? "#pragma omp target data map (tofrom: in, a, b, c, d, e)"
                  : "#pragma acc data copy (in, a, b, c, d, e)",
              i, tiles, tile);
    }
  puts ("}");
}

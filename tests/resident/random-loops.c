/* Random host loops over regions.
   usage: random-loops SEED LOOPS acc|omp

   The program that is written prints a line for each loop: a hash of the bits of all
   that it leaves behind, scalars included.  Two builds of it, by whatever compilers,
   print the same, as every region is deterministic: it stores each element once and
   reads none that another of its iterations stores.  Loops are of all kinds, with
   loops inside, ways out, rounds cut short and none at all; regions read what those
   before have stored, here or there, also through pointers that may lead to
   overlapping memory, sum up, and set numbers in memory; the host computes with integers
   between them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  /* Elements of an array (print_region has the number as well); EDGE of them before
     and behind those that loops are about.  */
  ALL = 96,
  EDGE = 6,
  SCALARS = 4,
  DEPTH = 3
};

static bool omp;

/* Those of one family may overlap: a region that stores in one of them reads that
   one alone, at its own place.  */
static const struct array
{
  const char *name;
  int family;
} arrays[] = {
  { "p", 0 }, { "q", 0 }, { "x", 1 }, { "y", 2 }, { "z", 3 },
};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

static void
indent (unsigned depth)
{
  for (unsigned i = 0; i < depth; i++)
    fputs ("  ", stdout);
}

/* Pointers of the loop change places.  */
static bool swaps;

/* What a region sums up in, which it does not use otherwise.  */
static const char *do_without;

/* An integer that the host has.  */
static const char *
scalar (void)
{
  static char text[8][16];
  static unsigned next;
  char *to = text[next++ % 8];
  do
    snprintf (to, sizeof text[0], "s%u", (unsigned)below (SCALARS));
  while (do_without && !strcmp (to, do_without));
  return to;
}

static int
source (int target)
{
  int a = below (ARRAYS);
  while (arrays[a].family == arrays[target].family)
    a = below (ARRAYS);
  return a;
}

static void
print_value (int target)
{
  const char *a = arrays[source (target)].name, *b = arrays[source (target)].name;
  int by = (int)below (2 * EDGE + 1) - EDGE;
  switch (below (5))
    {
    case 0:
      printf ("%s[i %+d] + %s", a, by, scalar ());
      break;
    case 1:
      printf ("%s[i] * 3 - %s[i %+d]", a, b, by);
      break;
    case 2:
      printf ("%s[%d - i] ^ %s", a, ALL - 1, scalar ());
      break;
    case 3:
      printf ("%s[i] > %s[i %+d] ? %s : i", a, b, by, scalar ());
      break;
    default:
      printf ("%s[i] * %s + %s[i %+d]", arrays[target].name, scalar (), a, by);
      break;
    }
}

/* The end of an iteration that sets FLAG, to what it would be in any order of
   iterations.  */
static void
print_flag (const char *flag, const char *target)
{
  const char *model = omp ? "omp" : "acc";
  unsigned mask = 1u << below (6);
  if (chance (50))
    printf ("; if ((%s[i] & %u) == 0)\n{\n#pragma %s atomic write\n%s = %u; } }\n",
            target, mask - 1, model, flag, (unsigned)below (9));
  else
    printf (";\n#pragma %s atomic update\n%s %s= %s[i] & %u; }\n", model, flag,
            chance (50) ? "+" : "^", target, mask);
}

/* A region, which may sum up what it stores, or tell of it, for the host.  */
static void
print_region (unsigned depth)
{
  int target = below (ARRAYS);
  const char *sum = chance (25) ? scalar () : NULL;
  const char *flag = !sum && chance (25) ? scalar () : NULL;
  fputs (omp ? "#pragma omp target teams distribute parallel for"
             : "#pragma acc parallel loop present (p[0:96], q[0:96], x[0:96],"
               " y[0:96], z[0:96])",
         stdout);
  if (sum)
    printf (" reduction (+: %s)", sum);
  if (flag)
    printf (omp ? " map (tofrom: %s)" : " copy (%s)", flag);
  puts ("");
  indent (depth);
  printf ("for (int i = %u; i < %d - %u; i++)\n", EDGE + (unsigned)below (3), ALL,
          EDGE + (unsigned)below (3));
  indent (depth + 1);
  printf (sum || flag ? "{ %s[i] = " : "%s[i] = ", arrays[target].name);
  do_without = sum ? sum : flag;
  print_value (target);
  do_without = NULL;
  if (flag)
    {
      print_flag (flag, arrays[target].name);
      return;
    }
  if (sum)
    printf ("; %s += %s[i] & 7; }", sum, arrays[target].name);
  puts (sum ? "" : ";");
}

static void
print_scalar (unsigned depth)
{
  static const char *const ops[] = { "+", "-", "*", "^", "&", "|" };
  indent (depth);
  printf ("%s = %s %s %s;\n", scalar (), scalar (), ops[below (6)],
          chance (50) ? scalar () : "7");
}

/* Two pointers change places.  */
static void
print_swap (unsigned depth)
{
  static const char *const pairs[][2] = { { "p", "q" }, { "x", "y" }, { "z", "x" } };
  const char *const *pair = pairs[below (3)];
  indent (depth);
  puts ("{");
  indent (depth + 1);
  printf ("unsigned *t = %s;\n", pair[0]);
  indent (depth + 1);
  printf ("%s = %s;\n", pair[0], pair[1]);
  indent (depth + 1);
  printf ("%s = t;\n", pair[1]);
  indent (depth);
  puts ("}");
}

static void print_body (unsigned depth, unsigned loops);

static void
print_test (unsigned depth, unsigned loops)
{
  indent (depth);
  printf ("if (%s %s %s)\n", scalar (), chance (50) ? "<" : "!=",
          chance (50) ? scalar () : "5");
  indent (depth);
  puts ("  {");
  print_body (depth + 2, loops);
  if (loops && chance (25))
    {
      indent (depth + 2);
      puts (chance (50) ? "break;" : "continue;");
    }
  indent (depth);
  puts ("  }");
}

/* A loop, which counts its rounds in rN.  */
static void
print_loop (unsigned depth, unsigned loops)
{
  static unsigned number;
  unsigned n = number++, rounds = below (6);
  if (loops)
    rounds = below (4);
  indent (depth);
  switch (below (3))
    {
    case 0:
      printf ("for (int r%u = 0; r%u < %u + (int) zero; r%u++)\n", n, n, rounds, n);
      indent (depth);
      puts ("  {");
      break;
    case 1:
      printf ("int r%u = %u + (int) zero;\n", n, rounds);
      indent (depth);
      printf ("while (r%u-- > 0)\n", n);
      indent (depth);
      puts ("  {");
      break;
    default:
      printf ("for (unsigned r%u = %u + zero; r%u; r%u--)\n", n, rounds, n, n);
      indent (depth);
      puts ("  {");
      indent (depth + 2);
      printf ("s%u += r%u;\n", (unsigned)below (SCALARS), n);
    }
  print_region (depth + 2);
  print_body (depth + 2, loops + 1);
  indent (depth);
  puts ("  }");
}

static void
print_body (unsigned depth, unsigned loops)
{
  for (unsigned i = 1 + below (3); i--;)
    {
      unsigned what = below (10);
      if (what < 4)
        print_region (depth);
      else if (what == 4 && swaps)
        print_swap (depth);
      else if (what < 7 || depth > 2 * DEPTH + 2)
        print_scalar (depth);
      else if (what < 9)
        print_test (depth, loops);
      else if (loops < DEPTH)
        {
          indent (depth);
          puts ("{");
          print_loop (depth, loops);
          indent (depth);
          puts ("}");
        }
    }
}

static void
print_case (unsigned number)
{
  printf ("static void\nloop%u (unsigned *p, unsigned *q, unsigned *x,\n\tunsigned *y, unsigned *z)\n{\n",
          number);
  for (unsigned i = 0; i < SCALARS; i++)
    printf ("  unsigned s%u = %u + zero;\n", i, (unsigned)below (5));
  /* Some in memory.  */
  if (chance (30))
    printf ("  at = &s%u;\n", (unsigned)below (SCALARS));
  if (chance (85))
    printf (omp ? "#pragma omp target data map (tofrom: space[0:%d], x[0:%d],"
                  " y[0:%d], z[0:%d])\n"
                : "#pragma acc data copy (space[0:%d], x[0:%d], y[0:%d],"
                  " z[0:%d])\n",
            2 * ALL, ALL, ALL, ALL);
  else
    printf (omp ? "#pragma omp target enter data map (to: space[0:%d], x[0:%d],"
                  " y[0:%d], z[0:%d])\n"
                : "#pragma acc enter data copyin (space[0:%d], x[0:%d], y[0:%d],"
                  " z[0:%d])\n",
            2 * ALL, ALL, ALL, ALL);
  puts ("  {");
  swaps = chance (30);
  print_loop (2, 0);
  puts ("  }");
  printf (omp ? "#pragma omp target update from (space[0:%d], x[0:%d], y[0:%d],"
                " z[0:%d]) if (present (space))\n"
                "#pragma omp target exit data map (delete: space[0:%d], x[0:%d],"
                " y[0:%d], z[0:%d])\n"
              : "#pragma acc update self (space[0:%d], x[0:%d], y[0:%d],"
                " z[0:%d]) if_present\n"
                "#pragma acc exit data delete (space[0:%d], x[0:%d], y[0:%d],"
                " z[0:%d]) finalize\n",
          2 * ALL, ALL, ALL, ALL, 2 * ALL, ALL, ALL, ALL);
  puts ("  s0 += (p > q) + 2 * (x > y) + 4 * (y > z);");
  printf ("  report (%u, s0, s1, s2, s3);\n}\n\n", number);
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
  printf ("#include <stdio.h>\n%s"
          "unsigned space[%d], x[%d], y[%d], z[%d], zero, *at;\n\n",
          omp ? "#include <omp.h>\n#define present(p) omp_target_is_present (p,"
                " omp_get_default_device ())\n"
              : "",
          2 * ALL, ALL, ALL, ALL);
  printf ("static void\nfill (void)\n{\n"
          "  for (int i = 0; i < %d; i++)\n    space[i] = i * 7 + 1;\n"
          "  for (int i = 0; i < %d; i++)\n"
          "    {\n      x[i] = i * 3;\n      y[i] = 50 - i;\n"
          "      z[i] = i %% 11;\n    }\n}\n\n",
          2 * ALL, ALL);
  printf ("static void\nreport (int n, unsigned a, unsigned b, unsigned c, unsigned d)\n{\n"
          "  unsigned h = a * 31 + b * 37 + c * 41 + d * 43;\n"
          "  for (int i = 0; i < %d; i++)\n    h = h * 31 + space[i];\n"
          "  for (int i = 0; i < %d; i++)\n"
          "    h = h * 31 + x[i] * 5u + y[i] * 3u + z[i];\n"
          "  printf (\"loop %%d: %%08x\\n\", n, h);\n  fflush (stdout);\n}\n\n",
          2 * ALL, ALL);
  for (unsigned i = 0; i < loops; i++)
    print_case (i);
  puts ("int\nmain (int argc, char **argv)\n{\n  zero = argc - 1;");
  for (unsigned i = 0; i < loops; i++)
    printf ("  fill ();\n  loop%u (space, space + %d, x, y, z);\n", i,
            (int)(below (4) ? ALL : below (ALL)));
  puts ("}");
}

/* Write a C program with random target regions that reports, when it runs,
   which operands each region really changed:

     random-regions SEED COUNT >prog.c

   Region I has its directive on line 10 * I of the file "regions" and prints
   a line "10*I NAME..." of all variables whose array it changed.  Pointers
   are copied, offset, chosen, stored and loaded, cast, passed to functions;
   parameters overlap each other and static arrays, but what restrict
   promises is kept.  Whatever the plugin calls constant must not be among
   the changed names.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What a region may map; all lead to 32 floats at least.  */
static const char *const operands[] = {
  "p0", "p1", "r0", "r1", "s0", "s1", "m0", "m1", "c0", "c1", "x",
};
enum { NOPERANDS = sizeof operands / sizeof *operands };

/* The operands of the region in work.  */
static const char *mapped[NOPERANDS];
static unsigned nmapped;

/* Some address in the region, a few floats in.  */
static const char *
pointer (void)
{
  static char text[4][64];
  static unsigned next;
  char *s = text[next++ % 4];
  const char *base
    = below (3) ? mapped[below (nmapped)] : below (2) ? "l0" : "l1";
  switch (below (4))
    {
    case 0:
      snprintf (s, 64, "(%s + %u)", base, below (4));
      break;
    case 1:
      snprintf (s, 64, "&%s[%u]", base, below (4));
      break;
    default:
      snprintf (s, 64, "%s", base);
      break;
    }
  return s;
}

static void
statement (void)
{
  unsigned k = below (8);
  switch (below (70))
    {
    default:
      printf ("    (%s)[%u] += (%s)[i];\n", pointer (), k, pointer ());
      break;
    case 0:
      printf ("    l%u = %s;\n", below (2), pointer ());
      break;
    case 1:
      printf ("    if (i & 1) l%u = %s;\n", below (2), pointer ());
      break;
    case 2:
      printf ("    l%u = i & 1 ? %s : %s;\n", below (2), pointer (),
	      pointer ());
      break;
    case 3:
      printf ("    { float **a = &l0; *a = %s; }\n", pointer ());
      break;
    case 4:
      printf ("    { float *a[2] = { %s, %s }; a[i & 1][%u] += 1; }\n",
	      pointer (), pointer (), k);
      break;
    case 5:
      printf ("    { long a = (long) %s; ((float *) a)[%u] += 1; }\n",
	      pointer (), k);
      break;
    case 6:
      printf ("    store (%s, %u);\n", pointer (), k);
      break;
    case 7:
      printf ("    { struct { int n; float *f; } a = { 1, %s };"
	      " a.f[%u] += 1; }\n",
	      pointer (), k);
      break;
    case 8:
      printf ("    g[%u] += 1;\n", k);
      break;
    case 9:
      printf ("    gp[%u] += 1;\n", k);
      break;
    case 10:
      puts ("    { float *a = l0; l0 = l1; l1 = a; }");
      break;
    case 11:
      printf ("#pragma omp atomic\n    (%s)[%u] += 1;\n", pointer (), k);
      break;
    case 12:
      printf ("    __builtin_memcpy (%s, %s, 8);\n", pointer (), pointer ());
      break;
    }
}

static void
region (unsigned line)
{
  printf ("void\nregion_%u (float *p0, float *p1, float *restrict r0,"
	  " float *restrict r1)\n{\n"
	  "  float x[64] = { 0 }, *m0 = calloc (64, 4), *m1 = calloc (64, 4);\n"
	  "  float *c0 = %s, *c1 = %s + %u;\n  int i = 3;\n",
	  line, operands[below (8)], operands[below (8)], below (4));
  /* C0 may be set twice; and parameters once more.  */
  if (!below (3))
    printf ("  if (g[0] > 5) c0 = %s;\n", operands[below (8)]);
  if (!below (6))
    printf ("  if (g[0] > 3) p0 = %s;\n", below (2) ? "p1" : "s0");
  /* A pointer to a pointer, through which one may change.  */
  if (!below (6))
    printf ("  float **way = &%s; if (g[0] > 4) *way = p1;\n",
	    below (2) ? "m0" : "c1");

  nmapped = 0;
  for (unsigned i = 0; i < NOPERANDS; i++)
    if (!below (3))
      mapped[nmapped++] = operands[i];
  if (!nmapped)
    mapped[nmapped++] = "p0";

  puts ("  note_before (p0, p1, r0, r1, m0, m1, c0, c1, x);");
  printf ("#line %u \"regions\"\n#pragma omp target%s", line,
	  below (2) ? " parallel num_threads(1)" : "");
  for (unsigned i = 0; i < nmapped; i++)
    printf (" map(tofrom: %s%s)", mapped[i],
	    mapped[i][0] == 's' || mapped[i][0] == 'x' ? "" : "[0:32]");
  puts ("\n  {");
  printf ("    float *l0 = %s;\n", mapped[below (nmapped)]);
  printf ("    float *l1 = %s;\n", mapped[below (nmapped)]);
  puts ("    for (int k = 0; k < 2; k++) {");
  for (unsigned n = 1 + below (4); n; n--)
    statement ();
  puts ("    }\n  }");
  printf ("  note_after (%u);\n}\n", line);
}

static const char head[] =
  "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
  "static float s0[64], s1[64];\n"
  "#pragma omp declare target\n"
  "float g[64], *gp;\n"
  "__attribute__ ((noinline)) static void\n"
  "store (float *p, int k)\n{\n  p[k] += 1;\n}\n"
  "#pragma omp end declare target\n"
  "static const char *const names[]\n"
  "  = { \"p0\", \"p1\", \"r0\", \"r1\", \"s0\", \"s1\", \"m0\", \"m1\", \"c0\","
  " \"c1\", \"x\" };\n"
  "static float *array[11], before[11][32];\n"
  "static void\n"
  "note_before (float *p0, float *p1, float *r0, float *r1, float *m0,\n"
  "	     float *m1, float *c0, float *c1, float *x)\n{\n"
  "  float *all[11] = { p0, p1, r0, r1, s0, s1, m0, m1, c0, c1, x };\n"
  "  memcpy (array, all, sizeof all);\n"
  "  for (int v = 0; v < 11; v++)\n"
  "    for (int k = 0; k < 32; k++)\n"
  "      array[v][k] = k + 1;\n"
  "  for (int v = 0; v < 11; v++)\n"
  "    memcpy (before[v], array[v], sizeof before[v]);\n}\n"
  "static void\nnote_after (int line)\n{\n  printf (\"%d\", line);\n"
  "  for (int v = 0; v < 11; v++)\n"
  "    if (memcmp (before[v], array[v], sizeof before[v]))\n"
  "      printf (\" %s\", names[v]);\n  putchar ('\\n');\n}\n";

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  state = strtoull (argv[1], NULL, 10) * 0x9E3779B97F4A7C15 + 1;
  unsigned count = strtoul (argv[2], NULL, 10);
  fputs (head, stdout);
  for (unsigned i = 1; i <= count; i++)
    region (10 * i);
  puts ("#line 1 \"main\"\nstatic float a[64], b[64], c[64], d[64];\n"
	"int\nmain (void)\n{\n"
	"  float *where[] = { a, b, s0, s1 };");
  for (unsigned i = 1; i <= count; i++)
    printf ("  g[0] = %u;\n  gp = where[%u];\n"
	    "  region_%u (where[%u], where[%u], c, d);\n",
	    below (8), below (4), 10 * i, below (4), below (4));
  puts ("}");
  return 0;
}

/* Random loop nests, with and without dependences, in kernels regions.
   usage: random-nests SEED REGIONS

   Every region is there twice, for the device and without directives for the
   host, on data of their own; the program that is written compares all that
   they leave behind: arrays, sums, scalars and loop indices.  Two of the
   pointers may lead to overlapping memory.  Arithmetic is modulo 2^32, so
   that a difference is an error.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What one region is made of.  */
struct shape
{
  int depth;
  /* Loop indices are declared before the region.  */
  bool outer_index;
  /* Pointers are restrict.  */
  bool restricted;
  /* 0: kernels around loops; 1: kernels loop; 2: a loop directive inside;
     3: kernels loop collapse.  */
  int directive;
  /* Subscripts are sums of two indices by strides that are variables.  */
  bool strides;
};

static const char index_name[] = "ijk";

/* A subscript for one dimension: index, factor, offset.  */
static void
subscript (const struct shape *s, char *to, size_t size, int index)
{
  static const int factors[] = { 2, -1, 0 };
  int factor = chance (80) ? 1 : factors[below (3)];
  int offset = chance (60) ? 0 : (int)below (7) - 3;
  if (chance (4))
    index = below (s->depth);
  if (factor < 0)
    offset += 40;
  if (chance (2))
    snprintf (to, size, "X[%c]", index_name[index]);
  else if (factor == 0)
    snprintf (to, size, "%d", offset + 5);
  else if (chance (4))
    snprintf (to, size, "%d * %c + %c + %d", factor, index_name[index],
              index_name[below (s->depth)], offset);
  else
    snprintf (to, size, "%d * %c + %d", factor, index_name[index], offset);
}

/* An element of some array, mostly of one of two sets, so that there are
   independent loops, too.  All subscripts are in [-3, 93).  */
static void
element (const struct shape *s, char *to, size_t size, bool written)
{
  char sub[3][64];
  bool first = chance (20) ? chance (50) : written;
  for (int d = 0; d < s->depth; d++)
    subscript (s, sub[d], sizeof sub[d], d);
  int inner = s->depth - 1, outer = s->depth - 2;
  const char *line = first ? PICK ("p", "P") : PICK ("q", "Q");
  int form = s->depth == 1 || chance (8) ? 0
             : s->strides                ? 4
             : s->depth == 3             ? 3
             : chance (50)               ? 1
                                         : 2;
  if (form == 0)
    snprintf (to, size, PICK ("%s[3 + %s]", "%s[3 + (unsigned long) (%s)]"),
              line, sub[inner]);
  else if (form == 1)
    snprintf (to, size, "%s[3 + %s][3 + %s]", first ? "A" : "B", sub[outer],
              sub[inner]);
  else if (form == 2)
    snprintf (to, size, "%s[(3 + %s) * m + 3 + %s]", line, sub[outer],
              sub[inner]);
  else if (form == 4)
    snprintf (to, size, "%s[(3 + %s) * v + (3 + %s) * w]", line,
              sub[chance (10) ? inner : outer], sub[inner]);
  else
    snprintf (to, size, "%s[i + %u][j + %u][k + %u]", first ? "T" : "U",
              chance (80) ? 1 : below (3), chance (80) ? 1 : below (3),
              chance (80) ? 1 : below (3));
}

static void
statement (const struct shape *s)
{
  char a[256], b[256], c[256];
  element (s, a, sizeof a, true);
  element (s, b, sizeof b, false);
  element (s, c, sizeof c, false);
  const char *inner = &index_name[s->depth - 1];
  switch (below (24))
    {
    case 0:
      printf ("        t = %s;\n        %s = t * 3 + t;\n", b, a);
      break;
    case 1:
      printf ("        if (%s > 9)\n          %s = %s + 1;\n", b, a, c);
      break;
    case 2:
      printf ("        sum %s= %s;\n", PICK ("+", "-", "^", "*", "|"), b);
      break;
    case 3:
      printf ("        if (%c & 1)\n          t = %s;\n        %s = t;\n",
              *inner, b, a);
      break;
    case 4:
      printf ("        { unsigned u[2]; u[%c & 1] = %s; u[~%c & 1] = 7;"
              " %s = u[0]; }\n",
              *inner, b, *inner, a);
      break;
    case 5:
      printf ("        %s = t;\n        t = %s;\n", a, b);
      break;
    case 6:
      printf ("        if (%s == 77)\n          continue;\n        %s += 5;\n",
              b, a);
      break;
    case 7:
      printf ("        %s = at++;\n", a);
      break;
    case 8:
      printf ("        if (%s == 0x777)\n          %s;\n        %s = %s;\n",
              b, s->directive && s->depth == 1 ? "continue" : "break", a, c);
      break;
    default:
      printf ("        %s = %s %s %s;\n", a, b, PICK ("+", "*", "^"), c);
      break;
    }
}

static void
loop (const struct shape *s, int d)
{
  char i = index_name[d];
  const char *type = s->outer_index ? "" : "int ";
  const char *bound = PICK ("n", "m", "20", "n - 2");
  if (d > 0 && chance (15))
    printf ("%*sfor (%s%c = %c; %c < %s; %c++)\n", 2 * d + 4, "", type, i,
            index_name[d - 1], i, bound, i);
  else
    switch (below (6))
      {
      case 0:
        printf ("%*sfor (%s%c = %s - 1; %c >= %d; %c%s)\n", 2 * d + 4, "",
                type, i, bound, i, below (3), i, PICK ("--", " -= 3"));
        break;
      case 1:
        printf ("%*sfor (%s%c = %d; %c <= %s; %c += %d)\n", 2 * d + 4, "",
                type, i, below (3), i, bound, i, 1 + below (3));
        break;
      default:
        printf ("%*sfor (%s%c = %d; %c < %s; %c++)\n", 2 * d + 4, "", type, i,
                below (3), i, bound, i);
        break;
      }
}

/* The nest that S describes, with statements of its own.  */
static void
nest (const struct shape *s, bool device)
{
  if (device && s->directive >= 2)
    printf ("#pragma acc loop%s\n", PICK ("", " auto"));
  else if (s->directive >= 2)
    below (2);
  for (int d = 0; d < s->depth; d++)
    loop (s, d);
  printf ("      {\n");
  for (int n = 1 + below (3); n > 0; n--)
    statement (s);
  printf ("      }\n");
}

/* What is between two nests: scalars, elements, tests.  */
static void
between (void)
{
  switch (below (9))
    {
    case 0:
      printf ("    sum += t;\n");
      break;
    case 1:
      printf ("    t = sum * 3 + at;\n");
      break;
    case 2:
      printf ("    n = n > 9 ? n - 2 : n + 1;\n");
      break;
    case 3:
      printf ("    at = X[%u] + t;\n", below (40));
      break;
    case 4:
      printf ("    %s[%u] = t + sum;\n", PICK ("p", "P"), 3 + below (60));
      break;
    case 5:
      printf ("    if (%s %s %u)\n", PICK ("n", "m", "t", "sum", "X[n]"),
	      PICK (">", "<", "&"), below (20));
      break;
    case 6:
      printf ("    { unsigned u = q[%u]; t = u > 20 ? sum : t + 1; }\n",
	      below (50));
      break;
    default:
      break;
    }
}

/* The region K for the device or the host.  */
static void
region (int k, bool device, uint64_t seed)
{
  state = seed;
  struct shape s = { .depth = 1 + below (3) };
  s.outer_index = chance (40);
  s.restricted = chance (50);
  s.directive = s.outer_index ? 0 : below (4);
  s.strides = chance (25);
  const char *side = device ? "dev" : "host", *r = s.restricted ? "restrict " : "";
  static const char arrays[] = "ABPQTU";
  for (int a = 0; arrays[a]; a++)
    printf ("#define %c %c_%s\n", arrays[a], arrays[a], side);
  printf ("static void\n%s_%d (int n, int m, int v, int w, unsigned *%sp,"
          " unsigned *%sq, int *X, struct left *left)\n{\n",
          side, k, r, r);
  printf ("  int i = -1, j = -2, k = -3;\n"
          "  unsigned t = 1, sum = 2, at = 3;\n");
  if (device)
    printf ("#pragma acc kernels%s present(p[:4096], q[:4096], X[:64],"
            " A, B, P, Q, T, U)\n",
            s.directive == 1 ? " loop" : "");
  bool block = s.directive != 1;
  if (block)
    printf ("  {\n");
  nest (&s, device);
  for (int n = block && chance (60) ? 1 + below (4) : 0; n > 0; n--)
    {
      for (int k = below (3); k > 0; k--)
	between ();
      s.depth = 1 + below (3);
      s.strides = chance (10);
      nest (&s, device);
      if (chance (20))
	between (), printf ("    ;\n");
    }
  if (block)
    printf ("  }\n");
  printf ("  *left = (struct left){ i, j, k, t, sum, at };\n}\n");
  for (int a = 0; arrays[a]; a++)
    printf ("#undef %c\n", arrays[a]);
  putchar ('\n');
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  uint64_t seed = strtoull (argv[1], NULL, 10) * 0x9E3779B97F4A7C15 + 1;
  int regions = atoi (argv[2]);

  printf ("#include <stdio.h>\n#include <string.h>\n"
          "struct left { int i, j, k; unsigned t, sum, at; };\n");
  for (int side = 0; side < 2; side++)
    {
      const char *name = side ? "host" : "dev";
      printf ("static unsigned A_%s[96][96], B_%s[96][96], P_%s[8192],"
              " Q_%s[8192], base_%s[8192], T_%s[34][34][34],"
              " U_%s[34][34][34];\n",
              name, name, name, name, name, name, name);
    }
  printf ("static int X_both[64];\n\n");
  for (int k = 0; k < regions; k++)
    {
      state = seed + k * 0xD1B54A32D192ED03;
      uint64_t start = state | 1;
      region (k, true, start);
      region (k, false, start);
    }
  printf ("typedef void fn (int, int, int, int, unsigned *, unsigned *, int *,"
          " struct left *);\n"
          "static fn *const devs[] = {");
  for (int k = 0; k < regions; k++)
    printf (" dev_%d,", k);
  printf (" };\nstatic fn *const hosts[] = {");
  for (int k = 0; k < regions; k++)
    printf (" host_%d,", k);
  printf (" };\nstatic const unsigned char restricted[] = {");
  for (int k = 0; k < regions; k++)
    {
      state = (seed + k * 0xD1B54A32D192ED03) | 1;
      below (3);
      chance (40);
      printf (" %d,", chance (50));
    }
  printf (
    " };\n\n"
    "#define SAME(x) (memcmp (x##_dev, x##_host, sizeof x##_dev) == 0)\n"
    "int\nmain (void)\n{\n"
    "  int bad = 0;\n"
    "  for (int r = 0; r < %d; r++)\n"
    "    {\n"
    "      /* Far apart, overlapping, the same.  */\n"
    "      int shift = restricted[r] || r %% 3 == 0 ? 4096 : r %% 3 == 1 ? 1 : 0;\n"
    "      int n = 7 + r %% 13, m = 30 - r %% 19;\n"
    "      /* In their order, in the other one, too small, none.  */\n"
    "      static const int strides[][2]\n"
    "        = { { 21, 1 }, { 1, 21 }, { 3, 2 }, { 1, 1 }, { 0, 1 }, { 40, 2 }, { 2, 1 } };\n"
    "      int v = strides[r %% 7][0], w = strides[r %% 7][1];\n"
    "      struct left a, b;\n"
    "      for (int i = 0; i < 8192; i++)\n"
    "        P_dev[i] = P_host[i] = i * 7 %% 101, Q_dev[i] = Q_host[i] = i * 5 %% 97,\n"
    "        base_dev[i] = base_host[i] = i * 3 %% 89;\n"
    "      for (int i = 0; i < 96 * 96; i++)\n"
    "        A_dev[0][i] = A_host[0][i] = i %% 79, B_dev[0][i] = B_host[0][i] = i %% 83;\n"
    "      for (int i = 0; i < 34 * 34 * 34; i++)\n"
    "        T_dev[0][0][i] = T_host[0][0][i] = i %% 61, U_dev[0][0][i] = U_host[0][0][i] = i %% 53;\n"
    "      for (int i = 0; i < 64; i++)\n"
    "        X_both[i] = i * 11 %% 31;\n"
    "#pragma acc data copy(A_dev, B_dev, P_dev, Q_dev, T_dev, U_dev, base_dev, X_both)\n"
    "      devs[r] (n, m, v, w, base_dev, base_dev + shift, X_both, &a);\n"
    "      hosts[r] (n, m, v, w, base_host, base_host + shift, X_both, &b);\n"
    "      if (!SAME (A) || !SAME (B) || !SAME (P) || !SAME (Q) || !SAME (base)\n"
    "          || !SAME (T) || !SAME (U)\n"
    "          || memcmp (&a, &b, sizeof a))\n"
    "        {\n"
    "          printf (\"region %%d differs%%s\\n\", r, memcmp (&a, &b, sizeof a) ? \" in a scalar\" : \"\");\n"
    "          bad++;\n"
    "        }\n"
    "    }\n"
    "  printf (\"%%d regions, %%d differ\\n\", %d, bad);\n"
    "  return bad != 0;\n}\n",
    regions, regions);
  return 0;
}

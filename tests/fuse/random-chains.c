/* Random chains of neighbouring constructs, which may be fused or not.
   usage: random-chains SEED CHAINS acc|omp

   The program that is written prints a line for each chain: a hash of the bits of
   all that it leaves behind.  Two builds of it, by whatever compilers, print the
   same, as every construct by itself is deterministic: it stores each element once
   and reads none that another of its iterations stores.  Constructs of a chain are
   made to meet: they read what those before store, at the same place or beside it,
   through pointers that may lead to overlapping memory, with bounds that are equal
   or nearly so.  In some chains the outer of two loops has others in its body,
   with directives or without, and rows have a value each.  Sums are of small whole
   numbers, so that their order does not matter.  Products that several constructs
   compute are there for rounding.  In OpenACC, iterations set scalars of the function
   before they read them, which others read as the host has set them; and elements of
   some chains are by a list of places.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  /* Elements of an array before and behind those that loops are about.  */
  EDGE = 4,
  /* Elements of a line of the two-dimensional ones.  */
  LINE = 16
};

static bool omp;

/* The arrays.  Those of one family may overlap; a construct that stores in one of
   them has nothing to do with the others.  */
struct array
{
  const char *name;
  int family;
};
static const struct array arrays[] = {
  { "p", 0 }, { "q", 0 },  { "r", 0 },  { "x", 1 },
  { "y", 2 }, { "z", 3 },  { "w0", 4 }, { "w1", 5 },
  /* Of integers, which no store of another type changes.  */
  { "h", 8 },
  /* The chain's own.  */
  { "t0", 6 }, { "t1", 7 },
};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

/* Those that hold what a chain computes on the way.  */
#define OWN "w0[:size], w1[:size], t0[:size], t1[:size]"

/* Who executes the loops in a loop's body.  */
enum rows
{
  /* There are none.  */
  ROWS_NOT,
  /* The threads of a gang or team.  */
  ROWS_THREADS,
  /* Each thread for itself.  */
  ROWS_PLAIN
};

/* How a chain's data get to the device.  */
enum data
{
  DATA_AROUND,
  DATA_ENTERED,
  DATA_EACH
};

struct chain
{
  enum data data;
  /* Pointers are restrict, so nothing overlaps.  */
  bool restricted;
  /* Two collapsed loops.  */
  bool nested;
  /* The inner of two loops is in the outer's body.  */
  enum rows rows;
  /* What the elements of a construct are by: rows alone, or both loops.  */
  bool by_row;
  /* A body may not store in another array than the construct's.  */
  bool single;
  /* Places are from a list, mostly.  */
  bool listed;
  /* A queue that all constructs are put in.  */
  bool queued;
  /* Clauses say that data are present.  */
  bool present;
  /* What the construct before stored, or -1.  */
  int recent;
  /* What the last product was of, or -1.  */
  int factors[2];
  int sums;
};

/* Has A integers?  They are multiples of 2 to the power of -52.  */
static bool
whole_p (int a)
{
  return *arrays[a].name == 'h';
}

/* The place in A beside the iteration's own by OFFSET.  */
static void
place (const struct chain *c, char *to, size_t size, int a, int offset)
{
  if (c->by_row)
    snprintf (to, size, "%s[%d + j]", arrays[a].name, EDGE + offset);
  else if (c->nested)
    snprintf (to, size, "%s[(%d + j) * %d + %d + i]", arrays[a].name, EDGE / 4,
              LINE, EDGE + offset);
  else
    snprintf (to, size, c->listed && chance (85) ? "%s[%d + list[i]]" : "%s[%d + i]",
              arrays[a].name, EDGE + offset);
}

/* The value there.  */
static void
element (const struct chain *c, char *to, size_t size, int a, int offset)
{
  char at[64];
  place (c, at, sizeof at, a, offset);
  snprintf (to, size, whole_p (a) ? "(%s * 0x1p-52)" : "%s", at);
}

/* A statement that stores VALUE in the array A at the place AT.  */
static void
store (int a, const char *at, const char *value)
{
  printf (whole_p (a) ? "        %s = (long) ((%s) * 0x1p52);\n"
                      : "        %s = %s;\n",
          at, value);
}

/* Mostly no offset.  */
static int
some_offset (void)
{
  return chance (75) ? 0 : (int)below (5) - 2;
}

/* Is array A on the device?  */
static bool
mapped (const struct chain *c, int a)
{
  return c->data != DATA_EACH || arrays[a].family || a == 0;
}

/* The same, mostly of the kind that C's are now; otherwise, in a loop inside of a row,
   the result is true, and the value is the row's.  */
static bool
some_element (struct chain *c, char *to, size_t size, int a, int offset)
{
  bool by_row = c->by_row;
  if (c->rows && chance (15))
    c->by_row = true;
  element (c, to, size, a, offset);
  bool same = c->by_row && !by_row;
  c->by_row = by_row;
  return same;
}

/* An array that may be read where TARGET is stored.  */
static int
some_source (const struct chain *c, int target)
{
  int a = c->recent >= 0 && chance (50) ? c->recent : (int)below (ARRAYS);
  while (arrays[a].family == arrays[target].family || !mapped (c, a))
    a = below (ARRAYS);
  return a;
}

/* The last product again, or one more, alone or in a sum.  */
static void
product (struct chain *c, char *to, size_t size, int target)
{
  char a[64], b[64];
  for (int i = 0; i < 2; i++)
    if (c->factors[i] < 0 || arrays[c->factors[i]].family == arrays[target].family
        || chance (15))
      c->factors[i] = some_source (c, target);
  element (c, a, sizeof a, c->factors[0], 0);
  element (c, b, sizeof b, c->factors[1], 0);
  snprintf (to, size, chance (50) ? "%s * %s" : "%s * %s + 0.7", a, b);
}

/* An expression of elements that do not lie in TARGET.  A product that is the same
   all along a row is exact: where GCC moves it in front of the loop, it does not
   contract it with a sum inside, and whether it does so depends on who executes the
   loop.  */
static void
expression (struct chain *c, char *to, size_t size, int target)
{
  char a[64], b[64];
  if (chance (30))
    {
      product (c, to, size, target);
      return;
    }
  bool same_a = some_element (c, a, sizeof a, some_source (c, target),
                              some_offset ());
  bool same_b = some_element (c, b, sizeof b, some_source (c, target),
                              some_offset ());
  switch (below (7))
    {
    case 0:
      if (same_a && same_b)
        snprintf (b, sizeof b, "4");
      snprintf (to, size, "%s * %s", a, b);
      break;
    case 1:
      snprintf (to, size, "%s + %s", a, b);
      break;
    case 2:
      snprintf (to, size, "%s * %s + %s", same_a ? "0.5" : "f", a, b);
      break;
    case 3:
      snprintf (to, size, "%s * %s - %s * %s", same_a ? "0.5" : "f", a,
                same_b ? "0.25" : "g", b);
      break;
    case 4:
      snprintf (to, size, "(double) %s * 0.1 * %s", c->by_row ? "j" : "i", a);
      break;
    case 5:
      snprintf (to, size, "%s * %s", a, same_a ? "2" : "0.3");
      break;
    default:
      snprintf (to, size, "(%s > %s ? %s : g)", a, b, a);
      break;
    }
}

/* Store VALUE in the array TARGET at the place AT, and what is there, times f, in
   another one that neither VALUE nor MORE reads.  */
static void
store_twice (const struct chain *c, int target, const char *at,
             const char *value, const char *more)
{
  char also[64], product[128];
  int t = some_source (c, target), k = 0;
  while (k++ < 20
         && (strstr (value, arrays[t].name) || strstr (more, arrays[t].name)
             || arrays[t].family == 0
             || arrays[t].family == arrays[target].family))
    t = some_source (c, target);
  store (target, at, value);
  if (k > 20 || arrays[target].family == 0 || c->single)
    return;
  place (c, also, sizeof also, t, 0);
  snprintf (product, sizeof product, "%s * f", at);
  store (t, also, product);
}

/* The same by way of scalars of the function: the iteration sets them, or reads what the
   host has set.  */
static void
own_scalar (int target, const char *at, const char *value, const char *more)
{
  const char *own = PICK ("u", "v", "e");
  switch (below (3))
    {
    case 0:
      printf ("        %s = %s;\n        if (%s > g)\n          %s = %s + 1;\n", own,
              value, more, own, own);
      store (target, at, own);
      break;
    case 1:
      printf ("        %s = %s;\n        for (k = 0; k < 2; k++)\n"
              "          %s = %s * 0.5 + 0.25;\n        %s = %s + %s;\n",
              own, value, own, own, at, own, more);
      break;
    default:
      printf ("        %s = %s + %s;\n", at, value, own);
      break;
    }
}

/* Each iteration's statements, for a construct that stores in TARGET.  */
static void
body (struct chain *c, int target)
{
  char at[64], value[256], more[256];
  place (c, at, sizeof at, target, chance (85) ? 0 : (int)below (3) - 1);
  expression (c, value, sizeof value, target);
  expression (c, more, sizeof more, target);
  if (!omp && !whole_p (target) && chance (25))
    {
      own_scalar (target, at, value, more);
      return;
    }
  switch (whole_p (target) ? 7 : below (8))
    {
    case 0:
      printf ("        if (%s > g)\n          %s = %s;\n", more, at, value);
      break;
    case 1:
      printf ("        { double t = %s; %s = t * t + %s; }\n", value, at, more);
      break;
    case 2:
      printf ("        %s = %s + %s;\n", at, at, value);
      break;
    case 3:
      printf ("        %s = %s;\n        %s = %s * f + %s;\n", at, value, at,
              at, more);
      break;
    case 4:
      store_twice (c, target, at, value, more);
      break;
    default:
      store (target, at, value);
      break;
    }
}

/* A construct's directive; SUM is the number of what it adds to, or -1.
   THREADS: there are loops inside for those of a gang or team.  */
static void
directive (const struct chain *c, int sum, bool threads)
{
  printf (omp ? threads ? "#pragma omp target teams distribute"
                        : "#pragma omp target teams distribute parallel for"
              : "#pragma acc parallel loop");
  if (threads && !omp && chance (70))
    printf (" gang");
  if (c->nested && !c->rows)
    printf (" collapse(2)");
  if (c->present)
    printf (" present(p[:size], q[:size], r[:size], x[:size], y[:size],"
            " z[:size], h[:size], " OWN ")");
  if (c->listed)
    printf (c->data == DATA_EACH ? " copyin(list)" : " present(list)");
  if (c->data == DATA_EACH)
    {
      const char *how = omp ? "map(tofrom: " : "copy(";
      printf (" %sp[:size], x[:size], y[:size], z[:size], h[:size], " OWN ")",
              how);
    }
  if (c->queued)
    printf (" async(3)");
  if (sum >= 0)
    printf (" reduction(+:s%d)%s", sum,
            omp ? sum == 0   ? " map(tofrom: s0)"
                  : sum == 1 ? " map(tofrom: s1)"
                             : " map(tofrom: s2)"
                : "");
  putchar ('\n');
}

static void
loops (const struct chain *c, const char *from, const char *to)
{
  if (c->nested)
    printf ("      for (int j = 0; j < m; j++)\n  ");
  printf ("      for (int i = %s; i < %s; i++)\n      {\n", from, to);
}

/* ---- Rows ---- */

/* A loop in a row's body, which adds to S if SUM.  */
static void
inner_loop (const struct chain *c, bool sum, const char *from, const char *to)
{
  if (c->rows == ROWS_THREADS)
    printf ("%s%s\n",
            omp              ? "#pragma omp parallel for"
            : chance (80)    ? "#pragma acc loop vector"
                             : "#pragma acc loop",
            sum ? " reduction(+:s)" : "");
  printf ("        for (int i = %s; i < %s; i++)\n        {\n", from, to);
}

/* A sum over the row.  */
static void
row_sum (struct chain *c, int target, const char *from, const char *to)
{
  char a[64];
  c->by_row = false;
  printf ("        double s = %d;\n", (int)below (3));
  inner_loop (c, true, from, to);
  some_element (c, a, sizeof a, some_source (c, target), some_offset ());
  printf ("        s += (double) ((long) (%s * 4.0) & 63);\n        }\n", a);
}

/* A map over the row.  */
static void
row_map (struct chain *c, int target, const char *from, const char *to)
{
  c->by_row = false;
  inner_loop (c, false, from, to);
  body (c, target);
  printf ("        }\n");
}

/* A value for the row that follows from its sum.  Of two products in a sum GCC
   may take either to be rounded, in a row as it likes.  */
static void
row_value (struct chain *c, int target)
{
  char at[64], value[64], all[100];
  c->by_row = true;
  place (c, at, sizeof at, target, chance (85) ? 0 : (int)below (3) - 1);
  element (c, value, sizeof value, some_source (c, target), some_offset ());
  snprintf (all, sizeof all, chance (60) ? "f * s" : "s * 0.5 + %s", value);
  store (target, at, all);
}

/* A construct whose iterations are rows.  */
static void
row_construct (struct chain *c, int target, const char *from, const char *to)
{
  int kind = below (5);
  directive (c, -1, kind < 4 && c->rows == ROWS_THREADS);
  printf ("      for (int j = 0; j < %s; j++)\n      {\n",
          chance (92) ? "m" : "m - 1");
  c->single = kind == 3;
  if (kind < 2 || kind == 3)
    row_sum (c, target, from, to);
  if (kind < 2)
    row_value (c, target);
  else if (kind < 4)
    row_map (c, target, from, to);
  else
    {
      c->by_row = true;
      body (c, target);
    }
  c->by_row = false;
  c->recent = target;
  printf ("      }\n");
}

/* ---- Constructs ---- */

static void
construct (struct chain *c, const char *from, const char *to)
{
  int sum = !c->rows && chance (25) && c->sums < 3 ? c->sums++ : -1;
  int target = c->data == DATA_EACH ? 3 + below (ARRAYS - 3) : below (ARRAYS);
  /* Often the same few arrays.  */
  if (chance (40))
    target = ARRAYS - 1 - below (4);
  if (chance (15))
    from = PICK ("0", "1", "lo");
  if (chance (15))
    to = PICK ("hi", "hi - 1", "n", "n + 1", "n - 1");
  if (c->rows)
    {
      row_construct (c, target, from, to);
      return;
    }
  directive (c, sum, false);
  loops (c, from, to);
  if (sum >= 0)
    {
      char a[64];
      int from = c->recent > 2 && chance (70) ? c->recent
                                              : 3 + (int)below (ARRAYS - 3);
      element (c, a, sizeof a, from, some_offset ());
      printf ("        s%d += (double) ((long) (%s * 4.0) & 63);\n", sum, a);
    }
  else
    {
      body (c, target);
      c->recent = target;
    }
  printf ("      }\n");
}

/* What the host does between two constructs.  */
static void
between (const struct chain *c)
{
  switch (below (24))
    {
    case 0:
      printf ("      f = f * 0.5 + 1;\n");
      break;
    case 1:
      printf ("      g = count * 0.25;\n");
      break;
    case 2:
      printf ("      look (x, size);\n");
      break;
    case 3:
      if (c->data != DATA_EACH && !c->queued)
        printf (omp ? "#pragma omp target update from(y[:size])\n"
                      "      f = y[%d] > 1e9 ? 1 : 0.75;\n"
                    : "#pragma acc update self(y[:size])\n"
                      "      f = y[%d] > 1e9 ? 1 : 0.75;\n",
                EDGE + 3);
      break;
    case 4:
      printf ("      hi = n - 1;\n");
      break;
    case 5:
      printf ("      if (count > 3)\n        g = g + 1;\n");
      break;
    case 6:
      if (!omp)
        printf ("      u = u + 0.5;\n      k = 3;\n");
      break;
    default:
      break;
    }
}

/* Data constructs have whole lists; what is created is set before.  */
static void
begin_data (const struct chain *c)
{
  /* OpenACC copies pointers of which it knows no data as they are.  */
  const char *list
    = omp || c->present
        ? "x[:size], y[:size], z[:size], h[:size], base[:3 * size]"
        : "x[:size], y[:size], z[:size], h[:size], p[:size], q[:size],"
          " r[:size]";
  if (c->data == DATA_ENTERED)
    printf (omp ? "#pragma omp target enter data map(to: %s)"
                  " map(alloc: " OWN ")\n"
                : "#pragma acc enter data copyin(%s)"
                  " create(" OWN ")\n",
            list);
  else if (c->data == DATA_AROUND)
    printf (omp ? "#pragma omp target data map(tofrom: %s)"
                  " map(alloc: " OWN ")\n"
                : "#pragma acc data copy(%s)"
                  " create(" OWN ")\n",
            list);
  if (c->listed && c->data != DATA_EACH)
    printf ("#pragma acc data copyin(list)\n");
  printf ("    {\n");
  printf (omp ? "#pragma omp target teams distribute parallel for%s\n"
              : "#pragma acc parallel loop%s\n",
          c->data != DATA_EACH
            ? c->present ? " present(" OWN ")" : ""
          : omp ? " map(tofrom: " OWN ")"
                : " copy(" OWN ")");
  printf ("      for (int i = 0; i < size; i++)\n"
          "        w0[i] = i * 0.75, w1[i] = 1 - i * 0.5,\n"
          "        t0[i] = 2 - i * 0.7, t1[i] = i * 0.3;\n");
}

/* Sometimes somebody looks at what is the chain's own.  */
static void
look_at_own (const struct chain *c)
{
  if (c->data != DATA_EACH && !c->queued && chance (20))
    printf (omp ? "#pragma omp target update from(t1[:size])\n"
                : "#pragma acc update self(t1[:size])\n");
  if (chance (15))
    printf ("      s0 += ((long) (t1[7] * 4.0) & 63);\n");
  else if (c->data == DATA_EACH && chance (15))
    printf ("      s1 += ((long) (t0[8] * 4.0) & 63);\n");
}

static void
end_data (const struct chain *c)
{
  look_at_own (c);
  if (c->queued)
    printf ("#pragma acc wait\n");
  printf ("    }\n");
  if (c->data == DATA_ENTERED)
    printf (omp ? "#pragma omp target exit data map(from: x[:size], y[:size],"
                  " z[:size], h[:size], base[:3 * size]) map(release: " OWN
                  ")\n"
                : "#pragma acc exit data copyout(x[:size], y[:size],"
                  " z[:size], h[:size], base[:3 * size]) delete(" OWN ")\n");
}

static void
one_chain (int k)
{
  struct chain c = { .recent = -1, .factors = { -1, -1 } };
  c.data = chance (20) ? DATA_EACH : chance (50) ? DATA_AROUND : DATA_ENTERED;
  c.restricted = chance (50);
  c.nested = chance (25);
  if (!c.nested && chance (40))
    {
      c.nested = true;
      c.rows = chance (65) ? ROWS_THREADS : ROWS_PLAIN;
    }
  c.listed = !omp && !c.nested && chance (30);
  c.queued = !omp && c.data != DATA_EACH && chance (25);
  c.present = !omp && c.data != DATA_EACH
              && (c.data == DATA_ENTERED || !c.restricted || chance (50));
  const char *r = c.restricted ? "restrict " : "";
  printf ("static double\nchain_%d (int n, int m, int size, int count,"
          " double *base, double *%sp, double *%sq, double *%sr,"
          " double *%sx, double *%sy, double *%sz, double *%sw0,"
          " double *%sw1, long *%sh)\n{\n",
          k, r, r, r, r, r, r, r, r, r);
  printf ("  double s0 = 1, s1 = 2, s2 = 3, f = 1.1, g = 0.7, u = 0.6, v = 0.3, e = 1.9;\n"
          "  int lo = 1, hi = n, k = 2;\n"
          "  double t0[SIZE], *t1 = malloc (sizeof t0);\n"
          "  for (int i = 0; i < size; i++)\n"
          "    t0[i] = 2 - i * 0.7, t1[i] = i * 0.3;\n");
  begin_data (&c);
  const char *from = PICK ("0", "lo"), *to = PICK ("n", "hi");
  for (int left = 2 + below (5); left > 0; left--)
    {
      construct (&c, from, to);
      between (&c);
    }
  end_data (&c);
  printf ("  free (t1);\n"
          "  return s0 + 100 * s1 + 10000 * s2 + lo + hi + u + v + e + k;\n}\n\n");
}

/* The program's main function; APART says of which chains the pointers lead to
   memory of their own.  */
static void
write_main (int chains, const bool *apart)
{
  printf ("static const char apart[] = {");
  for (int k = 0; k < chains; k++)
    printf (" %d,", apart[k]);
  printf (" };\ntypedef double fn (int, int, int, int, double *, double *,"
          " double *, double *, double *, double *, double *, double *,"
          " double *, long *);\nstatic fn *const all[] = {");
  for (int k = 0; k < chains; k++)
    printf (" chain_%d,", k);
  printf (" };\n"
    "static unsigned long long\nhash (unsigned long long h, const double *a, int n)\n"
    "{\n  for (int i = 0; i < n; i++)\n    {\n      unsigned long long b;\n"
    "      memcpy (&b, &a[i], 8);\n      h = (h ^ b) * 0x100000001b3;\n    }\n"
    "  return h;\n}\n\n"
    "int\nmain (void)\n{\n"
    "  static double base[3 * SIZE], x[SIZE], y[SIZE], z[SIZE], w0[SIZE], w1[SIZE];\n"
    "  static long h[SIZE];\n"
    "  for (int k = 0; k < %d; k++)\n    {\n"
    "      int nested = 0, n = 5 + k %% 7, m = 8;\n"
    "      for (int i = 0; i < 3 * SIZE; i++)\n"
    "        base[i] = (i * 7 %% 101) * 0.37;\n"
    "      for (int i = 0; i < SIZE; i++)\n"
    "        x[i] = (i * 5 %% 97) * 0.11, y[i] = 1.7 - (i * 3 %% 89) * 0.23,\n"
    "        z[i] = (i %% 11) * 1.3, w0[i] = w1[i] = 0, h[i] = 1L << 53;\n"
    "      int shift = apart[k] ? SIZE : k %% 3;\n"
    "      double s = all[k] (n, m, SIZE, k, base, base, base + shift,\n"
    "                         base + 2 * shift, x, y, z, w0, w1, h);\n"
    "      unsigned long long v = hash (nested, base, 3 * SIZE);\n"
    "      v = hash (v, x, SIZE);\n      v = hash (v, y, SIZE);\n"
    "      v = hash (v, z, SIZE);\n      v = hash (v, &s, 1);\n"
    "      v = hash (v, (double *) h, SIZE);\n"
    "      printf (\"chain %%d: %%016llx\\n\", k, v);\n"
    "    }\n  return 0;\n}\n",
    chains);
}

int
main (int argc, char **argv)
{
  if (argc != 4)
    return 2;
  uint64_t seed = strtoull (argv[1], NULL, 10) * 0x9E3779B97F4A7C15 + 1;
  int chains = atoi (argv[2]);
  omp = strcmp (argv[3], "omp") == 0;
  bool *apart = calloc (chains + 1, sizeof *apart);
  if (!apart)
    return 2;
  printf ("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
          "enum { SIZE = %d };\n"
          "static int list[] = { 3, 0, 1, 2, 5, 4, 7, 6, 9, 10, 8, 12, 11, 13 };\n"
          "static void __attribute__ ((noipa))\n"
          "look (double *a, int n)\n{\n  (void) a, (void) n;\n}\n\n",
          (EDGE / 4 + 8 + 1) * LINE + 2 * EDGE);
  for (int k = 0; k < chains; k++)
    {
      state = (seed + k * 0xD1B54A32D192ED03) | 1;
      uint64_t start = state;
      /* As one_chain chooses.  */
      bool each = chance (20);
      if (!each)
        chance (50);
      apart[k] = chance (50) || each;
      state = start;
      one_chain (k);
    }
  write_main (chains, apart);
  free (apart);
  return 0;
}

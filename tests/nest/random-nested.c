/* Random programs of regions with regions inside, to a depth of four.
   usage: random-nested acc|omp SEED PROGRAMS REGIONS [launch|used]

   With "launch", parents are loops that accrete makes SPMD kernels of, with
   children that may be launched there; some of those nobody waits for.  With
   "used", the parent or a child behind uses what each of them has done, so that
   all have to be through by then.

   Writes PROGRAMS programs of so many regions, those of seeds from SEED, as one
   file in C, which prints a number for each region; with an argument, a region
   is executed so many times, and what differs is printed as well.  It means the
   same without its directives: an iteration of a loop has a slice of the array for
   itself, and what a child takes by value it does not change, or the program
   without directives (-DPLAIN) has a copy as well.  Arithmetic is modulo 2^64,
   so that a difference is an error.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PARENTS = 12,
  SLICE = 256, /* elements of a parent */
  DEPTH = 4,
  VARIABLES = 24,
  POINTERS = 8,
  MAPPED = 3, /* arrays of other types that a region has */
};

static bool acc, launch, used;

/* Scalar types, and what every value has that they are given: they hold it
   exactly.  */
static const struct
{
  const char *name, *type;
  unsigned mask;
} types[] = {
  { "char", "char", 127 },
  { "schar", "signed char", 127 },
  { "uchar", "unsigned char", 255 },
  { "short", "short", 32767 },
  { "ushort", "unsigned short", 65535 },
  { "int", "int", 0x7fffffff },
  { "unsigned", "unsigned", 0xffffffff },
  { "long", "long", 0xffffffff },
  { "ulong", "unsigned long", 0xffffffff },
  { "llong", "long long", 0xffffffff },
  { "ullong", "unsigned long long", 0xffffffff },
  { "float", "float", 65535 },
  { "double", "double", 0xffffffff },
  { "bool", "_Bool", 1 },
};

enum
{
  TYPES = sizeof types / sizeof *types
};

/* ---- What a thread knows ---- */

struct place
{
  int depth, indent;
  /* The slice: it begins at index "bDEPTH".  */
  int length;
  /* Variables that can be read.  */
  int variables;
  char names[VARIABLES][12];
  /* Pointers, and masks of what can be read there.  */
  int pointers;
  struct
  {
    char name[12];
    unsigned mask;
    bool own; /* into what the thread has for itself */
  } pointer[POINTERS];
  /* The types of which the region has arrays.  */
  unsigned mapped[MAPPED];
  /* The array that the slice is of.  */
  const char *array;
  /* The outermost loop is one of vector lanes, where nobody waits.  */
  bool simd;
  /* Here a child may be one that nobody waits for.  */
  bool once;
  /* There are calls of functions that have children, and pointers to what the
     thread has for itself: these parents' children run in place.  */
  bool calls, owns;
};

static int counter;
static unsigned seed;

__attribute__ ((format (printf, 2, 3))) static void
line (const struct place *p, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  printf ("%*s", format[0] == '#' ? 0 : 2 * p->indent, "");
  vprintf (format, args);
  putchar ('\n');
  va_end (args);
}

static void
add_variable (struct place *p, const char *name)
{
  if (p->variables < VARIABLES)
    snprintf (p->names[p->variables++], sizeof p->names[0], "%s", name);
}

static void
add_pointer (struct place *p, const char *name, unsigned mask, bool own)
{
  if (p->pointers == POINTERS)
    return;
  p->pointer[p->pointers].mask = mask;
  p->pointer[p->pointers].own = own;
  snprintf (p->pointer[p->pointers++].name, sizeof p->pointer->name, "%s",
            name);
}

/* What nobody waits for has no use of what the thread has for itself.  */
static void
forget_own (struct place *p)
{
  int kept = 0;
  for (int i = 0; i < p->pointers; i++)
    if (!p->pointer[i].own)
      p->pointer[kept++] = p->pointer[i];
  p->pointers = kept;
}

/* A value of 64 bits.  */
static const char *
value (const struct place *p)
{
  static char text[4][200];
  static unsigned next;
  char *to = text[next++ % 4];
  const char *var = p->names[below (p->variables)];
  unsigned factor = 1 + below (99);
  unsigned which = p->pointers ? below (p->pointers) : 0;
  switch (below (p->pointers ? 5 : 4))
    {
    case 0:
      snprintf (to, 200, "(U) %s * %u", var, factor);
      break;
    case 1:
      snprintf (to, 200, "((U) %s ^ %u)", var, factor);
      break;
    case 4:
      snprintf (to, 200, "(U) %s[(U) %s & %u] * %u", p->pointer[which].name,
                var, p->pointer[which].mask, factor);
      break;
    case 2:
      snprintf (to, 200, "(U) %s + %s[b%d + %u]", var, p->array, p->depth,
                below (p->length));
      break;
    default:
      snprintf (to, 200, "(U) %s - in[(U) %s & 63]", var,
                p->names[below (p->variables)]);
      break;
    }
  return to;
}

/* ---- Statements ---- */

static void body (struct place *p);

/* A variable of any type.  */
static void
declare (struct place *p)
{
  unsigned t = below (TYPES);
  char name[12];
  snprintf (name, sizeof name, "v%d", counter++);
  line (p, "%s %s = (%s) ((%s) & %uu);", types[t].type, name, types[t].type,
        value (p), types[t].mask);
  add_variable (p, name);
}

/* A pointer to any type: into one of the region's arrays, or to what the thread
   has for itself.  */
static void
point (struct place *p)
{
  int id = counter++;
  char name[12];
  snprintf (name, sizeof name, "p%d", id);
  if (!p->owns || chance (70))
    {
      unsigned t = p->mapped[below (MAPPED)];
      line (p, "const %s *%s = in_%s + ((%s) & 31);", types[t].type, name,
            types[t].name, value (p));
      add_pointer (p, name, 31, false);
      return;
    }
  unsigned t = below (TYPES);
  line (p, "%s w%d[2] = { %u, (%s) ((%s) & %uu) };", types[t].type, id,
        below (2), types[t].type, value (p), types[t].mask);
  line (p, "const %s *%s = w%d;", types[t].type, name, id);
  add_pointer (p, name, 1, true);
}

static void
store (const struct place *p)
{
  line (p, "%s[b%d + %u] %s %s;", p->array, p->depth, below (p->length),
        chance (50) ? "=" : "+=", value (p));
}

/* One of a child's loops.  */
struct loop
{
  const char *type;
  char from[48], text[200];
  int step;
};

/* A loop of COUNT iterations, an expression of 0 to 4, over variable NAME.  */
static struct loop
random_loop (const char *name, const char *count)
{
  static const struct
  {
    const char *type, *from;
    bool small, is_signed;
  } counters[] = {
    { "int", "-3", false, true },
    { "int", "1000", false, true },
    { "int", "2147483600", true, true },
    { "unsigned", "64u", true, false },
    { "unsigned", "4294967200u", true, false },
    { "long", "-1099511627776", false, true },
    { "long long", "9223372036854775700", true, true },
    { "unsigned long", "18446744073709551500u", true, false },
    { "unsigned long long", "1099511627776u", false, false },
    { "short", "-20", true, true },
    { "unsigned char", "100", true, false },
    { "signed char", "60", true, true },
  };
  unsigned t = below (sizeof counters / sizeof *counters);
  struct loop l = { .type = counters[t].type };
  l.step = 1 + below (counters[t].small ? 5 : 50);
  bool down = chance (40), unequal = !acc && chance (15);
  if (unequal)
    l.step = 1;
  snprintf (l.from, sizeof l.from, "%s", counters[t].from);
  char bound[120];
  bool inclusive = !unequal && chance (30);
  /* An inclusive bound stays within the step behind the last value.  */
  snprintf (bound, sizeof bound, "(%s) (%s %c (%s) (%s) * %d%s)", l.type, l.from,
            down ? '-' : '+', l.type, count, l.step,
            inclusive ? (down ? " + 1" : " - 1") : "");
  snprintf (l.text, sizeof l.text, "for (%s %s = %s; %s %s %s; %s %s %d)",
            l.type, name, l.from, name,
            unequal	? "!="
            : inclusive ? (down ? ">=" : "<=")
            : down	? ">"
			: "<",
            bound, name, down ? "-=" : "+=", l.step);
  if (down)
    l.step = -l.step;
  return l;
}

/* The number of the iteration of L that NAME is at.  */
static const char *
number (const struct loop *l, const char *name)
{
  static char text[2][160];
  static unsigned next;
  char *to = text[next++ % 2];
  if (l->step < 0)
    snprintf (to, 160, "(int) ((%s - %s) / %d)", l->from, name, -l->step);
  else
    snprintf (to, 160, "(int) ((%s - %s) / %d)", name, l->from, l->step);
  return to;
}

static const char *
loop_directive (void)
{
  static const char *const accs[]
    = { "acc parallel loop", "acc parallel loop gang vector",
	"acc parallel loop worker", "acc kernels loop", "acc serial loop" };
  static const char *const omps[]
    = { "omp target teams distribute parallel for",
	"omp target teams distribute parallel for",
	"omp target teams distribute parallel for simd",
	"omp target teams distribute",
	"omp target teams distribute simd",
	"omp target parallel for",
	"omp target parallel for simd",
	"omp target simd" };
  return acc ? accs[below (launch ? 3 : sizeof accs / sizeof *accs)]
	     : omps[below (sizeof omps / sizeof *omps)];
}

/* A child of loops, that may sum up.  */
static void
loop_child (struct place *p)
{
  int id = counter++;
  bool collapse = p->length >= 32 && chance (25), sums = chance (40);
  int slices = collapse ? 9 : 4;
  if (p->length / slices < 2)
    {
      store (p);
      return;
    }
  line (p, "{");
  struct place in = *p;
  in.indent++;
  char count[2][40];
  for (int i = 0; i < 2; i++)
    if (chance (40))
      snprintf (count[i], sizeof count[i], "%u", below (collapse ? 4 : 5));
    else
      {
	snprintf (count[i], sizeof count[i], "n%d%c", id, 'a' + i);
	line (&in, "int %s = (int) ((%s) %% %d);", count[i], value (p),
	      collapse ? 4 : 5);
      }
  if (sums)
    line (&in, "U s%d = %s;", id, value (p));
  char i[12], j[12], clauses[300] = "";
  size_t at = 0;
  snprintf (i, sizeof i, "i%d", id);
  snprintf (j, sizeof j, "j%d", id);
  if (sums)
    at += snprintf (clauses + at, sizeof clauses - at,
		    acc ? " reduction (+ : s%d) copy (s%d)"
			: " reduction (+ : s%d) map (tofrom : s%d)",
		    id, id);
  if (collapse)
    at += snprintf (clauses + at, sizeof clauses - at, " collapse (2)");
  if (chance (15))
    at += snprintf (clauses + at, sizeof clauses - at, " if (%s > 1)",
		    p->names[below (p->variables)]);
  bool later = !launch && !acc && !p->simd && chance (8);
  bool never = launch && !used && p->once && !sums && chance (50);
  if (later || never)
    snprintf (clauses + at, sizeof clauses - at, acc ? " async" : " nowait");
  if (never)
    {
      p->once = false;
      in.array = "late";
      forget_own (&in);
    }
  in.once = false;
  line (&in, "#pragma %s%s", loop_directive (), clauses);
  struct loop outer = random_loop (i, count[0]);
  struct loop inner = random_loop (j, count[1]);
  line (&in, "%s", outer.text);
  if (collapse)
    line (&in, "  %s", inner.text);
  in.indent++;
  line (&in, "{");
  in.indent++;
  in.depth++;
  in.length /= slices;
  if (collapse)
    line (&in, "int b%d = b%d + (%s * 3 + %s) * %d;", in.depth, p->depth,
	  number (&outer, i), number (&inner, j), in.length);
  else
    line (&in, "int b%d = b%d + %s * %d;", in.depth, p->depth,
	  number (&outer, i), in.length);
  add_variable (&in, i);
  if (collapse)
    add_variable (&in, j);
  body (&in);
  if (sums)
    line (&in, "s%d += %s;", id, value (&in));
  in.indent--;
  line (&in, "}");
  in.indent--;
  in.depth--;
  if (later)
    line (&in, "#pragma omp taskwait");
  if (sums)
    line (&in, "%s[b%d + %u] += s%d;", p->array, p->depth, below (p->length),
	  id);
  in.indent--;
  line (&in, "}");
}

/* A child without a loop, with a variable by value and one by reference, of any
   types.  */
static void
block_child (struct place *p)
{
  int id = counter++;
  line (p, "{");
  struct place in = *p;
  in.indent++;
  in.once = false;
  unsigned r = below (TYPES), x = below (TYPES);
  line (&in, "%s r%d = (%s) ((%s) & %uu);", types[r].type, id, types[r].type,
        value (p), types[r].mask);
  line (&in, "%s x%d = (%s) ((%s) & %uu);", types[x].type, id, types[x].type,
        value (p), types[x].mask);
  line (&in, "int t%d[3] = { 1, %u, (int) (%s & 255) };", id, below (100),
	value (p));
  line (&in,
	acc ? "#pragma acc serial copy (r%d) firstprivate (x%d)"
	    : "#pragma omp target map (tofrom : r%d) firstprivate (x%d)",
	id, id);
  in.indent++;
  line (&in, "{");
  in.indent++;
  line (&in, "COPY (%s, x%d)", types[x].type, id);
  line (&in, "x%d = (%s) (((U) x%d + 7) & %uu);", id, types[x].type, id,
        types[x].mask);
  line (&in, "r%d = (%s) (((U) r%d * 3 + (U) x%d + t%d[%u]) & %uu);", id,
        types[r].type, id, id, id, below (3), types[r].mask);
  char name[12];
  snprintf (name, sizeof name, "x%d", id);
  add_variable (&in, name);
  body (&in);
  line (&in, "COPIED");
  in.indent--;
  line (&in, "}");
  in.indent--;
  line (&in, "%s[b%d + %u] += (U) r%d * 5 + (U) x%d;", p->array, p->depth,
	below (p->length), id, id);
  in.indent--;
  line (&in, "}");
}

static void
condition (struct place *p)
{
  line (p, "if ((%s) & %u)", value (p), 1 + below (7));
  struct place in = *p;
  in.once = false;
  in.indent++;
  line (&in, "{");
  in.indent++;
  body (&in);
  in.indent--;
  line (&in, "}");
  if (chance (30))
    {
      line (p, "else");
      in = *p;
      in.once = false;
      in.indent++;
      line (&in, "{");
      in.indent++;
      body (&in);
      in.indent--;
      line (&in, "}");
    }
}

static void
plain_loop (struct place *p)
{
  int id = counter++;
  line (p, "for (int q%d = 0; q%d < %u; q%d++)", id, id, 1 + below (3), id);
  struct place in = *p;
  in.indent++;
  line (&in, "{");
  in.indent++;
  in.once = false;
  char name[12];
  snprintf (name, sizeof name, "q%d", id);
  add_variable (&in, name);
  body (&in);
  in.indent--;
  line (&in, "}");
}

static void
statement (struct place *p)
{
  unsigned what = below (100);
  bool deep = p->depth >= DEPTH || p->indent > 14;
  if (what < 12)
    declare (p);
  else if (what < 17)
    point (p);
  else if (what < 40 || deep)
    store (p);
  else if (what < 65)
    loop_child (p);
  else if (what < 75)
    block_child (p);
  else if (what < 82)
    condition (p);
  else if (what < 87)
    plain_loop (p);
  else if (p->length >= 4 && p->calls)
    line (p, "recurse (%s, b%d, %d, %u, %s);", p->array, p->depth, p->length,
	  1 + below (4), value (p));
  else
    store (p);
}

static void
body (struct place *p)
{
  for (int n = 1 + below (3); n >= 0; n--)
    statement (p);
}

/* ---- The program ---- */

static void
head (void)
{
  printf ("/* random-nested %s */\n"
	  "#include <stdio.h>\n"
	  "#include <stdlib.h>\n"
	  "typedef unsigned long long U;\n"
	  "enum { PARENTS = %d, SLICE = %d };\n"
	  "static U out[PARENTS * SLICE], late[PARENTS * SLICE];\n"
	  "static unsigned in[64];\n"
	  "#ifdef PLAIN\n"
	  "#define COPY(type, x) { type x##_ = x; { type x = x##_;\n"
	  "#define COPIED } }\n"
	  "#else\n"
	  "#define COPY(type, x)\n"
	  "#define COPIED\n"
	  "#endif\n",
	  acc ? "acc" : "omp", PARENTS, SLICE);
  for (unsigned t = 0; t < TYPES; t++)
    printf ("static %s in_%s[64];\n", types[t].type, types[t].name);
  /* What the device calls cannot use IN.  */
  printf ("%s"
	  "static void\n"
	  "recurse (U *o, int b, int n, int d, U x)\n"
	  "{\n"
	  "  if (d == 0 || n < 2)\n"
	  "    {\n"
	  "      o[b] += x;\n"
	  "      return;\n"
	  "    }\n"
	  "#pragma %s\n"
	  "  for (int k = 0; k < 2; k++)\n"
	  "    {\n"
	  "      o[b + k * (n / 2)] += x + k;\n"
	  "      recurse (o, b + k * (n / 2), n / 2, d - 1, x * 3 + k);\n"
	  "    }\n"
	  "}\n"
	  "%s",
	  acc ? "#pragma acc routine seq\n" : "#pragma omp declare target\n",
	  acc ? "acc parallel loop present (o[b : n])"
	      : "omp target teams distribute parallel for map (tofrom : o[b : n])",
	  acc ? "" : "#pragma omp end declare target\n");
}

static void
region (int index)
{
  static const char *const outer_omp[]
    = { "omp target teams distribute parallel for",
	"omp target teams distribute parallel for simd",
	"omp target teams distribute", "omp target parallel for" };
  static const char *const outer_acc[]
    = { "acc parallel loop gang vector", "acc parallel loop gang",
	"acc parallel loop" };
  struct place p
      = { .indent = 1,
          .length = SLICE,
          .array = "o",
          .once = true,
          .calls = !launch || chance (10),
          .owns = !launch || chance (20) };
  char arrays[80] = "in";
  /* Different ones, as no list item may be there twice.  */
  unsigned t = below (TYPES), apart = 1 + below (TYPES / MAPPED);
  for (int i = 0; i < MAPPED; i++, t = (t + apart) % TYPES)
    {
      p.mapped[i] = t;
      snprintf (arrays + strlen (arrays), sizeof arrays - strlen (arrays),
                ", in_%s", types[t].name);
    }
  printf ("\nstatic void\nregion%u_%d (U *o)\n{\n", seed, index);
  line (&p, "long k = %u;", below (1000));
  if (acc)
    line (&p, "#pragma %s copy (o[:PARENTS * SLICE], late) copyin (%s)",
	  outer_acc[below (launch ? 1 : 3)], arrays);
  else
    {
      const char *directive = outer_omp[launch ? 3 * below (2) : below (4)];
      p.simd = strstr (directive, "simd");
      line (&p, "#pragma %s map (tofrom : o[:PARENTS * SLICE]) map (to : %s)",
	    directive, arrays);
    }
  line (&p, "for (int i = 0; i < PARENTS; i++)");
  p.indent++;
  line (&p, "{");
  p.indent++;
  line (&p, "int b0 = i * SLICE;");
  add_variable (&p, "i");
  add_variable (&p, "k");
  declare (&p);
  body (&p);
  loop_child (&p);
  if (used)
    line (&p, "o[b0 + %u] += o[b0 + %u] * 3;", below (SLICE), below (SLICE));
  p.indent--;
  line (&p, "}");
  printf ("}\n");
}

int
main (int argc, char **argv)
{
  used = argc == 6 && !strcmp (argv[5], "used");
  launch = used || (argc == 6 && !strcmp (argv[5], "launch"));
  if (argc != 5 && !launch)
    {
      fprintf (stderr,
               "usage: %s acc|omp SEED PROGRAMS REGIONS [launch|used]\n",
               argv[0]);
      return 1;
    }
  acc = !strcmp (argv[1], "acc");
  unsigned first = strtoul (argv[2], NULL, 0);
  unsigned last = first + strtoul (argv[3], NULL, 0);
  int regions = atoi (argv[4]);
  head ();
  for (seed = first; seed < last; seed++)
    {
      state = seed * 0x9e3779b97f4a7c15u + 1;
      for (int i = 0; i < regions; i++)
        region (i);
    }
  printf ("\n"
          "static void\n"
          "execute (unsigned seed, int index, void (*region) (U *), int times)\n"
          "{\n"
          "  U last = 0;\n"
          "  for (int t = 0; t < times; t++)\n"
          "    {\n"
          "      for (int i = 0; i < PARENTS * SLICE; i++)\n"
          "        out[i] = late[i] = i * 7 + index;\n"
          "      region (out);\n"
          "      U sum = 0;\n"
          "      for (int i = 0; i < PARENTS * SLICE; i++)\n"
          "        sum = (sum * 31 + out[i]) * 31 + late[i];\n"
          "      if (t == 0 || sum != last)\n"
          "        printf (\"seed %%u region %%d: %%llx\\n\", seed, index, sum);\n"
          "      last = sum;\n"
          "    }\n"
          "}\n"
          "\n"
          "int\n"
          "main (int argc, char **argv)\n"
          "{\n"
          "  int times = argc > 1 ? atoi (argv[1]) : 1;\n"
          "  setvbuf (stdout, NULL, _IOLBF, 0);\n"
          "  for (int i = 0; i < 64; i++)\n"
          "    {\n"
          "      in[i] = i * 2654435761u;\n");
  for (unsigned t = 0; t < TYPES; t++)
    printf ("      in_%s[i] = (%s) (in[i] >> %u & %uu);\n", types[t].name,
            types[t].type, below (8), types[t].mask);
  printf ("    }\n");
  for (seed = first; seed < last; seed++)
    for (int i = 0; i < regions; i++)
      printf ("  execute (%u, %d, region%u_%d, times);\n", seed, i, seed, i);
  printf ("  return 0;\n}\n");
  return 0;
}

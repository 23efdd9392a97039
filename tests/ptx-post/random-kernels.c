/* Random kernels, of the shapes that GCC makes of OpenACC and OpenMP regions.
   usage: random-kernels SEED REGIONS acc|omp

   The C program that is written runs one region after the other and prints a
   checksum of all memory behind each.  What a region does is the same in
   whatever order its threads run, so that the passes must not change a line.

   All arrays are parts of one pool, so that pointers can lead to the same
   data, to overlapping or to other data; the compiler does not know which.
   What restrict promises is kept.  A region is one of

     - a loop whose iterations run in parallel: what one of them writes no
       other one touches;
     - a nest of gangs, workers and vectors, or of teams and threads, with
       memory of its own for each gang; rows are like iterations;
     - one thread, which may do everything in any order.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* N elements an array; HALF: the unit of places in the pool.  */
enum { N = 128, HALF = N / 2, PLACES = 8, POOL = (PLACES + 2) * HALF };

/* Arrays of N numbers: parameters of the region's function, and, the last
   one, what the pointers in T lead to, element PERMUTED (I) from T[I].  */
enum { ARRAYS = 5, LINKED = ARRAYS - 1 };
static const char *const array_name[ARRAYS] = { "p", "q", "r", "s", NULL };

enum form { LOOP, NEST, SINGLE };

/* The region in work.  */
static struct
{
  enum form form;
  bool acc;
  unsigned place[ARRAYS];	/* in the pool, in units of HALF */
  bool restricted[ARRAYS];
  bool written[ARRAYS];		/* at the iteration's own element only */
  bool summed[ARRAYS];		/* by atomic updates, and not read */
  bool writes_t, writes_f;
  bool plain;			/* arrays alone */
  unsigned depth;		/* of statements in statements */
} region;

static bool
overlap (unsigned a, unsigned b)
{
  unsigned x = region.place[a], y = region.place[b];
  return x < y + 2 && y < x + 2;
}

/* Whether any element of A may be read.  */
static bool
readable (unsigned a)
{
  for (unsigned b = 0; b < ARRAYS; b++)
    if ((region.written[b] || region.summed[b]) && overlap (a, b)
	&& region.form != SINGLE)
      return false;
  return true;
}

/* Whether A's own element of the iteration may be read.  */
static bool
own_readable (unsigned a)
{
  for (unsigned b = 0; b < ARRAYS; b++)
    if (overlap (a, b) && region.form != SINGLE
	&& (region.summed[b]
	    || (region.written[b]
		&& (region.place[a] != region.place[b] || b == LINKED))))
      return false;
  return true;
}

/* The same, and written.  */
static bool
writable (unsigned a)
{
  return region.form == SINGLE || (region.written[a] && own_readable (a));
}

/* ---- Expressions --------------------------------------------------------- */

/* Texts live until TEXTS others have been made.  */
enum { TEXTS = 64, TEXT = 2048 };

static char *
text (void)
{
  static char ring[TEXTS][TEXT];
  static unsigned next;
  return ring[next++ % TEXTS];
}

#define FORMAT(...)							      \
  ({									      \
    char *text_ = text ();						      \
    snprintf (text_, TEXT, __VA_ARGS__);				      \
    text_;								      \
  })

/* The iteration's element.  */
static const char *
own (void)
{
  return "x";
}

static const char *
any (void)
{
  switch (below (5))
    {
    case 0:
      return FORMAT ("(x + %u) %% %d", below (N), N);
    case 1:
      return FORMAT ("(x * %u + %u) %% %d", below (9), below (9), N);
    case 2:
      return FORMAT ("(%d - 1 - x)", N);
    case 3:
      return FORMAT ("(u & %d)", N - 1);
    default:
      return own ();
    }
}

static const char *
condition (void)
{
  return PICK ("x & 1", "x % 3 == 0", "u & 4", "n > 100", "u < x", "x < 40");
}

/* Some array for which OF holds, or ARRAYS.  */
static unsigned
some_array (bool (*of) (unsigned))
{
  unsigned first = below (LINKED);
  for (unsigned i = 0; i < LINKED; i++)
    if (of ((first + i) % LINKED))
      return (first + i) % LINKED;
  return ARRAYS;
}

/* The address of an element of A.  */
static const char *
address (unsigned a, const char *index)
{
  const char *name = array_name[a];
  switch (below (6))
    {
    case 0:
      return FORMAT ("(%s + %s)", name, index);
    case 1:
      return FORMAT ("(unsigned *) ((char *) %s + 4 * (%s))", name, index);
    case 2:
      return FORMAT ("at (%s, %s)", name, index);
    case 3:
      return FORMAT ("(unsigned *) ((unsigned long) %s + (%s) * 4ul)", name,
		     index);
    default:
      return FORMAT ("&%s[%s]", name, index);
    }
}

/* The default of the switches below.  */
enum { PLAIN = 100 };

/* What a load gives.  */
static const char *
value (void)
{
  unsigned a = some_array (readable), b = some_array (readable);
  unsigned w = some_array (own_readable);
  if (w < ARRAYS && (a == ARRAYS || chance (20)))
    return FORMAT ("*%s", address (w, own ()));
  switch (region.plain ? PLAIN : below (19))
    {
    case 0:
      return FORMAT ("w[%s & 7]", PICK ("x", "u", "3"));
    case 1:
      return FORMAT ("table[%s & 15]", PICK ("x", "u", "n"));
    case 2:
      if (!region.writes_t)
	return FORMAT ("t[%s].%s", any (), PICK ("v", "w[1]", "w[u & 3]", "h"));
      return FORMAT ("t[%s].v", own ());
    case 3:
      if (readable (LINKED) && !region.writes_t)
	return FORMAT ("*t[%s].at", any ());
      break;
    case 4:
      if (!region.writes_f)
	return FORMAT ("(unsigned) f[%s]", any ());
      return FORMAT ("(unsigned) f[%s]", own ());
    case 5:
      if (a < ARRAYS)
	return FORMAT ("(%s ? %s : %s)[%s]", condition (), array_name[a],
		       array_name[b], any ());
      break;
    case 6:
      return FORMAT ("y[%u]", below (2));
    case 7:
      if (a < ARRAYS)
	return FORMAT ("fetch (%s, %s)", array_name[a], any ());
      break;
    case 8:
      if (a < ARRAYS)
	return FORMAT ("choose (%s, %s, %s)[%s]", array_name[a], array_name[b],
		       condition (), any ());
      break;
    case 9:
      if (a < ARRAYS)
	return FORMAT ("((const unsigned char *) %s)[(x * %u + %u) %% %d]",
		       array_name[a], below (9), below (9), 4 * N);
      break;
    case 10:
    case 11:
      if (a < ARRAYS)
	return FORMAT ("(*pair[x & 1] + %s[%s])", array_name[a], any ());
      break;
    default:
      if (a < ARRAYS)
	return FORMAT ("*%s", address (a, any ()));
      break;
    }
  return FORMAT ("%u", below (100));
}

static const char *
expression (void)
{
  const char *a = value ();
  if (chance (40))
    return a;
  return FORMAT ("%s %s %s", a, PICK ("+", "-", "*", "^"), value ());
}

/* ---- Statements ---------------------------------------------------------- */

static void statement (void);

static void
indented (void)
{
  region.depth++;
  puts ("	{");
  for (unsigned n = 1 + below (2); n; n--)
    statement ();
  puts ("	}");
  region.depth--;
}

/* Set what the iteration owns: an element of an array, or its variables.  */
static void
assignment (void)
{
  unsigned a = some_array (writable);
  if (a == ARRAYS)
    {
      printf ("	w[%s & 7] += %s;\n", PICK ("x", "u", "2"), expression ());
      return;
    }
  const char *index = region.form == SINGLE ? any () : own ();
  const char *to = address (a, index);
  switch (region.plain ? PLAIN : below (7))
    {
    case 0:
      printf ("	store (%s, %s, %s);\n", array_name[a], index, expression ());
      break;
    case 1:
      /* Of a thread or of all.  */
      printf ("	{ unsigned *z = %s ? %s : &w[x & 7]; *z %s %s; }\n",
	      condition (), to, PICK ("=", "+=", "^="), expression ());
      break;
    case 2:
      {
	unsigned b = some_array (writable);
	printf ("	choose (%s, %s, %s)[%s] += %s;\n", array_name[a],
		array_name[b], condition (), index, expression ());
	break;
      }
    default:
      printf ("	*%s %s %s;\n", to, PICK ("=", "+=", "^="), expression ());
      break;
    }
}

static bool
is_summed (unsigned a)
{
  return region.summed[a];
}

static void
statement (void)
{
  unsigned a = some_array (readable), h = some_array (is_summed);
  switch (region.plain ? PLAIN : below (region.depth < 2 ? 21 : 16))
    {
    case 0:
      printf ("	w[%s & 7] = %s;\n", PICK ("x", "u", "5"), expression ());
      break;
    case 1:
      printf ("	u = %s;\n", expression ());
      break;
    case 2:
      printf ("	u += %s;\n", expression ());
      break;
    case 3:
      printf ("	sum += %s;\n", expression ());
      break;
    case 4:
      /* Lanes need not agree in how often.  */
      if (a < ARRAYS)
	printf ("	for (const unsigned *z = %s, *end = %s + %d; z < end;"
		" z += 1 + (x & %u)) u += *z;\n",
		address (a, FORMAT ("%u", below (N - 8))), array_name[a], N,
		below (4));
      break;
    case 5:
      if (h < ARRAYS)
	printf ("#pragma %s atomic\n	%s[%s] += %s;\n",
		region.acc ? "acc" : "omp", array_name[h], any (), expression ());
      break;
    case 6:
      printf ("	{ struct cell c = t[%s]; c.w[u & 3] += %s; u += c.w[1] + c.v; }\n",
	      region.writes_t ? own () : any (), value ());
      break;
    case 7:
      if (region.writes_t)
	printf ("	t[%s].%s %s;\n", own (), PICK ("v =", "h +=", "w[x & 3] ="),
		expression ());
      break;
    case 8:
      if (region.writes_f)
	printf ("	f[%s] = (float) ((%s) & 255);\n", own (), expression ());
      break;
    case 9:
      if (region.written[LINKED] || region.form == SINGLE)
	printf ("	*t[%s].at %s %s;\n", own (), PICK ("=", "+="),
		expression ());
      break;
    case 10:
      if (a < ARRAYS)
	printf ("	__builtin_memcpy (&w[2], &%s[%u], 16);\n", array_name[a],
		below (N - 4));
      break;
    case 11:
    case 12:
      /* Of a thread or of all.  */
      if (a < ARRAYS)
	printf ("	y = %s ? &w[u & 3] : %s;\n", condition (),
		address (a, FORMAT ("(%s) / 2", any ())));
      break;
    case 16:
      printf ("	if (%s)\n", condition ());
      indented ();
      break;
    case 17:
      printf ("	for (unsigned k = 0; k < %s; k++)\n",
	      PICK ("2", "3", "(x & 3)", "n / 50"));
      indented ();
      break;
    case 18:
      if (a < ARRAYS)
	printf ("	switch (x & 3)\n	  {\n"
		"	  case 0: pair[0] = %s; break;\n"
		"	  case 2: pair[1] = %s; break;\n"
		"	  default: pair[x & 1] = %s;\n	  }\n"
		"	u ^= *pair[0] - *pair[1];\n",
		address (a, any ()), address (some_array (readable), any ()),
		"w");
      break;
    default:
      assignment ();
      break;
    }
}

/* The variables of an iteration and what it does.  */
static void
body (void)
{
  puts ("	unsigned u = x * 3 + 1, w[8] = { x, 1, n, 3, 5 };\n"
	"	const unsigned *pair[2] = { w, w + 1 }, *y = w + 2;");
  for (unsigned n = 2 + below (4); n; n--)
    statement ();
  puts ("	sum += u + *y + w[x & 7] + (*pair[0] ^ *pair[1]);");
}

/* ---- Regions ------------------------------------------------------------- */

static void
choose_arrays (void)
{
  for (unsigned a = 0; a < ARRAYS; a++)
    {
      region.place[a] = chance (70) ? 2 * below (PLACES / 2) : below (PLACES);
      region.written[a] = chance (a == LINKED ? 20 : 35);
      region.summed[a] = false;
    }
  /* The elements that iterations own are others in different arrays.  */
  for (unsigned a = 0; a < ARRAYS; a++)
    for (unsigned b = 0; b < a; b++)
      if (region.written[a] && region.written[b] && overlap (a, b)
	  && (region.place[a] != region.place[b] || a == LINKED))
	region.written[a] = false;
  unsigned h = below (LINKED);
  region.summed[h] = chance (30);
  for (unsigned a = 0; region.summed[h] && a < ARRAYS; a++)
    if (region.written[a] && overlap (a, h))
      region.summed[h] = false;
  if (region.form == SINGLE)
    region.summed[h] = false;
  region.writes_t = chance (20);
  region.writes_f = chance (20);
  for (unsigned a = 0; a < ARRAYS; a++)
    {
      bool alone = a != LINKED;
      for (unsigned b = 0; b < ARRAYS; b++)
	alone = alone && (a == b || !overlap (a, b));
      region.restricted[a] = alone && chance (60);
    }
}

/* Data clauses: all is present, whatever they say.  */
static void
clauses (void)
{
  for (unsigned a = 0; a < LINKED; a++)
    {
      bool written
	= region.form == SINGLE || region.written[a] || region.summed[a];
      if (region.acc)
	printf (" %s(%s[0:n])",
		written ? PICK ("copy", "present") : PICK ("copyin", "copy", "present"),
		array_name[a]);
      else
	printf (" map(%s: %s[0:n])", written ? "tofrom" : PICK ("to", "tofrom"),
		array_name[a]);
    }
  fputs (region.acc ? " present(t[0:n], f[0:n], table) copy(sum)\n"
		    : " map(tofrom: t[0:n], f[0:n], sum)\n", stdout);
}

static void
loop_region (void)
{
  fputs (region.acc ? "#pragma acc parallel loop gang vector reduction(+: sum)"
		    : "#pragma omp target teams distribute parallel for"
		      " reduction(+: sum)", stdout);
  clauses ();
  puts ("    for (int x = 0; x < n; x++)\n      {");
  body ();
  puts ("      }");
}

/* Rows of COLS elements; G is the row's, and handed from one inner loop to the
   next.  */
static void
nest_region (void)
{
  enum { COLS = 16 };
  bool workers = chance (50);
  if (region.acc)
    printf ("#pragma acc parallel num_gangs(%u) num_workers(%u)"
	    " vector_length(%u)", 1 + below (4), workers ? 4 : 1,
	    workers || chance (70) ? 32 : 64);
  else
    fputs ("#pragma omp target", stdout);
  clauses ();
  puts ("  {");
  puts (region.acc ? "#pragma acc loop gang reduction(+: sum)"
		   : "#pragma omp teams distribute reduction(+: sum)");
  printf ("  for (int i = 0; i < n / %d; i++)\n    {\n"
	  "      unsigned g[%d], *first = g;\n", COLS, COLS);
  const char *inner = region.acc ? PICK ("acc loop vector", "acc loop worker vector")
				 : "omp parallel for";
  /* All of a row is on its way through shared memory.  */
  const char *held[2] = { "0", "0" };
  for (unsigned k = 0; k < 2; k++)
    {
      unsigned a = some_array (readable);
      if (a < ARRAYS && chance (60))
	held[k] = FORMAT ("%s[i + %u]", array_name[a], below (9));
    }
  printf ("      unsigned held = %s, *more = held & 1 ? first : g + 1;\n",
	  held[0]);
  printf ("#pragma %s\n      for (int j = 0; j < %d; j++)\n"
	  "	g[j] = held + j * %u;\n", inner, COLS, below (100));
  printf ("#pragma %s reduction(+: sum)\n      for (int j = 0; j < %d; j++)\n"
	  "      {\n	int x = i * %d + j;\n	sum += first[%d - 1 - j] + more[j / 2] + %s;\n",
	  inner, COLS, COLS, COLS, held[1]);
  body ();
  puts ("      }\n    }\n  }");
}

static void
single_region (void)
{
  fputs (region.acc ? PICK ("#pragma acc serial",
			    "#pragma acc parallel num_gangs(1) vector_length(32)")
		    : "#pragma omp target", stdout);
  clauses ();
  printf ("  for (int x = 0; x < n; x += %u)\n      {\n", 1 + below (7));
  body ();
  puts ("      }");
}

/* Region K, and to CALLS the call to it.  */
static void
write_region (unsigned k, FILE *calls)
{
  region.form = chance (50) ? LOOP : chance (50) ? NEST : SINGLE;
  region.depth = 0;
  region.plain = chance (30);
  choose_arrays ();
  printf ("static unsigned\nregion_%u (int n, struct cell *t, float *f", k);
  fprintf (calls, "  run (%u, region_%u (%d, cells, floats", k, k, N);
  for (unsigned a = 0; a < LINKED; a++)
    {
      printf (", unsigned *%s%s", region.restricted[a] ? "restrict " : "",
	      array_name[a]);
      fprintf (calls, ", pool + %u", region.place[a] * HALF);
    }
  fputs ("));\n", calls);
  puts (")\n{\n  unsigned sum = 0;");
  printf ("  link_to (pool + %u);\n", region.place[LINKED] * HALF);
  switch (region.form)
    {
    case LOOP:
      loop_region ();
      break;
    case NEST:
      nest_region ();
      break;
    case SINGLE:
      single_region ();
      break;
    }
  puts ("  return sum;\n}\n");
}

/* Functions that regions call, and where pointers in memory lead.  */
static void
write_head (void)
{
  bool acc = region.acc;
  printf ("#include <stdio.h>\n"
	  "enum { N = %d, POOL = %d };\n"
	  "struct cell { unsigned v, *at; unsigned short h; unsigned w[4]; };\n"
	  "static unsigned pool[POOL];\n"
	  "static struct cell cells[N];\n"
	  "static float floats[N];\n", N, POOL);
  static const char *const functions[] = {
    "fetch (const unsigned *p, int i)\n{\n  return p[i] + table[i & 15];\n}\n",
    "store (unsigned *p, int i, unsigned v)\n{\n  return p[i] = v;\n}\n",
    "*at (unsigned *p, int i)\n{\n  return p + i;\n}\n",
    "*choose (unsigned *p, unsigned *q, int c)\n{\n  return c ? p : q;\n}\n",
  };
  enum { FUNCTIONS = sizeof functions / sizeof *functions };
  puts (acc ? "" : "#pragma omp declare target");
  puts ("static unsigned table[16] = { 3, 1, 4, 1, 5, 9, 2, 6 };");
  puts (acc ? "#pragma acc declare copyin(table)" : "");
  for (unsigned i = 0; i < FUNCTIONS; i++)
    printf ("%s%sstatic unsigned %s", acc ? "#pragma acc routine seq\n" : "",
	    i + 1 < FUNCTIONS ? "__attribute__ ((noinline)) " : "",
	    functions[i]);
  puts (acc ? "" : "#pragma omp end declare target");
  printf ("static void\nlink_to (unsigned *p)\n{\n#pragma %s\n"
	  "  for (int i = 0; i < N; i++)\n"
	  "    cells[i].at = p + (i * 37 + 5) %% N;\n}\n\n",
	  acc ? "acc parallel loop present(p[0:N], cells)"
	      : "omp target map(p[0:N])");
}

/* CALLS to regions.  */
static void
write_main (const char *calls)
{
  printf ("static void\nrun (int k, unsigned sum)\n{\n"
	  "#pragma %s(pool, cells, floats)\n"
	  "  for (int i = 0; i < POOL; i++)\n    sum = sum * 31 + pool[i];\n"
	  "  for (int i = 0; i < N; i++)\n"
	  "    sum = sum * 31 + cells[i].v + cells[i].h + (unsigned) floats[i];\n"
	  "  printf (\"region %%d %%08x\\n\", k, sum);\n}\n\n"
	  "int\nmain (void)\n{\n"
	  "  for (int i = 0; i < POOL; i++)\n    pool[i] = i * 7 %% 101;\n"
	  "  for (int i = 0; i < N; i++)\n    {\n      floats[i] = i %% 13;\n"
	  "      cells[i] = (struct cell){ i, 0, i %% 7, { i, 2, 3 } };\n    }\n"
	  "#pragma %s(pool, cells, floats)\n  {\n%s  }\n}\n",
	  region.acc ? "acc update self" : "omp target update from",
	  region.acc ? "acc data copy" : "omp target data map", calls);
}

int
main (int argc, char **argv)
{
  if (argc != 4)
    return 2;
  state = strtoull (argv[1], NULL, 10) * 0x9E3779B97F4A7C15 + 1;
  unsigned regions = strtoul (argv[2], NULL, 10);
  region.acc = strcmp (argv[3], "acc") == 0;
  char *calls;
  size_t len;
  FILE *f = open_memstream (&calls, &len);
  if (!f)
    return 1;
  write_head ();
  for (unsigned k = 0; k < regions; k++)
    write_region (k, f);
  fclose (f);
  write_main (calls);
  free (calls);
  return 0;
}

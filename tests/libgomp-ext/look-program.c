/* A random program for late.sh whose host code looks, between constructs, at
   what they gave back, in all ways that we know of: see look-program.h.  It has
   COUNT tests, each a function; few kernels, so that it compiles fast.
   usage: look-program SEED COUNT >PROGRAM.c or PROGRAM.cc

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 96 /* look-program.h */
};

static int level;
static int nlabels;
static bool fixed_flow; /* no way out but the end: in a data construct */

__attribute__ ((format (printf, 1, 2))) static void
line (const char *fmt, ...)
{
  va_list ap;
  printf ("%*s", 2 * level + 2, "");
  va_start (ap, fmt);
  vprintf (fmt, ap);
  va_end (ap);
  putchar ('\n');
}

/* Arrays of N elements that live as long as the program, that live as long as
   a test, and aliases of some.  Only the first may be left on the device.  */
static const char *
global (void)
{
  return PICK ("fixed", "other", "own", "rec.a", "rec.b", "both.word", "heap",
               "shared", "outer");
}

static const char *
local (void)
{
  return PICK ("loc", "vla", "mine", "(big + 40)", "st.a", "st.b", "grid[1]",
               "half");
}

static const char *
alias (void)
{
  return PICK ("rec.p", "constant", "away", "(k & 1 ? fixed : heap)",
               "((unsigned *)((char *)outer))");
}

static const char *
array (void)
{
  unsigned u = below (10);
  return u < 5 ? global () : u < 8 ? local () : alias ();
}

static const char *
relation (void)
{
  return PICK ("&", "<", ">", "^", "% 3 ==");
}

/* ---- Constructs -------------------------------------------------------- */

static void
construct (void)
{
  const char *a = array ();
  int from = chance (70) ? 0 : below (20), n = from ? 20 + below (50) : N;
  unsigned k = 1 + below (9);
  switch (below (14))
    {
    case 0:
    case 1:
    case 2:
      line ("give (%s + %d, %d, k + %u);", a, from, n, k);
      break;
    case 3:
    case 4:
    case 5:
      line ("change (%s + %d, %d, %u);", a, from, n, k);
      break;
    case 6:
      line ("add (%s, %s, n);", global (), local ());
      break;
    case 7:
      line ("later (%s, n, %u);", a, k);
      break;
    case 8:
      line ("here (%s, n, k + %u);", a, k);
      break;
    case 9:
      line ("note (total (%s, n));", a);
      break;
    default:
      line ("get (%s, %d, %d);", global (), from, n);
      break;
    case 13:
      line ("put (%s, %d, %d);", global (), from, n);
      break;
    }
}

static void
move (void)
{
  line ("%s (%s);", PICK ("enter", "enter", "leave", "leave", "drop"),
        global ());
}

/* One that names a variable.  */
static void
named (void)
{
  const char *v = PICK ("fixed", "loc", "outer", "st.b");
  printf ("#pragma acc parallel loop copy (%s)\n"
          "#pragma omp target parallel for map (tofrom: %s)\n",
          v, v);
  line ("for (int i = 0; i < %d; i++)", N);
  line ("  %s[i] += i * %u;", v, below (9));
}

static void statements (int n);

/* The body of what the last line began.  */
static void
body (int n)
{
  line ("{");
  level++;
  statements (n);
  level--;
  line ("}");
}

static void
structured (void)
{
  bool was = fixed_flow;
  line ("{");
  line ("unsigned *d = %s;", global ());
  printf ("#pragma acc data copy (d [0:%d])\n"
          "#pragma omp target data map (tofrom: d [0:%d])\n",
          N, N);
  fixed_flow = true;
  body (1 + below (3));
  fixed_flow = was;
  line ("}");
}

/* ---- Ways to look ------------------------------------------------------ */

/* What F makes of two elements, of arrays that F has as %s and %d twice.  */
static void
words (void)
{
  static const char *const form[] = {
    "note ((%s)[%d] + (%s)[%d]);",
    "(%s)[%d] = (%s)[%d] + 1;",
    "(%s)[%d] += (%s)[%d] ^ sum;",
    "if ((%s)[%d] > (%s)[%d]) note (5); else note (7);",
    "{ unsigned *p = %s + %d, *q = %s + %d; unsigned t = *p; *p = *q; *q = t; }",
    "{ unsigned *p = k & 2 ? %s + %d : %s + %d; *p += 3; note (*p); }",
    "switch ((%s)[%d] %% 4) { case 0: note (1); break; case 1: break; default: "
    "note ((%s)[%d]); }",
    "{ unsigned *const v[2] = { %s + %d, %s + %d }; note (*v[k & 1]); }",
    "vol = (%s)[%d]; note (vol + (%s)[%d]);",
    "note (((volatile unsigned *)%s)[%d]); note ((%s)[%d]);",
    "((volatile unsigned *)%s)[%d] = sum; note ((%s)[%d]);",
    "__atomic_fetch_add (&(%s)[%d], 5, __ATOMIC_RELAXED); note ((%s)[%d]);",
    "note (__atomic_load_n (&(%s)[%d], __ATOMIC_RELAXED)); "
    "__atomic_store_n (&(%s)[%d], sum, __ATOMIC_RELEASE);",
    "note (((unsigned char *)(%s))[%d]); ((unsigned char *)(%s))[%d] = k;",
    "{ vector4 v = *(vector4 *)((%s) + %d / 2); v += *(vector4 *)((%s) + %d / "
    "2); note (v[0] ^ v[3]); }",
    "__asm__ volatile (\"\" : \"+m\" ((%s)[%d]), \"+m\" ((%s)[%d]));",
    "{ unsigned t; __asm__ (\"\" : \"=r\" (t) : \"0\" ((%s)[%d]), \"m\" ((%s)[%d])); "
    "note (t); }",
    "{ unsigned *p = %s + %d, *q = %s + %d; __asm__ volatile (\"\" : : \"r\" (p), "
    "\"r\" (q) : \"memory\"); note (*p - *q); }",
    "note (peek (%s, %d + k)); note (peek_away (%s, %d));",
    "note (peek_pure (%s, %d)); note (far_call (peek_word, (%s) + %d));",
    "note (peek_list (2, (%s) + %d, (%s) + %d));",
    "note (far_thread (peek_word, (%s) + %d)); note (far_ask (%s, %d));",
    "ask ((%s) + %d); note ((%s)[%d]);",
    "ask_volatile ((%s) + %d); note ((%s)[%d]);",
    "if (memchr (%s, %d, 50) == NULL) note ((%s)[%d]);",
    "note (memcmp (%s, \"abc\", %d & 3) > 0); note ((%s)[%d]);",
    "{ char text[40]; snprintf (text, sizeof text, \"%%u\", (%s)[%d]); note "
    "(text[0] + (%s)[%d]); }",
    "if ((%s)[%d] %% 5 == 0 && (%s)[%d] & 1) note (3);",
  };
  unsigned f = below (sizeof form / sizeof *form);
  const char *a = array (), *b = array ();
  line (form[f], a, below (N), b, below (N));
}

static void
loops (void)
{
  static const char *const form[] = {
    "for (int i = 0; i < n; i++) note ((%s)[i] + (%s)[n - 1 - i]);",
    "for (int i = n - 1; i >= 2; i -= 3) (%s)[i] = (%s)[i - 2] + k;",
    "for (unsigned i = 5; i < 60u; i += 2) { if ((%s)[i] & 1) (%s)[i + 1] ^= i; }",
    "for (unsigned char i = 90; i; i--) (%s)[i] += (%s)[i - 1];",
    "for (int i = 0; i < n && (%s)[i] %% 7 != 3; i++) note ((%s)[i] + i);",
    "for (int i = 0; i < 9; i++) for (int j = i; j < 9; j++) (%s)[i * 9 + j] += "
    "(%s)[j];",
    "{ unsigned *p = %s, *e = p + n / 2, *q = %s; do { *p++ ^= *q; q += 2; } "
    "while (p < e); }",
    "{ unsigned *p = %s; while (p[0] && p < %s + 8) p++; note (*p); }",
    "for (int i = 0; i < n; i++) note ((%s)[(%s)[i] %% 90]);",
    "for (long i = -40; i < 40; i += 8) (%s)[i + 40] = (%s)[50 - i];",
    "for (int r = 0; r < 3; r++) { int i = r * k; for (; i < 80; i += r + 1) "
    "(%s)[i] += (%s)[i] >> r; }",
    "for (int i = 0; i < n; i++) { if ((%s)[i] == 77) break; (%s)[i]++; }",
    "for (int i = 0; i < n / 4; i++) ((vector4 *)(%s))[i] += ((vector4 "
    "*)(%s))[i];",
    "memcpy (%s, half, n * sizeof (int) / 2); note ((%s)[3]);",
    "memmove (%s, (%s) + 3, 4 * (n - 3));",
    "memset (%s, k, 4 * n); note ((%s)[9]);",
    "note (through_file (%s, %s, n / 2));",
    "if (write (ends[1], %s, 4 * n) != 4 * n || read (ends[0], %s, 4 * n) != 4 "
    "* n) abort ();",
    "far_fill (%s, n, k); note (far_sum (%s, n));",
    "qsort (%s, n / 2, sizeof (unsigned), compare); note ((%s)[0]);",
    "{ unsigned s = 0;\n"
    "#pragma omp parallel for reduction (+ : s) num_threads (2)\n"
    "for (int i = 0; i < 90; i++) s += (%s)[i] ^ (%s)[i]; note (s); }",
  };
  unsigned f = below (sizeof form / sizeof *form);
  const char *a = array (), *b = array ();
  line (form[f], a, b);
}

static void
others (void)
{
  static const char *const form[] = {
    "note (far_kept (%d));",
    "note (far_call (peek_everywhere, NULL) + %d);",
    "raise (SIGUSR1); note (vol + %d);",
    "{ struct record c = rec; note (c.a[%d] + c.low); }",
    "{ union both c = both; note (c.half[%d].low); both.half[1].high ^= 1; }",
    "rec.high += %d; rec.low ^= rec.b[2]; note (rec.high + rec.low);",
    "{ struct record *p = &rec; p->b[%d]++; rec = *p; st = *p; }",
    "far_construct (fixed, n, %d);",
    "{ unsigned *p = (unsigned *)malloc (4 * n); give (p, n, k); free (p); p = "
    "(unsigned *)malloc (4 * n); for (int i = 0; i < n; i++) p[i] = i; note "
    "(p[%d]); free (p); }",
    "{ unsigned *p = (unsigned *)malloc (4 * n); give (p, n, k); p = (unsigned "
    "*)realloc (p, 40000); note (p[%d]); free (p); }",
    "{ { unsigned t[80]; give (t, 80, k); } { unsigned u[80]; for (int i = 0; i "
    "< 80; i++) u[i] = i ^ k; for (int i = 0; i < 80; i += k) note (u[i] + "
    "%d); } }",
    "for (int r = 1; r < 3; r++) { unsigned t[n / r]; give (t, n / r, r); note "
    "(t[%d / r]); }",
    "if (k == 2) note (in_child (heap, %d));",
    "if (k == 1) note (in_child (shared, %d));",
    "{ unsigned s = %d; for (unsigned *p = fixed; p < fixed + n; p++) s ^= *p; "
    "note (s); }",
#define IN_C "\n#ifndef __cplusplus\n"
#define IN_CXX "\n#ifdef __cplusplus\n"
#define END "\n#endif"
    IN_C "{ void inner (int i) { loc[i]++; note (loc[i] + fixed[3]); } change "
         "(loc, n, k); inner (%d); note (loc[1]); }" END,
    IN_CXX "{ auto inner = [&] (int i) { loc[i]++; give (fixed, n, i); note "
           "(loc[i] + st.a[3]); }; inner (%d); }" END,
    IN_CXX "try { note (far_throw (k + %d)); change (fixed, n, k); } catch (int "
           "e) { note (fixed[e %% 90]); give (heap, n, e); }" END,
    IN_CXX "try { giver g = { heap, k }; note (far_throw (k + %d)); } catch (int "
           "e) { note (heap[e %% 90]); }" END,
    IN_CXX "{ giver g = { fixed, k }; note (heap[%d]); }" END,
  };
  line (form[below (sizeof form / sizeof *form)], below (N));
}

/* What leaves the test, or what the test calls.  */
static void
leaving (void)
{
  if (fixed_flow)
    return;
  switch (below (3))
    {
    case 0:
      line ("if ((%s)[%u] %s k) return;", array (), below (N), relation ());
      break;
    case 1:
      line ("jump ((%s)[%u] %s k);", array (), below (N), relation ());
      break;
    case 2:
      line ("note (far_throw (k + %u));", below (9));
      break;
    }
}

/* ---- Flow -------------------------------------------------------------- */

static void
nested (void)
{
  if (level > 2)
    return;
  int label = nlabels++;
  switch (below (5))
    {
    case 0:
      line ("for (int t%d = 0; t%d < %u; t%d++)", label, label, 1 + below (3),
            label);
      body (1 + below (4));
      break;
    case 1:
      line ("if ((%s)[%u] %s k)", array (), below (N), relation ());
      body (1 + below (4));
      break;
    case 2:
      line ("if (sum %% 3 %s k)", relation ());
      body (1 + below (3));
      line ("else");
      body (1 + below (3));
      break;
    case 3:
      line ("for (int t%d = 0; t%d < 4; t%d++)", label, label, label);
      line ("{");
      level++;
      statements (1 + below (2));
      line ("if ((%s)[%u] & 1) break;", array (), below (N));
      statements (1 + below (2));
      line ("if (sum & 1) continue;");
      statements (1);
      level--;
      line ("}");
      break;
    case 4:
      structured ();
      break;
    }
}

static void
statements (int n)
{
  while (n--)
    {
      unsigned u = below (100);
      if (u < 34)
        construct ();
      else if (u < 41)
        move ();
      else if (u < 61)
        words ();
      else if (u < 74)
        loops ();
      else if (u < 83)
        others ();
      else if (u < 85)
        leaving ();
      else if (u < 87)
        named ();
      else
        nested ();
    }
}

/* A test's function, of which some have others that they call.  */
static void
function (int t, const char *suffix)
{
  printf ("%s void\ntest%d%s (int k, int n)\n{\n",
          *suffix ? PICK ("ALWAYS", "NEVER", "static") : "NEVER", t, suffix);
  line ("unsigned loc[N], vla[n], big[2 * N], grid[3][N], *half = big + 17;");
  line ("unsigned *mine = (unsigned *)alloca (n * sizeof *mine);");
  line ("unsigned *away = sum & 1 ? rec.b : heap;");
  line ("struct record st;");
  line ("memset (&st, k, sizeof st);");
  line ("for (int i = 0; i < n; i++)");
  line ("  loc[i] = vla[i] = mine[i] = big[i] = big[i + N] = grid[0][i]");
  line ("      = grid[1][i] = grid[2][i] = i * k;");
  statements (5 + below (8));
  if (!*suffix && chance (60))
    {
      line ("test%d_in (k + %u, n);", t, below (3));
      statements (1 + below (3));
    }
  if (chance (50))
    line ("note (loc[1] + vla[2] + mine[3] + big[50] + grid[1][4] + st.b[5]);");
  printf ("}\n");
}

int
main (int argc, char **argv)
{
  int count = argc > 2 ? atoi (argv[2]) : 10;
  state += argc > 1 ? atoi (argv[1]) : 0;
  puts ("#include \"look-program.h\"\n"
        "#ifdef __cplusplus\n"
        "struct giver\n{\n  unsigned *p;\n  int k;\n"
        "  __attribute__ ((always_inline)) ~giver () { give (p, N, k); }\n};\n"
        "#endif");
  for (int t = 0; t < count; t++)
    {
      function (t, "_in");
      function (t, "");
      /* What comes out of a test is its end.  */
      printf ("NEVER void\ntest%d_all (int k, int n)\n{\n", t);
      puts ("#ifdef __cplusplus\n  try {\n#endif\n"
            "  if (!setjmp (back))");
      printf ("    test%d (k, n);\n", t);
      puts ("#ifdef __cplusplus\n  } catch (int e) { note (fixed[e % 90]); }\n"
            "#endif\n}");
    }
  puts ("int main (void)\n{\n  static test *const tests[] = {");
  for (int t = 0; t < count; t++)
    printf ("    test%d_all,\n", t);
  printf ("  };\n  run_tests (tests, %d);\n  return 0;\n}\n", count);
  return 0;
}

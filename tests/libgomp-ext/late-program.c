/* A random program with device constructs, in OpenACC and in OpenMP, between
   which the host looks at some of its data in all kinds of ways: for late.sh.
   Every array is mapped while a function runs; what is on the host and what is
   on the device differ as the program goes on, so that a copy that comes too
   late, too early or not at all changes a sum that it prints.
   usage: late-program SEED >PROGRAM.c

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  MAPPED = 8, /* arrays that are on the device all the time */
  FREE = 2,   /* that are not */
  FREE_SIZE = 1000,
  FUNCTIONS = 5
};

static const int sizes[] = { 16, 100, 1000, 1000, 1000, 1000, 3000, 70000 };

static int level;
static int focus; /* the array that is used most */

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

/* The same directive twice.  */
static void
directive (const char *acc, const char *omp)
{
  printf ("#pragma acc %s\n#pragma omp %s\n", acc, omp);
}

/* An array with at least N elements.  */
static int
array (int n)
{
  int a = focus;
  while (sizes[a] < n || (a == focus && chance (40)))
    a = below (MAPPED);
  return a;
}

static int
smaller (int a, int b)
{
  return sizes[a] < sizes[b] ? sizes[a] : sizes[b];
}

/* ---- Statements -------------------------------------------------------- */

static void
transfer (const char *acc, const char *omp)
{
  char one[100], two[100];
  int a = array (0), n = sizes[a], from = 0;
  if (!below (3))
    {
      from = below (n / 2);
      n = 1 + below (n - from);
    }
  snprintf (one, sizeof one, "%s (v%d[%d:%d])", acc, a, from, n);
  snprintf (two, sizeof two, "%s (v%d[%d:%d])", omp, a, from, n);
  directive (one, two);
}

static void
update_device (void)
{
  transfer ("update device", "target update to");
}

static void
update_self (void)
{
  transfer ("update self", "target update from");
}

static void
kernel (void)
{
  char acc[200], omp[200];
  int a = array (0), b = array (0), c = array (0), from = 0;
  int n = smaller (a, b) < sizes[c] ? smaller (a, b) : sizes[c];
  snprintf (acc, sizeof acc,
            "parallel loop present (v%d[:%d], v%d[:%d], v%d[:%d])", a,
            sizes[a], b, sizes[b], c, sizes[c]);
  snprintf (omp, sizeof omp,
            "target teams distribute parallel for map (alloc: v%d[:%d], "
            "v%d[:%d], v%d[:%d])",
            a, sizes[a], b, sizes[b], c, sizes[c]);
  if (a == b || a == c || b == c)
    {
      if (below (2))
        from = below (n / 2);
      n -= from;
      snprintf (acc, sizeof acc, "parallel loop present (v%d[%d:%d])", a, from,
                n);
      snprintf (omp, sizeof omp,
                "target teams distribute parallel for map (alloc: v%d[%d:%d])",
                a, from, n);
      b = c = a;
    }
  directive (acc, omp);
  line ("for (int i = %d; i < %d; i++)", from, from + n);
  line ("  v%d[i] = v%d[i] * %u + v%d[i] + v%d[i] / 3;", a, a, below (9), b, c);
}

/* A construct that maps what it needs, perhaps on the host.  */
static void
bare (void)
{
  static const char *const acc_way[] = { "copy", "copyout", "copyin" };
  static const char *const omp_way[] = { "tofrom", "from", "to" };
  char acc[200], omp[200];
  int a = below (FREE), way = below (3), host = !below (3);
  const char *cond = host ? " if (n < 0)" : "";
  snprintf (acc, sizeof acc, "parallel loop%s %s (w%d[:%d])", cond,
            acc_way[way], a, FREE_SIZE);
  snprintf (omp, sizeof omp,
            "target teams distribute parallel for%s map (%s: w%d[:%d])", cond,
            omp_way[way], a, FREE_SIZE);
  directive (acc, omp);
  line ("for (int i = 0; i < %d; i++)", FREE_SIZE);
  if (way == 1)
    line ("  w%d[i] = i * %u;", a, 1 + below (9));
  else
    line ("  w%d[i] += i * %u;", a, 1 + below (9));
}

static void
host_loop (void)
{
  int a = array (0), b = array (0), n = smaller (a, b), k = 1 + below (9);
  switch (below (6))
    {
    case 0:
      line ("for (int i = 0; i < n + %d; i++)", n);
      line ("  v%d[i] += v%d[i] * %d;", a, b, k);
      break;
    case 1:
      line ("for (int i = %d; i >= 0; i--)", n - 1);
      line ("  v%d[i] += v%d[%d - i] * %d;", a, b, n - 1, k);
      break;
    case 2:
      line ("for (unsigned i = 0; i < %du; i += 3)", n);
      line ("  v%d[i] ^= %d;", a, k);
      break;
    case 3:
      line ("for (long r = 0; r < 4; r++)");
      line ("  for (int c = 0; c < 4; c++)");
      line ("    v%d[r * 4 + c] += v%d[c * 4 + r];", a, b);
      break;
    case 4:
      line ("for (int i = 0; i < %d; i++)", n);
      line ("  v%d[i] += v%d[v%d[i] %% %du];", a, b, a, n);
      break;
    case 5:
      line ("for (int i = 0; i < %d && v%d[i] %% 7; i++)", n, a);
      line ("  sum += i;");
      break;
    }
}

static void
host_word (void)
{
  int a = array (0), b = array (0), i = below (sizes[a]);
  switch (below (7))
    {
    case 0:
      line ("sum += v%d[%d];", a, i);
      break;
    case 1:
      line ("v%d[%d] = sum + %u;", a, i, below (99));
      break;
    case 2:
      line ("if (v%d[%d] & 1)", a, i);
      line ("  v%d[0] += %u;", b, below (99));
      break;
    case 3:
      line ("memset (v%d, %u, %d);", a, below (256), 4 * sizes[a]);
      break;
    case 4:
      line ("memmove (v%d, v%d, %d);", a, b, 4 * smaller (a, b));
      break;
    case 5:
      line ("far (v%d, %d);", a, sizes[a]);
      break;
    case 6:
      line ("near (v%d, %d);", a, sizes[a]);
      break;
    }
}

static void
host_free (void)
{
  line ("for (int i = 0; i < %d; i++)", FREE_SIZE);
  line ("  %s;", below (2) ? "sum += w[i] * i" : "w[i] += sum");
}

/* Memory of a block's own: an array, whole or a section, a member, a scalar,
   what a pointer to one of them leads to.  */
static void
local (void)
{
  static const struct
  {
    const char *decl, *map, *element;
    int n;
  } form[] = { { "unsigned t[100]", "t", "t[i]", 100 },
               { "unsigned t[100]", "t[:60]", "t[i]", 60 },
               { "unsigned t[2][50]", "t", "t[i % 2][i / 2]", 100 },
               { "struct { unsigned a, m[80]; } t", "t", "t.m[i]", 80 },
               { "struct { unsigned a, m[80]; } t", "t.m", "t.m[i]", 80 },
               { "unsigned u[100], *t = u", "t[:100]", "t[i]", 100 },
               { "unsigned u[100], *t = u + 20", "t[:70]", "t[i]", 70 },
               { "unsigned t", "t", "t", 1 },
               { "unsigned u[n + 90], *t = u", "u[:90]", "u[i]", 90 } };
  int k = below (sizeof form / sizeof *form), n = form[k].n, a = array (100);
  int host = below (4), word = below (n);
  char acc[100], omp[100];
  line ("{");
  line ("  %s;", form[k].decl);
  line ("  for (int i = 0; i < %d; i++)", n);
  line ("    %s = i;", form[k].element);
  snprintf (acc, sizeof acc, "parallel loop copy (%s)", form[k].map);
  snprintf (omp, sizeof omp, "target parallel for map (tofrom: %s)",
            form[k].map);
  for (int times = 1 + below (2); times; times--)
    {
      directive (acc, omp);
      line ("  for (int i = 0; i < %d; i++)", n);
      line ("    %s += (i + 1) * %u;", form[k].element, 1 + below (9));
      switch (host)
        {
        case 0:
          line ("  { int i = %d; sum += %s; }", word, form[k].element);
          break;
        case 1:
          line ("  { int i = %d; %s ^= sum; }", word, form[k].element);
          break;
        case 2:
          line ("  for (int i = 0; i < %d; i++)", n);
          line ("    v%d[i] += %s;", a, form[k].element);
          break;
        }
    }
  line ("}");
}

/* Out and in again.  */
static void
remap (void)
{
  char acc[100], omp[100];
  int a = array (0), out = below (2);
  snprintf (acc, sizeof acc, "exit data %s (v%d[:%d])",
            out ? "copyout" : "delete", a, sizes[a]);
  snprintf (omp, sizeof omp, "target exit data map (%s: v%d[:%d])",
            out ? "from" : "release", a, sizes[a]);
  directive (acc, omp);
  if (below (2))
    bare ();
  if (below (2))
    host_loop ();
  snprintf (acc, sizeof acc, "enter data copyin (v%d[:%d])", a, sizes[a]);
  snprintf (omp, sizeof omp, "target enter data map (to: v%d[:%d])", a,
            sizes[a]);
  directive (acc, omp);
}

/* Copies of parts, then of the whole, which may be too large to be left, and
   what changes between them.  */
static void
again (void)
{
  char acc[100], omp[100];
  if (below (2))
    focus = MAPPED - 1;
  for (int n = 2 + below (3); n; n--)
    if (below (2))
      update_self ();
    else
      kernel ();
  snprintf (acc, sizeof acc, "update self (v%d[:%d])", focus, sizes[focus]);
  snprintf (omp, sizeof omp, "target update from (v%d[:%d])", focus,
            sizes[focus]);
  directive (acc, omp);
}

/* A region over one or both of what a data construct has mapped side by side.  */
static void
kernel_within (void)
{
  char acc[100], omp[100];
  int a = below (FREE), b = below (FREE);
  snprintf (acc, sizeof acc, "parallel loop present (w%d[:%d], w%d[:%d])", a,
            FREE_SIZE, b, FREE_SIZE);
  snprintf (omp, sizeof omp,
            "target teams distribute parallel for map (alloc: w%d[:%d], "
            "w%d[:%d])",
            a, FREE_SIZE, b, FREE_SIZE);
  if (a == b)
    {
      snprintf (acc, sizeof acc, "parallel loop present (w%d[:%d])", a,
                FREE_SIZE);
      snprintf (omp, sizeof omp,
                "target teams distribute parallel for map (alloc: w%d[:%d])",
                a, FREE_SIZE);
    }
  directive (acc, omp);
  line ("for (int i = 0; i < %d; i++)", FREE_SIZE);
  line ("  w%d[i] = w%d[i] * %u + i;", a, b, below (9));
}

static void
update_within (void)
{
  char acc[100], omp[100];
  int a = below (FREE), back = below (2), from = below (FREE_SIZE / 2);
  snprintf (acc, sizeof acc, "update %s (w%d[%d:%d])", back ? "self" : "device",
            a, from, FREE_SIZE / 2);
  snprintf (omp, sizeof omp, "target update %s (w%d[%d:%d])",
            back ? "from" : "to", a, from, FREE_SIZE / 2);
  directive (acc, omp);
}

/* A data construct of several variables, that lie in one block.  */
static void
together (void)
{
  static const char *const acc_way[] = { "copy", "copyin", "create" };
  static const char *const omp_way[] = { "tofrom", "to", "alloc" };
  char acc[100], omp[100];
  int way = below (3);
  snprintf (acc, sizeof acc, "data %s (w0[:%d], w1[:%d])", acc_way[way],
            FREE_SIZE, FREE_SIZE);
  snprintf (omp, sizeof omp, "target data map (%s: w0[:%d], w1[:%d])",
            omp_way[way], FREE_SIZE, FREE_SIZE);
  if (way == 2)
    {
      line ("memset (w0, 0, %d);", 8 * FREE_SIZE);
      directive (acc, omp);
      line ("{");
      directive ("update device (w0[:1000], w1[:1000])",
                 "target update to (w0[:1000], w1[:1000])");
    }
  else
    {
      directive (acc, omp);
      line ("{");
    }
  for (int n = 2 + below (6); n; n--)
    switch (below (6))
      {
      case 0:
      case 1:
        update_within ();
        break;
      case 2:
        host_free ();
        break;
      default:
        kernel_within ();
      }
  line ("}");
}

/* A data construct, whose end is a construct without flags.  */
static void
structured (void)
{
  char acc[100], omp[100];
  int a = below (FREE), back = below (2);
  snprintf (acc, sizeof acc, "data %s (w%d[:%d])", back ? "copy" : "copyin", a,
            FREE_SIZE);
  snprintf (omp, sizeof omp, "target data map (%s: w%d[:%d])",
            back ? "tofrom" : "to", a, FREE_SIZE);
  directive (acc, omp);
  line ("{");
  bare ();
  update_self ();
  line ("}");
  host_loop ();
}

/* Regions that depend on each other, in the background or not.  */
static void
chain (void)
{
  static const char *const how[]
      = { " nowait depend (inout: sum)", " depend (inout: sum)" };
  char acc[100], omp[200];
  int background = below (3), a = array (0);
  for (int n = 2 + below (4); n; n--)
    {
      snprintf (acc, sizeof acc, "parallel loop present (v%d[:%d])", a,
                sizes[a]);
      snprintf (omp, sizeof omp,
                "target teams distribute parallel for map (alloc: v%d[:%d])%s",
                a, sizes[a], how[!background]);
      directive (acc, omp);
      line ("for (int i = 0; i < %d; i++)", sizes[a]);
      line ("  v%d[i] = v%d[i] * %u + i;", a, a, 1 + below (9));
      if (!background && below (2))
        host_word ();
    }
  if (background)
    puts ("#ifdef _OPENMP\n#pragma omp taskwait\n#endif");
}

static void statements (int n);

static void
nested (void)
{
  if (level > 2)
    return;
  if (below (2))
    line ("for (int t = 0; t < %u; t++)", 1 + below (3));
  else
    line ("if (sum %% 3 != %u)", below (3));
  line ("{");
  level++;
  statements (4);
  level--;
  line ("}");
}

static void
statements (int n)
{
  static void (*const statement[]) (void)
      = { update_device, update_device, update_self, update_self, update_self,
          kernel,        kernel,        kernel,      bare,        bare,
          host_loop,     host_loop,     host_word,   host_free,   local,
          remap,         again,         structured,  together,
          chain,         nested };
  while (n--)
    {
      if (!below (6))
        focus = below (MAPPED);
      /* The same memory under another name.  */
      line ("w = w%u;", below (FREE));
      statement[below (sizeof statement / sizeof *statement)]();
    }
}

int
main (int argc, char **argv)
{
  state += argc > 1 ? atoi (argv[1]) : 0;
  puts ("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "static unsigned *array[20], sum;\n"
        "__attribute__ ((noipa)) static void far (unsigned *p, int n)\n"
        "{ for (int i = 0; i < n; i++) sum = sum * 5 + p[i]; }\n"
        "static inline void near (unsigned *p, int n)\n"
        "{ for (int i = 0; i < n; i += 2) sum = sum * 3 + p[i]; }\n"
        "__attribute__ ((noipa)) static void report (void)\n{");
  for (int a = 0; a < MAPPED + FREE; a++)
    line ("far (array[%d], %d);", a, a < MAPPED ? sizes[a] : FREE_SIZE);
  line ("printf (\"%%u\\n\", sum);");
  puts ("}");
  for (int f = 0; f < FUNCTIONS; f++)
    {
      printf ("static void f%d (int n)\n{\n", f);
      for (int a = 0; a < MAPPED + FREE; a++)
        line ("unsigned *%c%d __attribute__ ((unused)) = array[%d];",
              a < MAPPED ? 'v' : 'w', a < MAPPED ? a : a - MAPPED, a);
      line ("unsigned *w __attribute__ ((unused));");
      statements (25);
      puts ("}");
    }
  puts ("int main (void)\n{");
  for (int a = 0; a < MAPPED + FREE; a++)
    {
      int n = a < MAPPED ? sizes[a] : FREE_SIZE;
      if (a == MAPPED)
        line ("array[%d] = malloc (%d);", a, 4 * n * FREE);
      else if (a > MAPPED)
        line ("array[%d] = array[%d] + %d;", a, a - 1, n);
      else
        line ("array[%d] = malloc (%d);", a, 4 * n);
      line ("for (int i = 0; i < %d; i++) array[%d][i] = i * %d;", n, a, a + 3);
      if (a >= MAPPED)
        continue;
      line ("{ unsigned *p = array[%d];", a);
      char acc[100], omp[100];
      snprintf (acc, sizeof acc, "enter data copyin (p[:%d])", n);
      snprintf (omp, sizeof omp, "target enter data map (to: p[:%d])", n);
      directive (acc, omp);
      line ("}");
    }
  line ("for (int t = 0; t < 4; t++) {");
  for (int f = 0; f < FUNCTIONS; f++)
    line ("  f%d (0); report ();", f);
  puts ("  }\n}");
  return 0;
}

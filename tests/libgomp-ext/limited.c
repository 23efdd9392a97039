/* Variants of kernels that comments stand for are written; texts that are not as
   expected stay as they are.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "jit/limited.h"
#include "config.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "// BEGIN PREAMBLE\n.version 6.0\n// END PREAMBLE\n"
#define DEF "// BEGIN FUNCTION DEF: "
#define BODY(name) ".reg .u64 %k;\nmov.u64 %k," name ";\nret;\n}\n"
#define KERNEL(name, directive, comments)                                     \
  DEF name "\n.entry " name " (.param .u64 %k)" directive "\n{\n" comments
#define C(number, registers)                                                  \
  "// ACCRETE-LIMITED " number " " registers "\n"
#define OTHER KERNEL ("other", "", "") BODY ("other")

/* T, which is FROM with its variants, to be freed by its owner.  */
static struct acr_text
written (const char *from)
{
  struct acr_text t = { .p = from, .n = strlen (from) + 1 };
  acr_limited_write (&t);
  return t;
}

static void
gives (const char *from, const char *to, const char *name)
{
  struct acr_text t = written (from);
  bool good = !strcmp (t.p, to) && t.n == strlen (to) + 1 && !t.failed;
  ok (good, "%s", name);
  if (!good)
    diag ("%s", t.p);
  free (t.own);
}

static void
stays (const char *text, const char *name)
{
  gives (text, text, name);
}

static void
test_variants (void)
{
  gives (HEAD KERNEL ("k", "", C ("1", "64")) BODY ("k"),
         HEAD KERNEL ("k", "", "") BODY ("k")
             KERNEL ("k$form1", " .maxnreg 64", "") BODY ("k"),
         "one");
  gives (HEAD OTHER KERNEL ("k", "", C ("2", "64") C ("15", "255")) BODY ("k")
             KERNEL ("k$form1", "", C ("3", "48") C ("4", "1")) BODY ("k") OTHER,
         HEAD OTHER KERNEL ("k", "", "") BODY ("k")
             KERNEL ("k$form2", " .maxnreg 64", "") BODY ("k")
                 KERNEL ("k$form15", " .maxnreg 255", "") BODY ("k")
                     KERNEL ("k$form1", "", "") BODY ("k")
                         KERNEL ("k$form3", " .maxnreg 48", "") BODY ("k")
                             KERNEL ("k$form4", " .maxnreg 1", "")
                                 BODY ("k") OTHER,
         "several, of a kernel and of a variant, between others");
  gives (HEAD KERNEL ("k", "\n.maxntid 32\n", ".reg .u32 %r;\n" C ("1", "64"))
             BODY ("k"),
         HEAD KERNEL ("k", "\n.maxntid 32\n", ".reg .u32 %r;\n") BODY ("k")
             KERNEL ("k$form1", "\n.maxntid 32 .maxnreg 64\n", ".reg .u32 %r;\n")
                 BODY ("k"),
         "directives, and statements in front of the comments");
  gives (HEAD KERNEL ("k", "", C ("1", "64 \r")) BODY ("k"),
         HEAD KERNEL ("k", "", "") BODY ("k")
             KERNEL ("k$form1", " .maxnreg 64", "") BODY ("k"),
         "blanks at the line's end");
  gives (HEAD KERNEL ("k", "", C ("1", "64")) "{\n}\n" BODY ("k") "\n// behind\n.entry l ()\n{\n}\n"
             OTHER,
         HEAD KERNEL ("k", "", "") "{\n}\n" BODY ("k") "\n// behind\n.entry l ()\n{\n}\n"
             KERNEL ("k$form1", " .maxnreg 64", "") "{\n}\n" BODY ("k") OTHER,
         "blocks inside, and what is behind the kernel without a mark");
}

/* There are none of a kernel with COMMENTS, but of the next one.  */
static void
has_none (const char *comments, const char *name)
{
  char from[2000], to[2000];
  static const char bad[] = KERNEL ("bad", "", ""), rest[] = BODY ("bad"),
                    good[] = KERNEL ("k", "", C ("1", "64")) BODY ("k"),
                    made[] = KERNEL ("k", "", "") BODY ("k")
                        KERNEL ("k$form1", " .maxnreg 64", "") BODY ("k");
  snprintf (from, sizeof from, "%s%s%s%s%s", HEAD, bad, comments, rest, good);
  snprintf (to, sizeof to, "%s%s%s%s%s", HEAD, bad, comments, rest, made);
  gives (from, to, name);
}

static void
test_others (void)
{
  stays (HEAD OTHER, "none");
  stays ("", "nothing");
  stays (C ("1", "64"), "no kernel");
  stays (HEAD C ("1", "64") OTHER, "in front of kernels");
  stays (HEAD DEF "f\n.func f\n{\n" C ("1", "64") BODY ("f"), "a function");
  stays (HEAD "// BEGIN VAR DEF: v\n.entry v (){\n" C ("1", "64") BODY ("v"),
         "a variable");
  stays (HEAD DEF "k\n.entry l ()\n{\n" C ("1", "64") BODY ("l"),
         "a mark of another kernel");
  stays (HEAD DEF "k\n.entry kk ()\n{\n" C ("1", "64") BODY ("kk"),
         "a longer name");
  stays (HEAD DEF "k\n.entry k ()\n" C ("1", "64") "{\n" BODY ("k"),
         "in front of the brace");
  stays (HEAD KERNEL ("k", "", C ("1", "64")) "ret;\n}", "no end of a line");
  stays (HEAD KERNEL ("k", "", C ("1", "64")) "{\nret;\n}\n" OTHER, "no end of the block");
  stays (HEAD KERNEL ("k", "", "") BODY ("k") C ("1", "64"), "behind the block");
  has_none (C ("0", "64"), "number 0");
  has_none (C ("16", "64"), "number 16");
  has_none (C ("1", "0"), "no registers");
  has_none (C ("1", "256"), "too many registers");
  has_none (C ("-1", "64"), "a sign");
  has_none (C ("1", "64 1"), "something behind");
  has_none (C ("1", "64") C ("x", "64"), "one that is good, and one that is not");
  has_none (C ("1", ""), "one number");
}

int
main (void)
{
  test_variants ();
  test_others ();
  return done_testing ();
}

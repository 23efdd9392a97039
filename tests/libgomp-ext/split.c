/* A unit of device code and what is taken out of it, part by part; and texts that
   are not as expected, from which nothing is.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "jit/split.h"
#include "config.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREAMBLE                                                              \
  "// BEGIN PREAMBLE\n.version 6.0\n.target sm_35\n// END PREAMBLE\n"
#define ENTRY(name, body)                                                     \
  "// BEGIN FUNCTION DEF: " name "\n.entry " name " (.param .u64 %a)\n{\n"    \
  body "ret;\n}\n"
#define FUNC(name, body)                                                      \
  "// BEGIN FUNCTION DEF: " name "\n.func " name "\n{\n" body "ret;\n}\n"
#define DECLARED(name) "// BEGIN FUNCTION DECL: " name "\n.func " name ";\n"
#define DECLARED_ENTRY(name)                                                  \
  "// BEGIN FUNCTION DECL: " name "\n.entry " name " (.param .u64 %a);\n"
#define SHARED "// BEGIN VAR DEF: part\n.shared .align 8 .u64 part[32];\n"
#define GLOBAL "// BEGIN VAR DEF: state\n.global .align 4 .u32 state[1];\n"
#define CALL(name) "{\ncall " name ";\n}\n"

/* Kernels that may be missed, if any.  */
static acr_split_missable *missable;

static bool
is_l (const char *kernel, size_t n)
{
  return n == 1 && *kernel == 'l';
}

/* What SPLIT makes of TEXT, with variants INSTEAD of kernels or not, and whether that
   is BASE with variants as in WANT, an array that NULL ends.  */
static bool
gives_so (bool instead, const char *text, const char *base,
          const char *const *want)
{
  struct acr_split s;
  struct acr_unit u = { text, strlen (text) + 1 };
  bool did = acr_split (&u, instead, missable, &s), ok = did == (want != NULL);
  unsigned n = 0;
  if (!did)
    return ok;
  ok = ok && !strcmp (s.base.code, base)
       && s.base.bytes == strlen (base) + 1;
  for (; ok && want[n]; n++)
    ok = n < s.nvariants && !strcmp (s.variants[n].unit.code, want[n])
         && s.variants[n].unit.bytes == strlen (want[n]) + 1;
  ok = ok && n == s.nvariants;
  for (unsigned i = 0; !ok && i < s.nvariants; i++)
    diag ("%u: %s", s.variants[i].form, s.variants[i].unit.code);
  free ((void *)s.base.code);
  acr_split_free (&s);
  return ok;
}

static bool
gives (const char *text, const char *base, const char *const *want)
{
  return gives_so (false, text, base, want);
}

/* Is TEXT left as it is?  */
static bool
stays (const char *text)
{
  return gives (text, NULL, NULL);
}

static void
test_plain (void)
{
  ok (gives (PREAMBLE ENTRY ("k", "") ENTRY ("k$form2", "b;\n")
                 ENTRY ("k$form1", "a;\n") ENTRY ("l", ""),
             PREAMBLE ENTRY ("k", "") ENTRY ("l", ""),
             (const char *const[]){ PREAMBLE ENTRY ("k$form1", "a;\n"),
                                    PREAMBLE ENTRY ("k$form2", "b;\n"),
                                    NULL }),
      "variants are units of their own");
  ok (stays (PREAMBLE ENTRY ("k", "")), "a unit without any");
  ok (stays (PREAMBLE ENTRY ("k", "") ENTRY ("k$form2", "")),
      "they are numbered from one");
  ok (stays (PREAMBLE ENTRY ("k$formula", "") ENTRY ("k$form16", "")
                 ENTRY ("k$form01", "") FUNC ("f$form1", "")),
      "what is called alike is something else");
}

static void
test_references (void)
{
  ok (gives (PREAMBLE DECLARED ("f") DECLARED ("g") DECLARED ("h") SHARED GLOBAL
                 FUNC ("f", CALL ("g")) FUNC ("g", CALL ("g") "[part];\n")
                     FUNC ("h", "[state];\n") ENTRY ("k", CALL ("h"))
                         ENTRY ("k$form1", CALL ("f")),
             PREAMBLE DECLARED ("f") DECLARED ("g") DECLARED ("h") SHARED GLOBAL
                 FUNC ("f", CALL ("g")) FUNC ("g", CALL ("g") "[part];\n")
                     FUNC ("h", "[state];\n") ENTRY ("k", CALL ("h")),
             (const char *const[]){
                 PREAMBLE DECLARED ("f") DECLARED ("g") SHARED FUNC (
                     "f", CALL ("g")) FUNC ("g", CALL ("g") "[part];\n")
                     ENTRY ("k$form1", CALL ("f")),
                 NULL }),
      "what a variant calls, and what that needs, comes along");
  ok (gives (PREAMBLE GLOBAL ENTRY ("k", "") ENTRY (
                 "k$form1", "ld.state %state,[%r1];\nbra $state;\n"),
             PREAMBLE GLOBAL ENTRY ("k", ""),
             (const char *const[]){
                 PREAMBLE ENTRY ("k$form1",
                                 "ld.state %state,[%r1];\nbra $state;\n"),
                 NULL }),
      "registers and labels are no variables");
  ok (stays (PREAMBLE GLOBAL ENTRY ("k$form1", "ld [state];\n")),
      "a variable is there once");
  ok (stays (PREAMBLE GLOBAL FUNC ("f", "ld [state+4];\n")
                 ENTRY ("k$form1", CALL ("f"))),
      "also where a function refers to it");
  ok (stays (PREAMBLE GLOBAL ENTRY ("k$form1", "") ENTRY (
          "k$form2", "ld [state];\n")),
      "all variants of a kernel stay together");
  ok (stays (PREAMBLE DECLARED ("f") ENTRY ("k$form1", CALL ("f"))),
      "another unit's function");
  ok (stays (PREAMBLE FUNC ("f", "") ENTRY ("k$form1", "mov %r,f;\n")),
      "a function's address");
  ok (stays (PREAMBLE ENTRY ("k$form1", "mov %r,k$form1;\n")),
      "a kernel's address");
  ok (gives (PREAMBLE GLOBAL ENTRY ("k$form1", "ld [state];\n")
                 ENTRY ("l$form1", ""),
             PREAMBLE GLOBAL ENTRY ("k$form1", "ld [state];\n"),
             (const char *const[]){ PREAMBLE ENTRY ("l$form1", ""), NULL }),
      "another kernel's go all the same");
}

#define ROWS(rows) "// #APP // ACCRETE-ROWS %r78 " rows " \n"

/* The kernel k with ROWS, and forms of it, of which number INSTEAD stands in its place
   when they are split.  */
static bool
begins_as (const char *rows, unsigned instead)
{
  static const char *const body[] = { "itself", "one", "two" };
  static const char form[] = PREAMBLE
      "// BEGIN FUNCTION DEF: k%s\n.entry k%s (.param .u64 %%a)\n{\n%s;\n%sret;\n}\n";
  static const char *const suffix[] = { "", "$form1", "$form2" };
  char whole[2000] = PREAMBLE, base[1000], unit[3][1000];
  const char *want[4] = { NULL };
  unsigned n = 0;
  for (unsigned i = 0; i < 3; i++)
    {
      snprintf (unit[i], sizeof unit[i], form, suffix[i], suffix[i], body[i],
                rows);
      strcat (whole, unit[i] + strlen (PREAMBLE));
    }
  for (unsigned i = !instead; i < 3; i++)
    want[n++] = unit[i];
  snprintf (base, sizeof base, form, "", "", body[instead], rows);
  return gives_so (true, whole, base, want);
}

static void
test_instead (void)
{
  ok (begins_as (ROWS ("4 8 1"), 2) && begins_as (ROWS ("4 2 8"), 1)
          && begins_as (ROWS ("8 1 1"), 1),
      "the variant with the fewest rows stands for the kernel");
  ok (begins_as (ROWS ("4 8 16"), 0) && begins_as (ROWS ("1 8 2"), 0),
      "not where the kernel has the fewest");
  ok (begins_as ("", 0) && begins_as ("// ACCRETE-ROWS", 0)
          && begins_as ("// ACCRETE-ROWS \n", 0) && begins_as (ROWS ("x"), 0)
          && begins_as (ROWS ("4"), 0) && begins_as (ROWS ("4 8 8 1"), 0),
      "nor where the rows of variants are not known");
  ok (gives_so (true,
                PREAMBLE GLOBAL ENTRY ("k", ROWS ("4 1") "[state];\n")
                    ENTRY ("k$form1", ""),
                PREAMBLE GLOBAL ENTRY ("k", ROWS ("4 1") "[state];\n"),
                (const char *const[]){ PREAMBLE ENTRY ("k$form1", ""), NULL }),
      "nor where the kernel itself cannot be apart");
  ok (gives_so (true,
                PREAMBLE DECLARED_ENTRY ("k") ENTRY ("k", ROWS ("4 1"))
                    ENTRY ("k$form1", "%k$form1 %k$form12;\n"),
                PREAMBLE DECLARED_ENTRY ("k") ENTRY ("k", "%k %k$form12;\n"),
                (const char *const[]){
                    PREAMBLE ENTRY ("k", ROWS ("4 1")),
                    PREAMBLE ENTRY ("k$form1", "%k$form1 %k$form12;\n"), NULL }),
      "its name is the kernel's then, and a longer one stays");
}

#define BULK "mov.u64 %a,%b; mov.u64 %a,%b; mov.u64 %a,%b; mov.u64 %a,%b;\n"

/* Whether chunks of 100 bytes of TEXT leave BASE and are those in WANT, an array that
   NULL ends.  */
static bool
divides (const char *text, const char *base, const char *const *want)
{
  struct acr_chunk_code c;
  struct acr_unit u = { text, strlen (text) + 1 };
  bool did = acr_split_chunks (&u, 100, &c), ok = did == (base != NULL);
  unsigned n = 0;
  if (!did)
    return ok;
  ok = ok && !strcmp (c.base.code, base) && c.base.bytes == strlen (base) + 1;
  for (; ok && want[n]; n++)
    ok = n < c.nchunks && !strcmp (c.chunks[n].code, want[n])
         && c.chunks[n].bytes == strlen (want[n]) + 1;
  ok = ok && n == c.nchunks;
  if (!ok)
    diag ("%s", c.base.code);
  for (unsigned i = 0; i < c.nchunks; i++)
    {
      if (!ok)
        diag ("%u: %s", i, c.chunks[i].code);
      free ((void *)c.chunks[i].code);
    }
  free (c.chunks);
  free ((void *)c.base.code);
  return ok;
}

/* Whether the first variant of TEXT is the kernel itself, of which nothing is left, and
   the one that is compiled soonest number INSTEAD.  */
static bool
is_absent (const char *text, unsigned instead)
{
  struct acr_split s;
  struct acr_unit u = { text, strlen (text) + 1 };
  if (!acr_split (&u, true, missable, &s))
    return false;
  bool ok = !s.variants->form && s.variants->absent
            && s.variants->instead == instead;
  free ((void *)s.base.code);
  acr_split_free (&s);
  return ok;
}

static void
test_missable (void)
{
  static const char forms[]
      = PREAMBLE SHARED ENTRY ("k", "") ENTRY ("l", ROWS ("4 1") "[part];\n")
          ENTRY ("l$form1", "a;\n") ENTRY ("m", "");
  static const char plain[] = PREAMBLE FUNC ("f", "") ENTRY ("k", "")
      ENTRY ("l", CALL ("f")) ENTRY ("m", "");
  missable = is_l;
  ok (gives_so (true, plain,
                PREAMBLE FUNC ("f", "") ENTRY ("k", "") ENTRY ("l", "")
                    ENTRY ("m", ""),
                (const char *const[]){
                    PREAMBLE FUNC ("f", "") ENTRY ("l", CALL ("f")), NULL })
          && is_absent (plain, 0),
      "a kernel that may be missed is a unit of its own, and empty");
  ok (gives_so (true, forms,
                PREAMBLE SHARED ENTRY ("k", "") ENTRY ("l", "") ENTRY ("m", ""),
                (const char *const[]){
                    PREAMBLE SHARED ENTRY ("l", ROWS ("4 1") "[part];\n"),
                    PREAMBLE ENTRY ("l$form1", "a;\n"), NULL })
          && is_absent (forms, 1),
      "and variants of it are as well");
  ok (stays (PREAMBLE GLOBAL ENTRY ("k", "") ENTRY ("l", "[state];\n"))
          && stays (PREAMBLE ENTRY ("k", "") ENTRY ("l", "") ENTRY ("l", ""))
          && stays (PREAMBLE FUNC ("l", "") ENTRY ("k", CALL ("l"))),
      "not one that needs a variable, that is there twice, nor a function");
  ok (stays (PREAMBLE ENTRY ("k", "") ENTRY ("ll", "")), "nor any other");
  missable = NULL;
  ok (stays (plain), "nor where none may");
}

static void
test_chunks (void)
{
  ok (divides (PREAMBLE DECLARED_ENTRY ("k") DECLARED_ENTRY ("l")
                   DECLARED ("f") ENTRY ("k", BULK) FUNC ("f", "")
                       ENTRY ("l", BULK CALL ("f")) ENTRY ("m", BULK)
                           ENTRY ("n", BULK),
               PREAMBLE DECLARED_ENTRY ("k") DECLARED ("f") ENTRY ("k", BULK)
                   FUNC ("f", ""),
               (const char *const[]){
                   PREAMBLE DECLARED ("f") FUNC ("f", "")
                       ENTRY ("l", BULK CALL ("f")),
                   PREAMBLE ENTRY ("m", BULK), PREAMBLE ENTRY ("n", BULK),
                   NULL }),
      "kernels in units apart, but the first ones");
  ok (divides (PREAMBLE GLOBAL FUNC ("f", "[state];\n") ENTRY ("k", BULK)
                   ENTRY ("l", BULK CALL ("f")) ENTRY ("m", BULK),
               PREAMBLE GLOBAL FUNC ("f", "[state];\n") ENTRY ("k", BULK)
                   ENTRY ("l", BULK CALL ("f")),
               (const char *const[]){ PREAMBLE ENTRY ("m", BULK), NULL }),
      "one that needs a variable stays, and nothing of it goes");
  ok (divides (PREAMBLE ENTRY ("k", BULK) ENTRY ("l", "") ENTRY ("m", ""),
               PREAMBLE ENTRY ("k", BULK),
               (const char *const[]){
                   PREAMBLE ENTRY ("l", "") ENTRY ("m", ""), NULL }),
      "small ones together");
  ok (divides (PREAMBLE ENTRY ("k", "") ENTRY ("l", BULK) ENTRY ("m", "")
                   ENTRY ("n", BULK),
               PREAMBLE ENTRY ("k", ""),
               (const char *const[]){ PREAMBLE ENTRY ("l", BULK),
                                      PREAMBLE ENTRY ("m", ""),
                                      PREAMBLE ENTRY ("n", BULK), NULL }),
      "large ones apart from what is in front of them");
  ok (divides (PREAMBLE ENTRY ("k", BULK) ENTRY ("l", BULK) ENTRY ("l", BULK),
               NULL, NULL),
      "what is there twice stays");
  ok (divides (PREAMBLE ENTRY ("k", BULK BULK BULK), NULL, NULL),
      "one kernel stays");
}

static void
test_unknown (void)
{
  static const char *const text[] = {
    "",
    "k$form1",
    "// BEGIN FUNCTION DEF: k$form1",
    ENTRY ("k$form1", ""),
    PREAMBLE "// BEGIN SECTION: k$form1\n",
    PREAMBLE ENTRY ("k$form1", "{\n"),
    PREAMBLE ENTRY ("k$form1", "}\n"),
    PREAMBLE ENTRY ("k$form1", "") "//:FUNC_MAP \"k\"\n",
    PREAMBLE ENTRY ("k$form1", "") ".entry other\n{\n}\n",
    PREAMBLE ENTRY ("k$form1", "") ENTRY ("k$form1", ""),
    PREAMBLE "// BEGIN FUNCTION DEF: k$form1\n.entry k$form1;\n"
  };
  for (unsigned i = 0; i < sizeof text / sizeof *text; i++)
    ok (stays (text[i]), "text %u", i);
  struct acr_split s;
  static const char whole[] = PREAMBLE ENTRY ("k$form1", "");
  ok (!acr_split (&(struct acr_unit){ whole, sizeof whole - 1 }, false, NULL,
                  &s),
      "no final NUL");
  for (size_t n = 0; n < sizeof whole - 2; n++)
    {
      char *part = strndup (whole, n);
      if (!stays (part))
        ok (false, "the first %zu bytes", n);
      free (part);
    }
}

/* PREAMBLE with the parts that TAIL begins, and a variant in which BODY comes after
   N bytes of other text.  */
static char *
placed (const char *tail, size_t n, const char *body)
{
  static const char filler[] = "mov.u64 %r1,%r22;\nadd.s32 %statk,1,2;\n"
                               "st.shared.u32 [%xstat+4],%statstat;\n";
  size_t room = strlen (tail) + strlen (body) + n + 256;
  char *text = malloc (room), pad[128];
  for (size_t i = 0; i < n; i++)
    pad[i] = filler[(sizeof filler - 1 - n % (sizeof filler - 1) + i)
                    % (sizeof filler - 1)];
  snprintf (text, room,
            PREAMBLE "%s// BEGIN FUNCTION DEF: kernel$form1\n"
                     ".entry kernel$form1 (.param .u64 %%a)\n{\n%.*s\n%s}\n",
            tail, (int)n, pad, body);
  return text;
}

/* Names are seen wherever they are, as far as the body goes.  */
static void
test_places (void)
{
  static const char *const refers[]
      = { "[state];\n", " state;", ",state+8", "{state", "st [a],state", "\tstate\n" };
  static const char *const others[]
      = { "%state;", ".state", "states;\n", "stat", "$state", "_state[1]" };
  static const char *const letters[]
      = { GLOBAL, GLOBAL DECLARED ("abcde") DECLARED ("bcdef") DECLARED ("cdefg"),
          GLOBAL DECLARED ("abcde") DECLARED ("bcdef") DECLARED ("cdefg")
              DECLARED ("defgh") DECLARED ("efghi") DECLARED ("fghij")
                  DECLARED ("ghijk") DECLARED ("hijkl") DECLARED ("ijklm"),
          GLOBAL DECLARED ("abc") };
  for (unsigned l = 0; l < sizeof letters / sizeof *letters; l++)
    for (size_t n = 0; n < 100; n++)
      for (unsigned i = 0; i < 6; i++)
        {
          char *with = placed (letters[l], n, refers[i]);
          char *without = placed (letters[l], n, others[i]);
          struct acr_split s;
          bool taken = acr_split (
              &(struct acr_unit){ without, strlen (without) + 1 }, false, NULL,
              &s);
          if (!stays (with))
            ok (false, "%s behind %zu bytes, names %u", refers[i], n, l);
          if (!taken)
            ok (false, "%s behind %zu bytes, names %u", others[i], n, l);
          else
            {
              free ((void *)s.base.code);
              acr_split_free (&s);
            }
          free (with);
          free (without);
        }
  ok (true, "references at all places");
}

int
main (void)
{
  test_plain ();
  test_references ();
  test_places ();
  test_instead ();
  test_missable ();
  test_chunks ();
  test_unknown ();
  return done_testing ();
}

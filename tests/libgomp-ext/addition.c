/* Loops that add doubles to memory become an instruction, where the GPU has it; what
   looks otherwise stays.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "jit/addition.h"
#include "config.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define TARGET(sm) "// BEGIN PREAMBLE\n.version 6.0\n.target sm_" sm "\n"
#define LOOP(space, address, value)                                           \
  "{\n.reg .f64 %acr_sum;\n"                                                  \
  "ld.volatile" space ".b64 %acr_seen,[" address "];\n"                       \
  "$acr_again:\n"                                                             \
  "mov.b64 %acr_old,%acr_seen;\n"                                             \
  "mov.b64 %acr_sum,%acr_old;\n"                                              \
  "add.f64 %acr_sum,%acr_sum," value ";\n"                                    \
  "mov.b64 %acr_new,%acr_sum;\n"                                              \
  "atom" space ".cas.b64 %acr_seen,[" address "],%acr_old,%acr_new;\n"        \
  "setp.ne.b64 %acr_again,%acr_old,%acr_seen;\n"                              \
  "@ %acr_again bra $acr_again;\n}\n"
#define ADDITION(space, address, value)                                       \
  "{\n.reg .f64 %acr_sum;\nred" space ".add.f64 [" address "]," value ";\n}\n"

/* TEXT with WHAT in place of all that is OLD.  */
static char *
with (const char *text, const char *old, const char *what)
{
  struct acr_text t = { .p = text, .n = strlen (text) + 1 };
  acr_text_replace (&t, 0, old, what);
  return t.own;
}

/* Does TEXT, for a GPU of MAJOR.x, become WANT by N additions?  */
static bool
gives (const char *text, int major, const char *want, unsigned n)
{
  struct acr_text t = { .p = text, .n = strlen (text) + 1 };
  unsigned found = acr_addition_edit (&t, major);
  bool ok = found == n && !t.failed && t.n == strlen (want) + 1
            && !memcmp (t.p, want, t.n);
  if (!ok)
    diag ("%u: %s", found, t.p);
  free (t.own);
  return ok;
}

static bool
stays (const char *text, int major)
{
  return gives (text, major, text, 0);
}

static void
test_loops (void)
{
  static const char one[] = TARGET ("35") LOOP (".global", "%r7", "%r9") "ret;";
  ok (gives (one, 9, TARGET ("60") ADDITION (".global", "%r7", "%r9") "ret;",
             1),
      "a loop");
  ok (gives (one, 6, TARGET ("60") ADDITION (".global", "%r7", "%r9") "ret;",
             1),
      "on the first GPU that has it");
  char *tight = with (one, "\n@ ", "\n@");
  ok (strcmp (tight, one)
          && gives (tight, 9,
                    TARGET ("60") ADDITION (".global", "%r7", "%r9") "ret;", 1),
      "as nvptx-tools has it from 2024 on");
  free (tight);
  ok (stays (one, 5), "an older GPU");
  ok (gives (TARGET ("30") "a;\n" LOOP ("", "%r7", "%r9") "b;\n" LOOP (
                 ".global", "%r1", "%acr_x") LOOP ("", "%r2", "%r3"),
             7,
             TARGET ("60") "a;\n" ADDITION ("", "%r7", "%r9") "b;\n" ADDITION (
                 ".global", "%r1", "%acr_x") ADDITION ("", "%r2", "%r3"),
             3),
      "several, also where the state space is open");
  ok (gives (TARGET ("35") LOOP (".shared", "%acr_at", "%acr_by"), 9,
             TARGET ("60") ADDITION (".shared", "%acr_at", "%acr_by"), 1),
      "in shared memory");
  ok (stays (TARGET ("70") LOOP ("", "%r7", "%r9"), 9), "a newer target");
  ok (stays (LOOP ("", "%r7", "%r9"), 9), "no target");
  ok (stays ("\n.version 3.1\n.target sm_30\n" LOOP ("", "%r7", "%r9"), 9),
      "PTX that does not know the GPU");
  ok (stays (TARGET ("35") "ret;", 9), "no loop");
  ok (stays ("", 9), "no text");
}

/* Any line that is another one keeps the loop.  */
static void
test_others (void)
{
  static const char one[] = TARGET ("35") LOOP (".global", "%r7", "%r9") "ret;";
  static const char *const others[][2] = {
    { "ld.volatile.global.b64", "ld.global.b64" },
    { "ld.volatile.global.b64", "ld.volatile.b64" },
    { "$acr_again:\n", "$acr_again:\nmov.u32 %r1,0;\n" },
    { "mov.b64 %acr_old,%acr_seen", "mov.b64 %acr_old,%r5" },
    { "add.f64", "add.rz.f64" },
    { "add.f64", "sub.f64" },
    { "%acr_sum,%acr_sum,%r9;", "%acr_sum,%acr_sum,%r9,%r10;" },
    { ".cas.b64 %acr_seen,[%r7]", ".cas.b64 %acr_seen,[%r8]" },
    { "setp.ne.b64", "setp.eq.b64" },
    { "@ %acr_again bra", "@ ! %acr_again bra" },
    { "bra $acr_again;\n", "bra $acr_" },
  };
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    {
      char *text = with (one, others[i][0], others[i][1]);
      ok (stays (text, 9), "not the loop: %s", others[i][1]);
      free (text);
    }
  bool whole = true;
  for (size_t n = 0; n < sizeof one - sizeof "}\nret;"; n++)
    {
      char *text = strndup (one, n);
      whole &= stays (text, 9);
      free (text);
    }
  ok (whole, "a part of it");
}

int
main (void)
{
  test_loops ();
  test_others ();
  return done_testing ();
}

/* Kernels that get their arguments as parameters: the edit of PTX, place by place; and
   texts that are not as expected, in which nothing is edited.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "jit/params.h"
#include "config.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "// BEGIN PREAMBLE\n.version 6.0\n// END PREAMBLE\n"
#define ENTRY(name, params, body)                                             \
  ".visible .entry " name " (" params ") .maxnreg 64\n{\n" body "ret;\n}\n"
#define ADDRESS ".param .u64 %in_ar0"
#define MORE ", .param .u64 %acr_in1"
#define BLOCK(n) ".param .align 8 .b8 %in_ar0[" n "]"
#define DECL(n) ".reg .u64 %acr_args" n ";\n"
#define START(n) "ld.param.u64 %acr_args" n ",[%in_ar0];\n"
#define STARTED(n) "mov.u64 %acr_args" n ",%in_ar0;\n"
#define OTHER ENTRY ("other", ADDRESS, "ld.param.u64 %r1,[%in_ar0];\n")

/* What the edit makes of FROM is TO, and so many kernels.  */
static void
gives (const char *from, const char *to, unsigned n, const char *name)
{
  struct acr_params list = { 0 };
  struct acr_text t = { .p = from, .n = strlen (from) + 1 };
  acr_params_edit (&t, 0, &list);
  bool good = !strcmp (t.p, to) && t.n == strlen (to) + 1 && list.n == n;
  ok (good, "%s", name);
  if (!good)
    diag ("%u: %s", list.n, t.p);
  acr_params_free (&list);
  free (t.own);
}

static void
stays (const char *text, const char *name)
{
  gives (text, text, 0, name);
}

static void
test_edit (void)
{
  gives (HEAD OTHER ENTRY ("k", ADDRESS MORE,
                           DECL ("32") START ("32")
                           "ld.u64 %r1,[%acr_args32];\n"
                           "add.u64 %r1,%r1,%r1;\n"
                           "@%p ld.global.nc.u32 %r2,[%acr_args32+28];\n"
                           "ld.global.v2.u64 {%r1,%r3},[%acr_args32+16];\n")
             OTHER,
         HEAD OTHER ENTRY ("k", BLOCK ("32") MORE,
                           DECL ("32") STARTED ("32")
                           "ld.param.u64 %r1,[%acr_args32];\n"
                           "add.u64 %r1,%r1,%r1;\n"
                           "@%p ld.param.u32 %r2,[%acr_args32+28];\n"
                           "ld.param.v2.u64 {%r1,%r3},[%acr_args32+16];\n")
             OTHER,
         1, "a kernel between others");
  gives (HEAD ENTRY ("k", ADDRESS, DECL ("8") START ("8"))
             ENTRY ("k$form1", ADDRESS, DECL ("8") START ("8")) OTHER
             ENTRY ("l", ADDRESS, DECL ("4000") START ("4000")),
         HEAD ENTRY ("k", BLOCK ("8"), DECL ("8") STARTED ("8"))
             ENTRY ("k$form1", BLOCK ("8"), DECL ("8") STARTED ("8")) OTHER
             ENTRY ("l", BLOCK ("4000"), DECL ("4000") STARTED ("4000")),
         2, "several kernels, one with a variant");
  stays (HEAD OTHER, "none");
}

static void
test_others (void)
{
#define FIRST ENTRY ("k", ADDRESS, DECL ("8") START ("8"))
  stays (HEAD FIRST ENTRY ("l", ".param .u32 %in_ar0",
                           DECL ("8") START ("8")),
         "another type");
  stays (HEAD FIRST ENTRY ("l", ".param .u64 %in", DECL ("8") START ("8")),
         "another parameter");
  stays (HEAD FIRST ENTRY ("l", "", DECL ("8") START ("8")), "no parameter");
  stays (HEAD FIRST ENTRY ("l", ADDRESS, DECL ("0") START ("0")), "no bytes");
  stays (HEAD FIRST ENTRY ("l", ADDRESS, DECL ("8") START ("8")
                           "add.u64 %r1,%acr_args8,%r1;\n"),
         "another use");
  stays (HEAD FIRST ENTRY ("l", ADDRESS,
                           DECL ("8") START ("8") "st.u64 [%acr_args8],%r1;\n"),
         "a store");
  stays (HEAD FIRST ENTRY ("l", ADDRESS,
                           DECL ("8") START ("8") "ld.u64 %r1,[%r2];\n"
                                                  "st.u64 [%acr_args8],%r1;\n"),
         "a store behind a load");
  stays (HEAD FIRST DECL ("8") START ("8"), "outside of kernels");
}

static void
test_list (void)
{
  struct acr_params list = { 0 };
  static const char one[] = HEAD ENTRY ("k", ADDRESS, DECL ("8") START ("8"));
  static const char two[]
      = HEAD ENTRY ("l", ADDRESS, DECL ("16") START ("16"))
            ENTRY ("m", ADDRESS, DECL ("24") START ("24"));
  struct acr_text t = { .p = one, .n = sizeof one },
                  u = { .p = two, .n = sizeof two };
  acr_params_edit (&t, 0, &list);
  acr_params_edit (&u, 1, &list);
  ok (acr_params_of (&list, "k") == 8 && acr_params_of (&list, "l") == 16
          && acr_params_of (&list, "m") == 24,
      "how many bytes");
  ok (!acr_params_of (&list, "other"), "others get an address");
  acr_params_drop (&list, 1);
  ok (acr_params_of (&list, "k") == 8 && !acr_params_of (&list, "l")
          && !acr_params_of (&list, "m"),
      "a unit is not edited after all");
  acr_params_free (&list);
  free (t.own);
  free (u.own);
}

int
main (void)
{
  test_edit ();
  test_others ();
  test_list ();
  return done_testing ();
}

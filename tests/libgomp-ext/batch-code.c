/* Code of kernels of which several become one: which can, and the text that comes of
   them.  That the kernel does what they do, batch.sh runs.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "jit/batch-code.h"
#include "config.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define PREAMBLE "// BEGIN PREAMBLE\n.version 6.0\n// END PREAMBLE\n"
#define KERNEL(name, params, body)                                            \
  "// BEGIN GLOBAL FUNCTION DEF: " name "\n.visible .entry " name " (" params \
  ") .maxnreg 64\n{\n" body "ret;\n}\n"
#define PLAIN(name)                                                           \
  KERNEL (name, ".param .u64 %in_ar0",                                        \
          "ld.param.u64 %r1,[%in_ar0];\nmov.u32 %r2,%ctaid.x;\n"              \
          "mov.u32 %r3,%nctaid.x;\nmov.u32 %r4,%ctaid.y;\n")

static struct acr_batch_code *
read_text (const char *text)
{
  struct acr_unit u = { text, strlen (text) + 1 };
  return acr_batch_read (&u, 1);
}

/* Whether a kernel with this BODY can be in a batch.  */
static void
may (bool want, const char *body, const char *name)
{
  char text[1000];
  snprintf (text, sizeof text,
            PREAMBLE
            "// BEGIN FUNCTION DEF: k\n.entry k (.param .u64 %%in_ar0)\n{\n%s\nret;\n}\n",
            body);
  struct acr_batch_code *c = read_text (text);
  bool first = c && acr_batch_can (c);
  ok (first == want && c && acr_batch_can (c) == want, "%s", name);
  acr_batch_free (c);
}

static void
test_which (void)
{
  may (true, "mov.u32 %r1,%tid.x;", "numbers of threads");
  may (true, "mov.u32 %r1,%laneid;", "of lanes");
  may (true, "// call a function, %gridid", "a comment");
  may (true, "mul.f64 %r1,%r2,%r3;", "products alone");
  may (true, "add.f32 %r1,%r2,%r3;\nmul.lo.u32 %r1,%r2,%r3;", "sums alone");
  may (true, "mul.rn.f64 %r1,%r2,%r3;\nadd.f64 %r1,%r2,%r3;", "rounded products");
  may (false, "mul.f64 %r1,%r2,%r3;\nadd.f64 %r1,%r2,%r3;", "products and sums");
  may (false, "mul.f32 %r1,%r2,%r3;\nsub.sat.f32 %r1,%r2,%r3;", "and differences");
  may (false, "mul.ftz.f32 %r1,%r2,%r3;\nadd.ftz.f32 %r1,%r2,%r3;", "with .ftz");
  may (false, "call f;", "calls");
  may (false, ".shared .u32 x;", "shared memory of its own");
  may (false, "st.shared.u32 [x],1;", "and of the unit");
  may (false, "mov.v4.u32 {%r1,%r2,%r3,%r4},%ctaid;", "all numbers of a block");
  may (false, "mov.u64 %r1,%gridid;", "the number of the grid");
  may (false, "mov.u32 %r1,%envreg2;", "registers of the driver");
  may (false, "mov.u32 %r1,%reserved_smem_offset_begin;", "shared memory's places");
  may (false, "mov.u32 %r1,%cluster_ctaid.x;", "clusters");
  may (false, ".loc 1 2 3", "lines of files that the batch does not name");
}

static void
test_text (void)
{
  struct acr_batch_code *list = read_text (
      PREAMBLE PLAIN ("a")
          KERNEL ("b", ".param .align 8 .b8 %in_ar0[16], .param .u64 %acr_in1",
                  "// #APP\nmov.u64 %acr_args16,%in_ar0;\n"
                  "ld.param.u64 %r1,[%in_ar0+8];\nmov.u32 %r2,%nctaid.x; // x\n"));
  struct acr_batch_code *a = acr_batch_pick (&list, "a"),
                        *b = acr_batch_pick (&list, "b");
  ok (a && b && !list && !acr_batch_pick (&list, "a"), "kernels by their names");
  ok (a && a->nparams == 1 && b && b->nparams == 2, "parameters");
  const struct acr_batch_code *both[] = { b, a };
  struct acr_unit u = acr_batch_make (both, 2);
  const char *want
      = PREAMBLE
      "// BEGIN GLOBAL FUNCTION DEF: acr_batch\n"
      ".visible .entry acr_batch (.param .align 8 .b8 %in_ar0_0[16], "
      ".param .u64 %acr_in1_0,\n.param .u64 %in_ar0_1,\n"
      ".param .u32 acr_blocks_0,\n.param .u32 acr_blocks_1)\n"
      "{\n.reg .u32 %acr_block;\n.reg .u32 %acr_blocks;\n"
      ".reg .pred %acr_other;\nmov.u32 %acr_block,%ctaid.x;\n"
      "ld.param.u32 %acr_blocks,[acr_blocks_0];\n"
      "setp.ge.u32 %acr_other,%acr_block,%acr_blocks;\n"
      "@%acr_other bra $acr_next_0;\n"
      "{\n\nmov.u64 %acr_args16,%in_ar0_0;\nld.param.u64 %r1,[%in_ar0_0+8];\n"
      "mov.u32 %r2,%acr_blocks; \nret;\n}\nret;\n$acr_next_0:\n"
      "sub.u32 %acr_block,%acr_block,%acr_blocks;\n"
      "ld.param.u32 %acr_blocks,[acr_blocks_1];\n"
      "setp.ge.u32 %acr_other,%acr_block,%acr_blocks;\n"
      "@%acr_other bra $acr_next_1;\n"
      "{\nld.param.u64 %r1,[%in_ar0_1];\nmov.u32 %r2,%acr_block;\n"
      "mov.u32 %r3,%acr_blocks;\nmov.u32 %r4,%ctaid.y;\nret;\n}\nret;\n"
      "$acr_next_1:\nsub.u32 %acr_block,%acr_block,%acr_blocks;\nret;\n}\n";
  bool good = u.code && !strcmp (u.code, want) && u.bytes == strlen (want) + 1;
  if (!ok (good, "a batch of two"))
    diag ("%s", u.code);
  free ((void *)u.code);
  acr_batch_free (a);

  a = read_text ("// BEGIN PREAMBLE\n.version 7.0\n// END PREAMBLE\n" PLAIN ("a"));
  both[1] = a;
  u = acr_batch_make (both, 2);
  ok (a && !u.code, "kernels of other versions of PTX");
  free ((void *)u.code);
  acr_batch_free (a);
  acr_batch_free (b);
  ok (!read_text ("text"), "no unit");
  ok (!read_text (PREAMBLE "// BEGIN FUNCTION DEF: f\n.func f ()\n{\nret;\n}\n"),
      "a function");
  ok (!read_text (PREAMBLE "// BEGIN FUNCTION DEF: k\n.entry k (.param .u64 p)\n{\n"),
      "half a kernel");
}

int
main (void)
{
  test_which ();
  test_text ();
  return done_testing ();
}

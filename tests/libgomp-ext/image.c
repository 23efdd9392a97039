/* What PTX says about regions.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "interpose/image.h"
#include "tap.h"

#include <stdint.h>
#include <string.h>

enum
{
  NVPTX = 5,
  GCC_12 = 1 << 16 | 1,
  GCC_13 = 2 << 16 | 1,
  GCC_14 = 3 << 16 | 1, /* and later ones */
  KNOWN = ACR_REGION_KNOWN,
  RETURNS = ACR_REGION_KNOWN | ACR_REGION_RETURNS,
  SILENT = ACR_REGION_SILENT
};

static const char code[]
    = ".entry main$_omp_fn$10 (.param .u64 %a);\n"
      ".func main$_omp_fn$0$impl (.param .u64 %a);\n"
      /* An OpenACC kernel, with a block of its own in front of the end.  */
      "// BEGIN FUNCTION DEF: main$_omp_fn$1\n"
      ".visible .entry main$_omp_fn$1 (.param .u64 %a)\n{\n\t.reg .u64 %r;\n"
      "{\n\tcall f;\n}\n\tret;\n}\n"
      /* One that ends in a trap; its name begins like another's.  */
      ".visible .entry main$_omp_fn$10 (.param .u64 %a)\n{\n"
      "\ttrap;\n\texit;\n}\n"
      /* OpenMP: the kernel returns, the region does not.  */
      ".visible .func main$_omp_fn$0$impl (.param .u64 %a)\n{\n\ttrap;\n}\n"
      ".visible .entry main$_omp_fn$0 (.param .u64 %a)\n{\n"
      "\tcall gomp_nvptx_main, (main$_omp_fn$0$impl);\n\tret;\n}\n"
      ".visible .func main$_omp_fn$2$impl (.param .u64 %a)\n{\n\tret;\n}\n"
      ".visible .entry main$_omp_fn$2 (.param .u64 %a)\n{\n"
      "\tcall gomp_nvptx_main, (main$_omp_fn$2$impl);\n}\n";
static const char more[]
    = ".visible .func f (.param .u64 %a)\n{\n\tcall vprintf;\n\tret;\n}\n";

static const struct acr_kernel_name names[]
    = { { "main$_omp_fn$0", { 0 } },
        { "main$_omp_fn$1", { 0 } },
        { "main$_omp_fn$2", { 0 } },
        { "main$_omp_fn$10", { 0 } },
        { "main$_omp_fn$3", { 0 } } };
static char host[6];
static void *functions[] = { host, host + 1, host + 2, host + 3, host + 4 };
static const void *const table[] = { functions, functions + 5, NULL, NULL };

int
main (void)
{
  struct acr_unit units[] = { { more, 0 }, { code, sizeof code - 1 } };
  struct acr_image image = { units, 2, NULL, 0, names, 5 };
  ok_int (acr_image_facts (host), 0, "unknown before it is registered");
  acr_image_register (GCC_12, table, 6, &image);
  ok_int (acr_image_facts (host), 0, "another target's");
  acr_image_register (1 << 16 | 2, table, NVPTX, &image);
  ok_int (acr_image_facts (host), 0, "a later format");

  acr_image_register (GCC_12, table, NVPTX, &image);
  ok_int (acr_image_facts (host + 1), RETURNS | SILENT, "a kernel returns");
  ok_int (acr_image_facts (host + 3), KNOWN | SILENT, "a kernel traps");
  ok_int (acr_image_facts (host), KNOWN | SILENT, "a region traps");
  ok_int (acr_image_facts (host + 2), RETURNS | SILENT, "a region returns");
  ok_int (acr_image_facts (host + 4), KNOWN | SILENT, "code that is not there");
  ok_int (acr_image_facts (host + 5), 0, "no region");
  acr_image_unregister (GCC_12, &image);
  ok_int (acr_image_facts (host + 1), 0, "unknown when it is gone");

  /* From GCC 13 on what the program requires comes first.  */
  struct
  {
    uintptr_t required;
    struct acr_image image;
  } later = { 0x200, image };
  for (unsigned version = GCC_13; version <= GCC_14; version += 1 << 16)
    {
      acr_image_register (version, table, NVPTX, &later);
      ok_int (acr_image_facts (host + 1), RETURNS | SILENT,
              "version %u: a kernel returns", version >> 16);
      acr_image_unregister (version, &later);
      ok_int (acr_image_facts (host + 1), 0, "version %u: it is gone",
              version >> 16);
    }

  units[0].bytes = sizeof more - 1;
  acr_image_register (GCC_12, table, NVPTX, &image);
  ok_int (acr_image_facts (host + 1), RETURNS | SILENT,
          "something prints, but is not called");
  acr_image_unregister (GCC_12, &image);
  static const char calls[][100]
      = { ".extern .func (.param .u32 %value_out) GOMP_f (.param .u64 %a);\n",
          ".extern .func GOMP_barrier;\n.extern .func abort;\n",
          ".extern .func GOMP_barrier;\n.extern .func f (.param .u64 %a);\n",
          ".extern .func (.param .u32 %value_out) puts (.param .u64 %a);\n" };
  ok (!acr_image_recursive (), "nothing calls itself");
  static const char selves[][100]
      = { ".func (.param .u32 %r) f (.param .u64 %a)\n{\n\tcall (%r), f, (%a);\n}\n",
          ".func f (.param .u64 %a);\n.func f (.param .u64 %a)\n{\n\tcall f$1;\n}\n"
          ".func f$1\n{\n\tcall f;\n}\n" };
  for (unsigned i = 0; i < 2; i++)
    {
      units[0].code = selves[i];
      units[0].bytes = strlen (selves[i]);
      acr_image_register (GCC_12, table, NVPTX, &image);
      ok (acr_image_recursive () == (i == 0), "a function that calls %s",
          i ? "another" : "itself");
      acr_image_unregister (GCC_12, &image);
    }
  static const char globals[][100]
      = { "\tld.global.u32 %r1, [%r2];\n.shared .align 8 .b8 s[8];\n",
          ".visible .global .align 4 .u32 count[1];\n",
          ".extern .global .align 4 .u32 count[];\n" };
  for (unsigned i = 0; i < 4; i++)
    {
      units[0].code = globals[i % 3];
      units[0].bytes = strlen (units[0].code);
      image.nvariables = i == 3;
      acr_image_register (GCC_12, table, NVPTX, &image);
      ok (acr_image_variables () == (i > 0), "static variables: %u", i);
      acr_image_unregister (GCC_12, &image);
    }
  image.nvariables = 0;
  units[0] = (struct acr_unit){ more, sizeof more - 1 };
  for (unsigned i = 0; i < 4; i++)
    {
      char text[sizeof code + sizeof calls[0]];
      stpcpy (stpcpy (text, calls[i]), code);
      units[1] = (struct acr_unit){ text, strlen (text) };
      acr_image_register (GCC_12, table, NVPTX, &image);
      ok_int (acr_image_facts (host + 1), i < 2 ? RETURNS | SILENT : RETURNS,
              "%s", i < 2 ? "known to print nothing" : "it may print");
      acr_image_unregister (GCC_12, &image);
    }
  return done_testing ();
}

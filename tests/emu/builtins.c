/* What the hardware and the driver offer to device code: special registers,
   vprintf, malloc and free, assertions.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>

#include "machine-run.h"

typedef uint32_t u32;

static u32 *out;

/* Run kernel k, which has the parameter out.  */
static CUresult
run (const char *text, unsigned grid, unsigned block, unsigned shared)
{
  const uint64_t params[] = { (uintptr_t) out };
  struct emu_module *m = load_ptx (text);
  CUresult r = m ? launch (m, "k", grid, block, shared, 1, params)
		 : CUDA_ERROR_INVALID_PTX;
  emu_module_unload (m);
  return r;
}

/* ---- Special registers --------------------------------------------------- */

/* Each thread stores the values of the registers that this lists, by name and
   what they are for thread T of block C.  */
enum { GRID = 3, BLOCK = 70, SHARED = 512 };
#define SPECIAL(X)							      \
  X ("tid.x", t) X ("tid.y", 0) X ("ntid.x", BLOCK) X ("ntid.z", 1)	      \
  X ("ctaid.x", c) X ("ctaid.z", 0) X ("nctaid.x", GRID) X ("nctaid.y", 1)    \
  X ("laneid", t % 32) X ("warpid", t / 32)				      \
  X ("nwarpid", (u32) emu_gpu ()->max_threads_per_sm / 32)		      \
  X ("nsmid", (u32) emu_gpu ()->sms)					      \
  X ("lanemask_eq", 1u << t % 32) X ("lanemask_le", ~0u >> (31 - t % 32))     \
  X ("lanemask_lt", ~(~0u << t % 32)) X ("lanemask_ge", ~0u << t % 32)	      \
  X ("lanemask_gt", ~(~0u >> (31 - t % 32)))				      \
  X ("dynamic_smem_size", SHARED)

static void
special_registers (void)
{
  enum
  {
#define X(name, value) +1
    N = SPECIAL (X)
#undef X
  };
  static const char *const name[] = {
#define X(name, value) name,
    SPECIAL (X)
#undef X
  };
  char text[4096];
  int n = snprintf (text, sizeof text, "%s", PTX_HEADER
    ".extern .shared .align 4 .b8 dynamic[];\n"
    ".visible .entry k (.param .u64 out)\n{\n"
    ".reg .b32 %a, %t, %c, %n; .reg .b64 %p, %o; ld.param.u64 %p, [out];\n"
    "mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %c, %ctaid.x;\n"
    "mad.lo.u32 %a, %c, %n, %t; mul.wide.u32 %o, %a, 128;\n"
    "add.u64 %p, %p, %o; mov.u32 %a, dynamic;\n");
  for (unsigned k = 0; k < N; k++)
    n += snprintf (text + n, sizeof text - (size_t) n,
		   "mov.u32 %%a, %%%s; st.global.u32 [%%p+%u], %%a;\n", name[k],
		   4 * k);
  snprintf (text + n, sizeof text - (size_t) n,
	    "mov.u32 %%a, %%smid; st.global.u32 [%%p+120], %%a; ret; }\n");
  CUresult r = run (text, GRID, BLOCK, SHARED);
  unsigned wrong[N] = { 0 }, strange = 0;
  for (u32 c = 0; c < GRID; c++)
    for (u32 t = 0; t < BLOCK; t++)
      {
	const u32 want[] = {
#define X(name, value) value,
	  SPECIAL (X)
#undef X
	};
	const u32 *mine = out + (size_t) (c * BLOCK + t) * 32;
	for (unsigned k = 0; k < N; k++)
	  wrong[k] += mine[k] != want[k];
	strange += mine[30] >= (u32) emu_gpu ()->sms
		   || mine[30] != out[(size_t) c * BLOCK * 32 + 30];
      }
  for (unsigned k = 0; k < N; k++)
    if (!ok (!r && !wrong[k], "%%%s", name[k]))
      diag ("result %d, %u wrong", r, wrong[k]);
  ok (!r && !strange, "%%smid is one of the GPU's for a block");
}

/* Time goes on, and at one rate for all clocks.  */
static void
clocks (void)
{
  CUresult r = run (PTX_HEADER ".visible .entry k (.param .u64 out)\n{\n"
    ".reg .b32 %h<4>; .reg .b64 %p, %c, %d, %g, %e, %x; .reg .pred %u;\n"
    "ld.param.u64 %p, [out]; mov.u64 %c, %clock64; mov.u64 %g, %globaltimer;\n"
    "L: mov.u64 %e, %globaltimer; sub.u64 %x, %e, %g;\n"
    "setp.lt.u64 %u, %x, 2000000; @%u bra L; mov.u64 %d, %clock64;\n"
    "sub.u64 %d, %d, %c; st.u64 [%p], %d; st.u64 [%p+8], %x;\n"
    "mov.u32 %h0, %clock; mov.u32 %h1, %clock; sub.u32 %h1, %h1, %h0;\n"
    "st.u32 [%p+16], %h1; mov.u32 %h0, %globaltimer_hi; shr.u64 %e, %e, 32;\n"
    "cvt.u32.u64 %h1, %e; sub.u32 %h1, %h0, %h1; st.u32 [%p+20], %h1;\n"
    "mov.u32 %h2, %clock_hi; shr.u64 %c, %c, 32; cvt.u32.u64 %h3, %c;\n"
    "sub.u32 %h2, %h2, %h3; st.u32 [%p+24], %h2; ret; }\n", 1, 1, 0);
  uint64_t cycles, ns;
  memcpy (&cycles, out, 8);
  memcpy (&ns, out + 2, 8);
  double expect = (double) ns * emu_gpu ()->clock_khz * 1e-6;
  ok (!r && ns >= 2000000 && (double) cycles >= expect - 2,
      "%%clock64 and %%globaltimer go on at their rates");
  ok (!r && out[4] < 1u << 31 && out[5] < 100 && out[6] < 100,
      "the halves of the clocks belong together");
}

/* ---- vprintf ------------------------------------------------------------- */

/* An argument that is the address of "str".  */
#define STRING 0x535452

/* vprintf (FORMAT, the 24 bytes at ARGUMENTS) in each thread; its result is the
   thread's word.  */
static char *
printed (const char *format, const void *arguments, unsigned block)
{
  static char text[1 << 14];
  uint64_t word[3];
  memcpy (word, arguments, sizeof word);
  int n = snprintf (text, sizeof text, "%s", PTX_HEADER
    ".extern .func (.param .u32 r) vprintf (.param .u64 f, .param .u64 a);\n"
    ".global .align 1 .b8 string[] = { 115, 116, 114, 0 };\n"
    ".global .align 1 .b8 format[] = { ");
  for (const char *p = format;; p++)
    {
      n += snprintf (text + n, sizeof text - (size_t) n, "%d%s", *p,
		     *p ? ", " : " };\n");
      if (!*p)
	break;
    }
  n += snprintf (text + n, sizeof text - (size_t) n,
    ".visible .entry k (.param .u64 out)\n{\n"
    ".local .align 8 .b8 args[24]; .reg .b64 %%p, %%f, %%a, %%o; .reg .b32 %%t;\n"
    "ld.param.u64 %%p, [out]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%o, %%t, 4;\n"
    "add.u64 %%p, %%p, %%o;\n");
  for (unsigned k = 0; k < 3; k++)
    n += snprintf (text + n, sizeof text - (size_t) n,
		   word[k] == STRING ? "mov.u64 %%a, string; st.local.u64 [args+%u], %%a;\n"
				: "st.local.u64 [args+%u], %lld;\n",
		   8 * k, (long long) word[k]);
  snprintf (text + n, sizeof text - (size_t) n,
    "mov.u64 %%f, format; cvta.local.u64 %%a, args;\n"
    "{ .param .u64 x; .param .u64 y; .param .u32 r; st.param.u64 [x], %%f;\n"
    "st.param.u64 [y], %%a; call (r), vprintf, (x, y); ld.param.u32 %%t, [r]; }\n"
    "st.u32 [%%p], %%t; ret; }\n");

  static char got[1 << 12];
  fflush (stdout);
  int old = dup (1);
  FILE *f = tmpfile ();
  dup2 (fileno (f), 1);
  CUresult r = run (text, 1, block, 0);
  emu_printf_flush ();
  dup2 (old, 1);
  close (old);
  rewind (f);
  got[fread (got, 1, sizeof got - 1, f)] = 0;
  fclose (f);
  if (r)
    snprintf (got, sizeof got, "result %d", r);
  return got;
}

static void
prints (const char *what, const char *format, const void *arguments, u32 n,
	const char *want)
{
  const char *got = printed (format, arguments, 1);
  if (!ok (!strcmp (got, want) && out[0] == n, "vprintf: %s", what))
    diag ("got \"%s\", want \"%s\"; %d arguments, not %u", got, want,
	  (int) out[0], n);
}

static void
printing (void)
{
  static const uint64_t none[3] = { 0 };
  prints ("plain text", "a b\n", none, 0, "a b\n");
  prints ("percent", "100%%, %%d", none, 0, "100%, %d");
  struct { int32_t a, b; uint64_t c, d; } ints = { -5, 255, (uint64_t) -7, STRING };
  prints ("integers", "%d %#x %lld|%s", &ints, 4, "-5 0xff -7|str");
  prints ("widths from arguments", "%*d", &(uint64_t[]){ 6 | 42ull << 32, 0, 0 },
	  2, "    42");
  prints ("signs, zeros and precisions", "%+05d %.3u %ld",
	  &(uint64_t[]){ 7 | 9ull << 32, (uint64_t) -1, 0 }, 3, "+0007 009 -1");
  prints ("characters and unsigned", "%c%u",
	  &(uint64_t[]){ 'x' | 0xffffffffull << 32, 0, 0 }, 2, "x4294967295");
  prints ("floating point", "%.2f %g %e", &(double[]){ 1.005, -1e100, 0.5 }, 3,
	  "1.00 -1e+100 5.000000e-01");
  prints ("infinities", "%f %F %a", &(double[]){ INFINITY, -INFINITY, 1 }, 3,
	  "inf -INF 0x1p+0");
  struct { int32_t a; double b; int32_t c; } mixed = { 1, 2.5, 3 };
  prints ("arguments aligned to their sizes", "%d %.1f %d", &mixed, 3, "1 2.5 3");
  prints ("a pointer", "%p", &(uint64_t[]){ 0xabc0, 0, 0 }, 1, "0xabc0");
  char all[5 * 70 + 1] = "";
  for (unsigned k = 0; k < 70; k++)
    strcat (all, "line\n");
  ok (!strcmp (printed ("line\n", none, 70), all), "vprintf: all threads");
}

/* ---- The heap and assertions --------------------------------------------- */

#define MALLOC_KERNEL(bytes, rest)					      \
  PTX_HEADER								      \
  ".extern .func (.param .u64 p) malloc (.param .u64 n);\n"		      \
  ".extern .func free (.param .u64 p);\n"				      \
  ".visible .entry k (.param .u64 out)\n{\n"				      \
  ".reg .b64 %p, %q, %o; .reg .b32 %t, %a; .reg .pred %u;\n"		      \
  "ld.param.u64 %p, [out]; mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4;\n"      \
  "add.u64 %p, %p, %o;\n"						      \
  "{ .param .u64 n; .param .u64 r; st.param.u64 [n], " bytes ";\n"	      \
  "call (r), malloc, (n); ld.param.u64 %q, [r]; }\n" rest "ret; }\n"
#define FREE "{ .param .u64 x; st.param.u64 [x], %q; call free, (x); }\n"

static void
heap (void)
{
  CUresult r = run (MALLOC_KERNEL ("100",
    "add.u32 %a, %t, 1000; st.u32 [%q], %a; st.u32 [%q+96], %t; bar.sync 0;\n"
    "ld.u32 %a, [%q]; st.u32 [%p], %a;\n" FREE), 1, 64, 0);
  unsigned wrong = 0;
  for (u32 t = 0; t < 64; t++)
    wrong += out[t] != 1000 + t;
  ok (!r && !wrong, "malloc: each thread's own memory");
  r = run (MALLOC_KERNEL ("1048576",
    "setp.ne.u64 %u, %q, 0; selp.u32 %a, 1, 0, %u; st.u32 [%p], %a;\n"
    "bar.sync 0;\n" FREE), 1, 64, 0);
  unsigned got = 0;
  for (u32 t = 0; t < 64; t++)
    got += out[t];
  if (!ok (!r && got > 0 && got < 8, "malloc: no more than the heap has"))
    diag ("result %d, %u blocks", r, got);
  r = run (MALLOC_KERNEL ("4000000",
    "setp.ne.u64 %u, %q, 0; selp.u32 %a, 1, 0, %u; st.u32 [%p], %a;\n" FREE),
	   1, 1, 0);
  ok (!r && out[0] == 0, "malloc: what is free stays in pieces");
}

static void
assertions (void)
{
  CUresult r = CAPTURED (run (PTX_HEADER
    ".extern .func __assertfail (.param .u64 m, .param .u64 f, .param .u32 l,\n"
    " .param .u64 n, .param .u64 c);\n"
    ".global .align 1 .b8 text[] = { 120, 62, 48, 0 };\n"
    ".visible .entry k (.param .u64 out)\n{\n.reg .b64 %q; mov.u64 %q, text;\n"
    "{ .param .u64 m; .param .u64 f; .param .u32 l; .param .u64 n; .param .u64 c;\n"
    "st.param.u64 [m], %q; st.param.u64 [f], %q; st.param.u32 [l], 12;\n"
    "st.param.u64 [n], %q; st.param.u64 [c], 1;\n"
    "call __assertfail, (m, f, l, n, c); }\nret; }\n", 1, 1, 0));
  if (!ok (r == CUDA_ERROR_ASSERT
	     && strstr (captured, "x>0:12: x>0: assertion `x>0' failed"),
	   "a failed assertion says where"))
    diag ("%d %s", r, captured);
}

int
main (void)
{
  out = device (1 << 17);
  special_registers ();
  clocks ();
  printing ();
  heap ();
  assertions ();
  return done_testing ();
}

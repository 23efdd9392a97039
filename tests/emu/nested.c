/* Launches by device code: streams and their order, limits, errors.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#include "machine-run.h"

typedef uint32_t u32;

/* start: launch FN with GRID blocks of BLOCK threads in STREAM and pass it A
   and B; the entry's result, or 0xbad for no buffer.  */
#define RUNTIME								      \
  PTX_HEADER								      \
  ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2 (.param .b64 f,\n" \
  ".param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);\n"   \
  ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 p, .param .b64 s);\n" \
  ".extern .func (.param .b32 r) __cudaCDP2GetLastError ();\n"		      \
  ".extern .func (.param .b32 r) __cudaCDP2StreamCreateWithFlags (.param .b64 p, .param .b32 f);\n" \
  ".func (.param .u32 r) start (.param .u64 fn, .param .u32 grid, .param .u32 block,\n" \
  ".param .u64 stream, .param .u64 a, .param .u32 b)\n{\n"		      \
  ".reg .b64 %f, %s, %a, %p; .reg .b32 %g, %n, %b, %r; .reg .pred %u;\n"      \
  "ld.param.u64 %f, [fn]; ld.param.u32 %g, [grid]; ld.param.u32 %n, [block];\n" \
  "ld.param.u64 %s, [stream]; ld.param.u64 %a, [a]; ld.param.u32 %b, [b];\n"  \
  "{ .param .b64 p0; .param .align 4 .b8 p1[12]; .param .align 4 .b8 p2[12];\n" \
  ".param .b32 p3; .param .b64 v; st.param.b64 [p0], %f;\n"		      \
  "st.param.b32 [p1], %g; st.param.b32 [p1+4], 1; st.param.b32 [p1+8], 1;\n"  \
  "st.param.b32 [p2], %n; st.param.b32 [p2+4], 1; st.param.b32 [p2+8], 1;\n"  \
  "st.param.b32 [p3], 0;\n"						      \
  "call (v), __cudaCDP2GetParameterBufferV2, (p0, p1, p2, p3);\n"	      \
  "ld.param.b64 %p, [v]; }\n"						      \
  "mov.u32 %r, 0xbad; setp.eq.u64 %u, %p, 0; @%u bra END;\n"		      \
  "st.u64 [%p], %a; st.u32 [%p+8], %b;\n"				      \
  "{ .param .b64 p0; .param .b64 p1; .param .b32 v; st.param.b64 [p0], %p;\n" \
  "st.param.b64 [p1], %s; call (v), __cudaCDP2LaunchDeviceV2, (p0, p1);\n"    \
  "ld.param.b32 %r, [v]; }\nEND: st.param.u32 [r], %r; ret;\n}\n"

/* %r = start (fn, grid, block, stream, a, b) */
#define START(fn, grid, block, stream, a, b)				      \
  "{ .param .u64 p0; .param .u32 p1; .param .u32 p2; .param .u64 p3;\n"	      \
  ".param .u64 p4; .param .u32 p5; .param .u32 v; mov.u64 %f, " fn ";\n"      \
  "st.param.u64 [p0], %f; st.param.u32 [p1], " grid ";\n"		      \
  "st.param.u32 [p2], " block "; st.param.u64 [p3], " stream ";\n"	      \
  "st.param.u64 [p4], " a "; st.param.u32 [p5], " b ";\n"		      \
  "call (v), start, (p0, p1, p2, p3, p4, p5); ld.param.u32 %r, [v]; }\n"

#define FORGET "4"
#define TAIL "3"

/* %i: number of the thread in the grid; %p, %b: parameters; %o: word %i at
   %p.  */
#define KERNEL(name, body)						      \
  ".visible .entry " name " (.param .u64 a, .param .u32 b)\n{\n"	      \
  ".reg .b64 %p, %o, %f, %q; .reg .b32 %t, %n, %c, %i, %b, %r, %x, %y;\n"     \
  ".reg .pred %u;\n"							      \
  "ld.param.u64 %p, [a]; ld.param.u32 %b, [b];\n"			      \
  "mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %c, %ctaid.x;\n"	      \
  "mad.lo.u32 %i, %c, %n, %t; mul.wide.u32 %o, %i, 4; add.u64 %o, %p, %o;\n"  \
  body "\nEND: ret;\n}\n"

enum { WORDS = 1 << 16 };
static u32 *out;

/* Launch kernel k of TEXT on zeroed memory with B = 0.  */
static CUresult
run (const char *text, unsigned grid, unsigned block)
{
  struct emu_module *m = load_ptx (text);
  const uint64_t params[] = { (uintptr_t) out, 0 };
  memset (out, 0, WORDS * sizeof *out);
  if (!m)
    return CUDA_ERROR_INVALID_PTX;
  CUresult r = launch (m, "k", grid, block, 0, 2, params);
  emu_module_unload (m);
  return r;
}

/* Whether the first N words are WANT, which may use T.  */
#define ALL(n, want)							      \
  ({									      \
    bool all_ok = true;							      \
    for (u32 t = 0; all_ok && t < (n); t++)				      \
      if (out[t] != (u32) (want))					      \
	{								      \
	  diag ("word %u: got %u, want %u", t, out[t], (u32) (want));	      \
	  all_ok = false;						      \
	}								      \
    all_ok;								      \
  })

static u32
count (unsigned n, u32 value)
{
  u32 found = 0;
  for (unsigned k = 0; k < n; k++)
    found += out[k] == value;
  return found;
}

static void
streams (void)
{
  /* Thread i's child has 3 blocks of 4 threads and 12 words.  */
  ok (run (RUNTIME KERNEL ("child", "add.u32 %x, %i, %b; st.u32 [%o], %x;")
	   KERNEL ("k", "mul.lo.u32 %x, %i, 12; mul.wide.u32 %q, %x, 4;\n"
			"add.u64 %q, %q, %p;\n"
			START ("child", "3", "4", FORGET, "%q", "%x")), 2, 64)
	  == CUDA_SUCCESS
	&& ALL (128 * 12, t),
      "a child for each thread, in the fire-and-forget stream");
  ok (run (RUNTIME KERNEL ("one", "add.u32 %x, %b, 1; st.u32 [%p], %x;")
	   KERNEL ("two", "ld.u32 %x, [%p]; mul.lo.u32 %x, %x, 3; st.u32 [%p], %x;")
	   KERNEL ("k", START ("one", "1", "1", "0", "%o", "%i")
			START ("two", "1", "1", "0", "%o", "0")), 3, 32)
	  == CUDA_SUCCESS
	&& ALL (96, 3 * (t + 1)),
      "children of the NULL stream one after the other");
  ok (run (RUNTIME KERNEL ("one", "add.u32 %x, %b, 1; st.u32 [%p], %x;")
	   KERNEL ("two", "ld.u32 %x, [%p]; mul.lo.u32 %x, %x, 3; st.u32 [%p], %x;")
	   KERNEL ("k", ".local .u64 s; .reg .b64 %s; cvta.local.u64 %q, s;\n"
			"{ .param .b64 p0; .param .b32 p1; .param .b32 v; st.param.b64 [p0], %q;\n"
			"st.param.b32 [p1], 1; call (v), __cudaCDP2StreamCreateWithFlags, (p0, p1); }\n"
			"ld.local.u64 %s, [s];\n"
			START ("one", "1", "1", "%s", "%o", "%i")
			START ("two", "1", "1", "%s", "%o", "0")), 3, 32)
	  == CUDA_SUCCESS
	&& ALL (96, 3 * (t + 1)),
      "and those of a stream that was created");
  /* Every child adds 1 to word 0; what the tail finds there goes to word 1,
     and the second tail's to word 2.  */
  ok (run (RUNTIME KERNEL ("inner", "red.add.u32 [%p], 1;")
	   KERNEL ("child", "red.add.u32 [%p], 1;\n"
			    START ("inner", "1", "1", FORGET, "%p", "0"))
	   KERNEL ("tail", "ld.u32 %x, [%p]; mul.wide.u32 %q, %b, 4; add.u64 %q, %p, %q;\n"
			   "st.u32 [%q], %x; red.add.u32 [%p], 1;\n"
			   "setp.ne.u32 %u, %b, 1; @%u bra END;\n"
			   START ("inner", "1", "1", TAIL, "%p", "0"))
	   KERNEL ("k", "setp.ne.u32 %u, %i, 0; @%u bra REST;\n"
			START ("tail", "1", "1", TAIL, "%p", "1")
			START ("tail", "1", "1", TAIL, "%p", "2") "REST:\n"
			START ("child", "1", "2", FORGET, "%p", "0")
			START ("child", "1", "1", "0", "%p", "0")), 4, 32)
	  == CUDA_SUCCESS
	&& out[1] == 128 * 6 && out[2] == 128 * 6 + 2,
      "the tail follows all other children and theirs, its own tail included");
  /* A kernel that follows itself.  */
  ok (run (RUNTIME KERNEL ("k", "ld.u32 %x, [%p]; add.u32 %x, %x, 1; st.u32 [%p], %x;\n"
				"setp.eq.u32 %u, %x, 10; @%u bra END;\n"
				START ("k", "1", "1", TAIL, "%p", "0")), 1, 1)
	  == CUDA_SUCCESS
	&& out[0] == 10,
      "a chain of tails");
}

static void
arguments (void)
{
  ok (run (RUNTIME
	   ".visible .entry child (.param .u8 a, .param .f64 b, .param .u16 c,\n"
	   ".param .align 4 .b8 d[12], .param .u64 out)\n{\n"
	   ".reg .b64 %p; .reg .b32 %a, %c, %d, %e; .reg .f64 %b;\n"
	   "ld.param.u64 %p, [out]; ld.param.u8 %a, [a]; ld.param.f64 %b, [b];\n"
	   "ld.param.u16 %c, [c]; ld.param.u32 %d, [d+8]; cvt.rzi.u32.f64 %e, %b;\n"
	   "mad.lo.u32 %a, %a, 10, %c; mad.lo.u32 %a, %d, 1000, %a;\n"
	   "mad.lo.u32 %a, %e, 100000, %a; mov.u32 %c, %nctaid.y; shl.b32 %c, %c, 24;\n"
	   "add.u32 %a, %a, %c; mov.u32 %c, %ntid.z; shl.b32 %c, %c, 28;\n"
	   "add.u32 %a, %a, %c; st.u32 [%p], %a; ret;\n}\n"
	   ".visible .entry k (.param .u64 a, .param .u64 b)\n{\n"
	   ".reg .b64 %p, %q, %f; .reg .f64 %d; ld.param.u64 %p, [a]; mov.u64 %f, child;\n"
	   "{ .param .b64 p0; .param .align 4 .b8 p1[12]; .param .align 4 .b8 p2[12];\n"
	   ".param .b32 p3; .param .b64 v; st.param.b64 [p0], %f;\n"
	   "st.param.b32 [p1], 1; st.param.b32 [p1+4], 2; st.param.b32 [p1+8], 3;\n"
	   "st.param.b32 [p2], 1; st.param.b32 [p2+4], 1; st.param.b32 [p2+8], 4;\n"
	   "st.param.b32 [p3], 1024;\n"
	   "call (v), __cudaCDP2GetParameterBufferV2, (p0, p1, p2, p3);\n"
	   "ld.param.b64 %q, [v]; }\n"
	   "st.u8 [%q], 7; mov.f64 %d, 0d4000000000000000; st.f64 [%q+8], %d;\n"
	   "st.u16 [%q+16], 5; st.u32 [%q+28], 6; st.u64 [%q+32], %p;\n"
	   "{ .param .b64 p0; .param .b64 p1; .param .b32 v; st.param.b64 [p0], %q;\n"
	   "st.param.b64 [p1], 0; call (v), __cudaCDP2LaunchDeviceV2, (p0, p1); }\n"
	   "ret;\n}\n", 1, 1)
	  == CUDA_SUCCESS
	&& out[0] == 206075 + (2 << 24) + (4u << 28),
      "parameters of all sizes, three dimensions");
}

static void
limits (void)
{
  static const char many[]
    = RUNTIME KERNEL ("child", "mov.u32 %x, 1; st.u32 [%p], %x;")
      KERNEL ("k", START ("child", "1", "1", FORGET, "%o", "0")
		   "setp.ne.u32 %u, %r, 0; @%u add.u32 %r, %r, 1000;\n"
		   "@%u st.u32 [%o], %r;");
  ok (run (many, 30, 100) == CUDA_SUCCESS && count (3000, 1) == 2048
	&& count (3000, 1069) == 952,
      "launches beyond the pending-launch limit are lost, and say so");
  ok (run (many, 16, 128) == CUDA_SUCCESS && count (2048, 1) == 2048,
      "as many as the limit says begin");
  emu_set_limit (CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 20000);
  ok (run (many, 200, 100) == CUDA_SUCCESS && ALL (20000, 1),
      "and more when it is raised");
  emu_set_limit (CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 5);
  ok (run (RUNTIME KERNEL ("child", "")
	   KERNEL ("k", START ("child", "1", "1", FORGET, "%p", "0")
			START ("child", "1", "1", "0", "%p", "0")
			START ("child", "1", "1", TAIL, "%p", "0") "st.u32 [%o], %r;\n"),
	   1, 2) == CUDA_SUCCESS
	&& out[0] == 0 && out[1] == 69,
      "all streams count");
  emu_set_limit (CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048);
  /* Word d + 1 is the result of the launch at depth d.  */
  ok (run (RUNTIME KERNEL ("k", "add.u32 %x, %b, 1;\n"
				START ("k", "1", "1", "0", "%p", "%x")
				"mul.wide.u32 %q, %x, 4; add.u64 %q, %p, %q;\n"
				"add.u32 %r, %r, 1; st.u32 [%q], %r;"), 1, 1)
	  == CUDA_SUCCESS
	&& ALL (30, t == 0 || t > 25 ? 0 : t == 25 ? 66 : 1),
      "children nest 24 deep");
}

static void
errors (void)
{
  ok (run (RUNTIME KERNEL ("child", "")
	   KERNEL ("k", START ("child", "1", "1025", "0", "%p", "0") "st.u32 [%p], %r;\n"
			START ("child", "0", "1", "0", "%p", "0") "st.u32 [%p+4], %r;\n"
			START ("child", "1", "1", "9", "%p", "0") "st.u32 [%p+8], %r;\n"
			"{ .param .b64 p0; .param .b64 p1; .param .b32 v; st.param.b64 [p0], %p;\n"
			"st.param.b64 [p1], 0; call (v), __cudaCDP2LaunchDeviceV2, (p0, p1);\n"
			"ld.param.u32 %r, [v]; } st.u32 [%p+12], %r;\n"
			START ("start", "1", "1", "0", "%p", "0") "st.u32 [%p+16], %r;\n"
			"{ .param .b32 v; call (v), __cudaCDP2GetLastError, ();\n"
			"ld.param.u32 %r, [v]; } st.u32 [%p+20], %r;\n"
			"{ .param .b32 v; call (v), __cudaCDP2GetLastError, ();\n"
			"ld.param.u32 %r, [v]; } st.u32 [%p+24], %r;\n"), 1, 1)
	  == CUDA_SUCCESS
	&& out[0] == 9 && out[1] == 9 && out[2] == 400 && out[3] == 1
	&& out[4] == 0xbad && out[5] == 98 && out[6] == 0,
      "launches that are refused; the last error");
  if (!freopen ("/dev/null", "w", stderr))
    return;
  ok_int (run (RUNTIME KERNEL ("child", "setp.eq.u32 %u, %b, 40; @%u trap;")
	       KERNEL ("k", START ("child", "1", "1", FORGET, "%p", "%i")
			    START ("child", "1", "1", "0", "%p", "%i")
			    START ("child", "1", "1", TAIL, "%p", "%i")), 2, 64),
	  CUDA_ERROR_LAUNCH_FAILED, "a child that fails ends them all");
  ok (run (RUNTIME KERNEL ("k", "add.u32 %x, %i, 1; st.u32 [%o], %x;"), 2, 64)
	  == CUDA_SUCCESS
	&& ALL (128, t + 1),
      "the next launch runs");
}

int
main (void)
{
  out = device (WORDS * sizeof *out);
  streams ();
  arguments ();
  limits ();
  errors ();
  return done_testing ();
}

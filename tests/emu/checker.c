/* The checker: a defect of each kind, seeded in PTX, is found and named with
   its place; a kernel that is right gives no report.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>

#include "machine-run.h"

#define KERNEL(body)							      \
  PTX_HEADER								      \
  ".file 1 \"seed.c\"\n"						      \
  ".extern .func (.param .u64 r) malloc (.param .u64 n);"		      \
  ".extern .func free (.param .u64 p);\n"				      \
  ".shared .align 8 .b8 s[1024];\n"					      \
  ".visible .entry k (.param .u64 p)\n{\n"				      \
  ".reg .b32 %a, %b, %t, %c, %w; .reg .b64 %p, %q, %o; .reg .pred %u, %v;\n"  \
  "ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x;\n"	      \
  "mul.wide.u32 %o, %t, 4; add.u64 %q, %p, %o; shr.u32 %w, %t, 5;\n"	      \
  ".loc 1 40 0\n" body "\nret;\n}\n"

/* BODY starts at line 13, at source line 40; with LINE, on the next one, it
   is 41.  */
#define LINE(text) ".loc 1 41 0\n" text "\n"

enum { BYTES = 4096 };

static uint64_t memory;		/* BYTES, written */

/* What is run, and how it ends.  */
static void
run (const char *name, const char *ptx, unsigned grid, unsigned block,
     uint64_t p, CUresult want)
{
  struct emu_module *m = load_ptx (ptx);
  CUresult r = m ? CAPTURED (launch (m, "k", grid, block, 0, 1, &p))
		 : CUDA_ERROR_INVALID_PTX;
  emu_module_unload (m);
  if (!ok (r == want, "%s: result", name))
    diag ("%d, not %d: %s", r, want, captured);
}

/* One report, which has the texts in SAYS, separated by '|'.  */
static void
found (const char *name, const char *ptx, unsigned grid, unsigned block,
       uint64_t p, CUresult want, const char *says)
{
  run (name, ptx, grid, block, p, want);
  const char *first = strstr (captured, "accrete-emu: check: ");
  bool said = first == captured && !strstr (first + 1, "accrete-emu: ");
  char copy[512];
  snprintf (copy, sizeof copy, "%s", says);
  for (char *s = strtok (copy, "|"); s; s = strtok (NULL, "|"))
    said &= strstr (captured, s) != NULL;
  if (!ok (said, "%s: one report, with its place", name))
    diag ("want %s in: %s", says, captured);
}

static void
silent_at (const char *name, const char *ptx, unsigned grid, unsigned block,
	   uint64_t p)
{
  run (name, ptx, grid, block, p, CUDA_SUCCESS);
  if (!ok (!*captured, "%s: no report", name))
    diag ("%s", captured);
}

static void
silent (const char *name, const char *ptx, unsigned grid, unsigned block)
{
  silent_at (name, ptx, grid, block, memory);
}

/* ---- Addresses ----------------------------------------------------------- */

static void
addresses (void)
{
  char says[512];
  snprintf (says, sizeof says,
	    "out of bounds: read of 4 bytes at 0x%llx|"
	    "by test.ptx:13: ld.global.u32, block (0,0,0), thread (24,0,0), "
	    "source seed.c:40, kernel k|is 0 bytes after the %d bytes at 0x%llx",
	    (unsigned long long) memory + BYTES, BYTES,
	    (unsigned long long) memory);
  found ("beyond the end", KERNEL ("ld.global.u32 %a, [%q+4000];"), 1, 32,
	 memory, CUDA_ERROR_ILLEGAL_ADDRESS, says);
  found ("before the start", KERNEL ("st.u32 [%p+-4], %t;"), 1, 1, memory,
	 CUDA_ERROR_ILLEGAL_ADDRESS,
	 "out of bounds: write of 4 bytes|4 bytes before the 4096 bytes");
  found ("an element across the end",
	 KERNEL (".reg .b32 %x<4>;\n"
		 LINE ("ld.global.v4.u32 {%x0,%x1,%x2,%x3}, [%p+96];")), 1, 1,
	 (uintptr_t) device (100), CUDA_ERROR_ILLEGAL_ADDRESS,
	 "read of 16 bytes|test.ptx:15: ld.global.v4.u32|seed.c:41|"
	 "96 bytes into the 100 bytes");
  found ("an atomic operation beyond the end",
	 KERNEL ("red.global.add.u32 [%p+4096], 1;"), 1, 1, memory,
	 CUDA_ERROR_ILLEGAL_ADDRESS, "update of 4 bytes|0 bytes after");
  found ("a pointer to nothing", KERNEL ("ld.u32 %a, [0x1000];"), 1, 1, memory,
	 CUDA_ERROR_ILLEGAL_ADDRESS, "out of bounds: read of 4 bytes at 0x1000");
  found ("shared memory beyond the end", KERNEL ("st.shared.u32 [s+1024], %t;"),
	 1, 32, memory, CUDA_ERROR_ILLEGAL_ADDRESS,
	 "shared 0x400|the block has 1024 bytes of shared memory");
  found ("misaligned", KERNEL ("ld.global.u32 %a, [%q+2];"), 1, 32, memory,
	 CUDA_ERROR_MISALIGNED_ADDRESS,
	 "misaligned: read of 4 bytes|test.ptx:13|2 bytes into the 4096 bytes");

  uint64_t gone = (uintptr_t) device (64);
  emu_check_caller ("cuMemFree", 7);
  emu_mem_free (gone);
  emu_check_caller (NULL, 0);
  device (64);
  found ("freed memory", KERNEL ("st.global.u32 [%q], %t;"), 1, 8, gone,
	 CUDA_ERROR_ILLEGAL_ADDRESS,
	 "use after free: write of 4 bytes|thread (0,0,0)|64 bytes|"
	 "freed by cuMemFree (call 7)");
  silent ("the last bytes", KERNEL ("ld.global.u32 %a, [%p+4092];\n"
				    "st.shared.u8 [s+1023], %a;\n"
				    "st.global.u8 [%p+4095], %a;"), 1, 1);
}

/* ---- Contents ------------------------------------------------------------ */

static void
contents (void)
{
  uint64_t fresh = (uintptr_t) device (BYTES);
  found ("memory that nobody wrote", KERNEL ("ld.global.u32 %a, [%q];"), 1, 32,
	 fresh, CUDA_SUCCESS,
	 "uninitialised: read of 4 bytes|test.ptx:13: ld.global.u32|"
	 "thread (0,0,0)|into the 4096 bytes");
  found ("an update of memory that nobody wrote",
	 KERNEL ("red.global.add.u32 [%q+64], 1;"), 1, 1, fresh, CUDA_SUCCESS,
	 "uninitialised: update of 4 bytes");
  found ("shared memory that nobody wrote", KERNEL ("ld.shared.u32 %a, [s];"), 1,
	 1, fresh, CUDA_SUCCESS, "uninitialised: read of 4 bytes at shared 0x0");
  found ("shared memory that another block wrote",
	 KERNEL ("setp.eq.u32 %u, %c, 0; @%u st.shared.u32 [s], %t;\n"
		 "ld.shared.u32 %a, [s];"), 2, 1, fresh, CUDA_SUCCESS,
	 "uninitialised: read of 4 bytes at shared|test.ptx:14|block (1,0,0)");
#define MALLOC								      \
  "{ .param .u64 n; .param .u64 r; st.param.u64 [n], 64;\n"		      \
  "call (r), malloc, (n); ld.param.u64 %p, [r]; }\n"
  found ("what malloc gives, after somebody else",
	 KERNEL (MALLOC "st.u32 [%p], %t;\n"
		 "{ .param .u64 n; st.param.u64 [n], %p; call free, (n); }\n"
		 MALLOC "ld.u32 %a, [%p];"), 1, 1, fresh, CUDA_SUCCESS,
	 "uninitialised: read of 4 bytes|test.ptx:19");

  uint64_t from = (uintptr_t) device (BYTES), to = (uintptr_t) device (BYTES);
  emu_memset (from + 128, 1, 4, 64);
  emu_copy_d2d (to, from, BYTES);
  silent_at ("a copy of memory that is written",
	     KERNEL ("ld.global.u32 %a, [%q];"), 1, 64, to + 128);
  found ("a copy of memory that nobody wrote", KERNEL ("ld.global.u32 %a, [%q];"),
	 1, 1, to + 512, CUDA_SUCCESS, "uninitialised: read of 4 bytes");
  silent ("part of what is read is padding",
	  KERNEL ("st.shared.u8 [s+7], %t; ld.shared.u64 %q, [s];"), 1, 1);
  silent_at ("a variable in the frame is copied before it is set",
	  KERNEL (".reg .b64 %f, %g; add.u64 %p, %p, 2048; mov.u64 %q, s;\n"
		  "st.shared.u64 [%q], %p; ld.shared.u64 %g, [%q];\n"
		  "sub.u64 %f, %g, 1024; ld.u32 %a, [%f+8]; st.u32 [%f], %a;"),
	     1, 1, fresh);
  silent ("a constant",
	  ".version 7.8\n.target sm_90\n.address_size 64\n"
	  ".const .u32 c[2] = { 1, 2 };\n.global .u32 g;\n"
	  ".visible .entry k (.param .u64 p) { .reg .u32 %a; .reg .u64 %q;\n"
	  "ld.const.u32 %a, [c+4]; ld.global.u32 %a, [g]; mov.u64 %q, p;\n"
	  "cvta.param.u64 %q, %q; ld.u32 %a, [%q]; ret; }\n", 1, 1);
}

/* ---- Races --------------------------------------------------------------- */

#define FIRST_WARP "setp.eq.u32 %u, %w, 0;\n"
#define FIRST_THREAD "setp.eq.u32 %u, %t, 0;\n"
#define LOCK "L: atom.shared.cas.b32 %b, [s+4], 0, 1;\n"		      \
	     "setp.ne.u32 %v, %b, 0; @%v bra L;\n"

static void
races (void)
{
  found ("lanes that store to one word", KERNEL ("st.global.u32 [%p], %t;"), 1, 32,
	 memory, CUDA_SUCCESS,
	 "race: write of 4 bytes|by test.ptx:13: st.global.u32, block (0,0,0), "
	 "thread (1,0,0)|not ordered with the write by test.ptx:13: "
	 "st.global.u32, block (0,0,0), thread (0,0,0)|into the 4096 bytes");
  found ("warps, write and read",
	 KERNEL (FIRST_WARP "@%u st.shared.u32 [s], 5; @%u ret;\n"
		 LINE ("ld.shared.u32 %a, [s];")), 1, 64, memory, CUDA_SUCCESS,
	 "race: read of 4 bytes at shared 0x0|by test.ptx:16|thread (32,0,0), "
	 "source seed.c:41|not ordered with the write by test.ptx:14|"
	 "thread (0,0,0), source seed.c:40");
  found ("blocks", KERNEL ("st.global.u32 [%q], %c;"), 2, 32, memory,
	 CUDA_SUCCESS,
	 "race: write of 4 bytes|block (1,0,0)|not ordered with the write|"
	 "block (0,0,0)");
  found ("one more than the barrier separates",
	 KERNEL ("shl.b32 %a, %t, 2; cvt.u64.u32 %o, %a; mov.u64 %q, s;\n"
		 "st.shared.u32 [s+256], 0;\n"
		 "add.u64 %q, %q, %o; st.shared.u32 [%q], %t; bar.sync 0;\n"
		 "ld.shared.u32 %a, [%q+4]; st.shared.u32 [%q], %a;"), 1, 64,
	 memory, CUDA_SUCCESS,
	 "race: read of 4 bytes at shared 0x80|by test.ptx:16|thread (31,0,0)|"
	 "not ordered with the write by test.ptx:16: st.shared.u32|"
	 "thread (32,0,0)");
  found ("a barrier for other warps",
	 KERNEL ("st.shared.u32 [s], 1; bar.sync 0;\n"
		 "setp.lt.u32 %u, %w, 2; @%u bar.sync 1, 64;\n"
		 "setp.eq.u32 %v, %w, 0; @%v st.shared.u32 [s], 2;\n"
		 "@%u bar.sync 1, 64; setp.eq.u32 %v, %w, 2;\n"
		 "@%v ld.shared.u32 %a, [s];"), 1, 96, memory, CUDA_SUCCESS,
	 "race: write|test.ptx:15|not ordered with the read by test.ptx:17|"
	 "thread (64,0,0)");
  found ("a read without the lock",
	 KERNEL (FIRST_THREAD "@%u st.shared.u32 [s], 0;\n"
		 "@%u st.shared.u32 [s+4], 0; bar.sync 0;\n"
		 FIRST_WARP "@!%u bra R;\n" LOCK
		 "ld.shared.u32 %a, [s]; add.u32 %a, %a, 1;\n"
		 "st.shared.u32 [s], %a; membar.cta;\n"
		 "atom.shared.exch.b32 %b, [s+4], 0; ret;\n"
		 LINE ("R: ld.shared.u32 %a, [s];")), 1, 64, memory,
	 CUDA_SUCCESS, "race: |source seed.c:41|source seed.c:40");
  found ("a write, and a load through the read-only path",
	 KERNEL ("st.global.u32 [%q], %t;\n"
		 LINE ("ld.global.nc.u32 %a, [%q];")), 1, 32, memory,
	 CUDA_SUCCESS,
	 "stale read: read of 4 bytes|by test.ptx:15: ld.global.nc.u32|"
	 "changed by the write by test.ptx:13: st.global.u32");
  found ("a load through the read-only path, and a write",
	 KERNEL ("ld.global.nc.u32 %a, [%q]; add.u32 %a, %a, 1;\n"
		 LINE ("st.global.u32 [%q], %a;")), 1, 32, memory,
	 CUDA_SUCCESS,
	 "stale read: write of 4 bytes|source seed.c:41|"
	 "changes the read-only data of the read by test.ptx:13");
  found ("an atomic update, and a load through the read-only path",
	 KERNEL ("red.global.add.u32 [%q], 1;\nld.global.nc.u32 %a, [%q];"), 1,
	 32, memory, CUDA_SUCCESS, "stale read: read of 4 bytes|by test.ptx:14");
  silent ("read-only data",
	  KERNEL ("ld.global.nc.u32 %a, [%q]; st.global.u32 [%q+2048], %a;"), 1,
	  32);
  silent ("and a write of what is there",
	  KERNEL ("ld.global.nc.u32 %a, [%q]; st.global.u32 [%q], %a;"), 1, 32);
  silent ("one value", KERNEL ("st.global.u32 [%p], 7; ld.global.u32 %a, [%p];"),
	  3, 64);
  silent ("one value, read after others have written it",
	  KERNEL ("st.shared.u32 [s], 7; nanosleep.u32 100;\n"
		  "ld.shared.u32 %a, [s];"), 1, 96);
  silent ("a write of what is there",
	  KERNEL ("setp.eq.u32 %u, %c, 0; @%u ld.global.u32 %a, [%p];\n"
		  "@!%u st.global.u32 [%p], 7;"), 2, 1);
  silent ("a byte for each warp",
	  KERNEL ("cvt.u64.u32 %o, %w; add.u64 %q, %p, %o;\n"
		  "st.global.u8 [%q], %w; ld.global.u8 %a, [%q];"), 1, 128);
  silent ("bytes of a word",
	  KERNEL ("cvt.u64.u32 %o, %t; add.u64 %q, %p, %o;\n"
		  "st.global.u8 [%q], %t; ld.global.u8 %a, [%q];"), 1, 128);
  silent ("a barrier",
	  KERNEL (FIRST_WARP "@%u st.shared.u32 [s], 5;\n"
		  "bar.sync 0; @!%u ld.shared.u32 %a, [s];") , 1, 33);
  silent ("a barrier that is passed on",
	  KERNEL ("setp.eq.u32 %u, %t, 0; @%u st.shared.u32 [s], 5;\n"
		  "setp.lt.u32 %u, %w, 2; @%u bar.sync 1, 64;\n"
		  "setp.ge.u32 %u, %w, 1; @%u bar.sync 2, 64;\n"
		  "setp.eq.u32 %u, %w, 2; @%u ld.shared.u32 %a, [s];"), 1, 96);
  silent ("arrive and sync",
	  KERNEL (FIRST_WARP "@%u bra A; bar.sync 1, 64;\n"
		  "ld.shared.u32 %a, [s+4]; ret;\n"
		  "A: st.shared.u32 [s+4], 3; bar.arrive 1, 64;"), 1, 64);
  silent ("lanes in step",
	  KERNEL (FIRST_THREAD "@%u st.shared.u32 [s], 9;\n"
		  "bar.warp.sync 0xffffffff; setp.eq.u32 %u, %t, 1;\n"
		  "@%u ld.shared.u32 %a, [s];"), 1, 32);
  silent ("a lock",
	  KERNEL (FIRST_THREAD "@%u st.shared.u32 [s], 0;\n"
		  "@%u st.shared.u32 [s+4], 0; bar.sync 0;\n" LOCK
		  "ld.shared.u32 %a, [s]; add.u32 %a, %a, 1;\n"
		  "st.shared.u32 [s], %a; membar.cta;\n"
		  "atom.shared.exch.b32 %b, [s+4], 0;"), 1, 96);
  silent ("a lock that a plain store releases",
	  KERNEL (FIRST_THREAD "@%u st.shared.u32 [s], 0;\n"
		  "@%u st.shared.u32 [s+4], 0; bar.sync 0;\n" LOCK
		  "ld.shared.u32 %a, [s]; add.u32 %a, %a, 1;\n"
		  "st.shared.u32 [s], %a; membar.cta;\n"
		  "st.shared.u32 [s+4], 0;"), 1, 96);
  silent ("a volatile flag between blocks",
	  KERNEL ("setp.eq.u32 %u, %c, 0; @%u bra A;\n"
		  "W: ld.volatile.global.u32 %a, [%p+64]; setp.ne.u32 %v, %a, 4711;\n"
		  "@%v bra W; ld.global.u32 %a, [%p+128]; ret;\n"
		  "A: st.global.u32 [%p+128], 4712; membar.gl;\n"
		  "st.volatile.global.u32 [%p+64], 4711;"), 2, 1);
  silent ("a flag that C's atomic operations set and read",
	  KERNEL (FIRST_WARP "@!%u bra W;\n"
		  "st.shared.u32 [s], 6; membar.cta;\nst.shared.u32 [s+4], 5;\n"
		  "ret; W: ld.shared.u32 %b, [s+4];\nmembar.cta;\n"
		  "setp.ne.u32 %v, %b, 5; @%v bra W; ld.shared.u32 %a, [s];"),
	  1, 64);
  silent ("a counter that is also read plainly",
	  KERNEL ("st.shared.u32 [s], 0; bar.sync 0;\n"
		  "red.shared.add.u32 [s], 1; ld.shared.u32 %a, [s];\n"
		  "setp.eq.u32 %u, %a, 1; @%u st.shared.u32 [s], %t;"), 1, 96);
  silent ("the last block sums up",
	  KERNEL ("mul.wide.u32 %o, %c, 4; add.u64 %q, %p, %o;\n"
		  "add.u32 %b, %c, 100; st.global.u32 [%q], %b; membar.gl;\n"
		  "atom.global.inc.u32 %a, [%p+1024], 7;\n"
		  "setp.ne.u32 %u, %a, 7; @%u exit; mov.u32 %b, 0;\n"
		  "N: ld.global.u32 %a, [%p]; add.u32 %b, %b, 1;\n"
		  "add.u64 %p, %p, 4; setp.lt.u32 %u, %b, 8; @%u bra N;"), 8, 1);
  static const char each[] = KERNEL ("add.u32 %t, %t, 1;\n"
				     "st.global.u32 [%q], %t;");
  silent ("a launch", each, 1, 64);
  silent_at ("another launch, other threads", each, 1, 64, memory + 128);
}

/* Launch kernel l of the module ARG.  */
static void *
other_launch (void *arg)
{
  return (void *) (uintptr_t) launch (arg, "l", 1, 1, 0, 1, &memory);
}

/* One warp updates a word, the other one reads it plainly, as C's atomic
   updates do first; nothing orders the two.  Between them another launch looks
   at the word.  What makes the warps take turns is plain stores and loads of
   different launches, which order nothing.  */
static void
launches_at_once (void)
{
  struct emu_module *m = load_ptx (KERNEL (
    FIRST_WARP "@%u bra A;\n"
    "W: ld.global.u32 %a, [%p+4]; setp.ne.u32 %v, %a, 1; @%v bra W;\n"
    "ld.global.u32 %a, [%p+128]; ret;\n"
    "A: atom.global.cas.b32 %a, [%p+128], 0, 1; st.global.u32 [%p], 1;") "\n"
    ".visible .entry l (.param .u64 p)\n{\n"
    ".reg .b32 %a; .reg .b64 %p; .reg .pred %v; ld.param.u64 %p, [p];\n"
    "V: ld.global.u32 %a, [%p]; setp.ne.u32 %v, %a, 1; @%v bra V;\n"
    "ld.volatile.global.u32 %a, [%p+128]; st.global.u32 [%p+4], 1; ret;\n}\n");
  memset ((void *) (uintptr_t) memory, 0, 8);
  pthread_t other;
  void *result = NULL;
  CUresult r = CAPTURED (({
    CUresult first = CUDA_ERROR_NOT_FOUND;
    if (!pthread_create (&other, NULL, other_launch, m))
      {
	first = launch (m, "k", 1, 64, 0, 1, &memory);
	pthread_join (other, &result);
      }
    first;
  }));
  emu_module_unload (m);
  if (!ok (!r && !result && !*captured,
	   "an update that another launch looks at: no report"))
    diag ("%d %s", r, captured);
}

/* Two units: the first has the kernel, and each a function that races.  Of two
   blocks that run at one time the checker may miss a race (race.c), of BLOCKS not. */
static void
library (void)
{
#define SET(name)							      \
  ".visible .func " name " (.param .u64 q, .param .u32 v)\n"		      \
  "{ .reg .u64 %q; .reg .u32 %v;\n"					      \
  "ld.param.u64 %q, [q]; ld.param.u32 %v, [v]; st.u32 [%q], %v; ret; }\n"
#define CALL(name)							      \
  "{ .param .u64 q; .param .u32 v; st.param.u64 [q], %p;\n"		      \
  "st.param.u32 [v], %c; call " name ", (q, v); }\n"
#define UNIT(body)							      \
  PTX_HEADER ".extern .func theirs (.param .u64 q, .param .u32 v);\n" SET ("ours") \
  ".visible .entry k (.param .u64 p) { .reg .u64 %p; .reg .u32 %c;\n"	      \
  "ld.param.u64 %p, [p]; mov.u32 %c, %ctaid.x; add.u32 %c, %c, 20;\n"	      \
  body "ret; }\n"
  static const struct { const char *name, *ptx; bool reported; } rows[] = {
    { "a race in a library", UNIT (CALL ("theirs")), false },
    { "a race with a library", UNIT (CALL ("theirs") CALL ("ours")), true },
  };
  static const char second[] = PTX_HEADER SET ("theirs");
  enum { BLOCKS = 64 };
  for (unsigned k = 0; k < 2; k++)
    {
      struct emu_source s[] = { { "one.o", rows[k].ptx, strlen (rows[k].ptx) },
				{ "two.o", second, sizeof second - 1 } };
      struct emu_module *m;
      CUresult r = emu_module_load (&m, s, 2, NULL);
      if (!r)
	r = CAPTURED (launch (m, "k", BLOCKS, 1, 0, 1, &memory));
      emu_module_unload (m);
      if (!ok (!r && !*captured == !rows[k].reported, "%s", rows[k].name))
	diag ("%d %s", r, captured);
    }
}

/* ---- Barriers ------------------------------------------------------------ */

static void
barriers (void)
{
  found ("warps at different barriers",
	 KERNEL (FIRST_WARP "@%u bra A; bar.sync 1; ret;\n"
		 LINE ("A: bar.sync 2;")), 1, 64, memory,
	 CUDA_ERROR_LAUNCH_FAILED,
	 "barrier divergence: no thread|waits: test.ptx:16: bar.sync|"
	 "thread (0,0,0), source seed.c:41|waits: test.ptx:14|thread (32,0,0)");
  found ("lanes at different barrier instructions",
	 KERNEL (FIRST_THREAD "@%u bra A; bar.sync 0; bra E;\n"
		 "A: bar.sync 0;\nE:"), 1, 32, memory, CUDA_SUCCESS,
	 "barrier divergence: lanes of a warp meet at barrier 0|"
	 "by test.ptx:15|and by test.ptx:14");
  found ("counts that differ",
	 KERNEL (FIRST_WARP "@%u bar.sync 1, 64; @!%u bar.sync 1, 32;"), 1, 64,
	 memory, CUDA_SUCCESS,
	 "barrier divergence: barrier 1 for 32 threads, where others wait for 64");
  found ("a shuffle by a lane that the mask leaves out",
	 KERNEL ("mov.u32 %a, 0xffffffff; setp.eq.u32 %u, %t, 5;\n"
		 "@%u mov.u32 %a, 0xffffffdf;\n"
		 LINE ("shfl.sync.idx.b32 %b, %t, 0, 31, %a;")), 1, 32, memory,
	 CUDA_SUCCESS,
	 "membermask: lane 5 is not in its mask 0xffffffdf|"
	 "by test.ptx:16: shfl.sync.idx.b32, block (0,0,0), thread (5,0,0), "
	 "source seed.c:41");
  found ("a barrier of a warp that leaves out who waits there",
	 KERNEL ("bar.warp.sync 0xffff0000;"), 1, 32, memory, CUDA_SUCCESS,
	 "membermask: lane 0 is not in its mask 0xffff0000|bar.warp.sync");
  silent ("votes and shuffles of some lanes",
	  KERNEL ("setp.lt.u32 %u, %t, 16; @!%u bra HIGH;\n"
		  "vote.sync.ballot.b32 %a, %u, 0xffff; bra J;\n"
		  "HIGH: shfl.sync.bfly.b32 %a, %t, 1, 31, 0xffff0000;\n"
		  "J: bar.warp.sync 0xffffffff;"), 2, 32);
  found ("too few threads for a barrier", KERNEL ("bar.sync 1, 128;"), 1, 64,
	 memory, CUDA_ERROR_LAUNCH_FAILED, "deadlock: no thread|waits: test.ptx:13");
  found ("a lock taken twice",
	 KERNEL ("st.shared.u32 [s+4], 0;\n" LOCK
		 "M: atom.shared.cas.b32 %b, [s+4], 0, 1;\n"
		 LINE ("setp.ne.u32 %v, %b, 0; @%v bra M;")), 1, 1, memory,
	 CUDA_ERROR_LAUNCH_FAILED, "deadlock: no thread|spins: test.ptx:");
  silent ("barriers in turn",
	  KERNEL ("bar.sync 0; bar.sync 1; setp.lt.u32 %u, %t, 40; @%u exit;\n"
		  "bar.sync 0;"), 2, 64);
}

/* ---- Device-side launches ------------------------------------------------ */

/* k launches c with two blocks of 32 and passes its parameter on.  */
#define NESTED(body)							      \
  PTX_HEADER								      \
  ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2 (.param .b64 f,\n" \
  ".param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);\n"   \
  ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 p, .param .b64 s);\n" \
  ".visible .entry c (.param .u64 p) {\n"				      \
  ".reg .b32 %c, %t; .reg .b64 %p, %o;\n"				      \
  "ld.param.u64 %p, [p]; mov.u32 %c, %ctaid.x; mov.u32 %t, %tid.x;\n"	      \
  "mad.lo.u32 %t, %c, 32, %t; mul.wide.u32 %o, %t, 4;\n"		      \
  body "\nret; }\n"							      \
  ".visible .entry k (.param .u64 p) {\n"				      \
  ".reg .b64 %f, %p, %q; .reg .b32 %r;\n"				      \
  "mov.u64 %f, c; ld.param.u64 %q, [p];\n"				      \
  "{ .param .b64 p0; .param .align 4 .b8 p1[12]; .param .align 4 .b8 p2[12];\n" \
  ".param .b32 p3; .param .b64 v; st.param.b64 [p0], %f;\n"		      \
  "st.param.b32 [p1], 2; st.param.b32 [p1+4], 1; st.param.b32 [p1+8], 1;\n"   \
  "st.param.b32 [p2], 32; st.param.b32 [p2+4], 1; st.param.b32 [p2+8], 1;\n"  \
  "st.param.b32 [p3], 0;\n"						      \
  "call (v), __cudaCDP2GetParameterBufferV2, (p0, p1, p2, p3);\n"	      \
  "ld.param.b64 %p, [v]; }\n"						      \
  "st.u64 [%p], %q;\n"							      \
  "{ .param .b64 p0; .param .b64 p1; .param .b32 v; st.param.b64 [p0], %p;\n" \
  "st.param.b64 [p1], 4; call (v), __cudaCDP2LaunchDeviceV2, (p0, p1);\n"     \
  "ld.param.b32 %r, [v]; }\nret; }\n"

static void
nested (void)
{
  const char *right = NESTED ("add.u64 %p, %p, %o; st.global.u32 [%p], %t;");
  silent ("children of several threads", NESTED ("st.global.u32 [%p], 1;"), 2, 3);
  silent ("a child", right, 1, 1);
  found ("a race in a child", NESTED ("st.global.u32 [%p+64], %c;"), 1, 1,
	 memory, CUDA_SUCCESS,
	 "race: write of 4 bytes|block (1,0,0), thread (0,0,0), kernel c|"
	 "not ordered with the write|block (0,0,0), thread (0,0,0), kernel c");
  found ("a child beyond the end", right, 1, 1, memory + BYTES - 64,
	 CUDA_ERROR_ILLEGAL_ADDRESS,
	 "out of bounds: write|thread (16,0,0), kernel c|0 bytes after");
}

int
main (void)
{
  setenv ("ACCRETE_EMU_CHECK", "1", 1);
  memory = (uintptr_t) device (BYTES);
  emu_check_defined (memory, BYTES);
  addresses ();
  contents ();
  races ();
  launches_at_once ();
  library ();
  barriers ();
  nested ();
  return done_testing ();
}

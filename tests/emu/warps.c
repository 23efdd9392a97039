/* Lanes, warps and blocks: divergence, calls, synchronisation, exchange,
   forward progress.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "machine-run.h"

typedef uint32_t u32;

/* Kernels have the parameter out; %t is the thread, %o the address of its
   word in out.  */
#define KERNEL(name, body)						      \
  ".visible .entry " name " (.param .u64 out)\n{\n"			      \
  ".reg .b32 %t, %n, %c, %l, %a, %b, %d, %e, %i; .reg .b64 %o, %p, %q, %r;\n" \
  ".reg .pred %u, %v, %w;\n"						      \
  "ld.param.u64 %p, [out]; mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x;\n"	      \
  "mov.u32 %c, %ctaid.x; mad.lo.u32 %a, %c, %n, %t; mov.u32 %l, %laneid;\n"   \
  "mul.wide.u32 %o, %a, 4; add.u64 %o, %p, %o;\n" body "\nDONE: ret;\n}\n"

#define STORE(reg) "st.global.u32 [%o], " reg ";\n"

enum { WORDS = 1 << 16 };
static u32 *out;

/* Run kernel k of TEXT; false after a diagnostic.  */
static bool
run_with (const char *text, unsigned grid, unsigned block, unsigned shared)
{
  struct emu_module *m = load_ptx (text);
  const uint64_t params[] = { (uintptr_t) out };
  if (!m)
    return false;
  CUresult r = launch (m, "k", grid, block, shared, 1, params);
  if (r != CUDA_SUCCESS)
    diag ("launch: %d", r);
  emu_module_unload (m);
  return r == CUDA_SUCCESS;
}

static bool
run (const char *text, unsigned grid, unsigned block)
{
  memset (out, 0xee, WORDS * sizeof *out);
  return run_with (text, grid, block, 0);
}

/* Whether the first N words are WANT, which may use T, the thread.  */
#define ALL(n, want)							      \
  ({									      \
    bool all_ok = true;							      \
    for (u32 t = 0; all_ok && t < (n); t++)				      \
      if (out[t] != (u32) (want))					      \
	{								      \
	  diag ("thread %u: got %#x, want %#x", t, out[t], (u32) (want));      \
	  all_ok = false;						      \
	}								      \
    all_ok;								      \
  })

static void
divergence (void)
{
  ok (run (PTX_HEADER KERNEL ("k",
	     "and.b32 %a, %t, 1; setp.eq.u32 %u, %a, 0; @%u bra EVEN;\n"
	     "and.b32 %a, %t, 2; setp.eq.u32 %u, %a, 0; @%u bra ONE;\n"
	     "mov.u32 %d, 300; bra JOIN;\n"
	     "ONE: mov.u32 %d, 100; bra JOIN;\n"
	     "EVEN: mov.u32 %d, 0;\n"
	     "JOIN: activemask.b32 %b; add.u32 %d, %d, %t; popc.b32 %b, %b;\n"
	     "mad.lo.u32 %d, %b, 1000, %d;" STORE ("%d")), 2, 64)
	&& ALL (128, 32000 + t % 64 + (t % 2 ? t % 4 / 2 * 200 + 100 : 0)),
      "branches meet again behind an if");
  ok (run (PTX_HEADER KERNEL ("k",
	     "mov.u32 %d, 0; and.b32 %a, %t, 1; setp.ne.u32 %u, %a, 0;\n"
	     "@%u bra AWAY;\n"
	     "setp.lt.u32 %v, %l, 8; @%v bra BACK;\n"
	     "mov.u32 %d, 50;\n"
	     "BACK: add.u32 %d, %d, %t;\n"
	     "activemask.b32 %b; popc.b32 %b, %b;\n"
	     "mad.lo.u32 %d, %b, 1000, %d;" STORE ("%d") "ret;\n"
	     "AWAY: mov.u32 %d, 100; bra BACK;\n"), 2, 64)
	&& ALL (128, 32000 + t % 64
		       + (t % 2 ? 100 : t % 32 < 8 ? 0 : 50)),
      "branches meet again behind one whose block is at the end");
  ok (run (PTX_HEADER KERNEL ("k",
	     "mov.u32 %d, 0; mov.u32 %i, 0;\n"
	     "LOOP: add.u32 %d, %d, %i; add.u32 %i, %i, 1;\n"
	     "setp.le.u32 %u, %i, %t; @%u bra LOOP;\n" STORE ("%d")), 1, 96)
	&& ALL (96, t * (t + 1) / 2),
      "each lane leaves a loop after its own count");
  ok (run (PTX_HEADER KERNEL ("k",
	     "mov.u32 %d, 7; setp.gt.u32 %u, %t, 40; @%u exit;\n"
	     "and.b32 %a, %t, 3; setp.eq.u32 %u, %a, 0; @%u ret;\n" STORE ("%d")),
	   1, 64)
	&& ALL (64, t > 40 || t % 4 == 0 ? 0xeeeeeeee : 7),
      "lanes exit and return on their own");
  ok (run (PTX_HEADER KERNEL ("k",
	     "rem.u32 %a, %t, 3;\n"
	     "T: .branchtargets L0, L1, L2;\n"
	     "brx.idx %a, T;\n"
	     "L0: mov.u32 %d, 10; bra J;\nL1: mov.u32 %d, 11; bra J;\n"
	     "L2: mov.u32 %d, 12;\nJ:" STORE ("%d")), 1, 64)
	&& ALL (64, 10 + t % 3),
      "brx.idx");
}

static void
calls (void)
{
  ok (run (PTX_HEADER
	   ".func (.param .u32 r) fact (.param .u32 n)\n{\n"
	   ".reg .b32 %n, %m; .reg .pred %p; ld.param.u32 %n, [n];\n"
	   "mov.u32 %m, 1; setp.lt.u32 %p, %n, 2; @%p bra END;\n"
	   "sub.u32 %m, %n, 1;\n"
	   "{ .param .u32 a; .param .u32 v; st.param.u32 [a], %m;\n"
	   "call (v), fact, (a); ld.param.u32 %m, [v]; }\n"
	   "mul.lo.u32 %m, %m, %n;\nEND: st.param.u32 [r], %m; ret;\n}\n"
	   KERNEL ("k", "rem.u32 %a, %t, 7; { .param .u32 a; .param .u32 v;\n"
			"st.param.u32 [a], %a; call (v), fact, (a);\n"
			"ld.param.u32 %d, [v]; }\n" STORE ("%d")), 1, 64)
	&& ({
	     static const u32 f[] = { 1, 1, 2, 6, 24, 120, 720 };
	     ALL (64, f[t % 7]);
	   }),
      "recursion to a depth of its own for each lane");
  ok (run (PTX_HEADER
	   ".func (.param .u32 r) f0 (.param .u32 n) { .reg .b32 %n;"
	   " ld.param.u32 %n, [n]; add.u32 %n, %n, 1000; st.param.u32 [r], %n; ret; }\n"
	   ".func (.param .u32 r) f1 (.param .u32 n) { .reg .b32 %n;"
	   " ld.param.u32 %n, [n]; mul.lo.u32 %n, %n, 3; st.param.u32 [r], %n; ret; }\n"
	   ".global .u64 table[2] = { f0, f1 };\n"
	   KERNEL ("k", "and.b32 %a, %t, 1; mul.wide.u32 %q, %a, 8; mov.u64 %r, table;\n"
			"add.u64 %q, %q, %r; ld.global.u64 %q, [%q];\n"
			"{ .param .u32 a; .param .u32 v; st.param.u32 [a], %t;\n"
			"P: .callprototype (.param .u32 _) _ (.param .u32 _);\n"
			"call (v), %q, (a), P; ld.param.u32 %d, [v]; }\n"
			"activemask.b32 %b; popc.b32 %b, %b; mad.lo.u32 %d, %b, 10000, %d;\n"
			STORE ("%d")), 1, 64)
	&& ALL (64, 320000 + (t % 2 ? t * 3 : t + 1000)),
      "indirect calls with two targets in a warp");
  ok (run (PTX_HEADER
	   ".func (.param .align 8 .b8 r[16]) swap (.param .align 8 .b8 s[16], .param .u64 x)\n"
	   "{ .reg .b64 %a, %b, %x; .reg .b32 %c; ld.param.u64 %x, [x];\n"
	   "ld.param.b64 %a, [s]; ld.param.b64 %b, [s+8]; add.u64 %a, %a, %x;\n"
	   "st.param.b64 [r], %b; st.param.b64 [r+8], %a; ret; }\n"
	   KERNEL ("k", "{ .param .align 8 .b8 s[16]; .param .align 8 .b8 v[16]; .param .u64 x;\n"
			"cvt.u64.u32 %q, %t; mov.u64 %r, 5;\n"
			"st.param.b64 [s], %q; st.param.b16 [s+8], 0x102; st.param.b8 [s+10], 3;\n"
			"st.param.b8 [s+11], 4; st.param.b32 [s+12], 0; st.param.b64 [x], %r;\n"
			"call (v), swap, (s, x); ld.param.b64 %q, [v+8]; ld.param.b8 %e, [v+3];\n"
			"ld.param.u16 %d, [v]; }\n"
			"cvt.u32.u64 %a, %q; shl.b32 %e, %e, 20; shl.b32 %a, %a, 24;\n"
			"or.b32 %d, %d, %e; or.b32 %d, %d, %a;\n" STORE ("%d")), 1, 64)
	&& ALL (64, (t + 5) << 24 | 4 << 20 | 0x102),
      "structures by value, read in other pieces than they were written");
  ok (run (PTX_HEADER
	   ".func (.reg .u32 r) old (.reg .u32 a, .reg .u32 b)\n"
	   "{ sub.u32 r, a, b; ret; }\n"
	   KERNEL ("k", "call (%d), old, (%t, 3);\n" STORE ("%d")), 1, 32)
	&& ALL (32, t - 3),
      "parameters in registers");
  ok (run (PTX_HEADER
	   ".visible .func (.param .u32 r) again (.param .u32 a);\n"
	   ".func (.param .u32 r) own (.param .u32 a);\n"
	   ".visible .func (.param .u32 r) twice (.param .u32 a)\n"
	   "{ .reg .b32 %a; ld.param.u32 %a, [a]; add.u32 %a, %a, %a;\n"
	   "st.param.u32 [r], %a; ret; }\n"
	   ".alias again, twice;\n.alias own, twice;\n"
	   ".global .u64 at = again;\n"
	   KERNEL ("k", "{ .param .u32 a; .param .u32 v; st.param.u32 [a], %t;\n"
			"call (v), own, (a); ld.param.u32 %d, [v]; st.param.u32 [a], %d;\n"
			"P: .callprototype (.param .u32 _) _ (.param .u32 _);\n"
			"ld.global.u64 %q, [at];\n"
			"call (v), %q, (a), P; ld.param.u32 %d, [v]; }\n" STORE ("%d")),
	   1, 64)
	&& ALL (64, 4 * t),
      "an alias of a function, called by its name and through its address");
}

static void
memory_spaces (void)
{
  ok (run (PTX_HEADER
	   ".func (.param .u64 r) sum (.param .u64 p)\n{\n"
	   ".local .align 8 .b8 pad[24]; .reg .b64 %p, %q, %s, %x; ld.param.u64 %p, [p];\n"
	   "mov.u64 %q, pad; ld.u64 %s, [%p]; st.local.u64 [%q+8], %s;\n"
	   "ld.u64 %x, [%p+8]; ld.local.u64 %s, [%q+8]; add.u64 %s, %s, %x;\n"
	   "st.param.u64 [r], %s; ret; }\n"
	   KERNEL ("k", ".local .align 8 .b8 mine[16];\n"
			"cvta.local.u64 %q, mine; cvt.u64.u32 %r, %t; st.u64 [%q], %r;\n"
			"st.local.u64 [mine+8], 100;\n"
			"{ .param .u64 a; .param .u64 v; st.param.u64 [a], %q;\n"
			"call (v), sum, (a); ld.param.u64 %r, [v]; }\n"
			"isspacep.local %u, %q; selp.b32 %a, 1000, 0, %u; isspacep.shared %u, %q;\n"
			"selp.b32 %b, 5000, 0, %u; cvt.u32.u64 %d, %r; add.u32 %d, %d, %a;\n"
			"add.u32 %d, %d, %b;\n" STORE ("%d")), 1, 64)
	&& ALL (64, t + 1100),
      "local memory: a copy for each thread, by generic address too");
  /* Every call fills t + 1 words of its own, from its depth on.  */
  ok (run (PTX_HEADER
	   ".func (.param .u32 r) f (.param .u32 n, .param .u32 depth)\n{\n"
	   ".reg .b32 %n, %m, %i, %s, %x; .reg .b64 %p, %q, %b; .reg .pred %u;\n"
	   "ld.param.u32 %n, [n]; ld.param.u32 %m, [depth]; mul.wide.u32 %b, %n, 4;\n"
	   "add.u64 %b, %b, 4; alloca.u64 %p, %b, 32; and.b64 %q, %p, 31;\n"
	   "setp.ne.u64 %u, %q, 0; @%u trap; mov.u32 %i, 0; mov.u64 %q, %p;\n"
	   "FILL: add.u32 %x, %i, %m; st.local.u32 [%q], %x; add.u64 %q, %q, 4;\n"
	   "add.u32 %i, %i, 1; setp.le.u32 %u, %i, %n; @%u bra FILL;\n"
	   "mov.u32 %s, 0; setp.eq.u32 %u, %m, 0; @%u bra SUM;\n"
	   "{ .param .u32 a; .param .u32 b; .param .u32 v; sub.u32 %x, %m, 1;\n"
	   "st.param.u32 [a], %n; st.param.u32 [b], %x; call (v), f, (a, b);\n"
	   "ld.param.u32 %s, [v]; }\n"
	   "SUM: mov.u32 %i, 0; cvta.local.u64 %q, %p;\n"
	   "ADD: ld.u32 %x, [%q]; add.u32 %s, %s, %x; add.u64 %q, %q, 4;\n"
	   "add.u32 %i, %i, 1; setp.le.u32 %u, %i, %n; @%u bra ADD;\n"
	   "st.param.u32 [r], %s; ret;\n}\n"
	   KERNEL ("k", "mov.u32 %i, 3;\n"
			"{ .param .u32 a; .param .u32 b; .param .u32 v; st.param.u32 [a], %t;\n"
			"st.param.u32 [b], %i; call (v), f, (a, b); ld.param.u32 %d, [v]; }\n"
			STORE ("%d")), 1, 64)
	&& ALL (64, 4 * (t * (t + 1) / 2) + 6 * (t + 1)),
      "alloca: as much as each lane wants, in every call of a recursion");
  /* 600 KiB one after the other, 512 KiB at once is the most.  */
  ok (run (PTX_HEADER KERNEL ("k",
	     "mov.u32 %i, 0; mov.u32 %d, 0; stacksave.u64 %q;\n"
	     "L: alloca.u64 %r, 1024; st.local.u32 [%r+1020], %t; ld.local.u32 %a, [%r+1020];\n"
	     "add.u32 %d, %d, %a; stackrestore.u64 %q; add.u32 %i, %i, 1;\n"
	     "setp.lt.u32 %u, %i, 600; @%u bra L;\n" STORE ("%d")), 1, 32)
	&& ALL (32, 600 * t),
      "stackrestore gives back what alloca took");
  ok (run (PTX_HEADER
	   ".const .align 4 .u32 table[4] = { 3, 1, 4, 1 };\n"
	   ".global .align 8 .u64 at = generic(table)+4;\n"
	   KERNEL ("k", ".shared .align 4 .u32 s[64];\n"
			"mul.wide.u32 %q, %t, 4; mov.u64 %r, s; add.u64 %q, %q, %r;\n"
			"st.shared.u32 [%q], %t; bar.sync 0;\n"
			"xor.b32 %a, %t, 33; mul.wide.u32 %q, %a, 4; add.u64 %q, %q, %r;\n"
			"cvta.shared.u64 %q, %q; ld.u32 %d, [%q];\n"
			"ld.global.u64 %q, [at]; ld.u32 %a, [%q+4]; ld.const.u32 %b, [table];\n"
			"mad.lo.u32 %d, %a, 100, %d; mad.lo.u32 %d, %b, 1000, %d;\n"
			STORE ("%d")), 3, 64)
	&& ALL (192, 3400 + (t % 64 ^ 33)),
      "shared and constant memory, initialisers with addresses");
  memset (out, 0, WORDS * 4);
  ok (run_with (PTX_HEADER ".extern .shared .align 16 .b8 dyn[];\n"
		KERNEL ("k", "mov.u32 %a, dyn; shl.b32 %b, %t, 2; add.u32 %a, %a, %b;\n"
			     "st.shared.u32 [%a], %t; bar.sync 0; sub.u32 %b, 63, %t;\n"
			     "shl.b32 %b, %b, 2; mov.u32 %a, dyn; add.u32 %a, %a, %b;\n"
			     "ld.shared.u32 %d, [%a]; mov.u32 %e, %dynamic_smem_size;\n"
			     "mad.lo.u32 %d, %e, 100, %d;\n" STORE ("%d")), 1, 64, 256)
	&& ALL (64, 25600 + 63 - t),
      "dynamic shared memory");
  ok (run (PTX_HEADER KERNEL ("k",
	     ".reg .v2 .u32 %w2; .reg .v4 .u32 %w4;\n"
	     "mul.wide.u32 %q, %t, 16; add.u64 %q, %p, %q;\n"
	     "add.u32 %a, %t, 1; st.global.v4.u32 [%q], {%t, %a, %n, %l};\n"
	     "ld.global.v2.u32 %w2, [%q+8]; mov.u32 %d, %w2.x; mov.v2.u32 {%e, %d}, {%d, %w2.y};\n"
	     "add.u32 %d, %d, %e; st.global.u32 [%q+8], %d;\n"), 1, 32)
	&& ALL (128, t % 4 == 0 ? t / 4 : t % 4 == 1 ? t / 4 + 1
		     : t % 4 == 2 ? 32 + t / 4 : t / 4),
      "vectors in memory and registers");
}

/* shfl as PTX ISA 9.7.9.6 describes it.  */
static u32
shuffled (int mode, u32 lane, u32 b, u32 c, u32 *valid)
{
  int bval = b & 31, clamp = c & 31, mask = c >> 8 & 31, l = (int) lane;
  int max = (l & mask) | (clamp & ~mask), min = l & mask, j;
  bool p;
  switch (mode)
    {
    case 0:
      j = l - bval;
      p = j >= max;
      break;
    case 1:
      j = l + bval;
      p = j <= max;
      break;
    case 2:
      j = l ^ bval;
      p = j <= max;
      break;
    default:
      j = min | (bval & ~mask);
      p = j <= max;
    }
  *valid = p;
  return (u32) (p ? j : l);
}

static void
exchange (void)
{
#define SHUFFLE(mode)							      \
  KERNEL ("k", "add.u32 %a, %t, 100; ld.const.u32 %b, [delta];\n"	      \
	       "ld.const.u32 %c, [clamp];\n"				      \
	       "shfl.sync." mode ".b32 %d|%u, %a, %b, %c, 0xffffffff;\n"      \
	       "selp.b32 %e, 1000, 0, %u; add.u32 %d, %d, %e;\n" STORE ("%d"))
  static const char *const name[] = { "up", "down", "bfly", "idx" };
  static const char *const kernel[]
    = { SHUFFLE ("up"), SHUFFLE ("down"), SHUFFLE ("bfly"), SHUFFLE ("idx") };
  static const u32 clamps[] = { 0, 31, 0x1f, 7, 0x181f, 0x1c03, 0x1000, 0x101f };
  for (int mode = 0; mode < 4; mode++)
    {
      bool same = true;
      for (unsigned k = 0; k < 8; k++)
	for (u32 b = 0; b < 32; b += 3)
	  {
	    char text[2048] = PTX_HEADER;
	    size_t n = strlen (text);
	    snprintf (text + n, sizeof text - n,
		      ".const .u32 delta = %u;\n.const .u32 clamp = %u;\n", b,
		      clamps[k]);
	    strcat (text, kernel[mode]);
	    u32 v;
	    same = same && run (text, 1, 32)
		   && ALL (32, shuffled (mode, t, b, clamps[k], &v) + 100
				 + 1000 * (shuffled (mode, t, b, clamps[k], &v), v));
	  }
      ok (same, "shfl.sync.%s with segments and clamps", name[mode]);
    }
  ok (run (PTX_HEADER KERNEL ("k",
	     "and.b32 %a, %t, 1; setp.eq.u32 %u, %a, 0; @%u bra EVEN;\n"
	     "shfl.sync.idx.b32 %d, %t, 3, 31, 0xaaaaaaaa; bra J;\n"
	     "EVEN: shfl.sync.idx.b32 %d, %t, 4, 31, 0x55555555;\n"
	     "J:" STORE ("%d")), 1, 32)
	&& ALL (32, t % 2 ? 3 : 4),
      "shfl.sync among the lanes of each side of a branch");
  ok (run (PTX_HEADER KERNEL ("k",
	     "setp.lt.u32 %u, %t, 5; @%u bra FEW; add.u32 %t, %t, 0;\n"
	     "bra J;\nFEW: add.u32 %t, %t, 50;\n"
	     "J: shfl.sync.bfly.b32 %d, %t, 1, 31, 0xffffffff;" STORE ("%d")), 1, 32)
	&& ALL (32, (t ^ 1) + ((t ^ 1) < 5 ? 50 : 0)),
      "shfl.sync waits for all the lanes that it names");
  ok (run (PTX_HEADER KERNEL ("k",
	     "and.b32 %a, %t, 3; setp.eq.u32 %u, %a, 1;\n"
	     "vote.sync.ballot.b32 %d, %u, 0xffffffff; vote.sync.any.pred %v, %u, 0xffffffff;\n"
	     "vote.sync.all.pred %w, !%u, 0xffffffff; selp.b32 %e, 1, 0, %v;\n"
	     "selp.b32 %b, 2, 0, %w; add.u32 %d, %d, %e; add.u32 %d, %d, %b;\n"
	     "vote.sync.uni.pred %v, %u, 0xffffffff; selp.b32 %e, 4, 0, %v; add.u32 %d, %d, %e;\n"
	     STORE ("%d")), 1, 32)
	&& ALL (32, 0x22222222 + 1),
      "vote");
  ok (run (PTX_HEADER KERNEL ("k",
	     "rem.u32 %a, %t, 3; match.any.sync.b32 %d, %a, 0xffffffff;\n"
	     "match.all.sync.b32 %b|%u, %a, 0xffffffff; selp.b32 %e, 1, 0, %u;\n"
	     "add.u32 %d, %d, %b; mov.u64 %q, 9; match.all.sync.b64 %b|%u, %q, 0xffffffff;\n"
	     "@%u xor.b32 %d, %d, %b;\n" STORE ("%d")), 1, 32)
	&& ALL (32, ~(t % 3 == 0 ? 0x49249249u : t % 3 == 1 ? 0x92492492u : 0x24924924u)),
      "match");
  ok (run (PTX_HEADER KERNEL ("k",
	     "redux.sync.add.u32 %d, %t, 0xffffffff; sub.u32 %a, %t, 7;\n"
	     "redux.sync.min.s32 %b, %a, 0xffffffff; redux.sync.max.u32 %e, %a, 0xffffffff;\n"
	     "redux.sync.xor.b32 %i, %t, 0xffffffff; add.u32 %d, %d, %b; xor.b32 %d, %d, %e;\n"
	     "add.u32 %d, %d, %i; elect.sync _|%u, 0xffffffff; @%u add.u32 %d, %d, 1000;\n"
	     STORE ("%d")), 1, 32)
	&& ALL (32, ((496u - 7) ^ 0xffffffffu) + (t == 0 ? 1000 : 0)),
      "redux, elect");
}

static void
barriers (void)
{
  ok (run (PTX_HEADER KERNEL ("k",
	     ".shared .u32 s; setp.eq.u32 %u, %t, 200; @%u st.shared.u32 [s], 77;\n"
	     "bar.sync 0; ld.shared.u32 %d, [s];" STORE ("%d")), 4, 256)
	&& ALL (1024, 77),
      "bar.sync");
  ok (run (PTX_HEADER KERNEL ("k",
	     ".shared .u32 s; setp.ge.u32 %u, %t, 64; @%u bra CONSUMER;\n"
	     "setp.eq.u32 %v, %t, 63; mov.u32 %i, 0;\n"
	     "WORK: add.u32 %i, %i, 1; setp.lt.u32 %w, %i, 3000; @%w bra WORK;\n"
	     "@%v st.shared.u32 [s], 5; bar.arrive 3, 128; mov.u32 %d, 1; bra J;\n"
	     "CONSUMER: bar.sync 3, 128; ld.shared.u32 %d, [s];\n"
	     "J:" STORE ("%d")), 1, 128)
	&& ALL (128, t < 64 ? 1 : 5),
      "bar.arrive and bar.sync with a count");
  ok (run (PTX_HEADER KERNEL ("k",
	     "setp.lt.u32 %u, %t, 10; bar.red.popc.u32 %d, 0, %u; setp.lt.u32 %v, %t, 96;\n"
	     "bar.red.and.pred %w, 1, %v; selp.b32 %a, 100, 0, %w; add.u32 %d, %d, %a;\n"
	     "bar.red.or.pred %w, 1, 96, !%v; selp.b32 %a, 1000, 0, %w; add.u32 %d, %d, %a;\n"
	     STORE ("%d")), 1, 96)
	&& ALL (96, 110),
      "bar.red");
  ok (run (PTX_HEADER KERNEL ("k",
	     "setp.ge.u32 %u, %t, 64; @%u exit; and.b32 %a, %t, 31; setp.gt.u32 %u, %a, 20; @%u exit;\n"
	     "bar.sync 0; mov.u32 %d, 3;" STORE ("%d")), 1, 96)
	&& ALL (64, t % 32 > 20 ? 0xeeeeeeee : 3),
      "a barrier does not wait for threads that have exited");
  ok (run (PTX_HEADER KERNEL ("k",
	     ".shared .u32 s; setp.eq.u32 %u, %t, 0; @%u bra ZERO;\n"
	     "bar.warp.sync 0xffffffff; ld.shared.u32 %d, [s]; bra J;\n"
	     "ZERO: st.shared.u32 [s], 9; bar.warp.sync 0xffffffff; mov.u32 %d, 1;\n"
	     "J:" STORE ("%d")), 1, 32)
	&& ALL (32, t ? 9 : 1),
      "bar.warp.sync at two places");
  ok (run (PTX_HEADER KERNEL ("k",
	     "setp.ge.u32 %u, %t, 40; mov.u32 %d, 1; @%u bra J;\n"
	     "barrier.sync 2, 40; mov.u32 %d, 2;\nJ:" STORE ("%d")), 1, 64)
	&& ALL (64, t < 40 ? 2 : 1),
      "barrier.sync counts threads when it is not aligned");
}

static void
progress (void)
{
  enum { BLOCKS = 8, ROUNDS = 1000 };
  ok (run (PTX_HEADER KERNEL ("k",
	     "mov.u32 %i, 0; setp.eq.u32 %u, %l, 0;\n"
	     "LOCK: mov.u32 %a, 1; @%u atom.global.exch.b32 %a, [%p], 1;\n"
	     "shfl.sync.idx.b32 %a, %a, 0, 31, -1;\n"
	     "setp.eq.u32 %v, %a, 1; @%v bra LOCK; membar.gl;\n"
	     "ld.global.u32 %b, [%p+4]; add.u32 %b, %b, 1;\n"
	     "st.global.u32 [%p+4], %b; membar.gl;\n"
	     "st.global.u32 [%p], 0xeeeeeeee;\n"
	     "add.u32 %i, %i, 1; setp.lt.u32 %v, %i, 1000; @%v bra LOCK;\n"),
	   BLOCKS, 32)
	&& out[1] == 0xeeeeeeee + BLOCKS * ROUNDS,
      "a lock that all lanes of a warp release in one store");
#define LOCKED								      \
  "TRY: atom.global.cas.b32 %a, [%p+320], 0, 1; setp.ne.u32 %u, %a, 0; @%u bra TRY;\n" \
  "ld.volatile.global.u32 %b, [%p+256]; add.u32 %b, %b, 1;\n"	      \
  "st.volatile.global.u32 [%p+256], %b; membar.gl; atom.global.exch.b32 %a, [%p+320], 0;\n"
  memset (out, 0, 512);
  ok (run_with (PTX_HEADER KERNEL ("k", LOCKED), 1, 32, 0) && out[64] == 32,
      "a spin lock among the lanes of a warp");
  memset (out, 0, 512);
  ok (run_with (PTX_HEADER KERNEL ("k", LOCKED), 8, 128, 0) && out[64] == 1024,
      "a spin lock among blocks");
  memset (out, 0, 128);
  ok (run_with (PTX_HEADER KERNEL ("k",
		  "setp.ne.u32 %v, %t, 0; @%v bra WAIT; red.global.add.u32 [%p], 1;\n"
		  "SPIN: ld.global.acquire.gpu.u32 %a, [%p]; setp.lt.u32 %u, %a, 100; @%u bra SPIN;\n"
		  "WAIT: bar.sync 0; @!%v red.global.add.u32 [%p+4], 1;\n"), 100, 64, 0)
	&& out[0] == 100 && out[1] == 100,
      "a barrier of all 100 blocks through global memory");
  memset (out, 0, 128);
  ok (run_with (PTX_HEADER KERNEL ("k",
		  "setp.eq.u32 %u, %c, 1; @%u bra SECOND; setp.ne.u32 %u, %t, 0; @%u exit;\n"
		  "SPIN: ld.global.u32 %a, [%p]; setp.eq.u32 %u, %a, 0; @%u bra SPIN;\n"
		  "st.global.u32 [%p+4], 2; exit;\n"
		  "SECOND: st.global.u32 [%p], 1;\n"), 2, 32, 0)
	&& out[1] == 2,
      "a block that waits for a later one by plain loads");
  memset (out, 0, 128);
  ok (run_with (PTX_HEADER KERNEL ("k", ".reg .b32 %k;\n"
		  "setp.eq.u32 %v, %l, 0; mov.u32 %i, 0;\n"
		  "AGAIN: ld.u32 %a, [%p];\n"
		  "shfl.sync.idx.b32 %k, %a, 0, 31, 0xffffffff;\n"
		  "setp.ne.u32 %u, %a, %k; @%u st.global.u32 [%p+4], 1;\n"
		  "TRY: add.u32 %b, %a, 1; mov.u32 %d, %a;\n"
		  "@%v atom.global.cas.b32 %d, [%p], %a, %b;\n"
		  "shfl.sync.idx.b32 %d, %d, 0, 31, 0xffffffff;\n"
		  "setp.ne.u32 %u, %a, %d; mov.u32 %a, %d; @%u bra TRY;\n"
		  "add.u32 %i, %i, 1; setp.lt.u32 %u, %i, 500; @%u bra AGAIN;\n"),
		64, 32, 0)
	&& out[0] == 32000 && out[1] == 0,
      "lanes that load one address see one value while other blocks write");
  memset (out, 0, 128);
  float f = 0;
  double d = 0;
  bool ran = run_with (PTX_HEADER KERNEL ("k", ".reg .f32 %r1; .reg .f64 %r2;\n"
		  ".shared .u32 s; setp.eq.u32 %u, %t, 0; @%u st.shared.u32 [s], 0; bar.sync 0;\n"
		  "atom.shared.add.u32 %a, [s], 2; atom.shared.max.u32 %b, [s], 1;\n"
		  "bar.sync 0; @%u ld.shared.u32 %a, [s]; @%u red.global.add.u32 [%p], %a;\n"
		  "red.global.inc.u32 [%p+4], 99; red.global.min.s32 [%p+8], -5;\n"
		  "cvt.rn.f32.u32 %r1, %t; red.global.add.f32 [%p+12], %r1;\n"
		  "cvt.rn.f64.u32 %r2, %t; red.global.add.f64 [%p+16], %r2;\n"), 10, 100, 0);
  memcpy (&f, &out[3], 4);
  memcpy (&d, &out[4], 8);
  ok (ran && out[0] == 2000 && out[1] == 0 && out[2] == (u32) -5 && f == 49500
	&& d == 49500,
      "atomic operations of ten blocks on the same words");
}

/* Code for before sm_70 takes it for granted that lanes wait for each other
   where they meet again; later code must not.  */
static void
lockstep (void)
{
#define TARGET(sm) ".version 6.0\n.target " sm "\n.address_size 64\n"
#define BOTH(text) { TARGET ("sm_30") text, TARGET ("sm_70") text }
  /* Lane 1 alone goes round 30000 times, then stores; all read behind that.  */
#define LATE(each)							      \
  KERNEL ("k", "setp.ne.u32 %u, %t, 1; @%u bra JOIN; mov.u32 %i, 0;\n"	      \
	       "L: add.u32 %i, %i, 1; " each				      \
	       "setp.lt.u32 %v, %i, 30000; @%v bra L; st.global.u32 [%p+256], 7;\n" \
	       "JOIN: ld.global.u32 %d, [%p+256];" STORE ("%d"))
  static const struct { const char *name, *text[2]; } late[] = {
    { "computes", BOTH (LATE ("")) },
    { "updates memory",
      BOTH (LATE ("red.global.add.u32 [%p+260], 1;\n")) },
    { "looks at memory",
      BOTH (LATE ("ld.volatile.global.u32 %a, [%p+260];\n")) },
    { "has fences", BOTH (LATE ("membar.gl;\n")) },
  };
  for (unsigned k = 0; k < sizeof late / sizeof *late; k++)
    {
      ok (run (late[k].text[0], 1, 32) && ALL (32, 7),
	  "sm_30: a lane that %s for long is waited for", late[k].name);
      ok (run (late[k].text[1], 1, 32) && out[0] != 7 && out[1] == 7,
	  "sm_70: a lane that %s for long is not waited for", late[k].name);
    }
  static const struct { const char *name, *text[2]; } lock[] = {
    { "atomic operations", BOTH (KERNEL ("k", LOCKED STORE ("%b"))) },
    { "plain loads and stores",
      BOTH (KERNEL ("k",
		    "W: ld.global.u32 %b, [%p+256]; setp.ne.u32 %u, %b, %t;\n"
		    "@%u bra W; add.u32 %b, %b, 1;\n" STORE ("%b")
		    "st.global.u32 [%p+256], %b;\n")) },
    { "a call that tries",
      BOTH (".func (.param .u32 r) try (.param .u64 p)\n{\n"
	    ".reg .b64 %p; .reg .b32 %a; ld.param.u64 %p, [p];\n"
	    "atom.global.cas.b32 %a, [%p], 0, 1; st.param.u32 [r], %a; ret;\n}\n"
	    KERNEL ("k", "add.u64 %q, %p, 256;\n"
			 "TRY: { .param .u64 a; .param .u32 v; st.param.u64 [a], %q;\n"
			 "call (v), try, (a); ld.param.u32 %a, [v]; }\n"
			 "setp.ne.u32 %u, %a, 0; @%u bra TRY;\n"
			 "ld.global.u32 %b, [%p+260]; add.u32 %b, %b, 1;\n"
			 "st.global.u32 [%p+260], %b;" STORE ("%b")
			 "membar.gl; atom.global.exch.b32 %a, [%q], 0;\n")) },
  };
  for (unsigned k = 0; k < sizeof lock / sizeof *lock; k++)
    for (unsigned sm = 0; sm < 2; sm++)
      {
	memset (out, 0, 512);
	u32 seen = 0;
	bool ran = run_with (lock[k].text[sm], 1, 32, 0);
	for (unsigned t = 0; t < 32; t++)
	  seen |= 1u << (out[t] - 1);
	ok (ran && seen == 0xffffffff, "sm_%s: lanes wait for each other by %s",
	    sm ? "70" : "30", lock[k].name);
      }
  memset (out, 0, 512);
  ok (run_with (TARGET ("sm_30") KERNEL ("k", LOCKED
		  "ld.volatile.global.u32 %d, [%p+256];" STORE ("%d")), 1, 32, 0)
	&& ALL (32, 32),
      "sm_30: a lane that had the lock waits for those that want it");
}

/* Vectors of 8 elements, and of 32 bytes: thread T has the bytes from 64 T on,
   of which it copies some to 32 T of what follows all of them.  */
#define WIDE(body)							      \
  ".version 8.8\n.target sm_100\n.address_size 64\n"			      \
  KERNEL ("k", ".reg .b64 %s, %x<4>; .reg .b32 %y<8>; .reg .b16 %z<8>;\n"      \
	       ".reg .f32 %f<8>;\n"					      \
	       "mul.wide.u32 %q, %t, 64; add.u64 %q, %p, %q;\n"		      \
	       "mul.wide.u32 %r, %t, 32; add.u64 %r, %p, %r;\n"		      \
	       "add.u64 %r, %r, 2048;\n" body)
#define EIGHT(r) "{" r "0, " r "1, " r "2, " r "3, " r "4, " r "5, " r "6, " r "7}"

/* What T copies when nothing is in its way: BYTES from AT on.  */
static bool
copied (const unsigned char *from, unsigned at, unsigned bytes)
{
  const unsigned char *to = (const unsigned char *) out + 2048;
  for (unsigned t = 0; t < 32; t++)
    if (memcmp (to + 32 * t, from + 64 * t + at, bytes))
      return false;
  return true;
}

static void
vectors (void)
{
  unsigned char from[2048];
  for (unsigned k = 0; k < sizeof from; k++)
    from[k] = (unsigned char) (k * 167 + k / 64);
#define COPIES(name, at, bytes, body)					      \
  do									      \
    {									      \
      memset (out, 0xee, 4096);						      \
      memcpy (out, from, sizeof from);					      \
      ok (run_with (WIDE (body), 1, 32, 0) && copied (from, at, bytes), name); \
    }									      \
  while (0)
  COPIES ("v8.b32", 32, 32,
	  "ld.global.v8.b32 " EIGHT ("%y") ", [%q+32];\n"
	  "st.global.v8.b32 [%r], " EIGHT ("%y") ";\n");
  COPIES ("v8.f32, read-only", 0, 32,
	  "ld.global.nc.v8.f32 " EIGHT ("%f") ", [%q];\n"
	  "st.global.v8.f32 [%r], " EIGHT ("%f") ";\n");
  COPIES ("v4.b64 over its own address", 32, 32,
	  "ld.global.v4.b64 {%q, %x1, %x2, %s}, [%q+32];\n"
	  "st.global.v4.b64 [%r], {%q, %x1, %x2, %s};\n");
  COPIES ("v8.b16 from shared memory", 16, 16,
	  ".shared .align 16 .b8 sh[512];\n"
	  "ld.global.v8.b16 " EIGHT ("%z") ", [%q+16];\n"
	  "mul.lo.u32 %a, %t, 16; st.shared.v8.b16 [%a], " EIGHT ("%z") ";\n"
	  "mov.u64 %x0, sh; mul.wide.u32 %x1, %t, 16; add.u64 %x0, %x0, %x1;\n"
	  "ld.shared.v8.u16 " EIGHT ("%z") ", [%x0];\n"
	  "st.global.v8.u16 [%r], " EIGHT ("%z") ";\n");
  COPIES ("v8.s8 extends signs", 8, 8,
	  "ld.global.v8.s8 " EIGHT ("%y") ", [%q+8];\n"
	  "shr.s32 %a, %y5, 31; shr.s32 %y5, %y5, 7; setp.ne.s32 %u, %a, %y5;\n"
	  "@%u trap; ld.global.u8 %y5, [%q+13];\n"
	  "st.global.v8.b8 [%r], " EIGHT ("%y") ";\n");
  COPIES ("v8 where only some lanes go", 0, 32,
	  "ld.global.v4.b64 {%x0, %x1, %x2, %x3}, [%q];\n"
	  "st.global.v4.b64 [%r], {%x0, %x1, %x2, %x3};\n"
	  "setp.gt.u32 %u, %t, 40; @%u ld.global.v8.b32 " EIGHT ("%y") ", [%q];\n"
	  "@%u st.global.v8.b32 [%r], " EIGHT ("%y") ";\n");
#undef COPIES
  CUresult r = CUDA_SUCCESS;
  struct emu_module *m
    = load_ptx (WIDE ("ld.global.v8.b32 " EIGHT ("%y") ", [%q+16];\n"));
  const uint64_t params[] = { (uintptr_t) out };
  if (m)
    r = CAPTURED (launch (m, "k", 1, 32, 0, 1, params));
  ok (r == CUDA_ERROR_MISALIGNED_ADDRESS && strstr (captured, "of 32 bytes"),
      "v8 is aligned as a whole");
  emu_module_unload (m);
}

int
main (void)
{
  setenv ("ACCRETE_EMU_GPU", "b200", 1); /* has every form */
  out = device (WORDS * sizeof *out);
  divergence ();
  calls ();
  memory_spaces ();
  vectors ();
  exchange ();
  barriers ();
  progress ();
  lockstep ();
  return done_testing ();
}

/* Bad PTX and bad kernels: the right result, one line that says what and
   where, no crash and no hang.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#include "machine-run.h"

#define KERNEL(body)							      \
  ".visible .entry k (.param .u64 p)\n{\n"				      \
  ".reg .b32 %a, %b, %t; .reg .b64 %p, %q; .reg .pred %u;\n"		      \
  "ld.param.u64 %p, [p]; mov.u32 %t, %tid.x;\n" body "\nret;\n}\n"

static CUresult
run (const char *body, uint64_t param, unsigned grid, unsigned block)
{
  struct emu_module *m = load_ptx (body);
  if (!m)
    return CUDA_ERROR_INVALID_PTX;
  CUresult r = launch (m, "k", grid, block, 0, 1, &param);
  emu_module_unload (m);
  return r;
}

/* BODY ends with WANT and one line that has all of the texts in SAYS, which
   are separated by '|'.  */
static void
faults (const char *name, const char *body, uint64_t param, unsigned grid,
	unsigned block, CUresult want, const char *says)
{
  CUresult r = CAPTURED (run (body, param, grid, block));
  bool said = true;
  char copy[256];
  snprintf (copy, sizeof copy, "%s", says);
  for (char *s = strtok (copy, "|"); s; s = strtok (NULL, "|"))
    said &= strstr (captured, s) != NULL;
  const char *end = strchr (captured, '\n');
  if (!ok (r == want && said && end && !end[1], "%s", name))
    diag ("result %d, want %d; line: %s", r, want, captured);
}

/* Loading N units fails with a message that has SAYS.  */
static void
refused (const char *name, unsigned n, const char *const *text,
	 const char *says)
{
  struct emu_source s[2];
  struct emu_module *m;
  char *log = NULL;
  static const char *const names[] = { "one.o", "two.o" };
  for (unsigned k = 0; k < n; k++)
    s[k] = (struct emu_source){ names[k], text[k], strlen (text[k]) };
  CUresult r = emu_module_load (&m, s, n, &log);
  if (!ok (r == CUDA_ERROR_INVALID_PTX && !m && log && strstr (log, says), "%s",
	   name))
    diag ("result %d, log: %s", r, log ? log : "none");
  free (log);
}

static void
loading (void)
{
#define REFUSED(name, says, ...)					      \
  do									      \
    {									      \
      const char *const texts[] = { __VA_ARGS__ };			      \
      refused (name, sizeof texts / sizeof *texts, texts, says);	      \
    }									      \
  while (0)
  REFUSED ("unbalanced braces", "line 4", PTX_HEADER ".entry k () {");
  REFUSED ("no .version", ".version", ".target sm_90\n");
  REFUSED ("an undefined function", "Undefined reference to 'f' in 'one.o'",
	   PTX_HEADER ".extern .func f;\n" KERNEL ("call f;"));
  REFUSED ("an undefined variable", "Undefined reference to 'x' in 'one.o'",
	   PTX_HEADER ".extern .global .u32 x;\n" KERNEL ("mov.u64 %q, x;"));
  REFUSED ("two definitions",
	   "Multiple definition of 'f' in 'two.o', first defined in 'one.o'",
	   PTX_HEADER ".visible .func f { ret; }\n",
	   PTX_HEADER ".visible .func f { ret; }\n");
  REFUSED ("an unknown register", "Unknown symbol '%zz'",
	   PTX_HEADER KERNEL ("mov.u32 %a, %zz;"));
#define OLD ".version 6.0\n.target sm_35\n.address_size 64\n"
  REFUSED ("what .target does not have",
	   "ptxas one.o, line 8; error   : Feature 'red.global.add.f64' requires "
	   ".target sm_60 or higher\n",
	   OLD KERNEL ("red.global.add.f64 [%p], %fd;"));
  REFUSED ("what .version does not have",
	   "Feature 'activemask.b32' requires PTX ISA .version 6.2 or later\n",
	   OLD KERNEL ("activemask.b32 %a;"));
  REFUSED ("a special register that neither has",
	   "line 8; error   : Feature 'mov.u32' requires .target sm_90 or higher\n",
	   OLD KERNEL ("mov.u32 %a, %clusterid.x;"));
#undef OLD
  REFUSED ("vote that sm_70 has lost",
	   "line 8; error   : Instruction 'vote' without '.sync' is not supported "
	   "on .target sm_70 and higher from PTX ISA version 6.4\n",
	   PTX_HEADER KERNEL ("vote.all.pred %u, %u;"));
  REFUSED ("shfl that sm_70 has lost", "Instruction 'shfl' without '.sync'",
	   PTX_HEADER KERNEL ("shfl.idx.b32 %a, %t, 0, 31;"));
  REFUSED ("a call in front of the function",
	   "line 8; error   : Call to 'f' requires call prototype\n",
	   PTX_HEADER KERNEL ("call f;") ".visible .func f { ret; }\n");
  REFUSED ("an integer in a register for another number",
	   "line 8; error   : Arguments mismatch for instruction 'ld'\n",
	   PTX_HEADER KERNEL (".reg .f64 %d; ld.u64 %d, [%p];"));
  REFUSED ("a number stored from a register for integers",
	   "line 8; error   : Arguments mismatch for instruction 'st'\n",
	   PTX_HEADER KERNEL (".reg .s32 %n; st.f32 [%p], %n;"));
  REFUSED ("a .target that nobody has",
	   "ptxas one.o, line 2; fatal   : Unsupported .target 'sm_93'\n",
	   ".version 8.3\n.target sm_93\n");
  REFUSED ("an architecture without a form of its own",
	   "Unsupported .target 'sm_80a'\n",
	   ".version 8.3\n.target sm_80a, debug\n");
  REFUSED ("a .target that .version does not have",
	   "line 2; error   : PTX .version 7.7 does not support .target sm_90\n",
	   ".version 7.7\n.target sm_90\n");
  REFUSED ("a .target newer than the GPU",
	   "SM version specified by .target is higher than default",
	   ".version 9.0\n.target sm_100\n.address_size 64\n");
  REFUSED ("a newer architecture's own", "is higher than default",
	   ".version 9.0\n.target sm_100a\n");
  struct emu_module *none;
  static const char *const here[] = {
    ".version 8.3\n.target sm_90a\n.address_size 64\n",
    ".version 6.3\n.target sm_70\n.address_size 64\n"
    KERNEL ("vote.all.pred %u, %u; shfl.idx.b32 %a, %t, 0, 31;"),
    ".version 9.0\n.target sm_60\n.address_size 64\n"
    KERNEL ("vote.all.pred %u, %u; shfl.idx.b32 %a, %t, 0, 31;"),
  };
  for (unsigned k = 0; k < sizeof here / sizeof *here; k++)
    {
      none = load_ptx (here[k]);
      if (ok (none != NULL, "unit %u that differs from such a one", k))
	emu_module_unload (none);
    }
  struct emu_source newer = { "new.o", ".version 9.9\n.target sm_90\n", 28 };
  char *log = NULL;
  ok (emu_module_load (&none, &newer, 1, &log)
	  == CUDA_ERROR_UNSUPPORTED_PTX_VERSION
	&& strstr (log, "Unsupported .version 9.9; current version is '9.0'"),
      "a .version that is too new");
  free (log);

  struct emu_source s[]
    = { { "one.o", PTX_HEADER ".visible .func f { ret; }\n"
		   ".extern .global .u32 x;\n.weak .global .u32 w;\n"
		   ".extern .func h;\n"
		   ".visible .entry k () { .reg .b64 %p; mov.u64 %p, x; call f;\n"
		   "st.global.u32 [w], 2; call h; }\n",
	  4096 },
	{ "two.o", PTX_HEADER ".weak .func f { trap; }\n"
		   ".weak .global .u32 w;\n.visible .global .u32 x = 6;\n"
		   ".visible .func h { .reg .b32 %w; .reg .pred %n;\n"
		   "ld.global.u32 %w, [w]; setp.ne.u32 %n, %w, 2;\n"
		   "@%n trap; ret; }\n", 4096 } };
  for (unsigned k = 0; k < 2; k++)
    s[k].len = strlen (s[k].text);
  struct emu_module *m;
  ok (emu_module_load (&m, s, 2, NULL) == CUDA_SUCCESS
	&& launch (m, "k", 1, 1, 0, 0, NULL) == CUDA_SUCCESS,
      "a visible definition beats a weak one, in either order; of two weak ones "
      "there is one");
  uint64_t x;
  size_t size;
  ok (emu_module_global (m, "x", &x, &size) == CUDA_SUCCESS && size == 4
	&& *(uint32_t *) (uintptr_t) x == 6
	&& emu_module_global (m, "y", &x, &size) == CUDA_ERROR_NOT_FOUND,
      "variables by name");
  struct emu_func *f;
  ok (emu_module_func (m, "f", &f) == CUDA_ERROR_NOT_FOUND,
      "a function that is no kernel is not found");
  emu_module_unload (m);
}

/* What functions that call themselves have is CU_LIMIT_STACK_SIZE, what others
   need is theirs.  */
static void
recursion (void)
{
  /* F and G call each other until N is 0.  */
#define DOWN(name, other, bytes)					      \
  ".func " name " (.param .u32 n)\n{ .local .align 8 .b8 x[" bytes "];\n"     \
  ".reg .b32 %n; .reg .pred %u; ld.param.u32 %n, [n]; st.local.u8 [x], %n;\n" \
  "setp.eq.u32 %u, %n, 0; @%u bra END; sub.u32 %n, %n, 1;\n"		      \
  "{ .param .u32 a; st.param.u32 [a], %n; call " other ", (a); }\n"	      \
  "END: ret;\n}\n"
#define DOWN_BY(n, bytes, kernel)					      \
  PTX_HEADER ".func f (.param .u32 n);\n" DOWN ("g", "f", "16")	      \
  DOWN ("f", "g", bytes)						      \
  KERNEL (kernel "{ .param .u32 a; st.param.u32 [a], " n "; call f, (a); }")
  ok (run (DOWN_BY ("%t", "48", ""), 0, 1, 32) == CUDA_SUCCESS,
      "recursion within the stack");
  faults ("recursion beyond the stack", DOWN_BY ("%t", "48", ""), 0, 1, 64,
	  CUDA_ERROR_LAUNCH_FAILED, "stack overflow|CU_LIMIT_STACK_SIZE");
  faults ("recursion without variables",
	  PTX_HEADER ".func f (.param .u32 n)\n{ .reg .b32 %n; .reg .pred %u;\n"
	  "ld.param.u32 %n, [n]; setp.eq.u32 %u, %n, 0; @%u bra END;\n"
	  "sub.u32 %n, %n, 1; { .param .u32 a; st.param.u32 [a], %n;\n"
	  "call f, (a); }\nEND: ret;\n}\n"
	  KERNEL ("{ .param .u32 a; st.param.u32 [a], %t; call f, (a); }"), 0, 1,
	  96, CUDA_ERROR_LAUNCH_FAILED, "stack overflow|thread (");
  emu_set_limit (CU_LIMIT_STACK_SIZE, 16 << 10);
  ok (run (DOWN_BY ("300", "48", ""), 0, 1, 32) == CUDA_SUCCESS,
      "recursion within a larger stack");
  emu_set_limit (CU_LIMIT_STACK_SIZE, 1 << 10);
  ok (run (DOWN_BY ("20", "48", ".local .b8 y[4000]; st.local.u8 [y], %t;\n"),
	   0, 1, 32) == CUDA_SUCCESS,
      "recursion from a kernel with more than the stack");
  ok (run (DOWN_BY ("0", "20000", ""), 0, 1, 32) == CUDA_SUCCESS,
      "more than the stack without recursion");
}

static void
running (void)
{
  char *p = device (4 << 20);	/* pages of its own */
  uint64_t good = (uintptr_t) p;
  faults ("an unknown instruction",
	  PTX_HEADER KERNEL ("wmma.frobnicate.sync.f32 %a, %b;"), good, 1, 32,
	  CUDA_ERROR_ILLEGAL_INSTRUCTION,
	  "not emulated|test.ptx:8: wmma.frobnicate|k:|block (0,0,0)");
  ok (CAPTURED (run (PTX_HEADER KERNEL ("bra END; wmma.x %a;\nEND:"), good, 1, 32))
	== CUDA_SUCCESS,
      "an unknown instruction that is not reached");
  faults ("a null pointer", PTX_HEADER KERNEL ("st.global.u32 [0], %t;"), good,
	  1, 64, CUDA_ERROR_ILLEGAL_ADDRESS, "illegal address 0x0 of 4 bytes");
  faults ("a wild pointer, in one lane of the second block",
	  PTX_HEADER KERNEL ("mov.u32 %a, %ctaid.x; add.u32 %a, %a, %t;\n"
			     "setp.eq.u32 %u, %a, 35; mov.u64 %q, 0x123456789abc;\n"
			     "@%u mov.u64 %p, %q; ld.global.u32 %a, [%p];"),
	  good, 2, 35, CUDA_ERROR_ILLEGAL_ADDRESS,
	  "0x123456789abc|block (1,0,0), thread (34,0,0)|ld.global.u32");
  faults ("an address in the local window, beyond the thread's memory",
	  PTX_HEADER KERNEL ("mov.u64 %q, 0x0200000000ffff00; st.u32 [%q], %t;"),
	  good, 1, 32, CUDA_ERROR_ILLEGAL_ADDRESS, "local address");
  faults ("a global access through a shared window's address",
	  PTX_HEADER KERNEL ("ld.global.u32 %a, [0x0100000000000000];"), good, 1,
	  32, CUDA_ERROR_ILLEGAL_ADDRESS, "illegal global address|ld.global.u32");
  faults ("a global update in a local window",
	  PTX_HEADER KERNEL ("mov.u64 %q, 0x0200000000000000;\n"
			     "red.global.add.u32 [%q], 1;"), good, 1, 32,
	  CUDA_ERROR_ILLEGAL_ADDRESS, "illegal global address");
  faults ("an update of local memory",
	  PTX_HEADER KERNEL ("mov.u64 %q, 0x0200000000000000;\n"
			     "red.add.u32 [%q], 1;"), good, 1, 32,
	  CUDA_ERROR_INVALID_ADDRESS_SPACE, "atomic operation on local memory");
  faults ("shared memory beyond the block's",
	  PTX_HEADER KERNEL ("ld.shared.u32 %a, [4096];"), good, 1, 32,
	  CUDA_ERROR_ILLEGAL_ADDRESS, "shared address 0x1000");
  faults ("misaligned", PTX_HEADER KERNEL ("ld.global.u64 %q, [%p+4];"), good,
	  1, 32, CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address");
  faults ("a misaligned atomic",
	  PTX_HEADER KERNEL ("red.global.add.u32 [%p+2], 1;"), good, 1, 32,
	  CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned|red.global.add.u32");
  faults ("trap", PTX_HEADER KERNEL ("setp.eq.u32 %u, %t, 40; @%u trap;"), good,
	  1, 64, CUDA_ERROR_LAUNCH_FAILED, "trap|thread (40,0,0)");
  faults ("a barrier that not all reach",
	  PTX_HEADER KERNEL ("setp.lt.u32 %u, %t, 32; @%u bra W; bar.sync 1;\n"
			     "ret; W: bar.sync 2;"), good, 1, 64,
	  CUDA_ERROR_LAUNCH_FAILED, "deadlock|at barrier|bar.sync");
  faults ("a barrier with too large a count",
	  PTX_HEADER KERNEL ("bar.sync 1, 128;"), good, 1, 64,
	  CUDA_ERROR_LAUNCH_FAILED, "deadlock|at barrier 1");
  faults ("a barrier number out of range", PTX_HEADER KERNEL ("bar.sync 16;"),
	  good, 1, 64, CUDA_ERROR_ILLEGAL_INSTRUCTION, "barrier 16");
  faults ("endless recursion",
	  PTX_HEADER ".func f { call f; ret; }\n" KERNEL ("call f;"), good, 1, 1,
	  CUDA_ERROR_LAUNCH_FAILED, "stack overflow");
  recursion ();
  faults ("more local memory than a thread has",
	  PTX_HEADER KERNEL ("alloca.u64 %q, 600000;"), good, 1, 1,
	  CUDA_ERROR_ILLEGAL_ADDRESS, "local memory exhausted|alloca.u64");
  faults ("a call of no function",
	  PTX_HEADER KERNEL ("P: .callprototype _ (); call %p, P;"), good, 1, 1,
	  CUDA_ERROR_INVALID_PC, "which is no function");
  faults ("free of what malloc did not give",
	  PTX_HEADER ".extern .func free (.param .u64 p);\n"
	  KERNEL ("{ .param .u64 a; st.param.u64 [a], %p; call free, (a); }"),
	  good, 1, 1, CUDA_ERROR_LAUNCH_FAILED, "not from malloc");
  setenv ("ACCRETE_EMU_TIMEOUT", "0.2", 1);
  faults ("an infinite loop", PTX_HEADER KERNEL ("L: bra L;"), good, 3, 64,
	  CUDA_ERROR_LAUNCH_TIMEOUT, "timeout");
  faults ("lanes that wait for a lane that never comes",
	  PTX_HEADER KERNEL ("setp.eq.u32 %u, %t, 0; @%u bra L;\n"
			     "bar.warp.sync 0xffffffff; ret; L: bra L;"),
	  good, 1, 32, CUDA_ERROR_LAUNCH_TIMEOUT, "timeout");
  unsetenv ("ACCRETE_EMU_TIMEOUT");
  emu_mem_free (good);
  faults ("freed memory", PTX_HEADER KERNEL ("ld.global.u32 %a, [%p+3145728];"), good,
	  1, 32, CUDA_ERROR_ILLEGAL_ADDRESS, "illegal address");
}

static void
launching (void)
{
  struct emu_module *m = load_ptx (
    PTX_HEADER ".visible .entry k () { ret; }\n"
    ".visible .entry big () { .shared .b8 s[40000]; ret; }\n"
    ".visible .entry small () .maxntid 64, 1, 1 { ret; }\n"
    ".visible .entry one () .reqntid 8, 8, 1 { ret; }\n");
  struct emu_func *f;
  emu_module_func (m, "k", &f);
  static const struct
  {
    const char *name;
    unsigned grid[3], block[3], shared;
    CUresult want;
  } rows[] = {
    { "largest block", { 1, 1, 1 }, { 1024, 1, 1 }, 0, CUDA_SUCCESS },
    { "too many threads", { 1, 1, 1 }, { 1025, 1, 1 }, 0,
      CUDA_ERROR_INVALID_VALUE },
    { "too many threads in all", { 1, 1, 1 }, { 64, 32, 1 }, 0,
      CUDA_ERROR_INVALID_VALUE },
    { "too deep a block", { 1, 1, 1 }, { 1, 1, 65 }, 0,
      CUDA_ERROR_INVALID_VALUE },
    { "no blocks", { 0, 1, 1 }, { 1, 1, 1 }, 0, CUDA_ERROR_INVALID_VALUE },
    { "no threads", { 1, 1, 1 }, { 1, 0, 1 }, 0, CUDA_ERROR_INVALID_VALUE },
    { "too many rows of blocks", { 1, 65536, 1 }, { 1, 1, 1 }, 0,
      CUDA_ERROR_INVALID_VALUE },
    { "too much shared memory", { 1, 1, 1 }, { 1, 1, 1 }, 300 << 10,
      CUDA_ERROR_INVALID_VALUE },
  };
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    {
      struct emu_launch l = { .func = f, .dyn_shared = rows[k].shared };
      memcpy (l.grid, rows[k].grid, sizeof l.grid);
      memcpy (l.block, rows[k].block, sizeof l.block);
      ok_int (emu_launch_check (&l), rows[k].want, "%s", rows[k].name);
      ok_int (emu_launch_run (&l), rows[k].want, "%s, run", rows[k].name);
    }
  ok_int (launch (m, "small", 1, 65, 0, 0, NULL), CUDA_ERROR_INVALID_VALUE,
	  "more threads than .maxntid");
  ok_int (launch (m, "one", 1, 64, 0, 0, NULL), CUDA_ERROR_INVALID_VALUE,
	  "not the block of .reqntid");
  struct emu_func_info info;
  emu_module_func (m, "big", &f);
  emu_func_info (f, &info);
  ok_int ((long long) info.shared, 40000, "static shared memory");
  emu_module_unload (m);
}

int
main (void)
{
  loading ();
  running ();
  launching ();
  return done_testing ();
}

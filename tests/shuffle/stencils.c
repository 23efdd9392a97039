/* Generated stencils with every shuffle that is found, in either form: on the
   emulated GPU they leave in memory what the kernel that was rewritten leaves,
   byte for byte.  Random offsets, types, index arithmetic, guards, loops, stores in
   between that hit what is loaded or not, functions that lanes call from
   different places, block shapes and sizes.
   Usage: stencils [KERNELS [SEED]]; the environment's STENCILS is the number.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../emu/machine-run.h"

#include "post.h"

enum
{
  ROW = 256,			/* elements; rows of all arrays */
  ROWS = 32,
  BYTES = ROWS * ROW * 16,
  FIRST = 6 * ROW + 20,		/* element of thread (0, 0) */
  LAUNCHES = 4			/* of each kernel */
};

static uint64_t state;

static unsigned
pick (unsigned n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

static bool
chance (unsigned percent)
{
  return pick (100) < percent;
}

/* ---- Kernels ---- */

/* What is loaded: its suffix, the shift of an index, where to, and how that
   becomes the 64 bits of %z.  The number of the load stands for #.  */
static const struct { const char *type; unsigned shift; const char *to, *widen; }
kinds[] = {
  { "f32", 2, "%f#", "mov.b32 %w#, %f#; cvt.u64.u32 %z, %w#;" },
  { "b32", 2, "%f#", "mov.b32 %w#, %f#; cvt.u64.u32 %z, %w#;" },
  { "u32", 2, "%w#", "cvt.u64.u32 %z, %w#;" },
  { "u8", 0, "%w#", "cvt.u64.u32 %z, %w#;" },
  { "s8", 0, "%w#", "cvt.s64.s32 %z, %w#;" },
  { "u16", 1, "%w#", "cvt.u64.u32 %z, %w#;" },
  { "s16", 1, "%w#", "cvt.s64.s32 %z, %w#;" },
  { "u8", 0, "%h#", "cvt.u64.u16 %z, %h#;" },
  { "b16", 1, "%h#", "cvt.s64.s16 %z, %h#;" },
  { "u32", 2, "%x#", "mov.b64 %z, %x#;" },
  { "s32", 2, "%x#", "mov.b64 %z, %x#;" },
  { "u64", 3, "%x#", "mov.b64 %z, %x#;" },
  { "f64", 3, "%d#", "mov.b64 %z, %d#;" },
  { "v2.f32", 3, "{%f#, %g#}", "mov.b64 %z, {%f#, %g#};" },
  { "v2.u8", 1, "{%h#, %i#}", "mov.b32 %w#, {%i#, %h#}; cvt.u64.u32 %z, %w#;" },
  { "v2.u64", 4, "{%x#, %y#}", "mad.lo.u64 %z, %x#, 5, %y#;" },
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void
print_template (FILE *f, const char *text, unsigned k)
{
  for (; *text; text++)
    if (*text == '#')
      fprintf (f, "%u", k);
    else
      fputc (*text, f);
}

struct shape
{
  bool one_warp;		/* it stores where other lanes load */
  unsigned kind;		/* of most loads */
  bool apart;			/* lanes run at their own pace: such stores
				   would be races */
};

static const char *const arithmetic[] = {
  /* The element of point (%x, %y) as %e, 64 bits.  */
  "mad.lo.s32 %i, %y, 256, %x; cvt.s64.s32 %e, %i;\n",
  "mad.lo.u32 %i, %y, 256, %x; cvt.u64.u32 %e, %i;\n",
  /* As GCC extends the low half of a register.  */
  "cvt.u64.u32 %z, %x; mul.wide.u32 %e, %y, 256; add.u64 %z, %z, %e;\n"
  "cvt.s64.s32 %e, %z;\n",
  "mul.wide.u32 %e, %y, 256; cvt.u64.u32 %z, %x; add.u64 %e, %e, %z;\n",
  "shl.b32 %i, %y, 8; or.b32 %i, %i, %x; mul.wide.s32 %e, %i, 1;\n",
  /* Every second one.  */
  "mad.lo.u32 %i, %y, 256, %x; mul.wide.u32 %e, %i, 2;\n",
  "mad.lo.u32 %i, %y, 256, %x; mul.wide.u32 %e, %i, 2; xor.b64 %e, %e, -2;\n"
  "neg.s64 %e, %e;\n",
  "mul.wide.s32 %e, %y, 256; cvt.s64.s32 %z, %x; add.s64 %e, %z, %e;\n",
  /* Put together from bits: for the solver.  */
  "and.b32 %i, %x, 7; and.b32 %u, %x, -8; or.b32 %i, %i, %u;\n"
  "mul.wide.u32 %e, %y, 256; cvt.u64.u32 %z, %i; add.u64 %e, %e, %z;\n",
};

/* A load of point (%x + DX, %y + DY); its number is K.  */
static void
print_load (FILE *f, const struct shape *shape, unsigned k)
{
  unsigned kind = chance (80) ? shape->kind : pick (KINDS);
  int dx = (int) pick (9) - 4, dy = chance (40) ? 0 : (int) pick (3) - 1;
  char array = "ab"[chance (30)];
  unsigned shift = kinds[kind].shift;
  fprintf (f, "shl.b64 %%z, %%e, %u; add.u64 %%z, %%%c, %%z;\n", shift, array);
  int offset = (FIRST + dy * ROW + dx) * (1 << shift);
  bool own = chance (50);	/* base register, written once */
  if (own)
    fprintf (f, "add.u64 %%own%u, %%z, %d;\n", k, offset);
  fprintf (f, "ld.global%s.%s ", array == 'b' && chance (50) ? ".nc" : "",
	   kinds[kind].type);
  print_template (f, kinds[kind].to, k);
  if (own)
    fprintf (f, ", [%%own%u];\n", k);
  else
    fprintf (f, ", [%%z+%d];\n", offset);
  print_template (f, kinds[kind].widen, k);
  fputs ("\nmad.lo.u64 %s, %s, 31, %z;\n", f);
}

/* A store to this lane's point of array a, or one of its neighbours'.  */
static void
print_store (FILE *f, struct shape *shape)
{
  shape->one_warp = true;
  fprintf (f, "shl.b64 %%z, %%e, 2; add.u64 %%z, %%a, %%z; cvt.u32.u64 %%i, %%s;\n"
	      "st.global.u32 [%%z+%d], %%i;\n",
	   (FIRST + (int) pick (3) - 1) * 4);
}

static void
print_points (FILE *f, struct shape *shape, unsigned *k)
{
  fputs (arithmetic[pick (sizeof arithmetic / sizeof *arithmetic)], f);
  unsigned skip = chance (20) ? *k + 1 : 0;
  for (unsigned n = 4 + pick (10); n; n--)
    {
      print_load (f, shape, (*k)++);
      if (!shape->apart && chance (8))
	print_store (f, shape);
      if (chance (3))
	fputs ("setp.ge.u32 %r, %t, 24; @%r add.u64 %e, %e, 1;\n", f);
    }
  if (skip)
    {
      fprintf (f, "and.b64 %%z, %%s, 1; setp.eq.u64 %%q, %%z, 0;\n"
		  "@%%q bra OVER%u;\n", skip);
      print_load (f, shape, (*k)++);
      fprintf (f, "OVER%u:\n", skip);
      if (chance (50))		/* the same lanes once more */
	{
	  fprintf (f, "@%s%%q bra AGAIN%u;\n", chance (80) ? "" : "!", skip);
	  for (unsigned n = 3; n; n--)
	    print_load (f, shape, (*k)++);
	  fprintf (f, "AGAIN%u:\n", skip);
	}
      print_load (f, shape, (*k)++);
      print_load (f, shape, (*k)++);
    }
}

enum { CALLED = 7 };		/* in place of the kind of loop */

/* How a loop goes on: in x or y, or by pointers.  */
enum step { STEP_X, STEP_Y, STEP_NEAR, STEP_ROW, STEPS };

static void
print_step (FILE *f, enum step step, const char *op)
{
  static const unsigned bytes[] = { 0, 0, 16, 4 * ROW };
  char axis = "xy"[step == STEP_Y];
  if (bytes[step])
    fprintf (f, "%s.u64 %%a, %%a, %u; %s.u64 %%b, %%b, %u;\n", op,
	     bytes[step], op, bytes[step]);
  else
    fprintf (f, "%s.u32 %%%c, %%%c, 1;\n", op, axis, axis);
}

#define REGISTERS                                                             \
  ".reg .u64 %a, %b, %c, %e, %z, %s, %o, %n64, %x<199>,\n"                    \
  " %y<199>, %own<199>; .reg .f32 %f<199>, %g<199>; .reg .u16 %h<199>,"       \
  " %i<199>;\n"                                                               \
  ".reg .u32 %u, %v, %x, %y, %t, %i, %j, %n, %w<199>; .reg .pred %p, %q,"     \
  " %r;\n"                                                                    \
  ".reg .f64 %d<199>;\n"
#define PLACE                                                                 \
  "mov.u32 %i, %ntid.x; mov.u32 %t, %tid.x;\n"                                \
  "mov.u32 %j, %ctaid.x; mad.lo.u32 %x, %j, %i, %t; mov.u32 %y, %tid.y;\n"

/* A function that does what kernels do, at the thread's own point.  */
static void
print_function (FILE *f, struct shape *shape, unsigned *k)
{
  fputs (".func (.param .u64 fs) points (.param .u64 fa, .param .u64 fb)\n{\n"
	 REGISTERS "ld.param.u64 %a, [fa]; ld.param.u64 %b, [fb];\n"
	 PLACE "mov.u64 %s, 1;\n",
	 f);
  print_points (f, shape, k);
  fputs ("st.param.u64 [fs], %s;\nret;\n}\n", f);
}

static void
print_call (FILE *f)
{
  fputs ("{ .param .u64 ca, cb, cs;\n"
	 "st.param.u64 [ca], %a; st.param.u64 [cb], %b;\n"
	 "call (cs), points, (ca, cb);\n"
	 "ld.param.u64 %z, [cs]; add.u64 %s, %s, %z; }\n",
	 f);
}

/* CALLED: lanes come to a function from different places.  */
static char *
make_kernel (struct shape *shape, bool called)
{
  char *text;
  size_t len;
  unsigned k = 0, loop = pick (6);
  enum step step = pick (STEPS);
  FILE *f = open_memstream (&text, &len);
  if (loop == 2 && chance (50))
    loop = 6;
  *shape = (struct shape) { .kind = chance (40) ? 0 : pick (KINDS),
			     .apart = called || loop == 3 || loop == 4
				      || loop == 6 };
  fputs (PTX_HEADER, f);
  if (called)
    {
      print_function (f, shape, &k);
      loop = CALLED;
    }
  fputs (".visible .entry k (.param .u64 pa, .param .u64 pb, .param .u64 pc,\n"
	 " .param .u64 pn)\n{\n"
	 REGISTERS
	 "ld.param.u64 %a, [pa]; ld.param.u64 %b, [pb]; ld.param.u64 %c, [pc];\n"
	 "ld.param.u64 %n64, [pn]; cvt.u32.u64 %n, %n64; mov.u64 %s, 1;\n"
	 PLACE
	 /* Where this thread's result goes.  */
	 "mad.lo.u32 %w0, %y, 256, %x; mad.wide.u32 %o, %w0, 8, %c;\n"
	 "mov.u32 %j, 0;\n",
	 f);
  switch (loop)
    {
    case 0:
      fputs ("setp.ge.u32 %p, %x, %n; @%p bra DONE;\n", f);
      print_points (f, shape, &k);
      break;
    case 1:			/* every thread so many times */
      fputs ("LOOP:\n", f);
      print_points (f, shape, &k);
      print_step (f, step, "add");
      fputs ("add.u32 %j, %j, 1; setp.lt.u32 %p, %j, 3; @%p bra LOOP;\n", f);
      break;
    case 5:			/* ... and starts again */
      fputs ("mov.u32 %v, 0;\nOUTER:\nmov.u32 %j, 0;\nLOOP:\n", f);
      print_points (f, shape, &k);
      print_step (f, step, "add");
      fputs ("add.u32 %j, %j, 1; setp.lt.u32 %p, %j, 3; @%p bra LOOP;\n", f);
      print_step (f, step, "sub");
      print_points (f, shape, &k);
      fputs ("add.u32 %v, %v, 1; setp.lt.u32 %p, %v, 3; @%p bra OUTER;\n", f);
      break;
    case 2:			/* a block shares a row */
      fputs ("mov.u32 %x, %t; setp.ge.u32 %p, %x, %n; @%p bra DONE;\nLOOP:\n", f);
      print_points (f, shape, &k);
      fputs ("mov.u32 %w0, %ntid.x; add.u32 %x, %x, %w0;\n"
	     "setp.lt.u32 %p, %x, %n; @%p bra LOOP;\n",
	     f);
      break;
    case 3:			/* lanes go round at their own pace */
      fputs ("LOOP:\n", f);
      print_points (f, shape, &k);
      fputs ("add.u32 %x, %x, 1; add.u32 %j, %j, 1; setp.gt.u32 %p, %j, 5;\n"
	     "@%p bra DONE;\nand.b64 %z, %s, 3; setp.eq.u64 %q, %z, 0;\n"
	     "@%q bra LOOP;\nadd.u64 %s, %s, 5;\n",
	     f);
      print_points (f, shape, &k);
      fputs ("bra LOOP;\n", f);
      break;
    case 4:			/* a part that some lanes come to in odd
				   iterations, the others in even ones */
      fputs ("setp.lt.u32 %q, %t, 12;\nLOOP:\n", f);
      print_points (f, shape, &k);
      fputs ("and.b32 %i, %j, 1; setp.eq.u32 %p, %i, 0; xor.pred %p, %p, %q;\n"
	     "@%p bra PART;\nBACK:\n",
	     f);
      print_points (f, shape, &k);
      fputs ("add.u32 %x, %x, 1; add.u32 %j, %j, 1; setp.lt.u32 %p, %j, 4;\n"
	     "@%p bra LOOP;\nbra DONE;\nPART:\n",
	     f);
      print_points (f, shape, &k);
      fputs ("bra BACK;\n", f);
      break;
    case 6:			/* a block shares rows, one after the other */
      fputs ("OUTER:\nmov.u32 %x, %t; setp.ge.u32 %p, %x, %n; @%p bra NEXT;\n"
	     "LOOP:\n",
	     f);
      print_points (f, shape, &k);
      fputs ("mov.u32 %w0, %ntid.x; add.u32 %x, %x, %w0;\n"
	     "setp.lt.u32 %p, %x, %n; @%p bra LOOP;\nNEXT:\n"
	     "add.u32 %y, %y, 1; add.u32 %j, %j, 1; setp.lt.u32 %p, %j, 3;\n"
	     "@%p bra OUTER;\n",
	     f);
      break;
    case CALLED:
      fputs ("and.b32 %i, %t, 3; setp.eq.u32 %q, %i, 0;\n@%q bra OTHERS;\n", f);
      print_call (f);
      fputs ("bra DONE;\nOTHERS:\n", f);
      print_call (f);
      print_call (f);
      break;
    }
  fputs ("DONE:\nst.global.u64 [%o], %s;\nret;\n}\n", f);
  fclose (f);
  return text;
}

/* ---- Running ---- */

/* TEXT with what the pass does to it; how many loads it takes.  */
static char *
rewrite (const char *text, enum post_shuffle mode, int max_delta,
	 unsigned *taken)
{
  struct ptx_error e;
  struct post_options opt = { .passes = 1 << POST_PASS_shuffle,
			      .sm = 90,
			      .shuffle = mode,
			      .max_delta = max_delta,
			      .proof_ms = POST_PROOF_MS,
			      .dump_after = -1 };
  struct ptx_unit *u = ptx_parse ("stencil", text, strlen (text), &e);
  if (!u)
    {
      ptx_error_print (stderr, "stencil", text, strlen (text), &e);
      exit (99);
    }
  *taken = post_run (u, &opt);
  char *out;
  size_t len;
  FILE *f = open_memstream (&out, &len);
  ptx_print (u, f);
  fclose (f);
  ptx_unit_free (u);
  return out;
}

struct launch_size { unsigned block[2], grid, n; };

static unsigned char *arrays, *inputs;	/* a, b, c one behind the other */

/* Run TEXT; the memory it leaves is in arrays.  */
static bool
run (const char *text, const struct launch_size *size)
{
  struct emu_module *m = load_ptx (text);
  struct emu_func *f;
  if (!m || emu_module_func (m, "k", &f) != CUDA_SUCCESS)
    return false;
  memcpy (arrays, inputs, 3 * BYTES);
  uint64_t params[] = { (uintptr_t) arrays, (uintptr_t) arrays + BYTES,
			(uintptr_t) arrays + 2 * BYTES, size->n };
  struct emu_launch l = { .func = f, .grid = { size->grid, 1, 1 },
			  .block = { size->block[0], size->block[1], 1 },
			  .params = (void *) params };
  CUresult r = emu_launch_run (&l);
  emu_module_unload (m);
  if (r != CUDA_SUCCESS)
    diag ("launch: %d", r);
  return r == CUDA_SUCCESS;
}

static struct launch_size
pick_size (const struct shape *shape)
{
  static const unsigned blocks[][2]
    = { { 32, 1 }, { 64, 1 }, { 96, 1 }, { 20, 1 }, { 48, 1 }, { 16, 4 },
	{ 32, 3 }, { 48, 2 }, { 8, 8 },	 { 33, 2 }, { 128, 1 } };
  struct launch_size s = { { 32, 1 }, 1, 1 + pick (200) };
  if (shape->one_warp)
    s.block[0] -= chance (30) ? pick (31) : 0;
  else
    {
      memcpy (s.block, blocks[pick (sizeof blocks / sizeof *blocks)],
	      sizeof s.block);
      s.grid = 1 + (s.block[0] < 64 ? pick (3) : 0);
    }
  return s;
}

static bool
compare (unsigned number, unsigned *taken)
{
  static unsigned char want[3 * BYTES];
  struct shape shape;
  char *text = make_kernel (&shape, number % 11 == 10);
  static const enum post_shuffle modes[]
    = { POST_SHUFFLE_ALWAYS, POST_SHUFFLE_HALO, POST_SHUFFLE_KEEP };
  enum post_shuffle mode = modes[pick (sizeof modes / sizeof *modes)];
  char *other = rewrite (text, mode, chance (20) ? (int) pick (4) : 31, taken);
  bool same = true;
  for (unsigned i = 0; i < LAUNCHES && same; i++)
    {
      struct launch_size s = pick_size (&shape);
      same = run (text, &s);
      memcpy (want, arrays, sizeof want);
      same = same && run (other, &s)
	     && memcmp (want, arrays, sizeof want) == 0;
      if (!same)
	diag ("kernel %u, blocks of %ux%u, %u of them, n %u:\n%s", number,
	      s.block[0], s.block[1], s.grid, s.n, other);
    }
  free (text);
  free (other);
  return same;
}

int
main (int argc, char **argv)
{
  const char *env = getenv ("STENCILS");
  unsigned kernels = argc > 1 ? atoi (argv[1]) : env ? atoi (env) : 1000;
  unsigned seed = argc > 2 ? atoi (argv[2]) : 1;
  unsigned bad = 0, rewritten = 0, total = 0;
  arrays = device (3 * BYTES);
  inputs = malloc (3 * BYTES);
  if (!inputs)
    abort ();
  state = seed;
  for (unsigned i = 0; i < 3 * BYTES; i++)
    inputs[i] = pick (256);
  for (unsigned i = 0; i < kernels && bad < 3; i++)
    {
      unsigned taken;
      state = seed * 1000003u + i;
      pick (1);
      bad += !compare (i, &taken);
      total += taken;
      rewritten += taken > 0;
    }
  ok (bad == 0, "stencils: %u kernels, %u rewritten, %u loads", kernels,
      rewritten, total);
  ok (rewritten * 3 > kernels, "enough of them are rewritten");
  return done_testing ();
}

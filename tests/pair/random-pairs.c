/* Two random kernels, as PTX, and scripts for pair-run.

   random-pairs SEED

   writes a.ptx, b.ptx, own and line (scripts: blocks of any shape; of shares
   of a block along x) into the working directory.  Kernels are one and two in
   a.ptx, or one in a.ptx and two in b.ptx.  A kernel's result depends on all
   that its threads do, and not on their order.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#include "random.h"

enum { VALUES = 4, STATEMENTS = 7, DEPTH = 2, WORDS = 4096, IDS = 6 };

/* How a kernel is made.  */
struct kernel
{
  const char *name;
  FILE *out;
  unsigned grid[3], block[3];
  bool leaves;			/* threads may end early */
  bool whole;			/* blocks are whole warps */
  bool dynamic, size;		/* dynamic shared memory; reads its size */
  bool in_function;
  bool apart;			/* threads of the block are elsewhere */
  unsigned labels, depth, ids;
};

static const char *const geometry[]
  = { "%tid.x",   "%tid.y",   "%tid.z",   "%ntid.x",   "%ntid.y",   "%ntid.z",
      "%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y",
      "%nctaid.z" };

#define EMIT(...) fprintf (k->out, __VA_ARGS__)

static unsigned
value (void)
{
  return below (VALUES);
}

/* ---- Statements ---- */

static void
arithmetic (struct kernel *k)
{
  unsigned d = value (), a = value (), b = value ();
  switch (below (4))
    {
    case 0:
      EMIT ("\tmad.lo.u32 %%v%u, %%v%u, %u, %%v%u;\n", d, a,
	    2 * below (99) + 1, b);
      break;
    case 1:
      EMIT ("\txor.b32 %%v%u, %%v%u, %%v%u;\n\tadd.u32 %%v%u, %%v%u, %u;\n", d,
	    a, b, d, d, below (9999));
      break;
    case 2:
      EMIT ("\tmov.u32 %%t, %s;\n\tmad.lo.u32 %%v%u, %%t, %u, %%v%u;\n",
	    geometry[below (12)], d, below (999), a);
      break;
    default:
      EMIT ("\tshf.l.wrap.b32 %%v%u, %%v%u, %%v%u, %u;\n", d, a, b, below (32));
    }
}

static void
local_memory (struct kernel *k)
{
  EMIT ("\tand.b32 %%t, %%v%u, 7;\n\tshl.b32 %%t, %%t, 2;\n"
	"\tcvt.u64.u32 %%w, %%t;\n\tmov.u64 %%w2, table;\n"
	"\tadd.u64 %%w, %%w, %%w2;\n\tst.local.u32 [%%w], %%v%u;\n"
	"\tst.local.u32 [table+12], %%v%u;\n\tld.local.u32 %%v%u, [%%w];\n",
	value (), value (), value (), value ());
}

/* Additions and exclusive ors do not commute: each has words of its own.  */
static void
update (struct kernel *k)
{
  EMIT ("\tand.b32 %%t, %%v%u, 15;\n\tmul.wide.u32 %%w, %%t, 4;\n"
	"\tadd.u64 %%w, %%w, %%bins;\n\t%s, %%v%u;\n",
	value (),
	PICK ("red.global.add.u32 [%w]", "red.global.xor.b32 [%w+64]"),
	value ());
}

/* Barriers of the whole block; where threads may have left, as compilers write
   them.  */
static void
barrier (struct kernel *k)
{
  unsigned id = k->leaves ? 0 : below (k->ids);
  if (k->leaves || chance (50))
    EMIT ("\t%s 0;\n",
	  PICK ("bar.sync", "barrier.sync", "barrier.sync.aligned"));
  else if (chance (60) || !k->whole)
    EMIT ("\tbar.sync %u;\n", id);
  else
    EMIT ("\tbar.sync %u, %%all;\n", id);
}

static void
exchange (struct kernel *k)
{
  const char *where = k->dynamic && chance (50) ? "dynamic"
		      : chance (50)		? "common"
						: "slots";
  if (k->in_function)
    where = chance (50) ? "common" : "ring";
  /* Who reads a slot may read it before it has been written at all.  */
  EMIT ("\tmov.u64 %%w2, %s;\n\tmul.wide.u32 %%w, %%lin, 4;\n"
	"\tadd.u64 %%w, %%w, %%w2;\n\tst.shared.u32 [%%w], %%v%u;\n",
	where, value ());
  barrier (k);
  if (k->leaves)
    EMIT ("\tld.shared.u32 %%v%u, [%%w];\n", value ());
  else
    EMIT ("\tadd.u32 %%t, %%lin, %u;\n\trem.u32 %%t, %%t, %%n;\n"
	  "\tmul.wide.u32 %%w, %%t, 4;\n\tadd.u64 %%w, %%w, %%w2;\n"
	  "\tld.shared.u32 %%v%u, [%%w];\n",
	  below (200), value ());
  barrier (k);
}

/* Thread 0, while it is there, tells the others.  */
static void
tell (struct kernel *k)
{
  EMIT ("\tsetp.eq.u32 %%p, %%lin, 0;\n\t@%%p st.shared.u32 [note], %%v%u;\n",
	value ());
  barrier (k);
  EMIT ("\tld.shared.u32 %%v%u, [note];\n", value ());
  barrier (k);
}

static void
reduction (struct kernel *k)
{
  EMIT ("\tand.b32 %%t, %%v%u, 3;\n\tsetp.ne.u32 %%p, %%t, 0;\n", value ());
  if (chance (50))
    EMIT ("\t%s.red.popc.u32 %%t, 0, %%p;\n\tadd.u32 %%v%u, %%v%u, %%t;\n",
	  PICK ("bar", "barrier"), value (), value ());
  else
    EMIT ("\tbar.red.%s.pred %%p, %u, %s%%p;\n\tselp.u32 %%t, 77, 3, %%p;\n"
	  "\tadd.u32 %%v%u, %%v%u, %%t;\n",
	  PICK ("and", "or"), below (k->ids), PICK ("", "!"), value (),
	  value ());
}

static void
lanes (struct kernel *k)
{
  switch (below (3))
    {
    case 0:
      EMIT ("\tshfl.sync.%s.b32 %%v%u, %%v%u, %u, 31, -1;\n",
	    PICK ("bfly", "idx"), value (), value (), below (32));
      break;
    case 1:
      EMIT ("\tsetp.gt.s32 %%p, %%v%u, 0;\n"
	    "\tvote.sync.ballot.b32 %%t, %%p, -1;\n"
	    "\tadd.u32 %%v%u, %%v%u, %%t;\n",
	    value (), value (), value ());
      break;
    default:
      EMIT ("\tand.b32 %%t, %%v%u, 3;\n\tmatch.any.sync.b32 %%t, %%t, -1;\n"
	    "\txor.b32 %%v%u, %%v%u, %%t;\n\tmov.u32 %%t, %%lanemask_lt;\n"
	    "\txor.b32 %%v%u, %%v%u, %%t;\n",
	    value (), value (), value (), value (), value ());
    }
}

/* The first warp comes to a barrier and goes on, the others wait for it.  */
static void
produce (struct kernel *k)
{
  unsigned id = 10 + below (2);
  EMIT ("\tsetp.lt.u32 %%p, %%lin, 32;\n"
	"\t@%%p st.shared.u32 [note+4], %%n;\n"
	"\t@%%p bar.arrive %u, %%all;\n\t@!%%p bar.sync %u, %%all;\n"
	"\t@!%%p ld.shared.u32 %%v%u, [note+4];\n",
	id, id, value ());
  barrier (k);
}

static void
leave (struct kernel *k)
{
  const char *condition = chance (30) ? "%ctaid.x" : NULL;
  if (condition)
    EMIT ("\tmov.u32 %%t, %s;\n\tsetp.eq.u32 %%p, %%t, %u;\n", condition,
	  below (4));
  else if (chance (50))
    EMIT ("\tsetp.ge.u32 %%p, %%lin, %u;\n", 1 + below (130));
  else
    EMIT ("\tand.b32 %%t, %%v%u, 15;\n\tsetp.eq.u32 %%p, %%t, %u;\n", value (),
	  below (16));
  if (chance (40))
    EMIT ("\t@%%p bra $end;\n");
  else
    EMIT ("\t@%%p %s;\n", PICK ("exit", "ret"));
}

static void statements (struct kernel *k);

static void
loop (struct kernel *k)
{
  unsigned l = k->labels++;
  EMIT ("\tmov.u32 %%i%u, %s;\n", k->depth, PICK ("2", "%nctaid.y", "3"));
  EMIT ("$loop%u:\n", l);
  statements (k);
  EMIT ("\tsub.u32 %%i%u, %%i%u, 1;\n\tsetp.ne.u32 %%p, %%i%u, 0;\n"
	"\t@%%p bra $loop%u;\n",
	k->depth, k->depth, k->depth, l);
}

static void
condition (struct kernel *k)
{
  unsigned l = k->labels++;
  bool apart = k->apart;
  if (chance (30))
    EMIT ("\tmov.u32 %%t, %%ctaid.x;\n");
  else
    {
      EMIT ("\tmov.u32 %%t, %%v%u;\n", value ());
      k->apart = true;
    }
  EMIT ("\tand.b32 %%t, %%t, 1;\n\tsetp.ne.u32 %%p, %%t, 0;\n"
	"\t@%%p bra $else%u;\n",
	l);
  statements (k);
  EMIT ("$else%u:\n", l);
  k->apart = apart;
}

static void
call (struct kernel *k)
{
  EMIT ("\t{\n\t.param .b32 a;\n\t.param .b32 b;\n\tst.param.b32 [a], %%v%u;\n"
	"\tcall (b), %s, (a);\n\tld.param.b32 %%v%u, [b];\n\t}\n",
	value (), PICK ("helper", "plain"), value ());
}

static void
statement (struct kernel *k)
{
  unsigned what = below (16);
  bool together = !k->apart;
  if (k->depth < DEPTH && what < 2)
    {
      k->depth++;
      (what ? loop : condition) (k);
      k->depth--;
    }
  else if (together && what < 6)
    exchange (k);
  else if (together && what == 6 && !k->leaves)
    tell (k);
  else if (together && what == 7 && !k->leaves)
    reduction (k);
  else if (together && what < 10 && k->whole && !k->leaves)
    (what == 8 ? lanes : produce) (k);
  else if (what == 10 && !k->in_function && k->leaves)
    leave (k);
  else if (together && what == 11 && !k->in_function && !k->leaves)
    call (k);
  else if (what == 12)
    update (k);
  else if (what == 13 && !k->in_function)
    local_memory (k);
  else
    arithmetic (k);
}

static void
statements (struct kernel *k)
{
  for (unsigned n = 1 + below (STATEMENTS); n--;)
    statement (k);
}

/* ---- Kernels ---- */

static void
registers (struct kernel *k)
{
  EMIT ("\t.reg .pred %%p;\n\t.reg .b32 %%v<%d>, %%i<%d>;\n"
	"\t.reg .b32 %%t, %%lin, %%n, %%all, %%at;\n"
	"\t.reg .b64 %%w, %%w2, %%out, %%in, %%bins;\n",
	VALUES, DEPTH + 2);
}

/* %lin: the thread in its block of %n, in whole warps %all.  */
static void
place (struct kernel *k)
{
  EMIT ("\tmov.u32 %%lin, %%tid.z;\n\tmov.u32 %%t, %%ntid.y;\n"
	"\tmov.u32 %%n, %%tid.y;\n\tmad.lo.u32 %%lin, %%lin, %%t, %%n;\n"
	"\tmov.u32 %%t, %%ntid.x;\n\tmov.u32 %%n, %%tid.x;\n"
	"\tmad.lo.u32 %%lin, %%lin, %%t, %%n;\n"
	"\tmov.u32 %%n, %%ntid.y;\n\tmul.lo.u32 %%n, %%n, %%t;\n"
	"\tmov.u32 %%t, %%ntid.z;\n\tmul.lo.u32 %%n, %%n, %%t;\n"
	"\tadd.u32 %%all, %%n, 31;\n\tand.b32 %%all, %%all, -32;\n");
}

/* A function that threads call together.  */
static void
function (struct kernel *k)
{
  EMIT (".func (.param .b32 r) helper (.param .b32 x)\n{\n");
  registers (k);
  EMIT ("\t.shared .align 4 .b32 ring[1024];\n\tld.param.u32 %%v0, [x];\n"
	"\tmov.u32 %%v1, 5;\n\tmov.u32 %%v2, %%ctaid.y;\n\tmov.u32 %%v3, 7;\n"
	"\tmov.u64 %%bins, scratch;\n");
  place (k);
  k->in_function = true;
  statements (k);
  k->in_function = false;
  EMIT ("\txor.b32 %%v0, %%v0, %%v1;\n\tst.param.b32 [r], %%v0;\n\tret;\n}\n"
	".func (.param .b32 r) plain (.param .b32 x)\n{\n\t.reg .b32 %%v;\n"
	"\tld.param.u32 %%v, [x];\n\tmul.lo.u32 %%v, %%v, %u;\n"
	"\tst.param.b32 [r], %%v;\n\tret;\n}\n",
	below (999));
}

static void
entry (struct kernel *k)
{
  EMIT (".visible .entry %s (.param .u64 out, .param .u64 in, "
	".param .u64 bins)%s\n{\n",
	k->name, chance (20) ? " .maxntid 1024, 1, 1" : "");
  registers (k);
  EMIT ("\t.local .align 4 .b8 table[32];\n"
	"\t.shared .align 4 .b32 slots[1024];\n"
	"\tld.param.u64 %%out, [out];\n\tld.param.u64 %%in, [in];\n"
	"\tld.param.u64 %%bins, [bins];\n");
  place (k);
  EMIT ("\tmov.u32 %%at, %%ctaid.z;\n\tmov.u32 %%t, %%nctaid.y;\n"
	"\tmov.u32 %%v0, %%ctaid.y;\n\tmad.lo.u32 %%at, %%at, %%t, %%v0;\n"
	"\tmov.u32 %%t, %%nctaid.x;\n\tmov.u32 %%v0, %%ctaid.x;\n"
	"\tmad.lo.u32 %%at, %%at, %%t, %%v0;\n"
	"\tmad.lo.u32 %%at, %%at, %%n, %%lin;\n"
	"\tmul.wide.u32 %%w, %%at, 4;\n\tadd.u64 %%out, %%out, %%w;\n"
	"\tadd.u64 %%in, %%in, %%w;\n\tld.global.u32 %%v0, [%%in];\n"
	"\tmov.u32 %%v1, %%lin;\n\tmov.u32 %%v2, %%at;\n\tmov.u32 %%v3, 9;\n"
	"\tst.global.u32 [%%out], %%v0;\n");
  if (k->size)
    EMIT ("\tmov.u32 %%v3, %%dynamic_smem_size;\n");
  for (unsigned v = 0; v < 8; v++)
    EMIT ("\tst.local.u32 [table+%u], %%lin;\n", 4 * v);
  statements (k);
  statements (k);
  EMIT ("$end:\n\txor.b32 %%v0, %%v0, %%v1;\n\tadd.u32 %%v2, %%v2, %%v3;\n"
	"\tmad.lo.u32 %%v0, %%v0, 31, %%v2;\n\tst.global.u32 [%%out], %%v0;\n"
	"\tret;\n}\n");
}

static void
unit (struct kernel *k, const char *version)
{
  EMIT (".version %s\n.target sm_%s\n.address_size 64\n\n", version,
	PICK ("70", "75", "80"));
  EMIT (".extern .shared .align %s .b8 dynamic[];\n", PICK ("4", "16"));
  EMIT (".shared .align 4 .b32 common[1024];\n"
	".shared .align 4 .b32 note[2];\n"
	".global .align 4 .b32 scratch[32];\n");
  function (k);
}

/* ---- Scripts ---- */

static void
choose (struct kernel *k)
{
  static const unsigned shapes[][3]
    = { { 32, 1, 1 }, { 64, 1, 1 },  { 96, 1, 1 }, { 128, 1, 1 },
	{ 8, 8, 1 },  { 16, 2, 2 },  { 50, 1, 1 }, { 7, 5, 3 },
	{ 100, 1, 1 }, { 1, 1, 1 } };
  k->leaves = chance (40);
  k->whole = chance (60);
  k->dynamic = chance (40);
  k->size = k->dynamic && chance (30);
  k->ids = 1 + below (IDS);
  unsigned shape = k->whole ? below (6) : below (10);
  for (unsigned d = 0; d < 3; d++)
    {
      k->block[d] = shapes[shape][d];
      k->grid[d] = 1 + below (4 - d);
    }
}

static void
script (const char *name, const struct kernel *k, const char *const *files,
	bool line)
{
  FILE *f = fopen (name, "w");
  unsigned seed = 1 + below (9999);
  for (unsigned s = 0; s < 2; s++)
    fprintf (f,
	     "buffer out%u %d 0\nbuffer in%u %d %u\nbuffer bins%u 32 0\n", s,
	     WORDS, s, WORDS, seed + s, s);
  for (unsigned s = 0; s < 2; s++, k++)
    {
      const unsigned *b = k->block, *g = k->grid;
      unsigned n = line ? 128 - 64 * s : b[0] * b[1] * b[2];
      fprintf (f, "kernel %s %s %u,%u,%u ", files[s], k->name, g[0], g[1],
	       g[2]);
      if (line)
	fprintf (f, "%u,1,1", n);
      else
	fprintf (f, "%u,%u,%u", b[0], b[1], b[2]);
      fprintf (f, " %u @out%u @in%u @bins%u\n", k->dynamic ? 4 * n : 0, s, s,
	       s);
    }
  fclose (f);
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    return 1;
  state += strtoul (argv[1], NULL, 0) * 0xD1B54A32D192ED03u;
  for (unsigned i = 0; i < 9; i++)
    below (2);
  bool one = chance (30);
  struct kernel k[2] = { { .name = "one" }, { .name = one ? "two" : "one" } };
  const char *files[2] = { "a.ptx", one ? "a.ptx" : "b.ptx" };
  FILE *out = NULL;
  for (unsigned s = 0; s < 2; s++)
    {
      choose (&k[s]);
      if (!s || !one)
	{
	  out = fopen (files[s], "w");
	  k[s].out = out;
	  /* What a function of both does suits both.  */
	  struct kernel f = k[s];
	  f.leaves = f.whole = f.dynamic = false;
	  f.ids = 1;
	  unit (&f, s ? "7.1" : "7.0");
	}
      k[s].out = out;
      entry (&k[s]);
      if (s || !one)
	fclose (out);
    }
  script ("own", k, files, false);
  script ("line", k, files, true);
  return 0;
}

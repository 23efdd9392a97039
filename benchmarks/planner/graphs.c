/* Write the dataflow graphs of the transfer-fusion paper's Table 4 in the
   text form that accrete-plan reads (libgomp-ext/planner/plan-text.h).

   Source: C. Kessler, "Global optimization of operand transfer fusion in
   heterogeneous computing", section 5.1.  As there, every kernel writes new
   vectors, and vectors that nobody reads are live on exit; what the paper
   leaves open is said at each graph.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VECTOR_BYTES = 4 << 12 };	/* 4Ki floats, the least of Table 5 */

/* The program as it is built: kernels as text, because all vectors come
   first in the file.  */
struct program
{
  unsigned nvectors, nkernels;
  struct
  {
    bool entry, read, wanted;
  } *vectors;
  char *kernels;
  size_t len;
  FILE *out;		/* onto KERNELS */
  const char *op;	/* what the next kernels compute, see program.awk */
  bool random;		/* devices at random, see place */
  uint64_t rng;
};

/* splitmix64, after S. Vigna; a number below N.  */
static unsigned
roll (struct program *p, unsigned n)
{
  uint64_t z = p->rng += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return (z ^ z >> 31) % n;
}

static unsigned
roll_between (struct program *p, unsigned min, unsigned max)
{
  return min + roll (p, max - min + 1);
}

static unsigned
vector (struct program *p, bool entry)
{
  if ((p->nvectors & (p->nvectors - 1)) == 0)
    {
      size_t room = p->nvectors ? 2 * (size_t) p->nvectors : 1;
      p->vectors = reallocarray (p->vectors, room, sizeof *p->vectors);
      if (!p->vectors)
	exit (1);
    }
  p->vectors[p->nvectors].entry = entry;
  p->vectors[p->nvectors].read = false;
  p->vectors[p->nvectors].wanted = false;
  return p->nvectors++;
}

/* The kernels that follow compute OP.  */
static struct program *
op (struct program *p, const char *op)
{
  p->op = op;
  return p;
}

/* A kernel that reads IN[0..NIN) and writes NOUT new vectors, from the one
   returned.  With random devices every other kernel is on the host.  */
static unsigned
kernel (struct program *p, bool device, unsigned nin, const unsigned *in,
	unsigned nout)
{
  unsigned first = p->nvectors;
  if (p->random)
    device = roll (p, 2);
  fprintf (p->out, "kernel %s%u %s :", p->op ? p->op : "k", p->nkernels++,
	   device ? "device" : "host");
  for (unsigned i = 0; i < nin; i++)
    {
      fprintf (p->out, " v%u", in[i]);
      p->vectors[in[i]].read = true;
    }
  fputs (" ->", p->out);
  for (unsigned i = 0; i < nout; i++)
    fprintf (p->out, " v%u", vector (p, false));
  putc ('\n', p->out);
  return first;
}

#define KERNEL(p, device, nout, ...)					      \
  kernel (p, device, sizeof (unsigned[]){ __VA_ARGS__ } / sizeof (unsigned),  \
	  (const unsigned[]){ __VA_ARGS__ }, nout)

/* Figure 2.  G, written by the host, is left out of every transfer.  */
static void
example (struct program *p, const unsigned *arg)
{
  (void) arg;
  unsigned a = vector (p, true), b = vector (p, true), c = vector (p, true);
  unsigned de = KERNEL (p, true, 2, b, a);
  unsigned fg = KERNEL (p, false, 2, de + 1, b);
  unsigned hi = KERNEL (p, true, 2, c, fg);
  KERNEL (p, true, 2, fg, hi);
  KERNEL (p, true, 2, hi, de + 1);
}

static void
chain (struct program *p, const unsigned *arg)
{
  unsigned v = vector (p, true);
  for (unsigned i = 0; i < arg[0]; i++)
    v = KERNEL (p, true, 1, v);
}

/* Each kernel's two outputs are the inputs of its two children; children in
   the order of a heap.  */
static void
out_tree (struct program *p, const unsigned *arg)
{
  unsigned next = vector (p, true);
  for (unsigned i = 0; i < arg[0]; i++)
    {
      KERNEL (p, true, 2, next);
      next++;
    }
}

/* The same upside down: the leaves first.  */
static void
in_tree (struct program *p, const unsigned *arg)
{
  for (unsigned i = 0; i <= arg[0]; i++)
    vector (p, true);
  for (unsigned next = 0; next < 2 * arg[0]; next += 2)
    KERNEL (p, true, 1, next, next + 1);
}

/* A product and a sum for each degree, all on the device.  */
static void
horner (struct program *p, const unsigned *arg)
{
  unsigned x = vector (p, true), y = vector (p, true), a = y;
  for (unsigned i = 0; i < arg[0]; i++)
    vector (p, true);
  for (unsigned i = 0; i < arg[0]; i++)
    {
      y = KERNEL (op (p, "times"), true, 1, y, x);
      y = KERNEL (op (p, "plus"), true, 1, y, ++a);
    }
}

/* Left-looking, ARG[0] x ARG[0] blocks, POTRF on the host, SYRK there as
   well if ARG[1].  The factor's blocks are wanted although later kernels
   read some.  The paper counts 4 vectors live on entry for 4x4 blocks; with
   the first block column only, no plan saves more than 9, so we take all 10
   blocks of the lower triangle.  */
static void
cholesky (struct program *p, const unsigned *arg)
{
  enum { MAX = 16 };
  unsigned n = arg[0], a[MAX][MAX];
  if (n > MAX)
    exit (1);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j <= i; j++)
      a[i][j] = vector (p, true);
  for (unsigned k = 0; k < n; k++)
    {
      for (unsigned j = 0; j < k; j++)
	a[k][k] = KERNEL (op (p, "syrk"), !arg[1], 1, a[k][k], a[k][j]);
      a[k][k] = KERNEL (op (p, "potrf"), false, 1, a[k][k]);
      for (unsigned i = k + 1; i < n; i++)
	{
	  for (unsigned j = 0; j < k; j++)
	    a[i][k] = KERNEL (op (p, "gemm"), true, 1, a[i][k], a[i][j],
			      a[k][j]);
	  a[i][k] = KERNEL (op (p, "trsm"), true, 1, a[i][k], a[k][k]);
	}
    }
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j <= i; j++)
      p->vectors[a[i][j]].wanted = true;
}

/* 2x2 blocks: for each block of C two GEMMs on the device, then their sum on
   the host.  (With all GEMMs before all sums 14 startups can be saved; the
   paper's 11 come from this order.)  */
static void
matmul (struct program *p, const unsigned *arg)
{
  unsigned a[2][2], b[2][2];
  (void) arg;
  for (unsigned i = 0; i < 4; i++)
    a[i / 2][i % 2] = vector (p, true);
  for (unsigned i = 0; i < 4; i++)
    b[i / 2][i % 2] = vector (p, true);
  for (unsigned i = 0; i < 4; i++)
    {
      unsigned x = KERNEL (p, true, 1, a[i / 2][0], b[0][i % 2]);
      unsigned y = KERNEL (p, true, 1, a[i / 2][1], b[1][i % 2]);
      KERNEL (p, false, 1, x, y);
    }
}

/* One step of the conjugate gradient method, the sparse product on the host:
   7 kernels, and 2 vectors live on entry, p and r, if x and the old r.r are
   left out as the paper's counts suggest.  */
static void
cg (struct program *g, const unsigned *arg)
{
  (void) arg;
  unsigned p = vector (g, true), r = vector (g, true);
  unsigned q = KERNEL (g, false, 1, p);		/* q = A p */
  unsigned pq = KERNEL (g, true, 1, p, q);
  unsigned alpha = KERNEL (g, true, 1, pq);
  r = KERNEL (g, true, 1, r, alpha, q);
  unsigned rr = KERNEL (g, true, 1, r);
  unsigned beta = KERNEL (g, true, 1, rr);
  KERNEL (g, true, 1, r, beta, p);		/* next p */
}

/* The same with x and the old r.r; what the next step needs is wanted.  */
static void
cg_whole (struct program *g, const unsigned *arg)
{
  (void) arg;
  unsigned p = vector (g, true), r = vector (g, true);
  unsigned x = vector (g, true), rho = vector (g, true);
  unsigned q = KERNEL (g, false, 1, p);
  unsigned pq = KERNEL (g, true, 1, p, q);
  unsigned alpha = KERNEL (g, true, 1, rho, pq);
  KERNEL (g, true, 1, x, alpha, p);
  r = KERNEL (g, true, 1, r, alpha, q);
  unsigned rr = KERNEL (g, true, 1, r);
  KERNEL (g, true, 1, r, rr, rho, p);
  g->vectors[r].wanted = g->vectors[rr].wanted = true;
}

/* ARG: kernels, vectors live on entry, least and most inputs, least and most
   outputs of a kernel.  Inputs are chosen, without repetition, from all
   vectors that have a value.  */
static void
random_graph (struct program *p, const unsigned *arg)
{
  for (unsigned i = 0; i < arg[1]; i++)
    vector (p, true);
  for (unsigned k = 0; k < arg[0]; k++)
    {
      unsigned nin = roll_between (p, arg[2], arg[3]);
      unsigned nout = roll_between (p, arg[4], arg[5]);
      unsigned in[16], count = 0;
      if (nin > 16)
	exit (1);
      while (count < nin && count < p->nvectors)
	{
	  unsigned i = 0;
	  in[count] = roll (p, p->nvectors);
	  while (in[i] != in[count])
	    i++;
	  count += i == count;
	}
      kernel (p, true, count, in, nout);
    }
}

static const struct
{
  const char *name, *args;
  unsigned nargs;
  bool random;		/* always; others only when a seed is given */
  void (*make) (struct program *, const unsigned *arg);
} graphs[] = {
  { "example", "", 0, false, example },
  { "chain", "KERNELS", 1, false, chain },
  { "out-tree", "KERNELS", 1, false, out_tree },
  { "in-tree", "KERNELS", 1, false, in_tree },
  { "horner", "DEGREE", 1, false, horner },
  { "cholesky", "BLOCKS SYRK-ON-HOST", 2, false, cholesky },
  { "matmul", "", 0, false, matmul },
  { "cg", "", 0, false, cg },
  { "cg-whole", "", 0, false, cg_whole },
  { "random", "KERNELS ENTRY MIN-IN MAX-IN MIN-OUT MAX-OUT", 6, true,
    random_graph },
};

enum { NGRAPHS = sizeof graphs / sizeof *graphs };

static int
usage (void)
{
  fputs ("usage: graphs NAME ARGUMENT... [SEED]\n"
	 "writes the graph to standard output; SEED places kernels at random\n",
	 stderr);
  for (unsigned i = 0; i < NGRAPHS; i++)
    fprintf (stderr, "  %s %s%s\n", graphs[i].name, graphs[i].args,
	     graphs[i].random ? " SEED" : " [SEED]");
  return 1;
}

int
main (int argc, char **argv)
{
  struct program p = { 0 };
  unsigned which = 0, arg[8];
  unsigned n = argc > 2 ? argc - 2 : 0;
  while (argc > 1 && which < NGRAPHS && strcmp (argv[1], graphs[which].name))
    which++;
  if (argc < 2 || which == NGRAPHS || n < graphs[which].nargs
      || n > graphs[which].nargs + 1
      || (graphs[which].random && n == graphs[which].nargs))
    return usage ();
  for (unsigned i = 0; i < n; i++)
    arg[i] = strtoul (argv[i + 2], NULL, 10);
  p.random = n > graphs[which].nargs;
  p.rng = p.random ? arg[n - 1] : 0;
  p.out = open_memstream (&p.kernels, &p.len);
  if (!p.out)
    return 1;

  graphs[which].make (&p, arg);
  fclose (p.out);
  for (unsigned i = 0; i < p.nvectors; i++)
    printf ("vector v%u %d%s%s\n", i, VECTOR_BYTES,
	    p.vectors[i].entry ? " host" : "",
	    p.vectors[i].wanted || !p.vectors[i].read ? " -> host" : "");
  fputs (p.kernels, stdout);
  free (p.kernels);
  free (p.vectors);
  return fflush (stdout) != 0;
}

/* Two kernels in queues, and what may stand between them; a hash of all
   results.
   usage: pair HOW ROUNDS [SEED]
   HOW is a name of the table below, or random: a sequence of kernels, waits and
   orders of queues that SEED makes, again and again.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef N
#define N 20000
#endif
#define QUEUES 4
#define STEPS 24

static double x[QUEUES][N], y[QUEUES][N];
static double w[QUEUES][N];
static unsigned z[QUEUES][N];

#ifdef GLOBAL
static unsigned global[N];
#pragma acc declare create(global)
#endif

/* ---- Kernels: each works on what is its queue's ------------------------- */

static void
scale (int q, int queue)
{
  double *a = x[q], *b = y[q];
#pragma acc parallel loop present(a[0:N], b[0:N]) async(queue)
  for (int i = 0; i < N; i++)
    a[i] = a[i] * .75 + b[i] / 3;
}

static void
mix (int q, int queue)
{
  unsigned *a = z[q];
#pragma acc parallel loop present(a[0:N]) async(queue)
  for (int i = 0; i < N; i++)
    {
      unsigned v = a[i];
      for (int k = 0; k < 8; k++)
	v = (v ^ v >> 7) * 2654435761u + k;
      a[i] = v;
    }
}

/* Where it stores nobody can tell before.  */
static void
spread (int q, int queue)
{
  unsigned *a = z[q];
#pragma acc parallel loop present(a[0:N]) async(queue)
  for (int i = 0; i < N; i++)
    {
      unsigned at = i * 7u % N, v = a[at];
      for (int k = 0; k < 8; k++)
	v = (v ^ v >> 7) * 2654435761u + k;
      a[at] = v;
    }
}

static void
stencil (int q, int queue)
{
  double *a = x[q], *b = y[q];
#pragma acc parallel loop present(a[0:N], b[0:N]) async(queue)
  for (int i = 1; i < N - 1; i++)
    b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3 + b[i];
}

static void
fill (int q, int queue)
{
  double *a = y[q];
  unsigned *b = z[q];
#pragma acc parallel loop present(a[0:N], b[0:N]) async(queue)
  for (int i = 0; i < N; i++)
    a[i] += b[i] % 8;
}

static void
sums_of (int q, int queue)
{
  double *a = x[q];
  unsigned *b = z[q];
#pragma acc parallel loop present(a[0:N], b[0:N]) async(queue)
  for (int i = 0; i < N; i++)
    a[i] += b[N - 1 - i] % 16;
}

/* What the tag does not tell, where the program has it.  */
static void
more (int q, int queue)
{
  double *a = x[q];
#pragma acc parallel loop present(a[0:N]) async(queue)
  for (int i = 0; i < N; i++)
    {
#ifdef PRINTS
      if (a[i] < -1e9)
	printf ("%g\n", a[i]);
#endif
#ifdef GLOBAL
      global[i] = i;
#endif
      a[i] += 1;
    }
}

static void
both (int q, int queue)
{
  double *a = x[q];
  unsigned *b = z[q];
#pragma acc parallel loop present(a[0:N], b[0:N]) async(queue)
  for (int i = 0; i < N; i++)
    a[i] = a[i] / 2 + b[N - 1 - i] % 16;
}

/* Sums of doubles may follow the order, these as those of integers do not.  */
static void
adds (int q, int queue)
{
  double *a = w[q];
#pragma acc parallel loop present(a[0:N]) async(queue)
  for (int i = 0; i < N; i++)
#pragma acc atomic update
    a[i % 100] += i;
}

static void
counts (int q, int queue)
{
  unsigned *a = z[q];
#pragma acc parallel loop present(a[0:N]) async(queue)
  for (int i = 0; i < N; i++)
#pragma acc atomic update
    a[i % 100] += i;
}

/* So do those of rows, but not the grid.  */
static void
rows (int q, int queue)
{
  double *a = x[q], *b = y[q];
#pragma acc parallel loop gang present(a[0:N], b[0:N]) async(queue)
  for (int i = 0; i < N / 50; i++)
    {
      double sum = 0;
#pragma acc loop vector reduction(+ : sum)
      for (int k = 0; k < 50; k++)
	sum += a[50 * i + k] * (k * .3 + 1);
      b[i] = sum;
    }
}

/* Of two dimensions.  */
static void
plane (int q, int queue)
{
  double *a = y[q];
#pragma acc parallel loop collapse(2) present(a[0:N]) async(queue)
  for (int i = 0; i < N / 50; i++)
    for (int k = 0; k < 50; k++)
      a[50 * i + k] = a[50 * i + k] / 2 + k;
}

static void
gangs (int q, int queue)
{
  unsigned *a = z[q];
#pragma acc parallel loop gang present(a[0:N]) async(queue) num_gangs(50)
  for (int i = 0; i < N; i++)
    a[i] = a[i] * 5 + i;
}

/* ---- What is between two of them ---------------------------------------- */

static void
beside (void)
{
  scale (0, 1);
  mix (1, 2);
  acc_wait_all ();
}

static void
turned (void)
{
  mix (1, 2);
  scale (0, 1);
  acc_wait_all ();
}

static void
again (void)
{
  scale (0, 1);
  mix (1, 2);
}

static void
same (void)
{
  mix (0, 1);
  mix (1, 2);
  acc_wait_all ();
}

/* Two of one queue that are independent.  */
static void
one (void)
{
  scale (0, 1);
  mix (0, 1);
  acc_wait_all ();
}

/* The second one reads what the first has written, and writes what that read.  */
static void
chain (void)
{
  scale (0, 1);
  stencil (0, 1);
  acc_wait_all ();
}

/* It does one of both.  */
static void
flows (void)
{
  mix (0, 1);
  fill (0, 1);
  acc_wait_all ();
}

static void
anti (void)
{
  fill (0, 1);
  mix (0, 1);
  acc_wait_all ();
}

/* The second one need not wait for the first, but for what was before.  */
static void
before (void)
{
  fill (0, 1);
  scale (0, 1);
  mix (0, 1);
}

static void
again_there (void)
{
  spread (0, 1);
  spread (1, 1);
  acc_wait_all ();
}

/* Two rows of an array.  */
static void
apart (void)
{
  mix (0, 1);
  mix (1, 1);
  acc_wait_all ();
}

static void
reads (void)
{
  fill (0, 1);
  sums_of (0, 1);
  acc_wait_all ();
}

/* Something else comes to the queue.  */
static void
copies (void)
{
  scale (0, 1);
#pragma acc update device(z[0:1]) async(1)
  mix (0, 1);
  acc_wait_all ();
}

static void
joined (void)
{
  adds (1, 2);
  scale (0, 1);
  acc_wait_async (2, 1);
  mix (0, 1);
  acc_wait_all ();
}

/* And behind the two what needs both.  */
static void
needed (void)
{
  scale (0, 1);
  mix (0, 1);
  both (0, 1);
  acc_wait (1);
}

/* The second kernel reads what the first has written.  */
static void
waits (void)
{
  scale (0, 1);
  acc_wait (1);
  stencil (0, 2);
  acc_wait (2);
}

static void
ordered (void)
{
  scale (0, 1);
  acc_wait_async (1, 2);
  stencil (0, 2);
  acc_wait_all ();
}

static void
updates (void)
{
  scale (0, 1);
#pragma acc update self(x[0:1])
  mix (1, 2);
  acc_wait_all ();
}

static void
between (void)
{
  scale (0, 1);
  stencil (0, acc_async_sync);
  mix (1, 2);
  acc_wait_all ();
}

static void
inexact (void)
{
  scale (0, 1);
  adds (1, 2);
  acc_wait_all ();
}

static void
integers (void)
{
  scale (0, 1);
  counts (1, 2);
  acc_wait_all ();
}

static void
sums (void)
{
  scale (0, 1);
  rows (1, 2);
  acc_wait_all ();
}

static void
said (void)
{
  gangs (0, 1);
  gangs (1, 2);
  acc_wait_all ();
}

/* Now and then the second one does not come.  */
static void
fails (void)
{
  static unsigned round;
  scale (0, 1);
  if (++round % 4)
    mix (1, 2);
  acc_wait_all ();
}

/* Once it does not.  */
static void
once (void)
{
  static unsigned round;
  scale (0, 1);
  if (++round != 15)
    mix (1, 2);
  acc_wait_all ();
}

/* Now and then it is another one.  */
static void
changes (void)
{
  static unsigned round;
  scale (0, 1);
  if (++round % 6)
    mix (1, 2);
  else
    scale (1, 2);
  acc_wait_all ();
}

/* A child comes and goes between the two.  */
static void
forks (void)
{
  static unsigned round;
  scale (0, 1);
  if (++round % 8 == 5)
    {
      pid_t child = fork ();
      if (!child)
	_exit (0);
      waitpid (child, NULL, 0);
    }
  mix (1, 2);
  acc_wait_all ();
}

/* The program ends between them, of which the first is on its way.  */
static void
leaves (void)
{
  static unsigned round;
  scale (0, 1);
  if (++round == 25)
    exit (0);
  mix (1, 2);
  acc_wait_all ();
}

/* ---- Random sequences --------------------------------------------------- */

static unsigned
next (unsigned *seed)
{
  *seed = *seed * 1103515245 + 12345;
  return *seed >> 16;
}

static void
random_step (unsigned *seed)
{
  static void (*const kernels[]) (int, int)
    = { scale, mix,    stencil, rows, scale,   counts, adds, gangs,
	fill,  sums_of, both,	 plane, sums_of, more,  mix,	 fill };
  static int last;
  int q = next (seed) % 2 ? last : (int)(next (seed) % QUEUES);
  int other = next (seed) % QUEUES;
  last = q;
  switch (next (seed) % 20)
    {
    case 0:
      acc_wait (q + 1);
      break;
    case 1:
      acc_wait_async (other + 1, q + 1);
      stencil (other, q + 1);
      acc_wait_async (q + 1, other + 1);
      break;
    case 2:
      acc_wait (q + 1);
#pragma acc update self(x[q:1])
      x[q][next (seed) % N] += 1;
#pragma acc update device(x[q:1])
      break;
    default:
      kernels[next (seed) % 16](q, q + 1);
    }
}

static void
sequence (unsigned seed)
{
  unsigned steps = next (&seed) % STEPS + 2;
  for (unsigned i = 0; i < steps; i++)
    random_step (&seed);
}

/* ---- All ---------------------------------------------------------------- */

static const struct
{
  const char *name;
  void (*run) (void);
} table[] = {
  { "beside", beside },   { "again", again },     { "same", same },
  { "one", one },	  { "waits", waits },	  { "ordered", ordered },
  { "updates", updates }, { "between", between }, { "inexact", inexact },
  { "said", said },	  { "fails", fails },	  { "once", once },
  { "changes", changes }, { "integers", integers }, { "sums", sums },
  { "forks", forks },	  { "leaves", leaves },   { "chain", chain },
  { "there", again_there }, { "apart", apart }, { "reads", reads },	  { "copies", copies },
  { "joined", joined },	  { "needed", needed },   { "flows", flows },
  { "turned", turned },	  { "anti", anti },	  { "before", before },
};

static unsigned long
hash (const void *data, size_t n)
{
  const unsigned char *p = data;
  unsigned long h = 0xcbf29ce484222325ul;
  while (n--)
    h = (h ^ *p++) * 0x100000001b3ul;
  return h;
}

int
main (int argc, char **argv)
{
  const char *how = argc > 2 ? argv[1] : "beside";
  int rounds = argc > 2 ? atoi (argv[2]) : 10;
  unsigned seed = argc > 3 ? strtoul (argv[3], NULL, 0) : 1, found = 0;
  while (found < sizeof table / sizeof *table
	 && strcmp (table[found].name, how))
    found++;
  for (int q = 0; q < QUEUES; q++)
    for (int i = 0; i < N; i++)
      {
	x[q][i] = i % 100 + q;
	y[q][i] = i % 37;
	z[q][i] = i + q;
      }
#pragma acc data copy(x, y, z, w)
  {
#ifdef KNOWN
    if (!acc_deviceptr (x))
      abort ();
#endif
    for (int r = 0; r < rounds; r++)
      if (found < sizeof table / sizeof *table)
	table[found].run ();
      else
	sequence (seed);
    acc_wait_all ();
  }
  printf ("%lx %lx %lx %lx\n", hash (x, sizeof x), hash (y, sizeof y),
	  hash (z, sizeof z), hash (w, sizeof w));
  return 0;
}

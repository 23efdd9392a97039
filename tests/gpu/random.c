/* Random programs on GPUs against the host's evaluation.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "program.h"

/* Programs of a unit; seconds that a process may take, which is many times what
   it needs.  */
enum { BATCH = 200, LONGEST = 120 };

struct sample
{
  uint64_t seed;
  struct program program;
  struct image image, want;
  struct trace trace;
};

static void
prepare (struct sample *s)
{
  program_inputs (&s->program, s->seed, &s->image);
  s->want = s->image;
  program_evaluate (&s->program, &s->want, &s->trace);
}

/* What drivers optimise at by default.  */
enum { LEVEL = 4 };

/* Run N samples as one unit, compiled at LEVEL, on G: their images become its
   results.  */
static bool
run (struct gpu *g, unsigned level, struct sample *const *samples, unsigned n,
     struct image *images)
{
  struct launch launches[BATCH];
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  row_print_header (90, f);
  for (unsigned k = 0; k < n; k++)
    {
      struct launch *l = &launches[k];
      size_t at = k * sizeof *images;
      *l = (struct launch){ .grid = BLOCKS, .block = THREADS, .nparams = 4 };
      snprintf (l->kernel, sizeof l->kernel, "k%u", k);
      l->param[0] = at + offsetof (struct image, in);
      l->param[1] = at + offsetof (struct image, out);
      l->param[2] = at + offsetof (struct image, scratch);
      l->param[3] = at + offsetof (struct image, cells);
      program_print (&samples[k]->program, k, f);
      images[k] = samples[k]->image;
    }
  fclose (f);
  bool done = gpu_run (g, text, level, launches, n, images, n * sizeof *images);
  free (text);
  return done;
}

/* Where GOT differs from S's reference.  */
struct difference
{
  unsigned reg, lane;
};

enum { NOWHERE = MAX_REGS + 1, SCRATCH_MEMORY, CELL_MEMORY };

static bool
same_value (const struct gpu *g, const struct sample *s, unsigned reg,
	    unsigned lane, uint64_t got)
{
  uint64_t want = s->want.out[reg][lane];
  if (reg == MAX_REGS || !s->program.reg[reg].leaf)
    return got == want;
  return gpu_accepts (g, s->program.reg[reg].from->row, s->trace.in[reg][lane],
		      got, want);
}

/* The first one; its register is NOWHERE if there is none.  */
static struct difference
differs (const struct gpu *g, const struct sample *s, const struct image *got)
{
  for (unsigned r = INPUTS; r <= MAX_REGS; r++)
    for (unsigned l = 0; l < LANES; l++)
      if (got->out[r][l] != s->want.out[r][l]
	  && !same_value (g, s, r, l, got->out[r][l]))
	return (struct difference){ r, l };
  for (unsigned l = 0; l < LANES; l++)
    if (memcmp (got->scratch[l], s->want.scratch[l], SCRATCH))
      return (struct difference){ SCRATCH_MEMORY, l };
  if (memcmp (got->cells, s->want.cells, sizeof got->cells))
    return (struct difference){ CELL_MEMORY, 0 };
  return (struct difference){ NOWHERE, 0 };
}

static bool
still_differs (struct gpu *g, unsigned level, struct sample *s,
	       struct image *got)
{
  prepare (s);
  return run (g, level, &s, 1, got) && differs (g, s, got).reg != NOWHERE;
}

static void
print_bytes (const char *what, const void *got, const void *want, unsigned n)
{
  const unsigned char *g = got, *w = want;
  printf ("%s", what);
  for (unsigned k = 0; k < n; k++)
    if (g[k] != w[k])
      printf (", [%u] = %#x, want %#x", k, g[k], w[k]);
  putchar ('\n');
}

/* Leave out of S's program what does not matter to the difference, and print
   what is left.  */
static void
narrow (struct gpu *g, struct sample *s)
{
  static struct image got;
  struct program *p = &s->program;
  if (!still_differs (g, LEVEL, s, &got))
    {
      printf ("%s: program %" PRIu64 ": differs only beside others\n",
	      gpu_name (g), s->seed);
      return;
    }
  for (unsigned k = p->nstmts; k-- > 0;)
    {
      p->stmt[k].off = true;
      if (!still_differs (g, LEVEL, s, &got))
	p->stmt[k].off = false;
    }
  still_differs (g, LEVEL, s, &got);
  struct difference d = differs (g, s, &got);
  printf ("%s: program %" PRIu64 ", thread %u: ", gpu_name (g), s->seed, d.lane);
  if (d.reg == SCRATCH_MEMORY)
    print_bytes ("scratch memory", got.scratch[d.lane], s->want.scratch[d.lane],
		 SCRATCH);
  else if (d.reg > MAX_REGS)
    print_bytes ("cells", got.cells, s->want.cells, sizeof got.cells);
  else
    {
      printf ("%%v%u = %#" PRIx64 ", want %#" PRIx64 "\n", d.reg,
	      got.out[d.reg][d.lane], s->want.out[d.reg][d.lane]);
      const struct stmt *from
	= d.reg < MAX_REGS ? p->reg[d.reg].from : NULL;
      for (unsigned k = 0; from && k < 3; k++)
	if (from->kind == S_ROW)
	  printf ("  %c = %#" PRIx64 "\n", "abc"[k],
		  s->trace.in[d.reg][d.lane][k]);
    }
  program_print_stmts (p, stdout);
}

/* ---- Processes ---- */

/* What the processes of one GPU found.  */
struct tally
{
  char name[256];
  unsigned differ, optimised;	/* wrong with and only with optimisation */
  unsigned show;		/* how many more to print */
  uint64_t stmts;
  bool opened;			/* the GPU, by any process */
  bool ran;			/* the last process's programs */
};

/* Run programs FIRST to FIRST + N - 1 at LEVEL on the GPU behind LIB, add to T
   what they do.  */
static void
run_here (const struct gpu_lib *lib, unsigned level, uint64_t first, unsigned n,
	  struct tally *t)
{
  static struct image plain;
  struct sample *samples[BATCH] = { NULL };
  struct image *images = malloc (BATCH * sizeof *images);
  struct gpu *g = gpu_open (lib->path, lib->emulated);
  if (!g || !images)
    return;
  t->opened = true;
  snprintf (t->name, sizeof t->name, "%s", gpu_name (g));
  for (unsigned k = 0; k < n; k++)
    {
      if (!(samples[k] = malloc (sizeof **samples)))
	abort ();
      samples[k]->seed = first + k;
      program_generate (&samples[k]->program, first + k);
      prepare (samples[k]);
    }
  t->ran = run (g, level, samples, n, images);
  for (unsigned k = 0; t->ran && k < n; k++)
    {
      t->stmts += samples[k]->program.nstmts;
      if (differs (g, samples[k], &images[k]).reg == NOWHERE)
	continue;
      if (!gpu_emulated (g) && !still_differs (g, 0, samples[k], &plain))
	t->optimised++;
      else
	t->differ++;
      if (t->show && t->show--)
	narrow (g, samples[k]);
    }
}

/* The same in a process of its own; whether it ran to its end.  */
static bool
run_apart (const struct gpu_lib *lib, unsigned level, uint64_t first, unsigned n,
	   struct tally *t)
{
  t->ran = false;
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      alarm (LONGEST);
      run_here (lib, level, first, n, t);
      fflush (stdout);
      _exit (0);
    }
  int status;
  return child > 0 && waitpid (child, &status, 0) == child && status == 0
	 && t->ran;
}

/* Run programs FIRST to FIRST + N - 1 on the GPU behind LIB.  One that faults
   ends its process for the driver, so that it is looked for by halving.  Without
   the GPU none is right.  */
static void
run_batch (const struct gpu_lib *lib, uint64_t first, unsigned n, struct tally *t)
{
  if (run_apart (lib, LEVEL, first, n, t))
    return;
  if (!t->opened)
    {
      t->differ += n;
      return;
    }
  if (n > 1)
    {
      run_batch (lib, first, n / 2, t);
      run_batch (lib, first + n / 2, n - n / 2, t);
      return;
    }
  unsigned before = t->differ;
  if (!lib->emulated && run_apart (lib, 0, first, 1, t) && t->differ == before)
    t->optimised++;
  else
    t->differ = before + 1;
  if (t->show && t->show--)
    {
      static struct program p;
      printf ("%s: program %" PRIu64 " does not run\n", t->name, first);
      program_generate (&p, first);
      program_print_stmts (&p, stdout);
    }
}

unsigned
compare_random (const struct gpu_lib *libs, unsigned nlibs, uint64_t first,
		unsigned n, unsigned show)
{
  unsigned all = 0;
  struct tally *t = mmap (NULL, sizeof *t, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (t == MAP_FAILED)
    abort ();
  for (unsigned d = 0; d < nlibs; d++)
    {
      *t = (struct tally){ .show = show };
      snprintf (t->name, sizeof t->name, "%s", libs[d].path);
      for (unsigned done = 0; done < n; done += BATCH)
	run_batch (&libs[d], first + done, n - done < BATCH ? n - done : BATCH,
		   t);
      printf ("%s: %u random programs of %" PRIu64 " statements in %u threads "
	      "each, %u wrong where the driver optimises alone: %u differ\n",
	      t->name, n, t->stmts, LANES, t->optimised, t->differ);
      all += t->differ;
    }
  munmap (t, sizeof *t);
  return all;
}

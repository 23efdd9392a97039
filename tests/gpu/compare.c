/* Runs PTX on GPUs, emulated and real, and compares with what the host
   computes: every instruction form of semantics.def over edge values, then
   random programs.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <argp.h>
#include <stdlib.h>

#include "compare.h"
#include "program.h"

enum { MAX_GPUS = 8 };

static struct
{
  struct gpu_lib lib[MAX_GPUS];
  unsigned ngpus;
  unsigned long long seed;
  unsigned programs, show;
  bool table, errors, print;
} opt = { .seed = 1, .show = 5 };

static const struct argp_option options[] = {
  { "gpu", 'g', "LIB", 0, "run on the GPU behind LIB, a libcuda.so.1", 0 },
  { "emulated", 'e', "LIB", 0, "the same, of the emulated GPU", 0 },
  { "table", 't', NULL, 0, "run every instruction form", 0 },
  { "errors", 'x', NULL, 0, "give the driver wrong input", 0 },
  { "programs", 'n', "N", 0, "run N random programs", 0 },
  { "seed", 's', "SEED", 0, "of the first program (1); the next has the next",
    0 },
  { "show", 'm', "N", 0, "narrow down at most N differences (5)", 0 },
  { "print", 'p', NULL, 0, "print the programs' PTX and exit", 0 },
  { "print-table", 'P', NULL, 0, "print the forms' PTX and exit", 0 },
  { 0 }
};

static error_t
parse (int key, char *arg, struct argp_state *state)
{
  switch (key)
    {
    case 'g':
    case 'e':
      if (opt.ngpus == MAX_GPUS)
	argp_error (state, "too many GPUs");
      opt.lib[opt.ngpus++] = (struct gpu_lib){ arg, key == 'e' };
      return 0;
    case 'x':
      opt.errors = true;
      return 0;
    case 't':
      opt.table = true;
      return 0;
    case 'n':
      opt.programs = (unsigned) strtoul (arg, NULL, 0);
      return 0;
    case 's':
      opt.seed = strtoull (arg, NULL, 0);
      return 0;
    case 'm':
      opt.show = (unsigned) strtoul (arg, NULL, 0);
      return 0;
    case 'P':
      row_print_header (90, stdout);
      for (unsigned k = 0; k < nrows; k++)
	if (row_target (&rows[k]) <= 90)
	{
	  char name[16];
	  snprintf (name, sizeof name, "r%u", k);
	  row_print_kernel (&rows[k], name, stdout);
	}
      exit (0);
    case 'p':
      opt.print = true;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
    }
}

int
main (int argc, char **argv)
{
  static const struct argp argp
    = { options, parse, "",
	"Compare GPUs with the host's evaluation of PTX.", 0, 0, 0 };
  argp_parse (&argp, argc, argv, 0, 0, NULL);
  if (opt.print)
    {
      static struct program p;
      row_print_header (90, stdout);
      for (unsigned k = 0; k < opt.programs; k++)
	{
	  program_generate (&p, opt.seed + k);
	  program_print (&p, k, stdout);
	}
      return 0;
    }
  /* The first two work in processes of their own, which a driver that this one
     has opened would not survive.  */
  unsigned wrong = 0;
  for (unsigned k = 0; opt.errors && k < opt.ngpus; k++)
    wrong += compare_errors (opt.lib[k].path);
  if (opt.programs)
    wrong += compare_random (opt.lib, opt.ngpus, opt.seed, opt.programs,
			     opt.show);
  for (unsigned k = 0; opt.table && k < opt.ngpus; k++)
    {
      struct gpu *gpu = gpu_open (opt.lib[k].path, opt.lib[k].emulated);
      if (!gpu)
	return 1;
      wrong += compare_table (gpu);
      gpu_close (gpu);
    }
  return wrong != 0;
}

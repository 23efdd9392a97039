/* ptx-post: run passes over a PTX file.

   read_unit -> post_run -> ptx_print -> write_all
   With --pair: pair_run -> write_all

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "note.h"
#include "pair/pair.h"
#include "post.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "ptx-post (" PACKAGE_NAME ") " PACKAGE_VERSION;

enum { OPT_PASSES = 256, OPT_DISABLE, OPT_DUMP, OPT_EXPLAIN, OPT_MAX_SM,
       OPT_SHUFFLE, OPT_REGISTERS, OPT_MAX_DELTA, OPT_PROOF_MS, OPT_PAIR,
       OPT_PARTITION, OPT_BLOCKS };

static const struct argp_option options[] = {
  { NULL, 'h', NULL, OPTION_HIDDEN, "", -1 },
  { "output", 'o', "FILE", 0, "write to FILE, not to standard output", 0 },
  { "passes", OPT_PASSES, "NAMES", 0,
    "run these passes only (comma-separated); none prints the input back", 0 },
  { "disable", OPT_DISABLE, "NAMES", 0, "do not run these passes", 0 },
  { "max-sm", OPT_MAX_SM, "NN", 0,
    "passes may raise .target up to sm_NN (default: $ACCRETE_SM, else 35)",
    0 },
  { "shuffle", OPT_SHUFFLE, "MODE", 0,
    "which loads the pass shuffle takes: auto (what should pay; default), "
    "always (the paper's form), halo (one more load for a row of them), keep "
    "(what the lane itself has, now or from an iteration ago), never; "
    "for measurements, with wrong results: no-load, no-corner",
    0 },
  { "registers", OPT_REGISTERS, "N,N", 0,
    "kernels whose threads may compute several rows also come in variants "
    "with so many registers a thread (default: 64,48); with --pair, N: at "
    "most so many", 0 },
  { "max-delta", OPT_MAX_DELTA, "N", 0,
    "lanes that a shuffle may bridge (default: 31)", 0 },
  { "proof-ms", OPT_PROOF_MS, "N", 0,
    "about how many milliseconds the proofs for one kernel may take; one "
    "that needs more is left as it is (default: 1000; 0: no proofs)",
    0 },
  { "explain", OPT_EXPLAIN, NULL, 0,
    "say on standard error why each candidate was taken or left", 0 },
  { "dump-after", OPT_DUMP, "PASS", 0,
    "print the unit to standard error as it is after PASS", 0 },
  { NULL, 0, NULL, 0, "Two kernels as one (horizontal fusion):", 1 },
  { "pair", OPT_PAIR, NULL, 0,
    "write the units and a kernel that runs both kernels at once; comments at "
    "its top say how it is launched", 0 },
  { "partition", OPT_PARTITION, "HOW", 0,
    "how they share the GPU: thread (warps of each block; default), "
    "thread:A/B (A parts of a block's warps for the first kernel, B for the "
    "second), block (whole blocks)", 0 },
  { "blocks", OPT_BLOCKS, "X,Y,Z/X,Y,Z", 0,
    "blocks of the two kernels have these sizes (default: what .reqntid says, "
    "else the launch)", 0 },
  { 0 }
};

struct arguments
{
  const char *input, *output;
  struct post_options post;
  bool paired;
  const char *registers;	/* as given */
  struct pair_options pair;
};

/* The passes in the order in which they run.  */
static void
print_passes (FILE *f)
{
  const struct acr_optimisation *o;
  for (unsigned i = 0; (o = acr_optimisation (ACR_PART_PASS, i)); i++)
    fprintf (f, "  %s (%s)\n      %s\n", o->name, o->alias, o->help);
}

/* An unknown name is an error where the user chose passes ...  */
static void
refuse (const char *where, const char *name, size_t len)
{
  fprintf (stderr, "ptx-post: %s: unknown pass '%.*s'; passes are:\n", where,
	   (int) len, name);
  print_passes (stderr);
  exit (1);
}

/* ... and a warning where they switch something off.  */
static void
warn (const char *where, const char *name, size_t len)
{
  post_complain ("ptx-post", where, name, len);
}

/* ARG as a number up to MAX; or the error WRONG.  */
static unsigned
number (struct argp_state *state, const char *arg, long max, const char *wrong)
{
  char *end;
  long n = strtol (arg, &end, 10);
  if (end == arg || *end || n < 0 || n > max)
    argp_error (state, "%s: %s", wrong, arg);
  return n;
}

static error_t
parse_option (int key, char *arg, struct argp_state *state)
{
  struct arguments *a = state->input;
  switch (key)
    {
    case 'h':
      argp_state_help (state, stdout, ARGP_HELP_STD_HELP);
      break;
    case 'o':
      a->output = arg;
      break;
    case OPT_PASSES:
      a->post.passes = post_names ("--passes", arg, refuse);
      break;
    case OPT_DISABLE:
      a->post.passes &= ~post_names ("--disable", arg, warn);
      break;
    case OPT_DUMP:
      {
	unsigned set = post_names ("--dump-after", arg, refuse);
	if (!set || (set & (set - 1)))
	  argp_error (state, "--dump-after takes one pass");
	a->post.dump_after = __builtin_ctz (set);
	a->post.dump = stderr;
	break;
      }
    case OPT_EXPLAIN:
      a->post.explain = stderr;
      break;
    case OPT_MAX_SM:
      if (!post_parse_sm (arg, &a->post.sm))
	argp_error (state, "--max-sm: not an architecture, as 80 or sm_80: %s",
		    arg);
      break;
    case OPT_SHUFFLE:
      if (!post_parse_shuffle (arg, &a->post.shuffle))
	argp_error (state, "--shuffle: not auto, always, halo, keep, never, "
		    "no-load or no-corner: %s", arg);
      break;
    case OPT_REGISTERS:
      a->registers = arg;
      if (!post_parse_registers (arg, a->post.registers))
	argp_error (state, "not numbers of registers: %s", arg);
      break;
    case OPT_MAX_DELTA:
      a->post.max_delta
	= number (state, arg, POST_MAX_DELTA, "not a number of lanes");
      break;
    case OPT_PROOF_MS:
      a->post.proof_ms
	= number (state, arg, 1000000, "not a number of milliseconds");
      break;
    case OPT_PAIR:
      a->paired = true;
      break;
    case OPT_PARTITION:
      if (!pair_parse_partition (arg, &a->pair))
	argp_error (state, "not a partition: %s", arg);
      break;
    case OPT_BLOCKS:
      if (!pair_parse_blocks (arg, &a->pair))
	argp_error (state, "not sizes of two blocks: %s", arg);
      break;
    case ARGP_KEY_ARG:
      if (state->arg_num == PAIR_SIDES)
	argp_error (state, "too many input files");
      a->pair.input[state->arg_num] = arg;
      a->input = a->pair.input[0];
      break;
    case ARGP_KEY_NO_ARGS:
      argp_error (state, "no input file");
      break;
    case ARGP_KEY_END:
      if (a->paired && !a->pair.input[1])
	argp_error (state, "--pair takes two kernels");
      if (!a->paired && a->pair.input[1])
	argp_error (state, "one input file only");
      if (a->paired && a->registers)
	a->pair.registers
	  = number (state, a->registers, 255, "not a number of registers");
      break;
    default:
      return ARGP_ERR_UNKNOWN;
    }
  return 0;
}

static const struct argp argp
  = { options, parse_option,
      "IN.ptx\n--pair A.ptx:KERNEL B.ptx:KERNEL",
      "Optimise PTX, the assembly language of NVIDIA GPUs.\v"
      "IN.ptx or FILE may be '-'.\n"
      "\n"
      "Passes, in their order (NAMES may use the name in brackets):\n"
#include "help-passes.h"
      "\n"
      "Environment:\n"
#include "help-env.h"
      ,
      NULL, NULL, NULL };

static int
fail (const char *file)
{
  fprintf (stderr, "ptx-post: %s: %s\n", file, strerror (errno));
  return 1;
}

/* The unit that A names with its passes run, as text.  NULL after a
   message.  */
static char *
run_passes (const struct arguments *a, size_t *len)
{
  struct ptx_unit *u = read_unit (a->input);
  if (!u)
    return NULL;
  post_run (u, &a->post);

  char *out;
  FILE *f = open_memstream (&out, len);
  if (!f)
    abort ();
  ptx_print (u, f);
  if (fclose (f) != 0)
    abort ();
  ptx_unit_free (u);
  return out;
}

int
main (int argc, char **argv)
{
  struct arguments a = { .output = "-" };
  post_check_variables ("ptx-post");
  post_options_init (&a.post, warn);
  argp_err_exit_status = 1;
  argp_parse (&argp, argc, argv, 0, NULL, &a);
  a.pair.explain = a.post.explain;

  size_t len;
  char *out = a.paired ? pair_run (&a.pair, &len) : run_passes (&a, &len);
  if (!out)
    return 1;
  if (!write_all (a.output, out, len))
    return fail (a.output);
  free (out);
  return 0;
}

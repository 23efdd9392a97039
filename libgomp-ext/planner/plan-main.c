/* accrete-plan: plan the fused transfers of a kernel-vector graph offline.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/clock.h"
#include "planner/plan-text.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version
    = "accrete-plan (" PACKAGE_NAME ") " PACKAGE_VERSION;

static const char doc[]
    = "Plan the transfers of a sequence of kernels between host and device, "
      "such that few DMAs carry them: when each vector is transferred, and "
      "how "
      "the vectors are ordered in memory."
      "\vGRAPH (- for standard input) has one line for each vector and, in "
      "program order, for each kernel:\n"
      "\n"
      "  vector NAME BYTES [ENTRY] [-> EXIT]\n\n"
      "  kernel NAME (host | device) : [VECTOR...] [-> VECTOR...]\n"
      "\n"
      "ENTRY and EXIT are host, device or host+device: where the vector has a "
      "value before the first kernel, and where it is wanted after the last. "
      "A kernel reads the vectors before the arrow and writes those after it. "
      "BYTES may end in K, M or G; # begins a comment.";

enum
{
  OPT_EMIT = 1,
  OPT_METHOD,
  OPT_TRIES,
  OPT_SEED,
  OPT_CAP,
  OPT_EXACT,
  OPT_DOT
};

static const struct argp_option options[] = {
  { NULL, 'h', NULL, OPTION_HIDDEN, "", -1 },
  { "emit", OPT_EMIT, "WHEN", 0,
    "greedy: transfer early (default); tight: hold device memory shortly, "
    "with as few startups",
    0 },
  { "method", OPT_METHOD, "NAME", 0,
    "best (default), or paper: the heaviest of TRIES affinity-biased "
    "depth-first searches",
    0 },
  { "tries", OPT_TRIES, "N", 0, "depth-first searches (default 4)", 0 },
  { "seed", OPT_SEED, "N", 0, "seed of the searches (default 1)", 0 },
  { "cap", OPT_CAP, "BYTES", 0, "never hold more than BYTES of device memory",
    0 },
  { "exact", OPT_EXACT, NULL, 0,
    "search components of up to 18 vectors exactly, however long it takes",
    0 },
  { "dot", OPT_DOT, "FILE", 0, "write the affinity graph for Graphviz", 0 },
  { 0 }
};

struct arguments
{
  struct acr_plan_options plan;
  const char *dot, *graph;
};

static uint64_t
parse_number (struct argp_state *state, const char *name, const char *arg)
{
  char *end;
  errno = 0;
  uint64_t n = strtoull (arg, &end, 10);
  if (*arg < '0' || *arg > '9' || *end || errno)
    argp_error (state, "--%s: '%s' is not a number", name, arg);
  return n;
}

static error_t
parse_option (int key, char *arg, struct argp_state *state)
{
  struct arguments *a = state->input;
  struct acr_plan_options *p = &a->plan;
  switch (key)
    {
    case 'h':
      argp_state_help (state, stdout, ARGP_HELP_STD_HELP);
      return 0;
    case OPT_EMIT:
      if (!strcmp (arg, "greedy"))
        p->emit = ACR_EMIT_GREEDY;
      else if (!strcmp (arg, "tight"))
        p->emit = ACR_EMIT_TIGHT;
      else
        argp_error (state, "--emit: '%s' is neither greedy nor tight", arg);
      return 0;
    case OPT_METHOD:
      if (!strcmp (arg, "best"))
        p->method = ACR_METHOD_BEST;
      else if (!strcmp (arg, "paper"))
        p->method = ACR_METHOD_PAPER;
      else
        argp_error (state, "--method: '%s' is neither best nor paper", arg);
      return 0;
    case OPT_TRIES:
      {
        uint64_t n = parse_number (state, "tries", arg);
        if (n == 0 || n > 1000000)
          argp_error (state, "--tries: '%s' is not between 1 and 1000000",
                      arg);
        p->tries = n;
        return 0;
      }
    case OPT_SEED:
      p->seed = parse_number (state, "seed", arg);
      return 0;
    case OPT_CAP:
      if (!plan_text_bytes (arg, strlen (arg), &p->cap))
        argp_error (state, "--cap: '%s' is not a number of bytes", arg);
      return 0;
    case OPT_EXACT:
      p->exact = ACR_EXACT_LIMIT;
      p->nodes = p->moves = UINT64_MAX;
      return 0;
    case OPT_DOT:
      a->dot = arg;
      return 0;
    case ARGP_KEY_ARG:
      if (a->graph)
        argp_error (state, "more than one GRAPH");
      a->graph = arg;
      return 0;
    case ARGP_KEY_END:
      if (!a->graph)
        argp_error (state, "no GRAPH");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
    }
}

static const char *
vector_name (void *text, unsigned v)
{
  return ((struct plan_text *)text)->vector[v];
}

static bool
write_dot (const char *file, struct plan_text *t, const struct acr_plan *p)
{
  FILE *out = fopen (file, "w");
  enum acr_plan_status s = ACR_PLAN_OK;
  bool bad = !out;
  if (out)
    {
      s = acr_plan_dot (out, t->graph, p, vector_name, t);
      bad = ferror (out);
      bad |= fclose (out) != 0;
    }
  if (s || bad)
    fprintf (stderr, "accrete-plan: %s: %s\n", file,
             s ? acr_plan_strerror (s) : strerror (errno));
  return !s && !bad;
}

static void
report_failure (const struct plan_text *t, const struct arguments *a,
                enum acr_plan_status s)
{
  unsigned step, n = acr_graph_kernels (t->graph);
  size_t need = acr_graph_least_cap (t->graph, &step);
  if (s != ACR_PLAN_CAP)
    fprintf (stderr, "accrete-plan: %s: %s\n", a->graph,
             acr_plan_strerror (s));
  else
    fprintf (stderr,
             "accrete-plan: %s: %s%s needs %zu bytes on the device, but the "
             "cap is %zu\n",
             a->graph, step < n ? "kernel " : "the exit",
             step < n ? t->kernel[step] : "", need, a->plan.cap);
}

int
main (int argc, char **argv)
{
  static const struct argp argp
      = { options, parse_option, "GRAPH", doc, NULL, NULL, NULL };
  struct arguments a = { .plan = acr_plan_defaults };
  argp_err_exit_status = 1;
  argp_parse (&argp, argc, argv, 0, NULL, &a);

  struct plan_text *t = plan_text_read (a.graph);
  if (!t)
    return 1;
  struct acr_plan *p;
  double start = acr_now_us ();
  enum acr_plan_status s = acr_plan_make (t->graph, &a.plan, &p);
  double time = acr_now_us () - start;
  bool good = !s;
  if (s)
    report_failure (t, &a, s);
  else
    {
      plan_text_print (stdout, t, p);
      printf ("planning time: %.1f us\n", time);
      good = !a.dot || write_dot (a.dot, t, p);
      if (fflush (stdout) || ferror (stdout))
        {
          perror ("accrete-plan: standard output");
          good = false;
        }
    }
  acr_plan_free (p);
  plan_text_free (t);
  return good ? 0 : 1;
}

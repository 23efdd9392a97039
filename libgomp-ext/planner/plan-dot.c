/* The affinity graph as a picture: figure 3 of the paper.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "planner/plan.h"

static void
put_name (FILE *out, const char *name)
{
  putc ('"', out);
  for (; *name; name++)
    {
      if (*name == '"' || *name == '\\')
        putc ('\\', out);
      putc (*name, out);
    }
  putc ('"', out);
}

static void
write_dot (FILE *out, struct acr_work *w, const struct acr_plan *plan,
           const char *(*name) (void *, unsigned), void *data)
{
  unsigned n = plan->nvectors;
  bool small = n <= ACR_MATRIX_MAX;
  struct acr_weights a = { 0 };
  if (small)
    a = acr_affinity_weights (w, plan->order, n);
  fputs ("graph affinity {\n", out);
  for (unsigned v = 0; v < n; v++)
    {
      fputs ("  ", out);
      put_name (out, name (data, v));
      fputs (";\n", out);
    }
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = i + 1; j < n; j++)
      {
        unsigned x = plan->order[i], y = plan->order[j];
        unsigned affinity = small ? a.a[i * n + j] : acr_affinity (w, x, y);
        if (affinity == 0)
          continue;
        fputs ("  ", out);
        put_name (out, name (data, x));
        fputs (" -- ", out);
        put_name (out, name (data, y));
        /* The bonus of operands of one kernel, epsilon, shows as a third.  */
        fprintf (out, " [penwidth=%u%s%s];\n", affinity / ACR_AFFINITY_UNIT,
                 affinity % ACR_AFFINITY_UNIT ? ".3" : "",
                 j == i + 1 ? ", color=red" : "");
      }
  fputs ("}\n", out);
}

/* In a function of its own, so that longjmp leaves the caller's ARENA
   alone.  */
static enum acr_plan_status
try_dot (struct acr_arena *arena, FILE *out, const struct acr_graph *g,
         const struct acr_plan *plan, const char *(*name) (void *, unsigned),
         void *data)
{
  if (setjmp (arena->nomem))
    return ACR_PLAN_NOMEM;
  struct acr_work w = {
    .arena = arena, .g = g, .nvectors = g->nvectors, .nsteps = g->nkernels
  };
  acr_work_analyse (&w);
  write_dot (out, &w, plan, name, data);
  return ACR_PLAN_OK;
}

enum acr_plan_status
acr_plan_dot (FILE *out, const struct acr_graph *g,
              const struct acr_plan *plan,
              const char *(*name) (void *, unsigned), void *data)
{
  struct acr_arena arena = { .chunks = NULL };
  enum acr_plan_status s = try_dot (&arena, out, g, plan, name, data);
  acr_arena_free (&arena);
  return s;
}

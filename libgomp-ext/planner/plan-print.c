/* What accrete-plan prints: the schedule as in section 4 of the paper, the
   placement, the counts.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "planner/plan-text.h"
#include "planner/plan.h"

#include <string.h>

static void
print_dma (FILE *out, const struct plan_text *t, const struct acr_plan *p,
           const struct acr_dma *d)
{
  bool up = d->dir == ACR_UP;
  unsigned end = acr_graph_kernels (t->graph);
  fputs ("  ", out);
  if (up && d->at < end)
    fprintf (out, "before %s", t->kernel[d->at]);
  else if (!up && d->at > 0)
    fprintf (out, "after %s", t->kernel[d->at - 1]);
  else
    fputs (up ? "at exit" : "at entry", out);
  fputs (up ? ": upload" : ": download", out);
  for (unsigned i = 0; i < d->count; i++)
    fprintf (out, " %s", t->vector[p->order[d->first + i]]);
  fprintf (out, " (offset %zu, %zu bytes)\n", p->offset[p->order[d->first]],
           d->bytes);
}

static void
print_kernel (FILE *out, const struct plan_text *t, unsigned k,
              const struct acr_use **u)
{
  const struct acr_use *first = *u, *end = t->graph->uses + t->graph->nuses;
  for (; *u < end && (*u)->kernel == k; ++*u)
    ;
  fprintf (out, "  %s (%s):", t->kernel[k],
           acr_graph_where (t->graph, k) == ACR_HOST ? "host" : "device");
  for (int mode = ACR_ACCESS_READ; mode <= ACR_ACCESS_WRITE; mode++)
    {
      if (mode == ACR_ACCESS_WRITE)
        fputs (" ->", out);
      for (const struct acr_use *i = first; i < *u; i++)
        if (i->access & mode)
          fprintf (out, " %s", t->vector[i->vector]);
    }
  putc ('\n', out);
}

/* Copies that end with step S.  */
static void
print_frees (FILE *out, const struct plan_text *t, const struct acr_plan *p,
             int s)
{
  bool any = false;
  for (unsigned i = 0; i < p->ncopies; i++)
    {
      const struct acr_copy *c = &p->copies[i], *next = c + 1;
      bool stays = i + 1 < p->ncopies && next->vector == c->vector
                   && next->first == s + 1 && next->up < 0
                   && next->first <= next->last;
      if (c->last != s || c->first > s || stays)
        continue;
      if (!any)
        fprintf (out, "  after %s: free", t->kernel[s]);
      any = true;
      fprintf (out, " %s", t->vector[c->vector]);
    }
  if (any)
    putc ('\n', out);
}

void
plan_text_print (FILE *out, const struct plan_text *t,
                 const struct acr_plan *p)
{
  const struct acr_dma *d = p->dmas, *end = d + p->ndmas;
  const struct acr_use *u = t->graph->uses;
  unsigned n = acr_graph_kernels (t->graph);

  fputs ("schedule\n", out);
  for (unsigned b = 0; b <= n; b++)
    {
      for (; d < end && d->at == b && d->dir == ACR_DOWN; d++)
        print_dma (out, t, p, d);
      if (b > 0)
        print_frees (out, t, p, b - 1);
      for (; d < end && d->at == b; d++)
        print_dma (out, t, p, d);
      if (b < n)
        print_kernel (out, t, b, &u);
    }

  fputs ("placement\n", out);
  for (unsigned c = 0; c < p->ncomponents; c++)
    {
      fprintf (out, "  offset %zu:", p->offset[p->order[p->component[c]]]);
      for (unsigned i = p->component[c]; i < p->component[c + 1]; i++)
        fprintf (out, " %s", t->vector[p->order[i]]);
      putc ('\n', out);
    }

  fprintf (out, "startups: %u before, %u after, %d saved", p->startups_before,
           p->startups_after,
           (int)p->startups_before - (int)p->startups_after);
  if (p->startups_after == p->startups_least)
    fputs (" (optimal)\n", out);
  else
    fprintf (out, " (at most %u)\n", p->startups_before - p->startups_least);
  if (p->ntransfers > p->startups_before)
    fprintf (out, "transfers: %u, %u of them for lack of device memory\n",
             p->ntransfers, p->ntransfers - p->startups_before);
  fprintf (out, "device memory: %zu bytes\n", p->peak);
}

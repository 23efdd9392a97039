/* The kernel-vector graph: building it, and what any plan needs.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "planner/plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *
acr_plan_strerror (enum acr_plan_status s)
{
  static const char *const text[] = {
    [ACR_PLAN_OK] = "success",
    [ACR_PLAN_NOMEM] = "out of memory",
    [ACR_PLAN_UNDEFINED] = "vector is read before it has a value",
    [ACR_PLAN_RANGE] = "graph is too large",
    [ACR_PLAN_CAP] = "a kernel needs more device memory than the cap",
  };
  return text[s];
}

struct acr_graph *
acr_graph_new (void)
{
  return calloc (1, sizeof (struct acr_graph));
}

void
acr_graph_free (struct acr_graph *g)
{
  if (!g)
    return;
  free (g->vectors);
  free (g->kernels);
  free (g->uses);
  free (g);
}

/* Make room for one more element of SIZE bytes in *ARRAY.  */
static enum acr_plan_status
grow (void *array, unsigned n, unsigned *room, size_t size)
{
  void *old, *new;
  if (n < *room)
    return ACR_PLAN_OK;
  if (n >= INT_MAX / 4)
    return ACR_PLAN_RANGE;
  unsigned want = n ? 2 * n : 16;
  memcpy (&old, array, sizeof old);
  new = reallocarray (old, want, size);
  if (!new)
    return ACR_PLAN_NOMEM;
  memcpy (array, &new, sizeof new);
  *room = want;
  return ACR_PLAN_OK;
}

enum acr_plan_status
acr_graph_vector (struct acr_graph *g, size_t bytes, enum acr_where entry,
                  enum acr_where exit, unsigned *index)
{
  if (bytes == 0 || bytes > SIZE_MAX - g->bytes)
    return ACR_PLAN_RANGE;
  enum acr_plan_status s
      = grow (&g->vectors, g->nvectors, &g->vector_room, sizeof *g->vectors);
  if (s)
    return s;
  g->bytes += bytes;
  *index = g->nvectors;
  g->vectors[g->nvectors++]
      = (struct acr_vector){ .bytes = bytes,
                             .entry = entry,
                             .exit = exit,
                             .defined = entry ? 0 : UINT_MAX };
  return ACR_PLAN_OK;
}

enum acr_plan_status
acr_graph_kernel (struct acr_graph *g, enum acr_where where)
{
  enum acr_plan_status s
      = grow (&g->kernels, g->nkernels, &g->kernel_room, sizeof *g->kernels);
  if (!s)
    g->kernels[g->nkernels++] = where;
  return s;
}

enum acr_plan_status
acr_graph_operand (struct acr_graph *g, unsigned v, unsigned access)
{
  unsigned kernel = g->nkernels - 1;
  struct acr_vector *vec = &g->vectors[v];
  if ((access & ACR_ACCESS_READ) && vec->defined > kernel)
    return ACR_PLAN_UNDEFINED;

  struct acr_use *u = g->uses + g->nuses;
  while (u > g->uses && u[-1].kernel == kernel && u[-1].vector != v)
    u--;
  if (u > g->uses && u[-1].kernel == kernel)
    u[-1].access |= access;
  else
    {
      enum acr_plan_status s
          = grow (&g->uses, g->nuses, &g->use_room, sizeof *g->uses);
      if (s)
        return s;
      g->uses[g->nuses++] = (struct acr_use){ kernel, access, v };
    }
  if ((access & ACR_ACCESS_WRITE) && vec->defined > kernel + 1)
    vec->defined = kernel + 1;
  return ACR_PLAN_OK;
}

unsigned
acr_graph_vectors (const struct acr_graph *g)
{
  return g->nvectors;
}

unsigned
acr_graph_kernels (const struct acr_graph *g)
{
  return g->nkernels;
}

enum acr_where
acr_graph_where (const struct acr_graph *g, unsigned kernel)
{
  return g->kernels[kernel];
}

bool
acr_graph_defined (const struct acr_graph *g, unsigned v)
{
  return g->vectors[v].defined != UINT_MAX;
}

size_t
acr_graph_least_cap (const struct acr_graph *g, unsigned *step)
{
  size_t most = 0, exit = 0;
  unsigned where = 0;
  for (unsigned i = 0; i < g->nuses;)
    {
      unsigned k = g->uses[i].kernel;
      size_t bytes = 0;
      for (; i < g->nuses && g->uses[i].kernel == k; i++)
        bytes += g->vectors[g->uses[i].vector].bytes;
      if (g->kernels[k] == ACR_DEVICE && bytes > most)
        most = bytes, where = k;
    }
  for (unsigned v = 0; v < g->nvectors; v++)
    if ((g->vectors[v].exit & ACR_DEVICE) && acr_graph_defined (g, v))
      exit += g->vectors[v].bytes;
  if (exit > most)
    most = exit, where = g->nkernels;
  if (step)
    *step = where;
  return most;
}

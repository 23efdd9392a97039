/* Random kernel-vector graphs for the planner's tests, and a way to print
   one that failed in the text form that accrete-plan reads.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TEST_RANDOM_H
#define ACCRETE_TEST_RANDOM_H

#include "planner/plan.h"
#include "tap.h"

#include <stdlib.h>

/* xorshift64*, after S. Vigna; a number below N.  */
static inline unsigned
roll (uint64_t *rng, unsigned n)
{
  *rng ^= *rng >> 12;
  *rng ^= *rng << 25;
  *rng ^= *rng >> 27;
  return (*rng * UINT64_C (2685821657736338717) >> 33) % n;
}

struct shape
{
  unsigned vectors, kernels;	/* at most */
  unsigned operands;		/* of a kernel, at most */
  unsigned bytes;		/* of a vector, at most */
  bool once;			/* write each vector at most once, and only
				   those without a value at entry */
};

static inline struct acr_graph *
random_graph (uint64_t *rng, const struct shape *s)
{
  struct acr_graph *g = acr_graph_new ();
  unsigned nvectors = 1 + roll (rng, s->vectors), index;
  unsigned nkernels = 1 + roll (rng, s->kernels);
  bool *fixed = calloc (nvectors, sizeof *fixed);
  for (unsigned v = 0; v < nvectors; v++)
    {
      enum acr_where entry = roll (rng, 3) ? roll (rng, 2) ? ACR_HOST
							   : roll (rng, 4)
					   : ACR_NOWHERE;
      enum acr_where exit = roll (rng, 2) ? ACR_NOWHERE : roll (rng, 4);
      fixed[v] = s->once && entry;
      acr_graph_vector (g, 1 + roll (rng, s->bytes), entry, exit, &index);
    }
  for (unsigned k = 0; k < nkernels; k++)
    {
      acr_graph_kernel (g, roll (rng, 3) ? ACR_DEVICE : ACR_HOST);
      unsigned n = roll (rng, s->operands + 1);
      for (unsigned i = 0; i < n; i++)
	{
	  unsigned v = roll (rng, nvectors);
	  bool defined = g->vectors[v].defined <= k;
	  unsigned access = 1 + roll (rng, 3);
	  if (!defined)
	    access = ACR_ACCESS_WRITE;
	  if (fixed[v])
	    access = ACR_ACCESS_READ;
	  if ((access & ACR_ACCESS_READ) && !defined)
	    continue;
	  acr_graph_operand (g, v, access);
	  fixed[v] |= s->once && (access & ACR_ACCESS_WRITE);
	}
    }
  free (fixed);
  return g;
}

static inline void
diag_graph (const struct acr_graph *g)
{
  static const char *const where[] = { "", "host", "device", "host+device" };
  for (unsigned v = 0; v < g->nvectors; v++)
    {
      const struct acr_vector *x = &g->vectors[v];
      bool wanted = x->exit && acr_graph_defined (g, v);
      diag ("vector v%u %zu %s %s %s", v, x->bytes, where[x->entry],
	    wanted ? "->" : "", wanted ? where[x->exit] : "");
    }
  const struct acr_use *u = g->uses, *end = u + g->nuses;
  for (unsigned k = 0; k < g->nkernels; k++)
    {
      printf ("# kernel k%u %s :", k, where[g->kernels[k]]);
      const struct acr_use *first = u;
      for (; u < end && u->kernel == k; u++)
	if (u->access & ACR_ACCESS_READ)
	  printf (" v%u", u->vector);
      printf (" ->");
      for (u = first; u < end && u->kernel == k; u++)
	if (u->access & ACR_ACCESS_WRITE)
	  printf (" v%u", u->vector);
      putchar ('\n');
    }
}

#endif /* ACCRETE_TEST_RANDOM_H */

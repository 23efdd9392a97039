/* From kernels and vectors to versions, device copies and transfers with
   their windows: up_earliest ... dn_latest of the paper, section 4.

   A version is born at entry or by a kernel that writes the vector, and ends
   with the next kernel that does.  It is transferred when it is born on one
   side only and needed on the other; the first reader there ends the window.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "planner/plan.h"

/* Readers of one version; kernels, or -1.  */
struct readers
{
  int first_host, first_device, last_device;
};

static struct readers
find_readers (const struct acr_graph *g, const struct acr_use *u,
              const struct acr_use *end)
{
  struct readers r = { -1, -1, -1 };
  for (; u < end; u++)
    {
      if (!(u->access & ACR_ACCESS_READ))
        ;
      else if (g->kernels[u->kernel] == ACR_DEVICE)
        {
          r.last_device = u->kernel;
          if (r.first_device < 0)
            r.first_device = u->kernel;
        }
      else if (r.first_host < 0)
        r.first_host = u->kernel;
      if (u->access & ACR_ACCESS_WRITE)
        break;
    }
  return r;
}

static void
add_transfer (struct acr_work *w, unsigned vector, unsigned version,
              enum acr_direction dir, unsigned earliest, unsigned latest,
              unsigned idle)
{
  w->transfers[w->ntransfers++] = (struct acr_transfer){ .vector = vector,
                                                         .version = version,
                                                         .dir = dir,
                                                         .earliest = earliest,
                                                         .latest = latest,
                                                         .idle = idle,
                                                         .at = earliest };
}

/* A version of V, at WHERE from boundary BORN on, made by a kernel that also
   READ the vector; needed at EXIT; used by U..END, which may go on with uses
   of later versions.  */
static void
add_version (struct acr_work *w, unsigned v, unsigned version, unsigned born,
             bool read, enum acr_where where, enum acr_where exit,
             const struct acr_use *u, const struct acr_use *end)
{
  const int n = w->nsteps;
  struct readers r = find_readers (w->g, u, end);
  struct acr_copy c = {
    .vector = v, .version = version, .born = born, .up = -1, .down = -1
  };
  bool needed = r.first_device >= 0 || (exit & ACR_DEVICE);

  c.last = exit & ACR_DEVICE ? n : r.last_device;
  if (where & ACR_DEVICE)
    {
      /* The step of a kernel that updates in place belongs to the copy of
         the version that it read.  */
      int kernel = (int)born - 1;
      c.first = born == 0 ? 0 : read ? kernel + 1 : kernel;
      if (c.last < kernel)
        c.last = kernel;
    }
  else if (needed)
    {
      c.first = r.first_device >= 0 ? r.first_device : n;
      c.up = w->ntransfers;
      add_transfer (w, v, version, ACR_UP, born, c.first, c.first);
    }
  else
    return;

  if (where == ACR_DEVICE && (r.first_host >= 0 || (exit & ACR_HOST)))
    {
      c.down = w->ntransfers;
      add_transfer (w, v, version, ACR_DOWN, born,
                    r.first_host >= 0 ? r.first_host : n, c.last + 1);
    }
  w->copies[w->ncopies++] = c;
}

static void
sort_uses (struct acr_work *w)
{
  const struct acr_graph *g = w->g;
  w->use_of = ACR_NEW (w->arena, unsigned, w->nvectors + 2);
  w->uses = ACR_NEW (w->arena, struct acr_use, g->nuses);
  /* Count into [v + 2], so that after the sums [v + 1] is where the next use
     of V goes, and in the end where those of V + 1 begin.  */
  for (unsigned i = 0; i < g->nuses; i++)
    w->use_of[g->uses[i].vector + 2]++;
  for (unsigned v = 0; v < w->nvectors; v++)
    w->use_of[v + 2] += w->use_of[v + 1];
  for (unsigned i = 0; i < g->nuses; i++)
    w->uses[w->use_of[g->uses[i].vector + 1]++] = g->uses[i];
}

void
acr_work_analyse (struct acr_work *w)
{
  const struct acr_graph *g = w->g;
  sort_uses (w);
  unsigned versions = w->nvectors + g->nuses;
  w->transfers = ACR_NEW (w->arena, struct acr_transfer, versions);
  w->copies = ACR_NEW (w->arena, struct acr_copy, versions);
  w->transfer_of = ACR_NEW (w->arena, unsigned, w->nvectors + 1);
  for (unsigned v = 0; v < w->nvectors; v++)
    {
      const struct acr_vector *vec = &g->vectors[v];
      const struct acr_use *end = w->uses + w->use_of[v + 1];
      unsigned version = 0, born = 0;
      enum acr_where where = vec->entry;
      bool read = false;
      w->transfer_of[v] = w->ntransfers;
      for (const struct acr_use *u = w->uses + w->use_of[v];; u++)
        {
          const struct acr_use *write = u;
          while (write < end && !(write->access & ACR_ACCESS_WRITE))
            write++;
          if (where)
            add_version (w, v, version, born, read, where,
                         write == end ? vec->exit : ACR_NOWHERE, u, end);
          if (write == end)
            break;
          version++;
          born = write->kernel + 1;
          where = g->kernels[write->kernel];
          read = write->access & ACR_ACCESS_READ;
          u = write;
        }
    }
  w->transfer_of[w->nvectors] = w->ntransfers;
}

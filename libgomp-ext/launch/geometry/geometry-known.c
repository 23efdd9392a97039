/* What launches of a kernel take; see geometry-known.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/geometry/geometry-known.h"

#include "launch/kernel.h"
#include "launch/launch.h"

#include <pthread.h>
#include <string.h>

struct acr_question
acr_known_question (const struct acr_launch *l)
{
  return (struct acr_question){
    { l->grid[0], l->grid[1], l->grid[2] },
    { l->block[0], l->block[1], l->block[2] },
    l->teams, l->threads, l->processors
  };
}

/* The answer to Q that KNOWN has, or NULL.  */
static const struct acr_answer *
answer_to (const struct acr_known *known, const struct acr_question *q)
{
  unsigned n = atomic_load_explicit (&known->n, memory_order_acquire);
  for (unsigned i = 0; i < n; i++)
    if (!memcmp (&known->answer[i].question, q, sizeof *q))
      return &known->answer[i];
  return NULL;
}

/* Let L take A.  */
static void
take (struct acr_launch *l, const struct acr_answer *a)
{
  l->fn = a->fn;
  l->form = a->form;
  l->grid[0] = a->grid;
  l->block[0] = a->block[0];
  l->block[1] = a->block[1];
  l->stacks = a->stacks;
  l->trips = a->trips;
  l->open = a->open;
  l->teams = a->teams;
  l->threads = a->threads;
  l->processors = a->processors;
  l->registers = a->registers;
}

bool
acr_known_take (struct acr_launch *l, const struct acr_question *q)
{
  const struct acr_answer *a = answer_to (l->kernel->known, q);
  if (a)
    take (l, a);
  return a;
}

void
acr_known_keep (const struct acr_launch *l, const struct acr_question *q)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct acr_known *known = l->kernel->known;
  pthread_mutex_lock (&lock);
  unsigned n = known->n;
  if (n < ACR_ANSWERS && !answer_to (known, q))
    {
      known->answer[n] = (struct acr_answer){
        *q,         l->fn,    l->form, l->grid[0], { l->block[0], l->block[1] },
        l->stacks,  l->trips, l->open, l->teams,   l->threads,
        l->processors, l->registers
      };
      atomic_store_explicit (&known->n, n + 1, memory_order_release);
    }
  pthread_mutex_unlock (&lock);
}

/* Forms of a kernel; see form.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "form.h"

#include "construct.h"
#include "ext.h"
#include "hash.h"
#include "launch.h"
#include "timer.h"

#include <stdio.h>
#include <string.h>

void
acr_form_find (struct acr_kernel *k)
{
  char name[strlen (k->name) + sizeof ACR_FORM_SUFFIX + 10];
  while (k->nforms < ACR_FORMS)
    {
      CUfunction *fn = &k->form[k->nforms];
      int threads;
      snprintf (name, sizeof name, "%s" ACR_FORM_SUFFIX "%u", k->name,
                k->nforms + 1);
      if (acr_driver.module_get_function (fn, k->module, name)
          || acr_driver.func_get_attribute (
              &threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, *fn)
          || threads < k->max_threads)
        break;
      k->nforms++;
    }
}

/* How much L has to do, as far as speed depends on that: its iterations, or
   else what stands for them, the sizes of its operands and the grid.  */
static unsigned
amount (const struct acr_launch *l)
{
  if (l->teams > 0)
    return l->teams;
  uint64_t h = acr_hash (0, l->grid, sizeof l->grid);
  h = acr_hash (h, l->block, sizeof l->block);
  const struct acr_construct *c = acr_construct_current ();
  if (c && c->call)
    h = acr_hash (h, c->call->sizes, c->call->n * sizeof *c->call->sizes);
  return h;
}

static void
take (struct acr_launch *l, unsigned form)
{
  l->form = form;
  if (form)
    l->fn = l->kernel->form[form - 1];
}

unsigned
acr_form_pick (struct acr_launch *l, unsigned n)
{
  const struct acr_kernel *k = l->kernel;
  if (k && acr_env.form != FORM_DEFAULT)
    {
      if (acr_env.form <= k->nforms)
        take (l, acr_env.form);
      return 0;
    }
  if (!k || !k->code || n + k->nforms == 1 || acr_opt_off (ACR_OPT_tune))
    return 0;
  l->trial = acr_tune_pick (k->code, amount (l), n + k->nforms,
                            l->waits && acr_timer_can ());
  if (l->trial.candidate < n)
    return l->trial.candidate;
  take (l, l->trial.candidate - n + 1);
  return 0;
}

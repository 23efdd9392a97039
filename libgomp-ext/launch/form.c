/* Forms of a kernel; see form.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/form.h"

#include "base/hash.h"
#include "ext.h"
#include "interpose/construct.h"
#include "jit/jit.h"
#include "jit/variant.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/lazy.h"
#include "launch/timer.h"

#include <stdio.h>
#include <string.h>

/* Those in K's module.  */
static void
find_there (struct acr_kernel *k)
{
  char name[strlen (k->name) + sizeof ACR_FORM_SUFFIX + 10];
  while (k->nforms < ACR_FORMS)
    {
      struct acr_form *form = &k->form[k->nforms];
      snprintf (name, sizeof name, "%s" ACR_FORM_SUFFIX "%u", k->name,
                k->nforms + 1);
      if (acr_driver.module_get_function (&form->fn, k->module, name)
          || acr_driver.func_get_attribute (
              &form->regs, CU_FUNC_ATTRIBUTE_NUM_REGS, form->fn)
          || acr_driver.func_get_attribute (
              &form->max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
              form->fn))
        break;
      k->nforms++;
    }
  k->have = (2u << k->nforms) - 1;
}

void
acr_form_find (struct acr_kernel *k)
{
  find_there (k);
  struct acr_variants *v = k->nforms ? NULL : acr_jit_variants (k->name);
  if (!v)
    return;
  if (k->code)
    k->code = acr_hash_word (k->code, acr_variants_code (v));
  acr_lazy_add (k, v);
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

void
acr_form_take (struct acr_launch *l, unsigned form)
{
  if (!form || !(l->kernel->have >> form & 1))
    return;
  const struct acr_form *f = &l->kernel->form[form - 1];
  if ((uint64_t)l->block[0] * l->block[1] * l->block[2]
      > (unsigned)f->max_threads)
    return;
  l->form = form;
  l->fn = f->fn;
}

/* Can L be timed, and its kernel's launches be told from others?  */
static bool
may_try (const struct acr_launch *l)
{
  return l->kernel && l->kernel->code && !acr_opt_off (ACR_OPT_tune);
}

bool
acr_form_pick (struct acr_launch *l)
{
  const struct acr_kernel *k = l->kernel;
  if (!k || !k->nforms)
    return true;
  if (acr_env.form != FORM_DEFAULT)
    {
      if (acr_env.form <= k->nforms)
        acr_form_take (l, acr_env.form);
      return false;
    }
  if (!may_try (l))
    return true;
  l->trial = acr_tune_pick (k->code, amount (l), k->nforms + 1, k->have,
                            l->waits && acr_timer_can ());
  if (l->trial.wants)
    acr_lazy_want (k, l->trial.wants);
  acr_form_take (l, l->trial.candidate);
  /* Else the amount is more than L's grid and block tell.  */
  return l->trial.settled && l->teams > 0;
}

unsigned
acr_form_pick_geometry (struct acr_launch *l, unsigned n)
{
  const struct acr_kernel *k = l->kernel;
  if (n == 1 || !may_try (l))
    return 0;
  if (k->nforms && acr_env.form == FORM_DEFAULT && !l->trial.settled)
    return 0;
  uint64_t code = acr_hash (k->code, &l->form, sizeof l->form);
  l->trial = acr_tune_pick (code, amount (l), n, ACR_TUNE_ALL,
                            l->waits && acr_timer_can ());
  return l->trial.candidate;
}

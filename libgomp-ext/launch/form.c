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

struct acr_form
acr_form_of (const struct acr_launch *l)
{
  const struct acr_kernel *k = l->kernel;
  return l->form         ? k->form[l->form - 1]
         : l->fn != k->fn ? k->itself
                          : (struct acr_form){ k->fn, k->regs, k->max_threads };
}

unsigned
acr_form_number (const struct acr_launch *l)
{
  const struct acr_kernel *k = l->kernel;
  return !l->form && k && l->fn == k->fn ? k->began_as : l->form;
}

void
acr_form_take (struct acr_launch *l, unsigned form)
{
  const struct acr_kernel *k = l->kernel;
  if (!(k->have >> form & 1) || (!form && !k->began_as && !k->absent))
    return;
  const struct acr_form *f = form ? &k->form[form - 1] : &k->itself;
  if (!f->fn)
    return;
  if ((uint64_t)l->block[0] * l->block[1] * l->block[2]
      > (unsigned)f->max_threads)
    return;
  l->form = form;
  l->fn = f->fn;
}

/* Does L do the same in what its kernel began as and in the kernel itself?  */
static bool
is_as_itself (const struct acr_launch *l)
{
  const struct acr_kernel *k = l->kernel;
  return !k->began_as
         || (l->trips && l->teams > 0 && (unsigned)l->teams < k->trips);
}

/* Let L be a launch of the kernel itself, which does something else there than what it
   began as, as soon as it is there; MEASURED: acr_tune_pick says when that may pay.  */
static void
take_itself (struct acr_launch *l, bool measured)
{
  const struct acr_kernel *k = l->kernel;
  if (!(k->have & 1))
    acr_lazy_launches (k, l->trips && l->teams > 0 ? l->teams : 0, measured);
  acr_form_take (l, 0);
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
  bool may = may_try (l), measured = may && l->waits && acr_timer_can ();
  bool as_itself = is_as_itself (l);
  if (!as_itself)
    take_itself (l, measured);
  if (!may)
    return as_itself || k->have & 1;
  l->trial = acr_tune_pick (k->code, amount (l), k->nforms + 1,
                            k->have | as_itself, measured);
  if (l->trial.wants)
    acr_lazy_want (k, l->trial.wants, l->trial.spent);
  acr_form_take (l, l->trial.candidate);
  /* Else the amount is more than L's grid and block tell.  */
  return l->trial.settled && l->teams > 0;
}

/* Of N ways in which L may be launched in its form, what it takes of them, where nothing
   is being measured that comes before; FROM: of the grid that these are parts of, or 0.  */
static unsigned
pick (struct acr_launch *l, unsigned n, unsigned from)
{
  if (n == 1 || !may_try (l) || (l->trial.code && !l->trial.settled))
    return 0;
  uint64_t code = acr_hash (l->kernel->code, &l->form, sizeof l->form);
  if (from)
    code = acr_hash_word (code, from);
  l->trial = acr_tune_pick (code, amount (l), n, from ? ACR_TUNE_DEAR : ACR_TUNE_ALL,
                            l->waits && acr_timer_can ());
  return l->trial.candidate;
}

unsigned
acr_form_pick_geometry (struct acr_launch *l, unsigned n)
{
  return pick (l, n, 0);
}

unsigned
acr_form_pick_part (struct acr_launch *l, unsigned n, unsigned grid)
{
  return pick (l, n, grid);
}

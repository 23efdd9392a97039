/* A kernel's variants that are compiled when launches want them; see lazy.h.

   A variant that cannot be had, the kernel itself stands for: it is not
   faster, and so it is out when it has been tried.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/lazy.h"

#include "base/worker.h"
#include "ext.h"
#include "jit/variant.h"
#include "launch/kernel.h"

#include <stddef.h>
#include <stdlib.h>
#include <strings.h>

struct acr_lazy
{
  struct acr_job job;
  struct acr_kernel *kernel;
  struct acr_variants *code;
  _Atomic unsigned wanted;    /* set of variants */
  CUmodule module[ACR_FORMS]; /* or NULL */
};

/* Fill in variant N of LAZY's kernel.  */
static void
make (struct acr_lazy *lazy, unsigned n)
{
  struct acr_kernel *k = lazy->kernel;
  struct acr_form *to = &k->form[n - 1];
  CUmodule *module = &lazy->module[n - 1];
  if (!acr_variant_load (lazy->code, n, module, &to->fn))
    {
      if (!acr_driver.func_get_attribute (&to->regs,
                                          CU_FUNC_ATTRIBUTE_NUM_REGS, to->fn)
          && !acr_driver.func_get_attribute (
              &to->max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
              to->fn))
        return;
    }
  else
    *module = NULL;
  *to = (struct acr_form){ k->fn, k->regs, k->max_threads };
}

/* Variants of LAZY's kernel that are wanted and not there.  */
static unsigned
missing (const struct acr_lazy *lazy)
{
  return lazy->wanted & ~lazy->kernel->have;
}

/* Make one of those, so that those of other kernels have their turn.  */
static bool
run (struct acr_job *job)
{
  struct acr_lazy *lazy
      = (void *)((char *)job - offsetof (struct acr_lazy, job));
  unsigned set = missing (lazy);
  if (!set)
    return false;
  unsigned n = ffs (set) - 1;
  make (lazy, n);
  atomic_fetch_or (&lazy->kernel->have, 1u << n);
  return missing (lazy);
}

void
acr_lazy_add (struct acr_kernel *k, struct acr_variants *v)
{
  struct acr_lazy *lazy = calloc (1, sizeof *lazy);
  if (!lazy)
    {
      acr_variants_free (v);
      return;
    }
  lazy->job.run = run;
  lazy->kernel = k;
  lazy->code = v;
  k->lazy = lazy;
  k->nforms = acr_variants_count (v);
}

void
acr_lazy_want (const struct acr_kernel *k, unsigned set)
{
  if (!k->lazy)
    return;
  atomic_fetch_or (&k->lazy->wanted, set);
  if (missing (k->lazy))
    acr_worker_give (&k->lazy->job);
}

void
acr_lazy_free (struct acr_kernel *k, bool lives)
{
  struct acr_lazy *lazy = k->lazy;
  if (!lazy)
    return;
  for (unsigned i = 0; lives && i < ACR_FORMS; i++)
    if (lazy->module[i])
      (void)acr_driver.module_unload (lazy->module[i]);
  acr_variants_free (lazy->code);
  free (lazy);
  k->lazy = NULL;
}

/* A kernel's variants that are compiled when launches want them; see lazy.h.

   A variant that cannot be had, the kernel itself stands for: it is not
   faster, and so it is out when it has been tried.  For a kernel itself that cannot be
   had stands what it began as; for one that is absent, nothing.

   Source: T. Kotzmann et al., "Design of the Java HotSpot client compiler for Java 6",
   TACO 2008, for tiers.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/lazy.h"

#include "base/worker.h"
#include "ext.h"
#include "jit/variant.h"
#include "launch/kernel.h"
#include "launch/tune.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <strings.h>

struct acr_lazy
{
  struct acr_job job;
  struct acr_kernel *kernel;
  struct acr_variants *code;
  _Atomic unsigned wanted;        /* set of variants */
  CUmodule module[ACR_FORMS + 1]; /* of the kernel itself and the variants, or NULL */
  pthread_mutex_t making;
  _Atomic unsigned looked; /* set of variants that were looked for on disk */
  /* Of acr_lazy_launches: how many, when the first was (microseconds, also of
     acr_lazy_missed), and all their iterations.  */
  _Atomic unsigned launches;
  _Atomic double first;
  _Atomic uint64_t trips;
};

/* Iterations of all launches from which on the kernel itself may pay, where nobody knows
   how long they take: on an H200 these are 10 ms or more.  */
#define MANY_TRIPS (UINT64_C (1) << 32)

/* Microseconds that a kernel is to have taken, or been used for, until variant N of LAZY
   is made: what the driver compiles it in, which is 1.5 to 5 us a byte of PTX (of an
   H200's host, 19 to 64 KB).  A program that ends waits for what is being compiled
   (build.c), so that short ones shall not begin to.  */
static double
worth (const struct acr_lazy *lazy, unsigned n)
{
  double compiling = 4. * acr_variant_bytes (lazy->code, n);
  return compiling > ACR_TUNE_WORTH ? compiling : ACR_TUNE_WORTH;
}

/* Fill in variant N of LAZY's kernel, or the kernel itself.  */
static void
make (struct acr_lazy *lazy, unsigned n)
{
  struct acr_kernel *k = lazy->kernel;
  struct acr_form *to = n ? &k->form[n - 1] : &k->itself;
  CUmodule *module = &lazy->module[n];
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
  *to = (struct acr_form){ k->absent ? NULL : k->fn, k->regs, k->max_threads };
}

/* Variants of LAZY's kernel that are wanted and not there.  */
static unsigned
missing (const struct acr_lazy *lazy)
{
  return lazy->wanted & ~lazy->kernel->have;
}

/* Make the first of SET.  */
static void
make_first (struct acr_lazy *lazy, unsigned set)
{
  if (!set)
    return;
  unsigned n = ffs (set) - 1;
  make (lazy, n);
  atomic_fetch_or (&lazy->kernel->have, 1u << n);
}

/* Make one, so that those of other kernels have their turn.  */
static bool
run (struct acr_job *job)
{
  struct acr_lazy *lazy
      = (void *)((char *)job - offsetof (struct acr_lazy, job));
  pthread_mutex_lock (&lazy->making);
  make_first (lazy, missing (lazy));
  pthread_mutex_unlock (&lazy->making);
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
  pthread_mutex_init (&lazy->making, NULL);
  lazy->job.run = run;
  lazy->kernel = k;
  lazy->code = v;
  k->lazy = lazy;
  k->nforms = acr_variants_count (v);
  k->began_as = acr_variants_instead (v, &k->trips);
  k->absent = acr_variants_absent (v);
  if (k->absent)
    {
      k->have = 0;
      acr_count (put_off, 1);
      return;
    }
  if (!k->began_as)
    return;
  k->form[k->began_as - 1]
      = (struct acr_form){ k->fn, k->regs, k->max_threads };
  k->have = 1u << k->began_as;
  acr_count (tiers, 1);
}

static void
want (struct acr_lazy *lazy, unsigned set)
{
  atomic_fetch_or (&lazy->wanted, set);
  if (missing (lazy))
    acr_worker_give (&lazy->job);
}

void
acr_lazy_want (const struct acr_kernel *k, unsigned set, double spent)
{
  unsigned paid = 0;
  for (unsigned n = 0; k->lazy && n <= k->nforms; n++)
    if (set >> n & 1 && worth (k->lazy, n) <= spent)
      paid |= 1u << n;
  if (paid)
    want (k->lazy, paid);
}

/* Variant N of LAZY, or the kernel itself, is on disk, which takes no longer to load than
   a job to begin.  Whoever has the lock, also for ever, in the parent of this process,
   makes something else.  */
static void
load_kept (struct acr_lazy *lazy, unsigned n)
{
  if (pthread_mutex_trylock (&lazy->making))
    return;
  atomic_fetch_or (&lazy->wanted, 1u << n);
  make_first (lazy, missing (lazy) & 1u << n);
  pthread_mutex_unlock (&lazy->making);
}

/* Load variant N of LAZY if it is on disk.  */
static void
look_for (struct acr_lazy *lazy, unsigned n)
{
  if (acr_variant_is_kept (lazy->code, n))
    load_kept (lazy, n);
}

void
acr_lazy_launches (const struct acr_kernel *k, uint64_t trips, bool measured)
{
  struct acr_lazy *lazy = k->lazy;
  if (lazy->wanted & 1)
    return;
  bool many = atomic_fetch_add (&lazy->trips, trips) + trips >= MANY_TRIPS;
  if (atomic_fetch_add (&lazy->launches, 1) == 0)
    {
      lazy->first = acr_now_us ();
      look_for (lazy, 0);
    }
  else if (many || (!measured && acr_now_us () - lazy->first >= worth (lazy, 0)))
    want (lazy, 1);
}

bool
acr_lazy_there (const struct acr_kernel *k, unsigned n)
{
  struct acr_lazy *lazy = k->lazy;
  unsigned bit = 1u << n;
  if (!(k->have & bit) && lazy
      && !(atomic_fetch_or (&lazy->looked, bit) & bit))
    look_for (lazy, n);
  return k->have & bit;
}

bool
acr_lazy_missed (const struct acr_kernel *k, unsigned n)
{
  struct acr_lazy *lazy = k->lazy;
  double now = acr_now_us ();
  if (!lazy)
    return false;
  if (!lazy->first)
    lazy->first = now;
  if (now - lazy->first < worth (lazy, n))
    return false;
  want (lazy, 1u << n);
  return true;
}

void
acr_lazy_now (const struct acr_kernel *k)
{
  struct acr_lazy *lazy = k->lazy;
  if (k->have & 1)
    return;
  pthread_mutex_lock (&lazy->making);
  make_first (lazy, ~k->have & 1);
  pthread_mutex_unlock (&lazy->making);
}

void
acr_lazy_free (struct acr_kernel *k, bool lives)
{
  struct acr_lazy *lazy = k->lazy;
  if (!lazy)
    return;
  for (unsigned i = 0; lives && i <= ACR_FORMS; i++)
    if (lazy->module[i])
      (void)acr_driver.module_unload (lazy->module[i]);
  acr_variants_free (lazy->code);
  pthread_mutex_destroy (&lazy->making);
  free (lazy);
  k->lazy = NULL;
}

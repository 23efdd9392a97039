/* Kernels that the program asks for before it launches them; see ready.h.

   The answer is about all GPUs that have the kernels, as the program's is not known: so a
   kernel may be launched where it is not compiled, on a GPU that was asked for its code
   only then.  That launch waits for the compiler.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/ready.h"

#include "ext.h"
#include "launch/form.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/lazy.h"

#define PUBLIC __attribute__ ((visibility ("default")))

enum
{
  MOST = 64 /* kernels of one number, on all GPUs */
};

/* Is K there?  It is wanted when the program has done without it for long enough.  */
static bool
is_there (const struct acr_kernel *k)
{
  if (!k->absent)
    return true;
  if (acr_lazy_there (k, 0))
    return k->itself.fn;
  (void)acr_lazy_missed (k, 0);
  return false;
}

PUBLIC int
acr_ready (int number)
{
  const struct acr_kernel *kernel[MOST];
  if (acr_opt_off (ACR_OPT_geometry))
    return false;
  unsigned n = acr_kernels_of (number, kernel, MOST);
  bool all = n && n <= MOST;
  for (unsigned i = 0; i < n && i < MOST; i++)
    all &= is_there (kernel[i]);
  return all;
}

/* Is K one of these, which something stands in for that does nothing?  */
static bool
is_asked_for (const struct acr_kernel *k)
{
  return k && k->absent && acr_kernel_region (k)->ready;
}

void
acr_ready_take (struct acr_launch *l)
{
  if (!is_asked_for (l->kernel))
    return;
  acr_lazy_now (l->kernel);
  if (l->kernel->itself.fn)
    l->fn = l->kernel->itself.fn;
}

bool
acr_ready_lacks (const struct acr_launch *l)
{
  return is_asked_for (l->kernel) && l->fn == l->kernel->fn;
}

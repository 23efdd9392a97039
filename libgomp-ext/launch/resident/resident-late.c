/* Kernels of resident loops that are not there yet; see resident-late.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/resident/resident-late.h"

#include "ext.h"
#include "launch/kernel.h"
#include "launch/lazy.h"

/* What the thread's loop would have been executed by, until that is wanted.  It lives as
   long as no kernel has come or gone.  */
struct missed
{
  const struct acr_kernel *kernel; /* NULL: nothing to look after */
  unsigned form, changes;
};

/* The last two: a loop whose rounds may be executed beside each other has two kernels.  */
static __thread struct missed missed[2]
    __attribute__ ((tls_model ("initial-exec")));
static __thread unsigned turn __attribute__ ((tls_model ("initial-exec")));

/* Want what M says if it is time.  */
static void
look (struct missed *m)
{
  if (m->kernel
      && (m->changes != acr_kernel_changes ()
          || acr_lazy_missed (m->kernel, m->form)))
    m->kernel = NULL;
}

void
acr_resident_goes_on (void)
{
  look (&missed[0]);
  look (&missed[1]);
}

void
acr_resident_late (const struct acr_kernel *k, unsigned n)
{
  struct missed *m = &missed[turn++ % 2];
  *m = (struct missed){ k, n, acr_kernel_changes () };
  look (m);
}

/* Tallies: counters (count.def) of one construct of the program, beside those
   of the whole process.

   acr_count counts for the construct that the calling thread is in.  What is
   done later for a construct, or by another thread, is counted with
   acr_count_for, for the tally that acr_tally_kept has returned in it.

   Thread-safe.  Without a report a count costs a branch.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_TALLY_H
#define ACCRETE_TALLY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct acr_counters
{
#define COUNT(name, meaning) _Atomic uint64_t name;
#include "base/count.def"
};

extern struct acr_counters acr_counters;

/* Whether nobody wants them.  Constant once the settings are read.  */
extern bool acr_counts_off;

struct acr_tally
{
  struct acr_counters counts;
  _Atomic uint64_t timed, gpu_ns; /* launches, and what they took */
  struct acr_tally *kept;         /* lives as long as the process */
};

/* The calling thread's construct's, for this execution of it; NULL outside of
   constructs, and without a report by construct.  */
extern __thread struct acr_tally *acr_tally
    __attribute__ ((tls_model ("initial-exec")));

static inline struct acr_tally *
acr_tally_kept (void)
{
  return acr_tally ? acr_tally->kept : NULL;
}

#define acr_count_in(counters, counter, n)                                    \
  (void)atomic_fetch_add_explicit (&(counters).counter, (n),                  \
                                   memory_order_relaxed)

/* N is evaluated twice, or not at all.  */
#define acr_count_for(tally, counter, n)                                      \
  (acr_counts_off                                                             \
       ? (void)0                                                              \
       : (acr_count_in (acr_counters, counter, n),                            \
          (tally) ? acr_count_in ((tally)->counts, counter, n) : (void)0))
#define acr_count(counter, n) acr_count_for (acr_tally, counter, n)

#endif /* ACCRETE_TALLY_H */

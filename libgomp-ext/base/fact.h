/* What is found out about the process once, when somebody first asks.

   Thread-safe: two threads may find it at the same time, and find the same.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FACT_H
#define ACCRETE_FACT_H

#include <stdatomic.h>
#include <stdbool.h>

enum acr_fact
{
  ACR_FACT_UNKNOWN, /* of a static variable at first */
  ACR_FACT_NO,
  ACR_FACT_YES
};

/* Is it so?  FACT keeps what FIND has said.  */
static inline bool
acr_fact (_Atomic enum acr_fact *fact, bool (*find) (void))
{
  enum acr_fact f = atomic_load_explicit (fact, memory_order_relaxed);
  if (__builtin_expect (f == ACR_FACT_UNKNOWN, 0))
    *fact = f = find () ? ACR_FACT_YES : ACR_FACT_NO;
  return f == ACR_FACT_YES;
}

#endif /* ACCRETE_FACT_H */

/* Tallies; see tally.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/tally.h"

bool acr_counts_off;

__thread struct acr_tally *acr_tally
    __attribute__ ((tls_model ("initial-exec")));

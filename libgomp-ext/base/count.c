/* Counters of the process; see tally.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/tally.h"

struct acr_counters acr_counters;

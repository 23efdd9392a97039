/* Events; see events.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "interpose/events.h"

const struct acr_events *acr_events;

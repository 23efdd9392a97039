/* Events: what happens between a program, libgomp and the driver, for those that
   have to know (events.def).

   acr_events->NAME (...) tells all of them, in the calling thread and in the order
   of the rows.  Whoever tells depends on nobody who is told.

   Thread-safe; there from before the program starts.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_EVENTS_H
#define ACCRETE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interpose/cuda-types.h"

struct acr_call;
struct acr_construct;
struct acr_launch;
struct acr_mark;

struct acr_events
{
#define EVENT(name, params) void (*name) params;
#define TO(call)
#define IN(call)
#define END
#include "interpose/events.def"
};

extern const struct acr_events *acr_events;

#endif /* ACCRETE_EVENTS_H */

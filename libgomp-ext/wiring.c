/* Who is told of events: the rows of events.def.  All that knows everybody is here.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/worker.h"
#include "ext.h"
#include "interpose/construct.h"
#include "interpose/events.h"
#include "jit/chunk.h"
#include "jit/jit.h"
#include "launch/graph/batch.h"
#include "launch/graph/graph-launch.h"
#include "launch/nest/nest.h"
#include "launch/pair.h"
#include "launch/queue.h"
#include "launch/room.h"
#include "launch/run.h"
#include "launch/timer.h"
#include "memory/device-heap.h"
#include "memory/pool.h"
#include "memory/staging.h"
#include "transfer/bulk.h"
#include "transfer/defer.h"
#include "transfer/gather.h"
#include "transfer/hold.h"
#include "transfer/late.h"
#include "transfer/lend.h"
#include "transfer/policy/limit.h"
#include "transfer/object.h"
#include "transfer/readback.h"
#include "transfer/policy/record.h"
#include "transfer/stream.h"
#include "transfer/unchanged.h"

#include <stdlib.h>

#define EVENT(name, params)                                                   \
  static void name params                                                     \
  {                                                                           \
    struct acr_construct *here = acr_construct_current ();                    \
    (void)here;
#define TO(call) call;
#define IN(call)                                                              \
  if (here)                                                                   \
    call;
#define END }
#include "interpose/events.def"

static const struct acr_events all = {
#define EVENT(name, params) .name = name,
#define TO(call)
#define IN(call)
#define END
#include "interpose/events.def"
};

__attribute__ ((constructor)) static void
wire (void)
{
  acr_events = &all;
}

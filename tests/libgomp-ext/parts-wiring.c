/* wiring.c for tests of the parts alone (libparts): what else is told of events has
   nothing to do.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "wiring.c"

#include "launch/graph/batch.h"
#include "launch/graph/graph-may.h"
#include "report/row.h"

#define NOTHING(name, params)                                                 \
  void name params                                                            \
  {                                                                           \
  }

#pragma GCC diagnostic ignored "-Wunused-parameter"
NOTHING (acr_batch_forget, (CUcontext ctx))
NOTHING (acr_batch_unload, (CUmodule module))
NOTHING (acr_chunks_forget, (CUcontext ctx))
NOTHING (acr_defer_check, (CUresult r))
NOTHING (acr_defer_forget, (void))
NOTHING (acr_defer_seen, (void))
NOTHING (acr_defer_settle, (void))
NOTHING (acr_defer_synced, (void))
NOTHING (acr_device_heap_forget, (CUcontext ctx))
NOTHING (acr_device_heap_set_up, (CUmodule module, enum acr_device_malloc look))
NOTHING (acr_device_heap_unload, (CUmodule module))
NOTHING (acr_event_forget, (CUcontext ctx))
NOTHING (acr_graph_copies, (void))
NOTHING (acr_graph_forget, (CUcontext ctx))
NOTHING (acr_graph_synced, (void))
NOTHING (acr_graph_unload, (CUmodule module))
NOTHING (acr_nest_forget, (CUcontext ctx))
NOTHING (acr_nest_set_up, (CUmodule module))
NOTHING (acr_nest_unload, (CUmodule module))
NOTHING (acr_pair_copied, (CUstream stream))
NOTHING (acr_pair_done, (CUstream stream))
NOTHING (acr_pair_forget, (CUcontext ctx))
NOTHING (acr_room_forget, (void))
NOTHING (acr_pair_leave, (struct acr_launch *l))
NOTHING (acr_pair_part, (void))
NOTHING (acr_queue_passed, (const struct acr_mark *m))
NOTHING (acr_row_why_launch, (const struct acr_launch *l, enum acr_why why))
NOTHING (acr_run_forget, (CUcontext ctx))
NOTHING (acr_timer_forget, (CUcontext ctx))

#define NO(name)                                                              \
  bool name (void)                                                            \
  {                                                                           \
    return false;                                                             \
  }
NO (acr_device_heap_release)
NO (acr_nest_release)
NO (acr_queue_wait)
NO (acr_run_wait)

enum acr_device_malloc
acr_jit_malloc (void)
{
  return ACR_MALLOC_NONE;
}

/* Kernels may be in a batch, but for one in eight.  */
bool
acr_batch_may (const struct acr_launch *l)
{
  return (uintptr_t)l->fn >> 4 & 7;
}

/* No report is written.  */
bool acr_row_on;

bool
acr_batch_fills (const struct acr_launch *l)
{
  return false;
}

/* Lists of kernels are handed over as the test likes.  */
bool
acr_graph_may_list (void)
{
  return acr_env.graphs >= ACR_GRAPHS_LISTS;
}

bool
acr_batch_wanted (void)
{
  return true;
}

/* The way of a launch to the driver; see launch.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/events.h"
#include "interpose/fault.h"
#include "interpose/stock.h"
#include "jit/batch-code.h"
#include "launch/args.h"
#include "launch/form.h"
#include "launch/geometry/geometry.h"
#include "launch/graph/batch.h"
#include "launch/graph/graph-launch.h"
#include "launch/graph/graph-may.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/nest/nest.h"
#include "launch/pair.h"
#include "launch/ready.h"
#include "launch/resident/resident-choice.h"
#include "launch/resident/resident.h"
#include "launch/span.h"
#include "launch/timer.h"
#include "report/row.h"
#include "trace/trace.h"
#include "transfer/defer.h"
#include "transfer/hold.h"

/* The hooks, in their order.  */
void
acr_launch_adjust (struct acr_launch *l)
{
  l->by = acr_row_of_launch (l);
  acr_ready_take (l);
  acr_stock_restore (l);
  acr_args_place (l);
  acr_timer_collect ();
  acr_span_collect ();
  if (!acr_geometry_choose (l))
    {
      acr_form_pick (l);
      acr_geometry_limit_gangs (l);
    }
  if (acr_env.pair != ACR_PAIR_WORD_OFF)
    acr_pair_choose (l);
}

/* Hand L, of REGION unless that is NULL, to the driver as what it is.  */
static CUresult
hand_over (const struct acr_launch *l, const struct acr_region *region)
{
  if (region && region->resident)
    return acr_resident_launch (l);
  if (acr_graph_launch (l))
    return CUDA_SUCCESS;
  return acr_driver.launch_kernel (
      l->fn, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
      l->block[2], l->shared, l->stream, l->params, l->extra);
}

static const struct acr_region *
region_of (const struct acr_launch *l)
{
  return l->kernel ? acr_kernel_region (l->kernel) : NULL;
}

/* The regions of a host loop that a launch of REGION stands for: where the program asks
   (ready.h), two neighbours are executed by the one that both were fused into, and one in
   front and one behind.  */
static unsigned
regions_of (const struct acr_region *region)
{
  return !region || !region->ready ? 1 : region->nalso ? 2 : 0;
}

/* The driver has said R to L.  */
static void
note_launch (const struct acr_launch *l, CUresult r)
{
  const struct acr_region *region = region_of (l);
  /* The construct of a loop that the host executes launches nothing.  */
  if (!region || !region->resident || l->resident)
    acr_count_for (l->by, launches, 1);
  if (region)
    acr_count_for (l->by, fused, region->nalso);
  acr_row_launched (l);
  acr_debug (3,
             "cuLaunchKernel %s, form %u (%u,%u,%u) (%u,%u,%u): status %d,"
             " %d registers, %u bytes of shared memory more",
             l->kernel ? l->kernel->name : "?", acr_form_number (l), l->grid[0],
             l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], r,
             l->kernel ? acr_form_of (l).regs : 0, l->shared);
}

CUresult
acr_launch_now (const struct acr_launch *l)
{
  const struct acr_region *region = region_of (l);
  bool nests = region && region->launches, pairs = l->pairing.key;
  struct acr_nest_queue *queue = nests ? acr_nest_open (l) : NULL;
  /* Others are handed over as they are; a launch is large.  */
  struct acr_launch own;
  if (nests || pairs)
    {
      own = *l;
      l = &own;
    }
  if (nests)
    acr_nest_adjust (queue, &own);
  if (pairs)
    acr_pair_begin (&own);
  struct acr_timer *timer = acr_timer_start (l);
  acr_trace_kernel = l->kernel;
  CUresult r = hand_over (l, region);
  acr_timer_stop (timer, l, r);
  if (pairs)
    acr_pair_end (l, r);
  if (queue)
    r = acr_nest_close (queue, l, r);
  acr_resident_counts (regions_of (region));
  note_launch (l, r);
  return r;
}

/* Hand L to the driver, which was held.  */
static CUresult
launch_late (const struct acr_launch *l)
{
  struct acr_launch own = *l;
  acr_pair_leave (&own);
  return acr_launch_now (&own);
}

/* Launches of a list, level by level.  */
struct levels
{
  const struct acr_launch **l; /* NULL where it was taken */
  unsigned n, left, level;
};

/* Take the next ones of ALL that may be one batch, or one that is not.  How many; 0: none
   is left.  */
static unsigned
take_batch (struct levels *all, const struct acr_launch *batch[ACR_BATCH_MOST])
{
  unsigned k = 0;
  for (; all->left; all->level++)
    {
      for (unsigned i = 0; i < all->n && k < ACR_BATCH_MOST; i++)
        {
          const struct acr_launch *l = all->l[i];
          if (!l || l->level != all->level
              || (k && !(acr_batch_may (batch[0]) && acr_batch_may (l)
                         && acr_batch_agrees (batch[0], l))))
            continue;
          batch[k++] = l;
          all->l[i] = NULL;
        }
      all->left -= k;
      if (k)
        break;
    }
  return k;
}

/* Whether some of the N launches of LIST are a batch by now.  */
static bool
has_batch (const struct acr_launch *const *list, unsigned n)
{
  const struct acr_launch *l[n], *batch[ACR_BATCH_MOST];
  struct levels all = { memcpy (l, list, sizeof l), n, n, 0 };
  bool any = false;
  for (unsigned k; (k = take_batch (&all, batch));)
    any |= k > 1 && acr_batch_comes (batch, k);
  return any;
}

/* Hand the N launches of LIST to the driver, level by level, those of one as one where
   that can be.  */
static CUresult
launch_levels (const struct acr_launch *const *list, unsigned n)
{
  const struct acr_launch *l[n], *batch[ACR_BATCH_MOST];
  struct levels all = { memcpy (l, list, sizeof l), n, n, 0 };
  CUresult r = CUDA_SUCCESS;
  for (unsigned k; (k = take_batch (&all, batch));)
    if (k > 1 && acr_batch_launch (batch, k))
      {
        for (unsigned i = 0; i < k; i++)
          note_launch (batch[i], CUDA_SUCCESS);
        acr_resident_counts (k);
      }
    else
      for (unsigned i = 0; i < k; i++)
        {
          CUresult one = launch_late (batch[i]);
          r = r ? r : one;
        }
  return r;
}

/* Whether two of the N launches of L are of one level.  */
static bool
has_levels (const struct acr_launch *const *l, unsigned n)
{
  unsigned top = 0;
  for (unsigned i = 0; i < n; i++)
    top = l[i]->level > top ? l[i]->level : top;
  return top + 1 < n;
}

/* Hand the N launches of L to the driver, which were held: small ones as one, or all as a
   graph where that is what they are, or all but the first, which would begin late behind a
   copy.  */
static CUresult
launch_list (const struct acr_launch *const *l, unsigned n)
{
  CUresult r = CUDA_SUCCESS;
  unsigned i = 0;
  if (acr_batch_wanted () && has_levels (l, n) && has_batch (l, n))
    return launch_levels (l, n);
  if (n > 1 && acr_graph_behind_copy ())
    r = launch_late (l[i++]);
  if (n - i > 1 && acr_graph_launch_list (l + i, n - i))
    for (; i < n; i++)
      note_launch (l[i], CUDA_SUCCESS);
  for (; i < n; i++)
    {
      CUresult one = launch_late (l[i]);
      r = r ? r : one;
    }
  return r;
}

/* Let the report know that L, which may be LATE or is waited for, is in no list.  */
static void
report_unlisted (const struct acr_launch *l, bool late)
{
  if (acr_row_on && acr_batch_wanted ())
    acr_row_why_launch (l, acr_batch_fills (l)  ? ACR_WHY_FILLS
                           : !acr_batch_may (l) ? ACR_WHY_CODE
                           : l->stream          ? ACR_WHY_QUEUE
                           : late               ? ACR_WHY_LISTLESS
                                                : ACR_WHY_WAITED);
}

CUresult
acr_launch_issue (const struct acr_launch *l)
{
  acr_events->launches (l);
  if (acr_env.gomp_debug && l->kernel)
    acr_libgomp.debug (0,
                       "  accrete: kernel %s, form %u: launch (%u,%u,%u)"
                       " (%u,%u,%u)\n",
                       l->kernel->name, acr_form_number (l), l->grid[0], l->grid[1],
                       l->grid[2], l->block[0], l->block[1], l->block[2]);
  CUresult r = acr_ready_lacks (l) ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
  bool late = !r && acr_defer_launch ();
  if (r)
    acr_events->status (r);
  else if (!late || !acr_hold_launch (l, launch_list))
    {
      report_unlisted (l, late);
      acr_events->flushes ();
      r = acr_fault_status ();
      if (!r)
        r = acr_launch_now (l);
      acr_events->status (r);
    }
  acr_events->launched (l->stream);
  return r;
}

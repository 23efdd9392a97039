/* Launches that say who is to execute children; see nest-trial.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/nest/nest-trial.h"

#include "ext.h"
#include "launch/launch.h"
#include "launch/timer.h"

/* Have what the kernel has counted be copied to WORD, in STREAM.  */
static bool
copy_count (struct acr_nest_trial *t, unsigned word, CUstream stream)
{
  return !acr_driver.memcpy_d2h_async (&t->counted[word], t->counter,
                                       sizeof *t->counted, stream);
}

/* Have what a trial asks the driver for be done once: the first time takes tens of
   microseconds, which would be the first launch's.  */
static void
warm_up (struct acr_nest_trial *t)
{
  t->stale = acr_driver.event_record (t->start, NULL)
             || copy_count (t, 0, NULL)
             || acr_driver.event_record (t->copied, NULL)
             || acr_driver.event_record (t->stop, NULL);
}

void
acr_nest_trial_make (struct acr_nest_trial *t, CUdeviceptr counter)
{
  void *p;
  t->counter = counter;
  if (!acr_timer_can ())
    return;
  if (acr_driver.event_create (&t->start, CU_EVENT_DEFAULT))
    return;
  if (acr_driver.event_create (&t->stop, CU_EVENT_DEFAULT))
    goto start;
  if (acr_driver.event_create (&t->copied, CU_EVENT_DISABLE_TIMING))
    goto stop;
  if (!acr_driver.mem_host_alloc (&p, 2 * sizeof *t->counted, 0))
    {
      t->counted = p;
      t->counted[0] = 0;
      warm_up (t);
      return;
    }
  acr_driver.event_destroy (t->copied);
stop:
  acr_driver.event_destroy (t->stop);
start:
  acr_driver.event_destroy (t->start);
}

void
acr_nest_trial_free (struct acr_nest_trial *t)
{
  if (!t->counted)
    return;
  acr_driver.event_destroy (t->start);
  acr_driver.event_destroy (t->stop);
  acr_driver.event_destroy (t->copied);
  acr_driver.mem_free_host (t->counted);
  t->counted = NULL;
}

/* Have what the kernel has counted be copied behind the trial.  Whether that is under
   way.  */
static bool
fetch_count (struct acr_nest_trial *t, CUstream stream)
{
  bool fetched = copy_count (t, 1, stream)
                 && !acr_driver.event_record (t->copied, stream);
  t->state = fetched ? ACR_NEST_TRIAL_COPIED : ACR_NEST_TRIAL_NONE;
  t->stale = !fetched;
  return fetched;
}

/* T's kernels have ended, or not yet.  When the time is worth it, what they
   have counted is fetched in STREAM.  */
static void
look_at_time (struct acr_nest_trial *t, CUstream stream)
{
  float ms;
  CUresult r = acr_driver.event_query (t->stop);
  if (r == CUDA_ERROR_NOT_READY)
    return;
  t->state = ACR_NEST_TRIAL_NONE;
  t->stale = true;
  if (!r && !acr_driver.event_elapsed_time (&ms, t->start, t->stop)
      && acr_nest_auto_wants (&t->tried, t->form, ms * 1000))
    fetch_count (t, stream);
}

/* Note how the trial went that T waits for, when that is known.  */
static void
look_at_count (struct acr_nest_trial *t)
{
  float ms;
  CUresult r = acr_driver.event_query (t->copied);
  if (r == CUDA_ERROR_NOT_READY)
    return;
  t->state = ACR_NEST_TRIAL_NONE;
  t->stale = r != CUDA_SUCCESS;
  if (r || acr_driver.event_elapsed_time (&ms, t->start, t->stop))
    return;
  acr_nest_auto_note (&t->tried, t->form, ms * 1000,
                      t->counted[1] - t->counted[0]);
  t->counted[0] = t->counted[1];
}

bool
acr_nest_trial_all_count (void)
{
  return acr_env.report != REPORT_NONE;
}

/* Let T know what was counted before the trial.  */
static bool
note_before (struct acr_nest_trial *t, CUstream stream)
{
  return (!t->stale && !acr_nest_trial_all_count ())
         || copy_count (t, 0, stream);
}

unsigned
acr_nest_trial_begin (struct acr_nest_trial *t, const struct acr_launch *l,
                      const struct acr_nest_site *site, float risk)
{
  unsigned block = l->block[0] * l->block[1] * l->block[2];
  bool learns;
  t->learns = false;
  if (t->state == ACR_NEST_TRIAL_TIMED)
    look_at_time (t, l->stream);
  if (t->state == ACR_NEST_TRIAL_COPIED)
    look_at_count (t);
  if (!site->code || !t->counted)
    return ACR_NEST_AUTO_INPLACE;
  bool may = t->state == ACR_NEST_TRIAL_NONE && block % 32 == 0;
  unsigned form = acr_nest_auto_pick (site, may, risk, &learns);
  if (learns && note_before (t, l->stream))
    {
      t->tried = *site;
      t->form = form;
      t->learns = true;
    }
  return form;
}

void
acr_nest_trial_start (struct acr_nest_trial *t, CUstream stream)
{
  t->learns = t->learns && !acr_driver.event_record (t->start, stream);
}

void
acr_nest_trial_end (struct acr_nest_trial *t, CUstream stream, CUresult r)
{
  if (t->learns && !r && !acr_driver.event_record (t->stop, stream))
    {
      t->state = ACR_NEST_TRIAL_TIMED;
      if (acr_nest_trial_all_count ())
        fetch_count (t, stream);
    }
  else if (t->learns)
    t->stale = true;
  t->learns = false;
}

/* Launches that say who is to execute children; see nest-trial.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/nest-trial.h"

#include "ext.h"
#include "launch/launch.h"
#include "launch/timer.h"

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

/* Note how the trial went that T waits for, when that is known.  */
static void
look (struct acr_nest_trial *t)
{
  float ms;
  CUresult r = acr_driver.event_query (t->copied);
  if (r == CUDA_ERROR_NOT_READY)
    return;
  t->waits = false;
  if (r || acr_driver.event_elapsed_time (&ms, t->start, t->stop))
    return;
  acr_nest_auto_note (&t->tried, t->form, ms * 1000,
                      t->counted[1] - t->counted[0]);
  t->counted[0] = t->counted[1];
}

/* Others than trials are counted, too, where there is a report.  */
static CUresult
note_before (struct acr_nest_trial *t, CUstream stream)
{
  return acr_env.report == REPORT_NONE
             ? CUDA_SUCCESS
             : acr_driver.memcpy_d2h_async (&t->counted[0], t->counter,
                                            sizeof *t->counted, stream);
}

unsigned
acr_nest_trial_begin (struct acr_nest_trial *t, const struct acr_launch *l,
                      const struct acr_nest_site *site, float risk)
{
  unsigned block = l->block[0] * l->block[1] * l->block[2];
  bool learns;
  t->learns = false;
  if (t->waits)
    look (t);
  if (!site->code || !t->counted)
    return ACR_NEST_AUTO_INPLACE;
  bool may = !t->waits && block % 32 == 0;
  unsigned form = acr_nest_auto_pick (site, may, risk, &learns);
  if (learns && !note_before (t, l->stream)
      && !acr_driver.event_record (t->start, l->stream))
    {
      t->tried = *site;
      t->form = form;
      t->learns = true;
    }
  return form;
}

void
acr_nest_trial_end (struct acr_nest_trial *t, CUstream stream, CUresult r)
{
  if (t->learns)
    t->waits = !r && !acr_driver.event_record (t->stop, stream)
               && !acr_driver.memcpy_d2h_async (&t->counted[1], t->counter,
                                                sizeof *t->counted, stream)
               && !acr_driver.event_record (t->copied, stream);
  t->learns = false;
}

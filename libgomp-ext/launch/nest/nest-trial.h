/* Launches by which it is learnt who is to execute children (nest-auto.h):
   what they take, by events, and what work they did, by the kernel's own
   count.

   A trial is one launch, with all that follows it for its children.  Nobody
   waits for it: it is looked at when the next launch comes, and until then
   others are none.  Events cost little, a copy of the count far more: that is
   fetched when the time is known, and worth it.

   Not thread-safe: the caller has a lock.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NEST_TRIAL_H
#define ACCRETE_NEST_TRIAL_H

#include "interpose/cuda-types.h"
#include "launch/nest/nest-auto.h"

struct acr_launch;

struct acr_nest_trial
{
  struct acr_nest_site tried; /* the last trial */
  unsigned form;
  bool learns;         /* the launch in hand is one */
  enum
  {
    ACR_NEST_TRIAL_NONE,
    ACR_NEST_TRIAL_TIMED, /* waits for the time of one */
    ACR_NEST_TRIAL_COPIED /* and then for its count */
  } state;
  bool stale; /* more may have been counted than COUNTED[0] says */
  CUdeviceptr counter; /* of work, on the device */
  uint64_t *counted;   /* pinned, for what it was before and behind the trial;
                          NULL: no trials */
  CUevent start, stop, copied;
};

/* Make T ready, whose kernels count at COUNTER.  Without success there are no
   trials.  */
void acr_nest_trial_make (struct acr_nest_trial *t, CUdeviceptr counter);

/* Free what T has.  */
void acr_nest_trial_free (struct acr_nest_trial *t);

/* Do the kernels of all launches count, for the report, and not only
   trials'?  */
bool acr_nest_trial_all_count (void);

/* The form of L, at SITE; RISK as nest-auto.h says.  It is a trial where that
   is possible and something can be learnt.  */
unsigned acr_nest_trial_begin (struct acr_nest_trial *t,
                               const struct acr_launch *l,
                               const struct acr_nest_site *site, float risk);

/* The launch in hand comes next in STREAM: what is done for it before counts for no
   form.  */
void acr_nest_trial_start (struct acr_nest_trial *t, CUstream stream);

/* The launch in hand was issued in STREAM, with the result R.  */
void acr_nest_trial_end (struct acr_nest_trial *t, CUstream stream, CUresult r);

#endif /* ACCRETE_NEST_TRIAL_H */

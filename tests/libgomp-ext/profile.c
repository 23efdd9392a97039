/* Handlers of profiling events: one waits for the queue which frees what the
   construct mapped, one reads what the construct has copied back.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <acc_prof.h>
#include <openacc.h>
#include <stdio.h>

enum
{
  N = 1000,
  QUEUE = 1
};

static int ends;

static void
construct_end (acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
  (void)event, (void)api;
  ends++;
  /* Events within events deadlock libgomp.  */
  acc_prof_unregister (acc_ev_none, NULL, acc_toggle_per_thread);
  acc_wait (prof->async);
  acc_prof_register (acc_ev_none, NULL, acc_toggle_per_thread);
}

static int b[N], c[N], d[N], seen;

static void
data_end (acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
  (void)prof, (void)event, (void)api;
  seen += b[N - 1] + c[N - 1] + d[N - 1];
}

static void
look (void)
{
  acc_prof_register (acc_ev_exit_data_end, data_end, acc_reg);
  for (int step = 0; step < 8; step++)
    {
#pragma acc parallel loop copy(b, c, d)
      for (int i = 0; i < N; i++)
        {
          b[i]++;
          c[i] += 2;
          d[i] += 3;
        }
    }
  acc_prof_unregister (acc_ev_exit_data_end, data_end, acc_reg);
  printf ("%d seen\n", seen);
}

int
main (void)
{
  static int a[N];
  look ();
  acc_prof_register (acc_ev_compute_construct_end, construct_end, acc_reg);
  acc_prof_register (acc_ev_none, NULL, acc_toggle_per_thread);
  for (int step = 0; step < 3; step++)
    {
#pragma acc parallel loop copy(a) async(QUEUE)
      for (int i = 0; i < N; i++)
        a[i] += i;
    }
#pragma acc wait
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += a[i] != 3 * i;
  printf ("%d ends, %d wrong\n", ends, wrong);
  return 0;
}

/* Lists of kernels that come again; see period.h.

   A graph of several kernels costs the host little more than one of a single kernel
   (graph-launch.c), but the first of them begins when the last is there.  So a list
   pays where the host takes longer for a construct than the device for its kernel,
   and where constructs come close on one another.  All of this is for speed alone:
   what may be kept is hold.c's to know.

   A list ends where its first kernel comes again, if it has LEAST; from then on it is
   as long as that, and leaves with its last kernel.  It is cut wherever somebody could
   see that its kernels have not been launched.

   No kernel is kept for some time

   - at the start, and after lists of one kernel, which would have gone at once;
   - where a list took long to come together: the host does other things meanwhile;
   - where the device is at work as a list begins, which is looked at now and then:
     it is the device that takes longer, and at the end of its work kernels that came
     late would be late.  Not where kernels of the list become one: that makes the device
     faster.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "launch/graph/graph-may.h"
#include "launch/graph/period.h"

enum
{
  LEAST = 8,
  MOST = 16,
  MOST_TOGETHER = 64,
  SLOW = 10,    /* microseconds a kernel that a list may take */
  SAMPLE = 16,  /* lists a look at the device */
  ALONE = 3,    /* lists of one kernel in a row */
  PAUSE = 256   /* kernels */
};

/* Whether kernels are to be kept wherever they can be: for tests.  */
static bool
always (void)
{
  return acr_env.graphs == ACR_GRAPHS_ALWAYS;
}

static struct
{
  unsigned pause;  /* kernels that are not kept */
  unsigned length; /* of lists that came round; 0: not known */
  unsigned lists, alone;
  bool together;   /* some of the last list were */
  double begin; /* of this list */
} now = { .pause = 32 };

/* Whether the device has work.  What is wrong with it the next call tells.  */
static bool
is_busy (void)
{
  return acr_driver.stream_query (NULL) == CUDA_ERROR_NOT_READY;
}

static bool
pause_begins (void)
{
  now.pause = PAUSE;
  now.alone = now.length = 0;
  return false;
}

bool
acr_period_keeps (unsigned n)
{
  if (now.pause && !always ())
    {
      now.pause--;
      return false;
    }
  if (n)
    return true;
  if (now.lists++ % SAMPLE == 0 && !always () && !now.together && is_busy ())
    return pause_begins ();
  now.begin = acr_now_us ();
  return true;
}

bool
acr_period_comes_round (unsigned n, CUfunction first, CUfunction next)
{
  bool round = n >= LEAST && first == next;
  if (round)
    now.length = n;
  return round || n >= (now.together ? MOST_TOGETHER : MOST);
}

bool
acr_period_is_full (unsigned n)
{
  return n == now.length;
}

void
acr_period_leaves (unsigned n, bool together)
{
  now.together = together;
  if (n != now.length)
    now.length = 0;
  now.alone = n == 1 ? now.alone + 1 : 0;
  if (now.alone >= ALONE || acr_now_us () - now.begin > n * SLOW)
    (void)pause_begins ();
}

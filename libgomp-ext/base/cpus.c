/* CPUs; see cpus.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/cpus.h"

#include <sched.h>
#include <stdio.h>

/* CPUs of the process's control group, cgroup v2 or v1: its quota of time over
   the period; MANY where it has none.  */
static unsigned
quota (unsigned many)
{
  static const char *const v1 = "/sys/fs/cgroup/cpu/cpu.cfs_";
  long time = -1, period = 0;
  FILE *f = fopen ("/sys/fs/cgroup/cpu.max", "re");
  if (f && fscanf (f, "%ld %ld", &time, &period) != 2)
    time = -1;
  if (f)
    fclose (f);
  else
    for (int i = 0; i < 2; i++)
      {
        char name[64];
        snprintf (name, sizeof name, "%s%s_us", v1, i ? "period" : "quota");
        if ((f = fopen (name, "re")))
          {
            if (fscanf (f, "%ld", i ? &period : &time) != 1)
              time = -1;
            fclose (f);
          }
      }
  if (time <= 0 || period <= 0)
    return many;
  return time < period ? 1 : time / period < many ? time / period : many;
}

unsigned
acr_cpus (void)
{
  cpu_set_t set;
  return sched_getaffinity (0, sizeof set, &set) ? 1
                                                 : quota (CPU_COUNT (&set));
}

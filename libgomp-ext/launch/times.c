/* What kernels took on the GPU; see times.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "launch/times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* So many launches are looked at for the median.  */
#define LAST 1024

struct acr_times
{
  struct acr_times *next; /* in the order in which they came */
  uint64_t launches;
  double total;
  float least;
  float last[LAST]; /* a ring; microseconds */
  char name[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct acr_times *all;

ACR_FORK_KEEPS_INNER (lock)

struct acr_times *
acr_times_of (const char *name)
{
  struct acr_times **at = &all, *t;
  pthread_mutex_lock (&lock);
  while (*at && strcmp ((*at)->name, name))
    at = &(*at)->next;
  t = *at;
  if (!t && (t = calloc (1, sizeof *t + strlen (name) + 1)))
    {
      strcpy (t->name, name);
      *at = t;
    }
  pthread_mutex_unlock (&lock);
  return t;
}

void
acr_times_note (struct acr_times *t, float microseconds)
{
  pthread_mutex_lock (&lock);
  if (!t->launches || microseconds < t->least)
    t->least = microseconds;
  t->total += microseconds;
  t->last[t->launches++ % LAST] = microseconds;
  pthread_mutex_unlock (&lock);
}

static int
compare (const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static float
median (const struct acr_times *t)
{
  float last[LAST];
  size_t n = t->launches < LAST ? t->launches : LAST;
  memcpy (last, t->last, n * sizeof *last);
  qsort (last, n, sizeof *last, compare);
  return last[n / 2];
}

void
acr_times_print (FILE *to, bool json)
{
  const char *comma = "";
  pthread_mutex_lock (&lock);
  if (json)
    fputs (",\"kernels\":[", to);
  for (const struct acr_times *t = all; t; t = t->next)
    {
      if (!t->launches)
        continue;
      fprintf (to,
               json ? "%s{\"name\":\"%s\",\"timed\":%" PRIu64
                      ",\"median_us\":%.2f,\"least_us\":%.2f,\"total_us\":%.0f}"
                    : "%saccrete: kernel %s: %" PRIu64
                      " launches timed, median %.2f us, least %.2f,"
                      " together %.0f\n",
               json ? comma : "", t->name, t->launches, median (t), t->least,
               t->total);
      comma = ",";
    }
  if (json)
    fputs ("]", to);
  pthread_mutex_unlock (&lock);
}

void
acr_times_fork (void)
{
  for (struct acr_times *t = all; t; t = t->next)
    {
      t->launches = 0;
      t->total = 0;
    }
}

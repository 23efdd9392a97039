/* Control variables on a device; see icv.h.

   libgomp copies the host's variables, which stay where they are, to those of
   each image that it loads, and back from there.  Nothing else has this place on
   the host for its end.

   Sources: libgomp/target.c (gomp_load_image_to_device, gomp_copy_back_icvs),
   config/nvptx/icv-device.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "ext.h"
#include "interpose/icv.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct variables
{
  struct variables *next;
  CUdeviceptr p;
  size_t n;
  const void *host; /* NULL: not sent yet */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct variables *_Atomic all;

ACR_FORK_KEEPS (lock)

static bool
has (const struct acr_unit *u, const char *text)
{
  return memmem (u->code, u->bytes, text, strlen (text));
}

/* Whether device code of IMAGE may set variables.  Fortran's names of the two
   functions, which libgomp has as well, begin like C's.  */
static bool
may_set (const struct acr_image *image)
{
  static const struct
  {
    const char *name, *definition;
  } setters[] = {
#define SETTER(name) { name, "FUNCTION DEF: " name }
    SETTER ("omp_set_num_teams"),
    SETTER ("omp_set_teams_thread_limit"),
  };
  for (unsigned i = 0; i < image->nunits; i++)
    for (unsigned k = 0; k < sizeof setters / sizeof *setters; k++)
      if (has (&image->units[i], setters[k].name)
          && !has (&image->units[i], setters[k].definition))
        return true;
  return false;
}

/* Forget what was at P.  LOCK is held.  */
static void
forget (CUdeviceptr p)
{
  for (struct variables *v = all; v; v = v->next)
    if (v->p == p)
      v->n = 0;
}

void
acr_icv_loaded (const struct acr_image *image, CUdeviceptr p, size_t n)
{
  if (!p || acr_opt_off (ACR_OPT_dead))
    return;
  struct variables *v = may_set (image) ? NULL : malloc (sizeof *v);
  pthread_mutex_lock (&lock);
  forget (p);
  if (v)
    {
      *v = (struct variables){ all, p, n, NULL };
      all = v;
    }
  pthread_mutex_unlock (&lock);
}

void
acr_icv_sent (CUdeviceptr p, const void *src, size_t n)
{
  if (!all)
    return;
  pthread_mutex_lock (&lock);
  for (struct variables *v = all; v; v = v->next)
    if (v->p == p && v->n == n && !v->host)
      v->host = src;
  pthread_mutex_unlock (&lock);
}

bool
acr_icv_same (const void *dst, CUdeviceptr p, size_t n)
{
  if (!all)
    return false;
  pthread_mutex_lock (&lock);
  const struct variables *v = all;
  while (v && (v->p != p || v->n != n || v->host != dst))
    v = v->next;
  pthread_mutex_unlock (&lock);
  if (v)
    acr_count (d2h_dead, 1);
  return v;
}

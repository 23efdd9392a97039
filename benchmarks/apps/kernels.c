/* Times of a process's kernels as the GPU has them, whoever launches them: loaded by
   CUDA's driver where CUDA_INJECTION64_PATH names this library.  KERNELS=FILE: at
   exit a line "us launches least_us name" for each kernel, added to those of other
   processes.  KERNELS_SECONDS=N: after so many, the process ends as if killed by SIGKILL,
   its kernels' times are written.

   Source: CUPTI's documentation, activity records and injection.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cupti.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 record;
#else
typedef CUpti_ActivityKernel9 record;
#endif

enum { BUFFER_BYTES = 8 << 20 };

static struct kernel
{
  struct kernel *next;
  char *name;
  uint64_t ns, least, launches;
} *kernels;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
note (const record *r)
{
  uint64_t ns = r->end - r->start;
  struct kernel **at = &kernels, *k;
  while ((k = *at) && strcmp (k->name, r->name))
    at = &k->next;
  if (k)
    *at = k->next;		/* what is launched often comes first */
  else
    {
      k = calloc (1, sizeof *k);
      if (!k || !(k->name = strdup (r->name)))
	abort ();
      k->least = UINT64_MAX;
    }
  k->next = kernels;
  kernels = k;
  k->ns += ns;
  k->launches++;
  if (ns < k->least)
    k->least = ns;
}

static void CUPTIAPI
give_buffer (uint8_t **buffer, size_t *size, size_t *most)
{
  *size = BUFFER_BYTES;
  *most = 0;
  if (!(*buffer = aligned_alloc (8, BUFFER_BYTES)))
    abort ();
}

static void CUPTIAPI
take_buffer (CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
  (void) context, (void) stream, (void) size;
  CUpti_Activity *a = NULL;
  pthread_mutex_lock (&lock);
  while (cuptiActivityGetNextRecord (buffer, valid, &a) == CUPTI_SUCCESS)
    if (a->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      note ((const record *) a);
  pthread_mutex_unlock (&lock);
  free (buffer);
}

static void
write_times (void)
{
  cuptiActivityFlushAll (CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const char *name = getenv ("KERNELS");
  FILE *file = name ? fopen (name, "a") : NULL;
  if (!file)
    return;
  pthread_mutex_lock (&lock);
  for (const struct kernel *k = kernels; k; k = k->next)
    fprintf (file, "%.3f %llu %.3f %s\n", k->ns / 1e3, (unsigned long long) k->launches,
	     k->least / 1e3, k->name);
  /* Once, whether the process ends or its time does.  */
  kernels = NULL;
  pthread_mutex_unlock (&lock);
  fclose (file);
}

static void *
end_later (void *seconds)
{
  double *s = seconds;
  nanosleep (&(struct timespec) { *s, (*s - (time_t) *s) * 1e9 }, NULL);
  write_times ();
  _exit (128 + SIGKILL);
}

/* The driver calls it.  */
int InitializeInjection (void);
int
InitializeInjection (void)
{
  if (cuptiActivityRegisterCallbacks (give_buffer, take_buffer) == CUPTI_SUCCESS
      && cuptiActivityEnable (CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS)
    {
      static double seconds;
      const char *most = getenv ("KERNELS_SECONDS");
      pthread_t timer;
      atexit (write_times);
      if (most && (seconds = strtod (most, NULL)) > 0
	  && !pthread_create (&timer, NULL, end_later, &seconds))
	pthread_detach (timer);
    }
  return 1;
}

/* Failures that are found out late.

   libgomp's plugin ends the program by GOMP_PLUGIN_fatal where a kernel or a copy
   has failed.  That calls exit, and libgomp's exit handler takes the lock of each
   device.  But libgomp holds that lock, and others, while it calls most entries
   of its plugin: from within them the program would wait for itself for ever.  So
   where an entry has a result libgomp looks at that, lets its locks go and ends
   the program itself.

   With work that is not waited for, sent later or fetched later, a failure may
   be found wherever the driver is called, in most cases below such an entry, under
   locks of ours as well, or in a thread of the driver's.  So nobody ends the
   program where it is found:

   - it is noted, and said in the words that stock would have had for it;
   - from then on each call of the driver's gives its status to libgomp's plugin
     (cuda.c).  What libgomp asks for next fails, in an entry that has a result;
   - where libgomp's plugin does not look at results, but would end the program
     under libgomp's lock, it is told of success (cuda.c, device.c);
   - libgomp may ask for nothing, or only for what needs no driver.  So where a
     construct begins or ends, at waits, and where the program looks at what a
     construct gave back, in which places nobody holds a lock, the program ends
     (acr_fault_tell).  Where a task waits for a kernel that has failed, a thread of
     ours ends the program (acr_fault_tell_apart): the task must not go on.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "base/thread.h"
#include "ext.h"
#include "interpose/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Guards the message: who finds STATUS set finds it said.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic CUresult status;
static _Atomic bool ends;   /* the program does, by acr_fault_tell */
static __thread bool ending /* it does here */
    __attribute__ ((tls_model ("initial-exec")));
static _Atomic bool leaves; /* a thread is in exit that does so */
static _Atomic bool closes; /* libgomp closes its devices */

ACR_FORK_KEEPS (lock)

static void
say (const char *entry, CUresult r)
{
  if (r == CUDA_ERROR_LAUNCH_FAILED && strstr (entry, "Synchronize"))
    acr_libgomp.error ("%s error: %s (perhaps abort was called)\n", entry,
                       acr_cuda_error (r));
  else
    acr_libgomp.error ("%s error: %s", entry, acr_cuda_error (r));
}

/* libgomp writes a message in parts, and others may write at the same time.  */
static void
begin_note (void)
{
  pthread_mutex_lock (&lock);
  flockfile (stderr);
}

static void
end_note (CUresult r)
{
  funlockfile (stderr);
  status = status ? status : r;
  pthread_mutex_unlock (&lock);
}

void
acr_fault (const char *entry, CUresult r)
{
  begin_note ();
  if (!status)
    say (entry, r);
  end_note (r);
}

void
acr_fault_copy (void *dst, CUdeviceptr src, size_t n, CUresult r)
{
  begin_note ();
  if (!status)
    {
      acr_libgomp.error ("cuMemcpyDtoH_v2 error: %s", acr_cuda_error (r));
      acr_libgomp.error (
          "Copying of dev object [%p..%p) to host object [%p..%p) failed",
          (void *)(uintptr_t)src, (void *)(uintptr_t)(src + n), dst,
          (void *)((char *)dst + n));
    }
  end_note (r);
}

CUresult
acr_fault_status (void)
{
  return atomic_load_explicit (&status, memory_order_acquire);
}

/* End the program, in one thread: exit lets no two call the same functions from
   glibc 2.41 on only.  */
static void
end_program (void)
{
  if (!ending && (leaves || atomic_exchange (&ends, true)))
    for (;;)
      pause ();
  ending = ends = true;
  exit (EXIT_FAILURE);
}

void
acr_fault_tell (void)
{
  if (__builtin_expect (acr_fault_status () && !closes, 0))
    end_program ();
}

/* exit lets other threads that call it wait (glibc from 2.41 on), and this one may
   wait for a task of theirs, so they leave it to this one.  */
void
acr_fault_leaving (void)
{
  ending = leaves = true;
}

static void *
tell (void *unused)
{
  acr_fault_tell ();
  return unused;
}

bool
acr_fault_tell_apart (void)
{
  static _Atomic bool told;
  pthread_t t;
  if (atomic_exchange (&told, true))
    return true;
  bool started = acr_thread_start (&t, tell, NULL);
  if (started)
    pthread_detach (t);
  else
    told = false;
  return started;
}

bool
acr_fault_told (void)
{
  bool failed = acr_fault_status ();
  if (failed)
    closes = true;
  return failed && !ends;
}

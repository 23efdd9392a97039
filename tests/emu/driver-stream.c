/* The emulated driver: order within and between streams, events, callbacks,
   failed contexts.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <time.h>

#include "driver/cuda-api.h"
#include "fake-machine.h"
#include "tap.h"

static CUfunction f_add, f_gate, f_slow, f_fault;

static CUresult
launch (CUfunction fn, CUstream stream, unsigned param)
{
  void *params[] = { &param };
  return cuLaunchKernel (fn, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

/* Add N to the int at P, in the order of STREAM.  */
static CUresult
add (CUstream stream, CUdeviceptr p, unsigned n)
{
  void *params[] = { &p, &n };
  return cuLaunchKernel (f_add, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

static void
pause_ms (int ms)
{
  nanosleep (&(struct timespec) { .tv_nsec = ms * 1000000l }, NULL);
}

/* Wait until a kernel is at gate I; false if none comes.  */
static bool
wait_for_gate (unsigned i)
{
  for (int ms = 0; ms < 5000; ms++)
    {
      if (fake_gate_reached (i))
	return true;
      pause_ms (1);
    }
  return false;
}

static void
within (void)
{
  CUstream s;
  CUdeviceptr p;
  int value = -1;
  cuStreamCreate (&s, 0);
  cuMemAlloc (&p, 4);
  cuMemsetD32Async (p, 5, 1, s);
  launch (f_slow, s, 3000);
  for (int i = 0; i < 100; i++)
    add (s, p, 1);
  cuMemcpyDtoHAsync (&value, p, 4, s);
  ok_int (value, 105, "operations of a stream happen in order");
  launch (f_gate, s, 0);
  ok_int (cuStreamQuery (s), CUDA_ERROR_NOT_READY, "a busy stream");
  fake_gate_open (0);
  int flushes = fake_flushes;
  ok_int (cuStreamSynchronize (s), CUDA_SUCCESS, "waiting for it");
  ok (fake_flushes > flushes, "prints what its kernels wrote");
  ok_int (cuStreamQuery (s), CUDA_SUCCESS, "an idle stream");
  fake_gates_close ();
  cuStreamDestroy (s);
  cuMemFree (p);
}

static void
between (void)
{
  CUstream a, b, free_running;
  cuStreamCreate (&a, 0);
  cuStreamCreate (&b, 0);
  cuStreamCreate (&free_running, CU_STREAM_NON_BLOCKING);

  launch (f_gate, a, 0);
  launch (f_gate, b, 1);
  ok (wait_for_gate (0) && wait_for_gate (1), "streams run concurrently");
  launch (f_gate, NULL, 2);
  launch (f_gate, free_running, 3);
  launch (f_gate, a, 4);
  ok (wait_for_gate (3), "a non-blocking stream ignores the NULL stream");
  fake_gate_open (0);
  ok_int (cuStreamQuery (b), CUDA_ERROR_NOT_READY, "one is still busy");
  pause_ms (5);
  ok (!fake_gate_reached (2), "the NULL stream waits for all blocking ones");
  fake_gate_open (1);
  ok (wait_for_gate (2), "and then runs");
  pause_ms (5);
  ok (!fake_gate_reached (4), "later work of a blocking stream waits for it");
  fake_gate_open (2);
  ok (wait_for_gate (4), "and then runs as well");
  fake_gate_open (4);
  ok_int (cuStreamSynchronize (a), CUDA_SUCCESS, "synchronise one stream");
  ok_int (cuStreamQuery (free_running), CUDA_ERROR_NOT_READY,
	  "leaves the others alone");
  ok_int (cuStreamSynchronize (CU_STREAM_LEGACY), CUDA_SUCCESS,
	  "the NULL stream does not wait for a non-blocking one");
  fake_gate_open (3);
  ok_int (cuCtxSynchronize (), CUDA_SUCCESS, "synchronise everything");
  ok_int (cuStreamQuery (free_running), CUDA_SUCCESS, "all is done");
  fake_gates_close ();
  cuStreamDestroy (a);
  cuStreamDestroy (b);
  cuStreamDestroy (free_running);
}

static void
events (void)
{
  CUstream a, b;
  CUevent e, untimed, f;
  CUdeviceptr p;
  int value = 0;
  float ms = -1;
  cuStreamCreate (&a, CU_STREAM_NON_BLOCKING);
  cuStreamCreate (&b, CU_STREAM_NON_BLOCKING);
  cuMemAlloc (&p, 4);
  cuMemsetD32 (p, 1, 1);
  cuCtxSynchronize ();
  ok_int (cuEventCreate (&e, 0x100), CUDA_ERROR_INVALID_VALUE, "bad flags");
  cuEventCreate (&e, 0);
  cuEventCreate (&f, 0);
  cuEventCreate (&untimed, CU_EVENT_DISABLE_TIMING);
  ok_int (cuEventQuery (e), CUDA_SUCCESS, "a fresh event is complete");
  ok_int (cuEventElapsedTime (&ms, e, f), CUDA_ERROR_INVALID_HANDLE,
	  "but has no time");

  launch (f_gate, a, 0);
  add (a, p, 41);
  ok_int (cuEventRecord (e, a), CUDA_SUCCESS, "record");
  ok_int (cuEventQuery (e), CUDA_ERROR_NOT_READY, "the event is not reached");
  ok_int (cuStreamWaitEvent (b, e, 0), CUDA_SUCCESS, "another stream waits");
  cuEventRecord (f, b);
  /* The wait is for the record before it, not for this one.  */
  launch (f_gate, a, 1);
  cuEventRecord (e, a);
  ok_int (cuEventElapsedTime (&ms, e, f), CUDA_ERROR_NOT_READY,
	  "no time yet");
  pause_ms (5);
  ok_int (cuEventQuery (f), CUDA_ERROR_NOT_READY, "it still waits");
  fake_gate_open (0);
  ok_int (cuEventSynchronize (f), CUDA_SUCCESS, "wait for the other stream");
  cuMemcpyDtoHAsync (&value, p, 4, b);
  ok_int (value, 42, "it ran after what the event stands for");
  ok_int (cuEventQuery (e), CUDA_ERROR_NOT_READY, "recorded again, later");
  cuEventDestroy (e);
  fake_gate_open (1);
  cuCtxSynchronize ();

  cuEventCreate (&e, 0);
  cuEventRecord (e, a);
  launch (f_slow, a, 20000);
  cuEventRecord (f, a);
  cuEventRecord (untimed, a);
  cuEventSynchronize (f);
  ok_int (cuEventElapsedTime (&ms, e, f), CUDA_SUCCESS, "elapsed time");
  ok (ms >= 19.9 && ms < 10000, "of at least what the kernel took (%g)", ms);
  ok_int (cuEventElapsedTime (&ms, e, untimed), CUDA_ERROR_INVALID_HANDLE,
	  "not of an event without timing");
  fake_gates_close ();
  cuEventDestroy (e);
  cuEventDestroy (f);
  cuEventDestroy (untimed);
  cuStreamDestroy (a);
  cuStreamDestroy (b);
  cuMemFree (p);
}

static struct seen { int n; CUstream stream; CUresult status, inside; } seen;

static void
callback (CUstream stream, CUresult status, void *data)
{
  CUdevice dev;
  struct seen *s = data;
  s->n++;
  s->stream = stream;
  s->status = status;
  s->inside = cuCtxGetDevice (&dev);
}

static void
host_function (void *data)
{
  CUdeviceptr p;
  struct seen *s = data;
  s->n++;
  s->inside = cuMemAlloc (&p, 4);
}

static void
callbacks (void)
{
  CUstream s;
  cuStreamCreate (&s, 0);
  launch (f_gate, s, 0);
  ok_int (cuStreamAddCallback (s, callback, &seen, 1),
	  CUDA_ERROR_INVALID_VALUE, "callback flags");
  ok_int (cuStreamAddCallback (s, NULL, &seen, 0), CUDA_ERROR_INVALID_VALUE,
	  "no callback");
  ok_int (cuStreamAddCallback (s, callback, &seen, 0), CUDA_SUCCESS,
	  "callback");
  pause_ms (5);
  ok_int (seen.n, 0, "it waits for its turn");
  fake_gate_open (0);
  cuStreamSynchronize (s);
  ok_int (seen.n, 1, "it has run when the stream is done");
  ok (seen.stream == s && seen.status == CUDA_SUCCESS,
      "it gets the stream and its status");
  ok_int (seen.inside, CUDA_ERROR_NOT_PERMITTED, "it may not call CUDA");
  cuLaunchHostFunc (s, host_function, &seen);
  cuStreamSynchronize (s);
  ok_int (seen.n, 2, "a host function runs");
  ok_int (seen.inside, CUDA_ERROR_NOT_PERMITTED, "and may not either");
  fake_gates_close ();
  cuStreamDestroy (s);
}

static void
destroyed (void)
{
  CUstream s;
  CUdeviceptr p;
  int value;
  cuStreamCreate (&s, 0);
  cuMemAlloc (&p, 4);
  cuMemsetD32Async (p, 0, 1, s);
  launch (f_slow, s, 5000);
  for (int i = 0; i < 10; i++)
    add (s, p, 1);
  ok_int (cuStreamDestroy (s), CUDA_SUCCESS, "destroy a busy stream");
  cuMemcpyDtoH (&value, p, 4);
  ok_int (value, 10, "what was queued is still done");
  cuMemFree (p);
}

/* A fault spoils its context until that is destroyed.  */
static void
failed (void)
{
  CUcontext good, bad;
  CUdeviceptr p;
  CUstream s;
  CUevent e;
  cuCtxGetCurrent (&good);
  cuCtxCreate (&bad, 0, 0);
  f_fault = fake_function ("fault");
  cuMemAlloc (&p, 4);
  cuStreamCreate (&s, 0);
  cuEventCreate (&e, 0);
  seen = (struct seen) { 0 };
  launch (f_fault, s, CUDA_ERROR_ILLEGAL_ADDRESS);
  ok_int (cuStreamSynchronize (s), CUDA_ERROR_ILLEGAL_ADDRESS,
	  "waiting tells of the fault");
  ok_int (cuStreamQuery (s), CUDA_ERROR_ILLEGAL_ADDRESS, "so does asking");
  ok_int (cuMemFree (p), CUDA_ERROR_ILLEGAL_ADDRESS, "and freeing");
  ok_int (cuEventRecord (e, s), CUDA_ERROR_ILLEGAL_ADDRESS, "and recording");
  ok_int (launch (f_fault, NULL, 0), CUDA_ERROR_ILLEGAL_ADDRESS,
	  "and a launch");
  cuCtxPopCurrent (NULL);
  ok_int (cuCtxSynchronize (), CUDA_SUCCESS, "other contexts are well");
  ok_int (cuCtxDestroy (bad), CUDA_SUCCESS, "the failed one can be destroyed");
  ok_int (fake_allocations, 0, "with its memory");

  cuCtxCreate (&bad, 0, 0);
  int flushes = fake_flushes;
  launch (fake_function ("fault"), NULL, CUDA_ERROR_ASSERT);
  while (cuStreamQuery (NULL) != CUDA_ERROR_ASSERT)
    pause_ms (1);
  ok (fake_flushes > flushes, "what kernels wrote before the fault is printed");
  cuCtxDestroy (bad);

  cuCtxCreate (&bad, 0, 0);
  f_fault = fake_function ("fault");
  cuStreamCreate (&s, 0);
  launch (f_gate = fake_function ("gate"), s, 0);
  launch (f_fault, s, CUDA_ERROR_LAUNCH_FAILED);
  cuLaunchHostFunc (s, host_function, &seen);
  cuStreamAddCallback (s, callback, &seen, 0);
  fake_gate_open (0);
  ok_int (cuCtxSynchronize (), CUDA_ERROR_LAUNCH_FAILED, "another fault");
  ok_int (seen.n, 1, "host functions behind it are not called");
  ok_int (seen.status, CUDA_ERROR_LAUNCH_FAILED, "callbacks are");
  cuCtxDestroy (bad);
  fake_gates_close ();
}

int
main (void)
{
  CUcontext ctx = fake_start ();
  f_add = fake_function ("add");
  f_gate = fake_function ("gate");
  f_slow = fake_function ("slow");
  within ();
  between ();
  events ();
  callbacks ();
  destroyed ();
  failed ();
  ok_int (cuCtxDestroy (ctx), CUDA_SUCCESS, "the end");
  ok_int (fake_modules + fake_allocations, 0, "nothing is left");
  return done_testing ();
}

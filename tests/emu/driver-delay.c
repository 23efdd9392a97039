/* The emulated driver with ACCRETE_EMU_DELAY=1: what is asynchronous happens
   only when a call waits for it, so that missing synchronisation shows.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <semaphore.h>
#include <stdlib.h>

#include "driver/cuda-api.h"
#include "fake-machine.h"
#include "tap.h"

static CUfunction f_add;

static void
add (CUstream stream, CUdeviceptr p, unsigned n)
{
  void *params[] = { &p, &n };
  cuLaunchKernel (f_add, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

static int
polls (CUresult (*query) (void *), void *handle)
{
  int n = 0;
  while (query (handle) == CUDA_ERROR_NOT_READY && n < 1000000)
    n++;
  return n;
}

/* What P is when a graph has set it to 5 and added N, the second behind the first
   where that is said.  */
static int
by_graph (CUdeviceptr p, unsigned n, bool behind)
{
  int got;
  CUgraph g;
  CUgraphExec e;
  CUgraphNode set, kernel;
  void *params[] = { &p, &n };
  CUDA_MEMSET_NODE_PARAMS m = { .dst = p, .value = 5, .elementSize = 4,
				.width = 1, .height = 1 };
  CUDA_KERNEL_NODE_PARAMS_v1 k = { .func = f_add, .gridDimX = 1, .gridDimY = 1,
				   .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1,
				   .blockDimZ = 1, .kernelParams = params };
  cuGraphCreate (&g, 0);
  cuGraphAddMemsetNode (&set, g, NULL, 0, &m, NULL);
  cuGraphAddKernelNode (&kernel, g, &set, behind, &k);
  cuGraphInstantiateWithFlags (&e, g, 0);
  cuGraphLaunch (e, NULL);
  cuMemcpyDtoH (&got, p, 4);
  cuGraphExecDestroy (e);
  cuGraphDestroy (g);
  return got;
}

static CUresult
query_stream (void *s)
{
  return cuStreamQuery (s);
}

static CUresult
query_event (void *e)
{
  return cuEventQuery (e);
}

static sem_t called;

static void
post (CUstream stream, CUresult status, void *data)
{
  (void) stream;
  (void) status;
  (void) data;
  sem_post (&called);
}

int
main (void)
{
  CUstream a, b, c;
  CUevent e;
  CUdeviceptr p;
  int *got;
  setenv ("ACCRETE_EMU_DELAY", "1", 1);
  fake_start ();
  f_add = fake_function ("add");
  cuStreamCreate (&a, CU_STREAM_NON_BLOCKING);
  cuStreamCreate (&b, CU_STREAM_NON_BLOCKING);
  cuStreamCreate (&c, 0);
  cuEventCreate (&e, 0);
  cuMemHostAlloc ((void **) &got, 2 * sizeof *got, 0);
  cuMemAlloc (&p, 4);
  cuMemsetD32 (p, 0, 1);
  cuCtxSynchronize ();

  *got = -1;
  add (a, p, 1);
  cuMemcpyDtoHAsync (got, p, 4, a);
  add (b, p, 10);
  cuStreamSynchronize (b);
  ok_int (*got, -1, "waiting for one stream leaves another held back");
  cuStreamSynchronize (a);
  ok_int (*got, 11, "waiting for it lets it run");

  add (a, p, 1);
  cuEventRecord (e, a);
  add (a, p, 100);
  cuStreamWaitEvent (b, e, 0);
  cuMemcpyDtoHAsync (got, p, 4, b);
  cuStreamSynchronize (b);
  ok_int (*got, 12, "what is waited for runs up to the event, not beyond");
  cuEventSynchronize (e);
  cuStreamSynchronize (a);

  *got = 0;
  add (c, p, 1000);
  add (NULL, p, 1);
  cuMemcpyDtoHAsync (got, p, 4, c);
  cuStreamSynchronize (c);
  ok_int (*got, 1113, "so does the NULL stream in between");

  add (NULL, p, 1);
  *got = 0;
  cuMemcpyDtoH (got, p, 4);
  ok_int (*got, 1114, "a synchronous copy waits for the NULL stream");

  add (a, p, 1);
  cuEventRecord (e, a);
  int n = polls (query_event, e);
  ok (n > 0 && n < 1000000, "asking for an event brings it on");
  add (a, p, 1);
  add (a, p, 1);
  n = polls (query_stream, a);
  ok (n > 0 && n < 1000000, "asking for a stream brings it on");

  add (a, p, 1);
  CUdeviceptr other;
  cuMemAlloc (&other, 4);
  ok_int (cuMemFree (other), CUDA_SUCCESS, "freeing waits for everything");
  ok_int (cuStreamQuery (a), CUDA_SUCCESS, "as it does on the real driver");

  *got = -1;
  cuMemcpyDtoHAsync (got, p, 4, a);
  sem_init (&called, 0, 0);
  cuStreamAddCallback (a, post, NULL, 0);
  cuMemcpyDtoHAsync (got + 1, p, 4, a);
  ok_int (*got, -1, "a callback does not hurry");
  while (sem_wait (&called))
    ;
  ok_int (*got, 1118, "but comes without a call, and what is before it");
  cuStreamSynchronize (a);

  add (c, p, 1);
  cuStreamDestroy (c);
  cuCtxSynchronize ();
  cuMemcpyDtoH (got, p, 4);
  ok_int (*got, 1119, "a destroyed stream is not forgotten");

  ok_int (by_graph (p, 3, true), 8, "a graph's node is behind what it depends on");
  ok_int (by_graph (p, 3, false), 5, "and what does not depend comes the other way round");
  return done_testing ();
}

/* What plain host programs of the driver API do, on the emulated driver and
   machine: code in libraries, launches by configuration, per-thread streams,
   advice, graphs; and what they do wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/cuda-api.h"
#include "tap.h"

#define HEADER ".version 7.8\n.target sm_90\n.address_size 64\n"

static const char ptx[] = HEADER
  ".visible .global .align 4 .u32 scale = 3;\n"
  /* out[thread] = scale * (block + n) */
  ".visible .entry fill (.param .u64 out, .param .u32 n)\n"
  "{ .reg .u32 %i, %n, %t, %s; .reg .u64 %o, %p;\n"
  "  ld.param.u64 %p, [out]; ld.param.u32 %n, [n];\n"
  "  mov.u32 %i, %ctaid.x; add.u32 %n, %n, %i; mov.u32 %t, %ntid.x;\n"
  "  mul.lo.u32 %i, %i, %t; mov.u32 %t, %tid.x; add.u32 %i, %i, %t;\n"
  "  mul.wide.u32 %o, %i, 4; add.u64 %o, %o, %p;\n"
  "  ld.global.u32 %s, [scale]; mul.lo.u32 %n, %n, %s;\n"
  "  st.global.u32 [%o], %n; ret; }\n"
  ".visible .entry shares () { .shared .align 4 .b8 all[40000]; ret; }\n"
  ".visible .entry forever () { L: bra L; }\n";

static CUcontext ctx;

static bool
filled (CUdeviceptr at, unsigned n)
{
  unsigned got[64];
  cuMemcpyDtoH (got, at, sizeof got);
  for (unsigned i = 0; i < 64; i++)
    if (got[i] != 3 * (i / 32 + n))
      {
	diag ("[%u] = %u", i, got[i]);
	return false;
      }
  return true;
}

static void
libraries (CUdeviceptr out)
{
  CUlibrary l;
  CUkernel k, again;
  CUfunction fn;
  CUmodule m, same;
  CUdeviceptr scale;
  size_t bytes;
  int threads;
  const char *name;
  unsigned n = 5;
  void *params[] = { &out, &n };
  ok_int (cuLibraryLoadData (&l, ptx, NULL, NULL, 0, NULL, NULL, 0),
	  CUDA_SUCCESS, "a library");
  ok_int (cuLibraryGetKernel (&k, l, "fill"), CUDA_SUCCESS, "a kernel");
  ok_int (cuLibraryGetKernel (&again, l, "fill"), CUDA_SUCCESS, "once more");
  ok (k == again, "is the same");
  ok_int (cuLibraryGetKernel (&again, l, "none"), CUDA_ERROR_NOT_FOUND,
	  "no such kernel");
  ok (!cuKernelGetName (&name, k) && !strcmp (name, "fill"), "its name");
  ok_int (cuLibraryGetModule (&m, l), CUDA_SUCCESS, "the module");
  ok (!cuKernelGetFunction (&fn, k) && !cuFuncGetModule (&same, fn)
	&& same == m,
      "has the kernel's function");
  ok_int (cuKernelGetAttribute (&threads,
				CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, 0),
	  CUDA_SUCCESS, "an attribute");
  ok (threads >= 32, "is plausible");
  ok_int (cuLibraryGetGlobal (&scale, &bytes, l, "scale"), CUDA_SUCCESS,
	  "a variable");
  ok_int (bytes, 4, "has its size");
  ok_int (cuLaunchKernel ((CUfunction) k, 2, 1, 1, 32, 1, 1, 0, NULL, params,
			  NULL),
	  CUDA_SUCCESS, "a kernel in place of a function");
  ok (filled (out, 5), "runs");
  ok_int (cuLibraryUnload (l), CUDA_SUCCESS, "the end of a library");
  ok_int (cuLibraryUnload (l), CUDA_ERROR_INVALID_HANDLE, "is not twice");
  ok_int (cuLaunchKernel ((CUfunction) k, 1, 1, 1, 1, 1, 1, 0, NULL, params,
			  NULL),
	  CUDA_ERROR_INVALID_HANDLE, "and of its kernels");
}

static void
configured (CUfunction fn, CUdeviceptr out)
{
  unsigned n = 9;
  void *params[] = { &out, &n };
  CUlaunchAttribute a = { .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
			  .value.cooperative = 1 };
  CUlaunchConfig c = { .gridDimX = 2, .gridDimY = 1, .gridDimZ = 1,
		       .blockDimX = 32, .blockDimY = 1, .blockDimZ = 1,
		       .attrs = &a, .numAttrs = 1 };
  ok_int (cuLaunchKernelEx (&c, fn, params, NULL), CUDA_SUCCESS,
	  "a launch by configuration");
  ok (filled (out, 9), "runs");
  c.gridDimX = 1 << 30;
  ok_int (cuLaunchKernelEx (&c, fn, params, NULL),
	  CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "its attribute counts");
  c.gridDimX = 2;
  a.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  a.value.clusterDim.x = 2;
  ok_int (cuLaunchKernelEx (&c, fn, params, NULL), CUDA_ERROR_NOT_SUPPORTED,
	  "clusters are refused");
}

static void
per_thread (CUfunction fn, CUdeviceptr out)
{
  CUresult (*launch) (CUfunction, unsigned, unsigned, unsigned, unsigned,
		      unsigned, unsigned, unsigned, CUstream, void **, void **);
  unsigned n = 2;
  void *params[] = { &out, &n }, *p;
  ok_int (cuGetProcAddress ("cuLaunchKernel", &p, 12000,
			    CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM),
	  CUDA_SUCCESS, "an entry for per-thread streams");
  ok (p == (void *) cuLaunchKernel_ptsz, "is the one of that name");
  memcpy (&launch, &p, sizeof launch);
  ok_int (launch (fn, 2, 1, 1, 32, 1, 1, 0, NULL, params, NULL), CUDA_SUCCESS,
	  "launches");
  ok_int (cuStreamSynchronize_ptsz (NULL), CUDA_SUCCESS, "in its own stream");
  ok (filled (out, 2), "and runs");
  CUcontext of;
  ok (!cuStreamGetCtx_ptsz (NULL, &of) && of == ctx, "of this context");
  ok_int (cuMemsetD32_v2_ptds (out, 7, 64), CUDA_SUCCESS, "a synchronous one");
  unsigned first;
  ok (!cuMemcpyDtoH_v2_ptds (&first, out, 4) && first == 7, "has run");
}

static void
managed (CUdeviceptr plain)
{
  CUdeviceptr at;
  CUmemLocation host = { CU_MEM_LOCATION_TYPE_HOST, 0 };
  CUstreamCaptureStatus status;
  cuMemAllocManaged (&at, 4096, CU_MEM_ATTACH_GLOBAL);
  ok_int (cuMemAdvise (at, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0),
	  CUDA_SUCCESS, "advice");
  ok_int (cuMemAdvise_v2 (at, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
			  host),
	  CUDA_SUCCESS, "with a place");
  ok_int (cuMemAdvise (at, 8192, CU_MEM_ADVISE_SET_READ_MOSTLY, 0),
	  CUDA_ERROR_INVALID_VALUE, "on too much");
  ok_int (cuMemAdvise (plain, 4, CU_MEM_ADVISE_SET_READ_MOSTLY, 0),
	  CUDA_ERROR_INVALID_VALUE, "on what is not managed");
  ok_int (cuMemPrefetchAsync (at, 4096, 0, NULL), CUDA_SUCCESS, "a prefetch");
  ok_int (cuMemPrefetchAsync (at, 4096, 99, NULL), CUDA_ERROR_INVALID_DEVICE,
	  "to no device");
  ok_int (cuMemFree (at), CUDA_SUCCESS, "freed");
  ok_int (cuStreamBeginCapture (CU_STREAM_PER_THREAD,
				CU_STREAM_CAPTURE_MODE_GLOBAL),
	  CUDA_ERROR_NOT_SUPPORTED, "capture is refused");
  ok (!cuStreamIsCapturing (CU_STREAM_PER_THREAD, &status)
	&& status == CU_STREAM_CAPTURE_STATUS_NONE,
      "and so has not begun");
}

static void
count_call (void *n)
{
  ++*(int *) n;
}

/* Zeros, a kernel, a copy back and a call of the host; twice.  */
static void
graphs (CUfunction fn, CUdeviceptr out)
{
  CUgraph g;
  CUgraphExec e;
  CUgraphNode zeros, kernel, copy, call, join, nodes[8];
  CUstream s;
  unsigned n = 4, got[64];
  int calls = 0;
  size_t count = 8;
  void *params[] = { &out, &n };
  cuStreamCreate (&s, CU_STREAM_NON_BLOCKING);
  ok_int (cuGraphCreate (&g, 0), CUDA_SUCCESS, "a graph");
  CUDA_MEMSET_NODE_PARAMS m = { .dst = out, .value = 1, .elementSize = 4,
				.width = 64, .height = 1 };
  ok_int (cuGraphAddMemsetNode (&zeros, g, NULL, 0, &m, ctx), CUDA_SUCCESS,
	  "a memset");
  CUDA_KERNEL_NODE_PARAMS_v2 k
    = { .func = fn, .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1,
	.blockDimX = 32, .blockDimY = 1, .blockDimZ = 1,
	.kernelParams = params };
  ok_int (cuGraphAddKernelNode_v2 (&kernel, g, &zeros, 1, &k), CUDA_SUCCESS,
	  "a kernel behind it");
  CUDA_MEMCPY3D c = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = out,
		      .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = got,
		      .WidthInBytes = sizeof got, .Height = 1, .Depth = 1 };
  ok_int (cuGraphAddMemcpyNode (&copy, g, &kernel, 1, &c, ctx), CUDA_SUCCESS,
	  "a copy");
  CUDA_HOST_NODE_PARAMS h = { count_call, &calls };
  ok_int (cuGraphAddHostNode (&call, g, &copy, 1, &h), CUDA_SUCCESS, "a call");
  CUgraphNode both[] = { copy, call };
  ok_int (cuGraphAddEmptyNode (&join, g, both, 2), CUDA_SUCCESS,
	  "what is behind two");
  ok_int (cuGraphAddEmptyNode (&join, g, (CUgraphNode[]) { NULL }, 1),
	  CUDA_ERROR_INVALID_VALUE, "nothing is behind what is no node");
  ok (!cuGraphGetNodes (g, nodes, &count) && count == 5 && nodes[1] == kernel,
      "all are there");
  ok_int (cuGraphInstantiateWithFlags (&e, g, 0), CUDA_SUCCESS, "made ready");
  n = 99;			/* was read when the node was added */
  ok_int (cuGraphDestroy (g), CUDA_SUCCESS, "without the graph");
  for (int round = 0; round < 2; round++)
    {
      memset (got, 0, sizeof got);
      ok_int (cuGraphLaunch (e, s), CUDA_SUCCESS, "launched");
      ok_int (cuStreamSynchronize (s), CUDA_SUCCESS, "run");
      ok (got[0] == 12 && got[31] == 12 && got[32] == 1 && got[63] == 1,
	  "in order");
    }
  ok_int (calls, 2, "calls of the host");
  ok_int (cuGraphExecDestroy (e), CUDA_SUCCESS, "the end");
  ok_int (cuGraphLaunch (e, s), CUDA_ERROR_INVALID_VALUE, "of it");
  cuStreamDestroy (s);
}

/* A graph's kernel gets other parameters and blocks while it is on its way.  */
static void
changed_graph (CUfunction fn, CUfunction other, CUdeviceptr out)
{
  CUgraph g;
  CUgraphExec e;
  CUgraphNode kernel;
  unsigned n = 4;
  void *params[] = { &out, &n };
  CUDA_KERNEL_NODE_PARAMS_v1 k
    = { .func = fn, .gridDimX = 2, .gridDimY = 1, .gridDimZ = 1,
	.blockDimX = 32, .blockDimY = 1, .blockDimZ = 1,
	.kernelParams = params };
  cuGraphCreate (&g, 0);
  cuGraphAddKernelNode (&kernel, g, NULL, 0, &k);
  cuGraphInstantiateWithFlags (&e, g, 0);
  ok_int (cuGraphLaunch (e, NULL), CUDA_SUCCESS, "launched");
  n = 7;
  k.gridDimX = 1;
  ok_int (cuGraphExecKernelNodeSetParams (e, kernel, &k), CUDA_SUCCESS,
	  "other parameters");
  n = 99;
  cuCtxSynchronize ();
  ok (filled (out, 4), "what was launched had its own");
  ok_int (cuGraphLaunch (e, NULL), CUDA_SUCCESS, "launched again");
  unsigned got[64];
  cuMemcpyDtoH (got, out, sizeof got);
  ok (got[0] == 21 && got[31] == 21 && got[32] == 15, "with the new ones");
  CUDA_KERNEL_NODE_PARAMS_v2 newer = { 0 };
  memcpy (&newer, &k, sizeof k);
  n = 8;
  ok_int (cuGraphExecKernelNodeSetParams_v2 (e, kernel, &newer), CUDA_SUCCESS,
	  "others, by the newer entry");
  ok_int (cuGraphLaunch (e, NULL), CUDA_SUCCESS, "launched a third time");
  cuMemcpyDtoH (got, out, sizeof got);
  ok (got[0] == 24 && got[32] == 15, "with these");
  k.func = other;
  ok_int (cuGraphExecKernelNodeSetParams (e, kernel, &k),
	  CUDA_ERROR_NOT_SUPPORTED, "a kernel with fewer");
  ok_int (cuGraphExecKernelNodeSetParams (e, NULL, &k),
	  CUDA_ERROR_INVALID_VALUE, "no node of it");
  cuGraphExecDestroy (e);
  cuGraphDestroy (g);
}

/* ---- Bad input ------------------------------------------------------------------ */

static CUresult
load (const char *text, char *log, size_t size)
{
  CUmodule m;
  CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER,
			     CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { log, (void *) size };
  return cuModuleLoadDataEx (&m, text, 2, options, values);
}

static unsigned
lines (const char *text)
{
  unsigned n = 0;
  for (; *text; text++)
    n += *text == '\n';
  return n;
}

static void
bad_units (void)
{
  char log[1000] = "";
  ok_int (load (HEADER ".visible .entry k () { .reg .u32 %a;\n"
		       "frobnicate.u32 %a, %a; ret; }\n", log, sizeof log),
	  CUDA_ERROR_INVALID_PTX, "an instruction that PTX has not");
  ok (strstr (log, "frobnicate") && lines (log) <= 1, "is named in a line: %s",
      log);
  ok_int (load (HEADER ".extern .func gone ();\n"
		       ".visible .entry k () { call gone; ret; }\n",
		log, sizeof log),
	  CUDA_ERROR_INVALID_PTX, "a function that is nowhere");
  ok (strstr (log, "gone") && lines (log) <= 1, "is named in a line: %s", log);
  ok_int (load (HEADER ".visible .entry k () { bra NOWHERE; }\n", log,
		sizeof log),
	  CUDA_ERROR_INVALID_PTX, "a label that is nowhere");
  ok (strstr (log, "NOWHERE") && lines (log) <= 1, "is named in a line: %s",
      log);
  ok_int (load ("no PTX", log, sizeof log), CUDA_ERROR_INVALID_IMAGE,
	  "no PTX at all");
}

static void
bad_launches (CUmodule m, CUfunction fn, CUdeviceptr out)
{
  unsigned n = 1;
  void *params[] = { &out, &n };
  CUfunction shares;
  ok_int (cuLaunchKernel (fn, 1, 1, 1, 1025, 1, 1, 0, NULL, params, NULL),
	  CUDA_ERROR_INVALID_VALUE, "too many threads");
  ok_int (cuLaunchKernel (fn, 1, 65536, 1, 1, 1, 1, 0, NULL, params, NULL),
	  CUDA_ERROR_INVALID_VALUE, "too many blocks");
  ok_int (cuLaunchKernel (fn, 0, 1, 1, 1, 1, 1, 0, NULL, params, NULL),
	  CUDA_ERROR_INVALID_VALUE, "no blocks");
  ok_int (cuModuleGetFunction (&shares, m, "shares"), CUDA_SUCCESS,
	  "a kernel with shared memory");
  ok_int (cuLaunchKernel (shares, 1, 1, 1, 1, 1, 1, 20000, NULL, NULL, NULL),
	  CUDA_ERROR_INVALID_VALUE, "more than it may ask for");
  ok_int (cuFuncSetAttribute (shares,
			      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			      1 << 20),
	  CUDA_ERROR_INVALID_VALUE, "or the GPU has");
  ok_int (cuFuncSetAttribute (shares,
			      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			      20000),
	  CUDA_SUCCESS, "if it asks first");
  ok_int (cuLaunchKernel (shares, 1, 1, 1, 1, 1, 1, 20000, NULL, NULL, NULL),
	  CUDA_SUCCESS, "it may");
  ok_int (cuCtxSynchronize (), CUDA_SUCCESS, "nothing has failed");
}

/* The last one: the context is lost.  */
static void
endless (CUmodule m)
{
  CUfunction forever;
  char said[500] = "";
  cuModuleGetFunction (&forever, m, "forever");
  FILE *f = tmpfile ();
  int old = dup (2);
  dup2 (fileno (f), 2);
  CUresult launched
    = cuLaunchKernel (forever, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
  CUresult r = cuCtxSynchronize ();
  dup2 (old, 2);
  close (old);
  rewind (f);
  said[fread (said, 1, sizeof said - 1, f)] = 0;
  fclose (f);
  ok_int (launched, CUDA_SUCCESS, "a kernel without an end");
  ok_int (r, CUDA_ERROR_LAUNCH_TIMEOUT, "runs out of time");
  ok (lines (said) == 1 && strstr (said, "forever"), "and a line says so: %s",
      said);
}

int
main (void)
{
  setenv ("ACCRETE_EMU_TIMEOUT", "1", 1);
  CUmodule m;
  CUfunction fn, other;
  CUdeviceptr out;
  cuInit (0);
  cuCtxCreate (&ctx, 0, 0);
  cuMemAlloc (&out, 64 * 4);
  libraries (out);
  cuModuleLoadData (&m, ptx);
  cuModuleGetFunction (&fn, m, "fill");
  configured (fn, out);
  per_thread (fn, out);
  managed (out);
  graphs (fn, out);
  cuModuleGetFunction (&other, m, "shares");
  changed_graph (fn, other, out);
  bad_units ();
  bad_launches (m, fn, out);
  endless (m);
  return done_testing ();
}

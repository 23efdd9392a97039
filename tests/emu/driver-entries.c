/* Entry points that libgomp's plugins of GCC 14 and 16 and plain host programs
   call, and no other test: each once, on two devices.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/cuda-api.h"
#include "tap.h"

static const char ptx[]
  = ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry k () .maxntid 256, 1, 1 { ret; }\n";

static CUcontext ctx[2];

#define FINE(what, call) ok_int (call, CUDA_SUCCESS, what)

static void
contexts (void)
{
  int major, minor, can = 0, least = 1, greatest = 1;
  FINE ("the first device's context", cuCtxCreate_v4 (&ctx[0], NULL, 0, 0));
  FINE ("the second's", cuCtxCreate (&ctx[1], 0, 1));
  FINE ("its capability", cuDeviceComputeCapability (&major, &minor, 1));
  ok (major == 9 && minor == 0, "is the model's");
  FINE ("whether one sees the other", cuDeviceCanAccessPeer (&can, 0, 1));
  ok_int (can, 1, "it does");
  FINE ("access", cuCtxEnablePeerAccess (ctx[0], 0));
  ok_int (cuCtxEnablePeerAccess (ctx[0], 0),
	  CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "but once");
  FINE ("no more", cuCtxDisablePeerAccess (ctx[0]));
  ok_int (cuCtxDisablePeerAccess (ctx[0]), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED,
	  "but once");
  FINE ("priorities", cuCtxGetStreamPriorityRange (&least, &greatest));
  ok (least == 0 && greatest < 0, "smaller is greater");
  size_t heap = 0;
  CUfunc_cache config = CU_FUNC_CACHE_PREFER_NONE;
  FINE ("a larger heap", cuCtxSetLimit (CU_LIMIT_MALLOC_HEAP_SIZE, 64 << 20));
  FINE ("which", cuCtxGetLimit (&heap, CU_LIMIT_MALLOC_HEAP_SIZE));
  ok (heap >= 64 << 20, "it is");
  FINE ("a preference", cuCtxSetCacheConfig (CU_FUNC_CACHE_PREFER_L1));
  FINE ("which", cuCtxGetCacheConfig (&config));
  ok_int (config, CU_FUNC_CACHE_PREFER_L1, "this one");
  FINE ("profiling", cuProfilerStart ());
  FINE ("and its end", cuProfilerStop ());
  CUcontext primary;
  unsigned flags;
  int active = 1;
  FINE ("a primary context", cuDevicePrimaryCtxRetain (&primary, 1));
  FINE ("made anew", cuDevicePrimaryCtxReset (1));
  FINE ("its state", cuDevicePrimaryCtxGetState (1, &flags, &active));
  ok_int (active, 0, "nobody has it");
}

static void
copies (void)
{
  unsigned char a[64], b[64];
  unsigned short wide[32];
  CUdeviceptr p, q;
  CUstream s;
  for (int i = 0; i < 64; i++)
    a[i] = (unsigned char) (i * 7);
  cuStreamCreate (&s, CU_STREAM_NON_BLOCKING);
  cuMemAlloc (&q, 64);
  cuCtxPushCurrent (ctx[0]);
  cuMemAlloc (&p, 64);
  cuCtxPopCurrent (NULL);
  cuMemcpyHtoD (p, a, 64);
  cuCtxSynchronize ();		/* the stream S does not wait for others */
  FINE ("from device to device", cuMemcpyPeer (q, ctx[1], p, ctx[0], 32));
  cuCtxSynchronize ();
  FINE ("later", cuMemcpyPeerAsync (q + 32, ctx[1], p + 32, ctx[0], 32, s));
  FINE ("and back by addresses alone", cuMemcpyAsync ((CUdeviceptr) (uintptr_t) b,
						      q, 64, s));
  cuStreamSynchronize (s);
  ok (!memcmp (a, b, 64), "all of it");
  CUDA_MEMCPY2D c = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = q,
		      .srcPitch = 8, .srcXInBytes = 1,
		      .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = b,
		      .dstPitch = 3, .WidthInBytes = 3, .Height = 8 };
  FINE ("three columns", cuMemcpy2DUnaligned (&c));
  ok (b[0] == a[1] && b[2] == a[3] && b[3] == a[9] && b[23] == a[59], "these");
  FINE ("16 bits wide", cuMemsetD16Async (q, 0x1234, 32, s));
  cuCtxSynchronize ();
  FINE ("a rectangle", cuMemsetD2D16 (q + 2, 16, 7, 2, 4));
  cuCtxSynchronize ();
  FINE ("of bytes", cuMemsetD2D8Async (q + 8, 16, 9, 2, 4, s));
  FINE ("of halves", cuMemsetD2D16Async (q + 10, 16, 8, 1, 4, s));
  FINE ("of words", cuMemsetD2D32Async (q + 12, 16, 6, 1, 4, s));
  cuStreamSynchronize (s);
  cuMemcpyDtoH (wide, q, 64);
  bool right = true;
  for (int i = 0; i < 32; i++)
    {
      static const unsigned short row[]
	= { 0x1234, 7, 7, 0x1234, 0x0909, 8, 6, 0 };
      right &= wide[i] == row[i % 8];
    }
  ok (right, "each where it belongs");
  CUdeviceptr m;
  cuMemAllocManaged (&m, 64, CU_MEM_ATTACH_GLOBAL);
  FINE ("managed memory for a stream",
	cuStreamAttachMemAsync (s, m, 0, CU_MEM_ATTACH_SINGLE));
  CUmemLocation host = { CU_MEM_LOCATION_TYPE_HOST, 0 };
  FINE ("to the host", cuMemPrefetchAsync_v2 (m, 64, host, 0, s));
  CUmemoryPool pool;
  FINE ("a pool", cuDeviceGetMemPool (&pool, 1));
  FINE ("is trimmed", cuMemPoolTrimTo (pool, 0));
  cuMemFree (m);
  cuMemFree (p);
  cuMemFree (q);
  cuStreamDestroy (s);
}

static size_t
shared_of (int block)
{
  return (size_t) block * 100;
}

static void
code (void)
{
  CUmodule m;
  CUmoduleLoadingMode mode;
  CUfunction f;
  CUfunctionLoadingState state;
  CUlibrary l, of;
  CUkernel k;
  int n = 0, grid = 0, block = 0, dynamic = 0;
  FINE ("how modules are loaded", cuModuleGetLoadingMode (&mode));
  FINE ("one", cuModuleLoadFatBinary (&m, ptx));
  cuModuleGetFunction (&f, m, "k");
  FINE ("its function", cuFuncLoad (f));
  FINE ("whether it is there", cuFuncIsLoaded (&state, f));
  ok_int (state, CU_FUNCTION_LOADING_STATE_LOADED, "it is");
  FINE ("its preference", cuFuncSetCacheConfig (f, CU_FUNC_CACHE_PREFER_L1));
  FINE ("blocks at a time",
	cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags (&n, f, 256, 0, 0));
  ok_int (n, 8, "as many as 2048 threads are");
  FINE ("the best block",
	cuOccupancyMaxPotentialBlockSizeWithFlags (&grid, &block, f, shared_of, 0,
						   0, 0));
  ok (block == 256 && grid > 0, "is the largest allowed (%d)", block);
  char path[] = "/tmp/accrete-entries-XXXXXX";
  int fd = mkstemp (path);
  ok (fd >= 0 && write (fd, ptx, sizeof ptx - 1) == sizeof ptx - 1, "a file");
  close (fd);
  FINE ("is a library",
	cuLibraryLoadFromFile (&l, path, NULL, NULL, 0, NULL, NULL, 0));
  unlink (path);
  cuLibraryGetKernel (&k, l, "k");
  FINE ("a kernel's library", cuKernelGetLibrary (&of, k));
  ok (of == l, "is this one");
#define DYNAMIC CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  FINE ("more shared memory", cuKernelSetAttribute (DYNAMIC, 99000, k, 1));
  FINE ("which", cuKernelGetAttribute (&dynamic, DYNAMIC, k, 1));
  ok_int (dynamic, 99000, "as asked for");
  cuLibraryUnload (l);

  CUgraph g;
  CUgraphNode node, wrong;
  CUgraphExec e;
  CUstream s, of_graph;
  CUcontext where;
  unsigned flags = 0;
  int priority = 0;
  FINE ("a stream", cuStreamCreateWithPriority (&s, CU_STREAM_NON_BLOCKING, -1));
  of_graph = s;
  FINE ("its flags", cuStreamGetFlags (s, &flags));
  ok_int (flags, CU_STREAM_NON_BLOCKING, "as given");
  FINE ("its priority", cuStreamGetPriority (s, &priority));
  ok_int (priority, -1, "as given");
  FINE ("its context", cuStreamGetCtx (s, &where));
  ok (where == ctx[1], "the current one");
  cuGraphCreate (&g, 0);
  cuGraphAddEmptyNode (&node, g, NULL, 0);
  FINE ("a graph", cuGraphInstantiate (&e, g, &wrong, NULL, 0));
  FINE ("ahead of time", cuGraphUpload (e, of_graph));
  FINE ("launched", cuGraphLaunch (e, of_graph));
  ok_int (cuStreamEndCapture (s, &g), CUDA_ERROR_ILLEGAL_STATE,
	  "nothing is captured");
  CUevent event;
  cuEventCreate (&event, 0);
  FINE ("an event", cuEventRecordWithFlags (event, s, 0));
  FINE ("comes", cuEventSynchronize (event));
  cuGraphExecDestroy (e);
  cuStreamDestroy (s);
  cuModuleUnload (m);
}

int
main (void)
{
  setenv ("ACCRETE_EMU_DEVICES", "2", 1);
  cuInit (0);
  contexts ();
  copies ();
  code ();
  FINE ("the end", cuCtxDestroy (ctx[1]));
  FINE ("of both", cuCtxDestroy (ctx[0]));
  return done_testing ();
}

/* The emulated driver: start, devices, contexts, handles, look-up.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>

#include "driver/cuda-api.h"
#include "fake-machine.h"
#include "tap.h"

static void
before_init (void)
{
  int n;
  CUcontext ctx;
  const char *text;
  ok_int (cuDeviceGetCount (&n), CUDA_ERROR_NOT_INITIALIZED,
	  "no devices before cuInit");
  ok_int (cuCtxCreate (&ctx, 0, 0), CUDA_ERROR_NOT_INITIALIZED,
	  "no context before cuInit");
  ok_int (cuCtxSynchronize (), CUDA_ERROR_NOT_INITIALIZED,
	  "nothing to wait for before cuInit");
  ok_int (cuGetErrorString (CUDA_ERROR_NOT_INITIALIZED, &text), CUDA_SUCCESS,
	  "errors have texts before cuInit");
  ok_str (text, "initialization error", "text of an error");
  ok_int (cuGetErrorName (CUDA_ERROR_LAUNCH_FAILED, &text), CUDA_SUCCESS,
	  "errors have names");
  ok_str (text, "CUDA_ERROR_LAUNCH_FAILED", "name of an error");
  ok_int (cuGetErrorName (12345, &text), CUDA_ERROR_INVALID_VALUE,
	  "an unknown error has no name");
  ok (!text, "and NULL is stored");
  ok_int (cuDriverGetVersion (&n), CUDA_SUCCESS, "the version is known");
  ok (n >= 12000, "and at least 12.0");
  ok_int (cuInit (1), CUDA_ERROR_INVALID_VALUE, "cuInit takes no flags");
  ok_int (cuInit (0), CUDA_SUCCESS, "cuInit");
  ok_int (cuInit (0), CUDA_SUCCESS, "cuInit again");
}

static void
devices (void)
{
  int n, value;
  size_t bytes;
  char text[64];
  CUdevice dev;
  CUuuid a, b;
  ok_int (cuDeviceGetCount (&n), CUDA_SUCCESS, "cuDeviceGetCount");
  ok_int (n, 2, "as many devices as ACCRETE_EMU_DEVICES says");
  ok_int (cuDeviceGet (&dev, 2), CUDA_ERROR_INVALID_DEVICE, "no third device");
  ok_int (cuDeviceGet (&dev, -1), CUDA_ERROR_INVALID_DEVICE, "no device -1");
  ok_int (cuDeviceGet (&dev, 1), CUDA_SUCCESS, "a second device");
  ok_int (cuDeviceGetName (text, sizeof text, 0), CUDA_SUCCESS, "its name");
  ok_str (text, "NVIDIA A100-SXM4-80GB", "name of the model asked for");
  ok_int (cuDeviceGetName (text, 7, 0), CUDA_SUCCESS, "a short buffer");
  ok_str (text, "NVIDIA", "gets the start of the name");
  ok_int (cuDeviceTotalMem (&bytes, 0), CUDA_SUCCESS, "cuDeviceTotalMem");
  ok (bytes == (size_t) 80 << 30, "memory of the model");
  ok_int (cuDeviceGetAttribute (&value,
				CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0),
	  CUDA_SUCCESS, "an attribute");
  ok_int (value, 108, "of the model");
  ok_int (cuDeviceGetAttribute (&value, 0, 0), CUDA_ERROR_INVALID_VALUE,
	  "attribute 0 does not exist");
  ok_int (cuDeviceGetAttribute (&value, 4711, 0), CUDA_ERROR_INVALID_VALUE,
	  "nor 4711");
  ok_int (cuDeviceGetAttribute (&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 7),
	  CUDA_ERROR_INVALID_DEVICE, "attributes of no device");
  ok_int (cuDeviceGetAttribute (NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0),
	  CUDA_ERROR_INVALID_VALUE, "nowhere to put an attribute");
  ok_int (cuDeviceGetUuid (&a, 0) | cuDeviceGetUuid_v2 (&b, 1), CUDA_SUCCESS,
	  "cuDeviceGetUuid");
  ok (memcmp (&a, &b, sizeof a), "differs between devices");
  ok_int (cuDeviceGetPCIBusId (text, sizeof text, 1), CUDA_SUCCESS,
	  "cuDeviceGetPCIBusId");
  ok_int (cuDeviceGetByPCIBusId (&dev, text), CUDA_SUCCESS, "and back");
  ok_int (dev, 1, "to the same device");
  ok_int (cuDeviceGetByPCIBusId (&dev, "0000:7f:00.0"),
	  CUDA_ERROR_INVALID_DEVICE, "an empty slot");
  ok_int (cuDeviceGetByPCIBusId (&dev, "nonsense"), CUDA_ERROR_INVALID_VALUE,
	  "no slot at all");
}

static void *
other_thread (void *expected)
{
  CUcontext ctx = expected;
  CUresult r = cuCtxGetCurrent (&ctx);
  return (void *) (uintptr_t) (r || ctx);
}

static void
contexts (void)
{
  CUcontext a, b, c;
  CUdevice dev;
  unsigned version;
  void *failed;
  pthread_t thread;
  ok_int (cuCtxGetDevice (&dev), CUDA_ERROR_INVALID_CONTEXT,
	  "no current context at first");
  ok_int (cuMemAlloc (NULL, 1), CUDA_ERROR_INVALID_CONTEXT,
	  "a context is missed before the arguments are looked at");
  ok_int (cuCtxPopCurrent (&a), CUDA_ERROR_INVALID_CONTEXT, "nothing to pop");
  ok_int (cuCtxCreate (&a, 0, 5), CUDA_ERROR_INVALID_DEVICE,
	  "no context on no device");
  ok_int (cuCtxCreate (&a, 0x4000, 0), CUDA_ERROR_INVALID_VALUE,
	  "unknown flags");
  ok_int (cuCtxCreate (&a, 0, 0), CUDA_SUCCESS, "a context");
  ok_int (cuCtxCreate_v2 (&b, 0, 1), CUDA_SUCCESS, "another");
  cuCtxGetCurrent (&c);
  ok (c == b, "the newest is current");
  cuCtxGetDevice (&dev);
  ok_int (dev, 1, "on its device");
  ok_int (cuCtxGetApiVersion (b, &version), CUDA_SUCCESS, "API version");
  pthread_create (&thread, NULL, other_thread, NULL);
  pthread_join (thread, &failed);
  ok (!failed, "another thread has none");
  ok_int (cuCtxPopCurrent (&c), CUDA_SUCCESS, "pop");
  ok (c == b, "gives the current one");
  cuCtxGetDevice (&dev);
  ok_int (dev, 0, "and uncovers the first");
  ok_int (cuCtxPushCurrent (b), CUDA_SUCCESS, "push");
  ok_int (cuCtxDestroy (b), CUDA_SUCCESS, "destroy the current one");
  cuCtxGetCurrent (&c);
  ok (c == a, "which also pops it");
  ok_int (cuCtxDestroy (b), CUDA_ERROR_INVALID_CONTEXT, "not twice");
  ok_int (cuCtxPushCurrent (b), CUDA_ERROR_INVALID_CONTEXT,
	  "a dead context cannot be pushed");
  ok_int (cuCtxSetCurrent (NULL), CUDA_SUCCESS, "no current context");
  ok_int (cuCtxSynchronize (), CUDA_ERROR_INVALID_CONTEXT, "is none");
  ok_int (cuCtxSetCurrent (a), CUDA_SUCCESS, "set");
  ok_int (cuCtxSynchronize (), CUDA_SUCCESS, "works");
  ok_int (cuCtxDestroy (a), CUDA_SUCCESS, "destroy");
}

static void
primary (void)
{
  CUcontext a, b;
  unsigned flags;
  int active;
  cuDevicePrimaryCtxGetState (0, &flags, &active);
  ok_int (active, 0, "the primary context is not active at first");
  ok_int (cuDevicePrimaryCtxRelease (0), CUDA_ERROR_INVALID_CONTEXT,
	  "nor can it be released");
  ok_int (cuDevicePrimaryCtxSetFlags (0, CU_CTX_SCHED_SPIN), CUDA_SUCCESS,
	  "flags");
  ok_int (cuDevicePrimaryCtxRetain (&a, 0), CUDA_SUCCESS, "retain");
  ok_int (cuDevicePrimaryCtxRetain (&b, 0), CUDA_SUCCESS, "twice");
  ok (a == b, "is the same context");
  cuCtxSetCurrent (a);
  cuCtxGetFlags (&flags);
  ok_int (flags, CU_CTX_SCHED_SPIN, "has the flags");
  ok_int (cuCtxDestroy (a), CUDA_ERROR_INVALID_VALUE, "not for cuCtxDestroy");
  cuDevicePrimaryCtxRelease (0);
  cuDevicePrimaryCtxGetState (0, &flags, &active);
  ok_int (active, 1, "is active while retained");
  cuDevicePrimaryCtxRelease_v2 (0);
  cuDevicePrimaryCtxGetState (0, &flags, &active);
  ok_int (active, 0, "ends with the last release");
  ok_int (cuCtxSynchronize (), CUDA_ERROR_INVALID_CONTEXT,
	  "and then is not current any more");
  cuCtxPopCurrent (NULL);
}

static void
handles (void)
{
  int junk = 0;
  CUcontext ctx = fake_start ();
  CUstream stream;
  CUevent event;
  CUfunction fn = fake_function ("nothing");
  cuStreamCreate (&stream, 0);
  cuEventCreate (&event, 0);
  ok_int (cuStreamSynchronize ((CUstream) &junk), CUDA_ERROR_INVALID_HANDLE,
	  "an invented stream");
  ok_int (cuStreamSynchronize ((CUstream) event), CUDA_ERROR_INVALID_HANDLE,
	  "an event is no stream");
  ok_int (cuEventRecord (event, (CUstream) event), CUDA_ERROR_INVALID_HANDLE,
	  "nor when recording");
  ok_int (cuEventSynchronize ((CUevent) stream), CUDA_ERROR_INVALID_HANDLE,
	  "a stream is no event");
  ok_int (cuModuleUnload ((CUmodule) &junk), CUDA_ERROR_INVALID_HANDLE,
	  "an invented module");
  ok_int (cuLaunchKernel ((CUfunction) &junk, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0),
	  CUDA_ERROR_INVALID_HANDLE, "an invented function");
  ok_int (cuLaunchKernel (fn, 1, 1, 1, 1, 1, 1, 0, (CUstream) &junk, 0, 0),
	  CUDA_ERROR_INVALID_HANDLE, "a launch into an invented stream");
  ok_int (cuStreamDestroy (stream), CUDA_SUCCESS, "destroy a stream");
  ok_int (cuStreamDestroy (stream), CUDA_ERROR_INVALID_HANDLE, "not twice");
  ok_int (cuEventDestroy (event), CUDA_SUCCESS, "destroy an event");
  ok_int (cuEventQuery (event), CUDA_ERROR_INVALID_HANDLE, "it is gone");
  cuStreamCreate (&stream, 0);
  cuEventCreate (&event, 0);
  cuCtxDestroy (ctx);
  ctx = fake_start ();
  ok_int (cuStreamQuery (stream), CUDA_ERROR_INVALID_HANDLE,
	  "streams end with their context");
  ok_int (cuEventQuery (event), CUDA_ERROR_INVALID_HANDLE, "so do events");
  ok_int (cuLaunchKernel (fn, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0),
	  CUDA_ERROR_INVALID_HANDLE, "and functions");
  ok_int (fake_modules, 0, "and modules");
  cuCtxDestroy (ctx);
}

/* ---- Operands of other contexts ---- */

/* A context on a device of its own and what is in it.  */
struct side
{
  CUcontext ctx;
  CUmodule module;
  CUfunction nothing, slow, fault;
  CUstream stream;
  CUevent event;
  CUdeviceptr memory;
  void *host;
};

/* Current is afterwards what was before.  */
static struct side
side_on (CUdevice dev)
{
  struct side s;
  cuCtxCreate (&s.ctx, 0, dev);
  cuModuleLoadData (&s.module, fake_ptx);
  cuModuleGetFunction (&s.nothing, s.module, "nothing");
  cuModuleGetFunction (&s.slow, s.module, "slow");
  cuModuleGetFunction (&s.fault, s.module, "fault");
  cuStreamCreate (&s.stream, 0);
  cuEventCreate (&s.event, 0);
  cuMemAlloc (&s.memory, 64);
  ok_int (cuMemHostAlloc (&s.host, 64, 0), CUDA_SUCCESS, "device %d", dev);
  cuCtxPopCurrent (NULL);
  return s;
}

static CUresult
launch_plain (CUfunction fn, CUstream s)
{
  return cuLaunchKernel (fn, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL);
}

static CUresult
launch_cooperative (CUfunction fn, CUstream s)
{
  return cuLaunchCooperativeKernel (fn, 1, 1, 1, 1, 1, 1, 0, s, NULL);
}

static CUresult
launch_ex (CUfunction fn, CUstream s)
{
  CUlaunchConfig c = { .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1,
		       .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1,
		       .hStream = s };
  return cuLaunchKernelEx (&c, fn, NULL, NULL);
}

static CUresult
launch_ptsz (CUfunction fn, CUstream s)
{
  return cuLaunchKernel_ptsz (fn, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL);
}

static const struct
{
  const char *name;
  CUresult (*launch) (CUfunction, CUstream);
} launches[] = { { "cuLaunchKernel", launch_plain },
		 { "cuLaunchCooperativeKernel", launch_cooperative },
		 { "cuLaunchKernelEx", launch_ex },
		 { "cuLaunchKernel_ptsz", launch_ptsz } };
enum { N_LAUNCHES = sizeof launches / sizeof *launches };

static CUresult
launch_unsigned (CUfunction fn, unsigned value, CUstream s)
{
  void *params[] = { &value };
  return cuLaunchKernel (fn, 1, 1, 1, 1, 1, 1, 0, s, params, NULL);
}

/* While A is current.  */
static void
other_is_current (const struct side *a, const struct side *b)
{
  CUdeviceptr base;
  size_t size;
  for (int i = 0; i < N_LAUNCHES; i++)
    {
      CUresult (*launch) (CUfunction, CUstream) = launches[i].launch;
      const char *name = launches[i].name;
      ok_int (launch (a->nothing, NULL), CUDA_SUCCESS,
	      "%s: the NULL stream is the current context's", name);
      ok_int (launch (b->nothing, NULL), CUDA_ERROR_INVALID_HANDLE,
	      "%s: no function of another", name);
      ok_int (launch (b->nothing, CU_STREAM_PER_THREAD),
	      CUDA_ERROR_INVALID_HANDLE, "%s: nor in the thread's own", name);
      ok_int (launch (b->nothing, b->stream), CUDA_SUCCESS,
	      "%s: the other's, in its stream", name);
      ok_int (launch (a->nothing, b->stream), CUDA_ERROR_INVALID_HANDLE,
	      "%s: not in another's stream", name);
      ok_int (launch (b->nothing, a->stream), CUDA_ERROR_INVALID_HANDLE,
	      "%s: nor the other way round", name);
    }
  ok_int (cuLaunchCooperativeKernel (b->nothing, 1 << 20, 1, 1, 1, 1, 1, 0,
				     NULL, NULL),
	  CUDA_ERROR_INVALID_HANDLE, "too many blocks are found out after that");
  ok_int (cuMemGetAddressRange (&base, &size, b->memory), CUDA_ERROR_NOT_FOUND,
	  "another device's memory has no range");
  ok_int (cuMemGetAddressRange (&base, &size, a->memory), CUDA_SUCCESS,
	  "the current one's has");
  ok_int (cuEventRecord (b->event, NULL), CUDA_ERROR_INVALID_HANDLE,
	  "events belong to their contexts, too");
  ok_int (cuStreamWaitEvent (a->stream, b->event, 0), CUDA_SUCCESS,
	  "but can be waited for anywhere");
  ok_int (cuMemcpyHtoD (b->memory, a->host, 16), CUDA_SUCCESS,
	  "copies are for all memory");
  ok_int (cuMemcpyDtoDAsync (b->memory, a->memory, 16, a->stream),
	  CUDA_SUCCESS, "in any stream");
  cuStreamSynchronize (a->stream);

  CUdeviceptr p;
  int dev = -1;
  ok_int (cuMemAllocAsync (&p, 64, b->stream), CUDA_SUCCESS,
	  "memory for the other's stream");
  cuPointerGetAttribute (&dev, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p);
  ok_int (dev, 1, "is of the stream's device");
  ok_int (cuMemFreeAsync (p, b->stream), CUDA_SUCCESS, "and freed there");
  cuCtxPushCurrent (b->ctx);
  cuMemAlloc (&p, 64);
  cuCtxPopCurrent (NULL);
  launch_unsigned (b->slow, 5000, b->stream);
  ok_int (cuMemFree (p), CUDA_SUCCESS, "freeing the other's memory");
  ok_int (cuStreamQuery (b->stream), CUDA_SUCCESS, "waits for its work");
}

/* A kernel of a library runs where its stream is.  */
static void
library_elsewhere (const struct side *b)
{
  CUlibrary library;
  CUkernel kernel;
  CUfunction fn;
  cuLibraryLoadData (&library, fake_ptx, NULL, NULL, 0, NULL, NULL, 0);
  cuLibraryGetKernel (&kernel, library, "nothing");
  ok_int (launch_plain ((CUfunction) kernel, NULL), CUDA_SUCCESS,
	  "a kernel in the current context");
  int modules = fake_modules;
  ok_int (launch_plain ((CUfunction) kernel, b->stream), CUDA_SUCCESS,
	  "and in another's stream");
  ok_int (fake_modules, modules + 1, "gets a module there");
  cuCtxSetCurrent (b->ctx);
  cuKernelGetFunction (&fn, kernel);
  ok_int (fake_modules, modules + 1, "which is that context's");
  ok_int (launch_plain (fn, b->stream), CUDA_SUCCESS, "for its streams");
  cuCtxSynchronize ();
  cuLibraryUnload (library);
}

/* While none is: S's own context is the one that counts.  */
static void
none_is_current (struct side *s)
{
  CUcontext ctx;
  CUdevice dev;
  CUdeviceptr base;
  CUfunction fn;
  size_t size;
  int value, junk[16] = { 0 };
  const CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_HOST,
			       .srcHost = s->host, .srcPitch = 8,
			       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			       .dstDevice = s->memory, .dstPitch = 8,
			       .WidthInBytes = 4, .Height = 2 };
  cuCtxGetCurrent (&ctx);
  ok (!ctx, "no current context");
#define WITHOUT(call) ok_int (call, CUDA_SUCCESS, "without one: %s", #call)
#define NEEDS_ONE(call)							      \
  ok_int (call, CUDA_ERROR_INVALID_CONTEXT, "not without: %s", #call)
  for (int i = 0; i < N_LAUNCHES; i++)
    {
      ok_int (launches[i].launch (s->nothing, s->stream), CUDA_SUCCESS,
	      "without one: %s", launches[i].name);
      ok_int (launches[i].launch (s->nothing, NULL),
	      CUDA_ERROR_INVALID_CONTEXT, "not into the NULL stream");
    }
  NEEDS_ONE (cuLaunchKernelEx (NULL, s->nothing, NULL, NULL));
  WITHOUT (cuStreamSynchronize (s->stream));
  WITHOUT (cuStreamSynchronize_ptsz (s->stream));
  WITHOUT (cuStreamQuery (s->stream));
  WITHOUT (cuEventRecord (s->event, s->stream));
  WITHOUT (cuStreamWaitEvent (s->stream, s->event, 0));
  WITHOUT (cuEventSynchronize (s->event));
  WITHOUT (cuEventQuery (s->event));
  WITHOUT (cuMemcpyHtoDAsync (s->memory, s->host, 16, s->stream));
  WITHOUT (cuMemcpyHtoDAsync (s->memory, junk, 16, s->stream));
  WITHOUT (cuMemcpyDtoHAsync (s->host, s->memory, 16, s->stream));
  WITHOUT (cuMemcpyDtoHAsync (junk, s->memory, 16, s->stream));
  WITHOUT (cuMemcpyDtoDAsync (s->memory, s->memory + 32, 16, s->stream));
  WITHOUT (cuMemcpyAsync (s->memory, s->memory + 32, 16, s->stream));
  WITHOUT (cuMemcpy2DAsync (&copy, s->stream));
  WITHOUT (cuMemsetD8Async (s->memory, 1, 16, s->stream));
  WITHOUT (cuStreamSynchronize (s->stream));
  WITHOUT (cuFuncGetAttribute (&value, CU_FUNC_ATTRIBUTE_NUM_REGS, s->nothing));
  WITHOUT (cuModuleGetFunction (&fn, s->module, "add"));

  NEEDS_ONE (cuStreamSynchronize (NULL));
  NEEDS_ONE (cuStreamSynchronize_ptsz (NULL));
  NEEDS_ONE (cuStreamSynchronize (CU_STREAM_LEGACY));
  NEEDS_ONE (cuStreamSynchronize (CU_STREAM_PER_THREAD));
  NEEDS_ONE (cuStreamSynchronize ((CUstream) &junk));
  NEEDS_ONE (cuStreamQuery (NULL));
  NEEDS_ONE (cuStreamWaitEvent (NULL, s->event, 0));
  NEEDS_ONE (cuEventRecord (s->event, NULL));
  NEEDS_ONE (cuMemcpyHtoDAsync (s->memory, s->host, 16, NULL));
  NEEDS_ONE (cuMemcpyHtoD (s->memory, s->host, 16));
  NEEDS_ONE (cuMemcpyHtoD_v2_ptds (s->memory, s->host, 16));
  NEEDS_ONE (cuMemsetD8Async (s->memory, 1, 16, NULL));
  NEEDS_ONE (cuMemGetAddressRange (&base, &size, s->memory));
  NEEDS_ONE (cuMemFree (64));
  NEEDS_ONE (cuMemAlloc (&base, 64));
  NEEDS_ONE (cuStreamCreate (&(CUstream) { 0 }, 0));
  NEEDS_ONE (cuEventCreate (&(CUevent) { 0 }, 0));
  NEEDS_ONE (cuModuleLoadData (&(CUmodule) { 0 }, fake_ptx));
  NEEDS_ONE (cuCtxGetDevice (&dev));
  ok_int (cuStreamSynchronize ((CUstream) s->event), CUDA_ERROR_INVALID_HANDLE,
	  "an event is no stream");

  WITHOUT (cuEventDestroy (s->event));
  NEEDS_ONE (cuEventQuery (s->event));
  WITHOUT (cuMemFree (s->memory));
  NEEDS_ONE (cuMemFree (s->memory));
  WITHOUT (cuMemFreeHost (s->host));
  NEEDS_ONE (cuMemFreeHost (s->host));
  WITHOUT (cuStreamDestroy (s->stream));
  NEEDS_ONE (cuStreamDestroy (s->stream));
  NEEDS_ONE (launch_plain (s->nothing, s->stream));
  WITHOUT (cuModuleUnload (s->module));
  NEEDS_ONE (cuModuleUnload (s->module));
  NEEDS_ONE (cuFuncGetAttribute (&value, CU_FUNC_ATTRIBUTE_NUM_REGS,
				 s->nothing));
}

/* A kernel's failure is of its context: GOOD is current, or BAD, or none.  */
static void
failed_elsewhere (const struct side *good, const struct side *bad)
{
  int value;
  CUcontext current[] = { good->ctx, bad->ctx, NULL };
  launch_unsigned (bad->fault, CUDA_ERROR_ILLEGAL_ADDRESS, bad->stream);
#define FAILED(call)							      \
  ok_int (call, CUDA_ERROR_ILLEGAL_ADDRESS, "%d: %s", i, #call)
#define WELL(call) ok_int (call, CUDA_SUCCESS, "%d: %s", i, #call)
  for (int i = 0; i < 3; i++)
    {
      cuCtxSetCurrent (current[i]);
      FAILED (cuStreamSynchronize (bad->stream));
      FAILED (cuStreamQuery (bad->stream));
      FAILED (launch_plain (bad->nothing, bad->stream));
      FAILED (cuEventQuery (bad->event));
      FAILED (cuMemcpyHtoDAsync (bad->memory, bad->host, 16, bad->stream));
      FAILED (cuMemFree (bad->memory));
      FAILED (cuMemFreeHost (bad->host));
      FAILED (cuFuncGetAttribute (&value, CU_FUNC_ATTRIBUTE_NUM_REGS,
				  bad->nothing));
      FAILED (cuModuleUnload (bad->module));
      WELL (launch_plain (good->nothing, good->stream));
      WELL (cuStreamSynchronize (good->stream));
      WELL (cuStreamQuery (good->stream));
      WELL (cuEventRecord (good->event, good->stream));
      WELL (cuEventSynchronize (good->event));
      WELL (cuMemcpyHtoDAsync (good->memory, good->host, 16, good->stream));
      WELL (cuFuncGetAttribute (&value, CU_FUNC_ATTRIBUTE_NUM_REGS,
				good->nothing));
    }
}

static void
others (void)
{
  struct side a = side_on (0), b = side_on (1);
  cuCtxSetCurrent (a.ctx);
  other_is_current (&a, &b);
  library_elsewhere (&b);
  cuCtxSetCurrent (a.ctx);
  failed_elsewhere (&a, &b);
  none_is_current (&a);
  cuCtxDestroy (b.ctx);
  NEEDS_ONE (cuStreamQuery (b.stream));
  NEEDS_ONE (cuStreamDestroy (b.stream));
  NEEDS_ONE (cuEventQuery (b.event));
  NEEDS_ONE (cuMemFree (b.memory));
  NEEDS_ONE (launch_plain (b.nothing, b.stream));
  cuCtxDestroy (a.ctx);
}

static void
lookup (void)
{
  CUresult (*alloc) (CUdeviceptr *, size_t);
  CUdriverProcAddressQueryResult status;
  void *fn;
  ok_int (cuGetProcAddress_v2 ("cuMemAlloc", (void **) &alloc, 12000, 0,
			       &status),
	  CUDA_SUCCESS, "cuGetProcAddress");
  ok (alloc == cuMemAlloc && status == CU_GET_PROC_ADDRESS_SUCCESS,
      "finds a function");
  cuGetProcAddress_v2 ("cuMemcpyBatchAsync", &fn, 12080, 0, NULL);
  ok (fn == (void *) cuMemcpyBatchAsync, "the form of CUDA 12");
  cuGetProcAddress_v2 ("cuMemcpyBatchAsync", &fn, 13000, 0, NULL);
  ok (fn == (void *) cuMemcpyBatchAsync_v2, "the form of CUDA 13");
  ok_int (cuGetProcAddress_v2 ("cuNonsense", &fn, 12000, 0, &status),
	  CUDA_SUCCESS, "looking for what does not exist succeeds");
  ok (!fn && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND,
      "with NULL and the status");
  ok_int (cuGetProcAddress_v2 ("cuInit", &fn, 99000, 0, &status),
	  CUDA_ERROR_INVALID_VALUE, "a version from the future");
}

int
main (void)
{
  setenv ("ACCRETE_EMU_DEVICES", "2", 1);
  setenv ("ACCRETE_EMU_GPU", "a100", 1);
  before_init ();
  devices ();
  contexts ();
  primary ();
  handles ();
  others ();
  lookup ();
  return done_testing ();
}

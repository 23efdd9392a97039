/* The emulated driver: start, devices, contexts, handles, look-up.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>

#include "cuda-api.h"
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
  lookup ();
  return done_testing ();
}

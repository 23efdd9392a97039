/* Types and constants of the CUDA Driver API that accrete names, for the
   runtime that calls a driver and for the emulated GPU that is one.  Written
   from the API's documentation so that no CUDA toolkit is needed to build;
   tests/libgomp-ext/cuda-types checks every value against NVIDIA's cuda.h
   where that is installed.  */

#ifndef ACCRETE_CUDA_TYPES_H
#define ACCRETE_CUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUlinkState_st *CUlinkState;

#define CUDA_RESULTS(X)							      \
  X (CUDA_SUCCESS, 0, "no error")					      \
  X (CUDA_ERROR_INVALID_VALUE, 1, "invalid argument")			      \
  X (CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory")			      \
  X (CUDA_ERROR_NOT_INITIALIZED, 3, "initialization error")		      \
  X (CUDA_ERROR_DEINITIALIZED, 4, "driver shutting down")		      \
  X (CUDA_ERROR_NO_DEVICE, 100, "no CUDA-capable device is detected")	      \
  X (CUDA_ERROR_INVALID_DEVICE, 101, "invalid device ordinal")		      \
  X (CUDA_ERROR_INVALID_IMAGE, 200, "device kernel image is invalid")	      \
  X (CUDA_ERROR_INVALID_CONTEXT, 201, "invalid device context")		      \
  X (CUDA_ERROR_MAP_FAILED, 205, "mapping of buffer object failed")	      \
  X (CUDA_ERROR_NO_BINARY_FOR_GPU, 209,					      \
     "no kernel image is available for execution on the device")	      \
  X (CUDA_ERROR_INVALID_PTX, 218, "a PTX JIT compilation failed")	      \
  X (CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222,				      \
     "the provided PTX was compiled with an unsupported toolchain.")	      \
  X (CUDA_ERROR_INVALID_SOURCE, 300, "invalid source")			      \
  X (CUDA_ERROR_FILE_NOT_FOUND, 301, "file not found")			      \
  X (CUDA_ERROR_INVALID_HANDLE, 400, "invalid resource handle")		      \
  X (CUDA_ERROR_NOT_FOUND, 500, "named symbol not found")		      \
  X (CUDA_ERROR_NOT_READY, 600, "device not ready")			      \
  X (CUDA_ERROR_ILLEGAL_ADDRESS, 700,					      \
     "an illegal memory access was encountered")			      \
  X (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701,				      \
     "too many resources requested for launch")				      \
  X (CUDA_ERROR_LAUNCH_TIMEOUT, 702,					      \
     "the launch timed out and was terminated")				      \
  X (CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712,			      \
     "part or all of the requested memory range is already mapped")	      \
  X (CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713,			      \
     "pointer does not correspond to a registered memory region")	      \
  X (CUDA_ERROR_ASSERT, 710, "device-side assert triggered")		      \
  X (CUDA_ERROR_ILLEGAL_INSTRUCTION, 715,				      \
     "an illegal instruction was encountered")				      \
  X (CUDA_ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")		      \
  X (CUDA_ERROR_INVALID_ADDRESS_SPACE, 717,				      \
     "operation not supported on global/shared address space")		      \
  X (CUDA_ERROR_INVALID_PC, 718, "invalid program counter")		      \
  X (CUDA_ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")	      \
  X (CUDA_ERROR_NOT_PERMITTED, 800, "operation not permitted")		      \
  X (CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported")		      \
  X (CUDA_ERROR_UNKNOWN, 999, "unknown error")

typedef enum cudaError_enum
{
#define X(name, value, text) name = value,
  CUDA_RESULTS (X)
#undef X
} CUresult;

typedef enum CUlimit_enum
{
  CU_LIMIT_STACK_SIZE = 0,
  CU_LIMIT_PRINTF_FIFO_SIZE = 1,
  CU_LIMIT_MALLOC_HEAP_SIZE = 2,
  CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3,
  CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4
} CUlimit;

#endif /* ACCRETE_CUDA_TYPES_H */

/* Types and constants of the CUDA Driver API that accrete names, for the
   runtime that calls a driver and for the emulated GPU that is one.  Written
   from the API's documentation so that no CUDA toolkit is needed to build;
   tests/emu/driver-types.sh checks every value and layout against NVIDIA's
   cuda.h where that is installed.  Where the API has several versions of a
   structure or function type, this is the 64-bit one ("_v2").

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

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
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUarray_st *CUarray;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct { char bytes[16]; } CUuuid;

/* ---- Results ------------------------------------------------------------ */

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
  X (CUDA_ERROR_UNSUPPORTED_LIMIT, 215,					      \
     "limit is not supported on this architecture")			      \
  X (CUDA_ERROR_INVALID_PTX, 218, "a PTX JIT compilation failed")	      \
  X (CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222,				      \
     "the provided PTX was compiled with an unsupported toolchain.")	      \
  X (CUDA_ERROR_INVALID_SOURCE, 300, "device kernel image is invalid")	      \
  X (CUDA_ERROR_FILE_NOT_FOUND, 301, "file not found")			      \
  X (CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302,			      \
     "shared object symbol not found")					      \
  X (CUDA_ERROR_INVALID_HANDLE, 400, "invalid resource handle")		      \
  X (CUDA_ERROR_ILLEGAL_STATE, 401,					      \
     "the operation cannot be performed in the present state")		      \
  X (CUDA_ERROR_NOT_FOUND, 500, "named symbol not found")		      \
  X (CUDA_ERROR_NOT_READY, 600, "device not ready")			      \
  X (CUDA_ERROR_ILLEGAL_ADDRESS, 700,					      \
     "an illegal memory access was encountered")			      \
  X (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701,				      \
     "too many resources requested for launch")				      \
  X (CUDA_ERROR_LAUNCH_TIMEOUT, 702,					      \
     "the launch timed out and was terminated")				      \
  X (CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704,			      \
     "peer access is already enabled")					      \
  X (CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705,				      \
     "peer access has not been enabled")				      \
  X (CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708,				      \
     "cannot set while device is active in this process")		      \
  X (CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, "context is destroyed")	      \
  X (CUDA_ERROR_ASSERT, 710, "device-side assert triggered")		      \
  X (CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712,			      \
     "part or all of the requested memory range is already mapped")	      \
  X (CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713,			      \
     "pointer does not correspond to a registered memory region")	      \
  X (CUDA_ERROR_ILLEGAL_INSTRUCTION, 715,				      \
     "an illegal instruction was encountered")				      \
  X (CUDA_ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")		      \
  X (CUDA_ERROR_INVALID_ADDRESS_SPACE, 717,				      \
     "operation not supported on global/shared address space")		      \
  X (CUDA_ERROR_INVALID_PC, 718, "invalid program counter")		      \
  X (CUDA_ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")	      \
  X (CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720,			      \
     "too many blocks in cooperative launch")				      \
  X (CUDA_ERROR_NOT_PERMITTED, 800, "operation not permitted")		      \
  X (CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported")		      \
  X (CUDA_ERROR_UNKNOWN, 999, "unknown error")

typedef enum cudaError_enum
{
#define X(name, value, text) name = value,
  CUDA_RESULTS (X)
#undef X
} CUresult;

/* ---- Devices ------------------------------------------------------------ */

typedef enum CUdevice_attribute_enum
{
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
  CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
  CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
  CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
  CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
  CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
  CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
  CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
  CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79,
  CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
  CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
  CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90,
  CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED = 99,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
  CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
  CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS = 129
} CUdevice_attribute;

/* ---- Contexts ----------------------------------------------------------- */

typedef enum CUctx_flags_enum
{
  CU_CTX_SCHED_AUTO = 0x00,
  CU_CTX_SCHED_SPIN = 0x01,
  CU_CTX_SCHED_YIELD = 0x02,
  CU_CTX_SCHED_BLOCKING_SYNC = 0x04,
  CU_CTX_SCHED_MASK = 0x07,
  CU_CTX_MAP_HOST = 0x08,
  CU_CTX_LMEM_RESIZE_TO_MAX = 0x10,
  CU_CTX_FLAGS_MASK = 0xff
} CUctx_flags;

typedef enum CUlimit_enum
{
  CU_LIMIT_STACK_SIZE = 0,
  CU_LIMIT_PRINTF_FIFO_SIZE = 1,
  CU_LIMIT_MALLOC_HEAP_SIZE = 2,
  CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3,
  CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4
} CUlimit;

typedef enum CUfunc_cache_enum
{
  CU_FUNC_CACHE_PREFER_NONE = 0,
  CU_FUNC_CACHE_PREFER_SHARED = 1,
  CU_FUNC_CACHE_PREFER_L1 = 2,
  CU_FUNC_CACHE_PREFER_EQUAL = 3
} CUfunc_cache;

/* ---- Modules, functions, launches --------------------------------------- */

typedef enum CUjitInputType_enum
{
  CU_JIT_INPUT_CUBIN = 0,
  CU_JIT_INPUT_PTX = 1,
  CU_JIT_INPUT_FATBINARY = 2,
  CU_JIT_INPUT_OBJECT = 3,
  CU_JIT_INPUT_LIBRARY = 4
} CUjitInputType;

typedef enum CUjit_option_enum
{
  CU_JIT_MAX_REGISTERS = 0,
  CU_JIT_THREADS_PER_BLOCK = 1,
  CU_JIT_WALL_TIME = 2,
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  CU_JIT_OPTIMIZATION_LEVEL = 7,
  CU_JIT_TARGET_FROM_CUCONTEXT = 8,
  CU_JIT_TARGET = 9,
  CU_JIT_FALLBACK_STRATEGY = 10,
  CU_JIT_GENERATE_DEBUG_INFO = 11,
  CU_JIT_LOG_VERBOSE = 12,
  CU_JIT_GENERATE_LINE_INFO = 13,
  CU_JIT_CACHE_MODE = 14
} CUjit_option;

typedef enum CUmoduleLoadingMode_enum
{
  CU_MODULE_EAGER_LOADING = 1,
  CU_MODULE_LAZY_LOADING = 2
} CUmoduleLoadingMode;

typedef enum CUfunction_attribute_enum
{
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
  CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
  CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9
} CUfunction_attribute;

/* cuLaunchKernel's EXTRA: a list of a key and its value, up to the end.  */
typedef enum CUlibraryOption_enum
{
  CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
  CU_LIBRARY_BINARY_IS_PRESERVED = 1
} CUlibraryOption;

typedef enum CUfunctionLoadingState_enum
{
  CU_FUNCTION_LOADING_STATE_UNLOADED = 0,
  CU_FUNCTION_LOADING_STATE_LOADED = 1
} CUfunctionLoadingState;

typedef enum CUlaunchAttributeID_enum
{
  CU_LAUNCH_ATTRIBUTE_IGNORE = 0,
  CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
  CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
  CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
  CU_LAUNCH_ATTRIBUTE_PRIORITY = 8
} CUlaunchAttributeID;

typedef union CUlaunchAttributeValue_union
{
  char pad[64];
  int cooperative;
  struct { unsigned int x, y, z; } clusterDim;
  int priority;
} CUlaunchAttributeValue;

typedef struct CUlaunchAttribute_st
{
  CUlaunchAttributeID id;
  char pad[8 - sizeof (CUlaunchAttributeID)];
  CUlaunchAttributeValue value;
} CUlaunchAttribute;

typedef struct CUlaunchConfig_st
{
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned int numAttrs;
} CUlaunchConfig;

#define CU_LAUNCH_PARAM_END ((void *) 0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *) 1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *) 2)

typedef size_t (*CUoccupancyB2DSize) (int block_size);

/* ---- Memory ------------------------------------------------------------- */

typedef enum CUmemorytype_enum
{
  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE = 2,
  CU_MEMORYTYPE_ARRAY = 3,
  CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;

enum
{
  CU_MEMHOSTALLOC_PORTABLE = 1,
  CU_MEMHOSTALLOC_DEVICEMAP = 2,
  CU_MEMHOSTALLOC_WRITECOMBINED = 4,
  CU_MEMHOSTREGISTER_PORTABLE = 1,
  CU_MEMHOSTREGISTER_DEVICEMAP = 2,
  CU_MEMHOSTREGISTER_IOMEMORY = 4,
  CU_MEMHOSTREGISTER_READ_ONLY = 8
};

typedef enum CUmemAttach_flags_enum
{
  CU_MEM_ATTACH_GLOBAL = 1,
  CU_MEM_ATTACH_HOST = 2,
  CU_MEM_ATTACH_SINGLE = 4
} CUmemAttach_flags;

typedef enum CUpointer_attribute_enum
{
  CU_POINTER_ATTRIBUTE_CONTEXT = 1,
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
  CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
  CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
  CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
  CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
  CU_POINTER_ATTRIBUTE_MAPPED = 13
} CUpointer_attribute;

typedef enum CUmemPool_attribute_enum
{
  CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,	/* int */
  CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2,	/* int */
  CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3, /* int */
  CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,		/* uint64_t bytes */
  CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,		/* uint64_t bytes */
  CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,		/* uint64_t bytes */
  CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,			/* uint64_t bytes */
  CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8			/* uint64_t bytes */
} CUmemPool_attribute;

typedef enum CUmemAllocationType_enum
{
  CU_MEM_ALLOCATION_TYPE_INVALID = 0,
  CU_MEM_ALLOCATION_TYPE_PINNED = 1
} CUmemAllocationType;

typedef enum CUmemAllocationHandleType_enum
{
  CU_MEM_HANDLE_TYPE_NONE = 0
} CUmemAllocationHandleType;

typedef enum CUmemLocationType_enum
{
  CU_MEM_LOCATION_TYPE_INVALID = 0,
  CU_MEM_LOCATION_TYPE_DEVICE = 1,
  CU_MEM_LOCATION_TYPE_HOST = 2,
  CU_MEM_LOCATION_TYPE_HOST_NUMA = 3,
  CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 4
} CUmemLocationType;

typedef enum CUmem_advise_enum
{
  CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
  CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
  CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
  CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
  CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
  CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} CUmem_advise;

#define CU_DEVICE_CPU ((CUdevice) -1)

typedef struct CUmemLocation_st
{
  CUmemLocationType type;
  int id;
} CUmemLocation;

typedef struct CUmemPoolProps_st
{
  CUmemAllocationType allocType;
  CUmemAllocationHandleType handleTypes;
  CUmemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
} CUmemPoolProps;

/* ---- Copies ------------------------------------------------------------- */

typedef struct CUDA_MEMCPY2D_st
{
  size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D_st
{
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

/* When a batch copy may read its source.  */
typedef enum CUmemcpySrcAccessOrder_enum
{
  CU_MEMCPY_SRC_ACCESS_ORDER_INVALID = 0,
  CU_MEMCPY_SRC_ACCESS_ORDER_STREAM = 1,
  CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL = 2,
  CU_MEMCPY_SRC_ACCESS_ORDER_ANY = 3
} CUmemcpySrcAccessOrder;

typedef struct CUmemcpyAttributes_st
{
  CUmemcpySrcAccessOrder srcAccessOrder;
  CUmemLocation srcLocHint, dstLocHint;
  unsigned int flags;
} CUmemcpyAttributes;

/* ---- Streams and events ------------------------------------------------- */

#define CU_STREAM_LEGACY ((CUstream) 1)
#define CU_STREAM_PER_THREAD ((CUstream) 2)

typedef enum CUstream_flags_enum
{
  CU_STREAM_DEFAULT = 0,
  CU_STREAM_NON_BLOCKING = 1	/* does not wait for the NULL stream */
} CUstream_flags;

typedef enum CUstreamCaptureMode_enum
{
  CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
  CU_STREAM_CAPTURE_MODE_RELAXED = 2
} CUstreamCaptureMode;

typedef enum CUstreamCaptureStatus_enum
{
  CU_STREAM_CAPTURE_STATUS_NONE = 0,
  CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
  CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} CUstreamCaptureStatus;

typedef enum CUevent_flags_enum
{
  CU_EVENT_DEFAULT = 0,
  CU_EVENT_BLOCKING_SYNC = 1,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_EVENT_INTERPROCESS = 4
} CUevent_flags;

typedef void (*CUstreamCallback) (CUstream stream, CUresult status,
				  void *data);
typedef void (*CUhostFn) (void *data);

/* ---- Graphs ----------------------------------------------------------- */

typedef struct CUDA_KERNEL_NODE_PARAMS_st
{
  CUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  void **kernelParams, **extra;
} CUDA_KERNEL_NODE_PARAMS_v1;

typedef struct CUDA_KERNEL_NODE_PARAMS_v2_st
{
  CUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  void **kernelParams, **extra;
  CUkernel kern;
  CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS_v2;

typedef struct CUDA_MEMSET_NODE_PARAMS_st
{
  CUdeviceptr dst;
  size_t pitch;
  unsigned int value, elementSize;
  size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;

typedef struct CUDA_HOST_NODE_PARAMS_st
{
  CUhostFn fn;
  void *userData;
} CUDA_HOST_NODE_PARAMS;

/* ---- cuGetProcAddress --------------------------------------------------- */

typedef enum CUdriverProcAddress_flags_enum
{
  CU_GET_PROC_ADDRESS_DEFAULT = 0,
  CU_GET_PROC_ADDRESS_LEGACY_STREAM = 1,
  CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 2
} CUdriverProcAddress_flags;

typedef enum CUdriverProcAddressQueryResult_enum
{
  CU_GET_PROC_ADDRESS_SUCCESS = 0,
  CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} CUdriverProcAddressQueryResult;

#endif /* ACCRETE_CUDA_TYPES_H */

/* Devices of the emulated driver: ACCRETE_EMU_DEVICES (default 1, at most
   EMU_MAX_DEVICES) of the model that ACCRETE_EMU_GPU names.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "driver/driver.h"

CUresult
emu_devices_init (void)
{
  emu_n_devices = emu_env_number (EMU_ENV_DEVICES, EMU_MAX_DEVICES, 1);
  if (!emu_n_devices)
    return CUDA_ERROR_NO_DEVICE;
  for (unsigned i = 0; i < emu_n_devices; i++)
    {
      struct CUmemPoolHandle_st *pool = emu_pool_new (i);
      if (!pool)
	return CUDA_ERROR_OUT_OF_MEMORY;
      emu_devices[i].default_pool = emu_devices[i].pool = pool;
    }
  return CUDA_SUCCESS;
}

CUresult
emu_cuDeviceGetCount (int *count)
{
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  *count = emu_n_devices;
  return CUDA_SUCCESS;
}

CUresult
emu_cuDeviceGet (CUdevice *dev, int ordinal)
{
  if (!dev)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (ordinal))
    return CUDA_ERROR_INVALID_DEVICE;
  *dev = ordinal;
  return CUDA_SUCCESS;
}

CUresult
emu_cuDeviceGetName (char *name, int size, CUdevice dev)
{
  if (!name || size <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  snprintf (name, size, "%s", emu_gpu ()->product);
  return CUDA_SUCCESS;
}

/* The same in every run, different for each device and model.  */
CUresult
emu_cuDeviceGetUuid (CUuuid *uuid, CUdevice dev)
{
  if (!uuid)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  memset (uuid, 0, sizeof *uuid);
  snprintf (uuid->bytes, sizeof uuid->bytes, "accrete-%s", emu_gpu ()->name);
  uuid->bytes[15] = dev;
  return CUDA_SUCCESS;
}

/* Device N sits on bus N + 1.  */
CUresult
emu_cuDeviceGetPCIBusId (char *id, int size, CUdevice dev)
{
  if (!id || size < 13)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  snprintf (id, size, "0000:%02X:00.0", dev + 1);
  return CUDA_SUCCESS;
}

CUresult
emu_cuDeviceGetByPCIBusId (CUdevice *dev, const char *id)
{
  unsigned domain, bus, device, function = 0;
  if (!dev || !id)
    return CUDA_ERROR_INVALID_VALUE;
  if (sscanf (id, "%x:%x:%x.%x", &domain, &bus, &device, &function) < 3)
    {
      domain = 0;
      if (sscanf (id, "%x:%x.%x", &bus, &device, &function) < 2)
	return CUDA_ERROR_INVALID_VALUE;
    }
  if (domain || device || function || !emu_device_valid ((int) bus - 1))
    return CUDA_ERROR_INVALID_DEVICE;
  *dev = bus - 1;
  return CUDA_SUCCESS;
}

CUresult
emu_cuDeviceTotalMem (size_t *bytes, CUdevice dev)
{
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  *bytes = emu_gpu ()->memory;
  return CUDA_SUCCESS;
}

/* CUDA 13 numbers its attributes 1 to 147.  */
#define N_ATTRIBUTES 148

/* Attributes that are not 0.  G is the model, DEV the device.  */
#define ATTRIBUTES(X)							      \
  X (MAX_THREADS_PER_BLOCK, g->max_threads_per_block)			      \
  X (MAX_BLOCK_DIM_X, 1024)						      \
  X (MAX_BLOCK_DIM_Y, 1024)						      \
  X (MAX_BLOCK_DIM_Z, 64)						      \
  X (MAX_GRID_DIM_X, 0x7fffffff)					      \
  X (MAX_GRID_DIM_Y, 65535)						      \
  X (MAX_GRID_DIM_Z, 65535)						      \
  X (MAX_SHARED_MEMORY_PER_BLOCK, g->shared_per_block)			      \
  X (TOTAL_CONSTANT_MEMORY, 65536)					      \
  X (WARP_SIZE, 32)							      \
  X (MAX_PITCH, 0x7fffffff)						      \
  X (MAX_REGISTERS_PER_BLOCK, g->regs_per_block)			      \
  X (CLOCK_RATE, g->clock_khz)						      \
  X (TEXTURE_ALIGNMENT, 512)						      \
  X (GPU_OVERLAP, 1)							      \
  X (MULTIPROCESSOR_COUNT, g->sms)					      \
  X (CAN_MAP_HOST_MEMORY, 1)						      \
  X (CONCURRENT_KERNELS, 1)						      \
  X (ECC_ENABLED, 1)							      \
  X (PCI_BUS_ID, dev + 1)						      \
  X (MEMORY_CLOCK_RATE, g->mem_clock_khz)				      \
  X (GLOBAL_MEMORY_BUS_WIDTH, g->mem_bus_bits)				      \
  X (L2_CACHE_SIZE, g->l2_bytes)					      \
  X (MAX_THREADS_PER_MULTIPROCESSOR, g->max_threads_per_sm)		      \
  X (ASYNC_ENGINE_COUNT, 3)						      \
  X (UNIFIED_ADDRESSING, 1)						      \
  X (COMPUTE_CAPABILITY_MAJOR, g->cc / 10)				      \
  X (COMPUTE_CAPABILITY_MINOR, g->cc % 10)				      \
  X (STREAM_PRIORITIES_SUPPORTED, 1)					      \
  X (GLOBAL_L1_CACHE_SUPPORTED, 1)					      \
  X (LOCAL_L1_CACHE_SUPPORTED, 1)					      \
  X (MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, g->shared_per_sm)		      \
  X (MAX_REGISTERS_PER_MULTIPROCESSOR, g->regs_per_sm)			      \
  X (MANAGED_MEMORY, 1)							      \
  X (CONCURRENT_MANAGED_ACCESS, 1)					      \
  X (COMPUTE_PREEMPTION_SUPPORTED, 1)					      \
  X (CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1)			      \
  X (MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, g->shared_per_block_optin)	      \
  X (HOST_REGISTER_SUPPORTED, 1)					      \
  X (MAX_BLOCKS_PER_MULTIPROCESSOR, g->max_blocks_per_sm)		      \
  X (RESERVED_SHARED_MEMORY_PER_BLOCK, g->cc >= 80 ? 1024 : 0)		      \
  X (MEMORY_POOLS_SUPPORTED, 1)						      \
  X (UNIFIED_FUNCTION_POINTERS, 1)

CUresult
emu_cuDeviceGetAttribute (int *value, CUdevice_attribute attribute,
			  CUdevice dev)
{
  const struct emu_gpu *g = emu_gpu ();
  if (!value || attribute < 1
      || attribute >= N_ATTRIBUTES)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  switch (attribute)
    {
#define X(name, v) case CU_DEVICE_ATTRIBUTE_##name: *value = v; break;
      ATTRIBUTES (X)
#undef X
    default:
      *value = 0;
    }
  return CUDA_SUCCESS;
}

CUresult
emu_cuDeviceComputeCapability (int *major, int *minor, CUdevice dev)
{
  if (!major || !minor)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  *major = emu_gpu ()->cc / 10;
  *minor = emu_gpu ()->cc % 10;
  return CUDA_SUCCESS;
}

CUresult
emu_cuDeviceCanAccessPeer (int *can, CUdevice dev, CUdevice peer)
{
  if (!can)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev) || !emu_device_valid (peer))
    return CUDA_ERROR_INVALID_DEVICE;
  *can = dev != peer;
  return CUDA_SUCCESS;
}

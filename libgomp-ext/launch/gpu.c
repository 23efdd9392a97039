/* GPUs; see gpu.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "abi/addition.h"
#include "ext.h"
#include "launch/gpu.h"

enum
{
  MAX_DEVICES = 64
};

/* Constant once the device is open; no processors: unknown.  */
static struct acr_gpu gpus[MAX_DEVICES];

/* There is a GPU that does not add doubles to memory.  */
static atomic_bool exchanges;

void
acr_gpu_opened (int n)
{
  CUdevice device;
  CUcontext ctx;
  int processors, registers, major;
  if (n < 0 || n >= MAX_DEVICES || !acr_driver.device_get
      || !acr_driver.device_get_attribute
      || acr_driver.device_get (&device, n)
      || acr_driver.device_get_attribute (
          &processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device)
      || acr_driver.device_get_attribute (
          &registers, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
          device)
      || acr_driver.device_get_attribute (
          &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)
      || acr_driver.ctx_get_current (&ctx))
    return;
  if (major < ACR_ADDITION_MAJOR)
    atomic_store (&exchanges, true);
  gpus[n].ctx = ctx;
  gpus[n].registers = registers;
  gpus[n].processors = processors;
}

void
acr_gpu_leave (int n)
{
  if (n >= 0 && n < MAX_DEVICES)
    gpus[n].left = true;
}

bool
acr_gpu_adds (void)
{
  return !atomic_load_explicit (&exchanges, memory_order_relaxed);
}

const struct acr_gpu *
acr_gpu (int n)
{
  return n >= 0 && n < MAX_DEVICES && gpus[n].processors ? &gpus[n] : NULL;
}

bool
acr_gpu_current (int *processors, int *registers)
{
  CUcontext ctx;
  if (!acr_driver.ctx_get_current || acr_driver.ctx_get_current (&ctx))
    return false;
  for (int n = 0; n < MAX_DEVICES; n++)
    if (acr_gpu (n) && gpus[n].ctx == ctx)
      {
        *processors = gpus[n].processors;
        *registers = gpus[n].registers;
        return true;
      }
  return false;
}

bool
acr_gpu_attribute (int *value, CUdevice_attribute attribute)
{
  CUdevice device;
  return acr_driver.ctx_get_device && acr_driver.device_get_attribute
         && !acr_driver.ctx_get_device (&device)
         && !acr_driver.device_get_attribute (value, attribute, device);
}

void
acr_gpu_forget (CUcontext ctx)
{
  for (int n = 0; n < MAX_DEVICES; n++)
    if (gpus[n].ctx == ctx)
      gpus[n].ctx = NULL;
}

/* Calls of the CUDA driver by a program of its own: linked with it, or OPENED.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <dlfcn.h>
#include <stdlib.h>

#include "escape-driver.h"

#ifdef OPENED
#define DRIVER(name, type, symbol, ...)                                       \
  static type (*name) (__VA_ARGS__);                                          \
  __attribute__ ((constructor)) static void find_##name (void)                \
  {                                                                           \
    *(void **)&name = dlsym (dlopen ("libcuda.so.1", RTLD_NOW), #symbol);     \
  }
#else
#define DRIVER(name, type, symbol, ...)                                       \
  extern type name (__VA_ARGS__) __asm__ (#symbol);
#endif

DRIVER (stream_create, int, cuStreamCreate, void **stream, unsigned flags)
DRIVER (synchronize, int, cuStreamSynchronize, void *stream)
DRIVER (from_device, int, cuMemcpyDtoHAsync_v2, void *to, uintptr_t from,
        size_t n, void *stream)
DRIVER (to_device, int, cuMemcpyHtoDAsync_v2, uintptr_t to, const void *from,
        size_t n, void *stream)
DRIVER (on_device, int, cuMemcpyDtoDAsync_v2, uintptr_t to, uintptr_t from,
        size_t n, void *stream)

static void *stream;

static void
check (int status)
{
  if (status)
    abort ();
}

void
driver_own_stream (void)
{
  enum
  {
    CU_STREAM_NON_BLOCKING = 1
  };
  check (stream_create (&stream, CU_STREAM_NON_BLOCKING));
}

void
driver_read (void *to, uintptr_t from, size_t n)
{
  check (from_device (to, from, n, stream));
  check (synchronize (stream));
}

void
driver_write (uintptr_t to, const void *from, size_t n)
{
  check (to_device (to, from, n, stream));
  check (synchronize (stream));
}

void
driver_copy (uintptr_t to, uintptr_t from, size_t n)
{
  check (on_device (to, from, n, stream));
}

void
driver_wait (void)
{
  check (synchronize (stream));
}

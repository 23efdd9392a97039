/* A device that does nothing before it must; see gather-device.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gather-device.h"
#include "config.h"

#include "ext.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum
{
  NWORK = 1 << 12
};

static struct work queue[NWORK];
static unsigned head, tail; /* numbers of work done and submitted */
unsigned device_fail_in;

void
device_kernel (unsigned char *p, size_t n, int k, unsigned char more)
{
  if (k < 0)
    memset (p, ~k + more, n);
  for (size_t i = 0; k >= 0 && i < n; i++)
    p[i] += k + more;
}

void
device_wait (void)
{
  for (; head != tail; head++)
    {
      struct work *w = &queue[head % NWORK];
      if (w->src)
        memcpy (w->dst, w->src, w->n);
      else
        device_kernel (w->dst, w->n, w->k, w->read ? *w->read : 0);
    }
}

static bool
fails (void)
{
  return device_fail_in && --device_fail_in == 0;
}

/* Device memory, and where each allocation begins; those that were freed stay
   where they were.  */
#define DEVICE ((size_t)16 << 30)
enum
{
  NALLOCATIONS = 1 << 16
};
static struct
{
  char *base, *next;
  char *from[NALLOCATIONS];
  bool freed[NALLOCATIONS];
  unsigned count;
} memory;

/* The number of the allocation that holds P.  */
static unsigned
allocation_of (CUdeviceptr p)
{
  unsigned lo = 0, hi = memory.count;
  while (hi - lo > 1)
    {
      unsigned mid = (lo + hi) / 2;
      if ((CUdeviceptr)(uintptr_t)memory.from[mid] <= p)
        lo = mid;
      else
        hi = mid;
    }
  return lo;
}

/* Whether N bytes at P are in one allocation.  */
static bool
is_valid (CUdeviceptr p, size_t n)
{
  unsigned i = allocation_of (p);
  const char *end
      = i + 1 < memory.count ? memory.from[i + 1] : memory.next;
  return !memory.freed[i] && p + n <= (uintptr_t)end;
}

bool
device_submit (struct work w)
{
  if (!w.src
      && (!is_valid ((CUdeviceptr)w.dst, w.n)
          || (w.read && !is_valid ((CUdeviceptr)w.read, 1))))
    return false;
  if (tail - head == NWORK)
    device_wait ();
  queue[tail++ % NWORK] = w;
  return true;
}

static CUresult
h2d_async (CUdeviceptr dst, const void *src, size_t n, CUstream s)
{
  (void)s;
  if (fails () || !is_valid (dst, n))
    return CUDA_ERROR_INVALID_VALUE;
  device_submit ((struct work){ (void *)dst, src, n, 0, NULL });
  return CUDA_SUCCESS;
}

static CUresult
d2h_async (void *dst, CUdeviceptr src, size_t n, CUstream s)
{
  (void)s;
  if (fails () || !is_valid (src, n))
    return CUDA_ERROR_INVALID_VALUE;
  device_submit ((struct work){ dst, (void *)src, n, 0, NULL });
  return CUDA_SUCCESS;
}

static CUresult
h2d_now (CUdeviceptr dst, const void *src, size_t n)
{
  if (!is_valid (dst, n))
    return CUDA_ERROR_INVALID_VALUE;
  device_wait ();
  memcpy ((void *)dst, src, n);
  return CUDA_SUCCESS;
}

static CUresult
d2h_now (void *dst, CUdeviceptr src, size_t n)
{
  device_wait ();
  memcpy (dst, (void *)src, n);
  return CUDA_SUCCESS;
}

/* Allocations lie side by side, and none of their addresses serves twice.  */
static CUresult
device_alloc (CUdeviceptr *p, size_t n)
{
  if (!memory.base)
    memory.next = memory.base
        = mmap (NULL, DEVICE, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory.count == NALLOCATIONS
      || n > (size_t)(memory.base + DEVICE - memory.next))
    return CUDA_ERROR_OUT_OF_MEMORY;
  memory.from[memory.count++] = memory.next;
  *p = (uintptr_t)memory.next;
  memory.next += n;
  memset ((void *)*p, 0x5a, n);
  return CUDA_SUCCESS;
}

static CUresult
device_free (CUdeviceptr p)
{
  device_wait ();
  memory.freed[allocation_of (p)] = true;
  return CUDA_SUCCESS;
}

static CUresult
device_info (size_t *idle, size_t *total)
{
  *idle = *total = (size_t)1 << 30;
  return CUDA_SUCCESS;
}

static CUresult
current (CUcontext *c)
{
  static int context;
  *c = (CUcontext)&context;
  return CUDA_SUCCESS;
}

static CUresult
host_alloc (void **p, size_t n, unsigned flags)
{
  (void)flags;
  *p = malloc (n);
  return CUDA_SUCCESS;
}

static CUresult
host_free (void *p)
{
  device_wait ();
  free (p);
  return CUDA_SUCCESS;
}

/* An event is the number of the work before it.  */
static CUresult
event_create (CUevent *e, unsigned flags)
{
  (void)flags;
  *e = malloc (sizeof (unsigned));
  return CUDA_SUCCESS;
}

static CUresult
event_destroy (CUevent e)
{
  free (e);
  return CUDA_SUCCESS;
}

static CUresult
event_record (CUevent e, CUstream s)
{
  (void)s;
  *(unsigned *)e = tail;
  return CUDA_SUCCESS;
}

static CUresult
event_query (CUevent e)
{
  return (int)(*(unsigned *)e - head) > 0 ? CUDA_ERROR_NOT_READY
                                          : CUDA_SUCCESS;
}

static CUresult
event_wait (CUevent e)
{
  (void)e;
  device_wait ();
  return CUDA_SUCCESS;
}

static CUresult
stream_wait (CUstream s)
{
  (void)s;
  device_wait ();
  return CUDA_SUCCESS;
}

void
device_open (void)
{
  acr_driver = (struct acr_driver){
    .ctx_get_current = current,
    .mem_alloc = device_alloc,
    .mem_free = device_free,
    .mem_get_info = device_info,
    .mem_host_alloc = host_alloc,
    .mem_free_host = host_free,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_query = event_query,
    .event_synchronize = event_wait,
    .stream_synchronize = stream_wait,
    .memcpy_h2d = h2d_now,
    .memcpy_h2d_async = h2d_async,
    .memcpy_d2h = d2h_now,
    .memcpy_d2h_async = d2h_async,
  };
}

/* A libcuda.so.1 for tests of the runtime: it keeps memory and copies, counts
   calls, and runs no kernels.

   It is as lazy as the driver may be: work on a created stream is done only
   when somebody waits for it, asks about the stream, or uses the NULL stream,
   which is ordered with all others.  Memory that is handed out is filled with
   garbage.  So a runtime that hands memory out again too early, or expects
   zeros, shows wrong data.

   Environment: FAKE_CUDA_MEMORY  bytes a device has, default 8 GiB
                FAKE_CUDA_DEVICES number of devices, default 1
                FAKE_CUDA_FAIL    N: the Nth allocation and all after it fail
                FAKE_CUDA_FAST    N: events see 100 us pass for a launch, but 50
                                  with blocks of N threads
                FAKE_CUDA_ROWS    N: half of that with blocks of N threads along y
                FAKE_CUDA_FORMS   N: each kernel has forms NAME$form1 to N; see
                                  FAKE_CUDA_FORM
                FAKE_CUDA_FORM    N: half of that for a launch of such a form N
                FAKE_CUDA_GRID    N: half of that with N blocks
                FAKE_CUDA_STATS   1: print counts as JSON to stderr at exit

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interpose/cuda-types.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-parameter"

typedef void (*callback) (CUstream, CUresult, void *);

/* One piece of work on a stream.  */
struct work
{
  struct work *next;
  void *dst; /* a copy */
  const void *src;
  size_t n;
  callback fn; /* or a callback */
  void *data;
};

struct CUstream_st
{
  struct CUstream_st *next;
  struct work *head, **tail;
};

struct CUctx_st
{
  int device;
};

struct block
{
  struct block *next;
  int device;
  size_t bytes;
  char *mem;
};

static pthread_mutex_t lock; /* recursive: callbacks come back */
static struct CUstream_st *streams;
static struct block *blocks;
static size_t used[16];
static __thread struct CUctx_st *current;
static __thread bool in_callback;

#define COUNTS(X)                                                             \
  X (launches)                                                                \
  X (allocs) X (frees) X (h2d_copies) X (h2d_bytes) X (d2h_copies)            \
      X (d2h_bytes) X (d2d_copies) X (d2d_bytes) X (syncs)
static struct
{
#define X(name) unsigned long name;
  COUNTS (X)
#undef X
} count;

static unsigned long microseconds; /* that events see */

static unsigned long
setting (const char *name, unsigned long def)
{
  const char *s = getenv (name);
  return s ? strtoul (s, NULL, 0) : def;
}

__attribute__ ((constructor)) static void
start (void)
{
  pthread_mutexattr_t a;
  pthread_mutexattr_init (&a);
  pthread_mutexattr_settype (&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&lock, &a);
}

__attribute__ ((destructor)) static void
finish (void)
{
  if (!setting ("FAKE_CUDA_STATS", 0))
    return;
  unsigned long live = 0;
  for (struct block *b = blocks; b; b = b->next)
    live++;
  fprintf (stderr, "{\"fake\":1,\"live\":%lu", live);
#define X(name) fprintf (stderr, ",\"" #name "\":%lu", count.name);
  COUNTS (X)
#undef X
  fputs ("}\n", stderr);
}

/* ---- Work -----------------------------------------------------------------
 */

/* Do the oldest work of S.  The lock is held.  */
static void
step (CUstream s)
{
  struct work *w = s->head;
  if (!(s->head = w->next))
    s->tail = &s->head;
  if (w->fn)
    {
      bool outer = in_callback;
      in_callback = true;
      w->fn (s, CUDA_SUCCESS, w->data);
      in_callback = outer;
    }
  else
    memcpy (w->dst, w->src, w->n);
  free (w);
}

static void
drain (CUstream s)
{
  while (s->head)
    step (s);
}

static void
drain_all (void)
{
  for (CUstream s = streams; s; s = s->next)
    drain (s);
}

static void
submit (CUstream s, struct work w)
{
  pthread_mutex_lock (&lock);
  if (!s)
    {
      drain_all ();
      if (w.n)
        memmove (w.dst, w.src, w.n);
    }
  else
    {
      struct work *p = malloc (sizeof *p);
      *p = w;
      p->next = NULL;
      *s->tail = p;
      s->tail = &p->next;
    }
  pthread_mutex_unlock (&lock);
}

#define NOT_IN_CALLBACK                                                       \
  if (in_callback)                                                            \
  return CUDA_ERROR_NOT_PERMITTED
#define NEED_CONTEXT                                                          \
  NOT_IN_CALLBACK;                                                            \
  if (!current)                                                               \
  return CUDA_ERROR_INVALID_CONTEXT

CUresult
cuStreamCreate (CUstream *s, unsigned flags)
{
  NEED_CONTEXT;
  *s = calloc (1, sizeof **s);
  (*s)->tail = &(*s)->head;
  pthread_mutex_lock (&lock);
  (*s)->next = streams;
  streams = *s;
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

CUresult
cuStreamDestroy_v2 (CUstream s)
{
  pthread_mutex_lock (&lock);
  drain (s);
  CUstream *p = &streams;
  while (*p != s)
    p = &(*p)->next;
  *p = s->next;
  free (s);
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

/* Asking about a stream makes it go one step.  */
CUresult
cuStreamQuery (CUstream s)
{
  pthread_mutex_lock (&lock);
  if (s && s->head)
    step (s);
  bool busy = s && s->head;
  pthread_mutex_unlock (&lock);
  return busy ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CUresult
cuStreamSynchronize (CUstream s)
{
  NEED_CONTEXT;
  pthread_mutex_lock (&lock);
  count.syncs++;
  if (s)
    drain (s);
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

CUresult
cuStreamAddCallback (CUstream s, callback fn, void *data, unsigned flags)
{
  submit (s, (struct work){ .fn = fn, .data = data });
  return CUDA_SUCCESS;
}

/* Waiting for another stream: simply reach that point now.  */
CUresult
cuStreamWaitEvent (CUstream s, CUevent e, unsigned flags)
{
  pthread_mutex_lock (&lock);
  drain_all ();
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

CUresult
cuCtxSynchronize (void)
{
  NEED_CONTEXT;
  pthread_mutex_lock (&lock);
  count.syncs++;
  drain_all ();
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

/* ---- Memory ---------------------------------------------------------------
 */

CUresult
cuMemAlloc_v2 (CUdeviceptr *p, size_t n)
{
  NEED_CONTEXT;
  if (!n)
    return CUDA_ERROR_INVALID_VALUE;
  size_t room = setting ("FAKE_CUDA_MEMORY", 8ul << 30);
  unsigned long fail = setting ("FAKE_CUDA_FAIL", 0);
  CUresult r = CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_lock (&lock);
  struct block *b = NULL;
  count.allocs++;
  if ((!fail || count.allocs < fail) && n <= room - used[current->device]
      && (b = malloc (sizeof *b)))
    {
      *b = (struct block){ blocks, current->device, n,
                           aligned_alloc (512, (n + 511) & -512ul) };
      if (n < 1 << 20)
        memset (b->mem, 0xa5, n);
      blocks = b;
      used[b->device] += n;
      *p = (CUdeviceptr)b->mem;
      r = CUDA_SUCCESS;
    }
  pthread_mutex_unlock (&lock);
  return r;
}

static void
release (struct block **p)
{
  struct block *b = *p;
  *p = b->next;
  used[b->device] -= b->bytes;
  free (b->mem);
  free (b);
}

CUresult
cuMemFree_v2 (CUdeviceptr ptr)
{
  NEED_CONTEXT;
  pthread_mutex_lock (&lock);
  count.frees++;
  drain_all ();
  struct block **p = &blocks;
  while (*p && (CUdeviceptr)(*p)->mem != ptr)
    p = &(*p)->next;
  bool found = *p;
  if (found)
    release (p);
  pthread_mutex_unlock (&lock);
  return found || !ptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuMemGetAddressRange_v2 (CUdeviceptr *base, size_t *n, CUdeviceptr p)
{
  NEED_CONTEXT;
  pthread_mutex_lock (&lock);
  struct block *b = blocks;
  while (b && p - (CUdeviceptr)b->mem >= b->bytes)
    b = b->next;
  if (b && base)
    *base = (CUdeviceptr)b->mem;
  if (b && n)
    *n = b->bytes;
  pthread_mutex_unlock (&lock);
  return b ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult
cuMemGetInfo_v2 (size_t *idle, size_t *total)
{
  NEED_CONTEXT;
  *total = setting ("FAKE_CUDA_MEMORY", 8ul << 30);
  *idle = *total - used[current->device];
  return CUDA_SUCCESS;
}

#define COPY(name, kind, dtype, stype, stream, ...)                           \
  CUresult name (dtype dst, stype src, size_t n __VA_ARGS__)                  \
  {                                                                           \
    NEED_CONTEXT;                                                             \
    __atomic_add_fetch (&count.kind##_copies, 1, __ATOMIC_RELAXED);           \
    __atomic_add_fetch (&count.kind##_bytes, n, __ATOMIC_RELAXED);            \
    submit (stream, (struct work){ .dst = (void *)dst,                        \
                                   .src = (const void *)src,                  \
                                   .n = n });                                 \
    return CUDA_SUCCESS;                                                      \
  }
#define STREAM , CUstream s
COPY (cuMemcpyHtoD_v2, h2d, CUdeviceptr, const void *, NULL)
COPY (cuMemcpyDtoH_v2, d2h, void *, CUdeviceptr, NULL)
COPY (cuMemcpyHtoDAsync_v2, h2d, CUdeviceptr, const void *, s, STREAM)
COPY (cuMemcpyDtoHAsync_v2, d2h, void *, CUdeviceptr, s, STREAM)
COPY (cuMemcpyDtoDAsync_v2, d2d, CUdeviceptr, CUdeviceptr, s, STREAM)

/* ---- Launches -------------------------------------------------------------
 */

/* N for NAME$formN, else 0.  */
static size_t
form_of (const char *name)
{
  const char *form = strstr (name, "$form");
  return form ? atoi (form + 5) : 0;
}

CUresult
cuLaunchKernel (CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                unsigned bx, unsigned by, unsigned bz, unsigned shared,
                CUstream s, void **params, void **extra)
{
  NEED_CONTEXT;
  __atomic_add_fetch (&count.launches, 1, __ATOMIC_RELAXED);
  size_t form = form_of ((const char *)f);
  unsigned us = 100;
  us /= bx * by * bz == setting ("FAKE_CUDA_FAST", 0) ? 2 : 1;
  us /= by == setting ("FAKE_CUDA_ROWS", 0) ? 2 : 1;
  us /= form && form == setting ("FAKE_CUDA_FORM", 0) ? 2 : 1;
  us /= gx == setting ("FAKE_CUDA_GRID", 0) ? 2 : 1;
  __atomic_add_fetch (&microseconds, us, __ATOMIC_RELAXED);
  submit (s, (struct work){ .n = 0 });
  return CUDA_SUCCESS;
}

/* ---- Devices and contexts -------------------------------------------------
 */

CUresult
cuInit (unsigned flags)
{
  return setting ("FAKE_CUDA_DEVICES", 1) ? CUDA_SUCCESS
                                          : CUDA_ERROR_NO_DEVICE;
}

CUresult
cuDeviceGetCount (int *n)
{
  *n = setting ("FAKE_CUDA_DEVICES", 1);
  return CUDA_SUCCESS;
}

CUresult
cuDeviceGet (CUdevice *d, int n)
{
  *d = n;
  return CUDA_SUCCESS;
}

/* Enough of an H200 that OpenMP wants its usual soft stack.  */
CUresult
cuDeviceGetAttribute (int *value, int attribute, CUdevice d)
{
  static const struct
  {
    int attribute, value;
  } table[] = { { 1, 1024 }, { 10, 32 },   { 12, 65536 }, { 13, 1980000 },
                { 16, 132 }, { 39, 2048 }, { 40, 3 },     { 75, 9 },
                { 76, 0 },   { 82, 65536 } };
  *value = 1;
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].attribute == attribute)
      *value = table[i].value;
  return CUDA_SUCCESS;
}

CUresult
cuFuncGetAttribute (int *value, int attribute, CUfunction f)
{
  *value = attribute == 0 ? 1024 : attribute == 4 ? 32 : 0;
  return CUDA_SUCCESS;
}

CUresult
cuDeviceGetName (char *name, int n, CUdevice d)
{
  snprintf (name, n, "Fake device %d", d);
  return CUDA_SUCCESS;
}

CUresult
cuDeviceTotalMem_v2 (size_t *n, CUdevice d)
{
  *n = setting ("FAKE_CUDA_MEMORY", 8ul << 30);
  return CUDA_SUCCESS;
}

CUresult
cuDriverGetVersion (int *v)
{
  *v = 13000;
  return CUDA_SUCCESS;
}

CUresult
cuCtxCreate_v2 (CUcontext *c, unsigned flags, CUdevice d)
{
  current = *c = malloc (sizeof **c);
  current->device = d;
  return CUDA_SUCCESS;
}

CUresult
cuCtxDestroy_v2 (CUcontext c)
{
  pthread_mutex_lock (&lock);
  drain_all ();
  for (struct block **p = &blocks; *p;)
    if ((*p)->device == c->device)
      release (p);
    else
      p = &(*p)->next;
  pthread_mutex_unlock (&lock);
  if (current == c)
    current = NULL;
  free (c);
  return CUDA_SUCCESS;
}

CUresult
cuCtxGetCurrent (CUcontext *c)
{
  *c = current;
  return CUDA_SUCCESS;
}

CUresult
cuCtxGetDevice (CUdevice *d)
{
  NEED_CONTEXT;
  *d = current->device;
  return CUDA_SUCCESS;
}

CUresult
cuCtxPopCurrent_v2 (CUcontext *c)
{
  *c = current;
  current = NULL;
  return CUDA_SUCCESS;
}

CUresult
cuCtxPushCurrent_v2 (CUcontext c)
{
  current = c;
  return CUDA_SUCCESS;
}

CUresult
cuGetErrorString (CUresult r, const char **text)
{
  *text = "unknown";
#define X(name, value, what)                                                  \
  if (r == name)                                                              \
    *text = what;
  CUDA_RESULTS (X)
#undef X
  return CUDA_SUCCESS;
}

/* ---- Pinned memory and events ---------------------------------------------
 */

CUresult
cuMemHostAlloc (void **p, size_t n, unsigned flags)
{
  NEED_CONTEXT;
  *p = malloc (n);
  return *p ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult
cuMemFreeHost (void *p)
{
  NEED_CONTEXT;
  free (p);
  return CUDA_SUCCESS;
}

/* What was recorded last is still to come on STREAM while PENDING.  */
struct CUevent_st
{
  CUstream stream;
  unsigned pending;
  unsigned long microseconds;
};

CUresult
cuEventCreate (CUevent *e, unsigned flags)
{
  NEED_CONTEXT;
  *e = calloc (1, sizeof **e);
  return *e ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static void
reach (CUstream s, CUresult r, void *data)
{
  ((CUevent)data)->pending--;
}

CUresult
cuEventRecord (CUevent e, CUstream s)
{
  NEED_CONTEXT;
  pthread_mutex_lock (&lock);
  e->stream = s;
  e->microseconds = microseconds;
  if (s)
    {
      e->pending++;
      submit (s, (struct work){ .fn = reach, .data = e });
    }
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

CUresult
cuEventQuery (CUevent e)
{
  pthread_mutex_lock (&lock);
  bool busy = e->pending;
  if (busy)
    step (e->stream);
  pthread_mutex_unlock (&lock);
  return busy ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CUresult
cuEventSynchronize (CUevent e)
{
  NEED_CONTEXT;
  pthread_mutex_lock (&lock);
  count.syncs++;
  while (e->pending)
    step (e->stream);
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

CUresult
cuEventElapsedTime (float *milliseconds, CUevent from, CUevent to)
{
  *milliseconds = (to->microseconds - from->microseconds) * 1e-3f;
  return CUDA_SUCCESS;
}

CUresult
cuEventDestroy_v2 (CUevent e)
{
  pthread_mutex_lock (&lock);
  while (e->pending)
    step (e->stream);
  pthread_mutex_unlock (&lock);
  free (e);
  return CUDA_SUCCESS;
}

/* ---- Modules and the rest: there, and empty -------------------------------
 */

CUresult
cuModuleGetGlobal_v2 (CUdeviceptr *p, size_t *n, CUmodule m, const char *name)
{
  return CUDA_ERROR_NOT_FOUND;
}

CUresult
cuModuleGetFunction (CUfunction *f, CUmodule m, const char *name)
{
  /* Constructors and destructors, for which libgomp of GCC 16 asks: none.  */
  if (strstr (name, "__do_global_"))
    return CUDA_ERROR_NOT_FOUND;
  if (form_of (name) > setting ("FAKE_CUDA_FORMS", 0))
    return CUDA_ERROR_NOT_FOUND;
  *f = (CUfunction)(form_of (name) ? strdup (name) : name);
  return CUDA_SUCCESS;
}

CUresult
cuLinkComplete (CUlinkState s, void **image, size_t *n)
{
  *image = &count;
  *n = 1;
  return CUDA_SUCCESS;
}

CUresult
cuOccupancyMaxPotentialBlockSize (int *grid, int *block, CUfunction f,
                                  void *fn, size_t shared, int limit)
{
  *grid = 8;
  *block = limit && limit < 1024 ? limit : 1024;
  return CUDA_SUCCESS;
}

/* For libgomp of GCC 16.  */
CUresult
cuDeviceGetUuid_v2 (void *uuid, CUdevice d)
{
  memset (uuid, d, 16);
  return CUDA_SUCCESS;
}

#define EMPTY(name)                                                           \
  CUresult name (void) { return CUDA_SUCCESS; }
EMPTY (cuCtxSetLimit)
EMPTY (cuLinkAddData)
EMPTY (cuLinkAddData_v2)
EMPTY (cuLinkCreate)
EMPTY (cuLinkCreate_v2)
EMPTY (cuLinkDestroy)
EMPTY (cuMemAllocHost_v2)
EMPTY (cuMemAllocManaged)
EMPTY (cuMemsetD8_v2)
EMPTY (cuPointerGetAttribute)
EMPTY (cuMemcpy2D_v2)
EMPTY (cuMemcpy2DUnaligned_v2)
EMPTY (cuMemcpy3D_v2)
EMPTY (cuMemHostGetDevicePointer_v2)
EMPTY (cuMemcpy)
EMPTY (cuModuleLoad)
EMPTY (cuModuleLoadData)
#ifndef WITHOUT_MODULE_UNLOAD
EMPTY (cuModuleUnload)
#endif

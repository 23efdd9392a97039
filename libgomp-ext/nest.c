/* Where regions inside plain kernels run; see nest.h.

   The compiler leaves an array of five 64-bit words in each program or library
   that has such regions: who executes a child together (0 nobody, 1 a warp, 2 a
   block), how many iterations a child must have for that, how many for the
   queue, the queue's words and its address (plugin/nested-collect.h).

   A queue serves the kernels of its module one after the other: a kernel that
   may defer children is followed, in its stream, by a launch of the same kernel
   with a grid of two rows, which executes them and leaves the queue empty; the
   next one, when it is in another stream, waits for that.

   Where the device itself launches kernels for children, the queue's memory is a
   pool, of which a word counts what is taken, and one launches that failed.  It
   is all free again when a kernel starts.

   Everything is guarded by LOCK.

   Source: El Hajj et al., KLAP (MICRO 2016), section II.B.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "nest.h"

#include "ext.h"
#include "fork.h"
#include "launch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

static const char variable[] = "acr_nest";

enum
{
  GROUP,
  LEAST,
  FAR,
  WORDS,
  QUEUE,
  SETTINGS
};

static const struct
{
  uint64_t group;
  struct acr_nest_device device;
} forms[ACR_NEST_COUNT] = {
  [ACR_NEST_INPLACE] = { 0, { 0, 0 } },
  [ACR_NEST_WARP] = { 1, { 0, 0 } },
  [ACR_NEST_BLOCK] = { 2, { 0, 0 } },
  [ACR_NEST_GRID] = { 2, { 0, 0 } },
  [ACR_NEST_AUTO] = { 1, { 0, 0 } },
  [ACR_NEST_DEVICE_FORGET] = { 1, { 1, 4 } },
  [ACR_NEST_DEVICE_NULL] = { 1, { 1, 0 } },
  [ACR_NEST_DEVICE_TAIL] = { 1, { 1, 3 } },
  [ACR_NEST_DEVICE_WARP] = { 1, { 2, 4 } },
  [ACR_NEST_DEVICE_BLOCK] = { 2, { 2, 4 } },
};

/* First GPUs that let threads of a warp wait at different places.  */
#define MIN_MAJOR 7
/* Words of a queue that count; the same as in the compiler.  */
#define COUNTING_WORDS 16
/* Of a multiprocessor.  */
#define MAX_THREADS 2048
/* Launches by the device that may wait to begin, where the driver has memory for
   as many; it loses what is beyond.  */
#define MAX_PENDING (1 << 20)
#define MIN_PENDING 2048
/* With "auto", iterations that keep several blocks busy.  */
#define AUTO_FAR 4096

struct acr_nest_queue
{
  LIST_ENTRY (acr_nest_queue) link;
  CUmodule module;
  CUcontext ctx;
  CUdeviceptr memory; /* 0: children are not deferred */
  CUevent event;      /* behind the last launch */
  CUstream last;
  int processors;
  bool pool; /* for launches by the device */
};

LIST_HEAD (queues, acr_nest_queue);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct queues queues = LIST_HEAD_INITIALIZER (queues);

ACR_FORK_KEEPS (lock)

static struct acr_nest_queue *
find (CUmodule module)
{
  struct acr_nest_queue *q;
  LIST_FOREACH (q, &queues, link)
    if (q->module == module)
      break;
  return q;
}

/* Whether the current context's GPU can have threads wait.  */
static bool
able (int *processors)
{
  CUdevice device;
  int major;
  return acr_driver.device_get_attribute
         && !acr_driver.ctx_get_device (&device)
         && !acr_driver.device_get_attribute (
             &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)
         && !acr_driver.device_get_attribute (
             processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device)
         && major >= MIN_MAJOR;
}

/* Give Q memory, whose counters are 0.  Whether that was possible.  */
static bool
make_queue (struct acr_nest_queue *q)
{
  static const uint64_t zero[COUNTING_WORDS];
  if (acr_env.nest_queue < 2 * sizeof zero
      || acr_driver.event_create (&q->event, CU_EVENT_DISABLE_TIMING))
    return false;
  if (acr_driver.mem_alloc (&q->memory, acr_env.nest_queue))
    q->memory = 0;
  else if (acr_driver.memcpy_h2d (q->memory, zero, sizeof zero))
    {
      acr_driver.mem_free (q->memory);
      q->memory = 0;
    }
  if (!q->memory)
    acr_driver.event_destroy (q->event);
  return q->memory;
}

struct acr_nest_device
acr_nest_device (void)
{
  return forms[acr_opt_off (ACR_OPT_nest) ? ACR_NEST_INPLACE : acr_env.nest]
      .device;
}

/* Let as many launches by the device wait as the driver allows.  */
static void
raise_limit (void)
{
  size_t n = MAX_PENDING;
  if (!acr_driver.ctx_set_limit)
    return;
  while (n > MIN_PENDING
         && acr_driver.ctx_set_limit (
             CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, n))
    n /= 2;
  acr_debug (1, "%zu launches by the device may wait", n);
}

static void
set_up (struct acr_nest_queue *q, CUdeviceptr settings)
{
  enum acr_nest mode = acr_env.nest;
  bool memory = mode >= ACR_NEST_GRID && make_queue (q);
  uint64_t value[SETTINGS] = { [GROUP] = forms[mode].group,
                               [LEAST] = acr_env.nest_min,
                               [FAR] = UINT64_MAX };
  q->pool = forms[mode].device.form;
  if (memory)
    {
      if (!q->pool)
        value[FAR] = mode == ACR_NEST_AUTO ? AUTO_FAR : acr_env.nest_min;
      value[WORDS] = acr_env.nest_queue / sizeof *value;
      value[QUEUE] = q->memory;
    }
  if (q->pool)
    raise_limit ();
  CUresult r = acr_driver.memcpy_h2d (settings, value, sizeof value);
  acr_debug (1, "children run by %s%s: status %d",
             value[GROUP] == ACR_NEST_WARP ? "warp" : "block",
             q->pool        ? " or are launched by the device"
             : memory      ? " or are deferred"
                           : "",
             r);
}

void
acr_nest_set_up (CUmodule module)
{
  CUdeviceptr p;
  size_t n;
  int processors;
  if (acr_env.nest == ACR_NEST_INPLACE || acr_opt_off (ACR_OPT_nest)
      || !acr_driver.module_get_global)
    return;
  pthread_mutex_lock (&lock);
  if (!find (module)
      && !acr_driver.module_get_global (&p, &n, module, variable)
      && n == SETTINGS * sizeof (uint64_t) && able (&processors))
    {
      struct acr_nest_queue *q = calloc (1, sizeof *q);
      if (q && !acr_driver.ctx_get_current (&q->ctx))
        {
          q->module = module;
          q->processors = processors;
          set_up (q, p);
          LIST_INSERT_HEAD (&queues, q, link);
        }
      else
        free (q);
    }
  pthread_mutex_unlock (&lock);
}

/* Let all of Q be free for the next kernel in STREAM: behind one that is
   complete when what it has launched is.  */
static bool
empty_pool (struct acr_nest_queue *q, CUstream stream)
{
  return acr_driver.memset_d32_async
         && !acr_driver.memset_d32_async (q->memory, 0, 2, stream);
}

struct acr_nest_queue *
acr_nest_open (const struct acr_launch *l)
{
  if (acr_env.nest < ACR_NEST_GRID || !l->kernel || l->shared
      || l->grid[1] > 1 || l->grid[2] > 1)
    return NULL;
  const struct acr_region *r = acr_kernel_region (l->kernel);
  if (!r || !r->defers || l->kernel->along_y)
    return NULL;
  pthread_mutex_lock (&lock);
  struct acr_nest_queue *q = find (l->kernel->module);
  if (!q || !q->memory
      || (q->last != l->stream
          && acr_driver.stream_wait_event (l->stream, q->event, 0))
      || (q->pool && !empty_pool (q, l->stream)))
    {
      pthread_mutex_unlock (&lock);
      return NULL;
    }
  return q;
}

CUresult
acr_nest_close (struct acr_nest_queue *q, const struct acr_launch *l,
                CUresult r)
{
  if (!r && !q->pool)
    {
      unsigned block = l->block[0] * l->block[1] * l->block[2];
      unsigned half = q->processors * (MAX_THREADS / block) / 2;
      r = acr_driver.launch_kernel (l->fn, half ? half : 1, 2, 1, l->block[0],
                                    l->block[1], l->block[2], 0, l->stream,
                                    l->params, l->extra);
      acr_count (launches, 1);
      acr_count (deferred, 1);
    }
  q->last = l->stream;
  if (!r)
    r = acr_driver.event_record (q->event, l->stream);
  pthread_mutex_unlock (&lock);
  return r;
}

/* Count launches by the device that Q says have failed.  */
static void
count_failed (const struct acr_nest_queue *q)
{
  uint64_t failed = 0;
  if (q->pool && q->memory
      && !acr_driver.memcpy_d2h (&failed, q->memory + sizeof failed,
                                 sizeof failed)
      && failed)
    {
      acr_count (refused, failed);
      acr_debug (1, "%llu launches by the device have failed",
                 (unsigned long long)failed);
    }
}

/* Remove Q; free what it has when the driver still knows it.  */
static void
drop (struct acr_nest_queue *q)
{
  LIST_REMOVE (q, link);
  count_failed (q);
  if (q->memory)
    {
      acr_driver.mem_free (q->memory);
      acr_driver.event_destroy (q->event);
    }
  free (q);
}

void
acr_nest_unload (CUmodule module)
{
  pthread_mutex_lock (&lock);
  struct acr_nest_queue *q = find (module);
  if (q)
    drop (q);
  pthread_mutex_unlock (&lock);
}

void
acr_nest_forget (CUcontext ctx)
{
  CUcontext current;
  bool here = !acr_driver.ctx_get_current (&current) && current == ctx;
  struct acr_nest_queue *q, *next;
  pthread_mutex_lock (&lock);
  for (q = LIST_FIRST (&queues); q; q = next)
    {
      next = LIST_NEXT (q, link);
      if (q->ctx != ctx)
        continue;
      if (!here)
        q->memory = 0;
      drop (q);
    }
  pthread_mutex_unlock (&lock);
}

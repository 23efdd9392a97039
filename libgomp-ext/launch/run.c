/* OpenMP target regions, launched in place of libgomp's plugin; see run.h.

   A synchronous kernel runs on the NULL stream, as the plugin's.  A kernel
   that nobody waits for has a stream that is not ordered with the NULL stream,
   or libgomp's next copy would wait for it; it starts after an event on the
   NULL stream, because a copy to the device may still be on its way when the
   driver returns from it.  What comes after the kernel, copies from the device
   and the freeing of what it used, libgomp does when the task is completed.

   Kernels in generic mode, which have stacks, run one after the other all the
   same: the device's libgomp has the numbers of teams and of threads in variables
   that all kernels of a context share (gomp_num_teams_var and gomp_global_icv,
   config/nvptx/target.c and team.c), and stock GCC starts no kernel before the
   last one's end.  SPMD kernels use none of that.

   A flight is such a kernel with its stream, event and stacks.  LOCK guards
   the lists; a flight belongs to the driver's thread from its launch until it
   is in the list of those that have landed.  ORDER is held while a kernel in
   generic mode is launched, so that the next one finds it aloft; LOCK may be taken
   within.

   Source: libgomp/plugin/plugin-nvptx.c, task.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/construct.h"
#include "interpose/events.h"
#include "interpose/fault.h"
#include "interpose/image.h"
#include "interpose/submit.h"
#include "jit/devlib.h"
#include "launch/gpu.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/pair.h"
#include "launch/run.h"
#include "memory/pool.h"
#include "transfer/defer.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

#define WARP 32
#define MAX_BLOCKS 32      /* of a multiprocessor */
#define MAX_WARPS 32       /* of a block: a limit of GCC's nvptx back end */
#define DEFAULT_WARPS 8    /* OpenMP threads, where the program says nothing */
#define STACK (128u << 10) /* bytes of soft stack a warp */

/* gomp-constants.h, GOMP_TARGET_ARG_*.  */
#define ARG_DEVICE_MASK 0x7f
#define ARG_SUBSEQUENT_PARAM 0x80
#define ARG_ID_MASK 0xff00
#define ARG_NUM_TEAMS 0x100
#define ARG_THREAD_LIMIT 0x200
#define ARG_VALUE_SHIFT 16

struct flight
{
  LIST_ENTRY (flight) link;
  CUcontext ctx;
  CUstream stream;
  CUevent event;
  CUdeviceptr stacks;
  void *task;
};

LIST_HEAD (flights, flight);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static struct flights aloft = LIST_HEAD_INITIALIZER (aloft);
static struct flights landed = LIST_HEAD_INITIALIZER (landed);
static struct flights idle = LIST_HEAD_INITIALIZER (idle);

static void
take_lock (void)
{
  pthread_mutex_lock (&order);
  pthread_mutex_lock (&lock);
}

static void
drop_lock (void)
{
  pthread_mutex_unlock (&lock);
  pthread_mutex_unlock (&order);
}

/* What the parent has aloft is not the child's.  */
static void
after_fork_child (void)
{
  LIST_INIT (&aloft);
  LIST_INIT (&landed);
  LIST_INIT (&idle);
  drop_lock ();
}

__attribute__ ((constructor)) static void
handle_forks (void)
{
  pthread_atfork (take_lock, drop_lock, after_fork_child);
}

/* ---- Launches ---------------------------------------------------------- */

/* What the program says of the geometry; 0 where it does not.  */
static void
read_args (void **args, int *teams, int *threads)
{
  *teams = *threads = 0;
  while (*args)
    {
      intptr_t id = (intptr_t)*args++;
      intptr_t value = id & ARG_SUBSEQUENT_PARAM ? (intptr_t)*args++
                                                 : id >> ARG_VALUE_SHIFT;
      if (id & ARG_DEVICE_MASK)
        continue;
      value = value > INT_MAX ? INT_MAX : value;
      if ((id & ARG_ID_MASK) == ARG_NUM_TEAMS)
        *teams = value;
      else if ((id & ARG_ID_MASK) == ARG_THREAD_LIMIT)
        *threads = value;
    }
}

/* As the plugin's nvptx_adjust_launch_bounds.  */
static void
bound (const struct acr_kernel *k, const struct acr_gpu *gpu, int *teams,
       int *threads)
{
  int max_threads = k->max_threads / WARP;
  if (max_threads > MAX_WARPS)
    max_threads = MAX_WARPS;
  if (*threads <= 0)
    *threads = DEFAULT_WARPS;
  if (*threads > max_threads)
    *threads = max_threads;
  int max_teams
      = gpu->registers / (k->regs * WARP * *threads) * gpu->processors;
  if (*teams <= 0 || *teams > max_teams)
    *teams = max_teams;
}

/* Say as the plugin does what it would launch K with, for a program that says
   TEAMS and THREADS.  */
static void
announce (const struct acr_kernel *k, const struct acr_gpu *gpu, int teams,
          int threads)
{
  const struct acr_region *r = acr_kernel_region (k);
  if (r && (r->share || r->spmd == ACR_SPMD_TRIPS))
    teams = 0;
  bound (k, gpu, &teams, &threads);
  acr_libgomp.debug (0,
                     "  GOMP_OFFLOAD_run: kernel %s: launch [(teams: %u), 1, 1]"
                     " [(lanes: 32), (threads: %u), 1]\n",
                     k->stock->name, teams, threads);
}

/* The record of the plugin's function FN when everything that a launch needs
   is known: a descriptor, which starts with the kernel's handle.  */
static const struct acr_kernel *
kernel_of (int device, void *fn)
{
  if (acr_opt_off (ACR_OPT_launch) || acr_opt_off (ACR_OPT_pool)
      || !acr_gpu (device) || acr_gpu (device)->left)
    return NULL;
  const struct acr_kernel *k = acr_kernel_find (*(CUfunction *)fn);
  return k && k->regs > 0 && k->max_threads >= WARP ? k : NULL;
}

/* Stacks for a launch of WARPS; when memory is out, after what is aloft has
   given its own back.  */
static CUdeviceptr
stacks_alloc (size_t warps)
{
  CUdeviceptr p;
  CUresult r = acr_pool_alloc (&p, warps * STACK);
  if (r == CUDA_ERROR_OUT_OF_MEMORY && acr_run_wait ())
    r = acr_pool_alloc (&p, warps * STACK);
  if (r)
    acr_libgomp.fatal ("cuMemAlloc error: %s", acr_cuda_error (r));
  return p;
}

/* Let STREAM wait for the kernels in generic mode that are aloft in the current
   context; ORDER is held.  Each of them has waited for those before, and the last
   one is the first in the list.  */
static CUresult
follow_generic (CUstream stream)
{
  CUcontext ctx;
  CUstream last = NULL;
  CUevent event;
  CUresult r = acr_driver.ctx_get_current (&ctx);
  if (r)
    return r;
  pthread_mutex_lock (&lock);
  struct flight *f;
  LIST_FOREACH (f, &aloft, link)
    if (f->ctx == ctx && f->stacks)
      {
        last = f->stream;
        break;
      }
  pthread_mutex_unlock (&lock);
  if (!last)
    return CUDA_SUCCESS;
  if (acr_driver.event_create (&event, CU_EVENT_DISABLE_TIMING))
    return acr_cuda_wait (last);
  r = acr_driver.event_record (event, last);
  if (!r)
    r = acr_driver.stream_wait_event (stream, event, 0);
  acr_driver.event_destroy (event);
  return r ? acr_cuda_wait (last) : CUDA_SUCCESS;
}

/* Issue L, for flight F, which is aloft then, when that is not NULL.  */
static CUresult
issue (struct acr_launch *l, struct flight *f)
{
  CUresult r = acr_fault_status ();
  if (!r && f
      && (acr_driver.event_record (f->event, NULL)
          || acr_driver.stream_wait_event (f->stream, f->event, 0)))
    r = acr_cuda_wait (NULL);
  if (!r && l->stacks)
    r = follow_generic (l->stream);
  if (!r)
    r = acr_launch_issue (l);
  if (!r && f)
    {
      pthread_mutex_lock (&lock);
      LIST_INSERT_HEAD (&aloft, f, link);
      pthread_mutex_unlock (&lock);
    }
  return r;
}

/* How many stacks L needs.  That of an SPMD kernel is its block's, and more blocks may
   follow, as many as the GPU holds, for children (nest.h).  */
static size_t
stacks_of (const struct acr_launch *l)
{
  size_t blocks = (size_t)l->grid[0] * l->grid[1] * l->grid[2],
         full = (size_t)l->processors * MAX_BLOCKS;
  if (!l->kernel->soft)
    return blocks * (l->block[0] * l->block[1] * l->block[2] / WARP);
  blocks = blocks > full ? blocks : full;
  return blocks < ACR_SOFT_STACKS ? blocks : ACR_SOFT_STACKS;
}

/* Launch K as the plugin would, on the NULL stream or for flight F; the stacks
   that it works on.  */
static CUdeviceptr
launch (const struct acr_kernel *k, int device, void *vars, void **args,
        struct flight *f)
{
  const struct acr_gpu *gpu = acr_gpu (device);
  int teams, threads;
  if (!args)
    acr_libgomp.fatal ("No target arguments provided");
  read_args (args, &teams, &threads);
  int said_teams = teams, said_threads = threads;
  if (acr_env.gomp_debug)
    announce (k, gpu, teams, threads);
  bound (k, gpu, &teams, &threads);

  unsigned long long value[] = { (uintptr_t)vars, 0, STACK };
  void *params[] = { &value[0], &value[1], &value[2] };
  struct acr_launch l = { .kernel = k,
                          .fn = k->fn,
                          .grid = { teams, 1, 1 },
                          .block = { WARP, threads, 1 },
                          .stacks = true,
                          .teams = said_teams,
                          .threads = said_threads,
                          .processors = gpu->processors,
                          .registers = gpu->registers,
                          .waits = !f,
                          .stream = f ? f->stream : NULL,
                          .params = params };
  acr_launch_adjust (&l);
  CUdeviceptr stacks = 0;
  if (l.stacks)
    {
      value[1] = stacks = stacks_alloc (stacks_of (&l));
      l.shared = k->soft ? 0 : acr_devlib_shared (l.block[1]);
    }
  if (f)
    f->stacks = stacks;
  /* Events and streams of its own go past what waits here (stream.h).  */
  if (f || l.stacks)
    acr_events->flushes ();
  if (l.stacks)
    pthread_mutex_lock (&order);
  CUresult r = issue (&l, f);
  if (l.stacks)
    pthread_mutex_unlock (&order);
  if (r)
    acr_libgomp.fatal ("cuLaunchKernel error: %s", acr_cuda_error (r));
  return stacks;
}

bool
acr_run_attach (int device)
{
  CUcontext current;
  CUdevice other;
  const struct acr_gpu *gpu = acr_gpu (device);
  if (!gpu || !gpu->ctx)
    return false;
  acr_construct_thread ();
  if (acr_driver.ctx_get_current (&current))
    return false;
  if (current && acr_driver.ctx_get_device
      && !acr_driver.ctx_get_device (&other) && other != device)
    {
      acr_driver.ctx_pop_current (&current);
      current = NULL;
    }
  return current || !acr_driver.ctx_push_current (gpu->ctx);
}

bool
acr_run (int device, void *fn, void *vars, void **args)
{
  const struct acr_kernel *k = kernel_of (device, fn);
  if (!k || !acr_run_attach (device))
    return false;
  CUdeviceptr stacks = launch (k, device, vars, args, NULL);
  acr_count (stock_syncs, 1);
  CUresult r = acr_defer_wait ("cuCtxSynchronize");
  if (r)
    acr_fault ("cuCtxSynchronize", r);
  acr_fault_tell ();
  if (stacks)
    acr_pool_free (stacks);
  return true;
}

/* ---- Flights ----------------------------------------------------------- */

static void
move (struct flight *f, struct flights *to)
{
  LIST_REMOVE (f, link);
  LIST_INSERT_HEAD (to, f, link);
}

/* A flight of CTX in LIST, or NULL.  The lock is held.  */
static struct flight *
first_of (struct flights *list, CUcontext ctx)
{
  struct flight *f;
  LIST_FOREACH (f, list, link)
    if (f->ctx == ctx)
      break;
  return f;
}

/* Free the memory of what has landed in CTX.  */
static void
unload (CUcontext ctx)
{
  struct flight *f;
  do
    {
      CUdeviceptr stacks = 0;
      pthread_mutex_lock (&lock);
      if ((f = first_of (&landed, ctx)))
        {
          stacks = f->stacks;
          f->stacks = 0;
          move (f, &idle);
        }
      pthread_mutex_unlock (&lock);
      if (stacks)
        acr_pool_free (stacks);
    }
  while (f);
}

/* A flight that is ready to go in CTX, in no list.  */
static struct flight *
flight_new (CUcontext ctx)
{
  unload (ctx);
  pthread_mutex_lock (&lock);
  struct flight *f = first_of (&idle, ctx);
  if (f)
    LIST_REMOVE (f, link);
  pthread_mutex_unlock (&lock);
  if (f || !(f = calloc (1, sizeof *f)))
    return f;
  f->ctx = ctx;
  if (acr_driver.stream_create (&f->stream, CU_STREAM_NON_BLOCKING))
    {
      free (f);
      return NULL;
    }
  if (acr_driver.event_create (&f->event, CU_EVENT_DISABLE_TIMING))
    {
      acr_driver.stream_destroy (f->stream);
      free (f);
      return NULL;
    }
  return f;
}

/* The kernel of flight DATA is complete, or will never be.  The driver's thread
   may not end the program, because that calls the driver.  A task of which the
   kernel has failed does not go on: libgomp would run it on the host if it found
   the device closed, as it is when the program ends.  */
static void
land (CUstream stream, CUresult status, void *data)
{
  struct flight *f = data;
  void *task = f->task;
  acr_pair_done (stream);
  pthread_mutex_lock (&lock);
  move (f, &landed);
  pthread_mutex_unlock (&lock);
  if (status)
    acr_fault ("cuCtxSynchronize", status);
  if (!acr_fault_status () || !acr_fault_tell_apart ())
    acr_libgomp.task_completion (task);
}

bool
acr_run_async (int device, void *fn, void *vars, void **args, void *task)
{
  CUcontext ctx;
  const struct acr_kernel *k = kernel_of (device, fn);
  if (!acr_run_attach (device) || !k || acr_driver.ctx_get_current (&ctx))
    return false;
  struct flight *f = flight_new (ctx);
  if (!f)
    return false;
  f->task = task;
  launch (k, device, vars, args, f);
  acr_count (nowait, 1);
  acr_count (stock_syncs, 1);
  /* From here on F may land.  */
  if (acr_cuda_add_callback (f->stream, land, f))
    land (f->stream, acr_cuda_wait (f->stream), f);
  return true;
}

bool
acr_run_wait (void)
{
  CUcontext ctx;
  bool any = false;
  if (acr_opt_off (ACR_OPT_pool) || acr_driver.ctx_get_current (&ctx))
    return false;
  for (;;)
    {
      pthread_mutex_lock (&lock);
      struct flight *f = first_of (&aloft, ctx);
      CUstream stream = f ? f->stream : NULL;
      any |= first_of (&landed, ctx) != NULL;
      pthread_mutex_unlock (&lock);
      if (!f || acr_cuda_wait (stream))
        break;
      any = true;
    }
  unload (ctx);
  return any;
}

void
acr_run_forget (CUcontext ctx)
{
  CUcontext current;
  bool here = !acr_driver.ctx_get_current (&current) && current == ctx;
  if (here)
    acr_run_wait ();
  acr_gpu_forget (ctx);
  struct flights *lists[] = { &aloft, &landed, &idle };
  for (unsigned i = 0; i < 3; i++)
    for (;;)
      {
        pthread_mutex_lock (&lock);
        struct flight *f = first_of (lists[i], ctx);
        if (f)
          LIST_REMOVE (f, link);
        pthread_mutex_unlock (&lock);
        if (!f)
          break;
        if (here && lists[i] == &idle)
          {
            acr_driver.event_destroy (f->event);
            acr_driver.stream_destroy (f->stream);
          }
        if (lists[i] != &aloft)
          free (f);
      }
}

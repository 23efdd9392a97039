/* Launches: blocks, the worker pool, limits.

   A worker begins blocks of a launch and runs them in turns.  It holds one at
   a time as long as blocks finish; a block that spins, perhaps for another
   one, makes it begin the next, up to the number that would be resident on
   the GPU model at once.  So blocks that wait for each other make progress
   whenever they would on that GPU.

   What a grid launches begins when its blocks have ended (nested.c).  The
   host's launch is complete when its descendants are; its thread helps with
   them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "machine/mem.h"
#include "ops/lanes.h"
#include "ptx/ptx.h"

enum
{
  SLICE = 1 << 20,		/* instructions of a block at a time */
  PATIENCE = 256,		/* slices until a block counts as spinning */
  STACK_BYTES = 64 << 10	/* first size of a warp's register stack */
};

/* ---- Blocks ------------------------------------------------------------ */

static void
fill (struct warp *w, enum sreg_row row, unsigned value)
{
  for (unsigned l = 0; l < LANES; l++)
    w->sreg[row][l] = value;
}

/* Special registers that stay the same for all blocks of the launch.  */
static void
fix_sregs (struct warp *w)
{
  const struct launch *launch = w->cta->launch;
  const struct emu_launch *l = launch->l;
  const unsigned *b = l->block;
  for (unsigned k = 0; k < LANES; k++)
    {
      unsigned t = w->id * LANES + k;
      w->sreg[SROW_TID_X][k] = t % b[0];
      w->sreg[SROW_TID_Y][k] = t / b[0] % b[1];
      w->sreg[SROW_TID_Z][k] = t / b[0] / b[1];
      w->sreg[SROW_LANEID][k] = k;
      w->sreg[SROW_MASK_EQ][k] = 1u << k;
      w->sreg[SROW_MASK_LT][k] = (1u << k) - 1;
      w->sreg[SROW_MASK_LE][k] = (2u << k) - 1;
      w->sreg[SROW_MASK_GT][k] = ~((2u << k) - 1);
      w->sreg[SROW_MASK_GE][k] = ~((1u << k) - 1);
      ((u64 *) w->sreg[SROW_GRIDID])[k] = launch->gridid;
    }
  for (unsigned k = 0; k < 3; k++)
    {
      fill (w, SROW_NTID_X + k, b[k]);
      fill (w, SROW_NCTAID_X + k, l->grid[k]);
    }
  fill (w, SROW_WARPID, w->id);
  fill (w, SROW_NWARPID, (unsigned) emu_gpu ()->max_threads_per_sm / LANES);
  fill (w, SROW_NSMID, (unsigned) emu_gpu ()->sms);
  fill (w, SROW_DYN_SMEM, l->dyn_shared);
  fill (w, SROW_TOTAL_SMEM, (unsigned) launch->shared_bytes);
  fill (w, SROW_ZERO, 0);
}

static void
free_cta (struct cta *cta)
{
  emu_drop_drafts (cta);
  for (unsigned k = 0; cta->warp && k < cta->nwarps; k++)
    {
      free (cta->warp[k].stack);
      free (cta->warp[k].local);
    }
  emu_check_cta_end (cta->watch);
  free (cta->warp);
  free (cta->shared);
  free (cta);
}

/* A block without work, or NULL: no memory.  */
static struct cta *
new_cta (struct launch *launch)
{
  const unsigned *b = launch->l->block;
  struct cta *cta = calloc (1, sizeof *cta);
  if (!cta)
    return NULL;
  cta->launch = launch;
  cta->nwarps = (b[0] * b[1] * b[2] + LANES - 1) / LANES;
  cta->shared_bytes = launch->shared_bytes;
  cta->shared = aligned_alloc (128, (cta->shared_bytes + 255) & -(size_t) 128);
  size_t bytes = cta->nwarps * sizeof *cta->warp;
  cta->warp = aligned_alloc (_Alignof (struct warp), bytes);
  if (cta->warp)
    memset (cta->warp, 0, bytes);
  bool done = cta->warp && cta->shared;
  size_t stack = STACK_BYTES;
  while (stack < launch->func->frame)
    stack *= 2;
  for (unsigned k = 0; done && k < cta->nwarps; k++)
    {
      struct warp *w = &cta->warp[k];
      w->id = k;
      w->cta = cta;
      w->stack = aligned_alloc (4096, stack);
      w->stack_bytes = stack;
      w->base[OB_POOL] = emu_pool (launch->func->module);
      w->base[OB_SREG] = (char *) w->sreg;
      fix_sregs (w);
      done = w->stack;
      if (done)
	memset (w->stack, 0, stack);
      w->active = 1;		/* a fault names lane 0 */
      if (done && launch->func->local)
	done = emu_grow_local (w, launch->code, launch->func->local);
    }
  if (done)
    {
      cta->watch = emu_check_cta (cta);
      return cta;
    }
  free_cta (cta);
  return NULL;
}

/* Make CTA block number INDEX of its launch, at its beginning.  */
static void
begin_cta (struct cta *cta, uint64_t index)
{
  const struct launch *launch = cta->launch;
  const unsigned *grid = launch->l->grid, *b = launch->l->block;
  emu_drop_drafts (cta);
  cta->index = index;
  cta->ctaid[0] = (unsigned) (index % grid[0]);
  cta->ctaid[1] = (unsigned) (index / grid[0] % grid[1]);
  cta->ctaid[2] = (unsigned) (index / grid[0] / grid[1]);
  cta->live_warps = cta->nwarps;
  cta->threads = b[0] * b[1] * b[2];
  cta->next_warp = 0;
  cta->slices = 0;
  memset (cta->barrier, 0, sizeof cta->barrier);
  cta->waited = 0;
  for (unsigned k = 0; k < cta->nwarps; k++)
    {
      struct warp *w = &cta->warp[k];
      unsigned left = cta->threads - k * LANES;
      w->live = left >= LANES ? (uint32_t) ALL : (1u << left) - 1;
      w->active = w->warp_wait = w->cta_wait = w->yielded = 0;
      w->retry = false;
      memset (w->at, 0, sizeof w->at);
      memset (w->last_error, 0, sizeof w->last_error);
      memset (w->stack, 0, FRAME_HEADER);
      for (unsigned l = 0; l < LANES; l++)
	{
	  w->lane_ip[l] = launch->code;
	  w->lane_fp[l] = 0;
	  ((u32 *) (w->stack + FRAME_TOP))[l] = launch->func->local;
	}
      for (unsigned d = 0; d < 3; d++)
	fill (w, SROW_CTAID_X + d, cta->ctaid[d]);
      fill (w, SROW_SMID, (unsigned) (index % (unsigned) emu_gpu ()->sms));
    }
  emu_note (&emu_work.blocks, 1);
  emu_check_cta_begin (cta);
}

static void
report_deadlock (struct cta *cta)
{
  if (cta->watch)
    {
      emu_check_deadlock (cta);
      return;
    }
  for (unsigned k = 0; k < cta->nwarps; k++)
    {
      struct warp *w = &cta->warp[k];
      if (!w->live)
	continue;
      unsigned l = (unsigned) __builtin_ctz (w->live);
      bool barrier = w->cta_wait >> l & 1;
      emu_fault (w, w->lane_ip[l], l, CUDA_ERROR_LAUNCH_FAILED,
		 "deadlock: every thread waits, this one %s %u",
		 barrier ? "at barrier" : "for lanes of mask",
		 w->lane_wait[l]);
      return;
    }
}

struct emu_work emu_work;

/* Run CTA for a while.  False when it has finished or failed.  */
static bool
run_cta (struct cta *cta)
{
  int budget = SLICE;
  cta->spins = false;
  while (cta->live_warps && budget > 0)
    {
      bool ran = false;
      for (unsigned k = 0; k < cta->nwarps && budget > 0; k++)
	{
	  struct warp *w = &cta->warp[cta->next_warp];
	  if (++cta->next_warp == cta->nwarps)
	    cta->next_warp = 0;
	  if (!(w->live & ~(w->warp_wait | w->cta_wait)))
	    continue;
	  ran = true;
	  int gone = emu_warp_run (w);
	  budget -= gone;
	  emu_note (&emu_work.instructions, (uint64_t) (gone - w->skipped));
	  if (emu_failed (w))
	    return false;
	}
      if (!ran && cta->live_warps)
	{
	  report_deadlock (cta);
	  return false;
	}
    }
  return cta->live_warps;
}

/* ---- Workers ----------------------------------------------------------- */

pthread_mutex_t emu_pool_lock = PTHREAD_MUTEX_INITIALIZER;

/* Guarded by emu_pool_lock.  */
static struct
{
  pthread_cond_t work, done;
  struct launch *launches;	/* with blocks to begin */
  pid_t pid;			/* whose threads these are */
  unsigned threads;
} pool = { .work = PTHREAD_COND_INITIALIZER,
	   .done = PTHREAD_COND_INITIALIZER };

static bool
more (struct launch *launch)
{
  return __atomic_load_n (&launch->next, __ATOMIC_RELAXED) < launch->ctas;
}

/* Begin one more block in *SPARE or a new one; NULL: none is left, or no
   memory.  */
static struct cta *
take (struct launch *launch, struct cta **spare)
{
  if (!more (launch))
    return NULL;
  uint64_t index = __atomic_fetch_add (&launch->next, 1, __ATOMIC_RELAXED);
  if (index >= launch->ctas)
    return NULL;
  struct cta *cta = *spare;
  *spare = NULL;
  if (!cta && !(cta = new_cta (launch)))
    {
      int none = CUDA_SUCCESS;
      __atomic_compare_exchange_n (&launch->root->error, &none,
				   CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, false,
				   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      return NULL;
    }
  begin_cta (cta, index);
  return cta;
}

static void
check_time (struct cta *cta)
{
  struct launch *launch = cta->launch;
  if (!launch->deadline || emu_now () < launch->deadline)
    return;
  for (unsigned k = 0; k < cta->nwarps; k++)
    {
      struct warp *w = &cta->warp[k];
      if (w->live)
	{
	  unsigned l = (unsigned) __builtin_ctz (w->live);
	  emu_fault (w, w->lane_ip[l], l, CUDA_ERROR_LAUNCH_TIMEOUT,
		     "timeout (ACCRETE_EMU_TIMEOUT)");
	  return;
	}
    }
}

/* Run blocks of LAUNCH until there is none left to begin and all begun here
   have finished.  */
static void
work (struct launch *launch)
{
  struct cta *spare = NULL;
  struct cta *last = NULL;	/* ring of begun blocks: last->next is next */
  unsigned resident = 0;
  bool another = true;		/* begin one more */
  while (!__atomic_load_n (&launch->root->error, __ATOMIC_RELAXED))
    {
      struct cta *cta;
      if (another && resident < launch->max_resident
	  && (cta = take (launch, &spare)))
	{
	  /* It runs next.  */
	  cta->next = last ? last->next : cta;
	  if (last)
	    last->next = cta;
	  else
	    last = cta;
	  resident++;
	}
      another = false;
      if (!last)
	break;
      cta = last->next;
      if (run_cta (cta))
	{
	  check_time (cta);
	  if (emu_check_stuck (cta))
	    emu_check_deadlock (cta);
	  another = cta->spins || ++cta->slices % PATIENCE == 0;
	  last = cta;
	}
      else
	{
	  another = true;
	  resident--;
	  last->next = cta->next;
	  if (last == cta)
	    last = NULL;
	  if (spare)
	    free_cta (cta);
	  else
	    spare = cta;
	}
    }
  if (spare)
    free_cta (spare);
  while (last)
    {
      struct cta *cta = last->next;
      last->next = cta->next;
      if (cta == last)
	last = NULL;
      free_cta (cta);
    }
}

void
emu_launch_begin (struct launch *launch)
{
  launch->next_launch = pool.launches;
  pool.launches = launch;
  pthread_cond_broadcast (&pool.work);
  pthread_cond_broadcast (&pool.done); /* the host's thread helps */
}

/* Take LAUNCH off the list; the lock is held.  */
static void
unlist (struct launch *launch)
{
  for (struct launch **p = &pool.launches; *p; p = &(*p)->next_launch)
    if (*p == launch)
      {
	*p = launch->next_launch;
	return;
      }
}

/* Work on LAUNCH; the lock is held, but not meanwhile.  Who comes back first
   knows that all blocks have begun, and who comes back last, that they have
   ended: LAUNCH may be gone then.  */
static void
work_unlocked (struct launch *launch)
{
  const struct launch *root = launch->root;
  if (!launch->working++)
    emu_check_launch (launch);
  pthread_mutex_unlock (&emu_pool_lock);
  work (launch);
  pthread_mutex_lock (&emu_pool_lock);
  unlist (launch);
  if (--launch->working == 0)
    {
      emu_check_launched (launch);
      emu_launch_ended (launch);
    }
  if (!root->open)
    pthread_cond_broadcast (&pool.done);
}

static void *
worker (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&emu_pool_lock);
  for (;;)
    if (pool.launches)
      work_unlocked (pool.launches);
    else
      pthread_cond_wait (&pool.work, &emu_pool_lock);
  return NULL;
}

static unsigned
threads_wanted (void)
{
  const char *s = emu_env (EMU_ENV_THREADS);
  long n = s ? strtol (s, NULL, 10) : sysconf (_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > 1024 ? 1024 : (unsigned) n;
}

/* Start the helpers, again in a child after fork; the lock is held.  */
static void
start_pool (void)
{
  if (pool.pid == getpid ())
    return;
  pool.pid = getpid ();
  pool.threads = threads_wanted ();
  for (unsigned k = 1; k < pool.threads; k++)
    if (!emu_thread_start (worker, NULL))
      break;
}

/* ---- Launching --------------------------------------------------------- */

CUresult
emu_launch_check (const struct emu_launch *l)
{
  const struct emu_gpu *gpu = emu_gpu ();
  const struct emu_func *f = l->func;
  struct emu_func_info info;
  emu_func_info (f, &info);
  uint64_t threads = (uint64_t) l->block[0] * l->block[1] * l->block[2];
  if (!l->grid[0] || !l->grid[1] || !l->grid[2] || !threads
      || l->grid[0] > 0x7fffffff || l->grid[1] > 65535 || l->grid[2] > 65535
      || l->block[0] > 1024 || l->block[1] > 1024 || l->block[2] > 64
      || threads > (uint64_t) gpu->max_threads_per_block)
    return CUDA_ERROR_INVALID_VALUE;
  if (l->dyn_shared + info.shared > (size_t) gpu->shared_per_block_optin)
    return CUDA_ERROR_INVALID_VALUE;
  for (int k = 0; k < 3; k++)
    if (f->reqntid[0] && (f->reqntid[k] ? f->reqntid[k] : 1) != l->block[k])
      return CUDA_ERROR_INVALID_VALUE;
  if (f->maxntid && threads > f->maxntid)
    return CUDA_ERROR_INVALID_VALUE;
  if (threads > (uint64_t) info.max_threads)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  return CUDA_SUCCESS;
}

/* Blocks of LAUNCH that the model holds at once.  */
static uint64_t
co_resident (const struct launch *launch)
{
  const struct emu_gpu *gpu = emu_gpu ();
  const unsigned *b = launch->l->block;
  unsigned n = (unsigned) gpu->max_blocks_per_sm;
  unsigned by_threads
    = (unsigned) gpu->max_threads_per_sm / (b[0] * b[1] * b[2]);
  if (by_threads < n)
    n = by_threads;
  if (launch->shared_bytes
      && (size_t) gpu->shared_per_sm / launch->shared_bytes < n)
    n = (unsigned) (gpu->shared_per_sm / launch->shared_bytes);
  return (uint64_t) (n ? n : 1) * (unsigned) gpu->sms;
}

static uint64_t
deadline (void)
{
  const char *s = emu_env (EMU_ENV_TIMEOUT);
  double seconds = s ? strtod (s, NULL) : 0;
  return seconds > 0 ? emu_now () + (uint64_t) (seconds * 1e9) : 0;
}

CUresult
emu_launch_prepare (struct launch *launch)
{
  static uint64_t grids;
  const struct emu_launch *l = launch->l;
  launch->func = l->func;
  launch->code = emu_func_code (l->func);
  if (!launch->code)
    return CUDA_ERROR_OUT_OF_MEMORY;
  launch->ctas = (uint64_t) l->grid[0] * l->grid[1] * l->grid[2];
  launch->gridid = __atomic_add_fetch (&grids, 1, __ATOMIC_RELAXED);
  launch->shared_bytes = emu_dynamic_shared (l->func) + l->dyn_shared;
  launch->stack_limit = emu_limit (CU_LIMIT_STACK_SIZE);
  launch->lockstep = l->func->ptx->unit->target < 70;
  launch->open = 1;
  pthread_mutex_lock (&emu_pool_lock);
  start_pool ();
  launch->max_resident
    = (unsigned) ((co_resident (launch) + pool.threads - 1) / pool.threads);
  pthread_mutex_unlock (&emu_pool_lock);
  return CUDA_SUCCESS;
}

/* A listed launch of ROOT's family, or NULL; the lock is held.  */
static struct launch *
listed_of (const struct launch *root)
{
  struct launch *l = pool.launches;
  while (l && l->root != root)
    l = l->next_launch;
  return l;
}

CUresult
emu_launch_run (const struct emu_launch *l)
{
  CUresult r = emu_launch_check (l);
  if (r != CUDA_SUCCESS)
    return r;
  struct launch launch = { .l = l, .root = &launch, .deadline = deadline () };
  r = emu_launch_prepare (&launch);
  if (r == CUDA_SUCCESS && l->func->params)
    r = emu_mem_alloc (&launch.params, l->func->params);
  if (r != CUDA_SUCCESS)
    return r;
  if (launch.params)
    {
      memcpy ((void *) (uintptr_t) launch.params, l->params, l->func->params);
      emu_check_defined (launch.params, l->func->params);
    }

  pthread_mutex_lock (&emu_pool_lock);
  if (launch.ctas > 1 && pool.threads > 1)
    emu_launch_begin (&launch);
  work_unlocked (&launch);
  while (launch.open)
    {
      struct launch *child = listed_of (&launch);
      if (child)
	work_unlocked (child);
      else
	pthread_cond_wait (&pool.done, &emu_pool_lock);
    }
  pthread_mutex_unlock (&emu_pool_lock);
  if (launch.params)
    emu_mem_free (launch.params);
  return (CUresult) launch.error;
}

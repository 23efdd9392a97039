/* Where regions inside SPMD kernels run; see nest.h.

   The runtime tells the compiler's code by nest-abi.h's settings, and by the
   dynamic shared memory of each launch.

   With "auto" children run in place until it is known who executes them
   fastest: a few forms are tried (nest-auto.h, nest-trial.h).  The first launch
   that needs the queue allocates its memory, which goes back when the program
   is short of memory.

   A kernel whose warps or blocks execute children has as many of these as the GPU
   holds, each with few parents (plugin/nested/nested-spread.cc).

   A queue serves the kernels of its module one after the other: a kernel that
   may defer children is followed, in its stream, by a launch of the same kernel
   with a grid of two rows, which executes them and leaves the queue empty; the
   next one, when it is in another stream, waits for that.  Where children launch
   themselves again, that one leaves those of the next level.  Where the GPU holds
   all of its blocks at once, it goes on with that, and so on (a cooperative launch);
   else another one like it does: as many are launched as were needed before, and
   then the host looks whether the queue is empty.

   Where the device itself launches kernels for children, the queue's memory is a
   pool, of which a word counts what is taken, and one launches that failed.  It
   is all free again when a kernel starts.

   Everything is guarded by LOCK.

   Source: El Hajj et al., KLAP (MICRO 2016), section II.B.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/gpu.h"
#include "launch/nest/nest.h"

#include "base/fork.h"
#include "ext.h"
#include "launch/geometry/geometry.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/nest/nest-form.h"
#include "launch/nest/nest-mode.h"
#include "launch/nest/nest-trial.h"
#include "launch/resident/resident.h"
#include "report/row.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

/* First GPUs that let threads of a warp wait at different places.  */
#define MIN_MAJOR 7
#define WARP_SIZE 32
/* Of a multiprocessor.  */
#define MAX_THREADS 2048
#define MAX_BLOCKS 32
/* Launches by the device that may wait to begin, where the driver has memory for
   as many; it loses what is beyond.  */
#define MAX_PENDING (1 << 18)
#define MIN_PENDING 2048
/* A form that was never tried may use this many threads for what one does in
   place: a warp's accesses, which in place were next to each other, may be to
   as many sectors.  Memory is busy when an 8th of the threads that a GPU holds
   wait for three sectors each: on an H200, 3.2 MB in the 700 ns of an access
   are its 4.8 TB/s.  */
#define AUTO_RISK 8
/* Launches for the levels of a recursion before the host looks for the first
   time, and between two times.  */
#define FIRST_LEVELS 8
#define MORE_LEVELS 4

struct acr_nest_queue
{
  LIST_ENTRY (acr_nest_queue) link;
  CUmodule module;
  CUcontext ctx;
  CUdeviceptr memory; /* 0: children are not deferred */
  bool none;          /* and will not be */
  CUevent event;      /* behind the last launch */
  CUstream last;
  int processors;
  bool pool; /* for launches by the device */
  CUdeviceptr settings;
  struct acr_nest_trial trial; /* with "auto" */
  unsigned form; /* of the launch in hand */
  bool drains;   /* that may leave children in the queue */
  bool recurs;   /* and so may what executes these */
  unsigned levels; /* how often that did, the last time */
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

static uint64_t
threads_of (const struct acr_launch *l)
{
  return (uint64_t)l->grid[0] * l->block[0] * l->block[1] * l->block[2];
}

/* Have K's blocks whole warps of which all threads work?  */
static bool
has_warps (const struct acr_kernel *k)
{
  return !k->along_y || k->soft;
}

/* Whether the current context's GPU can have threads wait.  */
static bool
able (int *processors)
{
  int major;
  return acr_gpu_attribute (&major,
                            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
         && acr_gpu_attribute (processors,
                               CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
         && major >= MIN_MAJOR;
}

/* Give Q memory, not set up yet.  Whether that was possible.  */
static bool
allocate (struct acr_nest_queue *q)
{
  if (acr_env.nest_queue < 2 * ACR_NEST_QUEUE_BEGIN * sizeof (uint64_t)
      || acr_driver.event_create (&q->event, CU_EVENT_DISABLE_TIMING))
    return false;
  if (acr_driver.mem_alloc (&q->memory, acr_env.nest_queue))
    {
      q->memory = 0;
      acr_driver.event_destroy (q->event);
    }
  return q->memory;
}

/* Free Q's memory.  */
static void
free_memory (struct acr_nest_queue *q)
{
  acr_driver.mem_free (q->memory);
  acr_driver.event_destroy (q->event);
  q->memory = 0;
}

/* Give Q memory, whose counters are 0.  Whether that was possible.  */
static bool
make_queue (struct acr_nest_queue *q)
{
  static const uint64_t zero[ACR_NEST_QUEUE_BEGIN];
  if (allocate (q) && acr_driver.memcpy_h2d (q->memory, zero, sizeof zero))
    free_memory (q);
  return q->memory;
}

/* Let what follows in STREAM find VALUE in word I of Q's settings.  */
static CUresult
set_word (const struct acr_nest_queue *q, enum acr_nest_setting i,
          uint64_t value, CUstream stream)
{
  CUdeviceptr word = q->settings + i * sizeof value;
  CUresult r = acr_driver.memset_d32_async (word, value, 1, stream);
  return r ? r : acr_driver.memset_d32_async (word + sizeof value / 2,
                                              value >> 32, 1, stream);
}

/* The same as make_queue for what follows in STREAM, whose kernel is to be the
   first that needs the queue.  Nobody waits.  */
static bool
make_queue_in (struct acr_nest_queue *q, CUstream stream)
{
  if (q->none || !acr_driver.memset_d32_async || !allocate (q))
    q->none = true;
  else if (acr_driver.memset_d32_async (q->memory, 0, 2 * ACR_NEST_QUEUE_BEGIN,
                                        stream)
           || set_word (q, ACR_NEST_SETTING_QUEUE, q->memory, stream)
           || set_word (q, ACR_NEST_SETTING_WORDS,
                        acr_env.nest_queue / sizeof (uint64_t), stream)
           || acr_driver.event_record (q->event, stream))
    {
      free_memory (q);
      q->none = true;
    }
  return q->memory;
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
set_up (struct acr_nest_queue *q)
{
  uint64_t value[ACR_NEST_WORDS] = { 0 };
  struct acr_nest_rule form[ACR_NEST_FORMS];
  q->pool = acr_nest_mode (acr_env.nest)->device.form;
  if (acr_env.nest >= ACR_NEST_GRID && !acr_nest_form_chosen ()
      && make_queue (q))
    {
      value[ACR_NEST_SETTING_WORDS] = acr_env.nest_queue / sizeof *value;
      value[ACR_NEST_SETTING_QUEUE] = q->memory;
    }
  if (q->pool)
    raise_limit ();
  if (acr_env.nest == ACR_NEST_AUTO)
    {
      acr_nest_trial_make (&q->trial,
                           q->settings + ACR_NEST_SETTING_WORK * sizeof *value);
      acr_nest_auto_prepare ();
    }
  acr_nest_form_all (form);
  memcpy (value + ACR_NEST_SETTING_FORMS, form, sizeof form);
  CUresult r = acr_driver.memcpy_h2d (q->settings, value, sizeof value);
  acr_debug (1, "children run %s%s: status %d",
             acr_nest_mode (acr_env.nest)->words,
             q->memory ? ", with a queue" : "", r);
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
      && !acr_driver.module_get_global (&p, &n, module, ACR_NEST_SETTINGS)
      && n == ACR_NEST_WORDS * sizeof (uint64_t) && able (&processors))
    {
      struct acr_nest_queue *q = calloc (1, sizeof *q);
      if (q && !acr_driver.ctx_get_current (&q->ctx))
        {
          q->module = module;
          q->processors = processors;
          q->settings = p;
          set_up (q);
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

/* The launches like L, whose kernel is R's.  */
static struct acr_nest_site
site_of (const struct acr_nest_queue *q, const struct acr_launch *l,
         const struct acr_region *r)
{
  struct acr_nest_site site = { .code = l->kernel->code };
  while (threads_of (l) >> site.threads > 1)
    site.threads++;
  site.forms = acr_nest_form_tries (r, !q->none);
  return site;
}

/* How many times as long as in place L may take in any form: its threads have
   to themselves what the GPU holds beyond them.  */
static float
risk_of (const struct acr_nest_queue *q, const struct acr_launch *l)
{
  float part = threads_of (l) / ((float)q->processors * MAX_THREADS);
  return AUTO_RISK * (part < 1 ? part : 1);
}

/* The form of L, of the region R, for "auto".  */
static unsigned
measured_form (struct acr_nest_queue *q, const struct acr_launch *l,
               const struct acr_region *r)
{
  struct acr_nest_site site = site_of (q, l, r);
  unsigned form
      = acr_nest_trial_begin (&q->trial, l, &site, risk_of (q, l));
  return form == ACR_NEST_AUTO_INPLACE && !q->trial.learns
             ? ACR_NEST_FORM_PLAIN
             : ACR_NEST_FORM_AUTO + form;
}

/* The form of L, of the region R, for "all".  */
static unsigned
form_in_turn (const struct acr_nest_queue *q, const struct acr_launch *l,
              const struct acr_region *r)
{
  static unsigned launches;
  unsigned forms = site_of (q, l, r).forms, form;
  do
    form = launches++ % ACR_NEST_TRIES;
  while (!(forms >> form & 1));
  return ACR_NEST_FORM_AUTO + form;
}

/* Has Q memory for L, whose form needs that?  What that takes at first is no
   time of the launch's, but lost.  */
static bool
has_memory (struct acr_nest_queue *q, const struct acr_launch *l,
            const struct acr_region *r)
{
  if (q->memory || !acr_nest_form_chosen ())
    return q->memory;
  struct acr_nest_site site = site_of (q, l, r);
  double begin = acr_now_us ();
  bool made = make_queue_in (q, l->stream);
  acr_nest_auto_lose (&site, acr_now_us () - begin);
  return made;
}

/* Let the next kernel in STREAM have what is in Q's memory for itself, when it
   uses that.  */
static bool
take_queue (struct acr_nest_queue *q, CUstream stream)
{
  if (!q->drains && !q->pool)
    return true;
  return (q->last == stream
          || !acr_driver.stream_wait_event (stream, q->event, 0))
         && (!q->pool || empty_pool (q, stream));
}

/* Choose the form of L, of the region R.  Whether that is one in which Q has
   something to do.  */
static bool
choose_form (struct acr_nest_queue *q, const struct acr_launch *l,
             const struct acr_region *r)
{
  struct acr_nest_rule form[ACR_NEST_FORMS];
  acr_nest_form_all (form);
  q->recurs = !q->pool && r->launches > 2;
  q->form = acr_env.nest == ACR_NEST_AUTO  ? measured_form (q, l, r)
            : acr_env.nest == ACR_NEST_ALL ? form_in_turn (q, l, r)
                                           : ACR_NEST_FORM_QUEUE;
  q->drains = !q->pool && r->launches > 1
              && form[q->form].far != ACR_NEST_FORM_NEVER;
  return q->form != ACR_NEST_FORM_PLAIN
         && ((!q->drains && !q->pool) || has_memory (q, l, r))
         && take_queue (q, l->stream);
}

struct acr_nest_queue *
acr_nest_open (const struct acr_launch *l)
{
  if (acr_env.nest < ACR_NEST_GRID || l->shared || l->grid[1] > 1
      || l->grid[2] > 1)
    return NULL;
  const struct acr_region *r = acr_kernel_region (l->kernel);
  if (r->launches < (acr_nest_form_chosen () ? 1 : 2)
      || !has_warps (l->kernel)
      || (l->kernel->soft && acr_nest_device ().form))
    return NULL;
  pthread_mutex_lock (&lock);
  struct acr_nest_queue *q = find (l->kernel->module);
  if (q && (q->memory || acr_nest_form_chosen ()))
    {
      if (choose_form (q, l, r))
        {
          acr_nest_trial_start (&q->trial, l->stream);
          return q;
        }
      q->trial.learns = false;
    }
  pthread_mutex_unlock (&lock);
  return NULL;
}

/* Are launches counted whose trial LEARNS or not?  */
static unsigned
counts_of (bool learns)
{
  return learns || acr_nest_trial_all_count () ? ACR_NEST_SHARED_COUNTS : 0;
}

/* Dynamic shared memory of a launch in FORM whose trial LEARNS, but for the
   form.  */
static unsigned
flags_of (unsigned form, bool learns)
{
  return counts_of (learns)
         + acr_nest_form_coarse (form) * ACR_NEST_SHARED_COARSE;
}

/* Dynamic shared memory that the launch in hand has to have.  */
static unsigned
shared_of (const struct acr_nest_queue *q)
{
  return q->form * ACR_NEST_SHARED_FORM
         + flags_of (q->form, q->trial.learns);
}

/* Why somebody executes children.  */
enum why
{
  GIVEN,
  OFF,
  UNABLE,
  UNKNOWN,
  TRIED,
  MEASURED,
  REMEMBERED
};

/* Why L has the form in place, or one that is known to be faster; Q is its
   module's queue, or NULL.  */
static enum why
why_known (const struct acr_nest_queue *q, const struct acr_launch *l)
{
  bool measured;
  if (!q || !q->trial.counted || !l->kernel->code || !has_warps (l->kernel))
    return UNABLE;
  struct acr_nest_site site = site_of (q, l, acr_kernel_region (l->kernel));
  return !acr_nest_auto_settled (&site, &measured) ? UNKNOWN
         : measured                                ? MEASURED
                                                   : REMEMBERED;
}

/* Why L has the form that was chosen for it, with the queue Q, whose lock is
   held, or without.  */
static enum why
why_of (const struct acr_nest_queue *q, const struct acr_launch *l)
{
  if (acr_env.nest == ACR_NEST_ALL)
    return GIVEN;
  if (q)
    return q->trial.learns ? TRIED : why_known (q, l);
  pthread_mutex_lock (&lock);
  enum why why = why_known (find (l->kernel->module), l);
  pthread_mutex_unlock (&lock);
  return why;
}

/* Note in L, with the queue Q or without, who executes its children, and
   why.  */
static void
say_who (const struct acr_nest_queue *q, struct acr_launch *l)
{
  static const char *const why[] = {
    [GIVEN] = "as ACCRETE_NEST says",
    [OFF] = "nested-scheduling is off",
    [UNABLE] = "the GPU or the kernel leaves no choice",
    [UNKNOWN] = "until another is measured",
    [TRIED] = "which is being measured",
    [MEASURED] = "as measured",
    [REMEMBERED] = "as measured before",
  };
  enum why reason = acr_opt_off (ACR_OPT_nest)     ? OFF
                    : !acr_nest_form_chosen () ? GIVEN
                                               : why_of (q, l);
  l->children = reason == GIVEN
                    ? acr_nest_mode (acr_env.nest)->words
                    : acr_nest_form_words (q ? q->form : ACR_NEST_FORM_PLAIN);
  l->why_children = why[reason];
}

void
acr_nest_adjust (const struct acr_nest_queue *q, struct acr_launch *l)
{
  if (q)
    l->shared = shared_of (q);
  else if (!l->shared && acr_env.nest != ACR_NEST_INPLACE
           && !acr_nest_device ().form)
    l->shared = flags_of (ACR_NEST_FORM_PLAIN, false);
  if (acr_row_on)
    say_who (q, l);
  if (acr_env.nest == ACR_NEST_INPLACE || acr_opt_off (ACR_OPT_nest)
      || !l->open)
    return;
  struct acr_nest_rule form[ACR_NEST_FORMS];
  acr_nest_form_all (form);
  const struct acr_nest_rule *f = &form[q ? q->form : ACR_NEST_FORM_PLAIN];
  /* Who leaves its children to other kernels has little to do.  */
  bool leaves = q && (q->pool || (q->drains && f->far <= f->least));
  if (f->group != ACR_NEST_BY_THREAD && !leaves)
    acr_geometry_spread (l, f->group == ACR_NEST_BY_BLOCK);
}

/* The grid of a kernel for what is in a queue: two rows of so many COLUMNS.  */
struct grid
{
  unsigned columns, block[2];
};

static struct grid
drain_grid (const struct acr_nest_queue *q, const struct acr_launch *l)
{
  bool along_y = l->kernel->along_y;
  unsigned block = along_y ? WARP_SIZE : ACR_QUEUEING;
  while (block > WARP_SIZE && block > (unsigned)l->kernel->max_threads)
    block /= 2;
  unsigned each = MAX_THREADS / block;
  unsigned half = q->processors * (each < MAX_BLOCKS ? each : MAX_BLOCKS) / 2;
  return (struct grid){ half ? half : 1,
                        { along_y ? 1 : block, along_y ? block : 1 } };
}

/* Launch L's kernel N times for what is in Q.  */
static CUresult
drain (const struct acr_nest_queue *q, const struct acr_launch *l, unsigned n)
{
  struct grid g = drain_grid (q, l);
  unsigned shared = q->recurs ? shared_of (q)
                              : flags_of (q->form, q->trial.learns);
  CUresult r = CUDA_SUCCESS;
  for (; n && !r; n--)
    {
      r = acr_driver.launch_kernel (l->fn, g.columns, 2, 1, g.block[0],
                                    g.block[1], 1, shared, l->stream, l->params,
                                    l->extra);
      acr_count (launches, 1);
      acr_count (deferred, 1);
    }
  return r;
}

/* Is Q empty behind what is in L's stream?  */
static CUresult
look_whether_empty (const struct acr_nest_queue *q, const struct acr_launch *l,
                    bool *empty)
{
  uint64_t word[ACR_NEST_QUEUE_BEGIN];
  CUresult r = acr_driver.stream_synchronize (l->stream);
  if (!r)
    r = acr_driver.memcpy_d2h (word, q->memory, sizeof word);
  *empty = true;
  for (int i = 0; !r && i < ACR_NEST_QUEUE_HALF; i++)
    *empty &= word[i] == 0;
  return r;
}

/* Launch L's kernel once for all levels of what is in Q, with all of its blocks on
   the GPU at once.  CUDA_ERROR_NOT_SUPPORTED: nothing was done.  Where blocks are
   single warps, thousands of them would wait for each other, which takes longer
   than the next launch does.  */
static CUresult
drain_resident (const struct acr_nest_queue *q, const struct acr_launch *l)
{
  struct grid g = drain_grid (q, l);
  unsigned threads = g.block[0] * g.block[1];
  unsigned shared = shared_of (q) + ACR_NEST_SHARED_RESIDENT;
  unsigned held = l->extra || l->kernel->along_y
                      ? 0
                      : acr_resident_blocks (l, threads, shared, q->processors)
                            / 2;
  if (!held)
    return CUDA_ERROR_NOT_SUPPORTED;
  CUresult r = acr_driver.launch_cooperative (
      l->fn, held < g.columns ? held : g.columns, 2, 1, g.block[0], g.block[1],
      1, shared, l->stream, l->params);
  if (r == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
    r = CUDA_ERROR_NOT_SUPPORTED;
  if (!r)
    {
      acr_count (launches, 1);
      acr_count (deferred, 1);
    }
  return r;
}

/* Launch L's kernel for all levels of what is in Q.  */
static CUresult
drain_levels (struct acr_nest_queue *q, const struct acr_launch *l)
{
  CUresult one = drain_resident (q, l);
  if (one != CUDA_ERROR_NOT_SUPPORTED)
    return one;
  unsigned n = q->levels ? q->levels : FIRST_LEVELS, levels = 0;
  CUresult r;
  bool empty = false;
  do
    {
      r = drain (q, l, n);
      levels += n;
      if (!r)
        r = look_whether_empty (q, l, &empty);
      n = MORE_LEVELS;
    }
  while (!r && !empty);
  q->levels = levels;
  return r;
}

CUresult
acr_nest_close (struct acr_nest_queue *q, const struct acr_launch *l,
                CUresult r)
{
  if (!r && q->drains)
    r = q->recurs ? drain_levels (q, l) : drain (q, l, 1);
  if (!r && q->pool)
    acr_count (launching, 1);
  acr_nest_trial_end (&q->trial, l->stream, r);
  if (q->drains || q->pool)
    {
      q->last = l->stream;
      if (!r)
        r = acr_driver.event_record (q->event, l->stream);
    }
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

/* Count what Q says children have done.  */
static void
count_work (const struct acr_nest_queue *q)
{
  uint64_t done[ACR_NEST_SETTING_FORMS];
  if (!acr_nest_trial_all_count ()
      || acr_driver.memcpy_d2h (done, q->settings, sizeof done))
    return;
  uint64_t near = done[ACR_NEST_SETTING_NEAR],
           far = done[ACR_NEST_SETTING_FAR];
  acr_count (nest_near, near);
  acr_count (nest_far, far);
  acr_count (nest_inplace, done[ACR_NEST_SETTING_WORK] - near - far);
}

/* Remove Q; free what it has when the driver still knows it.  */
static void
drop (struct acr_nest_queue *q)
{
  LIST_REMOVE (q, link);
  count_failed (q);
  if (q->memory)
    free_memory (q);
  acr_nest_trial_free (&q->trial);
  free (q);
}

void
acr_nest_unload (CUmodule module)
{
  pthread_mutex_lock (&lock);
  struct acr_nest_queue *q = find (module);
  if (q)
    {
      count_work (q);
      drop (q);
    }
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
      if (here)
        count_work (q);
      else
        {
          q->memory = 0;
          q->trial.counted = NULL;
        }
      drop (q);
    }
  pthread_mutex_unlock (&lock);
}

bool
acr_nest_release (void)
{
  CUcontext current;
  bool any = false;
  if (!acr_nest_form_chosen () || acr_driver.ctx_get_current (&current))
    return false;
  pthread_mutex_lock (&lock);
  struct acr_nest_queue *q;
  LIST_FOREACH (q, &queues, link)
    if (q->memory && q->ctx == current
        && !acr_driver.event_synchronize (q->event))
      {
        free_memory (q);
        q->none = any = true;
      }
  pthread_mutex_unlock (&lock);
  return any;
}

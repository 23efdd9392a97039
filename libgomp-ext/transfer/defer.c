/* Short kernels that are not waited for.

   A construct without async or nowait waits for its kernel, which costs as
   much as to launch one.  If the kernel is short, and nothing is copied back,
   nobody can tell whether it has ended: the construct returns, and its kernel
   is waited for with whatever needs it.

   Why this gives what stock gives.  What the kernel does shows on the device
   only.  libgomp and its plugin get there through the driver, by work on the
   NULL stream or on streams that it orders (inflight.h): so do all copies, other
   kernels and the reuse of memory.  There remain

   - the program's own streams: none is deferred once it may have addresses of
     mapped data (acr_address_known), or device memory of its own and a way to the
     driver (acr_defer_end), and those that are get waited for before; nor where what a
     region gets by value may be an address, or, where time alone says that
     nobody looks, somebody else can call the driver (foreign.h);
   - other threads: none is deferred unless this one is the only one that uses
     devices, for simplicity;
   - what kernels print, which appears when they are waited for, and kernels
     that never return, behind which there may be any code: image.h tells;
   - a kernel that fails.  The next call of the driver's says so, and the
     message is the plugin's.  At the end of the program all are waited for.

   Where the compiler says what the host looks at next (abi.h, ACR_UNSEEN), and
   that the region accesses its operands alone, none of this can be seen before
   the program says that it looks at anything (acr_look): then neither time nor
   demand matter.

   The same holds where the program has said nowait, but the region is too short for
   a task of libgomp's (entry.c): by such a kernel's time it has told that it
   waits elsewhere, at the next taskwait, barrier or end of a task group, where what this
   thread owes is waited for.  What the region gives back libgomp copies at its end,
   behind the kernel.

   Else time shows it, too: so at most DEPTH kernels are owed, all from sites whose
   kernels took less than ACCRETE_DEFER_MAX microseconds, waiting included, and
   every SAMPLE-th is waited for and measured.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/construct.h"
#include "interpose/cuda-context.h"
#include "interpose/fault.h"
#include "interpose/foreign.h"
#include "interpose/image.h"
#include "interpose/submit.h"
#include "memory/pool.h"
#include "transfer/address.h"
#include "transfer/defer.h"
#include "transfer/gather.h"


enum
{
  DEPTH = 8,
  DEPTH_UNSEEN = 64,
  SAMPLE = 32,
  SURE = 2 /* short ones in a row */
};

/* Kernels owed, of the context CONTEXT; the driver entry that was to wait.
   Changed by the only thread that uses devices.  */
static _Atomic unsigned owed;
static _Atomic bool unseen; /* some of them while nobody looks */
static CUcontext context;
static const char *waits;
/* Some are this thread's and would have been tasks.  */
static __thread bool tasks __attribute__ ((tls_model ("initial-exec")));

/* Whether all that the program can see of the region is what it has copied.  */
static bool
is_unseen (struct acr_construct *c)
{
  const unsigned all
      = ACR_REGION_KNOWN | ACR_REGION_RETURNS | ACR_REGION_SILENT;
  const struct acr_call *call = c->call;
  if (!call->region || !call->kinds || acr_foreign_calls ())
    return false;
  if (!c->site->facts)
    c->site->facts = acr_image_facts (call->region);
  return c->site->facts == all && !acr_opt_off (ACR_OPT_defer)
         && !acr_call_passes_address (call);
}

/* Whether the region of CALL accesses device memory alone: its operands' data, and
   blocks of the pool by addresses that the program has.  Such an address may be one
   of the host's memory, where the device can get there.  */
static bool
accesses_device (const struct acr_call *call)
{
  struct acr_memory m;
  if (!acr_call_bounded (call))
    return false;
  for (size_t i = 0; acr_call_facts (call) & ACR_TAKES && i < call->n; i++)
    if (acr_call_has (call, i, ACR_TAKES)
        && !acr_pool_memory ((CUdeviceptr)call->hostaddrs[i], 1, &m))
      return false;
  return true;
}

/* Whether the program says that it waits elsewhere.  */
static bool
is_left (struct acr_construct *c)
{
  return c->call->leaves && is_unseen (c);
}

/* Whether the region touches nothing that the host may touch, before it says
   that it looks at all, or waits.  */
static bool
is_apart (struct acr_construct *c)
{
  bool later = is_left (c)
               || (c->call->unseen && !acr_opt_off (ACR_OPT_late)
                   && !acr_call_passes_address (c->call));
  return later && accesses_device (c->call);
}

static bool
is_short (struct acr_construct *c)
{
  return !acr_opt_off (ACR_OPT_defer) && c->site->brisk >= SURE
         && ++c->site->deferred % SAMPLE && owed < DEPTH && is_unseen (c);
}

/* Whether the kernel of C need not be waited for: CONTEXT is its context then.  */
static bool
may_defer (struct acr_construct *c)
{
  CUcontext current;
  if (!c || !acr_construct_alone () || acr_address_known ()
      || acr_driver.ctx_get_current (&current) || (owed && current != context))
    return false;
  bool apart = c->apart && owed < DEPTH_UNSEEN;
  if (!apart && !is_short (c))
    return false;
  context = current;
  if (apart && is_left (c))
    tasks = true;
  else if (apart)
    unseen = true;
  return true;
}

bool
acr_defer_launch (void)
{
  struct acr_construct *c = acr_construct_current ();
  if (!c)
    return false;
  c->apart = is_apart (c);
  return c->apart && owed < DEPTH_UNSEEN;
}

bool
acr_defer_leaves (void)
{
  struct acr_construct *c = acr_construct_current ();
  return c && acr_construct_alone () && !acr_address_known ()
         && owed < DEPTH_UNSEEN && is_apart (c);
}

CUresult
acr_defer_wait (const char *entry)
{
  struct acr_construct *c = acr_construct_current ();
  if (may_defer (c))
    {
      waits = entry;
      owed++;
      acr_count (unwaited, 1);
      return CUDA_SUCCESS;
    }
  bool only = !owed;
  double begin = acr_now_us ();
  CUresult r = acr_cuda_wait (NULL);
  bool brisk = acr_now_us () - begin < acr_env.defer_max;
  if (c && !brisk)
    c->site->brisk = 0;
  else if (c && only && c->site->brisk < SURE)
    c->site->brisk++;
  return r;
}

void
acr_defer_settle (void)
{
  if (!owed)
    return;
  bool pushed;
  if (!acr_context_enter (context, &pushed))
    return;
  acr_cuda_wait (NULL);
  acr_context_leave (pushed);
}

void
acr_defer_seen (void)
{
  if (unseen)
    acr_defer_settle ();
}

void
acr_defer_tasks (void)
{
  if (!tasks)
    return;
  tasks = false;
  acr_defer_settle ();
}

void
acr_defer_end (const char *why)
{
  acr_opt_disable (ACR_OPT_defer, why);
  acr_defer_settle ();
}

void
acr_defer_forget (void)
{
  owed = 0;
  unseen = false;
}

void
acr_defer_synced (void)
{
  if (owed && acr_context_is_current (context))
    acr_defer_forget ();
}

void
acr_defer_check (CUresult r)
{
  bool pushed;
  if (!r || !owed || !acr_context_enter (context, &pushed))
    return;
  r = acr_driver.stream_synchronize (NULL);
  acr_context_leave (pushed);
  acr_defer_forget ();
  if (r)
    acr_fault (waits, r);
}

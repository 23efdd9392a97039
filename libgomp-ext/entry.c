/* Where a program's device constructs come in.

   A program that is linked with -lgomp-ext before -lgomp, or runs with
   libgomp-ext preloaded, calls these definitions of libgomp's public entries;
   each notes the construct and calls libgomp's own of the same name and
   symbol version.  From there:

     program -> entry.c -> libgomp -> forward.c -> libgomp's nvptx plugin
                                      device.c       -> cuda.c -> CUDA driver
                                                        pool.c, readback.c

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/construct.h"
#include "interpose/fault.h"
#include "interpose/foreign.h"
#include "interpose/fortran.h"
#include "interpose/helper.h"
#include "interpose/image.h"
#include "interpose/leave.h"
#include "launch/queue.h"
#include "report/directive.h"
#include "report/report.h"
#include "report/row.h"
#include "trace/trace.h"
#include "transfer/address.h"
#include "transfer/defer.h"
#include "transfer/late.h"
#include "transfer/overwrite.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define PUBLIC __attribute__ ((visibility ("default")))

/* Constructs this thread is in: libgomp calls some public entries itself,
   and host fallback runs a region's nested ones.  */
static __thread unsigned depth __attribute__ ((tls_model ("initial-exec")));

/* The program has device memory of its own.  What it does there without libgomp is not
   ordered with what waits here; by libgomp's routines it gets there as constructs do,
   by calls of the driver that we see.  */
static void
own_memory (void)
{
  if (!acr_foreign_calls ())
    return;
  acr_cuda_share ();
  acr_defer_end ("the program has device memory of its own");
}

/* The program knows device addresses, to use on streams of its own as well.  */
static void
expose (void)
{
  if (acr_address_known ())
    return;
  if (acr_foreign_calls ())
    acr_cuda_share ();
  acr_address_tell ();
}

/* Whether device addresses that the program does not know would be of use to it.  */
static bool
could_use_address (void)
{
  return !acr_address_known () && acr_foreign_calls ();
}

static void
tell (void)
{
  if (could_use_address ())
    expose ();
}

/* Who asks libgomp past us may know any address.  */
static void
begin_any (const struct acr_call *c)
{
  if (acr_call_facts (c) & ACR_EXPOSES
      || (could_use_address ()
          && (!acr_device_sees_all () || acr_call_may_tell (c))))
    expose ();
  if (acr_call_facts (c) & ACR_TAKES)
    own_memory ();
  if (depth++)
    acr_construct_nested ();
  else
    {
      if (acr_env.pair)
        acr_leave_begin (c);
      acr_construct_begin (c);
    }
}

/* Let C know by what its record is found.  */
static void
find_site (struct acr_call *c)
{
  const void *said = acr_site_take ();
  const void *kinds = c->kinds;
  c->site = kinds && acr_region_find (kinds) ? kinds : said;
}

static void
begin (struct acr_call *c)
{
  c->unseen |= acr_look_next ();
  c->facts = acr_call_facts (c);
  acr_overwrite_begin (c);
  begin_any (c);
  if (depth > 1)
    {
      acr_site_take ();
      return;
    }
  acr_fault_tell ();
  acr_device_attach ();
  if (__builtin_expect (acr_row_on | acr_trace_on | (acr_env.debug >= 2), 0))
    find_site (c);
  acr_row_begin (c);
  acr_trace_begin (c);
  acr_count (constructs, 1);
  if (__builtin_expect (acr_env.debug >= 2, 0))
    {
      char place[PATH_MAX];
      const struct acr_region *r = acr_call_directive (c);
      if (r)
        acr_warn ("%s %s", c->name, acr_region_place (place, sizeof place, r));
      else
        acr_warn ("%s", c->name);
    }
}

/* What closes a construct belongs to it and is not counted again.  */
static void
begin_end (struct acr_call *c)
{
  c->unseen |= acr_look_next ();
  begin_any (c);
  if (depth > 1)
    return;
  acr_row_begin (c);
  acr_trace_begin (c);
  acr_debug (2, "%s", c->name);
}

static void
leave (void)
{
  if (--depth)
    return;
  acr_construct_end ();
  acr_trace_end ();
  acr_row_end ();
  acr_fault_tell ();
}

/* What the program's stubs would call without us (start/start.c).  */
static void *(*start_others) (const char *name);

PUBLIC void acr_start_others (void *(*others) (const char *));

void
acr_start_others (void *(*others) (const char *))
{
  start_others = others;
}

/* libgomp's own NAME.  RTLD_NEXT and the program's stubs keep other interposers in
   the chain; they know only libraries that came with the program, so that libgomp
   itself is asked when it was loaded later.  */
static void *
libgomp_entry (const char *name, const char *version)
{
  void *entry = start_others ? start_others (name) : NULL;
  if (!entry)
    entry = dlvsym (RTLD_NEXT, name, version);
  if (!entry)
    {
      void *libgomp = dlopen ("libgomp.so.1", RTLD_LAZY);
      if (libgomp)
        entry = dlvsym (libgomp, name, version);
    }
  if (!entry)
    {
      /* What the dynamic linker does about a symbol that nobody has.  */
      acr_warn ("libgomp has no %s@%s", name, version);
      _exit (127);
    }
  return entry;
}

enum
{
  /* gomp-constants.h: GOMP_TARGET_FLAG_NOWAIT, GOMP_TASK_FLAG_DEPEND,
     GOMP_DEVICE_ICV, GOMP_DEVICE_DEFAULT_OMP_61 (from GCC 15 on); other numbers
     below 0 are the host.  */
  NOWAIT = 1,
  DEPEND = 1 << 3,
  DEFAULT_DEVICE = -1,
  DEFAULT_DEVICE_6_1 = -5
};

static bool
is_default (int device)
{
  return device == DEFAULT_DEVICE || device == DEFAULT_DEVICE_6_1;
}

/* How nowait regions are measured: MEASURED of each PERIOD calls are waited
   for.  Of data, so many bytes are COPIED in a microsecond.  */
enum
{
  PERIOD = 64,
  MEASURED = 2,
  COPIED = 10000
};

/* Why nowait does not pay for C, whose region is R, as acr_call's refused; 0: it does.
   A task costs its thread and others 100 to 180 us, against which a wait for the region
   must be long; stock GCC always waits.  */
static unsigned
nowait_fails (struct acr_image_region *r, struct acr_call *c)
{
  if (!acr_env.nowait_min)
    return 0;
  c->timed = atomic_fetch_add (&r->calls, 1) % PERIOD < MEASURED;
  if (c->timed || r->us < acr_env.nowait_min)
    return ACR_WHY_SHORT + 1;
  c->lasts = acr_env.pair && acr_leave_wants (r);
  return c->lasts ? ACR_WHY_LEFT + 1 : 0;
}

/* Whether there was ever a task with dependences: then libgomp may run the program's
   tasks before a construct that has some, and only then (task.c,
   gomp_task_maybe_wait_for_dependencies).  */
static _Atomic bool depended;

/* The same for C, a data directive.  Where no task has dependences it waits for none,
   and stock GCC executes it at once, too; a helper would be a second thread that uses
   devices, which ends all that is left undone for the only one (transfer/stream.h): in
   that, the regions around it lose more than the program's thread gains, unless there
   is much to copy.  */
static unsigned
directive_fails (const struct acr_call *c)
{
  if (!acr_env.nowait_min || depended)
    return 0;
  size_t bytes = 0;
  for (size_t i = 0; i < c->n; i++)
    if (acr_call_copies (c, i, ACR_TO | ACR_FROM))
      bytes += c->sizes[i];
  return bytes / COPIED < acr_env.nowait_min ? ACR_WHY_SHORT + 1 : 0;
}

/* R was waited for, from BEGIN on.  */
static void
waited (struct acr_image_region *r, double begin)
{
  double us = acr_now_us () - begin;
  unsigned n = us < UINT_MAX ? us : UINT_MAX;
  if (r->calls % PERIOD == 1 || n < r->us)
    r->us = n;
}

/* Whether DEVICE, libgomp's number, is the host.  */
static bool
is_host (int device)
{
  int d = is_default (device) ? acr_libgomp.default_device () : device;
  return d < 0 || d >= acr_libgomp.num_devices ();
}

/* DEVICE and FLAGS of the construct C that may be a task: flags without nowait
   where a region is not on its device, cannot run in the background, is too short, as
   is a directive that copies little, or is not known to return, behind which there may
   be any code (image.h).  libgomp 12 runs the first of these on the host, and then
   waits forever for a device to complete the task (task.c, gomp_create_target_task).
   The default device is resolved, as another thread may have another.

   A task's operands are mapped when it begins, and copied back when it ends.  GCC
   sends pointers and array descriptors by their addresses, also those of dummies
   and temporaries, which are gone or another construct's by then; and where two
   tasks have theirs at the same address, libgomp takes the second for the first,
   mapped already.  It also maps variables that the program has not named, and
   copies them back into frames that may be gone.  Stock GCC always waits, so that
   all of it is there: a construct with such operands is no task.  Nor is one that
   depends on nothing, DEPEND, where that may not be true (fortran.h).  */
static unsigned
task_flags (int *device, struct acr_call *c, unsigned flags, void **depend)
{
  const void *region = c->region;
  if (!(flags & NOWAIT) || !acr_device_async ())
    return flags;
  /* A helper must not run the program's code, which may ask for its thread.  */
  if (is_host (*device))
    return acr_libgomp.level () ? flags : flags & ~NOWAIT;
  if (acr_call_needs_frame (c) || (!depend && acr_fortran_present ()))
    {
      c->refused = ACR_WHY_FRAME + 1;
      return flags & ~NOWAIT;
    }
  struct acr_image_region *r = region ? acr_image_region (region) : NULL;
  if (region && (!r || !(r->facts & ACR_REGION_RETURNS)))
    {
      c->refused = ACR_WHY_RETURN + 1;
      return flags & ~NOWAIT;
    }
  c->refused = region ? nowait_fails (r, c) : directive_fails (c);
  if (c->refused)
    return flags & ~NOWAIT;
  if (is_default (*device))
    *device = acr_libgomp.default_device ();
  /* Asking starts the device, which may switch the pool off.  */
  return !region
                 || (acr_libgomp.is_present (region, *device)
                     && !acr_opt_off (ACR_OPT_pool))
             ? flags
             : flags & ~NOWAIT;
}

/* A task is about to be created that depends on what DEPEND says, if anything.  */
static void
note_task (void **depend)
{
  if (depend)
    depended = true;
  acr_helper_wait_for (depend);
}

/* The program waits for its tasks.  */
static void
wait_for_tasks (void)
{
  acr_helper_wait ();
  acr_defer_tasks ();
  acr_leave_waited ();
}

/* Decide what becomes of C, with DEVICE, FLAGS and DEPEND.  One that is no task is as
   one that is to be waited for, in all but that it may depend on tasks, and that its
   kernel need not be waited for at once (defer.h) where the program waits by an entry of
   ours: outside of parallel regions.  How long it takes shows when it is waited for at
   once.  */
static void
decide_task (int *device, unsigned *flags, struct acr_call *c, void **depend)
{
  acr_device_attach ();
  unsigned said = *flags;
  *flags = task_flags (device, c, said, depend);
  c->leaves = said & ~*flags & NOWAIT && c->region && !c->timed
              && !acr_libgomp.level ();
  if (*flags & NOWAIT)
    depended = true;
  c->tasks = *flags & NOWAIT
             || (depend && (depended || !acr_device_sees_all ()));
  c->unseen &= !c->timed;
}

/* Call libgomp's FN with the N words at W.  */
static void
call_task (void (*fn) (void), const uintptr_t *w, size_t n,
           const struct acr_call *c, unsigned flags, void **depend)
{
  /* libgomp ignores nowait of data directives without depend.  */
  if ((flags & NOWAIT) && (c->region || depend) && acr_helper_call (fn, w, n))
    return;
  acr_helper_wait_for (depend);
  struct acr_image_region *r
      = c->timed || c->lasts ? acr_image_region (c->region) : NULL;
  double begin = r ? acr_now_us () : 0;
  acr_call_words (fn, w, n);
  if (r && c->timed)
    waited (r, begin);
  else if (r)
    acr_leave_ended (r, acr_now_us () - begin);
}

/* Number of ints that follow an argument list of kind WAITS.  */
#define WAITS_COUNT(last) (last) > 0 ? (size_t)(last) : 0

/* Number of ints of a launch tag list, its final zero included
   (gomp-constants.h, GOMP_LAUNCH_*; oacc-parallel.c).  AP is at the first
   tag.  libgomp refuses a tag that it does not know before it reads on.  */
static size_t
tags_count (va_list ap)
{
  enum
  {
    DIM = 1,
    ASYNC,
    WAIT
  };
  size_t n = 1;
  unsigned tag;
  while ((tag = va_arg (ap, unsigned)))
    {
      unsigned op = tag & 0xffff, operands;
      switch (tag >> 28)
        {
        case DIM:
          operands = (op & 1) + (op >> 1 & 1) + (op >> 2 & 1);
          break;
        case ASYNC:
          operands = op == 0xffff;
          break;
        case WAIT:
          operands = op == 0xffff ? 0 : op;
          break;
        default:
          return n;
        }
      n += 1 + operands;
      while (operands--)
        va_arg (ap, unsigned);
    }
  return n;
}

/* The N ints that follow LAST are appended to the words FIRST.  */
#define FORWARD_WORDS(real, last, n, ...)                                     \
  do                                                                          \
    {                                                                         \
      const uintptr_t first[] = { __VA_ARGS__ };                              \
      enum                                                                    \
      {                                                                       \
        NFIRST = sizeof first / sizeof *first                                 \
      };                                                                      \
      size_t count = NFIRST + (n) < 6 ? 6 : NFIRST + (n);                     \
      uintptr_t words[count];                                                 \
      for (size_t i = 0; i < NFIRST; i++)                                     \
        words[i] = first[i];                                                  \
      va_list ap;                                                             \
      va_start (ap, last);                                                    \
      for (size_t i = NFIRST; i < count; i++)                                 \
        words[i] = i - NFIRST < (n) ? (unsigned)va_arg (ap, int) : 0;         \
      va_end (ap);                                                            \
      acr_call_words ((void (*) (void)) (real), words, count);                \
    }                                                                         \
  while (0)

#define UNPACK(...) __VA_ARGS__

#define CALL_FIXED(real, args) real args
#define CALL_TASK(real, args)                                                 \
  do                                                                          \
    {                                                                         \
      if (call.refused)                                                       \
        acr_row_refuse (call.refused - 1);                                    \
      const uintptr_t words[] = { UNPACK args };                              \
      call_task ((void (*) (void)) (real), words,                             \
                 sizeof words / sizeof *words, &call, flags, depend);         \
    }                                                                         \
  while (0)
#define CALL_WAITS(real, args)                                                \
  FORWARD_WORDS (real, num_waits, WAITS_COUNT (num_waits), UNPACK args)
#define CALL_TAGS(real, args)                                                 \
  do                                                                          \
    {                                                                         \
      va_list tags;                                                           \
      va_start (tags, kinds);                                                 \
      size_t ntags = tags_count (tags);                                       \
      va_end (tags);                                                          \
      FORWARD_WORDS (real, kinds, ntags, UNPACK args);                        \
    }                                                                         \
  while (0)

#define DECIDE_FIXED (void)0
#define DECIDE_WAITS (void)0
#define DECIDE_TAGS (void)0
#define DECIDE_TASK decide_task (&device, &flags, &call, depend)

/* What is noted, and whether the call closes a construct and unmaps.  */
#define NOTE_BEGIN begin
#define NOTE_EXIT begin
#define NOTE_END begin_end
#define ENDS_BEGIN false, false
#define ENDS_EXIT false, true
#define ENDS_END true, true

/* NEXT is libgomp's own NAME.  */
#define REAL(next, type, name, version, params)                               \
  static type (*_Atomic real) params;                                         \
  type (*next) params = atomic_load_explicit (&real, memory_order_relaxed);   \
  if (__builtin_expect (!next, 0))                                            \
    {                                                                         \
      next = (type (*) params)libgomp_entry (#name, #version);                \
      atomic_store_explicit (&real, next, memory_order_relaxed);              \
    }

#define ENTRY(name, version, when, kind, region, maps, tasks, unseen, params, \
              args)                                                           \
  PUBLIC void name params;                                                    \
  void name params                                                            \
  {                                                                           \
    REAL (next, void, name, version, params)                                  \
    struct acr_call call                                                      \
        = { #name, __builtin_return_address (0), (const void *)region,        \
            UNPACK maps, tasks, (unseen), NULL, ENDS_##when, false, false, false, \
            0, 0 };                                                           \
    DECIDE_##kind;                                                            \
    NOTE_##when (&call);                                                      \
    CALL_##kind (next, args);                                                 \
    leave ();                                                                 \
  }

/* The program calls a routine; in a construct, that is the host's side of a
   region.  */
static void
look (void)
{
  acr_construct_thread ();
  if (depth)
    acr_construct_nested ();
}

static void
profiled (void)
{
  acr_queue_profiled ();
  acr_construct_watched ();
  acr_defer_end ("the program asks for profiling events");
}

/* Whether FROM is in libgomp, as its ENTRY is.  GCC 13 and 14 ask where their control
   variables are after each region, from one place.  */
static bool
asks_itself (const void *from, const void *entry)
{
  static const void *_Atomic known;
  Dl_info a, b;
  if (from == atomic_load_explicit (&known, memory_order_relaxed))
    return true;
  if (!dladdr (from, &a) || !dladdr (entry, &b) || a.dli_fbase != b.dli_fbase)
    return false;
  atomic_store_explicit (&known, from, memory_order_relaxed);
  return true;
}

#define OWN_ANSWERS(next)                                                     \
  asks_itself (__builtin_return_address (0), (const void *)(next))
#define OWN_EXPOSES(next) false
#define OWN_TELLS(next) false
#define OWN_OWNS(next) false
#define OWN_LOOKS(next) false

#define LOOK_ANSWERS expose ()
#define LOOK_EXPOSES expose ()
#define LOOK_TELLS tell ()
#define LOOK_OWNS own_memory ()
#define LOOK_LOOKS (void)0

#define LOOKUP(name, version, what, type, ...)                                \
  LOOKUP_1 (name, version, what, type, __VA_ARGS__)
#define LOOKUP_1(name, version, what, type, params, args)                     \
  PUBLIC type name params;                                                    \
  type name params                                                            \
  {                                                                           \
    REAL (next, type, name, version, params)                                  \
    if (OWN_##what (next))                                                    \
      return next args;                                                       \
    look ();                                                                  \
    LOOK_##what;                                                              \
    return next args;                                                         \
  }

#define SYNC(name, version, action, params, args)                             \
  PUBLIC void name params;                                                    \
  void name params                                                            \
  {                                                                           \
    REAL (next, void, name, version, params)                                  \
    action;                                                                   \
    next args;                                                                \
    acr_fault_tell ();                                                        \
  }
#include "entry.def"

/* Entries without a default version (Makefile.am).  */
#include "newer.h"

/* ---- Start and end of the library -------------------------------------- */

__attribute__ ((constructor)) static void
start (void)
{
  if (secure_getenv ("ACC_PROFLIB"))
    profiled ();
  acr_device_attach ();
  pthread_atfork (NULL, NULL, acr_report_fork);
}

/* Destructors run after libgomp's atexit handler, which shuts the devices
   down, so that the report sees everything.  */
__attribute__ ((destructor)) static void
finish (void)
{
  acr_report ();
  acr_trace_finish ();
}

/* Bringing the device layer in front of libgomp's nvptx plugin.

   libgomp opens "libgomp-plugin-nvptx.so.1" when it first looks for devices,
   and glibc answers with a loaded library of that SONAME.  So before that we
   find the plugin that libgomp would open, load device/forward.c's library,
   which has the same SONAME, and open the plugin itself by its path.  When
   there is no plugin nothing is loaded, and libgomp finds out by itself.

   Some of the plugin's entries are wrapped: to learn when a device starts and
   stops, and what a driver call is part of.  Their parameters are the same in
   every version of GCC, but for some more at the end.  Of interfaces that are
   known (interface.def), run is replaced (run.c), and async_run, which the plugin
   lacks, is there.

   A kernel that runs regions on the host (reverse offload) is the plugin's, which
   serves it: its copies are on a stream of its own, for which nothing may be left
   to be done on that of the kernel.  A program with unified shared memory has
   no copies, and the host sees all that a kernel does.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fact.h"
#include "ext.h"
#include "interpose/events.h"
#include "interpose/fault.h"
#include "interpose/icv.h"
#include "interpose/import.h"
#include "interpose/interface.h"
#include "interpose/submit.h"
#include "interpose/stock.h"
#include "jit/jit.h"
#include "launch/args.h"
#include "launch/gpu.h"
#include "launch/kernel.h"
#include "launch/queue.h"
#include "launch/run.h"
#include "report/row.h"
#include "trace/trace.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLUGIN "libgomp-plugin-nvptx.so.1"

/* What came of it; each state has its phrase for the report.  NULL as long as
   libgomp is not loaded.  */
static const char *_Atomic state;
static char detail[PATH_MAX + 64]; /* room for a phrase with a path */

/* The real plugin, once the layer is in place.  */
static void *plugin;

const char *
acr_device_state (void)
{
  return atomic_load_explicit (&state, memory_order_acquire);
}

static void
set_state (const char *phrase)
{
  atomic_store_explicit (&state, phrase, memory_order_release);
  acr_debug (1, "device layer: %s", phrase);
}

/* ---- Wrapped entries --------------------------------------------------- */

static int (*real_get_num_devices) (unsigned);
static bool (*real_init_device) (int);
static bool (*real_fini_device) (int);
static _Atomic unsigned opened; /* devices, by now */

/* gomp-constants.h, GOMP_REQUIRES_UNIFIED_SHARED_MEMORY and ..._SELF_MAPS.  */
#define REQUIRES_SHARED (0x20 | 0x400)

/* Where the plugin does not ask for it, the register of MASK holds anything.  */
static int
get_num_devices (unsigned mask)
{
  int n = real_get_num_devices (mask);
  const struct acr_interface *i = acr_interface ();
  if (n > 0 && i && i->asks && (mask & REQUIRES_SHARED))
    acr_cuda_disable ("the program requires unified shared memory");
  if (n < 1)
    set_state ("libgomp's plugin finds no usable NVIDIA device");
  return n;
}

static bool
init_device (int n)
{
  /* get_num_devices has loaded the driver, so that its table is there before
     the device's context is made.  */
  const char *why = acr_cuda_patch (plugin);
  bool ok = real_init_device (n);
  if (!ok)
    set_state ("libgomp's plugin could not start the device");
  else
    {
      opened++;
      if (!why)
        acr_gpu_opened (n);
      set_state (why ? why : "active");
    }
  return ok;
}

static bool
fini_device (int n)
{
  acr_run_attach (n);
  acr_run_wait ();
  acr_events->closes ();
  bool ok = real_fini_device (n);
  acr_cuda_device_closed ();
  return !acr_fault_told () && ok;
}

/* Regions on the host have a table of where they are on the device.  Libgomp asks
   for it if the program requires reverse offload.  */
static void
note_reverse (int n, uint64_t *const *table)
{
  const struct acr_interface *i = acr_interface ();
  if (!i || !i->reverse || !table || !*table)
    return;
  acr_gpu_leave (n);
  acr_cuda_disable ("kernels run regions on the host");
}

/* The plugin's TABLE for IMAGE has K rows, of which the last may be its control
   variables.  */
static void
note_variables (const struct acr_image *image, const struct acr_pair *table,
                unsigned k)
{
  const struct acr_interface *i = acr_interface ();
  const struct acr_pair *last = &table[k - 1];
  if (i && i->fetches && k > image->nkernels + image->nvariables)
    acr_icv_loaded (image, last->start, last->end - last->start);
}

/* GCC 12 passes four arguments, GCC 13 five.  */
static int (*real_load_image) (int, unsigned, const void *, void *, void *,
                               void *);

static int
load_image (int n, unsigned version, const void *image, void *table,
            void *reverse, void *indirect)
{
  double begin = acr_now_us ();
  acr_jit_begin (image);
  acr_cuda_load (true);
  int k = real_load_image (n, version, image, table, reverse, indirect);
  acr_cuda_load (false);
  acr_jit_end ();
  acr_debug (1, "device code loaded in %.1f ms",
             (acr_now_us () - begin) * 1e-3);
  if (acr_fault_told ())
    return -1;
  if (k >= 0)
    note_reverse (n, reverse);
  if (k > 0)
    {
      acr_stock_loaded (image, *(struct acr_pair **)table);
      note_variables (image, *(struct acr_pair **)table, k);
    }
  return k;
}

/* An async queue of the plugin's; NULL of libgomp's is the NULL stream.  */
struct goacc_asyncqueue;

typedef void region_fn (void *);

static void (*real_openacc_exec) (region_fn *, size_t, void **, void **,
                                  unsigned *, void *);
static void (*real_openacc_async_exec) (region_fn *, size_t, void **, void **,
                                        unsigned *, void *,
                                        struct goacc_asyncqueue *);
static bool (*real_openacc_async_serialize) (struct goacc_asyncqueue *,
                                             struct goacc_asyncqueue *);
static struct goacc_asyncqueue *(*real_openacc_async_construct) (int);
/* Not wrapped, but asked.  */
static CUstream (*queue_stream) (struct goacc_asyncqueue *);

/* The plugin is about to launch FN, its descriptor, which begins with the kernel's
   handle, with N arguments and DIMS; and has.  The thread comes to the kernel's
   device: the plugin does that where it maps something, which it has not where no
   block is asked of it, and launches in whatever context is current.  */
static void
exec_begins (region_fn *fn, size_t n, unsigned *dims)
{
  const struct acr_kernel *k = acr_kernel_find (*(CUfunction *)fn);
  if (k && (opened > 1 || acr_args_stood_in ()))
    acr_run_attach (k->device);
  acr_args_begin (k, n * sizeof (void *));
  acr_stock_begin (fn, k, dims);
}

static void
exec_ends (void)
{
  acr_stock_end ();
  acr_args_end ();
}

static void
openacc_exec (region_fn *fn, size_t n, void **host, void **device,
              unsigned *dims, void *desc)
{
  exec_begins (fn, n, dims);
  acr_cuda_exec (true);
  real_openacc_exec (fn, n, host, device, dims, desc);
  acr_cuda_exec (false);
  exec_ends ();
}

static void
openacc_async_exec (region_fn *fn, size_t n, void **host, void **device,
                    unsigned *dims, void *desc, struct goacc_asyncqueue *q)
{
  exec_begins (fn, n, dims);
  real_openacc_async_exec (fn, n, host, device, dims, desc, q);
  exec_ends ();
}

/* The plugin makes the queue's stream in whatever context is current.  */
static struct goacc_asyncqueue *
openacc_async_construct (int n)
{
  acr_run_attach (n);
  return real_openacc_async_construct (n);
}

static bool
openacc_async_serialize (struct goacc_asyncqueue *first,
                         struct goacc_asyncqueue *second)
{
  acr_events->parts ();
  acr_event_begin ();
  bool ok = real_openacc_async_serialize (first, second);
  acr_event_end ();
  return ok;
}

static int (*real_openacc_cuda_set_stream) (struct goacc_asyncqueue *, void *);

/* The plugin ends the program when the old stream's work has failed, and libgomp
   holds the lock of all queues (fault.c).  */
static int
openacc_cuda_set_stream (struct goacc_asyncqueue *q, void *stream)
{
  CUstream old = queue_stream (q);
  CUresult r = old ? acr_cuda_wait (old) : CUDA_SUCCESS;
  if (r)
    acr_fault ("cuStreamSynchronize", r);
  return r ? 0 : real_openacc_cuda_set_stream (q, stream);
}

static void *(*real_alloc) (int, size_t);
static bool (*real_free) (int, void *);
static bool (*real_host2dev) (int, void *, const void *, size_t);
static bool (*real_openacc_async_host2dev) (int, void *, const void *, size_t,
                                            struct goacc_asyncqueue *);

static void *
alloc (int n, size_t bytes)
{
  void *p = acr_cuda_stand_in (n, bytes);
  return p ? p : real_alloc (n, bytes);
}

static bool
free_block (int n, void *p)
{
  return acr_cuda_stand_in_free (p) || real_free (n, p);
}

static bool
host2dev (int n, void *dst, const void *src, size_t bytes)
{
  return acr_cuda_stand_in_send (dst, src, bytes, true)
         || real_host2dev (n, dst, src, bytes);
}

static bool
openacc_async_host2dev (int n, void *dst, const void *src, size_t bytes,
                        struct goacc_asyncqueue *q)
{
  return acr_cuda_stand_in_send (dst, src, bytes, false)
         || real_openacc_async_host2dev (n, dst, src, bytes, q);
}

static bool (*real_dev2dev) (int, void *, const void *, size_t);

/* The NULL stream is that of the current context.  */
static bool
dev2dev (int n, void *dst, const void *src, size_t bytes)
{
  acr_run_attach (n);
  return real_dev2dev (n, dst, src, bytes);
}

static void (*real_run) (int, void *, void *, void **);
static void (*real_async_run) (int, void *, void *, void **, void *);

static void
run (int n, void *fn, void *vars, void **args)
{
  if (!acr_run (n, fn, vars, args))
    real_run (n, fn, vars, args);
}

static _Atomic bool is_async;

/* The program calls libgomp past us where it was not built with accrete, and has
   loaded us with a library that was.  */
static bool
find_whether_all (void)
{
  void *program = dlopen (NULL, RTLD_LAZY);
  void *called = program ? dlsym (program, "GOMP_taskwait") : NULL;
  if (program)
    dlclose (program);
  return !called || called != (void *)acr_libgomp.taskwait;
}

bool
acr_device_sees_all (void)
{
  static _Atomic enum acr_fact fact;
  return acr_fact (&fact, find_whether_all);
}

bool
acr_device_async (void)
{
  /* libgomp asks for its plugin's entries when it first looks for devices.  */
  return acr_libgomp.num_devices && acr_libgomp.num_devices () > 0
         && atomic_load_explicit (&is_async, memory_order_acquire)
         && acr_device_sees_all ();
}

/* libgomp allows a kernel to be complete before this returns.  */
static void
async_run (int n, void *fn, void *vars, void **args, void *task)
{
  if (acr_run_async (n, fn, vars, args, task))
    return;
  real_run (n, fn, vars, args);
  acr_libgomp.task_completion (task);
}

/* How a wrapper depends on the plugin.  */
enum when
{
  ALWAYS, /* where the plugin has the entry */
  KNOWN,  /* and its interface is known */
  NOWAIT  /* where it has not, and its interface is known */
};

static const struct
{
  const char *name;
  void *wrapper;
  void *real;
  enum when when;
} wrapped[] = {
#define WRAP(entry, when)                                                     \
  {                                                                           \
    "GOMP_OFFLOAD_" #entry, entry, &real_##entry, when                        \
  }
  WRAP (get_num_devices, ALWAYS),
  WRAP (init_device, ALWAYS),
  WRAP (fini_device, ALWAYS),
  WRAP (load_image, ALWAYS),
  WRAP (alloc, ALWAYS),
  { "GOMP_OFFLOAD_free", free_block, &real_free, ALWAYS },
  WRAP (host2dev, ALWAYS),
  WRAP (openacc_async_host2dev, ALWAYS),
  WRAP (openacc_exec, ALWAYS),
  WRAP (openacc_async_exec, ALWAYS),
  WRAP (openacc_async_construct, ALWAYS),
  WRAP (openacc_async_serialize, ALWAYS),
  WRAP (openacc_cuda_set_stream, ALWAYS),
  WRAP (dev2dev, ALWAYS),
  WRAP (run, KNOWN),
  WRAP (async_run, NOWAIT),
};

static bool
applies (enum when when, bool real)
{
  switch (when)
    {
    case ALWAYS:
      return real;
    case KNOWN:
      return real && acr_interface ();
    case NOWAIT:
      return !real && acr_interface () && !acr_opt_off (ACR_OPT_nowait)
             && !acr_opt_off (ACR_OPT_launch);
    }
  return false;
}

/* The layer's resolvers ask here; see forward.c.  */
static void *
lookup (const char *name)
{
  void *real = dlsym (plugin, name);
  for (unsigned i = 0; i < sizeof wrapped / sizeof *wrapped; i++)
    if (!strcmp (wrapped[i].name, name) && applies (wrapped[i].when, real))
      {
        memcpy (wrapped[i].real, &real, sizeof real);
        if (wrapped[i].when == NOWAIT)
          is_async = true;
        return wrapped[i].wrapper;
      }
  return real;
}

/* ---- Finding and loading ----------------------------------------------- */

/* Write to PATH the name of FILE in the folder of the library that ADDR is
   in.  */
static bool
beside (char path[PATH_MAX], const void *addr, const char *file)
{
  Dl_info info;
  if (!dladdr (addr, &info) || !info.dli_fname)
    return false;
  const char *slash = strrchr (info.dli_fname, '/');
  int n = slash ? slash - info.dli_fname : 1;
  return snprintf (path, PATH_MAX, "%.*s/%s", n, slash ? info.dli_fname : ".",
                   file)
         < PATH_MAX;
}

static bool
is_layer (void *library)
{
  return dlsym (library, "acr_forward_bind") != NULL;
}

/* Write to PATH where the plugin of the loaded LIBGOMP is: what the dynamic
   linker finds, as libgomp would, else beside libgomp itself (a libgomp with
   a run path of its own).  */
static bool
find_plugin (char path[PATH_MAX], void *libgomp)
{
  void *found = dlopen (PLUGIN, RTLD_LAZY | RTLD_LOCAL);
  if (found)
    {
      struct link_map *map;
      bool ok = !is_layer (found) && !dlinfo (found, RTLD_DI_LINKMAP, &map)
                && strlen (map->l_name) < PATH_MAX;
      if (ok)
        strcpy (path, map->l_name);
      dlclose (found);
      if (ok)
        return true;
    }
  void *entry = dlsym (libgomp, "GOMP_PLUGIN_malloc");
  return entry && beside (path, entry, PLUGIN) && !access (path, R_OK);
}

static void *device_layer;

/* What libgomp finds in its plugin is the layer's.  It opens the plugin by name,
   which the layer has as well; but UCX, in programs of MPI, makes a path of it
   where it is dlopen (UCX_MEM_DLOPEN_PROCESS_RPATH).  */
static void *
find (void *library, const char *name)
{
  return dlsym (library == plugin ? device_layer : library, name);
}

/* The phrase for the new state, or NULL when the layer is in place.  */
static const char *
load (void *libgomp)
{
  char path[PATH_MAX], layer_path[PATH_MAX];
  void (*bind) (void *(*)(const char *));

  if (dlopen (PLUGIN, RTLD_LAZY | RTLD_NOLOAD))
    return "libgomp had opened its device plugin before";
  if (!find_plugin (path, libgomp))
    return "libgomp has no nvptx plugin (" PLUGIN ")";
  if (dlopen (PLUGIN, RTLD_LAZY | RTLD_NOLOAD))
    return "libgomp's device plugin stays loaded";
  if (!beside (layer_path, acr_device_state, "device/" PLUGIN))
    return "the folder of libgomp-ext is not known";

  void *layer = dlopen (layer_path, RTLD_LAZY | RTLD_LOCAL);
  if (!layer || !is_layer (layer))
    {
      snprintf (detail, sizeof detail, "cannot be loaded: %s",
                layer ? "not the device layer" : dlerror ());
      return detail;
    }
  plugin = dlopen (path, RTLD_LAZY | RTLD_LOCAL);
  if (!plugin || is_layer (plugin))
    {
      /* Closing the layer lets libgomp find out by itself.  */
      dlclose (layer);
      return "libgomp's plugin cannot be opened";
    }
  device_layer = layer;
  acr_import_replace (dlsym (libgomp, "GOMP_PLUGIN_malloc"), "dlsym",
                      (void *)find);
  *(void **)&acr_libgomp.debug = dlsym (libgomp, "GOMP_PLUGIN_debug");
  *(void **)&acr_libgomp.error = dlsym (libgomp, "GOMP_PLUGIN_error");
  *(void **)&acr_libgomp.taskwait = dlsym (libgomp, "GOMP_taskwait");
  *(void **)&acr_libgomp.taskwait_depend
      = dlsym (libgomp, "GOMP_taskwait_depend");
  *(void **)&acr_libgomp.parallel = dlsym (libgomp, "GOMP_parallel");
  *(void **)&acr_libgomp.level = dlsym (libgomp, "omp_get_level");
  *(void **)&acr_libgomp.num_devices = dlsym (libgomp, "omp_get_num_devices");
  *(void **)&acr_libgomp.default_device
      = dlsym (libgomp, "omp_get_default_device");
  *(void **)&acr_libgomp.is_present
      = dlsym (libgomp, "omp_target_is_present");
  *(void **)&acr_libgomp.fatal = dlsym (libgomp, "GOMP_PLUGIN_fatal");
  *(void **)&acr_libgomp.task_completion
      = dlsym (libgomp, "GOMP_PLUGIN_target_task_completion");
  *(void **)&queue_stream
      = dlsym (plugin, "GOMP_OFFLOAD_openacc_cuda_get_stream");
  *(void **)&bind = dlsym (layer, "acr_forward_bind");
  acr_interface_find (plugin);
  bind (lookup);
  if (!acr_interface ())
    acr_opt_disable (ACR_OPT_unchanged,
                     "libgomp's plugin may copy in ways that are not followed");
  acr_debug (1, "device layer in front of %s", path);
  return NULL;
}

void
acr_device_attach (void)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static _Atomic bool done;
  if (__builtin_expect (atomic_load_explicit (&done, memory_order_acquire), 1))
    return;
  pthread_mutex_lock (&lock);
  void *libgomp
      = done ? NULL : dlopen ("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (libgomp)
    {
      acr_env_read ();
      acr_trace_start ();
      acr_row_start ();
      const char *why
          = acr_env.device ? load (libgomp) : "switched off by ACCRETE_DEVICE";
      if (why)
        set_state (why);
      else
        atomic_store_explicit (&state, "loaded, no device was used",
                               memory_order_release);
      dlclose (libgomp);
      atomic_store_explicit (&done, true, memory_order_release);
    }
  pthread_mutex_unlock (&lock);
}

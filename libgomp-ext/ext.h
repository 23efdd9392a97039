/* libgomp-ext: what its files share.  Read entry.c first.

   The library sits between a program and libgomp (entry.c), and between
   libgomp's device plugin and the CUDA driver (device.c, cuda.c); the
   optimisations hang on these two seams.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_EXT_H
#define ACCRETE_EXT_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "abi/optimisations.h"
#include "base/clock.h"
#include "base/tally.h"
#include "interpose/cuda-types.h"
#include "launch/nest/nest.h"
#include "launch/pair-choice.h"

/* ---- env.c: settings --------------------------------------------------- */

enum acr_opt
{
#define OPT_RUNTIME(id, name, alias, needs, help) ACR_OPT_##id,
#include "abi/optimisations.def"
  ACR_OPT_COUNT
};

enum acr_report
{
  REPORT_NONE,
  REPORT_TEXT,
  REPORT_COUNTERS,
  REPORT_JSON
};

#define POOL_MAX_DEFAULT SIZE_MAX
#define COPIERS_DEFAULT SIZE_MAX
#define STAGING_MAX_DEFAULT ((size_t)64 << 20)
#define UNCHANGED_MAX_DEFAULT ((size_t)32 << 20)
#define DEFER_MAX_DEFAULT 0
#define NOWAIT_MIN_DEFAULT 2000
#define JIT_CACHE_MAX_DEFAULT ((size_t)256 << 20)
#define FORM_DEFAULT SIZE_MAX
#define NEST_QUEUE_DEFAULT ((size_t)32 << 20)
#define STACK_DEFAULT ((size_t)8 << 10)

/* Launches that are graphs, each with those before.  */
enum acr_graphs
{
  ACR_GRAPHS_NONE,
  ACR_GRAPHS_KERNELS, /* kernels that are launched often */
  ACR_GRAPHS_LISTS,   /* several in a row, where that pays */
  ACR_GRAPHS_ALWAYS   /* wherever they can be: for tests */
};

struct acr_env
{
  enum acr_report report;
  acr_optimisation_set disabled; /* of acr_opt */
  bool off, device, limits;
  const char *report_file; /* or NULL: stderr */
  bool times; /* of kernels, in the report */
  const char *trace; /* file, or NULL */
  size_t pool_max; /* bytes, or POOL_MAX_DEFAULT */
  size_t staging_max, unchanged_max, jit_cache_max;
  size_t copiers;               /* threads, or COPIERS_DEFAULT */
  size_t defer_max, nowait_min; /* microseconds */
  const char *geometry; /* valid words (geometry.c), or NULL */
  size_t form;                  /* of kernels, or FORM_DEFAULT */
  unsigned pair; /* of acr_pair_word, behind PIN a choice */
  int graphs; /* acr_graphs */
  unsigned acc_dims[3]; /* gangs, workers, lanes from libgomp's variable, or 0 */
  size_t stack; /* bytes */
  enum acr_nest nest;
  size_t nest_min, nest_coarse; /* iterations, or 0 */
  size_t nest_queue;
  int debug;
  bool gomp_debug; /* GOMP_DEBUG asks for libgomp's own lines */
};

/* Read before the first construct, constant from then on.  */
extern struct acr_env acr_env;

void acr_env_read (void);

/* Why optimisation O is off, or NULL when it is on.  The first reason given
   to acr_opt_disable stays; WHY is not copied.  */
extern const char *_Atomic acr_opt_why[ACR_OPT_COUNT];
static inline const char *
acr_opt_off (enum acr_opt o)
{
  return atomic_load_explicit (&acr_opt_why[o], memory_order_relaxed);
}
void acr_opt_disable (enum acr_opt o, const char *why);
const char *acr_opt_name (enum acr_opt o);

/* One line on stderr: always, or when ACCRETE_DEBUG is at least LEVEL.  */
void acr_warn (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
#define acr_debug(level, ...)                                                 \
  do                                                                          \
    if (__builtin_expect (acr_env.debug >= (level), 0))                       \
      acr_warn (__VA_ARGS__);                                                 \
  while (0)

/* Do N bytes from A and M bytes from B, addresses of one kind, share one?  */
static inline bool
acr_overlap (uintptr_t a, size_t n, uintptr_t b, size_t m)
{
  return a - b < m || b - a < n;
}

/* ---- entry.c ----------------------------------------------------------- */

/* Call FN with the N words at W as its integer arguments (call-words.S).
   N is at least 6.  */
void acr_call_words (void (*fn) (void), const uintptr_t *w, size_t n);

/* ---- region.c: tags of the program's regions --------------------------- */

/* The tag of the region whose host function is FN, or the site record of the
   data constructs whose kinds are at FN; NULL when there is none.  It lives
   until the library that registered it is unloaded.  Thread-safe.  */
const struct acr_region *acr_region_find (const void *fn);

/* What the calling thread has said about its next construct (abi.h, acr_site),
   once; or NULL.  */
const void *acr_site_take (void);

/* Where R's directive is and what it is, "file:line acc enter data"; cut to N
   bytes.  Returns TO.  */
const char *acr_region_place (char *to, size_t n, const struct acr_region *r);

/* A copy of the tag of the region that PTX calls KERNEL, for the caller to
   free; NULL when there is none.  Looks through all regions.  Thread-safe.  */
struct acr_region *acr_region_of_kernel (const char *kernel);

/* ---- device.c: in front of libgomp's nvptx plugin ---------------------- */

/* Read the settings and put the device layer where libgomp will find it.
   Idempotent; does nothing as long as libgomp is not loaded, so that other
   programs that a preloaded library passes through stay as they are.  */
void acr_device_attach (void);

/* Whether all of the program calls libgomp by us, once libgomp is loaded.  */
bool acr_device_sees_all (void);

/* Whether libgomp may start kernels that it does not wait for.  */
bool acr_device_async (void);

/* One phrase for the report: what came of it.  NULL without libgomp.  */
const char *acr_device_state (void);

/* What libgomp offers its plugins (libgomp-plugin.h), and some of its
   public entries; there once the device layer is.  FATAL does not return.  */
struct acr_libgomp
{
  void (*debug) (int kind, const char *fmt, ...)
      __attribute__ ((format (printf, 2, 3)));
  void (*error) (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
  void (*fatal) (const char *fmt, ...)
      __attribute__ ((noreturn, format (printf, 1, 2)));
  void (*task_completion) (void *task);
  void (*taskwait) (void);
  void (*taskwait_depend) (void **depend);
  void (*parallel) (void (*fn) (void *), void *data, unsigned threads,
                    unsigned flags);
  int (*level) (void);
  int (*num_devices) (void);
  int (*default_device) (void);
  int (*is_present) (const void *p, int device);
};

extern struct acr_libgomp acr_libgomp;

/* ---- driver.c; cuda.c: between libgomp's plugin and the driver --------- */

/* The driver's own functions that the runtime calls; NULL when the driver
   has no such entry point.  */
struct acr_driver
{
#define NEEDED(name, symbol, params) CUresult (*name) params;
#define COUNTED(name, symbol, params, args, what) NEEDED (name, symbol, params)
#define WRAPPED(name, symbol, params) NEEDED (name, symbol, params)
#define OPTIONAL(name, symbol, params, wrapper) NEEDED (name, symbol, params)
#include "interpose/cuda.def"
};

extern struct acr_driver acr_driver;

/* Replace driver entry points in PLUGIN, libgomp's opened device plugin.
   Thread-safe, done once.  Returns NULL or the reason why it cannot be done;
   the plugin then works untouched.  */
const char *acr_cuda_patch (void *plugin);

/* libgomp's plugin is about to launch an OpenACC kernel on the NULL stream and
   to wait for it in this thread; or has done so.  */
void acr_cuda_exec (bool begins);

/* libgomp's plugin is asked for N bytes of DEVICE: their address where the arguments
   alone of a kernel are to be there, which no memory is needed for (args.h), else
   NULL.  To copy the N bytes at SRC to DST, WAITS until they are there, and to free
   P: true where that is such a block, and done.  */
void *acr_cuda_stand_in (int device, size_t n);
bool acr_cuda_stand_in_send (void *dst, const void *src, size_t n, bool waits);
bool acr_cuda_stand_in_free (void *p);

/* The program may have work of its own on device memory, of which we know nothing:
   libgomp frees none before that is done.  */
void acr_cuda_share (void);

/* libgomp's plugin is about to load device code in this thread; or has done so.  */
void acr_cuda_load (bool begins);

/* Host and device see each other's work at other times than copies and waits of
   libgomp's: from here on each copy and each wait is made when it is asked for.
   WHY is for the report.  */
void acr_cuda_disable (const char *why);

/* libgomp's plugin has closed a device.  */
void acr_cuda_device_closed (void);

/* What libgomp's plugin prints for status R.  */
const char *acr_cuda_error (CUresult r);

#endif /* ACCRETE_EXT_H */

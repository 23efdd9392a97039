/* A unit of device code as a module of its own; see build.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/worker.h"
#include "ext.h"
#include "jit/build.h"
#include "jit/key.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

/* A result of the driver's, in a link or in a file.  */
struct image
{
  const void *data;
  size_t bytes;
  void *file;
  bool kept;
};

static void
find (struct acr_jit_key key, void *image)
{
  struct image *i = image;
  i->data = acr_jit_disk_find (key, &i->bytes, &i->file);
}

static void
keep (struct acr_jit_key key, void *image)
{
  struct image *i = image;
  i->kept = acr_jit_disk_keep (key, i->data, i->bytes);
}

bool
acr_jit_build_find (const struct acr_jit_conditions *c,
                    const struct acr_unit *u, CUmodule *module)
{
  struct image i = { .data = NULL };
  if (acr_opt_off (ACR_OPT_jit_cache))
    return false;
  acr_jit_key (c, u, 1, find, &i);
  bool ok = i.data && !acr_driver.module_load_data (module, i.data);
  free (i.file);
  return ok;
}

bool
acr_jit_build_is_kept (const struct acr_jit_conditions *c,
                       const struct acr_unit *u)
{
  struct image i = { .data = NULL };
  if (acr_opt_off (ACR_OPT_jit_cache))
    return false;
  acr_jit_key (c, u, 1, find, &i);
  free (i.file);
  return i.data;
}

/* What runs at exit must not find the worker compiling.  */
static void
end_worker (void)
{
  acr_worker_end ();
  acr_debug (1, "nothing is compiled beside the program any more");
}

/* The driver's compiler is a library that it loads for its first link.  At exit,
   what is registered last comes first: the compiler's destructors, if it is loaded
   now, long before libgomp closes its devices.  So the compiler is loaded, and
   then what ends the worker registered.  False when the program is at its end.  */
static bool
hold_compiler (void)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool held;
  pthread_mutex_lock (&lock);
  if (!held)
    {
      (void)dlopen ("libnvidia-ptxjitcompiler.so.1", RTLD_NOW);
      held = !atexit (end_worker);
    }
  bool now = held;
  pthread_mutex_unlock (&lock);
  return now;
}

/* Have the driver compile U, called NAME, and load it.  */
static CUresult
compile (const struct acr_jit_conditions *c, const struct acr_unit *u,
         const char *name, CUmodule *module)
{
  CUjit_option option[ACR_JIT_OPTIONS];
  void *value[ACR_JIT_OPTIONS];
  CUlinkState link;
  if (!hold_compiler ())
    return CUDA_ERROR_DEINITIALIZED;
  for (unsigned i = 0; i < c->noptions; i++)
    {
      option[i] = c->options[i].id;
      value[i] = (void *)(uintptr_t)c->options[i].value;
    }
  CUresult r = acr_driver.link_create (c->noptions, option, value, &link);
  if (r)
    return r;
  struct image i = { .data = NULL };
  r = acr_driver.link_add_data (link, CU_JIT_INPUT_PTX, (void *)u->code,
                                u->bytes, name, 0, NULL, NULL);
  if (!r)
    r = acr_driver.link_complete (link, (void **)&i.data, &i.bytes);
  if (!r)
    r = acr_driver.module_load_data (module, i.data);
  if (!r && !acr_opt_off (ACR_OPT_jit_cache))
    acr_jit_key (c, u, 1, keep, &i);
  (void)acr_driver.link_destroy (link);
  return r;
}

CUresult
acr_jit_build (const struct acr_jit_conditions *c, const struct acr_unit *u,
               const char *name, CUmodule *module, bool *found)
{
  *found = acr_jit_build_find (c, u, module);
  return *found ? CUDA_SUCCESS : compile (c, u, name, module);
}

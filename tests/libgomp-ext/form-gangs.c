/* As many gangs as the GPU has room for of a kernel's form, with a driver of the
   test's.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "ext.h"
#include "interpose/events.h"
#include "jit/chunk.h"
#include "jit/jit.h"
#include "launch/form.h"
#include "launch/kernel.h"
#include "launch/lazy.h"
#include "tap.h"

#include <string.h>

/* ---- What the tested part needs from the rest of the runtime ----------- */

struct acr_env acr_env;
const char *_Atomic acr_opt_why[ACR_OPT_COUNT];
struct acr_counters acr_counters;
struct acr_driver acr_driver;

void
acr_warn (const char *fmt, ...)
{
  (void)fmt;
}

bool
acr_jit_ahead (void)
{
  return false;
}

size_t
acr_jit_args (const char *name)
{
  (void)name;
  return 0;
}

struct acr_batch_code *
acr_jit_batch (const char *name)
{
  (void)name;
  return NULL;
}

uint64_t
acr_jit_code (void)
{
  return 0;
}

CUresult
acr_chunks_get (CUfunction *fn, CUmodule module, const char *name)
{
  return acr_driver.module_get_function (fn, module, name);
}

void
acr_chunks_unload (CUmodule module)
{
  (void)module;
}

void
acr_lazy_free (struct acr_kernel *k, bool lives)
{
  (void)k;
  (void)lives;
}

static void
loaded (CUmodule module)
{
  (void)module;
}

static void
status (CUresult r)
{
  (void)r;
}

static const struct acr_events events
    = { .module_loaded = loaded, .status = status };

/* ---- The driver -------------------------------------------------------- */

/* A kernel and its forms: warps of each that a multiprocessor has room for.  */
static const struct
{
  const char *name;
  int warps;
} functions[] = {
  { "k", 28 },
  { "k" ACR_FORM_SUFFIX "1", 20 },
  { "k" ACR_FORM_SUFFIX "2", 32 },
};

enum
{
  FUNCTIONS = sizeof functions / sizeof *functions,
  PROCESSORS = 132
};

static unsigned asked;

static CUresult
get_function (CUfunction *fn, CUmodule module, const char *name)
{
  (void)module;
  for (int i = 0; i < FUNCTIONS; i++)
    if (!strcmp (functions[i].name, name))
      {
        *fn = (CUfunction)&functions[i];
        return CUDA_SUCCESS;
      }
  return CUDA_ERROR_NOT_FOUND;
}

static CUresult
get_attribute (int *value, CUfunction_attribute attribute, CUfunction fn)
{
  (void)attribute;
  (void)fn;
  *value = 64;
  return CUDA_SUCCESS;
}

/* Blocks of half of the room.  */
static CUresult
max_block (int *grid, int *block, CUfunction fn, CUoccupancyB2DSize shared_of,
           size_t shared, int limit)
{
  (void)shared_of;
  (void)shared;
  (void)limit;
  asked++;
  for (int i = 0; i < FUNCTIONS; i++)
    if (fn == (CUfunction)&functions[i])
      {
        *grid = 2 * PROCESSORS;
        *block = functions[i].warps / 2 * 32;
        return CUDA_SUCCESS;
      }
  return CUDA_ERROR_INVALID_HANDLE;
}

void
acr_form_find (struct acr_kernel *k)
{
  for (k->nforms = 0; k->nforms < 2; k->nforms++)
    k->form[k->nforms].fn = (CUfunction)&functions[k->nforms + 1];
}

int
main (void)
{
  CUfunction fn;
  int grid, block;
  acr_events = &events;
  acr_driver.module_get_function = get_function;
  acr_driver.func_get_attribute = get_attribute;
  acr_driver.occupancy_max_block = max_block;
  if (acr_kernel_get (&fn, (CUmodule)&functions, "k"))
    return 99;
  const struct acr_kernel *k = acr_kernel_find (fn);
  ok (k && k->nforms == 2, "a kernel of two forms");
  ok (acr_kernel_gangs (k, 1, 7392) == 7392,
      "where nobody has asked for the room, gangs are for another reason");
  ok (!acr_kernel_occupancy (&grid, &block, fn, NULL, 0, 1024)
          && 2 * grid * (block / 32) == 7392,
      "libgomp asks, and takes twice as many warps");
  ok (acr_kernel_gangs (k, 1, 5000) == 5000, "others stay");
  ok (acr_kernel_gangs (k, 1, 7392) == 2 * PROCESSORS * 20,
      "there is room for fewer of the first form");
  asked = 0;
  ok (acr_kernel_gangs (k, 2, 7392) == 2 * PROCESSORS * 32
          && asked == 1,
      "there is room for more of the second form");
  ok (acr_kernel_gangs (k, 2, 7392) == 2 * PROCESSORS * 32 && asked == 1,
      "... and the driver is asked once");
  ok (acr_kernel_gangs (k, 2, 100) == 100, "... for these gangs");
  return done_testing ();
}

/* Device code that need not be linked again; see jit.h.

   Source: libgomp/plugin/plugin-nvptx.c, link_ptx and GOMP_OFFLOAD_load_image.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/image.h"
#include "jit/aot.h"
#include "jit/batch-code.h"
#include "jit/chunk.h"
#include "jit/devlib.h"
#include "jit/jit-disk.h"
#include "jit/jit.h"
#include "jit/key.h"
#include "jit/nest-ptx.h"
#include "jit/params.h"
#include "jit/variant.h"
#include "launch/graph/graph-may.h"

#include <stdlib.h>
#include <string.h>

/* The plugin's load that this thread is in.  */
static __thread struct
{
  const struct acr_image *image; /* NULL: none, or nothing to look after */
  struct acr_unit *adapted; /* what is linked; NULL: the image's units */
  struct acr_params params; /* kernels in it that get their arguments so */
  struct acr_variants *variants; /* that were taken out of it */
  struct acr_chunks *chunks;     /* and kernels */
  struct acr_batch_code *batch;  /* of kernels, also of those */
  const struct acr_unit *aot;    /* machine code that comes with it, or NULL */
  CUlinkState state;             /* of the driver's link, or STANDS_IN */
  /* Not in here: what a library that is loaded late may have of such memory is
     little.  */
  struct acr_jit_conditions *conditions;
  uint64_t code;  /* acr_jit_code */
  enum acr_device_malloc malloc;
  unsigned added; /* units that the driver's link has */
  bool other;     /* and it has something else */
  void *file;     /* what was found, which RESULT is in */
  const void *result;
  size_t bytes;
  CUmodule module;
  bool ahead; /* RESULT came with the program */
} load __attribute__ ((tls_model ("initial-exec")));

/* The state of a link that is not done.  */
static char stands_in;
#define STANDS_IN ((CUlinkState)&stands_in)

/* What the link gets.  */
static const struct acr_unit *
units (void)
{
  return load.adapted ? load.adapted : load.image->units;
}

/* Let FN know the key of what is linked.  */
static uint64_t
with_key (void (*fn) (struct acr_jit_key, void *), void *arg)
{
  return acr_jit_key (load.conditions, units (), load.image->nunits, fn, arg);
}

/* How many units have PTX: one of machine code is the last.  */
static unsigned
ptx_units (void)
{
  return load.image->nunits - (load.aot != NULL);
}

/* Find machine code that comes with the image.  */
static void
find_aot (void)
{
  const struct acr_unit *last = &load.image->units[load.image->nunits - 1];
  load.aot = acr_aot_is (last) ? last : NULL;
}

/* Let the driver, and files, have no machine code in place of PTX.  */
static void
leave_out_aot (void)
{
  unsigned n = load.image->nunits;
  struct acr_unit *to = load.adapted, start = acr_aot_start (load.aot);
  if (!to && (to = malloc (n * sizeof *to)))
    load.adapted = memcpy (to, load.image->units, n * sizeof *to);
  if (to && start.code)
    to[n - 1] = start;
  else
    free ((void *)start.code);
}

/* What the units have to do with the device's malloc.  */
static enum acr_device_malloc
look_for_malloc (void)
{
  enum acr_device_malloc most = ACR_MALLOC_NONE;
  for (unsigned i = 0; i < ptx_units (); i++)
    {
      struct acr_text t = { .p = units ()[i].code, .n = units ()[i].bytes };
      enum acr_device_malloc look = acr_device_malloc_look (&t);
      most = look > most ? look : most;
    }
  return most;
}

/* Adapt the image's units, and take out of them what a start does not need.  */
static void
prepare (void)
{
  unsigned n = load.image->nunits;
  find_aot ();
  load.adapted
      = acr_devlib_adapt (load.image->units, n, load.conditions->major,
                          &load.params);
  load.malloc = look_for_malloc ();
  if (load.aot)
    leave_out_aot ();
  load.adapted
      = acr_variants_take_out (load.image->units, load.adapted, n, load.aot,
                               load.conditions, &load.variants);
  load.code = with_key (NULL, NULL);
  if (acr_batch_wanted ())
    load.batch = acr_batch_read (units (), ptx_units ());
}

/* Whether MODULE has all kernels of the image: the plugin ends the program where one
   is missing.  */
static bool
is_whole (CUmodule module)
{
  CUfunction fn;
  for (unsigned i = 0; i < load.image->nkernels; i++)
    if (acr_driver.module_get_function (&fn, module,
                                        load.image->kernels[i].name))
      return false;
  return true;
}

/* Load machine code that comes with the image, for this GPU and of what would be
   linked.  That the driver does not take it is no error: it may be older.  */
static bool
load_aot (void)
{
  if (!load.aot || acr_opt_off (ACR_OPT_aot) || load.conditions->noptions)
    return false;
  load.file = acr_aot_find (load.aot, load.conditions->major,
                            load.conditions->minor,
                            acr_aot_hash (units (), ptx_units ()), &load.bytes);
  CUresult r = load.file ? acr_driver.module_load_data (&load.module, load.file)
                         : CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (!r && !is_whole (load.module))
    {
      (void)acr_driver.module_unload (load.module);
      load.module = NULL;
      r = CUDA_ERROR_NOT_FOUND;
    }
  acr_debug (1, "machine code that came with the program: %s",
             r ? acr_cuda_error (r) : "loaded");
  if (r)
    {
      free (load.file);
      load.file = NULL;
      return false;
    }
  load.result = load.file;
  load.ahead = true;
  return true;
}

static void
find (struct acr_jit_key key, void *unused)
{
  (void)unused;
  if (!acr_opt_off (ACR_OPT_jit_cache))
    load.result = acr_jit_disk_find (key, &load.bytes, &load.file);
}

static void
keep (struct acr_jit_key key, void *kept)
{
  *(bool *)kept = acr_jit_disk_keep (key, load.result, load.bytes);
}

/* ---- A load ------------------------------------------------------------ */

void
acr_jit_begin (const void *image)
{
  const struct acr_image *i = image;
  memset (&load, 0, sizeof load);
  if (i && i->nunits)
    load.conditions = calloc (1, sizeof *load.conditions);
  if (load.conditions)
    load.image = i;
  acr_jit_disk_list ();
}

void
acr_jit_end (void)
{
  if (load.module)
    acr_driver.module_unload (load.module);
  if (load.image)
    acr_devlib_release (load.adapted, load.image->units, load.image->nunits);
  acr_chunks_drop (load.chunks);
  acr_batch_free (load.batch);
  acr_variants_free (load.variants);
  acr_params_free (&load.params);
  free (load.file);
  free (load.conditions);
  memset (&load, 0, sizeof load);
}

uint64_t
acr_jit_code (void)
{
  return load.code;
}

struct acr_variants *
acr_jit_variants (const char *kernel)
{
  return acr_variants_pick (&load.variants, kernel);
}

struct acr_batch_code *
acr_jit_batch (const char *kernel)
{
  struct acr_batch_code *c = acr_batch_pick (&load.batch, kernel);
  if (c)
    c->conditions = *load.conditions;
  return c;
}

size_t
acr_jit_args (const char *kernel)
{
  return acr_params_of (&load.params, kernel);
}

enum acr_device_malloc
acr_jit_malloc (void)
{
  return load.malloc;
}

bool
acr_jit_ahead (void)
{
  return load.ahead;
}

/* A link that is not done has no messages.  */
static void
clear_logs (unsigned n, const CUjit_option *options, void **values)
{
  for (unsigned i = 0; i < n; i++)
    if ((options[i] == CU_JIT_INFO_LOG_BUFFER
         || options[i] == CU_JIT_ERROR_LOG_BUFFER)
        && values[i])
      *(char *)values[i] = '\0';
}

/* Load what was linked before.  */
static bool
load_found (void)
{
  double begin = acr_now_us ();
  load.chunks = acr_chunks_begin (load.image->units, &load.adapted,
                                  load.image->nunits, load.conditions);
  (void)with_key (find, NULL);
  double found = acr_now_us ();
  if (!load.result || (load.chunks && acr_chunks_end (load.chunks))
      || acr_driver.module_load_data (&load.module, load.result))
    return false;
  acr_count (jit_hits, 1);
  acr_debug (1,
             "jit cache: %u units, %zu bytes are there: found in %.1f ms, "
             "loaded in %.1f ms",
             load.image->nunits, load.bytes, (found - begin) * 1e-3,
             (acr_now_us () - found) * 1e-3);
  return true;
}

CUresult
acr_jit_link_create (unsigned n, CUjit_option *options, void **values,
                     CUlinkState *state)
{
  if (load.image && !load.state
      && acr_jit_conditions_get (load.conditions, n, options, values))
    {
      prepare ();
      if (load_aot () || load_found ())
        {
          clear_logs (n, options, values);
          *state = load.state = STANDS_IN;
          return CUDA_SUCCESS;
        }
    }
  else
    load.other = true;
  CUresult r = acr_driver.link_create (n, options, values, state);
  load.state = r ? NULL : *state;
  return r;
}

/* Unit I is linked as it was, and so are its kernels: with variants that are
   there.  */
static void
give_up (unsigned i)
{
  for (unsigned k = 0; k < load.params.n; k++)
    if (load.params.kernel[k].unit == i)
      acr_variants_free (
          acr_variants_pick (&load.variants, load.params.kernel[k].name));
  acr_params_drop (&load.params, i);
  if (load.malloc != ACR_MALLOC_NONE)
    load.malloc = ACR_MALLOC_DRIVER;
  acr_batch_free (load.batch);
  load.batch = NULL;
  load.other = true;
}

CUresult
acr_jit_link_add (CUlinkState state, CUjitInputType type, void *data,
                  size_t bytes, const char *name, unsigned n,
                  CUjit_option *options, void **values)
{
  if (state == STANDS_IN)
    return CUDA_SUCCESS;
  if (load.image && state == load.state)
    {
      unsigned i = load.added++;
      const struct acr_unit *u
          = i < load.image->nunits ? &load.image->units[i] : NULL;
      if (!u || data != u->code || bytes != u->bytes || n
          || type != CU_JIT_INPUT_PTX)
        load.other = true;
      else if (units ()[i].code != u->code)
        {
          CUresult r = acr_driver.link_add_data (
              state, type, (void *)units ()[i].code, units ()[i].bytes, name,
              n, options, values);
          if (!r)
            return r;
          /* A driver that does not like it gets what stock gives it.  */
          acr_debug (1, "unit %u as it was: %s", i, acr_cuda_error (r));
          give_up (i);
        }
    }
  return acr_driver.link_add_data (state, type, data, bytes, name, n, options,
                                   values);
}

/* What could not be a module of its own is linked with the others, in STATE.  */
static CUresult
link_chunks (CUlinkState state)
{
  unsigned failed = acr_chunks_end (load.chunks);
  CUresult r = CUDA_SUCCESS;
  for (unsigned i = 0; i < failed && !r; i++)
    {
      struct acr_unit u = acr_chunks_failed (load.chunks, i);
      r = acr_driver.link_add_data (state, CU_JIT_INPUT_PTX, (void *)u.code,
                                    u.bytes, "kernels", 0, NULL, NULL);
      load.other = true;
    }
  return r;
}

CUresult
acr_jit_link_complete (CUlinkState state, void **image, size_t *bytes)
{
  if (state == STANDS_IN)
    {
      *image = (void *)load.result;
      *bytes = load.bytes;
      return CUDA_SUCCESS;
    }
  if (load.image && state == load.state)
    load.other |= acr_nest_ptx_link (state);
  CUresult r = load.chunks && state == load.state ? link_chunks (state)
                                                  : CUDA_SUCCESS;
  if (!r)
    r = acr_driver.link_complete (state, image, bytes);
  acr_count (links, 1);
  if (!r && !acr_opt_off (ACR_OPT_jit_cache) && load.image
      && state == load.state && !load.other && load.added == load.image->nunits)
    {
      load.result = *image;
      load.bytes = *bytes;
      bool kept = false;
      (void)with_key (keep, &kept);
      load.result = NULL;
      acr_count (jit_stores, kept);
      acr_count (jit_lost, !kept);
      acr_debug (1, "jit cache: %zu bytes are %s", load.bytes,
                 kept ? "kept" : "not kept");
    }
  return r;
}

CUresult
acr_jit_link_destroy (CUlinkState state)
{
  return state == STANDS_IN ? CUDA_SUCCESS : acr_driver.link_destroy (state);
}

/* The same without chunks.  */
static CUresult
load_module (CUmodule *module, const void *image)
{
  if (!load.module || image != load.result)
    return acr_driver.module_load_data (module, image);
  *module = load.module;
  load.module = NULL;
  return CUDA_SUCCESS;
}

CUresult
acr_jit_load (CUmodule *module, const void *image)
{
  CUresult r = load_module (module, image);
  if (!r && load.chunks)
    {
      acr_chunks_attach (load.chunks, *module);
      load.chunks = NULL;
    }
  return r;
}

/* Device code that need not be linked again.

   libgomp's plugin has the driver compile and link the PTX of each program when
   a device starts.  What comes out is kept on disk (jit-disk.h) and loaded from
   there the next time that a program of the same PTX starts, with the same
   options, driver and kind of GPU.

   Between acr_jit_begin and acr_jit_end, around the plugin's entry that loads
   an image, a link whose result is known is not done: the module is loaded
   when the plugin creates the link, and handed out when it loads the result.
   Whatever is not so goes to the driver, call by call, so that its errors are
   stock's.  Only a link of just the image's units, which the driver completed,
   is kept.  Machine code that comes with the program (aot.h) is loaded before either
   is looked for.  Units of the device's libgomp are linked as devlib.h adapts them, and
   without the variants of kernels, which are compiled when they are wanted
   (variant.h).

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_JIT_H
#define ACCRETE_JIT_H

#include "interpose/cuda-types.h"
#include "jit/device-malloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* This thread's plugin is about to load IMAGE, of a format of its own; and has
   done so.  */
void acr_jit_begin (const void *image);
void acr_jit_end (void);

/* The variants that were left out of what is linked (variant.h) of the KERNEL of
   this load, or NULL.  They are the caller's.  */
struct acr_variants;
struct acr_variants *acr_jit_variants (const char *kernel);

/* The code of the KERNEL of this load, of which batches can be made (batch-code.h), or
   NULL: it is the caller's.  Only where batches are wanted (launch/graph/graph-may.h).  */
struct acr_batch_code;
struct acr_batch_code *acr_jit_batch (const char *kernel);

/* How many bytes of its argument block the KERNEL of this load gets as a parameter
   (params.h); 0: it gets the block's address.  */
size_t acr_jit_args (const char *kernel);

/* Whether what this thread's plugin loads is machine code that came with the program
   (aot.h).  */
bool acr_jit_ahead (void);

/* What the units of this load have to do with the device's malloc, the most of
   any.  */
enum acr_device_malloc acr_jit_malloc (void);

/* A hash of what is linked of the device code that this thread's plugin is loading,
   of the driver and of the GPU; 0: not known.  */
uint64_t acr_jit_code (void);

/* In place of the driver's.  */
CUresult acr_jit_link_create (unsigned n, CUjit_option *options, void **values,
                              CUlinkState *state);
CUresult acr_jit_link_add (CUlinkState state, CUjitInputType type, void *data,
                           size_t bytes, const char *name, unsigned n,
                           CUjit_option *options, void **values);
CUresult acr_jit_link_complete (CUlinkState state, void **image,
                                size_t *bytes);
CUresult acr_jit_link_destroy (CUlinkState state);
CUresult acr_jit_load (CUmodule *module, const void *image);

#endif /* ACCRETE_JIT_H */

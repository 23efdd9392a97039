/* What the device code of a program says about its regions.

   libgomp is told about the code by constructors of the program (mkoffload.cc),
   and takes it as it is: PTX as text, and the names of the kernels in the order
   of the host's functions.  Of GCC 12 to 16 it begins alike.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_IMAGE_H
#define ACCRETE_IMAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* mkoffload.cc: how the image of a program starts.  A unit's BYTES include the
   final NUL.  */
struct acr_unit
{
  const char *code;
  size_t bytes;
};

struct acr_kernel_name
{
  const char *name;
  unsigned short dims[3];
};

struct acr_image
{
  const struct acr_unit *units;
  unsigned nunits;
  const char *const *variables;
  unsigned nvariables;
  const struct acr_kernel_name *kernels;
  unsigned nkernels;
};

/* Facts about a region, a set.  */
enum
{
  ACR_REGION_KNOWN = 1,
  /* Its kernel has a way to return.  Where it has none, GCC has left out what
     follows the construct on the host: whatever stands there must not run.  */
  ACR_REGION_RETURNS = 2,
  /* The code that it comes with prints nothing, as long as it does not fail.
     What a kernel prints appears when it is waited for.  */
  ACR_REGION_SILENT = 4
};

/* As libgomp's entries of these names.  TARGET_TYPE says whose code it is.  */
void acr_image_register (unsigned version, const void *host_table,
                         int target_type, const void *target_data);
void acr_image_unregister (unsigned version, const void *target_data);

/* Has there been device code for GPUs of NVIDIA?  */
bool acr_image_seen (void);

/* A region of the program's.  */
struct acr_image_region
{
  unsigned facts;
  /* entry.c: calls that wanted no wait; microseconds it took of late.  */
  _Atomic unsigned calls, us;
  /* leave.c: its kernel fills the GPU; launches since it was one of two; calls in a
     row that waited.  */
  _Atomic bool fills;
  _Atomic unsigned vain, slow;
};

/* The region with the host function FN, NULL when it is unknown.  Lives until
   its image goes.  */
struct acr_image_region *acr_image_region (const void *fn);

/* Its facts; 0: unknown.  */
unsigned acr_image_facts (const void *fn);

/* Is there device code in which a function calls itself; with static variables,
   which kernels may share without a word from libgomp?  */
bool acr_image_recursive (void);
bool acr_image_variables (void);

#endif /* ACCRETE_IMAGE_H */

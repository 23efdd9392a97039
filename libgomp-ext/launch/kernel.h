/* Kernels: every one that libgomp's plugin takes out of a module has a record, found
   by its driver handle, as long as the module is loaded.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_KERNEL_H
#define ACCRETE_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "interpose/cuda-types.h"

struct acr_kernel_name;
struct acr_known;

/* A form of a kernel.  */
struct acr_form
{
  CUfunction fn;
  int regs;        /* per thread */
  int max_threads; /* of a block */
};

/* Constant while its module is loaded, but for HAVE.  */
struct acr_kernel
{
  CUfunction fn;
  CUmodule module;
  int device;        /* that it is on, by the driver's number; -1: not known */
  const char *name;  /* in PTX */
  /* The name that stock GCC would have given it, and what stock.c keeps.  */
  struct acr_kernel_name *stock;
  int regs;         /* per thread */
  int max_threads;  /* of a block */
  uint64_t code;    /* hash of its name, all code and the GPU; 0: not known */
  /* Forms of it (abi.h); HAVE is the set of those that can be launched: bit 0 the
     kernel itself, bit N form[N - 1], which is constant from then on.  */
  unsigned nforms;
  _Atomic unsigned have;
  struct acr_form form[ACR_FORMS];
  /* FN is form number BEGAN_AS, in place of the kernel ITSELF (lazy.h), which does
     something else in launches of so many TRIPS; 0: it is the kernel itself.  */
  unsigned began_as;
  uint64_t trips;
  /* FN does nothing, and the host does without the kernel until ITSELF or form number
     BEGAN_AS is there.  */
  bool absent;
  struct acr_form itself;
  struct acr_lazy *lazy; /* what makes the others, or NULL */
  struct acr_batch_code *batch; /* of FN (jit/batch-code.h), or NULL */
  struct acr_known *known; /* what launches take (geometry-known.h) */
  /* The first bytes of its argument block are its first parameter; 0: the block's
     address is (jit/params.h).  */
  size_t args;
  /* An SPMD kernel whose threads must lie along y, at most 32 in a block
     (ptx-post/pass/entry.c); one whose blocks may use a soft stack of libgomp's
     each.  */
  bool along_y, soft;
};

/* The record of FN, or NULL.  */
const struct acr_kernel *acr_kernel_find (CUfunction fn);

/* How often records have come or gone.  As long as that does not change, a region has
   the same kernel on a device.  */
unsigned acr_kernel_changes (void);

/* The tag of K's region, or NULL when it has none.  */
const struct acr_region *acr_kernel_region (const struct acr_kernel *k);

/* The kernels whose regions have this number (abi.h, ready=N) into the MOST elements of
   TO; how many there are.  */
unsigned acr_kernels_of (int number, const struct acr_kernel **to, unsigned most);

/* How many parameters K has, of 8 bytes each unless the first is its arguments:
   OpenMP's have libgomp's stacks besides.  */
unsigned acr_kernel_params (const struct acr_kernel *k);

/* How many gangs libgomp would take for K if that were its FORM, 0 being the kernel
   itself and not what it began as, where it takes GANGS by the room on the GPU; GANGS,
   where it takes these for another reason.  */
unsigned acr_kernel_gangs (const struct acr_kernel *k, unsigned form,
                           unsigned gangs);

/* In place of the driver entries of these names.  */
CUresult acr_kernel_get (CUfunction *fn, CUmodule module, const char *name);
CUresult acr_kernels_unload (CUmodule module);
CUresult acr_kernel_occupancy (int *grid, int *block, CUfunction fn,
                               CUoccupancyB2DSize shared_of, size_t shared,
                               int limit);

#endif /* ACCRETE_KERNEL_H */

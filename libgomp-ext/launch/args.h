/* Argument blocks that go with the launch.

   A kernel's arguments are addresses and values, 8 bytes each, in a block on
   the device, which libgomp allocates, fills by a copy, and frees again for
   every launch.  Kernels that ptx-post and the runtime have edited
   (jit/params.h) get the block as a parameter in place of its address.

   What libgomp writes to the beginning of the block that this thread has
   allocated last is noted, and not sent: of a region's construct it is sent at
   the launch, when the kernel wants an address after all, and else never.  Where
   it is known that the kernel does, it is sent at once, and not when the block has
   the same bytes from the construct before.
   Nobody but the kernel reads it: libgomp keeps the block's address to itself,
   and no other operand is in that part of the block.

   From GCC 13 on, and for OpenMP, libgomp fills the block as it maps the
   construct's operands.  GCC 12's plugin makes one for each OpenACC launch:
   between acr_args_begin and acr_args_end, around its launch entry, a kernel that
   wants no address gets no block either, and the allocation is answered with a
   placeholder.  So is libgomp's own, from the second time on, when the block has
   nothing but arguments: neither the plugin nor the pool is asked.

   Thread-safe: all is the calling thread's.

   Source: GOMP_OFFLOAD_openacc_exec in libgomp's plugin-nvptx.c,
   gomp_map_vars_internal in target.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ARGS_H
#define ACCRETE_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"

struct acr_kernel;
struct acr_launch;

/* GCC 12's plugin is about to launch the kernel K, or NULL, with BYTES of arguments;
   and has launched.  */
void acr_args_begin (const struct acr_kernel *k, size_t bytes);
void acr_args_end (void);

/* Whether the plugin has been given the placeholder in this launch.  */
bool acr_args_active (void);

/* Stand-ins for driver entries.  True if handled here: P is the placeholder; of
   alloc: becomes it.  BASE and BYTES may be NULL.  */
bool acr_args_alloc (CUdeviceptr *p, size_t bytes);
bool acr_args_range (CUdeviceptr *base, size_t *bytes, CUdeviceptr p);

/* libgomp wants BYTES of DEVICE, which the thread need not have come to yet.  True if
   they are the arguments alone of a kernel that gets them as a parameter: P becomes
   the placeholder, which nobody frees.  */
bool acr_args_stand_in (int device, size_t bytes, CUdeviceptr *p);

/* Whether P is in the placeholder; and whether the block that this thread got last
   is.  */
bool acr_args_stands_in (CUdeviceptr p);
bool acr_args_stood_in (void);

/* libgomp has got the block at P; is about to free it.  */
void acr_args_allocated (CUdeviceptr p);
void acr_args_freed (CUdeviceptr p);

/* libgomp copies the N bytes at SRC to DST.  How many of the first of them need
   not be sent now: 0 or more, N at most.  */
size_t acr_args_write (CUdeviceptr dst, const void *src, size_t n);

/* Launch hook: let L pass its block as its kernel wants it.  */
void acr_args_place (struct acr_launch *l);

#endif /* ACCRETE_ARGS_H */

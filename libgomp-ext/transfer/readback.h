/* Copies back to the host at the end of a construct, served from one fetch;
   see readback.c.  Hooks for the driver calls of the thread that is in C.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_READBACK_H
#define ACCRETE_READBACK_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/construct.h"

/* A kernel was launched on STREAM.  */
void acr_readback_launched (struct acr_construct *c, CUstream stream);

/* All work on the NULL stream up to now is done.  */
void acr_readback_synced (struct acr_construct *c);

/* libgomp wants N bytes at SRC in host memory at DST.  True when they are
   there now.  */
bool acr_readback_copy (void *dst, CUdeviceptr src, size_t n);

/* N bytes of device memory at P change, perhaps to what the host has.  */
void acr_readback_changed (struct acr_construct *c, CUdeviceptr p, size_t n);

/* The block in use at P is about to be freed.  */
void acr_readback_freed (struct acr_construct *c, CUdeviceptr p);

/* Anything may change, on the device and on the host.  */
void acr_readback_drop (struct acr_construct *);

#endif /* ACCRETE_READBACK_H */

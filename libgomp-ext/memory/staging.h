/* Staging: pinned host memory that copies between host and device go through.

   A buffer belongs to the context that was current when it was taken and is
   in one thread's hands until it is put back.  Work on it may still be
   running then: it is handed out again only after that.  All buffers together
   take at most ACCRETE_STAGING_MAX bytes.

   Thread-safe; no lock is held while the driver is called.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_STAGING_H
#define ACCRETE_STAGING_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"

struct acr_staging
{
  char *mem;
  size_t bytes;
  CUevent event; /* behind work on it */
  bool busy;     /* until EVENT */
  bool sent;     /* there is work behind EVENT, on the NULL stream */
  struct staging_context *context;
  struct acr_staging *next;
};

/* What copies that wait for company are collected in.  They exchange their
   buffers (gather.h), so there is one size.  */
#define ACR_STAGING_USUAL ((size_t)1 << 20)

/* A buffer of at least BYTES, for the current context; NULL when there is no
   memory for it or the driver fails.  */
struct acr_staging *acr_staging_get (size_t bytes);
void acr_staging_put (struct acr_staging *);

/* Whether there is a buffer S of at least BYTES that is the current context's.  The
   next context may have the same handle.  */
bool acr_staging_serves (const struct acr_staging *s, size_t bytes);

/* What is kept from one use to the next: let *S serve BYTES, by another buffer if it
   has to be, and return it, or NULL; put *S back, if there is one.  */
struct acr_staging *acr_staging_keep (struct acr_staging **s, size_t bytes);
void acr_staging_part (struct acr_staging **s);

/* Work on the buffer was submitted to the NULL stream of its context, which need
   not be current any more: the event is behind it now.  */
CUresult acr_staging_submitted (struct acr_staging *);

/* Wait until all work on it is done.  */
CUresult acr_staging_wait (struct acr_staging *);

/* It is known to be done.  */
void acr_staging_passed (struct acr_staging *);

/* Wait for all work on the NULL streams of contexts that have buffers.  Errors
   are left to others to find.  */
void acr_staging_drain (void);

/* CTX is about to be DESTROYED, or libgomp does not use it any more: its
   buffers go back to the driver, or with it.  */
void acr_staging_context_left (CUcontext ctx, bool destroyed);

#endif /* ACCRETE_STAGING_H */

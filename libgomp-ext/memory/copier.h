/* memcpy by several threads; see copier.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_COPIER_H
#define ACCRETE_COPIER_H

#include <stdbool.h>
#include <stddef.h>

struct acr_span
{
  void *dst;
  const void *src;
  size_t n;
};

/* Copy all COUNT spans, none of which overlaps another.  Thread-safe; one call
   at a time gets help.  */
void acr_copy_all (const struct acr_span *, size_t count);

/* The same for one.  */
void acr_copy (void *dst, const void *src, size_t n);

/* The same step by step, of at most ACR_COPY_SPANS: spans are allowed to be copied in
   their order, one by one; whether one is done; the calling thread copies some of
   what is allowed, or pauses; it copies no more: what is allowed must be done, or is
   not wanted.  Begin is false when there is no help; PASSING is for what nobody but
   the device reads, which then passes the caches.  */
enum
{
  ACR_COPY_SPANS = 64
};
bool acr_copy_begin (const struct acr_span *, size_t count, bool passing);
void acr_copy_allow (size_t span);
bool acr_copy_done (size_t span);
void acr_copy_help (void);
void acr_copy_end (void);

/* Threads that may help, ACCRETE_COPIERS or what suits the machine, started or
   not.  */
unsigned acr_copiers (void);

/* Something to copy may come soon.  Costs a system call when they sleep, and
   less and less often when nothing came.  */
void acr_copiers_call (void);

#endif /* ACCRETE_COPIER_H */
